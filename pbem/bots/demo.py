"""The demo: a whole game between two bots, through signed order files and reports."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from msgspec import Struct

from pbem.admin.setup import Choices, Newcomer, anchor_of, create, enlist, open_game
from pbem.base.clock import now
from pbem.bots.bot_orders import Player, order_set
from pbem.crypto.private_keys import SshKey, from_seed
from pbem.dice.chains import DiceChains
from pbem.errors import Findings
from pbem.inbound.arrival import Input
from pbem.inbound.intake import receive
from pbem.model import Side, System
from pbem.player.sign import encrypted, signed
from pbem.store.game_dir import Game, writing
from pbem.turns.close_window import Resolved, report_of, run

NAME = "demo"
Players: TypeAlias = Callable[[System, str, Mapping[str, str], str], Mapping[Side, Player]]


class Seat(Struct):
    """A side and the key with which its bot signs."""

    side: Side
    key: SshKey
    player: Player | None
    """Who plays in place of its plain bot."""


def demo(
    home: Path,
    system: System,
    seed: str,
    dice: str = "seeded",
    mail: str = "plain",
    scenario: str = "",
    options: Mapping[str, str] | None = None,
    players: Players | None = None,
) -> Iterator[Resolved]:
    """Play a game in `home`; yield each window when it is closed.

    dice: `seeded` (the same seed gives the same game) or `fast` (rolls with proofs). mail: one of
    `MAIL`. scenario: default the first. options: the system's. players: who plays in place of plain
    bots, made from system, scenario, options and seed. Raises Findings if a set is refused.
    """
    seeded = seed if dice == "seeded" else ""
    choices = Choices(
        scenario=scenario, dice=dice, mail=mail, seed=seeded, options=dict(options or {})
    )
    create(home, system, NAME, choices)
    with writing(home, NAME) as game:
        register = game.register
        made = players(system, register.created.scenario, register.options, seed) if players else {}
        seats = [_seat(home, game, side, seed, made.get(side)) for side in register.sides]
        open_game(game, system)
        while not game.register.over:
            yield _window(home, game, system, seats, seed)


def _window(home: Path, game: Game, system: System, seats: Sequence[Seat], seed: str) -> Resolved:
    """Receive all orders of a window and resolve it, with one commit at the end.

    One commit for each set would be slower, and nobody waits for a receipt here.
    """
    game.gather()
    for seat in seats:
        _order(home, game, system, seat, seed)
    done = run(game, system)
    game.stage()
    game.record()
    game.settle()
    return done


def _seat(home: Path, game: Game, side: Side, seed: str, player: Player | None = None) -> Seat:
    """Enlist a bot with a key derived from the seed, so that a demo can be repeated."""
    from hashlib import sha256

    from pbem.crypto.sshsig import public_line

    key = from_seed(sha256(f"demo key {seed} {side}".encode()).digest())
    public = public_line(key.wire, f"demo {side}")
    anchor = anchor_of(game, side, key)
    enlist(game, side, Newcomer(public, f"{side}@example.org", f"the bot of {side}", anchor=anchor))
    return Seat(side, key, player)


def _order(home: Path, game: Game, system: System, seat: Seat, seed: str) -> None:
    """Let one side read its report, write and sign its orders, and send the file."""
    window = game.register.window
    report = report_of(game, seat.side, window)
    luck = f"{seed} {window}"
    orders = seat.player.orders(report) if seat.player else order_set(system, report, luck)
    file = signed(system, report, orders, DiceChains(seat.key), int(now().timestamp()))
    text = encrypted(report, file)
    path = (
        home / "orders" / seat.side / f"{window:03}.{'age' if game.register.encrypted else 'txt'}"
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="ascii")
    (outcome,) = receive(game, system, Input(path.name, path.read_bytes()))
    if not outcome.good:
        raise Findings(f"{path} was refused:\n{outcome.text}")
