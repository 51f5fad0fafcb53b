"""5.4 Task forces: counters on the board, forming and breaking in the visibility phase (4.2)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import copy

from msgspec import Struct
from msgspec.structs import replace

from games.bismarck import tables
from games.bismarck.board import Zone
from games.bismarck.events import OrderFailed, TaskForceBroken, TaskForceFormed
from games.bismarck.facts import knows, members
from games.bismarck.state import SIDES, Engine, Mode, Plan, Ship, TaskForce, War
from games.bismarck.verbs import Break, Detach, Form, Join
from orders.book import Book
from pbem.kit.checks import Refused
from pbem.model import Event, Side, TableLike

Regroup = Break | Detach | Form | Join
"""Orders of the visibility phase."""


class Counter(Struct):
    """5.43 What is on the board: a task force, or a ship alone. id: what orders call it."""

    id: str
    name: str
    side: Side
    ships: list[Ship]
    force: TaskForce | None

    @property
    def lead(self) -> Ship:
        """Its first ship."""
        return self.ships[0]

    @property
    def zone(self) -> Zone:
        """Where it is."""
        return self.lead.zone

    @property
    def mode(self) -> Mode:
        """2.423 Its upper side."""
        return self.force.mode if self.force else self.lead.mode

    @mode.setter
    def mode(self, mode: Mode) -> None:
        if self.force:
            self.force.mode = mode
        for ship in self.ships:
            ship.mode = "move" if ship.patrol is None else mode

    @property
    def plan(self) -> Plan | None:
        """What is left of its order to move."""
        return self.force.plan if self.force else self.lead.plan

    @plan.setter
    def plan(self, plan: Plan | None) -> None:
        if self.force:
            self.force.plan = plan
        else:
            self.lead.plan = plan


def counters(war: War, side: Side) -> list[Counter]:
    """5.43 Every counter of a side on the board, in order of id."""
    alone = [Counter(s.id, s.name, side, [s], None) for s in war.fleet(side) if not s.force]
    forces = [
        Counter(name, name, side, [war.ships[i] for i in force.ships], force)
        for name, force in war.forces[side].items()
    ]
    return sorted(alone + forces, key=lambda c: c.id)


def search_counters(war: War, side: Side) -> Iterable[tuple[Zone, tuple[int, int]]]:
    """5.45, 7.26 Zone and search strength by day and night of every counter.

    On patrol a task force has the best patrol strength among its ships, for that light.
    """
    moving = tables.moving(war.house)
    for counter in counters(war, side):
        if counter.id in war.shadowing:  # 8.13
            continue
        pairs = [s.patrol for s in counter.ships if s.patrol and counter.mode == "patrol"]
        best = (max(p[0] for p in pairs), max(p[1] for p in pairs)) if pairs else moving
        yield counter.zone, best


def engine(war: War, ship: Ship) -> Engine:
    """What the movement rules need of a ship, which its task force may tow."""
    force = war.forces[ship.side].get(ship.force)
    if not force or ship.evasion_now >= TOWED:
        return _engine(war, ship)
    mates = [war.ships[i] for i in force.ships]
    return next(e for e in tow([_engine(war, s) for s in mates]) if e.name == ship.name)


def _engine(war: War, ship: Ship) -> Engine:
    return Engine(
        name=ship.name,
        type=ship.type,
        top=ship.speed,
        evasion=ship.evasion_now,
        fuel=ship.fuel,
        two=ship.two,
        tied=tied(war, ship),
        launched=ship.type == "CV"
        and any(u.base == ship.id and u.launched and u.flying for u in war.air.values()),
    )


TOWED = 7
"""9.729 The evasion of emergency speed, at which a ship in tow goes."""


def tow(ships: Sequence[Engine]) -> list[Engine]:
    """9.729, ruling 47 The ships of a force as they move together: one that cannot move by itself
    goes at emergency speed, if a battleship, one of its type, or any two can tow it."""
    found = []
    for ship in ships:
        able = [s for s in ships if s.name != ship.name and s.evasion >= TOWED]
        alike = any(s.type in ("BB", "BC", ship.type) for s in able)
        pulled = ship.evasion < TOWED and (alike or len(able) > 1)
        found.append(replace(ship, evasion=TOWED) if pulled else ship)
    return found


_TIED = {
    "port": "waits in port until the Germans are known to be out, or turn {latest} begins (note 7)",
    "later": "may sail {later} turns after the Bismarck is located (note 10)",
    "patrol": "must patrol until a German ship is found within {near} zones (note 11)",
    "escort": "sails with her convoy until she is mobilised (note 9)",
    "entry": "is not in play yet",
}


def tied(war: War, ship: Ship) -> str:
    """4.1, 10.25 Why a ship may not be moved this turn, empty when it may."""
    if ship.hold:
        notes = tables.release(war.house)
        latest, later, near = notes.port_latest, notes.later, notes.patrol_within
        why = _TIED[ship.hold].format(latest=latest, later=later, near=near)
        return f"{ship.name} {why}"
    return f"{ship.name} sinks a convoy and stays this turn" if ship.still == war.turn else ""


# 4.2 The visibility phase


REGROUP: Mapping[str, type[Regroup]] = {
    "break": Break,
    "detach": Detach,
    "form": Form,
    "join": Join,
}


def visibility_phase(table: TableLike, war: War, books: Mapping[Side, Book]) -> None:
    """4.2, 5.41, 5.44 Task forces break, form and are joined, in the order in which their owner
    wrote it, so that one set may break a force and form another of its ships.

    He is told what was done, or why nothing was.
    """
    for side in SIDES:
        for command in books[side].script(REGROUP, knows(war, side)):
            try:
                event = _regroup(war, side, command.actor, command.order)
            except Refused as no:
                who, verb = printed(war, command.actor), type(command.order).__name__.lower()
                event = OrderFailed(rule=no.rule, why=no.text, who=who, verb=verb)
            if event:
                table.tell([side], event)
        _orphans(table, war, side, books[side])
    war.sailing = True


def _orphans(table: TableLike, war: War, side: Side, book: Book) -> None:
    """5.43 Of orders for a task force that is gone their owner hears once: of those for this turn,
    and of standing ones in the turn after it went."""
    gone, war.dissolved[side] = war.dissolved[side], []
    for name in book.actors():
        if not good_name(name) or name in war.forces[side]:
            continue
        later = [o for o in book.standing.later if (o.actor, o.turn) == (name, war.turn)]
        actions = (a for o in (*book.given.get(name, ()), *later) for a in o.actions)
        now = any(a.verb not in REGROUP for a in actions)
        stays = name in gone and name in book.standing.always
        if now or stays:
            why = f"there is no {name} any more; '@{name}: none' clears its standing orders"
            why = why if stays else f"there is no {name} any more"
            verb = "carry out its orders"
            table.tell([side], OrderFailed(rule="5.43", why=why, who=name, verb=verb))


def _regroup(war: War, side: Side, actor: str, order: Regroup) -> Event | None:
    if isinstance(order, Break):
        return _break(war, side, actor)
    if isinstance(order, Detach):
        return _detach(war, side, actor, order)
    if isinstance(order, Form):
        return _form(war, side, actor, order)
    return _join(war, side, actor, order)


def printed(war: War, actor: str) -> str:
    """A unit's printed name; a task force is called as its owner calls it."""
    unit = war.ships.get(actor) or war.air.get(actor)
    return unit.name if unit else actor


