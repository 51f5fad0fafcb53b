"""11, 12, 14 Damage: ships, aircraft, bases, and what goes with them; points for losses."""

from __future__ import annotations

from collections.abc import Sequence

from games.second_fleet import events as ev
from games.second_fleet.advanced_tables import repair_die
from games.second_fleet.board import BASES, NATO, SOVIET
from games.second_fleet.results import Outcome
from games.second_fleet.state import GONE, Squadron, Vessel, War, enemy
from games.second_fleet.tables import D10, INT_ATK, worth
from games.second_fleet.verbs import Losses
from pbem.model import Side, TableLike

Doctrine = Losses | None
HOMELESS = "no base takes it back"
"""Why an air unit is lost that nobody has shot at."""


def points_for(war: War, ship: Vessel) -> int:
    """3.14 What the enemy gets for a ship."""
    lost = worth()
    if ship.type == "CR" and ship.side == NATO:
        return war.plan.convoy
    if ship.type == "CV" and ship.sheet.nation == "UK":
        return lost.uk_carrier
    if ship.landed:
        return lost.landed
    return (lost.nato if ship.side == NATO else lost.soviet).get(ship.type, 0)


def hit(
    table: TableLike,
    war: War,
    ship: Vessel,
    result: int,
    outcome: Outcome,
    rule: str,
    to: Sequence[Side] = (),
) -> None:
    """162-165 A ship suffers a result; ships are never repaired. to: who hears of it; by default
    both."""
    told = ev.Struck(
        rule=rule, ship=ship.id, type=ship.type, side=ship.side, result=result, outcome=outcome
    )
    table.tell(to or table.sides, told)
    if outcome == "destroyed":
        sink(table, war, ship)
    elif outcome == "damaged":
        ship.damaged = True


def sink(table: TableLike, war: War, ship: Vessel) -> None:
    """162, 81, 264 She is gone, with her aircraft aboard and her patrol."""
    ship.sunk = True
    points = points_for(war, ship)
    told = ev.Sunk(rule="162", ship=ship.id, type=ship.type, side=ship.side, points=points)
    table.tell(table.sides, told)
    war.score(enemy(ship.side), points, "loss", "3.14", ship.id)
    here = ("base", "cap", "return")
    lost = [u for u in war.flying(ship.side) if u.base == ship.id and u.at in here]
    lose(table, war, lost, "264", f"with {ship.id}")
    for patrol in war.patrols:  # 245 what is left are aircraft of another carrier of the hex
        if patrol.base == ship.id:
            patrol.base = war.squadrons[patrol.units[0]].base


def lose(table: TableLike, war: War, units: Sequence[Squadron], rule: str, why: str = "") -> None:
    """Air units of a side are destroyed at once. why: where nobody has shot at them."""
    for unit in units:
        unit.lost = True
        table.tell([unit.side], ev.AirHit(rule=rule, why=why, unit=unit.id, destroyed=True))
    for patrol in war.patrols:
        patrol.units = [name for name in patrol.units if not war.squadrons[name].lost]
    war.patrols = [p for p in war.patrols if p.units]
    if worthy := [unit for unit in units if unit.role in INT_ATK]:
        _score(table, war, enemy(worthy[0].side), "air", worth().squadron, *(u.id for u in worthy))


def _score(table: TableLike, war: War, side: Side, kind: str, points: int, *whats: str) -> None:
    """3.14 Points of which no other event tells: both see them, and hear what they are for.
    points: for each of whats."""
    for what in whats:
        war.score(side, points, kind, "3.14", what)
    many = len(whats)
    told = ev.Scored(rule="3.14", side=side, points=points * many, what=kind, count=many)
    table.tell(table.sides, told)


def step(table: TableLike, war: War, unit: Squadron, rule: str) -> None:
    """5.8/5 An air unit loses a step: damaged, then destroyed."""
    if unit.damaged or unit.sheet.steps == 1:
        lose(table, war, [unit], rule)
    else:
        unit.damaged = True
        table.tell([unit.side], ev.AirHit(rule=rule, unit=unit.id, destroyed=False))


