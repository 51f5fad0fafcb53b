"""The golden playthrough: one whole game, word by word."""

from __future__ import annotations

import pytest

from pbem.testing.texts import golden
from tests.bismarck.playthrough import GOLDEN, transcript


@pytest.mark.recorded
def test_the_playthrough_reads_as_recorded() -> None:
    golden(GOLDEN, transcript())
