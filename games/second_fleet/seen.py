"""What checks of orders judge by: a side's report, and the public board.

The order page runs these functions as JavaScript (docs/formats.md, "Checks").
"""

from __future__ import annotations

from functools import cache

from games.second_fleet import roster
from games.second_fleet.advanced_tables import deep_chart
from games.second_fleet.board import (
    BASES,
    FJORD,
    HEXES,
    LATTICE,
    NATO,
    SOVIET,
    WATER,
    ZONE_OF,
    ZONES,
    Zone,
)
from games.second_fleet.board import CLOSED as SHUT
from games.second_fleet.report import OwnUnit
from games.second_fleet.tables import aircraft, ships
from pbem.kit import checks


class Seen(checks.Seen, frozen=True):
    """A report, with the rows that checks need."""

    @property
    def unit(self) -> OwnUnit | None:
        """The unit that gets the order; None also for reinforcements that have no place yet."""
        unit = self.own(self.actor, OwnUnit)
        return None if unit is None or unit.kind == "wait" else unit

    def place_of(self, contact: str) -> str:
        """Where a contact is; empty if it is none of the report."""
        for row in self.report["contacts"]:
            if row["id"] == contact:
                return str(row["place"])
        return ""

    def kind_of(self, contact: str) -> str:
        """What a contact is, `TF` or `SUB`; empty if it is none of the report."""
        for row in self.report["contacts"]:
            if row["id"] == contact:
                return str(row["kind"])
        return ""


@cache
def rows() -> list[str]:
    """The terrain of each row of hexes, a letter a column."""
    columns, lines = range(1, 46), range(1, 44)
    return ["".join(HEXES.get(f"{c:02d}{r:02d}", " ") for c in columns) for r in lines]


def wet(hex_: str) -> bool:
    """Does a hex hold water?"""
    column, row = LATTICE.parts(hex_)
    if row < 1 or row > len(rows()) or column < 1 or column > len(rows()[0]):
        return False
    return rows()[row - 1][column - 1] in WATER


def fjord(hex_: str) -> bool:
    """262 Is it a fjord?"""
    column, row = LATTICE.parts(hex_)
    if row < 1 or row > len(rows()) or column < 1 or column > len(rows()[0]):
        return False
    return rows()[row - 1][column - 1] == FJORD


@cache
def _zone_rows() -> list[str]:
    """The zones of each row of hexes, a letter a column."""
    columns, lines = range(1, 46), range(1, 44)
    letters = {zone: letter for letter, zone in ZONES.items()}
    letter = {hex_: letters[zone] for hex_, zone in ZONE_OF.items()}
    return ["".join(letter.get(f"{c:02d}{r:02d}", " ") for c in columns) for r in lines]


def zone_of(hex_: str) -> Zone | None:
    """The zone of a hex; None of what is no hex of the map."""
    if hex_ == "":
        return None
    column, row = LATTICE.parts(hex_)
    if row < 1 or row > len(_zone_rows()) or column < 1 or column > len(_zone_rows()[0]):
        return None
    return ZONES.get(_zone_rows()[row - 1][column - 1])


@cache
def closed() -> list[str]:
    """Hexsides that are all land, as `1729-1730`."""
    return sorted(f"{a}-{b}" for a, b in SHUT)


@cache
def coasts() -> list[str]:
    """Coastal hexes."""
    return [h for h, letter in HEXES.items() if letter in "Fc"]


@cache
def bases() -> list[str]:
    """Hexes with a base."""
    return sorted(BASES)


@cache
def airfields() -> list[str]:
    """Hexes in which aircraft may land."""
    return sorted(h for h, base in BASES.items() if base.field)


@cache
def _starts() -> dict[str, frozenset[str]]:
    """6.18 Where the ships and submarines of each nation (`NO sub`) may begin the campaign."""
    found: dict[str, frozenset[str]] = {}
    for nation, sub in sorted({(sheet.nation, sheet.sub) for sheet in ships().values()}):
        side = SOVIET if nation == "SO" else NATO
        hexes = frozenset(h for h in HEXES if roster.begins(side, nation, sub, h))
        found[f"{nation} {'sub' if sub else 'ship'}"] = hexes
    return found


def _starters(hex_: str) -> tuple[str, ...]:
    return tuple(who for who, hexes in _starts().items() if hex_ in hexes)


@cache
def _kinds() -> list[tuple[str, ...]]:
    """The hexes of the map by who may begin in them: hexes of one kind have a letter."""
    return sorted({_starters(h) for h in HEXES})


@cache
def waters() -> list[str]:
    """6.18 The kind of each row of hexes, a letter a column (`starts`)."""
    columns, lines = range(1, 46), range(1, 44)
    letter = {h: "abcdefghijklmnop"[_kinds().index(_starters(h))] for h in HEXES}
    return ["".join(letter.get(f"{c:02d}{r:02d}", " ") for c in columns) for r in lines]


@cache
def starts() -> dict[str, str]:
    """6.18 The kinds of hexes in which those of a nation may begin: `NO sub`: `bd`."""
    letters = "abcdefghijklmnop"
    return {
        who: "".join(letters[at] for at, may in enumerate(_kinds()) if who in may)
        for who in _starts()
    }


@cache
def homes() -> dict[str, list[str]]:
    """6.18 Where the aircraft of each nation may begin."""
    nations = sorted({sheet.nation for sheet in aircraft().values()})
    fields = [h for h, base in BASES.items() if base.field]
    return {n: sorted(h for h in fields if roster.stationed(n, h)) for n in nations}


def may_begin(nation: str, kind: str, hex_: str) -> bool:
    """6.18 May a ship (kind `ship` or `sub`) or a squadron (`air`) of a nation begin there?"""
    if kind == "air":
        return hex_ in homes().get(nation, [])
    column, row = LATTICE.parts(hex_)
    if row < 1 or row > len(waters()) or column < 1 or column > len(waters()[0]):
        return False
    return waters()[row - 1][column - 1] in starts().get(f"{nation} {kind}", "")


@cache
def least_deep() -> int:
    """198 Hexes a turn of a submarine that may go deep."""
    return deep_chart().least_ma


def touches(a: str, b: str) -> bool:
    """Is there a way by sea from one hex to the next?"""
    if not wet(b) or b not in LATTICE.around(a):
        return False
    return f"{min(a, b)}-{max(a, b)}" not in closed()
