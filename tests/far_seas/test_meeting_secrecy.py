"""Two worlds in which both sides are asked how they meet the enemy: window, question and choices
are the same wherever the other Germans hide, and whatever the enemy has ordered.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from games.far_seas import meetings, plans
from games.far_seas.board import BRITISH, GERMAN, SIDES
from games.far_seas.state import War
from pbem.model import Side
from tests import worlds as worlds_of
from tests.far_seas import test_secrecy
from tests.far_seas.chronicle import ASKED as OPTIONS
from tests.secrecy import what_differs

OWN = {
    BRITISH: ("", "HAMPSHIRE: station singapore; MINOTAUR: cruise; BRITISH: stand;"),
    GERMAN: ("GERMAN: surprise none; EMDEN: raid singapore; DRESDEN: cruise;", ""),
}
"""Until the meeting: what the Germans name, and the Allies' moves."""


def start(side: Side, swap: bool) -> War:
    """The Emden lies off Singapore in both worlds, in an area where nobody else hides."""
    war = test_secrecy.start(side, swap)
    for ship in war.fleet(GERMAN):
        ship.leader = ""
    emden = war.ships["EMDEN"]
    emden.area, emden.surprised = "24", False
    return war


class World(test_secrecy.World):
    """One world, up to the window that asks about the meeting."""

    def __init__(self, side: Side, swap: bool) -> None:
        random = Random(f"{side} {swap}")
        worlds_of.World.__init__(
            self, side, start(side, swap), OPTIONS, random, worlds_of.seeded("")
        )
        self.swap, self.found = swap, 0

    def hidden_orders(self, side: Side) -> str:
        war = self.drive.state
        if side == BRITISH:
            lines = "BRITISH: run; BRITISH: target weakest;" if self.swap else "BRITISH: stand;"
            due = "HAMPSHIRE: station singapore;" if self.drive.pause.asked[BRITISH] else ""
            return f"{lines} @BRITISH: retire {'must' if self.swap else 'damaged'}; {due}"
        if self.drive.pause.asked[BRITISH]:
            return ""
        hiding = [s for s in war.fleet(GERMAN) if s.id != "EMDEN"]
        moves = [f"{s.id}: cruise;" for s in hiding]
        doctrine = "GERMAN: run;" if self.swap else "GERMAN: stand;"
        return " ".join((doctrine, "GERMAN: surprise none; EMDEN: raid singapore;", *moves))


def worlds(side: Side) -> tuple[World, World]:
    """Both worlds, up to the open question."""
    both = World(side, swap=False), World(side, swap=True)
    for world in both:
        for own in OWN[side]:
            world.window(own)
    return both


@pytest.mark.parametrize("side", SIDES)
def test_a_meeting_is_asked_alike_in_both_worlds(side: Side) -> None:
    one, other = worlds(side)
    for world in (one, other):
        (asked,) = world.drive.pause.asked[side]
        assert asked.about == "26"
    assert what_differs(one.artefacts, other.artefacts) == []
    assert one.drive.pause.owed == other.drive.pause.owed


def test_the_worlds_are_different() -> None:
    one, other = (world.drive for world in worlds(BRITISH))
    places = [{s.id: s.area for s in drive.state.fleet(GERMAN)} for drive in (one, other)]
    assert places[0] != places[1]
    usual = [drive.pause.asked[GERMAN][0].usual for drive in (one, other)]  # type: ignore[attr-defined]
    assert usual == ["STAND", "RUN"]


# Leaks that must be found


def _asked(change: Callable[[War, Side, Any], Any]) -> Callable[[pytest.MonkeyPatch], None]:
    real = plans.question

    def plant(patch: pytest.MonkeyPatch) -> None:
        def question(war: War, whole: Any, side: Side, usual: str) -> Any:
            return change(war, side, real(war, whole, side, usual))

        patch.setattr(plans, "question", question)

    return plant


def refuges_by_truth(war: War, side: Side, asked: Any) -> Any:
    """Refuges in the order of the Germans that truly are there."""
    ways = [s.area for s in war.fleet(GERMAN)]
    return replace(asked, choices=(*asked.choices, *(f"RUN TO {a}" for a in ways)))


def hidden_strength(war: War, side: Side, asked: Any) -> Any:
    """Odds that count Germans who hide."""
    return replace(asked, odds=str(sum(int(s.area) for s in war.fleet(GERMAN))))


def enemy_doctrine(patch: pytest.MonkeyPatch) -> None:
    """A side is told what the enemy's orders say."""
    real = meetings._usual

    def usual(whole: Any, side: Side, runners: int) -> str:
        said.append(real(whole, side, runners))
        return said[-2] if len(said) % 2 == 0 else said[-1]

    said: list[str] = []
    patch.setattr(meetings, "_usual", usual)


def window_by_hidden_ships(patch: pytest.MonkeyPatch) -> None:
    """The window opens only when enough Germans hide elsewhere."""
    real = meetings._questions

    async def questions(table: Any, war: War, fight: Any) -> Any:
        found = await real(table, war, fight)
        return found if sum(int(s.area) for s in war.fleet(GERMAN)) % 2 else []

    patch.setattr(meetings, "_questions", questions)


LEAKS: dict[str, tuple[Side, Callable[[pytest.MonkeyPatch], None]]] = {
    "refuges": (BRITISH, _asked(refuges_by_truth)),
    "strength": (BRITISH, _asked(hidden_strength)),
    "the Germans' orders": (BRITISH, enemy_doctrine),
}


@pytest.mark.parametrize("kind", LEAKS)
def test_a_planted_leak_is_found(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    side, plant = LEAKS[kind]
    plant(monkeypatch)
    one, other = worlds(side)
    assert one.artefacts != other.artefacts


def test_a_window_that_opens_by_what_hides_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    sums = [sum(int(s.area) for s in w.drive.state.fleet(GERMAN)) % 2 for w in worlds(BRITISH)]
    assert sums[0] != sums[1]
    window_by_hidden_ships(monkeypatch)
    one, other = worlds(BRITISH)
    assert one.artefacts != other.artefacts
