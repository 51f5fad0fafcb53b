"""The order language in a real browser, and what Python says of the same texts."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import msgspec
from playwright.sync_api import Browser, Page

from orders.canon import Unit, streams
from orders.diagnose import judge
from orders.parse import understand
from orders.reading import Reading
from orders.show import show, show_order
from orders.vocabulary import Vocabulary
from pbem.model import System
from pbem.player import in_force, reader
from pbem.player.role_orders import within_role
from pbem.web import order_language
from tests.orders import sea
from tests.reporting import whole

HTML = """<!doctype html><meta charset="utf-8"><title>t</title><script type="module">
{program}
window.orderPage = {{ speaker, canonical, block, headerText, sequence, signatureText, decode,
  streams, learnFolds, languageOf, placeShaped, zonesBetween, SYSTEMS }};
</script>"""
CANON = """(texts) => JSON.stringify(JSON.parse(texts).map((text) =>
  orderPage.streams(text).map((unit) => [unit.canonical,
  unit.signature && [...unit.signature].map((b) => b.toString(16).padStart(2, "0")).join(""),
  unit.armour, unit.faults.map((f) => [f.code, f.text, f.start, f.end, f.hint]),
  unit.comments.map((c) => [c.start, c.end]),
  unit.tokens.map((t) => [t.text, t.start, t.end])])))"""
CHECK = """([data, report, texts]) => {
  const spoken = orderPage.speaker(known.get(data), JSON.parse(report));
  return JSON.stringify(JSON.parse(texts).map((text) => spoken.check(text)),
    (key, value) => value === undefined ? null : value);
}"""
"""What goes in and comes out is text: taken apart by the driver it costs more than the work."""
LEFT = ("start", "end")
"""Fields that only the page has: positions as a text field counts them."""


class Sea(System):
    """The small order language of tests/orders, without a checker of its own."""

    name, title, edition = "sea", "Sea", "1"
    grammar = sea.GRAMMAR


class Tongue:
    """A web page with the order language of some systems, compared with that of Python."""

    def __init__(self, page: Page, systems: Sequence[System]) -> None:
        self.page, self.systems = page, {s.name: s for s in systems}
        self.data = order_language.data(systems)
        self.errors: list[str] = []
        self._known: dict[tuple[str, str], int] = {}
        page.on("pageerror", lambda e: self.errors.append(str(e)))
        page.on("console", lambda m: self.errors.append(m.text) if m.type == "error" else None)
        page.set_content(HTML.format(program=order_language.program(systems)))
        page.wait_for_function("window.orderPage")
        page.evaluate("(folds) => orderPage.learnFolds(folds)", self.data["fold"])

    def canon(self, texts: Sequence[str]) -> Any:
        """Units of each text as `units_of` gives them."""
        return json.loads(self.page.evaluate(CANON, json.dumps(texts)))

    def check(self, report: Mapping[str, Any], texts: Sequence[str]) -> Any:
        """The result of `speaker.check` for each text."""
        told = [self._data(report), json.dumps(report), json.dumps(texts)]
        return json.loads(self.page.evaluate(CHECK, told))

    def _data(self, report: Mapping[str, Any]) -> int:
        """The number by which the page knows the data of a report's system and set-up text."""
        setup = report.get("setup", {}).get("text")
        key = (report["system"] if setup else "", setup)
        if key not in self._known:
            number = self._known[key] = len(self._known)
            data = self.data
            if setup:
                data = order_language.data([self.systems[report["system"]]], setup)
            learn = "([n, data]) => (window.known ||= new Map()).set(n, JSON.parse(data)).size"
            self.page.evaluate(learn, [number, json.dumps(data)])
        return self._known[key]

    def agrees(self, report: Mapping[str, Any], texts: Sequence[str]) -> list[str]:
        """Assert that page and Python say the same of every text; return all codes."""
        codes = []
        system = self.systems[report["system"]]
        words = Vocabulary.of(report, system.grammar)
        for text, found in zip(texts, self.check(report, texts), strict=True):
            wanted = judged(system, report, text, words)
            if wanted is None:
                assert found["blocks"] != 1, text
                continue
            assert page_view(found) == wanted, text
            codes += [p["code"] for p in found["problems"]]
        assert self.errors == []
        return codes


@contextmanager
def speaking(browser: Browser, *systems: System) -> Iterator[Tongue]:
    context = browser.new_context(offline=True)
    yield Tongue(context.new_page(), systems)
    context.close()


def page_view(found: Mapping[str, Any]) -> dict[str, Any]:
    """The page's result without the fields that only the page has."""
    problems = [{k: v for k, v in p.items() if k not in LEFT} for p in found["problems"]]
    orders = [[o["text"], o["note"], o["order"]] for o in found["orders"]]
    same = (
        "refusals",
        "answers",
        "answerNotes",
        "cleared",
        "declared",
        "words",
        "lines",
        "without",
        "defaults",
        "standing",
        "thisTurn",
        "replaced",
        "header",
    )
    return {"problems": problems, "orders": orders, **{k: found[k] for k in same}}


def judged(
    system: System, report: Mapping[str, Any], text: str, words: Vocabulary
) -> dict[str, Any] | None:
    """Python's result in the same form; None unless the text has exactly one block."""
    units = streams(text)
    if len(units) != 1:
        return None
    read = understand(units[0], system.grammar, words)
    read = judge(read, report, system.check, system.after, beside=system.contradicts)
    reading = within_role(read, whole(report))
    found = [*reading.refusals, *reading.diagnostics]
    return {
        "problems": [msgspec.to_builtins(d) for d in found],
        "orders": _orders(system, reading),
        "refusals": len(reading.refusals),
        "answers": reading.orders.answers,
        "answerNotes": reader.answer_notes(whole(report), reading),
        "cleared": list(reading.orders.cleared),
        "declared": list(reading.declared),
        "words": reading.orders.words,
        "lines": show(reading.orders, system.grammar),
        "without": in_force.without_orders(system, whole(report), reading),
        "defaults": reader.defaults(whole(report), reading),
        "standing": in_force.lasting(system, whole(report), reading),
        "thisTurn": in_force.earlier(system, whole(report), reading).this_turn,
        "replaced": in_force.earlier(system, whole(report), reading).replaced,
        "header": msgspec.to_builtins(reading.header),
    }


def _orders(system: System, reading: Reading) -> list[list[Any]]:
    """Each order as text, its note, and the order itself without scales, which the page lacks."""
    found = []
    for order, seen in zip(reading.orders.orders, reading.seen, strict=True):
        raw = msgspec.json.decode(msgspec.json.encode(order))
        for test in raw["when"]["tests"] if raw["when"] else ():
            del test["scale"]
        found.append([show_order(order, system.grammar), system.note(order, seen), raw])
    return found


def units_of(text: str) -> list[Any]:
    """Python's units of a text, in the form of CANON."""
    return json.loads(json.dumps([_unit(unit) for unit in streams(text)]))  # type: ignore[no-any-return]


def _unit(unit: Unit) -> list[Any]:
    return [
        unit.canonical.decode("ascii"),
        None if unit.signature is None else unit.signature.hex(),
        unit.armour,
        [[f.code, f.text, f.span.start, f.span.end, f.hint] for f in unit.faults],
        [[c.start, c.end] for c in unit.comments],
        [[t.text, t.span.start, t.span.end] for t in unit.tokens],
    ]
