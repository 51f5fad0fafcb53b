"""age files (age-encryption.org/v1): what the stock `age` program writes and reads.

Recipients are X25519 (`age1...`), ssh-ed25519 and ssh-rsa keys, so that one SSH key of a player
serves for signing and for encrypted mail. Files are binary; `pbem.crypto.age_armour` makes text of
them. Only the inner signature of a mail is trusted, never that a file could be opened.
"""

from __future__ import annotations

import hashlib
import hmac
import os
from base64 import b64decode, b64encode
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from pbem.crypto.sshsig import ED25519, RSA, BadSignature, rsa_numbers, take, wire_key
from pbem.errors import Findings, Usage

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.padding import OAEP
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey

VERSION = b"age-encryption.org/v1"
X25519_LABEL = VERSION + b"/X25519"
SSH_LABEL = VERSION + b"/ssh-ed25519"
RSA_LABEL = VERSION + b"/ssh-rsa"
KEY = 16
CHUNK = 64 * 1024
LARGEST = 64 * 1024 * 1024
LONGEST_HEADER = 16 * 1024
MOST_STANZAS = 20
_COLUMNS = 64
_P = 2**255 - 19
_ALPHABET = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"


class BadAge(Findings):
    """A file that cannot be opened. code: a word, for receipts and scripts."""

    def __init__(self, code: str, text: str) -> None:
        hint = "use the key that was enlisted" if code == "not-for-you" else "ask for it again"
        super().__init__(text, hint)
        self.code = code


class Stanza(Struct, frozen=True):
    """One wrapped copy of the file key: the arguments of its line, and its body."""

    args: tuple[str, ...]
    body: bytes


class Recipient(Struct, frozen=True):
    """Whom a file is for. point: the X25519 public key, empty for RSA; wire: of an SSH key, else
    empty."""

    point: bytes
    wire: bytes = b""


class Identity(Struct, frozen=True):
    """Who opens files. secret: X25519, empty for RSA; wire: of an SSH key, else empty; unwrap: of
    an RSA key, which raises ValueError."""

    secret: bytes
    wire: bytes = b""
    unwrap: Callable[[bytes], bytes] | None = None


def recipient(text: str) -> Recipient:
    """The recipient of `age1...` or of a line `ssh-ed25519 AAAA...`, `ssh-rsa AAAA...`. Raises
    Usage."""
    if text.startswith("age1"):
        point = _from_bech32("age", text.strip())
        try:
            _exchange(os.urandom(32), point)
        except ValueError:  # of low order: nothing could be encrypted to it, for nobody of its side
            raise Usage(
                "this age key is none: it is a point of low order", "`age-keygen` makes one"
            ) from None
        return Recipient(point)
    try:
        wire = wire_key(text)
        kind, rest = take(wire)
        point, _ = take(rest)
    except BadSignature as error:
        raise Usage(error.message, error.hint) from None
    if kind == RSA:
        return Recipient(b"", wire)
    if kind != ED25519:
        raise Usage(
            f"mail cannot be encrypted to keys of type {kind.decode('ascii')}",
            "an age key beside it serves: `pbem join`, or age-keygen",
        )
    return Recipient(_montgomery(point), wire)


def identity(text: str) -> Identity:
    """The identity of `AGE-SECRET-KEY-1...`. Raises Usage."""
    return Identity(_from_bech32("age-secret-key-", text.strip().lower()))


def identities(content: str) -> list[Identity]:
    """The identities of a key file as `age-keygen` writes it: one a line, and comments. Raises
    Usage."""
    lines = [line.strip() for line in content.splitlines()]
    return [identity(line) for line in lines if line and not line.startswith("#")]


def ssh_identity(seed: bytes, wire: bytes) -> Identity:
    """The identity of an Ed25519 SSH key: its 32 secret bytes and its public wire form."""
    return Identity(hashlib.sha512(seed).digest()[:32], wire)


