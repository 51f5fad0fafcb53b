"""Renders reports, receipts and notes as the text and HTML that are mailed.

Pure functions: JSON data in, strings out. A page is made from `report.json` or from the receipt
alone, so that it cannot contain anything that its reader may not know. Jinja is loaded when the
first page is rendered, not when this module is imported.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING

from msgspec import Struct

from pbem.data import folder
from pbem.model import Plain
from pbem.reports.headline import because, outcome, owing
from pbem.reports.order_form import header, offers, remark, suggested
from pbem.text import layout

if TYPE_CHECKING:
    from jinja2 import Environment, Template
    from jinja2.environment import TemplateModule
    from markupsafe import Markup

PAGES = ("report.txt", "report.html", "body.txt", "body.html", "lib.txt", "lib.html")
"""The templates of a report, in templates/base."""
LONGEST_LINK = 1500
"""Characters of orders that a `mailto:` link contains at most; mail programs cut links of a few
thousand characters."""


def events(system: str, events: Sequence[Plain]) -> list[str]:
    """A sentence for each event (JSON data), by the macro of its kind in SYSTEM/events.j2.

    Raises KeyError, naming the kind, if there is no macro for it.
    """
    words = _macros(f"{system}/events.j2")
    for event in events:
        if event["kind"] not in words:
            raise KeyError(f"templates/{system}/events.j2 has no macro {event['kind']}")
    return [_flat(words[e["kind"]], e) for e in events]


def questions(system: str, questions: Sequence[Plain]) -> list[str]:
    """The prompt of each question (JSON data), by the macro of its kind in SYSTEM/questions.j2;
    without such a macro, the question's `about`."""
    words = _macros(f"{system}/questions.j2")
    return [
        _flat(words[q["kind"]], q) if q["kind"] in words else layout.ascii_fold(str(q["about"]))
        for q in questions
    ]


class Pages(Struct, frozen=True):
    """A report in the forms in which it is mailed."""

    text: str
    html: str
    form: str
    """The order form; empty if the report does not ask for orders."""


def pages(report: Plain, encoded: bytes) -> Pages:
    """Text, HTML and order form of a report.

    encoded: the report's canonical JSON; one look at it tells whether any string needs cleaning.

    Raises TypeError if the report contains anything but JSON data, jinja2.UndefinedError if a
    template uses a field that the report does not have.
    """
    if "earlier" not in report and layout.is_plain(encoded, report["form"].count("\n")):
        plain = marked = report
    else:
        plain, marked = _cleaned(report)
    orders = _form(plain)
    with _rows(plain) as rows:
        text = _text(plain, orders, rows)
        if marked is plain:
            return Pages(text, _html(marked, orders, rows), orders)
    with _rows(marked) as rows:
        return Pages(text, _html(marked, orders, rows), orders)


def _cleaned(report: Plain) -> tuple[Plain, Plain]:
    """A report, with the earlier ones of its run, for text and for HTML."""
    earlier = [_cleaned(one) for one in report.get("earlier", ())]
    bare = {key: value for key, value in report.items() if key != "earlier"}
    text, markup = layout.cleaned(bare, layout.ascii_fold, layout.printable)
    if not earlier:
        return text, markup
    texts, markups = zip(*earlier, strict=True)
    return {**text, "earlier": texts}, {**markup, "earlier": markups}


def form(report: Plain) -> str:
    """The order form of a report, in ASCII, with a newline at the end.

    Sent unedited, it is a valid set. Empty after the end of the game and in a window that a run
    closes without orders. If the report has no `digest` yet, the header has no field `report`.
    """
    return _form(layout.clean(report, layout.ascii_fold))


def text(report: Plain) -> str:
    """The whole report as ASCII text of 72 columns. Raises what `pages` raises."""
    plain = layout.clean(report, layout.ascii_fold)
    with _rows(plain) as rows:
        return _text(plain, _form(plain), rows)


def html(report: Plain) -> str:
    """The whole report as an HTML mail, under 90 kB, with everything escaped.

    Its layout is tables with inline styles, which mail programs render alike.
    """
    marked = layout.clean(report, layout.printable)
    with _rows(marked) as rows:
        return _html(marked, form(report), rows)


def _text(plain: Plain, orders: str, rows: TemplateModule | None) -> str:
    page = (
        templates().get_template("base/report.txt.j2").render(report=plain, form=orders, rows=rows)
    )
    return layout.tidy(layout.ascii_lines(page))


def _html(plain: Plain, orders: str, rows: TemplateModule | None) -> str:
    page = templates().get_template("base/report.html.j2")
    link, said = answer_link(plain, orders), preheader(plain)
    return page.render(report=plain, form=orders, rows=rows, preheader=said, answer=link)


