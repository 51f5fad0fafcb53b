"""Two worlds: the same game, in which only what one side cannot see differs.

From a position, the game is played twice. One side gives the same orders in both, the others do
not, and all rolls of a kind come out alike. As long as the side is told the same events in both,
its reports, the labels of its rolls and its questions must be the same: a side knows only what it
was told. What differs then is a leak.

This finds leaks by views, labels and questions. Whether an event tells too much, only the author
knows: his own two-world test makes worlds in which nothing may differ.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

import msgspec

from pbem.base.hashing import H, u32
from pbem.bots.bot_orders import Match, order_set
from pbem.dice.sources import Rolled, faces
from pbem.engine.position import Position
from pbem.engine.watch import limited
from pbem.lint.difference import first_difference
from pbem.lint.finding import Notes
from pbem.lint.watched import Step, diary, driver
from pbem.model import Dice, Plain, Side, System, Window
from pbem.rulecode import Place, of_system

FORKS = 6
"""At most so many positions of a game are played on in two worlds."""
FOLLOWED = 4
"""Windows for which two worlds are compared."""
MOST_FAILED = 3
"""Comparisons that fail before no more are tried: rules without an end take long each time."""
CHANGES = 3
"""Different orders of the other sides that are tried at each position."""


class Alike:
    """Dice by which all rolls of one phase and kind in a window come out alike, whatever place and
    unit their labels name."""

    name, flagged = "seeded", True

    def __init__(self, seed: str) -> None:
        self.seed = seed.encode()

    def roll(self, window: Window, label: str, dice: Dice) -> Rolled:
        """Roll by the first two parts of the label alone."""
        kind = "/".join(label.split("/")[:2])
        return faces(H("seeded", self.seed, u32(window), f"{kind} {dice}".encode()), dice), ""


class World:
    """One of two worlds."""

    def __init__(self, match: Match, position: Position) -> None:
        self.match = match
        drive = driver(Notes())
        self.match.drive = drive.resume(
            match.system, match.drive.sides, match.drive.table.options, position
        )

    def close(self, side: Side, luck: str, others: str, dice: Alike) -> None:
        """Close the window; `side` plays by `luck`, the others by `others`."""
        match, drive = self.match, self.match.drive
        sets = {
            s: order_set(match.system, match.report(s), luck if s == side else others)
            for s in drive.sides
        }
        diary(drive).steps.clear()
        match.closing = drive.close(sets, dice)

    def seen(self, side: Side) -> Plain:
        """What the side's report shows, without what only the moderator's program adds."""
        return self.match.report(side).plain

    def told(self, side: Side) -> list[str]:
        """The events that the side was told in the last window, in order."""
        steps = diary(self.match.drive).steps
        return [step.said for step in steps if step.kind == "tell" and side in step.to]

    def rolled(self, side: Side) -> list[Step]:
        """The rolls that the side saw in the last window."""
        steps = diary(self.match.drive).steps
        return [step for step in steps if step.kind == "roll" and side in step.to]


def check(
    system: System, scenario: str, options: Mapping[str, str], seed: str, notes: Notes
) -> None:
    """Play a game, and from some of its positions two worlds for each side. What keeps worlds from
    being compared is a finding, as leaks may lie behind it."""
    failed = 0
    try:
        for position in _positions(system, scenario, options, seed):
            for side, change in product(system_sides(system, scenario), range(CHANGES)):
                if failed == MOST_FAILED:
                    return
                try:
                    pair = [_world(system, scenario, options, seed, position) for _ in range(2)]
                    _compare(pair[0], pair[1], side, f"{seed} {change}", notes)
                except Exception as error:
                    _failed(system, error, notes)
                    failed += 1
    except Exception as error:
        _failed(system, error, notes)


def _failed(system: System, error: Exception, notes: Notes) -> None:
    """Note what went wrong, unless games that were played have shown a fault of that line."""
    method = "bot" if isinstance(error, AssertionError) else "turn"  # an order that is refused
    if found := notes.unknown(error, of_system(system, method)):
        place, said = found
        notes.add(
            "worlds-not-compared",
            place,
            f"two worlds could not be compared, so that leaks may not have been found: {said}",
            "with some luck of the bots a game fails here; repair that, and lint again",
        )


def system_sides(system: System, scenario: str) -> tuple[Side, ...]:
    """The sides of a scenario."""
    return next(s.sides for s in system.scenarios if s.name == scenario)


def _positions(
    system: System, scenario: str, options: Mapping[str, str], seed: str
) -> Iterator[Position]:
    """Some positions of a game, the first among them."""
    match, kept = Match(system, scenario, options, seed), list[bytes]()
    while match.drive.over is None and len(kept) < 200:
        kept.append(msgspec.json.encode(match.drive.position()))
        with limited(60):
            match.window()
    step = max(1, len(kept) // FORKS)
    for data in kept[::step][:FORKS]:
        yield msgspec.json.decode(data, type=Position)


def _world(
    system: System, scenario: str, options: Mapping[str, str], seed: str, position: Position
) -> World:
    match = Match(system, scenario, options, seed)
    match.closing = None
    return World(match, position)


def _compare(one: World, other: World, side: Side, luck: str, notes: Notes) -> None:
    """Follow two worlds until the side is told what differs, and note the first leak."""
    dice = Alike(luck)
    for number in range(FOLLOWED):
        if one.match.drive.over or other.match.drive.over:
            return
        own = f"{luck} own {number}"
        one.close(side, own, f"{luck} here {number}", dice)
        other.close(side, own, f"{luck} there {number}", dice)
        if one.told(side) != other.told(side) or one.match.drive.over or other.match.drive.over:
            return
        for here, there in zip(one.rolled(side), other.rolled(side), strict=False):
            if here.said != there.said:
                notes.add(
                    "label-leaks",
                    here.place or of_system(one.match.system, "turn"),
                    f"a roll that {side} sees is labelled {here.said} in one world and "
                    f"{there.said} in another that {side} cannot tell apart",
                    "a label may name only what the roll's whole audience knows",
                )
                return
        found = first_difference(one.seen(side), other.seen(side))
        if found:
            _note(one.match.system, side, found, one, notes)
            return


def _note(system: System, side: Side, found: str, world: World, notes: Notes) -> None:
    path = found.partition(":")[0]
    if path.startswith("$.rolls"):
        steps = world.rolled(side)
        place: Place = (steps[-1].place if steps else None) or of_system(system, "turn")
        text, hint = (
            "sees a roll",
            "a roll may depend only on what its whole audience knows",
        )
    elif path.startswith("$.questions"):
        place = of_system(system, "turn")
        text, hint = "is asked a question", "a question may depend only on what its side knows"
    else:
        place = of_system(system, "view")
        text, hint = (
            "is shown a report",
            "a view shows own units and what `learn` kept",
        )
    notes.add(
        "two-worlds-differ",
        place,
        f"{side} {text} that differs between two worlds which {side} cannot tell apart, at {found}",
        hint,
    )
