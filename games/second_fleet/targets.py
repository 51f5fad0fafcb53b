"""6.14/1, 6.16/5 What is attacked: ships by type and array, submarines, parts of a base."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from games.second_fleet.board import BASES
from games.second_fleet.knowledge import name_of
from games.second_fleet.state import Vessel, War, enemy
from games.second_fleet.tables import ARRAY
from games.second_fleet.verbs import Aim
from pbem.kit.checks import Refused
from pbem.kit.contacts import by_lot
from pbem.model import Side, TableLike

Weapon = Literal["ssm", "bomb", "asw", "torpedo"]


class Assault(Struct):
    """An attack that was ordered, by those who add points."""

    side: Side
    weapon: Weapon
    hex: str
    by: list[str]
    """Ids of the attackers."""
    total: int
    aims: tuple[Aim, ...] = ()
    units: tuple[str, ...] = ()
    """The markers at which it is aimed; none: all that is in the hex."""
    parted: tuple[str, ...] = ()
    """6.16/3 Of ships that left these as groups changed, for types that they no longer have."""
    tac: int = 0
    crossed: tuple[str, ...] = ()
    """6.14/6 Hexes on the way."""
    electronic: bool = False
    bombers: tuple[str, ...] = ()
    """Aircraft that fly over the target."""
    origin: str = ""
    """The hex from which it is made."""
    nuclear: bool = False
    """6.6/2 With nuclear weapons."""
    line: list[str] = []
    """Ids of the ships that are met, as `ranked` puts them."""
    cruise: bool = False
    """6.7/1 Cruise missiles, which need no adjacent friend and pay nothing at a base."""


class Target(Struct):
    """What is attacked, with its share of the points."""

    share: int
    ship: Vessel | None = None
    part: str = ""
    """field or port of a base."""
    points: int = 0


def array(war: War, ships: Sequence[Vessel], key: str) -> list[Vessel]:
    """6.14/3 The ships of a group from the top, by its standing order, else the usual one."""
    return sorted((s for s in ships if s.key == key), key=lambda s: place(war, s))


def ranked(table: TableLike, war: War, ships: Sequence[Vessel]) -> list[Vessel]:
    """6.14/3, 6.16/5 Ships of a hex as they are met, from the top; those that stand equally high by
    a hidden lot, not by their names."""
    label = f"COMBAT/ARRAY/{ships[0].hex}/{ships[0].side.upper()}"
    return by_lot(table, label, ships, lambda ship: place(war, ship)[0])


def place(war: War, ship: Vessel) -> tuple[int, str]:
    """141 How far from the top of her group's array she stands."""
    wish = war.arrays.get(ship.key) or war.arrays.get(ship.side.upper(), [])
    order = [*wish, *(t for t in ARRAY if t not in wish)]
    return order.index(ship.type), ship.id


def targets(table: TableLike, war: War, assault: Assault) -> list[Target]:
    """6.14/1 What is aimed at, by type. Raises Refused."""
    foe = enemy(assault.side)
    parts = [aim for aim in assault.aims if aim.what in ("field", "port")]
    sub = "SUB" in map(war.kind, assault.units)
    if assault.units and sub != (assault.weapon == "asw") and not parts:
        raise Refused(
            "no-target", "6.14/2", "submarines alone are attacked by ASW, and by it alone"
        )
    if assault.weapon == "asw":
        return _submarines(war, assault)
    ships = [s for s in war.surface(foe, assault.hex) if s.level]
    near = [s for s in ships if s.key in assault.parted]
    if assault.units:
        ships = [s for s in ships if s.key in assault.units]
    bare = not ships and not assault.units and war.holds(foe, assault.hex)
    if parts or bare:
        return _base(war, assault, parts)
    if not ships:
        raise Refused("no-target", "121", f"no detected enemy ship is in {assault.hex}")
    line = ranked(table, war, ships)
    assault.line = [ship.id for ship in line]
    others = sorted(near, key=lambda s: place(war, s))
    found = _aimed(table, assault, line, others) or [Target(1, line[0])]
    return found[:2] if assault.weapon == "torpedo" else found


