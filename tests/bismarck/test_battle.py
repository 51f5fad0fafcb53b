"""9.3 Whole actions: rounds, withdrawal, reinforcements, endings, doctrine; fixed-round fights."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.bismarck import asks, combat, repair, taskforce, view
from games.bismarck import events_battle as ev
from games.bismarck.answers import Answers
from games.bismarck.battle import ending, fight, fire, plans, reinforce, setup
from games.bismarck.battle.charts import charts
from games.bismarck.state import BRITISH, GERMAN, Hits, Ship, War
from games.bismarck.vessels import Battle, Reserve, Vessel
from pbem.kit.hexes import CENTRE, Facing, Hex, distance
from pbem.model import Question, Side
from tests.bismarck.deck import Deck, Given
from tests.bismarck.fake_table import begin
from tests.bismarck.test_determination import HERE, sea
from tests.casetable import run
from tests.counts import few

C = charts({})


def action(
    attackers: Sequence[str],
    defenders: Sequence[str],
    given: Given | None = None,
    seed: int = 1,
    reserves: Sequence[Reserve] = (),
    war: War | None = None,
) -> tuple[War, Battle, Deck]:
    """A whole fight."""
    ids = [*attackers, *defenders, *(i for r in reserves for i in r.ships)]
    war = war or sea(ids)
    table = Deck(war, given=given, seed=seed)
    battle = Battle(zone=HERE, attacker=war.ships[attackers[0]].side, reserves=list(reserves))
    war.battles.append(battle)
    both = [[war.ships[i] for i in side] for side in (attackers, defenders)]
    place(table, war, battle, *both)
    run(fight.fight(table, war, battle, Answers(table)))
    return war, battle, table


def mailed(war: War, battle: Battle, side: Side) -> dict[str, Question]:
    """The questions of a round that may go by mail."""
    asked = plans.questions(war, battle, side)
    return {key: q for key, q in asked.items() if q.source == "any"}


def place(
    table: Deck, war: War, battle: Battle, attackers: Sequence[Ship], defenders: Sequence[Ship]
) -> None:
    """The set-up alone."""
    run(setup.begin(table, war, battle, (attackers, defenders), Answers(table)))


def fates(battle: Battle) -> dict[str, str]:
    return {v.ship: v.fate for v in battle.vessels}


# 9.32, 9.92 Endings


@pytest.mark.parametrize("seed", range(6))
def test_9_32_an_action_ends_when_one_side_has_no_ship_in_it(seed: int) -> None:
    war, battle, _ = action(["HOOD", "PRINCE OF WALES"], ["BISMARCK", "PRINZ EUGEN"], seed=seed)
    assert battle.over
    left = {war.ships[v.ship].side for v in battle.vessels if v.fate == "broke off"}
    ends = ("both sides broke off", "nobody fired for 3 rounds", "the Bismarck is sunk")
    assert len(left) < 2 or battle.over in ends
    for vessel in battle.vessels:
        assert (vessel.fate == "sunk") == war.ships[vessel.ship].sunk


def test_9_92_both_may_break_off_and_one_alone_may_not() -> None:
    about = f"the battle in {HERE}"
    stay = {("Handle", "Hood"): "B", ("Handle", "Bismarck"): "B"}
    _, battle, _ = action(["HOOD"], ["BISMARCK"], {**stay, ("Agree", about): "YES"})
    assert (battle.round, battle.over) == (1, "both sides broke off")
    assert set(fates(battle).values()) == {"broke off"}
    sides = {s: "YES" if s == BRITISH else "NO" for s in (BRITISH, GERMAN)}

    class Half(Deck):
        def _answer(self, side, question):  # type: ignore[no-untyped-def]
            return sides[side] if isinstance(question, asks.Agree) else question.default

    war = sea(["NORFOLK", "PRINZ EUGEN"])
    half = Half(war)
    battle = Battle(zone=HERE, attacker=BRITISH)
    place(half, war, battle, [war.ships["NORFOLK"]], [war.ships["PRINZ EUGEN"]])
    run(fight.fight(half, war, battle, Answers(half)))
    assert battle.round > 1


def test_a_fight_in_which_nobody_fires_ends() -> None:
    away = {("Handle", n): "OPEN" for n in ("Hood", "Bismarck")}
    agree = {("Agree", f"the battle in {HERE}"): "NO"}
    war = sea(["HOOD", "BISMARCK"])
    for ship in (war.ships["HOOD"], war.ships["BISMARCK"]):
        ship.hits = Hits(bow=7, stern=7, port=3, starboard=3)
    _, battle, table = action(["HOOD"], ["BISMARCK"], {**away, **agree}, war=war)
    assert not table.heard(ev.Fired)
    assert battle.over == "nobody fired for 3 rounds"


# 9.31-9.5 A round


def test_9_24_9_28_both_sides_read_the_names_and_the_contact_gets_one() -> None:
    war, _, table = action(["HOOD"], ["BISMARCK", "PRINZ EUGEN"])
    (british,) = table.heard(ev.BattleJoined, BRITISH)
    assert (british.own, british.enemies) == (("Hood",), ("Bismarck", "Prinz Eugen"))
    assert {c.name for c in war.known[BRITISH].contacts.values()} == {"Bismarck", "Prinz Eugen"}
    assert {c.name for c in war.known[GERMAN].contacts.values()} <= {"Hood"}


def test_9_62_attackers_fire_before_defenders() -> None:
    _, _, table = action(["HOOD"], ["BISMARCK"], {("Agree", f"the battle in {HERE}"): "YES"})
    assert [e.who for e in table.heard(ev.Fired, BRITISH)] == ["Hood", "Bismarck"]


def test_9_713_a_ship_sunk_in_the_round_still_fires() -> None:
    war = sea(["HOOD", "BISMARCK"])
    war.ships["HOOD"].hits = Hits(midships=5)
    table = Deck(war, {f"BATTLE/FIRE/{HERE}/BISMARCK": [(1, 1) * 7]})
    battle = Battle(zone=HERE, attacker=GERMAN)
    place(table, war, battle, [war.ships["BISMARCK"]], [war.ships["HOOD"]])
    bismarck, hood = battle.vessels
    bismarck.at, hood.at, hood.facing = Hex(5, 0), CENTRE, Facing(2)
    bismarck.facing = Facing(2)
    fire.phase(table, war, battle, {BRITISH: {}, GERMAN: {}})
    fired = table.heard(ev.Fired, BRITISH)
    assert [(e.who, e.shots) for e in fired] == [("Bismarck", 7), ("Hood", 5)]
    assert fired[0].results == ("1 midships",)  # 9.62: the other salvos are lost
    assert war.ships["HOOD"].sunk


def test_9_66_a_ships_fire_is_one_roll_seen_by_both() -> None:
    _, _, table = action(["HOOD"], ["BISMARCK"], {("Agree", f"the battle in {HERE}"): "YES"})
    fired = [(label, to) for label, _, to in table.dice if "/FIRE/" in label]
    assert fired == [
        (f"BATTLE/FIRE/{HERE}/HOOD", (BRITISH, GERMAN)),
        (f"BATTLE/FIRE/{HERE}/BISMARCK", (BRITISH, GERMAN)),
    ]


def test_11_12_by_night_nobody_fires_beyond_a_range() -> None:
    for seed in range(5):
        war = sea(["HOOD", "BISMARCK"])
        war.turn = 13
        _, _, table = action(["HOOD"], ["BISMARCK"], seed=seed, war=war)
        assert all(e.hexes <= 3 for e in table.heard(ev.Fired, BRITISH))


def test_9_71_damage_is_told_to_both_and_remembered() -> None:
    war, _, table = action(["HOOD", "PRINCE OF WALES"], ["BISMARCK", "PRINZ EUGEN"], seed=3)
    assert {to for to, e in table.told if isinstance(e, ev.ShipHit)} == {(BRITISH, GERMAN)}
    for side in (BRITISH, GERMAN):
        for name, seen in war.known[side].damage.items():
            true = war.ships[name.upper()].hits
            assert (seen.bow, seen.stern, seen.midships) == (true.bow, true.stern, true.midships)
            assert seen.permanent == true.permanent
            assert seen.temporary == 0  # the owner's secret


def test_9_727_a_report_shows_own_damage_exactly_and_the_enemys_as_seen() -> None:
    war = sea(["HOOD", "BISMARCK"])
    war.ships["HOOD"].hits = Hits(bow=2, midships=1, temporary=0)
    seen = ev.ShipHit(
        rule="9.711", who="Hood", side=BRITISH, zone=HERE, bow=2, midships=1, evasion=3
    )
    Deck(war).tell([GERMAN], seen)
    ((own,), (enemy,)) = view.own_damage(war, BRITISH), view.seen_damage(war, GERMAN)
    assert (own.name, own.text) == ("Hood", "bow 2 of 5, midships 1 of 6; evasion 29 of 29")
    assert enemy.name == "enemy Hood"
    assert enemy.text == "bow 2, midships 1, evasion -3 for good seen hit"
    assert view.own_damage(war, GERMAN) == []


@pytest.mark.parametrize(
    ("with_", "zones"), [(["RODNEY"], 1), (["NORFOLK"], 0), (["NORFOLK", "KENYA"], 1), ([], 0)]
)
def test_9_729_a_tow_goes_at_emergency_speed(with_: list[str], zones: int) -> None:
    from games.bismarck import movement

    force = {"TF1": ["HOOD", *with_]} if with_ else {}
    war = sea(["HOOD", *with_], force)
    war.ships["HOOD"].hits.permanent = 25
    ships = [war.ships[i] for i in ("HOOD", *with_)]
    engines = [taskforce.engine(war, s) for s in ships]
    assert movement.allowance(engines, 10) == zones  # a C turn
    assert movement.allowance(engines, 11) == 0


def test_9_728_repair_is_rolled_for_its_owner_alone_and_not_after_two_zones() -> None:
    war = sea(["HOOD", "NORFOLK", "BISMARCK"])
    for name in ("HOOD", "NORFOLK"):
        war.ships[name].hits = Hits(midships=1, temporary=2)
    war.ships["NORFOLK"].path = (HERE, HERE)
    table = Deck(war, {f"REPAIR/EVASION/{HERE}/HOOD": [(3,)]})
    repair.phase(table, war)
    assert table.dice == [(f"REPAIR/EVASION/{HERE}/HOOD", (3,), (BRITISH,))]
    (told,) = table.heard(ev.Repaired, BRITISH)
    assert (told.who, told.regained, told.evasion) == ("Hood", 2, 29)
    assert not table.heard(ev.Repaired, GERMAN)


# 9.9 Withdrawal


def pursuit() -> tuple[War, Battle, Deck]:
    """The Norfolk withdraws from a Bismarck whose guns are out."""
    war = sea(["NORFOLK", "BISMARCK"])
    war.ships["BISMARCK"].hits = Hits(bow=7, stern=7, port=3, starboard=3)
    given = {
        ("Handle", "Norfolk"): "WITHDRAW",
        ("Handle", "Bismarck"): "CLOSE",
        ("Agree", f"the battle in {HERE}"): "NO",
    }
    return action(["BISMARCK"], ["NORFOLK"], given, war=war)


def test_9_97_a_faster_ship_gets_away() -> None:
    _, battle, table = pursuit()
    assert fates(battle)["NORFOLK"] == "withdrew"
    assert table.heard(ev.ShipWithdrew, GERMAN)[0].who == "Norfolk"
    assert battle.over == "no British ship is left in the action"


def test_9_93_a_slower_ship_is_not_offered_it() -> None:
    _, _, table = action(["HOOD"], ["BISMARCK"], {("Agree", f"the battle in {HERE}"): "YES"})
    handled = [q for _, q in table.asked if isinstance(q, asks.Handle)]
    assert all("WITHDRAW" not in q.choices for q in handled)  # 29 against 29


def test_9_99_a_ship_that_withdraws_is_not_asked_again() -> None:
    war = sea(["NORFOLK", "BISMARCK"])
    battle = Battle(zone=HERE, attacker=GERMAN)
    battle.vessels = [Vessel("BISMARCK", GERMAN, True, Hex(6, 0)), Vessel("NORFOLK", BRITISH)]
    asked = [*mailed(war, battle, BRITISH)]
    assert asked == ["HANDLE NORFOLK", "AGREE"]
    battle.vessels[1].withdrawing = True
    assert [*mailed(war, battle, BRITISH)] == ["AGREE"]


def test_9_62_whom_to_fire_at_is_asked_where_there_are_two() -> None:
    war = sea(["NORFOLK", "BISMARCK", "PRINZ EUGEN"])
    battle = Battle(zone=HERE, attacker=GERMAN)
    battle.vessels = [
        Vessel("BISMARCK", GERMAN, True, Hex(6, 0)),
        Vessel("PRINZ EUGEN", GERMAN, True, Hex(6, -1)),
        Vessel("NORFOLK", BRITISH),
    ]
    (fire,) = [q for key, q in mailed(war, battle, BRITISH).items() if key == "FIRE NORFOLK"]
    assert {"BISMARCK", "PRINZ EUGEN"} <= set(fire.choices)
    assert "FIRE BISMARCK" not in mailed(war, battle, GERMAN)


def test_9_94_a_withdrawing_ship_that_is_slowed_loses_its_counter() -> None:
    war = sea(["NORFOLK", "BISMARCK"])
    table = Deck(war)
    battle = Battle(zone=HERE, attacker=GERMAN)
    place(table, war, battle, [war.ships["BISMARCK"]], [war.ships["NORFOLK"]])
    norfolk = next(v for v in battle.vessels if v.ship == "NORFOLK")
    norfolk.withdrawing = True
    war.ships["NORFOLK"].hits.temporary = 5
    before = norfolk.at
    ending.move_away(table, war, battle)
    assert (norfolk.withdrawing, norfolk.at) == (False, before)


def test_9_95_a_withdrawing_ship_moves_on_and_9_97_may_be_away() -> None:
    war = sea(["NORFOLK", "BISMARCK"])
    table = Deck(war)
    battle = Battle(zone=HERE, attacker=GERMAN)
    place(table, war, battle, [war.ships["BISMARCK"]], [war.ships["NORFOLK"]])
    bismarck, norfolk = battle.vessels
    bismarck.at, norfolk.at, norfolk.facing = Hex(-6, 0), CENTRE, Facing(0)
    norfolk.withdrawing = True
    ending.move_away(table, war, battle)
    assert norfolk.at == Hex(1, 0)
    assert norfolk.fate == "withdrew"


# 9.4, 9.272 Reinforcements


COME = {BRITISH: {"ENTER NORFOLK": "YES"}, GERMAN: {}}


@pytest.mark.parametrize(
    ("rolls", "enters"), [([1], 3), ([2, 2], 4), ([6, 6, 3], 5), ([2, 3, 4, 4], 6)]
)
def test_9_41_attempts_begin_after_the_third_round(rolls: list[int], enters: int) -> None:
    war = sea(["HOOD", "NORFOLK", "BISMARCK"])
    for name in ("HOOD", "BISMARCK"):
        war.ships[name].hits = Hits(bow=7, stern=7, port=3, starboard=3)
    war.house = {"combat.toml": _patient()}
    given = {
        ("Agree", f"the battle in {HERE}"): "NO",
        ("Handle", "Hood"): "B",
        ("Handle", "Bismarck"): "B",
    }
    table = Deck(war, {f"BATTLE/REINFORCE/{HERE}/BRITISH": [(r,) for r in rolls]}, given)
    battle = Battle(
        zone=HERE, attacker=BRITISH, reserves=[Reserve("NORFOLK", BRITISH, ["NORFOLK"])]
    )
    place(table, war, battle, [war.ships["HOOD"]], [war.ships["BISMARCK"]])
    for number in range(1, enters + 1):
        battle.round = number
        reinforce.phase(table, war, battle, COME)
    assert [v.ship for v in battle.vessels] == ["HOOD", "BISMARCK", "NORFOLK"]
    assert table.labels.count(f"BATTLE/REINFORCE/{HERE}/BRITISH") == len(rolls)
    entered = battle.vessels[-1]
    assert distance(entered.at, battle.vessels[1].at) >= reinforce.CLEAR
    assert entered.attacker
    assert table.heard(ev.Reinforced, GERMAN)[0].who == ("Norfolk",)
    assert [e.enemies for e in table.heard(ev.Recognised)] == [("Norfolk",)]
    assert table.heard(ev.Recognised, GERMAN)


def _patient() -> str:
    from pbem.data import read

    text = read("games.bismarck.data", "combat.toml").decode()
    return text.replace("silent = 3", "silent = 90")


def test_9_272_ships_that_avoided_the_battle_enter_without_a_roll() -> None:
    war = sea(["HOOD", "NORFOLK", "BISMARCK"])
    battle = Battle(zone=HERE, attacker=BRITISH)
    battle.reserves = [Reserve("NORFOLK", BRITISH, ["NORFOLK"], free=True)]
    table = Deck(war)
    place(table, war, battle, [war.ships["HOOD"]], [war.ships["BISMARCK"]])
    battle.round = 1
    reinforce.phase(table, war, battle, COME)
    assert [v.ship for v in battle.vessels][-1] == "NORFOLK"
    assert not any("/REINFORCE/" in label for label in table.labels)


def test_9_43_a_reserve_that_could_attack_nobody_is_not_asked() -> None:
    war = sea(["HOOD", "RODNEY", "BISMARCK"])
    battle = Battle(zone=HERE, attacker=BRITISH, round=5)
    battle.reserves = [Reserve("RODNEY", BRITISH, ["RODNEY"])]
    table = Deck(war)
    place(table, war, battle, [war.ships["HOOD"]], [war.ships["BISMARCK"]])
    assert not any(k.startswith("ENTER") for k in mailed(war, battle, BRITISH))


# 4.8 The phase


def test_a_battle_of_the_turn_is_fought_and_what_is_sunk_is_gone() -> None:
    for seed in range(30):
        war = sea(["HOOD", "NORFOLK", "BISMARCK"], {"TF1": ["HOOD", "NORFOLK"]})
        table = Deck(war, seed=seed)
        run(combat.phase(table, war))
        assert len(war.battles) == 1
        assert {r.id for r in war.battles[0].reserves} <= {"NORFOLK"}  # avoids by default
        if war.ships["HOOD"].sunk:
            assert war.forces[BRITISH] == {}
            assert war.ships["NORFOLK"].force == ""
            lost = next(s for s in war.scores if s.rule == "12.41")
            assert (lost.side, lost.points) == (GERMAN, 14)
            return
    raise AssertionError("the Hood was never sunk")


@pytest.mark.parametrize(
    ("ship", "points"),
    [
        ("VICTORIOUS", 24),
        ("ARK ROYAL", 20),
        ("KING GEORGE V", 16),
        ("PRINCE OF WALES", 16),
        ("HOOD", 14),
        ("RODNEY", 12),
        ("REPULSE", 10),
        ("RENOWN", 10),
        ("REVENGE", 8),
        ("RAMILLIES", 8),
        ("NORFOLK", 6),
        ("DORSETSHIRE", 6),
        ("KENYA", 4),
        ("AURORA", 4),
        ("BISMARCK", 30),
        ("PRINZ EUGEN", 10),
    ],
)
def test_12_31_12_41_points_for_a_ship_sunk(ship: str, points: int) -> None:
    war = sea([ship])
    table = Deck(war)
    war.ships[ship].sunk = True
    fire.sink(table, war, war.ships[ship], HERE)
    (score,) = war.scores
    gainer = BRITISH if war.ships[ship].side == GERMAN else GERMAN
    assert (score.side, score.points) == (gainer, points)
    assert score.rule == ("12.31" if gainer == BRITISH else "12.41")


def test_6_43_aircraft_aboard_go_down_with_their_carrier() -> None:
    war = sea(["ARK ROYAL"])
    war.ships["ARK ROYAL"].sunk = True
    aboard = [u for u in war.wing(BRITISH) if u.base == "ARK ROYAL"]
    aboard[0].zone = HERE
    taskforce.remove_sunk(war)
    assert [u.lost for u in aboard] == [False] + [True] * (len(aboard) - 1)


# Invariants


@settings(deadline=None, max_examples=few(12))
@given(
    st.integers(0, 10**6),
    st.lists(st.sampled_from(sorted(begin().ships)[:]), min_size=2, max_size=5, unique=True),
)
def test_whatever_the_dice_an_action_ends_and_nothing_impossible_happens(
    seed: int, ids: list[str]
) -> None:
    war = begin()
    sides = [[i for i in ids if war.ships[i].side == s] for s in (BRITISH, GERMAN)]
    sides[1] = sides[1] or ["BISMARCK"]
    sides[0] = [i for i in sides[0] if war.ships[i].type != "CV"] or ["HOOD"]
    war, battle, table = action(sides[0], sides[1], seed=seed)
    sunk: set[str] = set()
    for _, event in table.told:
        if isinstance(event, ev.ShipSunk):
            sunk.add(event.who)
        elif isinstance(event, ev.RoundBegun):
            assert not any(name in pair for name in sunk for pair in event.ranges)
        elif isinstance(event, ev.Fired):
            assert event.who not in sunk
            assert event.shots > 0
    for ship in (war.ships[v.ship] for v in battle.vessels):
        for box in ("bow", "stern", "port", "starboard", "midships"):
            assert 0 <= getattr(ship.hits, box) <= getattr(ship.sections, box)
    assert sum(s.points for s in war.scores) == sum(_price(war, name) for name in sunk)


def _price(war: War, name: str) -> int:
    from games.bismarck import victory

    prices = victory.numbers(war).sunk
    return int(prices.get(name) or prices[war.ships[name.upper()].type])


def test_vessels_know_their_enemies() -> None:
    battle = Battle(zone=HERE, attacker=BRITISH)
    battle.vessels = [Vessel("HOOD", BRITISH), Vessel("BISMARCK", GERMAN, fate="sunk")]
    assert battle.against(BRITISH) == []
    assert [v.ship for v in battle.fighting()] == ["HOOD"]


def test_9_41_entry_is_asked_with_the_round_and_never_alone() -> None:
    """A window of its own would tell the enemy of ships in reserve."""
    war = sea(["HOOD", "NORFOLK", "BISMARCK"])
    battle = Battle(zone=HERE, attacker=BRITISH, round=2)
    battle.reserves = [Reserve("NORFOLK", BRITISH, ["NORFOLK"])]
    battle.vessels = [Vessel("HOOD", BRITISH, True, Hex(6, 0)), Vessel("BISMARCK", GERMAN)]
    asked = mailed(war, battle, BRITISH)
    assert list(asked) == ["HANDLE HOOD", "ENTER NORFOLK", "AGREE"]


def test_a_side_that_located_ships_is_asked_of_attacks_even_without_own_ships() -> None:
    """Whether a question is put may not tell who is in the zone."""
    war = sea(["BISMARCK"])
    table = Deck(war)
    run(combat.encounter(table, war))
    asked = [(s, q.choices) for s, q in table.asked if isinstance(q, asks.AttackWith)]
    assert asked == [(BRITISH, ("NONE",))]


def test_9_32_no_orders_keep_an_action_going_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ruling 55: neither side breaks off, and nobody is sunk."""
    monkeypatch.setattr(ending, "MOST_ROUNDS", 2)
    given: Given = {("Agree", f"the battle in {HERE}"): "NO"}
    _, battle, table = action(["KING GEORGE V"], ["BISMARCK"], given)
    assert (battle.round, battle.over) == (2, "the four hours of the turn are over")
    assert {v.fate for v in battle.vessels} == {"broke off"}
    assert sum(isinstance(q, asks.Agree) for _, q in table.asked) == 2  # one window of three rounds
