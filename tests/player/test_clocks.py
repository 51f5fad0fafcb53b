"""Wrong clocks of players: whatever a clock says, orders can be signed, sent and taken, and a
refusal names what will do."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from games.toy.game import SYSTEM
from orders.header import LARGEST_SEQ
from pbem.admin.setup import Choices
from pbem.base.clock import stamp
from pbem.base.report_json import Report
from pbem.player.numbering import DAY, PLAUSIBLE, sequence
from pbem.player.sign import header_of
from tests.cli.commands import pbem
from tests.conftest import Clock
from tests.reading import lasting_readers
from tests.referee import Referee

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
CLOCKS: dict[str, timedelta | datetime] = {
    "1970": datetime(1970, 1, 1, 0, 0, 9, tzinfo=UTC),
    "a day behind": timedelta(days=-1),
    "an hour behind": timedelta(hours=-1),
    "right": timedelta(),
    "an hour ahead": timedelta(hours=1),
    "23 hours ahead": timedelta(hours=23),
    "two days ahead": timedelta(days=2),
    "a year ahead": timedelta(days=365),
    "2286": datetime(2286, 11, 20, 17, 46, 40, tzinfo=UTC),
}
"""By how much a clock is off, or what it says at noon of the first day."""

FIXED = {name: (name,) for name in CLOCKS}
CHANGING = {
    "2286 once": ("2286", "right"),
    "mended in a window": ("23 hours ahead", "right"),
    "broken in a window": ("right", "1970"),
    "two days ahead, then right": ("two days ahead", "right", "right"),
    "two machines": ("an hour ahead", "a day behind"),
    "never the same": ("2286", "1970", "two days ahead", "right", "a year ahead"),
}
NUMBERED = ("same-sequence", "old-sequence", "future-sequence")


class Table:
    """A game by files and mails between a moderator, whose clock is right, and a fox."""

    def __init__(self, folder: Path, clock: Clock) -> None:
        self.folder, self.clock, self.now = folder, clock, NOON
        self.refused: list[str] = []
        for side in ("fox", "hunter"):
            assert pbem("keygen", "-o", folder / f"{side}.key").code == 0
        assert pbem("new", "toy", "g1", "--seed", "x").code == 0
        for side in ("fox", "hunter"):
            key = folder / f"{side}.key.pub"
            mail = f"{side}@example.org"
            assert pbem("enlist", "g1", side, "--email", mail, "--key", key).code == 0
        assert pbem("open", "g1").code == 0

    @property
    def referee(self) -> Referee:
        return Referee(self.folder, SYSTEM)

    def at(self, name: str) -> None:
        """The player sits down at a machine with that clock."""
        off = CLOCKS[name]
        said = off + (self.now - NOON) if isinstance(off, datetime) else self.now + off
        self.clock.set(stamp(said))

    def pass_time(self, **by: int) -> None:
        self.now += timedelta(**by)
        self.clock.set(stamp(self.now))

    def sign(self, move: str, *more: str) -> Path:
        """A signed mail of the fox, by his clock."""
        report, orders = self.folder / "report.json", self.folder / "orders.txt"
        report.write_bytes(self.referee.saved("fox"))
        orders.write_text(self.referee.block("fox", f"FOX: move {move};"))
        mail = self.folder / "orders.eml"
        said = pbem(
            "sign",
            orders,
            "--key",
            self.folder / "fox.key",
            "--report",
            report,
            "--eml",
            "-o",
            mail,
            *more,
        )
        assert said.code == 0, said.err
        return mail

    def receive(self, mail: Path) -> dict[str, Any]:
        self.clock.set(stamp(self.now))
        (receipt,) = pbem("receive", "g1", mail, "--json").json
        return dict(receipt)

    def gets_in(self, move: str, machine: str) -> None:
        """The fox gets a set in force, by what a refusal says if there is one."""
        self.at(machine)
        receipt = self.receive(self.sign(move))
        if receipt["status"] != "accepted":
            assert receipt["code"] in NUMBERED
            self.refused.append(receipt["code"])
            (named,) = re.findall(r"pbem sign --seq (\d+)", receipt["hint"])
            self.at(machine)
            receipt = self.receive(self.sign(move, "--seq", named))
        assert receipt["status"] == "accepted", receipt["reason"]
        (understood,) = (one["order"] for one in receipt["understood"])
        assert understood == f"FOX: move {move}"

    def moves(self) -> list[str]:
        return list(self.referee.offered("fox", "FOX")[0]["args"][0]["values"])


@pytest.fixture
def table(tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Table:
    monkeypatch.setenv("PBEM_HOME", str(tmp_path))
    lasting_readers(monkeypatch)
    return Table(tmp_path, clock)


@pytest.mark.some(1)
@pytest.mark.parametrize("case", [*FIXED, *CHANGING])
def test_no_clock_locks_a_side_out(case: str, table: Table) -> None:
    """Three sets a window, three windows, whatever the clock said before each."""
    machines: Sequence[str] = (FIXED | CHANGING)[case]
    for n in range(9):
        moves = table.moves()
        table.gets_in(moves[n % len(moves)], machines[n % len(machines)])
        table.pass_time(minutes=10)
        if n % 3 == 2:
            assert pbem("run", "g1", "--now").code == 0
            table.pass_time(hours=1)
    assert table.referee.register.window == 4
    assert pbem("audit", "g1").code == 0
    if case in ("1970", "right", "an hour ahead", "2286"):
        assert table.refused == []


SAMPLE = Path(__file__).parents[1] / "reports" / "samples" / "toy-hunter.json"


def test_a_number_of_the_far_future_is_refused_and_nothing_is_lost(table: Table) -> None:
    """What is signed by hand may say any number; it must not decide what the next ones are."""
    referee = table.referee
    for seq in (999_999_999_999, LARGEST_SEQ, referee.report("fox")["seq"] + DAY + 3600):
        key = table.folder / "fox.key"
        text = referee.block("fox", "FOX: move A2;", seq=seq)
        (receipt,) = pbem("receive", "g1", "-", "--json", stdin=signed_by(key, text)).json
        assert receipt["code"] == "future-sequence"
    table.gets_in("A2", "right")
    assert pbem("run", "g1", "--now").code == 0
    table.gets_in(table.moves()[0], "right")
    assert table.refused == []


def signed_by(key: Path, block: str) -> bytes:
    from pbem.crypto.private_keys import load_private
    from tests.referee import signed

    return signed(block, load_private(key.read_bytes())).encode()


@pytest.mark.some(1)
@pytest.mark.parametrize("held", [999_999_999_999, 10**15 - 10**9])
def test_a_side_that_an_earlier_release_locked_out_plays_again(
    held: int, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its ledger holds a number as high as headers had digits, and its reports name the next."""
    with monkeypatch.context() as patch:
        patch.setattr(
            "pbem.inbound.authenticate.latest", lambda register, side, arrival: LARGEST_SEQ
        )
        text = table.referee.block("fox", "FOX: move A2;", seq=held)
        taken = pbem("receive", "g1", "-", stdin=signed_by(table.folder / "fox.key", text))
        assert taken.code == 0
    for n in range(6):
        if n % 2 == 0:
            assert pbem("run", "g1", "--now").code == 0
            assert held < table.referee.report("fox")["seq"] <= LARGEST_SEQ
        table.gets_in(table.moves()[n % 2], "right")
        table.pass_time(hours=3)


