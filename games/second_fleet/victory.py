"""6.17, 6.18 Cargo, the end of a scenario, its points and who has won."""

from __future__ import annotations

from games.second_fleet import events as ev
from games.second_fleet.board import BASES, LATTICE, NATO, SOVIET
from games.second_fleet.state import War, enemy
from games.second_fleet.tables import worth
from pbem.model import Over, Side, TableLike


def unload(table: TableLike, war: War) -> None:
    """6.17/4 A cargo ship that lay in an undamaged own port all turn, and was not attacked."""
    ports = worth().cargo
    for ship in war.afloat(NATO):
        if ship.type != "CR" or ship.id in war.unloaded or ship.hex not in ports:
            continue
        field = war.fields[ship.hex]
        if field.side != NATO or field.port or ship.attacked or ship.wake[-1:] != [ship.hex]:
            continue
        war.unloaded.append(ship.id)
        points = ports[ship.hex]
        war.score(NATO, points, "cargo", "6.17", f"{ship.id} in {BASES[ship.hex].name}")
        told = ev.Unloaded(rule="6.17", ship=ship.id, port=BASES[ship.hex].name, points=points)
        table.tell(table.sides, told)


def ending(table: TableLike, war: War) -> Over | None:
    """6.18 Is the scenario over?"""
    if war.turn < war.plan.turns and not _convoy_done(war):
        return None
    if war.plan.goal:
        _breakthrough(table, war)
    return count(war)


def _convoy_done(war: War) -> bool:
    """6.18 No cargo ship is left at sea."""
    cargo = [s for s in war.vessels.values() if s.type == "CR"]
    return bool(cargo) and all(s.sunk or s.id in war.unloaded for s in cargo)


def _breakthrough(table: TableLike, war: War) -> None:
    """6.18 Submarines that broke through, and those that were kept in the north."""
    plan, goal = war.plan, war.plan.goal.split()
    through, behind, points = 0, 0, 0
    for sub in war.afloat(SOVIET):
        if sub.type not in ("SN", "SS"):
            continue
        if sub.zone in goal:
            through += 1
            points += plan.crippled if sub.damaged else plan.through
        elif LATTICE.parts(sub.hex)[1] < plan.row:
            behind += 1
    war.score(SOVIET, points, "through", "6.18", f"{through} submarines broke through")
    war.score(NATO, behind * plan.behind, "behind", "6.18", f"{behind} are still in the north")
    told = ev.BrokeThrough(
        rule="6.18", through=through, behind=behind, points=points, held=behind * plan.behind
    )
    table.tell(table.sides, told)


def count(war: War) -> Over:
    """6.18 Who leads by enough."""
    leader = Side(war.plan.leader)
    lead = war.total(leader) - war.total(enemy(leader))
    figures = f"{war.total(NATO)} points of NATO to {war.total(SOVIET)} of the Soviets"
    winner = leader if lead > 0 else enemy(leader)
    if abs(lead) < war.plan.marginal:
        return Over("draw", "6.18", figures)
    what = "a decisive" if abs(lead) >= war.plan.decisive else "a marginal"
    return Over(winner, "6.18", f"{what} victory, {figures}")
