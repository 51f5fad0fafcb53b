"""Opponents of Bismarck's searching bots, for `tests.benchmarks.strong`.

All but the bot are led as no world of the search is. Captains of the Bismarck are those of the
beliefs' tests; the British ones below were written when the search stood, and nothing was changed
after their games.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from msgspec import Struct, convert

from games.bismarck import board, bot
from games.bismarck.board import BRITISH, GERMAN, Zone
from games.bismarck.bot_common import Report, counters, reachable, recent
from games.bismarck.game import SYSTEM
from games.bismarck.report import OwnUnit
from games.bismarck.verbs import Hold, Move, Patrol
from orders.model import OrderSet
from pbem.base.report_json import Report as Mailed
from pbem.bots.bot_orders import Player, judged
from pbem.bots.playouts import Line
from pbem.kit.bots import written
from pbem.model import Side
from tests.benchmarks.strong import Row
from tests.bismarck.captains import CAPTAINS, RAIDERS, Captain, rover

SCENARIO = "basic"
ROWS = (
    Row(GERMAN, "bot"),
    Row(GERMAN, "picket"),
    Row(GERMAN, "wanderer"),
    Row(BRITISH, "bot"),
    Row(BRITISH, "circler"),
    Row(BRITISH, "rover"),
    Row(BRITISH, "doubler"),
    Row(BRITISH, "lurker"),
    Row(GERMAN, "sweeper"),
)
LINE = ("D5", "F11", "G9", "E13", "H12", "R18", "P17", "T19", "L9", "J6", "M12", "H7", "B9")
"""Where pickets stand, in the order of their ids."""
SEA = sorted(board.SEA)


class Opponent(Player):
    """A bot whose ships are led otherwise."""

    explained = ""

    def __init__(self, side: Side, name: str, seed: str) -> None:
        self.side, self.name, self.seed = side, name, seed

    def orders(self, report: Mailed) -> OrderSet:
        """See Player."""
        luck = f"{self.seed} {report.window}"
        lines = list(bot.led(self.side, report.plain, luck, None))
        seen = convert(report.plain, Report)
        found = self.british(seen, lines) if self.side == BRITISH else self.german(seen, lines)
        try:
            return judged(SYSTEM, report, written(found, SYSTEM.grammar))
        except AssertionError:  # a captain's goal is too far after all: the bot leads
            return judged(SYSTEM, report, written(lines, SYSTEM.grammar))

    def german(self, seen: Report, lines: Sequence[Line]) -> Iterator[Line]:
        """A captain's moves in place of the bot's, as `tests.bismarck.captains.Hunt` has them."""
        captain = CAPTAINS[self.name]
        formed = False
        for actor, order in lines:
            forms = type(order).__name__ == "Form"
            formed |= forms
            if captain is None or actor not in RAIDERS or forms:
                yield actor, order
        if captain is not None and any(i.verb == "search" for i in seen.menu["GERMAN"]):
            yield from self._captain(captain, seen, formed)

    def _captain(self, captain: Captain, seen: Report, formed: bool) -> Iterator[Line]:
        for unit in counters(seen):
            if unit.tied or unit.id not in RAIDERS or (formed and unit.id == "PRINZ EUGEN"):
                continue
            word = seen.window if captain is rover else unit.id[:1]
            order = captain(seen, unit, Random(f"{self.seed} {word}"))
            if isinstance(order, Move):
                order = Move(order.path)  # at full speed: a way that is slow may be too long
            if order is not None:
                yield "TF1" if formed else unit.id, order

    def british(self, seen: Report, lines: Sequence[Line]) -> Iterator[Line]:
        """Other posts than the bot's, while nobody was seen for three turns."""
        quiet = not recent(seen, 3, vague=True)
        posts = {u.id: u for u in counters(seen)}
        for actor, order in lines:
            if quiet and actor in posts and isinstance(order, Move | Patrol | Hold):
                yield actor, self.posted(seen, posts[actor])
            else:
                yield actor, order

    def posted(self, seen: Report, unit: OwnUnit) -> Struct:
        """A picket's own post, another every other day for a sweeper, or a zone that a wanderer
        draws anew every day."""
        number = sum(map(ord, unit.id))
        if self.name == "picket":
            goal = Zone(LINE[number % len(LINE)])
        elif self.name == "sweeper":
            goal = Zone(LINE[(number + 5 * (seen.turn // 12)) % len(LINE)])
        else:
            day = Random(f"{self.seed} {unit.id} {seen.turn // 6}")
            near = [z for z in SEA if board.distance(unit.place, z) <= 8]
            goal = day.choice(near)
        if goal == unit.place or not reachable(BRITISH, unit, goal, seen.turn):
            return Hold()
        return Move((goal,))


def opponent(row: Row, seed: str) -> Player:
    """Who plays against the bot of a row."""
    return Opponent(BRITISH if row.side == GERMAN else GERMAN, row.opponent, seed)


def rows() -> Sequence[Row]:
    """All, the known opponent first."""
    return ROWS
