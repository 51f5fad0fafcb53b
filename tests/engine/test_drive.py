"""The driver and the table: windows, dice, questions, resuming, and what may not differ."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.toy.game import SYSTEM as TOY
from orders.model import Action, Order, OrderSet
from pbem.dice.sources import Seeded
from pbem.engine.drive import Drive, encode_position
from pbem.engine.position import Position, encode
from pbem.engine.runner import Closing
from pbem.errors import Diverged, RulesFault
from pbem.model import D6, Dice, Over, Side, TableLike, Told
from tests.counts import few
from tests.engine.tables import (
    BLUE,
    DICE,
    RED,
    Board,
    Heard,
    Tiny,
    answers,
    drive,
    say,
    which,
)

STEM = "PHASE/KIND/-/X"


async def quiet(table: TableLike, board: Board) -> Board | Over:
    await table.orders()
    if board.turn == 3:
        return Over("red", "9.9")
    board.turn += 1
    return board


def test_windows_are_counted_through_the_whole_game() -> None:
    game = drive(quiet)
    closed = []
    while game.over is None:
        closed.append(game.opens)
        game.close({}, DICE)
    assert (closed, game.over) == ([1, 2, 3], Over("red", "9.9"))


def test_nothing_is_rolled_before_window_1_is_answered() -> None:
    async def script(table: TableLike, board: Board) -> Board:
        table.roll(STEM, D6)
        await table.orders()
        return board

    with pytest.raises(ValueError, match="nothing is rolled before window 1"):
        drive(script)


def test_a_script_that_never_asks_is_stuck() -> None:
    async def script(table: TableLike, board: Board) -> Board:
        board.turn += 1
        return board

    with pytest.raises(ValueError, match="without ever asking"):
        drive(script)


def test_a_label_has_one_audience_in_a_window() -> None:
    async def script(table: TableLike, board: Board) -> Board:
        await table.orders()
        table.roll(STEM, D6, to=[RED])
        table.roll(STEM, D6, to=[RED, BLUE])
        return board

    with pytest.raises(ValueError, match="two audiences"):
        drive(script).close({}, DICE)


def test_ordinals_count_within_a_label_and_begin_again_in_each_window() -> None:
    async def script(table: TableLike, board: Board) -> Board:
        await table.orders()
        for stem in (STEM, STEM, "PHASE/KIND/-/Y", STEM):
            table.roll(stem, D6, to=[RED])
        board.turn += 1
        return board

    game = drive(script)
    for window in (1, 2):
        rolls = game.close({}, DICE).rolls
        assert [r.label for r in rolls] == [
            f"{STEM}/1/1D6",
            f"{STEM}/2/1D6",
            "PHASE/KIND/-/Y/1/1D6",
            f"{STEM}/3/1D6",
        ]
        assert {r.window for r in rolls} == {window}


def test_hidden_rolls_do_not_shift_visible_ones() -> None:
    def hiding(number: int) -> Callable[[TableLike, Board], Awaitable[Board]]:
        async def script(table: TableLike, board: Board) -> Board:
            await table.orders()
            for _ in range(number):
                table.roll("PHASE/HIDDEN/-/X", D6)
            table.roll(STEM, D6, to=[RED])
            board.turn += 1
            return board

        return script

    def seen(number: int) -> list[Any]:
        return [r for r in drive(hiding(number)).close({}, DICE).rolls if r.to]

    assert seen(0) == seen(1) == seen(7)


def test_rolls_after_the_turns_end_belong_to_the_window_that_closed() -> None:
    async def script(table: TableLike, board: Board) -> Board:
        if board.turn > 1:
            board.log.append(str(table.roll(STEM, D6)))
        await table.orders()
        board.turn += 1
        return board

    game = drive(script)
    rolls = game.close({}, DICE).rolls
    assert [(r.window, r.label) for r in rolls] == [(1, f"{STEM}/1/1D6")]
    assert resumed(game).state == game.state


def asking(
    *questions: dict[str, Any], to: Side = RED
) -> Callable[[TableLike, Board], Awaitable[Board]]:
    async def script(table: TableLike, board: Board) -> Board:
        await table.orders()
        given = await table.ask(to, [which(**q) for q in questions])
        board.log.append(" ".join(map(str, given)))
        board.turn += 1
        return board

    return script


def test_a_question_is_answered_by_mail() -> None:
    game = drive(asking({}, {}))
    game.close({RED: say("B")}, DICE)
    assert [q.default for q in game.pause.asked[RED]] == ["B", "B"]
    game.close({RED: answers("C")}, DICE)
    assert game.state.log == ["C B"]


def test_a_question_is_answered_by_an_order_a_standing_order_or_the_default() -> None:
    for sets, answer in (
        ({RED: say("B")}, "B"),
        ({RED: say("C", standing=True)}, "C"),
        ({RED: say("C", turn=1)}, "C"),
        ({RED: say("C", turn=2)}, "A"),
        ({RED: say("Z")}, "A"),
        ({BLUE: say("B")}, "A"),
        ({}, "A"),
    ):
        game = drive(asking({}), play="plotted")
        game.close(sets, DICE)
        assert game.state.log == [answer]


def test_orders_that_come_with_a_question_answer_it_if_nothing_else_does() -> None:
    """An answer that only repeats the default, as the form has it, gives way to them."""
    for before, then, answer in (
        (say("B"), say("C"), "C"),
        (say("B"), msgspec.structs.replace(answers("A"), orders=say("C").orders), "A"),
        (say("B"), msgspec.structs.replace(answers("B"), orders=say("C").orders), "C"),
        (say("B"), msgspec.structs.replace(answers("A"), orders=say("Z").orders), "A"),
        (say("B", standing=True), msgspec.structs.replace(answers("B"), cleared=("X",)), "B"),
        (say("B"), OrderSet(), "B"),
        (say("B", standing=True), OrderSet(cleared=("X",)), "A"),
    ):
        game = drive(asking({}))
        game.close({RED: before}, DICE)
        assert game.pause.asked[RED][0].default == "B"
        game.close({RED: then}, DICE)
        assert game.state.log == [answer]
        assert resumed(game).state == game.state


def test_a_set_in_force_beats_a_standing_order() -> None:
    game = drive(asking({}), play="plotted")
    game.close({RED: say("C", standing=True)}, DICE)
    game.close({RED: say("B")}, DICE)
    game.close({}, DICE)
    assert game.state.log == ["C", "B", "C"]


@pytest.mark.parametrize("sets", [{}, {RED: say("B")}, {RED: say("B", standing=True)}])
def test_a_window_opens_whether_or_not_orders_answer(sets: dict[Side, OrderSet]) -> None:
    """Whether a window opens is seen by all, so it may not depend on hidden orders."""
    game = drive(asking({}))
    game.close(sets, DICE)
    assert (game.opens, game.state.turn, game.state.log) == (2, 1, [])
    assert set(game.pause.asked) == {RED, BLUE}
    assert game.pause.asked[BLUE] == ()


def test_a_question_for_orders_alone_opens_no_window() -> None:
    game = drive(asking({"source": "orders"}))
    game.close({RED: say("B")}, DICE)
    assert (game.state.turn, game.state.log) == (2, ["B"])


def test_mailed_questions_are_numbered_without_those_for_orders_alone() -> None:
    game = drive(asking({"source": "orders"}, {}, {"source": "orders"}, {}))
    game.close({}, DICE)
    assert len(game.pause.asked[RED]) == 2
    game.close({RED: answers("B", "C")}, DICE)
    assert game.state.log == ["A B A C"]


def test_an_answer_counts_only_in_its_own_window() -> None:
    async def script(table: TableLike, board: Board) -> Board:
        await table.orders()
        for _ in range(2):
            board.log += map(str, await table.ask(RED, [which()]))
        board.turn += 1
        return board

    game = drive(script)
    game.close({RED: answers("C")}, DICE)  # before anything is asked
    game.close({RED: answers("B")}, DICE)
    game.close({}, DICE)
    assert game.state.log == ["B", "A"]


def test_simultaneous_answers_stay_secret_until_all_are_in() -> None:
    """Both are asked at once: one window, and what one side answered shows to nobody before."""

    async def script(table: TableLike, board: Board) -> Board:
        await table.orders()
        got = await table.ask_each({RED: [which()], BLUE: [which("BC"), which("CB")]})
        board.log.append(f"{got[RED]} {got[BLUE]}")
        board.turn += 1
        return board

    game = drive(script)
    before = game.close({RED: say("B")}, DICE)
    assert len(game.pause.asked[RED]) == 1
    assert len(game.pause.asked[BLUE]) == 2
    assert before.told == []
    game.close({RED: answers("C"), BLUE: answers("C")}, DICE)
    assert (game.state.log, game.opens) == (["['C'] ['C', 'C']"], 3)


def test_the_form_of_a_turn_counts_in_its_later_windows() -> None:
    """A set stays in force where the later windows' sets are silent; answers do not."""

    async def script(table: TableLike, board: Board) -> Board:
        books = await table.orders()
        await table.ask(BLUE, [which()])
        order = books[RED].actions("X", lambda t, a: None)
        board.log.append(",".join(str(a.args["word"]) for a in order))
        board.turn += 1
        return board

    for later, counts in (({}, "A"), ({RED: say("B")}, "B"), ({RED: answers("C")}, "A")):
        game = drive(script)
        game.close({RED: say("A")}, DICE)
        game.close(later, DICE)
        assert game.state.log == [counts]


