"""9.7, 9.81: hit boxes, overflow, evasion, sinking, repair."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.bismarck.battle import damage
from games.bismarck.battle.charts import Hit, charts
from games.bismarck.battle.gunnery import battery
from games.bismarck.state import Hits, Ship
from tests.bismarck.fake_table import begin
from tests.counts import few

C = charts({})


def hurt(name: str, *hits: Hit, beam: damage.Beam = "port", before: Hits | None = None) -> Ship:
    """A ship after one round's hits."""
    ship = begin().ships[name]
    ship.hits = before or Hits()
    under_fire = damage.target(ship)
    for hit in hits:
        damage.mark(under_fire, hit, beam, C)
    damage.settle(ship, under_fire)
    return ship


def test_9_711_the_bismarcks_hit_record() -> None:
    """Two port secondary hits, two bow hits, three midships hits."""
    ship = hurt("BISMARCK", *[Hit(secondary=1)] * 2, *[Hit(bow=1)] * 2, *[Hit(midships=1)] * 3)
    assert ship.hits == Hits(bow=2, port=2, midships=3, temporary=3)
    ready = battery(ship)
    assert (ready.bow, ready.stern, ready.port, ready.starboard) == (5, 7, 1, 3)
    assert ship.evasion_now == 26


def test_9_713_damage_takes_force_at_the_end_of_the_round() -> None:
    ship = begin().ships["BISMARCK"]
    under_fire = damage.target(ship)
    damage.mark(under_fire, Hit(bow=2), "port", C)
    assert battery(ship).bow == 7
    new = damage.settle(ship, under_fire)
    assert new == Hits(bow=2)
    assert battery(ship).bow == 5


@pytest.mark.parametrize(("name", "boxes"), [("BISMARCK", 10), ("RODNEY", 6)])
def test_9_714_every_midships_box_sinks(name: str, boxes: int) -> None:
    assert not hurt(name, *[Hit(midships=1)] * (boxes - 1)).sunk
    ship = hurt(name, *[Hit(midships=1)] * boxes)
    assert ship.sunk
    assert not ship.afloat


def test_9_716_a_secondary_hit_is_taken_by_the_side_that_faces_the_fire() -> None:
    under_fire = damage.target(begin().ships["BISMARCK"])
    assert damage.beam_choice(under_fire, "port") == ("port",)
    assert damage.beam_choice(under_fire, "starboard") == ("starboard",)


def test_9_716_end_on_either_side_that_has_a_box_left() -> None:
    under_fire = damage.target(begin().ships["BISMARCK"])
    assert damage.beam_choice(under_fire, "bow") == ("port", "starboard")
    under_fire.marked.port = 3
    assert damage.beam_choice(under_fire, "stern") == ("starboard",)
    under_fire.marked.starboard = 3
    assert damage.beam_choice(under_fire, "stern") == ("port", "starboard")


def test_9_717_hoods_second_port_secondary_hit_goes_midships() -> None:
    ship = hurt("HOOD", Hit(secondary=1), before=Hits(port=1))
    assert ship.hits == Hits(port=1, midships=1, temporary=2)


def test_9_717_a_section_that_never_was_overflows_too() -> None:
    assert hurt("PRINZ EUGEN", Hit(secondary=1)).hits == Hits(midships=1, temporary=3)


def test_9_717_hits_of_one_round_fill_a_section_and_then_overflow() -> None:
    ship = hurt("AURORA", *[Hit(stern=1)] * 3)
    assert ship.hits == Hits(stern=1, midships=2, temporary=10)


@pytest.mark.parametrize(
    ("name", "each"),
    [
        ("BISMARCK", 1),
        ("PRINZ EUGEN", 3),
        ("HOOD", 2),
        ("RODNEY", 2),
        ("VICTORIOUS", 2),
        ("NORFOLK", 5),
        ("KENYA", 5),
    ],
)
def test_9_724_9_725_9_726_evasion_lost_with_each_midships_hit(name: str, each: int) -> None:
    whole = begin().ships[name].evasion
    assert hurt(name, Hit(midships=2)).evasion_now == whole - 2 * each


