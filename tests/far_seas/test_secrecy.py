"""Two worlds that are equal under one side's view: its reports, pages and answers are byte-equal.

To the Allies places of Germans are hidden: in the other world they lie elsewhere, in other
squadrons, some of them where Allied ships search in vain, and the books stand in another order. To
the Germans only orders and memory of the Allies are hidden. Then leaks are planted, and the same
test finds each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any

import pytest

from games.far_seas import board, captures, movement, search, setup
from games.far_seas import events as ev
from games.far_seas.asks import Dispositions
from games.far_seas.board import BRITISH, GERMAN, SIDES
from games.far_seas.game import SYSTEM
from games.far_seas.knowledge import Missing
from games.far_seas.state import War
from orders.model import OrderSet
from pbem.engine.runner import Closing
from pbem.model import D6, Side
from tests import worlds as worlds_of
from tests.secrecy import what_differs
from tests.worlds import Leak

OPTIONS = {o.name: o.values[0] for o in SYSTEM.options} | {"play": "plotted"}
OWN = {
    BRITISH: [
        "@BRITISH: seek any; HAMPSHIRE: cruise; YARMOUTH: cruise; AUSTRALIA: move 22;",
        "HAMPSHIRE: seek EMDEN; MINOTAUR: move 29; KÖNIGSBERG: cruise; GLASGOW: move 13;",
        "MINOTAUR: cruise; PEGASUS: station zanzibar; CHATHAM: river; GLASGOW: cruise;",
        "MINOTAUR: move 28; Condé: cruise; BERWICK: join CONDE; CANOPUS: move 99;",
    ],
    GERMAN: [
        "@GERMAN: capture none; EMDEN: cruise; SCHARNHORST: move 18; GNEISENAU: join SCHARNHORST;",
        "EMDEN: move 21; GLASGOW: cruise; KARLSRUHE: move 8;",
        "EMDEN: raid suva; DRESDEN: cruise;",
        "KÖNIGSBERG: river;",
    ],
}
ROOMS = ("15", "17", "18", "19", "20", "22", "24", "28", "29", "32")
"""Where Germans hide; Allied ships search some of these."""


def start(side: Side, swap: bool, seed: str = "") -> War:
    """The position of one world. seed: of generated ones."""
    war = setup.begin("war", OPTIONS)
    random = Random(f"{seed}{side} {swap}")
    if side == BRITISH:
        for ship in war.fleet(GERMAN):
            ship.area, ship.leader = random.choice(ROOMS), ""
            ship.surprised = random.random() < 0.5
            war.known.ships[ship.id].moves = 1
        fleet = war.fleet(GERMAN)
        together = random.sample(fleet, 2) if seed else fleet[0 if swap else 2 :][:2]
        together[1].area, together[1].leader = together[0].area, together[0].id
    elif swap:
        war.known.ships["EMDEN"].area = "29"  # where the Allies believe her to be
        war.known.missing.append(Missing("29", 3, 1))
    if swap:
        war.ships = dict(reversed(war.ships.items()))
    return war


def hidden_orders(war: War, side: Side, random: Random, swap: bool) -> str:
    """What the other side does, out of this side's sight."""
    if side == GERMAN:
        lines = ["GERMAN: capture none;", "GERMAN: surprise none;"]
        for ship in (s for s in war.fleet(GERMAN) if not s.leader):
            ways = [a for a in board.neighbours(ship.area, GERMAN) if a in ROOMS]
            lines.append(f"{ship.id}: move {random.choice([*ways, ship.area])};")
        return "\n".join(lines)
    lines = ["BRITISH: seek EMDEN;", f"@BRITISH: retire {'must' if swap else 'damaged'};"]  # S3
    return "\n".join([*lines, "HAMPSHIRE: cruise;", "GLASGOW: move 13;"])


class World(worlds_of.World):
    """One world of Far Seas. found: how often the Allies found Germans, or learned by points for
    cowardice (S5, S6) that some were there."""

    system, scenario = SYSTEM, "war"
    wrong = frozenset({"unknown-unit", "unknown-zone", "not-now", "contradiction"})

    def __init__(self, side: Side, swap: bool, seed: str = "") -> None:
        random = Random(f"{seed}orders {side} {swap}")
        super().__init__(side, start(side, swap, seed), OPTIONS, random, worlds_of.seeded(seed))
        self.swap, self.found = swap, 0

    def hidden_orders(self, side: Side) -> str:
        orders = hidden_orders(self.drive.state, side, self.random, self.swap)
        return self.legal(side, orders.splitlines())

    def close(self, sets: Mapping[Side, OrderSet]) -> Closing:
        closing = super().close(sets)
        self.found += sum(isinstance(t.event, ev.Found | ev.CowardicePaid) for t in closing.told)
        return closing


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


