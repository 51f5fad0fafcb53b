"""One file or mail in, one receipt out.

A set is judged against its sender's own report and the public board alone, so no answer can
tell what the sender does not know. Nothing here reads the truth.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from orders.canon import Unit, decode, streams
from orders.model import Header
from orders.reading import Diagnostic, locate
from pbem import provable
from pbem.chains import LINKED, NO_LINK
from pbem.clock import now, stamp
from pbem.errors import PbemError
from pbem.game import Game
from pbem.hashing import H, canonical_json
from pbem.issue import g0_of
from pbem.model import Side, System
from pbem.reader import defaults, problem, read_unit, standing, understood, without
from pbem.register import Officer
from pbem.resolve import STRICT, report_of
from pbem.seal import BadSignature, bare, dearmour, key_digest, parse, verify, wire_key

LARGEST = 256 * 1024
NAMESPACE = "orders@pbem"
FORMAT = "pbem-receipt/1"


class Refusal(Exception):  # noqa: N818
    """Why a whole set is refused. code: a word; hint: what to do next; by: whose set it is."""

    def __init__(
        self, code: str, reason: str, hint: str, by: Officer | None = None,
        problems: Sequence[Diagnostic] = (),
    ) -> None:  # fmt: skip
        super().__init__(reason)
        self.code, self.reason, self.hint, self.by = code, reason, hint, by
        self.problems = list(problems)


class Input(Struct, frozen=True):
    """Something that arrived. name: what to call it in messages; raw: its bytes; detached: the
    signature file that came with it; side: entered by the moderator for that side. By mail: mail
    names it in the ledger, so that nothing is taken twice; arrival: when the mailbox got it;
    claims: whose address it came from; reply: that address; mute: no machine may answer it,
    unless it brings a new valid set."""

    name: str
    raw: bytes
    detached: bytes | None = None
    side: str = ""
    mail: str = ""
    arrival: str = ""
    claims: str = ""
    reply: str = ""
    mute: bool = False


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
    from pbem.private import keep_raw, raw_digest

    kept = raw_digest(game, arrived.raw) if arrived.mail else ""  # the whole mail is kept
    digest = kept or keep_raw(game, arrived.raw, "orders")
    if b"BEGIN REVEAL" in arrived.raw[:LARGEST].upper():
        if arrived.mail in game.register.affairs.handled:
            return []
        return [_take_reveal(game, system, arrived, digest)]
    try:
        units = units_of(arrived)
    except Refusal as refusal:
        return [_refuse(game, system, refusal, arrived, digest)]
    outcomes = []
    for unit in worth(units, arrived):
        outcomes.append(_take_unit(game, system, arrived, unit, digest))
        arrived = _next(arrived)
    news = [o for o in outcomes if o.status != "known"]
    return news or outcomes[:1]


def _take_reveal(game: Game, system: System, arrived: Input, digest: str) -> Outcome:
    """A link that a player opens after the lock (DESIGN, Dice: strict)."""
    from pbem import strict
    from pbem.joining import read_reveal

    register, bad = game.register, "bad-reveal"
    by: Officer | None = None
    try:
        facts, signature = read_reveal(arrived.raw)
        said = strict.message(
            g0_of(register.setup) if register.setup else "", int(facts["window"]), facts["lock"],
            facts["link"],
        )  # fmt: skip
        by = verify(said, signature, strict.NAMESPACE, register.keys())
        lock = register.locked.get("lock")
        want = (game.name, str(register.window), lock, by.side)
        if (facts["game"], facts["window"], facts["lock"], facts["side"]) != want:
            raise Refusal(bad, "it answers another lock than that of the open window",
                          "answer your newest notice", by)  # fmt: skip
        if by.side in register.reveals:
            return _known_reveal(game, system, by.side)
        strict.check_reveal(register, by.side, by.number, facts["link"])
    except Refusal as refusal:
        return _refuse(game, system, refusal, arrived, digest)
    except (PbemError, ValueError) as error:
        wrong = Refusal(bad, str(error), "`pbem reveal` makes it from the notice", by)
        return _refuse(game, system, wrong, arrived, digest)
    body = {
        "window": register.window, "side": by.side, "officer": by.number, "lock": lock,
        "link": facts["link"], "signature": bare(signature).hex(),
    }  # fmt: skip
    told = {"status": "accepted", "code": "revealed", "in_force": _in_force(game, by.side)}
    return _record(game, system, "revealed", body, by.side, told, arrived)


def _known_reveal(game: Game, system: System, side: str) -> Outcome:
    from pbem import render

    facts = {"status": "known", "in_force": _in_force(game, side)}
    receipt = make_receipt(game, system, side, facts)
    return Outcome("known", receipt, render.receipt(receipt))


def worth(units: list[Unit], arrived: Input) -> list[Unit]:
    """The units that count: beside signed ones, others are quotations of a form."""
    if arrived.side or arrived.detached is not None:
        return units
    return [u for u in units if u.signature is not None or _torn(u)] or units


def _next(arrived: Input) -> Input:
    """The same mail for its next unit."""
    return replace(arrived, mail=arrived.mail + "+") if arrived.mail else arrived


def _torn(unit: Unit) -> bool:
    return any(fault.code == "bad-seal" for fault in unit.faults)


def units_of(arrived: Input) -> list[Unit]:
    """The units of mail in an input. Raises Refusal when there is none to read."""
    if len(arrived.raw) > LARGEST:
        raise Refusal(
            "oversize", f"{len(arrived.raw)} bytes are more than a mail of orders may have",
            f"send the order file alone, {LARGEST} bytes at most",
        )  # fmt: skip
    if not arrived.raw.strip():
        raise Refusal("empty", "there is nothing in it", "send the order file from your report")
    if b"\0" in arrived.raw and arrived.raw[:2] not in (b"\xff\xfe", b"\xfe\xff"):
        raise Refusal("binary", "this is no text", "send the order file as plain text")
    units = streams(decode(arrived.raw), arrived.name)
    if not units:
        raise Refusal(
            "no-orders", "there is no BEGIN ORDERS in it",
            "orders stand between BEGIN ORDERS and END ORDERS; your report holds a form",
        )  # fmt: skip
    return units


def _take_unit(game: Game, system: System, arrived: Input, unit: Unit, digest: str) -> Outcome:
    if arrived.mail in game.register.affairs.handled:
        return Outcome("known", {}, "")
    try:
        officer, signature = identify(game, arrived, unit)
        header = _header(system, game, officer, unit)
        known = H("canonical", unit.canonical).hex()
        if known in game.register.seen:
            return _known(game, system, officer, arrived)
        _require_current(game, officer, header)
        return _accept(game, system, officer, unit, signature, arrived)
    except Refusal as refusal:
        said = _checked(game, system, arrived, unit) if refusal.code == "unsigned" else {}
        return _refuse(game, system, refusal, arrived, digest, said)


def _checked(game: Game, system: System, arrived: Input, unit: Unit) -> dict[str, Any]:
    """What an unsigned set from a registered address would have been, for its sender."""
    if not arrived.claims or not game.register.window:
        return {}
    officer = Officer(Side(arrived.claims), 0, "")
    try:
        _require_current(game, officer, _header(system, game, officer, unit))
    except Refusal as also:
        return {"reason": f"not in force: these orders are not signed; also, {also.reason}"}
    report = report_of(game, officer.side, game.register.window)
    reading = read_unit(system, report, unit)
    return {
        "reason": "not in force: these orders are not signed",
        "understood": understood(system, report, reading),
        "problems": [problem(arrived.name, d) for d in reading.diagnostics],
    }


def identify(game: Game, arrived: Input, unit: Unit) -> tuple[Officer, bytes]:
    """Whose unit it is, by its signature alone; moderator-entered sets are `--for` a side's."""
    keys = game.register.keys()
    if unit.error:
        bad = locate(unit, unit.error)
        raise Refusal(unit.error.code, unit.error.text, unit.error.hint, _signer(keys, unit), [bad])
    if arrived.side:
        return Officer(Side(arrived.side), 0, ""), os.urandom(64)  # nobody may guess its digest
    if unit.signature is None and arrived.detached is None:
        raise Refusal(
            "unsigned", "these orders are not signed",
            "`pbem sign ORDERS --key FILE --report report.json` signs them; send what it writes",
        )  # fmt: skip
    try:
        message, signature = _signed(arrived, unit)
        return verify(message, signature, NAMESPACE, keys), bare(signature)
    except BadSignature as error:
        hint = error.hint or "`pbem sign` signs orders; send what it writes, unchanged"
        raise Refusal(error.code, error.message, hint, _signer(keys, unit)) from None


