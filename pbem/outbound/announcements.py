"""A record that every side is told of by mail."""

from __future__ import annotations

from msgspec.structs import replace

from pbem.outbound.forward import handed_over
from pbem.outbound.notices import notices
from pbem.store import secrets
from pbem.store.game_dir import Game
from pbem.store.records import Body, Enlisted, Replaced
from pbem.text.messages import Note


def announce(game: Game, body: Body, said: Note) -> None:
    """Commit a record and tell every side the same. A new officer, and a new key of an encrypted
    game, get the open window's report besides."""
    officers = game.register.officers_after(body)
    sides = [str(side) for side in game.register.sides]
    mails = notices(game, sides, said, "note", officers=officers)
    if isinstance(body, Enlisted | Replaced):
        last = secrets.addresses(game)[body.side][-1]["email"]
        new = [last] if last and isinstance(body, Enlisted) else []
        mails |= (more := handed_over(game, body.side, officers=officers, after=1, to=new))
        sides += [body.side] * len(more)
    game.commit(replace(body, mailed=sides), mails)
