"""Example orders: text files that a test judges by an example report.

`good/*.txt` are understood whole. `bad/*.txt` begin with `[ expect: CODE CODE ]`, the codes of what
is wrong with them. The report may be any whose menu offers the verbs:
`pbem report GAME SIDE --format json`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from orders.canon import decode, streams
from orders.diagnose import judge
from orders.parse import understand
from orders.vocabulary import Vocabulary
from pbem.base.report_menu import lengthened
from pbem.model import System

MARK = "[ expect:"


def codes(system: System, report: Path, orders: Path) -> list[str]:
    """The codes of what is wrong with an order file, sorted; empty if it is understood whole.

    orders: complete from BEGIN ORDERS to END ORDERS. report: a report.json of the side that writes.
    """
    seen = lengthened(json.loads(report.read_text("utf-8")))
    (unit,) = streams(decode(orders.read_bytes()), orders.name)
    reading = understand(unit, system.grammar, Vocabulary.of(seen, system.grammar))
    reading = judge(reading, seen, system.check, system.after, beside=system.contradicts)
    found = reading.refusals if reading.unit.faults else reading.diagnostics
    return sorted(one.code for one in found)


def expected(orders: Path) -> list[str]:
    """The codes that an order file expects in its first line, sorted; empty without such a line."""
    first = decode(orders.read_bytes()).splitlines()[0]
    return sorted(first.removeprefix(MARK).rstrip("] ").split()) if first.startswith(MARK) else []


def wrong(system: System, report: Path, folder: Path) -> Iterator[str]:
    """A sentence for each example in `folder`/good and `folder`/bad that is judged otherwise."""
    for path in sorted([*folder.glob("good/*.txt"), *folder.glob("bad/*.txt")]):
        found, should = codes(system, report, path), expected(path)
        if found != should:
            yield f"{path.name}: expected {should or 'no problem'}, found {found or 'no problem'}"
        if bool(should) != (path.parent.name == "bad"):
            yield f"{path.name}: only examples in bad/ expect problems"
