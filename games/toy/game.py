"""Fox and Hound, a whole game on one page (numbers: RULES.md). Copy this file to begin yours."""

from collections.abc import Mapping, Sequence
from zlib import crc32

from msgspec import Struct, convert

from orders.book import Book, Facts
from orders.declare import Place, grammar, verb
from orders.model import Value
from orders.terms import Terms
from pbem import model as m
from pbem.kit.checks import Checks, Seen
from pbem.kit.grids import Lattice
from pbem.kit.menus import item, offer
from pbem.kit.parts import part
from pbem.kit.reports import Report
from pbem.model import Side, TableLike

FOX, HUNTER, LAST = Side("fox"), Side("hunter"), 8
ANIMAL = {FOX: "FOX", HUNTER: "HOUND"}
WOOD = Lattice("square")
ZONES = [row + col for row in "ABCDE" for col in "12345"]


class Hide(Struct):
    """The truth, and what the hunter was told: the row of the last twig, and its turn."""

    turn: int
    place: dict[str, str]
    trail: str = ""
    heard: int = 0


TERMS = Terms[Hide]()
TERMS.add("turn", "number", lambda hide, side, actor: hide.turn)


@verb("2.1", example="FOX: move B1;", synonyms=("go",), once="step")
class Move(Struct):
    """One step."""

    to: Place


@verb("3.2", example="HOUND: pounce D5;", once="pounce")
class Pounce(Move):
    """One leap."""


GRAMMAR = grammar(__name__, terms=TERMS, places=ZONES)
CHECKS = Checks(GRAMMAR, Seen)


@CHECKS.note(Move)
def too_late(seen: Seen, order: Move) -> str:
    """2.1, 3.2 As the hound pounces, the moves of the turn are made."""
    late = seen.now and len(seen.report["questions"]) > 0
    return "nothing: the moves of this turn are made" if late else ""


class Moved(m.Event, frozen=True):
    """2.1, 3.2 The own animal went from one zone to another."""

    who: str
    origin: str
    to: str


class TwigSnapped(m.Event, frozen=True):
    """3.1 Both hear it; the hunter hears in which row."""

    row: str = ""


class Put(m.Edit, frozen=True):
    """An animal is in another zone."""

    animal: str
    zone: str

    def amend(self, state: Hide) -> None:
        """Put it there."""
        if self.animal not in state.place:
            raise m.Unfit(f"there is no animal {self.animal!r}", "animal", "FOX or HOUND")
        state.place[self.animal] = self.zone


class Leap(m.Question, frozen=True):
    """3.2 Where the hound pounces; a `pounce` order answers it."""

    def answer(self, book: Book, facts: Facts) -> Value | None:
        """The zone of the binding order, if it can be reached."""
        order = book.find("HOUND", Pounce, facts)
        return order.to if order and order.to in self.choices else None


def near(zone: str) -> list[str]:
    """2.1 The zones that share a side with `zone`, sorted."""
    return [to for to in WOOD.around(zone) if to in ZONES]


