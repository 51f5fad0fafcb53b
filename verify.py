#!/usr/bin/env python3
"""Check a game without trusting pbem: the reports you were sent, and published games.

    python verify.py REPORT.json ...           the dice, links, keys and signatures of your reports
    python verify.py LEDGER.jsonl              a whole published game: chain, signatures, dice
    python verify.py GAME.zip REPORT.json ...  and whether it is the game your reports are about

You can also name the mails themselves, and the order files that you sent, in any order.

This is one file, written from docs/formats.md alone. It imports nothing of pbem, so that you can
read it before you run it. It needs Python 3.11, and `pip install cryptography` to check signatures.
It cannot tell whether moves followed the rules; `pbem audit` plays every window again for that.
Exit codes: 0 nothing found, 1 something found, 2 a file that cannot be checked.

How to read it: every check is a `require(what must hold, code, words)`. The first that fails ends
the check of its file. Each part uses only the parts above it:
    Bytes         hashes and canonical JSON
    Dice          the dice key, proofs, faces, seeds, locks, chains of links
    Signatures    public keys, SSH signatures, changes of keys
    Orders        the header and text of an order file
    Set-up        what was decided before window 1, and the moderator's signatures
    Reports       each report by itself, then all documents compared with each other
    Ledgers       the chain of records, then what each kind of record must say
    Published     a ledger compared with your documents, and with its public bundle
    The command   what each named file is, and what to print
"""

import base64
import hashlib
import io
import json
import math
import re
import sys
import zipfile
import zlib
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

Json = dict[str, Any]
"""An object that somebody wrote in JSON. Anything may be in it: see FAULTS."""

FAULTS = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError)
"""What reading such an object raises where it does not have the form that it should have."""


class Unreadable(Exception):  # noqa: N818
    """A file cannot be checked. Its text says what to do instead."""


class Bad(Exception):  # noqa: N818
    """A check failed. code: one word that names the check."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code, self.text = code, text


def require(holds: bool, code: str, text: str) -> None:
    """Raise Bad unless it holds."""
    if not holds:
        raise Bad(code, text)


def counted(size: int, one: str) -> str:
    """A number with its noun: `1 roll`, `2 rolls`."""
    return f"{size} {one}" if size == 1 else f"{size} {one}s"


# Bytes (formats.md: Hash, Canonical JSON)


ZERO = "0" * 64
"""Stands for a hash where there is nothing to hash."""


def tlv(data: bytes) -> bytes:
    """The bytes with their length, four bytes, in front."""
    return len(data).to_bytes(4, "big") + data


def number(n: int) -> bytes:
    """A number as four bytes."""
    return n.to_bytes(4, "big")


def digest(tag: str, *fields: bytes) -> bytes:
    """The hash that all formats use."""
    return hashlib.sha256(b"".join(map(tlv, (b"pbem1/" + tag.encode(), *fields)))).digest()


def plain(obj: object) -> bytes:
    """An object as canonical JSON."""
    text = json.dumps(obj, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return text.encode("ascii")


def load(data: bytes, what: str) -> Json:
    """The object in canonical JSON. Text with the same key twice is never canonical."""
    try:
        found = json.loads(data)
        same = isinstance(found, dict) and plain(found) == data
    except (ValueError, RecursionError):
        same = False
    require(same, "not-canonical", f"{what} is not canonical JSON")
    return dict(found)


def digest_of(tag: str, facts: Json) -> str:
    """The digest of a document, in hex: of all its fields except `digest`."""
    return digest(tag, plain({k: v for k, v in facts.items() if k != "digest"})).hex()


def moment(text: str) -> datetime:
    """A time as the formats write it: 2026-11-20T12:00:00Z."""
    return datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)


def unhex(text: object, size: int, what: str) -> bytes:
    """The bytes of a lower-case hex text, which must be `size` bytes long."""
    good = isinstance(text, str) and re.fullmatch(f"[0-9a-f]{{{2 * size}}}", text)
    require(bool(good), "not-hex", f"{what} is not {size} bytes in hex")
    return bytes.fromhex(str(text))


def unbase64(text: bytes) -> bytes:
    """The bytes of a base64 text. Raises ValueError unless it is their only valid encoding."""
    data = base64.b64decode(text, validate=True)
    if base64.b64encode(data) != text:
        raise ValueError("unused bits are set")
    return data


# Dice (formats.md: Labels of dice, Dice, Provable dice)


PROVED = ("fast", "strict")
"""The kinds of dice that have proofs."""

E, BITS, ROOTS = 65537, 3072, 8
"""The exponent of a dice key, the size of its modulus, and the roots in its certificate."""

LONGEST = 4096
"""The windows that a chain of links is long enough for."""

SHA256_INFO = bytes.fromhex("3031300d060960864801650304020105000420")
"""What PKCS #1 v1.5 puts before a SHA-256 hash (RFC 8017, 9.2)."""

NAME = r"(?:[A-Z0-9](?:[A-Z0-9 \-._']{0,46}[A-Z0-9])?|-)"
LABEL = re.compile(
    rf"(?:{NAME}/){{4}}[1-9][0-9]*/([1-9][0-9]*)D([1-9][0-9]*)(?:-FROM(0|[1-9][0-9]*))?"
)


