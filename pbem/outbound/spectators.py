"""Spectators: readers without a side. Until the end they see only what all sides know.

Their one report of a window holds the events and dice that every side was told, and what is public
by the rules; the final one shows the truth. The record that opens a window holds its digest as
`public`, and an audit makes it again.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from pbem.base.clock import now, stamp
from pbem.base.files import write_private
from pbem.base.report_json import Report
from pbem.crypto import statements
from pbem.engine.drive import Closing, Drive
from pbem.errors import NotFound, Usage
from pbem.model import ALL, Side, System, View
from pbem.outbound.mime import Part, message
from pbem.reports import headline, render
from pbem.reports.report import Account, Frame, Words, draft
from pbem.store import secrets
from pbem.store.game_dir import Game
from pbem.store.records import Noted
from pbem.text.messages import Note, worded

FILE = "spectators.json"
NAMES = ("report.txt", "report.json", "report.seal")
PAGE = "report.html"
PLAIN = "text/plain; charset=us-ascii"


def enrol(game: Game, email: str, name: str = "") -> int:
    """Let somebody watch from the next window on; his number. Raises Usage."""
    from pbem.base.config import is_address

    if not is_address(email):
        raise Usage(f"{email!r} is no plain address", "a spectator gets his reports by mail")
    if game.register.over:
        raise Usage(f"{game.name} is over", f"`pbem publish {game.name}` shows all of it")
    number = game.register.spectated + 1
    known = addresses(game) | {str(number): email}
    write_private(game.path("private", FILE), json.dumps(known, indent=1).encode())
    mailed = f"spectator{number}"
    body = Noted(
        sides=[],
        spectator=number,
        email=secrets.salted(game, email),
        name=secrets.salted(game, name),
        mailed=[mailed],
    )
    said = worded("watch", game=game.name)
    mail = _small(game, number, said)
    game.commit(body, {f"outbox/{mailed}-0001-note.eml": mail})
    return number


def dismiss(game: Game, number: int) -> None:
    """A spectator gets nothing more. Raises NotFound."""
    if number not in game.register.spectators:
        known = ", ".join(map(str, game.register.spectators)) or "none"
        raise NotFound(f"{game.name} has no spectator {number}", f"spectators: {known}")
    game.commit(Noted(sides=[], spectator=number, gone=True))


def addresses(game: Game) -> dict[str, str]:
    """Number of every spectator, also of those who left, to his address."""
    from pbem.base.schema import stored

    path = game.path("private", FILE)
    return stored(path.read_bytes(), dict[str, str], path) if path.exists() else {}


def view_of(drive: Drive) -> View:
    """What spectators may see beside events: what is open to all until the end, then everything."""
    if drive.over:
        return drive.system.truth(drive.state)
    names = {(view.turn, view.label) for view in map(drive.view, drive.sides)}
    turn, label = min(names)
    view = drive.system.watched(drive.state)
    view.turn, view.label = turn, label if len(names) == 1 else f"turn {turn}"
    return view


def account(sides: Sequence[Side], closing: Closing | None) -> Account:
    """What every side was told and every side saw rolled, as told to spectators."""
    told = [t for t in closing.told if set(sides) <= set(t.to)] if closing else []
    rolls = [r for r in closing.rolls if set(sides) <= set(r.to)] if closing else []
    return Account(
        told=[replace(t, to=(ALL,)) for t in told], rolls=[replace(r, to=(ALL,)) for r in rolls]
    )


def report_of(system: System, frame: Frame, drive: Drive, closing: Closing | None) -> Report:
    """The spectators' report of the window that `drive` has open, without its digest."""
    own = account(drive.sides, closing)
    words = Words(render.events, render.questions)
    return draft(system, frame, ALL, view_of(drive), own, words)


def files_of(
    game: Game, report: Report, data: bytes, charts: Sequence[Part], before: Sequence[int]
) -> dict[str, bytes]:
    """The files of a report to spectators. data: as JSON; charts: the first is shown by the page;
    before: windows whose reports wait for this mail, and which its page tells too."""
    folder, key = f"reports/{ALL}/{report.window}", secrets.signing_key(game)
    signature = statements.signed("report", report.setup.digest, report.plain, key)
    found = [game.find(f"reports/{ALL}/{window}", "report.json") for window in before]
    earlier = [json.loads(one) for one in found if one]
    shown = {**report.plain, **({"chart": charts[0].cid} if charts else {})}
    shown |= {"earlier": earlier} if earlier else {}
    text, page = render.public(shown)
    contents = (text.encode("ascii"), data, signature, page.encode())
    return {
        f"{folder}/{name}": content for name, content in zip((*NAMES, PAGE), contents, strict=True)
    }


def mails_of(
    game: Game,
    report: Report,
    files: Mapping[str, bytes],
    charts: Sequence[Part],
    before: Sequence[int],
) -> dict[str, bytes]:
    """The mail of that report to each spectator, as files of the outbox. files, charts: of the
    report; before: windows whose reports wait for this mail."""
    texts: list[bytes] = []
    parts: list[Part] = []
    for window in (*before, report.window):
        folder = f"reports/{ALL}/{window}"
        text, data, signature = (
            files.get(f"{folder}/{name}") or game.find(folder, name) for name in NAMES
        )
        if not data:
            continue  # nobody watched then
        mark = "" if window == report.window else f"-{window}"
        texts.append(text)
        parts.append(Part("application/json", data, f"report{mark}.json"))
        parts.append(Part(PLAIN, signature, f"report{mark}.seal"))
    page = files[f"reports/{ALL}/{report.window}/{PAGE}"]
    html = Part("text/html; charset=utf-8", page, pictures=tuple(charts[:1]))
    bodies, subject = [Part(PLAIN, b"\n".join(texts)), html], headline.subject(report)
    found = {}
    for number in game.register.spectators:
        name = f"spectator{number}"
        count = game.register.mails.get(name, 0) + 1
        mail = _mail(game, number, subject, bodies, report.opened, [*parts, *charts[1:]])
        found[f"outbox/{name}-{count:04}-report.eml"] = mail
    return found


def notices(game: Game, said: Note, kind: str = "note") -> dict[str, bytes]:
    """The same words to every spectator, as files of the outbox."""
    found = {}
    for number in game.register.spectators:
        name = f"spectator{number}"
        count = game.register.mails.get(name, 0) + 1
        mail = _small(game, number, said)
        found[f"outbox/{name}-{count:04}-{kind}.eml"] = mail
    return found


def names(game: Game) -> list[str]:
    """Those who watch, as `mailed` of a record names them."""
    return [f"spectator{number}" for number in game.register.spectators]


def _mail(
    game: Game,
    number: int,
    subject: str,
    bodies: Sequence[Part],
    sent: str,
    parts: Sequence[Part] = (),
) -> bytes:
    """A mail to one spectator alone: none learns who else watches."""
    from pbem.outbound.addresses import sender

    name = f"spectator{number}"
    count = game.register.mails.get(name, 0) + 1
    return message(
        to=[addresses(game)[str(number)]],
        sender=sender(game),
        subject=subject,
        message_id=secrets.message_id(game, name, count),
        sent=sent,
        bodies=bodies,
        attachments=parts,
        thread=secrets.message_id(game, name, 1) if count > 1 else "",
    )


def _small(game: Game, number: int, said: Note) -> bytes:
    """A mail of a few words."""
    body = Part(PLAIN, said.text.encode("ascii"))
    return _mail(game, number, f"{game.name}: {said.subject}", [body], stamp(now()))
