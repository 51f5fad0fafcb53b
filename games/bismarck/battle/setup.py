"""9.28 The set-up: defenders in the centre, attackers along an edge chosen by a die."""

from __future__ import annotations

from collections.abc import Sequence

from games.bismarck import asks, naming
from games.bismarck import events_battle as ev
from games.bismarck.answers import Answers
from games.bismarck.battle import coordinates, determination
from games.bismarck.battle.charts import charts
from games.bismarck.events import Sighting
from games.bismarck.state import SIDES, Ship, War
from games.bismarck.vessels import Battle, Vessel
from pbem.kit.doctrine import actors
from pbem.kit.hexes import distance
from pbem.model import D6, Question, Side, TableLike


async def begin(
    table: TableLike,
    war: War,
    battle: Battle,
    groups: tuple[Sequence[Ship], Sequence[Ship]],
    answers: Answers,
) -> None:
    """9.28 The ships are placed as ordered; both sides read names, hexes and headings.

    groups: the attacking ships, the defending ones.
    """
    attackers, defenders = groups
    label = f"BATTLE/EDGE/{battle.zone}/{battle.attacker.upper()}"
    (die,) = table.roll(label, D6, table.sides)
    battle.edge = die - 1
    asked = {group[0].side: questions(group, battle.attacker) for group in groups}
    said = await answers.find(asked)
    radius = charts(war.house).radius
    wishes = [[int(said[s.side][f"HEX {s.id}"] or 0) for s in group] for group in groups]
    line = determination.attackers_berths(battle.edge, radius, wishes[0])
    centre = determination.defenders_berths(wishes[1])
    for group, hexes in ((attackers, line), (defenders, centre)):
        words = [said[s.side][f"BOW {s.id}"] for s in group]
        bow = determination.common_heading(words, battle.edge)
        for ship, at in zip(group, hexes, strict=True):
            battle.vessels.append(Vessel(ship.id, ship.side, group is attackers, at, bow))
    battle.note_places()
    introduce(table, war, battle, [*attackers, *defenders])


def questions(ships: Sequence[Ship], attacker: Side) -> dict[str, Question]:
    """9.28, 9.282, 9.42 Which hexes the ships of one side take, and where their bows point.

    attacker: the side that comes by an edge: the attackers, or who reinforces.
    """
    return {
        f"{kind.__name__.upper()} {ship.id}": kind(
            about=ship.name,
            source="orders",
            rule="9.28",
            actors=actors(ship.id, ship.force, ship.side),
            attacks=ship.side == attacker,
        )
        for ship in ships
        for kind in (asks.Hex, asks.Bow)
    }


def introduce(table: TableLike, war: War, battle: Battle, ships: Sequence[Ship]) -> None:
    """9.28 Counters are face up on the board: both sides read the names and see the places."""
    for side in SIDES:
        enemies, seen = read(war, side, ships)
        own = tuple(sorted(s.name for s in ships if s.side == side))
        joined = ev.BattleJoined(
            rule="9.28", zone=battle.zone, number=battle.number, own=own, enemies=enemies, seen=seen
        )
        table.tell([side], joined)
    deployed = ev.Deployed(
        rule="9.28", zone=battle.zone, places=places(war, battle), ranges=ranges(war, battle)
    )
    table.tell(table.sides, deployed)


def read(
    war: War, side: Side, ships: Sequence[Ship]
) -> tuple[tuple[str, ...], tuple[Sighting, ...]]:
    """9.28 The names of the enemies among ships, and what the side calls them."""
    enemies = sorted((s for s in ships if s.side != side), key=lambda s: s.name)
    return tuple(s.name for s in enemies), tuple(naming.known_as(war, side, s) for s in enemies)


def places(war: War, battle: Battle) -> tuple[str, ...]:
    """Every ship in the battle with hex and heading: `Hood 5650 SW`."""
    return tuple(
        f"{war.ships[v.ship].name} {coordinates.name(v.at)} {coordinates.heading(v.facing)}"
        for v in battle.fighting()
    )


def ranges(war: War, battle: Battle) -> tuple[str, ...]:
    """The hexes between every pair of enemies: `Hood - Bismarck 6`."""
    ours, theirs = (battle.fighting(side) for side in SIDES)
    return tuple(
        f"{war.ships[a.ship].name} - {war.ships[b.ship].name} {distance(a.at, b.at)}"
        for a in ours
        for b in theirs
    )
