"""Checks of orders: what is wrong with an order that parses, said once for referee and order page.

A game registers functions with the struct of a verb. Each gets what the sender's report shows
(`Seen`) and the order as that struct, and raises `Refused` if a rule does not permit it:

    CHECKS = Checks(GRAMMAR, Seen)

    @CHECKS.on(Move, arg="path")
    def move(seen: Seen, order: Move) -> None:
        if order.path[0] in LAND:
            raise Refused("land-zone", "5.17", f"{order.path[0]} is land")

`System.checks` names the object (`"games.yours.check:CHECKS"`). The order page runs the same
functions as JavaScript, so they and all that they call keep to the subset of Python in
docs/formats.md, "Checks"; so does this module. They judge by the report and the public board,
never by the truth: no message may reveal more than the report did.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Generic, TypeVar

from msgspec import Struct, convert
from msgspec.json import decode

from orders.model import Action, Order
from orders.rows import typed
from orders.verbs import Grammar
from pbem.model import MenuItem, Plain, Problem

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., object])


class Refused(Exception):  # noqa: N818  the player made a mistake, not the program
    """A rule does not permit an order.

    Checks raise it for orders that arrive, the rules when they carry orders out. In the second case
    `text` becomes part of an event and so of reports: the text of a rule must not change, or audits
    of earlier games could not reproduce their reports.
    """

    def __init__(
        self, code: str, rule: str, text: str, hint: str = "", arg: str = "", item: int = 0
    ) -> None:
        """code: a word, `no-route`; rule: its number; text: what is wrong, for the unit's owner;
        hint: what the owner could do; arg: the name of the argument at fault, empty for the one
        that the check was registered with; item: which item of a list it is, counted from 0."""
        super().__init__(text)
        self.code, self.rule, self.text, self.hint = code, rule, text, hint
        self.arg, self.item = arg, item


class Seen(Struct, frozen=True):
    """What one action of an order is judged by. Games may derive from it and add methods."""

    order: Order
    action: Action
    """The action of the order that is judged."""
    rule: str
    """The rule of its verb."""
    report: Plain
    """The sender's report, decoded."""

    @property
    def side(self) -> str:
        """The sender's side."""
        return str(self.report["side"])

    @property
    def turn(self) -> int:
        """The turn that is played."""
        return int(self.report["turn"])

    @property
    def actor(self) -> str:
        """The unit that gets the order, or the side's own name in capitals."""
        return self.order.actor

    @property
    def verb(self) -> str:
        """The verb of the action, as the grammar names it."""
        return self.action.verb

    def said(self, arg: str) -> bool:
        """Is the argument written in the order, rather than left to its default?"""
        return arg in self.action.args

    @property
    def now(self) -> bool:
        """Does the order act in this window, whatever happens? False for standing orders, orders
        for a later turn, and orders that wait for a condition."""
        order = self.order
        return not order.standing and order.turn in (None, self.turn) and order.when is None

    @property
    def house(self) -> Mapping[str, str]:
        """The moderator's house rules, which the set-up text makes public: file -> its text."""
        return _house(str(self.report.get("setup", {}).get("text", "")))

    def own(self, name: str, kind: type[T]) -> T | None:
        """The sender's unit of this id, typed; None if there is none, as for a unit that the same
        set of orders may form."""
        for row in self.report["units"]:
            if row["id"] == name:
                return convert(row, kind)
        return None

    def offers(self, actor: str) -> tuple[MenuItem, ...]:
        """What the menu of the report offers to an actor now."""
        return convert(self.report.get("menu", {}).get(actor, ()), tuple[MenuItem, ...])

    def listed(self, actor: str, verb: str, arg: str) -> tuple[str, ...]:
        """The values that the menu lists for an argument; empty if it does not offer the verb."""
        for item in self.offers(actor):
            for one in item.args:
                if item.verb == verb and one.name == arg:
                    return one.values
        return ()


