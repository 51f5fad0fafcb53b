"""What a side knows of the war, as a state: its own report, what it was told before, and luck.

Own units, points, bases and contacts are as the report has them. The enemy's printed set-up is
known, and every ship of his that was hit is named; which contact is which of his units, and where
the others are, guesses of the beliefs say. The rules are cited where their results are read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from msgspec import Struct

from games.second_fleet import belief_told, knowledge
from games.second_fleet.belief_told import Unit
from games.second_fleet.belief_unit import Guess
from games.second_fleet.board import HEXES, OTHER, PACK, ZONE_NAMES, ZONE_OF, by_water
from games.second_fleet.ice import ICE
from games.second_fleet.report import Enemy, Report
from games.second_fleet.state import Known, Vessel, War
from games.second_fleet.tables import INT_ATK, worth
from pbem.inference.quarry import Draws, pick, weighted
from pbem.kit.contacts import number
from pbem.kit.points import Score
from pbem.model import Plain, Side


class Chances(Struct, frozen=True):
    """Of strong.toml."""

    away: float
    alike: float


class Book:
    """What a side was told so far."""

    def __init__(self, side: Side, scenario: str, chances: Chances) -> None:
        self.side, self.foe, self.chances = side, OTHER[side], chances
        self.units = belief_told.units(scenario, side)
        self.sunk: set[str] = set()
        self.hurt: set[str] = set()
        self.earned = 0
        """3.14, 6.17/4 Own points for what was told by name: the others are for aircraft."""
        self.issued = 0
        """The highest number of a contact."""
        self.seen: Report

    def learn(self, seen: Report, events: Iterable[Plain]) -> None:
        """Read a report and its events."""
        self.seen = seen
        for event in events:
            if event["kind"] == "Sunk":
                self.sunk.add(event["ship"])
                self.earned += event["points"] if event["side"] == self.foe else 0
            elif event["kind"] == "Struck" and event["outcome"] == "damaged":
                self.hurt.add(event["ship"])
            elif event["kind"] == "Unloaded" and self.side == "nato":
                self.earned += event["points"]
            elif event["kind"] == "Located":
                self.issued = max(self.issued, number(event["contact"]))
        self.issued = max([self.issued, *(number(c.id) for c in seen.contacts)])

    def world(self, war: War, guesses: Mapping[str, Sequence[Guess]], draws: Draws) -> War:
        """The state of the set-up made one of now, before the turn's opening question."""
        seen = self.seen
        war.turn, war.stage, war.segment = seen.turn, "segment", 0
        if war.part == "AM":
            war.stage = "strategic"
        war.losses = {self.side: "damaged", self.foe: "damaged"}
        war.unloaded = list(seen.board.unloaded)
        for base in seen.board.hurt:
            war.fields[base.hex].air, war.fields[base.hex].port = base.air, base.port
        self._own(war)
        war.scores = list(self._scores())
        self._aircraft(war, draws)
        Placing(self, war, guesses, draws).place()
        for side in (self.side, self.foe):
            war.remark(side)
        self._contacts(war)
        self._found(war)
        return war

    # Own units

    def _own(self, war: War) -> None:
        rows = {unit.id: unit for unit in self.seen.units}
        wakes = {unit.id: unit.wake for unit in self.seen.units if unit.kind == "group"}
        war.groups = {name: side for name, side in war.groups.items() if side != self.side}
        war.groups |= dict.fromkeys(wakes, self.side)
        for ship in war.vessels.values():
            if ship.side != self.side:
                continue
            row = rows.get(ship.id)
            ship.sunk = row is None
            ship.group = row.group if row else ""
            if row is None:
                continue
            ship.hex, ship.damaged = row.place, row.damaged
            ship.level = row.level  # type: ignore[assignment]
            ship.wake = list(wakes.get(row.group, row.wake)) or [ship.hex]
        for unit in war.squadrons.values():
            if unit.side != self.side:
                continue
            row = rows.get(unit.id)
            unit.lost = row is None
            if row is None:
                continue
            unit.base, unit.damaged = row.base, row.damaged
            unit.at = AWAY.get(row.away, "mission")
            if unit.at in ("mission", "box"):
                unit.zone = ZONE_OF[row.place]
            if unit.at == "mission":
                mission, _, zone = row.away.partition(" ")
                unit.mission = mission  # type: ignore[assignment]
                unit.zone = next(z for z in ZONE_NAMES if z == zone)

    def _points(self, side: Side) -> int:
        names = {"nato": "NATO", "soviet": "Soviet"}
        found = (p.points for p in self.seen.board.points if p.name == names[side])
        return next(found, 0)

    def _scores(self) -> Iterable[Score]:
        """The points so far, in one line for each side."""
        for side in (self.side, self.foe):
            if points := self._points(side):
                yield Score(side=side, points=points, kind="so far", rule="3.14", what="", turn=1)

    # The enemy's aircraft

    def _aircraft(self, war: War, draws: Draws) -> None:
        """3.14 As many are lost as points tell; who looks out flies till Night (242)."""
        flying = [u for u in war.squadrons.values() if u.side == self.foe]
        for unit in flying:
            if unit.embarked and unit.base in self.sunk:
                unit.lost = True
            elif unit.role in INT_ATK or war.part == "AM":
                continue
            elif draws.random() < self.chances.away:
                unit.at, unit.zone = "box", ZONE_OF[war.spot(unit.base)]
        able = [u for u in flying if u.role in INT_ATK and not u.lost]
        lost = (self._points(self.side) - self.earned) // worth().squadron
        for _ in range(min(lost, len(able))):
            unit = pick(draws, able)
            unit.lost = True
            able.remove(unit)

    # Contacts

    def _contacts(self, war: War) -> None:
        """6.16 Those of the report. Whom they stand for is settled already."""
        turn = self.seen.turn
        war.called[self.side].issued = self.issued
        war.known[self.side] = {c.id: _known(c, turn) for c in self.seen.contacts}
        keys = war.keys(self.foe)
        for contact in self.seen.contacts:
            fits = [k for k in keys if (war.kind(k) == "SUB") == (contact.kind == "SUB")]
            war.called[self.side].stands_for.setdefault(contact.id, (fits or keys or [""])[0])
        names = [n.partition(" ")[0] for c in self.seen.contacts if c.level for n in c.names]
        war.named[self.side] = names

    def _found(self, war: War) -> None:
        """6.16/6 What the enemy has before his eyes: own ships with his marker."""
        turn = self.seen.turn
        for key in war.keys(self.side):
            if not knowledge.shown(war, key):
                continue
            look = knowledge.look(war, self.foe, key)
            name = war.held[self.foe][key] = war.called[self.foe].issue(key)
            war.known[self.foe][name] = Known(
                id=name, kind=look.what, types=look.types, size=look.size, place=look.at,
                turn=turn, level=look.level, hurt=look.hurt,
            )  # fmt: skip


