"""Secrecy tests in memory (`pbem.testing.worlds`), and the leaks that they must find."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, TypeVar

import pytest

from pbem.base.hashing import canonical_json
from pbem.model import Side, System, View
from pbem.testing.worlds import World, seeded

Leak = Callable[[pytest.MonkeyPatch], None]


def view_leak(system: System, tell: Callable[[Any], str]) -> Leak:
    """Plant a leak: the `news` of every view contain what `tell` says of the true state."""

    def plant(patch: pytest.MonkeyPatch) -> None:
        kind, real = type(system), type(system).view

        def view(self: Any, state: Any, side: Side) -> View:
            seen = real(self, state, side)
            seen.news += tell(state)
            return seen

        patch.setattr(kind, "view", view)

    return plant


W = TypeVar("W", bound=World)


def one_window(
    make: Callable[[Side, bool, str], W],
    own: Sequence[str],
    side: Side,
    swap: bool,
    seed: int,
    page: bool,
) -> W:
    """Play one window of one of two worlds; in both, `side` gives the same orders.

    own: the orders to choose from; swap: which of the two worlds; page: whether the rendered pages
    are artefacts too. Return the world, with its artefacts.
    """
    known, world = Random(f"{side} {seed}"), make(side, swap, f"{seed} ")
    orders = known.choice(own)
    if known.random() < 0.5:
        orders += " " + known.choice(own)
    world.close(world.sets(orders))
    if page:
        world.show()
    world.artefacts += [canonical_json(world.before), canonical_json(world.report(side))]
    return world


__all__ = ["Leak", "World", "one_window", "seeded", "view_leak"]
