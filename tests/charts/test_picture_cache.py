"""A picture is drawn once, and what is in the cache is never trusted blindly."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.charts.picture_cache import MOST, cached

PICTURE = b"\x89PNG\r\n\x1a\n....IEND\xaeB`\x82"


class Hand:
    """Draws, and counts how often."""

    def __init__(self) -> None:
        self.drawn: list[tuple[str, str]] = []

    def __call__(self, svg: str, theme: str) -> bytes:
        self.drawn.append((svg, theme))
        return PICTURE


def test_the_same_chart_is_drawn_once(tmp_path: Path) -> None:
    hand = Hand()
    for _ in range(3):
        assert cached(tmp_path / "charts", "<svg/>", "light", hand) == PICTURE
    assert hand.drawn == [("<svg/>", "light")]


def test_another_chart_or_theme_is_another_picture(tmp_path: Path) -> None:
    hand = Hand()
    wanted = [("<svg/>", "light"), ("<svg/>", "dark"), ("<svg> </svg>", "light")]
    for svg, theme in wanted:
        cached(tmp_path, svg, theme, hand)
    assert hand.drawn == wanted


def test_another_program_draws_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hand = Hand()
    cached(tmp_path, "<svg/>", "light", hand)
    monkeypatch.setattr("importlib.metadata.version", lambda name: "0")
    cached(tmp_path, "<svg/>", "light", hand)
    assert len(hand.drawn) == 2


@pytest.mark.parametrize("spoilt", [b"", PICTURE[:-1], b"GIF89a" + PICTURE])
def test_a_torn_file_is_drawn_anew(spoilt: bytes, tmp_path: Path) -> None:
    hand = Hand()
    cached(tmp_path, "<svg/>", "light", hand)
    (held,) = tmp_path.iterdir()
    held.write_bytes(spoilt)
    assert cached(tmp_path, "<svg/>", "light", hand) == PICTURE
    assert held.read_bytes() == PICTURE


def test_without_a_folder_drawing_is_only_slower(tmp_path: Path) -> None:
    place = tmp_path / "charts"
    place.write_text("in the way")
    assert cached(place, "<svg/>", "light", Hand()) == PICTURE


def test_the_oldest_pictures_are_deleted(tmp_path: Path) -> None:
    for number in range(MOST + 5):
        cached(tmp_path, f"<svg>{number}</svg>", "light", Hand())
    assert len(list(tmp_path.iterdir())) == MOST
