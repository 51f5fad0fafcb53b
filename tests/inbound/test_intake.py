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
from pbem.inbound.arrival import LARGEST
from pbem.player.sign import NAMESPACE
from tests.conftest import Clock
from tests.counts import few
from tests.faults.hooks import constant
from tests.referee import Referee, key_of, signed, tree, unchanged_but, without_field
from tests.secrecy import masked

Maker = Callable[[Referee], bytes | str]
FORM = "FOX: move A2;"
ZEROS = "0" * 64


def old_orders(referee: Referee) -> str:
    """A set of window 1 that was never sent, in window 3."""
    text = referee.orders("fox", FORM)
    referee.play({}, {})
    return text


def late_orders(referee: Referee) -> str:
    text = referee.orders("fox", FORM)
    referee.play({})
    return text


def same_sequence(referee: Referee) -> str:
    seq = referee.report("fox")["seq"] + 60
    referee.order("fox", FORM, seq=seq)
    return referee.orders("fox", "FOX: move B1;", seq=seq)


def older_sequence(referee: Referee) -> str:
    seq = referee.report("fox")["seq"] + 60
    referee.order("fox", FORM, seq=seq)
    return referee.orders("fox", "FOX: move B1;", seq=seq - 1)


def future_sequence(referee: Referee) -> str:
    """A clock that is wrong by a year."""
    return referee.orders("fox", FORM, seq=referee.report("fox")["seq"] + 365 * 86_400)


def damaged_signature(referee: Referee) -> str:
    text = referee.orders("fox", FORM)
    body = text.rindex("END SEAL") - 12
    return text[:body] + ("a" if text[body] != "a" else "b") + text[body + 1 :]


def altered(referee: Referee) -> str:
    return referee.orders("fox", FORM).replace("move A2", "move B1")


def game_over(referee: Referee) -> str:
    referee.play(*[{}] * 8)
    report = referee.report("fox")
    return referee.orders("fox", FORM, report)


def report_of_the_other(referee: Referee) -> str:
    """The header of the fox, but the digest of the hunter's report."""
    digest = referee.report("hunter")["digest"]
    own = referee.report("fox")["digest"]
    grouped = " ".join(digest[i : i + 8] for i in range(0, 64, 8))
    mine = " ".join(own[i : i + 8] for i in range(0, 64, 8))
    return signed(referee.block("fox", FORM).replace(mine, grouped), key_of("fox"))


def foreign(referee: Referee) -> str:
    """Signed for another purpose."""
    from orders.canon import canonical, signature_text

    block = referee.block("fox", FORM)
    return block + signature_text(sign(canonical(block), key_of("fox"), "file"))


