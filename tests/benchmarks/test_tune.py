"""Tuning by CMA-ES: the candidates of a generation meet the same games; who wins is followed."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from pbem.bots.work import Place
from tests.benchmarks import tune

BEST = (2.0, 0.5, 1.0, 1.0)


def test_a_candidate_plays_each_side_under_each_seed() -> None:
    keys = tune.keys("baltic", ["0.0", "0.1"], [1, 2, 3, 0.5])
    assert keys == [
        f"baltic {side} {seed} 1 2 3 0.5" for seed in ("0.0", "0.1") for side in ("kalmar", "hansa")
    ]


def test_the_plain_bot_is_led_by_factors_of_one() -> None:
    key = "baltic hansa 0.0 1 1 1 1"
    assert tune.worked(key) in (0.0, 0.5, 1.0)
    assert tune.worked(key) == tune.worked(key)


def test_the_distribution_moves_to_what_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a hill with noise, in place of games."""

    def near(
        system: str, seeds: Sequence[str], candidates: Sequence[Sequence[float]], place: Place
    ) -> list[float]:
        return [-sum((a - b) ** 2 for a, b in zip(one, BEST, strict=True)) for one in candidates]

    monkeypatch.setattr(tune, "judge", near)
    *_, (middle, _) = tune.generations("baltic", 60, 8, 1, Place())
    assert middle == pytest.approx(BEST, rel=0.05)
