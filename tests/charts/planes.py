"""Scenes with what the boards of other systems need: a plane without cells, and hexes with closed
sides, ranges, trajectories and contacts by level."""

from __future__ import annotations

from pbem.scene import (
    Arrow,
    Box,
    Circle,
    Contact,
    Edges,
    Grid,
    Key,
    Line,
    Mark,
    Mesh,
    Owner,
    Point,
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
    coast,
    hull,
    placed,
)
from tests.charts.boards import LOW

BIG, MEDIUM, SMALL = hull(3.2, 1.1), hull(2.6, 0.9), hull(1.3, 0.5)
"""Outlines of a battleship, a cruiser and a destroyer, in inches."""


def table() -> Scene:
    """A table of 72 by 48 inches with an island, a rig, arcs of fire, hulls and their tracks.

    Places are counted to the north, as miniatures players measure them.
    """
    vasa = (49.0, -17.5)
    return Scene(
        title="The Rig",
        side="Union of Kalmar",
        when="Turn 4 of 8, round 3",
        name="table",
        alt="A table of 72 by 48 inches with an island in the north-east and a rig in the middle.",
        window=(0, -48, 72, 0),
        mesh=Mesh(step=6, tick=1, unit="inches", north=True),
        shapes=(*_land(), *_fire(vasa), *_torpedoes()),
        tracks=_ways(),
        marks=(
            Mark(at=(30, -38), symbol="splash", tone="own2", said="two hits she dodged"),
            Mark(at=(41, -35), label="1", tone="own2", said="one hit she dodged"),
        ),
        units=_ships(vasa),
        contacts=_enemies(),
        boxes=(Box("Pools", "16 · 12"), Box("Score", "Kalmar 105 · Teutonic 0")),
        deadline="2026-11-27T20:00:00Z",
        legend=_keys(),
        notes=("Table 72 x 48 inches, a line every 6.",),
        focus=(vasa, (40, -24)),
        pitch=17,
    )


def _land() -> list[Shape]:
    """What is printed on the table."""
    return [
        Polygon(
            owner="board",
            tone="shallow",
            fill=0.9,
            dashed=True,
            points=((48, -33), (60, -35), (64, -44), (52, -47), (46, -41)),
        ),
        Polygon(
            owner="board",
            tone="land",
            fill=1,
            label="ÖSTERGARN",
            points=((52, -36), (58, -38), (60, -43), (54, -44), (50, -40)),
        ),
        Polygon(
            owner="board",
            tone="shallow",
            fill=0.55,
            dashed=True,
            label="coastal water",
            points=((0, 0), (30, 0), (26, -6), (14, -8), (0, -7)),
        ),
        Circle(owner="board", tone="land", fill=1, at=(40, -24), radius=1.5, label="RIG III"),
        Circle(
            owner="board", tone="convoy", dashed=True, at=(40, -24), radius=6, label="100 points"
        ),
    ]


def _fire(at: Point) -> list[Shape]:
    """The arcs of her broadside, from the nearest range to the farthest, and two targets."""
    bands = ((0, 10, 0.3), (10, 20, 0.19), (20, 30, 0.1))
    arcs: list[Shape] = [
        Sector(
            tone="zone",
            over=True,
            at=at,
            start=start,
            end=start + 90,
            inner=inner,
            outer=outer,
            fill=fill,
            width=0.8,
            label=f"within {outer}" if start == 30 and outer < 30 else "",
        )
        for start in (30, 240)
        for inner, outer, fill in bands
    ]
    aims = (("19.44 · 5", (23, -25)), ("15.88 · 10", (28, -18.5)))
    return arcs + [
        Polyline(tone="zone", over=True, dashed=True, points=(at, target), label=said, plate=True)
        for said, target in aims
    ]


def _torpedoes() -> list[Shape]:
    strip = ((36, -30), (51, -27.5), (50.5, -24.7), (35.5, -27.2))
    return [
        Polygon(
            owner="enemy",
            over=True,
            fill=0.1,
            dashed=True,
            points=strip,
            label="T4 · 4",
            plate=True,
        ),
        Arrow(owner="enemy", over=True, points=((36, -28.6), (50, -26.2)), dashed=True),
        Polygon(
            over=True, dashed=True, points=placed(BIG, (45.6, -21.5), 350), fill=0.2, width=1.5
        ),
        Arrow(
            tone="own2",
            over=True,
            round=True,
            width=2.6,
            points=(
                (49, -17.5),
                (47.6, -18.6),
                (46.2, -20),
                (45.6, -21.5),
            ),
        ),
    ]


