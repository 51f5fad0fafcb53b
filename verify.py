#!/usr/bin/env python3
"""Check a game without trusting pbem: reports that you hold, and published games.

    python verify.py REPORT.json ...           links, seed, dice and signature of reports you were
    sent python verify.py LEDGER.jsonl              a whole published game: chain, signatures, dice
    python verify.py GAME.zip REPORT.json ...  and that it is the game which you were told of

Mails serve as the papers in them do, and order files that you sent; in any order.

One file, written from docs/formats.md alone and importing nothing of pbem: read it, then run it.
Python >= 3.11; signatures need `pip install cryptography`, everything else the standard library.
What it cannot see: whether moves followed the rules. `pbem audit` plays every window again.
Exit codes: 0 nothing found, 1 something found, 2 not a file that can be checked.

To read it: every check is a `require(what must hold, code, words)`, and the first that fails ends
the check of its file. From top to bottom, each part using those above it:
    Bytes        hashes and canonical JSON
    Dice         the dice key, proofs, faces, seeds, locks, chains of links
    Signatures   SSH signatures, signatures, changes of keys
    Reports      one report, then all that players were sent, held against each other
    Ledgers      the chain of records, and `Game`, which walks along them and must agree with each
    Orders       header and text of an order file
    The command  what each named file is (mails, bundles), and what to say
"""

from __future__ import annotations

import base64
import hashlib
import io
import json
import math
import re
import sys
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

Json = dict[str, Any]
E, BITS, ROOTS, LONGEST = 65537, 3072, 8, 4096
DAY = 86_400
# The first protocols that bound the seq of a set, and that list sides in their order
BOUNDED = SORTED = 2
ZERO, LARGEST = "0" * 64, 1 << 26
PUBLIC = "spectators"
PROVED = ("fast", "strict")
REPORT, RECEIPT, LOCK = "pbem-report/1", "pbem-receipt/1", "pbem-lock/1"
PAPER = re.compile(rb'"format":\s*"pbem-(?:re|lock)')
PAPER_FILE = re.compile(r"(?:report(?:-\d+)?|receipt|lock)\.json")
ENCRYPTED = (b"age-encryption.org/v1", b"-----BEGIN AGE ENCRYPTED FILE-----")
TO_OPEN = "`pbem read` opens it with your key; give the files that it writes (-o)"
MAIL = re.compile(
    rb"(?:From .*\n)?(?:[!-9;-~]+:.*\n(?:[ \t].*\n)*)*?"
    rb"(?i:from|date|subject|message-id|received|mime-version):"
)
LEDGER, DICE_KEY = "ledger.jsonl", "dice.pem"
PARTS = (LEDGER, "setup.json", "moderator.pub", "reports.json", "README.txt", DICE_KEY)
FAULTS = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError)
SIGNED = ("change", "recovery")
WHY = (*SIGNED, "replacement", "reset")
SHA256_INFO = bytes.fromhex("3031300d060960864801650304020105000420")
KINDS = (
    "bounced closed created ended enlisted extended held locked looked noted opened pressed "
    "received refused replaced resent resumed revealed ruled scheduled sent undone "
)
COPIED = "system edition data scenario options sides release dice mail house game modulus roots"
NMR_POLICY = "standing orders, else the default"
FIRST = "the first dice anchor of {0} came with its orders: {0} and the moderator could choose"
REROLLED = "by the moderator without the signed consent of "
SAME = ("n", "at", "seq", "digest", "order", "canonical", "final")
FIELDS = "GAME SETUP WINDOW SIDE SEQ REPORT LINK MODERATOR ANCHOR "


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
"""y^2 = x^3 - 3x + b of each curve for ECDSA (FIPS 186): the prime, b, the order."""


ORDER_8 = 0x7A03AC9277FDC74EC6CC392CFA53202A0F67100D760B3CBA4FD84D3D706A17C7
"""Where two of the points of order 8 of edwards25519 lie; two more lie at its negative."""


UNCHECKED: list[str] = []
"""The keys of signatures that could not be checked, for want of `cryptography`."""


class Unreadable(Exception):  # noqa: N818
    """Not a file that can be checked; what to do instead."""


class Bad(Exception):  # noqa: N818
    """Something is not as it must be. code: one word; where: the file or record."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code, self.text = code, text


def counted(size: int, one: str) -> str:
    """A number with its word: `1 roll`, `2 rolls`."""
    return f"{size} {one}" if size == 1 else f"{size} {one}s"


def require(holds: bool, code: str, text: str) -> None:
    """Raise Bad unless it holds."""
    if not holds:
        raise Bad(code, text)


# Bytes (formats.md: Hash, Canonical JSON)


def field(data: bytes) -> bytes:
    """A field behind its length."""
    return len(data).to_bytes(4, "big") + data


def number(n: int) -> bytes:
    """Four bytes."""
    return n.to_bytes(4, "big")


def digest(tag: str, *fields: bytes) -> bytes:
    """The one hash of the formats."""
    return hashlib.sha256(b"".join(map(field, (b"pbem1/" + tag.encode(), *fields)))).digest()


def plain(obj: object) -> bytes:
    """The one JSON text of an object."""
    text = json.dumps(obj, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return text.encode("ascii")


def load(data: bytes, what: str) -> Json:
    """An object in canonical JSON; keys that stand twice cannot be canonical."""
    try:
        found = json.loads(data)
        same = isinstance(found, dict) and plain(found) == data
    except (ValueError, RecursionError):
        same = False
    require(same, "not-canonical", f"{what} is not canonical JSON")
    return dict(found)


def moment(text: str) -> datetime:
    """A time of the formats, 2026-11-20T12:00:00Z."""
    return datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)


def unhex(text: object, size: int, what: str) -> bytes:
    """Bytes of lower-case hex of a fixed size."""
    good = isinstance(text, str) and re.fullmatch(f"[0-9a-f]{{{2 * size}}}", text)
    require(bool(good), "not-hex", f"{what} is not {size} bytes in hex")
    return bytes.fromhex(str(text))


# Dice (formats.md: Dice, Provable dice)


class DiceKey:
    """The dice key of one game, certified to have a single proof for every text."""

    def __init__(self, game: str, modulus: str, roots: list[str]) -> None:
        good = all(re.fullmatch("[1-9a-f][0-9a-f]{0,767}", x) for x in (modulus, *roots))
        require(good and len(roots) == ROOTS, "dice-key", "the dice key is incomplete")
        self.n = n = int(modulus, 16)
        require(n.bit_length() == BITS, "dice-key", f"the dice key has not {BITS} bits")
        small = any(n % p == 0 for p in range(2, 70000))
        require(not small, "dice-key", "the dice key has a small factor")
        head = (game.encode(), n.to_bytes(BITS // 8, "big"), number(E))
        for i, root in enumerate(int(x, 16) for x in roots):
            parts = (digest("perm", *head, number(i), number(c)) for c in range(13))
            rho = int.from_bytes(b"".join(parts), "big") % n
            fits = 0 < root < n and pow(root, E, n) == rho
            require(fits, "dice-key", f"root {i} of the dice key is wrong")

    def beta(self, text: bytes, proof: bytes) -> bytes:
        """What a proof (384 bytes) over `text` decides the faces by."""
        tail = SHA256_INFO + hashlib.sha256(text).digest()
        block = b"\0\1" + b"\xff" * (BITS // 8 - 3 - len(tail)) + b"\0" + tail
        s, em = int.from_bytes(proof, "big"), int.from_bytes(block, "big")
        require(0 < s < self.n and math.gcd(em, self.n) == 1, "proof-range", "a proof is too large")
        require(pow(s, E, self.n) == em, "proof", "a proof does not fit its roll")
        return digest("beta", proof)


def dice_of(label: str) -> tuple[int, int, int]:
    """Count, sides and lowest face that a label names."""
    part = r"[A-Z0-9](?:[A-Z0-9 \-._']{0,46}[A-Z0-9])?|-"
    shape = rf"(?:(?:{part})/){{4}}[1-9][0-9]*/([1-9][0-9]*)D([1-9][0-9]*)(?:-FROM(0|[1-9][0-9]*))?"
    found = re.fullmatch(shape, label)
    require(bool(found) and "  " not in label, "label", f"{label[:80]!r} is no label of a roll")
    assert found
    return int(found[1]), int(found[2]), int(found[3] or 1)


def faces(beta: bytes, count: int, sides: int, low: int) -> list[int]:
    """The faces that 32 bytes decide, without bias."""
    top, out = (1 << 64) - (1 << 64) % sides, []
    for j in range(count):
        c = 0
        while (v := _eight(beta, j, c)) >= top:
            c += 1
        out.append(low + v % sides)
    return out


def _eight(beta: bytes, j: int, c: int) -> int:
    return int.from_bytes(digest("die", beta, number(j), number(c))[:8], "big")


def seed_of(g0: bytes, window: int, links: dict[str, str], firsts: dict[str, str] | None = None,
            root: str = "") -> bytes:  # fmt: skip
    """R of a window. firsts: anchors that stand for links in the first window; root: the seed of
    that one, in later ones."""
    raw = {s: unhex(x, 32, f"the link of {s}") if x else b"" for s, x in links.items()}
    for s, anchor in ({} if root else firsts or {}).items():
        raw[s] = raw[s] or digest("first", unhex(anchor, 32, f"the anchor of {s}"))
    base = unhex(root, 32, "the seed of the first window") if root else g0
    fields = [x for s in sorted(raw) for x in (s.encode(), raw[s])]
    return digest("seed", base, number(window), *fields)


def lock_of(g0: bytes, window: int, sets: dict[str, str]) -> str:
    """L of a window; a side without a set counts as NMR."""
    raw = {s: b"NMR" if x == "NMR" else unhex(x, 32, f"the set of {s}") for s, x in sets.items()}
    fields = [x for s in sorted(raw) for x in (s.encode(), raw[s])]
    return digest("lock", g0, number(window), *fields).hex()


def check_roll(key: DiceKey, g0: bytes, seed: bytes, roll: Json) -> None:
    """The faces must be those that the proof gives for this label."""
    window, label = roll["window"], str(roll["label"])
    require(bool(roll["proof"]), "no-proof", f"{label}: a roll without a proof")
    size = dice_of(label)
    proof = unhex(roll["proof"], BITS // 8, f"the proof of {label}")
    head = (b"pbem1/roll", g0, number(window), seed, label.encode())
    want = faces(key.beta(b"".join(map(field, head)), proof), *size)
    got = list(roll["dice"])
    require(got == want, "altered-roll", f"{label} fell {want}, not {got}")


def back(game: str, side: str, link: bytes, start: int, to: int) -> bytes:
    """The link of window `to`, hashed back from that of window `start`."""
    for k in range(start, to, -1):
        link = digest("chain", game.encode(), side.encode(), number(k), link)
    return link


class Setup:
    """The set-up text: what was decided before window 1."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.g0 = digest("setup", text.encode("ascii"))
        self.facts = facts = load(text.encode("ascii"), "the set-up text")
        self.game, self.sides = str(facts["game"]), [str(s) for s in facts["sides"]]
        self.protocol = int(facts.get("protocol", 1))
        self.proved = facts["dice"] in PROVED
        self.key = DiceKey(self.game, facts["modulus"], facts["roots"]) if self.proved else None
        self.keys = {s: list(facts["keys"][s]) for s in self.sides}
        self.recovery = facts.get("recovery") or {s: [] for s in self.sides}
        lines = [x for known in (self.keys, self.recovery) for s in self.sides for x in known[s]]
        for line in (facts["moderator"]["sign"], *filter(None, lines)):
            _wire(line)
        self.anchors = {s: {x: 1 for x in facts["anchors"][s] if x} for s in self.sides}

    def count(self, side: str, anchor: str, since: int) -> None:
        """A later anchor counts from this window."""
        unhex(anchor, 32, f"an anchor of {side}")
        self.anchors[side].setdefault(anchor, since)

    def check_link(self, side: str, window: int, link: str, only: set[str] | None = None) -> None:
        """The link must lead back to an anchor of its side that counts in this window."""
        raw = unhex(link, 32, f"the link of {side}")
        known = [a for a, since in self.anchors[side].items() if since <= window]
        known = [a for a in known if only is None or a in only]
        require(bool(known), "no-anchor", f"no anchor of {side} counts in window {window}; "
                "give also the report that named it")  # fmt: skip
        require(window <= LONGEST, "bad-link", f"window {window} is beyond the chains")
        anchor = back(self.game, side, raw, window, 0).hex()
        require(anchor in known, "bad-link", f"the link of {side} for window {window} is not of "
                "the chain it gave its anchor of")  # fmt: skip


