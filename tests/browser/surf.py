"""A real browser, and the comparison of a replay page with its game."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from math import dist
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from pbem.charts.viewport import PAD, RULER, TOP
from pbem.replay.walk import Frame, Walk
from pbem.scene import Point, Scene, Unit
from pbem.view import UnitView
from tests.charts.test_chart import stands

CHROMIUM = next(
    filter(Path.exists, map(Path, ("/usr/bin/chromium-headless-shell", "/usr/bin/chromium"))),
    Path("/usr/bin/chromium"),
)
"""Debian's Chromium. The headless shell is the same engine and three times as fast."""
FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage")
COVERED = """(selector) => {
  const map = document.getElementById("map").getBoundingClientRect();
  const covers = (r) => r.width && r.left < map.right && r.right > map.left
    && r.top < map.bottom && r.bottom > map.top;
  return [...document.querySelectorAll(selector)]
    .filter((e) => covers(e.getBoundingClientRect())).length;
}"""
"""How many elements lie over the map."""
GROWN = """() => {
  const texts = [...document.querySelectorAll("body *")]
    .filter((e) => !e.closest("svg, script, style, template, noscript"))
    .filter((e) => [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim()));
  const sizes = () => texts.map((e) => parseFloat(getComputedStyle(e).fontSize));
  const before = sizes();
  document.documentElement.style.fontSize = "24px";
  const after = sizes();
  return [texts.length, texts.filter((_, i) => Math.abs(after[i] / before[i] - 1.5) > 0.01)
    .map((e) => `${e.tagName}.${e.className}: ${e.textContent.trim().slice(0, 30)}`)];
}"""
"""Gives the reader letters of 24 pixels instead of 16: how many texts there are, and those that do
not grow with them."""
Mark = tuple[str, int, tuple[str, ...]]

READ = r"""() => {
  const text = (e) => e.textContent, all = (q) => [...document.querySelectorAll(q)];
  const board = document.getElementById("map").getScreenCTM();
  return {
    board: [board.a, board.e, board.f],
    grown: Number(/scale\(([\d.]+)\)|$/.exec(
      document.querySelector("#live .mark")?.getAttribute("transform") || "")[1] || 1),
    marks: all("#live .mark").map((g) => {
      const m = g.getScreenCTM();
      const kind = ["unit", "base", "plane", "contact"].find((k) => g.classList.contains(k));
      return [kind, Number(g.dataset.side), g.dataset.ids.split("|"), m.e, m.f];
    }),
    paths: all("#live > path").map((p) => {
      const m = p.getScreenCTM();
      return [p.classList[0], p.getAttribute("d"), [m.a, m.e, m.f]];
    }),
    units: all("#units tr.unit-row").map((r) => [...r.cells].map(text)),
    contacts: all("#contacts li[data-id]").map((e) => e.dataset.id),
    places: all("#contacts li[data-id] small").map(text),
    acts: all("#acts li").map((e) => [...e.childNodes].map(text)),
    events: all("#events li:not(.none)").map((e) => e.firstChild.textContent),
    rolls: all("#rolls li:not(.none)").map((e) => [...e.querySelectorAll(".die")].map(text)),
    labels: all("#rolls li:not(.none) > div").map((e) => e.lastChild.textContent),
    proofs: all("#rolls code").map(text),
    proved: JSON.parse(text(document.getElementById("data"))).proofs,
    orders: all("#orders pre").map(text),
    none: all("#orders p").map(text),
    when: text(document.getElementById("when")), who: text(document.getElementById("who")),
    pressed: all("#views [aria-pressed=true]").map((e) => e.dataset.v), hash: location.hash,
    facts: all("#facts dd").map(text), outcome: text(document.getElementById("outcome")),
  };
}"""

SHOW = """([index, view]) => {
  const slider = document.getElementById("slider");
  slider.value = index;
  slider.dispatchEvent(new Event("input", { bubbles: true }));
  document.querySelector(`#views [data-v="${view}"]`).click();
}"""


