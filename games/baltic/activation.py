"""3 Activations: whose card is played next, and all that its vessels do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from games.baltic import (
    boarding,
    courses,
    decks,
    flak,
    gunnery,
    hulls,
    movement,
    special,
    torpedoes,
)
from games.baltic import events as ev
from games.baltic import verbs as v
from games.baltic.gunnery import GUNS, Shot
from games.baltic.state import Card, Vessel, War
from games.baltic.tables import Weapon, figures
from orders.book import Book, Facts
from pbem.kit import plane
from pbem.model import Side, TableLike

_ACTS: Mapping[str, type[Struct]] = {
    "fire": v.Fire,
    "hold fire": v.HoldFire,
    "torpedo": v.Torpedo,
    "beam": v.Beam,
    "board": v.Board,
    "launch": v.Launch,
}


def rounds(war: War) -> int:
    """163 As many as the smallest number of cards among the sides that have any."""
    return min((n for n in _counts(war).values() if n), default=0)


def due(war: War, side: Side, number: int) -> int:
    """37, 163 Cards that a side plays in a round: one, and its surplus dealt one a round."""
    least, own = rounds(war), _counts(war)[side]
    return own // least + (number <= own % least) if least else 0


def dealt(war: War, side: Side) -> list[int]:
    """163 Cards of a side by round, fixed as the phase begins."""
    return [due(war, side, number) for number in range(1, rounds(war) + 1)]


def _counts(war: War) -> dict[Side, int]:
    """Cards by side at the start of the phase, the reserve in (163)."""
    return {
        side: sum(c.side == side and bool(war.members(c)) for c in war.cards.values())
        for side in war.sides
    }


def next_card(war: War, side: Side, book: Book, facts: Facts) -> tuple[Card, str] | None:
    """32, 34, 36, 162, 164 The card that a side plays now, and how; None without one."""
    stack = war.stacks[side]
    while stack and not war.members(war.cards[stack[0]]):
        stack.pop(0)  # 36
    reserve = war.reserves.get(side, "")
    if reserve and not war.members(war.cards[reserve]):
        reserve = ""
    if reserve and (not stack or book.find(side.upper(), v.PlayReserve, facts)):
        del war.reserves[side]
        return war.cards[reserve], "reserve"
    if not stack:
        return None
    dash = book.find(side.upper(), v.Dash, facts)
    if (
        dash
        and dash.card in stack[1:]
        and side not in war.dashed
        and _may_dash(war, dash.card, side)
    ):
        war.dashed.append(side)
        stack.remove(dash.card)
        return war.cards[dash.card], "dash"
    return war.cards[stack.pop(0)], ""


def _may_dash(war: War, name: str, side: Side) -> bool:
    """34, 35 An unrated squadron, and more than four cards at the start of the turn."""
    card = war.cards[name]
    return (
        not card.of.capital
        and bool(war.members(card))
        and sum(c.side == side for c in war.cards.values()) > figures().small_fleet
    )


async def play(table: TableLike, war: War, card: Card, how: str, book: Book, facts: Facts) -> None:
    """176 One card: it moves, then fires, boards, launches, in its owner's order."""
    card.used = True
    table.tell(table.sides, ev.Activated(rule="3", card=card.id, how=how))
    over = await movement.activate(table, war, card, book, facts)
    holds = _held(card, book, facts)
    if not holds:
        for vessel in war.members(card):
            only = [o.contact for a in (vessel.id, card.id) for o in book.every(a, v.Bomb, facts)]
            special.bombs(table, war, vessel, over.get(vessel.id, []), only)
    flak.ack_ack(table, war, war.members(card))
    flak.shot_at(table, war, war.members(card))
    _programme(table, war, card, book, facts, holds)
    decks.recover(table, war, card)


def _held(card: Card, book: Book, facts: Facts) -> bool:
    return any(book.find(actor, v.HoldFire, facts) for actor in (card.id, *card.members))


class _Plan(Struct):
    """What is done in one activation."""

    card: Card
    members: list[Vessel]
    used: set[tuple[str, str]] = set()
    """Vessel and weapon: one shot each (2 of 2.3)."""
    launched: int = 0


def _programme(
    table: TableLike, war: War, card: Card, book: Book, facts: Facts, holds: bool
) -> None:
    """176 The orders as they are written, each target chosen as it comes; a card without any fires
    at the nearest target (late mail)."""
    plan = _Plan(card, war.members(card), set())
    acts = list(_orders(card, book, facts))
    launches = any(isinstance(order, v.Launch) for _, order in acts)
    for actor, order in acts:
        if isinstance(order, v.Fire) and not holds and not (launches and card.of.deck):
            _fire(table, war, plan, actor, order)
        elif not isinstance(order, v.Fire | v.HoldFire):
            _other(table, war, plan, actor, order)
    if not acts and not holds:
        _fire(table, war, plan, card.id, v.Fire("ALL", pick="nearest"), quiet=True)


def _orders(card: Card, book: Book, facts: Facts) -> Iterator[tuple[str, Struct]]:
    """The card's orders in the order in which they were written."""
    actors = {card.id, *card.members}
    for command in book.script(_ACTS, facts):
        if command.actor in actors:
            yield command.actor, command.order


def _subjects(plan: _Plan, actor: str) -> list[Vessel]:
    return [v for v in plan.members if v.acts and actor in (v.id, plan.card.id)]