S = TypeVar("S", bound=Seen)


def useless(seen: Seen, text: str, hint: str = "", rule: str = "", arg: str = "") -> Refused:
    """A refusal of an order that nothing would ever carry out, whenever it is for: its sender
    would count on it. text: why; rule: default that of the verb."""
    said = f"'{seen.verb}' to {seen.actor} has no effect: {text}"
    return Refused("no-effect", rule if rule else seen.rule, said, hint, arg)


class Change(Struct, frozen=True):
    """What an order makes of one unit or actor, for the other orders of its set."""

    id: str
    menu: tuple[MenuItem, ...] | None
    """What it may be given from then on; None: it is gone."""
    row: Plain = {}
    """The fields of its row in the report that change; of a new unit all that checks read."""


class Other(Struct, frozen=True):
    """An order of the same set, as checks of an order beside the others see it."""

    actor: str
    action: Action
    given: Struct
    """Of its verb."""


def contrary(seen: Seen, other: Other, rule: str = "", hint: str = "") -> Refused:
    """A refusal of an order that would never be carried out, as another of its set is."""
    text = f"'{_words(seen.action)}' contradicts '{_words(other.action)}'"
    said = f"{text}, which {other.actor} is ordered in this set already"
    advice = hint if hint else "leave one of them out, or put the one with a condition first"
    return Refused("contradiction", rule, said, advice)


def _words(action: Action) -> str:
    """An action as messages call it: its verb and the values with it."""
    found = [action.verb]
    for value in action.args.values():
        found = [*found, *value] if isinstance(value, list) else [*found, str(value)]
    return " ".join([str(word) for word in found])


_Kinds = tuple[type[Struct], ...]
_Check = Callable[[Any, Any], None]
_Note = Callable[[Any, Any], str]
_Effect = Callable[[Any, Any], Sequence[Change]]
_Beside = Callable[[Any, Any, Sequence[Other]], None]


class Verdicts(Struct, frozen=True):
    """What is registered for one verb."""

    rule: str
    """The verb's rule."""
    kind: type[Struct]
    """The verb's struct."""
    checks: tuple[tuple[_Check, str], ...]
    """Each check with the argument that it judges."""
    notes: tuple[_Note, ...]
    effects: tuple[_Effect, ...]
    standing: bool
    """Does a standing order have the effects too?"""
    beside: tuple[tuple[_Beside, str], ...]
    """Each check of an order beside others, with the argument that it judges."""


