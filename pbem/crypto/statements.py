"""Statements: the one line that the moderator signs for a report, receipt, lock or note.

A statement names one object by game, window, side and digest, so it cannot be used for another. Its
file holds the statement on the first line, then the signature over that line in SSH armour, so that
`ssh-keygen -Y verify` can check it too. Bytes: docs/formats.md, "Statements".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from pbem.crypto.sshsig import BadSignature, PrivateKey, armour, dearmour, sign, verify, wire_key

Kind = Literal["report", "receipt", "lock", "note"]
NOBODY = "-"
"""Stands for the side in a receipt to an unknown sender."""
NO_GAME = "0" * 64
"""Stands for G0 before the game is open."""


def statement(kind: Kind, g0: str, facts: Mapping[str, object]) -> bytes:
    """Return `KIND G0 WINDOW SIDE DIGEST` and a line feed.

    g0: in hex, empty before the game is open; facts: the object with its digest.
    """
    side = facts["side"] or NOBODY
    return f"{kind} {g0 or NO_GAME} {facts['window']} {side} {facts['digest']}\n".encode("ascii")


def signed(kind: Kind, g0: str, facts: Mapping[str, object], key: PrivateKey) -> bytes:
    """Return the content of a statement file. facts: the object with its digest."""
    line = statement(kind, g0, facts)
    return line + armour(sign(line, key, f"{kind}@pbem")).encode("ascii")


def check(content: bytes, kind: Kind, g0: str, facts: Mapping[str, object], moderator: str) -> None:
    """Raise BadSignature unless the statement file `content` signs exactly this object.

    facts: the object with its digest; moderator: the moderator's public key line.
    """
    line = statement(kind, g0, facts)
    # Mail may have changed the line ends of the attachment, but not what it says.
    first, line_end, rest = content.replace(b"\r\n", b"\n").partition(b"\n")
    if first + line_end != line:
        raise BadSignature("signature", f"the statement is not of this {kind}")
    verify(line, dearmour(rest), f"{kind}@pbem", {wire_key(moderator): kind})
