"""Forward a report to officers who joined, or changed their key or address, after it was mailed.

In a plain game they get the same mail, addressed to them. In an encrypted game the mail was
encrypted to the recipients at that time, and the moderator's signature covers the list of their
keys. New keys therefore get a new mail: the same report with the same signature, and a signed note
that forwards it to the present keys. Bytes: docs/formats.md, "Encrypted mail".
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from pbem.base.clock import now, stamp
from pbem.base.report_json import Report
from pbem.errors import NotFound
from pbem.model import Side
from pbem.outbound.addresses import list_headers, sender
from pbem.outbound.mime import HTML, PLAIN, Part, message, readdress, recipients, subject_of
from pbem.outbound.notices import mail_name, mail_to, number_of, signed
from pbem.outbound.pending_reports import Earlier, earlier_of
from pbem.outbound.report_files import SignedReport, parts_of
from pbem.outbound.report_mail import folder_of, found_or_made, made_later
from pbem.store import secrets
from pbem.store.game_dir import Game
from pbem.store.holders import Officer
from pbem.store.preferences import preferences_of
from pbem.store.records import Resent
from pbem.store.runs import mailed_in, run_before
from pbem.text.layout import marked
from pbem.text.messages import fill_note, part

BODIES = (("report.txt", PLAIN), ("report.html", HTML))
PICTURE = re.compile(rb'<img class="map" src="cid:[^>]*>')
"""A picture that the mail of a report had: the game's folder keeps none, so a new mail has none."""
KEPT = ("report.json", "report.seal", "orders.txt")


def needs_forwarding(game: Game, side: str, window: int) -> bool:
    """Tell whether some present key of `side` cannot open the mail with the report of `window`."""
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
    """Return the mail that forwards a side's report, as a file for the outbox; none if not needed.

    window: the window that the report opened, by default the open one. officers, after: as for
    `mail_to`. to: the new addresses. A plain game mails them alone, and nobody without them; an
    encrypted game mails the whole side.
    """
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
    """Return the mail of a plain game that brought a report, addressed to others."""
    mark = secrets.message_id(game, side, number_of(game, side, after))
    mail, thread = stored(game, side, window), secrets.message_id(game, side, 1)
    return readdress(mail, to, mark, _subject(game, side, window, subject_of(mail)), thread)


def report_again(game: Game, side: str, window: int) -> dict[str, bytes]:
    """Return the mail that brought a report, for the side's present recipients, for the outbox.

    If keys and addresses are unchanged it is the same mail byte for byte. Only its subject names
    the present deadline: a mail with another one has another Message-ID, since mail programs show
    one mail of two with the same. The subject of an encrypted mail names none.
    """
    name, mail = mail_name(game, side, "report"), stored(game, side, window)
    if needs_forwarding(game, side, window):
        return {name: _mail(game, side, window, (), 0)}
    to, said = secrets.reached(game, side), subject_of(mail)
    same = b"\r\nTo: %s\r\n" % recipients(to).encode("ascii") in mail.partition(b"\r\n\r\n")[0]
    if same and (game.register.encrypted or _subject(game, side, window, said) == said):
        return {name: mail}
    if game.register.encrypted:
        return {name: _mail(game, side, window, (), 0)}
    return {name: _readdressed(game, side, window, to, 0)}


def stored(game: Game, side: str, window: int) -> bytes:
    """Read the mail that brought a side's report of that window."""
    name = "report.eml"
    return found_or_made(game, side, window, name) or game.read(folder_of(side, window), name)


