"""A bot that searches: it draws worlds from its side's reports and plays candidates in them.

Determinized search: every candidate is played in the same worlds under the same dice (common random
numbers); the better half goes on, until one is left, and each round has an equal part of the
playouts (sequential halving, Karnin, Koren and Somekh 2013). All that it reads is its side's
reports; the budget is counted in playouts and their windows, so that the same seed gives the same
orders on any machine. What a system gives is `pbem.inference.mind.Mind`.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from functools import cache
from random import Random
from typing import Any

import msgspec
from msgspec import Struct

from orders.model import OrderSet
from pbem.base.report_json import Report
from pbem.belief.filter import Followed, settings
from pbem.bots.bot_orders import judged
from pbem.bots.playouts import Playout
from pbem.data import table
from pbem.dice.sources import Seeded, Source
from pbem.engine.position import encode
from pbem.engine.quick import Quick
from pbem.errors import Usage
from pbem.inference.mind import Candidate, Mind, Policy, World
from pbem.kit.bots import written
from pbem.model import Plain, Side, State, System, Window
from pbem.player.reader import parse_text
from pbem.player.sign import block_of, header_of


class Budget(Struct, frozen=True, forbid_unknown_fields=True):
    """The numbers of strong.toml, where each is explained."""

    playouts: int
    windows: int
    worlds: int
    turns: int
    particles: int
    trust: float


@cache
def budget() -> Budget:
    """That of the program."""
    return msgspec.convert(table("pbem.bots", "strong.toml"), Budget)


def only(playouts: int) -> Mapping[str, int]:
    """Changes of a budget: so many playouts, however long they are."""
    return {"playouts": playouts, "windows": sys.maxsize}


class Imagined(Playout):
    """A playout from a world: sides are led by policies, or by their plain bot."""

    led: Mapping[Side, Policy] = {}
    before: Mapping[str, Sequence[Plain]] = {}
    """Events that sides were told before the first window, until it is closed."""

    def orders(self, side: Side) -> OrderSet:
        """See Playout."""
        if side not in self.led:
            return super().orders(side)
        luck = f"{self.luck} {self.drive.opens}"
        return self._known(side, list(self.led[side](self._seen(side), luck)))

    def _seen(self, side: Side) -> Plain:
        seen = super()._seen(side)
        if not self.before:
            return seen
        return {**seen, "events": list(self.before.get(side, ()))}

    def window(self, given: Mapping[Side, OrderSet] | None = None) -> None:
        """See Playout."""
        super().window(given)
        self.before = {}


class Tried(Struct):
    """A candidate and what its playouts gave."""

    candidate: Candidate
    given: OrderSet
    total: float = 0
    count: int = 0

    def mean(self, trust: float) -> float:
        """What it is worth: what was thought before counts as so many playouts."""
        return (self.total + trust * self.candidate.before) / max(1e-9, self.count + trust)


class Strong:
    """One side's bot in one game. It is given one report after another, and nothing else."""

    def __init__(
        self,
        system: System,
        scenario: str,
        options: Mapping[str, str],
        side: Side,
        seed: str,
        changes: Mapping[str, float] | None = None,
    ) -> None:
        """changes: numbers of the budget. Raises Usage if the system has no such bot."""
        made = system.mind(side, scenario, options, f"{seed} {side}")
        if made is None:
            others = " for this scenario with these options" if _searches(system) else ""
            told = f"{system.title} has no bot that searches{others}"
            raise Usage(told, "--bot plain plays every game")
        self.system, self.scenario, self.options, self.side = system, scenario, options, side
        self.mind: Mind = made
        self.seed = f"{seed} {side}"
        numbers = {**made.budget, **(changes or {})}
        self.budget: Budget = msgspec.structs.replace(budget(), **numbers)
        self.sides = next(s.sides for s in system.scenarios if s.name == scenario)
        self.reports: list[Plain] = []
        self.choice = 0
        """The number of the candidate that it chose last."""
        self.explained = ""
        """Why it ordered what it ordered last."""
        fewer = msgspec.structs.replace(settings(), particles=self.budget.particles)
        self._followed = Followed(self.seed, fewer)
        self.worlds: list[World] = []
        self.drawn = 0
        """The window of these worlds: without a choice none are made."""
        self._answers: dict[int, Mapping[Side, OrderSet]] = {}
        """Playout -> what others order in the open window, whatever the candidate."""
        self._windows = 0
        """Windows that the playouts of this search have played."""
        self._playing: tuple[int, OrderSet] | None = None
        """Turn and orders of the last opening window."""

    def orders(self, report: Report) -> OrderSet:
        """Orders for the open window, which a player could mail. Raises AssertionError if not."""
        luck, fresh = self.learn(report.plain)
        found = self.mind.candidates(Random(f"{luck} candidates"))
        if len(found) > 1 or (self.mind.follows and fresh):
            self._draw(luck)
            self.drawn = report.window
        best = self._best(report, found, luck).candidate
        self.choice = found.index(best)
        self._chose(report, best, luck, fresh)
        text = written(best.now(report.plain, luck), self.system.grammar)
        return judged(self.system, report, text)

    def recall(self, report: Report, choice: int | None) -> None:
        """Go through a window that is past, in which the candidate of that number was chosen; None:
        somebody else gave the orders. Afterwards the bot is as if it had ordered then."""
        luck, fresh = self.learn(report.plain)
        if self.mind.follows and fresh:
            self._draw(luck)
        found = self.mind.candidates(Random(f"{luck} candidates"))
        if choice is None:
            self._playing = (report.turn, OrderSet()) if fresh else self._playing
        else:
            best = found[choice] if choice < len(found) else found[0]
            self._chose(report, best, luck, fresh)

    def _chose(self, report: Report, best: Candidate, luck: str, fresh: bool) -> None:
        self.mind.chose(best)
        if fresh:
            self._playing = report.turn, self._parsed(report, best, luck)

    # What it believes

    def learn(self, report: Plain) -> tuple[str, bool]:
        """Learn what the report of the open window tells. Returns the luck of the window, and
        whether it is the first of a turn."""
        self.reports.append(report)
        luck = f"{self.seed} {report['window']}"
        self.mind.learn(report, self._guesses(luck))
        return luck, self._playing is None or self._playing[0] != report["turn"]

    def _guesses(self, luck: str) -> Mapping[str, Sequence[Any]]:
        """Guesses of the quarries that the mind wants, each as likely."""
        if not self.mind.hunted:
            return {}
        wanted = [q for q in self.system.quarries(self.reports) if q.id in self.mind.hunted]
        self._followed.see(wanted)
        return {q.id: self._followed.guesses(q.id, Random(f"{luck} {q.id}")) for q in wanted}

    # Worlds

    def _draw(self, luck: str) -> None:
        """The worlds of now."""
        befores = [self._before(i) for i in range(self.budget.worlds)]
        self.worlds = [
            self.mind.world(state, Random(f"{luck} world {i}")) for i, state in enumerate(befores)
        ]

    def _before(self, i: int) -> State:
        """What world `i` is made of."""
        from pbem.admin.setup import begin

        if not (self.mind.follows and self.worlds and self._playing):
            return begin(self.system, self.scenario, self.options, {})
        turn, given = self._playing
        dice = Seeded(f"{self.seed} follow {i} {turn}", b"")
        game = self._playout(self.worlds[i], i, dice)
        game.window({self.side: given})
        while game.drive.state.turn == turn and not game.drive.over:
            game.window()
        return game.drive.state

    def _playout(self, world: World, i: int, dice: Source) -> Imagined:
        state = msgspec.json.decode(encode(world.state), type=self.system.state)
        drive = Quick.placed(self.system, self.sides, self.options, state, Window(1), dice)
        self.mind.settle(drive.state)
        # a world's enemy has one mind from the first turn to the last
        game = Imagined(self.system, self.scenario, drive, dice, f"{self.seed} world {i}")
        game.led = {Side(side): policy for side, policy in world.foes.items()}
        for _ in range(world.closed):
            game.window(dict.fromkeys(self.sides, OrderSet()))
        if world.closed:
            self.mind.settle(drive.state)
        game.before = world.told or {self.side: ()}
        return game

    # The search

    def _best(self, report: Report, found: Sequence[Candidate], luck: str) -> Tried:
        """Sequential halving: each round has an equal part of the playouts that are left."""
        if len(found) == 1 or not self.budget.playouts:
            self.explained = found[0].name
            return Tried(found[0], OrderSet())
        trust, most = self.budget.trust, self.budget.playouts
        self._answers = {}
        self._windows = 0
        left = [Tried(one, self._parsed(report, one, luck)) for one in found[:most]]
        laps = played = 0
        second = left[0]
        for rounds in range((len(left) - 1).bit_length(), 0, -1):
            for _ in range(max(1, (most - played) // rounds // len(left))):
                if not self._affords(played, len(left)):
                    break
                for one in left:
                    one.total += self._valued(one, laps, luck)
                    one.count += 1
                laps, played = laps + 1, played + len(left)
            left.sort(key=lambda one: -one.mean(trust))
            second, left = left[1], left[: (len(left) + 1) // 2]
        best = left[0]
        shares = f"{best.mean(trust):.0%} of {played} playouts, next best {second.mean(trust):.0%}"
        self.explained = f"{best.candidate.name}: {shares}"
        return best

    def _affords(self, played: int, more: int) -> bool:
        """Does the budget allow for so many more playouts, if they are as long as those so far?"""
        if not played:
            return True
        windows = self._windows * (played + more) / played
        return played + more <= self.budget.playouts and windows <= self.budget.windows

    def _parsed(self, report: Report, one: Candidate, luck: str) -> OrderSet:
        """A candidate's orders with the standing orders in force, which worlds do not have."""
        lines = written(one.now(report.plain, luck), self.system.grammar)
        text = "\n".join([*report.plain["standing"], lines])
        block = block_of(header_of(report, 0), text)
        return parse_text(self.system, report.plain, block, "a candidate").orders

    def _valued(self, one: Tried, at: int, luck: str) -> float:
        """The share of a game that a playout of the candidate gives; playout `at` has the same
        world and dice for every candidate."""
        i = at % len(self.worlds)
        game = self._playout(self.worlds[i], i, Seeded(f"{luck} {at}", b""))
        game.led = {**game.led, self.side: one.candidate.later}
        opens = game.drive.opens
        if at not in self._answers:
            others = (side for side in self.sides if side != self.side)
            self._answers[at] = {side: game.orders(side) for side in others}
        game.window({**self._answers[at], self.side: one.given})
        last = self.worlds[i].state.turn + self.budget.turns
        while not game.drive.over and game.drive.state.turn < last:
            game.window()
        self._windows += game.drive.opens - opens
        over = game.drive.over
        if over is None:
            return self.mind.worth(game.drive.state)
        return 0.5 if over.result == "draw" else float(over.result == self.side)


def _searches(system: System) -> bool:
    """Has any scenario of the system such a bot?"""
    return type(system).mind is not System.mind
