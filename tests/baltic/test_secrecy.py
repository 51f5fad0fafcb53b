"""Two worlds that look the same to one side: its reports, pages and answers are byte-equal.

Places are open; secret are hull boxes, troopers, loads of aeroplanes, what is left of a salvo, and
all orders: stacks, reserves, doctrine, conditions that do not hold. In the other world they differ,
where nothing open comes of it. Then leaks are planted, and the same test finds each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest
from msgspec.json import encode
from msgspec.structs import replace

from games.baltic import activation, planning, setup
from games.baltic import events as ev
from games.baltic.game import SYSTEM
from games.baltic.state import Salvo, War
from pbem.model import D6, Side
from pbem.table import Table
from tests import worlds as worlds_of
from tests.baltic.playthrough import lines_of
from tests.secrecy import what_differs
from tests.worlds import Leak

KALMAR, HANSA = SIDES = (Side("kalmar"), Side("hansa"))
OTHER = {KALMAR: HANSA, HANSA: KALMAR}
OPTIONS = {o.name: o.values[0] for o in SYSTEM.options} | {"play": "plotted"}
OWN: dict[Side, list[str]] = {
    KALMAR: [
        "VASA: speed half; KALMAR: bid 2 first; KRONAN: speed crawl; HOLSTENTOR: speed full;",
        "VASA: fire all best; VASA: move starboard 20 ahead 2; SKARGARD: torpedo TO;"
        "KRONAN: launch KF1; KT1: attack ADLER; SKARGARD: move ahead 99; VASA: board ADLER 1;",
    ],
    HANSA: [
        "ADLER: speed half; HANSA: bid 2 last; KRANTOR: speed crawl; VASA: speed full;",
        "ADLER: fire all best; ADLER: steer VASA; KRANTOR: torpedo TO; HB1: attack VASA;"
        "HOLSTENTOR: move ahead 99; ADLER: fire P nearest;",
    ],
}
"""By window: planning, then orders."""
SHOWN: dict[Side, list[str]] = {
    KALMAR: ["VASA: speed half; KALMAR: bid 3 first;", "VASA: fire all best; VASA: move ahead 4;"],
    HANSA: ["ADLER: speed half; HANSA: bid 3 first;", "ADLER: fire all best; ADLER: move ahead 4;"],
}
"""What a side does in both worlds while its other orders are hidden."""
SEALED: dict[Side, tuple[str, str]] = {
    KALMAR: ("KALMAR: evade; lose bomber;", "KALMAR: stack KRONAN VASA SKARGARD; SKARGARD: evade;"),
    HANSA: (
        "HANSA: evade; lose fighter;",
        "HANSA: stack ADLER HOLSTENTOR KRANTOR; KRANTOR: evade;",
    ),
}
"""Orders that change nothing that is seen, in each of both worlds."""


def start(second: bool) -> War:
    """The fleets within range of each other. second: hulls, loads and salvoes of the other
    world."""
    war = setup.begin("flight", OPTIONS, {})
    war.turn, war.stage = 2, "planning"
    for vessel in war.vessels.values():
        if vessel.side == HANSA:
            vessel.x -= 38_000
    for name, base in (("KT1", 30_000), ("HB1", 34_000)):
        war.markers[name].at, war.markers[name].x, war.markers[name].y = "air", base, 30_000
    for number, side in enumerate(SIDES, 1):
        name = f"T{number}"
        war.salvoes[name] = Salvo(name, side, 36_000, 47_000, 0, 3)
    war.launched = 2
    return war


def differ(war: War, side: Side) -> None:
    """What `side` alone knows of its own is otherwise."""
    for vessel in war.vessels.values():
        if vessel.side == side and vessel.of.cls == "B":
            vessel.hull -= 1  # cruisers would be crippled sooner, which all can see
            vessel.ram = max(0, vessel.ram - 1)
    for marker in war.markers.values():
        if marker.side == side and marker.at != "air":
            marker.boxes = 0
    for salvo in war.salvoes.values():
        salvo.fp -= salvo.side == side


class World(worlds_of.World):
    """One world of Baltic; `second` tells which. The side itself knows of no difference."""

    system, scenario = SYSTEM, "flight"
    wrong = frozenset({"unknown-unit", "length", "long-leg", "not-now", "unknown-word"})

    def __init__(self, side: Side, second: bool) -> None:
        war = start(second)
        if second:
            differ(war, OTHER[side])
        super().__init__(side, war, OPTIONS, Random("same"), worlds_of.seeded("same"))
        self.second, self.windows = second, 0

    def hidden_orders(self, side: Side) -> str:
        given = [SHOWN[side][self.windows % 2]]
        given += [SEALED[side][self.second]] if self.windows % 2 else []
        return self.legal(side, [line for text in given for line in lines_of(text)])

    def window(self, own: str) -> None:
        super().window(own)
        self.windows += 1


def windows(side: Side) -> Iterator[tuple[World, World]]:
    """Both worlds, window by window."""
    both = World(side, second=False), World(side, second=True)
    for own in OWN[side]:
        for world in both:
            world.window(own)
        yield both


@pytest.mark.parametrize("side", SIDES)
def test_sealed_orders_and_sheets_tell_the_enemy_nothing(side: Side) -> None:
    *_, (one, other) = windows(side)
    assert one.artefacts
    assert what_differs(one.artefacts, other.artefacts) == []


@pytest.mark.parametrize("side", SIDES)
def test_there_was_fire_and_the_worlds_are_different(side: Side) -> None:
    told = []
    for world in (World(side, False), World(side, True)):
        for own in OWN[side]:
            world.window(own)
            assert world.closing
            told += [t.event for t in world.closing.told]
    shots = [e for e in told if isinstance(e, ev.Fired) and e.hits]
    assert {e.vessel for e in shots} >= {"VASA", "ADLER"}
    states = [World(side, second).drive.state for second in (False, True)]
    assert states[0].vessels != states[1].vessels
    assert states[0].salvoes != states[1].salvoes


def seen_with_stacks(side: Side) -> list[bytes]:
    """What a side and spectators see between rounds of cards, by how the other laid its stack."""
    cards = {KALMAR: ["KRONAN", "VASA", "SKARGARD"], HANSA: ["ADLER", "HOLSTENTOR", "KRANTOR"]}
    seen = []
    for hidden, reserve in ((cards[OTHER[side]], ""), (cards[OTHER[side]][::-1], "VASA")):
        war = start(False)
        war.stage, war.round = "orders", 1
        war.stacks = {side: cards[side], OTHER[side]: hidden}
        war.reserves = {OTHER[side]: reserve} if reserve else {}
        seen.append(encode([SYSTEM.view(war, side), SYSTEM.watched(war)]))
    return seen


@pytest.mark.parametrize("side", SIDES)
def test_a_stack_and_a_reserve_are_the_secret_of_who_laid_them(side: Side) -> None:
    one, other = seen_with_stacks(side)
    assert one == other


@pytest.mark.parametrize("tell", [lambda war: str(war.stacks), lambda war: str(war.reserves)])
def test_a_planted_leak_of_stacks_is_found(
    tell: Callable[[War], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    view_leak(tell)(monkeypatch)
    one, other = seen_with_stacks(KALMAR)
    assert one != other


# Leaks that must be found


def view_leak(tell: Callable[[War], str]) -> Leak:
    return worlds_of.view_leak(SYSTEM, tell)


LAST: list[str] = []
"""Something of the sides' orders of the window."""
WARS: list[War] = []
"""The truth of the window."""


