"""What the Allied reports of a game say of the Germans, turn by turn, for beliefs.

Only events, own dice, own ships and the public board are read, in the words of report.json. A turn
of which a report is missing tells where ships were met, and nothing by its silence.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct

from games.far_seas import board, setup, tables
from games.far_seas.board import GERMAN
from games.far_seas.strength import strength
from pbem.inference import quarry
from pbem.kit.edits import id_of
from pbem.model import Plain


class Hunt(NamedTuple):
    """S3, S8 A group that searched an area. seeks: the German it named, empty for any; die: 0 where
    it is not known."""

    seeks: str
    die: int


class Segment(Struct):
    """M3-E4 What both sides, or the Allies alone, were told of a segment, by area or ship."""

    named: frozenset[str] = frozenset()
    """M4 Germans that moved."""
    canal: frozenset[str] = frozenset()
    """G1 Those of them that went through the Panama Canal."""
    hunts: dict[str, list[Hunt]] = {}
    blank: frozenset[str] = frozenset()
    """S8 Areas searched in vain."""
    missed: dict[str, int] = {}
    """E1 Merchants missed."""
    paid: set[str] = set()
    """S5, S6 Areas where ships held back before somebody."""
    placed: dict[str, str] = {}
    """Germans that were met or seen, with the area."""
    fled: dict[str, str] = {}
    """R9 Germans that got away, with the area where they were met."""
    foes: dict[str, int] = {}
    """S1 The strength of Allied ships at sea as the segment began: they lie open."""
    left: dict[str, int] = {}
    """M2, E2 Merchants as it ended, those taken before in the turn left out."""


class Turn(Struct):
    """E4 A turn. heard: were all its reports given, and is it over?"""

    turn: int
    segments: list[Segment] = []
    heard: bool = True
    over: bool = False


def turns(reports: Iterable[Plain]) -> list[Turn]:
    """The turns that the reports tell of, with the open one. reports: of the Allies, in order."""
    found: dict[int, Turn] = {}
    last: Plain | None = None
    for report in reports:
        ended = sum(e["kind"] == "TurnEnded" for e in report["events"])
        first = report["turn"] - ended + bool(ended and report.get("result"))
        if report["window"] != (last["window"] + 1 if last else 1):
            begun = last["turn"] if last else _first(report)
            for turn in range(begun, first + 1):
                found.setdefault(turn, Turn(turn)).heard = False
        _read(found, report, first, last or report)
        last = report
    return [found[turn] for turn in sorted(found)]


def _first(report: Plain) -> int:
    """The first turn of the scenario."""
    return tables.scenario(report["scenario"]).first


def _read(found: dict[int, Turn], report: Plain, at: int, before: Plain) -> None:
    """The events of a report, which begin in turn `at`. before: the report that opened it."""
    dice = iter(_dice(report))
    touched: list[tuple[Turn, Segment]] = []
    for event in report["events"]:
        turn = found.setdefault(at, Turn(at))
        if event["kind"] == "TurnEnded":
            turn.over = True
            at += 1
            continue
        if event["kind"] == "MoversNamed" or (event["kind"] in _OPENS and not turn.segments):
            turn.segments.append(Segment(foes=_foes(before)))
        if turn.segments:
            _learn(turn.segments[-1], event, dice)
            touched.append((turn, turn.segments[-1]))
    found.setdefault(at, Turn(at))
    for turn, segment in touched:
        segment.left = _left(report, turn)
        for id_ in segment.named & _held(report):
            segment.placed.setdefault(id_, board.RIVER)


_OPENS = ("AlliesMoved", "SearchNamed")
"""What begins a segment for which no German is named."""


class _Armed(Struct):
    """What `strength` needs of an own ship."""

    gun: str
    capacity: int
    damage: int


def _foes(report: Plain) -> dict[str, int]:
    """S1 The strength of own ships without duties, by area."""
    found: dict[str, int] = {}
    for unit in report["units"]:
        if not unit["duty"]:
            force = strength(_Armed(unit["gun"], unit["capacity"], unit["damage"]))
            found[unit["place"]] = found.get(unit["place"], 0) + force
    return found


def _held(report: Plain) -> set[str]:
    """G7 Germans who have lain in the river, watched, since they were found there."""
    seen = (c for c in report["contacts"] if c["source"] == "FoundInRiver" and not c["moves"])
    return {c["id"] for c in seen}


def _left(report: Plain, turn: Turn) -> dict[str, int]:
    """M2, E2 By the board after a turn's last segment so far: captures come last."""
    taken = [segment.missed for segment in turn.segments[:-1]]
    held = report["board"]["merchants"]
    return {a: n - sum(t.get(a, 0) for t in taken) for a, n in held.items()}


