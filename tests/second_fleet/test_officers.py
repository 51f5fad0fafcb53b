"""Officers with roles: who may order what, and two worlds that one officer cannot tell apart, in
which his commander, his fellow officers and the enemy act differently. Planted leaks are found.
"""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from games.second_fleet import advanced_events as aev
from games.second_fleet import events as ev
from games.second_fleet import officers, setup
from games.second_fleet.board import NATO, SOVIET
from games.second_fleet.game import SYSTEM
from games.second_fleet.knowledge import learn
from games.second_fleet.report import Board
from pbem.admin.setup import Choices
from pbem.base.report_json import Report
from pbem.engine.role_views import role_view
from pbem.model import Side, View
from pbem.testing.orders import legal
from tests import mailed
from tests.mailed import until_they_differ
from tests.referee import Referee, key_of
from tests.secrecy import Artefacts, differences

ROLES = ("air", "surface", "submarine")
SEATS = tuple(f"nato.{role}" for role in ROLES)
WINDOWS = 3
OWN = {
    "nato.air": ("USP3A: recon na sub;", "USP3B: cap;", ""),
    "nato.surface": ("ANVIL: go 2020;", "BRASS: go 2428;", "TFLGR: go 2727;"),
    "nato.submarine": ("GATO: go 2331;", "GATO: go 2333; ANVIL: go 3030;", "OTUS: go 3129;"),
}
"""Of the officer who looks on, the same in both worlds; some of it is refused."""
HIDDEN: dict[str, tuple[tuple[str, ...], ...]] = {
    "nato": (
        ("@NATO: losses weakest;",),
        ("NATO: segment surf sub air;", "@NATO: array dd ff;"),
        ("NATO: segment sub air;",),
    ),
    "soviet": (
        ("SOI38A: coordinate sv;", "SOT95FA: recon sv;"),
        ("SOVIET: segment sub air surf;", "MKALN: go 2915;", "DESNA: go 2614;", "PPSLV: go 2817;"),
        ("SOVIET: segment air surf;",),
    ),
    "nato.air": (("USP3B: recon na sub;", "UKNIMA: coordinate bi;"), (), ()),
    "nato.surface": ((), ("SCYLA: go 3229;", "BRASS: go 2429;", "@ANVIL: array dd ff;"), ()),
    "nato.submarine": ((), (), ("TFLGR: go 2729;", "OTUS: go 3129;")),
}
"""Of the others: the first line of the second and third window in both worlds, because all see
which types are activated; of the rest every other one in each world."""


class World(mailed.MailedWorld):
    """One officer is the same in both worlds."""

    bad = ("GATO: fly 2020;", "ANVIL: move 9999;", "Q9: yes;")
    writes = 1.0

    def __init__(self, referee: Referee, seat: str, name: str) -> None:
        super().__init__(referee, seat, Random(name))
        self.n, self.second = 0, name == "two"
        self.others = [Side(s) for s in HIDDEN if s != seat]

    def misses(self, n: int) -> bool:
        return False

    def own_orders(self, n: int) -> str:
        self.n = n
        return OWN[self.side][n - 1]

    def hidden_orders(self) -> str:
        lines = HIDDEN[self.other][self.n - 1]
        fixed = lines[:1] if self.n > 1 and self.other in ("nato", "soviet") else ()
        drawn = [line for line in lines if line not in fixed][self.second :: 2]
        report = Report.of(self.referee.report(self.other))
        return "\n".join(legal(SYSTEM, report, [*fixed, *drawn]))


def two_worlds(folder: Path, seat: str, windows: int = WINDOWS) -> tuple[Artefacts, Artefacts]:
    """What one officer gets in either world, with separate command."""

    def make(name: str) -> World:
        choices = Choices(scenario="gap", options={"command": "separate"}, seed="a", dice="seeded")
        referee = Referee.made(folder / name, SYSTEM, choices)
        for each in SEATS:
            referee.enlist(each, key_of(each))
        referee.open()
        return World(referee, seat, name)

    return mailed.two_worlds(make, windows)


@pytest.mark.some(1)
@pytest.mark.parametrize("seat", SEATS)
def test_nothing_tells_what_the_others_do(seat: str, tmp_path: Path) -> None:
    one, other = two_worlds(tmp_path, seat)
    assert len(one) > 30
    assert differences(one, other) == []
    ship = {"nato.air": b"USP3A", "nato.surface": b"ANVIL", "nato.submarine": b"GATO"}[seat]
    assert any(ship in content for content in one.values())


def test_a_commander_sees_what_his_officers_do(tmp_path: Path) -> None:
    """The worlds do differ: to the commander, who sees all."""
    two_worlds(tmp_path, "nato.air", 2)
    reports = [Referee(tmp_path / name, SYSTEM).report("nato", 3) for name in ("one", "two")]
    assert (
        reports[0]["units"] != reports[1]["units"] or reports[0]["events"] != reports[1]["events"]
    )


# Planted leaks


def _all_units(seen: View, war: Any, side: Any) -> None:
    seen.units = SYSTEM.view(war, side).units


def _counted(seen: View, war: Any, side: Any) -> None:
    """Facts of the board are left out by where the side's ships are."""
    assert isinstance(seen.board, Board)
    seen.board.facts = seen.board.facts[: sum(int(v.hex) for v in war.afloat(side)) % 3]


