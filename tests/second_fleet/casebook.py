"""Cases as data: units, orders, dice by label; what is told, and what must be true.

A case begins on the map of The Gap with the units that it lists alone, by default in turn 2, a PM,
and plays one whole turn by the real script, with all orders of the turn in one set
(`windows=turn`). In turn 1, 4 and so on, `missions` are the orders of the strategic window. Orders
come in as by mail; `refused` has the codes, by side, of what must be wrong with them (with the
missions, if there are no other orders). Contacts of markers that lie at the start are EN1, EN2 by
hex. Dice that a case does not lay out fall 4 each;
the initiative falls 0, so that NATO is first.

    groups = { ANVIL = '2931 INVCL YORK SHFLD BOXER' }      # hex, ships; L or S: the enemy's marker
    ships = { GATO = '2428', LNSKY = '2427 S damaged' }
    air = { USP3A = '1831', UKHARA = 'INVCL damaged', USP3B = '1831 tac ns' }
    orders = { nato = 'GATO: attack asw EN1;' }
    dice = { 'COMBAT/ASW/2427/SN' = [7] }
    told = [ { kind = 'Struck', outcome = 'damaged' } ]      # to both, unless `to` says otherwise
    unable = ['138']                     # rules of orders that could not be carried out
    unlanded = ['6.3/4']                 # the same, of orders of the advanced level
    points = { nato = 20 }               # before the turn; points_after: after it
    state = { 'vessels.LNSKY.damaged' = true }
    over = 'nato'                        # who has won; why: words that the reason contains
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

from msgspec import json

from games.second_fleet import logistics, setup
from games.second_fleet import turn as script
from games.second_fleet.board import SIDES, SOVIET
from games.second_fleet.game import SYSTEM
from games.second_fleet.knowledge import refresh
from games.second_fleet.state import Squadron, Vessel, War
from games.second_fleet.tables import aircraft, decoys, ships
from games.second_fleet.verbs import GRAMMAR
from orders.book import Book, Facts, opened
from orders.model import OrderSet
from pbem.kit.contacts import Pseudonyms
from pbem.model import Dice, Event, Item, Over, Side
from pbem.table import Table
from tests import casetable
from tests.casetable import Case, cases, follow, learning, put, read, run

FOLDER = Path(__file__).parent / "cases"
Told = list[tuple[set[str], dict[str, Any]]]
"""Events as JSON with their audience."""
OPTIONS = {o.name: o.values[0] for o in SYSTEM.options} | {"windows": "turn", "play": "plotted"}
LEVELS = {"L": 1, "S": 2}


def load() -> list[dict[str, Any]]:
    """Every case, by file and in order."""
    return cases(FOLDER, "")


class CaseTable(casetable.CaseTable):
    """A table that rolls what the case lays out."""

    sides: tuple[Side, ...] = SIDES

    def __init__(self, war: War, case: Case) -> None:
        super().__init__(case)
        self.war, self.options = war, war.options
        self.laid = {label: list(faces) for label, faces in case.get("dice", {}).items()}
        self.rolled: dict[str, int] = {}
        self.seen: dict[str, set[str]] = {}
        self.books = {side: opened(GRAMMAR, war.turn) for side in SIDES}
        self.windows = 0

    def facts(self, side: Side) -> Facts:
        return GRAMMAR.knows(self.war, side)

    async def orders(self, owed: Sequence[Side] = ()) -> dict[Side, Book]:
        self.windows += 1
        strategic = self.war.stage in ("strategic", "set-up")
        given = self.case.get("missions" if strategic else "orders", {})
        for side in SIDES:
            text = given.get(side, "") if strategic or self.war.segment == 1 else ""
            judged = bool(text) and not (strategic and "orders" in self.case)
            refused = self.case.get("refused", {}).get(side, ()) if judged else ()
            sent = read(SYSTEM, self.war, side, text, refused) if text else OrderSet()
            self.books[side].take(sent, self.windows)
        return self.books

    def roll(self, label: str, dice: Dice, to: Sequence[Side] = ()) -> tuple[int, ...]:
        self.rolled[label] = self.rolled.get(label, 0) + dice.count
        self.seen[label] = set(map(str, to))
        laid = self.laid.get(label)
        usual = 0 if label.startswith("ACTION/INITIATIVE") else min(4, dice.low + dice.sides - 1)
        return tuple(laid.pop(0) if laid else usual for _ in range(dice.count))

    def shuffle(self, label: str, items: Sequence[Item], to: Sequence[Side] = ()) -> list[Item]:
        if label in self.laid:
            return Table.shuffle(cast(Table, self), label, items, to)
        self.seen[label] = set(map(str, to))
        return list(items)

    def tell(self, to: Sequence[Side], event: Event) -> None:
        super().tell(to, event)
        learning(SYSTEM, self.war, to, event)


def position(case: Case) -> War:
    """The position in which the case begins."""
    options = {**OPTIONS, **case.get("options", {})}
    war = setup.begin(case.get("scenario", "gap"), options, {})
    war.turn = case.get("turn", 2)
    war.stage = "strategic" if war.part == "AM" else "segment"
    if war.turn == 0:
        war.stage = "set-up"
    war.vessels, war.squadrons, war.groups = {}, {}, {}
    for name, text in case.get("groups", {}).items():
        hex_, *words = text.split()
        members = [word for word in words if word in ships()]
        marks = [word for word in words if word not in ships()]
        for ship in members:
            _launch(war, ship, hex_, marks, name)
        war.groups[name] = war.vessels[members[0]].side
    for name, text in case.get("ships", {}).items():
        hex_, *marks = text.split()
        _launch(war, name, hex_, marks, "")
    for name, text in case.get("air", {}).items():
        _post(war, name, text.split())
    if war.on("logistics"):
        for name, ship in war.vessels.items():
            ship.stores = None if ship.decoy else logistics.full(name)
    for track in war.arrivals.values():
        track.waiting = []
    war.vessels = dict(sorted(war.vessels.items()))
    war.squadrons = dict(sorted(war.squadrons.items()))
    for side in SIDES:
        war.known[side], war.held[side], war.called[side] = {}, {}, Pseudonyms("EN")
    put(war, case.get("set", {}))
    for side, points in case.get("points", {}).items():
        war.score(Side(side), points, "before", "3.14", "before the case")
    for side in SIDES:
        war.remark(side)
    table = CaseTable(war, {})
    for side in SIDES:
        refresh(table, war, side, "recon")
    SYSTEM.audit(war)
    return war


def _launch(war: War, name: str, hex_: str, marks: Sequence[str], group: str) -> None:
    side = SOVIET if {**ships(), **decoys()}[name].nation == "SO" else SIDES[0]
    level = max((LEVELS.get(mark, 0) for mark in marks), default=0)
    hurt = "damaged" in marks or f"{name}*" in marks
    ship = Vessel(name, side, hex_, group, hurt, level=level, wake=[hex_])  # type: ignore[arg-type]
    war.vessels[name] = ship


def _post(war: War, name: str, words: Sequence[str]) -> None:
    base, *more = words
    side = SOVIET if aircraft()[name].nation == "SO" else SIDES[0]
    unit = Squadron(name, side, base, damaged="damaged" in more)
    missions = [word for word in more if word in ("tac", "recon", "intercept")]
    if missions:
        unit.at, unit.mission, unit.zone = "mission", missions[0], more[-1].upper()  # type: ignore[assignment]
    war.squadrons[name] = unit


def play(case: Case) -> tuple[War, CaseTable, Any]:
    """A turn by the real script."""
    war = position(case)
    table = CaseTable(war, case)
    return war, table, run(script.turn(table, war))


def judge(case: Case) -> None:
    """Assert all that the case expects."""
    war, table, result = play(case)
    SYSTEM.audit(war)
    told: Told = [(set(map(str, to)), json.decode(json.encode(e))) for to, e in table.told]
    for wanted in case.get("told", ()):
        _expect(told, dict(wanted))
    unable = [e["rule"] for _, e in told if e["kind"] == "Unable"]
    reasons = [e["what"] for _, e in told if e["kind"] == "Unable"]
    assert unable == case.get("unable", []), f"{reasons}\n{lines(told)}"
    failed = [e["rule"] for _, e in told if e["kind"] == "Unlanded"]
    assert failed == case.get("unlanded", []), lines(told)
    for path, value in case.get("state", {}).items():
        found = json.decode(json.encode(follow(war, path.split("."))))
        assert found == value, f"{path}: {found}\n{lines(told)}"
    for label, to in case.get("audience", {}).items():
        assert table.seen[label] == set(to), f"{label} is seen by {table.seen[label]}"
    if "over" in case:
        assert isinstance(result, Over), "the game goes on"
        assert result.result == case["over"], result
        assert case.get("why", "") in result.why, result
    for side, points in case.get("points_after", {}).items():
        assert war.total(Side(side)) == points, war.scores
    for label, count in case.get("rolls", {}).items():
        assert table.rolled.get(label, 0) == count, f"{label}: {table.rolled}\n{lines(told)}"
    left = {label: faces for label, faces in table.laid.items() if faces}
    assert not left, f"dice that did not fall: {left}; fell: {sorted(table.rolled)}\n{lines(told)}"


def lines(told: Told) -> str:
    """What was told, for messages."""
    return "\n".join(f"{sorted(to)} {e}" for to, e in told)


def _expect(told: Told, wanted: dict[str, Any]) -> None:
    """`to`: exactly these sides, by default both; `never` = true: nobody hears such an event."""
    to, never = wanted.pop("to", list(SIDES)), wanted.pop("never", False)
    hits = [a for a, e in told if all(e.get(k) == v for k, v in wanted.items())]
    if never:
        assert not hits, f"told: {wanted}"
    else:
        assert set(to) in hits, f"{wanted} to {to}; told:\n{lines(told)}"
