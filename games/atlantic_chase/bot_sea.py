"""What the bots make of a report: whose forces lie where, how strong they are, and ways by sea."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from msgspec import Struct

from games.atlantic_chase import board
from games.atlantic_chase.report import MET, Foe, Own, Report
from pbem.kit.bots import Luck
from pbem.kit.grids import path
from pbem.model import Side

Force = Own | Foe
HOME = {
    "rheinuebung": ("BREST", "ST NAZAIRE"),
    "berlin": ("BREST",),
    "roesselsprung": ("TRONDHEIM", "NARVIK", "ALTAFJORD"),
    "cerberus": ("WILHELMSHAVEN",),
    "nordmark": ("WILHELMSHAVEN", "KIEL"),
    "juno": ("TRONDHEIM", "MURMANSK", "DENMARK STRAIT"),
}
"""Ports for which the German raiders make in the end: where their operation scores, if it does."""
UNSEEN = ("SCAPA FLOW", "CLYDE")
"""Ports for which unidentified British Task Forces make."""
NARROW = ("nordmark", "juno")
"""Operations in which nearly every hex lies near an enemy port or airbase."""
LATE_SPELL = 6
"""From this spell the late Convoy of Berlin may sail."""
SHORT = 6
"""R109 Segments of a Trajectory that may Complete."""
CIVIL = ("AO", "CONVOY", "LINER")
CAPITAL = ("CV", "BC", "BB")


class Temper(Struct, frozen=True, forbid_unknown_fields=True):
    """How an admiral differs from the plain bot. None is better or worse by itself: bots that
    search choose among them."""

    name: str = ""
    worth: int = 0
    """Ranks by which the deeds that he thinks worth while are better (-) or worse (+)."""
    most: int = 6
    """Actions that may lose Initiative in one programme."""
    each: int = 2
    """Of them against one enemy."""
    nerve: int = 0
    """Tenths of the enemy's strength more (+) or less (-) that he wants to have to fight him."""


PLAIN = Temper()


