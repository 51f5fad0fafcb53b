"""6 Air units: movement (4.4), endurance, modes, return, rest and refit.

A unit's turns in the air count from the turn it takes off (6.22). A player may not fly it to a zone
from which it cannot come home (6.21): such an order is dropped, and the unit goes on with the last
one that it could carry out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from games.bismarck import board, calendar, naming, tables, taskforce, victory
from games.bismarck.board import BRITISH, GERMAN, Zone
from games.bismarck.events import AirFlew, AirLanded, AirLost, EnemyAirLost, OrderFailed
from games.bismarck.facts import knows
from games.bismarck.state import SIDES, AirMode, AirUnit, Face, Plan, War
from games.bismarck.verbs import Fly, Hold, Patrol, Return
from games.bismarck.verbs_battle import Intercept
from orders.book import Book, Command
from pbem.kit.checks import Refused
from pbem.model import Side, TableLike

Order = Fly | Patrol | Hold | Return | Intercept
_ORDERS: Mapping[str, type[Order]] = {
    "fly": Fly,
    "patrol": Patrol,
    "hold": Hold,
    "return": Return,
    "intercept": Intercept,
}


class Wings(Struct, frozen=True):
    """What the air rules need of one unit, from the truth or from its owner's report."""

    side: str
    type: str
    at: Zone
    """Where it is: the zone of its base when at base."""
    base: Zone
    mode: AirMode
    front: Face
    back: Face | None
    up: int
    """Turns in the air before this one."""
    afloat: bool = False
    """The base is a carrier that is free to come and meet it."""

    def face(self, mode: AirMode) -> Face:
        """The upper side in a mode."""
        return self.back if self.back and mode in ("patrol", "recon") else self.front


class Hop(Struct, frozen=True):
    """One turn in the air. left: turns it may still stay up; home: it lands after air attacks."""

    step: tuple[Zone, ...]
    left: int
    home: bool


# 6.3 Modes


def pick_mode(unit: Wings, wanted: str) -> AirMode:
    """6.31-6.33 The mode it flies in; a bomber chooses on taking off. Raises Refused."""
    recon = unit.type == "LR recon"
    if not recon and unit.up:
        if wanted not in ("", unit.mode):
            text = f"it took off in {unit.mode} mode"
            raise Refused("mode-fixed", "6.31", text, "leave out 'mode'")
        return unit.mode
    allowed: tuple[AirMode, ...] = ("move", "patrol") if recon else ("attack", "recon")
    if not unit.back:
        allowed = allowed[:1]
    if not wanted:
        return allowed[0]
    for mode in allowed:
        if mode == wanted:
            return mode
    code = "no-recon" if wanted == "recon" and not recon else "bad-mode"
    text = f"it has {' and '.join(allowed)} mode, no {wanted} mode"
    raise Refused(code, "2.434", text, f"mode {allowed[0]}")


# 6.1 Routes


def route(side: str, start: Zone, path: Sequence[Zone]) -> tuple[Zone, ...]:
    """6.11-6.14 Every zone flown through, gaps filled by the shortest way. Raises Refused."""
    way: list[Zone] = []
    at = start
    for item, zone in enumerate(path):
        _refuse_britain(side, at, zone, item)
        leg = () if zone == at else board.fly(side, at, zone)
        if leg is None and (zone in board.SEA or zone in board.LAND):
            text = f"there is no way to {zone} but over Great Britain"
            raise Refused("over-britain", "6.12", text, item=item)
        if leg is None:
            raise Refused("not-on-map", "6.14", f"{zone} is not a zone of the board", item=item)
        way += leg
        at = zone
    return tuple(way)


def _refuse_britain(side: str, at: Zone, zone: Zone, item: int) -> None:
    near = board.distance(at, zone) == 1
    if side == GERMAN and near and {at, zone} <= board.GREAT_BRITAIN:
        text = f"{at} and {zone} both hold a part of Great Britain"
        raise Refused("over-britain", "6.12", text, item=item)


# 6.2 Endurance


def home_now(unit: Wings, at: Zone, used: int, mode: AirMode) -> bool:
    """6.23 Can it come home from `at` in the turn in which it took off? used: zones flown."""
    way = board.fly_distance(unit.side, at, unit.base)
    return way is not None and used + way - _meeting(unit, 1) <= unit.face(mode).speed


def home_by(unit: Wings, at: Zone, up: int, used: int, mode: AirMode) -> bool:
    """6.21-6.23 Can it still come home from `at`, if need be to a carrier that comes to meet it?

    up: turns in the air, this one included; used: zones flown this turn.
    """
    way = board.fly_distance(unit.side, at, unit.base)
    if way is None:
        return False
    left = unit.face(mode).endurance - up
    cruise = unit.front.speed if unit.type == "LR recon" else unit.face(mode).speed
    if up == 1 and home_now(unit, at, used, mode):
        return True
    if left <= 0:
        return False
    return way - _meeting(unit, 2 * left - (up == 1)) <= cruise * left


def _meeting(unit: Wings, zones: int) -> int:
    """5.13, 5.29 Zones by which a carrier may shorten the way home."""
    return zones if unit.afloat else 0


