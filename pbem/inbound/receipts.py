"""Receipts: what the sender of one unit of mail is told of it, signed by the moderator."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Literal

from msgspec import UNSET, UnsetType, structs

from pbem.base.clock import now, stamp
from pbem.base.hashing import canonical_json, setup_digest
from pbem.base.mail_json import Judgement, Receipt, with_digest
from pbem.crypto.sshsig import key_digest, wire_key
from pbem.model import Plain, System
from pbem.outbound.addresses import list_headers, reply
from pbem.outbound.encrypt import enclose, readers
from pbem.outbound.notices import number_of
from pbem.store.game_dir import Game
from pbem.store.holders import Officer
from pbem.store.register import Register
from pbem.turns.close_window import report_of
from pbem.turns.schedule import OFF, rule_of

LONGEST = 120
"""Characters that a receipt's subject has at most."""


def receipt_mail(
    game: Game,
    receipt: Plain,
    text: str,
    to: Sequence[str],
    officers: Sequence[Officer],
) -> bytes:
    """The mail of a receipt. to: addresses; officers: of the side, as they will be."""
    from pbem.outbound.addresses import sender
    from pbem.outbound.mime import HTML, PLAIN, Part, message
    from pbem.reports import render
    from pbem.store import secrets

    side, act = receipt["side"], _change(game, receipt)
    # No page in an encrypted mail: its size would tell how much was understood.
    pages = [] if game.register.encrypted else [render.receipt_page(receipt, act)]
    page = [Part(HTML, one.encode()) for one in pages]
    mail = message(
        to=to,
        sender=sender(game),
        listed=list_headers(game),
        subject=subject(receipt),
        message_id=secrets.message_id(game, side, number_of(game, side)),
        sent=receipt["received"],
        bodies=[
            Part(PLAIN, text.encode("ascii")),
            *page,
        ],
        attachments=[
            Part("application/json", canonical_json(receipt), "receipt.json"),
            Part(PLAIN, _statement(game, receipt), "receipt.seal"),
        ],
        thread=secrets.message_id(game, side, 1),
    )
    return enclose(game, side, "receipt", game.register.window, mail, officers)


def _change(game: Game, receipt: Plain) -> str:
    """The link by which the sender of a receipt changes the orders; empty where none are due."""
    from pbem.reports import render

    register, side = game.register, receipt["side"]
    if not side or not register.window or register.over or receipt["code"]:
        return ""
    report = report_of(game, side, register.window).plain
    return render.answer_link(report, render.form(report), reply(game))


def _statement(game: Game, receipt: Plain) -> bytes:
    from pbem.crypto import statements
    from pbem.store import secrets

    g0 = setup_digest(game.register.setup) if game.register.setup else ""
    return statements.signed("receipt", g0, receipt, secrets.signing_key(game))


def subject(receipt: Plain) -> str:
    """The subject of a receipt's mail: `[hunt] 12 orders: 11 count, 1 does not (Rodney)`."""
    from pbem.reports.filters import receipt_lead
    from pbem.text.layout import ascii_fold

    said = receipt_lead(receipt).partition(". ")[0].rstrip(".")
    if receipt["status"] == "refused":
        said = f"{said}: {receipt['reason']}"
    actors = [str(p["line"]).partition(":") for p in receipt["problems"] if p["line"]]
    named = dict.fromkeys(who.strip() for who, colon, _ in actors if colon)
    if 0 < len(named) < 3:
        said += f" ({', '.join(named).title()})"
    return _cut(ascii_fold(f"[{receipt['game']}] {said}"))


def _cut(said: str) -> str:
    """A subject that is not too long: up to the last whole part of a sentence, else word."""
    if len(said) <= LONGEST:
        return said.strip()
    short = said[:LONGEST].rpartition(" ")[0]
    parts = re.match(r"(.*\w.{20,})[:;,]\s", short)
    return parts[1] if parts else f"{short} ..."


def _standstill(register: Register) -> Literal["over", "held"] | UnsetType:
    """Why no deadline runs; absent where one does."""
    return "over" if register.over else "held" if register.held else UNSET


def _early(register: Register) -> int | UnsetType:
    """How long after the last set the window closes early; absent where it waits for its deadline,
    or closes by hand."""
    rule = rule_of(register) if register.deadline else None
    return rule.early if rule and rule.early != OFF else UNSET


def compose(
    game: Game, system: System, side: str, said: Judgement, officers: Sequence[Officer] = ()
) -> dict[str, Any]:
    """A receipt as JSON data, with its digest; it tells unknown senders nothing of the game but
    its name. officers: as they will be, where the receipt's own record changes them."""
    register = game.register
    receipt = Receipt(
        **structs.asdict(said),
        game=game.name,
        title=system.title,
        system=system.name,
        side=side,
        side_name="sender unknown",
        received=stamp(now()),
        head=register.head,
        number=register.receipts.get(side, 0) + 1,
        moderator=key_digest(wire_key(register.created.moderator)),
        readers=readers(register, side, officers) or UNSET,
    )
    return with_digest("receipt", _addressed(game, side, receipt) if side else receipt)


def _addressed(game: Game, side: str, receipt: Receipt) -> Receipt:
    """A receipt with what a side may know of its game."""
    from pbem.store import secrets
    from pbem.store.preferences import preferences_of

    register, about = game.register, {"side_name": side, "turn": 0, "label": ""}
    if register.window:
        report = report_of(game, side, register.window)
        about = {"side_name": report.side_name, "turn": report.turn, "label": report.label}
    return structs.replace(
        receipt,
        **about,
        window=register.window,
        tz=secrets.zone_of(game, side),
        dates="iso" if preferences_of(register, side).dates == "iso" else UNSET,
        deadline=register.deadline,
        opened=register.opened_at,
        state=_standstill(register),
        early=_early(register),
        alone=True if tuple(register.owing) == (side,) else UNSET,
    )
