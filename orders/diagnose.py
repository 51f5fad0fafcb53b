"""Good error messages, and the judging of orders that parse but cannot stand.

Everything said here comes from the sender's own words, his own report and the public board.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Protocol, cast

import msgspec
from msgspec import Struct

from orders.canon import Fault
from orders.cursor import some
from orders.model import Action, Order, Span
from orders.reading import Diagnostic, Place, Reading, Said, locate
from orders.report import Menu, MenuItem, Report, typed

__all__ = ["After", "Check", "Diagnostic", "Problem", "format", "format_all", "judge", "locate"]


class Problem(Protocol):
    """Why an order cannot stand, as a game's `check` says it (`pbem.model.Problem`).

    arg, item: the argument it is about and which of its values; empty for the whole order.
    """

    @property
    def code(self) -> str:
        """A word, `no-fuel`."""

    @property
    def text(self) -> str:
        """What is wrong."""

    @property
    def hint(self) -> str:
        """What to do about it."""

    @property
    def rule(self) -> str:
        """The rule's number."""

    @property
    def arg(self) -> str:
        """The argument it is about."""

    @property
    def item(self) -> int:
        """Which of its values, from 0."""


Check = Callable[[Order, Mapping[str, object]], Problem | None]
"""A game's own checker: one order against the sender's report (decoded JSON)."""
Beside = Callable[[Order, Sequence[Order], Mapping[str, object]], Problem | None]
"""The same of an order beside others of its set (`pbem.model.System.contradicts`)."""
Seen = Mapping[str, object]
"""The sender's report, as it came or as orders of his set leave it."""
After = Callable[[Order, Seen], Seen | None]
"""The report as an order leaves it for the others of its set; None: it changes nothing for them."""


class _World(Struct, frozen=True):
    """What orders are judged by: the report as other orders of the set leave it."""

    report: Seen
    turn: int | None
    menu: Menu
    forces: Mapping[str, str]
    """Own unit -> the force in which it sails."""


def format(diagnostic: Diagnostic, name: str) -> str:
    """The message as it is printed: place, code and text, the line, a caret, the hint.

    Ends without a newline.
    """
    d = diagnostic
    rule = f" ({d.rule})" if d.rule else ""
    lines = [
        f"{name}:{d.line}:{d.column}: error {d.code}: {d.text}{rule}",
        f"  {d.source}".rstrip(),
        f"  {' ' * d.at}^{'~' * (d.length - 1)}",
    ]
    if d.hint:
        lines.append(f"  hint: {d.hint}")
    return "\n".join(lines)


def format_all(diagnostics: Iterable[Diagnostic], name: str) -> str:
    """All messages, one below the other; empty without any. Ends without a newline."""
    return "\n".join(format(d, name) for d in diagnostics)


def judge(
    reading: Reading,
    report: Seen,
    check: Check | None,
    after: After | None = None,
    known: Report | None = None,
    beside: Beside | None = None,
) -> Reading:
    """The reading without the orders that cannot stand, each with its diagnostic instead.

    report: the sender's own report.json, decoded. check, beside: the game's own checkers, or None.
    Verbs must be in the unit's menu; values that the menu lists bind only orders for now. Orders
    that are standing, later, conditional or reactions apply at another time and are left to these.
    after: what an order changes for the others, or None. Orders of the set that change something
    are carried out first, so they are judged first, in the order written, and each by what those
    before it leave; all others by what they leave together. What a condition decides may happen or
    not, and so may what standing orders change, which count first: an order stands if it can stand
    in one of the two cases.

    A line of the order form, sent as it came, is no mistake if other orders of the set have made it
    impossible: HOLD of a ship that they put into a task force. It is left out. So is one that the
    sender's own order contradicts, wherever that stands: HOOD: hold; HOOD: move F13. If the own
    order has a condition, the line of the form binds after it, for the case that it is not met.

    known: `typed(report)`, for those who have it; it takes as long as judging a few orders.
    """
    pairs = list(zip(reading.orders.orders, reading.places, strict=True))
    form = _Form(_world(report, known))
    phases = _phases(reading, pairs, form, after)
    changing = (pairs[i][0] for i, phase in enumerate(phases) if phase <= _FIRST)
    worlds = _Worlds(reading, form.came, check, {v for order in changing for v in _values(order)})
    stand = _Standing(reading.once, beside)
    found, kept, edited = list(reading.diagnostics), dict[int, Seen](), False
    for i in sorted(range(len(pairs)), key=phases.__getitem__):
        order, place = pairs[i]
        problem, world = worlds.fault(order, place)
        problem = problem or stand.fault(order, place, world.report)
        if problem:
            weaker = form.superseded(reading, order, place, check)
            found += [] if weaker else [locate(reading.unit, *problem)]
            edited |= weaker
            continue
        kept[i] = world.report
        stand.add(order)
        if after and phases[i] <= _FIRST:
            worlds.carry_out(order, after)
    binding = sorted(kept, key=lambda i: (phases[i] == _LAST, i))
    return msgspec.structs.replace(
        _bound(reading, [(*pairs[i], kept[i]) for i in binding]),
        leaves=worlds.sure.report,
        diagnostics=tuple(sorted(found, key=lambda d: (d.line, d.column))),
        edited=edited or binding != sorted(kept),
    )


