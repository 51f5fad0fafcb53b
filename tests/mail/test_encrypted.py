"""An encrypted game by mail: mailboxes, clients that mangle, and the words that players send."""

from __future__ import annotations

import quopri
from base64 import b64encode
from collections.abc import Callable
from email.message import Message
from pathlib import Path

import pytest

from games.toy.game import SYSTEM
from pbem.admin.setup import Choices, create
from pbem.crypto import age
from pbem.crypto.age_armour import files_in
from pbem.crypto.sshsig import public_line
from tests.conftest import Clock
from tests.encryption import EncryptedReferee, key_of, outside, reads
from tests.mail.office import Office

Client = Callable[[Office, str, str], Path]


@pytest.fixture
def encrypted(tmp_path: Path, clock: Clock) -> Office:
    return Office(EncryptedReferee.begun(tmp_path / "home", SYSTEM))


def mime(office: Office, side: str, kind: str, body: str, encoding: str = "7bit") -> Path:
    head = ["MIME-Version: 1.0", f"Content-Type: {kind}", f"Content-Transfer-Encoding: {encoding}"]
    return office.mail(side, body, "hello", head=head)


def as_attachment(office: Office, side: str, text: str) -> Path:
    (content,) = files_in(text.encode())
    assert isinstance(content, bytes)
    packed = b64encode(content).decode()
    lines = "\n".join(packed[i : i + 76] for i in range(0, len(packed), 76))
    body = (
        "--x\nContent-Type: text/plain\n\nMy orders are attached.\n--x\n"
        'Content-Type: application/octet-stream; name="my.age"\n'
        'Content-Disposition: attachment; filename="my.age"\n'
        f"Content-Transfer-Encoding: base64\n\n{lines}\n--x--\n"
    )
    return mime(office, side, 'multipart/mixed; boundary="x"', body)


def as_html(office: Office, side: str, text: str) -> Path:
    lines = "<br>".join(f"&gt;&nbsp;{line}" for line in text.splitlines())
    return mime(
        office, side, "text/html; charset=utf-8", f"<html><p>Hi</p><div>{lines}</div></html>"
    )


def quoted_printable(office: Office, side: str, text: str) -> Path:
    body = quopri.encodestring(text.replace("-----", "\u2014").encode()).decode()
    return mime(office, side, "text/plain; charset=utf-8", body, "quoted-printable")


def as_reply(office: Office, side: str, text: str) -> Path:
    """Above the quoted text of the report's mail, lines flowed."""
    quoted = "\n".join("> " + line for line in outside(report_mail(office, side)).splitlines())
    flowed = "\n".join(line + " " for line in text.splitlines())
    return office.mail(side, f"Here they are:\n\n{flowed}\n\nYou wrote:\n{quoted}\n", "Re: g1")


CLIENTS: dict[str, Client] = {
    "plain": lambda office, side, text: office.mail(side, text, "my orders"),
    "CRLF, indented": lambda o, s, t: o.mail(s, "\r\n".join("  " + x for x in t.splitlines())),
    "attachment": as_attachment,
    "HTML alone": as_html,
    "quoted-printable, long dashes": quoted_printable,
    "reply": as_reply,
}


def report_mail(office: Office, side: str) -> bytes:
    referee = office.referee
    assert isinstance(referee, EncryptedReferee)
    return referee.newest(side, "report")


def sides(office: Office) -> list[str]:
    return [str(side) for side in office.referee.register.sides]


@pytest.mark.parametrize("client", CLIENTS)
def test_a_window_through_a_mailbox(client: str, encrypted: Office) -> None:
    office = encrypted
    for side in sides(office):
        CLIENTS[client](office, side, office.referee.orders(side, office.referee.suggested(side)))
    ticked = office.one()
    assert (ticked.dealt.taken, ticked.dealt.refused, ticked.closed) == (2, 0, 1)
    for side in sides(office):
        mails = office.sent(side)
        assert [str(m["Subject"]) for m in mails] == [
            "g1 window 1: encrypted receipt",
            "g1 window 1: encrypted report",
            "g1 window 2: encrypted report",
        ] or len(mails) == 3
        for mail in mails:
            read = reads(mail.as_bytes(), key_of(side), report=office.referee.stated(side))
            assert read.facts["side"] == side
            assert read.encrypted
    assert office.referee.audit().whole


