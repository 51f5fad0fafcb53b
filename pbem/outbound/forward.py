"""A report for those who came after it.

Whoever takes over a side, or joins its officers, or moves to another address, gets the mail again,
addressed to him. In an encrypted game it was encrypted once, to the keys of then, and their names
stand in what the moderator signed. So there whoever takes over a side, or lost his key, gets it in
a mail of its own: the same report with the same signature, and beside it a signed note that hands
it on to the keys of now. Bytes: docs/formats.md, "Encrypted mail".
"""

from __future__ import annotations

from collections.abc import Sequence

from pbem.base.clock import now, stamp
from pbem.base.report_json import Report
from pbem.errors import NotFound
from pbem.model import Side
from pbem.outbound.addresses import sender
from pbem.outbound.mime import Part, message, readdress, recipients
from pbem.outbound.notices import mail_name, number_of, signed
from pbem.outbound.pending_reports import Earlier, earlier_of
from pbem.store import secrets
from pbem.store.game_dir import Game
from pbem.store.holders import Officer
from pbem.store.records import Resent
from pbem.store.runs import mailed_in, run_before
from pbem.text.messages import part

PLAIN = "text/plain; charset=us-ascii"
BODIES = (("report.txt", PLAIN), ("report.html", "text/html; charset=utf-8"))
KEPT = (("report.json", "application/json"), ("report.seal", PLAIN), ("orders.txt", PLAIN))


def strangers(game: Game, side: str, window: int) -> bool:
    """Whether a key of `side` cannot open the mail that brought the report of `window`."""
    from pbem.outbound.encrypt import readers

    if not game.register.encrypted:
        return False
    then = _report(game, side, window).readers
    return not set(then).issuperset(readers(game.register, side))


def handed_over(
    game: Game,
    side: str,
    window: int = 0,
    officers: Sequence[Officer] = (),
    after: int = 0,
    to: Sequence[str] = (),
) -> dict[str, bytes]:
    """The mail that hands a side's report on, as a file of the outbox; none before the first
    report. window: the open one without. officers, after: as for `mail_to`. to: the addresses
    that are new: in a plain game it goes to them alone, and without them to nobody."""
    register = game.register
    if not register.window or not (register.encrypted or any(to)):
        return {}
    window = mailed_in(register, window or register.window)
    if window > register.window:  # a run that a kill cut short: its mail is still to come
        return {}
    name = mail_name(game, side, "report", after)
    if register.encrypted:
        return {name: _mail(game, side, window, officers, after)}
    return {name: _readdressed(game, side, window, to, after)}


def _readdressed(game: Game, side: str, window: int, to: Sequence[str], after: int) -> bytes:
    """The mail of a plain game that brought a report, to others."""
    mark = secrets.message_id(game, side, number_of(game, side, after))
    return readdress(stored(game, side, window), to, mark)


def again(game: Game, side: str, window: int) -> dict[str, bytes]:
    """The mail that brought a report once more, as a file of the outbox: to whoever the side's mail
    goes to now, and to nobody where that is nobody."""
    name, mail = mail_name(game, side, "report"), stored(game, side, window)
    if strangers(game, side, window):
        return {name: _mail(game, side, window, (), 0)}
    to = reached(game, side)
    if b"\r\nTo: %s\r\n" % recipients(to).encode("ascii") in mail.partition(b"\r\n\r\n")[0]:
        return {name: mail}
    if game.register.encrypted:
        return {name: _mail(game, side, window, (), 0)}
    return {name: _readdressed(game, side, window, to, 0)}


def stored(game: Game, side: str, window: int) -> bytes:
    """The mail that brought a side's report of that window."""
    return game.read("reports", side, str(window), "report.eml")


def reached(game: Game, side: str) -> list[str]:
    """Where mail of a side goes."""
    return [one["email"] for one in secrets.addresses(game).get(side, []) if one["email"]]


def _mail(game: Game, side: str, window: int, officers: Sequence[Officer], after: int) -> bytes:
    from pbem.outbound.encrypt import enclose
    from pbem.reports import headline

    report, before = _report(game, side, window), _before(game, side, window)
    digests = [report.digest, *(one.report.digest for one in before)]
    files = _files(game, side, window)
    subject = headline.subject(report)
    mail = message(
        to=reached(game, side),
        sender=sender(game),
        subject=subject,
        message_id=secrets.message_id(game, side, number_of(game, side, after)),
        sent=stamp(now()),
        bodies=[Part(type, files[name]) for name, type in BODIES],
        attachments=[
            *(Part(type, files[name], name) for name, type in KEPT if name in files),
            *(part for one in before for part in one.parts),
            *signed(game, side, subject, part("handed", window=window), officers, digests),
        ],
        thread=secrets.message_id(game, side, 1),
    )
    return enclose(game, side, "report", window, mail, officers)


def _report(game: Game, side: str, window: int) -> Report:
    """A side's report, which lies in the game's folder."""
    from pbem.reports.report import decode

    return decode(game.read("reports", side, str(window), "report.json"))


def _files(game: Game, side: str, window: int) -> dict[str, bytes]:
    """What that mail brought; the final report has no order form."""
    names = [name for name, _ in (*BODIES, *KEPT)]
    if not game.path("reports", side, str(window), "orders.txt").is_file():
        names.remove("orders.txt")
    return {name: game.read("reports", side, str(window), name) for name in names}


def _before(game: Game, side: str, window: int) -> list[Earlier]:
    """The reports of the same run, which that mail brought too."""
    return earlier_of(game, Side(side), run_before(game.register, window))


def resend(game: Game, side: str, window: int, mail: str = "") -> str:
    """Put the report of that window into the outbox again, byte for byte; its file. Where the
    side's mail goes elsewhere by now it is addressed anew; in an encrypted game keys that came
    after it get it in a mail that hands it on to them.

    mail: what asked for it, by its name in the ledger. Raises NotFound.
    """

    window = mailed_in(game.register, window)
    path = game.path("reports", side, str(window), "report.eml")
    if not path.is_file():
        last = f"the newest opens window {game.register.window}"
        raise NotFound(f"{game.name} has no report of {side} for window {window}", last)
    files = again(game, side, window)
    game.commit(Resent(side=Side(side), window=window, mailed=[side], mail=mail), files)
    return next(iter(files))
