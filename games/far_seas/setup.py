"""AC: the position in which a game begins, from the tables of ships and scenarios."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from msgspec import Struct

from games.far_seas.board import BRITISH, GERMAN, PACKAGE
from games.far_seas.knowledge import Knowledge, Sighting
from games.far_seas.state import GRADES, Ship, War
from games.far_seas.tables import scenario
from pbem.kit.edits import id_of
from pbem.kit.tables import Sheet, one_of
from pbem.kit.views import filler

_SHIPS = Sheet(PACKAGE, "ships.toml")
_READ = {"speed": one_of(GRADES), "tubes": "y".__eq__}
_FIGURES = "type gun speed capacity roll points | start@enters"


class Row(Ship):
    """One line of ships.toml: a ship as printed."""

    station: str = ""
    """The list of AC that it stands in, empty for Germans."""
    optional: bool = False
    """In play by option alone. `tubes` of a row: whether the ship had any."""


@cache
def rows() -> tuple[Row, ...]:
    """Every ship of the tables, Germans first, as printed. Callers must not change them."""
    german, allied = f"name | {_FIGURES} | tubes", f"name | nation {_FIGURES} | station"
    found = _SHIPS.rows("german", Row, german, _READ, id="", side=GERMAN, nation="DE")
    found += _SHIPS.rows("allied", Row, allied, _READ, id="", side=BRITISH, tubes=True)
    for row in found:
        row.optional, row.name = row.name.endswith("*"), row.name.rstrip("*")
        row.id = id_of(row.name)
        row.tubes &= row.type not in ("BB", "AMC")
    return tuple(found)


def begin(name: str, options: Mapping[str, str], house: Mapping[str, str] | None = None) -> War:
    """AC The state before the first turn of a scenario. Raises ValueError for tables of the
    moderator's own."""
    if house:
        raise ValueError(f"{', '.join(sorted(house))}: the tables of Far Seas cannot be replaced")
    table = scenario(name)
    war = War(
        turn=table.first,
        last=table.last,
        ships={ship.id: ship for ship in _ships(name, table.first, options)},
        known=Knowledge(),
        scenario=name,
        areas=tuple(table.areas.split()),
        levels=table.levels,
        options=dict(options),
    )
    enter(war)
    _together(war, table.squadrons)
    return war


def _together(war: War, squadrons: str) -> None:
    """M5 (S) Ships that history shows together begin as a squadron. Raises ValueError for one that
    is not where its leader is."""
    for line in filter(None, map(str.strip, squadrons.splitlines())):
        lead, *mates = [war.ships[id_of(name.strip())] for name in line.split(",")]
        for mate in mates:
            if not mate.afloat or mate.area != lead.area:
                raise ValueError(f"{mate.name} does not begin where {lead.name} does")
            mate.leader = lead.id


class Start(Struct, frozen=True):
    """Where and when a ship begins in a scenario."""

    name: str
    start: str
    enters: int = 1


_SHIP = filler(Ship, {Row: "id name side nation type gun speed capacity roll points"})


def _ships(name: str, first: int, options: Mapping[str, str]) -> Iterator[Ship]:
    """The ships of a scenario: those it lists, or all that options do not leave out."""
    lines = Sheet(PACKAGE, "scenarios.toml").rows(f"{name}.ships", Start, "name | start@enters")
    starts = {line.name: line for line in lines}
    for row in rows():
        if row.name in starts if starts else not row.optional or _chosen(row, options):
            place = starts.get(row.name, row)
            armed = torpedoes(row, options)
            yield _SHIP(row, start=place.start, enters=max(first, place.enters), tubes=armed)


def torpedoes(row: Row, options: Mapping[str, str]) -> bool:
    """K6 All ships but battleships make torpedo attacks; by the option `tubes` those alone that
    had tubes, no liner."""
    return row.type != "BB" and (row.tubes or options.get("tubes") != "warships")


def _chosen(row: Row, options: Mapping[str, str]) -> bool:
    goeben = row.start == "MED"
    return options.get("optional", "none") in (("all",) if goeben else ("all", "liners"))


def enter(war: War) -> list[Ship]:
    """AC Ships that enter this turn are put into the Start box of their area; Germans are seen."""
    fresh = [s for s in war.ships.values() if s.enters == war.turn and not s.area and not s.gone]
    for ship in fresh:
        ship.area = ship.start
        war.mark(ship)
        if ship.side == GERMAN:
            war.known.ships[ship.id] = Sighting(ship.id, ship.area, war.turn)
    return sorted(fresh, key=lambda s: s.id)
