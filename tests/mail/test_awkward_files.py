"""Orders in files and forms that people really send: taken where they are whole, and answered where
the referee cannot read them."""

from __future__ import annotations

import zipfile
from email.message import EmailMessage
from io import BytesIO

import pytest

from pbem.crypto.sshsig import armour, sign
from tests.mail.office import Office
from tests.mail.test_clients import signed
from tests.referee import key_of


def mail(text: str, *files: tuple[str, str, bytes]) -> bytes:
    """A mail of the fox. files: name, content type and content of each."""
    made = EmailMessage()
    made["From"], made["To"], made["Subject"] = "fox@example.org", "games@example.org", "g1"
    made.set_content(text)
    for name, kind, content in files:
        main, sub = kind.split("/")
        made.add_attachment(content, main, sub, filename=name)
    return bytes(made)


def zipped(name: str, text: str) -> bytes:
    """An archive, as those of word processors are."""
    made = BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, text)
    return made.getvalue()


def form(office: Office) -> bytes:
    return (office.referee.folder / "reports/fox/1/orders.txt").read_bytes()


def signature(office: Office, text: bytes | None = None) -> bytes:
    return armour(sign(text or form(office), key_of("fox"), "orders@pbem")).encode()


DOCUMENTS = {
    "orders.docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "Orders.ODT": "application/vnd.oasis.opendocument.text",
    "orders.pdf": "application/pdf",
    "orders.zip": "application/zip",
    "orders.rtf": "text/rtf",
    "orders.txt": "application/octet-stream",
}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_orders_in_a_document_are_answered_and_passed_on(name: str, office: Office) -> None:
    content = zipped("word/document.xml", signed(office))
    if name in ("orders.rtf", "orders.txt"):  # a program may call a file of this kind anything
        content = b"{\\rtf1\\ansi {\\fonttbl\\f0 Helvetica;}" + signed(office).encode() + b"}"
    office.drop(mail("Here they are.\n", (name, DOCUMENTS[name], content)))
    dealt = office.one().dealt
    assert (dealt.taken, dealt.refused, dealt.answered, dealt.passed) == (0, 0, 1, 1)
    assert office.subjects("fox") == ["[g1] Your file could not be read"]
    assert f"no file like {name}" in " ".join(office.bodies("fox").split())
    assert len(office.sent("mod")) == 1


def test_a_document_beside_orders_says_nothing(office: Office) -> None:
    office.drop(mail(signed(office), ("house rules.pdf", "application/pdf", b"%PDF-1.4")))
    dealt = office.one().dealt
    assert (dealt.taken, dealt.answered) == (1, 0)


def test_a_report_sent_back_is_no_document(office: Office) -> None:
    office.drop(mail("What is this?\n", ("report.json.gz", "application/gzip", b"\x1f\x8b1")))
    assert (office.one().dealt.answered, office.subjects("fox")) == (0, [])


@pytest.mark.parametrize("name", ["orders.txt.sig", "orders.txt.sig.txt", "orders.asc", "sig.txt"])
def test_a_signature_file_is_known_by_what_is_in_it(name: str, office: Office) -> None:
    files = [("orders.txt", "text/plain", form(office)), (name, "text/plain", signature(office))]
    office.drop(mail("My orders.\n", *files))
    assert (office.one().dealt.taken, office.referee.audit().whole) == (1, True)


@pytest.mark.parametrize("name", ["orders.txt.sig.txt", "orders.asc"])
def test_alone_it_is_answered(name: str, office: Office) -> None:
    office.drop(mail("My orders.\n", (name, "text/plain", signature(office))))
    assert office.one().dealt.answered == 1
    assert office.subjects("fox") == ["[g1] Your orders are missing"]


def test_of_two_files_each_has_its_signature(office: Office) -> None:
    block = office.referee.block("fox", "FOX: move A2;").encode()
    parts = {"a.txt": form(office), "b.txt": block}
    files = [(name, "text/plain", text) for name, text in parts.items()]
    files += [
        (f"{name}.sig.txt", "text/plain", signature(office, text)) for name, text in parts.items()
    ]
    office.drop(mail("My orders.\n", *files))
    office.one()
    assert office.bodies("fox")
    assert "bad-signature" not in office.bodies("fox")
    assert "not signed" not in office.bodies("fox")


