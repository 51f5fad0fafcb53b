"""The interface of all transports.

`deliver` returns when the mail is delivered, or raises `Later` (try again) or `Never` (give up).
The callback `record_sent` writes the ledger record at once, so that a run killed after it never
sends the mail again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeGuard

from msgspec import Struct

WasSent = Callable[[str], bool]
"""Tells whether the mail of that id is recorded as sent."""

RecordSent = Callable[[], object]
"""Records the mail as sent, durably. A transport calls it once, when the mail cannot get lost."""


class Later(Exception):  # noqa: N818
    """The mail cannot be delivered now; the same bytes will be tried again.

    left: the recipients who still lack it, where there are several. asked: the server was reached
    and refused temporarily; otherwise it could not be reached.
    """

    def __init__(self, why: str, left: Sequence[str] = (), asked: bool = False) -> None:
        super().__init__(why)
        self.left, self.asked = tuple(left), asked


class Never(Exception):  # noqa: N818
    """The mail cannot be delivered to at least one recipient. code: the server's, such as `550`."""

    def __init__(self, code: str, why: str) -> None:
        super().__init__(why)
        self.code = code


class Outgoing(Struct, frozen=True):
    """A mail with its envelope."""

    id: str
    """Unique, the same in every attempt, usable as a file name; ends in `.GAME`."""
    sender: str
    """Envelope sender; empty for the null sender."""
    to: tuple[str, ...]
    """Envelope recipients."""
    content: bytes


class Transport(Protocol):
    """One way to deliver mail. It connects when first used; `close` ends the connection."""

    def deliver(self, mail: Outgoing, record_sent: RecordSent) -> None:
        """Send one mail. Raises Later, Never."""

    def finish(self, game: str, sent: WasSent) -> None:
        """Clean up after killed runs, before this run delivers mail of `game`.

        Completes deliveries that were recorded as sent, and discards those that were not: they
        are delivered anew. Raises Later.
        """

    def close(self) -> None:
        """End the connection, if any."""


class TwoStep(Transport, Protocol):
    """A transport that delivers in two steps.

    Between the steps the records of many mails are synced to the disk together, which is much
    faster than one sync for each mail.
    """

    def prepare(self, mail: Outgoing) -> None:
        """Write the mail where its reader does not look yet. Raises Later."""

    def release(self, mail: Outgoing) -> None:
        """Make a prepared mail visible; it must be recorded as sent. Raises Later."""


def is_two_step(transport: Transport) -> TypeGuard[TwoStep]:
    """Tell whether `transport` delivers in two steps."""
    return hasattr(transport, "prepare")
