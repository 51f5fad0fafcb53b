"""AC: who takes part, where, and from when."""

from __future__ import annotations

from collections import Counter

import pytest

from games.far_seas import courses, movement, setup
from games.far_seas.board import AREAS, ATLANTIC, BRITISH, GERMAN, PACIFIC
from games.far_seas.game import SYSTEM
from games.far_seas.state import GRADES
from games.far_seas.tables import scenario
from orders.vocabulary import alike
from pbem.admin.setup import options_of
from pbem.bots.bot_orders import Match
from pbem.data import table

COUNTS = table("games.far_seas.data", "ships.toml")["counts"]
SCENARIOS = [s.name for s in SYSTEM.scenarios]
CONVOY = (
    "TRIUMPH SWIFTSURE CANOPUS GLORY ALBION GOLIATH HIZEN EUROPA AMPHITRITE ARGONAUT "
    "HIGHFLYER HYACINTH ASTRAEA FOX ENCOUNTER RAINBOW DESCARTES IBUKI KURAMA TSUKUBA IKOMA "
    "NISSHIN TOKIWA YAKUMO IWATE ASAMA IZUMO"
)


def test_the_lists_of_allied_ships_have_their_counts() -> None:
    """AC: 17 in the Atlantic, 23 in the Pacific, 9, 6, 0, 14, 5."""
    found = Counter(row.station for row in setup.rows() if row.side == BRITISH)
    wanted = {k: v for k, v in COUNTS.items() if k not in ("source", "confidence")}
    assert {k: found[k] for k in wanted} == wanted
    assert wanted == {
        "atlantic": 17,
        "pacific": 23,
        "england": 9,
        "mediterranean": 6,
        "atlantic_reinforcement": 0,
        "reinforcement": 14,
        "other": 5,
    }


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_report_counts_the_turns_of_its_scenario(name: str) -> None:
    match = Match(SYSTEM, name, options_of(SYSTEM, {}), "x")
    report = match.report(GERMAN)
    assert report.plain["turns"] == report.plain["board"]["last"] == match.drive.state.last


def test_each_list_begins_where_it_says() -> None:
    oceans = {
        "atlantic": ATLANTIC,
        "pacific": PACIFIC,
        "england": {"ENG"},
        "mediterranean": {"MED"},
    }
    for row in setup.rows():
        if row.station in oceans:
            assert row.start in oceans[row.station], row.name


def test_names_are_printed_with_accents_and_fold_apart() -> None:
    names = [row.name for row in setup.rows()]
    assert {"Königsberg", "Nürnberg", "Condé", "Kaiser Wilhelm der Große"} <= set(names)
    assert not alike(names)
    assert "KAISER WILHELM DER GROSSE" in {row.id for row in setup.rows()}


def test_optional_ships_come_by_option_alone() -> None:
    german = {
        o: [s.id for s in setup.begin("war", {"optional": o}).ships.values() if s.side == GERMAN]
        for o in ("none", "liners", "all")
    }
    assert [len(german[o]) for o in ("none", "liners", "all")] == [13, 15, 17]
    assert "GEIER" in german["liners"] and "GOEBEN" not in german["liners"]


def test_ships_that_may_cover_merchants() -> None:
    """M6, with the option that counts all Allies."""
    war = setup.begin("war", {})
    able = [
        s.id
        for s in war.ships.values()
        if s.side == BRITISH and not courses.convoyable(movement.mover_of(s), {"convoy": "allied"})
    ]
    liners = {s.id for s in war.ships.values() if s.type == "AMC"}
    assert sorted(set(able) - liners) == sorted(CONVOY.split())


def test_all_but_battleships_make_torpedo_attacks_or_by_option_no_liners_either() -> None:
    """K6."""
    for tubes, without in (("all", {"BB"}), ("warships", {"BB", "AMC"})):
        for ship in setup.begin("war", {"tubes": tubes}).ships.values():
            assert ship.tubes == (ship.type not in without), ship.id


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_scenario_begins_soundly(name: str) -> None:
    war = setup.begin(name, {o.name: o.values[0] for o in SYSTEM.options})
    SYSTEM.audit(war)
    table = scenario(name)
    assert war.turn == table.first <= table.last <= SYSTEM.turns
    assert list(war.levels) == sorted(war.levels, reverse=True)
    assert war.fleet(GERMAN) and war.fleet(BRITISH)
    listed = [line for line in table.ships.splitlines() if line.strip()]
    assert not listed or len(listed) == len(war.ships), "a name of the list is no ship's"
    for ship in war.ships.values():
        assert ship.start in AREAS and 0 <= ship.speed < len(GRADES)
        assert not war.areas or ship.start in war.areas
    assert set(war.known.ships) == {s.id for s in war.fleet(GERMAN)}


def test_a_turn_is_half_a_month() -> None:
    from games.far_seas.calendar import label

    assert label(1) == "1-15 Aug 1914" and label(4) == "16-30 Sep 1914"
    turns = table("games.far_seas.data", "rules.toml")["calendar"]["turns"]
    assert label(turns) == "16-31 Dec 1914"
    assert max(setup.begin(name, {}).last for name in SCENARIOS) == turns


def test_tables_of_the_moderator_are_refused() -> None:
    with pytest.raises(ValueError, match=r"ships\.toml"):
        SYSTEM.begin("war", {}, {"ships.toml": ""})


def test_the_cruisers_and_battle_cruisers_have_tubes() -> None:
    """Liners and the Geier had none (ruling 32)."""
    without = {row.name for row in setup.rows() if not row.tubes}
    assert without == {r.name for r in setup.rows() if r.type in ("BB", "AMC")} | {"Geier"}


def test_a_ship_that_a_ruling_brought_in_early_stays_where_it_is() -> None:
    war = setup.begin("war", {})
    war.turn, war.ships["PRINCESS ROYAL"].area = 8, "16"
    assert setup.enter(war) == []
    assert war.ships["PRINCESS ROYAL"].area == "16"


def test_a_squadron_is_the_same_for_each_of_its_ships() -> None:
    war = setup.begin("war", {})
    war.ships["GNEISENAU"].leader = "SCHARNHORST"
    names = ["SCHARNHORST", "GNEISENAU"]
    assert [s.id for s in war.group("GNEISENAU")] == names
    assert [s.id for s in war.group("SCHARNHORST")] == names


@pytest.mark.parametrize("name", ["war", "coronel"])
def test_squadrons_of_history_begin_as_one(name: str) -> None:
    war = setup.begin(name, options_of(SYSTEM, {}))
    led = {s.id: s.leader for s in war.ships.values() if s.leader}
    ours = {"MONMOUTH": "GOOD HOPE", "ASAMA": "IZUMO"} if name == "coronel" else {}
    assert led == {"GNEISENAU": "SCHARNHORST", **ours}


def test_a_squadron_of_the_table_begins_in_one_area() -> None:
    war = setup.begin("war", options_of(SYSTEM, {}))
    with pytest.raises(ValueError, match="Emden does not begin where Leipzig does"):
        setup._together(war, "Leipzig, Emden")
    for late in ("LEIPZIG", "EMDEN"):
        war.ships[late].area = ""
    with pytest.raises(ValueError, match="Emden does not begin where Leipzig does"):
        setup._together(war, "Leipzig, Emden")
