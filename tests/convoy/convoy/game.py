"""Two convoys cross a sea in which three submarines wait (clauses: RULES.md)."""

from collections.abc import Mapping
from functools import partial
from typing import Annotated, Literal

from msgspec import Struct, convert
from orders.book import Book, Facts
from orders.declare import Contact as Enemy
from orders.declare import grammar, number, path, verb
from orders.terms import Terms
from pbem import model as m
from pbem.kit import contacts
from pbem.kit.checks import Checks, Refused, Seen
from pbem.kit.doctrine import Doctrine, actors
from pbem.kit.grids import Lattice
from pbem.kit.menus import item, offer
from pbem.kit.parts import part
from pbem.kit.reports import Report
from pbem.kit.views import filler
from pbem.model import ContactView, Side, TableLike, UnitView

ALLIES, GERMANS = SIDES = Side("allies"), Side("germans")
LAST, AIR, KEPT, NEEDED, TOLERATED = 14, 3, 3, 5, 4  # 7.1, 7.2 ships through and ships sunk for victory
SEA = Lattice("square", corners=True)
CELLS = tuple(SEA.name(row, column) for row in range(10) for column in range(1, 11))  # 1.1

UNITS = """HX allies convoy C1 4, SC allies convoy H1 4, ROSE allies escort C2, SNOW allies escort E1,
VETCH allies escort H2, U47 germans submarine B7 0 6 3, U99 germans submarine E8 0 6 3,
U100 germans submarine I7 0 6 3"""


class Ship(Struct):  # the truth
    id: str
    side: Side
    kind: str
    place: str
    ships: int = 0
    torpedoes: int = 0
    air: int = 0
    down: bool = False
    hits: int = 0


class Ocean(Struct):
    turn: int
    ships: dict[str, Ship]
    eyes: dict[Side, contacts.Watch]
    through: int = 0
    sunk: int = 0

    def all(self, kind: str) -> list[Ship]:
        """The units of a kind that are left."""
        return [ship for ship in self.ships.values() if ship.kind == kind]


class OwnShip(UnitView, kw_only=True):  # in a report
    kind: str
    ships: int
    torpedoes: int
    air: int
    down: bool
    hits: int


class Shown(Report, frozen=True, kw_only=True):
    units: tuple[OwnShip, ...]


def around(cell: str, steps: int) -> list[str]:
    """The other cells of the sea within so many steps."""
    return [to for to in SEA.within(cell, steps) if to in CELLS and to != cell]


def fault(kind: str, down: bool, here: str, way: tuple[str, ...]) -> str:
    """2.2, 2.3 What is wrong with a way; the empty text if nothing is."""
    if len(way) > (1 if kind == "convoy" or down else 2):
        return "too-far"
    for cell in way:
        if SEA.distance(here, cell) != 1:
            return "no-way"
        if kind == "convoy" and int(cell[1:]) < int(here[1:]):
            return "turned-back"
        here = cell
    return ""


TERMS = Terms[Ocean]()


@TERMS.number
def air(ocean: Ocean, side: Side, actor: str) -> int | None:
    """Turns of air that a submarine has left."""
    ship = ocean.ships.get(actor)
    return ship.air if ship and ship.side == side else None


@verb("2.1", example="ROSE: move C3 C4;", synonyms=("go",))
class Move(Struct, frozen=True):
    """Move through these squares in order."""

    way: Annotated[tuple[str, ...], path(1, 2)]


@verb("3.1", example="U47: dive;")
class Dive(Struct, frozen=True):
    """Submerge after moving."""


@verb("3.1", example="@U47: if air under 2 then surface;")
class Surface(Struct, frozen=True):
    """Come up after moving."""


@verb("5.2", example="U47: torpedoes EN1 1;")
class Torpedoes(Struct, frozen=True):
    """Prefer this convoy as the target, and fire so many torpedoes."""

    target: Enemy
    shots: Annotated[int, number(1, 2)] = 2


@verb("5.1", example="@GERMANS: attack close;")
class Attack(Struct, frozen=True):
    """When to attack: never, close (from the convoy's own square only), or always."""

    what: Literal["never", "close", "always"]


@verb("6.2", example="ROSE: charge EN1;")
class Charge(Struct, frozen=True):
    """Prefer this contact for the depth charges."""

    target: Enemy


