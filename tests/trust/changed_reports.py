"""Reports and signatures with one change each; all digests are valid."""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Callable, Mapping
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec, rsa

from pbem.admin import key_change
from pbem.base.hashing import H, canonical_json, tlv
from pbem.crypto import sshsig
from pbem.crypto.private_keys import SshKey, _ecdsa, _rsa
from tests.referee import key_of
from tests.trust.corpus import Body, Change, flip, put

FOX = key_of("fox")


def armoured(change: Callable[[sshsig.Parts], None]) -> Callable[[bytes, SshKey], bytes]:
    """The moderator's signature with some of its fields changed."""

    def made(said: bytes, key: SshKey) -> bytes:
        parts = sshsig.parse(sshsig.sign(said, key, "report@pbem"))
        change(parts)
        return sshsig.armour(parts.blob()).encode()

    return made


def field(name: str, change: Callable[[bytes], bytes]) -> Callable[[sshsig.Parts], None]:
    return lambda parts: setattr(parts, name, change(getattr(parts, name)))


def other_bits(said: bytes, key: SshKey) -> bytes:
    """Base64 whose last letter has a bit set that is no part of the bytes."""
    text = sshsig.armour(sshsig.sign(said, key, "report@pbem"))
    at = text.index("=")
    return f"{text[: at - 1]}{chr(ord(text[at - 1]) + 1)}{text[at:]}".encode()


def other_setup(change: Change) -> Change:
    """A report with a changed set-up and its valid digest."""

    def changed(report: Body) -> None:
        facts = json.loads(report["setup"]["text"])
        change(facts)
        text = canonical_json(facts)
        report["setup"] = {"text": text.decode(), "digest": H("setup", text).hex()}

    return changed


def too_small(facts: Body) -> None:
    facts["modulus"] = facts["modulus"][:-2]


def even(facts: Body) -> None:
    facts["modulus"] = facts["modulus"][:-1] + "e"


def rekeyed(new: str, proof: Callable[[bytes], bytes], old: str = "") -> Change:
    """A report with a change of keys signed by the fox.

    new: public line of the new key; proof: makes the signature of the new key; old: the name of
    the signing key, if another than the fox's.
    """

    def change(report: Body) -> None:
        facts = {
            "setup": report["setup"]["digest"],
            "window": 1,
            "side": "fox",
            "anchor": "",
            "old": old or key_change.key_name(FOX.wire),
            "key": new,
        }
        said = statement(facts)
        mine = sshsig.bare(sshsig.sign(said, FOX, "keys@pbem")).hex()
        one = {"why": "change", "from": 1, "signature": mine, "proof": proof(said).hex()}
        report["keys"] = {"fox": [{k: facts[k] for k in ("window", "old", "key")} | one]}

    return change


def statement(facts: Mapping[str, Any]) -> bytes:
    """The text that both keys sign."""
    new = key_change.key_name(b64decode(facts["key"].split()[1]))
    return f"keys {facts['setup']} 1 fox {facts['old']} {new} - -".encode()


CURVE = _ecdsa(ec.derive_private_key(4711, ec.SECP256R1()))
SHORT = _rsa(rsa.generate_private_key(65537, 1024))


def reworked(change: Callable[[bytes, bytes], bytes]) -> Callable[[bytes], bytes]:
    """An ECDSA signature whose two numbers are encoded differently."""

    def proof(said: bytes) -> bytes:
        parts = sshsig.parse(sshsig.sign(said, CURVE, "keys@pbem"))
        kind, rest = sshsig.read_field(parts.signature)
        r, rest = sshsig.read_field(sshsig.read_field(rest)[0])
        parts.signature = tlv(kind) + tlv(change(r, sshsig.read_field(rest)[0]))
        return parts.blob()

    return proof


