"""Bots: they read report.json and write signed order files, just like players."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Protocol, TypeAlias

from orders.model import OrderSet
from orders.reading import Reading
from pbem.admin.setup import begin
from pbem.base.clock import now
from pbem.base.report_json import Moderator, Report
from pbem.dice.chains import DiceChains
from pbem.dice.sources import Seeded, Source
from pbem.engine.drive import Drive
from pbem.engine.runner import Closing, Runner
from pbem.errors import RulesFault
from pbem.inbound.arrival import Input
from pbem.inbound.intake import receive
from pbem.model import Side, System
from pbem.player.numbering import sequence
from pbem.player.reader import read_text
from pbem.player.run_word import turns_of
from pbem.player.sign import block_of, encrypted, header_of, signed
from pbem.reports.report import SILENT, Account, Frame, Words, draft
from pbem.rulecode import of_system
from pbem.store import secrets
from pbem.store.game_dir import Game
from pbem.store.records import Locked
from pbem.turns import run_on
from pbem.turns.close_window import report_of
from pbem.turns.own_lines import bound, standing_lines


def order_set(system: System, report: Report, luck: str) -> OrderSet:
    """Return the bot's orders, parsed from its text and judged like a mailed set. Raises
    WrongBotError, naming the order, for what a player could not send."""
    return judged(system, report, system.bot(Side(report.side), report.plain, luck))


class WrongBotError(RulesFault, AssertionError):
    """A bot wrote an order that a player could not send."""


def judged(system: System, report: Report, lines: str) -> OrderSet:
    """Order lines of a bot, parsed and judged like a mailed set. Raises AssertionError, naming the
    order, for what a player could not send."""
    if not lines:
        return OrderSet()
    text = block_of(header_of(report, 0), lines)
    reading = read_text(system, report, text, f"the bot of {report.side}")
    if reading.diagnostics:
        hint = "what `bot` writes is judged like the orders of a player"
        text, place = f"a bot wrote an invalid order: {_named(reading)}", of_system(system, "bot")
        raise WrongBotError(text, hint, str(place))
    return reading.orders


def _named(reading: Reading) -> str:
    """The first order that a mailed set could not contain, and why, on one line."""
    first = reading.diagnostics[0]
    return f"{first.source.strip()} ({first.code}: {first.text})"


Given: TypeAlias = Callable[[Game, System, Report], OrderSet]
"""What an enlisted bot orders in the window that a report of its side opened."""


def plainly(game: Game, system: System, report: Report) -> OrderSet:
    """What the system's plain bot orders."""
    return order_set(system, report, luck(game, report))


def play_bots(game: Game, system: System, given: Given = plainly) -> list[Side]:
    """Let the enlisted bots answer the open window; return the sides they wrote orders for.

    In a locked window they reveal their dice links. During a run, and after an undo that kept the
    orders, they write nothing: these windows take no new orders.
    """
    register = game.register
    waiting = [o.side for o in register.officers if o.bot and o.side not in register.sets]
    if not register.window or register.over or register.rerun or register.running:
        return []
    if register.locked:
        _reveal(game, system, register.locked)
        return []
    for side in waiting:
        report = report_of(game, side, register.window)
        key = secrets.bot_key(game, side)
        orders, chains = given(game, system, report), DiceChains(key)
        text = signed(system, report, orders, chains, sequence(report, now()))
        receive(game, system, Input(f"bot of {side}", encrypted(report, text).encode("ascii")))
    return waiting


def luck(game: Game, report: Report) -> str:
    """The luck of a side's bot in the window that the report opens: a word of the game that nobody
    but the referee can know, and one of the window."""
    return f"{secrets.salted(game, f'bot {report.side}')} {report.digest}"


def _reveal(game: Game, system: System, locked: Locked) -> None:
    """Reveal the links of the bots' sides in a locked window."""
    from pbem.turns import strict_dice

    register = game.register
    bots = [o.side for o in register.officers if o.bot]
    for side in [s for s in strict_dice.awaited(register) if s in bots]:
        notice = strict_dice.notice(register, side, locked)
        text = strict_dice.reveal(notice, DiceChains(secrets.bot_key(game, side)))
        receive(game, system, Input(f"bot of {side}", text.encode("ascii")))


