"""Parse mail inside the sandboxed child: bytes in, a Letter out.

The parser has the policy compat32: it leaves header values as they are, where the newer policies
parse each one.

Protocol: on standard input 4 bytes of length (big-endian) and the mail; on standard output 4 bytes
of length, 4 bytes of milliseconds computed so far, and JSON, `{"letter": …}` or
`{"unreadable": why}`. The end of input ends the child.
"""

from __future__ import annotations

import codecs
import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from email import message_from_bytes
from email.errors import MessageError
from email.header import decode_header
from email.message import Message
from itertools import islice
from time import process_time
from typing import BinaryIO
from unicodedata import combining, normalize

import msgspec

from pbem.inbound.letter import (
    MEMORY,
    MOST_BOUNCES,
    MOST_PARTS,
    SECONDS,
    Bounce,
    Leaf,
    Letter,
    Unreadable,
    require_simple,
)
from pbem.inbound.markup import text_of

Mail = Message
ADDRESS = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}@[A-Za-z0-9.-]{1,190}")
ID = re.compile(r"<[^<>\s]{1,200}>")
# Only these are decoded by name: Python also has codecs that are not charsets.
CHARSETS = re.compile(
    r"utf-?8|us-ascii|ascii|iso-?8859-\d+|latin-?1|windows-125\d|cp125\d|koi8-[ru]|utf-?16(le|be)?"
    r"|gb2312|gbk|gb18030|big5|shift[_-]jis|euc-(jp|kr)|iso-2022-jp"
)
ORDERS = re.compile(
    rb"(\xef\xbb\xbf)?\s*"
    rb"(BEGIN[\s>|]+(ORDERS|REVEAL|JOIN|KEYS)\b|-----BEGIN AGE |age-encryption\.org/)",
    re.IGNORECASE,
)
"""How a file for the referee begins, whatever its name and content type."""

TNEF_BEGIN = re.compile(rb"BEGIN\s+(ORDERS|REVEAL|JOIN|KEYS)\b")
TNEF_END = re.compile(rb"\bEND\s+\w+")
"""The start and the end of a file for the referee inside Outlook's winmail.dat (TNEF), which stores
files uncompressed. One pattern for both would search the rest again for every BEGIN without an END,
which takes quadratic time."""

OURS = ".pbem.invalid>"
"""How the Message-IDs of our own mails end."""

UNREADABLE_TYPES = {
    "multipart/encrypted": "it is encrypted by PGP, for somebody else",
    "application/pkcs7-mime": "it is encrypted by S/MIME, for somebody else",
    "application/x-pkcs7-mime": "it is encrypted by S/MIME, for somebody else",
}
"""Encrypted content types that the referee cannot read."""

ABSENT = re.compile(
    r"(auto(matic|mated|matische|matisch|matiskt|maattinen)?[- ]?(re(ply|sponse)|antwort|antwoord"
    r"|svar|vastaus)|out of (the )?office|abwesenheits|reponse automatique|respuesta automatica"
    r"|ris?posta automatica|odpowiedz automatyczna)\b",
    re.IGNORECASE,
)
"""How the subject of an automatic reply begins when no header field marks it as one."""

# Content-Transfer-Encoding names: one word (RFC 2045, 6.1).
CODING = re.compile(r"\s*([\w-]+)")
UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
DOCUMENTS = re.compile(
    r"\.(docx?|docm|odt|ods|rtf|pdf|pages|xlsx?|zip|7z|rar|gz|tgz)$", re.IGNORECASE
)
"""Files in which people send orders that the referee cannot read."""
RTF = b"{\\rtf"
"""How a file of formatted text begins, whatever its name and content type."""
FILES = re.compile(r"\.(txt|asc|ord|sig|eml|age)$", re.IGNORECASE)
OWN_FILE = re.compile(r"report(-\d+)?( ?\(\d+\))?\.json(\.gz)?")
"""What a report's mail brings for the tools."""
SECRET = re.compile(rb"-----BEGIN [A-Z ]{0,20}PRIVATE KEY-----|\bAGE-SECRET-KEY-1")
"""What a private key begins with, of OpenSSH and others, and of age."""
MACHINE_PRECEDENCES = {"bulk", "list", "junk", "auto_reply"}
MACHINE_HEADERS = (
    "List-Id",
    "List-Post",
    "List-Unsubscribe",
    "List-Help",
    "X-Auto-Response-Suppress",
    "X-Autoreply",
    "X-Autorespond",
    "X-Loop",
)


