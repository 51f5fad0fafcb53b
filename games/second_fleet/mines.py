"""23 Mines (an option): laid from the air and by submarines, swept, and met on leaving a hex."""

from __future__ import annotations

from collections.abc import Sequence

from games.second_fleet import advanced_events as ev
from games.second_fleet import advanced_verbs as av
from games.second_fleet import harm, logistics, orders_of, weather
from games.second_fleet.advanced_tables import mine_chart
from games.second_fleet.board import BASES, COAST, HEXES, SOVIET, distance, shore, steps
from games.second_fleet.knowledge import refresh
from games.second_fleet.state import Vessel, War, enemy
from games.second_fleet.tables import D10
from pbem.kit.checks import Refused
from pbem.model import Side, TableLike


def strength(war: War, hex_: str) -> int:
    """211 Markers in a hex, of both sides together, four at most."""
    return min(mine_chart().most, sum(war.mines.laid.get(hex_, {}).values()))


def coastal(hex_: str) -> bool:
    """207, 277 Coasts, fjords and ports, the enemy's too."""
    return HEXES.get(hex_, "L") in COAST


def left(war: War, side: Side) -> int:
    """210 Markers that a side has left: half of all, so that nobody learns from his how many the
    enemy has laid."""
    laid = sum(field.get(side, 0) for field in war.mines.laid.values())
    return mine_chart().markers // 2 - laid


def carries(war: War, sub: Vessel) -> bool:
    """209 A Soviet submarine with enough torpedoes, where stores are counted."""
    if not war.on("mines") or sub.side != SOVIET or not sub.sub or sub.stores is None:
        return False
    return sub.stores.rows["torpedo"] >= mine_chart().torpedoes


def require(war: War, side: Side, hex_: str) -> None:
    """207, 210, 211 May a side lay a marker there? Raises Refused."""
    chart = mine_chart()
    if not coastal(hex_):
        raise Refused("no-coast", "207", f"{hex_} is no coastal hex")
    if not left(war, side):
        raise Refused("no-mines", "210", "all your mine markers lie")
    if war.mines.laid.get(hex_, {}).get(side, 0) >= chart.most:
        raise Refused("full-field", "211", f"four markers lie in {hex_}")


def lay(table: TableLike, war: War, side: Side, hex_: str, by: str) -> None:
    """207 One marker, of which its owner alone knows."""
    field = war.mines.laid.setdefault(hex_, {})
    field[side] = field.get(side, 0) + 1
    known = war.mines.known.setdefault(side, {})
    known[hex_] = known.get(hex_, 0) + 1
    table.tell([side], ev.MinesLaid(rule="207", at=hex_, count=field[side], by=by))


def laying(table: TableLike, war: War) -> None:
    """7, 207-208, 279 Aircraft on mining missions that were not driven off lay, and return."""
    for side in table.sides:
        for unit in war.flying(side):
            if unit.at != "mission" or unit.mission != "mine":
                continue
            unit.at = "box"
            try:
                require(war, side, unit.seek[0])
            except Refused as no:
                table.tell([side], orders_of.unlanded(unit.id, no, av.Mine(unit.seek[0])))
            else:
                lay(table, war, side, unit.seek[0], unit.id)


def by_submarine(table: TableLike, war: War, sub: Vessel, hex_: str) -> None:
    """209, 280 A Soviet submarine, with logistics, for three boxes of torpedoes. Raises Refused."""
    if not carries(war, sub):
        raise Refused("no-mines", "209", f"{sub.id} carries no mines")
    if hex_ not in steps(sub.hex):
        raise Refused("out-of-range", "209", f"{hex_} is not beside {sub.hex}")
    require(war, sub.side, hex_)
    logistics.tick(sub, "torpedo", mine_chart().torpedoes)
    lay(table, war, sub.side, hex_, sub.id)


# Sweeping


