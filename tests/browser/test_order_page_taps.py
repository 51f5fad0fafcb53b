"""A turn on a phone, counted by taps: units, lit places, orders for all others, undo, signing."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import dist
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pbem.base.report_json import Report
from pbem.web import order_page
from tests.browser.seat import ADDRESS, Seat, accepted
from tests.conftest import Clock

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

from tests.browser.surf import CHROMIUM
from tests.browser.writing import Player, writing

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason="Debian's chromium is not installed")
PHONE = {"has_touch": True, "is_mobile": True}
ON_SCREEN = """([x, y]) => { const m = document.getElementById("map").getScreenCTM();
  return [m.a * x + m.e, m.d * y + m.f]; }"""
SEEN = """([x, y]) => Boolean(document.elementFromPoint(x, y)?.closest("#map"))"""
CHOSEN = "() => document.querySelector('#composer .heading h2')?.textContent || ''"


class Finger:
    """Taps on a phone, each of them counted. seat: whose page it is."""

    def __init__(self, player: Player, seat: Seat) -> None:
        self.player, self.taps = player, 0
        scene = seat.referee.system.chart(seat.report)
        assert scene
        self.board: Any = order_page.board(scene)

    def press(self, name: str, within: str = "body") -> None:
        """A button that is on the screen, or to which the player scrolls."""
        self.player.find(within).get_by_role("button", name=name, exact=True).tap()
        self.taps += 1

    def unit(self, name: str) -> None:
        """A unit from the list, which is to be seen."""
        self.player.find(f'[id="unit-of-{name}"]').tap()
        self.taps += 1

    def place(self, name: str) -> None:
        """A place of the chart that is on the screen now: nothing is moved or enlarged before."""
        x, y = self.player.page.evaluate(ON_SCREEN, self.board["cells"][name])
        assert self.player.page.evaluate(SEEN, [x, y]), name
        self.player.page.touchscreen.tap(x, y)
        self.taps += 1

    def chosen(self) -> str:
        """The unit whose orders are shown."""
        found: str = self.player.page.evaluate(CHOSEN)
        return found

    def beside(self, unit: str) -> str:
        """The nearest place to which the unit may go."""
        cells, at = self.board["cells"], self.board["units"][unit]
        self.player.page.wait_for_function("document.querySelector('#overlay .lit')")
        lit = self.player.find("#overlay .lit").get_attribute("d") or ""
        middles = [
            tuple(sum(c) / len(c) for c in zip(*corners(way), strict=True))
            for way in lit.split("Z")
            if way
        ]
        near = sorted(middles, key=lambda m: dist(m, at))
        return str(min(cells, key=lambda name: dist(cells[name], near[0])))


def corners(way: str) -> list[tuple[float, float]]:
    """The points of a path of straight lines."""
    return [(float(x), float(y)) for x, y in re.findall(r"(-?[\d.]+) (-?[\d.]+)", way)]


@contextmanager
def phone(browser: Browser, seat: Seat) -> Iterator[Finger]:
    with writing(browser, seat.page, 390, 844, False, seat.pitch, **PHONE) as player:
        yield Finger(player, seat)
        player.quiet()


def remember(player: Player, key: Path) -> None:
    """The key is opened once, and the device asked to remember it; then the page opens anew."""
    player.open_key(key)
    player.find("#remember").check()
    player.find("#key").get_by_text("remembered here").wait_for()
    player.page.reload()
    player.find("#key").get_by_text("remembered here").wait_for()


def test_the_first_british_turn_takes_eighteen_taps_and_two_to_sign(
    bismarck: Seat, browser: Browser, tmp_path: Path
) -> None:
    """Seven ships and eight reconnaissance aircraft, one tap each: the next one is chosen."""
    with phone(browser, bismarck) as finger:
        player = finger.player
        remember(player, bismarck.key)
        finger.unit("ARETHUSA")
        wanted: dict[str, str] = {}
        while (unit := finger.chosen()) and len(wanted) < 15:
            verb = "fly" if unit[-1].isdigit() else "move"
            if unit in ("NORFOLK", "SUFFOLK"):
                finger.press("Patrol")
                wanted[unit] = f"{unit}: patrol"
            elif unit == "BRITISH":
                finger.press("Search all (suggested)")
            else:
                to = finger.beside(unit)
                finger.place(to)
                wanted[unit] = f"{unit}: {verb} {to}"
        assert len(wanted) == 15
        assert finger.taps <= 18
        before = finger.taps
        finger.press(f"Sign {len(player.lines())} orders")
        player.find("#save").wait_for()
        path = player.saved("#save", tmp_path)
        assert finger.taps + 1 - before <= 2
    taken = accepted(bismarck, path)
    assert set(wanted.values()) <= set(taken)


def test_an_average_turn_takes_nine_taps(bismarck: Seat, browser: Browser, tmp_path: Path) -> None:
    """Three ships sail, all others hold, two taps to sign."""
    with phone(browser, bismarck) as finger:
        player = finger.player
        remember(player, bismarck.key)
        for unit in ("BIRMINGHAM", "HOOD", "MANCHESTER"):
            while (chosen := finger.chosen()) and chosen != unit:
                finger.press("‹ All")
            if not chosen:
                finger.unit(unit)
            finger.place(finger.beside(unit))
        finger.press("All others hold")
        assert "Every unit has its order" in player.find("#composer h2").inner_text()
        finger.press(f"Sign {len(player.lines())} orders")
        path = player.saved("#save", tmp_path)
        assert finger.taps + 1 <= 9
    assert len(accepted(bismarck, path)) == 8


def test_raiders_sail_by_one_tap_each(
    seats: Callable[[str], Seat], browser: Browser, tmp_path: Path
) -> None:
    """Far Seas, ten raiders: by areas on the chart, and by their names below it."""
    seat = seats("far_seas")
    with phone(browser, seat) as finger:
        player = finger.player
        remember(player, seat.key)
        finger.unit("CAP TRAFALGAR")
        finger.press("8 Atlantic Narrows (St Paul Rocks)")
        assert "CAP TRAFALGAR: move 8;" in player.lines()
        seen = 1
        while finger.chosen() and seen < 5:
            finger.place(finger.beside(finger.chosen()))
            seen += 1
        finger.press("All others cruise")
        assert finger.taps == 7
        finger.press(f"Sign {len(player.lines())} orders")
        path = player.saved("#save", tmp_path)
    assert len(accepted(seat, path)) == 11


def test_a_spell_takes_a_tap_a_course(
    seats: Callable[[str], Seat], browser: Browser, tmp_path: Path
) -> None:
    """Atlantic Chase: two tankers sail on, and the programme ends as proposed."""
    seat = seats("atlantic_chase")
    with phone(browser, seat) as finger:
        player = finger.player
        remember(player, seat.key)
        finger.press("As suggested")
        finger.unit("KG2")
        finger.place(finger.beside("KG2"))
        assert finger.chosen() == "KG3"
        finger.place(finger.beside("KG3"))
        assert finger.taps == 4
        finger.press(f"Sign {len(player.lines())} orders")
        path = player.saved("#save", tmp_path)
    assert len([line for line in accepted(seat, path) if "course" in line]) == 2


def test_2nd_fleet_takes_three_taps_and_then_eight(
    tmp_path: Path, browser: Browser, clock: Clock
) -> None:
    """The first flights as proposed; then a segment in which two submarines sail."""
    seat = Seat(tmp_path, "second_fleet")
    with phone(browser, seat) as finger:
        remember(finger.player, seat.key)
        finger.press("As suggested")
        assert signed(finger, seat, tmp_path) == 3
    seat.play_on()
    with phone(browser, seat) as finger:
        remember(finger.player, seat.key)
        for unit in ("GATO", "TFLGR"):
            finger.unit(unit)
            finger.place(finger.beside(unit))
            if finger.chosen():
                finger.press("‹ All")
        finger.press("As suggested")
        assert signed(finger, seat, tmp_path) == 9


def test_baltic_takes_two_taps_and_then_nine(
    tmp_path: Path, browser: Browser, clock: Clock
) -> None:
    """The line as proposed; then a telegraph for each vessel and squadron."""
    seat = Seat(tmp_path, "baltic")
    with phone(browser, seat) as finger:
        remember(finger.player, seat.key)
        assert signed(finger, seat, tmp_path) == 2
    seat.play_on()
    with phone(browser, seat) as finger:
        remember(finger.player, seat.key)
        finger.unit("VASA")
        for _ in range(5):
            finger.press("full")
        finger.press("Bid 1 first (suggested)")
        assert sum("speed full" in line for line in finger.player.lines()) == 5
        assert signed(finger, seat, tmp_path) == 9


def signed(finger: Finger, seat: Seat, folder: Path) -> int:
    """All taps, once the orders are signed, sent and taken."""
    finger.press(f"Sign {len(finger.player.lines())} orders")
    assert accepted(seat, finger.player.saved("#save", folder))
    return finger.taps + 1


def test_what_was_filled_in_is_undone_in_one_step(bismarck: Seat, browser: Browser) -> None:
    with phone(browser, bismarck) as finger:
        player = finger.player
        finger.unit("HOOD")
        finger.place(finger.beside("HOOD"))
        lines = player.lines()
        finger.press("All others hold")
        assert player.lines() == lines
        finger.press("Undo")
        assert "7 units not decided yet" in player.find("#composer").inner_text()
        finger.press("Undo")
        assert "HOOD: hold;" in player.lines()
        assert player.find("#undo").is_disabled()


def test_orders_of_last_turn_are_taken_in_one_tap(
    toy_seat: Seat, browser: Browser, tmp_path: Path
) -> None:
    """What was signed here for the window before, as far as it is legal now."""
    with writing(browser, toy_seat.page, 390, 844, False, toy_seat.pitch, **PHONE) as player:
        assert player.find("#as-last").is_disabled()
        player.page.evaluate(
            "localStorage.setItem('pbem desk last g1 hunter', '0\\nHOUND: move E4;\\nX: hold;')"
        )
        player.page.reload()
        player.press("As last turn")
        assert player.lines() == ["HOUND: move E4;"]
        player.open_key(toy_seat.key)
        player.sign(tmp_path)
        kept = player.page.evaluate("localStorage.getItem('pbem desk last g1 hunter')")
        assert kept == "1\nHOUND: move E4;"
        player.quiet()


def test_orders_of_last_turn_come_with_the_report(
    toy_seat: Seat, browser: Browser, tmp_path: Path
) -> None:
    """What counted, wherever it was written."""
    page = tmp_path / "order-page.html"
    report = Report.of({**toy_seat.report, "ordered": ["HOUND: move E4;", "X: hold;"]})
    page.write_bytes(order_page.page(toy_seat.referee.system, report, ADDRESS))
    with writing(browser, page, 390, 844, False, toy_seat.pitch, **PHONE) as player:
        player.press("As last turn")
        assert player.lines() == ["HOUND: move E4;"]
        player.quiet()


def test_locked_units_say_why(bismarck: Seat, browser: Browser) -> None:
    with phone(browser, bismarck) as finger:
        player = finger.player
        locked = [u["id"] for u in bismarck.report["units"] if u.get("tied")]
        marked = player.find("#composer li.locked button").evaluate_all(
            "(all) => all.map((e) => e.id)"
        )
        assert {m.removeprefix("unit-of-") for m in marked} == set(locked)
        assert player.find("#overlay .locked").count() >= 3
        finger.unit("RODNEY")
        (why,) = [u["tied"] for u in bismarck.report["units"] if u["id"] == "RODNEY"]
        assert why in player.find("#composer .heading").inner_text()
        assert player.find("#overlay .lit").count() == 0


def test_a_tap_after_typing_is_not_lost(bismarck: Seat, browser: Browser) -> None:
    """Neither the field nor the chart moves what is under the finger."""
    with phone(browser, bismarck) as finger:
        player = finger.player
        player.unit("BIRMINGHAM")
        player.verb("move")
        player.find("#arg-path").tap()
        player.page.keyboard.type("F15")
        player.find("#add").evaluate("(e) => e.scrollIntoView({ block: 'start' })")
        player.page.evaluate("scrollBy(0, -30)")
        box = player.find("#add").bounding_box()
        assert box
        player.page.mouse.move(box["x"] + 20, box["y"] + 20)
        player.page.mouse.down()
        player.page.wait_for_timeout(60)
        player.page.mouse.up()
        assert "BIRMINGHAM: move F15;" in player.lines()


def test_nothing_is_redrawn_under_a_finger(bismarck: Seat, browser: Browser) -> None:
    """What changes between press and release waits for the click."""
    with phone(browser, bismarck) as finger:
        player = finger.player
        player.unit("BIRMINGHAM")
        box = (
            player.find("#composer").get_by_role("button", name="Patrol", exact=True).bounding_box()
        )
        assert box
        player.page.mouse.move(box["x"] + 10, box["y"] + 10)
        player.page.mouse.down()
        player.page.evaluate(
            "() => { const t = document.getElementById('text'); t.value = 'HOOD: hold;\\n';"
            " t.dispatchEvent(new Event('input')); }"
        )
        player.page.mouse.up()
        assert player.lines() == ["HOOD: hold;", "BIRMINGHAM: patrol;"]


@pytest.mark.some(1)
@pytest.mark.parametrize("name", ["bismarck", "far_seas", "atlantic_chase"])
def test_letters_of_the_chart_can_be_read(
    name: str, seats: Callable[[str], Seat], browser: Browser
) -> None:
    """Ten pixels high, or not there at all; at every distance, on phone and desk."""
    script = """() => [...document.querySelectorAll("#ground text")]
      .filter((t) => t.style.display !== "none" && t.textContent.trim())
      .map((t) => [t.textContent, parseFloat(getComputedStyle(t).fontSize)
        * document.getElementById("map").getScreenCTM().a])
      .filter(([, size]) => size < 9.99)"""
    seat = seats(name)
    for wide in (390, 1280):
        with writing(browser, seat.page, wide, 844, False, seat.pitch) as player:
            assert player.page.evaluate(script) == []
            for _ in range(3):
                player.press("Zoom out")
                assert player.page.evaluate(script) == []
            zoom = player.find("#map").bounding_box()
            button = player.find("#in").bounding_box()
            assert zoom
            assert button
            assert button["y"] >= zoom["y"] + zoom["height"] - 1
            player.quiet()


def test_a_remembered_key_of_another_game_is_offered_and_not_opened(
    toy_seat: Seat, bismarck: Seat, browser: Browser
) -> None:
    context = browser.new_context(offline=True)
    first = Player(context.new_page(), toy_seat.page, 0)
    first.open_key(toy_seat.key)
    first.find("#remember").check()
    first.find("#key").get_by_text("remembered here").wait_for()
    other = Player(context.new_page(), bismarck.page, 0)
    other.find("#key").get_by_text("Use the remembered key hunter").wait_for()
    assert other.find("#sign").is_disabled()
    other.open_key(bismarck.key)
    other.find("#remember").check()
    other.find("#key").get_by_text("remembered here").wait_for()
    for player, name in ((first, "hunter"), (other, "british")):
        player.page.reload()
        key = player.find("#key")
        key.get_by_text("remembered here").wait_for()
        assert f"Key open, remembered here: {name}" in key.inner_text()
    other.press("Forget the key")
    other.find("#key").get_by_text("Use the remembered key hunter").wait_for()
    context.close()
