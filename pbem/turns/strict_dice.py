"""Dice of kind `strict`: orders are locked and the lock is told to all before any link is known.

A window that is due is locked (no more orders) and a notice goes to every side; each side then
mails its link, signed together with the lock. When all are in, or after a second deadline, the
window closes; a side whose link is missing then has its orders void for that window.
Bytes: docs/formats.md, "Locks and reveals".
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import msgspec

from pbem.base.clock import now, parse, stamp
from pbem.base.hashing import H, canonical_json
from pbem.base.mail_json import Lock
from pbem.base.schema import decoded, typed
from pbem.dice import provable
from pbem.errors import Busy, Usage
from pbem.model import Side
from pbem.store.ordering import by_side
from pbem.store.records import Locked, Noted, SetInForce
from pbem.text.messages import Note, worded

if TYPE_CHECKING:
    from pbem.dice.chains import Purse
    from pbem.store.game_dir import Game
    from pbem.store.register import Register
LOCK, REVEAL = "pbem-lock/1", "pbem-reveal/1"
AS_IT_CAME = "use the mail of the notice, or lock.json out of it, as it came"
NAMESPACE = "reveal@pbem"
HOURS = 48
"""How long links are awaited in a game with deadlines."""


def awaited(register: Register) -> list[Side]:
    """The sides whose link a locked window waits for (or would, if it were locked now): those
    whose set in force was signed by a key with an anchor that counts behind the lock."""
    from pbem.store.holders import newest

    named, sets = register.anchors_locked(), register.sets
    return [
        side
        for side in by_side(register, sets, lambda side: (side, 0))
        if side not in register.reveals and newest(named, side, sets[side].officer, register.window)
    ]


def due(register: Register) -> str:
    """Why a locked window may close; empty when it may not."""
    if not awaited(register):
        return "all links are revealed"
    late = register.locked.deadline if register.locked else ""
    return "the deadline of the links has passed" if late and now() >= parse(late) else ""


def require_links(game: Game, sets: dict[Side, SetInForce], lock: str, force: bool) -> None:
    """Lock the open window if it is not locked yet. Raises Busy while links are awaited.

    sets, lock: what a closed window records. force: a locked window waits no longer.
    """
    register = game.register
    if register.locked and (force or due(register)):
        return
    fresh = not register.locked
    if fresh:
        _lock(game, sets, lock)
    if missing := ", ".join(awaited(register)):
        told = "the notices are in the outbox; " if fresh else ""
        raise Busy(
            f"window {register.window} of {game.name} is locked; it waits for the links of "
            f"{missing}",
            f"{told}players answer with `pbem reveal`; `--now` makes orders without link void",
        )


def owes(facts: Mapping[str, Any]) -> bool:
    """Whether a notice, by what stands in it, wants a link: the side has orders in force, and a
    dice anchor that counts."""
    counts = any(one["from"] <= facts["window"] for one in facts["anchors"].get(facts["side"], ()))
    return facts["own"] != "NMR" and counts


def tell_awaited(game: Game) -> list[Side]:
    """Tell all sides, once a window, whose links are still awaited when half the time for them is
    over; these sides, none where nothing was told."""
    register = game.register
    late, waiting = register.locked.deadline if register.locked else "", awaited(register)
    if not late or not waiting or register.awaited:
        return []
    if now() < parse(late) - timedelta(hours=HOURS) / 2:
        return []
    from pbem.outbound.announcements import announce
    from pbem.text.layout import date

    names = [str(side) for side in waiting]
    said = worded("awaited", window=register.window, sides=", ".join(names), due=date(late))
    sides = [str(side) for side in register.sides]
    announce(game, Noted(sides=sides, awaited=names), said)
    return waiting


def message(g0: str, window: int, lock: str, link: str) -> bytes:
    """What a player signs to reveal his link."""
    return f"{g0} {window} {lock} {link}".encode("ascii")


def notice(register: Register, side: Side, body: Locked) -> dict[str, Any]:
    """What a side is told of a lock, its digest included."""
    from pbem.base.hashing import setup_digest
    from pbem.crypto.sshsig import key_digest, wire_key
    from pbem.outbound.encrypt import readers
    from pbem.turns.open_window import anchors

    named = register.anchors_locked()
    if register.protocol < 2:
        named = register.anchors_at(register.window)
    facts = {
        "format": LOCK,
        "game": register.created.game,
        "side": side,
        "setup": setup_digest(register.setup),
        "window": body.window,
        "lock": body.lock,
        "own": body.sets[side].order,
        "anchors": msgspec.to_builtins(anchors(register, named)),
        "deadline": body.deadline,
        "moderator": key_digest(wire_key(register.created.moderator)),
    }
    if to := readers(register, side):
        facts["readers"] = to
    return facts | {"digest": H("lock-notice", canonical_json(facts)).hex()}


def reveal(facts: Mapping[str, Any], purse: Purse) -> str:
    """The answer to a notice: the link of its window, signed with the lock. Raises Usage."""
    from pbem.crypto.sshsig import bare, key_digest, sign
    from pbem.player.joining import block

    game, side, window = facts["game"], facts["side"], facts["window"]
    mine = [
        a["anchor"]
        for a in facts["anchors"][side]
        if a["key"] == key_digest(purse.key.wire) and a["from"] <= window
    ]
    links = purse.find(game, side, mine[-1], facts.get("moderator", "")) if mine else []
    if not links:
        raise Usage("no dice anchor of this key counts in that window", "nothing is to be revealed")
    link = links[window].hex()
    said = {k: facts[k] for k in ("game", "side", "lock")} | {
        "format": REVEAL,
        "link": link,
        "window": str(window),
    }
    signature = sign(message(facts["setup"], window, facts["lock"], link), purse.key, NAMESPACE)
    return block("REVEAL", said, bare(signature))


def read_notice(raw: bytes, where: str = "the notice") -> dict[str, Any]:
    """A lock.json, which messages call `where`. Raises Usage."""
    found = decoded(raw, where, AS_IT_CAME)
    typed(found, Lock, where, AS_IT_CAME)
    facts: dict[str, Any] = typed(found, dict[str, Any], where, AS_IT_CAME)
    own = {k: v for k, v in facts.items() if k != "digest"}
    if facts["digest"] != H("lock-notice", canonical_json(own)).hex():
        raise Usage(f"{where}: its digest does not fit: it was altered or cut short", AS_IT_CAME)
    return facts


def _lock(game: Game, sets: dict[Side, SetInForce], lock: str) -> None:
    register = game.register
    late = stamp(now() + timedelta(hours=HOURS)) if register.deadline else ""
    body = Locked(
        window=register.window, lock=lock, sets=sets, deadline=late, mailed=list(register.sides)
    )
    game.commit(body, dict(_lock_mail(game, side, body) for side in register.sides))


def _lock_mail(game: Game, side: Side, body: Locked) -> tuple[str, bytes]:
    """The mail that tells a side of the lock, and its file in the outbox."""
    from pbem.crypto import statements
    from pbem.outbound.addresses import sender
    from pbem.outbound.encrypt import enclose
    from pbem.outbound.mime import Part
    from pbem.outbound.mime import message as mail
    from pbem.outbound.notices import mail_name, number_of
    from pbem.reports import render
    from pbem.store import secrets

    register, facts = game.register, notice(game.register, side, body)
    signature = statements.signed("lock", facts["setup"], facts, secrets.signing_key(game))
    said = Note(
        f"window {register.window} is locked", render.lock(facts, side in awaited(register))
    )
    content = mail(
        to=[a["email"] for a in secrets.addresses(game).get(side, []) if a["email"]],
        sender=sender(game),
        subject=f"{game.name}: {said.subject}",
        message_id=secrets.message_id(game, side, number_of(game, side)),
        sent=stamp(now()),
        bodies=[Part("text/plain; charset=us-ascii", said.text.encode("ascii"))],
        attachments=[
            Part("application/json", canonical_json(facts), "lock.json"),
            Part("text/plain; charset=us-ascii", signature, "lock.seal"),
        ],
        thread=secrets.message_id(game, side, 1),
    )
    encrypted = enclose(game, side, "lock", register.window, content)
    return mail_name(game, side, "lock"), encrypted


def check_reveal(register: Register, side: str, officer: int, link: str) -> None:
    """Raise BadProof unless this is the link of the key whose set is in force."""
    taken = register.sets.get(Side(side))
    anchor = register.anchor_of(side, officer)
    if taken is None or taken.officer != officer or not anchor:
        raise provable.BadProof("bad-link", f"no link of this key of {side} is awaited")
    known = (0, bytes.fromhex(anchor))
    provable.check_link(register.created.game, side, register.window, bytes.fromhex(link), known)