def _signed(arrived: Input, unit: Unit) -> tuple[bytes, bytes]:
    """What was signed and the signature: a block's own, else that of the file beside it, which
    stock tools make in armour over the file's own bytes. Raises BadSignature."""
    if unit.signature is not None:
        return unit.canonical, unit.signature
    detached = arrived.detached or b""
    return arrived.raw, dearmour(detached) if detached.lstrip()[:5] == b"-----" else detached


def _signer(keys: Mapping[bytes, Officer], unit: Unit) -> Officer | None:
    """Who signed a damaged unit, by the key that the signature names (to answer him, no more)."""
    try:
        return keys.get(parse(unit.signature or b"").key)
    except BadSignature:
        return None


def _header(system: System, game: Game, officer: Officer, unit: Unit) -> Header:
    from orders.header import read_header

    header, _, faults = read_header(unit.tokens)
    if header is None:
        raise Refusal(
            faults[0].code, faults[0].text, faults[0].hint or "copy the header from your form",
            officer, [locate(unit, f) for f in faults],
        )  # fmt: skip
    _require_own(game, officer, header)
    return header


def _require_own(game: Game, officer: Officer, header: Header) -> None:
    """The header must be of this game, set-up, side and moderator."""
    register = game.register
    if header.game.lower() != game.name:
        raise Refusal(
            "wrong-game",
            f"this is game {game.name}, the orders are for {header.game}",
            "send them to that game",
            officer,
        )
    if not register.window:
        raise Refusal("not-open", "the game has not begun", "wait for your first report", officer)
    if header.setup.lower() != g0_of(register.setup):
        raise Refusal(
            "wrong-setup",
            "the set-up digest is not this game's",
            "copy the header from your own report of this game",
            officer,
        )
    if header.side.lower() != officer.side:
        raise Refusal(
            "wrong-side",
            f"your key is registered for {officer.side}, the orders say {header.side.lower()}",
            "use the form of your own report",
            officer,
        )
    key = key_digest(wire_key(register.created["moderator"]))
    if not key.startswith(header.moderator.lower()):
        raise Refusal(
            "wrong-moderator",
            "the moderator's key is not this game's",
            "copy the header from your own report",
            officer,
        )


