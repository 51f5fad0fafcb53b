"""6.14 Combat step by step: torpedoes, missiles, bombs, ASW; on ships, submarines and bases."""

from __future__ import annotations

from collections.abc import Sequence

from games.second_fleet import advanced_events as aev
from games.second_fleet import (
    decoys,
    detection,
    harm,
    logistics,
    nuclear,
    patrols,
    strengths,
    weather,
)
from games.second_fleet import events as ev
from games.second_fleet.advanced_tables import (
    invasion_chart,
    nuclear_chart,
    optional_chart,
    weather_chart,
)
from games.second_fleet.board import BASES, FJORD, HEXES, NATO, SOVIET, ZONE_OF, around
from games.second_fleet.knowledge import name_of, refresh
from games.second_fleet.results import Outcome, base_damage, bombers_hurt, defence, entry, outcome
from games.second_fleet.state import GONE, Patrol, Vessel, War, enemy
from games.second_fleet.tables import D10, combat, limits
from games.second_fleet.targets import Assault, Target, array, by_submarine, place, targets
from pbem.kit.checks import Refused
from pbem.model import Side, TableLike

# The defence


def area(war: War, side: Side, hex_: str, electronic: bool) -> int:
    """143, 170, 173 Area AA of the ships of a hex, none in a fjord or a base."""
    if HEXES[hex_] == FJORD or sheltered(hex_):
        return 0
    return sum(max(0, strengths.area_aa(s) - electronic) for s in war.surface(side, hex_))


def sheltered(hex_: str) -> bool:
    """173 Is there an airfield or a port, in which ships give no AA? 267 A landing strip without
    guns is none."""
    base = BASES.get(hex_)
    return base is not None and (base.kind != "LS" or base.close_aa > 0)


def beneath(war: War, assault: Assault, found: Sequence[Target]) -> list[Vessel]:
    """145, 6.14/4 The ship below each target in its group's array, unless she is a target too. Of
    those that stand equally high the order is the lot of this attack (ruling 108)."""
    ships = war.surface(enemy(assault.side), assault.hex)
    lot = {id_: n for n, id_ in enumerate(assault.line)}
    aimed = [t.ship.id for t in found if t.ship]
    covers: dict[str, Vessel] = {}
    for target in found:
        ship = target.ship
        if ship is None or not ship.group:
            continue
        line = sorted(array(war, ships, ship.group), key=lambda s: lot.get(s.id, 0))
        below = line[line.index(ship) + 1 :][:1]
        covers |= {s.id: s for s in below if s.id not in aimed}
    return list(covers.values())


def base_guns(war: War, hex_: str, electronic: bool) -> int:
    """171, 174, 179 Close AA of a base, which covers ships in its hex too."""
    field, printed = war.fields[hex_], BASES[hex_]
    airless = printed.kind == "PT"  # 267 a strip with guns counts as a field
    dead = (airless or field.air == GONE) and (not printed.port or field.port == GONE)
    silent = field.taken and war.turn - field.taken < invasion_chart().silent  # 6.3/13
    return 0 if dead or silent or field.cut else max(0, printed.close_aa - electronic)


def crossed(war: War, assault: Assault) -> Sequence[str]:
    """146, 6.14/6 Hexes on the way whose ships fire; 6.7/1 at cruise missiles one alone."""
    if not assault.cruise:
        return assault.crossed
    foe = enemy(assault.side)
    return sorted(assault.crossed, key=lambda h: -area(war, foe, h, electronic=False))[:1]


