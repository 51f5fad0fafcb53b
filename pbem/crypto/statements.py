"""What the moderator signs: reports and receipts, by a statement that names one of them alone.

A signature is a file: the statement on its first line, then the signature over that line in SSH
armour, so that `ssh-keygen -Y verify` checks it too. Bytes: docs/formats.md, "Statements".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from pbem.crypto.sshsig import BadSignature, PrivateKey, armour, dearmour, sign, verify, wire_key

Kind = Literal["report", "receipt", "lock", "note"]
NOBODY = "-"
NO_GAME = "0" * 64


def statement(kind: Kind, g0: str, facts: Mapping[str, object]) -> bytes:
    """`report G0 WINDOW SIDE DIGEST` and a line feed. g0: empty before the game is open."""
    side = facts["side"] or NOBODY
    return f"{kind} {g0 or NO_GAME} {facts['window']} {side} {facts['digest']}\n".encode("ascii")


def signed(kind: Kind, g0: str, facts: Mapping[str, object], key: PrivateKey) -> bytes:
    """The signature of a report or receipt. facts: the object with its digest."""
    said = statement(kind, g0, facts)
    return said + armour(sign(said, key, f"{kind}@pbem")).encode("ascii")


def check(content: bytes, kind: Kind, g0: str, facts: Mapping[str, object], moderator: str) -> None:
    """Raise BadSignature unless `content` signs exactly this. moderator: his public key
    line."""
    said = statement(kind, g0, facts)
    first, line_end, rest = content.replace(b"\r\n", b"\n").partition(b"\n")
    if first + line_end != said:
        raise BadSignature("signature", f"the signature is of something else than this {kind}")
    verify(said, dearmour(rest), f"{kind}@pbem", {wire_key(moderator): kind})
