"""11-15, 83-95 Segments: the type that a side activates, and its programme in written order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from games.second_fleet import advanced_verbs as av
from games.second_fleet import (
    close_combat,
    combat,
    cruise,
    decoys,
    flights,
    ice,
    logistics,
    mines,
    movement,
    orders_of,
    strengths,
    targets,
)
from games.second_fleet import events as ev
from games.second_fleet import verbs as v
from games.second_fleet.board import BASES, FJORD, HEXES, distance, line_between, over_water
from games.second_fleet.board import steps as near
from games.second_fleet.goals import aim
from games.second_fleet.knowledge import companies, refresh, regrouped
from games.second_fleet.orders_of import Books
from games.second_fleet.state import LAYERS, Layer, Vessel, War, enemy
from games.second_fleet.tables import aircraft, counters, limits
from games.second_fleet.targets import Assault
from orders.book import Book, Facts
from pbem.kit.checks import Refused
from pbem.model import Side, TableLike

Kinds = Mapping[str, type[Struct]]
SHIP: Kinds = {
    "move": v.Move,
    "go": v.Go,
    "attack": v.Attack,
    "cruise": av.Cruise,
    "mine": av.Mine,
}
FLY: Kinds = {"strike": v.Strike, "transfer": v.Transfer}
REORGANISE: Kinds = {"form": v.Form, "join": v.Join, "leave": v.Leave, "decoy": av.Decoy}
SEGMENT: Kinds = {"segment": v.Segment}


def half(table: TableLike, war: War, books: Books, side: Side) -> None:
    """12, 13, 222 A side's half of a segment: its type, and what it has ordered for it."""
    idle = war.segment == 1 and war.politics.idle == side  # 6.9/2
    layer = "pass" if idle else choose(table, war, books[side], side)
    logistics.new_segment(war)
    war.used[side] = [*war.used[side], layer]
    told = ev.SegmentPlayed(rule="222", side=side, segment=war.segment, layer=layer)
    table.tell(table.sides, told)
    war.flown = {}
    for vessel in war.vessels.values():
        vessel.hunted = False
    gone = reorganise(table, war, books[side], side) if layer == "surf" else {}
    if layer == "air":
        _air(table, war, books[side], side)
    elif layer != "pass":
        _ships(table, war, books[side], side, layer, gone)
    if war.segment == len(LAYERS):
        _left_over(table, war, books[side], side)


def choose(table: TableLike, war: War, book: Book, side: Side) -> Layer | str:
    """12, 13 The type that was ordered for this segment; without an order, that of the first unit
    with something to do; at last ships, if groups are to change."""
    facts, left = v.GRAMMAR.knows(war, side), [x for x in LAYERS if x not in war.used[side]]
    for command in book.script(SEGMENT, facts):
        order = command.order
        assert isinstance(order, v.Segment)
        wish = [w for w in (order.first, order.second, order.third) if w]
        at = war.segment - max(1, war.asked.get(str(command.window), 1))
        if command.conditional:  # its last word is for every segment in which the condition holds
            at = min(at, len(wish) - 1)
        if at < len(wish) and (wish[at] in left or wish[at] == "pass"):
            return wish[at]
    forms = [c.order.name for c in book.script({"form": v.Form}, facts)]
    for actor in orders_of.programme(book, {**SHIP, **FLY}, facts):
        layer = "surf" if actor in forms else layer_of(war, side, actor)
        if layer in left and not _acted(war, side, actor) and _works(book, actor, facts):
            return layer
    last = war.segment == len(LAYERS)  # 83 until then ships may be ordered to sail as well
    return "surf" if last and "surf" in left and any(book.script(REORGANISE, facts)) else "pass"


def _works(book: Book, actor: str, facts: Facts) -> bool:
    """12, 208 Has it something to do in a segment? Aircraft lay mines in the morning."""
    return any(orders_of.one_by_one(book, actor, FLY if actor in aircraft() else SHIP, facts))


def layer_of(war: War, side: Side, actor: str) -> str:
    """219 What kind of unit an actor is; empty for none, and for what is lost."""
    if actor in war.squadrons:
        return "" if war.squadrons[actor].lost else "air"
    members = orders_of.ships_of(war, side, actor)
    if not members:
        return ""
    return "sub" if members[0].sub else "surf"


def kind_of(actor: str) -> Layer:
    """219 The same by its name alone, of what is lost too; groups and sides order ships."""
    if actor in aircraft():
        return "air"
    return "sub" if actor in counters() and counters()[actor].sub else "surf"


