"""Charts: goldens, what is in the picture and what is not, colours, sizes, PNG bytes, shapes."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from email import message_from_bytes, policy
from hashlib import sha256
from importlib import metadata
from itertools import accumulate, combinations, groupby
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

import games
from pbem import scene
from pbem.admin.setup import Choices
from pbem.bots.bot_orders import Match
from pbem.charts import chart
from pbem.charts.kept import DRAWERS
from pbem.charts.picture_cache import Folders, folders, picture
from pbem.charts.svg_path import coarser, eased, once, smooth
from pbem.charts.text_metrics import measure, slug
from pbem.charts.themes import THEMES, mix, rgb, seeds
from pbem.cli import cli
from pbem.errors import Usage
from pbem.model import Plain, System
from pbem.scene import Grid, Scene
from pbem.testing.texts import golden
from pbem.web import order_page
from tests.atlantic_chase import playthrough as atlantic_chase
from tests.bismarck import playthrough as bismarck
from tests.far_seas import playthrough as far_seas
from tests.referee import Referee
from tests.second_fleet import playthrough as second_fleet

CHARTS = Path(__file__).parent / "charts"
NAMES = (
    "toy-hunter",
    "bismarck-british-night",
    "bismarck-british-fog",
    "bismarck-german",
    "far_seas-german",
    "far_seas-british",
)
THROUGH: dict[str, tuple[str, Any]] = {
    "bismarck": ("basic", bismarck),
    "far_seas": ("coronel", far_seas),
    "atlantic_chase": ("rheinuebung", atlantic_chase),
    "second_fleet": ("gap", second_fleet),
}
"""The golden playthroughs, and the scenarios that they are of."""
LONG = re.compile(r'd="([^"]{2000,})"')


def report(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((CHARTS / f"{name}.json").read_text())
    return found


def drawn(data: Plain, theme: str = "light", detail: bool = False) -> str:
    found = picture(games.load(data["system"]), data, "svg", theme, detail)
    assert found
    return found.decode()


def short(svg: str) -> str:
    """Long paths (coast, grid) as digests, a line for each element."""
    text = LONG.sub(lambda m: f'd="sha256 {sha256(m[1].encode()).hexdigest()}"', svg)
    return re.sub(r"(?<=>)(?=<(?!/?(?:text|tspan|title|use|path|rect|circle)))", "\n", text)


def ids(svg: str) -> dict[str, list[str]]:
    """The ids of units and contacts in a picture, sorted."""
    found: dict[str, list[str]] = {"unit": [], "contact": []}
    for element in ElementTree.fromstring(svg).iter():
        kind, _, name = element.get("id", "").partition("-")
        if kind in found:
            found[kind].append(name)
    return {kind: sorted(names) for kind, names in found.items()}


@pytest.mark.parametrize("detail", [False, True])
@pytest.mark.parametrize("name", NAMES)
def test_charts_are_what_they_were(name: str, detail: bool) -> None:
    """After a change of the drawing: `GOLDEN=write`, and look at the pictures."""
    golden(
        CHARTS / f"{name}{'-detail' if detail else ''}.svg.txt",
        short(drawn(report(name), detail=detail)),
    )


def views(system: str) -> Iterator[tuple[str, Plain]]:
    """Every window and side of a system's golden playthrough, and the report; of the toy, of a
    game between bots."""
    if system == "toy":
        match = Match(games.load("toy"), "wood", {}, "abd")
        for closing in match.play():
            yield from (
                (f"{closing.window} {side}", match.report(side).plain) for side in match.drive.sides
            )
        return
    scenario, through = THROUGH[system]
    match = Match(games.load(system), scenario, through.OPTIONS, "")
    for match.drive, _, match.closing in through.windows():
        yield from (
            (f"{match.closing.window} {side}", match.report(side).plain)
            for side in match.drive.sides
        )


def stands(view: Plain, key: str) -> list[Plain]:
    """The units or contacts that stand in one place: in Atlantic Chase Stations and what lies in
    port, as a Trajectory is a line; in Baltic the enemy's vessels, not the names of squadrons."""
    if view["system"] != "atlantic_chase":
        return [row for row in view[key] if key == "units" or row.get("kind") != "squadron"]
    forces = [u for u in view[key] if u["piece"].get("sort", "force") == "force"]
    spots = [(u, u["piece"].get("at") or u["piece"].get("box")) for u in forces]
    return [u | {"place": spot.replace(" ", "_")} for u, spot in spots if spot]


