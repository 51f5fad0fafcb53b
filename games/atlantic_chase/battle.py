"""R187-R208, R248-R252 Battle: set-up, rounds of four steps, and what it leaves on the map."""

from __future__ import annotations

from typing import Literal

from games.atlantic_chase import advanced, leaders, solitaire
from games.atlantic_chase import asks_battle as ab
from games.atlantic_chase import battle_moves as moves
from games.atlantic_chase import events as ev
from games.atlantic_chase import events_battle as eb
from games.atlantic_chase.battle_dice import break_away_bonus
from games.atlantic_chase.battle_fire import gunnery, torpedoes
from games.atlantic_chase.battle_moves import board, force_of
from games.atlantic_chase.damage import clear, worth
from games.atlantic_chase.state import Battle, Designated, War
from games.atlantic_chase.tables import rules
from games.atlantic_chase.trajectories import make_contact, spend_evasive, stand
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
    )
    table.tell(table.sides, told)
    if how == "surprise":
        await moves.surprised(table, war)  # R171
    else:
        await moves.smoke_up(table, war)  # Q28
    if advanced.on(war):
        await advanced.attitudes(table, war)
    while fight_.round < rounds and not _one_left(war):
        fight_.round += 1
        if await _round(table, war):
            break
    zones = dict(fight_.zones)
    end(table, war)
    return zones


async def _round(table: TableLike, war: War) -> bool:
    """R189 One round; returns whether the Battle is over by it."""
    fight_ = war.fight
    assert fight_
    told = eb.RoundBegan(rule="R189", round=fight_.round, zones=dict(fight_.zones))
    table.tell(table.sides, told)
    if by_rounds(war):
        await table.orders(owed=table.sides)
    await gunnery(table, war)
    if _one_left(war):
        return True
    await torpedoes(table, war)
    if _one_left(war):
        return True
    await moves.manoeuvre(table, war)
    return _may_leave(war) and await _break_away(table, war)


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
    if advanced.on(war):  # 8.3 running ships alone may
        going = [side for side in going if advanced.runners(war, side)]
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
    bonus = break_away_bonus(board(war, side), moves.foes(war, side), zones, rows)
    bonus += advanced.pressed(war, moves.foes(war, side)) if advanced.on(war) else 0
    away = sum(dice) + bonus >= rules().other.break_away
    why = f"rolled {sum(dice)} {bonus:+d}, needs {rules().other.break_away}"
    table.tell(table.sides, eb.BrokeAway(rule="R202", why=why, side=side, away=away))
    if not away:
        await _slip_out(table, war, side)
        return _one_left(war)
    gone = [s.id for s in (advanced.runners(war, side) if advanced.on(war) else board(war, side))]
    stays = len(gone) < len(board(war, side))
    _depart(war, side, gone)
    if stays and war.fight:  # 8.3 the others fight on
        war.fight.zones = {s: z for s, z in war.fight.zones.items() if s not in gone}
    return not stays


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
    (said,) = await table.ask(side, [question], owed=[side])
    if said != ab.NOBODY:
        spend_evasive(table, force, "exit", "R204")
        del fight_.zones[str(said)]
        if war.special("battle_board"):  # R253
            war.ships[str(said)].gone = "out"
        table.tell(table.sides, eb.ShipAway(rule="R204", ship=str(said)))


def _one_left(war: War) -> bool:
    """R205 Has a side no ship on the board?"""
    assert war.fight
    ids = (war.fight.active, war.fight.target)
    return any(not any(s in war.fight.zones for s in _crew(war, id_)) for id_ in ids)


def _crew(war: War, id_: str) -> list[str]:
    return war.forces[id_].ships if id_ in war.forces else []


def end(table: TableLike, war: War) -> None:
    """R206, R211, R252, Q47 Survivors keep their Hits; each Task Force that is left is a Station
    in the battle hex, with a Contact."""
    fight_ = war.fight
    assert fight_
    war.fight = None
    if advanced.on(war):
        advanced.after(table, war)
    clear(table, war)
    table.tell(table.sides, ev.BattleEnded(rule="R205", at=fight_.at, rounds=fight_.round))
    for id_ in (fight_.active, fight_.target):
        if force := war.forces.get(id_):
            stand(table, war, force, fight_.at, "R206")
            make_contact(table, force, fight_.at, "R206")
            if war.options.get("battle_markers") == "lost":  # R211
                force.evasive = False
