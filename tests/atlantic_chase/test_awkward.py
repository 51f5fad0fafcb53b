"""An awkward player: lines drawn at random, most of which are illegal when their turn comes.

Nothing may fail, every operation goes on, and whose line is left out is told to its owner alone.
"""

from __future__ import annotations

from collections import Counter
from itertools import islice
from random import Random

import pytest

from games.atlantic_chase import board
from games.atlantic_chase.board import GERMAN
from games.atlantic_chase.events import LineSkipped
from games.atlantic_chase.game import SYSTEM
from games.atlantic_chase.state import War
from orders.model import OrderSet
from pbem.bots.bot_orders import Match
from pbem.model import Side
from pbem.testing.orders import judged
from tests.atlantic_chase.test_games import OPTIONS

PROGRAMME = """
{own}: course {hex} {hex} from {hex};| {own}: course {hex};| {own}: search {foe} at {hex} times 9;
{own}: search {foe} with {own} air {own};| {own}: engage {foe} with {own};| {own}: strike {foe};
{side}: signals {foe} at {hex} lapse {own};| {own}: complete;| {own}: merge {own};| {own}: port;
{own}: leave port at {hex};| {own}: split {ship} takes both;| {own}: disperse;| {side}: finish hold;
{own}: if station {foe} then engage {foe};| {side}: pass all;
"""
STANDING = """
@{side}: seize always;| @{side}: evade {own} {own};| @{side}: spend vie of {own};
@{own}: keep {hex};
@{side}: slip signals against {foe} at {hex} length 1 lapse {own};| @{side}: support auto;
@{own}: support with {own} air {own};| @{own}: lapse shed {hex} {hex} station {hex} arctic die;
@{side}: hit {prey} second {prey};| @{side}: sequence {own} {ship};| @{ship}: target {prey};
@{ship}: smoke always cover {ship} {ship};| @{side}: torpedo fire at {prey};| @{ship}: exit yes;
@{ship}: attitude acquiring;| @{ship}: divide {prey} beside {prey} share 1;| @{side}: pursue any;
@{side}: confuse hit onto {ship};| @{side}: steer {prey} close smoke yes;| @{ship}: screen {ship};
"""


class Awkward(Match):
    """A match in which both sides send lines drawn at random."""

    luck: Random

    def orders(self, side: Side) -> OrderSet:
        war = self.drive.state
        assert isinstance(war, War)
        kinds = [
            line.strip(" |") for line in f"{PROGRAMME}|{STANDING}".replace("|", "\n").split("\n")
        ]
        kinds = [kind for kind in kinds if kind]
        text = "\n".join(
            self.luck.choice(kinds).format_map(Names(war, side, self.luck)) for _ in range(16)
        )
        return judged(SYSTEM, self.report(side), text).orders


class Names(dict[str, str]):
    """A name of each kind, in play or not, drawn anew each time."""

    def __init__(self, war: War, side: Side, luck: Random) -> None:
        super().__init__()
        self.war, self.side, self.luck = war, side, luck

    def __missing__(self, key: str) -> str:
        german = self.side == GERMAN
        pieces = {True: [f"KG{n}" for n in range(1, 6)], False: [f"TF{n}" for n in range(1, 11)]}
        ships = [s for s in self.war.ships.values() if not s.gone]
        found = {
            "side": [self.side.upper()],
            "own": [f.id for f in self.war.own(self.side)] + pieces[german][:2],
            "foe": pieces[not german],
            "hex": self._near(),
            "ship": [s.id for s in ships if s.side == self.side],
            "prey": [s.id for s in ships if s.side != self.side],
        }[key]
        return self.luck.choice(found or ["HOOD"])

    def _near(self) -> list[str]:
        """Hexes about the side's forces, and some far away."""
        held = [cell for force in self.war.own(self.side) for cell in force.hexes]
        about = [n for cell in held for n in board.SEA.around(cell) if n in board.HEXES]
        return about + sorted(board.HEXES)[::40]


@pytest.mark.some(2)
@pytest.mark.parametrize("seed", range(4))
def test_an_awkward_player_is_told_and_the_game_goes_on(seed: int) -> None:
    scenario = ("cerberus", "rheinuebung", "denmark_strait", "berlin")[seed]
    options = {**OPTIONS, "advanced": ("on", "off")[seed % 2]}
    match = Awkward(SYSTEM, scenario, options, f"awkward {seed}")
    match.luck = Random(seed)
    kinds: Counter[str] = Counter()
    for closing in islice(match.play(), 25):
        for one in closing.told:
            kinds[type(one.event).__name__] += 1
            if isinstance(one.event, LineSkipped):
                assert len(one.to) == 1 and one.event.rule and one.event.reason
    if scenario != "denmark_strait":
        assert kinds["LineSkipped"] > 10 and kinds["SpellBegan"] > 2
