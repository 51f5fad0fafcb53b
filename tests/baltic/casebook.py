"""Cases as data: vessels, orders, dice by label; what all must hear and what must be true.

A case begins on a scenario's map (by default Rig III) in turn 2 with the vessels that it lists
alone, and plays one whole turn by the real script, with all orders of the turn in one set
(`windows=turn`) unless `options` say otherwise. Dice that it does not lay out fall 3 each. A card
without orders in the case holds its fire; `idle` lists those that act as if nobody had written.
Orders come in as by mail; `refused` has the codes, by side, of what must be wrong with them.

    ships = { VASA = '20 20 90 half', GOTEN = '40 20 270 full x2' }   # x, y, degrees, setting
    markers = { KB1 = '30 20' }          # in the air; others of the scenario are on deck or away
    criticals = { VASA = ['rudder', 'weapon A'] }   # of the turn before
    set = { 'vessels.VASA.hull' = 4 }
    orders = { kalmar = 'VASA: fire A at GOTEN1;' }
    dice = { 'ACTIVATION/GUNFIRE/GOTEN1/VASA A' = [8, 3, 10] }
    told = [ { kind = 'Fired', hits = 2 } ]      # to all, unless `to` says otherwise
    unable = ['68']                              # rules of orders that could not be carried out
    state = { 'vessels.VASA.hull' = 12 }
    gone = ['salvoes.T1']
    asked = [ { kind = 'Mend', side = 'teutonic' } ]   # questions, with their fields
    stages = ['planning', 'stack', 'orders kalmar']    # windows, and who owed orders if not all
    order = ['Repaired', 'Burned']                     # kinds of events, in this order
    cards = ['VASA', 'GOTEN']                          # all that activate, in this order
    then = [ { kalmar = 'VASA: fire A at GOTEN1;' } ]  # orders of later windows
    then_refused = [ { kalmar = ['not-now'] } ]
    vary = [ { name = 'at Crawl', ships = { GOTEN = '40 20 270 crawl x2' } } ]

With `vary` a case stands for as many cases as it lists; each replaces what it names, key by key.
With `turn = 0` it is the set-up: without `ships` all of the scenario's are there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any

from msgspec import json

from games.baltic import movement, setup
from games.baltic import turn as script
from games.baltic.courses import mils, units
from games.baltic.game import SYSTEM
from games.baltic.state import Critical, War
from games.baltic.tables import names, plan, sheets
from games.baltic.verbs import GRAMMAR
from orders.book import Book, Facts, opened
from orders.model import OrderSet, Value
from pbem.kit.plane import Pose
from pbem.model import Dice, Item, Over, Question, Side
from tests import casetable
from tests.casetable import Case, cases, follow, put, read, run

FOLDER = Path(__file__).parent / "cases"
FILES = tuple(sorted(path.stem for path in FOLDER.glob("*.toml")))
Told = list[tuple[set[str], dict[str, Any]]]
"""Events as JSON with their audience."""
OPTIONS = {o.name: o.values[0] for o in SYSTEM.options} | {"windows": "turn", "play": "plotted"}


def load() -> list[dict[str, Any]]:
    """Every case, by file and in order."""
    found: list[dict[str, Any]] = []
    for name in FILES:
        for case in cases(FOLDER, name):
            found += [varied(case, one) for one in case.get("vary", [{}])]
    return found


def varied(case: Case, one: Mapping[str, Any]) -> dict[str, Any]:
    """A case with what a variant replaces."""
    made = {key: value for key, value in case.items() if key != "vary"}
    for key, value in one.items():
        if key == "name":
            made["name"] = f"{case['name']}: {value}"
        elif isinstance(value, dict):
            made[key] = {**case.get(key, {}), **value}
        else:
            made[key] = value
    return made


class CaseTable(casetable.CaseTable):
    """A table that rolls what the case lays out."""

    def __init__(self, war: War, case: Case) -> None:
        super().__init__(case)
        self.war, self.options, self.sides = war, war.options, tuple(war.sides)
        self.laid = {label: list(faces) for label, faces in case.get("dice", {}).items()}
        self.rolled: dict[str, int] = {}
        self.books = {side: opened(GRAMMAR, war.turn) for side in self.sides}
        self.windows = 0
        self.stages: list[str] = []
        self.asked: list[dict[str, Any]] = []

    def facts(self, side: Side) -> Facts:
        return GRAMMAR.knows(self.war, side)

    async def orders(self, owed: Sequence[Side] = ()) -> dict[Side, Book]:
        given = [self.case.get("orders", {}), *self.case.get("then", ())]
        now = given[self.windows] if self.windows < len(given) else {}
        wrong = [self.case.get("refused", {}), *self.case.get("then_refused", ())]
        refused = wrong[self.windows] if self.windows < len(wrong) else {}
        self.windows += 1
        self.stages.append(" ".join((self.war.stage, *owed)))
        for side in self.sides:
            text = now.get(side, "") + self.silence(side, now.get(side, ""))
            sent = read(SYSTEM, self.war, side, text, refused.get(side, ())) if text else None
            self.books[side].take(sent or OrderSet(), self.windows)
        return self.books

    async def ask_each(
        self, asked: Mapping[Side, Sequence[Question]], owed: Sequence[Side] = ()
    ) -> dict[Side, list[Value]]:
        for side, questions in asked.items():
            self.asked += [{**json.decode(json.encode(q)), "side": side} for q in questions]
        return await super().ask_each(asked, owed)

    def silence(self, side: Side, text: str) -> str:
        """`hold fire` for cards that the case does not speak of."""
        if self.war.stage not in ("orders", "all"):
            return ""
        spoken = {word.strip().split(":")[0] for word in text.split(";")}
        quiet = [
            card.id
            for card in self.war.cards.values()
            if card.side == side and self.war.members(card) and not (self.war.round and card.used)
            if not spoken & {card.id, *card.members} and card.id not in self.case.get("idle", ())
        ]
        return "".join(f" {name}: hold fire;" for name in quiet)

    def roll(self, label: str, dice: Dice, to: Sequence[Side] = ()) -> tuple[int, ...]:
        self.rolled[label] = self.rolled.get(label, 0) + dice.count
        assert tuple(to) == self.sides, f"{label} is not seen by all"
        laid = self.laid.get(label)
        return tuple(laid.pop(0) if laid else 3 for _ in range(dice.count))

    def shuffle(self, label: str, items: Sequence[Item], to: Sequence[Side] = ()) -> list[Item]:
        found = list(items)
        return found[::-1] if label in self.case.get("reversed", ()) else found


def position(case: Case) -> War:
    """The position in which the case begins."""
    options = {**OPTIONS, **case.get("options", {})}
    war = setup.begin(case.get("scenario", "rig"), options, {})
    war.turn = case.get("turn", 2)
    if not war.turn:
        put(war, case.get("set", {}))
        return war
    war.stage = "all" if options["windows"] == "turn" else "planning"
    listed = case.get("ships", {})
    for name in list(war.order):
        if name not in listed:
            _remove(war, name)
    for name, text in listed.items():
        _put(war, name, text)
    letters = {side[0].upper(): side for side in war.sides}
    for name in case.get("markers", {}):
        if name not in war.markers:
            setup._marker(war, letters[name[0]], name, "")
    for marker in war.markers.values():
        if marker.id in case.get("markers", {}):
            x, y = case["markers"][marker.id].split()
            marker.at, marker.x, marker.y = "air", mils(x), mils(y)
        elif marker.id not in case.get("aboard", ()):
            marker.at = "lost"
    put(war, deepcopy(case.get("set", {})))  # variants of a case share it
    for name, effects in case.get("criticals", {}).items():
        for effect, _, weapon in (text.partition(" ") for text in effects):
            war.vessels[name].criticals.append(Critical(effect, weapon, war.turn - 1))
    for card in war.cards.values():
        movement.cohere(war, card)
    SYSTEM.audit(war)
    return war


def _remove(war: War, name: str) -> None:
    for vessel in war.cards[name].members:
        del war.vessels[vessel]
    del war.cards[name]
    war.order.remove(name)
    war.deployed = [n for n in war.deployed if n != name]


def _put(war: War, name: str, text: str) -> None:
    x, y, heading, setting, *count = text.split()
    if name not in war.cards:
        side = sheets()[names()[name].sheet].side
        force = next(f for f in plan(war.scenario).forces if f.side == side)
        setup._muster(war, force, names()[name])
    card = war.cards[name]
    card.setting = setting  # type: ignore[assignment]
    if count:
        for spare in card.members[int(count[0][1:]) :]:
            del war.vessels[spare]
        card.members = card.members[: int(count[0][1:])]
    setup.station(war, card, Pose(mils(x), mils(y), units(heading)))


def play(case: Case) -> tuple[War, CaseTable, Any]:
    """Turns by the real script."""
    war = position(case)
    table, result = CaseTable(war, case), None
    for _ in range(case.get("turns", 1)):
        result = run(script.turn(table, war))
        if isinstance(result, Over):
            break
        for side in table.sides:
            table.books[side] = opened(GRAMMAR, war.turn, table.books[side].standing)
    return war, table, result


def judge(case: Case) -> None:
    """Assert all that the case expects."""
    war, table, result = play(case)
    SYSTEM.audit(war)
    told: Told = [(set(map(str, to)), json.decode(json.encode(e))) for to, e in table.told]
    for wanted in case.get("told", ()):
        _expect(told, dict(wanted), table.sides)
    unable = [e["rule"] for _, e in told if e["kind"] == "Unable"]
    reasons = [e["what"] for _, e in told if e["kind"] == "Unable"]
    assert unable == case.get("unable", []), f"{reasons}\n{lines(told)}"
    for path, value in case.get("state", {}).items():
        found = json.decode(json.encode(follow(war, path.split("."))))
        assert found == value, f"{path}: {found}\n{lines(told)}"
    for path in case.get("gone", ()):
        *way, last = path.split(".")
        assert last not in follow(war, way), f"{path}\n{lines(told)}"
    for vessel, tens in case.get("tens", {}).items():
        assert war.vessels[vessel].tenners == tens
    _in_order(told, case.get("order", ()))
    if "cards" in case:
        assert [e["card"] for _, e in told if e["kind"] == "Activated"] == case["cards"]
    for question in case.get("asked", ()):
        hits = [q for q in table.asked if all(q.get(k) == v for k, v in question.items())]
        assert hits, f"not asked: {question}; asked: {table.asked}"
    if "stages" in case:
        assert table.stages == case["stages"]
    if "over" in case:
        assert isinstance(result, Over), "the game goes on"
        assert result.result == case["over"], result
    for label, count in case.get("rolls", {}).items():
        assert table.rolled.get(label, 0) == count, f"{label}: {table.rolled}\n{lines(told)}"
    left = {label: faces for label, faces in table.laid.items() if faces}
    assert not left, f"dice that did not fall: {left}; fell: {sorted(table.rolled)}\n{lines(told)}"


def lines(told: Told) -> str:
    """What was told, for messages."""
    return "\n".join(str(e) for _, e in told)


def _in_order(told: Told, wanted: Sequence[Any]) -> None:
    """Kinds of events, or events by their fields, one after the other."""
    left = [e for _, e in told]
    for one in wanted:
        like = one if isinstance(one, dict) else {"kind": one}
        at = [i for i, e in enumerate(left) if all(e.get(k) == v for k, v in like.items())]
        assert at, f"{one} is not told after the others\n{lines(told)}"
        left = left[at[0] + 1 :]


def _expect(told: Told, wanted: dict[str, Any], sides: Sequence[Side]) -> None:
    """`to`: exactly these sides, by default all; `never` = true: nobody hears such an event."""
    to, never = wanted.pop("to", list(sides)), wanted.pop("never", False)
    hits = [a for a, e in told if all(e.get(k) == v for k, v in wanted.items())]
    if never:
        assert not hits, f"told: {wanted}"
    else:
        assert set(to) in hits, f"{wanted} to {to}; told:\n{lines(told)}"
