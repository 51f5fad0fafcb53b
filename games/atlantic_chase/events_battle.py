"""What both sides are told of a Battle."""

from __future__ import annotations

from pbem.model import Event, Side


class RoundBegan(Event, frozen=True, kw_only=True):
    """R189 A round; zones: ship -> zone of its own side."""

    round: int
    zones: dict[str, str]


class Fired(Event, frozen=True, kw_only=True):
    """R190 Gunnery of one ship at another."""

    ship: str
    target: str
    range: str
    hits: int
    result: str = ""
    """8.3 `severe` or `catastrophic`."""


class TorpedoFired(Event, frozen=True, kw_only=True):
    """R196 A torpedo attack."""

    ship: str
    target: str
    hits: int
    result: str = ""


class Struck(Event, frozen=True, kw_only=True):
    """8.3 Where a severe or catastrophic result strikes a ship, and what it does."""

    ship: str
    severity: str
    place: str
    effect: str = ""


class Manoeuvred(Event, frozen=True, kw_only=True):
    """R198 A ship is in a zone now, and makes smoke or does not."""

    ship: str
    zone: str
    smoke: bool


class BrokeAway(Event, frozen=True, kw_only=True):
    """R202 A side tried to break away."""

    side: Side
    away: bool


class ShipAway(Event, frozen=True, kw_only=True):
    """R204 One ship got away by an Evasive marker."""

    ship: str


class SmokeLies(Event, frozen=True, kw_only=True):
    """R199 The ships that smoke obscures now, those that make it included."""

    ships: tuple[str, ...]
