"""The floor under `pbem run`: what one two-sided turn costs when the rules are next to nothing.

The same class of work with no referee around it: the interpreter, the crypto, the mail parser, a
state of 300 units loaded, moved and stored, two reports as text and HTML, seven files synced.

    floor.py prepare DIR     keys, a state, two encrypted and signed mails of orders
    floor.py turn DIR        one turn as one process
    floor.py batch DIR N     N turns in one process, synced every 100; prints ms per turn
"""

from __future__ import annotations

import base64
import email
import email.message
import email.parser
import hashlib
import json
import os
import sys
import time
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

UNITS, SHOWN, EVERY = 300, 160, 100
STEPS = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))
MAIL = """From: {side}@example.org\r
To: referee@example.org\r
Subject: orders\r
MIME-Version: 1.0\r
Content-Type: multipart/mixed; boundary=BB\r
\r
--BB\r
Content-Type: text/plain\r
\r
{text}\r
--BB\r
Content-Type: text/html\r
\r
{html}\r
--BB\r
Content-Type: application/octet-stream\r
Content-Transfer-Encoding: base64\r
\r
{blob}\r
--BB--\r
"""
State = dict[str, Any]
Keys = dict[str, str]
Home = tuple[X25519PrivateKey, Ed25519PrivateKey, Keys]


def derive(shared: bytes) -> bytes:
    """The key of an encrypted message."""
    return HKDF(algorithm=hashes.SHA256(), length=32, salt=None, info=b"floor").derive(shared)


def signature(public: bytes, message: bytes) -> bytes:
    """Encrypt to a public key."""
    once, nonce = X25519PrivateKey.generate(), os.urandom(12)
    key = derive(once.exchange(X25519PublicKey.from_public_bytes(public)))
    sent = once.public_key().public_bytes_raw() + nonce
    return sent + ChaCha20Poly1305(key).encrypt(nonce, message, None)


def decrypt(private: X25519PrivateKey, encrypted: bytes) -> bytes:
    """Decrypt what `signature` made."""
    key = derive(private.exchange(X25519PublicKey.from_public_bytes(encrypted[:32])))
    return ChaCha20Poly1305(key).decrypt(encrypted[32:44], encrypted[44:], None)


def prepare(folder: Path) -> None:
    """Keys, a state, two mails."""
    folder.mkdir(parents=True, exist_ok=True)
    moderator, signer = X25519PrivateKey.generate(), Ed25519PrivateKey.generate()
    keys = {
        "moderator": moderator.private_bytes_raw().hex(),
        "sign": signer.private_bytes_raw().hex(),
    }
    units = [
        {
            "id": i,
            "side": i % 2,
            "name": f"HMS <Ship> {i}",
            "q": i % 40,
            "r": i // 40,
            "hp": 9,
            "class": "CL",
            "log": [1, 2, 3],
        }
        for i in range(UNITS)
    ]
    for side in (0, 1):
        own, box = Ed25519PrivateKey.generate(), X25519PrivateKey.generate()
        keys[f"own{side}"] = own.public_key().public_bytes_raw().hex()
        keys[f"box{side}"] = box.public_key().public_bytes_raw().hex()
        orders = json.dumps([{"u": side + 2 * i, "d": i % 6} for i in range(100)]).encode()
        blob = signature(moderator.public_key().public_bytes_raw(), own.sign(orders) + orders)
        words = "Please process the attached orders.\n" * 12
        mail = MAIL.format(
            side=side, text=words, html=words, blob=base64.encodebytes(blob).decode()
        )
        (folder / f"in{side}.eml").write_bytes(mail.encode())
    (folder / "keys.json").write_text(json.dumps(keys))
    (folder / "state.json").write_text(json.dumps({"turn": 5, "units": units}))


def attached(raw: bytes) -> bytes:
    """The attachment of a mail."""
    for part in email.message_from_bytes(raw).walk():
        if part.get_content_type() == "application/octet-stream":
            found = part.get_payload(decode=True)
            assert isinstance(found, bytes)
            return found
    raise ValueError("no attachment")