def before_cards(patch: pytest.MonkeyPatch, note: Callable[[War, Any], None]) -> None:
    """Call `note` with the truth and the books of orders before cards are played."""
    real: Any = planning.stacks

    def stacks(table: Any, war: War, books: Any, facts: Any) -> None:
        note(war, books)
        real(table, war, books, facts)

    patch.setattr(planning, "stacks", stacks)


def orders_told(patch: pytest.MonkeyPatch, tell: Callable[[Any], str]) -> None:
    """The news say something of each side's book."""

    def note(war: War, books: Any) -> None:
        LAST[:] = [tell(books[side]) for side in war.sides]

    before_cards(patch, note)
    view_leak(lambda war: str(LAST))(patch)


def programmes(patch: pytest.MonkeyPatch) -> None:
    """What is ordered."""
    orders_told(patch, lambda book: str(book.given))


def listing(patch: pytest.MonkeyPatch) -> None:
    """Whose orders were written last."""
    orders_told(patch, lambda book: next(iter(reversed(book.given)), ""))


def told_when_a_card_is_played(patch: pytest.MonkeyPatch) -> None:
    """For whom there are orders."""
    real: Any = activation._held

    def held(card: Any, book: Any, facts: Any) -> set[str]:
        LAST.append(str(sorted(book.given)))
        found: set[str] = real(card, book, facts)
        return found

    patch.setattr(activation, "_held", held)
    view_leak(lambda war: str(LAST))(patch)


def dice_by_boxes(patch: pytest.MonkeyPatch) -> None:
    """A die for each trooper of a ship that acts."""
    real = Table.tell

    def tell(self: Any, sides: Any, event: Any) -> None:
        real(self, sides, event)
        if isinstance(event, ev.Activated):
            for vessel in WARS[-1].vessels.values():
                for number in range(vessel.ram):
                    self.roll(f"BOARDING/COUNT/{vessel.id}/{number}", D6, to=self.sides)

    patch.setattr(Table, "tell", tell)
    before_cards(patch, lambda war, books: WARS.append(war))


def shots_tell_hulls(patch: pytest.MonkeyPatch) -> None:
    """Of a hit all are told what is left of the target."""
    real = Table.tell

    def tell(self: Any, sides: Any, event: Any) -> None:
        if isinstance(event, ev.Fired) and WARS:
            event = replace(event, why=f"{event.why}, {WARS[-1].vessels[event.target].hull} left")
        real(self, sides, event)

    patch.setattr(Table, "tell", tell)
    before_cards(patch, lambda war, books: WARS.append(war))


LEAKS: dict[str, Leak] = {
    "hull boxes": view_leak(lambda war: str([v.hull for v in war.vessels.values()])),
    "troopers": view_leak(lambda war: str([v.ram for v in war.vessels.values()])),
    "loads": view_leak(lambda war: str([m.boxes for m in war.markers.values()])),
    "salvoes": view_leak(lambda war: str([s.fp for s in war.salvoes.values()])),
    "unit count": view_leak(lambda war: str(sum(v.hull > 10 for v in war.vessels.values()))),
    "hidden ids": programmes,
    "order of listing": listing,
    "roll counter": dice_by_boxes,
    "what is left, told with shots": shots_tell_hulls,
    "orders told when a card is played": told_when_a_card_is_played,
}


@pytest.mark.parametrize("kind", LEAKS)
def test_a_planted_leak_is_found(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    LAST.clear()
    WARS.clear()
    LEAKS[kind](monkeypatch)
    assert any(one.artefacts != other.artefacts for side in SIDES for one, other in windows(side))
