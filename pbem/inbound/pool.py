"""Read mails in several sandboxed children, while the caller works on the mails before them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, suppress
from types import TracebackType
from typing import TYPE_CHECKING, TypeVar

from msgspec.structs import replace

from pbem.inbound.letter import LARGEST, Letter, Unreadable
from pbem.inbound.sandbox import Sandbox

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

MIN_BATCH = 8
"""Fewer mails are read by one child when the caller waits for them, without threads."""

SHARE = 1 << 20
"""Bytes of mails per child: starting one more child pays only for as many again."""

Mail = tuple[str, bytes]
"""A mail: its file name, which begins with the time of its arrival (`20261120T120000Z-`), and its
bytes."""

Key = TypeVar("Key")
Batch = list[tuple[Key, Mail]]
"""Mails, each with the key by which its mailbox knows it."""

Letters = Callable[[], list[Letter]]
"""Call it to wait for the letters that are being read."""

# For mails that must not be parsed. The bounds keep the search in a long line short.
FROM = re.compile(rb"(?im)^from:[^\n]{0,400}?([a-z0-9._+-]{1,64}@[a-z0-9.-]{1,190})")
MACHINE = re.compile(rb"(?im)^(auto-submitted:(?!\s*no\s*$)|list-|precedence:|return-path:\s*<>)")


class Readers:
    """Several sandboxed children: `with Readers(2) as readers: readers.read(mails)`.

    No child starts before it has work. Reading raises Busy when no child can start.
    """

    def __init__(self, count: int = 1) -> None:
        self._sandboxes = [Sandbox() for _ in range(count)]
        self._stack = ExitStack()
        self._pool: ThreadPoolExecutor | None = None

    def __enter__(self) -> Readers:
        for sandbox in self._sandboxes:
            self._stack.enter_context(sandbox)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stack.close()

    def read(self, mails: Sequence[Mail]) -> list[Letter]:
        """Return the letters of these mails in the same order; each child reads a share of them."""
        return self.begin(mails)()

    def begin(self, mails: Sequence[Mail]) -> Letters:
        """Let the children start to read; return a function that waits for the letters.

        Call it before the next `begin`: a child reads one mail at a time.
        """
        if not mails:
            return list
        many = len(mails) >= MIN_BATCH
        sandboxes = self._sandboxes[: 1 + many * sum(len(raw) for _, raw in mails) // SHARE]
        for sandbox in sandboxes:
            sandbox.start()
        if not many:
            return lambda: _share(sandboxes[0], mails)
        pool = self._threads()
        shares = [
            pool.submit(_share, s, mails[i :: len(sandboxes)]) for i, s in enumerate(sandboxes)
        ]
        return lambda: _in_order([share.result() for share in shares])

    def ahead(self, batches: Iterable[Batch[Key]]) -> Iterator[tuple[Batch[Key], list[Letter]]]:
        """Yield each batch with its letters; meanwhile the children read the next batch.

        Raises what `batches` raises, after the batches before the failure: the mailbox may not
        give them again.
        """
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

            self._pool = self._stack.enter_context(ThreadPoolExecutor(len(self._sandboxes)))
        return self._pool


def _share(sandbox: Sandbox, mails: Sequence[Mail]) -> list[Letter]:
    """Read some mails in one child."""
    return [_read_mail(sandbox, mail) for mail in mails]


def _in_order(shares: Sequence[list[Letter]]) -> list[Letter]:
    """Merge the shares into one list: of n shares, number i has every n-th mail from mail i on."""
    count = len(shares)
    return [shares[k % count][k // count] for k in range(sum(map(len, shares)))]


def _read_mail(sandbox: Sandbox, mail: Mail) -> Letter:
    """Read one mail; what makes it unreadable is in the letter. Raises Busy."""
    name, raw = mail
    arrived = f"{name[:4]}-{name[4:6]}-{name[6:8]}T{name[9:11]}:{name[11:13]}:{name[13:15]}Z"
    try:
        return replace(sandbox.open(raw), arrived=arrived)
    except Unreadable as error:
        return replace(_summary(sandbox, raw), arrived=arrived, unreadable=str(error))


def _summary(sandbox: Sandbox, raw: bytes) -> Letter:
    """Return what can be known of an unreadable mail.

    Of a mail that is too long the child reads the beginning: it may hold a signed set above a
    quoted report, or the status of a bounce. Of any other mail two patterns look for the sender
    and for signs of a program; nothing here parses it, since it may harm its parser.
    """
    if len(raw) > LARGEST:
        with suppress(Unreadable):
            return sandbox.open(raw[:LARGEST])
    head = raw[:16384]
    found = FROM.search(head)
    return Letter(
        sender=found[1].decode("ascii").lower() if found else "",
        machine="headers" if MACHINE.search(head) else "",
    )