def _dice(report: Plain) -> Iterator[dict[tuple[str, str], int]]:
    """S8 The dice of the searching groups by area and leader, a segment each, in order."""
    found: dict[int, dict[tuple[str, str], int]] = {}
    for roll in report["rolls"]:
        parts = roll["label"].split("/")
        if parts[:2] == ["SEARCH", "FIND"]:
            found.setdefault(roll["window"], {})[parts[2], parts[3]] = roll["dice"][0]
    yield from (found[window] for window in sorted(found))


def _learn(segment: Segment, event: Plain, dice: Iterator[dict[tuple[str, str], int]]) -> None:
    """One event of a segment."""
    match event["kind"]:
        case "MoversNamed":
            segment.named, segment.canal = frozenset(event["who"]), frozenset(event["canal"])
        case "SearchNamed":
            thrown = next(dice, {})
            for sought in event["parties"]:
                area, who = sought["area"], sought["who"]
                hunt = Hunt(sought["ship"], thrown.get((area, who), 0))
                segment.hunts.setdefault(area, []).append(hunt)
        case "SearchBlank":
            segment.blank = frozenset(event["areas"])
        case "MerchantsTaken":
            segment.missed[event["area"]] = event["count"]
        case "CowardicePaid":
            segment.paid.add(event["area"])
        case "Escaped" if event["side"] == GERMAN:
            segment.fled |= {id_of(name): event["area"] for name in event["who"]}
        case _:
            for id_ in event.get("germans", ()):
                segment.placed[id_] = event["area"]


class Told(quarry.Told, frozen=True, kw_only=True):
    """What the Allies learned of one turn about one German. fix: where she was met, or the river
    where she was found and must remain (G7)."""

    fled: str = ""
    """R9 The area from which she got away to one beside it."""
    dark: bool = False
    """Reports of the turn are missing: what was told need not be all."""
    canal: bool = False
    """G1 She went through the Panama Canal."""
    stayed: bool = False
    """She was not named in the turn, as far as it goes."""
    weights: Mapping[str, float] = {}
    """How likely the side is told what it was, by the area in which she is; unlisted: 1."""
    silent: Mapping[str, float] = {}
    """The same if she takes no merchants."""
    shut: frozenset[str] = frozenset()
    """S8 Areas in which she would have been found."""
    foes: Mapping[str, int] = {}
    """See Segment."""
    left: Mapping[str, int] = {}
    """See Segment."""


class Raider(Struct, frozen=True):
    """M2, AC A German ship as printed, and where and when she enters."""

    id: str
    name: str
    strength: int
    start: str
    enters: int
    squadron: bool
    """She begins in one."""
    river: bool
    """G2 She fits into the Rufiji."""


def raiders(report: Plain) -> list[Raider]:
    """The Germans of a report's scenario and options."""
    war = setup.begin(report["scenario"], report["board"]["options"])
    fits = tables.rules().river.ships
    led = {s.leader for s in war.ships.values() if s.leader}
    return [
        Raider(
            s.id,
            s.name,
            strength(s),
            s.start,
            max(s.enters, war.turn),
            bool(s.leader) or s.id in led,
            s.id in fits,
        )
        for s in war.ships.values()
        if s.side == GERMAN
    ]


def segment_of(turn: Turn, ship: str) -> Segment | None:
    """M4 The segment in which a ship moved, or was met in a turn of which reports are missing."""
    for segment in turn.segments:
        if ship in segment.named or ship in segment.placed or ship in segment.fled:
            return segment
    return None


def searched(segment: Segment, ship: str, area: str, lucky: float) -> float:
    """S3, S8 How likely the searches of an area miss a ship that is there. Several groups that seek
    her count together; who else is there may have drawn them off."""
    hunts = segment.hunts.get(area, ())
    after = [hunt for hunt in hunts if hunt.seeks in ("", ship)]
    if not after:
        return 1.0
    need = tables.rules().search.success + len(after) - 1
    if not after[0].die:
        return 1 - min(6, need) / 6
    return lucky if after[0].die <= need else 1.0


def shut(segment: Segment) -> frozenset[str]:
    """S7, S8 Areas searched in vain in which whoever was first sought would have been found: by the
    first of groups that all sought anybody, with the lowest die."""
    need = tables.rules().search.success
    return frozenset(
        area
        for area in segment.blank
        if (hunts := segment.hunts.get(area)) and not any(hunt.seeks for hunt in hunts)
        if 0 < hunts[0].die <= need
    )


def ways(area: str, areas: Sequence[str]) -> tuple[str, ...]:
    """M5 Where a German may be after a move from an area, itself included."""
    near = [a for a in board.neighbours(area, GERMAN) if not areas or a in areas]
    return tuple(near) if area not in board.SEA else (area, *near)
