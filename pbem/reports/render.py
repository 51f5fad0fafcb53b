"""A side's report or receipt, as plain data, to the text and HTML that are mailed.

Everything here is made of `report.json` or the receipt alone (DESIGN, Fog of war 1): pure
functions, dicts in, strings out. Jinja is loaded by the first page, not by the import.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.reports.headline import because, outcome
from pbem.text import layout

if TYPE_CHECKING:
    from jinja2 import Environment, Template
    from markupsafe import Markup

Data = Mapping[str, Any]

FORM_WIDTH = 70
LONGEST_LINK = 1500
"""Characters of a form that a link may hold: mail programs cut links of a few thousand."""

FEW = 12
"""A menu longer than this is left to the board."""


def events(system: str, events: Sequence[Data]) -> list[str]:
    """Each event worded by the macro of its kind in templates/<system>/events.j2.

    Raises KeyError, naming the kind, where there is no macro for it.
    """
    words = _macros(f"{system}/events.j2")
    for event in events:
        if event["kind"] not in words:
            raise KeyError(f"templates/{system}/events.j2 has no macro {event['kind']}")
    return [_flat(words[e["kind"]], e) for e in events]


def questions(system: str, questions: Sequence[Data]) -> list[str]:
    """Each question's prompt by its macro in templates/<system>/questions.j2, else `about`."""
    words = _macros(f"{system}/questions.j2")
    return [
        _flat(words[q["kind"]], q) if q["kind"] in words else layout.ascii_fold(str(q["about"]))
        for q in questions
    ]


class Pages(NamedTuple):
    """A report in the forms in which it is mailed; `form` is empty after the end."""

    text: str
    html: str
    form: str


def pages(report: Data, encoded: bytes) -> Pages:
    """Text, HTML and order form of a report. encoded: its canonical JSON, which tells at once
    whether there is anything to clean.

    Raises TypeError where the report holds other than plain data, UndefinedError where a
    template asks for what the report does not hold.
    """
    if "earlier" not in report and layout.is_plain(encoded, report["form"].count("\n")):
        plain = marked = report
    else:
        plain = layout.clean(report, layout.ascii_fold)
        marked = layout.clean(report, layout.printable)
    orders, rows = _form(plain), _rows(plain)
    ours = rows if marked is plain else _rows(marked)
    return Pages(_text(plain, orders, rows), _html(marked, orders, ours), orders)


def form(report: Data) -> str:
    """The order form of a report; sent unedited it is a valid set. ASCII, last newline included.
    Empty after the end, and of a window that runs on without orders.

    Without `digest` (while the report is still being made) the header's `report` is left out.
    """
    return _form(layout.clean(report, layout.ascii_fold))


def text(report: Data) -> str:
    """The report as ASCII text of 72 columns that stands alone. Raises as `pages`."""
    plain = layout.clean(report, layout.ascii_fold)
    return _text(plain, _form(plain), _rows(plain))


def html(report: Data) -> str:
    """The report as an HTML mail: tables, styles inline, under 90 kB, everything escaped."""
    marked = layout.clean(report, layout.printable)
    return _html(marked, form(report), _rows(marked))


def _text(plain: Data, orders: str, rows: Any) -> str:
    page = (
        templates().get_template("base/report.txt.j2").render(report=plain, form=orders, rows=rows)
    )
    return layout.tidy(layout.ascii_lines(page))


def _html(plain: Data, orders: str, rows: Any) -> str:
    page = templates().get_template("base/report.html.j2")
    return page.render(
        report=plain,
        form=orders,
        rows=rows,
        preheader=preheader(plain),
        answer=answer_link(plain, orders),
    )


def _rows(plain: Data) -> Any:
    """The tables of a system's pages as templates/<system>/rows.j2 sets them, made once for text
    and HTML; None where it has no such file."""
    template = _tables(plain["system"])
    return template and template.make_module({"report": plain})


@cache
def _tables(system: str) -> Template | None:
    from jinja2 import TemplateNotFound

    try:
        return templates().get_template(f"{system}/rows.j2")
    except TemplateNotFound:
        return None


def public(report: Data) -> tuple[str, str]:
    """The spectators' report as ASCII text of 72 columns and as an HTML mail."""
    plain = layout.clean(report, layout.ascii_fold)
    page = templates().get_template("base/public.txt.j2").render(report=plain)
    marked = layout.clean(report, layout.printable)
    markup = templates().get_template("base/public.html.j2")
    shown = markup.render(report=marked, preheader=preheader(plain))
    return layout.tidy(layout.ascii_lines(page)), shown


