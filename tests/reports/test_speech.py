"""How reports speak, in whole games of every system: news comes first, rules come last, and the
wording of former releases is gone.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from email import message_from_bytes
from itertools import islice
from pathlib import Path

import msgspec
import pytest

import games
from pbem.bots.bot_orders import Match
from pbem.model import Plain
from pbem.reports import headline, wording
from tests.systems import OURS

GONE = (
    r"Located in [A-Z]\d",
    r"holds contact, now in",
    r"Searched [A-Z]\d+.*nothing seen",
    r"Searched without success",
    r"[Cc]hance for (Bismarck|Prinz Eugen)",
    r"HUFF-DUFF",
    r"general search at \d/\d/\d",
    r"Visibility is \d",
    r"located by search",
    r"\b[BC][BAV] \d turn",
    r"searched [A-Z]\d+ and located",
    r"struck at .*: miss",
    r"against a battleship: evasion",
    r"fires \d+ shots? at",
    r"\): no hit",
    r"fail this round",
    r"has lost \d+ (bow|stern|port|starboard|midships)",
    r"is over after \d+ rounds?: ",
    r"victory points: \d+, ",
    r"may sail some turns after the Bismarck is located \(note",
    r"waits in port until the Germans are known to be out \(note",
    r"must patrol until",
    r"bound for [A-Z]\d+ by ",
    r"Rested and ready to fly",
    r"That is all\.",
    r"come from a seed that the moderator can know",
    r"have no link of",
    r"\bin \d+ days? \d+ hours",
    r"previously \d",
    r"ORDERS DUE",
)
"""What reports of former releases said, each replaced by plainer words."""


def said(folder: Path) -> str:
    """The text of a report as it was mailed, on one line, without its orders and dice labels."""
    text = (folder / "report.txt").read_text("ascii")
    text = text.partition("\nSTANDING ORDERS")[0].partition("\nDICE YOU SAW")[0]
    return " ".join(text.partition("\nORDERS FOR ")[0].split())


@pytest.mark.some(2)
@pytest.mark.parametrize("system", OURS)
def test_nothing_is_said_as_in_former_releases(
    system: str, mailed: Callable[[str], list[Path]]
) -> None:
    for folder in mailed(system):
        page = re.sub("<[^>]+>", " ", (folder / "report.html").read_text("utf-8"))
        for pattern in GONE:
            for text in (said(folder), " ".join(page.split())):
                assert not re.search(pattern, text), (folder.parent.name, folder.name, pattern)


@pytest.mark.some(1)
@pytest.mark.parametrize("name", OURS)
def test_nothing_is_said_so_in_any_scenario(name: str) -> None:
    """What bots meet in thirty windows of each; every scenario is played further elsewhere."""
    system = games.load(name)
    told = list[Plain]()
    for scenario in system.scenarios[:4]:
        match = Match(system, scenario.name, {}, "speech")
        for closing in islice(match.play(), 30):
            told += [msgspec.to_builtins(one.event) for one in closing.told]
    texts = set(wording.events(system.templates, told))
    wrong = [text for text in texts if any(re.search(pattern, text) for pattern in GONE)]
    assert not wrong


@pytest.mark.parametrize("system", OURS)
def test_rules_stand_in_the_folded_part_and_in_the_log_alone(
    system: str, mailed: Callable[[str], list[Path]]
) -> None:
    for folder in mailed(system):
        text = (folder / "report.txt").read_text("ascii")
        told = text.partition("\nHAPPENED")[2].partition("\nYOUR ")[0]
        assert not re.search(r"\((?:[A-Z]{1,2}\d+|\d+\.\d+)\)\.", told)
        page = (folder / "report.html").read_text("utf-8")
        unfolded = re.sub("(?s)<details.*?</details>", "", page)
        if "Game over" not in unfolded:
            assert not re.search(r"\((?:[A-Z]\d{1,3}|\d+\.\d+)\)\.", unfolded)


@pytest.mark.parametrize("system", OURS)
def test_subjects_begin_with_news_and_are_short(
    system: str, mailed: Callable[[str], list[Path]]
) -> None:
    found = 0
    for folder in mailed(system):
        if not (folder / "report.eml").is_file():
            continue  # a turn of a run
        subject = str(message_from_bytes((folder / "report.eml").read_bytes())["Subject"])
        news, _, wanted = subject.replace("\r\n", "").partition("; ")
        assert re.fullmatch(r"\[demo\] [A-Z][^\[\]]+", news), subject
        assert len(news) <= headline.LONG
        assert not re.search(r"\bEN\d|\b(BB|CA|CV)\b", news), subject
        assert wanted in ("", "orders when you are ready", "answer when you are ready")
        found += 1
    assert found > 5


@pytest.mark.parametrize("system", OURS)
def test_every_report_begins_with_one_sentence(
    system: str, mailed: Callable[[str], list[Path]]
) -> None:
    for folder in mailed(system):
        page = (folder / "report.html").read_text("utf-8")
        (first,) = re.findall("(?s)<h1[^>]*>(.*?)</h1>", page)
        assert re.fullmatch(r"(?s)[A-Z0-9].*[.!?]", first), first
        lines = (folder / "report.txt").read_text("ascii").split("\n")
        assert lines[4]
