"""A finished game is published: the page holds both sides' truth, the bundle checks out."""

from __future__ import annotations

from pathlib import Path

import pytest

import games
from pbem.replay.frames import sorted_frames
from pbem.replay.publish import publish
from pbem.replay.walk import walk
from pbem.store.game_dir import reading
from tests.once import played

SYSTEM = games.load("far_seas")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return played(tmp_path_factory, "far_seas")


def test_the_page_shows_the_oceans_and_both_sides(home: Path, tmp_path: Path) -> None:
    publish(reading(home, "demo"), SYSTEM, tmp_path / "war.html")
    page = (tmp_path / "war.html").read_text("utf-8")
    for name in ("Scharnhorst", "K\\u00f6nigsberg", "Kaiserliche Marine", "INDIAN OCEAN"):
        assert name in page
    assert "http://" not in page.replace("http://www.w3.org", "")
    assert (tmp_path / "war.zip").exists()


def test_every_window_has_a_frame_in_which_every_ship_has_its_area(home: Path) -> None:
    frames = sorted_frames(walk(reading(home, "demo"), SYSTEM))
    assert len(frames) > 10
    for frame in frames:
        assert frame.truth and all(unit.place for unit in frame.truth)
