"""9.3 A naval action, from set-up to its end, round by round in the order of the rulebook."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from games.bismarck import asks, calendar, contacts, naming
from games.bismarck import events_battle as ev
from games.bismarck.battle import (
    determination,
    doctrine,
    fire,
    movement,
    reinforce,
    withdraw,
)
from games.bismarck.battle.charts import Charts, charts
from games.bismarck.battle.movement import Place
from games.bismarck.battle.withdraw import Mark
from games.bismarck.events import Sighting
from games.bismarck.state import SIDES, Ship, War
from games.bismarck.vessels import Battle, Reserve, Vessel
from orders.model import Value
from pbem.kit.doctrine import YES, yes_no
from pbem.kit.doctrine import actors as binding
from pbem.kit.hexes import distance
from pbem.model import D6, Question, Side, TableLike

Answers = dict[str, str]
"""What a side said this round, by `HANDLE SHIP`, `FIRE SHIP` and `AGREE`."""


# 9.28 Set-up


def begin(
    table: TableLike, war: War, battle: Battle, attackers: Sequence[Ship], defenders: Sequence[Ship]
) -> None:
    """9.28 Defenders in the centre, attackers along an edge chosen by a die; names are seen."""
    tables = charts(war.house)
    (die,) = table.roll(f"BATTLE/EDGE/{battle.zone}/{battle.attacker.upper()}", D6, table.sides)
    battle.edge = die - 1
    heading = determination.parallel(battle.edge)
    line = determination.attackers_berths(battle.edge, tables.radius, len(attackers))
    for ship, at in zip(attackers, line, strict=True):
        battle.vessels.append(Vessel(ship.id, ship.side, True, at, heading))
    centre = determination.defenders_berths(len(defenders))
    for ship, at in zip(defenders, centre, strict=True):
        battle.vessels.append(Vessel(ship.id, ship.side, False, at, heading))
    battle.note_places()
    _introduce(table, war, battle, [*attackers, *defenders])


def _introduce(table: TableLike, war: War, battle: Battle, ships: Sequence[Ship]) -> None:
    """9.28 Counters are face up on the board: both sides read the names."""
    for side in SIDES:
        enemies, seen = _read(war, side, ships)
        own = tuple(sorted(s.name for s in ships if s.side == side))
        joined = ev.BattleJoined(
            rule="9.28", zone=battle.zone, number=battle.number, own=own, enemies=enemies, seen=seen
        )
        table.tell([side], joined)


def _read(
    war: War, side: Side, ships: Sequence[Ship]
) -> tuple[tuple[str, ...], tuple[Sighting, ...]]:
    """9.28 The names of the enemies among ships, and what the side calls them."""
    enemies = sorted((s for s in ships if s.side != side), key=lambda s: s.name)
    return tuple(s.name for s in enemies), tuple(naming.known_as(war, side, s) for s in enemies)


# 9.3 The rounds


MOST_ROUNDS = 100
"""Ruling 55 (ours): more rounds than any action needs, so that no orders can keep a window from
closing."""


async def fight(table: TableLike, war: War, battle: Battle) -> None:
    """9.32 Rounds until one side has no ship left in the action, or both end it."""
    while not battle.over:
        battle.round += 1
        said = await _ask(table, war, battle)
        _declare(war, battle, said)  # 9.94
        _move(war, battle, said)  # 9.31
        battle.note_places()
        _tell_round(table, war, battle)
        fire.phase(table, war, battle, said)  # 9.6, 9.7
        _clear_sunk(war, battle)
        if _agreed(war, battle, said):  # 9.92
            battle.over = "both sides broke off"
        else:
            _withdraw(table, war, battle)  # 9.94-9.97
            _reinforcements(table, war, battle, said)  # 9.4
            battle.over = battle.over or _decided(battle) or _spent(battle)
        battle.note_places()
    for vessel in battle.fighting():
        vessel.fate = "broke off"
    ended = ev.BattleEnded(rule="9.32", why=battle.over, zone=battle.zone, rounds=battle.round)
    table.tell(table.sides, ended)


async def _ask(table: TableLike, war: War, battle: Battle) -> dict[Side, Answers]:
    """9.31, 9.94 What each side wants to do in the round: in secret, both at once."""
    asked = {side: _questions(war, battle, side) for side in SIDES}
    answers = await table.ask_each({s: [q for _, q in asked[s]] for s in SIDES})
    return {s: _said(asked[s], answers[s]) for s in SIDES}


def _said(asked: Sequence[tuple[str, Question]], answers: Sequence[Value]) -> Answers:
    return {key: str(answer) for (key, _), answer in zip(asked, answers, strict=True)}


def _questions(war: War, battle: Battle, side: Side) -> list[tuple[str, Question]]:
    own = [war.ships[v.ship] for v in battle.fighting(side)]
    enemies = [war.ships[v.ship] for v in battle.against(side)]
    mood = doctrine.posture(own, enemies)
    asked: list[tuple[str, Question]] = []
    for vessel in battle.fighting(side):
        ship = war.ships[vessel.ship]
        if not vessel.withdrawing:  # 9.99
            asked.append((f"HANDLE {ship.id}", _handle(war, battle, vessel, mood)))
        if len(enemies) > 1:
            asked.append((f"FIRE {ship.id}", _fire_at(side, ship, enemies)))
    asked += [
        (f"ENTER {r.id}", _enter(war, battle, r))
        for r in battle.reserves
        if r.side == side and _qualified(war, battle, r)
    ]
    tired = mood == "WITHDRAW" or battle.silent >= charts(war.house).silent
    return [*asked, ("AGREE", _agree(battle, side, tired))]


def _agree(battle: Battle, side: Side, tired: bool) -> Question:
    """9.92 Whether both let the battle end."""
    return asks.Agree(
        about=f"the battle in {battle.zone}",
        choices=("YES", "NO"),
        default=yes_no(tired),
        pace="battle",
        rule="9.92",
        side=side.upper(),
    )


def actors(ship: Ship) -> tuple[str, ...]:
    """Whose orders bind a ship, strongest first."""
    return binding(ship.id, ship.force, ship.side)


POSTURES = ("CLOSE", "A", "B", "OPEN", "CLOSE BOW", "A BOW", "B BOW")


def _handle(war: War, battle: Battle, vessel: Vessel, mood: str) -> Question:
    ship = war.ships[vessel.ship]
    may = withdraw.may_withdraw(mark(war, vessel), foes(war, battle, vessel), _reach(war))
    default = "OPEN" if mood == "WITHDRAW" and not may else mood
    return asks.Handle(
        about=ship.name,
        choices=(*POSTURES, *(("WITHDRAW",) if may else ())),
        default=default,
        rule="9.94",
        actors=actors(ship),
        hits=ship.hits.midships,
        evasion=ship.evasion_now,
        round=battle.round,
    )


def _fire_at(side: Side, ship: Ship, enemies: Sequence[Ship]) -> Question:
    named = sorted(enemies, key=lambda s: s.id)
    words = (*(s.id for s in named), "NEAREST", "WEAKEST", "STRONGEST")
    return asks.FireAt(
        about=ship.name,
        choices=(*words, *(f"{word} SPLIT" for word in words)),
        default="STRONGEST",
        rule="9.62",
        actors=actors(ship),
        types=tuple(contacts.general(s) for s in named),
    )


# 9.94 Withdrawal is declared


def mark(war: War, vessel: Vessel) -> Mark:
    """A ship as the withdrawal rules see it."""
    ship = war.ships[vessel.ship]
    return Mark(ship.name, ship.type, ship.evasion_now, vessel.at)


def foes(war: War, battle: Battle, vessel: Vessel) -> list[Mark]:
    """Its enemies in the battle."""
    return [mark(war, v) for v in battle.against(vessel.side)]


def _reach(war: War) -> int:
    return charts(war.house).b_range


def _declare(war: War, battle: Battle, said: Mapping[Side, Answers]) -> None:
    """9.94 Blank counters on ships that want to withdraw and may; they stay there (9.99)."""
    for vessel in battle.fighting():
        wants = said[vessel.side].get(f"HANDLE {vessel.ship}") == "WITHDRAW"
        if wants and withdraw.may_withdraw(
            mark(war, vessel), foes(war, battle, vessel), _reach(war)
        ):
            vessel.withdrawing = True


# 9.5 Movement


def _move(war: War, battle: Battle, said: Mapping[Side, Answers]) -> None:
    """9.31 The ships move one after the other; each sees where those before it went."""
    tables = charts(war.house)
    order = movement.sequence(battle.fighting(), lambda v: war.ships[v.ship].evasion_now)
    for vessel in order:
        word = said[vessel.side].get(f"HANDLE {vessel.ship}", "WITHDRAW")
        enemies = {v.at for v in battle.against(vessel.side)}
        start = Place(vessel.at, vessel.facing)
        options = movement.places(start, war.ships[vessel.ship].evasion_now, enemies, tables)
        _take(vessel, _choice(war, battle, vessel, word, options, tables))


def _choice(
    war: War, battle: Battle, vessel: Vessel, word: str, options: Sequence[Place], tables: Charts
) -> Place:
    if vessel.withdrawing:  # 9.96
        enemies = [v.at for v in battle.against(vessel.side)]
        options = withdraw.opening(vessel.at, options, enemies)
    return doctrine.choose(_view(war, battle, vessel, word), options, tables)


def _view(war: War, battle: Battle, vessel: Vessel, word: str) -> doctrine.View:
    posture, _, bow = ("WITHDRAW" if vessel.withdrawing else word).partition(" ")
    return doctrine.View(
        guns=fire.guns(war, vessel),
        enemies=tuple(
            doctrine.Sight(v.ship, fire.guns(war, v), Place(v.at, v.facing))
            for v in battle.against(vessel.side)
        ),
        posture=posture if posture in doctrine.BANDS else "B",
        bow=bow == "BOW",
        night=night(war, battle),
    )


def _take(vessel: Vessel, place: Place) -> None:
    vessel.at, vessel.facing = place.at, place.facing


def night(war: War, battle: Battle) -> bool:
    """11.11 Is it night where they fight?"""
    return calendar.night(war.turn, battle.zone)


def _tell_round(table: TableLike, war: War, battle: Battle) -> None:
    ours, theirs = (battle.fighting(side) for side in SIDES)
    ranges = [
        f"{war.ships[a.ship].name} - {war.ships[b.ship].name} {distance(a.at, b.at)}"
        for a in ours
        for b in theirs
    ]
    leaving = [war.ships[v.ship].name for v in battle.fighting() if v.withdrawing]
    begun = ev.RoundBegun(
        rule="9.31",
        zone=battle.zone,
        round=battle.round,
        ranges=tuple(ranges),
        withdrawing=tuple(sorted(leaving)),
    )
    table.tell(table.sides, begun)


# 9.9 The end of the round


def _clear_sunk(war: War, battle: Battle) -> None:
    for vessel in battle.fighting():
        if war.ships[vessel.ship].sunk:
            vessel.fate = "sunk"


def _agreed(war: War, battle: Battle, said: Mapping[Side, Answers]) -> bool:
    """9.92 Do both end it? A fight without a shot for some rounds ends too (our ruling)."""
    if battle.silent >= charts(war.house).silent:
        return True
    return all(said[side].get("AGREE") == YES for side in SIDES) and not _decided(battle)


def _withdraw(table: TableLike, war: War, battle: Battle) -> None:
    """9.94-9.97 Ships that were slowed lose their counters; the others move on and may get away."""
    tables, reach = charts(war.house), _reach(war)
    for vessel in [v for v in battle.fighting() if v.withdrawing]:
        if not withdraw.stays_withdrawing(mark(war, vessel), foes(war, battle, vessel), reach):
            vessel.withdrawing = False
            continue
        enemies = [v.at for v in battle.against(vessel.side)]
        start, speed = Place(vessel.at, vessel.facing), war.ships[vessel.ship].evasion_now
        if options := movement.bonus_places(start, speed, set(enemies), tables):
            _take(vessel, _choice(war, battle, vessel, "WITHDRAW", options, tables))
        if withdraw.away(vessel.at, enemies, reach):
            vessel.fate = "withdrew"
            name = war.ships[vessel.ship].name
            table.tell(table.sides, ev.ShipWithdrew(rule="9.97", who=name, zone=battle.zone))


def _decided(battle: Battle) -> str:
    """9.32 Why the action is over, empty while both sides have ships in it."""
    gone = [side for side in SIDES if not battle.fighting(side)]
    if len(gone) == len(SIDES):
        return "no ship is left in the action"
    return f"no {gone[0].title()} ship is left in the action" if gone else ""


def _spent(battle: Battle) -> str:
    """9.32, ruling 55 Why an action that would never end is over: the turn's time has run out."""
    return "the four hours of the turn are over" if battle.round >= MOST_ROUNDS else ""


