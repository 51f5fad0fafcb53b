"""Publishing a finished game: nothing before the end, and a bundle that checks out."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest

import games
from pbem.admin.rulings import read_ruling, rule
from pbem.audit.publication import valid_reports
from pbem.base.hashing import canonical_json
from pbem.bots.demo import demo
from pbem.errors import Busy, Damaged
from pbem.replay.frames import Encoder, plain
from pbem.replay.publish import publish, replay_page
from pbem.replay.walk import walk
from pbem.store.game_dir import Game, reading, writing
from pbem.turns.close_window import report_of
from pbem.web.page_data import encode
from tests.cli.commands import pbem
from tests.conftest import Clock
from tests.luck import pinned
from tests.referee import Referee

ROOT = Path(__file__).parents[2]
TOY = games.load("toy")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished toy game with provable dice."""
    folder = tmp_path_factory.mktemp("over")
    with pytest.MonkeyPatch.context() as patch:
        Clock(patch)
        pinned(patch, "over")
        list(demo(folder, TOY, "a", "fast"))
    return folder


def over(home: Path) -> Game:
    return reading(home, "demo")


def verify(*files: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "verify.py"), *map(str, files)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_nothing_is_published_before_the_end(referee: Referee, tmp_path: Path) -> None:
    referee.go()
    with pytest.raises(Busy, match="not over"):
        publish(referee.read(), referee.system, tmp_path / "g1.html")
    with pytest.raises(Busy):
        walk(referee.read(), referee.system)
    assert not list(tmp_path.glob("g1.*"))


def test_the_message_says_how_a_game_ends(referee: Referee) -> None:
    said = pbem("--home", referee.home, "publish", "g1")
    assert said.code == 4
    assert "turn 8" in said.err and "pbem end" in said.err
    assert not (referee.folder / "g1.html").exists()


def test_a_frame_holds_what_each_side_was_sent(home: Path) -> None:
    game, along = over(home), walk(over(home), TOY)
    digests = valid_reports(game.ledger.records())
    assert sorted(along.frames) == [int(window) for window in digests]
    assert sorted(along.frames) == list(range(1, game.register.window + 1))
    for window, frame in along.frames.items():
        for side in game.register.sides:
            assert canonical_json(frame.reports[side]) == canonical_json(
                report_of(game, side, window)
            )
            assert digests[str(window)][side] == frame.reports[side].digest
        assert {u.id for u in frame.truth} == {"FOX", "HOUND"}


def test_a_game_that_was_altered_is_not_published(home: Path, tmp_path: Path) -> None:
    import shutil

    shutil.copytree(home, tmp_path / "home")
    ledger = tmp_path / "home" / "demo" / "ledger.jsonl"
    raw = ledger.read_bytes()
    game = reading(tmp_path / "home", "demo")
    ledger.write_bytes(raw.replace(b'"over":null', b'"over": null', 1))
    with pytest.raises(Damaged, match="record"):
        publish(game, TOY, tmp_path / "out.html")
    assert not (tmp_path / "out.html").exists()


def test_windows_that_were_taken_back_are_not_shown(referee: Referee) -> None:
    referee.go("fox", "hunter")
    referee.undo(reopen=True)
    while not referee.register.over:
        referee.go("fox", "hunter")
    along = walk(referee.read(), TOY)
    assert 2 not in along.frames
    assert "2" not in valid_reports(referee.read().ledger.records())
    assert [a.text for a in along.frames[3].acts] == ["The moderator took back window 1"]
    assert along.result.windows == len(referee.register.closed) + 1


def test_a_ruling_stands_in_the_window_that_it_changed(referee: Referee) -> None:
    referee.go("fox", "hunter")
    ruled(referee, "the fox is in C3", 'to = ["fox"]')
    ruled(referee, "a snapped twig is heard in the next row, too")
    while not referee.register.over:
        referee.go("fox", "hunter")
    frames = walk(referee.read(), TOY).frames
    secret, kept, told = (act for frame in frames.values() for act in frame.acts)
    assert [list(act.to) for act in (secret, kept, told)] == [
        ["fox"],
        ["hunter"],
        ["fox", "hunter"],
    ]
    assert secret.text == "The moderator ruled: the fox is in C3"
    assert (secret.rule, secret.why) == ("2.1", "a slip of mine")
    assert (
        kept.text == "The moderator ruled. Only the sides that it concerns are told what it says."
    )
    assert told.text == "The moderator ruled: a snapped twig is heard in the next row, too"
    assert {w for w, frame in frames.items() if frame.acts} == {3, 4}
    assert {u.id: u.place for u in frames[3].truth}["FOX"] == "C3"


