"""Private SSH keys: read OpenSSH key files, make keys for `pbem keygen`, sign for `sshsig.sign`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from pbem.base.hashing import tlv
from pbem.crypto.sshsig import ED25519, RSA, BadSignature, mpint, read_field, require_key
from pbem.errors import NotFound, Usage

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey

    from pbem.crypto.age import Identity

_MAGIC = b"openssh-key-v1\0"
_BEGIN, _FINISH = b"-----BEGIN OPENSSH PRIVATE KEY-----", b"-----END OPENSSH PRIVATE KEY-----"
_PLAIN_HEAD = _MAGIC + tlv(b"none") + tlv(b"none") + tlv(b"") + b"\0\0\0\1"
"""How a file without a passphrase begins: no cipher, no key derivation, one key (PROTOCOL.key)."""
_EC_NAMES = {
    "secp256r1": (b"nistp256", "SHA256"),
    "secp384r1": (b"nistp384", "SHA384"),
    "secp521r1": (b"nistp521", "SHA512"),
}


class SshKey:
    """A private key. wire: its public key in wire form."""

    __slots__ = ("_field", "_opens", "wire")

    def __init__(
        self,
        wire: bytes,
        field: Callable[[bytes], bytes],
        opens: Callable[[], Identity] | None = None,
    ) -> None:
        self.wire = wire
        self._field = field
        self._opens = opens

    @property
    def kind(self) -> str:
        """The SSH type: `ssh-ed25519`, `ecdsa-sha2-nistp256`, `ssh-rsa`, ..."""
        return self.wire[4 : 4 + self.wire[3]].decode("ascii")

    def sign(self, data: bytes) -> bytes:
        """Return the SSH signature field (type and signature) over `data`."""
        return self._field(data)

    def identity(self) -> Identity | None:
        """Return what decrypts age files for this key; None for ECDSA, which age lacks."""
        return self._opens() if self._opens else None


def from_seed(seed: bytes) -> SshKey:
    """Return the Ed25519 key of a 32-byte seed (RFC 8032, 5.1.5)."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return _ed25519(Ed25519PrivateKey.from_private_bytes(seed))


def generate(comment: str = "") -> tuple[bytes, str]:
    """Make an Ed25519 key. Returns the OpenSSH private key file and the public key line, without a
    newline."""
    import os

    from pbem.crypto.sshsig import public_line

    key = from_seed(seed := os.urandom(32))
    return _private_file(key.wire, seed, os.urandom(4), comment), public_line(key.wire, comment)


