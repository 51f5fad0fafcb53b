"""Mails as people's programs make them: how each nests, encodes, wraps, quotes and forwards.

Every program is a function from a `Note`, which is what its user wrote, to the bytes that arrive.
Boundaries, headers and habits are those of the program; addresses are nobody's.
"""

from __future__ import annotations

from html import escape

from tests.mail.parts import (
    Note,
    Program,
    divs,
    files_of,
    flowed,
    leaf,
    posted,
    quote,
    several,
    smart,
    wrapped,
)

ATTRIBUTION = "On Fri, Nov 20, 2026 at 12:00\u202fPM pbem g1 <games@example.org> wrote:"


def gmail(note: Note) -> bytes:
    """The web page and the app: alternatives, the text cut at 78 columns, files in base64."""
    text, markup = wrapped(note.text, 78), f'<div dir="ltr">{divs(note.text)}</div><br>'
    if note.answers:
        text += f"\n\n{wrapped(ATTRIBUTION, 78)}\n\n{quote(note.quoted)}"
        markup += (
            f'<div class="gmail_quote"><div dir="ltr" class="gmail_attr">{escape(ATTRIBUTION)}<br>'
            '</div><blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex;border-left:1px '
            f'solid rgb(204,204,204);padding-left:1ex">{divs(note.quoted)}</blockquote></div>'
        )
    if note.forwards:
        text = f"---------- Forwarded message ---------\nFrom: Me <me@example.org>\n\n\n{text}"
    coding = "7bit" if text.isascii() else "quoted-printable"
    body = several(
        "alternative",
        "000000000000a1b2c30612345678",
        [
            leaf('text/plain; charset="UTF-8"', text, coding),
            leaf('text/html; charset="UTF-8"', markup, "quoted-printable"),
        ],
    )
    files = files_of(
        note,
        '{type}; name="{name}"',
        'Content-Disposition: attachment; filename="{name}"',
        "Content-ID: <f_m{number}>",
        "X-Attachment-Id: f_m{number}",
    )
    if files:
        body = several("mixed", "000000000000a1b2c20612345676", [body, *files])
    return posted(
        note,
        body,
        f"Message-ID: <CAFq+x0{note.number}=JH7w@mail.gmail.example>",
        "DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed;\n        d=gmail.example; "
        "s=20230601; t=1795179600; x=1795784400;\n        h=to:subject:message-id:date:from;\n"
        "        bh=AbC=; b=dEf=",
        "X-Gm-Message-State: AOJu0YxQ",
        "X-Received: by 2002:a05:6402:1 with SMTP id 4fb4d7f45d1cf",
    )


def outlook(note: Note) -> bytes:
    """The desktop program: Word's paragraphs, blank lines doubled in the text, smart quotes, and
    what is replied to below without a mark."""
    text = smart(note.text).replace("\n", "\n\n")
    markup = divs(smart(note.text), "p", ' class="MsoNormal"').replace("</p>", "<o:p></o:p></p>")
    if note.answers:
        below = (
            "-----Original Message-----\nFrom: pbem g1 <games@example.org> \nSent: Friday, "
            "November 20, 2026 12:00 PM\nTo: The Fox\nSubject: g1\n\n" + note.quoted
        )
        text += "\n\n" + below
        markup += (
            '<div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0in 0in 0in">'
            + divs(below, "p", ' class="MsoNormal"')
            + "</div>"
        )
    markup = (
        '<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><meta name="Generator" '
        'content="Microsoft Word 15 (filtered medium)"><style><!-- p.MsoNormal {margin:0in;} -->'
        f'</style></head><body lang="EN-US"><div class="WordSection1">{markup}</div></body></html>'
    )
    body = several(
        "alternative",
        "_000_AM0PR0X",
        [
            leaf('text/plain; charset="Windows-1252"', text, "quoted-printable"),
            leaf('text/html; charset="Windows-1252"', markup, "quoted-printable"),
        ],
    )
    files = files_of(
        note,
        '{type}; name="{name}"',
        "Content-Description: {name}",
        'Content-Disposition: attachment; filename="{name}"; size={size};\n\t'
        'creation-date="Fri, 20 Nov 2026 12:59:00 GMT"',
    )
    if files:
        body = several("mixed", "_004_AM0PR0X", [body, *files])
    return posted(
        note,
        body,
        f"Message-ID: <AM0PR0X{note.number}@AM0PR0X.eurprd03.prod.outlook.example>",
        "Thread-Topic: g1",
        "Thread-Index: AQHZoXzYm8YpUCUtTUGHRFEeKbgDbg==",
        "Accept-Language: en-US",
        f"X-MS-Has-Attach: {'yes' if note.files else ''}",
        "X-MS-TNEF-Correlator:",
        "Content-Language: en-US",
    )


