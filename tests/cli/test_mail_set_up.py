"""`pbem init` and `pbem mail-test`: from an empty folder to mail that works."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.base.config import load
from pbem.scheduler import mail_test
from pbem.scheduler.mail_test import checks_in
from tests.cli.commands import pbem

BOX = '[mailbox]\nkind = "maildir"\npath = "box"\n[delivery]\nkind = "maildir"\npath = "{to}"\n'


@pytest.fixture
def home(tmp_path: Path) -> Path:
    said = pbem("init", tmp_path / "games", "--address", "g@example.org", "--moderator", "m@a.b")
    assert said.code == 0, said.err
    return tmp_path / "games"


def configured(home: Path, to: str = "box") -> None:
    with (home / "pbem.toml").open("a") as file:
        file.write(BOX.format(to=to))
    for name in ("new", "cur", "tmp"):
        (home / "box" / name).mkdir(parents=True)


def test_settings_are_written_and_valid(home: Path) -> None:
    config = load(home)
    assert (config.address, config.moderator) == ("g@example.org", "m@a.b")
    assert config.mailbox is None
    assert pbem("--home", home, "tick").code == 0


def test_every_setting_that_is_shown_can_be_switched_on(home: Path) -> None:
    """Except that there may be one mailbox and one delivery."""
    text = (home / "pbem.toml").read_text()
    parts = text.split("# [")[1:]
    every = ["mailbox"] * 2 + ["delivery"] * 2 + ["digest", "[notify"]
    assert [part.partition("]")[0] for part in parts] == every
    first = text.partition("# Where")[0].replace("# null", "null").replace("# order", "order")
    for box, way in ((0, 2), (1, 3)):
        chosen = "".join(f"[{parts[n]}" for n in (box, way, 4, 5))
        said = ("...", "A mail to you", "Chats and phones")
        lines = [
            line.removeprefix("# ")
            for line in chosen.splitlines()
            if not any(word in line for word in said)
        ]
        (home / "pbem.toml").write_text("\n".join([first, *lines]))
        assert load(home).mailbox is not None
        assert load(home).digest and load(home).notify


def test_addresses_may_come_later(tmp_path: Path) -> None:
    said = pbem("init", tmp_path / "games")
    assert said.code == 0
    assert load(tmp_path / "games").address == ""
    for step in ("mail-test", "new SYSTEM GAME", "tick"):
        assert f"--home {tmp_path / 'games'} {step}" in said.out


def test_settings_are_never_overwritten(home: Path) -> None:
    before = (home / "pbem.toml").read_bytes()
    said = pbem("init", home, "--address", "other@example.org")
    assert (said.code, "exists already" in said.err) == (2, True)
    assert (home / "pbem.toml").read_bytes() == before


@pytest.mark.parametrize("address", ["games", "a@b, c@d", 'x"@b'])
def test_an_address_must_be_one(address: str, tmp_path: Path) -> None:
    said = pbem("init", tmp_path / "games", "--address", address)
    assert (said.code, "not a mail address" in said.err) == (2, True)
    assert not (tmp_path / "games").exists()


def test_a_mail_comes_back_and_others_stay(home: Path) -> None:
    configured(home)
    (home / "box/new/1.other").write_bytes(b"Subject: orders\r\n\r\nFOX: move B1;\r\n")
    said = pbem("--home", home, "mail-test")
    assert said.code == 0, said.err
    assert "in the mailbox after 0" in said.out
    assert [file.name for file in (home / "box/new").iterdir()] == ["1.other"]
    assert pbem("--home", home, "mail-test", "--json").json["address"] == "g@example.org"


def test_a_mail_that_does_not_come_back(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    configured(home, to="elsewhere")
    monkeypatch.setattr(mail_test, "PAUSE", 0.0)
    said = pbem("--home", home, "mail-test", "--wait", "0")
    assert said.code == 1
    assert "NOT in the mailbox after 0 seconds" in said.out
    assert "spam folder" in said.out


def test_a_mailbox_that_cannot_be_read(home: Path) -> None:
    configured(home, to="elsewhere")
    (home / "box/new").rmdir()
    said = pbem("--home", home, "mail-test")
    assert (said.code, "the mailbox cannot be read" in said.out) == (1, True)


def test_a_mail_that_cannot_leave(home: Path) -> None:
    configured(home, to="file")
    (home / "file").write_text("in the way")
    said = pbem("--home", home, "mail-test")
    assert (said.code, "NOT sent: " in said.out) == (1, True)


def test_what_is_not_configured_cannot_be_tested(home: Path) -> None:
    said = pbem("--home", home, "mail-test")
    assert (said.code, "[mailbox]" in said.err) == (2, True)


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (
            b"Authentication-Results: mx.example.org;\r\n\tspf=pass smtp.mailfrom=a@b;\r\n"
            b"\tdkim=fail header.d=b; dmarc=none\r\nSubject: x",
            {"spf": "pass", "dkim": "fail", "dmarc": "none"},
        ),
        (
            b"Authentication-Results: near; spf=pass\nAuthentication-Results: far; spf=fail",
            {"spf": "pass"},
        ),
        (b"Subject: x\r\n\r\nAuthentication-Results: forged; spf=pass", {}),
    ],
)
def test_what_the_server_noted_is_read(head: bytes, expected: dict[str, str]) -> None:
    assert checks_in(head + b"\r\n\r\nbody") == expected


def test_a_server_that_distrusts_the_mail(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    configured(home)
    monkeypatch.setattr(mail_test, "checks_in", lambda raw: {"spf": "softfail"})
    said = pbem("--home", home, "mail-test")
    assert "spf softfail" in said.out
    assert "take such mail for spam" in said.out
