"""Every case of running and combat, as cases/*.toml has it; doctrine and the end of a meeting."""

from __future__ import annotations

from typing import Any

from games.far_seas import gunnery
from games.far_seas.gunnery import Gunner
from tests.casetable import every
from tests.far_seas.fights import judge, load, meet
from tests.far_seas.ratings import roster


@every(load())
def test_case(case: dict[str, Any]) -> None:
    judge(case)


def test_nothing_in_a_round_is_asked_by_mail() -> None:
    """R, K: whatever comes up after the shooting has begun, orders or the answer for the whole
    meeting decide."""
    case = {
        "german": ["EMDEN", "LEIPZIG"],
        "british": ["MINOTAUR", "SYDNEY"],
        "until": 3,
        "orders": {"german": "EMDEN: if round over 1 then run; LEIPZIG: stand;"},
    }
    _, _, table = meet(case)
    kinds = {type(q).__name__ for _, q in table.asked}
    assert kinds >= {"Runs", "BreaksUp", "Follows", "FireAt", "Torpedoes"}
    assert {q.source for _, q in table.asked} == {"orders"}


def test_spare_guns_weigh_who_is_taken_once_for_each() -> None:
    """K3: with one gunner at each of two enemies the third takes the more damaged."""
    ships = roster()
    foes = [ships["GOOD HOPE"], ships["MINOTAUR"]]
    foes[1].damage = 1
    own = [Gunner(ships[i]) for i in ("EMDEN", "LEIPZIG", "DRESDEN")]
    own[0].aim = "GOOD HOPE"
    aims = gunnery.spread(own, foes)
    assert aims == {"EMDEN": "GOOD HOPE", "LEIPZIG": "MINOTAUR", "DRESDEN": "MINOTAUR"}
