"""Set up a game: `new`, `enlist`, `open`. Their decisions become the set-up text."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from pbem import __version__
from pbem.admin.seats import require_seat, require_side, roles_of
from pbem.base.clock import now, parse, stamp
from pbem.base.hashing import canonical_json
from pbem.dice.chains import DiceChains, first_anchor
from pbem.dice.sources import DICE, LINKED
from pbem.engine.drive import Drive, asks, encode_position
from pbem.errors import Busy, Usage
from pbem.model import DiceKind, Option, Scenario, Side, System
from pbem.roles import role_of, side_of
from pbem.store import secrets
from pbem.store.game_dir import Game, creating
from pbem.store.records import (
    AIDS,
    CHARTS,
    MAIL,
    MISSED,
    PRESS,
    Charts,
    Created,
    Enlisted,
    Opened,
)
from pbem.store.register import PROTOCOL, Register
from pbem.text.messages import fill_note, right
from pbem.turns.open_window import NewWindow, fields, issue

if TYPE_CHECKING:
    from pbem.crypto.sshsig import PrivateKey

Word = TypeVar("Word", bound=str)
CALLED = {"plain": "plain", "encrypted": "sealed"}
"""Kind of mail to its name in ledgers, where `sealed` stays from release 0.1.0."""
PLAY = Option("play", ("plotted", "asked"), "orders answer everything, or choices go by mail")


class Choices(Struct, frozen=True, kw_only=True):
    """What `new` decides, apart from the system and the name."""

    scenario: str = ""
    """Empty for the system's first."""
    options: dict[str, str] = {}
    """Option to value; the others have their defaults."""
    dice: str = ""
    """One of DICE; empty for `fast`, or `seeded` if there is a seed."""
    mail: str = "plain"
    """One of MAIL."""
    chart: str = "none"
    """One of CHARTS: the pictures in mails."""
    press: str = "none"
    """One of PRESS: the policy for messages between sides."""
    missed: str = "told"
    """One of MISSED: whether all sides learn who missed a window."""
    aids: str = "allowed"
    """One of AIDS: whether players may reckon with `pbem where`."""
    seed: str = ""
    """The seed of seeded dice; empty for a random one."""
    house: dict[str, str] = {}
    """House rules: file name to content."""


def create(home: Path, system: System, name: str, choices: Choices) -> Game:
    """Make the folder, the keys and the ledger of a new game. Raises Usage.

    The rules are started once before anything is written, so that house rules with mistakes do
    not leave half a game behind.
    """
    scenario = scenario_of(system, choices.scenario)
    options = options_of(system, choices.options)
    dice = dice_of(choices)
    mail, press = one_of(MAIL, choices.mail, "--mail"), one_of(PRESS, choices.press, "--press")
    chart = chart_of(choices.chart)
    begin(system, scenario.name, options, choices.house)
    with creating(home, name) as game:
        public = secrets.make_keys(game)
        age = secrets.make_age_key(game) if mail == "sealed" else ""
        modulus, roots = secrets.make_dice_key(game) if dice in LINKED else ("", [])
        body = Created(
            game=name,
            system=system.name,
            edition=system.edition,
            release=__version__,
            data=system.digest(),
            scenario=scenario.name,
            sides=list(scenario.sides),
            roles=roles_of(system, scenario),
            options=options,
            dice=dice,
            mail=mail,
            seed=seed_text(choices) if dice == "seeded" else "",
            modulus=modulus,
            roots=roots,
            house=choices.house,
            moderator=public,
            protocol=PROTOCOL,
            age=age,
            chart=chart,
            press=press,
            missed=one_of(MISSED, choices.missed, "--missed"),
            aids=one_of(AIDS, choices.aids, "--aids"),
        )
        game.commit(body)
        return game


def one_of(known: Sequence[Word], value: str, where: str) -> Word:
    """Return `value` if it is one of `known`. where: its name in the message. Raises Usage."""
    for word in known:
        if word == value:
            return word
    raise Usage(f"{where} cannot be {value!r}", f"it is one of {', '.join(known)}")


def chart_of(chart: str) -> Charts:
    """Check the choice of charts, and that the library that draws them is there. Raises Usage."""
    chosen = one_of(CHARTS, chart, "--chart")
    if chosen != "none":
        from pbem.charts.png import require

        require()
    return chosen


def dice_of(choices: Choices) -> DiceKind:
    """Return the kind of dice. Raises Usage."""
    dice = one_of(DICE, choices.dice or ("seeded" if choices.seed else "fast"), "--dice")
    if choices.seed and dice != "seeded":
        raise Usage(f"{dice} dice have no seed", "leave out --seed, or choose --dice seeded")
    return dice


def seed_text(choices: Choices) -> str:
    """Return the seed of seeded dice: the given one, else 16 random bytes in hex."""
    return choices.seed or os.urandom(16).hex()


