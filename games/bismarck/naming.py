"""What a side calls an enemy ship that the rules single out: its contact, or a new one."""

from __future__ import annotations

from games.bismarck import contacts
from games.bismarck.board import Zone
from games.bismarck.events import Sighting
from games.bismarck.state import Ship, War
from pbem.kit.contacts import newest
from pbem.model import Side

NO_CONTACT = "no-contact"
"""8.11 Why an order to intercept waits: its contact was not found this turn."""


def contact_of(war: War, side: Side, ship: Ship) -> str:
    """The newest contact that `side` has of a ship, empty without one."""
    contact = newest(war.known[side].contacts, war.tracks[side], ship.id)
    return contact.id if contact else ""


def found_now(war: War, side: Side, id_: str) -> list[Zone]:
    """8.11 Where `side` knows a contact to be this turn; without an id, any contact."""
    known = war.known[side].contacts.values()
    return [Zone(c.zone) for c in known if c.turn == war.turn and id_ in ("", c.id)]


def known_as(war: War, side: Side, ship: Ship) -> Sighting:
    """What `side` is told of the ship now: a contact of this turn, else a new one."""
    id_ = contact_of(war, side, ship)
    contact = war.known[side].contacts.get(id_)
    if contact and contact.turn == war.turn:
        return Sighting(id_, contact.type, contact.force)
    return contacts.sightings(war, side, [ship])[0]
