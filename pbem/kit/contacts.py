"""Enemies as a side knows them: memory of contacts, and the pseudonyms that the side knows them by.

Two things lie apart in a state. What a side has been *told* is its knowledge, which its view may
show as it is: a `ContactBook`, or a game's own. Which unit a pseudonym *stands for* is the truth:
`Pseudonyms`, or a plain dict. The rules read and change it; no view and no event does.

A pseudonym gives a secret away if it could only be the same, or could only be different, because
of something that the observer does not know. Therefore:

- Each observer has its own pseudonyms, numbered as it was told of them. The number of contacts
  that another side has, or of units that exist, cannot be read from them.
- A contact that was lost and a contact that is found are two pseudonyms, even of one unit. The old
  one is kept only where the observer could tell by itself: it never lost sight of the unit, the
  rules name it, or only one unit of its kind exists and that is public (`keep`).
- Units told of at once are numbered by what the observer sees of them, never in the order of the
  state; those that look alike by a lot that nobody sees (`by_lot`). A state that is sorted by true
  names would otherwise say which of two comes first in the alphabet.
- Contacts that are seen to merge go on under the number that was issued first. Of a contact that is
  seen to split no part is known to be the one from before, so all parts get new numbers, unless
  they look different enough to tell. What merges or splits unseen changes no number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from msgspec import Struct, field

from pbem.model import TableLike

Trail = tuple[tuple[str, int], ...]
"""Place and turn of earlier sightings, oldest first."""
Unit = TypeVar("Unit")
Look = tuple[str, ...]
"""What is seen of a unit."""
_SHUFFLED = 20
"""The most units that a table shuffles with one roll."""


class Placed(Protocol):
    """Any record of a contact."""

    id: str
    turn: int
    """When it was last placed."""


Seen = TypeVar("Seen", bound=Placed)


# Memory


def longer(trail: Trail, place: str, turn: int, most: int) -> Trail:
    """The trail with one more sighting at its end, and at most that many in all."""
    return (*trail, (place, turn))[-most:]


def forget(
    contacts: dict[str, Seen], turn: int, after: int, keep: Callable[[Seen], object]
) -> None:
    """Remove contacts that were placed more than `after` turns ago, except those to `keep`."""
    old = [id_ for id_, c in contacts.items() if turn - c.turn > after and not keep(c)]
    for id_ in old:
        del contacts[id_]


class Contact(Struct, kw_only=True):
    """An enemy unit as one side knows it. A game with more to remember makes a subclass."""

    id: str
    """The side's pseudonym for it."""
    type: str
    """What was seen of it."""
    place: str
    """Where it was last placed."""
    turn: int
    """When it was last placed."""
    source: str = ""
    """What placed it, as `search`."""
    name: str = ""
    """Its true name, where the rules have told it."""
    trail: Trail = ()


class ContactBook(Struct):
    """One side's memory of contacts, by pseudonym. A part of a game's state.

    known.place(Contact(id="EN3", type="cruiser", place="K14", turn=7, source="search"))
    known.forget(turn=13, after=6)
    """

    contacts: dict[str, Contact] = {}

    def place(self, seen: Contact, most: int = 6) -> None:
        """Place a contact anew. Its name stays known, and its trail grows by where it was in an
        earlier turn, to at most that many sightings."""
        if old := self.contacts.get(seen.id):
            moved = old.turn != seen.turn
            seen.name = seen.name or old.name
            seen.trail = longer(old.trail, old.place, old.turn, most) if moved else old.trail
        self.contacts[seen.id] = seen

    def forget(self, turn: int, after: int) -> None:
        """Remove contacts without a name that were placed more than `after` turns ago."""
        forget(self.contacts, turn, after, lambda contact: contact.name)

    def lose(self, id_: str) -> None:
        """Remove a contact, as when it sank or stood revealed as another; it need not be there."""
        self.contacts.pop(id_, None)


# Pseudonyms


class Counter(Protocol):
    """What counts the pseudonyms of one side."""

    issued: int


def issue(counter: Counter, stands_for: dict[str, str], unit: str, prefix: str = "EN") -> str:
    """A new pseudonym, `EN3`, that stands for a unit from now on."""
    counter.issued += 1
    id_ = f"{prefix}{counter.issued}"
    stands_for[id_] = unit
    return id_


