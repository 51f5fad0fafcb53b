"""The files that a report's mail brings for tools: report.json, those of earlier windows of a run,
their signatures and the order form. Long JSON comes as gzip, a third to a quarter of its size."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from pbem.base.gzipped import gzipped
from pbem.outbound.mime import PLAIN, Part

MOST = 20_000
"""Bytes of JSON that a mail brings as they are. Text, HTML and order form have as much again, so
that a mail without pictures stays below 60 kB."""


class SignedReport(Struct, frozen=True):
    """A report.json with its signed statement."""

    data: bytes
    signature: bytes
    mark: str = ""
    """What its file names add: `-7` for window 7 of a run that went on."""


def is_packed(reports: Iterable[bytes]) -> bool:
    """Whether a mail with these report.json brings them as gzip."""
    return sum(map(len, reports)) > MOST


def parts_of(reports: Sequence[SignedReport]) -> list[Part]:
    """The attachments for those reports, which are mailed together."""
    packed = is_packed(one.data for one in reports)
    found = []
    for one in reports:
        name = f"report{one.mark}.json"
        found.append(
            Part("application/gzip", gzipped(one.data), f"{name}.gz")
            if packed
            else Part("application/json", one.data, name)
        )
        found.append(Part(PLAIN, one.signature, f"report{one.mark}.seal"))
    return found
