"""Whole games between the bots, whose sets pass the checks of mailed ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from statistics import median

import pytest

import games
from games.atlantic_chase import verbs_advanced
from games.atlantic_chase.events import LineSkipped
from games.atlantic_chase.game import SYSTEM
from orders.model import OrderSet
from pbem.bots.bot_orders import Match
from pbem.bots.simulate import Played, play, summary
from pbem.model import Side

OPTIONS = {o.name: o.values[0] for o in SYSTEM.options} | {"play": "plotted"}
SCENARIOS = {s.name: s.turns for s in SYSTEM.scenarios}
SAMPLE, ALL = 4, 1000
"""Games of an operation: always, and under --nightly."""
FEWEST, MOST = 0.4, 0.6
"""The part of the decided games that either side wins."""
OPERATIONS = [name for name, spells in SCENARIOS.items() if spells > 1 and name != "campaign"]
"""All scenarios but the single Battles and the campaign."""
MAILS = 20
"""No side sends more mails than this in a game of the sample."""
ADVANCED = {v.name for v in SYSTEM.grammar.verbs if v.type.__module__ == verbs_advanced.__name__}
MEDIANS = {
    "rheinuebung": (6, 8),
    "berlin": (7, 10),
    "roesselsprung": (6, 8),
    "cerberus": (4, 7),
    "nordmark": (6, 8),
    "juno": (8, 10),
}
"""Between what the median of a side's mails lies in many games."""


class Counted(Match):
    """A match that counts the mails that each side sends, and the verbs of all sets."""

    def __init__(self, scenario: str, options: dict[str, str], seed: str) -> None:
        super().__init__(SYSTEM, scenario, options, seed)
        self.sent: Counter[Side] = Counter()
        self.verbs: Counter[str] = Counter()
        self.skipped = 0

    def orders(self, side: Side) -> OrderSet:
        """A side's set, counted."""
        found = super().orders(side)
        self.sent[side] += bool(found.orders) or side in self.drive.pause.owed
        actions = [a for o in found.orders for a in (*o.actions, *o.otherwise)]
        self.verbs.update(a.verb for a in actions)
        return found

    def over(self) -> Counted:
        """Played to its end."""
        for closing in self.play():
            self.skipped += sum(isinstance(one.event, LineSkipped) for one in closing.told)
        return self


def counted(count: int) -> Iterator[Counted]:
    """Games of every operation."""
    for scenario in OPERATIONS:
        for number in range(count):
            yield Counted(scenario, OPTIONS, f"counted {number}").over()


def bot_games(scenario: str, count: int, **options: str) -> list[Played]:
    """Games as `pbem simulate atlantic_chase --seed balance` plays them; the state is audited after
    every window, and what goes wrong is a fault."""
    chosen = {**OPTIONS, **options}
    return [
        play(games.load, "atlantic_chase", scenario, chosen, f"balance {i}")
        for i in range(1, count + 1)
    ]


@pytest.mark.some(4)
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_bot_games_end_soundly_and_either_side_wins_its_part(scenario: str, nightly: bool) -> None:
    played = bot_games(scenario, ALL if nightly else SAMPLE)
    told = summary(played)
    assert told["faults"] == []
    assert {g.rule for g in played} == {"victory"}
    assert all(0 < g.turns <= SCENARIOS[scenario] and g.windows >= g.turns for g in played)
    wins = Counter(g.result for g in played)
    assert wins.keys() <= {"german", "british", "draw"}
    if nightly:
        share = wins["german"] / (wins["german"] + wins["british"])
        assert FEWEST <= share <= MOST


@pytest.mark.some(3)
@pytest.mark.parametrize("mail", ["action", "full"])
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_games_played_asked_end_soundly(scenario: str, mail: str, nightly: bool) -> None:
    played = bot_games(scenario, ALL // 10 if nightly else 1, play="asked", mail=mail)
    assert summary(played)["faults"] == []


def test_the_bots_use_every_verb_and_few_lines_are_left_out(nightly: bool) -> None:
    """R092 All nine actions among them; lines left out are few, as a player would mind."""
    verbs: Counter[str] = Counter()
    lines = skipped = 0
    for game in counted(50 if nightly else 5):
        verbs += game.verbs
        skipped += game.skipped
        lines += sum(game.verbs.values())
    rare = {"port", "leave port", "disperse"}
    wanted = {v.name for v in SYSTEM.grammar.verbs} - ADVANCED
    assert wanted - verbs.keys() <= (set() if nightly else rare)
    assert skipped < lines / 50


def test_the_bots_use_every_verb_of_the_advanced_battle() -> None:
    """8.3 By option; without it they give none of them."""
    options = {**OPTIONS, "advanced": "on"}
    games_ = [Counted("denmark_strait", options, f"advanced {n}").over() for n in range(8)]
    assert {name for g in games_ for name in g.verbs} & ADVANCED == ADVANCED
    assert not ADVANCED & Counted("denmark_strait", OPTIONS, "advanced 0").over().verbs.keys()


def test_an_operation_by_mail_is_not_long() -> None:
    """7.1 Only the Active side owes a mail; the other sends one as the game begins."""
    for game in counted(2):
        assert 0 < max(game.sent.values()) <= MAILS
        assert sum(game.sent.values()) <= game.mails + 1


@pytest.mark.nightly
@pytest.mark.parametrize("scenario", OPERATIONS)
def test_the_usual_number_of_mails(scenario: str) -> None:
    games_ = [Counted(scenario, OPTIONS, f"mails {n}").over() for n in range(200)]
    least, most = MEDIANS[scenario]
    assert least <= median(g.sent[side] for g in games_ for side in g.drive.sides) <= most


def test_a_game_is_the_same_again() -> None:
    one, two = (bot_games("cerberus", 1) for _ in range(2))
    assert one == two and not one[0].fault
