"""What stops agreed turns: facts that both players are told of, nothing that one alone knows."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from games.bismarck import events as ev
from games.bismarck import events_battle as battle
from games.bismarck.game import SYSTEM
from games.bismarck.public import TOGETHER, public
from games.bismarck.state import BRITISH, GERMAN
from pbem.admin.setup import Choices
from pbem.bots.bot_orders import Match
from pbem.model import Told
from pbem.turns.run_on import shared
from tests.conftest import Clock
from tests.referee import Referee

SIDES = (BRITISH, GERMAN)


@pytest.mark.some(1)
@pytest.mark.parametrize("play", ["plotted", "asked"])
def test_what_is_told_in_two_ways_is_always_told_to_both(play: str, nightly: bool) -> None:
    """Else the stop of a run would say that the other side was told something."""
    met: Counter[str] = Counter()
    for n in range(100 if nightly else 8):
        for closing in Match(SYSTEM, "basic", {"play": play}, f"public {n}").play():
            facts: dict[str, set[str]] = {}
            for one in closing.told:
                if type(one.event) in TOGETHER and public(one.event):
                    facts.setdefault(public(one.event), set()).update(one.to)
                    met[type(one.event).__name__] += 1
            assert all(heard == set(SIDES) for heard in facts.values()), facts
    assert met["Located"] > 10
    assert met["ShadowHeld"] > 2


def test_routine_stops_nothing() -> None:
    sky = ev.VisibilitySet(rule="7.14", level="4", fog=False)
    chance = ev.ChanceRolled(rule="10.1", ship="BISMARCK", roll=7, entry="CONVOY")
    assert not shared(SYSTEM, SIDES, [Told(SIDES, sky), Told(SIDES, chance)])


def test_secrets_stop_nothing() -> None:
    passed = ev.CallHeard(rule="7.23", zone="A1")
    moved = ev.ShipMoved(rule="5.1", who="HOOD", origin="A1", path=("A2",))
    split = battle.ForceSplit(rule="8.16", about="EN1", types=("CA",))
    told = [Told((GERMAN,), passed), Told((BRITISH,), moved), Told((BRITISH,), split)]
    assert not shared(SYSTEM, SIDES, told)


def test_a_search_that_finds_stops_a_run() -> None:
    seen = (ev.Sighting(id="EN1", type="BB"),)
    found = ev.Located(rule="7.23", zone="F20", seen=seen)
    heard = ev.CallHeard(rule="7.23", zone="F20", who=("Bismarck",))
    assert shared(SYSTEM, SIDES, [Told((BRITISH,), found), Told((GERMAN,), heard)])


def test_quiet_turns_run_on_by_mail(tmp_path: Path, clock: Clock) -> None:
    referee = Referee.made(tmp_path, SYSTEM, Choices(seed="quiet"))
    referee.open()
    assert referee.order("british", "RUN 4;").good
    assert referee.order("german", "RUN 2;\nBISMARCK: hold;").good
    done = referee.run()
    ran = [r.body["run"]["why"] for r in referee.records if r.kind == "closed"]
    assert (len(done.before), done.window, ran) == (1, 2, ["on", "agreed"])
    assert referee.report("british")["turn"] == referee.report("british", 1)["turn"] + 2
    assert referee.audit().whole
