"""The process that sends one notification with Apprise: `python -m pbem.scheduler.hook_process`.

It reads urls, title and body as JSON from standard input. Exit code: 0 sent, 1 refused, 3 Apprise
is not installed, 4 an address that Apprise does not know. It prints nothing, because addresses
contain passwords.
"""

from __future__ import annotations

import sys

import msgspec
from msgspec import Struct

SENT, REFUSED, NO_EXTRA, BAD_URL = 0, 1, 3, 4


class Message(Struct, frozen=True):
    """What is sent."""

    urls: list[str]
    title: str
    body: str


def main(given: bytes) -> int:
    """Send the message; return the exit code."""
    try:
        from apprise import Apprise
    except ImportError:
        return NO_EXTRA
    message = msgspec.json.decode(given, type=Message)
    service = Apprise()
    if not message.urls or not all(map(service.add, message.urls)):
        return BAD_URL
    return SENT if service.notify(title=message.title, body=message.body) else REFUSED


if __name__ == "__main__":
    sys.exit(main(sys.stdin.buffer.read()))
