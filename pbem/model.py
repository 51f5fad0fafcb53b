"""The types of a rule system: sides, dice, events, questions, views, edits, and `System` itself.

A game imports this module to say what happened, what it asks, and what each side may see. The
module does not know any game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, NewType, Protocol, TypeAlias, TypeVar

from msgspec import Struct

from orders.book import Book, Facts
from orders.model import Order, Value
from orders.verbs import Arg, Grammar
from pbem.edit import Edit as Edit
from pbem.edit import Unfit as Unfit
from pbem.roles import Role, role_of, side_of
from pbem.view import ContactView as ContactView
from pbem.view import Json as Json
from pbem.view import MenuArg as MenuArg
from pbem.view import MenuItem as MenuItem
from pbem.view import UnitView as UnitView
from pbem.view import View as View

if TYPE_CHECKING:
    from pbem.inference.mind import Line, Mind
    from pbem.inference.quarry import AnyQuarry
    from pbem.inference.style import Style
    from pbem.scene import Scene

Side = NewType("Side", str)
"""One of the parties of a scenario: `british`."""

ALL = Side("spectators")
"""Stands for the side in spectators' reports. No scenario may have a side of this name."""
Window = NewType("Window", int)
"""One exchange of mail. Windows are numbered 1, 2, 3 ... through the game; 0 is the set-up."""

Source = Literal["any", "orders"]
"""How a question may be answered: `any`, by mail too; `orders`, only by orders in force and by
its default."""
Pace = Literal["turn", "battle", "quick"]
"""Which of the schedule's deadlines a window has."""
DiceKind = Literal["fast", "strict", "hand", "seeded"]
"""Where the dice of a game come from: docs/formats.md, "Dice"."""

Plain: TypeAlias = Mapping[str, Any]
"""A decoded JSON object, most often a report as templates and rule systems receive it.
It cannot be typed here, because each system adds fields of its own to units, contacts, events and
questions. The kernel's own code reads the typed `pbem.base.report_json.Report` instead."""
State: TypeAlias = Any
"""The truth of a game: an instance of `System.state`. Only its own system knows its fields."""


class Dice(Struct, frozen=True):
    """Dice to roll: `str()` gives the last part of a roll's label, `2D6` or `1D10-FROM0`."""

    count: int
    sides: int
    low: int = 1
    """The lowest face; some games count from 0."""

    def __str__(self) -> str:
        return f"{self.count}D{self.sides}" + ("" if self.low == 1 else f"-FROM{self.low}")


D6 = Dice(1, 6)
TWO_D6 = Dice(2, 6)


class Roll(Struct, frozen=True):
    """Dice that were rolled."""

    label: str
    """PHASE/KIND/LOCUS/ROLLER/ORDINAL/DICE."""
    dice: tuple[int, ...]
    """The faces, in the order rolled."""
    to: tuple[Side, ...]
    """The sides that see the roll; empty: only the referee sees it."""
    window: Window
    """The window that the roll belongs to."""
    proof: str = ""
    """The proof in hex; empty where the source of the dice gives no proofs."""


class Event(Struct, frozen=True, kw_only=True, tag_field="kind", tag=True):
    """A typed fact that the rules tell to an audience; games derive a class for each kind.

    An event may contain only what its whole audience may know: own units by name, enemies by
    the pseudonym that the side uses. Its field `kind` in JSON is the name of its class.
    """

    rule: str
    """The rule that made it happen."""
    why: str = ""
    """The reason in figures (`rolled 3, holds on 1-4`); empty where the event says it itself."""


class Told(Struct, frozen=True):
    """An event together with its audience; an empty audience is the referee alone."""

    to: tuple[Side, ...]
    event: Event


