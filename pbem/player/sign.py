"""Signing orders: what `pbem sign` does, for players and bots alike."""

from __future__ import annotations

import json

from orders.canon import canonical, signature_text
from orders.header import show_header
from orders.model import Header, OrderSet
from orders.reading import Reading
from orders.show import show
from pbem.base.report_json import Report
from pbem.crypto.sshsig import bare, sign
from pbem.dice.chains import NO_LINK, Purse, header_fields
from pbem.errors import Findings, Usage
from pbem.model import System
from pbem.player.run_word import ahead_of

NAMESPACE = "orders@pbem"


def header_of(report: Report, seq: int, link: str = NO_LINK, anchor: str = "") -> Header:
    """The header that answers `report`. link, anchor: of the signing key's dice chain."""
    return Header(
        game=report.game,
        setup=report.setup.digest,
        window=report.window,
        side=report.side,
        seq=max(seq, report.seq),
        report=report.digest,
        link=link,
        moderator=report.moderator.key,
        anchor=anchor,
    )


def signed(
    system: System,
    report: Report,
    orders: OrderSet,
    purse: Purse,
    seq: int,
    renew: bool = False,
) -> str:
    """A signed order file: block and signature, with the dice link of the last window that it
    reaches in its header.

    purse: the signing key with its dice chains. seq: see `pbem.player.numbering`. renew:
    announce a new anchor.
    """
    header = header_of(report, seq, *header_fields(report, purse, renew, ahead_of(orders)))
    block = block_of(header, show(orders, system.grammar))
    return block + signature_text(bare(sign(canonical(block), purse.key, NAMESPACE)))


def encrypted(report: Report, text: str, to: str = "") -> str:
    """What is sent: in a game of encrypted mail the signed file, padded, as an age file for the
    moderator; elsewhere the file itself. to: his age key, where it is newer than the report.
    Raises Usage."""
    if json.loads(report.setup.text)["mail"] != "sealed":
        return text
    from pbem.crypto import age
    from pbem.crypto.age_armour import armour, padded

    recipient = age.recipient(to or report.moderator.age)
    return armour(age.encrypt(padded(text.encode("ascii")), [recipient]))


def block_of(header: Header, lines: str) -> str:
    """BEGIN ORDERS, the header, the order lines, END ORDERS."""
    return f"BEGIN ORDERS\n{show_header(header)}{lines.rstrip()}\nEND ORDERS\n"


def require_clean(reading: Reading, name: str) -> None:
    """Orders with mistakes are not signed. Raises Findings; Usage for a wrong header."""
    from orders.diagnose import format_all

    if reading.refusals:
        raise Usage(format_all(reading.refusals, name), "copy the header from your form")
    if reading.diagnostics:
        raise Findings(
            f"{format_all(reading.diagnostics, name)}\nnothing was signed",
            "mend or delete these orders and sign again",
        )