def test_events_are_learnt_by_their_audience() -> None:
    async def script(table: TableLike, board: Board) -> Board:
        await table.orders()
        table.tell([RED], Heard(rule="1", what="one"))
        table.tell([], Heard(rule="1", what="nobody"))
        table.tell(table.sides, Heard(rule="1", what="all"))
        board.turn += 1
        return board

    game = drive(script)
    told = game.close({}, DICE).told
    assert [t.to for t in told] == [(RED,), (), (RED, BLUE)]
    assert game.state.known == {"red": ["one", "all"], "blue": ["all"]}


def test_nothing_to_pick_from_is_a_fault_of_the_rules() -> None:
    async def script(table: TableLike, board: Board) -> Board:
        await table.orders()
        assert table.shuffle("A/B/-/X", []) == []
        table.pick("A/B/-/X", [])
        return board

    with pytest.raises(RulesFault, match="A/B/-/X picks one of an empty list"):
        drive(script).close({}, DICE)


def test_pick_and_shuffle_are_fair_and_need_no_die_for_one() -> None:
    seen: list[Any] = []

    async def script(table: TableLike, board: Board) -> Board:
        await table.orders()
        seen.append(table.pick("A/B/-/X", ["only"]))
        seen.append(table.shuffle("A/C/-/X", ["only"]))
        seen.append(sorted(table.shuffle("A/D/-/X", list("abcdef"))))
        seen.append(table.pick("A/E/-/X", list("ab")) in "ab")
        board.turn += 1
        return board

    rolls = drive(script).close({}, DICE).rolls
    assert seen == ["only", ["only"], list("abcdef"), True]
    assert [r.label for r in rolls] == ["A/D/-/X/1/1D720", "A/E/-/X/1/1D2"]


