"""The order sets in a text: its blocks, without quotations and repetitions.

A mail may hold several signed blocks, quote older ones, and quote a report with its form.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from orders.canon import Unit, decode, streams
from orders.header import read_header
from pbem.base.hashing import H
from pbem.inbound.arrival import LARGEST, Input, Refusal
from pbem.inbound.authenticate import has_signature, is_form, is_signed
from pbem.store.game_dir import Game
from pbem.store.seats import mailed_seats

MOST_REFUSED = 5
"""Refusals that one text is answered with. Signed blocks are read however many precede them."""
MOST_TRIED = 20
"""Signatures of one text that are tried in a flood: a signature takes up to 10 ms."""
MOST_QUOTED = 20
"""Unsigned blocks of one text that are compared with the forms of reports."""


def new_blocks(game: Game, arrived: Input) -> Iterator[tuple[Input, Unit]]:
    """Each block to judge, with the input as the mail of that block alone. Raises Refusal when
    there is nothing to read.

    The name of the mail depends on the block's place alone, so that a tick that was interrupted
    names it the same again. Behind MOST_REFUSED blocks the caller skips those that nobody of the
    game signed (`is_signed`): a mail of thousands of blocks costs no more than their parsing.
    """
    blocks = _read(arrived)
    arrived = replace(arrived, passed=_passed(game, blocks, arrived))
    distinct: dict[tuple[bytes | str, bytes | None], tuple[Input, Unit]] = {}
    for unit in _relevant(game, blocks, arrived):
        content = unit.canonical or unit.text[unit.span.start : unit.span.end]
        distinct.setdefault((content, unit.signature), (arrived, unit))
        arrived = replace(arrived, mail=arrived.mail + "+") if arrived.mail else arrived
    found, seen = list(distinct.values()), game.register.seen
    new = [one for one in found if H("canonical", one[1].canonical).hex() not in seen]
    yield from new or found[:1]  # known sets are silent beside a new one, else one is answered


def worth_reading(game: Game, arrived: Input, unit: Unit, refused: int, number: int) -> bool:
    """Whether a block is judged although `refused` blocks before it were refused.

    number: of the block, from 0. In a flood only blocks that an officer of the game signed are
    judged.
    """
    if arrived.flood:
        return number < MOST_TRIED and is_signed(game, arrived, unit)
    return refused < MOST_REFUSED or is_signed(game, arrived, unit)


def _read(arrived: Input) -> list[Unit]:
    """All blocks of a text. Raises Refusal when there is none."""
    if len(arrived.raw) > LARGEST:
        raise Refusal(
            "oversize",
            f"{len(arrived.raw)} bytes are more than a mail of orders may have",
            f"send the order file alone, {LARGEST} bytes at most",
        )
    if not arrived.raw.strip():
        raise Refusal("empty", "the mail or file is empty", "send the order file from your report")
    blocks = streams(decode(arrived.raw), arrived.name)
    if not blocks and b"\0" in arrived.raw:
        raise Refusal("binary", "this is not text", "send the order file as plain text")
    if not blocks:
        raise Refusal("no-orders", "there is no BEGIN ORDERS in it", _instead(arrived.raw))
    return blocks


def _instead(raw: bytes) -> str:
    """What to do with a text that holds no orders."""
    if b"BEGIN PRESS" in raw.upper():
        return "press is taken from mail by `pbem tick`, or entered with `pbem press`"
    return "orders stand between BEGIN ORDERS and END ORDERS; your report holds a form"


def _relevant(game: Game, blocks: list[Unit], arrived: Input) -> list[Unit]:
    """The blocks that the sender meant: unsigned ones beside signed ones are quotations, and so is
    the unchanged form of a report beside a block that somebody wrote."""
    if arrived.side or arrived.detached is not None:
        return blocks
    if signed := [u for u in blocks if has_signature(arrived, u) or _damaged(u)]:
        return signed
    if not arrived.claims or not 1 < len(blocks) <= MOST_QUOTED:
        return blocks
    return [u for u in blocks if not is_form(game, arrived.claims, u)] or blocks[:1]


def _passed(game: Game, blocks: list[Unit], arrived: Input) -> tuple[Unit, ...]:
    """The unsigned blocks beside signed ones that their sender wrote himself, as changes above his
    old set: neither quoted, nor the form of a report, nor orders that a signed block has too."""
    if arrived.side or (arrived.detached is not None and not arrived.aside):
        return ()
    signed = [u for u in blocks if has_signature(arrived, u) or _damaged(u)]
    others = [u for u in blocks if not has_signature(arrived, u) and not _damaged(u)]
    others += [u for raw in arrived.aside if len(raw) <= LARGEST for u in streams(decode(raw))]
    if not signed or not 0 < len(others) <= MOST_QUOTED:
        return ()
    said = {_orders(u) for u in signed}
    own = [u for u in others if not u.error and not _quoted(u) and _orders(u) not in said]
    return tuple(u for u in own if not _is_any_form(game, arrived, u))


def _is_any_form(game: Game, arrived: Input, unit: Unit) -> bool:
    """Whether a block is no whole set, or the unchanged form of a report to the side it names."""
    header, _, _ = read_header(unit.tokens)
    if header is None:
        return True
    side = header.side.lower()
    return side not in mailed_seats(game.register) or is_form(game, side, unit)


def _orders(unit: Unit) -> tuple[str, ...]:
    """The orders of a block without its header: signing changes the number and the dice link."""
    _, body, _ = read_header(unit.tokens)
    return tuple(token.text for token in unit.tokens[body:])


def _quoted(unit: Unit) -> bool:
    """Whether the line in which a block begins has a mark of quotation."""
    before = unit.text[: unit.span.start].rpartition("\n")[2]
    return before.lstrip().startswith((">", "|"))


def _damaged(unit: Unit) -> bool:
    """Whether a signature stood there: its sender wanted to sign, and must hear that it failed."""
    return any(fault.code == "damaged-signature" for fault in unit.faults)
