"""Mails with the kinds of trouble that real mail has, of our own making: what breaks rules, what
is legal and rarely seen, what machines on the way have added, cut or returned.

Each is a function from a signed order file to the bytes that arrive.
"""

from __future__ import annotations

import quopri
from base64 import b64encode, encodebytes
from collections.abc import Callable, Mapping, Sequence
from html import escape

Trouble = Callable[[str], bytes]

FROM = (
    "From: The Fox <fox@example.org>",
    "To: games@example.org",
    "Subject: my orders",
    "Message-ID: <1@players.example>",
    "Date: Fri, 20 Nov 2026 13:00:00 +0000",
)
PLAIN = "Content-Type: text/plain; charset=utf-8"
HTML = "Content-Type: text/html; charset=utf-8"
CODING = "Content-Transfer-Encoding:"
BASE64 = f"{CODING} base64"
QUOTED = f"{CODING} quoted-printable"


def mail(body: bytes | str, *head: str, first: Sequence[str] = ()) -> bytes:
    """A mail; `first` stands above what every mail has."""
    content = body.encode() if isinstance(body, str) else body
    lines = "\n".join([*first, *FROM, "MIME-Version: 1.0", *head])
    return lines.encode("utf-8", "surrogateescape") + b"\n\n" + content


def packed(text: str) -> bytes:
    return encodebytes(text.encode())


def many(kind: str, edge: str, parts: Sequence[bytes], end: str = "--", **more: str) -> bytes:
    """The parts below a head of their own, as the body of a mail or of a part. end: of the last
    boundary."""
    inner = b"".join(b"--%s\n%s\n" % (edge.encode(), part) for part in parts)
    said = "".join(f'; {name.replace("_", "-")}="{value}"' for name, value in more.items())
    head = f'Content-Type: multipart/{kind}; boundary="{edge}"{said}\n\n'
    last = b"--%s%s\n" % (edge.encode(), end.encode()) if end else b""
    return head.encode() + inner + last


def part(body: bytes | str, *head: str) -> bytes:
    content = body.encode() if isinstance(body, str) else body
    return "\n".join(head).encode() + b"\n\n" + content


def wrapped(body: bytes, *first: str) -> bytes:
    """A mail whose type stands in `body`, as `many` makes it."""
    return "\n".join([*first, *FROM, "MIME-Version: 1.0"]).encode() + b"\n" + body


def page(text: str) -> str:
    return "".join(f"<p>{escape(line)}" for line in text.splitlines())


# Pages


def as_page(before: str, after: str = "") -> Trouble:
    """The orders as a page; most pages that programs send are in quoted-printable."""
    return lambda text: mail(
        quopri.encodestring((before + page(text) + after).encode()), HTML, QUOTED
    )


PAGES = {
    "a head without its end, then body": as_page(
        "<html><head><title>x</title><meta charset=utf-8><body>", "</body></html>"
    ),
    "a head without its end and no body": as_page("<html><head><title>x</title>"),
    "a head whose text begins the body": as_page("<head>Here they are:<br>"),
    "no html, head or body": as_page("<!DOCTYPE html><title>x</title>"),
    "a head in capitals, never closed": as_page("<HTML><HEAD><STYLE>p{}</STYLE><BODY>"),
    "a title without its end": as_page("<html><head><title>orders</head><body>"),
    "a style inside the body": as_page("<html><body><style>p{}</style>"),
    "two heads": as_page("<html><head></head><head><body>"),
    "a comment for one program": as_page("<head><!--[if mso]><p>x</p><![endif]--></head><body>"),
    "a hidden declaration": as_page("<head><![if !mso]><body><![endif]>"),
}

# Where it begins and what its lines end with

FIRSTS = (
    "X-Mailer: Lotus Notes",
    "X-Gmail-Received: 5a",
    "Content-Disposition: inline",
    "X-Apparently-To: games@example.org via 192.0.2.1",
    "Thread-Topic: orders",
    "x-store-info:4r51+eLowCe79NzwdU2kR3P+ctWZsO+J",
    "Comments: by hand",
    "User-Agent: K-9",
    "Importance: normal",
    "DomainKey-Signature: a=rsa-sha1; c=nofws;\n\ts=s; d=example.org;",
    "X-MimeOLE: Produced By V6.00",
    "Envelope-To: games@example.org",
)


def first(field: str) -> Trouble:
    return lambda text: mail(packed(text), PLAIN, BASE64, first=[field])


def lines_end(end: bytes) -> Trouble:
    return lambda text: mail(packed(text), PLAIN, BASE64).replace(b"\n", end)


