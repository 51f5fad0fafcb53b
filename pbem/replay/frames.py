"""The data of the replay page as compact JSON: strings, units and places are stored once and
referred to by number.

Format: docs/formats.md, "Replay". Places are pixels of the board, which the page draws once.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Hashable, Iterator, Sequence
from math import ceil, sqrt
from typing import Generic, TypeVar

import msgspec

from pbem.base.hashing import setup_digest
from pbem.base.report_json import Report
from pbem.charts.drawing import apart, empty, page_of
from pbem.model import ContactView, System
from pbem.replay.walk import Frame, Walk, sides_of
from pbem.reports import render
from pbem.scene import Contact, Grid, Point, Scene, Unit
from pbem.store.game_dir import Game
from pbem.web.page_data import Data

FORMAT = "pbem-replay/1"
Thing = TypeVar("Thing", bound=Hashable)


class Shared(Generic[Thing]):
    """A table of things without repeats: call it with a thing to get the thing's number."""

    def __init__(self) -> None:
        self.known: dict[Thing, int] = {}

    def __call__(self, thing: Thing) -> int:
        """The number of a thing, which is added to the table if it is new."""
        return self.known.setdefault(thing, len(self.known))

    def __iter__(self) -> Iterator[Thing]:
        return iter(self.known)


def board(walk: Walk) -> Scene:
    """The empty board under all frames; a plain grid if the system has no chart."""
    frame = next(iter(walk.frames.values()))
    scene = next(iter(frame.scenes.values())) or plain(walk)
    return empty(scene)