def open_letter(raw: bytes) -> Letter:
    """Parse a mail. Raises Unreadable.

    A byte order mark or empty lines above the header are dropped: some programs add them to a
    saved mail, and the parser would find no header below them.
    """
    require_simple(raw)
    mail = message_from_bytes(raw.removeprefix(codecs.BOM_UTF8).lstrip())
    try:
        parts = list(_parts(mail))
        bounces = tuple(islice(dict.fromkeys(_bounces(mail, parts)), MOST_BOUNCES))
        return Letter(
            sender=_address(_header(mail, "From")),
            subject=" ".join(_header(mail, "Subject").split())[:200],
            unreadable=UNREADABLE_TYPES.get(mail.get_content_type(), ""),
            to=tuple(_recipients(mail)),
            refers=tuple(_ids(mail)),
            machine=_machine(mail),
            bounces=bounces,
            documents=tuple(_documents(parts)),
            secret=any(
                isinstance(body := _body(part), bytes) and SECRET.search(body) for part in parts
            ),
            # A bounce of our own mail quotes our own order form, which must not count as orders.
            leaves=() if any(one.id.endswith(OURS) for one in bounces) else tuple(_leaves(parts)),
        )
    except (RecursionError, LookupError, AttributeError, TypeError, ValueError) as error:
        raise Unreadable(f"its parts make no sense ({type(error).__name__})") from None


def _parts(mail: Mail) -> Iterator[Mail]:
    """Walk through all parts, the mail itself first. Raises Unreadable."""
    for number, part in enumerate(mail.walk()):
        if number >= MOST_PARTS:
            raise Unreadable(f"more than {MOST_PARTS} parts")
        yield part


def _header(mail: Mail, name: str) -> str:
    """Return at most 4000 characters of a header field of any bytes; empty if absent."""
    value = mail.get(name, "")
    return str(value)[:4000] if value is not None else ""


def _address(text: str) -> str:
    """Return the address in angle brackets, else the last one in the text, in lower case."""
    inner = text[text.rfind("<") + 1 : text.rfind(">")] if "<" in text and ">" in text else text
    found = ADDRESS.findall(inner)
    return found[-1].lower() if found else ""


def _recipients(mail: Mail) -> list[str]:
    """Return at most 40 addresses it was sent to; those of the envelope first, where recorded."""
    found: list[str] = []
    for name in ("Delivered-To", "X-Original-To", "To", "Cc"):
        for value in (mail.get_all(name) or [])[:4]:
            found += ADDRESS.findall(str(value)[:4000])
    return [one.lower() for one in dict.fromkeys(found)][:40]


def _ids(mail: Mail) -> list[str]:
    """Return the last 30 Message-IDs that the mail answers (RFC 5322, 3.6.4)."""
    text = " ".join(_header(mail, name) for name in ("In-Reply-To", "References"))
    return list(dict.fromkeys(ID.findall(text)))[-30:]


def _machine(mail: Mail) -> str:
    """Return the sign that a program sent the mail, empty if there is none.

    RFC 3834 asks that automatic replies are never answered automatically, since two programs would
    answer each other for ever. Besides its `Auto-Submitted`, older signs count.
    """
    user = _address(_header(mail, "From")).partition("@")[0]
    path = _header(mail, "Return-Path").strip()
    signs = {
        "Auto-Submitted": _header(mail, "Auto-Submitted").strip().lower() not in ("", "no"),
        "Precedence": _header(mail, "Precedence").strip().lower() in MACHINE_PRECEDENCES,
        **{name: name in mail for name in MACHINE_HEADERS},
        "Return-Path: <>": "Return-Path" in mail and path in ("<>", ""),
        "our own Message-ID": OURS in _header(mail, "Message-ID"),
        "multipart/report": mail.get_content_type() == "multipart/report",  # also RFC 8098
        "Subject": bool(ABSENT.match(_without_accents(_header(mail, "Subject")).strip())),
        "From": user in ("", "mailer-daemon", "postmaster", "no-reply", "noreply"),
    }
    return next((why for why, so in signs.items() if so), "")


def _bounces(mail: Mail, parts: list[Mail]) -> Iterator[Bounce]:
    """Yield the mails that a delivery report (RFC 3464) says failed for good.

    `Action: failed` stands in the report's second part; the Message-ID in its third, which is the
    original mail or its header.
    """
    if mail.get_content_type() != "multipart/report":
        return
    if str(mail.get_param("report-type", "")).lower() != "delivery-status":
        return
    failed, status = False, ""
    for part in parts:
        kind = part.get_content_type()
        if part.get("Action", "").strip().lower() == "failed":
            failed, status = True, _header(part, "Status").strip()[:12]
        if failed and kind in ("text/rfc822-headers", "text/plain", "message/rfc822"):
            body = _body(part)
            text = body.decode("latin-1") if isinstance(body, bytes) else ""
            text += " ".join(f"Message-ID: {m.get('Message-ID', '')}" for m in _inner(part))
            for found in re.findall(r"(?i)^Message-ID:\s*(<[^<>\s]{1,200}>)", text, re.MULTILINE):
                yield Bounce(found, status)


def _body(part: Mail) -> object:
    """Return the decoded body.

    Only the first word of Content-Transfer-Encoding counts. Some programs add a blank or a comment,
    and the standard library would then leave the body encoded.
    """
    coding = CODING.match(_header(part, "Content-Transfer-Encoding"))
    if coding:
        part.replace_header("Content-Transfer-Encoding", coding[1])
    return part.get_payload(decode=True)


def _inner(part: Mail) -> list[Mail]:
    """Return the parts, or the mail, inside a part."""
    payload = part.get_payload()
    return [m for m in payload if isinstance(m, Message)] if isinstance(payload, list) else []


