"""8.3: the tables of the advanced Battle against the printed ones."""

from __future__ import annotations

import pytest

from games.atlantic_chase.advanced import cell

PRINTED = """
gunnery 6 0 splash, gunnery 7 0 splash, gunnery 9 0 hit, gunnery 11 0 severe, gunnery 20 0 severe
gunnery 6 1 splash, gunnery 7 1 hit, gunnery 9 1 severe, gunnery 11 1 severe
gunnery 12 1 catastrophic
torpedo 8 0 splash, torpedo 9 0 severe, torpedo 10 0 severe, torpedo 11 0 catastrophic
severe 2 0 f.r., severe 3 1 superstructure, severe 6 0 superstructure, severe 6 1 belt
severe 10 0 belt, severe 12 2 waterline
catastrophic 2 0 hit, catastrophic 2 1 superstructure, catastrophic 4 2 belt, catastrophic 6 1 belt
catastrophic 8 2 waterline, catastrophic 9 0 superstructure, catastrophic 12 0 belt
superstructure 6 0 batteries, superstructure 2 1 fire vs, superstructure 7 1 magazine
superstructure 9 0 communications, superstructure 12 1 sunk
belt 4 0 rudder, belt 5 1 magazine, belt 7 0 fire vs, belt 12 1 turrets
waterline 5 0 rudder, waterline 6 0 flooding stopped, waterline 8 1 flooding stopped
"""


@pytest.mark.parametrize("line", PRINTED.strip().replace("\n", ", ").split(", "))
def test_8_3_cells_are_as_printed(line: str) -> None:
    table, roll, column, *result = line.split()
    assert cell(table, int(roll), int(column)) == " ".join(result)
