"""A side's report with types: what the view fills, and checks, bots and the chart read.

Declare once what a report shows: structs derived from `UnitView` and `ContactView`, and one for the
board, in a module with light imports (`report.py`). The view fills them, and whoever reads a report
converts it to them:

    class Ship(UnitView, kw_only=True):
        speed: int

    class Report(reports.Report, frozen=True, kw_only=True):
        units: tuple[Ship, ...]
        board: Weather

    report = convert(decoded, Report)   # decoded report.json
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from pbem.model import ContactView, MenuItem, UnitView


class Told(Struct, frozen=True):
    """An event of a report, by its kind. Derive from it what reads more of events."""

    kind: str


class Report(Struct, frozen=True, kw_only=True):
    """The fields of every report; a game derives its own, with the types of its units, contacts and
    board. What is not declared is not converted, and costs nothing."""

    side: str
    turn: int
    side_name: str = ""
    """The side's printed name."""
    title: str = ""
    """The scenario's printed name."""
    scenario: str = ""
    """The name of the scenario."""
    turns: int = 0
    """Number of turns in the game, 0 without a limit."""
    label: str = ""
    """The rulebook's name of the turn."""
    window: int = 0
    """The window that the report opens."""
    deadline: str = ""
    """UTC; empty without one."""
    units: tuple[UnitView, ...] = ()
    contacts: tuple[ContactView, ...] = ()
    menu: Mapping[str, tuple[MenuItem, ...]] = {}
    """What each actor may be ordered now."""
    standing: tuple[str, ...] = ()
    """Standing orders, and orders for later turns, as order lines."""
    events: tuple[Told, ...] = ()
    """What the side was told, in order."""
