"""What a replay shows of charts without cells: hulls, shapes, tracks, markers, several charts; and
that nothing of it is seen before the end, or by another side."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import combinations
from pathlib import Path

import msgspec
import pytest

from games.toy.game import FOX, HUNTER, Hide
from pbem.base.report_json import Moderator
from pbem.charts.chart import svg
from pbem.charts.drawing import empty, page_of
from pbem.charts.scenes import scenes_of
from pbem.charts.text_metrics import BOLD, measure
from pbem.errors import Busy
from pbem.model import Plain, Side
from pbem.replay.frames import Encoder, boards, whole
from pbem.replay.publish import program, publish, replay_page
from pbem.replay.things import things
from pbem.replay.walk import walk
from pbem.reports.report import SILENT, Account, Frame, draft
from pbem.scene import Circle, Grid, Mark, Scene, Track, Unit, hull
from pbem.web.order_page import blank_scene
from pbem.web.page_data import Data
from tests.charts import planes, pond_chart
from tests.referee import Referee
from tests.replay.ponds import TOY, Pond, charts


@pytest.fixture(scope="module")
def pond(tmp_path_factory: pytest.TempPathFactory) -> Pond:
    return Pond(tmp_path_factory.mktemp("pond"))


@pytest.fixture(scope="module")
def data(pond: Pond) -> Data:
    return Encoder(pond.walk).data(pond.game, TOY)


def hide(fox: str = "A1", hound: str = "E5") -> Hide:
    """A game in which the animals stand here."""
    state: Hide = TOY.begin("wood", {}, {})
    state.place |= {"FOX": fox, "HOUND": hound}
    return state


def report(state: Hide, side: Side) -> Plain:
    """The first report of a side."""
    head = Frame(
        game="g",
        setup="{}",
        digest="",
        scenario="wood",
        title="",
        window=1,
        closed=0,
        opened="",
        deadline="",
        head="",
        moderator=Moderator("", ""),
        dice_mode="seeded",
    )
    return draft(TOY, head, side, TOY.view(state, side), Account(), SILENT).plain


def drawn(state: Hide, side: Side) -> list[str]:
    """All charts of a side."""
    return [svg(scene, lenient=True) for scene in scenes_of(TOY, report(state, side))]


def test_two_worlds_that_a_side_cannot_tell_apart_have_the_same_charts() -> None:
    """The fox is elsewhere: the hunter's pond and the water around him are the same to the byte."""
    with charts():
        one, other = hide(fox="A1"), hide(fox="B3")
        assert drawn(one, HUNTER) == drawn(other, HUNTER)
        assert len(drawn(one, HUNTER)) == 2
        assert drawn(one, FOX)[0] != drawn(other, FOX)[0]
        assert "FOX" not in "".join(drawn(one, HUNTER))


def leaky(shown: Mapping[str, object]) -> Sequence[Scene]:
    """The pond, with what is in reach of a boat printed on the board."""
    found = pond_chart.scenes(shown)
    for scene in found:
        at = scene.units[0].at
        scene.shapes = (*scene.shapes, Circle(owner="board", at=at, radius=5, label="her place"))
    return found


def boards_of(state: Hide, patch: pytest.MonkeyPatch) -> list[str]:
    """The boards that are drawn without a report in this world: of the blank order page, and of a
    replay."""
    patch.setattr(type(TOY), "begin", lambda *given: state)
    blank = blank_scene(TOY)
    assert blank
    of_sides = [scenes_of(TOY, report(state, side))[:1] for side in (FOX, HUNTER)]
    return [svg(blank), *(svg(whole(scenes)) for scenes in of_sides)]


