"""A scripted SMTP server on loopback, and homes that send through it."""

from __future__ import annotations

import socketserver
import threading
from collections.abc import Callable
from contextlib import suppress

from tests.mail.office import CONFIG, Office


class Server(socketserver.ThreadingTCPServer):
    """Takes mail, but for what its script says: a command to the answer, `drop` (the connection
    breaks), `hang` (nothing comes until it is closed) or `drip` (a byte now and then); `second`
    instead of `rcpt` for addresses with that word, `end` behind the mail. most: mails that a
    connection carries, then `421`; broken: at which of them, by number, `end` counts, 0: each."""

    allow_reuse_address = True
    daemon_threads = True

    def __init__(self, most: int = 1000, **script: str) -> None:
        super().__init__(("127.0.0.1", 0), Session)
        self.most, self.script, self.broken = most, script, 0
        self.mails: list[bytes] = []
        self.senders: list[str] = []
        self.to: list[list[str]] = []
        self.connections = 0
        self.closed = threading.Event()
        threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()

    @property
    def port(self) -> int:
        return int(self.server_address[1])

    def close(self) -> None:
        self.closed.set()
        self.shutdown()
        self.server_close()


Start = Callable[..., Server]
"""`smtpd(rcpt="550 no such user")`."""


class Session(socketserver.StreamRequestHandler):
    """One connection."""

    server: Server

    def say(self, text: str) -> None:
        self.wfile.write(text.encode() + b"\r\n")

    def handle(self) -> None:
        self.server.connections += 1
        self.to: list[str] = []
        self.count = 0
        with suppress(ConnectionError):  # whoever spoke was killed
            self.serve()

    def serve(self) -> None:
        self.say("220 here")
        while line := self.rfile.readline().decode().strip():
            answer = self.answer(line.split()[0].split(":")[0].lower(), line)
            if answer == "hang":
                self.server.closed.wait()
            while answer == "drip" and not self.server.closed.wait(0.02):
                self.wfile.write(b"2")
            if answer in ("drop", "hang", "drip"):
                return
            self.say(answer)
            if answer[:3] in ("221", "421"):
                return

    def answer(self, word: str, line: str) -> str:
        answer = self.server.script.get(word, "250 ok")
        address = line.partition(":")[2].partition(">")[0].lstrip("<")
        if word == "quit":
            return "221 bye"
        if word == "mail":
            self.to = []
            self.server.senders.append(address)
            return answer if self.count < self.server.most else "421 enough"
        if word == "rcpt":
            if "second" in address:
                answer = self.server.script.get("second", answer)
            self.to += [address] * answer.startswith("250")
        return self.take() if word == "data" and answer.startswith("250") else answer

    def take(self) -> str:
        self.say("354 go on")
        found = b""
        while (line := self.rfile.readline()) != b".\r\n":
            if not line.endswith(b"\n"):
                return "drop"  # the mail was cut off
            found += line[1:] if line.startswith(b"..") else line
        self.count += 1
        self.server.mails.append(found)
        self.server.to.append(self.to)
        meant = self.server.broken in (0, self.count)
        return self.server.script.get("end", "250 taken") if meant else "250 taken"


def by_smtp(office: Office, server: Server, more: str = "") -> None:
    """Let the office send through that server."""
    text = CONFIG.split("[delivery]")[0]
    way = f'[delivery]\nkind = "smtp"\nhost = "127.0.0.1"\nport = {server.port}\ntls = "none"\n'
    (office.home / "pbem.toml").write_text(text + way + more)