class Checks(Generic[S]):
    """The checks and notes of a system, by verb."""

    def __init__(self, grammar: Grammar, seen: type[S]) -> None:
        """grammar: the system's; seen: `Seen`, or the game's own class derived from it."""
        self.grammar, self.seen = grammar, seen
        self._checks: list[tuple[_Kinds, _Check, str]] = []
        self._notes: list[tuple[_Kinds, _Note]] = []
        self._effects: list[tuple[_Kinds, _Effect]] = []
        self._standing: _Kinds = ()
        self._beside: list[tuple[_Kinds, _Beside, str]] = []
        self._table: dict[str, Verdicts] = {}

    def on(self, *kinds: type[Struct], arg: str = "") -> Callable[[F], F]:
        """Register a check, (seen, order) -> None, for the verbs of these structs; without any, for
        every verb. Checks of a verb run in the order of registration.

        arg: the argument that the caret points to if a refusal names none and the order has it.
        """

        def registered(check: F) -> F:
            self._checks.append((kinds, check, arg))  # type: ignore[arg-type]
            return check

        return registered

    def beside(self, *kinds: type[Struct], arg: str = "") -> Callable[[F], F]:
        """Register a check of orders of these verbs beside the others of their set, (seen, order,
        others) -> None. others: those of any actor that stand already, for the same time and
        without a condition: whatever happens, they are in force as well. Verbs of which an actor
        carries out one have a word for it in their declaration: `orders.verbs.Verb.once`."""

        def registered(check: F) -> F:
            self._beside.append((kinds, check, arg))  # type: ignore[arg-type]
            return check

        return registered

    def note(self, *kinds: type[Struct]) -> Callable[[F], F]:
        """Register a note, (seen, order) -> text, for the verbs of these structs: what the order
        will do or cost, for receipts and the order page (`4 zones, 2 turns: K14 L14`). Empty if
        there is nothing to say. A note that raises Refused says nothing."""

        def registered(note: F) -> F:
            self._notes.append((kinds, note))  # type: ignore[arg-type]
            return note

        return registered

    def effect(self, *kinds: type[Struct], standing: bool = False) -> Callable[[F], F]:
        """Register what orders of these verbs change for the other orders of their set, (seen,
        order) -> the `Change`s: units that they make, end, or let do something else.

        The rules must carry out such orders before all others of the turn, in the order written
        (`Book.script`): that is how they are judged. An effect is asked of orders that its verb's
        checks have passed; one that raises Refused, as it may for an order that waits for a
        condition, changes nothing.

        standing: a standing order of the set may have the effect too, for which orders of this turn
        may leave room, as a condition does."""

        def registered(effect: F) -> F:
            self._effects.append((kinds, effect))  # type: ignore[arg-type]
            self._standing += kinds if standing else ()
            return effect

        return registered

    def table(self) -> Mapping[str, Verdicts]:
        """What is registered, by the name of the verb; verbs without checks and notes are left out.

        Raises ValueError if a struct is not one of the grammar's.
        """
        if not self._table:
            known = {verb.type for verb in self.grammar.verbs}
            registered = (self._checks, self._notes, self._effects, self._beside)
            for kinds in (row[0] for rows in registered for row in rows):
                for kind in kinds:
                    if kind not in known:
                        raise ValueError(f"a check is for {kind.__name__}, which no verb has")
            rows = ((v.name, self._verdicts(v.type, v.rule)) for v in self.grammar.verbs)
            self._table.update(
                {n: r for n, r in rows if r.checks or r.notes or r.effects or self._beside}
            )
        return self._table

    def _verdicts(self, kind: type[Struct], rule: str) -> Verdicts:
        checks = [(f, arg) for kinds, f, arg in self._checks if not kinds or kind in kinds]
        notes = [f for kinds, f in self._notes if not kinds or kind in kinds]
        effects = [f for kinds, f in self._effects if not kinds or kind in kinds]
        beside = [(f, arg) for kinds, f, arg in self._beside if not kinds or kind in kinds]
        return Verdicts(
            rule=rule,
            kind=kind,
            checks=tuple(checks),
            notes=tuple(notes),
            effects=tuple(effects),
            standing=kind in self._standing,
            beside=tuple(beside),
        )

    def check(self, order: Order, report: Plain) -> Problem | None:
        """The first thing that is wrong with an order, or None. report: the sender's, decoded."""
        return problem(self.table(), self.seen, order, report)

    def contradicts(self, order: Order, others: Sequence[Order], report: Plain) -> Problem | None:
        """The first thing that is wrong with an order beside others of its set, or None."""
        return contradiction(self.table(), self.seen, order, others, report)

    def noted(self, order: Order, report: Plain) -> str:
        """The first note that any action of an order has; may be empty."""
        return note(self.table(), self.seen, order, report)

    def after(self, order: Order, report: Plain) -> Plain | None:
        """The report as the order leaves it for the others of its set; None if no verb of it has
        an effect."""
        return after(self.table(), self.seen, order, report)


def problem(
    table: Mapping[str, Verdicts], look: type[Seen], order: Order, report: Plain
) -> Problem | None:
    """The first refusal of any action of the order, as a Problem."""
    for action in (*order.actions, *order.otherwise):
        verdicts = table.get(action.verb)
        if verdicts is None:
            continue
        seen = look(order, action, verdicts.rule, report)
        given = typed(action.args, verdicts.kind)
        for check, arg in verdicts.checks:
            try:
                check(seen, given)
            except Refused as no:
                return _told(no, action, arg)
    return None