# 9.4, 9.272 Reinforcements


def _reinforcements(
    table: TableLike, war: War, battle: Battle, said: Mapping[Side, Answers]
) -> None:
    """9.41-9.44 At the end of the third round and of every later one, before the next.

    Asked with the round's other questions: a window of its own would reveal ships in reserve.
    """
    if _decided(battle):
        return
    for reserve in sorted(battle.reserves, key=lambda r: (SIDES.index(r.side), r.id)):
        wanted = said[reserve.side].get(f"ENTER {reserve.id}") == YES
        if wanted and _qualified(war, battle, reserve):
            _attempt(table, war, battle, reserve)


def _qualified(war: War, battle: Battle, reserve: Reserve) -> bool:
    ships = [war.ships[i] for i in reserve.ships]
    enemies = [war.ships[v.ship] for v in battle.against(reserve.side)]
    soon = reserve.free or battle.round >= reinforce.FIRST_ROUND
    return soon and reinforce.qualifies(ships, enemies)


def _enter(war: War, battle: Battle, reserve: Reserve) -> Question:
    ships = [war.ships[i] for i in reserve.ships]
    own = [war.ships[v.ship] for v in battle.fighting(reserve.side)]
    enemies = [war.ships[v.ship] for v in battle.against(reserve.side)]
    help_ = doctrine.posture([*own, *ships], enemies) != "WITHDRAW" and not reserve.free
    return asks.Enter(
        about=reserve.id,
        choices=("YES", "NO"),
        default=yes_no(help_),
        rule="9.272" if reserve.free else "9.41",
        actors=(reserve.id, *actors(ships[0])),
        round=battle.round,
        action=battle.number,
    )


