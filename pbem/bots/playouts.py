"""Playouts: games of bots that are played for their outcome alone, as fast as the rules allow.

The same rules, bots, orders and dice as in any other game give the same states to the byte. What is
left out is paper: no stored positions, no reports as JSON, no order text, no audits. Bots get their
side's view as the structs it consists of and give orders as structs. An order in words that
no bot has given before is read once by the reader that mailed orders meet; after that it is known.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Self

import msgspec
from msgspec import Struct

from orders.model import Order, OrderSet
from orders.show import line as shown_line
from orders.verbs import Grammar
from pbem.bots.bot_orders import bare_report, waits
from pbem.dice.sources import Source
from pbem.engine.position import Position
from pbem.engine.quick import Quick
from pbem.engine.runner import Closing
from pbem.kit.bots import action, written
from pbem.model import Over, Plain, Side, State, System, Told
from pbem.player.reader import parse_text
from pbem.player.run_word import turns_of
from pbem.player.sign import block_of, header_of
from pbem.reports.report import question_view
from pbem.turns import run_on

Line = tuple[str, Struct | str]
"""Actor and order, as in `pbem.kit.bots.Lines`."""


class Playout:
    """A game of bots from its beginning, or from a stored position, to its end."""

    def __init__(
        self,
        system: System,
        scenario: str,
        drive: Quick,
        dice: Source,
        luck: str,
        told: Sequence[Told] = (),
        until: int = 0,
    ) -> None:
        """luck: the bots', to which each window adds its number. told: the events of the window
        that was closed last. until: the last window of the run of agreed turns that the open window
        belongs to; 0 outside a run."""
        self.system, self.scenario, self.drive = system, scenario, drive
        self.dice, self.luck, self.told = dice, luck, told
        self.until = until

    @classmethod
    def start(
        cls, system: System, scenario: str, options: Mapping[str, str], state: State, seed: str
    ) -> Self:
        """The same game that `Match` plays with this seed. state: before turn 1."""
        from pbem.dice.sources import Seeded

        sides = next(s.sides for s in system.scenarios if s.name == scenario)
        drive = Quick.start(system, sides, options, state)
        told = drive.began.told if drive.began else ()
        return cls(system, scenario, drive, Seeded(seed, b""), seed, told)

    @classmethod
    def resume(
        cls,
        system: System,
        scenario: str,
        sides: tuple[Side, ...],
        options: Mapping[str, str],
        position: Position,
        dice: Source,
        luck: str,
        told: Sequence[Told] = (),
        until: int = 0,
    ) -> Self:
        """Go on from a position, also from one within a turn. told, until: as for the class."""
        drive = Quick.resume(system, sides, options, position)
        return cls(system, scenario, drive, dice, luck, told, until)

    def play(self, most: int = 5000) -> Over:
        """Play to the end. Raises AssertionError after `most` windows."""
        for _ in range(most):
            if self.drive.over:
                return self.drive.over
            self.window()
        raise AssertionError(f"no end after {most} windows")

    def window(self, given: Mapping[Side, OrderSet] | None = None) -> None:
        """Let bots write orders, and resolve the open window.

        given: orders that hold in the place of a bot's.
        """
        drive, sets = self.drive, dict[Side, OrderSet]()
        if not self.until:
            fixed = given or {}
            sets = {s: fixed[s] if s in fixed else self.orders(s) for s in drive.sides}
            self.until = drive.opens + min(map(turns_of, sets.values())) - 1
        closing = drive.close(sets, self.dice)
        self.told = closing.told
        last = closing.window >= self.until
        if last or run_on.end(self.system, drive, closing, self.until) != "on":
            self.until = 0

    def orders(self, side: Side) -> OrderSet:
        """The orders of a side's bot for the open window."""
        if waits(self.system, self.drive, side):
            return OrderSet()
        luck = f"{self.luck} {self.drive.opens}"
        lines = self.system.bot_lines(side, self._seen(side), luck)
        if lines is None:
            text = self.system.bot(side, self._report(side), luck)
            return self._read(side, text)
        return self._known(side, list(lines))

    def _known(self, side: Side, lines: list[Line]) -> OrderSet:
        """Lines as orders; if one of them is text that no bot has written before, all are read."""
        known = _known_lines(self.system.name)
        orders, words = [], dict[str, str]()
        for actor, line in lines:
            if not actor:
                word, _, rest = str(line).partition(" ")
                words[word] = rest
                continue
            order = known.get((actor, line))
            if order is None:
                if isinstance(line, str):
                    return self._learn(side, lines)
                order = known[actor, line] = ordered(actor, line, self.system.grammar)
            orders.append(order)
        return OrderSet(tuple(orders), words=words)

    def _learn(self, side: Side, lines: list[Line]) -> OrderSet:
        """Lines as orders, read from their text; remembers what each of them gave."""
        found = self._read(side, written(lines, self.system.grammar))
        given = [line for line in lines if line[0]]
        if len(given) == len(found.orders) and not found.answers and not found.cleared:
            _known_lines(self.system.name).update(zip(given, found.orders, strict=True))
        return found

    def _read(self, side: Side, text: str) -> OrderSet:
        if not text:
            return OrderSet()
        closing = Closing(self.drive.window, list(self.told), [], None)
        report = bare_report(self.system, self.scenario, self.drive, closing, side)
        block = block_of(header_of(report, 0), text)
        reading = parse_text(self.system, report.plain, block, f"the bot of {side}")
        if reading.diagnostics:
            raise AssertionError(f"a bot wrote an invalid order: {reading.diagnostics[0].text}")
        return reading.orders

    def _report(self, side: Side) -> Plain:
        closing = Closing(self.drive.window, list(self.told), [], None)
        return bare_report(self.system, self.scenario, self.drive, closing, side).plain

    def _seen(self, side: Side) -> Plain:
        """What a bot reads of its report, from structs that are as the view made them."""
        drive, system = self.drive, self.system
        view = system.bot_view(drive.state, side)
        scenario = next(s for s in system.scenarios if s.name == self.scenario)
        asked = enumerate(drive.pause.asked.get(side, ()), 1)
        return {
            "side": side,
            "side_name": scenario.side_name(side),
            "title": "",
            "scenario": self.scenario,
            "turn": view.turn,
            "turns": scenario.turns or system.turns,
            "label": view.label,
            "window": drive.opens,
            "deadline": "",
            "dice_mode": "seeded",
            "owed": list(drive.pause.owed),
            "units": view.units,
            "contacts": view.contacts,
            "board": view.board,
            "menu": view.menu,
            "events": [msgspec.to_builtins(t.event) for t in self.told if side in t.to],
            "questions": [question_view(n, q) for n, q in asked],
            "standing": self._standing(side),
        }

    def _standing(self, side: Side) -> list[str]:
        standing = self.drive.books[side].standing
        always = (o for actor in sorted(standing.always) for o in standing.always[actor])
        return [shown_line(order, self.system.grammar) for order in (*always, *standing.later)]


def ordered(actor: str, line: Struct, grammar: Grammar) -> Order:
    """A verb's struct as the order that the reader gives for its text. actor: as in `Line`, with
    `@` or `turn 7 ` before it."""
    given, turn = actor.removeprefix("@"), None
    if found := _IN_TURN.match(given):
        given, turn = found["actor"], int(found["turn"])
    return Order(given, (action(line, grammar),), standing=actor[0] == "@", turn=turn)


_IN_TURN = re.compile(r"turn (?P<turn>\d+) (?P<actor>.+)")


_LINES: dict[str, dict[Line, Order]] = {}


def _known_lines(system: str) -> dict[Line, Order]:
    """The lines that bots of a system have written in this process, each with its order."""
    return _LINES.setdefault(system, {})
