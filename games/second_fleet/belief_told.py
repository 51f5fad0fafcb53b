"""What the reports of a game say of the enemy, turn by turn, for beliefs.

Only events, contacts and own units are read, in the words of report.json, and the printed set-up.
A turn of which a report is missing tells where contacts are, and nothing by its silence.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from msgspec import Struct, json

from games.second_fleet.board import BASES, NATO, OTHER, by_water, steps, wet, zone_within
from games.second_fleet.tables import combat, counters, finding, force, type_names
from pbem.inference import quarry
from pbem.model import Plain, Side


class Seen(NamedTuple):
    """A contact as it was when its marker was laid."""

    at: str
    kind: str
    types: frozenset[str]


class Turn(Struct):
    """A turn. Contacts are called as the side calls them."""

    turn: int
    heard: bool = True
    over: bool = False
    surface: frozenset[str] = frozenset()
    """6.1/1 Hexes in which ships are found in the Local Detection phase,"""
    deep: frozenset[str] = frozenset()
    """107 and those in which submarines are."""
    fresh: dict[str, Seen] = {}
    """Contacts whose marker was laid in the turn."""
    held: dict[str, str] = {}
    """Contacts that have a marker as it ends, with their hex."""
    lost: dict[str, str] = {}
    """Others, with the hex in which they were last."""
    names: dict[str, frozenset[str]] = {}
    """Ships that are known to be among a contact."""
    sunk: set[str] = set()
    """Contacts that were sunk,"""
    wrecks: set[str] = set()
    """162 and ships."""
    marks: dict[str, str] = {}
    """84 What lies on each contact as it ends: TF, TG, single, SUB."""
    fallen: set[str] = set()
    """6.3/13 Bases that changed hands; ships have left them."""
    hurries: int = 0
    """6.7/6 Hexes that ships at high speed make more."""


def turns(reports: Iterable[Plain]) -> list[Turn]:
    """The turns that are over, from the first one on. reports: of one side, in order."""
    found: dict[int, Turn] = {}
    last: Plain | None = None
    known: set[str] = set()
    for report in reports:
        now = found.setdefault(report["turn"], Turn(report["turn"]))
        whole = report["window"] == (last["window"] + 1 if last else 1)
        begun = last["turn"] if last else 1
        for turn in range(begun, report["turn"] + 1) if not whole else ():
            found.setdefault(turn, Turn(turn)).heard = False
        if last:
            before = found[last["turn"]]
            _learn(before, report)
            if report["turn"] > before.turn:
                before.over = True
                for turn in range(before.turn + 1, report["turn"]):
                    found[turn].over = True
                _ended(found[report["turn"] - 1], report, known)
                known |= {contact["id"] for contact in report["contacts"]}
        if report["board"]["stage"] != "segment" or report["board"]["segment"] <= 1:
            now.surface, now.deep = _watched(report["units"])
        last = report
    return [found[turn] for turn in sorted(found) if found[turn].over]


def _learn(turn: Turn, report: Plain) -> None:
    """The events of a turn."""
    for event in report["events"]:
        if event["kind"] == "Located" and event["fresh"]:
            turn.fresh[event["contact"]] = Seen(event["at"], event["what"], _types(event["types"]))
        elif event["kind"] == "Sunk":
            turn.wrecks.add(event["ship"])
        elif event["kind"] == "Captured":
            turn.fallen |= {hex_ for hex_, base in BASES.items() if base.name == event["base"]}
        elif event["kind"] == "Faded" and event["gone"] == "sunk":
            turn.sunk.add(event["contact"])
        elif event["kind"] == "Faded" and event["at"]:
            turn.lost[event["contact"]] = event["at"]


def _types(told: Iterable[str]) -> frozenset[str]:
    """6.16/2 `2 DD` is of type DD."""
    return frozenset(text.rpartition(" ")[2] for text in told)


def _ended(turn: Turn, report: Plain, known: Container[str]) -> None:
    """Contacts as the turn has ended. report: that which opens the next one; known: contacts of
    earlier turns."""
    for contact in report["contacts"]:
        id_, place = contact["id"], contact["place"]
        (turn.lost if contact["age"] else turn.held)[id_] = place
        turn.marks[id_] = contact["kind"]
        if id_ not in known:
            turn.fresh.setdefault(id_, Seen(place, contact["kind"], _types(contact["types"])))
        names = frozenset(name.partition(" ")[0] for name in contact["names"])
        if names:
            turn.names[id_] = names
    turn.lost = {name: at for name, at in turn.lost.items() if name not in turn.held}
    turn.hurries = int(_options(str(report.get("setup", {}).get("text", ""))).get("speed") == "yes")


@cache
def _options(setup: str) -> Mapping[str, str]:
    """Those of the game, as its set-up text tells everybody; none without it."""
    found: Mapping[str, str] = json.decode(setup).get("options", {}) if setup else {}
    return found


def _watched(units: Sequence[Plain]) -> tuple[frozenset[str], frozenset[str]]:
    """6.1/1, 107 What the detection zones and the ASW of own units cover."""
    boats = type_names()["PC"]
    asw: dict[str, int] = {}
    surface: set[str] = set()
    for unit in units:
        if unit["kind"] not in ("ship", "sub") or not wet(unit["place"]):
            continue
        short = unit["kind"] == "sub" or unit["type"] == boats
        surface |= zone_within(unit["place"], finding().limited if short else finding().extended)
        for near in (unit["place"], *steps(unit["place"])):
            asw[near] = asw.get(near, 0) + unit["asw"]
    deep = frozenset(at for at, points in asw.items() if points >= combat().asw_needed)
    return frozenset(surface), deep


def sunk(reports: Iterable[Plain]) -> frozenset[str]:
    """162 Ships and submarines that were sunk."""
    events = (event for report in reports for event in report["events"])
    return frozenset(event["ship"] for event in events if event["kind"] == "Sunk")


class Unit(Struct, frozen=True):
    """6.18 A group, ship or submarine of the enemy's printed set-up."""

    id: str
    name: str
    sub: bool
    types: frozenset[str]
    ships: frozenset[str]
    start: str
    ma: int
    """Hexes a turn,"""
    fast: int
    """and of her fastest ship, which goes on without those that are lost or left behind."""
    nato: bool
    since: int = 0
    """The turn after which guesses of a contact begin."""


