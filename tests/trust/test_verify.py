"""verify.py, which imports nothing of pbem, and `pbem audit` see the same in the same games."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa

from games.toy.game import SYSTEM
from pbem import provable
from pbem.audit import audit
from pbem.chains import Purse
from pbem.hashing import H, canonical_json
from pbem.ledger import NO_HASH, Record, bare, line_of
from pbem.model import Dice
from pbem.provable import alpha
from pbem.report import digest
from tests.conftest import Clock
from tests.house import House, key_of
from tests.proving import Proven, dice_key, proven

FILE = Path(__file__).parent.parent.parent / "verify.py"
Change = Callable[[dict[str, Any]], None]
Body = dict[str, Any]


def loaded() -> Any:
    spec = spec_from_file_location("verify", FILE)
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


verify: Any = loaded()


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proven]:
    """A proved game with everything in it: a late anchor, a new one, silence, two undos."""
    with pytest.MonkeyPatch.context() as patch:
        Clock(patch)
        house = proven(tmp_path_factory.mktemp("trust") / "home", patch, ("fox",), play="asked")
        house.window("fox", "hunter")
        house.window("fox", "hunter")
        assert house.sends("fox", house.suggested("fox"), renew=True).good
        house.window("hunter")
        house.undo()
        house.run()
        house.window("fox")
        house.undo(reopen=True)
        house.window("fox", "hunter")
        house.undo()
        house.undo(reopen=True)
        house.window("fox", "hunter")
        house.receive("rubbish")
        house.window("fox", "hunter")
        yield house


@pytest.fixture
def copy(played: Proven, tmp_path: Path) -> Proven:
    shutil.copytree(played.home, tmp_path / "copy")
    return Proven(tmp_path / "copy", SYSTEM)


def rewrite(house: House, records: Sequence[Record]) -> None:
    """Write these records as a ledger with a sound chain."""
    lines, prev = [], NO_HASH
    for n, record in enumerate(records, 1):
        line = line_of(bare(msgspec.structs.replace(record, n=n, prev=prev, hash="")))
        prev = line[-67:-3].decode()
        lines.append(line)
    (house.folder / "ledger.jsonl").write_bytes(b"".join(lines))


def alter(house: House, kind: str, nth: int, change: Change) -> int:
    records = house.records
    at = [r.n for r in records if r.kind == kind][nth]
    body = msgspec.json.decode(msgspec.json.encode(records[at - 1].body))
    change(body)
    records[at - 1] = msgspec.structs.replace(records[at - 1], body=body)
    rewrite(house, records)
    return at


def checked(*paths: Path) -> list[str]:
    """The codes that verify.py finds, with the record where it names one."""
    _, found = verify.check_all([str(p) for p in paths])
    return [re.sub(r"^.*?: ([a-z-]+): (record \d+)?.*", r"\1 \2", f).strip() for f in found]


def reports(house: House, side: str) -> list[Path]:
    folder = house.folder / "reports" / side
    return sorted(folder.glob("*/report.json"), key=lambda p: int(p.parent.name))


def test_a_good_game_is_good_for_both(played: Proven) -> None:
    audited = played.audit()
    assert not audited.findings
    say, found = verify.check_all([str(played.folder), *map(str, reports(played, "fox"))])
    assert not found
    text = "\n".join(say)
    assert f"{audited.records} records, " in text
    assert f"{audited.rolls} rolls" in text
    assert not re.search("signature is not checked", text)
    assert played.report("hunter")["seed"]["links"]["hunter"]


def test_each_side_can_check_its_own_reports(played: Proven) -> None:
    for side in ("fox", "hunter"):
        assert checked(*reports(played, side)) == []
    assert checked(*reports(played, "fox"), *reports(played, "hunter")) == []


def test_it_runs_without_pbem(played: Proven, tmp_path: Path) -> None:
    alone = Path(shutil.copy(FILE, tmp_path / "verify.py"))
    command = [sys.executable, "-I", str(alone), str(played.folder / "ledger.jsonl")]
    said = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (said.returncode, said.stderr) == (0, "")
    assert "nothing found" in said.stdout
    imports = re.findall(r"^\s*(?:from|import) (\w+)", FILE.read_text(), re.MULTILINE)
    assert not {"pbem", "orders", "games"} & set(imports)


def put(*path: str | int, value: Any) -> Change:
    def change(body: Body) -> None:
        place: Any = body
        for step in path[:-1]:
            place = place[step]
        assert place[path[-1]] != value
        place[path[-1]] = value

    return change


def flip(*path: str | int) -> Change:
    def change(body: Body) -> None:
        place: Any = body
        for step in path[:-1]:
            place = place[step]
        old = place[path[-1]]
        place[path[-1]] = old[:-1] + ("0" if old[-1] != "0" else "1")

    return change


def redone(body: Body) -> None:
    """Digests of a set made anew after its text or signature was changed."""
    text = body["canonical"].encode()
    body["digest"] = H("canonical", text).hex()
    body["order"] = provable.order_digest(text, bytes.fromhex(body["signature"])).hex()


def other_order(body: Body) -> None:
    body["canonical"] = body["canonical"].replace("MOVE", "POUNCE")
    redone(body)


def other_link(body: Body) -> None:
    body["link"] = Purse(key_of("fox")).links("g1", "fox", 0)[2].hex()


def other_roll(body: Body) -> None:
    body["rolls"][0]["dice"] = [body["rolls"][0]["dice"][0] % 6 + 1]


def roll_again(body: Body) -> None:
    """Another ordinal of the same label: the moderator takes the roll he likes better."""
    roll = body["rolls"][0]
    label = roll["label"].replace("/1/1D6", "/2/1D6")
    g0 = bytes.fromhex(G0[0])
    links = {s: bytes.fromhex(x) for s, x in body["links"].items()}
    seed = provable.seed(g0, body["window"], links)
    source = provable.Provable(dice_key(), g0, {body["window"]: seed})
    dice, proof = source.roll(body["window"], label, Dice(1, 6))
    roll |= {"label": label, "dice": list(dice), "proof": proof}


def one_link_less(body: Body) -> None:
    """The moderator leaves out a link and makes proofs that fit."""
    body["links"]["fox"] = ""
    g0 = bytes.fromhex(G0[0])
    seed = provable.seed(
        g0, body["window"], {s: bytes.fromhex(x) for s, x in body["links"].items()}
    )
    source = provable.Provable(dice_key(), g0, {body["window"]: seed})
    for roll in body["rolls"]:
        dice, roll["proof"] = source.roll(body["window"], roll["label"], Dice(1, 6))
        roll["dice"] = list(dice)


G0: list[str] = []

ATTACKS: dict[str, tuple[str, int, Change]] = {
    "modulus": ("created", 0, flip("modulus")),
    "root": ("created", 0, lambda b: b["roots"].reverse()),
    "dice mode": ("created", 0, put("dice", value="hand")),
    "key": ("enlisted", 0, put("key", value="ssh-ed25519 AAAA")),
    "anchor": ("enlisted", 0, flip("anchor")),
    "set-up": ("opened", 0, put("setup", value="{}")),
    "altered order": ("received", 0, other_order),
    "signature": ("received", 0, flip("signature")),
    "side": ("received", 0, put("side", value="hunter")),
    "officer": ("received", 0, put("officer", value=2)),
    "order digest": ("received", 0, flip("order")),
    "sequence": ("received", 0, put("seq", value=1)),
    "window": ("received", 0, put("window", value=2)),
    "link": ("received", 0, other_link),
    "link withheld": ("received", 0, put("link", value="")),
    "anchor announced": ("received", 1, flip("anchor")),
    "altered roll": ("closed", 0, other_roll),
    "proof": ("closed", 0, flip("rolls", 0, "proof")),
    "no proof": ("closed", 0, put("rolls", 0, "proof", value="")),
    "label": ("closed", 0, put("rolls", 0, "label", value="NOISE/TWIG/-/HOUND/1/1D6")),
    "window of a roll": ("closed", 0, put("rolls", 0, "window", value=2)),
    "roll twice": ("closed", 0, lambda b: b["rolls"].append(b["rolls"][0])),
    "one link less": ("closed", 0, one_link_less),
    "lock": ("closed", 0, flip("lock")),
    "set withheld": ("closed", 0, put("sets", "fox", value={"order": "NMR", "record": 0})),
    "closed window": ("closed", 0, put("window", value=2)),
    "next window": ("closed", 0, put("opens", value=7)),
    "undone window": ("undone", 0, put("windows", value=[1])),
    "kept set": ("undone", 0, flip("sets", "fox", "order")),
    "reopened number": ("undone", 1, put("opens", value=2)),
}


@pytest.mark.parametrize("attack", ATTACKS)
def test_both_find_what_was_altered_on_a_sound_chain(attack: str, copy: Proven) -> None:
    kind, nth, change = ATTACKS[attack]
    G0[:] = [copy.report("fox")["setup"]["digest"]]
    alter(copy, kind, nth, change)
    audited, mine = copy.audit().findings, checked(copy.folder)
    assert len(audited) == len(mine) == 1
    said = mine[0].split()
    assert int(said[2]) == audited[0].record, (mine, audited)


@pytest.mark.parametrize(
    ("change", "nth", "code"),
    [
        (roll_again, 0, "replay"),
        (put("turn", value=9), 0, "result"),
        (flip("position"), 0, "state"),
        (lambda b: b["rolls"].clear(), 0, "replay"),
    ],
)
def test_what_only_a_replay_finds(change: Change, nth: int, code: str, copy: Proven) -> None:
    """The limit that verify.py states: whether the rules were followed."""
    G0[:] = [copy.report("fox")["setup"]["digest"]]
    number = alter(copy, "closed", nth, change)
    assert checked(copy.folder) == []
    assert [(f.record, f.code) for f in copy.audit().findings] == [(number, code)]


def lines_of(house: House) -> list[bytes]:
    return (house.folder / "ledger.jsonl").read_bytes().splitlines(keepends=True)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda x: x[:5] + x[6:], "dropped-record"),
        (lambda x: [*x[:5], x[6], x[5], *x[7:]], "dropped-record"),
        (lambda x: [*x[:6], x[4], *x[6:]], "moved-record"),
        (lambda x: [*x[:5], x[5].replace(b'"window":', b'"windov":'), *x[6:]], "altered-record"),
        (lambda x: [*x[:5], x[5][:-9] + b'0000000"}\n'], "altered-record"),
    ],
)
def test_a_chain_that_was_broken_with_scissors(
    change: Callable[[list[bytes]], list[bytes]], code: str, copy: Proven
) -> None:
    (copy.folder / "ledger.jsonl").write_bytes(b"".join(change(lines_of(copy))))
    (mine,) = checked(copy.folder)
    (audited,) = copy.audit().findings
    assert (mine.split()[0], audited.code) == (code, code)


def test_a_cut_tail_and_a_fork_are_found_by_what_one_side_holds(copy: Proven) -> None:
    held, records = reports(copy, "fox"), copy.records
    kept = [json.loads(p.read_bytes()) for p in held if "seed" in json.loads(p.read_bytes())]
    closed = [r.n for r in records if r.kind == "closed"][-1]
    rewrite(copy, records[: closed - 1])
    assert checked(copy.folder) == []
    assert checked(copy.folder, *held)[-1] == "cut-or-forked"
    assert [f.code for f in copy.audit([kept[0], kept[-1]]).findings] == ["cut-tail"]
    rewrite(copy, [msgspec.structs.replace(r, salt="1" * 32) for r in records])
    assert set(checked(copy.folder, *held[1:])) == {"cut-or-forked"}


def test_a_forged_receipt(copy: Proven, tmp_path: Path) -> None:
    """A receipt the moderator never gave, one he gave and took back, and a good one."""
    from pbem import witness
    from pbem.private import signing_key

    outcome = copy.sends("fox", copy.suggested("fox"))
    receipt, game = outcome.receipt, copy.read()
    g0 = copy.report("fox")["setup"]["digest"]
    paper, sealed = tmp_path / "receipt.json", tmp_path / "receipt.seal"
    paper.write_bytes(canonical_json(receipt))
    good = witness.seal("receipt", g0, receipt, signing_key(game))
    sealed.write_bytes(good)
    one = reports(copy, "fox")[0]
    seals = {receipt["digest"]: good}
    assert checked(copy.folder, one, paper) == []
    assert audit(copy.read(whole=False), SYSTEM, [receipt], seals).whole
    sealed.write_bytes(witness.seal("receipt", g0, receipt, key_of("fox")))
    assert checked(copy.folder, one, paper) == ["forged-receipt"]
    forged = audit(
        copy.read(whole=False), SYSTEM, [receipt], {receipt["digest"]: sealed.read_bytes()}
    ).findings
    assert [f.code for f in forged] == ["forged-receipt"]
    sealed.write_bytes(good)
    rewrite(copy, copy.records[:-1])
    assert checked(copy.folder, one, paper) == ["dropped-record"]
    assert [f.code for f in audit(copy.read(whole=False), SYSTEM, [receipt], seals).findings] == [
        "cut-tail"
    ]


# Reports by themselves


def tampered(house: House, tmp_path: Path, side: str, window: int, change: Change) -> Path:
    """A report changed by somebody who makes its digest anew; the old seal stays beside it."""
    report = house.report(side, window)
    change(report)
    report["digest"] = digest(report)
    path = tmp_path / "report.json"
    path.write_bytes(canonical_json(report))
    return path


def rolled(house: Proven) -> int:
    return next(w for w in range(2, 9) if house.report("fox", w)["rolls"])


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (put("rolls", 0, "dice", value=[9]), "altered-roll"),
        (flip("rolls", 0, "proof"), "proof"),
        (lambda b: put("rolls", 0, "proof", value=b["rolls"][0]["proof"][2:])(b), "not-hex"),
        (put("rolls", 0, "proof", value=""), "no-proof"),
        (put("rolls", 0, "window", value=77), "rolled-twice"),
        (lambda b: b["rolls"].append(b["rolls"][0]), "rolled-twice"),
        (put("rolls", 0, "label", value="NOISE/TWIG/-/FOX/1/2D6"), "proof"),
        (put("rolls", 0, "label", value="NOISE/TWIG/-/fox/1/1D6"), "label"),
        (flip("seed", "links", "fox"), "bad-link"),
        (put("seed", "links", value={}), "no-seed"),
        (put("seed", "links", "fox", value=""), "proof"),
        (put("seed", "window", value=0), "no-seed"),
        (put("dice_mode", value="seeded"), "setup"),
        (put("side", value="badger"), "setup"),
        (put("moderator", "sign", value="ssh-ed25519 AAAA"), "setup"),
        (flip("setup", "digest"), "setup"),
        (lambda b: put("setup", "text", value=b["setup"]["text"] + " ")(b), "not-canonical"),
    ],
)
def test_a_report_that_proves_nothing_is_refused(
    change: Change, code: str, played: Proven, tmp_path: Path
) -> None:
    path = tampered(played, tmp_path, "fox", rolled(played), change)
    assert checked(path) == [code]


def test_a_report_whose_digest_does_not_fit(played: Proven, tmp_path: Path) -> None:
    report = played.report("fox", 2)
    report["news"] = "all is well"
    path = tmp_path / "report.json"
    path.write_bytes(canonical_json(report))
    assert checked(path) == ["altered-report"]
    path.write_bytes(json.dumps(report).encode())
    assert checked(path) == ["not-canonical"]


def test_a_report_with_the_seal_of_another(played: Proven, tmp_path: Path) -> None:
    for seal in (("fox", 3), ("hunter", 2)):
        path = tmp_path / "report.json"
        path.write_bytes((played.folder / "reports/fox/2/report.json").read_bytes())
        other = played.folder / "reports" / seal[0] / str(seal[1]) / "report.seal"
        (tmp_path / "report.seal").write_bytes(other.read_bytes())
        assert checked(path) == ["seal"]


def test_an_anchor_that_was_not_named_in_time(played: Proven, tmp_path: Path) -> None:
    """The hunter's anchor counts from window 3; the report that opens 2 named it."""
    named = next(a["from"] for a in played.report("fox")["anchors"]["hunter"])
    assert named == 3
    late = [p for p in reports(played, "hunter") if int(p.parent.name) > 3]
    assert checked(late[0])[0] == "no-anchor"
    assert checked(*reports(played, "hunter")) == []

    def early(report: Body) -> None:
        report["anchors"]["hunter"][0]["from"] = 2

    forged = tampered(played, tmp_path, "fox", 2, early)
    assert checked(forged, *reports(played, "fox")[2:])[0] == "no-anchor"
    assert "fork" in checked(*reports(played, "fox"), forged)