def hops(unit: Wings, way: Sequence[Zone], mode: AirMode, back: bool = False) -> Iterator[Hop]:
    """The turns of a flight. Raises Refused where the unit could not come home from it."""
    face, rest, up, at = unit.face(mode), tuple(way), unit.up, unit.at
    while rest or up == unit.up:
        step, rest = rest[: face.speed], rest[face.speed :]
        up, at = up + 1, step[-1] if step else at
        lands = up > 1 and at == unit.base
        if up > face.endurance or not (lands or home_by(unit, at, up, len(step), mode)):
            last = unit.up > 0 and face.endurance - unit.up <= 1
            raise Refused(
                "out-of-endurance",
                "6.21",
                f"it could not be back in {unit.base} from {at} in time",
                "it must be home this turn: write return"
                if last
                else f"endurance {face.endurance}, speed {face.speed}",
            )
        left = face.endurance - up
        yield Hop(step, left, up == 1 and (left == 0 or (back and not rest)))


# 4.4 The air movement phase


def base_zone(war: War, unit: AirUnit) -> Zone:
    """2.438 Where its home base is now; empty when its carrier is gone."""
    carrier = war.ships.get(unit.base)
    if carrier:
        return carrier.zone if carrier.afloat else Zone("")
    return (board.PORTS.get(unit.base) or board.BASES[unit.base]).zone


def wings(war: War, unit: AirUnit) -> Wings:
    """What the air rules need of a unit, before it moves."""
    base, carrier = base_zone(war, unit), war.ships.get(unit.base)
    return Wings(
        side=unit.side,
        type=unit.type,
        at=unit.zone or base,
        base=base,
        mode=unit.mode,
        front=unit.front,
        back=unit.back,
        up=unit.up,
        afloat=carrier is not None and not taskforce.tied(war, carrier),
    )


def movement_phase(table: TableLike, war: War, books: Mapping[Side, Book]) -> None:
    """4.4 Every air unit takes off, flies, stays up or goes home, as ordered or as it must."""
    for side in SIDES:
        facts = knows(war, side)
        for unit in war.wing(side):
            given = books[side].commands(unit.id, _ORDERS, facts)
            if unit.flying or unit.ready <= war.turn:
                _act(table, war, unit, given)
            else:
                _resting(table, unit, given)


def _resting(table: TableLike, unit: AirUnit, given: Iterator[Command[Order]]) -> None:
    fresh = next((c for c in given if c.fresh), None)
    if fresh:
        why = f"it rests until {calendar.label(unit.ready)}"
        _fail(table, unit, fresh.order, Refused("resting", "6.42", why))


def _act(table: TableLike, war: War, unit: AirUnit, given: Iterator[Command[Order]]) -> None:
    """The strongest order that can be carried out; else the unit goes on as before, else home."""
    for command in given:
        try:
            _obey(table, war, unit, command)
        except Refused as no:
            if no.code != naming.NO_CONTACT:  # an order to intercept waits for its contact
                _fail(table, unit, command.order, no)
        else:
            return
    if unit.flying:
        _carry_on(table, war, unit)


def _fail(table: TableLike, unit: AirUnit, order: Order, no: Refused) -> None:
    verb = type(order).__name__.lower()
    table.tell([unit.side], OrderFailed(rule=no.rule, why=no.text, who=unit.name, verb=verb))


def _obey(table: TableLike, war: War, unit: AirUnit, command: Command[Order]) -> None:
    """Raises Refused, changing nothing."""
    order = command.order
    if isinstance(order, Return):
        if unit.flying:
            _go_home(table, war, unit)
        return
    if isinstance(order, Hold) or (isinstance(order, Patrol) and not order.path):
        if unit.flying:
            mode = "patrol" if isinstance(order, Patrol) else ""
            _fly(table, war, unit, Plan(), pick_mode(wings(war, unit), mode), False)
        return
    if isinstance(order, Intercept):
        order = _chase(war, unit, order)
    wanted = order.mode if isinstance(order, Fly) else "patrol"
    back = isinstance(order, Fly) and order.back == "return"
    old = unit.plan
    if unit.flying and not command.fresh and old and old.order == order.path:
        _carry_on(table, war, unit)
    else:
        _set_out(table, war, unit, order.path, wanted, back)


def _set_out(
    table: TableLike, war: War, unit: AirUnit, path: tuple[Zone, ...], wanted: str, back: bool
) -> None:
    """6.21 A new flight, if all of it is possible, not its first turn alone. Raises Refused."""
    about = wings(war, unit)
    if not about.base:
        raise Refused("no-base", "6.43", "its carrier is gone")
    mode = pick_mode(about, wanted)
    way = route(unit.side, about.at, path)
    for _ in hops(about, way, mode, back):
        pass
    _fly(table, war, unit, Plan(path, way), mode, back)


