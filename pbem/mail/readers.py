"""Mail read by guarded children, side by side."""

from __future__ import annotations

import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from types import TracebackType

from msgspec.structs import replace

from pbem.mail.guard import Guard
from pbem.mail.letter import LARGEST, Letter, Unreadable

FEW = 8
"""Fewer mails than these are read by one child."""

Mail = tuple[str, bytes]
"""A mail by the name it is kept under, which begins with its arrival: `20261120T120000Z-`."""

FROM = re.compile(rb"(?im)^from:[^\n]{0,400}?([a-z0-9._+-]{1,64}@[a-z0-9.-]{1,190})")
MACHINE = re.compile(rb"(?im)^(auto-submitted:(?!\s*no\s*$)|list-|precedence:|return-path:\s*<>)")


class Readers:
    """`with Readers(2) as readers: readers.read(mails)`. No child starts before it has work."""

    def __init__(self, count: int = 1) -> None:
        self._guards = [Guard() for _ in range(count)]
        self._stack = ExitStack()

    def __enter__(self) -> Readers:
        for guard in self._guards:
            self._stack.enter_context(guard)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stack.close()

    def start(self, mails: int) -> None:
        """Let the children start that will read so many mails; it does not wait for them."""
        for guard in self._guards[: len(self._guards) if mails >= FEW else 1]:
            guard.start()

    def read(self, mails: Sequence[Mail]) -> list[Letter]:
        """The letters in these mails, in their order; each child reads its share of them."""
        count = len(self._guards)
        if count == 1 or len(mails) < FEW:
            return [_opened(self._guards[0], mail) for mail in mails]

        def share(i: int) -> list[Letter]:
            return [_opened(self._guards[i], mail) for mail in mails[i::count]]

        with ThreadPoolExecutor(count) as pool:
            shares = list(pool.map(share, range(count)))
        return [shares[k % count][k // count] for k in range(len(mails))]


def _opened(guard: Guard, mail: Mail) -> Letter:
    name, raw = mail
    arrived = f"{name[:4]}-{name[4:6]}-{name[6:8]}T{name[9:11]}:{name[11:13]}:{name[13:15]}Z"
    try:
        return replace(guard.open(raw), arrived=arrived)
    except Unreadable as error:
        return replace(_outside(guard, raw), arrived=arrived, unreadable=str(error))


def _outside(guard: Guard, raw: bytes) -> Letter:
    """What is known of a mail that is not read: of one too long its beginning, where a set above
    a quoted report stands, and what a bounce says; else what its headers seem to say."""
    if len(raw) > LARGEST:
        with suppress(Unreadable):
            return guard.open(raw[:LARGEST])
    head = raw[:16384]
    found = FROM.search(head)
    return Letter(
        sender=found[1].decode("ascii").lower() if found else "",
        machine="headers" if MACHINE.search(head) else "",
    )
