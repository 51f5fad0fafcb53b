"""Entrants of a tournament who do not take their seats: reminded, left out, and what the table
says of it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tests.club.club_home import ClubHome, address
from tests.conftest import Clock
from tests.faults.hooks import KILLED, count, in_child

NAMES = ("Orion", "Ajax", "Tern", "Delta")
ALONE = ("cup1a", "hunter")
"""The seat that is not taken."""


def begun(club: ClubHome, *more: str) -> ClubHome:
    """A tournament `cup` that four people entered without a key: all get joining letters."""
    said = ("--system", "toy", "--chart", "none", "--dice", "seeded", "--size", "4")
    assert club.run("tournament", "cup", *said, *more).code == 0
    for name in NAMES:
        club.write(name, "", "JOIN cup")
    club.tick()
    for name in NAMES:
        club.write(name, "", f"Re: CONFIRM {club.code(name)}")
    club.tick()
    return club


def holder(club: ClubHome, game: str, side: str) -> str:
    """The player who is paired to a seat."""
    email = club.state.offers[game].held[side]
    return next(name for name in NAMES if address(name) == email)


def seated(club: ClubHome, *free: tuple[str, str]) -> None:
    """All take their seats but those."""
    for game in [name for name, offer in club.state.offers.items() if not offer.opened]:
        for side in club.state.offers[game].held:
            if (game, side) not in free:
                player = holder(club, game, side)
                letters = [m for m in club.mails(player) if "join" in str(m).lower()]
                assert letters
                club.write(player, club.answer(player))
                club.tick()


def points(club: ClubHome) -> dict[str, float]:
    table = club.run("tournament", "cup", "--json").json["table"]
    shown = {row["name"]: row["points"] for row in table}
    named = {club.state.members[a].name: a for a in map(address, NAMES) if a in club.state.members}
    return {a: shown[name] for name, a in named.items() if name in shown}


def told(club: ClubHome, player: str, words: str) -> int:
    return sum(words in subject for subject in club.subjects(player))


def test_who_does_not_come_is_reminded_and_then_left_out(club: ClubHome, clock: Clock) -> None:
    begun(club, "--rounds", "2")
    seated(club, ALONE)
    silent, waiting = holder(club, *ALONE), holder(club, "cup1a", "fox")
    clock.advance(hours=47)
    club.tick()
    assert told(club, silent, "waits for you") == 0
    clock.advance(hours=1)
    club.tick()
    club.tick()
    assert told(club, silent, "cup: cup1a waits for you") == 1
    assert told(club, waiting, "waits for you") == 0
    assert "JOIN cup1a hunter" in club.text(silent)
    clock.advance(hours=47)
    club.tick()
    assert not club.register("cup1a").over
    clock.advance(hours=1)
    club.tick()
    over = club.register("cup1a").over
    assert over
    assert over.result == "fox"
    assert told(club, silent, "you are out of cup") == 1
    assert told(club, waiting, "the point is yours") == 1
    assert told(club, "mod", "cup1a of cup is not played") == 1
    assert address(silent) in club.text("mod")
    assert club.run("end", "cup1b", "--result", "fox", "--reason", "test").code == 0
    club.tick()
    (pair, *rest) = club.state.tournaments["cup"].played[1].pairings
    assert address(silent) not in {email for one in (pair, *rest) for email in one}
    assert address(waiting) in {email for one in (pair, *rest) for email in one}
    assert points(club)[address(waiting)] >= 1
    assert points(club)[address(silent)] == 0
    assert club.run("audit", "cup1a").code == 0
    assert "no finished game counts" in club.run("standings").out or "cup1a" not in str(
        club.run("standings", "--json").json
    )


def test_the_reminder_brings_the_player(club: ClubHome, clock: Clock) -> None:
    """He asks for the letter again, as the reminder says, and the game opens."""
    begun(club)
    seated(club, ALONE)
    silent = holder(club, *ALONE)
    clock.advance(hours=48)
    club.tick()
    club.write(silent, "", "JOIN cup1a hunter")
    club.tick()
    club.write(silent, club.answer(silent))
    club.tick()
    assert club.register("cup1a").window == 1
    clock.advance(days=9)
    club.tick()
    assert not club.register("cup1a").over
    assert told(club, silent, "you are out") == 0


def test_a_tick_after_a_long_pause_reminds_first(club: ClubHome, clock: Clock) -> None:
    begun(club)
    clock.advance(days=30)
    club.tick()
    assert all(told(club, name, "waits for you") == 1 for name in NAMES)
    assert not club.register("cup1a").over


def test_of_two_who_do_not_come_neither_gets_a_point(club: ClubHome, clock: Clock) -> None:
    begun(club, "--rounds", "2")
    seated(club, ALONE, ("cup1a", "fox"))
    for _ in range(2):
        clock.advance(hours=48)
        club.tick()
    over = club.register("cup1a").over
    assert over
    assert over.result == "none"
    assert set(club.state.tournaments["cup"].gone) == set(club.state.offers["cup1a"].held.values())
    assert club.run("end", "cup1b", "--result", "draw", "--reason", "test").code == 0
    club.tick()
    table = club.run("tournament", "cup", "--json").json["table"]
    assert sorted(row["points"] for row in table) == [0, 0, 0.5, 0.5]


def test_who_has_left_is_waited_for_no_more(club: ClubHome, clock: Clock) -> None:
    """By his own wish or the moderator's: at once, and without a reminder."""
    begun(club)
    seated(club, ALONE, ("cup1b", "hunter"))
    first, second = holder(club, *ALONE), holder(club, "cup1b", "hunter")
    assert club.run("tournament", "cup", "--remove", address(first)).code == 0
    club.write(second, "", "LEAVE cup")
    club.tick()
    club.write(second, "", f"CONFIRM {club.code(second)}")
    club.tick()
    club.tick()
    for game, gone in (("cup1a", first), ("cup1b", second)):
        over = club.register(game).over
        assert over
        assert over.result == "fox"
        assert told(club, gone, "waits for you") == 0
        assert told(club, gone, "you are out") == 0, "he knows"


