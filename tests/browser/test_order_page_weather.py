"""The order page judges orders by the weather of 2nd Fleet as the referee does."""

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


def test_what_a_storm_forbids_is_judged_alike(browser: Browser) -> None:
    """Problems and notes of both, which `agrees` compares."""
    given = [row[:3] for row in (*FORBIDDEN, *DOUBTFUL)] + ELSEWHERE
    refused = 0
    with speaking(browser, SYSTEM) as tongue:
        for turn, zone, order in given:
            report = seen(turn, zone).plain
            codes = tongue.agrees(report, [f"BEGIN ORDERS\n{order};\nEND ORDERS\n"])
            refused += "storm" in codes
    assert refused == len(FORBIDDEN)
