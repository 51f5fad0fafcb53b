"""9.5 The movement of a round: by the courses that were ordered, else by doctrine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from games.bismarck import calendar
from games.bismarck.battle import doctrine, fire, movement, withdraw
from games.bismarck.battle.charts import Charts, charts
from games.bismarck.battle.movement import Place
from games.bismarck.events import OrderFailed
from games.bismarck.state import War
from games.bismarck.vessels import Battle, Vessel
from pbem.model import Side, TableLike

Said = Mapping[Side, Mapping[str, str]]


def phase(table: TableLike, war: War, battle: Battle, said: Said) -> None:
    """9.31 The ships move one after the other; each sees where those before it went."""
    for vessel in movement.sequence(battle.fighting(), lambda v: war.ships[v.ship].evasion_now):
        course = said[vessel.side].get(f"STEER {vessel.ship}", "")
        place = _steered(table, war, battle, vessel, course) if course else None
        if place is None:
            word = said[vessel.side].get(f"HANDLE {vessel.ship}", "WITHDRAW")
            tables, speed = charts(war.house), war.ships[vessel.ship].evasion_now
            enemies = {v.at for v in battle.against(vessel.side)}
            options = movement.places(Place(vessel.at, vessel.facing), speed, enemies, tables)
            place = choice(war, battle, vessel, word, options, tables, vessel.withdrawing)
        take(vessel, place)


def _steered(
    table: TableLike, war: War, battle: Battle, vessel: Vessel, course: str
) -> Place | None:
    """9.51-9.57, 9.96 Where an ordered course leads, as far as the ship can follow it; None where
    it would bring a withdrawing ship closer. What stood in its way is told to its owner."""
    ship, tables = war.ships[vessel.ship], charts(war.house)
    enemies = [v.at for v in battle.against(vessel.side)]
    start = Place(vessel.at, vessel.facing)
    place, why = movement.follow(start, course, ship.evasion_now, set(enemies), tables)
    kept: Place | None = place
    if vessel.withdrawing:
        options = movement.places(start, ship.evasion_now, set(enemies), tables)
        if place not in withdraw.opening(vessel.at, options, enemies):
            kept, why = None, "a ship that withdraws comes no closer (9.96)"
    if why:
        verb = f"steer {course.lower()} in round {battle.round}"
        table.tell([ship.side], OrderFailed(rule="9.52", why=why, who=ship.name, verb=verb))
    return kept


def choice(
    war: War,
    battle: Battle,
    vessel: Vessel,
    word: str,
    options: Sequence[Place],
    tables: Charts,
    runs_on: bool = False,
) -> Place:
    """What doctrine takes of the legal places; 9.96 a withdrawing ship comes no closer. runs_on:
    the bonus move of 9.95 is still to come."""
    if vessel.withdrawing:
        enemies = [v.at for v in battle.against(vessel.side)]
        options = withdraw.opening(vessel.at, options, enemies)
    return doctrine.choose(_view(war, battle, vessel, word, runs_on), options, tables)


def _view(war: War, battle: Battle, vessel: Vessel, word: str, runs_on: bool) -> doctrine.View:
    posture, _, bow = ("WITHDRAW" if vessel.withdrawing else word).partition(" ")
    return doctrine.View(
        guns=fire.guns(war, vessel),
        enemies=tuple(
            doctrine.Sight(v.ship, fire.guns(war, v), Place(v.at, v.facing))
            for v in battle.against(vessel.side)
        ),
        posture=posture if posture in doctrine.BANDS else "B",
        bow=bow == "BOW",
        night=calendar.night(war.turn, battle.zone),
        runs_on=runs_on,
    )


def take(vessel: Vessel, place: Place) -> None:
    """The counter goes there."""
    vessel.at, vessel.facing = place.at, place.facing
