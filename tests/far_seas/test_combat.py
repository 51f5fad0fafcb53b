"""Every case of running and combat, as cases/*.toml has it; doctrine and the end of a meeting."""

from __future__ import annotations

from typing import Any

from tests.casetable import every
from tests.far_seas.fights import judge, load


@every(load())
def test_case(case: dict[str, Any]) -> None:
    judge(case)
