"""9.2: who may attack whom, types, consent, who stays out; the rulebook's example."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from games.bismarck import asks, combat
from games.bismarck import events_battle as ev
from games.bismarck.answers import Answers
from games.bismarck.battle import determination
from games.bismarck.board import Zone
from games.bismarck.state import BRITISH, GERMAN, Ship, TaskForce, War
from games.bismarck.taskforce import Counter
from games.bismarck.vessels import Battle
from tests.bismarck.deck import Deck
from tests.bismarck.fake_table import begin
from tests.casetable import run

HERE = Zone("Q17")


def sea(ids: Sequence[str], forces: Mapping[str, Sequence[str]] | None = None) -> War:
    """Those ships alone, all in one zone by day, everything located by both sides."""
    war = begin()
    war.turn, war.level, war.fog = 10, 4, False
    for ship in war.ships.values():
        ship.zone, ship.hold = (HERE, "") if ship.id in ids else (Zone(""), "")
        if ship.zone:
            war.locate(GERMAN if ship.side == BRITISH else BRITISH, ship.id)
    for name, members in (forces or {}).items():
        side = war.ships[members[0]].side
        war.forces[side][name] = TaskForce(name, list(members))
        for id_ in members:
            war.ships[id_].force = name
    return war


def ships(war: War, *ids: str) -> list[Ship]:
    return [war.ships[i] for i in ids]


# 9.22 Who may attack


def test_9_221_carriers_never_attack() -> None:
    war = sea(["ARK ROYAL", "BISMARCK"])
    verdict = determination.may_attack(ships(war, "ARK ROYAL"), ships(war, "BISMARCK"))
    assert (verdict.may, verdict.rule) == ("no", "9.221")


@pytest.mark.parametrize(
    ("own", "lost", "may"),
    [("HOOD", 0, "yes"), ("RODNEY", 0, "asks"), ("RODNEY", 8, "yes"), ("REPULSE", 0, "asks")],
)
def test_9_222_equal_evasion_suffices_and_a_slower_ship_needs_consent(
    own: str, lost: int, may: str
) -> None:
    war = sea([own, "BISMARCK"])
    war.ships["BISMARCK"].hits.permanent = lost
    found = determination.may_attack(ships(war, own), ships(war, "BISMARCK"))
    assert found.may == may
    assert f"against {29 - lost}" in found.why


def test_9_222_a_force_attacks_by_its_fastest_and_defends_by_its_slowest_without_carriers() -> None:
    war = sea(["HOOD", "RODNEY", "VICTORIOUS", "NORFOLK"])
    force = ships(war, "HOOD", "RODNEY", "VICTORIOUS", "NORFOLK")
    assert determination.attack_evasion(force) == 32
    assert determination.defence_evasion(force) == 21
    war.ships["VICTORIOUS"].hits.permanent = 30
    assert determination.defence_evasion(force) == 21
    assert determination.defence_evasion(ships(war, "VICTORIOUS")) == 2


@pytest.mark.parametrize(
    ("ids", "kind"),
    [
        (["VICTORIOUS", "NORFOLK", "HOOD"], "BB"),
        (["VICTORIOUS", "NORFOLK"], "CA"),
        (["VICTORIOUS"], "CV"),
        (["KENYA"], "CA"),
    ],
)
def test_9_241_a_force_is_called_by_its_strongest(ids: list[str], kind: str) -> None:
    assert determination.kind(ships(sea(ids), *ids)) == kind


# 9.27 Who may stay out


def test_9_271_a_carrier_stays_out_while_another_ship_fights() -> None:
    war = sea(["ARK ROYAL", "RENOWN", "BISMARCK"])
    group, enemies = ships(war, "ARK ROYAL", "RENOWN"), ships(war, "BISMARCK")
    out = determination.stay_out(group, enemies, {"ARK ROYAL", "RENOWN"})
    assert [s.id for s in out] == ["ARK ROYAL"]
    assert determination.may_avoid(ships(war, "ARK ROYAL"), enemies) == []


def test_9_272_faster_ships_may_go_while_one_as_fast_as_the_enemy_stays() -> None:
    war = sea(["HOOD", "NORFOLK", "KENYA", "BISMARCK"])
    group, enemies = ships(war, "HOOD", "NORFOLK", "KENYA"), ships(war, "BISMARCK")
    wish = {"HOOD", "NORFOLK", "KENYA"}
    assert [s.id for s in determination.may_avoid(group, enemies)] == ["NORFOLK", "KENYA"]
    assert {s.id for s in determination.stay_out(group, enemies, wish)} == {"NORFOLK", "KENYA"}


def test_9_272_somebody_fast_enough_has_to_stay() -> None:
    war = sea(["RODNEY", "NORFOLK", "KENYA", "BISMARCK"])
    group, enemies = ships(war, "RODNEY", "NORFOLK", "KENYA"), ships(war, "BISMARCK")
    out = determination.stay_out(group, enemies, {"NORFOLK", "KENYA"})
    assert [s.id for s in out] == ["NORFOLK"]  # Kenya has to stay: Rodney is too slow


# 4.8, the example of 9.27


EXAMPLE = ["SUFFOLK", "HOOD", "REPULSE", "NORFOLK", "KENYA", "VICTORIOUS", "KING GEORGE V"]
HOME = {"TF1": ["HOOD", "REPULSE", "NORFOLK", "KENYA", "VICTORIOUS"]}


def example() -> War:
    """The rulebook's position; Repulse made as fast as it says she is."""
    war = sea([*EXAMPLE, "BISMARCK", "PRINZ EUGEN"], HOME)
    war.located[BRITISH] = ["BISMARCK"]  # shadowed; the Prinz Eugen is not found
    war.shadowing = {"SUFFOLK": ["BISMARCK"]}
    return war


