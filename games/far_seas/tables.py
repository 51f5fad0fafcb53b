"""The figures of rules.toml and scenarios.toml, typed and read once."""

from collections.abc import Mapping
from functools import cache
from typing import Literal

from msgspec import Struct

from games.far_seas.board import PACKAGE
from pbem.kit.tables import Sheet


class Search(Struct, frozen=True):
    """S8 `success`: the die, less its modifiers, up to which a search finds."""

    success: int


class Escort(Struct, frozen=True):
    """M6, found f: which ships may cover merchants, and when an escort is surprised."""

    grade: str
    guns: str
    surprised: int


class Prey(Struct, frozen=True):
    """S11 A lone German's prey has at most his own capacity and `margin`."""

    margin: int


class WayHome(Struct, frozen=True):
    """G9 `success`: the die from which a ship gets home."""

    success: int


class River(Struct, frozen=True):
    """G2 Ids of the Germans that may enter the Rufiji."""

    ships: tuple[str, ...]


class Landing(Struct, frozen=True):
    """Found c: one landing of the table."""

    name: str
    area: str
    ships: int
    """How many it needs, as `kind` says."""
    kind: Literal["each", "one", "sum"]
    """In each turn, in one of the turns, or ship-turns of the whole stretch."""
    first: int
    last: int


class Points(Struct, frozen=True):
    """What the end of the war counts: a ship short at a landing, a warship home; a liner that is
    interned scores its points divided by `interned`."""

    short: int
    home: int
    interned: int


class Rules(Struct, frozen=True):
    """rules.toml."""

    search: Search
    convoy: Escort
    surprise: Prey
    home: WayHome
    river: River
    strength: Mapping[str, int | str]
    """By gun class, for conditions of orders and bots."""
    landings: Mapping[str, Landing]
    points: Points


class Scenario(Struct, frozen=True):
    """One scenario of scenarios.toml."""

    first: int
    last: int
    """Its turns."""
    areas: str
    """Those in play, empty for all."""
    landings: bool
    levels: tuple[int, int, int, int]
    """Points of a decisive and a narrow German victory, then of a narrow and a decisive Allied one.
    """
    ships: str = ""
    """Who takes part, where and from which turn; empty for the whole table of ships."""
    squadrons: str = ""
    """Ships that begin as one squadron, the leader first; one squadron a line."""


@cache
def rules() -> Rules:
    """The numbers of the rules that stand in no table of their own."""
    return Sheet(PACKAGE, "rules.toml").record(Rules)


@cache
def scenario(name: str) -> Scenario:
    """The table of a scenario."""
    return Sheet(PACKAGE, "scenarios.toml").record(Scenario, name)
