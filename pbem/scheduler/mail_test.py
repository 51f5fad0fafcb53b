"""A mail that the referee sends to itself: whether mail leaves, arrives, and is trusted.

It goes through the transport of `pbem.toml` to the games' own address, and is then looked for in
the mailbox. Other mail there is left as it is.
"""

from __future__ import annotations

import re
import secrets
import time
from pathlib import Path

from msgspec import Struct

from pbem.base.clock import now, stamp
from pbem.base.config import FILE, Config, address_of
from pbem.errors import Usage
from pbem.inbound.mailboxes.interface import Fetched, FetchFailed, Mailbox
from pbem.inbound.mailboxes.registry import mailbox_of
from pbem.outbound.mime import Part, message
from pbem.outbound.transports.interface import Later, Never, Outgoing
from pbem.outbound.transports.registry import transport_of
from pbem.text.messages import fill_note

NAME = "mailtest"
"""Stands for the game in the address, if that contains one."""
PAUSE = 2.0
"""Seconds between two looks into the mailbox."""
CHECKS = ("spf", "dkim", "dmarc")
"""What a receiving server checks: RFC 7208, RFC 6376, RFC 7489."""


class MailTest(Struct):
    """What came of a test."""

    address: str
    """The address that the mail was sent from and to."""
    sent: bool = False
    """Whether the server accepted the mail."""
    why: str = ""
    """Why the mail was not sent, or the mailbox could not be read; else empty."""
    seconds: float | None = None
    """How long the mail took; None if it did not arrive."""
    checks: dict[str, str] = {}
    """Check to its result, such as `pass`, as the receiving server noted it (RFC 8601)."""


def mail_test(home: Path, config: Config, wait: float) -> MailTest:
    """Send a mail and wait for it at most `wait` seconds.

    Raises Usage if the configuration names no mailbox, delivery or address, and NotFound without
    a password.
    """
    box = mailbox_of(home, config)
    if box is None or not config.sends or not config.address:
        lacks = "an address, a [mailbox] and a [delivery] other than files"
        raise Usage(f"{home / FILE} needs {lacks}", "docs/moderator.md explains every key")
    done = MailTest(address_of(config, NAME))
    token = secrets.token_hex(8)
    began = time.monotonic()
    done.why = _send(home, config, done.address, token)
    done.sent = not done.why
    while done.sent and not done.why:
        try:
            found = _look(box, config.limits.fetch, token)
        except FetchFailed as error:
            done.why = str(error)
            break
        taken = time.monotonic() - began
        if found:
            done.seconds, done.checks = round(taken, 1), checks_in(found.raw)
            break
        if taken + PAUSE > wait:
            break
        time.sleep(PAUSE)
    return done


def _send(home: Path, config: Config, address: str, token: str) -> str:
    """Send the mail; return why that failed, or nothing."""
    said = fill_note("self_test")
    content = message(
        [address],
        address,
        said.subject,
        f"<{token}@{NAME}.pbem.invalid>",
        stamp(now()),
        [Part("text/plain; charset=us-ascii", said.text.encode("ascii"))],
    )
    transport = transport_of(home, config)
    try:
        transport.deliver(Outgoing(f"{token}.{NAME}", address, (address,), content), lambda: None)
    except Later as error:
        return str(error)
    except Never as error:
        return f"{error.code} {error}"
    finally:
        transport.close()
    return ""


def _look(box: Mailbox, most: int, token: str) -> Fetched | None:
    """Look for the mail; mark it, and no other, as fetched. Raises FetchFailed."""
    with box:
        for mail in box.mails(most):
            if token.encode() in mail.raw:
                box.done([mail.key])
                return mail
    return None


def checks_in(raw: bytes) -> dict[str, str]:
    """Return the results of the topmost Authentication-Results header, which the receiving server
    wrote (RFC 8601, 5)."""
    head = re.split(rb"\r?\n\r?\n", raw, maxsplit=1)[0]
    unfolded = re.sub(rb"\r?\n[ \t]+", b" ", head).decode("ascii", "replace")
    found = re.search(r"^Authentication-Results:(.*)$", unfolded, re.MULTILINE | re.IGNORECASE)
    results = re.findall(r"\b([a-z]+)=([a-z]+)", found[1].lower()) if found else []
    return {check: result for check, result in results if check in CHECKS}
