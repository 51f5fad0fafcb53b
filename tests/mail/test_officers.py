"""Two officers on one side: both get what is the side's, and nobody else; who has left gets the
notice of it and nothing more, whatever waited for him, whatever he asks, whatever happens then."""

from __future__ import annotations

from email import message_from_bytes
from pathlib import Path

import pytest

from games.toy.game import SYSTEM
from pbem.admin.commands import replace
from pbem.admin.setup import Newcomer, enlist
from pbem.crypto.age import BadAge, decrypt
from pbem.crypto.sshsig import public_line
from pbem.outbound.forward import resend
from pbem.outbound.notices import note
from pbem.store.game_dir import writing
from tests.conftest import Clock
from tests.encryption import EncryptedReferee, age_part, identity_of
from tests.mail.office import Office
from tests.mail.smtpd import Server, Start, by_smtp
from tests.referee import key_of, signed

CHANGED = "[g1] A key of the Fox side has changed"
FIRST, SECOND, THIRD, ENEMY = (
    f"{name}@example.org" for name in ("fox", "second", "third", "hunter")
)


def newcomer(name: str) -> Newcomer:
    return Newcomer(public_line(key_of(name).wire), f"{name}@example.org", name)


class Pair:
    """A game whose fox has two officers, with the server that its mail goes to."""

    def __init__(self, office: Office, server: Server) -> None:
        self.office, self.referee, self.server = office, office.referee, server
        with writing(office.home, "g1") as game:
            enlist(game, "fox", newcomer("second"))
        by_smtp(office, server)
        office.tick()
        self.taken()

    def taken(self) -> list[tuple[str, set[str], bytes]]:
        """What was handed over since: subject, recipients, mail."""
        found = [
            (str(message_from_bytes(mail)["Subject"]), set(to), mail)
            for mail, to in zip(self.server.mails, self.server.to, strict=True)
        ]
        self.server.mails.clear()
        self.server.to.clear()
        return found

    def to(self, address: str) -> list[str]:
        """The subjects of what went to that address since."""
        return [subject for subject, to, _ in self.taken() if address in to]

    def orders(self, key: str, lines: str, ahead: int = 0) -> str:
        """A set of the fox, signed by one of its officers."""
        report = self.referee.report("fox")
        block = self.referee.block("fox", lines, report, seq=report["seq"] + 10 + ahead)
        return signed(block, key_of(key))

    def replaced(self, successor: Newcomer, officer: int = 2) -> None:
        with writing(self.referee.home, "g1") as game:
            replace(game, "fox", successor, officer)

    def window(self) -> None:
        """A window that closes with what both sides' forms suggest."""
        for side in ("fox", "hunter"):
            self.office.orders(side)
        self.office.one()


@pytest.fixture
def pair(office: Office, smtpd: Start) -> Pair:
    return Pair(office, smtpd())


def test_both_officers_get_what_is_the_side_s_and_nobody_else(pair: Pair, clock: Clock) -> None:
    """Receipts of either's orders, questions' answers to who asked, reports, notes, reminders."""
    pair.office.mail("fox", pair.orders("fox", "FOX: move A2;"))
    pair.office.mail("second", pair.orders("second", "FOX: move B1;", ahead=1))
    pair.office.mail("second", "status", subject="g1")
    pair.office.one()
    taken = pair.taken()
    assert [(subject, to) for subject, to, _ in taken] == [
        ("[g1] 1 order received, all understood", {FIRST, SECOND}),
        ("[g1] 1 order received, all understood", {FIRST, SECOND}),
        ("[g1] Status", {SECOND}),
    ]
    assert pair.referee.register.sets["fox"].officer == 2  # type: ignore[index]
    with writing(pair.referee.home, "g1") as game:
        note(game, ["fox"], "For you two.\n")
    pair.office.orders("hunter")
    pair.office.one()
    for subject, to, mail in pair.taken():
        assert to in ({FIRST, SECOND}, {ENEMY}), subject
        assert (b"For you two" in mail) <= (ENEMY not in to)


def test_who_left_gets_the_notice_and_nothing_more(pair: Pair) -> None:
    pair.replaced(newcomer("third"))
    pair.office.one()
    taken = pair.taken()
    assert [subject for subject, to, _ in taken if SECOND in to] == [
        "[g1] A key of the Fox side has changed"
    ]
    for _ in range(2):
        pair.window()
    with writing(pair.referee.home, "g1") as game:
        note(game, ["fox"], "For you two.\n")
        resend(game, "fox", 1)
        resend(game, "fox", 3)
    pair.office.one()
    later = pair.taken()
    assert len([1 for _, to, _ in later if to == {FIRST, THIRD}]) >= 5
    assert not [subject for subject, to, mail in later if SECOND in to or SECOND.encode() in mail]


