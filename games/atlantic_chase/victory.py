"""Points, special rules and the end of an operation (section 9 of our rules page; all our own)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from games.atlantic_chase import board
from games.atlantic_chase import events as ev
from games.atlantic_chase.board import BRITISH, GERMAN, OTHER
from games.atlantic_chase.state import Ship, TaskForce, War
from games.atlantic_chase.tables import campaign, rules
from pbem.kit.checks import Refused
from pbem.model import Over, Side, TableLike

DRAW = Side("draw")
RULE = "victory"
FOR = {
    "hits": "{}",
    "damaged": "damage to {}",
    "sunk": "sinking {}",
    "completed": "bringing {} home",
    "safe": "{}, which nobody can stop any more",
    "rendezvous": "a meeting with {}",
    "exit": "{}, which got away",
    "landing": "{}, undamaged in Close",
}
"""What events say that points are for, by the kind of score."""


def tell_scores(table: TableLike, war: War, before: int) -> None:
    """Tell both sides the points that were written down since there were so many entries."""
    for one in war.scores[before:]:
        what = FOR[one.kind].format(one.what)
        table.tell(
            table.sides, ev.Scored(rule=one.rule, side=one.side, points=one.points, what=what)
        )


def hit(war: War, ship: Ship, count: int) -> None:
    """Hits on a Convoy score for the enemy."""
    if ship.convoy:
        points = count * rules().points.convoy_hit
        war.score(OTHER[ship.side], points, "hits", RULE, f"hits on {ship.card.name}")


def damaged(war: War, ship: Ship) -> None:
    """A ship's damaged side is up."""
    table = rules().points
    points = table.capital_damaged if ship.capital else table.other_damaged
    war.score(OTHER[ship.side], points, "damaged", RULE, ship.card.name)


def sunk(war: War, ship: Ship) -> None:
    """A ship is sunk: what it is worth in all, less what its damage has scored; a Convoy that is
    destroyed has scored by its Hits."""
    table = rules().points
    if ship.convoy:
        return
    if ship.card.type == "DD":
        points = table.squadron
    elif ship.card.back is None:
        points = table.other_sunk
    else:
        points = table.capital_sunk if ship.capital else table.other_sunk
        if not ship.damaged:
            points += table.capital_damaged if ship.capital else table.other_damaged
    if war.special("tirpitz_8") and ship.id == "TIRPITZ":
        points += 2
    war.score(OTHER[ship.side], points, "sunk", RULE, ship.card.name)


def best_port(war: War, force: TaskForce, ports: Sequence[str]) -> str:
    """The port that scores most for a Task Force, of those where it may Complete; the first of
    equal ones. Raises Refused."""
    best = max(ports, key=lambda port: sum(_worth(war, s, port) for s in war.crew(force)))
    require_home(war, force, best)
    return best


def completed(war: War, force: TaskForce, port: str) -> None:
    """R114 What a Task Force scores that has Completed in a port; special rule `unseen`: a
    British one that was never identified, a point."""
    if force.unknown and force.side == BRITISH and war.special("unseen"):
        war.score(force.side, 1, "completed", RULE, f"{force.id} unseen")
    for ship in war.crew(force):
        war.score(ship.side, _worth(war, ship, port), "completed", RULE, ship.card.name)


def _worth(war: War, ship: Ship, port: str) -> int:
    """Points of a ship that Completes in a port."""
    table = rules().points
    if ship.convoy:
        if port not in war.goals.get(ship.id, ()):
            return 0
        return _convoy(war, ship, port, table.scattered if ship.scattered else table.convoy)
    return _home(war, ship, port) if ship.side == GERMAN else 0


def _home(war: War, ship: Ship, port: str) -> int:
    """Special rules about Germans that come home."""
    if war.special("home_points") and port == "WILHELMSHAVEN":
        return 1 if not ship.capital else 2 if ship.damaged else 3
    brest = port in ("BREST", "ST NAZAIRE")
    if war.special("home_again") and brest and ship.capital and not ship.damaged:
        return 1
    both = war.special("home_in_brest") and port == "BREST" and ship.id == "SCHARNHORST"
    sister = war.ships.get("GNEISENAU")
    if both and sister and war.of_ship("GNEISENAU") is war.of_ship(ship.id):
        return 0 if ship.damaged or sister.damaged else 2
    return 0


