"""S11, S12: the Germans' one surprise search of a turn."""

from __future__ import annotations

from games.far_seas import events as ev
from games.far_seas import verbs as v
from games.far_seas.board import BRITISH, GERMAN
from games.far_seas.doctrine import party
from games.far_seas.facts import knows
from games.far_seas.movement import Books
from games.far_seas.state import Fight, Ship, War
from games.far_seas.strength import odds
from games.far_seas.tables import rules
from orders.conditions import thousandths
from pbem.model import TableLike


def phase(table: TableLike, war: War, books: Books) -> list[Fight]:
    """S11 The first group, by name, with an order that finds its prey; one in a turn. The owner of
    others is told why orders of their own came to nothing."""
    fights: list[Fight] = []
    for ship in war.fleet(GERMAN):
        if ship.leader or ship.segment != war.segment:
            continue
        able = may(war, ship.id) and not war.surprised
        prey = choice(war, books, ship) if able else None
        if prey:
            fights.append(_fall_on(table, war, ship, prey))
        else:
            _tell_why(table, war, books, ship)
    return fights


def may(war: War, lead: str) -> bool:
    """S11, K10 A group that moved in this segment and was not found; no ship of it is half damaged
    or has made its surprise search."""
    return all(
        s.segment == war.segment and not (s.found or s.duty or s.surprised or s.half)
        for s in war.group(lead)
    )


def preys(war: War, lead: str) -> list[Ship]:
    """S11 Ships in the Moved box of the area; for a lone German only single ships whose capacity
    is at most its own and one."""
    own = war.ships[lead]
    ships = [
        s
        for s in war.fleet(BRITISH)
        if s.area == own.area and s.moved and not s.duty and not s.leader
    ]
    if len(war.group(lead)) > 1:
        return ships
    most = own.capacity + rules().surprise.margin
    return [s for s in ships if len(war.group(s.id)) == 1 and s.capacity <= most]


def choice(war: War, books: Books, ship: Ship) -> Ship | None:
    """The prey that the orders of a group choose: the weakest that they allow. Its leader's orders
    count, else those of the first of its other ships that has any (ruling)."""
    allowed, own = preys(war, ship.id), war.group(ship.id)
    orders = next((o for a in party(ship, own) if (o := _orders(war, books, a))), [])
    if any(o.what == "none" for o in orders):
        return None
    ranked = sorted(allowed, key=lambda s: (_odds(war, own, s), s.id))
    for prey in ranked:
        if any(_fits(war, own, order, prey) for order in orders):
            return prey
    return None


def _tell_why(table: TableLike, war: War, books: Books, lead: Ship) -> None:
    """S11, K10 Why the order of a ship's own came to nothing: one of this turn where the group may
    surprise nobody, any where the prey that it names was there."""
    group, facts = war.group(lead.id), knows(war, GERMAN)
    given = [c for s in group for c in books[GERMAN].commands(s.id, _KIND, facts)]
    for command in (c for c in given if c.order.what != "none"):
        prey = war.ships.get(command.order.prey)
        there = prey is not None and prey.area == lead.area and prey.moved and not prey.duty
        barred = _barred(war, group)
        why = barred if there or command.fresh else ""
        if there and prey and not barred:
            why = _spared(war, group, command.order, prey)
        if why:
            failed = ev.OrderFailed(rule="S11", why=why, who=command.actor, verb="surprise")
            table.tell([GERMAN], failed)
            return


_KIND = {"surprise": v.Surprise}


def _barred(war: War, group: list[Ship]) -> str:
    """S11, K10, G8 Why a group surprises nobody now, empty where it may."""
    for ship in group:
        if ship.surprised:
            return f"{ship.id} has made her one surprise search of the game"
        if ship.half:
            return f"{ship.id} is half damaged (K10)"
        if ship.found or ship.duty:
            return f"{ship.id} lies in the river" if ship.duty else f"{ship.id} was found before"
    return "the surprise search of this turn was made by another" if war.surprised else ""


def _spared(war: War, group: list[Ship], order: v.Surprise, prey: Ship) -> str:
    """S11 Why a group that may surprise did not fall on a prey that is there."""
    squadron, lead = war.group(prey.id), group[0]
    if squadron[0] in preys(war, lead.id):
        ratio = odds(group, squadron)
        return (
            "" if _fits(war, group, order, squadron[0]) else f"{prey.id} is {ratio} times as strong"
        )
    if len(squadron) > 1:
        return f"{prey.id} is in a squadron, and {lead.id} alone"
    most = lead.capacity + rules().surprise.margin
    return f"{prey.id} takes {prey.capacity} points of damage, a prey of {lead.id} alone {most}"


def _orders(war: War, books: Books, actor: str) -> list[v.Surprise]:
    return books[GERMAN].every(actor, v.Surprise, knows(war, GERMAN))


def _odds(war: War, own: list[Ship], prey: Ship) -> int:
    return thousandths(odds(own, war.group(prey.id))) or 0


def _fits(war: War, own: list[Ship], order: v.Surprise, prey: Ship) -> bool:
    """The prey named, or any, or one of its squadron, within the odds."""
    named = not order.prey or order.prey in [s.id for s in war.group(prey.id)]
    limit = thousandths(order.odds) if order.odds else None
    return named and (limit is None or _odds(war, own, prey) <= limit)


def _fall_on(table: TableLike, war: War, ship: Ship, prey: Ship) -> Fight:
    """S12 It succeeds by itself."""
    germans, allies = war.group(ship.id), war.group(prey.id)
    for one in germans:
        one.surprised = one.found = True
    for one in allies:
        one.busy = True
    war.surprised = True
    fight = Fight(
        ship.area, [s.id for s in germans], [s.id for s in allies], "surprise", favoured=str(GERMAN)
    )
    table.tell(
        table.sides,
        ev.Surprised(
            rule="S12", area=ship.area, germans=tuple(fight.german), allies=tuple(fight.british)
        ),
    )
    return fight
