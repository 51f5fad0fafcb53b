"""A side's report or receipt, as plain data, to the text and HTML that are mailed.

Everything here is made of `report.json` or the receipt alone: pure functions, the JSON data that
templates see in, strings out. Jinja is loaded by the first page, not by the import.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from pbem.model import Plain
from pbem.reports.headline import because, outcome
from pbem.reports.order_form import header, offers, remark, suggested
from pbem.text import layout

if TYPE_CHECKING:
    from jinja2 import Environment, Template
    from jinja2.environment import TemplateModule
    from markupsafe import Markup

PAGES = ("report.txt", "report.html", "body.txt", "body.html", "lib.txt", "lib.html")
"""Templates of a report."""
LONGEST_LINK = 1500
"""Characters of a form that a link may hold: mail programs cut links of a few thousand."""


def events(system: str, events: Sequence[Plain]) -> list[str]:
    """Each event worded by the macro of its kind in templates/<system>/events.j2.

    Raises KeyError, naming the kind, where there is no macro for it.
    """
    words = _macros(f"{system}/events.j2")
    for event in events:
        if event["kind"] not in words:
            raise KeyError(f"templates/{system}/events.j2 has no macro {event['kind']}")
    return [_flat(words[e["kind"]], e) for e in events]


def questions(system: str, questions: Sequence[Plain]) -> list[str]:
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


def pages(report: Plain, encoded: bytes) -> Pages:
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


def form(report: Plain) -> str:
    """The order form of a report; sent unedited it is a valid set. ASCII, last newline included.
    Empty after the end, and of a window that runs on without orders.

    Without `digest` (while the report is still being made) the header's `report` is left out.
    """
    return _form(layout.clean(report, layout.ascii_fold))


def text(report: Plain) -> str:
    """The report as ASCII text of 72 columns that stands alone. Raises as `pages`."""
    plain = layout.clean(report, layout.ascii_fold)
    return _text(plain, _form(plain), _rows(plain))


def html(report: Plain) -> str:
    """The report as an HTML mail: tables, styles inline, under 90 kB, everything escaped."""
    marked = layout.clean(report, layout.printable)
    return _html(marked, form(report), _rows(marked))


def _text(plain: Plain, orders: str, rows: TemplateModule | None) -> str:
    page = (
        templates().get_template("base/report.txt.j2").render(report=plain, form=orders, rows=rows)
    )
    return layout.tidy(layout.ascii_lines(page))


def _html(plain: Plain, orders: str, rows: TemplateModule | None) -> str:
    page = templates().get_template("base/report.html.j2")
    link, said = answer_link(plain, orders), preheader(plain)
    return page.render(report=plain, form=orders, rows=rows, preheader=said, answer=link)


def _rows(plain: Plain) -> TemplateModule | None:
    """The tables of a system's pages as templates/<system>/rows.j2 sets them, made once for text
    and HTML; None where it has no such file."""
    template = _tables(plain["system"])
    return template.make_module({"report": plain}) if template else None


@cache
def _tables(system: str) -> Template | None:
    from jinja2 import TemplateNotFound

    try:
        return templates().get_template(f"{system}/rows.j2")
    except TemplateNotFound:
        return None


def public(report: Plain) -> tuple[str, str]:
    """The spectators' report as ASCII text of 72 columns and as an HTML mail."""
    plain = layout.clean(report, layout.ascii_fold)
    page = templates().get_template("base/public.txt.j2").render(report=plain)
    marked = layout.clean(report, layout.printable)
    markup = templates().get_template("base/public.html.j2")
    shown = markup.render(report=marked, preheader=preheader(plain))
    return layout.tidy(layout.ascii_lines(page)), shown


def answer_link(report: Plain, orders: str) -> str:
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


def receipt(receipt: Plain) -> str:
    """A receipt (pbem-receipt/1) as ASCII text of 72 columns."""
    plain = layout.clean(receipt, layout.ascii_fold)
    page = templates().get_template("base/receipt.txt.j2").render(receipt=plain)
    return layout.tidy(layout.ascii_lines(page))


def lock(lock: Plain, owed: bool) -> str:
    """A lock notice (pbem-lock/1) as ASCII text. owed: whether the side's link is awaited."""
    page = templates().get_template("base/lock.txt.j2").render(lock=lock, owed=owed)
    return layout.tidy(layout.ascii_lines(page))


def encrypted(mail: Plain) -> tuple[str, str]:
    """What stands before an encrypted mail, as text and as HTML. mail: `game` `side` `kind`
    `window`, `order_page` where there is one, and nothing of what is in it."""
    said = layout.tidy(templates().get_template("base/encrypted.txt.j2").render(mail=mail))
    return said, templates().get_template("base/encrypted.html.j2").render(mail=mail)


def note(note: Plain) -> str:
    """A note (pbem-note/1) as it is read."""
    return layout.tidy(layout.ascii_lines(f"{note['subject']}\n\n{note['text']}"), hang="")


