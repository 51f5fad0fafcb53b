"""Encrypted games: what leaves is for its readers alone, what comes is for the moderator alone, and
only the signature inside is believed."""

from __future__ import annotations

import stat
from pathlib import Path
from typing import Any

import pytest

from games.toy.game import SYSTEM
from pbem.admin.commands import renew_age, replace
from pbem.admin.setup import Newcomer, enlist
from pbem.audit.verify_report import check_same, check_signed
from pbem.base.report_json import Report
from pbem.crypto import age
from pbem.crypto.age_armour import armour, bucket, padded
from pbem.crypto.sshsig import BadSignature, public_line
from pbem.dice.provable import BadProof
from pbem.errors import Busy, Usage
from pbem.outbound.encrypt import enclose
from pbem.outbound.forward import resend
from pbem.outbound.notices import note
from pbem.store.game_dir import require_encrypted, writing
from pbem.store.records import Noted
from tests.conftest import Clock
from tests.encryption import EncryptedReferee, age_part, identity_of, key_of, outside, reads
from tests.referee import Referee, tree

FOX, HUNTER = key_of("fox"), key_of("hunter")
SIZES = {bucket(n) for n in range(1, 1 << 20, 1000)}


@pytest.fixture
def sea(tmp_path: Path, clock: Clock) -> EncryptedReferee:
    return EncryptedReferee.begun(tmp_path / "home", SYSTEM)


def played(referee: Referee) -> str:
    """Play to the end with the suggested orders; return the result."""
    while not referee.register.over:
        referee.play({side: referee.suggested(side) for side in referee.register.sides})
    return str(referee.register.over)


# A whole game


def test_an_encrypted_game_is_played_like_a_plain_one(
    tmp_path: Path, sea: EncryptedReferee
) -> None:
    plain = Referee.toy(tmp_path / "plain")
    assert played(sea) == played(plain)
    assert sea.audit().whole
    last = sea.register.window
    for side, key in (("fox", FOX), ("hunter", HUNTER)):
        for path in sea.outbox(side):
            mail = path.read_bytes()
            inner = reads(mail, key, report=sea.stated(side))
            assert inner.facts["side"] == side
            assert len(age.decrypt(age_part(mail), [identity_of(key)])) in SIZES
        assert reads(sea.newest(side, "report"), key).facts["window"] == last
    assert {p.name.rpartition("-")[2] for p in sea.outbox("*")} == {"report.eml", "receipt.eml"}


def test_only_readers_can_decrypt_and_nothing_shows_outside(sea: EncryptedReferee) -> None:
    sea.play({"fox": "FOX: move A2;", "hunter": "HOUND: move E4;"})
    with writing(sea.home, sea.name) as game:
        note(game, ["fox"], "The badger sleeps.\n")
    for path in sea.outbox("fox"):
        mail = path.read_bytes()
        with pytest.raises(age.BadAge, match="other keys"):
            reads(mail, HUNTER)
        shown = outside(mail)
        for word in ("A2", "FOX:", "badger", "accepted", "received", "hound", "seq"):
            assert word not in shown, (path.name, word)
    subjects = [
        line
        for p in sea.outbox("fox")
        for line in outside(p.read_bytes()).splitlines()
        if line.startswith("Subject")
    ]
    assert subjects == [
        "Subject: g1 window 1: encrypted report",
        "Subject: g1 window 1: encrypted receipt",
        "Subject: g1 window 2: encrypted report",
        "Subject: g1 window 2: encrypted note",
    ]


def test_sizes_do_not_tell_how_much_was_ordered_or_answered(sea: EncryptedReferee) -> None:
    short, long = (
        sea.orders("fox", "FOX: move A2;"),
        sea.orders("fox", "FOX: move A2;\n" + "@FOX: if turn over 3 then move A1;\n" * 20),
    )
    assert len(short) == len(long)
    for text in (short, long, sea.encrypt("fox", "BEGIN ORDERS rubbish END ORDERS")):
        sea.receive(text)
    known = [len(p.read_bytes()) for p in sea.outbox("fox", "receipt")]
    assert len(known) == 2
    assert len(set(known)) == 1


def test_what_was_encrypted_once_is_sent_again_as_it_was(sea: EncryptedReferee) -> None:
    first = sea.newest("fox", "report")
    with writing(sea.home, sea.name) as game:
        resend(game, "fox", 1)
    assert len(sea.outbox("fox", "report")) == 2
    assert sea.newest("fox", "report") == first
    assert (sea.folder / "reports/fox/1/report.eml").read_bytes() == first