def test_two_sides_told_different_things_find_it_together(played: Proven, tmp_path: Path) -> None:
    other = tampered(played, tmp_path, "hunter", 2, flip("seed", "lock"))
    mine = played.folder / "reports/fox/2/report.json"
    assert checked(other) == []
    assert set(checked(mine, other)) == {"fork", "lock"}


def test_an_order_file_that_is_not_the_one_in_force(played: Proven, tmp_path: Path) -> None:
    report = played.report("fox", 1)
    house = Proven(played.home, SYSTEM)
    path = tmp_path / "orders.txt"
    path.write_text(house.orders("fox", "FOX: move B1;", report))
    assert checked(path, played.folder / "reports/fox/2/report.json") == ["other-orders"]


# The key


def test_a_key_with_many_roots_has_no_certificate() -> None:
    """e divides p-1, so one text has e proofs: the maker chooses. No root satisfies the check."""
    e, bits = provable.E, 1536
    k = (3 << (bits - 2)) // (2 * e)
    while True:
        k += 1
        p = 2 * k * e + 1
        if p.bit_length() == bits and pow(2, p - 1, p) == 1:
            break
    q = dice_key().private_numbers().q
    n = p * q
    if n.bit_length() != provable.KEY_BITS:
        n = p * dice_key().private_numbers().p
    inverse = pow(e, -1, q - 1)
    roots = [pow(provable._challenge(n, "g1", i), inverse, n) for i in range(8)]
    with pytest.raises(provable.BadProof) as refused:
        provable.check_key(n, "g1", roots)
    assert refused.value.code == "dice-key"
    with pytest.raises(verify.Bad):
        verify.DiceKey("g1", f"{n:x}", [f"{r:x}" for r in roots])


