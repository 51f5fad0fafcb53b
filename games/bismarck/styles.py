"""Other ways in which admirals can play: plans that the plain bot does not draw."""

from __future__ import annotations

from collections.abc import Mapping

from games.bismarck import bot, bot_british, bot_german
from games.bismarck.board import BRITISH, GERMAN
from pbem.inference.style import Style
from pbem.kit.bots import Lines, Luck
from pbem.model import Plain, Side


def styles(side: Side) -> Mapping[str, Style]:
    """See System."""
    if side == GERMAN:
        told = "parts the ships, tries one convoy route after another and stays at sea"
        return {"roamer": Style(told, roamer)}
    told = "keeps a line across the ocean, the fleet together and escorts with their convoys"
    return {"barrier": Style(told, barrier)}


def roamer(report: Plain, luck: str) -> Lines:
    """Each ship for herself, from the first to the last turn."""
    game = Luck(luck).game
    ways = bot_german.WAYS[game.choice("way", sorted(bot_german.WAYS))]
    plan = bot_german.Plan(
        way=game.choice("variant", ways),
        sails=game.weighted("sails", {"at once": 70, "in thick weather": 30}),
        grounds=game.weighted("grounds", {"everywhere": 70, "far": 30}),
        company="apart",
        resort="none",
        trouble="late",
        nerve=game.weighted("nerve", {"bold": 60, "careful": 40}),
    )
    return bot.lines(GERMAN, report, luck, plan)


def barrier(report: Plain, luck: str) -> Lines:
    """He waits for her to come."""
    game = Luck(luck).game
    plan = bot_british.Plan(
        watch=game.weighted("watch", {"barrier": 60, "ring": 40}),
        carriers="fleet",
        battle="massed",
        escorts="with convoys",
        revenge=17,
    )
    return bot.lines(BRITISH, report, luck, plan)