def _convoy(war: War, ship: Ship, port: str, usual: int) -> int:
    """Special rules of Roesselsprung."""
    if war.special("qp13_1") and ship.id == "CONVOY 2":
        return 1
    if war.special("murmansk_2") and port == "MURMANSK":
        return min(usual, 2)
    return usual


LATE = 6
"""The spell from which the late Convoy of Berlin may sail."""


def forbidding(war: War) -> Iterator[str]:
    """Special rules and options by which some lines are left out now, as receipts know them."""
    if war.special("german_bight"):
        yield "german_bight"
    if war.special("late_convoy") and war.spell < LATE:
        yield "late_convoy"
    if _ordered(war):
        yield "orders_of_the_admiral"
    if war.options.get("damaged_hunt") == "forbidden":
        yield "damaged_hunt"
    if war.options.get("carrier_line") == "six":
        yield "carrier_line"


def require_sailing(war: War, force: TaskForce) -> None:
    """Special rule `late_convoy`: Convoy 3, which is TF7, stays in its box before spell 6, whatever
    Task Force it has joined there. Raises Refused."""
    if war.special("late_convoy") and "CONVOY 3" in force.ships and war.spell < LATE:
        raise Refused("too-early", RULE, f"{force.id} may not sail before spell {LATE}")


def require_engaging(war: War, target: TaskForce) -> None:
    """Special rule `orders_of_the_admiral`: Germans engage no Task Force with an undamaged BB.
    Raises Refused."""
    if _ordered(war) and war.active == GERMAN:
        for ship in war.crew(target):
            if ship.card.type == "BB" and not ship.damaged:
                text = f"{target.id} holds {ship.card.name}: your orders forbid it"
                raise Refused("orders", RULE, text, arg="target")


def _ordered(war: War) -> bool:
    """Has the admiral forbidden that?"""
    return war.special("orders_of_the_admiral") and war.options.get("admiral") != "off"


def require_home(war: War, force: TaskForce, port: str) -> None:
    """Special rule `german_bight`: KG1 may Complete in Wilhelmshaven only, where all three ships
    came in; round Scotland to Kiel nobody would find it in time. Raises Refused."""
    if war.special("german_bight") and force.side == GERMAN and port != "WILHELMSHAVEN":
        text = f"{force.id} may Complete in Wilhelmshaven only, not in {port.title()}"
        raise Refused("no-port", RULE, text)


def strike_modifiers(war: War, force: str, target: TaskForce) -> list[tuple[str, int]]:
    """Special rules `half_trained_group` (Victorious, where no other carrier can fly) and
    `fighter_cover` (Germans within a hex of one of their airbases): -1 to Air Strikes."""
    found = []
    decks = war.decks(war.forces[force]) if force in war.forces else []
    if war.special("half_trained_group") and decks == ["VICTORIOUS"]:
        found.append(("half-trained group", -1))
    if war.special("fighter_cover") and war.active != GERMAN:
        bases = war.base_hexes(GERMAN)
        if any(board.air_range(a, b) <= 1 for a in target.hexes for b in bases):
            found.append(("fighter cover", -1))
    return found


def convoys_gone(war: War) -> bool:
    """Has the last Convoy Completed, or is it destroyed, and is it Germans that act? Operations
    without Convoys have no such limit."""
    convoys = [s for s in war.ships.values() if s.convoy and s.side == BRITISH]
    return war.active == GERMAN and bool(convoys) and all(s.gone for s in convoys)


def must_complete(war: War, force: TaskForce) -> bool:
    """Our common rules: is it one of the warships that must go home now?"""
    return convoys_gone(war) and force.side == war.active and _warships(war, force)


