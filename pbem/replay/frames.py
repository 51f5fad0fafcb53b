"""The data of the replay page as compact JSON: strings, units and places are stored once and
referred to by number.

Format: docs/formats.md, "Replay". Places are pixels of the board, which the page draws once.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from math import ceil, sqrt

import msgspec

from pbem.base.analysis_json import Believed
from pbem.base.hashing import setup_digest
from pbem.charts.drawing import empty
from pbem.charts.heat import SHADES, STEPS, shade
from pbem.model import System
from pbem.replay.layers import Board, Known
from pbem.replay.rounds import rounds
from pbem.replay.tables import Tables
from pbem.replay.walk import Frame, Walk, sides_of
from pbem.reports import wording
from pbem.scene import Grid, Scene
from pbem.store.game_dir import Game
from pbem.web.page_data import Data

FORMAT = "pbem-replay/1"


def boards(walk: Walk) -> list[Scene]:
    """The empty board of each chart, the main one first; a plain grid if the system has no chart.

    The board of a chart shows all that any report shows of it.
    """
    every = [charts for frame in walk.frames.values() for charts in frame.charts.values() if charts]
    if not every:
        return [plain(walk)]
    named: dict[str, list[Scene]] = {}
    for charts in every:
        for scene in charts[1:]:
            named.setdefault(scene.name, []).append(scene)
    return [whole([charts[0] for charts in every]), *map(whole, named.values())]


def whole(scenes: Sequence[Scene]) -> Scene:
    """The empty board that has the windows and the cells of all these scenes, and the shapes that
    each of them has."""
    board = empty(scenes[0])
    board.shapes = tuple(s for s in board.shapes if all(s in one.shapes for one in scenes))
    for scene in scenes:
        if scene.grid != board.grid:
            cells, outlines = (
                {**one, **more}
                for one, more in (
                    (board.grid.cells, scene.grid.cells),
                    (board.grid.outlines, scene.grid.outlines),
                )
            )
            board.grid = msgspec.structs.replace(board.grid, cells=cells, outlines=outlines)
        (west, north, east, south), (w, n, e, s) = board.window, scene.window
        board.window = (min(west, w), min(north, n), max(east, e), max(south, s))
    return board


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

    proofs: whether to include the proof of each roll. believed: of an analysis.
    """

    def __init__(self, walk: Walk, proofs: bool = True, believed: Believed | None = None) -> None:
        self.walk, self.proofs, self.tables = walk, proofs, Tables()
        self.believed = believed or {}
        self.sides = [str(side) for side in walk.register.sides]
        self.boards = [Board(scene, self.tables) for scene in boards(walk)]
        self.main, self.text = self.boards[0], self.tables.text

    def data(self, game: Game, system: System) -> Data:
        """All data of the page. The shared tables come last, after the frames have filled them."""
        register = game.register
        scenario = register.created.scenario
        frames = [self.frame(f) for f in sorted_frames(self.walk)]
        played = next(s for s in system.scenarios if s.name == scenario)
        shape, charts, tables = self.main.shape(), self._charts(), self.tables
        things = {"things": list(tables.things)} if any(tables.things) else {}
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
            "board": self.main.head(),
            "shape": shape,
            "text": list(tables.text),
            "units": list(tables.units),
            "points": list(tables.points),
            "lists": list(tables.lists),
            "frames": frames,
            **({"shades": SHADES} if self.believed else {}),
            **({"charts": charts} if len(charts) > 1 else {}),
            **things,
        }

    def symbols(self) -> set[str]:
        """The symbols of all units and markers."""
        return self.tables.symbols()

    def rich(self) -> bool:
        """Whether the page needs the scripts of shapes, hulls and further charts."""
        return self.tables.rich or len(self.boards) > 1 or any(self.tables.things)

    def _charts(self) -> list[Data]:
        """Each chart: its name, what it shows in the words of the first report that says it, and
        its board."""
        scenes = [s for f in sorted_frames(self.walk) for c in f.charts.values() for s in c]
        captions = {s.name: s.caption for s in reversed(scenes) if s.caption}
        return [
            {
                "name": board.scene.name,
                "caption": captions.get(board.scene.name, board.scene.name),
                **board.head(),
                "shape": board.shape() if board is not self.main else None,
            }
            for board in self.boards
        ]

    def frame(self, frame: Frame) -> Data:
        """One window.

        Of each view: u units. Of each side: c contacts, f facts of the head, s searched cells,
        h cells with something found, n night, d fog. Of the game: m the moderator's acts, e events,
        r rolls, o orders. Of each side in a game with an analysis: p cells by how likely an enemy
        is there. Of each further chart and side: b all that it shows. Of each chart and
        side: x shapes, tracks, markers and names, z its rounds and its table.
        """
        scenes = [frame.scenes[side] for side in self.sides]
        main = self.main
        own = [self._own(i, frame, scenes[i]) for i in range(len(self.sides))]
        events = wording.events(frame.templates, [msgspec.to_builtins(t.event) for t in frame.told])
        return {
            "w": frame.window,
            "closed": frame.closed,
            "turn": frame.turn,
            "label": self.text(frame.label),
            "m": [[self._to(a.to), *map(self.text, (a.text, a.rule, a.why))] for a in frame.acts],
            "u": [self._truth(frame, own), *([u for _, u in units] for units in own)],
            "c": [main.contacts(frame.reports[s], scenes[i]) for i, s in enumerate(self.sides)],
            "f": [self._facts(s) for s in scenes],
            "s": [main.cells(s.searched if s else ()) for s in scenes],
            "h": [main.cells(s.found if s else ()) for s in scenes],
            "n": [main.night(s) for s in scenes],
            "d": [main.cells(s.fog if s else ()) for s in scenes],
            "e": [
                [self._to(t.to), self.text(text), self.text(t.event.rule), self.text(t.event.why)]
                for t, text in zip(frame.told, events, strict=True)
            ],
            "r": [
                [self._to(r.to), self.text(r.label), list(r.dice), self._proof(r.proof)]
                for r in frame.rolls
            ],
            "o": [self._orders(frame, side) for side in self.sides],
            **self._further(frame),
        }

    def _further(self, frame: Frame) -> Data:
        """The keys of a window that only some games need."""
        shown = [
            [self._shown(i, frame, side) for side in self.sides] for i in range(len(self.boards))
        ]
        things = [
            [board.things(scene) for scene in scenes]
            for board, scenes in zip(self.boards, shown, strict=True)
        ]
        layers = [
            [
                board.layer(number, frame.reports[side], scene) if scene else None
                for number, (side, scene) in enumerate(zip(self.sides, scenes, strict=True), 1)
            ]
            for board, scenes in zip(self.boards[1:], shown[1:], strict=True)
        ]
        below = [
            [rounds(board, scene) for scene in scenes]
            for board, scenes in zip(self.boards, shown, strict=True)
        ]
        heat = [self._heat(side, frame.window) for side in self.sides]
        return {
            **({"p": heat} if any(heat) else {}),
            **({"z": below} if any(map(any, below)) else {}),
            **({"b": layers} if layers else {}),
            **({"x": things} if any(map(any, things)) else {}),
        }

    def _heat(self, side: str, window: int) -> list[int]:
        """The list of cells of each shade of a chart's heat; empty without any."""
        cells = self.believed.get(side, {}).get(window, {})
        by_shade = [[c for c, s in cells.items() if shade(s) == i] for i in range(len(STEPS))]
        return [self.main.cells(each) for each in by_shade] if cells else []

    def _shown(self, chart: int, frame: Frame, side: str) -> Scene | None:
        """What a side's chart shows; None if its report does not have this chart."""
        name, charts = self.boards[chart].scene.name, frame.charts[side]
        return (
            next((s for s in charts[1:] if s.name == name), None) if chart else frame.scenes[side]
        )

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

    def _own(self, side: int, frame: Frame, scene: Scene | None) -> list[tuple[Known, list[int]]]:
        """A side's units, each as (id, name, type, place), by which `_truth` finds it, and data."""
        drawn = {u.id: u for u in scene.units} if scene else {}
        found = []
        for u in frame.reports[self.sides[side]].units:
            at = drawn[u.id].at if u.id in drawn else self.main.scene.grid.cells.get(u.place)
            known = (u.id, u.name, u.type, u.place)
            found.append((known, self.main.unit(side + 1, known, drawn.get(u.id), at)))
        return found

    def _truth(self, frame: Frame, own: Sequence[list[tuple[Known, list[int]]]]) -> list[list[int]]:
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
                found.append(
                    self.main.unit(0, known, None, self.main.scene.grid.cells.get(u.place))
                )
        return found


def sorted_frames(walk: Walk) -> list[Frame]:
    """The frames in the order of their windows."""
    return [walk.frames[w] for w in sorted(walk.frames)]