def attacks(table: Deck) -> list[tuple[str, str, str]]:
    return [(e.side, e.attacker, e.defender) for e in table.heard(ev.AttackDeclared, BRITISH)]


def test_the_example_the_british_draw_one_of_two_battleship_groups() -> None:
    war = example()
    given = {("AttackWith", HERE): "BB WITH BB"}
    table = Deck(war, {f"BATTLE/WITH/{HERE}/BRITISH": [(1,)]}, given)
    actions: list[combat.Action] = []
    run(combat._announce(table, war, BRITISH, HERE, actions, Answers(table)))
    ((action,), question) = actions, table.found[0][1]
    assert question.choices == ("BB WITH BB", "BB WITH CA", "NONE")
    assert action.attacker.id == "KING GEORGE V"  # the other is TF1
    assert action.defender.id == "BISMARCK"
    assert [a[1:] for a in attacks(table)] == [("BB", "BB")]
    assert table.dice == [(f"BATTLE/WITH/{HERE}/BRITISH", (1,), (BRITISH,))]


def test_the_example_goes_on_with_the_prinz_eugen_and_the_only_cruiser() -> None:
    war = example()
    actions: list[combat.Action] = []
    british = Deck(
        war, {f"BATTLE/WITH/{HERE}/BRITISH": [(1,)]}, {("AttackWith", HERE): "BB WITH BB"}
    )
    run(combat._announce(british, war, BRITISH, HERE, actions, Answers(british)))
    german = Deck(war, given={("AttackWith", HERE): "CA WITH CA"})
    run(combat._announce(german, war, GERMAN, HERE, actions, Answers(german)))
    assert german.found[0][1].choices == ("BB WITH CA", "CA WITH CA", "NONE")
    assert [(a.attacker.id, a.defender.id) for a in actions] == [
        ("KING GEORGE V", "BISMARCK"),
        ("PRINZ EUGEN", "SUFFOLK"),
    ]
    assert [b.id for b in combat.groups(war, BRITISH, HERE, actions)] == ["TF1"]  # a reserve


