"""What one chart of a replay shows in a window, as numbers of the shared tables."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from pbem.base.report_json import Report
from pbem.charts.drawing import apart, page_of
from pbem.charts.symbols import drawable
from pbem.charts.themes import ink_of
from pbem.model import ContactView
from pbem.replay.tables import Tables
from pbem.replay.things import things
from pbem.scene import Contact, Point, Scene, Unit
from pbem.web.page_data import Data

Known = tuple[str, str, str, str]
"""A unit's id, name, type and place, by which the truth finds it in a side's view."""


class Board:
    """One chart of the game: its board, and what stands on it.

    scene: the empty board, with all parts of it that any report shows.
    """

    def __init__(self, scene: Scene, tables: Tables) -> None:
        self.scene, self.tables, self.page = scene, tables, page_of(scene)
        self.text, self.lists = tables.text, tables.lists

    @cached_property
    def frame(self) -> list[float]:
        """Left, top, width and height of the map, in pixels."""
        left, top, right, bottom = self.page.frame
        return [left, top, right - left, bottom - top]

    def head(self) -> Data:
        """The frame, and how far things are from each other."""
        return {"frame": self.frame, "pitch": apart(self.scene)}

    def layer(self, side: int, report: Report, scene: Scene) -> Data:
        """A side's view of a further chart: the keys of a frame, each for this side alone, and `v`,
        the part of the board that shows."""
        drawn = {u.id: u for u in scene.units}
        units = [u for u in report.units if u.id in drawn]
        kept = {
            "u": [
                self.unit(side, (u.id, u.name, u.type, u.place), drawn[u.id], drawn[u.id].at)
                for u in units
            ],
            "c": self.contacts(report, scene),
            "s": self.cells(scene.searched),
            "h": self.cells(scene.found),
            "n": self.night(scene),
            "d": self.cells(scene.fog),
        }
        moves = scene.window != self.scene.window
        return kept | {"v": self._part(scene)} if moves else kept

    def things(self, scene: Scene | None) -> list[int]:
        """The shapes, tracks, markers and names of a side's chart."""
        return (
            [self.tables.things(t) for t in things(scene, self.page, self.scene.shapes)]
            if scene
            else []
        )

    def _part(self, scene: Scene) -> list[float]:
        """Left, top, width and height of the part of the board that a chart shows."""
        west, north, east, south = scene.window
        (left, top), (right, bottom) = self.page.px((west, north)), self.page.px((east, south))
        return [left, top, round(right - left, 1), round(bottom - top, 1)]

    def night(self, scene: Scene | None) -> float:
        """Where the dark part of the board begins, in pixels from the top; -1 by day."""
        if scene is None or scene.night is None:
            return -1
        _, top, _, bottom = self.page.frame
        return min(max(self.page.px((0, scene.night))[1], top), bottom)

    def _way(self, places: Sequence[Point]) -> int:
        """The number of a list of places."""
        return self.lists(tuple(self.at(at) for at in places))

    def cells(self, names: Sequence[str]) -> int:
        """The number of the list of the middles of these cells."""
        cells = self.scene.grid.cells
        return self.lists(tuple(self.at(cells[n]) for n in names if n in cells))

    def at(self, at: Point | None) -> int:
        """The number of a place; -1 for none."""
        return -1 if at is None else self.tables.points(self.page.px(at))

    def unit(self, side: int, known: Known, drawn: Unit | None, at: Point | None) -> list[int]:
        """A unit's data. side: 0 if no side has it. drawn: as the side's chart shows it."""
        key, name, kind, place = known
        looks: tuple[int | str, ...] = ("", "counter", kind, 0, "")
        if drawn:
            caption = drawn.caption or (kind if drawn.footprint and not drawn.symbol else "")
            symbol = drawable(self.scene.system, drawn.symbol)
            looks = (symbol, drawn.role, caption, drawn.rank, drawn.force)
        shown = name if not drawn else drawn.name
        plan, base = (drawn.plan, drawn.base) if drawn else ((), None)
        unit = self.tables.units((side, key, name, kind, shown, *looks))
        row = [unit, self.text(place), self.at(at), self._way(plan), self.at(base)]
        if not drawn or (drawn.heading is None and not drawn.footprint):
            return row
        ink = ink_of("own", drawn.tone)
        return [*row, *self._aboard(drawn, ink), self.text(drawn.note)]

    def _aboard(self, one: Unit | Contact, ink: str) -> list[int]:
        """The heading in degrees (-1 for none), the outline around (0, 0) with the bow to the north
        (-1 for none) and its colour."""
        self.tables.rich = True
        px = self.page.pitch
        outline = [(round(x * px, 1), round(y * px, 1)) for x, y in one.footprint]
        found = self.lists(tuple(map(self.tables.points, outline))) if outline else -1
        heading = -1 if one.heading is None else round(one.heading % 360)
        return [heading, found, self.text(ink)]

    def contacts(self, report: Report, scene: Scene | None) -> list[list[int]]:
        """A side's contacts."""
        places = {c.id: c.place for c in report.contacts}
        known = scene.contacts if scene else [self._bare(c) for c in report.contacts]
        return [self._contact(c, places.get(c.id, "")) for c in known]

    def _bare(self, c: ContactView) -> Contact:
        """A contact for a system without a chart."""
        at = self.scene.grid.cells.get(c.place)
        return Contact(id=c.id, label=c.id, what=c.type, note="", age=c.age, at=at)

    def _contact(self, c: Contact, place: str) -> list[int]:
        words = [self.text(word) for word in (c.id, c.label, c.what, c.note, place)]
        ways = [self._way(c.trail), self._way(c.ring)]
        where = [self.at(c.at), self.cells(c.cells), *ways, self.at(c.ahead)]
        row = [*words, c.age, *where, self.text(c.name)]
        plain = c.heading is None and not c.footprint
        if plain and c.level is None and not c.submerged:
            return row
        return [*row, c.level or 0, int(c.submerged), *self._aboard(c, ink_of("enemy", c.tone))]

    def shape(self) -> Data:
        """The outline of every cell around its middle; on an area map, the outline of each cell. A
        board without cells has no outline."""
        grid, px = self.scene.grid, self.page.pitch
        if not grid.cells:
            return {"every": []}
        if grid.shape == "area":
            lines = {self.at(at): self.page.line(grid.outline(n)) for n, at in grid.cells.items()}
            return {"own": lines}
        name, (x, y) = next(iter(grid.cells.items()))
        corners = [(round((u - x) * px, 1), round((v - y) * px, 1)) for u, v in grid.outline(name)]
        return {"every": corners}
