"""R212, R254 Leaders: powers, and when they are used. Every roll of a side goes through here.

Page 10 of the rules is lost, so that the moments are proposed: each leader is used once in an
operation, those ashore twice. Without orders only Luetjens, Walker and Gensoul use their powers.
"""

from __future__ import annotations

from games.atlantic_chase import asks_battle as ab
from games.atlantic_chase import events as ev
from games.atlantic_chase.state import Designated, Leader, War
from games.atlantic_chase.tables import Power
from games.atlantic_chase.totals import trajectory_total
from games.atlantic_chase.trajectories import give_evasive
from pbem.kit.checks import Refused
from pbem.model import TWO_D6, Dice, Side, TableLike


async def roll(
    table: TableLike, war: War, label: str, dice: Dice, side: Side, battle: bool = False
) -> tuple[int, ...]:
    """R212 Dice of a side, seen by all, as its leaders leave them: Forbes and Marschall make the
    lowest a 6, Somerville adds 2 to the highest. Leaders take part where their Task Force does;
    any of a side in rolls for Initiative."""
    faces = table.roll(label, dice, to=table.sides)
    phase, kind, _, _ = label.split("/")
    what = kind.lower() if phase == "INITIATIVE" else "battle" if battle else phase.lower()
    for leader in _present(war, side, everywhere=phase == "INITIATIVE"):
        if leader.power in ("six", "two") and await _uses(
            table, war, leader, what, sum(faces), False
        ):
            ordered = sorted(faces)
            low, high = ordered[0], ordered[-1]
            faces = (6, *ordered[1:]) if leader.power == "six" else (*ordered[:-1], high + 2)
            why = f"a 6 for a {low}" if leader.power == "six" else "+2"
            _use(table, leader, why)
    return faces


async def before(table: TableLike, war: War, deed: Designated) -> None:
    """R254 Before an action is rolled: Walker coordinates with +4; Tovey and Krancke change the
    Trajectory Total by two dice, down for the Active side, up for the other (ruling)."""
    for leader in _aboard(war, (deed.helper,), "coordination"):
        if await _uses(table, war, leader, deed.deed, 0, True):
            deed.coordination = 4
            _use(table, leader, "coordination +4")
    sides = ((deed.force, deed.helper, deed.air), (deed.target, deed.foe_helper, deed.foe_air))
    for sign, ids in zip((-1, 1), sides, strict=True):
        for leader in _aboard(war, ids, "total"):
            total = trajectory_total(war, deed)
            if await _uses(table, war, leader, deed.deed, total, False):
                label = f"LEADER/TOTAL/{deed.at}/{leader.id}"
                shift = sign * sum(table.roll(label, TWO_D6, to=table.sides))
                deed.shift += shift
                _use(table, leader, f"Trajectory Total {shift:+d}")


async def relieve(table: TableLike, war: War, deed: Designated) -> None:
    """R254 Gensoul, leading the acting Task Force, takes an Intel marker off."""
    marked = [war.forces[i] for i in (deed.force, deed.helper, deed.air) if i in war.forces]
    marked = [f for f in marked if f.intel]
    for leader in _aboard(war, (deed.force,), "intel"):
        if marked and await _uses(table, war, leader, deed.deed, 0, True):
            cell = marked[0].intel.pop()
            _use(table, leader, f"Intel off {marked[0].id} in {cell}")


async def seizes(table: TableLike, war: War, odds: int) -> bool:
    """R254 Luetjens: the Idle side's attempt succeeds without dice, and his Task Force gets an
    Evasive marker. odds: the chance of the dice in per cent; without orders he helps below 60."""
    for leader in _present(war, war.idle, everywhere=True):
        if leader.power == "seize" and await _uses(table, war, leader, "seize", odds, odds < 60):
            _use(table, leader, "Initiative without dice")
            if force := war.of_ship(leader.ship):
                give_evasive(table, force, "R254")
            return True
    return False


async def _uses(
    table: TableLike, war: War, leader: Leader, what: str, value: int, usual: bool
) -> bool:
    question = ab.UsesPower(
        about=leader.id,
        rule="R254",
        actors=(leader.id,),
        choices=(ab.NO, ab.YES),
        default=ab.YES if usual else ab.NO,
        what=what,
        value=value,
    )
    (said,) = await table.ask(leader.side, [question], owed=[leader.side])
    return said == ab.YES


def _use(table: TableLike, leader: Leader, why: str) -> None:
    leader.left -= 1
    table.tell(table.sides, ev.LeaderUsed(rule="R254", why=why, leader=leader.id))


def _present(war: War, side: Side, everywhere: bool) -> list[Leader]:
    """Leaders of a side afloat that can still act: of the Task Forces of this action or Battle."""
    found = [x for _, x in sorted(war.leaders.items()) if x.side == side and x.left and x.ship]
    if everywhere:
        return found
    deed, fight = war.deed, war.fight
    ids = {fight.active, fight.target} if fight else set()
    if deed and not fight:
        ids = {deed.force, deed.helper, deed.air, deed.target, deed.foe_helper, deed.foe_air}
    forces = [war.forces[i] for i in sorted(ids & war.forces.keys())]
    return [x for x in found if any(x.ship in f.ships for f in forces)]


def _aboard(war: War, ids: tuple[str, ...], power: Power) -> list[Leader]:
    """Leaders of these Task Forces with a power that is left."""
    forces = [war.forces[i] for i in sorted(set(ids)) if i in war.forces]
    found = [x for f in forces for x in war.leaders_aboard(f)]
    return [x for x in found if x.power == power and x.left]


def ashore(war: War, side: Side) -> Leader | None:
    """R129 The leader who may make All Pass."""
    able = (x for _, x in sorted(war.leaders.items()) if x.side == side and x.power == "all pass")
    return next((x for x in able if x.left), None)


def pass_all(table: TableLike, war: War) -> None:
    """R129 A leader ashore turns a Pass into All Pass, twice. Raises Refused."""
    leader = ashore(war, war.active)
    if leader is None:
        raise Refused("no-leader", "R129", "there is no leader for All Pass")
    leader.left -= 1
    table.tell(table.sides, ev.LeaderUsed(rule="R129", leader=leader.id))
