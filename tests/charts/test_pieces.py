"""What is printed on the map is drawn once; with it a chart is the same picture as without."""

from __future__ import annotations

from collections import OrderedDict
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageStat

import games
from pbem.charts import png
from pbem.charts.chart import svg
from pbem.charts.pieces import Board, pieces
from pbem.charts.scenes import scenes_of
from pbem.charts.themes import theme_of
from tests.charts.test_chart import report

VIEWS = {
    "bismarck-british-night": "bismarck",
    "far_seas-british": "far_seas",
    "toy-hunter": "toy",
}


@pytest.fixture(autouse=True)
def _fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    forget(monkeypatch)


def forget(patch: pytest.MonkeyPatch) -> None:
    """Nothing is in memory, as in a new process."""
    patch.setattr(png, "_grounds", OrderedDict())


def watch(patch: pytest.MonkeyPatch, calls: list[str]) -> None:
    """Notes every SVG that is drawn."""
    draw = png.drawn

    def noted(svg: str) -> bytes:
        calls.append(svg)
        return draw(svg)

    patch.setattr(png, "drawn", noted)


def text(view: str, detail: bool) -> str:
    (scene, *_) = scenes_of(games.load(VIEWS[view]), report(view))
    return svg(scene, "light", detail)


@pytest.mark.some(1)
@pytest.mark.parametrize("detail", [False, True])
@pytest.mark.parametrize("view", VIEWS)
def test_in_pieces_a_chart_is_the_picture_that_its_svg_is(view: str, detail: bool) -> None:
    chart = text(view, detail)
    shown = Image.open(BytesIO(png.png(chart))).convert("RGB")
    whole = Image.open(BytesIO(png.drawn(png._plain(chart, "light")))).convert("RGB")
    assert shown.size == whole.size
    apart = ImageStat.Stat(ImageChops.difference(shown, whole).convert("L"))
    assert apart.mean[0] < 4, "shades of 255 on average: edges, and the colours of the palette"


@pytest.mark.parametrize("view", VIEWS)
def test_with_what_was_kept_the_bytes_are_the_same(
    view: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chart = text(view, True)
    first = png.png(chart, boards=tmp_path)
    boards = list(tmp_path.iterdir())
    assert boards
    calls: list[str] = []
    watch(monkeypatch, calls)
    for in_memory in (True, False):
        if not in_memory:
            forget(monkeypatch)
        calls.clear()
        assert png.png(chart, boards=tmp_path) == first
        assert len(calls) == len([p for p in pieces(chart).parts if isinstance(p, str)])
    assert list(tmp_path.iterdir()) == boards


def test_a_torn_board_is_drawn_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chart = text("toy-hunter", False)
    first = png.png(chart, boards=tmp_path)
    for kept in tmp_path.iterdir():
        kept.write_bytes(kept.read_bytes()[:60])
    forget(monkeypatch)
    assert png.png(chart, boards=tmp_path) == first
    assert all(len(kept.read_bytes()) > 60 for kept in tmp_path.iterdir())


@pytest.mark.parametrize("view", VIEWS)
def test_only_what_is_printed_on_the_map_is_kept(view: str) -> None:
    """Nothing of a side: the boards of a home serve all of its games."""
    kept = [part for part in pieces(text(view, True)).parts if isinstance(part, Board)]
    assert kept
    for part in kept:
        assert 'class="name"' not in part.content
        assert "url(#hatch)" not in part.content
        assert 'id="unit-' not in part.content and 'id="contact-' not in part.content


def test_parts_of_a_board_are_cut_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    """The detail of the next window finds the part of the board that the last one drew."""
    drawn: list[str] = []
    watch(monkeypatch, drawn)
    content = '<rect width="2000" height="2000" fill="#123456"/>'
    for west in (210, 260, 390):
        board = Board((8, 34, 408, 434), (8 - west, 34 - 220), content)
        layer, left, top = png._cut(board, 2, None)
        assert (layer.size, left, top) == ((800, 800), 16, 68)
        assert layer.convert("RGB").getpixel((799, 799)) == (0x12, 0x34, 0x56)
    assert len(drawn) == 1


def test_a_side_has_its_colour_whoever_looks() -> None:
    """Germans are red in their own pictures, and so are their contacts in the enemy's."""
    system = games.load("far_seas")
    for side, red in (("far_seas-german", True), ("far_seas-british", False)):
        (scene,) = scenes_of(system, {**report(side), "scenario": "war"})
        assert scene.red == red
        own, foe = (theme_of("light", red)[key] for key in ("own", "foe"))
        drawn = svg(scene)
        assert f'rx="3.5" fill="{own}"' in drawn
        assert f'fill="{foe}" stroke="{foe}"' in drawn
        reds = [int(c[1:3], 16) > int(c[5:7], 16) for c in (own, foe)]
        assert reds == [red, not red]
