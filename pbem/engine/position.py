"""A position: everything that a stored game needs to go on between two windows."""

from __future__ import annotations

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from orders.book import Standing
from orders.model import OrderSet
from pbem.model import Over, Side, Window


class Step(Struct, frozen=True):
    """A roll or a pause of a turn; a re-run must make the same steps in the same order."""

    label: str
    """The roll's full label, or what the pause asked (`drive._asked_label`)."""
    window: int
    """The window that was closed last."""
    dice: tuple[int, ...] = ()
    """The faces; empty for a pause."""
    to: tuple[Side, ...] = ()
    """The roll's audience."""
    proof: str = ""


class Amended(Struct, frozen=True):
    """The edits of one ruling, and when they were made."""

    at: int
    """How many steps the turn had taken by then."""
    edits: list[dict[str, object]]
    """As the record of the ruling has them; see `pbem.engine.edits.understood`."""


class Position(Struct, kw_only=True):
    """A game between two windows: everything that is needed to go on, and nothing else."""

    window: Window
    """The open window."""
    since: Window
    """The window whose closing began this turn."""
    snapshot: Raw
    """The state when the turn began, as JSON."""
    live: Raw
    """The state now, as JSON: readable without running the turn again, and compared with what
    a re-run gives."""
    standing: dict[str, Standing]
    """Side -> its standing orders when the turn began."""
    counts: dict[str, int]
    """Label of a roll -> how often it was used when the turn began; counted per window."""
    audiences: dict[str, tuple[Side, ...]]
    """Label of a roll -> its audience in this window, when the turn began."""
    closed: list[tuple[Window, dict[str, OrderSet]]]
    """The windows closed in this turn, with the sets in force."""
    steps: list[Step]
    """The steps of this turn so far."""
    over: Over | None = None
    amended: list[Amended] | UnsetType = UNSET
    """What rulings changed in this turn; left out if nothing was changed."""


def encode(state: Struct) -> bytes:
    """A state as bytes, equal states always as the same bytes: JSON with sorted keys."""
    return msgspec.json.encode(state, order="deterministic")
