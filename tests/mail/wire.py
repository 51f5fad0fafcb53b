"""A proxy between pbem and a real IMAP server that makes one command of the client fail."""

from __future__ import annotations

import socket
import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from msgspec import Struct


class Fault(Struct, frozen=True):
    """What goes wrong at the `nth` command that holds `word`.

    how: `drop` the connection before the server hears it; `hang`: it is never answered; `cut`:
    the connection breaks after 9 bytes of the answer; a line that begins with `*` comes before the
    server's own answer; any other is the answer, behind the command's tag: `NO [OVERQUOTA] full`.
    """

    word: str
    how: str
    nth: int = 1


class Wire(socketserver.ThreadingTCPServer):
    """Listens on a loopback port and passes on to another. fault: None while the line is good."""

    allow_reuse_address = True
    daemon_threads = True

    def __init__(self, to: int) -> None:
        super().__init__(("127.0.0.1", 0), _Line)
        self.to = to
        self.fault: Fault | None = None
        self.heard: list[str] = []
        threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()

    @property
    def port(self) -> int:
        return int(self.server_address[1])

    def goes_wrong(self, command: str) -> Fault | None:
        """The fault for this command, None without one."""
        self.heard.append(command)
        fault = self.fault
        meant = fault and [one for one in self.heard if fault.word in one]
        return (
            fault if meant and fault and meant[-1] == command and len(meant) == fault.nth else None
        )


class _Line(socketserver.StreamRequestHandler):
    server: Wire

    def handle(self) -> None:
        self._room = 1 << 40
        with _gone(), socket.create_connection(("127.0.0.1", self.server.to)) as far:
            back = threading.Thread(target=self._answers, args=(far,), daemon=True)
            back.start()
            with _gone():
                while (line := self.rfile.readline()) and self._passes(line, far):
                    pass
            with _gone():
                far.shutdown(socket.SHUT_RDWR)
            back.join()

    def _passes(self, line: bytes, far: socket.socket) -> bool:
        """Pass a command to the server, or not; return whether the connection stays open."""
        fault = self.server.goes_wrong(line.decode().strip())
        how = fault.how if fault else ""
        if how == "cut":
            self._room = 9
        if how.startswith("*"):
            self.wfile.write(f"{how}\r\n".encode())
        if how in ("", "cut") or how.startswith("*"):
            far.sendall(line)
        elif how not in ("drop", "hang"):
            self.wfile.write(line.split()[0] + f" {how}\r\n".encode())
        return how != "drop"

    def _answers(self, far: socket.socket) -> None:
        """Pass on the server's answer, as far as the fault permits."""
        with _gone():
            while self._room and (said := far.recv(4096)):
                part = said[: self._room]
                self._room -= len(part)
                self.connection.sendall(part)
            self.connection.shutdown(socket.SHUT_RDWR)


@contextmanager
def _gone() -> Iterator[None]:
    """The other end may be gone already."""
    try:
        yield
    except OSError:
        return


@contextmanager
def wire(to: int) -> Iterator[Wire]:
    """A context in which such a proxy to `port` runs."""
    line = Wire(to)
    try:
        yield line
    finally:
        line.shutdown()
        line.server_close()
