"""What conditions may test. Everything but orders is public, so both sides know it all."""

from __future__ import annotations

from games.atlantic_chase import tables
from games.atlantic_chase.state import Ship, TaskForce, War
from games.atlantic_chase.totals import trajectory_total
from orders.terms import Terms
from pbem.model import Side

TERMS = Terms[War]()
knows = TERMS.facts


@TERMS.number
def spell(war: War, side: Side, actor: str) -> int:
    """number of the spell of Initiative"""
    return war.spell


@TERMS.number
def tally(war: War, side: Side, actor: str) -> int:
    """the initiative tally"""
    return war.tally


@TERMS.word("good", "bad")
def weather(war: War, side: Side, actor: str) -> str:
    """weather outside the Arctic"""
    return war.weather


@TERMS.number
def points(war: War, side: Side, actor: str) -> int:
    """own points less the enemy's"""
    return war.total(side) - sum(war.total(s) for s in (war.active, war.idle) if s != side)


RESULTS: tuple[str, ...] = (
    *("none", "miss", "contact", "skirmish", "sighted", "early", "shadow", "closing"),
    *("battle", "surprise", "hit", "damage", "lost"),
)
_WORDS = {"M": "miss", "C": "contact", "K": "skirmish", "G": "sighted", "E": "early", "H": "shadow"}
_WORDS |= {"CL": "closing", "B": "battle", "SU": "surprise", "h": "hit", "hS": "hit", "hV": "hit"}
_WORDS |= {"D": "damage", "L": "lost"}


@TERMS.word(*RESULTS)
def last_result(war: War, side: Side, actor: str) -> str:
    """the last, most important result of the spell's last rolled action"""
    return _WORDS[war.last.split("+")[-1]] if war.last else "none"


# About a Task Force of either side: `length of KG1`, `station KG1`


def _force(war: War, name: str) -> TaskForce | None:
    return war.forces.get(name)


@TERMS.of("either").number
def length_of(war: War, side: Side, actor: str, of: str) -> int | None:
    """segments of a Task Force's Trajectory, 0 for a Station"""
    force = _force(war, of)
    return force.length if force else None


@TERMS.of("either").flag
def station(war: War, side: Side, actor: str, of: str) -> bool | None:
    """is the Task Force a Station on the map"""
    force = _force(war, of)
    return force.station if force else None


@TERMS.of("either").number
def intel_of(war: War, side: Side, actor: str, of: str) -> int | None:
    """Intel markers on the Task Force"""
    force = _force(war, of)
    return len(force.intel) if force else None


@TERMS.of("either").number
def contacts_of(war: War, side: Side, actor: str, of: str) -> int | None:
    """Contact markers on the Task Force"""
    force = _force(war, of)
    return len(force.contact) if force else None


@TERMS.of("either").flag
def evasive(war: War, side: Side, actor: str, of: str) -> bool | None:
    """has the Task Force an Evasive marker"""
    force = _force(war, of)
    return force.evasive if force else None


@TERMS.of("either").rank(*(speed for speed in tables.SPEEDS))
def speed_of(war: War, side: Side, actor: str, of: str) -> str | None:
    """speed of the Task Force's slowest ship"""
    force = _force(war, of)
    return tables.SPEEDS[war.speed(force)] if force else None


@TERMS.of("either").flag
def gone(war: War, side: Side, actor: str, of: str) -> bool:
    """is the Task Force not in play"""
    return _force(war, of) is None


# In a Battle


@TERMS.number
def round(war: War, side: Side, actor: str) -> int | None:
    """in a Battle: the round"""
    return war.fight.round if war.fight else None


@TERMS.number
def guns(war: War, side: Side, actor: str) -> int | None:
    """own guns in per cent of the enemy's, in a Battle or Skirmish: gunnery values at long range,
    and 1 for each ship that fires there; 9999 if nobody but you has any"""
    crews = _fighting(war, side)
    if crews is None:
        return None
    own, foe = (sum(map(_weight, crew)) for crew in crews)
    if own and not foe:
        return ALONE
    return 100 * own // max(1, foe)


ALONE = 9999
"""`guns` against an enemy without any: as much as orders can ask for."""


def _weight(ship: Ship) -> int:
    """What a ship counts in `guns`; nothing where it has no gunnery value."""
    return 0 if ship.face.far is None else 1 + max(0, ship.face.far)


@TERMS.number
def total(war: War, side: Side, actor: str) -> int | None:
    """Trajectory Total of the action under way"""
    return trajectory_total(war, war.deed) if war.deed else None


@TERMS.flag
def damaged(war: War, side: Side, actor: str) -> bool:
    """is the ship ordered damaged, or one of the Task Force, or of a side in Battle"""
    return any(s.damaged for s in _ships(war, side, actor))


@TERMS.of("either").flag
def hurt(war: War, side: Side, actor: str, of: str) -> bool | None:
    """has the Task Force a damaged ship"""
    force = _force(war, of)
    return any(s.damaged for s in war.crew(force)) if force else None


@TERMS.flag
def enemy_near(war: War, side: Side, actor: str) -> bool | None:
    """in a Battle: is an enemy in Near or Close"""
    if war.fight is None:
        return None
    zones = war.fight.zones
    return any(zones[s] != "far" for s in sorted(zones) if war.ships[s].side != side)


def _ships(war: War, side: Side, actor: str) -> list[Ship]:
    """The ship of that name; the ships of a Task Force; those of a side in Battle, else all."""
    if actor in war.ships:
        return [war.ships[actor]]
    if actor in war.forces:
        return war.crew(war.forces[actor])
    return _here(war, [s for f in war.own(side) for s in war.crew(f)])


def _here(war: War, ships: list[Ship]) -> list[Ship]:
    """Of these ships those on the board of the Battle; without a Battle all."""
    return [s for s in ships if s.id in war.fight.zones] if war.fight else ships


def _fighting(war: War, side: Side) -> tuple[list[Ship], list[Ship]] | None:
    """The own and the enemy ships of the action under way; in a Battle those on its board."""
    if war.fight:
        ids = war.fight.active, war.fight.target
    elif war.deed:
        ids = war.deed.force, war.deed.target
    else:
        return None
    found = [war.forces[id_] for id_ in ids if id_ in war.forces]
    if len(found) < 2:
        return None
    found.sort(key=lambda f: f.side != side)
    own, foe = (_here(war, war.crew(f)) for f in found)
    return own, foe