def number(id_: str) -> int:
    """The number of a pseudonym: 3 of `EN3`."""
    return int(id_.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ"))


def newest(contacts: Mapping[str, Seen], stands_for: Mapping[str, str], unit: str) -> Seen | None:
    """The contact by which a side knows a unit best: the one placed last, of those placed in one
    turn the one issued last. None if it has none."""
    mine = [c for id_, c in contacts.items() if stands_for.get(id_) == unit]
    return max(mine, key=lambda c: (c.turn, number(c.id)), default=None)


class Pseudonyms(Struct):
    """What one observer calls enemy units or groups, and whom that stands for: the truth, a part of
    the state that no view may read."""

    prefix: str = "EN"
    issued: int = 0
    stands_for: dict[str, str] = {}
    """Pseudonym -> id of the unit or group. Those that the observer saw end, as contacts merged or
    split, are removed. One that was followed by another stays: a contact that is lost may be
    remembered under it. `of` gives the one in use."""

    def issue(self, unit: str) -> str:
        """A new pseudonym for a unit, whatever it was called before."""
        return issue(self, self.stands_for, unit, self.prefix)

    def of(self, unit: str) -> str:
        """The pseudonym that was issued last for a unit; empty if it has none."""
        named = (id_ for id_, stands in self.stands_for.items() if stands == unit)
        return max(named, key=number, default="")  # by number: a stored state has EN10 before EN9

    def keep(self, unit: str) -> str:
        """The unit's pseudonym, a new one if it has none. Only where the observer can tell that it
        is the same unit."""
        return self.of(unit) or self.issue(unit)

    def merge(self, units: Sequence[str], into: str) -> str:
        """The observer sees contacts merge: the group `into` goes by the pseudonym that was issued
        first of those in use, the others are retired. Units that the observer does not know count
        for nothing; if it knows none, the group gets a new one."""
        used = sorted((name for unit in units if (name := self.of(unit))), key=number)
        self.stands_for = {id_: u for id_, u in self.stands_for.items() if u not in units}
        if not used:
            return self.issue(into)
        self.stands_for[used[0]] = into
        return used[0]

    def split(self, group: str, parts: Sequence[str], same: str = "") -> dict[str, str]:
        """The observer sees a contact split: its pseudonym is retired, each part gets a new one
        in this order, which must be one that the observer sees (`by_lot`).

        same: the part that the observer can tell to be the one from before; it keeps the pseudonym.
        Returns the pseudonym of each part.
        """
        before = self.of(group)
        self.stands_for = {id_: u for id_, u in self.stands_for.items() if u != group}
        if before and same:
            self.stands_for[before] = same
        return {part: before if before and part == same else self.issue(part) for part in parts}

    def move(self, unit: str, into: str) -> None:
        """Units merge or split unseen: what stood for one stands for another, under its number."""
        for id_ in [i for i, u in self.stands_for.items() if u == unit]:
            self.stands_for[id_] = into


class Watch(Struct):
    """One side's contacts where a name stays while a unit is in sight: what the side was told, whom
    its pseudonyms stand for, and whom it could tell apart from others. A part of the state, of
    which a view may show the `book` alone."""

    book: ContactBook = field(default_factory=ContactBook)
    called: Pseudonyms = field(default_factory=Pseudonyms)
    held: list[str] = []
    """The units that it saw last time and could tell from all others."""

    def name(self, seen: Mapping[str, Look], lots: Sequence[str]) -> dict[str, str]:
        """The pseudonyms of all units that the side sees now, in the order in which it is told of
        them: by their looks, those that look alike by lot.

        seen: each unit's looks, as place and type: all that the side sees of it. lots: the units in
        a random order (`table.shuffle`). A unit that was in sight last time keeps its pseudonym,
        unless another looks like it, now or then; all others get new ones.
        """
        looks = list(seen.values())
        alone = [unit for unit in seen if looks.count(seen[unit]) == 1]
        told = sorted(seen, key=lambda unit: (seen[unit], lots.index(unit)))
        kept = [unit for unit in told if unit in alone and unit in self.held]
        self.held = alone
        return {u: self.called.keep(u) if u in kept else self.called.issue(u) for u in told}


def by_lot(
    table: TableLike, label: str, units: Iterable[Unit], looks: Callable[[Unit], Any]
) -> list[Unit]:
    """Units in the order in which an observer may be told of them: by their looks, those that look
    alike by a lot that nobody sees.

    looks: all that the observer sees of a unit, as a value that can be compared and hashed. label:
    of the lots, PHASE/KIND/LOCUS/ROLLER; there is none for a unit that looks like no other.
    """
    alike: dict[Any, list[Unit]] = {}
    for unit in units:
        alike.setdefault(looks(unit), []).append(unit)
    return [unit for look in sorted(alike) for unit in _mixed(table, label, alike[look])]


def _mixed(table: TableLike, label: str, units: list[Unit]) -> list[Unit]:
    """In a random order; one by one while there are more than one roll can order."""
    rest, found = list(units), []
    while len(rest) > _SHUFFLED:
        found.append(rest.pop(rest.index(table.pick(label, rest, to=()))))
    return [*found, *table.shuffle(label, rest, to=())]


def by_looks(
    units: Iterable[Unit], group: Callable[[Unit], str], rank: Callable[[Unit], int]
) -> list[list[Unit]]:
    """Units in groups: the largest groups first, then by what is seen of their units, which is all
    that decides within a group, too.

    What looks alike stays in the order in which it is given. So this alone does not hide an order
    of the state: bring units that look alike, and groups, into a random one (`by_lot`).

    group: what says which units are seen together, different for each unit that is seen alone.
    rank: what the observer sees of a unit, as a place in a list of types.
    """
    groups: dict[str, list[Unit]] = {}
    for unit in units:
        groups.setdefault(group(unit), []).append(unit)
    found = [sorted(members, key=rank) for members in groups.values()]
    return sorted(found, key=lambda members: (-len(members), [rank(u) for u in members]))