def _left_over(table: TableLike, war: War, book: Book, side: Side) -> None:
    """222 After its last half a side is told which orders of this turn no segment has reached.
    Standing orders wait for the next turn."""
    facts, given = v.GRAMMAR.knows(war, side), dict[str, list[Struct]]()
    for kinds in (REORGANISE, SHIP, FLY):
        for command in book.script(kinds, facts):
            flies = command.actor in aircraft()
            if not command.standing and (kinds is FLY) == flies:
                given.setdefault(command.actor, []).append(command.order)
    for actor, orders in given.items():
        layer = kind_of(actor)
        if layer in war.used[side] or actor in war.mourned:
            continue
        no = Refused("no-segment", "222", f"your {LAYERS[layer]} had no segment in this turn")
        if actor in {**counters(), **aircraft()} and not layer_of(war, side, actor):
            no = orders_of.missing(war, side, actor)
        table.tell([side], orders_of.unable(actor, no, *orders))


def nameless(war: War, side: Side, actor: str) -> bool:
    """83 Is it the name of a group that has been dissolved, or has not been made?"""
    if actor in counters() or actor in aircraft() or actor == side.upper():
        return False
    return not orders_of.ships_of(war, side, actor)


def _acted(war: War, side: Side, actor: str) -> bool:
    if actor in war.squadrons:
        return war.squadrons[actor].acted
    return any(ship.acted for ship in orders_of.ships_of(war, side, actor))


# Reorganisation


def reorganise(table: TableLike, war: War, book: Book, side: Side) -> Mapping[str, Sequence[str]]:
    """83, 84, 6.13/6 Groups are made, joined and left as the surface segment begins. Groups that
    are dissolved, with those who were left in them."""
    facts = v.GRAMMAR.knows(war, side)
    changed, before = False, companies(war, side)
    for command in book.script(REORGANISE, facts):
        try:
            changed = _regroup(table, war, side, command.actor, command.order) or changed
        except Refused as no:
            table.tell([side], orders_of.unable(command.actor, no, command.order))
    gone = disband(table, war, side)
    if changed or gone:
        regrouped(table, war, enemy(side), before)
    refresh(table, war, enemy(side), "regrouped")
    return gone


def disband(table: TableLike, war: War, side: Side) -> Mapping[str, Sequence[str]]:
    """84 Groups that are too small to be one are dissolved, and the markers of the others laid
    anew. The groups, with those who were left in them."""
    gone: dict[str, Sequence[str]] = {}
    for name in [n for n, owner in war.groups.items() if owner == side]:
        members = war.members(name)
        if sum(s.sheet.combat for s in members) < 2 or len(members) < 2:
            for ship in members:
                ship.group = ""
            del war.groups[name]
            gone[name.upper()] = [ship.id for ship in members]
            if members:
                ships = tuple(ship.id for ship in members)
                table.tell([side], ev.Disbanded(rule="84", group=name.upper(), ships=ships))
    war.remark(side)
    return gone


def _regroup(table: TableLike, war: War, side: Side, actor: str, order: Struct) -> bool:
    """Raises Refused."""
    if isinstance(order, av.Decoy):
        decoys.make(table, war, side, order.group)
        return True
    if isinstance(order, v.Form):
        ships = [s for name in order.ships for s in orders_of.ships_of(war, side, name)]
        name = war.own_key(side, order.name)
        if war.members(name) or name in counters() or name in aircraft():
            if all(s.group == name for s in ships) and ships:
                return False
            raise Refused("name-taken", "83", f"there is a {order.name} already")
        _together(ships, ships)
        name = name or order.name.lower()
        war.groups[name] = side
        joined = ships
    else:
        joined = orders_of.ships_of(war, side, actor)
        if not joined:
            return False
        name = war.own_key(side, order.group) if isinstance(order, v.Join) else ""
        if name and war.groups.get(name) != side:
            raise Refused("no-group", "83", f"there is no group {name.upper()}")
        _together(joined, [*joined, *war.members(name)] if name else joined)
    for ship in joined:
        ship.group = name
    if name:
        names = tuple(s.id for s in war.members(name))
        table.tell([side], ev.Formed(rule="83", group=name.upper(), ships=names))
    return True


def _together(ships: Sequence[Vessel], all_: Sequence[Vessel]) -> None:
    """Raises Refused unless all are ships of one hex."""
    if not ships or any(s.sub or s.decoy for s in ships):
        raise Refused("no-ships", "36", "a group is made of surface ships")
    for ship in all_:
        if ship.hex != ships[0].hex:
            text = f"{ship.key.upper()} is in {ship.hex}, {ships[0].id} in {ships[0].hex}"
            raise Refused("not-here", "83", text)


# Ships and submarines


