"""The analysis of finished games: chances that add up, the same however the work is done."""

from __future__ import annotations

import json
from pathlib import Path
from shutil import copytree

import msgspec
import pytest

import games
from orders.model import OrderSet
from pbem.analysis import thought, whole
from pbem.analysis.believed import believed
from pbem.analysis.chances import Chances
from pbem.analysis.moments import Moments, moments
from pbem.analysis.precision import Shares
from pbem.analysis.report import rows, text
from pbem.base.analysis_json import Analysis
from pbem.bots.demo import demo
from pbem.model import Over, Side
from pbem.replay.frames import sorted_frames
from pbem.store.game_dir import reading
from tests.cli.commands import pbem
from tests.conftest import Clock
from tests.luck import pinned

TOY = games.load("toy")
FEW = ["--playouts", "20", "--apart", "10", "--thought", "8", "--jobs", "1"]
LEAST = ["--playouts", "20", "--apart", "0", "--thought", "4", "--jobs", "1", "--json"]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished toy game with its analysis and its replay."""
    folder = tmp_path_factory.mktemp("analysed")
    with pytest.MonkeyPatch.context() as patch:
        Clock(patch)
        pinned(patch, "analysed")
        list(demo(folder, TOY, "a"))
    assert pbem("--home", folder, "analyse", "demo", *FEW).code == 0
    assert pbem("--home", folder, "publish", "demo", "-o", folder / "replay.html").code == 0
    (folder / "demo" / "analysis.json").rename(folder / "first.json")  # tests make others
    return folder


def analysed(home: Path) -> Analysis:
    return msgspec.json.decode((home / "first.json").read_bytes(), type=Analysis)


def along(home: Path) -> Moments:
    return moments(reading(home, "demo"), TOY)


def test_luck_and_skill_lead_from_the_start_to_the_result(home: Path) -> None:
    found = analysed(home)
    end = 1.0 if found.result == found.sides[0] else 0.0
    assert found.start + found.luck + sum(found.skill.values()) == pytest.approx(end)
    for row in found.rows:
        assert row.luck + sum(row.skill.values()) == pytest.approx(row.change)
        assert sum(row.chance.values()) == pytest.approx(1)
        assert all(0 <= row.low[s] <= row.chance[s] <= row.high[s] <= 1 for s in found.sides)


def test_luck_is_told_only_if_it_was_told_apart(home: Path) -> None:
    found = analysed(home)
    assert "by the dice" in text(found) and "luck" in text(found)
    assert "luck" not in text(msgspec.structs.replace(found, apart=0))


def test_every_window_has_a_row(home: Path) -> None:
    windows = [r.window for r in analysed(home).rows]
    assert windows == sorted(along(home).moments) == list(range(1, len(windows) + 1))


def test_more_processes_give_the_same(home: Path) -> None:
    alone = pbem("--home", home, "analyse", "demo", *LEAST)
    assert pbem("--home", home, "analyse", "demo", *LEAST, "--jobs", "2").json == alone.json


def test_a_run_that_was_killed_goes_on(home: Path, tmp_path: Path) -> None:
    """Also if something that is no part of the game was recorded since."""
    keep, copy = tmp_path / "kept.jsonl", tmp_path / "home"
    copytree(home, copy)
    args: list[str | Path] = ["--home", copy, "analyse", "demo", *LEAST, "--keep", keep]
    whole = pbem(*args).json
    keep.write_bytes(keep.read_bytes()[:-30])
    assert pbem(*args).json == whole
    assert pbem("--home", copy, "report", "demo", "referee").code == 0
    assert pbem(*args).json | {"head": whole["head"]} == whole
    said = pbem(*args, "--seed", "another")
    assert (said.code, "other work" in said.err) == (2, True)


def test_playouts_by_precision_are_the_same_however_the_work_is_done(
    home: Path, tmp_path: Path
) -> None:
    """In two processes, and going on in one from what these had kept when they were killed."""
    keep = tmp_path / "kept.jsonl"
    args: list[str | Path] = ["--home", home, "analyse", "demo", "--json", "--keep", keep]
    args += ["--within", "6.5", "--playouts", "130", "--apart", "0", "--thought", "0", "--jobs"]
    first = pbem(*args, "2").json
    rows = [(row["playouts"], row["high"]["fox"] - row["low"]["fox"]) for row in first["rows"]]
    assert all(playouts == 130 or wide <= 0.13 for playouts, wide in rows)
    assert len({playouts for playouts, _ in rows}) > 1
    assert (first["within"], first["playouts"]) == (0.065, 130)
    kept = keep.read_bytes()
    keep.write_bytes(kept[: len(kept) * 9 // 10])
    assert pbem(*args, "1").json == first


def test_a_file_that_is_no_game_is_told_from_a_damaged_one(home: Path, tmp_path: Path) -> None:
    report = home / "demo" / "reports" / "fox" / "1" / "report.json"
    for command in ("analyse", "audit"):
        said = pbem("--home", home, command, home / "replay.html")
        assert (said.code, said.out) == (2, "")
        assert f"its bundle lies beside the page: {home / 'replay.zip'}" in said.err
        said = pbem("--home", home, command, report)
        assert said.code == 2
        assert "report.json is no game" in said.err
        said = pbem("--home", home, command, tmp_path / "none.zip")
        assert said.code == 3
        assert f"there is no file {tmp_path / 'none.zip'}" in said.err
        said = pbem("--home", tmp_path, command, home / "demo")
        assert said.code == 3
        assert f"--home {home}" in said.err


def test_a_bundle_gives_what_the_game_gives(home: Path) -> None:
    own = pbem("--home", home, "analyse", "demo", *LEAST)
    bundle = pbem("--home", home / "none", "analyse", home / "replay.zip", *LEAST)
    assert bundle.json == own.json


def test_nothing_is_analysed_before_the_end(tmp_path: Path) -> None:
    assert pbem("--home", tmp_path, "new", "toy", "g1").code == 0
    said = pbem("--home", tmp_path, "analyse", "g1")
    assert (said.code, "not over" in said.err) == (4, True)


def test_the_replay_has_the_graph_without_a_script(home: Path) -> None:
    page = (home / "replay.html").read_text("utf-8")
    assert '<svg id="graph"' in page
    assert "Luck or skill?" in page
    data = json.loads(page.split('id="data">')[1].split("</script>")[0])
    assert len(data["chances"]) == len(data["frames"])


def test_each_side_is_shown_where_it_could_believe_the_other_to_be(home: Path) -> None:
    """From its own reports up to the window alone: with fewer reports they are the same."""
    walk, found = along(home), analysed(home)
    frames = sorted_frames(walk)
    windows = [frame.window for frame in frames]
    assert {s: [*w] for s, w in found.believed.items()} == {"fox": windows, "hunter": windows}
    early = believed(TOY, frames[:3], ["hunter"], found.seed)
    assert early["hunter"] == {f.window: found.believed["hunter"][f.window] for f in frames[:3]}
    page = (home / "replay.html").read_text()
    assert '<div id="heat" hidden>' in page and '"shades":[' in page


def test_what_a_side_could_think_comes_from_its_own_reports_up_to_then(home: Path) -> None:
    """In the first window of each turn; later reports, and the truth, change nothing."""
    walk, found = along(home), analysed(home)
    turns = {row.turn for row in found.rows}
    for side in found.sides:
        assert {row.turn for row in found.rows if side in row.thought} == turns
    assert found.thought == 8
    all_of = whole.work(lambda name, edition: TOY, TOY, walk, found.seed)
    pages = all_of.pages[Side("hunter")]
    key = f"{thought.WORD} hunter 8 1/1"
    early = thought.worked(all_of.load, all_of.played, {Side("hunter"): pages[:3]}, key)
    assert list(early) == ["1", "2", "3"]
    assert thought.shares(early, found.sides)[3].value("fox") == found.rows[2].thought["hunter"]
    blind = [thought.Page(page.report, OrderSet()) for page in pages]  # a mind that does not follow
    assert (
        thought.worked(all_of.load, all_of.played, {Side("hunter"): blind}, key)["3"] == early["3"]
    )
    text = pbem("--home", home, "analyse", "demo", *LEAST[:-1]).out
    assert "as it was, and as sides could think (fox: The fox, hun: The hunter)" in text


def test_an_analysis_of_another_state_is_not_shown(home: Path, tmp_path: Path) -> None:
    path = home / "demo" / "analysis.json"
    path.write_bytes(msgspec.json.encode(msgspec.structs.replace(analysed(home), head="0")))
    out = tmp_path / "replay.html"
    assert pbem("--home", home, "publish", "demo", "-o", out).code == 0
    assert 'id="graph"' not in out.read_text("utf-8")
    path.write_bytes(b"{")
    said = pbem("--home", home, "publish", "demo", "-o", out)
    assert (said.code, "pbem analyse demo" in said.err) == (5, True)


def test_skill_is_what_orders_change_against_a_bot() -> None:
    """Shapley: the mean of what they change first of all and last of all. Of 100 numbers a wins 50
    with nobody's orders, 60 with a's alone, 45 with b's, 58 with those of both."""
    each = [["a" if n < won else "b" for won in (50, 60, 45, 58)] for n in range(100)]
    sides = ("a", "b")
    one = Chances(1, 1, "", Shares(200, {"a": 104, "b": 96}), each)
    assert one.skill(sides) == pytest.approx([(0.10 + 0.13) / 2, (-0.05 - 0.02) / 2])
    assert one.luck(sides, 0.7) == pytest.approx(0.7 - (0.52 + 0.08))
    (row,) = rows([one], sides, Over("b", "", ""))
    assert (row.change, row.chance["a"]) == (-0.52, 0.52)