def test_what_waited_for_an_officer_when_he_left_does_not_reach_him(
    pair: Pair, clock: Clock
) -> None:
    """The server is down while a window closes, and he is replaced before it is up again."""
    pair.server.script["mail"] = "451 later"
    pair.window()
    pair.replaced(newcomer("third"))
    pair.server.script.clear()
    clock.advance(minutes=16)
    pair.office.one()
    taken = pair.taken()
    assert [subject for subject, to, _ in taken if SECOND in to] == [
        "[g1] A key of the Fox side has changed"
    ]
    reports = [to for subject, to, _ in taken if "; orders" in subject and ENEMY not in to]
    assert sorted(map(sorted, reports)) == [[FIRST], [THIRD]]
    assert not pair.referee.register.mail_state.unsent


def test_an_officer_who_was_put_off_and_left_is_not_tried_again(pair: Pair, clock: Clock) -> None:
    """The mail has reached the other one; the server had asked for patience with him."""
    pair.server.script["second"] = "450 4.2.0 greylisted"
    with writing(pair.referee.home, "g1") as game:
        note(game, ["fox"], "For you two.\n")
    assert pair.office.one().waiting == 1
    pair.replaced(newcomer("third"))
    pair.server.script.clear()
    pair.taken()
    clock.advance(minutes=16)
    assert pair.office.one().waiting == 0
    assert pair.to(SECOND) == ["[g1] A key of the Fox side has changed"]


def test_a_report_sent_again_goes_to_nobody_where_nobody_is_left(pair: Pair) -> None:
    """A successor without an address: his mail is carried by hand, not sent to who was before."""
    pair.replaced(Newcomer(public_line(key_of("third").wire), "", "third"), officer=0)
    pair.office.one()
    pair.taken()
    with writing(pair.referee.home, "g1") as game:
        name = resend(game, "fox", 1)
    pair.office.one()
    assert pair.taken() == []
    assert b"To: undisclosed-recipients:;" in (pair.referee.folder / name).read_bytes()


def test_who_left_asks_in_vain(pair: Pair) -> None:
    """Orders by his old key, the old set again, questions, a wish to have the report."""
    old = pair.orders("second", "FOX: move B1;")
    pair.office.mail("second", old)
    pair.office.one()
    pair.replaced(newcomer("third"))
    pair.office.one()
    pair.taken()
    for text in (
        old,
        pair.orders("second", "FOX: move A2;", ahead=5),
        "status",
        "help",
        "resend",
        "BEGIN PRESS TO ALL\nHello!\nEND PRESS\n",
        "BEGIN ORDERS\nFOX: hold;\nEND ORDERS",
    ):
        pair.office.mail("second", text, subject="g1")
    pair.office.one()
    assert pair.to(SECOND) == []


@pytest.mark.parametrize("happens", ["one", "two"])
def test_whatever_happens_then_is_the_same_to_who_left(
    happens: str, pair: Pair, tmp_path: Path
) -> None:
    """Two worlds: in both he gets what he got till he left, and from then on nothing at all."""
    pair.replaced(newcomer("third"))
    pair.office.one()
    pair.taken()
    for n in range(3):
        lines = {"one": "FOX: move A2;", "two": "FOX: hold;"}[happens] if n == 0 else ""
        pair.office.mail("third", pair.orders("third", lines or pair.referee.suggested("fox")))
        if happens == "two":
            pair.office.mail("hunter", "BEGIN ORDERS\nNOBODY: hold;\nEND ORDERS")
            pair.office.mail("fox", "status", subject="g1")
        pair.office.orders("hunter")
        pair.office.one()
    taken = pair.taken()
    assert len(taken) >= 10
    assert [mail for _, to, mail in taken if SECOND in to] == []


def test_a_key_that_ended_opens_no_encrypted_mail(tmp_path: Path, clock: Clock) -> None:
    referee = EncryptedReferee.begun(tmp_path / "home", SYSTEM)
    with writing(referee.home, "g1") as game:
        enlist(game, "fox", newcomer("second"))
        replace(game, "fox", newcomer("third"), officer=2)
    before = {path.name for path in (referee.folder / "outbox").iterdir()}
    referee.go("fox", "hunter")
    with writing(referee.home, "g1") as game:
        note(game, ["fox"], "For you two.\n")
        resend(game, "fox", 1)
    later = [p for p in sorted((referee.folder / "outbox").glob("fox-*")) if p.name not in before]
    assert len(later) >= 4
    for path in later:
        inside = age_part(path.read_bytes())
        assert decrypt(inside, [identity_of(key_of("third"))])
        with pytest.raises(BadAge, match="other keys"):
            decrypt(inside, [identity_of(key_of("second"))])
