"""The order language of the search board: its verbs, and the whole grammar.

Orders for one side as a whole have the side's own name as actor (`BRITISH: search all;`).
Verbs of shadow (8), strikes (9.1) and battle (9.2) are in `verbs_battle`.
"""

from typing import Annotated, Literal

from msgspec import Struct

from games.bismarck import board, verbs_battle
from games.bismarck.board import Zone
from games.bismarck.facts import TERMS
from orders import declare
from orders.declare import Name, Unit, grammar, keyword, verb

Path = Annotated[tuple[Zone, ...], declare.path(most=60)]
Calls = Literal["zones", "all", "none", "found"]
Ships = Annotated[tuple[str, ...], declare.units(most=30)]


@verb(
    "5.1", example="BISMARCK: move E19 C17 speed full;", synonyms=("sail", "proceed"), once="move"
)
class Move(Struct, frozen=True):
    """Sail through these zones, the shortest way between them; what is left is done next turn."""

    path: Path
    speed: Annotated[Literal["full", "economical"], keyword()] = "full"


@verb("5.3", example="SUFFOLK: patrol;", once="move")
class Patrol(Struct, frozen=True):
    """Patrol here, or sail there first; an LR recon unit flies in patrol mode."""

    path: Path = ()


@verb("5.16", example="HOOD: hold;", synonyms=("stay",), once="move")
class Hold(Struct, frozen=True):
    """Stay in this zone, ready to move.

    An unfinished path is dropped, a patrol ends.
    """


@verb("5.41", example="HOOD: form PRINCE OF WALES as TF1;")
class Form(Struct, frozen=True):
    """Form a task force with ships in the same zone."""

    ships: Ships
    name: Annotated[Name, keyword("as")]


@verb("5.41", example="NORFOLK: join TF1;")
class Join(Struct, frozen=True):
    """Join a task force in the same zone."""

    force: Unit


@verb("5.44", example="TF1: detach NORFOLK, SUFFOLK as TF6;")
class Detach(Struct, frozen=True):
    """Send ships out of the task force, alone or as a new one."""

    ships: Ships
    name: Annotated[Name, keyword("as")] = ""


@verb("5.44", example="TF1: break;", synonyms=("dissolve",))
class Break(Struct, frozen=True):
    """Dissolve the task force."""


@verb("6.1", example="SCAPA1: fly F20 mode move;", once="move")
class Fly(Struct, frozen=True):
    """Fly through these zones; `return` lands after this turn's air attacks.

    6.3 A mode is chosen where the counter has two.
    """

    path: Path
    mode: Annotated[Literal["", "attack", "recon", "patrol", "move"], keyword()] = ""
    back: Literal["", "return"] = ""


@verb("6.2", example="SCAPA1: return;", synonyms=("land", "return to base"), once="move")
class Return(Struct, frozen=True):
    """Fly home by the shortest way."""


@verb("7.21", example="BRITISH: search all;", once="search")
class Search(Struct, frozen=True):
    """Which zones to call: all, none, these, or only where your own ships were found."""

    what: Annotated[Calls, declare.word("all", "none", "found")] = "zones"
    zones: Annotated[tuple[Zone, ...], declare.places(most=200)] = ()


@verb("10.22", example="GERMAN: huffduff random;", name="huffduff", once="huffduff")
class HuffDuff(Struct, frozen=True):
    """What to answer to radio direction finding: your zone, one by a die, or a named neighbour."""

    how: Literal["", "exact", "random"] = ""
    zone: Annotated[Zone, declare.place()] = Zone("")


@verb("10.25", example="GERMAN: convoy spare;", once="convoy")
class Convoy(Struct, frozen=True):
    """Attack a convoy that is met, or let it go unseen.

    To a ship that sails alone, a task force, or as GERMAN to all that have no such order.
    """

    what: Literal["attack", "spare"]


@verb("12.42", example="BRITISH: mobilise RODNEY;", synonyms=("mobilize",))
class Mobilise(Struct, frozen=True):
    """Call an escort away from its convoy (1 point to the German)."""

    ship: Unit


@verb("4.1", example="BRITISH: enter REVENGE turn 19;")
class Enter(Struct, frozen=True):
    """Choose the turn in which the ship comes into play.

    Note 13: only where its owner may choose.
    """

    ship: Unit
    turn: Annotated[int, declare.number(4, 34), keyword()]


def _aliases() -> dict[str, str]:
    named = {**board.PORTS, **board.BASES}
    short = {"SCAPA": "Scapa Flow", "HVALFJORD": "Hvalfiord", "NAZAIRE": "St Nazaire"}
    return {name.upper(): str(port.zone) for name, port in named.items()} | {
        word: str(named[name].zone) for word, name in short.items()
    }


GRAMMAR = grammar(
    __name__,
    verbs_battle.__name__,
    terms=TERMS,
    places=map(str, board.SEA | board.LAND),
    aliases=_aliases(),
)
