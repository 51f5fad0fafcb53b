"""The transport of homes whose mail another program sends, or nobody yet."""

from __future__ import annotations

from pbem.outbound.transports.interface import Outgoing, RecordSent, WasSent


class Files:
    """Do nothing: the commit has already put the file into the outbox."""

    def deliver(self, mail: Outgoing, record_sent: RecordSent) -> None:
        """Record the mail as sent."""
        record_sent()

    def finish(self, game: str, sent: WasSent) -> None:
        """Do nothing: a killed run leaves nothing unfinished."""

    def close(self) -> None:
        """Do nothing: there is no connection."""
