"""Composes a side's report.json from its view and from what all sides may know, nothing else.

Everything that a side reads (text, HTML, form, chart) is made from this object alone, so that it
cannot contain anything that the report does not contain. Bytes: docs/formats.md, "Report".
"""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

import msgspec
from msgspec import Struct, structs

from orders.model import Order
from orders.show import line as order_line
from orders.syntax import syntax
from pbem.base.hashing import H, canonical_json
from pbem.base.report_json import (
    Anchor,
    Event,
    LaterKey,
    Moderator,
    Report,
    Run,
    Seed,
    SeenRoll,
    SetUpRef,
    VerbHelp,
)
from pbem.base.report_json import Question as Asked
from pbem.base.report_menu import lengthened, shortened
from pbem.model import (
    ALL,
    DiceKind,
    MenuItem,
    Over,
    Plain,
    Question,
    Roll,
    Side,
    System,
    Told,
    View,
)
from pbem.reports.examples import with_examples
from pbem.roles import role_of, side_of

Wording = Callable[[str, Sequence[Plain]], list[str]]
"""(system, events or questions as JSON data) -> a sentence for each."""


class Words(Struct, frozen=True):
    """How to put events and questions into words: `pbem.reports.render`, or `SILENT`."""

    events: Wording
    questions: Wording


def _silent(system: str, things: Sequence[Plain]) -> list[str]:
    return [""] * len(things)


SILENT = Words(_silent, _silent)
"""Empty texts, and the grammar's own examples, for reports that only programs read; saves loading
the templates and judging the examples."""


class Frame(Struct, frozen=True, kw_only=True):
    """What the reports of one window have in common. Nothing here may depend on a side.

    Fields without an explanation are those of `Report` and of its `seed`.
    """

    game: str
    setup: str
    """The set-up text."""
    digest: str
    """G0, the digest of the set-up text."""
    scenario: str
    title: str
    window: int
    """The window that opens."""
    closed: int
    """The window whose dice and events the report tells; 0 in the first report."""
    opened: str
    """When the window opened, ISO 8601."""
    deadline: str
    """When orders are due, ISO 8601; empty without a schedule."""
    head: str
    """The hash of the last ledger record."""
    moderator: Moderator
    dice_mode: DiceKind
    lock: str = ""
    """Of the closed window, like `links` and `reveals`."""
    links: dict[str, str] = {}
    reveals: dict[str, str] = {}
    carried: dict[str, int] = {}
    """For this field, `firsts` and `root` see `pbem.turns.links.Fixed`."""
    firsts: dict[str, str] = {}
    root: str = ""
    run: Run | None = None
    anchors: dict[str, list[Anchor]] = {}
    flags: list[str] = []
    """Notices for every reader: unprovable dice, rulings, undone windows."""
    over: Over | None = None
    commit: str = ""
    keys: dict[str, list[LaterKey]] = {}
    taken_back: list[int] = []
    owed: Sequence[str] = ()
    missed: Mapping[str, int] = {}


class Account(Struct, frozen=True, kw_only=True):
    """What one side is told in addition to its view."""

    told: Sequence[Told] = ()
    """All events of the window, or for a role those that it may hear; the report contains those
    with the side in their audience."""
    rolls: Sequence[Roll] = ()
    """The rolls of the window; likewise."""
    questions: Sequence[Question] = ()
    """The questions put to the side."""
    standing: Sequence[str] = ()
    """Standing orders and orders for later turns, as order lines."""
    ordered: Sequence[str] = ()
    """What the side ordered for the closed window alone, as order lines."""
    this_turn: Sequence[Order] = ()
    """What it ordered in earlier windows of the turn and may still count."""
    bound: Mapping[str, frozenset[str]] = {}
    """Actor to the verbs that its orders in force have settled: the form suggests none of them."""
    seq: int = 0
    """The least sequence number that the side's next set may have."""
    set: str = "NMR"
    """The order digest of the side's set in the closed window; NMR (no moves received) without."""
    readers: Sequence[str] = ()
    """Names of the keys to which an encrypted mail is encrypted; empty in plain games."""
    flags: Sequence[str] = ()
    """Notices for this side, after the flags for every reader."""


def compose(
    system: System, frame: Frame, side: Side, view: View, account: Account, words: Words
) -> Report:
    """The report of `side`, with its digest. Raises what `draft` raises."""
    report = draft(system, frame, side, view, account, words)
    with_digest(report)
    return report