BEGINS: dict[str, Trouble] = {
    f"first is {field.partition(':')[0]}": first(field) for field in FIRSTS
}
BEGINS |= {
    "the line of a file of mails": lambda t: (
        b"From fox@example.org Fri Nov 20 13:00:00 2026\n" + mail(packed(t), PLAIN, BASE64)
    ),
    "an empty line above": lambda t: b"\r\n" + mail(packed(t), PLAIN, BASE64),
    "a byte order mark above": lambda t: b"\xef\xbb\xbf" + mail(packed(t), PLAIN, BASE64),
    "lines end with CR alone": lines_end(b"\r"),
    "lines end with CRLF": lines_end(b"\r\n"),
    "lines of the header with LF, others with CR": lambda t: mail(t.replace("\n", "\r"), PLAIN),
    "a line in the header that is no field": lambda t: mail(t, "this is no field", PLAIN),
    "8 bits in the header": lambda t: mail(packed(t), PLAIN, BASE64, "X-Name: F\udcfcchsin"),
    "UTF-8 in the header": lambda t: mail(packed(t), PLAIN, BASE64, "X-Name: Füchsin"),
    "a field of two kilobytes": lambda t: mail(packed(t), PLAIN, BASE64, "X-Spam: " + "a" * 2000),
    "no field but those of MIME": lambda t: part(packed(t), "MIME-Version: 1.0", PLAIN, BASE64),
}

# Types, charsets, codings


def typed(kind: str, *head: str, charset: str = "utf-8") -> Trouble:
    return lambda text: mail(text.encode(charset), f"Content-Type: {kind}", *head)


TYPES: dict[str, Trouble] = {
    "NULs below the orders": lambda t: mail(t + "\nregards\0\0\n", PLAIN),
    "NULs above the orders": lambda t: mail("\0\0 hello\n" + t, PLAIN),
    "NULs below, in base64": lambda t: mail(packed(t + "\0" * 40), PLAIN, BASE64),
    "an unknown charset": typed('text/plain; charset="x-unknown"'),
    "a charset that is none": typed("text/plain; charset=unicode-1-1-utf-7"),
    "a charset by an old alias": typed("text/plain; charset=ISO_8859-1:1987"),
    "a charset in capitals and quotes": typed("text/plain; charset='US-ASCII'"),
    "an empty charset": typed('text/plain; charset=""'),
    "two charsets": typed("text/plain; charset=utf-8; charset=koi8-r"),
    "UTF-16 that says so": typed("text/plain; charset=utf-16", BASE64),
    "a charset by RFC 2231": typed("text/plain; charset*=us-ascii'en'utf-8"),
    "a type without its subtype": typed("text"),
    "a type that is none": typed("plain text; charset: utf-8"),
    "no type and 8 bits": lambda t: mail("f\u00fcr Sie:\n".encode("latin-1") + t.encode()),
    "an unknown coding": typed("text/plain", "Content-Transfer-Encoding: 7-bit"),
    "a coding between blanks": lambda t: mail(packed(t), PLAIN, f"{CODING}   Base64 "),
    "a coding with a remark": lambda t: mail(packed(t), PLAIN, f"{CODING} base64 (RFC 2045);"),
    "base64 in one line": lambda t: mail(b64encode(t.encode()), PLAIN, BASE64),
    "base64 with a footer in the open": lambda t: mail(
        packed(t + " " * (-len(t) % 3)) + b"\n-- \nlist footer!\n", PLAIN, BASE64
    ),
    "quoted-printable with a loose =": lambda t: mail(
        quopri.encodestring(t.encode()) + b"\nx = y =ZZ =\n", PLAIN, QUOTED
    ),
    "flowed and DelSp": lambda t: mail(
        t.replace("; ", ";  \n"), PLAIN + "; format=flowed; delsp=yes"
    ),
    "a name by RFC 2231 in pieces": lambda t: wrapped(
        many(
            "mixed",
            "b",
            [
                part("see the file", PLAIN),
                part(
                    packed(t),
                    "Content-Type: application/octet-stream",
                    BASE64,
                    "Content-Disposition: attachment;\n filename*0*=utf-8''Bef%C3%A9;\n"
                    ' filename*1*=hle;\n filename*2=".txt"',
                ),
            ],
        )
    ),
    "a name in encoded words": lambda t: wrapped(
        many(
            "mixed",
            "b",
            [
                part("see the file", PLAIN),
                part(
                    packed(t),
                    'Content-Type: application/octet-stream; name="=?utf-8?B?QmVmLnR4dA==?="',
                    BASE64,
                ),
            ],
        )
    ),
}
TYPES["UTF-16 that says so"] = lambda t: mail(
    encodebytes(t.encode("utf-16")), "Content-Type: text/plain; charset=utf-16", BASE64
)

# Parts


def plain(text: str) -> bytes:
    return part(packed(text), PLAIN, BASE64)


def returned(kind: str, text: str, **more: str) -> bytes:
    """A delivery report about a mail with these orders, which it returns. kind: of its middle."""
    status = part(
        "Reporting-MTA: dns; mx.example.org\n\nFinal-Recipient: rfc822; games@example.org\n"
        f"Action: {more.get('action', 'failed')}\nStatus: {more.get('status', '5.0.0')}\n",
        f"Content-Type: {kind}",
    )
    inner = part(mail(packed(text), PLAIN, BASE64), "Content-Type: message/rfc822")
    body = many(
        "report",
        "r",
        [part("It was not delivered.", PLAIN), status, inner],
        report_type=kind.partition("/")[2],
    )
    return wrapped(body, "Return-Path: <>", "Auto-Submitted: auto-replied")


