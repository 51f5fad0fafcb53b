"""Attacks on orders in transit, and on orders that an opponent mails: all fail."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from orders.canon import canonical, signature_text, streams
from pbem.admin.setup import Newcomer, enlist
from pbem.base.hashing import tlv
from pbem.crypto.private_keys import SshKey, load_private
from pbem.crypto.sshsig import mpint, parse, public_line, read_field, sign
from pbem.player.sign import NAMESPACE
from pbem.store.game_dir import writing
from tests.conftest import Clock
from tests.referee import Referee, key_of

P256 = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
"""The order of the curve (FIPS 186)."""


def quoted(text: str) -> str:
    return "".join(f"> {line}\n" for line in text.splitlines())


def ecdsa_key() -> SshKey:
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

    made = ec.generate_private_key(ec.SECP256R1())
    return load_private(made.private_bytes(Encoding.PEM, PrivateFormat.OpenSSH, NoEncryption()))


def minted_anew(signature: bytes) -> bytes:
    """Another valid signature of the same text, which anybody can make: (r, n - s)."""
    parts = parse(signature)
    kind, rest = read_field(parts.signature)
    inner, _ = read_field(rest)
    r, rest = read_field(inner)
    s, _ = read_field(rest)
    other = tlv(r) + tlv(mpint(P256 - int.from_bytes(s, "big")))
    parts.signature = tlv(kind) + tlv(other)
    return parts.blob()


def test_a_re_minted_ecdsa_signature_makes_no_second_set(referee: Referee) -> None:
    """Sameness is decided on the canonical bytes alone; the order digest stays the first's."""
    key = ecdsa_key()
    with writing(referee.home, "g1") as game:
        enlist(game, "fox", Newcomer(public_line(key.wire)))
    block = referee.block("fox", "FOX: move B1;")
    signature = sign(canonical(block), key, NAMESPACE)
    assert referee.receive(block + signature_text(signature))[0].status == "accepted"
    before = referee.register.sets
    other = minted_anew(signature)
    assert other != signature
    from pbem.crypto.sshsig import verify

    assert verify(canonical(block), other, NAMESPACE, {key.wire: "it is valid"})
    assert referee.receive(block + signature_text(other))[0].status == "known"
    assert referee.register.sets == before
    assert len([r for r in referee.records if r.kind == "received"]) == 1


def test_a_quoted_old_block_above_a_new_one_passes_silently(referee: Referee) -> None:
    old = referee.orders("fox", "FOX: move B1;")
    assert referee.receive(old)[0].good
    new = referee.orders("fox", "FOX: move A2;")
    (outcome,) = referee.receive(f"{quoted(old)}\nWith these:\n\n{new}")
    assert outcome.status == "accepted"
    assert "FOX : MOVE A2" in next(iter(referee.register.sets.values())).canonical


def test_an_old_block_above_a_new_one_that_never_came_is_superseded(referee: Referee) -> None:
    """The sequence number decides, not the position in the mail."""
    old, new = referee.orders("fox", "FOX: move B1;"), referee.orders("fox", "FOX: move A2;")
    for text in (f"{new}\n{quoted(old)}", f"{quoted(old)}\n{new}"):
        referee.receive(text)
        (taken,) = referee.register.sets.values()
        assert "MOVE A2" in taken.canonical


def test_an_opponent_s_block_in_a_reply_stays_the_opponent_s(referee: Referee) -> None:
    """The key decides: orders signed by the hunter are the hunter's, even if the fox mails them."""
    theirs = referee.orders("hunter", "HOUND: move E4;")
    assert referee.receive(theirs)[0].good
    mine = referee.orders("fox", "FOX: move A2;")
    mail = f"From: fox@example.org\nTo: g1@x.org\nSubject: Re\n\n{mine}\n{quoted(theirs)}"
    (outcome,) = referee.receive(mail, "reply.eml")
    assert (outcome.receipt["side"], outcome.status) == ("fox", "accepted")
    assert len([r for r in referee.records if r.kind == "received"]) == 2
    altered = quoted(theirs).replace("E4", "D5")
    outcomes = referee.receive(f"{mine}\n{altered}")
    assert {o.status for o in outcomes} <= {"refused", "known"}
    assert "MOVE D5" not in str(referee.register.sets)


def test_a_header_is_not_replayed_in_a_later_round(tmp_path: Path, clock: Clock) -> None:
    """Windows of one turn have numbers of their own: orders of the first are late in the second."""
    referee = Referee.toy(tmp_path / "asked", play="asked")
    first = {
        side: referee.orders(side, line)
        for side, line in (("fox", "FOX: move A2;"), ("hunter", "HOUND: move E4;"))
    }
    unsent = referee.orders("fox", "FOX: move B1;")
    for text in first.values():
        assert referee.receive(text)[0].good
    referee.run()
    report = referee.report("fox")
    assert (report["window"], report["turn"]) == (2, 1), "not a second round of one turn"
    assert referee.receive(first["fox"])[0].status == "known"
    assert referee.receive(unsent)[0].receipt["code"] == "late"
    forged = unsent.replace("window: 1", "window: 2")
    assert forged != unsent
    assert referee.receive(forged)[0].receipt["code"] == "bad-signature"
    assert not referee.register.sets


@pytest.mark.parametrize("field", ["game", "setup", "side", "window", "report", "moderator"])
def test_orders_forwarded_elsewhere_are_refused(
    field: str, referee: Referee, tmp_path: Path
) -> None:
    """One key may play in many games; each header field ties a set to its own game and window."""
    other: dict[str, Any] = {
        "game": "g2",
        "setup": "0" * 64,
        "side": "hunter",
        "window": 2,
        "report": "0" * 64,
        "moderator": "0" * 16,
    }
    report = referee.report("fox")
    if field == "report":
        report["digest"] = other.pop("report")
    header = {field: other[field]} if field in other else {}
    (outcome,) = referee.receive(referee.orders("fox", "FOX: move B1;", report, **header))
    assert outcome.status == "refused"
    assert not referee.register.sets


def test_the_same_orders_of_a_twin_game_are_refused(referee: Referee, tmp_path: Path) -> None:
    twin = Referee.toy(tmp_path / "twin")
    text = twin.orders("fox", "FOX: move B1;")
    assert referee.receive(text)[0].receipt["code"] in ("wrong-setup", "wrong-moderator")


@pytest.mark.parametrize(
    "change",
    [
        lambda t: t.replace("FOX: move B1;", "FOX: move B1; [BEGIN ORDERS hold]"),
        lambda t: t.replace("FOX: move B1;", "[ END ORDERS ] FOX: move A2;"),
        lambda t: t.replace("move B1", "move \u202e1B\u202c"),
        lambda t: t.replace("move B1", "move \u206aB1"),
        lambda t: t.replace("move B1", "if evasion > 3 then move B1"),
    ],
    ids=["BEGIN in a comment", "END in a comment", "bidi", "another bidi", "a wrapped >"],
)
def test_text_displayed_differently_than_signed_is_refused(
    change: object, referee: Referee
) -> None:
    """The player signed these bytes, but the screen or the mail program showed something else."""
    assert callable(change)
    block = change(referee.block("fox", "FOX: move B1;"))
    units = streams(block)
    signed = block + signature_text(sign(units[0].canonical, key_of("fox"), NAMESPACE))
    outcome = referee.receive(signed)[0]
    assert outcome.status in ("refused", "partly")
    assert not [s for s in referee.register.sets.values() if "MOVE B1" in s.canonical]
