"""What a command says of a damaged file: which one, and where in it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pbem.base.report_json import Report
from pbem.reports.mailed import NAMES
from pbem.reports.report import digest
from tests.cli.commands import pbem
from tests.referee import Referee

Change = Callable[[dict[str, Any]], None]
ROOT = Path(__file__).parents[2]
TEMPLATES = ROOT / "templates"
SAMPLES = ROOT / "tests" / "reports" / "samples"
SAMPLE = SAMPLES / "bismarck-british.json"


def altered(folder: Path, change: Change) -> Path:
    """A report with a digest that fits, as no accident makes it."""
    report = json.loads(SAMPLE.read_bytes())
    change(report)
    path = folder / "report.json"
    path.write_text(json.dumps(report | {"digest": digest(report)}))
    return path


PLACES: dict[str, tuple[Change, str]] = {
    "a number for a place": (
        lambda r: r["units"][3].update(place=7),
        "units[3].place: Expected `str`, got `int`",
    ),
    "no deadline": (lambda r: r.pop("deadline"), "Object missing required field `deadline`"),
    "a list of menus": (lambda r: r.update(menu=[]), "menu: Expected `object`, got `array`"),
    "a set-up that is cut": (
        lambda r: r["setup"].update(text=r["setup"]["text"][:90]),
        "setup.text:1:91: Input data was truncated",
    ),
    "another set-up": (
        lambda r: r["setup"].update(text='{"game": 1}'),
        "setup.text: game: Expected `str`, got `int`",
    ),
    "a place on no map": (
        lambda r: r["units"][3].update(place="ZZ99"),
        "a value that its game does not know",
    ),
}


@pytest.mark.parametrize("what", PLACES)
@pytest.mark.parametrize("command", ["chart", "page", "form"])
def test_the_place_in_a_report_is_named(what: str, command: str, tmp_path: Path) -> None:
    change, words = PLACES[what]
    path = altered(tmp_path, change)
    said = pbem(command, path)
    if "no map" in what and command != "chart":
        return  # nobody else looks it up
    assert said.code == 2
    assert f"error: {path}" in said.err
    assert words in said.err
    assert not said.raw


def test_a_report_that_is_cut_is_named_with_line_and_column(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    path.write_text('{"format": "pbem-report/1",\n "game" 3}')
    said = pbem("form", path)
    assert (said.code, said.raw) == (2, b"")
    assert f"{path}:2:9: JSON is malformed: expected ':'" in said.err


def test_nothing_is_called_verified_before_all_is(tmp_path: Path) -> None:
    assert pbem("keygen", "-o", tmp_path / "my.key").code == 0
    path = altered(tmp_path, lambda r: r.update(events=[{"kind": "Heard"}]))
    said = pbem("read", path, "--key", tmp_path / "my.key")
    assert said.code == 2
    assert "verified" not in said.err
    assert f"{path}: events[0]: Object missing required field `text`" in said.err


def test_links_in_a_file_that_nobody_signed_come_on_no_page(tmp_path: Path) -> None:
    """A page of a mail has a link to the order page; report.json never names one."""
    assert pbem("keygen", "-o", tmp_path / "my.key").code == 0
    links = {"order_page": {"url": "javascript:alert(1)", "file": "order-page.html"}}
    more = {"chart": [{"cid": "https://example.org", "said": "a chart"}], "earlier": [links]}
    more |= {"reply": "wolf@example.org"}
    said = pbem("form", path := altered(tmp_path, lambda r: r.update(links | more)))
    assert said.code == 0
    said = pbem("read", path, "--key", tmp_path / "my.key", "-o", tmp_path / "new")
    assert said.code == 0 and "not signed" in said.err
    pages = (tmp_path / "new" / name for name in ("report.html", "report.txt"))
    for page in (said.out, *(page.read_text("utf-8") for page in pages)):
        assert not any(word in page for word in ("javascript:", "order-page.html", "example.org"))


def test_what_only_mails_add_to_a_report_is_known() -> None:
    sources = (*TEMPLATES.glob("*/*.j2"), *(ROOT / "pbem" / "reports").glob("*.py"))
    asked = r"(?:report|plain)(?:\|maybe\(|\.get\()\"(\w+)"
    read = {key for path in sources for key in re.findall(asked, path.read_text("utf-8"))}
    assert read - set(Report.__struct_fields__) == set(NAMES)


@pytest.mark.parametrize("value", ["NaN", "Infinity", "1e999"])
def test_a_lock_notice_with_an_invalid_number_is_refused(value: str, tmp_path: Path) -> None:
    assert pbem("keygen", "-o", tmp_path / "my.key").code == 0
    path = tmp_path / "lock.json"
    path.write_text('{"format": "pbem-lock/1", "window": ' + value + "}")
    said = pbem("reveal", path, "--key", tmp_path / "my.key")
    assert said.code == 2
    assert f"error: {path}:1:" in said.err


# What the referee issued himself


def test_a_report_on_the_disk_must_be_the_one_that_was_issued(referee: Referee) -> None:
    """Orders are judged by it; altered by anybody, it would let through what may not be."""
    path = referee.folder / "reports" / "fox" / "1" / "report.json"
    sound, orders = path.read_bytes(), referee.orders("fox", referee.suggested("fox"))
    path.write_bytes(sound.replace(b'"turn":1', b'"turn":2'))
    before = len(referee.records)
    for command in (("receive", "g1", "-"), ("report", "g1", "fox", "--json")):
        said = pbem("--home", referee.home, *command, stdin=orders.encode())
        assert said.code == 5
        assert f"{path} was altered: its digest differs from the one in the ledger" in said.err
        assert "move it away: the original is in private/issued" in said.err
    assert len(referee.records) == before
    path.unlink()
    assert pbem("--home", referee.home, "receive", "g1", "-", stdin=orders.encode()).code == 0
    assert pbem("--home", referee.home, "report", "g1", "fox", "--json").raw == sound


def test_without_a_copy_a_damaged_report_is_to_be_restored(referee: Referee) -> None:
    for path in (referee.folder / "private" / "issued").iterdir():
        path.write_bytes(b"rubbish\n")
    path = referee.folder / "reports" / "fox" / "1" / "report.json"
    path.write_bytes(b"{}")
    said = pbem("--home", referee.home, "report", "g1", "fox", "--json")
    assert said.code == 5
    assert "restore it from a copy of the game's folder" in said.err


@pytest.mark.parametrize("name", ["moderator", "addresses.json"])
def test_a_damaged_private_file_is_named(name: str, referee: Referee) -> None:
    path = referee.folder / "private" / name
    path.write_bytes(b'{"fox": [{"email": 3}]}')
    said = pbem("--home", referee.home, "run", "g1", "--now")
    assert said.code == 5
    assert str(path) in said.err
