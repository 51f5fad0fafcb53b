"""The story of a finished game: nothing before the end, and then the truth beside the beliefs."""

from __future__ import annotations

import gzip
import json
import re
import shutil
from collections.abc import Callable, Sequence
from html.parser import HTMLParser
from pathlib import Path

import pytest

import games
from pbem.bots.demo import demo
from pbem.errors import Damaged
from pbem.replay.walk import walk
from pbem.reports import wording
from pbem.store.game_dir import finished, reading
from pbem.store.secrets import addresses
from pbem.story import scenes
from pbem.story.narrator import Narrator
from pbem.story.plot import MOMENTS, plot
from pbem.story.write import compose, html, markdown, story
from tests.cli.commands import pbem
from tests.conftest import Clock
from tests.luck import pinned
from tests.referee import Referee

TOY = games.load("toy")
FROZEN = sorted((Path(__file__).parents[1] / "frozen").glob("*/*-seeded.jsonl.gz"))
PICTURE = re.compile(r"!\[[^\]]+\]\(([^)]+)\)")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished toy game."""
    folder = tmp_path_factory.mktemp("over")
    with pytest.MonkeyPatch.context() as patch:
        Clock(patch)
        pinned(patch, "over")
        list(demo(folder, TOY, "a", "seeded"))
    return folder


@pytest.fixture(scope="module")
def told(home: Path) -> Path:
    """Its story."""
    folder = home / "told"
    story(reading(home, "demo"), TOY, folder)
    return folder


def test_nothing_is_told_before_the_end(referee: Referee) -> None:
    referee.go()
    said = pbem("--home", referee.home, "story", "g1")
    assert said.code == 4
    assert "not over" in said.err and "turn 8" in said.err
    assert not (referee.folder / "story").exists()


def test_a_game_that_was_altered_has_no_story(home: Path, tmp_path: Path) -> None:
    shutil.copytree(home / "demo", tmp_path / "demo")
    ledger = tmp_path / "demo" / "ledger.jsonl"
    game = reading(tmp_path, "demo")
    ledger.write_bytes(ledger.read_bytes().replace(b'"over":null', b'"over": null', 1))
    with pytest.raises(Damaged, match="record"):
        story(game, TOY, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_the_command_names_what_it_wrote(home: Path, told: Path, tmp_path: Path) -> None:
    out = tmp_path / "new" / "story"
    said = pbem("--home", home, "story", "demo", "-o", out, "--json")
    found = json.loads(said.out)
    assert said.code == 0 and found["moments"] >= 1
    written = sorted(path.name for path in out.iterdir())
    assert written == sorted(
        Path(p).name for p in (found["page"], found["text"], *found["pictures"])
    )
    for name in written:  # the same game gives the same bytes, wherever they are written
        assert (out / name).read_bytes() == (told / name).read_bytes(), name


def test_the_markdown_names_every_picture_that_lies_beside_it(told: Path) -> None:
    text = (told / "story.md").read_text()
    named = PICTURE.findall(text)
    assert sorted(named) == sorted(p.name for p in told.glob("*.png"))
    assert "\n\n\n" not in text
    assert all((told / name).read_bytes().startswith(b"\x89PNG") for name in named)


class Page(HTMLParser):
    """What a page loads, and its ids."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.ids: list[str] = []
        self.scripts = 0
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.scripts += tag == "script"
        for name, value in attrs:
            if name in ("src", "href", "xlink:href") and not str(value).startswith("#"):
                self.loads.append(str(value))
            if name == "id":
                self.ids.append(str(value))


def test_the_page_loads_nothing_and_needs_no_script(told: Path) -> None:
    page = Page((told / "story.html").read_text())
    assert not page.loads and not page.scripts
    assert len(page.ids) == len(set(page.ids)), "each part of a drawing has its own id"