def test_a_second_proof_by_adding_the_modulus_is_refused() -> None:
    key = dice_key()
    n = key.public_key().public_numbers().n
    small = next(
        p for p in map(proof_of, range(4000)) if int.from_bytes(p[1], "big") + n < 1 << 3072
    )
    text, proof = small
    again = (int.from_bytes(proof, "big") + n).to_bytes(384, "big")
    provable.check_proof(n, text, proof)
    with pytest.raises(provable.BadProof, match="range"):
        provable.check_proof(n, text, again)


def proof_of(i: int) -> tuple[bytes, bytes]:
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15

    text = alpha(bytes(32), 1, bytes(32), f"A/B/C/D/{i + 1}/1D6")
    key: rsa.RSAPrivateKey = dice_key()
    return text, key.sign(text, PKCS1v15(), hashes.SHA256())


# Every bit


def test_every_flipped_bit_of_a_proof_is_refused(
    played: Proven, sample: Callable[[Sequence[int], int], Sequence[int]]
) -> None:
    report = played.report("fox", rolled(played))
    (roll,) = report["rolls"]
    setup = verify.Setup(report["setup"]["text"])
    seed = verify.seed_of(setup.g0, report["seed"]["window"], report["seed"]["links"])
    proof = bytes.fromhex(roll["proof"])
    for bit in sample(range(len(proof) * 8), 200):
        bad = bytearray(proof)
        bad[bit // 8] ^= 1 << bit % 8
        with pytest.raises(verify.Bad) as refused:
            verify.check_roll(setup.key, setup.g0, seed, roll | {"proof": bad.hex()})
        assert refused.value.code in ("proof", "proof-range")
    for length in sample(range(len(proof)), 40):
        with pytest.raises(verify.Bad, match="384"):
            verify.check_roll(setup.key, setup.g0, seed, roll | {"proof": proof[:length].hex()} | {
                "dice": roll["dice"]} if length else roll | {"proof": "00"})  # fmt: skip


def test_every_flipped_bit_of_a_ledger_is_found_at_its_record(
    copy: Proven, sample: Callable[[Sequence[int], int], Sequence[int]]
) -> None:
    """By verify.py; `pbem audit` has its own such test. The last record too."""
    path = copy.folder / "ledger.jsonl"
    original = path.read_bytes()
    starts = [0]
    for line in original.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    last = range(8 * starts[-2], 8 * starts[-1] - 8)
    for bit in [*sample(range(8 * len(original) - 8), 250), *sample(last, 100)]:
        at = bit // 8
        bad = original[:at] + bytes([original[at] ^ (1 << bit % 8)]) + original[at + 1 :]
        number = sum(start <= at for start in starts)
        seen = 0
        with pytest.raises(verify.Bad):
            for record in verify.records(bad):
                seen = record["n"]
        assert seen in (number - 1, number - 2), bit


# Chance


@pytest.mark.parametrize("sides", [2, 3, 6, 10, 12, 20, 100])
def test_faces_are_uniform(sides: int, nightly: bool) -> None:
    """Chi-squared at a level that a fair die misses once in a million; the values are fixed."""
    from pbem.dice import faces

    throws = 20_000 if nightly else 4_000
    counts = [0] * sides
    for i in range(throws // 4):
        for face in faces(H("test", i.to_bytes(4, "big")), Dice(4, sides)):
            counts[face - 1] += 1
    expected = throws / sides
    chi = sum((c - expected) ** 2 / expected for c in counts)
    degrees = sides - 1
    assert chi < degrees + 7 * (2 * degrees) ** 0.5 + 12
    assert min(counts) > 0


def test_both_read_the_same_faces() -> None:
    from pbem.dice import faces

    for i in range(200):
        beta, dice = H("same", bytes([i])), Dice(1 + i % 12, 2 + i % 99, i % 2)
        assert list(faces(beta, dice)) == verify.faces(beta, dice.count, dice.sides, dice.low)


# Seals and files


def test_every_change_of_a_seal_is_refused(
    played: Proven, sample: Callable[[Sequence[int], int], Sequence[int]]
) -> None:
    from pbem import witness
    from pbem.seal import BadSignature

    report = played.report("fox", 2)
    good = (played.folder / "reports/fox/2/report.seal").read_bytes()
    setup = verify.Setup(report["setup"]["text"])
    moderator = report["moderator"]["sign"]
    g0 = report["setup"]["digest"]
    witness.check(good, "report", g0, report, moderator)
    bits = [good[: b // 8] + bytes([good[b // 8] ^ (1 << b % 8)]) + good[b // 8 + 1 :]
            for b in sample(range(8 * len(good) - 8), 300)]  # fmt: skip
    for bad in [*bits, *(good[:n] for n in sample(range(len(good) - 1), 60)), good + b"x"]:
        if bad.split() == good.split():
            continue  # white space between the lines of the armour carries nothing
        with pytest.raises(BadSignature):
            witness.check(bad, "report", g0, report, moderator)
        with pytest.raises(verify.Bad):
            verify.check_seal(bad, "report", setup, report, moderator)


@pytest.mark.parametrize("field", ["window", "side", "digest"])
def test_a_seal_is_of_one_report_alone(field: str, played: Proven) -> None:
    from pbem import witness
    from pbem.seal import BadSignature

    report = played.report("fox", 2)
    good = (played.folder / "reports/fox/2/report.seal").read_bytes()
    other = {"window": 3, "side": "hunter", "digest": "0" * 64}[field]
    changed = {**report, field: other}
    for kind, facts in (("report", changed), ("receipt", report)):
        with pytest.raises(BadSignature, match="something else"):
            witness.check(good, kind, report["setup"]["digest"], facts, report["moderator"]["sign"])  # type: ignore[arg-type]
    with pytest.raises(BadSignature, match="something else"):
        witness.check(good, "report", "0" * 64, report, report["moderator"]["sign"])


def test_stock_ssh_keygen_checks_a_seal(played: Proven, tmp_path: Path) -> None:
    if shutil.which("ssh-keygen") is None:
        pytest.skip("ssh-keygen is missing: apt install openssh-client")
    report = played.report("fox", 2)
    first, _, rest = (played.folder / "reports/fox/2/report.seal").read_bytes().partition(b"\n")
    (tmp_path / "sig").write_bytes(rest)
    (tmp_path / "keys").write_text(f"moderator {report['moderator']['sign']}\n")
    command = ["ssh-keygen", "-Y", "verify", "-f", "keys", "-I", "moderator", "-n", "report@pbem",
               "-s", "sig"]  # fmt: skip
    said = subprocess.run(
        command, cwd=tmp_path, input=first + b"\n", capture_output=True, check=False
    )
    assert said.returncode == 0, said.stderr


def test_a_ledger_alone_can_be_audited(played: Proven, tmp_path: Path) -> None:
    from pbem.game import published

    path = tmp_path / "elsewhere.jsonl"
    path.write_bytes((played.folder / "ledger.jsonl").read_bytes())
    assert audit(published(path), SYSTEM).whole
    assert checked(path) == []


def test_a_bundle_is_checked_by_both(
    played: Proven, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from zipfile import ZipFile

    from pbem.cli import main

    bundle = tmp_path / "g1.zip"
    with ZipFile(bundle, "w") as packed:
        packed.write(played.folder / "ledger.jsonl", "g1/ledger.jsonl")
    assert checked(bundle, *reports(played, "fox")) == []
    for path, code in ((bundle, 0), (tmp_path / "bad.zip", 2)):
        (tmp_path / "bad.zip").write_bytes(b"PK\3\4 and nothing else")
        with pytest.raises(SystemExit) as done:
            main(["audit", str(path)])
        assert done.value.code == code
    assert "is whole" in capsys.readouterr().out
