"""Two worlds with a battle in sight: what is elsewhere changes nothing that leaves for the side."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from games.bismarck import events_battle as ev
from games.bismarck.board import GERMAN, Zone
from games.bismarck.state import War
from pbem.model import Side
from tests.bismarck import test_secrecy as two
from tests.secrecy import what_differs

HERE = Zone("V10")
SEEN = "KING GEORGE V"
ORDERS = "GERMAN: search all; GERMAN: attack always; BORD1: fly R20;"


def artefacts(side: Side, swap: bool, patch: pytest.MonkeyPatch) -> tuple[list[bytes], int]:
    """Everything that leaves for `side` in three turns, and how many battles it saw."""
    start = two.start
    patch.setattr(two, "start", lambda s, w: position_of(start, s, w))
    world = two.World(side, swap)
    patch.setattr(two, "start", start)
    battles = 0
    for _ in range(3):
        if world.drive.over:
            break
        world.window(ORDERS)
        assert world.closing
        battles += sum(isinstance(t.event, ev.BattleEnded) for t in world.closing.told)
    return world.artefacts, battles


def position_of(start: Callable[[Side, bool], War], side: Side, swap: bool) -> War:
    """The position of the two-world test, and in both worlds one battleship beside the Bismarck."""
    war = start(side, swap)
    for id_ in (SEEN, "BISMARCK"):
        ship = war.ships[id_]
        ship.zone = ship.origin = HERE
        ship.mode, ship.hold = "patrol", ""
    return war


def test_a_battle_tells_the_german_nothing_of_ships_elsewhere(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    one, fought = artefacts(GERMAN, False, monkeypatch)
    other, _ = artefacts(GERMAN, True, monkeypatch)
    assert fought
    assert what_differs(one, other) == []