class DiceKey:
    """The dice key of a game, with the certificate that every text has only one proof."""

    def __init__(self, game: str, modulus: str, roots: list[str]) -> None:
        good = all(re.fullmatch("[1-9a-f][0-9a-f]{0,767}", x) for x in (modulus, *roots))
        require(good and len(roots) == ROOTS, "dice-key", "the dice key is incomplete")
        self.n = n = int(modulus, 16)
        require(n.bit_length() == BITS, "dice-key", f"the dice key does not have {BITS} bits")
        small = any(n % p == 0 for p in range(2, 70000))
        require(not small, "dice-key", "the dice key has a small factor")
        head = (game.encode(), n.to_bytes(BITS // 8, "big"), number(E))
        for i, root in enumerate(int(x, 16) for x in roots):
            parts = (digest("perm", *head, number(i), number(c)) for c in range(13))
            rho = int.from_bytes(b"".join(parts), "big") % n
            fits = 0 < root < n and pow(root, E, n) == rho
            require(fits, "dice-key", f"root {i} of the dice key is wrong")

    def beta(self, text: bytes, proof: bytes) -> bytes:
        """Check a proof (384 bytes) of `text`; the 32 bytes that decide the faces."""
        tail = SHA256_INFO + hashlib.sha256(text).digest()
        block = b"\0\1" + b"\xff" * (BITS // 8 - 3 - len(tail)) + b"\0" + tail
        s, em = int.from_bytes(proof, "big"), int.from_bytes(block, "big")
        fits = 0 < s < self.n and math.gcd(em, self.n) == 1
        require(fits, "proof-range", "a proof is out of range")
        require(pow(s, E, self.n) == em, "proof", "a proof does not match its roll")
        return digest("beta", proof)


def dice_of(label: str) -> tuple[int, int, int]:
    """The number of dice in a label, their sides and their lowest face."""
    found = LABEL.fullmatch(label)
    good = bool(found) and "  " not in label
    require(good, "label", f"{label[:80]!r} is not a valid label of a roll")
    assert found
    return int(found[1]), int(found[2]), int(found[3] or 1)


def faces(beta: bytes, count: int, sides: int, low: int) -> list[int]:
    """The faces that 32 bytes decide. All faces are equally likely."""
    top, out = (1 << 64) - (1 << 64) % sides, []
    for j in range(count):
        c = 0
        while (v := eight_bytes(beta, j, c)) >= top:
            c += 1
        out.append(low + v % sides)
    return out


def eight_bytes(beta: bytes, j: int, c: int) -> int:
    """The number that decides die `j` in attempt `c`."""
    return int.from_bytes(digest("die", beta, number(j), number(c))[:8], "big")


def by_side(raw: dict[str, bytes]) -> list[bytes]:
    """Sides and their bytes as fields of a hash: in alphabetical order, whoever wrote them."""
    return [x for side in sorted(raw) for x in (side.encode(), raw[side])]


def seed_of(
    g0: bytes,
    window: int,
    links: dict[str, str],
    firsts: dict[str, str] | None = None,
    root: str = "",
) -> bytes:
    """The seed R of a window. In the first window, `firsts` has the anchors that stand for missing
    links; in later ones, `root` is the seed of the first."""
    raw = {s: unhex(x, 32, f"the link of {s}") if x else b"" for s, x in links.items()}
    for s, anchor in ({} if root else firsts or {}).items():
        raw[s] = raw[s] or digest("first", unhex(anchor, 32, f"the anchor of {s}"))
    base = unhex(root, 32, "the seed of the first window") if root else g0
    return digest("seed", base, number(window), *by_side(raw))


def lock_of(g0: bytes, window: int, sets: dict[str, str]) -> str:
    """The lock L of a window, from the order digest of each side, or `NMR` where it has none."""
    raw = {s: b"NMR" if x == "NMR" else unhex(x, 32, f"the set of {s}") for s, x in sets.items()}
    return digest("lock", g0, number(window), *by_side(raw)).hex()


def check_roll(key: DiceKey, g0: bytes, seed: bytes, roll: Json) -> None:
    """The faces must be the ones that the proof gives for this label."""
    window, label = roll["window"], str(roll["label"])
    require(bool(roll["proof"]), "no-proof", f"{label}: the roll has no proof")
    size = dice_of(label)
    proof = unhex(roll["proof"], BITS // 8, f"the proof of {label}")
    head = (b"pbem1/roll", g0, number(window), seed, label.encode())
    want = faces(key.beta(b"".join(map(tlv, head)), proof), *size)
    got = list(roll["dice"])
    require(got == want, "altered-roll", f"{label}: the dice are {want}, not {got}")


def check_labels(rolls: list[Json], window: int) -> Iterator[Json]:
    """The rolls one by one. Each label must belong to this window, and must occur only once."""
    labels = set()
    for roll in rolls:
        fresh = roll["window"] == window and roll["label"] not in labels
        require(fresh, "rolled-twice", f"{roll['label']} is of another window, or rolled twice")
        labels.add(roll["label"])
        yield roll


def back(game: str, side: str, link: bytes, start: int, to: int) -> bytes:
    """The link of window `to`, hashed back from that of window `start`."""
    for k in range(start, to, -1):
        link = digest("chain", game.encode(), side.encode(), number(k), link)
    return link


def check_link(game: str, side: str, window: int, link: str, anchors: Collection[str]) -> None:
    """The link must lead back to one of these anchors, which count in its window."""
    raw = unhex(link, 32, f"the link of {side}")
    why = f"no anchor of {side} counts in window {window}; give also the report that named it"
    require(bool(anchors), "no-anchor", why)
    require(window <= LONGEST, "bad-link", f"window {window} is too far on for any chain")
    same = back(game, side, raw, window, 0).hex() in anchors
    require(same, "bad-link", f"the link of {side} for window {window} does not match its anchor")


# Signatures (formats.md: Signatures)


CURVES = {
    "nistp256": (
        2**256 - 2**224 + 2**192 + 2**96 - 1,
        0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B,
        0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551,
    ),
    "nistp384": (
        2**384 - 2**128 - 2**96 + 2**32 - 1,
        0xB3312FA7E23EE7E4988E056BE3F82D19181D9C6EFE814112 << 192
        | 0x0314088F5013875AC656398D8A2ED19D2A85C8EDD3EC2AEF,
        2**384 - 0x389CB27E0BC8D220A7E5F24DB74F58851313E695333AD68D,
    ),
    "nistp521": (
        2**521 - 1,
        0x51953EB9618E1C9A1F929A21A0B68540EEA2DA725B99B315F3B8B489918EF109E1 << 256
        | 0x56193951EC7E937B1652C0BD3BB1BF073573DF883D2C34F1EF451FD46B503F00,
        2**521 - 0x5AE79787C40D069948033FEB708F65A2FC44A36477663B851449048E16EC79BF7,
    ),
}
"""y^2 = x^3 - 3x + b for each ECDSA curve (FIPS 186): the prime, b, the order."""

ORDER_8 = 0x7A03AC9277FDC74EC6CC392CFA53202A0F67100D760B3CBA4FD84D3D706A17C7
"""The y of two of the points of order 8 on edwards25519. The other two have its negative."""

UNCHECKED: list[str] = []
"""The keys of signatures that could not be checked because `cryptography` is not installed."""

SIGNED = ("change", "recovery")
"""Why a key may change by its player's own signatures."""


def fields_of(data: bytes, count: int) -> list[bytes]:
    """The first `count` length-prefixed fields, and what follows them."""
    found = []
    for _ in range(count):
        end = 4 + int.from_bytes(data[:4], "big")
        require(4 <= len(data) >= end, "signature", "a signature is cut short")
        found.append(data[4:end])
        data = data[end:]
    return [*found, data]


def all_fields(data: bytes) -> list[bytes]:
    """All length-prefixed fields of the data."""
    found = []
    while data:
        one, data = fields_of(data, 1)
        found.append(one)
    return found


def natural(data: bytes) -> int:
    """A natural number. Its encoding must be the shortest one, without a sign bit."""
    n = int.from_bytes(data, "big")
    shortest = n.to_bytes(n.bit_length() // 8 + 1, "big")
    require(data == shortest, "signature", "a number is not in its shortest form")
    return n


def wire_of(line: str) -> bytes:
    """The bytes of a public key, given as its line in a .pub file. Some keys let anybody sign, so
    that their owners could deny every signature: they are refused."""
    wire = sound_key(line)
    why = f"{line[:40]!r} is not a valid public key, or lets anybody sign"
    require(bool(wire), "key-form", why)
    return wire


@cache
def sound_key(line: str) -> bytes:
    """The bytes of a public key that only its owner can sign with, or nothing."""
    try:
        wire = unbase64(line.split()[1].encode())
        kind, *numbers = all_fields(wire)
        named = line.split(maxsplit=1)[0] == kind.decode()
        return wire if named and is_key(kind.decode(), numbers) else b""
    except (LookupError, ValueError, Bad):
        return b""


def is_key(kind: str, fields: list[bytes]) -> bool:
    """Whether these are the fields of a sound public key of that kind."""
    if kind == "ssh-ed25519":
        (point,) = fields
        return len(point) == 32 and is_point(int.from_bytes(point, "little"))
    if kind == "ssh-rsa":
        e, n = map(natural, fields)
        return e % 2 == n % 2 == 1 and 3 <= e < 1 << 64 and 2048 <= n.bit_length() <= 16384
    curve, point = fields
    return kind == f"ecdsa-sha2-{curve.decode()}" and is_on_curve(curve.decode(), point)


def is_point(encoded: int) -> bool:
    """Whether it encodes a point of edwards25519 in the only valid way (RFC 8032, 5.1.3). Points of
    small order are refused: with them anybody can sign."""
    p = 2**255 - 19
    y = encoded & ((1 << 255) - 1)  # the highest bit is the sign of x
    square = (y * y - 1) * pow(-121665 * pow(121666, -1, p) * y * y + 1, -1, p) % p  # of x
    small = y in (0, 1, p - 1, ORDER_8, p - ORDER_8)
    return y < p and not small and pow(square, (p - 1) // 2, p) == 1


def is_on_curve(name: str, point: bytes) -> bool:
    """Whether it is an uncompressed point of that ECDSA curve."""
    p, b, _ = CURVES[name]
    half = (p.bit_length() + 7) // 8
    if len(point) != 1 + 2 * half or point[0] != 4:
        return False
    x, y = int.from_bytes(point[1 : 1 + half], "big"), int.from_bytes(point[1 + half :], "big")
    return x < p and y < p and (y * y - x * x * x + 3 * x - b) % p == 0


@dataclass(frozen=True)
class Blob:
    """What matters of an SSH signature: the hash of the message, and the signature itself."""

    algorithm: bytes
    kind: bytes
    raw: bytes


def verify_signature(line: str, namespace: str, message: bytes, signature: bytes) -> None:
    """Raise Bad unless the key of that public line signed the message. signature: an SSHSIG blob,
    or the 64 bare bytes of an Ed25519 signature."""
    if len(signature) == 64:
        blob = Blob(b"sha512", b"ssh-ed25519", signature)
        fits = line.startswith("ssh-ed25519 ")
        require(fits, "signature", "a bare signature, but the key is not an Ed25519 key")
    else:
        blob = open_blob(line, namespace, signature)
    inner = {b"sha256": hashlib.sha256, b"sha512": hashlib.sha512}[blob.algorithm](message).digest()
    covered = b"SSHSIG" + b"".join(map(tlv, (namespace.encode(), b"", blob.algorithm, inner)))
    check_raw(line, blob, covered)


def open_blob(line: str, namespace: str, data: bytes) -> Blob:
    """The parts of an SSHSIG blob, which must be of that key and namespace."""
    require(data[:10] == b"SSHSIG\0\0\0\1", "signature", "it is not an SSH signature")
    key, said, reserved, algorithm, inner, rest = fields_of(data[10:], 5)
    fits = not rest and not reserved and algorithm in (b"sha256", b"sha512")
    same = said == namespace.encode()
    require(fits and same, "signature", "it was signed for another purpose")
    require(key == wire_of(line), "signature", "it was signed by another key")
    kind, raw, rest = fields_of(inner, 2)
    require(not rest, "signature", "there are extra bytes after the signature")
    return Blob(algorithm, kind, raw)


def check_raw(line: str, blob: Blob, covered: bytes) -> None:
    """The signature itself must match the bytes that it covers."""
    try:
        from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
        from cryptography.hazmat.primitives.serialization import load_ssh_public_key
    except ImportError:
        UNCHECKED.append(line)
        return
    try:
        public = load_ssh_public_key(" ".join(line.split()[:2]).encode())
        check_with(public, line.partition(" ")[0].encode(), blob, covered)
    except (InvalidSignature, UnsupportedAlgorithm, ValueError):
        raise Bad("signature", "the signature does not match the text") from None


def check_with(key: object, key_type: bytes, blob: Blob, covered: bytes) -> None:
    """Check the signature with a key object of `cryptography`, which raises InvalidSignature."""
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa, utils

    kind, raw = blob.kind, blob.raw
    if isinstance(key, ed25519.Ed25519PublicKey) and kind == b"ssh-ed25519":
        key.verify(raw, covered)
    elif isinstance(key, rsa.RSAPublicKey) and kind in (b"rsa-sha2-256", b"rsa-sha2-512"):
        rsa_hash = hashes.SHA512() if kind.endswith(b"512") else hashes.SHA256()
        key.verify(raw, covered, padding.PKCS1v15(), rsa_hash)
    elif isinstance(key, ec.EllipticCurvePublicKey) and kind == key_type:
        ec_hash = {256: hashes.SHA256(), 384: hashes.SHA384(), 521: hashes.SHA512()}[key.key_size]
        r, s, rest = fields_of(raw, 2)
        require(not rest, "signature", "there are extra bytes after the signature")
        pair = utils.encode_dss_signature(natural(r), natural(s))
        key.verify(pair, covered, ec.ECDSA(ec_hash))
    else:
        raise Bad("signature", "the signature is of another type than its key")


def twin_of(signature: bytes) -> bytes:
    """The other valid form of an ECDSA signature, (r, n - s), which anybody can compute. Any other
    signature is returned as it is."""
    try:
        *head, inner, _ = fields_of(signature[10:], 5)
        kind, pair, _ = fields_of(inner, 2)
        r, s, _ = fields_of(pair, 2)
        *_, order = CURVES[kind.decode().removeprefix("ecdsa-sha2-")]
        other = order - int.from_bytes(s, "big")
        changed = other.to_bytes(other.bit_length() // 8 + 1, "big")
    except (Bad, LookupError, ValueError, OverflowError):
        return signature
    inner = tlv(kind) + tlv(tlv(r) + tlv(changed))
    return signature[:10] + b"".join(map(tlv, [*head, inner]))


def key_name(line: str) -> str:
    """The name of a key in a change of keys."""
    return hashlib.sha256(wire_of(line)).hexdigest()


def fingerprint(line: str) -> str:
    """The fingerprint that `ssh-keygen -l` prints."""
    said = base64.b64encode(hashlib.sha256(wire_of(line)).digest()).rstrip(b"=")
    return "SHA256:" + said.decode()


def check_change(g0: bytes, side: str, lines: list[str], one: Json) -> str:
    """A change of keys (formats.md: Keys) must be signed by one of these keys and by the new key.
    Returns the key that signed it."""
    old = next((x for x in lines if x and key_name(x) == one["old"]), "")
    require(bool(old), "bad-keys", f"a change of keys of {side} that none of its keys signed")
    words = ["keys", g0.hex(), str(one["window"]), side, one["old"], key_name(one["key"])]
    text = " ".join([*words, one.get("anchor") or "-", one.get("age") or "-"]).encode("ascii")
    try:
        verify_signature(old, "keys@pbem", text, bytes.fromhex(one["signature"]))
        verify_signature(one["key"], "keys@pbem", text, bytes.fromhex(one["proof"]))
    except Bad as bad:
        raise Bad("bad-keys", bad.text) from None
    return old


def reveal_text(g0: bytes, window: int, lock: str, link: str) -> bytes:
    """What a player signs to reveal a link."""
    return f"{g0.hex()} {window} {lock} {link}".encode("ascii")


# Orders (orders.md)


HEADER = {"GAME", "SETUP", "WINDOW", "SIDE", "SEQ", "REPORT", "LINK", "MODERATOR", "ANCHOR"}
WORDS_OF = {"setup": 8, "report": 8, "link": 8, "moderator": 2, "anchor": 8}
"""Header fields whose hex digits are written in several words."""

GAP = r"[\s>|]"
BLOCK = re.compile(
    rf"\b(BEGIN{GAP}+ORDERS(?:(?!BEGIN{GAP}+ORDERS).)*?END{GAP}+ORDERS)\b", re.DOTALL
)
BARE_SIGNATURE = re.compile(rf"{GAP}*BEGIN{GAP}+SEAL([A-Z2-7\s>|]*?)END{GAP}+SEAL")


@dataclass(frozen=True, order=True)
class Orders:
    """A signed block of orders out of an order file. They sort by their number."""

    seq: int
    name: str  # of the file
    canonical: bytes
    signature: bytes


def split_header(tokens: list[str]) -> tuple[dict[str, str], int]:
    """The header fields of a canonical form, and the place of the first word after them."""
    found: dict[str, str] = {}
    at = 2
    while at + 2 < len(tokens) and tokens[at] in HEADER and tokens[at + 1] == ":":
        name, at = tokens[at].lower(), at + 2
        size = 1 if tokens[at] == "NONE" else WORDS_OF.get(name, 1)
        words = tokens[at : at + size]
        found.setdefault(name, "".join(words).lower())
        at += len(words)
    return found, at


def header(tokens: list[str]) -> dict[str, str]:
    """The header fields of a canonical form (orders.md: The header)."""
    return split_header(tokens)[0]


def consent(tokens: list[str]) -> int:
    """The window that a set agrees to reopen (`CONSENT UNDO 14 ;`), or 0."""
    rest = tokens[split_header(tokens)[1] :]
    words = " ".join(rest).split(" : ")[0]  # what comes before the first actor
    found = re.search(r"(?:^|; )CONSENT UNDO ([0-9]+) (?:;|END)", words)
    return int(found[1]) if found else 0


def orders_in(raw: bytes) -> list[tuple[bytes, bytes]]:
    """The canonical form and bare signature of each block of orders in an ASCII text."""
    text, found = raw.decode("ascii", "replace").upper(), []
    for block in BLOCK.finditer(text):
        inner = re.sub(r"\[[^\[\]]*\]", " ", block[1])
        inner = re.sub(r"(?m)^(?:[ \t]*(?:[>|]|- (?=-)))+", " ", inner)
        tokens = re.findall(r'[0-9]+\.[0-9]+(?![0-9A-Z])|[A-Z0-9]+|[-:;@,"]', inner)
        signed = BARE_SIGNATURE.match(text, block.end())
        packed = re.sub(rf"{GAP}+", "", signed[1]) if signed else ""
        try:
            signature = base64.b32decode(packed + "=" * (-len(packed) % 8))
        except ValueError:
            signature = b""
        found.append((" ".join(tokens).encode() + b"\n", signature))
    return found


# Set-up (formats.md: Provable dice, Signatures)


def seats_of(facts: Json) -> list[str]:
    """Whoever has keys and sends orders: the sides, then their roles as `side.role`. facts: the
    set-up text or the record `created`."""
    sides, roles = [str(s) for s in facts["sides"]], facts.get("roles", {})
    return [*sides, *(f"{s}.{role}" for s in sides for role in roles.get(s, ()))]


def is_role(seat: str) -> bool:
    """Whether it is a role, not a side."""
    return "." in seat


def side_of(seat: str) -> str:
    """The side that a role belongs to; a side itself."""
    return seat.partition(".")[0]


def seat_of(report: Json) -> str:
    """Whom a report is for: a side, or the role that it names."""
    return f"{report['side']}.{report['role']}" if report.get("role") else str(report["side"])


class Setup:
    """The set-up text: everything that was decided before window 1. Reports add later anchors."""

    def __init__(self, text: str) -> None:
        raw = text.encode("ascii")
        self.text, self.g0 = text, digest("setup", raw)
        self.facts = facts = load(raw, "the set-up text")
        self.game, self.sides = str(facts["game"]), [str(s) for s in facts["sides"]]
        self.seats = seats_of(facts)
        self.protocol, self.dice = int(facts.get("protocol", 1)), str(facts["dice"])
        proved = self.dice in PROVED
        self.key = DiceKey(self.game, facts["modulus"], facts["roots"]) if proved else None
        self.keys: dict[str, list[str]] = {s: list(facts["keys"][s]) for s in self.seats}
        self.recovery: dict[str, list[str]] = facts.get("recovery") or {s: [] for s in self.seats}
        self.moderator = self._check_keys(facts["moderator"]["sign"])
        self.anchors = {  # of each side, with the window that each counts from
            s: dict.fromkeys(filter(None, facts["anchors"][s]), 1) for s in self.sides
        }

    def _check_keys(self, moderator: str) -> str:
        """Every key in it must be sound; the moderator's is returned."""
        lines = [x for known in (self.keys, self.recovery) for s in self.seats for x in known[s]]
        for line in (moderator, *filter(None, lines)):
            wire_of(line)
        return moderator

    def learn(self, side: str, anchor: str, since: int) -> None:
        """A later anchor counts from this window."""
        unhex(anchor, 32, f"an anchor of {side}")
        self.anchors[side].setdefault(anchor, since)

    def counting(self, side: str, window: int) -> list[str]:
        """The anchors of a side that count in a window."""
        return [anchor for anchor, since in self.anchors[side].items() if since <= window]


def check_moderator(text: bytes, kind: str, setup: Setup, facts: Json) -> None:
    """A signature file (report.seal): the statement that the moderator signed, and the signature.
    facts: the document that it must be about; kind: `report`, `receipt` or `lock`."""
    text = text.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n")  # as mail programs save it
    first, _, rest = text.partition(b"\n")
    want = f"{kind} {setup.g0.hex()} {facts['window']} {facts['side'] or '-'} {facts['digest']}"
    require(first == want.encode(), "signature", "the signature is of another document")
    inner = re.fullmatch(
        rb"-----BEGIN SSH SIGNATURE-----\s+([A-Za-z0-9+/=\s]+)-----END SSH SIGNATURE-----\s*", rest
    )
    require(bool(inner), "signature", "there is no signature in the signature file")
    assert inner
    try:
        blob = unbase64(b"".join(inner[1].split()))
    except ValueError:
        raise Bad("signature", "the signature is damaged") from None
    verify_signature(setup.moderator, f"{kind}@pbem", first + b"\n", blob)


# Reports (formats.md: Report)


PUBLIC = "spectators"
"""The side that public reports are for."""

REPORT, RECEIPT, LOCK = "pbem-report/2", "pbem-receipt/1", "pbem-lock/1"
REPORTS = ("pbem-report/1", REPORT)
"""They differ in the menu, which is not checked here."""

FIRST = "the first dice anchor of {0} came with its orders: {0} and the moderator could choose"

Named = tuple[str, Json]
"""A document with the name of its file, which findings start with."""

Wrong = Iterator[tuple[str, Bad]]
"""The files in which something is wrong, and what that is."""


def check_report(report: Json, signature: bytes | None, setups: dict[str, Setup]) -> list[str]:
    """One report by itself. Adds its set-up to `setups`, by its text; returns notes for the reader.
    signature: what report.seal holds, if it is there."""
    same = report["digest"] == digest_of("report", report)
    require(same, "altered-report", "the report does not match its own digest")
    setup = setups.get(report["setup"]["text"]) or Setup(report["setup"]["text"])
    setups[setup.text] = setup
    fits = (report["setup"]["digest"], report["game"]) == (setup.g0.hex(), setup.game)
    fits = fits and seat_of(report) in (*setup.seats, PUBLIC)
    fits = fits and report["dice_mode"] == setup.dice
    fits = fits and report["moderator"]["sign"] == setup.moderator
    require(fits, "setup", "the report does not match its own set-up text")
    notes = []
    if signature:
        check_moderator(signature, "report", setup, report)
    else:
        notes.append("no report.seal beside it: the moderator's signature is not checked")
    return notes + check_report_keys(report, setup) + check_report_dice(report, setup)


def check_report_keys(report: Json, setup: Setup) -> list[str]:
    """Keys that came after the set-up. A player who changed a key must have signed the change."""
    notes = []
    for side, later in sorted(report.get("keys", {}).items()):
        lines = [*setup.keys[side], *setup.recovery[side]]
        for one in later:
            said = f"{side} has a new key since window {one['from']}, {one['why']}"
            if one["why"] in SIGNED:
                check_change(setup.g0, side, lines, one)
            lines.append(one["key"])
            notes.append(f"{said}: {fingerprint(one['key'])}")
    return notes


def check_report_dice(report: Json, setup: Setup) -> list[str]:
    """The links and dice of the window that closed before this report."""
    seed, rolls = report["seed"], report["rolls"]
    window, links = seed["window"], seed["links"]
    if not setup.key:
        return [f"{setup.dice} dice prove nothing"]
    require(window < report["window"], "window", "its dice are of a window that is still open")
    if not window:
        require(not rolls and not links, "no-seed", "it has dice, but no window was closed yet")
        return []
    require(set(links) == set(setup.sides), "no-seed", "it does not give a link for each side")
    check_report_links(report, setup)
    value = seed_of(setup.g0, window, links, seed.get("firsts", {}), seed.get("root", ""))
    for roll in check_labels(rolls, window):
        check_roll(setup.key, setup.g0, value, roll)
    return [f"window {window}: {note}" for note in missing_links(seed)]


def check_report_links(report: Json, setup: Setup) -> None:
    """Every link must lead back to an anchor of its side, and be signed where dice are strict."""
    seed = report["seed"]
    strict = setup.dice == "strict"
    if strict and setup.protocol > 1:
        learn_locked(report, setup)
    for side, link in seed["links"].items():
        if link:
            anchors = setup.counting(side, seed["window"])
            check_link(setup.game, side, seed["window"], link, anchors)
            if strict and side not in seed.get("carried", {}):
                check_reveal(report, setup, side, link)


def missing_links(seed: Json) -> list[str]:
    """Notes on the sides that gave no link for the dice."""
    firsts = seed.get("firsts", {})
    absent = [s for s, link in sorted(seed["links"].items()) if not link and s not in firsts]
    return [FIRST.format(s) for s in sorted(firsts)] + [f"no link of {s}" for s in absent]


def learn_locked(report: Json, setup: Setup) -> None:
    """In a strict game, an anchor that came with the locked orders counts from their window on."""
    for side, named in report.get("anchors", {}).items():
        for one in named:
            if one["from"] == report["seed"]["window"]:
                setup.learn(side, one["anchor"], one["from"])


def check_reveal(report: Json, setup: Setup, side: str, link: str) -> None:
    """A link of a strict game must be signed together with the lock, by a key that its side had
    then: a key of the set-up text, or one that the report names."""
    seed = report["seed"]
    text = reveal_text(setup.g0, seed["window"], seed["lock"], link)
    signature = bytes.fromhex(seed["reveals"].get(side, ""))
    later = report.get("keys", {}).get(side, [])
    for line in [*setup.keys[side], *(x["key"] for x in later if x["from"] <= seed["window"])]:
        try:
            return verify_signature(line, "reveal@pbem", text, signature)
        except Bad:
            continue  # another key may have signed it
    raise Bad("bad-reveal", f"the link of {side} is not signed with the lock by a key of its side")


def learn_anchors(report: Json, setup: Setup) -> None:
    """An anchor that this report is the first to name counts from the window after the one that it
    opens, at the earliest. Only the report that first named an anchor can tell its window."""
    for side, named in report.get("anchors", {}).items():
        for one in named:
            known = setup.anchors[side].get(one["anchor"])
            if known is not None:
                fits = one["from"] == known
                require(fits, "early-anchor", f"an anchor of {side} counts from another window")
            elif one["from"] > report["window"] - (setup.protocol > 1):
                setup.learn(side, one["anchor"], one["from"])


def compare_reports(reports: list[Named]) -> Wrong:
    """Reports of the same game. What they tell all sides must be the same in each."""
    yield from compare_public(reports)
    yield from compare_roots(reports)
    yield from compare_sets(reports)


def compare_public(reports: list[Named]) -> Wrong:
    """Links, lock, anchors, keys, commitment and head are public: two versions are a fork."""
    told: dict[tuple[str, int, str], Named] = {}
    for name, report in reports:
        public = {k: report["seed"][k] for k in ("window", "links", "lock")}
        public |= {k: report.get(k) for k in ("anchors", "commit", "head", "keys", "run")}
        public |= {k: report["seed"].get(k) for k in ("carried", "firsts", "root")}
        key = (report["setup"]["digest"], report["window"], report["opened"])
        first, other = told.setdefault(key, (name, public))
        if public != other:
            what = ", ".join(k for k in public if public[k] != other[k])
            yield name, Bad("fork", f"it disagrees with {first} on {what}")


def compare_roots(reports: list[Named]) -> Wrong:
    """The seed of the first window is part of all later seeds. Only an undo of the first window
    changes it, and then the reports say how many windows were undone."""
    first: dict[str, tuple[str, str]] = {}
    for name, report in reports:
        setup, seed = report["setup"], report["seed"]
        root = seed.get("root", "")
        if not seed["links"] or any("undone" in flag for flag in report["flags"]):
            continue
        if not root and json.loads(setup["text"]).get("protocol", 1) > 1:
            g0 = bytes.fromhex(setup["digest"])
            root = seed_of(g0, seed["window"], seed["links"], seed.get("firsts", {})).hex()
        other, known = first.setdefault(setup["digest"], (name, root))
        if root != known:
            yield name, Bad("fork", f"its first seed is not that of {other}")


def compare_sets(reports: list[Named]) -> Wrong:
    """Where the reports of all seats are here, the orders that they name must give the lock."""
    groups: dict[tuple[str, int], list[Named]] = {}
    for name, report in reports:
        where = str(report["setup"]["digest"]), int(report["seed"]["window"])
        groups.setdefault(where, []).append((name, report))
    for (g0, window), group in groups.items():
        name, last = group[0]
        sets = {str(s): str(x) for _, r in group for s, x in r["seed"]["sets"].items()}
        if window and sorted(sets) == sorted(seats_of(json.loads(last["setup"]["text"]))):
            lock = lock_of(bytes.fromhex(g0), window, sets)
            if lock != last["seed"]["lock"]:
                yield name, Bad("lock", f"the lock of window {window} does not match the orders")


def compare_receipts(reports: list[Named], receipts: list[Named]) -> Wrong:
    """The report of a window must not deny what a side has a receipt for."""
    for name, receipt in receipts:
        took = receipt["status"] in ("accepted", "partly")
        for other, report in reports if took else ():
            seed, side = report["seed"], receipt["side"]
            where = (receipt["game"], side, receipt["window"])
            if (report["game"], seat_of(report), seed["window"]) != where:
                continue
            if receipt["code"] == "revealed" and not seed["links"].get(side):
                yield name, Bad("lost-reveal", f"{other} says that this link never came")
            elif receipt["in_force"] and seed["sets"].get(side) == "NMR":
                yield name, Bad("dropped-order", f"{other} says that no orders came")


def compare_locks(reports: list[Named], notices: list[Named]) -> Wrong:
    """A window has one lock, the same for every side."""
    known: dict[tuple[str, int], tuple[str, str]] = {}
    for name, report in reports:
        seed = report["seed"]
        known.setdefault((report["setup"]["digest"], seed["window"]), (name, seed["lock"]))
    for name, notice in notices:
        where = notice["setup"], notice["window"]
        first, lock = known.setdefault(where, (name, notice["lock"]))
        if notice["lock"] != lock:
            yield name, Bad("two-locks", f"{first} has another lock of window {where[1]}")


def gaps(reports: list[Named]) -> Iterator[str]:
    """Notes on windows that were closed and whose opening report is not here."""
    mine = {(r["setup"]["digest"], seat_of(r), r["window"]) for _, r in reports}
    for name, report in reports if len(reports) > 1 else ():
        window, side = report["seed"]["window"], seat_of(report)
        if window and (report["setup"]["digest"], side, window) not in mine:
            yield (
                f"{name} has dice of window {window}, but the report that opened that window for "
                f"{side} is not here: if you never got one, it was opened for others alone"
            )


# Ledgers: the chain of records (formats.md: Ledger)


KINDS = {
    *("bounced", "closed", "created", "ended", "enlisted", "extended", "held", "locked"),
    *("looked", "noted", "opened", "pressed", "received", "refused", "replaced", "resent"),
    *("resumed", "revealed", "ruled", "scheduled", "sent", "undone"),
}


@dataclass(frozen=True)
class Record:
    """One record of a ledger."""

    n: int
    at: str
    kind: str
    body: Json
    hash: str


def records(data: bytes) -> Iterator[Record]:
    """The records in order. Each is checked against its own hash and against the one before."""
    prev = ZERO
    for n, line in enumerate(io.BytesIO(data), 1):
        if not line.endswith(b"\n"):
            return  # an append that was never completed
        content = line[:-76] + b"}"
        own = digest("ledger", content).hex()
        fits = line[-76:] == b',"hash":"' + own.encode() + b'"}\n'
        require(fits, "altered-record", "its hash does not match its content")
        record = load(content, "it")
        sound = set(record) == {"at", "body", "kind", "n", "prev", "salt"}
        sound = sound and isinstance(record["body"], dict) and record["kind"] in KINDS
        require(sound, "altered-record", "it is not of a known kind")
        said = record["n"]
        require(said == n or said < n, "dropped-record", f"record {said} is where {n} belongs")
        require(said == n, "moved-record", f"it says that it is record {said}")
        follows = record["prev"] == prev
        require(follows, "moved-record", "it does not follow the record before it")
        prev = own
        yield Record(n, record["at"], record["kind"], record["body"], own)


# Ledgers: times, which prove nothing: the moderator's clock and mailbox give them


MINUTES = {"m": 1, "h": 60, "d": 1440, "w": 10080}


@dataclass
class Clock:
    """What the records say of times. before: the record before."""

    before: Record | None = None
    by: str = ""  # what set the time of that record, if it was not the clock
    deadline: str = ""  # of the open window
    held: bool = False  # whether no deadline runs
    schedule: str = ""

    def apply(self, record: Record) -> None:
        """What a record changes."""
        body = record.body
        self.before, self.by = record, body.get("clock", "")
        if record.kind == "ruled" and "opens" in body:
            self.deadline = body.get("deadline", "")
        elif record.kind in ("opened", "closed", "undone", "extended", "scheduled", "resumed"):
            self.deadline = body.get("deadline", self.deadline)
        if record.kind in ("held", "resumed"):
            self.held = record.kind == "held"
        if record.kind == "scheduled":
            self.schedule = body["rule"]

    def is_late(self, came: str) -> bool:
        """Whether orders of that time come behind the deadline and the grace of the schedule."""
        words = dict(word.partition("=")[::2] for word in self.schedule.split())
        grace = words.get("grace", "0m")
        if not self.deadline or self.held or words.get("nmr") == "wait":
            return False
        try:
            last = moment(self.deadline) + timedelta(minutes=int(grace[:-1]) * MINUTES[grace[-1]])
            return moment(came) > last
        except (LookupError, ValueError, OverflowError):  # times that pbem never wrote
            return False


def time_notes(clock: Clock, record: Record) -> Iterator[str]:
    """Orders behind the deadline, time that runs backwards, and records of another clock."""
    body, before, said = record.body, clock.before, f"record {record.n}"
    if "clock" in body and not clock.by:
        yield f"{said}: {body['clock']} set the time from here on, not the clock"
    if before and record.at < before.at:
        yield f"{said}: its time, {record.at}, is before that of record {before.n}, {before.at}"
    if record.kind == "received" and not body.get("bot"):
        came = min(body["arrival"], record.at)
        if clock.is_late(came):
            side, due = body["side"], clock.deadline
            yield f"{said}: orders of {side} came at {came}, after the deadline, {due}"


# Ledgers: what is known after each record


Officer = tuple[str, int]
"""A key of a side: the side, and the number of the key."""


@dataclass(frozen=True)
class Loss:
    """The loss of a key, as it was announced. n: the record that says so."""

    n: int
    said: Json


@dataclass
class Keys:
    """The keys of the players."""

    officers: dict[Officer, str] = field(default_factory=dict)  # those that may sign now
    former: dict[Officer, str] = field(default_factory=dict)  # those that no longer may
    recovery: dict[Officer, str] = field(default_factory=dict)
    ages: dict[Officer, str] = field(default_factory=dict)  # what their mail is encrypted to
    losses: dict[str, Loss] = field(default_factory=dict)  # by side

    def signs(self, side: str, officer: int) -> None:
        """A key that signs is not lost."""
        if side in self.losses and officer in self.losses[side].said.get("ends", []):
            del self.losses[side]


@dataclass
class Anchors:
    """The dice anchors of the players' keys."""

    since: dict[Officer, list[tuple[int, str]]] = field(default_factory=dict)
    """Each with the window that it counts from, in that order."""
    pending: dict[Officer, str] = field(default_factory=dict)  # not yet named in a report

    def counting(self, who: Officer, window: int) -> list[str]:
        """The anchors of a key that count in a window. The last one replaces those before."""
        return [anchor for since, anchor in self.since.get(who, []) if since <= window]

    def add(self, who: Officer, since: int, anchor: str) -> None:
        """An anchor counts from this window."""
        self.since.setdefault(who, []).append((since, anchor))

    def announce(self, who: Officer, anchor: str, window: int) -> None:
        """A key brings an anchor, if any. window: the open one, 0 before the game is open."""
        known = {a for found in self.since.values() for _, a in found}
        if anchor and anchor not in known:
            unhex(anchor, 32, "an anchor")
            if window:
                self.pending[who] = anchor
            else:
                self.add(who, 1, anchor)


@dataclass(frozen=True)
class OrderSet:
    """An accepted set of orders. n, at: number and time of its record; body: what that says."""

    n: int
    at: str
    body: Json

    @property
    def officer(self) -> int:
        """The number of the key that signed it, 0 if the moderator entered it."""
        return int(self.body["officer"])

    @property
    def ahead(self) -> int:
        """How many windows beyond its own it agrees to run."""
        return int(self.body.get("ahead", 0))


def reach_of(body: Json) -> int:
    """How many windows beyond its own the link of a set reaches: it agrees to run so far (`ahead`),
    or gives the links of so many windows ahead (`links`)."""
    return int(max(body.get("ahead", 0), body.get("links", 0) - 1))


@dataclass(frozen=True)
class Link:
    """A link that came with orders. since: their window; reach: the window that the link is of."""

    who: Officer
    anchor: str
    since: int
    reach: int
    value: str


@dataclass
class Window:
    """The open window."""

    number: int = 0  # 0 before the game is open
    since: str = ""  # when it was opened
    sets: dict[str, OrderSet] = field(default_factory=dict)  # side: its newest accepted set
    announced: dict[str, str] = field(default_factory=dict)  # side: the anchor in its orders
    lock: str = ""  # of a strict game, once it was sent
    reveals: dict[str, Json] = field(default_factory=dict)  # side: its link, and who signed it
    rerun: Json = field(default_factory=dict)
    """The record that closed it before, if it was undone and its orders were kept."""


@dataclass
class Past:
    """What happened until now."""

    used: int = 0  # the highest window number so far
    seqs: dict[str, int] = field(default_factory=dict)  # side: the number of its newest set
    sets: dict[int, OrderSet] = field(default_factory=dict)  # every set by its record
    links: dict[int, Link] = field(default_factory=dict)
    """Links by their record (protocol 1: only those that reach beyond their window)."""
    consents: dict[int, set[str]] = field(default_factory=dict)
    """window: the sides that signed that it may be reopened."""
    closed: list[Json] = field(default_factory=list)  # bodies of the records, without undone ones
    locks: dict[int, set[str]] = field(default_factory=dict)
    positions: dict[int, str] = field(default_factory=dict)
    """window: the hash of the state that it was opened with."""


@dataclass(frozen=True)
class Sent:
    """A report that a record says was sent. n, body: of that record."""

    side: str
    n: int
    body: Json


@dataclass
class Game:
    """What is known of a game after some of its records. Each record changes it."""

    created: Json = field(default_factory=dict)
    setup: Setup | None = None  # once the game is open
    age: str = ""  # what mail to the moderator is encrypted to
    keys: Keys = field(default_factory=Keys)
    anchors: Anchors = field(default_factory=Anchors)
    window: Window = field(default_factory=Window)
    past: Past = field(default_factory=Past)
    reports: dict[str, Sent] = field(default_factory=dict)  # by digest
    receipts: set[str] = field(default_factory=set)  # digests
    heads: dict[str, int] = field(default_factory=lambda: {ZERO: 0})  # hash: number of the record
    notes: list[str] = field(default_factory=list)  # for the reader
    clock: Clock = field(default_factory=Clock)  # what it says of times
    rolls: int = 0
    signed: int = 0

    @property
    def sides(self) -> list[str]:
        """The sides in the order of the set-up."""
        return list(self.created["sides"])

    @property
    def seats(self) -> list[str]:
        """The sides, then their roles."""
        return seats_of(self.created)

    @property
    def protocol(self) -> int:
        """Which rules fix dice, windows and the numbers of sets (formats.md: Protocols)."""
        return int(self.created.get("protocol", 1))

    @property
    def strict(self) -> bool:
        """Whether links are revealed only after the orders were locked."""
        return bool(self.created["dice"] == "strict")

    @property
    def opened(self) -> Setup:
        """The set-up of the game, which must be open."""
        require(self.setup is not None, "moved-record", "the game was not open yet")
        assert self.setup
        return self.setup


Check = Callable[[Game, Record], None]
"""Checks a record of one kind against what is known, and adds what the record says to it."""


# Ledgers: how the game was made, and its keys (formats.md: Keys)


SETUP_FACTS = (
    *("system", "edition", "data", "scenario", "options", "sides", "release"),
    *("dice", "mail", "house", "game", "modulus", "roots"),
)
"""What the set-up text repeats from the record `created`."""

NMR_POLICY = "standing orders, else the default"
WHY = (*SIGNED, "replacement", "reset")
NOTICE = timedelta(hours=48)
"""How long before it takes effect the loss of a key must be announced."""


def check_created(game: Game, record: Record) -> None:
    """The first record: rule system, options, sides and dice key."""
    body = record.body
    require(not game.created, "moved-record", "the game was created before")
    require(isinstance(body.get("system"), str), "altered-record", "it names no rule system")
    game.created, game.age = body, body.get("age", "")
    wire_of(body["moderator"])
    if body["dice"] in PROVED:
        DiceKey(body["game"], body["modulus"], body["roots"])
    else:
        unused = bool(body["modulus"] or body["roots"])
        require(not unused, "dice-key", "it has a dice key, but its dice have no proofs")
        game.notes.append(f"{body['dice']} dice prove nothing")


def check_enlisted(game: Game, record: Record) -> None:
    """A key is registered for a side, with the next number, and never again."""
    body, keys = record.body, game.keys
    who = side, n = body["side"], body["number"]
    ever = {**keys.officers, **keys.former}
    next_one = 1 + max((number for s, number in ever if s == side), default=0)
    fresh = side in game.seats and n == next_one
    require(fresh, "officer", "an officer of a wrong side or with a wrong number")
    lines = [*ever.values(), *keys.recovery.values()]
    mine = [wire_of(x) for x in (body["key"], body.get("recovery")) if x]
    once = len({*mine}) == len(mine) and not {*mine} & {wire_of(x) for x in lines}
    require(once and all(mine), "officer", "a key was registered before")
    keys.officers[who], keys.ages[who] = body["key"], body.get("age", "")
    if body.get("recovery"):
        keys.recovery[who] = body["recovery"]
    require_chain(body)
    game.anchors.announce(who, body.get("anchor", ""), game.window.number)


def require_chain(body: Json) -> None:
    """Only an officer of a whole side has a dice chain."""
    chained = is_role(body["side"]) and bool(body.get("anchor"))
    require(not chained, "officer", "a role has a dice anchor, but only a side gives links")


def check_replaced(game: Game, record: Record) -> None:
    """A key may change by its player's signatures, after a loss that nobody denied, or because the
    moderator decides so. All sides are told."""
    body, keys = record.body, game.keys
    side, why = body["side"], body.get("why", "replacement")
    wire_of(body["key"])
    ends = [(side, n) for n in body["ends"]]
    known = bool(ends) and all(w in keys.officers for w in ends)
    require(known and why in WHY, "officer", "it ends a key that is not registered")
    told = not game.window.number or {*game.sides} <= {*body.get("mailed", [])}
    require(told, "one-sided", "a key changed, and not all sides were told")
    check_right(game, record, ends)
    keys.losses.pop(side, None)
    for who in ends:
        keys.former[who] = keys.officers.pop(who)
        game.anchors.pending.pop(who, None)
    check_enlisted(game, record)
    recovery = keys.recovery.get(ends[0], "")
    if why in SIGNED and recovery:
        keys.recovery[side, body["number"]] = recovery


def check_right(game: Game, record: Record, ends: list[Officer]) -> None:
    """Why these keys may be replaced. What the moderator decided is noted for the reader."""
    why = record.body.get("why", "replacement")
    if why in SIGNED:
        check_signed_change(game, record.body, ends)
    elif why == "reset":
        check_reset(game, record)
    else:
        side = record.body["side"]
        game.notes.append(f"record {record.n}: the moderator replaced a key of {side}")


def check_signed_change(game: Game, body: Json, ends: list[Officer]) -> None:
    """A change that the player signed, with the old key or with the recovery key."""
    setup, who = game.opened, ends[0]
    now = body["window"] == game.window.number and not game.window.lock and len(ends) == 1
    require(now, "bad-keys", "a change of keys for another window")
    lines = [game.keys.officers[who], game.keys.recovery.get(who, "")]
    by = check_change(setup.g0, body["side"], lines, body)
    right = "change" if by == lines[0] else "recovery"
    require(body["why"] == right, "bad-keys", "another key signed the change than it says")


def check_reset(game: Game, record: Record) -> None:
    """A lost key may be replaced as was announced, when the announced time has come."""
    body = record.body
    loss = game.keys.losses.get(body["side"], Loss(0, {}))
    same = all(loss.said.get(k) == body[k] for k in ("ends", "key", "anchor"))
    same = same and loss.said.get("age") == body.get("age") and loss.n == body["notice"]
    require(same, "early-key", "no such loss was announced, or the old key has signed since")
    due = moment(record.at) >= moment(loss.said["due"])
    require(due, "early-key", "a lost key was replaced before the announced time")


def check_noted(game: Game, record: Record) -> None:
    """Notes may change the moderator's age key, or announce the loss of a player's key."""
    game.age = record.body.get("age", game.age)
    if "address" in record.body:
        sides = ", ".join(record.body["sides"])
        note = f"record {record.n}: the moderator sends mail of {sides} to another address"
        game.notes.append(note)
    if "reset" not in record.body:
        return
    said = record.body["reset"]
    side = said["side"]
    ends = [(side, n) for n in said["ends"]]
    known = len(ends) == 1 and ends[0] in game.keys.officers
    require(known, "officer", "it announces the loss of a key that is not registered")
    late = moment(said["due"]) - moment(record.at) >= NOTICE
    require(late, "early-key", "the loss of a key was announced too late")
    wire_of(said["key"])
    game.keys.losses[side] = Loss(record.n, said)


def check_opened(game: Game, record: Record) -> None:
    """The game opens with a set-up text that says what the records before it say."""
    body = record.body
    first = not game.window.number and body["window"] == 1
    require(first, "window", "a game opens once, with window 1")
    game.setup = Setup(body["setup"])
    same = game.setup.facts == setup_facts(game, body["deadline"])
    require(same, "setup", "the set-up text does not match the records before it")
    game.window.number = game.past.used = 1


def setup_facts(game: Game, deadline: object) -> Json:
    """What the set-up text must say. deadline: of the first window."""
    made, keys = game.created, game.keys
    anchors = {who: known[-1][1] for who, known in game.anchors.since.items()}
    facts = {name: made[name] for name in SETUP_FACTS} | {
        "keys": each_side(game, keys.officers),
        "anchors": each_side(game, anchors),
        "moderator": {"sign": made["moderator"], "age": game.age},
        "deadlines": {"first": deadline},
        "policies": {"nmr": NMR_POLICY, "press": made.get("press", "none")},
    }
    if made.get("missed"):
        facts["policies"]["missed"] = made["missed"]
    if made.get("aids"):
        facts["policies"]["aids"] = made["aids"]
    if made.get("roles"):
        facts["roles"] = made["roles"]
    if made.get("protocol", 1) > 1:
        facts["protocol"] = made["protocol"]
    if made["mail"] == "sealed":
        facts["ages"] = each_side(game, keys.ages)
    if keys.recovery:
        facts["recovery"] = each_side(game, keys.recovery)
    return facts


def each_side(game: Game, known: dict[Officer, str]) -> Json:
    """What is known of each registered key, by side, empty where there is nothing."""
    officers = game.keys.officers
    return {s: [known.get(w, "") for w in officers if w[0] == s] for s in game.seats}


# Ledgers: orders, links and locks (orders.md: The header; formats.md: Provable dice)


DAY = 86_400
BOUNDED = SORTED = 2
"""The first protocols that limit the seq of a set, and that list sides in their order."""

KEPT = ("n", "at", "seq", "digest", "order", "canonical", "final")
"""What an undo that keeps the orders must say of each set."""


def check_received(game: Game, record: Record) -> None:
    """A set of orders. A key of its side must have signed it, for this game and window."""
    body, setup = record.body, game.opened
    canonical, signature = body["canonical"].encode("ascii"), bytes.fromhex(body["signature"])
    made = digest("canonical", canonical).hex(), digest("order", canonical, signature).hex()
    same = made == (body["digest"], body["order"])
    require(same, "altered-order", "the orders do not match their digests")
    if body["officer"]:
        check_order_signature(game, record, canonical, signature)
    else:
        by = f"record {record.n}: orders of {body['side']} entered by the moderator"
        game.notes.append(by)
    tokens = body["canonical"].split()
    head = header(tokens)
    check_order_place(game, setup, body, head)
    check_order_link(game, record, head)
    remember_set(game, record, consent(tokens))


def check_order_signature(game: Game, record: Record, canonical: bytes, signature: bytes) -> None:
    """An officer of the side signed the canonical form, or a file that says the same (`raw`)."""
    body = record.body
    key = game.keys.officers.get((body["side"], body["officer"]))
    require(bool(key), "forged-order", "the side has no officer of that number")
    text = bytes.fromhex(body["raw"]) if "raw" in body else canonical
    verify_signature(str(key), "orders@pbem", text, signature)
    game.signed += 1
    if "raw" not in body:
        return
    if text.isascii():
        same = canonical in [c for c, _ in orders_in(text)]
        require(same, "altered-order", "the signed file says something else")
    else:
        game.notes.append(
            f"record {record.n}: the signed file is not ASCII; whether it says the same as the "
            "record is not checked"
        )


def check_order_place(game: Game, setup: Setup, body: Json, head: dict[str, str]) -> None:
    """The header names this game, side, window and number, and a report that the side got; and the
    window still takes orders."""
    window, side = game.window, body["side"]
    want = {"game": setup.game, "side": side_of(side), "setup": setup.g0.hex()}
    want |= {"window": str(window.number), "seq": str(body["seq"])}
    fits = all(head.get(k) == v for k, v in want.items()) and body["window"] == window.number
    report = game.reports.get(head.get("report", ""))
    fits = fits and bool(report and report.side == side)
    fits = fits and not window.rerun and not window.lock and not in_run(game)
    require(fits, "misplaced-order", "it was not signed for this game, window and side")
    newer = body["seq"] > game.past.seqs.get(side, 0)
    require(newer, "misplaced-order", "its seq is not higher than that of the set before it")
    if game.protocol >= BOUNDED:
        soon = body["seq"] <= latest_seq(game, body)
        require(soon, "future-sequence", "its seq is more than a day after its arrival")


def latest_seq(game: Game, body: Json) -> int:
    """The highest seq allowed: a day after the set's arrival, and after the lowest seq allowed."""
    times = [int(moment(one).timestamp()) for one in (body["arrival"], game.window.since)]
    return max(game.past.seqs.get(body["side"], 0) + 1, *times) + DAY


def check_order_link(game: Game, record: Record, head: dict[str, str]) -> None:
    """The link of a set is the one in its header. The moderator, who enters a set, has none."""
    body = record.body
    fits = body.get("ahead", 0) >= 0 and body.get("links", 0) >= 0
    require(fits, "bad-link", "the set is for an earlier window")
    said = head.get("link") if body["officer"] else "none"
    if game.opened.key and body["officer"]:
        check_proved_link(game, record, head)
    else:
        same = body["link"] == ("" if said == "none" else said)
        require(same, "bad-link", "the record has another link than the orders")


def check_proved_link(game: Game, record: Record, head: dict[str, str]) -> None:
    """Where dice have proofs, a set must have a link as soon as an anchor of its key counts."""
    body, window = record.body, game.window.number
    who, reach = (body["side"], body["officer"]), window + reach_of(body)
    said = head.get("link", "none")
    link = "" if said == "none" else said
    late = waits_for_lock(game, body)
    require(not (link and late), "bad-link", "a link was given before the lock")
    require(body["link"] == link, "bad-link", "the record has another link than the orders")
    counts = game.anchors.counting(who, window)
    if link:
        require(bool(counts), "bad-link", "a link, but no anchor of its key counts")
        check_link(game.opened.game, who[0], reach, link, counts[-1:])
        if game.protocol > 1 or {"ahead", "links"} & body.keys():
            game.past.links[record.n] = Link(who, counts[-1], window, reach, link)
    else:
        excused = not counts or "anchor" in head or reach > LONGEST or late
        require(excused, "bad-link", "no link, though an anchor of its key counts")
    announced = "" if is_role(who[0]) else head.get("anchor", "")
    same = body.get("anchor", "") == announced
    require(same, "bad-link", "the record has another anchor than the orders")
    game.anchors.announce(who, body.get("anchor", ""), window)


def waits_for_lock(game: Game, body: Json) -> bool:
    """Whether the link of a set is revealed after the lock: in strict games, unless it gives links
    ahead."""
    return bool(game.strict and not body.get("links"))


def remember_set(game: Game, record: Record, agreed: int) -> None:
    """The set is in force until a newer one comes. agreed: the window that it may reopen."""
    body = record.body
    side, officer = body["side"], body["officer"]
    game.past.seqs[side] = body["seq"]
    game.keys.signs(side, officer)
    game.past.consents.setdefault(agreed if officer else 0, set()).add(side)
    one = OrderSet(record.n, record.at, body)
    game.window.sets[side] = game.past.sets[record.n] = one
    if body.get("anchor"):
        game.window.announced[side] = body["anchor"]


def in_force(game: Game) -> dict[str, Json]:
    """The set of each side and role that is in force, as records name it."""
    found = {}
    for side in game.seats:
        one = game.window.sets.get(side)
        found[side] = {"order": one.body["order"] if one else "NMR", "record": one.n if one else 0}
    return found


def check_sets(game: Game, setup: Setup, body: Json) -> None:
    """A record that locks or closes the window has the sets in force, and the lock they give."""
    want = in_force(game)
    same = body["sets"] == want
    require(same, "dropped-order", "its orders are not the ones that were received")
    lock = lock_of(setup.g0, game.window.number, {s: x["order"] for s, x in want.items()})
    require(body["lock"] == lock, "lock", "its lock does not match the orders")


def check_locked(game: Game, record: Record) -> None:
    """The lock of a strict window fixes its orders, and the anchors that came with them."""
    body, setup, window = record.body, game.opened, game.window
    first = not window.lock and body["window"] == window.number
    require(first, "two-locks", "the window was locked before, or another one is open")
    check_sets(game, setup, body)
    window.lock = body["lock"]
    game.past.locks.setdefault(window.number, set()).add(window.lock)
    for side, one in window.sets.items() if game.protocol > 1 else ():
        who, anchor = (side, one.officer), one.body.get("anchor")
        if anchor and game.anchors.pending.get(who) == anchor:
            since = anchor_since(game, who, window.number)
            game.anchors.add(who, since, game.anchors.pending.pop(who))


def check_revealed(game: Game, record: Record) -> None:
    """A link of a strict game, from the officer whose set is locked."""
    body, setup, window = record.body, game.opened, game.window
    who = side, officer = body["side"], body["officer"]
    key = game.keys.officers.get(who) or game.keys.former.get(who, "")
    one = window.sets.get(side)
    own = bool(window.lock and one and one.officer == officer and side not in window.reveals)
    own = own and not window.rerun  # its dice are known already
    own = own and not newest_link(game, side)  # it came ahead, with orders
    fits = (body["window"], body["lock"]) == (window.number, window.lock)
    require(own and fits, "bad-link", "nobody waits for this link")
    text = reveal_text(setup.g0, window.number, window.lock, body["link"])
    verify_signature(key, "reveal@pbem", text, bytes.fromhex(body["signature"]))
    counts = game.anchors.counting(who, window.number)
    require(bool(counts), "bad-link", "a link, but no anchor of its key counts")
    check_link(setup.game, side, window.number, body["link"], counts[-1:])
    window.reveals[side] = body
    game.keys.signs(side, officer)


# Ledgers: what decides the dice of a window (formats.md: Provable dice)


def fixed(game: Game) -> Json:
    """Links, first anchors and seed of the open window, as its record must name them."""
    if not game.opened.key:
        return {"links": {}}
    found = links_now(game)
    if game.protocol > 1:
        found["seed"] = seed_now(game, found).hex()
    return {k: x for k, x in found.items() if x or k == "links"}


def links_now(game: Game) -> Json:
    """The links of the open window, and the first anchors that stand for them."""
    window = game.window
    if window.rerun:  # the same as when it was closed before
        known = ("links", "carried", "firsts")
        return {k: window.rerun[k] for k in known if k in window.rerun}
    if game.strict:
        told = {side: reveal["link"] for side, reveal in window.reveals.items()}
        links = {side: link_of(game, side) or told.get(side, "") for side in game.sides}
        return {"links": links, "carried": carried(game)}
    links = {side: link_of(game, side) for side in game.sides}
    return {"links": links, "carried": carried(game), "firsts": first_anchors(game)}


def seed_now(game: Game, found: Json) -> bytes:
    """The seed of the open window. found: its links and first anchors."""
    root = game.past.closed[0].get("seed", "") if game.past.closed else ""
    links, firsts = found["links"], found.get("firsts", {})
    return seed_of(game.opened.g0, game.window.number, links, firsts, root)


def first_anchors(game: Game) -> dict[str, str]:
    """Anchors that came with orders in the first window, of sides that had none before."""
    if game.protocol < 2 or game.past.closed:
        return {}
    had = {side for (side, _), known in game.anchors.since.items() if known}
    return {s: x for s, x in game.window.announced.items() if s not in had}


def newest_link(game: Game, side: str) -> Link | None:
    """What decides the link of a side in the open window: the newest link that reaches it."""
    if game.protocol < 2 and not game.strict:
        return newest_link_1(game, side)
    mine = [x for x in game.past.links.values() if x.who[0] == side]
    fits = [x for x in mine if x.since <= game.window.number <= x.reach]
    return fits[-1] if fits else None


def newest_link_1(game: Game, side: str) -> Link | None:
    """The same in protocol 1: the link of the set in force, or else that of the last set in force
    before, if it reaches this window and its key and anchor still count."""
    window = game.window.number
    if one := game.window.sets.get(side):
        who = side, one.officer
        anchor = "".join(game.anchors.counting(who, window)[-1:])
        link = Link(who, anchor, window, window + reach_of(one.body), one.body["link"])
        return link if link.value else None
    numbers = [x["sets"][side]["record"] for x in game.past.closed if x["sets"][side]["record"]]
    last = game.past.links.get(numbers[-1]) if numbers else None
    if not last or last.reach < window or last.who not in game.keys.officers:
        return None
    return last if game.anchors.counting(last.who, window)[-1:] == [last.anchor] else None


def link_of(game: Game, side: str) -> str:
    """The link of a side in the open window, or nothing."""
    if not (one := newest_link(game, side)):
        return ""
    raw = unhex(one.value, 32, f"the link of {side}")
    return back(game.created["game"], side, raw, one.reach, game.window.number).hex()


def carried(game: Game) -> dict[str, int]:
    """Sides whose link came with orders for an earlier window, and the first such window. In a
    strict game also those whose link came with orders for this one: before the lock."""
    found, window = {}, game.window.number
    early = window + game.strict
    for side in game.sides:
        one = newest_link(game, side)
        known = [x for x in game.past.links.values() if one and x.anchor == one.anchor]
        since = [x.since for x in known if x.since < early and window <= x.reach]
        if since:
            found[side] = min(since)
    return found


def note_first_dice(game: Game, found: Json) -> None:
    """Note the sides that fixed nothing of the first dice before the game. found: what did."""
    links, firsts = found["links"], found.get("firsts", {})
    if game.past.closed or not links:
        return
    start = f"window {game.window.number}: "
    for side in sorted(firsts):
        together = f"{side} and the moderator together could choose these dice"
        came = f"the first dice anchor of {side} came with its orders"
        game.notes.append(f"{start}{came}: {together}")
    silent = ", ".join(s for s in sorted(links) if not links[s] and s not in firsts)
    if silent:
        together = "the moderator and the other sides together could choose them"
        game.notes.append(f"{start}nothing of {silent} is in the first dice: {together}")


# Ledgers: a window closes


def check_closed(game: Game, record: Record) -> None:
    """A window closes with the orders that came, and with dice that follow from what was fixed."""
    body, setup, window = record.body, game.opened, game.window
    same = body["window"] == window.number
    require(same, "window", f"it closes {body['window']}, but {window.number} is open")
    check_sets(game, setup, body)
    if game.strict:
        check_reveals(game, body)
    found = fixed(game)
    said = {k: body[k] for k in ("links", "carried", "firsts", "seed") if k in body}
    why = "its links or seed are not those of the orders, or it hides that links were known before"
    require(said == found, "swapped-link", why)
    check_run(game, body)
    check_rolls(game, body, found)
    note_first_dice(game, found)
    check_opens(game, record)
    game.past.closed.append(body)
    open_next(game, body["opens"], {})


def check_reveals(game: Game, body: Json) -> None:
    """The lock was sent before. Orders of a side that has a link but did not reveal it are void."""
    window = game.window
    require(window.lock == body["lock"], "two-locks", "another lock was sent to the players")
    listed = game.sides if game.protocol >= SORTED else window.sets
    asked = [s for s in listed if not newest_link(game, s)]  # the others gave their links ahead
    silent = [s for s in asked if s in window.sets and s not in window.reveals]
    void = [s for s in silent if game.anchors.counting((s, window.sets[s].officer), window.number)]
    signed = {s: x["signature"] for s, x in window.reveals.items()}
    same = (body["void"], body["reveals"]) == (void, signed)
    require(same, "bad-reveal", "its revealed links are not the ones that were received")


def in_run(game: Game) -> bool:
    """Whether the open window belongs to a run of turns that all sides agreed to."""
    last = game.past.closed[-1] if game.past.closed else {}
    goes_on = last.get("run", {}).get("why") == "on"
    return bool(goes_on and last["opens"] == game.window.number)


def check_run(game: Game, body: Json) -> None:
    """The record names the run that its window belongs to, as the sides agreed to it."""
    first, last = agreed_run(game)
    said = body.get("run", {})
    want = {"from": first, "to": last} if last > first else {}
    same = {k: said[k] for k in said if k != "why"} == want
    require(same, "run", "the sides agreed to another run of turns")
    ends = not said or said["why"] != "on" or game.window.number < last
    require(ends, "run", "the run goes on for too long")


def agreed_run(game: Game) -> tuple[int, int]:
    """The first and last window of the run that the open window belongs to, or begins. It goes as
    far as the side that agreed to the fewest turns."""
    if in_run(game):
        run = game.past.closed[-1]["run"]
        return run["from"], run["to"]
    mine = [game.window.sets.get(side) for side in game.sides]
    turns = [one.ahead + 1 if one and one.body["final"] else 1 for one in mine]
    return game.window.number, game.window.number + min(turns) - 1


def check_rolls(game: Game, body: Json, found: Json) -> None:
    """Every roll must follow from the seed of its window. found: what decides that."""
    setup = game.opened
    seed = seed_now(game, found) if found["links"] else b""
    for roll in check_labels(body["rolls"], game.window.number):
        game.rolls += 1
        if setup.key:
            check_roll(setup.key, setup.g0, seed, roll)
        elif game.created["dice"] == "seeded":
            label = roll["label"]
            head = (game.created["seed"].encode(), b"", number(game.window.number))
            want = faces(digest("seeded", *head, label.encode()), *dice_of(label))
            require(list(roll["dice"]) == want, "altered-roll", f"{label}: the dice are {want}")


def check_opens(game: Game, record: Record) -> None:
    """The next window has a number that was never used, unless it belongs to a run, which takes no
    orders. Release 0.1.0 used a number a second time after an undo."""
    body, window = record.body, game.window.number
    on = body.get("run", {}).get("why") == "on"
    opens = window + 1 if on else game.past.used + 1
    if body["opens"] != opens and game.protocol < 2:
        opens = window + 1
        if not body["over"]:
            again = f"window {opens} was opened a second time, when its links could be known"
            game.notes.append(f"record {record.n}: {again}")
    require(body["opens"] == opens, "window", "it opens the wrong window")


def open_next(game: Game, opens: int, sets: dict[str, OrderSet], named: bool = True) -> None:
    """Another window is open, with these sets. named: its reports name the new anchors."""
    if named:
        for who, anchor in game.anchors.pending.items():
            game.anchors.add(who, anchor_since(game, who, opens), anchor)
        game.anchors.pending = {}
    game.past.used = max(game.past.used, opens)
    game.window = Window(opens, game.window.since, sets)


def anchor_since(game: Game, who: Officer, opens: int) -> int:
    """The window from which an anchor counts that the reports of window `opens` name first. Where
    links of other sides are known for later windows, the anchor could be chosen to suit them."""
    if game.protocol < 2:
        return opens + 1
    known = [x.reach for x in game.past.links.values() if x.who[0] != who[0]]
    return max([opens, *(1 + reach for reach in known)])


# Ledgers: windows undone, and rulings


REROLLED = "by the moderator without the signed consent of "


def check_undone(game: Game, record: Record) -> None:
    """The last window is undone: its orders are kept and run again, or it is reopened."""
    body, past = record.body, game.past
    reopen = body["reopen"]
    again = bool(game.window.rerun) and reopen  # it was undone before, and its orders kept
    require(again or bool(past.closed), "undo", "there is no closed window to undo")
    last: Json = {"window": game.window.number, "sets": {}} if again else past.closed.pop()
    opens = past.used + 1 if reopen else last["window"]
    want = [] if again else [last["window"]], opens
    same = (body["windows"], body["opens"]) == want
    require(same, "undo", "it does not undo the last window")
    game.notes.append(undo_note(game, record, last["window"]))
    sets = {} if reopen else kept_sets(game, last)
    require(is_kept(body["sets"], sets), "undo", "it keeps other sets than those of the window")
    before = past.positions[last["window"]]
    require(reopen or body["position"] == before, "undo", "it goes back to another state")
    open_next(game, opens, sets, named=reopen)
    if not reopen:
        restore(game.window, last)


def undo_note(game: Game, record: Record, window: int) -> str:
    """That a window was undone, and whether dice that could be known were rolled again."""
    note, against = f"record {record.n}: window {window} undone", against_undo(game, window)
    without = REROLLED + ", ".join(against)
    if record.body["reopen"]:
        return f"{note}, re-rolled {without}" if against else note
    if against and game.protocol > 1 and dice_known(game):
        return f"{note}, and window {game.window.number} re-rolled, {without}"
    return note


def kept_sets(game: Game, last: Json) -> dict[str, OrderSet]:
    """The sets that were in force when that record closed the window."""
    numbers = {s: x["record"] for s, x in last["sets"].items() if x["record"]}
    return {s: game.past.sets[n] for s, n in numbers.items()}


def is_kept(said: dict[str, Json], sets: dict[str, OrderSet]) -> bool:
    """Whether an undo names just these sets, and says of each what its record says."""
    if said.keys() != sets.keys():
        return False
    return all({*KEPT} <= {*x} and x.items() <= as_kept(sets[s]).items() for s, x in said.items())


def as_kept(one: OrderSet) -> Json:
    """What an undo that keeps a set says of it."""
    facts = one.body | {"n": one.n, "at": one.at}
    rare = {"raw": "", "link": "", "officer": 0, "ahead": 0, "links": 0}
    known = {k: facts[k] for k in KEPT} | {
        "clean": not (facts["refused_orders"] or facts.get("edited"))
    }
    return known | {k: facts.get(k, empty) for k, empty in rare.items()}


def restore(window: Window, last: Json) -> None:
    """The window runs again with the orders, lock and links that it was closed with."""
    window.rerun = last
    if "reveals" in last:
        window.lock = last["lock"]
        window.reveals = {
            s: {"link": last["links"][s], "signature": x} for s, x in last["reveals"].items()
        }


def against_undo(game: Game, window: int) -> list[str]:
    """The sides that did not sign that this window may be reopened."""
    agreed = game.past.consents.get(window, set())
    return [s for s in game.sides if s not in agreed]


def dice_known(game: Game) -> bool:
    """Whether anything that decides the dice of the open window has arrived."""
    links = fixed(game)["links"] if game.opened.key else {}
    return bool(game.window.sets or game.window.lock or any(links.values()))


def check_ruled(game: Game, record: Record) -> None:
    """A ruling says when it was made. One that changes the state opens a window of the next number,
    unless an undo kept the orders. Only the rules can tell whether the new state is right."""
    body, window = record.body, game.window
    game.notes.append(ruling_note(game, record))
    if "window" not in body:  # an old release, whose rulings changed nothing
        return
    timely = not (window.sets or window.lock)
    same = (body["window"], body["timely"]) == (window.number, timely)
    require(same, "ruling", "it was made for another window, or at another time")
    if "opens" in body:
        fits = body["opens"] == game.past.used + 1 and not in_run(game)
        require(fits, "ruling", "it opens the wrong window")
        open_next(game, body["opens"], {})
    elif "position" in body:
        require(bool(window.rerun), "ruling", "it changes the state without a new report")
        game.past.positions[window.number] = body["position"]


def ruling_note(game: Game, record: Record) -> str:
    """The reason of a ruling, and whether dice that could be known were rolled again."""
    body = record.body
    note = f"record {record.n}: a ruling: {body['reason']}"
    if not body.get("timely", True):
        note += " (made after orders for its window had come in)"
    against = against_undo(game, game.window.number)
    if "opens" in body and against and dice_known(game):
        note += f"; window {game.window.number} re-rolled {REROLLED}" + ", ".join(against)
    return note


# Ledgers: the walk


CHECKS: dict[str, Check] = {
    "created": check_created,
    "enlisted": check_enlisted,
    "replaced": check_replaced,
    "noted": check_noted,
    "opened": check_opened,
    "received": check_received,
    "locked": check_locked,
    "revealed": check_revealed,
    "closed": check_closed,
    "undone": check_undone,
    "ruled": check_ruled,
}
"""What a record of each kind must say. The other kinds change nothing that is checked here."""


def check_record(game: Game, record: Record) -> None:
    """Check a record, then remember what was sent with it."""
    begun = bool(game.created) or record.kind == "created"
    require(begun, "dropped-record", f"`{record.kind}` is where `created` belongs")
    if record.kind in CHECKS:
        CHECKS[record.kind](game, record)
    game.notes += time_notes(game.clock, record)
    game.clock.apply(record)
    body = record.body
    if "receipt" in body:
        game.receipts.add(body["receipt"])
    if "reports" in body:
        check_reports(game, body)
        game.past.positions[game.window.number] = body["position"]
        game.window.since = record.at
    for side, said in body.get("reports", {}).items():
        game.reports[said] = Sent(side, record.n, body)
    if "public" in body:
        game.reports[body["public"]] = Sent(PUBLIC, record.n, body)
    game.heads[record.hash] = record.n


def check_reports(game: Game, body: Json) -> None:
    """A window opens for every side, and the commitment of its reports matches the record."""
    setup = game.opened
    every = sorted(body["reports"]) == sorted(setup.seats)
    require(every, "one-sided", "the window was not opened for every side and role")
    if "commit" in body or "blind" in body:
        blind = unhex(body["blind"], 32, "the number that blinds a commitment")
        state = unhex(body["position"], 32, "the hash of the state")
        window, rolls = number(game.window.number), plain(body.get("rolls", []))
        made = digest("commit", setup.g0, window, blind, state, rolls).hex()
        same = made == body["commit"]
        require(same, "commitment", "its commitment is to other rolls or to another state")


def check_ledger(data: bytes) -> Game:
    """A whole ledger. Raises Bad, naming the first record that fails."""
    game, n = Game(), 0
    try:
        for record in records(data):
            n = record.n
            check_record(game, record)
            n += 1
    except Bad as bad:
        raise Bad(bad.code, f"record {n or 1}: {bad.text}") from None
    except FAULTS as error:
        raise Bad("altered-record", f"record {n or 1}: {type(error).__name__} {error}") from None
    require(bool(game.created), "dropped-record", "record 1: there is no `created` record")
    require(game.setup is not None, "not-open", "the game was never opened")
    return game


# Published: a ledger compared with what players were sent


def check_held(game: Game, facts: Json) -> None:
    """A document that a player was sent must be in the ledger, in its place."""
    if facts["format"] == LOCK:
        check_held_lock(game, facts)
        return
    why = "its head is not in this ledger: the end was cut off, or the ledger is another one"
    require(facts["head"] in game.heads, "cut-or-forked", why)
    if facts["format"] == RECEIPT:
        known = facts["digest"] in game.receipts or facts["status"] == "known"
        require(known, "dropped-record", "the ledger has no record of this receipt")
    else:
        check_held_report(game, facts)


def check_held_lock(game: Game, facts: Json) -> None:
    """The lock of a notice must be in the ledger."""
    locks = game.past.locks.get(facts["window"], set())
    require(bool(locks), "dropped-record", "the ledger has no lock of that window")
    require(facts["lock"] in locks, "two-locks", "the ledger has another lock")


def check_held_report(game: Game, facts: Json) -> None:
    """A report must be recorded right after its head, with the rolls that its side was shown."""
    one = game.reports.get(facts["digest"])
    require(bool(one), "cut-or-forked", "the ledger has no record of this report")
    assert one
    right = one.side == seat_of(facts) and one.n == game.heads[facts["head"]] + 1
    require(right, "moved-record", "the report was recorded for another side or at another place")
    same = facts.get("commit") == one.body.get("commit")
    require(same, "commitment", "the report has another commitment than the ledger")
    rolled = rolls_of(game, one, facts) == facts["rolls"]
    require(rolled, "altered-roll", "the ledger has other rolls for its side")


def rolls_of(game: Game, one: Sent, facts: Json) -> list[Json]:
    """The rolls that a report must show by its record. Which of its side's rolls a role sees, only
    the rules can tell."""
    readers = {*game.opened.sides} if facts["side"] == PUBLIC else {facts["side"]}
    mine = [r for r in one.body.get("rolls", []) if readers <= {*r["to"]}]
    told = [{k: v for k, v in r.items() if k != "to"} for r in mine]
    return [r for r in told if r in facts["rolls"]] if facts.get("role") else told


def is_in_force(one: Orders, said: object, games: list[Game]) -> bool:
    """Whether orders are the set that a report names by its digest. The signature may differ:
    anybody can compute the other form of an ECDSA signature, and its owner can sign again."""
    forms = (one.signature, twin_of(one.signature))
    if said in [digest("order", one.canonical, form).hex() for form in forms]:
        return True
    sets = [x.body for game in games for x in game.past.sets.values()]
    recorded: dict[str, str] = {body["order"]: body["canonical"] for body in sets}
    return recorded.get(str(said), "").encode() == one.canonical


# Published: the public bundle (formats.md: Public bundle)


LEDGER, DICE_KEY = "ledger.jsonl", "dice.pem"
PARTS = (LEDGER, "setup.json", "moderator.pub", "reports.json", "README.txt", DICE_KEY)

LARGEST = 1 << 26
"""The size of the largest part that is read: a small zip may claim to hold a gigabyte."""

RSA_KEY = re.compile(
    rb"\s*-----BEGIN RSA PRIVATE KEY-----([A-Za-z0-9+/=\s]+)-----END RSA PRIVATE KEY-----\s*"
)


@dataclass(frozen=True)
class Bundle:
    """The parts of a published game by name, and the folder that they have in the zip, if any."""

    folder: str
    parts: dict[str, bytes]


def unpack(data: bytes) -> Bundle:
    """The parts in a zip. Raises Unreadable where it is not the zip of a game."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as bundle:
            listed = bundle.infolist()
            if not any(one.filename.endswith(LEDGER) for one in listed):
                raise Unreadable("the zip has no ledger in it")
            if any(one.file_size > LARGEST for one in listed):
                raise Unreadable("what is in the zip is larger than any game")
            folder = listed[0].filename.partition("/")[0]
            return Bundle(folder, parts_of(bundle, folder))
    except (OSError, RuntimeError, ValueError, EOFError, zipfile.BadZipFile, zlib.error) as error:
        raise Unreadable(f"the zip is damaged: {error}") from None


def parts_of(bundle: zipfile.ZipFile, folder: str) -> dict[str, bytes]:
    """The files in a zip, which must all be parts of a bundle in this folder."""
    found: dict[str, bytes] = {}
    for one in bundle.infolist():
        head, slash, name = one.orig_filename.partition("/")
        known = bool(slash) and head == folder and one.orig_filename == one.filename
        known = known and name in (*PARTS, "")
        require(known, "bundle", f"{one.orig_filename!r} does not belong in a bundle")
        require(name not in found, "bundle", f"{name} is in it twice")
        if name:
            found[name] = bundle.read(one)
    return found


def check_bundle(bundle: Bundle, game: Game, data: bytes) -> None:
    """Nobody signs a bundle: each part must say what its ledger says. data: the ledger."""
    parts, created = bundle.parts, game.created
    name, modulus = created["game"], created["modulus"]
    why = f"its folder is called {bundle.folder!r}, but the game is called {name}"
    require(bundle.folder in ("", name), "bundle", why)
    for part in PARTS:
        needed = part != DICE_KEY or bool(modulus)
        require(part in parts or not needed, "bundle", f"{part} is missing")
    same = parts["setup.json"] == game.opened.text.encode()
    require(same, "bundle", "setup.json is not the set-up text of the ledger")
    same = parts["moderator.pub"] == created["moderator"].strip().encode() + b"\n"
    require(same, "bundle", "moderator.pub is not the moderator's key in the ledger")
    same = are_digests(parts["reports.json"], data)
    require(same, "bundle", "reports.json has other digests of reports than the ledger")
    fits = is_private(parts[DICE_KEY], int(modulus, 16)) if modulus else DICE_KEY not in parts
    require(fits, "bundle", f"{DICE_KEY} is not the dice key of the ledger")


def are_digests(content: bytes, data: bytes) -> bool:
    """Whether this is the digest of each report that opened a window, by window and side."""
    told, undone = digests_of(data)
    try:
        said = json.loads(content, object_pairs_hook=unique)
        return bool(told.keys() - undone <= said.keys() and said.items() <= told.items())
    except (ValueError, RecursionError, AttributeError, TypeError):
        return False


def digests_of(data: bytes) -> tuple[Json, set[str]]:
    """The digests of reports in a ledger, by window and side; and the windows that may be missing:
    undone ones, which release 0.1.0 left in, and those of an earlier edition."""
    told: Json = {}
    undone: set[str] = set()
    opens: dict[int, str] = {}
    for record in records(data):
        body = record.body
        if record.kind == "undone":
            undone |= {opens[window] for window in body["windows"]}
        if "permit" in body:  # from here on the game is played by another edition
            undone |= told.keys()
        if "reports" in body:
            window = str(body.get("opens", body.get("window")))
            told[window] = body["reports"]
            undone.discard(window)
        if record.kind == "closed":
            opens[body["window"]] = str(body["opens"])
    return told, undone


def unique(pairs: list[tuple[str, object]]) -> Json:
    """An object in JSON. Raises ValueError where it has the same key twice."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("the same key twice")
    return found


def is_private(content: bytes, modulus: int) -> bool:
    """Whether it is the complete private key of that modulus (PEM, PKCS#1: RFC 8017, A.1.2), with
    which every roll can be made again."""
    try:
        (packed,) = RSA_KEY.fullmatch(content).groups()  # type: ignore[union-attr]
        version, n, e, d, p, q, dp, dq, inverse = der_numbers(unbase64(b"".join(packed.split())))
    except FAULTS:
        return False
    whole = (version, n, e) == (0, modulus, E) and 1 < p < n and p * q == n and 0 < d < n
    if not whole or (dp, dq) != (d % (p - 1), d % (q - 1)) or inverse * q % p != 1:
        return False
    return pow(pow(2, d, n), e, n) == 2


def der_numbers(data: bytes) -> list[int]:
    """The numbers in a DER sequence of integers, none negative. Raises ValueError."""
    (inner,) = der(data, 0x30)
    found = [int.from_bytes(one, "big", signed=True) for one in der(inner, 0x02)]
    if min(found) < 0:
        raise ValueError("a negative number")
    return found


def der(data: bytes, tag: int) -> list[bytes]:
    """The contents of DER elements, all with the same tag. Raises ValueError, LookupError."""
    found, at = [], 0
    while at < len(data):
        size, start = data[at + 1], at + 2
        if size & 0x80:
            start += size & 0x7F
            size = int.from_bytes(data[at + 2 : start], "big")
        if data[at] != tag or start + size > len(data):
            raise ValueError("this is not valid DER")
        found.append(data[start : start + size])
        at = start + size
    return found


# The command: what each named file is


TOGETHER = "all of them together"
"""Stands for the name of a file where several disagree."""

TO_OPEN = "open it with `pbem read` and your key, and give the files that this writes (-o)"

DOCUMENT = re.compile(rb'"format":\s*"pbem-(?:re|lock)')
DOCUMENT_FILE = re.compile(r"(?:report(?:-\d+)?|receipt|lock)\.json")
ENCRYPTED = (b"age-encryption.org/v1", b"-----BEGIN AGE ENCRYPTED FILE-----")
MAIL = re.compile(
    rb"(?:From .*\n)?(?:[!-9;-~]+:.*\n(?:[ \t].*\n)*)*?"
    rb"(?i:from|date|subject|message-id|received|mime-version):"
)


@dataclass(frozen=True)
class File:
    """A file that was named. signature: of the .seal file beside it; bundle: where it is, or
    is in, a published game, whose ledger `data` then is."""

    data: bytes
    signature: bytes | None = None
    bundle: Bundle | None = None


@dataclass(frozen=True)
class Document:
    """A report, a receipt or a notice of a lock, with the content of its .seal file."""

    name: str
    facts: Json
    signature: bytes | None

    def order(self) -> tuple[bool, int, str]:
        """Sorts reports first, by window: they bring the set-up and the anchors."""
        window = self.facts.get("window")
        return (
            self.facts.get("format") not in REPORTS,
            window if isinstance(window, int) else 0,
            self.name,
        )


@dataclass
class Inputs:
    """What the named files hold."""

    documents: list[Document] = field(default_factory=list)
    orders: list[tuple[str, bytes]] = field(default_factory=list)  # names and texts
    games: list[Game] = field(default_factory=list)


@dataclass
class Result:
    """What to print: notes for the reader, and findings."""

    notes: list[str] = field(default_factory=list)
    findings: list[str] = field(default_factory=list)

    def add(self, name: str, bad: Bad) -> None:
        """A check failed in that file."""
        self.findings.append(f"{name}: {bad.code}: {bad.text}")

    @contextmanager
    def checking(self, name: str) -> Iterator[None]:
        """What fails in here is a finding in that file."""
        try:
            yield
        except Bad as bad:
            self.add(name, bad)
        except FAULTS as error:
            self.add(name, Bad("malformed", f"{type(error).__name__} {error}"))


def read(name: str) -> File:
    """A file, or the folder of a published game. Raises OSError, Unreadable."""
    path = Path(name)
    if path.is_dir():
        parts = {one: (path / one).read_bytes() for one in PARTS if (path / one).is_file()}
        # the moderator's own folder of a game has only the ledger of these
        bundle = Bundle("", parts) if len(parts) > 1 else None
        return File((path / LEDGER).read_bytes(), bundle=bundle)
    data = path.read_bytes()
    if data[:4] == b"PK\3\4":
        bundle = unpack(data)
        return File(bundle.parts[LEDGER], bundle=bundle)
    beside = Path(name.removesuffix(PACKED)).with_suffix(".seal")
    data = unpacked(data)
    return File(data, beside.read_bytes() if beside.is_file() else None)


PACKED, LARGEST = ".gz", 1 << 25
"""How the name of a packed attachment ends, and what it may contain at most."""


def unpacked(data: bytes) -> bytes:
    """What a gzip file contains, such as a long report.json in a mail; any other file as it is.
    Raises Unreadable."""
    if data[:2] != b"\x1f\x8b":
        return data
    unpacker = zlib.decompressobj(31)
    try:
        plain = unpacker.decompress(data, LARGEST)
    except zlib.error as error:
        raise Unreadable(f"this packed file is damaged: {error}") from None
    if not unpacker.eof:
        raise Unreadable("this packed file is cut short or too long")
    return plain


def kind_of(data: bytes) -> str:
    """What a file is, by its beginning. JSON text cannot contain what marks a ledger."""
    start = data[:100000]
    if MAIL.match(start):
        return "mail"
    if b'"prev":"' in start:
        return "ledger"
    if data[:1] != b"{" and any(mark in start for mark in ENCRYPTED):
        return "encrypted"
    if re.search(rb"(?i)BEGIN\s+ORDERS", start) and data[:1] != b"{":
        return "orders"
    return "document" if DOCUMENT.search(data) else "ledger"


def open_file(name: str, inputs: Inputs, result: Result) -> None:
    """Add what a file holds to the inputs. A ledger is checked here. Raises Bad, Unreadable."""
    file = read(name)
    kind = kind_of(file.data)
    if kind == "encrypted":
        raise Unreadable(f"{name} is encrypted: {TO_OPEN}")
    if kind == "mail":
        open_mail(name, file.data, inputs)
    elif kind == "orders":
        inputs.orders.append((name, file.data))
    elif kind == "document":
        facts = load(file.data.strip(), "this file")
        inputs.documents.append(Document(name, facts, file.signature))
    else:
        game = check_ledger(file.data)
        result.notes += [f"{name}: note: {note}" for note in game.notes]
        result.notes.append(f"{name}: {size_of(game)}")
        inputs.games.append(game)
        if file.bundle:
            check_bundle(file.bundle, game, file.data)


def size_of(game: Game) -> str:
    """How much was checked in a ledger."""
    sizes = {
        "record": len(game.heads) - 1,
        "window": len(game.past.closed),
        "signed set": game.signed,
        "roll": game.rolls,
    }
    return ", ".join(counted(size, one) for one, size in sizes.items())


def open_mail(name: str, data: bytes, inputs: Inputs) -> None:
    """Add the documents in a mail, each with its signature; if it has none, the orders in its text
    and attachments. Raises Unreadable if there is nothing to check."""
    groups, texts = parts_of_mail(data)
    documents = [one for group in groups for one in documents_in(name, group)]
    texts += [body for group in groups for body in group.values()]
    if documents:
        inputs.documents += documents
    else:
        inputs.orders.append((name, orders_of_mail(name, texts)))


def orders_of_mail(name: str, texts: list[bytes]) -> bytes:
    """The orders in the texts of a mail. Raises Unreadable if there are none."""
    kinds = [kind_of(text) for text in texts]
    if "encrypted" in kinds:
        raise Unreadable(f"{name} is encrypted: {TO_OPEN}")
    orders = b"\n".join(text for text, kind in zip(texts, kinds, strict=True) if kind == "orders")
    if not orders:
        raise Unreadable(
            f"{name} is a mail without a report, a receipt or orders: give one that has them, or "
            "the files attached to it"
        )
    return orders


def parts_of_mail(data: bytes) -> tuple[list[dict[str, bytes]], list[bytes]]:
    """Attachments by name, in one group for the mail and one for each mail attached to it; and the
    texts without a name."""
    from email import message_from_bytes, policy

    groups: list[dict[str, bytes]] = [{}]
    texts = [b""]
    for part in message_from_bytes(data, policy=policy.compat32).walk():
        body, name = part.get_payload(decode=True), part.get_filename()
        if part.get_content_type() == "message/rfc822":
            groups.append({})
        elif isinstance(body, bytes) and name:
            groups[-1][str(name).removesuffix(PACKED)] = unpacked(body)
        elif isinstance(body, bytes):
            texts.append(body)
    return groups, texts


def documents_in(name: str, group: dict[str, bytes]) -> Iterator[Document]:
    """The documents among the attachments of a mail. Raises Bad."""
    for file, body in group.items():
        if DOCUMENT_FILE.fullmatch(file):
            facts = load(body.strip(), "this file")
            yield Document(f"{name} ({file})", facts, group.get(f"{file[:-5]}.seal"))


# The command: check it all, and print what was found


Kept = dict[str, list[Named]]
"""The documents that passed all checks, by format."""


def check_documents(inputs: Inputs, result: Result) -> Kept:
    """Each document by itself and against the ledgers; those that pass."""
    kept: Kept = {REPORT: [], RECEIPT: [], LOCK: []}
    setups: dict[str, Setup] = {}
    for one in sorted(inputs.documents, key=Document.order):
        facts = one.facts
        with result.checking(one.name):
            notes = check_document(one, setups, inputs.games)
            result.notes += [f"{one.name}: note: {note}" for note in notes]
            kind = REPORT if facts["format"] in REPORTS else facts["format"]
            kept[kind].append((one.name, facts))
            rolls = counted(len(facts.get("rolls", ())), "roll")
            window = f"{seat_of(facts)}, window {facts['window']}"
            result.notes.append(f"{one.name}: {window}: {rolls} checked")
    return kept


def check_document(one: Document, setups: dict[str, Setup], games: list[Game]) -> list[str]:
    """A document by itself and against the ledgers; notes for the reader."""
    facts = one.facts
    if facts["format"] in REPORTS:
        notes = check_report(facts, one.signature, setups)
        learn_anchors(facts, setups[facts["setup"]["text"]])
    elif facts["format"] in (RECEIPT, LOCK):
        notes = check_notice(one, [*setups.values(), *(g.setup for g in games if g.setup)])
    else:
        raise Bad("format", "it is not a report, a receipt or a notice of a lock")
    for game in games:
        check_held(game, facts)
    return notes


def check_notice(one: Document, setups: list[Setup]) -> list[str]:
    """A receipt, or the notice of a lock, by itself; notes for the reader."""
    facts = one.facts
    kind, tag = ("receipt",) * 2 if facts["format"] == RECEIPT else ("lock", "lock-notice")
    same = facts["digest"] == digest_of(tag, facts)
    require(same, f"forged-{kind}", f"the {kind} does not match its own digest")
    setup = next((s for s in setups if s.game == facts["game"]), None)
    if not one.signature or not setup:
        return ["the moderator's signature is not checked: give its .seal file and a report, too"]
    try:
        check_moderator(one.signature, kind, setup, facts)
    except Bad as bad:
        raise Bad(f"forged-{kind}", bad.text) from None
    return []


def check_orders(inputs: Inputs, reports: list[Named], result: Result) -> None:
    """Of the sets that you sent for a window, the newest must be the one that the report names. The
    older ones are ignored, because you replaced them."""
    files: dict[tuple[str, ...], list[Orders]] = {}
    for name, raw in sorted(inputs.orders):
        with result.checking(name):
            blocks = [(header(c.decode().split()), c, s) for c, s in orders_in(raw) if s]
            signed = [one for one in blocks if "setup" in one[0]]
            require(bool(signed), "no-orders", "there are no signed orders in it")
            for head, canonical, signature in signed:
                where = (head["setup"], head["window"], head["side"])
                one = Orders(int(head["seq"]), name, canonical, signature)
                files.setdefault(where, []).append(one)
    for other, report in reports:
        where = report["setup"]["digest"], str(report["seed"]["window"]), seat_of(report)
        check_sent(files.get(where, []), (other, report), inputs.games, result)


def check_sent(sent: list[Orders], named: Named, games: list[Game], result: Result) -> None:
    """The sets that a side sent for the window of a report, against the set that it names."""
    (other, report), found = named, False
    window, said = report["seed"]["window"], report["seed"]["sets"].get(seat_of(report))
    for one in sorted(sent, reverse=True):
        if is_in_force(one, said, games):
            result.notes.append(f"{one.name}: these orders were in force in window {window}")
            found = True
        with result.checking(one.name):
            require(found, "other-orders", f"{other} names another set than this one")


def check_all(names: list[str]) -> tuple[list[str], list[str]]:
    """Check all these files; notes and findings to print. Raises Unreadable, OSError."""
    inputs, result = Inputs(), Result()
    UNCHECKED.clear()
    for name in names:
        with result.checking(name):
            open_file(name, inputs, result)
    kept = check_documents(inputs, result)
    reports = kept[REPORT]
    with result.checking(TOGETHER):
        check_orders(inputs, reports, result)
    with result.checking(TOGETHER):
        result.notes += [f"note: {gap}" for gap in gaps(reports)]
        broken = [*compare_reports(reports), *compare_receipts(reports, kept[RECEIPT])]
        broken += compare_locks(reports, kept[LOCK])
        for name, bad in broken:
            result.add(name, bad)
    if UNCHECKED:
        size = counted(len(UNCHECKED), "signature")
        how = "`pip install cryptography` to check them; everything else was checked"
        result.add(TOGETHER, Bad("cannot-verify", f"{size} not checked: {how}"))
    return result.notes, result.findings


def main(names: list[str]) -> int:
    """The command line. Returns the exit code."""
    if not names or names[0] in ("-h", "--help"):
        print(__doc__)
        return 0 if names else 2
    try:
        notes, found = check_all(names)
    except (OSError, Unreadable) as error:
        print(f"cannot read: {error}", file=sys.stderr)
        return 2
    print("\n".join([*notes, *found]))
    held = "nothing found: everything that could be checked is right"
    print(counted(len(found), "finding") if found else held)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