def own(source: str, report: Plain, markup: bool = False) -> str:
    """A layout that a moderator wrote, in a sandbox; it sees what our own pages see.

    Raises jinja2.TemplateError for a layout that does not parse or reaches outside.
    """
    from pbem.text.jinja_env import sandbox

    plain = layout.clean(report, layout.printable if markup else layout.ascii_fold)
    box = sandbox(FILTERS, markup)
    page = box.from_string(source).render(report=plain, form=_form(plain), rows=_rows(plain))
    return page if markup else layout.tidy(layout.ascii_lines(page))


def preheader(report: Plain) -> str:
    """The line that mail programs show beside the subject."""
    said = because(report["result"]) if report.get("result") else next(map(told, news(report)), "")
    due = f"Orders due {layout.date(report['deadline'])}." if report["deadline"] else ""
    return layout.printable(f"{said[: 199 - len(due)]} {due}").strip()


def prepare() -> None:
    """Load the templates of every window before a process forks, once for all its children."""
    for name in (*PAGES, "form.txt", "receipt.txt"):
        templates().get_template(f"base/{name}.j2")


@cache
def templates() -> Environment:
    """The one environment, made when the first page is rendered."""
    from pbem.text.jinja_env import environment

    return environment(FILTERS)


@cache
def _macros(name: str) -> dict[str, Callable[[Plain], str]]:
    from jinja2 import TemplateNotFound

    try:
        module = templates().get_template(name).module
    except TemplateNotFound:
        return {}
    return {k: v for k, v in vars(module).items() if not k.startswith("_") and callable(v)}


def _flat(macro: Callable[[Plain], str], data: Plain) -> str:
    return " ".join(macro(layout.clean(dict(data), layout.ascii_fold)).split())


def _form(plain: Plain) -> str:
    if plain.get("result") or plain.get("run", {}).get("why") == "on":
        return ""
    page = templates().get_template("base/form.txt.j2")
    return layout.tidy(page.render(report=plain, header=header(plain), orders=suggested(plain)))


def reason(event: Plain) -> str:
    """Why an event came about, and its rule: `rolled 3, holds on 1-4 (8.15)`."""
    rule = f"({event['rule']})" if event.get("rule") else ""
    return f"{event.get('why', '')} {rule}".strip()


def told(event: Plain) -> str:
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


def news(report: Plain) -> list[Plain]:
    """The events that change the picture, in the order told."""
    return [e for e in report["events"] if e["kind"] not in _kinds(report["system"], "routine")]


def log(report: Plain) -> list[Plain]:
    """The routine of the turn, in the order told."""
    return [e for e in report["events"] if e["kind"] in _kinds(report["system"], "routine")]


def passages(events: Sequence[Plain], system: str) -> Iterator[Plain]:
    """Events with `head`, where one opens a passage (a battle, a round), and `gap`, where a
    passage begins or one has ended before it."""
    opens, closes = _kinds(system, "opens"), _kinds(system, "closes")
    last = ""
    for e in events:
        head = e["kind"] in opens
        yield {**e, "head": head, "gap": bool(last) and (head or last in closes)}
        last = e["kind"]


def maybe(data: Plain, key: str) -> object:
    """What a key holds, or nothing where there is no such key."""
    return data.get(key, "")


def age(turns: int) -> str:
    """`now`, `1 turn`, `5 turns`."""
    return "now" if turns == 0 else "1 turn" if turns == 1 else f"{turns} turns"


def words(value: object) -> str:
    """A value of an order as it is written: lists as words, names in capitals as they came."""
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


def facts(items: Iterable[Plain]) -> list[str]:
    """`Visibility 4 (good)`; a fact without a name is its value."""
    return [f"{f['name']} {f['value']}".strip() for f in items]


def choice(q: Plain) -> str:
    """How to answer: `Choose A, B or C; write "Q1: A;". Without an answer: A.`"""
    names = [str(c) for c in q["choices"]]
    listed = ", ".join(names[:-1]) + (" or " if names[1:] else "") + "".join(names[-1:])
    default = words(q["default"])
    pick = f"Choose {listed}; write" if names else "Write"
    silent = f" Without an answer: {default}." if default else ""
    return f'{pick} "{q["id"]}: {names[0] if names else "..."};".{silent}'


def cells(
    items: Iterable[Plain], keys: Sequence[str], below: Sequence[str] = ()
) -> list[list[str]]:
    """Rows of a table. A key `ships/name` takes the first that is there; `below`: keys whose
    text or list of texts stands under the last column."""
    return [[*(_cell(i, key) for key in keys), *_below(i, below)] for i in items]


def _below(item: Plain, keys: Sequence[str]) -> list[str]:
    found = [item.get(key) or () for key in keys]
    return [line for value in found for line in ([value] if isinstance(value, str) else value)]


def _cell(item: Plain, key: str) -> str:
    for name in key.split("/"):
        if item.get(name) not in (None, ""):
            value = item[name]
            return age(value) if name == "age" else _listed(value)
    return ""


def _listed(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def caret(problem: Plain) -> str:
    """The sender's line and the marks under the place, indented by four."""
    line, marks = layout.caret(problem["line"], problem["from"], problem["length"])
    return f"    {line}\n    {marks}"


def coloured(chart: Plain) -> Markup:
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


FILTERS: dict[str, Callable[..., object]] = {
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
