"""A tick does not open idle games, and they miss nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pbem.admin.commands import schedule
from pbem.admin.setup import Choices
from pbem.inbound.spool import FOLDER
from pbem.outbound.notices import note
from pbem.scheduler import tick
from pbem.scheduler.idle import FILE
from pbem.store.game_dir import writing
from pbem.store.records import Held
from pbem.turns.schedule import read_rule
from tests.conftest import Clock
from tests.mail.office import Office
from tests.referee import Referee

RULES = (
    "every=1d at=20:00",
    "every=2d remind=6h grace=3h nmr=wait",
    "every=36h early=5h nmr=hold",
    "every=1d early=off nmr=bot",
    "every=12h not-before=2026-11-22 remind=off nmr=standing",
)


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the games that ticks have opened."""
    names: list[str] = []

    def open_game(home: Path, name: str) -> Any:
        names.append(name)
        return writing(home, name)

    monkeypatch.setattr(tick, "writing", open_game)
    return names


def taken(names: list[str]) -> list[str]:
    """The names so far, which are forgotten."""
    found = names[:]
    names.clear()
    return found


@pytest.fixture
def two(office: Office) -> Referee:
    """A second game, beside that of the office."""
    second = Referee.made(office.home, office.referee.system, Choices(seed="2"), "g2")
    second.open()
    office.tick()
    office.empty()
    return second


def test_only_games_with_something_new_are_opened(
    office: Office, two: Referee, opened: list[str]
) -> None:
    assert set(office.tick()) == {"g1", "g2"}
    assert taken(opened) == []
    office.orders("fox")
    assert office.tick()["g1"].dealt.taken == 1
    assert taken(opened) == ["g1"]
    with writing(office.home, "g2") as game:
        note(game, ["fox"], "Gale warning.\n")
    assert office.tick()["g2"].sent == 1
    assert taken(opened) == ["g2"]
    office.tick()
    assert taken(opened) == []


@pytest.mark.parametrize("left", ["private/stage/99", "private/inbox/x.tmp"])
def test_a_game_in_which_a_killed_run_left_something_is_opened(
    left: str, office: Office, opened: list[str]
) -> None:
    path = office.referee.folder / left
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b"")
    office.tick()
    assert taken(opened) == ["g1"]


@pytest.mark.parametrize("spoilt", [b"", b"{", b'{"under":"x","games":{"g1":[[1,2],"",""]}}'])
def test_a_damaged_cache_of_idle_games_is_ignored(
    spoilt: bytes, office: Office, opened: list[str]
) -> None:
    (office.home / FOLDER / FILE).write_bytes(spoilt)
    office.tick()
    assert taken(opened) == ["g1"]
    office.tick()
    assert taken(opened) == []


def test_another_configuration_is_another_tick(office: Office, opened: list[str]) -> None:
    with (office.home / "pbem.toml").open("a") as file:
        file.write("[limits]\noutage = 7\n")
    office.tick()
    assert taken(opened) == ["g1"]


def test_a_clock_before_the_last_record_is_noticed(
    office: Office, clock: Clock, opened: list[str]
) -> None:
    clock.advance(hours=-1)
    assert "of the ledger is dated" in " ".join(office.tick()["g1"].talk)
    assert taken(opened) == ["g1"]


def test_what_waits_for_the_moderator_is_looked_at_each_time(
    office: Office, opened: list[str]
) -> None:
    """Nor does a game rest whose mail could not be sent, or that is held."""
    with writing(office.home, "g1") as game:
        game.commit(Held(reason="storm", by="moderator"))
    for _ in range(2):
        assert office.one().held == "storm"
        assert taken(opened) == ["g1"]


def story(home: Path, rule: str, clock: Clock, forget: bool) -> list[tuple[str, str]]:
    """Four days of ticks every four hours of a game on that schedule; what was recorded, and when.

    Fox orders late on some days, the hunter early on others; on the second he is away.
    """
    clock.set("2026-11-20T12:00:00Z")
    referee = Referee.toy(home)
    office = Office(referee)
    with writing(home, "g1") as game:
        schedule(game, read_rule([rule]))
    for hour in range(0, 96, 4):
        clock.set(f"2026-11-{20 + (12 + hour) // 24}T{(12 + hour) % 24:02}:00:00Z")
        if forget:
            (home / FOLDER / FILE).unlink(missing_ok=True)
        open_now = referee.register.window and not referee.register.over
        if open_now and hour in (12, 52, 72):
            office.orders("fox")
        if open_now and hour in (4, 52):
            office.orders("hunter", "ABSENT UNTIL 2026-11-23;\n" if hour == 4 else "")
        office.tick()
    return [(r.at, r.kind) for r in referee.records]


@pytest.mark.parametrize("rule", RULES)
def test_a_game_that_rests_misses_no_moment(
    rule: str, tmp_path: Path, clock: Clock, opened: list[str]
) -> None:
    awake = story(tmp_path / "awake", rule, clock, forget=True)
    looked = len(taken(opened))
    assert looked == 24
    assert story(tmp_path / "resting", rule, clock, forget=False) == awake
    assert {kind for _, kind in awake} & {"closed", "held"}
    assert len(taken(opened)) < looked - 5
