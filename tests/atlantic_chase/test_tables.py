"""Tables against the printed ones, and the map against its counts and links."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import pairwise, product

import pytest

from games.atlantic_chase import board, tables
from games.atlantic_chase.board import BRITISH, GERMAN
from games.atlantic_chase.tables import Deed
from pbem.model import Side

PRINTED: Mapping[Deed, tuple[tuple[int, ...], str]] = {
    "search": (
        (0, 5, 10, 16),
        """
        4  C E E M / 5  C+G E E M / 6  C+G H E E / 7  C+G H E E / 8  C+G C+H H E / 9  C+G C+H H E
        10 C+G C+G C+H E / 11 C+G C+G C+H E / 12 K+G C+G C+G H / 13 K+G K+G K+G C+H
        """,
    ),
    "strike": (
        (0, 1, 5, 10, 16),
        """
        6 M M M M M / 7 C+hS C+hS hV hV M / 8 C+hS C+hS C+hS C+hV hV / 9 C+h C+hS C+hS C+hS C+hV
        10 C+h C+hS C+hS C+hS C+hV / 11 C+D C+h C+hS C+hS C+hS / 12 C+D C+h C+hS C+hS C+hS
        13 C+D C+D C+h C+hS C+hS / 14 C+D C+D C+h C+hS C+hS / 15 C+D C+D C+D C+h C+h
        """,
    ),
    "engage": (
        (0, 1, 5, 10, 14),
        """
        6 K M M M M / 7 CL M M M M / 8 B K M M M / 9 B CL M M M / 10 SU B K C M / 11 SU B K C M
        12 SU B CL C C / 13 SU SU B K K
        """,
    ),
    "attack": (
        (0, 1, 2, 4, 7),
        """
        7 M L L L L / 8 hV M M L L / 9 hV M M L L / 10 hS M M M L / 11 hS M M M L
        12 h hS hS M M / 13 h+h h h hS hS / 14 D+D D h+h h h
        """,
    ),
}
"""The least Trajectory Total of each column, and the cells by roll."""


def cells() -> list[tuple[Deed, int, int, str]]:
    """Action, Trajectory Total, roll and printed result."""
    found = []
    for deed, (columns, text) in PRINTED.items():
        rows = [row for line in text.strip().splitlines() for row in line.split("/")]
        for roll, *results in (row.split() for row in rows):
            assert len(results) == len(columns)
            for total, result in zip(columns, results, strict=True):
                found.append((deed, total, int(roll), result))
    return found


@pytest.mark.parametrize(("deed", "total", "roll", "result"), cells())
def test_1_cells_are_as_printed(deed: Deed, total: int, roll: int, result: str) -> None:
    """T41 Naval Search, T42 Air Strike, T43 Engage, T44 Stealth Attack, cell by cell."""
    assert "+".join(tables.results(deed, total, roll)) == result


@pytest.mark.parametrize("deed", PRINTED)
def test_1_columns_and_rows_end_where_the_next_begin(deed: Deed) -> None:
    columns, _ = PRINTED[deed]
    for first, then in pairwise(columns):
        for roll in range(2, 21):
            assert tables.results(deed, then - 1, roll) == tables.results(deed, first, roll)
    rows = sorted({roll for of, _, roll, _ in cells() if of == deed})
    for total in columns:
        assert tables.results(deed, total, -5) == tables.results(deed, total, rows[0])
        assert tables.results(deed, total, 40) == tables.results(deed, total, rows[-1])


WORTH = {"L": -1, "M": 0, "E": 1, "hV": 1, "H": 2, "hS": 2, "C": 3, "h": 4, "K": 5, "CL": 6}
WORTH |= {"G": 7, "B": 8, "D": 9, "SU": 10}


@pytest.mark.parametrize("deed", ["search", "engage", "strike"])
def test_1_tables_are_better_downwards_and_worse_to_the_right(deed: Deed) -> None:
    columns, _ = PRINTED[deed]
    rows = sorted({roll for of, _, roll, _ in cells() if of == deed})

    def worth(total: int, roll: int) -> int:
        return sum(WORTH[icon] for icon in tables.results(deed, total, roll))

    for total, roll in product(columns, rows):
        assert worth(total, roll) >= worth(total + 1, roll)
        assert worth(total, roll + 1) >= worth(total, roll)


CELLS = ("-0 -1 -2 S", "-1 -2 S V", "-2 S V IC", "S V IC IC", "V IC IC IC")


@pytest.mark.parametrize("rows", ["rulebook", "board"])
def test_r070_the_interruption_table(rows: str) -> None:
    """T40 All rolls with one to six markers, both printed rows."""
    most = {"rulebook": (4, 6, 7, 9, 12), "board": (4, 7, 8, 9, 12)}[rows]
    for roll, markers in product(range(2, 13), range(1, 7)):
        row = next(i for i, last in enumerate(most) if roll <= last)
        wanted = CELLS[row].split()[min(markers, 4) - 1]
        assert tables.interruption(rows).cell(markers, roll) == wanted


def test_4_every_ship_has_a_card() -> None:
    cards = tables.cards()
    assert len(cards) == 89
    sides = Counter(card.side for card in cards.values())
    assert sides == {GERMAN: 24, BRITISH: 65}
    hood = cards["HOOD"]
    assert (hood.type, hood.front.hits, hood.front.close, hood.front.far) == ("BC", 2, 3, 1)
    assert hood.back and (hood.back.hits, hood.back.speed) == (3, tables.SLOW)
    assert cards["CONVOY 1"].front.far is None and not cards["SUFFOLK"].front.torpedo


def test_5_the_map_has_135_hexes_and_its_sides_agree() -> None:
    assert len(board.CELLS) == 135
    for side, cell in product(board.SIDES, board.CELLS):
        for other in board.neighbours(cell, side, frozenset()):
            assert cell in board.neighbours(other, side, frozenset())
    for cell in (*board.ARCTIC, *board.UBOAT_ZONE):
        assert cell in board.HEXES
    assert len(board.ARCTIC) == 15 and len(board.UBOAT_ZONE) == 10


@pytest.mark.parametrize("side", board.SIDES)
def test_5_all_sea_is_one(side: Side) -> None:
    found = board.sea_distances("I12", side, frozenset())
    assert set(found) == set(board.CELLS)


WAYS = """
HALIFAX-CLYDE 11, ST JOHNS-CLYDE 9, SCAPA FLOW-BERGEN 2, SCAPA FLOW-HVALFJORD 3,
SCAPA FLOW-WILHELMSHAVEN 2, CLYDE-SCAPA FLOW 1, CLYDE-PORTSMOUTH 1, BREST-CLYDE 2,
BREST-GIBRALTAR 4, GIBRALTAR-CLYDE 6, NARVIK-SCAPA FLOW 4, MURMANSK-HVALFJORD 7,
BERGEN-TRONDHEIM 2, TRONDHEIM-NARVIK 1,
NARVIK-MURMANSK 2, KIEL-BERGEN 2
"""


@pytest.mark.parametrize("way", WAYS.replace("\n", " ").split(","))
def test_5_distances_between_ports(way: str) -> None:
    ports, _, count = way.strip().rpartition(" ")
    a, b = (board.PORTS[p].hexes[0] for p in ports.split("-"))
    assert board.sea_distances(a, GERMAN, frozenset())[b] == int(count)


def test_5_four_hexes_shut_norway_off() -> None:
    """T57 R017 With the Channel closed: Denmark Strait, Iceland-Faroes, Faroes-Shetland, Scapa."""
    shut = {"K08", "J10", "J11", "I12"}
    seen, todo = {"J13"}, ["J13"]
    while todo:
        for other in board.neighbours(todo.pop(), GERMAN, frozenset()):
            if other not in seen and other not in shut:
                seen.add(other)
                todo.append(other)
    assert "E10" not in seen and "M09" in seen


def test_r018_the_canal_is_for_germans_alone() -> None:
    assert board.adjacent("I14", "I15", GERMAN, frozenset())
    assert not board.adjacent("I14", "I15", BRITISH, frozenset())


def test_9_operations_are_whole() -> None:
    """Every path from hex to hex, no ship twice, every port and airbase there."""
    from games.atlantic_chase.audit import audit
    from games.atlantic_chase.game import SYSTEM
    from games.atlantic_chase.opening import begin

    for scenario in SYSTEM.scenarios:
        audit(begin(scenario.name, {}))


def test_no_id_looks_like_a_hex() -> None:
    ids = [*tables.cards(), *tables.leaders(), *board.AIRBASES, "TF10", "KG5", "UB1", "SUB1", "BA"]
    assert not set(ids) & set(board.CELLS)
