"""What the British reports of a game say of one German ship, turn by turn, for beliefs.

Only events and the public board are read, in the words of report.json. Turns begin with the event
that sets their weather; what was told in one of which a report is missing is unknown.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct, convert
from msgspec.structs import replace

from games.bismarck import board, calendar, tables
from games.bismarck.board import BRITISH, GERMAN, Zone
from games.bismarck.bot_common import Report
from games.bismarck.calendar import FIRST, X
from games.bismarck.chance import Entry
from pbem.inference import quarry
from pbem.model import Plain

Fact = Plain
"""An event of report.json."""


class Turn(Struct):
    """A turn as it was told. level: visibility; heard: was its report kept?"""

    turn: int
    level: int = X
    fog: bool = True
    events: list[Fact] = []
    heard: bool = False
    types: dict[str, str] = {}
    """Own ships by name."""


def turns(reports: Iterable[Plain]) -> list[Turn]:
    """The turns that the reports tell of, from the first one on; the last is the turn before the
    open one. reports: of one side, in order."""
    found: dict[int, Turn] = {}
    last = FIRST
    for report in reports:
        parts = _parted(report["events"])
        first = report["turn"] - len(parts) + 1
        for turn, part in enumerate(parts, first):
            now = found.setdefault(turn, Turn(turn))
            now.events += part
            now.heard = True
            now.types = {u["name"]: u["type"] for u in report["units"]}
        here = found.setdefault(report["turn"], Turn(report["turn"]))
        here.level, here.fog = _level(report["board"]["level"]), report["board"]["fog"]
        for turn, part in enumerate(parts[1:], first + 1):
            _weather(found[turn], part)
        last = max(last, report["turn"])
        if report.get("result"):
            last = report["turn"] + 1
    return [found.get(turn) or Turn(turn) for turn in range(FIRST, last)]


def _parted(events: Iterable[Fact]) -> list[list[Fact]]:
    """The events of each turn; the last part is that of the turn that the report opens or goes on
    with."""
    parts: list[list[Fact]] = [[]]
    for event in events:
        if event["kind"] == "VisibilitySet":
            parts.append([])
        parts[-1].append(event)
    return parts


def _weather(turn: Turn, events: Sequence[Fact]) -> None:
    """4.2 The weather of a turn from the event that begins it."""
    told = events[0]
    turn.level, turn.fog = _level(told["level"]), told["fog"]


def _level(name: str) -> int:
    return int(name) if name.isdigit() else X


class Told(quarry.Told, frozen=True, kw_only=True):
    """What the British learned of one turn about one German ship. fix: her zone, if told."""

    level: int
    fog: bool
    called: frozenset[Zone] = frozenset()
    """Zones in which she was not found (7.21)."""
    passed: str = ""
    """7.23 The zone that she went through."""
    heard: str = ""
    """10.22 The zone of HUFF-DUFF."""
    entry: Entry | None = None
    """10.1 The chance table's line for her."""
    prize: bool = False
    """10.23 Might she have sunk a convoy, if she met one?"""
    sank: bool = False
    """10.25 She sank one, and stays where she is next turn."""
    two: bool | None = None
    """8.18 Did she move two zones while she was shadowed? None: not told."""
    found: bool = False
    """Was she found in the turn before?"""
    evasion: int
    """Hers, after the damage that was seen."""
    knows: Report
    """What her captain knew as he gave his orders, as far as the British can tell."""


class Name(Struct, frozen=True):
    """A German ship. type: as searches tell it."""

    id: str
    name: str
    type: str
    evasion: int


SHIPS = tuple(Name(s.id, s.name, s.type, s.evasion) for s in tables.ships({}) if s.side == GERMAN)
"""The raiders: each is the only one of her type, so that a sighting tells which she is."""


def told(ship: Name, along: Sequence[Turn]) -> list[Told]:
    """The observations of every turn."""
    found: list[Told] = []
    convoys: list[int] = []
    lost: dict[str, int] = {}
    ids = _ids(ship, along)
    evasion, before = ship.evasion, Turn(FIRST - 1)
    prizes = len(tables.schedule({}).convoys)
    for turn in along:
        knows = captain(turn, before, len(convoys), lost)
        sunk = [e for e in turn.events if e["kind"] == "ConvoySunk"]
        prize = len(convoys) < prizes and not sunk and turn.level < X
        prize = prize and all(calendar.day(t) != calendar.day(turn.turn) for t in convoys)
        now = _one(ship, ids, turn, knows, evasion, prize)
        found.append(replace(now, found=bool(found and found[-1].fix)))
        for event in (e for e in turn.events if e["kind"] == "ShipHit"):
            lost[event["who"]] = lost.get(event["who"], 0) + event["midships"]
            evasion -= event["evasion"] if event["who"] == ship.name else 0
        convoys += [turn.turn] * bool(sunk)
        before = turn
    return found


