"""The benchmarks still run; what they measure is not judged here."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from games.toy.game import SYSTEM
from pbem.store.game_dir import reading
from tests.benchmarks import analysis, charts, floor, inside, playouts, variance
from tests.benchmarks.__main__ import table


def test_the_floor_stores_a_turn(tmp_path: Path) -> None:
    floor.main("prepare", tmp_path)
    floor.main("turn", tmp_path)
    kinds = ("txt", "html", "encrypted")
    wanted = {"state.json", *(f"{side}.{kind}" for side in (0, 1) for kind in kinds)}
    assert {path.name for path in (tmp_path / "out").iterdir()} == wanted
    assert floor.batch(tmp_path, 2) > 0


def test_a_prepared_game_closes_its_window(tmp_path: Path) -> None:
    inside.prepare(tmp_path, SYSTEM, 2)
    assert reading(tmp_path, inside.NAME).register.all_in()
    inside.close(tmp_path)
    assert reading(tmp_path, inside.NAME).register.window == 4


def test_what_is_measured_inside_a_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inside, "LENGTHS", (3, 5))
    inside.prepare(tmp_path, SYSTEM, 1)
    assert min(inside.rules_and_views(SYSTEM, 2).values()) > 0
    assert min(inside.live_and_audit(SYSTEM, 2).values()) > 0
    assert list(inside.appends()) == ["3", "5"]
    assert inside.lines(tmp_path, 20)["each second"] > 0
    assert inside.charts(tmp_path)["svg"] > 0
    assert min(inside.games_of(SYSTEM, 1).values()) > 0
    assert min(inside.two_jobs(SYSTEM, 2).values()) > 0


def test_playouts_have_their_row() -> None:
    """Their parts are all of their time."""
    *_, found = playouts.rows(("toy",), 1)
    assert found.startswith("| Fox and Hound | ")
    shares = [int(cell.strip(" %")) for cell in found.split("|")[7:-1]]
    assert 97 <= sum(shares) <= 103


def test_the_parts_of_an_analysis_have_their_rows(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["analysis", "toy", "--numbers", "1"])
    analysis.main()
    rows = capsys.readouterr().out.splitlines()
    assert [row[:10].strip() for row in rows[2:]] == ["truth", "luck and s", "thought", "shades of"]


def test_charts_have_their_rows() -> None:
    found = list(charts.rows({"toy": 1}, dict.fromkeys(charts.LIMITS, 1)))
    assert found[0].startswith("| toy, fox, svg | ")
    assert {row.split(" | ")[0].split(", ")[1] for row in found} == {"fox", "hunter"}
    assert max(float(row.split(" | ")[1]) for row in found) > 0


def test_the_table_needs_no_measurement_to_be_printed() -> None:
    names = ("run seeded", "run fast", "floor", "help", "click", "python")
    found = {
        "process": dict.fromkeys(names, 2.0),
        "warm": {"turn": 2.0, "floor": 1.0},
        "view": {"view": 1.0, "rules": 2.0},
        "audit": {"audit": 1.0, "live": 2.0},
        "append": {"10": 1.0, "10000": 1.0},
        "lines": {"each second": 9000.0},
        "chart": {"svg": 15.0},
        "game": {"memory": 124.0, "files": 600.0},
        "jobs": {"1": 3000.0, "2": 1600.0},
    }
    printed = table("toy", found)
    assert "| simulate, one job | 3000 | two jobs | 1600 | 1.88 | 1.8 |" in printed
    assert "| a turn, warm process | 2.00 | floor, batch | 1.00 | 2.00 | 100 ms |" in printed


@pytest.mark.parametrize("script", ["floor.py", "inside.py"])
def test_the_scripts_stand_alone(script: str, tmp_path: Path) -> None:
    path = Path(floor.__file__).with_name(script)
    root = path.parent.parent.parent
    done = subprocess.run(
        [sys.executable, "-c", f"import runpy; runpy.run_path({str(path)!r}, run_name='read')"],
        cwd=tmp_path,
        env={"PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.some(1)
@pytest.mark.parametrize(
    ("dice", "mail", "charts"),
    [("seeded", "plain", False), ("fast", "sealed", False), ("seeded", "plain", True)],
)
def test_a_tick_over_some_games_is_measured(
    dice: str, mail: str, charts: bool, tmp_path: Path
) -> None:
    from tests.benchmarks import ticks

    ticks.prepare(tmp_path / "home", 3, 2, dice, mail, charts)
    found = ticks.measured(tmp_path / "home", 2)
    assert (found["closed"], found["fetched"], found["refused"]) == (2, 4, 0)
    assert found["files"] > 40
    assert ticks.line({"games": 3, **found}).startswith("| 3 | 2 |")
    mails = [path.read_bytes() for path in (tmp_path / "home" / "out").rglob("*.pbem")]
    assert len(mails) == 8
    assert sum(b"image/png" in mail for mail in mails) == 4 * charts


def test_what_trust_costs_is_measured() -> None:
    from tests.benchmarks import trust

    lines = trust.table(2).splitlines()
    assert {line.split(" | ")[0].removeprefix("| ") for line in lines} >= set(trust.LIMITS)


def test_what_explains_results_is_found_and_noise_is_not() -> None:
    """In playouts that the regression has not seen: noise explains nothing, however much of it."""
    luck = Random(1)
    results = [float(luck.random() < 0.5) for _ in range(200)]
    noise = [[luck.gauss(0, 1) for _ in results] for _ in range(20)]
    half = [result + luck.gauss(0, 0.5) for result in results]
    assert variance.explained([results], results) > 0.99
    assert 0.3 < variance.explained([*noise, half], results) < 0.7
    assert variance.explained(noise, results) < 0.05


def test_the_variance_of_playouts_has_its_rows(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(variance, "ALONG", (0.9,))
    monkeypatch.setattr(sys, "argv", ["variance", "--games", "11"])
    variance.main()
    assert capsys.readouterr().out.splitlines()[-1].count("|") == 8
