"""Two worlds that look the same to one side: its reports, pages, charts and answers are byte-equal.

In both the enemy is out of sight, but with other ships, in other places, on other errands: he
moves, dives for other goals and looks out over other zones. What is open stays equal: who patrols
over which base, which types are activated. One task force and two submarines that the side holds
lie at the same places in both worlds; unseen, they have other names, and these another order. With
`fog=open` all hexes and markers are equal, and what stands in them is not. Then leaks are planted,
and the same test finds each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from random import Random

import pytest

from games.second_fleet import detection, knowledge, setup
from games.second_fleet import turn as script
from games.second_fleet.board import NATO, OTHER, SIDES, SOVIET
from games.second_fleet.events import CapSet
from games.second_fleet.game import SYSTEM
from games.second_fleet.state import Squadron, Vessel, War
from games.second_fleet.tables import D10
from pbem.base.hashing import canonical_json
from pbem.dice.sources import Rolled, Seeded
from pbem.engine.drive import Drive
from pbem.kit.contacts import Pseudonyms
from pbem.model import Dice, Side, Window
from pbem.table import Table
from tests import worlds as worlds_of
from tests.second_fleet.casebook import play
from tests.secrecy import what_differs
from tests.worlds import Leak, view_leak

FOGS = ("hidden", "open", "asked")
"""Both values of `fog`, and a game in which each half of a segment has a window."""
OPTIONS = {o.name: o.values[0] for o in SYSTEM.options} | {"play": "plotted"}
FAR: dict[Side, tuple[dict[str, str], dict[str, str]]] = {
    SOVIET: (
        {"PPSLV": "2903", "MKALN": "3004", "KURSK": "3105", "CCHER": "3205"},
        {"LNSKY": "2602", "DESNA": "2704", "FRNZE": "2805", "MTSKY": "3303"},
    ),
    NATO: (
        {"TFLGR": "1040", "GATO": "1140", "SCYLA": "1239", "OTUS": "1338"},
        {"SPRTN": "1539", "TUNNY": "1638", "KNOX": "1439", "UPHLD": "1740"},
    ),
}
"""Ships of the hidden side in each of both worlds."""
HELD: dict[Side, tuple[tuple[str, ...], tuple[str, ...]]] = {
    SOVIET: (("NKLYV", "UDLOY", "OTCHY", "NKTMY"), ("TALLN", "VSLYV", "OTTUK", "GRMKY")),
    NATO: (("SCOTT", "HAWES", "GARY", "LUCE"), ("BYRD", "CARR", "DAVIS", "TATNL")),
}
"""A task force that the other side holds at Local: the same types, other ships."""
PLACE = {SOVIET: "2812", NATO: "2132"}
HEARD: dict[Side, tuple[dict[str, str], dict[str, str]]] = {
    SOVIET: ({"ABLGN": "2920", "YGAGR": "2618"}, {"YGAGR": "2920", "ABLGN": "2618"}),
    NATO: ({"CONQR": "1834", "WRSPT": "1635"}, {"WRSPT": "1834", "CONQR": "1635"}),
}
"""Submarines of one class that it holds as well: where, in each of both worlds."""
STAND: dict[Side, tuple[dict[str, str], dict[str, str]]] = {
    SOVIET: (
        {"MKALN": "2903", "KURSK": "3105", "CCHER": "3205"},
        {"FKZLV": "2903", "UDLOY": "3105", "SGRCH": "3205"},
    ),
    NATO: (
        {"GATO": "1040", "SCYLA": "1239", "OTUS": "1338"},
        {"TUNNY": "1040", "ANDRM": "1239", "UPHLD": "1338"},
    ),
}
"""With `fog=open`: the same hexes and markers, other ships."""
MOVES: dict[Side, tuple[str, str]] = {
    SOVIET: (
        "SOVIET: segment sub surf; MKALN: go 2906; ABLGN: go 2918; YGAGR: go 2616;",
        "SOVIET: segment sub surf; FKZLV: go 2906; YGAGR: go 2918; ABLGN: go 2616;",
    ),
    NATO: (
        "NATO: segment sub surf; GATO: go 1036; CONQR: go 1832; WRSPT: go 1633;",
        "NATO: segment sub surf; TUNNY: go 1036; WRSPT: go 1832; CONQR: go 1633;",
    ),
}
"""With `fog=open`: what all see, of other ships."""
SENT: dict[Side, tuple[list[str], list[str]]] = {
    SOVIET: (
        ["SOT95FA: recon bs; SOI38A: coordinate bs;", "SOVIET: segment sub surf; MKALN: go 2906;"],
        ["SOT95FA: recon sv; SOI38A: recon bs sub;", "SOVIET: segment sub surf; DESNA: go 2906;"],
    ),
    NATO: (
        ["USP3A: recon na; USP3B: coordinate na;", "NATO: segment sub surf; GATO: go 1035;"],
        ["USP3A: recon ls; USP3B: recon na sub;", "NATO: segment sub surf; TUNNY: go 1635;"],
    ),
}
"""Orders of the hidden side by window, in each of both worlds."""
OWN: dict[Side, list[str]] = {
    NATO: [
        "USP3A: recon ns sub; UKNIMA: recon ic cv; UKNIMB: coordinate ns;",
        "NATO: segment air surf sub; USF15A: cap; USP3B: strike asw EN7; GATO: go 2640;"
        "SCYLA: move 2333 2332; SCYLA: attack ssm EN1; USP3B: strike ssm EN1;",
        "GATO: attack asw 2535; @NATO: losses weakest; if held EN1 then segment sub;",
    ],
    SOVIET: [
        "SOT95FA: recon bi cv; SOI38A: recon ns sub; SOT16DA: recon ns;",
        "SOVIET: segment surf air sub; SOT26A: strike ssm EN1 with SOT26B; LNSKY: go 2705;"
        "LNSKY: attack torpedo EN2; SOT95FB: strike asw EN1; LNSKY: move 2804;",
        "SOVIET: segment air sub; SOT26A: strike ssm 2535;",
    ],
}
"""Of the side that looks on, the same in both worlds; some of them wrong."""
VISIBLE = {NATO: {"GATO": "2535", "SCYLA": "2334"}, SOVIET: {"LNSKY": "2703", "NKLYV": "3006"}}


def start(side: Side, second: bool, fog: str = "hidden") -> War:
    """The position. side: who looks on; second: of the other world."""
    war = setup.begin("gap", {**OPTIONS, "fog": fog}, {})
    war.vessels, war.groups = {}, {"ALPHA": OTHER[side]}
    for each in SIDES:
        war.known[each], war.held[each], war.called[each] = {}, {}, Pseudonyms("EN")
    for name, hex_ in VISIBLE[side].items():
        war.vessels[name] = Vessel(name, side, hex_, wake=[hex_])
    foe = OTHER[side]
    for name, hex_ in (FAR if fog == "hidden" else STAND)[foe][second].items():
        if name not in war.vessels:
            hurt = second and fog == "hidden"
            war.vessels[name] = Vessel(name, foe, hex_, damaged=hurt, wake=[hex_])
    for name, hex_ in HEARD[foe][second].items():
        if name not in war.vessels:
            war.vessels[name] = Vessel(name, foe, hex_, level=1, wake=[hex_])
    for name in HELD[foe][second]:
        if name not in war.vessels:
            war.vessels[name] = Vessel(name, foe, PLACE[foe], "ALPHA", level=1, wake=[PLACE[foe]])
    carriers = [n for n, s in war.squadrons.items() if not s.base.isdigit()]
    for name in carriers:
        del war.squadrons[name]
    extra = {
        SOVIET: (("SOM23A", "SOB12A"), "4006"),
        NATO: (("UKPHNB", "UKNIMC"), "3733"),
    }[foe]
    if second or fog == "open":
        name = extra[0][second]
        war.squadrons[name] = Squadron(name, foe, extra[1])
    war.vessels = dict(sorted(war.vessels.items()))
    war.squadrons = dict(sorted(war.squadrons.items()))
    if war.open:
        knowledge.lay_open(war)
    return war


class World(worlds_of.World):
    """One world of 2nd Fleet; `second` tells which."""

    system, scenario = SYSTEM, "gap"
    wrong = frozenset(
        {"unknown-unit", "not-now", "unknown-word", "unknown-contact", "too-far", "no-way",
         "out-of-range", "contradiction", "missing-argument", "one-target", "no-target"}
    )  # fmt: skip

    pages = True
    """Are pages and charts among the artefacts?"""

    def __init__(self, side: Side, second: bool, fog: str = "hidden") -> None:
        asked = fog == "asked"
        options = {**OPTIONS, "fog": "hidden" if asked else fog}
        options["play"] = "asked" if asked else "plotted"
        war = start(side, second, options["fog"])
        super().__init__(side, war, options, Random("same"), worlds_of.seeded("same"))
        self.second, self.windows, self.fog = second, 0, fog

    def hidden_orders(self, side: Side) -> str:
        given = list(SENT[side][self.second])
        if self.fog == "open":
            given[1] = MOVES[side][self.second]
        if self.fog == "asked":
            given.insert(1, "")  # the window of patrols
        if self.windows >= len(given):
            return ""
        return self.legal(side, [f"{line};" for line in given[self.windows].split(";") if line])

    def sets(self, own: str) -> dict[Side, worlds_of.World]:  # type: ignore[override]
        found = super().sets(own)
        self.windows += 1
        return found  # type: ignore[return-value]

    def show(self) -> None:
        if self.pages:
            super().show()
        else:
            self.artefacts.append(canonical_json(self.report(self.side)))


@cache
def known(side: Side, fog: str) -> tuple[World, World]:
    """Both worlds as they are, played once."""
    one, other = played(side, fog=fog)
    return one, other


def played(side: Side, pages: bool = True, fog: str = "hidden") -> Iterator[World]:
    """Both worlds, after some windows."""
    for second in (False, True):
        world = World(side, second, fog)
        world.pages = pages
        asked = ["", *OWN[side][1:], "", "", ""]
        for own in OWN[side] if fog != "asked" else [OWN[side][0], *asked]:
            world.window(own)
        yield world


@pytest.mark.some(1)
@pytest.mark.parametrize("fog", FOGS)
@pytest.mark.parametrize("side", SIDES)
def test_what_is_out_of_sight_tells_nothing(side: Side, fog: str) -> None:
    one, other = known(side, fog)
    assert len(one.artefacts) > 10
    assert what_differs(one.artefacts, other.artefacts) == []
    assert one.drive.state.vessels != other.drive.state.vessels


@pytest.mark.parametrize("side", SIDES)
def test_the_side_holds_a_contact_and_was_told_of_moves(side: Side) -> None:
    one, _ = known(side, "hidden")
    told = [t.event for t in one.closing.told if side in t.to] if one.closing else []
    assert told
    seen = one.drive.state.known[side].values()
    assert (PLACE[OTHER[side]], "TF") in [(k.place, k.kind) for k in seen]
    assert [k.kind for k in seen].count("SUB") == 2


@pytest.mark.parametrize("side", SIDES)
def test_with_fog_open_a_side_sees_where_all_stand(side: Side) -> None:
    one, _ = known(side, "open")
    war = one.drive.state
    places = {(v.hex, war.kind(v.key)) for v in war.afloat(OTHER[side])}
    assert places == {(k.place, k.kind) for k in war.known[side].values() if not k.lost}
    unseen = [k for k in war.known[side].values() if not k.level and k.place in ("3105", "1239")]
    assert unseen and not unseen[0].types


def hunted(second: bool) -> War:
    """The same submarines, not heard yet, with two of NATO's beside each."""
    war = start(NATO, second)
    for name, hex_ in HEARD[SOVIET][second].items():
        war.vessels[name] = Vessel(name, SOVIET, hex_, wake=[hex_])
    for name, hex_ in {"GROTN": "2920", "LAJLA": "2920", "OLYPA": "2618", "PHENX": "2618"}.items():
        war.vessels[name] = Vessel(name, NATO, hex_, wake=[hex_])
    war.vessels = dict(sorted(war.vessels.items()))
    return war