GRAMMAR = grammar(__name__, terms=TERMS, places=CELLS)
CHECKS = Checks(GRAMMAR, Seen)
HINTS = {"no-way": "these squares do not touch", "turned-back": "a convoy may not turn back to the west (2.3)"}
FAR = "convoys and submerged submarines move one square, others two"


@CHECKS.on(Move, arg="way")
def passable(seen: Seen, order: Move) -> None:
    """2.2, 2.3 Not too far, not with gaps, and no convoy back to the west."""
    ship = seen.own(seen.actor, OwnShip)
    code = fault(ship.kind, ship.down, ship.place, order.way) if ship and seen.now else ""
    if code:
        raise Refused(code, "2.2", HINTS.get(code, FAR), "")


@CHECKS.on(Dive)
def breath(seen: Seen, order: Dive) -> None:
    """3.2 No dive without air."""
    ship = seen.own(seen.actor, OwnShip)
    if ship and seen.now and ship.air == 0:
        raise Refused("no-air", "3.2", f"{seen.actor} has no air left", "a turn surfaced gives 1")


class Moved(m.Event, frozen=True):  # 2.1, 3 An own unit went to another square, dived or surfaced
    who: str
    to: str


class Sighted(m.Event, frozen=True):  # 4.1, 4.2 An enemy was seen or detected; he is not told
    contact: str
    type: str
    at: str


class Fought(m.Event, frozen=True):  # 5.3, 6.3 the attacker learns the contact
    who: str
    how: str
    effect: str
    contact: str = ""
    gone: bool = False


class Arrived(m.Event, frozen=True):  # 7.1 All are told how many ships came through
    ships: int


WORDS = ("NEVER", "CLOSE", "ALWAYS")


class Strike(Doctrine, frozen=True):  # 5.1 answered by `attack`, never by mail
    order = Attack


def report(table: TableLike, ocean: Ocean, side: Side, seen: list[Ship], rule: str) -> None:
    """4.3, 4.4 Tell a side of all enemies that it sees; names stay while they are in sight."""
    looks = {ship.id: (ship.place, f"submerged {ship.kind}" if ship.down else ship.kind) for ship in seen}
    lots = table.shuffle(f"REPORT/ORDER/-/{side.upper()}", list(looks), [])
    for ship, name in ocean.eyes[side].name(looks, lots).items():
        at, kind = looks[ship]
        table.tell([side], Sighted(rule=rule, contact=name, type=kind, at=at))


def within(ship: Ship, others: list[Ship], steps: int) -> list[Ship]:
    """Those at most so many squares away."""
    return [other for other in others if SEA.distance(ship.place, other.place) <= steps]


def choose(near: list[Ship], called: contacts.Pseudonyms, order: Torpedoes | Charge | None, here: str) -> Ship:
    """5.2, 6.2 The contact that the order names if it is near, else the closest, then by its pseudonym."""
    wanted, names = order.target if order else "", {called.of(ship.id): ship for ship in near}
    best = sorted(names, key=lambda name: (SEA.distance(here, names[name].place), contacts.number(name)))
    return names[wanted if wanted in names else best[0]]


def fight(table: TableLike, ocean: Ocean, by: Ship, at: Ship, effect: str, gone: bool, why: str) -> None:
    """5.3, 6.3 What both sides are told; the attacked side does not learn by whom."""
    rule, how = ("5.3", "torpedoed") if at.kind == "convoy" else ("6.3", "depth-charged")
    name = ocean.eyes[by.side].called.of(at.id)
    told = Fought(rule=rule, why=why, who=by.id, how=how, effect=effect, contact=name, gone=gone)
    table.tell([by.side], told)
    table.tell([at.side], Fought(rule=rule, who=at.id, how=f"was {how}", effect=effect, gone=gone))
    if gone:
        del ocean.ships[at.id]


