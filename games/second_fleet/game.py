"""2nd Fleet as the kernel meets it."""

from __future__ import annotations

from games.second_fleet import knowledge
from games.second_fleet.board import NATO, SOVIET
from games.second_fleet.options import OPTIONS
from games.second_fleet.state import War
from games.second_fleet.verbs import GRAMMAR
from pbem.kit.parts import part
from pbem.model import Event, Scenario, Side, System
from pbem.roles import Role

_SEATS = ((NATO, SOVIET), ("NATO", "Soviet Union"))
_OFFICERS = (
    Role("air", "Air officer"),
    Role("surface", "Surface officer"),
    Role("submarine", "Submarine officer"),
)
_ROLES = {NATO: _OFFICERS, SOVIET: _OFFICERS}


class SecondFleet(System):
    """Modern naval war in the Norwegian Sea: recon, patrols, missiles, submarines."""

    name = "second_fleet"
    title = "2nd Fleet"
    edition = "basic-1"
    state = War
    red = SOVIET
    data = "games.second_fleet.data"
    grammar = GRAMMAR
    whole_sets = True
    scenarios = (
        Scenario("gap", "The Gap", *_SEATS, turns=9, roles=_ROLES),
        Scenario("lifeline", "Lifeline to Narvik", *_SEATS, turns=18, roles=_ROLES),
        Scenario("banner", "Red Banner", *_SEATS, turns=36, roles=_ROLES),
    )
    options = OPTIONS

    begin = part("games.second_fleet.setup")
    turn = part("games.second_fleet.turn")
    view = part("games.second_fleet.view")
    role_view = part("games.second_fleet.officers")
    role_hears = part("games.second_fleet.officers")
    role_sees = part("games.second_fleet.officers")
    watched = part("games.second_fleet.view")
    truth = part("games.second_fleet.view")
    idle = "Units without an order stay where they are."
    checks = "games.second_fleet.check:CHECKS"
    quarries = part("games.second_fleet.belief")
    charts = part("games.second_fleet.chart", "scenes")
    lasts = part("games.second_fleet.lasting")
    bot = part("games.second_fleet.bot", "orders")
    bot_lines = part("games.second_fleet.bot", "lines")
    styles = part("games.second_fleet.styles")
    mind = part("games.second_fleet.mind")
    audit = part("games.second_fleet.audit")

    def learn(self, state: War, side: Side, event: Event) -> None:
        """Fold an event into what a side knows."""
        knowledge.learn(state, side, event)


SYSTEM = SecondFleet()