class Surfer:
    """One page, what it asked of the network, and what it complained of."""

    def __init__(self, page: Page, file: Path) -> None:
        self.page, self.file = page, file
        self.asked: list[str] = []
        self.errors: list[str] = []
        page.on("request", lambda r: self.asked.append(r.url))
        page.on("pageerror", lambda e: self.errors.append(str(e)))
        page.on("console", lambda m: self.errors.append(m.text) if m.type != "log" else None)

    def open(self, fragment: str = "") -> Surfer:
        self.page.goto(f"{self.file.as_uri()}{fragment}")
        return self

    def show(self, index: int, view: int) -> None:
        """As `turn_to`, by a script: in half the time."""
        self.page.evaluate(SHOW, [index, view])

    def turn_to(self, index: int, view: int) -> None:
        """A window by the slider, then a view by its button, as a hand does it."""
        self.page.locator("#slider").fill(str(index))
        self.page.locator(f'#views [data-v="{view}"]').click()

    def read(self) -> Any:
        return self.page.evaluate(READ)

    def quiet(self) -> None:
        """Assert that the page made no request and had no error."""
        own = self.file.as_uri()
        assert [url for url in self.asked if url.partition("#")[0] != own] == []
        assert self.errors == []


@contextmanager
def chromium() -> Iterator[Browser]:
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        yield browser
        browser.close()


@contextmanager
def surfing(
    browser: Browser, file: Path, wide: int = 1280, high: int = 900, dark: bool = False
) -> Iterator[Surfer]:
    context = browser.new_context(
        reduced_motion="reduce",
        viewport={"width": wide, "height": high},
        offline=True,
        color_scheme="dark" if dark else "light",
    )
    yield Surfer(context.new_page(), file)
    context.close()


def check(surfer: Surfer, walk: Walk, windows: Sequence[int], views: Sequence[int]) -> int:
    """Every one of these windows in these views equals the game; how many were looked at."""
    known = sorted(walk.frames)
    for window in windows:
        for view in views:
            surfer.show(known.index(window), view)
            compare(surfer.read(), walk, walk.frames[window], view)
    surfer.quiet()
    return len(windows) * len(views)


def owner(frame: Frame, sides: Sequence[str], unit: UnitView) -> int:
    """The number of the side whose unit it is: the page lists the units of each together."""
    known = (unit.id, unit.name, unit.type, unit.place)
    for number, side in enumerate(sides):
        rows = frame.reports[side].plain["units"]
        if any((u["id"], u["name"], u["type"], u["place"]) == known for u in rows):
            return number
    return len(sides)


def compare(got: Any, walk: Walk, frame: Frame, view: int) -> None:
    """Compare what a page shows with one frame."""
    sides = [str(s) for s in walk.register.sides]
    side = sides[view - 1] if view else ""
    report = frame.reports[side].plain if side else {}
    truth = sorted(frame.truth, key=lambda unit: owner(frame, sides, unit))
    units = (
        report["units"]
        if view
        else [{"name": u.name, "type": u.type, "place": u.place} for u in truth]
    )
    assert got["units"] == [[u["name"], u["type"], u["place"]] for u in units]
    drawn = {c["id"] for c in stands(report, "contacts")} if view else ()
    contacts = [c for c in report["contacts"] if c["id"] in drawn] if view else []
    assert sorted(got["contacts"]) == sorted(c["id"] for c in contacts)
    for contact in contacts:
        assert any(text.startswith(contact["place"]) for text in got["places"])
    told = [t for t in frame.told if not view or side in t.to]
    assert len(got["events"]) == len(told)
    if view and frame.closed:
        assert got["events"] == [e["text"] for e in report["events"]]
    acts = [a for a in frame.acts if not view or side in a.to]
    assert [act[0] for act in got["acts"]] == [a.text for a in acts]
    rolls = [r for r in frame.rolls if not view or side in r.to]
    assert got["rolls"] == [[str(d) for d in r.dice] for r in rolls]
    assert got["labels"] == [r.label for r in rolls]
    assert len(got["proofs"]) == (sum(bool(r.proof) for r in rolls) if got["proved"] else 0)
    orders = [frame.orders[s] for s in sides if frame.closed and side in ("", s)]
    assert got["orders"] == ["\n".join(o) or "nothing ordered" for o in orders if o is not None]
    assert got["when"].startswith(f"Window {frame.window} of {max(walk.frames)} · {frame.label}")
    assert got["hash"] == f"#w={frame.window}&v={side or 'truth'}"
    assert got["pressed"] == [str(view)]
    compare_marks(got, expected(walk, frame, view, got["grown"]))
    compare_paths(got, drawn_under(walk, frame, view))


