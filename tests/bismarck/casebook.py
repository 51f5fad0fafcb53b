"""Cases as data: a position, orders, dice by label; what each side must hear and what must be true.

A case of `cases/*.toml` plays one whole turn. Ships that `place` does not name are off the board.
`dice` lays out the rolls of a label, or of its nth alone: `'BATTLE/FIRE/Q17/HOOD/2'`. Orders come
in as by mail; `refused` has the codes, by side, of what must be wrong with them. `asked` has
questions that must come by mail where the game is played so, or may `never`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

from msgspec import json

from games.bismarck import calendar, contacts, knowledge, visibility
from games.bismarck.board import Zone
from games.bismarck.events import Located
from games.bismarck.facts import knows
from games.bismarck.game import SYSTEM
from games.bismarck.state import BRITISH, GERMAN, SIDES, Convoy, Discovery, Score, TaskForce, War
from orders.book import Book, Facts
from orders.model import Value
from pbem.model import Dice, Event, Item, Over, Question, Side
from pbem.table import Table
from tests import casetable
from tests.bismarck.fake_table import CITED, begin, books
from tests.casetable import Case, cases, follow, learning, put, run

FOLDER = Path(__file__).parent / "cases"
OWN = ("REPAIR/EVASION", "CHANCE/HUFF-DUFF", "BATTLE/WITH")
UNSEEN = ("AIR/COUNTER", "BATTLE/AGAINST", "CONTACTS/ORDER")
"""Dice that their owner sees alone (9.728, 10.22, 9.223), and those that nobody sees."""
DRAWN = (*OWN[1:], *UNSEEN, "AIR/BEAM", "BATTLE/BEAM")
"""Counters and sections that are drawn; all else is rolled with dice of six faces."""


def load() -> list[dict[str, Any]]:
    """Every case of every file, in order."""
    return cases(FOLDER, "")


class CaseTable(casetable.CaseTable):
    """A table that rolls what the case lays out, and lets the sides learn."""

    sides: tuple[Side, ...] = SIDES

    def __init__(self, war: War, case: Case) -> None:
        super().__init__(case)
        self.war = war
        self.rolled: list[tuple[str, tuple[Side, ...]]] = []
        self.times: Counter[str] = Counter()
        self.asked: list[tuple[Side, dict[str, Any]]] = []

    async def orders(self, owed: Sequence[Side] = ()) -> dict[Side, Book]:
        given = self.case.get("orders", {})
        refused = self.case.get("refused", {})
        self.books = books(self.war, given.get("british", ""), given.get("german", ""), refused)
        return self.books

    def facts(self, side: Side) -> Facts:
        return knows(self.war, side)

    def roll(self, label: str, dice: Dice, to: Sequence[Side] = ()) -> tuple[int, ...]:
        assert set(to) == hears(self.war, label), f"{label} is seen by {to}"
        self.rolled.append((label, tuple(to)))
        self.times[label] += 1
        laid, nth = self.case.get("dice", {}), f"{label}/{self.times[label]}"
        assert dice.sides == 6 or label.startswith(DRAWN), f"{label} takes {dice}"
        if nth in laid or label in laid:
            faces = tuple(laid.get(nth, laid.get(label)))
            assert len(faces) <= dice.count, f"{label} takes {dice}"
            return faces + quiet(dice.count)[len(faces) :]
        if label.startswith("CONTACTS/ORDER"):
            return (1,)  # in the order of their names
        if label.startswith("VISIBILITY"):
            return weather(self.war, self.case)[1]
        return quiet(dice.count)

    def shuffle(self, label: str, items: Sequence[Item], to: Sequence[Side] = ()) -> list[Item]:
        return Table.shuffle(cast(Table, self), label, items, to)

    def answer(self, side: Side, question: Question) -> Value:
        assert question.rule in CITED, question
        if question.source == "any":
            asked = {"kind": type(question).__name__, **json.decode(json.encode(question))}
            self.asked.append((side, asked))
        return super().answer(side, question)

    def tell(self, to: Sequence[Side], event: Event) -> None:
        assert event.rule in CITED, event
        super().tell(to, event)
        learning(SYSTEM, self.war, to, event)


def quiet(count: int) -> tuple[int, ...]:
    """Dice that were not laid: a three alone, else sevens, which miss."""
    return (3,) if count == 1 else (3, 4) * (count // 2)


def hears(war: War, label: str) -> set[Side]:
    """Who sees a die: both, but for OWN and UNSEEN."""
    phase, kind, *_, who = label.split("/")
    if f"{phase}/{kind}" in OWN:
        return {war.ships[who].side if who in war.ships else Side(who.lower())}
    return set() if f"{phase}/{kind}" in UNSEEN else set(SIDES)


def weather(war: War, case: Case) -> tuple[int, tuple[int, int]]:
    """The level before, and dice, that make the weather the case wants."""
    track = visibility.weather(war)
    wanted = (case.get("level", 4), bool(case.get("fog")))
    for start in range(1, 10):
        for first in range(1, 7):
            for second in range(1, 7):
                new = visibility.change(start, first + second, track)
                if (new.level, new.fog) == wanted:
                    return start, (first, second)
    raise AssertionError(f"no roll makes {wanted}")


def position(case: Case) -> War:
    """The state in which the case's turn begins."""
    war = begin()
    war.turn = case.get("turn", 10)
    war.level = case["before"] if "before" in case else weather(war, case)[0]
    if "place" in case:
        for ship in war.ships.values():
            ship.zone = Zone("")
            ship.hold = ""
    for name, zone in case.get("place", {}).items():
        war.ships[name].zone = war.ships[name].origin = Zone(zone)
    for name, ids in case.get("forces", {}).items():
        side = war.ships[ids[0]].side
        war.forces[side][name] = TaskForce(name, list(ids))
        if name in case.get("patrol", ()):
            war.forces[side][name].mode = "patrol"
        for id_ in ids:
            war.ships[id_].force = name
    for name in case.get("patrol", ()):
        if name in war.ships:
            war.ships[name].mode = "patrol"
    for name, (zone, mode, up) in case.get("air", {}).items():
        unit = war.air[name]
        unit.zone, unit.mode, unit.up = Zone(zone), mode, up
    remember(war, case)
    put(war, case.get("set", {}))
    return war


