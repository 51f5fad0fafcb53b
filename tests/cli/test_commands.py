"""Every command: its effect, exit code, JSON output, and what goes to stdout and stderr."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.toy.game import SYSTEM
from pbem.cli import COMMANDS
from pbem.cli.spool import TRY_AGAIN
from pbem.reports.report import digest
from tests.cli.commands import Said, WorkFolder, pbem
from tests.conftest import Clock
from tests.counts import few
from tests.referee import Referee, key_of


def test_a_game_by_hand(work: WorkFolder) -> None:
    work.new().open()
    for _ in range(8):
        work.window()
        if pbem("status", "g1", "--json").json["result"]:
            break
    status = pbem("status", "g1", "--json").json
    assert status["state"] == "over"
    audit = pbem("audit", "g1", "--held", work.report("fox"))
    assert (audit.code, "is whole" in audit.out) == (0, True)


JSON: dict[str, tuple[Sequence[str], Sequence[str]]] = {
    "systems": ([], []),
    "rules": (["toy"], ["system", "verbs", "options", "rulings"]),
    "lint": (["toy", "--games", "1"], ["system", "findings", "remarks"]),
    "new-system": (["heath"], ["system", "folder", "files"]),
    "new": (["toy", "g2"], ["game", "system", "sides", "options"]),
    "enlist": (["g1", "fox", "--bot"], ["side", "officer", "key"]),
    "receive": (["g1", "{fox}"], []),
    "run": (["g1", "--now"], ["window", "opens", "missing", "over"]),
    "status": (["g1"], ["window", "deadline", "sides", "result"]),
    "undo": (["g1"], ["windows", "opens"]),
    "note": (["g1", "fox", "Gale warning."], ["sides"]),
    "resend": (["g1", "fox"], ["file"]),
    "end": (["g1", "--result", "draw", "--reason", "fog"], ["result"]),
    "audit": (["g1"], ["whole", "findings", "records", "windows"]),
    "keygen": (["-o", "new.key"], ["private", "public", "fingerprint"]),
    "form": (["{report}"], ["form"]),
    "chart": (["{report}"], ["format", "chart"]),
    "where": (["{report}"], ["game", "side", "window", "missing", "sought"]),
    "check": (["{form}", "--report", "{report}"], ["understood", "problems"]),
    "sign": (["{form}", "--report", "{report}", "--key", "fox.key"], ["understood", "orders"]),
    "report": (["g1", "fox"], ["format", "units", "menu", "digest"]),
}


@pytest.mark.parametrize("name", JSON)
def test_json_of_every_command(name: str, work: WorkFolder) -> None:
    args, fields = JSON[name]
    work.new().open().window()
    named = {
        "{fox}": work.signed("fox"),
        "{report}": work.path("fox.json"),
        "{form}": work.path("fox.txt"),
    }
    said = pbem(name, *(named.get(a, a) for a in args), "--json")
    assert said.code == 0, said.err
    for field in fields:
        assert field in said.json


def test_json_of_opening(work: WorkFolder) -> None:
    assert pbem("new", "toy", "g1").code == 0
    for side in ("fox", "hunter"):
        pbem("enlist", "g1", side, "--bot")
    assert pbem("open", "g1", "--json").json["window"] == 1


def test_every_command_has_help_and_a_test_of_its_json() -> None:
    for name in COMMANDS:
        said = pbem(name, "--help")
        assert said.code == 0
        assert COMMANDS[name].split()[0] or said.out
        assert "--json" in said.out
    listed = pbem("--help").out
    assert all(name in listed for name in COMMANDS)


CODES: dict[str, tuple[int, Sequence[str]]] = {
    "no such command": (2, ["opne", "g1"]),
    "no such option": (2, ["status", "--colour"]),
    "no argument": (2, ["open"]),
    "a name that is none": (2, ["new", "toy", "G-1"]),
    "a name that is taken": (2, ["new", "toy", "g1"]),
    "a name that climbs": (2, ["status", "../g1"]),
    "no such option of the game": (2, ["new", "toy", "g2", "--option", "fog=on"]),
    "an option without a value": (2, ["new", "toy", "g2", "--option", "play"]),
    "a value that is none": (2, ["new", "toy", "g2", "--option", "play=live"]),
    "a scenario that is none": (2, ["new", "toy", "g2", "--scenario", "sea"]),
    "dice that are none": (2, ["new", "toy", "g2", "--dice", "loaded"]),
    "no key": (2, ["enlist", "g1", "fox"]),
    "a key that is none": (2, ["enlist", "g1", "fox", "--key", "fox.txt"]),
    "a private key as a public one": (2, ["enlist", "g1", "fox", "--key", "fox.key"]),
    "one line that is no key": (2, ["enlist", "g1", "fox", "--key", "dice.toml"]),
    "a key that is enlisted": (2, ["enlist", "g1", "hunter", "--key", "fox.key.pub"]),
    "a zone of time that is none": (2, ["enlist", "g1", "fox", "--bot", "--tz", "Atlantis"]),
    "a time that is none": (2, ["run", "g1", "--deadline", "tomorrow"]),
    "no report": (2, ["form", "fox.txt"]),
    "a file of dice for seeded dice": (2, ["run", "g1", "--now", "--dice", "dice.toml"]),
    "a result that is none": (2, ["end", "g1", "--result", "bear", "--reason", "x"]),
    "an empty note": (2, ["note", "g1", "fox"]),
    "a note to a side misspelt": (2, ["note", "g1", "foxx", "you are seen"]),
    "a key that exists": (2, ["keygen", "-o", "fox.key"]),
    "another key": (2, ["sign", "fox.txt", "--report", "fox.json", "--key", "fox.key.pub"]),
    "the referee as HTML": (2, ["report", "g1", "referee", "--format", "html"]),
    "no such game": (3, ["status", "g9"]),
    "no such game to audit": (3, ["audit", "g9"]),
    "no such system": (3, ["new", "chess", "g2"]),
    "no such system or game": (3, ["rules", "g9"]),
    "no such verb": (3, ["rules", "toy", "fly"]),
    "no such side": (3, ["enlist", "g1", "bear", "--bot"]),
    "no such side to report to": (3, ["report", "g1", "bear"]),
    "no such window": (3, ["report", "g1", "fox", "--window", "9"]),
    "window 0": (3, ["report", "g1", "fox", "--window", "0"]),
    "two reports": (2, ["report", "g1", "fox", "--turn", "1", "--window", "1"]),
    "the referee of the past": (2, ["report", "g1", "referee", "--window", "1"]),
    "no such turn": (3, ["report", "g1", "fox", "--turn", "9"]),
    "no such side to receive for": (3, ["receive", "g1", "fox.txt", "--for", "bear"]),
    "no such file": (3, ["receive", "g1", "nothing.txt"]),
    "no such folder to write to": (3, ["form", "fox.json", "-o", "nowhere/orders.txt"]),
    "no such report": (3, ["form", "nothing.json"]),
    "no such orders": (3, ["check", "nothing.txt", "--report", "fox.json"]),
    "no such key": (3, ["sign", "fox.txt", "--report", "fox.json", "--key", "nothing.key"]),
    "no such file of dice": (3, ["run", "g1", "--now", "--dice", "none.toml"]),
    "no such window to send again": (3, ["resend", "g1", "fox", "--window", "9"]),
    "window 0 to send again": (3, ["resend", "g1", "fox", "--window", "0"]),
    "open already": (4, ["open", "g1"]),
    "not due": (4, ["run", "g1"]),
    "nothing to undo": (4, ["undo", "g1"]),
    "publishing before the end": (4, ["publish", "g1"]),
    "publishing nothing": (3, ["publish", "g9"]),
    "the story before the end": (4, ["story", "g1"]),
    "the story of nothing": (3, ["story", "g9"]),
    "the analysis before the end": (4, ["analyse", "g1"]),
    "the analysis of nothing": (3, ["analyse", "g9"]),
    "not signed": (1, ["receive", "g1", "fox.txt"]),
    "orders with a mistake": (1, ["check", "bad.txt", "--report", "fox.json"]),
    "signing a mistake": (1, ["sign", "bad.txt", "--report", "fox.json", "--key", "fox.key"]),
    "no orders": (1, ["check", "empty.txt", "--report", "fox.json"]),
}


@pytest.mark.parametrize("case", CODES)
def test_exit_codes_and_words(case: str, work: WorkFolder) -> None:
    code, args = CODES[case]
    work.new().open().signed("fox")
    text = work.path("fox.txt").read_text()
    work.path("bad.txt").write_text(text.replace("FOX: move", "BEAR: move"))
    work.path("empty.txt").write_text("")
    work.path("dice.toml").write_text('"A" = [1]\n')
    before = (work.folder.parent / "home" / "g1" / "ledger.jsonl").read_bytes()
    said = pbem(*args)
    assert said.code == code, said.err
    if code != 1 or args[0] == "sign":
        assert said.out == ""
        assert said.err.strip()
    if code != 1:
        assert (work.folder.parent / "home" / "g1" / "ledger.jsonl").read_bytes() == before


def damage(work: WorkFolder, at: int) -> None:
    path = work.folder.parent / "home" / "g1" / "ledger.jsonl"
    raw = bytearray(path.read_bytes())
    raw[at] ^= 1
    path.write_bytes(bytes(raw))


@pytest.mark.parametrize("at", [30, 900, -90])
def test_a_damaged_ledger_is_damage_and_a_finding_of_audit(at: int, work: WorkFolder) -> None:
    work.new().open().window()
    damage(work, at)
    for args in (["status", "g1"], ["run", "g1", "--now"], ["report", "g1", "fox"], ["undo", "g1"]):
        said = pbem(*args)
        assert (said.code, said.out) == (5, ""), args
        assert "damaged" in said.err
    said = pbem("audit", "g1", "--json")
    assert (said.code, said.json["findings"][0]["code"]) == (1, "altered-record")


def test_a_kept_report_that_was_altered_is_a_finding(work: WorkFolder) -> None:
    work.new().open()
    path = work.report("fox")
    path.write_bytes(path.read_bytes().replace(b'"A1"', b'"A2"'))
    assert pbem("audit", "g1", path).code == 2
    said = pbem("audit", "g1", "--held", path)
    assert (said.code, "altered-report" in said.out) == (1, True)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b"\xff\xfe",
        b'{"format": "pbem-report/1"}',
        b'{"format": "pbem-report/1", "system": "toy"}',
        b'{"format": "pbem-report/1", "system": 3}',
    ],
)
@pytest.mark.parametrize("name", ["form", "check", "sign", "audit"])
def test_files_that_are_not_reports_are_refused(
    name: str, content: bytes, work: WorkFolder
) -> None:
    work.new().open().signed("fox")
    bad = work.path("bad.json")
    bad.write_bytes(content)
    args: dict[str, list[str | Path]] = {
        "form": [bad],
        "check": ["fox.txt", "--report", bad],
        "sign": ["fox.txt", "--report", bad, "--key", "fox.key"],
        "audit": ["g1", "--held", bad],
    }
    assert pbem(name, *args[name]).code == (1 if name == "audit" and b"/1" in content else 2)


def test_reports_are_shown_as_they_were_mailed(work: WorkFolder) -> None:
    work.new().open()
    folder = work.folder.parent / "home" / "g1" / "reports" / "fox" / "1"
    for form, file in (("text", "txt"), ("html", "html"), ("json", "json"), ("eml", "eml")):
        said = pbem("report", "g1", "fox", "--format", form)
        assert said.raw == (folder / f"report.{file}").read_bytes()


def test_the_referee_looks_and_it_is_recorded(work: WorkFolder) -> None:
    work.new().open()
    said = pbem("report", "g1", "referee")
    assert "Fox" in said.out
    assert "Hound" in said.out
    assert max(map(len, said.out.splitlines())) <= 72
    referee = Referee(work.folder.parent / "home", SYSTEM)
    assert referee.records[-1].kind == "looked"


def test_records_made_under_pbem_now_say_so(
    work: WorkFolder, monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> None:
    clock.set("2031-01-02T03:04:05Z")
    work.new()
    referee = Referee(work.folder.parent / "home", SYSTEM)
    assert {(r.at, r.body.get("clock")) for r in referee.records} == {
        ("2031-01-02T03:04:05Z", "PBEM_NOW")
    }
    monkeypatch.delenv("PBEM_NOW")
    work.open()
    assert "clock" not in referee.records[-1].body
    assert referee.records[-1].at != "2031-01-02T03:04:05Z"


def test_a_wrong_pbem_now_is_a_message(work: WorkFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_NOW", "noon")
    said = pbem("new", "toy", "g1")
    assert (said.code, "PBEM_NOW" in said.err) == (2, True)


def test_home_on_the_line_wins_over_the_environment(work: WorkFolder) -> None:
    assert pbem("--home", work.path("elsewhere"), "new", "toy", "g1").code == 0
    assert (work.path("elsewhere") / "g1" / "ledger.jsonl").exists()
    assert pbem("status", "--json").json == []


def test_no_colour_leaves_the_referee(work: WorkFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    work.new().open()
    for args in (["--help"], ["status"], ["systems"], ["rules", "toy"], ["report", "g1", "fox"]):
        assert b"\x1b" not in pbem(*args).raw


def test_private_things_are_private(work: WorkFolder) -> None:
    work.new().open()
    private = work.folder.parent / "home" / "g1" / "private"
    assert private.stat().st_mode & 0o777 == 0o700
    assert private.parent.stat().st_mode & 0o777 == 0o700  # the truth lies in it, and every report
    assert {p.stat().st_mode & 0o077 for p in private.iterdir() if p.is_file()} == {0}
    assert work.path("fox.key").stat().st_mode & 0o077 == 0
    ledger = (private.parent / "ledger.jsonl").read_text()
    assert "example.org" not in ledger
    assert [p.name for p in private.parent.rglob("*.jsonl")] == ["ledger.jsonl"]


def test_orders_come_by_standard_input(work: WorkFolder) -> None:
    work.new().open()
    said = pbem("receive", "g1", "-", stdin=work.signed("fox").read_bytes())
    assert (said.code, "1 order received" in said.out) == (0, True)
    assert "1 order received" in pbem("receive", "g1", stdin=work.signed("hunter").read_bytes()).out


def test_one_bad_input_among_good_ones(work: WorkFolder) -> None:
    work.new().open()
    work.path("junk").write_text("hello")
    said = pbem("receive", "g1", work.signed("fox"), "junk", "--json")
    assert said.code == 1
    assert [r["status"] for r in said.json] == ["accepted", "refused"]


def test_signing_says_what_checking_says(work: WorkFolder) -> None:
    files = [work.new().open().signed("fox", "@FOX: move C3;"), work.signed("hunter")]
    assert pbem("receive", "g1", *files).code == pbem("run", "g1").code == 0
    work.signed("fox", "@FOX: move D3;")
    said = pbem("sign", "fox.txt", "--key", "fox.key", "--report", "fox.json", "-o", "fox.signed")
    checked = pbem("check", "fox.txt", "--report", "fox.json")
    assert said.err.startswith(checked.out)
    assert "No longer in force\n  @FOX: move C3;" in said.err


def test_a_mail_ready_to_be_sent(work: WorkFolder) -> None:
    work.new().open().signed("fox")
    args = ["sign", "fox.txt", "--key", "fox.key", "--report", "fox.json", "--eml"]
    mail = pbem(*args)
    assert mail.raw.startswith(b"Date: ")
    assert pbem("receive", "g1", stdin=mail.raw).code == 0


def test_a_report_that_names_no_address_makes_no_mail(work: WorkFolder) -> None:
    """Nobody need have signed the file: what follows a line break would be headers."""
    work.new().open().signed("fox")
    path = work.folder / "fox.json"
    report = json.loads(path.read_bytes())
    report["moderator"]["mail"] = "games@example.org\r\nBcc: wolf@example.org"
    path.write_text(json.dumps(report | {"digest": digest(report)}))
    said = pbem("sign", "fox.txt", "--key", "fox.key", "--report", "fox.json", "--eml")
    assert (said.code, said.out) == (2, "")
    assert "fox.json" in said.err and "is not a mail address" in said.err


@pytest.mark.parametrize("codec", ["utf-8-sig", "utf-16"])
def test_files_of_other_systems_are_read(codec: str, work: WorkFolder) -> None:
    work.new().open()
    signed = work.signed("fox")
    form = work.path("fox.txt")
    for path in (signed, form):
        text = path.read_text().replace("\n", "\r\n")
        path.write_bytes(text.encode(codec))
    assert pbem("check", form, "--report", "fox.json").code == 0
    assert pbem("receive", "g1", signed).code == 0


def test_talk_goes_to_stderr(work: WorkFolder) -> None:
    work.new().open().signed("fox")
    said = pbem("sign", "fox.txt", "--key", "fox.key", "--report", "fox.json")
    assert said.out.startswith("BEGIN ORDERS")
    assert "FOX: move" in said.err
    assert "BEGIN" not in said.err


def test_a_dry_run_says_what_would_happen(work: WorkFolder) -> None:
    work.new().open()
    said = pbem("run", "g1", "--dry-run")
    assert (said.code, "would close" in said.out) == (0, True)
    assert pbem("status", "g1", "--json").json["window"] == 1


def test_physical_dice_name_the_missing_label(work: WorkFolder) -> None:
    assert pbem("new", "toy", "g1", "--dice", "hand").code == 0
    for side in ("fox", "hunter"):
        pbem("enlist", "g1", side, "--bot")
    work.open()
    label = "NOISE/TWIG/-/FOX/1/1D6"
    said = pbem("run", "g1", "--now")
    assert (said.code, label in said.err) == (2, True)
    work.path("dice.toml").write_text(f'"{label}" = [6]\n')
    assert pbem("run", "g1", "--now", "--dice", "dice.toml").code == 0


WORDS = [
    *COMMANDS,
    "toy",
    "bismarck",
    "g1",
    "g2",
    "fox",
    "hunter",
    "referee",
    "fox.json",
    "fox.txt",
    "fox.signed",
    "fox.key",
    "fox.key.pub",
    "--json",
    "--help",
    "-h",
    "--home",
    "--now",
    "--dry-run",
    "--dice",
    "--reopen",
    "--key",
    "--bot",
    "--report",
    "--held",
    "--format",
    "--window",
    "--turn",
    "--option",
    "--result",
    "--reason",
    "--deadline",
    "--eml",
    "--for",
    "-o",
    "-",
    "--",
    "draw",
    "text",
    "json",
    "play=asked",
    "1",
    "0",
    "-1",
    "99999999999999999999",
    "",
    " ",
    "\u00e4\n",
    "../g1",
    "2026-11-20T12:00:00Z",
    "2026-99-99",
    "~",
]
SLOW = {"demo", "simulate", "lint", "new-system", "play"}


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("fuzz")
    with pytest.MonkeyPatch.context() as patch:
        Clock(patch)
        patch.setenv("PBEM_HOME", str(folder))
        patch.chdir(folder)
        WorkFolder(folder).new().open().window().signed("fox")
        yield folder


@settings(max_examples=few(150))
@given(args=st.lists(st.sampled_from(WORDS), max_size=6), stdin=st.binary(max_size=20))
def test_no_arguments_end_in_a_fault(args: list[str], stdin: bytes, prepared: Path) -> None:
    if SLOW & set(args):
        return
    said: Said = pbem(*args, stdin=stdin)
    assert said.code in (*range(6), TRY_AGAIN)  # the last is what `spool` tells a mail server
    assert said.out or said.err


def test_test_keys_differ_from_generated_keys(work: WorkFolder) -> None:
    """A guard: keys of tests are well known and never made by keygen."""
    made = json.loads(pbem("keygen", "-o", "k", "--json").raw)
    assert made["fingerprint"].startswith("SHA256:")
    assert key_of("fox").wire.hex() not in Path("k").read_text()
    assert os.path.exists("k.pub")  # noqa: PTH110
