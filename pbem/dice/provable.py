"""Provable dice: chains of the sides, the seed of a window, RSA proofs, the key's certificate.

A roll is the hash of an RSA signature over the window's seed and the roll's label. The moderator
cannot choose it, because the seed contains a link of every side, and a certified key has only one
signature for each text. Players cannot foresee it, because they lack the private key. Signatures
serve as a verifiable random function as in RSA-FDH-VRF (RFC 9381). The certificate is from
Goldberg, Reyzin, Sagga and Baldimtsi, "Efficient Noninteractive Certification of RSA Moduli and
Beyond" (2019). docs/trust.md says who fixes what, and when. Bytes: docs/formats.md, "Provable
dice".

These are pure functions. Verifying needs nothing but the standard library.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING

from pbem.base.hashing import PREFIX, H, tlv, u32
from pbem.crypto.sshsig import PrivateKey, bare, sign
from pbem.dice.sources import Rolled, faces
from pbem.errors import Findings, Usage
from pbem.model import Dice, Window

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey

E = 65537
KEY_BITS = 3072
PROOF_BYTES = KEY_BITS // 8
ROOTS = 8
"""Roots in the certificate. If x -> x^E were no permutation, at most one number in E would have a
root (E is prime), so eight random ones would have theirs with a chance of at most E^-8 = 2^-128."""
NO_SMALL_FACTOR = 70000
"""The modulus has no prime factor below this, hence none up to E, as the certificate requires."""
CHAIN_LENGTH = 4096
"""Links of a chain, one per window. Later windows have no links."""
NAMESPACE = "dice@pbem"
NMR = b"NMR"
"""Stands in a lock for the order digest of a side that sent no set ("no moves received")."""
_DIGEST_INFO = bytes.fromhex("3031300d060960864801650304020105000420")
"""The DER prefix that names SHA-256 in an encoded message (RFC 8017, 9.2, note 1)."""


class BadProof(Findings):
    """A roll, link or key that is not proved. code: one word, for the audit."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


def chain_text(game: str, side: str, epoch: int, by: str = "") -> bytes:
    """Return the text that a player signs to make the tail of a chain.

    epoch: counts the key's chains from 0. by: the name of the moderator's key
    (`pbem.crypto.sshsig.key_digest`), which is new in each game. Without it, as in release 0.1.0, a
    second game of the same name would use the links that the first game revealed.
    """
    return f"{game} {side} {epoch} {by}".rstrip().encode("ascii")


def tail(signature: bytes) -> bytes:
    """Make the last link from the 64 raw bytes of an Ed25519 signature. Raises ValueError."""
    if len(signature) != 64:
        raise ValueError("a chain begins with a raw Ed25519 signature of 64 bytes")
    return H("tail", signature)


def own_tail(key: PrivateKey, game: str, side: str, epoch: int = 0, by: str = "") -> bytes:
    """Make the last link of an Ed25519 key's chain.

    Ed25519 signatures are deterministic (RFC 8032, 5.1.6), so the link is always the same and need
    not be stored. Raises ValueError for keys of other types; these store a random tail.
    """
    return tail(bare(sign(chain_text(game, side, epoch, by), key, NAMESPACE)))


def chain(game: str, side: str, last: bytes, length: int = CHAIN_LENGTH) -> list[bytes]:
    """Return all links, the anchor first: `chain(...)[w]` belongs to window w.

    Each link is the hash of the next one. So the anchor, published first, fixes all links, and a
    revealed link gives away those of earlier windows only.
    """
    before, links = _stepper(game, side), [last]
    for k in range(length, 0, -1):
        links.append(before(k, links[-1]))
    return links[::-1]


def walk_back(game: str, side: str, window: int, link: bytes, to: int = 0) -> bytes:
    """Hash the link of `window` back to the link of the earlier window `to` (0: the anchor)."""
    before = _stepper(game, side)
    for k in range(window, to, -1):
        link = before(k, link)
    return link


