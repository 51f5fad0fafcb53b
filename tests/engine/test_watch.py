"""The limit of processor time of rules."""

from __future__ import annotations

import signal

import pytest

from pbem.engine.watch import limited
from pbem.errors import RulesFault


def test_rules_without_an_end_are_stopped() -> None:
    with pytest.raises(RulesFault, match=r"no end after 0\.05 seconds"), limited(0.05):
        for _ in range(10**8):
            pass
    assert signal.getitimer(signal.ITIMER_VIRTUAL) == (0.0, 0.0)


def test_inside_another_limit_there_is_no_second_one() -> None:
    with limited(60):
        with limited(0.001):
            assert signal.getitimer(signal.ITIMER_VIRTUAL)[0] > 1
        assert signal.getitimer(signal.ITIMER_VIRTUAL)[0] > 1
