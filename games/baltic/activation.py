"""3 Activations: whose card is played next, and all that its vessels do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

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
from games.baltic.state import Card, Reason, Vessel, War
from games.baltic.tables import Weapon
from orders.book import Book, Command, Facts
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


def dealt(war: War, side: Side) -> list[int]:
    """163 Cards of a side by round, fixed as the phase begins."""
    return shares(_counts(war)[side], rounds(war))


def shares(cards: int, least: int) -> list[int]:
    """37, 38, 163 Cards that a side plays in each of so many rounds: one, and its surplus dealt one
    a round."""
    return [cards // least + (number < cards % least) for number in range(least)]


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
    for dash in book.every(side.upper(), v.Dash, facts):
        if dash.card in stack[1:] and side not in war.dashed and _may_dash(war, dash.card):
            war.dashed.append(side)
            stack.remove(dash.card)
            return war.cards[dash.card], "dash"
    return war.cards[stack.pop(0)], ""


def _may_dash(war: War, name: str) -> bool:
    """34, 35 An unrated squadron that is left, unless the battle is a small one."""
    card = war.cards[name]
    return not (card.of.capital or war.small) and bool(war.members(card))


async def play(table: TableLike, war: War, card: Card, how: str, book: Book, facts: Facts) -> None:
    """176 One card: it moves, then fires, boards, launches, in its owner's order."""
    card.used, began = True, [vessel.id for vessel in war.members(card)]
    table.tell(table.sides, ev.Activated(rule="3", card=card.id, how=how))
    decks.recover(table, war, card, _launches(war, card, book, facts))
    over = await movement.activate(table, war, card, book, facts)
    held = _held(card, book, facts)
    for vessel in war.members(card):
        if vessel.id not in held:
            orders = [o for a in (vessel.id, card.id) for o in book.every(a, v.Bomb, facts)]
            only = [one.id for o in orders for one in war.named(o.contact)]
            special.bombs(table, war, vessel, over.get(vessel.id, []), only)
    passed = {name for names in over.values() for name in names}
    _missed(table, war, card, book, facts, passed, held)
    flak.ack_ack(table, war, war.members(card), book, facts)
    _programme(table, war, card, book, facts, held, began)


def _missed(
    table: TableLike,
    war: War,
    card: Card,
    book: Book,
    facts: Facts,
    passed: set[str],
    held: set[str],
) -> None:
    """99, 176 Bombs that orders name a target for, over which the move did not lead, or which are
    not dropped as she holds her fire."""
    for actor in dict.fromkeys([card.id, *(vessel.id for vessel in war.members(card))]):
        quiet = {actor} <= held or (actor == card.id and set(card.members) <= held)
        for order in book.every(actor, v.Bomb, facts):
            if quiet:
                _unable(table, card.side, actor, Reason("176", _QUIET))
            elif not passed & {one.id for one in war.named(order.contact)}:
                what = f"the move does not pass over {order.contact}"
                _unable(table, card.side, actor, Reason("99", what))


def _held(card: Card, book: Book, facts: Facts) -> set[str]:
    """176 The vessels that hold their fire: those told so, or all of the card; not those that are
    told to fire this turn, if the squadron holds it by a standing order."""
    found = list(_orders(card, book, facts))
    told = {c.actor: c for c in found if isinstance(c.order, v.HoldFire)}
    if card.id not in told:
        return set(told)
    given = {c.actor for c in found if isinstance(c.order, v.Fire) and not c.standing}
    lifted = given - set(told) if told[card.id].standing else set[str]()
    return set(card.members) - lifted


def _launches(war: War, card: Card, book: Book, facts: Facts) -> int:
    """108, 109 How many squadrons that can be launched the orders launch."""
    carriers = war.members(card) if card.of.deck else []
    given = [command.order for command in _orders(card, book, facts)]
    orders = [order for order in given if isinstance(order, v.Launch)]
    names = {name for order in orders for name in order.markers}
    return sum(not decks.grounded(war, one, name) for one in carriers for name in names)


