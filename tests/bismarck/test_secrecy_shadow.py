"""Two worlds while shadows are held and lost and bombers strike: who does it does not show.

To the German it must be the same whether the Suffolk watches him or the Prince of Wales, whether
the Swordfish come from the Ark Royal or the Victorious, how many others could have come, and what
is elsewhere. To the British it must be the same which way a ship went that they hold, where one is
that they lost, and from which airfield they are bombed. Then leaks are planted, and each is found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any

import pytest

from games.bismarck import airstrike, asks, shadow, shadowing
from games.bismarck import events_battle as ev
from games.bismarck.board import BRITISH, GERMAN, Zone
from games.bismarck.events import ShipMoved
from games.bismarck.game import SYSTEM
from games.bismarck.state import War
from orders.model import OrderSet
from pbem.dice.sources import Rolled, Seeded
from pbem.engine.runner import Closing
from pbem.model import D6, Dice, Event, Question, Side, Window
from tests import worlds as worlds_of
from tests.bismarck import test_secrecy as two
from tests.secrecy import what_differs
from tests.worlds import Leak

MODES = ("plotted", "asked")
SIDES = (BRITISH, GERMAN)
OTHER = {BRITISH: GERMAN, GERMAN: BRITISH}
TURNS = 4
"""Turns 8 to 11: located by search, held by shadow and struck from the air, lost, gone."""
HIDING = ("V9", "V11", "W10", "W11", "U9")
"""Where the Prinz Eugen hides from the British; the radio fix of V10 fits each."""

LAID: Mapping[str, tuple[int, ...]] = {
    "VISIBILITY/CHANGE/TRACK/GERMAN": (3, 4),  # level 4 without fog, always
    "SHADOW/HOLD/V10/GERMAN": (3,),  # holds for every class by day
    "SHADOW/HOLD/U10/GERMAN": (6,),  # for none
    "AIR/STRIKE/U10/BRITISH": (2, 2),  # a midships hit, and five of evasion
    "AIR/STRIKE/R23/GERMAN": (4, 6),  # a hit astern
}
"""Dice by the first four parts of their labels; the others come from a seed."""


class Laid(Seeded):
    """Dice of a seed, but for those laid out."""

    def roll(self, window: Window, label: str, dice: Dice) -> Rolled:
        stem = "/".join(label.split("/")[:4])
        return (LAID[stem], "") if stem in LAID else super().roll(window, label, dice)


# The worlds


def place(war: War, zones: Mapping[str, str]) -> None:
    for id_, zone in zones.items():
        ship = war.ships[id_]
        ship.zone = ship.origin = Zone(zone)
        ship.hold, ship.mode = "", "patrol" if ship.patrol else "move"


def start(side: Side, swap: bool) -> War:
    """The position of one world as turn 8 begins, by day; the hidden side's is the world's own."""
    war = two.start(side, swap)
    if side == GERMAN and not swap:
        place(war, {"SUFFOLK": "V10", "ARETHUSA": "V10", "AURORA": "V10", "ARK ROYAL": "W12"})
    elif side == GERMAN:
        place(war, {"PRINCE OF WALES": "V10", "EDINBURGH": "V10", "BIRMINGHAM": "V10"})
        place(war, {"VICTORIOUS": "T9"})
    else:
        place(war, {"SUFFOLK": "V10", "NORFOLK": "V10", "ARK ROYAL": "W12", "SHEFFIELD": "R23"})
        place(war, {"PRINZ EUGEN": HIDING[3 if swap else 0]})
    place(war, {"BISMARCK": "V10"})
    if side == GERMAN:
        place(war, {"PRINZ EUGEN": "V10"})
    for id_ in ("BISMARCK", "PRINZ EUGEN"):
        war.ships[id_].mode = "move"  # so that they search nothing here
    return war


OWN = {
    GERMAN: [
        "GERMAN: search all; attack never; huffduff V10; BORD1: fly R20;",
        "BISMARCK: move U10; BORD1: patrol R20; NORFOLK: move A1; @GERMAN: huffduff V10;",
        "BISMARCK: if located then patrol; GERMAN: search found; BISMARCK: move U9;",
        "BISMARCK: move V9; PRINZ EUGEN: patrol; BORD1: return;",
    ],
    BRITISH: [
        "BRITISH: search all; attack never; EIRE1: fly M14; SHEFFIELD: patrol;",
        "BRITISH: search none; ARK1: intercept EN1; SUFFOLK: intercept EN1; BISMARCK: move B7;",
        "BRITISH: search none; shadow auto; HOOD: form PRINCE OF WALES as TF1;",
        "BRITISH: search none; NORFOLK: patrol; SUFFOLK: hold; ARK2: fly V12 mode attack return;",
    ],
}


def british(war: War, swap: bool, turn: int, random: Random) -> str:
    """Out of the German's sight: who shadows, who strikes, and where everybody else sails."""
    shadower, bomber = ("PRINCE OF WALES", "VIC1") if swap else ("SUFFOLK", "ARK2")
    lines = [
        f"{s.id}: move {random.choice(two.NORTH)};"
        for s in war.fleet(BRITISH)
        if not s.force and s.zone in two.NORTH and random.random() < 0.7
    ]
    lines.append(f"EIRE1: fly {random.choice(two.NORTH)};")
    lines.append("BRITISH: attack never;")
    lines.append(f"BRITISH: search {'all' if turn == 8 else 'none'};")
    if turn == 9:
        lines += [f"{shadower}: intercept EN1;", f"{bomber}: intercept EN1;"]
        lines.append("BRITISH: strike bb split;" if swap else "BRITISH: strike bb;")
    if swap and turn == 10:
        lines.append("EDINBURGH: move W11;")
    return "\n".join(lines)


