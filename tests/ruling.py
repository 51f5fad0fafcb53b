"""Rulings in tests of any system: what a moderator's file does to a game, and to whom it shows."""

from __future__ import annotations

from typing import Any

from pbem.admin.rulings import read_ruling, rule
from pbem.store.game_dir import writing
from pbem.store.records import Ruled
from tests.referee import Referee

HEAD = 'text = "a mistake of mine is mended"\n'
UNEQUAL = ("head", "digest", "commit", "setup", "moderator", "seed")
"""What differs between two referees whatever was played: keys, salts, and what holds them."""


def edit(do: str, **fields: str | int) -> str:
    """One `[[edit]]` of a ruling's file."""
    lines = [
        f"{k} = {f'{chr(34)}{v}{chr(34)}' if isinstance(v, str) else v}"
        for k, v in {"do": do, **fields}.items()
    ]
    return "\n".join(("[[edit]]", *lines, ""))


def ruled(referee: Referee, *edits: str, to: str = "") -> Ruled:
    """Record a ruling with these edits; its record. to: the one side that is told."""
    said = HEAD + (f'to = ["{to}"]\n' if to else "") + "".join(edits)
    with writing(referee.home, referee.name) as game:
        return rule(game, referee.system, read_ruling(said, "ruling.toml"), "a slip")


def told(referee: Referee, side: str) -> dict[str, Any]:
    """A side's report without what differs from referee to referee."""
    return {k: v for k, v in referee.report(side).items() if k not in UNEQUAL}
