"""Boards without cells, and what other systems draw on hexes: shapes, tracks, markers, hulls."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from io import BytesIO
from itertools import combinations
from math import hypot
from pathlib import Path
from xml.etree import ElementTree

import msgspec
import pytest

from pbem.charts import check, mend
from pbem.charts.chart import layout, svg
from pbem.charts.drawing import drawing, empty
from pbem.charts.lanes import lanes
from pbem.charts.shapes import around, outline
from pbem.charts.themes import LIGHT, THEMES, rgb
from pbem.charts.viewport import fitted
from pbem.scene import (
    Circle,
    Contact,
    Edges,
    Grid,
    Key,
    Mark,
    Mesh,
    Polygon,
    Polyline,
    Port,
    Region,
    Scene,
    Sector,
    Shape,
    Track,
    Unit,
    ahead,
    hull,
    placed,
)
from pbem.testing.texts import golden
from tests.charts import planes

DIGESTS = Path(__file__).parent / "charts" / "planes.txt"
SVG = "{http://www.w3.org/2000/svg}"
SCENES: dict[str, Callable[[], Scene]] = {
    "table": planes.table,
    "war": planes.war,
    "coast": planes.beside_a_coast,
}


def bare(**more: object) -> Scene:
    """A sea of 20 by 10 units with nothing but `more` on it."""
    plain: dict[str, object] = {
        "title": "Sea",
        "side": "Own",
        "when": "Turn 1",
        "window": (0, 0, 20, 10),
        "pitch": 30,
    }
    return Scene(**{**plain, **more})  # type: ignore[arg-type]


def elements(text: str, tag: str, **wanted: str) -> list[ElementTree.Element]:
    """The elements of a drawing with these attributes."""
    found = ElementTree.fromstring(text).iter(f"{SVG}{tag}")
    return [e for e in found if all(e.get(k) == v for k, v in wanted.items())]


@pytest.mark.recorded
def test_the_scenes_look_as_they_did() -> None:
    """A digest of each drawing; after a change of the drawing look at the pictures."""
    lines = [
        f"{name} {theme}{' detail' if detail else ''}: "
        f"{sha256(svg(make(), theme, detail).encode()).hexdigest()[:16]}\n"
        for name, make in SCENES.items()
        for theme in THEMES
        for detail in (False, True)
    ]
    golden(DIGESTS, "".join(lines))


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("name", SCENES)
def test_drawings_are_sound(name: str, theme: str) -> None:
    scene = SCENES[name]()
    text = svg(scene, theme)
    assert text == svg(scene, theme)
    root = ElementTree.fromstring(text)
    assert not re.search(r'(?:href|src)="(?!#)', text)
    known = [e.get("id") for e in root.iter() if e.get("id")]
    assert len(known) == len(set(known))
    for target in re.findall(r'(?:href="#|url\(#)([^")]+)', text):
        assert target in known
    for kind, ones in (("unit", scene.units), ("contact", scene.contacts)):
        named = [str(i).partition("-")[2] for i in known if str(i).startswith(f"{kind}-")]
        assert sorted(named) == sorted(one.id for one in ones)


@pytest.mark.parametrize("detail", [False, True])
@pytest.mark.parametrize("name", SCENES)
def test_names_neither_meet_nor_lie_on_hulls_and_markers(name: str, detail: bool) -> None:
    scene = SCENES[name]()
    laid = layout(scene, LIGHT, detail)
    boxes = [n["rect"] for n in laid["names"]]
    assert boxes
    for a, b in combinations(boxes, 2):
        assert a[0] >= b[2] or b[0] >= a[2] or a[1] >= b[3] or b[1] >= a[3], (a, b)
    hulls = [re.findall(r"(-?[\d.]+) (-?[\d.]+)", h["d"]) for h in laid["hulls"]]
    middles = [tuple(sum(map(float, c)) / len(h) for c in zip(*h, strict=True)) for h in hulls]
    marks = [(float(m["x"]), float(m["y"])) for m in laid["markers"]]
    for x, y in (*middles, *marks):
        assert not [b for b in boxes if b[0] < x < b[2] and b[1] < y < b[3]]


def test_a_circle_and_a_sector_have_their_size() -> None:
    circle = Circle(at=(5, 5), radius=2)
    page = fitted(bare(), (0, 0, 20, 10))
    made = outline(circle, Grid({}), page)
    assert made
    assert "a60 60 0 1 0 120 0a60 60 0 1 0 -120 0z" in made.d
    wedge = outline(Sector(at=(5, 5), start=330, end=30, outer=3, inner=1), Grid({}), page)
    assert wedge
    x, y = page.px((5, 5))
    reach = [hypot(u - x, v - y) for u, v in wedge.ways[0]]
    assert min(reach) == pytest.approx(90, abs=0.2)
    assert max(reach) == pytest.approx(90, abs=0.2)
    assert all(v < y for _, v in wedge.ways[0])
    assert " 0 0 1 " in wedge.d
    large = outline(Sector(at=(5, 5), start=30, end=330, outer=3), Grid({}), page)
    assert large
    assert " 0 1 1 " in large.d
    ring = outline(Sector(at=(5, 5), start=0, end=360, outer=3, inner=1), Grid({}), page)
    assert ring
    assert ring.d.count("M") == 2


def test_a_region_has_one_line_around_it_and_one_around_its_hole() -> None:
    cells = {f"{x}{y}": (x + 0.5, y + 0.5) for x in range(3) for y in range(3)}
    scene = bare(grid=Grid(cells))
    page = fitted(scene, scene.window)
    around_hole = tuple(c for c in cells if c != "11")
    made = outline(Region(cells=around_hole), scene.grid, page)
    assert made
    assert made.d.count("M") == 2
    assert {len(way) - 1 for way in made.ways} == {12, 4}
    assert around([]) == []
    closed = outline(Edges(between=(("00", "01"), ("10", "11"))), scene.grid, page)
    assert closed
    assert [sorted(way) for way in closed.ways] == [[(22, 116), (52, 116)], [(52, 116), (82, 116)]]


def test_a_hull_is_to_scale_and_points_where_it_heads() -> None:
    outlined = placed(hull(4, 1), (10, 5), 90)
    xs, ys = zip(*outlined, strict=True)
    assert (min(xs), max(xs)) == (pytest.approx(8), pytest.approx(12))
    assert (min(ys), max(ys)) == (pytest.approx(4.5), pytest.approx(5.5))
    assert outlined[0] == pytest.approx((12, 5))
    assert ahead((10, 5), 90, 2) == pytest.approx((12, 5))
    ship = Unit(id="A", name="A", symbol="", at=(10, 5), heading=90, footprint=hull(4, 1))
    (drawn,) = layout(bare(units=(ship,)), LIGHT)["hulls"]
    assert drawn["nose"] == "M382 236L436 236"


def test_a_counter_and_a_contact_show_their_headings() -> None:
    ship = Unit(id="A", name="A", symbol="BB", at=(10, 5), heading=0)
    seen = Contact(id="E", label="E", what="", note="", age=0, at=(5, 5), heading=180)
    pointers = layout(bare(units=(ship,), contacts=(seen,)), LIGHT)["pointers"]
    assert pointers == [
        {"d": "M322 236L322 200", "ink": "own"},
        {"d": "M172 236L172 272", "ink": "foe"},
    ]


def test_the_ruler_counts_to_the_north_and_has_a_number_for_each_line() -> None:
    scene = bare(window=(0, -10, 20, 0), mesh=Mesh(step=5, tick=1, unit="inches", north=True))
    laid = layout(scene, LIGHT)
    across = [n for _, y, n, anchor in laid["marks_of_ruler"] if anchor == "middle"]
    down = [(float(y), n) for _, y, n, anchor in laid["marks_of_ruler"] if anchor == "end"]
    assert across == ["0", "5", "10", "15", "20"]
    assert [n for _, n in sorted(down)] == ["10", "5", "0"]
    assert laid["mesh"].count("M") == 8
    assert laid["ticks"].count("v-5") == 21
    keys = layout(msgspec.structs.replace(scene, legend=(Key("A", ()),)), LIGHT)["legend"]
    assert keys[-1]["scale"]["marks"] == ("2.5", "5 inches")


@pytest.mark.parametrize(
    ("level", "submerged", "solid"), [(1, False, 0), (2, False, 1), (3, False, 1), (2, True, 1)]
)
def test_the_mark_of_a_contact_shows_how_well_it_is_known(
    level: int, submerged: bool, solid: int
) -> None:
    seen = Contact(
        id="E", label="E", what="", note="", age=0, at=(5, 5), level=level, submerged=submerged
    )
    text = svg(bare(contacts=(seen,)))
    filled = [e for e in elements(text, "path", fill=LIGHT["foe"]) if "z" in (e.get("d") or "")]
    assert len([e for e in filled if not (e.get("d") or "").startswith("M0 0L10 5")]) == solid


def test_a_bold_track_of_the_enemy_has_a_core_beads_and_a_plate() -> None:
    track = Track(
        points=((2, 2), (6, 2), (10, 6)), owner="enemy", bold=True, name="KG1", note="2 segments"
    )
    laid = layout(bare(tracks=(track,)), LIGHT)
    (way,) = laid["ways"]
    assert (way["core"], len(way["beads"]), len(way["ends"])) == (True, 1, 2)
    (name,) = laid["names"]
    assert name["plate"]
    assert (name["ink"], way["said"]) == ("foe", "KG1 2 segments")


def test_screen_readers_are_told_what_shapes_and_markers_mean() -> None:
    scene = planes.table()
    root = ElementTree.fromstring(svg(scene))
    said = [e.text for e in root.iter(f"{SVG}title")]
    assert said[0] == "The Rig: Union of Kalmar, Turn 4 of 8, round 3"
    for words in ("within 10", "two hits she dodged", "ÖSTERGARN", "VASA"):
        assert words in said
    (told,) = root.iter(f"{SVG}desc")
    assert (told.text, root.get("aria-describedby")) == (scene.alt, told.get("id"))
    assert not list(ElementTree.fromstring(svg(planes.war())).iter(f"{SVG}desc"))


def test_hostile_words_stay_text() -> None:
    bad = '</text><script>alert("1")</script>&'
    ship = Unit(id=bad, name=bad, symbol="", at=(5, 5), footprint=hull(2, 1), note=bad)
    scene = bare(
        title=bad,
        caption=bad,
        alt=bad,
        units=(ship,),
        shapes=(Circle(at=(5, 5), radius=1, label=bad),),
        tracks=(Track(points=((1, 1), (2, 2)), name=bad, note=bad),),
        marks=(Mark(at=(3, 3), label=bad, said=bad),),
        mesh=Mesh(step=5, unit=bad),
        legend=(Key(bad, ((f"mark:own:{bad}", bad), (f"line:{bad}", bad))),),
    )
    text = svg(scene, lenient=True)
    assert "<script" not in text
    ElementTree.fromstring(text)


def test_what_a_side_knows_is_not_on_the_empty_board() -> None:
    for make in SCENES.values():
        left = empty(make())
        assert {s.owner for s in left.shapes} <= {"board"}
        text = svg(left)
        for word in ("within 10", "VASA", "TF1", "CAP 4", "EN1", "intelligence", "evasive"):
            assert word not in text


def test_a_drawing_inside_a_page_has_variables_for_all_colours() -> None:
    for make in SCENES.values():
        text = drawing(make(), more=("DD", "CV", "no such symbol"))
        assert not re.search(r"#fe0[01]", text)
        assert 'id="s-DD"' in text


@dataclass
class Wrong:
    """A scene with one mistake, and what is said of it."""

    said: str
    more: dict[str, object]


MOST = mend.WIDEST + 400
"""Pixels of a chart at most, with its margins."""
NAN = float("nan")
SHIP = Unit(id="A", name="A", symbol="BB", at=(5, 5))
MISTAKES = [
    Wrong(
        "unit A has the symbol 'XX'; known are AO, BB,",
        {"units": (msgspec.structs.replace(SHIP, symbol="XX"),)},
    ),
    Wrong(
        "unit A has the symbol ''; known", {"units": (msgspec.structs.replace(SHIP, symbol=""),)}
    ),
    Wrong(
        "the legend's 'a ship' has the symbol 'XX'",
        {"legend": (Key("A", (("counter:XX", "a ship"),)),)},
    ),
    Wrong(
        "the legend's 'a mark' has the symbol 'wing'",
        {"legend": (Key("A", (("mark:own:wing", "a mark"),)),)},
    ),
    Wrong(
        "the legend's 'a way' is no sample: 'lines'", {"legend": (Key("A", (("lines", "a way"),)),)}
    ),
    Wrong(
        "the legend's 'a way' has no tone 'red'", {"legend": (Key("A", (("line:red", "a way"),)),)}
    ),
    Wrong("the marker at 1, 2 has the symbol 'XX'", {"marks": (Mark(at=(1, 2), symbol="XX"),)}),
    Wrong(
        "unit A stands at (nan, 1)",
        {"units": (msgspec.structs.replace(SHIP, at=(float("nan"), 1)),)},
    ),
    Wrong("its window (0, 0, 0, 5) is empty", {"window": (0, 0, 0, 5)}),
    Wrong("(0, 0, nan, 5) is empty", {"window": (0, 0, NAN, 5)}),
    Wrong("(0, 0, inf, 5) is empty", {"window": (0, 0, float("inf"), 5)}),
    Wrong("is empty", {"pitch": 0}),
    Wrong("has more than 10000 pixels at a pitch of 5000", {"pitch": 5000}),
    Wrong("has more than 10000 pixels", {"window": (0, 0, 90000, 5)}),
    Wrong("cell A1 stands at (nan, 1)", {"grid": Grid({"A1": (NAN, 1)})}),
    Wrong("its night is nan", {"night": NAN}),
    Wrong("its focus is ((nan, 1),)", {"focus": ((NAN, 1),)}),
    Wrong(
        "unit A has the plan ((nan, 2),)",
        {"units": (msgspec.structs.replace(SHIP, plan=((NAN, 2),), heading=30),)},
    ),
    Wrong(
        "unit A has the heading inf",
        {"units": (msgspec.structs.replace(SHIP, heading=float("inf")),)},
    ),
    Wrong(
        "circle number 1 has the radius nan",
        {"shapes": (Circle(at=(1, 1), radius=NAN, label=""),)},
    ),
    Wrong("marker eye stands at (1, nan)", {"marks": (Mark(at=(1, NAN), label="eye"),)}),
    Wrong("track KG1 has the points", {"tracks": (Track(points=((1, NAN), (2, 2)), name="KG1"),)}),
    Wrong("port Kiel stands at (nan, 1)", {"ports": (Port("Kiel", (NAN, 1), "own"),)}),
    Wrong("its name 'North Sea' is not", {"name": "North Sea"}),
    Wrong(
        "circle reach: its radius is 0", {"shapes": (Circle(at=(1, 1), radius=0, label="reach"),)}
    ),
    Wrong(
        "sector number 1: its radii are 3 and 2",
        {"shapes": (Sector(at=(1, 1), start=0, end=9, inner=3, outer=2),)},
    ),
    Wrong(
        "polygon number 1: it has fewer than three points",
        {"shapes": (Polygon(points=((1, 1), (2, 2))),)},
    ),
    Wrong("polyline number 1: it has fewer than two", {"shapes": (Polyline(points=((1, 1),)),)}),
    Wrong("region number 1: the board has no cell 'Z9'", {"shapes": (Region(cells=("Z9",)),)}),
    Wrong(
        "edges number 1: the board has no cell 'Z9'", {"shapes": (Edges(between=(("Z9", "A1"),)),)}
    ),
    Wrong(
        "edges number 1: the cells A1 and A3 have no common edge",
        {"grid": Grid({"A1": (1, 1), "A3": (3, 1)}), "shapes": (Edges(between=(("A1", "A3"),)),)},
    ),
    Wrong(
        "circle number 1: its fill 2 is not between",
        {"shapes": (Circle(at=(1, 1), radius=1, fill=2),)},
    ),
]


@pytest.mark.parametrize("wrong", MISTAKES, ids=lambda w: w.said[:40])
def test_a_mistake_in_a_scene_is_named_and_drawn_if_it_must_be(wrong: Wrong) -> None:
    scene = bare(**wrong.more)
    with pytest.raises(check.BadScene) as error:
        svg(scene)
    assert wrong.said in error.value.message
    for drawn in (svg(scene, lenient=True), svg(scene, lenient=True, detail=True)):
        assert not re.search(r"\b(nan|inf)\b", drawn)
        root = ElementTree.fromstring(drawn)
        wide, high = (float(root.get(side, "0")) for side in ("width", "height"))
        assert 60 < wide <= 2 * MOST and 60 < high <= 2 * MOST


def spoilt(value: object, number: float) -> object:
    """A value with this number in place of all of its numbers."""
    if isinstance(value, (tuple, list)):
        return tuple(spoilt(one, number) for one in value)
    if isinstance(value, msgspec.Struct):
        every = {name: spoilt(getattr(value, name), number) for name in value.__struct_fields__}
        return msgspec.structs.replace(value, **every)
    return number if isinstance(value, (int, float)) and not isinstance(value, bool) else value


@pytest.mark.some(1)
@pytest.mark.parametrize("name", SCENES)
def test_no_number_keeps_a_chart_from_being_drawn(name: str) -> None:
    """Each field of each kind of thing is spoilt in turn."""
    scene = SCENES[name]()
    done = set()
    for kind in mend.THINGS:
        for i, thing in enumerate(things := getattr(scene, kind)):
            for field in thing.__struct_fields__:
                value = getattr(thing, field)
                if (key := (type(thing), field)) in done or spoilt(value, 0.5) == value:
                    continue
                done.add(key)
                number = (float("nan"), float("inf"), -1e300)[len(done) % 3]
                bad = msgspec.structs.replace(thing, **{field: spoilt(value, number)})
                odd = msgspec.structs.replace(scene, **{kind: (*things[:i], bad, *things[i + 1 :])})
                drawn = svg(odd, lenient=True)
                assert not re.search(r"\b(nan|inf|e[+]\d+)\b", drawn), (key, number)
                ElementTree.fromstring(drawn)
                assert any(check.problems(odd)), (key, number)
    assert len(done) > 3


def test_what_is_wrong_alone_is_left_out() -> None:
    """A ship keeps her place without the plan that leads nowhere; what stands nowhere is gone."""
    ship = msgspec.structs.replace(SHIP, plan=((NAN, 2),), track=((4, 4),))
    lost = msgspec.structs.replace(SHIP, id="B", at=(NAN, 2))
    found = mend.mended(bare(units=(ship, lost), window=(0, 0, 0, 0), pitch=9000))
    assert found.units == (msgspec.structs.replace(ship, plan=()),)
    assert (found.window, found.pitch) == ((4, 4, 6, 6), 5000)
    assert mend.mended(bare(units=(SHIP,))) == bare(units=(SHIP,))


def test_shapes_off_the_map_are_no_mistake() -> None:
    far: tuple[Shape, ...] = (
        Circle(at=(500, 500), radius=3, label="far"),
        Polygon(points=((90, 90), (91, 90), (91, 91)), label="away"),
    )
    laid = layout(bare(shapes=far), LIGHT)
    assert laid["names"] == []
    ElementTree.fromstring(svg(bare(shapes=far)))


@pytest.mark.parametrize("theme", THEMES)
def test_a_plane_as_png_has_its_size_and_its_colours(theme: str) -> None:
    from PIL import Image

    from pbem.charts.png import png

    text = svg(planes.war(), theme)
    content = png(text, theme)
    assert content == png(text, theme)
    shown = Image.open(BytesIO(content))
    assert shown.mode == "P"
    used = {colour for _, colour in shown.convert("RGB").getcolors(100_000) or ()}
    for key in ("own", "foe", "closed", "paper", "ink", "frame", "route"):
        assert rgb(THEMES[theme][key]) in used, key


def test_bold_tracks_that_share_a_stretch_run_side_by_side() -> None:
    ways: list[list[tuple[float, float]]] = [
        [(0, 0), (50, 0), (100, 0)],
        [(50, 0), (100, 0), (100, 50)],
        [(100, 0), (50, 0)],
        [(0, 50), (50, 50)],
    ]
    one, other, back, apart = lanes(ways)
    assert (one, apart) == (ways[0], ways[3])
    assert other == [(50, 8), (92, 8), (92, 50)]
    assert back == [(100, -8), (50, -8)]
    turned = lanes([[(0, 0), (50, 0)], [(50, 0), (0, 0), (50, 1)]])[1]
    assert all(abs(x) < 70 and abs(y) < 30 for x, y in turned)


def test_a_marker_stays_on_its_track() -> None:
    way = ((2, 2), (6, 2), (10, 2))
    plain = Track(points=way, bold=True)
    marked = msgspec.structs.replace(plain, marks=(Mark(at=(6, 2), label="1"),))
    (mark,) = layout(bare(tracks=(plain, marked)), LIGHT)["markers"]
    assert (mark["x"], mark["y"]) == ("202", "154")
