"""The word RUN in a set of orders: turns that a side agrees to have run one after the other."""

from __future__ import annotations

from orders.canon import Fault
from orders.model import OrderSet
from orders.reading import Reading, locate
from pbem.dice.sources import STRICT

WORD = "RUN"


def turns_of(orders: OrderSet) -> int:
    """How many turns a set agrees to run: 1 without the word."""
    return int(orders.words.get(WORD, "1"))


def ahead_of(orders: OrderSet) -> int:
    """How many windows a set reaches beyond its own."""
    return turns_of(orders) - 1


def judged(reading: Reading, dice_mode: str) -> Reading:
    """The reading without a RUN that cannot be: in `strict` games links are opened behind the
    lock of each window, and a link opened for a later one would let its dice be foreseen."""
    from msgspec.structs import replace

    if dice_mode != STRICT or ahead_of(reading.orders) < 1:
        return reading
    tokens = reading.unit.tokens
    at = next(t for t in tokens[reading.body :] if t.text == WORD)
    text = "turns do not run on in a game of strict dice: each window's links wait for its lock"
    fault = Fault("no-run", text, at.span, "leave RUN away; 'turn N' orders are kept all the same")
    words = {word: value for word, value in reading.orders.words.items() if word != WORD}
    return replace(
        reading,
        orders=replace(reading.orders, words=words),
        diagnostics=(*reading.diagnostics, locate(reading.unit, fault)),
    )


def note(turns: int, window: int) -> str:
    """What RUN will do, for the receipt."""
    if turns == 1:
        return "the next turn waits for your orders"
    return (
        f"windows {window} to {window + turns - 1} are run without further orders of yours, if "
        "all sides agree to as many, until something happens that all are told"
    )
