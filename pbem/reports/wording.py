"""What happened, in words: events and questions by the macros of their system, and which of them
a report tells first, in its news, in its log or not at all.

A system says so in `events.j2`, `questions.j2` and `headlines.j2` of its folder of templates.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache
from itertools import groupby
from typing import TYPE_CHECKING, Any

from pbem.data import folder, provider
from pbem.errors import RulesFault
from pbem.model import Plain
from pbem.reports.filters import PURE, because, outcome
from pbem.text import layout

if TYPE_CHECKING:
    from jinja2 import Environment


def events(system: str, events: Sequence[Plain]) -> list[str]:
    """A sentence for each event (JSON data), by the macro of its kind in SYSTEM/events.j2.

    Raises RulesFault, naming the kind, if there is no macro for it.
    """
    words = macros(f"{system}/events.j2")
    for event in events:
        if event["kind"] not in words:
            raise wordless(system, event["kind"])
    return [_flat(words[e["kind"]], e) for e in events]


def wordless(system: str, kind: str) -> RulesFault:
    """The error for an event without a macro."""
    from pbem.rulecode import template_file

    return uninstalled(system) or RulesFault(
        f"the event {kind} has no macro",
        f"add one: {{% macro {kind}(e) %}}...{{% endmacro %}}",
        template_file(f"{system}/events.j2"),
    )


def uninstalled(system: str) -> RulesFault | None:
    """The error for a system whose templates are not found because its package is not installed;
    None for one that is."""
    from importlib.util import find_spec

    if "@" in system or find_spec(provider(system)):  # an archive is in a package that was found
        return None
    return RulesFault(
        f"{system} is not installed, so that its templates are not found",
        "pip install -e its folder: it is found by its entry point in the group pbem.games",
    )


def questions(system: str, questions: Sequence[Plain]) -> list[str]:
    """The prompt of each question (JSON data), by the macro of its kind in SYSTEM/questions.j2;
    without such a macro, the question's `about`."""
    words = macros(f"{system}/questions.j2")
    return [
        _flat(words[q["kind"]], q) if q["kind"] in words else layout.ascii_fold(str(q["about"]))
        for q in questions
    ]


@cache
def _templates() -> Environment:
    """The Jinja environment of the macros, made on the first call."""
    from pbem.text.jinja_env import environment

    return environment(PURE)


@cache
def macros(name: str) -> dict[str, Callable[..., str]]:
    """The public macros of a template by name; empty if there is no such template."""
    from jinja2 import TemplateNotFound

    try:
        module = _templates().get_template(name).module
    except TemplateNotFound:
        return {}
    return {k: v for k, v in vars(module).items() if not k.startswith("_") and callable(v)}


def _flat(macro: Callable[[Plain], str], data: Plain) -> str:
    """The text of a macro as one line of ASCII."""
    return " ".join(macro(layout.clean(dict(data), layout.ascii_fold)).split())


def reason(event: Plain) -> str:
    """Why an event happened, and its rule: `rolled 3, holds on 1-4 (8.15)`."""
    rule = f"({event['rule']})" if event.get("rule") else ""
    return f"{event.get('why', '')} {rule}".strip()


def told(event: Plain) -> str:
    """An event as a sentence with its reason: `EN7 is held: rolled 3, holds on 1-4 (8.15).`"""
    why = (": " if event.get("why") else " ") + reason(event)
    return said(f"{event['text'].rstrip('.')}{why.rstrip()}")


def said(text: str) -> str:
    """A text as a sentence: with a full stop, if it does not end in another sign."""
    return text if text.endswith(("!", "?", ".")) else text + "."


@cache
def _kinds(system: str, which: str) -> Sequence[str]:
    """The kinds of event that SYSTEM/events.j2 lists under a name.

    which: `routine` (own moves, for the log), `quiet` (told in the last line, if at all), `opens`
    or `closes` (kinds that begin or end a passage, as a battle), `folds` (kinds that begin a part
    of a passage that HTML folds, as a round), `gathers` (see `gathered`), `weighty`
    (see `weighed`).
    """
    return setting(f"{system}/events.j2", which)


