"""Lint, playthrough, frozen game (`GOLDEN=write pytest` writes them anew), and secrecy."""

from pathlib import Path

import pytest
from pbem.model import Side
from pbem.testing.standard import standard
from pbem.testing.worlds import World, differences

from convoy.game import ALLIES, CELLS, GERMANS, SIDES, SYSTEM

SETS = [
    {"allies": "HX: move C2; SC: move H2; ROSE: move C3 C4;", "germans": "@GERMANS: attack close; U47: move C6 C5;"},
    {"allies": "HX: move C3; SC: move H1;", "germans": "U47: move C4; @U47: if air under 2 then surface;"},
    {"allies": "ROSE: charge EN1; HX: move C4;", "germans": "U47: torpedoes EN1 2; move C4; @U47: attack always;"},
    {"germans": "turn 5 U99: move E7;"},
]
test_lint, test_playthrough, test_frozen = standard(SYSTEM, Path(__file__).parent, SETS)
OWN = {
    ALLIES: ["HX: move C2; ROSE: move C3;", "@SC: move H2;", "HX: move D2;", ""],
    GERMANS: ["U47: dive; move B8;", "@GERMANS: attack close;", "U99: move E9 D9;", "@U100: move I8;"],
}


class Waters(World):
    system, scenario = SYSTEM, "crossing"

    def apart(self, side: Side) -> list[str]:
        return [c for c in CELLS if (int(c[1:]) < 5 if side == ALLIES else int(c[1:]) > 6)]


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("pair", range(3))
def test_a_side_cannot_tell_two_worlds_apart(side: Side, pair: int) -> None:
    one, other = Waters.pair(side, f"{pair}", play="asked")
    assert differences(one, other, OWN[side]) == []
    assert one.drive.state.ships != other.drive.state.ships, "the worlds are equal: a vain test"