def _break(war: War, side: Side, actor: str) -> Event:
    force = _force(war, side, actor)
    return _leave(war, side, force, list(force.ships))


def _detach(war: War, side: Side, actor: str, order: Detach) -> Event:
    force = _force(war, side, actor)
    ids = list(dict.fromkeys(order.ships))
    strangers = [i for i in ids if i not in force.ships]
    if strangers:
        raise Refused("task-force", "5.44", f"{printed(war, strangers[0])} is not in {actor}")
    if order.name and len(ids) > 1:
        _check_name(war, side, order.name)
    event = _leave(war, side, force, ids)
    if order.name and len(ids) > 1:
        _make(war, side, order.name, ids)
    return event


def _form(war: War, side: Side, actor: str, order: Form) -> Event | None:
    ids = list(dict.fromkeys([actor, *order.ships]))
    standing = war.forces[side].get(order.name)
    if standing and set(ids) <= set(standing.ships):
        return None
    _check_name(war, side, order.name)
    ships = [_loose(war, side, i) for i in ids]
    _together(ships)
    if len(ships) < 2:
        raise Refused("task-force", "5.41", "a task force needs two ships or more")
    _make(war, side, order.name, ids)
    names = tuple(s.name for s in ships)
    return TaskForceFormed(rule="5.41", who=order.name, ships=names, zone=ships[0].zone)


