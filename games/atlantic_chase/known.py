"""The state of a game from a side's report: all of the board is public (R004).

What a report does not show was told before: the points in detail, the ships that are gone, torpedo
attacks, pieces that are free again. The enemy's orders alone are secret, and no state has them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from typing import cast

from games.atlantic_chase import setup, victory
from games.atlantic_chase.board import NAMES, SIDES
from games.atlantic_chase.report import MET, Foe, Own, Report
from games.atlantic_chase.state import (
    Gone,
    Group,
    Score,
    Sky,
    Stealth,
    StealthKind,
    TaskForce,
    War,
)
from games.atlantic_chase.view import KINDS
from pbem.model import Plain, Side

_STEALTH = {word: cast(StealthKind, kind) for kind, word in KINDS.items()}
_LEFT = {"once": 1, "twice": 2, "used up": 0}


class Known:
    """What a side knows of an operation."""

    def __init__(self, side: Side, scenario: str, options: Mapping[str, str]) -> None:
        self.side = side
        self.war = setup.begin(scenario, options)
        self._seen = set(self.war.forces)
        """Task Forces that were in play at some time."""
        self._turn = self.war.turn
        """Of the window whose events the next report tells."""

    def learn(self, seen: Report, events: Sequence[Plain]) -> None:
        """Read a report and its events: what happened, then how things stand."""
        for event in events:
            fold = _FOLDS.get(event["kind"])
            if fold:
                fold(self, event)
        war, sea = self.war, seen.board
        self._turn = war.turn = seen.turn
        war.active, war.weather, war.tally = Side(sea.active), cast(Sky, sea.weather), sea.tally
        war.actions, war.lines, war.last = sea.actions, sea.actions, ""
        war.ports = {port: Side(side) for port, side in sea.ports.items()}
        war.bases = {base: Side(side) for base, side in sea.bases.items()}
        pieces: list[tuple[Side, Own | Foe]] = [(self.side, unit) for unit in seen.units]
        other = next(side for side in SIDES if side != self.side)
        pieces += [(other, foe) for foe in seen.contacts]
        self._forces(pieces)
        self._ships(pieces)
        self._others(pieces)
        for name in NAMES:
            told = next((p.points for p in sea.points if p.name == NAMES[name]), 0)
            war.score(name, told - war.total(name), "hits", victory.RULE, "so far")

    def _forces(self, pieces: Sequence[tuple[Side, Own | Foe]]) -> None:
        war, found = self.war, dict[str, TaskForce]()
        for side, one in pieces:
            piece = one.piece
            if piece.sort != "force":
                continue
            found[one.id] = TaskForce(
                one.id,
                side,
                list(piece.ships),
                list(piece.line),
                piece.at,
                piece.box,
                list(piece.intel),
                list(piece.contact),
                piece.evasive,
                unknown=not piece.ships,
            )
            if MET in _notes(one):
                war.met = sorted({*war.met, *piece.ships})
        self._seen |= set(found)
        war.forces, war.spent = found, sorted(self._seen - set(found))

    def _ships(self, pieces: Sequence[tuple[Side, Own | Foe]]) -> None:
        war = self.war
        shown = {one.id: one for _, one in pieces if one.piece.sort == "ship"}
        for ship in war.ships.values():
            one = shown.get(ship.id)
            if one is None:
                ship.gone = ship.gone or "sunk"
                continue
            piece, ship.gone = one.piece, ""
            ship.hits, ship.damaged, ship.scattered = piece.hits, piece.damaged, piece.scattered
            ship.effects = list(_notes(one))
        war.pools = [p for p in war.pools if p[0] in shown and not shown[p[0]].piece.force]

    def _others(self, pieces: Sequence[tuple[Side, Own | Foe]]) -> None:
        war = self.war
        war.stealth, war.groups = {}, {}
        leaders = {one.id: one for _, one in pieces if one.piece.sort == "leader"}
        for side, one in pieces:
            piece = one.piece
            if piece.sort == "stealth":
                war.stealth[one.id] = Stealth(one.id, side, _STEALTH[one.type], piece.at)
            elif piece.sort == "group":
                war.groups[one.id] = Group(one.id, side, piece.box, list(piece.ships))
        for id_ in sorted(set(war.leaders) - set(leaders)):
            del war.leaders[id_]
            war.ashore.append(id_)
        for id_, one in leaders.items():
            if id_ in war.leaders:
                leader, home = war.leaders[id_], one.piece.force
                if home in war.forces and leader.ship not in war.forces[home].ships:
                    leader.ship = war.forces[home].ships[0]
                can = _notes(one)[0] if _notes(one) else ""
                leader.left = _LEFT.get(can.rpartition(", ")[2], leader.left)

    def drawn(self) -> War:
        """The state as it is known; its orders are those of bots."""
        return deepcopy(self.war)

    # What is told

    def _scored(self, event: Plain) -> None:
        kind, what = _kind_of(event["what"])
        row = Score(
            side=Side(event["side"]),
            points=event["points"],
            kind=kind,
            rule=victory.RULE,
            what=what,
            turn=self._turn,
        )
        self.war.scores.append(row)

    def _struck(self, event: Plain) -> None:
        if event["state"] == "sunk":
            self._gone([event["ship"]], "sunk")

    def _completed(self, event: Plain) -> None:
        self._gone(event["ships"], "home")

    def _gone(self, ships: Sequence[str], how: Gone) -> None:
        for id_ in ships:
            if id_ in self.war.ships:
                self.war.ships[id_].gone = how

    def _torpedo(self, event: Plain) -> None:
        ship = self.war.ships.get(event["ship"])
        if ship:
            ship.torpedoes += 1

    def _leader(self, event: Plain) -> None:
        leader = self.war.leaders.get(event["leader"])
        if leader and event.get("ship"):
            leader.ship = event["ship"]


_FOLDS: Mapping[str, Callable[[Known, Plain], None]] = {
    "Scored": Known._scored,
    "ShipHit": Known._struck,
    "ShipDamaged": Known._struck,
    "Completed": Known._completed,
    "TorpedoFired": Known._torpedo,
    "LeaderMoved": Known._leader,
}


def _notes(one: Own | Foe) -> tuple[str, ...]:
    return one.notes if isinstance(one, Own) else one.remarks


def _kind_of(told: str) -> tuple[str, str]:
    """The kind of a score, and what it is for, from how events say it."""
    for kind, text in victory.FOR.items():
        before, _, after = text.partition("{}")
        if text != "{}" and told.startswith(before) and told.endswith(after):
            return kind, told[len(before) : len(told) - len(after)]
    return "hits", told
