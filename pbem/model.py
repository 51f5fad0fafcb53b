"""Shared words of every game: sides, dice, events, questions, views. No game is known here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NewType, Protocol, TypeAlias, TypeVar

from msgspec import Struct

from orders.book import Book, Facts
from orders.model import Order, Value
from orders.verbs import Arg, Grammar

if TYPE_CHECKING:
    from pbem.scene import Scene

Side = NewType("Side", str)
"""A seat in a scenario: `british`."""

ALL = Side("spectators")
"""Takes the place of a side in their reports; no scenario has a side of that name."""
Window = NewType("Window", int)
"""One exchange of mail, 1, 2, 3 ... through the whole game; 0 is set-up."""

Source = Literal["any", "orders"]
"""Whether a question may go by mail, or is answered by orders in force and defaults alone."""
Pace = Literal["turn", "battle", "quick"]
"""Which deadline a window has."""
DiceKind = Literal["fast", "strict", "hand", "seeded"]
"""Where the dice of a game come from: docs/formats.md, "Dice"."""

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
"""Whatever JSON may hold."""
Plain: TypeAlias = Mapping[str, Any]
"""A JSON object as its reader finds it, above all a report as templates and rule systems get it.
Its fields are those of the structs that it was made of, and what a system adds to these: that is
why it cannot be typed here. The kernel's own code reads `pbem.base.report_json.Report`."""
State: TypeAlias = Any
"""The truth of a game: an instance of `System.state`, whose fields its own system alone knows."""


class Dice(Struct, frozen=True):
    """`count` dice of `sides` sides whose lowest face is `low` (some games count from 0)."""

    count: int
    sides: int
    low: int = 1

    def __str__(self) -> str:
        return f"{self.count}D{self.sides}" + ("" if self.low == 1 else f"-FROM{self.low}")


D6 = Dice(1, 6)
TWO_D6 = Dice(2, 6)


class Roll(Struct, frozen=True):
    """Dice that fell. label: PHASE/KIND/LOCUS/ROLLER/ORDINAL/DICE. window: the one the roll
    belongs to. to: the sides that see it; none means the referee alone. proof: hex, empty for
    sources that give none."""

    label: str
    dice: tuple[int, ...]
    to: tuple[Side, ...]
    window: Window
    proof: str = ""


class Event(Struct, frozen=True, kw_only=True, tag_field="kind", tag=True):
    """A typed fact. It may hold only what its whole audience may know: own units by name, the
    enemy by that side's pseudonym. rule: the rule that made it happen; why: the reason in
    figures (`rolled 3, holds on 1-4`), empty where the event says it itself."""

    rule: str
    why: str = ""


class Told(Struct, frozen=True):
    """An event with its audience."""

    to: tuple[Side, ...]
    event: Event


class Question(Struct, frozen=True, kw_only=True, tag_field="kind", tag=True):
    """A choice that the rules put to a side, in that side's own words.

    about: printed names only. choices: canonical answers; empty when `form` describes a free
    answer. default: taken when nobody answers. source `orders`: never asked by mail, because
    the asking would betray something. pace: which deadline. rule: the rule that asks.
    """

    about: str
    choices: tuple[str, ...] = ()
    form: Arg | None = None
    default: Value = ""
    source: Source = "any"
    pace: Pace = "turn"
    rule: str = ""

    def answer(self, book: Book, facts: Facts) -> Value | None:
        """The answer that orders in force give, None when they give none. Pure."""
        return None


class Over(Struct, frozen=True):
    """The end of a game. result: a side or `draw`; rule: the victory clause."""

    result: str
    rule: str
    why: str = ""


class MenuArg(Struct, frozen=True):
    """What one argument may be right now; `values` empty means the public board decides."""

    name: str
    kind: str
    values: tuple[str, ...] = ()


class MenuItem(Struct, frozen=True):
    """A verb that a unit may be given, with what its arguments may be."""

    verb: str
    args: tuple[MenuArg, ...] = ()


