"""Report mails are light: without pictures and order page each has about 70 kB at most in whole
games of every system, and says nothing twice. Long files come as gzip, which every tool takes."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from email import message_from_bytes, policy
from html import unescape
from itertools import islice
from pathlib import Path

import pytest
from click.testing import CliRunner

import games
from pbem.audit.open_file import open_mail
from pbem.base.gzipped import gzipped, plain_of
from pbem.bots.bot_orders import Match
from pbem.bots.demo import demo
from pbem.cli import cli
from pbem.cli.common import read_report
from pbem.errors import Usage
from pbem.outbound import report_files
from pbem.reports import wording
from pbem.reports.report import encoded
from pbem.text import layout
from tests.conftest import Clock
from tests.once import played

LIMIT = dict.fromkeys(games.SYSTEMS, 70_000)
LIMIT |= {"far_seas": 72_000, "second_fleet": 60_000, "toy": 16_000}
"""Bytes of a report mail."""
SEEDS = ("b", "c", "d", "e")
SYSTEMS = [name for name in games.SYSTEMS if name != "second_fleet"]
"""Those of which further games are played; a game of 2nd Fleet takes longest."""


def weight(raw: bytes) -> int:
    """Bytes of a mail without its pictures and without an attached page."""
    apart = [
        part
        for part in message_from_bytes(raw, policy=policy.default).walk()
        if part.get_content_maintype() == "image"
        or (part.get_content_type() == "text/html" and part.get_filename())
    ]
    return len(raw) - sum(len(str(part.get_payload())) for part in apart)


def mails(home: Path) -> dict[str, bytes]:
    """Every report mail of the game `demo` in a home, by side and window."""
    files = sorted((home / "demo" / "reports").glob("*/*/report.eml"))
    assert len(files) > 4
    return {"/".join(file.parts[-3:-1]): file.read_bytes() for file in files}


def heavy(found: dict[str, bytes], most: int) -> dict[str, int]:
    return {name: size for name, raw in found.items() if (size := weight(raw)) >= most}


@pytest.mark.some(1)
@pytest.mark.parametrize("system", games.SYSTEMS)
def test_every_mail_of_a_whole_game_is_light(
    system: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    assert heavy(mails(played(tmp_path_factory, system)), LIMIT[system]) == {}


def files(home: Path, most: int) -> dict[str, int]:
    """Every report.json of the game `demo` that is too long."""
    found = (home / "demo" / "reports").glob("*/*/report.json")
    return {str(f.parent): f.stat().st_size for f in found if f.stat().st_size >= most}


@pytest.mark.some(1)
@pytest.mark.parametrize(
    ("options", "most"), [({}, 60_000), ({"windows": "turn", "logistics": "yes"}, 73_000)]
)
def test_so_are_those_of_a_campaign(
    options: dict[str, str], most: int, tmp_path: Path, clock: Clock, nightly: bool
) -> None:
    """The largest there is: up to 188 own units, here in its first windows. With a window a turn a
    mail tells of three segments."""
    game = demo(tmp_path, games.load("second_fleet"), "a", scenario="banner", options=options)
    assert len(list(islice(game, 60 if nightly else 14))) > 13
    limit = most if nightly else 60_000
    assert heavy(mails(tmp_path), limit) == files(tmp_path, limit) == {}


def test_late_windows_of_a_campaign_have_light_files(
    drawn: Callable[[Sequence[str], int], Sequence[str]],
) -> None:
    """Without the texts of their events, which take 4 kB of 54: five windows of sixty."""
    for seed in drawn(SEEDS, 1):
        match = Match(games.load("second_fleet"), "banner", {}, seed)
        for window in range(60):
            match.window()
            if window >= 55:
                for side in match.drive.sides:
                    size = len(encoded(match.report(side).plain)[1])
                    assert 20_000 < size < 56_000, (seed, window, side)


def test_so_are_those_of_other_games(
    tmp_path_factory: pytest.TempPathFactory,
    drawn: Callable[[Sequence[tuple[str, str]], int], Sequence[tuple[str, str]]],
) -> None:
    for system, seed in drawn([(one, seed) for one in SYSTEMS for seed in SEEDS], 1):
        found = mails(played(tmp_path_factory, system, seed))
        assert heavy(found, LIMIT[system]) == {}, (system, seed)


@pytest.mark.some(2)
@pytest.mark.parametrize("system", games.SYSTEMS)
def test_form_and_grammar_are_in_one_part_alone(
    system: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    for name, raw in mails(played(tmp_path_factory, system)).items():
        parts = message_from_bytes(raw, policy=policy.default).walk()
        texts = [p for p in parts if p.get_content_maintype() == "text"]
        having = [p.get_filename() for p in texts if "BEGIN ORDERS" in p.get_content()]
        assert having in (["orders.txt"], []), name


def words(text: str) -> str:
    """The letters and digits of a text alone: no tags, marks or line ends."""
    plain = layout.ascii_fold(unescape(re.sub(r"<br>|</?p\b[^>]*>|</?summary[^>]*>", " ", text)))
    return " ".join(re.findall(r"\w+", re.sub(r"<[^>]+>", "", plain)))


@pytest.mark.parametrize("system", games.SYSTEMS)
def test_text_and_page_tell_every_event(
    system: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Folded or not, nothing of a report is in its attachment alone."""
    folder = played(tmp_path_factory, system) / "demo" / "reports"
    made = [
        path for path in folder.glob("*/*/report.json") if path.with_name("report.txt").exists()
    ]
    assert len(made) > 4  # roles without an officer have the signed data alone
    for path in sorted(made):
        report = json.loads(path.read_bytes())
        told_once = wording.gathered(report["events"], wording.folder_of(report))
        events = [words(e["text"]) for e in told_once]
        for page in ("report.txt", "report.html"):
            told = words(path.with_name(page).read_text("utf-8"))
            assert [event for event in events if event not in told] == [], path.with_name(page)


