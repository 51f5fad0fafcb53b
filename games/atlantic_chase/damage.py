"""R178-R186, R025-R031 Hits, Damage and sinking, on the map and in Battle; whom they strike."""

from __future__ import annotations

from games.atlantic_chase import asks, solitaire, victory
from games.atlantic_chase import events as ev
from games.atlantic_chase.state import Designated, Leader, Ship, War
from games.atlantic_chase.tables import rules
from games.atlantic_chase.trajectories import leave
from pbem.model import TableLike


async def on_map(
    table: TableLike, war: War, deed: Designated, rule: str, most: int | None, whole: bool = False
) -> None:
    """R108, R178-R184 A Hit, or Damage, on a ship of the target that the Active side chooses.

    most: the highest speed of Task Force and ship that it can touch, None for any; whole: Damage.
    """
    force = war.forces[deed.target]
    if most is not None and war.speed(force) > most:
        return
    solitaire.identify(table, war, force, "R214")
    able = [s for s in war.crew(force) if most is None or s.speed <= most]
    able = [s for s in able if not (s.scattered and s.id in deed.struck)]  # R028
    if not able:
        clear(table, war)
        return
    ship = able[0]
    if len(able) > 1:
        question = asks.HitShip(
            about=f"{deed.deed.upper()} {deed.target}",
            rule=rule,
            actors=asks.of(war.forces[deed.force])
            if deed.force in war.forces
            else asks.whole(war.active),
            choices=tuple(s.id for s in able),
            default=max(able, key=worth).id,
            second=bool(deed.struck),
        )
        (said,) = await table.ask(war.active, [question], owed=[war.active])
        ship = war.ships[str(said)]
    deed.struck.append(ship.id)
    if whole:
        damage(table, war, ship, rule)
    else:
        hits(table, war, ship, 1, rule)
    clear(table, war)
    await settle(table, war)


def worth(ship: Ship) -> tuple[int, int, int]:
    """C13 Whom to hit first: most points, then those hit already, then the heaviest guns."""
    return (3 if ship.convoy else 2 if ship.capital else 1), ship.hits, ship.face.close or 0


def hits(table: TableLike, war: War, ship: Ship, count: int, rule: str) -> None:
    """R181, R182, R025-R028, R031 Hits on a ship: so many turn it over, surplus stays on the other
    side, and so many there sink it."""
    scored, count = count, min(count, 1) if ship.scattered else count  # R028
    ship.hits += count
    if ship.convoy or ship.card.type == "DD":
        why = f"dispersed: one of {scored}" if scored > count else ""
        _limited(table, war, ship, count, rule, why)
        return
    if not ship.face.hits:  # R032 a shore battery
        return
    before = state(ship)
    if not ship.damaged and ship.hits >= ship.face.hits:
        ship.hits -= ship.face.hits
        _turn(war, ship)
    _go_down(war, ship)
    now = state(ship)
    said = now if now != before else "afloat"
    table.tell(table.sides, ev.ShipHit(rule=rule, ship=ship.id, hits=count, state=said))
    if now != before:
        _leaders(war, ship)


def damage(table: TableLike, war: War, ship: Ship, rule: str) -> None:
    """R178-R180 Damage turns a ship over, or sinks it; its Hits stay. Convoys and squadrons take
    two Hits."""
    if ship.convoy or ship.card.type == "DD":
        hits(table, war, ship, 2, "R179")
        return
    if ship.damaged:
        _sink(war, ship)
    else:
        _turn(war, ship)
        _go_down(war, ship)
    table.tell(table.sides, ev.ShipDamaged(rule=rule, ship=ship.id, state=state(ship)))
    _leaders(war, ship)


def sink(table: TableLike, war: War, ship: Ship, rule: str) -> None:
    """8.3 A ship is sunk at once."""
    _sink(war, ship)
    table.tell(table.sides, ev.ShipDamaged(rule=rule, ship=ship.id, state=state(ship)))
    _leaders(war, ship)


