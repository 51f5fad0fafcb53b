"""Records that are announced to every side by mail."""

from __future__ import annotations

from msgspec.structs import replace

from pbem.outbound.forward import handed_over
from pbem.outbound.notices import notices
from pbem.outbound.report_mail import made_later
from pbem.store import secrets
from pbem.store.game_dir import Game
from pbem.store.records import Body, Enlisted, Replaced
from pbem.store.seats import mailed_seats
from pbem.text.messages import Note


def announce(game: Game, body: Body, said: Note) -> None:
    """Commit `body` and mail the same note to every side.

    If the record brings a new officer, or a new key in an encrypted game, the side also gets the
    report of the open window again, so that the new officer or key can read it.
    """
    officers = game.register.officers_after(body)
    sides = [str(side) for side in mailed_seats(game.register, officers)]
    mails = notices(game, sides, said, "note", officers=officers)
    if isinstance(body, Enlisted | Replaced):
        last = secrets.addresses(game)[body.side][-1]["email"]
        new = [last] if last and isinstance(body, Enlisted) else []
        mails |= (more := handed_over(game, body.side, officers=officers, after=1, to=new))
        sides += [body.side] * len(more)
        # The first officer of a role: of its report there was no more than the signed data.
        mails |= made_later(game, body.side, game.register.window)
    game.commit(replace(body, mailed=sides), mails)
