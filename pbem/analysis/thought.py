"""What a side could think of its chances: playouts from worlds that its own reports allow.

The worlds are those of the bots that search (`pbem.inference.mind`): own units as reported,
enemies where the reports, public facts and luck put them. They are drawn at the first window of
each turn in which orders were due, and nothing that was told later is used.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec import Struct

from orders.model import OrderSet
from pbem.analysis.precision import Shares, shared
from pbem.analysis.units import Load, Played
from pbem.bots.strong import Strong
from pbem.dice.sources import Seeded
from pbem.model import Plain, Side, System

WORD = "thought"
"""A unit of work's key begins with it: `thought british 40 1/2`."""
PARTS = 2
"""Units of a side. Each has to draw all worlds, because they follow from each other, but plays from
those of every second turn only, so that more processes share the work."""


class Page(Struct, frozen=True):
    """What a side had in one window: its report, and what it ordered."""

    report: Plain
    orders: OrderSet
    due: bool = True
    """Were orders due? Not while a run of agreed turns goes on."""


class Reader(Strong):
    """Reads the reports of a finished game one after another."""

    def results(self, page: Page, playouts: int) -> Counter[str]:
        """The results of so many playouts from what the side could think."""
        luck, fresh = self.learn(page.report)
        found = Counter[str]()
        if not fresh:
            return found
        if playouts or self.mind.follows:
            self._draw(luck)
        for i in range(playouts):
            world = self.worlds[i % len(self.worlds)]
            game = self._playout(world, i, Seeded(f"{luck} {i}", b""))
            found[game.play().result] += 1
        self._playing = page.report["turn"], page.orders
        return found


def thinks(system: System, played: Played, side: Side) -> bool:
    """Whether the system says what a side could think."""
    return system.mind(side, played.scenario, played.options, played.seed) is not None


def keys(pages: Mapping[Side, Sequence[Page]], playouts: int) -> list[str]:
    """The keys of all units. playouts: in each turn; 0 for none."""
    if not playouts:
        return []
    return [f"{WORD} {s} {playouts} {n}/{PARTS}" for n in range(1, PARTS + 1) for s in pages]


def worked(
    load: Load, played: Played, pages: Mapping[Side, Sequence[Page]], key: str
) -> dict[str, dict[str, int]]:
    """Window -> results, of the unit with that key. pages: of each side, in order."""
    _, side, playouts, part = key.split()
    number, _, parts = part.partition("/")
    chosen = set(thinking(pages[Side(side)])[int(number) - 1 :: int(parts)])
    system = load(played.system, played.edition)
    reader = Reader(system, played.scenario, played.options, Side(side), played.seed)
    counts = dict[str, dict[str, int]]()
    for page in pages[Side(side)]:
        window = page.report["window"]
        found = reader.results(page, int(playouts) if window in chosen else 0)
        if found:
            counts[str(window)] = dict(found)
    return counts


def thinking(pages: Sequence[Page]) -> list[int]:
    """The windows in which is asked what a side could think: the first of each turn, if orders were
    due in it."""
    first: dict[int, Page] = {}
    for page in pages:
        first.setdefault(page.report["turn"], page)
    return [page.report["window"] for page in first.values() if page.due]


def shares(given: Mapping[str, Mapping[str, int]], sides: Sequence[str]) -> dict[int, Shares]:
    """Window -> results, of what `worked` gave."""
    return {int(window): shared(Counter(counts), sides) for window, counts in given.items()}