def _chase(war: War, unit: AirUnit, order: Intercept) -> Fly:
    """8.11 A flight to where its side knows the contact to be this turn, within one turn's speed.
    Raises Refused."""
    at = unit.zone or base_zone(war, unit)
    ways = [
        (board.fly_distance(unit.side, at, z), z)
        for z in naming.found_now(war, unit.side, order.contact)
    ]
    most = min(order.within, unit.front.speed)
    near = [(way, zone) for way, zone in ways if way is not None and way <= most]
    if not near:
        name = order.contact or "a contact"
        text = f"{name} was not found this turn within reach of the order"
        raise Refused(naming.NO_CONTACT, "8.11", text)
    return Fly((min(near)[1],))


def _carry_on(table: TableLike, war: War, unit: AirUnit) -> None:
    """Without an order: finish the path, else stay up, else go home."""
    plan = onward(war, unit)
    if plan is None:
        _go_home(table, war, unit)
    else:
        _fly(table, war, unit, plan, unit.mode, False)


def onward(war: War, unit: AirUnit) -> Plan | None:
    """6.21 The flight of a unit in the air that gets no order: the rest of its path, or none where
    it stays up; None if it goes home."""
    if unit.home:
        return None
    about, path = wings(war, unit), unit.plan
    for plan in (path, Plan()) if path and path.rest else (Plan(),):
        try:
            next(hops(about, plan.rest, unit.mode))
        except Refused:
            continue
        return plan
    return None


def _fly(table: TableLike, war: War, unit: AirUnit, plan: Plan, mode: AirMode, back: bool) -> None:
    """6.13 One turn of a flight. Raises Refused, changing nothing, where the unit would be lost."""
    about = wings(war, unit)
    hop = next(hops(about, plan.rest, mode, back))
    unit.plan = Plan(plan.order, plan.rest[len(hop.step) :])
    unit.mode, unit.home = mode, hop.home
    _step(table, unit, about.at, hop.step)
    if unit.up > 1 and unit.left <= 0:
        _land_if_home(table, war, unit)


def _step(table: TableLike, unit: AirUnit, start: Zone, step: tuple[Zone, ...]) -> None:
    unit.up += 1
    unit.path, unit.used = step, len(step)
    unit.zone = step[-1] if step else start
    flew = AirFlew(
        rule="6.13", who=unit.name, path=step, zone=unit.zone, mode=unit.mode, left=unit.left
    )
    table.tell([unit.side], flew)


def _go_home(table: TableLike, war: War, unit: AirUnit) -> None:
    """6.21 Home by the shortest way; a patrol ends, since its counter is slower."""
    base = base_zone(war, unit)
    if unit.type == "LR recon":
        unit.mode = "move"
    way = board.fly(unit.side, unit.zone, base) if base else None
    unit.home, unit.plan = True, None
    _step(table, unit, unit.zone, (way or ())[: unit.face.speed])
    _land_if_home(table, war, unit)


def _land_if_home(table: TableLike, war: War, unit: AirUnit) -> None:
    if unit.zone == base_zone(war, unit):
        land(table, war, unit)


def land(table: TableLike, war: War, unit: AirUnit) -> None:
    """6.41, 6.42 It is at its base and rests for the next turn."""
    unit.ready = war.turn + tables.rest(war.house)
    unit.zone, unit.plan, unit.home, unit.up = Zone(""), None, False, 0
    ready = calendar.label(unit.ready)
    base = war.ships[unit.base].name if unit.base in war.ships else unit.base
    table.tell([unit.side], AirLanded(rule="6.42", who=unit.name, base=base, ready=ready))


# 4.7 The end of the air attack phase


def landing(table: TableLike, war: War) -> None:
    """4.7, 6.23 Units that took off this turn land with what speed is left; the rest stay up.

    A carrier has moved meanwhile. A unit at the end of its endurance that is not home is lost.
    """
    for side in SIDES:
        for unit in war.airborne(side):
            if unit.launched and (unit.home or unit.left <= 0):
                _short_return(table, war, unit)
            if unit.flying and unit.left <= 0:
                lose(table, war, unit)
            elif unit.flying and unit.home and unit.launched:
                _late(table, war, unit)


def _short_return(table: TableLike, war: War, unit: AirUnit) -> None:
    base = base_zone(war, unit)
    way = board.fly(unit.side, unit.zone, base) if base else None
    if way is not None and unit.used + len(way) <= unit.face.speed:
        unit.used += len(way)
        land(table, war, unit)


def _late(table: TableLike, war: War, unit: AirUnit) -> None:
    """6.23 It was to land in the turn in which it took off, and is too far away: it flies home in
    the next."""
    why = f"{base_zone(war, unit)} is out of reach this turn; it flies home in the next"
    table.tell([unit.side], OrderFailed(rule="6.23", why=why, who=unit.name, verb="return"))


def lose(table: TableLike, war: War, unit: AirUnit) -> None:
    """6.21, 12.35, 12.43 It did not get home: two points for the other side."""
    unit.lost, unit.zone = True, Zone("")
    other = GERMAN if unit.side == BRITISH else BRITISH
    rule = "12.43" if unit.side == BRITISH else "12.35"
    table.tell([unit.side], AirLost(rule="6.21", who=unit.name))
    table.tell([other], EnemyAirLost(rule="6.21"))
    points = victory.numbers(war).air_lost
    victory.award(table, war, other, points, rule, "an air unit did not come home")
