"""Many generated pairs of worlds of Bismarck, one turn each: hidden ships and orders differ.

Everything a side reads is made of its report alone, so each pair compares report.json and what its
orders are answered with, and, now and then, pages, chart and bot.
"""

from __future__ import annotations

from random import Random

import pytest

from games.bismarck.board import BRITISH
from pbem.hashing import canonical_json
from pbem.model import Side
from tests.bismarck import test_secrecy as two
from tests.bismarck.test_secrecy import OWN, SIDES

CI, NIGHTLY, PAGES = 500, 20_000, 50
"""How many pairs; every how manieth shows its pages."""


def artefacts(side: Side, swap: bool, seed: int) -> tuple[list[bytes], dict[str, str]]:
    """What leaves for the side in one turn of one world, and where everything then is."""
    known, world = Random(f"{side} {seed}"), two.World(side, swap, f"{seed} ")
    own = known.choice(OWN[side])
    if known.random() < 0.5:
        own += " " + known.choice(OWN[side])
    world.close(world.sets(own))
    if seed % PAGES == 0:
        world.show()
    world.artefacts.append(canonical_json(world.report(side)))
    return world.artefacts, {s.id: s.zone for s in world.drive.state.ships.values()}


def told_apart(side: Side, seed: int) -> bool:
    return artefacts(side, False, seed)[0] != artefacts(side, True, seed)[0]


@pytest.mark.parametrize("side", SIDES)
def test_generated_worlds_are_not_told_apart(side: Side, nightly: bool) -> None:
    different = 0
    for seed in range((NIGHTLY if nightly else CI) // len(SIDES)):
        (one, here), (other, there) = (artefacts(side, swap, seed) for swap in (False, True))
        assert one == other, f"pair {seed} of {side}"
        different += here != there
    assert different > seed / 2, "the worlds are too much alike"


@pytest.mark.parametrize("leak", two.LEAKS, ids=lambda x: getattr(x, "__qualname__", "leak"))
def test_a_leak_is_found_within_few_pairs(leak: two.Leak, monkeypatch: pytest.MonkeyPatch) -> None:
    leak(monkeypatch)
    side = next(s for s in SIDES if s != BRITISH)
    assert any(told_apart(side, seed) for seed in range(1, 20))
