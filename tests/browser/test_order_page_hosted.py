"""The order page without a report: it opens a saved report.json, and answers joining letters."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import games
from pbem.admin.letters import invite
from pbem.admin.setup import Choices, create
from pbem.base.gzipped import gzipped
from pbem.base.hashing import canonical_json
from pbem.base.report_menu import lengthened
from pbem.base.report_usual import MANY
from pbem.bots.bot_orders import Match
from pbem.dice.chains import DiceChains
from pbem.outbound import report_files
from pbem.player.joining import answer, read_join, read_letter
from pbem.reports.report import encoded
from pbem.store.game_dir import writing as opened
from pbem.web import order_page
from tests.browser.seat import SIDES, Seat, accepted, private_file, unremarked
from tests.conftest import Clock
from tests.referee import Referee, key_of

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

from tests.browser.surf import CHROMIUM
from tests.browser.writing import Player, toolbox, writing

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Browser

pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason="Debian's chromium is not installed")


@pytest.fixture(scope="module")
def hosted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page as a moderator lays it at an address."""
    page = tmp_path_factory.mktemp("hosted") / "order-page.html"
    page.write_bytes(order_page.blank([games.load(name) for name in SIDES]))
    return page


@pytest.fixture
def blank(hosted: Path, browser: Browser) -> Iterator[Player]:
    with writing(browser, hosted) as player:
        yield player
        player.quiet()


def report_of(seat: Seat, folder: Path) -> Path:
    """The file as it comes with a mail: packed if it is long."""
    content = canonical_json(seat.saved)
    packed = report_files.is_packed([content])
    path = folder / ("report.json.gz" if packed else "report.json")
    path.write_bytes(gzipped(content) if packed else content)
    return path


@pytest.mark.some(1)
@pytest.mark.parametrize("name", SIDES)
def test_a_saved_report_is_opened_and_answered(
    name: str, seats: Callable[[str], Seat], blank: Player, tmp_path: Path
) -> None:
    """The same orders as on the page of that report, and every own unit on the chart."""
    seat = seats(name)
    blank.lift = 0.36 * seat.pitch
    assert not blank.find("#workspace").is_visible()
    blank.find("#report").set_input_files(report_of(seat, tmp_path))
    blank.find("#workspace").wait_for()
    assert blank.lines() == unremarked(seat.report["suggest"])
    places = {u["place"] for u in seat.report["units"] if not u.get("force")}
    assert blank.find("#marks .unit").count() == len(places)
    unit, zone = ("HOUND", "E4") if name == "toy" else ("BIRMINGHAM", "F15")
    blank.unit(unit)
    blank.verb("move")
    blank.tap(zone)
    blank.press("Add the order")
    blank.open_key(seat.key)
    lines = [line.rstrip(";") for line in blank.lines()]
    assert f"{unit}: move {zone}" in lines
    assert accepted(seat, blank.sign(tmp_path)) == lines


def test_many_units_are_read_as_the_program_reads_them(browser: Browser, tmp_path: Path) -> None:
    """The file states once what they have in common, by type too."""
    match = Match(games.load("second_fleet"), "banner", {"logistics": "yes"}, "many")
    match.window()
    with toolbox(browser, tmp_path) as page:
        for side in match.drive.sides:
            saved = json.loads(encoded(match.report(side).plain)[1])
            assert ("usual_by_type" in saved) == (len(saved["units"]) >= MANY)
            read, told = page.evaluate("(saved) => t.lengthened(saved)", saved), lengthened(saved)
            for key in ("units", "contacts", "events", "menu"):
                assert read[key] == told[key], key


def test_two_reports_are_opened_one_after_the_other(
    seats: Callable[[str], Seat], blank: Player, tmp_path: Path
) -> None:
    """As on an installed page that stays open: orders are the second's, one press is one step."""
    blank.lift = 36
    for name in ("bismarck", "toy"):
        (folder := tmp_path / name).mkdir()
        blank.find("#report").set_input_files(report_of(seats(name), folder))
        blank.page.locator("#head", has_text=games.load(name).title).wait_for()
    for zone in ("E4", "D5"):
        blank.unit("HOUND")
        blank.tap(zone)
    assert blank.lines() == ["HOUND: move D5;"]
    blank.press("Undo")
    assert blank.lines() == ["HOUND: move E4;"]