def test_a_whole_game_by_encrypted_mail(encrypted: Office) -> None:
    office = encrypted
    while not office.referee.register.over:
        for side in sides(office):
            office.orders(side)
        assert office.one().closed == 1
    assert office.referee.audit().whole
    for side in sides(office):
        last = max(
            (
                reads(m.as_bytes(), key_of(side), report=office.referee.stated(side)).facts
                for m in office.sent(side)
                if "report" in str(m["Subject"])
            ),
            key=lambda facts: int(facts["window"]),
        )
        assert last["result"]


def test_an_encrypted_mail_finds_its_game_by_the_key_that_opens_it(encrypted: Office) -> None:
    """Two games, a sender nobody knows, a subject that says the wrong one."""
    office = encrypted
    other = EncryptedReferee.begun(office.home, SYSTEM, "g2")
    office.mail("x", office.referee.orders("fox", "FOX: move A2;"), "g2", "stranger@example.com")
    office.mail("x", other.orders("fox", "FOX: move A2;"), "hello", "stranger@example.com")
    office.tick()
    for referee in (office.referee, other):
        assert [str(side) for side in referee.register.sets] == ["fox"]


def test_orders_in_the_open_are_answered_by_an_encrypted_refusal(encrypted: Office) -> None:
    from tests.referee import Referee

    office = encrypted
    office.mail("fox", Referee.orders(office.referee, "fox", "FOX: move A2;"))
    assert office.one().dealt.refused == 1
    receipt = newest(office, "fox", "receipt")
    read = reads(receipt.as_bytes(), key_of("fox"), report=office.referee.stated("fox"))
    assert read.facts["code"] == "not-encrypted"
    assert not office.referee.register.sets


def newest(office: Office, side: str, kind: str) -> Message:
    return [m for m in office.sent(side) if str(m["Subject"]).endswith(kind)][-1]


def test_damaged_orders_are_refused_and_answered(encrypted: Office) -> None:
    office = encrypted
    text = office.referee.orders("fox", "FOX: move A2;")
    office.mail("fox", text[:700] + text[800:])
    office.mail("fox", text.lower())
    assert office.one().dealt.refused == 2
    codes = {
        reads(m.as_bytes(), key_of("fox"), report=office.referee.stated("fox")).facts.get("code")
        for m in office.sent("fox")
        if "receipt" in str(m["Subject"])
    }
    assert all(str(code).startswith("age-") for code in codes)


def test_answers_are_encrypted_too(encrypted: Office) -> None:
    office = encrypted
    for word in ("STATUS", "HELP", "RESEND"):
        office.mail("fox", "", word)
    assert office.one().dealt.answered == 3
    kinds = [str(m["Subject"]).rpartition(" ")[2] for m in office.sent("fox")]
    assert sorted(kinds) == ["note", "note", "report", "report"]
    texts = [
        reads(m.as_bytes(), key_of("fox"), report=office.referee.stated("fox")).facts.get(
            "text", ""
        )
        for m in office.sent("fox")
    ]
    assert any("You have no set in force" in text for text in texts)
    assert "You have no set" not in office.bodies("fox")


