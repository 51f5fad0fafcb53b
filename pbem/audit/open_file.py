"""Decrypt and parse the referee's mail: return the signed object, its signature and other parts.

The input may be a mail, an age file, or a file out of a mail. An age file proves nothing by itself,
because anybody can encrypt to any key. Encrypted content must therefore have the moderator's
signature, and that signature must name the reader's own key.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from msgspec import Struct

from pbem.base.gzipped import ENDING as ENDING_GZ
from pbem.base.gzipped import plain_of
from pbem.base.report_json import FORMATS as REPORTS
from pbem.base.schema import decoded
from pbem.crypto import statements
from pbem.crypto.age import Identity
from pbem.errors import Usage
from pbem.model import Plain

KINDS: tuple[statements.Kind, ...] = ("report", "receipt", "note", "lock")
FORMATS: dict[str, tuple[str, ...]] = {kind: (f"pbem-{kind}/1",) for kind in KINDS}
FORMATS["report"] = REPORTS
ENDING = ".eml.age"


class Opened(Struct, frozen=True):
    """The content of an opened file."""

    facts: Plain
    """The signed object."""
    signature: bytes | None
    """Its signature file; None if there is none."""
    kind: statements.Kind
    parts: dict[str, bytes]
    """The named files of the mail."""
    encrypted: bool = False
    """Whether it came in an age file."""


Who = Callable[[], Sequence[Identity]]
"""Returns the keys to decrypt with; called only for encrypted files."""


def open_mail(raw: bytes, name: str, who: Who) -> Opened:
    """Return the content of a file. name: the file's name in messages. Raises Usage, BadAge."""
    from pbem.crypto.age_armour import is_encrypted

    raw = plain_of(raw, name)
    outer = {} if raw[:1] == b"{" or is_encrypted(raw[:4096]) else attached(raw)
    encrypted = next((body for n, body in outer.items() if n.endswith(ENDING)), None)
    encrypted = raw if encrypted is None and not outer and raw[:1] != b"{" else encrypted
    if encrypted is not None and is_encrypted(encrypted):
        inner = attached(_decrypted(encrypted, who()))
        return _opened(inner, b"", name, True)
    return _opened(outer, raw, name, False)


def forwarded_reports(found: Opened, key: bytes) -> Collection[str]:
    """Return the digests of the reports in an encrypted mail that its note forwards to this key.

    key: the reader's key in wire form. Raises BadProof or BadSignature if the note is not the
    moderator's.
    """
    from pbem.audit import verify_report

    note = _facts(found.parts.get("note.json", b""), "note")
    if not found.encrypted or found.kind != "report" or note is None:
        return ()
    signature = found.parts.get("note.seal", b"").replace(b"\r\n", b"\n")
    return verify_report.forwarded_reports(note, signature, found.facts, key)


def attached(raw: bytes) -> dict[str, bytes]:
    """Return the attachments of a mail by name, and its bodies by the names in `BODIES`."""
    from email import message_from_bytes, policy

    mail = message_from_bytes(raw, policy=policy.compat32)
    found: dict[str, bytes] = {}
    for part in mail.walk():
        body = part.get_payload(decode=True)
        if isinstance(body, bytes) and part.get_filename():
            name = str(part.get_filename())
            found[name.removesuffix(ENDING_GZ)] = plain_of(body, name)
        elif isinstance(body, bytes) and part.get_content_type() in BODIES:
            found.setdefault(BODIES[part.get_content_type()], body)
    return found


BODIES = {"text/plain": "mail.txt", "text/html": "mail.html"}
"""Content type of a body to the name of the file it is saved as."""


def _decrypted(content: bytes, who: Sequence[Identity]) -> bytes:
    """Decrypt the age file in `content`. Raises BadAge."""
    from pbem.crypto.age import BadAge, decrypt
    from pbem.crypto.age_armour import files_in

    (one, *_) = files_in(content)
    if isinstance(one, BadAge):
        raise one
    return decrypt(one, who)


def _opened(parts: dict[str, bytes], raw: bytes, name: str, encrypted: bool) -> Opened:
    """Find the signed object among the parts of a mail, or in the file itself. Raises Usage."""
    for kind in KINDS:
        content = parts.get(f"{kind}.json", b"" if parts else raw)
        facts = _facts(content, kind)
        if facts is not None:
            signature = parts.get(f"{kind}.seal")
            # Mail programs change line ends of text attachments; the signature has bare line feeds.
            return Opened(
                facts, signature and signature.replace(b"\r\n", b"\n"), kind, parts, encrypted
            )
    if raw[:1] == b"{":
        decoded(raw, name, "use the mail, or the files attached to it")
    raise Usage(
        f"{name} does not contain a report or receipt", "use the mail, or the files attached to it"
    )


def _facts(content: bytes, kind: str) -> Plain | None:
    """Return the object in `content` if it is of that kind, else None."""
    try:
        facts = decoded(content, kind) if content else None
    except Usage:
        return None
    return facts if isinstance(facts, dict) and facts.get("format") in FORMATS[kind] else None
