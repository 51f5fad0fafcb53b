"""R047-R058: which segments may go, with the examples of the rules (T05 and T06 of page 20, T07
and T08 of page 36)."""

from __future__ import annotations

from itertools import product

from games.atlantic_chase.tables import FAST, MEDIUM, SLOW, VERY_SLOW, rules
from games.atlantic_chase.time_lapse import Removal, removals

LINE = ["A", "B", "C", "D", "E"]


def sets(found: list[Removal], limited: bool = False) -> set[str]:
    """What goes by each removal that does not use the Intel Limit, or by each that does."""
    return {"".join(r.gone) for r in found if r.limited == limited}


def good(line: list[str], intel: str, speed: int, launch: str = "") -> list[Removal]:
    """Time Lapse in good weather."""
    return removals(line, intel.split(), speed, rules().lapse.good[speed], launch)


def test_r050_medium_with_intel_on_the_fourth() -> None:
    """Without the limit {a,b,c} or {a,b,e}, with it {e,d}."""
    found = good(LINE, "D", MEDIUM)
    assert sets(found) == {"ABC", "ABE"}
    assert sets(found, limited=True) == {"DE"}


def test_r052_slow_does_not_reach_the_marker() -> None:
    """T06."""
    found = good(LINE, "D", SLOW)
    assert sets(found) == {"AB", "AE"}
    assert sets(found, limited=True) == set()


def test_r047_four_of_any_mix_of_both_ends() -> None:
    """T07: five splits."""
    line = [str(n) for n in range(8)]
    found = good(line, "", FAST)
    assert sets(found) == {"0123", "0127", "0167", "0567", "4567"}


def test_r053_r054_two_markers_one_goes_and_the_second_segment_is_free_of_intel() -> None:
    found = good(LINE, "B E", FAST)
    assert sets(found, limited=True) == {"AE", "DE", "AB"}
    assert all(len(r.gone) == 2 for r in found if r.limited)


def test_r050_intel_at_both_ends_lets_nothing_go() -> None:
    found = good(LINE, "A E", MEDIUM)
    assert sets(found) == {""}
    assert sets(found, limited=True) == {"AB", "DE"}


def test_r224_with_a_die_the_smaller_number_counts() -> None:
    """T51: die 1: exactly that one segment; die 5: two."""
    assert sets(removals(LINE, ["A"], FAST, 1), limited=True) == {"A"}
    assert sets(removals(LINE, ["A"], FAST, 5), limited=True) == {"AB", "AE"}


def test_r048_a_die_of_four_removes_exactly_four() -> None:
    """T04."""
    assert {len(r.gone) for r in removals([str(n) for n in range(9)], [], MEDIUM, 4)} == {4}


def test_r051_where_all_goes_the_station_is_in_any_of_its_hexes() -> None:
    found = good(["A", "B", "C"], "", FAST)
    assert [(r.gone, r.left) for r in found] == [(("A", "B", "C"), (c,)) for c in "ABC"]


def test_r057_the_launch_segment_is_the_last_to_go() -> None:
    assert sets(good(LINE, "", FAST, launch="E")) == {"ABCD"}
    assert sets(good(LINE, "", MEDIUM, launch="C")) == {"ABE", "ADE"}
    found = good(["A", "B"], "", MEDIUM, launch="B")
    assert [(r.gone, r.left) for r in found] == [(("A", "B"), ("B",))]


def test_r049_every_removal_leaves_one_piece_and_its_intel() -> None:
    """Over all small lines, markers, numbers and launches."""
    for size, number, marks in product(range(1, 6), range(1, 7), range(32)):
        line = LINE[:size]
        intel = [c for i, c in enumerate(line) if marks >> i & 1]
        for launch, speed in product(("", *line), (VERY_SLOW, FAST)):
            found = removals(line, intel, speed, number, launch)
            assert found
            assert len({(r.gone, r.left) for r in found}) == len(found)
            for one in found:
                whole = len(one.gone) == size
                assert whole or "".join(one.left) in "".join(line)
                assert whole or len(one.gone) + len(one.left) == size
                assert len(set(one.gone) & set(intel)) == int(one.limited)
                assert len(one.gone) <= number
                assert not one.limited or len(one.gone) <= rules().lapse.limit[speed]
                if launch in one.gone:
                    assert whole and one.left == (launch,)