def test_a_player_with_an_ecdsa_key_joins_and_plays_by_mail(tmp_path: Path, clock: Clock) -> None:
    from cryptography.hazmat.primitives.asymmetric import ec

    from pbem.admin.letters import invite
    from pbem.crypto.private_keys import _ecdsa
    from pbem.dice.chains import DiceChains
    from pbem.player.joining import answer, read_letter
    from pbem.store.game_dir import writing

    referee = EncryptedReferee(tmp_path / "home", SYSTEM)
    create(referee.home, SYSTEM, "g1", Choices(seed="x", mail="sealed"))
    key, secret = _ecdsa(ec.generate_private_key(ec.SECP521R1())), age.generate()
    with writing(referee.home, "g1") as game:
        letter = read_letter(invite(game, SYSTEM, "fox", "fox@example.org", "").encode())
    assert letter["mail"] == "sealed"
    office = Office(referee)
    dice_chains, own = DiceChains(key, tmp_path / "chain"), age.public(age.identity(secret))
    office.mail("fox", answer(letter, dice_chains, "Reynard"), "joining")
    assert office.one().dealt.joined == 0, "ECDSA without an age key"
    office.mail("fox", answer(letter, dice_chains, "Reynard", age=own), "joining")
    assert office.one().dealt.joined == 1
    referee.enlist("hunter", key_of("hunter"))
    referee.open()
    office.one()
    mail = newest(office, "fox", "report")
    read = reads(mail.as_bytes(), key, [age.identity(secret)])
    assert read.facts["readers"]
    assert public_line(key.wire) in read.facts["setup"]["text"]


def test_press_goes_encrypted(tmp_path: Path, clock: Clock) -> None:
    referee = EncryptedReferee.made(tmp_path / "home", SYSTEM, Choices(seed="x", press="open"))
    referee.open()
    office = Office(referee)
    office.mail("fox", "BEGIN PRESS TO hunter\nParley at dawn.\nEND PRESS\n", "g1")
    office.mail(
        "fox", referee.encrypt("fox", "BEGIN PRESS TO hunter\nAt the mill.\nEND PRESS\n"), "g1"
    )
    office.one()
    texts = [
        reads(m.as_bytes(), key_of("hunter"), report=referee.stated("hunter")).facts.get("text", "")
        for m in office.sent("hunter")
    ]
    assert any("Parley at dawn" in text for text in texts)
    assert any("At the mill" in text for text in texts)
    assert "Parley" not in office.bodies("hunter")


def test_orders_with_press_inside_stay_encrypted_until_they_are_opened_as_orders(
    encrypted: Office,
) -> None:
    """Decrypted as press, they would be refused as orders that came in the open."""
    office = encrypted
    referee = office.referee
    assert isinstance(referee, EncryptedReferee)
    block = referee.block("fox", "FOX: move A2;")
    press = "BEGIN PRESS TO hunter\nParley.\nEND PRESS\n"
    office.mail("fox", referee.encrypt("fox", block + press), "g1")
    office.one()
    receipt = newest(office, "fox", "receipt")
    read = reads(receipt.as_bytes(), key_of("fox"), report=office.referee.stated("fox"))
    assert read.facts["code"] != "not-encrypted"


@pytest.mark.parametrize(("subject", "first"), [("g3 orders for window 1", "g3"), ("Hello", "g0")])
def test_the_keys_of_likely_games_are_tried_first(
    subject: str, first: str, encrypted: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What opens a mail decides whose it is; its subject only saves trying a thousand keys."""
    from pbem.inbound.fetch import Sorter

    for name in ("g0", "g3", "g4"):
        create(encrypted.home, SYSTEM, name, Choices(mail="sealed", seed="x"))
    tried: list[str] = []
    real = Sorter._keys_of

    def keys_of(sorter: Sorter, name: str) -> object:
        tried.append(name)
        return real(sorter, name)

    monkeypatch.setattr(Sorter, "_keys_of", keys_of)
    text = encrypted.referee.orders("fox", encrypted.referee.suggested("fox"))
    encrypted.mail("fox", text, subject, sender="friend@example.org")
    assert encrypted.tick()["g1"].dealt.taken == 1
    assert tried == [first, *(["g0"] if first == "g3" else []), "g1"]