class UnitView(Struct, kw_only=True):
    """One own unit as its side sees it; games add fields in a subclass."""

    id: str
    name: str
    type: str
    place: str


class ContactView(Struct, kw_only=True):
    """An enemy unit as one side knows it. age: turns since it was seen, 0 is now."""

    id: str
    type: str
    place: str
    age: int


class View(Struct, kw_only=True):
    """All that a side's reports may show, made of its own units and its knowledge alone.

    turn: the system's number; label: how the rulebook names the turn (`1200 May 22`). news:
    one line for the subject. board: further facts of this system (weather, points, tracks).
    form: suggested order lines, one per actor, each legal as it stands.
    """

    turn: int
    label: str
    units: Sequence[UnitView]
    contacts: Sequence[ContactView] = ()
    menu: dict[str, list[MenuItem]] = {}
    board: Struct | dict[str, Json] = {}
    news: str = ""
    form: Sequence[str] = ()


class Problem(Struct, frozen=True):
    """Why an order cannot stand, in words for its sender. code: a word (`no-fuel`). arg: the
    argument it is about, empty for the whole order; item: which of a list, from 0."""

    code: str
    text: str
    hint: str = ""
    rule: str = ""
    arg: str = ""
    item: int = 0


class Option(Struct, frozen=True):
    """A choice of the moderator at `new`. values: allowed words, the first is the default."""

    name: str
    values: tuple[str, ...]
    help: str
    rule: str = ""


class Scenario(Struct, frozen=True):
    """A starting position. sides: in the order in which the rules name them; turns: the number of
    its last turn where that is not the system's."""

    name: str
    title: str
    sides: tuple[Side, ...]
    names: tuple[str, ...] = ()
    turns: int = 0

    def side_name(self, side: Side) -> str:
        """The side's printed name; who has no seat is called by his own."""
        if side not in self.sides:
            return side.title()
        return self.names[self.sides.index(side)] if self.names else side.title()


class Unfit(Exception):  # noqa: N818
    """An edit that cannot be made. key: which of its fields is at fault, empty for the whole; at:
    which edit of its ruling, from 0."""

    def __init__(self, text: str, key: str = "", hint: str = "") -> None:
        super().__init__(text)
        self.text, self.key, self.hint, self.at = text, key, hint, 0


class Edit(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="do", tag=str.lower
):
    """One change of the truth that a ruling makes, as `[[edit]]` of its file says it: `do` is the
    class's name in small letters, its fields are the other keys. The first line of its docstring
    is its help.
    """

    def amend(self, state: State) -> None:
        """Change `state` in place. Deterministic, without dice. Raises Unfit, in words for the
        moderator."""
        raise NotImplementedError


Item = TypeVar("Item")


class TableLike(Protocol):
    """What a rules script may touch. `pbem.table.Table` is the one real table."""

    sides: tuple[Side, ...]
    options: Mapping[str, str]

    async def orders(self) -> dict[Side, Book]:
        """The turn's opening question to all sides: their orders in force."""

    async def ask(self, side: Side, questions: Sequence[Question]) -> list[Value]:
        """One side's answers, in the order asked."""

    async def ask_each(self, asked: Mapping[Side, Sequence[Question]]) -> dict[Side, list[Value]]:
        """Simultaneous answers: none is shown before all are in."""

    def roll(self, label: str, dice: Dice, to: Sequence[Side] = ()) -> tuple[int, ...]:
        """Dice for PHASE/KIND/LOCUS/ROLLER, seen by `to`."""

    def pick(self, label: str, items: Sequence[Item], to: Sequence[Side] = ()) -> Item:
        """One of `items` by a fair die."""

    def shuffle(self, label: str, items: Sequence[Item], to: Sequence[Side] = ()) -> list[Item]:
        """`items` in a fair order."""

    def tell(self, to: Sequence[Side], event: Event) -> None:
        """Tell an event to its audience, which learns it."""


