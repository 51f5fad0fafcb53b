"""What the referee needs of a mailbox.

A mailbox yields new mails with the time of their arrival. It marks one as fetched only when told
that the mail is stored, so that a crash loses no mail.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from msgspec import Struct


class Fetched(Struct, frozen=True):
    """A mail from the mailbox. key: its name or number there; arrived: when the mailbox received
    it, ISO time in UTC; size: bytes of the whole mail; raw: at most LARGEST + 1 bytes of
    it, which is enough to see that a mail is too long."""

    key: str
    arrived: str
    size: int
    raw: bytes


class FetchFailed(Exception):  # noqa: N818
    """The mailbox could not be read to its end; no window may close, as the rest may be orders."""


class Mailbox(AbstractContextManager["Mailbox"], Protocol):
    """An open mailbox. left: mails beyond those that `mails` yielded; strange: where something lies
    that is no mail, and is left there. All methods raise FetchFailed."""

    left: int
    strange: list[str]

    def mails(self, most: int) -> Iterator[Fetched]:
        """Yield at most `most` new mails, the oldest first."""

    def done(self, keys: Sequence[str]) -> None:
        """Mark mails as fetched, so that they are not yielded again."""