def bare_report(
    system: System,
    scenario: str,
    drive: Runner,
    closing: Closing | None,
    side: Side,
    words: Words = SILENT,
) -> Report:
    """Return the report that `side` would get now in a game without files, with a digest of zeros.

    closing: the window that was closed last.
    """
    frame = Frame(
        game="match",
        setup="",
        digest="0" * 64,
        scenario=scenario,
        title="",
        window=drive.opens,
        closed=closing.window if closing else 0,
        opened="",
        deadline="",
        head="0" * 64,
        moderator=Moderator("", "0" * 16),
        dice_mode="seeded",
        over=drive.over,
        owed=() if drive.over else drive.pause.owed,
    )
    account = Account(
        told=closing.told if closing else (),
        rolls=closing.rolls if closing else (),
        questions=drive.pause.asked.get(side, ()) if drive.over is None else (),
        standing=standing_lines(drive, side),
        bound=bound(drive, side),
        seq=1_000_000_000,
    )
    made = draft(system, frame, side, drive.view(side), account, words)
    made.digest = "0" * 64
    made.plain = {**made.plain, "digest": made.digest}
    return made


def waits(system: System, drive: Runner, side: Side) -> bool:
    """Is this a window in which the side's bot writes nothing, as it owes nothing?"""
    owed = drive.pause.owed
    return system.bots_wait and drive.opens > 1 and bool(owed) and side not in owed


class Player(Protocol):
    """Who plays a side in place of its plain bot, for one game."""

    explained: str
    """Why it ordered what it ordered last, in a line."""

    def orders(self, report: Report) -> OrderSet:
        """Orders for the open window, from its side's reports alone."""


class Match:
    """A bot game in memory, without files, signatures and texts: for `simulate` and tests."""

    def __init__(
        self,
        system: System,
        scenario: str,
        options: Mapping[str, str],
        seed: str,
        driver: type[Drive] = Drive,
        players: Mapping[Side, Player] | None = None,
    ) -> None:
        """driver: runs the turns; `pbem.lint` has one that watches them. players: who plays these
        sides in place of their plain bot."""
        self.players = players or {}
        self.system, self.scenario, self.seed = system, scenario, seed
        sides = next(s.sides for s in system.scenarios if s.name == scenario)
        state = begin(system, scenario, options, {})
        self.drive = driver.start(system, sides, options, state)
        self.dice: Source = Seeded(seed, b"")
        self.closing: Closing | None = self.drive.began
        self.mails = 0
        """Exchanges of mail so far: windows for which the bots wrote."""
        self.until = 0
        """The last window that the bots agreed to run; 0 outside a run."""

    def report(self, side: Side, words: Words = SILENT) -> Report:
        """Return the report that `side` would get now, with a digest of zeros and, by default, with
        events without texts: hashing and wording would take most of the time, and nothing here is
        signed."""
        return bare_report(self.system, self.scenario, self.drive, self.closing, side, words)

    def orders(self, side: Side) -> OrderSet:
        """The orders of a side's bot for the open window."""
        if waits(self.system, self.drive, side):
            return OrderSet()
        if side in self.players:
            return self.players[side].orders(self.report(side))
        return order_set(self.system, self.report(side), f"{self.seed} {self.drive.opens}")

    def window(self) -> Closing:
        """Let all bots write orders, and resolve the open window; in a run of agreed turns, resolve
        it without orders."""
        drive, sets = self.drive, dict[Side, OrderSet]()
        if not self.until:
            sets = {side: self.orders(side) for side in drive.sides}
            self.until = drive.opens + min(map(turns_of, sets.values())) - 1
            self.mails += 1
        self.closing = drive.close(sets, self.dice)
        if run_on.end(self.system, drive, self.closing, self.until) != "on":
            self.until = 0
        return self.closing

    def play(self, most: int = 5000) -> Iterator[Closing]:
        """Yield windows until the game is over; check the system's invariants after each.

        Raises AssertionError after `most` windows.
        """
        for _ in range(most):
            yield self.window()
            self.system.audit(self.drive.state)
            if self.drive.over:
                return
        raise AssertionError(f"no end after {most} windows")


def substitute(game: Game, system: System) -> None:
    """Let the system's bot write orders for sides that owe some and sent none (policy `bot`).

    They are entered like the moderator's, so each side gets a receipt that shows them.
    """
    from orders.show import show

    for side in game.register.owing:
        if side not in game.register.sets:
            report = report_of(game, side, game.register.window)
            lines = show(order_set(system, report, luck(game, report)), system.grammar)
            text = block_of(header_of(report, sequence(report, now())), lines)
            receive(
                game, system, Input(f"bot for {side}", text.encode("ascii"), side=side, bot=True)
            )
