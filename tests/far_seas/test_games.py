"""Whole games: between the bots, and of players who order anything that the rules let them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

import games
from games.far_seas.board import SIDES
from games.far_seas.game import SYSTEM
from orders.model import OrderSet
from pbem.admin.setup import Choices, create, enlist_bot, open_game
from pbem.bots.bot_orders import Match, play_bots
from pbem.bots.simulate import play
from pbem.model import Plain, Side
from pbem.player.reader import read_text
from pbem.reports.filters import UNBOUND
from pbem.store.game_dir import writing
from pbem.turns.close_window import run
from tests.conftest import Clock
from tests.luck import pinned
from tests.referee import Referee

OPTIONS = {o.name: o.values[0] for o in SYSTEM.options} | {"play": "plotted"}
SCENARIOS = [s.name for s in SYSTEM.scenarios]
ENDS = {"victory", "no raider left"}


def test_a_game_is_the_same_again() -> None:
    one, two = (play(games.load, "far_seas", "war", OPTIONS, "again") for _ in range(2))
    assert one == two and not one.fault


# Anything that the menu offers


def anything(report: Plain, random: Random) -> str:
    """Orders of the menu at random: any ship, any verb, any value; conditions and scopes too."""
    return "\n".join(_anything(report, random))


def _anything(report: Plain, random: Random) -> Iterator[str]:
    tests = (
        "odds over 1.5",
        "round at least 1",
        "enemy type at least AC",
        "damage under 30",
        "enemy ships over 1",
        "alone",
        "segment is 1",
        "turn over 4",
    )
    names = [c["id"] for c in report["contacts"]]
    mates = [u["id"] for u in report["units"]]
    for actor, items in report["menu"].items():
        if random.random() < 0.25 or not items:
            continue
        for item in random.sample(items, min(len(items), 2)):
            said = " ".join(_args(item, names, mates, random))
            order = f"{item['verb']} {said}".strip()
            if random.random() < 0.2:
                order = f"if {random.choice(tests)} then {order}"
            scope = random.choice(("", "", "", "@", f"turn {report['turn'] + 1} "))
            yield f"{scope}{actor}: {order};"


def _args(
    item: dict[str, Any], names: list[str], mates: list[str], random: Random
) -> Iterator[str]:
    chosen = False
    for arg in item["args"]:
        values = arg.get("values") or {"contact": names, "unit": mates}.get(arg["kind"], [])
        either = item["verb"] in ("seek", "surprise", "target") and arg["name"] != "how"
        if not values or (either and chosen) or arg["name"] == "odds":
            continue
        if either or arg["name"] not in ("how", "by") or random.random() < 0.5:
            chosen = True
            yield ("by " if arg["name"] == "by" else "") + (
                f"to {random.choice(values)}" if item["verb"] == "run" else random.choice(values)
            )


class Wild(Match):
    """A match of players who order anything."""

    def __init__(self, scenario: str, options: dict[str, str], seed: str) -> None:
        super().__init__(SYSTEM, scenario, options, seed)
        self.random = Random(seed)
        self.good = self.bad = 0

    def wild(self, side: Side) -> OrderSet:
        report = self.report(side)
        text = anything(report.plain, self.random)
        text += "".join(
            f"\n{q['id']}: {q['default']};"
            for q in report.plain["questions"]
            if q["default"] and self.random.random() < 0.5
        )
        reading = read_text(SYSTEM, report, f"BEGIN ORDERS\n{text}\nEND ORDERS\n")
        self.good += len(reading.orders.orders)
        self.bad += len(reading.diagnostics)
        return reading.orders

    def over(self, most: int = 400) -> str:
        for _ in range(most):
            sets = {side: self.wild(side) for side in SIDES if self.random.random() < 0.9}
            self.closing = self.drive.close(sets, self.dice)
            SYSTEM.audit(self.drive.state)
            if self.drive.over:
                return self.drive.over.rule
        raise AssertionError(f"no end after {most} windows")


@pytest.mark.some(3)
@pytest.mark.parametrize("play_mode", ["plotted", "asked"])
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_whatever_is_ordered_a_game_ends_soundly(
    scenario: str, play_mode: str, nightly: bool
) -> None:
    good, count = 0, 60 if nightly else 2
    for i in range(count):
        random = Random(i)
        options = {o.name: random.choice(o.values) for o in SYSTEM.options}
        wild = Wild(scenario, {**options, "play": play_mode}, f"wild {scenario} {i}")
        assert wild.over() in ENDS
        assert wild.good > 2 * wild.bad
        good += wild.good
    assert good > 10 * count  # one alone may end in its first turns


# Through files: signatures, reports, ledger


@pytest.mark.some(1)
@pytest.mark.parametrize(("scenario", "mode"), [("war", "plotted"), ("coronel", "asked")])
def test_games_through_files_are_whole(
    scenario: str, mode: str, tmp_path: Path, clock: Clock
) -> None:
    choices = Choices(scenario=scenario, options={"play": mode}, dice="seeded", seed="files")
    create(tmp_path, SYSTEM, "g1", choices)
    with writing(tmp_path, "g1") as game:
        for side in game.register.sides:
            enlist_bot(game, side)
        open_game(game, SYSTEM)
        while game.register.window and not game.register.over:
            play_bots(game, SYSTEM)
            run(game, SYSTEM)
    referee = Referee(tmp_path, SYSTEM)
    over = referee.register.over
    assert over and over.rule in ENDS
    found = referee.audit()
    assert found.whole, found.findings


def test_a_fast_game_without_anchors_is_whole(
    tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sides stand in the rulebook's order, the German first; a ledger sorts them. Keys enlisted
    bare have no link at first, and reports name the sides that have none."""
    pinned(monkeypatch, "emden 2")
    referee = Referee.made(tmp_path, SYSTEM, Choices(scenario="emden", options={}, dice="fast"))
    referee.open()
    for _ in range(3):
        referee.go("german", "british")
    flags = referee.report("british", 2)["flags"]
    assert UNBOUND.format(sides="german, british") in flags
    found = referee.audit()
    assert found.whole, found.findings
