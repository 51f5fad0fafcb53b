"""Players join by the answer to a letter, whichever way it comes back to the moderator."""

from __future__ import annotations

from base64 import encodebytes
from email import message_from_bytes
from pathlib import Path

import pytest

from pbem.crypto.sshsig import fingerprint, wire_key
from tests.cli.commands import pbem
from tests.conftest import Clock


@pytest.fixture
def answers(tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A new game; `fox.txt` and `hunter.txt` answer its letters."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PBEM_HOME", "home")
    pbem("new", "toy", "g1")
    for side in ("fox", "hunter"):
        pbem("keygen", "-o", f"{side}.key")
        letter = pbem("invite", "g1", side, "--email", f"{side}@example.org").raw
        Path("letter.txt").write_bytes(letter)
        assert pbem("join", "letter.txt", "--key", f"{side}.key", "-o", f"{side}.txt").code == 0
    return tmp_path


def test_receive_enlists_who_answered(answers: Path) -> None:
    said = pbem("receive", "g1", "fox.txt")
    assert (said.code, said.out) == (0, "enlisted officer 1 of fox in g1\n")
    packed = encodebytes(Path("hunter.txt").read_bytes()).decode()
    head = "From: hunter@example.org\nContent-Type: text/plain\nContent-Transfer-Encoding: base64"
    Path("hunter.eml").write_text(f"{head}\n\n{packed}")
    assert pbem("receive", "g1", "hunter.eml").out == "enlisted officer 1 of hunter in g1\n"
    assert pbem("open", "g1").code == 0
    assert pbem("audit", "g1").code == 0


def test_who_joined_is_told_so(answers: Path) -> None:
    pbem("enlist", "g1", "--letter", "fox.txt")
    note = Path("home/g1/outbox/fox-0002-letter.eml")
    mail = message_from_bytes(note.read_bytes())
    assert (mail["To"], mail["Subject"]) == ("fox@example.org", "[g1] You play Fox")
    assert fingerprint(wire_key(Path("fox.key.pub").read_text())) in note.read_text()
    assert len(list(Path("home/g1/outbox").iterdir())) == 3


def test_an_answer_that_nobody_asked_for_is_refused(answers: Path) -> None:
    pbem("new", "toy", "g2")
    said = pbem("receive", "g2", "fox.txt")
    assert said.code == 2
    assert "this does not answer a joining letter of g2" in said.err
    pbem("receive", "g1", "fox.txt")
    again = pbem("receive", "g1", "fox.txt")
    assert again.code == 2
    assert "registered already, for fox" in again.err
