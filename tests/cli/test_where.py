"""`pbem where`: a player's reports as a table, as data and on his chart, unless the sides agreed to
do without."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from games.toy.game import SYSTEM
from pbem.admin.setup import Choices
from pbem.base.gzipped import gzipped
from pbem.belief.where import Sought, Where, chosen, in_order, text
from pbem.cli.common import read_report
from tests.cli.commands import Said, pbem
from tests.referee import Referee


def reports(home: Path, aids: str = "allowed", windows: int = 3) -> list[Path]:
    """The hunter's reports of a game, as he saved them."""
    referee = Referee.made(home, SYSTEM, Choices(seed="where", dice="seeded", aids=aids))
    referee.open()
    for _ in range(windows):
        referee.run(force=True)
    folder = referee.folder / "reports" / "hunter"
    return sorted(folder.glob("*/report.json"), key=lambda path: int(path.parent.name))


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return reports(tmp_path_factory.mktemp("where"))


def where(*args: str | Path) -> Said:
    return pbem("where", *args)


def test_a_table_and_data(kept: list[Path]) -> None:
    said = where(*kept)
    assert said.code == 0, said.err
    assert said.out.startswith("the fox, turn ")
    found = where(*kept, "--json").json
    (fox,) = found["sought"]
    assert (found["side"], found["missing"], fox["id"]) == ("hunter", [], "FOX")
    assert sum(fox["cells"].values()) == pytest.approx(1, abs=0.001)
    assert next(iter(fox["cells"])) in said.out
    assert " zones are possible" in said.out


def test_order_and_packing_do_not_matter(kept: list[Path], tmp_path: Path) -> None:
    packed = tmp_path / "report.json.gz"
    packed.write_bytes(gzipped(kept[0].read_bytes()))
    whole = where(*kept, "--json").out
    assert where(packed, *reversed(kept[1:]), "--json").out == whole
    assert where(*kept, "--json", "--seed", "other").out != whole


def test_a_chart_with_shades_and_their_key(kept: list[Path], tmp_path: Path) -> None:
    for name, more in (("w.svg", []), ("phone.svg", ["--detail"]), ("d.svg", ["--theme", "dark"])):
        out = tmp_path / name
        assert where(*kept, "-o", out, *more).code == 0
        drawn = out.read_text("utf-8")
        assert "20% and more" in drawn
        assert "where is the fox?" in drawn
    out = tmp_path / "w.png"
    assert where(*kept, "-o", out).code == 0
    assert out.read_bytes().startswith(b"\x89PNG")


def test_what_is_missing_is_named(kept: list[Path]) -> None:
    said = where(kept[0], *kept[2:])
    assert said.code == 0
    assert "What the report of window 2 told is unknown: it was not given." in said.out
    rest = Where("g", "fox", 9, "turn 9", [1, 2, 3, 5, 7, 8], [])
    assert "reports of windows 1 to 3, 5, 7 to 8 told" in text(rest)


def test_what_an_undo_took_back_does_not_count(tmp_path: Path) -> None:
    """A window that is played again has a new number, or a newer report under its old one."""
    referee = Referee.made(tmp_path, SYSTEM, Choices(seed="heard", dice="seeded"))
    referee.open()
    for _ in range(4):
        referee.run(force=True)
    folder = referee.folder / "reports" / "hunter"
    void = folder / "5" / "report.json"
    assert json.loads(void.read_bytes())["events"], "what was heard must tell something"
    pbem("--home", tmp_path, "undo", referee.name, "--reopen", "--yes")
    valid = [folder / str(window) / "report.json" for window in (1, 2, 3, 4, 6)]
    found = where(*valid, void, "--json").json
    assert found == where(*valid, "--json").json
    assert (found["window"], found["missing"]) == (6, [])


def test_the_newer_report_of_a_window_counts(kept: list[Path]) -> None:
    """As after an undo that kept the orders; what had followed the older one does not."""
    one, two, three = map(read_report, map(str, kept[:3]))
    again = msgspec.structs.replace(two, opened="2099-01-01T00:00:00Z")
    assert in_order([again, three, one, two]) == [one, again]


def test_the_table_ends_with_what_is_left() -> None:
    cells = {str(n): share for n, share in enumerate([0.9, 0.05, *[0.05 / 200] * 200])}
    lost = Sought("ONE", "one", 3, "", cells, 202, 500.0, ("hex", "hexes"))
    lines = text(Where("g", "nato", 4, "turn 3", [], [lost])).splitlines()
    assert lines[1] == "  202 hexes are possible; the likeliest:"
    assert lines[-2:] == ["  1        5.0%    95%  ##", "  others   5.0%   100%"]


@pytest.mark.parametrize("name", ["w.gif", "none/w.svg"])
def test_a_wrong_name_of_a_chart_is_told_at_once(
    name: str, kept: list[Path], tmp_path: Path
) -> None:
    said = where(*kept, "-o", tmp_path / name)
    assert (said.code in (2, 3), said.out) == (True, "")
    assert str(tmp_path) in said.err


def test_a_game_may_forbid_it(tmp_path: Path) -> None:
    forbidden = reports(tmp_path, "none", 1)
    said = where(*forbidden, "-o", tmp_path / "w.svg")
    assert (said.code, said.out) == (2, "")
    assert "aids=none" in said.err
    assert not (tmp_path / "w.svg").exists()
    report = json.loads(forbidden[-1].read_bytes())
    assert any("pbem where" in flag for flag in report["flags"])
    assert json.loads(report["setup"]["text"])["policies"]["aids"] == "none"
    assert "pbem where" in (forbidden[-1].parent / "report.txt").read_text("utf-8")


def test_other_games_say_nothing_of_it(kept: list[Path]) -> None:
    report = json.loads(kept[-1].read_bytes())
    assert not any("pbem where" in flag for flag in report["flags"])
    assert "aids" not in json.loads(report["setup"]["text"])["policies"]


def test_reports_of_both_sides_do_not_mix(kept: list[Path]) -> None:
    other = kept[0].parent.parent.parent / "fox" / "1" / "report.json"
    said = where(kept[0], other)
    assert (said.code, "several games or sides" in said.err) == (2, True)


def test_the_chart_is_about_whom_the_side_has_not_found() -> None:
    def sought(name: str, told: str) -> Sought:
        return Sought(name.upper(), name, 3, told, {"7": 1.0}, 1, 500.0, ("hex", "hexes"))

    seen, lost = sought("one", "7"), sought("two", "")
    found = Where("g", "nato", 4, "turn 3", [], [seen, lost])
    assert chosen(found, "") is lost
    assert chosen(found, "One") is seen
    assert chosen(msgspec.structs.replace(found, sought=[seen]), "") is seen
    both = chosen(found, "ALL")
    assert (both.name, both.cells, both.called) == ("anybody", {"7": 1.0}, ("hex", "hexes"))
    assert "one, turn 3\n  you were told last turn: in hex 7" in text(found)
    assert "two, turn 3\n  it can only be in hex 7" in text(found)


def test_nobody_of_that_name(kept: list[Path]) -> None:
    said = where(*kept, "--which", "WOLF")
    assert (said.code, "FOX" in said.err) == (3, True)