def test_an_answer_that_comes_too_late_is_answered(club: ClubHome, clock: Clock) -> None:
    begun(club)
    seated(club, ALONE)
    silent = holder(club, *ALONE)
    late = club.answer(silent)
    for _ in range(2):
        clock.advance(hours=48)
        club.tick()
    records = club.register("cup1a").n
    for _ in range(2):
        club.write(silent, late)
        club.tick()
    assert told(club, silent, "Your answer came too late") == 1
    assert not [o for o in club.register("cup1a").officers if o.side == "hunter"]
    assert club.register("cup1a").n <= records + 2
    club.write(silent, "", "JOIN cup")
    club.tick()
    club.write(silent, "", f"CONFIRM {club.code(silent)}")
    club.tick()
    assert club.state.tournaments["cup"].gone == []


@pytest.mark.skipif(not hasattr(os, "fork"), reason="kills need fork")
def test_a_tick_killed_while_it_leaves_somebody_out_is_finished_by_the_next(
    tmp_path: Path, clock: Clock, drawn: Callable[[Sequence[int], int], Sequence[int]]
) -> None:
    (tmp_path / "made").mkdir()
    made = begun(ClubHome(tmp_path / "made" / "home"))
    seated(made, ALONE)
    silent, waiting = holder(made, *ALONE), holder(made, "cup1a", "fox")
    clock.advance(hours=48)
    made.tick()
    clock.advance(hours=48)

    def copy(name: str) -> ClubHome:
        shutil.copytree(tmp_path / "made", tmp_path / name)
        club = ClubHome.__new__(ClubHome)
        club.home, club._count = tmp_path / name / "home", made._count
        return club

    def outcome(club: ClubHome) -> tuple[object, ...]:
        over = club.register("cup1a").over
        mails = [sorted(club.subjects(name)) for name in (silent, waiting, "mod")]
        return over and over.result, mails, club.state.tournaments["cup"].gone

    whole = copy("whole")
    calls = count(whole.tick)
    whole.tick()
    expected = outcome(whole)
    assert expected[0] == "fox"
    for k in drawn(range(1, calls + 1), 6):
        club = copy(f"killed{k}")
        assert in_child(club.tick, k) == KILLED
        club.tick()
        club.tick()
        assert outcome(club) == expected, f"killed at call {k} of {calls}"
