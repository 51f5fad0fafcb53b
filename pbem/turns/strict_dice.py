"""Dice of kind `strict`: orders are locked before anybody reveals a link.

A window that is due is locked: it takes no more orders, and every side is mailed a notice of the
lock. Each side then mails its link, signed together with the lock, unless its orders gave links
ahead (LINKS). The window closes when all links are in, or after a second deadline. The orders of a
side without its link are void in that window; otherwise a side could see that the dice are bad,
keep its link back and change the result at no cost. Bytes: docs/formats.md, "Locks and reveals".
Why: docs/trust.md, "Kinds of dice".
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import msgspec

from pbem.base.clock import now, parse, stamp
from pbem.base.hashing import H, canonical_json
from pbem.base.mail_json import Lock
from pbem.base.schema import decoded, typed
from pbem.dice import provable
from pbem.errors import Busy, Usage
from pbem.model import Plain, Side
from pbem.store.ordering import by_side
from pbem.store.records import Locked, Noted, SetInForce
from pbem.store.seats import mailed_seats
from pbem.text.messages import Note, fill_note, subject_of
from pbem.turns import links

if TYPE_CHECKING:
    from pbem.dice.chains import DiceChains
    from pbem.store.game_dir import Game
    from pbem.store.register import Register
LOCK, REVEAL = "pbem-lock/1", "pbem-reveal/1"
UNCHANGED = "use the mail of the notice, or its attachment lock.json, exactly as you received it"
NAMESPACE = "reveal@pbem"
REVEAL_HOURS = 48
"""How long a locked window of a game with deadlines waits for links."""


def awaited(register: Register) -> list[Side]:
    """Return the sides whose link is missing, in the scenario's order.

    A side owes a link if its set in force was signed by a key whose anchor counts once the window
    is locked, and it did not give the link ahead. A window that is not locked yet is treated as if
    it were locked now.
    """
    from pbem.store.holders import newest

    named, sets, lent = register.anchors_locked(), register.sets, links.lent(register)
    return [
        side
        for side in by_side(register, sets, lambda side: (side, 0))  # a role has no anchor
        if side not in register.reveals
        and side not in lent
        and newest(named, side, sets[side].officer, register.window)
    ]


def due(register: Register) -> str:
    """Return why a locked window may close; empty if it may not."""
    if not awaited(register):
        return "all links are revealed"
    late = register.locked.deadline if register.locked else ""
    return "the deadline of the links has passed" if late and now() >= parse(late) else ""


def require_links(game: Game, sets: dict[Side, SetInForce], lock: str, force: bool) -> None:
    """Lock the open window if it is not locked yet. Raises Busy while links are missing.

    sets, lock: as the record `closed` will have them. force: close a locked window without the
    missing links. It never skips the lock itself: a window that is locked by this call still waits,
    because its sides have not had a chance to reveal their links.
    """
    register = game.register
    if register.locked and (force or due(register)):
        return
    fresh = not register.locked
    if fresh:
        _lock(game, sets, lock)
    if missing := ", ".join(awaited(register)):
        sent = "the notices are in the outbox; " if fresh else ""
        raise Busy(
            f"window {register.window} of {game.name} is locked; it waits for the links of "
            f"{missing}",
            f"{sent}players answer with `pbem reveal`; `--now` makes orders without a link void",
        )


def owes(facts: Plain) -> bool:
    """Return whether the side of a lock.json must reveal a link.

    It must if it has orders in force and a dice anchor that counts, and gave no link ahead. Only
    the notice is read, so that a player's program can decide this.
    """
    counts = any(one["from"] <= facts["window"] for one in facts["anchors"].get(facts["side"], ()))
    return facts["own"] != "NMR" and counts and facts["side"] not in facts.get("carried", {})


def tell_awaited(game: Game) -> list[Side]:
    """Announce to all sides whose links are missing, once half of the time for links is over.

    This happens once a window. Returns these sides; none if nothing was announced.
    """
    register = game.register
    late, waiting = register.locked.deadline if register.locked else "", awaited(register)
    if not late or not waiting or register.awaited:
        return []
    if now() < parse(late) - timedelta(hours=REVEAL_HOURS) / 2:
        return []
    from pbem.outbound.announcements import announce
    from pbem.text.layout import marked

    names = [str(side) for side in waiting]
    said = fill_note("awaited", window=register.window, sides=", ".join(names), due=marked(late))
    sides = [str(side) for side in mailed_seats(register)]
    announce(game, Noted(sides=sides, awaited=names), said)
    return waiting


def message(g0: str, window: int, lock: str, link: str) -> bytes:
    """Return the bytes that a player signs to reveal a link. Digests are in hex.

    The lock is in them, so that the signature shows that the player knew which orders were fixed.
    """
    return f"{g0} {window} {lock} {link}".encode("ascii")


def notice(register: Register, side: Side, body: Locked) -> Plain:
    """Return the lock.json of a side as JSON data, with its digest."""
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
    if lent := links.lent(register):
        facts["carried"] = lent
    return facts | {"digest": H("lock-notice", canonical_json(facts)).hex()}


def reveal(facts: Plain, dice_chains: DiceChains) -> str:
    """Return the answer to a notice as a REVEAL block: the link, signed together with the lock.

    facts: a lock.json. Raises Usage if no anchor of the dice_chains's key counts in that window.
    """
    from pbem.crypto.sshsig import bare, key_digest, sign
    from pbem.player.joining import block

    game, side, window = facts["game"], facts["side"], facts["window"]
    mine = [
        a["anchor"]
        for a in facts["anchors"][side]
        if a["key"] == key_digest(dice_chains.key.wire) and a["from"] <= window
    ]
    chain = dice_chains.find(game, side, mine[-1], facts.get("moderator", "")) if mine else []
    if not chain:
        raise Usage(
            "no dice anchor of this key counts in that window", "there is nothing to reveal"
        )
    link = chain[window].hex()
    said = {k: facts[k] for k in ("game", "side", "lock")} | {
        "format": REVEAL,
        "link": link,
        "window": str(window),
    }
    signature = sign(
        message(facts["setup"], window, facts["lock"], link), dice_chains.key, NAMESPACE
    )
    return block("REVEAL", said, bare(signature))


def read_notice(raw: bytes, where: str = "the notice") -> Plain:
    """Return the data of a lock.json; error messages call it `where`.

    Raises Usage if a field is missing or wrong, or if the digest does not match. Unknown fields
    stay, because the digest covers them. The statement in lock.seal is not checked here.
    """
    found = decoded(raw, where, UNCHANGED)
    typed(found, Lock, where, UNCHANGED)
    facts: Plain = typed(found, dict[str, object], where, UNCHANGED)
    own = {k: v for k, v in facts.items() if k != "digest"}
    if facts["digest"] != H("lock-notice", canonical_json(own)).hex():
        raise Usage(f"{where}: its digest does not match: it was changed or cut short", UNCHANGED)
    return facts


def _lock(game: Game, sets: dict[Side, SetInForce], lock: str) -> None:
    """Commit the record `locked` together with the mails that announce it."""
    register = game.register
    late = stamp(now() + timedelta(hours=REVEAL_HOURS)) if register.deadline else ""
    body = Locked(
        window=register.window,
        lock=lock,
        sets=sets,
        deadline=late,
        mailed=list(mailed_seats(register)),
    )
    game.commit(body, dict(_lock_mail(game, side, body) for side in mailed_seats(register)))


def _lock_mail(game: Game, side: Side, body: Locked) -> tuple[str, bytes]:
    """Return the notice of the lock for a side: its file in the outbox, and the mail."""
    from pbem.crypto import statements
    from pbem.outbound.addresses import sender
    from pbem.outbound.encrypt import enclose
    from pbem.outbound.mime import PLAIN, Part
    from pbem.outbound.mime import message as mail
    from pbem.outbound.notices import mail_name, number_of
    from pbem.reports import render
    from pbem.store import secrets

    register, facts = game.register, notice(game.register, side, body)
    signature = statements.signed("lock", facts["setup"], facts, secrets.signing_key(game))
    owed, zone = side in awaited(register), secrets.zone_of(game, side)
    note = Note(f"window {register.window} is locked", render.lock(facts, owed, zone))
    content = mail(
        to=secrets.reached(game, side),
        sender=sender(game),
        subject=subject_of(game.name, note),
        message_id=secrets.message_id(game, side, number_of(game, side)),
        sent=stamp(now()),
        bodies=[Part(PLAIN, note.text.encode("ascii"))],
        attachments=[
            Part("application/json", canonical_json(facts), "lock.json"),
            Part(PLAIN, signature, "lock.seal"),
        ],
        thread=secrets.message_id(game, side, 1),
    )
    encrypted = enclose(game, side, "lock", register.window, content)
    return mail_name(game, side, "lock"), encrypted


def check_reveal(register: Register, side: str, officer: int, link: str) -> None:
    """Raise BadProof unless `link` (hex) is the open window's link of the officer's chain, and this
    officer signed the side's set in force."""
    in_force = register.sets.get(Side(side))
    anchor = register.anchor_of(side, officer)
    if in_force is None or in_force.officer != officer or not anchor:
        raise provable.BadProof("bad-link", f"no link is expected from this key of {side}")
    if side in links.lent(register):
        raise provable.BadProof("bad-link", f"the link of {side} came ahead, with its orders")
    known = (0, bytes.fromhex(anchor))
    provable.check_link(register.created.game, side, register.window, bytes.fromhex(link), known)
