"""20, 6.5 Logistics (an option): fuel and ammunition in boxes, in port, and at sea."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

from msgspec import Struct

from games.second_fleet import advanced_events as ev
from games.second_fleet import advanced_verbs as av
from games.second_fleet import ice, orders_of, storms, strengths, weather
from games.second_fleet import verbs as v
from games.second_fleet.advanced_state import Stores
from games.second_fleet.board import BASES, PACKAGE, zone_within
from games.second_fleet.orders_of import Books
from games.second_fleet.state import Vessel, War, enemy
from games.second_fleet.tables import finding, ships
from pbem.kit.checks import Refused
from pbem.kit.tables import Sheet
from pbem.model import Side, TableLike

LOGISTICS = Sheet(PACKAGE, "logistics.toml")
UNLIMITED = -1
SURFACE = ("fuel", "ssm", "asw", "aaa", "bomb")
SUBMARINE = ("ssm", "torpedo")
AMMUNITION = ("ssm", "asw", "aaa", "torpedo", "bomb")
TICKED: Mapping[str, str] = {"ssm": "ssm", "asw": "asw", "torpedo": "torpedo", "bomb": "bomb"}
"""6.5/2 The row that a kind of attack ticks."""
KINDS: Mapping[str, type[Struct]] = {"replenish": av.Replenish}


class Row(Struct, frozen=True):
    """Boxes of one row. sealed: it cannot be refilled at sea."""

    boxes: int
    nuclear: int
    sealed: bool


class _Line(Struct, frozen=True):
    id: str
    rows: tuple[Row, ...]


def row(text: str) -> Row:
    """`6n*`: six boxes, one of them nuclear, not to be refilled at sea; `u`: without limit."""
    digits = text.rstrip("n*")
    boxes = UNLIMITED if digits == "u" else int(digits)
    return Row(boxes, text.count("n"), text.endswith("*"))


def _rows(text: str) -> tuple[Row, ...]:
    return tuple(map(row, text.split()))


@cache
def rosters() -> Mapping[str, tuple[Row, ...]]:
    """5.7 The rows of every ship that is listed."""
    read = {"rows": _rows}
    return {
        line.id: line.rows
        for key in ("surface", "submarines")
        for line in LOGISTICS.rows(key, _Line, "id | rows | source", read)
    }


@cache
def roster(name: str) -> Mapping[str, Row]:
    """6.5/1 The rows of a ship, listed or by her kind."""
    sheet = ships()[name]
    found = rosters().get(name)
    if not found:
        others = LOGISTICS.value("others")
        found = _rows(others["submarines"][sheet.type] if sheet.sub else others["surface"])
    return dict(zip(SUBMARINE if sheet.sub else SURFACE, found, strict=True))


def full(name: str) -> Stores:
    """6.5/1 All boxes of a ship."""
    rows = roster(name)
    sheet = ships()[name]
    supplies = LOGISTICS.value("suppliers")
    given = supplies.get(name, supplies.get(sheet.type, [0, 0]))
    return Stores(
        rows={key: one.boxes for key, one in rows.items()},
        nuclear={key: one.nuclear for key, one in rows.items() if one.nuclear},
        ammunition=given[0],
        oil=given[1],
    )


def most() -> int:
    """6.5/6 Boxes that a ship may be given in a turn."""
    count: int = LOGISTICS.value("rules.most")
    return count


def tick(ship: Vessel, key: str, count: int = 1) -> None:
    """6.5/2 Boxes of a row are used; nuclear ones last."""
    stores = ship.stores
    if stores is None or stores.rows.get(key, 0) <= 0:
        return
    stores.rows[key] = max(0, stores.rows[key] - count)
    if key in stores.nuclear:
        stores.nuclear[key] = min(stores.nuclear[key], stores.rows[key])


def fired(war: War, names: Iterable[str], weapon: str) -> None:
    """6.5/2 A box for each unit that added points; a carrier's aircraft tick hers."""
    for name in names:
        if name in war.vessels:
            ship = war.vessels[name]
            tick(ship, "torpedo" if ship.sub and weapon == "asw" else TICKED[weapon])
        elif weapon == "bomb" and war.squadrons[name].embarked:
            tick(war.vessels[war.squadrons[name].base], "bomb")


def close_aa(ship: Vessel) -> int:
    """6.5/3 Close AA: none of a ship that has used up her boxes; many a ship has no row for it."""
    spent = not strengths.guns(ship) and rowed(ship)
    return 0 if spent else ship.now.close_aa


def rowed(ship: Vessel) -> bool:
    """6.5/1 Is there a row of AAA boxes for her guns?"""
    armed = ship.sheet.front.area_aa or ship.sheet.front.close_aa
    return not ship.sub and not ship.decoy and armed > 0 and roster(ship.id)["aaa"].boxes > 0


def defended(ships_: Iterable[Vessel]) -> None:
    """6.5/2 AAA: a box for each ship whose AA counted, once a segment."""
    for ship in ships_:
        if ship.stores and strengths.stocked(ship, "aaa") and not ship.stores.defended:
            tick(ship, "aaa")
            ship.stores.defended = True


def new_segment(war: War) -> None:
    """AAA may be ticked again."""
    for ship in war.vessels.values():
        if ship.stores:
            ship.stores.defended = False


def empty(ship: Vessel) -> bool:
    """6.5/3 Is all ammunition gone?"""
    if ship.stores is None:
        return False
    rows = [key for key, one in roster(ship.id).items() if key in AMMUNITION and one.boxes]
    return bool(rows) and all(ship.stores.rows[key] == 0 for key in rows)


# The phases