def test_9_224_a_shadow_attacks_nothing_but_what_it_shadows() -> None:
    war = sea(["SUFFOLK", "BISMARCK", "PRINZ EUGEN"])
    war.shadowing = {"SUFFOLK": ["BISMARCK"]}
    able = combat.pairs(war, BRITISH, HERE, [])
    assert [p.enemy.id for p in able] == ["BISMARCK"]


def test_9_23_only_what_was_located_this_turn() -> None:
    war = sea(["HOOD", "BISMARCK"])
    war.located[BRITISH] = []
    assert combat.zones(war, BRITISH) == []
    assert combat.zones(war, GERMAN) == [HERE]


def test_7_33_nobody_fights_in_fog() -> None:
    war = sea(["HOOD", "BISMARCK"])
    for ship in war.fleet(BRITISH) + war.fleet(GERMAN):
        ship.zone = Zone("B9")
    assert combat.zones(war, BRITISH) == ["B9"]
    war.fog = True
    assert combat.zones(war, BRITISH) == []


def test_visibility_x_bars_combat() -> None:
    war = sea(["HOOD", "BISMARCK"])
    war.level = 9
    table = Deck(war)
    run(combat.phase(table, war))
    assert table.asked == []


@pytest.mark.parametrize(("word", "fought"), [("YES", True), ("NO", False)])
def test_9_222_a_faster_enemy_is_asked(word: str, fought: bool) -> None:
    war = sea(["RODNEY", "BISMARCK"])
    given = {("AttackWith", HERE): "BB WITH BB", ("AcceptFrom", "Bismarck"): word}
    table = Deck(war, given=given)
    actions: list[combat.Action] = []
    run(combat._announce(table, war, BRITISH, HERE, actions, Answers(table)))
    assert bool(actions) is fought
    (declared,) = table.heard(ev.AttackDeclared, GERMAN)
    assert declared.accepted is fought
    assert declared.why == "evasion 21 against 29: only if the enemy accepts"


@pytest.mark.parametrize(
    ("side", "word", "worth"),
    [
        (BRITISH, "BB WITH BB", True),
        (BRITISH, "BB WITH CA", False),
        (GERMAN, "BB WITH BB", False),
        (GERMAN, "CA WITH BB", True),
    ],
)
def test_what_a_silent_side_attacks(side: str, word: str, worth: bool) -> None:
    assert combat._worthwhile(BRITISH if side == BRITISH else GERMAN, word) is worth


def test_9_33_9_223_a_group_fights_once() -> None:
    war = sea(["HOOD", "BISMARCK", "PRINZ EUGEN"])
    given = {("AttackWith", HERE): "BB WITH BB"}
    table = Deck(war, given=given)
    actions: list[combat.Action] = []
    run(combat._announce(table, war, BRITISH, HERE, actions, Answers(table)))
    assert [(a.attacker.id, a.defender.id) for a in actions] == [("HOOD", "BISMARCK")]


def test_9_45_a_reserve_is_written_down_for_one_of_two_actions() -> None:
    war = example()
    war.locate(BRITISH, "PRINZ EUGEN")
    table = Deck(
        war,
        {f"BATTLE/WITH/{HERE}/BRITISH": [(1,), (1,)]},
        {("AttackWith", HERE): "BB WITH BB", ("Assign", "TF1"): "2"},
    )
    actions = [
        combat.Action(HERE, BRITISH, *_groups(war, "KING GEORGE V", "BISMARCK")),
        combat.Action(HERE, GERMAN, *_groups(war, "PRINZ EUGEN", "SUFFOLK")),
    ]
    battles = [Battle(zone=HERE, attacker=a.side, number=n) for n, a in enumerate(actions, 1)]
    run(combat._reserves(table, war, HERE, actions, battles))
    assert [[r.id for r in b.reserves] for b in battles] == [[], ["TF1"]]
    assert isinstance(table.found[0][1], asks.Assign)


def _groups(war: War, *ids: str) -> list[Counter]:
    every = [*combat.groups(war, BRITISH, HERE, []), *combat.groups(war, GERMAN, HERE, [])]
    return [next(c for c in every if c.id == i) for i in ids]
