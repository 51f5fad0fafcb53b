"""5 Ship movement on the search board: speed, fuel, routes, patrol, and the ship phase (4.5).

The rules of speed and fuel read `Engine`s, so that the referee and the checker of orders, which
knows the sender's report alone, apply the same ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec.structs import replace

from games.bismarck import board, calendar, groups, naming, tables, taskforce
from games.bismarck.board import GERMAN, Zone
from games.bismarck.events import OrderFailed, PatrolBegun, PatrolEnded, ShipMoved
from games.bismarck.facts import knows
from games.bismarck.state import SIDES, Engine, Plan, Ship, War
from games.bismarck.tables import Breakout
from games.bismarck.taskforce import Counter
from games.bismarck.verbs import Hold, Move, Patrol
from games.bismarck.verbs_battle import Intercept
from orders.book import Book, Command
from pbem.kit.checks import Refused
from pbem.model import Side, TableLike

Order = Move | Patrol | Hold | Intercept
ORDERS: Mapping[str, type[Order]] = {
    "move": Move,
    "patrol": Patrol,
    "hold": Hold,
    "intercept": Intercept,
}


# 5.1 Speed

SOUND, NORMAL = 25, 16
"""9.729 Evasion from which damage leaves a ship two zones, and one zone; below that she makes
emergency moves, down to `taskforce.TOWED`."""


def pace(evasion: int, turn: int) -> int:
    """9.729 Zones that damage leaves a ship: two, one, one in C turns (emergency), none."""
    if evasion >= SOUND:
        return 2
    if evasion >= NORMAL:
        return 1
    return int(calendar.c_turn(turn)) if evasion >= taskforce.TOWED else 0


def emergency(engine: Engine) -> bool:
    """5.23, 5.24, 9.729 Does a ship make emergency moves alone, if any?"""
    return engine.evasion < NORMAL or engine.fuel == 0


def most(engine: Engine, turn: int, economical: bool = False, bonus: Breakout | None = None) -> int:
    """5.12-5.14, 5.21-5.29 Zones that one ship may move in `turn`.

    economical: only what costs no fuel. bonus: 5.28, in the first turn of German ships.
    """
    if engine.tied:
        return 0
    if bonus:
        return _bonus_zones(engine, economical, bonus)
    limit = min(engine.top, pace(engine.evasion, turn))
    if engine.fuel == 0:  # 5.23, 5.24
        return min(limit, int(calendar.c_turn(turn)))
    if engine.top == 1 and economical and not calendar.c_turn(turn):  # 5.25
        return 0
    single = economical or engine.two == turn - 1 or engine.launched  # 5.22, 5.26, 5.29
    return min(limit, 1) if single and engine.fuel is not None else limit  # 5.12, 5.21


def _bonus_zones(engine: Engine, economical: bool, bonus: Breakout) -> int:
    if engine.fuel is None:  # 5.28, ruling 21
        return bonus.free + len(bonus.cost)
    fuel = 0 if economical else engine.fuel
    return bonus.free + sum(1 for factors in bonus.cost if factors <= fuel)


def cost(engine: Engine, zones: int, turn: int, bonus: Breakout | None = None) -> int:
    """5.21-5.28 Fuel factors that moving `zones` takes."""
    if not engine.fuel:
        return 0
    if bonus:
        return bonus.cost[zones - bonus.free - 1] if zones > bonus.free else 0
    if engine.top == 1:  # 5.25
        return 0 if calendar.c_turn(turn) else zones
    return 1 if zones >= 2 else 0  # 5.21, 5.27: by the printed speed


def after(engine: Engine, zones: int, turn: int, bonus: Breakout | None = None) -> Engine:
    """5.26 The ship after such a move: fuel spent, a two-zone turn remembered (5.26, ruling 22)."""
    spent = cost(engine, zones, turn, bonus)
    double = spent > 0 if bonus else zones >= 2
    fuel = None if engine.fuel is None else engine.fuel - spent
    return replace(engine, fuel=fuel, two=turn if double else engine.two, launched=False)


def refuse_crippled(engines: Iterable[Engine]) -> None:
    """9.729 Raises Refused for a ship that cannot move, by itself or in tow."""
    for ship in engines:
        if ship.evasion < taskforce.TOWED:
            least = taskforce.TOWED
            text = f"{ship.name} cannot move at evasion {ship.evasion}, {least} is the least"
            hint = "form a task force with a battleship, a ship of her type or any two to tow her"
            raise Refused("cannot-move", "9.729", text, hint)


def allowance(
    engines: Iterable[Engine], turn: int, economical: bool = False, bonus: Breakout | None = None
) -> int:
    """5.44 Zones that ships may move together: those of the slowest."""
    return min(most(engine, turn, economical, bonus) for engine in engines)


def bonus_of(side: str, turn: int, house: Mapping[str, str]) -> Breakout | None:
    """5.28 The breakout bonus: German ships, in the first turn."""
    return tables.breakout(house) if side == GERMAN and calendar.first(turn) else None


def march(
    engines: Sequence[Engine],
    way: Sequence[Zone],
    turn: int,
    economical: bool = False,
    bonus: Breakout | None = None,
) -> Iterator[tuple[int, tuple[Zone, ...]]]:
    """The turns that a way takes, each with the zones entered in it, while the game lasts."""
    rest, ships = tuple(way), list(engines)
    while rest and turn <= calendar.LAST:
        zones = min(allowance(ships, turn, economical, bonus), len(rest))
        yield turn, rest[:zones]
        rest = rest[zones:]
        ships = [replace(after(e, zones, turn, bonus), tied="") for e in ships]
        turn, bonus = turn + 1, None


# 5.17-5.19 Routes


def route(side: str, start: Zone, path: Sequence[Zone]) -> tuple[Zone, ...]:
    """5.17, 5.18 Every zone entered on the way through `path`, gaps filled by the shortest way.

    Raises Refused.
    """
    way: list[Zone] = []
    at = start
    for item, zone in enumerate(path):
        if zone == at:
            continue
        refuse_closed(side, zone, item)
        leg = board.sail(side, at, zone)
        if leg is None:
            text = f"there is no way by sea from {at} to {zone}"
            raise Refused("no-route", "5.17", text, _near(side, zone), item=item)
        way += leg
        at = zone
    return tuple(way)


def refuse_closed(side: str, zone: Zone, item: int = 0) -> None:
    """5.17, 5.18, 12.6 Raises Refused where ships of `side` may never be."""
    if zone not in board.SEA:
        code = "land-zone" if zone in board.LAND else "not-on-map"
        text = f"{zone} is {'land' if zone in board.LAND else 'not a zone of the board'}"
        raise Refused(code, "5.17", f"{text}: ships stay at sea", _near(side, zone), item=item)
    if not board.closed(zone, side):
        return
    port = board.port_at(zone)
    if port:
        code = "neutral-port" if board.PORTS[port].side == "neutral" else "enemy-port"
        kind = "a neutral port" if code == "neutral-port" else "an enemy port"
        text = f"{zone} is {port}, {kind}"
        raise Refused(code, "12.6", text, _near(side, zone), item=item)
    text = f"{zone} lies in the Irish Sea, which is closed to German ships"
    raise Refused("irish-sea", "5.18", text, _near(side, zone), item=item)


def _near(side: str, zone: Zone) -> str:
    around = [z for z in board.around(zone) if z in board.SEA and not board.closed(z, side)]
    return f"sea zones beside it: {' '.join(around)}" if around else ""


# 4.5 The ship movement phase


def ship_phase(table: TableLike, war: War, books: Mapping[Side, Book]) -> None:
    """4.5 Every ship and task force that has not moved yet moves, patrols or stays."""
    for side in SIDES:
        facts = knows(war, side)
        for counter in taskforce.counters(war, side):
            if counter.lead.path or counter.lead.id in war.moved:  # 8.11 moved while shadowed
                continue
            if counter.lead.hold == "escort":
                follow_convoy(table, war, counter.lead)
            else:
                obey(table, war, counter, books[side].commands(counter.id, ORDERS, facts))


def obey(table: TableLike, war: War, counter: Counter, given: Iterable[Command[Order]]) -> None:
    """5.1, 5.3 The strongest order that can be carried out; else the counter finishes its path, or
    stays."""
    for command in given:
        try:
            _take(table, war, counter, command)
        except Refused as no:
            if no.code == naming.NO_CONTACT:  # an order to intercept waits for its contact
                continue
            failed = OrderFailed(
                rule=no.rule, why=no.text, who=counter.name, verb=_verb(command.order)
            )
            table.tell([counter.side], failed)
        else:
            break
    _go_on(table, war, counter)


def _verb(order: Order) -> str:
    return type(order).__name__.lower()


def _take(table: TableLike, war: War, counter: Counter, command: Command[Order]) -> None:
    """Make the counter's plan and mode those of an order. Raises Refused, changing nothing."""
    order = command.order
    if isinstance(order, Hold):
        _free_to(counter, war, "hold")
        counter.plan = None
        set_mode(table, counter, "move")
    elif isinstance(order, Patrol) and not order.path:
        _free_to(counter, war, "patrol")
        _can_patrol(counter)
        counter.plan = None
        set_mode(table, counter, "patrol")
    elif isinstance(order, Intercept):
        _free_to(counter, war, "move")
        refuse_crippled(taskforce.engine(war, ship) for ship in counter.ships)
        counter.plan = _chase(war, counter, order)
    elif isinstance(order, Move | Patrol):
        _free_to(counter, war, "move")
        refuse_crippled(taskforce.engine(war, ship) for ship in counter.ships)
        counter.plan = _plan(counter, order, command.fresh)


