"""Mail that stays in the outbox: being there is being delivered."""

from __future__ import annotations

from pbem.outbound.transports.interface import Once, Outgoing, Sent


class Files:
    """Nothing to do: the commit put the file in its place."""

    def deliver(self, mail: Outgoing, once: Once) -> None:
        """Delivered already."""
        once()

    def finish(self, game: str, sent: Sent) -> None:
        """Nothing is left to do."""

    def close(self) -> None:
        """Nothing is held."""