def defence_total(war: War, assault: Assault, found: Sequence[Target]) -> int:
    """6.14/5 What the defence adds up to."""
    foe = enemy(assault.side)
    ships = war.surface(foe, assault.hex)
    if assault.weapon == "torpedo":
        near = sorted(
            (strengths.asw(war, s) for s in (*ships, *war.subs(foe, assault.hex))), reverse=True
        )
        return sum(near[: limits().asw_ships])
    total = sum(area(war, foe, hex_, electronic=False) for hex_ in crossed(war, assault))
    if war.holds(foe, assault.hex):
        total += base_guns(war, assault.hex, assault.electronic)
    if not sheltered(assault.hex):
        total += area(war, foe, assault.hex, assault.electronic)
        aimed = [t.ship for t in found if t.ship]
        total += sum(logistics.close_aa(s) for s in (*aimed, *beneath(war, assault, found)))
    if assault.weapon == "ssm" and not assault.nuclear and not assault.cruise:
        total += sum(_cover(war, p.units) for p in _over(war, foe, assault.hex))
    return total


def _over(war: War, side: Side, hex_: str) -> list[Patrol]:
    return [p for p in war.patrols if p.side == side and not p.home and war.spot(p.base) == hex_]


def _cover(war: War, units: Sequence[str]) -> int:
    """147 What a patrol over the target adds against missiles."""
    chart = limits()
    best = any(war.squadrons[name].sheet.aircraft == "F14" for name in units)
    return chart.cover_f14 if best else chart.cover


def defence_die(war: War, assault: Assault, found: Sequence[Target]) -> int:
    """6.14/7 One of: a Task Force, the only ship of the hex, no group at all, a Task Group."""
    chart, aimed = combat(), [t.ship for t in found if t.ship]
    if not aimed:
        return 0
    kinds = [war.kind(ship.key) for ship in aimed]
    if "TF" in kinds:
        return chart.task_force
    if len([s for s in war.surface(enemy(assault.side), assault.hex) if not s.decoy]) == 1:
        return chart.lone
    return 0 if "TG" in kinds else chart.no_group


def _spend_aa(war: War, assault: Assault, found: Sequence[Target]) -> None:
    """6.5/2 Ships whose Area AA counted, and those whose Close AA did, tick a box."""
    foe = enemy(assault.side)
    hexes = [*crossed(war, assault), assault.hex]
    open_ = [h for h in hexes if HEXES[h] != FJORD and not sheltered(h)]
    jammed = {assault.hex: int(assault.electronic)}  # 170 what is left of it
    firing = [s for h in open_ for s in war.surface(foe, h) if s.now.area_aa > jammed.get(h, 0)]
    if not sheltered(assault.hex):
        aimed = [t.ship for t in found if t.ship]
        close = [*aimed, *beneath(war, assault, found)]
        firing += [s for s in close if s.now.close_aa]
    logistics.defended(firing)


# The attack


def attack_die(war: War, assault: Assault, target: Target, tac: int, less: int) -> int:
    """3.4 What is added to an attack's die."""
    return tac - less + sum(open_parts(war, assault, target).values()) + _deep(assault, target)


def open_parts(war: War, assault: Assault, target: Target) -> dict[str, int]:
    """3.4 Of that what the attacker knows himself, but for squadrons that guide and the defence."""
    chart, found = combat(), dict[str, int]()
    in_fjord = target.ship is not None and HEXES[assault.hex] == FJORD
    if assault.weapon in ("ssm", "torpedo") and in_fjord:
        found["fjord"] = chart.fjord
    if assault.weapon == "ssm" and not assault.cruise:
        if target.part:
            found["base"] = chart.base
        elif not _friend(war, assault):
            found["alone"] = chart.no_friend
    if assault.weapon == "ssm" and weather.storm(war, assault.hex, assault.origin or assault.hex):
        found["storm"] = weather_chart().ssm
    return found


def _deep(assault: Assault, target: Target) -> int:
    """203 Of a submarine in the deep, of which her owner alone knows."""
    deep = assault.weapon == "asw" and target.ship is not None and target.ship.deep
    return combat().deep if deep else 0


def _friend(war: War, assault: Assault) -> bool:
    """149 Has the attacker a ship beside the target? Land between them is no matter (261)."""
    near = (assault.hex, *around(assault.hex))
    return any(not s.decoy for hex_ in near for s in war.surface(assault.side, hex_))


