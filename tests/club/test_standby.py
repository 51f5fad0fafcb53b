"""Strikes, the standby list, and handing a seat over."""

from __future__ import annotations

from datetime import timedelta

import pytest

from pbem.base.clock import now, stamp
from pbem.bots.bot_orders import order_file
from pbem.store.game_dir import reading
from pbem.store.secrets import addresses
from tests.club.house import TOY, House, address
from tests.conftest import Clock
from tests.referee import key_of

RULE = "every=2d strikes=2 remind=off early=30m"


def started(house: House, *more: str, rule: str = RULE) -> House:
    """A running game g1, and two who stand by, Tern before Delta."""
    house.offer("toy", "g1", "--schedule", rule, *more)
    house.join("Orion", "g1", "fox")
    house.join("Ajax", "g1", "hunter")
    for name in ("Tern", "Delta"):
        house.write(name, "", "STANDBY toy")
        house.tick()
        house.write(name, "", f"CONFIRM {house.code(name)}")
        house.tick()
    assert [entry.email for entry in house.state.standby] == [address("Tern"), address("Delta")]
    return house


def order(house: House, player: str, side: str) -> None:
    """Mail a side's bot's orders, signed by a player."""
    report = house.report("g1", side)
    house.write(player, order_file(TOY, report, key_of(player), "luck", report.seq + 100), "g1")


def miss(house: House, clock: Clock, windows: int) -> None:
    """Let deadlines pass for which only Orion writes."""
    for _ in range(windows):
        order(house, "Orion", "fox")
        house.tick()
        clock.advance(days=2)
        house.tick()


def test_a_struck_seat_goes_to_the_oldest_entry(house: House, clock: Clock) -> None:
    started(house)
    miss(house, clock, 2)
    assert house.register("g1").held
    house.tick()
    assert any("seat in g1 is free" in s for s in house.subjects("Tern"))
    assert not any("seat in g1" in s for s in house.subjects("Delta"))
    house.write("Tern", house.answer("Tern"))
    house.tick()
    house.tick()
    register = house.register("g1")
    assert addresses(reading(house.home, "g1"))["hunter"][0]["email"] == address("Tern")
    assert not register.held
    assert [entry.email for entry in house.state.standby] == [address("Delta")]
    assert not house.state.vacancies
    order(house, "Tern", "hunter")
    order(house, "Orion", "fox")
    house.tick()
    assert {str(side) for side in house.register("g1").sets} == {"fox", "hunter"}
    assert house.run("audit", "g1").code == 0


def test_who_does_not_answer_is_followed_by_the_next(house: House, clock: Clock) -> None:
    started(house)
    miss(house, clock, 2)
    clock.advance(days=1, hours=23)
    house.tick()
    assert not any("seat in g1" in s for s in house.subjects("Delta"))
    clock.advance(hours=1)
    house.tick()
    house.write("Delta", house.answer("Delta"))
    house.tick()
    assert addresses(reading(house.home, "g1"))["hunter"][0]["email"] == address("Delta")
    house.write("Tern", house.answer("Tern"))
    house.tick()
    house.tick()
    assert addresses(reading(house.home, "g1"))["hunter"][0]["email"] == address("Delta")
    assert any("taken" in s for s in house.subjects("Tern"))


def test_a_player_who_is_back_keeps_his_seat(house: House, clock: Clock) -> None:
    started(house)
    miss(house, clock, 2)
    house.tick()
    order(house, "Ajax", "hunter")
    house.tick()
    assert not house.register("g1").held
    assert not house.state.vacancies
    house.write("Tern", house.answer("Tern"))
    house.tick()
    assert addresses(reading(house.home, "g1"))["hunter"][0]["email"] == address("Ajax")


def test_a_bot_plays_on_where_it_may_and_the_seat_is_offered(house: House, clock: Clock) -> None:
    started(house, rule=RULE + " nmr=bot")
    miss(house, clock, 2)
    register = house.register("g1")
    assert [str(side) for _, side in register.lapses] == ["hunter", "hunter"]
    assert not register.held
    assert register.window == 3
    assert set(house.state.vacancies["g1"]) == {"hunter"}
    assert "missed" in house.text("Orion")
    house.write("Tern", house.answer("Tern"))
    house.tick()
    assert not house.state.vacancies
    assert house.run("audit", "g1").code == 0


def test_a_resigned_seat_is_offered(house: House, clock: Clock) -> None:
    started(house)
    report = house.report("g1", "hunter")
    from pbem.player.sign import block_of, header_of
    from tests.referee import signed

    text = block_of(header_of(report, report.seq + 100), "RESIGN;")
    house.write("Ajax", signed(text, key_of("Ajax")))
    house.tick()
    assert house.register("g1").held
    house.write("Tern", house.answer("Tern"))
    house.tick()
    house.tick()
    assert not house.register("g1").held


def test_the_moderator_learns_that_nobody_is_left(house: House, clock: Clock) -> None:
    started(house)
    for name in ("Tern", "Delta"):
        house.write(name, house.signed_wish(name, "LEAVE", stamp(now())))
        house.tick()
        house.write(name, "", f"CONFIRM {house.code(name)}")
        house.tick()
    miss(house, clock, 2)
    for _ in range(3):
        house.tick()
    assert sum("nobody on the standby list" in s for s in house.subjects("mod")) == 1


def test_who_plays_already_is_not_asked(house: House, clock: Clock) -> None:
    started(house)
    entry = house.state.standby
    assert entry
    house.write("Orion", "", "STANDBY toy hunter")
    house.tick()
    house.write("Orion", "", f"CONFIRM {house.code('Orion')}")
    house.tick()
    miss(house, clock, 2)
    for _ in range(3):
        clock.set(stamp(now() + timedelta(days=2)))
        house.tick()
    assert not any("seat in g1 is free" in s for s in house.subjects("Orion"))


@pytest.mark.parametrize("rule", ["strikes=x", "strikes=-1", "strikes=100"])
def test_strikes_is_a_number(house: House, rule: str) -> None:
    house.offer("toy", "g1")
    assert house.run("schedule", "g1", "every=2d", rule).code == 2