def _leaves(parts: list[Mail]) -> Iterator[Leaf]:
    """Yield the parts that may hold something for the referee: texts, and files that look so.

    Content types are not trusted: programs send order files as `application/octet-stream`.
    """
    for part in parts:
        if part.is_multipart():
            continue
        kind, name = part.get_content_type(), _name(part)
        body = _body(part)
        if not isinstance(body, bytes):
            continue
        if body.startswith(RTF):
            continue
        if kind.endswith("ms-tnef") and (ours := _from_tnef(body)):
            yield Leaf("file", name, _text(part, ours), ours)
        elif kind == "text/html" and not name:
            yield Leaf("html", "", text_of(_text(part, body)))
        elif kind.startswith("text/") or FILES.search(name) or _looks_ours(body):
            data = body if name or body[:4] == b"age-" else b""
            yield Leaf("file" if name else "plain", name, _text(part, body), data)


def _documents(parts: list[Mail]) -> Iterator[str]:
    """Yield the names of documents and archives, by their names or their first bytes. A report that
    was packed for the tools is none: people send it back with their orders."""
    for part in parts:
        name, body = _name(part), _body(part)
        if not isinstance(body, bytes) or part.is_multipart() or OWN_FILE.fullmatch(name):
            continue
        if body.startswith(RTF) or DOCUMENTS.search(name):
            yield name or part.get_content_type()


def _from_tnef(body: bytes) -> bytes:
    """Return the bytes from the first BEGIN to the last END after it; empty if one is missing."""
    begin = TNEF_BEGIN.search(body)
    ends = [end.end() for end in TNEF_END.finditer(body, begin.end())] if begin else []
    return body[begin.start() : ends[-1]] if begin and ends else b""


def _looks_ours(body: bytes) -> bool:
    return body.startswith(UTF16) or bool(ORDERS.match(body))


def _name(part: Mail) -> str:
    """Return a file's name. Some programs encode it as RFC 2047 forbids (section 5)."""
    return _decode_words(str(part.get_filename() or "")[:200])[:100]


def _decode_words(text: str) -> str:
    """Decode encoded words (RFC 2047); malformed ones stay as they are."""
    if "=?" in text:
        with suppress(MessageError, ValueError):
            words = decode_header(text)
            return "".join(_decoded(w, c or "") if isinstance(w, bytes) else w for w, c in words)
    return text


def _without_accents(text: str) -> str:
    """Decode a text and remove the accents of its letters."""
    return "".join(c for c in normalize("NFD", _decode_words(text)) if not combining(c))


def _text(part: Mail, body: bytes) -> str:
    """Decode a body. Its byte order mark outweighs the charset that it names."""
    return _decoded(
        body, "utf-16" if body.startswith(UTF16) else str(part.get_content_charset() or "")
    )


def _decoded(body: bytes, charset: str) -> str:
    """Decode in the named charset, else UTF-8, else Windows-1252, else ISO 8859-1, which never
    fails.

    ASCII is read as UTF-8, and ISO 8859-1 as Windows-1252, as browsers do: mails that name one
    often hold the other.
    """
    named = charset.lower()
    if named in ("us-ascii", "ascii") or not CHARSETS.fullmatch(named):
        named = "utf-8"
    for one in (named, "utf-8", "cp1252"):
        try:
            return body.decode("cp1252" if one[-6:] == "8859-1" else one).lstrip("\ufeff")
        except (LookupError, UnicodeDecodeError):
            continue
    return body.decode("latin-1")


def limit_memory() -> None:
    """Limit the child's memory, and forbid it to write files.

    Systems without `resource` rely on the parent's clock alone.
    """
    try:
        import resource
    except ImportError:
        return
    most = resource.getrlimit(resource.RLIMIT_AS)[1]  # the hard limit may be lower
    memory = MEMORY if most == resource.RLIM_INFINITY else min(MEMORY, most)
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def limit_time() -> None:
    """Limit the processor time for the next mail.

    The system counts from the child's start, so the limit moves with every mail.
    """
    try:
        import resource
    except ImportError:
        return
    soft = int(process_time()) + SECONDS + 1
    resource.setrlimit(resource.RLIMIT_CPU, (soft, resource.getrlimit(resource.RLIMIT_CPU)[1]))


def answer(raw: bytes) -> bytes:
    """Parse one mail and return the answer as JSON."""
    try:
        return msgspec.json.encode({"letter": open_letter(raw)})
    except Unreadable as error:
        return msgspec.json.encode({"unreadable": str(error)})
    except MemoryError:
        return b'{"unreadable":"it needs too much memory"}'


def serve(source: BinaryIO, sink: BinaryIO) -> None:
    """Answer mail after mail, by the module's protocol, until the input ends."""
    while len(size := source.read(4)) == 4:
        limit_time()
        verdict = answer(source.read(int.from_bytes(size, "big")))
        used = int(process_time() * 1000)
        sink.write(len(verdict).to_bytes(4, "big") + used.to_bytes(4, "big") + verdict)
        sink.flush()


def main() -> None:
    """Set the limits, then answer mails until the parent closes the pipe."""
    limit_memory()
    serve(sys.stdin.buffer, sys.stdout.buffer)
