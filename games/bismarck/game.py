"""Bismarck (1979), the Basic Game, as the kernel meets it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from games.bismarck import availability, facts, knowledge
from games.bismarck import turn as script
from games.bismarck.calendar import LAST
from games.bismarck.state import BRITISH, GERMAN, War
from games.bismarck.verbs import GRAMMAR
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


class Bismarck(System):
    """The Basic Game: search board, shadowing, air attack, the battle board."""

    name = "bismarck"
    title = "Bismarck"
    edition = "basic-1"
    state = War
    turns = LAST
    checks = "games.bismarck.check:CHECKS"
    data = "games.bismarck.data"
    grammar = GRAMMAR
    scenarios = (
        Scenario(
            "basic",
            "The Bismarck breaks out, May 1941",
            (BRITISH, GERMAN),
            ("Royal Navy", "Kriegsmarine"),
        ),
    )
    options = (
        Option(
            "visibility",
            ("errata", "printed"),
            "signs of the modifiers under the visibility boxes",
            "7.16",
        ),
        Option("fuel", ("standard", "twelve"), "fuel of the Bismarck: 13 factors, or 12", "5.2"),
        Option(
            "dorsetshire", ("Z10", "Z20"), "where the Dorsetshire enters: errata, or card", "4.1"
        ),
    )

    def begin(self, scenario: str, options: Mapping[str, str], house: Mapping[str, str]) -> War:
        """3 The order of appearance. Raises ValueError where a table breaks a constraint."""
        war = availability.begin(options, house)
        if options.get("fuel") == "twelve":
            war.ships["BISMARCK"].fuel = war.ships["BISMARCK"].tank = 12
        return war

    async def turn(self, table: TableLike, state: War) -> War | Over:
        """4 The whole turn (games.bismarck.turn)."""
        return await script.turn(table, state)

    def learn(self, state: War, side: Side, event: Event) -> None:
        """Fold an event into what `side` knows."""
        knowledge.learn(state.known[side], state.turn, event)

    def facts(self, state: War, side: Side) -> Facts:
        """What `side` knows of the terms of conditions."""
        return facts.knows(state, side)

    def view(self, state: War, side: Side) -> View:
        """What `side` may see."""
        from games.bismarck.view import view

        return view(state, side)

    def public(self, event: Event) -> str:
        """The fact that both are told of, in whatever words: it stops agreed runs."""
        from games.bismarck.public import public

        return public(event)

    def watched(self, state: War) -> View:
        """What lies open for both sides."""
        from games.bismarck.view import watched

        return watched(state)

    def truth(self, state: War) -> View:
        """Both sides, for the referee."""
        from games.bismarck.view import truth

        return truth(state)

    def bot(self, side: Side, report: Mapping[str, object], luck: str) -> str:
        """Order text of a sensible player."""
        from games.bismarck.bot import orders

        return orders(side, report, luck)

    def edits(self) -> Sequence[type[Edit]]:
        """What a ruling may change."""
        from games.bismarck.edits import EDITS

        return EDITS

    def audit(self, state: War) -> None:
        """Raise AssertionError where the state is broken."""
        from games.bismarck.audit import audit

        audit(state)


SYSTEM = Bismarck()
