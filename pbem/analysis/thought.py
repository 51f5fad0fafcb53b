"""What a side could think of its chances: playouts from worlds that its own reports allow.

The worlds are those of the bots that search (`pbem.inference.mind`): own units as reported,
enemies where the reports, public facts and luck put them. They are drawn at the first window of
each turn, and nothing that was told later is used.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec import Struct

from orders.model import OrderSet
from pbem.analysis.chances import Load, Played, Shares, shared
from pbem.analysis.strong import Strong
from pbem.dice.sources import Seeded
from pbem.model import Plain, Side, System

WORD = "thought"
"""A unit of work's key begins with it: `thought british 40`."""


class Page(Struct, frozen=True):
    """What a side had in one window: its report, and what it ordered."""

    report: Plain
    orders: OrderSet


class Reader(Strong):
    """Reads the reports of a finished game one after another."""

    def results(self, page: Page, playouts: int) -> Counter[str] | None:
        """The results of playouts from what the side could think; None within a turn."""
        luck, fresh = self.learn(page.report)
        if not fresh:
            return None
        self._draw(luck)
        found = Counter[str]()
        for i in range(playouts):
            world = self.worlds[i % len(self.worlds)]
            game = self._playout(world, i, Seeded(f"{luck} {i}", b""))
            found[game.play().result] += 1
        self._playing = page.report["turn"], page.orders
        return found


def thinks(system: System, played: Played, side: Side) -> bool:
    """Whether the system says what a side could think."""
    return system.mind(side, played.scenario, played.options, played.seed) is not None


def worked(
    load: Load, played: Played, pages: Mapping[Side, Sequence[Page]], key: str
) -> dict[str, dict[str, int]]:
    """Window -> results, of the unit with that key. pages: of each side, in order."""
    _, side, playouts = key.split()
    system = load(played.system, played.edition)
    reader = Reader(system, played.scenario, played.options, Side(side), played.seed)
    found = ((page, reader.results(page, int(playouts))) for page in pages[Side(side)])
    return {str(page.report["window"]): dict(counts) for page, counts in found if counts}


def shares(given: Mapping[str, Mapping[str, int]], sides: Sequence[str]) -> dict[int, Shares]:
    """Window -> results, of what `worked` gave."""
    return {int(window): shared(Counter(counts), sides) for window, counts in given.items()}
