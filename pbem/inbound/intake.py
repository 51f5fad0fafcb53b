"""One file or mail in, one receipt out.

A set is judged against its sender's own report and the public board alone, so no answer can
tell what the sender does not know. Nothing here reads the truth.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from orders.canon import Unit, decode, streams
from orders.reading import Reading
from pbem.base.clock import now, stamp
from pbem.base.hashing import H, setup_digest
from pbem.crypto.sshsig import bare, verify
from pbem.dice import provable
from pbem.dice.chains import LINKED, NO_LINK
from pbem.errors import PbemError
from pbem.inbound.authenticate import (
    LARGEST,
    Input,
    Refusal,
    header_of,
    identify,
    is_form,
    require_current,
    require_link,
)
from pbem.inbound.decrypt import opened
from pbem.inbound.receipts import make_receipt, receipt_mail
from pbem.model import Side, System
from pbem.outbound.forward import reached
from pbem.outbound.notices import mail_name
from pbem.player.reader import defaults, problem, read_unit, standing, understood, without
from pbem.player.run_word import ahead_of
from pbem.store.game_dir import Game
from pbem.store.holders import Officer
from pbem.store.records import Received, Refused, Replaced, Resent, Revealed
from pbem.store.register import Register
from pbem.turns.close_window import report_of

MOST_REFUSED = 5
"""Refusals that one text is answered by; what is signed is heard however much stands before it."""

MOST_QUOTED = 20
"""Unsigned blocks of one text that are held against the forms of reports."""

Answer = Received | Refused | Resent | Revealed | Replaced
"""What the ledger holds of one unit of mail."""
NEVER_SILENT = (Received, Replaced, Revealed)
"""Records whose receipt nothing withholds."""
_KEYS = re.compile(rb"BEGIN[\s>|]+KEYS\b")


class Outcome(Struct):
    """What became of one unit of mail. status: accepted, partly, known, refused."""

    status: str
    receipt: dict[str, Any]
    text: str

    @property
    def good(self) -> bool:
        """Whether it brought an accepted or already known set."""
        return self.status in ("accepted", "known")


def take(game: Game, system: System, arrived: Input) -> list[Outcome]:
    """Judge everything in one input, record it, write its receipts; one outcome a unit.

    Units already known pass silently beside one that is new.
    """
    from pbem.store.secrets import keep_raw, raw_digest

    kept = raw_digest(game, arrived.raw) if arrived.mail else ""  # the whole mail is kept
    digest = kept or keep_raw(game, arrived.raw)
    try:
        inputs = opened(game, arrived)
    except Refusal as refusal:
        return [_refuse(game, system, refusal, arrived, digest)]
    outcomes: list[Outcome] = []
    for number, one in enumerate(inputs):
        mail = f"{arrived.mail}~{number}" if arrived.mail and number else arrived.mail
        outcomes += _take_text(game, system, replace(one, mail=mail), digest)
    news = [o for o in outcomes if o.status != "known"]
    return news or outcomes[:1]


def _take_text(game: Game, system: System, arrived: Input, digest: str) -> list[Outcome]:
    """Everything in one text, which nothing signatures any more."""
    if b"BEGIN REVEAL" in arrived.raw[:LARGEST].upper():
        if arrived.mail in game.register.affairs.handled:
            return []
        return [_take_reveal(game, system, arrived, digest)]
    if _KEYS.search(arrived.raw[:LARGEST].upper()):
        if arrived.mail in game.register.affairs.handled:
            return []
        return [_take_keys(game, system, arrived, digest)]
    try:
        units = units_of(arrived)
    except Refusal as refusal:
        return [_refuse(game, system, refusal, arrived, digest)]
    outcomes: list[Outcome] = []
    for unit, one in _news(game, worth(game, units, arrived), arrived):
        refused = sum(outcome.status == "refused" for outcome in outcomes)
        if refused < MOST_REFUSED or _holds(game, one, unit):
            outcomes.append(_take_unit(game, system, one, unit, digest))
    return outcomes


def _news(game: Game, units: Sequence[Unit], arrived: Input) -> list[tuple[Unit, Input]]:
    """Each unit once, as a mail of its own whose name depends on its place alone; units known
    already pass silently beside one that is new."""
    came: dict[tuple[bytes | str, bytes | None], tuple[Unit, Input]] = {}
    for unit in units:
        said = unit.canonical or unit.text[unit.span.start : unit.span.end]
        came.setdefault((said, unit.signature), (unit, arrived))
        arrived = _next(arrived)
    found, seen = list(came.values()), game.register.seen
    return [one for one in found if H("canonical", one[0].canonical).hex() not in seen] or found[:1]


def _holds(game: Game, arrived: Input, unit: Unit) -> bool:
    """Whether somebody of the game signed it."""
    if unit.error:
        return False  # and is not looked for in the text, of which it may be one of thousands
    try:
        identify(game, arrived, unit)
    except Refusal:
        return False
    return True


def _take_reveal(game: Game, system: System, arrived: Input, digest: str) -> Outcome:
    """A link that a player opens after the lock (docs/formats.md, "Locks and reveals")."""
    from pbem.player.joining import read_reveal
    from pbem.turns import strict_dice

    register, bad = game.register, "bad-reveal"
    by: Officer | None = None
    try:
        facts, signature = read_reveal(arrived.raw)
        g0 = setup_digest(register.setup) if register.setup else ""
        said = strict_dice.message(g0, int(facts["window"]), facts["lock"], facts["link"])
        by = verify(said, signature, strict_dice.NAMESPACE, register.signers())
        lock = register.locked.lock if register.locked else ""
        want = (game.name, str(register.window), lock, by.side)
        if (facts["game"], facts["window"], facts["lock"], facts["side"]) != want:
            raise Refusal(
                bad,
                "it answers another lock than that of the open window",
                "answer your newest notice",
                by,
            )
        if register.rerun:
            raise Refusal(
                bad,
                "the window runs again with the links that it had",
                "nothing is to be revealed; wait for your next report",
                by,
            )
        if by.side in register.reveals:
            return _known_again(game, system, by.side)
        strict_dice.check_reveal(register, by.side, by.number, facts["link"])
    except Refusal as refusal:
        return _refuse(game, system, refusal, arrived, digest)
    except (PbemError, ValueError) as error:
        wrong = Refusal(bad, str(error), "`pbem reveal` makes it from the notice", by)
        return _refuse(game, system, wrong, arrived, digest)
    body = Revealed(
        window=register.window,
        side=by.side,
        officer=by.number,
        lock=lock,
        link=facts["link"],
        signature=bare(signature).hex(),
    )
    told = {"status": "accepted", "code": "revealed", "in_force": _in_force(game, by.side)}
    return _record(game, system, body, told, arrived)


def _take_keys(game: Game, system: System, arrived: Input, digest: str) -> Outcome:
    """A player's change of his key (docs/formats.md, Keys)."""
    from pbem.admin import key_change
    from pbem.outbound.forward import handed_over
    from pbem.outbound.notices import notices
    from pbem.player.joining import read_keys
    from pbem.reports.key_notices import changed

    register = game.register
    by: Officer | None = None
    try:
        facts, signature = read_keys(arrived.raw)
        came = [one for one in register.later if one.proof and one.key == facts["key"]]
        if came:
            return _known_again(game, system, came[0].side)
        by, why = key_change.signer(register, facts, signature)
        body = key_change.body_of(register, by, why, facts, signature)
    except PbemError as error:
        hint = "`pbem rekey` makes it from your newest report"
        wrong = Refusal(key_change.CODE, error.message, hint, by)
        return _refuse(game, system, wrong, arrived, digest)
    told = {"status": "accepted", "code": "rekeyed", "in_force": _in_force(game, by.side)}
    said = changed(game.register, by.side, why, body.key)
    sides = [str(side) for side in register.sides]
    after = register.officers_after(body)
    also = notices(game, sides, said, "note", behind=by.side, officers=after)
    also |= handed_over(game, by.side, officers=after, after=2)
    return _record(game, system, body, told, arrived, also)