@pytest.mark.parametrize("leak", [False, True])
def test_a_board_without_a_report_is_the_same_in_both_worlds(
    leak: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the fox's place planted on the board, the worlds differ."""
    one, other = hide(fox="A1", hound="E5"), hide(fox="B3", hound="D4")
    with charts(leaky if leak else pond_chart.scenes):
        seen = [boards_of(state, monkeypatch) for state in (one, other)]
    assert (seen[0] != seen[1]) == leak
    assert len(set(seen[0])) == (2 if leak else 1)


def test_what_not_every_report_has_is_not_on_the_board_of_a_replay(tmp_path: Path) -> None:
    """A leak planted in the board: the replay shows it in the view of the side that saw it, and in
    the truth, never in the view of the other."""
    pond = Pond(tmp_path, leaky)
    main = boards(pond.walk)[0]
    assert [shape.label for shape in main.shapes] == ["ISLE"]
    found = Encoder(pond.walk).data(pond.game, TOY)
    for frame in found["frames"]:
        fox, hunter = (
            {tuple(t) for n in side if (t := found["things"][n])[1] == "board"}
            for side in frame["x"][0]
        )
        assert len(fox) == len(hunter) == 2 and not fox & hunter


def test_before_the_end_there_is_no_replay(referee: Referee, tmp_path: Path) -> None:
    with charts():
        referee.go()
        with pytest.raises(Busy, match="not over"):
            publish(referee.read(), TOY, tmp_path / "pond.html")
    assert not list(tmp_path.glob("pond.*"))


def test_after_the_end_the_truth_has_the_hulls_of_all(data: Data) -> None:
    for frame in data["frames"]:
        assert [len(units) for units in frame["u"]] == [2, 1, 1]
        assert frame["u"][0] == [frame["u"][1][0], frame["u"][2][0]]
        for row in frame["u"][0]:
            heading, outline, ink = row[5:8]
            assert heading == 45
            assert len(data["lists"][outline]) == len(hull(6, 3))
            assert data["text"][ink] == "own"


def test_each_side_has_the_things_of_its_own_charts(pond: Pond, data: Data) -> None:
    for frame, (_, walked) in zip(data["frames"], sorted(pond.walk.frames.items()), strict=True):
        for chart in (0, 1):
            for side, name in enumerate(("fox", "hunter")):
                scene = walked.charts[name][chart]
                found = [data["things"][n] for n in frame["x"][chart][side]]
                kinds = [thing[0] for thing in found]
                shapes = [s for s in scene.shapes if s.owner != "board"]
                assert kinds.count("shape") == len(shapes)
                assert kinds.count("way") == len(scene.tracks)
                assert kinds.count("mark") == sum(len(t.marks) for t in scene.tracks)
                assert {t[1] for t in found} <= {"own", "enemy", "neutral"}
                assert not [t for t in found if "ISLE" in t]
                assert [c["name"] for c in data["charts"]] == ["pond", "near"]


def test_the_water_around_a_boat_is_a_part_of_one_board(pond: Pond, data: Data) -> None:
    near = data["charts"][1]
    left, top, wide, high = near["frame"]
    for frame in data["frames"]:
        for layer in frame["b"][0]:
            x, y, w, h = layer["v"]
            assert (w, h) == (24 * 24, 24 * 24)
            assert left <= x and top <= y and x + w <= left + wide + 1 and y + h <= top + high + 1
            ((_, _, at, *_),) = layer["u"]
            assert data["points"][at] == pytest.approx((x + w / 2, y + h / 2), abs=0.2)
    page = pond.page.read_text("utf-8")
    assert page.count('<g class="board">') == page.count('<g class="board" display="none">') == 1
    assert page.count('id="b1-sea"') == page.count('id="sea"') == 1


def test_levels_and_contacts_are_kept(data: Data) -> None:
    rows = [row for frame in data["frames"] for side in frame["c"] for row in side]
    assert rows and all(row[12:15] == [1, 0, -1] for row in rows)


def test_a_chart_that_some_windows_lack(tmp_path: Path) -> None:
    """A battle has a chart only while it lasts, and only its sides have it."""

    def sometimes(shown: Mapping[str, object]) -> Sequence[Scene]:
        whole, near = pond_chart.scenes(shown)
        fights = shown["window"] == 3 and shown["side"] == "fox"
        return (whole, near) if fights else (whole,)

    pond = Pond(tmp_path, sometimes)
    found = Encoder(pond.walk).data(pond.game, TOY)
    seen = [[layer is not None for layer in frame["b"][0]] for frame in found["frames"]]
    assert seen[2] == [True, False] and sum(map(sum, seen)) == 1
    assert [scene.name for scene in boards(pond.walk)] == ["pond", "near"]


def test_a_board_has_the_windows_and_cells_of_all_its_scenes() -> None:
    scene = planes.war()
    part = msgspec.structs.replace(scene, window=(-3.0, 0.0, 4.0, 90.0), grid=Grid({"new": (1, 1)}))
    found = whole([scene, part])
    assert found.grid.cells == {**scene.grid.cells, "new": (1, 1)}
    west, north, east, south = scene.window
    assert found.window == (min(west, -3), min(north, 0), max(east, 4), max(south, 90))
    assert whole([scene]) == empty(scene)


def _these(scenes: Sequence[Scene], shown: Mapping[str, object]) -> Sequence[Scene]:
    return scenes


def test_two_boards_share_the_outline_of_their_land(pond: Pond) -> None:
    """A second chart of the same coast costs little more than its units."""
    one = planes.beside_a_coast()
    two = msgspec.structs.replace(one, name="again")
    sizes = []
    for scenes in ((one,), (one, two)):
        with charts(partial(_these, scenes)):
            sizes.append(len(replay_page(pond.game, TOY, walk(pond.game, TOY))))
    first, second = sizes
    assert one.coast
    assert second - first < 0.5 * len(one.coast.land)


def test_pages_without_such_charts_have_none_of_it(home_page: bytes) -> None:
    assert b"defs = new Map" not in home_page and b"scrollLeft" not in home_page
    assert len(program(False)) < len(program(True))


@pytest.fixture
def home_page(pond: Pond) -> bytes:
    """The replay of the same game with the toy's own chart."""
    along = walk(pond.game, TOY)
    found = Encoder(along).data(pond.game, TOY)
    assert not {"charts", "things"} & set(found)
    assert not any({"x", "b"} & set(frame) for frame in found["frames"])
    assert json.dumps(found)
    return replay_page(pond.game, TOY, along)


def test_everything_of_a_table_has_its_kind() -> None:
    for scene in (planes.table(), planes.war(), planes.beside_a_coast()):
        found = list(things(scene, page_of(scene), empty(scene).shapes))
        kinds = [t[0] for t in found]
        assert kinds.count("shape") == sum(s.owner != "board" for s in scene.shapes)
        assert kinds.count("way") == len(scene.tracks)
        assert kinds.count("mark") == len(scene.marks) + sum(len(t.marks) for t in scene.tracks)
    west, north, east, south = planes.war().window
    x, y = (west + east) / 2, (north + south) / 2
    odd = msgspec.structs.replace(
        planes.war(),
        marks=(Mark(at=(x, y), symbol="unknown"),),
        tracks=(Track(points=((x, y), (x + 1, y + 1)), name="KG9", note="5"),),
    )
    found = list(things(odd, page_of(odd), empty(odd).shapes))
    assert [t[7] for t in found if t[0] == "mark"] == ["piece"]
    assert [t[5] for t in found if t[0] == "name" and "KG9" in str(t)] == ["KG9 (5)"]


def test_names_of_tracks_cover_neither_each_other_nor_counters() -> None:
    """Three lines begin in one place, in which a ship lies."""
    grid = Grid({name: (n % 4, n // 4) for n, name in enumerate("ABCDEFGHIJKLMNOP")}, "square")
    ends = ((3.0, 1.0), (3.0, 2.0), (2.0, 3.0))
    lines = [Track(points=((1, 1), end), bold=True, name=f"Line {end}", note="3") for end in ends]
    ship = Unit(id="H", name="Hood", symbol="BB", at=(2.0, 1.5))
    scene = Scene(title="", side="", when="", window=(-1, -1, 4, 4), grid=grid, tracks=tuple(lines))
    scene = msgspec.structs.replace(scene, units=(ship,))
    page = page_of(scene)
    found = [t for t in things(scene, page) if t[0] == "name"]
    boxes = [(_number(t[3]), _number(t[4]), measure(str(t[5]), BOLD) / 2) for t in found]
    assert len(boxes) == 3
    x, y = page.px((2.0, 1.5))
    boxes.append((x, y, 23.0))
    for (x, y, half), (u, v, wide) in combinations(boxes, 2):
        assert abs(x - u) >= half + wide or abs(y - v) >= 10


def _number(value: object) -> float:
    assert isinstance(value, float | int)
    return value
