"""When windows close: rules in a line, moments, and the games that follow them."""

from __future__ import annotations

from datetime import UTC, timedelta
from functools import partial
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.toy.game import Leap
from pbem.admin.commands import extend, hold, replace, resume, schedule
from pbem.admin.setup import Choices, Newcomer
from pbem.base.clock import parse, stamp
from pbem.crypto.sshsig import public_line
from pbem.engine.drive import pace_of
from pbem.errors import Usage
from pbem.model import Pace, Side
from pbem.outbound.notices import end
from pbem.store.game_dir import writing
from pbem.table import Pause
from pbem.turns.schedule import DAYS, POLICIES, Rule, next_deadline, paced, read_rule, show_rule
from tests.cli.commands import pbem
from tests.conftest import Clock
from tests.mail.office import CONFIG, Office
from tests.referee import Referee, key_of, signed

NOON = parse("2026-11-20T12:00:00Z")  # a Friday


@pytest.mark.parametrize(
    ("rule", "opened", "closes"),
    [
        ("every=3d", "2026-11-20T12:00:00Z", "2026-11-23T12:00:00Z"),
        ("every=90m", "2026-11-20T12:00:00Z", "2026-11-20T13:30:00Z"),
        ("every=1d at=20:00", "2026-11-20T12:00:00Z", "2026-11-21T20:00:00Z"),
        ("every=1d at=20:00", "2026-11-20T21:00:00Z", "2026-11-22T20:00:00Z"),
        ("every=1d at=20:00 on=mon,thu", "2026-11-20T12:00:00Z", "2026-11-23T20:00:00Z"),
        ("every=1d at=20:00 zone=Europe/Berlin", "2026-11-20T12:00:00Z", "2026-11-21T19:00:00Z"),
        ("every=1d at=20:00 zone=Europe/Berlin", "2026-07-01T12:00:00Z", "2026-07-02T18:00:00Z"),
        ("every=1d at=02:30 zone=Europe/Berlin", "2026-03-28T01:00:00Z", "2026-03-29T01:30:00Z"),
        ("every=1d not-before=2026-12-24", "2026-11-20T12:00:00Z", "2026-12-24T00:00:00Z"),
        ("every=1d on=wed", "2026-11-20T12:00:00Z", "2026-11-25T12:00:00Z"),
    ],
)
def test_a_window_closes_at_the_first_fitting_moment(rule: str, opened: str, closes: str) -> None:
    assert stamp(next_deadline(read_rule([rule]), parse(opened))) == closes


@pytest.mark.parametrize(
    ("pace", "closes"),
    [
        ("turn", "2026-11-23T20:00:00Z"),
        ("battle", "2026-11-21T12:00:00Z"),
        ("quick", "2026-11-20T18:00:00Z"),
    ],
)
def test_each_pace_has_its_own_time(pace: Pace, closes: str) -> None:
    rule = read_rule(["every=1d at=20:00 on=mon battle=1d quick=6h"])
    assert stamp(next_deadline(paced(rule, pace), NOON)) == closes
    usual = read_rule(["every=1d at=20:00 on=mon"])
    assert paced(usual, pace) == usual


def test_the_slowest_question_sets_the_pace_of_a_window() -> None:
    def asked(*paces: Pace) -> Pause:
        leaps = [Leap(about="HOUND", pace=pace) for pace in paces]
        return Pause({Side("fox"): tuple(leaps[:1]), Side("hunter"): tuple(leaps[1:])})

    assert pace_of(asked("quick", "battle")) == "battle"
    assert pace_of(asked("battle", "turn", "quick")) == "turn"
    assert pace_of(asked("quick")) == "quick"
    assert pace_of(Pause({}, opening=True)) == "turn"


