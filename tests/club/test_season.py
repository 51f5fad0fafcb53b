"""A season of a club by mail alone: 12 members, 20 games of three systems, a tournament, standby
players for two members who disappear, standings, the site; ticks are killed at random points."""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Sequence
from email import message_from_bytes
from pathlib import Path
from random import Random

import pytest

from pbem.store.game_dir import reading
from pbem.store.secrets import addresses
from tests.club.club_home import ClubHome, address
from tests.club.season import Season
from tests.conftest import Clock

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="kills need fork")

MEMBERS = (
    "Ajax", "Corona", "Delta", "Echo", "Heron", "Kestrel",
    "Orion", "Petrel", "Sirius", "Tern", "Vega", "Wren",
)  # fmt: skip
LEAVE = ("Petrel", "Wren")
"""Those who disappear."""
STANDBY = ("Vega", "Tern")
RULE = "every=2d early=0m remind=off strikes=2"
SITE = 'site = "../public"\nnames = "shown"'


def offered(season: Season) -> list[str]:
    """The moderator offers eleven games; members ask for their seats."""
    club = season.club
    games = [f"wood{n}" for n in range(3)] + [f"emden{n}" for n in range(6)]
    for game in games:
        toy = game.startswith("wood")
        words = ["toy", game] if toy else ["far_seas", game, "--scenario", "emden"]
        club.offer(*words, "--schedule", RULE)
    club.offer("bismarck", "hunt", "--paired", "--schedule", RULE)
    players = [name for name in MEMBERS if name not in STANDBY]
    for n, game in enumerate([*games, "hunta"]):
        one, other = players[n % 10], players[(n + 3 + n // 10) % 10]
        season.wish(one, f"JOIN {game} any")
        season.tick()
        season.wish(other, f"JOIN {game} any")
    for name in STANDBY:
        for system in ("toy", "far_seas", "bismarck"):
            season.wish(name, f"STANDBY {system}")
    return [*games, "hunta", "huntb"]


def test_a_season(tmp_path: Path, clock: Clock, nightly: bool) -> None:
    for number in range(3 if nightly else 1):
        season = Season(ClubHome(tmp_path / f"home{number}", SITE), clock, MEMBERS, Random(number))
        play(season)


def play(season: Season) -> None:
    club = season.club
    games = offered(season)
    said = club.run(
        "tournament", "cup", "--system", "toy", "--rounds", "3", "--size", "6",
        "--dice", "seeded", "--chart", "none", "--schedule", RULE,
    )  # fmt: skip
    assert said.code == 0, said.err
    season.until(lambda: all(club.register(g).window for g in games), 8)
    season.gone.update(LEAVE)
    left = seats(club, LEAVE)
    assert set(left.values()) == {address(name) for name in LEAVE}
    for name in ("Ajax", "Corona", "Delta", "Echo", "Heron", "Kestrel"):
        season.signed(name, "JOIN cup")
    season.until(lambda: bool(club.state.tournaments["cup"].ended), 60)
    season.until(lambda: all(club.register(g).over for g in club.games()), 60)
    for _ in range(9):
        season.tick()
    assert season.kills > 3
    check(season, left)


def seats(club: ClubHome, members: Sequence[str]) -> dict[tuple[str, str], str]:
    """Game and side to the address, of the seats that some members hold."""
    wanted = {address(name) for name in members}
    return {
        (game, side): one["email"]
        for game in club.games()
        for side, some in addresses(reading(club.home, game)).items()
        for one in some
        if one["email"] in wanted
    }


def check(season: Season, left: dict[tuple[str, str], str]) -> None:
    """Everything is as it must be after the season. left: the seats of those who disappeared."""
    club = season.club
    games = club.games()
    assert len(games) == 20
    assert {club.register(g).created.system for g in games} == {"toy", "far_seas", "bismarck"}
    replaced = set()
    for game in games:
        register = club.register(game)
        assert club.run("audit", game).code == 0, game
        held = addresses(reading(club.home, game))
        assert all(len(some) == 1 for some in held.values()), game
        assert not register.mail_state.unsent
        for side in register.sides:
            if any(o.side == side for o in register.former):
                replaced.add((game, str(side)))
                assert held[side][0]["email"] in {address(name) for name in STANDBY}
    stayed = {game for game, _ in left.keys() - replaced}
    assert all(len(club.register(game).closed) < 3 for game in stayed), "over before two strikes"
    assert {left[seat] for seat in replaced & left.keys()} == {address(name) for name in LEAVE}
    assert replaced <= left.keys(), "nobody else lost a seat"
    state = club.state
    assert not (state.todo or state.outbox or state.vacancies)
    assert {m.name for m in state.members.values()} == set(MEMBERS)
    ids = Counter(str(mail["Message-ID"]) for mail in club.mails())
    assert sum(ids.values()) - len(ids) <= season.kills, "mails were sent twice"
    tournament(club)
    standings(club)
    site(club, games)


def tournament(club: ClubHome) -> None:
    table = club.run("tournament", "cup", "--json").json["table"]
    assert sum(row["points"] for row in table) == 9
    assert [row["played"] for row in table] == [3] * 6
    assert table[0]["place"] == 1


def standings(club: ClubHome) -> None:
    found = club.run("standings", "--json").json
    assert found["games"] == 20
    whole = {t["system"]: t for t in found["tables"] if not t["side"]}
    assert set(whole) == {"toy", "far_seas", "bismarck"}
    public = club.home.parent / "public"
    files = [word for path in sorted(public.glob("r/*.zip")) for word in ("--of", str(path))]
    members = str(public / "members.json")
    again = club.run("standings", *files, "--members", members, "--json").json
    assert again["tables"] == found["tables"]


def site(club: ClubHome, games: list[str]) -> None:
    root = club.home.parent / "public"
    assert {path.stem for path in root.glob("g/*.html")} == set(games)
    assert {path.stem for path in root.glob("r/*.zip")} == set(games)
    assert {path.stem for path in root.glob("s/*.html")} == set(games)
    assert not list(root.glob("g/*.svg")), "charts of running games are gone"
    assert "20 finished games" in (root / "index.html").read_text()
    for path in root.rglob("*.html"):
        for link in re.findall(r'(?:href|src)="([^"#:]+)["#]', path.read_text()):
            assert (path.parent / link).exists(), (path, link)
    assert set(json.loads((root / "members.json").read_text())["keys"].values()) <= set(MEMBERS)
    for path in (club.home / "out" / "new").iterdir():
        message_from_bytes(path.read_bytes())
