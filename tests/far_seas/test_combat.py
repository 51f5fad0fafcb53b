"""Every case of running and combat, as cases/*.toml has it; doctrine and the end of a meeting."""

from __future__ import annotations

from typing import Any

from games.far_seas import gunnery
from games.far_seas.board import BRITISH
from games.far_seas.gunnery import Gunner
from tests.casetable import every
from tests.far_seas.fights import judge, load, meet
from tests.far_seas.ratings import roster


@every(load())
def test_case(case: dict[str, Any]) -> None:
    judge(case)


def test_only_what_gives_a_choice_is_asked_by_mail() -> None:
    """R1, K5: running by orders alone before the first round, by mail after it. K2: a target where
    there are several, of ships in range: by A range alone the Minotaur."""
    case = {
        "german": ["EMDEN", "LEIPZIG"],
        "british": ["MINOTAUR", "SYDNEY"],
        "until": 2,
        "orders": {"german": "GERMAN: stand;", "british": "BRITISH: stand;"},
    }
    _, _, table = meet(case)
    asked = [(type(q).__name__, q.about, q.source) for s, q in table.asked if s == BRITISH]
    runs = [source for kind, about, source in asked if (kind, about) == ("Runs", "Sydney")]
    assert runs == ["orders", "any", "any"]
    aims = [(about, source) for kind, about, source in asked if kind == "FireAt"]
    assert aims == [("Minotaur", "any"), ("Minotaur", "any"), ("Sydney", "any")]


def test_where_there_is_one_enemy_nobody_is_asked_for_a_target() -> None:
    case = {
        "german": ["EMDEN"],
        "british": ["MINOTAUR"],
        "until": 1,
        "orders": {"german": "GERMAN: stand;", "british": "BRITISH: stand;"},
    }
    _, _, table = meet(case)
    (source,) = [q.source for _, q in table.asked if type(q).__name__ == "FireAt"]
    assert source == "orders"


def test_spare_guns_weigh_who_is_taken_once_for_each() -> None:
    """K3: with one gunner at each of two enemies the third takes the more damaged."""
    ships = roster()
    foes = [ships["GOOD HOPE"], ships["MINOTAUR"]]
    foes[1].damage = 1
    own = [Gunner(ships[i]) for i in ("EMDEN", "LEIPZIG", "DRESDEN")]
    own[0].aim = "GOOD HOPE"
    aims = gunnery.spread(own, foes)
    assert aims == {"EMDEN": "GOOD HOPE", "LEIPZIG": "MINOTAUR", "DRESDEN": "MINOTAUR"}
