"""A tick of a club killed at any write: nobody is seated twice, and nothing is lost."""

from __future__ import annotations

import os
import shutil
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from pbem.store.game_dir import reading
from pbem.store.secrets import addresses
from tests.club.club_home import ClubHome, address
from tests.conftest import Clock
from tests.faults.hooks import KILLED, count, in_child

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="kills need fork")
Drawn = Callable[[Sequence[int], int], Sequence[int]]
SITE = 'site = "../public"'


def full_table(home: Path) -> ClubHome:
    """A club in whose mailbox wait: the last answer to a letter, a question, a wish."""
    club = ClubHome(home, SITE)
    club.offer("toy", "g1")
    club.join("Orion", "g1", "fox")
    club.write("Ajax", "", "JOIN g1 hunter")
    club.tick()
    club.write("Ajax", club.answer("Ajax"))
    club.write("Tern", "", "GAMES")
    club.write("Delta", "", "STANDBY toy")
    return club


def outcome(club: ClubHome) -> tuple[object, ...]:
    """What must be the same after any kill."""
    game = reading(club.home, "g1")
    held = {side: [one["email"] for one in some] for side, some in addresses(game).items()}
    state = club.state
    pages = {p.name for p in (club.home.parent / "public").rglob("*.html")}
    mails = Counter(str(m["Subject"]).partition("CONFIRM")[0] for m in club.mails("Tern"))
    mails += Counter(str(m["Subject"]).partition("CONFIRM")[0] for m in club.mails("Delta"))
    return (
        held,
        game.register.window,
        sorted(state.members),
        len(state.pending),
        len(state.todo),
        pages,
        sorted(mails),
    )


def test_a_tick_killed_at_any_write_is_finished_by_the_next(
    tmp_path: Path, clock: Clock, drawn: Drawn
) -> None:
    (tmp_path / "made").mkdir()
    made = full_table(tmp_path / "made" / "home")

    def copy(name: str) -> ClubHome:
        shutil.copytree(tmp_path / "made", tmp_path / name)
        club = ClubHome.__new__(ClubHome)
        club.home, club._count = tmp_path / name / "home", made._count
        return club

    whole = copy("whole")
    calls = count(whole.tick)
    whole.tick()
    expected = outcome(whole)
    assert expected[0] == {"fox": [address("Orion")], "hunter": [address("Ajax")]}
    assert expected[1] == 1
    for k in drawn(range(1, calls + 1), 8):
        club = copy(f"killed{k}")
        assert in_child(club.tick, k) == KILLED
        club.tick()
        club.tick()
        assert outcome(club) == expected, f"killed at call {k} of {calls}"
        assert club.run("audit", "g1").code == 0
        sent = Counter(str(mail["Message-ID"]) for mail in club.mails())
        assert max(sent.values()) <= 2
        shutil.rmtree(tmp_path / f"killed{k}")
