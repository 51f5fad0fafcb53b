"""Answers of encounters and battles: what orders say, what was mailed, and how long it holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from games.bismarck import airstrike, asks, combat
from games.bismarck.answers import Answers
from games.bismarck.battle import plans
from games.bismarck.board import Zone
from games.bismarck.events import OrderFailed
from games.bismarck.events_battle import AttackDeclared, RoundBegun
from games.bismarck.state import BRITISH, GERMAN, TaskForce, War
from games.bismarck.vessels import Battle, Vessel
from orders.model import Value
from pbem.kit.hexes import Hex
from pbem.model import Question, Side
from tests.bismarck.casebook import play
from tests.bismarck.deck import Deck
from tests.bismarck.fake_table import begin, books
from tests.bismarck.test_determination import HERE, sea
from tests.casetable import run

ASKED = {
    BRITISH: {
        "HANDLE HOOD": asks.Handle(
            about="Hood", choices=plans.POSTURES, default="A", mood="A", actors=("HOOD",)
        )
    }
}


class Post(Deck):
    """A table at which mail brings one answer, and new orders with it."""

    def __init__(self, war: War, answer: str, before: str = "", after: str = "") -> None:
        super().__init__(war, books=books(war, before))
        self.mailed, self.after = answer, after

    async def ask_each(
        self, asked: Mapping[Side, Sequence[Question]], owed: Sequence[Side] = ()
    ) -> dict[Side, list[Value]]:
        if any(q.source == "any" for qs in asked.values() for q in qs):
            if self.after:
                self.books = books(self.war, self.after)
            return {side: [self.mailed for _ in qs] for side, qs in asked.items()}
        return await super().ask_each(asked, owed)


@pytest.mark.parametrize(
    ("mailed", "before", "after", "found"),
    [
        ("A", "", "", "A"),  # nobody says anything
        ("CLOSE", "", "", "CLOSE"),  # an answer holds on
        ("B", "HOOD: range b;", "", "B"),
        ("CLOSE", "HOOD: range b;", "", "CLOSE"),  # an answer counts more than orders
        ("A", "", "HOOD: range open;", "OPEN"),  # orders that come with the default count
        ("CLOSE", "", "HOOD: range open;", "CLOSE"),
    ],
)
def test_ruling_57_what_holds_after_a_window(
    mailed: str, before: str, after: str, found: str
) -> None:
    table = Post(begin(), mailed, before, after)
    answers = Answers(table)
    run(answers.mail(ASKED))
    assert run(answers.find(ASKED)) == {BRITISH: {"HANDLE HOOD": found}}


def test_ruling_57_an_answer_ends_when_orders_say_something_else() -> None:
    table = Post(begin(), "CLOSE")
    answers = Answers(table)
    run(answers.mail(ASKED))
    table.books = books(table.war, "HOOD: range b;")
    assert run(answers.find(ASKED)) == {BRITISH: {"HANDLE HOOD": "B"}}


def test_ruling_57_windows_of_a_battle_are_few_and_wait_for_nobody() -> None:
    war, asked = sea(["HOOD", "BISMARCK"]), []

    class Counting(Deck):
        async def ask_each(
            self, asked_: Mapping[Side, Sequence[Question]], owed: Sequence[Side] = ()
        ) -> dict[Side, list[Value]]:
            if any(q.source == "any" for qs in asked_.values() for q in qs):
                asked.append(battle.round)
            return await super().ask_each(asked_, owed)

    battle = Battle(zone=HERE, attacker=BRITISH)
    battle.vessels = [Vessel("HOOD", BRITISH, True, Hex(6, 0)), Vessel("BISMARCK", GERMAN)]
    for battle.round in range(1, 40):
        run(plans.ask(war, battle, Answers(Counting(war))))
        if battle.round == 17:
            battle.vessels.append(Vessel("NORFOLK", BRITISH, True, Hex(6, 0)))
            war = sea(["HOOD", "BISMARCK", "NORFOLK"])
    assert asked == [1, 5, 15]


def test_ruling_57_an_attack_that_was_declined_by_mail_is_not_made() -> None:
    war = sea(["HOOD", "BISMARCK"])
    table = Post(war, asks.NONE)

    async def both() -> None:
        await combat.phase(table, war, await combat.encounter(table, war))

    run(both())
    assert not table.heard(AttackDeclared)


def test_9_2_a_side_is_asked_zone_by_zone_in_the_order_of_the_board() -> None:
    there = {"HOOD": "Q17", "KENYA": "B9", "NORFOLK": "M10", "REPULSE": "M9", "SUFFOLK": "V12"}
    war = sea(list(there))
    for id_, zone in there.items():
        war.ships[id_].zone = Zone(zone)
    assert airstrike.questions(war, GERMAN)["STRIKE"].about.endswith(" over B9 M9 M10 Q17 V12")
    asked = combat.questions(war, BRITISH)
    assert [k for k in asked if k.startswith("ACCEPT")] == [
        f"ACCEPT {id_}" for id_ in ("KENYA", "REPULSE", "NORFOLK", "HOOD", "SUFFOLK")
    ]


# Whether a window opens tells nothing


def meeting(hidden: bool) -> War:
    """The King George V located beside the Bismarck; `hidden`: in force with a carrier and a fast
    cruiser that were not told of."""
    ids = ["KING GEORGE V", *(["VICTORIOUS", "NORFOLK"] if hidden else []), "BISMARCK"]
    war = sea(ids)
    if hidden:
        war.forces[BRITISH] = {"TF1": TaskForce("TF1", ids[:3])}
        for id_ in ids[:3]:
            war.ships[id_].force = "TF1"
    return war


def windows(war: War) -> list[tuple[str, ...]]:
    """What the German is asked, window by window, in the turn's encounter and battles."""
    seen: list[tuple[str, ...]] = []

    class Counting(Deck):
        async def ask_each(
            self, asked: Mapping[Side, Sequence[Question]], owed: Sequence[Side] = ()
        ) -> dict[Side, list[Value]]:
            if any(q.source == "any" for qs in asked.values() for q in qs):
                mine = asked.get(GERMAN, ())
                seen.append(tuple(f"{type(q).__name__} {q.about}" for q in mine))
            return await super().ask_each(asked, owed)

    given: dict[tuple[str, Any], str] = {("Agree", f"the battle in {HERE}"): "YES"}
    table = Counting(war, given=given)

    async def both() -> None:
        await combat.phase(table, war, await combat.encounter(table, war))

    run(both())
    return seen