REFUSED: dict[str, tuple[str, Maker]] = {
    "unsigned": ("unsigned", lambda h: h.block("fox", FORM)),
    "unknown key": ("unknown-key", lambda h: signed(h.block("fox", FORM), key_of("stranger"))),
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
    "damaged signature": ("bad-signature", damaged_signature),
    "altered": ("bad-signature", altered),
    "other namespace": ("namespace", foreign),
    "letters of no alphabet": (
        "stray-character",
        lambda h: h.orders("fox", FORM).replace("move", "mo\u202eve"),
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_refused_set_has_its_own_receipt_and_changes_nothing_else(
    case: str, referee: Referee, clock: Clock
) -> None:
    code, make = REFUSED[case]
    raw = make(referee)
    before, register = tree(referee.folder), referee.register
    clock.advance(minutes=5)
    (outcome,) = referee.receive(raw)
    assert (outcome.status, outcome.receipt["code"]) == ("refused", code)
    assert not outcome.good
    assert outcome.receipt["reason"]
    assert outcome.receipt["hint"]
    assert code in outcome.text
    last = referee.records[-1]
    assert (last.n, last.kind, last.body["code"]) == (register.n + 1, "refused", code)
    assert last.body["receipt"] == outcome.receipt["digest"]
    after = referee.register
    assert (after.sets, after.window, after.position) == (
        register.sets,
        register.window,
        register.position,
    )
    new = unchanged_but(before, tree(referee.folder))
    allowed = ("ledger.jsonl", "private/mail/", "private/issued/", "outbox/fox-")
    assert all(name.startswith(allowed) for name in new)
    assert referee.audit().whole


@pytest.mark.parametrize("case", REFUSED)
def test_a_receipt_tells_nothing_of_the_other_side(
    case: str, tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same bad input where the hunter has sent orders, refused ones too, and where not."""
    monkeypatch.setattr(os, "urandom", constant)
    said = []
    for world in ("one", "two"):
        referee = Referee.toy(tmp_path / world)
        if world == "two":
            referee.order("hunter", "HOUND: move E4;\n@HOUND: move D4;")
            referee.order("hunter", "BEAR: move D4;")
            referee.receive(referee.block("hunter", "HOUND: move E4;"))
        referee._seq = 0
        (outcome,) = referee.receive(REFUSED[case][1](referee))
        if outcome.receipt["side"]:  # a receipt without a side is mailed to nobody
            said.append(masked(f"{outcome.text}{outcome.receipt}".encode()))
    assert len(set(said)) <= 1


@pytest.mark.parametrize("field", [f for f in FIELDS if f != "anchor"])
def test_each_missing_header_field_has_its_own_code(field: str, referee: Referee) -> None:
    text = signed(without_field(referee.block("fox", FORM), field), key_of("fox"))
    (outcome,) = referee.receive(text)
    assert (outcome.status, outcome.receipt["code"]) == ("refused", f"no-{field}")
    assert outcome.receipt["problems"]
    assert not referee.register.sets


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
def test_good_orders_in_a_faulty_set_count(case: str, referee: Referee) -> None:
    bad, code = FAULTY[case]
    outcome = referee.order("fox", f"{FORM}\nturn 2 FOX: move A3;\n{bad}")
    assert outcome.status == "partly"
    assert not outcome.good
    (problem,) = outcome.receipt["problems"]
    assert code in (None, problem["code"])
    assert len(outcome.receipt["understood"]) == 2
    assert not referee.register.sets["fox"].final  # type: ignore[index]
    referee.run(force=True)
    assert referee.report("fox")["units"][0]["place"] == "A2"
    referee.run(force=True)
    assert referee.report("fox")["units"][0]["place"] == "A3"


def test_final_makes_a_faulty_set_final(referee: Referee) -> None:
    referee.order("hunter", "HOUND: move E4;")
    referee.order("fox", "BEAR: move A2;")
    assert not referee.register.all_in()
    referee.order("fox", "FINAL;\nBEAR: move A2;")
    assert referee.register.all_in()


@pytest.mark.parametrize("side", ["fox", "hunter"])
def test_a_short_signature_is_held_against_the_likeliest_key_first(
    side: str, referee: Referee, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It names no key; the side that the orders name has the one that fits."""
    from pbem.crypto import sshsig as signatures

    held: list[bytes] = []
    real = signatures._check_ed25519

    def check(wire: bytes, *rest: bytes) -> None:
        held.append(wire)
        real(wire, *rest)

    monkeypatch.setattr(signatures, "_check_ed25519", check)
    (outcome,) = referee.receive(referee.orders(side, referee.suggested(side)))
    assert (outcome.status, len(held)) == ("accepted", 1)


def test_a_replay_is_acknowledged_again_and_recorded_once(referee: Referee) -> None:
    text = referee.orders("fox", FORM)
    referee.receive(text)
    before = tree(referee.folder)
    for again in (text, text.lower().replace("begin", "> begin"), "Hello,\n\n" + text):
        (outcome,) = referee.receive(again)
        assert (outcome.status, outcome.good) == ("known", True)
        assert outcome.receipt["in_force"]["seq"] == referee.register.sets["fox"].seq  # type: ignore[index]
    new = unchanged_but(before, tree(referee.folder))
    assert all(name.startswith("private/mail/") for name in new)


def test_a_higher_sequence_replaces_the_set(referee: Referee) -> None:
    first = referee.order("fox", FORM)
    second = referee.order("fox", "FOX: move B1;")
    assert second.receipt["replaces"] == first.receipt["number"]
    referee.run(force=True)
    assert referee.report("fox")["units"][0]["place"] == "B1"


def test_the_first_of_two_with_one_sequence_stands(referee: Referee) -> None:
    text = same_sequence(referee)
    referee.receive(text)
    referee.run(force=True)
    assert referee.report("fox")["units"][0]["place"] == "A2"


def test_one_set_twice_in_a_mail_is_one_set_however_it_is_wrapped(referee: Referee) -> None:
    text = referee.orders("fox", FORM)
    again = text.replace(FORM, "fox:\n  MOVE   a2;")
    assert again != text
    (outcome,) = referee.receive(f"{text}\nAnd once more:\n{again}")
    assert outcome.good, outcome.text


def test_two_blocks_in_one_mail_are_two_mails(referee: Referee) -> None:
    low, high = referee.orders("fox", FORM), referee.orders("fox", "FOX: move B1;")
    outcomes = referee.receive(f"{low}\nand\n{high}")
    assert [o.status for o in outcomes] == ["accepted", "accepted"]
    referee.receive(f"{low}\n{high}")
    assert referee.register.receipts["fox"] == 2
    referee.run(force=True)
    assert referee.report("fox")["units"][0]["place"] == "B1"


def test_the_higher_sequence_wins_wherever_it_stands(referee: Referee) -> None:
    low, high = referee.orders("fox", FORM), referee.orders("fox", "FOX: move B1;")
    referee.receive(f"{high}\n{low}")
    referee.run(force=True)
    assert referee.report("fox")["units"][0]["place"] == "B1"


def test_a_known_unit_is_silent_beside_a_new_one(referee: Referee) -> None:
    first = referee.orders("fox", FORM)
    referee.receive(first)
    outcomes = referee.receive(
        "> " + first.replace("\n", "\n> ") + "\n\n" + referee.orders("fox", "FOX: move B1;")
    )
    assert [o.status for o in outcomes] == ["accepted"]


def test_ssh_armour_is_read(referee: Referee) -> None:
    from orders.canon import canonical

    block = referee.block("fox", FORM)
    text = block + armour(sign(canonical(block), key_of("fox"), NAMESPACE))
    (outcome,) = referee.receive(text)
    assert outcome.status == "accepted"
    assert referee.audit().whole


AS_WRITTEN: dict[str, Callable[[str], bytes]] = {
    "LF": lambda t: t.encode(),
    "CRLF": lambda t: t.replace("\n", "\r\n").encode(),
    "no end of the last line": lambda t: t.rstrip("\n").encode(),
    "a mark before it": lambda t: t.encode("utf-8-sig"),
    "a mark, CRLF, no end": lambda t: t.rstrip("\n").replace("\n", "\r\n").encode("utf-8-sig"),
}


@pytest.mark.skipif(not shutil.which("ssh-keygen"), reason="openssh-client is not installed")
@pytest.mark.parametrize("kind", ["ed25519", "ecdsa", "rsa"])
def test_a_detached_signature_of_ssh_keygen(kind: str, referee: Referee, tmp_path: Path) -> None:
    file, key = tmp_path / "orders.txt", tmp_path / "key"
    size = {"rsa": ["-b", "2048"]}.get(kind, [])
    _ssh("-t", kind, *size, "-N", "", "-q", "-f", key)
    referee = Referee(tmp_path / "other", referee.system)
    _enlist_by_line(referee, key.with_suffix(".pub").read_text())
    file.write_bytes(b"\xef\xbb\xbf" + referee.block("fox", FORM).replace("\n", "\r\n").encode())
    _ssh("-Y", "sign", "-n", NAMESPACE, "-f", key, file)
    detached = file.with_name("orders.txt.sig").read_bytes()
    (outcome,) = referee.receive(file.read_bytes(), detached=detached)
    assert outcome.status == "accepted", outcome.text
    assert referee.records[-1].body["raw"] == file.read_bytes().hex()
    referee.run(force=True)
    assert referee.report("fox")["units"][0]["place"] == "A2"
    assert referee.audit().whole
    (outcome,) = referee.receive(file.read_bytes().replace(b"A2", b"B1"), detached=detached)
    assert outcome.receipt["code"] == "bad-signature"


@pytest.mark.parametrize("signed", AS_WRITTEN)
@pytest.mark.parametrize("arrived", AS_WRITTEN)
def test_what_mail_does_to_a_signed_file_is_undone(
    arrived: str, signed: str, referee: Referee
) -> None:
    """Ends of lines, the end of the last one, the byte order mark: all that programs change when
    they send a file as text. What stays recorded is what was signed."""
    text = referee.block("fox", FORM)
    raw = AS_WRITTEN[signed](text)
    detached = armour(sign(raw, key_of("fox"), NAMESPACE)).encode()
    (outcome,) = referee.receive(AS_WRITTEN[arrived](text), detached=detached)
    assert outcome.status == "accepted"
    assert referee.records[-1].body["raw"] == raw.hex()


PASTED: dict[str, Callable[[str, str], str]] = {
    "below": lambda file, sig: f"Here they are:\n\n{file}\n{sig}\nRegards\n",
    "above": lambda file, sig: f"Here they are:\n\n{sig}\n{file}\nRegards\n",
    "below, CRLF": lambda file, sig: f"{file}{sig}".replace("\n", "\r\n"),
    "below, quoted": lambda file, sig: "".join(f"> {li}\n" for li in f"{file}{sig}".split("\n")),
    "above, quoted": lambda file, sig: "".join(f"> {li}\n" for li in f"{sig}{file}".split("\n")),
    "below, blanks at the ends": lambda file, sig: f"{file}{sig}".replace("\n", "  \n"),
}


@pytest.mark.skipif(not shutil.which("ssh-keygen"), reason="openssh-client is not installed")
@pytest.mark.parametrize("way", PASTED)
@pytest.mark.parametrize("whole", [True, False], ids=["the whole form", "the block"])
def test_a_signature_of_ssh_keygen_may_be_pasted(
    way: str, whole: bool, referee: Referee, tmp_path: Path
) -> None:
    """People paste orders.txt and orders.txt.sig into one mail instead of attaching them."""
    file, key = tmp_path / "orders.txt", tmp_path / "key"
    _ssh("-t", "ed25519", "-N", "", "-q", "-f", key)
    referee = Referee(tmp_path / "other", referee.system)
    _enlist_by_line(referee, key.with_suffix(".pub").read_text())
    form = (referee.folder / "reports/fox/1/orders.txt").read_text()
    file.write_text(form if whole else form[form.index("BEGIN ORDERS") :])
    _ssh("-Y", "sign", "-n", NAMESPACE, "-f", key, file)
    signature = file.with_name("orders.txt.sig").read_text()
    text = PASTED[way](file.read_text(), signature)
    (outcome,) = referee.receive(text)
    assert outcome.status == "accepted", outcome.text
    assert referee.records[-1].body["raw"] == file.read_bytes().hex()
    referee.run(force=True)
    assert referee.audit().whole


@pytest.mark.parametrize("way", PASTED)
def test_a_pasted_signature_covers_every_byte(way: str, referee: Referee) -> None:
    text = referee.block("fox", FORM)
    signature = armour(sign(text.encode(), key_of("fox"), NAMESPACE))
    (outcome,) = referee.receive(PASTED[way](text.replace("A2", "B1"), signature))
    assert outcome.receipt["code"] == "bad-signature"
    assert "attach both files" in outcome.receipt["hint"]


def test_a_signature_file_beside_orders_in_the_text(referee: Referee) -> None:
    text = referee.block("fox", FORM)
    detached = armour(sign(text.encode(), key_of("fox"), NAMESPACE)).encode()
    (outcome,) = referee.receive(f"Here they are:\n\n{text}\nRegards", detached=detached)
    assert outcome.status == "accepted"
    assert referee.records[-1].body["raw"] == text.encode().hex()


def _ssh(*args: str | Path) -> None:
    subprocess.run(["ssh-keygen", *map(str, args)], check=True, capture_output=True)


def _enlist_by_line(referee: Referee, line: str) -> None:
    from pbem.admin.setup import Choices, Newcomer, create, enlist
    from pbem.store.game_dir import writing

    create(referee.home, referee.system, referee.name, Choices(seed="x"))
    for side, public in (("fox", line), ("hunter", generate()[1])):
        with writing(referee.home, referee.name) as game:
            enlist(game, side, Newcomer(public))
    referee.open()


def test_orders_entered_for_a_side_are_recorded_and_told_to_it(referee: Referee) -> None:
    (outcome,) = referee.receive(referee.block("fox", FORM), side="fox")
    assert outcome.status == "accepted"
    assert "moderator" in outcome.receipt["hint"]
    assert referee.records[-1].body["officer"] == 0
    found = referee.audit()
    assert found.whole
    assert any("moderator" in flag for flag in found.flags)


def test_a_mail_brings_its_orders(referee: Referee) -> None:
    text = referee.orders("fox", FORM)
    mail = f"From: a@b\nTo: c@d\nSubject: orders\nMIME-Version: 1.0\n\nHello\n\n{text}\n-- \nme\n"
    assert [o.status for o in referee.receive(mail)] == ["accepted"]


def test_a_mail_without_orders_is_refused_once(referee: Referee) -> None:
    outcomes = referee.receive("From: a@b\nSubject: hi\n\nHow are you?\n")
    assert [o.receipt["code"] for o in outcomes] == ["no-orders"]


def test_an_encrypted_block_stands_beside_a_broken_one(referee: Referee) -> None:
    broken = altered(referee)
    good = referee.orders("fox", "FOX: move B1;")
    outcomes = referee.receive(f"{broken}\n{good}")
    assert sorted(o.status for o in outcomes) == ["accepted", "refused"]


@pytest.fixture(scope="module")
def flooded(tmp_path_factory: pytest.TempPathFactory) -> Referee:
    return Referee.toy(tmp_path_factory.mktemp("flooded"))


@settings(max_examples=few(25))
@given(
    raw=st.one_of(
        st.binary(max_size=200),
        st.text(max_size=200).map(lambda t: f"BEGIN ORDERS\n{t}\nEND ORDERS".encode()),
        st.binary(max_size=60).map(
            lambda b: b"BEGIN ORDERS " + b + b" END ORDERS BEGIN SEAL aaaa END SEAL"
        ),
    )
)
def test_whatever_arrives_is_answered(raw: bytes, flooded: Referee) -> None:
    """Bytes from anywhere end in a receipt, and in no set."""
    outcomes = flooded.receive(raw)
    assert outcomes
    assert all(o.status == "refused" and o.text.isascii() for o in outcomes)
    assert not flooded.register.sets