def contradiction(
    table: Mapping[str, Verdicts],
    look: type[Seen],
    order: Order,
    others: Sequence[Order],
    report: Plain,
) -> Problem | None:
    """The first refusal of any action of the order beside others of its set."""
    stand: Sequence[Other] | None = None
    for action in (*order.actions, *order.otherwise):
        verdicts = table.get(action.verb)
        if verdicts is None or not verdicts.beside:
            continue
        stand = _others(table, others) if stand is None else stand
        seen = look(order, action, verdicts.rule, report)
        given = typed(action.args, verdicts.kind)
        for check, arg in verdicts.beside:
            try:
                check(seen, given, stand)
            except Refused as no:
                return _told(no, action, arg)
    return None


def _others(table: Mapping[str, Verdicts], orders: Sequence[Order]) -> Sequence[Other]:
    """Every action of these orders."""
    found: list[Other] = []
    for order in orders:
        for action in order.actions:
            verdicts = table.get(action.verb)
            if verdicts is not None:
                found.append(Other(order.actor, action, typed(action.args, verdicts.kind)))
    return found


def _told(no: Refused, action: Action, arg: str) -> Problem:
    """A refusal as a Problem; arg: the argument at fault, if the refusal names none."""
    named = no.arg or arg
    blamed = named if named in action.args else ""
    return Problem(no.code, no.text, no.hint, no.rule, blamed, no.item)


def note(table: Mapping[str, Verdicts], look: type[Seen], order: Order, report: Plain) -> str:
    """The first text that a note gives."""
    for action in order.actions:
        verdicts = table.get(action.verb)
        if verdicts is None or not verdicts.notes:
            continue
        seen = look(order, action, verdicts.rule, report)
        given = typed(action.args, verdicts.kind)
        for tell in verdicts.notes:
            try:
                text = tell(seen, given)
            except Refused:
                continue
            if text:
                return text
    return ""


def after(
    table: Mapping[str, Verdicts], look: type[Seen], order: Order, report: Plain
) -> Plain | None:
    """The report with all that the order changes; None if no verb of it has an effect."""
    found, left = False, report
    for action in (*order.actions, *order.otherwise):
        verdicts = table.get(action.verb)
        if verdicts is None or not verdicts.effects:
            continue
        if order.standing and not verdicts.standing:
            continue
        found = True
        given = typed(action.args, verdicts.kind)
        for effect in verdicts.effects:
            try:
                left = _changed(left, effect(look(order, action, verdicts.rule, left), given))
            except Refused:
                continue
    return left if found else None


def _changed(report: Plain, changes: Sequence[Change]) -> Plain:
    """The report with these changes; units that are new stand last. Without any the report itself,
    by which who judges orders knows that he need not read it anew."""
    if len(changes) == 0:
        return report
    rows = {row["id"]: row for row in report["units"]}
    menu = dict(report.get("menu", {}))
    for change in changes:
        row = {**rows.get(change.id, {}), **change.row}
        offered = change.menu
        if offered is None:
            rows = {name: rows[name] for name in rows if name != change.id}
            menu = {name: menu[name] for name in menu if name != change.id}
        else:
            menu[change.id] = [_plain(one) for one in offered]
            if change.row:
                rows[change.id] = row
    return {**report, "units": [rows[name] for name in rows], "menu": menu}


def _plain(one: MenuItem) -> Plain:
    """An item as reports have it."""
    args = [{"name": a.name, "kind": a.kind, "values": [*a.values]} for a in one.args]
    return {"verb": one.verb, "args": args}


@lru_cache(maxsize=8)
def _house(setup: str) -> Mapping[str, str]:
    """The house rules in a set-up text."""
    if not setup:
        return {}
    found: Mapping[str, str] = decode(setup).get("house", {})
    return found