def draft(
    system: System, frame: Frame, side: Side, view: View, account: Account, words: Words
) -> Report:
    """The report of `side`, still without its digest; `side` may be `ALL`, for spectators, or the
    seat of a role (`pbem.roles`). Raises RulesFault if `words` has no wording for an event.
    """
    scenario = next(s for s in system.scenarios if s.name == frame.scenario)
    view, events = _to_order(frame, view), _events(system, side, account, words)
    questions = _questions(system, account, words)
    report = Report(
        game=frame.game,
        title=frame.title,
        system=system.name,
        edition=system.edition,
        scenario=frame.scenario,
        side=side_of(side),
        role=role_of(side),
        side_name=scenario.side_name(side),
        turn=view.turn,
        turns=scenario.turns or system.turns,
        label=view.label,
        news=view.news,
        window=frame.window,
        seq=account.seq,
        digest="",
        setup=SetUpRef(frame.digest, frame.setup),
        moderator=frame.moderator,
        dice_mode=frame.dice_mode,
        opened=frame.opened,
        deadline=frame.deadline,
        head=frame.head,
        anchors=frame.anchors,
        flags=[*frame.flags, *account.flags],
        result=frame.over,
        units=view.units,
        contacts=view.contacts,
        board=view.board,
        menu=view.menu,
        verbs=verb_table(system, view),
        suggest=(form := _form(view, account)),
        form="\n".join(form),
        events=msgspec.convert(events, list[Event]),
        questions=msgspec.convert(questions, list[Asked]),
        standing=list(account.standing),
        ordered=list(account.ordered),
        this_turn=_this_turn(system, view, account),
        lost=view.lost,
        rolls=_rolls(side, account),
        seed=_seed(frame, side, account),
        run=frame.run,
        commit=frame.commit,
        keys=frame.keys,
        taken_back=frame.taken_back,
        readers=list(account.readers),
        owed=list(frame.owed),
        missed=dict(frame.missed),
    )
    report.plain = _plain(report, events, questions)
    return report if words is SILENT else _with_examples(system, report)


def _with_examples(system: System, report: Report) -> Report:
    """The report, with examples of each verb that would be legal now."""
    report.verbs = with_examples(system, report)
    report.plain = {**report.plain, "verbs": msgspec.to_builtins(report.verbs)}
    return report


def _to_order(frame: Frame, view: View) -> View:
    """The view, without orders to give in a window that a run closes by itself."""
    goes_on = frame.run is not None and frame.run.why == "on"
    return structs.replace(view, menu={}, form=()) if goes_on else view


def _this_turn(system: System, view: View, account: Account) -> list[str]:
    """What the side ordered in the turn's earlier windows and may still count, as order lines; what
    goes on of a programme first, in its order."""
    undone = [order_line(order, system.grammar) for order in _undone(view, account)]
    return [*view.goes_on, *(line for line in undone if line not in view.goes_on)]


def _undone(view: View, account: Account) -> list[Order]:
    """What the side ordered in the turn's earlier windows; of a unit that has moved only what its
    menu still offers."""
    done = {unit.id for unit in view.units if getattr(unit, "moved", False)}
    found = []
    for order in account.this_turn:
        offered = {item.verb for item in view.menu.get(order.actor, ())}
        said = {action.verb for action in (*order.actions, *order.otherwise)}
        if order.actor not in done or said & offered:
            found.append(order)
    return found


def _form(view: View, account: Account) -> list[str]:
    """The orders that the game suggests, but none that would count before an order in force."""
    lines = []
    for line in view.form:
        actor, _, said = line.partition(":")
        verbs = [
            v
            for v in account.bound.get(actor, ())
            if f"{said.strip()} ".startswith((v + " ", v + ";"))
        ]
        lines.append(f"[ {actor} has orders in force ]" if verbs else line)
    return lines


RARE = (
    "role",
    "run",
    "commit",
    "keys",
    "taken_back",
    "readers",
    "owed",
    "missed",
    "digest",
    "ordered",
    "this_turn",
    "lost",
)
"""Fields that are left out of the JSON if they are empty, because most games do not use them."""
APART = ("menu", "events", "questions")
"""Fields that `_plain` does not convert itself: the menu shares its items, and events and questions
have fields of their own kinds, which the typed report does not."""


def _plain(
    report: Report, events: Sequence[Plain], questions: Sequence[Plain]
) -> dict[str, object]:
    """A draft as JSON data. events, questions: with the fields of their own kinds."""
    named = (
        (name, getattr(report, name)) for name in Report.__struct_fields__ if name not in APART
    )
    fields = {name: value for name, value in named if value or name not in RARE}
    plain: dict[str, object] = msgspec.to_builtins(fields)
    return plain | {"menu": plain_menu(report.menu), "events": events, "questions": questions}


def _events(system: System, side: Side, account: Account, words: Words) -> list[Plain]:
    """The events that the side was told, as JSON data with a `text` each."""
    events = [msgspec.to_builtins(t.event) for t in account.told if side_of(side) in t.to]
    said = zip(events, words.events(system.templates, events), strict=True)
    return [{**event, "text": text} for event, text in said]


