"""Luck that is the same in every run: one dice key, and what the system's randomness gives."""

from __future__ import annotations

import os
from functools import cache
from hashlib import shake_256
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from pbem.dice import dicekey, provable

if TYPE_CHECKING:
    import pytest
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey

KEY = Path(__file__).parent / "vectors" / "dice_key.pem"


@cache
def dice_key() -> RSAPrivateKey:
    """The dice key of every test game: to draw one takes longer than many tests."""
    return dicekey.load(KEY.read_bytes())


def pinned(patch: pytest.MonkeyPatch, seed: str) -> None:
    """Proved dice fall alike in every run: the dice key is the tests' own, salts come of `seed`."""
    drawn = count()
    patch.setattr(provable, "generate_key", dice_key)
    patch.setattr(
        os, "urandom", lambda size: shake_256(f"{seed} {next(drawn)}".encode()).digest(size)
    )
