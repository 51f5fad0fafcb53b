"""Receipts: what the sender of one unit of mail is told of it, signed by the moderator."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.base.clock import now, stamp
from pbem.base.hashing import H, canonical_json, setup_digest
from pbem.crypto.sshsig import key_digest, wire_key
from pbem.model import System
from pbem.outbound.encrypt import enclose, readers
from pbem.outbound.notices import number_of
from pbem.store.game_dir import Game
from pbem.store.holders import Officer
from pbem.store.register import Register
from pbem.turns.close_window import report_of

FORMAT = "pbem-receipt/1"
SAID = {"revealed": "dice link received", "rekeyed": "key changed"}


def receipt_mail(
    game: Game,
    receipt: Mapping[str, Any],
    text: str,
    to: Sequence[str],
    officers: Sequence[Officer],
) -> bytes:
    """The mail of a receipt. to: addresses; officers: of the side, as they will be."""
    from pbem.outbound.addresses import sender
    from pbem.outbound.mime import Part, message
    from pbem.store import secrets

    side = receipt["side"]
    mail = message(
        to=to,
        sender=sender(game),
        subject=subject(receipt),
        message_id=secrets.message_id(game, side, number_of(game, side)),
        sent=receipt["received"],
        bodies=[Part("text/plain; charset=us-ascii", text.encode("ascii"))],
        attachments=[
            Part("application/json", canonical_json(receipt), "receipt.json"),
            Part("text/plain; charset=us-ascii", _encrypted(game, receipt), "receipt.seal"),
        ],
        thread=secrets.message_id(game, side, 1),
    )
    return enclose(game, side, "receipt", game.register.window, mail, officers)


def _encrypted(game: Game, receipt: Mapping[str, Any]) -> bytes:
    from pbem.crypto import statements
    from pbem.store import secrets

    g0 = setup_digest(game.register.setup) if game.register.setup else ""
    return statements.signed("receipt", g0, receipt, secrets.signing_key(game))


def subject(receipt: Mapping[str, Any]) -> str:
    """The subject of a receipt's mail."""
    bad = len(receipt["problems"])
    if receipt["code"] in SAID:
        return f"{receipt['game']} window {receipt['window']}: {SAID[receipt['code']]}"
    said = {
        "accepted": "orders received",
        "partly": f"orders received, {bad} NOT understood",
        "refused": f"orders REFUSED ({receipt['code']})",
        "known": "orders known already",
    }[receipt["status"]]
    return f"{receipt['game']} window {receipt['window']}: {said}"


def _standstill(register: Register) -> str:
    """Why no deadline runs: `over`, `held`; empty where one does."""
    return "over" if register.over else "held" if register.held else ""


def make_receipt(
    game: Game,
    system: System,
    side: str,
    facts: Mapping[str, Any],
    officers: Sequence[Officer] = (),
) -> dict[str, Any]:
    """A receipt as plain data; for unknown senders it says nothing of the game but its name.
    officers: as they will be, where its own record changes them."""
    from pbem.store import secrets

    register = game.register
    base: dict[str, Any] = {
        "format": FORMAT,
        "game": game.name,
        "title": system.title,
        "system": system.name,
        "side": side,
        "side_name": "sender unknown",
        "turn": 0,
        "label": "",
        "window": 0,
        "code": "",
        "reason": "",
        "hint": "",
        "understood": [],
        "problems": [],
        "without_orders": [],
        "defaults": [],
        "standing": [],
        "in_force": None,
        "replaces": None,
        "deadline": "",
        "opened": "",
        "received": stamp(now()),
        "tz": "",
        "head": register.head,
        "number": register.receipts.get(side, 0) + 1,
    }
    if side:
        if register.window:
            report = report_of(game, side, register.window)
            base |= {"side_name": report.side_name, "turn": report.turn, "label": report.label}
        else:
            base["side_name"] = side
        tz = secrets.zone_of(game, side)
        base |= {
            "window": register.window,
            "tz": tz,
            "deadline": register.deadline,
            "opened": register.opened_at,
            **({"state": state} if (state := _standstill(register)) else {}),
        }
    receipt = base | dict(facts)
    if to := readers(register, side, officers):
        receipt["readers"] = to
    receipt["moderator"] = key_digest(wire_key(register.created.moderator))
    receipt["digest"] = H("receipt", canonical_json(receipt)).hex()
    return receipt