@cache
def setting(name: str, which: str) -> Sequence[Any]:
    """A list that a template sets at its top level; empty if there is none."""
    from jinja2 import TemplateNotFound

    try:
        module = _templates().get_template(name).module
    except TemplateNotFound:
        return ()
    return tuple(getattr(module, which, ()))


def folder_of(report: Plain) -> str:
    """The folder of templates of the edition that a report is of."""
    return folder(report["system"], report.get("edition", ""))


def news(report: Plain) -> list[Plain]:
    """The events that are neither routine nor quiet, in the order told."""
    return _new(report["events"], folder_of(report))


def _new(events: Sequence[Plain], system: str) -> list[Plain]:
    aside = {*_kinds(system, "routine"), *_kinds(system, "quiet")}
    return [e for e in events if not _among(e, aside)]


def _among(event: Plain, kinds: Collection[str]) -> bool:
    """Whether an event is of one of these kinds. `Struck.outcome=none` is a kind, too: the events
    Struck whose field `outcome` has that value."""
    kind = event["kind"]
    if kind in kinds:
        return True
    narrow = (
        one.removeprefix(f"{kind}.").split("=") for one in kinds if one.startswith(f"{kind}.")
    )
    return any(event.get(field) == value for field, value in narrow)


def chief(report: Plain, most: int) -> list[Plain]:
    """The news of a report, at most so many: those that rank highest in SYSTEM/headlines.j2, in the
    order told."""
    told = news(report)
    if len(told) <= most:
        return told
    ranks = {kind: place for place, kind in reversed([*enumerate(_ranked(report))])}
    kept = sorted(range(len(told)), key=lambda i: ranks.get(told[i]["kind"], len(ranks)))[:most]
    return [told[i] for i in sorted(kept)]


def _ranked(report: Plain) -> list[str]:
    """The kinds of event in the order in which headlines prefer them."""
    entries = setting(f"{folder_of(report)}/headlines.j2", "rank")
    return [str(entry).partition(".")[0] for entry in entries]


def uneventful(report: Plain) -> str:
    """What brought nothing, in one line: the quiet events, where a system has no line of its own
    (`nothing` of SYSTEM/rows.j2)."""
    quiet = _kinds(folder_of(report), "quiet")
    return " ".join(said(e["text"]) for e in report["events"] if _among(e, quiet))


def log(report: Plain) -> list[Plain]:
    """The routine events of the turn, in the order told."""
    system = folder_of(report)
    routine = _kinds(system, "routine")
    return [e for e in gathered(report["events"], system) if _among(e, routine)]


def reasons(report: Plain) -> list[Plain]:
    """The events that say more in full than as news: with a reason, or left out of the news. The
    page tells them with reason and rule at its end, the routine ones in a list of their own."""
    system = folder_of(report)
    routine, quiet = _kinds(system, "routine"), _kinds(system, "quiet")
    told = [e for e in gathered(report["events"], system) if not _among(e, routine)]
    return [e for e in told if e.get("why") or _among(e, quiet)]


def rest(report: Plain, whole: Plain) -> list[Plain]:
    """The news of a report, or of one of the `earlier` ones of `whole`, without what the first
    line tells."""
    system, first = folder_of(report), _first(whole)
    marks = {*_kinds(system, "opens"), *_kinds(system, "closes"), *_kinds(system, "folds")}
    events = gathered(report["events"], system)
    return counted([e for e in _new(events, system) if e is not first or e["kind"] in marks])


def more(report: Plain) -> bool:
    """Whether the first line of a report has told one of its news."""
    first = _first(report)
    return any(e is first for e in news(report))


def _first(report: Plain) -> Plain | None:
    """The event that the first line tells, if it tells one."""
    found = _foremost(report)
    return found[1] if found and not report.get("result") else None


