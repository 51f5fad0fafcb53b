"""24, 6.7/1 Cruise missiles (an option): one salvo a game, at a base far away."""

from __future__ import annotations

from collections.abc import Sequence

from games.second_fleet import advanced_verbs as av
from games.second_fleet import combat
from games.second_fleet.advanced_tables import optional_chart
from games.second_fleet.board import BASES, FJORD, HEXES, distance, line_between
from games.second_fleet.state import Vessel, War, enemy
from games.second_fleet.targets import Assault
from games.second_fleet.verbs import Aim
from pbem.kit.checks import Refused
from pbem.model import TableLike


def fire(table: TableLike, war: War, ships: Sequence[Vessel], order: av.Cruise) -> None:
    """6.7/1, 6.14/15 Every ship of the stack that has a salvo left fires it. Raises Refused."""
    chart, side, here, hex_ = optional_chart(), ships[0].side, ships[0].hex, order.hex
    if not war.on("cruise"):
        raise Refused("no-cruise", "6.7/1", "this game is played without cruise missiles")
    if hex_ not in BASES or not war.holds(enemy(side), hex_):
        raise Refused("no-target", "6.7/1", f"{hex_} is no base of the enemy")
    if HEXES[here] == FJORD:
        raise Refused("in-a-fjord", "262", "no such attack is made from a fjord")
    if distance(here, hex_) > chart.cruise_range:
        raise Refused("out-of-range", "6.7/1", f"{hex_} is {distance(here, hex_)} hexes away")
    by = [s for s in ships if ready(s)]
    if not by:
        raise Refused("no-salvo", "6.7/1", "none of them has cruise missiles left")
    part = order.part or ("port" if BASES[hex_].kind == "PT" else "field")
    assault = Assault(
        side=side,
        weapon="ssm",
        hex=hex_,
        by=[s.id for s in by],
        total=chart.cruise[side] * len(by),
        aims=(Aim(part, 1),),  # a base, whatever ships are known to lie in it
        crossed=tuple(h for h in line_between(here, hex_) if h != hex_ and h in HEXES),
        origin=here,
        cruise=True,
    )
    combat.resolve(table, war, assault)
    for ship in by:
        ship.salvos += 1


def ready(ship: Vessel) -> bool:
    """205 Has she cruise missiles left, and is she not in deep mode?"""
    chart = optional_chart()
    if ship.deep or ship.id not in chart.cruise_units:
        return False
    return ship.salvos < chart.salvos.get(ship.id, 1)
