"""A German ship that the British look for: guesses of where she is, how she moves, what tells.

She is led as the bot leads her, by one of its plans, or in one of the styles of
`belief_styles.py`. Numbers: belief.toml.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from games.bismarck import board, bot_german, calendar, chance, tables
from games.bismarck.belief_styles import (
    BISMARCK,
    CONSORT,
    Orders,
    Raider,
    led,
    mind,
    numbers,
    sail,
    tank,
)
from games.bismarck.belief_told import Name, Told, Turn, told
from games.bismarck.board import GERMAN, Zone
from games.bismarck.bot_german import Plan
from games.bismarck.calendar import FIRST
from games.bismarck.report import OwnUnit
from games.bismarck.verbs import Move, Patrol
from pbem.inference.quarry import Draws, Quarry, pick, weighted
from pbem.kit.bots import Luck

SALTS = 8
"""Different courses on which guesses that are alike shake off an enemy."""


@cache
def plan_of(number: int) -> Plan:
    """One of the bot's plans."""
    return bot_german.plan(Luck(f"belief {number} -"))


class RaiderQuarry(Quarry[Raider, Told]):
    """The Bismarck or the Prinz Eugen."""

    called = ("zone", "zones")

    def __init__(self, ship: Name, along: Sequence[Turn]) -> None:
        self.ship, self.id, self.name = ship, ship.id, ship.name
        self.told, self.styles = told(ship, along), numbers().raider
        self._planned: dict[tuple[object, ...], Orders] = {}

    def place(self, style: str, draws: Draws) -> Raider:
        """9.2, 12.33 In Bergen, with a plan."""
        return Raider(mind(style, draws), board.BERGEN, fuel=tank())

    def move(self, guess: Raider, told: Told, draws: Draws) -> Raider:
        """As the bot, the rover or the drifter would; now and then she has another mind."""
        if draws.random() < (numbers().found if told.found else numbers().anew):
            style = weighted(draws, self.styles)
            guess = guess._replace(plan=mind(style, draws), rest=(), mark="")
        if guess.plan >= 0:
            return sail(guess, told, *self._by_plan(guess, told, int(draws.random() * SALTS)))
        guess, orders = led(guess, told, draws)
        return sail(guess, told, *orders)

    def _by_plan(self, guess: Raider, told: Told, salt: int) -> Orders:
        """What the bot orders; guesses that are alike share the answer."""
        if not (told.knows.contacts or told.knows.events):
            salt = 0  # nobody to shake off
        key = (told.turn, guess.plan, guess.zone, guess.rest[-1:], guess.fuel, salt)
        if key not in self._planned:
            self._planned[key] = self._bot(guess, told, Luck(f"belief {salt}"))
        return self._planned[key]

    def _bot(self, guess: Raider, told: Told, luck: Luck) -> Orders:
        plan = plan_of(guess.plan)
        parted = plan.company == "apart" and guess.zone[0] >= bot_german.SEAWARD
        alone = self.ship == BISMARCK or parted or plan.company == "sent off"
        unit = OwnUnit(
            id=self.ship.id if alone else bot_german.FORCE,
            name=self.ship.name,
            type=self.ship.type,
            place=guess.zone,
            fuel=str(guess.fuel),
            evasion=told.evasion,
            path=guess.rest,
            ships=() if alone else (BISMARCK.id, CONSORT.id),
        )
        order = bot_german.raid(told.knows, plan, unit, luck)
        if isinstance(order, Patrol):
            return order.path, False, True
        return (order.path, False, False) if isinstance(order, Move) else ((), False, False)

    def stray(self, guess: Raider, told: Told, draws: Draws) -> Raider:
        """5.1 None, one or two zones in any direction; 12.33 out of Bergen."""
        if told.turn == FIRST:
            return self.move(guess, told, draws)
        one = pick(draws, board.sea_steps(GERMAN, guess.zone) or (guess.zone,))
        two = pick(draws, board.sea_steps(GERMAN, one) or (one,))
        path = pick(draws, ((), (one,), (one, two), (one, two)))
        return sail(guess, told, path, False, not path)

    def likelihood(self, guess: Raider, told: Told) -> float:
        """7.23, 8.15, 10.2 What the British were told, if she is there."""
        if told.fix:
            return float(guess.zone == told.fix)
        if not self._unseen(guess, told):
            return 0.0
        return likely_heard(guess.zone, told) * likely_rolled(guess, told)

    def _unseen(self, guess: Raider, told: Told) -> bool:
        """7.23, 8.18, 8.21 Do the calls, and what a shadow told, agree with her way?"""
        if hides(guess.zone, told, self.ship):
            return False
        if told.two is not None and told.two != (len(guess.path) == 2):
            return False
        through = guess.path[0] if len(guess.path) == 2 and told.turn != FIRST else ""
        return through == told.passed if told.passed else through not in told.called

    def cell(self, guess: Raider) -> str:
        """2.2 Her zone."""
        return guess.zone

    def near(self, cell: str) -> Sequence[str]:
        """2.2 The six around it."""
        return board.around(cell)

    def put(self, guess: Raider, cell: str) -> Raider:
        """In that zone, without orders."""
        return guess._replace(zone=Zone(cell), rest=(), path=(), patrol=False, mark="")

    def within(self, cells: frozenset[str], told: Told) -> frozenset[str]:
        """5.1, 5.28 As far as she can sail."""
        bonus = tables.breakout({})
        for _ in range(bonus.free + len(bonus.cost) if told.turn == FIRST else 2):
            cells = cells | {to for z in sorted(cells) for to in board.sea_steps(GERMAN, Zone(z))}
        return cells

    def reach(self, cells: frozenset[str], told: Told) -> frozenset[str]:
        """5.1, 5.28 The same without what was searched."""
        if told.fix:
            return frozenset([told.fix])
        able = self.within(cells, told)
        found = (z for z in able if not hides(Zone(z), told, self.ship) and likely_heard(z, told))
        return frozenset(z for z in found if not searched(z, told))


