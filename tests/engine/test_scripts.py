"""Turn scripts that play orders in written order and ask for reactions, through the driver."""

from __future__ import annotations

from collections.abc import Generator

import msgspec
import pytest

from orders.book import FactsAbout
from orders.model import Action, Condition, Order, OrderSet, Value
from orders.model import Test as Trial
from orders.verbs import Trigger
from pbem.engine.drive import Drive, encode_position
from pbem.engine.position import Position
from pbem.errors import RulesFault
from pbem.model import TableLike
from tests.engine.tables import BLUE, DICE, RED, Board, Heard, Say, drive

KINDS = {"say": Say}
FOUND = Trigger("found")


def line(actor: str, word: str, trigger: str = "", when: Trial | None = None) -> Order:
    said = Order(actor, (Action("say", {"word": word}),), Condition((when,)) if when else None)
    return msgspec.structs.replace(said, trigger=trigger) if trigger else said


def given(*orders: Order) -> OrderSet:
    return OrderSet(orders)


def resumed(game: Drive) -> Drive:
    """The same game from its stored position."""
    raw, _ = encode_position(game)
    position = msgspec.json.decode(raw, type=Position)
    again = Drive.resume(game.system, game.sides, dict(game.table.options), position)
    assert encode_position(again)[0] == raw
    return again


def nothing(term: str, actor: str) -> None:
    """Facts of a side that knows nothing."""


async def spell(table: TableLike, board: Board) -> Board:
    """RED's list is played in the order written; when it is spent, the next one is asked for."""
    for _ in range(3):
        books = await table.orders()
        for command in books[RED].script(KINDS, nothing):
            if command.window == books[RED].window:
                board.log.append(f"{command.window} {command.actor} {command.order.word}")
    board.turn += 1
    return board


def test_lists_of_several_windows_are_played_in_the_order_written() -> None:
    """The same live, and from the position between any two windows."""
    sets = [
        given(line("X", "A"), line("Y", "B"), line("X", "C")),
        given(line("Y", "D"), line("X", "E")),
        OrderSet(),
    ]
    through, paused = drive(spell), drive(spell)
    for one in sets:
        paused = resumed(paused)
        assert paused.close({RED: one}, DICE) == through.close({RED: one}, DICE)
        assert encode_position(paused) == encode_position(through)
    assert through.state.log == ["1 X A", "1 Y B", "1 X C", "2 Y D", "2 X E"]


class Awaitable:
    """What an author may await by mistake."""

    def __init__(self, given: object) -> None:
        self.given = given

    def __await__(self) -> Generator[object, None, None]:
        yield self.given


@pytest.mark.parametrize(("given", "named"), [(None, "None"), (5, "a value of type int")])
def test_a_script_may_await_the_table_alone(given: object, named: str) -> None:
    async def sleep(table: TableLike, board: Board) -> Board:
        await Awaitable(given)
        return board

    with pytest.raises(RulesFault, match=f"`turn` awaits {named}") as raised:
        drive(sleep)
    assert "table.ask_each()" in raised.value.hint


class Known(FactsAbout):
    """What a side has been told of a contact's range, whatever is true."""

    def __init__(self, told: list[str]) -> None:
        self.told = told

    def __call__(self, term: str, actor: str, of: str = "") -> Value | None:
        ranges = dict(one.split() for one in self.told)
        return int(ranges[of]) if term == "range of" and of in ranges else None


def hunt(true_range: int, told: bool) -> Drive:
    """A game in which RED reacts once it is found."""

    async def script(table: TableLike, board: Board) -> Board:
        books = await table.orders()
        board.log.append(f"EN1 is at {true_range}")
        if told:
            table.tell([RED], Heard(rule="1", what=f"EN1 {true_range}"))
        facts = Known(board.known.get(RED, []))
        for command in books[RED].reactions(FOUND, "X", KINDS, facts):
            board.log.append(f"RED {command.order.word}")
            table.tell([RED], Heard(rule="1", what=f"SAID {len(command.order.word)}"))
        table.tell([BLUE], Heard(rule="1", what="the turn is over"))
        board.turn += 1
        return board

    return drive(script)


NEAR = Trial("range of", "under", 4, of="EN1")


@pytest.mark.parametrize(
    ("true_range", "told", "log"),
    [(3, True, ["RED A"]), (5, True, []), (3, False, []), (5, False, [])],
)
def test_a_reaction_is_judged_by_what_its_side_was_told(
    true_range: int, told: bool, log: list[str]
) -> None:
    game = hunt(true_range, told)
    standing = msgspec.structs.replace(line("X", "A", "found", NEAR), standing=True)
    game.close({RED: given(standing)}, DICE)
    assert game.state.log[1:] == log
    assert resumed(game)._standing[RED].always["X"] == [standing]


def test_a_reaction_shows_the_enemy_nothing() -> None:
    """Two worlds that differ in RED's reaction alone: BLUE is told the same."""
    seen = []
    for orders in (given(), given(line("X", "A", "found")), given(line("X", "B", "found", NEAR))):
        game = hunt(3, True)
        closing = game.close({RED: orders}, DICE)
        seen.append(([t for t in closing.told if BLUE in t.to], game.system.view(game.state, BLUE)))
    assert seen[0] == seen[1] == seen[2]
