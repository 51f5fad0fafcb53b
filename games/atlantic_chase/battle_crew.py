"""Who is on the Battle Board, and whose orders bind for a ship there."""

from __future__ import annotations

from games.atlantic_chase import events_battle as eb
from games.atlantic_chase.state import Battle, Ship, TaskForce, War
from pbem.model import Side, TableLike


def force_of(war: War, side: Side) -> TaskForce:
    """A side's Task Force in the Battle."""
    assert war.fight
    ids = (war.fight.active, war.fight.target)
    return next(f for f in (war.forces[id_] for id_ in ids if id_ in war.forces) if f.side == side)


def board(war: War, side: Side) -> list[Ship]:
    """A side's ships on the Battle Board."""
    assert war.fight
    return [s for s in war.crew(force_of(war, side)) if s.id in war.fight.zones]


def foes(war: War, side: Side) -> list[Ship]:
    """The enemy's ships on it."""
    return board(war, war.idle if side == war.active else war.active)


def actors(war: War, ship: Ship) -> tuple[str, ...]:
    """Whose orders bind for a ship, strongest first."""
    return (ship.id, *whole(war, ship.side))


def whole(war: War, side: Side) -> tuple[str, ...]:
    """Whose orders bind for a side in the Battle as a whole."""
    return (force_of(war, side).id, side.upper())


def strength(ships: list[Ship]) -> int:
    """Gunnery values at long range, for doctrine alone."""
    return sum(max(0, s.face.far or 0) + (s.face.close is not None) for s in ships)


def in_smoke(fight: Battle) -> list[str]:
    """R194, R199 Ships that smoke obscures: those that make it, then the others, each once."""
    others = [ship for maker in fight.smoke for ship in fight.covers.get(maker, ())]
    return list(dict.fromkeys([*fight.smoke, *others]))


def lift_smoke(table: TableLike, fight: Battle) -> None:
    """R249 Smoke leaves the board with the ship that makes it; both sides hear of it where others
    lose their cover."""
    fight.smoke = [s for s in fight.smoke if s in fight.zones]
    fight.covers = {
        maker: [s for s in ships if s in fight.zones]
        for maker, ships in fight.covers.items()
        if maker in fight.smoke
    }
    before = [s for s in fight.hidden if s in fight.zones]
    fight.hidden = [s for s in before if s in in_smoke(fight)]
    if fight.hidden != before:
        table.tell(table.sides, eb.SmokeLies(rule="R249", ships=tuple(fight.hidden)))
