"""Two worlds that are equal under one side's view: its reports, pages and answers are byte-equal.

The hidden side has other ships of the same kinds in other places, task forces, air units, orders,
and another order in the referee's books. Then leaks are planted, and the same test finds each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest

from games.bismarck import chance, contacts, search
from games.bismarck.board import BRITISH, GERMAN, Zone
from games.bismarck.events import CallHeard
from games.bismarck.game import SYSTEM
from games.bismarck.state import TaskForce, War
from pbem.dice.sources import Rolled, Seeded
from pbem.model import D6, Dice, Side, Window
from pbem.table import Table
from tests import worlds as worlds_of
from tests.bismarck.fake_table import begin
from tests.secrecy import what_differs
from tests.worlds import Leak

SIDES = (BRITISH, GERMAN)
PAIRS = (("HOOD", "REPULSE"), ("NORFOLK", "KENYA"))  # by name the cruiser comes last, or first
NORTH = ("G9", "G10", "H9", "H10", "I9", "I10", "H11")
HIDING = ("V10", "U9", "V9", "V11", "W10", "W11", "U10")
OWN = {
    GERMAN: [
        "GERMAN: search all; GERMAN: huffduff V10; BISMARCK: move V10;",
        "GERMAN: search all; BORD1: fly R20; PRINZ EUGEN: patrol;",
        "GERMAN: search all; BORD1: patrol R20; BISMARCK: form PRINZ EUGEN as TF1;",
        "GERMAN: search found; BORD1: return; TF1: hold; KENYA: move H9;",
        "GERMAN: search all; TF1: move V11; BISMARCK: fly Q7; Q1: yes;",
    ],
    BRITISH: [
        "BRITISH: search all; NORFOLK: patrol;",
        "HOOD: form PRINCE OF WALES as TF1; SCAPA1: fly F20; BISMARCK: move B7;",
        "TF1: move F12; SCAPA1: patrol; EIRE1: fly M14;",
        "BRITISH: search all; TF1: patrol; EIRE1: return; SUFFOLK: move C7;",
        "BRITISH: mobilise RODNEY; MANCHESTER: patrol E13; ARK1: fly Z27 mode attack return;",
    ],
}


def hide_british(war: War, random: Random, swap: bool) -> None:
    """Other British ships in the north; in M10 lie two that look alike in both worlds."""
    seen = [pair[swap] for pair in PAIRS]
    for ship in war.fleet(BRITISH):
        ship.hold = ""
        ship.zone = ship.origin = Zone(random.choice(NORTH))
    for id_ in seen:
        war.ships[id_].zone = Zone("R20")
    war.forces[BRITISH] = {"TF7" if swap else "TF2": TaskForce("TF7" if swap else "TF2", seen)}
    for id_ in seen:
        war.ships[id_].force = "TF7" if swap else "TF2"
    if swap:  # one cruiser fewer, and the books in another order
        war.ships["GALATEA"].zone = Zone("")
        war.ships = dict(reversed(war.ships.items()))
        war.air = dict(reversed(war.air.items()))


def hide_germans(war: War, random: Random, swap: bool) -> None:
    """The German ships within a zone of V10, in a task force or not."""
    for id_ in ("BISMARCK", "PRINZ EUGEN"):
        war.ships[id_].zone = war.ships[id_].origin = Zone(random.choice(HIDING))
    if swap:
        war.ships = dict(reversed(war.ships.items()))


def start(side: Side, swap: bool, seed: str = "") -> War:
    """The position of one world as the turn 9 begins, by day. seed: of generated ones."""
    war = begin()
    war.turn, war.level, war.fog = 8, 4, False
    random = Random(f"{seed}{side} {swap}")
    for id_, zone in (("BISMARCK", "V10"), ("PRINZ EUGEN", "V10")):
        war.ships[id_].zone = Zone(zone)
    (hide_british if side == GERMAN else hide_germans)(war, random, swap)
    for ship in war.ships.values():
        ship.origin = ship.zone
    return war


def hidden_orders(war: War, side: Side, random: Random) -> str:
    """What the other side does, out of this side's sight."""
    if side == BRITISH:
        lines = [
            f"{s.id}: move {random.choice(NORTH)};"
            for s in war.fleet(BRITISH)
            if not s.force and s.zone in NORTH and random.random() < 0.7
        ]
        return "\n".join(["BRITISH: search none;", *lines, f"EIRE1: fly {random.choice(NORTH)};"])
    lines = [
        f"{s.id}: {random.choice(('patrol', 'hold'))};" for s in war.fleet(GERMAN) if not s.force
    ]
    return "\n".join(["GERMAN: huffduff V10;", "GERMAN: search none;", *lines])


class World(worlds_of.World):
    """One world of Bismarck."""

    system, scenario = SYSTEM, "basic"
    wrong = frozenset({"unknown-unit", "not-now", "unknown-question"})

    def __init__(self, side: Side, swap: bool, seed: str = "") -> None:
        state = start(side, swap, seed) if seed else start(side, swap)
        random = Random(f"{seed}orders {side} {swap}")
        super().__init__(side, state, {}, random, worlds_of.seeded(seed))

    def hidden_orders(self, side: Side) -> str:
        return self.legal(side, hidden_orders(self.drive.state, side, self.random).splitlines())


def windows(side: Side) -> Iterator[tuple[World, World]]:
    """Both worlds, played window by window through the side's own orders."""
    both = World(side, swap=False), World(side, swap=True)
    for own in OWN[side]:
        for world in both:
            world.window(own)
        yield both


def worlds(side: Side) -> tuple[World, World]:
    """Both worlds at the end."""
    *_, both = windows(side)
    return both


