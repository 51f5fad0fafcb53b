"""Two Officers: a side whose air officer and submarine officer see and order a part of it.

1 Hunters have a cruiser, an aircraft and a submarine; the raider has a ship.
2 In a turn every unit may go to any zone. Who ends in the raider's zone, sights it on 1 to 5.
3 The raider has won after the last turn; but not if it was sighted three times.
"""

from __future__ import annotations

from collections.abc import Mapping
from zlib import crc32

from msgspec import Struct, convert

from orders.book import Facts
from orders.verbs import Arg, Grammar, Term, Trigger, Verb
from pbem import model as m
from pbem.model import Side, TableLike
from pbem.roles import Role

HUNTERS, RAIDER = SIDES = Side("hunters"), Side("raider")
UNITS = {HUNTERS: ("SHEFFIELD", "WALRUS", "TRIAD"), RAIDER: ("PINGUIN",)}
AIR, SUBS = "air", "subs"
HAS = {AIR: "WALRUS", SUBS: "TRIAD"}
"""Each role has one unit."""
ZONES = [row + col for row in "ABC" for col in "123"]
LAST, ENOUGH = 6, 3


class Seen(Struct):
    """A sighting of the raider."""

    by: str
    place: str
    turn: int


class Sea(Struct):
    """The truth: where every unit is, and what was sighted."""

    turn: int = 1
    place: dict[str, str] = {}
    seen: list[Seen] = []


class Go(Struct):
    """2 An order to a zone."""

    to: str


class Moved(m.Event, frozen=True):
    """2 An own unit is in a zone."""

    unit: str
    to: str


class Sighted(m.Event, frozen=True):
    """2 A unit sighted the raider."""

    by: str
    contact: str
    where: str


class Signal(m.Question, frozen=True):
    """2 What the commander signals to a unit that sighted the raider."""


class Officers(m.System):
    """The system as the kernel meets it."""

    name, title, edition, state, turns = "officers", "Two Officers", "1", Sea, LAST
    roles = (Role(AIR, "Air officer"), Role(SUBS, "Submarine officer"))
    scenarios = (m.Scenario("bay", "The bay", SIDES, roles={HUNTERS: roles}),)
    grammar = Grammar(
        verbs=(Verb("go", Go, (Arg("to", "place"),), "go to a zone", "WALRUS: go B1;", "2"),),
        terms=(Term("turn", "number"),),
        triggers=(Trigger("sighted", "the unit sighted the raider"),),
        places=frozenset(ZONES),
        place=lambda token: len(token) == 2 and token[0].isalpha() and token[1].isdigit(),
    )

    def begin(self, scenario: str, options: Mapping[str, str], house: Mapping[str, str]) -> Sea:
        """1 The hunters begin in the south, the raider in the north."""
        south = dict.fromkeys(UNITS[HUNTERS], "C2")
        return Sea(place={**south, UNITS[RAIDER][0]: "A2"})

    async def turn(self, table: TableLike, sea: Sea) -> Sea | m.Over:
        """2, 3 All move at once, then the hunters look around."""
        books = await table.orders()
        for side in SIDES:
            for unit in UNITS[side]:
                order = books[side].find(unit, Go, self.facts(sea, side))
                if order:
                    sea.place[unit] = order.to
                    table.tell([side], Moved(rule="2", unit=unit, to=order.to))
        ship = UNITS[RAIDER][0]
        for unit in UNITS[HUNTERS]:
            if sea.place[unit] != sea.place[ship]:
                continue
            (die,) = table.roll(f"SEARCH/LOOK/{unit}/HUNTERS", m.D6, to=[HUNTERS])
            if die < 6:
                sea.seen.append(Seen(unit, sea.place[unit], sea.turn))
                where = sea.place[unit]
                table.tell([HUNTERS], Sighted(rule="2", by=unit, contact="R1", where=where))
                signal = Signal(about=unit, choices=("follow", "leave"), default="follow", rule="2")
                await table.ask(HUNTERS, [signal])
        if len(sea.seen) >= ENOUGH:
            return m.Over(HUNTERS, "3", "the raider was sighted three times")
        if sea.turn == LAST:
            return m.Over(RAIDER, "3", "the raider got away")
        sea.turn += 1
        return sea

    def facts(self, sea: Sea, side: Side) -> Facts:
        """Conditions may test the turn."""
        return lambda term, actor: sea.turn if term == "turn" else None

    def view(self, sea: Sea, side: Side) -> m.View:
        """The own units, and the raider where it was sighted last."""
        return self.part(sea, side, UNITS[side], sea.seen if side == HUNTERS else [])

    def role_view(self, sea: Sea, side: Side, role: str) -> m.View:
        """One unit, and the raider if this unit sighted it last."""
        last = [s for s in sea.seen[-1:] if s.by == HAS[role]]
        return self.part(sea, side, (HAS[role],), last)

    def role_hears(self, sea: Sea, side: Side, role: str, event: m.Event) -> bool:
        """What its unit does and sights."""
        return HAS[role] == (event.unit if isinstance(event, Moved) else getattr(event, "by", ""))

    def role_sees(self, sea: Sea, side: Side, role: str, label: str) -> bool:
        """The dice of its unit."""
        return f"/{HAS[role]}/" in label

    def part(self, sea: Sea, side: Side, units: tuple[str, ...], seen: list[Seen]) -> m.View:
        """A view of some units."""
        item = m.MenuItem("go", (m.MenuArg("to", "place", tuple(ZONES)),))
        return m.View(
            turn=sea.turn,
            label=f"turn {sea.turn} of {LAST}",
            units=[
                m.UnitView(id=u, name=u.title(), type="ship", place=sea.place[u]) for u in units
            ],
            contacts=[
                m.ContactView(id="R1", type="raider", place=s.place, age=sea.turn - s.turn)
                for s in seen[-1:]
            ],
            menu={unit: [item] for unit in units},
            board={"points": [{"name": f"Units {u.title()}", "points": 1} for u in units]},
            form=[f"{unit}: go {sea.place[unit]};" for unit in units],
        )

    def truth(self, sea: Sea) -> m.View:
        """All units."""
        units = [
            m.UnitView(id=u, name=u.title(), type="ship", place=at) for u, at in sea.place.items()
        ]
        return m.View(turn=sea.turn, label=f"turn {sea.turn} of {LAST}", units=units)

    def bot(self, side: Side, report: Mapping[str, object], luck: str) -> str:
        """Every unit on the menu goes somewhere."""
        menu = convert(report["menu"], dict[str, list[m.MenuItem]])
        return "\n".join(
            f"{unit}: go {ZONES[crc32(f'{luck} {unit}'.encode()) % len(ZONES)]};" for unit in menu
        )


SYSTEM = Officers()
