"""`pbem lint` of every system: none has a finding."""

from __future__ import annotations

import pytest

import games
from pbem.lint.run import lint
from tests.systems import COMING, EVERY


@pytest.mark.parametrize("name", [name for name in EVERY if name not in COMING])
def test_a_system_has_no_findings(name: str, nightly: bool) -> None:
    system = games.load(name)
    scenarios = [] if nightly else [system.scenarios[0].name]
    assert [str(finding) for finding in lint(system, scenarios, 2 if nightly else 1)] == []
