"""What the referee decides about one order set, dice link or change of keys.

Each function reads the sender's own report, the public board and the ledger, never the truth, so
no answer can tell what the sender does not know. Nothing here writes: the decision goes back to
`pbem.inbound.intake`, which records it.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import UNSET, Struct
from msgspec.structs import replace

from orders.canon import Unit
from orders.header import read_header
from orders.reading import Reading
from orders.show import show
from pbem.base.clock import now, stamp
from pbem.base.hashing import H, setup_digest
from pbem.base.mail_json import InForce, Judgement
from pbem.crypto.sshsig import bare, verify
from pbem.dice import provable
from pbem.dice.chains import NO_LINK
from pbem.dice.sources import LINKED
from pbem.errors import PbemError
from pbem.inbound.arrival import Input, Refusal
from pbem.inbound.authenticate import header_of, identify, require_current, require_link
from pbem.model import Side, System
from pbem.player.in_force import Earlier, earlier, lasting, without_orders
from pbem.player.reader import defaults, problem, read_unit, understood
from pbem.player.run_word import ahead_of, links_of
from pbem.roles import role_of, side_of
from pbem.store.game_dir import Game
from pbem.store.holders import Officer
from pbem.store.mail_state import signer_of
from pbem.store.records import Received, Refused, Replaced, Resent, Revealed
from pbem.store.register import Register
from pbem.store.seats import mailed_seats
from pbem.store.secrets import raw_digest
from pbem.turns.close_window import order_set, report_of

Record = Received | Refused | Resent | Revealed | Replaced
"""What the ledger holds of one decision."""


class Decision(Struct, frozen=True):
    """One decision: what its receipt says, and what the ledger holds of it."""

    side: str
    """Whom the receipt is for; empty where the sender is not known."""
    said: Judgement
    body: Record | None = None
    """None: it was known before, and is answered without a record."""
    also: Mapping[str, bytes] = {}
    """Mails to sides that go out with it."""


# Order sets


def judge_set(game: Game, system: System, arrived: Input, unit: Unit) -> Decision:
    """An order set: who signed it, whether it answers the open window, what its orders mean.
    Raises Refusal."""
    officer, signature, message = identify(game, arrived, unit)
    header = header_of(game, officer, unit)
    if H("canonical", unit.canonical).hex() in game.register.seen:
        return _known_set(game, officer, arrived, unit, header.window)
    arrival = arrived.arrival or stamp(now())
    require_current(game, officer, header, arrival)
    report = report_of(game, officer.side, game.register.window)
    reading = read_unit(system, report, unit)
    idle = without_orders(system, report, reading)
    require_link(game, officer, header, reading.orders)
    before = earlier(system, report, reading)
    gone = [*before.replaced, *_left_out(game, system, officer.side, reading, before)]
    covers = message != unit.canonical and officer.number > 0
    raw = message.hex() if covers else None
    body = _received(game.register, officer, unit, signature, reading, arrival, raw, arrived.bot)
    said = Judgement(
        status="partly" if reading.diagnostics else "accepted",
        hint=_beside(officer, arrived) if officer.number else "entered for you by the moderator",
        understood=understood(system, report, reading),
        problems=[problem(arrived.name, d) for d in reading.diagnostics],
        without_orders=idle,
        idle=(system.idle if idle else "") or UNSET,
        defaults=defaults(report, reading),
        standing=lasting(system, report, reading),
        this_turn=before.this_turn or UNSET,
        replaced=gone or UNSET,
        in_force=InForce(body.seq, body.order),
        replaces=_replaced(game.register, officer.side),
    )
    return Decision(officer.side, said, body)


def _received(
    register: Register,
    officer: Officer,
    unit: Unit,
    signature: bytes,
    reading: Reading,
    arrival: str,
    raw: str | None,
    bot: bool,
) -> Received:
    """The ledger's record of an accepted set. What only a commander can say (links, anchors,
    consent) is left out of a set that the moderator enters, and of a role's."""
    header, words = reading.header, reading.orders.words
    assert header is not None
    signed = bool(officer.number) and not role_of(officer.side)
    linked = register.created.dice in LINKED
    link = header.link.lower() if signed and header.link != NO_LINK else ""
    return Received(
        window=register.window,
        side=officer.side,
        officer=officer.number,
        seq=header.seq,
        digest=H("canonical", unit.canonical).hex(),
        order=provable.order_digest(unit.canonical, signature).hex(),
        canonical=unit.canonical.decode("ascii"),
        signature=signature.hex(),
        arrival=arrival,
        link=link,
        final=not reading.diagnostics or "FINAL" in words,
        refused_orders=len(reading.diagnostics),
        edited=reading.edited,
        ahead=ahead_of(reading.orders),
        links=links_of(reading.orders) if link else 0,
        consent=words.get("CONSENT", "") if signed else "",
        anchor=header.anchor.lower() if signed and linked else "",
        raw=raw,
        bot=bot,
    )


