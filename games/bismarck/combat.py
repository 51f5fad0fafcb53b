"""4.8 Naval combat: attacks are announced, ships stay out or in reserve, actions are fought."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from msgspec import Struct

from games.bismarck import airstrike, asks, board, contacts, taskforce, undone, victory
from games.bismarck import events_battle as ev
from games.bismarck.answers import Answers
from games.bismarck.asks import NONE
from games.bismarck.battle import determination
from games.bismarck.board import BRITISH, GERMAN, OTHER, SIDES, Zone
from games.bismarck.calendar import X
from games.bismarck.state import Ship, War
from games.bismarck.taskforce import Counter
from games.bismarck.verbs_battle import Attack, Avoid
from games.bismarck.vessels import Battle, Reserve
from orders.book import Book
from pbem.kit.doctrine import YES, actors
from pbem.model import Question, Side, TableLike

RANK = {kind: n for n, kind in enumerate(contacts.ORDER)}


class Action(Struct):
    """9.24 One attack announced: a group against a group, each in one action only."""

    zone: Zone
    side: Side
    attacker: Counter
    defender: Counter


class Pair(Struct, frozen=True):
    """9.22 An own group that may attack an enemy group."""

    own: Counter
    enemy: Counter
    verdict: determination.Verdict


async def phase(table: TableLike, war: War, answers: Answers | None = None) -> None:
    """9.21-9.26 All attacks are announced, British first; then they are fought in that order.

    answers: what was said of them before (`encounter`).
    """
    answers = answers or Answers(table)
    actions: list[Action] = []
    for side in (BRITISH, GERMAN):  # 9.23
        _barred(table, war, side, answers)
        for zone in zones(war, side) if war.level < X else ():  # 7.33, ruling 34
            await _announce(table, war, side, zone, actions, answers)
    await _fight_all(table, war, actions, answers)


# 4.7, 4.8 The window of an encounter


CONTACT = 6
"""9.2, ruling 57 (ours): turns within which an encounter belongs to the one before."""


async def encounter(
    table: TableLike, war: War, books: Mapping[Side, Book] | None = None
) -> Answers:
    """9.16-9.27 What both sides want of the enemies that were located: strikes, attacks, consent,
    who stays out. Asked at once, before the strikes (9.2, ruling 57). books: the orders in force.
    """
    answers = Answers(table, books)
    asked = {side: questions(war, side) for side in SIDES}
    if any(asked.values()):
        last, war.met = war.met, war.turn
        if not last or war.turn - last > CONTACT:
            await answers.mail(asked)
    return answers


def questions(war: War, side: Side) -> dict[str, Question]:
    """What one side is asked of an encounter, made of what it knows: whom it has located, and which
    of its own ships were."""
    asked = airstrike.questions(war, side)
    if war.level >= X:
        return asked
    theirs = zones(war, side)
    for zone in theirs:
        asked[f"ATTACK {zone}"] = _attack_question(side, zone, choices(pairs(war, side, zone, ())))
    for zone in sorted({*theirs, *zones(war, OTHER[side])}, key=board.key):
        for group in groups(war, side, zone, ()):
            if found := {s.id for s in group.ships} & set(war.located[OTHER[side]]):
                asked[f"ACCEPT {group.id}"] = _accept_question(group)
            if len(group.ships) > 1 and (found or zone in theirs):
                asked |= {f"AVOID {s.id}": _stay_question(s) for s in group.ships}
    return asked


def zones(war: War, side: Side) -> list[Zone]:
    """9.21, 7.33 Where the side has located enemies at sea, without fog.

    Those in which it has no ships are among them: whether a question is put may not tell.
    """
    found = {s.zone for s in war.enemies(side) if s.id in war.located[side] and not s.sheltered}
    return sorted((z for z in found if not (war.fog and z in board.FOG)), key=board.key)


# 9.22-9.24 Attacks


def groups(war: War, side: Side, zone: Zone, actions: Iterable[Action]) -> list[Counter]:
    """9.223, 9.27 The side's ships and task forces in the zone that are in no action yet."""
    taken = {c.id for a in actions for c in (a.attacker, a.defender) if c.side == side}
    return [c for c in taskforce.counters(war, side) if c.zone == zone and c.id not in taken]