@pytest.mark.recorded
@pytest.mark.parametrize("system", ["toy", "bismarck", "far_seas", "atlantic_chase"])
def test_the_charts_of_a_whole_game_are_what_they_were(system: str) -> None:
    """A line for each window and side: how many are drawn, and the picture's digest. The picture
    shows the units and contacts of the view and nothing else."""
    lines = []
    for name, view in views(system):
        svg = drawn(view)
        found = ids(svg)
        assert found["unit"] == sorted(slug(u["id"]) for u in stands(view, "units"))
        assert found["contact"] == sorted(slug(c["id"]) for c in stands(view, "contacts"))
        shown = f"{len(found['unit'])} units, {len(found['contact'])} contacts"
        lines.append(f"{name}: {shown}, {sha256(svg.encode()).hexdigest()[:16]}\n")
    golden(CHARTS / f"{system}-playthrough.txt", "".join(lines))


@pytest.mark.parametrize("name", NAMES)
def test_only_own_knowledge_is_read(name: str) -> None:
    """The picture is made of the report: units, contacts, board and the words of the head."""
    data = report(name)
    other = data | {"head": "f" * 64, "seed": {"lock": "x"}, "rolls": [{"label": "A"}], "menu": {}}
    assert drawn(data) == drawn(other)


def test_names_do_not_meet_on_a_crowded_board() -> None:
    system = games.load("bismarck")
    data = report("bismarck-british-night")
    found = system.chart(data)
    assert found
    for detail in (False, True):
        names = chart.layout(found, THEMES["light"], detail)["names"]
        for a, b in combinations([n["rect"] for n in names], 2):
            assert a[0] >= b[2] or b[0] >= a[2] or a[1] >= b[3] or b[1] >= a[3], (a, b)


def test_hostile_names_stay_text() -> None:
    data = report("bismarck-german")
    data["units"][0]["name"] = '<script>alert("1")</script>\x00\x1b\u202e&'
    svg = drawn(data)
    assert "<script" not in svg
    ElementTree.fromstring(svg)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", NAMES)
def test_pages_are_sound(name: str, theme: str) -> None:
    svg = drawn(report(name), theme)
    root = ElementTree.fromstring(svg)
    assert svg == drawn(report(name), theme)
    assert len(svg.encode()) < 180_000
    assert not re.search(r'(?:href|src)="(?!#)', svg)
    known = [e.get("id") for e in root.iter() if e.get("id")]
    assert len(known) == len(set(known))
    for target in re.findall(r'(?:href="#|url\(#)([^")]+)', svg):
        assert target in known


def test_themes_have_the_same_colours() -> None:
    assert THEMES["light"].keys() == THEMES["dark"].keys()
    assert all(len(seeds(theme)) < 128 for theme in THEMES.values())
    assert mix("#000000", "#ffffff", 0.5) == "#808080"


# PNG


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_png_has_size_palette_and_the_same_bytes(theme: str) -> None:
    from io import BytesIO

    from PIL import Image

    system, data = games.load("toy"), report("toy-hunter")
    found = picture(system, data, "png", theme)
    assert found
    assert found == picture(system, data, "png", theme)
    shown = Image.open(BytesIO(found))
    svg = ElementTree.fromstring(drawn(data, theme))
    assert shown.mode == "P"
    assert [str(n) for n in shown.size] == [svg.get("width"), svg.get("height")]
    used = {c for _, c in shown.convert("RGB").getcolors(100_000) or ()}
    for key in ("own", "ink", "area", "paper", "frame"):
        assert rgb(THEMES[theme][key]) in used, key


