"""Files that commands write where their user says: whole or as before."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from tests.cli.commands import WorkFolder, pbem

WRITING: dict[str, tuple[list[str], list[str]]] = {
    "form": (["form", "fox.json", "-o", "new"], ["new"]),
    "chart": (["chart", "fox.json", "-o", "new.svg"], ["new.svg"]),
    "page": (["page", "fox.json", "-o", "new"], ["new"]),
    "web app": (
        ["page", "--system", "toy", "--app", "app"],
        ["app/order-page.html", "app/order-page-worker.js", "app/order-page.webmanifest"],
    ),
    "publish": (["publish", "g1", "-o", "new.html"], ["new.html", "new.zip"]),
    "story": (["story", "g1", "-o", "story"], ["story/story.html", "story/story.md"]),
}
"""Arguments, and files that they write."""


@pytest.mark.parametrize("name", WRITING)
def test_a_full_disk_leaves_the_files_of_the_run_before(
    name: str, work: WorkFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    args, files = WRITING[name]
    work.new().open()
    work.report("fox")
    assert pbem("end", "g1", "--result", "draw", "--reason", "fog").code == 0
    assert pbem(*args).code == 0
    before = {path: path.read_bytes() for path in Path().rglob("*") if path.is_file()}
    assert {Path(file) for file in files} <= before.keys()
    for file in files:
        Path(file).write_bytes(b"of the run before")
        before[Path(file)] = b"of the run before"

    def full(fd: int, content: bytes) -> int:
        raise OSError(errno.ENOSPC, "no space left")

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", full)
        said = pbem(*args)
    assert (said.code, "nothing was changed" in said.err) == (4, True), said.err
    assert {path: path.read_bytes() for path in Path().rglob("*") if path.is_file()} == before


def test_a_dash_is_standard_output(work: WorkFolder) -> None:
    work.new().open()
    work.report("fox")
    said = pbem("form", "fox.json", "-o", "-")
    assert (said.code, said.err) == (0, "")
    assert said.raw == pbem("form", "fox.json").raw
    assert not work.path("-").exists()