class Question(Struct, frozen=True, kw_only=True, tag_field="kind", tag=True):
    """A choice that the rules put to a side; games derive a class for each kind.

    Its field `kind` in JSON is the name of its class, which selects the wording in questions.j2.
    """

    about: str
    """What the question is about, in names that the side that is asked knows."""
    choices: tuple[str, ...] = ()
    """Answers in canonical form; empty if `form` describes a free answer."""
    form: Arg | None = None
    """The kind of a free answer, as for an argument of an order."""
    default: Value = ""
    """The answer if nobody gives one."""
    source: Source = "any"
    """`orders`: never asked by mail, because being asked would reveal something. `any`: asked by
    mail where `System.mailing` says so."""
    pace: Pace = "turn"
    """Which deadline the question's window has."""
    rule: str = ""
    """The rule that asks."""

    def answer(self, book: Book, facts: Facts) -> Value | None:
        """The answer that orders in force give, None (the default) if they give none: a pure
        function of the side's orders and of what the side knows, never of the truth."""
        return None


class Over(Struct, frozen=True):
    """The end of a game; a turn script returns it."""

    result: str
    """The winning side, or `draw`."""
    rule: str
    """The victory rule that ended the game."""
    why: str = ""
    """The reason in words: `the hound met the fox in C3`."""


class Problem(Struct, frozen=True):
    """Why an order cannot be carried out, in words for its sender."""

    code: str
    """One word for the kind of problem: `no-fuel`."""
    text: str
    """What is wrong, and why."""
    hint: str = ""
    """What to do about it."""
    rule: str = ""
    """The rule that the order breaks."""
    arg: str = ""
    """The name of the argument at fault; empty: the whole order."""
    item: int = 0
    """If the argument is a list: which item is at fault, counted from 0."""


class Option(Struct, frozen=True):
    """A setting that the moderator chooses when the game is made (`pbem new --option`)."""

    name: str
    values: tuple[str, ...]
    """The allowed words; the first is the default."""
    help: str
    rule: str = ""


class Mailing(Struct, frozen=True):
    """Which questions go by mail.

    Every game has the option `play`: with `plotted` orders answer everything, with `asked` choices
    go by mail. A system may let the moderator choose more finely by an option of its own:
    `Mailing("mail", {"action": (Seize, Slip), "full": (Question,)})`. A class stands for its
    subclasses too, so a base class makes a group. Other questions, and all whose source is
    `orders`, are answered by the orders in force or by their default.
    """

    option: str = ""
    """The name of the system's option; empty: with `asked`, all questions go by mail."""
    kinds: Mapping[str, tuple[type[Question], ...]] = {}
    """Each value of that option -> the classes of the questions that go by mail with `asked`."""
    always: tuple[type[Question], ...] = ()
    """The classes that go by mail with `plotted` too, as the bids of a set-up."""

    def kinds_by(self, options: Mapping[str, str]) -> tuple[type[Question], ...]:
        """The classes of the questions that go by mail with these options. Raises ValueError if the
        option has a value that `kinds` does not list."""
        if options.get("play") != "asked":
            return self.always
        if not self.option:
            return (Question,)
        chosen = options.get(self.option, "")
        if chosen not in self.kinds:
            known, given = ", ".join(self.kinds), f"{self.option}={chosen}"
            said = f"what goes by mail with {given}; it knows {known}"
            raise ValueError(f"System.mailing does not say {said}")
        return (*self.always, *self.kinds[chosen])


class Scenario(Struct, frozen=True):
    """A starting position."""

    name: str
    """The word that `pbem new --scenario` takes."""
    title: str
    """The printed name."""
    sides: tuple[Side, ...]
    """The sides, in the order in which the rules name them. All lists of sides keep this order."""
    names: tuple[str, ...] = ()
    """The sides' printed names, in the same order; empty: derived from `sides`."""
    turns: int = 0
    """The number of its last turn; 0: the system's `turns`. The first has the number `first`."""
    roles: Mapping[Side, tuple[Role, ...]] = {}
    """The roles that officers of a side may have; see `System.role_view`. Default: none."""
    first: int = 1

    def side_name(self, seat: str) -> str:
        """The printed name of a side or role; for anybody else (`spectators`) the word itself."""
        side = Side(side_of(seat))
        titles = [r.title for r in self.roles.get(side, ()) if r.name == role_of(seat)]
        known = dict(zip(self.sides, self.names, strict=False))
        return ", ".join([known.get(side, side.title()), *titles])


