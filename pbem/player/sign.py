"""Signs orders: headers, signed blocks, encryption; used by `pbem sign` and by bots."""

from __future__ import annotations

import msgspec

from orders.canon import canonical, signature_text
from orders.header import show_header
from orders.model import Header, OrderSet
from orders.reading import Reading
from orders.show import show
from pbem.base.report_json import Report, SetUp
from pbem.crypto.sshsig import bare, sign
from pbem.dice.chains import NO_LINK, DiceChains, header_fields
from pbem.errors import Findings, Usage
from pbem.model import System
from pbem.player.run_word import links_of, reach_of

NAMESPACE = "orders@pbem"
"""The namespace of signatures over orders (`ssh-keygen -Y -n`), so that no signature that was made
for another use counts."""


def header_of(report: Report, seq: int, link: str = NO_LINK, anchor: str = "") -> Header:
    """The header of a set that answers `report`.

    seq: see `pbem.player.numbering`. link, anchor: of the signing key's dice chain.
    """
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
    dice_chains: DiceChains,
    seq: int,
    renew: bool = False,
) -> str:
    """A signed order file: block and signature.

    The header has the dice link of the window that the set answers or, if it agrees to run or gives
    links ahead, of the last window that it so reaches; earlier links follow from a later one.

    dice_chains: the signing key with its dice chains. seq: see `pbem.player.numbering`. renew:
    whether to begin a new dice chain and announce its anchor.
    """
    fields = header_fields(report, dice_chains, renew, reach_of(orders), lends=links_of(orders) > 0)
    header = header_of(report, seq, *fields)
    block = block_of(header, show(orders, system.grammar))
    return block + signature_text(bare(sign(canonical(block), dice_chains.key, NAMESPACE)))


def encrypted(report: Report, text: str, to: str = "") -> str:
    """A signed order file as it is sent: unchanged in a game of plain mail, else encrypted.

    It is padded first, so that the length of the mail does not tell how many orders there are.
    to: the moderator's age recipient, if it is newer than the report. Raises Usage if the
    recipient is malformed.
    """
    if msgspec.json.decode(report.setup.text, type=SetUp).mail != "sealed":
        return text
    from pbem.crypto import age
    from pbem.crypto.age_armour import armour, padded

    recipient = age.recipient(to or report.moderator.age)
    return armour(age.encrypt(padded(text.encode("ascii")), [recipient]))


def block_of(header: Header, lines: str) -> str:
    """The text that is signed: BEGIN ORDERS, header, order lines, END ORDERS."""
    return f"BEGIN ORDERS\n{show_header(header)}{lines.rstrip()}\nEND ORDERS\n"


def require_clean(reading: Reading, name: str) -> None:
    """Refuse to sign orders with mistakes. Raises Usage for a wrong header, else Findings."""
    from orders.diagnose import format_all

    if reading.refusals:
        raise Usage(format_all(reading.refusals, name), "copy the header from your form")
    if reading.diagnostics:
        raise Findings(
            f"{format_all(reading.diagnostics, name)}\nnothing was signed",
            "correct or delete these orders, and sign again",
        )
