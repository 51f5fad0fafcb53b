"""Renders reports, receipts and notes as the text and HTML that are mailed.

Pure functions: JSON data in, strings out. A page is made from `report.json` or from the receipt
alone, so that it cannot contain anything that its reader may not know; what a mail adds is typed
(`pbem.reports.mailed`). Jinja is loaded when the
first page is rendered, not when this module is imported.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING

from msgspec import Struct

from pbem.model import Plain
from pbem.reports import wording
from pbem.reports.filters import PURE, because
from pbem.reports.mailed import ALONE, Mailed, shown
from pbem.reports.order_form import header, offers, ready, remark, suggested
from pbem.reports.wording import folder_of
from pbem.text import layout

if TYPE_CHECKING:
    from jinja2 import Environment, Template
    from jinja2.environment import TemplateModule

PAGES = ("report.txt", "report.html", "body.txt", "body.html", "lib.txt", "lib.html")
"""The templates of a report, in templates/base."""
LONGEST_LINK = 1500
"""Characters of orders that a `mailto:` link contains at most; mail programs cut links of a few
thousand characters."""


class Pages(Struct, frozen=True):
    """A report in the forms in which it is mailed."""

    text: str
    html: str
    form: str
    """The order form; empty if the report does not ask for orders."""


def pages(report: Plain, encoded: bytes, mailed: Mailed = ALONE) -> Pages:
    """Text, HTML and order form of a report, with what its mail adds.

    encoded: the report's canonical JSON; one look at it tells whether any string needs cleaning.

    Raises TypeError if the report contains anything but JSON data, jinja2.UndefinedError if a
    template uses a field that the report does not have.
    """
    if not mailed.earlier and layout.is_plain(encoded, report["form"].count("\n")):
        plain = marked = shown(report, mailed)
    else:
        plain, marked = _cleaned(shown(report, mailed))
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


def text(report: Plain, mailed: Mailed = ALONE) -> str:
    """The whole report as ASCII text of 72 columns. Raises what `pages` raises."""
    plain = layout.clean(shown(report, mailed), layout.ascii_fold)
    with _rows(plain) as rows:
        return _text(plain, _form(plain), rows)


def html(report: Plain, mailed: Mailed = ALONE) -> str:
    """The whole report as an HTML mail, under 90 kB, with everything escaped.

    Its layout is tables with inline styles, which mail programs render alike.
    """
    marked = layout.clean(shown(report, mailed), layout.printable)
    with _rows(marked) as rows:
        return _html(marked, form(report), rows)


def _text(plain: Plain, orders: str, rows: TemplateModule | None) -> str:
    page = (
        templates().get_template("base/report.txt.j2").render(report=plain, form=orders, rows=rows)
    )
    return layout.tidy(layout.ascii_lines(page))


def _html(plain: Plain, orders: str, rows: TemplateModule | None) -> str:
    page = templates().get_template("base/report.html.j2")
    link, said = answer_link(plain, orders, plain.get("reply", "")), preheader(plain)
    made = page.render(report=plain, form=orders, rows=rows, preheader=said, answer=link)
    return layout.mailable(made)


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


def public(report: Plain, mailed: Mailed = ALONE) -> tuple[str, str]:
    """The spectators' report as ASCII text of 72 columns and as an HTML mail."""
    report = shown(report, mailed)
    plain = layout.clean(report, layout.ascii_fold)
    page = templates().get_template("base/public.txt.j2").render(report=plain)
    marked = layout.clean(report, layout.printable)
    markup = templates().get_template("base/public.html.j2")
    made = markup.render(report=marked, preheader=preheader(plain))
    return layout.tidy(layout.ascii_lines(page)), layout.mailable(made)


