"""Compare what one side receives in two games that look the same to it.

Values that depend on hidden facts by design (heads, digests, locks, signatures, ids made from them)
are compared by length only. It works for any rule system.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from contextlib import suppress
from email import message_from_bytes, policy
from email.message import Message
from itertools import zip_longest

from pbem.crypto.age import VERSION, decrypt
from pbem.lint.difference import first_difference
from tests.encryption import identity_of
from tests.referee import Referee, key_of

_HEX = re.compile(
    rb"[0-9a-f]{16,}|\b[0-9a-f]{8}(?:\s+[0-9a-f]{8})+\b"
    rb"|(?<=%20|%0A)[0-9a-f]{8}(?:(?:%20|%0D%0A)+[0-9a-f]{8})+"
)
_SIGNATURE = re.compile(
    rb"(?s)-----BEGIN SSH SIGNATURE-----.*?-----END SSH SIGNATURE-----|BEGIN SEAL.*?END SEAL"
)
Artefacts = dict[str, bytes]


def masked(content: bytes) -> bytes:
    """Replace digests and signatures by `#` of the same length."""
    unsigned = _SIGNATURE.sub(lambda found: re.sub(rb"[A-Za-z0-9+/=]", b"#", found[0]), content)
    return _HEX.sub(lambda found: re.sub(rb"[0-9a-f]", b"#", found[0]), unsigned)


def artefacts(referee: Referee, side: str) -> Artefacts:
    """All files that the referee makes for one side: name, size and masked content of each."""
    found: Artefacts = {}
    for path in sorted((referee.folder / "reports" / side).rglob("*")):
        if path.is_file():
            found |= opened(
                f"reports/{path.relative_to(referee.folder / 'reports' / side)}",
                path.read_bytes(),
                side,
            )
    for path in sorted((referee.folder / "outbox").glob(f"{side}-*")):
        found |= opened(f"outbox/{path.name}", path.read_bytes(), side)
    return found


def opened(name: str, content: bytes, side: str = "") -> Artefacts:
    """The masked content of a file. A mail is split into headers and decoded parts; an encrypted
    part gives its length, and its content decrypted with the side's key."""
    found = {f"{name} size": b"%d" % len(content)}
    if not name.endswith(".eml"):
        return found | {name: masked(content)}
    mail = message_from_bytes(content, policy=policy.compat32)
    for i, part in enumerate(mail.walk()):
        found[f"{name} headers {i}"] = masked(_headers(part))
        body = part.get_payload(decode=True)
        if isinstance(body, bytes) and body.startswith(VERSION):
            found[f"{name} part {i}"] = b"%d encrypted bytes" % len(body)
            inner = decrypt(body, [identity_of(key_of(side))])
            found |= opened(f"{name} inside.eml", inner, side)
        elif isinstance(body, bytes):
            found[f"{name} part {i}"] = masked(body)
    return found


def _headers(part: Message) -> bytes:
    return "\n".join(f"{k}: {v}" for k, v in part.items()).encode()


def differences(one: Artefacts, other: Artefacts) -> list[str]:
    """The artefacts that differ, sorted, each with the first place at which it does."""
    return sorted(
        f"{name}: {where(one.get(name, b''), other.get(name, b''))}"
        for name in one.keys() | other.keys()
        if one.get(name) != other.get(name)
    )


def where(one: bytes, other: bytes) -> str:
    """The first place at which two artefacts differ, and what each has there: the path in JSON
    (`$.units[0].place`), else the line. Empty if they are equal."""
    if one == other:
        return ""
    with suppress(ValueError):
        return first_difference(json.loads(one), json.loads(other))
    lines = zip_longest(one.splitlines(), other.splitlines(), fillvalue=b"(no line)")
    for number, (here, there) in enumerate(lines, 1):
        if here != there:
            return f"line {number}: {_around(here, there)!r} and {_around(there, here)!r}"
    return "the ends of its lines"


def what_differs(one: Sequence[bytes], other: Sequence[bytes]) -> list[str]:
    """The artefacts of two worlds that differ, by number, each with the first place at which it
    does; empty if a side cannot tell the worlds apart."""
    pairs = zip_longest(one, other, fillvalue=b"(no artefact)")
    return [f"artefact {n}: {where(*pair)}" for n, pair in enumerate(pairs) if pair[0] != pair[1]]


def _around(line: bytes, other: bytes) -> bytes:
    """The part of a line where it begins to differ from another."""
    at = next((i for i, (a, b) in enumerate(zip(line, other, strict=False)) if a != b), 0)
    return line[max(0, at - 30) : at + 50]
