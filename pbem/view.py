"""What a side's report may show: its own units, its contacts, its menu of orders.

Games import these names from `pbem.model`.
"""

from collections.abc import Sequence
from typing import TypeAlias

from msgspec import Struct

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
"""Any value that JSON can hold."""


class MenuArg(Struct, frozen=True):
    """An argument of a verb on a side's menu."""

    name: str
    kind: str
    """The kind of the argument in the grammar (`orders.verbs.Arg`)."""
    values: tuple[str, ...] = ()
    """The values it may take now; empty: any value that the public board allows."""


class MenuItem(Struct, frozen=True):
    """A verb that a unit may be given now, with its arguments."""

    verb: str
    args: tuple[MenuArg, ...] = ()


class UnitView(Struct, kw_only=True):
    """One own unit as its side sees it; games add fields in a subclass."""

    id: str
    name: str
    type: str
    place: str


class ContactView(Struct, kw_only=True):
    """An enemy unit as one side knows it; games add fields in a subclass."""

    id: str
    """The pseudonym that only this side uses."""
    type: str
    place: str
    age: int
    """Turns since it was last seen; 0: it is seen now."""


class View(Struct, kw_only=True):
    """Everything a side's report may show, made from its own units and its knowledge alone."""

    turn: int
    """The turn's number in the system."""
    label: str
    """The turn's name in the rulebook: `1200 May 22`."""
    units: Sequence[UnitView]
    """The side's own units."""
    lost: dict[str, str] = {}
    """Id of an own unit that is gone -> what became of it: `was sunk in turn 7`."""
    contacts: Sequence[ContactView] = ()
    """Enemies, as the side knows them."""
    menu: dict[str, list[MenuItem]] = {}
    """Id of a unit -> the verbs that it may be given now."""
    board: Struct | dict[str, Json] = {}
    """Further facts of this system: weather, points, tracks."""
    news: str = ""
    """One line for the subject of the mail."""
    form: Sequence[str] = ()
    """Suggested order lines, one for each unit that acts. Each must be legal as it stands, because
    the unedited form is a valid set."""
    goes_on: Sequence[str] = ()
    """What is left of a programme: order lines that go on unless a set brings others, whoever these
    are for. Their verbs are `System.spent`."""