def test_a_battle_window_closes_by_its_own_deadline(
    tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.toy.game.Leap", partial(Leap, pace="battle"))
    referee = Referee.toy(tmp_path / "home", play="asked")
    put(referee, "every=3d at=20:00 battle=5h")
    referee.go("fox", "hunter")
    while referee.register.pace == "turn":
        referee.go("fox", "hunter")
    assert referee.register.deadline == "2026-11-20T17:00:00Z"
    with writing(referee.home, "g1") as game:
        hold(game, "")
        clock.advance(hours=6)
        assert resume(game) == "2026-11-20T23:00:00Z"
    referee.go("fox", "hunter")
    assert (referee.register.pace, referee.register.deadline) == ("turn", "2026-11-23T20:00:00Z")
    referee.undo(reopen=True)
    assert (referee.register.pace, referee.register.deadline) == ("battle", "2026-11-20T23:00:00Z")
    assert referee.audit().whole


rules = st.builds(
    Rule,
    every=st.integers(1, 40_000),
    at=st.sampled_from(["", "20:00", "00:00", "02:30"]),
    on=st.sets(st.sampled_from(DAYS)).map(lambda s: tuple(d for d in DAYS if d in s)),
    zone=st.sampled_from(["UTC", "Europe/Berlin", "Pacific/Auckland"]),
    grace=st.integers(0, 999),
    early=st.integers(-1, 99),
    remind=st.integers(-1, 9999),
    nmr=st.sampled_from(POLICIES),
    absence=st.integers(0, 99_999),
    battle=st.integers(0, 9999),
    quick=st.integers(0, 9999),
)


@given(rule=rules, minutes=st.integers(0, 600_000))
def test_every_rule_is_read_back_and_kept(rule: Rule, minutes: int) -> None:
    assert read_rule(show_rule(rule).split()) == rule
    opened = NOON + timedelta(minutes=minutes)
    closes = next_deadline(rule, opened)
    assert timedelta(minutes=rule.every) <= closes - opened
    assert closes - opened <= timedelta(minutes=rule.every) + timedelta(days=9)
    local = closes.astimezone(ZoneInfo(rule.zone))
    assert not rule.on or DAYS[local.weekday()] in rule.on or rule.at == "02:30"
    assert rule.at in ("", "02:30", f"{local:%H:%M}")


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ("evry=3d", "not a valid part of a schedule"),
        ("every=3", "not a valid length"),
        ("every=0d", "no time"),
        ("on=mo", "weekday"),
        ("zone=Mars", "unknown"),
        ("nmr=no", "policy"),
        ("every", "not a valid part"),
        ("at=25:00", "time of day"),
        ("at=20:00+02:00", "time of day"),
        ("not-before=soon", "not a valid time"),
    ],
)
def test_what_is_wrong_in_a_rule_is_named(rule: str, said: str) -> None:
    with pytest.raises(Usage) as error:
        read_rule([rule])
    assert said in error.value.message
    assert error.value.hint


def put(referee: Referee, rule: str) -> str:
    with writing(referee.home, referee.name) as game:
        return schedule(game, read_rule([rule]))


def test_an_open_window_gets_a_deadline_and_all_are_told(office: Office) -> None:
    assert put(office.referee, "every=2d at=20:00") == "2026-11-22T20:00:00Z"
    office.one()
    assert office.bodies("fox").replace("fox", "") == office.bodies("hunter").replace("hunter", "")
    assert "Sun 22 Nov, 20:00 (UTC)" in office.bodies("fox")
    assert office.referee.audit().whole


def test_a_schedule_before_the_game_opens_sets_the_first_deadline(
    clock: Clock, tmp_path: object, referee: Referee
) -> None:
    from games.toy.game import SYSTEM
    from pbem.admin.setup import Choices

    other = Referee.made(referee.home, SYSTEM, Choices(seed="x"), "g2")
    assert put(other, "every=2d") == ""
    other.open()
    assert other.register.deadline == "2026-11-22T12:00:00Z"
    assert other.report("fox")["deadline"] == "2026-11-22T12:00:00Z"


def test_a_deadline_that_the_moderator_gives_comes_before_the_schedule(
    clock: Clock, referee: Referee
) -> None:
    other = Referee.made(referee.home, referee.system, Choices(seed="x"), "g2")
    put(other, "every=2d")
    other.open("2026-11-29T12:00:00Z")
    assert other.register.deadline == "2026-11-29T12:00:00Z"


def test_early_running_waits_for_the_newest_set_to_be_old_enough(
    office: Office, clock: Clock
) -> None:
    put(office.referee, "every=2d early=30m")
    office.referee.order("fox", office.referee.suggested("fox"))
    clock.advance(minutes=20)
    office.referee.order("hunter", office.referee.suggested("hunter"))
    clock.advance(minutes=29)
    assert office.one().closed == 0
    clock.advance(minutes=1)
    assert office.one().closed == 1
    assert office.referee.register.deadline == "2026-11-22T12:50:00Z"