@pytest.mark.some(1)
@pytest.mark.parametrize("side", SIDES)
def test_nothing_that_a_side_gets_tells_the_worlds_apart(side: Side) -> None:
    one, other = worlds(side)
    assert len(one.artefacts) == len(other.artefacts) == 7 * len(OWN[side])
    assert what_differs(one.artefacts, other.artefacts) == []


def test_the_worlds_are_different() -> None:
    one, other = (world.drive.state for world in worlds(BRITISH))
    places = [{s.id: s.area for s in war.ships.values()} for war in (one, other)]
    assert places[0] != places[1]
    mine, yours = (world.drive.state.known for world in worlds(GERMAN))
    assert mine.ships != yours.ships


def test_in_one_world_alone_a_search_was_in_vain_where_somebody_was() -> None:
    """The Allies search areas where Germans lie in one world and not in the other."""
    searched = {"22", "26", "29", "28", "31", "13", "7"}
    hiding = []
    for swap in (False, True):
        world = World(BRITISH, swap)
        here: set[str] = set()
        for own in OWN[BRITISH]:
            world.window(own)
            here |= {
                f"{s.id} {s.area}" for s in world.drive.state.fleet(GERMAN) if s.area in searched
            }
        assert not world.found
        hiding.append(here)
    assert hiding[0] and hiding[0] != hiding[1]


NAMES = (
    "{others} GERMAN: capture none;",
    "{konigsberg} GERMAN: capture none;",
    "EMDEN: cruise; {konigsberg} GERMAN: capture none;",
    "GERMAN: capture none;",
)
"""Orders of the Germans: all but one ship, that ship alone, it and another, nobody."""


def at_the_rufiji(inside: bool, play: str, monkeypatch: pytest.MonkeyPatch) -> World:
    """Some windows of a world in which the Konigsberg lies in the river, or off it."""
    monkeypatch.setitem(OPTIONS, "play", play)
    world = World(BRITISH, swap=False)
    ships, stays = world.drive.state.ships, "river" if inside else "cruise"
    for ship in world.drive.state.fleet(GERMAN):
        ship.leader = ""
    ships["KONIGSBERG"].area, ships["KONIGSBERG"].duty = "31", "river" if inside else ""
    ships["CHATHAM"].area = "31"
    named = [f"{s.id}: cruise;" for s in world.drive.state.fleet(GERMAN) if s.id != "KONIGSBERG"]
    given = {"others": " ".join(named), "konigsberg": f"KONIGSBERG: {stays};"}

    def hidden_orders(side: Side) -> str:
        wanted = NAMES[(world.drive.state.turn - 1) % len(NAMES)].format(**given).split(";")
        return world.legal(side, [f"{line};" for line in wanted if line.strip()])

    world.hidden_orders = hidden_orders  # type: ignore[method-assign]
    for _ in range(7):
        world.window("BRITISH: seek none; CHATHAM: river;")
    return world


