"""A record that every side is told of by mail."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.outbound.forward import handed_over
from pbem.outbound.notices import notices
from pbem.store import secrets
from pbem.store.game_dir import Game
from pbem.text.messages import Note


def announce(game: Game, kind: str, body: Mapping[str, Any], said: Note) -> None:
    """Commit a record and tell every side the same. A new officer, and a new key of an encrypted
    game, get the open window's report besides."""
    officers = game.register.officers_after(kind, body)
    sides = [str(side) for side in game.register.sides]
    mails = notices(game, sides, said, "note", officers=officers)
    if kind in ("enlisted", "replaced"):
        last = secrets.addresses(game)[body["side"]][-1]["email"]
        new = [last] if last and kind == "enlisted" else []
        mails |= (more := handed_over(game, body["side"], officers=officers, after=1, to=new))
        sides += [body["side"]] * len(more)
    game.commit(kind, {**body, "mailed": sides}, mails)