def hunted(war: War, side: Side, hex_: str, units: Sequence[str]) -> int:
    """154-156 How many submarines ships would attack in a hex: five ships each."""
    return len(_prey(war, side, hex_, units, again=False))


def _prey(war: War, side: Side, hex_: str, units: Sequence[str], *, again: bool) -> list[Vessel]:
    """155, 156 Known submarines that may be attacked now. again: after an attack too."""
    subs = [s for s in war.subs(enemy(side), hex_) if s.level and (again or not s.hunted)]
    return [s for s in subs if not units or s.id in units]


def _submarines(war: War, assault: Assault) -> list[Target]:
    """6.14/11, ruling 73 Those that may be attacked, in the order of their contacts."""
    again = by_submarine(war, assault)
    subs = _prey(war, assault.side, assault.hex, assault.units, again=again)
    if not subs and _prey(war, assault.side, assault.hex, assault.units, again=True):
        by_ship = any(name in war.vessels for name in assault.by)
        text = f"what is known in {assault.hex} has been attacked in this segment"
        raise Refused("no-target", "156" if by_ship else "155", text)
    if not subs:
        raise Refused("no-target", "121", f"no submarine is known in {assault.hex}")
    called = {sub.id: name_of(war, assault.side, sub.key) for sub in subs}
    by_number = sorted(subs, key=lambda sub: (len(called[sub.id]), called[sub.id]))
    return [Target(1, sub) for sub in by_number]


def by_submarine(war: War, assault: Assault) -> bool:
    """157, 6.3/10 Does a submarine attack?"""
    return any(name in war.vessels and war.vessels[name].sub for name in assault.by)


def _base(war: War, assault: Assault, aims: Sequence[Aim]) -> list[Target]:
    """175 Airfield and port are attacked separately."""
    printed = BASES.get(assault.hex)
    if printed is None or not war.holds(enemy(assault.side), assault.hex):
        raise Refused("no-target", "88", f"there is no enemy base in {assault.hex}")
    if war.level == "basic":
        raise Refused("no-target", "6.15/2", "bases are not attacked at the basic level")
    strip = printed.kind == "LS"
    if strip and not printed.close_aa:
        raise Refused("no-target", "267", f"{printed.name} is a landing strip without guns")
    if assault.weapon not in ("ssm", "bomb"):
        raise Refused("no-target", "130", "a base is attacked by missiles and bombs alone")
    wished = [aim.what for aim in aims] or ["port" if printed.kind == "PT" else "field"]
    parts = [p for p in wished if (printed.field or strip if p == "field" else printed.port)]
    if not parts:
        raise Refused("no-target", "175", f"{printed.name} has no {wished[0]}")
    return [Target(1, part=parts[0])]


def _aimed(
    table: TableLike, assault: Assault, line: Sequence[Vessel], others: Sequence[Vessel]
) -> list[Target]:
    """6.16/5 A ship for each aim; of two that are alike by a hidden die. line: as `ranked`; others:
    of types that left as the groups changed (6.16/3)."""
    found: list[Target] = []
    for aim in assault.aims:
        taken = [t.ship.id for t in found if t.ship]
        left = [s for s in line if s.id not in taken]
        gone = [s for s in others if s.id not in taken]
        if aim.what == "all":
            return [*found, *(Target(aim.share, s) for s in left)]
        fits = left[:1] if aim.what == "top" else _of_type(left, aim) or _of_type(gone, aim)
        if fits:
            label = f"COMBAT/TARGET/{assault.hex}/{fits[0].type}"
            found.append(Target(aim.share, table.pick(label, fits, to=())))
    return found


def _of_type(ships: Sequence[Vessel], aim: Aim) -> list[Vessel]:
    return [s for s in ships if s.type == aim.what.upper()]
