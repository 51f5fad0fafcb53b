"""The tables of attacks: every required attack has a row, and every named test exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
ASKED = (
    "an uncertified RSA key with many roots",
    "s+N as a second proof",
    "printed seed without links",
    "ground replacement anchor",
    "undo to re-roll",
    "one-sided window",
    "label ground through a task-force name",
    "re-rolled label",
    "swapped link",
    "carried link",
    "changed set after the lock",
    "two locks",
    "lost reveal",
    "cut or forked ledger",
    "re-minted ECDSA signature",
    "quoted old block above a new one",
    "opponent's block in a reply",
    "BEGIN inside a comment",
    "a wrapped `>`",
    "display order reversed by bidi marks",
    "header replay in a later battle round",
)
LEAKS = (
    "unit count",
    "hidden ids",
    "order of listing",
    "roll counter",
    "late notice",
    "Message-ID",
    "Date",
    "file name",
    "length",
    "question text",
    "error hint",
    "receipt wording",
    "deadline",
    "press",
    "dice commitment",
)
ROWS = [
    [cell.strip() for cell in line.strip("|\n ").split(" | ")]
    for line in (HERE / "README.md").read_text().splitlines()
    if line.startswith("| ") and not line.startswith(("| ---", "| attack |", "| leak |"))
]


def test_every_attack_and_leak_that_was_asked_for_has_a_row() -> None:
    assert {*ASKED, *LEAKS} <= {row[0] for row in ROWS}
    assert len({row[0] for row in ROWS}) == len(ROWS)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: str(row[0]))
def test_the_tests_of_an_attack_are_there(row: list[str]) -> None:
    named = re.findall(r"`([\w./]+)`", row[2]) if len(row) > 2 else []
    assert named or row[1].startswith("limit")
    for name in named:
        if name.endswith(".py"):
            assert re.search(r"^def test_", (ROOT / name).read_text(), re.MULTILINE), name
            continue
        file, test = name.split(".")
        source = (HERE / f"{file}.py").read_text()
        assert re.search(rf"^def {test}\(", source, re.MULTILINE), name


PAGE = ROOT / "docs" / "trust.md"
FIXED = PAGE.read_text().partition("## Who fixes what")[2].partition("### Hand and seeded")[0]
MOMENTS = [
    [cell.strip() for cell in line.strip("|\n ").split(" | ")]
    for line in FIXED.splitlines()
    if line.startswith("| ") and not line.startswith(("| ---", "| moment |"))
]
DICE = ("test_dice_protocol", "test_dice_again")
COVERED = (
    "`new`",
    "`open`",
    "first window",
    "any later window",
    "`receive --for`",
    "`replace`",
    "`rekey`",
    "a late or renewed anchor",
    "two officers",
    "agreed runs",
    "a bot",
    "`undo`",
    "`undo --reopen`",
    "a ruling",
    "the lock",
    "links revealed",
    "all are silent",
)


def test_every_moment_of_a_game_has_its_row_of_who_may_vary_the_dice() -> None:
    for moment in COVERED:
        assert any(moment in row[0] for row in MOMENTS), moment


@pytest.mark.parametrize("row", MOMENTS, ids=lambda row: str(row[0]))
def test_a_row_of_who_may_vary_the_dice_has_its_tests(row: list[str]) -> None:
    assert len(row) == 4
    named = re.findall(r"`([\w./]+)`", row[3])
    assert named
    for name in named:
        file, _, test = name.rpartition(".") if "/" not in name else (name, "", "")
        files = (
            [ROOT / name]
            if "/" in name
            else [HERE / f"{one}.py" for one in ([file] if file else DICE)]
        )
        source = "".join(path.read_text() for path in files)
        assert re.search(rf"^def {test or 'test_'}", source, re.MULTILINE), name


def test_limits_stand_on_the_page_of_trust() -> None:
    page = " ".join((ROOT / "docs" / "trust.md").read_text().split())
    for words in (
        "can talk",
        "can play",
        "can be denied",
        "can give up",
        "damaged signature",
        "together with one side",
        "keep its link back",
    ):
        assert words in page, words
