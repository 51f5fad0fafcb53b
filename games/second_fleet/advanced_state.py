"""What the advanced level and the options add to the truth: weather, politics, mines, landings."""

from typing import Literal

from msgspec import Struct

from games.second_fleet.board import Zone
from pbem.model import Side

Sky = Literal["clear", "squall", "storm"]
"""6.2 What the weather is in a zone."""
LADDER = ("Defensive", "Restricted", "Unrestricted", "World War 3")
"""3.13 Soviet strategies, each of which allows more targets."""
BOXES = ("Start", "Negotiations Begin", "Negotiations Progress", "Armistice")
"""3.11 The armistice track."""


class Weather(Struct):
    """17 The weather of the day: the zones that have it; the others are clear."""

    sky: Sky = "clear"
    zones: list[Zone] = []


class Politics(Struct):
    """3.11, 6.9 The armistice track and what political events have left behind."""

    box: int = 0
    talks: int = 0
    """6.9/1 A collapse or a breakthrough of the talks, on the armistice die."""
    idle: Side | Literal[""] = ""
    """6.9/2 Who loses the first segment of this turn."""
    gone: list[str] = []
    """6.9/4 Nations that have left the alliance."""
    strategy: str = ""
    """3.13 The Soviet strategy in force."""


class Arrivals(Struct):
    """6.4 One side's reinforcements: its marker, and those that wait for a place."""

    marker: int = 0
    change: int = 0
    """6.9/7 On the next die."""
    waiting: list[str] = []


class Mines(Struct):
    """23 The minefields, and what each side knows of them."""

    laid: dict[str, dict[Side, int]] = {}
    """Markers by hex and owner."""
    known: dict[Side, dict[str, int]] = {}
    """Fields that a side knows: its own, and those that it met; how many markers it knows of."""


class Landings(Struct):
    """18 One side's troops that are not yet landed."""

    battalions: int = 0
    commandos: int = 0
    dropped: int = 0
    """6.3/6 Battalions dropped this morning."""


class Nuclear(Struct):
    """21 One side's nuclear weapons."""

    released: bool = False
    granted: bool = False
    """6.9/5 Released by escalation, whatever the answer."""
    fired: int = 0
    pool: dict[str, int] = {}
    """6.6/2 Attacks left, by weapon."""


class Stores(Struct):
    """20 What a ship has left."""

    rows: dict[str, int] = {}
    """Boxes by row: fuel, ssm, asw, aaa, torpedo, bomb; -1 stands for without limit."""
    nuclear: dict[str, int] = {}
    """How many of them are nuclear; they are ticked last."""
    ammunition: int = 0
    """6.5/6 Points that a supplier can give: of ammunition,"""
    oil: int = 0
    """and of fuel."""
    defended: bool = False
    """6.5/2 Her AA has been ticked in this segment."""
