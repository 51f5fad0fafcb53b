"""Leaks planted one by one, those of the kernel and the text of a question: the two-world test of
the toy finds each. Those of its views, rules and dice stand beside the test itself.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest

from games.toy import game as toy
from pbem.model import TableLike
from tests import leaks
from tests.toy import test_secrecy as two


def question_text(patch: pytest.MonkeyPatch) -> None:
    """What the hound is asked names the fox's place."""
    place, leap, turn = [""], toy.Leap, toy.Toy.turn

    async def watching(self: toy.Toy, table: TableLike, hide: toy.Hide) -> Any:
        place[:] = [hide.place["FOX"]]
        return await turn(self, table, hide)

    def asked(**said: Any) -> toy.Leap:
        return leap(**said | {"about": f"HOUND{place[0]}"})

    patch.setattr(toy.Toy, "turn", watching)
    patch.setattr(toy, "Leap", asked)


PLANTS = leaks.KERNEL | {"question text": question_text}


@pytest.mark.parametrize("kind", PLANTS)
def test_a_leak_is_found(kind: str, tmp_path: Path) -> None:
    side, windows = ("hunter", 8) if kind == "question text" else ("fox", 4)
    worlds = partial(two.two_worlds, tmp_path, side, 5, windows=windows)
    assert leaks.found(PLANTS[kind], worlds)


def test_press_of_the_other_side_is_the_same_in_both_worlds(tmp_path: Path) -> None:
    """Else the leak above would prove nothing."""
    worlds = partial(two.two_worlds, tmp_path, "fox", 4, windows=4)
    assert leaks.apart_with_press(worlds) == []