async def attack(table: TableLike, ocean: Ocean, book: Book, facts: Facts) -> set[str]:
    """5 Submarines attack convoys; returns which did."""
    fired: set[str] = set()
    subs = [sub for sub in ocean.all("submarine") if sub.torpedoes and within(sub, ocean.all("convoy"), 1)]
    ask = partial(Strike, choices=WORDS, default="ALWAYS", rule="5.1", source="orders")
    asked = [ask(about=sub.id, actors=actors(sub.id, GERMANS)) for sub in subs]
    answers = await table.ask(GERMANS, asked) if asked else ()
    for sub, answer in zip(subs, answers, strict=True):
        near = within(sub, ocean.all("convoy"), WORDS.index(str(answer)) - 1)
        if not near:
            continue
        order = book.find(sub.id, Torpedoes, facts)
        convoy = choose(near, ocean.eyes[GERMANS].called, order, sub.place)
        shots, best = min(order.shots if order else 2, sub.torpedoes), 3 if convoy.place == sub.place else 1
        dice = table.roll(f"ATTACK/TORPEDO/-/{sub.id}", m.Dice(shots, 6), to=[GERMANS])
        hits = min(convoy.ships, sum(die <= best for die in dice))
        why = f"rolled {' '.join(str(die) for die in dice)}, hits on 1-{best}"
        sub.torpedoes -= shots
        convoy.ships -= hits
        ocean.sunk += hits
        fired.add(sub.id)
        fight(table, ocean, sub, convoy, f"{hits} ships sunk", not convoy.ships, why)
    return fired


def search(table: TableLike, ocean: Ocean, fired: set[str]) -> list[Ship]:
    """4.2 Escorts detect submarines; each rolls, whether one is near or not."""
    found = []
    escorts = ocean.all("escort")
    dice = [table.roll(f"SEARCH/ASDIC/-/{escort.id}", m.D6, to=[ALLIES])[0] for escort in escorts]
    for sub in ocean.all("submarine"):
        far = [SEA.distance(escort.place, sub.place) for escort in escorts]
        heard = any(steps <= 1 and die <= 4 for steps, die in zip(far, dice, strict=True))
        if heard or (min(far) <= 2 and (not sub.down or sub.id in fired)):
            found.append(sub)
    return found


def charge(table: TableLike, ocean: Ocean, found: list[Ship], book: Book, facts: Facts) -> None:
    """6 Each escort attacks one detected submarine in its own or a neighbouring square."""
    for escort in ocean.all("escort"):
        near = within(escort, [sub for sub in found if sub.id in ocean.ships], 1)
        if not near:
            continue
        sub = choose(near, ocean.eyes[ALLIES].called, book.find(escort.id, Charge, facts), escort.place)
        (die,) = table.roll(f"CHARGE/HIT/-/{escort.id}", m.D6, to=[ALLIES])
        sub.hits += 2 if die == 1 else 1 if die <= 2 else 0
        effect = "missed" if die > 2 else "sunk" if sub.hits > 1 else "damaged"
        fight(table, ocean, escort, sub, effect, sub.hits > 1, f"rolled {die}, 1 sinks, 2 damages")


def breathe(table: TableLike, ocean: Ocean) -> None:
    """3.2, 3.3 Air; a submarine without it comes up."""
    for sub in ocean.all("submarine"):
        sub.air = sub.air - 1 if sub.down else min(AIR, sub.air + 1)
        if not sub.air:
            sub.down = False
            table.tell([GERMANS], Moved(rule="3.3", why="no air left", who=sub.id, to="the surface"))


DEEP = {False: "surfaced", True: "submerged"}
NOTES = {"convoy": "convoy of {s.ships}", "escort": "escort", "submarine": "{deep}, {s.air}a {s.torpedoes}t {s.hits}h"}
OWN = filler(OwnShip, {Ship: "id place kind ships torpedoes air down hits"})
ENEMY = filler(ContactView, {contacts.Contact: "id type place"})


def shown(ocean: Ocean, side: Side, ships: list[Ship]) -> m.View:
    """These units and the side's contacts, and nothing else."""
    known = ocean.eyes[side].book.contacts.values() if side in ocean.eyes else ()
    return m.View(
        turn=ocean.turn,
        label=f"turn {ocean.turn} of {LAST}, {ocean.sunk} ships sunk, {ocean.through} through",
        units=[OWN(ship, name=ship.id, type=NOTES[ship.kind].format(s=ship, deep=DEEP[ship.down])) for ship in ships],
        contacts=[ENEMY(c, age=ocean.turn - c.turn) for c in known],
    )


