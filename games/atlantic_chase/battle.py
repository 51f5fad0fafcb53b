"""R187-R208, R248-R252 Battle: set-up, rounds of four steps, and what it leaves on the map."""

from __future__ import annotations

from typing import Literal

from games.atlantic_chase import (
    advanced,
    advanced_effects,
    advanced_moves,
    advanced_snafu,
    attitudes,
    leaders,
    solitaire,
)
from games.atlantic_chase import asks_battle as ab
from games.atlantic_chase import battle_moves as moves
from games.atlantic_chase import events as ev
from games.atlantic_chase import events_advanced as ea
from games.atlantic_chase import events_battle as eb
from games.atlantic_chase.battle_crew import board, foes, force_of, lift_smoke
from games.atlantic_chase.battle_dice import break_away_bonus
from games.atlantic_chase.battle_fire import clear_board, gunnery, torpedoes
from games.atlantic_chase.damage import clear, settle, worth
from games.atlantic_chase.evasive import spend_evasive
from games.atlantic_chase.state import Battle, Designated, War
from games.atlantic_chase.tables import rules
from games.atlantic_chase.trajectories import make_contact, stand
from pbem.model import TWO_D6, Side, TableLike

How = Literal["battle", "skirmish", "surprise"]


async def fight(table: TableLike, war: War, deed: Designated, how: How) -> dict[str, str]:
    """R187-R207 A whole Battle between the Active and the Target Task Force, to the Stations and
    Contacts of its end; Initiative is the caller's. Returns the zones at its end, by ship."""
    other = rules().other
    rounds = other.rounds_good if deed.sky == "good" else other.rounds_bad
    rounds = 1 if how == "skirmish" else rounds  # R188
    for id_ in (deed.force, deed.target):
        solitaire.identify(table, war, war.forces[id_], "R214")
    war.fight = fight_ = Battle(deed.force, deed.target, deed.at, deed.sky, how, rounds)
    ids = (*war.forces[deed.force].ships, *war.forces[deed.target].ships)
    fight_.zones = {s: "near" if war.ships[s].fort else "far" for s in ids}  # R187, R032
    told = ev.BattleBegan(
        rule="R187",
        active=deed.force,
        target=deed.target,
        at=deed.at,
        how=how,
        rounds=rounds,
        name=war.called(deed.force),
        target_name=war.called(deed.target),
    )
    table.tell(table.sides, told)
    if advanced.on(war):
        await advanced_snafu.check(table, war)
    if how == "surprise":
        await moves.surprised(table, war)  # R171
    if advanced.on(war):
        await attitudes.set_up(table, war)
    if how != "surprise":
        await moves.smoke_up(table, war)  # Q28
    while fight_.round < fight_.rounds and not _one_left(war):
        fight_.round += 1
        if await _round(table, war):
            break
    zones = dict(fight_.zones)
    await end(table, war)
    return zones


async def _round(table: TableLike, war: War) -> bool:
    """R189 One round; returns whether the Battle is over by it."""
    fight_ = war.fight
    assert fight_
    told = eb.RoundBegan(rule="R189", round=fight_.round, zones=dict(fight_.zones))
    table.tell(table.sides, told)
    if by_rounds(war):
        await table.orders(owed=table.sides)
    if advanced.on(war) and await _begin_advanced(table, war):
        return True
    await gunnery(table, war)
    if _one_left(war):
        return True
    await torpedoes(table, war)
    if _one_left(war):
        return True
    await moves.manoeuvre(table, war)
    if advanced.on(war):
        return await _end_advanced(table, war)
    return _may_leave(war) and await _break_away(table, war)


async def _begin_advanced(table: TableLike, war: War) -> bool:
    """8.3 The Attitude step, which in the first round is the set-up's. Returns whether the Battle
    is over by it."""
    fight_ = war.fight
    assert fight_
    if fight_.round > 1:
        await attitudes.step(table, war)
        await clear_board(table, war)
        if _one_left(war):
            return True
    await attitudes.bridges(table, war)
    return False


async def _end_advanced(table: TableLike, war: War) -> bool:
    """8.3 Lingering effects, who is late, and Break Away; where nobody runs one more round follows
    the last, once. Returns whether the Battle is over."""
    fight_ = war.fight
    assert fight_
    await advanced_effects.linger(table, war)
    await clear_board(table, war)
    advanced_snafu.arrive(table, war)
    if _one_left(war):
        return True
    if _may_leave(war) and await _run(table, war):
        return True
    last = fight_.round == fight_.rounds
    if last and not fight_.extended and attitudes.nobody_runs(war):
        fight_.extended, fight_.rounds = True, fight_.rounds + 1
        table.tell(table.sides, ea.RoundAdded(rule=advanced.RULE, rounds=fight_.rounds))
    return False


async def _run(table: TableLike, war: War) -> bool:
    """8.3, R204 Break Away, ship by ship; where one of a side fails, a marker may let one in Far
    exit. Returns whether the Battle is over."""
    fight_ = war.fight
    assert fight_
    before = {side: len(board(war, side)) for side in table.sides}
    usual = {side: moves.would_leave(war, side) for side in table.sides}
    rolled, gone = await advanced_moves.break_away(table, war, usual)
    for side in (war.active, war.idle):
        advanced_effects.disengage(table, war, [war.ships[s] for s in gone[side]])
        _depart(war, side, [s for s in gone[side] if not war.ships[s].gone])
        fight_.zones = {s: z for s, z in fight_.zones.items() if s not in gone[side]}
        lift_smoke(table, fight_)
        if gone[side] and len(gone[side]) == before[side]:
            table.tell(table.sides, eb.BrokeAway(rule="R201", side=side, away=True))
    for side in rolled:
        if board(war, side):
            await _slip_out(table, war, side)
    return _one_left(war)