@pytest.mark.parametrize("first", ["", "BEGIN ORDER", "BEGINORDERS"])
def test_orders_without_their_first_line_are_answered(first: str, office: Office) -> None:
    rest = office.referee.block("fox", "FOX: move A2;").partition("\n")[2]
    office.drop(mail(f"{first}\n{rest}"))
    dealt = office.one().dealt
    assert (dealt.refused, dealt.answered, dealt.passed) == (0, 1, 1)
    assert office.subjects("fox") == ["[g1] The first line of your orders is missing"]


def test_bare_lines_of_orders_are_answered(office: Office) -> None:
    """Who has no program writes what he wants above the quoted report, without the block."""
    office.drop(mail("Hello,\n\nFox: move A2;\n\n> The attached orders.txt is the order form\n"))
    dealt = office.one().dealt
    assert (dealt.refused, dealt.answered, dealt.passed) == (0, 1, 1)
    assert office.subjects("fox") == ["[g1] The first line of your orders is missing"]


def test_whoever_has_not_signed_learns_of_the_order_page(office: Office) -> None:
    """Who edits the form in his mail program may have nothing but a browser."""
    office.drop(mail(office.referee.block("fox", "FOX: move A2;")))
    assert office.one().dealt.refused == 1
    said = " ".join(office.bodies("fox").split())
    assert "sign them on the order page, if your report has one, or by `pbem sign ORDERS" in said


def test_a_question_about_a_refusal_is_the_moderators(office: Office) -> None:
    """Quoted, its words are not the sender's."""
    office.drop(mail("What does this mean?\n\n> write END ORDERS after the last order\n"))
    dealt = office.one().dealt
    assert (dealt.answered, dealt.passed, office.subjects("fox")) == (0, 1, [])


KEY = b"-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaA==\n-----END OPENSSH PRIVATE KEY-----\n"


@pytest.mark.parametrize("orders", [False, True])
def test_who_mails_his_private_key_is_warned(orders: bool, office: Office) -> None:
    """Also beside orders, and once."""
    text = signed(office) if orders else "Here is my key.\n"
    office.drop(mail(text, ("order-page.key", "application/octet-stream", KEY)))
    dealt = office.one().dealt
    office.tick()
    assert dealt.taken == orders
    warned = [said for said in office.subjects("fox") if "You have mailed a private key" in said]
    assert len(warned) == 1
    assert "pbem rekey" in office.bodies("fox")
    assert not office.sent("hunter")


def test_a_public_key_is_no_secret(office: Office) -> None:
    key = b"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5 fox\n"
    office.drop(mail("Here is my key.\n", ("fox.key.pub", "application/octet-stream", key)))
    assert (office.one().dealt.answered, office.subjects("fox")) == (0, [])


def test_the_remarks_of_a_form_are_not_passed_on(office: Office) -> None:
    """Who sends the whole form as it came has written nothing beside his orders."""
    office.drop(mail(form(office).decode()))
    dealt = office.one().dealt
    assert (dealt.refused, dealt.beside, office.sent("mod")) == (1, 0, [])


@pytest.mark.parametrize("word", ["\u201cSTATUS\u201d", "'Status'.", '"status"'])
def test_a_command_in_quotation_marks_is_one(word: str, office: Office) -> None:
    office.drop(mail(f"{word}\n"))
    assert office.one().dealt.answered == 1
    assert office.subjects("fox") == ["[g1] Status"]


def test_words_in_cells_of_a_table_are_apart(office: Office) -> None:
    lines = signed(office).splitlines()
    rows = "".join(
        f"<tr>{''.join(f'<td>{word}</td>' for word in line.split())}</tr>" for line in lines
    )
    page = EmailMessage()
    page["From"], page["To"], page["Subject"] = "fox@example.org", "games@example.org", "g1"
    page.set_content(f"<table>{rows}</table>", subtype="html")
    office.drop(bytes(page))
    assert office.one().dealt.taken == 1