def test_the_private_age_key_is_in_no_other_file(sea: EncryptedReferee) -> None:
    private = sea.folder / "private"
    assert stat.S_IMODE(private.stat().st_mode) == 0o700
    assert stat.S_IMODE((private / "age.key").stat().st_mode) == 0o600
    secret = age.identities((private / "age.key").read_text())
    public = age.public(secret[0])
    report = sea.stated("fox")
    assert report["moderator"]["age"] == public == sea.register.created.age
    assert f'"age":"{public}"' in report["setup"]["text"]
    words = [line for line in (private / "age.key").read_text().split() if "SECRET" in line]
    for name, content in tree(sea.folder).items():
        assert name == "private/age.key" or not any(w.encode() in content for w in words)


# What is refused


def code_of(referee: Referee, text: str | bytes) -> str:
    (outcome,) = referee.receive(text)
    return str(outcome.receipt["code"])


def test_unencrypted_orders_are_refused_in_an_encrypted_game(sea: EncryptedReferee) -> None:
    (outcome,) = sea.receive(Referee.orders(sea, "fox", "FOX: move A2;"))
    assert (outcome.status, outcome.receipt["code"]) == ("refused", "not-encrypted")
    assert outcome.receipt["side"] == "fox"
    assert not sea.register.sets
    assert sea.receive(sea.block("fox", "FOX: move A2;"), side="fox")[0].good


def test_encrypted_orders_are_refused_in_a_plain_game(
    sea: EncryptedReferee, tmp_path: Path
) -> None:
    plain = Referee.toy(tmp_path / "plain")
    assert code_of(plain, sea.orders("fox", "FOX: move A2;")) == "not-for-you"


def test_orders_encrypted_again_for_another_game_are_refused_there(
    sea: EncryptedReferee, tmp_path: Path
) -> None:
    """Surreptitious forwarding: a moderator hands a player's signed orders on to another."""
    other = EncryptedReferee.begun(tmp_path / "other", SYSTEM)
    orders = Referee.orders(sea, "fox", "FOX: move A2;")
    assert code_of(other, sea.encrypt("fox", orders)) == "not-for-you"
    assert code_of(other, other.encrypt("fox", orders)) == "wrong-setup"
    third = EncryptedReferee.begun(tmp_path / "third", SYSTEM, "g3")
    assert code_of(third, third.encrypt("fox", orders)) == "wrong-game"


def test_a_side_cannot_send_what_the_other_encrypted(sea: EncryptedReferee) -> None:
    """It does not matter who encrypts: a set belongs to the side that signed it."""
    orders = Referee.orders(sea, "fox", "FOX: move A2;")
    (outcome,) = sea.receive(sea.encrypt("hunter", orders))
    assert (outcome.status, outcome.receipt["side"]) == ("accepted", "fox")


def test_encrypted_orders_without_a_signature_are_refused(sea: EncryptedReferee) -> None:
    assert code_of(sea, sea.encrypt("fox", sea.block("fox", "FOX: move A2;"))) == "unsigned"


def test_a_report_encrypted_again_for_the_enemy_is_refused_by_him(sea: EncryptedReferee) -> None:
    """Surreptitious forwarding: an officer passes the moderator's mail off as the enemy's own."""
    inner = age.decrypt(age_part(sea.newest("fox", "report")), [identity_of(FOX)])
    again = armour(age.encrypt(inner, [age.recipient(public_line(HUNTER.wire))]))
    with pytest.raises(BadProof) as refused:
        reads(again.encode(), HUNTER)
    assert refused.value.code == "forwarded"
    assert reads(armour(age.encrypt(inner, [age.recipient(public_line(FOX.wire))])).encode(), FOX)


def test_what_came_encrypted_without_a_signature_is_refused(sea: EncryptedReferee) -> None:
    """Anybody can encrypt to a public key."""
    to = [age.recipient(public_line(FOX.wire))]
    inner = age.decrypt(age_part(sea.newest("fox", "report")), [identity_of(FOX)])
    bare = inner.replace(b'filename="report.seal"', b'filename="report.gone"')
    with pytest.raises(BadProof) as refused:
        reads(age.encrypt(bare, to), FOX)
    assert refused.value.code == "unsigned"
    forged = inner.replace(b'filename="report.json"', b'filename="receipt.json"', 1)
    with pytest.raises((Usage, BadProof, BadSignature)):
        reads(age.encrypt(forged, to), FOX)


@pytest.mark.parametrize("kind", ["receipt", "note"])
def test_what_a_signed_digest_does_not_cover_is_refused(kind: str, sea: EncryptedReferee) -> None:
    """The moderator signs a digest, so the content must be the one of that digest."""
    report = sea.stated("fox")
    sea.order("fox", "FOX: move A2;")
    with writing(sea.home, sea.name) as game:
        note(game, ["fox"], "The badger sleeps.\n")
    found = reads(sea.newest("fox", kind), FOX, report=report)
    assert found.kind == kind and found.signature
    check_signed(kind, found.facts, found.signature, report)
    for change in ({"window": 2}, {"added": "x"}):
        with pytest.raises(BadProof) as refused:
            check_signed(kind, {**found.facts, **change}, found.signature, report)
        assert refused.value.code == f"forged-{kind}"


