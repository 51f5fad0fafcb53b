"""German captains with habits of their own, for beliefs: whoever looks for them does not know which
of them sails. All but the moves of the raiders is left to the bot."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

from msgspec import convert

from games.bismarck import board
from games.bismarck.belief_styles import ROVER, Raider, rove, tank
from games.bismarck.belief_told import Told
from games.bismarck.board import BRITISH, GERMAN, Zone
from games.bismarck.bot_common import Report, counters, reachable
from games.bismarck.bot_german import found, hunted, may_enter
from games.bismarck.calendar import FIRST
from games.bismarck.game import SYSTEM
from games.bismarck.report import OwnUnit
from games.bismarck.verbs import Hold, Move, Patrol
from orders.model import OrderSet
from pbem.bots.bot_orders import bare_report
from pbem.bots.playouts import Line, Playout
from pbem.engine.runner import Closing
from pbem.model import Plain, Side

Captain = Callable[[Report, OwnUnit, Random], Hold | Move | Patrol | None]
"""What the raiders do in a turn: a report, the ship or force, luck. None: they go on."""


def rover(report: Report, unit: OwnUnit, luck: Random) -> Hold | Move | Patrol | None:
    """The rover of the beliefs."""
    fuel = unit.fuel.partition("/")[0]
    factors = int(fuel) if fuel.isdigit() else tank()
    here = Raider(ROVER, unit.place, unit.path, False, unit.mode == "patrol", factors)
    told = Told(turn=report.turn, level=9, fog=False, evasion=unit.evasion, knows=report)
    path, slow, patrol = rove(here, told, luck)
    if path is None:
        return None
    if not path:
        return Patrol() if patrol else Hold()
    return Move(path, "economical") if slow else Move(path)


def lurker(report: Report, unit: OwnUnit, luck: Random) -> Hold | Move | Patrol | None:
    """Waits under the ice or off Norway for a day or two, then runs for the southern ocean by the
    longest way, and never hunts."""
    game = Random(f"{luck.random()}")  # of the game: `luck` begins anew every turn
    corner = game.choice(("A18", "A14", "B17", "D16", "A10", "E16"))
    leaves, south = game.randint(9, 19), game.choice(("M6", "P8", "S10", "U12", "T4", "W8"))
    goal = Zone(corner if report.turn < leaves else south)
    if found(report, unit):
        return dodge(report, unit, Random(f"{game.random()} {report.turn}"))
    if unit.place == goal or not reachable(GERMAN, unit, goal, report.turn):
        return Hold()
    return Move((goal,))


def doubler(report: Report, unit: OwnUnit, luck: Random) -> Hold | Move | Patrol | None:
    """Changes his mind every day: out by one strait, back, out by another, along the shores."""
    game = Random(f"{luck.random()}")
    marks = ["A12", "C6", "D15", "F11", "G13", "E8", "H9", "J12", "F3", "L14", "K8", "O15", "Q9"]
    game.shuffle(marks)
    goal = Zone(marks[(report.turn - FIRST) // game.choice((4, 5, 6)) % len(marks)])
    if hunted(report) and game.random() < 0.5:
        return dodge(report, unit, Random(f"{game.random()} {report.turn}"))
    if unit.place == goal or not reachable(GERMAN, unit, goal, report.turn):
        return Hold()
    return Move((goal,), "economical") if report.turn % 3 == 0 else Move((goal,))


def circler(report: Report, unit: OwnUnit, luck: Random) -> Hold | Move | Patrol | None:
    """Sails round Britain well off the coast, in the open ocean to the south and back again, in
    long legs, and looks for convoys on the way for a turn at a time."""
    game = Random(f"{luck.random()}")
    ring = ["E16", "F12", "I10", "M11", "Q14", "T17", "Q16", "N13", "J11", "H8"]
    first = game.randrange(3)
    if found(report, unit):
        return dodge(report, unit, Random(f"{game.random()} {report.turn}"))
    goal = Zone(ring[min(first + (report.turn - FIRST) // game.choice((3, 4)), 9)])
    if unit.place == goal or not reachable(GERMAN, unit, goal, report.turn):
        return Patrol()
    return Move((goal,))


def dodge(report: Report, unit: OwnUnit, luck: Random) -> Move | Hold:
    """Anywhere two zones off."""
    ring = [z for z in sorted(board.SEA) if board.distance(unit.place, z) == 2 and may_enter(z)]
    able = [z for z in ring if reachable(GERMAN, unit, z, report.turn)]
    return Move((luck.choice(able),)) if able else Hold()


CAPTAINS: Mapping[str, Captain | None] = {
    "bot": None,
    "rover": rover,
    "lurker": lurker,
    "doubler": doubler,
    "circler": circler,
}
"""The last three are led as no guess of the beliefs is. The circler was written when the first
numbers of the beliefs stood; levels of trust and shares of styles were chosen later, with a look at
all three."""
RAIDERS = ("TF1", "BISMARCK", "PRINZ EUGEN")


class Hunt(Playout):
    """A game of bots in which a captain leads the raiders, and the British keep their reports."""

    captain: Captain | None = None

    def orders(self, side: Side) -> OrderSet:
        """See Playout; the captain's in place of the bot's moves."""
        if side != GERMAN or self.captain is None:
            return super().orders(side)
        lines = self.system.bot_lines(side, self._seen(side), f"{self.luck} {self.drive.opens}")
        assert lines is not None
        return self._known(side, self._led(list(lines)))

    def _led(self, lines: list[Line]) -> list[Line]:
        assert self.captain
        report = convert(self._seen(GERMAN), Report, from_attributes=True)
        kept = [(actor, order) for actor, order in lines if actor not in RAIDERS or _forms(order)]
        formed = any(_forms(order) for actor, order in lines if actor in RAIDERS)
        for unit in counters(report):
            if unit.tied or unit.id not in RAIDERS or (formed and unit.id == "PRINZ EUGEN"):
                continue
            # the same in every turn, so that a captain may draw what he keeps to
            order = self.captain(report, unit, Random(f"{self.luck} {unit.id[:1]}"))
            if self.captain is rover:
                order = self.captain(report, unit, Random(f"{self.luck} {self.drive.opens}"))
            if order is not None:
                kept.append(("TF1" if formed else unit.id, order))
        return kept

    def report(self, side: Side = BRITISH) -> Plain:
        """A side's report of now."""
        closing = Closing(self.drive.window, list(self.told), [], None)
        return bare_report(self.system, self.scenario, self.drive, closing, side).plain


def _forms(order: object) -> bool:
    return type(order).__name__ == "Form"


def hunt(captain: str, seed: str) -> Hunt:
    """A game under that captain."""
    from pbem.admin.setup import begin, options_of

    options = options_of(SYSTEM, {})
    made = Hunt.start(SYSTEM, "basic", options, begin(SYSTEM, "basic", options, {}), seed)
    made.captain = CAPTAINS[captain]
    return made
