"""The button of an HTML report: a mail to the referee with the form's set in it."""

from __future__ import annotations

import json
import re
from email import message_from_bytes
from html import unescape
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from pbem.reports import render
from pbem.reports.mailed import Mailed
from pbem.turns.reminders import reminder
from tests.mail.office import Office
from tests.referee import Referee, key_of, signed

SAMPLES = Path(__file__).parent.parent / "reports" / "samples"
LINK = re.compile(r'href="(mailto:[^"]*)"')


def opened(page: str) -> tuple[str, str, str]:
    """Address, subject and body of the mail that the page's button opens."""
    (link,) = set(LINK.findall(page))
    parts = urlsplit(unescape(link))
    fields = parse_qs(parts.query, strict_parsing=True)
    return parts.path, fields["subject"][0], fields["body"][0]


def page_of(referee: Referee, side: str, window: int) -> str:
    return (referee.folder / "reports" / side / str(window) / "report.html").read_text()


def test_the_button_opens_a_mail_with_a_set_that_only_wants_a_signature(office: Office) -> None:
    referee = office.referee
    for side in ("fox", "hunter"):
        referee.order(side, referee.suggested(side))
    referee.run()
    to, subject, body = opened(page_of(referee, "fox", 2))
    assert (to, subject) == ("games@example.org", "g1 window 2: orders")
    assert "\r\n" in body
    office.mail("fox", body, subject)
    office.one()
    assert "Not in force: these orders are not signed" in " ".join(office.bodies("fox").split())
    (outcome,) = referee.receive(signed(body, key_of("fox")))
    assert outcome.status == "accepted"
    assert referee.audit().whole


@pytest.mark.parametrize("order_page", ["", 'order_page = "on"'])
def test_what_looks_like_giving_orders_gives_them(office: Office, order_page: str) -> None:
    """A link whose mail is not signed says so; the way to give orders is the page, or the form."""
    settings = office.referee.home / "pbem.toml"
    settings.write_text(f"{order_page}\n{settings.read_text()}")
    office.referee.go("fox", "hunter")
    page = page_of(office.referee, "fox", 2)
    (said,) = re.findall(r'href="mailto:[^>]*>(.*?)</a>', page)
    assert "Have orders checked" in said and "(not signed)" in said
    how = "the attached order-page.html" if order_page else "sign the attached orders.txt"
    assert "Give orders:</b> " in page and how in page


def test_a_reminder_names_the_page_of_the_report(office: Office) -> None:
    settings = office.referee.home / "pbem.toml"
    settings.write_text('order_page = "on"\n' + settings.read_text())
    game = office.referee.read()
    said = message_from_bytes(reminder(game, "fox"))
    (page,) = (p for p in said.walk() if p.get_content_type() == "text/html")
    shown = page.get_payload(decode=True)
    assert isinstance(shown, bytes)
    assert b"open the order-page.html of your report" in shown and b"(not signed)" in shown


def test_a_hosted_page_has_the_button(office: Office) -> None:
    settings = office.referee.home / "pbem.toml"
    there = 'order_page = "url"\norder_page_url = "https://o.example/p.html"\n'
    settings.write_text(there + settings.read_text())
    office.referee.go("fox", "hunter")
    page = page_of(office.referee, "fox", 2)
    assert page.count(">Give orders</a>") == 2 and "mailto:" not in page


def test_a_report_that_was_audited_knows_no_address(office: Office) -> None:
    """The button is in the page; report.json, which an audit makes again, is without."""
    office.referee.go("fox", "hunter")
    assert "reply" not in office.referee.report("fox")
    assert "games@example.org" not in json.dumps(office.referee.report("fox"))
    assert office.referee.audit().whole


def test_without_an_address_there_is_no_button(referee: Referee) -> None:
    assert not LINK.findall(page_of(referee, "fox", 1))


def test_a_set_too_long_for_a_link_leaves_its_orders_out() -> None:
    report = json.loads((SAMPLES / "bismarck-british.json").read_text())
    mailed = Mailed(reply="a+b@c.example")
    to, _, body = opened(render.html(report, mailed))
    assert (to, report["suggest"][0] in body) == ("a+b@c.example", True)
    _, _, body = opened(render.html(report | {"suggest": report["suggest"] * 3}, mailed))
    assert len(body) < render.LONGEST_LINK
    assert report["suggest"][0] not in body


def test_nothing_in_a_report_gets_out_of_the_link() -> None:
    report = json.loads((SAMPLES / "toy-hunter.json").read_text())
    report |= {"suggest": ['HOUND: move D5;"><b>&body=x']}
    page = render.html(report, Mailed(reply='x"><script>@example.org'))
    assert "<script>" not in page
    to, _, body = opened(page)
    assert to == "x%22%3E%3Cscript%3E@example.org"
    assert "&body=x" in body


def test_after_the_end_there_is_nothing_to_answer() -> None:
    report = json.loads((SAMPLES / "toy-fox-over.json").read_text())
    assert not LINK.findall(render.html(report, Mailed(reply="a@b.example")))
