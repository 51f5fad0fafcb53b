"""Three Corsairs: three sides, a set-up that asks, turns that one side owes, doctrine by option.

1 Set-up: each corsair enters a zone (1.1), then bids for the order of play (1.2).
2 In his turn a corsair sails one zone; whoever watches the zone that he enters, demands a toll.
3 The richest after the last turn has won.
"""

from __future__ import annotations

from collections.abc import Mapping
from zlib import crc32

from msgspec import Struct, convert

from orders.book import Facts
from orders.verbs import Arg, Grammar, Term, Verb
from pbem import model as m
from pbem.model import Side, TableLike

RED, GREEN, BLUE = SIDES = Side("red"), Side("green"), Side("blue")
SHIP = {RED: "ROVER", GREEN: "GANNET", BLUE: "BOREAS"}
ZONES = [row + col for row in "ABC" for col in "123"]
LAST, PURSE = 6, 9


class Sighting(Struct):
    """What a corsair knows of another: where and when he saw it."""

    place: str
    turn: int


class Sea(Struct):
    """The truth: places and gold by side, the order of play, who saw whom."""

    turn: int = 0
    place: dict[str, str] = {}
    gold: dict[str, int] = {}
    order: list[Side] = []
    known: dict[str, dict[str, Sighting]] = {}


class To(Struct):
    """An order to a zone."""

    to: str


class Enter(To):
    """1.1 Where the ship begins."""


class Sail(To):
    """2.1 One step."""


class Watch(To):
    """2.2 The zone that is watched."""


class Entered(m.Event, frozen=True):
    """1.1, 2.1 The own ship is in another zone."""

    ship: str
    to: str


class PlayOrder(m.Event, frozen=True):
    """1.2 Who plays when, which all are told."""

    order: tuple[str, ...]


class Paid(m.Event, frozen=True):
    """1.2, 2.3 Own gold that was won or lost."""

    gold: int


class Spotted(m.Event, frozen=True):
    """2.2 All hear who spotted whom; the two know where."""

    by: str
    whom: str
    where: str = ""


class Bid(m.Question, frozen=True):
    """1.2 Gold for the order of play."""


class Toll(m.Question, frozen=True):
    """2.3 What is demanded of a ship that was spotted."""


def near(zone: str) -> list[str]:
    """2.1 The zones that share a side with `zone`, sorted."""
    row, column = ord(zone[0]), int(zone[1])
    steps = ((-1, 0), (0, -1), (0, 1), (1, 0))
    return [z for r, c in steps if (z := f"{chr(row + r)}{column + c}") in ZONES]


def verb(kind: type[Struct], say: str, rule: str) -> Verb:
    """A verb whose one argument is a zone."""
    name = kind.__name__.lower()
    return Verb(name, kind, (Arg("to", "place"),), say, f"ROVER: {name} B1;", rule)


