"""The chart of a corsair: his ship and those that he spotted."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, convert

from pbem.model import ContactView, UnitView
from pbem.scene import Contact, Grid, Key, Point, Scene, Unit
from tests.corsairs.game import ZONES


class Shown(Struct):
    """What a chart reads of a report."""

    side_name: str
    label: str
    deadline: str
    units: list[UnitView]
    contacts: list[ContactView]


def at(zone: str) -> Point:
    """The middle of a zone."""
    return float(int(zone[1:])), float(ord(zone[0]) - 64)


def scene(report: Mapping[str, object]) -> Scene:
    """The chart of a report (decoded report.json)."""
    shown = convert(report, Shown)
    units = [Unit(id=u.id, name=u.name, symbol="piece", at=at(u.place)) for u in shown.units]
    return Scene(
        title="Three Corsairs",
        side=shown.side_name,
        when=shown.label,
        window=(0.2, 0.2, 3.8, 3.8),
        grid=Grid({zone: at(zone) for zone in ZONES}),
        units=tuple(units),
        contacts=tuple(
            Contact(id=c.id, label="?", what=c.type, note=f"{c.age}", age=c.age, at=at(c.place))
            for c in shown.contacts
        ),
        deadline=shown.deadline,
        legend=(Key("The bay", (("counter:piece", "a ship"),)),),
        focus=tuple(u.at for u in units),
        pitch=100,
    )