def compare_marks(got: Any, wanted: dict[Mark, Point]) -> None:
    """Every mark, none else, within one pixel of its place on the screen."""
    scale, left, top = got["board"]
    drawn = {(kind, side, tuple(sorted(ids))): (x, y) for kind, side, ids, x, y in got["marks"]}
    assert len(drawn) == len(got["marks"])
    assert sorted(drawn) == sorted(wanted), {*drawn} ^ {*wanted}
    for mark, (x, y) in wanted.items():
        there = (left + scale * x, top + scale * y)
        assert dist(drawn[mark], there) <= 1, (mark, drawn[mark], there)


def compare_paths(got: Any, wanted: dict[str, list[list[Point]]]) -> None:
    """Night, fog, search, ways and reaches: each where it should be within a pixel, none else."""
    found: dict[str, list[list[Point]]] = {}
    for name, text, placed in got["paths"]:
        assert placed == got["board"]
        found.setdefault(name, []).append(points(text))
    assert sorted(found) == sorted(name for name, ways in wanted.items() if ways)
    for name, ways in found.items():
        assert len(ways) == len(wanted[name]), name
        for way in ways:
            assert any(near(way, other) for other in wanted[name]), (name, way)
        for way in wanted[name]:
            assert any(near(way, other) for other in ways), (name, way)


def points(path: str) -> list[Point]:
    """The corners of a path of straight lines."""
    found: list[Point] = []
    for step, x, _, y in re.findall(r"([MLHV])(-?[\d.]+)( (-?[\d.]+))?", path):
        u, v = found[-1] if found else (0.0, 0.0)
        found.append((u, float(x)) if step == "V" else (float(x), float(y) if y else v))
    return found


def near(one: list[Point], other: list[Point]) -> bool:
    return len(one) == len(other) and all(map(lambda a, b: dist(a, b) <= 1, one, other))


def drawn_under(walk: Walk, frame: Frame, view: int) -> dict[str, list[list[Point]]]:
    """What lies under the marks of a view, from its charts alone."""
    sides = [str(s) for s in walk.register.sides]
    scenes = {s: scene for s in sides if (scene := frame.scenes[s])}
    own = scenes if not view else {sides[view - 1]: scenes[sides[view - 1]]}
    base = scenes[sides[view - 1 if view else 0]]
    units = [(s, u) for s, scene in own.items() for u in scene.units]
    contacts = base.contacts if view else ()
    found: dict[str, list[list[Point]]] = {
        "wake": legs(wake(walk, frame, s, u) for s, u in units if u.role in ("counter", "member")),
        "plan": [placed(base, (u.at, *u.plan)) for _, u in units],
        "flight": [placed(base, (u.base, u.at)) for _, u in units if u.role == "flying" and u.base],
        "trail": legs(placed(base, (*c.trail, c.at)) for c in contacts if c.at),
        "course": [toward(base, c.at, c.ahead) for c in contacts if c.at and c.ahead],
    }
    found = {name: unlike([w for w in ways if len(w) > 1]) for name, ways in found.items()}
    found["ring"] = unlike([placed(base, c.ring) for c in contacts if c.ring])
    found["area"] = unlike([outlines(base, c.cells) for c in contacts if c.cells])
    shown = {"fog": base.fog} | ({"searched": base.searched, "found": base.found} if view else {})
    found |= {name: [outlines(base, cells)] if cells else [] for name, cells in shown.items()}
    if base.night is not None:
        found["night"] = [night(base, base.night)]
    return found


def wake(walk: Walk, frame: Frame, side: str, unit: Unit) -> list[Point]:
    """Where a unit was in the windows before: in eight, on a map of areas in one."""
    known = sorted(w for w in walk.frames if w <= frame.window)
    scenes = [s for w in known if (s := walk.frames[w].scenes[side])]
    back = 1 if scenes[0].grid.shape == "area" else 8
    way = [u.at for s in scenes[-1 - back :] for u in s.units if u.id == unit.id]
    west, _, east, _ = scenes[-1].window
    around = back == 1 and abs(way[0][0] - way[-1][0]) > (east - west) / 2
    return [] if around else placed(scenes[-1], way)