def check_link(game: str, side: str, window: int, link: bytes, known: tuple[int, bytes]) -> None:
    """Raise BadProof unless hashing `link` back leads to an earlier link.

    known: the window of an accepted earlier link and that link; (0, anchor) at first. The windows
    in between may have had no link.
    """
    earlier, value = known
    if len(link) != 32 or window <= earlier:
        raise BadProof("link-form", f"{side} has no valid dice link for window {window}")
    if walk_back(game, side, window, link, earlier) != value:
        raise BadProof("link", f"the dice link of {side} for window {window} is not of its chain")


def order_digest(canonical: bytes, signature: bytes) -> bytes:
    """Return the digest by which a lock fixes a set.

    signature: the `sshsig.bare` form, in whatever form it came by mail. It must not be empty:
    orders alone could be guessed from their digest, and the signature is what hides them.
    """
    return H("order", canonical, signature)


def lock(g0: bytes, window: int, digests: Mapping[str, bytes]) -> bytes:
    """Return the lock of a window. digests: every side's order digest, `NMR` without a set."""
    return H("lock", g0, u32(window), *_by_side(digests))


def first(anchor: bytes) -> bytes:
    """Return what replaces the link of a side whose anchor comes with its orders for window 1.

    The anchor itself enters the dice, because it is not fixed before G0: so the moderator cannot
    try set-up texts until he likes the first dice.
    """
    return H("first", anchor)


def seed(root: bytes, window: int, links: Mapping[str, bytes]) -> bytes:
    """Return the seed of a window's dice.

    root: G0 in the first window, later the seed of the first window. Thus what entered the first
    dice enters all later ones, even if no side gives a link any more. links: the link of every
    side, empty if it has none. Orders do not enter: a secret order must not change a visible die.
    """
    return H("seed", root, u32(window), *_by_side(links))


def alpha(g0: bytes, window: int, seed: bytes, label: str) -> bytes:
    """Return the text that is signed for one roll."""
    fields = (b"pbem1/roll", g0, u32(window), seed, label.encode("ascii"))
    return b"".join(map(tlv, fields))


def check_proof(modulus: int, text: bytes, proof: bytes) -> bytes:
    """Check a proof over `text` (see `alpha`). Returns the 32 bytes that decide the faces.

    Length, range and factor are checked because they, too, leave one valid proof: number + modulus
    would satisfy the same equation. Raises BadProof.
    """
    if len(proof) != PROOF_BYTES:
        raise BadProof("proof-length", f"a proof has {PROOF_BYTES} bytes, not {len(proof)}")
    number, expected = int.from_bytes(proof, "big"), _encoded(text)
    if not 0 < number < modulus or math.gcd(expected, modulus) != 1:
        raise BadProof("proof-range", "a proof is out of range")
    # Compare the whole encoded message: parsing its padding loosely allows forgeries.
    if pow(number, E, modulus) != expected:
        raise BadProof("proof", "a proof does not fit its roll")
    return H("beta", proof)


def check_roll(
    modulus: int, g0: bytes, window: int, seed: bytes, *, label: str, dice: Dice, proof: bytes
) -> tuple[int, ...]:
    """Return the only faces that this label can have, from its proof. Raises BadProof."""
    return faces(check_proof(modulus, alpha(g0, window, seed, label), proof), dice)


def check_key(modulus: int, game: str, roots: Sequence[int]) -> None:
    """Raise BadProof unless the certificate shows that each text has one valid signature.

    A dishonest moderator could make a modulus for which x -> x^E is not a permutation. Some texts
    would then have several valid signatures, and he could choose among several rolls. roots: the
    E-th roots of eight numbers that hash functions choose.
    """
    if modulus.bit_length() != KEY_BITS or len(roots) != ROOTS:
        raise BadProof("dice-key", f"the dice key must have {KEY_BITS} bits and {ROOTS} roots")
    if math.gcd(modulus, _small_primes_product()) != 1:
        raise BadProof("dice-key", f"the dice key has a factor below {NO_SMALL_FACTOR}")
    for i, root in enumerate(roots):
        if not 0 < root < modulus or pow(root, E, modulus) != _challenge(modulus, game, i):
            raise BadProof("dice-key", f"root {i} of the dice key is wrong")


