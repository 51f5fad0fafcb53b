"""What a rule system says of the other ways in which its bots can play."""

from __future__ import annotations

from msgspec import Struct

from pbem.inference.mind import Policy


class Style(Struct, frozen=True):
    """One such way. Its name is a word for `--bot`."""

    about: str
    """What such a bot does, in a few words."""
    orders: Policy
    """Its orders, as `System.bot_lines` gives those of the plain bot."""
