"""16 Ice by the time of year: 18, 182, 190-193, 272-273, 6.13/2."""

from __future__ import annotations

from games.second_fleet.board import HEXES, PACK
from games.second_fleet.state import War

DRIFT = "dN"
"""Letters of hexes with drift ice."""
ICE = ("SN", "SB")
"""27 Who may enter pack ice."""


def packed(war: War, hex_: str) -> bool:
    """190, 272 Is it pack ice: as printed, in winter drift ice too?"""
    letter = HEXES[hex_]
    return letter == PACK or (letter in DRIFT and war.advanced and war.period == 1)


def bars(war: War, kind: str, hex_: str) -> bool:
    """27, 226 Pack ice keeps out all but nuclear and missile submarines."""
    return packed(war, hex_) and kind not in ICE


def drifting(war: War, hex_: str) -> bool:
    """18, 191, 192 Is it drift ice that slows ships: advanced level, in spring and autumn?"""
    return HEXES[hex_] in DRIFT and war.advanced and war.period in (2, 3)


def open_to(war: War) -> str:
    """Letters of hexes that ships keep out of now."""
    return PACK + DRIFT if war.advanced and war.period == 1 else PACK


def slow_in(war: War) -> str:
    """26, 193 Letters of hexes in which there is no full speed now."""
    return PACK + DRIFT if war.advanced and war.period != 4 else PACK
