"""What most units, contacts and events of a report.json have in common, stated once in the file.

A ship of seventy differs from the others in few of her fields. The file states the usual value of
a field once, under `usual`, and the ship only where hers is another: docs/formats.md, "Usual
values". What scripts look for first stays in every item.
"""

from collections import Counter
from collections.abc import Iterator, Mapping

import msgspec
from msgspec import Struct

from pbem.model import Plain

LISTS = ("units", "contacts", "events")
"""The lists whose items are shortened."""
WHOLE = frozenset({"id", "name", "type", "place", "age", "kind", "text", "rule"})
"""Fields that every item states itself."""


class Usual(Struct, frozen=True):
    """The field of a report that has the usual values."""

    usual: dict[str, dict[str, object]]
    """List to field to value."""


def stated_once(report: Plain) -> dict[str, object]:
    """A report whose lists state usual values once. Equal reports come out equal: of equally
    frequent values the first is the usual one."""
    found: dict[str, object] = dict(report)
    usual: dict[str, dict[str, object]] = {}
    for name in LISTS:
        items = report.get(name)
        if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
            continue
        if common := _common(items):
            usual[name] = {key: value for key, (value, _) in common.items()}
            texts = {key: text for key, (_, text) in common.items()}
            found[name] = [_without(item, texts) for item in items]
    return found | ({"usual": usual} if usual else {})


def _common(items: list[Plain]) -> dict[str, tuple[object, bytes]]:
    """Field -> the value that most items have, and its text: of fields that every item has, so
    that a field is never put where none was, and of values that two items share at least."""
    if len(items) < 2:
        return {}
    shared = set(items[0]).intersection(*items[1:]) - WHOLE
    found: dict[str, tuple[object, bytes]] = {}
    for key in sorted(shared):
        texts = [_text(item[key]) for item in items]
        ((text, count),) = Counter(texts).most_common(1)
        if count > 1:
            found[key] = items[texts.index(text)][key], text
    return found


def _text(value: object) -> bytes:
    """A value as it is compared: 1, 1.0 and true are three."""
    return msgspec.json.encode(value, order="sorted")


def _without(item: Plain, usual: Mapping[str, bytes]) -> dict[str, object]:
    return {k: v for k, v in item.items() if k not in usual or _text(v) != usual[k]}


def stated_in_full(report: Plain) -> Plain:
    """The report with every field in every item again. Items share the usual values.

    Raises msgspec.ValidationError.
    """
    if "usual" not in report:
        return report
    lists = dict(_filled(report, msgspec.convert(report, Usual).usual))
    return {key: value for key, value in report.items() if key != "usual"} | lists


def _filled(
    report: Plain, usual: Mapping[str, Mapping[str, object]]
) -> Iterator[tuple[str, list[dict[str, object]]]]:
    for name, values in usual.items():
        items = msgspec.convert(report.get(name), list[dict[str, object]])
        yield name, [{**values, **item} for item in items]