def spend_tac(war: War, side: Side, hex_: str, wish: int) -> int:
    """122-124, 241 Squadrons of the zone that guide the attack, and go home by it."""
    zone = ZONE_OF[hex_]
    free = [
        u for u in war.flying(side) if u.at == "mission" and u.mission == "tac" and u.zone == zone
    ]
    used = free[: min(wish, combat().most_tac)]
    for unit in used:
        unit.at = "box"
    return len(used)


def divide(total: int, found: Sequence[Target]) -> None:
    """6.14/9 Points by shares, each down, the rest to the first."""
    shares = sum(t.share for t in found)
    for target in found:
        target.points = total * target.share // shares
    found[0].points += total - sum(t.points for t in found)


def rolled(table: TableLike, label: str, more: int, points: int) -> int:
    """3.1 The result of a die for all to see; without points there is none to roll."""
    if points <= 0:
        return 0
    (die,) = table.roll(label, D10, to=table.sides)
    return entry(die + more, points)


def resolve(table: TableLike, war: War, assault: Assault) -> None:
    """6.14 The whole attack. Raises Refused, and nothing has happened, if it cannot be made."""
    if assault.total <= 0:
        raise Refused("no-points", "263", "none of them has points for this attack")
    found = targets(table, war, assault)
    _arm(table, war, assault)
    seen = _watched(war, assault)
    divide(assault.total, found)
    found = _unmask(table, war, assault, found)
    if not found:
        _spent(table, war, assault, seen)
        return
    if assault.weapon == "ssm" and war.on("spread"):
        found += _strays(table, war, assault, found)
    tac = spend_tac(war, assault.side, assault.hex, assault.tac)
    less = _defend(table, war, assault, found, tac)
    dealt: list[tuple[Target, int]] = []
    for target in found:
        name = target.ship.type if target.ship else target.part.upper()
        label = f"COMBAT/{assault.weapon.upper()}/{assault.hex}/{name}"
        more = attack_die(war, assault, target, tac, less)
        result = rolled(table, label, more, target.points)
        dealt.append((target, result + _extra(assault, target)))
    for target, result in dealt:
        _deal(table, war, target, result, assault)
    reached = _blast(table, war, assault, found) if assault.nuclear else []
    hurt = bombers_hurt(less) if assault.weapon == "bomb" else 0
    flying = [war.squadrons[name] for name in assault.bombers]
    harm.thin(table, war, flying, hurt, patrols.doctrine(war, assault.side), "153", apart=True)
    _spent(table, war, assault, seen)
    _met(war, assault, [*(t.ship for t in found if t.ship), *reached])
    for side in table.sides:
        refresh(table, war, side, "attack")


def _unmask(table: TableLike, war: War, assault: Assault, found: Sequence[Target]) -> list[Target]:
    """6.19/3 Decoys among the targets are gone, with what was aimed at them; who is left. If nobody
    is, the squadrons that guide the attack are spent, and its owner hears who made it."""
    left = [target for target in found if not (target.ship and target.ship.decoy)]
    if not left:
        spend_tac(war, assault.side, assault.hex, assault.tac)
        table.tell([enemy(assault.side)], _suffered(assault))
    for target in found:
        if target.ship and target.ship.decoy:
            decoys.vanish(table, war, target.ship)
    return left


def _attackers(war: War, assault: Assault) -> list[Vessel]:
    """The ships and submarines that add points."""
    return [war.vessels[name] for name in assault.by if name in war.vessels]


def _watched(war: War, assault: Assault) -> bool:
    """6.14/16 Is the attack made from within an enemy's Limited zone?"""
    ships = _attackers(war, assault)
    return bool(ships) and detection.watched(war, ships)


