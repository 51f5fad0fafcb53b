"""6.17, 6.18 Cargo, the end of a scenario, its points and who has won."""

from __future__ import annotations

from collections.abc import Mapping

from games.second_fleet import advanced_events as aev
from games.second_fleet import events as ev
from games.second_fleet.advanced_state import BOXES
from games.second_fleet.board import BASES, LATTICE, NATO, SOVIET
from games.second_fleet.state import War, enemy
from games.second_fleet.tables import worth
from pbem.model import Over, Side, TableLike


def open_ports(war: War) -> dict[str, int]:
    """6.17/4 Where cargo ships may unload in a turn that begins: own undamaged ports, and what they
    are worth."""
    fields = war.fields
    return {
        hex_: points
        for hex_, points in worth().cargo.items()
        if fields[hex_].side == NATO and not fields[hex_].port
    }


def unload(table: TableLike, war: War, ports: Mapping[str, int]) -> None:
    """6.17/4 A cargo ship that lay all turn in a port, and was not attacked herself. ports: those
    that were undamaged as the turn began; what befalls them later in it does not count."""
    for ship in war.afloat(NATO):
        if ship.type != "CR" or ship.id in war.unloaded or ship.hex not in ports:
            continue
        if war.fields[ship.hex].side != NATO or ship.attacked or ship.sailed:
            continue
        war.unloaded.append(ship.id)
        points = ports[ship.hex]
        war.score(NATO, points, "cargo", "6.17", f"{ship.id} in {BASES[ship.hex].name}")
        told = ev.Unloaded(rule="6.17", ship=ship.id, port=BASES[ship.hex].name, points=points)
        table.tell(table.sides, told)


def ending(table: TableLike, war: War) -> Over | None:
    """6.18 Is the scenario over?"""
    if war.turn < war.plan.turns and (war.plan.roster or not _convoy_done(war)):
        return None
    return _last(table, war)


def _last(table: TableLike, war: War) -> Over:
    """6.17, 6.18 What is counted as the game ends."""
    if war.plan.roster:
        return _campaign(table, war)
    if war.plan.goal:
        _breakthrough(table, war)
    return count(war)


def armistice(table: TableLike, war: War) -> Over | None:
    """6.17/3 Bases and sea denial are counted as the armistice marker moves; its last box ends the
    game."""
    if not war.advanced:
        return None
    box = war.politics.box
    if box and box not in war.counted and war.plan.roster:
        _denial(table, war, box)
    return _last(table, war) if box == len(BOXES) - 1 else None


def _denial(table: TableLike, war: War, box: int) -> None:
    """3.14, 6.17/3 NATO bases in Soviet hands by the factor of the box; submarines and task forces
    that deny a zone to NATO."""
    war.counted.append(box)
    chart = worth()
    lost = [BASES[h] for h, f in war.fields.items() if BASES[h].side == NATO and f.side == SOVIET]
    taken = sum(base.points for base in lost) * chart.factors[box]
    keys = [k for k in war.keys(SOVIET) if war.kind(k) in ("TF", "SUB")]
    lead = [s for k in keys if not (s := war.members(k)[0]).decoy]
    sea = sum(chart.denial.get(s.zone, 0) for s in lead if not s.sub or s.type in ("SN", "SS"))
    war.score(SOVIET, taken, "bases", "3.14", f"bases at {BOXES[box]}")
    war.score(SOVIET, sea, "denial", "3.14", f"sea denial at {BOXES[box]}")
    table.tell(table.sides, aev.Counted(rule="6.17", box=BOXES[box], bases=taken, denial=sea))


def _campaign(table: TableLike, war: War) -> Over:
    """6.17/2-5 The last count, missile submarines and Soviet cargo, and how far who leads."""
    last = len(BOXES) - 1
    if last not in war.counted:
        _denial(table, war, last)
    chart = worth()
    subs = sum(s.type == "SB" for s in war.afloat(SOVIET))
    factor = chart.missile_subs[war.politics.strategy]
    war.score(SOVIET, subs * factor, "subs", "3.14", f"{subs} missile submarines")
    for ship in war.afloat(SOVIET):
        if ship.id in chart.cargo_ships and war.holds(SOVIET, ship.hex):
            home = ship.zone == "BS"
            points = chart.cargo_home if home else chart.cargo_away
            war.score(SOVIET, points, "cargo", "6.17", ship.id)
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


LEADERS = {NATO: "NATO leads", SOVIET: "the Soviets lead"}


def count(war: War) -> Over:
    """6.18 Who leads by enough, counted from par."""
    leader = Side(war.plan.leader)
    lead = war.total(leader) - war.total(enemy(leader)) - war.par
    figures = f"{war.total(NATO)} points of NATO to {war.total(SOVIET)} of the Soviets"
    if war.par:
        figures += f", even where {LEADERS[leader]} by {war.par}"
    winner = leader if lead > 0 else enemy(leader)
    if abs(lead) < war.plan.marginal:
        return Over("draw", "6.18", figures)
    return Over(winner, "6.18", f"{_degree(war, abs(lead))} victory, {figures}")


def _degree(war: War, lead: int) -> str:
    """6.17/2, 6.18 How great a victory is."""
    if lead >= war.plan.decisive:
        return "a decisive"
    substantive = war.plan.levels[1] if war.plan.levels else war.plan.decisive
    return "a substantive" if lead >= substantive else "a marginal"
