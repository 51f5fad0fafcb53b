"""Stepping back: the same dice and reports, fresh numbers for new orders, and a count for all."""

from __future__ import annotations

from email import message_from_bytes
from pathlib import Path
from typing import Any

import pytest

from pbem.errors import Busy
from tests.referee import Referee

SETS = {"fox": "FOX: move A2;", "hunter": "HOUND: move E4;"}
ONCE = "Windows undone so far: 1."


CHANGED = ("window", "commit", "digest", "flags", "head", "seq")


def bare(report: dict[str, Any]) -> dict[str, Any]:
    """A report without what an undo has to change: the chain and the count."""
    return {k: v for k, v in report.items() if k not in CHANGED}


@pytest.fixture
def asked(tmp_path: Path, referee: Referee) -> Referee:
    """A game whose first twig snaps in window 1."""
    game = Referee.toy(tmp_path / "asked", play="asked")
    game.play({"fox": "FOX: move A2;", "hunter": "HOUND: move E4;"})
    return game


def test_nothing_to_undo(referee: Referee) -> None:
    with pytest.raises(Busy):
        referee.undo()


def test_orders_kept_give_the_same_dice_and_reports(referee: Referee) -> None:
    first = referee.play({"fox": "FOX: move A2;", "hunter": "HOUND: move E4;"})[0]
    before = {side: referee.report(side) for side in ("fox", "hunter")}
    done = referee.undo()
    assert (done.windows, done.opens) == ([1], 1)
    again = referee.run()
    assert again.rolls == first.rolls
    assert (again.window, again.opens) == (first.window, first.opens + 1)
    for side, report in before.items():
        assert bare(referee.report(side)) == bare(report)
        assert ONCE in referee.report(side)["flags"]
    assert referee.audit().whole


def test_a_window_whose_orders_are_kept_takes_no_new_ones(referee: Referee) -> None:
    referee.go("fox")
    report = referee.report("fox", 1)
    referee.undo()
    (outcome,) = referee.receive(referee.orders("fox", "FOX: move B1;", report))
    assert outcome.receipt["code"] == "late"


def test_reopened_windows_have_new_numbers_and_take_new_orders(referee: Referee) -> None:
    referee.play({"fox": "FOX: move A2;"})
    done = referee.undo(reopen=True)
    assert (done.windows, done.opens) == ([1], 3)
    for side in ("fox", "hunter"):
        report = referee.report(side)
        assert (report["window"], report["turn"], report["flags"][-1]) == (3, 1, ONCE)
        assert report["taken_back"] == [1]
        folder = referee.folder / "reports" / side / "3"
        mail = message_from_bytes((folder / "report.eml").read_bytes())
        assert mail["Subject"].startswith("[g1] Played again: turn 1")
        assert (
            "TAKEN BACK  The moderator has taken back window 1. Its orders"
            in (folder / "report.txt").read_text()
        )
    assert referee.report("fox")["units"][0]["place"] == "A1"
    referee.play({"fox": "FOX: move B1;"})
    assert referee.report("fox")["units"][0]["place"] == "B1"
    assert referee.report("fox")["window"] == 4
    assert "taken_back" not in referee.report("fox")
    assert referee.audit().whole


def test_earlier_orders_do_not_count_in_a_reopened_window(referee: Referee) -> None:
    referee.play({"fox": "FOX: move A2;"})
    referee.undo(reopen=True)
    assert not referee.register.sets
    referee.run(force=True)
    assert referee.report("fox")["units"][0]["place"] == "A1"


def test_three_undos_in_a_row(referee: Referee) -> None:
    for _ in range(3):
        referee.go("fox", "hunter")
    places = [referee.report("fox", w)["units"][0]["place"] for w in (1, 2, 3, 4)]
    for back in (3, 2, 1):
        assert referee.undo().windows == [back]
    assert referee.register.undone == 3
    assert referee.run().window == 1
    assert referee.report("fox")["units"][0]["place"] == places[1]
    assert "Windows undone so far: 3." in referee.report("fox")["flags"]
    referee.go("fox", "hunter")
    assert referee.audit().whole


def test_three_reopenings_in_a_row_use_no_number_twice(referee: Referee) -> None:
    for _ in range(3):
        referee.go("fox", "hunter")
    assert [referee.undo(reopen=True).opens for _ in range(3)] == [5, 6, 7]
    assert referee.report("fox")["turn"] == 1
    referee.go("fox", "hunter")
    assert referee.register.window == 8
    assert referee.audit().whole


