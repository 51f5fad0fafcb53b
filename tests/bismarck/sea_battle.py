"""A game by mail that has come to a battle: two task forces meet in one zone, and both sides are
asked before the first round."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from games.bismarck.game import SYSTEM
from tests.bismarck.casebook import position
from tests.referee import Referee

HOLLAND, LUTJENS = ("HOOD", "PRINCE OF WALES"), ("BISMARCK", "PRINZ EUGEN")
MANY = (*HOLLAND, "KING GEORGE V", "RODNEY", "REPULSE", "NORFOLK", "SUFFOLK", "SHEFFIELD")
"""With the two Germans a battle of ten ships."""
ON = {"british": "BRITISH: break off no;", "german": "GERMAN: break off no;"}
"""The fight goes on."""
ZONE = "Q17"


def met(home: Path, british: Sequence[str] = HOLLAND) -> Referee:
    """The game before the first round: window by window, with orders as they are mailed."""
    there = {f"ships.{name}.{field}": ZONE for name in (*british, *LUTJENS) for field in PLACED}
    away = {f"ships.{name}.hold": "" for name in (*british, *LUTJENS)}
    forces = {"TF1": list(british), "TF2": list(LUTJENS)}
    case = {"turn": 4, "level": 4, "set": there | away, "patrol": ["TF1"], "forces": forces}
    state = position(case)
    referee = Referee.opened(home, SYSTEM, "seeded", state, play="asked")
    referee.turn(british=HUNT, german="TF2: hold; GERMAN: break off no;")
    while not referee.report("british")["board"].get("battles"):
        referee.turn(**ON)
    return referee


PLACED = ("zone", "origin")
HUNT = "BRITISH: attack always; BRITISH: search all;"