class System:
    """A rule system, as the kernel meets it: one instance, `SYSTEM`, per game folder.

    A game overrides what its rules need; what is left has a sensible default. `state` is the
    type of the truth: plain typed data with a field `turn: int`. `edition` names the rules'
    edition; a game under way is pinned to it and to `digest`.
    """

    name: str
    title: str
    edition: str
    scenarios: tuple[Scenario, ...]
    options: tuple[Option, ...] = ()
    grammar: Grammar
    state: type[Struct]
    turns: int = 0
    """How many turns a game lasts at most; 0 when the rules set no limit."""
    data: str = ""
    """The package that holds the edition's data files, empty without any."""

    def digest(self) -> str:
        """SHA-256 (hex) over the edition's data files, names and bytes, in order of name."""
        from pbem.data import digest

        return digest(self.data)

    def begin(self, scenario: str, options: Mapping[str, str], house: Mapping[str, str]) -> State:
        """The state before turn 1. house: texts of the moderator's own table files by name.
        Raises ValueError where an option or a table breaks a constraint."""
        raise NotImplementedError

    async def turn(self, table: TableLike, state: State) -> State | Over:
        """The whole turn, in rulebook order; returns the next state or `Over`."""
        raise NotImplementedError

    def learn(self, state: State, side: Side, event: Event) -> None:
        """Fold an event into what `side` knows. Default: nothing is remembered."""

    def facts(self, state: State, side: Side) -> Facts:
        """What `side` knows now of a condition's term for an actor; None is unknown."""
        return lambda term, actor: None

    def view(self, state: State, side: Side) -> View:
        """What `side`'s reports may show: its own units and its knowledge, nothing else."""
        raise NotImplementedError

    def public(self, event: Event) -> str:
        """A name for the fact that an event tells; agreed turns stop running where there is a
        fact that every side was told of. Empty for what happens turn after turn. Events that
        tell the sides of one fact in different words must give it one name, and may only where
        the rules tell all of them at once. Default: the whole event, so that only the same
        event told to all is a fact for all."""
        return repr(event)

    def watched(self, state: State) -> View:
        """What lies open on the board for all sides, for whoever watches; the kernel fills in turn
        and label. Nothing in it may be missing from any side's view. Default: an empty board."""
        return View(turn=0, label="", units=())

    def truth(self, state: State) -> View:
        """Everything, for the referee alone."""
        raise NotImplementedError

    def check(self, order: Order, report: Plain) -> Problem | None:
        """Judge one order by the sender's own report (decoded JSON) and the public board, never
        by the truth. Default: the menu in the report says it all."""
        return None

    def note(self, order: Order, report: Plain) -> str:
        """What the order will take (`4 zones, 2 turns: K14 L14`), for receipts; may be empty."""
        return ""

    def public_tables(self, house: Mapping[str, str]) -> Plain:
        """The board and tables by which the order page judges (templates/NAME/checks.js), fit for
        JSON: public by the rules and the same for every side. Default: none are needed."""
        return {}

    def chart(self, report: Plain) -> Scene | None:
        """What the chart of a report shows, made of the report and the public board alone.
        Default: what `scene(report)` of chart.py in the game's folder says; None without one."""
        from importlib import import_module
        from importlib.util import find_spec

        folder = type(self).__module__.rpartition(".")[0]
        if not folder or not find_spec(f"{folder}.chart"):
            return None
        scene: Scene = import_module(f"{folder}.chart").scene(report)
        return scene

    def bot(self, side: Side, report: Plain, luck: str) -> str:
        """Order text (without header) that a sensible player would send, from his report alone.

        luck: any text; other luck may vary the play, the same never does.
        """
        return "\n".join(report["suggest"])

    def edits(self) -> Sequence[type[Edit]]:
        """What a ruling may change besides single fields of the state (`pbem.engine.edits`), which
        the kernel does for every system. What `audit` then finds broken is refused. Default:
        none."""
        return ()

    def audit(self, state: State) -> None:
        """Raise AssertionError when an invariant of the state is broken."""
