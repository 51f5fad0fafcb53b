"""Compare what one side receives in two games that look the same to it.

Values that depend on hidden facts by design (heads, digests, locks, signatures, ids made from them)
are compared by length only. It works for any rule system.
"""

from __future__ import annotations

from email import message_from_bytes, policy
from email.message import Message
from functools import lru_cache

from pbem.base.gzipped import gzipped, plain_of
from pbem.crypto.age import VERSION, decrypt
from pbem.testing.texts import masked
from pbem.testing.worlds import what_differs, where
from tests.encryption import identity_of
from tests.referee import Referee, key_of

Artefacts = dict[str, bytes]


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
    return {f"{name}{part}": text for part, text in _opened(content, name.endswith(".eml"), side)}


@lru_cache(maxsize=4096)
def _opened(content: bytes, is_mail: bool, side: str) -> tuple[tuple[str, bytes], ...]:
    """What to add to the name of a file, and what it stands for."""
    found = [(" size", b"%d" % len(content))]
    if not is_mail:
        return (*found, ("", masked(content)))
    mail = message_from_bytes(content, policy=policy.compat32)
    # Of the size of gzip what is in it counts: digests of one length are not packed to one length.
    # Nothing hides in that size, for a packed file is gzip of what its reader reads, and of no more
    # (`require_canonical`). An encrypted mail around it is compared with its whole length, which is
    # padded: digests change gzip by less than a step.
    packed = [p for p in mail.walk() if p.get_content_type() == "application/gzip"]
    if packed:
        sizes = [len("".join(str(p.get_payload()).split())) for p in packed]
        rest = len(b"".join(content.split())) - sum(sizes)
        found = [(" size", b"%d besides what is packed" % rest)]
    for i, part in enumerate(mail.walk()):
        found.append((f" headers {i}", masked(_headers(part))))
        body = part.get_payload(decode=True)
        if isinstance(body, bytes) and body.startswith(VERSION):
            found.append((f" part {i}", b"%d encrypted bytes" % len(body)))
            inner = decrypt(body, [identity_of(key_of(side))])
            inside = _opened(inner, is_mail=True, side=side)
            found += [(f" inside.eml{name}", text) for name, text in inside]
        elif isinstance(body, bytes):
            if part in packed:
                require_canonical(body)
            found.append((f" part {i}", masked(plain_of(body, f"part {i}"))))
    return tuple(found)


def require_canonical(packed: bytes) -> None:
    """Raise AssertionError unless a gzip file is what `gzipped` makes of its content: then neither
    its length nor a byte of it depends on anything else."""
    plain = plain_of(packed, "a packed part")
    assert gzipped(plain) == packed, "a packed part holds more than its content, or other gzip"


def _headers(part: Message) -> bytes:
    return "\n".join(f"{k}: {v}" for k, v in part.items()).encode()


def differences(one: Artefacts, other: Artefacts) -> list[str]:
    """The artefacts that differ, sorted, each with the first place at which it does."""
    return sorted(
        f"{name}: {where(one.get(name, b''), other.get(name, b''))}"
        for name in one.keys() | other.keys()
        if one.get(name) != other.get(name)
    )


__all__ = ["Artefacts", "artefacts", "differences", "masked", "opened", "what_differs", "where"]
