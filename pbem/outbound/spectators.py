"""Spectators: readers without a side, who see only what all sides know until the game ends.

All spectators get the same report of a window: the events and dice that every side was told, and
what the rules make public. The final report shows the truth. The record that opens a window
contains the report's digest as `public`, and an audit generates the report again to compare.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from pbem.base.clock import now, stamp
from pbem.base.files import write_private
from pbem.base.report_json import Report
from pbem.crypto import statements
from pbem.engine.runner import Closing, Runner
from pbem.errors import NotFound, Usage
from pbem.model import ALL, Side, System, View
from pbem.outbound.mime import HTML, PLAIN, Part, inline, message, pictures
from pbem.outbound.report_files import SignedReport, parts_of
from pbem.reports import headline, render, wording
from pbem.reports.mailed import Mailed
from pbem.reports.report import Account, Frame, Words, draft
from pbem.store import secrets
from pbem.store.game_dir import Game
from pbem.store.records import Noted
from pbem.text.messages import Note, fill_note, subject_of

FILE = "spectators.json"
NAMES = ("report.txt", "report.json", "report.seal")
PAGE = "report.html"


def enrol(game: Game, email: str, name: str = "") -> int:
    """Add a spectator, who gets reports from the next window on; returns his number.

    Raises Usage for a malformed address, and once the game is over.
    """
    from pbem.base.config import require_address

    require_address(email)
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
    said = fill_note("watch", game=game.name)
    mail = _small(game, number, said)
    game.commit(body, {f"outbox/{mailed}-0001-note.eml": mail})
    return number


def enrol_site(game: Game) -> int:
    """Add the club's site as a spectator, which gets reports and no mail; return its number.

    Raises Usage if it is one already, and once the game is over."""
    if game.register.over:
        raise Usage(f"{game.name} is over", f"`pbem publish {game.name}` shows all of it")
    known = addresses(game)
    if any(not known[str(n)] for n in game.register.spectators):
        raise Usage(f"the site shows {game.name} already", f"see `pbem spectators {game.name}`")
    number = game.register.spectated + 1
    known = addresses(game) | {str(number): ""}
    write_private(game.path("private", FILE), json.dumps(known, indent=1).encode())
    empty = secrets.salted(game, "")
    game.commit(Noted(sides=[], spectator=number, email=empty, name=empty))
    return number


def _mailed(game: Game) -> list[int]:
    """Return the numbers of the spectators who get mail."""
    known = addresses(game)
    return [number for number in game.register.spectators if known[str(number)]]


def dismiss(game: Game, number: int) -> None:
    """Remove a spectator, who gets no more mail. Raises NotFound."""
    if number not in game.register.spectators:
        known = ", ".join(map(str, game.register.spectators)) or "none"
        raise NotFound(f"{game.name} has no spectator {number}", f"spectators: {known}")
    game.commit(Noted(sides=[], spectator=number, gone=True))


def addresses(game: Game) -> dict[str, str]:
    """Return the address of every spectator by number, including those who left."""
    from pbem.base.schema import stored

    path = game.path("private", FILE)
    return stored(path.read_bytes(), dict[str, str], path) if path.exists() else {}


def view_of(drive: Runner) -> View:
    """Return what spectators see apart from events: what the rules make public, at the end all.

    Where the sides are in different turns or phases, the view shows the earliest one.
    """
    if drive.over:
        return drive.system.truth(drive.state)
    names = {(view.turn, view.label) for view in map(drive.view, drive.sides)}
    turn, label = min(names)
    view = drive.system.watched(drive.state)
    view.turn, view.label = turn, label if len(names) == 1 else f"turn {turn}"
    return view


def account(sides: Sequence[Side], closing: Closing | None) -> Account:
    """Return the events and rolls that every one of `sides` saw, addressed to spectators."""
    told = [t for t in closing.told if set(sides) <= set(t.to)] if closing else []
    rolls = [r for r in closing.rolls if set(sides) <= set(r.to)] if closing else []
    return Account(
        told=[replace(t, to=(ALL,)) for t in told], rolls=[replace(r, to=(ALL,)) for r in rolls]
    )


def report_of(system: System, frame: Frame, drive: Runner, closing: Closing | None) -> Report:
    """Return the spectators' report of the window that is open in `drive`, without its digest."""
    own = account(drive.sides, closing)
    words = Words(wording.events, wording.questions)
    return draft(system, frame, ALL, view_of(drive), own, words)