def _plan(counter: Counter, order: Move | Patrol, fresh: bool) -> Plan:
    old, patrol = counter.plan, isinstance(order, Patrol)
    if old and not fresh and (old.order, old.patrol) == (order.path, patrol):
        return old
    if patrol:
        _can_patrol(counter)
    way = route(counter.side, counter.zone, order.path)
    slow = isinstance(order, Move) and order.speed == "economical"
    return Plan(order.path, way, slow, patrol)


def _chase(war: War, counter: Counter, order: Intercept) -> Plan:
    """8.11 The way to where the side knows the contact to be this turn. Raises Refused."""
    zones = naming.found_now(war, counter.side, order.contact)
    ways = [route(counter.side, counter.zone, (zone,)) for zone in zones]
    near = [way for way in ways if len(way) <= order.within]
    if not near:
        name = order.contact or "a contact"
        text = f"{name} was not found this turn within reach of the order"
        raise Refused(naming.NO_CONTACT, "8.11", text)
    way = min(near, key=lambda w: (len(w), w))
    return Plan(way[-1:], way)


def _free_to(counter: Counter, war: War, verb: str) -> None:
    """Notes 7-12, 10.25 Raises Refused when a ship may not do that now."""
    for ship in counter.ships:
        why = taskforce.tied(war, ship)
        if why and not groups.may(verb, ship.hold, why):
            raise Refused("tied", "4.1" if ship.hold else "10.25", why)