def outlook_web(note: Note) -> bytes:
    """Also the phone app: divs with a font each, no-break spaces, a rule above what is answered."""
    text = note.text + "\n"
    style = ' style="font-family: Aptos, sans-serif; font-size: 12pt;" class="elementToProof"'
    markup = divs(note.text.replace("  ", "\u00a0 "), "div", style)
    if note.answers:
        below = (
            f"From: pbem g1 <games@example.org>\nSent: Friday, November 20, 2026\n\n{note.quoted}"
        )
        text += f"________________________________\n{below}"
        markup += f'<hr tabindex="-1"><div id="divRplyFwdMsg" dir="ltr">{divs(below)}</div>'
    body = several(
        "alternative",
        "_000_DB9P",
        [
            leaf('text/plain; charset="iso-8859-1"', text, "quoted-printable"),
            leaf(
                'text/html; charset="iso-8859-1"',
                f"<html><body dir=ltr>{markup}</body></html>",
                "quoted-printable",
            ),
        ],
    )
    files = files_of(
        note,
        'application/octet-stream; name="{name}"',
        'Content-Disposition: attachment; filename="{name}"',
    )
    if files:
        body = several("mixed", "_002_DB9P", [body, *files])
    return posted(note, body, f"Message-ID: <DB9P{note.number}@outlook.example>", "msip_labels:")


def apple_mail(note: Note) -> bytes:
    """Rich text: the files lie inside the second alternative, between pieces of HTML."""
    text = smart(note.text)
    markup = f'<div style="overflow-wrap: break-word;">{divs(text)}</div>'
    if note.answers:
        said = "On 20 Nov 2026, at 12:00, pbem g1 <games@example.org> wrote:"
        text += f"\n\n> {said}\n> \n{quote(note.quoted)}"
        markup += (
            f'<blockquote type="cite"><div>{escape(said)}</div>{divs(note.quoted)}</blockquote>'
        )
    rich = leaf(
        "text/html;\n\tcharset=utf-8", f"<html><body>{markup}</body></html>", "quoted-printable"
    )
    if note.files:
        rich = several(
            "mixed",
            "Apple-Mail=_2",
            [
                rich,
                *files_of(
                    note,
                    "{type};\n\tx-unix-mode=0644;\n\tname={name}",
                    "Content-Disposition: attachment;\n\tfilename={name}",
                    text_as="quoted-printable",
                ),
                leaf("text/html;\n\tcharset=us-ascii", "<html><body><br></body></html>"),
            ],
        )
    plain = leaf("text/plain;\n\tcharset=utf-8", text, "quoted-printable")
    body = several("alternative", "Apple-Mail=_1", [plain, rich])
    return posted(
        note,
        body,
        f"Message-Id: <0E5A{note.number}-7C1B@example.org>",
        "Mime-Version: 1.0 (Mac OS X Mail 16.0 \\(3774.600.62\\))",
        "X-Mailer: Apple Mail (2.3774.600.62)",
    )


def iphone(note: Note) -> bytes:
    """The phone: smart marks, one long line a paragraph, a line that says so, files in between."""
    text = smart(note.text) + "\n\nSent from my iPhone"
    if note.answers:
        said = "On 20 Nov 2026, at 12:00, pbem g1 <games@example.org> wrote:"
        text += f"\n\n> {said}\n> \n> \ufeff\n{quote(note.quoted)}"
    plain = leaf("text/plain;\n\tcharset=utf-8", text, "quoted-printable")
    markup = (
        '<html><head><meta http-equiv="content-type" content="text/html; charset=utf-8"></head>'
        f'<body dir="auto">{divs(text)}</body></html>'
    )
    if not note.files:
        body = several(
            "alternative",
            "Apple-Mail-7F",
            [
                leaf("text/html;\n\tcharset=utf-8", markup, "quoted-printable"),
                plain,
            ][::-1],
        )
    else:
        body = several(
            "mixed",
            "Apple-Mail-8A",
            [
                plain,
                *files_of(
                    note,
                    "application/octet-stream;\n\tname={name}",
                    "Content-Disposition: attachment;\n\tfilename*=utf-8''{name}",
                ),
                leaf("text/plain;\n\tcharset=us-ascii", "\n\nSent from my iPhone"),
            ],
        )
    return posted(
        note, body, f"Message-Id: <B7{note.number}-4F@example.org>", "X-Mailer: iPhone Mail (22B83)"
    )


def thunderbird(note: Note) -> bytes:
    """Plain text, flowed; a whole mail forwarded as a file; a key of its user's beside."""
    text = flowed(note.text)
    if note.answers:
        text += f"\n\nOn 11/20/26 12:00, pbem g1 wrote:\n{quote(note.quoted, '> ')}"
    plain = leaf(
        "text/plain; charset=UTF-8; format=flowed", text, "7bit" if text.isascii() else "8bit"
    )
    files = files_of(
        note,
        'text/plain; charset=UTF-8; name="{name}"',
        'Content-Disposition: attachment; filename="{name}"',
    )
    if note.forwards:
        inner = f"From: me@example.org\nSubject: {note.subject}\n".encode() + plain
        whole = b'Content-Type: message/rfc822; name="my orders.eml"\n'
        whole += b'Content-Disposition: attachment; filename="my orders.eml"\n'
        whole += b"Content-Transfer-Encoding: 8bit\n\n" + inner
        plain, files = leaf("text/plain; charset=UTF-8; format=flowed", "see below"), [whole]
    key, signed = pgp("keys", "PUBLIC KEY BLOCK"), pgp("signature", "SIGNATURE")
    body = several("mixed", "------------6mAQ", [plain, *files, key])
    body = several("signed", "------------0x7L", [body, signed])
    return posted(
        note,
        body,
        f"Message-ID: <5d7f{note.number}@example.org>",
        "User-Agent: Mozilla Thunderbird",
        "Content-Language: en-GB",
    )


