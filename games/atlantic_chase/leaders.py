"""R212, R254 Leaders: powers, and when they are used. Every roll of a side goes through here.

Page 10 of the rules is lost, so that the moments are proposed: each leader is used once in an
operation, those ashore twice, and none without an order (C19).
"""

from __future__ import annotations

from games.atlantic_chase import asks_battle as ab
from games.atlantic_chase import board
from games.atlantic_chase import events as ev
from games.atlantic_chase.evasive import give_evasive
from games.atlantic_chase.state import Designated, Leader, War
from games.atlantic_chase.tables import USES, Power
from games.atlantic_chase.totals import trajectory_total
from pbem.kit.checks import Refused
from pbem.model import TWO_D6, Dice, Side, TableLike

ACTIONS = ("search", "engage", "strike", "attack", "seize")
"""What a power is used for that goes by mail in `asked` games."""
ANYWHERE = ("INITIATIVE", "WEATHER", "REINFORCE")
"""Rolls of a side as a whole: any of its leaders afloat may take part."""
WORDS = {"INTERRUPT": "interrupt", "REINFORCE": "reinforce", "WEATHER": "weather"}


async def roll(table: TableLike, war: War, label: str, dice: Dice, side: Side) -> tuple[int, ...]:
    """R212 Dice of a side, seen by all, as its leaders leave them: Forbes and Marschall make the
    lowest a 6, Somerville adds 2, which counts with the highest."""
    faces, added = await roll_plus(table, war, label, dice, side)
    return (*faces[:-1], faces[-1] + added) if added else faces


async def roll_plus(
    table: TableLike, war: War, label: str, dice: Dice, side: Side
) -> tuple[tuple[int, ...], int]:
    """R212 The same dice, and what is added to their sum (2 by Somerville, but at an
    Interruption: R070). Leaders take part where their Task Force does; any of a side in rolls of
    the side as a whole."""
    faces, added = table.roll(label, dice, to=table.sides), 0
    phase, kind, _, roller = label.split("/")
    what = kind.lower() if phase == "INITIATIVE" else WORDS.get(phase, phase.lower())
    for leader in _present(war, side, phase, roller):
        if leader.power not in ("six", "two") or what not in USES[leader.power]:
            continue
        if await _uses(table, leader, what, sum(faces) + added):
            if leader.power == "six":
                low, *others = sorted(faces)
                faces = (6, *others)
                _use(table, leader, f"a 6 for a {low}")
            else:
                faces, added = tuple(sorted(faces)), 2
                _use(table, leader, "+2")
    return faces, added


async def before(table: TableLike, war: War, deed: Designated) -> None:
    """R254 Before an action is rolled: Walker's coordination is used up; Tovey and Krancke change
    the Trajectory Total by two dice, by order up or down; else down for the Active side, up for the
    other."""
    for leader in _aboard(war, (deed.helper,), "coordination"):
        if deed.coordination:
            leader.left -= 1
    sides = ((deed.force, deed.helper, deed.air), (deed.target, deed.foe_helper, deed.foe_air))
    for usual, ids in zip(("SUBTRACT", "ADD"), sides, strict=True):
        for leader in _aboard(war, ids, "total"):
            total = trajectory_total(war, deed)
            if not await _uses(table, leader, deed.deed, total):
                continue
            question = ab.TotalBy(
                about=leader.id,
                rule="R254",
                actors=(leader.id,),
                choices=("ADD", "SUBTRACT"),
                default=usual,
                what=deed.deed,
            )
            (way,) = await table.ask(leader.side, [question], owed=[leader.side])
            label = f"LEADER/TOTAL/{deed.at}/{leader.id}"
            dice = sum(table.roll(label, TWO_D6, to=table.sides))
            shift = dice if way == "ADD" else -dice
            deed.shift += shift
            _use(table, leader, f"Trajectory Total {shift:+d}")


