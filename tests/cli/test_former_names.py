"""Names of release 0.1.0 that scripts, cron jobs and settings may still use."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.base.config import read
from pbem.errors import Misprint
from tests.cli.commands import pbem


def test_pbem_desk_is_the_order_page() -> None:
    assert pbem("desk", "--system", "toy").raw == pbem("page", "--system", "toy").raw


def test_sealed_mail_is_encrypted_mail(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for game, word in (("g1", "sealed"), ("g2", "encrypted")):
        assert pbem("new", "toy", game, "--mail", word, "--json").json["mail"] == "sealed"
    assert pbem("reseal", "g1", "--yes").code == 0
    assert pbem("new", "toy", "g3", "--mail", "open").code == 2


def test_former_names_are_not_listed() -> None:
    listed = pbem("--help").out.split()
    assert "page" in listed
    assert not {"desk", "reseal"} & set(listed)


def test_settings_may_say_desk() -> None:
    new = read('order_page = "url"\norder_page_url = "https://x.org/p.html"\n', "pbem.toml")
    assert read('desk = "url"\ndesk_url = "https://x.org/p.html"\n', "pbem.toml") == new
    with pytest.raises(Misprint):
        read('desk = "on"\norder_page = "url"\n', "pbem.toml")
