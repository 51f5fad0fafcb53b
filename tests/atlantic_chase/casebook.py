"""Cases as data: forces, orders, dice by label; what each side must hear and what must be true.

A case begins in its operation (by default Rheinuebung) with the forces that it lists alone, in good
weather with British Initiative and tally 0, and carries out one programme by the real script; with
`turns` that many whole spells, whose further windows have the orders of `then`. Dice that it does
not lay out fall 3 each. Orders come in as by mail; `refused` has the codes, by side, of what must
be wrong with them.

    forces = { TF1 = 'path I11 I10 | Hood, Kent', TF2 = 'box CLYDE | Fiji' }
    bases = ['HATSTON']              # airbases in play; by default none
    stealth = { UB1 = 'G10' }        # or '' for the U-Boat Box
    groups = { BA = 'CLYDE | Repulse' }
    leaders = { TOVEY = 'HOOD' }
    set = { 'forces.KG1.intel' = ['I10'] }
    orders = { british = 'TF1: engage KG1;', german = '@GERMAN: support none;' }
    dice = { 'ENGAGE/ROLL/I10/TF1' = [6, 5] }
    answers = { 'Support ENGAGE TF1 KG1' = 'NONE' }
    told = [ { kind = 'Rolled', result = 'B' } ]     # to both, unless `to` says otherwise
    order = ['StealthSpent', 'Vied']    # kinds of events, told in this order
    skipped = ['R116']                  # rules of the lines left out, in order
    state = { 'forces.TF1.at' = 'I10', 'active' = 'german' }
    gone = ['forces.KG1']
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from msgspec import json

from games.atlantic_chase import programme, setup
from games.atlantic_chase import turn as script
from games.atlantic_chase.board import PORTS, SIDES
from games.atlantic_chase.facts import knows
from games.atlantic_chase.game import SYSTEM
from games.atlantic_chase.state import Group, Leader, Ship, Stealth, TaskForce, War
from games.atlantic_chase.tables import cards, leaders
from games.atlantic_chase.verbs import GRAMMAR
from orders.book import Book, Facts, opened
from orders.model import OrderSet
from pbem.kit.edits import id_of
from pbem.model import Dice, Event, Over, Side
from tests import casetable
from tests.casetable import Case, cases, follow, learning, put, read, run

FOLDER = Path(__file__).parent / "cases"
FILES = tuple(sorted(path.stem for path in FOLDER.glob("*.toml")))
Told = list[tuple[set[str], dict[str, Any]]]
"""Events as JSON with their audience."""
OPTIONS = {o.name: o.values[0] for o in SYSTEM.options}


def load() -> list[dict[str, Any]]:
    """Every case, by file and in order."""
    found = []
    for name in FILES:
        found += [c for c in cases(FOLDER, name) if c not in found]
    return found


class CaseTable(casetable.CaseTable):
    """A table that rolls what the case lays out."""

    sides: tuple[Side, ...] = SIDES

    def __init__(self, war: War, case: Case) -> None:
        super().__init__(case)
        self.war, self.options = war, war.options
        self.laid = {label: list(faces) for label, faces in case.get("dice", {}).items()}
        self.rolled: dict[str, tuple[Side, ...]] = {}
        self.books = {side: opened(GRAMMAR, war.turn) for side in SIDES}
        self.windows = 0

    def facts(self, side: Side) -> Facts:
        return knows(self.war, side)

    async def orders(self, owed: Sequence[Side] = ()) -> dict[Side, Book]:
        given = [self.case.get("orders", {}), *self.case.get("then", ())]
        now = given[self.windows] if self.windows < len(given) else {}
        refused = {} if self.windows else self.case.get("refused", {})
        self.windows += 1
        for side in SIDES:
            if self.books[side].turn != self.war.turn:
                old = self.books[side].standing
                self.books[side] = opened(GRAMMAR, self.war.turn, old)
            text = now.get(side, "")
            sent = read(SYSTEM, self.war, side, text, refused.get(side, ())) if text else None
            self.books[side].take(sent or OrderSet(), self.windows)
        return self.books

    def roll(self, label: str, dice: Dice, to: Sequence[Side] = ()) -> tuple[int, ...]:
        self.rolled[label] = tuple(to)
        laid = self.laid.get(label)
        return tuple(laid.pop(0) if laid else 3 for _ in range(dice.count))

    def tell(self, to: Sequence[Side], event: Event) -> None:
        super().tell(to, event)
        learning(SYSTEM, self.war, to, event)


def position(case: Case) -> War:
    """The position in which the case begins."""
    options = {**OPTIONS, **case.get("options", {})}
    war = setup.begin(case.get("scenario", "rheinuebung"), options)
    war.turn, war.tally = case.get("turn", 2), case.get("tally", 0)
    war.active, war.weather = Side(case.get("active", "british")), case.get("weather", "good")
    war.forces = {id_: force(id_, text) for id_, text in case.get("forces", {}).items()}
    war.stealth = {id_: stealth(id_, at) for id_, at in case.get("stealth", {}).items()}
    war.groups = {id_: group(id_, text) for id_, text in case.get("groups", {}).items()}
    war.leaders = {
        id_: Leader(id_, leaders()[id_].side, ship, leaders()[id_].uses)
        for id_, ship in case.get("leaders", {}).items()
    }
    war.bases = {b: war.bases[b] for b in case.get("bases", ())}
    listed = [s for f in war.forces.values() for s in f.ships]
    listed += [s for g in war.groups.values() for s in g.ships]
    listed += [s for pool in war.pools for s in pool]
    war.ships = {id_: Ship(id_, cards()[id_].side) for id_ in sorted(listed)}
    put(war, case.get("set", {}))
    SYSTEM.audit(war)
    return war


def force(id_: str, text: str) -> TaskForce:
    """`path I11 I10 | Hood, Norfolk` as a Task Force, `at I10 | ?` as one that is unidentified."""
    place, _, ships = text.partition("|")
    how, _, where = place.strip().partition(" ")
    crew = [id_of(s.strip()) for s in ships.split(",")] if ships.strip() != "?" else []
    made = TaskForce(id_, side_of(id_, "KG"), crew, unknown=not crew)
    if how == "box":
        made.box = PORTS[where].id
    elif how == "at":
        made.at = where
    else:
        assert how == "path", text
        made.line = where.split()
    return made


def stealth(id_: str, at: str) -> Stealth:
    kinds = {"UB": "uboat", "SUB": "submarine", "MINE": "mines"}
    side = side_of(id_, "UB")
    return Stealth(id_, side, kinds[id_.rstrip("0123456789")], at)  # type: ignore[arg-type]


def group(id_: str, text: str) -> Group:
    port, _, ships = text.partition("|")
    names = [id_of(s.strip()) for s in ships.split(",")]
    return Group(id_, side_of(id_, "G"), PORTS[port.strip()].id, names)


def side_of(id_: str, german: str) -> Side:
    return Side("german" if id_.startswith(german) else "british")


def play(case: Case) -> tuple[War, CaseTable, Any]:
    """The programme, or spells, by the real script."""
    war = position(case)
    table, result = CaseTable(war, case), None
    if "turns" not in case:
        run(_one(table, war))
        return war, table, None
    for _ in range(case["turns"]):
        result = run(script.turn(table, war))
        if isinstance(result, War):  # R115 the campaign goes on in another one
            war = table.war = result
    return war, table, result


async def _one(table: CaseTable, war: War) -> None:
    books = await table.orders()
    await programme.carry_out(table, war, books[war.active])


def judge(case: Case) -> None:
    """Assert all that the case expects."""
    war, table, result = play(case)
    if "over" not in case:
        SYSTEM.audit(war)
    told: Told = [(set(map(str, to)), json.decode(json.encode(e))) for to, e in table.told]
    for wanted in case.get("told", ()):
        expect_told(told, dict(wanted))
    kinds = iter([e["kind"] for _, e in told])
    assert all(kind in kinds for kind in case.get("order", ())), lines(told)
    skipped = [e["rule"] for _, e in told if e["kind"] == "LineSkipped"]
    reasons = [e["reason"] for _, e in told if e["kind"] == "LineSkipped"]
    assert skipped == case.get("skipped", []), reasons
    for path, value in case.get("state", {}).items():
        found = json.decode(json.encode(follow(war, path.split("."))))
        assert found == value, f"{path}: {found}\n{lines(told)}"
    for path in case.get("gone", ()):
        *way, last = path.split(".")
        assert last not in follow(war, way), f"{path}\n{lines(told)}"
    scored = [e for _, e in told if e["kind"] == "Scored"]
    for side in SIDES:
        points = sum(e["points"] for e in scored if e["side"] == side)
        assert points == war.total(side) or war.season, f"{side}: {war.scores}\n{lines(told)}"
    for side, points in case.get("points", {}).items():
        assert war.total(Side(side)) == points, f"{side}: {war.scores}"
    if "over" in case:
        assert isinstance(result, Over), "the game goes on"
        assert result.result == case["over"]
    for label, to in case.get("rolls", {}).items():
        assert table.rolled.get(label) == tuple(Side(s) for s in to), table.rolled
    for label in case.get("not_rolled", ()):
        assert label not in table.rolled
    left = {label: faces for label, faces in table.laid.items() if faces}
    assert not left, f"dice that did not fall: {left}; fell: {sorted(table.rolled)}"


def lines(told: Told) -> str:
    """What was told, for messages."""
    return "\n".join(str(e) for _, e in told)


def expect_told(told: Told, wanted: dict[str, Any]) -> None:
    """`to`: exactly these sides, by default both; `never` = true: nobody hears such an event."""
    to, never = wanted.pop("to", list(SIDES)), wanted.pop("never", False)
    hits = [a for a, e in told if all(e.get(k) == v for k, v in wanted.items())]
    if never:
        assert not hits, f"told: {wanted}"
    else:
        assert set(to) in hits, f"{wanted} to {to}; told:\n{lines(told)}"


__all__ = ["judge", "load", "play", "position"]
