"""How mail leaves: one small interface, and one file for each way.

`deliver` returns when the mail is where it should be, or raises `Later` (try again) or `Never`.
What is told by `once` counts at once, so that a killed run never sends it again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeGuard

from msgspec import Struct

Sent = Callable[[str], bool]
"""Whether the mail of that id was recorded as sent."""

Once = Callable[[], object]
"""Records the sending, durably. A transport calls it once, when the mail cannot be lost."""


class Later(Exception):  # noqa: N818
    """Not now: no connection, a server that is busy. The same bytes are tried again. left: those
    of several recipients who have not got it; asked: the server works, and asks for patience."""

    def __init__(self, why: str, left: Sequence[str] = (), asked: bool = False) -> None:
        super().__init__(why)
        self.left, self.asked = tuple(left), asked


class Never(Exception):  # noqa: N818
    """This mail cannot be delivered, at least to some. code: as the server gives it, `550`."""

    def __init__(self, code: str, why: str) -> None:
        super().__init__(why)
        self.code = code


class Outgoing(Struct, frozen=True):
    """A mail to be sent. id: unique and the same in every attempt, fit for a file's name, ending
    in `.GAME`; sender: of the envelope, empty for none."""

    id: str
    sender: str
    to: tuple[str, ...]
    content: bytes


class Transport(Protocol):
    """One way of delivery. Opened when first used; `close` lets go of a connection."""

    def deliver(self, mail: Outgoing, once: Once) -> None:
        """Send one mail. Raises Later, Never."""

    def finish(self, game: str, sent: Sent) -> None:
        """Complete what killed runs of `game` recorded as sent, and clear away what they did not.
        Nothing of it was begun by this transport. Raises Later."""

    def close(self) -> None:
        """Let go."""


class Laying(Transport, Protocol):
    """A way of delivery in two steps, so that many mails are synced and recorded together."""

    def lay(self, mail: Outgoing) -> None:
        """Put the mail where nobody reads yet. Raises Later."""

    def show(self, mail: Outgoing) -> None:
        """Let a mail be read that was laid, and recorded as sent. Raises Later."""


def lays(transport: Transport) -> TypeGuard[Laying]:
    """Whether it delivers in two steps."""
    return hasattr(transport, "lay")