class Chart:
    """A side's report, read once."""

    def __init__(
        self, seen: Report, side: Side, luck: Luck, turn: int, temper: Temper = PLAIN
    ) -> None:
        """turn: its number in orders for later ones."""
        self.seen, self.side, self.luck, self.turn = seen, side, luck, turn
        self.temper = temper
        self.own = [u for u in seen.units if u.piece.sort == "force"]
        self.foes = [c for c in seen.contacts if c.piece.sort == "force"]
        every: tuple[Force, ...] = (*seen.units, *seen.contacts)
        self.ships = {u.id: u for u in every if u.piece.sort == "ship"}
        self.opened = board.opened(seen.board.opened)
        self.german = side == board.GERMAN
        self.active = seen.board.active == side

    @cached_property
    def steady(self) -> bool:
        """Do hunters keep to their courses, as this spell's last action was no Battle? In narrow
        seas another one only lengthens a line that a search has shortened, and gives it Intel."""
        fought = any(e.kind == "BattleEnded" for e in self.seen.events)
        return self.seen.scenario in NARROW and self.seen.board.actions > 0 and not fought

    def chance(self, what: str, one_in: int) -> bool:
        """Does it happen this window, once in so many?"""
        return self.luck.of(f"{self.seen.window} {what}", one_in) == 0

    @cached_property
    def watched(self) -> frozenset[str]:
        """R059-R061 Hexes that give Intel to what enters them."""
        sea = self.seen.board
        cells = [c for p, s in sea.ports.items() if s != self.side for c in self.cells(p)]
        cells += [board.AIRBASES[b].hex for b, s in sea.bases.items() if s != self.side]
        cells += [f.piece.at for f in self.seen.contacts if f.piece.sort in ("force", "stealth")]
        return frozenset(cells)

    @cached_property
    def harbour(self) -> frozenset[str]:
        """The hexes of own ports."""
        sea = self.seen.board
        return frozenset(c for p, s in sea.ports.items() if s == self.side for c in self.cells(p))

    def cells(self, port: str) -> tuple[str, ...]:
        """R016, R022 The hexes of a port."""
        return self.seen.board.harbours.get(port, board.PORTS[port].hexes)

    def places(self, force: Force) -> tuple[str, ...]:
        """The hexes that a Task Force is in, in a Port Box those of the port."""
        return hexes(force) or self.cells(force.piece.box)

    def crew(self, force: Force) -> list[Own | Foe]:
        """The ships of a Task Force."""
        return [self.ships[s] for s in force.piece.ships if s in self.ships]

    def strength(self, force: Force) -> int:
        """Gunnery of its warships at long range, each ship counted for one more."""
        return sum(_guns(s) + 1 for s in self.crew(force) if s.type not in CIVIL)

    def warships(self, force: Force) -> bool:
        """Does it hold warships, and no Convoy?"""
        return not force.piece.convoy and any(s.type not in CIVIL for s in self.crew(force))

    def tanker(self, force: Force) -> bool:
        """Is it one of the German tankers?"""
        return any(s.type == "AO" for s in self.crew(force))

    def carrier(self, force: Force) -> bool:
        """R103 Has it an undamaged carrier, and no Convoy?"""
        able = any(s.type == "CV" and not s.piece.damaged for s in self.crew(force))
        return able and not force.piece.convoy

    def damaged(self, force: Force) -> bool:
        """Is one of its ships damaged?"""
        return any(s.piece.damaged for s in self.crew(force))

    def barred(self, foe: Foe) -> bool:
        """Berlin: do German orders forbid to engage it, as it holds an undamaged battleship?"""
        ordered = self.german and self.seen.scenario == "berlin"
        return ordered and any(s.type == "BB" and not s.piece.damaged for s in self.crew(foe))

    def able(self, force: Own, foe: Foe) -> bool:
        """Is the force strong enough to fight that enemy?"""
        if self.german and self.seen.scenario == "cerberus":
            return False
        bold = 6 + self.luck.game.of("bold", 4) + self.temper.nerve
        return 10 * self.strength(force) >= bold * self.strength(foe)

    @property
    def hunters(self) -> list[Own]:
        """Own Task Forces that may search and engage, the shortest lines first."""
        able = [f for f in self.own if self.warships(f) and hexes(f)]
        return sorted(able, key=lambda f: len(f.piece.line))

    @cached_property
    def prey(self) -> list[Foe]:
        """Enemies worth hunting: Convoys and what is unidentified for the German, raiders first for
        the British; none for Germans who may only go home."""
        if self.german:
            worth = [f for f in self.foes if f.piece.convoy or not f.piece.ships]
            convoys = [f for f in worth if hexes(f)]
            return sorted(convoys, key=lambda f: (self.strength(f), len(f.piece.line)))
        found = [f for f in self.foes if hexes(f)]
        return sorted(found, key=lambda f: (-self.strength(f), len(f.piece.line)))

    @cached_property
    def convoys(self) -> bool:
        """Is a Convoy left, of either side?"""
        return any(f.piece.convoy for f in self.own) or any(f.piece.convoy for f in self.foes)

    @cached_property
    def late(self) -> bool:
        """Is it time for the German to go home: after a quarter of the operation or later?"""
        share = 25 + self.luck.game.of("home", 16)
        return self.seen.turn >= share * self.seen.board.length // 100

    def homeward(self, force: Own) -> bool:
        """Does this German force go home: hurt, late, or without Convoys left?"""
        if not self.german or not self.warships(force):
            return False
        return not self.convoys or self.late or self.damaged(force)

    def bound(self, force: Own) -> tuple[str, ...]:
        """Ports for which a force makes, none for one that hunts."""
        if not force.piece.ships and not self.german:
            return UNSEEN
        return HOME.get(self.seen.scenario, ()) if self.homeward(force) else force.piece.bound

    def havens(self, force: Own) -> list[str]:
        """The hexes of the ports for which a force makes; those that give Intel, with which nobody
        Completes (R110), only where there is no other."""
        found = [c for p in self.bound(force) for c in self.cells(p)]
        return [c for c in found if c not in self.watched] or found

    def slow(self, force: Own) -> bool:
        """Is this a Convoy at its port whose line is too long to Complete (R109)?"""
        return self.ends(force) and len(force.piece.line) > SHORT

    def ends(self, force: Own) -> bool:
        """Has its line reached a port for which it is bound?"""
        return bool({c for p in self.bound(force) for c in self.cells(p)} & set(force.piece.line))

    def meeting(self, force: Own) -> str:
        """The hex of a tanker that this German force is to meet, for a point; empty for none. Some
        Germans leave it."""
        hunts = self.german and self.warships(force) and not self.homeward(force)
        if not hunts or self.luck.game.of("meet", 3) == 0:
            return ""
        here = self.places(force)[-1]
        idle = [f for f in self.own if self.tanker(f) and MET not in f.notes and f.piece.at]
        near = [f.piece.at for f in idle if self.far(here, f.piece.at) <= 10]
        return board.nearest(near, here, self.side, self.opened) if near else ""

    def far(self, here: str, there: str) -> int:
        """Segments from a hex to another by sea, 99 without a way."""
        return board.sea_distances(here, self.side, self.opened).get(there, 99)

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
    found = [c for c in hexes(other) if c in hexes(one)]
    return sorted(found, key=lambda c: c not in other.piece.contact)
