"""Small mails of the moderator: notes to sides, and reports sent again."""

from __future__ import annotations

from collections.abc import Sequence

from pbem import private
from pbem.clock import now, stamp
from pbem.errors import NotFound
from pbem.files import write_private
from pbem.game import Game
from pbem.issue import sender
from pbem.post import Part, message
from pbem.runon import mailed_in


def note(game: Game, sides: Sequence[str], text: str) -> None:
    """Send `text` to `sides`. The ledger holds its salted digest, the text stays beside it."""
    digest = private.salted(game, text)
    folder = game.path("private", "notes")
    folder.mkdir(mode=0o700, exist_ok=True)
    write_private(folder / f"{digest[:16]}.txt", text.encode())
    mails = notices(game, sides, f"{game.name}: a note from the moderator", text, "note")
    game.commit("noted", {"sides": list(sides), "text": digest, "mailed": list(sides)}, mails)


def resend(game: Game, side: str, window: int, mail: str = "") -> str:
    """Put the report of that window into the outbox again, byte for byte; its file.

    mail: what asked for it, by its name in the ledger. Raises NotFound.
    """
    window = mailed_in(game.register, window)
    path = game.path("reports", side, str(window), "report.eml")
    if not path.is_file():
        raise NotFound(f"{game.name} has no report of {side} for window {window}")
    name = mail_name(game, side, "report")
    body: dict[str, object] = {"side": side, "window": window, "mailed": [side]}
    if mail:
        body["mail"] = mail
    game.commit("resent", body, {name: path.read_bytes()})
    return name


def end(game: Game, result: str, reason: str) -> None:
    """End the game by the moderator's decision and tell every side."""
    said = "without a result" if result == "none" else f"with the result: {result}"
    text = f"The moderator has ended the game {said}.\nReason: {reason}\n"
    mails = notices(game, game.register.sides, f"{game.name}: the game is over", text, "end")
    watching = {}
    if game.register.spectators:
        from pbem.spectators import farewell

        watching = farewell(game, f"{game.name}: the game is over", text)
    mailed = [*game.register.sides, *(f"spectator{n}" for n in game.register.spectators)]
    game.commit(
        "ended", {"result": result, "reason": reason, "mailed": mailed}, {**mails, **watching}
    )


def notices(
    game: Game, sides: Sequence[str], subject: str, text: str, kind: str, behind: str = ""
) -> dict[str, bytes]:
    """The same words to each of `sides`: files for the outbox. behind: the side that gets
    another mail before it by the same record."""
    return {
        mail_name(game, side, kind, side == behind): mail_to(
            game, side, subject, text, second=side == behind
        )
        for side in sides
    }


def mail_name(game: Game, side: str, kind: str, second: bool = False) -> str:
    """The file in the outbox of a side's next mail. kind: `note`, `answer`, `receipt`, ...
    second: the one after that."""
    return f"outbox/{side}-{_number(game, side, second):04}-{kind}.eml"


def _number(game: Game, side: str, second: bool) -> int:
    return game.register.mails.get(side, 0) + 1 + second


def mail_to(
    game: Game, side: str, subject: str, text: str, to: Sequence[str] = (), second: bool = False
) -> bytes:
    """A small mail of the referee to a side, the next by its number. to: one officer alone."""
    from pbem.layout import ascii_lines

    return message(
        to=list(to) or [a["email"] for a in private.addresses(game).get(side, []) if a["email"]],
        sender=sender(game),
        subject=subject,
        message_id=private.message_id(game, side, _number(game, side, second)),
        sent=stamp(now()),
        bodies=[Part("text/plain; charset=us-ascii", ascii_lines(text).encode("ascii"))],
        thread=private.message_id(game, side, 1),
    )
