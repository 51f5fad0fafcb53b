"""Opens mail inside the guarded child: bytes in, a Letter out. The compat32 parser alone.

Protocol: 4 bytes of length and the mail on standard input; 4 bytes of length and JSON on standard
output, `{"letter": …}` or `{"unreadable": why}`; the end of input ends the child.
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
from time import process_time
from typing import BinaryIO
from unicodedata import combining, normalize

import msgspec

from pbem.inbound.letter import (
    MEMORY,
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
CHARSETS = re.compile(
    r"utf-?8|us-ascii|ascii|iso-?8859-\d+|latin-?1|windows-125\d|cp125\d|koi8-[ru]|utf-?16(le|be)?"
    r"|gb2312|gbk|gb18030|big5|shift[_-]jis|euc-(jp|kr)|iso-2022-jp"
)
ORDERS = re.compile(
    rb"(\xef\xbb\xbf)?\s*"
    rb"(BEGIN[\s>|]+(ORDERS|REVEAL|JOIN|KEYS)\b|-----BEGIN AGE |age-encryption\.org/)",
    re.IGNORECASE,
)
"""How a file of ours begins, whatever it is called."""

PACKED = re.compile(rb"BEGIN\s+(ORDERS|REVEAL|JOIN|KEYS)\b")
PACKED_END = re.compile(rb"\bEND\s+\w+")
"""A file of ours inside Outlook's winmail.dat (TNEF), which keeps files as they are. Two patterns:
one for both would go through all that follows again for each BEGIN without an END."""

OURS = ".pbem.invalid>"
"""How the Message-IDs of our own mails end."""

LOCKED = {
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
"""How programs begin the subject when they tell of an absence and say so nowhere else."""

CODING = re.compile(r"\s*([\w-]+)")
UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
FILES = re.compile(r"\.(txt|asc|ord|sig|eml|age)$", re.IGNORECASE)
MACHINES = {"bulk", "list", "junk", "auto_reply"}
MARKS = (
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
    """Read a mail. Raises Unreadable."""
    require_simple(raw)
    mail = message_from_bytes(raw.removeprefix(codecs.BOM_UTF8).lstrip())
    try:
        parts = list(_parts(mail))
        bounces = tuple(_bounces(mail, parts))
        return Letter(
            sender=_address(_header(mail, "From")),
            subject=" ".join(_header(mail, "Subject").split())[:200],
            unreadable=LOCKED.get(mail.get_content_type(), ""),
            to=tuple(_recipients(mail)),
            refers=tuple(_ids(mail)),
            machine=_machine(mail),
            bounces=bounces,
            leaves=() if any(one.id.endswith(OURS) for one in bounces) else tuple(_leaves(parts)),
        )
    except (RecursionError, LookupError, AttributeError, TypeError, ValueError) as error:
        raise Unreadable(f"its parts make no sense ({type(error).__name__})") from None


def _parts(mail: Mail) -> Iterator[Mail]:
    for number, part in enumerate(mail.walk()):
        if number >= MOST_PARTS:
            raise Unreadable(f"more than {MOST_PARTS} parts")
        yield part


def _header(mail: Mail, name: str) -> str:
    """A header's text, whatever bytes stand in it."""
    value = mail.get(name, "")
    return str(value)[:4000] if value is not None else ""


def _address(text: str) -> str:
    """The address in angle brackets, else the last one in the text."""
    inner = text[text.rfind("<") + 1 : text.rfind(">")] if "<" in text and ">" in text else text
    found = ADDRESS.findall(inner)
    return found[-1].lower() if found else ""


def _recipients(mail: Mail) -> list[str]:
    found: list[str] = []
    for name in ("Delivered-To", "X-Original-To", "To", "Cc"):
        for value in (mail.get_all(name) or [])[:4]:
            found += ADDRESS.findall(str(value)[:4000])
    return [one.lower() for one in dict.fromkeys(found)][:40]


def _ids(mail: Mail) -> list[str]:
    text = " ".join(_header(mail, name) for name in ("In-Reply-To", "References"))
    return list(dict.fromkeys(ID.findall(text)))[-30:]


def _machine(mail: Mail) -> str:
    """Why no machine may answer (RFC 3834, and what older machines write)."""
    user = _address(_header(mail, "From")).partition("@")[0]
    path = _header(mail, "Return-Path").strip()
    signs = {
        "Auto-Submitted": _header(mail, "Auto-Submitted").strip().lower() not in ("", "no"),
        "Precedence": _header(mail, "Precedence").strip().lower() in MACHINES,
        **{name: name in mail for name in MARKS},
        "Return-Path: <>": "Return-Path" in mail and path in ("<>", ""),
        "our own Message-ID": OURS in _header(mail, "Message-ID"),
        "multipart/report": mail.get_content_type() == "multipart/report",  # RFC 8098: it was read
        "Subject": bool(ABSENT.match(_plain(_header(mail, "Subject")).strip())),
        "From": user in ("", "mailer-daemon", "postmaster", "no-reply", "noreply"),
    }
    return next((why for why, so in signs.items() if so), "")


