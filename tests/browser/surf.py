"""A real browser, and a replay page held against the game that it was made from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from math import dist
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from pbem.margins import PAD
from pbem.paper import TOP
from pbem.replay import Frame, Walk
from pbem.scene import Point, Scene, Unit

CHROMIUM = Path("/usr/bin/chromium")
FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage")
Mark = tuple[str, int, tuple[str, ...]]

READ = """() => {
  const text = (e) => e.textContent, all = (q) => [...document.querySelectorAll(q)];
  const board = document.getElementById("map").getScreenCTM();
  return {
    board: [board.a, board.e, board.f],
    marks: all("#live .mark").map((g) => {
      const m = g.getScreenCTM();
      const kind = ["unit", "base", "plane", "contact"].find((k) => g.classList.contains(k));
      return [kind, Number(g.dataset.side), g.dataset.ids.split("|"), m.e, m.f];
    }),
    units: all("#units tr.unit-row").map((r) => [...r.cells].map(text)),
    contacts: all("#contacts li[data-id]").map((e) => e.dataset.id),
    places: all("#contacts li[data-id] small").map(text),
    events: all("#events li:not(.none)").map((e) => e.firstChild.textContent),
    rolls: all("#rolls li:not(.none)").map((e) => [...e.querySelectorAll(".die")].map(text)),
    labels: all("#rolls li:not(.none) > div").map((e) => e.lastChild.textContent),
    proofs: all("#rolls code").map(text),
    orders: all("#orders pre").map(text),
    none: all("#orders p").map(text),
    when: text(document.getElementById("when")), who: text(document.getElementById("who")),
    pressed: all("#views [aria-pressed=true]").map((e) => e.dataset.v), hash: location.hash,
    facts: all("#facts dd").map(text), outcome: text(document.getElementById("outcome")),
  };
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

    def turn_to(self, index: int, view: int) -> None:
        self.page.locator("#slider").fill(str(index))
        self.page.locator(f'#views [data-v="{view}"]').click()

    def read(self) -> Any:
        return self.page.evaluate(READ)

    def quiet(self) -> None:
        """Nothing left the page and nothing went wrong in it."""
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
        viewport={"width": wide, "height": high}, offline=True,
        color_scheme="dark" if dark else "light",
    )  # fmt: skip
    yield Surfer(context.new_page(), file)
    context.close()


def check(surfer: Surfer, walk: Walk, windows: Sequence[int], views: Sequence[int]) -> int:
    """Every one of these windows in these views equals the game; how many were looked at."""
    known = sorted(walk.frames)
    for window in windows:
        for view in views:
            surfer.turn_to(known.index(window), view)
            compare(surfer.read(), walk, walk.frames[window], view)
    surfer.quiet()
    return len(windows) * len(views)


def compare(got: Any, walk: Walk, frame: Frame, view: int) -> None:
    """What a page shows against one frame."""
    sides = [str(s) for s in walk.register.sides]
    side = sides[view - 1] if view else ""
    report = frame.reports.get(side, {})
    units = report["units"] if view else [
        {"name": u.name, "type": u.type, "place": u.place} for u in frame.truth]  # fmt: skip
    assert got["units"] == [[u["name"], u["type"], u["place"]] for u in units]
    contacts = report["contacts"] if view else []
    assert sorted(got["contacts"]) == sorted(c["id"] for c in contacts)
    for contact in contacts:
        assert any(text.startswith(contact["place"]) for text in got["places"])
    told = [t for t in frame.told if not view or side in t.to]
    assert len(got["events"]) == len(told)
    if view and frame.closed:
        assert got["events"] == [e["text"] for e in report["events"]]
    rolls = [r for r in frame.rolls if not view or side in r.to]
    assert got["rolls"] == [[str(d) for d in r.dice] for r in rolls]
    assert got["labels"] == [r.label for r in rolls]
    assert len(got["proofs"]) == sum(bool(r.proof) for r in rolls)
    orders = [frame.orders[s] for s in sides if frame.closed and side in ("", s)]
    assert got["orders"] == ["\n".join(o) or "nothing ordered" for o in orders if o is not None]
    assert got["when"].startswith(f"Window {frame.window} of {max(walk.frames)} · {frame.label}")
    assert got["hash"] == f"#w={frame.window}&v={side or 'truth'}"
    assert got["pressed"] == [str(view)]
    compare_marks(got, expected(walk, frame, view))


def compare_marks(got: Any, wanted: dict[Mark, Point]) -> None:
    """Every mark, none else, within one pixel of its place on the screen."""
    scale, left, top = got["board"]
    drawn = {(kind, side, tuple(sorted(ids))): (x, y) for kind, side, ids, x, y in got["marks"]}
    assert len(drawn) == len(got["marks"])
    assert sorted(drawn) == sorted(wanted)
    for mark, (x, y) in wanted.items():
        assert dist(drawn[mark], (left + scale * x, top + scale * y)) <= 1, mark


def expected(walk: Walk, frame: Frame, view: int) -> dict[Mark, Point]:
    """The marks of a view and where their middles are on the board, from its charts alone."""
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
            down = (i - (len(marks) - 1) / 2) * 0.56 * first.pitch
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
    return PAD + (at[0] - west) * scene.pitch, TOP + (at[1] - north) * scene.pitch
