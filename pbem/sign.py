"""Signing orders: what `pbem sign` does, for players and bots alike."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from orders.canon import canonical, seal_text
from orders.header import show_header
from orders.model import Header, OrderSet
from orders.reading import Reading
from orders.show import show
from pbem.errors import Findings, Usage
from pbem.model import System
from pbem.seal import PrivateKey, bare, sign

NAMESPACE = "orders@pbem"


def header_of(report: Mapping[str, Any], seq: int) -> Header:
    """The header that answers `report`."""
    return Header(
        game=report["game"],
        setup=report["setup"]["digest"],
        window=report["window"],
        side=report["side"],
        seq=max(seq, report["seq"]),
        report=report["digest"],
        link="none",
        moderator=report["moderator"]["key"],
    )


def signed(
    system: System, report: Mapping[str, Any], orders: OrderSet, key: PrivateKey, seq: int
) -> str:
    """A signed order file: block and seal. seq: the signing time in UTC seconds."""
    block = block_of(header_of(report, seq), show(orders, system.grammar))
    return block + seal_text(bare(sign(canonical(block), key, NAMESPACE)))


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