def read_private(path: Path, passphrase: bytes | None = None) -> SshKey:
    """Read an OpenSSH (or PEM) private key file. Raises NotFound, and as `load_private`."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        raise NotFound(f"there is no key file {path}", "make one with `pbem keygen`") from None
    return load_private(content, passphrase, str(path))


def load_private(content: bytes, passphrase: bytes | None = None, name: str = "key") -> SshKey:
    """Parse a private key file. name: what messages call it.

    Raises Usage if it is not a private key, has another passphrase, or has a type that is not
    accepted; NeedsPassphrase if it has a passphrase and none was given.
    """
    if plain := _plain_ed25519(content):
        seed, public = plain
        key = from_seed(seed)
        if key.wire != public:
            raise Usage(
                f"{name} is damaged: its private and public keys do not match",
                "use another copy of it, or make one with `pbem keygen`",
            )
        return key
    if content.startswith((b"ssh-", b"ecdsa-")):
        raise Usage(f"{name} is a public key", "name the private key: the file without .pub")
    return _wrap(_load_any(content, passphrase, name), name)


class NeedsPassphrase(Usage):
    """The key file is locked by a passphrase."""


def _load_any(content: bytes, passphrase: bytes | None, name: str) -> object:
    """Load a key of any type with the general reader. Raises as `load_private`."""
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives import serialization

    ssh = content.lstrip().startswith(_BEGIN)
    load = serialization.load_ssh_private_key if ssh else serialization.load_pem_private_key
    try:
        return load(content, passphrase or None)
    except TypeError:  # a passphrase is missing, or was given for a file that has none
        if passphrase:
            return load(content, None)
        raise NeedsPassphrase(
            f"{name} is locked by a passphrase", "give it, or use another key"
        ) from None
    except UnsupportedAlgorithm as error:
        raise Usage(
            f"{name} cannot be opened here: {error}",
            "pip install 'cryptography[ssh]', or take the passphrase off a copy: ssh-keygen -p",
        ) from None
    except ValueError:
        if passphrase:
            raise Usage(
                f"{name} cannot be opened: wrong passphrase, or not a private key file",
                "`ssh-keygen -y -f FILE` tells which",
            ) from None
        raise Usage(
            f"{name} is not a private key that pbem can read", "`pbem keygen` makes one"
        ) from None


def _wrap(key: object, name: str) -> SshKey:
    """Convert a private key of `cryptography`. Raises Usage for a type that is not accepted."""
    from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa

    if isinstance(key, ed25519.Ed25519PrivateKey):
        return _ed25519(key)
    if isinstance(key, ec.EllipticCurvePrivateKey) and key.curve.name in _EC_NAMES:
        made = _ecdsa(key)
    elif isinstance(key, rsa.RSAPrivateKey):
        made = _rsa(key)
    else:
        raise Usage(
            f"{name} is a key of a type that is not accepted",
            "use an ed25519 key (`pbem keygen`), ecdsa, or rsa of at least 2048 bits",
        )
    try:
        require_key(made.wire)
    except BadSignature as error:
        raise Usage(f"{name}: {error.message}", error.hint) from None
    return made


def _ed25519(key: Ed25519PrivateKey) -> SshKey:
    """Convert an Ed25519 key."""
    wire = tlv(ED25519) + tlv(key.public_key().public_bytes_raw())

    def opens() -> Identity:
        from pbem.crypto.age import ssh_identity

        return ssh_identity(key.private_bytes_raw(), wire)

    return SshKey(wire, lambda data: tlv(ED25519) + tlv(key.sign(data)), opens)


def _ecdsa(key: EllipticCurvePrivateKey) -> SshKey:
    """Convert an ECDSA key. The curve decides the hash (RFC 5656, 6.2.1)."""
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec, utils
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    curve, digest = _EC_NAMES[key.curve.name]
    kind = b"ecdsa-sha2-" + curve
    point = key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    algorithm = ec.ECDSA(getattr(hashes, digest)())

    def field(data: bytes) -> bytes:
        r, s = utils.decode_dss_signature(key.sign(data, algorithm))
        return tlv(kind) + tlv(tlv(mpint(r)) + tlv(mpint(s)))

    return SshKey(tlv(kind) + tlv(curve) + tlv(point), field)


def _rsa(key: RSAPrivateKey) -> SshKey:
    """Convert an RSA key. It signs as `rsa-sha2-512` (RFC 8332)."""
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15

    public = key.public_key().public_numbers()
    wire = tlv(RSA) + tlv(mpint(public.e)) + tlv(mpint(public.n))

    def field(data: bytes) -> bytes:
        return tlv(b"rsa-sha2-512") + tlv(key.sign(data, PKCS1v15(), hashes.SHA512()))

    def opens() -> Identity:
        from pbem.crypto.age import rsa_identity

        return rsa_identity(key, wire)

    return SshKey(wire, field, opens)


def _plain_ed25519(content: bytes) -> tuple[bytes, bytes] | None:
    """Read the seed and the public wire form from an Ed25519 key file without a passphrase.

    Returns None for any other file. It exists because importing the general reader takes more
    time than all the rest of signing. Format: OpenSSH's PROTOCOL.key.
    """
    import base64

    packed = content.strip()
    if not (packed.startswith(_BEGIN) and packed.endswith(_FINISH)):
        return None
    try:
        raw = base64.b64decode(b"".join(packed[len(_BEGIN) : -len(_FINISH)].split()), validate=True)
        if not raw.startswith(_PLAIN_HEAD):
            return None
        public, rest = read_field(raw[len(_PLAIN_HEAD) :])
        secret, _ = read_field(rest)
        kind, rest = read_field(secret[8:])
        _, rest = read_field(rest)
        pair, _ = read_field(rest)
    except (ValueError, BadSignature):
        return None
    # The format repeats a random number so that a reader notices a wrong passphrase or damage.
    sound = secret[:4] == secret[4:8] and kind == ED25519 and len(pair) == 64
    return (pair[:32], public) if sound else None


def _private_file(wire: bytes, seed: bytes, check: bytes, comment: str) -> bytes:
    """Encode an OpenSSH private key file without a passphrase (PROTOCOL.key).

    check: four random bytes, which the format repeats.
    """
    import base64

    secret = check + check + wire + tlv(seed + wire[-32:]) + tlv(comment.encode("utf-8"))
    secret += bytes(range(1, 1 + -len(secret) % 8))  # padding: 1, 2, 3 ... to a multiple of 8
    text = base64.b64encode(_PLAIN_HEAD + tlv(wire) + tlv(secret))
    lines = [text[i : i + 70] for i in range(0, len(text), 70)]
    return b"\n".join([_BEGIN, *lines, _FINISH, b""])
