"""The order page as reports bring it: attached, or as an address; and the commands that make it."""

from __future__ import annotations

import json
import re
from base64 import b64decode
from email import message_from_bytes
from email.message import Message
from pathlib import Path
from typing import Any
from zlib import decompress

import pytest

import games
from games.toy.game import SYSTEM
from pbem.base.config import read
from pbem.base.report_json import Report
from pbem.errors import Usage
from pbem.web import order_page
from tests.cli.commands import pbem
from tests.conftest import Clock
from tests.encryption import EncryptedReferee, key_of, outside, reads
from tests.mail.office import CONFIG, Office
from tests.referee import Referee

URL = "https://example.org/order-page.html"


def office_with(referee: Referee, setting: str) -> Office:
    """An office whose pbem.toml says so, in window 2."""
    office = Office(referee, setting + CONFIG)
    referee.go("fox", "hunter")
    return office


def mail_of(referee: Referee, side: str) -> Message:
    window = referee.register.window
    return message_from_bytes(referee.read().read("reports", side, str(window), "report.eml"))


def part(mail: Message, name: str) -> bytes | None:
    for each in mail.walk():
        if each.get_filename() == name:
            body = each.get_payload(decode=True)
            return body if isinstance(body, bytes) else None
    return None


def data_of(page: bytes) -> Any:
    """What a page holds."""
    found = re.search(rb'id="data" data-size="(\d+)">([^<]*)<', page)
    assert found
    plain = decompress(b64decode(found[2]), -15)
    assert len(plain) == int(found[1])
    return json.loads(plain)


def test_the_attached_page_is_made_from_the_report(referee: Referee) -> None:
    office_with(referee, 'order_page = "on"\n')
    for side in ("fox", "hunter"):
        page = part(mail_of(referee, side), "order-page.html")
        assert page
        report = referee.report(side)
        assert page == order_page.page(referee.system, Report.of(report), "games@example.org")
        data = data_of(page)
        assert data["report"]["side"] == side
        assert set(data["boards"]["toy"]["units"]) == {u["id"] for u in report["units"]}
        text = (referee.folder / "reports" / side / "2" / "report.txt").read_text("ascii")
        assert "the attached order-page.html" in text
        assert max(map(len, text.splitlines())) <= 72
        html = (referee.folder / "reports" / side / "2" / "report.html").read_text("utf-8")
        assert "<b>order-page.html</b>" in html


def test_as_an_address_it_is_a_line(referee: Referee) -> None:
    office_with(referee, f'order_page = "url"\norder_page_url = "{URL}"\n')
    assert part(mail_of(referee, "fox"), "order-page.html") is None
    text = (referee.folder / "reports" / "fox" / "2" / "report.txt").read_text("ascii")
    assert f"\n  {URL}\n" in text
    html = (referee.folder / "reports" / "fox" / "2" / "report.html").read_text("utf-8")
    assert f' href="{URL}"' in html


@pytest.mark.parametrize("setting", ["", 'order_page = "off"\n', f'order_page_url = "{URL}"\n'])
def test_with_other_settings_no_page_is_attached(referee: Referee, setting: str) -> None:
    office_with(referee, setting)
    assert part(mail_of(referee, "fox"), "order-page.html") is None
    text = (referee.folder / "reports" / "fox" / "2" / "report.txt").read_text("ascii")
    assert "browser" not in text


def test_after_the_end_there_is_nothing_to_write(referee: Referee) -> None:
    Office(referee, 'order_page = "on"\n' + CONFIG)
    while not referee.register.over:
        referee.go("fox", "hunter")
    assert part(mail_of(referee, "fox"), "order-page.html") is None
    text = referee.read().read("reports", "fox", str(referee.register.window), "report.txt")
    assert b"order-page.html" not in text


def test_audits_do_not_depend_on_the_order_page_setting(referee: Referee) -> None:
    office_with(referee, 'order_page = "on"\n')
    assert "order_page" not in referee.report("fox")
    assert referee.audit().whole


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('order_page = "maybe"', "order_page"),
        ('order_page = "url"', "order_page_url is missing"),
        ('order_page_url = "http://example.org/"', "order_page_url is"),
        ('order_page_url = "https://a b"', "order_page_url is"),
        (f'order_page_url = "https://example.org/{"x" * 60}"', "order_page_url is"),
        ("order_page_url = 'https://example.org/\"><b>'", "order_page_url is"),
    ],
)
def test_settings_that_would_not_do_are_named(text: str, said: str) -> None:
    with pytest.raises(Usage, match=said):
        read(text, "pbem.toml")