def ruled(referee: Referee, text: str, edit: str = "") -> None:
    put = f'{edit}\n[[edit]]\ndo = "put"\nanimal = "FOX"\nzone = "C3"\n' if edit else ""
    with writing(referee.home, referee.name) as game:
        rule(game, TOY, read_ruling(f'text = "{text}"\nrule = "2.1"\n{put}', "r"), "a slip of mine")


def test_the_bundle_holds_what_all_may_have_and_nothing_else(home: Path, tmp_path: Path) -> None:
    done = publish(over(home), TOY, tmp_path / "out.html")
    with ZipFile(done.bundle) as packed:
        files = {name: packed.read(name) for name in packed.namelist()}
    assert sorted(files) == [
        f"demo/{n}"
        for n in (
            "README.txt",
            "dice.pem",
            "ledger.jsonl",
            "moderator.pub",
            "reports.json",
            "setup.json",
        )
    ]
    assert files["demo/ledger.jsonl"] == (home / "demo" / "ledger.jsonl").read_bytes()
    assert files["demo/setup.json"].decode() == over(home).register.setup
    reports = json.loads(files["demo/reports.json"])
    assert reports["1"]["fox"] == report_of(over(home), "fox", 1).digest
    for name, content in [*files.items(), ("page", done.page.read_bytes())]:
        for secret in private_texts(home):
            assert secret not in content, f"{name} holds {secret!r}"


def private_texts(home: Path) -> list[bytes]:
    folder = home / "demo" / "private"
    signing = b"".join((folder / "moderator").read_bytes().split()[4:6])
    mail_key = (folder / "mail.key").read_bytes()
    return [b"@example.org", b"the bot of", signing[:40], mail_key, mail_key.hex().encode()]


def test_the_same_game_is_the_same_bytes(home: Path, tmp_path: Path) -> None:
    one, two = (publish(over(home), TOY, tmp_path / n) for n in ("a.html", "b.html"))
    assert one.page.read_bytes() == two.page.read_bytes()
    assert one.bundle.read_bytes() == two.bundle.read_bytes()


def test_audit_and_verify_take_the_bundle(home: Path, tmp_path: Path) -> None:
    page = tmp_path / "out" / "demo.html"
    said = pbem("--home", home, "publish", "demo", "-o", page, "--json")
    assert (said.code, said.json["page"]) == (0, str(page))
    bundle = page.with_suffix(".zip")
    with ZipFile(bundle) as packed:
        packed.extractall(tmp_path / "out")
    held = home / "demo" / "reports" / "fox" / "3" / "report.json"
    assert verify(tmp_path / "out" / "demo", held).returncode == 0
    for path in (bundle, tmp_path / "out" / "demo" / "ledger.jsonl"):
        audited = pbem("audit", path, "--held", held, "--json")
        assert (audited.code, audited.json["whole"]) == (0, True), audited.out
        checked = verify(path, held)
        assert checked.returncode == 0, checked.stdout + checked.stderr


def test_an_altered_bundle_is_found_by_both(home: Path, tmp_path: Path) -> None:
    bundle = publish(over(home), TOY, tmp_path / "out.html").bundle
    with ZipFile(bundle) as packed:
        ledger = packed.read("demo/ledger.jsonl")
    with ZipFile(tmp_path / "bad.zip", "w") as packed:
        packed.writestr(
            "demo/ledger.jsonl",
            ledger.replace(b'"dice":[1]', b'"dice":[2]', 1).replace(b'"turn":2', b'"turn":3', 1),
        )
    assert pbem("audit", tmp_path / "bad.zip").code == 1
    assert verify(tmp_path / "bad.zip").returncode == 1


