"""Agreed turns run one after the other: how far, what stops it, what each side gets, the links."""

from __future__ import annotations

import os
from pathlib import Path
from random import Random
from typing import Any

import pytest

from games.toy import game as toy
from pbem.audit.open_file import attached
from pbem.base.report_json import Run
from pbem.bots.bot_orders import play_bots
from pbem.dice.sources import Seeded
from pbem.model import D6, Event, Side, Told, Window
from pbem.outbound.forward import resend
from pbem.store import runs
from pbem.store.game_dir import writing
from pbem.turns import close_window, run_on
from tests.conftest import Clock
from tests.encryption import EncryptedReferee, outside, reads
from tests.faults.hooks import constant
from tests.referee import Referee, key_of, tree
from tests.secrecy import artefacts, differences

FOX = "FOX: move A2;\nturn 2 FOX: move A3;\nturn 3 FOX: move A4;\nturn 4 FOX: move A5;"
HOUND = "HOUND: move D5;\nturn 2 HOUND: move E5;\nturn 3 HOUND: move D5;"
TWIG = "NOISE/TWIG/-/FOX/1/1D6"


def seed_of(*snaps: bool) -> str:
    """A seed with which a twig snaps in these windows and not in the others, from window 1."""
    for n in range(10_000):
        dice = Seeded(f"s{n}", b"")
        fell = [dice.roll(Window(w), TWIG, D6)[0][0] <= 3 for w in range(1, len(snaps) + 1)]
        if fell == list(snaps):
            return f"s{n}"
    raise AssertionError("no such seed")


def quiet(tmp_path: Path, *snaps: bool, play: str = "plotted") -> Referee:
    return Referee.toy(tmp_path / "home", play=play, seed=seed_of(*(snaps or (False,) * 4)))


def agree(referee: Referee, fox: int, hunter: int) -> None:
    for side, turns, lines in (("fox", fox, FOX), ("hunter", hunter, HOUND)):
        outcome = referee.order(side, (f"RUN {turns};\n" if turns else "") + lines)
        assert outcome.good, outcome.text


def closed(referee: Referee) -> list[dict[str, Any]]:
    return [r.body for r in referee.records if r.kind == "closed"]


def ran(referee: Referee) -> list[str]:
    return [body.get("run", {}).get("why", "") for body in closed(referee)]


# How far


def test_the_smaller_number_counts(tmp_path: Path, clock: Clock) -> None:
    referee = quiet(tmp_path)
    agree(referee, 3, 5)
    done = referee.run()
    assert ([b.window for b in done.before], done.window, done.opens) == ([1, 2], 3, 4)
    assert ran(referee) == ["on", "on", "agreed"]
    assert [b["run"]["from"] for b in closed(referee)] == [1, 1, 1]
    assert [b["run"]["to"] for b in closed(referee)] == [3, 3, 3]
    assert referee.report("fox")["units"][0]["place"] == "A4"
    assert referee.report("hunter")["units"][0]["place"] == "D5"
    assert referee.audit().whole


@pytest.mark.parametrize("numbers", [(0, 5), (1, 5), (0, 0), (1, 1)])
def test_without_agreement_a_turn_is_a_window(
    numbers: tuple[int, int], tmp_path: Path, clock: Clock
) -> None:
    referee = quiet(tmp_path)
    agree(referee, *numbers)
    assert (referee.run().before, ran(referee)) == ([], [""])
    assert "run" not in referee.report("fox")
    assert referee.audit().whole


def test_a_silent_side_agrees_to_nothing(tmp_path: Path, clock: Clock) -> None:
    referee = quiet(tmp_path)
    referee.order("fox", f"RUN 3;\n{FOX}")
    assert referee.run(force=True).before == []


@pytest.mark.parametrize(("word", "windows"), [("", 1), ("FINAL;\n", 3)])
def test_a_set_with_refused_orders_agrees_when_it_is_final(
    word: str, windows: int, tmp_path: Path, clock: Clock
) -> None:
    referee = quiet(tmp_path)
    assert referee.order("fox", f"{word}RUN 3;\n{FOX}\nBEAR: move A1;").status == "partly"
    referee.order("hunter", f"RUN 3;\n{HOUND}")
    assert referee.run(force=True).window == windows


def test_the_newest_set_decides(tmp_path: Path, clock: Clock) -> None:
    referee = quiet(tmp_path)
    agree(referee, 3, 3)
    referee.order("fox", FOX)
    assert referee.run().window == 1


def test_the_receipt_says_what_it_means(tmp_path: Path, clock: Clock) -> None:
    said = quiet(tmp_path).order("fox", f"RUN 3;\n{FOX}").receipt["understood"][0]
    assert said["order"] == "RUN 3;"
    assert "windows 1 to 3" in said["note"]


# What stops it


def test_news_for_all_stops_it(tmp_path: Path, clock: Clock) -> None:
    referee = quiet(tmp_path, False, True, False)
    agree(referee, 4, 4)
    assert referee.run().window == 2
    assert ran(referee) == ["on", "told"]
    text = (referee.folder / "reports/fox/3/report.txt").read_text()
    assert "windows 1 to 2 were run, then something happened that" in " ".join(text.split())
    assert referee.order("fox", "FOX: move A4;").good
    assert referee.audit().whole


