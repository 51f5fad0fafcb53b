"""The site in two worlds that one side cannot tell apart: every byte and every moment at which a
page is written is the same in both."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from games.bismarck.game import SYSTEM as BISMARCK
from pbem.base.config import load
from pbem.cli.common import system_named
from pbem.club import facts, site
from pbem.club.state import locked
from pbem.model import System
from pbem.outbound.spectators import enrol_site
from pbem.store.game_dir import Game, writing
from tests import mailed
from tests.bismarck import test_leaks
from tests.cli.commands import pbem
from tests.conftest import Clock
from tests.mailed import MailedWorld
from tests.referee import Referee
from tests.secrecy import Artefacts, differences
from tests.toy import test_secrecy as toy

CLUB = 'address = "games@club.example"\n[club]\nname = "Club"\nsite = "public"\nnames = "end"\n'


def watched(referee: Referee) -> Referee:
    """The referee's home as that of a club whose site watches the game."""
    (referee.home / "pbem.toml").write_text(CLUB)
    with writing(referee.home, referee.name) as game:
        enrol_site(game)
    return referee


def look(world: MailedWorld) -> None:
    """Bring the site up to date; keep what it shows, and how much was written."""
    home, talk = world.referee.home, list[str]()
    with locked(home, load(home)) as club:
        count = site.update(club, {}, system_named, talk)
    assert not talk
    root = home / "public"
    for path in sorted(root.rglob("*.*")):
        if path.is_file():
            world.receipts.append(f"{path.relative_to(root)} {path.read_text('utf-8')}")
    world.receipts.append(f"written: {count}")


class ToyWorld(toy.World):
    """Fox and Hound with a site."""

    def make(self, home: Path, play: str) -> Referee:
        return watched(super().make(home, play))

    def other_mail(self, n: int, clock: Clock, early: bool) -> None:
        super().other_mail(n, clock, early)
        look(self)

    def window(self, n: int, clock: Clock) -> None:
        super().window(n, clock)
        if not self.referee.register.over:  # the end shows everything to everybody
            look(self)


class BismarckWorld(test_leaks.World):
    """Bismarck with a site."""

    def other_mail(self, n: int, clock: Clock, early: bool) -> None:
        super().other_mail(n, clock, early)
        look(self)

    def window(self, n: int, clock: Clock) -> None:
        super().window(n, clock)
        look(self)


def bismarck(folder: Path) -> tuple[Artefacts, Artefacts]:
    """The German officer's two worlds."""

    def make(name: str) -> BismarckWorld:
        referee = Referee.opened(folder / name, BISMARCK, dice="seeded")
        return BismarckWorld(watched(referee), "german", Random(name))

    return mailed.two_worlds(make, 2)


@pytest.mark.parametrize("side", ["fox", "hunter"])
def test_the_site_tells_no_side_anything(side: str, tmp_path: Path) -> None:
    one, two = toy.two_worlds(tmp_path, side, 1, windows=6, kind=ToyWorld)
    assert sum(b"g/g1.html" in content for content in one.values()) > 12
    assert differences(one, two) == []


def test_the_site_of_bismarck_tells_no_side_anything(tmp_path: Path) -> None:
    one, two = bismarck(tmp_path)
    assert differences(one, two) == []


def who_is_in(game: Game, system: System, mark: tuple[int, int]) -> facts.Facts:
    found = facts.facts_of(game, system, mark)
    found.headline = f"{len(game.register.sets)} sets are in"
    return found


def ledger(game: Game, system: System, mark: tuple[int, int]) -> facts.Facts:
    found = facts.facts_of(game, system, mark)
    found.turns = mark[0]
    return found


def truth(game: Game, system: System, mark: tuple[int, int]) -> facts.Facts:
    found = facts.facts_of(game, system, mark)
    side = game.register.sides[-1]
    found.label = game.read("reports", side, str(game.register.window), "report.txt").decode()
    return found


@pytest.mark.parametrize("leak", [who_is_in, ledger, truth])
def test_a_planted_leak_is_found(
    leak: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(site, "facts_of", leak)
    with mailed.until_they_differ():
        one, two = toy.two_worlds(tmp_path, "fox", 1, windows=6, kind=ToyWorld)
    assert differences(one, two)


def test_a_chart_of_what_one_side_knows_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(site, "ALL", "hunter")  # the chart is drawn from his report
    with mailed.until_they_differ():
        one, two = toy.two_worlds(tmp_path, "fox", 1, windows=6, kind=ToyWorld)
    found = differences(one, two)
    assert any("outlined" in one for one in found) and any("var(--" in one for one in found)


def test_grace_and_who_is_in_are_not_on_the_site(tmp_path: Path, clock: Clock) -> None:
    referee = watched(Referee.toy(tmp_path / "home"))
    said = pbem("--home", referee.home, "schedule", "g1", "every=2d", "grace=5h", "strikes=2")
    assert said.code == 0
    world = ToyWorld.__new__(ToyWorld)
    world.referee, world.receipts = referee, []
    look(world)
    shown = "".join(world.receipts)
    assert "grace" not in shown
    assert "2 days" in shown
