"""Dice that nobody can load: side chains, the seed of a window, RSA proofs, the key certificate.

Pure functions; what verifies needs the standard library alone. Bytes: docs/formats.md, "Provable
dice". Why a permutation certificate: Goldberg, Reyzin, Sagga, Baldimtsi, "Efficient Noninteractive
Certification of RSA Moduli and Beyond" (2019); signatures as a verifiable random function as in
RFC 9381's RSA-FDH-VRF.
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
NO_SMALL_FACTOR = 70000
CHAIN_LENGTH = 4096
NAMESPACE = "dice@pbem"
NMR = b"NMR"
_DIGEST_INFO = bytes.fromhex("3031300d060960864801650304020105000420")


class BadProof(Findings):
    """A roll, link or key that proves nothing. code: a word, for the audit."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


def chain_text(game: str, side: str, epoch: int, by: str = "") -> bytes:
    """What a player signs in namespace dice@pbem for the tail of a chain; epoch from 0. by: what
    names the moderator's key (`pbem.crypto.sshsig.key_digest`), which is new in each game: without
    it, as in release 0.1.0, a second game of the same name would have the links that the first one
    opened."""
    return f"{game} {side} {epoch} {by}".rstrip().encode("ascii")


def tail(signature: bytes) -> bytes:
    """The last link, made of the raw 64 bytes of that Ed25519 signature."""
    if len(signature) != 64:
        raise ValueError("a chain begins with a raw Ed25519 signature of 64 bytes")
    return H("tail", signature)


def own_tail(key: PrivateKey, game: str, side: str, epoch: int = 0, by: str = "") -> bytes:
    """The last link of an Ed25519 key's chain: always the same, so that nothing is stored.
    Raises ValueError for other keys, whose signatures differ each time; they keep a random tail."""
    return tail(bare(sign(chain_text(game, side, epoch, by), key, NAMESPACE)))


def chain(game: str, side: str, last: bytes, length: int = CHAIN_LENGTH) -> list[bytes]:
    """All links, the anchor first: `chain(...)[w]` belongs to window w."""
    before, links = _stepper(game, side), [last]
    for k in range(length, 0, -1):
        links.append(before(k, links[-1]))
    return links[::-1]


def walk_back(game: str, side: str, window: int, link: bytes, to: int = 0) -> bytes:
    """The link of window `to` (0: the anchor), hashed back from that of a later window."""
    before = _stepper(game, side)
    for k in range(window, to, -1):
        link = before(k, link)
    return link


def check_link(game: str, side: str, window: int, link: bytes, known: tuple[int, bytes]) -> None:
    """known: an accepted earlier link and its window, (0, anchor) at first. Raises BadProof
    unless `link` leads back to it; windows in between may have been missed."""
    earlier, value = known
    if len(link) != 32 or window <= earlier:
        raise BadProof("link-form", f"no dice link of {side} for window {window}")
    if walk_back(game, side, window, link, earlier) != value:
        raise BadProof("link", f"the dice link of {side} for window {window} is not of its chain")


def order_digest(canonical: bytes, signature: bytes) -> bytes:
    """An order set as the lock holds it. signature: its `sshsig.bare` form, whatever form came by
    mail; it is what hides the orders, which could be guessed, so it must never be empty."""
    return H("order", canonical, signature)


def lock(g0: bytes, window: int, digests: Mapping[str, bytes]) -> bytes:
    """What is fixed before a reveal. digests: of every side, `NMR` where it has no set."""
    return H("lock", g0, u32(window), *_by_side(digests))


def first(anchor: bytes) -> bytes:
    """What stands for a link in the first window, of a side whose anchor came with its orders."""
    return H("first", anchor)


def seed(root: bytes, window: int, links: Mapping[str, bytes]) -> bytes:
    """What decides the dice of a window. root: G0, and in later windows the seed of the first;
    links: of every side, empty where there is none."""
    return H("seed", root, u32(window), *_by_side(links))


def alpha(g0: bytes, window: int, seed: bytes, label: str) -> bytes:
    """The text that is signed for one roll."""
    fields = (b"pbem1/roll", g0, u32(window), seed, label.encode("ascii"))
    return b"".join(map(tlv, fields))


