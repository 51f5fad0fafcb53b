"""Windows that closed without the orders of a side that owed them: counted, and told to all."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from subprocess import run

import pytest

import games
from pbem.admin.commands import schedule
from pbem.admin.setup import Choices
from pbem.errors import Usage
from pbem.model import Side
from pbem.store.game_dir import writing
from pbem.turns.missed import nth
from pbem.turns.schedule import read_rule
from tests.cli.commands import pbem
from tests.conftest import Clock
from tests.faults.hooks import constant
from tests.mail.office import Office
from tests.referee import Referee
from tests.secrecy import artefacts, differences
from tests.turns.test_run_on import agree, quiet

ROOT = Path(__file__).parent.parent.parent

FOX = Side("fox")


def test_the_moderator_sees_the_count(referee: Referee, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_HOME", str(referee.home))
    for _ in range(2):
        assert referee.order("hunter", referee.suggested("hunter")).good
        referee.run(force=True)
    assert "missed 2 windows" in pbem("status", "g1").out
    seats = pbem("status", "g1", "--json").json["sides"]
    assert (seats["fox"]["missed"], seats["hunter"]["missed"]) == (2, 0)


def test_only_windows_that_a_side_owed_count(tmp_path: Path, clock: Clock) -> None:
    """Only the side with the Initiative owes orders."""
    referee = Referee.opened(tmp_path, games.load("atlantic_chase"), dice="seeded")
    (owing,) = referee.register.owed
    referee.run(force=True)
    assert referee.register.lapses == [(1, owing)]


def test_an_undo_takes_the_count_back(referee: Referee) -> None:
    referee.run(force=True)
    assert (1, FOX) in referee.register.lapses
    referee.undo(reopen=True)
    assert not referee.register.lapses


def told(referee: Referee, side: str) -> tuple[object, list[str]]:
    """What a side's newest report says of missed windows, as data and in words."""
    report = referee.report(side)
    return report.get("missed"), [line for line in report["flags"] if "missed" in line]


def test_all_sides_are_told_once_the_window_has_closed(referee: Referee) -> None:
    assert told(referee, "hunter") == (None, [])
    for word in ("first", "second"):
        assert referee.order("hunter", referee.suggested("hunter")).good
        referee.run(force=True)
        line = f"The fox missed the last turn, the {word} time."
        count = {"first": 1, "second": 2}[word]
        for side in ("fox", "hunter"):
            assert told(referee, side) == ({"fox": count}, [line])
        text = (referee.folder / f"reports/hunter/{count + 1}/report.txt").read_text()
        assert f"The fox missed the last turn, for the {word} time." in " ".join(text.split())
        own = (referee.folder / f"reports/fox/{count + 1}/report.txt").read_text()
        assert f"You missed the last turn, for the {word} time." in " ".join(own.split())
    referee.go("fox", "hunter")
    assert told(referee, "hunter") == (None, [])
    assert referee.audit().whole


def test_orders_that_do_not_count_are_no_orders(referee: Referee) -> None:
    """Refused as a whole; orders that are refused in part count."""
    assert not referee.receive(referee.block("fox", "FOX: move A2;"))[0].good
    assert referee.refused("hunter", "HOUND: fly A2;")
    referee.run(force=True)
    assert told(referee, "fox")[0] == {"fox": 1}


def test_a_game_may_keep_it_hidden(tmp_path: Path, clock: Clock) -> None:
    for missed in ("hidden", "told"):
        referee = Referee.made(
            tmp_path / missed, games.load("toy"), Choices(seed="x", missed=missed)
        )
        referee.open()
        referee.run(force=True)
        assert bool(told(referee, "fox")[0]) == (missed == "told")
        assert referee.audit().whole
        assert verified(referee) == 0
    with pytest.raises(Usage, match="--missed cannot be"):
        Referee.made(tmp_path / "x", games.load("toy"), Choices(missed="never"))


@pytest.mark.parametrize("dice", ["fast", "strict", "hand", "seeded"])
def test_a_moderator_is_warned_that_links_tell_who_missed(dice: str, tmp_path: Path) -> None:
    said = pbem("--home", tmp_path, "new", "toy", "g1", "--missed", "hidden", "--dice", dice)
    assert said.code == 0
    assert ("all learn who sent nothing" in said.err) == (dice in ("fast", "strict"))


