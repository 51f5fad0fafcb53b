"""Floods of mail in somebody's name, or from strangers, silence nobody whose key signs."""

from __future__ import annotations

import pytest

from orders.canon import decode, streams
from pbem.crypto.sshsig import armour, sign
from pbem.inbound import authenticate, blocks, dispatch
from tests.mail.office import CONFIG, Office
from tests.referee import Referee, key_of

CAPPED = CONFIG + "[limits]\nanswers = 3\n"


@pytest.fixture
def office(referee: Referee) -> Office:
    return Office(referee, CAPPED)


def junk(office: Office, text: str) -> None:
    """A mail from an address that is not registered."""
    office.mail("x", text, "g1", "evil@example.com")


def forge(office: Office, number: int = 3) -> None:
    """So many mails of somebody else in the name of the fox; all answers of the day are used up."""
    for n in range(number):
        office.mail("fox", f"status\n{n}")
    office.one()
    office.empty()


def test_a_signed_set_is_refused_by_mail_though_forged_mail_used_up_the_answers(
    office: Office,
) -> None:
    old = [office.referee.orders("fox", f"FOX: move {zone};") for zone in ("A2", "B1")]
    office.referee.play({})
    forge(office)
    for text in old:
        office.mail("fox", text)
    assert office.one().dealt.refused == 2
    assert len([s for s in office.subjects("fox") if "has closed" in s]) == 2
    office.empty()
    office.mail("fox", office.referee.orders("fox", office.referee.suggested("fox")))
    office.one()
    assert any("all understood" in s for s in office.subjects("fox"))


def test_nobody_uses_up_the_answers_of_a_key_with_what_it_signed_before(office: Office) -> None:
    """An outsider who has an old set sends it again and again: nothing is recorded or answered."""
    first, second = (office.referee.orders("fox", f"FOX: move {zone};") for zone in ("A2", "B1"))
    office.referee.play({})
    office.mail("fox", first)
    office.one()
    forge(office)
    before = len(office.referee.records)
    for n in range(6):
        office.mail("x", f"{n}\n{first}", sender="evil@example.com")
    office.one()
    assert len(office.referee.records) == before
    assert not office.sent("fox")
    office.mail("fox", second)
    office.one()
    assert len(office.sent("fox")) == 1


def test_what_a_key_signs_itself_has_a_daily_limit(office: Office) -> None:
    sets = [
        office.referee.orders("fox", "FOX: move A2;", seq=office.referee.report("fox")["seq"] + n)
        for n in range(1, 9)
    ]
    office.referee.play({})
    forge(office)
    for text in sets:
        office.mail("fox", text)
    office.one()
    assert len(office.sent("fox")) == 3


def test_a_signature_that_only_names_a_key_counts_for_its_address_alone(office: Office) -> None:
    """A damaged signature by a long key names its owner, which anybody can copy."""
    office.referee.play({})
    forge(office)
    block = office.referee.block("fox", "FOX: move A2;")
    (unit,) = streams(decode(block.encode()))
    lie = armour(sign(unit.canonical + b"x", key_of("fox"), "orders@pbem"))
    for n in range(5):
        office.mail("x", f"{n}\n{block}\n{lie}", sender="evil@example.com")
    office.one()
    assert not office.sent("fox")


def test_the_moderator_hears_once_that_a_side_is_answered_no_more(office: Office) -> None:
    forge(office)
    forge(office, 5)
    office.mail("fox", "status\nonce more")
    office.one()
    assert office.subjects("mod") == []  # told by the flood before
    told = list((office.home / ".pbem" / "told").glob("*.eml"))
    assert len([p for p in told if b"no more answers to the Fox side" in p.read_bytes()]) == 1


@pytest.mark.parametrize("sender", ["evil@example.com", "fox@example.org"])
def test_after_a_flood_of_junk_a_signed_set_from_any_address_counts(
    sender: str, office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dispatch, "MOST", 5)
    for n in range(8):
        office.mail("x", office.referee.block("fox", f"FOX: move A2; [{n}]"), sender=sender)
    office.one()
    kinds = [record.kind for record in office.referee.records]
    assert kinds.count("refused") == 5
    assert "so many such mails came today" in office.bodies("mod")
    office.empty()
    text = office.referee.orders("hunter", office.referee.suggested("hunter"))
    office.mail("x", text, sender="hunter@work.example" if sender[0] == "e" else sender)
    assert office.one().dealt.taken == 1
    assert any("all understood" in s for s in office.subjects("hunter"))


def test_in_a_flood_few_signatures_of_a_text_are_tried(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dispatch, "MOST", 1)
    tried = 0
    real = authenticate.is_signed

    def counted(*args: object) -> bool:
        nonlocal tried
        tried += 1
        return real(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(blocks, "is_signed", counted)
    seal = "BEGIN SEAL " + "a" * 104 + " END SEAL\n"
    for n in range(4):
        junk(office, f"BEGIN ORDERS FOX: move A{n}; END ORDERS\n{seal}")
    office.one()
    tried = 0
    many = "".join(f"BEGIN ORDERS FOX: move A{n}; END ORDERS\n{seal}" for n in range(900))
    junk(office, many)
    office.one()
    assert tried == blocks.MOST_TRIED
