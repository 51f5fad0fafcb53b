"""A home with a club whose mail goes through Maildirs, and people who write to it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from email import message_from_bytes
from email.message import Message
from pathlib import Path
from typing import Any

from pbem.base.config import Config, load
from pbem.base.report_json import Report
from pbem.cli.common import system_named
from pbem.club.state import State, read
from pbem.crypto.private_keys import SshKey
from pbem.dice.chains import DiceChains
from pbem.player.joining import answer, read_letter, wish
from pbem.store.game_dir import games, reading
from pbem.store.register import Register
from tests.cli.commands import Said, pbem
from tests.referee import key_of

CONFIG = """
address = "games@club.example"
moderator = "mod@club.example"
[mailbox]
kind = "maildir"
path = "in"
[delivery]
kind = "maildir"
path = "out"
[club]
name = "Western Approaches Club"
{more}
"""


class ClubHome:
    """The home of a club. Time stands still unless a test moves it."""

    def __init__(self, home: Path, more: str = "") -> None:
        self.home = home
        home.mkdir(exist_ok=True)
        (home / "pbem.toml").write_text(CONFIG.format(more=more))
        for part in ("tmp", "new", "cur"):
            (home / "in" / part).mkdir(parents=True, exist_ok=True)
        self._count = 0

    @property
    def config(self) -> Config:
        return load(self.home)

    @property
    def state(self) -> State:
        """What the club remembers, read anew."""
        return read(self.home, self.config).state

    def register(self, game: str) -> Register:
        return reading(self.home, game).register

    def games(self) -> list[str]:
        return games(self.home)

    def run(self, *args: str) -> Said:
        """`pbem --home HOME ARGS`."""
        return pbem("--home", self.home, *args)

    def offer(self, *args: str) -> Said:
        """Offer a game without charts and with seeded dice: the tests look at neither."""
        said = self.run("offer", *args, "--chart", "none", "--dice", "seeded")
        assert said.code == 0, said.err
        return said

    def write(
        self,
        sender: str,
        body: str,
        subject: str = "",
        head: Sequence[str] = (),
    ) -> Path:
        """Put a mail into the club's mailbox. sender: a name at players.example, or an address."""
        self._count += 1
        lines = [
            f"From: {address(sender)}",
            "To: games@club.example",
            f"Subject: {subject}",
            f"Message-ID: <{self._count}@players.example>",
            *head,
            "",
            body,
        ]
        path = self.home / "in" / "new" / f"{self._count:06}.mail"
        path.write_bytes("\n".join(lines).encode())
        return path

    def signed_wish(self, sender: str, text: str, at: str, to: str = "games@club.example") -> str:
        """A wish signed with the key of a player."""
        facts = {"at": at, "email": address(sender), "name": sender, "to": to, "wish": text}
        return wish(facts, key_of(sender))

    def tick(self, code: int = 0) -> Said:
        """`pbem tick --json`, which must end with that exit code."""
        said = self.run("tick", "--json")
        assert said.code == code, (said.out, said.err)
        return said

    def mails(self, to: str = "") -> list[Message]:
        """The delivered mails, by name of file; to: a player's name, `mod`, or everybody."""
        out = sorted((self.home / "out").glob("new/*"), key=lambda p: p.stat().st_mtime_ns)
        found = [message_from_bytes(path.read_bytes()) for path in out]
        return [m for m in found if not to or m["To"] == address(to)]

    def empty(self) -> None:
        """Remove the delivered mails."""
        for path in (self.home / "out").glob("new/*"):
            path.unlink()

    def subjects(self, to: str = "") -> list[str]:
        return sorted(str(mail["Subject"]) for mail in self.mails(to))

    def text(self, to: str = "") -> str:
        """The plain text of the mails to a player."""
        return "\n".join(plain(mail) for mail in self.mails(to))

    def code(self, to: str) -> str:
        """The newest code that was mailed to a player."""
        found: list[str] = re.findall(r"CONFIRM ([0-9a-f]{16})", self.text(to))
        return found[-1]

    def answer(self, player: str, key: SshKey | None = None, of: int = -1) -> str:
        """The signed answer to a joining letter that a player got."""
        letters = [m for m in self.mails(player) if "BEGIN LETTER" in plain(m)]
        facts = read_letter(plain(letters[of]).encode())
        return answer(facts, DiceChains(key or key_of(player)), player)

    def join(self, player: str, *seat: str) -> None:
        """Ask for a seat and answer the letter that comes: two ticks."""
        self.write(player, "", f"JOIN {' '.join(seat)}")
        self.tick()
        self.write(player, self.answer(player))
        self.tick()

    def report(self, game: str, side: str) -> Report:
        """The newest report of a side."""
        game_ = reading(self.home, game)
        found = sorted((game_.folder / "reports" / side).iterdir(), key=lambda p: int(p.name))
        import json

        facts: dict[str, Any] = json.loads((found[-1] / "report.json").read_bytes())
        return Report.of(facts)


def address(name: str) -> str:
    """The address of a player, of the moderator, or the address itself."""
    if name == "mod":
        return "mod@club.example"
    return name if "@" in name else f"{name.lower()}@players.example"


def plain(mail: Message) -> str:
    """The text of a mail."""
    for part in mail.walk():
        body = part.get_payload(decode=True)
        if part.get_content_type() == "text/plain" and isinstance(body, bytes):
            return body.decode()
    return ""


TOY = system_named("toy")