def verified(referee: Referee) -> int:
    """The exit code of verify.py on the ledger."""
    said = run(
        [sys.executable, "verify.py", referee.folder / "ledger.jsonl"],
        cwd=ROOT,
        check=False,
        capture_output=True,
    )
    return said.returncode


def test_a_side_that_owed_nothing_missed_nothing(tmp_path: Path, clock: Clock) -> None:
    referee = Referee.opened(tmp_path, games.load("atlantic_chase"), dice="seeded")
    (owing,) = referee.register.owed
    referee.run(force=True)
    assert told(referee, "british")[0] == {owing: 1}


def test_an_agreed_run_owes_no_orders(tmp_path: Path, clock: Clock) -> None:
    referee = quiet(tmp_path)
    agree(referee, 3, 3)
    assert len(referee.run().before) == 2
    assert told(referee, "fox") == (None, [])


def test_the_moderator_gets_a_mail(referee: Referee, clock: Clock) -> None:
    office = Office(referee)
    with writing(referee.home, "g1") as game:
        schedule(game, read_rule(["every=1d"]))
    office.orders("hunter")
    office.tick()
    office.empty()
    clock.advance(days=1, minutes=1)
    assert office.one().closed == 1
    assert office.subjects("mod") == ["g1: The fox missed turn 1 (first time); the game goes on"]
    assert "All sides are told." in office.bodies("mod")
    said = " ".join(office.bodies("hunter").split())
    assert "The fox missed the last turn, for the first time." in said


@pytest.mark.parametrize(
    ("count", "said"), [(1, "first"), (10, "tenth"), (11, "11th"), (21, "21st"), (112, "112th")]
)
def test_how_often_is_said_in_words(count: int, said: str) -> None:
    assert nth(count) == said


def test_an_open_window_tells_nobody_who_has_sent(tmp_path: Path, clock: Clock) -> None:
    """Two worlds: the hunter has sent orders, often, or none. The fox sees no difference before the
    window closes, whatever he asks, and then the one that this page is about."""
    worlds = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "urandom", constant)
        for name in ("sent", "silent"):
            office = Office(Referee.toy(tmp_path / name))
            office.tick()
            for _ in range(3 if name == "sent" else 0):
                office.mail("hunter", office.referee.orders("hunter", "HOUND: move D5;"))
                office.one()
            office.mail("fox", "status", subject="g1")
            office.mail("fox", office.referee.block("fox", "FOX: move A2;", seq=1_795_200_000))
            office.one()
            worlds.append(office)
        one, two = (artefacts(office.referee, "fox") for office in worlds)
        assert len(one) > 20
        assert differences(one, two) == []
        for office in worlds:
            office.referee.run(force=True)
    assert [told(office.referee, "fox")[0] for office in worlds] == [
        {"fox": 1},
        {"fox": 1, "hunter": 1},
    ]


def test_what_was_sent_is_not_told(tmp_path: Path, clock: Clock) -> None:
    """Two worlds that differ only in what the hunter sent look the same when it has closed."""
    worlds = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "urandom", constant)
        for name, lines in (
            ("one", ["HOUND: move D5;"]),
            ("two", ["HOUND: fly;", "HOUND: move E4;"]),
        ):
            referee = Referee.toy(tmp_path / name)
            for line in lines:
                referee.order("hunter", line)
            referee.run(force=True)
            worlds.append(artefacts(referee, "fox"))
    assert differences(*worlds) == []


def test_the_side_that_is_waited_for_alone_hears_when_its_window_closes(
    tmp_path: Path, clock: Clock
) -> None:
    """Whose orders are due is on every report; whether others have sent some is told to nobody."""
    referee = Referee.made(tmp_path, games.load("atlantic_chase"), Choices(seed="x"))
    with writing(referee.home, referee.name) as game:
        schedule(game, read_rule(["every=3d"]))
    referee.open()
    (owing,) = referee.register.owed
    (other,) = {*referee.register.sides} - {owing}
    said = {
        side: referee.order(side, referee.suggested(side)).text for side in (other, owing, other)
    }
    assert "The window closes about 30 minutes after this set: it waits for you." in said[owing]
    rule = "The window closes 30 minutes after the last orders that it waits for."
    assert rule in said[other]
