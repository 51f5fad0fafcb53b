"""SoP The whole turn of eight hours, in the order of play."""

from __future__ import annotations

from collections.abc import Sequence

from games.second_fleet import (
    actions,
    campaign,
    decoys,
    deep,
    detection,
    harm,
    invasion,
    knowledge,
    logistics,
    mines,
    nuclear,
    orders_of,
    patrols,
    politics,
    reinforcement,
    strategic,
    victory,
    weather,
)
from games.second_fleet import advanced_verbs as av
from games.second_fleet import events as ev
from games.second_fleet import verbs as v
from games.second_fleet.orders_of import Books
from games.second_fleet.state import NATO, WAKE, War, enemy
from games.second_fleet.tables import D10
from pbem.kit.doctrine import plays_asked
from pbem.model import Over, Side, TableLike


async def turn(table: TableLike, war: War) -> War | Over:
    """2-10 The strategic cycle in the morning, then patrols, detection and three segments."""
    if war.turn == 0:
        war = await campaign.set_up(table, war)
        for side in table.sides if war.open else ():
            knowledge.refresh(table, war, side, "")
        return war
    ports = victory.open_ports(war)
    if war.part == "AM" and (over := await morning(table, war)):
        return over
    books = await cap(table, war)
    mines.sweeping(table, war)
    logistics.replenish(table, war, books)
    detection.local(table, war)
    decoys.seen_through(table, war)
    for number in (1, 2, 3):
        if number > 1:
            war.segment = number
            if table.options.get("initiative") != "phase":
                initiative(table, war)
            if windows(table) == "segments":
                books = await orders(table, war)
        books = await segment(table, war, books)
    detection.remove_local(table, war)
    patrols.land(table, war)
    for ship in war.vessels.values():
        ship.used += ship.sailed > 0
    if war.part == "Night":
        logistics.fuel(table, war)
        harm.repair(table, war)
        strategic.termination(table, war)
        detection.remove_strategic(table, war)
    victory.unload(table, war, ports)
    return victory.ending(table, war) or next_turn(war)


async def morning(table: TableLike, war: War) -> Over | None:
    """3-8 The strategic cycle. Politics, weather and reinforcements are known before its orders."""
    war.stage = "strategic"
    if war.advanced:
        politics.phase(table, war)
        weather.phase(table, war)
        reinforcement.phase(table, war)
    books = await orders(table, war)
    if war.advanced:
        invasion.strategy(table, war, books)
        reinforcement.placement(table, war, books)
    deep.phase(table, war, books)
    strategic.phase(table, war, books)
    await nuclear.release(table, war)
    if war.advanced:
        invasion.phase(table, war, books)
    return victory.armistice(table, war)


async def cap(table: TableLike, war: War) -> Books:
    """64, 243 Patrols, and the first initiative. Where each half has its window the Soviets assign
    in one of their own, and NATO, who was told how many fly, with the first half."""
    war.segment = 1
    first = patrols.ORDER[:1] if windows(table) == "halves" else ()
    if first:
        war.stage = "cap"
        patrols.assign(table, war, await orders(table, war, owed=first), first)
    war.stage = "segment"
    initiative(table, war)
    war.half = war.first if first else ""
    owed = tuple(s for s in table.sides if s in (NATO, war.first)) if first else ()
    books = await orders(table, war, owed)
    patrols.assign(table, war, books, patrols.ORDER[len(first) :])
    return books


async def segment(table: TableLike, war: War, books: Books) -> Books:
    """12-15, 222 The first side's half, then the other's, who has seen it where halves have
    windows."""
    for side in (war.first, enemy(war.first)):
        fresh = war.segment > 1 or side != war.first
        if windows(table) == "halves" and fresh:
            war.half = side
            books = await orders(table, war, owed=(side,))
        actions.half(table, war, books, side)
    return books


def windows(table: TableLike) -> str:
    """9 `turn`, `segments` or `halves`: what has a window. Asked games play by halves."""
    return "halves" if plays_asked(table.options) else table.options.get("windows", "segments")


async def orders(table: TableLike, war: War, owed: Sequence[Side] = ()) -> Books:
    """A window. owed: whom it waits for; by default both."""
    opens = not war.asked
    books = await table.orders(owed=owed)
    if opens:
        orders_of.void(table, war, books)
    for book in books.values():
        war.asked[str(book.window)] = war.segment
    doctrines(war, books)
    return books


def initiative(table: TableLike, war: War) -> None:
    """14, 223 Even NATO, odd the Soviets; known before the orders of the segment are due."""
    (die,) = table.roll(f"ACTION/INITIATIVE/SEGMENT {war.segment}/REFEREE", D10, to=table.sides)
    war.first = table.sides[die % 2]
    told = ev.InitiativeRolled(rule="14", why=f"die {die}", segment=war.segment, first=war.first)
    table.tell(table.sides, told)


def doctrines(war: War, books: Books) -> None:
    """141, 6.3/13, 6.14/13 Standing orders that other chapters look up, as they are in force now:
    one that is cleared, or whose condition does not hold any more, is obeyed no longer."""
    war.losses, war.exits, war.arrays = {}, {}, {}
    for side, book in books.items():
        facts = v.GRAMMAR.knows(war, side)
        if losses := book.find(side.upper(), v.Losses, facts):
            war.losses[side] = losses.what
        for actor in orders_of.programme(book, {"withdraw": av.Withdraw}, facts):
            if exit_ := book.find(actor, av.Withdraw, facts):
                war.exits[war.own_key(side, actor)] = exit_.hex
        for actor in orders_of.programme(book, {"array": v.Array}, facts):
            order = book.find(actor, v.Array, facts)
            if order:
                words = (order.first, order.second, order.third, order.fourth, order.fifth)
                war.arrays[war.own_key(side, actor)] = [w.upper() for w in words if w]


def next_turn(war: War) -> War:
    """The next turn, with all that counts by turns begun anew."""
    war.turn += 1
    war.segment, war.patrols, war.flown = 0, [], {}
    war.half, war.capped, war.asked = "", [], {}
    war.used = {side: [] for side in war.used}
    war.stage = "strategic" if war.part == "AM" else "segment"
    for vessel in war.vessels.values():
        vessel.rested = not vessel.sailed and not vessel.attacked
        vessel.tired, vessel.sailed = vessel.fast, 0
        vessel.acted = vessel.hunted = vessel.attacked = vessel.full = vessel.fast = False
        if not vessel.sunk:
            vessel.wake = [*vessel.wake, vessel.hex][-WAKE:]
    for unit in war.squadrons.values():
        unit.acted = False
    for field in war.fields.values():
        field.hit, field.cut = [], False
        field.commandos = 0
    war.politics.idle = ""
    for troops in war.landings.values():
        troops.dropped = 0
    knowledge.fade(war)
    return war
