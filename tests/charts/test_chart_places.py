"""A picture against the view that it was drawn from: each thing stands in its place by the printed
names of the cells, and there is nothing else. The check is checked by planted faults.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import cache
from itertools import combinations
from math import dist

import pytest

import games
from pbem.charts.chart import layout
from pbem.charts.label_placement import Rect
from pbem.charts.themes import THEMES
from pbem.model import Plain
from pbem.scene import Point
from tests.charts.test_chart import drawn, ids, report, stands, views
from tests.systems import CELLED, of_each

Report = Plain
AT = r'transform="translate\(([\d.]+) ([\d.]+)\)"'
MARKS = {
    "counter": re.compile(rf'<g {AT}>(?!<title>|<path d="M)'),
    "plane": re.compile(rf'<g {AT} fill="#'),
    "contact": re.compile(rf'<path {AT} d="M0-1[14]'),
    "known": re.compile(rf'<g {AT}><path d="M'),
}
BOARD = re.compile(rf'<g class="board" {AT}>')
CELLS = re.compile(r'<text x="([\d.]+)" y="([\d.]+)">(\w+)</text>')
MIDDLE = of_each(
    {
        "toy": (0, 33),
        "bismarck": (0, 15),
        "far_seas": (38, -6.5),
        "atlantic_chase": (0, 17.3),
        "second_fleet": (0, 9),
    },
    "middles of counters",
    CELLED,
)
"""From the name of a cell to its middle, pixels."""
NEAR = {"toy": 30, "bismarck": 16, "far_seas": 12, "atlantic_chase": 30, "second_fleet": 16}


@cache
def played(system: str) -> list[tuple[str, Report]]:
    return list(views(system))


def inside(svg: str) -> str:
    """The map without the legend."""
    return svg.partition('<path d="M0 0h')[0]


APART = ("atlantic_chase",)
"""Systems in which some pieces of one cell stand beside each other, not in a stack."""


def marks(svg: str) -> dict[str, list[Point]]:
    """Where counters, aircraft and contacts are drawn."""
    found = {
        kind: [(float(x), float(y)) for x, y in form.findall(inside(svg))]
        for kind, form in MARKS.items()
    }
    found["contact"] += found.pop("known")  # contacts with a level
    return found


def middles(svg: str, system: str) -> dict[str, Point]:
    """The middle of each cell whose name is printed."""
    dx, dy = MIDDLE[system]
    origin = BOARD.search(svg)
    assert origin
    left, top = float(origin[1]), float(origin[2])
    found = CELLS.findall(inside(svg))
    return {name: (float(x) + left + dx, float(y) + top + dy) for x, y, name in found}


def wanted(view: Report) -> Iterator[tuple[str, str]]:
    """Kind of mark and cell of whatever the view knows the place of."""
    for unit in stands(view, "units"):
        if unit.get("kind") != "air":
            yield "counter", unit["place"]
        elif unit.get("flying"):
            yield "plane", unit["place"]
    for contact in stands(view, "contacts"):
        if contact.get("source") != "HUFF-DUFF" and " " not in contact["place"]:
            yield "contact", f"{contact['place']} {contact['age']}"


def check(view: Report, svg: str) -> None:
    """Raise AssertionError where picture and view differ."""
    found, cells = marks(svg), middles(svg, view["system"])
    known = list(wanted(view))
    expected = set(known)
    for kind in ("counter", "contact"):
        least = sum(k == kind for k, _ in expected)
        most = sum(k == kind for k, _ in known) if view["system"] in APART else least
        assert least <= len(found[kind]) <= most, kind
    named = ids(svg)
    assert len(named["unit"]) == len(stands(view, "units"))
    assert len(named["contact"]) == len(stands(view, "contacts"))
    near = NEAR[view["system"]]
    for kind, place in expected:
        if at := cells.get(place.partition(" ")[0]):
            reach = near if kind != "plane" else 2 * near
            assert min((dist(spot, at) for spot in found[kind]), default=99) <= reach, (kind, place)


@pytest.mark.some(1)
@pytest.mark.parametrize("system", CELLED)
def test_everything_stands_in_the_place_that_the_view_says(system: str) -> None:
    seen = set()
    for _, view in played(system):
        check(view, drawn(view))
        seen |= {kind for kind, _ in wanted(view)}
    drawable = {"toy": {"counter"}, "far_seas": {"counter", "contact"}}
    drawable["atlantic_chase"] = drawable["second_fleet"] = drawable["far_seas"]
    assert seen == drawable.get(system, {"counter", "contact", "plane"})


@pytest.mark.some(1)
@pytest.mark.parametrize("system", CELLED)
def test_no_name_lies_on_another_or_on_a_mark(system: str) -> None:
    most = 0
    for name, view in played(system):
        for detail in (False, True):
            laid = layout(games.load(system).chart(view) or pytest.fail(), THEMES["light"], detail)
            names = [one["rect"] for one in laid["names"]]
            things = [box(m["at"], m["half"]) for m in (*laid["counters"], *laid["planes"])]
            things += [
                box((float(m["x"]), float(m["y"])), (float(m["half"]),) * 2) for m in laid["marks"]
            ]
            assert not [pair for pair in combinations(names, 2) if meet(*pair)], name
            assert not [one for one in names for thing in things if meet(one, thing)], name
            most = max(most, len(names))
    assert (
        most
        >= {"toy": 1, "bismarck": 25, "far_seas": 10, "atlantic_chase": 15, "second_fleet": 10}[
            system
        ]
    )


def box(at: Point, half: Point) -> Rect:
    (x, y), (wide, high) = at, half
    return x - wide, y - high, x + wide, y + high


def meet(a: Rect, b: Rect) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def elsewhere(key: str) -> Callable[[Report], None]:
    """The first that stands alone is drawn in a place where nothing is."""

    def spoil(view: Report) -> None:
        used = {thing["place"] for thing in (*view["units"], *view["contacts"])}
        free = {"far_seas": ["2", "15", "22", "27"], "bismarck": ["M8", "P12"]}[view["system"]]
        kept = [thing for thing in view[key] if thing.get("kind") in (None, "ship")]
        alone = [t for t in kept if not t.get("force") and t.get("source") != "HUFF-DUFF"]
        kept = alone or kept
        next(iter(kept))["place"] = next(place for place in free if place not in used)

    return spoil


def betrayed(view: Report) -> None:
    """What should be a contact is drawn as an own unit, too."""
    unit = next(u for u in view["units"] if u.get("kind") in (None, "ship") and not u.get("force"))
    view["units"].append(unit | {"id": "HIDDEN", "name": "Hidden"})


FAULTS: dict[str, Callable[[Report], object]] = {
    "a unit elsewhere": elsewhere("units"),
    "a contact elsewhere": elsewhere("contacts"),
    "a unit too few": lambda view: view["units"].pop(),
    "a contact too few": lambda view: view["contacts"].pop(),
    "one that nobody knows": betrayed,
}


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("name", ["bismarck-british-night", "far_seas-german", "far_seas-british"])
def test_a_planted_fault_is_found(name: str, fault: str) -> None:
    view = report(name)
    check(view, drawn(view))
    other = deepcopy(view)
    FAULTS[fault](other)
    with pytest.raises(AssertionError):
        check(view, drawn(other))