def _require_current(game: Game, officer: Officer, header: Header) -> None:
    """The header must answer this side's report of the open window, with a fresh sequence."""
    register, window = game.register, game.register.window
    if register.over:
        raise Refusal("game-over", "the game is over", "nothing more is needed", officer)
    if header.window < window - 1:
        raise Refusal(
            "old-window",
            f"window {header.window} closed long ago; {window} is open",
            "answer your newest report",
            officer,
        )
    if header.window < window or (header.window == window and register.rerun):
        raise Refusal(
            "late",
            f"window {header.window} has closed; {window} is open",
            "answer your newest report; `pbem form` makes its order form",
            officer,
        )
    if header.window > window:
        raise Refusal(
            "wrong-window",
            f"window {header.window} is not open; {window} is",
            "answer your newest report",
            officer,
        )
    if register.locked:
        raise Refusal("locked", f"the orders of window {window} are locked",
                      "answer the notice with `pbem reveal`", officer)  # fmt: skip
    if header.report.lower() != report_of(game, officer.side, window)["digest"]:
        raise Refusal(
            "wrong-report",
            "the digest is not that of your report of this window",
            "copy the header from that report",
            officer,
        )
    seqs = register.seqs.get(officer.side, {})
    if header.seq in seqs:
        raise Refusal(
            "same-sequence",
            f"another set with seq {header.seq} was accepted before; the first stands",
            "sign again: a later signing has a higher seq",
            officer,
        )
    if header.seq < max(seqs, default=0):
        raise Refusal(
            "old-sequence",
            f"a set with the higher seq {max(seqs)} is in force",
            "sign again to replace it",
            officer,
        )
    _require_link(game, officer, header)