def lead(report: Plain) -> str:
    """What a report begins with, as a sentence: the event that changes most for its reader."""
    if report.get("result"):
        return f"Game over: {outcome(report['result']['result'], report)}."
    if not report["seed"]["window"]:
        return f"{_opened(report)}."
    if found := _foremost(report):
        return said(found[1]["text"])
    return said(_quietly(report))


def brief(report: Plain) -> str:
    """The same in the few words of a subject, without a full stop."""
    if report.get("result"):
        won = outcome(report["result"]["result"], report)
        return f"{won[:1].upper()}{won[1:]}: {because(report['result']).rstrip('.')}"
    if not report["seed"]["window"]:
        said = "" if report.get("taken_back") else f"{_opened(report)}, "
        return f"{said}turn {report['turn']}" if report["turn"] else _opened(report)
    if found := _foremost(report):
        return found[0]
    if asked := report["questions"]:
        return f"A question: {asked[0]['prompt'].rstrip('?.')}"
    return _quietly(report)


def _opened(report: Plain) -> str:
    """What to say of a window that opens without another's closing: the first, or one that an undo
    or a ruling opens. The subject says that a turn is played again."""
    if report.get("taken_back"):
        return "This turn is played again"
    return "The game begins" if report["window"] == 1 else "The moderator has changed the game"


def _quietly(report: Plain) -> str:
    """What to say of a window without news: `calm` of headlines.j2, else the view's `news`."""
    calm = setting(f"{folder_of(report)}/headlines.j2", "calm")
    about = calm[0] if calm else report.get("news", "")
    return f"{about[:1].upper()}{about[1:]}" if about else "Nothing new that you know of"


def _foremost(report: Plain) -> tuple[str, Plain] | None:
    """The event that matters most, and its headline, by SYSTEM/headlines.j2: `rank` lists the
    kinds, and each has a macro, which gets the event and the reader's side and may be empty.
    `ShipHit.Sunk` in it stands for events ShipHit by the macro Sunk: a kind may have several ranks.
    `heaviest` lists fields by which the greatest event of its kind comes first: `ShipSunk.points`.
    """
    name = f"{folder_of(report)}/headlines.j2"
    headlines = macros(name)
    windows = [*report.get("earlier", ()), report]
    told = [event for window in reversed(windows) for event in window["events"]]
    for entry in setting(name, "rank"):
        kind, _, macro = entry.partition(".")
        for event in _heaviest_first([e for e in told if e["kind"] == kind], name):
            plain = layout.clean(dict(event), layout.ascii_fold)
            if headline := " ".join(headlines[macro or kind](plain, report["side"]).split()):
                return headline, event
    return None


def _heaviest_first(alike: list[Plain], name: str) -> list[Plain]:
    """Events of one kind, those with most in the field that `heaviest` of a template names first;
    others stay in the order told."""
    fields = dict(str(entry).split(".") for entry in setting(name, "heaviest"))
    field = fields.get(alike[0]["kind"]) if alike else None
    return sorted(alike, key=lambda event: -event.get(field, 0)) if field else alike


def opening(text: str) -> str:
    """The part of a sentence before the first colon or semicolon: `Round 2 in F5`."""
    return text.partition(":")[0].partition(";")[0]


def passages(events: Sequence[Plain], system: str) -> Iterator[Plain]:
    """Events, each with two flags for the layout.

    `head`: it begins a passage (a battle, a round). `gap`: leave space before it, because a passage
    begins with it or ended before it.
    """
    opens, closes = _kinds(system, "opens"), _kinds(system, "closes")
    last = ""
    for e in events:
        head = e["kind"] in opens
        yield {**e, "head": head, "gap": bool(last) and (head or last in closes)}
        last = e["kind"]


def chapters(events: Sequence[Plain], system: str) -> list[Plain]:
    """Events in groups for HTML: `events` of a group and `fold`: it is a part that is folded under
    its first event, as the round of a battle (`folds` of SYSTEM/events.j2)."""
    folds, ends = _kinds(system, "folds"), {*_kinds(system, "opens"), *_kinds(system, "closes")}
    found: list[Plain] = []
    for e in events:
        begins = e["kind"] in folds
        if not begins and found and found[-1]["fold"] and e["kind"] not in ends:
            found[-1]["events"].append(e)
        else:
            found.append({"fold": begins, "events": [e]})
    return found


