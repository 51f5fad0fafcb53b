"""The chart of a toy report: the wood as a plain grid, the own animal, the row of the last twig."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, convert

from games.toy.game import ZONES
from pbem.kit import charts
from pbem.kit.grids import Lattice
from pbem.model import ContactView, UnitView
from pbem.scene import Contact, Key, Scene, Unit

WOOD = Lattice("square")
"""Rows A to E from the north, columns 1 to 5 from the west."""


class Shown(Struct):
    """What a chart reads of a report."""

    title: str
    side_name: str
    label: str
    deadline: str
    units: list[UnitView]
    contacts: list[ContactView]


def scene(report: Mapping[str, object]) -> Scene:
    """The chart of a report (decoded report.json). Pure."""
    shown = convert(report, Shown)
    units = tuple(
        Unit(id=u.id, name=u.name, symbol="piece", at=charts.middle(WOOD, u.place))
        for u in shown.units
    )
    return Scene(
        title=shown.title or "Fox and Hound",
        side=shown.side_name,
        when=shown.label,
        window=(0.2, -0.8, 5.8, 4.8),
        grid=charts.grid(WOOD, ZONES),
        ground="land",
        units=units,
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
    return Contact(
        id=c.id,
        label="?",
        what=c.type,
        note=charts.ago(c.age),
        age=c.age,
        cells=tuple(zone for zone in ZONES if zone[0] == row),
    )
