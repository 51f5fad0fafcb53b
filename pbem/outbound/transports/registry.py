"""Select the transport of a home."""

from __future__ import annotations

from pathlib import Path

from pbem.base.config import (
    Config,
    FilesDelivery,
    MaildirDelivery,
    SendmailDelivery,
    SmtpDelivery,
    secret,
)
from pbem.outbound.transports.interface import Transport


def transport_of(home: Path, config: Config) -> Transport:
    """Return the transport that pbem.toml names; import only that one. Raises NotFound, Usage."""
    match config.delivery:
        case FilesDelivery() | None:
            from pbem.outbound.transports.files import Files

            return Files()
        case MaildirDelivery(path=path):
            from pbem.outbound.transports.maildir import Maildir

            return Maildir(home / path)
        case SendmailDelivery() as way:
            from pbem.outbound.transports.sendmail import Sendmail

            return Sendmail(way.command, way.timeout, way.total)
        case SmtpDelivery() as way:
            from pbem.outbound.transports.smtp import Smtp

            ca = str(home / way.ca) if way.ca else None
            return Smtp(way, secret(home, way.password) if way.user else "", ca)
