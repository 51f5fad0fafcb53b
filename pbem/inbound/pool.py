"""Mail read by guarded children, beside what is done with the mails before."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, suppress
from types import TracebackType
from typing import TYPE_CHECKING, TypeVar

from msgspec.structs import replace

from pbem.inbound.letter import LARGEST, Letter, Unreadable
from pbem.inbound.sandbox import Guard

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

FEW = 8
"""Fewer mails than these are read when they are asked for."""

SHARE = 1 << 20
"""For so many bytes of mails one child more is worth its start."""

Mail = tuple[str, bytes]
"""A mail by the name it is kept under, which begins with its arrival: `20261120T120000Z-`."""

Key = TypeVar("Key")
Batch = list[tuple[Key, Mail]]
"""Some mails, each with what its mailbox calls it."""

Letters = Callable[[], list[Letter]]
"""Waits for letters that are being read."""

FROM = re.compile(rb"(?im)^from:[^\n]{0,400}?([a-z0-9._+-]{1,64}@[a-z0-9.-]{1,190})")
MACHINE = re.compile(rb"(?im)^(auto-submitted:(?!\s*no\s*$)|list-|precedence:|return-path:\s*<>)")


class Readers:
    """`with Readers(2) as readers: readers.read(mails)`. No child starts before it has work."""

    def __init__(self, count: int = 1) -> None:
        self._guards = [Guard() for _ in range(count)]
        self._stack = ExitStack()
        self._pool: ThreadPoolExecutor | None = None

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

    def read(self, mails: Sequence[Mail]) -> list[Letter]:
        """The letters in these mails, in their order; each child reads its share of them."""
        return self.begin(mails)()

    def begin(self, mails: Sequence[Mail]) -> Letters:
        """Let the children read, and give what waits for it. Wait before the next ones begin."""
        if not mails:
            return list
        many = len(mails) >= FEW
        guards = self._guards[: 1 + many * sum(len(raw) for _, raw in mails) // SHARE]
        for guard in guards:
            guard.start()
        if not many:
            return lambda: _share(guards[0], mails)
        pool = self._threads()
        shares = [pool.submit(_share, g, mails[i :: len(guards)]) for i, g in enumerate(guards)]
        return lambda: _woven([share.result() for share in shares])

    def ahead(self, batches: Iterable[Batch[Key]]) -> Iterator[tuple[Batch[Key], list[Letter]]]:
        """Each batch with its letters; the children read the next one meanwhile. Where a batch
        cannot be had, those before it are given first. Raises what `batches` raises."""
        rest, failed = iter(batches), None
        before: Batch[Key] = []
        letters: Letters = list
        while True:
            try:
                some = next(rest, [])
            except Exception as error:
                failed, some = error, []
            found = letters()
            letters = self.begin([mail for _, mail in some])
            if before:
                yield before, found
            if not some:
                break
            before = some
        if failed:
            raise failed

    def _threads(self) -> ThreadPoolExecutor:
        if self._pool is None:
            from concurrent.futures import ThreadPoolExecutor

            self._pool = self._stack.enter_context(ThreadPoolExecutor(len(self._guards)))
        return self._pool


def _share(guard: Guard, mails: Sequence[Mail]) -> list[Letter]:
    return [_opened(guard, mail) for mail in mails]


def _woven(shares: Sequence[list[Letter]]) -> list[Letter]:
    """The letters in their order, of shares that took them in turn."""
    count = len(shares)
    return [shares[k % count][k // count] for k in range(sum(map(len, shares)))]


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
