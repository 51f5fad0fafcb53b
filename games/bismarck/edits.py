"""What a ruling may change in a game of Bismarck: each keeps the books that the rules keep."""

from __future__ import annotations

from typing import cast

from msgspec.structs import replace

from games.bismarck import board, contacts, knowledge
from games.bismarck.battle import fire
from games.bismarck.events import Located
from games.bismarck.state import SIDES, Ship, TaskForce, War
from pbem.kit.edits import id_of, named
from pbem.model import Edit, Event, Side, TableLike, Unfit

SECTIONS = ("bow", "stern", "port", "starboard", "midships")


class Move(Edit, frozen=True):
    """A ship, a task force or an aircraft in the air is in another zone.

    side: whose task force, where both have one of that name. What was ordered of it is forgotten.
    """

    unit: str
    zone: str
    side: str = ""

    def amend(self, state: War) -> None:
        """2.2, 5.44 A ship of a task force cannot go without it."""
        found = _unit(state, self.unit, self.side)
        zone = board.Zone(self.zone)
        if zone not in board.SEA | board.LAND:
            raise Unfit(f"{self.zone!r} is not a zone", "zone")
        if isinstance(found, list):
            for ship in found:
                ship.zone = ship.origin = zone
                ship.path, ship.plan, ship.hold = (), None, ""
            return
        unit = state.air[found]
        if not unit.flying:
            raise Unfit(f"{unit.name} is at its base", "unit", "`set` its base instead")
        unit.zone = zone
        unit.path, unit.plan = (), None


class Damage(Edit, frozen=True):
    """Boxes that a ship has lost in all, section by section; what is not named stays.

    With its last midships box it sinks, and is scored (9.714); with fewer it floats again.
    """

    ship: str
    bow: int | None = None
    stern: int | None = None
    port: int | None = None
    starboard: int | None = None
    midships: int | None = None
    evasion: int | None = None
    """Lost for good (9.722)."""
    regained: int | None = None
    """Lost, but may still be regained (9.723)."""

    def amend(self, state: War) -> None:
        """9.7 The log sheet is corrected."""
        ship = named(state.ships, self.ship)
        given = {box: getattr(self, box) for box in SECTIONS}
        for box, lost in given.items():
            whole = getattr(ship.sections, box)
            if lost is not None and not 0 <= lost <= whole:
                raise Unfit(f"the {ship.name} has {whole} {box} boxes", box)
        given |= {"permanent": self.evasion, "temporary": self.regained}
        known = {box: lost for box, lost in given.items() if lost is not None}
        ship.hits = replace(ship.hits, **known)
        gone = ship.hits.midships == ship.sections.midships
        if gone != ship.sunk:
            ship.sunk = gone
            (_sink if gone else _raise)(state, ship)


class Sight(Edit, frozen=True):
    """A side has a contact of an enemy ship, where it is or in `zone`, as search would tell it."""

    side: str
    ship: str
    zone: str = ""

    def amend(self, state: War) -> None:
        """7.23 Type and zone; a name where the rules leave only one."""
        ship, side = named(state.ships, self.ship), Side(self.side)
        if side not in SIDES or side == ship.side:
            text = f"{self.side!r} is not the enemy of the {ship.name}"
            raise Unfit(text, "side", f"sides: {', '.join(SIDES)}")
        zone = self.zone or ship.zone
        if not ship.afloat or zone not in board.SEA:
            raise Unfit(f"the {ship.name} cannot be seen in {zone or 'no zone'}", "zone")
        seen = contacts.sightings(state, side, [ship])
        told = Located(rule="7.23", zone=board.Zone(zone), seen=seen)
        knowledge.learn(state.known[side], state.turn, told)


def edits() -> tuple[type[Edit], ...]:
    """What a ruling may change."""
    return Move, Damage, Sight


class _Silence:
    """A table that lets both sides learn what happens, without reports."""

    sides = SIDES

    def __init__(self, war: War) -> None:
        self._war = war

    def tell(self, to: tuple[Side, ...], event: Event) -> None:
        for side in to:
            knowledge.learn(self._war.known[side], self._war.turn, event)


def _sink(war: War, ship: Ship) -> None:
    fire.sink(cast(TableLike, _Silence(war)), war, ship, ship.zone)


def _raise(war: War, ship: Ship) -> None:
    war.scores = [s for s in war.scores if s.what != f"the {ship.name} sunk"]


def _unit(war: War, name: str, side: str) -> list[Ship] | str:
    """The ships that move as one, or the id of an air unit."""
    id_ = id_of(name)
    if id_ in war.air:
        return id_
    forces = [f for s in SIDES if side in ("", s) for n, f in war.forces[s].items() if n == id_]
    if len(forces) > 1:
        text = f"both sides have a task force {id_}"
        raise Unfit(text, "unit", 'add side = "british" or "german"')
    if forces:
        return _members(war, forces[0])
    ship = named(war.ships, name, "unit")
    if ship.force:
        raise Unfit(f"the {ship.name} sails with {ship.force}", "unit", f"move {ship.force}")
    return [ship]


def _members(war: War, force: TaskForce) -> list[Ship]:
    force.plan = None
    return [war.ships[i] for i in force.ships]