def rsa_identity(key: RSAPrivateKey, wire: bytes) -> Identity:
    """The identity of an RSA SSH key and its public wire form."""
    return Identity(b"", wire, lambda body: key.decrypt(body, _oaep()))


def public(secret: Identity) -> str:
    """`age1...` of an X25519 identity."""
    return _to_bech32("age", _base(secret.secret))


def generate() -> str:
    """A new `AGE-SECRET-KEY-1...`."""
    return _to_bech32("age-secret-key-", os.urandom(32)).upper()


def encrypt(plain: bytes, to: Sequence[Recipient]) -> bytes:
    """An age file that every one of `to` can open. Raises ValueError without any."""
    if not to:
        raise ValueError("a file is encrypted to somebody")
    key = os.urandom(KEY)
    lines = [VERSION]
    for one in to:
        stanza = _wrap(key, one)
        lines.append(b"-> " + " ".join(stanza.args).encode("ascii"))
        lines += _columns(stanza.body)
    head = b"\n".join([*lines, b"---"])
    nonce = os.urandom(16)
    return b"".join([head, b" ", _b64(_mac(key, head)), b"\n", nonce, *_chunks(key, nonce, plain)])


def decrypt(content: bytes, who: Sequence[Identity]) -> bytes:
    """What an age file says. Raises BadAge: `age-form`, `not-for-you`, `age-mac`, `age-payload`."""
    if len(content) > LARGEST:
        raise BadAge("age-form", "the encrypted file is too long")
    stanzas, head, mac, payload = _header(content)
    key = next((k for s in stanzas for i in who if (k := _unwrap(s, i))), None)
    if key is None:
        raise BadAge("not-for-you", "the file is encrypted to other keys than yours")
    if not hmac.compare_digest(_mac(key, head), mac):
        raise BadAge("age-mac", "the head of the encrypted file was altered")
    return _opened(key, payload)


# The header


def _header(content: bytes) -> tuple[list[Stanza], bytes, bytes, bytes]:
    """Stanzas, the bytes that the MAC covers, the MAC, and what follows."""
    end = content.find(b"\n--- ", 0, LONGEST_HEADER)
    stop = content.find(b"\n", end + 1, LONGEST_HEADER + 100)
    if not content.startswith(VERSION + b"\n") or end < 0 or stop < 0:
        raise BadAge("age-form", "this is no age file")
    lines = content[len(VERSION) + 1 : end + 1].split(b"\n")[:-1]
    mac = _unb64(content[end + 5 : stop])
    return _stanzas(lines), content[: end + 4], mac, content[stop + 1 :]


def _stanzas(lines: list[bytes]) -> list[Stanza]:
    found: list[Stanza] = []
    at = 0
    while at < len(lines):
        words = lines[at].split(b" ")
        printable = all(w and all(33 <= c <= 126 for c in w) for w in words)
        if words[0] != b"->" or len(words) < 2 or not printable or len(found) >= MOST_STANZAS:
            raise BadAge("age-form", "a line of the encrypted file's head is malformed")
        at, body = at + 1, b""
        while True:
            if at >= len(lines) or len(lines[at]) > _COLUMNS:
                raise BadAge("age-form", "the head of the encrypted file is cut short")
            line, at = lines[at], at + 1
            body += _unb64(line)
            if len(line) < _COLUMNS:
                break
        found.append(Stanza(tuple(w.decode("ascii") for w in words[1:]), body))
    if not found:
        raise BadAge("age-form", "the file is encrypted to nobody")
    return found


def _columns(body: bytes) -> list[bytes]:
    """Base64 in lines of 64; the last is shorter, if need be empty."""
    text = _b64(body)
    return [text[i : i + _COLUMNS] for i in range(0, len(text) + 1, _COLUMNS)]


def _mac(key: bytes, head: bytes) -> bytes:
    return hmac.new(_hkdf(key, b"", b"header"), head, hashlib.sha256).digest()


# The file key


