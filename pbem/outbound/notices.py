"""Short mails to sides: notes of the moderator, notices of the referee, the end of a game."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.base.clock import now, stamp
from pbem.base.files import make_private, write_private
from pbem.outbound.addresses import list_headers, sender
from pbem.outbound.mime import HTML, PLAIN, Part, message
from pbem.store import secrets
from pbem.store.game_dir import Game
from pbem.store.holders import Officer
from pbem.store.records import Ended, Noted
from pbem.store.seats import mailed_seats
from pbem.text.messages import Note, fill_note, subject_of, the_side


def note(game: Game, sides: Sequence[str], text: str) -> None:
    """Mail the moderator's `text` to `sides` and record it.

    The ledger is published after the game, so it contains only a salted digest; the text itself is
    kept in `private/notes`.
    """
    digest = secrets.salted(game, text)
    folder = game.path("private", "notes")
    make_private(folder)
    write_private(folder / f"{digest[:16]}.txt", text.encode())
    mails = notices(game, sides, fill_note("note", text=text), "note")
    game.commit(Noted(sides=list(sides), text=digest, mailed=list(sides)), mails)


def end(game: Game, result: str, reason: str) -> None:
    """End the game by the moderator's decision and mail every side and spectator.

    result: a side, `draw` or `none`.
    """
    draws = {"none": " without a result", "draw": " as a draw"}
    how = draws.get(result) or f": {the_side(result)} has won"
    said = fill_note("ended", how=how, reason=reason)
    mailed, watching = [str(seat) for seat in mailed_seats(game.register)], {}
    mails = notices(game, mailed, said, "end")
    if game.register.spectators:
        from pbem.outbound import spectators

        watching = spectators.notices(game, said)
        mailed += spectators.names(game)
    game.commit(Ended(result=result, reason=reason, mailed=mailed), {**mails, **watching})


def notices(
    game: Game,
    sides: Sequence[str],
    said: Note,
    kind: str,
    behind: str = "",
    officers: Sequence[Officer] = (),
) -> dict[str, bytes]:
    """Return the same note to each of `sides`, as files for the outbox.

    behind: the side that gets another mail first by the same record, which takes the next number.
    officers: as for `mail_to`.
    """
    return {
        mail_name(game, side, kind, side == behind): mail_to(
            game, side, said, after=side == behind, officers=officers
        )
        for side in sides
    }


def mail_name(game: Game, side: str, kind: str, after: int = 0) -> str:
    """Return the outbox file of a side's next mail.

    kind: `note`, `answer`, `receipt` ... after: how many mails the same record sends to the side
    before this one.
    """
    return f"outbox/{side}-{number_of(game, side, after):04}-{kind}.eml"


def number_of(game: Game, side: str, after: int = 0) -> int:
    """Return the number of a side's next mail, from 1. after: as for `mail_name`."""
    return game.register.mails.get(side, 0) + 1 + after


def early_mail(
    game: Game, side: str, email: str, said: Note, page: bytes = b""
) -> dict[str, bytes]:
    """Return a mail before the game opens, as a file for the outbox.

    It contains no secrets and is never encrypted: the player has not registered a key yet, or has
    no report yet by which he could check a signature. page: the joining page to attach.
    """
    number = game.register.mails.get(side, 0) + 1
    mail = message(
        to=[email],
        sender=sender(game),
        listed=list_headers(game),
        subject=subject_of(game.name, said),
        message_id=secrets.message_id(game, side, number),
        sent=stamp(now()),
        bodies=[Part(PLAIN, said.text.encode("ascii"))],
        attachments=[Part(HTML, page, "join.html")] if page else [],
        thread=secrets.message_id(game, side, 1) if number > 1 else "",
    )
    return {mail_name(game, side, "letter"): mail}


def local_for(game: Game, side: str, iso: str) -> str:
    """Return a time as the players of a side want it: in their zone, in words or as ISO 8601."""
    from pbem.store.preferences import preferences_of
    from pbem.text.layout import when

    dates = preferences_of(game.register, side).dates
    return when(iso, secrets.zone_of(game, side), dates)


def mail_to(
    game: Game,
    side: str,
    said: Note,
    to: Sequence[str] = (),
    after: int = 0,
    officers: Sequence[Officer] = (),
) -> bytes:
    """Return a short mail of the referee to a side, with the side's next number.

    to: the addresses, by default those of all officers. after: as for `mail_name`. officers: the
    officers after the record that the mail belongs to, if that record changes them.

    In encrypted games the mail brings `note.json` with its signed statement `note.seal`, and it is
    encrypted to all officers of the side.
    """
    from pbem.outbound.encrypt import enclose
    from pbem.store.preferences import preferences_of
    from pbem.text.layout import ascii_lines, localised, tidy

    zone, dates = secrets.zone_of(game, side), preferences_of(game.register, side).dates
    subject = subject_of(game.name, said, zone, dates)
    text = localised(said.text, zone, dates=dates)
    mail = message(
        to=list(to) or secrets.reached(game, side),
        sender=sender(game),
        listed=list_headers(game),
        subject=subject,
        message_id=secrets.message_id(game, side, number_of(game, side, after)),
        sent=stamp(now()),
        bodies=[Part(PLAIN, tidy(ascii_lines(text), hang="").encode("ascii"))],
        attachments=signed(game, side, subject, text, officers) if game.register.encrypted else (),
        thread=secrets.message_id(game, side, 1),
    )
    return enclose(game, side, "note", game.register.window, mail, officers)


def signed(
    game: Game,
    side: str,
    subject: str,
    text: str,
    officers: Sequence[Officer],
    reports: Sequence[str] = (),
) -> list[Part]:
    """Return a note as attachments: `note.json` and its signed statement `note.seal`.

    reports: digests of the reports that the note forwards. Bytes: docs/formats.md, "Encrypted
    mail".
    """
    from msgspec import UNSET

    from pbem.base.hashing import canonical_json, setup_digest
    from pbem.base.mail_json import Note as NoteJson
    from pbem.base.mail_json import with_digest
    from pbem.crypto import statements
    from pbem.outbound.encrypt import readers

    register = game.register
    g0 = setup_digest(register.setup) if register.setup else ""
    facts = with_digest(
        "note",
        NoteJson(
            format="pbem-note/1",
            game=game.name,
            side=side,
            setup=g0,
            window=register.window,
            subject=subject,
            text=text,
            digest="",
            readers=readers(register, side, officers),
            reports=list(reports) or UNSET,
        ),
    )
    signature = statements.signed("note", g0, facts, secrets.signing_key(game))
    return [
        Part("application/json", canonical_json(facts), "note.json"),
        Part(PLAIN, signature, "note.seal"),
    ]
