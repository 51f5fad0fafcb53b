"""The files of a report: what is signed, what is shown, and the mail with both.

A role that nobody plays has the signed report alone: no one reads more of it. Its text, page, form
and mail are made when somebody is enlisted for the role or asks for them (`made_later`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct, structs

from pbem.base.report_json import Report
from pbem.crypto import statements
from pbem.model import Side
from pbem.outbound.addresses import list_headers, reply, sender
from pbem.outbound.encrypt import enclose
from pbem.outbound.mime import HTML, PLAIN, Part, inline, message, pictures
from pbem.outbound.pending_reports import Earlier, earlier_of
from pbem.outbound.report_files import SignedReport, is_packed, parts_of
from pbem.reports import headline, render
from pbem.reports.mailed import ALONE, Mailed
from pbem.roles import role_of
from pbem.store import secrets
from pbem.store.game_dir import Game
from pbem.store.preferences import preferences_of
from pbem.store.runs import mailed_in, run_before


class Extras(Struct, frozen=True):
    """What a mail shows or brings that is not made from its report.json alone."""

    charts: tuple[Part, ...] = ()
    """Those that the mail shows, then those that it attaches."""
    page: tuple[Part, ...] = ()
    """The order page, if it is attached."""
    order_page: Mapping[str, str] = {}
    """What text and HTML say of it: `pbem.reports.mailed.Mailed`."""
    red: bool = False
    """Likewise."""


def folder_of(side: str, window: int) -> str:
    """Return where the files of a side's report are, in the game's folder."""
    return f"reports/{side}/{window}"


def signed_files(game: Game, side: str, report: Report, data: bytes) -> dict[str, bytes]:
    """Return report.json and its signature. data: the report's canonical JSON."""
    folder = folder_of(side, report.window)
    key = secrets.signing_key(game)
    signature = statements.signed("report", report.setup.digest, report.plain, key)
    return {f"{folder}/report.json": data, f"{folder}/report.seal": signature}


def shown_files(
    game: Game, side: str, report: Report, data: bytes, mailed: Mailed = ALONE
) -> dict[str, bytes]:
    """Return text, HTML and order form; no form after the end of the game.

    data: report.json. mailed: what its mail adds; the reader's zone, dates and address are added
    here.
    """
    tz, dates = secrets.zone_of(game, side), preferences_of(game.register, side).dates
    mailed = structs.replace(mailed, tz=tz, dates=dates, reply=reply(game))
    pages = render.pages(report.plain, data, mailed)
    found = {"report.txt": pages.text.encode("ascii"), "report.html": pages.html.encode()}
    found |= {"orders.txt": pages.form.encode("ascii")} if pages.form else {}
    folder = folder_of(side, report.window)
    return {f"{folder}/{name}": content for name, content in found.items()}


def mailed_files(
    game: Game,
    side: str,
    report: Report,
    signed: SignedReport,
    earlier: Sequence[Earlier],
    extras: Extras,
) -> dict[str, bytes]:
    """Return what a mailed report shows, and as report.eml the mail that brings it together with
    the `earlier` reports of the same run."""
    reports = [signed, *(one.signed_report for one in earlier)]
    mailed = Mailed(
        order_page=extras.order_page,
        chart=pictures(extras.charts),
        earlier=[one.report.plain for one in earlier],
        packed=is_packed(one.data for one in reports),
        red=extras.red,
    )
    files = shown_files(game, side, report, signed.data, mailed)
    # `enclose` puts the page beside the encrypted part; in plain mail it is an attachment.
    inside = () if game.register.encrypted else extras.page
    mail = _mail(game, side, report, files, parts_of(reports), extras.charts, inside)
    mail = enclose(game, side, "report", report.window, mail, beside=extras.page)
    return files | {f"{folder_of(side, report.window)}/report.eml": mail}


def made_later(game: Game, side: str, window: int) -> dict[str, bytes]:
    """Return what the folder of a role's report lacks because nobody played the role when the
    window opened; nothing if it lacks nothing.

    Charts and an order page come with the next report. Of a run of agreed turns its last window
    has a mail.
    """
    from pbem.reports.report import decode

    folder = folder_of(side, window)
    data, signature = (game.find(f"{folder}/{name}") for name in ("report.json", "report.seal"))
    if not role_of(side) or not data or game.find(f"{folder}/report.txt"):
        return {}
    report = decode(data)
    if mailed_in(game.register, window) != window:
        return shown_files(game, side, report, data)
    earlier = earlier_of(game, Side(side), run_before(game.register, window))
    return mailed_files(game, side, report, SignedReport(data, signature), earlier, Extras())


def found_or_made(game: Game, side: str, window: int, name: str) -> bytes:
    """Return a file of a side's report; b"" if there is none.

    Raises Damaged if it was altered.
    """
    path = f"{folder_of(side, window)}/{name}"
    return game.read(path) if game.find(path) else made_later(game, side, window).get(path, b"")


def _mail(
    game: Game,
    side: str,
    report: Report,
    files: Mapping[str, bytes],
    reports: Sequence[Part],
    charts: tuple[Part, ...],
    attached: Sequence[Part],
) -> bytes:
    """Return one side's report as an unencrypted mail.

    It replies to the side's first mail, so that mail programs show a game as one thread.
    """
    folder = folder_of(side, report.window)
    number = game.register.mails.get(side, 0) + 1
    wishes = preferences_of(game.register, side)
    text = Part(PLAIN, files[f"{folder}/report.txt"])
    register, zone = game.register, secrets.zone_of(game, side)
    page = Part(HTML, files[f"{folder}/report.html"], pictures=inline(charts))
    form = files.get(f"{folder}/orders.txt")
    return message(
        to=secrets.reached(game, side),
        sender=sender(game),
        listed=list_headers(game),
        subject=headline.subject(report, zone, wishes.dates, register.rerun),
        message_id=secrets.message_id(game, side, number),
        sent=report.opened,
        bodies=[text, *([page] if wishes.mail == "html" else [])],
        attachments=[
            *reports,
            *([Part(PLAIN, form, "orders.txt")] if form else []),
            *(part for part in charts if not part.cid),
            *attached,
        ],
        thread=secrets.message_id(game, side, 1) if number > 1 else "",
    )