def files_of(
    game: Game, report: Report, data: bytes, charts: Sequence[Part], before: Sequence[int]
) -> dict[str, bytes]:
    """Return the files of a report to spectators.

    data: the report as JSON. charts: the page shows those with a Content-ID. before: earlier
    windows of the same run, whose events the page shows too. The site alone needs no more than the
    data.
    """
    folder = f"reports/{ALL}/{report.window}"
    if not _mailed(game):
        return {f"{folder}/report.json": data}
    key = secrets.signing_key(game)
    signature = statements.signed("report", report.setup.digest, report.plain, key)
    found = [game.find(f"reports/{ALL}/{window}", "report.json") for window in before]
    earlier = [json.loads(content) for content in found if content]
    mailed = Mailed(chart=pictures(charts), earlier=earlier)
    text, page = render.public(report.plain, mailed)
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
    """Return the mail with that report for each spectator, as files for the outbox.

    files, charts: those of the report. before: earlier windows of the same run, whose reports
    are mailed with this one.
    """
    if not _mailed(game):
        return {}
    texts: list[bytes] = []
    reports: list[SignedReport] = []
    for window in (*before, report.window):
        folder = f"reports/{ALL}/{window}"
        text, data, signature = (
            files.get(f"{folder}/{name}") or game.find(folder, name) for name in NAMES
        )
        if not (data and text and signature):
            continue  # nobody was mailed when this window opened
        mark = "" if window == report.window else f"-{window}"
        texts.append(text)
        reports.append(SignedReport(data, signature, mark))
    page = files[f"reports/{ALL}/{report.window}/{PAGE}"]
    html = Part(HTML, page, pictures=inline(charts))
    bodies, subject = [Part(PLAIN, b"\n".join(texts)), html], headline.subject(report)
    found = {}
    for number in _mailed(game):
        name = f"spectator{number}"
        count = game.register.mails.get(name, 0) + 1
        mail = _mail(
            game,
            number,
            subject,
            bodies,
            report.opened,
            [*parts_of(reports), *(part for part in charts if not part.cid)],
        )
        found[f"outbox/{name}-{count:04}-report.eml"] = mail
    return found


def notices(game: Game, said: Note, kind: str = "note") -> dict[str, bytes]:
    """Return the same note to every spectator, as files for the outbox."""
    found = {}
    for number in _mailed(game):
        name = f"spectator{number}"
        count = game.register.mails.get(name, 0) + 1
        mail = _small(game, number, said)
        found[f"outbox/{name}-{count:04}-{kind}.eml"] = mail
    return found


def names(game: Game) -> list[str]:
    """Return the spectators as the field `mailed` of a record names them: `spectator1` ..."""
    return [f"spectator{number}" for number in _mailed(game)]


def _mail(
    game: Game,
    number: int,
    subject: str,
    bodies: Sequence[Part],
    sent: str,
    parts: Sequence[Part] = (),
) -> bytes:
    """Return a mail to one spectator; each gets his own, so that none learns who else watches."""
    from pbem.outbound.addresses import list_headers, sender

    name = f"spectator{number}"
    count = game.register.mails.get(name, 0) + 1
    return message(
        to=[addresses(game)[str(number)]],
        sender=sender(game),
        listed=list_headers(game),
        subject=subject,
        message_id=secrets.message_id(game, name, count),
        sent=sent,
        bodies=bodies,
        attachments=parts,
        thread=secrets.message_id(game, name, 1) if count > 1 else "",
    )


def _small(game: Game, number: int, said: Note) -> bytes:
    """Return a short mail to one spectator."""
    from pbem.text.layout import localised

    body = Part(PLAIN, localised(said.text, "").encode("ascii"))
    return _mail(game, number, subject_of(game.name, said), [body], stamp(now()))