@pytest.mark.parametrize(
    ("name", "hits"), [("BISMARCK", 5), ("HOOD", 3), ("KING GEORGE V", 3), ("NORFOLK", 2)]
)
def test_hits_that_bring_a_fast_ship_to_one_zone(name: str, hits: int) -> None:
    assert hurt(name, Hit(midships=hits - 1)).evasion_now >= 25
    assert hurt(name, Hit(midships=hits)).evasion_now < 25


def test_9_722_9_723_permanent_and_temporary_loss_add_up() -> None:
    ship = hurt("BISMARCK", Hit(midships=2, evasion=7))
    assert ship.hits == Hits(midships=2, permanent=7, temporary=2)
    assert ship.evasion_now == 20


def test_evasion_is_never_below_nothing() -> None:
    assert hurt("BISMARCK", Hit(midships=1, evasion=40)).evasion_now == 0


def test_sunk_marks_every_box() -> None:
    ship = hurt("HOOD", Hit(sunk=True))
    assert ship.sunk
    assert ship.hits.midships == ship.sections.midships


# 9.81 Rodney


@pytest.mark.parametrize("die", range(1, 7))
def test_9_81_a_stern_hit_from_the_beam_is_converted(die: int) -> None:
    wanted = Hit(bow=1) if die <= 2 else Hit(stern=1)
    assert damage.convert(Hit(stern=1), "Rodney", "broadside", die) == wanted


def test_9_81_from_astern_a_stern_hit_is_a_secondary_hit() -> None:
    assert damage.convert(Hit(stern=1), "Rodney", "stern", 6) == Hit(secondary=1)
    assert damage.convert(Hit(stern=1), "Hood", "stern", 1) == Hit(stern=1)
    assert damage.convert(Hit(bow=1), "Rodney", "broadside", 1) == Hit(bow=1)


# 9.728 Repair


@pytest.mark.parametrize(("die", "factors"), [(1, 0), (2, 0), (3, 2), (4, 4), (5, 6), (6, 8)])
def test_9_728_every_cell_of_the_repair_table(die: int, factors: int) -> None:
    ship = hurt("BISMARCK", Hit(midships=9))
    assert damage.repair(ship, die, C) == factors
    assert ship.evasion_now == 20 + factors
    assert ship.hits.midships == 9


def test_9_728_only_what_was_lost_for_a_time_comes_back() -> None:
    ship = hurt("BISMARCK", Hit(midships=2, evasion=5))
    assert damage.repair(ship, 6, C) == 2
    assert ship.evasion_now == 24
    assert not damage.repairable(ship, 0)


@pytest.mark.parametrize(("zones", "may"), [(0, True), (1, True), (2, False)])
def test_9_728_not_after_two_zones(zones: int, may: bool) -> None:
    assert damage.repairable(hurt("HOOD", Hit(midships=1)), zones) is may


HIT = st.builds(
    Hit,
    *[st.integers(0, 3)] * 4,
    evasion=st.sampled_from([0, 1, 3, 5, 7, 10, 20]),
    sunk=st.booleans().filter(lambda s: not s),
)


@settings(deadline=None, max_examples=few(120))
@given(
    st.sampled_from(sorted(begin().ships)),
    st.lists(st.tuples(HIT, st.sampled_from(["port", "starboard"])), max_size=12),
)
def test_boxes_are_never_overdrawn_and_hits_never_vanish(
    name: str, hits: list[tuple[Hit, damage.Beam]]
) -> None:
    ship = begin().ships[name]
    under_fire = damage.target(ship)
    for hit, beam in hits:
        damage.mark(under_fire, hit, beam, C)
        marked, whole = under_fire.marked, ship.sections
        for box in ("bow", "stern", "port", "starboard", "midships"):
            assert 0 <= getattr(marked, box) <= getattr(whole, box)
    damage.settle(ship, under_fire)
    boxes = sum(h.bow + h.stern + h.secondary + h.midships for h, _ in hits)
    taken = sum(getattr(ship.hits, b) for b in ("bow", "stern", "port", "starboard", "midships"))
    assert taken == boxes or (ship.sunk and taken < boxes)
    assert ship.sunk == (ship.hits.midships >= ship.sections.midships)
    assert ship.evasion_now >= 0
    each = C.evasion_loss(ship.name, ship.type)
    assert ship.hits.temporary == each * ship.hits.midships