def test_questions_stop_it(tmp_path: Path, clock: Clock) -> None:
    referee = quiet(tmp_path, False, True, play="asked")
    agree(referee, 4, 4)
    referee.run()
    assert ran(referee) == ["on", "asked"]
    assert referee.report("hunter")["questions"]
    assert referee.audit().whole


def test_the_end_stops_it(tmp_path: Path, clock: Clock) -> None:
    referee = quiet(tmp_path, *(False,) * 8)
    agree(referee, 99, 99)
    assert referee.run().over
    assert (ran(referee)[-1], len(closed(referee))) == ("over", toy.LAST)
    assert referee.register.closed[-1].run == Run(first=1, last=99, why="over")
    assert referee.audit().whole


def test_what_one_side_alone_is_told_does_not_stop_it() -> None:
    sides = (Side("fox"), Side("hunter"))
    step, snap = (
        toy.Moved(rule="2.1", who="FOX", origin="A1", to="A2"),
        toy.TwigSnapped(rule="3.1"),
    )
    told = [Told(sides[:1], step), Told(sides[1:], step), Told(sides[:1], snap), Told((), snap)]
    assert not run_on.shared(toy.SYSTEM, sides, told)
    assert run_on.shared(toy.SYSTEM, sides, [*told, Told(sides[1:], snap)])


def two_worlds(tmp_path: Path, clock: Clock, patch: pytest.MonkeyPatch) -> list[str]:
    """What tells the fox two worlds apart whose hunters plan differently, and agree."""
    found = []
    patch.setattr(os, "urandom", constant)
    for name in ("one", "two"):
        clock.set("2026-11-20T12:00:00Z")
        hidden, referee = (
            Random(name),
            Referee.toy(tmp_path / name, seed=seed_of(False, False, True)),
        )
        moves = "".join(
            f"turn {n} HOUND: move {hidden.choice(('D5', 'E4', 'D4', 'E5'))};\n"
            for n in range(2, 5)
            if hidden.random() < 0.7
        )
        referee.order("fox", f"RUN 4;\n{FOX}")
        first = "HOUND: move E4;\n" if name == "two" else ""
        referee.order("hunter", f"RUN {hidden.randint(4, 9)};\n{first}{moves}")
        referee.run()
        found.append(artefacts(referee, "fox"))
    assert len(found[0]) > 20
    return differences(found[0], found[1])