def test_9_27_no_window_tells_of_a_hidden_carrier_or_fast_ship() -> None:
    alone, force = windows(meeting(False)), windows(meeting(True))
    assert alone == force
    assert len(alone) == 2


@pytest.mark.parametrize(
    ("turn", "met", "opens"), [(10, 4, 1), (10, 9, 1), (10, 3, 2), (10, 0, 2), (4, 0, 2)]
)
def test_ruling_57_an_encounter_soon_after_another_opens_no_window(
    turn: int, met: int, opens: int
) -> None:
    """The first round's opens in any case."""
    war = meeting(False)
    war.turn, war.met = turn, met
    assert len(windows(war)) == opens
    assert war.met == turn


def test_ruling_57_ships_located_where_nobody_can_be_attacked_open_none() -> None:
    war = meeting(False)
    war.fog = True
    for ship in war.ships.values():
        ship.zone = Zone("B9") if ship.zone else ship.zone
    assert windows(war) == []


def test_9_63_that_fewer_guns_bear_is_told_once_for_each_target() -> None:
    """B range for two rounds: the Bismarck's 17 salvos are 14."""
    orders = {
        "british": "TF1: range b; BRITISH: attack always; BRITISH: break off no;",
        "german": "BISMARCK: range b; BISMARCK: target bb salvos 17; BISMARCK: withdraw round 4;",
    }
    place = dict.fromkeys(("HOOD", "RENOWN", "BISMARCK"), "Q17")
    case = {"place": place, "forces": {"TF1": ["HOOD", "RENOWN"]}, "patrol": ["TF1"]}
    _, table, _ = play({**case, "orders": orders})
    told = [e for _, e in table.told if isinstance(e, OrderFailed) and e.rule == "9.63"]
    assert len([e for _, e in table.told if isinstance(e, RoundBegun)]) > 2
    assert len(told) == len({e.verb for e in told}) > 0