def told_apart(side: Side) -> bool:
    return any(one.artefacts != other.artefacts for one, other in windows(side))


@pytest.mark.some(1)
@pytest.mark.parametrize("side", SIDES)
def test_nothing_that_a_side_gets_tells_the_worlds_apart(side: Side) -> None:
    one, other = worlds(side)
    assert len(one.artefacts) == 7 * len(OWN[side])
    assert what_differs(one.artefacts, other.artefacts) == []


@pytest.mark.some(1)
@pytest.mark.parametrize("side", SIDES)
def test_the_worlds_are_different(side: Side) -> None:
    one, other = (world.drive.state for world in worlds(side))
    places = [{s.id: s.zone for s in war.ships.values()} for war in (one, other)]
    assert places[0] != places[1]


def test_the_german_really_sees_ships_that_look_alike() -> None:
    (one, other) = worlds(GERMAN)
    seen = [
        {id_: war.ships[name].name for id_, name in war.tracks[GERMAN].items()}
        for war in (one.drive.state, other.drive.state)
    ]
    assert seen[0].keys() == seen[1].keys() and len(seen[0]) >= 2
    assert seen[0] != seen[1]


# 7.23 Ships that look alike


class Lots(Seeded):
    """The same dice, but for the lots, of which this world has the first or the last."""

    def __init__(self, last: bool) -> None:
        super().__init__("two worlds", b"0")
        self.last = last

    def roll(self, window: Window, label: str, dice: Dice) -> Rolled:
        if label.startswith("CONTACTS/ORDER/"):
            return (dice.sides if self.last else 1,), ""
        return super().roll(window, label, dice)


def with_lots(last: bool) -> World:
    """Beside those of R20 two battleships alone, which aircraft find with them."""
    world = World(GERMAN, swap=False)
    world.dice = world.drive.dice = Lots(last)
    for id_ in ("RENOWN", "KING GEORGE V"):
        ship = world.drive.state.ships[id_]
        ship.zone = ship.origin = Zone("R20")
    for own in OWN[GERMAN]:
        world.window(own)
    return world


def test_which_of_two_that_look_alike_has_which_number_does_not_show() -> None:
    """A lot decides it, not their names, and nobody sees the lot."""
    one, other = with_lots(False), with_lots(True)
    assert what_differs(one.artefacts, other.artefacts) == []
    first, second = (world.drive.state.tracks[GERMAN] for world in (one, other))
    swap = {"RENOWN": "KING GEORGE V", "KING GEORGE V": "RENOWN"}
    assert {"RENOWN", "KING GEORGE V"} <= set(first.values())
    assert first == {id_: swap.get(name, name) for id_, name in second.items()}


def test_a_lot_that_the_side_sees_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    real = Table.roll

    def roll(self: Table, label: str, dice: Dice, to: Any = ()) -> tuple[int, ...]:
        return real(self, label, dice, [GERMAN] if label.startswith("CONTACTS/") else to)

    monkeypatch.setattr(Table, "roll", roll)
    assert what_differs(with_lots(False).artefacts, with_lots(True).artefacts) != []


# Leaks that must be found


def view_leak(tell: Callable[[War], str]) -> Leak:
    return worlds_of.view_leak(SYSTEM, tell)


def numbers_by_name(patch: pytest.MonkeyPatch) -> None:
    """Sightings in the order of hidden names."""
    patch.setattr(contacts, "_rank", lambda ship: ship.name)


def pseudonyms_of_ships(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(contacts, "pseudonym", lambda war, side, ship: f"EN{len(ship.name)}")


def labels_with_zones(patch: pytest.MonkeyPatch) -> None:
    real = chance.phase

    def phase(table: Any, war: War, books: Any) -> None:
        table.roll(f"CHANCE/EXTRA/{war.fleet(BRITISH)[0].zone}/-", D6, to=table.sides)
        real(table, war, books)

    patch.setattr(chance, "phase", phase)


def rolls_by_strength(patch: pytest.MonkeyPatch) -> None:
    """The number of visible rolls betrays how many ships there are."""
    real = chance.phase

    def phase(table: Any, war: War, books: Any) -> None:
        for _ in war.fleet(BRITISH):
            table.roll("CHANCE/EXTRA/-/-", D6, to=table.sides)
        real(table, war, books)

    patch.setattr(chance, "phase", phase)


def calls_told_to_both(patch: pytest.MonkeyPatch) -> None:
    real = search.phase

    def phase(table: Any, war: War, side: Any, books: Any, calls: Any = None) -> Any:
        passed = real(table, war, side, books, calls)
        for ship in war.fleet(BRITISH):
            if ship.path:
                event = CallHeard(rule="7.23", zone=ship.zone)
                table.tell(table.sides, event)
        return passed

    patch.setattr(search, "phase", phase)


LEAKS: dict[str, Leak] = {
    "names in sight": view_leak(
        lambda war: str([s.name for s in war.fleet(BRITISH) if s.zone == "R20"])
    ),
    "a place": view_leak(lambda war: str(war.fleet(BRITISH)[0].zone)),
    "unit count": view_leak(lambda war: str(len(war.fleet(BRITISH)))),
    "task forces": view_leak(lambda war: " ".join(war.forces[BRITISH])),
    "tracks": view_leak(lambda war: " ".join(war.tracks[GERMAN].values())),
    "order of listing": numbers_by_name,
    "hidden ids": pseudonyms_of_ships,
    "labels with zones": labels_with_zones,
    "roll counter": rolls_by_strength,
    "calls told to both": calls_told_to_both,
}


@pytest.mark.parametrize("kind", LEAKS)
def test_a_planted_leak_is_found(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    LEAKS[kind](monkeypatch)
    assert told_apart(GERMAN)
