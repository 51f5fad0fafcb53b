"""R, K A meeting of both sides: running, rounds of fire, and what the survivors do after it.

Everything in a meeting is seen by both sides: ships are named when they are found. Ships that run
may break it up into several fights (R3), which follow one another.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from msgspec.structs import replace

from games.far_seas import asks, chase, gunnery, melee, plans
from games.far_seas import events_battle as ev
from games.far_seas.board import OTHER
from games.far_seas.doctrine import asked
from games.far_seas.gunnery import CLOSE, FIGURES, Gunner, Shot
from games.far_seas.melee import Melee, names
from games.far_seas.state import BRITISH, GERMAN, Fight, Ship, War
from pbem.kit.views import filler
from pbem.model import Dice, TableLike


async def battle(table: TableLike, war: War, fight: Fight) -> bool:
    """R1-R9, K1-K10 One meeting from first sight to the last shot; whether a shot was fired.

    Ships that get away are in `fight.ranaway` and in their new area; sunk and retired ones are off
    the board.
    """
    whole = melee.begin(war, fight)
    everybody = whole.gunners
    _meet(table, war, fight)
    waiting = [whole] if whole.sprung else await chase.phase(table, war, fight, whole)
    fought: dict[str, Gunner] = {}
    while waiting:
        waiting = [*await _fight(table, war, fight, waiting.pop(0), fought), *waiting]
    war.fight = fight
    for gunner in everybody:  # clause 79; found g: a German that neither ran nor fought is free
        gunner.ship.busy |= gunner.ship.side == BRITISH or gunner.id in fought or gunner.ship.ran
    await _after(table, war, sorted(fought.values(), key=lambda g: g.id))
    return bool(fought)


def _meet(table: TableLike, war: War, fight: Fight) -> None:
    germans = [war.ships[i] for i in fight.german]
    for ship in germans:
        ship.found = True
    met = ev.Met(
        rule={"search": "S8", "surprise": "S11", "station": "S9", "river": "G8"}.get(
            fight.how, "found f"
        ),
        area=fight.area,
        german=names(germans),
        allied=names(war.ships[i] for i in fight.british),
        germans=tuple(fight.german),
        how=fight.how,
        favoured=fight.favoured,
    )
    table.tell(table.sides, met)


# K1-K6 Rounds


async def _fight(
    table: TableLike, war: War, fight: Fight, now: Melee, fought: dict[str, Gunner]
) -> list[Melee]:
    """K1-K5 Rounds until it breaks up or ends; the fights it breaks up into."""
    while now.on:
        fought |= {g.id: g for g in now.gunners}
        await _round(table, war, fight, now)
        if not now.on or now.quiet >= FIGURES.value("lull.rounds"):  # ruling: they lose each other
            break
        if not now.sprung:  # K5
            parts = await chase.phase(table, war, fight, now)
            if not any(part is now for part in parts):
                return parts
    left = names(s for side in (GERMAN, BRITISH) for s in now.ships(side))
    why = "nobody can hurt anybody any more" if now.on else ""
    ended = ev.FightEnded(rule="K1", why=why, area=now.area, rounds=now.rounds, left=left)
    table.tell(table.sides, ended)
    return []


async def _round(table: TableLike, war: War, fight: Fight, now: Melee) -> None:
    """K1-K7 One round: targets are chosen in secret, fire is rolled, damage counts at its end."""
    now.rounds += 1
    begun = ev.RoundBegun(
        rule="K4" if now.ahead else "K1",
        area=now.area,
        round=now.rounds,
        reach="ABC"[: now.step],
        close=now.step > CLOSE,
        german=names(now.ships(GERMAN)),
        allied=names(now.ships(BRITISH)),
    )
    table.tell(table.sides, begun)
    aims, held = await _orders(table, war, fight, now)
    moment = gunnery.moment(now.step, war.options, now.favoured, now.ambush)

    def throw(ship: Ship, count: int) -> tuple[int, ...]:
        return table.roll(f"FIGHT/FIRE/{now.area}/{ship.id}", Dice(count, 6), to=table.sides)

    shots = gunnery.exchange(aims, now.gunners, moment, throw, held)
    for shot in shots:
        _tell_shot(table, war, now, shot)
    hurt = gunnery.settle(shots, now.gunners)
    now.quiet = 0 if hurt or now.step < CLOSE else now.quiet + 1
    _tell_damage(table, war, now, hurt)


async def _orders(
    table: TableLike, war: War, fight: Fight, now: Melee
) -> tuple[dict[str, str], set[str]]:
    """K2, K6 Whom everybody fires at, and who does not use torpedoes: in secret, both sides at
    once."""
    melee.shown(war, fight, now)
    ready = {s: [g for g in now.sides[s] if gunnery.reaches(g.ship, now.step)] for s in now.sides}
    put = {s: [q for g in ready[s] for q in _questions(fight, now, g)] for s in ready}
    said = await table.ask_each(put) if any(put.values()) else {}
    aims: dict[str, str] = {}
    held: set[str] = set()

    def pick(gunner: Gunner, best: Sequence[Ship]) -> Ship:
        return table.pick(f"FIGHT/AIM/{now.area}/{gunner.id}", best, to=table.sides)

    for side, gunners in ready.items():
        words = [str(word) for word in said.get(side, ())]
        wish = {g.id: words[2 * n] for n, g in enumerate(gunners)}
        held |= {g.id for n, g in enumerate(gunners) if words[2 * n + 1] == asks.HOLD}
        aims |= targets(gunners, now.ships(OTHER[side]), wish, pick)
    return aims, held


def _questions(fight: Fight, now: Melee, gunner: Gunner) -> tuple[asks.FireAt, asks.Torpedoes]:
    """Of one ship, for a round."""
    side = gunner.ship.side
    ids = tuple(f.id for f in now.ships(OTHER[side]))
    plan = plans.aim(fight.plan(side), ids)
    at = asked(asks.FireAt, gunner.ship, "K2", *asks.AIMS, *ids, plan=plan)
    return replace(at, ids=ids), asked(asks.Torpedoes, gunner.ship, "K6", asks.FIRE, asks.HOLD)


def targets(
    own: Sequence[Gunner],
    foes: Sequence[Ship],
    wish: Mapping[str, str],
    pick: Callable[[Gunner, Sequence[Ship]], Ship],
) -> dict[str, str]:
    """K2 The target of every ship of a side: one by name, by what it is worth, or as `spread`.

    SPLIT takes a ship that no other of the side has been given, while there is one; ships without
    an order take theirs last. pick: draws one of several that are worth the same to a ship.
    """
    aims: dict[str, str] = {}
    ids = {f.id for f in foes}
    for gunner in (g for g in own if wish[g.id] != asks.SPREAD):
        word = wish[gunner.id]
        if word in ids:
            aims[gunner.id] = word
            continue
        best = _wanted(word, foes, [*aims.values()])
        aims[gunner.id] = pick(gunner, _alike(gunner, own, aims, word, best)).id
    loose = [g for g in own if g.id not in aims]
    return aims | gunnery.spread(loose, foes, aims.values())


_WORTH: dict[str, Callable[[Ship], int]] = {
    asks.BEST: lambda ship: -ship.points,
    asks.WEAKEST: lambda ship: ship.capacity - ship.damage,
    asks.DAMAGED: lambda ship: -ship.damage,
}
"""K2 The order in which targets are preferred, the lowest key first."""


def _wanted(word: str, foes: Sequence[Ship], taken: Sequence[str]) -> list[Ship]:
    """The enemies that a word means: several where they are worth the same."""
    kind, split = word.removesuffix(asks.SPLIT), word.endswith(asks.SPLIT)
    keys = {f.id: (split and taken.count(f.id), _WORTH[kind](f)) for f in foes}
    return [f for f in foes if keys[f.id] == min(keys.values())]


def _alike(
    gunner: Gunner, own: Sequence[Gunner], aims: Mapping[str, str], word: str, best: list[Ship]
) -> list[Ship]:
    """K3 Of targets that are worth the same, the one that the ship fires at already; else those
    that ships of its side fire at, in this round or the last, or by SPLIT the others; of several
    the most damaged (ruling)."""
    before = {g.aim for g in own}
    ways: list[Callable[[str], bool]] = [lambda id_: id_ == gunner.aim]
    if word.endswith(asks.SPLIT):
        ways += [lambda id_: id_ not in before]
    else:
        ways += [lambda id_: id_ in aims.values(), lambda id_: id_ in before]
    kept = next((found for way in ways if (found := [f for f in best if way(f.id)])), best)
    return [f for f in kept if f.damage == max(k.damage for k in kept)]


_FIRED = filler(ev.Fired, {Shot: "die row damage parts aimed needs torpedo"})
_DAMAGED = filler(ev.Damaged, {Ship: "who=name side damage capacity"})
_MENDED = filler(ev.Mended, {Ship: "who=name side damage capacity"})


def _tell_shot(table: TableLike, war: War, now: Melee, shot: Shot) -> None:
    who, target = war.ships[shot.who].name, war.ships[shot.target].name
    table.tell(table.sides, _FIRED(shot, rule="K2", area=now.area, who=who, target=target))


def _tell_damage(table: TableLike, war: War, now: Melee, hurt: Mapping[str, int]) -> None:
    """K2 Damage, and what it sinks."""
    for gunner in now.gunners:
        ship, area = gunner.ship, now.area
        if ship.id not in hurt:
            continue
        if ship.sunk:
            _sinks(table, war, ship, area, hurt[ship.id])
            now.sides[ship.side] = [g for g in now.sides[ship.side] if g is not gunner]
            continue
        table.tell(table.sides, _DAMAGED(ship, rule="K2", area=area, hurt=hurt[ship.id]))


def _sinks(table: TableLike, war: War, ship: Ship, area: str, hurt: int) -> None:
    war.score(OTHER[ship.side], ship.points, "sunk", "K2", ship.name)
    war.lose(ship.id, "sunk")
    told = ev.ShipSunk(
        rule="K2", area=area, who=ship.id, name=ship.name, side=ship.side, points=ship.points,
        hurt=hurt,
    )  # fmt: skip
    table.tell(table.sides, told)


# K8-K10 Afterwards


async def _after(table: TableLike, war: War, fought: Sequence[Gunner]) -> None:
    """K3, K8, K9 Survivors count one more fight and repair a point of damage; some leave."""
    for ship in (g.ship for g in fought):
        ship.fought += 1  # K3
        if ship.damage and not ship.gone:
            ship.damage -= 1  # K8
            table.tell(table.sides, _MENDED(ship, rule="K8"))
    await retire(table, war, [g.ship for g in fought if g.ship.side == BRITISH])


async def retire(table: TableLike, war: War, allied: Sequence[Ship]) -> None:
    """K9 Damaged Allies may leave the war, those half damaged must."""
    hurt = [s for s in allied if s.damage and not s.gone]
    put = [asked(asks.Retires, s, "K9", asks.MUST, asks.DAMAGED) for s in hurt if not s.half]
    said = iter(await table.ask(BRITISH, put) if put else ())
    for ship in hurt:
        forced = ship.half
        if forced or next(said) == asks.DAMAGED:
            told = ev.Retired(rule="K9", who=ship.name, area=ship.area, forced=forced)
            war.lose(ship.id, "retired")
            table.tell(table.sides, told)
