"""Meetings as data: ships, orders, dice by label; what must be told and what must be true.

A case of `cases/{running,combat}*.toml` fights one meeting by the real chapter. Only the ships it
names are on the board. `dice` lays out throws by label, one after the other; other dice fall 1,
torpedoes 6. `until` stops before the round after that.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from msgspec import json

from games.far_seas import combat
from games.far_seas.events_battle import RoundBegun
from games.far_seas.facts import knows
from games.far_seas.knowledge import Knowledge, Sighting
from games.far_seas.state import BRITISH, GERMAN, SIDES, Fight, War
from games.far_seas.verbs import GRAMMAR
from orders.book import Book, Facts, opened
from orders.model import Value
from pbem.model import Dice, Event, Question, Side
from tests.casetable import Case, CaseTable, cases
from tests.far_seas.casebook import read
from tests.far_seas.ratings import roster

FOLDER = Path(__file__).parent / "cases"


class Enough(Exception):  # noqa: N818  # no error: the case has seen what it wanted
    """The case ends here."""


def load() -> list[dict[str, Any]]:
    """Every case of the chapter, in order of the files."""
    return cases(FOLDER, "combat", "running")


class FightTable(CaseTable):
    """A table with a case's dice and answers."""

    sides: tuple[Side, ...] = SIDES

    def __init__(self, war: War, case: Case) -> None:
        super().__init__(case)
        self.war, self.options = war, war.options
        self.books = {side: _book(war, case, side) for side in SIDES}
        self.rolled: list[tuple[str, Dice]] = []
        self.asked: list[tuple[Side, Question]] = []
        self.dice = {label: list(throws) for label, throws in case.get("dice", {}).items()}

    def facts(self, side: Side) -> Facts:
        return knows(self.war, side)

    def answer(self, side: Side, question: Question) -> Value:
        self.asked.append((side, question))
        return super().answer(side, question)

    def roll(self, label: str, dice: Dice, to: Sequence[Side] = ()) -> tuple[int, ...]:
        assert tuple(to) == SIDES, label  # everything in a meeting is seen by both
        assert dice.sides == 6 or label.startswith("FIGHT/AIM"), label
        self.rolled.append((label, dice))
        if self.dice.get(label):
            fallen = tuple(self.dice[label].pop(0))
            assert len(fallen) == dice.count, f"{label} takes {dice}"
            return fallen
        return (1, 6, 1)[: dice.count]

    def tell(self, to: Sequence[Side], event: Event) -> None:
        if isinstance(event, RoundBegun) and event.round > self.case.get("until", 99):
            raise Enough
        super().tell(to, event)

    def heard(self) -> list[tuple[set[str], dict[str, Any]]]:
        """Audience and event, as JSON has it."""
        return [({*to}, json.decode(json.encode(e))) for to, e in self.told]


def _book(war: War, case: Case, side: Side) -> Book:
    """A side's orders, as they come in by mail."""
    book = opened(GRAMMAR, war.turn)
    text = case.get("orders", {}).get(side, "")
    if text:
        book.take(read(war, side, text, case.get("refused", {}).get(side, ())))
    return book


def position(case: Case) -> tuple[War, Fight]:
    """The state in which the meeting begins."""
    options = case.get("options", {})
    ships = roster(options.get("tubes", "all"))
    war = War(turn=4, last=10, ships=ships, known=Knowledge(), options=options)
    sides = {side: list(case[side]) for side in (GERMAN, BRITISH)}
    area = case.get("area", "28")
    for ship in war.ships.values():
        ship.area = area if ship.id in sides[ship.side] else ""
        if ship.side == GERMAN and ship.area:
            war.known.ships[ship.id] = Sighting(ship.id, area, 4)
    for leader, mates in case.get("squadrons", {}).items():
        for mate in mates:
            war.ships[mate].leader = leader
    for path, value in case.get("set", {}).items():
        name, _, field = path.partition(".")
        setattr(war.ships[name], field, value)
    for name, where in case.get("seen", {}).items():
        war.known.ships[name] = Sighting(name, where, 3)
    fight = Fight(
        area,
        sides[GERMAN],
        sides[BRITISH],
        case.get("how", "search"),
        case.get("favoured", ""),
    )
    return war, fight


def meet(case: Case) -> tuple[War, Fight, FightTable]:
    """Fight it."""
    war, fight = position(case)
    table = FightTable(war, case)
    script = _battle(table, war, fight)
    try:
        script.send(None)
    except StopIteration:
        assert war.fight is fight
    except Enough:
        pass
    else:
        raise AssertionError("the chapter waited for something")
    return war, fight, table


async def _battle(table: FightTable, war: War, fight: Fight) -> None:
    """A meeting as `meetings` has it fought, without what follows all of a segment."""
    fight.plans = dict(table.case.get("plans", {}))
    await combat.battle(table, war, fight)


def judge(case: Case) -> None:
    """Assert all that the case expects."""
    war, fight, table = meet(case)
    told = table.heard()
    for wanted in case.get("told", ()):
        _told(told, dict(wanted))
    for path, value in case.get("state", {}).items():
        name, _, field = path.partition(".")
        found = getattr(war.ships[name], field)
        assert found == value, f"{path}: {found}"
    if "away" in case:
        assert fight.ranaway == case["away"]
    rolled = [label for label, _ in table.rolled]
    for label, count in case.get("rolls", {}).items():
        assert rolled.count(label) == count, f"{label}: {rolled.count(label)} times"
    if "scores" in case:
        assert [f"{s.side} {s.points} {s.what}" for s in war.scores] == case["scores"]
    assert not [label for label, left in table.dice.items() if left], table.dice


def _told(told: Sequence[tuple[set[str], dict[str, Any]]], wanted: dict[str, Any]) -> None:
    """`to_sides`: exactly these, both without it; `never`: nobody hears such an event; `parts` may
    be given as a dict."""
    to, never = set(wanted.pop("to_sides", SIDES)), wanted.pop("never", False)
    parts = wanted.pop("parts", None)
    hits = [
        audience
        for audience, event in told
        if all(event.get(k) == v for k, v in wanted.items())
        and (parts is None or {p["what"]: p["value"] for p in event["parts"]} == parts)
    ]
    if never:
        assert not hits, f"told: {wanted}"
    else:
        assert to in hits, f"{wanted} {parts or ''} to {to}; told: " + "\n".join(
            str(e) for _, e in told
        )