def test_submarines_found_together_are_not_numbered_by_their_names() -> None:
    found = []
    for second in (False, True):
        game = Drive.start(SYSTEM, SIDES, OPTIONS, hunted(second))
        for _ in range(2):
            game.close({}, worlds_of.seeded("same"))
        seen = game.state.known[NATO].values()
        found.append({k.place: k.id for k in seen if k.kind == "SUB"})
    assert set(found[0]) == {"2618", "2920"}
    assert found[0] == found[1]


# 6.16/3 Contacts that look alike


TWINS = ("ABLGN", "YGAGR")
"""Submarines of one class, found together in one hex."""


class Lots(Seeded):
    """The same dice, but for the lots, of which this world has the first or the last."""

    def __init__(self, last: bool) -> None:
        super().__init__("same", b"0")
        self.last = last

    def roll(self, window: Window, label: str, dice: Dice) -> Rolled:
        if label.startswith("CONTACTS/ORDER/"):
            return (dice.sides if self.last else 1,), ""
        return super().roll(window, label, dice)


class Alike(World):
    """Two submarines that are alike are found together, and one of them sails away: in the second
    world the other, and the lots fall the other way."""

    def __init__(self, second: bool) -> None:
        super().__init__(NATO, False)
        self.dice = self.drive.dice = Lots(second)
        self.mover, self.pages = TWINS[second], False
        war = self.drive.state
        for name in TWINS:
            war.vessels[name] = Vessel(name, SOVIET, "2920", wake=["2920"])
        for name in ("GROTN", "LAJLA"):
            war.vessels[name] = Vessel(name, NATO, "2820", wake=["2820"])
        war.vessels = dict(sorted(war.vessels.items()))

    def hidden_orders(self, side: Side) -> str:
        return f"SOVIET: segment surf sub air; {self.mover}: go 2921;" if self.windows == 1 else ""


