"""The house's own folder, HOME/.pbem: mail on its way to a game, and mail to the moderator.

spool/    from a pipe, not yet sorted      unread/   kept: no game's, or not readable
outbox/   alerts to the moderator          told/     alerts that were sent
"""

from __future__ import annotations

from functools import partial
from hashlib import sha256
from pathlib import Path

from pbem.clock import now, stamp
from pbem.config import Config, FilesDelivery, is_address
from pbem.files import Lock, make_private, write_private
from pbem.layout import ascii_lines
from pbem.post import Part, message
from pbem.transports import Later, Never, Outgoing, Transport

FOLDER = ".pbem"
OURS = "+house"
"""Takes the place of a game's name, and can be none."""

WAIT = 30.0
"""Seconds to wait for another run that sends alerts."""


def place(home: Path, *parts: str) -> Path:
    """A folder of the house, made when it is not there."""
    return make_private(home.joinpath(FOLDER, *parts))


def keep_unread(home: Path, name: str, raw: bytes) -> Path:
    """Keep a mail that no game takes."""
    path = place(home, "unread") / name
    write_private(path, raw)
    return path


def tell(
    home: Path, config: Config, subject: str, text: str, mail: bytes = b"", once: str = ""
) -> bool:
    """Put an alert to the moderator into the house's outbox; False when he was told before.

    mail: goes along as a file. once: what the alert is about, its text without.
    """
    mark = sha256((once or subject + text).encode() + mail).hexdigest()[:32]
    name = f"{mark}.eml"
    if (place(home, "outbox") / name).exists() or (place(home, "told") / name).exists():
        return False
    content = message(
        to=[config.moderator] if is_address(config.moderator) else [],
        sender=f"pbem <{config.address.replace('{game}', 'pbem') or 'pbem@pbem.invalid'}>",
        subject=ascii_lines(subject.replace("\n", " "))[:120],
        message_id=f"<{mark}@house.pbem.invalid>",
        sent=stamp(now()),
        bodies=[Part("text/plain; charset=us-ascii", ascii_lines(text).encode("ascii"))],
        attachments=[Part("application/octet-stream", mail, "mail.eml")] if mail else [],
    )
    write_private(place(home, "outbox") / name, content)
    return True


def send_alerts(home: Path, config: Config, transport: Transport) -> str:
    """Send the alerts; why some wait, empty when none does. Without mail they stay as files."""
    if isinstance(config.delivery, FilesDelivery) or not is_address(config.moderator):
        return ""
    with Lock(place(home) / "alerts.lock", "the moderator's alerts", WAIT):
        return _send_alerts(home, config, transport)


def _send_alerts(home: Path, config: Config, transport: Transport) -> str:
    """What `send_alerts` says; one run at a time, since another takes away what it sent."""
    told, paths = place(home, "told"), sorted(place(home, "outbox").glob("*.eml"))
    mails = {
        path: Outgoing(f"{path.stem}.{OURS}", "", (config.moderator,), path.read_bytes())
        for path in paths
    }
    try:
        transport.finish(OURS, lambda mark: (told / f"{mark.split('.')[0]}.eml").exists())
        for path, mail in mails.items():
            transport.deliver(mail, partial(path.replace, told / path.name))
    except Later as error:
        return str(error)
    except Never as error:
        return f"the moderator's address takes no mail: {error.code}"
    return ""
