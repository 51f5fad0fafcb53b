"""9.28, 9.727 The battle boards that a side's report shows: only what lies on the table.

Of an enemy ship in the battle this reads its counter (name, hex, heading, the blank counter of a
withdrawal), the boxes printed on the hit record that both players have, and the hits that the side
itself has noted. It reads no ship in reserve, and nothing of an enemy that only its owner records.
"""

from __future__ import annotations

from games.bismarck import calendar
from games.bismarck.battle import coordinates
from games.bismarck.battle.charts import Charts, charts
from games.bismarck.battle.courses import courses
from games.bismarck.battle.movement import Place
from games.bismarck.battle_report import (
    BattleBoard,
    Bearing,
    BoardShip,
    Reach,
    Salvo,
    Section,
    Spot,
)
from games.bismarck.state import Hits, Ship, War
from games.bismarck.vessels import Battle, Shot, Stand, Vessel
from pbem.kit.hexes import Hex, distance, sector
from pbem.model import Side

BOXES = ("bow", "stern", "port", "starboard", "midships")
NAMES = {"british": "British", "german": "German"}


def boards(war: War, side: Side) -> list[BattleBoard]:
    """The battles of this turn that have been set up, else those of the last, in their order."""
    fought = [b for b in war.battles if b.vessels] or war.fought
    turn = war.turn if fought is not war.fought else war.turn - 1
    return [board(war, battle, side, turn) for battle in fought]


def board(war: War, battle: Battle, side: Side, turn: int) -> BattleBoard:
    """One battle of that turn as `side` sees it."""
    tables = charts(war.house)
    return BattleBoard(
        zone=battle.zone,
        number=battle.number,
        round=max((stand.round for v in battle.vessels for stand in v.track), default=0),
        edge=battle.edge + 1,
        attacker=NAMES[battle.attacker],
        night=calendar.night(turn, battle.zone),
        a_range=tables.a_range,
        b_range=tables.b_range,
        over=battle.over,
        ships=tuple(_ship(war, battle, v, side, tables) for v in battle.vessels),
        fire=tuple(salvo(war, shot) for shot in battle.shots),
    )


def _ship(war: War, battle: Battle, vessel: Vessel, side: Side, tables: Charts) -> BoardShip:
    ship, own = war.ships[vessel.ship], vessel.side == side
    fights = not vessel.fate and not battle.over
    enemies = battle.against(vessel.side) if fights else []
    return BoardShip(
        name=ship.name,
        type=ship.type,
        own=own,
        id=ship.id if own else "",
        track=tuple(map(spot, vessel.track)),
        fate=vessel.fate,
        withdrawing=vessel.withdrawing,
        sections=sections(ship, ship.hits if own else noted(war, battle, side, ship)),
        printed=ship.evasion,
        evasion=ship.evasion_now if own else at_most(war, battle, side, ship),
        bearings=tuple(
            Bearing(
                war.ships[e.ship].name,
                distance(vessel.at, e.at),
                sector(vessel.at, vessel.facing, e.at) if e.at != vessel.at else "bow",
            )
            for e in enemies
        ),
        places=places(vessel, ship, {e.at for e in enemies}, tables) if own and fights else (),
    )


def spot(stand: Stand) -> Spot:
    """Hex and heading by their names."""
    return Spot(stand.round, coordinates.name(stand.at), coordinates.heading(stand.facing))


def places(vessel: Vessel, ship: Ship, enemies: set[Hex], tables: Charts) -> tuple[Reach, ...]:
    """9.51-9.57 Where an own ship can end its move, as the counters stand now."""
    start = Place(vessel.at, vessel.facing)
    found = courses(start, ship.evasion_now, enemies, tables)
    return tuple(
        Reach(coordinates.name(at), coordinates.heading(bow), course)
        for (at, bow), course in found.items()
    )


def seen(war: War, side: Side, enemy: Ship) -> Hits:
    """9.18 The hits on an enemy ship that `side` has noted."""
    return war.known[side].damage.get(enemy.name, Hits())


def noted(war: War, battle: Battle, side: Side, enemy: Ship) -> Hits:
    """The hits on an enemy ship of this battle. Of a sunk one the record is closed (9.714): those
    of this battle, and all midships boxes."""
    if not enemy.sunk:
        return seen(war, side, enemy)
    hits = [s.hits for s in battle.shots if s.target == enemy.id]
    sums = {box: sum(getattr(h, box) for h in hits) for box in BOXES}
    return Hits(**sums | {"midships": enemy.sections.midships})


def sections(ship: Ship, lost: Hits) -> tuple[Section, ...]:
    """9.711 The printed boxes and the hits among them. All are hit when a ship has sunk (9.714)."""
    return tuple(
        Section(box, whole, min(whole, getattr(lost, box)))
        for box in BOXES
        if (whole := getattr(ship.sections, box))
    )


def at_most(war: War, battle: Battle, side: Side, enemy: Ship) -> int:
    """9.722, 9.724 An enemy's evasion at most: printed, less what was seen lost for good, and in
    this battle with midships boxes, which nothing repairs before it ends (9.728)."""
    here = sum(s.hits.midships for s in battle.shots if s.target == enemy.id)
    each = charts(war.house).evasion_loss(enemy.name, enemy.type)
    lasting = seen(war, side, enemy).permanent
    return max(0, enemy.evasion - lasting - here * each)


WORDS = {"port": "secondary", "starboard": "secondary", "permanent": "evasion"}


def salvo(war: War, shot: Shot) -> Salvo:
    """9.66 What both sides saw of a volley."""
    found = [(box, int(getattr(shot.hits, box))) for box in (*BOXES, "permanent")]
    return Salvo(
        round=shot.round,
        ship=war.ships[shot.ship].name,
        target=war.ships[shot.target].name,
        hexes=shot.hexes,
        shots=shot.shots,
        hits=tuple(
            f"{n if n > 1 or box == 'permanent' else ''} {WORDS.get(box, box)}".strip()
            for box, n in found
            if n
        ),
        boxes=sum(n for box, n in found if box != "permanent"),
    )