class Game(m.System):
    name, title = "convoy", "Convoy"
    edition, state, turns = "1", Ocean, LAST
    scenarios = (m.Scenario("crossing", "The crossing", SIDES),)
    grammar, checks = GRAMMAR, "convoy.game:CHECKS"
    bot = part("convoy.bot", "orders")

    def begin(self, scenario: str, options: Mapping[str, str], house: Mapping[str, str]) -> Ocean:
        """1.2 The units where they begin."""
        rows = [dict(zip(Ship.__struct_fields__, unit.split(), strict=False)) for unit in UNITS.split(",")]
        ships = {row["id"]: convert(row, Ship, strict=False) for row in rows}
        return Ocean(1, ships, {side: contacts.Watch() for side in SIDES})

    async def turn(self, table: TableLike, ocean: Ocean) -> Ocean | m.Over:
        """The whole turn in the order of the rules."""
        books = await table.orders()
        for ship in ocean.ships.values():  # 2, 3.1
            book, facts = books[ship.side], self.facts(ocean, ship.side)
            order, below = book.find(ship.id, Move, facts), ship.down
            if order and not fault(ship.kind, ship.down, ship.place, order.way):
                ship.place = order.way[-1]
                table.tell([ship.side], Moved(rule="2.1", who=ship.id, to=ship.place))
            if book.find(ship.id, Surface if below else Dive, facts) and ship.air:
                ship.down = not below
                table.tell([GERMANS], Moved(rule="3.1", who=ship.id, to="the surface" if below else "the depths"))
        subs = ocean.all("submarine")
        seen = [c for c in ocean.all("convoy") if any(within(sub, [c], 1 if sub.down else 2) for sub in subs)]
        report(table, ocean, GERMANS, seen, "4.1")
        fired = await attack(table, ocean, books[GERMANS], self.facts(ocean, GERMANS))
        found = search(table, ocean, fired)
        report(table, ocean, ALLIES, found, "4.2")
        charge(table, ocean, found, books[ALLIES], self.facts(ocean, ALLIES))
        breathe(table, ocean)
        return self.end(table, ocean)

    def end(self, table: TableLike, ocean: Ocean) -> Ocean | m.Over:
        """7 Arrivals and victory."""
        for convoy in ocean.all("convoy"):
            if convoy.place[1:] == "10":
                ocean.through += convoy.ships
                del ocean.ships[convoy.id]
                table.tell(SIDES, Arrived(rule="7.1", ships=convoy.ships))
        for over, side, rule, why in (
            (ocean.through >= NEEDED, ALLIES, "7.1", f"{ocean.through} ships came through"),
            (ocean.sunk >= TOLERATED, GERMANS, "7.2", f"{ocean.sunk} ships were sunk"),
            (not ocean.all("submarine"), ALLIES, "7.3", "all submarines were sunk"),
            (ocean.turn == LAST, GERMANS, "7.4", f"too few ships were through after turn {LAST}"),
        ):
            if over:
                return m.Over(side, rule, why)
        ocean.turn += 1
        for eyes in ocean.eyes.values():
            eyes.book.forget(ocean.turn, KEPT)
        return ocean

    def learn(self, ocean: Ocean, side: Side, event: m.Event) -> None:
        """4.3 What a side was told of enemies, it remembers."""
        book = ocean.eyes[side].book
        if isinstance(event, Sighted):
            book.place(contacts.Contact(id=event.contact, type=event.type, place=event.at, turn=ocean.turn))
        elif isinstance(event, Fought) and event.contact and event.gone:
            book.lose(event.contact)

    def public(self, event: m.Event) -> str:
        return {Fought: "attack", Arrived: "arrival"}.get(type(event), "")

    def view(self, ocean: Ocean, side: Side) -> m.View:
        """Own units, contacts as they were told, and the menu."""
        ships = [ship for ship in ocean.ships.values() if ship.side == side]
        view = shown(ocean, side, ships)
        fresh = [contact.id for contact in view.contacts if contact.age == 1]
        for ship in ships:
            menu = offer(item(Move, way=around(ship.place, 1 if ship.kind == "convoy" or ship.down else 2)))
            if ship.kind == "escort":
                menu += offer(item(Charge, target=fresh))
            elif ship.kind == "submarine":
                menu += offer(item(Surface if ship.down else Dive), item(Torpedoes, target=fresh), item(Attack))
            view.menu[ship.id] = menu
        steps = {ship.id: [cell for cell in around(ship.place, 1) if cell[0] == ship.place[0]] for ship in ships}
        view.form = [f"{ship}: move {cells[-1]};" for ship, cells in steps.items()]
        if side == GERMANS:
            view.menu["GERMANS"] = offer(item(Attack))
        return view

    def truth(self, ocean: Ocean) -> m.View:
        """All units, for the referee and for the replay after the end."""
        return shown(ocean, Side(""), list(ocean.ships.values()))


SYSTEM = Game()
