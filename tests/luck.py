"""Luck that is the same in every run: one dice key, and what the system's randomness gives."""

from __future__ import annotations

import os
from functools import cache
from hashlib import shake_256
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pbem.dice import dicekey, provable
from pbem.dice.provable import certify, generate_key

if TYPE_CHECKING:
    import pytest
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey

KEY = Path(__file__).parent / "vectors" / "dice_key.pem"


@cache
def dice_key() -> RSAPrivateKey:
    """The dice key of every test game: to draw one takes longer than many tests."""
    return dicekey.load(KEY.read_bytes())


@cache
def roots(game: str) -> list[int]:
    """What certifies the tests' dice key for a game of this name."""
    return certify(dice_key(), game)


def known_roots(key: RSAPrivateKey, game: str) -> list[int]:
    """`provable.certify`, each root of the tests' own key computed once."""
    return list(roots(game)) if key is dice_key() else certify(key, game)


def spared(patch: pytest.MonkeyPatch, checker: Any) -> None:
    """New games have the tests' dice key, and one that verify.py (`checker`) checked once stands:
    either takes longer than many tests. Tests of keys call `generate_key` of this module."""
    right = checker.DiceKey
    known = cache(lambda game, modulus, roots: right(game, modulus, list(roots)))
    patch.setattr(checker, "DiceKey", lambda game, n, roots: known(game, n, tuple(roots)))
    patch.setattr(provable, "generate_key", dice_key)
    patch.setattr(provable, "certify", known_roots)


def pinned(patch: pytest.MonkeyPatch, seed: str) -> None:
    """Proved dice fall alike in every run: the dice key is the tests' own, salts come of `seed`."""
    drawn = count()
    patch.setattr(
        os, "urandom", lambda size: shake_256(f"{seed} {next(drawn)}".encode()).digest(size)
    )


__all__ = ["dice_key", "generate_key", "pinned", "spared"]