Item = TypeVar("Item")


class TableLike(Protocol):
    """What a turn script may use besides its state. `pbem.table.Table` implements it."""

    sides: tuple[Side, ...]
    """The scenario's sides, in its order."""
    options: Mapping[str, str]
    """The moderator's options by name."""

    async def orders(self, owed: Sequence[Side] = ()) -> dict[Side, Book]:
        """The turn's opening question to all sides; returns the orders in force of each.

        owed: the sides that must send orders while the others may; empty: every side."""

    async def ask(
        self, side: Side, questions: Sequence[Question], owed: Sequence[Side] = ()
    ) -> list[Value]:
        """Ask one side; returns its answers in the order of the questions."""

    async def ask_each(
        self, asked: Mapping[Side, Sequence[Question]], owed: Sequence[Side] = ()
    ) -> dict[Side, list[Value]]:
        """Ask several sides simultaneously: no answer is shown before all are in."""

    def roll(self, label: str, dice: Dice, to: Sequence[Side] = ()) -> tuple[int, ...]:
        """Roll dice under the label PHASE/KIND/LOCUS/ROLLER, seen by `to`; empty: the referee."""

    def pick(self, label: str, items: Sequence[Item], to: Sequence[Side] = ()) -> Item:
        """One of `items`, chosen by a fair die."""

    def shuffle(self, label: str, items: Sequence[Item], to: Sequence[Side] = ()) -> list[Item]:
        """`items` in a random order, every order equally likely."""

    def tell(self, to: Sequence[Side], event: Event) -> None:
        """Tell an event to its audience, which knows it from now on; empty: the referee alone."""


class Judge(Protocol):
    """Checks of orders. `pbem.kit.checks.Checks` implements it, and says what each gives."""

    check: Callable[[Order, Plain], Problem | None]
    contradicts: Callable[[Order, Sequence[Order], Plain], Problem | None]
    noted: Callable[[Order, Plain], str]
    after: Callable[[Order, Plain], Plain | None]


@cache
def _named(name: str) -> Judge:
    """The checks that `System.checks` names."""
    from importlib import import_module

    module, _, own = name.partition(":")
    found: Judge = getattr(import_module(module), own)
    return found