def placed(scene: Scene, way: Iterable[Point]) -> list[Point]:
    """A way in pixels, each place once in a row."""
    found: list[Point] = []
    for x, y in (pixel(scene, at) for at in way):
        at = round(x, 1), round(y, 1)
        if not found or found[-1] != at:
            found.append(at)
    return found


def legs(ways: Iterable[list[Point]]) -> list[list[Point]]:
    """The pieces of ways, each drawn from west to east."""
    return [sorted(piece) for way in ways for piece in pairwise(way)]


def unlike(ways: list[list[Point]]) -> list[list[Point]]:
    return [way for n, way in enumerate(ways) if way not in ways[:n]]


def toward(scene: Scene, start: Point, end: Point) -> list[Point]:
    """An arrow of 40 pixels."""
    (x, y), (u, v) = pixel(scene, start), pixel(scene, end)
    share = 40 / dist((x, y), (u, v))
    return [(x, y), (x + (u - x) * share, y + (v - y) * share)]


def outlines(scene: Scene, cells: Iterable[str]) -> list[Point]:
    """The corners of cells, one after the other."""
    grid = scene.grid
    return [pixel(scene, corner) for n in cells if n in grid.cells for corner in grid.outline(n)]


def night(scene: Scene, edge: float) -> list[Point]:
    """The dark part of the board."""
    west, north, east, south = scene.window
    edge = min(max(edge, north), south)
    (left, top), (right, bottom) = pixel(scene, (west, edge)), pixel(scene, (east, south))
    return [(left, top), (right, top), (right, bottom), (left, bottom)]


APART = 28
"""From the middle of one mark of a stack to the next, where marks have their own size."""


def expected(walk: Walk, frame: Frame, view: int, grown: float) -> dict[Mark, Point]:
    """The marks of a view and where their middles are on the board, from its charts alone.

    grown: how much larger marks are than the board.
    """
    shown = range(1, len(walk.register.sides) + 1) if not view else [view]
    scenes = {n: s for n in shown if (s := frame.scenes[str(walk.register.sides[n - 1])])}
    stacks: dict[Point, list[Mark]] = {}
    found: dict[Mark, Point] = {}
    first = next(iter(scenes.values()))
    for n, scene in scenes.items() if view else ():
        for at in dict.fromkeys(c.at for c in scene.contacts if c.at):
            ids = sorted(c.id for c in scene.contacts if c.at == at)
            stacks.setdefault(at, []).append(("contact", n, tuple(ids)))
    for n, scene in scenes.items():
        for at, units in by_place(scene, flying=False).items():
            kind = "base" if all(u.role == "based" for u in units) else "unit"
            ids = sorted(u.id for u in units)
            stacks.setdefault(at, []).append((kind, n, tuple(ids)))
        for at, units in by_place(scene, flying=True).items():
            x, y = pixel(first, at)
            mark = ("plane", n, tuple(sorted(u.id for u in units)))
            found[mark] = (x - 0.34 * first.pitch, y - 0.3 * first.pitch)
    for at, marks in stacks.items():
        for i, mark in enumerate(marks):
            x, y = pixel(first, at)
            aside = -12 if mark[0] == "base" else 0
            down = (i - (len(marks) - 1) / 2) * APART * grown
            found[mark] = (x + aside, y + aside + down)
    return found


def by_place(scene: Scene, flying: bool) -> dict[Point, list[Unit]]:
    found: dict[Point, list[Unit]] = {}
    for unit in scene.units:
        if (unit.role == "flying") == flying:
            found.setdefault(unit.at, []).append(unit)
    return found


def pixel(scene: Scene, at: Point) -> Point:
    west, north, _, _ = scene.window
    ruler = RULER if scene.mesh else 0
    return PAD + ruler + (at[0] - west) * scene.pitch, TOP + ruler + (at[1] - north) * scene.pitch
