"""Encrypt and decrypt age files (age-encryption.org/v1), as the `age` program does.

The format is C2SP's specification of age. Recipients are X25519 (`age1...`), ssh-ed25519 and
ssh-rsa keys, so that a player's SSH key serves for signing and for encrypted mail. Files are
binary; `pbem.crypto.age_armour` converts them to text.

A file proves nothing about its sender: anybody can encrypt to a public key. Callers trust only the
signature inside.
"""

from __future__ import annotations

import hashlib
import hmac
import os
from base64 import b64decode, b64encode
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from pbem.crypto.sshsig import ED25519, RSA, BadSignature, read_field, rsa_numbers, wire_key
from pbem.errors import Findings, Usage

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.padding import OAEP
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey

VERSION = b"age-encryption.org/v1"
X25519_LABEL = VERSION + b"/X25519"
SSH_LABEL = VERSION + b"/ssh-ed25519"
RSA_LABEL = VERSION + b"/ssh-rsa"
KEY = 16
"""Bytes of a file key."""
CHUNK = 64 * 1024
"""Bytes of plain text in each part of the payload."""
LARGEST = 64 * 1024 * 1024
"""Bytes of the largest file that is decrypted. This limit and the next two are stricter than age's:
the files come from strangers, and a header is read before anything in it can be verified."""
LONGEST_HEADER = 16 * 1024
MOST_STANZAS = 20
_COLUMNS = 64
_P = 2**255 - 19
_ALPHABET = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"


class BadAge(Findings):
    """A file that cannot be decrypted. code: one word, for receipts and scripts."""

    def __init__(self, code: str, text: str) -> None:
        hint = "use the key that was enlisted" if code == "not-for-you" else "ask for it again"
        super().__init__(text, hint)
        self.code = code


class Stanza(Struct, frozen=True):
    """The file key, encrypted to one recipient."""

    args: tuple[str, ...]
    """The type of recipient and what else its line says."""
    body: bytes
    """The encrypted file key."""


class Recipient(Struct, frozen=True):
    """A public key that files are encrypted to."""

    point: bytes
    """The X25519 public key, 32 bytes; empty for RSA."""
    wire: bytes = b""
    """The wire form of an SSH key; empty for a key of age's own."""


class Identity(Struct, frozen=True):
    """A private key that decrypts files."""

    secret: bytes
    """The X25519 private key, 32 bytes; empty for RSA."""
    wire: bytes = b""
    """The public wire form of an SSH key; empty for a key of age's own."""
    unwrap: Callable[[bytes], bytes] | None = None
    """Decrypts a stanza's body with an RSA key; raises ValueError. None for other keys."""


def recipient(text: str) -> Recipient:
    """Parse `age1...` or a public key line, `ssh-ed25519 AAAA...` or `ssh-rsa AAAA...`. Raises
    Usage."""
    if text.startswith("age1"):
        point = _from_bech32("age", text.strip())
        try:
            # With a point of low order the shared secret is zero (RFC 7748, 6.1), and encrypting
            # fails. Refuse it here, or one such key would keep mail from all officers of its side.
            _x25519(os.urandom(32), point)
        except ValueError:
            raise Usage(
                "this is not a valid age key: it is a point of low order", "`age-keygen` makes one"
            ) from None
        return Recipient(point)
    try:
        wire = wire_key(text)
        kind, rest = read_field(wire)
        point, _ = read_field(rest)
    except BadSignature as error:
        raise Usage(error.message, error.hint) from None
    if kind == RSA:
        return Recipient(b"", wire)
    if kind != ED25519:
        raise Usage(
            f"mail cannot be encrypted to keys of type {kind.decode('ascii')}",
            "use an age key besides: `pbem join` or age-keygen makes one",
        )
    return Recipient(_montgomery(point), wire)


def identity(text: str) -> Identity:
    """Parse `AGE-SECRET-KEY-1...`. Raises Usage."""
    return Identity(_from_bech32("age-secret-key-", text.strip().lower()))


