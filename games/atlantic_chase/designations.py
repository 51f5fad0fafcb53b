"""R042-R046, R157-R167, R244, R245 Who takes part in an action, the Trajectory Total, and the
common modifiers.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Protocol

from msgspec import Struct

from games.atlantic_chase import asks, board, solitaire, tables
from games.atlantic_chase import events as ev
from games.atlantic_chase.evasive import spend_evasive
from games.atlantic_chase.state import Designated, TaskForce, War
from games.atlantic_chase.tables import Deed, rules
from games.atlantic_chase.totals import length_of, trajectory_total
from pbem.kit.checks import Refused
from pbem.model import Side, TableLike


class Aided(Protocol):
    """An order of an action in which forces may coordinate and give Air Support."""

    @property
    def helper(self) -> str:
        """The coordinator."""

    @property
    def launch(self) -> str:
        """The Launch hex."""

    @property
    def unaided(self) -> str:
        """`none`: nobody is chosen who is not named."""


class Aimed(Aided, Protocol):
    """One that may leave open in which hex its target is met."""

    @property
    def at(self) -> str:
        """The target hex."""


class Flight(Struct, frozen=True):
    """R157 A possible Air Support: its source, the Launch hex, and hexes to the target."""

    source: str
    launch: str
    reach: int


# Modifiers


def modifiers(war: War, deed: Designated) -> list[tuple[str, int]]:
    """R158, R162, R164, R167, R081, R071 What is added to the roll, each by its name."""
    table, good = rules().modifiers, deed.sky == "good"
    found = []
    if deed.air:
        found.append(("air", table.air[board.air_range(deed.launch, deed.at)]))
    if deed.helper:
        usual = table.helper_good if good else table.helper_bad
        found.append(("coordination", deed.coordination or usual))
    if deed.foe_air:
        found.append(("enemy air", -table.foe_air[board.air_range(deed.foe_launch, deed.at)]))
    if deed.foe_helper:
        found.append(("enemy coordination", -table.foe_helper))
    if (force := war.forces.get(deed.target)) and deed.at in force.contact:
        found.append(("contact", table.contact[war.speed(force)]))
    if deed.evades:
        found.append(("evasive", -(table.evade_good if good else table.evade_bad)))
    if deed.deed == "attack":
        found += _stealth_modifiers(war, deed)
    found.append(("interruption", deed.interruption))
    found += deed.special
    return [(name, value) for name, value in found if value]


def _stealth_modifiers(war: War, deed: Designated) -> Iterable[tuple[str, int]]:
    """R150, Q37, Q45"""
    table = rules().modifiers
    if deed.at in board.UBOAT_ZONE:
        yield "U-Boat Zone", table.zone
    force = war.forces.get(deed.target)
    if force and any(s.scattered for s in war.crew(force)):
        yield "dispersed Convoy", table.scattered


# Who may be named


def helpers(war: War, side: Side, at: str, without: Iterable[str]) -> list[str]:
    """R163 Who may coordinate in a hex: Task Forces (Station or segment) and Stealth forces there,
    but the acting and the target force (R245), and none that is unidentified (R214)."""
    out = frozenset(without)
    found = [f.id for f in war.own(side) if at in f.hexes and not f.unknown]
    found += [s.id for s in war.stealth_of(side) if s.at == at]
    return [id_ for id_ in found if id_ not in out]


def flights(war: War, side: Side, at: str) -> list[Flight]:
    """R157, R158 Air Support that a side could give in a hex: of each source that with the nearest
    Launch hex, nearest first; airbases before carriers. Good weather alone, not from nor to Arctic
    hexes."""
    if war.sky(at) != "good":
        return []
    found = [Flight(b, c, board.air_range(c, at)) for c, b in war.base_hexes(side).items()]
    found = [f for f in found if not war.arctic(f.launch)]
    for force in war.own(side):
        cells = [c for c in force.hexes if not war.arctic(c)]
        if war.carrier(force) and cells:
            near = min(cells, key=lambda c: board.air_range(c, at))
            found.append(Flight(force.id, near, board.air_range(near, at)))
    return sorted(
        (f for f in found if f.reach <= 2), key=lambda f: (f.reach, f.source in war.forces)
    )


def launches(war: War, side: Side, at: str) -> list[Flight]:
    """R157 Every Launch hex from which a side's carriers could give Air Support."""
    if war.sky(at) != "good":
        return []
    found = [
        Flight(force.id, cell, board.air_range(cell, at))
        for force in war.own(side)
        if war.carrier(force)
        for cell in force.hexes
        if not war.arctic(cell)
    ]
    return [f for f in found if f.reach <= 2]


def require_short(war: War, force: TaskForce) -> None:
    """R210 By option a carrier flies from a line of at most six. Raises Refused."""
    if war.too_long_to_fly(force):
        text = f"{force.id} has {force.length} segments, carriers fly from 6 at most"
        raise Refused("too-long", "R210", text, arg="air")