def remember(war: War, case: Case) -> None:
    """What happened before: `found` by turn, ship and zone, `saw` by side and ships, last turn
    where they are now and in the forces of now; `convoys` by turn, `scores` by side."""
    for turn, ship, zone in case.get("found", ()):
        war.found.append(Discovery(turn, ship, Zone(zone)))
    for side, ids in case.get("saw", {}).items():
        ships = [war.ships[i] for i in ids]
        seen = contacts.sightings(war, Side(side), ships)
        located = Located(rule="7.23", zone=ships[0].zone, seen=seen)
        knowledge.learn(war.known[Side(side)], war.turn - 1, located)
        war.located_last[Side(side)] = list(ids)
    for turn in case.get("convoys", ()):
        war.convoys.append(Convoy(turn, calendar.day(turn), Zone("H5"), ("Bismarck",), 6))
    for side, points in case.get("scores", {}).items():
        turn = war.turn - 1
        score = Score(side=Side(side), points=points, rule="12.2", what="before", turn=turn)
        war.scores.append(score)


def play(case: Case) -> tuple[War, CaseTable, War | Over]:
    """One turn of the real script."""
    war = position(case)
    table = CaseTable(war, case)
    return war, table, run(SYSTEM.turn(table, war))


def judge(case: Case) -> None:
    """Assert all that the case expects."""
    war, table, result = play(case)
    SYSTEM.audit(war)
    told = [(set(to), json.decode(json.encode(e))) for to, e in table.told]
    for wanted in case.get("told", ()):
        expect_told(told, dict(wanted))
    for wanted in case.get("asked", ()):
        expect_asked(table.asked, dict(wanted))
    for path, value in case.get("state", {}).items():
        found = json.decode(json.encode(follow(war, path.split("."))))
        assert found == value, f"{path}: {found}"
    if "over" in case:
        assert isinstance(result, Over), "the game goes on"
        assert f"{result.result} {result.rule}" == case["over"]
    else:
        assert isinstance(result, War), result
        assert result.turn == case.get("turn", 10) + 1
    for label, to in case.get("rolls", {}).items():
        assert (label, tuple(Side(s) for s in to)) in table.rolled
    for label in case.get("not_rolled", ()):
        assert label not in [rolled for rolled, _ in table.rolled]
    for label in case.get("dice", {}):
        stem, _, nth = label.rpartition("/")
        if nth.isdigit():
            assert table.times[stem] >= int(nth), f"{label} was never rolled"


def expect_told(told: list[tuple[set[Side], dict[str, Any]]], wanted: dict[str, Any]) -> None:
    """`to`: exactly these sides, so many `times`; `never`: nobody of them hears such an event."""
    to, never, times = (wanted.pop(key, None) for key in ("to", "never", "times"))
    hits = [a for a, e in told if all(e.get(k) == v for k, v in wanted.items())]
    if never is not None:
        assert not any(set(never) & audience for audience in hits), f"told: {wanted}"
    else:
        assert set(to or ()) in hits, f"{wanted} to {to}; told: {told}"
        assert times in (None, len(hits)), f"{wanted} {len(hits)} times"


def expect_asked(asked: list[tuple[Side, dict[str, Any]]], wanted: dict[str, Any]) -> None:
    """side: who is asked such a question by mail; with `never` it is not."""
    side, never = wanted.pop("side"), wanted.pop("never", False)
    found = [q for s, q in asked if s == side and all(q.get(k) == v for k, v in wanted.items())]
    assert bool(found) != never, f"{wanted} of {side}; asked: {asked}"


__all__ = ["BRITISH", "GERMAN", "calendar", "judge", "load", "play", "position"]