def test_another_games_report_is_told_from_this_ones(sea: EncryptedReferee, tmp_path: Path) -> None:
    other = EncryptedReferee.begun(tmp_path / "other", SYSTEM)
    check_same(sea.stated("fox"), sea.stated("fox"))
    with pytest.raises(BadProof):
        check_same(sea.stated("fox"), other.stated("fox"))


def test_a_note_is_signed_for_its_side_and_not_another(sea: EncryptedReferee) -> None:
    with writing(sea.home, sea.name) as game:
        note(game, ["fox", "hunter"], "Gale warning.\n")
    read = reads(sea.newest("fox", "note"), FOX, report=sea.stated("fox"))
    assert (read.kind, read.facts["text"]) == ("note", "Gale warning.\n")
    inner = age.decrypt(age_part(sea.newest("fox", "note")), [identity_of(FOX)])
    with pytest.raises(BadProof, match="fox"):
        reads(age.encrypt(inner, [age.recipient(public_line(HUNTER.wire))]), HUNTER)


def test_an_unencrypted_outgoing_mail_stops_the_commit(sea: EncryptedReferee) -> None:
    before = tree(sea.folder)
    with writing(sea.home, sea.name) as game, pytest.raises(AssertionError, match="not encrypted"):
        game.commit(Noted(sides=[]), {"outbox/fox-0009-note.eml": b"To: fox\r\n\r\nhm"})
    assert tree(sea.folder) == before
    require_encrypted(sea.register, {"outbox/fox-0009-letter.eml": b"", "state/x.json": b""})


# Officers and keys


def test_all_officers_of_a_side_are_readers(sea: EncryptedReferee) -> None:
    """An RSA key, and an ECDSA key with an age key beside it."""
    from cryptography.hazmat.primitives.asymmetric import ec, rsa

    from pbem.crypto.private_keys import _ecdsa, _rsa

    own = age.generate()
    second = _rsa(rsa.generate_private_key(65537, 2048))
    third = _ecdsa(ec.generate_private_key(ec.SECP256R1()))
    with writing(sea.home, sea.name) as game:
        enlist(game, "fox", Newcomer(public_line(second.wire), "b@example.org"))
        with pytest.raises(Usage, match="ecdsa-sha2-nistp256"):
            enlist(game, "fox", Newcomer(public_line(third.wire), "c@example.org"))
        line, to = public_line(third.wire), age.public(age.identity(own))
        enlist(game, "fox", Newcomer(line, "c@example.org", age=to))
    sea.play({"fox": "FOX: move A2;"})
    report = reads(sea.newest("fox", "report"), FOX).facts
    assert reads(sea.newest("fox", "report"), second).facts == report
    assert reads(sea.newest("fox", "report"), third, [age.identity(own)]).facts == report
    assert len(report["readers"]) == 3
    assert sea.audit().whole


def test_invalid_age_keys_are_refused(sea: EncryptedReferee) -> None:
    line = public_line(key_of("third").wire)
    secret = age.generate()
    for wrong in ("age1qqq", secret, "ssh-ed25519 AAAA"):
        with writing(sea.home, sea.name) as game, pytest.raises(Usage):
            enlist(game, "fox", Newcomer(line, "c@example.org", age=wrong))


def test_a_new_player_and_the_former_one_read_their_own_notices(sea: EncryptedReferee) -> None:
    successor = key_of("successor")
    with writing(sea.home, sea.name) as game:
        replace(game, "fox", Newcomer(public_line(successor.wire), "s@example.org"))
    first, second = (path.read_bytes() for path in sea.outbox("fox", "note"))
    gone, new = "has changed: by decision of the moderator", "You now play the Fox side in game"
    for mail, own, other, said in ((first, FOX, successor, gone), (second, successor, FOX, new)):
        read = reads(mail, own, report=sea.stated("fox"))
        assert said in read.facts["text"]
        with pytest.raises(age.BadAge):
            reads(mail, other)
    assert reads(sea.newest("hunter", "note"), HUNTER, report=sea.stated("fox"))
    sea.play({"hunter": "HOUND: move E4;"})
    assert reads(sea.newest("fox", "report"), successor)


