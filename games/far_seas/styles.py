"""Other ways in which admirals can play: plans that the plain bot does not draw."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import convert

from games.far_seas import bot_allied, bot_german
from games.far_seas.board import GERMAN
from games.far_seas.report import Report
from pbem.inference.style import Style
from pbem.kit.bots import Lines, Luck
from pbem.model import Plain, Side


def styles(side: Side) -> Mapping[str, Style]:
    """See System."""
    if side == GERMAN:
        told = "every ship hunts merchants by herself, and keeps away from warships"
        return {"raiders": Style(told, raiders)}
    told = "guards every station, and hunts in strong squadrons"
    return {"guards": Style(told, guards)}


def raiders(report: Plain, luck: str) -> Lines:
    """No squadron, no way that it would go."""
    plan = bot_german.Plan(way="free", company="none", nerve="careful")
    return bot_german.lines(_read(report), Luck(luck), plan)


def guards(report: Plain, luck: str) -> Lines:
    """Ships on stations before all, the others where they are stronger."""
    game = Luck(luck).game
    plan = bot_allied.Plan(
        hunt=game.weighted("hunt", {"pairs": 60, "squadrons": 40}),
        guards="all",
        cradock="waits",
        aim=game.weighted("aim", {"best concentrate": 50, "damaged split": 50}),
        retire="must",
    )
    return bot_allied.lines(_read(report), Luck(luck), plan)


def _read(report: Plain) -> Report:
    return convert(report, Report, from_attributes=True)