def test_the_edge_of_the_bound_leaves_a_number_that_does(table: Table) -> None:
    """A set may be numbered a day past the report; the next one needs no more than one above."""
    report, key = table.referee.report("fox"), table.folder / "fox.key"
    for more, code in ((DAY, ""), (DAY - 1, "old-sequence"), (DAY, "same-sequence")):
        moves = table.moves()
        lines = f"FOX: move {moves[0 if not code else 1]};"
        text = table.referee.block("fox", lines, seq=report["seq"] + more)
        (receipt,) = pbem("receive", "g1", "-", "--json", stdin=signed_by(key, text)).json
        assert receipt["code"] == code
        if code:
            assert f"seq: {report['seq'] + DAY + 1}`" in receipt["hint"]
    table.gets_in(table.moves()[1], "right")
    assert table.refused == ["old-sequence"]


def test_orders_that_the_moderator_enters_follow_the_same_hint(table: Table) -> None:
    """Phoned-in orders are a form with its own number."""
    table.gets_in(table.moves()[0], "right")
    text = table.referee.block("fox", f"FOX: move {table.moves()[1]};", seq=1)
    (refused,) = pbem("receive", "g1", "-", "--for", "fox", "--json", stdin=text.encode()).json
    assert refused["code"] == "old-sequence"
    (named,) = re.findall(r"`seq: (\d+)`", refused["hint"])
    again = re.sub(r"seq: \d+", f"seq: {named}", text)
    assert pbem("receive", "g1", "-", "--for", "fox", stdin=again.encode()).code == 0


def test_a_number_is_the_time_where_that_can_be_and_rises_through_a_day_where_not() -> None:
    first = int(NOON.timestamp())
    report = Report.of(json.loads(SAMPLE.read_bytes()) | {"seq": first})
    for seconds in (first, first + 9, first + PLAUSIBLE):
        assert sequence(report, datetime.fromtimestamp(seconds, UTC)) == seconds
    for wrong in (-1, 0, 5 * DAY, first - DAY, first + PLAUSIBLE + DAY, 10**10):
        start = wrong - wrong % DAY
        hours = [datetime.fromtimestamp(start + hour * 3600, UTC) for hour in range(24)]
        assert [sequence(report, one) - first for one in hours] == [3600 * h for h in range(24)]


def test_no_report_names_a_number_that_a_header_cannot_hold(tmp_path: Path, clock: Clock) -> None:
    referee = Referee.made(tmp_path / "home", SYSTEM, Choices(seed="x"))
    referee.open()
    report = referee.report("fox") | {"seq": LARGEST_SEQ}
    from orders.canon import canonical, streams
    from orders.header import read_header
    from pbem.player.sign import block_of

    block = block_of(header_of(Report.of(report), 0), "FOX: move A2;")
    assert canonical(block)
    header, _, faults = read_header(streams(block)[0].tokens)
    assert header is not None
    assert (header.seq, faults) == (LARGEST_SEQ, [])
