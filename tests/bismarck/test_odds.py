"""Fixed-round fights: the frequencies of the rules' study, within the error of the sample.

The study (20,000 repeats, rounded to 0.01 and 0.1) has everybody broadside on and firing at the
first enemy afloat. The error of a sample of n is three standard deviations of its mean.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from games.bismarck.battle import damage, gunnery
from games.bismarck.battle.charts import charts
from games.bismarck.battle.gunnery import Aim
from games.bismarck.state import Hits, Ship
from tests.bismarck.fake_table import begin

C = charts({})


def exchange(rng: Random, ours: Sequence[Ship], theirs: Sequence[Ship], reach: str) -> None:
    """One round broadside on, everybody at the first enemy afloat."""
    under_fire = {s.id: damage.target(s) for s in (*ours, *theirs)}
    hexes = 5 if reach == "B" else 2
    for mine, enemies in ((ours, theirs), (theirs, ours)):
        for ship in (s for s in mine if not s.sunk):
            foe = next((f for f in enemies if not f.sunk), None)
            if foe:
                _broadside(
                    rng, ship, under_fire[foe.id], Aim(foe.id, hexes, "port", "broadside", "port")
                )
    for ship in (*ours, *theirs):
        damage.settle(ship, under_fire[ship.id])


def _two(rng: Random) -> int:
    return rng.randint(1, 6) + rng.randint(1, 6)


def _broadside(rng: Random, ship: Ship, foe: damage.Target, aim: Aim) -> None:
    fails = ship.name in gunnery.UNRELIABLE
    faulty = gunnery.fault(rng.randint(1, 6), rng.randint(1, 6)) if fails else ""
    ready = gunnery.battery(ship, faulty)
    reach = gunnery.reach(aim.hexes, C)
    assert reach
    volleys = gunnery.designate(ready, [aim], C)
    for volley in volleys:
        for _ in range(gunnery.shots(ready, volley, gunnery.third_halved(ready, volleys, C))):
            hit, table = gunnery.result(_two(rng), reach, "broadside", C)
            if hit.special:
                hit = gunnery.special(_two(rng), foe.name, foe.type, table, C)
            damage.mark(foe, hit, "port", C)


FIGHTS = [  # rounds, share in which the Hood is sunk, mean midships hits on the Bismarck
    ("BB", 0.10, 2.4),
    ("BBBB", 0.45, 4.4),
    ("BBA", 0.60, 5.4),
]


def strait(repeats: int, rounds: str) -> tuple[float, float]:
    """Hood and Prince of Wales against Bismarck and Prinz Eugen: share sunk, mean hits."""
    rng, sunk, hits = Random(17), 0, 0
    for _ in range(repeats):
        ships = begin().ships
        ours = [ships["HOOD"], ships["PRINCE OF WALES"]]
        theirs = [ships["BISMARCK"], ships["PRINZ EUGEN"]]
        for reach in rounds:
            exchange(rng, ours, theirs, reach)
        sunk += ships["HOOD"].sunk
        hits += ships["BISMARCK"].hits.midships
    return sunk / repeats, hits / repeats


def check_strait(repeats: int, rounds: str, sunk: float, hits: float) -> None:
    """Within three standard errors of the sample, plus one of the published figures' rounding:
    at 200 repeats 0.11 for a share of one half, at 2,000 0.04; 0.5 and 0.2 for a mean of hits
    whose deviation is near two."""
    found, mean = strait(repeats, rounds)
    assert abs(found - sunk) <= 3 * (sunk * (1 - sunk) / repeats) ** 0.5 + 0.01
    assert abs(mean - hits) <= 3 * 2.2 / repeats**0.5 + 0.1


@pytest.mark.some(1)
@pytest.mark.parametrize(("rounds", "sunk", "hits"), FIGHTS)
def test_the_denmark_strait_by_a_sample_of_200(rounds: str, sunk: float, hits: float) -> None:
    check_strait(200, rounds, sunk, hits)


@pytest.mark.nightly
@pytest.mark.parametrize(("rounds", "sunk", "hits"), FIGHTS)
def test_the_denmark_strait_2000_times(rounds: str, sunk: float, hits: float) -> None:
    check_strait(2000, rounds, sunk, hits)


def last_stand(repeats: int) -> float:
    """King George V and Rodney against the Bismarck as she was on May 27: three rounds at B
    range and two at A; the share in which she is sunk."""
    rng, sunk = Random(5), 0
    for _ in range(repeats):
        ships = begin().ships
        ships["BISMARCK"].hits = Hits(midships=3, permanent=20, temporary=3)
        for reach in "BBBAA":
            exchange(rng, [ships["KING GEORGE V"], ships["RODNEY"]], [ships["BISMARCK"]], reach)
        sunk += ships["BISMARCK"].sunk
    return sunk / repeats


def test_the_final_battle_by_a_sample_of_200() -> None:
    assert last_stand(200) >= 0.96  # 0.99 published; three standard errors are 0.02


@pytest.mark.nightly
def test_the_final_battle_2000_times() -> None:
    assert abs(last_stand(2000) - 0.99) <= 0.017  # three standard errors, and the rounding


def strikes(bombers: int, repeats: int) -> tuple[float, float]:
    """Shares of attacks with at least one torpedo hit, and with one that cripples."""
    rng, hit, crippled = Random(9), 0, 0
    table = C.bombs("british", "torpedo", "BB")
    for _ in range(repeats):
        found = [table.get(_two(rng)) for _ in range(2 * bombers)]
        hit += any(found)
        crippled += any(h and h.evasion >= 20 for h in found)
    return hit / repeats, crippled / repeats


@pytest.mark.parametrize(("bombers", "share"), [(1, 0.31), (3, 0.67)])
def test_torpedo_attacks_hit_as_often_as_computed(bombers: int, share: float) -> None:
    found, crippled = strikes(bombers, 2000)
    assert abs(found - share) <= 0.04
    if bombers == 3:
        assert abs(crippled - 0.29) <= 0.04
