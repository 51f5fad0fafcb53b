"""Press: messages between sides, by the policy that the game was made with.

    none         no press
    open         a message goes to the sides that it names, with its sender's name
    moderated    like open, after the moderator has approved the message
    anonymous    a message goes to all sides, including its sender, without a name

Press is untrusted text. It is folded to ASCII, every line begins with `| `, and it never becomes
part of a report or the ledger. The record `pressed` contains its salted digest; the text is in
`private/press/`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from pbem.base.clock import now, stamp
from pbem.base.files import make_private, write_private
from pbem.errors import Busy, NotFound, Usage
from pbem.outbound.notices import notices
from pbem.roles import role_of
from pbem.store import secrets
from pbem.store.game_dir import Game
from pbem.store.records import Press, Pressed
from pbem.text.layout import ascii_fold, wrap
from pbem.text.messages import fill_note, part

if TYPE_CHECKING:
    from pbem.base.schema import PressMessage

LONGEST = 4000
"""Most characters in one message."""

MOST = 20
"""Most messages from one side in a day (UTC)."""

ALL = "all"
FOLDER = ("private", "press")
WIDTH = 70
BEGIN = re.compile(r"^\s*BEGIN\s+PRESS(?:\s+TO)?\b[ :]*(.*?)[ :.]*$", re.IGNORECASE)
END = re.compile(r"^\s*END\s+PRESS\b", re.IGNORECASE)


class Refused(Usage):
    """The message is refused for the reason given; nothing is recorded."""


class Message(Struct, frozen=True):
    """One message."""

    by: str
    """The side that sent it."""
    to: str
    """The addressees as the sender wrote them."""
    text: str
    mail: str = ""
    """The mail that brought it, by its digest in the ledger."""
    whole: bool = True
    """Whether its END PRESS was found."""


def blocks(text: str, by: str) -> list[Message]:
    """Return the messages in a mail: BEGIN PRESS TO SIDE, lines, END PRESS.

    Quoted blocks (`> BEGIN PRESS`) do not count. Text outside these lines, such as quoted reports
    or a mail signature, is never sent on.
    """
    found: list[Message] = []
    lines: list[str] | None = None
    to = ""
    for line in text.splitlines():
        begins = BEGIN.match(line)
        if begins and lines is None:
            to, lines = begins[1], []
        elif lines is not None and END.match(line):
            found.append(Message(by, to, "\n".join(lines)))
            lines = None
        elif lines is not None:
            lines.append(line)
    return found if lines is None else [*found, Message(by, to, "", whole=False)]


def policy(game: Game) -> Press:
    """Return the game's press policy."""
    return game.register.created.press


def send(game: Game, message: Message, passed: bool = False) -> str:
    """Send a message, or keep it for the moderator; return what was done, in words for its sender.

    passed: the moderator enters it himself, so it needs no approval. Raises Refused.
    """
    to = _addressees(game, message)
    text = _text(message)
    waits = policy(game) == "moderated" and not passed
    digest = _keep(game, message.by, to, text, message.mail)
    anonymous = policy(game) == "anonymous"
    body = Pressed(
        by="" if anonymous else message.by,
        to=to,
        text=digest,
        state="waiting" if waits else "sent",
        all=anonymous or _named(message.to) in ([], [ALL]),
        mail=message.mail,
    )
    mails: dict[str, bytes] = {}
    mailed: list[str] = []
    if not waits:
        mails, mailed = _mails(game, body, text)
    said = "waits for the moderator to pass it on" if waits else f"went to {', '.join(to)}"
    if message.mail and not anonymous:
        mails |= notices(game, [message.by], fill_note("pressed", said=said), "answer")
        mailed = [*mailed, message.by]
    game.commit(replace(body, mailed=mailed), mails)
    return said


def decide(game: Game, number: int, passes: bool, reason: str = "") -> None:
    """Send a waiting message, or refuse it and tell only its sender. Raises NotFound."""
    waiting = game.register.mail_state.press.get(number)
    if waiting is None:
        known = ", ".join(map(str, game.register.mail_state.press)) or "none"
        raise NotFound(f"no message {number} waits in {game.name}", f"waiting: {known}")
    kept = kept_of(game, waiting.text)
    if passes:
        mails, mailed = _mails(game, waiting, kept["text"])
    else:
        because = part("reason", reason=reason) if reason else ""
        said = fill_note("stopped", because=because, text=quoted(kept["text"]))
        mailed = [waiting.by or ""]
        mails = notices(game, mailed, said, "note")
    game.commit(Pressed(of=number, state="sent" if passes else "refused", mailed=mailed), mails)


