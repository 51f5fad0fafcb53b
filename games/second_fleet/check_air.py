"""Checks of orders to aircraft by what their owner's report shows: who may fly together, and from
where (62, 92, 128, 167, 168, 187)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from games.second_fleet import advanced_verbs as av
from games.second_fleet import verbs as v
from games.second_fleet.board import BASES, LATTICE, ZONE_NAMES
from games.second_fleet.report import OwnUnit
from games.second_fleet.seen import Seen, airfields
from games.second_fleet.tables import INT_ATK, aircraft, cap_chart, limits
from pbem.kit.checks import Refused

ZONES = len(ZONE_NAMES)


@cache
def _most() -> dict[str, int]:
    """62, 167, 128, 35 Squadrons: of a base on patrol, of a carrier in a segment, of guests of a
    Norwegian field in one, of an airfield."""
    chart = limits()
    return {
        "cap": cap_chart().most,
        "active": chart.carrier_active,
        "guests": chart.from_norway,
        "field": chart.airfield,
    }


@cache
def roles() -> dict[str, str]:
    """The role of every air counter, `INT`."""
    return {name: sheet.role for name, sheet in aircraft().items()}


@cache
def _all_weather() -> list[str]:
    """187 Who takes off from a carrier in the dark."""
    found = aircraft().items()
    return sorted(name for name, one in found if one.nation == "US" and one.all_weather)


@cache
def _guests() -> list[str]:
    """128, 6.12/8 Interceptors and attackers of NATO that are no Norwegians."""
    own = ("NO", "SO")
    found = aircraft().items()
    return sorted(n for n, one in found if one.nation not in own and one.role in INT_ATK)


@cache
def _norwegian() -> list[str]:
    """128 Airfields of Norway."""
    return sorted(h for h, base in BASES.items() if base.field and base.nation == "NO")


def sails(seen: Seen, unit: OwnUnit) -> int:
    """12 Hexes that the carrier of a squadron may sail in an earlier segment."""
    carrier = seen.own(unit.base, OwnUnit)
    return 0 if carrier is None else carrier.ma + 1


def squadron(seen: Seen, name: str) -> OwnUnit | None:
    """92 An own squadron that an order names; None for who has no place yet. Raises Refused."""
    unit = seen.own(name, OwnUnit)
    if unit is None:
        raise Refused("no-squadron", "92", f"{name} is no squadron of yours", arg="mates")
    if unit.kind == "wait":
        return None
    if unit.kind != "air":
        text = f"{name} is no squadron: aircraft fly with aircraft"
        raise Refused("no-squadron", "92", text, f"leave {name} out", arg="mates")
    return unit


def company(seen: Seen, names: Sequence[str]) -> list[OwnUnit]:
    """92 The squadrons of one order, each once. Raises Refused."""
    found: list[OwnUnit] = []
    for name in names:
        unit = squadron(seen, name)
        if unit is not None and name not in [one.id for one in found]:
            found.append(unit)
    return found


def in_reach(seen: Seen, order: v.Recon | v.Intercept | v.Coordinate) -> None:
    """58 A zone that the squadron reaches."""
    zones = seen.listed(seen.actor, seen.verb, "zone")
    if seen.now and len(zones) > 0 and order.zone not in zones:
        text = f"{order.zone} is out of the reach of {seen.actor}"
        raise Refused("too-far", "58", text, f"in reach: {', '.join(zones)}")


def near_ships(seen: Seen, order: v.Recon) -> None:
    """6.16/7-8 Of ships that are alike the nearest to a hex is found; a submarine by lot."""
    if order.near != "" and order.first == "sub":
        text = "'near' is for ships, and who looks for a submarine first looks for no ship"
        raise Refused("no-near", "6.16/7", text, "leave it out, or name ships first")


def patrol(seen: Seen, order: v.Cap) -> None:
    """61 Interceptors and early warning; 62 of one base, three of it at most, of a carrier two
    interceptors; 63 of carriers of one hex as many each."""
    units = company(seen, [seen.actor, *order.mates])
    for unit in units:
        if roles().get(unit.id, "INT") not in ("INT", "AEW"):
            text = f"{unit.id} is no interceptor and gives no early warning"
            raise Refused("no-cap", "61", text, f"leave {unit.id} out", arg="mates")
    if seen.now and len(units) > 0:
        for unit in units[1:]:
            _beside(seen, units[0], unit)
    for base in sorted({one.base for one in units}):
        _room(base, [one for one in units if one.base == base])


def _beside(seen: Seen, first: OwnUnit, unit: OwnUnit) -> None:
    """62, 230, 264 Is it ready at the same base, or aboard a carrier of the same hex?"""
    ships = not first.base.isdigit() and not unit.base.isdigit()
    if unit.base != first.base and not (ships and unit.place == first.place):
        text = f"{unit.id} is in {unit.place}, {first.id} in {first.place}: they patrol apart"
        raise Refused("not-here", "62", text, f"{unit.id}: cap;", arg="mates")
    _home(unit)
    carrier = seen.own(unit.base, OwnUnit)
    if carrier is not None and carrier.damaged:
        text = f"{unit.base} is damaged: {unit.id} cannot take off"
        raise Refused("damaged-base", "264", text, f"leave {unit.id} out", arg="mates")


def _home(unit: OwnUnit) -> None:
    """230 Is it at its base?"""
    if unit.away != "":
        text = f"{unit.id} is not at its base: {unit.away}"
        raise Refused("is-away", "230", text, f"leave {unit.id} out", arg="mates")


def _room(base: str, units: Sequence[OwnUnit]) -> None:
    """62 The patrol of one base."""
    most = _most()["cap"]
    if len(units) > most:
        text = f"no more than {most} squadrons of a base are on patrol"
        raise Refused("full-cap", "62", text, "leave the others out", arg="mates")
    fighters = [one for one in units if roles().get(one.id, "INT") == "INT"]
    if not base.isdigit() and len(fighters) > most - 1:
        text = f"no more than {most - 1} interceptors of {base}, a carrier, are on patrol"
        hint = "leave one out; an aircraft of early warning may fly with them"
        raise Refused("full-cap", "62", text, hint, arg="mates")


def changing(seen: Seen, order: v.Transfer) -> None:
    """92, 167, 187 Squadrons of one place change bases together."""
    units = company(seen, [seen.actor, *order.mates])
    if not seen.now or len(units) == 0:
        return
    for unit in units[1:]:
        apart = LATTICE.distance(unit.place, units[0].place)
        if apart > sails(seen, unit) + sails(seen, units[0]):
            text = f"{unit.id} is in {unit.place}, not in {units[0].place}"
            raise Refused("not-here", "92", text, f"{unit.id}: transfer {order.hex};", arg="mates")
    _take_off(seen, units)


def leaving(seen: Seen, order: v.Strike) -> None:
    """92, 128, 167, 168, 187 What may take off as one stack."""
    units = company(seen, [seen.actor, *order.mates, *order.escort])
    if [roles().get(one.id, "") for one in units].count("EW") > 1:
        text = "at most one of a stack is for electronic warfare"
        raise Refused("too-many", "168", text, "leave one out", arg="mates")
    if not seen.now or len(units) == 0:
        return
    _take_off(seen, units)
    attackers = [one for one in units if one.id not in order.escort]
    guests = [one for one in attackers if one.id in _guests() and one.base in _norwegian()]
    most = _most()["guests"]
    if order.weapon != "asw" and len(guests) > most:
        text = f"{most} squadrons of other nations attack from a Norwegian airfield in a segment"
        raise Refused("norwegian-field", "128", text, "escort: those who do not attack", "mates")


def _take_off(seen: Seen, units: Sequence[OwnUnit]) -> None:
    """230, 167, 187 From a carrier two in a segment, and in the dark Americans for all weather."""
    for unit in units[1:]:
        _home(unit)
    aboard = [one for one in units if not one.base.isdigit()]
    for unit in aboard:
        most, count = _most()["active"], [one.base for one in aboard].count(unit.base)
        if count > most:
            text = f"{unit.base} flies off {most} squadrons a segment, not {count}"
            raise Refused("carrier-full", "167", text, "leave the others out", arg="mates")
        dark = len(seen.report["board"]["dark"]) == ZONES
        if dark and unit.id not in _all_weather():
            text = f"{unit.id} cannot take off from {unit.base} in the dark"
            raise Refused("in-the-dark", "187", text, "order it when it is day", arg="mates")


@cache
def _counted() -> list[str]:
    """35 Interceptors and attackers, which alone take room on an airfield."""
    return sorted(name for name, one in aircraft().items() if one.role in INT_ATK)


def crowded(seen: Seen, order: v.Transfer | av.Enter) -> str:
    """35 No room for the squadron that would land, unless others leave before it does."""
    if order.hex not in airfields() or seen.actor not in _counted():
        return ""
    count = 0
    for row in seen.report["units"]:
        here = row.get("base", "") == order.hex and row.get("away", "") == ""
        if here and row["id"] in _counted() and row["id"] != seen.actor:
            count += 1
    if count < _most()["field"]:
        return ""
    return f"as things stand, {order.hex} is full: no room for {seen.actor} (35)"
