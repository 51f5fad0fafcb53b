"""SSH signatures (OpenSSH PROTOCOL.sshsig), strictly: what is not exactly right is refused.

`verify` raises and never returns False. Keys are OpenSSH public keys in wire form (the bytes
that the base64 of a `.pub` line holds). Bytes: docs/formats.md, "Signatures".
"""

from __future__ import annotations

import base64
import binascii
import hashlib
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol, TypeVar

from pbem.base.hashing import tlv
from pbem.errors import Findings

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurve

T = TypeVar("T")

MAGIC = b"SSHSIG"
VERSION = b"\0\0\0\1"
MAX_BLOB = 8192
BARE = 64
MIN_RSA, MAX_RSA = 2048, 16384
ED25519 = b"ssh-ed25519"
RSA = b"ssh-rsa"
CURVES = {b"nistp256": 32, b"nistp384": 48, b"nistp521": 66}
ECDSA = {b"ecdsa-sha2-" + curve: curve for curve in CURVES}
RSA_SIGNATURES = {b"rsa-sha2-256": "SHA256", b"rsa-sha2-512": "SHA512"}
HASHES = {b"sha256": hashlib.sha256, b"sha512": hashlib.sha512}
_EC_HASH = {b"nistp256": "SHA256", b"nistp384": "SHA384", b"nistp521": "SHA512"}
_P = 2**255 - 19
_D = -121665 * pow(121666, -1, _P) % _P
_Y8 = 0x7A03AC9277FDC74EC6CC392CFA53202A0F67100D760B3CBA4FD84D3D706A17C7
_SMALL_ORDER = (0, 1, _P - 1, _Y8, _P - _Y8)
"""Where the points of order 1, 2, 4 and 8 of edwards25519 lie, by y."""
_BEGIN, _FINISH = b"-----BEGIN SSH SIGNATURE-----", b"-----END SSH SIGNATURE-----"
_ARMOUR_WIDTH = 70


class BadSignature(Findings):
    """A key or signature that is not accepted. code: a word, for receipts and scripts."""

    def __init__(self, code: str, text: str, hint: str = "") -> None:
        super().__init__(text, hint)
        self.code = code


class PrivateKey(Protocol):
    """A private key of any accepted type; `pbem.crypto.private_keys` reads and makes them."""

    @property
    def wire(self) -> bytes:
        """Its public key."""
        ...

    def sign(self, data: bytes) -> bytes:
        """The SSH signature field (type and signature) over `data`."""
        ...


class Parts:
    """The fields of a signature blob, as they stand in it."""

    __slots__ = ("algorithm", "key", "namespace", "signature")

    def __init__(self, key: bytes, namespace: bytes, algorithm: bytes, signature: bytes) -> None:
        self.key, self.namespace = key, namespace
        self.algorithm, self.signature = algorithm, signature

    def covered(self, message: bytes) -> bytes:
        """The bytes that are signed for `message`."""
        digest = HASHES[self.algorithm](message).digest()
        return MAGIC + tlv(self.namespace) + tlv(b"") + tlv(self.algorithm) + tlv(digest)

    def blob(self) -> bytes:
        """The whole signature as it is stored and sent."""
        fields = (self.key, self.namespace, b"", self.algorithm, self.signature)
        return MAGIC + VERSION + b"".join(map(tlv, fields))


def sign(message: bytes, key: PrivateKey, namespace: str, algorithm: bytes = b"sha512") -> bytes:
    """The signature blob over `message` in `namespace`, what `ssh-keygen -Y sign` makes."""
    parts = Parts(key.wire, namespace.encode("ascii"), algorithm, b"")
    parts.signature = key.sign(parts.covered(message))
    return parts.blob()


def bare(signature: bytes) -> bytes:
    """The short form for order files and order digests: of an Ed25519 signature with sha512 its
    64 raw bytes, since all else is known; of any other the whole blob. Of a short form itself.
    Raises BadSignature."""
    if len(signature) == BARE:
        return signature
    parts = parse(signature)
    ours = tlv(ED25519) + b"\0\0\0" + bytes([BARE])
    short = parts.algorithm == b"sha512" and len(parts.signature) == len(ours) + BARE
    return parts.signature[-BARE:] if short and parts.signature.startswith(ours) else signature