def german(war: War, swap: bool, turn: int, random: Random) -> str:
    """Out of the British sight: ways that end where the shadow sees, and one that nobody sees."""
    ways = {9: ("V11 U10", "U9 U10"), 10: ("U9", "V11"), 11: ("V9", "W11")}
    lines = ["GERMAN: search all; attack never; huffduff V10;"]
    if turn in ways:
        lines.append(f"BISMARCK: move {ways[turn][swap]};")
    lines.append(f"PRINZ EUGEN: {random.choice(('hold', 'patrol'))};")
    lines.append({8: "BORD1: fly R23;", 9: "BORD1: patrol R23;"}.get(turn, ""))
    if turn == 9:
        field = "BORDEAUX" if swap else "NAZAIRE"
        lines.append(f"{field} BOMBERS: fly R23 mode attack return; GERMAN: strike ca;")
    if turn == 8 and swap:
        lines.append("TRONDHEIM BOMBERS: fly C16 return;")
    return "\n".join(lines)


HIDDEN = {BRITISH: british, GERMAN: german}


class World(worlds_of.World):
    """One world; mailed questions of both sides are left to their defaults."""

    system, scenario = SYSTEM, "basic"
    wrong = frozenset({"unknown-unit"})

    def __init__(self, side: Side, swap: bool, play: str) -> None:
        self.swap, self.asked = swap, 0
        self.seen: list[tuple[bool, Event]] = []
        random = Random(f"orders {side} {swap}")
        super().__init__(side, start(side, swap), {"play": play}, random, Laid("two worlds", b"0"))

    def hidden_orders(self, side: Side) -> str:
        state = self.drive.state
        orders = HIDDEN[side](state, self.swap, state.turn, self.random)
        return self.legal(side, orders.splitlines())

    def turn(self, own: str) -> None:
        """All windows of one turn."""
        self.close(self.sets(own))
        while not self.drive.pause.opening:
            self.asked += 1
            self.close({})

    def close(self, sets: Mapping[Side, OrderSet]) -> Closing:
        closing = super().close(sets)
        self.seen += [(self.side in t.to, t.event) for t in closing.told]
        asked = self.drive.pause.asked.get(self.side, ())
        self.artefacts.append(repr(asked).encode())
        self.show()
        return closing


def turns(side: Side, play: str) -> Iterator[tuple[World, World]]:
    """Both worlds, played turn by turn through the side's own orders."""
    both = World(side, False, play), World(side, True, play)
    for own in OWN[side][:TURNS]:
        for world in both:
            world.turn(own)
        yield both


def worlds(side: Side, play: str) -> tuple[World, World]:
    """Both worlds at the end."""
    *_, both = turns(side, play)
    return both


def told(world: World, kind: type[Any], own: bool) -> list[Any]:
    """Events of a kind that the world's side was told, or that it was not."""
    return [e for mine, e in world.seen if isinstance(e, kind) and mine == own]


@pytest.mark.some(2)
@pytest.mark.parametrize("play", MODES)
@pytest.mark.parametrize("side", SIDES)
def test_who_shadows_and_who_strikes_does_not_show(side: Side, play: str) -> None:
    one, other = worlds(side, play)
    assert len(one.artefacts) == len(other.artefacts)
    assert what_differs(one.artefacts, other.artefacts) == []
    assert bool(one.asked) == (play == "asked")


def test_the_german_was_held_struck_and_lost_by_others() -> None:
    """The worlds are what they are meant to be."""
    pair = worlds(GERMAN, "plotted")
    by = []
    for world in pair:
        assert [e.held for e in told(world, ev.Shadowed, own=True)].count(False)
        assert len(told(world, ev.UnderAttack, own=True)) == 2
        held, struck = told(world, ev.ShadowHeld, own=False), told(world, ev.Struck, own=False)
        by.append({e.by for e in held} | {e.who for e in struck})
    assert by[0] and not by[0] & by[1]


def test_the_british_held_lost_and_were_bombed_the_same() -> None:
    pair = worlds(BRITISH, "plotted")
    ways = []
    for world in pair:
        assert len(told(world, ev.ShadowHeld, own=True)) == 1
        assert len(told(world, ev.ShadowLost, own=True)) == 1
        assert told(world, ev.Struck, own=True) and told(world, ev.UnderAttack, own=True)
        moved = told(world, ShipMoved, own=False)
        fields = told(world, ev.Struck, own=False)
        ways.append([e.path for e in moved if e.who == "Bismarck"] + [e.who for e in fields])
    assert ways[0] != ways[1]