def _questions(system: System, account: Account, words: Words) -> list[Plain]:
    """The questions that the side is asked, as JSON data with a `prompt` each."""
    asked = [question_view(i, q) for i, q in enumerate(account.questions, 1)]
    put = zip(asked, words.questions(system.templates, asked), strict=True)
    return [{**question, "prompt": text} for question, text in put]


def _rolls(side: Side, account: Account) -> list[SeenRoll]:
    """The rolls that the side may see."""
    seen = (roll for roll in account.rolls if side_of(side) in roll.to)
    return [SeenRoll(roll.label, list(roll.dice), roll.proof, roll.window) for roll in seen]


def _seed(frame: Frame, side: Side, account: Account) -> Seed:
    """What the dice of the closed window were made from, for the reader to check them."""
    return Seed(
        window=frame.closed,
        links=frame.links,
        lock=frame.lock,
        reveals=frame.reveals,
        sets={side: account.set} if side != ALL else {},  # spectators send no orders
        carried=frame.carried,
        firsts=frame.firsts,
        root=frame.root,
    )


def with_digest(report: Report) -> bytes:
    """Add the digest to a draft, in place; returns the report's canonical JSON."""
    report.digest, data = encoded(report.plain)
    report.plain = {**report.plain, "digest": report.digest}
    return data


def encoded(plain: Plain) -> tuple[str, bytes]:
    """The digest (hex) of a report that has none yet, and the canonical JSON of both together.

    Canonical JSON sorts its keys. So the fields are encoded in two parts, around the digest, and
    each part is encoded only once.
    """
    short = shortened(plain)
    before, behind = (
        canonical_json({key: value for key, value in short.items() if low < key < high})[1:-1]
        for low, high in (("", "digest"), ("digest", "~"))
    )
    found = H("report", _object(before, behind)).hex()
    mark = b'"digest":"%s"' % found.encode("ascii")
    return found, _object(before, mark, behind)


@lru_cache(maxsize=4)
def decode(data: bytes) -> Report:
    """The report in a report.json from the game's own folder.

    Callers must not change it: the result is cached, because authentication, checker and receipt
    of one set of orders read the same report. Raises msgspec.DecodeError.
    """
    plain = decoded(data)
    report = Report.of({**plain, "menu": {}})
    report.menu, report.plain = _typed_menu(plain["menu"]), plain
    return report


def decoded(data: bytes) -> Plain:
    """A report.json as JSON data, with its menu in the long form. Raises msgspec.DecodeError."""
    return lengthened(msgspec.json.decode(data))


def _typed_menu(menu: Mapping[str, Sequence[Plain]]) -> dict[str, list[MenuItem]]:
    """A typed menu; items that are one object stay one object."""
    once = {id(item): item for items in menu.values() for item in items}
    items = {key: msgspec.convert(item, MenuItem) for key, item in once.items()}
    return {actor: [items[id(item)] for item in offered] for actor, offered in menu.items()}


def _object(*fields: bytes) -> bytes:
    """A JSON object from parts that are encoded already, in order; empty parts are left out."""
    return b"{%s}" % b",".join(filter(None, fields))


def digest(plain: Plain) -> str:
    """The digest (hex) that a report.json should have: over all of it except its field `digest`.

    plain: the object of the file, with its menu as it is there.
    """
    bare = {key: value for key, value in plain.items() if key != "digest"}
    return H("report", canonical_json(bare)).hex()


def plain_menu(menu: Mapping[str, Sequence[MenuItem]]) -> dict[str, list[Plain]]:
    """A menu as JSON data. Items, and whole lists of them, that several units share are one object:
    whatever walks through a menu then need not look at them again."""
    lists = {actor: tuple(map(id, items)) for actor, items in menu.items()}
    once = {id(item): item for items in menu.values() for item in items}
    plain = {key: msgspec.to_builtins(item) for key, item in once.items()}
    made = {keys: [plain[key] for key in keys] for keys in dict.fromkeys(lists.values())}
    return {actor: made[keys] for actor, keys in lists.items()}


def question_view(number: int, question: Question) -> dict[str, object]:
    """A question as report.json contains it, with its id: Q1, Q2 ... in the order asked."""
    plain: dict[str, object] = msgspec.to_builtins(question)
    plain["id"] = f"Q{number}"
    return plain


def verb_table(system: System, view: View) -> dict[str, VerbHelp]:
    """Verb -> help, example, rule and syntax, for every verb that the menu offers."""
    offered = {item.verb for items in view.menu.values() for item in items}
    return {name: told for name, told in _helps(system).items() if name in offered}


@lru_cache(8)
def _helps(system: System) -> dict[str, VerbHelp]:
    """Every verb of a system: the same in each report."""
    verbs = system.grammar.verbs
    return {v.name: VerbHelp(v.help, v.example, v.rule, syntax(v)) for v in verbs}