def with_lots() -> tuple[Alike, Alike]:
    """Both worlds, after the turn in which they are found."""
    both = Alike(False), Alike(True)
    for world in both:
        for _ in range(4):
            world.window("")
    return both


def test_contacts_that_look_alike_are_numbered_by_a_lot_that_nobody_sees() -> None:
    one, other = with_lots()
    assert what_differs(one.artefacts, other.artefacts) == []
    held = [{n: w.drive.state.held[NATO].get(n) for n in TWINS} for w in (one, other)]
    assert held[0] == {"ABLGN": held[1]["YGAGR"], "YGAGR": held[1]["ABLGN"]}
    places = {w.drive.state.vessels[n].hex for w in (one, other) for n in TWINS}
    assert places == {"2920", "2921"}


def test_without_lots_their_order_betrays_them(monkeypatch: pytest.MonkeyPatch) -> None:
    _in_true_order(monkeypatch)
    one, other = with_lots()
    assert what_differs(one.artefacts, other.artefacts) != []


def test_patrols_over_carriers_are_told_by_their_contacts_not_by_the_names_of_the_carriers() -> (
    None
):
    heard = []
    for north, south in (("INVCL", "ILTRS"), ("ILTRS", "INVCL")):
        wings = {"UKHARA": "INVCL", "UKHARB": "ILTRS"}
        placed = {north: "2718 S", south: "2931 S"}
        given = {"nato": "UKHARA: cap; UKHARB: cap;"}
        _, table, _ = play({"ships": placed, "air": wings, "orders": given})
        told = [e for to, e in table.told if SOVIET in to and isinstance(e, CapSet)]
        heard.append([e.at for e in told])
    assert heard == [["EN1", "EN2"], ["EN1", "EN2"]]