def _wrap(key: bytes, to: Recipient) -> Stanza:
    if not to.point:
        from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicNumbers

        public = RSAPublicNumbers(*rsa_numbers(to.wire)).public_key()
        return Stanza(("ssh-rsa", _tag(to.wire)), public.encrypt(key, _oaep()))
    secret = os.urandom(32)
    share = _base(secret)
    shared = _exchange(secret, to.point)
    body = _signature_key(_wrapping(shared, share, to.point, to.wire), key)
    word = _b64(share).decode("ascii")
    if to.wire:
        return Stanza(("ssh-ed25519", _tag(to.wire), word), body)
    return Stanza(("X25519", word), body)


def _unwrap(stanza: Stanza, who: Identity) -> bytes | None:
    """The file key, None where the stanza is for somebody else. Raises BadAge."""
    from cryptography.exceptions import InvalidTag

    kind, *args = stanza.args
    if who.unwrap:
        return _unwrap_rsa(stanza, who, who.unwrap)
    ours = ["ssh-ed25519", _tag(who.wire)] if who.wire else ["X25519"]
    if [kind, *args[:-1]] != ours or not args:
        return None
    share = _unb64(args[-1].encode("ascii"))
    if len(share) != 32 or len(stanza.body) != 32:
        raise BadAge("age-form", "a wrapped key of the encrypted file has a wrong length")
    point = _base(who.secret)
    try:
        shared = _exchange(who.secret, share)
        return _open_key(_wrapping(shared, share, point, who.wire), stanza.body)
    except InvalidTag:
        return None
    except ValueError:
        raise BadAge("age-form", "a wrapped key of the encrypted file is malformed") from None


def _unwrap_rsa(stanza: Stanza, who: Identity, unwrap: Callable[[bytes], bytes]) -> bytes | None:
    if stanza.args != ("ssh-rsa", _tag(who.wire)):
        return None
    try:
        key = unwrap(stanza.body)
    except ValueError:
        return None
    if len(key) != KEY:
        raise BadAge("age-form", "a wrapped key of the encrypted file has a wrong length")
    return key


def _wrapping(shared: bytes, share: bytes, point: bytes, wire: bytes) -> bytes:
    """The key that wraps the file key. With an SSH key the secret is bound to its wire form."""
    if wire:
        shared = _exchange(_hkdf(b"", wire, SSH_LABEL), shared)
    return _hkdf(shared, share + point, SSH_LABEL if wire else X25519_LABEL)


def _tag(wire: bytes) -> str:
    return _b64(hashlib.sha256(wire).digest()[:4]).decode("ascii")


# The payload


def _chunks(key: bytes, nonce: bytes, plain: bytes) -> list[bytes]:
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

    cipher = ChaCha20Poly1305(_hkdf(key, nonce, b"payload"))
    starts = range(0, max(1, len(plain)), CHUNK)
    last = starts[-1]
    return [
        cipher.encrypt(_counter(i, start == last), plain[start : start + CHUNK], None)
        for i, start in enumerate(starts)
    ]


def _opened(key: bytes, payload: bytes) -> bytes:
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

    nonce, rest = payload[:16], payload[16:]
    if len(nonce) < 16 or len(rest) < 16:
        raise BadAge("age-payload", "the encrypted file is cut short")
    cipher = ChaCha20Poly1305(_hkdf(key, nonce, b"payload"))
    starts = range(0, len(rest), CHUNK + 16)
    try:
        parts = [
            cipher.decrypt(_counter(i, s == starts[-1]), rest[s : s + CHUNK + 16], None)
            for i, s in enumerate(starts)
        ]
    except (InvalidTag, ValueError):
        raise BadAge("age-payload", "the encrypted file was altered or cut short") from None
    if len(parts) > 1 and not parts[-1]:
        raise BadAge("age-payload", "the encrypted file ends in an empty part")
    return b"".join(parts)


def _counter(i: int, last: bool) -> bytes:
    return i.to_bytes(11, "big") + (b"\1" if last else b"\0")


# Primitives


