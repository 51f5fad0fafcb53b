"""Make and verify SSH signatures (OpenSSH's PROTOCOL.sshsig).

Reading is strict: every key and signature has one accepted form. If there were several, anybody
could turn a valid signature into another valid one, with another digest in ledger and lock.

`verify` raises and never returns False, so a caller cannot ignore its result. Keys are OpenSSH
public keys in wire form (the bytes that the base64 of a `.pub` line encodes). Bytes:
docs/formats.md, "Signatures".
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
"""Bytes of the longest signature that is read; one by the largest RSA key has about 4300."""
BARE = 64
"""Bytes of an Ed25519 signature (RFC 8032, 5.1.6). Every blob is longer, so length tells the forms
apart."""
MIN_RSA, MAX_RSA = 2048, 16384
"""Bits of an RSA modulus: what is still secure, and what can still be verified quickly."""
ED25519 = b"ssh-ed25519"
RSA = b"ssh-rsa"
CURVES = {b"nistp256": 32, b"nistp384": 48, b"nistp521": 66}
"""The curves of ECDSA keys (FIPS 186), each with the bytes of a coordinate."""
ECDSA = {b"ecdsa-sha2-" + curve: curve for curve in CURVES}
RSA_SIGNATURES = {b"rsa-sha2-256": "SHA256", b"rsa-sha2-512": "SHA512"}
"""Signature types of RSA keys (RFC 8332). The type `ssh-rsa`, which uses SHA-1, is refused."""
HASHES = {b"sha256": hashlib.sha256, b"sha512": hashlib.sha512}
_EC_HASH = {b"nistp256": "SHA256", b"nistp384": "SHA384", b"nistp521": "SHA512"}
_P = 2**255 - 19
_D = -121665 * pow(121666, -1, _P) % _P
_Y8 = 0x7A03AC9277FDC74EC6CC392CFA53202A0F67100D760B3CBA4FD84D3D706A17C7
_SMALL_ORDER = (0, 1, _P - 1, _Y8, _P - _Y8)
"""The y coordinates of the eight points of edwards25519 whose order is 1, 2, 4 or 8."""
_BEGIN, _FINISH = b"-----BEGIN SSH SIGNATURE-----", b"-----END SSH SIGNATURE-----"
_ARMOUR_WIDTH = 70


class BadSignature(Findings):
    """A key or signature that is refused. code: one word, for receipts and scripts."""

    def __init__(self, code: str, text: str, hint: str = "") -> None:
        super().__init__(text, hint)
        self.code = code


class PrivateKey(Protocol):
    """A private key of any accepted type; `pbem.crypto.private_keys` reads and makes them."""

    @property
    def wire(self) -> bytes:
        """Its public key in wire form."""
        ...

    def sign(self, data: bytes) -> bytes:
        """Return the SSH signature field (type and signature) over `data`."""
        ...


class Parts:
    """The fields of a signature blob, undecoded."""

    __slots__ = ("algorithm", "key", "namespace", "signature")

    def __init__(self, key: bytes, namespace: bytes, algorithm: bytes, signature: bytes) -> None:
        self.key, self.namespace = key, namespace
        self.algorithm, self.signature = algorithm, signature

    def covered(self, message: bytes) -> bytes:
        """Return the bytes that are signed for `message`.

        They hold the namespace, so a signature that was made for one purpose is not valid for
        another.
        """
        digest = HASHES[self.algorithm](message).digest()
        return MAGIC + tlv(self.namespace) + tlv(b"") + tlv(self.algorithm) + tlv(digest)

    def blob(self) -> bytes:
        """Return the whole signature as it is stored and sent."""
        fields = (self.key, self.namespace, b"", self.algorithm, self.signature)
        return MAGIC + VERSION + b"".join(map(tlv, fields))


def sign(message: bytes, key: PrivateKey, namespace: str, algorithm: bytes = b"sha512") -> bytes:
    """Sign `message` in `namespace`, as `ssh-keygen -Y sign` does. Returns the blob."""
    parts = Parts(key.wire, namespace.encode("ascii"), algorithm, b"")
    parts.signature = key.sign(parts.covered(message))
    return parts.blob()


def bare(signature: bytes) -> bytes:
    """Return the bare form of a signature, for order files and order digests.

    For an Ed25519 signature with sha512 these are its 64 raw bytes, since the verifier knows the
    other fields; for any other signature the whole blob. A bare form is returned unchanged. Raises
    BadSignature.
    """
    if len(signature) == BARE:
        return signature
    parts = parse(signature)
    head = tlv(ED25519) + b"\0\0\0" + bytes([BARE])
    short = parts.algorithm == b"sha512" and len(parts.signature) == len(head) + BARE
    return parts.signature[-BARE:] if short and parts.signature.startswith(head) else signature


def verify(message: bytes, signature: bytes, namespace: str, allowed: Mapping[bytes, T]) -> T:
    """Verify a signature and return the value that `allowed` has for its key.

    signature: a blob, or its `bare` form; allowed: public key in wire form to any value. Raises
    BadSignature with a code that says what is wrong.
    """
    if len(signature) == BARE:
        return _verify_bare(message, signature, namespace, allowed)
    parts = parse(signature)
    if parts.namespace != namespace.encode("ascii"):
        found = parts.namespace.decode("ascii", "backslashreplace")
        raise BadSignature("namespace", f"it was signed as {found!r}, not as {namespace!r}")
    if parts.key not in allowed:
        raise BadSignature(
            "unknown-key",
            f"no registered key made this signature; it was made by {fingerprint(parts.key)}",
            "sign with a key that signs for your side now",
        )
    _verify_field(parts.key, parts.signature, parts.covered(message))
    return allowed[parts.key]


def _verify_bare(message: bytes, raw: bytes, namespace: str, allowed: Mapping[bytes, T]) -> T:
    """Verify a bare signature. It does not name its key, so try every Ed25519 key."""
    for wire, owner in allowed.items():
        if read_field(wire)[0] != ED25519:
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
    """Split a signature blob into its fields, without verifying it. Raises BadSignature."""
    if len(signature) > MAX_BLOB:
        raise BadSignature("oversize", f"a signature of {len(signature)} bytes is too long")
    if not signature.startswith(MAGIC):
        raise BadSignature("not-a-signature", "this is not an SSH signature")
    if signature[6:10] != VERSION:
        raise BadSignature("version", "this version of SSH signatures is unknown")
    rest = signature[10:]
    key, rest = read_field(rest)
    namespace, rest = read_field(rest)
    reserved, rest = read_field(rest)
    algorithm, rest = read_field(rest)
    field, rest = read_field(rest)
    _require_end(rest)
    if reserved:
        raise BadSignature("reserved", "the signature's reserved field is not empty")
    if algorithm not in HASHES:
        raise BadSignature("hash", "the signature's hash is neither sha256 nor sha512")
    return Parts(key, namespace, algorithm, field)


def armour(signature: bytes) -> str:
    """Encode a blob as the text that `ssh-keygen -Y sign` writes to a file."""
    text = base64.b64encode(signature)
    lines = [text[i : i + _ARMOUR_WIDTH] for i in range(0, len(text), _ARMOUR_WIDTH)]
    return b"\n".join([_BEGIN, *lines, _FINISH, b""]).decode("ascii")


def dearmour(text: bytes) -> bytes:
    """Decode one armoured signature. Only white space may surround it. Raises BadSignature."""
    if len(text) > 2 * MAX_BLOB:
        raise BadSignature("oversize", "the signature block is too long")
    inner = text.strip()
    if not (inner.startswith(_BEGIN) and inner.endswith(_FINISH)):
        raise BadSignature("armour", "this is not one SSH signature block")
    packed = b"".join(inner[len(_BEGIN) : -len(_FINISH)].split())
    return _unbase64(packed, "armour", "the signature block is damaged: it is not clean base64")


def wire_key(line: str) -> bytes:
    """Return the wire form of a public key line: `ssh-ed25519 AAAA... comment`.

    Raises BadSignature (key-form, key-type, key-size) for a key that `require_key` refuses.
    """
    words = line.split()
    if len(words) < 2:
        raise BadSignature("key-form", "this is not a public key line: TYPE BASE64 COMMENT")
    wire = _unbase64(words[1].encode("utf-8"), "key-form", "the public key is not clean base64")
    kind, _ = read_field(wire)
    if kind != words[0].encode("utf-8"):
        raise BadSignature("key-form", f"the line says {words[0]}, the key itself says otherwise")
    require_key(wire)
    return wire


def require_key(wire: bytes) -> None:
    """Raise BadSignature unless `wire` is a complete and valid public key of an accepted type.

    A key that proves nothing is refused here, before it is registered: its owner could later deny
    every signature (docs/trust.md, "Keys").
    """
    kind, _ = read_field(wire)
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
            "use an ed25519 key (`pbem keygen`), ecdsa, or rsa of at least 2048 bits",
        )


def public_line(wire: bytes, comment: str = "") -> str:
    """Return the `.pub` line of a key, without a newline."""
    kind, _ = read_field(wire)
    text = f"{kind.decode('ascii')} {base64.b64encode(wire).decode('ascii')}"
    return f"{text} {comment}" if comment else text


def fingerprint(wire: bytes) -> str:
    """Return the fingerprint, `SHA256:...`, as `ssh-keygen -l` prints it."""
    digest = base64.b64encode(hashlib.sha256(wire).digest()).rstrip(b"=")
    return "SHA256:" + digest.decode("ascii")


def key_digest(wire: bytes) -> str:
    """Return the name of a key: the first 16 hex digits of the SHA-256 of its wire form."""
    return hashlib.sha256(wire).hexdigest()[:16]


def mpint(number: int) -> bytes:
    """Encode a positive number as SSH does (RFC 4251, 5), without the length before it.

    The form is big-endian and the shortest in which the top bit, the sign, is clear.
    """
    return number.to_bytes(number.bit_length() // 8 + 1, "big")


def read_field(data: bytes) -> tuple[bytes, bytes]:
    """Split off the first field with a length prefix. Returns the field and the rest.

    Raises BadSignature.
    """
    end = 4 + int.from_bytes(data[:4], "big")
    if len(data) < 4 or end > len(data):
        raise BadSignature("truncated", "a key or signature is cut short")
    return data[4:end], data[end:]


def _read_number(data: bytes, code: str = "signature-form") -> tuple[int, bytes]:
    """Split off the first mpint, which must be positive and in its shortest form.

    Returns the number and the rest. Raises BadSignature with the given code.
    """
    field, rest = read_field(data)
    number = int.from_bytes(field, "big", signed=True)
    if number <= 0 or field != mpint(number):
        raise BadSignature(code, "a number in a key or signature is malformed")
    return number, rest


def _require_end(rest: bytes) -> None:
    """Refuse bytes after a key or signature, which would not be covered by anything."""
    if rest:
        raise BadSignature("trailing-bytes", "there are bytes after the end of a key or signature")


def _ed25519_point(wire: bytes) -> bytes:
    """Return the 32 bytes of an Ed25519 key. Raises BadSignature (key-form)."""
    _, rest = read_field(wire)
    point, rest = read_field(rest)
    _require_end(rest)
    if len(point) != 32:
        raise BadSignature("key-form", "an ed25519 key has 32 bytes")
    if fault := _point_fault(point):
        raise BadSignature("key-form", f"this ed25519 key {fault}", "`pbem keygen` makes one")
    return point


@lru_cache(1024)
def _point_fault(point: bytes) -> str:
    """Return what is wrong with the encoding of an Ed25519 public key (RFC 8032, 5.1.3), or "".

    The library accepts keys that are refused here. Anybody can sign for a point of small order, so
    its owner could deny every signature. A point of full order with a small part is allowed: to
    sign for it takes the private key.
    """
    number = int.from_bytes(point, "little")
    y, sign = number & ((1 << 255) - 1), number >> 255
    # The curve is -x^2 + y^2 = 1 + d x^2 y^2, so x^2 = (y^2 - 1) / (d y^2 + 1).
    x_squared = (y * y - 1) * pow(_D * y * y + 1, -1, _P) % _P
    if y >= _P or (sign and not x_squared):
        return "is not in canonical form"
    if y in _SMALL_ORDER:
        return "is of small order: anybody could sign with it"
    # Euler's criterion: x exists if and only if its square is a quadratic residue.
    return "" if pow(x_squared, (_P - 1) // 2, _P) == 1 else "is not a point of the curve"


def rsa_numbers(wire: bytes) -> tuple[int, int]:
    """Return exponent and modulus of an RSA key in wire form. Raises BadSignature."""
    _, rest = read_field(wire)
    exponent, rest = _read_number(rest, "key-form")
    modulus, rest = _read_number(rest, "key-form")
    _require_end(rest)
    if not MIN_RSA <= modulus.bit_length() <= MAX_RSA:
        bits = modulus.bit_length()
        raise BadSignature(
            "key-size", f"an RSA key of {bits} bits is not accepted", f"at least {MIN_RSA} bits"
        )
    if exponent < 3 or exponent % 2 == 0 or exponent.bit_length() > 64 or modulus % 2 == 0:
        raise BadSignature("key-form", "this is not a valid RSA key")
    return exponent, modulus


def _ec_key(wire: bytes) -> tuple[bytes, bytes]:
    """Return the name of the curve and the uncompressed point, which lies on it.

    Raises BadSignature (key-form).
    """
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePublicKey

    kind, rest = read_field(wire)
    curve, rest = read_field(rest)
    point, rest = read_field(rest)
    _require_end(rest)
    if curve != ECDSA[kind] or len(point) != 1 + 2 * CURVES[curve] or point[0] != 4:
        raise BadSignature("key-form", "this ecdsa key is malformed")
    try:
        EllipticCurvePublicKey.from_encoded_point(_curve(curve), point)
    except ValueError:
        raise BadSignature("key-form", "this ecdsa key is not a point of its curve") from None
    return curve, point


def _curve(name: bytes) -> EllipticCurve:
    """The curve that SSH calls by this name (RFC 5656, 10.1)."""
    from cryptography.hazmat.primitives.asymmetric import ec

    curves: dict[bytes, EllipticCurve] = {
        b"nistp256": ec.SECP256R1(),
        b"nistp384": ec.SECP384R1(),
        b"nistp521": ec.SECP521R1(),
    }
    return curves[name]


def _unbase64(packed: bytes, code: str, text: str) -> bytes:
    """Decode base64 in its canonical form only. Raises BadSignature with this code and text.

    Python's decoder ignores bits that the last character may have beyond the data.
    """
    try:
        raw = base64.b64decode(packed, validate=True)
    except (binascii.Error, ValueError):
        raise BadSignature(code, text) from None
    if base64.b64encode(raw) != packed:
        raise BadSignature(code, text)
    return raw


def _verify_field(wire: bytes, field: bytes, data: bytes) -> None:
    """Verify one SSH signature field. Each type of key imports only what it needs."""
    kind, _ = read_field(wire)
    made_by, rest = read_field(field)
    blob, rest = read_field(rest)
    _require_end(rest)
    require_key(wire)
    if made_by not in (RSA_SIGNATURES if kind == RSA else (kind,)):
        found = made_by.decode("ascii", "backslashreplace")
        raise BadSignature(
            "signature-type", f"a signature of type {found} is not accepted from this key"
        )
    check = _check_rsa if kind == RSA else _check_ed25519 if kind == ED25519 else _check_ecdsa
    check(wire, made_by, blob, data)


def _check_ed25519(wire: bytes, made_by: bytes, blob: bytes, data: bytes) -> None:
    """Verify an Ed25519 signature (RFC 8032, 5.1.7)."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    if len(blob) != 64:
        raise BadSignature("signature-form", "an ed25519 signature has 64 bytes")
    try:
        Ed25519PublicKey.from_public_bytes(_ed25519_point(wire)).verify(blob, data)
    except InvalidSignature:
        raise _mismatch() from None