def pairs(war: War, side: Side, zone: Zone, actions: Sequence[Action]) -> list[Pair]:
    """9.22, 9.23, 9.224 Every attack that the side may announce now."""
    enemies = [c for c in groups(war, OTHER[side], zone, actions) if _found(war, side, c)]
    found = [
        Pair(own, enemy, determination.may_attack(own.ships, enemy.ships))
        for own in groups(war, side, zone, actions)
        for enemy in enemies
        if _shadows_only(war, own, enemy)
    ]
    return [p for p in found if p.verdict.may != "no"]


def _found(war: War, side: Side, enemy: Counter) -> bool:
    """9.23, 12.7 Has the side located any ship of the group, at sea or as it entered port?"""
    return any(s.id in war.located[side] for s in enemy.ships) and not enemy.lead.sheltered


def _shadows_only(war: War, own: Counter, enemy: Counter) -> bool:
    """A shadow attacks nothing but what it shadows; one that has lost contact shadows nothing
    (8.15, 9.224, ruling 62)."""
    watched = war.shadowing.get(own.id)
    return not watched or any(s.id in watched for s in enemy.ships)


def choices(able: Sequence[Pair]) -> dict[str, list[Pair]]:
    """9.241, 9.242 `BB WITH CA`: target type and own type, strongest first, with their pairs."""
    found: dict[tuple[int, int], list[Pair]] = {}
    for pair in able:
        target, own = determination.kind(pair.enemy.ships), determination.kind(pair.own.ships)
        found.setdefault((RANK[target], RANK[own]), []).append(pair)
    named = {(t, o): f"{contacts.ORDER[t]} WITH {contacts.ORDER[o]}" for t, o in found}
    return {named[key]: found[key] for key in sorted(found)}


async def _announce(
    table: TableLike,
    war: War,
    side: Side,
    zone: Zone,
    actions: list[Action],
    answers: Answers,
) -> None:
    """9.24 The side announces attacks until none is left or it wants no more."""
    refused: set[tuple[str, str]] = set()
    while True:
        able = [p for p in pairs(war, side, zone, actions) if (p.own.id, p.enemy.id) not in refused]
        if not (offered := choices(able)):
            return
        key = f"ATTACK {zone}"
        said = await answers.find({side: {key: _attack_question(side, zone, offered)}})
        word = said[side][key]
        if word not in offered:
            return
        pair = _draw(table, side, zone, offered[word])
        _pressed(table, war, pair.own, word, answers)
        if await _accepted(table, pair, zone, answers):
            actions.append(Action(zone, side, pair.own, pair.enemy))
        else:
            refused.add((pair.own.id, pair.enemy.id))


def _barred(table: TableLike, war: War, side: Side, answers: Answers) -> None:
    """9.22, 12.7, 7.33 Who ordered ships to attack that may attack no enemy located there of the
    type that they were to attack hears why."""
    located = [
        enemy
        for enemy in taskforce.counters(war, OTHER[side])
        if any(s.id in war.located[side] for s in enemy.ships)
    ]
    for own in taskforce.counters(war, side):
        there = [enemy for enemy in located if enemy.zone == own.zone]
        order = answers.explicit(war, side, own_actors(own), Attack) if there else None
        if order and (wanted := _wanted(order, own, there)):
            why, rule = _forbidden(war, own, wanted)
            if why:
                undone.tell(table, side, order, why, rule, own.name)


def _forbidden(war: War, own: Counter, enemies: Collection[Counter]) -> tuple[str, str]:
    """Why a group may attack none of these enemies in its zone, and the rule; evasion apart, which
    is announced (9.24)."""
    if all(s.type == "CV" for s in own.ships):
        return "aircraft carriers never attack ships", "9.221"
    if war.level >= X:
        return "visibility is X", "7.33"
    if war.fog and own.zone in board.FOG:
        return "the zone lies in fog", "7.33"
    open_to = [enemy for enemy in enemies if not enemy.lead.sheltered]
    if not open_to:
        return "nobody attacks by ship what has lain in port", "12.7"
    if not any(_shadows_only(war, own, enemy) for enemy in open_to):
        return "a unit that shadows attacks nothing but what it shadows", "9.224"
    return "", ""


def _wanted(order: Attack, own: Counter, enemies: Iterable[Counter]) -> list[Counter]:
    """9.241 The enemies of a type that the order lets the group attack."""
    with_own = f"WITH {determination.kind(own.ships)}"
    return [e for e in enemies if asks.agrees(order, f"{determination.kind(e.ships)} {with_own}")]


