"""Lint, secrecy, playthrough, frozen game; `GOLDEN=write pytest` and `python -m tests.test_system` write them anew."""

from pathlib import Path
from random import Random

import pytest
from pbem.admin.setup import Choices
from pbem.lint.run import lint
from pbem.model import Side
from pbem.testing import frozen
from pbem.testing.texts import golden, played
from pbem.testing.worlds import World, differences, seeded

from convoy.game import ALLIES, GERMANS, SIDES, SYSTEM, around

HERE = Path(__file__).parent
FROZEN = HERE / f"frozen-{SYSTEM.edition}.jsonl.gz"
SETS = [
    {"allies": "HX: move C2; SC: move H2; ROSE: move C3 C4;", "germans": "@GERMANS: attack close; U47: move C6 C5;"},
    {"allies": "HX: move C3; SC: move H1;", "germans": "U47: move C4; @U47: if air under 2 then surface;"},
    {"allies": "ROSE: charge EN1; HX: move C4;", "germans": "U47: torpedoes EN1 2; move C4; @U47: attack always;"},
    {"germans": "turn 5 U99: move E7;"},
]


def test_lint_finds_nothing() -> None:
    assert [str(finding) for finding in lint(SYSTEM)] == []


def test_the_playthrough_reads_as_it_did(tmp_path: Path) -> None:
    choices = Choices(options={"play": "asked"}, seed="playthrough")
    golden(HERE / "playthrough.txt", played(tmp_path, SYSTEM, SETS, choices))


def test_a_frozen_game_is_whole() -> None:
    frozen.require_whole(SYSTEM, FROZEN)


OWN = {
    ALLIES: ["HX: move C2; ROSE: move C3;", "@SC: move H2;", "HX: move D2;", ""],
    GERMANS: ["U47: dive; move B8;", "@GERMANS: attack close;", "U99: move E9 D9;", "@U100: move I8;"],
}
WATERS = {ALLIES: range(1, 5), GERMANS: range(7, 11)}


class Waters(World):
    system, scenario = SYSTEM, "crossing"

    def hidden_orders(self, side: Side) -> str:
        lines = []
        for ship in self.drive.state.ships.values():
            least = int(ship.place[1:]) if ship.kind == "convoy" else 1
            cells = [c for c in around(ship.place, 1) if int(c[1:]) >= least and int(c[1:]) in WATERS[side]]
            if ship.side == side:
                lines.append(f"{ship.id}: move {self.random.choice(cells)};")
        return "\n".join(lines)


def world(side: Side, name: str) -> Waters:
    return Waters(side, SYSTEM.begin("crossing", {}, {}), {"play": "asked"}, Random(name), seeded())


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("pair", range(3))
def test_a_side_cannot_tell_two_worlds_apart(side: Side, pair: int) -> None:
    one, other = world(side, f"one {pair}"), world(side, f"other {pair}")
    assert differences(one, other, OWN[side]) == []
    assert one.drive.state.ships != other.drive.state.ships, "the worlds are equal: a vain test"


if __name__ == "__main__" and not FROZEN.exists():
    frozen.freeze(SYSTEM, FROZEN)
