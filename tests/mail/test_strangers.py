"""What stands around the words of people's mails, and mails that only look like theirs: footers of
lists, companies and scanners, signatures of other makes, receipts and absences in any language."""

from __future__ import annotations

import pytest

from pbem.inbound.parse_mail import open_letter
from tests.mail.office import Office
from tests.mail.parts import Note, Program, divs, leaf, posted, several
from tests.mail.test_clients import signed

TEXT = 'text/plain; charset="utf-8"'
PAGE = 'text/html; charset="utf-8"'

LIST = """
_______________________________________________
Wargames mailing list -- wargames@lists.example.org
To unsubscribe send an email to wargames-leave@lists.example.org
"""
COMPANY = """
This e-mail and any attachment are confidential and may be privileged. If you are not the intended
recipient, notify the sender & BEGIN by deleting it; ORDERS to print it are at your END.
"""
SCANNER = """
--
This email has been checked for viruses by Avast antivirus software.
https://www.avast.com/antivirus
"""
WARNING = """[EXTERNAL EMAIL] DO NOT CLICK links or attachments unless you trust the sender.

"""
TRANSLATED = "Translated from German - show original\n\n"


@pytest.mark.parametrize("foot", [LIST, COMPANY, SCANNER], ids=["list", "company", "scanner"])
@pytest.mark.parametrize("head", ["", WARNING, TRANSLATED], ids=["", "warning", "translated"])
def test_what_others_write_around_orders_does_no_harm(head: str, foot: str, office: Office) -> None:
    text = f"{head}{signed(office)}{foot}"
    body = several("alternative", "y", [leaf(TEXT, text), leaf(PAGE, divs(text))])
    office.drop(posted(Note("fox", ""), body))
    assert office.one().dealt.taken == 1


def test_a_list_that_adds_its_footer_as_a_part(office: Office) -> None:
    parts = [leaf(TEXT, signed(office)), leaf(TEXT, LIST, "7bit", "Content-Disposition: inline")]
    office.drop(posted(Note("fox", ""), several("mixed", "===============1", parts)))
    assert office.one().dealt.taken == 1


def yahoo(note: Note) -> bytes:
    """One line a paragraph, tabs and no-break spaces, everything in one div of the page."""
    page = f'<div class="ydp1yahoo-style-wrap" style="font-size:13px">{divs(note.text)}</div>'
    text = note.text.replace("  ", " \u00a0")
    body = several(
        "alternative",
        "----=_Part_1_2.3",
        [
            leaf("text/plain; charset=UTF-8", text, "quoted-printable"),
            leaf("text/html; charset=UTF-8", page, "base64"),
        ],
    )
    return posted(note, body, "X-Mailer: WebService/1.1.22876 YMailNorrin")


def proton(note: Note) -> bytes:
    """Alternatives in base64, a line that praises it, signed by PGP with the key beside."""
    text = f"{note.text}\n\nSent with [Proton Mail](https://proton.me/mail/home) secure email.\n"
    inner = several(
        "alternative",
        "b1_x",
        [
            leaf("text/plain; charset=utf-8", text, "base64"),
            leaf("text/html; charset=utf-8", divs(text), "base64"),
        ],
    )
    key = leaf(
        'application/pgp-keys; filename="publickey.asc"; name="publickey.asc"',
        "x",
        "base64",
        'Content-Disposition: attachment; filename="publickey.asc"',
    )
    whole = several("mixed", "------1f", [inner, key])
    name = 'application/pgp-signature; name="signature.asc"'
    signature = (
        "-----BEGIN PGP SIGNATURE-----\nVersion: ProtonMail\n\nwnUE\n-----END PGP SIGNATURE-----"
    )
    return posted(note, several("signed", "------5e", [whole, leaf(name, signature)]))


def smime(note: Note) -> bytes:
    """A company's program that signs each mail by a certificate."""
    name = 'application/pkcs7-signature; name="smime.p7s"'
    signature = leaf(
        name,
        bytes(range(256)) * 8,
        "base64",
        'Content-Disposition: attachment; filename="smime.p7s"',
    )
    plain = leaf("text/plain; charset=utf-8", note.text, "quoted-printable")
    return posted(note, several("signed", "----3D", [plain, signature]))


@pytest.mark.parametrize("program", [yahoo, proton, smime])
def test_mail_signatures_are_not_taken_for_signatures_of_orders(
    program: Program, office: Office
) -> None:
    office.drop(program(Note("fox", signed(office))))
    assert office.one().dealt.taken == 1
    office.drop(program(Note("fox", office.referee.block("fox", "FOX: move A2;"))))
    assert office.one().dealt.refused == 1
    assert "not signed" in " ".join(office.bodies("fox").split())


