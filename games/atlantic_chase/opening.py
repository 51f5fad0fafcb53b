"""The position in which a game begins: an operation, a Battle, or the campaign's first one."""

from __future__ import annotations

from collections.abc import Mapping

from games.atlantic_chase import campaign, setup
from games.atlantic_chase.state import War


def begin(name: str, options: Mapping[str, str], house: Mapping[str, str] | None = None) -> War:
    """The state before the first spell. Raises ValueError for tables of the moderator's own."""
    if house:
        raise ValueError(f"{', '.join(sorted(house))}: tables of Atlantic Chase cannot be replaced")
    return campaign.begin(options) if name == "campaign" else setup.begin(name, options)
