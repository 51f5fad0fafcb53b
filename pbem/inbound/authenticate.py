"""Authenticates senders of order sets, and validates the headers against the open window.

The registered key identifies the sender, never `From:`, which anybody can forge. Anything that does
not match refuses the whole set, with a code and a hint. Nothing here reads an order.
"""

from __future__ import annotations

import os
import re
from codecs import BOM_UTF8 as BOM
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime

from orders.canon import Unit, canonical, decode
from orders.model import Header, OrderSet
from orders.reading import locate
from pbem.base.clock import LAST_SECOND, stamp
from pbem.base.hashing import setup_digest
from pbem.crypto.sshsig import BadSignature, bare, dearmour, key_digest, parse, verify, wire_key
from pbem.dice import provable
from pbem.dice.chains import NO_LINK
from pbem.dice.sources import LINKED, STRICT
from pbem.errors import PbemError
from pbem.inbound.arrival import ARMOUR, Input, Refusal
from pbem.model import Side
from pbem.player.numbering import latest, least
from pbem.player.run_word import links_of, reach_of
from pbem.player.sign import NAMESPACE
from pbem.roles import side_of
from pbem.store.game_dir import Game
from pbem.store.holders import Officer
from pbem.store.secrets import zone_of
from pbem.text.layout import date
from pbem.turns.close_window import report_of

_QUOTES = re.compile(r"(?m)^(?:[>|] ?)+")
_REMARKS = re.compile(r"(?:\[[^\[\]]*\][\s>|]*)+\Z")
"""Comments directly before a block, as order forms have them."""
_NOTHING = re.compile(r"(?:[\s>|]|\[[^\[\]]*\])*")
LONGEST_ARMOUR = 16_384
"""Characters of the longest armoured signature that is looked for above a block."""


def identify(game: Game, arrived: Input, unit: Unit) -> tuple[Officer, bytes, bytes]:
    """Return the officer who signed a unit, the signature, and the bytes that it covers.

    A set that the moderator enters with `--for` has officer 0 of that side, and random bytes in
    place of a signature. Raises Refusal.
    """
    keys = game.register.keys()
    if unit.error:
        bad = locate(unit, unit.error)
        error, named = unit.error, _signer(keys, unit)
        raise Refusal(error.code, error.text, error.hint, named, [bad], guessed=True)
    if arrived.side:
        own = Officer(Side(arrived.side), 0, "")
        return own, os.urandom(64), arrived.raw  # so that nobody can guess the order digest
    if not has_signature(arrived, unit):
        raise Refusal(
            "unsigned",
            "these orders are not signed",
            "sign them on the order page, if your report has one, or by `pbem sign ORDERS --key "
            "FILE --report report.json`, and send what it writes; signed by ssh-keygen: attach "
            "both files, orders.txt and orders.txt.sig",
        )
    try:
        officer, signature, message = _signer_of(arrived, unit, keys)
    except BadSignature as error:
        _require_valid_now(game, arrived, unit)
        hint = error.hint or "`pbem sign` signs orders; send what it writes, unchanged"
        named = _signer(keys, unit)
        raise Refusal(error.code, error.message, hint, named, guessed=True) from None
    if game.register.encrypted and not arrived.encrypted:
        raise Refusal(
            "not-encrypted",
            "these orders were not encrypted, and this game's mail is",
            "`pbem sign` encrypts them; send what it writes",
            officer,
        )
    return officer, bare(signature), message


def _require_valid_now(game: Game, arrived: Input, unit: Unit) -> None:
    """Raise a Refusal that names the day if a key signed the unit that replaces a lost one and is
    not valid yet."""
    for reset in game.register.resets.values():
        owner = Officer(reset.side, 0, "")
        with suppress(BadSignature):
            _signer_of(arrived, unit, {wire_key(reset.key): owner})
            due = date(reset.due, zone_of(game, reset.side))
            raise Refusal(
                "key-not-yet",
                f"this key signs for {reset.side} from {due}, not yet",
                "send these orders then; if the window has closed by then, sign orders for your "
                "newest report",
                owner,
            )


