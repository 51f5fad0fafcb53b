"""As many playouts as a chance needs, and intervals that keep their promise all the same."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import exp, lgamma, log

import pytest

from pbem.analysis.precision import FIRST, STEP, Shares, bound, needed, wanted


def shares(won: int, games: int) -> Shares:
    return Shares(games, {"a": won, "b": games - won})


def test_intervals_are_wilsons() -> None:
    """10 of 40: 0.142 to 0.402 (Wilson 1927)."""
    low, high = shares(10, 40).interval("a")
    assert (round(low, 3), round(high, 3)) == (0.142, 0.402)
    assert shares(0, 40).interval("a")[0] == pytest.approx(0)
    assert shares(10, 40).half == pytest.approx((high - low) / 2)


def test_a_draw_is_shared() -> None:
    assert Shares(40, {"a": 10, "b": 20}).value("a") == pytest.approx((10 + 10 / 2) / 40)


@pytest.mark.parametrize("part", [0.0, 0.1, 0.25, 0.5])
@pytest.mark.parametrize("within", [0.01, 0.03, 0.1])
def test_as_many_as_are_needed_and_no_more(part: float, within: float) -> None:
    """By the interval itself: the least number that is enough."""
    games = needed(part, within)

    def half(n: int) -> float:
        won = {"a": part * n, "b": (1 - part) * n}
        return Shares(n, won).half  # type: ignore[arg-type]  # parts of games

    assert half(games) <= within < half(games - 1)


def test_even_chances_within_three_points_need_a_thousand() -> None:
    assert needed(0.5, 0.03) == 1064


def test_a_window_gets_what_its_estimate_asks_for() -> None:
    assert wanted(shares(0, 100), 0.03, 1067) == 100
    assert wanted(shares(50, 100), 0.03, 1067) == 1064
    assert wanted(shares(50, 100), 0.03, 600) == 600
    assert wanted(shares(90, 100), 0.03, 1067) == needed(0.1, 0.03)
    assert wanted(shares(100, 380), 0.044, 1067) == 380 + STEP  # by little too wide
    assert wanted(shares(50, 100), 0.03, 100) == 100


def test_the_bound_is_that_of_the_interval() -> None:
    assert bound(shares(0, 100), 0.03, 1067) == 100  # enough
    assert bound(shares(45, 100), 0.03, 1067) == needed(0.5, 0.03)
    assert bound(shares(10, 100), 0.03, 1067) == needed(0.174366, 0.03)
    assert bound(shares(45, 100), 0.03, 500) == 500


@pytest.mark.parametrize("part", [0.002, 0.01, 0.03, 0.05, 0.08, 0.5])
def test_intervals_cover_although_the_results_say_when_to_stop(part: float) -> None:
    """Reckoned exactly, over everything that may come: stopping when an interval is narrow favours
    estimates near 0 and 1."""
    covered, games, mean, all_ = 0.0, 0.0, 0.0, 0.0
    at = {(0, 0): 1.0}
    while at:
        after: dict[tuple[int, int], float] = {}
        for (n, won), chance in at.items():
            more = (wanted(shares(won, n), 0.03, 1067) if n else FIRST) - n
            if not more:
                low, high = shares(won, n).interval("a")
                covered += chance * (low <= part <= high)
                games += chance * n
                mean += chance * won / n
                all_ += chance
            for k, found in enumerate(binomial(more, part)) if more else ():
                if chance * found > 1e-9:
                    now = n + more, won + k
                    after[now] = after.get(now, 0.0) + chance * found
        at = after
    assert all_ == pytest.approx(1, abs=1e-3)
    assert covered >= 0.944
    assert mean == pytest.approx(part, abs=0.004)
    assert games <= max(1.15 * needed(part, 0.03), FIRST + STEP)


@cache
def binomial(n: int, p: float) -> Sequence[float]:
    """The chance of each number of games won."""
    first = lgamma(n + 1)
    return [
        exp(first - lgamma(k + 1) - lgamma(n - k + 1) + k * log(p) + (n - k) * log(1 - p))
        for k in range(n + 1)
    ]