# Planted leaks


def _told_to_all(patch: pytest.MonkeyPatch) -> None:
    """Moves are told to both."""
    real = Table.tell

    def tell(self: Table, to: object, event: object) -> None:
        real(self, self.sides if type(event).__name__ == "Sailed" else to, event)  # type: ignore[arg-type]

    patch.setattr(Table, "tell", tell)


def _missions_open(patch: pytest.MonkeyPatch) -> None:
    """Allocation is told to both."""
    real = Table.tell

    def tell(self: Table, to: object, event: object) -> None:
        real(self, self.sides if type(event).__name__ == "MissionsSent" else to, event)  # type: ignore[arg-type]

    patch.setattr(Table, "tell", tell)


def _names(patch: pytest.MonkeyPatch) -> None:
    """Contacts show the names of their ships."""
    real = knowledge.look

    def look(war: War, side: Side, key: str) -> knowledge.Look:
        from msgspec.structs import replace

        return replace(real(war, side, key), names=tuple(s.id for s in war.members(key)))

    patch.setattr(knowledge, "look", look)


def _heard(patch: pytest.MonkeyPatch) -> None:
    """Everybody is in a detection zone."""
    real: Callable[..., object] = detection.local

    def local(table: Table, war: War) -> None:
        for vessel in war.vessels.values():
            vessel.level = max(vessel.level, 1)
        real(table, war)

    patch.setattr(detection, "local", local)