def test_early_off_keeps_the_deadline(office: Office, clock: Clock) -> None:
    put(office.referee, "every=2d early=off")
    for side in ("fox", "hunter"):
        office.referee.order(side, office.referee.suggested(side))
    clock.advance(hours=47)
    assert office.one().closed == 0
    assert pbem("--home", office.home, "run", "g1").code == 4
    clock.advance(hours=1)
    assert office.one().closed == 1


def test_sets_count_until_the_grace_is_over(office: Office, clock: Clock) -> None:
    put(office.referee, "every=2d grace=3h")
    office.referee.order("fox", office.referee.suggested("fox"))
    clock.advance(hours=50)
    assert office.one().closed == 0
    assert office.referee.order("hunter", office.referee.suggested("hunter")).good
    clock.advance(hours=1)
    assert office.one().closed == 1


def test_receipts_name_no_deadline_that_does_not_run(office: Office, clock: Clock) -> None:
    """A held game closes nothing, and one that is over takes nothing."""
    referee = office.referee
    put(referee, "every=2d grace=2h")

    def said() -> str:
        return " ".join(referee.order("fox", referee.suggested("fox")).text.split())

    early = "The window closes 30 minutes after the last orders that it waits for."
    assert f"You have until Sun 22 Nov, 12:00 (UTC). {early}" in said()
    clock.advance(hours=49)
    assert "The deadline was Sun 22 Nov, 12:00 (UTC). The window is still open." in said()
    with writing(referee.home, "g1") as game:
        hold(game, "a storm")
    text = said()
    assert "The game is on hold: no window closes until the moderator resumes it." in text
    assert "Nov, 12:00" not in text
    with writing(referee.home, "g1") as game:
        end(game, "draw", "a storm")
    text = said()
    assert "The game is over. (error game-over)" in text
    assert not [word for word in ("You have until", "Correct it", "on hold") if word in text]


def test_reminders_go_once_and_only_to_who_owes(office: Office, clock: Clock) -> None:
    put(office.referee, "every=3d remind=24h")
    office.one()
    office.empty()
    office.referee.order("fox", office.referee.suggested("fox"))
    clock.advance(hours=47)
    assert office.one().reminded == 0
    clock.advance(hours=2)
    assert office.one().reminded == 1
    office.mail("hunter", "help")  # what comes wakes the game; nobody is reminded again
    ticked = office.one()
    assert (ticked.dealt.answered, ticked.reminded) == (1, 0)
    assert office.subjects("hunter") == [
        "[g1] Help",
        "[g1] No orders of yours are in force yet; closes Mon 23 Nov 12:00 UTC",
    ]
    assert "No orders from you" not in "".join(office.subjects("fox"))


def overdue(office: Office, clock: Clock, rule: str, who: str = "fox") -> None:
    put(office.referee, rule)
    if who:
        office.referee.order(who, office.referee.suggested(who))
    clock.advance(hours=48, minutes=1)


def test_without_orders_standing_orders_and_defaults_count(office: Office, clock: Clock) -> None:
    overdue(office, clock, "every=2d")
    assert office.one().closed == 1
    assert [r.kind for r in office.referee.records].count("closed") == 1
    assert office.referee.audit().whole


def test_policy_hold_stops_the_game_and_names_nobody_to_the_players(
    office: Office, clock: Clock
) -> None:
    overdue(office, clock, "every=2d nmr=hold")
    ticked = office.one()
    assert (ticked.closed, ticked.held) == (0, "no orders from the Hunter side")
    assert office.subjects("mod") == ["g1: on hold: no orders from the Hunter side"]
    assert "hunter" not in office.bodies("fox").split("Reason:")[1].split("\n")[0]
    assert office.one().closed == 0
    office.referee.order("hunter", office.referee.suggested("hunter"))
    with writing(office.home, "g1") as game:
        resume(game)
    clock.advance(hours=1)
    assert office.one().closed == 1


def test_policy_replace_seeks_another_player(office: Office, clock: Clock) -> None:
    overdue(office, clock, "every=2d nmr=replace")
    ticked = office.one()
    assert (ticked.closed, ticked.held) == (0, "no orders from the Hunter side")
    for side in ("fox", "hunter"):
        said = " ".join(office.bodies(side).split())
        assert "Reason: a side sent no orders; the moderator looks for another player" in said
    assert "pbem replace g1 SIDE" in office.bodies("mod")
    referee = office.referee
    with writing(office.home, "g1") as game:
        replace(game, "hunter", Newcomer(public_line(key_of("new").wire), "new@example.org"))
        resume(game)
    (taken,) = referee.receive(
        signed(referee.block("hunter", referee.suggested("hunter")), key_of("new"))
    )
    assert taken.good
    clock.advance(hours=1)
    assert office.one().closed == 1
    assert referee.audit().whole