def _spent(table: TableLike, war: War, assault: Assault, seen: bool) -> None:
    """6.5/2, 6.14/16 What an attack costs, whatever it met: ammunition, and ships that made it from
    near the enemy are found. seen: were they near him when they made it?"""
    logistics.fired(war, assault.by, assault.weapon)
    ships = _attackers(war, assault)
    if ships:
        detection.after_attack(table, war, ships, seen)


def _arm(table: TableLike, war: War, assault: Assault) -> None:
    """6.6/2-4 Nuclear weapons are spent, and treble the points. Raises Refused."""
    if not assault.nuclear:
        return
    nuclear.spend(war, assault.side, assault.weapon, assault.by)
    nuclear.fired(table, war, assault.side)
    assault.total *= nuclear_chart().times


def _extra(assault: Assault, target: Target) -> int:
    """6.6/3 A nuclear weapon does more to a base."""
    return nuclear_chart().base if assault.nuclear and target.part else 0


def _strays(table: TableLike, war: War, assault: Assault, found: Sequence[Target]) -> list[Target]:
    """6.7/8 Some missiles go for the strongest ship of the hex, of equals the upper of the array;
    if she is a target they add to what is aimed at her. Those who become targets by it."""
    ships = [s for s in war.surface(enemy(assault.side), assault.hex) if not s.decoy]
    more: list[Target] = []
    for target in found:
        if target.ship is None or not ships:
            continue
        label = f"COMBAT/STRAY/{assault.hex}/{target.ship.type}"
        (die,) = table.roll(label, D10, to=table.sides)
        if die > optional_chart().strays:
            continue
        best = _strongest(table, war, assault, ships)
        if best is target.ship:
            continue
        moved = target.points // 2
        target.points -= moved
        if goal := next((t for t in (*found, *more) if t.ship is best), None):
            goal.points += moved
        else:
            more.append(Target(1, best, points=moved))
        table.tell(table.sides, aev.Strayed(rule="6.7", at=assault.hex, points=moved))
    return more


def _strongest(table: TableLike, war: War, assault: Assault, ships: Sequence[Vessel]) -> Vessel:
    """6.7/8, 6.16/5 The strongest ship, of equals the upper of the array, of those that are alike
    by a hidden die."""
    top = min((-s.now.defence, place(war, s)[0]) for s in ships)
    fits = [s for s in ships if (-s.now.defence, place(war, s)[0]) == top]
    return table.pick(f"COMBAT/STRONGEST/{assault.hex}/{fits[0].type}", fits, to=())


def _blast(table: TableLike, war: War, assault: Assault, found: Sequence[Target]) -> list[Vessel]:
    """6.6/3 What lies near the target is attacked too: ships with a third of the points, and by
    ASW every other submarine of the hex with half, of either side; without a defence, but by the
    modifiers of the attack's die (3.4). Those of the enemy on which a marker lies. Dice that both
    see are numbered, others have the unit's name: a gap in the numbers would betray it."""
    aimed = [t.ship.id for t in found if t.ship]
    chart = nuclear_chart()
    if assault.weapon == "asw":
        near = [s for side in table.sides for s in war.subs(side, assault.hex)]
        points = assault.total // chart.depth
    else:
        near = [s for side in table.sides for s in war.surface(side, assault.hex)]
        points = assault.total // chart.around
    near = [s for s in near if s.id not in aimed and not s.decoy]
    if not points:
        return []
    table.tell(table.sides, aev.Blast(rule="6.6", at=assault.hex, points=points))
    known = [s.id for s in near if s.level or war.open]
    for ship in near:
        to = table.sides if ship.id in known else [ship.side]
        name = known.index(ship.id) + 1 if ship.id in known else ship.id
        (die,) = table.roll(f"COMBAT/BLAST/{assault.hex}/{name}", D10, to=to)
        die += attack_die(war, assault, Target(1, ship), tac=0, less=0)
        result = entry(die, points)
        what: Outcome = outcome(result, ship.now.defence, ship.damaged)
        ship.hunted = ship.hunted or _hunts(war, assault)
        if what != "none":
            to = table.sides
        _attacked(table, war, ship, assault.side, to)
        harm.hit(table, war, ship, result, what, "6.6", to)
    return [s for s in near if s.side != assault.side and s.level]


