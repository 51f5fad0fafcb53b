"""Officers with roles and the referee's mailbox: joining, orders, commands, reminders."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.admin.letters import invite
from pbem.admin.setup import Choices
from pbem.crypto.sshsig import public_line
from pbem.dice.chains import DiceChains
from pbem.player import joining
from pbem.store.game_dir import writing
from tests.cli.commands import pbem
from tests.conftest import Clock
from tests.mail.office import Office
from tests.officers.game import SYSTEM
from tests.referee import Referee, key_of

AIR = "hunters.air"


@pytest.fixture
def office(tmp_path: Path, clock: Clock) -> Office:
    """An open game with an air officer, whose mail comes through a Maildir."""
    referee = Referee.made(tmp_path, SYSTEM, Choices(dice="seeded", seed="x"))
    referee.enlist(AIR, key_of(AIR))
    referee.open()
    office = Office(referee)
    office.tick()
    return office


def subjects(office: Office, seat: str) -> list[str]:
    """The subjects of the mails to a seat, oldest first."""
    from email import message_from_bytes

    mails = sorted((office.referee.folder / "outbox").glob(f"{seat}-*"))
    return [str(message_from_bytes(mail.read_bytes())["Subject"]) for mail in mails]


def test_orders_and_commands_come_by_mail(office: Office) -> None:
    office.mail(AIR, office.referee.orders(AIR, "WALRUS: go B1;"))
    office.mail(AIR, "STATUS")
    office.mail(AIR, "RESEND")
    office.mail(AIR, "HELP")
    office.tick()
    told = subjects(office, AIR)
    assert any("received, all understood" in subject for subject in told)
    assert len(told) == 5
    assert len(subjects(office, "hunters")) == 1
    assert office.referee.register.sets[AIR].seq  # type: ignore[index]


def test_unsigned_orders_are_judged_by_the_role(office: Office) -> None:
    block = office.referee.block(AIR, "WALRUS: go B1; SHEFFIELD: go B1;")
    office.mail(AIR, block)
    office.tick()
    (receipt,) = (office.referee.folder / "outbox").glob(f"{AIR}-*-receipt.eml")
    text = receipt.read_text()
    assert "these orders are not signed" in text
    assert "unknown-unit" in text


def test_nobody_waits_for_a_role_or_reminds_it(office: Office, clock: Clock) -> None:
    home = ("--home", office.home)
    assert pbem(*home, "schedule", "g1", "every=2d", "remind=1d", "early=1h").code == 0
    office.mail("hunters", office.referee.orders("hunters", "SHEFFIELD: go B1;"))
    clock.advance(hours=30)
    office.tick()
    office.mail("raider", office.referee.orders("raider", "PINGUIN: go B3;"))
    office.tick()
    assert [r.body["sides"] for r in office.referee.records if r.body.get("reminder")] == [
        ["raider"]
    ]
    clock.advance(hours=0.5)
    office.mail(AIR, office.referee.orders(AIR, "WALRUS: go B1;"))
    office.tick()
    assert office.referee.register.window == 1
    clock.advance(hours=0.6)
    office.tick()
    assert office.referee.register.window == 2  # the role's late set did not delay it


def test_an_answer_to_a_letter_enlists_for_the_role(tmp_path: Path, clock: Clock) -> None:
    referee = Referee.made(tmp_path, SYSTEM, Choices(dice="fast"))
    with writing(tmp_path, "g1") as game:
        letter = invite(game, SYSTEM, AIR, f"{AIR}@example.org", "")
    office = Office(referee)
    facts = joining.read_letter(letter.encode())
    assert facts["side"] == AIR
    office.mail(AIR, joining.answer(facts, DiceChains(key_of("pilot")), "Pilot"))
    office.tick()
    officer = referee.register.officers[-1]
    assert (officer.side, officer.key) == (AIR, public_line(key_of("pilot").wire))
    assert len(subjects(office, AIR)) == 2  # the letter, and the welcome


def test_press_of_an_officer_is_answered_and_not_sent(tmp_path: Path, clock: Clock) -> None:
    choices = Choices(dice="seeded", seed="x", press="open")
    referee = Referee.made(tmp_path, SYSTEM, choices)
    referee.enlist(AIR, key_of(AIR))
    referee.open()
    office = Office(referee)
    office.mail(AIR, "BEGIN PRESS TO RAIDER\nhello\nEND PRESS")
    office.tick()
    assert not list((referee.folder / "outbox").glob("*-press.eml"))
    (answer,) = (referee.folder / "outbox").glob(f"{AIR}-*-answer.eml")
    assert "only commanders write press" in " ".join(answer.read_text().split())


def test_a_mail_to_a_role_survives_a_kill_before_it_was_seen(office: Office) -> None:
    """Its record says that it left, but it still lies where nobody reads it."""
    out = office.home / "out"
    (seen,) = (out / "new").glob(f"*.{AIR}-0001-report.*")
    left = seen.rename(out / "tmp" / seen.name)
    office.mail(AIR, office.referee.orders(AIR, "WALRUS: go B1;"))
    office.tick()
    assert seen.exists()
    assert not left.exists()
