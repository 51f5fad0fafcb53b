"""One drawing code for every kind of board: hexes of both sorts, staggered squares and areas, over
the real coast, with sixty units and everything else that a chart can show.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from hashlib import sha256
from io import BytesIO
from itertools import combinations, pairwise
from math import dist
from pathlib import Path
from xml.etree import ElementTree

import msgspec
import pytest

import games
from pbem.bots.bot_orders import Match
from pbem.charts import chart
from pbem.charts.counters import ASIDE
from pbem.charts.frame import HEAD
from pbem.charts.themes import THEMES, rgb, seeds
from pbem.charts.viewport import PAD, TOP
from pbem.model import Side
from pbem.scene import Point, Scene
from pbem.testing.texts import golden
from tests.charts.boards import BOARDS

DIGESTS = Path(__file__).parent / "charts" / "boards.txt"
SVG = "{http://www.w3.org/2000/svg}"


def areas() -> Scene:
    """The one board of areas that a game has."""
    match = Match(games.load("far_seas"), "war", {}, "boards")
    match.window()
    found = games.load("far_seas").chart(match.report(Side("british")).plain)
    assert found
    return found


KINDS: dict[str, Callable[[], Scene]] = {**BOARDS, "areas": areas}


@cache
def scene(kind: str) -> Scene:
    return KINDS[kind]()


@cache
def drawn(kind: str, theme: str = "light", detail: bool = False) -> str:
    return chart.svg(scene(kind), theme, detail)


def pixel(shown: Scene, at: Point) -> Point:
    west, north, _, _ = shown.window
    return PAD + (at[0] - west) * shown.pitch, TOP + (at[1] - north) * shown.pitch


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("detail", [False, True])
def test_no_two_names_of_sixty_units_overlap(kind: str, detail: bool) -> None:
    shown = scene(kind)
    assert len(shown.units) >= 60
    laid = chart.layout(shown, THEMES["light"], detail)
    boxes = [name["rect"] for name in laid["names"]]
    assert not [
        (a, b)
        for a, b in combinations(boxes, 2)
        if a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
    ]
    left, top, wide, high = map(float, laid["frame"])
    assert all(
        a >= left and b >= top and c <= left + wide and d <= top + high for a, b, c, d in boxes
    )


@pytest.mark.parametrize("kind", KINDS)
def test_every_unit_and_contact_is_named_and_nothing_else(kind: str) -> None:
    shown, found = scene(kind), {"unit": [""], "contact": [""]}
    for element in ElementTree.fromstring(drawn(kind)).iter():
        what, _, name = element.get("id", "").partition("-")
        if what in found:
            found[what].append(name)
    slug = chart_slug
    assert sorted(found["unit"][1:]) == sorted(slug(u.id) for u in shown.units)
    assert sorted(found["contact"][1:]) == sorted(slug(c.id) for c in shown.contacts)


def chart_slug(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9]", "_", name)


def spots(kind: str) -> list[Point]:
    """Where counters, diamonds and aircraft stand, from the drawing alone."""
    root = ElementTree.fromstring(drawn(kind))
    moved = [e.get("transform", "") for e in root.iter() if e.tag in (f"{SVG}g", f"{SVG}path")]
    found = [re.fullmatch(r"translate\(([\d.]+) ([\d.]+)\)", text) for text in moved]
    return [(float(m[1]), float(m[2])) for m in found if m]


@pytest.mark.parametrize("kind", KINDS)
def test_marks_stand_where_the_scene_says(kind: str) -> None:
    """Within a pixel of the middle of its cell, if it stands there alone."""
    shown, found = scene(kind), spots(kind)
    enemies = {c.at for c in shown.contacts}
    alone = {u.at for u in shown.units if u.role == "counter"} - enemies
    assert len(alone) > 10
    for at in alone:
        assert min(dist(spot, pixel(shown, at)) for spot in found) <= 1, at
    aloft = [u.at for u in shown.units if u.role == "flying"]
    for at in (a for a in aloft if a in alone):
        x, y = pixel(shown, at)
        assert min(dist(spot, (x - ASIDE[0], y - ASIDE[1])) for spot in found) <= 1
    own = {u.at for u in shown.units}
    for at in (at for at in enemies if at):
        x, y = pixel(shown, at)
        y -= 0.2 * shown.pitch if at in own else 0
        assert min(dist(spot, (x, y)) for spot in found) <= 1


def edges(mesh: str) -> Iterator[tuple[Point, Point]]:
    """The straight pieces of a path."""
    number = r"(-?[\d.]+)"
    for x, y, level, down, dx, dy in re.findall(
        rf"M{number} {number}(?:H{number}|v{number}|l{number} {number})", mesh
    ):
        u = float(level) if level else round(float(x) + float(dx or 0), 1)
        v = round(float(y) + float(down or dy or 0), 1)
        a, b = (float(x), float(y)), (u, v)
        yield min(a, b), max(a, b)


@pytest.mark.parametrize("kind", KINDS)
def test_every_edge_of_every_cell_is_drawn_once(kind: str) -> None:
    shown = scene(kind)
    pieces = list(edges(chart.layout(shown, THEMES["light"], inline=True)["grid"]))
    assert len(pieces) == len(set(pieces))
    level: dict[float, list[Point]] = {}
    for (x, y), (u, v) in pieces:
        if y == v:
            level.setdefault(y, []).append((x, u))
    for spans in level.values():
        assert all(a[1] < b[0] for a, b in pairwise(sorted(spans)))
    for name in shown.grid.cells:
        corners = [pixel(shown, p) for p in shown.grid.outline(name)]
        rounded = [(round(x, 1), round(y, 1)) for x, y in corners]
        for a, b in pairwise([*rounded, rounded[0]]):
            low, high = min(a, b), max(a, b)
            if a[1] == b[1]:
                assert any(x <= low[0] and high[0] <= u for x, u in level[a[1]]), name
            elif a != b:
                assert (low, high) in pieces, name


@pytest.mark.parametrize("kind", KINDS)
def test_cells_carry_their_names(kind: str) -> None:
    shown = scene(kind)
    laid = chart.layout(shown, THEMES["light"], inline=True)
    texts = {n: (float(x), float(y)) for x, y, n in laid["cells"]}
    lift = 0 if shown.grid.shape == "area" else 0.36
    inside = [n for n in shown.grid.cells if n not in shown.grid.faint]
    assert len(texts) > 0.85 * len(inside)
    for name, (x, y) in texts.items():
        u, v = shown.grid.cells[name]
        assert dist((x, y), pixel(shown, (u, v - lift))) <= 3.2


def test_shades_of_areas_say_their_names() -> None:
    """Names of areas may be numbers, so that a bare figure could be taken for one."""
    shown = scene("areas")
    likely = dict.fromkeys(list(shown.grid.cells)[:3], 0.3)
    heated = msgspec.structs.replace(shown, heat=likely, caption="where is everybody we ever met?")
    for detail in (False, True):
        laid = chart.layout(heated, THEMES["light"], detail)
        assert [text for _, _, text in laid["figures"]] == [f"{c}: 30%" for c in sorted(likely)]
        assert not likely.keys() & {name for _, _, name in laid["cells"]}
        assert not detail or float(laid["head_size"]) < HEAD


@pytest.mark.recorded
def test_boards_look_as_they_did() -> None:
    """A digest of each drawing; after a change of the drawing look at the pictures."""
    lines = [
        f"{kind} {theme}{' detail' if detail else ''}: "
        f"{sha256(drawn(kind, theme, detail).encode()).hexdigest()[:16]}\n"
        for kind in BOARDS
        for theme in THEMES
        for detail in (False, True)
    ]
    golden(DIGESTS, "".join(lines))


@pytest.mark.some(1)
@pytest.mark.parametrize("theme", THEMES)
def test_a_board_of_hexes_as_png_has_size_and_palette(theme: str) -> None:
    from PIL import Image

    from pbem.charts.png import png

    text = drawn("hexes", theme)
    shown = Image.open(BytesIO(png(text, theme)))
    root = ElementTree.fromstring(text)
    assert [str(n) for n in shown.size] == [root.get("width"), root.get("height")]
    assert shown.mode == "P"
    palette = shown.getpalette() or []
    held = {tuple(palette[i : i + 3]) for i in range(0, len(palette), 3)}
    assert {rgb(colour) for colour in seeds(THEMES[theme])} <= held
    used = {colour for _, colour in shown.convert("RGB").getcolors(100_000) or ()}
    for key in ("own", "foe", "land", "paper", "ink", "frame"):
        assert rgb(THEMES[theme][key]) in used, key
