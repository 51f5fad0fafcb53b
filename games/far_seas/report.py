"""What the checker, the bots and the chart read of a side's report, typed where it comes in."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from pbem.model import MenuItem


class Vessel(Struct, frozen=True, kw_only=True):
    """What a report says of every ship, own or enemy."""

    id: str
    name: str
    type: str
    place: str
    """Area, or the box it is in."""
    nation: str
    gun: str
    speed: str
    """Grade as printed."""
    capacity: int
    damage: int
    points: int
    leader: str = ""
    """Id of the ship whose squadron it sails in, empty when it leads or is alone."""
    duty: str = ""
    post: str = ""
    """Station or landing of that duty."""
    moved: bool = False
    """It has moved this turn."""


class OwnShip(Vessel, frozen=True, kw_only=True):
    """An own ship."""

    start: str
    """The area in which it began."""
    trapped: bool = False
    """G7 It was found in the river and must stay."""
    wake: tuple[str, ...] = ()
    """Where the last turns found it, oldest first."""


class Enemy(Vessel, frozen=True, kw_only=True):
    """An enemy ship as the side knows it."""

    age: int
    """Turns since it was placed."""
    source: str = ""
    """How it was placed: `open`, or the event that did."""
    moves: int = 0
    """How often it was named since."""
    trail: tuple[tuple[str, int], ...] = ()
    """Area and age of earlier places, oldest first."""


class Points(Struct, frozen=True):
    """A side's victory points so far."""

    name: str
    points: int


class Missing(Struct, frozen=True):
    """E1 Merchants missed in an area so many turns ago."""

    area: str
    count: int
    age: int


class OpenBoard(Struct, frozen=True):
    """What movement depends on."""

    areas: tuple[str, ...]
    """Areas in play, empty for all."""
    raided: tuple[str, ...]
    options: Mapping[str, str]


class Ocean(OpenBoard, frozen=True):
    """The whole board."""

    segment: int = 1
    turns: int = 0
    points: tuple[Points, ...] = ()
    merchants: Mapping[str, int] = {}
    """Left in each area, by the escorts that are known."""
    missing: tuple[Missing, ...] = ()
    landings: Mapping[str, tuple[int, int, int, int, int]] = {}
    """What is still due: area, ships needed, ships sent, first and last turn."""


class Report(Struct, frozen=True):
    """A side's report."""

    side: str
    turn: int
    units: tuple[OwnShip, ...]
    board: Ocean
    scenario: str = ""
    contacts: tuple[Enemy, ...] = ()
    menu: Mapping[str, tuple[MenuItem, ...]] = {}
    window: int = 0
    standing: tuple[object, ...] = ()
    """The side's standing orders, of which bots need to know only whether there are any."""
    title: str = ""
    side_name: str = ""
    label: str = ""
    deadline: str = ""