REPORTS: list[tuple[Change, str]] = [
    (put("rolls", 0, "dice", value=[9]), "altered-roll"),
    (flip("rolls", 0, "proof"), "proof"),
    (put("rolls", 0, "proof", value="00" * 384), "proof-range"),
    (lambda b: put("rolls", 0, "proof", value=b["rolls"][0]["proof"][2:])(b), "not-hex"),
    (put("rolls", 0, "proof", value=""), "no-proof"),
    (put("rolls", 0, "window", value=77), "rolled-twice"),
    (lambda b: b["rolls"].append(b["rolls"][0]), "rolled-twice"),
    (put("rolls", 0, "label", value="NOISE/TWIG/-/FOX/1/2D6"), "proof"),
    (put("rolls", 0, "label", value="NOISE/TWIG/-/fox/1/1D6"), "label"),
    (flip("seed", "links", "fox"), "bad-link"),
    (put("seed", "links", "fox", value="ab"), "not-hex"),
    (lambda b: b.pop("seed"), "malformed"),
    (put("seed", "links", value={}), "no-seed"),
    (put("seed", "links", "fox", value=""), "proof"),
    (put("seed", "window", value=0), "no-seed"),
    (put("seed", "window", value=99), "window"),
    (lambda b: b.update(window=5001, seed=b["seed"] | {"window": 5000}), "bad-link"),
    (put("dice_mode", value="seeded"), "setup"),
    (put("side", value="badger"), "setup"),
    (put("moderator", "sign", value="ssh-ed25519 AAAA"), "setup"),
    (flip("setup", "digest"), "setup"),
    (lambda b: put("setup", "text", value=b["setup"]["text"] + " ")(b), "not-canonical"),
    (other_setup(lambda s: s["roots"].pop()), "dice-key"),
    (other_setup(too_small), "dice-key"),
    (other_setup(even), "dice-key"),
    (other_setup(flip("roots", 3)), "dice-key"),
    (rekeyed(sshsig.public_line(CURVE.wire), lambda _: bytes(64)), "bad-keys"),
    (
        rekeyed(sshsig.public_line(CURVE.wire), reworked(lambda r, s: tlv(r) + tlv(b"\0" + s))),
        "bad-keys",
    ),
    (
        rekeyed(sshsig.public_line(CURVE.wire), reworked(lambda r, s: tlv(r) + tlv(s) + b"x")),
        "bad-keys",
    ),
    (
        rekeyed(sshsig.public_line(SHORT.wire), lambda said: sshsig.sign(said, SHORT, "keys@pbem")),
        "key-form",
    ),
    (rekeyed("ssh-ed25519 AAAA", lambda _: b""), "key-form"),
    (rekeyed(sshsig.public_line(CURVE.wire), lambda _: b"", old="00" * 32), "bad-keys"),
]
"""Changes of a report, and the expected code."""

SIGNATURES: dict[str, tuple[Callable[[bytes, SshKey], bytes], str]] = {
    "nothing": (lambda said, key: b"good morning\n", "signature"),
    "loose base64": (other_bits, "signature"),
    "no signature": (lambda said, key: sshsig.armour(bytes(99)).encode(), "signature"),
    "a receipt's": (
        lambda said, key: sshsig.armour(sshsig.sign(said, key, "receipt@pbem")).encode(),
        "signature",
    ),
    "a player's": (
        lambda said, key: sshsig.armour(sshsig.sign(said, FOX, "report@pbem")).encode(),
        "signature",
    ),
    "of another text": (
        lambda said, key: sshsig.armour(sshsig.sign(b"x", key, "report@pbem")).encode(),
        "signature",
    ),
    "cut": (
        lambda said, key: sshsig.armour(sshsig.sign(said, key, "report@pbem")[:-9]).encode(),
        "signature",
    ),
    "with more after it": (armoured(field("signature", lambda x: x + b"x")), "signature"),
    "of another type": (
        armoured(field("signature", lambda x: tlv(b"rsa-sha2-512") + tlv(x[-64:]))),
        "signature",
    ),
    "of another hash": (armoured(field("algorithm", lambda x: b"md5")), "signature"),
}
"""What follows the statement instead of a valid signature, and the expected code."""