def verify(message: bytes, signature: bytes, namespace: str, allowed: Mapping[bytes, T]) -> T:
    """Whose signature this is: the value that `allowed` holds for its key, in wire form.

    signature: a blob, or its `bare` form. Raises BadSignature, whose code says what is wrong.
    """
    if len(signature) == BARE:
        return _verify_bare(message, signature, namespace, allowed)
    parts = parse(signature)
    if parts.namespace != namespace.encode("ascii"):
        said = parts.namespace.decode("ascii", "backslashreplace")
        raise BadSignature("namespace", f"it was signed as {said!r}, not as {namespace!r}")
    if parts.key not in allowed:
        raise BadSignature(
            "unknown-key",
            f"no registered key made this signature; it was made by {fingerprint(parts.key)}",
            "sign with a key that signs for your side now",
        )
    _verify_field(parts.key, parts.signature, parts.covered(message))
    return allowed[parts.key]


def _verify_bare(message: bytes, raw: bytes, namespace: str, allowed: Mapping[bytes, T]) -> T:
    """A bare signature does not name its key: it is held against every Ed25519 key."""
    for wire, owner in allowed.items():
        if take(wire)[0] != ED25519:
            continue
        parts = Parts(wire, namespace.encode("ascii"), b"sha512", b"")
        try:
            _check_ed25519(wire, ED25519, raw, parts.covered(message))
        except BadSignature:
            continue
        return owner
    raise BadSignature(
        "bad-signature",
        "the signature fits none of the registered keys, or the text was changed after signing",
        "send the file exactly as it was signed, with a key of your side",
    )


def parse(signature: bytes) -> Parts:
    """The fields of a signature blob. Raises BadSignature; nothing is verified here."""
    if len(signature) > MAX_BLOB:
        raise BadSignature("oversize", f"a signature of {len(signature)} bytes is too long")
    if not signature.startswith(MAGIC):
        raise BadSignature("not-a-signature", "this is no SSH signature")
    if signature[6:10] != VERSION:
        raise BadSignature("version", "this version of SSH signatures is unknown")
    rest = signature[10:]
    key, rest = take(rest)
    namespace, rest = take(rest)
    reserved, rest = take(rest)
    algorithm, rest = take(rest)
    field, rest = take(rest)
    _require_end(rest)
    if reserved:
        raise BadSignature("reserved", "the signature's reserved field is not empty")
    if algorithm not in HASHES:
        raise BadSignature("hash", "the signature's hash is neither sha256 nor sha512")
    return Parts(key, namespace, algorithm, field)


def armour(signature: bytes) -> str:
    """A blob as `ssh-keygen -Y sign` writes it to a file."""
    text = base64.b64encode(signature)
    lines = [text[i : i + _ARMOUR_WIDTH] for i in range(0, len(text), _ARMOUR_WIDTH)]
    return b"\n".join([_BEGIN, *lines, _FINISH, b""]).decode("ascii")


def dearmour(text: bytes) -> bytes:
    """The blob of one armoured signature; only white space may stand around it.

    Raises BadSignature.
    """
    if len(text) > 2 * MAX_BLOB:
        raise BadSignature("oversize", "the signature block is too long")
    inner = text.strip()
    if not (inner.startswith(_BEGIN) and inner.endswith(_FINISH)):
        raise BadSignature("armour", "this is not one SSH signature block")
    packed = b"".join(inner[len(_BEGIN) : -len(_FINISH)].split())
    return _unbase64(packed, "armour", "the signature block is damaged: it is no clean base64")


def wire_key(line: str) -> bytes:
    """The wire form of a public key line: `ssh-ed25519 AAAA... comment`.

    Raises BadSignature (key-form, key-type, key-size) for what could not verify a signature.
    """
    words = line.split()
    if len(words) < 2:
        raise BadSignature("key-form", "this is no public key line: TYPE BASE64 COMMENT")
    wire = _unbase64(words[1].encode("utf-8"), "key-form", "the public key is no clean base64")
    kind, _ = take(wire)
    if kind != words[0].encode("utf-8"):
        raise BadSignature("key-form", f"the line says {words[0]}, the key itself says otherwise")
    require_key(wire)
    return wire