def weighed(parts: Sequence[Plain], system: str, most: int) -> tuple[list[Plain], list[Plain]]:
    """Groups of `chapters` that a page shows, and those that it folds: all after the first `most`,
    but for what `weighty` of SYSTEM/events.j2 lists (a loss), each with what opens its passage."""
    heavy, opens = _kinds(system, "weighty"), _kinds(system, "opens")
    kept = most
    while heavy and 1 < kept < len(parts) and parts[kept - 1]["events"][0]["kind"] in opens:
        kept -= 1
    shown, head = {*range(min(kept, len(parts)))}, -1
    for at, part in enumerate(parts):
        if part["events"][0]["kind"] in opens:
            head = at
        if any(_among(event, heavy) for event in part["events"]):
            shown |= {at, head} - {-1}
    return (
        [part for at, part in enumerate(parts) if at in shown],
        [part for at, part in enumerate(parts) if at not in shown],
    )


LONG = 12
"""Events of a story that the text page tells in full; the log below it has them all."""


def outline(events: Sequence[Plain], system: str) -> list[Plain]:
    """The events of a story for the text page: without parts that HTML folds, which the log has,
    unless the story is short."""
    if len(events) <= LONG:
        return list(events)
    parts = chapters(events, system)
    return [e for part in parts if not part["fold"] for e in part["events"]]


def grouped(rolls: Sequence[Plain]) -> list[str]:
    """Rolls as lines, one for neighbours whose labels have the first two words in common:
    `SEARCH/FIND  4/CONDE/1/1D6: 5; 6/BERWICK/1/1D6: 2`."""
    found = []
    for head, alike in groupby(rolls, lambda roll: "/".join(str(roll["label"]).split("/")[:2])):
        said = [
            f"{roll['label'].removeprefix(head + '/')}: {' '.join(map(str, roll['dice']))}"
            for roll in alike
        ]
        found.append(f"{head}  {'; '.join(said)}")
    return found


def gathered(events: Sequence[Plain], system: str) -> list[Plain]:
    """Events, with those of a passage that say the same of several units as one, in the place of
    the first: `GATO, JACK could not: EN19 is no longer detected`.

    `gathers` of SYSTEM/events.j2 lists the kinds, each with the field that names the unit:
    `Unable.actor`.
    """
    fields = dict(entry.split(".") for entry in _kinds(system, "gathers"))
    if not fields:
        return list(events)
    found: list[list[Plain]] = []
    alike: dict[tuple[str, str, str], list[Plain]] = {}
    bounds = {*_kinds(system, "opens"), *_kinds(system, "closes")}
    for e in events:
        if e["kind"] in bounds:
            alike.clear()
        if e["kind"] not in fields:
            found.append([e])
            continue
        rest = e["text"].replace(e[fields[e["kind"]]], "", 1)
        group = alike.setdefault((e["kind"], rest, reason(e)), [])
        if not group:
            found.append(group)
        group.append(e)
    return [_as_one(group, fields, system) if group[1:] else group[0] for group in found]


def _as_one(group: Sequence[Plain], fields: Mapping[str, str], system: str) -> Plain:
    """Events that differ only in one field as one event, with all its values in that field."""
    first = group[0]
    field = fields[first["kind"]]
    one = {**first, field: ", ".join(str(e[field]) for e in group)}
    return {**one, "text": events(system, [one])[0]}


def counted(events: Sequence[Plain]) -> list[Plain]:
    """Events, with neighbours that say the same as one: `The bombers missed (twice)`."""
    found: list[Plain] = []
    for text, alike in groupby(events, lambda e: str(e["text"]).rstrip(".")):
        first, *more = alike
        often = {1: " (twice)", 2: " (three times)"}.get(len(more), f" ({len(more) + 1} times)")
        found.append({**first, "text": text + often} if more else first)
    return found
