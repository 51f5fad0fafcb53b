"""The word RUN in a set of orders: how many turns a side agrees to run without further orders."""

from __future__ import annotations

from orders.canon import Fault
from orders.model import OrderSet
from orders.reading import Reading, locate
from pbem.dice.sources import STRICT

WORD = "RUN"


def turns_of(orders: OrderSet) -> int:
    """How many turns a set agrees to run; 1 if it does not contain the word."""
    return int(orders.words.get(WORD, "1"))


def ahead_of(orders: OrderSet) -> int:
    """How many windows after its own a set agrees to run."""
    return turns_of(orders) - 1


def without_strict_run(reading: Reading, dice_mode: str) -> Reading:
    """The reading without its RUN, and with a diagnostic, if the game's dice do not allow RUN.

    In `strict` games a link is revealed only after the lock of its window. A run has no such
    exchange, and revealing a later link in advance would let its dice be foreseen.
    """
    from msgspec.structs import replace

    if dice_mode != STRICT or ahead_of(reading.orders) < 1:
        return reading
    tokens = reading.unit.tokens
    at = next(t for t in tokens[reading.body :] if t.text == WORD)
    text = "RUN is not possible with strict dice: the links of each window wait for its lock"
    fault = Fault("no-run", text, at.span, "delete RUN; orders with 'turn N' stay valid")
    words = {word: value for word, value in reading.orders.words.items() if word != WORD}
    return replace(
        reading,
        orders=replace(reading.orders, words=words),
        diagnostics=(*reading.diagnostics, locate(reading.unit, fault)),
    )


def note(turns: int, window: int) -> str:
    """What RUN will do, for the receipt. window: the first window of the run."""
    if turns == 1:
        return "the next turn waits for your orders"
    return (
        f"windows {window} to {window + turns - 1} run without further orders from you, if all "
        "sides agree to as many, until something happens that all sides are told"
    )