def test_a_bismarck_png_is_small_and_whole() -> None:
    data = report("bismarck-british-night")
    found = picture(games.load("bismarck"), data, "png", detail=True)
    assert found
    assert len(found) < 120_000


# Any board


def test_outlines() -> None:
    assert Grid({"A1": (1, 1)}).outline("A1")[0] == (0.5, 0.5)
    hexagon = Grid({"A1": (0, 0)}, "hex").outline("A1")
    assert max(x for x, _ in hexagon) - min(x for x, _ in hexagon) == 1
    flat = Grid({"A1": (0, 0)}, "flat").outline("A1")
    assert sorted((y, x) for x, y in flat) == sorted(hexagon)
    with pytest.raises(KeyError):
        Grid({}).outline("B2")


def test_a_detail_shows_the_weightiest_point_and_what_else_fits() -> None:
    near, far = (3.0, 3.0), (40.0, 40.0)
    board = Scene(
        title="",
        side="",
        when="",
        window=(0, 0, 50, 50),
        grid=Grid({}),
        focus=(near, far, (5.0, 4.0)),
    )
    west, north, east, south = chart.window(board)
    assert (east - west, south - north) == (chart.DETAIL, chart.DETAIL)
    assert west <= 3 <= east
    assert not west <= 40 <= east
    assert chart.window(Scene(title="", side="", when="", window=(0, 0, 4, 4), grid=Grid({}))) == (
        0,
        0,
        4,
        4,
    )


def test_curves_keep_their_ends() -> None:
    way = [(0.0, 0.0), (1.0, 2.0), (2.0, 0.0), (3.0, 2.0)]
    assert eased(way)[0] == way[0]
    assert eased(way)[-1] == way[-1]
    assert smooth(way).startswith("M0 0C")
    assert smooth(way).endswith("3 2")


@pytest.mark.parametrize("system", ["bismarck", "far_seas"])
def test_a_coarser_coast_lies_where_the_fine_one_does(system: str) -> None:
    """Each point within half a unit of the fine coast's own, in the same order; none is lost."""
    coast = scene.coast(system)
    assert coast.unit % order_page.COARSER == 0
    for way in (coast.land, coast.graticule):
        light = coarser(way, order_page.COARSER)
        assert len(light) < (0.96 if way == coast.land else 1) * len(way)
        fine = [[(round(x / 2), round(y / 2)) for x, y in ring] for ring in rings(way)]
        kept = [[at for at, _ in groupby(ring)] for ring in fine]
        assert rings(light) == [ring for ring in kept if len(ring) > 1]
        assert light.count("z") <= way.count("z") <= light.count("z") + 8


def rings(way: str) -> list[list[tuple[int, int]]]:
    """The points of each piece of a path, from its first and steps."""
    found = []
    for piece in re.split(r"M", way)[1:]:
        numbers = list(map(int, re.findall(r"-?\d+", piece)))
        steps = zip(numbers[::2], numbers[1::2], strict=True)
        found.append(list(accumulate(steps, lambda a, b: (a[0] + b[0], a[1] + b[1]))))
    return found


def test_a_piece_that_two_sailed_is_drawn_once() -> None:
    a, b, c = (0.0, 0.0), (5.0, 0.0), (5.0, 5.0)
    assert once([]) == ""
    assert once([[a, b, c]]) == "M0 0L5 0L5 5"
    assert once([[a, b], [c, b, a]]) == "M0 0L5 0M5 5L5 0"


def test_widths_come_from_the_shipped_fonts() -> None:
    assert measure("iii", ("sans-400", 10)) < measure("WWW", ("sans-400", 10))
    assert measure("\u6226", ("sans-400", 10)) == 7


# The coast