def plain(walk: Walk) -> Scene:
    """A board for a system without a chart: every place in which a unit ever was, as a square."""
    frames = walk.frames.values()
    places = sorted({u.place for frame in frames for u in frame.truth})
    wide = max(ceil(sqrt(len(places))), 2)
    cells = {name: (float(i % wide), float(i // wide)) for i, name in enumerate(places)}
    high = ceil(len(places) / wide)
    window = (-0.8, -0.8, wide - 0.2, high - 0.2)
    return Scene(title="", side="", when="", window=window, grid=Grid(cells), pitch=100)


class Encoder:
    """Makes the page's data. View 0 is the truth, 1, 2 ... the sides in the order of the set-up.

    proofs: whether to include the proof of each roll.
    """

    def __init__(self, walk: Walk, proofs: bool = True) -> None:
        self.walk, self.scene, self.proofs = walk, board(walk), proofs
        self.page = page_of(self.scene)
        self.sides = [str(side) for side in walk.register.sides]
        self.text: Shared[str] = Shared()
        self.units: Shared[tuple[int | str, ...]] = Shared()
        self.points: Shared[Point] = Shared()
        self.lists: Shared[tuple[int, ...]] = Shared()

    def data(self, game: Game, system: System) -> Data:
        """All data of the page. The shared tables come last, after the frames have filled them."""
        register = game.register
        scenario = register.created.scenario
        frames = [self.frame(system, f) for f in sorted_frames(self.walk)]
        played = next(s for s in system.scenarios if s.name == scenario)
        left, top, right, bottom = self.page.frame
        shape = self._shape()
        return {
            "format": FORMAT,
            "game": game.name,
            "title": system.title,
            "scenario": played.title,
            "system": system.name,
            "edition": system.edition,
            "turns": played.turns or system.turns,
            "sides": [{"id": s, "name": n} for s, n in sides_of(system, scenario, register.sides)],
            "result": msgspec.to_builtins(register.over),
            "dice": register.created.dice,
            "proofs": self.proofs,
            "setup": setup_digest(register.setup),
            "head": register.head,
            "flags": self.walk.result.flags,
            "board": {"frame": [left, top, right - left, bottom - top], "pitch": apart(self.scene)},
            "shape": shape,
            "text": list(self.text),
            "units": list(self.units),
            "points": list(self.points),
            "lists": list(self.lists),
            "frames": frames,
        }

    def frame(self, system: System, frame: Frame) -> Data:
        """One window.

        Of each view: u units. Of each side: c contacts, f facts of the head, s searched cells,
        h cells with something found, n night, d fog. Of the game: m the moderator's acts, e events,
        r rolls, o orders.
        """
        scenes = [frame.scenes[side] for side in self.sides]
        own = [self._own(i, frame, scenes[i]) for i in range(len(self.sides))]
        events = render.events(system.name, [msgspec.to_builtins(t.event) for t in frame.told])
        return {
            "w": frame.window,
            "closed": frame.closed,
            "turn": frame.turn,
            "label": self.text(frame.label),
            "m": [[self._to(a.to), *map(self.text, (a.text, a.rule, a.why))] for a in frame.acts],
            "u": [self._truth(frame, own), *([u for _, u in units] for units in own)],
            "c": [self._contacts(frame.reports[s], scenes[i]) for i, s in enumerate(self.sides)],
            "f": [self._facts(s) for s in scenes],
            "s": [self._cells(s.searched if s else ()) for s in scenes],
            "h": [self._cells(s.found if s else ()) for s in scenes],
            "n": [self._night(s) for s in scenes],
            "d": [self._cells(s.fog if s else ()) for s in scenes],
            "e": [
                [self._to(t.to), self.text(text), self.text(t.event.rule), self.text(t.event.why)]
                for t, text in zip(frame.told, events, strict=True)
            ],
            "r": [
                [self._to(r.to), self.text(r.label), list(r.dice), self._proof(r.proof)]
                for r in frame.rolls
            ],
            "o": [self._orders(frame, side) for side in self.sides],
        }

    def symbols(self) -> set[str]:
        """The symbols of all units so far."""
        return {str(unit[5]) for unit in self.units}

    def _proof(self, proof: str) -> str:
        return b64encode(bytes.fromhex(proof)).decode("ascii") if self.proofs else ""

    def _to(self, audience: Sequence[str]) -> list[int]:
        """An audience as numbers of views."""
        return [i for i, side in enumerate(self.sides, 1) if side in audience]

    def _orders(self, frame: Frame, side: str) -> list[int] | None:
        """The lines of a side's orders; None if no orders came."""
        lines = frame.orders.get(side)
        return None if lines is None else [self.text(line) for line in lines]

    def _facts(self, scene: Scene | None) -> list[list[int]]:
        boxes = scene.boxes if scene else ()
        return [[self.text(box.name), self.text(box.value)] for box in boxes]

    def _night(self, scene: Scene | None) -> float:
        """Where the dark part of the board begins, in pixels from the top; -1 by day."""
        if scene is None or scene.night is None:
            return -1
        _, top, _, bottom = self.page.frame
        return min(max(self.page.px((0, scene.night))[1], top), bottom)

    def _way(self, places: Sequence[Point]) -> int:
        """The number of a list of places."""
        return self.lists(tuple(self._at(at) for at in places))

    def _cells(self, names: Sequence[str]) -> int:
        """The number of the list of the middles of these cells."""
        cells = self.scene.grid.cells
        return self.lists(tuple(self._at(cells[n]) for n in names if n in cells))

    def _at(self, at: Point | None) -> int:
        """The number of a place; -1 for none."""
        return -1 if at is None else self.points(self.page.px(at))

    def _own(
        self, side: int, frame: Frame, scene: Scene | None
    ) -> list[tuple[tuple[str, str, str, str], list[int]]]:
        """A side's units, each as (id, name, type, place), by which `_truth` finds it, and data."""
        drawn = {u.id: u for u in scene.units} if scene else {}
        found = []
        for u in frame.reports[self.sides[side]].units:
            at = drawn[u.id].at if u.id in drawn else self.scene.grid.cells.get(u.place)
            known = (u.id, u.name, u.type, u.place)
            found.append((known, self._unit(side + 1, known, drawn.get(u.id), at)))
        return found

    def _unit(
        self, side: int, known: tuple[str, str, str, str], drawn: Unit | None, at: Point | None
    ) -> list[int]:
        """A unit's data. side: 0 if no side has it. drawn: as the side's chart shows it."""
        key, name, kind, place = known
        looks: tuple[int | str, ...] = ("", "counter", kind, 0, "")
        if drawn:
            caption = drawn.caption or (kind if drawn.footprint and not drawn.symbol else "")
            looks = (drawn.symbol, drawn.role, caption, drawn.rank, drawn.force)
        shown = name if not drawn else drawn.name
        plan, base = (drawn.plan, drawn.base) if drawn else ((), None)
        unit = self.units((side, key, name, kind, shown, *looks))
        return [unit, self.text(place), self._at(at), self._way(plan), self._at(base)]

    def _truth(
        self, frame: Frame, own: Sequence[list[tuple[tuple[str, str, str, str], list[int]]]]
    ) -> list[list[int]]:
        """The referee's units. A unit that is in a side's view too is drawn as on that chart."""
        left = [unit for units in own for unit in units]
        found = []
        for u in frame.truth:
            known = (u.id, u.name, u.type, u.place)
            match = next((one for one in left if one[0] == known), None)
            if match:
                left.remove(match)
                found.append(match[1])
            else:
                found.append(self._unit(0, known, None, self.scene.grid.cells.get(u.place)))
        return found

    def _contacts(self, report: Report, scene: Scene | None) -> list[list[int]]:
        """A side's contacts."""
        places = {c.id: c.place for c in report.contacts}
        known = scene.contacts if scene else [self._bare(c) for c in report.contacts]
        return [self._contact(c, places[c.id]) for c in known]

    def _bare(self, c: ContactView) -> Contact:
        """A contact for a system without a chart."""
        at = self.scene.grid.cells.get(c.place)
        return Contact(id=c.id, label=c.id, what=c.type, note="", age=c.age, at=at)

    def _contact(self, c: Contact, place: str) -> list[int]:
        words = [self.text(word) for word in (c.id, c.label, c.what, c.note, place)]
        ways = [self._way(c.trail), self._way(c.ring)]
        where = [self._at(c.at), self._cells(c.cells), *ways, self._at(c.ahead)]
        return [*words, c.age, *where, self.text(c.name)]

    def _shape(self) -> Data:
        """The outline of every cell around its middle; on an area map, the outline of each cell. A
        board without cells has no outline."""
        grid, px = self.scene.grid, self.page.pitch
        if not grid.cells:
            return {"every": []}
        if grid.shape == "area":
            lines = {self._at(at): self.page.line(grid.outline(n)) for n, at in grid.cells.items()}
            return {"own": lines}
        name, (x, y) = next(iter(grid.cells.items()))
        corners = [(round((u - x) * px, 1), round((v - y) * px, 1)) for u, v in grid.outline(name)]
        return {"every": corners}


def sorted_frames(walk: Walk) -> list[Frame]:
    """The frames in the order of their windows."""
    return [walk.frames[w] for w in sorted(walk.frames)]