@pytest.mark.parametrize("content", [b"", b"PK\3\4 and nothing", b"a letter"])
def test_files_that_are_not_bundles_are_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "g1.zip"
    path.write_bytes(content)
    assert pbem("audit", path).code in (1, 2, 5)


def test_the_page_never_takes_the_bundles_place(home: Path, tmp_path: Path) -> None:
    assert pbem("--home", home, "publish", "demo", "-o", tmp_path / "a.zip").code == 2


def test_the_default_place_is_the_games_folder(home: Path) -> None:
    assert pbem("--home", home, "publish", "demo").code == 0
    assert (home / "demo" / "demo.html").is_file()
    assert (home / "demo" / "demo.zip").is_file()


def test_bundles_are_zips_of_one_date(home: Path, tmp_path: Path) -> None:
    done = publish(over(home), TOY, tmp_path / "out.html")
    with ZipFile(BytesIO(done.bundle.read_bytes())) as packed:
        assert {i.date_time[0] for i in packed.infolist()} == {1980}


def test_a_long_games_page_leaves_the_proofs_to_the_bundle(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, along = over(home), walk(over(home), TOY)
    whole = replay_page(game, TOY, along)
    monkeypatch.setattr("pbem.replay.publish.MOST", len(whole) - 1)
    short = replay_page(game, TOY, along)
    assert b'"proofs":true' in whole and b'"proofs":false' in short
    assert len(short) < len(whole) - 500


def section(name: str) -> str:
    page = (ROOT / "docs" / "formats.md").read_text("utf-8")
    return page.split(f"\n## {name}\n")[1].split("\n## ")[0]


def test_the_page_of_formats_lists_what_is_in_a_bundle(referee: Referee, tmp_path: Path) -> None:
    while not referee.register.over:
        referee.go("fox", "hunter")
    done = publish(referee.read(), TOY, tmp_path / "out.html")
    with ZipFile(done.bundle) as packed:
        names = sorted(packed.namelist())
    assert f"inside  {' '.join(names)}\n" in section("Public bundle")


def test_the_page_of_formats_lists_every_key_of_a_replay(home: Path) -> None:
    believed = {"hunter": {2: {"B2": 0.5}}}
    data = Encoder(walk(over(home), TOY), True, believed).data(over(home), TOY)
    known = set(re.findall(r"`(\w+)`", section("Replay")))
    assert set(data) <= known
    assert set(data["frames"][1]) <= known
    written = encode({"hostile": "</script>"})
    assert "\\u003c/script>" in section("Replay") and "\\u003c/script>" in written
    assert "<" not in written


def test_a_system_without_a_chart_gets_a_plain_grid(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(TOY), "chart", lambda self, report: None)
    game, along = over(home), walk(over(home), TOY)
    data = Encoder(along).data(game, TOY)
    places = {u.place for frame in along.frames.values() for u in frame.truth}
    assert set(plain(along).grid.cells) == places
    for frame in data["frames"]:
        assert [len(units) for units in frame["u"]] == [2, 1, 1]
        assert all(at >= 0 for units in frame["u"] for _, _, at, *_ in units)
    assert b'id="map"' in replay_page(game, TOY, along)


@pytest.mark.parametrize("dice", ["hand", "seeded"])
def test_a_game_that_the_moderator_ended(dice: str, tmp_path: Path, clock: Clock) -> None:
    referee = Referee.toy(tmp_path / "home", dice=dice)
    if dice == "seeded":
        referee.go("fox", "hunter")
    assert pbem("--home", referee.home, "publish", "g1").code == 4
    told = ("--result", "draw", "--reason", "a <b>storm</b>")
    assert pbem("--home", referee.home, "end", "g1", *told).code == 0
    assert pbem("--home", referee.home, "publish", "g1").code == 0
    page = (referee.folder / "g1.html").read_text("utf-8")
    assert '<h1 id="outcome">A draw</h1>' in page
    assert "A &lt;b&gt;storm&lt;/b&gt; (moderator)." in page
    assert pbem("audit", referee.folder / "g1.zip").code == 0