def answer_link(report: Data, orders: str) -> str:
    """A `mailto:` link (RFC 6068) to where answers go, the form's set in its body, without the
    form's remarks; the header alone where the set is too long for mail programs. Empty without
    `reply`, which whoever composes the mail adds to the report, and after the end."""
    from urllib.parse import quote

    if not orders or not report.get("reply"):
        return ""
    block = orders[orders.index("BEGIN ORDERS") :]
    if len(block) > LONGEST_LINK:
        block = f"BEGIN ORDERS\n{header(report)}\n[your orders]\nEND ORDERS\n"
    about = f"{report['game']} window {report['window']}: orders"
    said = {"subject": about, "body": block.replace("\n", "\r\n")}
    fields = "&".join(f"{key}={quote(text, safe='')}" for key, text in said.items())
    return f"mailto:{quote(report['reply'], safe='@+')}?{fields}"


def receipt(receipt: Data) -> str:
    """A receipt (pbem-receipt/1) as ASCII text of 72 columns."""
    plain = layout.clean(receipt, layout.ascii_fold)
    page = templates().get_template("base/receipt.txt.j2").render(receipt=plain)
    return layout.tidy(layout.ascii_lines(page))


def lock(lock: Data, owed: bool) -> str:
    """A lock notice (pbem-lock/1) as ASCII text. owed: whether the side's link is awaited."""
    page = templates().get_template("base/lock.txt.j2").render(lock=lock, owed=owed)
    return layout.tidy(layout.ascii_lines(page))


def encrypted(mail: Data) -> tuple[str, str]:
    """What stands before an encrypted mail, as text and as HTML. mail: `game` `side` `kind`
    `window`, `order_page` where there is one, and nothing of what is in it."""
    said = layout.tidy(templates().get_template("base/encrypted.txt.j2").render(mail=mail))
    return said, templates().get_template("base/encrypted.html.j2").render(mail=mail)


def note(note: Data) -> str:
    """A note (pbem-note/1) as it is read."""
    return layout.tidy(layout.ascii_lines(f"{note['subject']}\n\n{note['text']}"), hang="")


def own(source: str, report: Data, markup: bool = False) -> str:
    """A layout that a moderator wrote, in a sandbox; it sees what our own pages see.

    Raises jinja2.TemplateError for a layout that does not parse or reaches outside.
    """
    from pbem.text.jinja_env import sandbox

    plain = layout.clean(report, layout.printable if markup else layout.ascii_fold)
    box = sandbox(FILTERS, markup)
    page = box.from_string(source).render(report=plain, form=_form(plain), rows=_rows(plain))
    return page if markup else layout.tidy(layout.ascii_lines(page))


def preheader(report: Data) -> str:
    """The line that mail programs show beside the subject."""
    said = because(report["result"]) if report.get("result") else next(map(told, news(report)), "")
    due = f"Orders due {layout.date(report['deadline'])}." if report["deadline"] else ""
    return layout.printable(f"{said[: 199 - len(due)]} {due}").strip()


def prepare() -> None:
    """Load the templates of every window before a process forks, once for all its children."""
    names = "report.html body.html lib.html report.txt body.txt lib.txt form.txt receipt.txt"
    for name in names.split():
        templates().get_template(f"base/{name}.j2")


@cache
def templates() -> Environment:
    """The one environment, made when the first page is rendered."""
    from pbem.text.jinja_env import environment

    return environment(FILTERS)


@cache
def _macros(name: str) -> dict[str, Callable[[Any], str]]:
    from jinja2 import TemplateNotFound

    try:
        module = templates().get_template(name).module
    except TemplateNotFound:
        return {}
    return {k: v for k, v in vars(module).items() if not k.startswith("_") and callable(v)}


def _flat(macro: Callable[[Any], str], data: Data) -> str:
    return " ".join(macro(layout.clean(dict(data), layout.ascii_fold)).split())


def _form(plain: Data) -> str:
    if plain.get("result") or plain.get("run", {}).get("why") == "on":
        return ""
    page = templates().get_template("base/form.txt.j2")
    return layout.tidy(page.render(report=plain, header=header(plain), orders=suggested(plain)))


def header(report: Data) -> str:
    """The header of an order file for this report; `sign` sets seq and link anew."""
    from orders.header import show_header
    from orders.model import Header

    fields = Header(
        game=report["game"],
        setup=report["setup"]["digest"],
        window=report["window"],
        side=report["side"],
        seq=report["seq"],
        report=report.get("digest", ""),
        link="none",
        moderator=report["moderator"].get("key", ""),
    )
    lines = [line for line in show_header(fields).splitlines() if not line.endswith(": ")]
    return "\n".join(layout.wrap(line, "", "  ", FORM_WIDTH) for line in lines)