def _ways() -> tuple[Track, ...]:
    """Where three ships came from, with the numbers of the turns."""

    def way(owner: Owner, *points: Point) -> Track:
        marks = tuple(Mark(at=p, label=str(i), owner=owner) for i, p in enumerate(points[:-1]))
        return Track(points=points, owner=owner, marks=marks)

    return (
        way("own", (66, -16), (61, -16), (54, -16), (49, -17.5)),
        way("own", (66, -30), (60, -30), (51, -30), (43.5, -28.6)),
        way("enemy", (6, -25), (11, -25), (18, -25), (23, -25)),
        way("enemy", (6, -18), (12, -18), (20, -18), (28, -18.5)),
    )


def _ships(vasa: Point) -> tuple[Unit, ...]:
    sea = [("S1", "Skärgård 1", (30.0, -37.5)), ("S2", "Skärgård 2", (32.0, -36.0))]
    small = [
        Unit(id=id_, name=name, symbol="", at=at, heading=315, footprint=SMALL)
        for id_, name, at in sea
    ]
    return (
        Unit(
            id="VASA",
            name="VASA",
            symbol="",
            at=vasa,
            heading=315,
            footprint=BIG,
            note="full, hull 10 of 13",
        ),
        Unit(id="ROV", name="ROVFÅGEL", symbol="", at=(43.5, -28.6), heading=240, footprint=MEDIUM),
        *small,
        Unit(id="W", name="WRECK", symbol="", at=(35, -40), footprint=SMALL, tone="neutral"),
    )


def _enemies() -> tuple[Contact, ...]:
    def enemy(id_: str, what: str, at: Point, heading: float, note: str = "") -> Contact:
        shape = BIG if what == "B" else MEDIUM
        return Contact(
            id=id_, label="", what="", note=note, age=0, at=at, heading=heading, footprint=shape
        )

    return (
        enemy("HOCHMEISTER", "B", (23, -25), 90, "full, 2 hits"),
        enemy("PARZIVAL", "C", (28, -18.5), 75, "crippled"),
        enemy("LOHENGRIN", "C", (34, -29), 97),
    )


def _keys() -> tuple[Key, ...]:
    return (
        Key(
            "Hulls, to scale",
            (("hull:own", "own"), ("hull:enemy", "enemy"), ("hull:neutral", "wreck")),
        ),
        Key(
            "Tracks and orders",
            (("line:own", "way"), ("mark:own:2", "where turn 2 ended"), ("arrow:own2", "order")),
        ),
        Key(
            "Fire",
            (
                ("fill:zone", "arc of fire"),
                ("dashed:zone", "range and dice"),
                ("mark:own2:splash", "hits she dodged"),
            ),
        ),
        Key("Sea", (("fill:shallow", "shallow water"), ("fill:land", "land"))),
    )