def test_policy_wait_waits(office: Office, clock: Clock) -> None:
    overdue(office, clock, "every=2d nmr=wait")
    assert office.one().closed == 0
    assert "the deadline has passed" in pbem("--home", office.home, "status", "g1").out
    clock.advance(hours=5)
    office.referee.order("hunter", office.referee.suggested("hunter"))
    clock.advance(hours=1)
    assert office.one().closed == 1


def test_policy_bot_lets_the_bot_order_and_tells_the_side(office: Office, clock: Clock) -> None:
    overdue(office, clock, "every=2d nmr=bot")
    assert office.one().closed == 1
    taken = [r for r in office.referee.records if r.kind == "received"]
    assert [(r.body["side"], r.body["officer"]) for r in taken] == [("fox", 1), ("hunter", 0)]
    assert "entered for you by the moderator" in " ".join(office.bodies("hunter").split())
    assert office.referee.audit().whole


def test_a_deadline_long_past_holds_the_game(office: Office, clock: Clock) -> None:
    overdue(office, clock, "every=2d")
    clock.advance(days=3)
    ticked = office.one()
    assert ticked.closed == 0
    assert "no tick has run since" in ticked.held
    assert "on hold" in office.subjects("mod")[0]
    with writing(office.home, "g1") as game:
        assert resume(game) == "2026-11-27T12:01:00Z"
    clock.advance(days=2)
    assert office.one().closed == 1


@pytest.mark.parametrize(("outage", "closed"), [("2", 0), ("4", 1)])
def test_how_long_ago_is_settable(outage: str, closed: int, office: Office, clock: Clock) -> None:
    (office.home / "pbem.toml").write_text(CONFIG + f"[limits]\noutage = {outage}\n")
    overdue(office, clock, "every=2d")
    clock.advance(hours=3)
    assert office.one().closed == closed


def test_all_silent_after_an_outage_holds_the_game(office: Office, clock: Clock) -> None:
    overdue(office, clock, "every=2d", who="")
    (office.home / "in").rename(office.home / "away")
    assert office.one().closed == 0
    (office.home / "away").rename(office.home / "in")
    clock.advance(minutes=5)
    ticked = office.one()
    assert "no side sent orders" in ticked.held
    assert ticked.closed == 0


def test_all_silent_without_an_outage_plays_on(office: Office, clock: Clock) -> None:
    put(office.referee, "every=2d")
    for _ in range(5):
        clock.advance(hours=10)
        office.one()
    assert office.referee.register.window == 2


def test_absence_moves_deadlines_and_stops_reminders(office: Office, clock: Clock) -> None:
    put(office.referee, "every=2d remind=5d")
    lines = office.referee.suggested("fox")
    outcome = office.referee.order("fox", f"ABSENT UNTIL 2026-11-28;\n{lines}")
    assert outcome.good, outcome.text
    assert "UNDERSTOOD AS\n  ABSENT UNTIL 2026-11-28;\n      note: no reminders" in outcome.text
    ticked = office.one()
    assert "g1: fox is absent until 2026-11-28" in ticked.talk
    office.referee.order("hunter", office.referee.suggested("hunter"))
    clock.advance(hours=1)
    assert office.one().closed == 1
    assert office.referee.register.deadline == "2026-11-29T00:00:00Z"
    clock.set("2026-11-25T12:00:00Z")
    assert office.one().reminded == 1
    assert not any("No orders of yours" in one for one in office.subjects("fox"))
    assert any(
        "No orders of yours are in force yet; closes" in one for one in office.subjects("hunter")
    )


def test_resigning_holds_the_game_until_somebody_takes_over(office: Office, clock: Clock) -> None:
    outcome = office.referee.order("fox", f"RESIGN;\n{office.referee.suggested('fox')}")
    assert "UNDERSTOOD AS\n  RESIGN;\n      note: the game is put on hold until" in outcome.text
    office.referee.order("hunter", office.referee.suggested("hunter"))
    ticked = office.one()
    assert (ticked.closed, ticked.held) == (0, "fox has resigned")
    assert office.one().closed == 0
    assert office.subjects("mod") == ["g1: fox has resigned"]
    with writing(office.home, "g1") as game:
        replace(game, "fox", Newcomer(public_line(key_of("new").wire), "new@example.org"))
        resume(game)
    assert office.one().closed == 0, "the new player has the time that he was promised"
    assert [str(m["Subject"])[:9] for m in office.sent("new")]
    referee = office.referee
    old = referee.orders("fox", referee.suggested("fox"))
    assert referee.receive(old)[0].receipt["code"] == "unknown-key"
    new = signed(referee.block("fox", referee.suggested("fox")), key_of("new"))
    assert referee.receive(new)[0].good
    assert office.one().closed == 1
    assert referee.audit().whole


