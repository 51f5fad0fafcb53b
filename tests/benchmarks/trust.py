"""What trust costs: proofs, keys, signatures, and a published game checked by verify.py.

    python -m tests.benchmarks.trust

Milliseconds of this process's own time, so that a busy machine does not count.
"""

from __future__ import annotations

import gzip
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import process_time

from games.bismarck.game import SYSTEM
from pbem.crypto.age import decrypt
from pbem.crypto.private_keys import from_seed
from pbem.crypto.sshsig import sign, verify
from pbem.dice import provable
from pbem.model import Dice, Window
from pbem.outbound.encrypt import enclose
from pbem.store.game_dir import writing
from tests.encryption import EncryptedReferee, age_part, identity_of, key_of
from tests.trust.corpus import verify as own

ROOT = Path(__file__).parent.parent.parent
GAME = ROOT / "tests" / "frozen" / "bismarck" / "basic-1-fast.jsonl.gz"
G0, SEED, WINDOW, TWO = bytes(32), bytes(32), Window(1), Dice(2, 6)


def took(work: Callable[[int], object], rounds: int) -> float:
    """The median of so many rounds, in milliseconds."""
    found = []
    for number in range(rounds):
        begun = process_time()
        work(number)
        found.append((process_time() - begun) * 1000)
    return median(found)


def proofs(rounds: int) -> dict[str, float]:
    """A proof made, checked by pbem, checked by verify.py; the dice key's certificate."""
    key = provable.generate_key()
    n, roots = key.public_key().public_numbers().n, provable.certify(key, "g1")
    source = provable.Provable(lambda: key, G0, {WINDOW: SEED}, "fast")
    rolled = []

    def make(number: int) -> None:
        label = f"A/B/C/D/{number + 1}/2D6"
        dice, proof = source.roll(WINDOW, label, TWO)
        rolled.append({"window": 1, "label": label, "dice": list(dice), "proof": proof})

    def check(number: int) -> None:
        one = rolled[number]
        proof = bytes.fromhex(str(one["proof"]))
        provable.check_roll(n, G0, WINDOW, SEED, label=str(one["label"]), dice=TWO, proof=proof)

    made = took(make, rounds)
    theirs = own.DiceKey("g1", f"{n:x}", [f"{root:x}" for root in roots])
    return {
        "a proof made": made,
        "a proof checked": took(check, rounds),
        "a proof checked by verify.py": took(
            lambda i: own.check_roll(theirs, G0, SEED, rolled[i]), rounds
        ),
        "the dice key checked": took(lambda _: provable.check_key(n, "g1", roots), 3),
    }


def signatures(rounds: int) -> dict[str, float]:
    """A signature made and verified."""
    key = from_seed(bytes(32))
    blob = sign(b"x" * 200, key, "report@pbem")
    return {
        "a signature made": took(lambda _: sign(b"x" * 200, key, "report@pbem"), rounds),
        "a signature checked": took(
            lambda _: verify(b"x" * 200, blob, "report@pbem", {key.wire: "m"}), rounds
        ),
    }


def encrypting(rounds: int) -> dict[str, float]:
    """The mail of a Bismarck report encrypted, as it leaves."""
    with tempfile.TemporaryDirectory() as folder:
        sea = EncryptedReferee.begun(Path(folder), SYSTEM)
        side = sea.register.sides[0]
        mail = decrypt(age_part(sea.newest(side)), [identity_of(key_of(side))]).rstrip(b"\n")
        with writing(sea.home, sea.name) as game:
            enclose(game, side, "report", 1, mail)
            signature = took(lambda _: enclose(game, side, "report", 1, mail), rounds)
    return {"a report's mail encrypted": signature}


def published() -> dict[str, float]:
    """A whole game of Bismarck, some thirty turns, by verify.py."""
    with tempfile.TemporaryDirectory() as folder:
        ledger = Path(folder) / "ledger.jsonl"
        ledger.write_bytes(gzip.decompress(GAME.read_bytes()))
        found: list[str] = []

        def check(_: int) -> None:
            found[:] = own.check_all([str(ledger)])[1]

        spent = took(check, 3)
        assert not found, found
        return {"a published game by verify.py": spent}


LIMITS = {
    "a proof made": 1.0,
    "a proof checked": 0.5,
    "a published game by verify.py": 5000.0,
    "a report's mail encrypted": 3.0,
}


def table(rounds: int = 60) -> str:
    """The figures against their limits."""
    figures = proofs(rounds) | signatures(rounds) | encrypting(rounds) | published()
    rows = [f"| {name} | {ms:.2f} | {LIMITS.get(name, '')} |" for name, ms in figures.items()]
    return "\n".join(["| trust | ms | limit |", "| --- | ---: | ---: |", *rows])


if __name__ == "__main__":
    print(table())
