"""docs/architecture.md is true of a window that is played."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import pytest

from tests.conftest import Clock
from tests.mail.office import Office
from tests.proving import Proven, proven

ROOT = Path(__file__).parents[2]
FIGURES = re.findall(r"```\n(.*?)```", (ROOT / "docs" / "architecture.md").read_text(), re.S)
STEP = re.compile(r"^( *)([\w.]+):(\w+)", re.MULTILINE)


def steps(figure: str) -> list[tuple[int, str, str]]:
    """Indent, module and function of each line."""
    return [(len(indent) // 4, whole(name), of) for indent, name, of in STEP.findall(figure)]


def whole(module: str) -> str:
    return module if module.startswith(("orders.", "games.")) else f"pbem.{module}"


def entered(act: Callable[[], object]) -> list[tuple[int, str, str]]:
    """Depth, module and function of every call of our code while something is done."""
    found: list[tuple[int, str, str]] = []
    depth = 0

    def note(frame: FrameType, event: str, _: object) -> None:
        nonlocal depth
        if event == "call":
            depth += 1
            module = frame.f_globals.get("__name__", "")
            if module.split(".")[0] in ("pbem", "orders", "games"):
                found.append((depth, module, frame.f_code.co_name))
        elif event == "return":
            depth -= 1

    sys.setprofile(note)
    try:
        act()
    finally:
        sys.setprofile(None)
    return found


@pytest.fixture(scope="module")
def calls(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[tuple[int, str, str]]]:
    """The calls of receiving one mailed set, and of closing the window."""
    with pytest.MonkeyPatch.context() as patch:
        Clock(patch)
        referee: Proven = proven(tmp_path_factory.mktemp("home"), patch)
        office = Office(referee)
        office.mail("fox", referee.signs("fox", referee.suggested("fox")))
        received = entered(office.one)
        referee.sends("hunter", referee.suggested("hunter"))
        return {"received": received, "closed": entered(referee.run)}


CASES = [(0, "received"), (1, "closed"), (2, "closed"), (3, "received"), (4, "closed")]


def test_every_figure_is_checked() -> None:
    assert [n for n, _ in CASES] == [*range(len(FIGURES))]
    assert all(len(steps(figure)) >= 3 for figure in FIGURES)


@pytest.mark.parametrize(("number", "moment"), CASES)
def test_a_window_enters_the_functions_of_a_figure_in_their_order(
    number: int, moment: str, calls: dict[str, list[tuple[int, str, str]]]
) -> None:
    """Each line is entered after the line above it, inside the line that it is indented under."""
    found, at = calls[moment], 0
    open_steps: list[tuple[int, int]] = []  # indent and depth of the lines around this one
    for indent, module, name in steps(FIGURES[number]):
        open_steps = [one for one in open_steps if one[0] < indent]
        around = open_steps[-1][1] if open_steps else 0
        position = next((n for n in range(at, len(found)) if found[n][1:] == (module, name)), None)
        assert position is not None, f"{module}:{name} is not entered here"
        assert found[position][0] > around
        assert all(depth > around for depth, _, _ in found[at:position]), (
            f"{module}:{name} is called by another"
        )
        open_steps.append((indent, found[position][0]))
        at = position + 1
