"""Practice: a game of one person against bots, through the same order files as other games."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from msgspec import Struct

from orders.reading import Reading
from pbem.admin.setup import (
    Choices,
    Newcomer,
    anchor_of,
    create,
    enlist,
    enlist_bot,
    open_game,
    scenario_of,
)
from pbem.base.clock import now
from pbem.base.files import write_named, write_private
from pbem.base.report_json import Report
from pbem.bots.bot_orders import play_bots
from pbem.crypto.private_keys import generate, load_private
from pbem.dice.chains import DiceChains
from pbem.errors import NotFound, Usage
from pbem.inbound.arrival import Input
from pbem.inbound.intake import receive
from pbem.model import Side, System
from pbem.player.numbering import sequence
from pbem.player.reader import read_text
from pbem.player.sign import require_clean, signed
from pbem.reports import render
from pbem.store.game_dir import Game, reading, writing
from pbem.turns.close_window import Resolved, report_of, run

NAME = "practice"
KEY = "practice.key"


class Practice(Struct, frozen=True):
    """A practice game."""

    home: Path
    system: System
    side: Side
    """The side that the person plays."""

    @property
    def report(self) -> Path:
        """The path of the newest report as text."""
        return self.home / "report.txt"

    @property
    def orders(self) -> Path:
        """The path of the order file to edit."""
        return self.home / "orders.txt"


def begin(
    home: Path,
    system: System,
    side: str,
    options: dict[str, str],
    seed: str,
    scenario: str = "",
    bots: Mapping[Side, str] | None = None,
) -> Practice:
    """Make a practice game, or continue the one in `home`. side: default the first of the scenario.
    scenario: default the first. bots: the kinds of bots other than the plain one, by side. Raises
    Usage, NotFound."""
    if (home / NAME / "ledger.jsonl").exists():
        return _again(home, system)
    sides = scenario_of(system, scenario).sides
    if side and side not in sides:
        raise NotFound(f"{system.name} has no side {side!r}", f"sides: {', '.join(sides)}")
    dice = "seeded" if seed else ""
    create(home, system, NAME, Choices(scenario=scenario, options=options, dice=dice, seed=seed))
    with writing(home, NAME) as game:
        seat = Side(side) if side else game.register.sides[0]
        _enlist(home, game, seat)
        for other in game.register.sides:
            if other != seat:
                enlist_bot(game, other, kind=(bots or {}).get(other, ""))
        open_game(game, system)
    practice = Practice(home, system, seat)
    lay_out(practice)
    return practice


def lay_out(practice: Practice) -> None:
    """Write the newest report and its order form to the files that the player uses."""
    game = reading(practice.home, NAME)
    report = report_of(game, practice.side, game.register.window)
    told = game.read("reports", practice.side, str(game.register.window), "report.txt")
    write_named({practice.report: told, practice.orders: render.form(report.plain).encode("ascii")})


def send(
    practice: Practice,
    bots: Callable[[Game, System], object] = play_bots,
    told: Callable[[Report, Reading], object] = lambda report, reading: None,
) -> Resolved:
    """Sign the edited order file, let the bots answer, and close the window.

    bots: lets them answer; told: gets the orders as they are understood, with the report that they
    answer. Raises Findings or Usage if the orders have mistakes; then nothing is sent.
    """
    from orders.canon import decode

    with writing(practice.home, NAME) as game:
        report = report_of(game, practice.side, game.register.window)
        text = decode(practice.orders.read_bytes())
        orders = read_text(practice.system, report, text, practice.orders.name)
        require_clean(orders, practice.orders.name)
        told(report, orders)
        dice_chains = DiceChains(load_private((practice.home / KEY).read_bytes()))
        file = signed(practice.system, report, orders.orders, dice_chains, sequence(report, now()))
        receive(game, practice.system, Input(practice.orders.name, file.encode("ascii")))
        bots(game, practice.system)
        done = run(game, practice.system)
    lay_out(practice)
    return done


def _again(home: Path, system: System) -> Practice:
    """The practice game in `home`. Raises Usage for one that was never opened."""
    with writing(home, NAME) as game:
        if not (game.register.window or game.register.over):
            hint = "delete it, or choose another --dir"
            raise Usage(f"making the game in {game.folder} was broken off", hint)
        side = next(o.side for o in game.register.officers if not o.bot)
    return Practice(home, system, side)


def _enlist(home: Path, game: Game, side: Side) -> None:
    """Enlist the person with a new key, and with its dice anchor if the dice use chains."""
    private, public = generate(f"practice {side}")
    write_private(home / KEY, private)
    anchor = anchor_of(game, side, load_private(private))
    enlist(game, side, Newcomer(public, anchor=anchor))