def is_signed(game: Game, arrived: Input, unit: Unit) -> bool:
    """Whether an officer of the game signed the unit, also if it is refused all the same."""
    if unit.error:
        # Not searched for a signature: it may be anywhere, and a mail may hold thousands of units.
        return False
    try:
        identify(game, arrived, unit)
    except Refusal as refusal:
        return bool(refusal.by) and not refusal.guessed
    return True


def _signer_of(
    arrived: Input, unit: Unit, keys: Mapping[bytes, Officer]
) -> tuple[Officer, bytes, bytes]:
    """Return who signed, the signature and the bytes that it covers.

    A block's own signature covers its canonical form. One by `ssh-keygen -Y sign` covers the bytes
    of a file: the file that it came with, or the block that it was pasted to. Raises BadSignature.
    """
    if unit.signature is not None and unit.armour != "ssh":
        likely = _likeliest_first(keys, unit.canonical)
        return (
            verify(unit.canonical, unit.signature, NAMESPACE, likely),
            unit.signature,
            unit.canonical,
        )
    signature = unit.signature or pasted_above(unit)
    if signature is None:
        detached = arrived.detached or b""
        signature = dearmour(detached) if detached.lstrip()[:5] == b"-----" else detached
    first = arrived.raw if arrived.detached is not None else unit.canonical
    for message in dict.fromkeys((first, *possible_originals(first), *_pasted_originals(unit))):
        with suppress(BadSignature):
            return verify(message, signature, NAMESPACE, keys), signature, message
    return _refused(first, signature, keys), signature, first


def _refused(message: bytes, signature: bytes, keys: Mapping[bytes, Officer]) -> Officer:
    """Raise BadSignature for a signature by ssh-keygen that fits nothing that came."""
    try:
        return verify(message, signature, NAMESPACE, keys)
    except BadSignature as error:
        if error.code != "bad-signature":
            raise
        hint = (
            "attach both files, orders.txt and the orders.txt.sig that ssh-keygen wrote: it covers "
            "every byte of the file, and mail changes text"
        )
        raise BadSignature(error.code, error.message, hint) from None


def has_signature(arrived: Input, unit: Unit) -> bool:
    """Whether a signature came with a unit: behind it, above it, or as a file."""
    return (
        unit.signature is not None or arrived.detached is not None or pasted_above(unit) is not None
    )


def pasted_above(unit: Unit) -> bytes | None:
    """Return the armoured signature that directly precedes an unsigned block, where there is one.

    Quote marks may precede its lines, and the remarks of an order form stand behind it.
    """
    if unit.signature is not None or not unit.tokens:
        return None
    before = unit.text[max(0, unit.tokens[0].start - LONGEST_ARMOUR) : unit.tokens[0].start]
    start = before.rfind(ARMOUR[0])
    if start < 0 or ARMOUR[1] not in before[start:]:
        return None
    text, _, rest = before[start:].partition(ARMOUR[1])
    if not _NOTHING.fullmatch(rest):
        return None
    lines = (line.lstrip(" >|") for line in f"{text}{ARMOUR[1]}".splitlines())
    try:
        return dearmour("\n".join(lines).encode("ascii", "replace"))
    except BadSignature:
        return None


def _pasted_originals(unit: Unit) -> Iterator[bytes]:
    """Yield the file that a block may have been pasted from.

    It may begin with the remarks of an order form. Mail adds quote marks, and blanks at the ends of
    lines or removes them.
    """
    if not unit.tokens:
        return
    begin, end = unit.tokens[0].start, unit.tokens[-1].end
    remarks = _REMARKS.search(unit.text[max(0, begin - LONGEST_ARMOUR) : begin])
    start = begin - len(remarks[0]) if remarks else begin
    for text in (unit.text[begin:end], unit.text[start:end]):
        trimmed = "\n".join(line.rstrip() for line in text.splitlines())
        for one in (text, trimmed, _QUOTES.sub("", trimmed)):
            yield from possible_originals(one.strip().encode("utf-8", "replace"))


def _likeliest_first(keys: Mapping[bytes, Officer], text: bytes) -> dict[bytes, Officer]:
    """Return the keys, those of the side that the text names first.

    A short signature does not name its key, and each key that is tried takes 0.1 ms.
    """

    def other_side(one: tuple[bytes, Officer]) -> bool:
        return f" SIDE : {side_of(one[1].side).upper()} ".encode("ascii") not in text

    return dict(sorted(keys.items(), key=other_side))