def play(state: State, orders: list[list[dict[str, int]]]) -> list[dict[str, Any]]:
    """Dummy rules: everybody moves, some that meet lose a point."""
    units, met = state["units"], dict[tuple[int, int], list[dict[str, Any]]]()
    for order in (o for side in orders for o in side):
        unit, (q, r) = units[order["u"]], STEPS[order["d"]]
        unit["q"], unit["r"] = unit["q"] + q, unit["r"] + r
    for unit in units:
        met.setdefault((unit["q"], unit["r"]), []).append(unit)
    luck = int.from_bytes(hashlib.sha256(b"%d" % state["turn"]).digest()[:8], "big")
    groups = [group for group in met.values() if len(group) > 1]
    hit = [group[0] for i, group in enumerate(groups) if luck >> i % 60 & 3 == 0]
    for unit in hit:
        unit["hp"] -= 1
    state["turn"] += 1
    return hit


def escape(text: str) -> str:
    """For HTML."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def reports(state: State, hit: list[dict[str, Any]], side: int) -> tuple[bytes, bytes]:
    """One side's report as text and as HTML."""
    seen = [u for u in state["units"] if u["side"] == side or u["hp"] < 9][:SHOWN]
    text = [f"Report of side {side}, turn {state['turn']}", ""]
    text += [f"{u['name']:<24}{u['q']:4d},{u['r']:<4d} hp {u['hp']}" for u in seen]
    text += [f"- {u['name']} met at {u['q']},{u['r']}" for u in hit]
    page = ["<!doctype html><title>Turn</title><table>"]
    page += [
        f"<tr><td>{escape(u['name'])}</td><td>{u['q']},{u['r']}</td><td>{u['hp']}</td></tr>"
        for u in seen
    ]
    page += ["</table><ul>", *(f"<li>{escape(u['name'])}</li>" for u in hit), "</ul>"]
    return "\n".join(text).encode(), "\n".join(page).encode()


def turn(moderator: Home, raw: bytes, mails: list[bytes]) -> dict[str, bytes]:
    """One turn: file names to contents."""
    private, signer, keys = moderator
    state, orders = json.loads(raw), []
    for side, mail in enumerate(mails):
        opened = decrypt(private, attached(mail))
        own = Ed25519PublicKey.from_public_bytes(bytes.fromhex(keys[f"own{side}"]))
        own.verify(opened[:64], opened[64:])
        orders.append(json.loads(opened[64:]))
    hit = play(state, orders)
    files = {"state.json": json.dumps(state, sort_keys=True, separators=(",", ":")).encode()}
    for side in (0, 1):
        text, page = reports(state, hit, side)
        files[f"{side}.txt"], files[f"{side}.html"] = text, page
        both = text + b"\0" + page
        box = bytes.fromhex(keys[f"box{side}"])
        files[f"{side}.encrypted"] = signature(box, signer.sign(both) + both)
    return files


def store(folder: Path, files: dict[str, bytes]) -> None:
    """Every file synced, renamed into place, the directory synced."""
    folder.mkdir(exist_ok=True)
    held = []
    for name, content in files.items():
        held.append(os.open(folder / f"{name}.tmp", os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o644))
        os.write(held[-1], content)
    for fd in held:
        os.fsync(fd)
        os.close(fd)
    for name in files:
        (folder / f"{name}.tmp").rename(folder / name)
    fd = os.open(folder, os.O_RDONLY)
    os.fsync(fd)
    os.close(fd)


def load(folder: Path) -> tuple[Home, bytes, list[bytes]]:
    """What `prepare` wrote."""
    keys = json.loads((folder / "keys.json").read_bytes())
    private = X25519PrivateKey.from_private_bytes(bytes.fromhex(keys["moderator"]))
    signer = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(keys["sign"]))
    mails = [(folder / f"in{side}.eml").read_bytes() for side in (0, 1)]
    return (private, signer, keys), (folder / "state.json").read_bytes(), mails


def batch(folder: Path, count: int) -> float:
    """Milliseconds a turn when `count` are played in one process and synced every 100."""
    moderator, raw, mails = load(folder)
    fd = os.open(folder / "batch", os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o644)
    begun = time.perf_counter()
    for number in range(1, count + 1):
        os.write(fd, b"".join(turn(moderator, raw, mails).values()))
        if number % EVERY == 0 or number == count:
            os.fdatasync(fd)
    took = time.perf_counter() - begun
    os.close(fd)
    return took / count * 1000


def main(command: str, folder: Path, *rest: str) -> None:
    """The three commands."""
    if command == "prepare":
        prepare(folder)
    elif command == "turn":
        store(folder / "out", turn(*load(folder)))
    else:
        print(batch(folder, int(rest[0])))


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), *sys.argv[3:])
