"""The chart of a toy report: the wood as a plain grid, the own animal, the row of the last twig."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.toy.game import ZONES
from pbem.scene import Contact, Grid, Key, Point, Scene, Unit


def at(zone: str) -> Point:
    """The middle of a zone: rows A to E from the north, columns 1 to 5 from the west."""
    return float(int(zone[1:])), float(ord(zone[0]) - 64)


def scene(report: Mapping[str, Any]) -> Scene:
    """The chart of a report. Pure."""
    units = [
        Unit(id=u["id"], name=u["name"], symbol="piece", at=at(u["place"]))
        for u in report["units"]
    ]  # fmt: skip
    return Scene(
        title=report["title"] or "Fox and Hound",
        side=report["side_name"],
        when=report["label"],
        window=(0.2, 0.2, 5.8, 5.8),
        grid=Grid({zone: at(zone) for zone in ZONES}),
        ground="land",
        units=tuple(units),
        contacts=tuple(twig(c) for c in report["contacts"]),
        deadline=report["deadline"],
        legend=(
            Key(
                "The wood", (("counter:piece", "your animal"), ("area", "a twig: in one of these"))
            ),
        ),
        focus=tuple(u.at for u in units),
        pitch=100,
    )


def twig(c: Mapping[str, Any]) -> Contact:
    """3.1 The fox is, or was, somewhere in that row."""
    row = c["place"].removeprefix("row ")
    note = f"{c['age']} turns ago" if c["age"] > 1 else "one turn ago" if c["age"] else "now"
    return Contact(
        id=c["id"],
        label="?",
        what=c["type"],
        note=note,
        age=c["age"],
        cells=tuple(zone for zone in ZONES if zone[0] == row),
    )