@cache
def pace() -> Mapping[str, int]:
    """Hexes a turn of the fastest of each type."""
    found: dict[str, int] = {}
    for sheet in counters().values():
        found[sheet.type] = max(found.get(sheet.type, 0), sheet.front.ma)
    return found


def contacts(report: Plain, side: Side) -> list[Unit]:
    """6.16 The contacts of a side whose marker has gone, where that was."""
    return [
        Unit(
            id=contact["id"],
            name=f"{contact['id']} {contact['type']}",
            sub=contact["kind"] == "SUB",
            types=_types(contact["types"]),
            ships=frozenset(name.partition(" ")[0] for name in contact["names"]),
            start=contact["place"],
            ma=min((pace()[t] for t in _types(contact["types"])), default=FAST),
            fast=max((pace()[t] for t in _types(contact["types"])), default=FAST),
            nato=side != NATO,
            since=report["turn"] - contact["age"],
        )
        for contact in report["contacts"]
        if contact["age"]
    ]


FAST = 4
"""Hexes a turn of a contact of unknown types."""


def units(scenario: str, side: Side) -> list[Unit]:
    """The enemy of a side; empty where set-ups are sealed."""
    if scenario not in PRINTED:
        return []
    listed = force(scenario, OTHER[side])
    found = [(post.name, post) for post in listed.groups]
    found += [(post.units[0], post) for post in listed.singles]
    return [
        _unit(id_, post.hex, post.units, side != NATO)
        for id_, post in sorted(found, key=lambda f: f[0])
    ]


PRINTED = ("gap", "lifeline")
"""Scenarios whose set-up both sides know."""


def _unit(id_: str, start: str, ships: Sequence[str], nato: bool) -> Unit:
    sheets = [counters()[ship] for ship in ships]
    return Unit(
        id=id_,
        name=id_.title() if len(ships) > 1 else sheets[0].name,
        sub=sheets[0].sub,
        types=frozenset(sheet.type for sheet in sheets),
        ships=frozenset(ships),
        start=start,
        ma=min(sheet.front.ma for sheet in sheets),
        fast=max(sheet.front.ma for sheet in sheets),
        nato=nato,
    )