def _require_link(game: Game, officer: Officer, header: Header) -> None:
    """The header's link must lead back to the anchor of this key that counts now, if one does;
    a set that the moderator enters has none."""
    register = game.register
    if register.created["dice"] not in LINKED or not officer.number:
        return
    anchor, link, side = register.anchor_of(officer.side, officer.number), header.link, officer.side
    if register.created["dice"] == STRICT and link != NO_LINK:
        raise Refusal("bad-link", "in this game links are revealed after the lock",
                      "the header says `link: none`", officer)  # fmt: skip
    if register.created["dice"] == STRICT:
        return
    if not anchor and link != NO_LINK:
        raise Refusal(
            "bad-link", "no dice anchor of your key counts in this window yet",
            "the header says `link: none` until then; `pbem sign` writes it", officer,
        )  # fmt: skip
    needed = anchor and not header.anchor and register.window <= provable.CHAIN_LENGTH
    if needed and link == NO_LINK:
        raise Refusal(
            "no-link", "your key has a dice anchor, and the header no link of its chain",
            "sign with `pbem sign`, which writes the link of this window", officer,
        )  # fmt: skip
    known = (0, bytes.fromhex(anchor))
    try:
        if anchor and link != NO_LINK:
            provable.check_link(game.name, side, register.window, bytes.fromhex(link), known)
    except provable.BadProof as error:
        raise Refusal("bad-link", error.message, "sign again from your newest report", officer) \
            from None  # fmt: skip


def _accept(
    game: Game, system: System, officer: Officer, unit: Unit, signature: bytes, arrived: Input
) -> Outcome:
    side, register = officer.side, game.register
    report = report_of(game, side, register.window)
    reading = read_unit(system, report, unit)
    header = reading.header
    assert header is not None
    replaces = register.receipts.get(side) if side in register.sets else None
    status = "partly" if reading.diagnostics else "accepted"
    order = provable.order_digest(unit.canonical, signature).hex()
    final = not reading.diagnostics or "FINAL" in reading.orders.words
    body = {
        "window": register.window,
        "side": side,
        "officer": officer.number,
        "seq": header.seq,
        "digest": H("canonical", unit.canonical).hex(),
        "order": order,
        "canonical": unit.canonical.decode("ascii"),
        "signature": signature.hex(),
        "arrival": arrived.arrival or stamp(now()),
        "link": "" if not officer.number or header.link == NO_LINK else header.link.lower(),
        "final": final,
        "refused_orders": len(reading.diagnostics),
    }
    if header.anchor and officer.number and register.created["dice"] in LINKED:
        body["anchor"] = header.anchor.lower()
    if arrived.detached is not None and unit.signature is None:
        body["raw"] = arrived.raw.hex()
    facts = {
        "status": status,
        "understood": understood(system, report, reading),
        "problems": [problem(arrived.name, d) for d in reading.diagnostics],
        "without_orders": without(report, reading),
        "defaults": defaults(report, reading),
        "standing": standing(system, reading, report),
        "in_force": {"seq": header.seq, "digest": order},
        "replaces": replaces,
    }
    if not officer.number:
        facts["hint"] = "entered for you by the moderator"
    return _record(game, system, "received", body, side, facts, arrived)


def _known(game: Game, system: System, officer: Officer, arrived: Input) -> Outcome:
    side = officer.side
    facts = {"status": "known", "in_force": _in_force(game, side)}
    if arrived.mail and not arrived.mute:
        body = {"side": side, "window": game.register.window}
        return _record(game, system, "resent", body, side, facts, arrived)
    receipt = make_receipt(game, system, side, facts)
    from pbem import render

    return Outcome("known", receipt, render.receipt(receipt))


def _refuse(
    game: Game, system: System, refusal: Refusal, arrived: Input, digest: str,
    checked: Mapping[str, Any] | None = None,
) -> Outcome:  # fmt: skip
    side = refusal.by.side if refusal.by else arrived.claims
    body = {
        "code": refusal.code,
        "raw": digest,
        "window": game.register.window,
        **({"side": side} if side else {}),
    }
    facts = {
        "status": "refused",
        "code": refusal.code,
        "reason": refusal.reason,
        "hint": refusal.hint,
        "problems": [problem(arrived.name, d) for d in refusal.problems],
        "in_force": _in_force(game, side),
        **(checked or {}),
    }
    if side and not refusal.by:
        body["claimed"] = True
    return _record(game, system, "refused", body, side, facts, arrived)


