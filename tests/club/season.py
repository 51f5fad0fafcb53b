"""Members of a club who play by mail alone: they read what is delivered to them, and answer."""

from __future__ import annotations

from collections.abc import Callable
from email import message_from_bytes
from random import Random

from pbem.audit.open_file import attached
from pbem.base.clock import now, stamp
from pbem.base.report_json import Report
from pbem.base.schema import decoded
from pbem.cli.common import system_named
from pbem.dice.chains import DiceChains
from pbem.player.joining import answer, read_letter
from tests.club.club_home import ClubHome, address, plain
from tests.conftest import Clock
from tests.faults.hooks import KILLED, in_child
from tests.playing import order_file
from tests.referee import key_of


class Season:
    """The members of a club and their post. lot: decides about kills.

    kills: how many ticks were killed; some end before their lot falls.
    """

    def __init__(self, club: ClubHome, clock: Clock, members: tuple[str, ...], lot: Random) -> None:
        self.club, self.clock, self.members, self.lot = club, clock, members, lot
        self.gone: set[str] = set()
        """Members who have disappeared: they answer nothing."""
        self.kills = 0
        self._read: set[str] = set()
        self._done: set[str] = set()

    def tick(self, kill: bool = False) -> None:
        """One tick; with `kill`, one that dies at some write before it."""
        if kill:
            ended = in_child(self._tick, self.lot.randint(1, 120))
            assert ended in (0, KILLED)
            self.kills += ended == KILLED
        self._tick()

    def _tick(self) -> None:
        said = self.club.run("tick")
        assert said.code in (0, 4), said.err

    def day(self, kill: bool = False) -> None:
        """Everybody reads and answers; a day passes."""
        self.tick(kill)
        if self._answer_all():
            self.tick()
        self.clock.advance(days=1)

    def _answer_all(self) -> int:
        """Let every member answer the mail that is new to him; return how many answers went."""
        count = 0
        for path in sorted((self.club.home / "out" / "new").iterdir()):
            if path.name in self._read:
                continue
            self._read.add(path.name)
            raw = path.read_bytes()
            to = str(message_from_bytes(raw)["To"])
            player = next((m for m in self.members if address(m) == to), "")
            if player and player not in self.gone:
                count += self._answer(player, raw)
        return count

    def _answer(self, player: str, raw: bytes) -> bool:
        """Answer a letter, a question for confirmation, or a report; return whether there was an
        answer to give."""
        mail = message_from_bytes(raw)
        text, subject = plain(mail), str(mail["Subject"])
        if "BEGIN LETTER" in text:
            facts = read_letter(text.encode())
            self.club.write(player, answer(facts, DiceChains(key_of(player)), player))
            return True
        if "CONFIRM" in subject:
            self.club.write(player, "Yes.", f"Re: {subject}")
            return True
        parts = attached(raw)
        if "report.json" not in parts:
            return False
        found = decoded(parts["report.json"], "report")
        assert isinstance(found, dict)
        report = Report.of(found)
        if report.result or report.digest in self._done:
            return False
        self._done.add(report.digest)
        system = system_named(report.system)
        text = order_file(system, report, key_of(player), "luck", report.seq + 3600)
        self.club.write(player, text, report.game)
        return True

    def wish(self, player: str, text: str) -> None:
        """Mail a wish, without a signature."""
        self.club.write(player, "", text)

    def signed(self, player: str, text: str) -> None:
        """Mail a signed wish."""
        self.club.write(player, self.club.signed_wish(player, text, stamp(now())))

    def until(self, holds: Callable[[], bool], days: int) -> None:
        """Let days pass until something holds."""
        for _ in range(days):
            if holds():
                return
            self.day(kill=self.lot.random() < 0.6)
        assert holds(), self.club.run("status").out