def _pressed(table: TableLike, war: War, own: Counter, word: str, answers: Answers) -> None:
    """9.242 Of several groups of the type that attacks the lot chose one that was not to."""
    order = answers.explicit(war, own.side, _actors(own), Attack)
    if order and not asks.agrees(order, word):
        why = "it was drawn by lot among those of its type that may attack there"
        undone.tell(table, own.side, order, why, "9.242", own.name)


def _attack_question(side: Side, zone: Zone, offered: Mapping[str, Sequence[Pair]]) -> Question:
    sure = {w: [p for p in ps if p.verdict.may == "yes"] for w, ps in offered.items()}
    eager = {w: ps for w, ps in sure.items() if ps and _worthwhile(side, w)}
    return asks.AttackWith(
        about=zone,
        choices=(*offered, NONE),
        default=next(iter(eager), NONE),
        pace="battle",
        rule="9.21",
        able={w: tuple(_actors(p.own) for p in ps) for w, ps in offered.items()},
        eager={w: tuple(_actors(p.own) for p in ps) for w, ps in eager.items()},
    )


def _worthwhile(side: Side, word: str) -> bool:
    """What a side without orders attacks: the British what is not stronger, the German only what is
    weaker."""
    target, _, own = word.split()
    gap = RANK[target] - RANK[own]
    return gap >= 0 if side == BRITISH else gap > 0


def _actors(counter: Counter) -> tuple[str, ...]:
    return (*own_actors(counter), counter.side.upper())


def own_actors(counter: Counter) -> tuple[str, ...]:
    """Whose orders are for a group itself, not for all of its side, strongest first."""
    return actors(counter.id, *(s.id for s in counter.ships))


def _draw(table: TableLike, side: Side, zone: Zone, able: Sequence[Pair]) -> Pair:
    """9.241, 9.242 Of several groups of the types named, one is drawn; groups that may attack at
    once come before those that need the enemy's consent."""
    sure = [p for p in able if p.verdict.may == "yes"] or list(able)
    own = sorted({p.own.id for p in sure})
    mine = table.pick(f"BATTLE/WITH/{zone}/{side.upper()}", own, [side])
    against = [p for p in sure if p.own.id == mine]
    return table.pick(f"BATTLE/AGAINST/{zone}/{side.upper()}", against, ())


async def _accepted(table: TableLike, pair: Pair, zone: Zone, answers: Answers) -> bool:
    """9.222, 9.24 The announcement, and the consent of a faster enemy where it needs it."""
    accepted = True
    if pair.verdict.may == "asks":
        key = f"ACCEPT {pair.enemy.id}"
        said = await answers.find({pair.enemy.side: {key: _accept_question(pair.enemy)}})
        accepted = said[pair.enemy.side][key] == YES
    told = ev.AttackDeclared(
        rule="9.24",
        why=pair.verdict.why,
        zone=zone,
        side=pair.own.side,
        attacker=determination.kind(pair.own.ships),
        defender=determination.kind(pair.enemy.ships),
        accepted=accepted,
    )
    table.tell(table.sides, told)
    return accepted


def _accept_question(group: Counter) -> Question:
    """9.222 Whether a group accepts combat with a slower enemy."""
    return asks.AcceptFrom(
        about=group.name,
        choices=("YES", "NO"),
        default="NO",
        rule="9.222",
        actors=_actors(group),
    )


# 9.25-9.28 Actions


async def _fight_all(
    table: TableLike, war: War, actions: Sequence[Action], answers: Answers
) -> None:
    """9.26 One after the other, in the order in which they were announced, until the Bismarck is
    sunk (9.714)."""
    battles = [
        (action, Battle(zone=action.zone, attacker=action.side, number=n))
        for n, action in enumerate(actions, 1)
    ]
    for zone in dict.fromkeys(a.zone for a in actions):
        there = [b for a, b in battles if a.zone == zone]
        await _reserves(table, war, zone, actions, there)
    for action, battle in battles:
        if not victory.sunk(war):
            await _fight(table, war, action, battle, answers)


