"""A home whose mail arrives and leaves through Maildirs, for tests of ticks."""

from __future__ import annotations

from collections.abc import Sequence
from email import message_from_bytes
from email.message import Message
from pathlib import Path

from pbem.base.clock import now
from pbem.base.config import Config, load
from pbem.cli.common import system_named
from pbem.inbound.fetch import collect
from pbem.inbound.spool import send_alerts
from pbem.outbound.transports.registry import transport_of
from pbem.scheduler.parallel import tick_all
from pbem.scheduler.tick import TickContext as Ticking
from pbem.scheduler.tick import Ticked, check_clock
from pbem.store.game_dir import games
from tests.referee import Referee

CONFIG = """
address = "games@example.org"
moderator = "mod@example.org"
[mailbox]
kind = "maildir"
path = "in"
[delivery]
kind = "maildir"
path = "out"
"""


class Office:
    """A referee whose home has a Maildir `in` for incoming mail and `out` for delivery."""

    def __init__(self, referee: Referee, config: str = CONFIG) -> None:
        self.referee = referee
        self.home = referee.home
        (self.home / "pbem.toml").write_text(config)
        for part in ("tmp", "new", "cur"):
            (self.home / "in" / part).mkdir(parents=True, exist_ok=True)
        self._count = len(list((self.home / "in").rglob("*.mail")))

    @property
    def config(self) -> Config:
        """`pbem.toml`, read anew."""
        return load(self.home)

    def mail(
        self,
        side: str,
        body: str,
        subject: str = "orders",
        sender: str = "",
        head: Sequence[str] = (),
    ) -> Path:
        """Put a mail of a player into the mailbox; return its file.

        sender: SIDE@example.org without one; head: more header lines.
        """
        lines = [
            f"From: The {side} <{sender or side + '@example.org'}>",
            "To: games@example.org",
            f"Subject: {subject}",
            f"Message-ID: <{self._count}@players.example>",
            *head,
            "",
            body,
        ]
        return self.drop("\n".join(lines).encode())

    def drop(self, raw: bytes) -> Path:
        """Put a mail of any bytes into the mailbox; return its file."""
        self._count += 1
        path = self.home / "in" / "new" / f"{self._count:04}.mail"
        path.write_bytes(raw)
        return path

    def orders(self, side: str, lines: str = "") -> Path:
        """Mail signed orders of a side; without `lines`, those that its form suggests."""
        return self.mail(side, self.referee.orders(side, lines or self.referee.suggested(side)))

    def tick(self, *names: str, jobs: int = 1) -> dict[str, Ticked]:
        """Do what `pbem tick` does; return the result of each game by name."""
        config, began = self.config, now()
        fetching = collect(self.home, config, jobs)
        blocked, outage = check_clock(self.home, config, fetching.failed)
        blocked = blocked or fetching.backlog
        ticking = Ticking(self.home, config, blocked, outage, fetching.letters, began)
        done = tick_all(ticking, list(names) or games(self.home), system_named, jobs)
        transport = transport_of(self.home, config)
        send_alerts(self.home, config, transport)
        transport.close()
        return {t.game: t for t in done}

    def one(self) -> Ticked:
        """Tick a home with one game, g1, which must not fail; return the game's result."""
        ticked = self.tick()["g1"]
        assert not ticked.error, ticked.error
        return ticked

    def sent(self, to: str = "") -> list[Message]:
        """The delivered mails by Date and Subject. to: a side or `mod`; everybody without it."""
        found = [
            message_from_bytes(p.read_bytes()) for p in sorted((self.home / "out").glob("new/*"))
        ]
        mine = [m for m in found if not to or m["To"] == f"{to}@example.org"]
        return sorted(mine, key=lambda m: (str(m["Date"]), str(m["Subject"])))

    def subjects(self, to: str = "") -> list[str]:
        """The subjects of the delivered mails, sorted."""
        return sorted(str(m["Subject"]) for m in self.sent(to))

    def bodies(self, to: str = "") -> str:
        """The plain text of all delivered mails."""
        texts = []
        for mail in self.sent(to):
            for part in mail.walk():
                if part.get_content_type() == "text/plain":
                    body = part.get_payload(decode=True)
                    texts.append(body.decode() if isinstance(body, bytes) else "")
        return "\n".join(texts)

    def empty(self) -> None:
        """Remove the delivered mails."""
        for path in (self.home / "out").glob("new/*"):
            path.unlink()
