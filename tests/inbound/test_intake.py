"""Every bad input has its own receipt and code, is recorded, and changes nothing else."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orders.header import FIELDS
from pbem.crypto.private_keys import generate
from pbem.crypto.sshsig import armour, sign
from pbem.inbound.authenticate import LARGEST
from pbem.player.sign import NAMESPACE
from tests.conftest import Clock
from tests.faults.hooks import constant
from tests.house import House, key_of, seal, tree, unchanged_but, without_field
from tests.secrecy import masked

Maker = Callable[[House], bytes | str]
FORM = "FOX: move A2;"
ZEROS = "0" * 64


def old_orders(house: House) -> str:
    """A set of window 1 that was never sent, in window 3."""
    text = house.orders("fox", FORM)
    house.play({}, {})
    return text


def late_orders(house: House) -> str:
    text = house.orders("fox", FORM)
    house.play({})
    return text


def same_sequence(house: House) -> str:
    seq = house.report("fox")["seq"] + 60
    house.order("fox", FORM, seq=seq)
    return house.orders("fox", "FOX: move B1;", seq=seq)


def older_sequence(house: House) -> str:
    seq = house.report("fox")["seq"] + 60
    house.order("fox", FORM, seq=seq)
    return house.orders("fox", "FOX: move B1;", seq=seq - 1)


def future_sequence(house: House) -> str:
    """A clock that is wrong by a year."""
    return house.orders("fox", FORM, seq=house.report("fox")["seq"] + 365 * 86_400)


def damaged_seal(house: House) -> str:
    text = house.orders("fox", FORM)
    body = text.rindex("END SEAL") - 12
    return text[:body] + ("a" if text[body] != "a" else "b") + text[body + 1 :]


def altered(house: House) -> str:
    return house.orders("fox", FORM).replace("move A2", "move B1")


def game_over(house: House) -> str:
    house.play(*[{}] * 8)
    report = house.report("fox")
    return house.orders("fox", FORM, report)


def report_of_the_other(house: House) -> str:
    """The header of the fox, but the digest of the hunter's report."""
    digest = house.report("hunter")["digest"]
    own = house.report("fox")["digest"]
    grouped = " ".join(digest[i : i + 8] for i in range(0, 64, 8))
    mine = " ".join(own[i : i + 8] for i in range(0, 64, 8))
    return seal(house.block("fox", FORM).replace(mine, grouped), key_of("fox"))


def foreign(house: House) -> str:
    """Signed for another purpose."""
    from orders.canon import canonical, seal_text

    block = house.block("fox", FORM)
    return block + seal_text(sign(canonical(block), key_of("fox"), "file"))