def _ships(
    table: TableLike,
    war: War,
    book: Book,
    side: Side,
    layer: str,
    gone: Mapping[str, Sequence[str]],
) -> None:
    """85, 90 Every unit with orders, in the order in which they are first named. gone: groups that
    have been dissolved, whose orders those follow who were left in them and have none of their
    own."""
    facts = v.GRAMMAR.knows(war, side)
    named = orders_of.programme(book, SHIP, facts) if gone else []
    for actor in orders_of.in_turn(book, SHIP, facts):
        left = [name for name in gone.get(actor, ()) if name not in named]
        who, mates = (left[0], tuple(left[1:])) if left else (actor, ())
        given = orders_of.orders(book, actor, SHIP, facts)
        if layer == "surf" and not left and nameless(war, side, actor):
            no = Refused("no-group", "83", f"there is no group {actor}")
            table.tell([side], orders_of.unable(actor, no, *given))
        if who in counters() and kind_of(who) == layer and not layer_of(war, side, who):
            _missing(table, war, book, side, who)
        if layer_of(war, side, who) != layer:
            continue
        try:
            along = (m for order in given for m in getattr(order, "mates", ()))
            each = orders_of.one_by_one(book, actor, SHIP, facts)
            activate(table, war, side, who, each, tuple(dict.fromkeys((*mates, *along))))
        except Refused as no:
            table.tell([side], orders_of.unable(actor, no, *given))


def _missing(table: TableLike, war: War, book: Book, side: Side, actor: str) -> None:
    """162, 6.4/4 A ship that is not there, and has orders for this turn: sunk before it was her
    turn, or still waiting for a place. That standing orders are void the next turn tells."""
    facts = v.GRAMMAR.knows(war, side)
    lost = [c.order for c in book.script(SHIP, facts) if c.actor == actor and not c.standing]
    if lost and actor not in war.mourned:
        table.tell([side], orders_of.unable(actor, orders_of.missing(war, side, actor), *lost))


def activate(
    table: TableLike,
    war: War,
    side: Side,
    actor: str,
    given: Iterable[Struct],
    mates: Sequence[str] = (),
) -> None:
    """86-91 One stack or submarine, by one of the five patterns. given: its orders, each judged as
    it is reached; mates: who goes along. Raises Refused before it acts."""
    ships = orders_of.stack(war, side, actor, mates)
    if not ships:
        return
    for ship in ships:
        ship.acted = True
    moved = False
    attacks: list[str] = []
    for order in given:
        left = [s for s in ships if not s.sunk]
        if not left:
            return
        try:
            if isinstance(order, v.Attack | av.Cruise | av.Mine):
                weapon = _weapon(order)
                _pattern(left, attacks, weapon)
                _use(table, war, actor, left, order)
                attacks.append(weapon)  # 263 one that could not be made is none
            elif isinstance(order, v.Move | v.Go):
                if moved or (left[0].sub and attacks):
                    raise Refused("moved", "249", "a stack moves once, a submarine before it fires")
                if order.speed == "high" and "asw" in attacks:
                    text = "who has hunted a submarine does not go at high speed afterwards"
                    raise Refused("no-high-speed", "6.7/6", text)
                moved = True
                movement.sail(table, war, actor, left, order)
        except Refused as no:
            table.tell([side], orders_of.unable(actor, no, order))


def _weapon(order: v.Attack | av.Cruise | av.Mine) -> str:
    """6.7/1, 280 Cruise missiles replace missiles, mines an attack."""
    if isinstance(order, v.Attack):
        return order.weapon
    return "ssm" if isinstance(order, av.Cruise) else "mine"


def _use(
    table: TableLike,
    war: War,
    actor: str,
    ships: Sequence[Vessel],
    order: v.Attack | av.Cruise | av.Mine,
) -> None:
    """An attack of whatever kind. Raises Refused."""
    if isinstance(order, av.Mine):
        mines.by_submarine(table, war, ships[0], order.hex)
    elif isinstance(order, av.Cruise):
        cruise.fire(table, war, ships, order)
    elif order.weapon == "close":
        close_combat.fight(table, war, ships, aim(war, ships[0].side, order.contact, order.hex))
    else:
        attack(table, war, actor, ships, order)


def _pattern(ships: Sequence[Vessel], attacks: Sequence[str], weapon: str) -> None:
    """86-91, 250, 6.8/1 May this attack be made now? Raises Refused."""
    most = 1 if ships[0].sub else 2
    if len(attacks) >= most:
        text = "a submarine makes one attack" if most == 1 else "a stack makes two attacks"
        raise Refused("too-many", "87", text)
    if weapon in attacks:
        raise Refused("same-attack", "88", "the second attack is of another kind than the first")
    if weapon == "close" and not attacks:
        raise Refused("second-attack", "6.8/1", "close combat is the second attack of a stack")
    if weapon == "torpedo" and not ships[0].sub:
        raise Refused("no-torpedo", "89", "torpedoes are for submarines")


