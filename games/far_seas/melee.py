"""A fight of one group of ships with another, shared by running (R) and combat (K).

A meeting is one fight at first; ships that run break it up (R3).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from games.far_seas.gunnery import CLOSE, Gunner
from games.far_seas.state import BRITISH, GERMAN, Fight, Ship, War
from pbem.model import Side


class Melee(Struct):
    """A fight as it goes on."""

    area: str
    sides: dict[Side, list[Gunner]]
    """The ships in it."""
    rounds: int = 0
    """Fought so far."""
    ahead: int = 0
    """K4 Steps that surprise skipped."""
    bonus: Side | None = None
    """S12, G8 Who has +2."""
    ambush: bool = False
    """S12, K7 The Germans surprised: +2 in every round, not in the first alone (G8)."""
    quiet: int = 0
    """Rounds in a row at C range without damage."""
    sprung: bool = False
    """K5 One side was surprised, by S12 or by R2: nobody may run any more."""

    @property
    def step(self) -> int:
        """K1, K4 Which range it has come to."""
        return self.rounds + self.ahead

    @property
    def favoured(self) -> Side | None:
        """S12, G8 Who has +2 in this round."""
        return self.bonus if self.ambush or self.rounds == 1 else None

    @property
    def gunners(self) -> list[Gunner]:
        """Everybody in it, by id: the order in which dice are thrown."""
        return sorted((g for side in self.sides.values() for g in side), key=lambda g: g.id)

    @property
    def on(self) -> bool:
        """Are there ships of both sides?"""
        return all(self.sides.values())

    def ships(self, side: Side) -> list[Ship]:
        """The ships of one side."""
        return [g.ship for g in self.sides[side]]

    def part(self, sides: dict[Side, list[Gunner]]) -> Melee:
        """The same fight, with some of its ships."""
        return replace(self, sides=sides)


def begin(war: War, fight: Fight) -> Melee:
    """K4, G8 The whole meeting as one fight; who surprises begins it at C range."""
    sides = {s: [_gunner(war.ships[i]) for i in fight.ships(s)] for s in (GERMAN, BRITISH)}
    melee = Melee(fight.area, sides)
    if fight.favoured:
        melee.ahead, melee.bonus = CLOSE - 1, Side(fight.favoured)
        melee.ambush = melee.sprung = fight.favoured == GERMAN
    return melee


def _gunner(ship: Ship) -> Gunner:
    return Gunner(ship, before=ship.damage)


def shown(war: War, given: Fight, melee: Melee) -> None:
    """Conditions (`odds`, `enemy ships`, `round`) see this fight alone."""
    war.fight = Fight(
        melee.area,
        [s.id for s in melee.ships(GERMAN)],
        [s.id for s in melee.ships(BRITISH)],
        given.how,
        given.favoured,
        given.station,
        melee.rounds,
    )


def names(ships: Iterable[Ship]) -> tuple[str, ...]:
    """Printed names."""
    return tuple(s.name for s in ships)


def apart(gunners: Sequence[Gunner], some: Iterable[Gunner]) -> list[Gunner]:
    """`gunners` without some of them."""
    gone = {g.id for g in some}
    return [g for g in gunners if g.id not in gone]