def leaky(change: Any) -> Any:
    """A `role_view` whose view is changed before it is given."""
    real = officers.role_view

    def role_view(state: Any, side: Any, role: str) -> View:
        seen = real(state, side, role)
        change(seen, state, side)
        return seen

    return role_view


@pytest.mark.some(1)
@pytest.mark.parametrize("change", [_all_units, _counted])
def test_a_view_that_shows_too_much_is_found(
    change: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(SYSTEM), "role_view", lambda self, *given: leaky(change)(*given))
    with until_they_differ():
        assert differences(*two_worlds(tmp_path, "nato.air"))


def test_an_event_too_many_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(type(SYSTEM), "role_hears", lambda *given: True)
    with until_they_differ():
        assert differences(*two_worlds(tmp_path, "nato.air"))


# Who may order what


@pytest.mark.parametrize("command", ["shared", "separate"])
@pytest.mark.parametrize("side", [NATO, SOVIET])
def test_each_officer_orders_his_own_units(command: str, side: Any) -> None:
    war = setup.begin("lifeline", {"command": command}, {})
    war.stage, war.segment = "segment", 1
    menus = [role_view(SYSTEM, war, f"{side}.{role}").menu for role in ROLES]
    assert all(menus)
    together = [actor for menu in menus for actor in menu]
    assert len(together) == len(set(together))
    assert {*together, side.upper()} == {*SYSTEM.view(war, side).menu}
    assert all(name in war.squadrons for name in menus[0])
    assert all(war.vessels[name].sub for name in menus[2])


def test_shared_command_shows_all_of_the_side() -> None:
    war = setup.begin("lifeline", {}, {})
    whole, part = SYSTEM.view(war, NATO), role_view(SYSTEM, war, "nato.submarine")
    assert part.units == whole.units and part.contacts == whole.contacts
    assert officers.role_hears(war, NATO, "air", ev.Sailed(rule="86", unit="GATO", to="", hexes=1))


def test_separate_command_shows_the_own_units() -> None:
    war = setup.begin("lifeline", {"command": "separate"}, {})
    part = role_view(SYSTEM, war, "nato.submarine")
    assert {u.id for u in part.units} == {v.id for v in war.afloat(NATO) if v.sub}
    assert isinstance(part.board, Board) and not part.board.patrols
    sailed = ev.Sailed(rule="86", unit="HAMMER", to="2635", hexes=1)
    assert officers.role_hears(war, NATO, "surface", sailed)
    assert not officers.role_hears(war, NATO, "submarine", sailed)


@pytest.mark.parametrize(
    ("level", "at", "who"),
    [
        (2, "4001", {"air", "surface", "submarine"}),
        (1, "2636", {"surface", "air"}),
        (1, "3017", {"submarine"}),
        (1, "4001", set()),
    ],
)
def test_separate_command_shows_contacts_that_are_near_or_known_to_all(
    level: int, at: str, who: set[str]
) -> None:
    war = setup.begin("lifeline", {"command": "separate"}, {})
    found = ev.Located(
        rule="97", contact="EN1", at=at, what="single", types=("DD",), size="", level=level,
        hurt=0, how="zone",
    )  # fmt: skip
    learn(war, NATO, found)
    seen = {r for r in ROLES if role_view(SYSTEM, war, f"nato.{r}").contacts}
    assert seen == who
    assert {r for r in ROLES if officers.role_hears(war, NATO, r, found)} == who


@pytest.mark.parametrize("command", ["shared", "separate"])
def test_each_officer_brings_in_his_own_reinforcements(command: str) -> None:
    options = {"command": command, "level": "advanced"}
    war = setup.begin("banner", {o.name: o.values[0] for o in SYSTEM.options} | options, {})
    war.turn, war.stage = 4, "strategic"
    came = {"air": "USP3D", "surface": "ALTAR", "submarine": "LAJLA"}
    war.arrivals[NATO].waiting = list(came.values())
    menus = {role: officers.role_view(war, NATO, role).menu for role in ROLES}
    assert {role: name for role in ROLES for name in came.values() if name in menus[role]} == came


def test_separate_command_tells_what_concerns_an_officer() -> None:
    war = setup.begin("lifeline", {"command": "separate"}, {})
    heard = {
        aev.Counted(rule="6.17", box="", bases=1, denial=0): {"air", "surface", "submarine"},
        aev.Blast(rule="6.6", at="2020", points=9): {"air", "surface", "submarine"},
        aev.MinesMet(rule="213", at="3412", count=1, hits=1): {"surface"},
        aev.Fled(rule="6.3", base="Narvik", to=war.vessels["KAURA"].hex): {"submarine"},
        aev.Reinforced(rule="6.4", box=17, units=("ALTAR", "USP3D")): {"air", "surface"},
        aev.Unlanded(rule="6.4/3", actor="USP3D", what="it cannot land"): {"air"},
    }
    for event, who in heard.items():
        assert {r for r in ROLES if officers.role_hears(war, NATO, r, event)} == who


def test_landings_of_a_higher_strategy_are_the_commanders() -> None:
    options = {"command": "separate", "level": "advanced"}
    war = setup.begin("banner", {o.name: o.values[0] for o in SYSTEM.options} | options, {})
    war.turn, war.stage = 4, "strategic"
    whole = SYSTEM.view(war, SOVIET).board
    assert isinstance(whole, Board)
    assert [row.id for row in whole.raised] == ["SOVIET"]
    part = officers.role_view(war, SOVIET, "surface").board
    assert isinstance(part, Board)
    assert part.raised == ()
