"""Mail and deadlines as the ledger has them: what is unsent, bounced, scheduled, owed.

A part of the register (`Register.affairs`), folded from the same records.
"""

from __future__ import annotations

from msgspec import Struct

from pbem.store.ledger import Record
from pbem.store.records import (
    Arrived,
    Bounced,
    Held,
    Noted,
    Pressed,
    Refused,
    Replaced,
    Resent,
    Resumed,
    Scheduled,
    Sent,
)


class Affairs(Struct):
    """Mail and deadlines of a game."""

    unsent: dict[str, int] = {}  # file in the outbox to its record, in the order committed
    sent: set[str] = set()  # the files that went by mail
    bounced: dict[str, str] = {}  # file in the outbox to the code it came back with
    handled: dict[str, int] = {}  # what came by mail and is done with, to its record
    day: str = ""  # the day that `answers` counts
    # side to how many of its mails of that day brought nothing new and were answered
    answers: dict[str, int] = {}
    schedule: str = ""  # the rule, empty without one
    reminded: dict[str, int] = {}  # side to the window it was reminded of
    why: str = ""  # the reason for which the game is held
    absent: dict[str, str] = {}  # side to the day of its return
    # side to the record of the set whose ABSENT or RESIGN was dealt with
    heeded: dict[str, int] = {}
    # side to the record by which a player of it was last replaced: what was unsent then is not
    # for the new one
    parted: dict[str, int] = {}
    press: dict[int, Pressed] = {}  # by the number of its record, what waits for the moderator
    fresh: str = ""  # when a held game last went on, or a player took over
    last: str = ""  # the time of the last record

    def take(self, record: Record) -> None:
        """Fold one record in."""
        body = record.body
        self.last = record.at
        for name in body.files if body.mailed is not None else ():
            if name.startswith("outbox/"):
                self.unsent[name] = record.n
        if isinstance(body, Arrived) and body.mail:
            self._handle(record, body)
        fold = getattr(self, f"_{body.kind}", None)
        if fold:
            fold(record, body)

    def _handle(self, record: Record, body: Arrived) -> None:
        self.handled[body.mail] = record.n
        if record.at[:10] != self.day:
            self.day, self.answers = record.at[:10], {}
        if isinstance(body, Refused | Noted | Resent):  # it brought nothing new
            self.answers[body.side] = self.answers.get(body.side, 0) + 1

    def _sent(self, record: Record, body: Sent) -> None:
        for name in body.mails:
            self.unsent.pop(name, None)
        if body.by == "mail":
            self.sent.update(body.mails)

    def _bounced(self, record: Record, body: Bounced) -> None:
        self.unsent.pop(body.mail, None)
        self.bounced[body.mail] = body.code

    def withdraw(self, since: int, before: int) -> None:
        """An undo takes back the reports that were not sent since the window closed."""
        for name, n in list(self.unsent.items()):
            if since <= n < before and name.endswith("-report.eml"):
                del self.unsent[name]

    def _scheduled(self, record: Record, body: Scheduled) -> None:
        self.schedule = body.rule

    def _held(self, record: Record, body: Held) -> None:
        self.why = body.reason

    def _resumed(self, record: Record, body: Resumed) -> None:
        self.why, self.fresh = "", record.at

    def _noted(self, record: Record, body: Noted) -> None:
        for side in (body.sides or ()) if body.reminder else ():
            self.reminded[side] = body.reminder
        self.absent |= body.absent or {}
        self.heeded |= body.heeded

    def _pressed(self, record: Record, body: Pressed) -> None:
        self.press.pop(body.of, None)
        if body.state == "waiting":
            self.press[record.n] = body

    def _replaced(self, record: Record, body: Replaced) -> None:
        if body.right == "replacement":
            self.absent.pop(body.side, None)
            self.parted[body.side] = record.n
            self.fresh = record.at
