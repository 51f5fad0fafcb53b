"""The parts of a mail that all programs make: text and files encoded, lines quoted and wrapped."""

from __future__ import annotations

import quopri
import re
import textwrap
from base64 import b64encode, encodebytes
from collections.abc import Callable, Sequence
from email import message_from_bytes
from html import escape

from msgspec import Struct


class Note(Struct, frozen=True):
    """What somebody wrote. answers: the mail that is replied to, whole; files: name to content;
    forwards: whether the text came in an earlier mail that is passed on."""

    side: str
    text: str
    subject: str = "my orders"
    answers: bytes = b""
    files: Sequence[tuple[str, bytes]] = ()
    forwards: bool = False
    number: int = 1

    @property
    def quoted(self) -> str:
        """The page that is replied to, as text."""
        return text_in(self.answers) if self.answers else ""

    @property
    def head(self) -> list[str]:
        """From, To, Subject, and what threads a reply."""
        begin = "Re: " if self.answers else "Fwd: " if self.forwards else ""
        lines = [
            f"From: The {self.side.title()} <{self.side}@example.org>",
            "To: games@example.org",
            f"Subject: {begin}{self.subject}",
        ]
        if self.answers:
            mark = message_from_bytes(self.answers)["Message-ID"]
            lines += [f"In-Reply-To: {mark}", f"References: {mark}"]
        return lines


Program = Callable[[Note], bytes]


def text_in(mail: bytes) -> str:
    """The plain text of a mail."""
    for part in message_from_bytes(mail).walk():
        body = part.get_payload(decode=True)
        if part.get_content_type() == "text/plain" and isinstance(body, bytes):
            return body.decode().replace("\r\n", "\n")
    return ""


def leaf(kind: str, content: str | bytes, coding: str = "7bit", *more: str) -> bytes:
    """A part. content: text is encoded as its charset says, UTF-8 by habit."""
    charset = "cp1252" if "1252" in kind or "8859-1" in kind else "utf-8"
    raw = content.encode(charset, "replace") if isinstance(content, str) else content
    if coding == "base64":
        raw = encodebytes(raw)
    elif coding == "quoted-printable":
        raw = quopri.encodestring(raw)
    head = [f"Content-Type: {kind}", f"Content-Transfer-Encoding: {coding}", *more]
    return "\n".join(head).encode() + b"\n\n" + raw


def files_of(note: Note, kind: str, *head: str, text_as: str = "") -> list[bytes]:
    """A part for each file of the note.

    kind, head: headers that may hold {name}, {word} (the name by RFC 2047), {type}, {size} and
    {number}; text_as: the encoding of text files, by a program that looks into its files.
    """
    parts = []
    for number, (name, content) in enumerate(note.files):
        known = {
            "name": name,
            "word": word(name),
            "type": bare_kind(name) if text_as else kind_of(name),
            "size": len(content),
            "number": number,
        }
        coding = text_as if text_as and bare_kind(name) == "text/plain" else "base64"
        more = [line.format_map(known) for line in head]
        parts.append(leaf(kind.format_map(known), content, coding, *more))
    return parts


def several(kind: str, mark: str, parts: Sequence[bytes]) -> bytes:
    edge = mark.encode()
    inner = b"".join(b"--" + edge + b"\n" + part + b"\n" for part in parts)
    return (
        f'Content-Type: multipart/{kind}; boundary="{mark}"\n\n'.encode()
        + inner
        + (b"--" + edge + b"--\n")
    )


def posted(note: Note, body: bytes, *more: str) -> bytes:
    """The mail as it arrives: the transport's headers, the program's, the parts."""
    head = [
        f"Return-Path: <{note.side}@example.org>",
        "Delivered-To: games@example.org",
        "Received: from mx.example.org (mx.example.org [192.0.2.7])\n\tby mail.example.org with "
        "ESMTPS id 4Xyz12\n\tfor <games@example.org>; Fri, 20 Nov 2026 13:00:01 +0000 (UTC)",
        "Date: Fri, 20 Nov 2026 13:00:00 +0000",
        *note.head,
        "MIME-Version: 1.0",
        *more,
    ]
    return ("\n".join(head) + "\n").encode().replace(b"\n", b"\r\n") + re.sub(
        b"\r?\n", b"\r\n", body
    )


def quote(text: str, mark: str = "> ") -> str:
    return "".join(f"{mark}{line}".rstrip() + "\n" for line in text.splitlines())


def wrapped(text: str, width: int) -> str:
    lines = (
        textwrap.wrap(line, width, break_long_words=False) or [""] for line in text.split("\n")
    )
    return "\n".join("\n".join(some) for some in lines)


def flowed(text: str, width: int = 72) -> str:
    """RFC 3676: a space at the end of a line says that it goes on."""
    out = []
    for line in text.split("\n"):
        stuffed = " " + line if line.startswith((" ", ">", "From ")) else line.rstrip()
        out.append(" \n".join(textwrap.wrap(stuffed, width, break_long_words=False) or [""]))
    return "\n".join(out)


def divs(text: str, tag: str = "div", attributes: str = "") -> str:
    """A paragraph for each line, runs of spaces kept by no-break ones."""
    rows = []
    for line in text.split("\n"):
        kept = escape(line, quote=False).replace("  ", "&nbsp; ")
        rows.append(f"<{tag}{attributes}>{kept or '<br>'}</{tag}>")
    return "".join(rows)


def smart(text: str) -> str:
    """Quotes and dashes as word processors set them."""
    return text.replace("'", "\u2019").replace('"', "\u201c").replace(" - ", " \u2013 ")


def kind_of(name: str) -> str:
    return 'text/plain; charset="US-ASCII"' if name.endswith(".txt") else "application/octet-stream"


def bare_kind(name: str) -> str:
    """A program that looks into files finds that the signature is text too."""
    return "application/octet-stream" if name.endswith(".age") else "text/plain"


def word(name: str) -> str:
    """A file's name as RFC 2047 has it for other headers."""
    return f'"=?UTF-8?B?{b64encode(name.encode()).decode()}?="'
