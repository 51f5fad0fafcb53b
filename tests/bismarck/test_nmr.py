"""A German who sends nothing: what each policy makes of it, in a game by mail, to the ships."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from games.bismarck.board import BRITISH, GERMAN
from games.bismarck.game import SYSTEM
from pbem.admin.commands import replace, resume, schedule
from pbem.admin.setup import Choices, Newcomer
from pbem.crypto.sshsig import public_line
from pbem.store.game_dir import writing
from pbem.turns.schedule import read_rule
from tests.conftest import Clock
from tests.mail.office import Office
from tests.referee import Referee, key_of, signed

SILENT = Callable[[str], Office]
FIRST = "BISMARCK: move F19; @BISMARCK: move F19 F18 F17;"


@pytest.fixture
def silent(tmp_path: Path, clock: Clock) -> SILENT:
    """Makes a game of that policy: both ordered in window 1, in window 2 only the British; its
    deadline has just passed."""

    def made(policy: str) -> Office:
        referee = Referee.made(tmp_path / "home", SYSTEM, Choices(seed="x"))
        with writing(referee.home, referee.name) as game:
            schedule(game, read_rule([f"every=1d remind=off nmr={policy}"]))
        referee.open()
        office = Office(referee)
        office.orders(BRITISH)
        office.orders(GERMAN, FIRST)
        office.one()
        clock.advance(minutes=40)
        assert office.one().closed == 1
        office.orders(BRITISH)
        for _ in range(3):
            clock.advance(hours=8)
            if office.one().closed or referee.register.held:
                break
        return office

    return made


def place(referee: Referee, window: int) -> str:
    """Where the Bismarck was when that window opened."""
    units = referee.report(GERMAN, window)["units"]
    return next(str(u["place"]) for u in units if u["id"] == "BISMARCK")


def test_standing_orders_sail_on(silent: SILENT) -> None:
    referee = silent("standing").referee
    assert (place(referee, 2), place(referee, 3)) == ("F19", "F17")
    assert referee.register.closed[-1].sets[GERMAN].order == "NMR"
    assert referee.audit().whole


def test_hold_stops_the_ships_until_the_moderator_has_spoken(silent: SILENT) -> None:
    office = silent("hold")
    assert (office.referee.register.window, office.referee.register.held) == (2, True)
    with writing(office.home, "g1") as game:
        resume(game)
    office.orders(GERMAN, "BISMARCK: move G19;")
    assert office.one().dealt.taken == 1
    assert not office.referee.register.held


def test_wait_takes_orders_that_come_after_the_deadline(silent: SILENT, clock: Clock) -> None:
    office = silent("wait")
    clock.advance(hours=11)
    assert (office.one().closed, office.referee.register.held) == (0, False)
    office.orders(GERMAN, "BISMARCK: move G19;")
    assert office.one().closed == 1
    assert place(office.referee, 3) == "G19"


def test_the_bot_orders_in_his_place(silent: SILENT) -> None:
    referee = silent("bot").referee
    assert referee.register.window == 3
    taken = [r.body for r in referee.records if r.kind == "received"][-1]
    assert (taken["side"], taken["officer"]) == (GERMAN, 0)
    assert "BISMARCK" in taken["canonical"]
    assert referee.audit().whole


def test_another_player_takes_the_ships_over(silent: SILENT, clock: Clock) -> None:
    office = silent("replace")
    referee = office.referee
    assert referee.register.held
    with writing(office.home, "g1") as game:
        replace(game, GERMAN, Newcomer(public_line(key_of("new").wire), "new@example.org"))
        resume(game)
    old = referee.orders(GERMAN, "BISMARCK: move F18;")
    new = signed(referee.block(GERMAN, "BISMARCK: move G19;"), key_of("new"))
    for text in (old, new):
        office.mail(GERMAN, text)
    assert office.one().dealt.taken == 1
    clock.advance(hours=1)
    assert office.one().closed == 1
    assert place(referee, 3) == "G19"
    assert referee.audit().whole