class _Plan(Struct):
    """What is done in one activation."""

    card: Card
    members: list[Vessel]
    held: set[str]
    """Those that hold their fire."""
    used: set[tuple[str, str]] = set()
    """Vessel and weapon: one shot each (2 of 2.3)."""
    salvoes: set[tuple[str, str]] = set()
    """74 Target and kind of weapon of a squadron's salvoes: one each."""
    acted: bool = False
    """Has any order been carried out?"""
    withheld: bool = False
    """Has her captain's own word kept a weapon silent?"""


class _Withheld(Reason, frozen=True):
    """176 Her captain's own word keeps a weapon silent: `within`."""


class _Wasted(Reason, frozen=True):
    """176 The target has become a wreck since the order was written."""


def _programme(
    table: TableLike,
    war: War,
    card: Card,
    book: Book,
    facts: Facts,
    held: set[str],
    began: Sequence[str],
) -> None:
    """176, B50 The orders as they are written, each target chosen as it comes; a card without any,
    or of whose orders none could be carried out, fires at the nearest target."""
    plan = _Plan(card, war.members(card), held)
    gone = _gone_before(war, card, began)
    launches = _launches(war, card, book, facts) > 0
    for command in _orders(card, book, facts):
        actor, order = command.actor, command.order
        if not _subjects(plan, actor):
            if actor not in gone and not isinstance(order, v.HoldFire):
                gone.add(actor)
                _unable(table, card.side, actor, _lapsed(war, actor))
        elif isinstance(order, v.Fire) and launches:
            what = "she launches aeroplanes and fires no guns"
            _unable(table, card.side, actor, Reason("109", what))
        elif isinstance(order, v.Fire) and not _willing(plan, actor):
            _unable(table, card.side, actor, Reason("176", _QUIET))
        elif isinstance(order, v.Fire):
            aim = _Aim(actor, order, command.fresh)
            _fire(table, war, plan, aim, _others(card, book, facts, actor))
        elif not isinstance(order, v.HoldFire):
            _other(table, war, plan, actor, order)
    if not (plan.acted or plan.withheld or held or launches):
        aim = _Aim(card.id, v.Fire("ALL", pick="nearest"), True)
        _fire(table, war, plan, aim, quiet=True)


class _Aim(Struct, frozen=True):
    """An order to fire."""

    actor: str
    order: v.Fire
    fresh: bool
    """Written for this turn, by somebody who knew which vessels were wrecks when it began."""


def _orders(card: Card, book: Book, facts: Facts) -> Iterator[Command[Struct]]:
    """The card's orders in the order in which they were written."""
    actors = {card.id, *card.members}
    yield from (command for command in book.script(_ACTS, facts) if command.actor in actors)


def _subjects(plan: _Plan, actor: str) -> list[Vessel]:
    return [v for v in plan.members if v.acts and actor in (v.id, plan.card.id)]


def _gone_before(war: War, card: Card, began: Sequence[str]) -> set[str]:
    """Vessels of a squadron that were lost in earlier turns, of which nobody need be told again."""
    lost = (war.vessels[name] for name in card.members if name not in began)
    return {vessel.id for vessel in lost if not vessel.lately(war.turn)}


def _lapsed(war: War, actor: str) -> Reason:
    """88 Why nobody is left to carry out orders: she was wrecked before, by her own ramming too, or
    her move has led her off the table."""
    vessel = war.vessels.get(actor)
    if vessel is not None and not vessel.here:
        return Reason("2.1", "her orders lapse: she has left the table")
    if vessel is None:
        return Reason("88", "its orders lapse: no vessel of it is left")
    return Reason("88", "her orders lapse: she is a wreck")


def _willing(plan: _Plan, actor: str) -> bool:
    """Not all of the actor's vessels hold their fire."""
    found = _subjects(plan, actor)
    return not found or any(vessel.id not in plan.held for vessel in found)


def _unable(table: TableLike, side: Side, actor: str, reason: Reason) -> None:
    table.tell([side], ev.Unable(rule=reason.rule, actor=actor, what=reason.what))


_QUIET = "another order tells her to hold her fire"
_Aims = list[tuple[Vessel, Weapon, Vessel]]
"""Who fires what at whom."""


def _others(card: Card, book: Book, facts: Facts, actor: str) -> list[_Aim]:
    """74 The orders to fire of the other vessels of a squadron."""
    if card.of.capital:
        return []
    return [
        _Aim(command.actor, command.order, command.fresh)
        for command in _orders(card, book, facts)
        if command.actor != actor and isinstance(command.order, v.Fire)
    ]


