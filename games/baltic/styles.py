"""Other ways in which captains can play."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from games.baltic.bot import lines
from games.baltic.bot_helm import Manner
from pbem.inference.style import Style
from pbem.model import Side

BOLD = Manner(risk=0.8, pull=1.3)
WARY = Manner(risk=1.5, later=1.2, pull=0.8)


def styles(side: Side) -> Mapping[str, Style]:
    """See System."""
    bold, wary = (partial(lines, side, manner=manner) for manner in (BOLD, WARY))
    return {
        "bold": Style("closes in, and minds the enemy's fire less", bold),
        "wary": Style("keeps out of the enemy's fire", wary),
    }