REFUSED: dict[str, tuple[str, Maker]] = {
    "unsigned": ("unsigned", lambda h: h.block("fox", FORM)),
    "unknown key": ("unknown-key", lambda h: seal(h.block("fox", FORM), key_of("stranger"))),
    "wrong game": ("wrong-game", lambda h: h.orders("fox", FORM, game="g2")),
    "wrong side": ("wrong-side", lambda h: h.orders("fox", FORM, side="hunter")),
    "no such side": ("wrong-side", lambda h: h.orders("fox", FORM, side="bear")),
    "wrong window": ("wrong-window", lambda h: h.orders("fox", FORM, window=9)),
    "wrong set-up": ("wrong-setup", lambda h: h.orders("fox", FORM, setup=ZEROS)),
    "wrong report": ("wrong-report", report_of_the_other),
    "wrong moderator": ("wrong-moderator", lambda h: h.orders("fox", FORM, moderator="0" * 16)),
    "same sequence": ("same-sequence", same_sequence),
    "older sequence": ("old-sequence", older_sequence),
    "future sequence": ("future-sequence", future_sequence),
    "old window": ("old-window", old_orders),
    "late": ("late", late_orders),
    "over": ("game-over", game_over),
    "oversize": ("oversize", lambda h: h.orders("fox", FORM) + "x" * LARGEST),
    "binary": ("binary", lambda _: b"\x7fELF\0\0\1 BEGIN"),
    "empty": ("empty", lambda h: b" \r\n\t"),
    "no orders": ("no-orders", lambda h: "Dear moderator, my orders follow.\n"),
    "no end": ("no-end", lambda h: h.block("fox", FORM).replace("END ORDERS", "")),
    "damaged seal": ("bad-signature", damaged_seal),
    "altered": ("bad-signature", altered),
    "other namespace": ("namespace", foreign),
    "letters of no alphabet": ("stray-character", lambda h: h.orders("fox", FORM)
                               .replace("move", "mo\u202eve")),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_a_refused_set_has_its_own_receipt_and_changes_nothing_else(
    case: str, house: House, clock: Clock
) -> None:
    code, make = REFUSED[case]
    raw = make(house)
    before, register = tree(house.folder), house.register
    clock.advance(minutes=5)
    (outcome,) = house.receive(raw)
    assert (outcome.status, outcome.receipt["code"]) == ("refused", code)
    assert not outcome.good
    assert outcome.receipt["reason"]
    assert outcome.receipt["hint"]
    assert code in outcome.text
    last = house.records[-1]
    assert (last.n, last.kind, last.body["code"]) == (register.n + 1, "refused", code)
    assert last.body["receipt"] == outcome.receipt["digest"]
    after = house.register
    assert (after.sets, after.window, after.position) == (
        register.sets, register.window, register.position
    )  # fmt: skip
    new = unchanged_but(before, tree(house.folder))
    allowed = ("ledger.jsonl", "private/mail/", "private/issued/", "outbox/fox-")
    assert all(name.startswith(allowed) for name in new)
    assert house.audit().whole


@pytest.mark.parametrize("case", REFUSED)
def test_a_receipt_tells_nothing_of_the_other_side(
    case: str, tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same bad input where the hunter has sent orders, refused ones too, and where not."""
    monkeypatch.setattr(os, "urandom", constant)
    said = []
    for world in ("one", "two"):
        house = House.toy(tmp_path / world)
        if world == "two":
            house.order("hunter", "HOUND: move E4;\n@HOUND: move D4;")
            house.order("hunter", "BEAR: move D4;")
            house.receive(house.block("hunter", "HOUND: move E4;"))
        house._seq = 0
        (outcome,) = house.receive(REFUSED[case][1](house))
        if outcome.receipt["side"]:  # a receipt without a side is mailed to nobody
            said.append(masked(f"{outcome.text}{outcome.receipt}".encode()))
    assert len(set(said)) <= 1


@pytest.mark.parametrize("field", [f for f in FIELDS if f != "anchor"])
def test_each_missing_header_field_has_its_own_code(field: str, house: House) -> None:
    text = seal(without_field(house.block("fox", FORM), field), key_of("fox"))
    (outcome,) = house.receive(text)
    assert (outcome.status, outcome.receipt["code"]) == ("refused", f"no-{field}")
    assert outcome.receipt["problems"]
    assert not house.register.sets


FAULTY = {
    "another side's unit": ("HOUND: move E4;", "unknown-unit"),
    "unknown unit": ("BEAR: move A2;", "unknown-unit"),
    "unknown verb": ("FOX: fly A2;", "unknown-verb"),
    "too far": ("FOX: move C3;", "not-now"),
    "no place": ("FOX: move Z9;", None),
    "another side's verb": ("FOX: pounce A2;", "not-now"),
    "no argument": ("FOX: move;", None),
}


@pytest.mark.parametrize("case", FAULTY)
def test_good_orders_in_a_faulty_set_count(case: str, house: House) -> None:
    bad, code = FAULTY[case]
    outcome = house.order("fox", f"{FORM}\nturn 2 FOX: move A3;\n{bad}")
    assert outcome.status == "partly"
    assert not outcome.good
    (problem,) = outcome.receipt["problems"]
    assert code in (None, problem["code"])
    assert len(outcome.receipt["understood"]) == 2
    assert not house.register.sets["fox"].final  # type: ignore[index]
    house.run(force=True)
    assert house.report("fox")["units"][0]["place"] == "A2"
    house.run(force=True)
    assert house.report("fox")["units"][0]["place"] == "A3"


def test_final_makes_a_faulty_set_final(house: House) -> None:
    house.order("hunter", "HOUND: move E4;")
    house.order("fox", "BEAR: move A2;")
    assert not house.register.all_in()
    house.order("fox", "FINAL;\nBEAR: move A2;")
    assert house.register.all_in()


@pytest.mark.parametrize("side", ["fox", "hunter"])
def test_a_short_seal_is_held_against_the_likeliest_key_first(
    side: str, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It names no key; the side that the orders name has the one that fits."""
    from pbem.crypto import sshsig as seals

    held: list[bytes] = []
    real = seals._check_ed25519

    def check(wire: bytes, *rest: bytes) -> None:
        held.append(wire)
        real(wire, *rest)

    monkeypatch.setattr(seals, "_check_ed25519", check)
    (outcome,) = house.receive(house.orders(side, house.suggested(side)))
    assert (outcome.status, len(held)) == ("accepted", 1)


def test_a_replay_is_acknowledged_again_and_recorded_once(house: House) -> None:
    text = house.orders("fox", FORM)
    house.receive(text)
    before = tree(house.folder)
    for again in (text, text.lower().replace("begin", "> begin"), "Hello,\n\n" + text):
        (outcome,) = house.receive(again)
        assert (outcome.status, outcome.good) == ("known", True)
        assert outcome.receipt["in_force"]["seq"] == house.register.sets["fox"].seq  # type: ignore[index]
    new = unchanged_but(before, tree(house.folder))
    assert all(name.startswith("private/mail/") for name in new)


def test_a_higher_sequence_replaces_the_set(house: House) -> None:
    first = house.order("fox", FORM)
    second = house.order("fox", "FOX: move B1;")
    assert second.receipt["replaces"] == first.receipt["number"]
    house.run(force=True)
    assert house.report("fox")["units"][0]["place"] == "B1"


def test_the_first_of_two_with_one_sequence_stands(house: House) -> None:
    text = same_sequence(house)
    house.receive(text)
    house.run(force=True)
    assert house.report("fox")["units"][0]["place"] == "A2"


def test_two_blocks_in_one_mail_are_two_mails(house: House) -> None:
    low, high = house.orders("fox", FORM), house.orders("fox", "FOX: move B1;")
    outcomes = house.receive(f"{low}\nand\n{high}")
    assert [o.status for o in outcomes] == ["accepted", "accepted"]
    house.receive(f"{low}\n{high}")
    assert house.register.receipts["fox"] == 2
    house.run(force=True)
    assert house.report("fox")["units"][0]["place"] == "B1"


def test_the_higher_sequence_wins_wherever_it_stands(house: House) -> None:
    low, high = house.orders("fox", FORM), house.orders("fox", "FOX: move B1;")
    house.receive(f"{high}\n{low}")
    house.run(force=True)
    assert house.report("fox")["units"][0]["place"] == "B1"


def test_a_known_unit_is_silent_beside_a_new_one(house: House) -> None:
    first = house.orders("fox", FORM)
    house.receive(first)
    outcomes = house.receive("> " + first.replace("\n", "\n> ") + "\n\n"
                             + house.orders("fox", "FOX: move B1;"))  # fmt: skip
    assert [o.status for o in outcomes] == ["accepted"]


def test_ssh_armour_is_read(house: House) -> None:
    from orders.canon import canonical

    block = house.block("fox", FORM)
    text = block + armour(sign(canonical(block), key_of("fox"), NAMESPACE))
    (outcome,) = house.receive(text)
    assert outcome.status == "accepted"
    assert house.audit().whole


AS_WRITTEN: dict[str, Callable[[str], bytes]] = {
    "LF": lambda t: t.encode(),
    "CRLF": lambda t: t.replace("\n", "\r\n").encode(),
    "no end of the last line": lambda t: t.rstrip("\n").encode(),
    "a mark before it": lambda t: t.encode("utf-8-sig"),
    "a mark, CRLF, no end": lambda t: t.rstrip("\n").replace("\n", "\r\n").encode("utf-8-sig"),
}


@pytest.mark.skipif(not shutil.which("ssh-keygen"), reason="openssh-client is not installed")
@pytest.mark.parametrize("kind", ["ed25519", "ecdsa", "rsa"])
def test_a_detached_signature_of_ssh_keygen(kind: str, house: House, tmp_path: Path) -> None:
    file, key = tmp_path / "orders.txt", tmp_path / "key"
    size = {"rsa": ["-b", "2048"]}.get(kind, [])
    _ssh("-t", kind, *size, "-N", "", "-q", "-f", key)
    house = House(tmp_path / "other", house.system)
    _enlist_by_line(house, key.with_suffix(".pub").read_text())
    file.write_bytes(b"\xef\xbb\xbf" + house.block("fox", FORM).replace("\n", "\r\n").encode())
    _ssh("-Y", "sign", "-n", NAMESPACE, "-f", key, file)
    detached = file.with_name("orders.txt.sig").read_bytes()
    (outcome,) = house.receive(file.read_bytes(), detached=detached)
    assert outcome.status == "accepted", outcome.text
    assert house.records[-1].body["raw"] == file.read_bytes().hex()
    house.run(force=True)
    assert house.report("fox")["units"][0]["place"] == "A2"
    assert house.audit().whole
    (outcome,) = house.receive(file.read_bytes().replace(b"A2", b"B1"), detached=detached)
    assert outcome.receipt["code"] == "bad-signature"


@pytest.mark.parametrize("signed", AS_WRITTEN)
@pytest.mark.parametrize("arrived", AS_WRITTEN)
def test_what_mail_does_to_a_signed_file_is_undone(arrived: str, signed: str, house: House) -> None:
    """Ends of lines, the end of the last one, the byte order mark: all that programs change when
    they send a file as text. What stays recorded is what was signed."""
    text = house.block("fox", FORM)
    raw = AS_WRITTEN[signed](text)
    detached = armour(sign(raw, key_of("fox"), NAMESPACE)).encode()
    (outcome,) = house.receive(AS_WRITTEN[arrived](text), detached=detached)
    assert outcome.status == "accepted"
    assert house.records[-1].body["raw"] == raw.hex()


def _ssh(*args: str | Path) -> None:
    subprocess.run(["ssh-keygen", *map(str, args)], check=True, capture_output=True)


def _enlist_by_line(house: House, line: str) -> None:
    from pbem.admin.setup import Choices, Newcomer, create, enlist
    from pbem.store.game_dir import writing

    create(house.home, house.system, house.name, Choices(seed="x"))
    for side, public in (("fox", line), ("hunter", generate()[1])):
        with writing(house.home, house.name) as game:
            enlist(game, side, Newcomer(public))
    house.open()


def test_orders_entered_for_a_side_are_recorded_and_told_to_it(house: House) -> None:
    (outcome,) = house.receive(house.block("fox", FORM), side="fox")
    assert outcome.status == "accepted"
    assert "moderator" in outcome.receipt["hint"]
    assert house.records[-1].body["officer"] == 0
    found = house.audit()
    assert found.whole
    assert any("moderator" in flag for flag in found.flags)


def test_a_mail_brings_its_orders(house: House) -> None:
    text = house.orders("fox", FORM)
    mail = f"From: a@b\nTo: c@d\nSubject: orders\nMIME-Version: 1.0\n\nHello\n\n{text}\n-- \nme\n"
    assert [o.status for o in house.receive(mail)] == ["accepted"]


def test_a_mail_without_orders_is_refused_once(house: House) -> None:
    outcomes = house.receive("From: a@b\nSubject: hi\n\nHow are you?\n")
    assert [o.receipt["code"] for o in outcomes] == ["no-orders"]


def test_a_sealed_block_stands_beside_a_broken_one(house: House) -> None:
    broken = altered(house)
    good = house.orders("fox", "FOX: move B1;")
    outcomes = house.receive(f"{broken}\n{good}")
    assert sorted(o.status for o in outcomes) == ["accepted", "refused"]


@pytest.fixture(scope="module")
def flooded(tmp_path_factory: pytest.TempPathFactory) -> House:
    return House.toy(tmp_path_factory.mktemp("flooded"))


@settings(max_examples=25)
@given(raw=st.one_of(
    st.binary(max_size=200),
    st.text(max_size=200).map(lambda t: f"BEGIN ORDERS\n{t}\nEND ORDERS".encode()),
    st.binary(max_size=60).map(lambda b: b"BEGIN ORDERS " + b + b" END ORDERS "
                               b"BEGIN SEAL aaaa END SEAL"),
))  # fmt: skip
def test_whatever_arrives_is_answered(raw: bytes, flooded: House) -> None:
    """Bytes from anywhere end in a receipt, and in no set."""
    outcomes = flooded.receive(raw)
    assert outcomes
    assert all(o.status == "refused" and o.text.isascii() for o in outcomes)
    assert not flooded.register.sets
