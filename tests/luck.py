"""Reproducible randomness: one dice key for all tests, and a pinned `os.urandom`."""

from __future__ import annotations

import os
from functools import cache, lru_cache
from hashlib import shake_256
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pbem.charts import png
from pbem.dice import dicekey, provable
from pbem.dice.provable import certify, generate_key

if TYPE_CHECKING:
    import pytest
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey

KEY = Path(__file__).parent / "vectors" / "dice_key.pem"


@cache
def dice_key() -> RSAPrivateKey:
    """The dice key of every test game; generating one takes longer than many tests."""
    return dicekey.load(KEY.read_bytes())


@cache
def roots(game: str) -> list[int]:
    """The certificate of the tests' dice key for a game of this name."""
    return certify(dice_key(), game)


def known_roots(key: RSAPrivateKey, game: str) -> list[int]:
    """`provable.certify`, computed once for each game name and the tests' own key."""
    return list(roots(game)) if key is dice_key() else certify(key, game)


def spared(patch: pytest.MonkeyPatch, checker: Any) -> None:
    """Give new games the tests' dice key, let verify.py (`checker`) check each key only once, and
    keep what was drawn.

    Generating and checking a key both take longer than many tests, and the worlds of a test have
    the same pictures. Tests of the generation call `generate_key` of this module.
    """
    right = checker.DiceKey
    known = cache(lambda game, modulus, roots: right(game, modulus, list(roots)))
    patch.setattr(checker, "DiceKey", lambda game, n, roots: known(game, n, tuple(roots)))
    patch.setattr(provable, "generate_key", dice_key)
    patch.setattr(provable, "certify", known_roots)
    patch.setattr(png, "drawn", lru_cache(maxsize=256)(png.drawn))


def pinned(patch: pytest.MonkeyPatch, seed: str) -> None:
    """Make provable dice the same in every run: salts depend on `seed`, the dice key is fixed."""
    drawn = count()
    patch.setattr(
        os, "urandom", lambda size: shake_256(f"{seed} {next(drawn)}".encode()).digest(size)
    )


__all__ = ["dice_key", "generate_key", "pinned", "spared"]