def scenario_of(system: System, name: str) -> Scenario:
    """Return the scenario of that name; the first for an empty name. Raises Usage."""
    for scenario in system.scenarios:
        if name in ("", scenario.name):
            return scenario
    names = ", ".join(s.name for s in system.scenarios)
    raise Usage(f"{system.name} has no scenario {name!r}", f"scenarios: {names}")


def all_options(system: System) -> tuple[Option, ...]:
    """Return the options of the system and those that every game has."""
    return (PLAY, *system.options)


def options_of(system: System, given: Mapping[str, str]) -> dict[str, str]:
    """Return every option with its given or default value. Raises Usage."""
    known = {o.name: o for o in all_options(system)}
    for name, value in given.items():
        if name not in known:
            raise Usage(f"{system.name} has no option {name!r}", f"options: {', '.join(known)}")
        one_of(known[name].values, value, f"option {name}")
    return {name: given.get(name, option.values[0]) for name, option in known.items()}


def begin(
    system: System, scenario: str, options: Mapping[str, str], house: Mapping[str, str]
) -> Any:
    """Return the state before turn 1. Raises Usage with the system's own message."""
    try:
        return system.begin(scenario, options, house)
    except ValueError as error:
        raise Usage(str(error)) from None


class Newcomer(Struct, frozen=True):
    """A person or bot who becomes an officer of a side."""

    key: str
    """His public key line."""
    email: str = ""
    name: str = ""
    """How he is addressed in mails."""
    tz: str = ""
    """The time zone in which his mails give times."""
    bot: bool = False
    """Whether the referee's own bot plays."""
    anchor: str = ""
    """The anchor of the key's dice chain."""
    letter: str = ""
    """Digest of the joining letter that he answers."""
    recovery: str = ""
    """His recovery key as a public key line."""
    age: str = ""
    """The age recipient for his mail; empty to use his key."""


def enlist(game: Game, side: str, newcomer: Newcomer) -> int:
    """Register an officer's public key for a side or a role (`british.air`); return his number.

    After the game has opened all sides are told. Raises Usage, NotFound.
    """
    require_seat(game, side)
    require_new_key(game, newcomer)
    secrets.add_address(game, side, newcomer.email, newcomer.name, newcomer.tz)
    seat = seat_of(game, side, newcomer)
    body = Enlisted(**seat, letter=newcomer.letter, bot=newcomer.bot)
    if game.register.window:
        _announce_officer(game, body)
    elif newcomer.letter:
        _welcome(game, body, newcomer.email)
    else:
        game.commit(body)
    return body.number


class Seat(TypedDict):
    """The fields of a new officer's record (`pbem.store.records.Enlisted`).

    Name and address are salted digests: the ledger is published after the game.
    """

    side: Side
    number: int
    key: str
    anchor: str
    name: str
    email: str
    recovery: str
    age: str


def seat_of(game: Game, side: str, newcomer: Newcomer) -> Seat:
    """Return the record's fields for a new officer of `side`. The dice chain of an officer with a
    role does not count: the dice links of a side are those of its commanders."""
    return {
        "side": Side(side),
        "number": game.register.next_number(side),
        "key": " ".join(newcomer.key.split()[:2]),
        "anchor": "" if role_of(side) else newcomer.anchor,
        "name": secrets.salted(game, newcomer.name),
        "email": secrets.salted(game, newcomer.email),
        "recovery": newcomer.recovery,
        "age": newcomer.age,
    }


def require_new_key(game: Game, newcomer: Newcomer) -> None:
    """Raise Usage unless the key and the recovery key are valid and were never registered before.

    In an encrypted game it must also be possible to encrypt mail to the officer. A key identifies
    its officer for the whole game; if it could return, old signatures would become valid again.
    """
    from pbem.crypto.sshsig import fingerprint, wire_key
    from pbem.outbound.encrypt import require_recipient

    register, lines = game.register, (newcomer.key, newcomer.recovery)
    wires = [wire_key(line) for line in lines if line]
    for wire in wires:
        taken = register.keys().get(wire)
        if taken:
            raise Usage(
                f"the key {fingerprint(wire)} is registered already, for {taken.side}",
                "every officer needs a key of his own",
            )
        if wire in register.every_key() or wires.count(wire) > 1:
            raise Usage(
                f"the key {fingerprint(wire)} was registered before",
                "every officer and every change of keys needs a new key",
            )
    require_recipient(register, newcomer.key, newcomer.age)


def _welcome(game: Game, body: Enlisted, email: str) -> None:
    """Enlist a player who answered a joining letter before the game opens; mail him a welcome."""
    from pbem.outbound.notices import early_mail
    from pbem.reports.key_notices import print_of

    said = fill_note("welcome", side=body.side, game=game.name, key=print_of(body.key))
    mail = early_mail(game, body.side, email, said)
    game.commit(replace(body, mailed=[body.side]), mail)


def _announce_officer(game: Game, body: Enlisted) -> None:
    """Enlist an officer of an open game and tell all sides the fingerprint of his key."""
    from pbem.outbound.announcements import announce
    from pbem.reports.key_notices import print_of

    said = fill_note("officer", side=body.side, why=right("officer"), key=print_of(body.key))
    announce(game, body, said)


