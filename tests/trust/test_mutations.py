"""Every flipped bit and every truncation of whatever is signed, encrypted, chained or proved:
refused, or read as the very same. One count over all; the table of what was refused how is
MUTATIONS.md's."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct

from orders.canon import decode, signature_text, streams
from orders.header import read_header
from pbem.admin import key_change
from pbem.base.hashing import H, canonical_json, tlv
from pbem.base.report_json import Report
from pbem.crypto import age, sshsig, statements
from pbem.crypto.age_armour import armour, files_in
from pbem.crypto.private_keys import SshKey, _ecdsa
from pbem.dice import provable
from pbem.dice.chains import DiceChains
from pbem.errors import PbemError
from pbem.player.joining import answer, invitation, read_join, read_keys, read_letter
from pbem.store.ledger import BrokenChain, Ledger
from tests.encryption import identity_of
from tests.referee import Referee, key_of
from tests.trust.corpus import verify

PAGE = (Path(__file__).parent / "MUTATIONS.md").read_text()
VECTORS: dict[str, Any] = json.loads(
    (Path(__file__).parent.parent / "vectors" / "dice.json").read_text()
)
FOX = key_of("fox")
TEXT = b"FOX : MOVE B1 ;"
SAME = "the same"
"""What mail may do to a text, a flipped bit may do too: a small letter is a capital."""


class Subject(Struct):
    """What is mutated. judge: the code of a refusal, or SAME; anything else it must not return."""

    name: str
    content: bytes
    judge: Callable[[bytes], str]


def refusal(error: Exception) -> str:
    return str(getattr(error, "code", "")) or type(error).__name__


def judged(check: Callable[[bytes], object], want: object) -> Callable[[bytes], str]:
    """A judge: `check` raises, or gives what it gave before."""

    def judge(content: bytes) -> str:
        try:
            got = check(content)
        except PbemError as error:
            return refusal(error)
        assert got == want, "a mutation was taken for something else"
        return SAME

    return judge


def signatures() -> Iterator[Subject]:
    from cryptography.hazmat.primitives.asymmetric import ec

    curve = _ecdsa(ec.derive_private_key(4711, ec.SECP256R1()))
    made = {
        "ed25519": (FOX, sshsig.sign(TEXT, FOX, "orders@pbem")),
        "ecdsa": (curve, sshsig.sign(TEXT, curve, "orders@pbem")),
        "bare": (FOX, sshsig.bare(sshsig.sign(TEXT, FOX, "orders@pbem"))),
    }
    for name, (key, blob) in made.items():

        def check(content: bytes, key: SshKey = key) -> object:
            return by_both(content, key)

        yield Subject(f"signature, {name}", blob, judged(check, "fox"))


def by_both(content: bytes, key: SshKey) -> str:
    """Who signed. What the one takes for a signature the other takes for it."""
    try:
        verify.verify_signature(sshsig.public_line(key.wire), "orders@pbem", TEXT, content)
        mine = True
    except verify.Bad:
        mine = False
    try:
        found = sshsig.verify(TEXT, content, "orders@pbem", {key.wire: "fox"})
    except sshsig.BadSignature:
        assert not mine
        raise
    assert mine
    return found


def encrypted_files() -> Iterator[Subject]:
    who = [identity_of(FOX)]
    content = age.encrypt(b"orders", [age.recipient(sshsig.public_line(FOX.wire))])
    yield Subject("age file", content, judged(lambda c: age.decrypt(c, who), b"orders"))

    def opened(text: bytes) -> bytes:
        found = files_in(text)
        if len(found) != 1 or isinstance(found[0], age.BadAge):
            raise found[0] if found and isinstance(found[0], age.BadAge) else age.BadAge("none", "")
        return age.decrypt(found[0], who)

    yield Subject("age file, armoured", armour(content).encode(), judged(opened, b"orders"))


def orders(referee: Referee) -> Iterator[Subject]:
    block = referee.block("fox", "FOX: move A2;")
    (unit,) = streams(block)
    text = block + signature_text(sshsig.bare(sshsig.sign(unit.canonical, FOX, "orders@pbem")))
    allowed = {FOX.wire: "fox"}

    def check(content: bytes) -> object:
        found = streams(decode(content))
        if len(found) != 1 or found[0].error or found[0].signature is None:
            raise sshsig.BadSignature("no-unit", "")
        sshsig.verify(found[0].canonical, found[0].signature, "orders@pbem", allowed)
        return found[0].canonical

    yield Subject("order file", text.encode(), judged(check, unit.canonical))

    def header(content: bytes) -> object:
        found = streams(decode(content))
        if len(found) != 1 or found[0].error:
            raise sshsig.BadSignature("no-unit", "")
        fields, _, faults = read_header(found[0].tokens)
        if fields is None:
            raise sshsig.BadSignature(faults[0].code, "")
        if found[0].canonical != unit.canonical:
            raise sshsig.BadSignature("other-text", "")
        return fields

    yield Subject("order header, unsigned", block.encode(), judged(header, header(block.encode())))


def moderators(referee: Referee) -> Iterator[Subject]:
    report = referee.report("fox")
    folder = referee.folder / "reports/fox/1"
    g0, line = report["setup"]["digest"], report["moderator"]["sign"]

    def sound(content: bytes) -> object:
        statements.check(content, "report", g0, report, line)
        return True

    yield Subject(
        "signature of a report", (folder / "report.seal").read_bytes(), judged(sound, True)
    )

    def whole(content: bytes) -> object:
        try:
            found = json.loads(content)
            own = {k: v for k, v in found.items() if k != "digest"}
            fits = H("report", canonical_json(own)).hex() == found["digest"]
        except (ValueError, KeyError, AttributeError):
            raise sshsig.BadSignature("no-json", "") from None
        if not fits:
            raise sshsig.BadSignature("digest", "")
        return found

    small = {"format": "pbem-report/1", "window": 2, "side": "fox", "flags": ["a", "b"]}
    small["digest"] = H("report", canonical_json(small)).hex()
    yield Subject("report", canonical_json(small), judged(whole, small))


def joining(referee: Referee) -> Iterator[Subject]:
    facts = {
        "dice": "fast",
        "game": "g1",
        "moderator": sshsig.public_line(FOX.wire),
        "salt": "00" * 16,
        "scenario": "wood",
        "side": "fox",
        "system": "toy",
    }
    letter = invitation(facts, FOX)
    yield Subject("letter", letter.encode(), judged(read_letter, read_letter(letter.encode())))
    text = answer(read_letter(letter.encode()), DiceChains(key_of("hunter")), "n")
    yield Subject("answer to a letter", text.encode(), judged(read_join, read_join(text.encode())))
    change = key_change.change(Report.of(referee.report("fox")), FOX, DiceChains(key_of("new")))

    def signed(content: bytes) -> object:
        said, signature = read_keys(content)
        key_change.require_signed(said, signature, FOX.wire)
        if said["game"] != "g1":  # no part of what is signed: G0 is, and the referee compares both
            raise sshsig.BadSignature("wrong-game", "")
        return key_change.statement(said)

    yield Subject("change of keys", change.encode(), judged(signed, signed(change.encode())))


def ledgers(referee: Referee, folder: Path) -> Iterator[Subject]:
    lines = (referee.folder / "ledger.jsonl").read_bytes().splitlines(keepends=True)
    path = folder / "ledger.jsonl"
    for name, at in (("ledger, last record", len(lines) - 1), ("ledger, first record", 0)):
        before, after = b"".join(lines[:at]), b"".join(lines[at + 1 :])

        def check(content: bytes, before: bytes = before, after: bytes = after) -> object:
            path.write_bytes(before + content + after)
            try:
                with Ledger.open(path, lock=False) as ledger:
                    found = [r.hash for r in ledger.records()]
            except BrokenChain as error:
                raise sshsig.BadSignature("broken-chain", str(error)) from None
            if not content.endswith(b"\n") and not after:
                assert len(found) == len(lines) - 1
                # without its line feed it was never acknowledged; gone, held heads tell of it
                raise sshsig.BadSignature("torn-tail" if content else "cut-tail", "")
            return found

        yield Subject(name, lines[at][:-1] + b"\n", judged(check, check(lines[at])))


def proofs() -> Iterator[Subject]:
    modulus, (window, roll) = (
        int(VECTORS["modulus"], 16),
        next((w, r) for w in VECTORS["windows"] for r in w["rolls"]),
    )
    text = provable.alpha(
        bytes.fromhex(VECTORS["set_up"]["G0"]),
        window["window"],
        bytes.fromhex(window["seed"]),
        roll["label"],
    )

    def check(content: bytes) -> object:
        provable.check_proof(modulus, text, content)
        return True

    yield Subject("proof of a roll", bytes.fromhex(roll["proof"]), judged(check, True))


def mutations(content: bytes) -> Iterator[tuple[str, bytes]]:
    """Every flipped bit and every proper beginning."""
    for bit in range(8 * len(content)):
        at = bit // 8
        yield f"bit {bit}", content[:at] + bytes([content[at] ^ (1 << bit % 8)]) + content[at + 1 :]
    for length in range(len(content)):
        yield f"cut at {length}", content[:length]


@pytest.fixture
def subjects(referee: Referee, tmp_path: Path) -> list[Subject]:
    referee.order("fox", "FOX: move A2;")
    made = (
        signatures(),
        encrypted_files(),
        orders(referee),
        moderators(referee),
        joining(referee),
        ledgers(referee, tmp_path),
        proofs(),
    )
    return [subject for some in made for subject in some]


def test_every_mutation_is_refused_or_changes_nothing(
    subjects: list[Subject],
    nightly: bool,
    sample: Callable[[Sequence[tuple[str, bytes]], int], Sequence[tuple[str, bytes]]],
    record_property: Callable[[str, object], None],
) -> None:
    total, listed = 0, table()
    for subject in subjects:
        assert subject.judge(subject.content) == SAME
        seen: Counter[str] = Counter()
        for _, mutated in sample(list(mutations(subject.content)), 120):
            seen[subject.judge(mutated)] += 1
        total += sum(seen.values())
        record_property(subject.name, dict(seen))
        assert set(seen) <= listed[subject.name], subject.name
        assert seen[SAME] < sum(seen.values()) / 3
    assert {subject.name for subject in subjects} == set(listed)
    assert total >= (20_000 if nightly else 1_500)


def table() -> dict[str, set[str]]:
    """What the page says is refused how, by subject."""
    rows = re.findall(r"^\| ([a-z0-9, ]+) \| [\d,]+ \| (.+) \|$", PAGE, re.MULTILINE)
    return {name: set(re.findall(r"`([A-Za-z0-9 -]+)`", codes)) for name, codes in rows}


def test_other_forms_of_an_ecdsa_signature_are_refused_by_both() -> None:
    """Anybody can write the same two numbers in other ways."""
    from cryptography.hazmat.primitives.asymmetric import ec

    key = _ecdsa(ec.derive_private_key(4711, ec.SECP256R1()))
    blob = sshsig.sign(TEXT, key, "orders@pbem")
    assert by_both(blob, key) == "fox"
    kind, rest = sshsig.read_field(sshsig.parse(blob).signature)
    inner, _ = sshsig.read_field(rest)
    r, rest = sshsig.read_field(inner)
    s, _ = sshsig.read_field(rest)
    for numbers in (tlv(b"\0" + r) + tlv(s), tlv(r) + tlv(b"\0" + s), inner + tlv(b""), inner[:-1]):
        parts = sshsig.parse(blob)
        parts.signature = tlv(kind) + tlv(numbers)
        with pytest.raises(sshsig.BadSignature):
            by_both(parts.blob(), key)
    parts = sshsig.parse(blob)
    parts.signature = tlv(b"ecdsa-sha2-nistp384") + tlv(inner)
    with pytest.raises(sshsig.BadSignature):
        by_both(parts.blob(), key)
