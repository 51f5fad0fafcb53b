"""What the Allies remember of each event, field by field, and how both sides' reports show it."""

from __future__ import annotations

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from games.far_seas import calendar, setup
from games.far_seas import events as ev
from games.far_seas import events_battle as eb
from games.far_seas.board import AREAS, BRITISH, GERMAN, SEA, SIDES
from games.far_seas.knowledge import Sighting, learn
from games.far_seas.state import War
from games.far_seas.view import allies, facts, germans, news, notes, ocean, ship_view, view
from pbem.model import Event
from tests.far_seas.casebook import OPTIONS


@pytest.fixture
def war() -> War:
    begun = setup.begin("war", OPTIONS)
    begun.turn, begun.segment = 3, 2
    return begun


def hear(war: War, *events: Event) -> Sighting:
    """The Allies are told; what they know of the Emden."""
    for event in events:
        learn(war.known, war.turn, event)
    return war.known.ships["EMDEN"]


def test_a_find_places_a_german_and_counts_her_moves_anew(war: War) -> None:
    hear(war, ev.MoversNamed(rule="M4", who=("EMDEN", "LEIPZIG")))
    seen = hear(war, ev.Found(rule="S8", area="29", germans=("EMDEN",), by=("FOX",)))
    assert (seen.area, seen.turn, seen.source) == ("29", 3, "Found")
    assert (seen.moves, seen.named) == (0, 3)
    assert war.known.ships["LEIPZIG"].moves == 1
    assert seen.trail == (("25", 1),)


def test_naming_and_escaping_are_moves(war: War) -> None:
    named = ev.MoversNamed(rule="M4", who=("EMDEN",))
    assert hear(war, named).moves == 1
    gone = eb.Escaped(rule="R9", area="25", side=GERMAN, who=("Emden",), to="")
    assert hear(war, named, gone).moves == 3
    gone = eb.Escaped(rule="R9", area="25", side=BRITISH, who=("Fox",), to="24")
    assert hear(war, gone).moves == 3


def test_damage_that_was_seen_stays_known_when_she_is_seen_again(war: War) -> None:
    hurt = eb.Damaged(rule="K2", who="Emden", area="25", side=GERMAN, damage=2, capacity=4, hurt=2)
    assert hear(war, hurt).damage == 2
    assert hear(war, ev.Found(rule="S8", area="29", germans=("EMDEN",), by=("FOX",))).damage == 2
    mended = eb.Mended(rule="K8", who="Emden", side=GERMAN, damage=1, capacity=4)
    assert hear(war, mended).damage == 1
    (emden,) = [c for c in germans(war) if c.id == "EMDEN"]
    assert (emden.place, emden.damage, emden.source, emden.age) == ("29", 1, "Found", 0)


def test_the_canal_is_known_of_the_turn_in_which_it_was_declared(war: War) -> None:
    assert war.known.canal == 0
    hear(war, ev.MoversNamed(rule="M4", who=("LEIPZIG",), canal=("LEIPZIG",)))
    assert war.known.canal == 3
    war.turn = 4
    hear(war, ev.MoversNamed(rule="M4", who=("EMDEN",)))
    assert war.known.canal == 3


def test_who_is_gone_is_forgotten(war: War) -> None:
    sunk = eb.ShipSunk(rule="K2", area="7", who="DRESDEN", name="Dresden", side=GERMAN, points=3)
    hear(war, sunk, ev.HomeMissed(rule="G9", who="KARLSRUHE", points=4))
    hear(war, ev.LinerInterned(rule="found b", area="25", who="CORMORAN", points=0))
    hear(war, ev.HomeReached(rule="G9", who=("LEIPZIG", "NURNBERG"), points=6))
    gone = {"DRESDEN", "KARLSRUHE", "CORMORAN", "LEIPZIG", "NURNBERG"}
    assert not gone & set(war.known.ships)
    assert "EMDEN" in war.known.ships


def test_missing_merchants_are_shown_with_their_age(war: War) -> None:
    hear(war, ev.MerchantsTaken(rule="E1", area="29", count=3))
    war.turn = 5
    (missed,) = ocean(war, BRITISH).missing
    assert (missed.area, missed.count, missed.age) == ("29", 3, 2)


def test_a_german_has_moved_who_was_named_this_turn(war: War) -> None:
    hear(war, ev.MoversNamed(rule="M4", who=("EMDEN",)))
    assert {c.id for c in germans(war) if c.moved} == {"EMDEN"}
    waiting = str(len(war.known.ships) - 1)
    assert [(f.name, f.value) for f in facts(war)] == [
        ("Segment", "2"),
        ("Germans not named this turn", waiting),
    ]
    war.segment = 1
    assert [f.name for f in facts(war)] == ["Segment"]


