"""Boards as lines of text."""

from __future__ import annotations

from pbem.kit.grids import Lattice
from pbem.kit.text_charts import filled, sheet

CELLS = [f"{row}{n}" for row in "ABC" for n in range(1, 5) if f"{row}{n}" != "B2"]
BARE = dict.fromkeys(CELLS, ".") | {"B2": "#", "B4": "4"}


def lines(lattice: Lattice, *marks: tuple[str, str]) -> list[str]:
    made = sheet(lattice, CELLS, 3)
    return made.draw(made.blank(BARE), marks)


def test_squares_stand_below_each_other() -> None:
    drawn = lines(Lattice("square"), ("A1", "X"), ("A1", "Y"), ("B3", "ABC"))
    assert drawn == ["A Y  .  .  .", "B .  #  ABC.", "C .  .  .  ."]


def test_rows_of_hexes_are_shifted_by_half_a_cell() -> None:
    assert lines(Lattice("pointed", stagger="odd")) == [
        "A .  .  .  .",
        "B   .  #  .  4",
        "C .  .  .  .",
    ]
    assert [line.index(".") for line in lines(Lattice("pointed", stagger="back"))] == [5, 4, 2]


def test_texts_fill_lines() -> None:
    assert filled(["one", "two", "three"], 9) == ["one   two", "three"]
