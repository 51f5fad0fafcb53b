"""What the checker, the bot and the chart read of a side's report, typed where it comes in."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from games.bismarck.board import Zone
from pbem.model import MenuItem


class OwnUnit(Struct, frozen=True):
    """An own ship, task force or air unit; fields of the other kinds stay empty."""

    id: str
    name: str
    type: str
    place: Zone
    kind: str = "ship"
    """`ship`, `force` or `air`."""
    fuel: str = ""
    """As printed: factors left of the tank, `9/11`; `-` where none is counted."""
    factors: int | None = None
    """Fuel factors left, None where none is counted."""
    top: int | None = None
    """Zones a turn at full speed; None for what is not a ship."""
    evasion: int = 0
    two: int = 0
    """The last turn in which it moved two zones."""
    tied: str = ""
    """Why it may not move yet, empty when it may."""
    force: str = ""
    """The task force it sails in."""
    ships: tuple[str, ...] = ()
    """Ids of a task force's ships."""
    mode: str = ""
    path: tuple[Zone, ...] = ()
    """What is left of its orders to move."""
    wake: tuple[Zone, ...] = ()
    """Where the last turns found it, oldest first."""
    base: str = ""
    """An air unit's port, base or carrier."""
    home: Zone = Zone("")
    """The zone of that base now."""
    flying: bool = False
    reach: Mapping[str, int] = {}
    """Zones a turn by mode, front of the counter first; empty for what does not fly."""
    endurance: Mapping[str, int] = {}
    """Turns in the air by mode."""
    up: int = 0
    """Turns it has been in the air."""
    ready: int = 0
    """The first turn in which it may fly."""

    @property
    def flies(self) -> bool:
        """Is it an air unit?"""
        return bool(self.reach)


class Contact(Struct, frozen=True):
    """An enemy ship as the side knows it."""

    id: str
    type: str
    place: Zone
    age: int
    source: str
    seen: str = ""
    name: str = ""
    trail: tuple[tuple[Zone, int], ...] = ()
    """Zone and age of earlier sightings, oldest first."""


class Points(Struct, frozen=True):
    """12.2 A side's victory points so far."""

    name: str
    points: int


class SearchBoard(Struct, frozen=True):
    """What a chart shows of the turn."""

    level: str
    fog: bool
    night: str
    """`none`, `south` or `all`."""
    searched: tuple[Zone, ...]
    points: tuple[Points, ...]


class Told(Struct, frozen=True):
    """An event of the report, by its kind."""

    kind: str


class Report(Struct, frozen=True):
    """What a bot reads."""

    turn: int
    units: tuple[OwnUnit, ...]
    contacts: tuple[Contact, ...]
    menu: Mapping[str, tuple[MenuItem, ...]]
    events: tuple[Told, ...]


class Shown(Struct, frozen=True):
    """What a chart reads."""

    title: str
    side: str
    side_name: str
    turn: int
    turns: int
    label: str
    deadline: str
    units: tuple[OwnUnit, ...]
    contacts: tuple[Contact, ...]
    board: SearchBoard
