"""The parts of a report.json that the order language reads, typed once where they come in."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, convert
from msgspec.structs import replace

from orders.verbs import Arg


class OwnUnit(Struct, frozen=True):
    """An own unit; it may be called by its id or its printed name."""

    id: str
    name: str = ""
    force: str = ""
    """The unit in which it sails; empty for one that is by itself."""


class Contact(Struct, frozen=True):
    """An enemy, by the pseudonym that the report gives it."""

    id: str


class MenuArg(Struct, frozen=True):
    """What one argument may be now; without `values` the public board decides."""

    name: str
    kind: str = ""
    values: tuple[str, ...] = ()


class MenuItem(Struct, frozen=True):
    """A verb that a unit may be given now."""

    verb: str
    args: tuple[MenuArg, ...] = ()


Menu = Mapping[str, tuple[MenuItem, ...]]
"""Actor to the verbs it may be given, in the order of the report."""


class OpenQuestion(Struct, frozen=True):
    """A question of the report: its listed choices, or the form of a free answer."""

    id: str
    choices: tuple[str, ...] = ()
    form: Arg | None = None


class Report(Struct, frozen=True):
    """The sender's report. turn: None where a test's report has none."""

    turn: int | None = None
    units: tuple[OwnUnit, ...] = ()
    lost: Mapping[str, str] = {}
    """Own units that are gone, each with what became of it: `was sunk in turn 7`."""
    contacts: tuple[Contact, ...] = ()
    questions: tuple[OpenQuestion, ...] = ()
    menu: Menu = {}


def typed(report: Mapping[str, object]) -> Report:
    """The report (decoded report.json) as far as orders need it.

    Raises msgspec.ValidationError, a ValueError, where a field has another type.
    """
    try:
        menu = _menu(report["menu"])
    except (AttributeError, KeyError, TypeError, ValueError):
        return convert(report, Report)  # which names the place of what is wrong
    rest = convert({name: report[name] for name in report if name != "menu"}, Report)
    return replace(rest, menu=menu)


def _menu(plain: Any) -> Menu:  # decoded JSON
    """The menu, most of a report. Actors share items, and lists of them: each is converted once."""
    lists = {id(items): items for items in plain.values()}
    once = {id(item): item for items in lists.values() for item in items}
    typed = dict(zip(once, convert(list(once.values()), tuple[MenuItem, ...]), strict=True))
    made = {key: tuple([typed[id(item)] for item in items]) for key, items in lists.items()}
    return {actor: made[id(items)] for actor, items in plain.items()}
