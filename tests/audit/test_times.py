"""What both checkers note of times: late orders, time that runs backwards, another clock."""

from __future__ import annotations

import pytest

from pbem.admin.commands import hold, readdress, schedule
from pbem.store.game_dir import writing
from pbem.turns.schedule import read_rule
from tests.conftest import Clock
from tests.referee import Referee
from tests.trust.dice_games import said

CLOCK = "PBEM_NOW set the time from here on"
LATE = "after the deadline"


def noted(referee: Referee, words: str) -> list[str]:
    """The notes with these words; both checkers must have the same ones, and no finding."""
    ours, others = ([note for note in notes if words in note] for notes in said(referee))
    assert ours == [note.partition("note: ")[2] for note in others]
    return ours


def scheduled(referee: Referee, rule: str) -> None:
    with writing(referee.home, "g1") as game:
        schedule(game, read_rule([rule]))


@pytest.mark.parametrize(
    ("rule", "hours", "late"),
    [
        ("every=1d", 23, False),
        ("every=1d", 24, False),
        ("every=1d", 25, True),
        ("every=1d grace=2h", 25, False),
        ("every=1d grace=2h", 27, True),
        ("every=1d nmr=wait", 48, False),
    ],
)
def test_orders_behind_the_deadline_are_noted(
    rule: str, hours: int, late: bool, referee: Referee, clock: Clock
) -> None:
    """They count: the window was open. A set of a clock that was set by hand is no exception."""
    scheduled(referee, rule)
    clock.advance(hours=hours)
    referee.order("fox", "FOX: move A2;")
    (note,) = noted(referee, LATE) or [""]
    assert bool(note) == late
    if late:
        came = {25: "2026-11-21T13:00:00Z", 27: "2026-11-21T15:00:00Z"}[hours]
        assert f"orders of fox came at {came}, after the deadline, 2026-11-21T12:00:00Z" in note


def test_orders_on_hold_are_not_late(referee: Referee, clock: Clock) -> None:
    scheduled(referee, "every=1d")
    with writing(referee.home, "g1") as game:
        hold(game, "the moderator is ill")
    clock.advance(days=3)
    referee.order("fox", "FOX: move A2;")
    assert not noted(referee, LATE)


def test_time_that_runs_backwards_is_noted(referee: Referee, clock: Clock) -> None:
    clock.advance(hours=6)
    referee.order("fox", "FOX: move A2;")
    clock.advance(hours=-7)
    referee.order("hunter", "HOUND: move E4;")
    (note,) = noted(referee, "is before that of record")
    assert "its time, 2026-11-20T11:00:00Z" in note


def test_another_clock_is_noted_where_it_begins(
    referee: Referee, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert len(noted(referee, CLOCK)) == 1
    assert noted(referee, CLOCK)[0].startswith("record 1:")
    monkeypatch.delenv("PBEM_NOW", raising=False)
    referee.order("fox", "FOX: move A2;")
    assert len(noted(referee, CLOCK)) == 1
    last = referee.records[-1].n
    monkeypatch.setenv("PBEM_NOW", "2036-11-20T12:00:00Z")
    referee.run(force=True)
    assert [note.partition(":")[0] for note in noted(referee, CLOCK)[1:]] == [f"record {last + 1}"]


def test_another_address_of_a_player_is_noted(referee: Referee) -> None:
    with writing(referee.home, "g1") as game:
        readdress(game, "fox", "evil@mod.example")
    assert len(noted(referee, "sends mail of fox to another address")) == 1


def test_orders_that_the_moderator_enters_are_told_to_all_once_the_window_has_closed(
    referee: Referee,
) -> None:
    told = "The orders of fox were entered by the moderator."
    referee.receive(referee.block("fox", "FOX: move A2;"), side="fox")
    assert told not in referee.report("hunter")["flags"]
    referee.run(force=True)
    for side in ("fox", "hunter"):
        assert told in referee.report(side)["flags"]
    assert len(noted(referee, "orders of fox entered by the moderator")) == 1
    referee.go("fox", "hunter")
    assert told not in referee.report("hunter")["flags"]