def _known_again(game: Game, system: System, side: str) -> Outcome:
    from pbem.reports import render

    facts = {"status": "known", "in_force": _in_force(game, side)}
    receipt = make_receipt(game, system, side, facts)
    return Outcome("known", receipt, render.receipt(receipt))


def worth(game: Game, units: list[Unit], arrived: Input) -> list[Unit]:
    """The units that count: beside signed ones, others are quotations; so is, beside what
    somebody wrote, the form of a report as it was sent."""
    if arrived.side or arrived.detached is not None:
        return units
    if found := [u for u in units if u.signature is not None or _torn(u)]:
        return found
    if not arrived.claims or not 1 < len(units) <= MOST_QUOTED:
        return units
    return [u for u in units if not is_form(game, arrived.claims, u)] or units[:1]


def _next(arrived: Input) -> Input:
    """The same mail for its next unit."""
    return replace(arrived, mail=arrived.mail + "+") if arrived.mail else arrived


def _torn(unit: Unit) -> bool:
    return any(fault.code == "damaged-signature" for fault in unit.faults)


def units_of(arrived: Input) -> list[Unit]:
    """The units of mail in an input. Raises Refusal when there is none to read."""
    if len(arrived.raw) > LARGEST:
        raise Refusal(
            "oversize",
            f"{len(arrived.raw)} bytes are more than a mail of orders may have",
            f"send the order file alone, {LARGEST} bytes at most",
        )
    if not arrived.raw.strip():
        raise Refusal("empty", "there is nothing in it", "send the order file from your report")
    units = streams(decode(arrived.raw), arrived.name)
    if not units and b"\0" in arrived.raw:
        raise Refusal("binary", "this is not text", "send the order file as plain text")
    if not units:
        raise Refusal("no-orders", "there is no BEGIN ORDERS in it", _instead(arrived.raw))
    return units


