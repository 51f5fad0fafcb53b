"""Recovery keys: an Ed25519 key on paper, with which a player replaces a lost key.

On paper the key is seven words of eight letters or digits; the last three bytes are a checksum that
finds typing mistakes. The public key is enlisted with the player's key. Bytes:
docs/formats.md, "Keys".
"""

from __future__ import annotations

import base64
import os

from pbem.base.hashing import H
from pbem.crypto.private_keys import SshKey, from_seed
from pbem.errors import Usage

SEED_BYTES, CHECK_BYTES, WORD = 32, 3, 8


def make() -> str:
    """Make a recovery key and return its words. The program stores them nowhere."""
    return words(os.urandom(SEED_BYTES))


def words(seed: bytes) -> str:
    """Encode a seed as words. Base32 has no 0, 1, 8 or 9, which look like letters."""
    text = base64.b32encode(seed + _check(seed)).decode("ascii").lower()
    return " ".join(text[i : i + WORD] for i in range(0, len(text), WORD))


def key_of(said: str) -> SshKey:
    """Decode words, in any case and with any spaces, to the private key. Raises Usage."""
    packed = "".join(said.split()).upper()
    try:
        raw = base64.b32decode(packed)
    except ValueError:
        raw = b""
    seed, check = raw[:SEED_BYTES], raw[SEED_BYTES:]
    if len(raw) != SEED_BYTES + CHECK_BYTES or check != _check(seed):
        raise Usage(
            "these are not the words of a recovery key",
            "there are seven words of eight letters and digits 2-7; 0, 1, 8 and 9 do not occur",
        )
    return from_seed(seed)


def _check(seed: bytes) -> bytes:
    """The checksum of a seed, three bytes."""
    return H("recovery", seed)[:CHECK_BYTES]
