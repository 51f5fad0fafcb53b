"""What a ruling may change in a game of Far Seas: each keeps the books that the rules keep."""

from __future__ import annotations

from games.far_seas import board
from games.far_seas.board import GERMAN, OTHER
from games.far_seas.knowledge import Sighting, place
from games.far_seas.state import War
from pbem.kit.edits import named
from pbem.model import Edit, Unfit


class Move(Edit, frozen=True):
    """A ship is in another area; a leader takes the squadron along, others leave theirs.

    Its duty ends. Where the Allies had placed a German, he counts as named once more (M4).
    """

    ship: str
    area: str

    def amend(self, state: War) -> None:
        """M5 (S) The ship and those that follow it."""
        ship = named(state.ships, self.ship)
        if self.area not in board.AREAS:
            raise Unfit(f"{self.area!r} is not an area", "area")
        if ship.gone:
            raise Unfit(f"{ship.name} is {ship.gone}", "ship")
        if ship.leader:
            state.leave(ship.id)
        for one in state.group(ship.id) if ship.area else [ship]:
            one.area, one.duty, one.post, one.raids, one.trapped = self.area, "", "", "", False
            if seen := state.known.ships.get(one.id):
                seen.moves, seen.held = seen.moves + 1, False


class Damage(Edit, frozen=True):
    """Points of damage that a ship has in all; with its capacity it sinks, and is scored (K2)."""

    ship: str
    points: int

    def amend(self, state: War) -> None:
        """K2, K8 The log is corrected."""
        ship = named(state.ships, self.ship)
        if ship.gone or self.points < 0:
            what = f"is {ship.gone}" if ship.gone else "cannot have negative damage"
            raise Unfit(f"{ship.name} {what}", "ship" if ship.gone else "points")
        ship.damage = self.points
        if ship.sunk:
            state.score(OTHER[ship.side], ship.points, "sunk", "K2", ship.name)
            state.lose(ship.id, "sunk")
            state.known.ships.pop(ship.id, None)


class Sight(Edit, frozen=True):
    """The Allies know where a German ship is."""

    ship: str

    def amend(self, state: War) -> None:
        """S8 As if it had been found by search."""
        ship = named(state.ships, self.ship)
        if ship.side != GERMAN or not ship.afloat:
            raise Unfit(f"{ship.name} is not a German ship at sea", "ship")
        place(state.known, Sighting(ship.id, ship.area, state.turn, source="Ruling"))


def edits() -> tuple[type[Edit], ...]:
    """What a ruling may change."""
    return Move, Damage, Sight