def test_it_holds_no_game(hosted: Path) -> None:
    """Public data alone: the empty boards and the languages."""
    text = hosted.read_text("utf-8")
    assert '<script type="application/json" id="known">{}</script>' in text
    for name in SIDES:
        scene = order_page.blank_scene(games.load(name))
        assert scene
        assert not (scene.units or scene.contacts or scene.deadline or scene.title)
    assert hosted.stat().st_size < 2 * order_page.MOST


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"hello", "not from the referee"),
        (b"{}", "not from the referee"),
        (b"[1]", "not from the referee"),
        (b'{"format":"pbem-setup/1"}', "not from the referee"),
        (b'{"format":"pbem-report/1"', "not from the referee"),
        (b"", "not from the referee"),
        (b'{"format":"pbem-report/1","digest":"0"}', "altered or cut short"),
        (b"age-encryption.org/v1\n-> X25519 x\n\n--- x\n", "mail is encrypted"),
        (b"-----BEGIN AGE ENCRYPTED FILE-----", "mail is encrypted"),
    ],
)
def test_other_files_are_named(content: bytes, said: str, blank: Player, tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_bytes(content)
    blank.find("#report").set_input_files(path)
    blank.find("#opener-said p").wait_for()
    assert said in blank.find("#opener-said").inner_text()
    assert not blank.find("#workspace").is_visible()


def test_an_altered_report_is_refused(
    blank: Player, seats: Callable[[str], Seat], tmp_path: Path
) -> None:
    seat = seats("toy")
    for change, said in (({"turn": 7}, "altered"), ({"system": "baltic"}, "altered")):
        path = tmp_path / "report.json"
        path.write_bytes(canonical_json(seat.saved | change))
        blank.find("#report").set_input_files(path)
        blank.find("#opener-said .fault").wait_for()
        assert said in blank.find("#opener-said").inner_text()
    packed = tmp_path / "report.json.gz"
    packed.write_bytes(gzipped(canonical_json(seat.saved | {"turn": 7})))
    blank.find("#report").set_input_files(packed)
    blank.find("#opener-said .fault").wait_for()
    assert "altered" in blank.find("#opener-said").inner_text()
    pretty = tmp_path / "pretty.json"
    pretty.write_text(json.dumps(seat.saved, indent=2), "utf-8")
    blank.find("#report").set_input_files(pretty)
    blank.find("#workspace").wait_for()


def letter(home: Path, dice: str = "fast") -> tuple[Referee, str]:
    """A new game and the joining letter of its fox."""
    system = games.load("toy")
    create(home, system, "g1", Choices(dice=dice))
    with opened(home, "g1") as game:
        text = invite(game, system, "fox", "fox@example.org", "")
    return Referee(home, system), text


def test_a_joining_letter_is_answered(clock: Clock, blank: Player, tmp_path: Path) -> None:
    """Byte for byte what `pbem join` writes with the same key."""
    _, text = letter(tmp_path / "home")
    (tmp_path / "k").write_bytes(private_file(key_of("fox").wire, "fox"))
    blank.find("#joiner > summary").click()
    blank.find("#letter").fill("\n".join(f"> {line}" for line in text.splitlines()))
    blank.find("#my-name").fill("Günter")
    blank.press("Write the answer")
    assert "key first" in blank.find("#join-said").inner_text()
    blank.open_key(tmp_path / "k")
    blank.press("Write the answer")
    blank.find("#answer").wait_for()
    found = blank.find("#answer").inner_text()
    wanted = answer(read_letter(text.encode()), DiceChains(key_of("fox")), "Günter")
    assert found.strip() == wanted.strip()
    assert read_join(found.encode())["name"] == "Günter"


def test_a_forged_letter_is_refused(clock: Clock, blank: Player, tmp_path: Path) -> None:
    _, text = letter(tmp_path / "home")
    (tmp_path / "k").write_bytes(private_file(key_of("fox").wire, "fox"))
    blank.find("#joiner > summary").click()
    blank.open_key(tmp_path / "k")
    begin = text.index("BEGIN SEAL") + 15
    swapped = "a" if text[begin] != "a" else "b"
    for bad, said in (
        (text[:begin] + swapped + text[begin + 1 :], "not as the moderator signed"),
        (text.replace("END LETTER", ""), "no complete BEGIN LETTER"),
        ("", "no complete BEGIN LETTER"),
    ):
        blank.find("#letter").fill(bad)
        blank.press("Write the answer")
        blank.find("#join-said .fault").wait_for()
        assert said in blank.find("#join-said").inner_text()


def test_forces_along_a_line_are_drawn_along_it(
    seats: Callable[[str], Seat], browser: Browser, tmp_path: Path
) -> None:
    """Trajectories of Atlantic Chase: a line for each, and its mark in the middle."""
    seat, page = seats("atlantic_chase"), tmp_path / "order-page.html"
    page.write_bytes(order_page.blank([games.load("atlantic_chase")]))
    every = [*seat.report["units"], *seat.report["contacts"]]
    rows = [row for row in every if len(row.get("piece", {}).get("line", ())) > 1]
    with writing(browser, page) as player:
        player.find("#report").set_input_files(report_of(seat, tmp_path))
        player.find("#workspace").wait_for()
        assert player.find("#marks .line").count() == len(rows) > 1
