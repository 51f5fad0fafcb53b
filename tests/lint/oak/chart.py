"""The chart of a report: the wood as a plain grid, the own animal, the row of the last twig."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, convert

from pbem.model import ContactView, UnitView
from pbem.scene import Circle, Contact, Grid, Key, Point, Scene, Unit
from tests.lint.oak.game import ZONES


class Shown(Struct):
    """What a chart reads of a report."""

    title: str
    side_name: str
    label: str
    deadline: str
    units: list[UnitView]
    contacts: list[ContactView]


def at(zone: str) -> Point:
    """The middle of a zone: rows A to E from the north, columns 1 to 5 from the west."""
    return float(int(zone[1:])), float(ord(zone[0]) - 64)


def scene(report: Mapping[str, object]) -> Scene:
    """The chart of a report (decoded report.json). Pure."""
    shown = convert(report, Shown)
    units = [Unit(id=u.id, name=u.name, symbol="piece", at=at(u.place)) for u in shown.units]
    return Scene(
        title=shown.title or "Under the oak",
        side=shown.side_name,
        when=shown.label,
        window=(0.2, 0.2, 5.8, 5.8),
        grid=Grid({zone: at(zone) for zone in ZONES}),
        ground="land",
        shapes=(Circle(owner="board", at=(3, 3), radius=0.4, label="the oak"),),
        units=tuple(units),
        contacts=tuple(twig(c) for c in shown.contacts),
        deadline=shown.deadline,
        legend=(
            Key(
                "The wood", (("counter:piece", "your animal"), ("area", "a twig: in one of these"))
            ),
        ),
        focus=tuple(u.at for u in units),
        pitch=100,
    )


def twig(c: ContactView) -> Contact:
    """3.1 The fox is, or was, somewhere in that row."""
    row = c.place.removeprefix("row ")
    note = f"{c.age} turns ago" if c.age > 1 else "one turn ago" if c.age else "now"
    return Contact(
        id=c.id,
        label="?",
        what=c.type,
        note=note,
        age=c.age,
        cells=tuple(zone for zone in ZONES if zone[0] == row),
    )
