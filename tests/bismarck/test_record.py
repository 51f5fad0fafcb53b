"""9.28-9.7 What a battle writes down of itself: where counters stood, and what was fired."""

from __future__ import annotations

import pytest

from games.bismarck import events_battle as ev
from games.bismarck.battle.charts import charts
from games.bismarck.battle.movement import Place, places
from games.bismarck.state import BRITISH, Hits
from games.bismarck.vessels import Reserve
from tests.bismarck.test_battle import action

BOTH = (["HOOD", "PRINCE OF WALES"], ["BISMARCK", "PRINZ EUGEN"])


@pytest.mark.parametrize("seed", range(4))
def test_9_5_a_track_begins_at_the_set_up_and_every_step_is_a_legal_move(seed: int) -> None:
    war, battle, _ = action(*BOTH, seed=seed)
    for vessel in battle.vessels:
        assert vessel.track[0].round == 0
        assert (vessel.track[-1].at, vessel.track[-1].facing) == (vessel.at, vessel.facing)
        printed = war.ships[vessel.ship].evasion
        for a, b in zip(vessel.track, vessel.track[1:], strict=False):
            assert b.round - a.round in (0, 1)
            reach = places(Place(a.at, a.facing), printed, (), charts({}))
            assert Place(b.at, b.facing) in reach


@pytest.mark.parametrize("seed", range(4))
def test_9_65_every_volley_that_both_sides_were_told_is_written_down(seed: int) -> None:
    war, battle, table = action(*BOTH, seed=seed)
    told = [(e.who, e.target, e.hexes, e.shots) for e in table.heard(ev.Fired, BRITISH)]
    names = {i: s.name for i, s in war.ships.items()}
    assert [(names[s.ship], names[s.target], s.hexes, s.shots) for s in battle.shots] == told
    for ship in BOTH[0] + BOTH[1]:
        lost = Hits()
        for shot in battle.shots:
            if shot.target == ship:
                for name in ("bow", "stern", "port", "starboard", "midships", "permanent"):
                    setattr(lost, name, getattr(lost, name) + getattr(shot.hits, name))
                assert shot.hits.temporary == 0
        lost.temporary = war.ships[ship].hits.temporary
        assert lost == war.ships[ship].hits


def test_9_41_a_ship_in_reserve_has_no_track_before_it_enters() -> None:
    away = Reserve("NORFOLK", BRITISH, ["NORFOLK"])
    _, battle, _ = action(["HOOD"], ["BISMARCK"], {("Enter", "NORFOLK"): "NO"}, reserves=[away])
    assert "NORFOLK" not in {v.ship for v in battle.vessels}
    assert all(v.track for v in battle.vessels)


def test_11_22_the_battles_of_a_turn_stay_for_its_report() -> None:
    war, battle, _ = action(["HOOD"], ["BISMARCK"])
    war.next_turn()
    assert war.battles == [] and war.fought == [battle]
    war.next_turn()
    assert war.fought == []
