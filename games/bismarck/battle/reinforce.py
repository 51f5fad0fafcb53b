"""9.4, 9.272 Reinforcements: who qualifies, attempts, when and where they enter."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from games.bismarck import events_battle as ev
from games.bismarck.battle import setup
from games.bismarck.battle.charts import charts
from games.bismarck.battle.determination import PER_HEX, common_heading, edge_berths, may_attack
from games.bismarck.state import SIDES, Ship, War
from games.bismarck.vessels import Battle, Reserve, Vessel
from pbem.kit.doctrine import YES
from pbem.kit.hexes import Hex, distance, edge
from pbem.model import D6, Side, TableLike

FIRST_ROUND = 3
"""9.41 The round at whose end the first attempt may be made."""
CLEAR = 6
"""9.42 Hexes between a reinforcing ship and every enemy, at least."""
HOLD = "HOLD"
"""9.44 The answer of who rolls for entry, and enters later."""


def phase(
    table: TableLike, war: War, battle: Battle, said: Mapping[Side, Mapping[str, str]]
) -> None:
    """9.41-9.44 At the end of the third round and of every later one, before the next."""
    for reserve in sorted(battle.reserves, key=lambda r: (SIDES.index(r.side), r.id)):
        word = said[reserve.side].get(f"ENTER {reserve.id}")
        if word in (YES, HOLD) and qualified(war, battle, reserve):
            if not reserve.ready and not reserve.free and battle.round >= FIRST_ROUND:
                _attempt(table, war, battle, reserve, word)
            if word == YES and (reserve.ready or reserve.free):
                _enter(table, war, battle, reserve, said[reserve.side])


def open_to(war: War, battle: Battle, reserve: Reserve) -> bool:
    """9.224 Is the action open to the reserve? A shadow may enter only that of what it shadows.
    Whether it is fast enough (9.43) shows at the end of the round, when hits have slowed ships."""
    return bool(_enemies(war, battle, reserve))


def qualified(war: War, battle: Battle, reserve: Reserve) -> bool:
    """9.43, 9.224 May it attack an enemy of the action now?"""
    ships = [war.ships[i] for i in reserve.ships]
    return qualifies(ships, _enemies(war, battle, reserve))


def _enemies(war: War, battle: Battle, reserve: Reserve) -> list[Ship]:
    """9.224 The ships of the action that the reserve may attack, if it is fast enough."""
    watched = war.shadowing.get(reserve.id)
    enemies = [war.ships[v.ship] for v in battle.against(reserve.side)]
    return [e for e in enemies if not watched or e.id in watched]


def _attempt(table: TableLike, war: War, battle: Battle, reserve: Reserve, word: str) -> None:
    """9.41 Roll for entry; 9.44 who then waits is told that it may come."""
    reserve.rolls += 1
    label = f"BATTLE/REINFORCE/{battle.zone}/{reserve.side.upper()}"
    (die,) = table.roll(label, D6, table.sides)
    reserve.ready = arrives(die, reserve.rolls)
    if reserve.ready and word == HOLD:
        who = tuple(sorted(war.ships[i].name for i in reserve.ships))
        table.tell([reserve.side], ev.ReinforcementReady(rule="9.44", zone=battle.zone, who=who))


def _enter(
    table: TableLike, war: War, battle: Battle, reserve: Reserve, said: Mapping[str, str]
) -> None:
    """9.42, 9.272 An edge by a die; for ships that avoided combat the one their side began on, or
    the opposite one. Hexes along it and the common heading are as ordered by `set up`."""
    attacker = reserve.side == battle.attacker
    if reserve.free:
        side = battle.edge if attacker else opposite(battle.edge)
    else:
        label = f"BATTLE/EDGE/{battle.zone}/{reserve.side.upper()}"
        (die,) = table.roll(label, D6, table.sides)
        side = die - 1
    ships = coming(war, reserve)
    enemies = [v.at for v in battle.against(reserve.side)]
    wishes = [int(said.get(f"HEX {s.id}") or 0) for s in ships]
    hexes = entry(side, wishes, enemies, charts(war.house).radius)
    bow = common_heading((said.get(f"BOW {s.id}", "") for s in ships), side, "INWARDS")
    for ship, at in zip(ships, hexes, strict=True):
        battle.vessels.append(Vessel(ship.id, ship.side, attacker, at, bow))
    battle.reserves.remove(reserve)
    _announce(table, war, battle, reserve, ships)


def coming(war: War, reserve: Reserve) -> list[Ship]:
    """9.43, 9.271 The ships of a reserve that enter: its carriers stay out."""
    ships = [war.ships[i] for i in reserve.ships]
    return [s for s in ships if s.type != "CV"] or ships


def _announce(
    table: TableLike, war: War, battle: Battle, reserve: Reserve, ships: Sequence[Ship]
) -> None:
    """9.28 Both sides see who comes, and the enemy reads the names."""
    names = tuple(sorted(s.name for s in ships))
    places = tuple(p for p in setup.places(war, battle) if p.rsplit(" ", 2)[0] in names)
    rule = "9.272" if reserve.free else "9.41"
    told = ev.Reinforced(rule=rule, zone=battle.zone, who=names, places=places)
    table.tell(table.sides, told)
    (foe,) = (s for s in SIDES if s != reserve.side)
    read, seen = setup.read(war, foe, ships)
    known = ev.Recognised(
        rule="9.28", zone=battle.zone, number=battle.number, enemies=read, seen=seen
    )
    table.tell([foe], known)


def arrives(die: int, attempt: int) -> bool:
    """9.41, ruling 48 A 1 lets it in; each further attempt takes one more off the die."""
    return die <= attempt


def qualifies(group: Sequence[Ship], enemies: Iterable[Ship]) -> bool:
    """9.43 Could it attack at least one enemy ship of the action, by type and evasion?"""
    return any(may_attack(group, [enemy]).may == "yes" for enemy in enemies)


def entry(side: int, wishes: Sequence[int], enemies: Sequence[Hex], radius: int) -> list[Hex]:
    """9.42, 9.56 Hexes along an edge at least six from every enemy, of the smallest board around
    the enemies that has them: the board is shifted after the ships, so it has no fixed place.

    wishes: for each ship a hex of the edge, counted from 1 clockwise, 0 for none.
    """
    centre = middle(enemies)
    while True:
        line = [Hex(h.q + centre.q, h.r + centre.r) for h in edge(side, radius)]
        clear = [h for h in line if all(distance(h, e) >= CLEAR for e in enemies)]
        if len(clear) * PER_HEX >= len(wishes):
            return edge_berths(line, clear, wishes)
        radius += 1


def middle(hexes: Sequence[Hex]) -> Hex:
    """A hex in the midst of others, by whole numbers."""
    n = len(hexes)
    return Hex(sum(h.q for h in hexes) // n, sum(h.r for h in hexes) // n)


def opposite(side: int) -> int:
    """9.272 The edge opposite: where ships that avoided the combat come from, if defenders."""
    return (side + 3) % 6