async def relieve(table: TableLike, war: War, deed: Designated) -> None:
    """R254 With the designations: Walker coordinates with +4; Gensoul, leading the acting Task
    Force, takes an Intel marker off one of the Active side's designated ones. Their orders judge by
    the Trajectory Total before the enemy's designations."""
    for leader in _aboard(war, (deed.helper,), "coordination"):
        if await _uses(table, leader, deed.deed, trajectory_total(war, deed)):
            deed.coordination = 4
            told = ev.LeaderUsed(rule="R254", why="coordination +4", leader=leader.id)
            table.tell(table.sides, told)
    named = [war.forces[i] for i in (deed.force, deed.helper, deed.air) if i in war.forces]
    named = list({f.id: f for f in named}.values())
    marked = [f"{f.id} {cell}" for f in named for cell in f.intel if f.side != board.GERMAN]
    for leader in _aboard(war, (deed.force,), "intel"):
        total = trajectory_total(war, deed)
        if not marked or not await _uses(table, leader, deed.deed, total):
            continue
        question = ab.IntelOff(
            about=leader.id,
            rule="R254",
            actors=(leader.id,),
            choices=tuple(marked),
            default=marked[-1],
            what=deed.deed,
        )
        (said,) = await table.ask(leader.side, [question], owed=[leader.side])
        id_, _, cell = str(said).partition(" ")
        war.forces[id_].intel.remove(cell)
        _use(table, leader, f"Intel off {id_} in {cell}")


def seizer(war: War) -> Leader | None:
    """R254 Luetjens, if he can seize Initiative for the Idle side."""
    found = [x for x in _present(war, war.idle, "INITIATIVE") if x.power == "seize"]
    return found[0] if found else None


def seizes(table: TableLike, war: War, leader: Leader) -> None:
    """R254 Luetjens: the attempt succeeds without dice, and his Task Force gets an Evasive
    marker."""
    _use(table, leader, "Initiative without dice")
    if force := war.of_ship(leader.ship):
        give_evasive(table, war, force, "R254")


async def _uses(table: TableLike, leader: Leader, what: str, value: int) -> bool:
    """R254 Does he?"""
    (said,) = await table.ask(leader.side, [asks_power(leader, what, value)], owed=[leader.side])
    return said == ab.YES


def asks_power(leader: Leader, what: str, value: int) -> ab.UsesPower:
    """R254 Whether he uses his power. Rolls of Battle, weather, Time Lapse and the like go by
    orders alone."""
    kind = ab.UsesPower if what in ACTIONS else ab.UsesAtRoll
    return kind(
        about=leader.id,
        rule="R254",
        actors=(leader.id,),
        choices=(ab.NO, ab.YES),
        default=ab.NO,
        what=what,
        value=value,
    )


def _use(table: TableLike, leader: Leader, why: str) -> None:
    leader.left -= 1
    table.tell(table.sides, ev.LeaderUsed(rule="R254", why=why, leader=leader.id))


def _present(war: War, side: Side, phase: str, roller: str = "") -> list[Leader]:
    """Leaders of a side afloat that can still act: of the Task Forces of this action, Battle or
    Time Lapse."""
    found = [x for _, x in sorted(war.leaders.items()) if x.side == side and x.left and x.ship]
    if phase in ANYWHERE:
        return found
    deed, fight = war.deed, war.fight
    ids = {fight.active, fight.target} if fight else set()
    if deed and not fight:
        ids = {deed.force, deed.helper, deed.air, deed.target, deed.foe_helper, deed.foe_air}
    ids = {roller} if phase == "LAPSE" else ids
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


def all_passer(war: War) -> Leader:
    """R129 The leader who may turn a Pass into All Pass. Raises Refused."""
    leader = ashore(war, war.active)
    if leader is None:
        raise Refused("no-leader", "R129", "there is no leader for All Pass")
    return leader


def pass_all(table: TableLike, leader: Leader) -> None:
    """R129 A leader ashore turns a Pass into All Pass, twice."""
    leader.left -= 1
    table.tell(table.sides, ev.LeaderUsed(rule="R129", leader=leader.id))