def pbem(*words: str) -> int:
    """The exit code of a command."""
    return CliRunner().invoke(cli, words).exit_code


def folder_of(home: Path, side: str) -> Path:
    """The folder of a report of that side whose mail brings gzip."""
    found = (home / "demo" / "reports" / side).glob("*/report.eml")
    return next(one.parent for one in sorted(found) if b'"report.json.gz"' in one.read_bytes())


def test_every_tool_takes_a_packed_report(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = folder_of(played(tmp_path_factory, "far_seas"), "british")
    mail, data = folder / "report.eml", (folder / "report.json").read_bytes()
    opened = open_mail(mail.read_bytes(), "mail", list)
    assert opened.parts["report.json"] == data
    assert opened.signature == (folder / "report.seal").read_bytes()
    assert "--report report.json.gz" in (folder / "report.txt").read_text()
    assert "<b>report.json.gz</b>" in (folder / "report.html").read_text()

    saved = tmp_path_factory.mktemp("saved")
    (saved / "report.json.gz").write_bytes(gzipped(data))
    (saved / "report.seal").write_bytes((folder / "report.seal").read_bytes())
    (saved / "report.eml").write_bytes(mail.read_bytes())
    packed = str(saved / "report.json.gz")
    assert read_report(packed) == read_report(str(folder / "report.json"))
    orders, same = saved / "orders.txt", saved / "same.txt"
    assert pbem("form", packed, "-o", str(orders)) == 0
    assert pbem("form", str(folder / "report.json"), "-o", str(same)) == 0
    assert orders.read_bytes() == same.read_bytes()
    assert pbem("check", str(orders), "--report", packed) == 0
    assert pbem("page", packed, "-o", str(saved / "page.html")) == 0

    verify = Path(report_files.__file__).parents[2] / "verify.py"
    for name in ("report.json.gz", "report.eml"):
        run = subprocess.run(
            [sys.executable, verify, saved / name], capture_output=True, text=True, check=False
        )
        assert run.returncode == 0, run.stdout + run.stderr
        assert "rolls checked" in run.stdout


def test_reports_of_a_run_come_packed_together(tmp_path_factory: pytest.TempPathFactory) -> None:
    for raw in mails(played(tmp_path_factory, "bismarck")).values():
        names = [part.get_filename() or "" for part in message_from_bytes(raw).walk()]
        kinds = {name.rpartition(".")[2] for name in names if ".json" in name}
        assert len(kinds) == 1


@pytest.mark.parametrize("cut", [1, 9, 200])
def test_a_packed_file_that_was_cut_is_named(cut: int, tmp_path: Path) -> None:
    file = tmp_path / "report.json.gz"
    file.write_bytes(gzipped(b'{"format":"pbem-report/2"}' + bytes(range(256)))[:-cut])
    with pytest.raises(Usage, match=r"report\.json\.gz: it (was cut short|cannot be unpacked)"):
        read_report(str(file))


def test_a_packed_file_never_fills_the_memory() -> None:
    with pytest.raises(Usage, match="cut short, or is no report"):
        plain_of(gzipped(bytes(40_000_000)), "report.json.gz")
