"""Two worlds that differ in one side's sealed orders alone: the other side gets the same bytes.

All positions are public, so that orders are what is secret: prepared programmes, lines that are
left out, standing reactions that nothing has called for. Then leaks are planted, and found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from games.atlantic_chase import events as ev
from games.atlantic_chase import programme, setup
from games.atlantic_chase.board import BRITISH, GERMAN, OTHER, SIDES
from games.atlantic_chase.game import SYSTEM
from pbem.model import D6, Side
from pbem.table import Table
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

    system, scenario, options = SYSTEM, "rheinuebung", OPTIONS

    def __init__(self, side: Side, second: bool) -> None:
        war = setup.begin("rheinuebung", self.options)
        super().__init__(side, war, self.options, Random("same"), worlds_of.seeded("same"))
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


LAST: list[str] = []
"""The actors of the lines of the last programme that was carried out, as it was written."""


def told(patch: pytest.MonkeyPatch, tell: Callable[[list[str]], str]) -> None:
    """Plant a leak: the news of every report say something of the lines of the programme."""
    real: Callable[..., Any] = programme.lines

    def lines(*args: Any, **more: Any) -> Any:
        found = list(real(*args, **more))
        LAST[:] = [f"{c.actor} {c.order}" for c in found]
        return found

    patch.setattr(programme, "lines", lines)
    worlds_of.view_leak(SYSTEM, lambda war: tell(LAST))(patch)


def shown_whole(patch: pytest.MonkeyPatch) -> None:
    """What a programme contains."""
    told(patch, str)


def line_count(patch: pytest.MonkeyPatch) -> None:
    """How many lines it has."""
    told(patch, lambda lines: str(len(lines)))


def hidden_ids(patch: pytest.MonkeyPatch) -> None:
    """Whom its lines are for."""
    told(patch, lambda lines: str(sorted(line.partition(" ")[0] for line in lines)))


def order_of_lines(patch: pytest.MonkeyPatch) -> None:
    """Whose line stands first."""
    told(patch, lambda lines: lines[0] if lines else "")


def left_out_told_to_both(patch: pytest.MonkeyPatch) -> None:
    """The enemy hears of lines that are left out."""
    real = Table.tell

    def tell(self: Any, sides: Any, event: Any) -> None:
        wide = self.sides if isinstance(event, ev.LineSkipped) else sides
        real(self, wide, event)

    patch.setattr(Table, "tell", tell)


def dice_for_lines(patch: pytest.MonkeyPatch) -> None:
    """Lines that are left out cost a die that all see."""
    real = Table.tell

    def tell(self: Any, sides: Any, event: Any) -> None:
        real(self, sides, event)
        if isinstance(event, ev.LineSkipped):
            self.roll("LINE/CHECK/-/-", D6, to=self.sides)

    patch.setattr(Table, "tell", tell)


def counted(patch: pytest.MonkeyPatch) -> None:
    """The report's count of actions counts lines that are left out."""
    real = Table.tell

    def tell(self: Any, sides: Any, event: Any) -> None:
        real(self, sides, event)
        LAST.extend(["left out"] if isinstance(event, ev.LineSkipped) else [])

    patch.setattr(Table, "tell", tell)
    worlds_of.view_leak(SYSTEM, lambda war: str(len(LAST)))(patch)


LEAKS: dict[str, Leak] = {
    "programmes shown": shown_whole,
    "unit count": line_count,
    "hidden ids": hidden_ids,
    "order of listing": order_of_lines,
    "roll counter": dice_for_lines,
    "lines left out": left_out_told_to_both,
    "lines left out counted": counted,
}


@pytest.mark.some(3)
@pytest.mark.parametrize("kind", LEAKS)
def test_a_planted_leak_is_found(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    LAST.clear()
    LEAKS[kind](monkeypatch)
    assert any(one.artefacts != other.artefacts for side in SIDES for one, other in windows(side))


# Questions

OWN: dict[Side, str] = {
    GERMAN: "KG1: leave port; KG1: course K12 K11; GERMAN: pass;",
    BRITISH: "BRITISH: pass;",
}
"""What a side that is asked does when it has Initiative."""


class Asked(World):
    """Every decision goes by mail, and all answer the usual."""

    options = OPTIONS | {"play": "asked", "mail": "full"}

    def answers(self, side: Side) -> str:
        """The usual answer to each question."""
        asked = self.report(side)["questions"]
        return " ".join(f"{q['id']}: {q['default']};" for q in asked)

    def hidden_orders(self, side: Side) -> str:
        return f"{super().hidden_orders(side)}\n{self.answers(side)}"


def question_text(patch: pytest.MonkeyPatch) -> None:
    """Questions say what LAST has."""
    real = Table.ask

    async def ask(self: Any, side: Side, questions: Any, **more: Any) -> Any:
        worded = [replace(q, about=f"{q.about} {LAST}") for q in questions]
        return await real(self, side, worded, **more)

    patch.setattr(Table, "ask", ask)


@pytest.mark.some(2)
@pytest.mark.parametrize("leak", [False, True])
@pytest.mark.parametrize("side", SIDES)
def test_questions_tell_nothing_of_sealed_orders(
    side: Side, leak: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A Pass asks about the Time Lapse; the leak is that this tells of sealed orders."""
    if leak:
        question_text(monkeypatch)
    both = [Asked(side, second) for second in (False, True)]
    asked = 0
    for _ in range(4):
        for world in both:
            LAST[:] = [world.hidden_orders(OTHER[side])]
            answers = world.answers(side)
            asked += bool(answers)
            active = world.drive.state.active == side and not answers
            world.window(OWN[side] if active else f"@{side.upper()}: seize never; {answers}")
    assert asked
    assert bool(what_differs(both[0].artefacts, both[1].artefacts)) is leak