class Corsairs(m.System):
    """The system as the kernel meets it."""

    name, title, edition, state, turns = "corsairs", "Three Corsairs", "1", Sea, LAST
    scenarios = (m.Scenario("bay", "The bay", SIDES),)
    options = (m.Option("mail", ("brief", "full"), "tolls by default, or by mail", "2.3"),)
    mailing = m.Mailing("mail", {"brief": (), "full": (Toll,)}, always=(Bid,))
    grammar = Grammar(
        verbs=(
            verb(Enter, "where the ship begins", "1.1"),
            verb(Sail, "one step", "2.1"),
            verb(Watch, "watch a zone", "2.2"),
        ),
        terms=(Term("turn", "number"),),
        places=frozenset(ZONES),
        place=lambda token: len(token) == 2 and token[0].isalpha() and token[1].isdigit(),
    )

    def begin(self, scenario: str, options: Mapping[str, str], house: Mapping[str, str]) -> Sea:
        """Nobody is at sea yet: turn 0 asks."""
        return Sea(place=dict.fromkeys(SIDES, "B2"), gold=dict.fromkeys(SIDES, PURSE))

    async def turn(self, table: TableLike, sea: Sea) -> Sea | m.Over:
        """The set-up, or the turn of one side."""
        if not sea.turn:
            return await self.set_up(table, sea)
        side = sea.order[(sea.turn - 1) % len(SIDES)]
        books = await table.orders(owed=(side,))
        sail = books[side].find(SHIP[side], Sail, self.facts(sea, side))
        if sail and sail.to in near(sea.place[side]):
            sea.place[side] = sail.to
            table.tell([side], Entered(rule="2.1", ship=SHIP[side], to=sail.to))
            for other in table.sides:
                watch = books[other].find(SHIP[other], Watch, self.facts(sea, other))
                if other != side and watch and watch.to == sail.to:
                    await self.spotted(table, sea, other, side)
        if sea.turn == LAST:
            rich = [s for s in SIDES if sea.gold[s] == max(sea.gold.values())]
            return m.Over(rich[0] if len(rich) == 1 else "draw", "3", "the gold was counted")
        sea.turn += 1
        return sea

    async def set_up(self, table: TableLike, sea: Sea) -> Sea:
        """1.1, 1.2 Two windows: zones by orders, then sealed bids by mail."""
        books = await table.orders()
        for side in SIDES:
            order = books[side].find(SHIP[side], Enter, self.facts(sea, side))
            sea.place[side] = order.to if order else sea.place[side]
            table.tell([side], Entered(rule="1.1", ship=SHIP[side], to=sea.place[side]))
        bid = Bid(about="order of play", form=Arg("gold", "number", most=PURSE), default=0)
        bids = await table.ask_each({side: [bid] for side in SIDES})
        lots = table.shuffle("SETUP/LOTS/-/ALL", SIDES, to=SIDES)
        paid = {side: int(str(found)) for side, (found,) in bids.items()}
        sea.order = sorted(lots, key=lambda side: -paid[side])
        table.tell(SIDES, PlayOrder(rule="1.2", order=tuple(sea.order)))
        for side in SIDES:
            sea.gold[side] -= paid[side]
            table.tell([side], Paid(rule="1.2", gold=-paid[side]))
        sea.turn = 1
        return sea

    async def spotted(self, table: TableLike, sea: Sea, by: Side, whom: Side) -> None:
        """2.2, 2.3 All are told of it, so it is public who demands a toll."""
        facts = {"rule": "2.2", "by": by, "whom": whom}
        table.tell([s for s in SIDES if s not in (by, whom)], Spotted(**facts))
        table.tell([by, whom], Spotted(**facts, where=sea.place[whom]))
        toll = Toll(about=SHIP[whom], choices=("none", "some", "much"), default="some", rule="2.3")
        (demand,) = await table.ask(by, [toll], owed=(by,))
        (die,) = table.roll(f"TOLL/PAY/-/{by.upper()}", m.D6, to=(by, whom))
        pays = min(sea.gold[whom], {"none": 0, "some": 1, "much": die // 3}[str(demand)])
        for side, gold in ((by, pays), (whom, -pays)):
            sea.gold[side] += gold
            table.tell([side], Paid(rule="2.3", why=f"rolled {die}", gold=gold))

    def learn(self, sea: Sea, side: Side, event: m.Event) -> None:
        """2.2 A corsair remembers where he spotted whom."""
        if isinstance(event, Spotted) and event.by == side:
            seen = Sighting(event.where, sea.turn)
            sea.known.setdefault(side, {})[event.whom] = seen

    def facts(self, sea: Sea, side: Side) -> Facts:
        """Conditions may test the turn."""
        return lambda term, actor: sea.turn if term == "turn" else None

    def public(self, event: m.Event) -> str:
        """2.2 The name of what all are told: that somebody was spotted."""
        return f"{event.by} spotted {event.whom}" if isinstance(event, Spotted) else ""

    def view(self, sea: Sea, side: Side) -> m.View:
        """The own ship and gold, and what was spotted."""
        ship, at = SHIP[side], sea.place[side]
        values = {"enter": tuple(ZONES)} if not sea.turn else {"watch": tuple(ZONES)}
        if sea.order and sea.turn and sea.order[(sea.turn - 1) % len(SIDES)] == side:
            values["sail"] = tuple(near(at))
        menu = [m.MenuItem(v, (m.MenuArg("to", "place", zones),)) for v, zones in values.items()]
        first = menu[-1]
        return m.View(
            turn=sea.turn,
            label=f"turn {sea.turn} of {LAST}" if sea.turn else "Set-up",
            units=[m.UnitView(id=ship, name=ship.title(), type="ship", place=at)],
            contacts=[
                m.ContactView(id=who.upper(), type="ship", place=s.place, age=sea.turn - s.turn)
                for who, s in sorted(sea.known.get(side, {}).items())
            ],
            menu={ship: menu},
            board={"points": [{"name": "Your gold", "points": sea.gold[side]}]},
            form=[f"{ship}: {first.verb} {first.args[0].values[0]};"],
        )

    def watched(self, sea: Sea) -> m.View:
        """1.2 The order of play."""
        order: list[m.Json] = [{"name": "Order of play", "value": " ".join(sea.order) or "not yet"}]
        return m.View(turn=0, label="", units=(), board={"facts": order})

    def truth(self, sea: Sea) -> m.View:
        """All ships."""
        label = f"turn {sea.turn} of {LAST}" if sea.turn else "Set-up"
        ships = [(SHIP[side], sea.place[side]) for side in SIDES]
        units = [m.UnitView(id=s, name=s.title(), type="ship", place=at) for s, at in ships]
        return m.View(turn=sea.turn, label=label, units=units)

    def audit(self, sea: Sea) -> None:
        """1.2 No gold is lost but that of the bids."""
        assert all(gold >= 0 for gold in sea.gold.values()), "1.2: a corsair owes gold"

    def bot(self, side: Side, report: Mapping[str, object], luck: str) -> str:
        """A random order of each kind that the menu offers; a random bid or toll."""
        chance = crc32(f"{luck} {side}".encode())
        menu = convert(report["menu"], dict[str, list[m.MenuItem]])
        lines = [
            f"{ship}: {item.verb} {zones[chance % len(zones)]};"
            for ship, items in menu.items()
            for item in items
            if (zones := item.args[0].values)
        ]
        asked = convert(report["questions"], list[dict[str, object]])
        answers = {"Bid": str(chance % 4), "Toll": ("none", "some", "much")[chance % 3]}
        return "\n".join(lines + [f"{q['id']}: {answers[str(q['kind'])]};" for q in asked])


SYSTEM = Corsairs()
