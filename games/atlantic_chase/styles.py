"""Other ways in which admirals can play."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from games.atlantic_chase.bot import orders_of
from games.atlantic_chase.bot_sea import Temper
from pbem.inference.style import Style
from pbem.model import Side

BOLD = Temper(worth=2, most=8, each=3, nerve=-2)
WARY = Temper(worth=-1, most=4, each=1, nerve=2)


def styles(side: Side) -> Mapping[str, Style]:
    """See System."""
    bold, wary = (partial(orders_of, side, temper=temper) for temper in (BOLD, WARY))
    return {
        "bold": Style("attacks more often, and stronger enemies", bold),
        "wary": Style("attacks seldom, and only the weak", wary),
    }