def listed(game: Game) -> list[dict[str, object]]:
    """Return the messages that wait for the moderator: `number`, `by`, `to`, `text`."""
    found = game.register.mail_state.press.items()
    return [
        {"number": n, "by": one.by, "to": one.to, "text": kept_of(game, one.text)["text"]}
        for n, one in sorted(found)
    ]


def quoted(text: str) -> str:
    """Return a message as it is shown: ASCII, each line after `| `, so that no part of it can look
    like the referee's own words."""
    lines = [wrap(ascii_fold(line), "", "", WIDTH).split("\n") for line in text.split("\n")]
    return "\n".join(f"| {line}".rstrip() for some in lines for line in some)


def _addressees(game: Game, message: Message) -> list[str]:
    """Return the sides that a message goes to. Raises Refused."""
    if policy(game) == "none":
        raise Refused(
            "there is no press in this game", "write to the moderator, who may pass it on as a note"
        )
    if role_of(message.by):
        raise Refused("only commanders write press", "ask the commander of your side to send it")
    if not message.whole:
        raise Refused("it has no END PRESS", "close it with a line END PRESS")
    sides = [str(side) for side in game.register.sides]
    if policy(game) == "anonymous":
        return sides
    others = [side for side in sides if side != message.by]
    names = _named(message.to)
    if names in ([], [ALL]):
        return others
    unknown = [name for name in names if name not in others]
    if unknown:
        raise Refused(
            f"it cannot go to {ascii_fold(unknown[0])[:40]!r}",
            f"write BEGIN PRESS TO {' or '.join(others)}, or ALL",
        )
    return [side for side in others if side in names]


def _named(to: str) -> list[str]:
    """Return the names after BEGIN PRESS TO, in lower case."""
    return [name for name in re.split(r"[\s,;&]+|\band\b", to.lower()) if name]


def _text(message: Message) -> str:
    """Return the text without empty lines at its start and end. Raises Refused."""
    text = message.text.strip("\n")
    if not text.strip():
        raise Refused("it is empty", "write between BEGIN PRESS and END PRESS")
    if len(text) > LONGEST:
        said = f"it has {len(text)} characters; at most {LONGEST} are allowed"
        raise Refused(said, "send it in parts")
    return text


def _keep(game: Game, by: str, to: Sequence[str], text: str, mail: str) -> str:
    """Store a message in `private/press`; return its salted digest.

    The digest includes the mail that brought the message, so that the same mail received twice
    counts once. Raises Refused if the side has reached its daily limit.
    """
    folder = make_private(game.path(*FOLDER))
    digest = secrets.salted(game, "\0".join((by, *to, text, mail or str(game.register.n))))
    path, day = folder / f"{digest[:16]}.json", stamp(now())[:10]
    stored = map(_read, folder.glob("*.json"))
    sent = [message for message in stored if (message["by"], message["day"]) == (by, day)]
    if len(sent) >= MOST and not path.exists():
        raise Refused(f"{by} has sent {MOST} messages today, the limit", "send it again tomorrow")
    kept = {"by": by, "to": list(to), "day": day, "text": text}
    write_private(path, json.dumps(kept).encode())
    return digest


def kept_of(game: Game, digest: str) -> PressMessage:
    """Read a stored message. Raises Busy if its file is missing."""
    try:
        return _read(game.path(*FOLDER, f"{digest[:16]}.json"))
    except FileNotFoundError:
        raise Busy("the text of this press is lost", "refuse it, and ask its sender") from None


def _read(path: Path) -> PressMessage:
    from pbem.base.schema import PressMessage, stored

    return stored(path.read_bytes(), PressMessage, path)


def _mails(game: Game, pressed: Pressed, text: str) -> tuple[dict[str, bytes], list[str]]:
    """Return the mails of a message, and the names that `mailed` of its record lists.

    All addressees get the same words. Messages to all go to spectators too.
    """
    by, to = pressed.by or "", pressed.to or []
    who = f"from {by} to {', '.join(to)}" if by else "to all sides, from one that is not named"
    said = fill_note(
        "press",
        game=game.name,
        who=who,
        text=quoted(text),
        answer=by.upper() or "ALL",
        heading=f"from {by}" if by else "to all",
    )
    mails, mailed = notices(game, to, said, "press"), list(to)
    if game.register.spectators and pressed.all:
        from pbem.outbound import spectators

        mails |= spectators.notices(game, said, "press")
        mailed += spectators.names(game)
    return mails, mailed
