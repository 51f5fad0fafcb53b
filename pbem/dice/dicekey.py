"""Read and write the file of the dice key: PEM (PKCS#1), as `openssl rsa` reads it.

`pbem.dice.provable` says what the key is for. This module parses the file itself, because importing
the general reader takes more time than making all proofs of a window.
"""

from __future__ import annotations

import base64
import binascii
from typing import TYPE_CHECKING

from pbem.errors import Damaged

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey

_BEGIN, _FINISH = b"-----BEGIN RSA PRIVATE KEY-----", b"-----END RSA PRIVATE KEY-----"
_SEQUENCE, _INTEGER = 0x30, 0x02
_FIELDS = 9


def pem(key: RSAPrivateKey) -> bytes:
    """Return the file of a dice key."""
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

    return key.private_bytes(Encoding.PEM, PrivateFormat.TraditionalOpenSSL, NoEncryption())


def load(content: bytes, name: str = "the dice key") -> RSAPrivateKey:
    """Read the key from a file. name: what the message calls it. Raises Damaged."""
    from cryptography.hazmat.primitives.asymmetric import rsa

    _, n, e, d, p, q, dp, dq, iqmp = numbers(content, name)
    try:
        if p * q != n:
            raise ValueError
        # The library's own validation is slow. It is not needed: the file is the moderator's own,
        # and whoever gets a proof checks it against the certified modulus.
        key = rsa.RSAPrivateNumbers(p, q, d, dp, dq, iqmp, rsa.RSAPublicNumbers(e, n))
        return key.private_key(unsafe_skip_rsa_key_validation=True)
    except ValueError:
        raise _damaged(name) from None


def numbers(content: bytes, name: str = "the dice key") -> list[int]:
    """Read the nine numbers of a file (RFC 8017, A.1.2); none may be negative.

    They are: version, modulus, public and private exponent, both primes, and three numbers computed
    from these for the Chinese remainder theorem. Raises Damaged.
    """
    try:
        return _numbers(content)
    except (ValueError, IndexError, binascii.Error):
        raise _damaged(name) from None


def _damaged(name: str) -> Damaged:
    return Damaged(f"{name} is damaged", "restore it from a copy of the game's folder")


def _numbers(content: bytes) -> list[int]:
    """As `numbers`. Raises ValueError, IndexError."""
    packed = content.strip()
    if not (packed.startswith(_BEGIN) and packed.endswith(_FINISH)):
        raise ValueError
    data = base64.b64decode(b"".join(packed[len(_BEGIN) : -len(_FINISH)].split()), validate=True)
    inner, rest = _take(data, _SEQUENCE)
    found = []
    while inner:
        field, inner = _take(inner, _INTEGER)
        found.append(int.from_bytes(field, "big", signed=True))
    if rest or len(found) != _FIELDS or min(found) < 0:
        raise ValueError
    return found


def _take(data: bytes, tag: int) -> tuple[bytes, bytes]:
    """Split off the first DER element, which must have this tag.

    Returns its content and the bytes after it. Raises ValueError, or IndexError for no bytes.
    """
    if data[0] != tag:
        raise ValueError
    length, start = data[1], 2
    if length & 0x80:  # the long form: the low bits count the bytes of the length
        start += length & 0x7F
        length = int.from_bytes(data[2:start], "big")
    if start + length > len(data):
        raise ValueError
    return data[start : start + length], data[start + length :]