# Signatures (formats.md: Signatures)


def verify_signature(line: str, namespace: str, message: bytes, signature: bytes) -> None:
    """Raise Bad unless the key of that public line signed this. signature: bare, or a blob."""
    if len(signature) == 64:
        algorithm, kind, raw = b"sha512", b"ssh-ed25519", signature
        require(line.startswith("ssh-ed25519 "), "signature", "a bare signature of another key")
    else:
        algorithm, kind, raw = _open_blob(line, namespace, signature)
    inner = {b"sha256": hashlib.sha256, b"sha512": hashlib.sha512}[algorithm](message).digest()
    covered = b"SSHSIG" + b"".join(map(field, (namespace.encode(), b"", algorithm, inner)))
    _check_raw(line, kind, raw, covered)


def _open_blob(line: str, namespace: str, blob: bytes) -> tuple[bytes, bytes, bytes]:
    require(blob[:10] == b"SSHSIG\0\0\0\1", "signature", "this is no SSH signature")
    *fields, rest = _fields(blob[10:], 5)
    key, said, reserved, algorithm, inner = fields
    fits = not rest and not reserved and algorithm in (b"sha256", b"sha512")
    require(fits and said == namespace.encode(), "signature", "it was signed as something else")
    require(key == _wire(line), "signature", "it was signed by another key")
    kind, raw, rest = _fields(inner, 2)
    require(not rest, "signature", "something stands behind the signature")
    return algorithm, kind, raw


def _fields(data: bytes, count: int) -> list[bytes]:
    """So many length-prefixed fields, and the rest."""
    found = []
    for _ in range(count):
        end = 4 + int.from_bytes(data[:4], "big")
        require(4 <= len(data) >= end, "signature", "a signature is cut short")
        found.append(data[4:end])
        data = data[end:]
    return [*found, data]


def unbase64(text: bytes) -> bytes:
    """The bytes of base64 in its one form. Raises ValueError."""
    data = base64.b64decode(text, validate=True)
    if base64.b64encode(data) != text:
        raise ValueError("bits behind the end")
    return data


def _wire(line: str) -> bytes:
    """The bytes of a public key that somebody may have. Keys with which anybody could sign are
    none: their owners could deny whatever they signed."""
    wire = _sound(line)
    require(bool(wire), "key-form", f"{line[:40]!r} is no public key, or one that anybody could "
            "sign with")  # fmt: skip
    return wire


@cache
def _sound(line: str) -> bytes:
    """The bytes of a sound public key, none of another line."""
    try:
        wire = unbase64(line.split()[1].encode())
        kind, *numbers = _all_fields(wire)
        named = line.split(maxsplit=1)[0] == kind.decode()
        return wire if named and _is_key(kind.decode(), numbers) else b""
    except (LookupError, ValueError, Bad):
        return b""


def _all_fields(data: bytes) -> list[bytes]:
    found = []
    while data:
        one, data = _fields(data, 1)
        found.append(one)
    return found


def _is_key(kind: str, fields: list[bytes]) -> bool:
    """Whether these are the fields of a public key (formats.md: Signatures)."""
    if kind == "ssh-ed25519":
        (point,) = fields
        return len(point) == 32 and _is_point(int.from_bytes(point, "little"))
    if kind == "ssh-rsa":
        e, n = map(_natural, fields)
        return e % 2 == n % 2 == 1 and 3 <= e < 1 << 64 and 2048 <= n.bit_length() <= 16384
    curve, point = fields
    p, b, _ = CURVES[kind.removeprefix("ecdsa-sha2-")]
    half = (p.bit_length() + 7) // 8
    x, y = int.from_bytes(point[1 : 1 + half], "big"), int.from_bytes(point[1 + half :], "big")
    fits = kind == f"ecdsa-sha2-{curve.decode()}" and len(point) == 1 + 2 * half and point[0] == 4
    return fits and x < p and y < p and (y * y - x * x * x + 3 * x - b) % p == 0


