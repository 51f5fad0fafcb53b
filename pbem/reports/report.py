"""A side's report.json: made of its view and of what all may know, nothing else.

Everything a side gets to read (text, HTML, form, chart) is made from this object alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from pbem.base.hashing import H, canonical_json
from pbem.model import MenuItem, Over, Question, Roll, Side, System, Told, View

FORMAT = "pbem-report/1"
Wording = Callable[[str, Sequence[Mapping[str, Any]]], list[str]]
"""System, plain events or questions -> a sentence for each."""


class Words(NamedTuple):
    """A system's wording of events and of questions, from its templates."""

    events: Wording
    questions: Wording


def _silent(system: str, things: Sequence[Mapping[str, Any]]) -> list[str]:
    return [""] * len(things)


SILENT = Words(_silent, _silent)
"""For reports that nobody reads."""


class Frame(Struct, frozen=True, kw_only=True):
    """What the reports of one window have in common. Nothing here may depend on a side.

    setup: the set-up text, digest its G0. window: the one this report opens. closed: the one
    whose dice and events it tells, 0 for the first. lock, links, reveals: of the closed window;
    carried, firsts, root: see `pbem.turns.links.Fixed`. run: of agreed turns it belongs to (`from`,
    `to`, `why`), None outside one.
    anchors: named to all sides, with the window from which each counts. flags: things every
    reader must know (dice not provable, rulings, undone windows). commit: to all rolls and the
    state; empty in games that began before there was one. keys: those that came after the set-up.
    taken_back: windows that an undo took back when it opened this one for new orders.
    """

    game: str
    setup: str
    digest: str
    scenario: str
    title: str
    window: int
    closed: int
    opened: str
    deadline: str
    head: str
    moderator: dict[str, str]
    dice_mode: str
    lock: str = ""
    links: dict[str, str] = {}
    reveals: dict[str, str] = {}
    carried: dict[str, int] = {}
    firsts: dict[str, str] = {}
    root: str = ""
    run: dict[str, Any] | None = None
    anchors: dict[str, list[dict[str, Any]]] = {}
    flags: list[str] = []
    over: Over | None = None
    commit: str = ""
    keys: dict[str, list[dict[str, Any]]] = {}
    taken_back: list[int] = []


class Account(Struct, frozen=True, kw_only=True):
    """What one side is told on top of its view. readers: names of the keys that an encrypted mail
    is for; in plain games the report says nothing of them. flags: beside those that all read."""

    told: Sequence[Told] = ()
    rolls: Sequence[Roll] = ()
    questions: Sequence[Question] = ()
    standing: Sequence[str] = ()
    seq: int = 0
    set: str = "NMR"
    readers: Sequence[str] = ()
    flags: Sequence[str] = ()


def compose(
    system: System, frame: Frame, side: Side, view: View, account: Account, words: Words
) -> dict[str, Any]:
    """The report of `side` as plain JSON data, its digest included. See `draft`."""
    report = draft(system, frame, side, view, account, words)
    with_digest(report)
    return report


def draft(
    system: System, frame: Frame, side: Side, view: View, account: Account, words: Words
) -> dict[str, Any]:
    """The report of `side` as plain JSON data, without its digest."""
    return {
        "format": FORMAT,
        **_game(system, frame, side),
        **_window(frame, account),
        **_seen(system, view),
        **_told(system, side, account, words),
        "seed": _seed(frame, side, account),
        **_rare(frame, account),
    }


def _game(system: System, frame: Frame, side: Side) -> dict[str, Any]:
    """Which game it is, and how it is played."""
    scenario = next(s for s in system.scenarios if s.name == frame.scenario)
    return {
        "game": frame.game,
        "title": frame.title,
        "system": system.name,
        "edition": system.edition,
        "scenario": frame.scenario,
        "side": side,
        "side_name": scenario.side_name(side),
        "turns": scenario.turns or system.turns,
        "setup": {"digest": frame.digest, "text": frame.setup},
        "moderator": frame.moderator,
        "dice_mode": frame.dice_mode,
    }


def _window(frame: Frame, account: Account) -> dict[str, Any]:
    """The window that opens: its time, its place in the chain, what all must know."""
    return {
        "window": frame.window,
        "seq": account.seq,
        "opened": frame.opened,
        "deadline": frame.deadline,
        "head": frame.head,
        "anchors": frame.anchors,
        "flags": [*frame.flags, *account.flags],
        "result": msgspec.to_builtins(frame.over) if frame.over else None,
    }


def _seen(system: System, view: View) -> dict[str, Any]:
    """What the side sees, and what it may order there."""
    return {
        "turn": view.turn,
        "label": view.label,
        "news": view.news,
        "units": msgspec.to_builtins(view.units),
        "contacts": msgspec.to_builtins(view.contacts),
        "board": msgspec.to_builtins(view.board),
        "menu": plain_menu(view.menu),
        "verbs": verb_table(system, view),
        "suggest": list(view.form),
        "form": "\n".join(view.form),
    }