def test_a_reopened_window_can_be_undone(referee: Referee) -> None:
    referee.go("fox", "hunter")
    referee.undo(reopen=True)
    first = referee.go("fox", "hunter")
    assert first.window == 3
    referee.undo()
    assert referee.register.window == 3
    again = referee.run()
    assert (again.window, again.opens, again.rolls) == (3, 5, first.rolls)
    assert referee.undo(reopen=True).opens == 6
    referee.go("hunter")
    assert referee.audit().whole


def test_an_answered_question_can_be_undone(asked: Referee) -> None:
    assert asked.report("hunter")["questions"], "the seed was to make a twig snap"
    asked.play({"hunter": "Q1: D4;"})
    after = asked.report("hunter")
    asked.undo()
    asked.run()
    assert bare(asked.report("hunter")) == bare(after)
    asked.undo(reopen=True)
    report = asked.report("hunter")
    assert (report["window"], report["questions"]) == (5, asked.report("hunter", 2)["questions"])
    asked.play({"hunter": "Q1: E5;"})
    assert asked.report("hunter")["units"][0]["place"] == "E5"
    assert asked.audit().whole


def test_the_end_of_a_game_can_be_undone(referee: Referee) -> None:
    while not referee.run(force=True).over:
        pass
    referee.undo(reopen=True)
    assert referee.read().register.over is None
    assert referee.report("fox")["result"] is None
    referee.go("fox", "hunter")
    assert referee.audit().whole


def test_undone_records_stay_and_mail_has_new_numbers(referee: Referee) -> None:
    referee.go("fox")
    before = referee.records
    mails = sorted(p.name for p in (referee.folder / "outbox").iterdir())
    referee.undo(reopen=True)
    assert referee.records[: len(before)] == before
    after = sorted(p.name for p in (referee.folder / "outbox").iterdir())
    assert set(mails) < set(after)
    assert len(after) == len(mails) + 2


def test_an_undo_with_orders_kept_tells_all_sides_the_same(referee: Referee) -> None:
    referee.play(SETS)
    referee.undo()
    notices = sorted((referee.folder / "outbox").glob("*-undo.eml"))
    assert [n.name.split("-")[0] for n in notices] == ["fox", "hunter"]
    bodies = {n.read_bytes().split(b"\r\n\r\n", 1)[1] for n in notices}
    assert len(bodies) == 1
    assert b"taken back window 1" in bodies.pop()


def test_a_window_kept_can_still_be_reopened(referee: Referee) -> None:
    referee.play(SETS)
    referee.undo()
    done = referee.undo(reopen=True)
    assert (done.windows, done.opens) == ([], 3)
    assert referee.register.undone == 1
    assert referee.report("hunter")["taken_back"] == [1]
    referee.play(SETS)
    assert referee.audit().whole


def test_a_set_for_a_void_report_is_not_known_when_it_comes_again(referee: Referee) -> None:
    referee.play(SETS)
    early = referee.orders("fox", "FOX: move B2;")
    assert referee.receive(early)[0].status == "accepted"
    referee.undo()
    referee.run()
    (again,) = referee.receive(early)
    assert (again.status, again.receipt["code"]) == ("refused", "late")


def test_the_moderator_sees_what_each_side_had_learnt(referee: Referee) -> None:
    from tests.cli.commands import pbem

    referee.play({"fox": "FOX: move A2;", "hunter": "HOUND: move E4;"})
    told = {side: [e["text"] for e in referee.report(side)["events"]] for side in ("fox", "hunter")}
    said = pbem("--home", referee.home, "undo", "g1", "--json").json
    for side, texts in told.items():
        assert texts
        assert set(texts) <= set(said["learnt"][side])
    again = pbem("--home", referee.home, "undo", "g1", "--reopen")
    assert (again.code, "window 3 is open for new orders" in again.out) == (0, True)


def test_an_undo_after_publishing_takes_the_page_away_and_says_so(referee: Referee) -> None:
    from tests.cli.commands import pbem

    while not referee.register.over:
        referee.go("fox", "hunter")
    assert pbem("--home", referee.home, "publish", "g1").code == 0
    page, bundle = referee.folder / "g1.html", referee.folder / "g1.zip"
    assert page.exists()
    assert bundle.exists()
    referee.undo()
    assert not page.exists()
    assert not bundle.exists()
    assert len(list((referee.folder / "private").glob("withdrawn-*"))) == 2
    notice = sorted((referee.folder / "outbox").glob("fox-*-undo.eml"))[-1].read_text()
    assert "The replay of the game had already been published." in notice
    referee.run(force=True)
    referee.undo(reopen=True)
    said = "A replay of this game was published before a window was undone."
    assert said in referee.report("fox")["flags"]
    assert "published" not in referee.records[-1].body
    assert referee.audit().whole
