"""The replay in a real Chromium: every window and view equals the game, and nothing leaves it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pbem.admin.rulings import read_ruling, rule
from pbem.charts.themes import DARK
from pbem.replay.publish import MOST, publish
from pbem.replay.walk import walk
from pbem.store.game_dir import writing
from tests.browser.replays import GAMES, Replay
from tests.referee import Referee

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

from tests.browser.surf import CHROMIUM, COVERED, check, compare, surfing

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason="Debian's chromium is not installed")

Sample = Callable[[Sequence[int], int], Sequence[int]]


@pytest.mark.some(1)
@pytest.mark.parametrize("name", GAMES)
def test_every_window_and_view_equals_the_game(
    name: str, replays: Callable[[str], Replay], browser: Browser, drawn: Sample
) -> None:
    replay = replays(name)
    windows = sorted({*drawn(replay.windows, 2), *replay.windows[2:4], replay.windows[-1]})
    with surfing(browser, replay.page) as surfer:
        surfer.open()
        assert check(surfer, replay.walk, windows, replay.views) == 3 * len(windows)


@pytest.mark.some(1)
@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("wide", [390, 1280])
def test_it_fits_small_and_large_screens_in_light_and_dark(
    wide: int, name: str, replays: Callable[[str], Replay], browser: Browser
) -> None:
    replay = replays(name)
    with surfing(browser, replay.page, wide, 844) as surfer:
        surfer.open()
        check(surfer, replay.walk, replay.windows[-2:-1], replay.views)
        assert surfer.page.evaluate("document.documentElement.scrollWidth") == wide
        assert surfer.page.evaluate(COVERED, ".zoom button") == 0
        for dark in (False, True):
            surfer.page.emulate_media(color_scheme="dark" if dark else "light")
            paper = surfer.page.evaluate("getComputedStyle(document.body).backgroundColor")
            assert (sum(map(int, re.findall(r"\d+", paper))) < 200) == dark
            land = surfer.page.evaluate(
                "getComputedStyle(document.documentElement).getPropertyValue('--land')"
            )
            assert land == (DARK["land"] if dark else "#eddfb9")
        finger = 44 if wide == 390 else 40
        for button in surfer.page.locator("nav button, nav input, .zoom button").all():
            box = button.bounding_box()
            assert box and box["height"] >= finger
            assert box["x"] >= 0 and box["x"] + box["width"] <= wide
        for fold in surfer.page.locator(".lists > details > summary").all() if wide == 390 else ():
            assert (fold.bounding_box() or {"height": 0})["height"] >= finger


@pytest.mark.parametrize("name", GAMES)
def test_a_page_is_small(name: str, replays: Callable[[str], Replay]) -> None:
    replay = replays(name)
    assert replay.page.stat().st_size < MOST
    if name == "toy":
        assert b'"proofs":true' in replay.page.read_bytes()


NAMES = """() => Object.fromEntries([...document.querySelectorAll("#map text")]
    .filter((t) => /^[A-Z]\\d+$/.test(t.textContent)).map((t) => [t.textContent,
        [Number(t.getAttribute("x")), Number(t.getAttribute("y")) - 3 + 0.36 * 50]]))"""
PLACES = """() => Object.fromEntries([...document.querySelectorAll("#live .mark.unit")]
    .flatMap((g) => g.dataset.ids.split("|").map((id) => [id, [+g.dataset.x, +g.dataset.y]])))"""


def test_counters_of_ships_lie_in_their_zones(
    replays: Callable[[str], Replay], browser: Browser
) -> None:
    """The printed names of the cells say where a zone is, whatever the data says."""
    replay = replays("bismarck")
    window = replay.windows[len(replay.windows) // 2]
    with surfing(browser, replay.page) as surfer:
        surfer.open(f"#w={window}&v=british")
        names = surfer.page.evaluate(NAMES)
        at: dict[str, list[float]] = surfer.page.evaluate(PLACES)
    units = replay.walk.frames[window].reports["british"].plain["units"]
    ships = [u for u in units if u["kind"] == "ship" and u["place"] in names]
    assert len(ships) > 5
    for ship in ships:
        x, y = names[ship["place"]]
        found = at[ship["id"]]
        assert abs(found[0] - x) <= 1
        assert abs(found[1] - y) <= 0.56 * 50


def test_a_ruling_is_read_where_it_was_told(tmp_path: Path, browser: Browser) -> None:
    """The fox was told what the moderator ruled, the hunter that he did; the truth says both."""
    referee = Referee.toy(tmp_path, seed="b")
    said = """text = "the fox is in C3"
        to = ["fox"]
        [[edit]]
        do = "put"
        animal = "FOX"
        zone = "C3"
        """
    with writing(referee.home, referee.name) as game:
        rule(game, referee.system, read_ruling(said, "ruling.toml"), "a slip of mine")
    while not referee.register.over:
        referee.go("fox", "hunter")
    page = publish(referee.read(), referee.system, tmp_path / "r.html").page
    along = walk(referee.read(), referee.system)
    whole, part = (
        "The moderator ruled: the fox is in C3",
        "The moderator ruled. Only the sides that it concerns are told what it says.",
    )
    with surfing(browser, page) as surfer:
        surfer.open("#w=2")
        assert check(surfer, along, [2, 3], range(3)) == 6
        for view, shown in ((0, [whole, part]), (1, [whole]), (2, [part])):
            surfer.turn_to(1, view)
            got = surfer.read()
            assert [text for text, *_ in got["acts"]] == shown
            assert ("a slip of mine" in str(got["acts"])) == (whole in shown)
            assert got["events"] == []
            assert surfer.page.locator("#events").text_content() == "no events"
    leak = page.read_text("utf-8").replace('"m":[[[1],', '"m":[[[1,2],')
    (tmp_path / "leak.html").write_text(leak, "utf-8")
    with surfing(browser, tmp_path / "leak.html") as surfer, pytest.raises(AssertionError):
        check(surfer.open(), along, [2], [2])


@pytest.mark.some(1)
@pytest.mark.parametrize(("wide", "high"), [(1280, 800), (1920, 1080), (1000, 600)])
def test_no_room_is_left_blank_beside_a_wide_board(
    replays: Callable[[str], Replay], browser: Browser, wide: int, high: int
) -> None:
    """Where a map of the world is low, forces, orders and dice stand below it, and all scrolls
    downwards alone."""
    with surfing(browser, replays("far_seas").page, wide, high) as surfer:
        surfer.open()
        chart, told, lists, bar = (
            box
            for q in ("#chart", ".told", ".lists", "nav")
            if (box := surfer.page.locator(q).bounding_box())
        )
        assert abs(chart["x"] - lists["x"]) <= 1 and abs(chart["width"] - lists["width"]) <= 1
        assert 0 < lists["y"] - chart["y"] - chart["height"] < 20
        assert abs(told["y"] + told["height"] - lists["y"] - lists["height"]) <= 1
        assert 0 < told["x"] - chart["x"] - chart["width"] < 20
        assert abs(told["x"] + told["width"] - bar["x"] - bar["width"]) <= 1
        for part in (".told", ".lists"):
            assert surfer.page.locator(part).evaluate("e => e.scrollWidth <= e.clientWidth")


def test_names_stand_within_the_board_and_on_no_port(
    replays: Callable[[str], Replay], browser: Browser
) -> None:
    replay = replays("far_seas")
    with surfing(browser, replay.page) as surfer:
        for window in replay.windows[::4]:
            surfer.open(f"#w={window}&v=german")
            found = surfer.page.evaluate(BOXES)
            assert len(found["labels"]) > 12 and len(found["ports"]) > 12
            left, top, right, bottom = found["frame"]
            for x, y, u, v in found["labels"]:
                assert left <= x and u <= right and top <= y and v <= bottom
            for a in found["labels"]:
                for b in found["ports"]:
                    assert (
                        a[0] >= b[2] - 1 or b[0] >= a[2] - 1 or a[1] >= b[3] - 3 or b[1] >= a[3] - 3
                    )


BOXES = """() => {
  const box = (e) => {
    const { left, top, right, bottom } = e.getBoundingClientRect();
    return [left, top, right, bottom];
  };
  const shown = (q) => [...document.querySelectorAll(q)]
    .filter((e) => e.getAttribute("display") !== "none").map(box);
  return { labels: shown("#live .label"), ports: shown("#map > .name, #map > g > .name"),
    frame: box(document.getElementById("map")) };
}"""


def test_the_buttons(toy: Replay, browser: Browser) -> None:
    with surfing(browser, toy.page) as surfer:
        surfer.open()
        surfer.page.locator("#next").click()
        surfer.page.locator("#next").click()
        surfer.page.locator("#back").click()
        compare(surfer.read(), toy.walk, toy.walk.frames[toy.windows[1]], 0)
        surfer.page.locator("#play").click()
        surfer.page.wait_for_url(f"**#w={toy.windows[2]}&*")
        surfer.page.locator("#play").click()
        surfer.page.locator("#live .mark").first.click()
        picked = surfer.page.locator("#pick").text_content() or ""
        assert "Fox" in picked or "Hound" in picked
        surfer.quiet()


@pytest.mark.parametrize(
    ("link", "index", "view"),
    [
        ("", 0, 0),
        ("#w=4&v=hunter", 3, 2),
        ("#v=fox", 0, 1),
        ("#w=3", 2, 0),
        ("#w=999&v=truth", -1, 0),
        ("#w=2&v=bear", 1, 0),
        ("#w=x&v=<b>", 0, 0),
        ("#nothing", 0, 0),
    ],
)
def test_deep_links(link: str, index: int, view: int, toy: Replay, browser: Browser) -> None:
    with surfing(browser, toy.page) as surfer:
        surfer.open(link)
        compare(surfer.read(), toy.walk, toy.walk.frames[toy.windows[index]], view)
        surfer.page.evaluate("location.hash = '#w=2&v=fox'")
        surfer.page.locator('[data-v="1"][aria-pressed="true"]').wait_for()
        compare(surfer.read(), toy.walk, toy.walk.frames[toy.windows[1]], 1)
        surfer.quiet()


def test_result_and_points_are_in_words(replays: Callable[[str], Replay], browser: Browser) -> None:
    replay = replays("bismarck")
    over = replay.walk.register.over
    assert over
    with surfing(browser, replay.page) as surfer:
        surfer.open(f"#w={replay.windows[-1]}&v=truth")
        words = {
            "british": "Winner: Royal Navy",
            "german": "Winner: Kriegsmarine",
            "draw": "A draw",
        }
        assert surfer.read()["outcome"] == words[over.result]
        why = surfer.page.locator("#why").text_content() or ""
        assert over.why.casefold() in why.casefold() and over.rule in why
        assert any("British" in fact and "German" in fact for fact in surfer.read()["facts"])


def test_the_truth_has_the_facts_that_all_sides_share(
    replays: Callable[[str], Replay], browser: Browser
) -> None:
    """What one side alone is told, its area of deployment, is no fact of the game; each side has
    one heading, though its squadrons stand behind the ships of all."""
    replay = replays("baltic")
    with surfing(browser, replay.page) as surfer:
        surfer.open(f"#w={replay.windows[0]}&v=kalmar")
        assert any("east" in fact for fact in surfer.read()["facts"])
        surfer.open(f"#w={replay.windows[0]}&v=truth")
        shown = surfer.read()["facts"]
        assert shown
        assert not any("east" in fact for fact in shown)
        heads = surfer.page.locator("#units tr.side").all_text_contents()
        assert sorted(heads) == sorted(set(heads))


# The checks are checked: each fault planted in a page is found.


def altered(replay: Replay, tmp_path: Path, change: Callable[[Any], object]) -> Path:
    """The page with other data in it."""
    text = replay.page.read_text("utf-8")
    head, data, tail = re.split(r'(?s)(?<=id="data">)(.*?)(?=</script>)', text, maxsplit=1)
    told = json.loads(data)
    change(told)
    path = tmp_path / "bad.html"
    path.write_text(head + json.dumps(told).replace("<", "\\u003c") + tail, "utf-8")
    return path


def moved(frame: Any, data: Any) -> None:
    unit = frame["u"][1][0]
    x, y = data["points"][unit[2]]
    data["points"].append([x + 4, y])
    unit[2] = len(data["points"]) - 1


def unheld(frame: Any, data: Any) -> None:
    frame["c"] = [side[1:] for side in frame["c"]]


def elsewhere(frame: Any, data: Any) -> None:
    """The plan of one unit leads to another place."""
    unit = next(u for side in frame["u"][1:] for u in side if data["lists"][u[3]])
    data["points"].append([600, 600])
    data["lists"].append([len(data["points"]) - 1])
    unit[3] = len(data["lists"]) - 1


def emptied(key: str) -> Callable[[Any, Any], object]:
    """A layer of the sea is left out."""

    def spoil(frame: Any, data: Any) -> None:
        frame[key] = [data["lists"].index([])] * len(frame[key])

    return spoil


Fault = Callable[[Any, Any], object]
FAULTS: dict[str, Fault] = {
    "an enemy in a side's view": lambda f, d: f["u"][1].append(f["u"][2][0]),
    "a mark beside its place": moved,
    "a unit too few": lambda f, d: f["u"][1].pop(),
    "a unit too few in truth": lambda f, d: f["u"][0].pop(),
    "a contact too few": unheld,
    "an event too few": lambda f, d: f["e"].pop(),
    "an event of the other side": lambda f, d: [e[0].append(1) for e in f["e"] if 1 not in e[0]],
    "a die that fell otherwise": lambda f, d: f["r"][0].__setitem__(2, [9]),
    "orders of another": lambda f, d: f["o"].reverse(),
    "another window": lambda f, d: f.__setitem__("w", 77),
    "night by day": lambda f, d: f.__setitem__("n", [300] * len(f["n"])),
}
OF_ONE: dict[tuple[str, str], Fault] = {
    ("toy", "a roll without its proof"): lambda f, d: f["r"][0].__setitem__(3, ""),
    ("bismarck", "another plan"): elsewhere,
    ("bismarck", "a search too few"): emptied("s"),
    ("bismarck", "no fog"): emptied("d"),
    ("bismarck", "no zone of contact"): emptied("h"),
    ("bismarck", "an aircraft of no base"): lambda f, d: [
        u.__setitem__(4, -1) for side in f["u"] for u in side
    ],
}
NOWHERE = {("atlantic_chase", "an event of the other side")}
"""Faults that fit no window of a game: both sides of this one see the same board."""
PLANTED = {
    **{
        fault: [(name, spoil) for name in GAMES if (name, fault) not in NOWHERE]
        for fault, spoil in FAULTS.items()
    },
    **{fault: [(name, spoil)] for (name, fault), spoil in OF_ONE.items()},
}
"""The games that each fault can be planted in, and how."""


@pytest.mark.some(2)
@pytest.mark.parametrize("fault", PLANTED)
def test_a_planted_fault_is_found(
    fault: str,
    replays: Callable[[str], Replay],
    browser: Browser,
    tmp_path: Path,
    drawn: Callable[[Sequence[tuple[str, Fault]], int], Sequence[tuple[str, Fault]]],
) -> None:
    for name, spoil in drawn(PLANTED[fault], 1):
        found_in(replays(name), spoil, browser, tmp_path)


def found_in(replay: Replay, spoil: Fault, browser: Browser, tmp_path: Path) -> None:
    at: list[int] = []
    bad = altered(replay, tmp_path, lambda data: at.append(planted(data, spoil)))
    with surfing(browser, bad) as surfer, pytest.raises(AssertionError):
        check(surfer.open(), replay.walk, [replay.windows[at[0]]], replay.views)


def planted(data: Any, spoil: Fault) -> int:
    """The first window but the opening one in which the fault can be; it is there now."""
    for n, frame in enumerate(data["frames"][1:], 1):
        before = json.dumps(frame)
        with suppress(IndexError, StopIteration):
            spoil(frame, data)
        if json.dumps(frame) != before:
            return n
    raise LookupError("the fault fits no window")


@pytest.mark.parametrize(
    "markup",
    [
        '<img src="https://pbem.invalid/x.png" alt="">',
        '<img src="data:image/gif;base64,R0lG">',
        '<link rel="stylesheet" href="https://pbem.invalid/x.css">',
        "<script>document.title</script>",
        '<iframe src="https://pbem.invalid/"></iframe>',
        '<p style="color:red">x</p>',
    ],
)
def test_what_does_not_belong_to_the_page_is_found(
    markup: str, toy: Replay, browser: Browser, tmp_path: Path
) -> None:
    bad = tmp_path / "bad.html"
    bad.write_text(toy.page.read_text("utf-8").replace("<main>", f"{markup}<main>"), "utf-8")
    with surfing(browser, bad) as surfer, pytest.raises(AssertionError):
        check(surfer.open(), toy.walk, toy.windows[:1], [0])


def test_words_of_players_stay_words(toy: Replay, browser: Browser, tmp_path: Path) -> None:
    """Whatever stands in the data, nothing of it becomes markup."""
    hostile = "</script><img src=x onerror=alert(1)><b>"

    def plant(data: Any) -> None:
        data["text"] = [hostile for _ in data["text"]]

    with surfing(browser, altered(toy, tmp_path, plant)) as surfer:
        surfer.open("#w=4&v=hunter")
        assert hostile in surfer.read()["events"]
        assert surfer.page.locator("img, b").count() == 0
        surfer.quiet()


def test_hulls_sail_to_where_they_lie_and_stand_still_for_those_who_ask(
    replays: Callable[[str], Replay], browser: Browser
) -> None:
    replay = replays("baltic")
    under_way = "document.getAnimations().filter((a) => a.playState === 'running').length"
    moved: dict[str, int] = {}
    lie = []
    for motion in ("no-preference", "reduce"):
        context = browser.new_context(reduced_motion=motion, offline=True)
        page = context.new_page()
        page.goto(f"{replay.page.as_uri()}#w={replay.windows[4]}&v=truth")
        for _ in range(2):  # in one of two windows telegraphs are set, in the other ships sail
            page.locator("#next").click()
            moved[motion] = max(moved.get(motion, 0), page.evaluate(under_way))
        page.evaluate("Promise.all(document.getAnimations().map((a) => a.finished))")
        assert page.evaluate(under_way) == 0
        lie += [
            page.evaluate(
                "[...document.querySelectorAll('#live .hull')].map((g) => g.getScreenCTM().e)"
            )
        ]
        context.close()
    assert moved["no-preference"] > 3
    assert moved["reduce"] == 0
    assert lie[0] == lie[1]
