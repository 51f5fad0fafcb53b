"""G2-G5, G7, G8: the Rufiji. Allies watch beside it: they may find what goes in, and meet what
comes out as they arrive."""

from __future__ import annotations

from games.far_seas import board, search
from games.far_seas import events as ev
from games.far_seas.board import BRITISH, GERMAN, RIVER
from games.far_seas.state import Fight, Ship, War
from games.far_seas.tables import rules
from pbem.model import D6, TableLike


def watchers(war: War) -> list[Ship]:
    """G3 Allied ships beside the river."""
    return [s for s in war.fleet(BRITISH) if s.duty == "watch" and not s.busy]


def phase(table: TableLike, war: War, inside: list[str]) -> list[Fight]:
    """G4-G8 inside: Germans that lay in the river as the segment began."""
    watch = watchers(war)
    if not watch:
        return []
    (die,) = table.roll(f"RIVER/FIND/{RIVER}/{watch[0].id}", D6, to=[BRITISH])
    _entered(table, war, inside, watch, die)
    fresh = [s.id for s in watch if s.moved]
    out = [war.ships[i] for i in inside if war.ships[i].duty != "river"]
    return [_met(table, war, ship, fresh) for ship in out if fresh]


def _met(table: TableLike, war: War, ship: Ship, by: list[str]) -> Fight:
    """G8 Allies that moved in this turn meet, without a roll, what comes out; they have the first
    shot. It is met at the mouth: it goes no further, nor with anybody. G4 Those that have watched
    for longer search only for what moves in."""
    war.leave(ship.id)
    ship.area = RIVER
    if board.STATIONS.get(ship.raids) != RIVER:
        ship.raids = ""
    fight = Fight(RIVER, [ship.id], by, "river", favoured=str(BRITISH))
    return search.found(table, war, fight, "G8", "Allies moved in as it came out")


def _seen(watch: list[Ship], die: int) -> bool:
    """G5 One squadron searches; each ship beyond the first takes one from the die."""
    return die - (len(watch) - 1) <= rules().search.success


def _why(watch: list[Ship], die: int) -> str:
    less = f" less {len(watch) - 1}" if len(watch) > 1 else ""
    return f"rolled {die}{less}, finds on {rules().search.success}"


def _entered(table: TableLike, war: War, inside: list[str], watch: list[Ship], die: int) -> None:
    """G4, G7 They may find only ships that moved in in this segment, not those that lay inside;
    these are not attacked, but trapped."""
    for ship in war.fleet(GERMAN):
        fresh = ship.duty == "river" and ship.segment == war.segment and ship.id not in inside
        if fresh and not ship.trapped and _seen(watch, die):
            ship.trapped = True
            table.tell(
                table.sides,
                ev.FoundInRiver(
                    rule="G7",
                    why=_why(watch, die),
                    germans=(ship.id,),
                    by=tuple(s.id for s in watch),
                ),
            )


def release(war: War) -> None:
    """G7 Nobody watches: a ship that was found in the river may leave it."""
    if not watchers(war):
        for ship in war.fleet(GERMAN):
            ship.trapped = False
        for seen in war.known.ships.values():
            seen.held = False