def _hkdf(secret: bytes, salt: bytes, info: bytes) -> bytes:
    """HKDF-SHA-256 (RFC 5869), 32 bytes."""
    prk = hmac.new(salt or bytes(32), secret, hashlib.sha256).digest()
    return hmac.new(prk, info + b"\1", hashlib.sha256).digest()


def _exchange(secret: bytes, point: bytes) -> bytes:
    """X25519. Raises ValueError for a point of low order."""
    from cryptography.hazmat.primitives.asymmetric import x25519

    key = x25519.X25519PrivateKey.from_private_bytes(secret)
    return key.exchange(x25519.X25519PublicKey.from_public_bytes(point))


def _base(secret: bytes) -> bytes:
    from cryptography.hazmat.primitives.asymmetric import x25519

    key = x25519.X25519PrivateKey.from_private_bytes(secret)
    return key.public_key().public_bytes_raw()


def _signature_key(wrapping: bytes, key: bytes) -> bytes:
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

    return ChaCha20Poly1305(wrapping).encrypt(bytes(12), key, None)


def _open_key(wrapping: bytes, body: bytes) -> bytes:
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

    return ChaCha20Poly1305(wrapping).decrypt(bytes(12), body, None)


def _oaep() -> OAEP:
    """RSAES-OAEP (RFC 8017) with SHA-256, and age's label."""
    from cryptography.hazmat.primitives.asymmetric.padding import MGF1, OAEP
    from cryptography.hazmat.primitives.hashes import SHA256

    return OAEP(MGF1(SHA256()), SHA256(), RSA_LABEL)


def _montgomery(point: bytes) -> bytes:
    """The X25519 form of an Ed25519 public key: u = (1 + y) / (1 - y)."""
    y = int.from_bytes(point, "little") & ((1 << 255) - 1)
    return ((1 + y) * pow(1 - y, -1, _P) % _P).to_bytes(32, "little")


def _b64(data: bytes) -> bytes:
    return b64encode(data).rstrip(b"=")


def _unb64(text: bytes) -> bytes:
    """Base64 without padding, in its one form. Raises BadAge."""
    try:
        raw = b64decode(text + b"=" * (-len(text) % 4), validate=True)
    except ValueError:
        raw = b"?"
    if _b64(raw) != text:
        raise BadAge("age-form", "the head of the encrypted file is no clean base64")
    return raw


# Bech32 (BIP 173, without its limit of length)


def _to_bech32(name: str, data: bytes) -> str:
    bits = "".join(f"{byte:08b}" for byte in data)
    bits += "0" * (-len(bits) % 5)
    values = [int(bits[i : i + 5], 2) for i in range(0, len(bits), 5)]
    check = _polymod([*_expand(name), *values, 0, 0, 0, 0, 0, 0]) ^ 1
    values += [check >> 5 * (5 - i) & 31 for i in range(6)]
    return f"{name}1" + "".join(_ALPHABET[v] for v in values)


def _from_bech32(name: str, text: str) -> bytes:
    """The 32 bytes of a key. Raises Usage."""
    head, _, tail = text.rpartition("1")
    known = head == name and all(c in _ALPHABET for c in tail)
    values = [_ALPHABET.index(c) for c in tail] if known else []
    bits = "".join(f"{v:05b}" for v in values[:-6])
    raw = bytes(int(bits[i : i + 8], 2) for i in range(0, len(bits) // 8 * 8, 8))
    if len(raw) != 32 or _polymod([*_expand(name), *values]) != 1 or "1" in bits[256:]:
        raise Usage(f"this is no key of the form {name}1...", "`age-keygen` makes one")
    return raw


def _expand(name: str) -> list[int]:
    return [*(ord(c) >> 5 for c in name), 0, *(ord(c) & 31 for c in name)]


def _polymod(values: Sequence[int]) -> int:
    check = 1
    for value in values:
        top, check = check >> 25, (check & 0x1FFFFFF) << 5 ^ value
        for i, g in enumerate((0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)):
            check ^= g if top >> i & 1 else 0
    return check