def test_a_shuffle_of_more_than_a_roll_can_order_is_an_error() -> None:
    async def script(table: TableLike, board: Board) -> Board:
        await table.orders()
        table.shuffle("A/D/-/X", list(range(20)))
        table.shuffle("A/E/-/X", list(range(21)))
        board.turn += 1
        return board

    with pytest.raises(RulesFault, match="shuffles 21 items"):
        drive(script).close({}, DICE)


def test_every_order_of_a_shuffle_can_fall() -> None:
    class Fixed:
        name, flagged, value = "fixed", True, 0

        def roll(self, window: int, label: str, dice: Dice) -> tuple[tuple[int, ...], str]:
            return (self.value,), ""

    async def script(table: TableLike, board: Board) -> Board:
        await table.orders()
        board.log.append("".join(table.shuffle("A/D/-/X", list("abc"))))
        board.turn += 1
        return board

    found = []
    for value in range(1, 7):
        game, dice = drive(script), Fixed()
        dice.value = value
        game.close({}, dice)
        found += game.state.log
    assert sorted(found) == ["abc", "acb", "bac", "bca", "cab", "cba"]


# Resuming


def resumed(game: Drive) -> Drive:
    """The same game from its stored position."""
    raw, _ = encode_position(game)
    position = msgspec.json.decode(raw, type=Position)
    again = Drive.resume(game.system, game.sides, dict(game.table.options), position)
    assert encode_position(again)[0] == raw
    return again


async def full(table: TableLike, board: Board) -> Board:
    """Rolls and questions before and after each pause."""
    await table.orders()
    board.log.append(str(table.roll(STEM, D6, to=[RED])))
    board.log += map(str, await table.ask(RED, [which()]))
    board.log.append(str(table.roll(STEM, D6, to=[RED])))
    table.tell([BLUE], Heard(rule="1", what=board.log[-1]))
    got = await table.ask_each({RED: [which()], BLUE: [which()]})
    board.log.append(f"{got}")
    table.roll("PHASE/END/-/X", D6)
    board.turn += 1
    return board


