"""Names of games: which there may be, and their order."""

from __future__ import annotations

from itertools import groupby

from pbem.errors import Usage


def natural(name: str) -> tuple[tuple[str, int], ...]:
    """The order in which people count names: by their words, and by the value of their numbers."""
    parts = ((digits, "".join(part)) for digits, part in groupby(name, str.isdecimal))
    return tuple(("", int(part)) if digits else (part, 0) for digits, part in parts)


def is_name(name: str) -> bool:
    """Whether a game may have this name: `[a-z][a-z0-9]{0,15}`."""
    fit = name.isascii() and name.isalnum() and name == name.lower() and name[:1].isalpha()
    return fit and len(name) <= 16


def require_name(name: str) -> None:
    """Raise Usage unless a game may have this name."""
    if not is_name(name):
        raise Usage(
            f"{name!r} is not a valid name for a game",
            "use a lower-case letter, then up to 15 lower-case letters or digits",
        )
