"""Every clause case of cases/*.toml, as written there."""

from __future__ import annotations

from typing import Any

from tests.bismarck.casebook import judge, load
from tests.bismarck.fake_table import BREAK_AND_MOVE
from tests.casetable import every

FAILING = {
    "5.44 a ship detached sails its own way, the others theirs": BREAK_AND_MOVE,
    "8.16 a task force that broke up this turn: the British hear which types left": BREAK_AND_MOVE,
}
"""Cases that the product fails, with the fault."""


@every(load(), FAILING)
def test_case(case: dict[str, Any]) -> None:
    judge(case)
