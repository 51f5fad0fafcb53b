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
from tests.club.house import House, address
from tests.conftest import Clock
from tests.faults.hooks import KILLED, count, in_child

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="kills need fork")
Drawn = Callable[[Sequence[int], int], Sequence[int]]
SITE = 'site = "../public"'


def full_table(home: Path) -> House:
    """A club in whose mailbox wait: the last answer to a letter, a question, a wish."""
    house = House(home, SITE)
    house.offer("toy", "g1")
    house.join("Orion", "g1", "fox")
    house.write("Ajax", "", "JOIN g1 hunter")
    house.tick()
    house.write("Ajax", house.answer("Ajax"))
    house.write("Tern", "", "GAMES")
    house.write("Delta", "", "STANDBY toy")
    return house


def outcome(house: House) -> tuple[object, ...]:
    """What must be the same after any kill."""
    game = reading(house.home, "g1")
    held = {side: [one["email"] for one in some] for side, some in addresses(game).items()}
    state = house.state
    pages = {p.name for p in (house.home.parent / "public").rglob("*.html")}
    mails = Counter(str(m["Subject"]).partition("CONFIRM")[0] for m in house.mails("Tern"))
    mails += Counter(str(m["Subject"]).partition("CONFIRM")[0] for m in house.mails("Delta"))
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

    def copy(name: str) -> House:
        shutil.copytree(tmp_path / "made", tmp_path / name)
        house = House.__new__(House)
        house.home, house._count = tmp_path / name / "home", made._count
        return house

    whole = copy("whole")
    calls = count(whole.tick)
    whole.tick()
    expected = outcome(whole)
    assert expected[0] == {"fox": [address("Orion")], "hunter": [address("Ajax")]}
    assert expected[1] == 1
    for k in drawn(range(1, calls + 1), 8):
        house = copy(f"killed{k}")
        assert in_child(house.tick, k) == KILLED
        house.tick()
        house.tick()
        assert outcome(house) == expected, f"killed at call {k} of {calls}"
        assert house.run("audit", "g1").code == 0
        sent = Counter(str(mail["Message-ID"]) for mail in house.mails())
        assert max(sent.values()) <= 2
        shutil.rmtree(tmp_path / f"killed{k}")