def test_that_it_stopped_tells_nothing_hidden(
    tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert two_worlds(tmp_path, clock, monkeypatch) == []


def test_a_run_that_stops_at_hidden_moves_is_found(
    tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The secrecy test can fail: here every move counts as known to all who move."""

    def leaking(self: toy.Toy, event: Event) -> str:
        return type(event).__name__

    monkeypatch.setattr(toy.Toy, "public", leaking)
    assert two_worlds(tmp_path, clock, monkeypatch)


# What comes by mail


def test_one_mail_brings_all_reports(tmp_path: Path, clock: Clock) -> None:
    referee = quiet(tmp_path)
    agree(referee, 3, 3)
    referee.run()
    names = [p.name for p in sorted((referee.folder / "outbox").glob("fox-*"))]
    assert names == ["fox-0001-report.eml", "fox-0002-receipt.eml", "fox-0003-report.eml"]
    mail = (referee.folder / "outbox" / names[-1]).read_bytes()
    parts = attached(mail)
    for window, name in ((2, "report-2"), (3, "report-3"), (4, "report")):
        folder = referee.folder / "reports" / "fox" / str(window)
        assert parts[f"{name}.json"] == (folder / "report.json").read_bytes()
        said = parts[f"{name}.seal"].replace(b"\r\n", b"\n")
        assert said == (folder / "report.seal").read_bytes()
    text = (referee.folder / "reports/fox/4/report.txt").read_text()
    for n, (origin, to) in enumerate((("A1", "A2"), ("A2", "A3"), ("A3", "A4")), 1):
        assert f"HAPPENED IN WINDOW {n}\n * Fox went from {origin} to {to}.\n" in text
    assert "BEGIN ORDERS" not in text
    assert parts["orders.txt"].count(b"BEGIN ORDERS") == 1
    assert text.encode().replace(b"\n", b"\r\n") in mail.replace(b"\r\n", b"\n").replace(
        b"\n", b"\r\n"
    )
    page = (referee.folder / "reports/fox/4/report.html").read_text()
    assert page.count("In window ") == 3


def test_reports_on_the_way_ask_for_nothing(tmp_path: Path, clock: Clock) -> None:
    referee = quiet(tmp_path)
    agree(referee, 3, 3)
    referee.run(deadline="2026-11-23T12:00:00Z")
    for window in (2, 3):
        folder = referee.folder / "reports" / "fox" / str(window)
        assert sorted(p.suffix for p in folder.iterdir()) == [".html", ".json", ".seal", ".txt"]
        text = (folder / "report.txt").read_text()
        assert "Send no orders for this window." in text
        assert "BEGIN ORDERS" not in text
        assert "ORDERS BY" not in text
        assert "Send no orders" in (folder / "report.html").read_text()
        assert referee.report("fox", window)["deadline"] == ""
    assert referee.register.deadline == "2026-11-23T12:00:00Z"


def test_a_report_on_the_way_is_resent_with_its_mail(tmp_path: Path, clock: Clock) -> None:
    referee = quiet(tmp_path)
    agree(referee, 3, 3)
    referee.run()
    with writing(referee.home, referee.name) as game:
        name = resend(game, "fox", 2)
        assert game.read(*name.split("/")) == game.read("reports", "fox", "4", "report.eml")
        assert [runs.mailed_in(game.register, w) for w in (1, 2, 3, 4)] == [1, 4, 4, 4]


def test_encrypted_mail_of_a_run_hides_all_its_reports(tmp_path: Path, clock: Clock) -> None:
    referee = EncryptedReferee.begun(tmp_path, toy.SYSTEM, seed=seed_of(False, False, False))
    agree(referee, 3, 3)
    referee.run()
    mail = referee.newest("fox", "report")
    assert "A3" not in outside(mail)
    assert "report-2" not in outside(mail)
    opened = reads(mail, key_of("fox"))
    assert opened.facts["window"] == 4
    assert {"report-2.json", "report-2.seal", "report-3.json"} <= opened.parts.keys()


# What interrupts it


def stumble(referee: Referee, patch: pytest.MonkeyPatch, after: int) -> None:
    """A run that is killed after so many windows."""
    real, calls = close_window._close, []

    def close(*given: Any) -> Any:
        calls.append(given)
        if len(calls) > after:
            raise KeyboardInterrupt
        return real(*given)

    with patch.context() as broken:
        broken.setattr(close_window, "_close", close)
        with pytest.raises(KeyboardInterrupt):
            referee.run()


def test_a_killed_run_goes_on(
    tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, killed = quiet(tmp_path / "a"), quiet(tmp_path / "b")
    for referee in (whole, killed):
        agree(referee, 3, 3)
    whole.run()
    stumble(killed, monkeypatch, after=1)
    assert killed.register.running
    assert len(list((killed.folder / "outbox").glob("fox-*-report.eml"))) == 1
    outcome = killed.order("fox", "FOX: move B2;")
    assert outcome.receipt["code"] == "late"
    with writing(killed.home, killed.name) as game:
        assert play_bots(game, toy.SYSTEM) == []
        assert close_window.due(game)
    killed.run()
    assert ran(killed) == ["on", "on", "agreed"]
    for window in (2, 3, 4):
        one, two = (h.report("fox", window) for h in (whole, killed))
        assert one["units"] == two["units"]
        assert one["rolls"] == two["rolls"]
        assert one["run"] == two["run"]
    newest = max((killed.folder / "outbox").glob("fox-*-report.eml"))
    assert {"report-2.json", "report-3.json"} <= attached(newest.read_bytes()).keys()
    assert killed.audit().whole


def test_dice_typed_in_are_brought_window_by_window(tmp_path: Path, clock: Clock) -> None:
    referee = Referee.toy(tmp_path / "home", dice="hand")
    agree(referee, 2, 2)
    assert referee.run(values={TWIG: [5]}).window == 1
    assert referee.register.running
    done = referee.run(values={TWIG: [6]})
    assert (done.window, ran(referee)) == (2, ["on", "agreed"])
    assert referee.audit().whole


def test_a_dry_run_shows_one_window(tmp_path: Path, clock: Clock) -> None:
    referee = quiet(tmp_path)
    agree(referee, 3, 3)
    before = tree(referee.folder)
    assert referee.run(dry=True).window == 1
    assert tree(referee.folder) == before


def test_an_undo_with_orders_kept_runs_the_window_again(tmp_path: Path, clock: Clock) -> None:
    referee = quiet(tmp_path)
    agree(referee, 3, 3)
    first = referee.run()
    for window in (3, 2):
        assert referee.undo().windows == [window]
    done = referee.run()
    assert (done.window, [b.window for b in done.before]) == (3, [2])
    assert done.rolls == first.rolls
    newest = max((referee.folder / "outbox").glob("fox-*-report.eml"))
    assert {"report-2.json", "report-3.json"} <= attached(newest.read_bytes()).keys()
    assert referee.audit().whole


def test_a_reopened_window_takes_orders_and_agrees_anew(tmp_path: Path, clock: Clock) -> None:
    referee = quiet(tmp_path)
    agree(referee, 3, 3)
    referee.run()
    referee.undo(reopen=True)
    assert referee.register.window == 5
    assert not referee.register.running
    newest = max((referee.folder / "outbox").glob("fox-*-report.eml"))
    assert {"report-2.json", "report-3.json"} <= attached(newest.read_bytes()).keys()
    referee.play({"fox": "FOX: move A4;"})
    assert referee.report("fox")["window"] == 6
    assert referee.audit().whole
