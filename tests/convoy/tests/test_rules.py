"""The rules, clause by clause (RULES.md), with dice that the tests choose."""

from pathlib import Path

import pytest
from pbem.testing.referee import Referee

from convoy.game import SYSTEM

ESCORTS = ("ROSE", "SNOW", "VETCH")
ORDER = {f"REPORT/ORDER/-/ALLIES/{die}": [1] for die in ("1/1D2", "1/1D6")}
CLOSE = {"HX": "C5", "ROSE": "C7", "U47": "C6", "SNOW": "J1", "VETCH": "J2", "U99": "A10", "U100": "J10"}


def begin(**places: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("sea", [places], indirect=True)


class Sea:
    def __init__(self, folder: Path, **places: str) -> None:
        ocean = SYSTEM.begin("crossing", {}, {})
        for ship, place in places.items():
            ocean.ships[ship].place = place
        self.referee = Referee.opened(folder, SYSTEM, state=ocean)

    def turn(self, allies: str = "", germans: str = "", asdic: int = 6, **dice: list[int]) -> None:
        for side, text in (("allies", allies), ("germans", germans)):
            outcome = self.referee.order(side, text)
            assert outcome.good, outcome.text
        values = {f"SEARCH/ASDIC/-/{e}/1/1D6": [asdic] for e in ESCORTS} | ORDER
        for unit, faces in dice.items():
            kind = "CHARGE/HIT" if unit in ESCORTS else "ATTACK/TORPEDO"
            values[f"{kind}/-/{unit}/1/{len(faces)}D6"] = faces
        self.referee.run(force=True, values=values)

    def contacts(self, side: str) -> list[tuple[str, str, int]]:
        return [(c["id"], c["place"], c["age"]) for c in self.referee.report(side)["contacts"]]

    def own(self, side: str, unit: str, field: str = "place") -> object:
        return {u["id"]: u[field] for u in self.referee.report(side)["units"]}.get(unit)

    def refused(self, side: str, text: str) -> list[str]:
        return [problem["code"] for problem in self.referee.order(side, text).receipt["problems"]]


@pytest.fixture
def sea(tmp_path: Path, request: pytest.FixtureRequest) -> Sea:
    return Sea(tmp_path, **getattr(request, "param", CLOSE))


@begin()
def test_2_moves(sea: Sea) -> None:
    sea.turn("HX: move C2; ROSE: move C3 D4;", "U47: move B6; dive;")
    assert (sea.own("allies", "HX"), sea.own("allies", "ROSE"), sea.own("germans", "U47")) == ("C2", "D4", "B6")
    assert sea.refused("germans", "U47: move B5 B4;") == ["not-now"]
    assert sea.refused("allies", "HX: move C1;") == ["turned-back"]
    assert sea.refused("allies", "ROSE: move D6;") == ["no-way"]
    assert sea.refused("allies", "HX: move C3 D3;") == ["too-far"]


@begin()
def test_3_air(sea: Sea) -> None:
    for left, down in ((2, True), (1, True), (0, False)):
        sea.turn(germans="U99: dive;" if left == 2 else "")
        assert (sea.own("germans", "U99", "air"), sea.own("germans", "U99", "down")) == (left, down)
    assert sea.refused("germans", "U99: dive;") == ["no-air"]
    sea.turn()
    assert sea.own("germans", "U99", "air") == 1


def test_4_names_last_as_long_as_sight(sea: Sea) -> None:
    sea.turn(germans="@GERMANS: attack never;", ROSE=[6])
    sea.turn(ROSE=[6])
    assert sea.contacts("allies") == [("EN1", "C6", 1)]
    assert sea.contacts("germans") == [("EN1", "C5", 1)]
    sea.turn(germans="U47: dive;", asdic=5)
    sea.turn(asdic=4, ROSE=[6])
    assert sea.contacts("allies") == [("EN1", "C6", 3), ("EN2", "C6", 1)]


@begin(ROSE="C7", U47="C9", U99="C9")
def test_4_look_alikes_get_new_names(sea: Sea) -> None:
    for _ in range(2):
        sea.turn()
    assert {name for name, _, age in sea.contacts("allies") if age == 1} == {"EN3", "EN4"}


@pytest.mark.parametrize(("doctrine", "fires"), [("never", False), ("close", False), ("always", True)])
def test_5_1_doctrine(doctrine: str, fires: bool, sea: Sea) -> None:
    sea.turn(germans=f"@GERMANS: attack {doctrine};", U47=[1, 6], ROSE=[6])
    assert sea.own("germans", "U47", "torpedoes") == (4 if fires else 6)
    assert sea.own("allies", "HX", "ships") == (3 if fires else 4)


def test_5_3_torpedoes(sea: Sea) -> None:
    sea.turn(germans="U47: move C5;", U47=[3, 4], ROSE=[6])
    assert sea.own("allies", "HX", "ships") == 3
    sea.turn(germans="U47: torpedoes EN1 1;", U47=[3], ROSE=[6])
    assert sea.own("germans", "U47", "torpedoes") == 3


@pytest.mark.parametrize(("die", "hits"), [(1, None), (2, 1), (3, 0)])
def test_6_charges(die: int, hits: int | None, sea: Sea) -> None:
    sea.turn("ROSE: move D7;", "@GERMANS: attack never;", ROSE=[6])
    sea.turn("ROSE: charge EN1;", ROSE=[die])
    assert sea.own("germans", "U47", "hits") == hits


@begin(HX="C9", SC="H9", U47="A1", U99="A2", U100="A3", ROSE="J1")
def test_7_1_through(sea: Sea) -> None:
    sea.turn("HX: move C10; SC: move H10;")
    assert sea.referee.report("allies")["result"]["rule"] == "7.1"


def test_7_2_sunk(sea: Sea) -> None:
    sea.turn(germans="U47: move C5;", U47=[1, 1], ROSE=[6])
    sea.turn(U47=[3, 3], ROSE=[6])
    assert sea.referee.report("allies")["result"]["rule"] == "7.2"


@begin(U47="C4", U99="D4", U100="B4", ROSE="C3", SNOW="E3", VETCH="B3", HX="J1", SC="J2")
def test_7_3_no_submarine_is_left(sea: Sea) -> None:
    sea.turn(ROSE=[1], SNOW=[1], VETCH=[1])
    assert sea.referee.report("allies")["result"]["rule"] == "7.3"


@begin()
def test_7_4_too_late(sea: Sea) -> None:
    for _ in range(14):
        sea.turn()
    assert sea.referee.report("allies")["result"]["rule"] == "7.4"