def _told(system: System, side: Side, account: Account, words: Words) -> dict[str, Any]:
    """What the side was told and is asked, in words, and the dice it saw."""
    events = [msgspec.to_builtins(t.event) for t in account.told if side in t.to]
    asked = [question_view(i, q) for i, q in enumerate(account.questions, 1)]
    said = zip(events, words.events(system.name, events), strict=True)
    put = zip(asked, words.questions(system.name, asked), strict=True)
    return {
        "events": [{**event, "text": text} for event, text in said],
        "questions": [{**question, "prompt": text} for question, text in put],
        "standing": list(account.standing),
        "rolls": [
            {"label": r.label, "dice": list(r.dice), "proof": r.proof, "window": r.window}
            for r in account.rolls
            if side in r.to
        ],
    }


def _seed(frame: Frame, side: Side, account: Account) -> dict[str, Any]:
    """What the dice of the closed window were made from."""
    rare = {"carried": frame.carried, "firsts": frame.firsts, "root": frame.root}
    return {
        "window": frame.closed,
        "links": frame.links,
        "lock": frame.lock,
        "reveals": frame.reveals,
        "sets": {side: account.set},
        **{key: value for key, value in rare.items() if value},
    }


def _rare(frame: Frame, account: Account) -> dict[str, Any]:
    """Fields that most games have no use for; where they would be empty they are left out."""
    fields = {
        "run": frame.run,
        "commit": frame.commit,
        "keys": frame.keys,
        "taken_back": frame.taken_back,
        "readers": list(account.readers),
    }
    return {name: value for name, value in fields.items() if value}


def with_digest(report: dict[str, Any]) -> bytes:
    """Add the digest to a draft; the report's canonical JSON, every field encoded once."""
    ends = ("", "digest", "menu", "~")
    before, between, behind = (
        canonical_json({key: value for key, value in report.items() if low < key < high})[1:-1]
        for low, high in pairwise(ends)
    )
    menu = b'"menu":%s' % _menu_json(report["menu"]) if "menu" in report else b""
    report["digest"] = H("report", _object(before, between, menu, behind)).hex()
    digest = b'"digest":"%s"' % report["digest"].encode("ascii")
    return _object(before, digest, between, menu, behind)


def _menu_json(menu: Mapping[str, Sequence[Mapping[str, Any]]]) -> bytes:
    """The menu is the largest part of a report, and most of it is one item said for each ship."""
    once = {id(item): item for items in menu.values() for item in items}
    text = {key: canonical_json(item) for key, item in once.items()}
    return b"{%s}" % b",".join(
        b"%s:[%s]" % (canonical_json(actor), b",".join([text[id(item)] for item in menu[actor]]))
        for actor in sorted(menu)
    )


@lru_cache(maxsize=4)
def decode(data: bytes) -> dict[str, Any]:
    """A report.json as plain data; equal items of its menu are one object. Callers must not
    change it: the gate, the checker and the receipt of one set of orders read the same object.
    Raises msgspec.DecodeError."""
    fields = msgspec.json.decode(data, type=dict[str, msgspec.Raw])
    menu = msgspec.json.decode(
        fields.pop("menu", msgspec.Raw(b"{}")), type=dict[str, list[msgspec.Raw]]
    )
    once = {bytes(item): item for items in menu.values() for item in items}
    plain = {text: msgspec.json.decode(item) for text, item in once.items()}
    report = {key: msgspec.json.decode(value) for key, value in fields.items()}
    report["menu"] = {actor: [plain[bytes(i)] for i in items] for actor, items in menu.items()}
    return report


def _object(*fields: bytes) -> bytes:
    """The canonical JSON of an object whose fields are encoded, in their order; some may be
    empty."""
    return b"{%s}" % b",".join(filter(None, fields))


def digest(report: Mapping[str, Any]) -> str:
    """Hex digest of a report without its own `digest` field."""
    bare = {key: value for key, value in report.items() if key != "digest"}
    return H("report", canonical_json(bare)).hex()


def plain_menu(menu: Mapping[str, Sequence[MenuItem]]) -> dict[str, list[dict[str, Any]]]:
    """A menu as plain data; an item that several actors share stays one object."""
    once = {id(item): item for items in menu.values() for item in items}
    plain = {key: msgspec.to_builtins(item) for key, item in once.items()}
    return {actor: [plain[id(item)] for item in items] for actor, items in menu.items()}


def question_view(number: int, question: Question) -> dict[str, Any]:
    """A question as report.json shows it; its id is Q1, Q2 ... in the order asked."""
    plain: dict[str, Any] = msgspec.to_builtins(question)
    plain["id"] = f"Q{number}"
    return plain


def verb_table(system: System, view: View) -> dict[str, dict[str, str]]:
    """Help and example of every verb that the menu offers."""
    offered = {item.verb for items in view.menu.values() for item in items}
    return {
        v.name: {"help": v.help, "example": v.example, "rule": v.rule}
        for v in system.grammar.verbs
        if v.name in offered
    }