def _can_patrol(counter: Counter) -> None:
    if all(ship.patrol is None for ship in counter.ships):
        raise Refused("patrol-carrier", "5.31", "aircraft carriers cannot patrol")


def set_mode(table: TableLike, counter: Counter, mode: str) -> None:
    """5.32 Turn the counter over, before it moves."""
    if counter.mode == mode:
        return
    counter.mode = "patrol" if mode == "patrol" else "move"
    event = PatrolBegun if mode == "patrol" else PatrolEnded
    table.tell([counter.side], event(rule="5.32", who=counter.name, zone=counter.zone))


def _go_on(table: TableLike, war: War, counter: Counter) -> None:
    """Do this turn's part of the plan."""
    plan = counter.plan
    if plan is None:
        return
    if not plan.rest:
        if plan.patrol:
            set_mode(table, counter, "patrol")
        return
    bonus = bonus_of(counter.side, war.turn, war.house)
    engines = [taskforce.engine(war, ship) for ship in counter.ships]
    zones = allowance(engines, war.turn, plan.economical, bonus)
    if zones:
        idle = [replace(e, launched=False) for e in engines]
        could = min(allowance(idle, war.turn, plan.economical, bonus), len(plan.rest))
        set_mode(table, counter, "move")  # 5.33
        step, plan.rest = plan.rest[:zones], plan.rest[zones:]
        advance(table, war, counter, step, bonus, "5.29" if could > len(step) else "5.1")


def advance(
    table: TableLike,
    war: War,
    counter: Counter,
    step: tuple[Zone, ...],
    bonus: Breakout | None = None,
    rule: str = "5.1",
) -> None:
    """5.44 Enter these zones; every ship pays its own fuel. rule: 5.29 where she would have sailed
    further, had she launched nothing."""
    origin = counter.zone
    fuel: dict[str, int] = {}
    for ship in counter.ships:
        spent = _sail(war, ship, step, bonus)
        if spent:
            fuel[ship.name] = spent
    why = "one zone, as aircraft took off" if rule == "5.29" else ""
    moved = ShipMoved(rule=rule, why=why, who=counter.name, origin=origin, path=step, fuel=fuel)
    table.tell([counter.side], moved)


def _sail(war: War, ship: Ship, step: tuple[Zone, ...], bonus: Breakout | None) -> int:
    engine = taskforce.engine(war, ship)
    zones = len(ship.path) + len(step)
    spent = cost(engine, zones, war.turn, bonus) - ship.spent
    ship.two = after(engine, zones, war.turn, bonus).two
    ship.path, ship.zone, ship.raided = ship.path + step, step[-1], False  # 12.7
    ship.fuel = None if ship.fuel is None else ship.fuel - spent
    ship.spent += spent
    return spent


def follow_convoy(table: TableLike, war: War, ship: Ship) -> None:
    """2.51, notes 9, 12 An escort sails one zone along its route in every C turn, if it can."""
    way = tables.release(war.house).escort.get(ship.id, ())
    at = way.index(ship.zone) + 1 if ship.zone in way else 0
    able = ship.evasion_now >= taskforce.TOWED  # 9.729
    if able and calendar.c_turn(war.turn) and at < len(way):
        counter = Counter(ship.id, ship.name, ship.side, [ship], None)
        advance(table, war, counter, way[at : at + 1], rule="2.51")
