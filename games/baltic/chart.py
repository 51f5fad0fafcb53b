"""The plotting sheet: the table with hulls to scale, their ways, salvoes and terrain."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from msgspec import convert

from games.baltic import hulls
from games.baltic.report import Enemy, OwnVessel, Report, Spread
from games.baltic.tables import Terrain, distances, footprint, plan, sheets, size, terrain
from pbem.kit.plane import DEGREE
from pbem.model import ALL
from pbem.scene import (
    Arrow,
    Box,
    Circle,
    Contact,
    Key,
    Mark,
    Mesh,
    Owner,
    Point,
    Polygon,
    Scene,
    Shape,
    Tone,
    Track,
    Unit,
    ahead,
    hull,
)

TONES: Mapping[str, Tone] = {
    "land": "land",
    "rig": "land",
    "reef": "land",
    "shallow": "shallow",
    "coastal": "shallow",
}
FLEETS: tuple[Tone, ...] = ("own", "enemy", "convoy", "zone")
"""The colours of the sides for spectators, in the order of the scenario."""
FILLS = {"land": 1.0, "rig": 1.0, "reef": 0.8, "shallow": 0.9, "coastal": 0.5}


def scene(report: Mapping[str, object]) -> Scene:
    """The chart of a report (decoded report.json). Pure."""
    seen = convert(report, Report)
    table = size()
    vessels = [unit for unit in seen.units if unit.kind == "vessel"]
    flying = [unit for unit in seen.units if unit.kind == "marker" and unit.at == "air"]
    enemies = [one for one in seen.contacts if one.kind == "vessel"]
    shown = [one for one in seen.contacts if one.kind != "squadron"]
    tones = _fleets(seen)
    return Scene(
        title=seen.title or "BattleFleet Baltic",
        side=seen.side_name,
        when=seen.label[:1].upper() + seen.label[1:],
        name="table",
        alt="A table of 72 by 48 inches with every vessel to scale.",
        window=(0, -table.height / 1000, table.width / 1000, 0),
        mesh=Mesh(step=6, tick=1, unit="inches", north=True),
        shapes=(*_ground(seen), *_salvoes(seen)),
        tracks=tuple(_tracks(vessels, enemies, tones)),
        marks=tuple(_marks(vessels, enemies)),
        units=(*(_unit(v, vessels) for v in vessels), *(_flight(m) for m in flying)),
        contacts=tuple(_contact(c, enemies, tones.get(c.side)) for c in shown),
        boxes=tuple(Box(fact.name, fact.value) for fact in seen.board.facts),
        deadline=seen.deadline,
        legend=LEGEND,
        notes=("Table 72 x 48 inches, a line every 6.",),
        focus=(
            *(_place(v.x, v.y) for v in vessels if v.state != "wreck"),
            *(_place(e.x, e.y) for e in enemies if e.state != "wreck"),
        ),
        pitch=17,
    )


def _fleets(seen: Report) -> Mapping[str, Tone]:
    """The colour of each side, for spectators; a player sees every enemy in the same."""
    if seen.side != ALL:
        return {}
    return dict(
        zip(dict.fromkeys(f.side for f in plan(seen.scenario).forces), FLEETS, strict=False)
    )


def _place(x: int, y: int) -> Point:
    """Mils to the north as inches to the south."""
    return x / 1000, -y / 1000


def _degrees(heading: int) -> float:
    return heading / DEGREE


# What is printed on the table


@cache
def _terrain(name: str) -> tuple[Shape, ...]:
    """Depths below, land above."""
    things = sorted(terrain(name), key=lambda t: ("coastal", "shallow").count(t.kind) == 0)
    return tuple(_thing(thing) for thing in sorted(things, key=lambda t: t.solid))


def _thing(thing: Terrain) -> Shape:
    label = thing.name.upper() if thing.solid else f"{thing.kind} water"
    dashed, tone = not thing.solid, TONES[thing.kind]
    if thing.radius:
        return Circle(
            owner="board",
            tone=tone,
            fill=FILLS[thing.kind],
            dashed=dashed,
            at=_place(*thing.points[0]),
            radius=thing.radius / 1000,
            label=label if thing.radius > 1200 or thing.solid else "",
        )
    points = tuple(_place(x, y) for x, y in thing.points)
    return Polygon(
        owner="board",
        tone=tone,
        fill=FILLS[thing.kind],
        dashed=dashed,
        points=points,
        label=label,
    )


def _ground(seen: Report) -> Iterator[Shape]:
    yield from _terrain(seen.board.map)
    hold = plan(seen.scenario).hold if seen.scenario else None
    if hold:
        rig = next(t for t in terrain(plan(seen.scenario).terrain) if t.name == hold.name)
        yield Circle(
            owner="board",
            tone="convoy",
            dashed=True,
            at=(hold.x, -hold.y),
            radius=hold.within + rig.radius / 1000,
            label=f"{hold.points} points",
        )


# Torpedoes


def _salvoes(seen: Report) -> Iterator[Shape]:
    """The strip that a salvo will cross in its next run, and the salvo at its near end."""
    for salvo in seen.board.salvoes:
        owner: Owner = "own" if salvo.side == seen.side else "enemy"
        tone = _fleets(seen).get(salvo.side)
        start, heading = _place(salvo.x, salvo.y), _degrees(salvo.heading)
        wide = footprint("torpedo")[0] / 2000
        run = distances().torpedo / 1000
        left, right = ahead(start, heading - 90, wide), ahead(start, heading + 90, wide)
        far = (ahead(right, heading, run), ahead(left, heading, run))
        yield Polygon(
            owner=owner,
            tone=tone,
            over=True,
            fill=0.1,
            dashed=True,
            points=(left, right, *far),
            label=_salvo_label(salvo),
            plate=True,
        )
        yield Arrow(owner=owner, tone=tone, over=True, points=(start, ahead(start, heading, 3)))


def _salvo_label(salvo: Spread) -> str:
    return f"{salvo.id} · {salvo.fp}" if salvo.fp else salvo.id


# Vessels


def _outline(sheet: str) -> tuple[Point, ...]:
    length, beam = hulls.footprint_of(sheets()[sheet])
    return hull(length / 1000, beam / 1000)


def _unit(vessel: OwnVessel, fleet: list[OwnVessel]) -> Unit:
    """A hull to scale; of a squadron the first carries its name."""
    return Unit(
        id=vessel.id,
        name=_title(vessel, fleet),
        symbol="",
        at=_place(vessel.x, vessel.y),
        heading=_degrees(vessel.heading),
        footprint=_outline(vessel.sheet),
        note=_note(vessel),
        tone="neutral" if vessel.state == "wreck" else None,
        pointer=vessel.state != "wreck",
    )


def _title(vessel: OwnVessel | Enemy, fleet: list[OwnVessel] | list[Enemy]) -> str:
    """The squadron's name once, at its first vessel afloat."""
    if vessel.id == vessel.card:
        return vessel.name
    mates = [v for v in fleet if v.card == vessel.card and v.state != "wreck"]
    return vessel.name.rsplit(" ", 1)[0] if mates and mates[0].id == vessel.id else ""


