"""The chart of a system whose sea has no cells: the toy on a pond, as a package outside would bring
it. It has two charts, hulls to scale and a symbol of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct, convert

from pbem.model import ContactView, UnitView
from pbem.scene import (
    Circle,
    Contact,
    Key,
    Mark,
    Mesh,
    Point,
    Polygon,
    Scene,
    Sector,
    Track,
    Unit,
    hull,
)


class Shown(Struct):
    """What the charts read of a report."""

    title: str
    side_name: str
    label: str
    deadline: str
    units: list[UnitView]
    contacts: list[ContactView]


def at(zone: str) -> Point:
    """Ten yards from zone to zone, counted to the north."""
    return 10.0 * int(zone[1:]), -10.0 * (ord(zone[0]) - 64)


def scenes(report: Mapping[str, object]) -> Sequence[Scene]:
    """The pond, and the water around the own animal."""
    shown = convert(report, Shown)
    whole = pond(shown)
    x, y = whole.units[0].at if whole.units else (30.0, -30.0)
    near = pond(shown, name="near", caption="around you", pitch=24)
    near.window = (x - 12, y - 12, x + 12, y + 12)
    return whole, near


def pond(shown: Shown, name: str = "pond", caption: str = "the pond", pitch: int = 10) -> Scene:
    """Everything the reader knows."""
    units = [
        Unit(id=u.id, name=u.name, symbol="duck", at=at(u.place), heading=45, footprint=hull(6, 3))
        for u in shown.units
    ]
    return Scene(
        title=shown.title or "The pond",
        side=shown.side_name,
        when=shown.label,
        name=name,
        caption=caption,
        alt=f"A pond of 60 by 60 yards with {len(units)} of your boats.",
        window=(0, -60, 60, 0),
        mesh=Mesh(step=10, tick=5, unit="yards", north=True),
        shapes=(
            Polygon(
                owner="board",
                tone="land",
                fill=1,
                label="ISLE",
                points=((22, -25), (36, -22), (40, -33), (28, -38)),
            ),
            *(
                Sector(tone="zone", fill=0.2, at=u.at, start=0, end=90, outer=15, label="in reach")
                for u in units
            ),
            *(Circle(owner="enemy", dashed=True, at=(30, -30), radius=9) for c in shown.contacts),
        ),
        tracks=tuple(
            Track(points=((u.at[0] - 8, u.at[1] + 8), u.at), marks=(Mark(at=u.at, label="0"),))
            for u in units
        ),
        units=tuple(units),
        contacts=tuple(
            Contact(id=c.id, label="?", what=c.type, note="", age=c.age, at=(30, -30), level=1)
            for c in shown.contacts
        ),
        deadline=shown.deadline,
        legend=(Key("The pond", (("counter:duck", "a boat"), ("level:1", "heard"))),),
        focus=tuple(u.at for u in units),
        pitch=pitch,
    )
