"""6.16/3 The contacts that orders name, as the truth: what each stands for, and what it became as
groups changed."""

from __future__ import annotations

from msgspec import Struct

from games.second_fleet.state import Known, War
from pbem.kit.checks import Refused
from pbem.model import Side


def unit_of(war: War, side: Side, contact: str) -> str:
    """Whom a contact stands for while its marker lies there; empty without one."""
    key = war.called[side].stands_for.get(contact, "")
    return key if war.held[side].get(key) == contact else ""


def place_of(war: War, side: Side, contact: str) -> str:
    """Where a side thinks a contact is, or what it became as groups changed; empty if it does not
    know it."""
    known = seen_of(war, side, contact)
    old = war.heirs.get(side, {}).get(contact)
    stays = [one.place for one in known if old and one.place == old.at]
    return (stays or [one.place for one in known] or [""])[0]


def seen_of(war: War, side: Side, contact: str) -> list[Known]:
    """What a side knows of a contact, or of what it became as groups changed (6.16/3)."""
    if contact in war.known[side]:
        return [war.known[side][contact]]
    names = [one for name in _became(war, side, contact) for one in seen_of(war, side, name)]
    return list({one.id: one for one in names}.values())


class Goal(Struct, frozen=True):
    """6.14/1 What an attack is ordered on."""

    hex: str
    units: tuple[str, ...] = ()
    """The markers at which it is aimed; none: all that is in the hex."""
    parted: tuple[str, ...] = ()
    """6.16/3 Markers of ships that left these as groups changed, and lie in the hex still."""


def heirs(war: War, side: Side, contact: str) -> list[str]:
    """6.16/3 The contacts that an order for this one means: itself, or, where groups changed, the
    one with which it merged or the parts of it, as far as their markers lie there."""
    if contact in war.known[side]:
        return [contact] if unit_of(war, side, contact) else []
    found: list[str] = []
    for name in _became(war, side, contact):
        found += [heir for heir in heirs(war, side, name) if heir not in found]
    return found


def _became(war: War, side: Side, contact: str) -> list[str]:
    """What a contact became as groups changed, as its observer was told."""
    old = war.heirs.get(side, {}).get(contact)
    return old.names if old else []


def aim(war: War, side: Side, contact: str, hex_: str) -> Goal:
    """121 Whom an attack is ordered on: a contact, or all that is in a hex. Raises Refused."""
    return _aimed(war, side, contact) if contact else Goal(hex_)


def _aimed(war: War, side: Side, contact: str) -> Goal:
    """121, 6.16/3 Where a contact lies, and whom it stands for: of one that parted all parts that
    are still in its hex, or else in one hex. Raises Refused."""
    names = heirs(war, side, contact)
    where = {name: war.members(unit_of(war, side, name))[0].hex for name in names}
    if not names:
        raise Refused("contact-lost", "121", _lost(war, side, contact))
    old = war.heirs.get(side, {}).get(contact)
    at = old.at if old and old.at in where.values() else where[names[0]]
    if at != (old.at if old else "") and len(set(where.values())) > 1:
        listed = " and ".join(f"{name} in {hex_}" for name, hex_ in where.items())
        text = f"{contact} has become {listed}: name the one to attack"
        raise Refused("contact-parted", "121", text)
    units = tuple(unit_of(war, side, name) for name in names if where[name] == at)
    left = [unit_of(war, side, name) for name in _became(war, side, contact)]
    near = [key for key in left if key and key not in units and war.members(key)[0].hex == at]
    return Goal(at, units, tuple(near))


def _lost(war: War, side: Side, contact: str) -> str:
    """121 Why nothing can be aimed at a contact."""
    parts = _became(war, side, contact)
    if contact in war.known[side] or not parts:
        return f"{contact} is no longer detected"
    listed = " and ".join(parts)
    return f"{contact} has become {listed}, no longer detected"