def war() -> Scene:
    """Flat hexes of the open sea with everything that counters cannot say."""
    cells = {
        f"{10 + column}{10 + row}": (0.5 + LOW * column, 0.5 + row + column % 2 / 2)
        for column in range(14)
        for row in range(12)
    }
    near = ["1413", "1414", "1513", "1514", "1515", "1614", "1615"]
    return Scene(
        title="Norwegian Sea",
        side="NATO",
        when="Turn 7, action 2: air",
        name="zone",
        caption="north sheet",
        window=(-0.3, -0.2, 12.4, 12.7),
        grid=Grid(cells, "flat"),
        shapes=(
            Region(
                owner="board",
                tone="shallow",
                fill=0.8,
                cells=("1010", "1011", "1110", "1210"),
                label="pack ice",
            ),
            Region(
                owner="board",
                tone="neutral",
                hatched=True,
                width=0,
                cells=("2310", "2311", "2210", "2211"),
            ),
            Region(tone="own2", dashed=True, fill=0.06, width=2, cells=tuple(near), label="CAP 4"),
            Region(
                owner="enemy",
                fill=0.05,
                width=2,
                cells=("1812", "1813", "1912", "1911", "1811", "1712", "1711"),
                label="EN1: range 1",
            ),
            Edges(
                owner="board",
                tone="closed",
                width=4,
                over=True,
                between=(("2013", "2113"), ("2014", "2113"), ("2014", "2114")),
            ),
            Arrow(
                tone="own2",
                over=True,
                dashed=True,
                width=2.4,
                points=(cells["1514"], cells["1613"], cells["1712"], cells["1812"]),
                label="STRIKE A",
            ),
        ),
        tracks=(
            Track(
                points=tuple(cells[c] for c in ("1018", "1118", "1218", "1318", "1419")),
                bold=True,
                name="TF7",
                note="Convoy 2 · 8",
                tone="convoy",
            ),
            Track(
                points=tuple(cells[c] for c in ("1218", "1318", "1419", "1519", "1619")),
                bold=True,
                name="TF1",
                note="King George V · 4",
            ),
            Track(
                points=tuple(cells[c] for c in ("2117", "2018", "1918", "1819")),
                bold=True,
                owner="enemy",
                name="KG1",
                note="Bismarck · 5",
                marks=(
                    Mark(
                        at=cells["2018"],
                        symbol="eye",
                        owner="own",
                        said="intelligence on this segment",
                    ),
                ),
            ),
            Track(
                points=tuple(cells[c] for c in ("2120", "2020", "1921")),
                bold=True,
                owner="enemy",
                tone="enemy2",
                name="KG3",
                arrow=True,
            ),
        ),
        marks=(
            Mark(
                at=cells["1514"],
                label="L",
                owner="enemy",
                beside=True,
                said="the enemy has a local detection of her",
            ),
            Mark(at=cells["1121"], symbol="wake", owner="own", said="evasive"),
        ),
        units=(
            Unit(
                id="HAMMER",
                name="HAMMER",
                symbol="CV",
                caption="TF",
                at=cells["1514"],
                note="Vincennes, Virginia",
                heading=0,
            ),
            Unit(id="TUNNY", name="TUNNY", symbol="SS", caption="", at=cells["1212"]),
            Unit(id="CONVOY", name="CONVOY", symbol="MV", caption="TF", at=cells["1921"]),
            Unit(id="SPNCE", name="SPRUANCE", symbol="DD", caption="DD", at=cells["1716"]),
        ),
        contacts=(
            Contact(
                id="EN1", label="1", what="TF", note="engaged", age=0, at=cells["1812"], level=3
            ),
            Contact(
                id="EN2", label="2", what="TG", note="strategic", age=0, at=cells["2015"], level=2
            ),
            Contact(
                id="EN3",
                label="3",
                what="SUB",
                note="local",
                age=0,
                at=cells["1417"],
                level=1,
                submerged=True,
            ),
            Contact(
                id="EN4",
                label="4",
                what="SUB",
                note="strategic, 2 turns ago",
                age=2,
                at=cells["2217"],
                level=2,
                submerged=True,
            ),
            Contact(
                id="EN5",
                label="5",
                what="TG",
                note="local, last turn",
                age=1,
                at=cells["2219"],
                level=1,
            ),
        ),
        ports=(Port("Bodø", cells["2112"], "own"),),
        lines=(Line("ZONE BORDER", (cells["1011"], cells["1021"]), "border"),),
        legend=(
            Key(
                "Contacts",
                (
                    ("level:1", "1 local"),
                    ("level:2", "2 strategic"),
                    ("level:3", "3 engaged"),
                    ("sub:2", "submarine"),
                ),
            ),
            Key(
                "Ranges",
                (
                    ("dashed:own2", "combat air patrol"),
                    ("line:enemy", "enemy missiles"),
                    ("line:closed", "closed hexside"),
                ),
            ),
            Key(
                "Trajectories",
                (
                    ("bold:own", "own"),
                    ("bold:enemy", "enemy"),
                    ("bold:convoy", "with a convoy"),
                    ("mark:own:eye", "intelligence"),
                ),
            ),
            Key(
                "Counters",
                (
                    ("counter:DD", "destroyers"),
                    ("counter:MV", "merchant ships"),
                    ("counter:SS", "submarine"),
                    ("hatch:neutral", "no air bases"),
                ),
            ),
        ),
        focus=(cells["1514"],),
        pitch=64,
    )


def beside_a_coast() -> Scene:
    """A plane over the real coast: shapes under the land and above it, in cells of its map."""
    view = coast("bismarck")
    at = (9.0, 12.0)
    return Scene(
        title="Home Fleet",
        side="Royal Navy",
        when="Turn 1",
        window=(0, 4, 18, 18),
        coast=view,
        shapes=(
            Circle(tone="own2", fill=0.1, at=at, radius=4, label="under the land"),
            Circle(owner="enemy", over=True, fill=0.1, at=at, radius=2, label="over the land"),
            Polyline(points=(at, ahead(at, 60, 5)), dashed=True, label="bearing 060"),
        ),
        pitch=50,
        focus=(at,),
    )
