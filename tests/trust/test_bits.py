"""Dice keys, proofs and signatures that verify.py refuses, and the fairness of dice faces."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa

from games.toy.game import SYSTEM
from pbem.audit.auditor import audit
from pbem.base.hashing import H
from pbem.dice import provable
from pbem.dice.provable import alpha
from pbem.model import Dice
from tests.luck import dice_key
from tests.proving import Proven
from tests.trust.corpus import checked, reports, rolled, verify

# The key


def test_a_key_with_many_roots_has_no_certificate() -> None:
    """e divides p-1, so one text has e proofs, from which the owner could choose. Such a key cannot
    have a certificate."""
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
            verify.check_roll(
                setup.key,
                setup.g0,
                seed,
                roll | {"proof": proof[:length].hex()} | {"dice": roll["dice"]}
                if length
                else roll | {"proof": "00"},
            )


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
                seen = record.n
        assert seen in (number - 1, number - 2), bit


# Chance


@pytest.mark.parametrize("sides", [2, 3, 6, 10, 12, 20, 100])
def test_faces_are_uniform(sides: int, nightly: bool) -> None:
    """Chi-squared at a level that a fair die misses once in a million; the values are fixed."""
    from pbem.dice.sources import faces

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
    from pbem.dice.sources import faces

    for i in range(200):
        beta, dice = H("same", bytes([i])), Dice(1 + i % 12, 2 + i % 99, i % 2)
        assert list(faces(beta, dice)) == verify.faces(beta, dice.count, dice.sides, dice.low)


# Signatures and files


def test_every_change_of_a_signature_is_refused(
    played: Proven, sample: Callable[[Sequence[int], int], Sequence[int]]
) -> None:
    from pbem.crypto import statements
    from pbem.crypto.sshsig import BadSignature

    report = played.report("fox", 2)
    good = (played.folder / "reports/fox/2/report.seal").read_bytes()
    setup = verify.Setup(report["setup"]["text"])
    moderator = report["moderator"]["sign"]
    g0 = report["setup"]["digest"]
    statements.check(good, "report", g0, report, moderator)
    end = 8 * good.index(b"\n-----END")
    last = range(end - 32, end)  # four letters of base64: some bits of them say nothing
    bits = [
        good[: b // 8] + bytes([good[b // 8] ^ (1 << b % 8)]) + good[b // 8 + 1 :]
        for b in {*sample(range(8 * len(good) - 8), 300), *last}
    ]
    for bad in [*bits, *(good[:n] for n in sample(range(len(good) - 1), 60)), good + b"x"]:
        if bad.split() == good.split():
            continue  # white space between the lines of the armour carries nothing
        with pytest.raises(BadSignature):
            statements.check(bad, "report", g0, report, moderator)
        with pytest.raises(verify.Bad):
            verify.check_moderator(bad, "report", setup, report)


@pytest.mark.parametrize("field", ["window", "side", "digest"])
def test_a_signature_is_of_one_report_alone(field: str, played: Proven) -> None:
    from pbem.crypto import statements
    from pbem.crypto.sshsig import BadSignature

    report = played.report("fox", 2)
    good = (played.folder / "reports/fox/2/report.seal").read_bytes()
    other = {"window": 3, "side": "hunter", "digest": "0" * 64}[field]
    changed = {**report, field: other}
    for kind, facts in (("report", changed), ("receipt", report)):
        with pytest.raises(BadSignature, match="something else"):
            statements.check(
                good,
                kind,  # type: ignore[arg-type]
                report["setup"]["digest"],
                facts,
                report["moderator"]["sign"],
            )
    with pytest.raises(BadSignature, match="something else"):
        statements.check(good, "report", "0" * 64, report, report["moderator"]["sign"])


def test_stock_ssh_keygen_checks_a_signature(played: Proven, tmp_path: Path) -> None:
    if shutil.which("ssh-keygen") is None:
        pytest.skip("ssh-keygen is missing: apt install openssh-client")
    report = played.report("fox", 2)
    first, _, rest = (played.folder / "reports/fox/2/report.seal").read_bytes().partition(b"\n")
    (tmp_path / "sig").write_bytes(rest)
    (tmp_path / "keys").write_text(f"moderator {report['moderator']['sign']}\n")
    command = [
        "ssh-keygen",
        "-Y",
        "verify",
        "-f",
        "keys",
        "-I",
        "moderator",
        "-n",
        "report@pbem",
        "-s",
        "sig",
    ]
    said = subprocess.run(
        command, cwd=tmp_path, input=first + b"\n", capture_output=True, check=False
    )
    assert said.returncode == 0, said.stderr


def test_a_ledger_alone_can_be_audited(played: Proven, tmp_path: Path) -> None:
    from pbem.store.game_dir import published

    path = tmp_path / "elsewhere.jsonl"
    path.write_bytes((played.folder / "ledger.jsonl").read_bytes())
    assert audit(published(path), SYSTEM).whole
    assert checked(path) == []


def test_a_bundle_is_checked_by_both(
    played: Proven, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from pbem.cli import main
    from pbem.replay.publish import bundle as published

    bundle = tmp_path / "g1.zip"
    bundle.write_bytes(published(played.read(), played.system))
    assert checked(bundle, *reports(played, "fox")) == []
    for path, code in ((bundle, 0), (tmp_path / "bad.zip", 2)):
        (tmp_path / "bad.zip").write_bytes(b"PK\3\4 and nothing else")
        with pytest.raises(SystemExit) as done:
            main(["audit", str(path)])
        assert done.value.code == code
    assert "is whole" in capsys.readouterr().out


def test_a_signature_saved_by_a_mail_program_is_read(played: Proven, tmp_path: Path) -> None:
    """Mail turns line ends into CRLF, and some editors write a byte order mark."""
    folder = played.folder / "reports/fox/2"
    saved = tmp_path / "report.json"
    saved.write_bytes((folder / "report.json").read_bytes())
    signature = (folder / "report.seal").read_bytes().replace(b"\n", b"\r\n")
    for text in (signature, b"\xef\xbb\xbf" + signature):
        (tmp_path / "report.seal").write_bytes(text)
        assert checked(saved) == []
    (tmp_path / "report.seal").write_bytes(signature.replace(b" fox ", b" hunter "))
    assert checked(saved) == ["signature"]
