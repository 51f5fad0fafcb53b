"""The order language: the lines of a programme, and standing reactions.

A programme is what a side orders its forces in the order written; each line may wait for a
condition, which is judged when its turn comes. Signals, Pass without a Trajectory and
reinforcements are orders to the side as a whole (`GERMAN: signals TF8;`). Verbs of Battle:
`verbs_battle`.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Struct

from games.atlantic_chase import board, verbs_advanced, verbs_battle
from games.atlantic_chase.facts import TERMS
from orders.declare import (
    Contact,
    Place,
    Places,
    Unit,
    grammar,
    keyword,
    number,
    path,
    units,
    verb,
)

Times = Annotated[int, number(1, 9), keyword()]
Unaided = Annotated[Literal["", "none"], keyword("support")]
"""`support none`: nobody is chosen who is not named."""
Helper = Annotated[Unit, keyword("with")]
Air = Annotated[Unit, keyword("air")]
Launch = Annotated[Place, keyword("launch")]
At = Annotated[Place, keyword("at")]

# R092 The nine actions


@verb("R152", example="TF2: course H12 G12 from H13;", synonyms=("sail", "extend", "move", "plot"))
class Course(Struct, frozen=True):
    """Extend the Trajectory by these hexes, from one of its ends.

    A Station becomes a Trajectory; its own hex alone converts it.
    """

    path: Annotated[tuple[str, ...], path(1, 15)]
    start: Annotated[Place, keyword("from")] = ""


@verb(
    "R122",
    example="TF2: search KG1 at K08 with TF5 air HATSTON;",
    name="search",
    synonyms=("naval search",),
)
class Search(Struct, frozen=True):
    """Naval Search in a shared hex; what you do not name is chosen.

    with: a coordinator. air, launch: air support and its hex. times: again while it is permitted.
    support none: nobody is chosen who is not named.
    """

    target: Contact
    at: At = ""
    helper: Helper = ""
    air: Air = ""
    launch: Launch = ""
    unaided: Unaided = ""
    times: Times = 1


@verb("R116", example="TF2: engage KG1 with TF5;")
class Engage(Struct, frozen=True):
    """Engage an enemy Station in this hex."""

    target: Contact
    at: At = ""
    helper: Helper = ""
    air: Air = ""
    launch: Launch = ""
    unaided: Unaided = ""
    times: Times = 1


@verb("R104", example="HATSTON: strike KG1 at J12 with TF5;", synonyms=("air strike",))
class Strike(Struct, frozen=True):
    """Air Strike by an airbase or an undamaged carrier."""

    target: Contact
    at: At = ""
    helper: Helper = ""
    launch: Launch = ""
    unaided: Unaided = ""
    times: Times = 1


@verb("R147", example="UB1: attack TF8 with KG1;")
class Attack(Struct, frozen=True):
    """Stealth Attack in its hex; uses it up."""

    target: Contact
    helper: Helper = ""
    air: Air = ""
    launch: Launch = ""
    unaided: Unaided = ""


@verb("R144", example="UB1: recon E13;")
class Recon(Struct, frozen=True):
    """Go to another hex; enemy Trajectories there get Intel.

    by prien: he enters a hex with an enemy port or airbase, and is used up.
    """

    at: Place
    by: Annotated[Literal["", "prien"], keyword()] = ""


@verb("R138", example="GERMAN: signals TF8 at E13 lapse KG1;")
class Signals(Struct, frozen=True):
    """Make a Trajectory a Station in a hex of its Intel.

    lapse: an own Trajectory in that hex performs Time Lapse.
    """

    target: Contact
    at: At = ""
    lapse: Annotated[Unit, keyword()] = ""


@verb("R109", example="TF6: complete;")
class Complete(Struct, frozen=True):
    """Complete the voyage in a friendly port."""


@verb("R127", example="TF6: pass;", name="pass")
class Pass(Struct, frozen=True):
    """Time Lapse of this line, or a side's longest; Initiative goes.

    all: every own Trajectory performs it, by a leader ashore (R129).
    """

    what: Literal["", "all"] = ""


@verb("R131", example="TF1: split VICTORIOUS takes evasive;", synonyms=("detach",))
class Split(Struct, frozen=True):
    """These ships of a Station form a new Task Force.

    takes: markers that it takes along.
    """

    ships: Annotated[tuple[str, ...], units(1, 15)]
    takes: Annotated[Literal["", "contact", "evasive", "both"], keyword()] = ""


@verb("R133", example="TF1: merge TF2;", name="merge")
class Merge(Struct, frozen=True):
    """A Station of its hex or Port Box joins this one."""

    force: Unit


@verb("R134", example="BRITISH: reinforce BA into TF1;")
class Reinforce(Struct, frozen=True):
    """Bring a group in, on 7 or more of two dice.

    into: a Station in its port, else a new Task Force, in the Port Box or `at` the port's hex.
    lapse: the Task Force that performs Time Lapse if it fails.
    """

    group: Unit
    into: Annotated[Unit, keyword()] = ""
    at: At = ""
    lapse: Annotated[Unit, keyword()] = ""


# Between actions


@verb("R008", example="TF2: port;", name="port")
class Port(Struct, frozen=True):
    """Enter the Port Box of its hex; no action."""


@verb("R008", example="TF2: leave port;", name="leave port")
class LeavePort(Struct, frozen=True):
    """Leave the Port Box; no action."""

    at: At = ""


@verb("R027", example="TF6: disperse;", synonyms=("scatter",))
class Disperse(Struct, frozen=True):
    """Its Convoy disperses for good."""


@verb("R091", example="BRITISH: stop;")
class Stop(Struct, frozen=True):
    """Leave out the lines below."""


@verb("R091", example="BRITISH: finish pass TF6;", name="finish", once="finish", setting=True)
class End(Struct, frozen=True):
    """After the last line: ask for a further set, or pass.

    Without this order: hold, and pass if the next window brings nothing.
    """

    how: Literal["hold", "pass"]
    force: Unit = ""


# Standing reactions


@verb("R097", example="@BRITISH: seize at least 40;", once="seize", setting=True)
class Seize(Struct, frozen=True):
    """Try to seize Initiative where the chance is at least so many per cent, or always, or never.

    Otherwise an Evasive marker is taken.
    """

    what: Literal["", "always", "never"] = ""
    least: Annotated[int, number(0, 100), keyword("at least")] = 40


@verb("R099", example="@BRITISH: evade TF6 TF7;", once="evade", setting=True)
class Evade(Struct, frozen=True):
    """Which Task Forces get Evasive markers, first come first."""

    forces: Annotated[tuple[str, ...], units(1, 10)]


@verb("R089", example="@BRITISH: spend engage total 4;", setting=True)
class Spend(Struct, frozen=True):
    """When an Evasive marker is spent: against an action with at most this Trajectory Total, to
    choose the segments that a result takes, or on initiative rolls.

    One line for each use. of: whose marker, of several on an initiative roll; ship: which ship
    leaves a Battle.
    """

    use: Literal["engage", "search", "strike", "attack", "choose", "exit", "seize", "vie", "never"]
    total: Annotated[int, number(0, 99), keyword()] = 99
    force: Annotated[Unit, keyword("of")] = ""
    ship: Annotated[Unit, keyword()] = ""


@verb("R072", example="@BRITISH: slip signals length 4;", once="slip", setting=True)
class Slip(Struct, frozen=True):
    """What a Slip is used for: Signals against an enemy of at least this length, or an Evasive
    marker.

    against: which enemy; at: the hexes of its markers that are preferred; lapse: an own Trajectory
    in that hex performs Time Lapse.
    """

    what: Literal["signals", "evasive"]
    against: Annotated[Contact, keyword()] = ""
    length: Annotated[int, number(1, 15), keyword()] = 1
    at: Annotated[Places, keyword()] = ()
    lapse: Annotated[Unit, keyword()] = ""


@verb("R163", example="@BRITISH: support auto;", once="support", setting=True)
class Support(Struct, frozen=True):
    """Coordination and air support against enemy actions.

    auto: where the table says it helps. free: only forces without a Trajectory. none: never. Or the
    coordinator and the air source that are named, where they can.
    """

    what: Literal["", "auto", "free", "none"] = ""
    helper: Helper = ""
    air: Air = ""
    launch: Launch = ""


@verb("R173", example="@TF2: keep I12;", once="keep", setting=True)
class Keep(Struct, frozen=True):
    """Which segments stay where a result takes others away: those nearest to these hexes."""

    hexes: Annotated[tuple[str, ...], path(1, 15)]


@verb("R058", example="@TF6: lapse toward H13 intel yes;", name="lapse", once="lapse", setting=True)
class LapseBy(Struct, frozen=True):
    """How this Task Force performs Time Lapse.

    toward: what is left lies nearest to this hex. shed: exactly these hexes go, if that is
    permitted. intel: whether the Intel Limit is used to lose a marker; without a word of it where
    what is left lies as near. station: where the Station stands if nothing is left. arctic: die or
    table for a line partly in Arctic hexes.
    """

    toward: Annotated[Place, keyword()] = ""
    shed: Annotated[Places, keyword()] = ()
    intel: Annotated[Literal["", "yes", "no"], keyword()] = ""
    station: Annotated[Place, keyword()] = ""
    arctic: Annotated[Literal["", "die", "table"], keyword()] = ""


GRAMMAR = grammar(
    __name__,
    verbs_battle.__name__,
    verbs_advanced.__name__,
    terms=TERMS,
    places=board.CELLS,
    aliases={p.id: p.hexes[0] for p in board.PORTS.values()},
)
