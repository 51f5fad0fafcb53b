"""Two worlds that differ in one side's sealed orders alone: the other side gets the same bytes.

All positions are public, so that orders are what is secret: prepared programmes, lines that are
left out, standing reactions that nothing has called for. Then leaks are planted, and found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest

from games.atlantic_chase import events as ev
from games.atlantic_chase import programme, setup
from games.atlantic_chase.board import BRITISH, GERMAN, OTHER, SIDES
from games.atlantic_chase.game import SYSTEM
from games.atlantic_chase.state import War
from pbem.model import Side
from tests import worlds as worlds_of
from tests.secrecy import what_differs
from tests.worlds import Leak

OPTIONS = {o.name: o.values[0] for o in SYSTEM.options} | {"play": "plotted"}
SEALED: dict[Side, tuple[str, str]] = {
    GERMAN: (
        "GERMAN: signals TF3 at K08; @GERMAN: slip signals; turn 9 KG3: pass;",
        "KG1: engage TF1; KG1: search TF6; @GERMAN: slip evasive; @GERMAN: evade KG1;",
    ),
    BRITISH: (
        "TF1: engage KG1; TF2: search KG1; @BRITISH: slip signals length 4; turn 9 TF6: pass;",
        "TF4: engage KG1; @BRITISH: slip evasive; @BRITISH: spend engage total 4;",
    ),
}
"""By the side that gives them, in each of both worlds: nothing here can be carried out in time."""
SHOWN: dict[Side, str] = {
    GERMAN: "KG1: leave port; GERMAN: pass;",
    BRITISH: "TF1: leave port; BRITISH: pass;",
}
"""What both worlds carry out of the side whose sealed orders differ."""
WINDOWS = 2


class World(worlds_of.World):
    """One world of Atlantic Chase; `second` tells which."""

    system, scenario = SYSTEM, "rheinuebung"

    def __init__(self, side: Side, second: bool) -> None:
        war = setup.begin("rheinuebung", OPTIONS)
        super().__init__(side, war, OPTIONS, Random("same"), worlds_of.seeded("same"))
        self.second = second

    def hidden_orders(self, side: Side) -> str:
        """Sealed orders, and when it has Initiative the programme that both worlds see."""
        sealed = self.legal(side, SEALED[side][self.second].split("; "))
        active = self.drive.state.active == side
        return f"{sealed}\n{self.legal(side, SHOWN[side].split('; '))}" if active else sealed


def windows(side: Side) -> Iterator[tuple[World, World]]:
    """Both worlds, window by window; the side itself passes when it has Initiative."""
    both = World(side, second=False), World(side, second=True)
    for _ in range(WINDOWS):
        for world in both:
            active = world.drive.state.active == side
            world.window(f"{side.upper()}: pass;" if active else f"@{side.upper()}: seize never;")
        yield both


@pytest.mark.parametrize("side", SIDES)
def test_sealed_orders_tell_the_enemy_nothing(side: Side) -> None:
    *_, (one, other) = windows(side)
    assert one.artefacts
    assert what_differs(one.artefacts, other.artefacts) == []


@pytest.mark.parametrize("side", SIDES)
def test_the_worlds_are_different(side: Side) -> None:
    one, other = (World(side, second) for second in (False, True))
    assert one.hidden_orders(OTHER[side]) != other.hidden_orders(OTHER[side])


# Leaks that must be found


def view_leak(patch: pytest.MonkeyPatch) -> None:
    """The news say how many lines are prepared."""
    worlds_of.view_leak(SYSTEM, told_orders)(patch)


LAST: list[str] = []


def told_orders(war: War) -> str:
    return str(LAST)


def orders_seen(patch: pytest.MonkeyPatch) -> None:
    """What a programme contains is kept, and shown to both."""
    real: Callable[..., Any] = programme.lines

    def lines(*args: Any, **more: Any) -> Any:
        found = list(real(*args, **more))
        LAST[:] = [repr(found)]
        return found

    patch.setattr(programme, "lines", lines)
    view_leak(patch)


def left_out_told_to_both(patch: pytest.MonkeyPatch) -> None:
    """The enemy hears of lines that are left out."""
    from pbem.table import Table

    real = Table.tell

    def tell(self: Any, sides: Any, event: Any) -> None:
        wide = self.sides if isinstance(event, ev.LineSkipped) else sides
        real(self, wide, event)

    patch.setattr(Table, "tell", tell)


LEAKS: dict[str, Leak] = {
    "programmes shown": orders_seen,
    "lines left out": left_out_told_to_both,
}


@pytest.mark.parametrize("kind", LEAKS)
def test_a_planted_leak_is_found(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    LAST.clear()
    LEAKS[kind](monkeypatch)
    assert any(one.artefacts != other.artefacts for side in SIDES for one, other in windows(side))