def require_key(wire: bytes) -> None:
    """Raise BadSignature unless `wire` is a whole and sound public key of an accepted type."""
    kind, _ = take(wire)
    if kind == ED25519:
        _ed25519_point(wire)
    elif kind == RSA:
        rsa_numbers(wire)
    elif kind in ECDSA:
        _ec_key(wire)
    else:
        raise BadSignature(
            "key-type",
            f"keys of type {kind.decode('ascii', 'backslashreplace')} are not accepted",
            "use an ed25519 key (`pbem keygen`), ecdsa, or rsa of 2048 bits and more",
        )


def public_line(wire: bytes, comment: str = "") -> str:
    """The `.pub` line of a key, without a newline."""
    kind, _ = take(wire)
    text = f"{kind.decode('ascii')} {base64.b64encode(wire).decode('ascii')}"
    return f"{text} {comment}" if comment else text


def fingerprint(wire: bytes) -> str:
    """`SHA256:...`, as `ssh-keygen -l` prints it."""
    digest = base64.b64encode(hashlib.sha256(wire).digest()).rstrip(b"=")
    return "SHA256:" + digest.decode("ascii")


def key_digest(wire: bytes) -> str:
    """The hex name of a key: the first 16 digits of the SHA-256 of its wire form."""
    return hashlib.sha256(wire).hexdigest()[:16]


