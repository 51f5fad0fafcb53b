"""What the site may say of a game: public facts alone, from its register and from the report of
which every side knows every word (the spectators'). Nothing here depends on what came in for the
open window.
"""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

from msgspec import Struct

from pbem.base.files import stat_of
from pbem.base.hashing import setup_digest
from pbem.club.results import Result, name_of, result_of
from pbem.model import ALL, Plain, Side, System
from pbem.reports.filters import alarms
from pbem.store import secrets
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
    people: str = ""
    """Who plays it, at the beginning of a sentence: `The Germans`. Known after the end."""


class News(Struct):
    """What all sides were told when a window opened."""

    label: str
    lines: list[str]
    opened: str
    turn: int = 0


class Chart(Struct):
    """The chart of a running game."""

    of: str
    """Digest of the public report of which it was drawn."""
    drawn: bool = False
    """Whether the system has a chart, and could draw it."""
    places: list[str] = []
    """The places that it marks: those that the news names."""


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
    shown: str = ""
    """Digest of the public report that the chart of a running game shows; empty without one."""
    reported: int = 0
    """The window of that report."""
    result: Result | None = None
    why: str = ""
    """How it ended, in words."""
    mark: tuple[int, int] = (0, 0)
    """Size and time of the ledger that they are of."""
    edition: str = ""
    """Edition of the system that the game is pinned to."""

    @property
    def running(self) -> bool:
        """Whether the game is open and not over."""
        return bool(self.window) and self.result is None


class Seats(Struct):
    """Who sits where in a game, as its ledger was at a moment. The site shows none of it: the club
    follows by it what players change."""

    people: dict[str, str]
    """`fox 1`, a side and the number of an officer, to his address."""
    ended: int
    """How many keys have ended."""
    lost: list[str]
    """Keys that are reported lost."""
    over: bool
    mark: tuple[int, int]
    """Size and time of the ledger."""


def seats_of(game: Game, mark: tuple[int, int]) -> Seats:
    """Return the seats of a game. mark: of its ledger."""
    register, people, lost = game.register, dict[str, str](), list[str]()
    for side, some in secrets.addresses(game).items():
        officers = [o for o in register.officers if o.side == side]
        for officer, one in zip(officers, some, strict=False):
            if not officer.bot:
                people[f"{side} {officer.number}"] = one["email"].lower()
    for loss in register.resets.values():
        mine = (o for o in register.officers if o.side == loss.side)
        lost += [o.key for o in mine if o.number in loss.ends]
    return Seats(people, len(register.former), lost, bool(register.over), mark)


def mark_of(home: Path, name: str) -> tuple[int, int]:
    """Return the size and the time of the last change of a game's ledger."""
    found = stat_of(f"{home}/{name}/{LEDGER}")
    return (found.st_size, found.st_mtime_ns) if found else (0, 0)


def facts_of(game: Game, system: System, mark: tuple[int, int]) -> Facts:
    """Return the public facts of a game. mark: of its ledger."""
    register, created = game.register, game.register.created
    scenario = next(s for s in system.scenarios if s.name == created.scenario)
    news, newest, digest = _news(game)
    over = register.over
    return Facts(
        game=created.game,
        system=created.system,
        title=system.title,
        scenario=scenario.title,
        seats=_seats(game, system, bool(over)),
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
        shown="" if over else digest,
        reported=int(newest.get("window", 0)),
        result=result_of(game.ledger.records()) if over else None,
        why=printable(over.why) if over else "",
        mark=mark,
        edition=register.pinned.edition,
    )


def _turn(game: Game) -> int:
    """Return the number of the turn that is ordered, where no public report says it."""
    register = game.register
    return register.closed[-1].turn if register.closed else int(bool(register.window))


def _public_rule(rule: str) -> str:
    """Return a schedule without what players are not told: the time of grace."""
    return " ".join(word for word in rule.split() if not word.startswith("grace="))


def _seats(game: Game, system: System, over: bool) -> list[Seat]:
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
        people = _people(system, side, scenario.side_name(side)) if over else ""
        found.append(Seat(side, scenario.side_name(side), colour, keys, bot, missed, people))
    return found


def _people(system: System, side: Side, name: str) -> str:
    """Return who plays a side as stories call them: `The Germans`."""
    from pbem.story.narrator import Narrator

    return printable(Narrator(system.templates, {side: name}).people(side))


def _news(game: Game) -> tuple[list[News], Plain, str]:
    """Return what all sides were told in the newest windows, and the newest public report with its
    digest; of a game that the site does not watch, nothing."""
    from pbem.reports.wording import chief, uneventful

    if not game.register.spectators or not game.register.window:
        return [], {}, ""
    folder = game.path("reports", ALL)
    windows = sorted((int(p.name) for p in folder.glob("[0-9]*")), reverse=True)
    gone = {w for some in game.register.reopened.values() for w in some}
    shown = [w for w in windows if w <= game.register.window and w not in gone][: NEWS + 1]
    read = [game.read("reports", ALL, str(window), "report.json") for window in shown]
    reports: list[Plain] = [json.loads(content) for content in read]
    found: list[News] = []
    for number, report in enumerate(reports[:NEWS]):
        before = [flag for one in reports[number + 1 : number + 2] for flag in alarms(one)]
        new = [flag for flag in alarms(report) if flag not in before]
        told = [str(event["text"]) for event in chief(report, LINES)] or [uneventful(report)]
        if lines := [printable(line) for line in [*new, *told] if line]:
            found.append(News(report["label"], lines, report["opened"], report["turn"]))
    digest = sha256(read[0]).hexdigest()[:16] if read else ""
    return found, reports[0] if reports else {}, digest


def _headline(report: Plain) -> str:
    """Return what the subject of the spectators' mail says; empty without a report."""
    if not report:
        return ""
    from pbem.reports.wording import brief

    return printable(brief(report))