def _unable(table: TableLike, side: Side, actor: str, what: str, rule: str) -> None:
    table.tell([side], ev.Unable(rule=rule, actor=actor, what=what))


def _fire(
    table: TableLike, war: War, plan: _Plan, actor: str, order: v.Fire, quiet: bool = False
) -> None:
    """66, 74, 182 One order to fire: mounts that bear, each at its target; a squadron's at one
    target are one salvo."""
    aims: list[tuple[Vessel, Weapon, Vessel]] = []
    reasons: list[str] = []
    for vessel in _subjects(plan, actor):
        for weapon in vessel.weapons:
            fits = weapon.kind in GUNS and order.weapon in ("ALL", weapon.id)
            if not fits or (vessel.id, weapon.id) in plan.used:
                continue
            target, reason = _target(war, vessel, weapon, order)
            if target is None:
                reasons.append(reason)
            else:
                aims.append((vessel, weapon, target))
    joined = order.together == "together" or not plan.card.of.capital
    for shot in _salvoes(aims, joined):
        mounts = tuple(m for m in shot.mounts if m[0].acts)
        if mounts and shot.target.here:
            plan.used |= {(vessel.id, weapon.id) for vessel, weapon in mounts}
            gunnery.fire(table, war, Shot(mounts, shot.target))
    if not aims and not quiet:
        what = reasons[0] if reasons else f"{order.weapon} has fired, or is no gun"
        _unable(table, plan.card.side, actor, what, "68")


def _target(war: War, vessel: Vessel, weapon: Weapon, order: v.Fire) -> tuple[Vessel | None, str]:
    """The target of one weapon, or why there is none."""
    if not order.at:
        found = gunnery.chosen(war, vessel, weapon, order.pick or "nearest")
        if found is None:
            return None, gunnery.silent(war, vessel, weapon) or f"{weapon.id} has no target"
    else:
        found = war.vessels.get(order.at)
        if found is None:
            return None, f"{order.at} is not on the table"
        if reason := gunnery.barred(war, vessel, weapon, found):
            return None, reason
    if order.within and hulls.between(vessel, found) > courses.mils(order.within):
        return None, f"{found.id} is not within {order.within} inches"
    return found, ""


def _salvoes(aims: list[tuple[Vessel, Weapon, Vessel]], joined: bool) -> list[Shot]:
    """74, 181, 182 Mounts of a kind and class at one target as one salvo, in the order written."""
    groups: dict[tuple[str, ...], list[tuple[Vessel, Weapon]]] = {}
    found: dict[tuple[str, ...], Vessel] = {}
    for vessel, weapon, target in aims:
        key = (target.id, weapon.kind) if joined else (target.id, vessel.id, weapon.id)
        groups.setdefault(key, []).append((vessel, weapon))
        found[key] = target
    return [Shot(tuple(mounts), found[key]) for key, mounts in groups.items()]


def _other(table: TableLike, war: War, plan: _Plan, actor: str, order: Struct) -> None:
    """Torpedoes, beams, boarding and launching."""
    for vessel in _subjects(plan, actor):
        match order:
            case v.Torpedo(weapon, side):
                reason = _once(plan, vessel, weapon, "torp")
                reason = reason or torpedoes.launch(
                    table, war, vessel, _weapon(vessel, weapon), side
                )
                rule = "101"
            case v.Beam(weapon, along, at):
                reason = _once(plan, vessel, weapon, "beam")
                reason = reason or special.beam(
                    table, war, vessel, _weapon(vessel, weapon), _bearing(war, vessel, along, at)
                )
                rule = "93"
            case v.Board(contact, troopers):
                reason, rule = _board(table, war, plan, vessel, contact, troopers), "102"
            case v.Launch(markers, side):
                reason, rule = decks.launch(table, war, vessel, markers, side), "106"
            case _:
                continue
        if reason:
            _unable(table, vessel.side, vessel.id, reason, rule)


def _once(plan: _Plan, vessel: Vessel, weapon: str, kind: str) -> str:
    """2 of 2.3 A weapon acts once an activation; why this one cannot, else empty."""
    if not any(w.id == weapon and w.kind == kind for w in vessel.weapons):
        return f"she has no such weapon {weapon}"
    if (vessel.id, weapon) in plan.used:
        return f"{weapon} has been used in this activation"
    plan.used.add((vessel.id, weapon))
    return ""


def _weapon(vessel: Vessel, name: str) -> Weapon:
    return next(weapon for weapon in vessel.weapons if weapon.id == name)


def _bearing(war: War, vessel: Vessel, along: str, at: str) -> int:
    if at and at in war.vessels:
        enemy = war.vessels[at]
        return plane.bearing((vessel.x, vessel.y), (enemy.x, enemy.y))
    return courses.units(along) if along else vessel.heading


def _board(
    table: TableLike, war: War, plan: _Plan, vessel: Vessel, contact: str, troopers: int
) -> str:
    target = war.vessels.get(contact)
    if target is None:
        return f"{contact} is not on the table"
    if (vessel.id, "RAM") in plan.used:
        return "she has boarded in this activation"
    if reason := boarding.barred(war, vessel, target):
        return reason
    plan.used.add((vessel.id, "RAM"))
    boarding.board(table, war, vessel, target, troopers)
    return ""
