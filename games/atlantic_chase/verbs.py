"""The order language: the lines of a programme, and standing reactions.

A programme is what a side orders its forces in the order written; each line may wait for a
condition, which is judged when its turn comes. Signals, Pass without a Trajectory and
reinforcements are orders to the side as a whole (`GERMAN: signals TF8;`). Verbs of Battle:
`verbs_battle`.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Struct

from games.atlantic_chase import board, verbs_battle
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


@verb("R152", example="TF2: course H12 G12 from H13;", synonyms=("sail", "extend"))
class Course(Struct, frozen=True):
    """Extend the Trajectory by these hexes, from the end named.

    A Station becomes a Trajectory; its own hex alone converts it.
    """

    path: Annotated[tuple[str, ...], path(1, 15)]
    start: Annotated[Place, keyword("from")] = ""


@verb("R122", example="TF2: search KG1 at K08 with TF5 air HATSTON;", name="search")
class Search(Struct, frozen=True):
    """Naval Search for an enemy Trajectory in a shared hex, with a coordinator and air support.

    times: again while it is permitted. Whatever is not named is chosen for you; support none: of
    forces that could support nobody is chosen.
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
    """Engage an enemy Station in the same hex."""

    target: Contact
    at: At = ""
    helper: Helper = ""
    air: Air = ""
    launch: Launch = ""
    unaided: Unaided = ""
    times: Times = 1


@verb("R104", example="HATSTON: strike KG1 at J12 with TF5;")
class Strike(Struct, frozen=True):
    """Air Strike from an airbase, or a Task Force with an undamaged carrier."""

    target: Contact
    at: At = ""
    helper: Helper = ""
    launch: Launch = ""
    unaided: Unaided = ""
    times: Times = 1


@verb("R147", example="UB1: attack TF8 with KG1;")
class Attack(Struct, frozen=True):
    """Stealth Attack on an enemy in the hex of the Stealth force, which is used up."""

    target: Contact
    helper: Helper = ""
    air: Air = ""
    launch: Launch = ""
    unaided: Unaided = ""


@verb("R144", example="UB1: recon E13;")
class Recon(Struct, frozen=True):
    """Move a U-boat or Submarine to another hex; enemy Trajectories there get Intel.

    by prien: he enters a hex with an enemy port or airbase, and is used up.
    """

    at: Place
    by: Annotated[Literal["", "prien"], keyword()] = ""


@verb("R138", example="GERMAN: signals TF8 at E13 lapse KG1;")
class Signals(Struct, frozen=True):
    """An enemy Trajectory with Intel becomes a Station in the hex of one of its Intel markers.

    lapse: an own Trajectory in that hex performs Time Lapse.
    """

    target: Contact
    at: At = ""
    lapse: Annotated[Unit, keyword()] = ""


@verb("R109", example="TF6: complete;")
class Complete(Struct, frozen=True):
    """Complete the voyage of this Task Force in a friendly port."""


@verb("R127", example="TF6: pass;", name="pass")
class Pass(Struct, frozen=True):
    """This Trajectory performs Time Lapse, and Initiative goes to the enemy.

    all: every own Trajectory does, by a leader ashore (R129). For the side as a whole: the longest.
    """

    what: Literal["", "all"] = ""


@verb("R131", example="TF1: split VICTORIOUS takes evasive;")
class Split(Struct, frozen=True):
    """These ships of a Station form a new Task Force; it takes these markers along."""

    ships: Annotated[tuple[str, ...], units(1, 15)]
    takes: Annotated[Literal["", "contact", "evasive", "both"], keyword()] = ""


@verb("R133", example="TF1: merge TF2;", name="merge")
class Merge(Struct, frozen=True):
    """Another Station of the same hex or Port Box joins this one."""

    force: Unit


@verb("R134", example="BRITISH: reinforce BA into TF1;")
class Reinforce(Struct, frozen=True):
    """Try to bring a group of reinforcements in, 7 or more on two dice.

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
    """A Station goes into the Port Box of its hex; this is no action."""


@verb("R008", example="TF2: leave port;", name="leave port")
class LeavePort(Struct, frozen=True):
    """A Station leaves its Port Box for the port's hex; this is no action."""

    at: At = ""


@verb("R027", example="TF6: disperse;")
class Disperse(Struct, frozen=True):
    """The Convoy of this Task Force disperses for good, where the operation permits it."""


@verb("R091", example="BRITISH: stop;")
class Stop(Struct, frozen=True):
    """The programme ends here: lines below are left out."""


@verb("R091", example="BRITISH: finish pass TF6;", name="finish")
class End(Struct, frozen=True):
    """What happens when the programme is spent: `hold` asks for another, `pass` passes.

    Without this order: hold, and pass if the next window brings nothing.
    """

    how: Literal["hold", "pass"]
    force: Unit = ""


# Standing reactions


@verb("R097", example="@BRITISH: seize at least 40;")
class Seize(Struct, frozen=True):
    """Try to seize Initiative where the chance is at least so many per cent, or always, or never.

    Otherwise an Evasive marker is taken.
    """

    what: Literal["", "always", "never"] = ""
    least: Annotated[int, number(0, 100), keyword("at least")] = 40


@verb("R099", example="@BRITISH: evade TF6 TF7;")
class Evade(Struct, frozen=True):
    """Which Task Forces get Evasive markers, first come first."""

    forces: Annotated[tuple[str, ...], units(1, 10)]


@verb("R089", example="@BRITISH: spend engage total 4;")
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


@verb("R072", example="@BRITISH: slip signals length 4;")
class Slip(Struct, frozen=True):
    """What a Slip is used for: Signals against an enemy of at least this length, or an Evasive
    marker.

    at: the hexes of its markers that are preferred; lapse: an own Trajectory in that hex performs
    Time Lapse.
    """

    what: Literal["signals", "evasive"]
    length: Annotated[int, number(1, 15), keyword()] = 4
    at: Annotated[Places, keyword()] = ()
    lapse: Annotated[Unit, keyword()] = ""


@verb("R163", example="@BRITISH: support auto;")
class Support(Struct, frozen=True):
    """Coordination and air support against enemy actions.

    auto: where the table says it helps. free: only forces without a Trajectory. none: never. Or the
    coordinator and the air source that are named, where they can.
    """

    what: Literal["", "auto", "free", "none"] = ""
    helper: Helper = ""
    air: Air = ""
    launch: Launch = ""


@verb("R173", example="@TF2: keep I12;")
class Keep(Struct, frozen=True):
    """Which segments stay where a result takes others away: those nearest to these hexes."""

    hexes: Annotated[tuple[str, ...], path(1, 15)]


@verb("R058", example="@TF6: lapse toward H13 intel yes;", name="lapse")
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
    terms=TERMS,
    places=board.CELLS,
    aliases={p.id: p.hexes[0] for p in board.PORTS.values()},
)
