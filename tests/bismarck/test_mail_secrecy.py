"""Two worlds by mail: the same German officer, two different British players.

Everything that leaves the table for the German (texts, pages, JSON, charts, mails, receipts) must
be the same to the byte; what hides by construction is compared by length.
"""

from __future__ import annotations

import os
from pathlib import Path
from random import Random

import pytest

from games.bismarck.game import SYSTEM
from pbem.admin.setup import Choices
from tests.conftest import Clock
from tests.faults.hooks import constant
from tests.referee import Referee, key_of, signed
from tests.secrecy import Artefacts, artefacts, differences, masked

GERMAN = [
    "BISMARCK: move B16; PRINZ EUGEN: move B16; GERMAN: search all;",
    "BISMARCK: form PRINZ EUGEN as TF1; TROND1: fly A14; KENYA: move A1;",
    "TF1: move A14; TROND1: patrol; GERMAN: huffduff exact;",
    "TF1: hold; TROND1: return; BORD1: fly T21;",
]
SAIL = ("ARETHUSA", "MANCHESTER", "BIRMINGHAM", "HOOD")
SOUTH = ("G10", "G11", "H12", "H13", "I12")


def british(random: Random) -> str:
    """Out of sight of the German, but different every time; now and then a refused order."""
    lines = [f"{ship}: move {random.choice(SOUTH)};" for ship in SAIL if random.random() < 0.8]
    air = f"EIRE1: fly {random.choice(SOUTH)};" if random.random() < 0.5 else "EIRE2: fly M14;"
    return "\n".join(["BRITISH: search none;", *lines, air, random.choice(("", "HOOD: fly A1;"))])


def german_mail(home: Path, name: str, clock: Clock, config: str = "") -> Artefacts:
    """Play the four windows; all that the German gets. config: pbem.toml."""
    clock.set("2026-11-01T00:00:00Z")
    (home / name).mkdir()
    if config:
        (home / name / "pbem.toml").write_text(config)
    referee = Referee.made(home / name, SYSTEM, Choices(options={}, seed="x", dice="seeded"))
    referee.open()
    random, receipts = Random(name), []
    for n, text in enumerate(GERMAN, 1):
        clock.set(f"2026-11-{n:02}T{random.randint(1, 9):02}:00:00Z")
        if random.random() < 0.8:
            referee.receive(referee.orders("british", british(random)))
        clock.set(f"2026-11-{n:02}T10:00:00Z")
        report = referee.report("german")
        block = referee.block("german", text, report, seq=report["seq"] + 3600)
        receipts += [str(o.receipt) for o in referee.receive(signed(block, key_of("german")))]
        clock.set(f"2026-11-{n:02}T12:00:00Z")
        referee.run(force=True)
    told = {f"receipt {i}": masked(r.encode()) for i, r in enumerate(receipts)}
    return artefacts(referee, "german") | told


@pytest.mark.some(1)
@pytest.mark.parametrize("config", ["", 'address = "games@example.org"\ndesk = "on"\n'])
def test_the_german_cannot_tell_who_plays_the_british(
    config: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "urandom", constant)
    clock = Clock(monkeypatch)
    one, two = (german_mail(tmp_path, name, clock, config) for name in ("one", "two"))
    assert len(one) > 30
    assert differences(one, two) == []
    worlds = [artefacts(Referee(tmp_path / name, SYSTEM), "british") for name in ("one", "two")]
    assert differences(*worlds), "the worlds do not differ, so nothing was tested"


PLANNED = """RUN 4; GERMAN: search all;
BISMARCK: move B16; PRINZ EUGEN: move B16;
turn 5 BISMARCK: form PRINZ EUGEN as TF1;
turn 6 TF1: move A14; turn 7 TF1: hold; turn 6 TROND1: fly A14;
"""


def run_on(home: Path, name: str, clock: Clock) -> Artefacts:
    """Four turns that both agreed to run, the British planned otherwise in each world; all that
    the German gets."""
    clock.set("2026-11-01T00:00:00Z")
    referee = Referee.made(home / name, SYSTEM, Choices(options={}, seed="x", dice="seeded"))
    referee.open()
    random = Random(name)
    later = [
        f"turn {turn} {ship}: move {random.choice(SOUTH)};"
        for turn in (5, 6, 7)
        for ship in SAIL
        if random.random() < 0.6
    ]
    words = f"FINAL; RUN {random.randint(4, 9)};"
    referee.receive(referee.orders("british", "\n".join([words, british(random), *later])))
    report = referee.report("german")
    referee.receive(
        signed(referee.block("german", PLANNED, report, seq=report["seq"] + 60), key_of("german"))
    )
    referee.run(force=True)
    assert [c.run.why for c in referee.register.closed if c.run] == ["on", "on", "on", "agreed"]
    return artefacts(referee, "german")


def test_turns_run_on_tell_the_german_nothing_of_the_british(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "urandom", constant)
    clock = Clock(monkeypatch)
    one, two = (run_on(tmp_path, name, clock) for name in ("one", "two"))
    assert len(one) > 30
    assert differences(one, two) == []
    worlds = [artefacts(Referee(tmp_path / name, SYSTEM), "british") for name in ("one", "two")]
    assert differences(*worlds), "the worlds do not differ, so nothing was tested"
