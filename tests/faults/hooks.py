"""Faults at every write: kill the process, or fill the disk, at the k-th call that changes it."""

from __future__ import annotations

import errno
import os
import socket
import threading
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

CALLS = ("write", "fsync", "replace", "rename", "ftruncate", "unlink", "mkdir", "link")
KILLED = 9


def constant(n: int) -> bytes:
    """`os.urandom` for runs that have to come out byte-equal."""
    return b"\x5a" * n


class Counter:
    """Counts the calls of `CALLS`; at number `k` it does something else. k=0: only counts."""

    def __init__(self, k: int, calls: tuple[str, ...], act: Callable[..., Any]) -> None:
        self.k, self.count, self.calls, self.act = k, 0, calls, act

    def install(self, patch: pytest.MonkeyPatch) -> None:
        for name in self.calls:
            patch.setattr(os, name, self._hooked(name, getattr(os, name)))

    def _hooked(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **more: Any) -> Any:
            self.count += 1
            if self.k and self.count >= self.k:
                return self.act(name, real, args, more, self.count == self.k)
            return real(*args, **more)

        return call


def die(name: str, real: Callable[..., Any], args: Any, more: Any, first: bool) -> Any:
    """A kill in the middle of a write: half of it is there."""
    if name == "write":
        real(args[0], bytes(args[1])[: len(args[1]) // 2])
    os._exit(KILLED)


def full(name: str, real: Callable[..., Any], args: Any, more: Any, first: bool) -> Any:
    """The disk is full from now on: at first half a write still fits."""
    if name in ("unlink", "ftruncate", "replace", "rename", "link"):
        return real(*args, **more)  # these need no room
    if name == "write" and first and len(args[1]) > 1:
        return real(args[0], bytes(args[1])[: len(args[1]) // 2])
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(args[0]))


def count(action: Callable[[], object]) -> int:
    """How many calls `action` makes that change the disk."""
    with pytest.MonkeyPatch.context() as patch:
        counter = Counter(0, CALLS, die)
        counter.install(patch)
        action()
        return counter.count


class Sends:
    """Counts what goes out by sockets. At number `k` the process dies: in the middle of it, or
    right behind it. k=0: only counts."""

    def __init__(self, k: int, behind: bool = False) -> None:
        self.k, self.behind, self.count = k, behind, 0

    def install(self, patch: pytest.MonkeyPatch) -> None:
        real = socket.socket.sendall

        def sendall(sock: socket.socket, data: bytes, *flags: int) -> None:
            self.count += threading.current_thread() is threading.main_thread()  # a server is not
            if self.k and self.count == self.k:
                real(sock, data if self.behind else data[: len(data) // 2])
                os._exit(KILLED)
            real(sock, data, *flags)

        patch.setattr(socket.socket, "sendall", sendall)


def in_child(action: Callable[[], object], k: int) -> int:
    """Run `action` in a child process that dies at its k-th call; its exit code."""
    return _in_child(action, Counter(k, CALLS, die))


def in_sends(action: Callable[[], object], k: int, behind: bool) -> int:
    """The same, where it dies at its k-th send."""
    return _in_child(action, Sends(k, behind))


def _in_child(action: Callable[[], object], fault: Counter | Sends) -> int:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        try:
            with pytest.MonkeyPatch.context() as patch:
                fault.install(patch)
                action()
        except BaseException:
            os._exit(1)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status)


def take_mail(folder: Path) -> list[tuple[str, bytes]]:
    """What a transport does: everything in the outbox, which is empty then."""
    found = []
    for mail in sorted((folder / "outbox").glob("*.eml")):
        found.append((mail.name, mail.read_bytes()))
        mail.unlink()
    return found
