"""The provable dice against vectors that were computed apart from this code."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.base.hashing import H
from pbem.dice import provable
from pbem.errors import Usage
from pbem.model import Dice, Window
from tests.counts import few
from tests.luck import generate_key

VECTORS: dict[str, Any] = json.loads(
    (Path(__file__).parent.parent / "vectors" / "dice.json").read_text()
)
MODULUS = int(VECTORS["modulus"], 16)
ROOTS = [int(root, 16) for root in VECTORS["roots"]]
G0 = bytes.fromhex(VECTORS["set_up"]["G0"])
GAME = json.loads(VECTORS["set_up"]["text"])["game"]
ROLLS = [(window, roll) for window in VECTORS["windows"] for roll in window["rolls"]]
FIRST = ROLLS[0]


def hexed(values: dict[str, str]) -> dict[str, bytes]:
    return {side: bytes.fromhex(value) for side, value in values.items()}


def code(error: pytest.ExceptionInfo[provable.BadProof]) -> str:
    return error.value.code


def test_the_hash_of_the_set_up_text() -> None:
    example = VECTORS["H_example"]
    got = H(example["tag"], *(bytes.fromhex(field) for field in example["fields"]))
    assert got.hex() == example["hash"]
    assert H("setup", VECTORS["set_up"]["text"].encode()) == G0


@pytest.mark.parametrize("side", sorted(VECTORS["chains"]))
def test_chains(side: str) -> None:
    vector = VECTORS["chains"][side]
    links = provable.chain(GAME, side, bytes.fromhex(vector["tail"]), len(vector["links"]) - 1)
    assert [link.hex() for link in links] == vector["links"]
    assert vector["anchor"] == vector["links"][0]


@pytest.mark.parametrize("vector", VECTORS["windows"], ids=lambda v: f"window {v['window']}")
def test_orders_lock_and_seed(vector: dict[str, Any]) -> None:
    signatures = hexed(vector["signature"])
    digests: dict[str, bytes] = {}
    for side, expected in vector["order_digest"].items():
        made = provable.order_digest(vector["canonical"][side].encode(), signatures[side])
        digests[side] = provable.NMR if expected == "NMR" else made
        assert expected in ("NMR", made.hex())
    assert provable.lock(G0, vector["window"], digests).hex() == vector["lock"]
    sides = vector["links"]
    assert provable.seed(G0, vector["window"], hexed(sides)).hex() == vector["seed"]


@pytest.mark.parametrize(("window", "roll"), ROLLS)
def test_rolls(window: dict[str, Any], roll: dict[str, Any]) -> None:
    text = provable.alpha(G0, window["window"], bytes.fromhex(window["seed"]), roll["label"])
    assert text.hex() == roll["alpha"]
    beta = provable.check_proof(MODULUS, text, bytes.fromhex(roll["proof"]))
    assert beta.hex() == roll["beta"]
    got = provable.check_roll(
        MODULUS,
        G0,
        window["window"],
        bytes.fromhex(window["seed"]),
        label=roll["label"],
        dice=Dice(roll["count"], roll["sides"]),
        proof=bytes.fromhex(roll["proof"]),
    )
    assert list(got) == roll["dice"]


def test_a_smaller_key_is_refused_however_well_certified() -> None:
    small = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    roots = provable.certify(small, GAME)
    with pytest.raises(provable.BadProof, match="3072 bits"):
        provable.check_key(small.public_key().public_numbers().n, GAME, roots)


def test_the_key_certificate() -> None:
    assert VECTORS["e"] == provable.E
    provable.check_key(MODULUS, GAME, ROOTS)


@pytest.mark.parametrize(
    ("modulus", "game", "roots"),
    [
        (MODULUS, "g2", ROOTS),
        (MODULUS, GAME, ROOTS[:7]),
        (MODULUS, GAME, ROOTS[::-1]),
        (MODULUS, GAME, [*ROOTS[:7], ROOTS[7] + MODULUS]),
        (MODULUS + 2, GAME, ROOTS),
        (MODULUS >> 1, GAME, ROOTS),
    ],
)
def test_a_doubtful_key_is_refused(modulus: int, game: str, roots: list[int]) -> None:
    with pytest.raises(provable.BadProof) as error:
        provable.check_key(modulus, game, roots)
    assert code(error) == "dice-key"


def test_small_factors_are_all_the_primes_below_the_bound() -> None:
    product = provable._small_primes_product()
    for p in (2, 3, 65537, 69997):
        assert product % p == 0
    assert product % 70001 != 0
    assert product % 4 != 0


def test_a_key_with_a_small_factor_is_refused() -> None:
    modulus = 69997 * ((1 << 3071) // 69997 + 2)
    with pytest.raises(provable.BadProof, match="factor below"):
        provable.check_key(modulus, GAME, ROOTS)


@given(position=st.integers(0, provable.PROOF_BYTES - 1), flip=st.integers(1, 255))
@settings(max_examples=few(20), deadline=None)
def test_a_changed_proof_is_refused(position: int, flip: int) -> None:
    window, roll = FIRST
    text = provable.alpha(G0, window["window"], bytes.fromhex(window["seed"]), roll["label"])
    proof = bytearray.fromhex(roll["proof"])
    proof[position] ^= flip
    with pytest.raises(provable.BadProof):
        provable.check_proof(MODULUS, text, bytes(proof))


@pytest.mark.parametrize(
    ("proof", "expected"),
    [
        (bytes.fromhex(FIRST[1]["proof"])[1:], "proof-length"),
        (b"\0" + bytes.fromhex(FIRST[1]["proof"]), "proof-length"),
        (bytes(384), "proof-range"),
        (MODULUS.to_bytes(384, "big"), "proof-range"),
        (bytes.fromhex(ROLLS[1][1]["proof"]), "proof"),
    ],
)
def test_invalid_proofs_are_refused(proof: bytes, expected: str) -> None:
    text = bytes.fromhex(FIRST[1]["alpha"])
    with pytest.raises(provable.BadProof) as error:
        provable.check_proof(MODULUS, text, proof)
    assert code(error) == expected


def test_links_may_skip_missed_windows() -> None:
    links = provable.chain("g1", "british", bytes(32), 10)
    provable.check_link("g1", "british", 1, links[1], (0, links[0]))
    provable.check_link("g1", "british", 7, links[7], (3, links[3]))


@pytest.mark.parametrize(
    ("game", "side", "window", "take", "known"),
    [
        ("g1", "british", 5, 6, 0),
        ("g1", "german", 5, 5, 0),
        ("g2", "british", 5, 5, 0),
        ("g1", "british", 5, 5, 5),
        ("g1", "british", 4, 4, 5),
    ],
)
def test_other_links_are_refused(game: str, side: str, window: int, take: int, known: int) -> None:
    links = provable.chain("g1", "british", bytes(32), 10)
    with pytest.raises(provable.BadProof):
        provable.check_link(game, side, window, links[take], (known, links[known]))


def test_the_tail_is_made_of_a_raw_signature() -> None:
    assert provable.tail(bytes(64)) == H("tail", bytes(64))
    assert provable.chain_text("g1", "british", 0) == b"g1 british 0"
    with pytest.raises(ValueError, match="64 bytes"):
        provable.tail(bytes(63))


def test_a_new_key_proves_its_rolls() -> None:
    key = generate_key()
    modulus = key.public_key().public_numbers().n
    provable.check_key(modulus, "g9", provable.certify(key, "g9"))
    source = provable.Provable(key, G0, {Window(3): b"seed"})
    label, dice = "PHASE/KIND/F20/BRITISH/1/1D10-FROM0", Dice(1, 10, 0)
    values, proof = source.roll(Window(3), label, dice)
    again = provable.check_roll(
        modulus, G0, 3, b"seed", label=label, dice=dice, proof=bytes.fromhex(proof)
    )
    assert values == again == source.roll(Window(3), label, dice)[0]
    with pytest.raises(Usage, match="window 4"):
        source.roll(Window(4), label, dice)