def _attempt(table: TableLike, war: War, battle: Battle, reserve: Reserve) -> None:
    """9.41, 9.42 Roll for entry, then for the edge; ships that avoided combat need neither."""
    side = reserve.side.upper()
    if not reserve.free:
        reserve.rolls += 1
        (die,) = table.roll(f"BATTLE/REINFORCE/{battle.zone}/{side}", D6, table.sides)
        if not reinforce.arrives(die, reserve.rolls):
            return
        (edge,) = table.roll(f"BATTLE/EDGE/{battle.zone}/{side}", D6, table.sides)
        edge -= 1
    else:
        attacking = reserve.side == battle.attacker
        edge = battle.edge if attacking else reinforce.opposite(battle.edge)
    _place(table, war, battle, reserve, edge)


def _place(table: TableLike, war: War, battle: Battle, reserve: Reserve, edge: int) -> None:
    ships = [war.ships[i] for i in reserve.ships if war.ships[i].type != "CV"]
    ships = ships or [war.ships[i] for i in reserve.ships]
    enemies = [v.at for v in battle.against(reserve.side)]
    hexes = reinforce.entry(edge, len(ships), enemies, charts(war.house).radius)
    for ship, at in zip(ships, hexes, strict=True):
        attacker = reserve.side == battle.attacker
        battle.vessels.append(Vessel(ship.id, ship.side, attacker, at, reinforce.heading(edge)))
    battle.reserves.remove(reserve)
    names = tuple(sorted(s.name for s in ships))
    rule = "9.272" if reserve.free else "9.41"
    table.tell(table.sides, ev.Reinforced(rule=rule, zone=battle.zone, who=names))
    (foe,) = (s for s in SIDES if s != reserve.side)
    read, seen = _read(war, foe, ships)
    told = ev.Recognised(
        rule="9.28", zone=battle.zone, number=battle.number, enemies=read, seen=seen
    )
    table.tell([foe], told)
