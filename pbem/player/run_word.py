"""The words RUN and LINKS in a set of orders: how many turns a side agrees to run without further
orders, and of how many windows it gives the dice links."""

from __future__ import annotations

from orders.canon import Fault
from orders.model import OrderSet
from orders.reading import Reading, locate
from pbem.dice.sources import LINKED, STRICT

WORD = "RUN"
LINKS = "LINKS"


def turns_of(orders: OrderSet) -> int:
    """How many turns a set agrees to run; 1 if it does not contain the word."""
    return int(orders.words.get(WORD, "1"))


def ahead_of(orders: OrderSet) -> int:
    """How many windows after its own a set agrees to run."""
    return turns_of(orders) - 1


def links_of(orders: OrderSet) -> int:
    """Of how many windows, its own included, a set gives the links ahead by LINKS; 0 without."""
    return int(orders.words.get(LINKS, "0"))


def reach_of(orders: OrderSet) -> int:
    """How many windows after its own the link of a set reaches, by RUN or by LINKS."""
    return beyond(ahead_of(orders), links_of(orders))


def beyond(ahead: int, links: int) -> int:
    """The same, from the fields of a record."""
    return max(ahead, links - 1)


def without_strict_run(reading: Reading, dice_mode: str) -> Reading:
    """The reading without its RUN, and with a diagnostic, if the game's dice do not allow RUN.

    In `strict` games a link is revealed only after the lock of its window. A run has no such
    exchange, and revealing a later link in advance would let its dice be foreseen. A side may give
    its own links ahead (LINKS), but must not thereby have the orders of later windows fixed.
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


def links_note(links: int, window: int, dice_mode: str) -> str:
    """What LINKS will do, for the receipt. window: the one that the set is for."""
    if dice_mode not in LINKED:
        return "without effect: the dice of this game need no links"
    last = window + links - 1
    which = f"window {window}" if links == 1 else f"windows {window} to {last}"
    return f"the moderator has your dice links of {which} from now on; nothing takes them back"


def note(turns: int, window: int) -> str:
    """What RUN will do, for the receipt. window: the first window of the run."""
    if turns == 1:
        return "the next turn waits for your orders"
    return (
        f"windows {window} to {window + turns - 1} run without further orders from you, if all "
        "sides agree to as many, until something happens that all sides are told"
    )
