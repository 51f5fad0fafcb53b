"""Explicit orders that a rule forbids when their time comes: the owner reads which, and why.

What a side does by default stays silent, and so does an order to the whole side for those of its
units that cannot carry it out. Nobody else hears of it.
"""

from __future__ import annotations

from collections.abc import Collection

from msgspec import Struct, structs

from games.bismarck.events import OrderFailed
from orders.declare import declared
from pbem.model import Side, TableLike


def tell(table: TableLike, side: Side, order: Struct, why: str, rule: str, who: str = "") -> None:
    """Tell the owner. who: the unit's printed name, empty for an order to the side as a whole."""
    failed = OrderFailed(
        rule=rule,
        why=why,
        who=who or f"The {side.title()} player",
        verb=f"carry out '{quoted(order)}'",
    )
    table.tell([side], failed)


def quoted(order: Struct) -> str:
    """An order as it would be written, without what it leaves to the verb: `reinforce yes`."""
    kind = type(order)
    verb, usual = declared(kind), {f.name: f.default for f in structs.fields(kind)}
    words = [verb.name]
    for arg in verb.args:
        value = getattr(order, arg.name)
        if value != usual[arg.name]:
            listed = value if isinstance(value, tuple) else (value,)
            words += [arg.keyword, *map(str, listed)] if arg.keyword else map(str, listed)
    return " ".join(words)


def together(reasons: Collection[str]) -> str:
    """Several reasons as one; empty if there is none."""
    return "; ".join(dict.fromkeys(filter(None, reasons)))
