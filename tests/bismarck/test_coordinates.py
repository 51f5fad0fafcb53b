"""9.28, 9.56 Names of hexes and headings on the battle board."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.bismarck.battle import coordinates
from pbem.kit.hexes import CENTRE, FACINGS, Facing, Hex, ahead, distance, edge

HEX = st.builds(Hex, st.integers(-400, 400), st.integers(-400, 400))


@given(HEX)
def test_every_hex_has_a_name_of_its_own(at: Hex) -> None:
    assert coordinates.hex_of(coordinates.name(at)) == at


@pytest.mark.parametrize(
    ("facing", "wanted"),
    [(0, "5150"), (1, "5051"), (2, "4951"), (3, "4950"), (4, "4949"), (5, "5049")],
)
def test_around_the_centre(facing: int, wanted: str) -> None:
    assert coordinates.name(CENTRE) == "5050"
    assert coordinates.name(ahead(CENTRE, Facing(facing))) == wanted


def test_the_board_of_the_box_has_numbers_of_four_digits() -> None:
    names = {coordinates.name(h) for side in range(6) for h in edge(side, 6)}
    assert len(names) == 36
    assert (min(names), max(names)) == ("4449", "5650")


def test_9_56_far_from_the_centre_names_are_longer() -> None:
    assert coordinates.name(Hex(49, 0)) == "9950"
    assert coordinates.name(Hex(50, 0)) == "50505000"
    assert distance(coordinates.hex_of("50505000"), CENTRE) == 50


@pytest.mark.parametrize("wrong", ["", "505", "C7", "50500", "5050505x"])
def test_what_is_no_name(wrong: str) -> None:
    with pytest.raises(ValueError, match="no hex of the battle board"):
        coordinates.hex_of(wrong)


def test_a_near_hex_has_only_its_short_name() -> None:
    with pytest.raises(ValueError, match="write 5150"):
        coordinates.hex_of("50015000")


def test_the_names_end_where_no_battle_gets_to() -> None:
    with pytest.raises(ValueError, match="beyond"):
        coordinates.name(Hex(5000, 0))


def test_headings() -> None:
    words = [coordinates.heading(f) for f in FACINGS]
    assert words == ["E", "SE", "SW", "W", "NW", "NE"]
    assert [coordinates.facing_of(w) for w in words] == list(FACINGS)
    with pytest.raises(ValueError, match="no heading"):
        coordinates.facing_of("N")
