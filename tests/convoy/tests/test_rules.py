"""The rules, clause by clause (RULES.md), with dice that the tests choose."""

from pathlib import Path
from typing import Any

import pytest
from pbem.testing.referee import Referee

from convoy.game import SYSTEM

ESCORTS = ("ROSE", "SNOW", "VETCH")
ORDER = {f"REPORT/ORDER/-/ALLIES/{die}": [1] for die in ("1/1D2", "1/1D6")}
CLOSE = {"HX": "C5", "ROSE": "C7", "U47": "C6", "SNOW": "J1", "VETCH": "J2", "U99": "A10", "U100": "J10"}


def sea(folder: Path, **places: str) -> Referee:
    """A game in which these ships are elsewhere."""
    ocean = SYSTEM.begin("crossing", {}, {})
    for ship, place in places.items():
        ocean.ships[ship].place = place
    return Referee.opened(folder, SYSTEM, state=ocean)


def fall(asdic: int = 6, **faces: list[int]) -> dict[str, list[int]]:
    """The dice of a turn by unit: depth charges of escorts, torpedoes of submarines."""
    values = {f"SEARCH/ASDIC/-/{escort}/1/1D6": [asdic] for escort in ESCORTS} | ORDER
    for unit, dice in faces.items():
        kind = "CHARGE/HIT" if unit in ESCORTS else "ATTACK/TORPEDO"
        values[f"{kind}/-/{unit}/1/{len(dice)}D6"] = dice
    return values


def test_2_moves(tmp_path: Path) -> None:
    game = sea(tmp_path)
    game.turn(fall(), allies="HX: move C2; ROSE: move C3 D4;", germans="U47: move B6; dive;")
    ships = (("allies", "HX"), ("allies", "ROSE"), ("germans", "U47"))
    assert [game.unit(*ship)["place"] for ship in ships] == ["C2", "D4", "B6"]
    assert game.refused("germans", "U47: move B5 B4;") == ["not-now"]
    assert game.refused("allies", "HX: move C1; ROSE: move D6;") == ["turned-back", "no-way"]
    assert game.refused("allies", "HX: move C3 D3;") == ["too-far"]


def test_3_air(tmp_path: Path) -> None:
    game = sea(tmp_path)
    for left, down, order in ((2, True, "U99: dive;"), (1, True, ""), (0, False, "")):
        game.turn(fall(), germans=order)
        assert (game.unit("germans", "U99")["air"], game.unit("germans", "U99")["down"]) == (left, down)
    assert game.refused("germans", "U99: dive;") == ["no-air"]
    game.turn(fall())
    assert game.unit("germans", "U99")["air"] == 1


def test_4_names_last_as_long_as_sight(tmp_path: Path) -> None:
    game = sea(tmp_path, **CLOSE)
    game.turn(fall(ROSE=[6]), germans="@GERMANS: attack never;")
    game.turn(fall(ROSE=[6]))
    assert game.contacts("allies") == [("EN1", "C6", 1)]
    assert game.contacts("germans") == [("EN1", "C5", 1)]
    game.turn(fall(5), germans="U47: dive;")
    game.turn(fall(4, ROSE=[6]))
    assert game.contacts("allies") == [("EN1", "C6", 3), ("EN2", "C6", 1)]


def test_4_look_alikes_get_new_names(tmp_path: Path) -> None:
    game = sea(tmp_path, ROSE="C7", U47="C9", U99="C9")
    for _ in range(2):
        game.turn(fall())
    assert {name for name, _, age in game.contacts("allies") if age == 1} == {"EN3", "EN4"}


@pytest.mark.parametrize(("doctrine", "left"), [("never", (6, 4)), ("close", (6, 4)), ("always", (4, 3))])
def test_5_1_doctrine(doctrine: str, left: tuple[int, int], tmp_path: Path) -> None:
    game = sea(tmp_path, **CLOSE)
    game.turn(fall(U47=[1, 6], ROSE=[6]), germans=f"@GERMANS: attack {doctrine};")
    assert (game.unit("germans", "U47")["torpedoes"], game.unit("allies", "HX")["ships"]) == left


def test_5_3_torpedoes(tmp_path: Path) -> None:
    game = sea(tmp_path, **CLOSE)
    game.turn(fall(U47=[3, 4], ROSE=[6]), germans="U47: move C5;")
    assert game.unit("allies", "HX")["ships"] == 3
    game.turn(fall(U47=[3], ROSE=[6]), germans="U47: torpedoes EN1 1;")
    assert game.unit("germans", "U47")["torpedoes"] == 3


@pytest.mark.parametrize(("die", "hits"), [(1, None), (2, 1), (3, 0)])
def test_6_charges(die: int, hits: int | None, tmp_path: Path) -> None:
    game = sea(tmp_path, **CLOSE)
    game.turn(fall(ROSE=[6]), allies="ROSE: move D7;", germans="@GERMANS: attack never;")
    game.turn(fall(ROSE=[die]), allies="ROSE: charge EN1;")
    assert game.unit("germans", "U47").get("hits") == hits


THROUGH = {"HX": "C9", "SC": "H9", "U47": "A1", "U99": "A2", "U100": "A3", "ROSE": "J1"}
HUNTED = {"U47": "C4", "U99": "D4", "U100": "B4", "ROSE": "C3", "SNOW": "E3", "VETCH": "B3", "HX": "J1", "SC": "J2"}


@pytest.mark.parametrize(
    ("rule", "places", "turns"),
    [
        ("7.1", THROUGH, [(fall(), "HX: move C10; SC: move H10;", "")]),
        ("7.2", CLOSE, [(fall(U47=[1, 1], ROSE=[6]), "", "U47: move C5;"), (fall(U47=[3, 3], ROSE=[6]), "", "")]),
        ("7.3", HUNTED, [(fall(ROSE=[1], SNOW=[1], VETCH=[1]), "", "")]),
        ("7.4", {}, [(fall(), "", "")] * 14),
    ],
)
def test_7_ends(rule: str, places: dict[str, str], turns: list[tuple[Any, str, str]], tmp_path: Path) -> None:
    game = sea(tmp_path, **places)
    for dice, allies, germans in turns:
        game.turn(dice, allies=allies, germans=germans)
    assert game.report("allies")["result"]["rule"] == rule