def _in_force(game: Game, side: str) -> dict[str, Any] | None:
    taken = game.register.sets.get(Side(side))
    return {"seq": taken.seq, "digest": taken.order} if taken else None


def _record(
    game: Game, system: System, kind: str, body: dict[str, Any], side: str, facts: dict[str, Any],
    arrived: Input,
) -> Outcome:  # fmt: skip
    """Commit the record with its receipt: what is acknowledged is on the disk."""
    from pbem import private, render
    from pbem.issue import sender
    from pbem.post import Part, message

    receipt = make_receipt(game, system, side, facts)
    text = render.receipt(receipt)
    files, body = {}, dict(body)
    body["receipt"] = receipt["digest"]
    if arrived.mail:
        body["mail"] = arrived.mail
    if side and (kind in ("received", "revealed") or not arrived.mute):
        claimed = [arrived.reply] if "claimed" in body else []
        number = game.register.mails.get(side, 0) + 1
        body["mailed"] = [side]
        files[f"outbox/{side}-{number:04}-receipt.eml"] = message(
            to=claimed or [a["email"] for a in private.addresses(game).get(side, []) if a["email"]],
            sender=sender(game),
            subject=subject(receipt),
            message_id=private.message_id(game, side, number),
            sent=receipt["received"],
            bodies=[Part("text/plain; charset=us-ascii", text.encode("ascii"))],
            attachments=[
                Part("application/json", canonical_json(receipt), "receipt.json"),
                Part("text/plain; charset=us-ascii", _sealed(game, receipt), "receipt.seal"),
            ],
            thread=private.message_id(game, side, 1),
        )
    game.commit(kind, body, files)
    return Outcome(facts["status"], receipt, text)


def _sealed(game: Game, receipt: Mapping[str, Any]) -> bytes:
    from pbem import private, witness

    g0 = g0_of(game.register.setup) if game.register.setup else ""
    return witness.seal("receipt", g0, receipt, private.signing_key(game))


def subject(receipt: Mapping[str, Any]) -> str:
    """The subject of a receipt's mail."""
    bad = len(receipt["problems"])
    if receipt["code"] == "revealed":
        return f"{receipt['game']} window {receipt['window']}: dice link received"
    said = {
        "accepted": "orders received",
        "partly": f"orders received, {bad} NOT understood",
        "refused": f"orders REFUSED ({receipt['code']})",
        "known": "orders known already",
    }[receipt["status"]]
    return f"{receipt['game']} window {receipt['window']}: {said}"


def make_receipt(game: Game, system: System, side: str, facts: Mapping[str, Any]) -> dict[str, Any]:
    """A receipt as plain data; for unknown senders it says nothing of the game but its name."""
    from pbem import private

    register = game.register
    base: dict[str, Any] = {
        "format": FORMAT, "game": game.name, "title": system.title, "system": system.name,
        "side": side, "side_name": "sender unknown", "turn": 0, "label": "", "window": 0,
        "code": "", "reason": "", "hint": "", "understood": [], "problems": [],
        "without_orders": [], "defaults": [], "standing": [], "in_force": None, "replaces": None,
        "deadline": "", "opened": "", "received": stamp(now()), "tz": "", "head": register.head,
        "number": register.receipts.get(side, 0) + 1,
    }  # fmt: skip
    if side:
        report = report_of(game, side, register.window) if register.window else {}
        tz = next((a["tz"] for a in private.addresses(game).get(side, [])), "")
        base |= {
            "side_name": report.get("side_name", side), "turn": report.get("turn", 0),
            "label": report.get("label", ""), "window": register.window, "tz": tz,
            "deadline": register.deadline, "opened": register.opened_at,
        }  # fmt: skip
    receipt = base | dict(facts)
    receipt["moderator"] = key_digest(wire_key(register.created["moderator"]))
    receipt["digest"] = H("receipt", canonical_json(receipt)).hex()
    return receipt