PACKED = frozenset(hex_ for hex_, kind in HEXES.items() if kind == PACK)
AWAY: Mapping[str, Literal["base", "cap", "return", "box"]] = {
    "": "base",
    "on patrol": "cap",
    "back from patrol": "return",
    "back from a mission": "box",
}


def _known(seen: Enemy, turn: int) -> Known:
    return Known(
        id=seen.id, kind=seen.kind, types=tuple(seen.types), size=seen.size,  # type: ignore[arg-type]
        place=seen.place, turn=turn - seen.age, level=seen.level, lost=not seen.level,
        hurt=seen.hurt, names=tuple(seen.names),
        trail=tuple((place, turn - ago) for place, ago in seen.trail),
    )  # fmt: skip


class Placing:
    """Puts the enemy's ships into a world: under contacts that they may be, or by guesses."""

    def __init__(
        self, book: Book, war: War, guesses: Mapping[str, Sequence[Guess]], draws: Draws
    ) -> None:
        self.book, self.war, self.guesses, self.draws = book, war, guesses, draws
        for ship in war.vessels.values():
            if ship.side == book.foe:
                ship.sunk, ship.damaged = ship.id in book.sunk, ship.id in book.hurt
        self.left = {u.id: u for u in book.units if self._afloat(u)}
        self.held = {c.id for c in book.seen.contacts if c.level}

    def _afloat(self, unit: Unit) -> list[Vessel]:
        """Ships of a unit that have no place yet."""
        ships = (self.war.vessels[id_] for id_ in sorted(unit.ships))
        return [s for s in ships if not s.sunk]

    def place(self) -> None:
        """All of them. Contacts with names first, then by number."""
        contacts = [c for c in self.book.seen.contacts if c.level]
        for contact in sorted(contacts, key=lambda c: (not c.names, number(c.id))):
            self._under(contact)
        for unit in self.left.values():
            ships = [s for s in self._afloat(unit) if s.id not in self.placed]
            hex_ = self._somewhere(unit, ships)
            for ship in ships:
                ship.hex, ship.level, ship.wake = hex_, 0, [hex_]

    def _somewhere(self, unit: Unit, ships: Sequence[Vessel]) -> str:
        """20, 116, 226 By a guess that takes her for no contact that is held, not among ships of
        which one side sees the other, and not in ice that she cannot break."""
        found = [g for g in self.guesses.get(unit.id, ()) if g.contact not in self.held]
        hex_ = pick(self.draws, found).hex if found else unit.start
        if unit.sub:
            return hex_
        taken = {c.place for c in self.book.seen.contacts if c.level and c.kind != "SUB"}
        taken |= {s.hex for s in self.war.afloat(self.book.side) if not s.sub}
        if not all(s.type in ICE for s in ships):
            taken |= PACKED
        far = by_water(hex_)
        return next((h for h in sorted(far, key=lambda h: (far[h], h)) if h not in taken), hex_)

    @property
    def placed(self) -> set[str]:
        """Ships that stand for contacts."""
        keys = self.war.held[self.book.side]
        return {ship.id for key in keys for ship in self.war.members(key)}

    def _under(self, contact: Enemy) -> None:
        """6.16/2 The ships of a contact: all of a unit, or the part of it that was seen."""
        names = {n.partition(" ")[0] for n in contact.names}
        wanted = _counts(contact)
        fits = {u.id: w for u in self.left.values() if (w := self._weight(u, contact, names))}
        if not fits:
            return
        unit = self.left[weighted(self.draws, fits)]
        ships = [s for s in self._afloat(unit) if s.id not in self.placed]
        if contact.kind == "single":
            able = [s for s in ships if s.id in names] or [s for s in ships if s.type in wanted]
            ships = [pick(self.draws, able or ships)]
        elif contact.level == 2 and not unit.sub:
            ships = _part(ships, wanted, names)
        whole = len(ships) == len([s for s in self._afloat(unit) if s.id not in self.placed])
        if not whole and contact.kind == "single":
            ships[0].group = ""
        elif not whole:
            for ship in self._afloat(unit):
                if ship not in ships and ship.id not in self.placed:
                    ship.group = ""
        if whole:
            del self.left[unit.id]
        for ship in ships:
            ship.hex, ship.wake = contact.place, [contact.place]
            ship.level = contact.level  # type: ignore[assignment]
        key = ships[0].key
        self.war.held[self.book.side][key] = contact.id
        self.war.called[self.book.side].stands_for[contact.id] = key

    def _weight(self, unit: Unit, contact: Enemy, names: set[str]) -> float:
        """How likely a contact is a unit, or a part of it."""
        ships = [s for s in self._afloat(unit) if s.id not in self.placed]
        if names and unit.sub == (contact.kind == "SUB"):
            return float(any(s.id in names for s in ships))
        if unit.sub != (contact.kind == "SUB") or not _fits(ships, contact):
            return 0.0
        alike = self.book.chances.alike
        if contact.kind == "single" and len(ships) > 1:
            return alike
        found = self.guesses.get(unit.id, ())
        return alike + sum(g.contact == contact.id for g in found) / max(1, len(found))


def _fits(ships: Sequence[Vessel], contact: Enemy) -> bool:
    """6.16/2 May the contact be these ships, or some of them, by what the marker shows?"""
    if len(ships) < (2 if contact.kind in ("TF", "TG") else 1):
        return False
    types, hurt = Counter(s.type for s in ships), sum(s.damaged for s in ships)
    if any(types[kind] < count for kind, count in _counts(contact).items()):
        return False
    alone = len(ships) == 1
    return contact.level < 2 or (hurt == contact.hurt if alone else hurt >= contact.hurt)


def _counts(contact: Enemy) -> Counter[str]:
    """6.16/2 `2 DD` are two."""
    found = Counter[str]()
    for text in contact.types:
        count, _, kind = text.rpartition(" ")
        found[kind] += int(count or 1)
    return found


def _part(ships: Sequence[Vessel], wanted: Counter[str], names: set[str]) -> list[Vessel]:
    """As many ships of each type as were counted, those first that were named."""
    left, found = Counter(wanted), []
    for ship in sorted(ships, key=lambda s: (s.id not in names, s.id)):
        if left[ship.type] > 0:
            left[ship.type] -= 1
            found.append(ship)
    return found if len(found) > 1 else list(ships)
