"""What people write around, beside and instead of orders: nothing of it is lost."""

from __future__ import annotations

from email.message import EmailMessage
from pathlib import Path

import pytest

from games.toy.game import SYSTEM
from pbem.admin.setup import Choices
from pbem.crypto.sshsig import armour, sign
from tests.conftest import Clock
from tests.mail.office import Office
from tests.referee import Referee, key_of


@pytest.mark.parametrize("mark", ["> ", ">", ""])
def test_orders_written_into_the_quoted_form_are_answered(office: Office, mark: str) -> None:
    """As people answer on a phone: the quotation is edited, with its marks or without."""
    lines = office.referee.block("fox", "FOX: move B1;").splitlines()
    quoted = "".join(f"> {line}\n" for line in lines)
    office.mail("fox", "Like this?\n\n" + quoted.replace("> FOX:", f"{mark}FOX:"))
    ticked = office.one()
    assert (ticked.dealt.refused, ticked.dealt.passed) == (1, 0)
    assert "UNDERSTOOD AS FOX: move B1" in " ".join(office.bodies("fox").split())
    assert "| Like this?" in office.bodies("mod").splitlines()


def test_a_question_beside_a_quoted_form_is_passed_on_by_its_name(office: Office) -> None:
    form = office.referee.folder / "reports" / "fox" / "1" / "orders.txt"
    lines = form.read_text().splitlines()
    office.mail("fox", "Which zone is meant?\n" + "".join(f"> {line}\n" for line in lines))
    assert office.one().dealt.passed == 1
    said = " ".join(office.bodies("mod").split())
    assert "besides the form of a report, which it quotes, it contains no orders" in said
    assert "| Which zone is meant?" in said


def test_words_beside_signed_orders_go_to_the_moderator(office: Office) -> None:
    signed_set = office.referee.orders("fox", office.referee.suggested("fox"))
    report = office.referee.folder.joinpath("reports/fox/1/report.txt").read_text()
    quoted = "".join(f"> {line}\n" for line in report.splitlines())
    foot = "On Fri, Nov 20, 2026 pbem g1 <games@example.org>\nwrote:\n"
    text = f"I am away on Friday.\n\n{signed_set}\nRegards\n\n{foot}\n{quoted}-- \nThe fox\n"
    office.mail("fox", text)
    ticked = office.one()
    assert (ticked.dealt.taken, ticked.dealt.passed, ticked.dealt.beside) == (1, 0, 1)
    (mail,) = office.sent("mod")
    assert (mail["Subject"], mail["Reply-To"]) == ("g1: words beside orders", "fox@example.org")
    said = [line for line in office.bodies("mod").splitlines() if line.startswith("|")]
    assert [line for line in said if line.strip("| ")] == ["| I am away on Friday.", "| Regards"]


def test_words_beside_press_go_to_the_moderator(tmp_path: Path, clock: Clock) -> None:
    referee = Referee.made(tmp_path / "home", SYSTEM, Choices(seed="y", press="open"))
    referee.open()
    office = Office(referee)
    office.tick()
    office.mail("fox", "May I say this?\nBEGIN PRESS TO ALL\nPeace!\nEND PRESS\n")
    ticked = office.one()
    assert (ticked.dealt.pressed, ticked.dealt.beside) == (1, 1)
    assert "| May I say this?" in office.bodies("mod")
    assert "Peace" not in office.bodies("mod")


def test_orders_alone_write_to_nobody_else(office: Office) -> None:
    office.orders("fox")
    assert office.one().dealt.beside == 0
    office.mail("hunter", office.referee.orders("hunter", office.referee.suggested("hunter")))
    office.one()
    assert not office.sent("mod")


def test_a_footer_is_passed_on_once(office: Office) -> None:
    foot = "This e-mail is confidential. " * 12
    for _ in range(3):
        office.mail("fox", office.referee.orders("fox", office.referee.suggested("fox")) + foot)
    assert office.one().dealt.beside == 1
    assert len(office.sent("mod")) == 1


def test_a_signature_without_its_orders_is_answered(office: Office) -> None:
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "fox@example.org", "games@example.org", "g1"
    mail.set_content("My orders.\n")
    block = office.referee.block("fox", office.referee.suggested("fox")).encode()
    signature = armour(sign(block, key_of("fox"), "orders@pbem"))
    mail.add_attachment(signature, "plain", filename="orders.txt.sig")
    office.drop(bytes(mail))
    assert office.one().dealt.answered == 1
    assert office.subjects("fox") == ["[g1] Your orders are missing"]
    assert "attach orders.txt and orders.txt.sig" in " ".join(office.bodies("fox").split())