def _go_down(war: War, ship: Ship) -> None:
    """R181 A damaged ship with the Hits of that side is sunk."""
    back = ship.card.back
    if ship.damaged and back and ship.hits >= back.hits and not ship.gone:
        _sink(war, ship)


def state(ship: Ship) -> str:
    """As events and pages say it."""
    return "sunk" if ship.gone else "damaged" if ship.damaged else "afloat"


def _turn(war: War, ship: Ship) -> None:
    """R178, Q11 The counter is turned; a ship without a damaged side is sunk."""
    if ship.card.back is None:
        _sink(war, ship)
        return
    ship.damaged = True
    victory.damaged(war, ship)


def _sink(war: War, ship: Ship) -> None:
    ship.gone = "sunk"
    victory.sunk(war, ship)


def _limited(table: TableLike, war: War, ship: Ship, count: int, rule: str, why: str) -> None:
    """R025, R031, R186, R220 Convoys and squadrons go only at the operation's limit of Hits. why:
    they take fewer than were scored."""
    points = rules().points
    most = points.convoy_limit if ship.convoy else points.squadron_limit
    victory.hit(war, ship, min(count, most - (ship.hits - count)))
    if ship.hits >= most:
        _sink(war, ship)
    told = ev.ShipHit(rule=rule, why=why, ship=ship.id, hits=count, state=state(ship))
    table.tell(table.sides, told)
    if ship.gone:
        _leaders(war, ship)


def clear(table: TableLike, war: War) -> None:
    """Q39, R236 Sunk ships leave their Task Forces, and Task Forces without ships leave the map
    with all their markers. R253 So do those that broke away, where there is the Battle Board alone.
    """
    for id_, force in sorted(war.forces.items()):
        name = force.called
        away = tuple(s for s in force.ships if war.ships[s].gone == "out")
        force.ships = [s for s in force.ships if not war.ships[s].gone]
        if not force.ships and not force.unknown:
            leave(war, force)
            rule = "R253" if away else "R236"
            told = ev.ForceGone(rule=rule, force=id_, name=name, away=away)
            table.tell(table.sides, told)


def _leaders(war: War, ship: Ship) -> None:
    """R186 Leaders of a ship that is newly damaged or sunk are to go to another; see `settle`."""
    force = war.of_ship(ship.id)
    for id_, leader in sorted(war.leaders.items()):
        if leader.ship == ship.id and force:
            war.adrift[id_] = force.id


async def settle(table: TableLike, war: War) -> None:
    """R186 Who is adrift goes to another ship of the Task Force, in a Battle to one on its board,
    as his side says, by default to an undamaged and valuable one. Without another he stays aboard a
    damaged ship and falls with one that is sunk."""
    adrift, war.adrift = war.adrift, {}
    for id_, force in adrift.items():
        leader = war.leaders[id_]
        ship, crew = war.ships[leader.ship], war.forces[force].ships if force in war.forces else []
        others = [war.ships[s] for s in crew if s != ship.id and not war.ships[s].gone]
        if war.fight:
            others = [s for s in others if s.id in war.fight.zones]
        if not others and not ship.gone:
            continue
        if others:
            best = max(others, key=lambda s: (not s.damaged, worth(s)))
            leader.ship = await _joins(table, leader, force, others, best)
        else:
            del war.leaders[id_]
        told = ev.LeaderMoved(rule="R186", leader=id_, ship=leader.ship if others else "")
        table.tell(table.sides, told)


async def _joins(
    table: TableLike, leader: Leader, force: str, others: list[Ship], usual: Ship
) -> str:
    if len(others) == 1:
        return usual.id
    question = asks.TransfersTo(
        about=leader.id,
        rule="R186",
        actors=(leader.id, force, leader.side.upper()),
        choices=tuple(s.id for s in others),
        default=usual.id,
    )
    (said,) = await table.ask(leader.side, [question], owed=[leader.side])
    return str(said)
