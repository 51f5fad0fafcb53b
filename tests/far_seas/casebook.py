"""Cases as data: ships, orders, dice by label; what each side must hear and what must be true.

A case of the files FILES plays one segment by the real script, or with `turns` that many whole
turns. Only the ships it places are on the board. Dice that it does not lay out fall 4, in a meeting
1. `then` holds the orders of later segments. Orders come in as by mail; `refused` has the codes, by
side, of what must be wrong with the first.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from msgspec import json, to_builtins

from games.far_seas import setup
from games.far_seas import turn as script
from games.far_seas.board import BRITISH, GERMAN, SIDES
from games.far_seas.facts import knows
from games.far_seas.game import SYSTEM
from games.far_seas.knowledge import Sighting
from games.far_seas.state import War
from games.far_seas.verbs import GRAMMAR
from games.far_seas.view import view
from orders.book import Book, Facts, opened
from orders.model import OrderSet
from pbem.model import Dice, Event, Over, Side
from pbem.testing.orders import shown, submitted
from tests import casetable
from tests.casetable import Case, cases, follow, learning, put, run

FOLDER = Path(__file__).parent / "cases"
FILES = ("moves", "search", "river", "captures", "victory", "meetings", "corners")
OPTIONS = {o.name: o.values[0] for o in SYSTEM.options}


def load() -> list[dict[str, Any]]:
    """Every case of this book, in order."""
    return cases(FOLDER, *FILES)


def report(war: War, side: Side) -> dict[str, Any]:
    """What the side's report.json holds, as far as orders are judged by it."""
    return {**to_builtins(view(war, side)), "side": side, "scenario": war.scenario, "questions": []}


def read(war: War, side: Side, text: str, refused: Sequence[str] = ()) -> OrderSet:
    """Orders as they come in by mail; refused: the codes of what must be wrong with them."""
    made = shown(SYSTEM, war, side, war.scenario)
    return submitted(SYSTEM, made, text, refused)


class CaseTable(casetable.CaseTable):
    """A table that rolls what the case lays out, and lets the Allies learn."""

    sides: tuple[Side, ...] = SIDES

    def __init__(self, war: War, case: Case) -> None:
        super().__init__(case)
        self.war, self.options = war, war.options
        self.laid = {label: list(faces) for label, faces in case.get("dice", {}).items()}
        self.rolled: dict[str, tuple[Side, ...]] = {}
        self.books = {side: opened(GRAMMAR, war.turn) for side in SIDES}
        self.windows = 0
        self.segments: list[int] = []

    def facts(self, side: Side) -> Facts:
        return knows(self.war, side)

    async def orders(self, owed: Sequence[Side] = ()) -> dict[Side, Book]:
        later = self.case.get("then", ())
        given = [self.case.get("orders", {}), *later][self.windows : self.windows + 1]
        refused = {} if self.windows else self.case.get("refused", {})
        self.windows += 1
        self.segments.append(self.war.segment)
        for side in SIDES:
            text = given[0].get(side, "") if given else ""
            self.books[side].turn = self.war.turn
            bad = refused.get(side, ())
            self.books[side].take(read(self.war, side, text, bad) if text else OrderSet())
        return self.books

    def roll(self, label: str, dice: Dice, to: Sequence[Side] = ()) -> tuple[int, ...]:
        self.rolled[label] = tuple(to)
        laid = self.laid.get(label)
        plain = 1 if label.startswith("FIGHT") else min(4, dice.sides)
        return tuple(laid.pop(0) if laid else plain for _ in range(dice.count))

    def tell(self, to: Sequence[Side], event: Event) -> None:
        super().tell(to, event)
        learning(SYSTEM, self.war, to, event)


def position(case: Case) -> War:
    """The position in which the case begins."""
    war = setup.begin(case.get("scenario", "war"), {**OPTIONS, **case.get("options", {})})
    war.turn, war.segment = case.get("turn", 3), case.get("segment", 1)
    for ship in war.ships.values():
        ship.area, ship.gone, ship.leader = "", "retired", ""
    war.known.ships.clear()
    for name, area in case.get("place", {}).items():
        ship = war.ships[name]
        ship.area, ship.gone = area, ""
        if ship.side == GERMAN:
            war.known.ships[name] = Sighting(name, area, war.turn)
    for leader, mates in case.get("squadrons", {}).items():
        for id_ in mates:
            war.ships[id_].leader = leader
    put(war, case.get("set", {}))
    return war


def play(case: Case) -> tuple[War, CaseTable, Any]:
    """The segment, or turns, by the real script."""
    war = position(case)
    table, result = CaseTable(war, case), None
    if "turns" not in case:
        run(_one(table, war))
        return war, table, None
    war.segment = 0
    for _ in range(case["turns"]):
        result = run(script.turn(table, war))
    return war, table, result


async def _one(table: CaseTable, war: War) -> None:
    await script.segment(table, war, await table.orders())


def judge(case: Case) -> None:
    """Assert all that the case expects."""
    war, table, result = play(case)
    SYSTEM.audit(war)
    assert war.fight is None
    told = [(set(to), json.decode(json.encode(e))) for to, e in table.told]
    for wanted in case.get("told", ()):
        expect_told(told, dict(wanted))
    for path, value in case.get("state", {}).items():
        found = json.decode(json.encode(follow(war, path.split("."))))
        assert found == value, f"{path}: {found}"
    for side, points in case.get("points", {}).items():
        assert war.total(Side(side)) == points, f"{side}: {war.scores}"
    if "over" in case:
        assert isinstance(result, Over), "the game goes on"
        assert result.result == case["over"]
    for label, to in case.get("rolls", {}).items():
        assert table.rolled.get(label) == tuple(Side(s) for s in to), table.rolled
    for label in case.get("not_rolled", ()):
        assert label not in table.rolled


def expect_told(told: list[tuple[set[Side], dict[str, Any]]], wanted: dict[str, Any]) -> None:
    """`to`: exactly these sides; `never`: nobody of them hears such an event."""
    to, never = wanted.pop("to", None), wanted.pop("never", None)
    hits = [a for a, e in told if all(e.get(k) == v for k, v in wanted.items())]
    if never is not None:
        assert not any(set(never) & audience for audience in hits), f"told: {wanted}"
    else:
        assert set(to or ()) in hits, f"{wanted} to {to}; told: {told}"


__all__ = ["BRITISH", "GERMAN", "judge", "load", "play", "position", "read", "report"]
