"""Ratings: from results alone, calibrated, and the same wherever they are computed."""

from __future__ import annotations

import json
import sys
from random import Random
from statistics import mean

import pytest
from msgspec.structs import replace

from pbem.club.ratings import sides_won, tables
from pbem.club.results import Result, name_of, result_in
from pbem.crypto.sshsig import public_line
from pbem.errors import Usage
from tests.club.club_home import ClubHome
from tests.conftest import Clock
from tests.referee import key_of


def game(number: int, one: str, other: str, result: str, **more: object) -> Result:
    """A finished game of the toy."""
    made = Result(
        game=f"g{number}",
        system="toy",
        scenario="wood",
        at=f"2026-01-01T00:{number // 60:02}:{number % 60:02}Z",
        result=result,
        players={"fox": [one], "hunter": [other]},
    )
    return replace(made, **more)


def test_a_winner_rises_and_ranges_narrow() -> None:
    rows = tables([game(n, "a", "b", "fox") for n in range(5)], {})[0].listed
    assert [one.name for one in rows] == ["a", "b"]
    assert rows[0].rating > 1500 > rows[1].rating
    assert (rows[0].won, rows[1].lost, rows[0].form) == (5, 5, [1] * 5)
    few = tables([game(n, "a", "b", "fox") for n in range(3)], {})[0].listed
    assert rows[0].likely < few[0].likely < 392
    assert [(one.first, one.last) for one in few] == [(1, 2), (1, 2)]


def test_equal_results_keep_players_equal() -> None:
    rows = tables([game(n, "a", "b", ("fox", "hunter", "draw")[n % 3]) for n in range(9)], {})
    ratings = [one.rating for one in rows[0].listed]
    assert abs(ratings[0] - ratings[1]) < 60
    assert rows[0].listed[0].drawn == 3


def test_the_order_of_files_does_not_matter() -> None:
    played = [game(n, "abc"[n % 3], "bca"[n % 3], ("fox", "hunter")[n % 2]) for n in range(12)]
    shuffled = Random(1).sample(played, len(played))
    assert tables(played, {}) == tables(shuffled, {})


def test_what_does_not_count() -> None:
    bots = replace(game(1, "a", "b", "fox"), bots=["hunter"], players={"fox": ["a"], "hunter": []})
    none = game(2, "a", "b", "none")
    alone = game(3, "a", "a", "fox")
    assert tables([bots, none], {}) == []
    assert tables([alone], {}, listed=0)[0].listed == []


def test_keys_of_the_same_person_count_together() -> None:
    changed = replace(game(1, "new", "b", "fox"), same=[("old", "new")])
    rows = tables([game(0, "old", "b", "fox"), changed], {}, listed=2)[0].listed
    assert {one.name for one in rows} == {"old", "b"}
    named = tables(
        [game(0, "k1", "b", "fox"), game(1, "k2", "b", "fox")], {"k1": "A", "k2": "A"}, 2
    )
    assert {one.name for one in named[0].listed} == {"A", "b"}


def test_each_side_has_its_own_table() -> None:
    played = [game(n, "a", "b", "fox") for n in range(3)]
    found = {table.side: table.listed for table in tables(played, {})}
    assert [one.name for one in found["fox"]] == ["a"]
    assert found["hunter"][0].rating < 1500
    assert sides_won(played) == {"toy": {"fox": 3, "hunter": 0, "draw": 0}}


def test_games_of_three_sides_and_of_teams() -> None:
    three = Result(
        "g1", "seas", "s", "2026", "a", {"a": ["p"], "b": ["q"], "c": ["r", "s"]}, [], []
    )
    rows = {one.name: one for one in tables([three], {}, listed=1)[0].listed}
    assert rows["p"].rating > 1500 > rows["q"].rating
    assert rows["s"].lost == 1


def test_ranges_contain_the_truth_nineteen_times_of_twenty() -> None:
    """Players with known strengths play; results are drawn as Elo's formula gives them."""
    inside, widths = [], []
    for number in range(12):
        random = Random(number)
        truth = {f"p{n:02}": random.gauss(1500, 200) for n in range(12)}
        played = []
        for n in range(90):
            one, other = random.sample(sorted(truth), 2)
            chance = 1 / (1 + 10 ** ((truth[other] - truth[one]) / 400))
            played.append(game(n, one, other, "fox" if random.random() < chance else "hunter"))
        for row in tables(played, {}, listed=1)[0].listed:
            inside.append(abs(row.rating - truth[row.name]) <= row.likely)
            widths.append(row.likely)
    assert mean(inside) > 0.9
    assert mean(widths) < 260


def test_without_the_library_standings_say_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openskill.models", None)
    with pytest.raises(Usage, match="not installed"):
        tables([game(1, "a", "b", "fox")], {})


def test_standings_are_recomputed_from_published_games(club: ClubHome, clock: Clock) -> None:
    for name in ("g1", "g2", "g3"):
        club.offer("toy", name)
        club.join("Orion", name, "fox")
        club.join("Ajax", name, "hunter")
        assert club.run("end", name, "--result", "fox", "--reason", "test").code == 0
        assert club.run("publish", name, "-o", str(club.home / f"{name}.html")).code == 0
    own = club.run("standings", "--json").json
    assert [row["name"] for row in own["tables"][0]["listed"]] == ["Orion", "Ajax"]
    files = [str(club.home / f"{name}.zip") for name in ("g3", "g1", "g2")]
    of = [word for file in files for word in ("--of", file)]
    members = club.home / "members.json"
    keys = {name_of(public_line(key_of(n).wire)): n for n in ("Orion", "Ajax")}
    members.write_text(json.dumps({"keys": keys}))
    again = club.run("standings", *of, "--members", str(members), "--json").json
    assert again["tables"] == own["tables"]
    bare = club.run("standings", *of, "--json").json
    assert all(r["name"].startswith("SHA256:") for r in bare["tables"][0]["listed"])
    assert "Orion" in club.run("standings", "toy").out
    assert club.run("standings", "chess").code == 3
    assert club.run("standings", "--of", str(club.home / "pbem.toml")).code != 0
    result = result_in(club.home, "g1")
    assert result is not None
    assert result.counts
