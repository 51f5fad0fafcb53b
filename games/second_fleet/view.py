"""What a side may see: own units, contacts as it was told of them, bases.

Only `truth` looks further, for the referee and the replay.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games.second_fleet import advanced_view, flights, logistics, strengths
from games.second_fleet.board import BASES, SIDES, ZONE_NAMES
from games.second_fleet.menu import form, menu
from games.second_fleet.patrols import known
from games.second_fleet.report import Board, Enemy, Hurt, Over, OwnUnit
from games.second_fleet.results import dark
from games.second_fleet.state import Known, Squadron, Vessel, War
from games.second_fleet.tables import type_names
from pbem.kit.contacts import number
from pbem.kit.points import Fact, totals
from pbem.kit.views import filler
from pbem.model import Side, View

NAMES = {"nato": "NATO", "soviet": "Soviet"}
LEVELS = ("", "Local", "Strategic")


def view(state: War, side: Side) -> View:
    """One side's war."""
    shown = _shown(state, [side], [_by_name(unit) for unit in _units(state, side)])
    shown.contacts = contacts(state, side)
    shown.menu = menu(state, side)
    shown.form = form(state, side)
    shown.news = " to ".join(f"{NAMES[s]} {state.total(s)}" for s in SIDES)
    return shown


def truth(state: War) -> View:
    """Both sides, for the referee and the replay."""
    return _shown(state, SIDES, [unit for side in SIDES for unit in _units(state, side)])


def watched(state: War) -> View:
    """What lies open for all: bases, points, light."""
    return _shown(state, [], [])


def _shown(war: War, sides: Sequence[Side], units: Sequence[OwnUnit]) -> View:
    return View(turn=war.turn, label=label(war), units=[*units], board=_board(war, sides))


def label(war: War) -> str:
    """`day 2, PM, segment 1`."""
    if war.stage == "set-up":
        return "Set-up"
    day = f"day {(war.turn + 2) // 3}, {war.part}"
    if war.stage == "strategic":
        return f"{day}, strategic air"
    if war.stage == "cap":
        return f"{day}, Soviet patrols"
    half = f", {NAMES[war.half]} half" if war.half else ""
    return f"{day}, segment {war.segment}{half}" if war.segment else day


# Own units


def _units(war: War, side: Side) -> Iterator[OwnUnit]:
    """Groups, ships and submarines, squadrons."""
    ships = war.afloat(side)
    for name in sorted(n for n, owner in war.groups.items() if owner == side):
        members = [s for s in ships if s.group == name]
        if members:
            yield _group(war, name, members)
    for ship in ships:
        yield _ship(war, ship)
    for squadron in war.flying(side):
        yield _squadron(war, squadron)
    yield from advanced_view.waiting(war, side)


def _by_name(unit: OwnUnit) -> OwnUnit:
    """83 A side knows a group by its name, whatever the enemy calls his."""
    unit.id, unit.group = unit.id.upper(), unit.group.upper()
    return unit


def told(war: War, ship: Vessel) -> int:
    """6.16/6 The enemy's marker, where the game tells it."""
    return ship.level if war.tells(ship.level) else 0


def _group(war: War, name: str, members: Sequence[Vessel]) -> OwnUnit:
    first = members[0]
    level = told(war, first)
    combat = {"TF": "task force", "TG": "task group"}
    return OwnUnit(
        id=name,
        name=name.title(),
        type=combat.get(war.kind(name), "ships"),
        place=first.hex,
        kind="group",
        ma=min(strengths.ma(war, s) for s in members),
        ssm=sum(strengths.ssm(s) for s in members),
        range=max((s.sheet.range for s in members if s.now.ssm), default=0),
        asw=sum(strengths.asw(war, s) for s in members),
        level=level,
        damaged=any(s.damaged for s in members),
        acted=all(s.acted for s in members),
        ships=tuple(s.id for s in members),
        wake=moved(first.wake),
        notes=_notes(LEVELS[level] and f"{LEVELS[level]} to the enemy"),
    )


def moved(wake: Sequence[str]) -> tuple[str, ...]:
    """Where a unit has been, without the turns in which it lay still; empty if it never moved."""
    found = tuple(h for i, h in enumerate(wake) if i == 0 or h != wake[i - 1])
    return found if len(found) > 1 else ()


_SHIP = filler(OwnUnit, {Vessel: "id name place=hex group damaged acted"})


def _ship(war: War, ship: Vessel) -> OwnUnit:
    """A ship or a submarine, as the side of her counter that is up says."""
    level = told(war, ship)
    mark = LEVELS[level] and not ship.group and f"{LEVELS[level]} to the enemy"
    return _SHIP(
        ship,
        type=type_names()[ship.type],
        kind="sub" if ship.sub else "ship",
        ma=strengths.ma(war, ship),
        dry=strengths.dry(war, ship),
        defence=ship.now.defence,
        ssm=strengths.ssm(ship),
        range=ship.sheet.range,
        asw=strengths.asw(war, ship),
        torpedo=strengths.torpedo(ship),
        close_aa=logistics.close_aa(ship),
        area_aa=strengths.area_aa(ship),
        level=level,
        nation=ship.sheet.nation,
        model=ship.type,
        wake=() if ship.group else moved(ship.wake),
        stores=advanced_view.stores(ship),
        notes=_notes("damaged" if ship.damaged else "", mark or "", *advanced_view.notes(ship)),
    )