def _is_point(number: int) -> bool:
    """Whether it is a point of edwards25519 in its one form (RFC 8032, 5.1.3), not of small order:
    with such anybody can sign."""
    p = 2**255 - 19
    y = number & ((1 << 255) - 1)  # the bit above is the sign of x
    square = (y * y - 1) * pow(-121665 * pow(121666, -1, p) * y * y + 1, -1, p) % p  # of x
    small = y in (0, 1, p - 1, ORDER_8, p - ORDER_8)
    return y < p and not small and pow(square, (p - 1) // 2, p) == 1


def _check_raw(line: str, kind: bytes, raw: bytes, covered: bytes) -> None:
    try:
        from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
        from cryptography.hazmat.primitives.serialization import load_ssh_public_key
    except ImportError:
        UNCHECKED.append(line)
        return
    try:
        public = load_ssh_public_key(" ".join(line.split()[:2]).encode())
        _check_with(public, line.partition(" ")[0].encode(), kind, raw, covered)
    except (InvalidSignature, UnsupportedAlgorithm, ValueError):
        raise Bad("signature", "the signature does not fit the text") from None


def _check_with(key: Any, its: bytes, kind: bytes, raw: bytes, covered: bytes) -> None:
    """Check the raw signature with a key object of `cryptography`. its: type of the key; kind: of
    the signature."""
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa, utils

    if isinstance(key, ed25519.Ed25519PublicKey) and kind == b"ssh-ed25519":
        key.verify(raw, covered)
    elif isinstance(key, rsa.RSAPublicKey) and kind in (b"rsa-sha2-256", b"rsa-sha2-512"):
        rsa_hash = hashes.SHA512() if kind.endswith(b"512") else hashes.SHA256()
        key.verify(raw, covered, padding.PKCS1v15(), rsa_hash)
    elif isinstance(key, ec.EllipticCurvePublicKey) and kind == its:
        ec_hash = {256: hashes.SHA256(), 384: hashes.SHA384(), 521: hashes.SHA512()}[key.key_size]
        r, s, rest = _fields(raw, 2)
        require(not rest, "signature", "something stands behind the signature")
        pair = utils.encode_dss_signature(_natural(r), _natural(s))
        key.verify(pair, covered, ec.ECDSA(ec_hash))
    else:
        raise Bad("signature", "a signature of another type than its key")


def _natural(data: bytes) -> int:
    """A natural number in its shortest form: its highest bit is no sign."""
    n = int.from_bytes(data, "big")
    shortest = n.to_bytes(n.bit_length() // 8 + 1, "big")
    require(data == shortest, "signature", "a number is not in its shortest form")
    return n


def twin_of(signature: bytes) -> bytes:
    """The other valid form of an ECDSA signature, (r, n - s), which anybody can make; of any other
    signature itself."""
    try:
        *head, inner, _ = _fields(signature[10:], 5)
        kind, pair, _ = _fields(inner, 2)
        r, s, _ = _fields(pair, 2)
        *_, order = CURVES[kind.decode().removeprefix("ecdsa-sha2-")]
        other = order - int.from_bytes(s, "big")
        changed = other.to_bytes(other.bit_length() // 8 + 1, "big")
    except (Bad, LookupError, ValueError, OverflowError):
        return signature
    inner = field(kind) + field(field(r) + field(changed))
    return signature[:10] + b"".join(map(field, [*head, inner]))


def key_name(line: str) -> str:
    """What names a key in a change of keys."""
    return hashlib.sha256(_wire(line)).hexdigest()


def fingerprint(line: str) -> str:
    """As `ssh-keygen -l` prints it."""
    said = base64.b64encode(hashlib.sha256(_wire(line)).digest()).rstrip(b"=")
    return "SHA256:" + said.decode()


def check_change(g0: bytes, side: str, lines: list[str], one: Json) -> str:
    """A change of keys (formats.md: Keys) must be signed by one of these keys and by the new one;
    the key that signed it."""
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


def check_signature_file(
    text: bytes, kind: str, setup: Setup | None, facts: Json, line: str
) -> None:
    """A signature: the statement that the moderator signed, and his signature in armour."""
    text = text.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n")  # as mail programs save it
    first, _, rest = text.partition(b"\n")
    g0 = setup.g0.hex() if setup else ZERO
    want = f"{kind} {g0} {facts['window']} {facts['side'] or '-'} {facts['digest']}"
    require(first == want.encode(), "signature", "the signature is of something else")
    inner = re.fullmatch(
        rb"-----BEGIN SSH SIGNATURE-----\s+([A-Za-z0-9+/=\s]+)-----END SSH SIGNATURE-----\s*", rest
    )
    require(bool(inner), "signature", "the signature holds no signature")
    assert inner
    try:
        blob = unbase64(b"".join(inner[1].split()))
    except ValueError:
        raise Bad("signature", "the signature is damaged") from None
    verify_signature(line, f"{kind}@pbem", first + b"\n", blob)


# Reports (formats.md: Report)


def check_report(report: Json, signature: bytes | None, setups: dict[str, Setup]) -> list[str]:
    """One report by itself; notes for its reader."""
    own = {k: v for k, v in report.items() if k != "digest"}
    require(report["digest"] == digest("report", plain(own)).hex(), "altered-report",
            "the report is not what its digest says")  # fmt: skip
    setup = setups.get(report["setup"]["text"]) or Setup(report["setup"]["text"])
    setups[setup.text] = setup
    fits = (report["setup"]["digest"], report["game"]) == (setup.g0.hex(), setup.game)
    fits = fits and report["side"] in (*setup.sides, PUBLIC)
    fits = fits and report["dice_mode"] == setup.facts["dice"]
    fits = fits and report["moderator"]["sign"] == setup.facts["moderator"]["sign"]
    require(fits, "setup", "the report does not fit its own set-up text")
    notes = (
        [] if signature else ["no report.seal beside it: the moderator's signature is not checked"]
    )
    if signature:
        check_signature_file(signature, "report", setup, report, setup.facts["moderator"]["sign"])
    return notes + _check_keys(report, setup) + _check_report_dice(report, setup)


def _check_keys(report: Json, setup: Setup) -> list[str]:
    """Keys that came after the set-up; where a player changed his own he signed that."""
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


def _check_report_dice(report: Json, setup: Setup) -> list[str]:
    seed, rolls = report["seed"], report["rolls"]
    window, links = seed["window"], seed["links"]
    if not setup.key:
        return [f"{setup.facts['dice']} dice prove nothing"]
    require(window < report["window"], "window", "the dice are of a window that is still open")
    if not window:
        require(not rolls and not links, "no-seed", "dice before any window was closed")
        return []
    require(set(links) == set(setup.sides), "no-seed", "the report does not give a link per side")
    firsts, root = seed.get("firsts", {}), seed.get("root", "")
    if setup.facts["dice"] == "strict" and setup.protocol > 1:
        _learn_locked(report, setup, window)
    for side, link in links.items():
        if link:
            setup.check_link(side, window, link)
            if setup.facts["dice"] == "strict":
                _check_reveal(setup, report, side, link)
    value, labels = seed_of(setup.g0, window, links, firsts, root), set()
    for roll in rolls:
        fresh = roll["window"] == window and roll["label"] not in labels
        require(fresh, "rolled-twice", f"{roll['label']} does not belong to this window alone")
        labels.add(roll["label"])
        check_roll(setup.key, setup.g0, value, roll)
    absent = [s for s, link in sorted(links.items()) if not link and s not in firsts]
    notes = [FIRST.format(s) for s in sorted(firsts)] + [f"no link of {s}" for s in absent]
    return [f"window {window}: {note}" for note in notes]


def _learn_locked(report: Json, setup: Setup, window: int) -> None:
    """In a strict game an anchor that was named with the lock counts behind it."""
    for side, named in report.get("anchors", {}).items():
        for one in named:
            if one["from"] == window:
                setup.count(side, one["anchor"], window)


def _check_reveal(setup: Setup, report: Json, side: str, link: str) -> None:
    """A link of a strict game must be signed together with the lock, by a key that its side had
    by then: of the set-up text, or named later in the report."""
    seed = report["seed"]
    text = reveal_text(setup.g0, seed["window"], seed["lock"], link)
    signature = bytes.fromhex(seed["reveals"].get(side, ""))
    later = report.get("keys", {}).get(side, [])
    for line in [*setup.keys[side], *(x["key"] for x in later if x["from"] <= seed["window"])]:
        try:
            return verify_signature(line, "reveal@pbem", text, signature)
        except Bad:
            continue  # it may be another key's
    raise Bad("bad-reveal", f"the link of {side} is not signed with the lock by a key of its side")


def reveal_text(g0: bytes, window: int, lock: str, link: str) -> bytes:
    """What a player signs when he opens a link."""
    return f"{g0.hex()} {window} {lock} {link}".encode("ascii")


def learn_anchors(report: Json, setup: Setup) -> None:
    """What this report names counts from the window after the one it opens, at the earliest; of
    an anchor that counts already, only the report that first named it can tell."""
    for side, named in report.get("anchors", {}).items():
        for one in named:
            known = setup.anchors[side].get(one["anchor"])
            if known is not None:
                fits = one["from"] == known
                require(fits, "early-anchor", f"an anchor of {side} counts from another window")
            elif one["from"] > report["window"] - (setup.protocol > 1):
                setup.count(side, one["anchor"], one["from"])


def compare(reports: list[tuple[str, Json]]) -> Iterator[tuple[str, Bad]]:
    """Reports of one game together: what all sides are told must be the same for all."""
    told: dict[tuple[str, int, str], tuple[str, Json]] = {}
    for name, report in reports:
        public = {k: report["seed"][k] for k in ("window", "links", "lock")}
        public |= {k: report.get(k) for k in ("anchors", "commit", "head", "keys", "run")}
        public |= {k: report["seed"].get(k) for k in ("carried", "firsts", "root")}
        key = (report["setup"]["digest"], report["window"], report["opened"])
        first, other = told.setdefault(key, (name, public))
        if public != other:
            what = ", ".join(k for k in public if public[k] != other[k])
            yield name, Bad("fork", f"it tells another game than {first}: {what}")
    yield from _compare_roots(reports)
    for (g0, window), group in _by_window(reports).items():
        sets: dict[str, str] = {}
        for _, report in group:
            sets.update(report["seed"]["sets"])
        name, last = group[0]
        if window and sorted(sets) == sorted(json.loads(last["setup"]["text"])["sides"]):
            lock = lock_of(bytes.fromhex(g0), window, {str(s): str(x) for s, x in sets.items()})
            if lock != last["seed"]["lock"]:
                yield name, Bad("lock", f"the lock of window {window} is not that of the orders")


def _compare_roots(reports: list[tuple[str, Json]]) -> Iterator[tuple[str, Bad]]:
    """The seed of the first window enters those of all later ones. Only an undo of the first
    window changes it, and reports say how many windows were undone."""
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
            yield name, Bad("fork", f"it has another first seed than {other}")


def compare_receipts(
    reports: list[tuple[str, Json]], receipts: list[tuple[str, Json]]
) -> Iterator[tuple[str, Bad]]:
    """What a side has a receipt of, the report of that window must know."""
    for name, receipt in receipts:
        took = receipt["status"] in ("accepted", "partly")
        for other, report in reports if took else ():
            seed, side = report["seed"], receipt["side"]
            where = (receipt["game"], side, receipt["window"])
            if (report["game"], report["side"], seed["window"]) != where:
                continue
            if receipt["code"] == "revealed" and not seed["links"].get(side):
                yield name, Bad("lost-reveal", f"{other} says that this link never came")
            elif receipt["in_force"] and seed["sets"].get(side) == "NMR":
                yield name, Bad("dropped-order", f"{other} says that no orders came")


def compare_locks(
    reports: list[tuple[str, Json]], notices: list[tuple[str, Json]]
) -> Iterator[tuple[str, Bad]]:
    """A window has one lock, whoever is told of it."""
    told = [(name, r["setup"]["digest"], r["seed"]["window"], r["seed"]["lock"])
            for name, r in reports]  # fmt: skip
    known: dict[tuple[str, int], tuple[str, str]] = {}
    for name, g0, window, lock in told:
        known.setdefault((g0, window), (name, lock))
    for name, notice in notices:
        where = notice["setup"], notice["window"]
        first, lock = known.setdefault(where, (name, notice["lock"]))
        if notice["lock"] != lock:
            yield name, Bad("two-locks", f"{first} tells another lock of window {where[1]}")


def gaps(reports: list[tuple[str, Json]]) -> Iterator[str]:
    """Windows that closed, and whose opening report is not here."""
    mine = {(r["setup"]["digest"], r["side"], r["window"]) for _, r in reports}
    for name, report in reports if len(reports) > 1 else ():
        window, side = report["seed"]["window"], report["side"]
        if window and (report["setup"]["digest"], side, window) not in mine:
            yield (f"{name} has dice of window {window}, and the report that opened it for {side} "
                   "is not here: if none ever came, it was opened for others alone")  # fmt: skip


def _by_window(reports: list[tuple[str, Json]]) -> dict[tuple[str, int], list[tuple[str, Json]]]:
    groups: dict[tuple[str, int], list[tuple[str, Json]]] = {}
    for name, report in reports:
        key = (str(report["setup"]["digest"]), int(report["seed"]["window"]))
        groups.setdefault(key, []).append((name, report))
    return groups


# Ledgers (formats.md: Ledger, What records hold)


def records(data: bytes) -> Iterator[Json]:
    """The records in order, each checked against its own hash and the one before."""
    prev = ZERO
    for n, line in enumerate(io.BytesIO(data), 1):
        if not line.endswith(b"\n"):
            return
        content = line[:-76] + b"}"
        seam = b',"hash":"' + digest("ledger", content).hex().encode() + b'"}\n'
        require(line[-76:] == seam, "altered-record", "its hash does not match its content")
        record = load(content, "it")
        names = {"at", "body", "kind", "n", "prev", "salt"}
        sound = set(record) == names and isinstance(record["body"], dict)
        require(sound and f"{record['kind']} " in KINDS, "altered-record", "it is of no known kind")
        require(record["n"] == n or record["n"] < n, "dropped-record",
                f"record {record['n']} stands where {n} belongs")  # fmt: skip
        require(record["n"] == n, "moved-record", f"it says it is number {record['n']}")
        require(record["prev"] == prev, "moved-record", "it does not follow the one before it")
        prev = digest("ledger", content).hex()
        yield record | {"hash": prev}


Officer = tuple[str, int]
"""A key of a side: the side, and the number of the key."""


class Game:
    """One walk along a ledger: `take` every record in order. What a record of a kind must be stands
    in the method of that name."""

    def __init__(self) -> None:
        self.created: Json = {}
        self.setup: Setup | None = None  # from `opened` on
        # Keys and dice anchors
        self.officers: dict[Officer, str] = {}  # public keys that may sign now
        self.former: dict[Officer, str] = {}  # those that may no longer
        self.recovery: dict[Officer, str] = {}
        self.ages: dict[
            Officer, str
        ] = {}  # what a side's mail is encrypted to, and the moderator's
        self.age = ""
        self.resets: dict[str, Json] = {}  # side: the loss of a key that was announced
        self.anchors: dict[Officer, list[tuple[int, str]]] = {}  # each from the window it counts in
        self.pending: dict[Officer, str] = {}  # anchors that no report has named yet
        self.announced: dict[str, str] = {}  # side: the anchor that its orders for the window name
        # The open window
        self.window = self.used = 0  # its number, and the highest that was used
        self.since = ""  # when it opened
        self.sets: dict[str, Json] = {}  # side: its newest accepted set
        self.seqs: dict[str, int] = {}
        self.lock = ""  # of a strict game, once it is told
        self.reveals: dict[str, Json] = {}
        self.rerun: Json = {}  # it was taken back, and its orders are kept: how it was closed
        # What happened
        self.taken: dict[int, Json] = {}  # every set by its record
        self.given: dict[int, Json] = {}  # the links that came with them (protocol 1: only those
        # that reach further windows)
        self.consents: dict[int, set[str]] = {}  # window: sides that signed that it may be reopened
        self.closed: list[Json] = []
        self.locks: dict[int, set[str]] = {}
        self.positions: dict[int, str] = {}  # window: hash of the state that it opened with
        # What players hold, and what readers are told
        self.opened: dict[str, Json] = {}  # digest of a report: its side, its record
        self.receipts: set[str] = set()
        self.heads: dict[str, int] = {ZERO: 0}
        self.flags: list[str] = []
        self.rolls = self.signed = 0

    def take(self, record: Json) -> None:
        """Check one record, then remember it."""
        begun = bool(self.created) or record["kind"] == "created"
        require(begun, "dropped-record", f"`{record['kind']}` stands where `created` belongs")
        check = getattr(self, f"_{record['kind']}", None)
        if check:
            check(record["body"], record)
        if "receipt" in record["body"]:
            self.receipts.add(record["body"]["receipt"])
        if "reports" in record["body"]:
            self._check_reports(record["body"])
            self.positions[self.window] = record["body"]["position"]
            self.since = record["at"]
        for side, said in record["body"].get("reports", {}).items():
            self.opened[said] = {"side": side, "n": record["n"], "body": record["body"]}
        if "public" in record["body"]:
            one = {"side": PUBLIC, "n": record["n"], "body": record["body"]}
            self.opened[record["body"]["public"]] = one
        self.heads[record["hash"]] = record["n"]

    def _check_reports(self, body: Json) -> None:
        """A window opens for every side, and what its reports commit to is in the record."""
        setup = self._open()
        require(sorted(body["reports"]) == sorted(setup.sides), "one-sided",
                "a window that did not open for every side")  # fmt: skip
        if "commit" in body or "blind" in body:
            blind = unhex(body["blind"], 32, "the number that blinds a commitment")
            state = unhex(body["position"], 32, "the hash of the state")
            window, rolls = number(self.window), plain(body.get("rolls", []))
            made = digest("commit", setup.g0, window, blind, state, rolls).hex()
            require(made == body["commit"], "commitment", "it commits to other rolls or states")

    # How the game was made, and whose keys are in it (formats.md: Keys)

    def _created(self, body: Json, record: Json) -> None:
        require(not self.created, "moved-record", "a game is made once")
        require(isinstance(body.get("system"), str), "altered-record", "it names no rule system")
        self.created, self.age = body, body.get("age", "")
        _wire(body["moderator"])
        if body["dice"] in PROVED:
            DiceKey(body["game"], body["modulus"], body["roots"])
        else:
            require(not body["modulus"] and not body["roots"], "dice-key", "a key without use")
            self.flags.append(f"{body['dice']} dice prove nothing")

    def _enlisted(self, body: Json, record: Json) -> None:
        who = side, n = body["side"], body["number"]
        ever = {**self.officers, **self.former}
        next_one = 1 + max((number for s, number in ever if s == side), default=0)
        fresh = side in self.created["sides"] and n == next_one
        require(fresh, "officer", "an officer stands twice, or nowhere")
        lines = [*ever.values(), *self.recovery.values()]
        mine = [_wire(x) for x in (body["key"], body.get("recovery")) if x]
        once = len({*mine}) == len(mine) and not {*mine} & {_wire(x) for x in lines}
        require(once and all(mine), "officer", "a key was registered before")
        self.officers[who], self.ages[who] = body["key"], body.get("age", "")
        if body.get("recovery"):
            self.recovery[who] = body["recovery"]
        self._anchor(who, body.get("anchor", ""))

    def _replaced(self, body: Json, record: Json) -> None:
        """A key may change by its player's signatures, by a loss that nobody denied, or by
        decision of the moderator, which all are told."""
        side, why = body["side"], body.get("why", "replacement")
        _wire(body["key"])
        ends = [(side, n) for n in body["ends"]]
        known = bool(ends) and all(w in self.officers for w in ends)
        require(known and why in WHY, "officer", "it ends a key not enlisted")
        told = not self.window or {*self.created["sides"]} <= {*body.get("mailed", [])}
        require(told, "one-sided", "a key changed, and some were not told")
        if why in SIGNED:
            self._check_signed(body, ends)
        elif why == "reset":
            self._check_reset(body, record)
        else:
            self.flags.append(f"record {record['n']}: the moderator replaced a key of {side}")
        self.resets.pop(side, None)
        for who in ends:
            self.former[who] = self.officers.pop(who)
            self.pending.pop(who, None)
        self._enlisted(body, record)
        paper = self.recovery.get(ends[0], "")
        if why in SIGNED and paper:
            self.recovery[side, body["number"]] = paper

    def _check_signed(self, body: Json, ends: list[Officer]) -> None:
        setup, who = self._open(), ends[0]
        now = body["window"] == self.window and not self.lock and len(ends) == 1
        require(now, "bad-keys", "a change of keys of another window")
        lines = [self.officers[who], self.recovery.get(who, "")]
        by = check_change(setup.g0, body["side"], lines, body)
        right = "change" if by == lines[0] else "recovery"
        require(body["why"] == right, "bad-keys", "another right to change than was used")

    def _check_reset(self, body: Json, record: Json) -> None:
        said = self.resets.get(body["side"], {})
        same = all(said.get(k) == body[k] for k in ("ends", "key", "anchor"))
        same = same and said.get("age") == body.get("age")
        require(same and said["n"] == body["notice"], "early-key",
                "no such loss was announced, or the old key has signed since")  # fmt: skip
        require(moment(record["at"]) >= moment(said["due"]), "early-key",
                "a lost key was replaced before the time that all were told")  # fmt: skip

    def _noted(self, body: Json, record: Json) -> None:
        self.age = body.get("age", self.age)
        if "reset" not in body:
            return
        said, side = body["reset"], body["reset"]["side"]
        ends = [(side, n) for n in said["ends"]]
        known = len(ends) == 1 and ends[0] in self.officers
        require(known, "officer", "it announces the loss of a key that is not registered")
        late = moment(said["due"]) - moment(record["at"]) >= timedelta(hours=48)
        require(late, "early-key", "a loss was not announced long enough before")
        _wire(said["key"])
        self.resets[side] = {**said, "n": record["n"]}

    def _signs(self, side: str, officer: int) -> None:
        """A key that signs is not lost."""
        if officer in self.resets.get(side, {}).get("ends", []):
            del self.resets[side]

    def _anchor(self, who: Officer, anchor: str) -> None:
        known = {a for found in self.anchors.values() for _, a in found}
        if anchor and anchor not in known:
            unhex(anchor, 32, "an anchor")
            if self.window:
                self.pending[who] = anchor
            else:
                self.anchors.setdefault(who, []).append((1, anchor))

    def _opened(self, body: Json, record: Json) -> None:
        require(not self.window and body["window"] == 1, "window", "a game opens once, at 1")
        self.setup = setup = Setup(body["setup"])
        require(setup.facts == self._decided(body), "setup", "the set-up text is not what was "
                "decided")  # fmt: skip
        self.window = self.used = 1

    def _decided(self, body: Json) -> Json:
        """What the set-up text must say, by the records before it."""
        made, mine = self.created, {s: [w for w in self.officers if w[0] == s]
                                    for s in self.created["sides"]}  # fmt: skip
        first = {w: known[-1][1] for w, known in self.anchors.items()}

        def each(known: dict[Officer, str]) -> Json:
            return {s: [known.get(w, "") for w in who] for s, who in mine.items()}

        return {
            **{k: made[k] for k in COPIED.split()},
            **({"protocol": made["protocol"]} if made.get("protocol", 1) > 1 else {}),
            "keys": each(self.officers), "anchors": each(first),
            "moderator": {"sign": made["moderator"], "age": self.age},
            "deadlines": {"first": body["deadline"]},
            "policies": {"nmr": NMR_POLICY, "press": made.get("press", "none")},
            **({"ages": each(self.ages)} if made["mail"] == "sealed" else {}),
            **({"recovery": each(self.recovery)} if self.recovery else {}),
        }  # fmt: skip

    # Orders, links and locks (formats.md: Order header, Provable dice)

    def _received(self, body: Json, record: Json) -> None:
        side, officer, setup = body["side"], body["officer"], self._open()
        canonical, signature = body["canonical"].encode("ascii"), bytes.fromhex(body["signature"])
        made = digest("canonical", canonical).hex(), digest("order", canonical, signature).hex()
        require(made == (body["digest"], body["order"]), "altered-order", "it is not as digested")
        if officer:
            key = self.officers.get((side, officer))
            require(bool(key), "forged-order", "nobody of that number is enlisted for the side")
            text = bytes.fromhex(body["raw"]) if "raw" in body else canonical
            verify_signature(str(key), "orders@pbem", text, signature)
            self.signed += 1
            if "raw" in body and not text.isascii():
                self.flags.append(f"record {record['n']}: signed as a file that is not ASCII; "
                                  "whether it says the same is not checked")  # fmt: skip
            elif "raw" in body:
                same = canonical in [c for c, _ in orders_in(text)]
                require(same, "altered-order", "the signed file says something else")
        else:
            self.flags.append(f"record {record['n']}: orders of {side} entered by the moderator")
        head = header(body["canonical"].split())
        want = {"game": setup.game, "side": side, "setup": setup.g0.hex()}
        want |= {"window": str(self.window), "seq": str(body["seq"])}
        fits = all(head.get(k) == v for k, v in want.items()) and body["window"] == self.window
        fits = fits and self._answers(side, head.get("report", ""))
        fits = fits and not self.rerun and not self.lock and not self._running()
        require(fits, "misplaced-order", "it was not signed for this game, window and side")
        require(body["seq"] > self.seqs.get(side, 0), "misplaced-order", "it is older than another")
        bound = self.created.get("protocol", 1) >= BOUNDED
        require(not bound or body["seq"] <= self._latest(body), "future-sequence",
                "its seq is more than a day past its arrival")  # fmt: skip
        self._check_link(body, head, record["n"])
        self.seqs[side] = body["seq"]
        self._signs(side, officer)
        agreed = consent(body["canonical"].split()) if officer else 0
        self.consents.setdefault(agreed, set()).add(side)
        known = {"n": record["n"], "at": record["at"]}
        self.sets[side] = self.taken[record["n"]] = body | known
        if body.get("anchor"):
            self.announced[side] = body["anchor"]

    def _latest(self, body: Json) -> int:
        """The highest seq of a set: a day past its arrival, and past the least that would do."""
        times = [int(moment(one).timestamp()) for one in (body["arrival"], self.since)]
        return max(self.seqs.get(body["side"], 0) + 1, *times) + DAY

    def _answers(self, side: str, said: str) -> bool:
        one = self.opened.get(said)
        return bool(one and one["side"] == side)

    def _check_link(self, body: Json, head: dict[str, str], n: int) -> None:
        who, setup = (body["side"], body["officer"]), self._open()
        reach = self.window + body.get("ahead", 0)
        require(reach >= self.window, "bad-link", "it reaches back")
        if not setup.proved or not body["officer"]:
            expected = "" if not body["officer"] or head.get("link") == "none" else head.get("link")
            require(body["link"] == expected, "bad-link", "the record has another link")
            return
        said = head.get("link", "none")
        strict = self.created["dice"] == "strict"
        require(not strict or said == "none", "bad-link", "a link before the lock")
        require(body["link"] == ("" if said == "none" else said), "bad-link", "an altered link")
        counts = [a for since, a in self.anchors.get(who, []) if since <= self.window]
        if said != "none":
            require(bool(counts), "bad-link", "a link without an anchor that counts")
            for a in counts:
                setup.count(who[0], a, 1)
            setup.check_link(who[0], reach, said, {counts[-1]})
            if "ahead" in body or self._protocol() > 1:
                self.given[n] = {"who": who, "anchor": counts[-1], "since": self.window,
                                 "reach": reach, "link": said}  # fmt: skip
        else:
            excused = not counts or "anchor" in head or reach > LONGEST or strict
            require(excused, "bad-link", "an anchor that counts, and no link")
        require(body.get("anchor", "") == head.get("anchor", ""), "bad-link", "another anchor")
        self._anchor(who, body.get("anchor", ""))

    def _locked(self, body: Json, record: Json) -> None:
        setup, want = self._open(), self._in_force()
        require(not self.lock and body["window"] == self.window, "two-locks", "a second lock")
        require(body["sets"] == want, "dropped-order", "other sets than those received")
        orders = {s: x["order"] for s, x in want.items()}
        require(body["lock"] == lock_of(setup.g0, self.window, orders), "lock", "another lock")
        self.lock = body["lock"]
        self.locks.setdefault(self.window, set()).add(self.lock)
        for side, taken in self.sets.items() if self._protocol() > 1 else ():
            who = side, taken["officer"]  # an anchor in a set in force is fixed by the lock
            if taken.get("anchor") and self.pending.get(who) == taken["anchor"]:
                self.anchors.setdefault(who, []).append((self.window, self.pending.pop(who)))

    def _revealed(self, body: Json, record: Json) -> None:
        setup, side, officer = self._open(), body["side"], body["officer"]
        taken, known = self.sets.get(side, {}), {**self.former, **self.officers}
        key = known.get((side, officer), "")
        own = self.lock and taken.get("officer") == officer and side not in self.reveals
        own = own and not self.rerun  # its dice are known
        fits = (body["window"], body["lock"]) == (self.window, self.lock)
        require(bool(own and fits), "bad-link", "a link that nobody waits for")
        text = reveal_text(setup.g0, self.window, self.lock, body["link"])
        verify_signature(key, "reveal@pbem", text, bytes.fromhex(body["signature"]))
        counts = self._counting(side, officer)
        require(bool(counts), "bad-link", "a link without an anchor that counts")
        for a in counts:
            setup.count(side, a, 1)
        setup.check_link(side, self.window, body["link"], {counts[-1]})
        self.reveals[side] = body
        self._signs(side, officer)

    def _counting(self, side: str, officer: int) -> list[str]:
        return [a for since, a in self.anchors.get((side, officer), []) if since <= self.window]

    def _in_force(self) -> dict[str, Json]:
        mine = {s: self.sets.get(s) for s in self.created["sides"]}
        return {
            s: {"order": x["order"] if x else "NMR", "record": x["n"] if x else 0}
            for s, x in mine.items()
        }

    # A window closes (formats.md: Provable dice)

    def _check_strict(self, body: Json) -> None:
        """The lock came first; whoever did not open his link has no orders in this window."""
        require(self.lock == body["lock"], "two-locks", "the lock told to all was another")
        listed = self.created["sides"] if self.created.get("protocol", 1) >= SORTED else self.sets
        void = [s for s in listed if s in self.sets and s not in self.reveals
                and self._counting(s, self.sets[s]["officer"])]  # fmt: skip
        signed = {s: x["signature"] for s, x in self.reveals.items()}
        require((body["void"], body["reveals"]) == (void, signed), "bad-reveal", "other reveals")

    def _closed(self, body: Json, record: Json) -> None:
        setup, window, sides = self._open(), self.window, self.created["sides"]
        mine = {s: self.sets.get(s) for s in sides}
        want = self._in_force()
        require(body["window"] == window, "window", f"it closes {body['window']}, open is {window}")
        require(body["sets"] == want, "dropped-order", "other sets than those received")
        orders = {s: x["order"] for s, x in want.items()}
        require(body["lock"] == lock_of(setup.g0, window, orders), "lock", "another lock")
        if self.created["dice"] == "strict":
            self._check_strict(body)
        fixed = self._fixed()
        said = {k: body[k] for k in ("links", "carried", "firsts", "seed") if k in body}
        require(said == fixed, "swapped-link", "other links, or another seed, than those of the "
                "sets; or links known before their window are not named")  # fmt: skip
        self._check_run(body, mine)
        self._check_rolls(body, fixed)
        self._doubt(fixed)
        self._check_opens(body, record)
        self.closed.append(body)
        self._next(body["opens"], {})

    # Turns run on, and links reach beyond their window

    def _running(self) -> bool:
        """Whether the open window belongs to a run of turns that all sides agreed on."""
        last = self.closed[-1] if self.closed else {}
        return bool(last.get("run", {}).get("why") == "on" and last["opens"] == self.window)

    def _check_run(self, body: Json, mine: dict[str, Json | None]) -> None:
        """It runs as far as the side that agreed to least, and says which links were known."""
        turns = [x.get("ahead", 0) + 1 if x and x["final"] else 1 for x in mine.values()]
        first, last = self.window, self.window + min(turns) - 1
        if self._running():
            first, last = self.closed[-1]["run"]["from"], self.closed[-1]["run"]["to"]
        said = body.get("run", {})
        want = {"from": first, "to": last} if last > first else {}
        require({k: said[k] for k in said if k != "why"} == want, "run", "another run was agreed")
        require(not said or said["why"] != "on" or self.window < last, "run", "it runs too far")

    def _fixed(self) -> Json:
        """What decides the dice of the open window (formats.md: Provable dice)."""
        if not self._open().proved:
            return {"links": {}}
        fixed: Json = {"links": {s: self._link(s) for s in self.created["sides"]},
                       "carried": self._carried(), "firsts": self._firsts()}  # fmt: skip
        if self.created["dice"] == "strict":
            told = self.reveals
            links = {s: told[s]["link"] if s in told else "" for s in self.created["sides"]}
            fixed = {"links": links}
        if self.rerun:  # with what it was rolled with before
            fixed = {k: self.rerun[k] for k in ("links", "carried", "firsts") if k in self.rerun}
        if self._protocol() > 1:
            fixed["seed"] = self._seed(fixed).hex()
        return {k: x for k, x in fixed.items() if x or k == "links"}

    def _doubt(self, fixed: Json) -> None:
        """Who gave nothing to the dice of the first window that was fixed before the game."""
        links, firsts, start = fixed["links"], fixed.get("firsts", {}), f"window {self.window}: "
        if self.closed or not links:
            return
        for side in sorted(firsts):
            self.flags.append(f"{start}the first dice anchor of {side} came with its orders: {side}"
                              " and the moderator together could choose these dice")  # fmt: skip
        silent = ", ".join(s for s in sorted(links) if not links[s] and s not in firsts)
        if silent:
            self.flags.append(f"{start}nothing of {silent} is in the first dice: the moderator "
                              "and the other sides together could choose them")  # fmt: skip

    def _seed(self, fixed: Json) -> bytes:
        root = self.closed[0].get("seed", "") if self.closed else ""
        links, firsts = fixed["links"], fixed.get("firsts", {})
        return seed_of(self._open().g0, self.window, links, firsts, root)

    def _firsts(self) -> Json:
        """Anchors that came with orders in the first window, of sides that had none before."""
        if self._protocol() < 2 or self.closed:
            return {}
        had = {side for (side, _), known in self.anchors.items() if known}
        return {s: x for s, x in self.announced.items() if s not in had}

    def _newest(self, side: str) -> Json | None:
        """The set whose link is the side's in the open window: the newest that reaches it. In
        protocol 1 the set in force, or else the last one of an earlier window, if it reaches."""
        if self._protocol() > 1:
            mine = [x for x in self.given.values() if x["who"][0] == side]
            fits = [x for x in mine if x["since"] <= self.window <= x["reach"]]
            return fits[-1] if fits else None
        if taken := self.sets.get(side):
            who, reach = (side, taken["officer"]), self.window + taken.get("ahead", 0)
            one = {"who": who, "reach": reach, "link": taken["link"]}
            return one | {"anchor": "".join(self._counting(*who)[-1:])} if taken["link"] else None
        numbers = [x["sets"][side]["record"] for x in self.closed if x["sets"][side]["record"]]
        last = self.given.get(numbers[-1]) if numbers else None
        if not last or last["reach"] < self.window or last["who"] not in self.officers:
            return None
        return last if self._counting(*last["who"])[-1:] == [last["anchor"]] else None

    def _link(self, side: str) -> str:
        """The link of a side in the open window."""
        if not (one := self._newest(side)):
            return ""
        raw = unhex(one["link"], 32, f"the link of {side}")
        return back(self.created["game"], side, raw, one["reach"], self.window).hex()

    def _carried(self) -> dict[str, int]:
        """Sides whose link came with orders of an earlier window, and of which."""
        found = {}
        for side in self.created["sides"]:
            one = self._newest(side)
            since = [x["since"] for x in self.given.values()
                     if one and x["since"] < self.window <= x["reach"]
                     and x["anchor"] == one["anchor"]]  # fmt: skip
            if since:
                found[side] = min(since)
        return found

    def _check_opens(self, body: Json, record: Json) -> None:
        """The next window has a number that was never used, except inside a run of agreed turns,
        which takes no orders. Release 0.1.0 gave numbers a second time behind an undo."""
        on = body.get("run", {}).get("why") == "on"
        opens = self.window + 1 if on else self.used + 1
        if body["opens"] != opens and self._protocol() < 2:
            opens = self.window + 1
            if not body["over"]:
                self.flags.append(f"record {record['n']}: window {opens} was opened a second time, "
                                  "when its links could be known")  # fmt: skip
        require(body["opens"] == opens, "window", "it opens a wrong window")

    def _protocol(self) -> int:
        return int(self.created.get("protocol", 1))

    def _check_rolls(self, body: Json, fixed: Json) -> None:
        setup, labels = self._open(), set()
        seed = self._seed(fixed) if fixed["links"] else b""
        for roll in body["rolls"]:
            fresh = roll["window"] == self.window and roll["label"] not in labels
            require(fresh, "rolled-twice", f"{roll['label']} does not belong to this window alone")
            labels.add(roll["label"])
            self.rolls += 1
            if setup.key:
                check_roll(setup.key, setup.g0, seed, roll)
            elif self.created["dice"] == "seeded":
                head = (self.created["seed"].encode(), b"", number(self.window))
                beta = digest("seeded", *head, roll["label"].encode())
                want = faces(beta, *dice_of(roll["label"]))
                require(list(roll["dice"]) == want, "altered-roll", f"{roll['label']} fell {want}")

    # Windows taken back, and rulings

    def _undone(self, body: Json, record: Json) -> None:
        again = bool(self.rerun) and body["reopen"]  # a window taken back before, its orders kept
        require(again or bool(self.closed), "undo", "nothing was closed that could be undone")
        last: Json = {"window": self.window, "sets": {}} if again else self.closed.pop()
        opens = self.used + 1 if body["reopen"] else last["window"]
        windows = [] if again else [last["window"]]
        require((body["windows"], body["opens"]) == (windows, opens), "undo",
                "it takes back something else than the last window")  # fmt: skip
        flag = f"record {record['n']}: window {last['window']} undone"
        against = self._against(last["window"])
        if body["reopen"] and against:
            flag += f", re-rolled {REROLLED}" + ", ".join(against)
        if not body["reopen"] and against and self._protocol() > 1 and self._known():
            flag += f", and window {self.window} re-rolled, {REROLLED}" + ", ".join(against)
        self.flags.append(flag)
        numbers = {s: x["record"] for s, x in last["sets"].items() if x["record"]}
        kept = {} if body["reopen"] else {s: self.taken[n] for s, n in numbers.items()}
        same = body["sets"].keys() == kept.keys() and all(
            {*SAME} <= {*x} and x.items() <= as_kept(kept[s]).items()
            for s, x in body["sets"].items()
        )
        require(same, "undo", "it keeps other sets")
        before = self.positions[last["window"]]  # the state that its window opened with
        require(body["reopen"] or body["position"] == before, "undo", "it goes back elsewhere")
        self._next(opens, kept, named=body["reopen"])
        if not body["reopen"] and "reveals" in last:
            self.lock = last["lock"]
            self.reveals = {s: {"link": last["links"][s], "signature": x}
                            for s, x in last["reveals"].items()}  # fmt: skip
        self.rerun = {} if body["reopen"] else last

    def _against(self, window: int) -> list[str]:
        """The sides that did not sign that this window may be opened again."""
        agreed = self.consents.get(window, set())
        return [s for s in self.created["sides"] if s not in agreed]

    def _known(self) -> bool:
        """Whether something that decides the dice of the open window has come in."""
        links = self._fixed()["links"] if self._open().proved else {}
        return bool(self.sets or self.lock or any(links.values()))

    def _ruled(self, body: Json, record: Json) -> None:
        """A ruling says when it was made; one that changes the state opens the next number, unless
        an undo kept the orders. What it changed only those who know the rules can check."""
        flag = f"record {record['n']}: a ruling: {body['reason']}"
        if not body.get("timely", True):
            flag += " (made after orders for its window had come in)"
        against = self._against(self.window)
        if "opens" in body and against and self._known():
            flag += f"; window {self.window} re-rolled {REROLLED}" + ", ".join(against)
        self.flags.append(flag)
        if "window" not in body:  # of a release whose rulings changed nothing
            return
        timely = not (self.sets or self.lock)
        require((body["window"], body["timely"]) == (self.window, timely), "ruling",
                "it was made for another window, or at another time")  # fmt: skip
        if "opens" in body:
            fits = body["opens"] == self.used + 1 and not self._running()
            require(fits, "ruling", "a ruling opens a wrong window")
            self._next(body["opens"], {})
        elif "position" in body:
            require(bool(self.rerun), "ruling", "it changes a state without a new report")
            self.positions[self.window] = body["position"]

    def _next(self, opens: int, sets: dict[str, Json], named: bool = True) -> None:
        if named:
            for who, anchor in self.pending.items():
                self.anchors.setdefault(who, []).append((self._since(who, opens), anchor))
            self.pending = {}
        self.window, self.used, self.sets = opens, max(self.used, opens), sets
        self.lock, self.reveals = "", {}
        self.announced, self.rerun = {}, {}

    def _since(self, who: Officer, opens: int) -> int:
        """When an anchor counts that is first named in the reports that open this window: while
        links of others are known for windows to come, it could be chosen to suit."""
        if self._protocol() < 2:
            return opens + 1
        known = [x["reach"] for x in self.given.values() if x["who"][0] != who[0]]
        return max([opens, *(1 + reach for reach in known)])

    def _open(self) -> Setup:
        require(self.setup is not None, "moved-record", "the game was not open yet")
        assert self.setup
        return self.setup

    # What players were sent

    def hold(self, facts: Json) -> None:
        """Something a player was sent must be of this game, and where it says it is."""
        if facts["format"] == LOCK:
            locks = self.locks.get(facts["window"], set())
            require(bool(locks), "dropped-record", "the ledger has no lock of that window")
            require(facts["lock"] in locks, "two-locks", "the ledger has another lock")
            return
        require(facts["head"] in self.heads, "cut-or-forked",
                "its head is not on this ledger: cut tail, or fork shown to one side")  # fmt: skip
        if facts["format"].startswith("pbem-receipt"):
            known = facts["digest"] in self.receipts or facts["status"] == "known"
            require(known, "dropped-record", "the ledger has no record of this receipt")
            return
        one = self.opened.get(facts["digest"])
        require(bool(one), "cut-or-forked", "the ledger has no record of this report")
        assert one
        require(one["side"] == facts["side"] and one["n"] == self.heads[facts["head"]] + 1,
                "moved-record", "the report was recorded elsewhere")  # fmt: skip
        require(facts.get("commit") == one["body"].get("commit"), "commitment",
                "the report committed to other rolls or another state")  # fmt: skip
        readers = self._open().sides if facts["side"] == PUBLIC else [facts["side"]]
        mine = [r for r in one["body"].get("rolls", []) if set(readers) <= set(r["to"])]
        told = [{k: v for k, v in r.items() if k != "to"} for r in mine]
        require(told == facts["rolls"], "altered-roll", "the ledger has other rolls for its side")


def as_kept(taken: Json) -> Json:
    """What an undo that keeps a set says of it."""
    same = {k: taken[k] for k in SAME}
    rare = {"raw": "", "link": "", "officer": 0, "ahead": 0}
    clean = {"clean": not taken["refused_orders"]}
    return same | clean | {k: taken.get(k, empty) for k, empty in rare.items()}


# Orders (orders.md)


def header(tokens: list[str]) -> dict[str, str]:
    """The header fields of a canonical form (orders.md: The header)."""
    return _header(tokens)[0]


def consent(tokens: list[str]) -> int:
    """The window that a set says may be reopened (`CONSENT UNDO 14 ;`), 0 without."""
    rest = tokens[_header(tokens)[1] :]
    words = " ".join(rest).split(" : ")[0]  # what stands before the first actor
    found = re.search(r"(?:^|; )CONSENT UNDO ([0-9]+) (?:;|END)", words)
    return int(found[1]) if found else 0


def _header(tokens: list[str]) -> tuple[dict[str, str], int]:
    """The header fields, and the place of the first word behind them."""
    found: dict[str, str] = {}
    at = 2
    while at + 2 < len(tokens) and f"{tokens[at]} " in FIELDS and tokens[at + 1] == ":":
        name, at = tokens[at].lower(), at + 2
        words = [tokens[at]]
        if name in ("setup", "report", "link", "moderator", "anchor") and words != ["NONE"]:
            size = 8 if name != "moderator" else 2
            words = tokens[at : at + size]
        found.setdefault(name, "".join(words).lower())
        at += len(words)
    return found, at


def orders_in(raw: bytes) -> list[tuple[bytes, bytes]]:
    """Canonical form and signature of each block of orders in an ASCII text (orders.md)."""
    gap = r"[\s>|]"
    text, found = raw.decode("ascii", "replace").upper(), []
    shape = rf"(BEGIN{gap}+ORDERS(?:(?!BEGIN{gap}+ORDERS).)*?END{gap}+ORDERS)"
    signature = rf"{gap}*BEGIN{gap}+SEAL([A-Z2-7\s>|]*?)END{gap}+SEAL"
    for block in re.finditer(rf"\b{shape}\b", text, re.DOTALL):
        inner = re.sub(r"\[[^\[\]]*\]", " ", block[1])
        inner = re.sub(r"(?m)^(?:[ \t]*(?:[>|]|- (?=-)))+", " ", inner)
        tokens = re.findall(r'[0-9]+\.[0-9]+(?![0-9A-Z])|[A-Z0-9]+|[-:;@,"]', inner)
        encrypted = re.compile(signature).match(text, block.end())
        packed = re.sub(rf"{gap}+", "", encrypted[1]) if encrypted else ""
        try:
            signature = base64.b32decode(packed + "=" * (-len(packed) % 8))
        except ValueError:
            signature = b""
        found.append((" ".join(tokens).encode() + b"\n", signature))
    return found


def check_orders(
    sent: list[tuple[str, bytes]], reports: list[tuple[str, Json]], games: list[Game],
    say: list[str], found: list[str],
) -> None:  # fmt: skip
    """Of the orders that a side sent for a window, those that the report behind it names must be
    among these files, and none newer than them."""
    files: dict[tuple[str, ...], list[tuple[int, str, bytes, bytes]]] = {}
    for name, raw in sorted(sent):
        with finding(name, found):
            blocks = [(header(c.decode().split()), c, s) for c, s in orders_in(raw) if s]
            signed = [one for one in blocks if "setup" in one[0]]
            require(bool(signed), "no-orders", "no signed orders in it")
            for head, canonical, signature in signed:
                where = (head["setup"], head["window"], head["side"])
                files.setdefault(where, []).append((int(head["seq"]), name, canonical, signature))
    for other, report in reports:
        seed, side = report["seed"], report["side"]
        mine = files.get((report["setup"]["digest"], str(seed["window"]), side), [])
        said, before = seed["sets"].get(side), True
        for _, name, canonical, signature in sorted(mine, reverse=True):
            if _is_set(canonical, signature, said, games):
                say.append(f"{name}: these orders were in force in window {seed['window']}")
                before = False
            elif before:
                found.append(f"{name}: other-orders: {other} names another set than this one")


def _is_set(canonical: bytes, signature: bytes, said: object, games: list[Game]) -> bool:
    """Whether orders are the set that a report names by its digest. Of a signature by an ECDSA key
    anybody can make a second, and its owner makes another each time: the orders count."""
    forms = (signature, twin_of(signature))
    recorded = {x["order"]: x["canonical"] for g in games for x in g.taken.values()}
    return said in [digest("order", canonical, form).hex() for form in forms] or (
        recorded.get(str(said), "").encode() == canonical
    )


# The command


Paper = tuple[str, Json, bytes | None]
"""A report, receipt or notice of a lock: the name of its file, what it says, its signature."""

Bundle = tuple[str, dict[str, bytes]]
"""The parts of a published game by their names, and the folder that the zip has them in."""


def read(name: str) -> tuple[bytes, bytes | None, Bundle | None]:
    """A file's bytes, and those of the signature beside it. Of a published game, zip or folder,
    those of its ledger, and all its parts."""
    path = Path(name)
    if path.is_dir():
        parts = {one: (path / one).read_bytes() for one in PARTS if (path / one).is_file()}
        # any other folder with a ledger is a game's own
        bundle = ("", parts) if len(parts) > 1 else None
        return (path / LEDGER).read_bytes(), None, bundle
    data = path.read_bytes()
    if data[:4] == b"PK\3\4":
        folder, parts = _unpacked(data)
        return parts[LEDGER], None, (folder, parts)
    signature = path.with_suffix(".seal")
    return data, signature.read_bytes() if signature.is_file() else None, None


def _unpacked(data: bytes) -> Bundle:
    """What is in a zip. One of some kilobytes may claim to hold a gigabyte."""
    found: dict[str, bytes] = {}
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as bundle:
            listed = bundle.infolist()
            if not any(one.filename.endswith(LEDGER) for one in listed):
                raise Unreadable("it is a zip without a ledger")
            if any(one.file_size > LARGEST for one in listed):
                raise Unreadable("what is in the zip is larger than any game")
            folder = listed[0].filename.partition("/")[0]
            for one in listed:
                head, slash, name = one.orig_filename.partition("/")
                known = slash and head == folder and one.orig_filename == one.filename
                require(bool(known) and name in (*PARTS, ""), "bundle",
                        f"{one.orig_filename!r} is no part of it")  # fmt: skip
                require(name not in found, "bundle", f"{name} is in it twice")
                if name:
                    found[name] = bundle.read(one)
    except (OSError, RuntimeError, ValueError, EOFError, zipfile.BadZipFile, zlib.error) as error:
        raise Unreadable(f"it is no whole zip: {error}") from None
    return folder, found


def check_bundle(bundle: Bundle, game: Game, data: bytes) -> None:
    """Nobody signs a bundle: each part must say what its ledger (data) says."""
    folder, parts = bundle
    created = game.created
    name, modulus = created["game"], created["modulus"]
    require(folder in ("", name), "bundle",
            f"its folder is called {folder!r}, and its ledger is of the game {name}")  # fmt: skip
    for part in PARTS:
        wanted = part != DICE_KEY or bool(modulus)
        require(part in parts or not wanted, "bundle", f"{part} is missing")
    require(parts["setup.json"] == game.setup.text.encode() if game.setup else False, "bundle",
            "setup.json is not the set-up text of the ledger")  # fmt: skip
    line = created["moderator"].strip().encode() + b"\n"
    require(parts["moderator.pub"] == line, "bundle",
            "moderator.pub is not the moderator's key of the ledger")  # fmt: skip
    require(_are_told(parts["reports.json"], data), "bundle",
            "reports.json has other digests of reports than the ledger")  # fmt: skip
    fits = _is_private(parts[DICE_KEY], int(modulus, 16)) if modulus else DICE_KEY not in parts
    require(fits, "bundle", f"{DICE_KEY} is not the key of the dice in the ledger")


def _are_told(content: bytes, data: bytes) -> bool:
    """Whether these are the digests of the reports that opened each window. Those of windows that
    were taken back may be among them: release 0.1.0 left them in."""
    told, gone = {}, set()
    opens: dict[int, str] = {}
    for record in records(data):
        body = record["body"]
        if record["kind"] == "undone":
            gone |= {opens[window] for window in body["windows"]}
        if "permit" in body:  # windows of the edition before it may be missing
            gone |= told.keys()
        if "reports" in body:
            window = str(body.get("opens", body.get("window")))
            told[window] = body["reports"]
            gone.discard(window)
        if record["kind"] == "closed":
            opens[body["window"]] = str(body["opens"])
    try:
        said = json.loads(content, object_pairs_hook=_once)
        return bool(told.keys() - gone <= said.keys() and said.items() <= told.items())
    except (ValueError, RecursionError, AttributeError, TypeError):
        return False


def _once(pairs: list[tuple[str, Any]]) -> Json:
    """An object in which no key stands twice."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key stands twice")
    return found


def _is_private(content: bytes, modulus: int) -> bool:
    """Whether it is the whole private key of that modulus (PEM, PKCS#1: RFC 8017, A.1.2), so that
    every roll can be made with it."""
    shape = (
        rb"\s*-----BEGIN RSA PRIVATE KEY-----([A-Za-z0-9+/=\s]+)-----END RSA PRIVATE KEY-----\s*"
    )
    try:
        (packed,) = re.fullmatch(shape, content).groups()  # type: ignore[union-attr]
        version, n, e, d, p, q, dp, dq, inverse = _der_numbers(unbase64(b"".join(packed.split())))
    except FAULTS:
        return False
    whole = (version, n, e) == (0, modulus, E) and 1 < p < n and p * q == n and 0 < d < n
    short = whole and (dp, dq) == (d % (p - 1), d % (q - 1)) and inverse * q % p == 1
    return short and pow(pow(2, d, n), e, n) == 2


def _der_numbers(data: bytes) -> list[int]:
    """The numbers of a sequence of integers in DER, none negative. Raises ValueError."""
    (inner,) = _der(data, 0x30)
    found = [int.from_bytes(one, "big", signed=True) for one in _der(inner, 0x02)]
    if min(found) < 0:
        raise ValueError("a negative number")
    return found


def _der(data: bytes, tag: int) -> list[bytes]:
    """The contents of elements in DER, all of one tag. Raises ValueError, LookupError."""
    found, at = [], 0
    while at < len(data):
        size, start = data[at + 1], at + 2
        if size & 0x80:
            start += size & 0x7F
            size = int.from_bytes(data[at + 2 : start], "big")
        if data[at] != tag or start + size > len(data):
            raise ValueError("this is no DER")
        found.append(data[start : start + size])
        at = start + size
    return found


def check_ledger(name: str, data: bytes, say: list[str]) -> Game:
    """A whole ledger. Raises Bad, naming the record."""
    game, n = Game(), 0
    try:
        for record in records(data):
            n = record["n"]
            game.take(record)
            n += 1
    except Bad as bad:
        raise Bad(bad.code, f"record {n or 1}: {bad.text}") from None
    except FAULTS as error:
        raise Bad("altered-record", f"record {n or 1}: {type(error).__name__} {error}") from None
    require(bool(game.created), "dropped-record",
            "record 1: nothing stands where `created` belongs")  # fmt: skip
    require(game.setup is not None, "not-open", "the game was never opened")
    say += [f"{name}: note: {flag}" for flag in game.flags]
    sizes = {"record": len(game.heads) - 1, "window": len(game.closed), "signed set": game.signed,
             "roll": game.rolls}  # fmt: skip
    say.append(f"{name}: {', '.join(counted(size, one) for one, size in sizes.items())}")
    return game


def check_all(names: list[str]) -> tuple[list[str], list[str]]:
    """Everything that was named: what to say, and what was found. Raises Unreadable, OSError."""
    say: list[str] = []
    found: list[str] = []
    games: list[Game] = []
    held: list[Paper] = []
    sent: list[tuple[str, bytes]] = []
    UNCHECKED.clear()
    for name in names:
        with finding(name, found):
            data, signature, bundle = read(name)
            kind = kind_of(data)
            if kind == "mail":
                papers, data = opened(name, data)
                held += papers
                kind = "orders" if not papers else kind
            if kind == "encrypted":
                raise Unreadable(f"{name} is encrypted: {TO_OPEN}")
            if kind == "orders":
                sent.append((name, data))
            elif kind == "paper":
                held.append((name, load(data.strip(), "this file"), signature))
            elif kind == "ledger":
                games.append(check_ledger(name, data, say))
                if bundle:
                    check_bundle(bundle, games[-1], data)
    kept = _check_papers(sorted(held, key=_order), games, say, found)
    with finding("all of them together", found):
        check_orders(sent, kept[REPORT], games, say, found)
    with finding("all of them together", found):
        say += [f"note: {gap}" for gap in gaps(kept[REPORT])]
        broken = [*compare(kept[REPORT]), *compare_receipts(kept[REPORT], kept[RECEIPT])]
        broken += compare_locks(kept[REPORT], kept[LOCK])
        found += [f"{name}: {bad.code}: {bad.text}" for name, bad in broken]
    if UNCHECKED:
        size = counted(len(UNCHECKED), "signature")
        found.append(f"all of them together: cannot-verify: {size} not checked, for that "
                     "`pip install cryptography`; all the rest is")  # fmt: skip
    return say, found


def kind_of(data: bytes) -> str:
    """What a file is by its beginning. No text in JSON can look like the key of a record."""
    start = data[:100000]
    if MAIL.match(start):
        return "mail"
    if b'"prev":"' in start:
        return "ledger"
    if data[:1] != b"{" and any(mark in start for mark in ENCRYPTED):
        return "encrypted"
    if re.search(rb"(?i)BEGIN\s+ORDERS", start) and data[:1] != b"{":
        return "orders"
    return "paper" if PAPER.search(data) else "ledger"


def opened(name: str, data: bytes) -> tuple[list[Paper], bytes]:
    """The papers in a mail, each with its signature; without any the text of the orders in it.
    Raises Unreadable where a mail has neither, or is encrypted."""
    from email import message_from_bytes, policy

    groups: list[dict[str, bytes]] = [{}]  # a mail that is attached has papers of its own
    texts = [b""]
    for part in message_from_bytes(data, policy=policy.compat32).walk():
        body = part.get_payload(decode=True)
        if part.get_content_type() == "message/rfc822":
            groups.append({})
        elif isinstance(body, bytes) and part.get_filename():
            groups[-1][str(part.get_filename())] = body
        elif isinstance(body, bytes):
            texts.append(body)
    papers = [
        (f"{name} ({file})", load(body.strip(), "this file"), group.get(f"{file[:-5]}.seal"))
        for group in groups for file, body in group.items() if PAPER_FILE.fullmatch(file)
    ]  # fmt: skip
    texts += [body for group in groups for body in group.values()]
    if not papers and any(kind_of(text) == "encrypted" for text in texts):
        raise Unreadable(f"{name} is encrypted: {TO_OPEN}")
    orders = b"\n".join(text for text in texts if kind_of(text) == "orders")
    if not papers and not orders:
        raise Unreadable(f"{name} is a mail without a report, a receipt or orders in it: give one "
                         "that has them, or the files out of it")  # fmt: skip
    return papers, orders


@contextmanager
def finding(name: str, found: list[str]) -> Iterator[None]:
    """What goes wrong in here is found in that file; anything may stand anywhere in it."""
    try:
        yield
    except Bad as bad:
        found.append(f"{name}: {bad.code}: {bad.text}")
    except FAULTS as error:
        found.append(f"{name}: malformed: {type(error).__name__} {error}")


def _check_papers(
    held: list[Paper], games: list[Game], say: list[str], found: list[str]
) -> dict[str, list[tuple[str, Json]]]:
    """Each paper by itself and against the ledgers; those that hold, by their format."""
    kept: dict[str, list[tuple[str, Json]]] = {REPORT: [], RECEIPT: [], LOCK: []}
    setups: dict[str, Setup] = {}
    for name, facts, signature in held:
        with finding(name, found):
            say += [
                f"{name}: note: {note}" for note in _check_held(facts, signature, setups, games)
            ]
            kept[facts["format"]].append((name, facts))
            rolls = counted(len(facts.get("rolls", ())), "roll")
            say.append(f"{name}: {facts['side']}, window {facts['window']}: {rolls} checked")
    return kept


def _order(held: Paper) -> tuple[bool, int, str]:
    """Reports first, which bring set-up and anchors, by window."""
    name, facts, _ = held
    window = facts.get("window")
    return facts.get("format") != REPORT, window if isinstance(window, int) else 0, name


def _check_held(
    facts: Json, signature: bytes | None, setups: dict[str, Setup], games: list[Game]
) -> list[str]:
    """One report or receipt, by itself and against the ledgers that were named."""
    if facts["format"] == REPORT:
        notes = check_report(facts, signature, setups)
        learn_anchors(facts, setups[facts["setup"]["text"]])
    elif facts["format"] in (RECEIPT, LOCK):
        notes = _check_notice(facts, signature, setups, games)
    else:
        raise Bad("format", "this is neither a report nor a receipt nor a notice of a lock")
    for game in games:
        game.hold(facts)
    return notes


def _check_notice(
    facts: Json, signature: bytes | None, setups: dict[str, Setup], games: list[Game]
) -> list[str]:
    """A receipt, or the notice of a lock."""
    kind = "receipt" if facts["format"] == RECEIPT else "lock"
    own = {k: v for k, v in facts.items() if k != "digest"}
    made = digest("receipt" if kind == "receipt" else "lock-notice", plain(own)).hex()
    require(facts["digest"] == made, f"forged-{kind}", f"the {kind} is not what its digest says")
    known = [*setups.values(), *(g.setup for g in games if g.setup)]
    setup = next((s for s in known if s.game == facts["game"]), None)
    if not signature or not setup:
        return [
            "the moderator's signature is not checked: give its signature and a report beside it"
        ]
    try:
        check_signature_file(signature, kind, setup, facts, setup.facts["moderator"]["sign"])
    except Bad as bad:
        raise Bad(f"forged-{kind}", bad.text) from None
    return []


def main(names: list[str]) -> int:
    """The command line."""
    if not names or names[0] in ("-h", "--help"):
        print(__doc__)
        return 0 if names else 2
    try:
        say, found = check_all(names)
    except (OSError, Unreadable) as error:
        print(f"cannot read: {error}", file=sys.stderr)
        return 2
    print("\n".join([*say, *found]))
    held = "nothing found: all that could be checked holds"
    print(counted(len(found), "finding") if found else held)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