def _check_rsa(wire: bytes, made_by: bytes, blob: bytes, data: bytes) -> None:
    """Verify an RSA signature: RSASSA-PKCS1-v1_5 (RFC 8017, 8.2)."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicNumbers

    exponent, modulus = rsa_numbers(wire)
    if len(blob) != (modulus.bit_length() + 7) // 8:
        raise BadSignature("signature-form", "an RSA signature must be as long as the modulus")
    digest = getattr(hashes, RSA_SIGNATURES[made_by])()
    try:
        RSAPublicNumbers(exponent, modulus).public_key().verify(blob, data, PKCS1v15(), digest)
    except InvalidSignature:
        raise _mismatch() from None


def _check_ecdsa(wire: bytes, made_by: bytes, blob: bytes, data: bytes) -> None:
    """Verify an ECDSA signature (FIPS 186). SSH has two mpints where the library wants DER.

    The form (r, n - s) is as valid as (r, s), so the bytes of an accepted ECDSA signature do not
    identify the orders that it signs (docs/trust.md, "Keys").
    """
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec, utils

    r, rest = _read_number(blob)
    s, rest = _read_number(rest)
    _require_end(rest)
    digest = getattr(hashes, _EC_HASH[ECDSA[made_by]])()
    curve, point = _ec_key(wire)
    key = ec.EllipticCurvePublicKey.from_encoded_point(_curve(curve), point)
    try:
        key.verify(utils.encode_dss_signature(r, s), data, ec.ECDSA(digest))
    except InvalidSignature:
        raise _mismatch() from None


def _mismatch() -> BadSignature:
    """The error of a well-formed signature that does not verify."""
    return BadSignature(
        "bad-signature",
        "the signature does not fit the text: one of them was changed after signing",
        "send the file exactly as it was signed, or sign it again",
    )
