"""Far Seas, the cruiser war of 1914, as the kernel meets it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from games.far_seas import facts, knowledge, setup
from games.far_seas import turn as script
from games.far_seas.board import BRITISH, GERMAN
from games.far_seas.state import War
from games.far_seas.verbs import GRAMMAR
from orders.book import Facts
from pbem.model import (
    Edit,
    Event,
    Option,
    Over,
    Scenario,
    Side,
    System,
    TableLike,
    View,
)

_SEATS = ((GERMAN, BRITISH), ("Kaiserliche Marine", "Allied Admiralties"))


class FarSeas(System):
    """Raiders on all oceans: areas, secret moves, searches, meetings of cruisers."""

    name = "far_seas"
    title = "Far Seas"
    edition = "cruisers-1"
    state = War
    turns = 10
    checks = "games.far_seas.check:CHECKS"
    data = "games.far_seas.data"
    grammar = GRAMMAR
    scenarios = (
        Scenario("war", "The cruiser war, August to December 1914", *_SEATS),
        Scenario("coronel", "From Coronel to the Falklands", *_SEATS),
        Scenario("emden", "The Emden in the Bay of Bengal", *_SEATS, turns=8),
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

    def begin(self, scenario: str, options: Mapping[str, str], house: Mapping[str, str]) -> War:
        """AC The position of a scenario. Raises ValueError for tables of the moderator's own."""
        if house:
            names = ", ".join(sorted(house))
            raise ValueError(f"{names}: the tables of Far Seas cannot be replaced")
        return setup.begin(scenario, options)

    async def turn(self, table: TableLike, state: War) -> War | Over:
        """E4 The whole turn (games.far_seas.turn)."""
        return await script.turn(table, state)

    def learn(self, state: War, side: Side, event: Event) -> None:
        """Fold an event into what the Allies know; Germans need no memory."""
        if side == BRITISH:
            knowledge.learn(state.known, state.turn, state.segment, event)

    def facts(self, state: War, side: Side) -> Facts:
        """What `side` knows of the terms of conditions."""
        return facts.knows(state, side)

    def view(self, state: War, side: Side) -> View:
        """What `side` may see."""
        from games.far_seas.view import view

        return view(state, side)

    def watched(self, state: War) -> View:
        """What lies open for both sides."""
        from games.far_seas.view import watched

        return watched(state)

    def truth(self, state: War) -> View:
        """Both sides, for the referee."""
        from games.far_seas.view import truth

        return truth(state)

    def bot(self, side: Side, report: Mapping[str, object], luck: str) -> str:
        """Order text of a sensible player."""
        from games.far_seas.bot import orders

        return orders(side, report, luck)

    def edits(self) -> Sequence[type[Edit]]:
        """What a ruling may change."""
        from games.far_seas.edits import EDITS

        return EDITS

    def audit(self, state: War) -> None:
        """Raise AssertionError where the state is broken."""
        from games.far_seas.audit import audit

        audit(state)


SYSTEM = FarSeas()