def check_proof(modulus: int, text: bytes, proof: bytes) -> bytes:
    """The 32 bytes that decide the faces, from a proof over `alpha`. Raises BadProof."""
    if len(proof) != PROOF_BYTES:
        raise BadProof("proof-length", f"a proof has {PROOF_BYTES} bytes, not {len(proof)}")
    number, expected = int.from_bytes(proof, "big"), _encoded(text)
    if not 0 < number < modulus or math.gcd(expected, modulus) != 1:
        raise BadProof("proof-range", "a proof is out of its range")
    if pow(number, E, modulus) != expected:
        raise BadProof("proof", "a proof does not fit its roll")
    return H("beta", proof)


def check_roll(
    modulus: int, g0: bytes, window: int, seed: bytes, *, label: str, dice: Dice, proof: bytes
) -> tuple[int, ...]:
    """The faces that a proof gives for this label and nothing else. Raises BadProof."""
    return faces(check_proof(modulus, alpha(g0, window, seed, label), proof), dice)


def check_key(modulus: int, game: str, roots: Sequence[int]) -> None:
    """Raise BadProof unless the dice key is certified to give one signature for each text, even
    if its maker was dishonest."""
    if modulus.bit_length() != KEY_BITS or len(roots) != ROOTS:
        raise BadProof("dice-key", f"the dice key is not of {KEY_BITS} bits with {ROOTS} roots")
    if math.gcd(modulus, _small_primes_product()) != 1:
        raise BadProof("dice-key", f"the dice key has a factor below {NO_SMALL_FACTOR}")
    for i, root in enumerate(roots):
        if not 0 < root < modulus or pow(root, E, modulus) != _challenge(modulus, game, i):
            raise BadProof("dice-key", f"root {i} of the dice key is wrong")


def certify(key: RSAPrivateKey, game: str) -> list[int]:
    """The roots that certify a dice key for one game."""
    numbers = key.private_numbers()
    modulus, p, q = numbers.public_numbers.n, numbers.p, numbers.q
    return [
        _joined(pow(c, numbers.dmp1, p), pow(c, numbers.dmq1, q), p, q, numbers.iqmp)
        for c in (_challenge(modulus, game, i) for i in range(ROOTS))
    ]


def generate_key() -> RSAPrivateKey:
    """A new dice key."""
    from cryptography.hazmat.primitives.asymmetric import rsa

    return rsa.generate_private_key(E, KEY_BITS)


class Provable:
    """Dice with proofs. key: the dice key, or what loads it when the first roll asks for it.
    seeds: the seed of each window that may be rolled for."""

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
        """Raises Usage when the links of that window are not in yet."""
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
    """(k, link k) -> link k-1: H("chain", game, side, u32(k), link), its head hashed once."""
    head = hashlib.sha256(
        b"".join(map(tlv, (PREFIX + b"chain", game.encode("ascii"), side.encode("ascii"))))
    )

    def before(k: int, link: bytes) -> bytes:
        digest = head.copy()
        digest.update(tlv(u32(k)) + tlv(link))
        return digest.digest()

    return before


def _joined(by_p: int, by_q: int, p: int, q: int, iqmp: int) -> int:
    """The number below p*q that leaves these rests (Garner)."""
    return by_q + q * ((by_p - by_q) * iqmp % p)


def _by_side(values: Mapping[str, bytes]) -> list[bytes]:
    return [field for side in sorted(values) for field in (side.encode("ascii"), values[side])]


def _encoded(text: bytes) -> int:
    """EMSA-PKCS1-v1_5 with SHA-256 (RFC 8017, 9.2), whole, as a number."""
    content = _DIGEST_INFO + hashlib.sha256(text).digest()
    padding = b"\xff" * (PROOF_BYTES - len(content) - 3)
    return int.from_bytes(b"\0\1" + padding + b"\0" + content, "big")


def _challenge(modulus: int, game: str, i: int) -> int:
    """The number whose root of degree E certifies the key, the i-th of eight."""
    name, n = game.encode("ascii"), modulus.to_bytes(PROOF_BYTES, "big")
    parts = (H("perm", name, n, u32(E), u32(i), u32(c)) for c in range(KEY_BITS // 256 + 1))
    return int.from_bytes(b"".join(parts), "big") % modulus


@cache
def _small_primes_product() -> int:
    sieve = bytearray(b"\1") * NO_SMALL_FACTOR
    for p in range(2, math.isqrt(NO_SMALL_FACTOR) + 1):
        if sieve[p]:
            sieve[p * p :: p] = bytes(len(range(p * p, NO_SMALL_FACTOR, p)))
    return math.prod(p for p in range(2, NO_SMALL_FACTOR) if sieve[p])