def thin(
    table: TableLike,
    war: War,
    units: Sequence[Squadron],
    count: int,
    doctrine: str,
    rule: str,
    *,
    apart: bool = False,
) -> None:
    """6.14/13 So many steps, by the owner's choice: damaged units first, then the weakest.

    apart: each of another unit (6.14/8).
    """
    hurt: list[str] = []
    for _ in range(count):
        left = [u for u in units if not u.lost and not (apart and u.id in hurt)]
        if not left:
            return
        unit = min(left, key=lambda u: _rank(u, doctrine))
        hurt.append(unit.id)
        step(table, war, unit, rule)


def _rank(unit: Squadron, doctrine: str) -> tuple[int, int, str]:
    value = unit.now.a2a
    if doctrine == "strongest":
        return 0, -value, unit.id
    return (not unit.damaged if doctrine != "weakest" else 0), value, unit.id


# Bases


def strike_base(table: TableLike, war: War, hex_: str, part: str, result: int, level: int) -> None:
    """181, 6.14/15 A base suffers; damages add up."""
    field = war.fields[hex_]
    if part not in field.hit:
        field.hit.append(part)
    if part == "port":
        field.port = min(GONE, field.port + level)
    else:
        field.air = min(GONE, field.air + level)
    damage = field.port if part == "port" else field.air
    name = BASES[hex_].name
    told = ev.BaseStruck(rule="181", base=name, part=part, result=result, damage=damage)
    table.tell(table.sides, told)
    if part == "field" and damage == GONE:
        _grounded(table, war, hex_)


def soften(war: War, side: Side, hex_: str) -> None:
    """6.3/10 Any result of aircraft or surface ships helps an assault of this turn or the next."""
    war.fields[hex_].struck[side] = war.turn


def _grounded(table: TableLike, war: War, hex_: str) -> None:
    """266 Aircraft on a field that is destroyed are lost; its patrol lands elsewhere (80)."""
    units = war.squadrons.values()
    lost = [u for u in units if u.base == hex_ and not u.lost and u.at == "base"]
    lose(table, war, lost, "266", f"with {BASES[hex_].name}")


def first_raid(table: TableLike, war: War, side: Side, hex_: str) -> None:
    """3.14 NATO's first attack on a Soviet port or airfield."""
    if side == NATO and side not in war.raided and BASES[hex_].side == SOVIET:
        war.raided.append(side)
        _score(table, war, SOVIET, "raid", worth().base_attack, "NATO attacked a Soviet base")


def first_hunt(table: TableLike, war: War) -> None:
    """3.14 NATO's first attack on a Soviet missile submarine."""
    if not any(score.kind == "hunt" for score in war.scores):
        _score(table, war, SOVIET, "hunt", worth().sub_attack, "NATO attacked a missile submarine")


def repair(table: TableLike, war: War) -> None:
    """180, 6.10 At Night airfields and ports, each by itself, improve by a step if they were not
    attacked; destroyed ones do not. Option `repair`: not at all, or only by a die."""
    how = war.options.get("repair", "steps")
    if war.level == "basic" or how == "no":
        return
    for hex_, field in sorted(war.fields.items()):
        for part in ("field", "port"):
            damage = field.air if part == "field" else field.port
            if part in field.hit or not 0 < damage < GONE:
                continue
            if how == "die":
                label = f"REPAIR/{part.upper()}/{hex_}/REFEREE"
                (die,) = table.roll(label, D10, to=table.sides)
                if die < repair_die():
                    continue
            if part == "field":
                field.air -= 1
            else:
                field.port -= 1
            told = ev.Repaired(rule="180", base=BASES[hex_].name, part=part, damage=damage - 1)
            table.tell(table.sides, told)
