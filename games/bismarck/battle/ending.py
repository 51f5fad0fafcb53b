"""9.9 The end of a round: who withdraws, who has got away, whether the action is over (9.32)."""

from __future__ import annotations

from collections.abc import Mapping

from games.bismarck import events_battle as ev
from games.bismarck import victory
from games.bismarck.battle import manoeuvre, movement, withdraw
from games.bismarck.battle.charts import charts
from games.bismarck.battle.movement import Place
from games.bismarck.state import SIDES, War
from games.bismarck.vessels import Battle
from pbem.kit.doctrine import YES
from pbem.model import Side, TableLike

Said = Mapping[Side, Mapping[str, str]]
MOST_ROUNDS = 100
"""9.32, ruling 55 (ours): more rounds than any action needs, so that no orders can keep a window
from closing."""


def declare(war: War, battle: Battle, said: Said) -> None:
    """9.94 Blank counters on ships that want to withdraw and may; they stay there (9.99)."""
    for vessel in battle.fighting():
        wants = said[vessel.side].get(f"HANDLE {vessel.ship}") == "WITHDRAW"
        if wants and withdraw.able(war, battle, vessel):
            vessel.withdrawing = True


def clear_sunk(war: War, battle: Battle) -> None:
    """9.714 Sunk ships leave the board."""
    for vessel in battle.fighting():
        if war.ships[vessel.ship].sunk:
            vessel.fate = "sunk"


def at_once(war: War, battle: Battle, said: Said) -> str:
    """9.714, 9.32, 9.92, ruling 51 Why the action is over before anybody moves on; empty if it is
    not. A ship whose enemies are all sunk has nobody to withdraw from (9.97)."""
    if end := victory.sunk(war):
        return end[1]
    if why := decided(battle):
        return why
    if all(said[side].get("AGREE") == YES for side in SIDES):
        return "both sides broke off"
    silent = charts(war.house).silent
    return f"nobody fired for {silent} rounds" if battle.silent >= silent else ""


def decided(battle: Battle) -> str:
    """9.32 Why the action is over, empty while both sides have ships in it."""
    gone = [side for side in SIDES if not battle.fighting(side)]
    if len(gone) == len(SIDES):
        return "no ship is left in the action"
    return f"no {gone[0].title()} ship is left in the action" if gone else ""


def spent(battle: Battle) -> str:
    """9.32, ruling 55 Why an action that would never end is over: the turn's time has run out."""
    return "the four hours of the turn are over" if battle.round >= MOST_ROUNDS else ""


def move_away(table: TableLike, war: War, battle: Battle) -> None:
    """9.94-9.97 Ships that were slowed lose their counters; the others move on and may get away."""
    tables = charts(war.house)
    reach = tables.b_range
    for vessel in [v for v in battle.fighting() if v.withdrawing]:
        mark, foes = withdraw.mark(war, vessel), withdraw.foes(war, battle, vessel)
        if not withdraw.stays_withdrawing(mark, foes, reach):
            vessel.withdrawing = False
            continue
        enemies = [v.at for v in battle.against(vessel.side)]
        start, speed = Place(vessel.at, vessel.facing), war.ships[vessel.ship].evasion_now
        if options := movement.bonus_places(start, speed, set(enemies), tables):
            place = manoeuvre.choice(war, battle, vessel, "WITHDRAW", options, tables)
            manoeuvre.take(vessel, place)
        if withdraw.away(vessel.at, enemies, reach):
            vessel.fate = "withdrew"
            name = war.ships[vessel.ship].name
            table.tell(table.sides, ev.ShipWithdrew(rule="9.97", who=name, zone=battle.zone))
