"""Mail and deadlines as the ledger has them: what is unsent, bounced, scheduled, owed.

A part of the register (`Register.affairs`), folded from the same records.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from pbem.store.ledger import Record

ANSWERS = ("refused", "noted", "resent")
"""Kinds that answer a mail without bringing anything new: what the daily cap counts."""

BRINGING = ("received", "replaced", "revealed", "pressed")
"""Kinds that a mail with something new makes."""


class Affairs(Struct):
    """unsent: file in the outbox to its record, in the order committed. sent: those that went by
    mail. bounced: such a file to
    the code. handled: what came by mail and is done with. answers: how many `day` saw, by side.
    schedule: the rule, empty without. reminded: side to the window it was reminded of. why: the
    game is held. absent: side to the day of its return. heeded: side to the set whose ABSENT or
    RESIGN was dealt with. parted: side to the record by which a player of it was last replaced:
    what was unsent then is not for him. press: by the number of its record, what waits for the
    moderator. fresh: when a held game last went on, or a player took over. last: the time of the
    last record."""

    unsent: dict[str, int] = {}
    sent: set[str] = set()
    bounced: dict[str, str] = {}
    handled: dict[str, int] = {}
    day: str = ""
    answers: dict[str, int] = {}
    schedule: str = ""
    reminded: dict[str, int] = {}
    why: str = ""
    absent: dict[str, str] = {}
    heeded: dict[str, int] = {}
    parted: dict[str, int] = {}
    press: dict[int, dict[str, Any]] = {}
    fresh: str = ""
    last: str = ""

    def take(self, record: Record) -> None:
        """Fold one record in."""
        body = record.body
        self.last = record.at
        for name in body.get("files", ()) if "mailed" in body else ():
            if name.startswith("outbox/"):
                self.unsent[name] = record.n
        if "mail" in body and record.kind in (*BRINGING, *ANSWERS):
            self._handle(record, body)
        fold = getattr(self, f"_{record.kind}", None)
        if fold:
            fold(record, body)

    def _handle(self, record: Record, body: dict[str, Any]) -> None:
        self.handled[body["mail"]] = record.n
        if record.at[:10] != self.day:
            self.day, self.answers = record.at[:10], {}
        if record.kind in ANSWERS:
            side = body.get("side", "")
            self.answers[side] = self.answers.get(side, 0) + 1

    def _sent(self, record: Record, body: dict[str, Any]) -> None:
        for name in body["mails"]:
            self.unsent.pop(name, None)
        if body["by"] == "mail":
            self.sent.update(body["mails"])

    def _bounced(self, record: Record, body: dict[str, Any]) -> None:
        self.unsent.pop(body["mail"], None)
        self.bounced[body["mail"]] = body["code"]

    def withdraw(self, since: int, before: int) -> None:
        """An undo takes back the reports that were not sent since the window closed."""
        for name, n in list(self.unsent.items()):
            if since <= n < before and name.endswith("-report.eml"):
                del self.unsent[name]

    def _scheduled(self, record: Record, body: dict[str, Any]) -> None:
        self.schedule = body["rule"]

    def _held(self, record: Record, body: dict[str, Any]) -> None:
        self.why = body.get("reason", "")

    def _resumed(self, record: Record, body: dict[str, Any]) -> None:
        self.why, self.fresh = "", record.at

    def _noted(self, record: Record, body: dict[str, Any]) -> None:
        for side in body["sides"] if "reminder" in body else ():
            self.reminded[side] = body["reminder"]
        if "absent" in body:
            self.absent |= body["absent"]
        self.heeded |= body.get("heeded", {})

    def _pressed(self, record: Record, body: dict[str, Any]) -> None:
        self.press.pop(body.get("of", 0), None)
        if body["state"] == "waiting":
            self.press[record.n] = body

    def _replaced(self, record: Record, body: dict[str, Any]) -> None:
        if body.get("why", "replacement") == "replacement":
            self.absent.pop(body["side"], None)
            self.parted[body["side"]] = record.n
            self.fresh = record.at