def test_extend_hold_and_resume_are_told_to_all(office: Office, clock: Clock) -> None:
    home = office.home
    assert pbem("--home", home, "schedule", "g1", "every=2d").code == 0
    assert pbem("--home", home, "extend", "g1", "--by", "1d", "--reason", "Christmas").code == 0
    assert office.referee.register.deadline == "2026-11-23T12:00:00Z"
    assert pbem("--home", home, "extend", "g1", "--to", "2026-11-19").code == 2
    assert pbem("--home", home, "extend", "g1").code == 2
    assert pbem("--home", home, "resume", "g1").code == 4
    assert pbem("--home", home, "hold", "g1", "--reason", "storm").code == 0
    assert pbem("--home", home, "hold", "g1").code == 4
    assert pbem("--home", home, "run", "g1", "--now").code == 4
    assert "on hold: storm" in pbem("--home", home, "status", "g1").out
    clock.advance(days=4)
    assert office.one().closed == 0
    said = pbem("--home", home, "resume", "g1", "--json")
    assert said.json["deadline"] == "2026-11-26T12:00:00Z"
    office.one()
    for side in ("fox", "hunter"):
        text = office.bodies(side)
        assert "Christmas" in text
        assert "storm" in text
        assert "The game goes on" in text
    kinds = [r.kind for r in office.referee.records]
    assert [k for k in kinds if k in ("scheduled", "extended", "held", "resumed")] == [
        "scheduled",
        "extended",
        "held",
        "resumed",
    ]
    assert office.referee.audit().whole


def test_a_game_goes_off_its_schedule(office: Office) -> None:
    put(office.referee, "every=2d early=off")
    assert pbem("--home", office.home, "schedule", "g1", "none").code == 0
    for side in ("fox", "hunter"):
        office.referee.order(side, office.referee.suggested(side))
    assert office.one().closed == 1


def test_an_undo_withdraws_reports_that_were_not_sent(office: Office) -> None:
    for side in ("fox", "hunter"):
        office.referee.order(side, office.referee.suggested(side))
    office.referee.run()
    office.referee.undo(reopen=True)
    office.one()
    reports = [m for m in office.sent() if "received" not in str(m["Subject"])]
    assert len(reports) == 2
    assert all("window 3" in m.as_string() for m in reports)


def test_extending_needs_a_running_game(referee: Referee) -> None:
    from pbem.errors import Busy
    from pbem.outbound.notices import end

    with writing(referee.home, referee.name) as game:
        end(game, "none", "over")
        with pytest.raises(Busy):
            extend(game, "2027-01-01", "")
        with pytest.raises(Busy):
            hold(game, "")


def test_moments_are_in_utc() -> None:
    assert next_deadline(Rule(zone="Europe/Berlin", at="20:00"), NOON).tzinfo == UTC


def test_a_ruling_is_recorded_told_and_repeated(office: Office, tmp_path: Path) -> None:
    file = tmp_path / "ruling.toml"
    file.write_text('text = "Twigs are heard two rows away."\nrule = "3.1"\n')
    home = office.home
    said = pbem("--home", home, "rule", "g1", file, "--reason", "the wood is dry", "--json")
    assert said.json["timely"]
    office.referee.order("fox", office.referee.suggested("fox"))
    said = pbem("--home", home, "rule", "g1", file, "--reason", "it rained")
    assert "marked as late" in said.out
    office.referee.order("hunter", office.referee.suggested("hunter"))
    assert office.one().closed == 1
    for side in ("fox", "hunter"):
        assert "Rule 3.1: Twigs are heard" in office.bodies(side)
        told = " ".join(office.bodies(side).split())
        assert "Ruling in window 1 (3.1): Twigs are heard two rows away. Reason: the wood" in told
    assert office.referee.audit().whole
    for bad in ("text = 7", "reason = 'x'", "text = ''", "="):
        file.write_text(bad)
        assert pbem("--home", home, "rule", "g1", file, "--reason", "x").code == 2
