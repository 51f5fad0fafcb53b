"""Far Seas, the cruiser war of 1914, as the kernel meets it."""

from __future__ import annotations

from games.far_seas import knowledge
from games.far_seas.board import BRITISH, GERMAN
from games.far_seas.state import War
from games.far_seas.verbs import GRAMMAR
from pbem.kit.parts import part
from pbem.model import Event, Option, Scenario, Side, System

_SEATS = ((GERMAN, BRITISH), ("Kaiserliche Marine", "Allied Admiralties"))


class FarSeas(System):
    """Raiders on all oceans: areas, secret moves, searches, meetings of cruisers."""

    name = "far_seas"
    title = "Far Seas"
    edition = "cruisers-2"
    state = War
    turns = 10
    red = GERMAN
    data = "games.far_seas.data"
    grammar = GRAMMAR
    scenarios = (
        Scenario("war", "The cruiser war, August to December 1914", *_SEATS),
        Scenario("coronel", "From Coronel to the Falklands", *_SEATS, first=6),
        Scenario("emden", "The Emden in the Bay of Bengal", *_SEATS, turns=8, first=3),
        Scenario("konigsberg", "The Konigsberg and the Rufiji", *_SEATS, turns=8),
    )
    options = (
        Option(
            "optional",
            ("none", "liners", "all"),
            "ships that need not take part: none, Geier and Berlin, or Goeben and Breslau too",
            "AC",
        ),
        Option(
            "concentration",
            ("two", "three"),
            "ships at one target from which each fires worse (F2)",
            "K3",
        ),
        Option(
            "slowing",
            ("level", "grade"),
            "what half damage costs a German: a whole level of speed, or one grade (F5)",
            "K10",
        ),
        Option(
            "torpedoes",
            ("later", "one"),
            "torpedoes hit on 1-3 from the second round in range, or always on 1 (F6)",
            "K6",
        ),
        Option(
            "tubes",
            ("all", "warships"),
            "who makes torpedo attacks: all ships but battleships, or no liners either",
            "K6",
        ),
        Option(
            "cowardice",
            ("once", "both"),
            "of two kinds of cowardice in an area the first pays, or both (F8)",
            "S7",
        ),
        Option(
            "running",
            ("once", "rounds"),
            "a ship may try to run once in a meeting, or after every round (F12)",
            "K5",
        ),
        Option(
            "convoy",
            ("uk", "allied"),
            "whose ships may cover merchants: British ones, or all Allies'",
            "M6",
        ),
    )

    begin = part("games.far_seas.setup")
    turn = part("games.far_seas.turn")
    view = part("games.far_seas.view")
    watched = part("games.far_seas.view")
    truth = part("games.far_seas.view")
    idle = (
        "Ships without an order stay where they are, on duty as before; German liners cruise in a "
        "turn's first segment, and all Germans where none is ordered to move."
    )
    checks = "games.far_seas.check:CHECKS"
    bot = part("games.far_seas.bot", "orders")
    bot_lines = part("games.far_seas.bot", "lines")
    quarries = part("games.far_seas.belief")
    styles = part("games.far_seas.styles")
    mind = part("games.far_seas.mind")
    reference = part("games.far_seas.reference", "text")
    edits = part("games.far_seas.edits")
    audit = part("games.far_seas.audit")

    def learn(self, state: War, side: Side, event: Event) -> None:
        """Fold an event into what the Allies know; Germans need no memory."""
        if side == BRITISH:
            knowledge.learn(state.known, state.turn, event)


SYSTEM = FarSeas()