def test_resuming_at_every_pause_is_the_same_as_going_on() -> None:
    sets: list[dict[Side, OrderSet]] = [
        {RED: say("B", standing=True)},
        {RED: answers("C")},
        {BLUE: answers("B")},
        {RED: say("C")},
        {},
        {RED: answers("A"), BLUE: answers("C")},
    ]
    through, paused = drive(full), drive(full)
    for each in sets:
        paused = resumed(paused)
        assert paused.close(each, DICE) == through.close(each, DICE)
        assert encode_position(paused) == encode_position(through)


def position_of(game: Drive) -> Position:
    return msgspec.json.decode(encode_position(game)[0], type=Position)


def at_second_pause() -> Drive:
    game = drive(full)
    game.close({}, DICE)
    game.close({RED: answers("B")}, DICE)
    return game


@pytest.mark.parametrize("change", ["dice", "label", "window", "audience", "fewer", "asked"])
def test_altered_steps_diverge(change: str) -> None:
    game = at_second_pause()
    position = position_of(game)
    at = next(i for i, s in enumerate(position.steps) if s.dice)
    step = position.steps[at]
    altered = {
        "dice": msgspec.structs.replace(step, dice=(7 - step.dice[0],)),
        "label": msgspec.structs.replace(step, label="OTHER/KIND/-/X/1/1D6"),
        "window": msgspec.structs.replace(step, window=7),
        "audience": msgspec.structs.replace(step, to=(RED, BLUE)),
        "asked": step,
    }
    if change == "fewer":
        del position.steps[at]
    else:
        position.steps[at] = altered[change]
    if change == "asked":
        position.steps[0] = msgspec.structs.replace(position.steps[0], label="red:Which Y;blue:")
    with pytest.raises(Diverged):
        Drive.resume(game.system, game.sides, {"play": "asked"}, position)


@pytest.mark.parametrize("change", ["live", "closed", "more", "shorter"])
def test_an_altered_position_diverges(change: str) -> None:
    game = at_second_pause()
    position = position_of(game)
    if change == "live":
        position.live = msgspec.Raw(encode(Board(1, ["6"])))
    elif change == "closed":
        position.closed[-1] = (position.closed[-1][0], {"red": answers("C")})
    elif change == "more":
        position.steps.append(position.steps[-1])
    else:
        del position.closed[-1]
    with pytest.raises(Diverged):
        Drive.resume(game.system, game.sides, {"play": "asked"}, position)


def test_other_rules_diverge() -> None:
    game = at_second_pause()

    async def other(table: TableLike, board: Board) -> Board:
        await table.orders()
        table.roll("OTHER/KIND/-/X", D6, to=[RED])
        await table.ask(RED, [which()])
        return board

    with pytest.raises(Diverged):
        Drive.resume(Tiny(other), game.sides, {"play": "asked"}, position_of(game))


MOVES = st.lists(
    st.tuples(
        st.sampled_from(["", "A1", "A2", "B1", "B2", "A3"]),
        st.sampled_from(["", "E5", "D5", "E4", "D4", "C5"]),
        st.sampled_from(["", "D5", "E5", "E4"]),
    ),
    min_size=1,
    max_size=12,
)


def toy_sets(fox: str, hound: str, leap: str) -> dict[Side, OrderSet]:
    def moved(who: str, to: str) -> OrderSet:
        given = {"Q1": leap} if leap and who == "HOUND" else {}
        return OrderSet((Order(who, (Action("move", {"to": to}),)),), dict(given))

    sets = {
        "fox": moved("FOX", fox) if fox else None,
        "hunter": moved("HOUND", hound) if hound else None,
    }
    return {Side(s): o for s, o in sets.items() if o}


@settings(max_examples=few(30))
@given(windows=MOVES, play=st.sampled_from(["asked", "plotted"]), seed=st.integers(0, 99))
def test_resumed_toy_games_are_the_same_games(
    windows: list[tuple[str, str, str]], play: str, seed: int
) -> None:
    dice, options = Seeded(str(seed), b""), {"play": play}
    sides = TOY.scenarios[0].sides
    through = Drive.start(TOY, sides, options, TOY.begin("wood", options, {}))
    paused = Drive.start(TOY, sides, options, TOY.begin("wood", options, {}))
    for window in windows:
        if through.over:
            break
        sets = toy_sets(*window)
        first: Closing = through.close(sets, dice)
        second = resumed(paused)
        assert second.close(sets, dice) == first
        paused = second
        assert encode_position(paused) == encode_position(through)
        assert all(isinstance(t, Told) for t in first.told)
