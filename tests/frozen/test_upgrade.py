"""A home of release 0.1.0 goes on under this release: its games, its players' keys, orders that
were signed before the upgrade, its settings.

`home-0.1.0.tar.xz` was made by that release on 5 January 2026: three games of the toy (one with
encrypted mail, one with strict dice), one of Bismarck and one of Far Seas, each in the middle of a
window with one set in. `keys/` holds the players' keys, `signed/` orders that had not arrived yet.
"""

from __future__ import annotations

import tarfile
from pathlib import Path
from typing import NamedTuple

import pytest

from pbem.base.config import load
from pbem.store.game_dir import reading
from tests.cli.commands import Said, pbem

ARCHIVE = Path(__file__).parent / "home-0.1.0.tar.xz"
GAMES = {
    "g1": ("fox", "hunter"),
    "g2": ("fox", "hunter"),
    "g3": ("fox", "hunter"),
    "g4": ("british", "german"),
    "g5": ("german", "british"),
}
EDITIONS = {"g4": "basic-1", "g5": "cruisers-1"}
LATE = {"g1": "hunter", "g2": "hunter", "g4": "british", "g5": "british"}


NEXT_DAY = "2026-01-06T12:00:00Z"


class Upgraded(NamedTuple):
    """The home after the first tick of this release."""

    home: Path
    before: dict[str, int]
    """The window of each game before the tick."""
    said: str
    """What the tick said."""


@pytest.fixture(scope="module")
def upgraded(tmp_path_factory: pytest.TempPathFactory) -> Upgraded:
    """Each game is audited, the late orders are received, and a tick runs."""
    home = tmp_path_factory.mktemp("upgraded")
    with tarfile.open(ARCHIVE) as packed:
        packed.extractall(home, filter="fully_trusted")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PBEM_NOW", NEXT_DAY)
        for name in GAMES:
            assert run(home, "audit", name).out.startswith(f"{name} is whole")
        for name, side in LATE.items():
            run(home, "receive", name, home / "signed" / f"{name}-{side}.txt")
        before = {name: window(home, name) for name in GAMES}
        return Upgraded(home, before, run(home, "tick").out)


@pytest.fixture(autouse=True)
def _today(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_NOW", NEXT_DAY)


def run(home: Path, *args: str | Path, code: int = 0) -> Said:
    said = pbem("--home", home, *args)
    assert said.code == code, (args, said.err, said.out[-400:])
    return said


def window(home: Path, name: str) -> int:
    return reading(home, name).register.window


def order(home: Path, name: str, side: str) -> Path:
    """The unedited form of a side's newest report, signed with the player's old key."""
    report = home / name / "reports" / side / str(window(home, name)) / "report.json"
    form, signed = home / f"{name}-{side}.form", home / f"{name}-{side}.signed"
    run(home, "form", report, "-o", form)
    key = home / "keys" / f"{name}-{side}.key"
    run(home, "sign", form, "--key", key, "--report", report, "-o", signed)
    return signed


def link(home: Path, name: str, side: str) -> Path:
    """A side's link for the locked window, revealed with the player's old key."""
    found = home / f"{name}-{side}.link"
    notice = max((home / name / "outbox").glob(f"{side}-*-lock.eml"))
    run(home, "reveal", notice, "--key", home / "keys" / f"{name}-{side}.key", "-o", found)
    return found


def test_the_first_tick_closes_what_old_orders_complete_and_mails_it(upgraded: Upgraded) -> None:
    assert "3 windows closed, 10 sent" in upgraded.said
    moved = {
        n
        for n in GAMES
        if (upgraded.home / n / f"reports/{GAMES[n][0]}" / str(upgraded.before[n] + 1)).exists()
    }
    assert moved >= {"g1", "g2", "g4"}, "of the others one has a deadline and one owes orders"


@pytest.mark.parametrize("name", ["g2", "g3", "g4", "g5"])
def test_a_game_of_0_1_0_goes_on(name: str, upgraded: Upgraded) -> None:
    """New reports, new orders with the old keys, a whole ledger. The edition stays."""
    home, pinned = upgraded.home, reading(upgraded.home, name).register.pinned.edition
    if name == "g5":
        run(home, "run", name, "--now")
    before = window(home, name)
    for side in GAMES[name]:
        run(home, "receive", name, order(home, name, side))
    if name == "g3":
        run(home, "run", name, code=4)  # locked: the links come after the orders
        for side in GAMES[name]:
            run(home, "receive", name, link(home, name, side))
    run(home, "run", name, "--now")
    assert window(home, name) > before
    assert run(home, "audit", name).out.startswith(f"{name} is whole")
    assert reading(home, name).register.pinned.edition == pinned
    assert EDITIONS.get(name, pinned) == pinned


def test_a_game_of_0_1_0_is_played_to_its_end(upgraded: Upgraded) -> None:
    home = upgraded.home
    while not reading(home, "g1").register.over:
        for side in GAMES["g1"]:
            run(home, "receive", "g1", order(home, "g1", side))
        run(home, "run", "g1", "--now")
    assert run(home, "audit", "g1").out.startswith("g1 is whole")
    run(home, "publish", "g1")
    run(home, "audit", home / "g1" / "g1.zip")


def test_settings_with_the_names_of_0_1_0_stay_readable(upgraded: Upgraded) -> None:
    assert 'desk = "off"' in (upgraded.home / "pbem.toml").read_text()
    assert load(upgraded.home).order_page == "off"