def _in_true_order(patch: pytest.MonkeyPatch) -> None:
    """New contacts are numbered in the order of their ships' names."""
    patch.setattr(knowledge, "_in_order", lambda table, side, keys, looks: sorted(keys))


def _types_always(patch: pytest.MonkeyPatch) -> None:
    """Types are seen without a marker."""
    real = knowledge._types
    patch.setattr(knowledge, "_types", lambda types, level: real(types, level or 1))


OPEN_LEAKS: dict[str, Leak] = {
    "types": _types_always,
    "missions": _missions_open,
    "names": _names,
    "counts": view_leak(SYSTEM, lambda war: f" {sorted(war.squadrons)}"),
}


def _counted_in_rolls(patch: pytest.MonkeyPatch) -> None:
    """A die that both see is rolled as often as there are hidden enemies that are not damaged."""
    real = script.initiative

    def initiative(table: Table, war: War) -> None:
        real(table, war)
        for _ in range(sum(not v.damaged for v in war.vessels.values())):
            table.roll("ACTION/COUNT/-/REFEREE", D10, to=table.sides)

    patch.setattr(script, "initiative", initiative)


LEAKS: dict[str, Leak] = {
    "moves": _told_to_all,
    "missions": _missions_open,
    "hidden ids": _names,
    "order of listing": _in_true_order,
    "roll counter": _counted_in_rolls,
    "everything": _heard,
    "unit count": view_leak(SYSTEM, lambda war: f" {len(war.squadrons)}"),
    "counts": view_leak(SYSTEM, lambda war: f" {sorted(war.squadrons)}"),
    "places": view_leak(SYSTEM, lambda war: f" {sorted(v.hex for v in war.vessels.values())}"),
}


@pytest.mark.parametrize("leak", LEAKS)
def test_a_planted_leak_is_found(leak: str, monkeypatch: pytest.MonkeyPatch) -> None:
    LEAKS[leak](monkeypatch)
    one, other = played(NATO, pages=False)
    assert what_differs(one.artefacts, other.artefacts) != []


@pytest.mark.parametrize("leak", OPEN_LEAKS)
def test_a_planted_leak_is_found_with_fog_open(leak: str, monkeypatch: pytest.MonkeyPatch) -> None:
    OPEN_LEAKS[leak](monkeypatch)
    one, other = played(NATO, pages=False, fog="open")
    assert what_differs(one.artefacts, other.artefacts) != []
