"""Windows that some sides owe, and questions that go by mail, as a turn script writes them."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from pbem.engine.drive import Drive
from pbem.errors import Diverged, RulesFault
from pbem.model import D6, Mailing, Question, Side, TableLike
from tests.engine.tables import BLUE, DICE, RED, Board, Script, Tiny, Which, answers, drive, which

ASKED = {"play": "asked"}


class Other(Which, frozen=True):
    """A question of another class."""


class Late(Question, frozen=True):
    """A question of a third class."""


def orders_owed(owed: Sequence[Side]) -> Script:
    """A turn that asks these sides for orders."""

    async def script(table: TableLike, board: Board) -> Board:
        await table.orders(owed=owed)
        board.turn += 1
        return board

    return script


@pytest.mark.parametrize(
    ("owed", "expected"),
    [((), ()), ((BLUE,), (BLUE,)), ((BLUE, RED), ())],
)
def test_a_pause_names_the_sides_that_must_answer(
    owed: tuple[Side, ...], expected: tuple[Side, ...]
) -> None:
    game = drive(orders_owed(owed))
    assert game.pause.owed == expected
    assert list(game.pause.asked) == [RED, BLUE]
    label = f"orders owed by {BLUE}" if expected else "orders"
    assert [step.label for step in game.position().steps] == [label]


def test_an_unknown_side_cannot_owe() -> None:
    with pytest.raises(RulesFault, match="owed names 'green'; the sides are red, blue"):
        drive(orders_owed([Side("green")]))


def test_a_side_that_is_asked_by_mail_owes_its_answer() -> None:
    async def script(table: TableLike, board: Board) -> Board:
        await table.ask(RED, [which()], owed=(BLUE,))
        return board

    with pytest.raises(RulesFault, match="red is asked by mail and must be named in owed"):
        drive(script)


def test_a_question_without_owed_is_owed_by_all() -> None:
    """Otherwise all would learn who was asked."""

    async def script(table: TableLike, board: Board) -> Board:
        await table.ask(RED, [which()])
        await table.ask(RED, [which()], owed=(RED,))
        return board

    game = drive(script)
    assert not game.pause.owed
    game.close({RED: answers("B")}, DICE)
    assert game.pause.owed == (RED,)


def test_a_resumed_game_asks_the_same_sides_and_another_turn_is_found() -> None:
    game = drive(orders_owed([BLUE]))
    game.close({}, DICE)
    position = game.position()
    again = Drive.resume(Tiny(orders_owed([BLUE])), (RED, BLUE), ASKED, position)
    assert again.pause == game.pause
    with pytest.raises(Diverged, match="asks 'orders owed by red', the record has 'orders owed by"):
        Drive.resume(Tiny(orders_owed([RED])), (RED, BLUE), ASKED, position)


# What goes by mail


@pytest.mark.parametrize(
    ("mailing", "options", "asked"),
    [
        (Mailing(), {"play": "plotted"}, []),
        (Mailing(), ASKED, ["Which", "Other", "Late"]),
        (Mailing(always=(Late,)), {"play": "plotted"}, ["Late"]),
        (
            Mailing("mail", {"few": (Other,), "all": (Question,)}),
            ASKED | {"mail": "few"},
            ["Other"],
        ),
        (
            Mailing("mail", {"few": (Which,)}, always=(Late,)),
            ASKED | {"mail": "few"},
            ["Which", "Other", "Late"],
        ),
    ],
)
def test_the_system_says_which_questions_go_by_mail(
    mailing: Mailing, options: dict[str, str], asked: list[str]
) -> None:
    async def script(table: TableLike, board: Board) -> Board:
        kinds = (Which, Other, Late)
        put = [kind(about="X", choices=("A", "B"), default="A") for kind in kinds]
        board.log += map(str, await table.ask(RED, put))
        await table.orders()
        return board

    system = Tiny(script)
    system.mailing = mailing
    game = Drive.start(system, (RED, BLUE), options, Board(1))
    assert [type(q).__name__ for q in game.pause.asked[RED]] == asked
    if asked:
        game.close({RED: answers(*"B" * len(asked))}, DICE)
    assert game.state.log.count("B") == len(asked)


def test_a_value_that_the_mailing_does_not_list_is_named() -> None:
    system = Tiny(orders_owed(()))
    system.mailing = Mailing("mail", {"few": ()})
    with pytest.raises(ValueError, match="goes by mail with mail=all; it knows few"):
        Drive(system, (RED, BLUE), ASKED | {"mail": "all"})


# A set-up that asks


def test_turn_0_may_ask_but_not_roll_before_window_1() -> None:
    async def script(table: TableLike, board: Board) -> Board:
        if board.turn == 0:
            board.log += map(str, await table.ask(RED, [which()]))
            board.log += map(str, table.roll("SETUP/LOTS/-/ALL", D6, to=[RED, BLUE]))
        else:
            await table.orders()
        board.turn += 1
        return board

    game = Drive.start(Tiny(script), (RED, BLUE), ASKED, Board(0))
    assert (game.state.turn, game.opens, game.pause.opening) == (0, 1, False)
    game.close({RED: answers("C")}, DICE)
    assert (game.state.turn, game.state.log[0], game.pause.opening) == (1, "C", True)

    async def rolls(table: TableLike, board: Board) -> Board:
        table.roll("SETUP/LOTS/-/ALL", D6, to=[RED, BLUE])
        return await script(table, board)

    with pytest.raises(ValueError, match="nothing is rolled before window 1 is answered"):
        Drive.start(Tiny(rolls), (RED, BLUE), ASKED, Board(0))
