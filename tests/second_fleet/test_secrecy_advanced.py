"""Two worlds of the advanced level with every secret option, which look the same to one side.

In both the enemy is out of sight, but with other ships, other depths, other mines, other stores,
another marker of reinforcements and another answer to the release question; a contact that the side
holds is a task force in one world and a decoy in the other. They are played through a morning, a
day, and the next morning with its dice. Then leaks are planted, and the same test finds each.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random

import pytest

from games.second_fleet import advanced_view, combat, decoys, logistics, mines, setup
from games.second_fleet.board import NATO, OTHER, SIDES, SOVIET
from games.second_fleet.game import SYSTEM
from games.second_fleet.state import Vessel, War
from pbem.base.hashing import canonical_json
from pbem.kit.contacts import Pseudonyms
from pbem.model import Side
from pbem.table import Table
from tests import worlds as worlds_of
from tests.secrecy import what_differs
from tests.worlds import Leak, view_leak

ON = ("deep", "mines", "logistics", "nuclear", "decoys", "cruise", "close", "speed")
OPTIONS = (
    {o.name: o.values[0] for o in SYSTEM.options}
    | dict.fromkeys(ON, "yes")
    | {"play": "plotted", "windows": "turn"}
)
FAR: dict[Side, tuple[dict[str, str], dict[str, str]]] = {
    SOVIET: (
        {"PPSLV": "2903", "MKALN": "3004", "KURSK": "3105"},
        {"LNSKY": "2602", "DESNA": "2704", "FRNZE": "2805"},
    ),
    NATO: (
        {"TFLGR": "1040", "GATO": "1140", "SCYLA": "1239"},
        {"SPRTN": "1539", "TUNNY": "1638", "KNOX": "1439"},
    ),
}
"""Ships of the hidden side in each of both worlds."""
HELD: dict[Side, tuple[str, ...]] = {
    SOVIET: ("NKLYV", "UDLOY", "OTCHY", "NKTMY"),
    NATO: ("SCOTT", "HAWES", "GARY", "LUCE"),
}
"""A task force that the other side holds at Local; a decoy in the second world."""
PLACE = {SOVIET: "2812", NATO: "2132"}
VISIBLE = {NATO: {"GATO": "2535", "BELNP": "2334"}, SOVIET: {"LNSKY": "2703", "TALLN": "3006"}}
SENT: dict[Side, tuple[list[str], list[str]]] = {
    SOVIET: (
        ["PPSLV: deep; SOI38A: mine 3311; @SOVIET: release go;", "ALPHA: go 2808; MKALN: go 2904;"],
        ["SOI38A: mine 3412; @SOVIET: release hold;", "DECOY4: go 2808; DESNA: go 2604;"],
    ),
    NATO: (
        ["TFLGR: deep; USP3A: mine 3605; @NATO: release go;", "ALPHA: go 1930; GATO: go 1036;"],
        ["USP3A: mine 3705; @NATO: release reply;", "DECOY1: go 1930; TUNNY: go 1635;"],
    ),
}
"""Orders of the hidden side by window, in each of both worlds; what is activated is open."""
OWN: dict[Side, list[str]] = {
    NATO: [
        "NATO: drop 2119; USP3A: mine 3605; GATO: deep; USP3B: recon ns sub; @NATO: release reply;",
        "NATO: segment air surf sub; BELNP: move 2333; GATO: go 2640; BELNP: attack ssm EN5;",
        "NATO: segment surf sub air;",
        "NATO: segment surf sub air;",
        "GATO: surface; USP3B: recon gs sub;",
    ],
    SOVIET: [
        "SOVIET: strategy up; SOI38A: mine 3412; LNSKY: deep; SOVIET: drop 2119;",
        "SOVIET: segment surf air sub; TALLN: move 3007; LNSKY: go 2705; LNSKY: mine 3311;",
        "SOVIET: segment surf sub air;",
        "SOVIET: segment surf sub air;",
        "LNSKY: surface; SOT95FA: recon na;",
    ],
}
"""Of the side that looks on, the same in both worlds; some of them wrong."""


def start(side: Side, second: bool) -> War:
    """The first morning. side: who looks on; second: of the other world."""
    war, foe = setup.begin("banner", OPTIONS, {}), OTHER[side]
    war.turn, war.stage = 1, "strategic"
    war.vessels, war.groups = {}, {}
    war.squadrons = {n: s for n, s in war.squadrons.items() if not s.embarked}
    for each in SIDES:
        war.known[each], war.held[each], war.called[each] = {}, {}, Pseudonyms("EN")
        war.arrivals[each].waiting = []
    for name, hex_ in (*VISIBLE[side].items(), *FAR[foe][second].items()):
        if name not in war.vessels:
            owner = side if name in VISIBLE[side] else foe
            war.vessels[name] = Vessel(name, owner, hex_, wake=[hex_])
    _held(war, foe, second)
    for name, ship in war.vessels.items():
        ship.stores = None if ship.decoy else logistics.full(name)
        if ship.side == foe and second and ship.stores:
            ship.stores.rows = {row: min(count, 1) for row, count in ship.stores.rows.items()}
    war.arrivals[foe].marker += second
    war.landings[foe].battalions -= second
    war.mines.laid = {("3213" if second else "3313"): {foe: 1 + second}}
    war.nuclear[foe].pool["asw"] -= second
    war.vessels = dict(sorted(war.vessels.items()))
    return war


def _held(war: War, foe: Side, second: bool) -> None:
    """A marker that the side holds: ships, or none."""
    if second:
        name = decoys.names(foe)[0]
        war.vessels[name] = Vessel(name, foe, PLACE[foe], level=1, wake=[PLACE[foe]])
        return
    war.groups["ALPHA"] = foe
    for name in HELD[foe]:
        war.vessels[name] = Vessel(name, foe, PLACE[foe], "ALPHA", level=1, wake=[PLACE[foe]])


class World(worlds_of.World):
    """One world of the campaign; `second` tells which."""

    system, scenario = SYSTEM, "banner"
    wrong = frozenset(
        {"unknown-unit", "not-now", "unknown-word", "unknown-contact", "too-far", "no-way",
         "out-of-range", "contradiction", "missing-argument", "one-target"}
    )  # fmt: skip
    pages = True

    def __init__(self, side: Side, second: bool) -> None:
        war = start(side, second)
        super().__init__(side, war, OPTIONS, Random("same"), worlds_of.seeded("same"))
        self.second, self.windows = second, 0

    def hidden_orders(self, side: Side) -> str:
        given = SENT[side][self.second]
        text = given[self.windows] if self.windows < len(given) else ""
        if 1 <= self.windows <= 3:
            text += f"{side.upper()}: segment sub surf air;"
        return self.legal(side, [f"{line};" for line in text.split(";") if line])

    def sets(self, own: str) -> dict[Side, worlds_of.World]:  # type: ignore[override]
        found = super().sets(own)
        self.windows += 1
        return found  # type: ignore[return-value]

    def show(self) -> None:
        if self.pages and self.windows in (1, 5):
            super().show()
        else:
            self.artefacts.append(canonical_json(self.report(self.side)))


def played(side: Side, pages: bool = True) -> Iterator[World]:
    """Both worlds, to the second morning."""
    for second in (False, True):
        world = World(side, second)
        world.pages = pages
        for own in OWN[side]:
            world.window(own)
        yield world


@cache
def known(side: Side) -> tuple[World, World]:
    """Both worlds as they are, played once."""
    one, other = played(side)
    return one, other


@pytest.mark.parametrize("side", SIDES)
def test_secrets_of_the_advanced_level_tell_nothing(side: Side) -> None:
    one, other = known(side)
    assert what_differs(one.artefacts, other.artefacts) == []
    war, foe = one.drive.state, OTHER[side]
    assert war.turn == 4
    assert war.mines.laid != other.drive.state.mines.laid
    assert war.arrivals[foe].marker != other.drive.state.arrivals[foe].marker
    assert any(s.deep for s in war.vessels.values() if s.side == foe)
    assert not any(s.deep for s in other.drive.state.vessels.values() if s.side == foe)


@pytest.mark.parametrize("side", SIDES)
def test_the_contact_is_a_task_force_of_unknown_types(side: Side) -> None:
    one, _ = known(side)
    (seen,) = [k for k in one.drive.state.known[side].values() if k.kind == "TF"]
    assert (seen.types, seen.size) == ((), "")


# 6.19 Decoys beside ships that they do not find


class Beside(World):
    """A frigate sees a decoy and a task force, which in the second world have changed places.
    alone: she sees the one that is in 2130, and no other."""

    def __init__(self, second: bool, alone: bool) -> None:
        super().__init__(NATO, False)
        war, places = self.drive.state, ["2130", "2134"]
        decoy, force = reversed(places) if second else places
        war.vessels = {"KNOX": Vessel("KNOX", NATO, "2132", wake=["2132"])}
        if not (alone and decoy == places[1]):
            name = decoys.names(SOVIET)[0]
            war.vessels[name] = Vessel(name, SOVIET, decoy, wake=[decoy])
        if not (alone and force == places[1]):
            for name in HELD[SOVIET]:
                war.vessels[name] = Vessel(name, SOVIET, force, "ALPHA", wake=[force])
        for name, ship in war.vessels.items():
            ship.stores = None if ship.decoy else logistics.full(name)
        war.groups = {"ALPHA": SOVIET}
        war.vessels = dict(sorted(war.vessels.items()))
        self.pages = False

    def hidden_orders(self, side: Side) -> str:
        return ""


def beside(alone: bool) -> tuple[Beside, Beside]:
    """Both worlds, after two turns."""
    both = Beside(False, alone), Beside(True, alone)
    for world in both:
        for own in ("", "", "KNOX: if detected then move 2032;"):
            world.window(own)
    return both


@pytest.mark.parametrize("alone", [False, True])
def test_a_decoy_looks_like_a_task_force_also_to_a_ship_that_it_does_not_find(alone: bool) -> None:
    one, other = beside(alone)
    assert what_differs(one.artefacts, other.artefacts) == []
    seen = one.drive.state.known[NATO].values()
    assert {k.place for k in seen if k.kind == "TF"} == {"2130"} | (set() if alone else {"2134"})


def test_whoever_is_told_of_local_markers_knows_the_decoy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(War, "tells", lambda war, level: True)
    one, other = beside(alone=True)
    assert what_differs(one.artefacts, other.artefacts) != []


# 6.6/3 A submarine that nobody knows, near the target of a nuclear depth charge


class Depth(World):
    """An aircraft attacks a submarine, in whose hex in the second world a missile submarine lies,
    in the first far away."""

    def __init__(self, second: bool) -> None:
        super().__init__(NATO, False)
        war = self.drive.state
        hunted = Vessel("MKALN", SOVIET, "2718", level=2, wake=["2718"])
        hidden = Vessel("UKRNA", SOVIET, "2718" if second else "2805", wake=["2718"])
        knox = Vessel("KNOX", NATO, "2132", wake=["2132"])
        war.vessels = {ship.id: ship for ship in (knox, hunted, hidden)}
        war.groups = {}
        for name, ship in war.vessels.items():
            ship.stores = logistics.full(name)
        self.pages = False

    def hidden_orders(self, side: Side) -> str:
        return ""


def depths() -> tuple[Depth, Depth]:
    """Both worlds, after the attack."""
    both = Depth(False), Depth(True)
    for world in both:
        for own in ("@NATO: release go;", "USP3A: strike asw 2718 nuclear;"):
            world.window(own)
    return both


def test_points_do_not_tell_of_a_missile_submarine_that_a_depth_charge_left_whole() -> None:
    one, other = depths()
    assert what_differs(one.artefacts, other.artefacts) == []
    war, ship = other.drive.state, other.drive.state.vessels["UKRNA"]
    assert war.total(SOVIET) == 70 and not ship.damaged and not ship.level
    attacked = [not world.drive.state.vessels["UKRNA"].rested for world in (one, other)]
    assert attacked == [False, True]


def test_points_for_every_missile_submarine_in_the_hex_betray_her(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    real = combat._attacked
    all_ = lambda table, war, ship, by, to: real(table, war, ship, by, table.sides)  # noqa: E731
    monkeypatch.setattr(combat, "_attacked", all_)
    one, other = depths()
    assert what_differs(one.artefacts, other.artefacts) != []


# Planted leaks


def _to_all(name: str) -> Leak:
    """Events of a class are told to both."""

    def plant(patch: pytest.MonkeyPatch) -> None:
        real = Table.tell

        def tell(self: Table, to: object, event: object) -> None:
            real(self, self.sides if type(event).__name__ == name else to, event)  # type: ignore[arg-type]

        patch.setattr(Table, "tell", tell)

    return plant


def _all_mines(patch: pytest.MonkeyPatch) -> None:
    """Every minefield is shown."""
    real = advanced_view.mines
    patch.setattr(advanced_view, "mines", lambda war, sides: real(war, SIDES))


def _common_markers(patch: pytest.MonkeyPatch) -> None:
    """The markers that are left show how many the enemy has laid."""
    patch.setattr(mines, "left", lambda war, side: max(0, 2 - _laid(war)))


def _laid(war: War) -> int:
    return sum(sum(field.values()) for field in war.mines.laid.values())


def _types_of_groups(patch: pytest.MonkeyPatch) -> None:
    """Local groups show their types though there are decoys."""
    real = War.on
    hide = lambda war, option: option != "decoys" and real(war, option)  # noqa: E731
    patch.setattr(War, "on", hide)


LEAKS: dict[str, Leak] = {
    "depth": _to_all("ModeChanged"),
    "mine laying": _to_all("MinesLaid"),
    "release": _to_all("ReleaseSet"),
    "reinforcements": _to_all("Reinforced"),
    "entries": _to_all("Entered"),
    "minefields": _all_mines,
    "markers": _common_markers,
    "decoys": _types_of_groups,
    "stores": view_leak(SYSTEM, lambda war: f" {[s.stores for s in war.vessels.values()]}"),
    "troops": view_leak(SYSTEM, lambda war: f" {war.landings}"),
}


@pytest.mark.parametrize("leak", LEAKS)
def test_a_planted_leak_of_the_advanced_level_is_found(
    leak: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    LEAKS[leak](monkeypatch)
    one, other = played(NATO, pages=False)
    assert what_differs(one.artefacts, other.artefacts) != []
