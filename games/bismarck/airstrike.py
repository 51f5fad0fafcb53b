"""9.1 Air attack (phase 4.7): which bombers may strike what, and what a strike does."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from games.bismarck import asks, board, calendar, contacts, naming, undone, victory
from games.bismarck import events_battle as ev
from games.bismarck.answers import Answers
from games.bismarck.battle import damage
from games.bismarck.battle.charts import MISS, Charts, Hit, charts
from games.bismarck.board import BRITISH, GERMAN, Zone
from games.bismarck.calendar import X
from games.bismarck.state import AirUnit, Ship, War
from games.bismarck.verbs_battle import Strike
from pbem.kit.contacts import number as number_of
from pbem.model import TWO_D6, Question, Side, TableLike

TYPES = ("BB", "CV", "CA")
"""What a bomber without orders attacks, first choice first."""


# 9.11-9.16 Who may strike, and what


def sky(war: War, zone: Zone) -> str:
    """9.16, 7.33, ruling 34 Why nothing may be attacked from the air there, empty when it may."""
    if calendar.night(war.turn, zone):
        return "it is night (9.16)"
    if war.level >= X:
        return "visibility is X (7.33, ruling 34)"
    return "the zone lies in fog (7.33)" if war.fog and zone in board.FOG else ""


def bombers(war: War, side: Side) -> list[AirUnit]:
    """9.11, 9.13 The side's bombers in attack mode that may strike where they are, by id."""
    return [u for u in war.airborne(side) if u.mode == "attack" and not sky(war, u.zone)]


def targets(war: War, side: Side, zone: Zone) -> list[Ship]:
    """9.11, 9.13 Enemy ships that were located this turn in that zone and may be struck; in port
    by 12.7 alone."""
    located = war.located[side]
    if not located:
        return []
    return [
        s
        for s in war.enemies(side)
        if s.zone == zone and s.id in located and (not s.in_port or open_in_port(s))
    ]


def open_in_port(ship: Ship) -> bool:
    """12.7 May a ship in its own port be attacked from the air? A German one in the turn in which
    it enters; the Prinz Eugen once more while she stays (12.7, ruling 53)."""
    if ship.side != GERMAN:  # 9.13
        return False
    return ship.zone in ship.path or (ship.type == "CA" and not ship.raided)


def strikes(tables: Charts, unit: AirUnit) -> int:
    """9.16 Strikes of a bomber in a day turn."""
    return tables.strikes[unit.side]


def types(ships: Iterable[Ship]) -> tuple[str, ...]:
    """The types that can be chosen among located ships, in the order of `TYPES`."""
    there = {contacts.general(s) for s in ships}
    return tuple(t for t in TYPES if t in there)


# 4.7 The phase


async def phase(table: TableLike, war: War, answers: Answers | None = None) -> None:
    """9.15 All British strikes, then all German ones; none after the Bismarck is sunk (9.714).

    answers: what was said of them before (`encounter`).
    """
    answers = answers or Answers(table)
    await _side(table, war, BRITISH, answers)
    if not victory.sunk(war):
        await _side(table, war, GERMAN, answers)


async def _side(table: TableLike, war: War, side: Side, answers: Answers) -> None:
    over = flights(war, side)
    _grounded(table, war, side, answers)
    asked = {key: _question(war, unit, n) for key, (unit, n) in over.items()}
    said = (await answers.find({side: asked}))[side]
    _astray(table, war, side, answers, said)
    picked: dict[tuple[str, str], str] = {}
    for key, (unit, _) in sorted(over.items(), key=_seen):
        if said[key] != asks.NONE:
            _go(table, war, unit, said[key], picked)
    for ship in map(war.ships.__getitem__, picked.values()):  # 12.7: on entering does not count
        ship.raided = ship.sheltered


def _grounded(table: TableLike, war: War, side: Side, answers: Answers) -> None:
    """9.13, 9.16, 7.33 Who ordered a bomber in the air to strike hears why it may not."""
    for unit in war.airborne(side):
        order = answers.explicit(war, side, (unit.id,), Strike)
        if order is None or order.what == "none":
            continue
        why = sky(war, unit.zone)
        if unit.mode != "attack":
            why = f"it took off in {unit.mode} mode (9.13)"
        if why:
            undone.tell(table, side, order, why, "9.16", unit.name)


def _astray(
    table: TableLike, war: War, side: Side, answers: Answers, said: Mapping[str, str]
) -> None:
    """9.17 Who ordered a bomber to strike a contact that is not where it is hears what it attacks
    instead; an order to the whole side tells of those of its bombers alone that find others.

    said: what each strike attacks.
    """
    for unit in bombers(war, side):
        there = targets(war, side, unit.zone)
        actors = (unit.id, side.upper()) if there else (unit.id,)
        order = answers.explicit(war, side, actors, Strike)
        if order is None or not order.contact or order.contact in _called(war, side, there):
            continue
        keys = [f"STRIKE {unit.id} {n + 1}" for n in range(strikes(charts(war.house), unit))]
        instead = dict.fromkeys(said[key] for key in keys if key in said)
        found = " and ".join(word for word in instead if word != asks.NONE)
        why = f"there is no {order.contact} to strike in {unit.zone}"
        why = f"{why}, so it attacks {found}" if found else why
        undone.tell(table, side, order, why, "9.17", unit.name)