def test_the_story_has_no_address_of_a_player(home: Path, told: Path) -> None:
    known = [a["email"] for held in addresses(reading(home, "demo")).values() for a in held]
    assert known
    for path in (told / "story.html", told / "story.md"):
        text = path.read_text()
        assert not [address for address in known if address and address in text]


def test_the_truth_stands_beside_what_each_side_believed(home: Path) -> None:
    made = plot(walk(reading(home, "demo"), TOY), TOY, "demo")
    moment = made.moments[0]
    assert [b.text for b in moment.beliefs] == [
        "The fox had heard nothing.",
        "The hunter had heard a twig in row A.",
    ]
    truth = scenes.truth(moment.frame)
    assert truth
    own, foes = moment.frame.scenes.values()
    assert own and foes
    assert {u.name for u in truth.units} == {u.name for u in own.units}
    assert [(c.name, c.at) for c in truth.contacts] == [(u.name, u.at) for u in foes.units]


def test_a_chart_of_each_reader_shows_the_same_part_of_the_board(home: Path) -> None:
    found = compose(reading(home, "demo"), TOY)
    for one in found.told:
        assert len(one.pictures) == 3
        assert len({picture.scene.window for picture in one.pictures}) == 1


@pytest.mark.parametrize("name", sorted(games.SYSTEMS))
def test_what_a_story_weighs_are_events_of_the_system(name: str) -> None:
    kinds = {kind for kind in wording.macros(f"{name}/events.j2") if kind[:1].isupper()}
    narrator = Narrator(name, {})
    own = {macro for macro in wording.macros(f"{name}/story.j2") if macro[:1].isupper()}
    assert narrator.weights
    assert {*narrator.weights, *narrator.losses, *own} <= kinds
    assert own <= {*narrator.weights}, "a sentence that no story tells"


def test_what_one_side_was_told_is_quoted_where_a_system_has_no_words() -> None:
    narrator = Narrator("bismarck@basic-1", {"british": "Royal Navy", "german": "Kriegsmarine"})
    event = {"kind": "HuffDuff", "ship": "Bismarck", "id": "EN1", "zone": "F5", "type": "BB"}
    said = narrator.tell(event, ["british"])
    assert said.startswith("The Royal Navy learned: HUFF-DUFF hears Bismarck (EN1)")
    assert "ShipMoved" not in narrator.weights, "routine"


def test_a_wrong_mark_is_named_with_where_she_was() -> None:
    narrator = Narrator("far_seas", {"german": "", "british": ""})
    mark = {"id": "EMDEN", "name": "", "type": "CL", "place": "26", "age": 3, "truly": "29"}
    assert narrator.say("mark", mark) == (
        "Emden was marked in 26 South China Sea & Malacca, a mark 3 turns old; "
        "she was in 29 Bay of Bengal."
    )
    facts = {"the": "The Allies", "believed": 2, "right": 1, "enemies": 5, "wrong": ["So."]}
    assert narrator.say("belief", facts) == (
        "The Allies had two enemies on their chart; one mark was right. So."
    )


def test_every_system_has_its_story(
    drawn: Callable[[Sequence[Path], int], Sequence[Path]], nightly: bool, tmp_path: Path
) -> None:
    """Games of former editions too: they are told by what reports said."""
    for frozen in drawn(FROZEN, 1):
        system = games.load(frozen.parent.name)
        folder = tmp_path / frozen.stem.split("-")[0] / frozen.parent.name.replace("_", "")
        folder.mkdir(parents=True)
        (folder / "ledger.jsonl").write_bytes(gzip.decompress(frozen.read_bytes()))
        game = finished(folder / "ledger.jsonl")
        if not nightly:
            made = plot(walk(game, system), system, "frozen")
            assert made.opening and 1 <= len(made.moments) <= MOMENTS
            continue
        found = compose(game, system)
        page, text = html(found).decode(), markdown(found).decode()
        assert not Page(page).loads and "## Where it turned" in text
