"""Where mail waits. A mailbox gives mails with the time of their arrival, and forgets one only
after it was put where it belongs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from msgspec import Struct


class Fetched(Struct, frozen=True):
    """A mail as it lies in the mailbox. key: what the mailbox calls it; arrived: ISO time when
    the mailbox received it; size: in bytes, of the whole mail; raw: cut off behind the cap."""

    key: str
    arrived: str
    size: int
    raw: bytes


class FetchFailed(Exception):  # noqa: N818
    """The mailbox could not be read to its end: what is not fetched may be orders."""


class Mailbox(AbstractContextManager["Mailbox"], Protocol):
    """One mailbox, open. left: mails that wait behind those that it gave. Everything raises
    FetchFailed."""

    left: int

    def mails(self, most: int) -> Iterator[Fetched]:
        """New mails, the oldest first."""

    def done(self, keys: Sequence[str]) -> None:
        """Mark mails as fetched: they are not given again."""