_AIR = filler(OwnUnit, {Squadron: "id damaged acted base"})


def _squadron(war: War, unit: Squadron) -> OwnUnit:
    away = {
        "base": "",
        "cap": "on patrol",
        "return": "back from patrol",
        "box": "back from a mission",
    }
    mission = f"{unit.mission} {unit.zone}" if unit.at == "mission" else away[unit.at]
    return _AIR(
        unit,
        name=unit.id,
        type=type_names()[unit.role],
        place=war.last_spot(unit.base),
        kind="air",
        ma=unit.sheet.ma,
        ssm=unit.now.ssm,
        range=unit.sheet.range,
        bomb=unit.now.bomb,
        asw=unit.now.asw,
        a2a=unit.now.a2a,
        light=flights.farther(unit) if war.on("range") and not unit.embarked else 0,
        away=mission,
        nation=unit.sheet.nation,
        model=unit.sheet.aircraft,
        notes=_notes(mission, "damaged" if unit.damaged else ""),
    )


def _notes(*texts: str) -> tuple[str, ...]:
    return tuple(t for t in texts if t)


# Contacts


def contacts(war: War, side: Side) -> list[Enemy]:
    """By number."""
    book = war.known[side]
    return [_contact(war, book[name]) for name in sorted(book, key=number)]


_KNOWN = filler(Enemy, {Known: "id place kind types size level hurt names"})


def _contact(war: War, seen: Known) -> Enemy:
    return _KNOWN(
        seen,
        type=described(seen.kind, seen.types),
        age=war.turn - seen.turn if seen.lost else 0,
        trail=tuple((place, war.turn - then) for place, then in seen.trail),
        remarks=_remarks(seen),
    )


def described(kind: str, types: Sequence[str]) -> str:
    """`TF: CV 2 DD`, at most as wide as a table."""
    text = " ".join(types) or "types unknown"
    return text if kind in ("single", "SUB") else f"{kind}: {text}"


def _remarks(seen: Known) -> str:
    found = [LEVELS[seen.level] or ("marker gone" if seen.lost else "not detected")]
    if seen.size:
        found.append(f"{seen.size} ships")
    if seen.hurt:
        found.append(f"{seen.hurt} damaged")
    if seen.names:
        found.append(", ".join(seen.names))
    return "; ".join(found)


# The board


def _board(war: War, sides: Sequence[Side]) -> Board:
    shadowed = tuple(z for z in ZONE_NAMES if dark(war.turn, war.period, z))
    patrols = [p for p in war.patrols if p.side in sides]
    return Board(
        facts=facts(war),
        points=totals(war.scores, {side: NAMES[side] for side in SIDES}),
        stage=war.stage,
        segment=war.segment,
        part=war.part,
        dark=shadowed,
        first=war.first if war.segment else "",
        used=tuple(war.used[sides[0]]) if len(sides) == 1 else (),
        lost=tuple(h for h, f in sorted(war.fields.items()) if f.side != BASES[h].side),
        hurt=tuple(
            Hurt(h, f.air, f.port) for h, f in sorted(war.fields.items()) if f.air or f.port
        ),
        patrols=tuple(
            Over(p.base, war.spot(p.base), tuple(p.units), p.range) for p in patrols if not p.home
        ),
        threats=tuple(war.spot(p.base) for p in known(war, sides[0])) if len(sides) == 1 else (),
        unloaded=tuple(war.unloaded),
        weather=war.weather.sky,
        weather_zones=tuple(war.weather.zones),
        strategy=war.politics.strategy,
        raised=advanced_view.raised(war, sides),
        rush=advanced_view.rush(war, sides),
        mines=advanced_view.mines(war, sides),
        marker=advanced_view.marker(war, sides),
        ashore=advanced_view.ashore(war),
        troops=advanced_view.troops(war, sides),
        without=advanced_view.without(war),
    )


def facts(war: War) -> list[Fact]:
    """Light, initiative, month."""
    shadowed = [z for z in ZONE_NAMES if dark(war.turn, war.period, z)]
    light = "dark" if len(shadowed) == len(ZONE_NAMES) else "day"
    if shadowed and light == "day":
        light = f"dark in {' '.join(shadowed)}"
    found = [Fact("Light", light), Fact("Month", war.month)]
    if war.segment:
        found.append(Fact("Initiative", NAMES[war.first]))
    if war.par:
        found.append(Fact("Even at", f"{NAMES[war.plan.leader]} +{war.par}"))
    return [*found, *advanced_view.facts(war)]