# How likely is what was told?


def hides(zone: Zone, told: Told, ship: Name = BISMARCK) -> bool:
    """Is it ruled out that she is there? 7.21, 7.29 The calls would have found her, except in a
    port of hers, where only aircraft do. 12.12, 12.33 While the game goes on, the Bismarck is in no
    port but Bergen, and has left that in time."""
    if not board.port_of(zone, GERMAN):
        return zone in told.called
    return ship == BISMARCK and (zone != board.BERGEN or told.turn >= left_by())


@cache
def left_by() -> int:
    """12.33 The turn at whose end the Bismarck must have left Bergen."""
    return tables.schedule({}).port.leave_bergen_by


def likely_heard(zone: str, told: Told) -> float:
    """10.22 HUFF-DUFF names her zone or one beside it."""
    if not told.heard:
        return 1.0
    seven = [z for z in (zone, *board.around(zone)) if z in board.SEA]
    return 1 / len(seven) if told.heard in seven else 0.0


def searched(zone: str, told: Told) -> bool:
    """10.21 Would a general search have found her there?"""
    entry = told.entry
    if entry is None or entry.kind != "GENERAL SEARCH" or calendar.night(told.turn, zone):
        return False
    found = chance.general_search(entry, zone, told.level)
    return found and not (told.fog and zone in board.FOG)


def likely_rolled(guess: Raider, told: Told) -> float:
    """10.2 The chance roll did nothing: no general search, and no convoy sunk, if none was."""
    entry = told.entry
    if entry is None or calendar.night(told.turn, guess.zone):
        return 1.0
    if entry.kind == "CONVOY" and told.prize:
        return numbers().spared if chance.finds_convoy(entry, guess.zone, guess.patrol) else 1.0
    return 0.0 if searched(guess.zone, told) else 1.0