def _fire(
    table: TableLike,
    war: War,
    plan: _Plan,
    aim: _Aim,
    others: Sequence[_Aim] = (),
    quiet: bool = False,
) -> None:
    """66, 74, 176, 182 One order to fire: mounts that bear, salvo after salvo, each at the target
    that is there when its turn comes; a squadron's at one target are one salvo, with those of its
    other vessels that have the same target."""
    together = not plan.card.of.capital or aim.order.together == "together"
    aims, reasons = _aims(war, plan, aim, together)
    fires = bool(aims)
    plan.acted = plan.acted or fires
    while aims:
        shot = _salvoes(aims + _allied(war, plan, aims, others), together)[0]
        plan.used |= {(vessel.id, weapon.id) for vessel, weapon in shot.mounts}
        plan.salvoes.add((shot.target.id, shot.weapon.kind))
        gunnery.fire(table, war, shot)
        aims, reasons = _aims(war, plan, aim, together)
    plan.withheld = plan.withheld or any(isinstance(reason, _Withheld) for reason in reasons)
    wasted = [reason for reason in reasons if isinstance(reason, _Wasted)]
    if (not fires or wasted) and not quiet and not _joined(plan, aim.actor):
        why = (wasted or reasons or [_spent(plan, aim)])[0]
        _unable(table, plan.card.side, aim.actor, why)


def _spent(plan: _Plan, aim: _Aim) -> Reason:
    """182 Why no gun is left for an order to fire."""
    name = aim.order.weapon
    if name == "ALL":
        return Reason("182", "all guns have fired in this activation")
    guns = [w.id for one in _subjects(plan, aim.actor) for w in one.weapons if w.kind in GUNS]
    fired = f"{name} has fired in this activation"
    return Reason("182", fired if name in guns else f"she has no gun {name}")


def _allied(war: War, plan: _Plan, aims: _Aims, others: Sequence[_Aim]) -> _Aims:
    """74 The mounts of a squadron's other vessels whose orders give them one of these targets, each
    once, however many orders name it."""
    targets = {target.id for _, _, target in aims}
    known = {(vessel.id, weapon.id) for vessel, weapon, _ in aims}
    found: _Aims = []
    for other in others:
        more, _ = _aims(war, plan, other)
        for vessel, weapon, target in more:
            if target.id in targets and (vessel.id, weapon.id) not in known:
                known.add((vessel.id, weapon.id))
                found.append((vessel, weapon, target))
    return found


def _joined(plan: _Plan, actor: str) -> bool:
    """74 Has a vessel of a squadron fired with an order of another one?"""
    guns = [(one.id, w.id) for one in _subjects(plan, actor) for w in one.weapons if w.kind in GUNS]
    return not plan.card.of.capital and actor != plan.card.id and plan.used >= set(guns)


def _aims(war: War, plan: _Plan, aim: _Aim, together: bool = True) -> tuple[_Aims, list[Reason]]:
    """The mounts that an order fires now, each with its target, or if not `together` the first of
    them; why others cannot."""
    aims: _Aims = []
    reasons: list[Reason] = []
    for vessel in _subjects(plan, aim.actor):
        for weapon in vessel.weapons:
            fits = weapon.kind in GUNS and aim.order.weapon in ("ALL", weapon.id)
            if not fits or vessel.id in plan.held or (vessel.id, weapon.id) in plan.used:
                continue
            target = _target(war, vessel, weapon, aim.order)
            if isinstance(target, Reason):
                reasons.append(target)
            elif target.wreck and (target.lately(war.turn) or not aim.fresh):
                what = f"{weapon.id} does not fire at {target.id}, a wreck by now"
                reasons.append(_Wasted("176", what))
            elif not plan.card.of.capital and (target.id, weapon.kind) in plan.salvoes:
                fired = f"the squadron has fired at {target.id} in this activation"
                reasons.append(Reason("74", fired))
            else:
                aims.append((vessel, weapon, target))
                if not together:
                    return aims, reasons
    return aims, reasons