def replenish(table: TableLike, war: War, books: Books) -> None:
    """6.5/5-6 In port, then at sea by order."""
    if not war.on("logistics"):
        return
    for side in table.sides:
        for ship in war.afloat(side):
            ship.slowed = False
            if ship.stores and moored(war, ship):
                _fill(table, ship)
    for side in table.sides:
        given: dict[str, int] = {}
        for command in books[side].script(KINDS, v.GRAMMAR.knows(war, side)):
            assert isinstance(command.order, av.Replenish)
            try:
                _at_sea(table, war, side, command.actor, command.order, given)
            except Refused as no:
                table.tell([side], orders_of.unlanded(command.actor, no, command.order))


def moored(war: War, ship: Vessel) -> bool:
    """6.5/5, 177, 268 Has she lain in an undamaged own port since the last turn began, unharmed;
    and is there no storm (6.2/5)?"""
    if ship.hex not in BASES or not BASES[ship.hex].port or not ship.rested or ship.sailed:
        return False
    field = war.fields[ship.hex]
    return field.side == ship.side and field.port == 0 and not weather.storm(war, ship.hex)


def _fill(table: TableLike, ship: Vessel) -> None:
    new = full(ship.id)
    if ship.stores and (ship.stores.rows, ship.stores.nuclear) != (new.rows, new.nuclear):
        table.tell([ship.side], ev.Refilled(rule="6.5", ship=ship.id, at=BASES[ship.hex].name))
    if ship.stores:
        new.ammunition, new.oil = ship.stores.ammunition, ship.stores.oil
    ship.stores = new


def _at_sea(
    table: TableLike, war: War, side: Side, actor: str, order: av.Replenish, given: dict[str, int]
) -> None:
    """6.5/6 Raises Refused."""
    supplier, receiver = war.vessels.get(actor), war.vessels.get(order.unit)
    if not supplier or supplier.side != side or supplier.sunk or supplier.stores is None:
        raise Refused("no-supplier", "6.5/6", f"{actor} is no ship with stores")
    if not receiver or receiver.side != side or receiver.sunk or receiver.stores is None:
        raise Refused("no-ship", "6.5/6", f"{order.unit} is no ship of ours")
    if receiver.hex != supplier.hex:
        raise Refused("not-here", "6.5/6", f"{order.unit} is not in {supplier.hex}")
    _calm(war, supplier)
    moved: list[str] = []
    for boxes in order.boxes:
        try:
            count = _pump(war, supplier, receiver, boxes, given)
        except Refused as no:
            table.tell([side], orders_of.unlanded(actor, no, order))
        else:
            moved.append(f"{boxes.what} {count}")
    if moved:
        supplier.slowed = receiver.slowed = True
        told = ev.Replenished(rule="6.5", by=supplier.id, ship=receiver.id, boxes=tuple(moved))
        table.tell([side], told)


def _calm(war: War, ship: Vessel) -> None:
    """6.5/6, 6.2/5 No ice, no storm, no enemy ship near that is known. Raises Refused."""
    if ice.packed(war, ship.hex) or weather.storm(war, ship.hex):
        raise storms.supply(ship.hex)
    near = zone_within(ship.hex, finding().limited)
    if any(s.level and not s.sub and s.hex in near for s in war.afloat(enemy(ship.side))):
        raise Refused("enemy-near", "6.5/6", "an enemy ship is too near to replenish")


def _pump(
    war: War, supplier: Vessel, receiver: Vessel, boxes: av.Boxes, given: dict[str, int]
) -> int:
    """How many boxes of one row are given. Raises Refused."""
    one = roster(receiver.id).get(boxes.what)
    stores, source = receiver.stores, supplier.stores
    assert stores is not None and source is not None
    if one is None or (one.sealed and boxes.what != "fuel"):
        raise Refused("sealed-row", "6.5/1", f"{receiver.id} cannot take {boxes.what} at sea")
    if boxes.what != "fuel" and weather.bad(war, supplier.hex):
        raise Refused("squall", "6.2/4", "no ammunition is passed in a squall")
    have = source.oil if boxes.what == "fuel" else source.ammunition
    room = one.boxes - stores.rows[boxes.what] if one.boxes >= 0 else 0
    left = most() - given.get(receiver.id, 0)
    if min(have, room, left) <= 0:
        raise Refused("nothing-given", "6.5/6", _needless(supplier, receiver, boxes, have, left))
    count = min(boxes.count, have, room, left)
    stores.rows[boxes.what] += count
    given[receiver.id] = given.get(receiver.id, 0) + count
    if boxes.what == "fuel":
        source.oil -= count
    else:
        source.ammunition -= count
    return count


def _needless(supplier: Vessel, receiver: Vessel, boxes: av.Boxes, have: int, left: int) -> str:
    """6.5/6 Why no box is given. have: what the supplier has; left: what the receiver may take."""
    if left <= 0:
        return f"{receiver.id} has been given {most()} boxes in this turn, and takes no more"
    if have <= 0:
        what = "fuel" if boxes.what == "fuel" else "ammunition"
        return f"{supplier.id} has no {what} left to give"
    return sated(receiver.id, boxes.what)


def sated(ship: str, what: str) -> str:
    """6.5/6 Why a ship with all her boxes of a row is given none; for checks of orders too."""
    return f"{ship} has all the {what} that she holds"


def fuel(table: TableLike, war: War) -> None:
    """6.5/4 At Night: a box for a day at sea, one more for a day at full speed."""
    for ship in war.vessels.values():
        if ship.stores and not ship.sub and not ship.sunk and ship.used:
            before = ship.stores.rows["fuel"]
            tick(ship, "fuel", 1 + (ship.strained >= 3) + ship.burnt)
            if before and ship.stores.rows["fuel"] == 0:
                table.tell([ship.side], ev.OutOfFuel(rule="6.5", ship=ship.id))
        ship.used = ship.strained = ship.burnt = 0
