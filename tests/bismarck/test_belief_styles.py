"""Styles of raiders in beliefs: where errands lead, who hides, who turns back."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from random import Random

import pytest
from msgspec import convert

from games.bismarck import board
from games.bismarck.belief_styles import (
    DRIFTER,
    ERRAND,
    HIDER,
    STYLES,
    TURNER,
    Raider,
    cost,
    course,
    led,
    lonely,
    numbers,
    sail,
    tank,
)
from games.bismarck.belief_told import Told
from games.bismarck.board import GERMAN, Zone
from games.bismarck.bot_common import Report
from games.bismarck.calendar import FIRST, LAST


def told(turn: int, found: bool = False) -> Told:
    """A turn of which nothing was told."""
    board_ = {"level": "3", "fog": False, "night": "none", "searched": [], "points": []}
    board_ |= {"convoys": 0, "damage": []}
    said = {"side": GERMAN, "turn": turn, "units": [], "contacts": [], "events": []}
    knows = convert({**said, "board": board_}, Report)
    return Told(turn=turn, level=3, fog=False, evasion=29, knows=knows, found=found)


def voyage(plan: int, seed: str) -> Iterator[Raider]:
    """A guess after each turn of a game in which nobody meets her."""
    guess, draws = Raider(plan, board.BERGEN, fuel=tank()), Random(seed)
    for turn in range(FIRST, LAST):
        guess, orders = led(guess, told(turn), draws)
        guess = sail(guess, told(turn), *orders)
        yield guess


def longest_rest(plan: int, seed: str) -> int:
    """Turns that she lay still in one go."""
    most = now = 0
    for guess in voyage(plan, seed):
        now = 0 if guess.path else now + 1
        most = max(most, now)
    return most


def test_every_style_has_a_share() -> None:
    assert {*numbers().raider} == {"plan", *STYLES}


@pytest.mark.parametrize(("start", "end"), [("F20", "H3"), ("E12", "Q16"), ("A18", "F2")])
@pytest.mark.parametrize("shy", numbers().errand.shy)
def test_a_course_leads_there_step_by_step(start: str, end: str, shy: float) -> None:
    way = course(Zone(start), Zone(end), shy)
    assert way[-1] == end
    assert all(b in board.sea_steps(GERMAN, a) for a, b in pairwise((Zone(start), *way)))


def test_the_shy_go_round() -> None:
    """From Bergen to the Atlantic: a shorter way nearer to the Shetlands, a longer one off them."""
    straight, round_ = (course(Zone("F20"), Zone("H3"), shy) for shy in (0.0, 2.0))
    assert len(straight) < len(round_)
    assert sum(cost(z, 1.0) - 1 for z in straight) > sum(cost(z, 1.0) - 1 for z in round_)


def test_there_is_no_course_to_where_no_way_leads() -> None:
    assert course(Zone("F20"), Zone("M20"), 1.0) == ()


def test_who_hides_lies_long_where_nobody_comes_by() -> None:
    hidden = [
        guess for n in range(20) for guess in voyage(HIDER, f"hide {n}") if guess.plan == HIDER
    ]
    at_rest = [guess for guess in hidden if guess.mark == guess.zone and not guess.path]
    assert {guess.zone for guess in at_rest} <= {*lonely()}
    assert len(at_rest) > len(hidden) / 3


def test_errands_end_in_longer_patrols_than_drifters_make() -> None:
    errands, drifters = (
        sum(longest_rest(plan, f"rest {n}") for n in range(20)) for plan in (ERRAND, DRIFTER)
    )
    assert errands > drifters


def test_some_turn_back_to_where_they_came_from() -> None:
    """At sea she is bound for a zone from which a leg of hers began."""
    back = 0
    for n in range(20):
        marks = set[str]()
        for guess in voyage(TURNER, f"turn {n}"):
            back += guess.rest[-1:] != () and guess.rest[-1] in marks
            marks.add(guess.mark)
    assert back


@pytest.mark.parametrize("plan", [ERRAND, HIDER, TURNER])
def test_who_was_found_makes_off(plan: int) -> None:
    guess, orders = led(Raider(plan, Zone("H9"), fuel=9), told(12, found=True), Random("x"))
    goal = orders[0] or ()
    assert [board.distance(guess.zone, zone) for zone in goal] == [2]
