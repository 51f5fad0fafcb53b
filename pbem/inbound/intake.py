"""One file or mail in, one receipt out for each order set, dice link or change of keys in it.

The path of an order: decrypted (`decrypt`), cut into blocks (`blocks`), judged (`judge`, by
`authenticate` and the sender's own report), then recorded here together with its receipt.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from orders.canon import decode
from pbem.inbound import judge
from pbem.inbound.arrival import LARGEST, Input, Refusal
from pbem.inbound.blocks import new_blocks, worth_reading
from pbem.inbound.decrypt import opened
from pbem.inbound.judge import Decision
from pbem.inbound.receipts import compose, receipt_mail
from pbem.model import System
from pbem.outbound.notices import mail_name
from pbem.store.game_dir import Game
from pbem.store.records import Received, Refused, Replaced, Revealed

NEVER_SILENT = (Received, Replaced, Revealed)
"""Records whose receipt is sent even to programs and beyond the daily limits."""
_LETTER = re.compile(r"BEGIN[\s>|]+(REVEAL|KEYS)\b")
"""How a revealed link or a change of keys begins, in upper case."""


class Outcome(Struct):
    """What became of one order set, link or change of keys."""

    status: str
    """accepted, partly, known or refused."""
    receipt: dict[str, Any]
    text: str
    """The receipt as text; empty where the same mail was received before."""

    @property
    def good(self) -> bool:
        """Whether it is an accepted or already known set."""
        return self.status in ("accepted", "known")


def receive(game: Game, system: System, arrived: Input) -> list[Outcome]:
    """Judge everything in one input, record it and write its receipts.

    What is already known passes silently beside something new.
    """
    from pbem.store.secrets import keep_raw, raw_digest

    kept = raw_digest(game, arrived.raw) if arrived.mail else ""  # the whole mail is kept
    digest = kept or keep_raw(game, arrived.raw)
    outcomes = list(_outcomes(game, system, arrived, digest))
    return [one for one in outcomes if one.status != "known"] or outcomes[:1]


def _outcomes(game: Game, system: System, arrived: Input, digest: str) -> Iterator[Outcome]:
    """The outcome of each text in an input. digest: of the whole, salted."""
    try:
        texts = opened(game, arrived)
    except Refusal as refusal:
        yield from _refuse(game, system, arrived, refusal, digest)
        return
    for number, one in enumerate(texts):
        mail = f"{arrived.mail}~{number}" if arrived.mail and number else arrived.mail
        text = replace(one, mail=mail)
        words = {found[1] for found in _LETTER.finditer(decode(text.raw[:LARGEST]).upper())}
        if words:
            yield from _letter(game, system, text, digest, "REVEAL" in words)
        else:
            yield from _sets(game, system, text, digest)


def _letter(
    game: Game, system: System, arrived: Input, digest: str, reveal: bool
) -> Iterator[Outcome]:
    """The outcome of a revealed link or a change of keys, which has its text to itself."""
    if arrived.mail in game.register.mail_state.handled:
        yield Outcome("known", {}, "")
        return
    try:
        found = judge.judge_reveal(game, arrived) if reveal else judge.judge_keys(game, arrived)
    except Refusal as refusal:
        text = b" ".join(arrived.raw.split())
        yield from _refuse(game, system, arrived, refusal, digest, text)
    else:
        yield _record(game, system, arrived, found)


def _refuse(
    game: Game,
    system: System,
    arrived: Input,
    refusal: Refusal,
    digest: str,
    text: bytes = b"",
) -> Iterator[Outcome]:
    """The outcome of a refusal; none in a flood, unless a key has signed what is refused."""
    if not arrived.flood or (refusal.by and not refusal.guessed):
        found = judge.refused(game, arrived, refusal, digest, text)
        yield _record(game, system, arrived, found)


def _sets(game: Game, system: System, arrived: Input, digest: str) -> Iterator[Outcome]:
    """The outcome of each order set in a text."""
    refused = 0
    try:
        for number, (one, unit) in enumerate(new_blocks(game, arrived)):
            if not worth_reading(game, one, unit, refused, number):
                continue
            if one.mail in game.register.mail_state.handled:
                yield Outcome("known", {}, "")
                continue
            try:
                found = judge.judge_set(game, system, one, unit)
            except Refusal as refusal:
                found = judge.refused(game, one, refusal, digest, unit.canonical)
                if refusal.code == "unsigned":
                    found = judge.read_unsigned(game, system, one, unit, found)
            refused += found.said.status == "refused"
            yield _record(game, system, one, found)
    except Refusal as refusal:  # nothing to read in the text
        yield from _refuse(game, system, arrived, refusal, digest)


def _record(game: Game, system: System, arrived: Input, found: Decision) -> Outcome:
    """Commit the decision together with its receipt: what is acknowledged is on the disk, and a
    tick that is interrupted acknowledges nothing twice."""
    from pbem.reports import render
    from pbem.store.secrets import reached

    side, body = found.side, found.body
    officers = game.register.officers_after(body) if body else ()
    receipt = compose(game, system, side, found.said, officers)
    text = render.receipt(receipt)
    refused = body if isinstance(body, Refused) else None
    if body is None or (refused and judge.is_idle(game, arrived, refused)):
        return Outcome(found.said.status, receipt, text)
    files, mailed = dict(found.also), [_addressee(name) for name in found.also]
    silent = judge.is_silent(game, arrived, refused) if refused else arrived.mute
    if side and (isinstance(body, NEVER_SILENT) or not silent):
        claimed = isinstance(body, Refused) and body.claimed
        to = [arrived.reply] if claimed else reached(game, side)
        files[mail_name(game, side, "receipt")] = receipt_mail(game, receipt, text, to, officers)
        mailed = [side, *mailed]
    digest = str(receipt["digest"])
    body = replace(body, receipt=digest, mail=arrived.mail, mailed=mailed if files else None)
    game.commit(body, files)
    return Outcome(found.said.status, receipt, text)


def _addressee(name: str) -> str:
    """The side that a file of the outbox goes to."""
    return name.removeprefix("outbox/").partition("-")[0]
