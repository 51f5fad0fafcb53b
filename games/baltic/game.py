"""BattleFleet Baltic as the kernel meets it."""

from __future__ import annotations

from games.baltic.state import CURRENTS, War
from games.baltic.verbs import GRAMMAR
from pbem.kit.parts import part
from pbem.model import Option, Scenario, Side, System

TEUTONIC, KALMAR, HANSA, FINLAND = (
    Side("teutonic"),
    Side("kalmar"),
    Side("hansa"),
    Side("finland"),
)
_NAMES = {
    TEUTONIC: "Teutonic Order",
    KALMAR: "Union of Kalmar",
    HANSA: "Hanseatic League",
    FINLAND: "New Finland",
}


def _scenario(name: str, title: str, sides: tuple[Side, ...], turns: int) -> Scenario:
    return Scenario(name, title, sides, tuple(_NAMES[side] for side in sides), turns)


class Baltic(System):
    """Fleets of 1912 that never were: exact geometry, sealed cards, dice by the handful."""

    name = "baltic"
    title = "BattleFleet Baltic"
    edition = "1.1-1"
    state = War
    data = "games.baltic.data"
    grammar = GRAMMAR
    spent = frozenset({"deploy", "speed", "down", "up", "bid"})
    scenarios = (
        _scenario("rig", "Rig III", (TEUTONIC, KALMAR), 8),
        _scenario("narrows", "Aland Narrows", (FINLAND, TEUTONIC), 10),
        _scenario("flight", "Kronan's Flight", (KALMAR, HANSA), 7),
        _scenario("battle", "Free Battle", (TEUTONIC, KALMAR), 8),
        _scenario("triad", "Free Battle of three", (TEUTONIC, KALMAR, HANSA), 8),
        _scenario("melee", "Free Battle of four", (TEUTONIC, KALMAR, HANSA, FINLAND), 8),
    )
    options = (
        Option(
            "windows",
            ("phases", "turn", "rounds"),
            "mails a turn: telegraph and bid, then orders; both in one; or orders for each round",
            "21",
        ),
        Option("masked", ("off", "on"), "targets that are half hidden are harder to hit", "69"),
        Option("current", ("none", *CURRENTS), "where wrecks at rest drift, an inch a turn", "88"),
        Option(
            "varelser", ("off", "on"), "whether New Finland makes good one critical more", "B22"
        ),
        Option("ram", ("forced", "own"), "whose row a collision's dice come from", "B28"),
        Option("sheets", ("sealed", "open"), "whether all see the enemy's hull boxes", "OWN"),
    )

    begin = part("games.baltic.setup")
    turn = part("games.baltic.turn")
    view = part("games.baltic.view")
    watched = part("games.baltic.view")
    truth = part("games.baltic.view")
    idle = (
        "A vessel without an order keeps her setting, goes straight on at the least of it, and "
        "fires at the nearest enemy."
    )
    checks = "games.baltic.check:CHECKS"
    chart = part("games.baltic.chart", "scene")
    bot = part("games.baltic.bot", "orders")
    bot_lines = part("games.baltic.bot", "lines")
    styles = part("games.baltic.styles")
    mind = part("games.baltic.mind")
    audit = part("games.baltic.audit")


SYSTEM = Baltic()