@contextmanager
def _rows(plain: Plain) -> Iterator[TemplateModule | None]:
    """The tables of a system's pages, from SYSTEM/rows.j2; None if the system has no such file.

    They are made once and used in both text and HTML. At the end their context is emptied, as it
    and its macros hold each other: the whole report would wait for the garbage collector.
    """
    template = _tables(folder_of(plain))
    if template is None:
        yield None
        return
    from jinja2.environment import TemplateModule

    context = template.new_context({"report": plain})
    try:
        yield TemplateModule(template, context)
    finally:
        context.vars.clear()


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
    """A `mailto:` link (RFC 6068) that opens a mail with orders to the referee.

    Its body is the set of the form, without the remarks before it; if that is too long for mail
    programs, only the header. Empty if there is no form, or if the report has no `reply`: the
    caller that composes the mail adds this address to the report.
    """
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
    """A lock notice (pbem-lock/1) as ASCII text. owed: whether the side still has to reveal its
    link."""
    page = templates().get_template("base/lock.txt.j2").render(lock=lock, owed=owed)
    return layout.tidy(layout.ascii_lines(page))


def encrypted(mail: Plain) -> tuple[str, str]:
    """The readable part of an encrypted mail, as text and as HTML: how to decrypt the rest.

    mail: `game`, `side`, `kind`, `window`, and `order_page` if there is one. It must not contain
    anything from the encrypted part.
    """
    said = layout.tidy(templates().get_template("base/encrypted.txt.j2").render(mail=mail))
    return said, templates().get_template("base/encrypted.html.j2").render(mail=mail)


def note(note: Plain) -> str:
    """A note (pbem-note/1) as ASCII text."""
    return layout.tidy(layout.ascii_lines(f"{note['subject']}\n\n{note['text']}"), hang="")


def own(source: str, report: Plain, markup: bool = False) -> str:
    """A report in a layout that the moderator wrote. source: the template; markup: it is HTML.

    The template runs in a sandbox and gets what our own templates get. Raises jinja2.TemplateError
    if it does not parse or if it tries to leave the sandbox.
    """
    from pbem.text.jinja_env import sandbox

    plain = layout.clean(report, layout.printable if markup else layout.ascii_fold)
    box = sandbox(FILTERS, markup)
    with _rows(plain) as rows:
        page = box.from_string(source).render(report=plain, form=_form(plain), rows=rows)
    return page if markup else layout.tidy(layout.ascii_lines(page))


def preheader(report: Plain) -> str:
    """The line that mail programs show beside the subject: the first news, and the deadline."""
    said = because(report["result"]) if report.get("result") else next(map(told, news(report)), "")
    due = f"Orders due {layout.date(report['deadline'])}." if report["deadline"] else ""
    return layout.printable(f"{said[: 199 - len(due)]} {due}").strip()


def prepare() -> None:
    """Load the templates that every window needs; call it before forking, so that child processes
    share them."""
    for name in (*PAGES, "form.txt", "receipt.txt"):
        templates().get_template(f"base/{name}.j2")


@cache
def templates() -> Environment:
    """The Jinja environment, made on the first call."""
    from pbem.text.jinja_env import environment

    return environment(FILTERS)


@cache
def _macros(name: str) -> dict[str, Callable[[Plain], str]]:
    """The public macros of a template by name; empty if there is no such template."""
    from jinja2 import TemplateNotFound

    try:
        module = templates().get_template(name).module
    except TemplateNotFound:
        return {}
    return {k: v for k, v in vars(module).items() if not k.startswith("_") and callable(v)}


def _flat(macro: Callable[[Plain], str], data: Plain) -> str:
    """The text of a macro as one line of ASCII."""
    return " ".join(macro(layout.clean(dict(data), layout.ascii_fold)).split())


def _form(plain: Plain) -> str:
    """`form` of a report whose strings are clean."""
    if plain.get("result") or plain.get("run", {}).get("why") == "on":
        return ""
    page = templates().get_template("base/form.txt.j2")
    return layout.tidy(page.render(report=plain, header=header(plain), orders=suggested(plain)))


def reason(event: Plain) -> str:
    """Why an event happened, and its rule: `rolled 3, holds on 1-4 (8.15)`."""
    rule = f"({event['rule']})" if event.get("rule") else ""
    return f"{event.get('why', '')} {rule}".strip()


def told(event: Plain) -> str:
    """An event as a sentence with its reason: `EN7 is held: rolled 3, holds on 1-4 (8.15).`"""
    why = (": " if event.get("why") else " ") + reason(event)
    said = f"{event['text'].rstrip('.')}{why.rstrip()}"
    return said if said.endswith(("!", "?")) else said + "."


@cache
def _kinds(system: str, which: str) -> frozenset[str]:
    """The kinds of event that SYSTEM/events.j2 lists under a name.

    which: `routine` (own moves, for the log), `opens` or `closes` (kinds that begin or end a
    passage, as a battle).
    """
    from jinja2 import TemplateNotFound

    try:
        module = templates().get_template(f"{system}/events.j2").module
    except TemplateNotFound:
        return frozenset()
    return frozenset(getattr(module, which, ()))


