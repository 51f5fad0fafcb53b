"""Deadlines of window after window: a schedule keeps its days and its hour."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from pbem.admin.commands import schedule
from pbem.base.clock import parse, stamp
from pbem.store.game_dir import writing
from pbem.turns.schedule import read_rule
from tests.conftest import Clock
from tests.referee import Referee


def kept(referee: Referee, rule: str) -> None:
    """Put the game on a schedule."""
    with writing(referee.home, referee.name) as game:
        schedule(game, read_rule([rule]))


@pytest.mark.parametrize(
    ("rule", "deadlines"),
    [
        ("every=1d at=20:00", "Fri 20 Sat 20 Sun 20 Mon 20 Tue 20"),
        ("every=3d at=20:00 on=mon,thu", "Mon 20 Thu 20 Mon 20 Thu 20 Mon 20"),
        ("every=1d at=20:00 grace=5h", "Fri 20 Sat 20 Sun 20 Mon 20 Tue 20"),
        ("every=6h", "Thu 18 Fri 00 Fri 06 Fri 12 Fri 18"),
    ],
)
def test_a_schedule_does_not_drift(rule: str, deadlines: str, tmp_path: Path, clock: Clock) -> None:
    """Each window closes two seconds, or the grace, after its deadline."""
    referee = Referee.toy(tmp_path / "home")
    clock.set("2026-11-19T12:00:00Z")  # a Thursday
    kept(referee, rule)
    found = []
    for _ in range(5):
        moment = parse(referee.register.deadline)
        found.append(f"{moment:%a %H}")
        clock.set(stamp(moment + timedelta(seconds=2, hours=5 if "grace" in rule else 0)))
        referee.go("fox", "hunter")
    assert " ".join(found) == deadlines


@pytest.mark.parametrize("day", ["2027-03-27", "2026-10-24"])
def test_a_schedule_keeps_its_hour_when_the_clocks_change(
    day: str, tmp_path: Path, clock: Clock
) -> None:
    referee = Referee.toy(tmp_path / "home")
    clock.set(stamp(parse(f"{day}T12:00:00Z") - timedelta(days=1)))
    kept(referee, "every=1d at=20:00 zone=Europe/Berlin")
    for after in range(3):
        moment = parse(referee.register.deadline)
        local = moment.astimezone(ZoneInfo("Europe/Berlin"))
        assert f"{local:%F %H:%M}" == f"{parse(day) + timedelta(days=after):%F} 20:00"
        clock.set(stamp(moment + timedelta(seconds=2)))
        referee.go("fox", "hunter")