def _target(war: War, vessel: Vessel, weapon: Weapon, order: v.Fire) -> Vessel | Reason:
    """The target of one weapon, or why there is none."""
    if not order.at:
        found = gunnery.chosen(war, vessel, weapon, order.pick or "nearest")
        if found is None:
            none = Reason("68", f"{weapon.id} has no target")
            return gunnery.silent(war, vessel, weapon) or none
    else:
        meant = war.named(order.at)
        legal = [one for one in meant if not gunnery.barred(war, vessel, weapon, one)]
        found = hulls.nearest(vessel, legal)
        if found is None:
            near = hulls.nearest(vessel, meant)
            barred = gunnery.barred(war, vessel, weapon, near) if near else None
            return barred or _missing(war, order.at)
    if order.within and hulls.between(vessel, found) > courses.mils(order.within):
        away = courses.inches(hulls.between(vessel, found))
        return _Withheld("176", f"{found.id} is {away} inches away, not within {order.within}")
    return found


def _salvoes(aims: _Aims, joined: bool) -> list[Shot]:
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
        reasons: list[Reason]
        match order:
            case v.Torpedo() | v.Beam():
                reasons = _discharged(table, war, plan, vessel, order)
            case v.Board(contact, troopers):
                reasons = _board(table, war, plan, vessel, contact, troopers)
            case v.Launch(markers, side):
                reasons = _flown_off(table, war, plan, vessel, markers, side)
            case _:
                continue
        for reason in reasons:
            _unable(table, vessel.side, vessel.id, reason)


def _flown_off(
    table: TableLike, war: War, plan: _Plan, vessel: Vessel, markers: Sequence[str], side: str
) -> list[Reason]:
    """106, 109 Squadrons that can be launched are, unless she has fired; why others stay."""
    if any((vessel.id, w.id) in plan.used for w in vessel.weapons if w.kind in GUNS):
        return [Reason("109", "she has fired her guns and launches no aeroplanes")]
    reasons = decks.launch(table, war, vessel, markers, side)
    plan.acted = plan.acted or len(reasons) < len(set(markers))
    return reasons


def _discharged(
    table: TableLike, war: War, plan: _Plan, vessel: Vessel, order: v.Torpedo | v.Beam
) -> list[Reason]:
    """93, 101, 182 Torpedoes or a beam, of a weapon that acts once an activation; why it cannot."""
    kind = "beam" if isinstance(order, v.Beam) else "torp"
    found = [w for w in vessel.weapons if w.id == order.weapon and w.kind == kind]
    if not found:
        return [Reason("182", f"she has no such weapon {order.weapon}")]
    if (vessel.id, order.weapon) in plan.used:
        return [Reason("182", f"{order.weapon} has been used in this activation")]
    if isinstance(order, v.Torpedo):
        reason = torpedoes.launch(table, war, vessel, found[0], order.side)
    else:
        reason = _beam(table, war, vessel, found[0], order)
    if reason:
        return [reason]
    plan.used.add((vessel.id, order.weapon))
    plan.acted = True
    return []


def _beam(
    table: TableLike, war: War, vessel: Vessel, weapon: Weapon, order: v.Beam
) -> Reason | None:
    """93 Along a bearing, or to the nearest enemy of that name."""
    if not order.at:
        bearing = courses.units(order.along) if order.along else vessel.heading
        return special.beam(table, war, vessel, weapon, bearing)
    enemy = hulls.nearest(vessel, war.named(order.at))
    if enemy is None:
        return _missing(war, order.at)
    bearing = plane.bearing((vessel.x, vessel.y), (enemy.x, enemy.y))
    return special.beam(table, war, vessel, weapon, bearing, enemy)


def _missing(war: War, name: str) -> Reason:
    return Reason("176", war.gone(name))


def _board(
    table: TableLike, war: War, plan: _Plan, vessel: Vessel, contact: str, troopers: int
) -> list[Reason]:
    """102, 194 Troopers go over, once an activation; why they cannot."""
    target = hulls.nearest(vessel, war.named(contact))
    if target is None:
        return [_missing(war, contact)]
    if (vessel.id, "RAM") in plan.used:
        return [Reason("194", "she has boarded in this activation")]
    if reason := boarding.barred(war, vessel, target):
        return [reason]
    plan.used.add((vessel.id, "RAM"))
    plan.acted = True
    boarding.board(table, war, vessel, target, troopers)
    return []
