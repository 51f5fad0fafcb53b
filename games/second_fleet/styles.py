"""Other ways in which commanders can play."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from games.second_fleet.bot_manner import Manner, lines
from pbem.inference.style import Style
from pbem.model import Side

BOLD = Manner("bold", ships="half", hunts="yes", subs="chase", brave="yes")
WARY = Manner("wary", hunts="no", brave="no")


def styles(side: Side) -> Mapping[str, Style]:
    """See System."""
    bold, wary = (partial(lines, side, manner=manner) for manner in (BOLD, WARY))
    return {
        "bold": Style("more ships to the front, submarines hunt ships, bombers pass patrols", bold),
        "wary": Style("ships leave submarines alone, bombers keep away from patrols", wary),
    }
