"""R115, section 9.7 of our rules page: the campaign. Four operations, one after the other; what
Completed may come again, what was sunk does not.
"""

from __future__ import annotations

from collections.abc import Mapping

from games.atlantic_chase import events_campaign as ec
from games.atlantic_chase import setup, tables, victory
from games.atlantic_chase.board import GERMAN
from games.atlantic_chase.state import Ship, War
from games.atlantic_chase.tables import campaign
from pbem.model import D6, Over, TableLike

EVERYWHERE = ("CONVOY", "AO", "DD", "FORT")
"""Pieces that stand for many: in each operation they are others."""
RULE = "R115"


def begin(options: Mapping[str, str]) -> War:
    """The first operation, as it is set up before any port is checked."""
    first, *others = campaign().operations
    war = setup.begin(first, options)
    war.season, war.coming = True, others
    return war


async def go_on(table: TableLike, war: War, over: Over) -> War | Over:
    """The next operation in which both sides have something to do; the end after the last."""
    last = war.turn
    while war.season and war.coming:
        war = _next(table, war)
        war.turn, war.before = last + 1, last
        ended = victory.settled(war)
        if ended is None:
            return war
        over = ended
    return over


def _next(table: TableLike, old: War) -> War:
    """Repairs, the Port Check, and the set-up of the next operation."""
    name, *others = old.coming
    told = ec.OperationEnded(rule=RULE, title=old.table.title, score=victory.points_told(old))
    table.tell(table.sides, told)
    absent = _dockyards(table, old)
    war = setup.begin(name, old.options)
    war.season, war.coming = True, others
    war.scores = [*old.scores, *war.scores]
    war.lost = sorted({*old.lost, *(s.id for s in old.ships.values() if s.gone == "sunk")})
    war.lost = [s for s in war.lost if tables.cards()[s].type not in EVERYWHERE]
    war.fallen = sorted({*old.fallen, *_fallen(old)})
    war.closed = _ports(table, war)
    _move_out(war)
    _strike_off(war, {*war.lost, *absent})
    table.tell(table.sides, ec.OperationBegan(rule=RULE, title=war.table.title))
    return war


def _dockyards(table: TableLike, war: War) -> list[str]:
    """Ships that miss the next operation: those that were damaged, or neither came home nor lie in
    a Port Box, and are not repaired in time, a die each."""
    absent = []
    for id_, ship in sorted(war.ships.items()):
        if ship.card.type in EVERYWHERE or ship.gone == "sunk" or not (_hurt(war, ship)):
            continue
        (die,) = table.roll(f"CAMPAIGN/REPAIR/-/{id_}", D6, to=table.sides)
        least = campaign().capital if ship.capital else campaign().other
        why = f"rolled {die}, repaired on {least}-6"
        repaired = die >= least
        table.tell(table.sides, ec.Repaired(rule=RULE, why=why, ship=id_, repaired=repaired))
        if not repaired:
            absent.append(id_)
    return absent


def _hurt(war: War, ship: Ship) -> bool:
    """Must it go into a dockyard? Who never came into play need not."""
    if any(ship.id in group.ships for group in war.groups.values()):
        return False
    force = war.of_ship(ship.id)
    return ship.damaged or bool(ship.effects) or (force is not None and not force.box)


def _fallen(war: War) -> list[str]:
    """Leaders who were killed: those of the set-up who neither are there nor came home."""
    begun = setup.begin(war.scenario, war.options).leaders
    return [x for x in begun if x not in war.leaders and x not in war.ashore]


def _ports(table: TableLike, war: War) -> list[str]:
    """R012 The Port Check: German ports that are closed in this operation."""
    closed = []
    for port, most in campaign().closed.items():
        if war.ports.get(port) != GERMAN or port in campaign().unchecked.get(war.scenario, ()):
            continue
        (die,) = table.roll(f"CAMPAIGN/PORT/-/{port}", D6, to=table.sides)
        if die <= most:
            closed.append(port)
        why = f"rolled {die}, closed on {'1' if most == 1 else f'1-{most}'}"
        told = ec.PortChecked(rule=RULE, why=why, port=port, closed=die <= most)
        table.tell(table.sides, told)
    return sorted(closed)


def _move_out(war: War) -> None:
    """Forces and groups of a closed port begin in the next open one to the north-east; without one
    in Kiel."""
    for force in war.forces.values():
        if force.box in war.closed:
            force.box = open_port(war, force.box)
    for group in war.groups.values():
        if group.port in war.closed:
            group.port = open_port(war, group.port)


def open_port(war: War, port: str) -> str:
    """The next open German port to the north-east."""
    order = list(campaign().order)
    later = order[order.index(port) + 1 :]
    able = (p for p in later if war.ports.get(p) == GERMAN and p not in war.closed)
    return next(able, "KIEL")


def _strike_off(war: War, out: set[str]) -> None:
    """Ships that are out are missing, or by option a free one of their class takes their place; so
    are leaders who fell, and pieces without ships."""
    used = set(war.ships) | out
    for crew in (*(f.ships for f in war.forces.values()), *(g.ships for g in war.groups.values())):
        for at, id_ in reversed(list(enumerate(crew))):
            if id_ not in out:
                continue
            del war.ships[id_]
            other = _replacement(war, id_, used)
            if other:
                used.add(other)
                crew[at] = other
                war.ships[other] = Ship(other, tables.cards()[other].side)
            else:
                del crew[at]
    war.forces = {id_: f for id_, f in war.forces.items() if f.ships}
    war.groups = {id_: g for id_, g in war.groups.items() if g.ships}
    for id_, leader in sorted(war.leaders.items()):
        place = next((f for f in tables.forces(war.scenario) if f.leader == id_), None)
        if place and place.id in war.forces:
            leader.ship = war.forces[place.id].ships[0]
        elif place:
            del war.leaders[id_]
        if id_ in war.fallen:
            war.leaders.pop(id_, None)


def _replacement(war: War, ship: str, used: set[str]) -> str:
    """By option: the first free ship of the class, side and nation."""
    if war.options.get("replace") != "class":
        return ""
    cards = tables.cards()
    own = cards[ship]
    same = (c for c in cards.values() if (c.type, c.nation) == (own.type, own.nation))
    return next((c.id for c in same if c.id not in used), "")