def _join(war: War, side: Side, actor: str, order: Join) -> Event | None:
    force = _force(war, side, order.force)
    if actor in force.ships or actor == order.force:
        return None
    own = war.forces[side].get(actor)
    ships = members(war, side, actor) if own else [_loose(war, side, actor)]
    _together([war.ships[force.ships[0]], *ships])
    if own:
        _dissolve(war, side, actor)
    _enlist(war, force, [s.id for s in ships])
    names = tuple(war.ships[i].name for i in force.ships)
    return TaskForceFormed(rule="5.41", who=force.name, ships=names, zone=ships[0].zone)


def _force(war: War, side: Side, name: str) -> TaskForce:
    force = war.forces[side].get(name)
    if force is None:
        raise Refused("task-force", "5.41", f"there is no task force {name}")
    return force


def _loose(war: War, side: Side, id_: str) -> Ship:
    """A ship that may enter a task force. Raises Refused."""
    found = members(war, side, id_)
    if not found or id_ not in war.ships:
        raise Refused("task-force", "5.41", f"{printed(war, id_)} is no ship on the board")
    ship = found[0]
    if ship.force:
        raise Refused("task-force", "5.41", f"{ship.name} sails in {ship.force}")
    if ship.hold == "escort":
        raise Refused("task-force", "2.51", f"{ship.name} sails with her convoy")
    return ship


def _together(ships: list[Ship]) -> None:
    apart = [s for s in ships if s.zone != ships[0].zone]
    if apart:
        why = f"{apart[0].name} is in {apart[0].zone}, {ships[0].name} in {ships[0].zone}"
        raise Refused("task-force", "5.41", why)


def good_name(name: str) -> bool:
    """Is a name one for a task force: TF and a number of one or two digits?"""
    return name[:2] == "TF" and name[2:].isdigit() and len(name) <= 4 and name[2] != "0"


def _check_name(war: War, side: Side, name: str) -> None:
    if not good_name(name):
        raise Refused("task-force", "5.43", f"{name} is no name of a task force: use TF1 to TF99")
    if name in war.forces[side]:
        raise Refused("task-force", "5.43", f"{name} sails already")


def _make(war: War, side: Side, name: str, ids: list[str]) -> None:
    patrol = all(war.ships[i].mode == "patrol" for i in ids)
    force = TaskForce(name, [], "patrol" if patrol else "move")
    war.forces[side][name] = force
    _enlist(war, force, ids)


def _enlist(war: War, force: TaskForce, ids: list[str]) -> None:
    for i in ids:
        ship = war.ships[i]
        force.ships.append(i)
        ship.force, ship.plan = force.name, None
        ship.mode = "move" if ship.patrol is None else force.mode
    force.ships.sort()


def _dissolve(war: War, side: Side, name: str) -> None:
    """5.44 The task force is gone; its owner may still have orders for it."""
    del war.forces[side][name]
    war.dissolved[side].append(name)


def only_movers(war: War, force: TaskForce) -> None:
    """5.31 A task force that is left with carriers alone does not patrol."""
    if not any(war.ships[i].patrol for i in force.ships):
        force.mode = "move"


def _leave(war: War, side: Side, force: TaskForce, ids: list[str]) -> Event:
    """5.44 Ships leave; a force of one is dissolved. They go on along its path until they get other
    orders."""
    rest = [i for i in force.ships if i not in ids]
    gone = ids if len(rest) > 1 else list(force.ships)
    for i in gone:
        ship = war.ships[i]
        ship.force, ship.plan = "", copy(force.plan)
    force.ships = rest
    only_movers(war, force)
    if len(rest) < 2:
        _dissolve(war, side, force.name)
    return TaskForceBroken(
        rule="5.44",
        who=force.name,
        ships=tuple(war.ships[i].name for i in ids),
        zone=war.ships[ids[0]].zone,
        dissolved=len(rest) < 2,
    )


# 9.714 What is sunk is gone


def remove_sunk(war: War) -> None:
    """9.714 Sunk ships leave their task forces; aircraft aboard a sunk carrier go with her."""
    for side in SIDES:
        for name, force in list(war.forces[side].items()):
            force.ships = [i for i in force.ships if not war.ships[i].sunk]
            only_movers(war, force)
            if len(force.ships) < 2:
                for i in force.ships:
                    war.ships[i].force, war.ships[i].plan = "", force.plan
                _dissolve(war, side, name)
    for ship in war.ships.values():
        if ship.sunk:
            ship.force, ship.plan = "", None
    for unit in war.air.values():
        carrier = war.ships.get(unit.base)
        if carrier and carrier.sunk and not unit.zone:
            unit.lost = True
