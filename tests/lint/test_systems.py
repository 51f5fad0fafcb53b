"""`pbem lint` of every system: none has a finding."""

from __future__ import annotations

import pytest

import games
from pbem.lint import worlds
from pbem.lint.run import lint
from tests.systems import OURS


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch, nightly: bool) -> None:
    """Two worlds are played on from fewer positions than `pbem lint` takes."""
    if not nightly:
        monkeypatch.setattr(worlds, "FORKS", 2)


SCENARIOS = {"baltic": ["narrows", "flight", "battle"]}
"""Those that together offer every verb, where the first alone does not."""
LONG = {"second_fleet"}
"""Systems of which only a scenario of many minutes offers every verb, which runs nightly."""


@pytest.mark.some(1)
@pytest.mark.parametrize("name", OURS)
def test_a_system_has_no_findings(name: str, nightly: bool) -> None:
    system = games.load(name)
    scenarios = [] if nightly else SCENARIOS.get(name, [system.scenarios[0].name])
    found = lint(system, scenarios, 2 if nightly else 1)
    if name in LONG and not nightly:
        found = [finding for finding in found if finding.code != "verb-not-offered"]
    assert [str(finding) for finding in found] == []


def test_a_game_that_mails_some_of_its_questions_alone_is_run_again() -> None:
    """`Mailing` names them: under watch no others go by mail. The second game is played `asked`."""
    system = games.load("atlantic_chase")
    assert [
        str(finding) for finding in lint(system, ["cerberus"], 2) if "resum" in str(finding)
    ] == []
