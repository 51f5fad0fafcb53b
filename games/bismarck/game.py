"""Bismarck (1979), the Basic Game, as the kernel meets it."""

from __future__ import annotations

from games.bismarck import knowledge
from games.bismarck.calendar import LAST
from games.bismarck.state import BRITISH, GERMAN, War
from games.bismarck.verbs import GRAMMAR
from pbem.kit.parts import part
from pbem.model import Event, Option, Scenario, Side, System


class Bismarck(System):
    """The Basic Game: search board, shadowing, air attack, the battle board."""

    name = "bismarck"
    title = "Bismarck"
    edition = "basic-2"
    state = War
    turns = LAST
    data = "games.bismarck.data"
    alternatives = (frozenset({"move", "patrol", "hold", "intercept"}),)
    grammar = GRAMMAR
    scenarios = (
        Scenario(
            "basic",
            "The Bismarck breaks out, May 1941",
            (BRITISH, GERMAN),
            ("Royal Navy", "Kriegsmarine"),
            first=4,
        ),
    )
    options = (
        Option(
            "visibility",
            ("errata", "printed"),
            "signs of the modifiers under the visibility boxes",
            "7.16",
        ),
        Option(
            "calls",
            ("kept", "heard"),
            "calls that find nothing: kept from the enemy, or heard as at a table",
            "7.21",
        ),
        Option("fuel", ("standard", "twelve"), "fuel of the Bismarck: 13 factors, or 12", "5.2"),
        Option(
            "dorsetshire", ("Z10", "Z20"), "where the Dorsetshire enters: errata, or card", "4.1"
        ),
    )

    begin = part("games.bismarck.availability")
    turn = part("games.bismarck.turn")
    view = part("games.bismarck.view")
    bot_view = part("games.bismarck.view")
    watched = part("games.bismarck.view")
    truth = part("games.bismarck.view")
    public = part("games.bismarck.public")
    idle = (
        "Ships without an order finish their paths, then stay; aircraft stay at base, or fly home "
        "in time."
    )
    checks = "games.bismarck.check:CHECKS"
    bot = part("games.bismarck.bot", "orders")
    bot_lines = part("games.bismarck.bot", "lines")
    quarries = part("games.bismarck.belief")
    styles = part("games.bismarck.styles")
    mind = part("games.bismarck.mind")
    edits = part("games.bismarck.edits")
    audit = part("games.bismarck.audit")

    def learn(self, state: War, side: Side, event: Event) -> None:
        """Fold an event into what `side` knows."""
        knowledge.learn(state.known[side], state.turn, event)


SYSTEM = Bismarck()