def answer_link(report: Plain, orders: str, reply: str) -> str:
    """A `mailto:` link (RFC 6068) that opens a mail with orders to the referee.

    Its body is the set of the form, without the remarks before it; if that is too long for mail
    programs, only the header. reply: the address; empty, like a form, gives no link.
    """
    from urllib.parse import quote

    if not orders or not reply:
        return ""
    block = orders[orders.index("BEGIN ORDERS") :]
    if len(block) > LONGEST_LINK:
        block = f"BEGIN ORDERS\n{header(report)}\n[your orders]\nEND ORDERS\n"
    about = f"{report['game']} window {report['window']}: orders"
    said = {"subject": about, "body": block.replace("\n", "\r\n")}
    fields = "&".join(f"{key}={quote(text, safe='')}" for key, text in said.items())
    return f"mailto:{quote(reply, safe='@+')}?{fields}"


def receipt(receipt: Plain) -> str:
    """A receipt (pbem-receipt/1) as ASCII text of 72 columns."""
    plain = layout.clean(receipt, layout.ascii_fold)
    page = templates().get_template("base/receipt.txt.j2").render(receipt=plain)
    return layout.tidy(layout.ascii_lines(page))


def receipt_page(receipt: Plain, answer: str = "") -> str:
    """A receipt as an HTML mail. answer: the link by which orders are changed; may be empty."""
    marked = layout.clean(receipt, layout.printable)
    page = templates().get_template("base/receipt.html.j2")
    return layout.mailable(page.render(receipt=marked, act=answer))


def reminder(report: Plain, lead: str, late: str, mailed: Mailed = ALONE) -> str:
    """The page of a reminder. report: of the open window; lead: what is missing; late: what happens
    if nothing comes."""
    marked = layout.clean(shown(report, mailed), layout.printable)
    page = templates().get_template("base/reminder.html.j2")
    act = answer_link(marked, form(report), mailed.reply)
    said = page.render(report=marked, preheader=preheader(marked), lead=lead, late=late, act=act)
    return layout.mailable(said)


def lock(lock: Plain, owed: bool, tz: str = "") -> str:
    """A lock notice (pbem-lock/1) as ASCII text. owed: whether the side still has to reveal its
    link; tz: the zone of its times."""
    page = templates().get_template("base/lock.txt.j2").render(lock=lock, owed=owed, tz=tz)
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

    plain = layout.clean(shown(report), layout.printable if markup else layout.ascii_fold)
    box = sandbox(FILTERS, markup)
    with _rows(plain) as rows:
        page = box.from_string(source).render(report=plain, form=_form(plain), rows=rows)
    return page if markup else layout.tidy(layout.ascii_lines(page))


def preheader(report: Plain) -> str:
    """The line that mail programs show beside the subject: until when to answer, and what waits."""
    if report.get("result"):
        return layout.printable(because(report["result"])[:199])
    asked = len(report.get("questions", ()))
    said = [f"{layout.counted(asked, 'question')}{'s' if asked > 1 else ''} to decide."]
    due = layout.when(report["deadline"], report.get("tz", ""), report.get("dates", ""))
    return " ".join([f"Orders by {due}."] * bool(due) + said * bool(asked)) or "Your report."


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


def _form(plain: Plain) -> str:
    """`form` of a report whose strings are clean."""
    if plain.get("result") or plain.get("run", {}).get("why") == "on":
        return ""
    page = templates().get_template("base/form.txt.j2")
    return layout.tidy(page.render(report=plain, header=header(plain), orders=suggested(plain)))


def owns(report: Plain, page: str) -> bool:
    """Whether the report's system has a template of that name of its own."""
    from jinja2 import TemplateNotFound

    try:
        templates().get_template(f"{folder_of(report)}/{page}")
    except TemplateNotFound:
        return False
    return True


# The filters of every template: templates/README.md says what each does.
FILTERS: dict[str, Callable[..., object]] = PURE | {
    "told": wording.told,
    "said": wording.said,
    "brief": wording.opening,
    "reason": wording.reason,
    "lead": wording.lead,
    "news": wording.news,
    "log": wording.log,
    "uneventful": wording.uneventful,
    "rest": wording.rest,
    "more": wording.more,
    "gathered": wording.gathered,
    "reasons": wording.reasons,
    "passages": wording.passages,
    "chapters": wording.chapters,
    "weighed": wording.weighed,
    "outline": wording.outline,
    "grouped": wording.grouped,
    "folder": folder_of,
    "owns": owns,
    "ready": ready,
    "offers": offers,
    "remark": remark,
}
