"""Atlantic Chase, as the kernel meets it."""

from __future__ import annotations

from games.atlantic_chase.asks import Decisive
from games.atlantic_chase.board import GERMAN, SIDES
from games.atlantic_chase.state import War
from games.atlantic_chase.verbs import GRAMMAR
from pbem.kit.doctrine import InBattle
from pbem.kit.parts import part
from pbem.model import Event, Mailing, Option, Question, Scenario, System

_SEATS = (SIDES, ("Kriegsmarine", "Royal Navy"))


class AtlanticChase(System):
    """Lines that could be anywhere: the hunt for German raiders in the Atlantic, 1941 and 1942."""

    name = "atlantic_chase"
    title = "Atlantic Chase"
    edition = "operations-1"
    state = War
    turns = 36
    red = GERMAN
    data = "games.atlantic_chase.data"
    grammar = GRAMMAR
    # a new programme takes the place of what is left of the old one, whoever it names
    spent = frozenset(
        {"course", "search", "engage", "strike", "attack", "recon", "signals", "complete", "pass"}
        | {"split", "merge", "reinforce", "port", "leave port", "disperse", "stop"}
    )
    scenarios = (
        Scenario("rheinuebung", "Rheinuebung, 21-28 May 1941", *_SEATS, turns=30),
        Scenario("berlin", "Operation Berlin, 22 January - 22 March 1941", *_SEATS, turns=36),
        Scenario("roesselsprung", "Roesselsprung (PQ 17), 1-10 July 1942", *_SEATS, turns=24),
        Scenario("cerberus", "Cerberus, 11-13 February 1942", *_SEATS, turns=12),
        Scenario("nordmark", "Nordmark, 18-20 February 1940", *_SEATS, turns=14),
        Scenario("juno", "Juno, 4-13 June 1940", *_SEATS, turns=20),
        Scenario("campaign", "The Atlantic, 1941-42: four operations", *_SEATS, turns=102),
        Scenario("denmark_strait", "Denmark Strait, 24 May 1941: one Battle", *_SEATS, turns=1),
        Scenario("river_plate", "The River Plate, 13 December 1939: one Battle", *_SEATS, turns=1),
        Scenario("lofoten", "Off the Lofoten, 9 April 1940: one Battle", *_SEATS, turns=1),
        Scenario("north_cape", "North Cape, 26 December 1943: one Battle", *_SEATS, turns=1),
        Scenario("bergen", "Bergen, 9 April 1940: one Battle", *_SEATS, turns=1),
    )
    options = (
        Option(
            "interruption_rows",
            ("rulebook", "board"),
            "rows of the Interruption Table: those of the rules' page 22, or of the printed board",
            "R070",
        ),
        Option(
            "interruption_vie",
            ("resume", "cancel"),
            "an action whose Active side wins the Vie of an Interruption: goes on, or is cancelled",
            "R073",
        ),
        Option(
            "admiral",
            ("on", "off"),
            "Berlin: Germans may not engage a Task Force with an undamaged battleship",
            "victory",
        ),
        Option(
            "escort",
            ("none", "squadron"),
            "Roesselsprung: the British add a destroyer squadron to TF1, for a German point",
            "victory",
        ),
        Option(
            "damaged_hunt",
            ("permitted", "forbidden"),
            "Air Strike, Engage and Naval Search by a Task Force with a damaged ship",
            "R209",
        ),
        Option(
            "carrier_line",
            ("any", "six"),
            "segments of a Trajectory from which a carrier flies: any number, or six at most",
            "R210",
        ),
        Option(
            "battle_markers",
            ("kept", "lost"),
            "Evasive markers of the Task Forces of a Battle: kept, or lost",
            "R211",
        ),
        Option(
            "battle",
            ("doctrine", "round"),
            "Battles with a capital ship on both sides: by doctrine, or each round has its window",
            "7.3",
        ),
        Option(
            "advanced",
            ("off", "on"),
            "advanced Battle: Snafu Checks, attitudes, severe results and their effects, pursuit",
            "8.3",
        ),
        Option(
            "replace",
            ("none", "class"),
            "the campaign: a ship that is out is missing, or a free one of its class comes",
            "R115",
        ),
        Option(
            "imaginary",
            ("none", "german", "british"),
            "solitaire play: a side whose chances of Initiative, Slips and markers go by die",
            "R213",
        ),
        Option(
            "slowest",
            ("rulebook", "board"),
            "Break Away, -1: the slowest ship of all is yours, or the fastest of all is an enemy",
            "R202",
        ),
        Option(
            "self_support",
            ("deducted", "free"),
            "the length of a target that gives itself Air Support: deducted as of others, or not",
            "R244",
        ),
        Option(
            "mail",
            ("action", "full"),
            "played `asked`: what goes by mail, chances of Initiative and fights, or every choice",
            "7.1",
        ),
    )

    mailing = Mailing("mail", {"action": (Decisive, InBattle), "full": (Question,)})
    begin = part("games.atlantic_chase.opening")
    turn = part("games.atlantic_chase.turn")
    view = part("games.atlantic_chase.view")
    watched = part("games.atlantic_chase.view")
    truth = part("games.atlantic_chase.view")
    idle = "Who has no order does nothing; a side without any passes with its longest Trajectory."
    checks = "games.atlantic_chase.check:CHECKS"
    bot = part("games.atlantic_chase.bot", "orders")
    bot_lines = part("games.atlantic_chase.bot", "orders_of")
    bots_wait = True
    styles = part("games.atlantic_chase.styles")
    mind = part("games.atlantic_chase.mind")
    audit = part("games.atlantic_chase.audit")

    def public(self, event: Event) -> str:
        """R091 Agreed runs stop at milestones alone: a Battle, a ship damaged or sunk, a Task Force
        that was Sighted or met by Signals, one that Completed."""
        kind = type(event).__name__
        if kind == "ShipHit":
            return "" if getattr(event, "state", "afloat") == "afloat" else repr(event)
        milestones = ("BattleBegan", "ShipDamaged", "ForceGone", "StationPlaced", "Completed")
        return repr(event) if kind in milestones else ""


SYSTEM = AtlanticChase()