_ALWAYS, _FIRST, _THEN, _LAST = range(4)


def _phases(
    reading: Reading, pairs: Sequence[tuple[Order, Place]], form: _Form, after: After | None
) -> list[int]:
    """When each order is judged: first what changes something for the others, standing orders
    before those of the turn; last the lines of the form that others may contradict."""
    turn, report, weak = form.came.turn, form.came.report, form.weak(reading, pairs)
    found = list[int]()
    for i, (order, _) in enumerate(pairs):
        if after and _soon(order, turn) and after(order, report):
            found.append(_ALWAYS if order.standing else _FIRST)
        else:
            found.append(_LAST if i in weak else _THEN)
    return found


def _bound(reading: Reading, kept: Sequence[tuple[Order, Place, Seen]]) -> Reading:
    """The reading with these orders alone, as they bind."""
    return msgspec.structs.replace(
        reading,
        orders=msgspec.structs.replace(reading.orders, orders=tuple(o for o, _, _ in kept)),
        places=tuple(place for _, place, _ in kept),
        seen=tuple(seen for _, _, seen in kept),
    )


class _Worlds:
    """The two cases by which orders of a set are judged: what those carried out before leave if no
    condition holds (`sure`), and if each does (`maybe`).

    made: names in orders that change the report; check: as for `judge`.
    """

    def __init__(
        self, reading: Reading, came: _World, check: Check | None, made: Collection[str]
    ) -> None:
        self.sure = self.maybe = came
        self._reading, self._check, self._made = reading, check, made

    def fault(self, order: Order, place: Place) -> tuple[tuple[Fault, str] | None, _World]:
        """What is wrong with an order in both cases, and the rule; the case in which it stands."""
        problem = self._fault(self.sure, order, place)
        if problem and self.maybe is not self.sure and not self._fault(self.maybe, order, place):
            return None, self.maybe
        return problem, self.sure

    def _fault(self, world: _World, order: Order, place: Place) -> tuple[Fault, str] | None:
        return _fault(self._reading, world, order, place, self._check, self._made)

    def carry_out(self, order: Order, after: After) -> None:
        """An order stands that changes something for those after it."""
        binds = order.when is None and not order.standing
        both = self.maybe is self.sure and binds
        if binds:
            self.sure = _left(after, order, self.sure)
        self.maybe = self.sure if both else _left(after, order, self.maybe)


class _Standing:
    """The orders of a set that stand already and have no condition, by the time that they are for.

    once: the verbs that exclude each other (`Verb.once`); beside: as for `judge`.
    """

    def __init__(self, once: Mapping[str, str], beside: Beside | None) -> None:
        self._once, self._beside = once, beside
        self._by_time: dict[object, list[Order]] = {}

    def add(self, order: Order) -> None:
        """One more stands."""
        if order.when is None:
            self._by_time.setdefault(_time(order), []).append(order)

    def fault(self, order: Order, place: Place, report: Seen) -> tuple[Fault, str] | None:
        """What is wrong with an order beside these, and the rule."""
        others = self._by_time.get(_time(order), ())
        if not others:
            return None
        if found := _contradiction(self._once, others, order, place):
            return found
        return _placed(self._beside(order, others, report) if self._beside else None, place)


class Alone:
    """Judges orders as if each were the only one of its set, without the words for what is wrong.

    report, known: as for `judge`; check: the game's own checker, or None.
    """

    def __init__(self, report: Seen, known: Report, check: Check | None) -> None:
        self._world, self._check = _world(report, known), check

    def stands(self, order: Order, place: Place) -> bool:
        """Whether the order could stand."""
        world = self._world
        if _past(world.turn, order, place) or _menu_fault((), world, order, place, ()):
            return False
        return not (self._check and self._check(order, world.report))