def meetings(war: War, side: Side) -> None:
    """Special rule `rendezvous`: at the end of a German spell a warship and a tanker, both Stations
    of one hex, score once a tanker."""
    if side != GERMAN or not war.special("rendezvous"):
        return
    stations = [f for f in war.own(GERMAN) if f.station]
    for tanker in stations:
        for ship in war.crew(tanker):
            near = any(f.at == tanker.at and _warships(war, f) for f in stations)
            if ship.card.type == "AO" and ship.id not in war.met and near:
                war.met.append(ship.id)
                war.score(GERMAN, 1, "rendezvous", RULE, ship.card.name)


def _warships(war: War, force: TaskForce) -> bool:
    return any(s.card.type not in ("AO", "CONVOY", "LINER") for s in war.crew(force))


def ending(war: War) -> Over | None:
    """The end of an operation as a spell ends: settled, or the last spell is over."""
    return settled(war) if war.spell < war.table.length else over(war)


def finished(war: War) -> bool:
    """Is there nothing left to decide: no German warship at sea or to come? Groups do not count
    once no Convoy is left, as they could only go home."""
    if any(_warships(war, f) for f in war.own(GERMAN)):
        return False
    convoys = [s for s in war.ships.values() if s.convoy]
    idle = bool(convoys) and all(s.gone for s in convoys)
    return idle or not any(g.side == GERMAN for g in war.groups.values())


def settled(war: War) -> Over | None:
    """The end of an operation at once, if it is finished. Convoys still at sea have nothing to fear
    any more and score as if they had Completed (ruling): the German cannot deny them by going
    home."""
    if not finished(war):
        return None
    safe = {score.what for score in war.scores if score.kind == "safe" and score.turn == war.turn}
    for ship in (s for s in war.ships.values() if s.convoy and not s.gone):
        best = max(_worth(war, ship, port) for port in war.goals.get(ship.id, ("",)))
        if ship.card.name not in safe:  # asked again of an operation that is over
            war.score(ship.side, best, "safe", RULE, ship.card.name)
    return over(war)


def over(war: War) -> Over:
    """The result by the points as they are."""
    difference = war.total(GERMAN) - war.total(BRITISH)
    return Over(_winner(war, difference), RULE, why(war, difference))


def why(war: War, difference: int) -> str:
    """The result in words: `8 German to 10 British points: a decisive German victory (German less
    British -2 or more)`, as the points alone do not say who has done well."""
    bounds = _bounds(war, difference)
    return f"{points_told(war)}: {level(war, difference)} (German less British {bounds})"


def _bounds(war: War, difference: int) -> str:
    """The differences of points, German less British, that have this level."""
    decisive, narrow, british, most = levels(war)
    if difference >= decisive:
        return f"{decisive:+d} or more"
    if difference <= most:
        return f"{most:+d} or less"
    if difference >= narrow:
        return f"{narrow:+d} to {decisive - 1:+d}"
    if difference <= british:
        return f"{most + 1:+d} to {british:+d}"
    return f"{british + 1:+d} to {narrow - 1:+d}"


def points_told(war: War) -> str:
    """`4 German to 9 British points`"""
    return f"{war.total(GERMAN)} German to {war.total(BRITISH)} British points"


def levels(war: War) -> tuple[int, ...]:
    """The operation's levels, or those of the whole campaign."""
    return campaign().levels if war.season else war.table.levels


def level(war: War, difference: int) -> str:
    """The level of victory."""
    decisive, narrow, british, most = levels(war)
    if decisive == narrow:  # the Battle Board has one level
        winner = _winner(war, difference)
        return "a draw" if winner == DRAW else f"a {winner.title()} victory"
    if difference >= narrow:
        return f"a {'decisive' if difference >= decisive else 'narrow'} German victory"
    if difference <= british:
        return f"a {'decisive' if difference <= most else 'narrow'} British victory"
    return "a draw"


def _winner(war: War, difference: int) -> Side:
    _, narrow, british, _ = levels(war)
    return GERMAN if difference >= narrow else BRITISH if difference <= british else DRAW
