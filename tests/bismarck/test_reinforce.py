"""9.4: attempts, who qualifies, where reinforcements enter."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.bismarck.battle import determination, plans, reinforce
from games.bismarck.state import BRITISH, GERMAN, War
from games.bismarck.vessels import Battle, Reserve, Vessel
from pbem.kit.hexes import CENTRE, Hex, distance, edge, sector
from tests.bismarck.fake_table import FakeTable, begin
from tests.counts import few


@pytest.mark.parametrize("die", range(1, 7))
@pytest.mark.parametrize("attempt", range(1, 7))
def test_9_41_one_more_each_time(die: int, attempt: int) -> None:
    assert reinforce.arrives(die, attempt) is (die - (attempt - 1) <= 1)


@pytest.mark.parametrize(
    ("ids", "qualifies"),
    [(["HOOD"], True), (["RODNEY"], False), (["ARK ROYAL"], False), (["RODNEY", "KENYA"], True)],
)
def test_9_43_it_could_attack_somebody_there(ids: list[str], qualifies: bool) -> None:
    war = begin()
    group = [war.ships[i] for i in ids]
    assert reinforce.qualifies(group, [war.ships["BISMARCK"]]) is qualifies


HEX = st.builds(Hex, st.integers(-15, 15), st.integers(-15, 15))


@settings(deadline=None, max_examples=few(100))
@given(st.integers(0, 5), st.integers(1, 6), st.lists(HEX, min_size=1, max_size=5, unique=True))
def test_9_42_at_least_six_hexes_from_every_enemy(
    side: int, ships: int, enemies: list[Hex]
) -> None:
    placed = reinforce.entry(side, [0] * ships, enemies, 6)
    assert len(placed) == ships
    assert max(map(placed.count, placed)) <= 2
    assert min(distance(a, e) for a in placed for e in enemies) >= 6


@settings(deadline=None, max_examples=few(100))
@given(st.integers(0, 5), st.integers(1, 6), st.lists(HEX, min_size=1, max_size=5, unique=True))
def test_9_56_the_board_grows_no_further_than_it_has_to(
    side: int, ships: int, enemies: list[Hex]
) -> None:
    centre = reinforce.middle(enemies)
    (radius,) = {distance(h, centre) for h in reinforce.entry(side, [0] * ships, enemies, 6)}
    for nearer in range(6, radius):
        line = [Hex(h.q + centre.q, h.r + centre.r) for h in edge(side, nearer)]
        clear = [h for h in line if min(distance(h, e) for e in enemies) >= 6]
        assert 2 * len(clear) < ships


def test_9_56_the_board_lies_around_the_midst_of_the_enemies() -> None:
    assert reinforce.middle([Hex(2, 0), Hex(5, 2), Hex(5, 1)]) == Hex(4, 1)


def test_9_43_who_has_no_enemy_left_whom_it_could_attack_stays_out() -> None:
    """The round has sunk the enemies slow enough for it after it was asked."""
    war = begin()
    battle = Battle("Q17", BRITISH, round=3, vessels=[Vessel("BISMARCK", GERMAN)])
    battle.reserves = [Reserve("RODNEY", BRITISH, ["RODNEY"])]
    table = FakeTable((1,), (1,))
    reinforce.phase(table, war, battle, {BRITISH: {"ENTER RODNEY": "YES"}, GERMAN: {}})
    assert (table.labels, len(battle.vessels)) == ([], 1)
    war.ships["BISMARCK"].hits.permanent = 8  # as slow as the Rodney
    reinforce.phase(table, war, battle, {BRITISH: {"ENTER RODNEY": "YES"}, GERMAN: {}})
    assert [v.ship for v in battle.vessels] == ["BISMARCK", "RODNEY"]


@pytest.mark.parametrize("side", range(6))
def test_9_42_they_head_inwards_and_9_272_from_the_other_side(side: int) -> None:
    (at,) = reinforce.entry(side, [0], [CENTRE], 6)
    assert distance(at, CENTRE) == 6
    bow = determination.common_heading((), side, "INWARDS")
    assert sector(at, bow, CENTRE) != "stern"
    (other,) = reinforce.entry(reinforce.opposite(side), [0], [CENTRE], 6)
    assert distance(at, other) >= 11


# What is asked, and what stands without orders


def action() -> tuple[War, Battle]:
    """HOOD against the BISMARCK, with the PRINCE OF WALES in reserve."""
    war = begin()
    vessels = [Vessel("HOOD", BRITISH, at=Hex(0, 0)), Vessel("BISMARCK", GERMAN, at=Hex(4, 0))]
    battle = Battle("Q17", BRITISH, round=3, vessels=vessels)
    battle.reserves = [Reserve("PRINCE OF WALES", BRITISH, ["PRINCE OF WALES"])]
    return war, battle


def test_9_41_without_orders_a_reserve_comes_to_help() -> None:
    war, battle = action()
    assert plans.questions(war, battle, BRITISH)["ENTER PRINCE OF WALES"].default == "YES"


def test_9_272_who_avoided_combat_stays_out_without_orders() -> None:
    war, battle = action()
    battle.reserves[0].free = True
    assert plans.questions(war, battle, BRITISH)["ENTER PRINCE OF WALES"].default == "NO"


def test_9_224_a_shadow_is_asked_only_about_the_action_of_what_it_shadows() -> None:
    war, battle = action()
    war.shadowing = {"PRINCE OF WALES": ["PRINZ EUGEN"]}
    assert "ENTER PRINCE OF WALES" not in plans.questions(war, battle, BRITISH)
    war.shadowing = {"PRINCE OF WALES": ["BISMARCK"]}
    assert "ENTER PRINCE OF WALES" in plans.questions(war, battle, BRITISH)


@pytest.mark.parametrize(("away", "mood"), [(4, "OPEN"), (14, "WITHDRAW")])
def test_9_93_a_tired_ship_withdraws_where_it_may_and_opens_the_range_where_not(
    away: int, mood: str
) -> None:
    war, battle = action()
    war.ships["HOOD"].hits.midships = 9
    battle.vessels[1].at = Hex(away, 0)
    assert plans.questions(war, battle, BRITISH)["HANDLE HOOD"].default == mood
