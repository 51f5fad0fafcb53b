"""States that agree with the reports of one side, for a bot that searches.

Own units, weather and contacts are as the report shows them, hits, points and convoys as events
told them. Enemy units come from the caller; what he knows of own ships is what the side heard that
he learned. What no report tells stays as it was at the set-up.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct, convert

from games.bismarck import calendar, contacts, knowledge, report
from games.bismarck.board import GERMAN, OTHER, Zone
from games.bismarck.knowledge import Contact
from games.bismarck.state import (
    AirMode,
    Convoy,
    Discovery,
    Hits,
    Hold,
    Mode,
    Plan,
    Score,
    Ship,
    TaskForce,
    War,
)
from pbem.model import Plain, Side

FIRM = ("search", "shadow", "battle")
"""8.11 Sources of a contact that may be shadowed in the next turn."""
BOXES = ("bow", "stern", "port", "starboard", "midships")


class Seen(report.Report, frozen=True, kw_only=True):
    """What is read of a report."""

    board: report.SearchBoard


class Sighted(Struct, frozen=True):
    """Where a ship was found. source: as in `knowledge.Contact`."""

    turn: int
    ship: str
    zone: Zone
    source: str


class Memory(Struct):
    """What the side was told so far. heard: how the enemy found own ships; found: how the side
    found German ships, where it is the British; sunk: ids."""

    side: Side
    names: dict[str, str]
    """Ids of all ships by printed name; the order of battle is public."""
    heard: list[Sighted] = []
    found: list[Sighted] = []
    hits: dict[str, Hits] = {}
    sunk: set[str] = set()
    scores: list[Score] = []
    convoys: list[Convoy] = []
    seen: set[str] = set()
    """Own ships that were in play."""
    events: list[Plain] = []
    """Of the last report."""
    last: int = 0


def remember(memory: Memory, plain: Plain) -> Seen:
    """Read one more report."""
    seen = convert(plain, Seen, from_attributes=True)
    memory.events = list(plain["events"])
    memory.last = seen.turn
    turn = seen.turn - sum(e["kind"] == "VisibilitySet" for e in memory.events)
    for event in memory.events:
        turn += event["kind"] == "VisibilitySet"
        _note(memory, turn, event)
    memory.seen |= {u.id for u in seen.units if u.kind == "ship"}
    return seen


def _note(memory: Memory, turn: int, event: Plain) -> None:
    kind = event["kind"]
    if kind == "Scored":
        said = {key: event[key] for key in ("side", "points", "rule", "what")}
        memory.scores.append(convert({**said, "turn": turn}, Score))
    elif kind == "ShipHit":
        old = memory.hits.get(event["who"], Hits())
        new = {box: getattr(old, box) + event.get(box, 0) for box in BOXES}
        lost = old.permanent + event.get("evasion", 0)
        memory.hits[event["who"]] = Hits(**new, permanent=lost)
    elif kind == "ShipSunk":
        memory.sunk.add(memory.names[event["who"]])
    elif kind == "ConvoySunk":
        told = convert({k: v for k, v in event.items() if k != "kind"}, _Sunk)
        ids = tuple(memory.names[name] for name in told.ships)
        day, zone = calendar.day(turn), Zone(told.zone)
        memory.convoys.append(Convoy(turn, day, zone, ids, told.points))
        memory.heard += [Sighted(turn, i, zone, "convoy") for i in ids]
        memory.found += [Sighted(turn, i, zone, "convoy") for i in ids]
    else:
        memory.heard += [Sighted(turn, *rest) for rest in _heard(memory, event)]
        memory.found += [Sighted(turn, *rest) for rest in _found(memory, event)]


class _Sunk(Struct, frozen=True):
    ships: tuple[str, ...]
    zone: str
    points: int


Place = tuple[str, Zone, str]


def _heard(memory: Memory, event: Plain) -> Iterable[Place]:
    """7.23, 8.15, 10.2 Own ships that the enemy found."""
    kind = event["kind"]
    if kind == "CallHeard":
        yield from _placed(memory, event["who"], event["zone"], "search")
        yield from _placed(memory, event["passed"], event["zone"], "passed")
    elif kind == "Shadowed" and event["held"]:
        yield from _placed(memory, event["who"], event["zone"], "shadow")
    elif kind == "GeneralSearchHeard":
        yield from _placed(memory, (event["ship"],), event["zone"], "general search")
    elif kind == "BattleJoined":
        yield from _placed(memory, event["own"], event["zone"], "battle")


def _found(memory: Memory, event: Plain) -> Iterable[Place]:
    """7.23, 8.15, 10.2 German ships that the British found; each is the only one of her type."""
    kind = event["kind"]
    if kind in ("Located", "ShadowHeld"):
        types = {s["type"] for s in event["seen"]}
        ids = [i for t, i in (("BB", "BISMARCK"), ("CA", "PRINZ EUGEN")) if t in types]
        yield from ((i, Zone(event["zone"]), "search") for i in ids)
    elif kind == "GeneralSearch":
        yield from _placed(memory, (event["ship"],), event["zone"], "general search")
    elif kind == "BattleJoined":
        yield from _placed(memory, event["enemies"], event["zone"], "battle")


def _placed(memory: Memory, who: Iterable[str], zone: str, source: str) -> Iterable[Place]:
    return ((memory.names[name], Zone(zone), source) for name in who)


# The state


def begun(war: War, memory: Memory, seen: Seen) -> None:
    """Put into a state what the side knows, but for contacts: its own half, and the turn."""
    side = memory.side
    war.turn = seen.turn
    war.scores, war.convoys = list(memory.scores), list(memory.convoys)
    war.shadowed, war.shadowing, war.hunted, war.moved = [], {}, [], []
    war.battles, war.fought, war.sailing = [], [], False
    found = memory.heard if side == GERMAN else memory.found
    war.found = [Discovery(s.turn, s.ship, s.zone) for s in found if s.source != "passed"]
    for ship in war.ships.values():
        ship.origin, ship.path, ship.spent = ship.zone, (), 0
        hurt(ship, memory)
    _own_ships(war, memory, seen)
    _own_air(war, seen)
    for name, force in list(war.forces[OTHER[side]].items()):
        force.ships = [i for i in force.ships if not war.ships[i].sunk]
        if len(force.ships) < 2:
            for one in force.ships:
                war.ships[one].force = ""
            del war.forces[OTHER[side]][name]
    settle(war, seen)


def settle(war: War, seen: Seen) -> None:
    """7.12 The weather of the turn."""
    war.level = int(seen.board.level) if seen.board.level.isdigit() else calendar.X
    war.fog = seen.board.fog


def hurt(ship: Ship, memory: Memory) -> None:
    """9.7 Hits as both sides saw them."""
    hits = memory.hits.get(ship.name, Hits())
    most = {box: min(getattr(hits, box), getattr(ship.sections, box)) for box in BOXES}
    ship.hits = Hits(**most, permanent=hits.permanent)
    ship.sunk = ship.id in memory.sunk
    if ship.sunk:
        ship.hits.midships, ship.force, ship.plan = ship.sections.midships, "", None
    elif ship.hits.midships == ship.sections.midships:
        ship.hits.midships -= 1


def _own_ships(war: War, memory: Memory, seen: Seen) -> None:
    war.forces[memory.side] = {}
    for unit in seen.units:
        plan = Plan(rest=unit.path) if unit.path else None
        if unit.kind == "force":
            made = TaskForce(unit.id, list(unit.ships), _mode(unit.mode), plan)
            war.forces[memory.side][unit.id] = made
        if unit.kind != "ship":
            continue
        ship = war.ships[unit.id]
        ship.zone = ship.origin = unit.place
        ship.mode, ship.fuel, ship.two = _mode(unit.mode), unit.factors, unit.two
        ship.force, ship.wake, ship.plan = unit.force, unit.wake, None if unit.force else plan
        ship.hold = convert(unit.hold, Hold)
        ship.still = seen.turn if unit.tied and not unit.hold else 0
        ship.hits.temporary = max(0, ship.evasion_now - unit.evasion)


def _mode(word: str) -> Mode:
    return "patrol" if word == "patrol" else "move"


def _own_air(war: War, seen: Seen) -> None:
    here = {u.id: u for u in seen.units if u.kind == "air"}
    for unit in war.air.values():
        if unit.side != seen.side:
            continue
        shown = here.get(unit.id)
        unit.lost = shown is None
        unit.path, unit.used, unit.plan = (), 0, None
        if shown is None:
            unit.zone = Zone("")
            continue
        unit.zone = shown.place if shown.flying else Zone("")
        unit.mode, unit.up, unit.ready = convert(shown.mode, AirMode), shown.up, shown.ready


# What the sides know


def own_contacts(war: War, memory: Memory, seen: Seen, true: Mapping[str, str]) -> None:
    """The side's contacts as reported. true: the ship behind each; contacts without one go."""
    side = memory.side
    known = war.known[side]
    known.contacts = {
        c.id: Contact(
            id=c.id,
            type=c.type,
            zone=c.place,
            turn=seen.turn - c.age,
            source=c.source,
            force=tuple(id_ for id_ in c.force if id_ in true),
            name=c.name,
            trail=tuple((zone, seen.turn - age) for zone, age in c.trail),
        )
        for c in seen.contacts
        if c.id in true
    }
    known.issued = max((int(c.id[2:]) for c in seen.contacts), default=0)
    known.searched, known.blank = tuple(seen.board.searched), tuple(seen.board.blank)
    known.damage = {n: h for n, h in memory.hits.items() if memory.names[n] not in memory.sunk}
    war.tracks[side] = dict(true)
    last = [c for c in known.contacts.values() if c.turn == seen.turn - 1 and c.source in FIRM]
    war.located_last[side] = [war.tracks[side][c.id] for c in last]
    war.located[side] = []


def enemy_contacts(war: War, memory: Memory, seen: Seen) -> None:
    """The enemy's contacts of own ships: what the side heard that he learned."""
    enemy = OTHER[memory.side]
    known = war.known[enemy]
    known.contacts, known.issued, war.tracks[enemy] = {}, 0, {}
    known.damage = {n: h for n, h in memory.hits.items() if memory.names[n] not in memory.sunk}
    newest = {s.ship: s for s in memory.heard if s.ship not in memory.sunk}
    for sighted in newest.values():
        if seen.turn - sighted.turn > knowledge.FORGET:
            continue
        ship = war.ships[sighted.ship]
        id_ = contacts.pseudonym(war, enemy, ship)
        known.contacts[id_] = Contact(
            id_, contacts.general(ship), sighted.zone, sighted.turn, sighted.source
        )
    fresh = [s for s in newest.values() if s.turn == seen.turn - 1 and s.source in FIRM]
    war.located_last[enemy], war.located[enemy] = [s.ship for s in fresh], []
