"""The Briton who searches: by beliefs about the raiders, with worlds drawn from them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import cast

from msgspec import Struct, to_builtins

from games.bismarck import belief_told, board, bot_german, worlds
from games.bismarck.belief_raider import plan_of
from games.bismarck.belief_styles import Raider
from games.bismarck.board import BRITISH, GERMAN, Zone
from games.bismarck.bot_common import counters, move, reachable, recent, scouts, units
from games.bismarck.bot_hunt import sightings
from games.bismarck.mind_common import Led, Mind
from games.bismarck.report import OwnUnit
from games.bismarck.state import TaskForce, War
from games.bismarck.verbs import Patrol
from pbem.inference.mind import Candidate, Report, World
from pbem.inference.quarry import Draws, pick
from pbem.kit.bots import Luck, may

FLAG, CONSORT = "BISMARCK", "PRINZ EUGEN"
TYPES = {"BB": FLAG, "CA": CONSORT}
NEAR = (1.0, 0.6, 0.3)
"""What a guess so many zones off is worth to a searcher: she sails on before he searches."""


class British(Mind):
    """His worlds: raiders where beliefs have them, their aircraft at rest."""

    side = BRITISH
    hunted = (FLAG, CONSORT)

    def learn(self, report: Report, guesses: Mapping[str, Sequence[object]]) -> None:
        """See `pbem.inference.mind.Mind`."""
        super().learn(report, guesses)
        self.guesses = cast(Mapping[str, Sequence[Raider]], guesses)
        types = {u.name: u.type for u in self.seen.units}
        then = belief_told.Turn(self.seen.turn - 1, events=self.memory.events, types=types)
        now = belief_told.Turn(self.seen.turn)
        lost = {name: hits.midships for name, hits in self.memory.hits.items()}
        told = belief_told.captain(now, then, len(self.memory.convoys), lost)
        self.knows = [to_builtins(event) for event in told.events]

    def world(self, before: War, draws: Draws) -> World:
        """See `pbem.inference.mind.Mind`."""
        worlds.begun(before, self.memory, self.seen)
        plan = self._raiders(before, draws)
        sunk = self.memory.sunk
        true = {c.id: TYPES[c.type] for c in self.seen.contacts if TYPES[c.type] not in sunk}
        worlds.own_contacts(before, self.memory, self.seen, true)
        worlds.enemy_contacts(before, self.memory, self.seen)
        return World(before, {GERMAN: self.knows}, {GERMAN: Led(GERMAN, plan)})

    def _raiders(self, war: War, draws: Draws) -> bot_german.Plan:
        """Raiders where a guess has them, and the plan of the guess that leads them."""
        lead = pick(draws, self.guesses[FLAG])
        number = lead.plan if lead.plan >= 0 else int(draws.random() * 400)
        consorts = self.guesses.get(CONSORT, ())
        with_her = [one for one in consorts if one.zone == lead.zone]
        together = bool(with_her) and draws.random() < 0.8
        mate = lead if together or not consorts else pick(draws, consorts)
        for ship, guess in ((war.ships[FLAG], lead), (war.ships[CONSORT], mate)):
            if ship.sunk:
                continue
            ship.zone = ship.origin = guess.zone
            ship.two, ship.still = guess.two, guess.still
            ship.mode = "patrol" if guess.patrol else "move"
            if ship.fuel is not None:
                ship.fuel = min(guess.fuel, ship.tank or 0)
            ship.plan, ship.force = None, ""
        war.forces[GERMAN] = {}
        if together and not war.ships[CONSORT].sunk:
            force = TaskForce(bot_german.FORCE, [FLAG, CONSORT], war.ships[FLAG].mode)
            war.forces[GERMAN][force.name] = force
            war.ships[FLAG].force = war.ships[CONSORT].force = force.name
        return plan_of(number)

    def candidates(self, draws: Draws) -> Sequence[Candidate]:
        """See `pbem.inference.mind.Mind`."""
        plan = self.policy()
        plain = Candidate(self.course.name, plan, plan, self.course.worth)
        if not self.opening or FLAG in self.memory.sunk:
            return [plain]
        sweep = dict(self.sweep())
        swept = Candidate("sweeps where she may be", Led(BRITISH, plan.plan, sweep), plan, 0.65)
        if not recent(self.report, 1, vague=True):
            return [swept]
        return [swept, plain, *self.closing(plan, sweep)]

    def closing(self, plan: Led, sweep: Mapping[str, Struct]) -> Iterator[Candidate]:
        """Heavy ships that sail for the zones where she is likeliest to be."""
        mass = self.mass()
        heavy = [u for u in self.sailing() if u.type in ("BB", "BC", "TF")]
        for zone in sorted(mass, key=lambda z: (-mass[z], z))[:2]:
            near = [u for u in heavy if 0 < board.distance(u.place, zone) <= 8]
            moves = {u.id: move(zone) for u in near if self._gets(u, zone)}
            if moves:
                led = Led(BRITISH, plan.plan, {**sweep, **moves})
                yield Candidate(f"closes on {zone}", led, plan, self.course.worth)

    # Where to look

    def mass(self) -> dict[Zone, float]:
        """Of each zone, how likely the Bismarck is found from there this turn."""
        found = defaultdict[Zone, float](float)
        guesses = self.guesses[FLAG]
        for guess in guesses:
            found[guess.zone] += 1 / len(guesses)
        spread = defaultdict[Zone, float](float)
        for zone, share in found.items():
            for far, ring in enumerate(rings(zone)):
                for one in ring:
                    spread[one] += share * NEAR[far]
        return spread

    def sailing(self) -> list[OwnUnit]:
        """Ships and forces that may be ordered to sail."""
        able = [u for u in counters(self.report) if not u.tied]
        return [u for u in able if may(self.report.menu, u.id, "move")]

    def sweep(self) -> Iterator[tuple[str, Struct]]:
        """Scouts and cruisers to the zones where the Bismarck may be, each to its own."""
        mass = self.mass()
        goals = dict(self._scouting(mass))
        known = sightings(self.report)
        yield from scouts(self.report, Luck("sweep"), {**goals, **known})  # type: ignore[misc]
        if recent(self.report, 2, vague=True):
            return
        for unit in self.sailing():
            if unit.type in ("CA", "CL"):
                near = [z for z in mass if board.distance(z, unit.place) <= 3]
                best = max(near, key=lambda z: (mass[z], z), default=None)
                if best is None or mass[best] < 0.02:
                    continue
                patrols = may(self.report.menu, unit.id, "patrol")
                path = () if best == unit.place else (best,)
                if patrols and self._gets(unit, best):
                    yield unit.id, Patrol(path)
                    take(mass, best)

    def _gets(self, unit: OwnUnit, zone: Zone) -> bool:
        there = reachable(BRITISH, unit, zone, self.report.turn)
        return zone == unit.place or there

    def _scouting(self, mass: dict[Zone, float]) -> Iterator[tuple[str, str]]:
        for unit in units(self.report, "air"):
            if unit.type != "LR recon" or unit.ready > self.report.turn:
                continue
            reach = unit.reach["patrol"] if unit.flying else unit.reach["move"]
            near = [z for z in mass if board.distance(unit.place, z) <= reach]
            near = [z for z in near if flies(unit, z) <= reach]
            best = max(near, key=lambda z: (mass[z], z), default=None)
            if best is not None and mass[best] > 0.01:
                yield unit.id, best
                take(mass, best)


def flies(unit: OwnUnit, zone: Zone) -> int:
    """6.12 Zones by air, 99 where there is no way."""
    return board.fly_distance(BRITISH, unit.place, zone) or (0 if unit.place == zone else 99)


def take(mass: dict[Zone, float], zone: Zone) -> None:
    """Somebody looks there: nobody else need."""
    for far, ring in enumerate(rings(zone)[:2]):
        for one in ring:
            if one in mass:
                mass[one] *= 0.1 if far == 0 else 0.6


@cache
def rings(zone: Zone) -> Sequence[Sequence[Zone]]:
    """The zone, those beside it, and those two zones off."""
    return [
        [zone],
        *([z for z in sorted(board.SEA) if board.distance(zone, z) == n] for n in (1, 2)),
    ]
