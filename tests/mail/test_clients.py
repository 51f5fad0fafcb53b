"""Mails as people's own programs make them: every one of them is read for what it is."""

from __future__ import annotations

from email import message_from_bytes
from pathlib import Path

import pytest

from games.toy.game import SYSTEM
from pbem.admin import key_change
from pbem.admin.letters import invite
from pbem.admin.setup import Choices
from pbem.base.report_json import Report
from pbem.crypto.age_armour import files_in
from pbem.crypto.sshsig import armour, sign
from pbem.dice.chains import DiceChains
from pbem.player.joining import answer, read_letter
from pbem.store.game_dir import writing
from tests.conftest import Clock
from tests.encryption import EncryptedReferee
from tests.mail.clients import PROGRAMS
from tests.mail.office import Office
from tests.mail.parts import Note, leaf, posted, several
from tests.referee import Referee, key_of

each = pytest.mark.parametrize("program", PROGRAMS)


def report_mail(office: Office, side: str = "fox") -> bytes:
    """The mail of the newest report, as it lies in the player's mailbox."""
    return sorted((office.referee.folder / "outbox").glob(f"{side}-*-report.eml"))[-1].read_bytes()


def signed(office: Office, side: str = "fox") -> str:
    return office.referee.orders(side, office.referee.suggested(side))


def send(office: Office, program: str, note: Note) -> tuple[int, int, int, int]:
    """How many sets were taken and refused, mails answered and passed on to the moderator."""
    office.drop(PROGRAMS[program](note))
    dealt = office.one().dealt
    return dealt.taken + dealt.joined, dealt.refused, dealt.answered, dealt.passed


@each
def test_orders_in_the_body(program: str, office: Office) -> None:
    assert send(office, program, Note("fox", signed(office))) == (1, 0, 0, 0)
    assert "received, all understood" in office.subjects("fox")[0]


@each
def test_orders_above_the_report_that_they_answer(program: str, office: Office) -> None:
    text = f"Here they are:\n\n{signed(office)}\nBest,\nthe fox"
    assert send(office, program, Note("fox", text, answers=report_mail(office))) == (1, 0, 0, 0)


@each
def test_orders_as_a_file(program: str, office: Office) -> None:
    files = [("signed.txt", signed(office).encode())]
    note = Note("fox", "See the file.", answers=report_mail(office), files=files)
    assert send(office, program, note) == (1, 0, 0, 0)


@each
def test_orders_with_the_signature_of_stock_tools(program: str, office: Office) -> None:
    block = office.referee.block("fox", office.referee.suggested("fox")).encode()
    signature = armour(sign(block, key_of("fox"), "orders@pbem")).encode()
    files = [("orders.txt", block), ("orders.txt.sig", signature)]
    assert send(office, program, Note("fox", "", files=files)) == (1, 0, 0, 0)


@each
def test_orders_passed_on(program: str, office: Office) -> None:
    note = Note("friend", signed(office), forwards=True)
    assert send(office, program, note) == (1, 0, 0, 0)


@each
def test_orders_that_nobody_signed(program: str, office: Office) -> None:
    text = office.referee.block("fox", "FOX: move A2;")
    assert send(office, program, Note("fox", text)) == (0, 1, 0, 0)
    said = " ".join(office.bodies("fox").split())
    assert "Not in force: these orders are not signed" in said
    assert "UNDERSTOOD AS FOX: move A2" in said


@each
def test_orders_that_nobody_signed_above_the_report(program: str, office: Office) -> None:
    """One answer: the form below them, as it was sent, is no second set."""
    text = office.referee.block("fox", "FOX: move B1;")
    note = Note("fox", f"Like this?\n{text}", answers=report_mail(office))
    assert send(office, program, note) == (0, 1, 0, 0)
    assert "FOX: move B1" in office.bodies("fox")


@each
def test_signed_orders_count_whatever_word_stands_above_them(program: str, office: Office) -> None:
    note = Note("fox", f"Help!\n\n{signed(office)}", answers=report_mail(office))
    assert send(office, program, note) == (1, 0, 0, 0)


@each
def test_a_change_of_keys(program: str, office: Office) -> None:
    """Nothing but the block says which of two games it is for."""
    office.referee = Referee.made(office.home, SYSTEM, Choices(seed="y"), "g2")
    office.referee.open()
    office.tick()
    text = key_change.change(
        Report.of(office.referee.report("fox")), key_of("fox"), DiceChains(key_of("new"))
    )
    office.drop(PROGRAMS[program](Note("fox", text, subject="here")))
    assert office.tick()["g2"].dealt.keys == 1
    assert [r.kind for r in office.referee.records][-3:-1] == ["sent", "replaced"]


@each
def test_an_answer_to_the_joining_letter(program: str, office: Office) -> None:
    with writing(office.home, "g1") as game:
        letter = invite(game, SYSTEM, "fox", "new@example.org", "Europe/Berlin")
    text = answer(read_letter(letter.encode()), DiceChains(key_of("new")), "New")
    assert send(office, program, Note("new", f"Hello!\n\n{text}")) == (1, 0, 0, 0)
    assert len(office.referee.register.officers) == 3


@each
def test_a_forwarded_report_is_not_taken_for_orders(program: str, office: Office) -> None:
    mail = message_from_bytes(report_mail(office))
    files = [
        (str(p.get_filename()), bytes(p.get_payload(decode=True)))
        for p in mail.walk()
        if p.get_filename()
    ]
    assert "orders.txt" in dict(files)
    note = Note("fox", "Is this right?", answers=report_mail(office), files=files)
    assert send(office, program, note) == (0, 0, 0, 1)


@each
def test_a_question_above_the_report_is_the_moderator_s(program: str, office: Office) -> None:
    note = Note("fox", "Dear moderator,\nmay I have a day more?", answers=report_mail(office))
    assert send(office, program, note) == (0, 0, 0, 1)
    assert not office.sent("fox")
    assert len(office.sent("mod")) == 1


@each
@pytest.mark.parametrize("word", ["STATUS", "help"])
def test_one_word_above_the_report(word: str, program: str, office: Office) -> None:
    note = Note("fox", word, answers=report_mail(office))
    assert send(office, program, note) == (0, 0, 1, 0)
    assert office.subjects("fox") == [f"[g1] {word.capitalize()}"]


@each
def test_encrypted_orders_in_the_body_and_as_a_file(
    program: str, tmp_path: Path, clock: Clock
) -> None:
    referee = EncryptedReferee.begun(tmp_path / "home", SYSTEM)
    office = Office(referee)
    office.one()
    (content,) = files_in(signed(office, "hunter").encode())
    assert isinstance(content, bytes)
    office.drop(PROGRAMS[program](Note("fox", signed(office), answers=report_mail(office))))
    office.drop(PROGRAMS[program](Note("hunter", "", number=2, files=[("my.age", content)])))
    ticked = office.one()
    assert (ticked.dealt.taken, ticked.dealt.refused, ticked.closed) == (2, 0, 1)
    assert referee.audit().whole


@pytest.mark.parametrize("charset", ["utf-16", "utf-8-sig"])
@pytest.mark.parametrize("name", ["signed.txt", "my.orders", ""])
def test_a_file_of_any_name_as_windows_writes_it(name: str, charset: str, office: Office) -> None:
    content = signed(office).replace("\n", "\r\n").encode(charset)
    said = f'; name="{name}"' if name else ""
    body = leaf(f"application/octet-stream{said}", content, "base64")
    office.drop(posted(Note("fox", ""), several("mixed", "x", [leaf("text/plain", ""), body])))
    assert office.one().dealt.taken == 1
