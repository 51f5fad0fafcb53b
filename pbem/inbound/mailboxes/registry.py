"""Select the mailbox that a home uses."""

from __future__ import annotations

from pathlib import Path

from pbem.base.config import Config, ImapBox, MaildirBox, secret
from pbem.inbound.mailboxes.interface import Mailbox


def mailbox_of(home: Path, config: Config) -> Mailbox | None:
    """Return the configured mailbox, None if there is none. Raises NotFound, Usage."""
    match config.mailbox:
        case MaildirBox(path=path):
            from pbem.inbound.mailboxes.maildir import Maildir

            return Maildir(home / path)
        case ImapBox() as box:
            from pbem.inbound.mailboxes.imap import Imap

            return Imap(box, secret(home, box.password), str(home / box.ca) if box.ca else None)
    return None
