"""Public bundles with one part changed, removed or added."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable
from io import BytesIO
from zipfile import ZipFile, ZipInfo

from cryptography.hazmat.primitives.asymmetric import rsa

from pbem.crypto.private_keys import _rsa
from pbem.crypto.sshsig import public_line
from pbem.dice import dicekey
from tests.referee import key_of

Members = list[tuple[str, bytes]]
Attack = Callable[[Members], Members]
NAMES = ("README.txt", "dice.pem", "ledger.jsonl", "moderator.pub", "reports.json", "setup.json")


def members(bundle: bytes) -> Members:
    """Names and contents of a bundle, in order."""
    with ZipFile(BytesIO(bundle)) as packed:
        return [(one.filename, packed.read(one)) for one in packed.infolist()]


def packed(found: Members) -> bytes:
    """A zip of these members, with any names, which may occur more than once."""
    out = BytesIO()
    with ZipFile(out, "w") as zipped, warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # about duplicate names
        for name, content in found:
            zipped.writestr(ZipInfo(name), content)
    return out.getvalue()


def without(name: str) -> Attack:
    return lambda found: [one for one in found if not one[0].endswith(f"/{name}")]


def changed(name: str, change: Callable[[bytes], bytes]) -> Attack:
    def attack(found: Members) -> Members:
        made = [(n, change(c) if n.endswith(f"/{name}") else c) for n, c in found]
        assert made != found
        return made

    return attack


def also(name: str, content: bytes = b"x") -> Attack:
    return lambda found: [*found, (name, content)]


def renamed(change: Callable[[str], str]) -> Attack:
    return lambda found: [(change(name), content) for name, content in found]


def redigested(change: Callable[[dict[str, dict[str, str]]], object]) -> Attack:
    """A bundle whose `reports.json` has other digests."""

    def again(content: bytes) -> bytes:
        said = json.loads(content)
        change(said)
        return json.dumps(said, indent=1).encode() + b"\n"

    return changed("reports.json", again)


def zeroed(said: dict[str, dict[str, str]]) -> None:
    said.update({w: dict.fromkeys(sides, "0" * 64) for w, sides in said.items()})


def swapped(said: dict[str, dict[str, str]]) -> None:
    said["1"]["fox"], said["1"]["hunter"] = said["1"]["hunter"], said["1"]["fox"]


def other_key(content: bytes) -> bytes:
    return dicekey.pem(rsa.generate_private_key(65537, 2048))


def renumbered(at: int, change: Callable[[list[int]], int]) -> Attack:
    """A bundle with another value for one of the nine numbers of the dice key."""

    def again(content: bytes) -> bytes:
        numbers = dicekey.numbers(content)
        numbers[at] = change(numbers)
        return in_pem(numbers)

    return changed("dice.pem", again)


def in_pem(numbers: list[int]) -> bytes:
    """A PKCS#1 file of these numbers."""
    from base64 import b64encode

    inner = b"".join(
        der(2, n.to_bytes(n.bit_length() // 8 + 1, "big", signed=True)) for n in numbers
    )
    text = b64encode(der(0x30, inner)).decode()
    lines = [text[i : i + 64] for i in range(0, len(text), 64)]
    kind = "RSA PRIVATE KEY"
    return "\n".join([f"-----BEGIN {kind}-----", *lines, f"-----END {kind}-----", ""]).encode()


def der(tag: int, content: bytes) -> bytes:
    size = len(content)
    packed = size.to_bytes((size.bit_length() + 7) // 8 or 1, "big")
    return bytes([tag]) + (packed if size < 128 else bytes([128 + len(packed)]) + packed) + content


STRANGER = public_line(key_of("stranger").wire).encode() + b"\n"
RSA = public_line(_rsa(rsa.generate_private_key(65537, 2048)).wire).encode() + b"\n"

ATTACKS: dict[str, tuple[Attack, str]] = {
    **{f"no {name}": (without(name), name) for name in NAMES if name != "ledger.jsonl"},
    **{
        f"{name} emptied": (changed(name, lambda _: b""), name)
        for name in NAMES
        if name not in ("ledger.jsonl", "README.txt")
    },
    **{f"{name} twice": (also(f"g1/{name}"), name) for name in NAMES},
    "another set-up": (
        changed("setup.json", lambda c: c.replace(b"fast", b"hand", 1)),
        "setup.json",
    ),
    "a set-up with white space": (changed("setup.json", lambda c: c + b"\n"), "setup.json"),
    "another moderator": (changed("moderator.pub", lambda _: STRANGER), "moderator.pub"),
    "an RSA moderator": (changed("moderator.pub", lambda _: RSA), "moderator.pub"),
    "two moderators": (changed("moderator.pub", lambda c: c + STRANGER), "moderator.pub"),
    "reports zeroed": (redigested(zeroed), "reports.json"),
    "reports swapped": (redigested(swapped), "reports.json"),
    "a window left out": (redigested(lambda said: said.pop("1")), "reports.json"),
    "a side left out": (redigested(lambda said: said["1"].pop("fox")), "reports.json"),
    "a window put in": (redigested(lambda said: said.update({"99": said["1"]})), "reports.json"),
    "a window twice": (
        changed("reports.json", lambda c: c.replace(b"{", b'{"1": {"fox": ""},', 1)),
        "reports.json",
    ),
    "reports as a list": (changed("reports.json", lambda _: b"[]"), "reports.json"),
    "reports too deep": (changed("reports.json", lambda _: b"[" * 99999), "reports.json"),
    "another dice key": (changed("dice.pem", other_key), "dice.pem"),
    "a dice key cut": (changed("dice.pem", lambda c: c[:900]), "dice.pem"),
    "another version": (renumbered(0, lambda n: 1), "dice.pem"),
    "another modulus": (renumbered(1, lambda n: n[1] + 2), "dice.pem"),
    "a negative modulus": (renumbered(1, lambda n: n[1] - (1 << 3072)), "dice.pem"),
    "another exponent": (renumbered(2, lambda n: 3), "dice.pem"),
    "another private exponent": (renumbered(3, lambda n: n[3] + 2), "dice.pem"),
    "a private exponent of 0": (renumbered(3, lambda n: 0), "dice.pem"),
    "a prime that is not one": (renumbered(4, lambda n: 1), "dice.pem"),
    "another prime": (renumbered(5, lambda n: n[5] + 2), "dice.pem"),
    "other rests": (renumbered(6, lambda n: n[6] + 2), "dice.pem"),
    "another inverse": (renumbered(8, lambda n: n[8] + 1), "dice.pem"),
    "another folder": (renamed(lambda name: name.replace("g1/", "g2/")), "g2"),
    "no folder": (renamed(lambda name: name[3:]), "README.txt"),
    "two folders": (also("g2/setup.json"), "g2/setup.json"),
    "a second ledger": (also("g2/ledger.jsonl"), "g2/ledger.jsonl"),
    "a ledger after the first": (also("g1/old/ledger.jsonl"), "g1/old/ledger.jsonl"),
    "something more": (also("g1/verify.py"), "g1/verify.py"),
    "a way out": (also("g1/../../.bashrc"), "g1/../../.bashrc"),
    "a way out, backwards": (also("g1\\..\\x"), "g1"),
    "the top": (also("/etc/passwd"), "/etc/passwd"),
    "another case": (also("g1/SETUP.JSON"), "SETUP.JSON"),
}
"""Changes of a bundle of a fast game g1, and the part that both checkers name."""
