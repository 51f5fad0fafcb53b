"""Players join by the answer to a letter, whichever way it comes back to the moderator."""

from __future__ import annotations

from base64 import encodebytes
from email import message_from_bytes
from pathlib import Path

import pytest

from pbem.crypto.private_keys import load_private
from pbem.crypto.sshsig import fingerprint, public_line, wire_key
from pbem.player.joining import _signed, read_letter
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
    assert (mail["To"], mail["Subject"]) == ("fox@example.org", "[g1] You play the Fox side")
    assert fingerprint(wire_key(Path("fox.key.pub").read_text())) in note.read_text()
    assert len(list(Path("home/g1/outbox").iterdir())) == 3


def test_a_letter_gives_no_orders_to_the_terminal(answers: Path) -> None:
    """Anybody can sign one: its fields are any texts."""
    facts = read_letter(Path("letter.txt").read_bytes())
    key = load_private(Path("fox.key").read_bytes())
    facts |= {"scenario": "wood\x1b]0;title\x07", "moderator": public_line(key.wire, "")}
    Path("wild.txt").write_text(_signed("LETTER", facts, key))
    said = pbem("join", "wild.txt", "--key", "hunter.key", "-o", "wild.join")
    assert said.code == 0 and "(toy, wood ]0;title )" in said.err
    assert all(line.isprintable() for line in said.err.splitlines())


def test_an_answer_that_nobody_asked_for_is_refused(answers: Path) -> None:
    pbem("new", "toy", "g2")
    said = pbem("receive", "g2", "fox.txt")
    assert said.code == 2
    assert "this does not answer a joining letter of g2" in said.err
    pbem("receive", "g1", "fox.txt")
    again = pbem("receive", "g1", "fox.txt")
    assert again.code == 2
    assert "registered already, for fox" in again.err


def test_status_says_who_is_invited_and_when_the_game_can_begin(answers: Path) -> None:
    said = pbem("status", "g1").out
    assert said.count("invited, no answer yet") == 2
    assert "pbem open" not in said
    for side in ("fox", "hunter"):
        pbem("receive", "g1", f"{side}.txt")
    assert "every side has a player: `pbem open g1` starts the" in pbem("status", "g1").out
    assert pbem("status", "g1", "--json").json.get("invited", []) == []


def test_a_letter_without_an_address_to_answer_to_warns_the_moderator(answers: Path) -> None:
    said = pbem("invite", "g1", "fox", "--email", "fox@example.org")
    assert "pbem.toml names no address, so nobody can answer this letter by mail" in said.err
    Path("home/pbem.toml").write_text('address = "games@example.org"\norder_page = "on"\n')
    assert pbem("invite", "g1", "fox", "--email", "fox@example.org").err == ""


def test_a_letter_gives_the_schedule_in_its_readers_zone_too(answers: Path) -> None:
    free = pbem("invite", "g1", "fox", "--email", "fox@example.org").out
    assert "there is no\n  deadline" in free
    assert "before the\n  deadline" not in free
    pbem("schedule", "g1", "every=3d", "at=20:00", "on=mon", "zone=Europe/Berlin")
    for zone, there in (
        ("London", "now 19:00 in Europe/London"),
        ("tokyo", "now 04:00 of the day after in Asia/Tokyo"),
    ):
        said = pbem("invite", "g1", "fox", "--email", "fox@example.org", "--tz", zone).out
        assert f"on a Monday at 20:00 (Europe/Berlin, {there})" in " ".join(said.split())
    same = pbem("invite", "g1", "fox", "--email", "fox@example.org", "--tz", "Paris").out
    assert "20:00 (Europe/Berlin)." in " ".join(same.split())
    assert pbem("invite", "g1", "fox", "--email", "f@example.org", "--tz", "Atlantis").code == 2


@pytest.mark.parametrize("codec", ["utf-8-sig", "utf-16", "utf-16-be"])
@pytest.mark.parametrize("alone", [True, False])
def test_letters_and_answers_are_read_as_editors_save_them(
    codec: str, alone: bool, answers: Path
) -> None:
    mark = "\ufeff" if codec == "utf-16-be" else ""

    def saved(name: str, begin: str) -> None:
        text = Path(name).read_text()
        text = text[text.index(begin) :] if alone else text
        Path(name).write_bytes((mark + text).replace("\n", "\r\n").encode(codec))

    saved("letter.txt", "BEGIN LETTER")
    joined = pbem("join", "letter.txt", "--key", "hunter.key", "-o", "hunter.txt")
    assert joined.code == 0, joined.err
    for side in ("fox", "hunter"):
        saved(f"{side}.txt", "BEGIN JOIN")
    assert pbem("receive", "g1", "fox.txt").out == "enlisted officer 1 of fox in g1\n"
    assert pbem("enlist", "g1", "--letter", "hunter.txt").code == 0
