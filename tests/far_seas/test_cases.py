"""Every clause case of cases/*.toml but the meetings' (test_combat), as written there."""

from __future__ import annotations

from typing import Any

import pytest

from tests.far_seas.casebook import judge, load

CASES = load()


@pytest.mark.parametrize("case", CASES, ids=lambda c: f"{c['rule']} {c['name']}")
def test_case(case: dict[str, Any]) -> None:
    judge(case)


def test_no_two_cases_share_a_name() -> None:
    names = [(c["rule"], c["name"]) for c in CASES]
    assert len(set(names)) == len(names)
