"""What a player has of the referee, opened: a mail, an age file or a file out of one becomes the
object that was signed, its signature, and its other parts.

An age file proves nothing by itself: anybody can encrypt to anybody. So what was encrypted must
carry the moderator's signature, and that must be for the reader's own key.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from msgspec import Struct

from pbem.base.schema import decoded
from pbem.crypto import statements
from pbem.crypto.age import Identity
from pbem.errors import Usage
from pbem.model import Plain

KINDS: tuple[statements.Kind, ...] = ("report", "receipt", "note", "lock")
FORMATS = tuple(f"pbem-{kind}/1" for kind in KINDS)
ENDING = ".eml.age"


class Opened(Struct, frozen=True):
    """What was opened."""

    facts: Plain
    """The signed object."""
    signature: bytes | None
    """Its signature file, None where there is none."""
    kind: statements.Kind
    parts: dict[str, bytes]
    """The named files of the mail."""
    encrypted: bool = False
    """Whether it came in an age file."""


Who = Callable[[], Sequence[Identity]]


def open_mail(raw: bytes, name: str, who: Who) -> Opened:
    """What is in a file. name: what messages call it; who: asked for where it is encrypted. Raises
    Usage, BadAge."""
    from pbem.crypto.age_armour import is_encrypted

    outer = {} if raw[:1] == b"{" or is_encrypted(raw[:4096]) else attached(raw)
    encrypted = next((body for n, body in outer.items() if n.endswith(ENDING)), None)
    encrypted = raw if encrypted is None and not outer and raw[:1] != b"{" else encrypted
    if encrypted is not None and is_encrypted(encrypted):
        inner = attached(_decrypted(encrypted, who()))
        return _opened(inner, b"", name, True)
    return _opened(outer, raw, name, False)


def handed_on(found: Opened, key: bytes) -> Collection[str]:
    """The digests of the reports in an encrypted mail that a note beside them hands on to this key.
    Raises BadProof or BadSignature when that note is not the moderator's."""
    from pbem.audit import verify_report

    note = _facts(found.parts.get("note.json", b""), "note")
    if not found.encrypted or found.kind != "report" or note is None:
        return ()
    signature = found.parts.get("note.seal", b"").replace(b"\r\n", b"\n")
    return verify_report.handed_on(note, signature, found.facts, key)


def attached(raw: bytes) -> dict[str, bytes]:
    """The named parts of a mail, and its text as `text`."""
    from email import message_from_bytes, policy

    mail = message_from_bytes(raw, policy=policy.compat32)
    found: dict[str, bytes] = {}
    for part in mail.walk():
        body = part.get_payload(decode=True)
        if isinstance(body, bytes) and part.get_filename():
            found[str(part.get_filename())] = body
        elif isinstance(body, bytes) and part.get_content_type() in BODIES:
            found.setdefault(BODIES[part.get_content_type()], body)
    return found


BODIES = {"text/plain": "mail.txt", "text/html": "mail.html"}
"""What the bodies of a mail are called when they are put into files."""


def _decrypted(content: bytes, who: Sequence[Identity]) -> bytes:
    from pbem.crypto.age import BadAge, decrypt
    from pbem.crypto.age_armour import files_in

    (one, *_) = files_in(content)
    if isinstance(one, BadAge):
        raise one
    return decrypt(one, who)


def _opened(parts: dict[str, bytes], raw: bytes, name: str, encrypted: bool) -> Opened:
    for kind in KINDS:
        content = parts.get(f"{kind}.json", b"" if parts else raw)
        facts = _facts(content, kind)
        if facts is not None:
            signature = parts.get(f"{kind}.seal")
            return Opened(
                facts, signature and signature.replace(b"\r\n", b"\n"), kind, parts, encrypted
            )
    if raw[:1] == b"{":
        decoded(raw, name, "use the mail, or the files out of it")
    raise Usage(f"{name} holds no report or receipt", "use the mail, or the files out of it")


def _facts(content: bytes, kind: str) -> Plain | None:
    """The object in `content`, if it is one of that kind."""
    try:
        facts = decoded(content, kind) if content else None
    except Usage:
        return None
    return facts if isinstance(facts, dict) and facts.get("format") == f"pbem-{kind}/1" else None