def test_a_lost_age_key_is_replaced_and_everybody_told(sea: EncryptedReferee) -> None:
    path = sea.folder / "private/age.key"
    kept = path.read_bytes()
    old = sea.orders("fox", "FOX: move A2;")
    path.unlink()
    with pytest.raises(Exception, match=r"age\.key is missing"):
        sea.receive(old)
    with writing(sea.home, sea.name) as game:
        public = renew_age(game)
    assert code_of(sea, old) == "not-for-you"
    told = reads(sea.newest("hunter", "note"), HUNTER, report=sea.stated("hunter"))
    assert public in told.facts["text"]
    assert sea.register.age == public
    from pbem.player.sign import encrypted

    fresh = encrypted(
        Report.of(sea.stated("fox")), Referee.orders(sea, "fox", "FOX: move A2;"), public
    )
    assert sea.receive(fresh)[0].good
    sea.run(force=True)
    assert reads(sea.newest("fox", "report"), FOX).facts["moderator"]["age"] == public
    assert sea.order("fox", sea.suggested("fox")).good
    assert sea.audit().whole
    path.write_bytes(path.read_bytes() + kept)
    assert code_of(sea, old) == "late"


def test_an_age_key_that_others_may_have_still_opens_what_is_on_its_way(
    sea: EncryptedReferee,
) -> None:
    old = sea.orders("fox", "FOX: move A2;")
    with writing(sea.home, sea.name) as game:
        renew_age(game)
    assert sea.receive(old)[0].good


def test_a_game_of_open_mail_has_no_age_key(referee: Referee) -> None:
    assert not (referee.folder / "private/age.key").exists()
    assert "readers" not in referee.stated("fox")
    assert referee.stated("fox")["moderator"]["age"] == ""
    with writing(referee.home, referee.name) as game:
        with pytest.raises(Busy):
            renew_age(game)
        assert enclose(game, "fox", "note", 1, b"as it is") == b"as it is"


# What comes in


def test_binary_files_and_a_detached_signature_are_opened_too(sea: EncryptedReferee) -> None:
    from pbem.crypto.sshsig import armour as ssh_armour
    from pbem.crypto.sshsig import sign

    to = [age.recipient(sea.register.age)]
    text = Referee.orders(sea, "fox", "FOX: move A2;")
    assert sea.receive(age.encrypt(text.encode(), to), "orders.age")[0].good
    block = sea.block("hunter", "HOUND: move E4;").encode()
    signature = ssh_armour(sign(block, HUNTER, "orders@pbem")).encode()
    raw = age.encrypt(block, to)
    (outcome,) = sea.receive(raw, "orders.txt.age", age.encrypt(signature, to))
    assert (outcome.status, outcome.receipt["side"]) == ("accepted", "hunter")
    sea.run()
    assert sea.audit().whole


def test_a_quoted_old_file_below_a_new_one_does_no_harm(sea: EncryptedReferee) -> None:
    old = sea.orders("fox", "FOX: move B1;")
    assert sea.receive(old)[0].good
    new = sea.orders("fox", "FOX: move A2;")
    quoted = "\n".join("> " + line for line in old.splitlines())
    for text in (f"{new}\n\n{quoted}", f"{quoted}\n\n{new}"):
        (outcome,) = sea.receive(text)
        assert outcome.status in ("accepted", "known")
    assert "MOVE A2" in sea.register.sets[SYSTEM.scenarios[0].sides[0]].canonical


def test_a_quoted_file_that_is_not_ours_is_passed_over(sea: EncryptedReferee) -> None:
    foreign = armour(age.encrypt(b"to somebody", [age.recipient(public_line(FOX.wire))]))
    quoted = "\n".join("> " + line for line in foreign.splitlines())
    assert sea.receive(f"{sea.orders('fox', 'FOX: move A2;')}\n{quoted}")[0].good
    assert code_of(sea, quoted) == "not-for-you"


@pytest.mark.parametrize(
    ("hurt", "code"),
    [
        (lambda t: t[:600] + t[610:], "age-form"),
        (lambda t: t[:6000] + ("A" if t[6000] != "A" else "B") + t[6001:], "age-payload"),
        (lambda t: t[: len(t) // 2], "age-armour"),
        (lambda t: t.replace("\n", "\n?", 9), "age-armour"),
        (lambda t: t.replace("a", "ä"), "age-armour"),
    ],
)
def test_what_was_damaged_is_refused_with_its_reason(
    hurt: Any, code: str, sea: EncryptedReferee
) -> None:
    before = sea.register.sets
    got = code_of(sea, hurt(sea.orders("fox", "FOX: move A2;")))
    assert got == code or (code == "age-form" and got.startswith("age-"))
    assert sea.register.sets == before


def test_an_encrypted_file_of_anything_else_is_judged_by_its_bytes(sea: EncryptedReferee) -> None:
    to = [age.recipient(sea.register.age)]
    for content, code in (
        (b"", "empty"),
        (b"\0\1\2", "binary"),
        (b"hello", "no-orders"),
        (padded(b"x" * 300_000), "oversize"),
    ):
        assert code_of(sea, age.encrypt(content, to)) == code