class System:
    """A rule system; each game's folder has one instance, `SYSTEM`, in `game.py`.

    A game overrides what its rules need. Everything except the attributes without a value and the
    methods `begin`, `turn`, `view` and `truth` has a default that works.
    """

    name: str
    """The word that commands take, and the name of the folder of templates."""
    title: str
    """The printed name of the game."""
    edition: str
    """The edition of the rules. A game under way is pinned to it and to `digest`."""
    scenarios: tuple[Scenario, ...]
    """The starting positions; the first is the default."""
    options: tuple[Option, ...] = ()
    """The settings that the moderator chooses when a game is made."""
    mailing: Mailing = Mailing()
    """Which questions go by mail; default: with the option `play=asked` all do."""
    grammar: Grammar
    """The verbs, conditions and places of the order language."""
    state: type[Struct]
    """The type of the truth: plain typed data with a field `turn: int`."""
    turns: int = 0
    """The number of the last turn; 0: the rules set no limit."""
    red: Side | None = None
    """Of two sides the red one in every picture, whoever looks; default: the scenario's second."""
    alternatives: tuple[frozenset[str], ...] = ()
    """Further groups like those of `Verb.once`: if one verb is in force, the form suggests none."""
    spent: frozenset[str] = frozenset()
    """Verbs of a turn's first window that are carried out before its next one opens."""
    whole_sets: bool = False
    """Does a set's order for a unit replace all said to it for the turn, `turn N` orders too?"""
    idle: str = ""
    """What units without an order do, in a sentence or two, for receipts."""
    checks: str = ""
    """Where the `Checks` of orders are: `games.bismarck.check:CHECKS`. Empty: the menu says all."""
    data: str = ""
    """The package of the edition's data files (`games.bismarck.data`); empty: there are none."""

    @property
    def templates(self) -> str:
        """The folder of its templates: `name`, or `name@edition` for an archived edition."""
        from pbem.data import folder

        return folder(self.name, self.edition)

    def digest(self) -> str:
        """SHA-256 (hex) over names and bytes of the edition's data files, in order of name."""
        from pbem.data import digest

        return digest(self.data)

    def begin(self, scenario: str, options: Mapping[str, str], house: Mapping[str, str]) -> State:
        """The state before turn 1. house: the moderator's tables, by name. Raises ValueError."""
        raise NotImplementedError

    async def turn(self, table: TableLike, state: State) -> State | Over:
        """Play a whole turn in the order of the rulebook; returns the next state, or `Over`.

        The driver repeats a turn to resume a game and to audit it. So a script must be
        deterministic: no clock, no files, no `random`, no loop over an unsorted set, and no dice
        except those of `table`.
        """
        raise NotImplementedError

    def learn(self, state: State, side: Side, event: Event) -> None:
        """Add an event that `side` was told to what `side` knows. Default: nothing is stored."""

    def facts(self, state: State, side: Side) -> Facts:
        """A function (term, actor) -> what `side` knows now, None for what it does not know, for
        the conditions of its orders. Default: the answers declared with the grammar's terms."""
        return self.grammar.knows(state, side)

    def view(self, state: State, side: Side) -> View:
        """What `side`'s report may show: its own units and its knowledge, nothing else."""
        raise NotImplementedError

    def bot_view(self, state: State, side: Side) -> View:
        """As much of the view as `bot_lines` reads, for playouts. Default: all of it."""
        return self.view(state, side)

    def role_view(self, state: State, side: Side, role: str) -> View:
        """The part of `side`'s view that an officer of this role sees, and the menu that he may
        order from. What the side's own view does not contain is an error."""
        raise NotImplementedError(f"{self.name} has roles, but no role_view")

    def role_hears(self, state: State, side: Side, role: str, event: Event) -> bool:
        """Whether the role is told an event that its side was told. Default: nothing."""
        return False

    def role_sees(self, state: State, side: Side, role: str, label: str) -> bool:
        """Whether the role sees the roll of this label, which its side sees. Default: none."""
        return False

    def public(self, event: Event) -> str:
        """A name for the fact that an event tells; empty for what happens in every turn.

        Turns that all sides agreed to run stop at a fact that every side was told. If the rules
        tell the sides of one fact by different events, those events must have the same name here;
        events may share a name only if the rules always tell all sides. Default: the whole event,
        so that only the same event, told to all, counts as one fact.
        """
        return repr(event)

    def watched(self, state: State) -> View:
        """What lies open on the board for all sides, for the spectators' report.

        It must not contain anything that is missing from any side's view. The kernel fills in turn
        and label. Default: an empty board.
        """
        return View(turn=0, label="", units=())

    def truth(self, state: State) -> View:
        """The whole state, for the referee's report and for replays after the end."""
        raise NotImplementedError

    def check(self, order: Order, report: Plain) -> Problem | None:
        """What is wrong with an order that parses, or None.

        Judges by the sender's own report (decoded JSON) and the public board, never by the truth,
        so that no message reveals more than the report did. Default: what `checks` names; without
        it the menu says it all.
        """
        return _named(self.checks).check(order, report) if self.checks else None

    def contradicts(self, order: Order, others: Sequence[Order], report: Plain) -> Problem | None:
        """What is wrong with an order beside others of its set, which stand already, are for the
        same time and have no condition. Default: what `checks` names."""
        return _named(self.checks).contradicts(order, others, report) if self.checks else None

    def note(self, order: Order, report: Plain) -> str:
        """What the order will do or cost, for receipts: `4 zones, 2 turns: K14 L14`. May be
        empty. Default: the notes of what `checks` names."""
        return _named(self.checks).noted(order, report) if self.checks else ""

    def after(self, order: Order, report: Plain) -> Plain | None:
        """The sender's report as the order leaves it for the other orders of its set; None for an
        order that changes nothing for them. Default: the effects of what `checks` names."""
        return _named(self.checks).after(order, report) if self.checks else None

    def lasts(self, state: State, side: Side, order: Order) -> bool:
        """May an order of an earlier window of the turn still count? Default: as `spent` says."""
        return any(a.verb not in self.spent for a in (*order.actions, *order.otherwise))

    def red_side(self, scenario: str) -> Side | None:
        """The side that is red in pictures of a scenario; None for more or fewer than two sides."""
        sides = next((s.sides for s in self.scenarios if s.name == scenario), ())
        return (self.red or sides[1]) if len(sides) == 2 else None

    def charts(self, report: Plain) -> Sequence[Scene]:
        """What the charts of a report show, from the report and the public board alone.

        The first is the one that mails and pages show; each has its own `name`. Default: none, or
        `scenes(report)` of chart.py in the game's folder, else its `scene(report)` alone.
        """
        from importlib import import_module
        from importlib.util import find_spec

        folder = type(self).__module__.rpartition(".")[0]
        if not folder or not find_spec(f"{folder}.chart"):
            return ()
        chart = import_module(f"{folder}.chart")
        return chart.scenes(report) if hasattr(chart, "scenes") else (chart.scene(report),)

    def chart(self, report: Plain) -> Scene | None:
        """The first of a report's charts; None if it has none."""
        return next(iter(self.charts(report)), None)

    def bot(self, side: Side, report: Plain, luck: str) -> str:
        """The order lines (without a header) that a sensible player would send, from the side's
        report alone; by default those that the report suggests.

        luck: any text, its last word that of the window; what stands before stays the same all
        game. Another text may change the play; the same text always gives the same orders."""
        return "\n".join(report["suggest"])

    bots_wait = False
    """Do bots that owe nothing write nothing after window 1? Then no report is made for them."""

    def bot_lines(self, side: Side, report: Plain, luck: str) -> Iterable[Line] | None:
        """The orders of `bot` as lines (`pbem.kit.bots.Lines`), for playouts: `bot` must be what
        `pbem.kit.bots.written` makes of them. report: as for `bot`, or with the structs of the
        view, so convert it with `from_attributes=True`. Default: None; `bot` is read."""
        return None

    def styles(self, side: Side) -> Mapping[str, Style]:
        """Other ways in which a side's bot can play, by name. Default: none."""
        return {}

    def quarries(self, reports: Sequence[Plain]) -> Sequence[AnyQuarry]:
        """What the side of these reports, in order, may look for. Default: nothing."""
        return ()

    def mind(self, side: Side, scenario: str, options: Mapping[str, str], seed: str) -> Mind | None:
        """What a side's searching bot thinks in a game. Default: None, there is no such bot."""
        return None

    def reference(self) -> str:
        """What every player may look up, whatever a game: tables of the board and the forces as
        text, on 72 columns, for `pbem rules`. Default: nothing."""
        return ""

    def edits(self) -> Sequence[type[Edit]]:
        """What a ruling may change, in addition to setting and removing single fields of the state
        (`pbem.engine.edits`). One after which `audit` fails is refused. Default: nothing more."""
        return ()

    def audit(self, state: State) -> None:
        """Raise AssertionError if the state breaks an invariant of the rules."""