class Toy(m.System):
    """The system as the kernel meets it (pbem.model.System)."""

    grammar, checks = GRAMMAR, "games.toy.game:CHECKS"
    name, title, edition, state, turns = "toy", "Fox and Hound", "1", Hide, LAST
    scenarios = (m.Scenario("wood", "The wood", (FOX, HUNTER), ("The fox", "The hunter")),)
    idle = "An animal without an order stays where it is."

    quarries = part("games.toy.belief")
    mind = part("games.toy.mind", "mind_of")

    def begin(self, scenario: str, options: Mapping[str, str], house: Mapping[str, str]) -> Hide:
        """1.1 The fox starts in A1, the hound in E5."""
        return Hide(1, {"FOX": "A1", "HOUND": "E5"})

    async def turn(self, table: TableLike, hide: Hide) -> Hide | m.Over:
        """The whole turn, in order: secret moves (2), noise and pounce (3), the end (4)."""
        books = await table.orders()
        for side in table.sides:  # 2.1
            who = ANIMAL[side]
            at, order = hide.place[who], books[side].find(who, Move, self.facts(hide, side))
            if order and order.to in near(at):
                hide.place[who] = order.to
                table.tell([side], Moved(rule="2.1", who=who, origin=at, to=order.to))
        if hide.place["FOX"] == hide.place["HOUND"]:
            return m.Over("hunter", "4.1", f"the hound met the fox in {hide.place['FOX']}")
        (noise,) = table.roll("NOISE/TWIG/-/FOX", m.D6, to=table.sides)
        if noise <= 3:  # 3.1
            why, at = f"rolled {noise}, a twig snaps on 1-3", hide.place["HOUND"]
            table.tell([FOX], TwigSnapped(rule="3.1", why=why))
            table.tell([HUNTER], TwigSnapped(rule="3.1", why=why, row=hide.place["FOX"][0]))
            leap = Leap(about="HOUND", choices=(at, *near(at)), default=at, rule="3.2")
            (on,) = await table.ask(HUNTER, [leap])
            if on == hide.place["FOX"]:
                return m.Over("hunter", "4.1", f"the hound pounced on the fox in {on}")
            hide.place["HOUND"] = str(on)
            if on != at:
                table.tell([HUNTER], Moved(rule="3.2", who="HOUND", origin=at, to=str(on)))
        if hide.turn == LAST:
            return m.Over("fox", "4.2", f"the fox was free after turn {LAST}")
        hide.turn += 1
        return hide

    def learn(self, hide: Hide, side: Side, event: m.Event) -> None:
        """3.1 The hunter remembers the row; own moves are on the board anyway."""
        if isinstance(event, TwigSnapped) and side == HUNTER:
            hide.trail, hide.heard = event.row, hide.turn

    def public(self, event: m.Event) -> str:
        """3.1 Both hear a twig, which stops agreed runs; moves are secret."""
        return "twig" if isinstance(event, TwigSnapped) else ""

    def view(self, hide: Hide, side: Side) -> m.View:
        """The own animal and, for the hunter, the row in which the fox was heard."""
        who = ANIMAL[side]
        steps, view = near(hide.place[who]), self.showing(hide, [who])
        view.menu = {who: offer(item(Move, to=steps), item(Pounce) if side == HUNTER else None)}
        view.form = [f"{who}: move {steps[0]};"]
        if side == HUNTER and hide.heard:
            age, row = hide.turn - hide.heard, f"row {hide.trail}"
            view.contacts = [m.ContactView(id="TWIG", type="fox", place=row, age=age)]
        return view

    def truth(self, hide: Hide) -> m.View:
        """Both animals, for the referee."""
        return self.showing(hide, sorted(hide.place))

    def showing(self, hide: Hide, who: Sequence[str]) -> m.View:
        """These animals and no others."""
        units = [m.UnitView(id=w, name=w.title(), type="animal", place=hide.place[w]) for w in who]
        return m.View(turn=hide.turn, label=f"turn {hide.turn} of {LAST}", units=units)

    def edits(self) -> tuple[type[m.Edit], ...]:
        """What a ruling may change."""
        return (Put,)

    def audit(self, hide: Hide) -> None:
        """1.1 Both are in the wood."""
        assert set(hide.place.values()) <= set(ZONES), "1.1: an animal is not in the wood"
        assert 1 <= hide.turn <= LAST, f"there is no turn {hide.turn}"

    def bot(self, side: Side, report: Mapping[str, object], luck: str) -> str:
        """A random step, without knowing where the other animal is."""
        (animal,) = convert(report, Report).units
        steps = near(animal.place)
        return f"{ANIMAL[side]}: move {steps[crc32((luck + side).encode()) % len(steps)]};"


SYSTEM = Toy()