def _left_out(
    game: Game, system: System, side: Side, reading: Reading, before: Earlier
) -> list[str]:
    """What the side's set before said in this window that the new one, which takes its place, does
    not say; without what is in force all the same, or listed as replaced."""
    if side not in game.register.sets:
        return []
    former = order_set(game, system, side, game.register.sets[side])
    told = {*show(reading.orders, system.grammar).splitlines()}.union(*before)
    return [line for line in show(former, system.grammar).splitlines() if line not in told]


def _replaced(register: Register, side: Side) -> int | None:
    """The number of the receipt of the set that a new one replaces."""
    return register.receipts.get(side) if side in register.sets else None


def _beside(officer: Officer, arrived: Input) -> str:
    """What to tell the sender of a signed set about other orders of his own in the same mail that
    nobody signed; empty without any."""
    side = side_of(officer.side)
    headers = [read_header(unit.tokens)[0] for unit in arrived.passed]
    if not any(header and header.side.lower() == side for header in headers):
        return ""
    return (
        "there were other orders in the same mail, without a signature: they do not count. "
        "If you meant them, sign them and send them again, without the old set"
    )


def _known_set(game: Game, officer: Officer, arrived: Input, unit: Unit, window: int) -> Decision:
    """A set that was accepted before. A mail of it is answered and recorded within the side's
    daily limit, whoever sent the old mail again; else it passes without a record. window: the one
    that it is for."""
    side = officer.side
    hint = _beside(officer, arrived) or _no_longer(game.register, side, unit, window)
    said = Judgement(status="known", hint=hint, in_force=in_force(game, side))
    answer = arrived.mail and not arrived.mute and not limit_reached(game, side, arrived)
    return Decision(side, said, Resent(side=side, window=game.register.window) if answer else None)


def _no_longer(register: Register, side: Side, unit: Unit, window: int) -> str:
    """Why a set that was accepted before does not count now, and what to do; empty if it does."""
    if register.over:
        return ""
    if window != register.window:
        return f"they were for window {window}, which is closed; answer your newest report"
    newest = register.sets.get(side)
    if newest is None or newest.canonical.encode("ascii") == unit.canonical:
        return ""
    return (
        "a later set of yours has taken their place and counts; if you want these after all, sign "
        "them again and send that"
    )


def limit_reached(game: Game, side: str, arrived: Input) -> bool:
    """Whether the side has had its daily limit of replies to what anybody can send in its name."""
    mail_state = game.register.mail_state
    had = mail_state.answers.get(side, 0) if mail_state.day == stamp(now())[:10] else 0
    return 0 < arrived.answers <= had


# Dice links and keys


def judge_reveal(game: Game, arrived: Input) -> Decision:
    """A link that a player opens after the lock (docs/formats.md, "Locks and reveals"). Raises
    Refusal."""
    by: Officer | None = None
    try:
        by, body = _revealed(game, arrived.raw)
    except (PbemError, ValueError) as error:
        wrong = "`pbem reveal` makes it from the notice"
        raise Refusal("bad-reveal", str(error), wrong, by) from None
    said = Judgement(status="accepted", code="revealed", in_force=in_force(game, by.side))
    return Decision(by.side, said, body) if body else known(game, by.side)


def _revealed(game: Game, raw: bytes) -> tuple[Officer, Revealed | None]:
    """Who signed a revealed link, and its record; None where the link is known. Raises Refusal,
    BadSignature, BadProof, Usage, ValueError."""
    from pbem.player.joining import read_reveal
    from pbem.turns import strict_dice

    register = game.register
    facts, signature = read_reveal(raw)
    g0 = setup_digest(register.setup) if register.setup else ""
    message = strict_dice.message(g0, int(facts["window"]), facts["lock"], facts["link"])
    by = verify(message, signature, strict_dice.NAMESPACE, register.signers())
    lock = register.locked.lock if register.locked else ""
    wanted = (game.name, str(register.window), lock, by.side)
    if (facts["game"], facts["window"], facts["lock"], facts["side"]) != wanted:
        wrong = "it answers another lock than that of the open window"
        raise Refusal("bad-reveal", wrong, "answer your newest notice", by)
    if register.rerun:
        wrong = "the window runs again with the links that it had"
        raise Refusal("bad-reveal", wrong, "send no link; wait for your next report", by)
    if by.side in register.reveals:
        return by, None
    try:
        strict_dice.check_reveal(register, by.side, by.number, facts["link"])
    except PbemError as error:  # the signature is good, so its signer is told
        hint = "`pbem reveal` makes it from the notice"
        raise Refusal("bad-reveal", error.message, hint, by) from None
    body = Revealed(
        window=register.window,
        side=by.side,
        officer=by.number,
        lock=lock,
        link=facts["link"],
        signature=bare(signature).hex(),
    )
    return by, body