def test_commands_make_it(
    clock: Clock, referee: Referee, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PBEM_HOME", str(referee.home))
    report = referee.folder / "reports" / "fox" / "1" / "report.json"
    page = order_page.page(referee.system, Report.of(referee.report("fox")))
    assert pbem("report", "g1", "fox", "--format", "page").raw == page
    out = tmp_path / "order-page.html"
    assert pbem("page", report, "-o", out).code == 0
    assert out.read_bytes() == page
    said = pbem("page", report, "--reply", "games@example.org", "--json")
    assert "games@example.org" in said.json["page"]
    blank = pbem("page", "--system", "toy")
    assert data_of(blank.raw)["report"] is None
    assert list(data_of(blank.raw)["titles"]) == ["toy"]
    assert pbem("page", "--system", "chess").code == 3
    assert pbem("page", report, "--system", "toy").code == 2
    assert pbem("page", tmp_path / "none.json").code == 3


def test_nobody_answers_a_last_report(referee: Referee) -> None:
    while not referee.register.over:
        referee.go("fox", "hunter")
    with pytest.raises(Usage, match="does not ask for orders"):
        order_page.page(referee.system, Report.of(referee.report("fox")))


def test_its_size_tells_of_the_view_alone(referee: Referee) -> None:
    """What hides by construction stands outside of the packed data, each as long as another."""
    report = referee.report("fox")
    other = report | {"digest": "f" * 64, "head": "0" * 64}
    other["setup"] = report["setup"] | {"digest": "1" * 64}
    other["moderator"] = report["moderator"] | {"key": "2" * 16}
    one, two = (order_page.page(referee.system, Report.of(r)) for r in (report, other))
    assert len(one) == len(two)
    assert data_of(one) == data_of(two)
    lean = data_of(one)["report"]
    assert set(lean) == set(order_page.KEPT)
    assert lean["units"] == report["units"]


def test_the_page_of_formats_has_the_packed_form() -> None:
    section = (Path(__file__).parents[2] / "docs" / "formats.md").read_text("utf-8")
    section = section[section.index("## Order page") : section.index("## Replay")]
    found = dict(re.findall(r"^    (data|packed|size)  +(.+)$", section, re.MULTILINE))
    plain = decompress(b64decode(found["packed"]), -15)
    assert plain.decode() == found["data"]
    assert len(plain) == int(found["size"])
    named = set(re.findall(r"`([a-z_]+)`", section))
    assert named >= {
        *order_page.KEPT,
        *("digest", "anchors", "setup", "moderator"),
        "drawn",
        "titles",
        "boards",
        "language",
    }


def test_beside_encrypted_mail_lies_a_page_that_opens_it(clock: Clock, tmp_path: Path) -> None:
    """The same for every side and without a game; nothing of it is inside what is encrypted."""
    referee = EncryptedReferee.begun(tmp_path / "home", SYSTEM)
    office_with(referee, f'order_page = "on"\norder_page_url = "{URL}"\n')
    pages = {side: part(mail_of(referee, side), "order-page.html") for side in ("fox", "hunter")}
    assert pages["fox"] == pages["hunter"] == order_page.blank([SYSTEM])
    for side in pages:
        mail = referee.newest(side, "report")
        inner = reads(mail, key_of(side))
        assert "order-page.html" not in inner.parts
        assert b"order-page.html" not in inner.parts["mail.txt"]
        assert "the attached order-page.html opens it with your key" in " ".join(
            outside(mail).split()
        )
        receipt = outside(referee.newest(side, "receipt"))
        assert "order-page.html, which came with your reports, opens it" in " ".join(
            receipt.split()
        )
        assert URL in receipt
        assert part(message_from_bytes(referee.newest(side, "receipt")), "order-page.html") is None
    assert referee.audit().whole


def test_encrypted_mail_may_name_an_address_alone(clock: Clock, tmp_path: Path) -> None:
    referee = EncryptedReferee.begun(tmp_path / "home", SYSTEM)
    office_with(referee, f'order_page = "url"\norder_page_url = "{URL}"\n')
    mail = referee.newest("fox", "report")
    assert part(mail_of(referee, "fox"), "order-page.html") is None
    assert f"  {URL}" in outside(mail).splitlines()
    assert "order-page.html" not in outside(mail).replace(URL, "")
    assert max(map(len, outside(mail).split("<html")[0].splitlines())) <= 78


@pytest.mark.parametrize("name", games.names())
def test_every_page_that_goes_by_mail_is_light(name: str) -> None:
    assert len(order_page.blank([games.load(name)])) < order_page.MOST