def sweeping(table: TableLike, war: War) -> None:
    """217-218, 281 A die of the referee's for each hex with mines: a marker goes, whoever laid it.
    Both are told if the enemy of who laid them knows the field; else its owner, if one is gone."""
    if not (war.on("mines") and war.advanced):
        return
    helpers = {side: _helped(war, side) for side in table.sides}
    for hex_ in sorted(war.mines.laid):
        (die,) = table.roll(f"MINES/SWEEP/{hex_}/REFEREE", D10, to=())
        if weather.bad(war, hex_):
            continue
        sweepers = [s for s in table.sides if _knows(war, s, hex_)]
        swept = die <= chance(hex_) + any(helpers[s] == hex_ for s in sweepers)
        field = war.mines.laid[hex_]
        owner = enemy(sweepers[0]) if sweepers else min(field)
        if swept:
            _remove(war, hex_, owner)
        if sweepers:
            _report(table, war, hex_, swept, table.sides, strength(war, hex_))
        elif swept:
            _report(table, war, hex_, swept, [owner], field.get(owner, 0))


def chance(hex_: str) -> int:
    """217 The highest die that sweeps a marker: Soviet hexes, British, others."""
    chart = mine_chart()
    nation = BASES[hex_].nation if hex_ in BASES else shore(hex_)
    return chart.sweep.get(nation, chart.others)


def _helped(war: War, side: Side) -> str:
    """218 The one hex a turn, near Iceland or Norway, over which helicopters sweep: that with the
    most markers of those that the side knows, out of squalls (6.2/4)."""
    decks = [s for s in war.afloat(side) if s.sheet.nation == "US" and s.type in ("CV", "AA")]
    far = mine_chart().helicopter_range
    near = [
        hex_ for hex_ in sorted(war.mines.laid)
        if _knows(war, side, hex_) and shore(hex_) in ("IC", "NO")
        and not weather.bad(war, hex_)
        and any(distance(s.hex, hex_) <= far for s in decks)
    ]  # fmt: skip
    known = war.mines.known.get(side, {})
    return max(near, key=lambda hex_: known[hex_], default="")


def _knows(war: War, side: Side, hex_: str) -> bool:
    """Does a side know of mines of the enemy there: of more than it has laid itself?"""
    laid = war.mines.laid.get(hex_, {})
    return enemy(side) in laid and war.mines.known.get(side, {}).get(hex_, 0) > laid.get(side, 0)


def _remove(war: War, hex_: str, owner: Side) -> None:
    """C29 One marker; option `sweep`: all."""
    field = war.mines.laid[hex_]
    field[owner] -= field[owner] if war.options.get("sweep") == "all" else 1
    if field[owner] < 1:
        del field[owner]
    if not field:
        del war.mines.laid[hex_]


def _report(
    table: TableLike, war: War, hex_: str, swept: bool, to: Sequence[Side], left: int
) -> None:
    """6.16/10 What became of a field, and how many markers are left."""
    for side in to:
        _learn(war, side, hex_, left)
    table.tell(to, ev.Swept(rule="217", at=hex_, swept=swept, left=left))


def _learn(war: War, side: Side, hex_: str, count: int) -> None:
    """What a side knows of a field from now on."""
    known = war.mines.known.setdefault(side, {})
    known[hex_] = count
    if not count:
        del known[hex_]


# Leaving a mined hex


def leave(table: TableLike, war: War, ships: Sequence[Vessel]) -> None:
    """212-216, 278 A stack that steps out of a mined hex is attacked, once for each such step."""
    hex_, side = ships[0].hex, ships[0].side
    count = strength(war, hex_)
    if not count or ships[0].sub or ships[0].decoy:
        return
    (die,) = table.roll(f"MINES/ATTACK/{hex_}/DIE", D10, to=[side])
    hits = max(1, count - die) if die <= count else 0
    _learn(war, side, hex_, count)
    told = ev.MinesMet(rule="213", why=f"die {die}", at=hex_, count=count, hits=hits)
    table.tell([side], told)
    if not hits:
        return
    (who,) = table.roll(f"MINES/CHOICE/{hex_}/DIE", D10, to=[side])
    _damage(table, war, ships, hits, by_owner=who <= mine_chart().owner)
    refresh(table, war, enemy(side), "attack")


def _damage(table: TableLike, war: War, ships: Sequence[Vessel], hits: int, by_owner: bool) -> None:
    """214-216 Sound ships first; the owner gives up the least, the enemy takes the best."""
    for _ in range(hits):
        left = [s for s in ships if not s.sunk]
        if not left:
            return
        sign = 1 if by_owner else -1
        ship = min(left, key=lambda s: (s.damaged, sign * harm.points_for(war, s), s.id))
        what = "destroyed" if ship.damaged else "damaged"
        harm.hit(table, war, ship, 0, what, "215")  # type: ignore[arg-type]
