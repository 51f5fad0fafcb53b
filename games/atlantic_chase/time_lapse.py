"""R047-R058, R223-R225 Time Lapse: how a Trajectory loses segments."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from games.atlantic_chase import asks, board, leaders
from games.atlantic_chase import events as ev
from games.atlantic_chase.state import TaskForce, War
from games.atlantic_chase.tables import SPEEDS, rules
from games.atlantic_chase.trajectories import shorten
from pbem.model import D6, Side, TableLike


class Removal(Struct, frozen=True):
    """One permitted Time Lapse of a line."""

    gone: tuple[str, ...]
    """The segments removed, in the order of the line."""
    left: tuple[str, ...]
    """Those that stay; where none do, the hex of the Station."""
    limited: bool = False
    """R052 The Intel Limit was invoked."""

    @property
    def text(self) -> str:
        """As a choice: `GONE LEAVES LEFT`."""
        return " ".join((*self.gone, asks.LEAVES, *self.left))


def removals(
    line: Sequence[str], intel: Iterable[str], speed: int, number: int, launch: str = ""
) -> list[Removal]:
    """R047-R058 Every permitted Time Lapse of a Trajectory, those without the Intel Limit first.

    line: its hexes; intel: those with a marker; speed: place in SPEEDS; number: segments to remove,
    by table or die; launch: the Launch hex, empty without one (R057). Each list of hexes occurs
    once. With nothing that may go the result is a single empty removal.
    """
    marked = frozenset(intel)
    plain = _choices(tuple(line), marked, number, launch, 0)
    most = min(number, rules().lapse.limit[speed])  # R224
    limited = []
    for wanted in range(most, 0, -1):  # Q8 Exactly the limit if that can be, else fewer
        limited = _choices(tuple(line), marked, wanted, launch, 1)
        if limited:
            break
    return [*(plain or [Removal((), tuple(line))]), *limited]


def _choices(
    line: tuple[str, ...], marked: frozenset[str], number: int, launch: str, markers: int
) -> list[Removal]:
    """Removals from the ends that take exactly so many Intel markers; without a marker as many
    segments as may go, up to `number` (R050), with one exactly `number` (R052, R054)."""
    size, found = len(line), []
    for wanted in range(min(number, size), 0, -1):
        for head in range(wanted, -1, -1):
            tail = size - (wanted - head)
            gone = line[:head] + line[tail:] if wanted < size else line
            left = line[head:tail] if wanted < size else ()
            if len(marked & set(gone)) != markers or (launch in gone and left):
                continue
            found += _removals(gone, left, launch, bool(markers))
            if not left:
                break
        if found or markers:
            break
    return found


def _removals(
    gone: tuple[str, ...], left: tuple[str, ...], launch: str, limited: bool
) -> list[Removal]:
    """R051, R057 Where nothing is left, one for each hex in which the Station may stand."""
    if left:
        return [Removal(gone, left, limited)]
    return [Removal(gone, (cell,), limited) for cell in ((launch,) if launch else gone)]


async def lapse(table: TableLike, war: War, force: TaskForce, rule: str = "R047") -> None:
    """A Task Force performs Time Lapse. A Station does nothing (R223), nor does one that is gone
    (Q50)."""
    if force.id not in war.forces or not force.line:
        force.launch = ""
        return
    speed = war.speed(force)
    number, why = await _number(table, war, force, speed)
    found = removals(force.line, force.intel, speed, number, force.launch)
    chosen = await _choice(table, war, force, found)
    if chosen.limited:
        why = f"{why}, Intel Limit {rules().lapse.limit[speed]}"
    force.launch = ""
    station = chosen.left[0] if len(chosen.gone) == force.length else ""
    shorten(force, () if station else chosen.left, station)
    told = ev.Lapsed(
        rule="R052" if chosen.limited else rule,
        why=why,
        force=force.id,
        gone=chosen.gone,
        left=force.length,
        station=station,
    )
    table.tell(table.sides, told)


async def lapse_all(table: TableLike, war: War, ids: Iterable[str], rule: str) -> None:
    """R223 Several Task Forces, one at a time: the Active side's first, each once, in the order
    that its owner says, by default by number."""
    names = {id_ for id_ in ids if id_ in war.forces}
    for side in (war.active, war.idle):
        waiting = [force.id for force in war.own(side) if force.id in names]
        await lapse_in_turn(table, war, side, waiting, rule)


async def lapse_in_turn(
    table: TableLike, war: War, side: Side, waiting: list[str], rule: str
) -> None:
    """R223 These Task Forces of a side in the order that it says, by default in that given."""
    while waiting:
        id_ = await _next(table, war, side, waiting)
        waiting = [other for other in waiting if other != id_]
        await lapse(table, war, war.forces[id_], rule)


async def _next(table: TableLike, war: War, side: Side, waiting: list[str]) -> str:
    """R223 The Task Force that is next; Stations among them do nothing."""
    able = [id_ for id_ in waiting if war.forces[id_].line] or waiting
    if len(able) == 1:
        return able[0]
    question = asks.NextOf(
        about=side.upper(),
        rule="R223",
        actors=asks.whole(side),
        choices=tuple(able),
        default=able[0],
    )
    (said,) = await table.ask(side, [question], owed=[side])
    return str(said)


async def _number(table: TableLike, war: War, force: TaskForce, speed: int) -> tuple[int, str]:
    """R047, R048, R056 Segments to remove, and why."""
    printed = rules().lapse.good[speed]
    if await _by_die(table, war, force):
        label = f"LAPSE/BAD/-/{force.id}"
        (die,) = await leaders.roll(table, war, label, D6, force.side)
        sky = "bad weather" if war.weather == "bad" else "Arctic Line"
        return die, f"{sky}, rolled {die}"
    return printed, f"{SPEEDS[speed]}, good weather: {printed}"


async def _by_die(table: TableLike, war: War, force: TaskForce) -> bool:
    """R048, R056, Q46 Is the number rolled? Where only some segments are Arctic, its owner says."""
    if war.weather == "bad" or all(war.arctic(cell) for cell in force.line):
        return True
    if not any(war.arctic(cell) for cell in force.line):
        return False
    question = asks.ArcticBy(
        about=force.id,
        rule="R056",
        actors=asks.of(force),
        choices=("TABLE", "DIE"),
        default="TABLE",
    )
    (said,) = await table.ask(force.side, [question], owed=[force.side])
    return said == "DIE"


async def _choice(table: TableLike, war: War, force: TaskForce, found: list[Removal]) -> Removal:
    """R058 The owner's choice; without one the line goes on towards its goal, and a marker goes
    where one can (C11)."""
    if len(found) == 1:
        return found[0]
    question = asks.LapseTo(
        about=force.id,
        rule="R058",
        actors=asks.of(force),
        choices=tuple(r.text for r in found),
        default=_usual(war, force, found).text,
        goal=goal_of(war, force),
        limited=tuple(r.text for r in found if r.limited),
    )
    (said,) = await table.ask(force.side, [question], owed=[force.side])
    return next(r for r in found if r.text == said)


def _usual(war: War, force: TaskForce, found: list[Removal]) -> Removal:
    """The removal that leaves the force nearest to its goal; with a marker, if one can go."""
    goal = goal_of(war, force)
    limited = [r for r in found if r.limited]
    return min(limited or found, key=lambda r: min(board.air_range(goal, c) for c in r.left))


def goal_of(war: War, force: TaskForce) -> str:
    """C11 The hex that a Task Force makes for unless orders say otherwise: a Convoy its port,
    others the end of their line that was laid last."""
    for ship in force.ships:
        for port in war.goals.get(ship, ()):
            return war.hexes_of(port)[0]
    return force.line[-1]