def judge_keys(game: Game, arrived: Input) -> Decision:
    """A player's change of keys (docs/formats.md, "Keys"). Raises Refusal."""
    from pbem.admin import key_change
    from pbem.outbound.forward import handed_over
    from pbem.outbound.notices import notices
    from pbem.player.joining import read_keys
    from pbem.reports.key_notices import changed

    register = game.register
    by: Officer | None = None
    try:
        facts, signature = read_keys(arrived.raw)
        came = [side for side, one in register.later if one.proof and one.key == facts["key"]]
        if came:
            return known(game, came[0])
        by, why = key_change.signer(register, facts, signature)
        body = key_change.body_of(register, by, why, facts, signature)
    except PbemError as error:
        hint = "`pbem rekey` makes it from your newest report"
        raise Refusal(key_change.CODE, error.message, hint, by) from None
    note = changed(register, by.side, why, body.key)
    sides = [str(side) for side in mailed_seats(register)]
    after = register.officers_after(body)
    mails = notices(game, sides, note, "note", behind=by.side, officers=after)
    mails |= handed_over(game, by.side, officers=after, after=2)
    said = Judgement(status="accepted", code="rekeyed", in_force=in_force(game, by.side))
    return Decision(by.side, said, body, mails)


# Refusals


def is_silent(game: Game, arrived: Input, body: Refused) -> bool:
    """Whether a refusal is not answered: a program sent it, or its daily limit has been reached.

    What is new and signed by a key has the limit of that key; all else that of its side.
    """
    if arrived.machine or not _is_new(game, body):
        return arrived.mute or limit_reached(game, body.side, arrived)
    mail_state = game.register.mail_state
    counts = mail_state.signed_answers if mail_state.day == stamp(now())[:10] else {}
    return counts.get(signer_of(body), 0) >= arrived.answers


def is_idle(game: Game, arrived: Input, body: Refused) -> bool:
    """Whether a refusal is neither answered nor recorded: its side has had the daily limit, and
    anybody can send it as often as he likes, a text that was refused before, or one whose damaged
    signature names a key."""
    anybodys = bool(arrived.mail and body.side) and not body.claimed and not _is_new(game, body)
    return anybodys and is_silent(game, arrived, body)


def _is_new(game: Game, body: Refused) -> bool:
    """Whether a key signed it, and the same text was not refused before."""
    return bool(body.signed) and body.signed not in game.register.mail_state.signed_refused


def known(game: Game, side: str) -> Decision:
    """Something that was accepted before, and is answered without a record."""
    return Decision(side, Judgement(status="known", in_force=in_force(game, side)))


def refused(
    game: Game, arrived: Input, refusal: Refusal, digest: str, text: bytes = b""
) -> Decision:
    """The decision that a refusal is. digest: of the input, salted, for the ledger; text: what the
    signature covers, in the one form that it has however it is sent again."""
    side = refusal.by.side if refusal.by else arrived.claims
    by = refusal.by if arrived.mail and not refusal.guessed else None
    body = Refused(
        code=refusal.code,
        raw=digest,
        window=game.register.window,
        side=side,
        claimed=bool(side and not refusal.by),
        officer=by.number if by else 0,
        signed=raw_digest(game, text) if by else "",
    )
    said = Judgement(
        status="refused",
        code=refusal.code,
        reason=refusal.reason,
        hint=refusal.hint,
        problems=[problem(arrived.name, d) for d in refusal.problems],
        in_force=in_force(game, side),
    )
    return Decision(side, said, body)


def read_unsigned(
    game: Game, system: System, arrived: Input, unit: Unit, found: Decision
) -> Decision:
    """The refusal of an unsigned set, with what the set would have been if signed; only for the
    owner of a registered address, by the report that he has."""
    if not arrived.claims or not game.register.window:
        return found
    officer, why = Officer(Side(arrived.claims), 0, ""), "not in force: these orders are not signed"
    try:
        header = header_of(game, officer, unit)
        require_current(game, officer, header, arrived.arrival or stamp(now()))
    except Refusal as also:
        return replace(found, said=replace(found.said, reason=f"{why}; also, {also.reason}"))
    report = report_of(game, officer.side, game.register.window)
    reading = read_unit(system, report, unit)
    said = replace(
        found.said,
        reason=why,
        understood=understood(system, report, reading),
        problems=[problem(arrived.name, d) for d in reading.diagnostics],
    )
    return replace(found, said=said)


def in_force(game: Game, side: str) -> InForce | None:
    """The side's set that counts now."""
    newest = game.register.sets.get(Side(side))
    return InForce(newest.seq, newest.order) if newest else None
