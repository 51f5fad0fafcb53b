"""A report.json says things once: its short form in the file, and its long form in the program.

Most units may be given the same orders. The file states each verb once, with its usual arguments,
and each list of orders once, as a block that units share: docs/formats.md, "Menu". The order form
is there as a text alone, and usual values of units once (`report_usual`). Everything that reads a
report (the order language, systems, bots, templates) gets the long form, a list of orders for each
unit, which was also the form of `pbem-report/1`.
"""

from collections import Counter
from collections.abc import Mapping

import msgspec
from msgspec import Struct

from pbem.base.report_usual import stated_in_full, stated_once
from pbem.model import MenuArg, Plain

SHORT = "pbem-report/2"
"""The format of reports that have the short form."""


class VerbArgs(Struct, frozen=True):
    """A verb of a report's `verbs`, as far as menus need it."""

    args: tuple[MenuArg, ...] = ()
    """Its arguments in most items of the menu."""


class ShortItem(Struct, frozen=True):
    """An order with arguments that are not the usual ones."""

    verb: str
    """The verb."""
    args: tuple[MenuArg, ...] = ()
    """The arguments in full; absent if they have the usual names and kinds."""
    values: tuple[tuple[object, ...], ...] = ()
    """Then the values of each."""


class ShortMenu(Struct, frozen=True):
    """The fields of a report that make up its menu."""

    menu: dict[str, str] = {}
    """Unit to the name of its block."""
    blocks: dict[str, list[str | ShortItem]] = {}
    """Name of a block to its orders: a verb with its usual arguments, or with others."""
    verbs: dict[str, VerbArgs] = {}
    """Verb to its usual arguments."""


def shortened(report: Plain) -> dict[str, object]:
    """A report in the short form. Equal reports have equal short forms."""
    if report.get("format") != SHORT:
        return dict(report)
    short = stated_once(_with_blocks(report))
    if "suggest" in short and short["suggest"] == _lines(report):
        del short["suggest"]
    return short


def _lines(report: Plain) -> list[str] | None:
    """The lines of the order form; None for a report without one."""
    form = report.get("form")
    return None if not isinstance(form, str) else form.split("\n") if form else []


def _with_blocks(report: Plain) -> dict[str, object]:
    """A report with its menu in the short form.

    Blocks are named b1, b2 ... in the order of their first units, which are sorted as in the file.
    The usual arguments of a verb are those of most units; of equally usual ones, the first.
    """
    if not report.get("menu"):
        return dict(report)
    menu = {unit: report["menu"][unit] for unit in sorted(report["menu"])}
    lists = {id(items): items for items in menu.values()}  # units share items, and lists of them
    once = {id(item): item for items in lists.values() for item in items}
    text = {key: msgspec.json.encode(item, order="sorted") for key, item in once.items()}
    usual = _usual(menu, lists, text)
    names: dict[tuple[bytes, ...], str] = {}
    blocks: dict[str, list[object]] = {}
    named: dict[int, str] = {}
    for key, items in lists.items():
        block = tuple(text[id(item)] for item in items)
        if block not in names:
            name = names[block] = f"b{len(names) + 1}"
            blocks[name] = [
                item["verb"] if said == text[id(usual[item["verb"]])] else _short(item, usual)
                for item, said in zip(items, block, strict=True)
            ]
        named[key] = names[block]
    units = {unit: named[id(items)] for unit, items in menu.items()}
    verbs = {v: {**told, "args": usual[v]["args"]} for v, told in report["verbs"].items()}
    return {**report, "menu": units, "blocks": blocks, "verbs": verbs}


def _short(item: Plain, usual: Mapping[str, Plain]) -> Plain:
    """An item by its values alone, if its arguments have the names and kinds of the usual ones."""
    args, others = item["args"], usual[item["verb"]]["args"]
    if args and [_but_values(arg) for arg in args] == [_but_values(arg) for arg in others]:
        return {"verb": item["verb"], "values": [arg["values"] for arg in args]}
    return item


def _but_values(arg: Plain) -> Plain:
    return {key: value for key, value in arg.items() if key != "values"}


def _usual(
    menu: Mapping[str, list[Plain]],
    lists: Mapping[int, list[Plain]],
    text: Mapping[int, bytes],
) -> dict[str, Plain]:
    """Verb -> its most frequent item. lists, text: the menu's lists, and the texts of its items, by
    identity."""
    units = Counter(map(id, menu.values()))
    one: dict[bytes, Plain] = {}
    count: Counter[bytes] = Counter()
    for key, items in lists.items():
        for item in items:
            said = text[id(item)]
            one[said] = item
            count[said] += units[key]
    usual: dict[str, Plain] = {}
    for said, _ in count.most_common():
        usual.setdefault(one[said]["verb"], one[said])
    return usual


def lengthened(report: Plain) -> Plain:
    """A report in the long form. Raises msgspec.ValidationError, which names the place."""
    if report.get("format") != SHORT:
        return report
    long = stated_in_full(_without_blocks(report))
    lines = _lines(long)
    return long if "suggest" in long or lines is None else {**long, "suggest": lines}


def _without_blocks(report: Plain) -> Plain:
    """A report with its menu in the long form; units of one block share its items.

    Raises msgspec.ValidationError, which names the place.
    """
    if "blocks" not in report:
        return report
    found = msgspec.convert(report, ShortMenu)
    told = report.get("verbs", {})
    usual = {verb: {"verb": verb, "args": told[verb].get("args", [])} for verb in found.verbs}
    blocks = {name: _items(name, items, usual) for name, items in report["blocks"].items()}
    for unit, name in found.menu.items():
        if name not in blocks:
            raise msgspec.ValidationError(f"There is no block `{name}` - at `$.menu.{unit}`")
    rest = {key: value for key, value in report.items() if key != "blocks"}
    menu = {unit: blocks[name] for unit, name in found.menu.items()}
    verbs = {verb: {k: v for k, v in told[verb].items() if k != "args"} for verb in found.verbs}
    return {**rest, "menu": menu, "verbs": verbs}


def _items(name: str, block: list[str | Plain], usual: Mapping[str, Plain]) -> list[Plain]:
    """The items of a block as JSON data. usual: verb -> its item with the usual arguments."""
    for entry in block:
        if isinstance(entry, str) and entry not in usual:
            raise msgspec.ValidationError(f"There is no verb `{entry}` - at `$.blocks.{name}`")
    return [usual[entry] if isinstance(entry, str) else _long(entry, usual) for entry in block]


def _long(item: Plain, usual: Mapping[str, Plain]) -> Plain:
    """An item with its arguments in full."""
    if "values" not in item:
        return item
    verb, values = item["verb"], item["values"]
    others = usual[verb]["args"] if verb in usual else []
    if len(others) != len(values):
        raise msgspec.ValidationError(f"`{verb}` has other arguments - at `$.blocks`")
    args = [{**arg, "values": own} for arg, own in zip(others, values, strict=True)]
    return {"verb": verb, "args": args}