def _mail(game: Game, side: str, window: int, officers: Sequence[Officer], after: int) -> bytes:
    """Return a new mail with a side's stored report and a signed note that forwards it."""
    from pbem.outbound.encrypt import enclose
    from pbem.reports import headline

    report, before = _report(game, side, window), _before(game, side, window)
    digests = [report.digest, *(earlier.report.digest for earlier in before)]
    files = _files(game, side, window)
    dates = preferences_of(game.register, side).dates
    subject = headline.subject(report, secrets.zone_of(game, side), dates)
    subject = _subject(game, side, window, subject)
    mail = message(
        to=secrets.reached(game, side),
        sender=sender(game),
        listed=list_headers(game),
        subject=subject,
        message_id=secrets.message_id(game, side, number_of(game, side, after)),
        sent=stamp(now()),
        bodies=[Part(type, PICTURE.sub(b"", files[name])) for name, type in BODIES],
        attachments=[
            *parts_of([_signed_report(files), *(earlier.signed_report for earlier in before)]),
            *(Part(PLAIN, form, name) for name, form in files.items() if name == "orders.txt"),
            *signed(game, side, subject, part("handed", window=window), officers, digests),
        ],
        thread=secrets.message_id(game, side, 1),
    )
    return enclose(game, side, "report", window, mail, officers)


def _report(game: Game, side: str, window: int) -> Report:
    """Read a side's report from the game's folder."""
    from pbem.reports.report import decode

    return decode(game.read("reports", side, str(window), "report.json"))


def _files(game: Game, side: str, window: int) -> dict[str, bytes]:
    """Read the files that were mailed with a report; the final report has no order form."""
    made = made_later(game, side, window)
    names = [*(name for name, _ in BODIES), *KEPT]
    paths = {name: f"{folder_of(side, window)}/{name}" for name in names}
    if paths["orders.txt"] not in made and not game.path(paths["orders.txt"]).is_file():
        del paths["orders.txt"]
    return {name: made.get(path) or game.read(path) for name, path in paths.items()}


def _signed_report(files: Mapping[str, bytes]) -> SignedReport:
    """Return a report with its signature, out of those files."""
    return SignedReport(files["report.json"], files["report.seal"])


def _before(game: Game, side: str, window: int) -> list[Earlier]:
    """Read the earlier reports of the same run, which were mailed together."""
    return earlier_of(game, Side(side), run_before(game.register, window))


def resend(game: Game, side: str, window: int, mail: str = "") -> str:
    """Put the report of that window into the outbox again and record it; returns the outbox file.

    The mail is the same byte for byte, unless addresses, keys or the deadline have changed: see
    `report_again`. What it says of the deadline is old then, so another mail says the present one.
    mail: the mail that asked for it, by its digest in the ledger. Raises NotFound.
    """
    window = mailed_in(game.register, window)
    if not found_or_made(game, side, window, "report.eml"):
        last = f"the newest opens window {game.register.window}"
        raise NotFound(f"{game.name} has no report of {side} for window {window}", last)
    files = report_again(game, side, window)
    files |= _moved_deadline(game, side, window)
    mailed = [side] * len(files)
    game.commit(Resent(side=Side(side), window=window, mailed=mailed, mail=mail), files)
    return next(iter(files))


def _moved_deadline(game: Game, side: str, window: int) -> dict[str, bytes]:
    """Return the mail beside a report sent again that says the deadline, as a file for the outbox;
    none if the window is no longer open, or its report has the present deadline."""
    register = game.register
    if register.held or not _is_redated(game, side, window):
        return {}
    said = fill_note("deadline", window=register.window, deadline=marked(register.deadline))
    return {mail_name(game, side, "note", 1): mail_to(game, side, said, after=1)}


def _is_redated(game: Game, side: str, window: int) -> bool:
    """Whether the report of that window asks for orders now, and names another deadline."""
    register = game.register
    if register.over or not register.deadline or window != mailed_in(register, register.window):
        return False
    return _report(game, side, register.window).deadline != register.deadline


def _subject(game: Game, side: str, window: int, said: str) -> str:
    """Return `said`, the subject of a report's mail, as it must be now.

    The report's own texts stay as they were signed and recorded.
    """
    register = game.register
    asks = not register.over and window == mailed_in(register, register.window)
    if not asks or not (register.held or _is_redated(game, side, window)):
        return said
    from pbem.reports import headline

    report = replace(_report(game, side, register.window), deadline=register.deadline)
    dates = preferences_of(register, side).dates
    return headline.redated(said, report, secrets.zone_of(game, side), dates, register.held)