def _hunts(war: War, assault: Assault) -> bool:
    """155-157 Is it ASW of aircraft or ships, which a submarine suffers once a segment?"""
    return assault.weapon == "asw" and not by_submarine(war, assault)


def _attacked(table: TableLike, war: War, ship: Vessel, by: Side, to: Sequence[Side]) -> None:
    """3.14, 6.5/5, 6.17/4 She has been attacked; the first attack on a missile submarine costs, if
    both hear of it: points are open to all (ruling 56). to: who hears."""
    ship.attacked = True
    if ship.type == "SB" and ship.side == SOVIET and by == NATO and len(to) == len(table.sides):
        harm.first_hunt(table, war)


def _defend(table: TableLike, war: War, assault: Assault, found: Sequence[Target], tac: int) -> int:
    """The defence's die, told to both with what each may know; 160 none against ASW. The attacker
    alone hears what is added to his own dice: it says where his ships and squadrons are. tac: how
    many of these guide him."""
    total, result, why = 0, 0, ""
    if assault.weapon != "asw":
        total = defence_total(war, assault, found)
        if assault.weapon != "torpedo":
            _spend_aa(war, assault, found)
        if total:
            label = f"COMBAT/DEFENCE/{assault.hex}/{assault.weapon.upper()}"
            (die,) = table.roll(label, D10, to=table.sides)
            more = defence_die(war, assault, found)
            result = defence(die + more, total)
            if assault.nuclear:
                result = max(0, result + nuclear_chart().defence)
            why = f"die {die}{more:+d}" if more else f"die {die}"
    foe = enemy(assault.side)
    names = {name_of(war, assault.side, t.ship.key) for t in found if t.ship}
    contact = ", ".join(sorted(names, key=lambda name: (len(name), name)))
    made = ev.Attacked(
        rule="6.14", why=why, by=tuple(assault.by), attack=assault.weapon, at=assault.hex,
        contact=contact, total=assault.total, defence=result,
        parts=open_parts(war, assault, found[0]), guides=tac, wished=assault.tac,
    )  # fmt: skip
    table.tell([assault.side], made)
    table.tell([foe], _suffered(assault, why, total, result))
    return result


def _suffered(assault: Assault, why: str = "", total: int = 0, result: int = 0) -> ev.WasAttacked:
    """What the defender is told of an attack."""
    return ev.WasAttacked(
        rule="6.14", why=why, by=tuple(assault.by), attack=assault.weapon, at=assault.hex,
        total=total, defence=result,
    )  # fmt: skip


def _deal(table: TableLike, war: War, target: Target, result: int, assault: Assault) -> None:
    """162, 181 What a result does."""
    if target.ship is None:
        level = base_damage(result)
        harm.strike_base(table, war, assault.hex, target.part, result, level)
        if result >= 1 and not by_submarine(war, assault):
            harm.soften(war, assault.side, assault.hex)
        harm.first_raid(table, war, assault.side, assault.hex)
        return
    ship = target.ship
    ship.hunted = ship.hunted or _hunts(war, assault)
    _attacked(table, war, ship, assault.side, table.sides)
    if ship.sunk:
        return
    what: Outcome = outcome(result, ship.now.defence, ship.damaged)
    harm.hit(table, war, ship, result, what, "162")


def _met(war: War, assault: Assault, hit: Sequence[Vessel]) -> None:
    """6.16/2 An engagement: names of those who attacked and who were hit."""
    foe = enemy(assault.side)
    war.named[assault.side] = sorted({*war.named[assault.side], *(s.id for s in hit)})
    ships = [s.id for s in _attackers(war, assault) if s.level]
    war.named[foe] = sorted({*war.named[foe], *ships})