def pgp(kind: str, words: str) -> bytes:
    """What its user's other key adds to every mail."""
    text = f"-----BEGIN PGP {words}-----\n\nxjMEAAAA\n-----END PGP {words}-----"
    named = f'attachment; filename="OpenPGP_{kind}.asc"'
    return leaf(f"application/pgp-{kind}", text, "7bit", f"Content-Disposition: {named}")


def k9(note: Note) -> bytes:
    """Android: everything quoted-printable, a signature that excuses itself."""
    text = (
        note.text + "\n-- \nSent from my Android device with K-9 Mail. Please excuse my brevity.\n"
    )
    if note.answers:
        text = f"{note.text}\n\nAm 20. November 2026 12:00:00 MEZ schrieb pbem g1:\n"
        text += quote(note.quoted, ">")
    markup = f"<!DOCTYPE html><html><body>{divs(text)}</body></html>"
    body = several(
        "alternative",
        "----1DPN",
        [
            leaf("text/plain;\n charset=utf-8", text, "quoted-printable"),
            leaf("text/html;\n charset=utf-8", markup, "quoted-printable"),
        ],
    )
    if note.files:
        plain = leaf("text/plain;\n charset=utf-8", text, "quoted-printable")
        body = several(
            "mixed",
            "----9QWE",
            [
                plain,
                *files_of(
                    note,
                    "application/octet-stream;\n name={name}",
                    "Content-Disposition: attachment;\n filename={name};\n size={size}",
                ),
            ],
        )
    return posted(
        note,
        body,
        f"Message-ID: <9C2E{note.number}@example.org>",
        "User-Agent: K-9 Mail for Android",
    )


def samsung(note: Note) -> bytes:
    """The maker's own program: all base64, one HTML paragraph with breaks."""
    text = note.text + (
        "\n\n-------- Original message --------\n" + note.quoted if note.answers else ""
    )
    lines = escape(text, quote=False).replace("\n", "<br>\n")
    markup = f'<html><body dir="auto">{lines}</body></html>'
    body = several(
        "alternative",
        "--_com.samsung.android.email_1",
        [
            leaf("text/plain; charset=utf-8", text, "base64"),
            leaf("text/html; charset=utf-8", markup, "base64"),
        ],
    )
    if note.files:
        body = several(
            "mixed",
            "--_com.samsung.android.email_0",
            [
                body,
                *files_of(
                    note, "{type}; name={word}", "Content-Disposition: attachment; filename={word}"
                ),
            ],
        )
    return posted(note, body, f"Message-ID: <k3{note.number}.1795179600@email.android.example>")


def html_only(note: Note) -> bytes:
    """A provider's page that writes no plain text at all."""
    markup = f'<div style="font-family: Verdana;font-size: 12.0px;">{divs(note.text)}'
    if note.answers:
        markup += (
            '<div name="quote" style="margin:10px 5px 5px 10px; border-left:2px solid #C3D9E5;">'
            f"<b>Von:</b>&nbsp;games@example.org<blockquote>{divs(note.quoted)}</blockquote></div>"
        )
    body = leaf(
        "text/html; charset=UTF-8", f"<html><body>{markup}</div></body></html>", "quoted-printable"
    )
    if note.files:
        body = several(
            "mixed",
            "sgnirk-1",
            [
                body,
                *files_of(
                    note,
                    "application/octet-stream; name={name}",
                    "Content-Disposition: attachment; filename={name}",
                ),
            ],
        )
    return posted(note, body, f"Message-ID: <trinity-{note.number}@example.org>", "X-Priority: 3")


def terminal(note: Note) -> bytes:
    """A program for a terminal: one part, no headers that it need not write."""
    text = note.text + (f"\n{quote(note.quoted, '> ')}" if note.answers else "")
    if note.files:
        body = several(
            "mixed",
            "=_5f",
            [
                leaf("text/plain; charset=us-ascii", text),
                *files_of(
                    note,
                    "{type}",
                    'Content-Disposition: attachment; filename="{name}"',
                    text_as="8bit",
                ),
            ],
        )
    else:
        body = leaf("text/plain; charset=us-ascii", text, "8bit", "Content-Disposition: inline")
    return posted(note, body, f"Message-ID: <2026{note.number}.GA1@example.org>")


PROGRAMS: dict[str, Program] = {
    "Gmail": gmail,
    "Outlook": outlook,
    "Outlook on the web": outlook_web,
    "Apple Mail": apple_mail,
    "iPhone": iphone,
    "Thunderbird": thunderbird,
    "K-9": k9,
    "Samsung": samsung,
    "HTML alone": html_only,
    "mutt": terminal,
}
