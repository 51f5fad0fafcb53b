"""What a mail says in place of its pictures: whose they are, of which turn, and what they show."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from typing import Literal

import pytest

import games
from games.toy.game import SYSTEM
from pbem.admin.setup import Choices
from pbem.charts.description import NAMED, described
from pbem.charts.scenes import scenes_of
from pbem.outbound.spectators import enrol
from pbem.reports.report import decode
from pbem.scene import Contact, Grid, Scene, Unit
from pbem.store.game_dir import writing
from pbem.text.layout import ascii_fold
from tests.conftest import Clock
from tests.once import played
from tests.referee import Referee

CELLS = {f"A{x}": (float(x), 1.0) for x in range(40)}


def scene(units: tuple[Unit, ...], contacts: tuple[Contact, ...] = ()) -> Scene:
    return Scene(
        title="Pond",
        side="The frog",
        when="turn 3 of 8",
        window=(0, 0, 40, 8),
        grid=Grid(CELLS),
        units=units,
        contacts=contacts,
        focus=((2, 1),),
    )


def unit(name: str, x: float = 2, force: str = "") -> Unit:
    role: Literal["counter", "member"] = "member" if force else "counter"
    return Unit(id=name.upper(), name=name, symbol="DD", at=(x, 1), role=role, force=force)


def contact(id_: str, name: str = "", x: float = 2, cells: tuple[str, ...] = ()) -> Contact:
    at = None if cells else (x, 1.0)
    return Contact(id=id_, label="?", what="", note="", age=0, name=name, at=at, cells=cells)


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (scene(()), "Chart, The frog, turn 3 of 8"),
        (scene((unit("Ann"),)), "Chart, The frog, turn 3 of 8: own Ann"),
        (
            scene((unit("Ann"), unit("Bea", 39)), (contact("C1"), contact("C2", "Newt", 39))),
            "Chart, The frog, turn 3 of 8: own Ann; contacts C1",
        ),
        (
            scene((), (contact("C1", cells=("A1", "A39")), contact("C2", cells=("A39",)))),
            "Chart, The frog, turn 3 of 8: contacts C1",
        ),
        (
            scene((unit("Ann"), unit("Bea", force="ANN"))),
            "Chart, The frog, turn 3 of 8: own Ann",
        ),
        (
            scene((unit("Bea", force="ANN"),)),
            "Chart, The frog, turn 3 of 8: own Bea",
        ),
        (
            scene(tuple(unit(name) for name in "ABCDEFG")),
            "Chart, The frog, turn 3 of 8: own A, B, C, D and 3 more",
        ),
        (
            scene(tuple(unit(name) for name in "ABCDE")),
            "Chart, The frog, turn 3 of 8: own A, B, C, D, E",
        ),
    ],
)
def test_it_names_what_stands_on_the_picture_and_no_more(made: Scene, said: str) -> None:
    assert described(made) == said


def pictures(page: Path) -> list[str]:
    """What a mail's page says in place of each picture."""
    found = re.findall(r'<img [^>]*alt="([^"]*)"', page.read_text("utf-8"))
    return [unescape(said) for said in found]


def test_a_report_says_what_its_picture_shows(tmp_path: Path, clock: Clock) -> None:
    referee = Referee.made(tmp_path / "home", SYSTEM, Choices(seed="x", chart="png"))
    with writing(referee.home, "g1") as game:
        enrol(game, "watcher@example.org")
    referee.open()
    folder = referee.folder / "reports"
    assert pictures(folder / "fox/1/report.html") == ["Chart, The fox, turn 1 of 8: own Fox"]
    (public,) = pictures(folder / "spectators/1/report.html")
    assert public.startswith("Chart, ")
    assert "Fox" not in public
    assert "Hound" not in public


@pytest.mark.some(2)
@pytest.mark.parametrize("system", games.SYSTEMS)
def test_it_tells_nothing_that_the_text_of_the_report_does_not(
    system: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Every word of it is in the text of the same mail."""
    loaded, named = games.load(system), 0
    for file in sorted(played(tmp_path_factory, system).glob("demo/reports/*/*/report.json"))[::3]:
        text = file.with_name("report.txt")
        if not text.exists():
            continue
        known = set(re.findall(r"\w+", text.read_text().upper()))
        for one in scenes_of(loaded, decode(file.read_bytes()).plain):
            head, _, body = described(one).partition(": ")
            words = re.findall(r"\w+", ascii_fold(re.sub(r"and \d+ more", "", body)).upper())
            assert head.startswith("Chart, ")
            assert set(words) - known <= {"OWN", "CONTACTS"}, (file, body)
            named += len(words)
            assert body.count(",") < 2 * NAMED
    assert named