def suggested(report: Data) -> list[str]:
    """The lines of the unedited form: what the game suggests, and each question's default."""
    lines = list(report["suggest"])
    for q in report["questions"]:
        if q["default"] in q["choices"] and not any(s.startswith(f"{q['id']}:") for s in lines):
            lines.append(f"{q['id']}: {q['default']};")
    return lines


def reason(event: Data) -> str:
    """Why an event came about, and its rule: `rolled 3, holds on 1-4 (8.15)`."""
    rule = f"({event['rule']})" if event.get("rule") else ""
    return f"{event.get('why', '')} {rule}".strip()


def told(event: Data) -> str:
    """An event with its reason: `EN7 is held: rolled 3, holds on 1-4 (8.15).`"""
    why = (": " if event.get("why") else " ") + reason(event)
    said = f"{event['text'].rstrip('.')}{why.rstrip()}"
    return said if said.endswith(("!", "?")) else said + "."


@cache
def _kinds(system: str, which: str) -> frozenset[str]:
    """The kinds of event that a system's wording lists as `routine` (own moves, told in the log),
    or as those that open or close a passage of its story."""
    from jinja2 import TemplateNotFound

    try:
        module = templates().get_template(f"{system}/events.j2").module
    except TemplateNotFound:
        return frozenset()
    return frozenset(getattr(module, which, ()))


def news(report: Data) -> list[Data]:
    """The events that change the picture, in the order told."""
    return [e for e in report["events"] if e["kind"] not in _kinds(report["system"], "routine")]


def log(report: Data) -> list[Data]:
    """The routine of the turn, in the order told."""
    return [e for e in report["events"] if e["kind"] in _kinds(report["system"], "routine")]


def passages(events: Sequence[Data], system: str) -> Iterator[Data]:
    """Events with `head`, where one opens a passage (a battle, a round), and `gap`, where a
    passage begins or one has ended before it."""
    opens, closes = _kinds(system, "opens"), _kinds(system, "closes")
    last = ""
    for e in events:
        head = e["kind"] in opens
        yield {**e, "head": head, "gap": bool(last) and (head or last in closes)}
        last = e["kind"]


def maybe(data: Data, key: str) -> Any:
    """What a key holds, or nothing where there is no such key."""
    return data.get(key, "")


def age(turns: int) -> str:
    """`now`, `1 turn`, `5 turns`."""
    return "now" if turns == 0 else "1 turn" if turns == 1 else f"{turns} turns"


def words(value: Any) -> str:
    """A value of an order as it is written: lists as words, names in capitals as they came."""
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


def facts(items: Iterable[Data]) -> list[str]:
    """`Visibility 4 (good)`; a fact without a name is its value."""
    return [f"{f['name']} {f['value']}".strip() for f in items]


def choice(q: Data) -> str:
    """How to answer: `Choose A, B or C; write "Q1: A;". Without an answer: A.`"""
    names = [str(c) for c in q["choices"]]
    listed = ", ".join(names[:-1]) + (" or " if names[1:] else "") + "".join(names[-1:])
    default = words(q["default"])
    pick = f"Choose {listed}; write" if names else "Write"
    silent = f" Without an answer: {default}." if default else ""
    return f'{pick} "{q["id"]}: {names[0] if names else "..."};".{silent}'


def cells(items: Iterable[Data], keys: Sequence[str], below: Sequence[str] = ()) -> list[list[str]]:
    """Rows of a table. A key `ships/name` takes the first that is there; `below`: keys whose
    text or list of texts stands under the last column."""
    return [[*(_cell(i, key) for key in keys), *_below(i, below)] for i in items]


def _below(item: Data, keys: Sequence[str]) -> list[str]:
    found = [item.get(key) or () for key in keys]
    return [line for value in found for line in ([value] if isinstance(value, str) else value)]


def _cell(item: Data, key: str) -> str:
    for name in key.split("/"):
        if item.get(name) not in (None, ""):
            value = item[name]
            return age(value) if name == "age" else _listed(value)
    return ""