def possible_originals(raw: bytes) -> Iterator[bytes]:
    """Yield a text file as it came, and as it may have been before mail changed it.

    Mail programs change line ends, the end of the last line and the byte order mark, and break a
    detached signature. All variants read as the same orders.
    """
    yield raw
    text = raw.removeprefix(BOM).replace(b"\r\n", b"\n")
    ends = dict.fromkeys((text, text.rstrip(b"\n") + b"\n", text.rstrip(b"\n")))
    lines = [one.replace(b"\n", end) for one in ends for end in (b"\n", b"\r\n")]
    yield from (one for one in [*lines, *(BOM + one for one in lines)] if one != raw)


def _signer(keys: Mapping[bytes, Officer], unit: Unit) -> Officer | None:
    """Return the owner of the key that a damaged unit's signature names. This is not verified, and
    serves only to address the answer."""
    try:
        return keys.get(parse(unit.signature or b"").key)
    except BadSignature:
        return None


def header_of(game: Game, officer: Officer, unit: Unit) -> Header:
    """Return a unit's header if it names this game, set-up, side and moderator. Raises Refusal."""
    from orders.header import read_header

    header, _, faults = read_header(unit.tokens)
    if header is None:
        raise Refusal(
            faults[0].code,
            faults[0].text,
            faults[0].hint or "copy the header from your form",
            officer,
            [locate(unit, f) for f in faults],
        )
    _require_own(game, officer, header)
    return header


def is_form(game: Game, side: str, unit: Unit) -> bool:
    """Whether a unit is the unchanged order form of one of the side's own reports."""
    from orders.header import read_header

    header, _, _ = read_header(unit.tokens)
    if header is None or not 0 < header.window <= game.register.window:
        return False
    try:
        form = canonical(decode(game.read("reports", side, str(header.window), "orders.txt")))
    except (PbemError, ValueError):
        return False
    return form == unit.canonical


Fault = tuple[bool, str, str, str]
"""Whether the fault is there; its code, reason and hint."""


def _require_own(game: Game, officer: Officer, header: Header) -> None:
    """Require a header of this game, set-up, side and moderator. Raises Refusal."""
    _raise_first(_game_faults(game, officer, header), officer)


def require_current(game: Game, officer: Officer, header: Header, arrival: str) -> None:
    """Require a header that answers this side's report of the open window, with a new number.

    arrival: when the set came, ISO time in UTC. Raises Refusal.
    """
    _raise_first(_window_faults(game, officer, header), officer)
    _raise_first(_number_faults(game, officer, header.seq, arrival), officer)


def _raise_first(faults: Iterator[Fault], officer: Officer) -> None:
    """Raise a Refusal for the first fault that is there. The order of faults decides the code."""
    for wrong, code, reason, hint in faults:
        if wrong:
            raise Refusal(code, reason, hint, officer)


def _game_faults(game: Game, officer: Officer, header: Header) -> Iterator[Fault]:
    """Yield the faults of a header that may belong to another game, side or moderator."""
    register, own = game.register, "copy the header from your own report"
    yield (
        header.game.lower() != game.name,
        "wrong-game",
        f"this is game {game.name}, the orders are for {header.game}",
        "send them to that game",
    )
    yield (not register.window, "not-open", "the game has not begun", "wait for your first report")
    yield (
        header.setup.lower() != setup_digest(register.setup),
        "wrong-setup",
        "the set-up digest is not this game's",
        f"{own} of this game",
    )
    yield (
        header.side.lower() != side_of(officer.side),
        "wrong-side",
        f"your key is registered for {officer.side}, the orders say {header.side.lower()}",
        "use the form of your own report",
    )
    key = key_digest(wire_key(register.created.moderator))
    yield (
        not key.startswith(header.moderator.lower()),
        "wrong-moderator",
        "the moderator's key is not this game's",
        own,
    )