def _note(vessel: OwnVessel) -> str:
    if vessel.state == "wreck":
        return ""
    if sheets()[vessel.sheet].capital:
        told = f"{vessel.setting} · hull {vessel.hull} of {vessel.boxes}"
        return f"{told} · {vessel.state}" if vessel.state else told
    return ""


def _contact(enemy: Enemy, fleet: list[Enemy], tone: Tone | None) -> Contact:
    """An enemy hull, or an aeroplane marker."""
    if enemy.kind == "marker":
        return Contact(
            id=enemy.id,
            label=enemy.id,
            what=enemy.type,
            note=f"{enemy.planes} planes",
            age=0,
            at=_place(enemy.x, enemy.y),
        )
    name = _title(enemy, fleet)
    capital = sheets()[enemy.sheet].capital and enemy.state != "wreck"
    return Contact(
        id=enemy.id,
        label="",
        what="",
        note=" · ".join(filter(None, (enemy.setting, enemy.state))) if capital else "",
        age=0,
        name=name,
        at=_place(enemy.x, enemy.y),
        heading=_degrees(enemy.heading),
        footprint=_outline(enemy.sheet),
        tone="neutral" if enemy.state == "wreck" else tone,
        pointer=enemy.state != "wreck",
    )


def _flight(marker: OwnVessel) -> Unit:
    return Unit(
        id=marker.id,
        name=marker.id,
        symbol="jet",
        at=_place(marker.x, marker.y),
        note=f"{marker.planes} planes",
    )


def _tracks(
    vessels: list[OwnVessel], enemies: list[Enemy], tones: Mapping[str, Tone]
) -> Iterator[Track]:
    """The ways of ships of the line and flagships, with a mark where each turn ended."""
    fleets: list[tuple[Owner, list[OwnVessel] | list[Enemy]]] = [
        ("own", vessels),
        ("enemy", enemies),
    ]
    for owner, fleet in fleets:
        for vessel in fleet:
            first = vessel.id == vessel.card or vessel.id.endswith("1")
            points = [_place(x, y) for x, y in vessel.trail]
            tone = tones.get(vessel.side) if isinstance(vessel, Enemy) else None
            if first and vessel.state != "wreck" and len(points) > 1:
                marks = tuple(
                    Mark(at=p, label=str(i), owner=owner, tone=tone)
                    for i, p in enumerate(points)
                    if p != _place(vessel.x, vessel.y)
                )
                way = (*points, _place(vessel.x, vessel.y))
                yield Track(points=way, owner=owner, tone=tone, curved=True, marks=marks)


def _marks(vessels: list[OwnVessel], enemies: list[Enemy]) -> Iterator[Mark]:
    """Splash markers."""
    for vessel in vessels:
        if vessel.splash:
            yield _splash(vessel.x, vessel.y, vessel.splash, "own")
    for enemy in enemies:
        if enemy.splash:
            yield _splash(enemy.x, enemy.y, enemy.splash, "enemy")


def _splash(x: int, y: int, count: int, owner: Owner) -> Mark:
    said = f"{count} hits dodged"
    return Mark(at=_place(x, y), symbol="splash", owner=owner, beside=True, said=said)


LEGEND = (
    Key(
        "Hulls, to scale",
        (("hull:own", "yours"), ("hull:enemy", "the enemy's"), ("hull:neutral", "wreck")),
    ),
    Key("Ways", (("track", "way; a number where a turn ended"), ("arrow:own", "torpedoes"))),
    Key(
        "Sea",
        (
            ("fill:land", "land, rig, reef"),
            ("fill:shallow", "shallow, coastal water"),
            ("mark:own:splash", "hits dodged"),
        ),
    ),
)
