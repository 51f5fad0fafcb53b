"""How the players of a seat want their mail: set by mail (`SET`), kept in the ledger.

A time zone is kept with the addresses in `private/`, and the ledger has only its salted digest: it
says where somebody lives. A new player of a seat begins without preferences.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

import msgspec
from msgspec import Struct

from pbem.store.register import Register

Body = Literal["html", "text"]
Pictures = Literal["on", "off"]
Page = Literal["attached", "linked", "off"]
Dates = Literal["words", "iso"]
OFF = -1
MOST_HOURS = 240


class Preferences(Struct, frozen=True):
    """The preferences of a seat. Empty or None: as the game or the moderator has it."""

    mail: Body = "html"
    """`html`: reports come as text and as HTML; `text`: as text alone."""
    pictures: Pictures = "on"
    """Whether reports bring charts as pictures, in games that have them."""
    page: Page | None = None
    """How reports bring the order page, as far as the moderator offers it."""
    remind: int | None = None
    """Hours before a deadline at which the reminder comes; OFF: never."""
    dates: Dates = "words"
    """`words`: Fri 27 Nov 2026 21:00 CET; `iso`: 2026-11-27 21:00 CET."""


CHOICES: Mapping[str, tuple[str, ...]] = {
    "mail": get_args(Body),
    "pictures": get_args(Pictures),
    "page": get_args(Page),
    "dates": get_args(Dates),
}
"""Preference to its values; a time zone and hours are checked by themselves."""


def preferences_of(register: Register, seat: str) -> Preferences:
    """Return the preferences of a seat; a value that this release does not know is ignored."""
    kept = register.mail_state.preferences.get(seat, {})
    known = {name: kept[name] for name, values in CHOICES.items() if kept.get(name) in values}
    hours = {"remind": hours_of(kept["remind"])} if "remind" in kept else {}
    return msgspec.convert({**known, **hours}, Preferences)


def hours_of(text: str) -> int | None:
    """Return `12`, `12h` or `off` as hours, OFF for never; None for anything else."""
    number = text.removesuffix("h")
    if text == "off":
        return OFF
    valid = number.isascii() and number.isdigit() and len(number) < 4
    return int(number) if valid and 0 < int(number) <= MOST_HOURS else None