def _window_faults(game: Game, officer: Officer, header: Header) -> Iterator[Fault]:
    """Yield the faults of a header that may not belong to the open window."""
    register, window, newest = game.register, game.register.window, "answer your newest report"
    yield bool(register.over), "game-over", "the game is over", "nothing more is needed"
    yield (
        header.window < window - 1,
        "old-window",
        f"window {header.window} is no longer open; {window} is",
        f"{newest}, which a mail with the word RESEND brings again",
    )
    yield (
        header.window == window and register.rerun,
        "late",
        f"window {window} was taken back and runs again with the orders that it had",
        "wait for your next report",
    )
    yield (
        header.window < window,
        "late",
        f"window {header.window} has closed; {window} is open",
        f"{newest}, which a mail with the word RESEND brings again",
    )
    yield (
        register.running,
        "late",
        f"window {window} runs on without new orders, as all agreed",
        "wait for your next report",
    )
    yield (
        header.window > window,
        "wrong-window",
        f"window {header.window} is not open; {window} is",
        newest,
    )
    yield (
        bool(register.locked),
        "locked",
        f"the orders of window {window} are locked",
        "answer the notice with `pbem reveal`",
    )
    yield (
        header.report.lower() != report_of(game, officer.side, window).digest,
        "wrong-report",
        "the digest is not that of your report of this window",
        "copy the header from that report",
    )


def _number_faults(game: Game, officer: Officer, seq: int, arrival: str) -> Iterator[Fault]:
    """Yield the faults of a set's number, which must be above every accepted one.

    A number is usually the time of signing, in seconds. One from a clock more than a day ahead is
    refused, since no set signed with a correct clock could replace it. The least number above the
    accepted ones is always valid.
    """
    register, side = game.register, officer.side
    number, last = least(register, side), register.last_seq(side)
    again = (
        f"sign again with `pbem sign --seq {number}`; on the order page give {number} as the "
        f"number; in a header written by hand, `seq: {number}`"
    )
    yield (
        seq in register.seqs.get(side, {}),
        "same-sequence",
        f"another set with seq {seq} was accepted before; the first stands",
        again,
    )
    yield (
        seq < last,
        "old-sequence",
        f"a set with the higher seq {last} was accepted before",
        again,
    )
    yield (
        seq > latest(register, side, arrival),
        "future-sequence",
        f"its seq {seq} says that it was signed on {_day(seq)}, and it came on {arrival[:10]}: "
        "the clock of the computer that signed it is wrong",
        f"set that clock right and sign again, or leave it and {again}",
    )


def _day(seconds: int) -> str:
    """Return the date of a time in seconds since 1970, if the calendar has one."""
    if seconds > LAST_SECOND:
        return "no date at all"
    return stamp(datetime.fromtimestamp(seconds, UTC))[:10]


def require_link(game: Game, officer: Officer, header: Header, orders: OrderSet) -> None:
    """Require a dice link that leads back to the anchor of this key that is valid now.

    Without a valid anchor the link must be `none`. A set that the moderator enters has no link, and
    in `strict` games links are revealed only after the lock, except by a set that gives them ahead
    (LINKS). The link is that of the last window that the set reaches. Raises Refusal.
    """
    register, reach = game.register, game.register.window + reach_of(orders)
    if register.created.dice not in LINKED or not officer.number:
        return
    anchor, link, side = register.anchor_of(officer.side, officer.number), header.link, officer.side
    late = register.created.dice == STRICT and not links_of(orders)
    if late and link != NO_LINK:
        raise Refusal(
            "bad-link",
            "in this game links are revealed after the lock",
            "write `link: none` in the header, as `pbem sign` does",
            officer,
        )
    if late:
        return
    if not anchor and link != NO_LINK:
        raise Refusal(
            "bad-link",
            "no dice anchor of your key counts in this window yet",
            "write `link: none` in the header until then, as `pbem sign` does",
            officer,
        )
    needed = anchor and not header.anchor and reach <= provable.CHAIN_LENGTH
    if needed and link == NO_LINK:
        raise Refusal(
            "no-link",
            "your key has promised dice links, and these orders bring none",
            "sign with `pbem sign` or on the order page, which write the link; ssh-keygen cannot",
            officer,
        )
    known = (0, bytes.fromhex(anchor))
    try:
        if anchor and link != NO_LINK:
            provable.check_link(game.name, side, reach, bytes.fromhex(link), known)
    except provable.BadProof as error:
        raise Refusal(
            "bad-link", error.message, "sign again from your newest report", officer
        ) from None