def test_the_combats_surprise_and_speed_of_a_german_are_known_as_they_were_seen(war: War) -> None:
    """K3, K10, S11: by both sides, and of the fields of a ship by nobody."""

    def shown() -> tuple[object, object, object]:
        (emden,) = (c for c in germans(war) if c.id == "EMDEN")
        return emden.surprised, emden.fought, emden.slowed

    war.ships["EMDEN"].surprised, war.ships["EMDEN"].fought = True, 3
    war.ships["EMDEN"].damage = 2
    assert shown() == (UNSET, UNSET, UNSET)
    round_ = eb.RoundBegun(
        rule="K1", area="29", round=1, reach="A", close=False, german=("Emden",), allied=("Fox",)
    )
    hear(war, ev.Surprised(rule="S12", area="29", germans=("EMDEN",), allies=("FOX",)))
    hear(war, round_, replace(round_, round=2))
    hurt = eb.Damaged(rule="K2", area="29", who="Emden", side=GERMAN, hurt=2, damage=2, capacity=4)
    hear(war, hurt)
    assert shown() == (True, 1, "3+")
    hear(war, ev.Found(rule="S8", area="29", germans=("EMDEN",), by=("FOX",)))
    assert shown() == (True, 1, "3+"), "met again, it is still what it was"


def test_own_ships_show_them_too(war: War) -> None:
    emden, fox = war.ships["EMDEN"], war.ships["FOX"]
    emden.fought, emden.damage, fox.fought, fox.damage = 2, 2, 2, 2
    row = ship_view(war, emden)
    assert (row.fought, row.slowed, row.speed) == (2, "3+", "4+")
    assert (ship_view(war, fox).fought, ship_view(war, fox).slowed) == (UNSET, UNSET)


def test_notes_say_what_an_own_ship_does(war: War) -> None:
    fox = war.ships["FOX"]
    assert list(notes(fox)) == []
    fox.duty, fox.post, fox.leader, fox.damage, fox.moved = "station", "Aden", "KENT", 1, True
    assert list(notes(fox)) == ["station Aden", "with KENT", "damage 1 of 3", "has moved"]


def test_the_board_shows_merchants_less_their_escorts_and_what_was_raided(war: War) -> None:
    before = ocean(war, GERMAN).merchants
    war.ships["FOX"].duty = "convoy"
    war.raided = ["Penang", "Madras"]
    board = ocean(war, GERMAN)
    assert board.merchants == before | {"30": before["30"] - 1}
    assert board.raided == ("Madras", "Penang")
    assert (board.last, board.segment, board.missing, board.landings) == (10, 2, [], {})
    assert set(ocean(war, BRITISH).landings) == {"tsingtao", "kamerun", "samoa", "new guinea"}


@pytest.mark.parametrize("side", SIDES)
def test_a_report_says_the_half_month_and_the_points(war: War, side: str) -> None:
    war.score(GERMAN, 5, "captures", "E1", "29")
    war.score(BRITISH, 2, "sunk", "K2", "Geier")
    assert news(war) == "5 points to 2"
    shown = view(war, GERMAN if side == GERMAN else BRITISH)
    assert (shown.turn, shown.label) == (3, "1-15 Sep 1914")


def test_allied_ships_lie_open(war: War) -> None:
    (fox,) = [c for c in allies(war) if c.id == "FOX"]
    assert (fox.place, fox.age, fox.source, fox.speed) == ("30", 0, "open", "3")


def test_the_half_months() -> None:
    assert [calendar.label(turn) for turn in range(1, 11)] == [
        "1-15 Aug 1914",
        "16-31 Aug 1914",
        "1-15 Sep 1914",
        "16-30 Sep 1914",
        "1-15 Oct 1914",
        "16-31 Oct 1914",
        "1-15 Nov 1914",
        "16-30 Nov 1914",
        "1-15 Dec 1914",
        "16-31 Dec 1914",
    ]


def test_more_escorts_than_merchants_leave_none_and_not_less(war: War) -> None:
    for escort in ("GLORY", "ALBION"):
        war.ships[escort].area, war.ships[escort].duty = "28", "convoy"
    assert ocean(war, GERMAN).merchants["28"] == 0


def test_a_scenario_shows_the_merchants_of_its_own_areas_alone(war: War) -> None:
    dense = {area for area in SEA if AREAS[area].density}
    assert dense < set(SEA)
    assert set(ocean(war, GERMAN).merchants) == dense
    played = setup.begin("emden", OPTIONS)
    assert set(ocean(played, GERMAN).merchants) == dense & set(played.areas)


def test_at_the_start_no_german_has_moved() -> None:
    """Turn 1 is no turn in which anybody was named."""
    war = setup.begin("war", OPTIONS)
    emden = next(c for c in germans(war) if c.id == "EMDEN")
    assert (emden.moves, emden.moved, emden.damage, emden.source) == (0, False, 0, "set-up")


def test_four_earlier_sightings_of_a_german_are_kept(war: War) -> None:
    places = ("24", "26", "28", "29", "30", "31")
    for area in places:
        seen = hear(war, ev.Found(rule="S8", area=area, germans=("EMDEN",), by=("FOX",)))
    assert [area for area, _ in seen.trail] == ["26", "28", "29", "30"]