def by_rounds(war: War) -> bool:
    """7.3 Does each round have a window of its own? By option, where both sides have a capital ship
    in the Battle; on the Battle Board its first round has had one."""
    fight_ = war.fight
    assert fight_
    if war.options.get("battle") != "round" or fight_.how == "skirmish":
        return False
    if war.special("battle_board") and fight_.round == 1:
        return False
    return all(any(s.capital for s in board(war, side)) for side in (war.active, war.idle))


def _may_leave(war: War) -> bool:
    """R250 After the last round nobody needs to break away, but on the Battle Board alone, where it
    may score; special rule `late_exit`: not in the first."""
    fight_ = war.fight
    assert fight_
    if war.special("late_exit") and fight_.round == 1:
        return False
    return fight_.round < fight_.rounds or war.special("battle_board")


async def _break_away(table: TableLike, war: War) -> bool:
    """R201-R204, R250 Both say at once whether they break away; both: it is over; one: it rolls.
    Returns whether the Battle is over."""
    asked = {side: [_question(war, side)] for side in table.sides}
    said = await table.ask_each(asked)
    going = [side for side in table.sides if said[side][0] == ab.YES]
    if len(going) != 1:
        for side in going:
            table.tell(table.sides, eb.BrokeAway(rule="R201", side=side, away=True))
            _depart(war, side, [s.id for s in board(war, side)])
        return bool(going)
    side = going[0]
    dice = await leaders.roll(
        table,
        war,
        f"BATTLE/EXIT/-/{side.upper()}",
        TWO_D6,
        side,
    )
    zones = war.fight.zones if war.fight else {}
    rows = war.options.get("slowest", "rulebook")
    bonus = break_away_bonus(board(war, side), foes(war, side), zones, rows)
    away = sum(dice) + bonus >= rules().other.break_away
    why = f"rolled {sum(dice)} {bonus:+d}, needs {rules().other.break_away}"
    table.tell(table.sides, eb.BrokeAway(rule="R202", why=why, side=side, away=away))
    if not away:
        await _slip_out(table, war, side)
        return _one_left(war)
    _depart(war, side, [s.id for s in board(war, side)])
    return True


def _depart(war: War, side: Side, ids: list[str]) -> None:
    """R253 Who breaks away is out of play, where there is the Battle Board alone; R032 but a shore
    battery, which cannot."""
    if war.special("battle_board"):
        for ship in board(war, side):
            if ship.id in ids and not ship.fort:
                ship.gone = "out"


def _question(war: War, side: Side) -> ab.Exits:
    force = force_of(war, side)
    return ab.Exits(
        about=force.id,
        rule="R201",
        actors=(force.id, side.upper()),
        choices=(ab.NO, ab.YES),
        default=ab.YES if moves.would_leave(war, side) else ab.NO,
    )


async def _slip_out(table: TableLike, war: War, side: Side) -> None:
    """R204, R090, R251 After a failed Break Away an Evasive marker lets one ship in Far exit; it is
    of its Task Force as before."""
    force, fight_ = force_of(war, side), war.fight
    assert fight_
    far = [s for s in board(war, side) if fight_.zones[s.id] == "far" and not s.fort]
    if not force.evasive or not far:
        return
    question = ab.ExitOne(
        about=force.id,
        rule="R204",
        actors=(force.id, side.upper()),
        choices=(*(s.id for s in far), ab.NOBODY),
        default=max(far, key=worth).id,
    )
    if solitaire.imaginary(war, side):  # R213
        said = question.default
    else:
        (said,) = await table.ask(side, [question], owed=[side])
    if said != ab.NOBODY:
        spend_evasive(table, force, "exit", "R204")
        if advanced.on(war):
            advanced_effects.disengage(table, war, [war.ships[str(said)]])
        del fight_.zones[str(said)]
        if war.ships[str(said)].gone:
            await clear_board(table, war)
        elif war.special("battle_board"):  # R253
            war.ships[str(said)].gone = "out"
        table.tell(table.sides, eb.ShipAway(rule="R204", ship=str(said)))
        lift_smoke(table, fight_)


def _one_left(war: War) -> bool:
    """R205 Has a side no ship on the board?"""
    assert war.fight
    ids = (war.fight.active, war.fight.target)
    return any(not any(s in war.fight.zones for s in _crew(war, id_)) for id_ in ids)


def _crew(war: War, id_: str) -> list[str]:
    return war.forces[id_].ships if id_ in war.forces else []


async def end(table: TableLike, war: War) -> None:
    """R206, R211, R252, Q47 Survivors keep their Hits; each Task Force that is left is a Station
    in the battle hex, with a Contact."""
    fight_ = war.fight
    assert fight_
    if advanced.on(war):
        advanced_effects.disengage(table, war, [war.ships[s] for s in sorted(fight_.zones)])
    clear(table, war)
    await settle(table, war)
    war.fight = None
    table.tell(table.sides, ev.BattleEnded(rule="R205", at=fight_.at, rounds=fight_.round))
    for id_ in (fight_.active, fight_.target):
        if force := war.forces.get(id_):
            stand(table, war, force, fight_.at, "R206")
            make_contact(table, force, fight_.at, "R206")
            if war.options.get("battle_markers") == "lost":  # R211
                force.evasive = False
