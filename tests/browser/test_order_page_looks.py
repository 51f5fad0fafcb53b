"""The order page on small and large screens, in light and dark, with assistive technology."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pbem.base.report_json import Report
from pbem.web import order_page
from pbem.web.packed import pack
from tests.browser.seat import SEATS, SIDES, Seat, accepted

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

from tests.browser.surf import CHROMIUM, COVERED, GROWN
from tests.browser.writing import Player, unpacked, writing

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason="Debian's chromium is not installed")


CONTRAST = """() => {
  const rgb = (text) => (text.match(/[\\d.]+/g) || []).map(Number);
  const light = (c) => c.slice(0, 3).map((v) => v / 255)
    .map((v) => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const ground = (e) => {
    for (let at = e; at; at = at.parentElement) {
      const c = rgb(getComputedStyle(at).backgroundColor);
      if (c.length === 3 || c[3] > 0) return c;
    }
    return [255, 255, 255];
  };
  const bad = [];
  for (const e of document.querySelectorAll("body *:not(svg, svg *, script, template, noscript)")) {
    const own = [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
    if (!own || !e.checkVisibility()) continue;
    const [a, b] = [light(rgb(getComputedStyle(e).color)), light(ground(e))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) bad.push([e.tagName, e.className, e.textContent.slice(0, 30), ratio]);
  }
  return bad.map(String);
}"""
SMALL = """(wide) => [...document.querySelectorAll("button, a.main, .file, summary")]
  .filter((e) => e.checkVisibility())
  .map((e) => [e.textContent, e.getBoundingClientRect()])
  .filter(([, b]) => Math.min(b.width, b.height) < 44 || b.left < 0 || b.right > wide)
  .map(([text, b]) => [text, b.width, b.height, b.left])"""
"""What is too small for a finger, 44 pixels each way, or beside the screen."""
NAMELESS = re.compile(
    r"- (button|textbox|combobox|checkbox|link|spinbutton|progressbar|region|img)"
    r"( \[[^]]*\])*:?$",
    re.MULTILINE,
)


def stages(player: Player, seat: Seat) -> Iterator[str]:
    """The page in each of the states that a player sees."""
    yield "opened"
    first = player.find("#composer .units button").last
    first.click()
    yield "a unit"
    if player.find("#all").get_attribute("open") is None:
        player.find("#all > summary").click()
    player.find("#composer .verbs button").first.click()
    player.press("Only if …")
    player.press("A later turn")
    yield "an order"
    player.press("Cancel")
    player.type("FINAL;\nX: hold;\n@" + seat.report["units"][0]["id"] + ": none;\n")
    yield "mistakes"
    player.press("Reset to the form")
    player.find("#make").click()
    yield "a new key"
    player.press("Back")
    player.open_key(seat.key)
    player.find("#sign").click()
    player.find("#save").wait_for()
    yield "signed"


@pytest.mark.some(1)
@pytest.mark.parametrize("wide", [390, 1280])
@pytest.mark.parametrize("name", SIDES)
def test_it_fits_small_and_large_screens_in_light_and_dark(
    name: str, wide: int, seats: Callable[[str], Seat], browser: Browser
) -> None:
    """In every state: nothing is wider than the screen, everything that can be pressed is large
    enough and has a name, and every text stands out from its ground (WCAG 2.1, 1.4.3)."""
    seat, dark = seats(name), wide == 390
    with writing(browser, seat.page, wide, 844, dark, seat.pitch) as player:
        for stage in stages(player, seat):
            assert player.page.evaluate("document.documentElement.scrollWidth") == wide, stage
            assert player.axed() == [], stage
            assert player.page.evaluate(COVERED, ".zoom button") == 0, stage
            assert not NAMELESS.search(player.find("body").aria_snapshot()), stage
            assert player.page.evaluate(SMALL, wide) == [], stage
            for scheme in ("light", "dark"):
                shown(player, scheme == "dark")
                assert player.page.evaluate(CONTRAST) == [], (stage, scheme)
            shown(player, dark)
        player.quiet()


def shown(player: Player, dark: bool) -> None:
    """Let the player's machine be light or dark; the page is what it is."""
    player.page.emulate_media(color_scheme="dark" if dark else "light")
    paper = player.page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (sum(map(int, re.findall(r"\d+", paper))) < 200) == dark


HEADED = "() => document.querySelector('#composer h2').textContent"
FOCUSED = "() => { const e = document.activeElement; return e.id || e.textContent; }"


def tab_to(player: Player, wanted: str) -> None:
    """The Tab key until the element of that id or text has the focus."""
    for _ in range(90):
        player.page.keyboard.press("Tab")
        if player.page.evaluate(FOCUSED) == wanted:
            return
    raise AssertionError(wanted)


def test_a_turn_is_written_and_signed_with_keys_alone(
    bismarck: Seat, browser: Browser, tmp_path: Path
) -> None:
    """The next unit has the focus, the line below the chart says what happened, and the chart has a
    cursor; in fields, letters are letters."""
    with writing(browser, bismarck.page) as player:
        key, hint = player.page.keyboard, player.find("#hint")
        player.open_key(bismarck.key)
        player.page.evaluate("document.activeElement.blur()")
        key.press("n")
        assert player.page.evaluate(FOCUSED) == "ARETHUSA"
        tab_to(player, "Patrol")
        key.press("Enter")
        assert hint.inner_text() == "ARETHUSA: patrol; Next: BIRMINGHAM"
        assert hint.get_attribute("role") == "status"
        assert player.page.evaluate(FOCUSED) == "BIRMINGHAM"
        tab_to(player, "map")
        player.find("#overlay .lit").wait_for()
        key.press("ArrowRight")
        assert hint.inner_text() == "F15, in reach"
        key.press("ArrowLeft")
        assert hint.inner_text().startswith("F14, Birmingham")
        key.press("ArrowLeft")
        key.press("Enter")
        assert "BIRMINGHAM: move F13;" in player.lines()
        tab_to(player, "zone")
        key.type("nu")
        assert player.find("#zone").input_value() == "nu"
        key.press("Control+A")
        key.type("g14")
        key.press("Enter")
        assert "HOOD: move G14;" in player.lines()
        key.press("u")
        assert "HOOD: hold;" in player.lines()
        tab_to(player, "rest")
        key.press("Space")
        assert "Every unit has its order" in player.find("#composer h2").inner_text()
        tab_to(player, "sign")
        key.press("Enter")
        player.find("#save").wait_for()
        player.page.evaluate("document.activeElement.blur()")
        with player.page.expect_download() as waiting:
            tab_to(player, "save")
            key.press("Enter")
        path = tmp_path / "signed.txt"
        waiting.value.save_as(path)
        lines = [line.rstrip(";") for line in player.lines()]
        assert accepted(bismarck, path) == lines
        player.quiet()


def with_report(seat: Seat, folder: Path, **changes: Any) -> Path:
    """The seat's order page of a report in which something else stands."""
    page = folder / "changed.html"
    page.write_bytes(order_page.page(seat.referee.system, Report.of(seat.report | changes)))
    return page


def test_words_of_others_stay_words(toy_seat: Seat, browser: Browser, tmp_path: Path) -> None:
    """Whatever stands in a report, nothing of it becomes markup."""
    hostile = '</script><img src=x onerror="alert(1)"><b>&lt;'
    (unit,) = toy_seat.report["units"]
    page = with_report(
        toy_seat,
        tmp_path,
        title=hostile,
        side_name=hostile,
        label=hostile,
        units=[unit | {"name": hostile, "type": hostile}],
        standing=[f"@HOUND: {hostile}"],
        contacts=[{"id": "TWIG", "type": hostile, "place": "row A", "age": 0}],
        questions=[
            {
                "id": "Q1",
                "kind": "X",
                "about": "",
                "prompt": hostile,
                "rule": hostile,
                "choices": [hostile, "E4"],
                "default": hostile,
            }
        ],
    )
    with writing(browser, page, pitch=100) as player:
        player.unit("HOUND")
        player.verb("move")
        assert hostile in player.find("#head").inner_text()
        assert hostile in player.find("#questions").inner_text()
        assert player.find("img, #workspace b:empty, iframe").count() == 0
        player.quiet()


@pytest.mark.parametrize(
    "markup",
    [
        '<img src="https://pbem.invalid/x.png" alt="">',
        '<object data="data:text/html,x"></object>',
        '<link rel="stylesheet" href="https://pbem.invalid/x.css">',
        "<script>document.title</script>",
        '<iframe src="https://pbem.invalid/"></iframe>',
        '<p style="color:red">x</p>',
        '<script type="module">fetch("https://pbem.invalid/")</script>',
    ],
)
def test_what_does_not_belong_to_the_page_is_stopped(
    markup: str, toy_seat: Seat, browser: Browser, tmp_path: Path
) -> None:
    """The page's policy refuses it, and the tests' own watch sees that."""
    bad = tmp_path / "bad.html"
    text = toy_seat.page.read_text("utf-8")
    bad.write_text(text.replace("<header>", f"{markup}<header>", 1), "utf-8")
    with writing(browser, bad, pitch=100) as player, pytest.raises(AssertionError):
        player.unit("HOUND")
        player.quiet()


def test_another_program_in_its_place_does_not_run(
    toy_seat: Seat, browser: Browser, tmp_path: Path
) -> None:
    """The loader would put it into the page; the policy refuses what has another hash."""
    bad, other = tmp_path / "bad.html", pack(b'document.title = "changed"')
    text = toy_seat.page.read_text("utf-8")
    start = text.index('id="program"')
    own = text[start : text.index("</script>", start)]
    other_own = f'id="program" data-size="{other.size}">{other.text}'
    bad.write_text(text.replace(own, other_own), "utf-8")
    with writing(browser, bad) as player:
        player.find("#old").get_by_text("cannot run the page").wait_for()
        assert player.page.title().startswith("Fox and Hound: orders of")
        assert any("Content Security Policy" in error for error in player.errors)


def test_no_address_stands_in_a_page(seats: Callable[[str], Seat]) -> None:
    """But the names of XML, which nobody opens."""
    for name in SIDES:
        text = unpacked(seats(name).page)
        known = re.findall(r"(?:https?:|(?<![\w+/]))//[a-z][^\s\"'`<)]*", text)  # not in base64
        assert set(known) <= {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}
        assert "@import" not in text
        assert "url(" not in re.sub(r"url\(#", "", text)


def test_pages_are_light(seats: Callable[[str], Seat]) -> None:
    for name in SEATS:
        assert seats(name).page.stat().st_size < order_page.MOST


def test_the_chart_has_every_unit_and_its_orders(bismarck: Seat, browser: Browser) -> None:
    """A route for each way that is ordered, from the unit's own zone."""
    with writing(browser, bismarck.page) as player:
        named = player.find("#ground [id^=unit-]").evaluate_all("(all) => all.map((e) => e.id)")
        assert {name.removeprefix("unit-").replace("_", " ") for name in named} == {
            u["id"] for u in bismarck.report["units"]
        }
        player.type("BIRMINGHAM: move F15 F17;\nSUFFOLK: hold;\n")
        assert player.find("#overlay .route").count() == 1
        way = player.find("#overlay .route").get_attribute("d") or ""
        (x, y), *_ = re.findall(r"([\d.]+) ([\d.]+)", way)
        found = player.page.evaluate(
            "([x, y]) => { const m = document.getElementById('map').getScreenCTM();"
            " return [m.a * x + m.e, m.d * y + m.f]; }",
            [float(x), float(y)],
        )
        wanted = player.places()["F14"]
        assert all(abs(a - b) <= 1 for a, b in zip(found, wanted, strict=True))
        player.quiet()


def test_a_phone_comes_near_enough_to_tap(bismarck: Seat, browser: Browser) -> None:
    """Far out a first tap brings the place nearer, a second one takes the zone."""
    with writing(browser, bismarck.page, 390, 844, has_touch=True, is_mobile=True) as player:
        player.unit("BIRMINGHAM")
        player.verb("move")
        player.find("#map").scroll_into_view_if_needed()
        for _ in range(4):
            player.press("Zoom out")
        before = player.places()
        player.tap("F17")
        assert player.find("#arg-path").input_value() == ""
        after = player.places()
        assert after["F18"][0] - after["F17"][0] > 1.5 * (before["F18"][0] - before["F17"][0])
        player.tap("F17")
        assert player.find("#arg-path").input_value() == "F17"
        player.quiet()


def test_a_page_that_does_not_run_says_so(toy_seat: Seat, browser: Browser, tmp_path: Path) -> None:
    """Without scripts, and where the browser does not know what the script says."""
    bad = tmp_path / "bad.html"
    text = toy_seat.page.read_text("utf-8")
    bad.write_text(text.replace('<script type="module">', '<script type="module">?'), "utf-8")
    with writing(browser, bad, 390, 844) as player:
        player.find("#old").get_by_text("cannot run the page").wait_for()
    with writing(browser, toy_seat.page, java_script_enabled=False) as player:
        assert "open it in a browser" in player.find("noscript").inner_text()
    with writing(browser, toy_seat.page) as player:
        player.unit("HOUND")
        assert player.find("#old").count() == 0


def test_single_keys_rest_beside_the_units_and_when_off(toy_seat: Seat, browser: Browser) -> None:
    """Who speaks to the computer is heard as letters (WCAG 2.1.4)."""
    with writing(browser, toy_seat.page) as player:
        key, switch = player.page.keyboard, player.find("#single")

        def chosen() -> str:
            key.press("Escape")
            key.press("n")
            found = player.page.evaluate(HEADED)
            player.page.evaluate("document.activeElement.blur()")
            return str(found)

        every = chosen()
        player.find("#free > summary").focus()
        key.press("Escape")
        player.find("#free > summary").focus()
        unchosen = player.page.evaluate(HEADED)
        key.press("n")
        assert player.page.evaluate(HEADED) == unchosen != every
        player.find("#map").focus()
        key.press("n")
        assert player.page.evaluate(HEADED) == every
        switch.uncheck()
        player.page.evaluate("document.activeElement.blur()")
        assert chosen() == unchosen
        player.page.reload()
        assert not switch.is_checked()
        assert chosen() == unchosen
        switch.check()
        player.page.reload()
        assert chosen() == every
        player.quiet()


def test_the_chart_makes_room_for_a_keyboard(toy_seat: Seat, browser: Browser) -> None:
    """It stays in sight on a phone, but not over what is being typed."""
    with writing(browser, toy_seat.page, 390, 844, pitch=100) as player:
        place = "getComputedStyle(document.getElementById('chart')).position"
        assert player.page.evaluate(place) == "sticky"
        player.type("HOUND: move E4;")
        player.find("#text").focus()
        assert player.page.evaluate(place) == "relative"
        player.find("#text").blur()
        assert player.page.evaluate(place) == "sticky"


SIZES = """() => {
  const [chart, map, side] = ["chart", "map", "side"].map((id) =>
    document.getElementById(id).getBoundingClientRect());
  return [map.width / map.height, chart.right - side.right, chart.bottom - side.top];
}"""


def test_a_low_chart_is_as_wide_as_the_page(seats: Callable[[str], Seat], browser: Browser) -> None:
    """As high as it is drawn, with the lists below it; one that is not so low has them beside."""
    low, high = seats("far_seas"), seats("bismarck")
    with writing(browser, low.page, 1280, 900) as player:
        scene = low.referee.system.chart(low.report)
        assert scene
        _, _, wide, tall = order_page.board(scene)["frame"]
        shape, aside, below = player.page.evaluate(SIZES)
        assert abs(shape / (wide / tall) - 1) < 0.05
        assert abs(aside) < 1
        assert below <= 0
    with writing(browser, high.page, 1280, 900) as player:
        _, aside, below = player.page.evaluate(SIZES)
        assert aside < -300
        assert below > 0


@pytest.mark.parametrize("wide", [390, 1280])
def test_its_text_grows_with_the_letters_of_its_reader(
    wide: int, bismarck: Seat, browser: Browser
) -> None:
    with writing(browser, bismarck.page, wide, 900) as player:
        texts, fixed = player.page.evaluate(GROWN)
        assert texts > 50
        assert fixed == []
        assert player.page.evaluate("document.body.scrollWidth") <= wide
        assert player.page.evaluate(SMALL, wide) == []


def test_a_phone_may_be_turned(bismarck: Seat, browser: Browser) -> None:
    """The chart is as if it were opened so, unless the player came nearer to something."""

    def view(player: Player, wide: int, high: int) -> str:
        before = player.find("#map").get_attribute("viewBox") or ""
        player.page.set_viewport_size({"width": wide, "height": high})
        player.page.wait_for_function(
            "(old) => document.getElementById('map').getAttribute('viewBox') !== old", arg=before
        )
        return player.find("#map").get_attribute("viewBox") or ""

    phone = {"has_touch": True, "is_mobile": True}
    with writing(browser, bismarck.page, 844, 390, **phone) as player:
        opened = player.find("#map").get_attribute("viewBox")
    with writing(browser, bismarck.page, 390, 844, **phone) as player:
        upright = player.find("#map").get_attribute("viewBox")
        assert view(player, 844, 390) == opened
        assert view(player, 390, 844) == upright
        for _ in range(6):
            player.press("Zoom out")
        whole = player.find("#map").get_attribute("viewBox")
        view(player, 844, 390)
        assert view(player, 390, 844) == whole
        player.press("Zoom in")
        scale = "document.getElementById('map').getScreenCTM().a"
        near = player.page.evaluate(scale)
        view(player, 844, 390)
        assert abs(player.page.evaluate(scale) - near) < 0.001
