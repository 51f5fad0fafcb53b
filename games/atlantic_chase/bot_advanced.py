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


def orders(chart: Chart) -> Iterator[tuple[str, Struct | str]]:
    """All lines of a side, drawn once for a game."""
    side = chart.side.upper()
    if not may(chart.seen.menu, side, "attitude"):
        return
    luck = chart.luck.game
    if way := luck.choice("attitude", ("", *ATTITUDES)):
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