def flight(war: War, side: Side, at: str, source: str, launch: str) -> Flight:
    """R157 The Air Support that orders name, by source, Launch hex or both. Raises Refused."""
    for one in (*flights(war, side, at), *launches(war, side, at)):
        if source in ("", one.source) and launch in ("", one.launch):
            return one
    if source in war.forces and war.deck(war.forces[source]):
        require_short(war, war.forces[source])
    arg, named = ("air", f"{source} cannot") if source else ("launch", f"nobody in {launch} can")
    raise Refused("no-air", "R157", f"{named} give air support in {at}", arg=arg)


def active_support(war: War, deed: Designated, order: Aided) -> None:
    """R106, R118 The Active side's coordinator and Air Support: as ordered, else what costs
    nothing: a force without a Trajectory, or one that is designated already. Raises Refused."""
    able = helpers(war, deed.side, deed.at, (deed.force, deed.target))
    if order.helper == deed.force:
        text = f"{order.helper} does not coordinate its own action"
        raise Refused("no-helper", "R245", text, arg="helper")
    if order.helper and order.helper not in able:
        raise Refused("no-helper", "R163", f"{order.helper} is not in {deed.at}", arg="helper")
    free = [id_ for id_ in able if not length_of(war, id_)] if not order.unaided else []
    deed.helper = order.helper or next(iter(free), "")
    if deed.air:  # R105, R159 an Air Strike: its source is the only one
        return
    air = getattr(order, "air", "")
    if air or order.launch:
        found = flight(war, deed.side, deed.at, air, order.launch)
        deed.air, deed.launch = found.source, found.launch
        return
    for one in flights(war, deed.side, deed.at):
        known = one.source in (deed.force, deed.helper)
        if not order.unaided and (known or not length_of(war, one.source)):
            deed.air, deed.launch = one.source, one.launch
            return


def intel(war: War, deed: Designated) -> int:
    """R070 Intel markers on the Active side's designated Task Forces, each force once."""
    ids = sorted({deed.force, deed.helper, deed.air} & war.forces.keys())
    return sum(len(war.forces[id_].intel) for id_ in ids)


def lapsing(deed: Designated) -> set[str]:
    """R107, R121, R125, R151 All who perform Time Lapse afterwards: every force but the target."""
    ids = {deed.force, deed.helper, deed.air, deed.foe_helper, deed.foe_air}
    return ids - {deed.target, ""}


# The Idle side


async def idle_support(table: TableLike, war: War, deed: Designated) -> None:
    """R106, R118, Q2 The Idle side names coordinator and Air Support, then the target's Evasive
    marker by the Trajectory Total that they leave; after the Active side and before any die."""
    await _aid(table, war, deed)
    target = war.forces[deed.target]
    if target.evasive and await _evades(table, war, deed, target):
        deed.evades = True
        spend_evasive(table, target, deed.deed, "R089")


async def _aid(table: TableLike, war: War, deed: Designated) -> None:
    """R163, R157 Whom the Idle side names."""
    side, at = war.idle, deed.at
    able = [asks.NONE, *helpers(war, side, at, (deed.target,))]
    near = flights(war, side, at)
    wings = [
        Flight(asks.NONE, asks.NONE, 9),
        *near,
        *(w for w in launches(war, side, at) if w not in near),
    ]
    choices = [f"{h} {w.source} {w.launch}" for h in able for w in wings]
    choices[0] = asks.NONE
    if len(choices) == 1:
        return
    common = [c for c in choices if _nearest(c, near)]
    auto = best(war, deed, common)
    question = asks.Support(
        about=_about(deed),
        rule="R163",
        actors=asks.of(war.forces[deed.target]),
        choices=tuple(choices),
        default=auto,
        free=best(war, deed, [c for c in common if not costs(war, c)]),
        auto=auto,
    )
    (said,) = await table.ask(side, [question], owed=[side])
    support(deed, str(said))


async def _evades(table: TableLike, war: War, deed: Designated, target: TaskForce) -> bool:
    """R089, R162 Does the target spend its marker, now that all forces are named?"""
    side = war.idle
    question = asks.SpendOn(
        about=_about(deed),
        rule="R089",
        actors=asks.of(target),
        choices=(asks.SPEND, asks.KEEP),
        default=asks.SPEND if deed.deed == "engage" and fights(war, deed) > 12 else asks.KEEP,
        deed=deed.deed,
        total=trajectory_total(war, deed),
    )
    (said,) = await table.ask(side, [question], owed=[side])
    return said == asks.SPEND or solitaire.imaginary(war, side)  # R213


def _about(deed: Designated) -> str:
    """The action in words, for questions about it: `ENGAGE TF1 KG1`."""
    return f"{deed.deed.upper()} {deed.force} {deed.target}"


def _nearest(choice: str, near: Iterable[Flight]) -> bool:
    """Does a choice name no Launch hex, or that of a source which is nearest?"""
    return choice == asks.NONE or _parts(choice)[1:] in [
        (asks.NONE, asks.NONE),
        *((w.source, w.launch) for w in near),
    ]


def support(deed: Designated, choice: str) -> None:
    """Write the Idle side's choice down: `HELPER AIR HEX`, or NONE."""
    named = ("", "", "") if choice == asks.NONE else _parts(choice)
    helper, air, launch = ("" if word == asks.NONE else word for word in named)
    deed.foe_helper, deed.foe_air, deed.foe_launch = helper, air, launch


