"""9.728 Repair of lost evasion, upon completion of all movement."""

from __future__ import annotations

from games.bismarck.battle import damage
from games.bismarck.battle.charts import charts
from games.bismarck.events_battle import Repaired
from games.bismarck.state import SIDES, War
from pbem.model import D6, TableLike


def phase(table: TableLike, war: War) -> None:
    """9.728, ruling 46 One die, seen by its owner alone, for every ship that can regain evasion and
    moved one zone at most."""
    for side in SIDES:
        for ship in war.fleet(side):
            if damage.repairable(ship, len(ship.path)):
                (die,) = table.roll(f"REPAIR/EVASION/{ship.zone}/{ship.id}", D6, [side])
                ship.mended = war.turn
                regained = damage.repair(ship, die, charts(war.house))
                told = Repaired(
                    rule="9.728",
                    why=f"rolled {die}",
                    who=ship.name,
                    regained=regained,
                    evasion=ship.evasion_now,
                )
                table.tell([side], told)
