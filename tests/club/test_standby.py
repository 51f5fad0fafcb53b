"""Strikes, the standby list, and handing a seat over."""

from __future__ import annotations

from datetime import timedelta

import pytest

from pbem.base.clock import now, stamp
from pbem.store.game_dir import reading
from pbem.store.secrets import addresses
from tests.club.club_home import TOY, ClubHome, address
from tests.conftest import Clock
from tests.playing import order_file
from tests.referee import key_of

RULE = "every=2d strikes=2 remind=off early=30m"


def started(club: ClubHome, *more: str, rule: str = RULE) -> ClubHome:
    """A running game g1, and two who stand by, Tern before Delta."""
    club.offer("toy", "g1", "--schedule", rule, *more)
    club.join("Orion", "g1", "fox")
    club.join("Ajax", "g1", "hunter")
    for name in ("Tern", "Delta"):
        club.write(name, "", "STANDBY toy")
        club.tick()
        club.write(name, "", f"CONFIRM {club.code(name)}")
        club.tick()
    assert [entry.email for entry in club.state.standby] == [address("Tern"), address("Delta")]
    return club


def order(club: ClubHome, player: str, side: str) -> None:
    """Mail a side's bot's orders, signed by a player."""
    report = club.report("g1", side)
    club.write(player, order_file(TOY, report, key_of(player), "luck", report.seq + 100), "g1")


def miss(club: ClubHome, clock: Clock, windows: int) -> None:
    """Let deadlines pass for which only Orion writes."""
    for _ in range(windows):
        order(club, "Orion", "fox")
        club.tick()
        clock.advance(days=2)
        club.tick()


def test_a_struck_seat_goes_to_the_oldest_entry(club: ClubHome, clock: Clock) -> None:
    started(club)
    miss(club, clock, 2)
    assert club.register("g1").held
    club.tick()
    assert any("seat in g1 is free" in s for s in club.subjects("Tern"))
    assert not any("seat in g1" in s for s in club.subjects("Delta"))
    club.write("Tern", club.answer("Tern"))
    club.tick()
    club.tick()
    register = club.register("g1")
    assert addresses(reading(club.home, "g1"))["hunter"][0]["email"] == address("Tern")
    assert not register.held
    assert [entry.email for entry in club.state.standby] == [address("Delta")]
    assert not club.state.vacancies
    order(club, "Tern", "hunter")
    order(club, "Orion", "fox")
    club.tick()
    assert {str(side) for side in club.register("g1").sets} == {"fox", "hunter"}
    assert club.run("audit", "g1").code == 0


def test_who_does_not_answer_is_followed_by_the_next(club: ClubHome, clock: Clock) -> None:
    started(club)
    miss(club, clock, 2)
    clock.advance(days=1, hours=23)
    club.tick()
    assert not any("seat in g1" in s for s in club.subjects("Delta"))
    clock.advance(hours=1)
    club.tick()
    club.write("Delta", club.answer("Delta"))
    club.tick()
    assert addresses(reading(club.home, "g1"))["hunter"][0]["email"] == address("Delta")
    club.write("Tern", club.answer("Tern"))
    club.tick()
    club.tick()
    assert addresses(reading(club.home, "g1"))["hunter"][0]["email"] == address("Delta")
    assert any("taken" in s for s in club.subjects("Tern"))


def test_a_player_who_is_back_keeps_his_seat(club: ClubHome, clock: Clock) -> None:
    started(club)
    miss(club, clock, 2)
    club.tick()
    order(club, "Ajax", "hunter")
    club.tick()
    assert not club.register("g1").held
    assert not club.state.vacancies
    club.write("Tern", club.answer("Tern"))
    club.tick()
    assert addresses(reading(club.home, "g1"))["hunter"][0]["email"] == address("Ajax")


def test_a_bot_plays_on_where_it_may_and_the_seat_is_offered(club: ClubHome, clock: Clock) -> None:
    started(club, rule=RULE + " nmr=bot")
    miss(club, clock, 2)
    register = club.register("g1")
    assert [str(side) for _, side in register.lapses] == ["hunter", "hunter"]
    assert not register.held
    assert register.window == 3
    assert set(club.state.vacancies["g1"]) == {"hunter"}
    assert "missed" in club.text("Orion")
    club.write("Tern", club.answer("Tern"))
    club.tick()
    assert not club.state.vacancies
    assert club.run("audit", "g1").code == 0


def test_a_resigned_seat_is_offered(club: ClubHome, clock: Clock) -> None:
    started(club)
    report = club.report("g1", "hunter")
    from pbem.player.sign import block_of, header_of
    from tests.referee import signed

    text = block_of(header_of(report, report.seq + 100), "RESIGN;")
    club.write("Ajax", signed(text, key_of("Ajax")))
    club.tick()
    assert club.register("g1").held
    club.write("Tern", club.answer("Tern"))
    club.tick()
    club.tick()
    assert not club.register("g1").held


def test_the_moderator_learns_that_nobody_is_left(club: ClubHome, clock: Clock) -> None:
    started(club)
    for name in ("Tern", "Delta"):
        club.write(name, club.signed_wish(name, "LEAVE", stamp(now())))
        club.tick()
        club.write(name, "", f"CONFIRM {club.code(name)}")
        club.tick()
    miss(club, clock, 2)
    for _ in range(3):
        club.tick()
    assert sum("nobody on the standby list" in s for s in club.subjects("mod")) == 1


def test_who_plays_already_is_not_asked(club: ClubHome, clock: Clock) -> None:
    started(club)
    entry = club.state.standby
    assert entry
    club.write("Orion", "", "STANDBY toy hunter")
    club.tick()
    club.write("Orion", "", f"CONFIRM {club.code('Orion')}")
    club.tick()
    miss(club, clock, 2)
    for _ in range(3):
        clock.set(stamp(now() + timedelta(days=2)))
        club.tick()
    assert not any("seat in g1 is free" in s for s in club.subjects("Orion"))


def test_the_moderator_takes_somebody_off_the_list(club: ClubHome) -> None:
    started(club)
    assert club.run("standby").out == f"{address('Tern')} toy\n{address('Delta')} toy\n"
    assert club.run("standby", "--remove", address("Tern")).code == 0
    assert club.run("standby", "--remove", address("Tern")).code == 3
    assert [one["email"] for one in club.run("standby", "--json").json] == [address("Delta")]
    club.tick()
    assert any("taken you out" in one for one in club.subjects("Tern"))


@pytest.mark.parametrize("rule", ["strikes=x", "strikes=-1", "strikes=100"])
def test_strikes_is_a_number(club: ClubHome, rule: str) -> None:
    club.offer("toy", "g1")
    assert club.run("schedule", "g1", "every=2d", rule).code == 2
