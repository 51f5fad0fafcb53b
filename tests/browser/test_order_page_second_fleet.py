"""The order page judges orders of 2nd Fleet by weather, stores and room as the referee does."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from games.second_fleet.game import SYSTEM
from tests.second_fleet.test_storms import DOUBTFUL, ELSEWHERE, FORBIDDEN, seen

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

from tests.browser.surf import CHROMIUM
from tests.browser.tongue import speaking

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason="Debian's chromium is not installed")


FULL = (
    (2, "IC", "WLMET: replenish KNOX with fuel 2"),
    (2, "IC", "UKPHNA: transfer 3733"),
)


def test_storms_full_tanks_and_full_airfields_are_judged_alike(browser: Browser) -> None:
    """Problems and notes of both, which `agrees` compares."""
    given = [*[row[:3] for row in (*FORBIDDEN, *DOUBTFUL)], *ELSEWHERE, *FULL]
    refused: list[str] = []
    with speaking(browser, SYSTEM) as tongue:
        for turn, zone, order in given:
            report = seen(turn, zone).plain
            refused += tongue.agrees(report, [f"BEGIN ORDERS\n{order};\nEND ORDERS\n"])
    assert refused.count("storm") == len(FORBIDDEN)
    assert refused.count("nothing-given") == 1