def _ids(ship: Name, along: Sequence[Turn]) -> frozenset[str]:
    """7.23 What the British call her."""
    seen = (s for turn in along for e in turn.events for s in e.get("seen", ()))
    return frozenset(s["id"] for s in seen if s["type"] == ship.type)


def _one(
    ship: Name, ids: frozenset[str], turn: Turn, knows: Report, evasion: int, prize: bool
) -> Told:
    """The observation of a turn. ids: what the British call her."""
    fix = passed = heard = ""
    entry = two = None
    for e in turn.events:
        kind = e["kind"]
        if kind == "PassedThrough" and _seen(e, ship):
            passed = e["zone"]
        elif _places(e, ship):
            fix = e["zone"]
        elif kind == "HuffDuff" and e["ship"] == ship.name:
            heard = e["zone"]
        elif kind == "ChanceRolled" and e["ship"] == ship.name == SHIPS[0].name:
            # 10.1 the roll of her consort counts only where they sail apart, which is not told
            entry = Entry(e["entry"], tuple(e["numbers"]), e["needs"])
        elif kind in ("MovedTwoZones", "ShadowLost") and e["about"] in ids:
            two = two or kind == "MovedTwoZones"
    return Told(
        turn=turn.turn,
        fix=fix,
        level=turn.level,
        fog=turn.fog,
        called=called(turn),
        passed=passed,
        heard=heard,
        entry=entry,
        prize=prize,
        sank=any(ship.name in e["ships"] for e in turn.events if e["kind"] == "ConvoySunk"),
        two=two,
        evasion=evasion,
        knows=knows,
    )


def _seen(event: Fact, ship: Name) -> bool:
    """7.23 Is a ship of her type among those that were seen?"""
    return any(s["type"] == ship.type for s in event["seen"])


def _places(event: Fact, ship: Name) -> bool:
    """Does the event tell where she is?"""
    kind = event["kind"]
    if kind in ("Located", "ShadowHeld"):
        return _seen(event, ship)
    if kind in ("BattleJoined", "Recognised"):
        return ship.name in event["enemies"]
    if kind == "ConvoySunk":
        return ship.name in event["ships"]
    return bool(kind == "GeneralSearch" and event["ship"] == ship.name)


def called(turn: Turn) -> frozenset[Zone]:
    """7.21, 7.27 The zones that the British called. Coasts where only watchers looked in vain are
    told by their number: they count if they are all that could look."""
    found = frozenset[Zone]()
    for event in (e for e in turn.events if e["kind"] == "Searched"):
        named = frozenset(map(Zone, event["zones"]))
        idle = {z for z in board.COASTS[BRITISH] if z not in named and watched(z, turn)}
        found |= named | (idle if len(idle) == event["coasts"] else frozenset())
    return found


def watched(zone: Zone, turn: Turn) -> bool:
    """7.12, 7.27, 7.31 Can the watchers of a coast zone look this turn?"""
    able = turn.level < X and not (turn.fog and zone in board.FOG)
    return able and board.coast_strength(calendar.night(turn.turn, zone)) >= turn.level


def captain(turn: Turn, before: Turn, convoys: int, lost: Mapping[str, int]) -> Report:
    """What a German captain knew when he gave his orders: what the British know that he was told.

    lost: midships boxes by ship."""
    contacts, events = [], []
    for e in before.events:
        kind = e["kind"]
        if kind == "CallHeard":
            contacts += [_contact(e["zone"], before.types.get(who, "CA")) for who in e["who"]]
        elif kind == "BattleJoined":
            contacts += [_contact(e["zone"], before.types.get(who, "CA")) for who in e["own"]]
        elif kind == "Located":
            who = [s.name for s in SHIPS if _seen(e, s)]
            events.append({"kind": "CallHeard", "who": who})
        elif kind in ("ShadowHeld", "ShadowLost"):
            who = [s.name for s in SHIPS if kind == "ShadowLost" or _seen(e, s)]
            events.append({"kind": "Shadowed", "who": who})
        elif kind in ("GeneralSearch", "HuffDuff"):
            events.append({"kind": f"{kind}Heard", "ship": e["ship"]})
    board_ = {
        "level": calendar.level_name(turn.level),
        "fog": turn.fog,
        "night": "none",
        "searched": [],
        "points": [],
        "convoys": convoys,
        "damage": [{"name": n, "text": f"midships {boxes}"} for n, boxes in lost.items()],
    }
    said = {"side": GERMAN, "turn": turn.turn, "units": [], "contacts": contacts}
    return convert({**said, "events": events, "board": board_}, Report)


def _contact(zone: str, type_: str) -> Mapping[str, object]:
    kind = {"BC": "BB", "CL": "CA"}.get(type_, type_)
    return {"id": "1", "type": kind, "age": 1, "place": zone, "source": "search"}