def identities(content: str) -> list[Identity]:
    """Parse a key file of `age-keygen`: one key per line, and comments. Raises Usage."""
    lines = [line.strip() for line in content.splitlines()]
    return [identity(line) for line in lines if line and not line.startswith("#")]


def ssh_identity(seed: bytes, wire: bytes) -> Identity:
    """Make the identity of an Ed25519 SSH key from its 32-byte seed and public wire form.

    The first half of the seed's SHA-512 is the private scalar (RFC 8032, 5.1.5). X25519 clamps it
    in the same way.
    """
    return Identity(hashlib.sha512(seed).digest()[:32], wire)


def rsa_identity(key: RSAPrivateKey, wire: bytes) -> Identity:
    """Make the identity of an RSA SSH key. wire: its public wire form."""
    return Identity(b"", wire, lambda body: key.decrypt(body, _oaep()))


def public(secret: Identity) -> str:
    """Return the recipient, `age1...`, of an X25519 identity."""
    return _to_bech32("age", _public_point(secret.secret))


def generate() -> str:
    """Make a new private key, `AGE-SECRET-KEY-1...`."""
    return _to_bech32("age-secret-key-", os.urandom(32)).upper()


def encrypt(plain: bytes, to: Sequence[Recipient]) -> bytes:
    """Encrypt to an age file that each of `to` can decrypt. Raises ValueError if `to` is empty."""
    if not to:
        raise ValueError("a file needs at least one recipient")
    key = os.urandom(KEY)
    lines = [VERSION]
    for each in to:
        stanza = _wrap(key, each)
        lines.append(b"-> " + " ".join(stanza.args).encode("ascii"))
        lines += _columns(stanza.body)
    head = b"\n".join([*lines, b"---"])
    nonce = os.urandom(16)
    return b"".join([head, b" ", _b64(_mac(key, head)), b"\n", nonce, *_chunks(key, nonce, plain)])


def decrypt(content: bytes, who: Sequence[Identity]) -> bytes:
    """Decrypt an age file. Raises BadAge: `age-form`, `not-for-you`, `age-mac`, `age-payload`."""
    if len(content) > LARGEST:
        raise BadAge("age-form", "the encrypted file is too long")
    stanzas, head, mac, payload = _header(content)
    key = next((k for s in stanzas for i in who if (k := _unwrap(s, i))), None)
    if key is None:
        raise BadAge("not-for-you", "the file is encrypted to other keys than yours")
    # Compare in constant time: the time must not tell how much of a guessed MAC is right.
    if not hmac.compare_digest(_mac(key, head), mac):
        raise BadAge("age-mac", "the head of the encrypted file was altered")
    return _decrypt_payload(key, payload)


# The header


def _header(content: bytes) -> tuple[list[Stanza], bytes, bytes, bytes]:
    """Split a file into its stanzas, the bytes that the MAC covers, the MAC, and the payload.

    Raises BadAge (`age-form`).
    """
    end = content.find(b"\n--- ", 0, LONGEST_HEADER)
    stop = content.find(b"\n", end + 1, LONGEST_HEADER + 100)
    if not content.startswith(VERSION + b"\n") or end < 0 or stop < 0:
        raise BadAge("age-form", "this is not an age file")
    lines = content[len(VERSION) + 1 : end + 1].split(b"\n")[:-1]
    mac = _unb64(content[end + 5 : stop])
    return _stanzas(lines), content[: end + 4], mac, content[stop + 1 :]


def _stanzas(lines: list[bytes]) -> list[Stanza]:
    """Parse the stanzas: each is a line `-> TYPE ARGUMENT...` and a body in base64 lines.

    All lines of a body but the last have 64 characters, so a body of whole lines ends in an empty
    one. Raises BadAge (`age-form`).
    """
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
    """Split base64 into lines of 64 characters; the last is shorter, and may be empty."""
    text = _b64(body)
    return [text[i : i + _COLUMNS] for i in range(0, len(text) + 1, _COLUMNS)]


