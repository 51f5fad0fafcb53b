"""Every clause case of cases/*.toml, as written there."""

from __future__ import annotations

from typing import Any

from tests.casetable import every
from tests.second_fleet.casebook import judge, load


@every(load())
def test_case(case: dict[str, Any]) -> None:
    judge(case)
