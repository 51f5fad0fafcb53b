"""What the site may say of a game: public facts alone, from its register and from the report of
which every side knows every word (the spectators'). Nothing here depends on what came in for the
open window.
"""

from __future__ import annotations

import json
from pathlib import Path

from msgspec import Struct

from pbem.base.files import stat_of
from pbem.base.hashing import setup_digest
from pbem.club.results import Result, name_of, result_of
from pbem.model import ALL, Plain, System
from pbem.reports.filters import alarms
from pbem.store.game_dir import LEDGER, Game
from pbem.text.layout import printable

NEWS = 6
"""Windows whose public events a page shows."""
LINES = 8
"""Events of a window that it shows."""


class Seat(Struct):
    """A side and who plays it."""

    side: str
    name: str
    """The printed name of the side."""
    colour: str
    """`own`, `foe`, or empty where there are more than two sides."""
    keys: list[str] = []
    """Fingerprints of the keys of its players."""
    bot: bool = False
    missed: int = 0
    """Missed windows; 0 in games that do not tell them."""


class News(Struct):
    """What all sides were told when a window opened."""

    label: str
    lines: list[str]
    opened: str
    turn: int = 0


class Facts(Struct):
    """The public facts of a game."""

    game: str
    system: str
    title: str
    scenario: str
    seats: list[Seat]
    turns: int
    """The last turn; 0 without a limit."""
    dice: str
    window: int = 0
    turn: int = 0
    label: str = ""
    opened: str = ""
    """When the open window opened."""
    deadline: str = ""
    held: bool = False
    rule: str = ""
    """The schedule."""
    setup: str = ""
    """The set-up digest."""
    lock: str = ""
    """The lock of the window that closed last."""
    headline: str = ""
    news: list[News] = []
    """The newest first."""
    result: Result | None = None
    why: str = ""
    """How it ended, in words."""
    mark: tuple[int, int] = (0, 0)
    """Size and time of the ledger that they are of."""

    @property
    def running(self) -> bool:
        """Whether the game is open and not over."""
        return bool(self.window) and self.result is None


def mark_of(home: Path, name: str) -> tuple[int, int]:
    """Return the size and the time of the last change of a game's ledger."""
    found = stat_of(f"{home}/{name}/{LEDGER}")
    return (found.st_size, found.st_mtime_ns) if found else (0, 0)


def facts_of(game: Game, system: System, mark: tuple[int, int]) -> Facts:
    """Return the public facts of a game. mark: of its ledger."""
    register, created = game.register, game.register.created
    scenario = next(s for s in system.scenarios if s.name == created.scenario)
    news, newest = _news(game)
    over = register.over
    return Facts(
        game=created.game,
        system=created.system,
        title=system.title,
        scenario=scenario.title,
        seats=_seats(game, system),
        turns=scenario.turns or system.turns,
        dice=created.dice,
        window=register.window,
        turn=int(newest.get("turn", 0)) or _turn(game),
        label=str(newest.get("label", "")),
        opened=register.opened_at,
        deadline="" if over else register.deadline,
        held=register.held and not over,
        rule=_public_rule(register.mail_state.schedule),
        setup=setup_digest(register.setup) if register.setup else "",
        lock=register.closed[-1].lock if register.closed else "",
        headline=_headline(newest),
        news=news,
        result=result_of(game.ledger.records()) if over else None,
        why=printable(over.why) if over else "",
        mark=mark,
    )


def _turn(game: Game) -> int:
    """Return the number of the turn that is ordered, where no public report says it."""
    register = game.register
    return register.closed[-1].turn if register.closed else int(bool(register.window))


def _public_rule(rule: str) -> str:
    """Return a schedule without what players are not told: the time of grace."""
    return " ".join(word for word in rule.split() if not word.startswith("grace="))


def _seats(game: Game, system: System) -> list[Seat]:
    """Return the seats of a game in the order of its sides."""
    register = game.register
    scenario = next(s for s in system.scenarios if s.name == register.created.scenario)
    red, told = system.red_side(scenario.name), register.created.missed == "told"
    found = []
    for side in scenario.sides:
        officers = [o for o in register.officers if o.side == side]
        colour = "" if red is None else "foe" if side == red else "own"
        missed = sum(who == side for _, who in register.lapses) if told else 0
        keys = [name_of(o.key) for o in officers if not o.bot]
        bot = any(o.bot for o in officers)
        found.append(Seat(side, scenario.side_name(side), colour, keys, bot, missed))
    return found


def _news(game: Game) -> tuple[list[News], Plain]:
    """Return what all sides were told in the newest windows, and the newest public report; of a
    game that the site does not watch, nothing."""
    if not game.register.spectators or not game.register.window:
        return [], {}
    folder = game.path("reports", ALL)
    windows = sorted((int(p.name) for p in folder.glob("[0-9]*")), reverse=True)
    gone = {w for some in game.register.reopened.values() for w in some}
    found: list[News] = []
    newest: Plain = {}
    for window in [w for w in windows if w <= game.register.window and w not in gone][:NEWS]:
        report: Plain = json.loads(game.read("reports", ALL, str(window), "report.json"))
        newest = newest or report
        told = [str(event["text"]) for event in report.get("events", []) if event.get("text")]
        lines = [printable(line) for line in [*alarms(report), *told]]
        if lines:
            found.append(News(report["label"], lines[:LINES], report["opened"], report["turn"]))
    return found, newest


def _headline(report: Plain) -> str:
    """Return what the subject of the spectators' mail says; empty without a report."""
    if not report:
        return ""
    from pbem.reports.wording import brief

    return printable(brief(report))
