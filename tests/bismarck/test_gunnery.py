"""9.6, 9.8, 11.12: ranges, sectors, salvos, shots, every cell of the fire tables."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from games.bismarck.battle import gunnery
from games.bismarck.battle.charts import MISS, Hit, charts, column, hit, worth
from games.bismarck.battle.gunnery import Aim, Battery, Volley, battery
from games.bismarck.state import Gun, Hits
from pbem.kit.hexes import CENTRE, Facing, Hex, Sector
from tests.bismarck.fake_table import begin
from tests.counts import few

C = charts({})
BEAM, AHEAD, ASTERN = "port", "bow", "stern"


def guns(ship: str, **kw: object) -> Battery:
    return battery(begin().ships[ship], **kw)  # type: ignore[arg-type]


def aim(hexes: int, sector: str = "port", name: str = "X") -> Aim:
    return Aim(name, hexes, sector, "broadside", "port")  # type: ignore[arg-type]


def fire(ready: Battery, hexes: int, sector: str = "port", night: bool = False) -> int:
    """Shots of a ship at one target."""
    volleys = gunnery.designate(ready, [aim(hexes, sector)], C, night)
    halved = gunnery.third_halved(ready, volleys, C)
    return sum(gunnery.shots(ready, v, halved) for v in volleys)


# 9.61 Range


@pytest.mark.parametrize(
    ("hexes", "wanted"), [(0, None), (1, "A"), (3, "A"), (4, "B"), (6, "B"), (7, None), (40, None)]
)
def test_9_61_range_by_hexes(hexes: int, wanted: str | None) -> None:
    assert gunnery.reach(hexes, C) == wanted


@pytest.mark.parametrize(("hexes", "wanted"), [(1, "A"), (3, "A"), (4, None), (6, None)])
def test_11_12_by_night_a_range_only(hexes: int, wanted: str | None) -> None:
    assert gunnery.reach(hexes, C, night=True) == wanted


@pytest.mark.parametrize(
    ("row", "a", "b"),
    [
        ("7:SP", 180, 120),  # six of 36 totals; three midships boxes on table A, two on B
        ("2:M2+E5", 25, 25),
        ("6:BOW+SEC 12:STERN", 44, 44),  # five times eight, once four
        ("", 0, 0),
    ],
)
def test_what_a_shot_is_worth_to_a_captain(row: str, a: int, b: int) -> None:
    assert (worth(column(row), "A"), worth(column(row), "B")) == (a, b)


# 9.63 Sectors


@pytest.mark.parametrize(
    ("gun", "sectors"),
    [
        ("bow", {"bow", "port", "starboard"}),
        ("stern", {"stern", "port", "starboard"}),
        ("port", {"port"}),
        ("starboard", {"starboard"}),
    ],
)
def test_9_63_what_a_section_bears_on(gun: Gun, sectors: set[str]) -> None:
    every = ("bow", "stern", "port", "starboard")
    assert {s for s in every if gunnery.bears("Hood", gun, s, "A")} == sectors  # type: ignore[arg-type]


@pytest.mark.parametrize("gun", ["port", "starboard"])
def test_9_63_secondaries_fire_in_a_range_only(gun: Gun) -> None:
    assert not gunnery.bears("Hood", gun, gun, "B")


def test_9_81_the_third_turret_fires_on_the_beams_out_to_b() -> None:
    every = ("bow", "stern", "port", "starboard")
    for reach in ("A", "B"):
        bearing = {s for s in every if gunnery.bears("Rodney", "stern", s, reach)}  # type: ignore[arg-type]
        assert bearing == {"port", "starboard"}


# 9.64-9.652 Salvos and shots


def test_9_651_seventeen_salvos_are_eight_shots_at_two_hexes() -> None:
    ready = guns("BISMARCK")
    (volley,) = gunnery.designate(ready, [aim(2)], C)
    assert volley.guns == ("bow", "stern", "port")
    assert sum(gunnery.section(ready, g) for g in volley.guns) == 17
    assert gunnery.shots(ready, volley) == 8


def test_9_652_adjacent_fire_is_not_halved() -> None:
    assert fire(guns("BISMARCK"), 1) == 17


@pytest.mark.parametrize(
    ("hexes", "sector", "shots"),
    [(1, "bow", 7), (2, "bow", 3), (5, "port", 7), (5, "stern", 3), (7, "port", 0)],
)
def test_9_65_bismarcks_shots(hexes: int, sector: str, shots: int) -> None:
    assert fire(guns("BISMARCK"), hexes, sector) == shots


def test_9_711_two_bow_hits_leave_five() -> None:
    ship = begin().ships["BISMARCK"]
    ship.hits = Hits(bow=2, port=2, midships=3)
    ready = battery(ship)
    assert (ready.bow, ready.stern, ready.port, ready.starboard) == (5, 7, 1, 3)


def test_9_82_rodneys_third_turret_is_halved_when_the_others_fire_in_a_range() -> None:
    ready = guns("RODNEY")
    assert fire(ready, 1) == 8 + 2 + 2  # third turret 4 -> 2, secondaries 2
    assert fire(ready, 5) == (8 + 4) // 2  # not in A range: whole
    assert fire(ready, 1, "bow") == 8


def test_9_82_the_third_turret_always_has_a_shot() -> None:
    ship = begin().ships["RODNEY"]
    ship.hits = Hits(stern=3, bow=8, port=2, starboard=2)
    assert fire(battery(ship), 5) == 1
    ship.hits = Hits(stern=3)
    assert gunnery.section(battery(ship), "stern", third_halved=True) == 1
    ship.hits = Hits(stern=4, bow=8, port=2, starboard=2)
    assert fire(battery(ship), 5) == 0


@pytest.mark.parametrize("first", range(1, 7))
@pytest.mark.parametrize("second", range(1, 7))
def test_9_83_which_turret_fails(first: int, second: int) -> None:
    wanted = "" if first <= 3 else "bow" if second <= 3 else "stern"
    assert gunnery.fault(first, second) == wanted


def test_9_83_a_failing_turret_has_half_its_salvos() -> None:
    whole, bow, stern = (guns("KING GEORGE V", faulty=f) for f in ("", "bow", "stern"))
    assert [gunnery.section(g, "bow") for g in (whole, bow, stern)] == [7, 3, 7]
    assert [gunnery.section(g, "stern") for g in (whole, bow, stern)] == [5, 5, 2]


def test_9_98_withdrawing_halves_each_section_up_after_everything_else() -> None:
    ready = guns("KING GEORGE V", faulty="bow", withdrawing=True)
    assert gunnery.section(ready, "bow") == 2  # 7 -> 3 down, -> 2 up (ruling 15)
    assert gunnery.section(ready, "stern") == 3  # 5 -> 3 up
    assert fire(ready, 2) == (2 + 3 + 1) // 2


def test_9_62_a_section_that_does_not_bear_takes_the_next_target() -> None:
    ready = guns("BISMARCK")
    volleys = gunnery.designate(ready, [aim(2, "bow", "A"), aim(2, "starboard", "B")], C)
    assert [(v.aim.ship, v.guns) for v in volleys] == [
        ("A", ("bow",)),
        ("B", ("stern", "starboard")),
    ]


def test_9_62_split_fire_gives_the_stern_turrets_another_target() -> None:
    ready = guns("BISMARCK")
    two = [aim(5, name="A"), aim(5, name="B")]
    volleys = gunnery.designate(ready, two, C, split=True)
    assert [(v.aim.ship, v.guns) for v in volleys] == [("A", ("bow",)), ("B", ("stern",))]
    (volley,) = gunnery.designate(ready, two, C)
    assert (volley.aim.ship, volley.guns) == ("A", ("bow", "stern"))
    near = [aim(2, name="A"), aim(2, name="B")]
    volleys = gunnery.designate(ready, near, C, split=True)
    assert [(v.aim.ship, v.guns) for v in volleys] == [("A", ("bow", "port")), ("B", ("stern",))]
    (volley,) = gunnery.designate(replace(ready, bow=0), two, C, split=True)
    assert (volley.aim.ship, volley.guns) == ("A", ("stern",))


def test_9_67_the_field_is_what_the_target_shows() -> None:
    target = Hex(0, 4)
    shown = {
        gunnery.aim("X", CENTRE, 0, target, bow).field: gunnery.aim("X", CENTRE, 0, target, bow)
        for bow in range(6)
    }
    assert set(shown) == {"broadside", "bow", "stern"}
    assert gunnery.aim("X", CENTRE, 0, target, 4).field == "bow"  # its bow points at us
    assert gunnery.aim("X", CENTRE, 0, target, 1).field == "stern"
    assert shown["bow"].sector == "starboard"


@settings(deadline=None, max_examples=few(80))
@given(
    st.sampled_from(sorted(begin().ships)),
    st.builds(Hits, *[st.integers(0, 9)] * 4),
    st.integers(1, 8),
    st.sampled_from(["bow", "stern", "port", "starboard"]),
    st.booleans(),
    st.sampled_from(["", "bow", "stern"]),
)
def test_salvos_are_never_negative_and_shots_never_more_than_salvos(
    name: str, hits: Hits, hexes: int, sector: str, leaving: bool, faulty: str
) -> None:
    ship = begin().ships[name]
    whole = fire(battery(ship), 1, sector)
    ship.hits = hits
    ready = battery(ship, faulty, leaving)  # type: ignore[arg-type]
    assert all(ready.salvos(g) >= 0 for g in gunnery.GUNS)
    assert 0 <= fire(ready, hexes, sector) <= max(whole, 1)


# 9.66 Every cell of the fire tables

FIRE = {
    ("A", "broadside"): "SEC M2 SEC STERN BOW - BOW STERN M1 SP SP",
    ("A", "bow"): "- SEC BOW BOW BOW - - - M1 SP M2",
    ("A", "stern"): "- SEC STERN STERN STERN - - - M1 SP M2",
    ("B", "broadside"): "M1 SEC - - BOW - STERN - - SP M1",
    ("B", "bow"): "SEC - - - BOW - - - - M1 SP",
    ("B", "stern"): "SEC - - - STERN - - - - M1 SP",
}
CELLS = [
    (reach, field, total, word)
    for (reach, field), row in FIRE.items()
    for total, word in zip(range(2, 13), row.split(), strict=True)
]


@pytest.mark.parametrize(("reach", "field", "total", "word"), CELLS)
def test_9_66_every_cell(reach: str, field: str, total: int, word: str) -> None:
    wanted = MISS if word == "-" else hit(word)
    assert gunnery.result(total, reach, field, C) == (wanted, reach)  # type: ignore[arg-type]


@pytest.mark.parametrize("total", range(2, 13))
def test_11_12_by_night_the_b_tables_count_at_a_range(total: int) -> None:
    by_night = gunnery.result(total, "A", "broadside", C, night=True)
    assert by_night == gunnery.result(total, "B", "broadside", C)


SPECIAL = {
    ("Hood", "BC", "A"): "M1 M1 M1 M1 M1 M1+E1 M2+E3 M2+E5 M3+E7 M3+E10 SUNK",
    ("Hood", "BC", "B"): "M1 M1 M1 M1 M1 M1+E1 M2+E3 M2+E5 M3+E7 M3+E10 SUNK",  # 9.84
    ("Renown", "BC", "B"): "M1 M1 M1 M1 M1 M1+E1 M2+E3 M2+E5 M3+E7 M3+E10 SUNK",
    ("Repulse", "BC", "B"): "M1 M1 M1 M1 M1 M1+E1 M2+E3 M2+E5 M3+E7 M3+E10 SUNK",
    ("Norfolk", "CA", "B"): "M1 M1 M1 M1 M1 M1+E1 M2+E3 M2+E5 M3+E7 M3+E10 SUNK",  # 9.84
    ("Kenya", "CL", "B"): "M1 M1 M1 M1 M1 M1+E1 M2+E3 M2+E5 M3+E7 M3+E10 SUNK",
    ("Prinz Eugen", "CA", "B"): "M1 M1 M1 M1 M1 M1+E1 M2+E3 M2+E5 M3+E7 M3+E10 SUNK",
    ("Bismarck", "BB", "A"): "M1 M1 M1 M1 M1 M1+E1 M2+E3 M2+E5 M2+E7 M2+E10 M3+E10",
    ("King George V", "BB", "A"): "M1 M1 M1 M1 M1 M1+E1 M2+E3 M2+E5 M2+E7 M2+E10 M3+E10",
    ("Prince of Wales", "BB", "A"): "M1 M1 M1 M1 M1 M1+E1 M2+E3 M2+E5 M2+E7 M2+E10 M3+E10",
    ("Rodney", "BB", "A"): "M1 M1 M1 M1 M1 M1+E1 M2+E3 M2+E5 M3+E7 M3+E10 SUNK",
    ("Bismarck", "BB", "B"): "M1 M1 M1 M1 M1 M1 M1 M2+E1 M2+E3 M2+E5 M2+E7",
    ("Ark Royal", "CV", "B"): "M1 M1 M1 M1 M1 M1 M1 M2+E1 M2+E3 M2+E5 M2+E7",
}
BOXES = [
    (*who, total, word)
    for who, row in SPECIAL.items()
    for total, word in zip(range(2, 13), row.split(), strict=True)
]


@pytest.mark.parametrize(("name", "type_", "reach", "total", "word"), BOXES)
def test_9_712_9_84_every_cell_of_special_damage(
    name: str, type_: str, reach: str, total: int, word: str
) -> None:
    assert gunnery.special(total, name, type_, reach, C) == hit(word)  # type: ignore[arg-type]


def test_a_word_that_no_table_has_is_refused() -> None:
    with pytest.raises(ValueError, match="'M2\\+FUNNEL' is not a result"):
        column("2:M2+FUNNEL")
    assert hit("BOW+BOW+M2+E5") == Hit(bow=2, midships=2, evasion=5)


def at(ship: str, hexes: int, where: Sector) -> gunnery.Aim:
    """A target there that shows its broadside."""
    return gunnery.Aim(ship, hexes, where, "broadside", "port")


def test_9_62_salvos_of_one_section_are_divided() -> None:
    """Bismarck, all bearing to port at two hexes: 7 + 7 + 3 salvos."""
    ready = guns("BISMARCK")
    two = [at("HOOD", 2, "port"), at("NORFOLK", 2, "port")]
    volleys = gunnery.divide(ready, two, {"NORFOLK": 3, "HOOD": 9}, C)
    assert {v.aim.ship: sum(v.salvos) for v in volleys} == {"HOOD": 14, "NORFOLK": 3}
    assert [gunnery.shots(ready, v) for v in volleys] == [7, 1]


def test_9_63_sections_that_bear_on_one_target_alone_fire_at_it_first() -> None:
    """Ahead only the bow turrets bear, to port all: the stern turrets leave the bow free."""
    ready = guns("BISMARCK")
    two = [at("HOOD", 2, "port"), at("NORFOLK", 2, "bow")]
    volleys = gunnery.divide(ready, two, {"HOOD": 10, "NORFOLK": 7}, C)
    assert [(v.aim.ship, sum(v.salvos)) for v in volleys] == [("HOOD", 10), ("NORFOLK", 7)]


def test_9_63_what_does_not_bear_is_not_fired() -> None:
    ready = guns("BISMARCK")
    (volley,) = gunnery.divide(ready, [at("NORFOLK", 5, "bow")], {"NORFOLK": 10}, C)
    assert (volley.guns, volley.salvos) == (("bow",), (7,))


def test_9_82_rodneys_third_turret_is_halved_when_divided_too() -> None:
    ready = guns("RODNEY")
    two = [at("BISMARCK", 2, "port"), at("PRINZ EUGEN", 2, "port")]
    whole = gunnery.designate(ready, two, C)
    divided = gunnery.divide(ready, two, {"BISMARCK": 2}, C)
    halved = gunnery.third_halved(ready, whole, C)
    assert halved
    fired = sum(sum(v.salvos) for v in divided)
    assert fired == sum(gunnery.section(ready, g, True) for g in ("bow", "stern", "port"))


def test_9_82_one_bow_volley_at_a_range_halves_the_third_turret() -> None:
    ready = guns("RODNEY")
    near, far = Volley(aim(2), ("bow",)), Volley(aim(5), ("stern",))
    assert gunnery.third_halved(ready, [far, near], C)
    ahead = Volley(aim(4), ("bow",))
    assert not gunnery.third_halved(ready, [far, ahead], C)
    assert not gunnery.third_halved(ready, [Volley(aim(2), ("stern",)), ahead], C)


def test_a_volley_needs_salvos() -> None:
    ready = guns("ARK ROYAL")
    assert gunnery.designate(ready, [aim(5)], C) == []
    assert [v.guns for v in gunnery.designate(ready, [aim(2)], C)] == [("port",)]
    assert gunnery.shots(ready, Volley(aim(2), ("port",))) == 1


def test_facings_are_numbers() -> None:
    assert gunnery.aim("X", CENTRE, Facing(3), Hex(2, 0), 0).sector == "stern"
