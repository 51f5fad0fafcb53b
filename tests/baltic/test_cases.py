"""Every clause case of cases/*.toml, as written there."""

from __future__ import annotations

from typing import Any

from tests.baltic.casebook import judge, load
from tests.casetable import every


@every(load())
def test_case(case: dict[str, Any]) -> None:
    judge(case)
