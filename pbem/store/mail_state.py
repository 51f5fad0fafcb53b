"""The state of mail and deadlines: what is unsent, bounced, scheduled or awaits a decision.

It is a part of the register (`Register.mail_state`) and is folded from the same records.
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


def signer_of(body: Refused) -> str:
    """The officer whose key signed what was refused, as `MailState.signed_answers` names him."""
    return f"{body.side} {body.officer}"


class MailState(Struct):
    """Mail and deadlines of a game."""

    unsent: dict[str, int] = {}
    """File in the outbox to the number of its record, in the order of commits."""
    sent: set[str] = set()
    """Files that left by mail."""
    bounced: dict[str, str] = {}
    """File in the outbox to the code with which it bounced."""
    handled: dict[str, int] = {}
    """Name of a mail that was received and answered to the number of its record. A mail that is
    fetched again is not handled again."""
    day: str = ""
    """The day that `answers` counts."""
    answers: dict[str, int] = {}
    """Side to the number of mails of that day that brought nothing new, and that came from its
    addresses, which anybody can write, or that anybody could send again. The daily limit of replies
    counts these; those from addresses that are not registered have the key `""`."""
    signed_answers: dict[str, int] = {}
    """Side and number of an officer (`fox 1`) to the number of different texts of that day that his
    key signed and that were refused. They have a daily limit of their own, which nobody else can
    reach: a text that comes again counts in `answers`."""
    signed_refused: set[str] = set()
    """Salted digests of signed texts that were refused."""
    schedule: str = ""
    """The rule that sets deadlines, empty without one."""
    reminded: dict[str, int] = {}
    """Side to the window of which it was last reminded."""
    why: str = ""
    """The reason for which the game is on hold, empty while it is not."""
    absent: dict[str, str] = {}
    """Side to the day of its return."""
    handled_sets: dict[str, int] = {}
    """Side to the record of the newest set whose ABSENT, RESIGN or PREFER was handled."""
    replaced_at: dict[str, int] = {}
    """Side to the record that last replaced a player of it. Mail that was unsent then is not for
    the new player."""
    preferences: dict[str, dict[str, str]] = {}
    """Seat to how its players want their mail (`pbem.store.preferences`)."""
    press: dict[int, Pressed] = {}
    """Number of a record to its message, while it waits for the moderator's decision."""
    restarted_at: str = ""
    """When the game was last taken off hold, or a player replaced."""
    last: str = ""
    """The latest time of a record since the game was last resumed: a wrong clock is not forgotten
    when the next record has the right time."""

    def apply(self, record: Record) -> None:
        """Fold in one record."""
        body = record.body
        self.last = record.at if body.kind == "resumed" else max(self.last, record.at)
        for name in body.files if body.mailed is not None else ():
            if name.startswith("outbox/"):
                self.unsent[name] = record.n
        if isinstance(body, Arrived) and body.mail:
            self._handle(record, body)
        fold = getattr(self, f"_{body.kind}", None)
        if fold:
            fold(record, body)

    def _handle(self, record: Record, body: Arrived) -> None:
        """Count a mail as handled, and towards the daily limit if it brought nothing new."""
        self.handled[body.mail] = record.n
        if record.at[:10] != self.day:
            self.day, self.answers, self.signed_answers = record.at[:10], {}, {}
        # A new valid set is always answered, and must not use up the limit.
        if isinstance(body, Refused) and body.signed and body.signed not in self.signed_refused:
            by = signer_of(body)
            self.signed_answers[by] = self.signed_answers.get(by, 0) + 1
            self.signed_refused.add(body.signed)
        elif isinstance(body, Refused | Noted | Resent):
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
        """Take unsent reports of records `since` to `before` out of the queue, after an undo."""
        for name, n in list(self.unsent.items()):
            if since <= n < before and name.endswith("-report.eml"):
                del self.unsent[name]

    def _scheduled(self, record: Record, body: Scheduled) -> None:
        self.schedule = body.rule

    def _held(self, record: Record, body: Held) -> None:
        self.why = body.reason

    def _resumed(self, record: Record, body: Resumed) -> None:
        self.why, self.restarted_at = "", record.at

    def _noted(self, record: Record, body: Noted) -> None:
        for side in (body.sides or ()) if body.reminder else ():
            self.reminded[side] = body.reminder
        self.absent |= body.absent or {}
        self.handled_sets |= body.heeded
        if body.prefers:
            kept = self.preferences.get(body.side, {}) | body.prefers
            self.preferences = {**self.preferences, body.side: kept}

    def _pressed(self, record: Record, body: Pressed) -> None:
        self.press.pop(body.of, None)
        if body.state == "waiting":
            self.press[record.n] = body

    def _replaced(self, record: Record, body: Replaced) -> None:
        if body.right == "replacement":
            self.absent.pop(body.side, None)
            self.preferences = {s: p for s, p in self.preferences.items() if s != body.side}
            self.replaced_at[body.side] = record.n
            self.restarted_at = record.at