async def _reserves(
    table: TableLike, war: War, zone: Zone, actions: Sequence[Action], battles: Sequence[Battle]
) -> None:
    """9.25, 9.45 Groups in no action may reinforce one; of two, they name one beforehand. A carrier
    alone never comes to it: she may attack nobody (9.221, 9.43)."""
    waiting = {s: groups(war, s, zone, actions) for s in SIDES}
    numbers = tuple(str(b.number) for b in battles)
    asked = {
        s: [
            asks.Assign(
                about=g.name,
                choices=numbers,
                source="orders",
                default=next((n for n in numbers if _could_enter(war, g, actions, n)), numbers[0]),
                rule="9.45",
                actors=_actors(g),
            )
            for g in waiting[s]
        ]
        for s in SIDES
    }
    several = len(battles) > 1 and any(asked.values())
    said = await table.ask_each(asked) if several else {}
    for side in SIDES:
        for at, group in enumerate(waiting[side]):
            word = said[side][at] if several else numbers[0]
            battle = next((b for b in battles if str(b.number) == word), battles[0])
            battle.reserves.append(Reserve(group.id, side, [s.id for s in group.ships]))


def _could_enter(war: War, group: Counter, actions: Sequence[Action], number: str) -> bool:
    """9.43, 9.224 Could the group attack the enemies of that action?"""
    action = actions[int(number) - 1]
    enemy = action.defender if action.attacker.side == group.side else action.attacker
    may = determination.may_attack(group.ships, enemy.ships).may
    return may == "yes" and _shadows_only(war, group, enemy)


async def _fight(
    table: TableLike, war: War, action: Action, battle: Battle, answers: Answers
) -> None:
    """9.27-9.32 Who stays out, the set-up, the rounds."""
    sides = {action.attacker.side: action.attacker, action.defender.side: action.defender}
    out = await _staying_out(table, war, sides, action.attacker, answers)
    for side, group in sides.items():
        away = [s.id for s in group.ships if s.id in out]
        battle.reserves += [Reserve(i, side, [i], free=True) for i in away]
    fighting = {s: [x for x in g.ships if x.id not in out] for s, g in sides.items()}
    war.battles.append(battle)
    both = fighting[action.attacker.side], fighting[action.defender.side]
    from games.bismarck.battle import fight, setup  # most turns have no battle

    await setup.begin(table, war, battle, both, answers)
    await fight.fight(table, war, battle, answers)


async def _staying_out(
    table: TableLike,
    war: War,
    sides: Mapping[Side, Counter],
    attacker: Counter,
    answers: Answers,
) -> set[str]:
    """9.271, 9.272 Ships that take no part, of both sides at once; the attacker's carriers may
    not (9.221)."""
    able = {s: determination.may_avoid(g.ships, sides[OTHER[s]].ships) for s, g in sides.items()}
    asked = {s: {f"AVOID {ship.id}": _stay_question(ship) for ship in able[s]} for s in able}
    said = await answers.find(asked)
    out: set[str] = set()
    for side, group in sides.items():
        enemies = sides[OTHER[side]].ships
        heaviest = RANK[determination.kind(enemies)]
        words = {ship.id: said[side][f"AVOID {ship.id}"] for ship in able[side]}
        wish = {
            ship.id
            for ship in able[side]
            if words[ship.id] == YES
            or (group is attacker and ship.type == "CV")
            or (words[ship.id] == OUTGUNNED and RANK[contacts.general(ship)] > heaviest)
        }
        away = determination.stay_out(group.ships, enemies, wish)
        if len(group.ships) > 1:
            stay = [s for s in group.ships if s not in away]
            _drawn_in(table, war, stay, able[side], answers)
        out |= {s.id for s in away}
    return out


def _drawn_in(
    table: TableLike, war: War, fighting: Sequence[Ship], able: Sequence[Ship], answers: Answers
) -> None:
    """9.271, 9.272 Who ordered a ship of a task force to stay out hears why she fights."""
    for ship in fighting:
        order = answers.explicit(war, ship.side, (ship.id,), Avoid)
        if order and order.what == "yes":
            slow = "she is not faster than every enemy in the action"
            why = "one that is fast enough has to stay and fight" if ship in able else slow
            undone.tell(table, ship.side, order, why, "9.272", ship.name)


OUTGUNNED = "OUTGUNNED"
"""9.272 The answer of a ship that stays out where an enemy is of a heavier type."""


def _stay_question(ship: Ship) -> Question:
    """What a side without orders does: carriers stay out, and cruisers where battleships fight."""
    return asks.StayOut(
        about=ship.name,
        choices=("YES", OUTGUNNED, "NO"),
        default="YES" if ship.type == "CV" else OUTGUNNED,
        rule="9.271" if ship.type == "CV" else "9.272",
        actors=actors(ship.id, ship.force, ship.side),
    )