def _mac(key: bytes, head: bytes) -> bytes:
    """The header's HMAC-SHA-256. It keeps anybody without the file key from changing stanzas."""
    return hmac.new(_hkdf(key, b"", b"header"), head, hashlib.sha256).digest()


# The file key


def _wrap(key: bytes, to: Recipient) -> Stanza:
    """Encrypt the file key to one recipient, with a key pair used only for this stanza."""
    if not to.point:
        from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicNumbers

        public = RSAPublicNumbers(*rsa_numbers(to.wire)).public_key()
        return Stanza(("ssh-rsa", _tag(to.wire)), public.encrypt(key, _oaep()))
    secret = os.urandom(32)
    share = _public_point(secret)
    shared = _x25519(secret, to.point)
    body = _encrypt_key(_wrapping(shared, share, to.point, to.wire), key)
    word = _b64(share).decode("ascii")
    if to.wire:
        return Stanza(("ssh-ed25519", _tag(to.wire), word), body)
    return Stanza(("X25519", word), body)


def _unwrap(stanza: Stanza, who: Identity) -> bytes | None:
    """Decrypt the file key, None if the stanza is for somebody else. Raises BadAge (`age-form`)."""
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
    point = _public_point(who.secret)
    try:
        shared = _x25519(who.secret, share)
        return _decrypt_key(_wrapping(shared, share, point, who.wire), stanza.body)
    except InvalidTag:  # an X25519 stanza does not say whose it is, so a failure means: another's
        return None
    except ValueError:  # a share of low order, which the specification has readers refuse
        raise BadAge("age-form", "a wrapped key of the encrypted file is malformed") from None


def _unwrap_rsa(stanza: Stanza, who: Identity, unwrap: Callable[[bytes], bytes]) -> bytes | None:
    """As `_unwrap`, for an RSA key."""
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
    """Derive the key that encrypts the file key.

    share: the public key of the stanza; point: that of the recipient; wire: empty for X25519. For
    an SSH key, a scalar derived from its wire form (the specification's "tweak") multiplies the
    shared secret first, which binds the secret to that SSH key.
    """
    if wire:
        shared = _x25519(_hkdf(b"", wire, SSH_LABEL), shared)
    return _hkdf(shared, share + point, SSH_LABEL if wire else X25519_LABEL)


def _tag(wire: bytes) -> str:
    """The short name by which a stanza says which SSH key it is for."""
    return _b64(hashlib.sha256(wire).digest()[:4]).decode("ascii")


# The payload


def _chunks(key: bytes, nonce: bytes, plain: bytes) -> list[bytes]:
    """Encrypt the payload in parts of 64 KiB (the STREAM construction)."""
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

    cipher = ChaCha20Poly1305(_hkdf(key, nonce, b"payload"))
    starts = range(0, max(1, len(plain)), CHUNK)
    last = starts[-1]
    return [
        cipher.encrypt(_counter(i, start == last), plain[start : start + CHUNK], None)
        for i, start in enumerate(starts)
    ]


def _decrypt_payload(key: bytes, payload: bytes) -> bytes:
    """Decrypt the payload: a nonce of 16 bytes, then the parts. Raises BadAge (`age-payload`)."""
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
    """The nonce of part i. The flag of the last part is what reveals a file that was cut short."""
    return i.to_bytes(11, "big") + (b"\1" if last else b"\0")


# Primitives


def _hkdf(secret: bytes, salt: bytes, info: bytes) -> bytes:
    """Derive 32 bytes by HKDF-SHA-256 (RFC 5869). One block of output is enough for them."""
    prk = hmac.new(salt or bytes(32), secret, hashlib.sha256).digest()
    return hmac.new(prk, info + b"\1", hashlib.sha256).digest()


def _x25519(secret: bytes, point: bytes) -> bytes:
    """X25519 (RFC 7748). Raises ValueError for a point of low order."""
    from cryptography.hazmat.primitives.asymmetric import x25519

    key = x25519.X25519PrivateKey.from_private_bytes(secret)
    return key.exchange(x25519.X25519PublicKey.from_public_bytes(point))


