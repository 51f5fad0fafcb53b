"""What the bots make of a report: whose forces lie where, how strong they are, and ways by sea."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from games.atlantic_chase import board
from games.atlantic_chase.report import Foe, Own, Report
from pbem.kit.bots import Luck
from pbem.kit.grids import path
from pbem.model import Side

Force = Own | Foe
HOME = {
    "rheinuebung": ("BREST", "ST NAZAIRE"),
    "berlin": ("BREST",),
    "cerberus": ("WILHELMSHAVEN", "KIEL"),
}
"""Ports for which the German raiders make in the end: where their operation scores."""
LATE_SPELL = 6
"""From this spell the late Convoy of Berlin may sail."""
CIVIL = ("AO", "CONVOY", "LINER")


class Chart:
    """A side's report, read once."""

    def __init__(self, seen: Report, side: Side, luck: Luck) -> None:
        self.seen, self.side, self.luck = seen, side, luck
        self.own = [u for u in seen.units if u.piece.sort == "force"]
        self.foes = [c for c in seen.contacts if c.piece.sort == "force"]
        every: tuple[Force, ...] = (*seen.units, *seen.contacts)
        self.ships = {u.id: u for u in every if u.piece.sort == "ship"}
        self.opened = board.opened(seen.board.opened)

    def chance(self, what: str, one_in: int) -> bool:
        """Does it happen this window, once in so many?"""
        return self.luck.of(f"{self.seen.window} {what}", one_in) == 0

    @cached_property
    def watched(self) -> frozenset[str]:
        """R059-R061 Hexes that give Intel to what enters them."""
        sea = self.seen.board
        cells = [c for p, s in sea.ports.items() if s != self.side for c in board.PORTS[p].hexes]
        cells += [board.AIRBASES[b].hex for b, s in sea.bases.items() if s != self.side]
        cells += [f.piece.at for f in self.seen.contacts if f.piece.sort in ("force", "stealth")]
        return frozenset(cells)

    def strength(self, force: Force) -> int:
        """Gunnery of its warships at long range, each ship counted for one more."""
        crew = [self.ships[s] for s in force.piece.ships if s in self.ships]
        return sum(_guns(s) + 1 for s in crew if s.type not in CIVIL)

    def warships(self, force: Force) -> bool:
        """Does it hold warships, and no Convoy?"""
        crew = [self.ships[s] for s in force.piece.ships if s in self.ships]
        return not force.piece.convoy and any(s.type not in CIVIL for s in crew)

    def carrier(self, force: Force) -> bool:
        """R103 Has it an undamaged carrier, and no Convoy?"""
        crew = [self.ships[s] for s in force.piece.ships if s in self.ships]
        able = any(s.type == "CV" and not s.piece.damaged for s in crew)
        return able and not force.piece.convoy

    def damaged(self, force: Force) -> bool:
        """Is one of its ships damaged?"""
        crew = [self.ships[s] for s in force.piece.ships if s in self.ships]
        return any(s.piece.damaged for s in crew)

    @property
    def hunters(self) -> list[Own]:
        """Own Task Forces that may search and engage, the shortest lines first."""
        able = [f for f in self.own if self.warships(f) and hexes(f)]
        return sorted(able, key=lambda f: len(f.piece.line))

    @property
    def prey(self) -> list[Foe]:
        """Enemies worth hunting: Convoys for the German, raiders first for the British."""
        if self.side == board.GERMAN:
            convoys = [f for f in self.foes if f.piece.convoy]
            return sorted(convoys, key=lambda f: (self.strength(f), len(f.piece.line)))
        found = [f for f in self.foes if hexes(f)]
        return sorted(found, key=lambda f: (-self.strength(f), len(f.piece.line)))

    def homeward(self, force: Own) -> bool:
        """Is it time for this German force to go home: hurt, late, or without Convoys left?"""
        if self.side != board.GERMAN or self.seen.scenario not in HOME or not self.warships(force):
            return False
        late = (5 + self.luck.game.of("home", 3)) * self.seen.board.length // 10
        idle = not any(f.piece.convoy for f in self.foes)
        return idle or self.damaged(force) or self.seen.turn >= late

    def bound(self, force: Own) -> tuple[str, ...]:
        """Ports for which a force makes, none for one that hunts."""
        return HOME[self.seen.scenario] if self.homeward(force) else force.piece.bound

    def way(self, here: str, goals: Iterable[str]) -> list[str]:
        """Hexes from here to the nearest of these, past what gives Intel where that is possible;
        empty without a way."""
        able = sorted(set(goals))
        if not able:
            return []
        goal = board.nearest(able, here, self.side, self.opened)

        def quiet(cell: str) -> list[str]:
            return [c for c in self.around(cell) if c == goal or c not in self.watched]

        found = path(quiet, here, goal, board.SEA.parts)
        return list(found or path(self.around, here, goal, board.SEA.parts) or ())

    def around(self, cell: str) -> tuple[str, ...]:
        """The hexes into which this side may go from there."""
        return board.neighbours(cell, self.side, self.opened)


def _guns(ship: Force) -> int:
    far = ship.piece.guns.partition("/")[2]
    return max(0, int(far)) if far not in ("", "na") else 0


def hexes(force: Force) -> tuple[str, ...]:
    """The hexes that a Task Force is in, none in a Port Box."""
    return force.piece.line or ((force.piece.at,) if force.piece.at else ())


def shared(one: Force, other: Force) -> list[str]:
    """The hexes that both are in, those with a Contact first."""
    cells = [c for c in hexes(other) if c in hexes(one)]
    return sorted(cells, key=lambda c: c not in other.piece.contact)
