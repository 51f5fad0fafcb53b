"""Sides and roles by the names that the moderator gives: `british`, `british.air`."""

from __future__ import annotations

from pbem.errors import NotFound, Usage
from pbem.model import Scenario, Side, System
from pbem.roles import require_sound, role_of, side_of
from pbem.store.game_dir import Game


def roles_of(system: System, scenario: Scenario) -> dict[Side, list[str]]:
    """Return side to the names of its roles. Raises Usage if the system declares them wrongly."""
    try:
        require_sound(scenario.sides, scenario.roles)
    except ValueError as error:
        raise Usage(f"{system.name}, scenario {scenario.name}: {error}") from None
    return {side: [role.name for role in roles] for side, roles in scenario.roles.items() if roles}


def require_seat(game: Game, seat: str) -> Side:
    """Return `seat` if it is a side or a role of this game. Raises NotFound."""
    register, side = game.register, side_of(seat)
    if seat in register.seats:
        return Side(seat)
    require_side(game, side)
    known = ", ".join(register.created.roles.get(Side(side), ())) or "none"
    raise NotFound(f"{side} has no role {role_of(seat)!r} in {game.name}", f"roles: {known}")


def require_side(game: Game, side: str) -> Side:
    """Return `side` if this game has it. Raises NotFound."""
    if side not in game.register.sides:
        sides = ", ".join(game.register.sides)
        raise NotFound(f"{game.name} has no side {side!r}", f"sides: {sides}")
    return Side(side)