def _public_point(secret: bytes) -> bytes:
    """The X25519 public key of a private one."""
    from cryptography.hazmat.primitives.asymmetric import x25519

    key = x25519.X25519PrivateKey.from_private_bytes(secret)
    return key.public_key().public_bytes_raw()


def _encrypt_key(wrapping: bytes, key: bytes) -> bytes:
    """Encrypt a file key. The nonce may be zero: a wrapping key is used once."""
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

    return ChaCha20Poly1305(wrapping).encrypt(bytes(12), key, None)


def _decrypt_key(wrapping: bytes, body: bytes) -> bytes:
    """Decrypt a file key. Raises InvalidTag."""
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

    return ChaCha20Poly1305(wrapping).decrypt(bytes(12), body, None)


def _oaep() -> OAEP:
    """RSAES-OAEP (RFC 8017, 7.1) with SHA-256 and age's label."""
    from cryptography.hazmat.primitives.asymmetric.padding import MGF1, OAEP
    from cryptography.hazmat.primitives.hashes import SHA256

    return OAEP(MGF1(SHA256()), SHA256(), RSA_LABEL)


def _montgomery(point: bytes) -> bytes:
    """Convert an Ed25519 public key to X25519: u = (1 + y) / (1 - y) (RFC 7748, 4.1).

    The top bit of the encoding is the sign of x, which u does not depend on.
    """
    y = int.from_bytes(point, "little") & ((1 << 255) - 1)
    return ((1 + y) * pow(1 - y, -1, _P) % _P).to_bytes(32, "little")


def _b64(data: bytes) -> bytes:
    return b64encode(data).rstrip(b"=")


def _unb64(text: bytes) -> bytes:
    """Decode base64 without padding; only its canonical form is accepted. Raises BadAge.

    The specification demands this: otherwise one file would have several valid headers.
    """
    try:
        raw = b64decode(text + b"=" * (-len(text) % 4), validate=True)
    except ValueError:
        raw = b"?"
    if _b64(raw) != text:
        raise BadAge("age-form", "the head of the encrypted file is not clean base64")
    return raw


# Bech32 (BIP 173, without its limit of length)


def _to_bech32(name: str, data: bytes) -> str:
    """Encode bytes: the name, `1`, groups of five bits, and a checksum of six characters."""
    bits = "".join(f"{byte:08b}" for byte in data)
    bits += "0" * (-len(bits) % 5)
    values = [int(bits[i : i + 5], 2) for i in range(0, len(bits), 5)]
    check = _polymod([*_expand(name), *values, 0, 0, 0, 0, 0, 0]) ^ 1
    values += [check >> 5 * (5 - i) & 31 for i in range(6)]
    return f"{name}1" + "".join(_ALPHABET[v] for v in values)


def _from_bech32(name: str, text: str) -> bytes:
    """Decode the 32 bytes of a key. name: what must precede the `1`. Raises Usage.

    The checksum finds typing mistakes; the bits that pad the last group must be zero.
    """
    head, _, tail = text.rpartition("1")
    known = head == name and all(c in _ALPHABET for c in tail)
    values = [_ALPHABET.index(c) for c in tail] if known else []
    bits = "".join(f"{v:05b}" for v in values[:-6])
    raw = bytes(int(bits[i : i + 8], 2) for i in range(0, len(bits) // 8 * 8, 8))
    if len(raw) != 32 or _polymod([*_expand(name), *values]) != 1 or "1" in bits[256:]:
        raise Usage(f"this is not a valid key of the form {name}1...", "`age-keygen` makes one")
    return raw


def _expand(name: str) -> list[int]:
    """The name as the checksum covers it."""
    return [*(ord(c) >> 5 for c in name), 0, *(ord(c) & 31 for c in name)]


def _polymod(values: Sequence[int]) -> int:
    """BIP 173's checksum over groups of five bits; 1 for a valid text."""
    check = 1
    for value in values:
        top, check = check >> 25, (check & 0x1FFFFFF) << 5 ^ value
        for i, g in enumerate((0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)):
            check ^= g if top >> i & 1 else 0
    return check
