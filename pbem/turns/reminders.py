"""The reminder of a deadline: what is still missing of a side, until when, and its order form."""

from __future__ import annotations

from pbem.base.clock import now, stamp
from pbem.model import Plain, Side
from pbem.outbound.addresses import list_headers, reply, sender
from pbem.outbound.mime import HTML, PLAIN, Part, message
from pbem.outbound.notices import number_of, signed
from pbem.reports import render
from pbem.reports.mailed import Mailed
from pbem.store import secrets
from pbem.store.game_dir import Game
from pbem.store.preferences import preferences_of
from pbem.store.register import Register
from pbem.text.layout import ascii_lines, localised, marked, tidy
from pbem.text.messages import Note, fill_note, phrase, subject_of
from pbem.turns.close_window import report_of
from pbem.turns.open_window import place_of
from pbem.turns.schedule import Rule, rule_of
from pbem.turns.vacant import strikes_of


def reminder(game: Game, side: str) -> bytes:
    """Return the mail that reminds a side of the open window's deadline.

    It has the order form, which can be signed as it is, and says what the side is asked.
    """
    from pbem.outbound.encrypt import enclose

    register, zone = game.register, secrets.zone_of(game, side)
    dates = preferences_of(register, side).dates
    report = report_of(game, side, register.window).plain
    place = {} if register.encrypted else place_of(game, side)
    mailed = Mailed(tz=zone, dates=dates, reply=reply(game), order_page=place)
    said, form = _said(game, side, report), render.form(report)
    subject = subject_of(game.name, said, zone, dates)
    text = localised(said.text, zone, dates=dates)
    lead, late = _lead(game, side), _unsent(game.register, side)
    page = render.reminder(report, lead, late, mailed)
    mail = message(
        to=secrets.reached(game, side),
        sender=sender(game),
        listed=list_headers(game),
        subject=subject,
        message_id=secrets.message_id(game, side, number_of(game, side)),
        sent=stamp(now()),
        bodies=[
            Part(PLAIN, tidy(ascii_lines(text), hang="").encode("ascii")),
            Part(HTML, page.encode()),
        ],
        attachments=[
            Part(PLAIN, form.encode("ascii"), "orders.txt"),
            *(signed(game, side, subject, text, ()) if register.encrypted else ()),
        ],
        thread=secrets.message_id(game, side, 1),
    )
    return enclose(game, side, "note", register.window, mail)


def _lead(game: Game, side: str) -> str:
    """Return what is missing: all orders, or those that did not count."""
    return phrase("some_missing" if side in game.register.sets else "all_missing")


def _said(game: Game, side: str, report: Plain) -> Note:
    """Return the subject and text of a reminder, with times for `localised`."""
    asked = [f"{q['id']}  {q['prompt']}" for q in report["questions"]]
    lead = _lead(game, side)
    return fill_note(
        "due",
        what=lead.partition(":")[0].rstrip("."),
        lead=lead,
        deadline=marked(game.register.deadline),
        more="\n".join(["TO DECIDE", *asked, ""]) if asked else "",
        nothing=_unsent(game.register, side),
    )


def _unsent(register: Register, side: str) -> str:
    """Return what happens if nothing comes of a side until the deadline."""
    rule = rule_of(register) or Rule()
    said = {
        "standing": phrase("unsent_standing"),
        "hold": phrase("unsent_hold"),
        "wait": phrase("unsent_wait"),
        "bot": phrase("unsent_bot"),
        "replace": phrase("unsent_replace"),
    }[rule.nmr]
    if not rule.strikes:
        return said
    missed = strikes_of(register)[Side(side)] + 1
    if missed >= rule.strikes:
        return f"{said} {phrase('unsent_last', most=rule.strikes)}"
    return f"{said} {phrase('unsent_strike', missed=missed, most=rule.strikes)}"