def _bounces(mail: Mail, parts: list[Mail]) -> Iterator[Bounce]:
    """RFC 3464: the mails that a delivery report says have failed for good."""
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
    """The decoded body. Its coding is the first word that the header says: behind one that some
    program adds a blank or a remark to, the body would come as it is."""
    coding = CODING.match(_header(part, "Content-Transfer-Encoding"))
    if coding:
        part.replace_header("Content-Transfer-Encoding", coding[1])
    return part.get_payload(decode=True)


def _inner(part: Mail) -> list[Mail]:
    payload = part.get_payload()
    return [m for m in payload if isinstance(m, Message)] if isinstance(payload, list) else []


def _leaves(parts: list[Mail]) -> Iterator[Leaf]:
    for part in parts:
        if part.is_multipart():
            continue
        kind, name = part.get_content_type(), _name(part)
        body = _body(part)
        if not isinstance(body, bytes):
            continue
        if kind.endswith("ms-tnef") and (ours := _packed(body)):
            yield Leaf("file", name, _text(part, ours), ours)
        elif kind == "text/html" and not name:
            yield Leaf("html", "", text_of(_text(part, body)))
        elif kind.startswith("text/") or FILES.search(name) or _looks_ours(body):
            data = body if name or body[:4] == b"age-" else b""
            yield Leaf("file" if name else "plain", name, _text(part, body), data)


def _packed(body: bytes) -> bytes:
    """From the first BEGIN of ours to the last END behind it, empty without both."""
    begin = PACKED.search(body)
    ends = [end.end() for end in PACKED_END.finditer(body, begin.end())] if begin else []
    return body[begin.start() : ends[-1]] if begin and ends else b""


def _looks_ours(body: bytes) -> bool:
    return body.startswith(UTF16) or bool(ORDERS.match(body))


def _name(part: Mail) -> str:
    """A file's name; one in encoded words, as some programs write it, decoded."""
    return _unworded(str(part.get_filename() or "")[:200])[:100]


def _unworded(text: str) -> str:
    """The text with its encoded words (RFC 2047) decoded."""
    if "=?" in text:
        with suppress(MessageError, ValueError):
            words = decode_header(text)
            return "".join(_decoded(w, c or "") if isinstance(w, bytes) else w for w, c in words)
    return text


def _plain(text: str) -> str:
    """The text decoded, its letters without accents."""
    return "".join(c for c in normalize("NFD", _unworded(text)) if not combining(c))


def _text(part: Mail, body: bytes) -> str:
    """The body's text, whatever it says of its charset."""
    return _decoded(
        body, "utf-16" if body.startswith(UTF16) else str(part.get_content_charset() or "")
    )


def _decoded(body: bytes, charset: str) -> str:
    said = charset.lower()
    if not CHARSETS.fullmatch(said):
        said = "utf-8"
    for one in (said if said not in ("us-ascii", "ascii") else "utf-8", "utf-8", "cp1252"):
        try:
            return body.decode("cp1252" if one[-6:] == "8859-1" else one).lstrip("\ufeff")
        except (LookupError, UnicodeDecodeError):
            continue
    return body.decode("latin-1")


def limit_memory() -> None:
    """What the child may use; systems without such limits have the parent's clock alone."""
    try:
        import resource
    except ImportError:
        return
    most = resource.getrlimit(resource.RLIMIT_AS)[1]  # a poor machine may allow less
    memory = MEMORY if most == resource.RLIM_INFINITY else min(MEMORY, most)
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def limit_time() -> None:
    """A few seconds of computing for the next mail."""
    try:
        import resource
    except ImportError:
        return
    soft = int(process_time()) + SECONDS + 1
    resource.setrlimit(resource.RLIMIT_CPU, (soft, resource.getrlimit(resource.RLIMIT_CPU)[1]))


def answer(raw: bytes) -> bytes:
    """The verdict on one mail, as JSON."""
    try:
        return msgspec.json.encode({"letter": open_letter(raw)})
    except Unreadable as error:
        return msgspec.json.encode({"unreadable": str(error)})
    except MemoryError:
        return b'{"unreadable":"it needs too much memory"}'


def serve(source: BinaryIO, sink: BinaryIO) -> None:
    """Answer mail after mail until the input ends: four bytes of the verdict's length, four of the
    milliseconds computed so far, the verdict."""
    while len(size := source.read(4)) == 4:
        limit_time()
        said = answer(source.read(int.from_bytes(size, "big")))
        used = int(process_time() * 1000)
        sink.write(len(said).to_bytes(4, "big") + used.to_bytes(4, "big") + said)
        sink.flush()


def main() -> None:
    """The child's life."""
    limit_memory()
    serve(sys.stdin.buffer, sys.stdout.buffer)