def _instead(raw: bytes) -> str:
    """What to do with a text that holds no orders."""
    if b"BEGIN PRESS" in raw.upper():
        return "press is taken from mail by `pbem tick`, or entered with `pbem press`"
    return "orders stand between BEGIN ORDERS and END ORDERS; your report holds a form"


def _take_unit(game: Game, system: System, arrived: Input, unit: Unit, digest: str) -> Outcome:
    if arrived.mail in game.register.affairs.handled:
        return Outcome("known", {}, "")
    try:
        officer, signature, message = identify(game, arrived, unit)
        header = header_of(game, officer, unit)
        known = H("canonical", unit.canonical).hex()
        if known in game.register.seen:
            return _known(game, system, officer, arrived)
        arrived = replace(arrived, arrival=arrived.arrival or stamp(now()))
        require_current(game, officer, header, arrived.arrival)
        return _accept(game, system, officer, unit, signature, replace(arrived, raw=message))
    except Refusal as refusal:
        said = _checked(game, system, arrived, unit) if refusal.code == "unsigned" else {}
        return _refuse(game, system, refusal, arrived, digest, said)


def _checked(game: Game, system: System, arrived: Input, unit: Unit) -> dict[str, Any]:
    """What an unsigned set from a registered address would have been, for its sender."""
    if not arrived.claims or not game.register.window:
        return {}
    officer = Officer(Side(arrived.claims), 0, "")
    try:
        header = header_of(game, officer, unit)
        require_current(game, officer, header, arrived.arrival or stamp(now()))
    except Refusal as also:
        return {"reason": f"not in force: these orders are not signed; also, {also.reason}"}
    report = report_of(game, officer.side, game.register.window)
    reading = read_unit(system, report, unit)
    return {
        "reason": "not in force: these orders are not signed",
        "understood": understood(system, report, reading),
        "problems": [problem(arrived.name, d) for d in reading.diagnostics],
    }


def _accept(
    game: Game, system: System, officer: Officer, unit: Unit, signature: bytes, arrived: Input
) -> Outcome:
    """Record a set whose header fits, with what its orders are understood as. Raises Refusal."""
    side, register = officer.side, game.register
    report = report_of(game, side, register.window)
    reading = read_unit(system, report, unit)
    assert reading.header is not None
    require_link(game, officer, reading.header, ahead_of(reading.orders))
    body = _received(register, officer, unit, signature, arrived, reading)
    facts = {
        "status": "partly" if reading.diagnostics else "accepted",
        "understood": understood(system, report, reading),
        "problems": [problem(arrived.name, d) for d in reading.diagnostics],
        "without_orders": without(report, reading),
        "defaults": defaults(report, reading),
        "standing": standing(system, reading, report),
        "in_force": {"seq": body.seq, "digest": body.order},
        "replaces": register.receipts.get(side) if side in register.sets else None,
    }
    if not officer.number:
        facts["hint"] = "entered for you by the moderator"
    return _record(game, system, body, facts, arrived)