def mpint(number: int) -> bytes:
    """A positive number as SSH writes it: big-endian, shortest, top bit clear; no length."""
    return number.to_bytes(number.bit_length() // 8 + 1, "big")


def take(data: bytes) -> tuple[bytes, bytes]:
    """The first length-prefixed field, and the rest. Raises BadSignature."""
    end = 4 + int.from_bytes(data[:4], "big")
    if len(data) < 4 or end > len(data):
        raise BadSignature("truncated", "a key or signature is cut short")
    return data[4:end], data[end:]


def _take_number(data: bytes, code: str = "signature-form") -> tuple[int, bytes]:
    """The first mpint, positive and in its one shortest form, and the rest."""
    field, rest = take(data)
    number = int.from_bytes(field, "big", signed=True)
    if number <= 0 or field != mpint(number):
        raise BadSignature(code, "a number in a key or signature is malformed")
    return number, rest


def _require_end(rest: bytes) -> None:
    if rest:
        raise BadSignature("trailing-bytes", "something stands behind a key or signature")


def _ed25519_point(wire: bytes) -> bytes:
    _, rest = take(wire)
    point, rest = take(rest)
    _require_end(rest)
    if len(point) != 32:
        raise BadSignature("key-form", "an ed25519 key has 32 bytes")
    if fault := _point_fault(point):
        raise BadSignature("key-form", f"this ed25519 key {fault}", "`pbem keygen` makes one")
    return point


@lru_cache(1024)
def _point_fault(point: bytes) -> str:
    """What is wrong with the encoding of an Ed25519 public key (RFC 8032, 5.1.3), if anything.

    With a point of small order anybody can sign: its owner could deny whatever he signed. Points
    of full order plus a small one are let be: to sign for them takes the private key.
    """
    number = int.from_bytes(point, "little")
    y, sign = number & ((1 << 255) - 1), number >> 255
    square = (y * y - 1) * pow(_D * y * y + 1, -1, _P) % _P  # of x
    if y >= _P or (sign and not square):
        return "is not in its one form"
    if y in _SMALL_ORDER:
        return "is of small order: anybody could sign with it"
    return "" if pow(square, (_P - 1) // 2, _P) == 1 else "is no point of the curve"


def rsa_numbers(wire: bytes) -> tuple[int, int]:
    """Exponent and modulus of an RSA key in wire form. Raises BadSignature."""
    _, rest = take(wire)
    exponent, rest = _take_number(rest, "key-form")
    modulus, rest = _take_number(rest, "key-form")
    _require_end(rest)
    if not MIN_RSA <= modulus.bit_length() <= MAX_RSA:
        bits = modulus.bit_length()
        raise BadSignature(
            "key-size", f"an RSA key of {bits} bits is not accepted", f"at least {MIN_RSA} bits"
        )
    if exponent < 3 or exponent % 2 == 0 or exponent.bit_length() > 64 or modulus % 2 == 0:
        raise BadSignature("key-form", "this is no RSA key")
    return exponent, modulus


def _ec_key(wire: bytes) -> tuple[bytes, bytes]:
    """Curve name and point, uncompressed and on the curve."""
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePublicKey

    kind, rest = take(wire)
    curve, rest = take(rest)
    point, rest = take(rest)
    _require_end(rest)
    if curve != ECDSA[kind] or len(point) != 1 + 2 * CURVES[curve] or point[0] != 4:
        raise BadSignature("key-form", "this ecdsa key is malformed")
    try:
        EllipticCurvePublicKey.from_encoded_point(_curve(curve), point)
    except ValueError:
        raise BadSignature("key-form", "this ecdsa key is no point of its curve") from None
    return curve, point


def _curve(name: bytes) -> EllipticCurve:
    from cryptography.hazmat.primitives.asymmetric import ec

    curves: dict[bytes, EllipticCurve] = {
        b"nistp256": ec.SECP256R1(),
        b"nistp384": ec.SECP384R1(),
        b"nistp521": ec.SECP521R1(),
    }
    return curves[name]


def _unbase64(packed: bytes, code: str, text: str) -> bytes:
    """Canonical base64 only: exactly what we would write."""
    try:
        raw = base64.b64decode(packed, validate=True)
    except (binascii.Error, ValueError):
        raise BadSignature(code, text) from None
    if base64.b64encode(raw) != packed:
        raise BadSignature(code, text)
    return raw


def _verify_field(wire: bytes, field: bytes, data: bytes) -> None:
    """Check one SSH signature field; each key type imports only what it needs."""
    kind, _ = take(wire)
    made_by, rest = take(field)
    blob, rest = take(rest)
    _require_end(rest)
    require_key(wire)
    if made_by not in (RSA_SIGNATURES if kind == RSA else (kind,)):
        said = made_by.decode("ascii", "backslashreplace")
        raise BadSignature(
            "signature-type", f"a signature of type {said} is not accepted of this key"
        )
    check = _check_rsa if kind == RSA else _check_ed25519 if kind == ED25519 else _check_ecdsa
    check(wire, made_by, blob, data)


def _check_ed25519(wire: bytes, made_by: bytes, blob: bytes, data: bytes) -> None:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    if len(blob) != 64:
        raise BadSignature("signature-form", "an ed25519 signature has 64 bytes")
    try:
        Ed25519PublicKey.from_public_bytes(_ed25519_point(wire)).verify(blob, data)
    except InvalidSignature:
        raise _mismatch() from None


def _check_rsa(wire: bytes, made_by: bytes, blob: bytes, data: bytes) -> None:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicNumbers

    exponent, modulus = rsa_numbers(wire)
    if len(blob) != (modulus.bit_length() + 7) // 8:
        raise BadSignature("signature-form", "an RSA signature is as long as its modulus")
    digest = getattr(hashes, RSA_SIGNATURES[made_by])()
    try:
        RSAPublicNumbers(exponent, modulus).public_key().verify(blob, data, PKCS1v15(), digest)
    except InvalidSignature:
        raise _mismatch() from None


def _check_ecdsa(wire: bytes, made_by: bytes, blob: bytes, data: bytes) -> None:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec, utils

    r, rest = _take_number(blob)
    s, rest = _take_number(rest)
    _require_end(rest)
    digest = getattr(hashes, _EC_HASH[ECDSA[made_by]])()
    curve, point = _ec_key(wire)
    key = ec.EllipticCurvePublicKey.from_encoded_point(_curve(curve), point)
    try:
        key.verify(utils.encode_dss_signature(r, s), data, ec.ECDSA(digest))
    except InvalidSignature:
        raise _mismatch() from None


def _mismatch() -> BadSignature:
    return BadSignature(
        "bad-signature",
        "the signature does not fit the text: one of them was changed after signing",
        "send the file exactly as it was signed, or sign it again",
    )