def _seen(flight: tuple[str, tuple[AirUnit, int]]) -> tuple[tuple[int, int], str]:
    """9.17, ruling 36 What the enemy sees of a strike, which is all that puts strikes in order: its
    zone and the kind of bomber. By their ids those of the Ark Royal would always come first."""
    unit = flight[1][0]
    return board.key(unit.zone), unit.type


def flights(war: War, side: Side) -> dict[str, tuple[AirUnit, int]]:
    """9.16 Every strike that the side can make now: the bomber, and which of its strikes it is."""
    tables = charts(war.house)
    over = [u for u in bombers(war, side) if targets(war, side, u.zone)]
    return {f"STRIKE {u.id} {n}": (u, n) for u in over for n in range(1, strikes(tables, u) + 1)}


def questions(war: War, side: Side) -> dict[str, Question]:
    """9.16 What each strike attacks. A side that has located ships is asked even without bombers,
    so that a question gives nothing away."""
    asked: dict[str, Question] = {
        key: _question(war, unit, n) for key, (unit, n) in flights(war, side).items()
    }
    zones = {s.zone for s in war.enemies(side) if targets(war, side, s.zone)}
    about = sorted((z for z in zones if not sky(war, z)), key=board.key)
    if about and not asked:
        asked["STRIKE"] = asks.StrikeAt(
            about=f"no bombers over {' '.join(about)}",
            choices=(asks.NONE,),
            default=asks.NONE,
            rule="9.11",
        )
    return asked


def _question(war: War, unit: AirUnit, number: int) -> asks.StrikeAt:
    there = targets(war, unit.side, unit.zone)
    able = types(there)
    called = _called(war, unit.side, there)
    return asks.StrikeAt(
        about=f"{unit.name}, strike {number}",
        choices=(*able, *called, asks.NONE),
        default=able[0],
        rule="9.16",
        actors=(unit.id, unit.side.upper()),
        number=number,
        called=tuple(called),
    )


def _called(war: War, side: Side, there: Iterable[Ship]) -> list[str]:
    """9.17 The contacts that the side has of these ships, in order."""
    names = (naming.contact_of(war, side, s) for s in there)
    return sorted(filter(None, names), key=number_of)


def _go(
    table: TableLike, war: War, unit: AirUnit, word: str, picked: dict[tuple[str, str], str]
) -> None:
    """9.17 One strike at the counter of a contact, or at one of a type; of several, one is drawn
    unseen."""
    there = targets(war, unit.side, unit.zone)
    able = [s for s in there if word in (contacts.general(s), naming.contact_of(war, unit.side, s))]
    if not able:
        return
    again = [s for s in able if s.id == picked.get((unit.id, word))]
    label = f"AIR/COUNTER/{unit.zone}/{unit.side.upper()}"
    ship = again[0] if again else table.pick(label, able, ())
    picked[unit.id, word] = ship.id
    strike(table, war, unit, ship)


def strike(table: TableLike, war: War, unit: AirUnit, ship: Ship) -> Hit:
    """9.17, 9.18 Two dice on the Bomber Table; damage counts at once and names the ship."""
    tables, zone = charts(war.house), ship.zone
    label = f"AIR/STRIKE/{zone}/{unit.side.upper()}"
    total = sum(table.roll(label, TWO_D6, table.sides))
    hit = tables.bombs(unit.side, unit.type, ship.type).get(total, MISS)
    known = naming.contact_of(war, unit.side, ship) if hit != MISS else ""
    _tell(table, unit, ship, total, hit, known)
    if hit != MISS:
        _damage(table, war, ship, hit, tables)
    return hit


def _tell(table: TableLike, unit: AirUnit, ship: Ship, total: int, hit: Hit, known: str) -> None:
    """9.18 The attacker learns a ship's name only by hitting it: which counter it is. known: what
    he calls it."""
    from games.bismarck.battle import fire  # most turns see no strike

    result, why, zone = fire.words(hit) if hit != MISS else "miss", f"rolled {total}", ship.zone
    seen = ship.name if hit != MISS else contacts.general(ship)
    mine = ev.Struck(
        rule="9.16",
        why=why,
        who=unit.name,
        zone=zone,
        target=seen,
        result=result,
        contact=known,
    )
    theirs = ev.UnderAttack(
        rule="9.16", why=why, who=ship.name, zone=zone, by=unit.type, result=result
    )
    table.tell([unit.side], mine)
    table.tell([ship.side], theirs)


def _damage(table: TableLike, war: War, ship: Ship, hit: Hit, tables: Charts) -> None:
    from games.bismarck.battle import fire

    under_fire = damage.target(ship)
    beam = damage.beam_choice(under_fire, "bow")
    label = f"AIR/BEAM/{ship.zone}/{ship.side.upper()}"
    side = table.pick(label, beam, table.sides) if hit.secondary else beam[0]
    damage.mark(under_fire, hit, side, tables)
    fire.take(table, war, ship, under_fire, ship.zone, "9.18")