@pytest.mark.parametrize("play", ["plotted", "asked"])
def test_names_and_turns_do_not_tell_who_lies_in_the_river(
    play: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """M4, E4, G4."""
    worlds = [at_the_rufiji(inside, play, monkeypatch) for inside in (True, False)]
    assert [w.drive.state.ships["KONIGSBERG"].duty for w in worlds] == ["river", ""]
    assert what_differs(worlds[0].artefacts, worlds[1].artefacts) == []


@pytest.mark.parametrize("play", ["plotted", "asked"])
def test_a_turn_that_ends_without_the_ship_in_the_river_is_found(
    play: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = movement.waiting
    monkeypatch.setattr(movement, "waiting", lambda war: [s for s in real(war) if not s.duty])
    worlds = [at_the_rufiji(inside, play, monkeypatch) for inside in (True, False)]
    assert worlds[0].artefacts != worlds[1].artefacts


# Leaks that must be found


def view_leak(tell: Callable[[War], str]) -> Leak:
    return worlds_of.view_leak(SYSTEM, tell)


def dice_where_germans_are(patch: pytest.MonkeyPatch) -> None:
    """A die that falls only where somebody is."""

    def find(table: Any, war: War, area: str, lead: str, hunts: Any) -> Any:
        table.roll(f"SEARCH/NEAR/{area}/-", D6, to=[BRITISH])

    patch.setattr(search, "_find", find)


def rolls_by_strength(patch: pytest.MonkeyPatch) -> None:
    """The number of visible rolls betrays how many ships lie in an area."""
    real = captures.merchants

    def merchants(table: Any, war: War, books: Any) -> None:
        for ship in war.fleet(GERMAN):
            table.roll(f"CAPTURE/EXTRA/{ship.area}/-", D6, to=[BRITISH])
        real(table, war, books)

    patch.setattr(captures, "merchants", merchants)


def moves_told_to_both(patch: pytest.MonkeyPatch) -> None:
    real = captures.merchants

    def merchants(table: Any, war: War, books: Any) -> None:
        for ship in war.fleet(GERMAN)[:1]:
            table.tell(table.sides, ev.NoConvoy(rule="M5", area=ship.area, who=ship.id))
        real(table, war, books)

    patch.setattr(captures, "merchants", merchants)


def squadrons_shown(patch: pytest.MonkeyPatch) -> None:
    """Named in the order of squadrons, not of names."""
    from games.far_seas import movement

    def announce(table: Any, war: War, plotted: Any) -> None:
        who = tuple(i for c in plotted for i in c.ids)
        table.tell(table.sides, ev.MoversNamed(rule="M4", who=who))

    patch.setattr(movement, "announce", announce)


def where_germans_were(patch: pytest.MonkeyPatch) -> None:
    """What the Allies are shown of former sightings is taken from the ships."""
    from games.far_seas import view

    real = view._known

    def known(war: War, seen: Any) -> Any:
        found = real(war, seen)
        found.trail = tuple(view.left(war.ships[seen.ship]))
        return found

    patch.setattr(view, "_known", known)


def question_text(patch: pytest.MonkeyPatch) -> None:
    """What the Allies are asked says where the named Germans are."""
    from games.far_seas import movement, turn

    real, where = movement.announce, [""]

    def announce(table: Any, war: War, plotted: Any) -> None:
        where[:] = [s.area for s in war.fleet(GERMAN)]
        real(table, war, plotted)

    patch.setattr(movement, "announce", announce)

    def told(about: str, rule: str) -> Dispositions:
        return Dispositions(about=f"{about} {where}", rule=rule)

    patch.setattr(turn, "Dispositions", told)


LEAKS: dict[str, Leak] = {
    "a place": view_leak(lambda war: str(war.fleet(GERMAN)[0].area)),
    "unit count": view_leak(lambda war: str(sum(s.area in ROOMS[:3] for s in war.fleet(GERMAN)))),
    "hidden ids": view_leak(lambda war: "".join(s.leader for s in war.fleet(GERMAN))),
    "who was surprised": view_leak(lambda war: str([s.surprised for s in war.fleet(GERMAN)])),
    "dice where Germans are": dice_where_germans_are,
    "roll counter": rolls_by_strength,
    "moves told to both": moves_told_to_both,
    "order of listing": squadrons_shown,
}


@pytest.mark.some(3)
@pytest.mark.parametrize("kind", LEAKS)
def test_a_planted_leak_is_found(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    LEAKS[kind](monkeypatch)
    assert any(one.artefacts != other.artefacts for one, other in windows(BRITISH))


@pytest.mark.parametrize("leak", [False, True])
def test_a_question_says_nothing_of_the_germans_but_who_moves(
    leak: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(OPTIONS, "play", "asked")
    if leak:
        question_text(monkeypatch)
    both = World(BRITISH, swap=False), World(BRITISH, swap=True)
    for world in both:
        world.window(OWN[BRITISH][0])
        assert world.drive.pause.asked[BRITISH]
    assert (both[0].artefacts != both[1].artefacts) is leak


def test_a_memory_that_leaks_to_the_germans_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    view_leak(lambda war: str([s.area for s in war.known.ships.values()]))(monkeypatch)
    one, other = worlds(GERMAN)
    assert one.artefacts != other.artefacts