# Leaks that must be found


def tells(change: Callable[..., tuple[Any, ...]]) -> Leak:
    """What is told of a shadow is told differently."""

    def plant(patch: pytest.MonkeyPatch) -> None:
        real = shadowing._tell
        patch.setattr(shadowing, "_tell", lambda *given: real(*change(*given)))

    return plant


def needs(table: Any, war: War, a: Any, held: bool, why: str, theirs: str) -> tuple[Any, ...]:
    """What the die needed tells the shadower's class."""
    return table, war, a, held, why, why


def name(table: Any, war: War, a: Any, held: bool, why: str, theirs: str) -> tuple[Any, ...]:
    return table, war, a, held, why, f"{theirs} for the {a.by.name}"


def way(table: Any, war: War, a: Any, held: bool, why: str, theirs: str) -> tuple[Any, ...]:
    return table, war, a, held, f"{why} by {' '.join(a.target.lead.path)}", theirs


def where(table: Any, war: War, a: Any, held: bool, why: str, theirs: str) -> tuple[Any, ...]:
    return table, war, a, held, why if held else f"{why}, gone to {a.target.zone}", theirs


def strikers(patch: pytest.MonkeyPatch) -> None:
    """The struck side reads whose bombers they are."""

    def named(table: Any, unit: Any, ship: Any, total: int, hit: Any, known: str) -> None:
        event = ev.UnderAttack(rule="9.16", who=ship.name, zone=ship.zone, by=unit.name, result="")
        table.tell([ship.side], event)

    patch.setattr(airstrike, "_tell", named)


def labels_of_bombers(patch: pytest.MonkeyPatch) -> None:
    real = airstrike.strike

    def strike(table: Any, war: War, unit: Any, ship: Any) -> Any:
        table.roll(f"AIR/EXTRA/{unit.id}/-", D6, to=table.sides)
        return real(table, war, unit, ship)

    patch.setattr(airstrike, "strike", strike)


def rolls_by_shadowers(patch: pytest.MonkeyPatch) -> None:
    """The number of visible dice tells how many could shadow."""
    real = shadowing._assign

    async def assign(table: Any, war: War, book: Any) -> Any:
        for target in shadow.targets(war):
            for _ in shadow.eligible(war, target.ships, target.zone):
                table.roll("SHADOW/EXTRA/-/-", D6, to=table.sides)
        return await real(table, war, book)

    patch.setattr(shadowing, "_assign", assign)


def question(about: str) -> Question:
    """One that goes by mail."""
    return asks.Agree(about=about, choices=("YES", "NO"), default="NO")


def asks_by_shadowers(patch: pytest.MonkeyPatch) -> None:
    """A question more to the British for each that could shadow: more windows, or longer ones."""
    real = shadowing._assign

    async def assign(table: Any, war: War, book: Any) -> Any:
        attempts = await real(table, war, book)
        for unit in war.fleet(BRITISH):
            if unit.zone == "V10" and attempts:
                await table.ask(BRITISH, [question("contact held")])
        return attempts

    patch.setattr(shadowing, "_assign", assign)


def question_text(patch: pytest.MonkeyPatch) -> None:
    """What the German is asked names who shadows him."""
    real = shadowing._assign

    async def assign(table: Any, war: War, book: Any) -> Any:
        attempts = await real(table, war, book)
        for attempt in attempts:
            about = f"{attempt.target.name} by {attempt.by.name}"
            await table.ask(GERMAN, [question(about)])
        return attempts

    patch.setattr(shadowing, "_assign", assign)


LEAKS: list[tuple[Side, str, Leak]] = [
    (GERMAN, "asked", question_text),
    (GERMAN, "plotted", tells(needs)),
    (GERMAN, "asked", tells(name)),
    (GERMAN, "plotted", strikers),
    (GERMAN, "asked", labels_of_bombers),
    (GERMAN, "plotted", rolls_by_shadowers),
    (GERMAN, "asked", asks_by_shadowers),
    (GERMAN, "asked", two.view_leak(lambda war: war.ships["SUFFOLK"].zone)),
    (BRITISH, "plotted", tells(way)),
    (BRITISH, "plotted", tells(where)),
    (BRITISH, "asked", strikers),
    (BRITISH, "plotted", labels_of_bombers),
    (BRITISH, "plotted", two.view_leak(lambda war: war.ships["BISMARCK"].zone)),
    (BRITISH, "plotted", two.view_leak(lambda war: str([u.zone for u in war.airborne(GERMAN)]))),
]


@pytest.mark.some(5)
@pytest.mark.parametrize(("side", "play", "leak"), LEAKS)
def test_a_planted_leak_is_found(
    side: Side, play: str, leak: Leak, monkeypatch: pytest.MonkeyPatch
) -> None:
    leak(monkeypatch)
    assert any(one.artefacts != other.artefacts for one, other in turns(side, play))
