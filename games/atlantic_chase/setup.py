"""The position in which an operation begins (Q53: set-up places pieces, it performs no actions)."""

from __future__ import annotations

from collections.abc import Mapping

from games.atlantic_chase import board, tables
from games.atlantic_chase.board import BRITISH, GERMAN
from games.atlantic_chase.state import Group, Leader, Ship, Stealth, TaskForce, War
from pbem.kit.edits import id_of
from pbem.model import Side


def begin(name: str, options: Mapping[str, str]) -> War:
    """The state before the first spell of an operation."""
    table = tables.scenario(name)
    forces = {f.id: _force(f) for f in tables.forces(name)}
    escorted = "close_escort" in table.special and options.get("escort") == "squadron"
    if escorted:
        forces["TF1"].ships.append("DD SQUADRON")
    groups = {g.id: g for g in (_group(r) for r in tables.reserves(name))}
    afloat = [s for f in forces.values() for s in f.ships]
    pools = [list(pool) for pool in tables.pools(name)]
    waiting = [s for crew in (*(g.ships for g in groups.values()), *pools) for s in crew]
    leaders = [(f.leader, f.ships[0]) for f in tables.forces(name) if f.leader]
    leaders += [_ashore(word) for word in table.staff.split()]
    war = War(
        turn=1,
        scenario=name,
        active=table.initiative,
        weather=table.weather,
        tally=table.tally,
        forces=forces,
        ships={s: Ship(s, tables.cards()[s].side) for s in sorted(afloat + waiting)},
        leaders={id_: _leader(id_, ship) for id_, ship in leaders},
        stealth={s.id: _stealth(s) for s in tables.hidden(name)},
        groups=groups,
        ports=_ports(table),
        bases=_bases(table),
        goals={g.ship: g.ports for g in tables.goals(name)},
        options=dict(options),
        inset=table.inset,
        pools=pools,
    )
    if escorted:  # special rule `close_escort`
        war.score(GERMAN, 1, "escort", "victory", "close escort of TF1")
    return war


def _force(row: tables.Force) -> TaskForce:
    """A Task Force of the set-up. Raises ValueError for a place that is none."""
    how, _, where = row.place.partition(" ")
    side = GERMAN if row.id.startswith("KG") else BRITISH
    force = TaskForce(row.id, side, list(row.ships), unknown=not row.ships)
    if how == "box":
        force.box = board.PORTS[where].id
    elif how == "at":
        force.at = where
    else:
        force.line = where.split()
    return force


def _group(row: tables.Reserve) -> Group:
    """R134 BA is British group A, GA German group A."""
    return Group(f"{row.side[0].upper()}{row.letter}", row.side, row.port, list(row.ships))


def _ashore(word: str) -> tuple[str, str]:
    """Of `Pound` the leader and no ship; of `Prien@UB1` the U-boat that he commands (R145)."""
    name, _, boat = word.partition("@")
    return id_of(name), boat


def _leader(id_: str, ship: str) -> Leader:
    chief = tables.leaders()[id_]
    return Leader(id_, chief.side, ship, chief.uses)


def _stealth(row: tables.Hidden) -> Stealth:
    kinds = {"UB": "uboat", "SUB": "submarine", "MINE": "mines"}
    kind = kinds[row.id.rstrip("0123456789")]
    at = row.place.removeprefix("at ") if row.place != "box" else ""
    return Stealth(row.id, row.side, kind, at)  # type: ignore[arg-type]  # a value of `kinds`


def _ports(table: tables.Scenario) -> dict[str, Side]:
    """R219 Who controls which port."""
    held: dict[str, Side] = {}
    for side, text in ((BRITISH, table.british_ports), (GERMAN, table.german_ports)):
        held |= {board.PORTS[port.strip()].id: side for port in text.split(",")}
    return held


def _bases(table: tables.Scenario) -> dict[str, Side]:
    """R013 Whose airbases are in play; two of one hex count as one."""
    held: dict[str, Side] = {}
    for side, text in ((BRITISH, table.british_airbases), (GERMAN, table.german_airbases)):
        for cell in text.split():
            found = next(b.id for b in board.AIRBASES.values() if b.hex == cell)
            held[found] = side
    return held