def attack(
    table: TableLike, war: War, actor: str, ships: Sequence[Vessel], order: v.Attack
) -> None:
    """6.14/1-2 An attack of ships or a submarine on a hex. Raises Refused."""
    side, weapon = ships[0].side, order.weapon
    assert weapon != "close"
    aimed = aim(war, side, order.contact, order.hex)
    goal = aimed.hex
    if HEXES[ships[0].hex] == FJORD:
        raise Refused("in-a-fjord", "262", "no such attack is made from a fjord")
    values = {s.id: _points(war, s, order.weapon, goal) for s in ships}
    adding = [name for name, value in values.items() if value]
    if not adding:
        raise _powerless(war, ships, weapon, goal)
    if order.weapon == "asw":
        most = limits().asw_ships * max(1, targets.hunted(war, side, goal, aimed.units))
        adding = sorted(adding, key=lambda n: (-values[n], n))[:most]
    _in_range([war.vessels[n] for n in adding], order, goal)
    crossed = line_between(ships[0].hex, goal) if order.weapon == "ssm" else ()
    assault = Assault(
        side=side,
        weapon=weapon,
        hex=goal,
        by=adding,
        total=sum(values[name] for name in adding),
        aims=order.aims,
        units=aimed.units,
        parted=aimed.parted,
        tac=order.tac,
        crossed=tuple(h for h in crossed if h != goal),
        origin=ships[0].hex,
        nuclear=order.warhead == "nuclear",
    )
    combat.resolve(table, war, assault)


def _points(war: War, ship: Vessel, kind: str, goal: str) -> int:
    """125, 138 What a ship adds to an attack on a hex."""
    if kind == "torpedo":
        return strengths.torpedo(ship)
    if kind == "asw":
        iced = ice.packed(war, goal)
        return 0 if iced and ship.type not in ("SN", "SB") else strengths.asw(war, ship, goal)
    return strengths.ssm(ship) if distance(ship.hex, goal) <= ship.sheet.range else 0


def _powerless(war: War, ships: Sequence[Vessel], weapon: str, goal: str) -> Refused:
    """Why none of them adds to an attack on a hex."""
    if weapon == "ssm" and any(map(strengths.ssm, ships)):
        return Refused("out-of-range", "138", f"{goal} is out of range")
    if any(ship.deep for ship in ships) and weapon == "ssm":
        return Refused("deep", "205", "no missiles are fired from the deep")
    if weapon == "asw" and all(ship.fast for ship in ships):
        return Refused("high-speed", "6.7/6", "at high speed they find no submarine")
    row = "torpedo" if ships[0].sub and weapon == "asw" else weapon
    if any(_printed(s, weapon) and not strengths.stocked(s, row) for s in ships):
        return Refused("no-boxes", "6.5/3", "they have no boxes left for this attack")
    if weapon == "asw" and ice.packed(war, goal):
        return Refused("pack-ice", "125", "only nuclear submarines attack below pack ice")
    return Refused("no-points", "263", "none of them has points for this attack")


def _printed(ship: Vessel, weapon: str) -> int:
    return {"ssm": ship.now.ssm, "asw": ship.now.asw, "torpedo": ship.now.torpedo}[weapon]


def _in_range(ships: Sequence[Vessel], order: v.Attack, goal: str) -> None:
    """129-132, 158, 261 Range, and what lies between. Raises Refused."""
    here = ships[0].hex
    if order.weapon == "ssm":
        if not over_water(here, goal):
            raise Refused("land-between", "261", f"land lies between {here} and {goal}")
        return
    if goal != here and goal not in near(here):
        rule = "158" if order.weapon == "asw" else "129"
        raise Refused("out-of-range", rule, f"{goal} is not beside {here}")
    if order.weapon == "torpedo" and goal in BASES:
        raise Refused("in-a-base", "130", "ships in a base cannot be torpedoed")


# Aircraft


def _air(table: TableLike, war: War, book: Book, side: Side) -> None:
    """92, 6.12/1 Stacks fly in the order in which they were written."""
    facts = v.GRAMMAR.knows(war, side)
    for actor in orders_of.in_turn(book, FLY, facts):
        if actor not in war.squadrons or war.squadrons[actor].side != side:
            continue
        if actor in war.mourned:
            continue
        for order in orders_of.orders(book, actor, FLY, facts)[:1]:
            try:
                if isinstance(order, v.Strike):
                    flights.strike(table, war, side, actor, order)
                elif isinstance(order, v.Transfer):
                    flights.transfer(table, war, side, actor, order)
            except Refused as no:
                table.tell([side], orders_of.unable(actor, no, order))
