"""Remarks on the times of a ledger. They prove nothing, as the moderator's clock and mailbox give
them: a set that came behind the deadline, time that runs backwards, and another clock."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from pbem.base.clock import parse
from pbem.errors import Usage
from pbem.store.ledger import Record
from pbem.store.records import Received
from pbem.store.register import Register
from pbem.turns.schedule import rule_of


def time_flags(register: Register, record: Record, before: Record | None) -> Iterator[str]:
    """The remarks on the times of a record. register: of all records before it; before: the last
    of these."""
    said, body = f"record {record.n}", record.body
    if body.clock and not (before and before.body.clock):
        yield f"{said}: {body.clock} set the time from here on, not the clock"
    if before and record.at < before.at:
        yield f"{said}: its time, {record.at}, is before that of record {before.n}, {before.at}"
    if isinstance(body, Received) and (due := _late(register, record, body)):
        came = min(body.arrival, record.at)
        yield f"{said}: orders of {body.side} came at {came}, after the deadline, {due}"


def _late(register: Register, record: Record, body: Received) -> str:
    """The deadline that a set came behind, with the grace of the schedule; empty if it did not.

    It came when the mailbox says so, or when it was recorded if that was sooner. No deadline runs
    on hold, and with `nmr=wait` a window stays open behind it. The referee's bot gives orders then.
    """
    if not register.deadline or register.held or body.bot:
        return ""
    try:
        rule = rule_of(register)
        if rule and rule.nmr == "wait":
            return ""
        last = parse(register.deadline) + timedelta(minutes=rule.grace if rule else 0)
        came = parse(min(body.arrival, record.at))
    except (Usage, OverflowError):  # times that this program never wrote
        return ""
    return register.deadline if came > last else ""
