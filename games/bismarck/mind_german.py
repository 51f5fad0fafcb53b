"""The German who searches: he follows a plan, and compares ways to turn when somebody is near."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games.bismarck import board, bot_german, contacts, worlds
from games.bismarck.board import BRITISH, GERMAN, Zone
from games.bismarck.bot_common import counters, move, nearest, reachable, recent
from games.bismarck.mind_common import Led, Mind, courses, numbers
from games.bismarck.report import Enemy, OwnUnit
from games.bismarck.state import Ship, War
from games.bismarck.verbs import Hold, Move, Patrol
from pbem.inference.mind import Candidate, World
from pbem.inference.quarry import Draws


class German(Mind):
    """His worlds: the British bot has gone on from world to world; where contacts say otherwise,
    its ships are moved to them."""

    side = GERMAN
    follows = True

    def world(self, before: War, draws: Draws) -> World:
        """See `pbem.inference.mind.Mind`."""
        worlds.begun(before, self.memory, self.seen)
        worlds.enemy_contacts(before, self.memory, self.seen)
        true: dict[str, str] = {}
        for contact in sorted(self.seen.contacts, key=lambda c: (c.age, int(c.id[2:]))):
            ship = _meant(before, contact, set(true.values()))
            if ship is None:
                continue
            true[contact.id] = ship.id
            if contact.age <= 1 and contact.source != "HUFF-DUFF" and ship.zone != contact.place:
                put(before, ship, contact.place)
        worlds.own_contacts(before, self.memory, self.seen, true)
        return World(before)

    def candidates(self, draws: Draws) -> Sequence[Candidate]:
        """See `pbem.inference.mind.Mind`."""
        plan = self.policy()
        first = Candidate(self.course.name, plan, plan, self.course.worth)
        flag = next((u for u in counters(self.report) if "BISMARCK" in (u.id, *u.ships)), None)
        if flag is None or not self.opening or not self.alarmed(flag):
            return [first]
        others = [
            Candidate(f"{c.name}", Led(GERMAN, c.plan), Led(GERMAN, c.plan), c.worth)
            for c in courses(GERMAN)
            if c != self.course
        ]
        turns = [
            Candidate(name, Led(GERMAN, plan.plan, {flag.id: order}), plan, self.course.worth)
            for name, order in self.turns(flag, draws)
        ]
        return [first, *turns, *others]

    def alarmed(self, flag: OwnUnit) -> bool:
        """Is an enemy near, was she found, or is it time to think?"""
        report, n = self.report, numbers()
        if flag.place == board.BERGEN or flag.tied:
            return False
        seen = recent(report, 2, vague=True)
        near = any(board.distance(flag.place, c.place) <= n.near for c in seen)
        return near or bot_german.found(report, flag) or report.turn % n.every == 0

    def turns(self, flag: OwnUnit, draws: Draws) -> Iterator[tuple[str, Hold | Move | Patrol]]:
        """Ways to go this turn: to stay, or two zones in some direction."""
        yield f"patrols in {flag.place}", Patrol()
        ring = [
            z
            for z in bot_german.two_off(flag.place)
            if reachable(GERMAN, flag, z, self.report.turn)
        ]
        enemies = [c.place for c in recent(self.report, 2, vague=True)]
        danger = [*enemies, *board.HOME_COAST]
        ring.sort(key=lambda z: -min(board.distance(z, at) for at in danger))
        half = numbers().zones // 2
        rest = ring[half:]
        chosen = ring[:half]
        while rest and len(chosen) < numbers().zones:
            chosen.append(rest.pop(int(draws.random() * len(rest))))
        for zone in chosen:
            yield f"sails to {zone}", move(zone)
        port = nearest(flag.place, bot_german.FRANCE)
        if reachable(GERMAN, flag, port, self.report.turn) and self.report.turn > 12:
            yield f"runs for {port}", move(port)


def _meant(war: War, contact: Enemy, taken: set[str]) -> Ship | None:
    """The ship of a world that a contact may be: by name, else the nearest that looks so."""
    fleet = [s for s in war.fleet(BRITISH) if s.id not in taken]
    if contact.name:
        return next((s for s in fleet if s.name == contact.name), None)
    alike = [s for s in fleet if contacts.general(s) == contact.type and not s.in_port]
    return min(alike, key=lambda s: (board.distance(s.zone, contact.place), s.id), default=None)


def put(war: War, ship: Ship, zone: Zone) -> None:
    """A ship in another zone, and her whole force with her."""
    force = war.forces[ship.side].get(ship.force)
    for id_ in force.ships if force else [ship.id]:
        one = war.ships[id_]
        one.zone = one.origin = zone
        one.plan = None
    if force:
        force.plan = None
