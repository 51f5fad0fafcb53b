"""A game from the invitation to the end by mail alone, through real servers under TLS.

The moderator has a home and the commands; each player a mailbox, a key and what came to him.
Between the two there is nothing but SMTP and IMAP.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from email.message import Message
from pathlib import Path
from typing import Any

import pytest

from games.bismarck.game import SYSTEM
from pbem.base.report_json import Report
from pbem.crypto.private_keys import read_private
from pbem.model import Plain, Side
from tests.cli.commands import Said, pbem
from tests.conftest import Clock
from tests.mail.player import Player, files_of
from tests.mail.servers import Servers
from tests.mail.site import by_smtp, configured
from tests.playing import order_file

SEED = "b"
"""With these dice, and both sides played by the system's bot, nobody sinks before the last turn."""

TURNS = range(4, 35)
"""31 of them at most, counted as the printed game does."""


class Patient(type(SYSTEM)):  # type: ignore[misc]
    """Bismarck with bots that agree to no runs, so that every turn has its mails."""

    def bot(self, side: Side, report: Plain, luck: str) -> str:
        lines = SYSTEM.bot(side, report, luck).splitlines()
        return "\n".join(line for line in lines if not line.startswith("RUN"))


PATIENT = Patient()

HUNT = "hunt@example.org"


class Captain(Player):
    """A player who orders what the bot would, from the report that lies in his mailbox."""

    def __init__(self, servers: Servers, user: str, folder: Path) -> None:
        super().__init__(servers, user, folder)
        self._files: list[dict[str, bytes]] = []

    def joins(self) -> None:
        """Answer the letter that came."""
        letter, key = self.folder / "letter.txt", self.folder / "my.key"
        letter.write_bytes(body_of(self.waits_for("[hunt] Invitation to play")))
        assert pbem("keygen", "-o", key).code == 0
        said = pbem("join", letter, "--key", key, "-o", self.folder / "join.txt")
        assert said.code == 0, said.err
        self.mails_out((self.folder / "join.txt").read_text(), HUNT, "joining")

    def files(self) -> list[dict[str, bytes]]:
        """What is attached to each mail that came."""
        self._files += map(files_of, self.mails[len(self._files) :])
        return self._files

    def reports(self) -> list[Mapping[str, Any]]:
        """All reports that came, out of their mails."""
        return [json.loads(report) for one in self.files() if (report := report_in(one))]

    def waits_for_report(self, window: int) -> Mapping[str, Any]:
        """The report that opens a window, as soon as its mail is there."""
        self.waits_until(lambda: any(r["window"] == window for r in self.reports()[-1:]))
        return self.reports()[-1]

    def orders(self, window: int) -> None:
        """Answer the report of a window."""
        report = self.waits_for_report(window)
        key = read_private(self.folder / "my.key")
        self.mails_out(order_file(PATIENT, Report.of(report), key, "x", report["seq"] + 1), HUNT)

    def wants_no_pictures(self) -> None:
        """Set it for all reports to come, most of whose time it takes to draw them."""
        self.mails_out("SET pictures off", HUNT, "hunt")

    def confirms(self) -> None:
        """Answer the question whether he meant it."""
        asked = self.waits_for("[hunt] Confirm SET")
        self.mails_out("", HUNT, f"Re: {asked['Subject']}")

    def is_in(self, window: int) -> None:
        """A receipt came that accepts his set of the window."""
        self.waits_until(lambda: window in [one["window"] for one in self.receipts()])
        receipt = self.receipts()[-1]
        assert (receipt["status"], receipt["window"]) == ("accepted", window)

    def receipts(self) -> list[Mapping[str, Any]]:
        """All receipts that came, out of their mails."""
        return [json.loads(one["receipt.json"]) for one in self.files() if "receipt.json" in one]


def report_in(files: Mapping[str, bytes]) -> bytes:
    """The report of a mail, which comes packed if it is long; empty without one."""
    packed = files.get("report.json.gz")
    return gzip.decompress(packed) if packed else files.get("report.json", b"")


def body_of(mail: Message) -> bytes:
    text = next(part for part in mail.walk() if part.get_content_type() == "text/plain")
    content = text.get_payload(decode=True)
    assert isinstance(content, bytes)
    return content


@pytest.fixture
def captains(servers: Servers, tmp_path: Path) -> Iterator[dict[str, Captain]]:
    yield {side: Captain(servers, side, tmp_path / side) for side in ("british", "german")}


@pytest.fixture
def moderator(servers: Servers, tmp_path: Path) -> Callable[..., Said]:
    """`pbem --home HOME ARGS`, which must do."""
    home = configured(tmp_path / "home", by_smtp(servers, "hunt", "starttls"))

    def run(*args: str) -> Said:
        said = pbem("--home", home, *args)
        assert said.code == 0, said.out + said.err
        return said

    return run


@pytest.mark.long
def test_the_hunt_for_the_bismarck_by_mail_alone(
    servers: Servers,
    captains: dict[str, Captain],
    moderator: Callable[..., Said],
    clock: Clock,
    tmp_path: Path,
) -> None:
    """All its turns, a day each, in an hour or so of nobody's time."""
    clock.set(datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"))  # that of the servers
    moderator("new", "bismarck", "hunt", "--seed", SEED)
    for side, captain in captains.items():
        moderator("invite", "hunt", side, "--email", captain.address)
    moderator("tick")
    for captain in captains.values():
        captain.joins()
    moderator("tick")
    moderator("schedule", "hunt", "every=1d", "early=off")
    moderator("open", "hunt")
    moderator("tick")
    for captain in captains.values():
        captain.waits_for_report(1)
        captain.wants_no_pictures()
    moderator("tick")
    for captain in captains.values():
        captain.confirms()
    for window in range(1, len(TURNS) + 1):
        for captain in captains.values():
            captain.orders(window)
        assert "2 sets in" in moderator("tick").out
        clock.advance(days=1)
        assert "1 window closed" in moderator("tick").out
        for captain in captains.values():
            captain.is_in(window)
        if captains["british"].waits_for_report(window + 1)["result"]:
            break
    for side, captain in captains.items():
        held = []
        for report in whole(captain):
            held.append(tmp_path / f"{side}-{report['window']}.json")
            held[-1].write_text(json.dumps(report))
        moderator("audit", "hunt", *(word for path in held for word in ("--held", str(path))))


def whole(captain: Captain) -> list[Mapping[str, Any]]:
    """The reports in a mailbox, once all are there: the whole game, in one conversation."""
    captain.waits_until(lambda: bool(captain.reports()[-1]["result"]))
    reports = captain.reports()
    windows = list(range(1, len(reports) + 1))
    assert len(windows) > 10
    assert [r["window"] for r in reports] == windows
    assert [r["turn"] for r in reports[:-1]] == list(TURNS[: len(windows) - 1])
    assert reports[-1]["result"]["rule"].startswith("12.")
    others = ["letter", "welcome", "question", "preferences"]
    assert len(captain.mails) == len(others) + 2 * len(windows) - 1
    pictured = [one for one in captain.files() if "chart.png" in one]
    assert [json.loads(report_in(one))["window"] for one in pictured] == [1]
    first, *later = (str(mail["Message-ID"]) for mail in captain.mails)
    assert len({first, *later}) == len(captain.mails)
    for header in ("References", "In-Reply-To"):
        assert [mail[header] for mail in captain.mails] == [None, *[first] * len(later)]
    return reports
