"""Rulings in tests of any system: write their files, record them, compare reports."""

from __future__ import annotations

from typing import Any

from pbem.admin.rulings import read_ruling, rule
from pbem.store.game_dir import writing
from pbem.store.records import Ruled
from tests.referee import Referee

HEAD = 'text = "a mistake of mine is mended"\n'
UNEQUAL = ("head", "digest", "commit", "setup", "moderator", "seed")
"""Fields of a report that differ between any two games: keys, salts, and what depends on them."""


def edit(do: str, **fields: str | int) -> str:
    """One `[[edit]]` of a ruling file, as text."""
    lines = [
        f"{k} = {f'{chr(34)}{v}{chr(34)}' if isinstance(v, str) else v}"
        for k, v in {"do": do, **fields}.items()
    ]
    return "\n".join(("[[edit]]", *lines, ""))


def ruled(referee: Referee, *edits: str, to: str = "") -> Ruled:
    """Record a ruling with these edits; return its record. to: the only side that is told."""
    said = HEAD + (f'to = ["{to}"]\n' if to else "") + "".join(edits)
    with writing(referee.home, referee.name) as game:
        return rule(game, referee.system, read_ruling(said, "ruling.toml"), "a slip")


def told(referee: Referee, side: str) -> dict[str, Any]:
    """A side's report without the fields that differ between any two games."""
    return {k: v for k, v in referee.report(side).items() if k not in UNEQUAL}