def _received(
    register: Register,
    officer: Officer,
    unit: Unit,
    signature: bytes,
    arrived: Input,
    reading: Reading,
) -> Received:
    """What the ledger holds of an accepted set; what only its player can say (links, anchors,
    consent) is left out of one that the moderator enters."""
    header, words = reading.header, reading.orders.words
    assert header is not None
    signed, linked = bool(officer.number), register.created.dice in LINKED
    detached = arrived.detached is not None and unit.signature is None
    return Received(
        window=register.window,
        side=officer.side,
        officer=officer.number,
        seq=header.seq,
        digest=H("canonical", unit.canonical).hex(),
        order=provable.order_digest(unit.canonical, signature).hex(),
        canonical=unit.canonical.decode("ascii"),
        signature=signature.hex(),
        arrival=arrived.arrival,
        link=header.link.lower() if signed and header.link != NO_LINK else "",
        final=not reading.diagnostics or "FINAL" in words,
        refused_orders=len(reading.diagnostics),
        ahead=ahead_of(reading.orders),
        consent=words.get("CONSENT", "") if signed else "",
        anchor=header.anchor.lower() if signed and linked else "",
        raw=arrived.raw.hex() if detached else None,
    )


def _known(game: Game, system: System, officer: Officer, arrived: Input) -> Outcome:
    side = officer.side
    facts = {"status": "known", "in_force": _in_force(game, side)}
    if arrived.mail and not arrived.mute and not _answered(game, side, arrived):
        body = Resent(side=side, window=game.register.window)
        return _record(game, system, body, facts, arrived)
    receipt = make_receipt(game, system, side, facts)
    from pbem.reports import render

    return Outcome("known", receipt, render.receipt(receipt))


def _answered(game: Game, side: str, arrived: Input) -> bool:
    """Whether the side had its share of answers today, whoever sent its old mail again."""
    affairs = game.register.affairs
    had = affairs.answers.get(side, 0) if affairs.day == stamp(now())[:10] else 0
    return 0 < arrived.answers <= had


def _refuse(
    game: Game,
    system: System,
    refusal: Refusal,
    arrived: Input,
    digest: str,
    checked: Mapping[str, Any] | None = None,
) -> Outcome:
    side = refusal.by.side if refusal.by else arrived.claims
    body = Refused(
        code=refusal.code,
        raw=digest,
        window=game.register.window,
        side=side,
        claimed=bool(side and not refusal.by),
    )
    facts = {
        "status": "refused",
        "code": refusal.code,
        "reason": refusal.reason,
        "hint": refusal.hint,
        "problems": [problem(arrived.name, d) for d in refusal.problems],
        "in_force": _in_force(game, side),
        **(checked or {}),
    }
    return _record(game, system, body, facts, arrived)


def _in_force(game: Game, side: str) -> dict[str, Any] | None:
    taken = game.register.sets.get(Side(side))
    return {"seq": taken.seq, "digest": taken.order} if taken else None


def _record(
    game: Game,
    system: System,
    body: Answer,
    facts: dict[str, Any],
    arrived: Input,
    also: Mapping[str, bytes] | None = None,
) -> Outcome:
    """Commit the record with its receipt: what is acknowledged is on the disk. also: mails to sides
    that go out with it."""
    from pbem.reports import render

    side, officers = body.side, game.register.officers_after(body)
    receipt = make_receipt(game, system, side, facts, officers)
    text = render.receipt(receipt)
    files, mailed = dict(also or {}), [_addressee(name) for name in also or ()]
    if side and (isinstance(body, NEVER_SILENT) or not arrived.mute):
        claimed = isinstance(body, Refused) and body.claimed
        to = [arrived.reply] if claimed else reached(game, side)
        files[mail_name(game, side, "receipt")] = receipt_mail(game, receipt, text, to, officers)
        mailed = [side, *mailed]
    body = replace(
        body,
        receipt=receipt["digest"],
        mail=arrived.mail,
        mailed=mailed if files else None,
    )
    game.commit(body, files)
    return Outcome(facts["status"], receipt, text)


def _addressee(name: str) -> str:
    """The side that a file of the outbox goes to."""
    return name.removeprefix("outbox/").partition("-")[0]
