"""Three sides by mail: a set-up that asks, windows that one side owes, questions by option."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pbem.admin.setup import Choices, enlist_bot
from pbem.base.report_json import Report
from pbem.bots.bot_orders import play_bots
from pbem.errors import Busy
from pbem.store.game_dir import writing
from pbem.turns.close_window import due
from tests.cli.commands import pbem
from tests.conftest import Clock
from tests.corsairs.game import SIDES, SYSTEM
from tests.encryption import EncryptedReferee
from tests.referee import Referee
from tests.trust.corpus import checked, reports

HELD = {"red": "ROVER", "green": "GANNET", "blue": "BOREAS"}
ENTRY = {"red": "A1", "green": "A3", "blue": "C3"}
BIDS = {"red": 3, "green": 5, "blue": 1}


def begun(home: Path, dice: str = "seeded", **options: str) -> Referee:
    """A game that is open at the first window of its set-up."""
    choices = Choices(options=options, dice=dice, seed="x" if dice == "seeded" else "")
    referee = Referee.made(home, SYSTEM, choices)
    referee.open()
    return referee


def played(home: Path, **options: str) -> Referee:
    """The same after the set-up: green plays first, then red, then blue."""
    referee = begun(home, **options)
    referee.play({side: f"{HELD[side]}: enter {zone};" for side, zone in ENTRY.items()})
    referee.play({side: f"Q1: {gold};" for side, gold in BIDS.items()})
    return referee


def whole(referee: Referee) -> None:
    """Both checkers find nothing."""
    assert not referee.audit().findings
    kept = [report for side in SIDES for report in reports(referee, side)]
    assert checked(referee.folder, *kept) == []


def text(referee: Referee, side: str, name: str = "report.txt") -> str:
    """A newest report of a side, in one line."""
    window = referee.register.window
    path = referee.folder / "reports" / side / str(window) / name
    return " ".join(path.read_text().split())


# The set-up


@pytest.mark.parametrize("play", ["plotted", "asked"])
def test_the_set_up_asks_for_orders_and_then_for_sealed_bids(
    play: str, tmp_path: Path, clock: Clock
) -> None:
    referee = begun(tmp_path, play=play)
    assert referee.report("red")["label"] == "Set-up"
    for name in ("report.txt", "report.html"):
        assert "turn 0" not in text(referee, "red", name).lower()
    assert "ORDERS FOR SET-UP" in text(referee, "red")
    subject = pbem("--home", tmp_path, "report", "g1", "red", "--format", "eml").out
    assert "Subject: [g1] The game begins; orders when you are ready" in subject
    done = referee.play({side: f"{HELD[side]}: enter {zone};" for side, zone in ENTRY.items()})
    assert done[0].label == "Set-up"
    for side in SIDES:
        report = referee.report(side)
        assert [unit["place"] for unit in report["units"]] == [ENTRY[side]]
        assert [q["prompt"] for q in report["questions"]] == [
            "How much gold do you bid for the order of play?"
        ]
    referee.play({side: f"Q1: {gold};" for side, gold in BIDS.items()})
    report = referee.report("red")
    assert (report["turn"], report["owed"]) == (1, ["green"])
    told = [event["text"] for event in report["events"]]
    assert told == ["The order of play is green, red, blue", "You paid 3 gold"]
    assert [roll["label"] for roll in report["rolls"]] == ["SETUP/LOTS/-/ALL/1/1D6"]
    whole(referee)


# Windows that one side owes


def test_a_report_waits_for_all_sides_and_never_for_both(tmp_path: Path) -> None:
    text = begun(tmp_path).folder.joinpath("reports/red/1/report.txt").read_text("ascii")
    assert "the turn runs once all sides have sent theirs" in " ".join(text.split())


def test_a_window_waits_only_for_the_side_that_owes_it(tmp_path: Path, clock: Clock) -> None:
    referee = played(tmp_path)
    for side in SIDES:  # all get a report and a form, and are told whose turn it is
        who = "you" if side == "green" else "the Green side"
        may = "the others" if side == "green" else "you"
        for name in ("report.txt", "report.html"):
            said = f"Orders are due from {who}; {may} may write."
            assert said in text(referee, side, name)
        assert f"{HELD[side]}: watch" in text(referee, side, "orders.txt")
    assert referee.order("red", "@ROVER: watch B3;").good
    with pytest.raises(Busy) as error:
        referee.run()
    assert error.value.hint == "still missing: green; `--now` closes it anyway"
    assert due(referee.read()) == ""
    assert referee.order("green", "GANNET: sail B3;").good
    assert due(referee.read()) == "green: in"
    done = referee.run()
    assert (done.missing, referee.register.owing) == ([], ("red",))
    told = [event["text"] for event in referee.report("blue")["events"]]
    assert told == ["Red spotted Green"]
    assert referee.report("red")["contacts"][0]["place"] == "B3"
    assert referee.run(force=True).missing == ["red"]  # not blue, who need not write
    whole(referee)


def test_the_status_says_who_need_not_write(tmp_path: Path, clock: Clock) -> None:
    referee = played(tmp_path)
    said = pbem("--home", tmp_path, "status", "g1").out
    assert said.count("need not write") == 2
    assert said.count("no orders yet") == 1
    assert "0 of 1" in pbem("--home", tmp_path, "status").out
    seats = pbem("--home", tmp_path, "status", "g1", "--json").json["sides"]
    assert {side: seat["owes"] for side, seat in seats.items()} == {
        "red": False,
        "green": True,
        "blue": False,
    }
    assert referee.order("red", "ROVER: watch B3;").good
    assert "0 of 1" in pbem("--home", tmp_path, "status").out


def test_only_a_side_that_owes_is_reminded_and_waited_for(tmp_path: Path, clock: Clock) -> None:
    referee = played(tmp_path)
    rule = ("every=2d", "remind=1d", "early=2h", "nmr=hold")
    assert pbem("--home", tmp_path, "schedule", "g1", *rule).code == 0
    clock.advance(hours=30)
    assert pbem("--home", tmp_path, "tick").code == 0
    reminded = [r.body["sides"] for r in referee.records if r.body.get("reminder")]
    assert reminded == [["green"]]
    assert referee.order("green", "GANNET: sail B3;").good
    clock.advance(hours=1.5)
    assert referee.order("red", "ROVER: watch B3;").good  # makes nobody wait
    clock.advance(hours=0.6)
    assert pbem("--home", tmp_path, "tick").code == 0
    assert referee.register.owing == ("red",)
    for _ in range(7):
        clock.advance(hours=7)
        said = pbem("--home", tmp_path, "tick")
    assert referee.register.held, said.err
    assert referee.register.mail_state.why == "a side sent no orders"


def test_a_bot_stands_in_only_for_a_side_that_owes(tmp_path: Path, clock: Clock) -> None:
    referee = played(tmp_path)
    assert pbem("--home", tmp_path, "schedule", "g1", "every=1d", "nmr=bot").code == 0
    clock.advance(hours=25)
    assert pbem("--home", tmp_path, "tick").code == 0
    entered = [r.body["side"] for r in referee.records if r.kind == "received"][-1]
    assert (entered, referee.register.owing) == ("green", ("red",))
    assert referee.register.closed[-1].sets[SIDES[2]].order == "NMR"


def test_a_status_mail_says_that_nothing_is_due(tmp_path: Path, clock: Clock) -> None:
    from pbem.inbound.dispatch import _status

    game = played(tmp_path).read()
    assert "you need not send one" in _status(game, "red").text
    assert "answer RESEND" in _status(game, "green").text


def test_subject_and_page_say_when_the_window_closes(tmp_path: Path, clock: Clock) -> None:
    from pbem.reports.headline import subject

    referee = played(tmp_path)
    referee.order("green", "GANNET: sail B3;")
    referee.run(deadline="2026-12-01T12:00:00Z")
    said = {side: subject(Report.of(referee.report(side))) for side in SIDES}
    assert "; orders by Tue 1 Dec" in said[SIDES[0]]
    assert "; closes Tue 1 Dec" in said[SIDES[2]]


def test_an_undo_a_ruling_and_a_resumed_game_keep_who_owes(tmp_path: Path, clock: Clock) -> None:
    referee = played(tmp_path)
    referee.play({"green": "GANNET: sail B3;"})
    assert referee.register.owing == ("red",)
    referee.undo()
    assert referee.register.owing == ("green",)
    referee.run()
    assert referee.register.owing == ("red",)
    referee.undo(reopen=True)
    assert referee.register.owing == ("green",)
    assert referee.report("blue")["owed"] == ["green"]
    ruling = tmp_path / "ruling.toml"
    ruling.write_text('text = "a gift"\n[[edit]]\ndo = "set"\nfield = "gold.red"\nvalue = 7\n')
    told = pbem("--home", tmp_path, "rule", "g1", ruling, "--reason", "a test")
    assert told.code == 0, told.err
    assert referee.register.owing == ("green",)
    whole(referee)


# Questions by option


@pytest.mark.parametrize(
    ("options", "asked"),
    [
        ({"play": "plotted", "mail": "full"}, False),
        ({"play": "asked", "mail": "brief"}, False),
        ({"play": "asked", "mail": "full"}, True),
    ],
)
def test_an_option_says_which_questions_go_by_mail(
    options: dict[str, str], asked: bool, tmp_path: Path, clock: Clock
) -> None:
    referee = played(tmp_path, **options)
    referee.play({"red": "@ROVER: watch B3;", "green": "GANNET: sail B3;"})
    report = referee.report("red")
    assert bool(report["questions"]) == asked
    assert report["owed"] == ["red"]
    if asked:
        assert report["questions"][0]["prompt"] == "What do you demand of Gannet?"
        assert not referee.report("green")["questions"]
        referee.play({"red": "Q1: none;"})
    told = [event for event in referee.report("green")["events"] if event["kind"] == "Paid"]
    assert [event["gold"] for event in told] == [0 if asked else -1]
    whole(referee)


# A whole game of three sides, as its people meet it


def test_three_bots_play_and_everybody_can_check(tmp_path: Path, clock: Clock) -> None:
    home = tmp_path / "home"
    assert pbem("demo", "corsairs", "--seed", "a", "--dir", home).code == 0
    for side in SIDES:
        drawn = pbem("--home", home, "report", "demo", side, "--format", "svg").out
        assert "Three Corsairs" in drawn
    assert pbem("--home", home, "audit", "demo").code == 0
    assert pbem("--home", home, "publish", "demo").code == 0
    page = (home / "demo" / "demo.html").read_text()
    assert all(f'"name":"{side.title()}"' in page.replace(" ", "") for side in SIDES)
    found = pbem("simulate", "corsairs", "--games", "3", "--json").json
    assert (found["games"], found["faults"]) == (3, [])


def test_practice_against_two_bots(tmp_path: Path, clock: Clock) -> None:
    found = pbem("play", "corsairs", "--side", "green", "--yes", "--dir", tmp_path / "p", "--json")
    assert found.code == 0, found.err
    assert found.json["side"] == "green"


def test_spectators_are_told_whose_turn_it_is(tmp_path: Path, clock: Clock) -> None:
    from pbem.outbound import spectators

    referee = played(tmp_path)
    with writing(referee.home, "g1") as game:
        spectators.enrol(game, "watcher@example.org")
    referee.play({"green": "GANNET: sail B3;"})
    for name in ("report.txt", "report.html"):
        assert "Orders are due from the Red side." in text(referee, "spectators", name)
    assert "green red blue" in text(referee, "spectators")
    whole(referee)


@pytest.mark.parametrize("dice", ["fast", "strict"])
def test_dice_of_three_sides_are_proved(
    dice: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> None:
    from pbem.admin.setup import create, open_game
    from tests.luck import pinned

    pinned(monkeypatch, dice)
    referee = Referee(tmp_path, SYSTEM)
    create(tmp_path, SYSTEM, "g1", Choices(dice=dice))
    with writing(tmp_path, "g1") as game:
        for side in game.register.sides:
            enlist_bot(game, side)
        open_game(game, SYSTEM)
    while not referee.register.over:
        with writing(tmp_path, "g1") as game:
            play_bots(game, SYSTEM)
        if dice == "strict":
            with pytest.raises(Busy, match="waits for the links of red, green, blue"):
                referee.run()
            with writing(tmp_path, "g1") as game:
                play_bots(game, SYSTEM)
        referee.run()
    closed: list[Any] = referee.register.closed
    assert all(len([x for x in one.links.values() if x]) == 3 for one in closed)
    whole(referee)


def test_a_deadline_waits_only_for_an_absent_side_that_owes(tmp_path: Path, clock: Clock) -> None:
    referee = played(tmp_path)
    assert pbem("--home", tmp_path, "schedule", "g1", "every=2d").code == 0
    assert referee.order("blue", "ABSENT UNTIL 2026-12-05;").good
    assert referee.order("green", "GANNET: sail B3;").good
    clock.advance(hours=25)
    assert pbem("--home", tmp_path, "tick").code == 0
    assert (referee.register.owing, referee.register.deadline[:10]) == (("red",), "2026-11-23")
    assert referee.order("red", "ROVER: sail B1;").good
    clock.advance(hours=1)
    assert pbem("--home", tmp_path, "tick").code == 0
    assert (referee.register.owing, referee.register.deadline[:10]) == (("blue",), "2026-12-06")


def test_three_sides_play_by_encrypted_mail(tmp_path: Path, clock: Clock) -> None:
    choices = Choices(dice="seeded", seed="x")
    referee = EncryptedReferee.made(tmp_path, SYSTEM, choices)
    referee.open()
    referee.play({side: f"{HELD[side]}: enter {zone};" for side, zone in ENTRY.items()})
    referee.play({side: f"Q1: {gold};" for side, gold in BIDS.items()})
    referee.play({"green": "GANNET: sail B3;"})
    assert referee.register.owing == ("red",)
    whole(referee)