def forwarded(text: str, depth: int = 1) -> bytes:
    inner = mail(packed(text), PLAIN, BASE64)
    for _ in range(depth):
        inner = wrapped(
            many(
                "mixed",
                f"b{len(inner)}",
                [
                    part("passed on", PLAIN),
                    part(inner, "Content-Type: message/rfc822"),
                ],
            )
        )
    return inner


PARTS: dict[str, Trouble] = {
    "a boundary of 1,000 characters": lambda t: wrapped(many("mixed", "b" * 1000, [plain(t)])),
    "a boundary of signs": lambda t: wrapped(many("mixed", "=_(.*)+[a-z]?'/:=,", [plain(t)])),
    "no last boundary": lambda t: wrapped(many("mixed", "b", [plain(t)], end="")),
    "a last boundary that is cut": lambda t: wrapped(many("mixed", "b", [plain(t)], end="-")),
    "a part without an end, then another": lambda t: wrapped(
        many("mixed", "b", [many("alternative", "a", [plain(t)], end=""), part("x", PLAIN)])
    ),
    "the same boundary within itself": lambda t: wrapped(
        many("mixed", "b", [many("mixed", "b", [plain(t)])])
    ),
    "a boundary that begins another": lambda t: wrapped(
        many("mixed", "b", [many("alternative", "bb", [plain(t)]), part("x", PLAIN)])
    ),
    "an empty boundary": lambda t: mail(t, 'Content-Type: multipart/mixed; boundary=""'),
    "no boundary": lambda t: mail(t, "Content-Type: multipart/mixed"),
    "a boundary that is nowhere": lambda t: mail(t, "Content-Type: multipart/mixed; boundary=b"),
    "words above the first part": lambda t: wrapped(
        many("mixed", "b", [plain(t)]).replace(b"\n\n", b"\n\nThis is MIME.\n\n", 1)
    ),
    "empty parts": lambda t: wrapped(many("mixed", "b", [b"", b"\n", plain(t), b""])),
    "a mail within a mail": forwarded,
    "a mail within mails": lambda t: forwarded(t, 3),
    "a digest": lambda t: wrapped(many("digest", "b", [b"\n" + mail(packed(t), PLAIN, BASE64)])),
    "signed by PGP": lambda t: wrapped(
        many(
            "signed",
            "b",
            [
                part(t, PLAIN),
                part("-----BEGIN PGP SIGNATURE-----", "Content-Type: application/pgp-signature"),
            ],
            protocol="application/pgp-signature",
            micalg="pgp-sha256",
        )
    ),
    "the orders returned by a delivery report": lambda t: returned("message/delivery-status", t),
    "the orders returned, delayed": lambda t: returned(
        "message/delivery-status", t, action="delayed", status="4.4.1"
    ),
    "the orders returned by a receipt": lambda t: returned("message/disposition-notification", t),
    "the orders returned as text": lambda t: wrapped(
        f"\n  ----- The following addresses had permanent fatal errors -----\n\n{t}".encode(),
        "Return-Path: <>",
        "Auto-Submitted: auto-generated",
    ),
    "Outlook's own file": lambda t: wrapped(
        many(
            "mixed",
            "b",
            [
                part("see the file", PLAIN),
                part(
                    encodebytes(b"\x78\x9f\x3e\x22\0" + t.encode() + b"\0\x02\x0f\x80\x01"),
                    'Content-Type: application/ms-tnef; name="winmail.dat"',
                    BASE64,
                ),
            ],
        )
    ),
}

TAKEN: Mapping[str, Trouble] = PAGES | BEGINS | TYPES | PARTS
"""Orders come through all of these."""


def torn(text: str, by: str) -> str:
    """The orders with something in their middle."""
    return text.replace("END ORDERS", by + "END ORDERS", 1)


REFUSED: Mapping[str, tuple[str, Trouble]] = {
    "a NUL among the orders": (
        "stray-character",
        lambda t: mail(packed(torn(t, "\0")), PLAIN, BASE64),
    ),
    "a NUL in the signature": (
        "damaged-signature",
        lambda t: mail(packed(t.replace("BEGIN SEAL\n", "BEGIN SEAL\n\0")), PLAIN, BASE64),
    ),
    "cut in the signature": (
        "damaged-signature",
        lambda t: mail(t[: t.index("END SEAL") - 20], PLAIN),
    ),
    "cut in the orders": ("no-end", lambda t: mail(t[: t.index("END ORDERS")], PLAIN)),
    "an order more": ("bad-signature", lambda t: mail(torn(t, "FOX: move B2;\n"), PLAIN)),
}
"""Orders that their mails have hurt, and what they are refused with."""