def _listed(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def offers(report: Data) -> list[str]:
    """The menu as two comments of the order form: each order once, and who may be given which."""
    table = report.get("verbs", {})
    found: dict[str, dict[str, Any]] = {}
    groups: dict[tuple[str, ...], list[str]] = {}
    last: tuple[Any, list[str]] = (None, [])
    for actor, items in report["menu"].items():
        if items == last[0]:  # most ships may do what the one before may
            last[1].append(actor)
            continue
        last = items, groups.setdefault(tuple(item["verb"] for item in items), [])
        last[1].append(actor)
        for item in items:
            _share(
                found.setdefault(item["verb"], {"actor": actor, **table.get(item["verb"], {})}),
                item,
            )
    if not found:
        return []
    orders = (_offer(verb, *_offered(item)) for verb, item in found.items())
    who = [f"{', '.join(a)}: {', '.join(verbs)}" for verbs, a in groups.items() if verbs]
    said = remark("Orders; words in capitals stand for what you fill in:")
    return ["\n".join([said[:-1], *orders]) + "]", remark("Who may be given which:", who)]


def _share(known: dict[str, Any], item: Data) -> None:
    """Fold one actor's menu item into what all have in common: values that differ are left out."""
    if known.setdefault("first", item["args"]) == item["args"] and "args" in known:
        return
    args = [(a["name"], tuple(a.get("values") or ())) for a in item["args"]]
    before = known.setdefault("args", args)
    known["args"] = [
        (name, values if values == other else ())
        for (name, values), (_, other) in zip(before, args, strict=False)
    ]


def _offered(item: Data) -> tuple[str, ...]:
    """What `_offer` needs of a verb: arguments, help, rule, and the example for an own unit."""
    args = " ".join(_arg(name, values) for name, values in item["args"])
    actor, _, rest = item.get("example", "").partition(":")
    example = f"{item['actor'] if actor.isalnum() else actor}:{rest}" if rest else ""
    return args, item.get("help", ""), item.get("rule", ""), example


@lru_cache(maxsize=4096)
def _offer(verb: str, args: str, said: str, rule: str, example: str) -> str:
    """One order as lines of the comment: its arguments, what it does, an example. The same in
    every report of a system, so it is wrapped once."""
    what = f"{verb} {args}".strip() + f" - {said}{f' ({rule})' if rule else ''}".rstrip(" -")
    lines = [what, f"  as in {example}"] if example else [what]
    return "\n".join(map(_hung, lines))


def _arg(name: str, values: Sequence[Any]) -> str:
    shown = f" ({', '.join(map(str, values))})" if 0 < len(values) <= FEW else ""
    return name.upper() + shown


def remark(said: str, lines: Sequence[str] = ()) -> str:
    """A comment of the order form: a first line and further ones, each wrapped."""
    first = layout.wrap(layout.comment(said), "[", " ", FORM_WIDTH)
    return "\n".join((first, *map(_hung, lines))) + "]"


def _hung(line: str) -> str:
    """A further line of a comment, wrapped; one that opens with a blank stands further in."""
    indent = "    " if line[:1] == " " else "  "
    return layout.wrap(layout.comment(line), indent, "      ", FORM_WIDTH)


def caret(problem: Data) -> str:
    """The sender's line and the marks under the place, indented by four."""
    line, marks = layout.caret(problem["line"], problem["from"], problem["length"])
    return f"    {line}\n    {marks}"


def coloured(chart: Data) -> Markup:
    """The rows of a character chart, escaped, own and enemy marks and land in colour."""
    import re

    from markupsafe import Markup, escape

    kinds = dict.fromkeys(chart.get("own", ()), "ours")
    kinds |= dict.fromkeys(chart.get("foe", ()), "theirs")
    text = str(escape("\n".join(chart["rows"])))
    marks = [re.escape(str(escape(mark))) for mark in sorted(kinds, key=len, reverse=True)]
    ends = [rf"{mark}(?!\d)" if mark[-1].isdigit() else mark for mark in marks]
    pattern = "|".join([*ends, "#+"])
    return Markup(re.sub(pattern, lambda m: _span(m[0], kinds.get(m[0], "land")), text))


INK = {
    "ours": "background:#173f73;color:#ffffff;font-weight:bold",
    "theirs": "background:#b3261e;color:#ffffff;font-weight:bold",
    "land": "background:#e6d9b2;color:#e6d9b2",
}


def _span(mark: str, kind: str) -> str:
    return f'<span class="{kind}" style="{INK[kind]}">{mark}</span>'


def _lines(value: str) -> list[str]:
    return value.split("\n")


FILTERS: dict[str, Callable[..., Any]] = {
    "wrap": layout.wrap,
    "table": layout.table,
    "ends": layout.ends,
    "hexes": layout.hexes,
    "date": layout.date,
    "local": layout.local,
    "until": layout.until,
    "told": told,
    "reason": reason,
    "coloured": coloured,
    "because": because,
    "news": news,
    "passages": passages,
    "log": log,
    "outcome": outcome,
    "maybe": maybe,
    "age": age,
    "words": words,
    "cells": cells,
    "offers": offers,
    "remark": remark,
    "choice": choice,
    "facts": facts,
    "flow": layout.flow,
    "caret": caret,
    "lines": _lines,
}
