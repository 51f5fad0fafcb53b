"""`pbem outbox`"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click
from msgspec import Struct

from pbem.cli.common import as_json, emit, game_argument
from pbem.store.game_dir import Game, reading, writing
from pbem.store.records import Sent
from pbem.text.layout import table, tidy

HEAD = ("Mail", "State", "Subject")


@click.command
@game_argument
@click.option("--unsent", is_flag=True, help="Only mails that wait or that bounced.")
@click.option("--by-hand", is_flag=True, help="Record that you have sent the waiting mails.")
@as_json
@click.pass_obj
def command(home: Path, name: str, unsent: bool, by_hand: bool, as_json: bool) -> None:
    """List the mails of a game with their subjects, and whether each was sent.

    A mail that waits is sent by the next `pbem tick` once pbem.toml names a delivery. If you sent
    it with your own mail program, say so with --by-hand. `pbem resend` puts a report into the
    outbox again.
    """
    if by_hand:
        with writing(home, name) as game:
            if waiting := list(game.register.mail_state.unsent):
                game.commit(Sent(mails=waiting, by="hand"))
    mails = [mail for mail in _mails(reading(home, name)) if not (unsent and mail.state == "sent")]
    rows = [(mail.file.removeprefix("outbox/"), mail.state, mail.subject) for mail in mails]
    text = tidy(table(rows, HEAD)) if rows else "nothing waits" if unsent else "no mail yet"
    emit(mails, text, as_json)


class Mail(Struct, frozen=True):
    """A mail that the game has written."""

    file: str
    """Its file in the game's folder."""
    state: str
    """`sent`, `waits`, or `bounced: ` with what the server said."""
    subject: str


def _mails(game: Game) -> Sequence[Mail]:
    """Return all mails of a game in the order in which they were written."""
    waiting, bounced = game.register.mail_state.unsent, game.register.mail_state.bounced
    found = []
    for record in game.ledger.records():
        for file in sorted(record.body.files):
            if file.startswith("outbox/"):
                back = f"bounced: {bounced[file]}" if file in bounced else ""
                state = back or ("waits" if file in waiting else "sent")
                found.append(Mail(file, state, _subject(game.path(file))))
    return found


def _subject(path: Path) -> str:
    """Read the subject of a mail; empty if the file is gone."""
    from email import message_from_bytes, policy

    try:
        head = path.read_bytes().partition(b"\n\n")[0]
    except OSError:
        return ""
    return str(message_from_bytes(head, policy=policy.default)["Subject"] or "")