def test_the_coast_is_small_and_lies_on_the_board() -> None:
    from pbem.data import read

    assert len(read("templates", "bismarck/coast.json")) < 60_000
    coast = scene.coast("bismarck")
    west, north, east, south = coast.window
    x = y = 0
    for step in re.findall(r"[Ml]?-?\d+[ -]-?\d*|z", coast.land):
        if step == "z":
            continue
        a, b = map(int, re.findall(r"-?\d+", step))
        x, y = (a, b) if step[0] == "M" else (x + a, y + b)
        assert west - 0.5 <= x / coast.unit <= east + 0.5
        assert north - 0.5 <= y / coast.unit <= south + 0.5


def test_ports_lie_in_their_zones() -> None:
    from games.bismarck import board
    from games.bismarck.chart import at

    for name, (x, y) in scene.coast("bismarck").places.items():
        port = board.PORTS.get(name) or board.BASES[name]
        u, v = at(port.zone)
        assert abs(x - u) <= 0.6, name
        assert abs(y - v) <= 0.6, name


@pytest.mark.parametrize("module", ["alone", "tests.charts.somewhere"])
def test_a_game_need_not_have_a_chart(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    class Plain(System):
        pass

    monkeypatch.setattr(Plain, "__module__", module)
    assert Plain().chart({}) is None
    assert picture(Plain(), {}, "svg") is None


# Mail


def test_a_mail_shows_the_detail_and_carries_the_whole_chart(tmp_path: Path) -> None:
    system = games.load("toy")
    referee = Referee.made(tmp_path, system, Choices(seed="x", chart="png"))
    referee.open()
    raw = (referee.folder / "reports/fox/1/report.eml").read_bytes()
    mail = message_from_bytes(raw, policy=policy.default)
    body = mail.get_body(("html",))
    assert body is not None
    (inline,) = [p for p in mail.walk() if p.get("Content-ID")]
    assert f'src="cid:{inline["Content-ID"][1:-1]}"' in body.get_content()
    assert inline.get_content() == picture(system, referee.report("fox"), "png", detail=True)
    attached = {p.get_filename(): p for p in mail.iter_attachments()}
    whole = picture(system, referee.report("fox"), "png")
    assert attached["chart.png"].get_content() == whole
    assert "chart" not in referee.report("fox")


def test_games_without_charts_in_mails_are_recorded_as_before(tmp_path: Path) -> None:
    referee = Referee.toy(tmp_path)
    assert referee.register.created.chart == "none"
    assert b"image/png" not in (referee.folder / "reports/fox/1/report.eml").read_bytes()


def test_only_none_and_png_are_charts(tmp_path: Path) -> None:
    with pytest.raises(Usage, match="gif") as error:
        Referee.made(tmp_path, games.load("toy"), Choices(chart="gif"))
    assert "none" in error.value.hint and "png" in error.value.hint


# Commands


def test_a_player_draws_what_the_moderator_draws(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    referee = Referee.toy(tmp_path)
    monkeypatch.chdir(tmp_path)
    home = ["--home", str(tmp_path)]
    mine = CliRunner().invoke(cli, [*home, "report", "g1", "fox", "--format", "svg"])
    stored = referee.folder / "reports/fox/1/report.json"
    yours = CliRunner().invoke(cli, ["chart", str(stored), "-o", "chart.svg"])
    assert (mine.exit_code, yours.exit_code) == (0, 0)
    assert (tmp_path / "chart.svg").read_bytes() == mine.stdout_bytes
    assert mine.stdout_bytes == picture(referee.system, referee.report("fox"), "svg")
    told = CliRunner().invoke(cli, ["chart", str(stored), "--json"])
    assert json.loads(told.stdout)["chart"].encode() == mine.stdout_bytes


@pytest.mark.parametrize("cache", [None, folders(Path("charts"))])
def test_a_png_without_its_programs_says_what_to_install(
    cache: Folders | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where pictures are kept as well, whose names tell what drew them."""

    def version(name: str) -> str:
        raise metadata.PackageNotFoundError(name)

    for name in DRAWERS:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setattr(metadata, "version", version)
    with pytest.raises(Usage) as error:
        picture(games.load("toy"), report("toy-hunter"), "png", cache=cache)
    assert "pip install resvg-py pillow" in error.value.hint