def _parts(choice: str) -> tuple[str, str, str]:
    """Ids of airbases may have several words: `KG2 NORTH FRONT B17`."""
    helper, _, rest = choice.partition(" ")
    air, _, launch = rest.rpartition(" ")
    return helper, air, launch


def costs(war: War, choice: str) -> bool:
    """Does a choice name a force with a Trajectory, which is deducted and lapses?"""
    if choice == asks.NONE:
        return False
    helper, air, _ = _parts(choice)
    return bool(length_of(war, helper) or length_of(war, air))


def best(war: War, deed: Designated, choices: Iterable[str]) -> str:
    """C2 The choice that is best for the Idle side by the table: the least expected harm, after its
    modifiers and the deduction; the first of equal ones."""
    from msgspec.structs import replace

    def harm(choice: str) -> int:
        tried = replace(deed)
        support(tried, choice)
        return expected(war, tried)

    return min(choices, key=harm)


_HARM = {"M": 0, "L": 0, "E": 1, "C": 2, "H": 2, "hV": 2, "hS": 3, "G": 5, "K": 4, "CL": 4, "h": 6}
_HARM |= {"D": 8, "B": 8, "SU": 10}
"""Weights of results for default answers alone (our own)."""


def expected(war: War, deed: Designated) -> int:
    """What an action may be expected to do, summed over all throws of two dice."""
    total = trajectory_total(war, deed)
    added = sum(value for _, value in modifiers(war, deed))
    return _harm(deed.deed, total, added)


@cache
def _harm(deed: Deed, total: int, added: int) -> int:
    rolls = (first + second + added for first in range(1, 7) for second in range(1, 7))
    return sum(_HARM[icon] for roll in rolls for icon in tables.results(deed, total, roll))


def fights(war: War, deed: Designated) -> int:
    """C3 Of 36 throws of two dice, those that lead to a Battle (not to a Skirmish)."""
    total = trajectory_total(war, deed)
    added = sum(value for _, value in modifiers(war, deed))
    quick = war.speed(war.forces[deed.force]) > war.speed(war.forces[deed.target])
    leads = {"B", "SU", "CL"} if quick else {"B", "SU"}  # R169
    rolls = [first + second + added for first in range(1, 7) for second in range(1, 7)]
    return sum(1 for roll in rolls if leads & set(tables.results(deed.deed, total, roll)))


def announce(table: TableLike, deed: Designated, rule: str) -> None:
    """Tell both sides who takes part."""
    told = ev.Designation(
        rule=rule,
        deed=deed.deed,
        force=deed.force,
        target=deed.target,
        at=deed.at,
        helper=deed.helper,
        air=deed.air,
        launch=deed.launch,
        foe_helper=deed.foe_helper,
        foe_air=deed.foe_air,
        foe_launch=deed.foe_launch,
        evades=deed.evades,
    )
    table.tell(table.sides, told)


def target_hex(
    war: War, actor: str, target: TaskForce, cells: Iterable[str], order: Aimed, rule: str
) -> str:
    """C12, C26 The hex in which a target is met: the one named, else one in which the forces that
    the order names can take part, with a Contact, with the nearest aircraft; the first of equal
    ones. cells: those permitted. Raises Refused."""
    able = [c for c in target.hexes if c in frozenset(cells) and order.at in ("", c)]
    if not able:
        raise Refused("no-target", rule, _unmet(war, actor, target, order.at), arg="target")

    def suits(cell: str) -> tuple[bool, bool, int]:
        helped = order.helper in ("", *helpers(war, war.active, cell, (actor, target.id)))
        reach = _reach(war, actor, cell, order)
        flown = reach < FAR or not (order.launch or getattr(order, "air", ""))
        return helped and flown, cell in target.contact, -reach

    return max(able, key=suits)


def _unmet(war: War, actor: str, target: TaskForce, at: str) -> str:
    """Why there is no hex in which an actor could meet its target."""
    force = war.forces.get(actor)
    for one in (force, target):
        if one and one.box:
            return f"{one.id} is in {one.box.title()}"
    if force and not set(force.hexes) & set(target.hexes):
        return f"{actor} and {target.id} share no hex"
    return f"{target.id} cannot be met" + (f" in {at}" if at else "")


FAR = 9
"""Hexes to an air source that is out of range."""


def _reach(war: War, actor: str, cell: str, order: Aimed) -> int:
    """Hexes from the aircraft that an order would bring to a hex: those that it names, or that cost
    nothing."""
    air = getattr(order, "air", actor)  # R105 an Air Strike is its own support
    if air or order.launch:
        wings = (*flights(war, war.active, cell), *launches(war, war.active, cell))
        found = [w for w in wings if air in ("", w.source) and order.launch in ("", w.launch)]
    else:
        wings = tuple(flights(war, war.active, cell)) if not order.unaided else ()
        found = [w for w in wings if w.source == actor or not length_of(war, w.source)]
    return min((w.reach for w in found), default=FAR)