class _Form:
    """The lines of the order form that the report suggests."""

    def __init__(self, came: _World) -> None:
        self.came = came
        self.lines: list[list[str]] | None = None

    def has(self, reading: Reading, order: Order, place: Place) -> bool:
        """Whether the order is an unedited line of the form. Those are all for this turn."""
        if order.standing or order.turn is not None:
            return False
        if self.lines is None:
            suggested = cast("Iterable[str]", self.came.report.get("suggest", ()))
            self.lines = [_line(line.strip()) for line in suggested]
        return _line(reading.unit.text[place.actor.start : place.order.end]) in self.lines

    def weak(self, reading: Reading, pairs: Sequence[tuple[Order, Place]]) -> set[int]:
        """The unedited lines of the form that other orders of the set may contradict, as they give
        the same actor verbs that exclude each other: the other orders bind first."""
        alike: dict[object, list[int]] = {}
        for i, (order, _) in enumerate(pairs):
            for word in {w for a in order.actions for w in _once(reading.once, a)}:
                alike.setdefault((order.actor, _time(order), word), []).append(i)
        rivals = {i for several in alike.values() if len(several) > 1 for i in several}
        return {i for i in rivals if self.has(reading, *pairs[i])}

    def superseded(self, reading: Reading, order: Order, place: Place, check: Check | None) -> bool:
        """Whether it is a line of the form that could stand if there were no other orders."""
        return (
            self.has(reading, order, place)
            and _fault(reading, self.came, order, place, check, ()) is None
        )


_TOKEN = r"[A-Z0-9_]+|[^A-Z0-9_\s]"


def _line(text: str) -> list[str]:
    """The words and signs of an order, the same in the form, in mail and in canonical form."""
    return re.findall(_TOKEN, text.upper().removesuffix(";"))


def _now(order: Order, turn: int | None) -> bool:
    """Whether it is for this turn, on a condition or not; reactions and standing orders are not."""
    return not order.standing and not order.trigger and order.turn in (None, turn)


def _soon(order: Order, turn: int | None) -> bool:
    """Whether it is for this turn, or a standing order, which may count in this turn too."""
    return _now(order, turn) or (order.standing and not order.trigger)


def _values(order: Order) -> Iterator[str]:
    """Every text that is the value of an argument."""
    for action in (*order.actions, *order.otherwise):
        yield from (value for value in action.args.values() if isinstance(value, str))


def _world(report: Seen, known: Report | None = None) -> _World:
    seen = known or typed(report)
    return _World(report, seen.turn, seen.menu, {u.id: u.force for u in seen.units})


def _left(after: After, order: Order, world: _World) -> _World:
    """What the order leaves of a world."""
    report = after(order, world.report)
    return world if report is None or report is world.report else _world(report)


def _fault(
    reading: Reading,
    world: _World,
    order: Order,
    place: Place,
    check: Check | None,
    made: Collection[str],
) -> tuple[Fault, str] | None:
    """What is wrong with an order, and the rule. made: names in orders that change the report,
    which shows what really has these names."""
    if past := _past(world.turn, order, place):
        return past
    if offered := _menu_fault(reading.declared, world, order, place, made):
        return _reasoned(check, world, order, offered)
    return _game_fault(check, world.report, order, place)


def _reasoned(
    check: Check | None, world: _World, order: Order, said: tuple[Fault, str]
) -> tuple[Fault, str]:
    """What the menu does not offer, with the game's own reason and rule where its checker has one.

    Only for the sender's units and actors of the menu; a unit of a force is told to leave to the
    force what the force may be ordered.
    """
    fault, rule = said
    known = order.actor in world.menu or order.actor in world.forces
    force = world.forces.get(order.actor)
    led = {item.verb for item in world.menu.get(force, ())} if force else set()
    own = known and not any(a.verb in led for a in (*order.actions, *order.otherwise))
    problem = check(order, world.report) if check and own else None
    if problem is None:
        return fault, rule
    hint = problem.hint or fault.hint
    return msgspec.structs.replace(fault, text=problem.text, hint=hint), problem.rule


def _menu_fault(
    declared: Collection[str], world: _World, order: Order, place: Place, made: Collection[str]
) -> tuple[Fault, str] | None:
    """What the menu does not offer now, None when it offers all; orders for later pass."""
    if order.standing or order.turn is not None or order.trigger:
        return None
    items = world.menu.get(order.actor)
    if items is None:
        known = order.actor in declared and order.actor not in made
        return None if known else (_idle(declared, order, place), "")
    for action, said in zip((*order.actions, *order.otherwise), place.actions, strict=True):
        offered = next((item for item in items if item.verb == action.verb), None)
        if offered is None:
            return _unoffered(world, order, action, said, items), ""
        fault = None if order.when else _value_fault(action, said, offered)
        if fault:
            return fault, ""
    return None