def folder_of(report: Plain) -> str:
    """The folder of templates of the edition that a report is of."""
    return folder(report["system"], report.get("edition", ""))


def news(report: Plain) -> list[Plain]:
    """The events that are not routine, in the order told."""
    routine = _kinds(folder_of(report), "routine")
    return [e for e in report["events"] if e["kind"] not in routine]


def log(report: Plain) -> list[Plain]:
    """The routine events of the turn, in the order told."""
    routine = _kinds(folder_of(report), "routine")
    return [e for e in report["events"] if e["kind"] in routine]


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


def maybe(data: Plain, key: str) -> object:
    """The value of a key, empty if there is no such key: templates reject unknown keys."""
    return data.get(key, "")


def together(lines: Sequence[str]) -> list[str]:
    """Order lines, those that follow each other and are for the same actor and time as one."""
    found: list[str] = []
    for line in lines:
        head, colon, said = line.partition(": ")
        if found and colon and found[-1].startswith(f"{head}: "):
            found[-1] += f" {said}"
        else:
            found.append(line)
    return found


def age(turns: int) -> str:
    """The age of a sighting: `now`, `1 turn`, `5 turns`."""
    return "now" if turns == 0 else "1 turn" if turns == 1 else f"{turns} turns"


def words(value: object) -> str:
    """A value of an order as orders write it: a list as its words."""
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


def facts(items: Iterable[Plain]) -> list[str]:
    """Each fact as `Visibility 4 (good)`: name and value; the name may be empty."""
    return [f"{f['name']} {f['value']}".strip() for f in items]


def choice(q: Plain) -> str:
    """How to answer a question: `Choose A, B or C; write "Q1: A;". Without an answer: A.`"""
    names = [str(c) for c in q["choices"]]
    listed = ", ".join(names[:-1]) + (" or " if names[1:] else "") + "".join(names[-1:])
    default = words(q["default"])
    pick = f"Choose {listed}; write" if names else "Write"
    silent = f" Without an answer: {default}." if default else ""
    return f'{pick} "{q["id"]}: {names[0] if names else "..."};".{silent}'


def cells(
    items: Iterable[Plain], keys: Sequence[str], below: Sequence[str] = ()
) -> list[list[str]]:
    """The rows of a table, a column for each key; `ships/name` means the first key with a value.

    below: keys whose text, or list of texts, follows as lines under the row.
    """
    return [[*(_cell(i, key) for key in keys), *_below(i, below)] for i in items]


def _below(item: Plain, keys: Sequence[str]) -> list[str]:
    """The texts under a row, from several keys."""
    found = [item.get(key) or () for key in keys]
    return [line for value in found for line in ([value] if isinstance(value, str) else value)]


def _cell(item: Plain, key: str) -> str:
    """The text of a cell; empty if no key of `key` has a value."""
    for name in key.split("/"):
        if item.get(name) not in (None, ""):
            value = item[name]
            return age(value) if name == "age" else _listed(value)
    return ""


def _listed(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def caret(problem: Plain) -> str:
    """The sender's line with marks under the place of a problem, indented by four."""
    line, marks = layout.caret(problem["line"], problem["from"], problem["length"])
    return f"    {line}\n    {marks}"


def coloured(chart: Plain) -> Markup:
    """A chart in characters as HTML: escaped, with own marks, enemy marks and land in colour.

    chart: `rows`, and the marks in `own` and `foe`. A mark that ends in a digit does not match
    within a longer number; longer marks are tried first.
    """
    import re

    from markupsafe import Markup, escape

    kinds = dict.fromkeys(chart.get("own", ()), "ours")
    kinds |= dict.fromkeys(chart.get("foe", ()), "theirs")
    text = str(escape("\n".join(chart["rows"])))
    marks = [re.escape(str(escape(mark))) for mark in sorted(kinds, key=len, reverse=True)]
    ends = [rf"{mark}(?!\d)" if mark[-1].isdigit() else mark for mark in marks]
    pattern = "|".join([*ends, "#+"])
    return Markup(re.sub(pattern, lambda m: _span(m[0], kinds.get(m[0], "land")), text))


INK = {  # background and text: land covers its own letters
    "ours": "background:#173f73;color:#ffffff;font-weight:bold",
    "theirs": "background:#b3261e;color:#ffffff;font-weight:bold",
    "land": "background:#e6d9b2;color:#e6d9b2",
}


def _span(mark: str, kind: str) -> str:
    return f'<span class="{kind}" style="{INK[kind]}">{mark}</span>'


def _lines(value: str) -> list[str]:
    return value.split("\n")


# The filters of every template: templates/README.md says what each does.
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
    "folder": folder_of,
    "coloured": coloured,
    "because": because,
    "news": news,
    "passages": passages,
    "log": log,
    "outcome": outcome,
    "owing": owing,
    "maybe": maybe,
    "age": age,
    "together": together,
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
