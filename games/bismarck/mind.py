"""What a side's searching bot thinks."""

from __future__ import annotations

from collections.abc import Mapping

from games.bismarck.board import GERMAN
from games.bismarck.mind_common import Mind
from pbem.model import Side


def mind(side: Side, scenario: str, options: Mapping[str, str], seed: str) -> Mind | None:
    """See `pbem.model.System.mind`. None where the sides disagree on numbers: under house fuel the
    worlds would need another set-up, which the options give."""
    if side == GERMAN:
        from games.bismarck.mind_german import German

        return German(seed)
    from games.bismarck.mind_british import British

    return British(seed)