def certify(key: RSAPrivateKey, game: str) -> list[int]:
    """Compute the roots that certify a dice key for one game."""
    numbers = key.private_numbers()
    modulus, p, q = numbers.public_numbers.n, numbers.p, numbers.q
    return [
        _joined(pow(c, numbers.dmp1, p), pow(c, numbers.dmq1, q), p, q, numbers.iqmp)
        for c in (_challenge(modulus, game, i) for i in range(ROOTS))
    ]


def generate_key() -> RSAPrivateKey:
    """Make a dice key."""
    from cryptography.hazmat.primitives.asymmetric import rsa

    return rsa.generate_private_key(E, KEY_BITS)


class Provable:
    """Dice with proofs.

    key: the dice key, or a function that loads it at the first roll, since most commands roll no
    dice; seeds: the seed of each window that may be rolled for.
    """

    flagged = False

    def __init__(
        self,
        key: RSAPrivateKey | Callable[[], RSAPrivateKey],
        g0: bytes,
        seeds: Mapping[Window, bytes],
        name: str = "fast",
    ) -> None:
        self.name = name
        self._key, self._g0, self._seeds = key, g0, seeds

    def roll(self, window: Window, label: str, dice: Dice) -> Rolled:
        """Roll the dice of a label. Raises Usage if the links of that window are not in yet."""
        from cryptography.hazmat.primitives import hashes
        from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15

        if window not in self._seeds:
            raise Usage(f"the dice of window {window} have no seed yet: its links are not in")
        if callable(self._key):
            self._key = self._key()
        text = alpha(self._g0, window, self._seeds[window], label)
        proof = self._key.sign(text, PKCS1v15(), hashes.SHA256())
        return faces(H("beta", proof), dice), proof.hex()


def _stepper(game: str, side: str) -> Callable[[int, bytes], bytes]:
    """Return the function (k, link k) -> link k-1 = H("chain", game, side, u32(k), link).

    The fields that are the same for all links are hashed once: a chain has 4096 of them.
    """
    head = hashlib.sha256(
        b"".join(map(tlv, (PREFIX + b"chain", game.encode("ascii"), side.encode("ascii"))))
    )

    def before(k: int, link: bytes) -> bytes:
        digest = head.copy()
        digest.update(tlv(u32(k)) + tlv(link))
        return digest.digest()

    return before


def _joined(by_p: int, by_q: int, p: int, q: int, iqmp: int) -> int:
    """The number below p*q with these remainders (Chinese remainder theorem, Garner's formula)."""
    return by_q + q * ((by_p - by_q) * iqmp % p)


def _by_side(values: Mapping[str, bytes]) -> list[bytes]:
    """Names and values as hash fields, sorted by name: the result does not depend on who wrote
    first."""
    return [field for side in sorted(values) for field in (side.encode("ascii"), values[side])]


def _encoded(text: bytes) -> int:
    """The encoded message, EMSA-PKCS1-v1_5 with SHA-256 (RFC 8017, 9.2), as a number."""
    content = _DIGEST_INFO + hashlib.sha256(text).digest()
    padding = b"\xff" * (PROOF_BYTES - len(content) - 3)
    return int.from_bytes(b"\0\1" + padding + b"\0" + content, "big")


def _challenge(modulus: int, game: str, i: int) -> int:
    """The i-th number whose E-th root certifies the key.

    Hashes choose it, and one block more than the modulus has keeps the remainder nearly uniform.
    """
    name, n = game.encode("ascii"), modulus.to_bytes(PROOF_BYTES, "big")
    parts = (H("perm", name, n, u32(E), u32(i), u32(c)) for c in range(KEY_BITS // 256 + 1))
    return int.from_bytes(b"".join(parts), "big") % modulus


@cache
def _small_primes_product() -> int:
    """The product of all primes below NO_SMALL_FACTOR: one gcd then tests them all."""
    sieve = bytearray(b"\1") * NO_SMALL_FACTOR
    for p in range(2, math.isqrt(NO_SMALL_FACTOR) + 1):
        if sieve[p]:
            sieve[p * p :: p] = bytes(len(range(p * p, NO_SMALL_FACTOR, p)))
    return math.prod(p for p in range(2, NO_SMALL_FACTOR) if sieve[p])
