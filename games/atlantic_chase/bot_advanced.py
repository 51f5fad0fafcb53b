"""The bots' standing orders for the advanced Battle (8.3), where the menu offers them."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from games.atlantic_chase import verbs_advanced as va
from games.atlantic_chase.bot_sea import CAPITAL, Chart
from games.atlantic_chase.report import Foe, Own
from pbem.kit.bots import may

ATTITUDES = (
    "if damaged then attitude running else attitude acquiring",
    "if guns under 70 then attitude running else attitude closing",
)
"""Instead of what `stance` says; drawn once for a game."""

RUNS = {"river_plate": {1: 4, 2: 1}, "lofoten": {1: 1, 2: 3}, "north_cape": {1: 1}}
"""Where Germans do best to break away, which only a running ship can: from which round on they run,
and how often."""

OFTENER = {
    ("denmark_strait", True): ATTITUDES[0],
    ("roesselsprung", True): ATTITUDES[0],
    ("bergen", False): ATTITUDES[1],
}
"""What Germans (True) or British take twice as often there, so that either side wins its part."""

LANDS = "if damaged then attitude running else attitude closing"
"""Who lands ships at Bergen closes, but for a ship that scores no more."""


def orders(chart: Chart) -> Iterator[tuple[str, Struct | str]]:
    """All lines of a side, drawn once for a game."""
    side = chart.side.upper()
    if not played(chart):
        return
    luck = chart.luck.game
    if way := attitude(chart):
        yield side, way
    yield side, va.Pursue(luck.choice("pursue", ("any", "any", "nobody")))
    yield side, va.Repair(luck.choice("repair", ("yes", "no")))
    yield side, va.Bridge(luck.choice("bridge", ("guns", "helm")))
    foes = [foe for foe in chart.seen.contacts if foe.piece.sort == "ship"]
    for foe in sorted(foes, key=_rank)[:3]:
        yield side, va.Hinder(foe.id)
        yield side, va.Steer(foe.id, "close", "no")
    yield side, va.Confuse(luck.choice("confuse", ("attitude", "move")))
    yield from _pairs(chart, foes)


def attitude(chart: Chart) -> str:
    """The line for the attitude of a side's ships; empty where `stance` says it."""
    if chart.german and chart.seen.scenario == "bergen":
        return LANDS
    start = runs(chart)
    if start == 1:
        return "attitude running"
    if start:
        return f"if round at least {start} then attitude running else attitude acquiring"
    oftener = OFTENER.get((chart.seen.scenario, chart.german))
    return chart.luck.game.choice("attitude", ("", *ATTITUDES, *([oftener] if oftener else [])))


def runs(chart: Chart) -> int:
    """From which round on the ships of this side run to break away; 0 if they do not."""
    weights = RUNS.get(chart.seen.scenario)
    if not chart.german or weights is None or not played(chart):
        return 0
    return chart.luck.game.weighted("run", weights)


def played(chart: Chart) -> bool:
    """Are Battles fought by the advanced rules?"""
    return may(chart.seen.menu, chart.side.upper(), "attitude")


def _rank(ship: Own | Foe) -> tuple[bool, str]:
    """Capital ships first."""
    return ship.type not in CAPITAL, ship.id


def _pairs(chart: Chart, foes: list[Foe]) -> Iterator[tuple[str, Struct | str]]:
    """In each Task Force of two or more ships the lesser screens the greater, which takes results
    for it; and fire is divided between the two greatest of an enemy Task Force."""
    own = [unit for unit in chart.seen.units if unit.piece.sort == "ship" and unit.piece.force]
    for force in sorted({unit.piece.force for unit in own}):
        crew = sorted((u for u in own if u.piece.force == force), key=_rank)
        if len(crew) > 1 and chart.luck.game.of(f"screen {force}", 2):
            yield crew[-1].id, va.Screen(crew[0].id)
            line = va.Confuse("hit", sparing=crew[0].id, onto=crew[-1].id)
            yield chart.side.upper(), line
    for force in sorted({foe.piece.force for foe in foes if foe.piece.force}):
        two = sorted((foe for foe in foes if foe.piece.force == force), key=_rank)[:2]
        if len(two) == 2 and chart.luck.game.of(f"divide {force}", 3) == 0:
            yield chart.side.upper(), va.Divide(two[0].id, two[1].id, 1)
