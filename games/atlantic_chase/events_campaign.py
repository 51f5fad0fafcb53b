"""What both sides are told between the operations of a campaign."""

from __future__ import annotations

from pbem.model import Event


class OperationEnded(Event, frozen=True, kw_only=True):
    """R115 An operation of the campaign is over; `score` in words."""

    title: str
    score: str


class OperationBegan(Event, frozen=True, kw_only=True):
    """R115 The next one begins."""

    title: str


class Repaired(Event, frozen=True, kw_only=True):
    """R115 A ship in a dockyard is ready for the next operation, or misses it."""

    ship: str
    repaired: bool


class PortChecked(Event, frozen=True, kw_only=True):
    """R115 The Port Check of a German port."""

    port: str
    closed: bool