def winmail(content: bytes) -> bytes:
    """Outlook's rich text packs files into one of its own: level, attribute, size, bytes, sum."""

    def attribute(level: int, kind: int, data: bytes) -> bytes:
        size, total = len(data).to_bytes(4, "little"), (sum(data) % 65536).to_bytes(2, "little")
        return bytes([level]) + kind.to_bytes(4, "little") + size + data + total

    start = b"\x78\x9f\x3e\x22\x01\x00" + attribute(1, 0x00089006, b"\x00\x00\x01\x00")
    title = attribute(2, 0x00018010, b"signed.txt\x00") + attribute(2, 0x0006800F, content)
    return leaf(
        'application/ms-tnef; name="winmail.dat"',
        start + title,
        "base64",
        'Content-Disposition: attachment; filename="winmail.dat"',
    )


def test_orders_in_winmail_dat_are_found(office: Office) -> None:
    content = signed(office).replace("\n", "\r\n").encode()
    parts = [leaf(TEXT, "My orders are attached.\n"), winmail(content)]
    office.drop(posted(Note("fox", ""), several("mixed", "x", parts)))
    assert office.one().dealt.taken == 1


def test_a_question_with_winmail_dat_beside_it_is_the_moderator_s(office: Office) -> None:
    parts = [leaf(TEXT, "May I have a day more?\n"), winmail(b"\x00" * 300)]
    office.drop(posted(Note("fox", ""), several("mixed", "x", parts)))
    dealt = office.one().dealt
    assert (dealt.taken, dealt.answered, dealt.passed) == (0, 0, 1)


def test_smime_and_pgp_that_hide_the_words_are_asked_for_again(office: Office) -> None:
    kinds = (
        'application/pkcs7-mime; smime-type=enveloped-data; name="smime.p7m"',
        'multipart/encrypted; protocol="application/pgp-encrypted"; boundary="x"',
    )
    office.drop(posted(Note("fox", ""), leaf(kinds[0], bytes(500), "base64")))
    inner = several(
        "encrypted",
        "x",
        [
            leaf("application/pgp-encrypted", "Version: 1\n"),
            leaf(
                'application/octet-stream; name="encrypted.asc"',
                "-----BEGIN PGP MESSAGE-----\n\nhQEM\n-----END PGP MESSAGE-----\n",
            ),
        ],
    )
    office.drop(posted(Note("hunter", "", number=2), inner))
    dealt = office.one().dealt
    assert (dealt.taken, dealt.answered, dealt.passed) == (0, 2, 2)


ABSENCES = {
    "Exchange, German": [
        "Subject: Automatische Antwort: g1",
        "X-Auto-Response-Suppress: All",
        "Auto-Submitted: auto-generated",
    ],
    "Gmail": [
        "Subject: Je suis absent Re: g1",
        "Precedence: bulk",
        "X-Autoreply: yes",
        "Auto-Submitted: auto-replied",
    ],
    "sieve": ["Subject: Auto: g1", "Auto-Submitted: auto-replied (vacation)"],
    "old vacation": ["Subject: away from my mail", "Precedence: junk"],
    "cPanel": ["Subject: Re: g1", "X-Autorespond: g1", "Precedence: auto_reply"],
    "unmarked, by its subject": ["Subject: Automatische Antwort: g1 The fox"],
    "unmarked, in Spanish": ["Subject: =?utf-8?Q?Respuesta_autom=C3=A1tica:_g1?="],
    "unmarked, in Swedish": ["Subject: Automatiskt svar: g1"],
}


@pytest.mark.parametrize("program", ABSENCES)
def test_absences_are_answered_by_nobody(program: str, office: Office) -> None:
    head = "\n".join(["From: fox@example.org", "To: games@example.org", *ABSENCES[program]])
    for text in ("HELP\n", "I am away.\n"):
        office.drop(f"{head}\n\n{text}".encode())
    dealt = office.one().dealt
    assert (dealt.answered, len(office.sent("fox"))) == (0, 0)
    assert dealt.passed == ("unmarked" in program)  # it may be a person's own subject


@pytest.mark.parametrize("kind", ["displayed", "deleted"])
def test_a_read_receipt_is_neither_a_bounce_nor_a_question(kind: str, office: Office) -> None:
    """RFC 8098; not every program says that it was sent by a machine."""
    said = f"Disposition: manual-action/MDN-sent-manually; {kind}\n"
    parts = [leaf(TEXT, "Your message was read.\n"), leaf("message/disposition-notification", said)]
    body = several("report; report-type=disposition-notification", "x", parts)
    office.drop(posted(Note("fox", "", subject="Read: g1"), body))
    dealt = office.one().dealt
    assert (dealt.bounced, dealt.answered, dealt.passed, len(office.sent())) == (0, 0, 0, 0)


def test_what_looks_like_an_absence_may_hold_orders(office: Office) -> None:
    """Only the answer is withheld, and a new valid set gets its receipt all the same."""
    office.mail("fox", signed(office), subject="Automatic reply: g1")
    assert office.one().dealt.taken == 1
    assert "received, all understood" in office.subjects("fox")[0]
    assert open_letter(b"From: a@b.c\nSubject: Re: automatic reply to you\n\nhi").machine == ""