def _unoffered(
    world: _World, order: Order, action: Action, said: Said, items: Iterable[MenuItem]
) -> Fault:
    """A verb that the unit is not offered; a unit of a force does as the force does."""
    text = f"{order.actor} cannot be given '{action.verb}' now"
    verbs = ", ".join(item.verb for item in items)
    force = world.forces.get(order.actor)
    if force and any(item.verb == action.verb for item in world.menu.get(force, ())):
        hint = f"leave it out, or write '{force}: {action.verb} ...'; orders of its own: {verbs}"
        return Fault("not-now", f"{text}: it is in {force}", said.verb, hint)
    return Fault("not-now", text, said.verb, f"orders: {verbs}")


def _past(turn: int | None, order: Order, place: Place) -> tuple[Fault, str] | None:
    """An order for a turn that is over."""
    if order.turn is None or turn is None or order.turn >= turn:
        return None
    text = f"turn {order.turn} is over"
    return Fault("past-turn", text, place.actor, f"turn {turn} is being played"), ""


def _idle(declared: Collection[str], order: Order, place: Place) -> Fault:
    """An actor that the menu does not have, or does not have when this order is carried out."""
    text = f"{order.actor} cannot be given orders now"
    if order.actor not in declared:
        return Fault("not-now", text, place.actor)
    return Fault("not-now", f"{text}: no order that can stand makes it", place.actor)


def _value_fault(action: Action, said: Said, offered: MenuItem) -> Fault | None:
    """A value that the menu does not offer for this argument, or any for an argument that it leaves
    out. Of one that it has without values the board decides."""
    listed = {arg.name: arg.values for arg in offered.args}
    for name, value in action.args.items():
        allowed = listed.get(name, ())
        for i, item in enumerate(value if isinstance(value, list) else [str(value)]):
            if name not in listed or (allowed and item not in allowed):
                text = f"'{action.verb}' is not possible with {item} now"
                hint = f"possible now: {some(allowed)}" if allowed else "leave it out"
                return Fault("not-now", text, _spot(said, name, i), hint)
    return None


def _game_fault(
    check: Check | None, report: Mapping[str, object], order: Order, place: Place
) -> tuple[Fault, str] | None:
    """What the game's own checker says of an order."""
    return _placed(check(order, report) if check else None, place)


def _placed(problem: Problem | None, place: Place) -> tuple[Fault, str] | None:
    """What is wrong, where it stands, and the rule."""
    if problem is None:
        return None
    span = place.order
    for said in place.actions:
        if problem.arg in said.args:
            span = _spot(said, problem.arg, problem.item)
            break
    return Fault(problem.code, problem.text, span, problem.hint), problem.rule


def _contradiction(
    once: Mapping[str, str], others: Iterable[Order], order: Order, place: Place
) -> tuple[Fault, str] | None:
    """An order that can never be carried out, because the same actor has one for the same time that
    binds without a condition, of verbs that exclude each other (`Verb.once`)."""
    for other in others:
        if other.actor == order.actor:
            for action, said in zip(order.actions, place.actions, strict=False):
                for rival in other.actions:
                    both = _once(once, action) & _once(once, rival)
                    if both and not _alike(action, rival):
                        text = (
                            f"'{_words(action)}' contradicts '{_words(rival)}', which {order.actor}"
                            " is ordered in this set already"
                        )
                        hint = "leave one of them out, or put the one with a condition first"
                        return Fault("contradiction", text, said.verb, hint), ""
    return None


def _once(once: Mapping[str, str], action: Action) -> set[str]:
    """The words that verbs share which exclude each other (`Verb.once`)."""
    return set(once.get(action.verb, "").split())


def _time(order: Order) -> tuple[bool, int | None, str]:
    """When it is done: orders alike in this may contradict each other."""
    return order.standing, order.turn, order.trigger or ""


def _alike(one: Action, other: Action) -> bool:
    """Do both say the same?"""
    return (one.verb, one.args) == (other.verb, other.args)


def _words(action: Action) -> str:
    """An action as messages call it: its verb and the values with it."""
    values = (v if isinstance(v, list) else [v] for v in action.args.values())
    return " ".join([action.verb, *(str(v) for each in values for v in each)])


def _spot(said: Said, arg: str, item: int) -> Span:
    spans = said.args.get(arg) or (said.verb,)
    return spans[min(max(item, 0), len(spans) - 1)]