class Told(quarry.Told, frozen=True, kw_only=True):
    """What a side learned of one turn about one enemy unit. fix: her hex, if it is told by name."""

    mine: str = ""
    """The contact that she is known to be."""
    others: frozenset[str] = frozenset()
    """Contacts that she is not: others by name, or of another kind."""
    fresh: Mapping[str, tuple[str, float]] = {}
    """Contacts of the turn that she may be, with the hex, and how likely it is she."""
    held: Mapping[str, str] = {}
    """See Turn."""
    lost: Mapping[str, str] = {}
    """See Turn."""
    sunk: frozenset[str] = frozenset()
    dark: bool = False
    """Reports of the turn are missing: 24 she may have gone at full speed, for one."""
    watched: frozenset[str] = frozenset()
    """Hexes in which she would have been found before the first segment."""
    ma: int = 0
    """Hexes a turn of those of her ships that are known to be with her,"""
    most: int = 0
    """and the most that she may have made."""
    fallen: frozenset[str] = frozenset()
    """See Turn."""


def told(all_: Sequence[Unit], along: Sequence[Turn], more: int = 0) -> list[list[Told]]:
    """The observations of every turn, by unit. more: other units that a contact may be."""
    kinds: dict[str, Seen] = {}
    names: dict[str, frozenset[str]] = {}
    found: list[list[Told]] = [[] for _ in all_]
    away: set[str] = set()
    for turn in along:
        kinds |= turn.fresh
        kinds |= {c: kinds[c]._replace(kind=k) for c, k in turn.marks.items() if c in kinds}
        names |= turn.names
        alone = (n for c, n in names.items() if c in kinds and kinds[c].kind == "single")
        away.update(turn.wrecks, *alone)
        known = {c: n for c, n in names.items() if c in turn.held or c in turn.fresh}
        fits = {c: [u for u in all_ if _may_be(u, c, kinds, known, turn.turn)] for c in turn.fresh}
        for unit, tells in zip(all_, found, strict=True):
            mine = _hers(unit, [c for c in known if c in turn.held], kinds, known)
            tells.append(
                Told(
                    turn=turn.turn,
                    fix=turn.held.get(mine, ""),
                    mine=mine,
                    others=frozenset(c for c in kinds if not _is(unit, c, kinds, names)),
                    fresh={
                        c: (turn.fresh[c].at, 1 / (len(fits[c]) + more))
                        for c in turn.fresh
                        if unit in fits[c]
                    },
                    held=turn.held,
                    lost=turn.lost,
                    sunk=frozenset(turn.sunk),
                    dark=not turn.heard,
                    watched=(turn.deep if unit.sub else turn.surface) if turn.heard else _NOWHERE,
                    ma=_pace(unit, away),
                    most=unit.fast + (turn.hurries and not unit.sub),
                    fallen=frozenset(turn.fallen),
                )
            )
    return found


_NOWHERE: frozenset[str] = frozenset()


def _pace(unit: Unit, away: Container[str]) -> int:
    """19 Hexes a turn of a group without the ships that are lost or were seen alone."""
    left = [counters()[ship].front.ma for ship in unit.ships if ship not in away]
    return min(left, default=unit.ma)


def _hers(
    unit: Unit,
    held: Sequence[str],
    kinds: Mapping[str, Seen],
    names: Mapping[str, frozenset[str]],
) -> str:
    """The contact that is the unit by the names of its ships; empty if it may be one of several,
    for a group may have split."""
    found = [c for c in held if names[c] & unit.ships and c in kinds and _is(unit, c, kinds, names)]
    return found[0] if len(found) == 1 else ""


def _is(
    unit: Unit, contact: str, kinds: Mapping[str, Seen], names: Mapping[str, frozenset[str]]
) -> bool:
    """6.16/2 May the contact be the unit, by its marker, its types and the names among it?"""
    seen = kinds[contact]
    if len(unit.ships) > 1 and not unit.since and seen.kind == "single":
        return False  # 84 a ship that has left the group
    if contact in names and unit.ships:
        return bool(names[contact] & unit.ships)
    alone = len(unit.ships) == 1 and not unit.since and not unit.sub
    if (seen.kind == "SUB") != unit.sub or (alone and seen.kind != "single"):
        return False
    return seen.types <= unit.types or not unit.types


def _may_be(
    unit: Unit,
    contact: str,
    kinds: Mapping[str, Seen],
    names: Mapping[str, frozenset[str]],
    turn: int,
) -> bool:
    """The same, if she can have come there, and is not known to be another contact."""
    if not _is(unit, contact, kinds, names):
        return False
    if any(c != contact and c in kinds and n & unit.ships for c, n in names.items()):
        return False
    far = (unit.fast + 1) * (turn - unit.since)  # 24, 6.7/6 at most
    return by_water(unit.start).get(kinds[contact].at, 99) <= far
