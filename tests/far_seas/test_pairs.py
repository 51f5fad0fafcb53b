"""Many generated pairs of worlds of Far Seas, one segment each: places, squadrons and orders of the
Germans differ for the Allies, orders and memory of the Allies for the Germans.

A pair in which a search found somebody is none: the finder knows more in one world than in the
other. Nor is one in which points for cowardice tell the Allies that somebody was there. Each pair
compares report.json before and after, what the orders are answered with, and, now and then, pages,
chart and bot.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from games.far_seas.board import BRITISH, SIDES
from pbem.model import Side
from tests.far_seas import test_secrecy as two
from tests.far_seas.test_secrecy import OWN
from tests.secrecy import what_differs
from tests.worlds import one_window

CI, NIGHTLY, PAGES = 60, 20_000, 15
"""How many pairs: those drawn in a run, and all; every how manieth shows its pages."""


def played(side: Side, swap: bool, seed: int) -> two.World:
    """One segment of one world; everything that leaves for the side is in its artefacts."""
    return one_window(two.World, OWN[side], side, swap, seed, page=seed % PAGES == 0)


def pair(side: Side, seed: int) -> tuple[two.World, two.World] | None:
    """Both worlds; none where the side found somebody in one of them."""
    one = played(side, False, seed)
    if side == BRITISH and one.found:
        return None
    other = played(side, True, seed)
    return None if side == BRITISH and other.found else (one, other)


def places(world: two.World) -> list[str]:
    """Where everything is, and what the Allies remember."""
    war = world.drive.state
    return [*sorted(f"{s.id} {s.area}" for s in war.ships.values()), repr(war.known)]


@pytest.mark.some(1)
@pytest.mark.parametrize("side", SIDES)
def test_generated_worlds_are_not_told_apart(
    side: Side, drawn: Callable[[Sequence[int], int], Sequence[int]]
) -> None:
    made = different = 0
    seeds = drawn(range(NIGHTLY // len(SIDES)), CI // len(SIDES))
    for seed in seeds:
        if both := pair(side, seed):
            one, other = both
            assert what_differs(one.artefacts, other.artefacts) == [], f"pair {seed} of {side}"
            different, made = different + (places(one) != places(other)), made + 1
    assert made > len(seeds) / 3, "most pairs find somebody"
    assert different > made / 2, "the worlds are too much alike"


@pytest.mark.parametrize("kind", two.LEAKS)
def test_a_leak_is_found_within_few_pairs(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    two.LEAKS[kind](monkeypatch)
    found = (pair(BRITISH, seed) for seed in range(1, 20))
    assert any(both[0].artefacts != both[1].artefacts for both in found if both)
