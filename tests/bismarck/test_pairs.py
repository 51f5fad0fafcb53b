"""Many generated pairs of worlds of Bismarck, one turn each: hidden ships and orders differ.

Everything a side reads is made of its report alone, so each pair compares report.json and what its
orders are answered with, and, now and then, pages, chart and bot.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from games.bismarck.board import BRITISH
from pbem.model import Side
from tests.bismarck import test_secrecy as two
from tests.bismarck.test_secrecy import OWN, SIDES
from tests.secrecy import what_differs
from tests.worlds import one_window

CI, NIGHTLY, PAGES = 60, 20_000, 15
"""How many pairs: those drawn in a run, and all; every how manieth shows its pages."""


class World(two.World):
    """The side may give an order that follows another before that one."""

    wrong = two.World.wrong | {"at-base", "out-of-endurance", "contradiction"}


def artefacts(side: Side, swap: bool, seed: int) -> tuple[list[bytes], dict[str, str]]:
    """What leaves for the side in one turn of one world, and where everything then is."""
    world = one_window(World, OWN[side], side, swap, seed, page=seed % PAGES == 0)
    return world.artefacts, {s.id: s.zone for s in world.drive.state.ships.values()}


def told_apart(side: Side, seed: int) -> bool:
    return artefacts(side, False, seed)[0] != artefacts(side, True, seed)[0]


@pytest.mark.some(1)
@pytest.mark.parametrize("side", SIDES)
def test_generated_worlds_are_not_told_apart(
    side: Side, drawn: Callable[[Sequence[int], int], Sequence[int]]
) -> None:
    different, seeds = 0, drawn(range(NIGHTLY // len(SIDES)), CI // len(SIDES))
    for seed in seeds:
        (one, here), (other, there) = (artefacts(side, swap, seed) for swap in (False, True))
        assert what_differs(one, other) == [], f"pair {seed} of {side}"
        different += here != there
    assert different > len(seeds) / 2, "the worlds are too much alike"


@pytest.mark.some(4)
@pytest.mark.parametrize("kind", two.LEAKS)
def test_a_leak_is_found_within_few_pairs(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    two.LEAKS[kind](monkeypatch)
    side = next(s for s in SIDES if s != BRITISH)
    assert any(told_apart(side, seed) for seed in range(1, 20))