def enlist_bot(
    game: Game, side: str, email: str = "", name: str = "", tz: str = "", *, kind: str = ""
) -> int:
    """Enlist the referee's own bot for a side, with a key and a dice chain like any player.

    kind: another bot than the plain one, which the system must have. Raises Usage for a role: its
    bot would only repeat the form, which counts without it; and for a second one, whose key would
    replace that of the first."""
    if role_of(side):
        raise Usage("a role has no bot", f"`--bot` plays the whole side {side_of(side)}")
    require_side(game, side)
    if any(officer.bot and officer.side == side for officer in game.register.officers):
        raise Usage(f"the bot plays {side} already", "nothing more is needed")
    public = secrets.make_bot_key(game, side)
    anchor = anchor_of(game, side, secrets.bot_key(game, side))
    if kind:
        secrets.stage_bot(game, side, secrets.BotSeat(kind))
    return enlist(game, side, Newcomer(public, email, name, tz, bot=True, anchor=anchor))


def anchor_of(game: Game, side: str, key: PrivateKey) -> str:
    """Return the first dice anchor of a private key; empty if the game's dice have no chains."""
    created = game.register.created
    if created.dice not in LINKED:
        return ""
    from pbem.crypto.sshsig import key_digest, wire_key

    by = key_digest(wire_key(created.moderator))
    return first_anchor(DiceChains(key), game.name, side, by)


def setup_text(register: Register, deadline: str) -> str:
    """Return the set-up text: canonical JSON of everything that `new` and `enlist` decided.

    Its hash identifies the game in every signature, so its form must never change. Bytes:
    docs/formats.md, "Set-up text".
    """
    created = register.created
    anchors: dict[str, list[str]] = {side: [] for side in register.seats}
    named = {(a.side, a.officer): a.anchor for a in register.anchors}
    for officer in register.officers:
        anchors[officer.side].append(named.get((officer.side, officer.number), ""))
    text = {
        "game": created.game,
        "system": created.system,
        "edition": created.edition,
        "data": created.data,
        "scenario": created.scenario,
        "options": created.options,
        "sides": created.sides,
        "release": created.release,
        "dice": created.dice,
        "mail": created.mail,
        "house": created.house,
        "keys": _by_side(register, "key"),
        "anchors": anchors,
        "moderator": {"sign": created.moderator, "age": register.age},
        "modulus": created.modulus,
        "roots": created.roots,
        "deadlines": {"first": deadline},
        **({"roles": created.roles} if created.roles else {}),
        **({"protocol": register.protocol} if register.protocol > 1 else {}),
        "policies": {
            "nmr": "standing orders, else the default",
            "press": created.press,
            **({"missed": created.missed} if created.missed == "told" else {}),
            **({"aids": created.aids} if created.aids == "none" else {}),
        },
    }
    if register.encrypted:
        text["ages"] = _by_side(register, "age")
    if any(o.recovery for o in register.officers):
        text["recovery"] = _by_side(register, "recovery")
    return canonical_json(text).decode("ascii")


def _by_side(register: Register, field: str) -> dict[str, list[str]]:
    """Return that field of every officer by side, in the order of their numbers."""
    return {
        side: [getattr(o, field) for o in register.officers if o.side == side]
        for side in register.seats
    }


def open_game(game: Game, system: System, deadline: str = "") -> int:
    """Open window 1: start the rules and put the first reports into the outbox. Returns 1.

    deadline: ISO time, or empty for the schedule's, if there is one. Raises Usage if a side has no
    officer, Busy if the game is already open.
    """
    register = game.register
    if register.window:
        raise Busy(f"{game.name} is already open, at window {register.window}")
    missing = [s for s in register.sides if all(o.side != s for o in register.officers)]
    if missing:
        raise Usage(
            f"nobody is enlisted for {', '.join(missing)}",
            f"`pbem invite {game.name} {missing[0]} --email ADDR` asks somebody, "
            f"`pbem enlist {game.name} {missing[0]} --bot` lets the bot play",
        )
    deadline = stamp(parse(deadline, "--deadline")) if deadline else ""
    if not deadline and register.mail_state.schedule:
        from pbem.turns.schedule import deadline_for

        deadline = deadline_for(register)
    register.setup = setup_text(register, deadline)
    drive, at = first(game, system), stamp(now())
    position, name = encode_position(drive)
    issued = issue(game, NewWindow(drive, drive.began, at, deadline), name)
    body = Opened(
        setup=register.setup,
        window=1,
        deadline=deadline,
        position=name,
        **asks(drive),
        **fields(issued),
    )
    game.commit(body, {**issued.files, f"state/{name}.json": position}, at)
    return 1


def first(game: Game, system: System) -> Drive:
    """Return a new game as it is at the opening of window 1."""
    created = game.register.created
    state = begin(system, created.scenario, created.options, created.house)
    return Drive.start(system, tuple(created.sides), created.options, state)
