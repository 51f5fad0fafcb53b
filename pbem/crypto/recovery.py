"""Recovery keys: an Ed25519 key on paper, with which a player who lost his key names another.

On paper it is seven words of eight letters, the last of which finds typing mistakes; the public
half is enlisted with the player's key. Bytes: docs/formats.md, "Keys".
"""

from __future__ import annotations

import base64
import os

from pbem.base.hashing import H
from pbem.crypto.private_keys import SshKey, from_seed
from pbem.errors import Usage

SEED_BYTES, CHECK_BYTES, WORD = 32, 3, 8


def make() -> str:
    """The words of a new recovery key. They are kept nowhere."""
    return words(os.urandom(SEED_BYTES))


def words(seed: bytes) -> str:
    """A seed as words for paper."""
    text = base64.b32encode(seed + _check(seed)).decode("ascii").lower()
    return " ".join(text[i : i + WORD] for i in range(0, len(text), WORD))


def key_of(said: str) -> SshKey:
    """The private key that words name, in any case and with any spaces. Raises Usage."""
    packed = "".join(said.split()).upper()
    try:
        raw = base64.b32decode(packed)
    except ValueError:
        raw = b""
    seed, check = raw[:SEED_BYTES], raw[SEED_BYTES:]
    if len(raw) != SEED_BYTES + CHECK_BYTES or check != _check(seed):
        raise Usage(
            "these are not the words of a recovery key",
            "seven words of eight letters and digits 2-7; there is no 0, 1, 8 and 9 in them",
        )
    return from_seed(seed)


def _check(seed: bytes) -> bytes:
    return H("recovery", seed)[:CHECK_BYTES]
