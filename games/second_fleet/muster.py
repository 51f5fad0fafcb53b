"""How units come into play: a carrier with her wing and loads, a ship with her stores."""

from __future__ import annotations

from games.second_fleet import logistics
from games.second_fleet.state import Squadron, War
from games.second_fleet.tables import aircraft, loads, ships, wings
from pbem.model import Side


def equip(war: War, side: Side, name: str) -> None:
    """6.18, 6.12/11, 6.5/1 What a ship brings along."""
    sheet = ships()[name]
    for unit in wing(war, name):
        war.squadrons[unit] = Squadron(unit, side, name)
    if sheet.type == "CV":
        counts = {
            id_: {"US": load.us, "UK": load.uk}.get(sheet.nation, 0)
            for id_, load in loads().items()
        }
        war.loads[name] = {id_: count for id_, count in counts.items() if count}
    if war.on("logistics"):
        war.vessels[name].stores = logistics.full(name)


def wing(war: War, name: str) -> list[str]:
    """6.4/3 The squadrons that a carrier will bring along: those that are not in play."""
    return [u for u in wings().get(name, ()) if u not in war.squadrons and u in aircraft()]


def sort(war: War) -> None:
    """By id, as a stored state has them."""
    war.vessels = dict(sorted(war.vessels.items()))
    war.squadrons = dict(sorted(war.squadrons.items()))
