"""What most units, contacts and events of a report.json have in common, stated once in the file.

A ship of seventy differs from the others in few of her fields. The file states the usual value of
a field once, under `usual`. Where there are very many units it states those too that the units of
one type have in common, under `usual_by_type`. An item states a field only where its value is
neither: docs/formats.md, "Usual values". What scripts look for first stays in every item.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import msgspec
from msgspec import Struct

from pbem.model import Plain

LISTS = ("units", "contacts", "events")
"""The lists whose items are shortened."""
WHOLE = frozenset({"id", "name", "type", "place", "age", "kind", "text", "rule"})
"""Fields that every item states itself; of very many units not the kind."""
MANY = 100
"""From this many units on, a report also states what the units of one type have in common. Reports
with fewer keep the form, and so the digest, that they had before this was introduced."""
ALIKE = 3
"""How many items of a type must share a value for it to be stated once."""
Texts = Mapping[str, bytes]
"""Field to a value as it is compared: 1, 1.0 and true are three."""


class Usual(Struct, frozen=True):
    """The fields of a report that have usual values."""

    usual: dict[str, dict[str, object]] = {}
    """List to field to value."""
    usual_by_type: dict[str, dict[str, dict[str, object]]] = {}
    """List to type to field to value."""


def stated_once(report: Plain) -> dict[str, object]:
    """A report whose lists state usual values once. Equal reports come out equal: of equally
    frequent values the first is the usual one."""
    found: dict[str, object] = dict(report)
    usual: dict[str, dict[str, object]] = {}
    by_type: dict[str, dict[str, dict[str, object]]] = {}
    for name in LISTS:
        items = report.get(name)
        if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
            continue
        many = name == "units" and len(items) >= MANY
        texts = _texts(items, WHOLE - {"kind"} if many else WHOLE)
        common = _common(texts, 2)
        if common:
            usual[name] = _values(items, texts, common)
        types = _types(items, texts, common) if many else {}
        if types:
            by_type[name] = {
                kind: _values(items, texts, said) for kind, said in sorted(types.items())
            }
        if common or types:
            found[name] = [
                _without(item, said, {**common, **types.get(_type(item), {})})
                for item, said in zip(items, texts, strict=True)
            ]
    stated = {"usual": usual, "usual_by_type": by_type}
    return found | {key: value for key, value in stated.items() if value}


def _texts(items: Sequence[Plain], whole: frozenset[str]) -> list[Texts]:
    """The fields that every item has, so that a field is never put where none was."""
    if len(items) < 2:
        return [{} for _ in items]
    shared = sorted(set(items[0]).intersection(*items[1:]) - whole)
    return [
        {key: msgspec.json.encode(item[key], order="sorted") for key in shared} for item in items
    ]


def _common(texts: Sequence[Texts], least: int) -> dict[str, bytes]:
    """Field -> the value that most items have, of values that so many share at least."""
    found: dict[str, bytes] = {}
    for key in texts[0] if texts else ():
        ((text, count),) = Counter(said[key] for said in texts).most_common(1)
        if count >= least:
            found[key] = text
    return found


def _types(
    items: Sequence[Plain], texts: Sequence[Texts], common: Texts
) -> dict[str, dict[str, bytes]]:
    """Type -> what its items have in common that is not usual for all."""
    by: dict[str, list[Texts]] = {}
    for item, said in zip(items, texts, strict=True):
        if kind := _type(item):
            by.setdefault(kind, []).append(said)
    found = {
        kind: {k: v for k, v in _common(said, ALIKE).items() if v != common.get(k)}
        for kind, said in by.items()
        if len(said) >= ALIKE
    }
    return {kind: values for kind, values in found.items() if values}


def _type(item: Plain) -> str:
    """The type of an item; empty for none."""
    kind = item.get("type")
    return kind if isinstance(kind, str) else ""


def _values(items: Sequence[Plain], texts: Sequence[Texts], common: Texts) -> dict[str, object]:
    """Field -> the value behind its common text, taken from the first item that has it."""
    first = {
        key: next(i for i, said in enumerate(texts) if said[key] == common[key]) for key in common
    }
    return {key: items[at][key] for key, at in first.items()}


def _without(item: Plain, texts: Texts, usual: Texts) -> dict[str, object]:
    return {k: v for k, v in item.items() if k not in usual or texts[k] != usual[k]}


def stated_in_full(report: Plain) -> Plain:
    """The report with every field in every item again. Items share the usual values.

    Raises msgspec.ValidationError.
    """
    if "usual" not in report and "usual_by_type" not in report:
        return report
    lists = dict(_filled(report, msgspec.convert(report, Usual)))
    rest = {k: v for k, v in report.items() if k not in ("usual", "usual_by_type")}
    return rest | lists


def _filled(report: Plain, found: Usual) -> Iterator[tuple[str, list[dict[str, object]]]]:
    for name in dict.fromkeys((*found.usual, *found.usual_by_type)):
        values, types = found.usual.get(name, {}), found.usual_by_type.get(name, {})
        items = msgspec.convert(report.get(name), list[dict[str, object]])
        yield name, [{**values, **types.get(_type(item), {}), **item} for item in items]
