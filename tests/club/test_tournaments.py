"""Tournaments by mail: entry, rounds, results, tables."""

from __future__ import annotations

from pbem.base.clock import now, stamp
from pbem.club.pairing import Place
from tests.club.club_home import ClubHome, address
from tests.conftest import Clock

NAMES = ("Orion", "Ajax", "Tern", "Delta")


def entered(club: ClubHome, kind: str, *more: str) -> ClubHome:
    """A tournament `cup` of the toy that four people enter with their keys."""
    said = club.run(
        "tournament", "cup", "--system", "toy", "--kind", kind, "--size", "4", "--dice", "seeded",
        "--chart", "none", *more,
    )  # fmt: skip
    assert said.code == 0, said.err
    for name in NAMES:
        club.write(name, club.signed_wish(name, "JOIN cup", stamp(now())))
    club.tick()
    for name in NAMES:
        club.write(name, "", f"CONFIRM {club.code(name)}")
    club.tick()
    return club


def end_all(club: ClubHome, winner: str = "fox") -> None:
    """End every open game for a side; tick."""
    for game in club.games():
        register = club.register(game)
        if register.window and not register.over:
            assert club.run("end", game, "--result", winner, "--reason", "test").code == 0
    club.tick()


def test_a_swiss_tournament_runs_by_itself(club: ClubHome, clock: Clock) -> None:
    entered(club, "swiss", "--rounds", "2")
    assert [g for g in club.games() if club.register(g).window] == ["cup1a", "cup1b"]
    first = club.state.tournaments["cup"].played[0].pairings
    end_all(club)
    assert [g for g in club.games() if g.startswith("cup2")] == ["cup2a", "cup2b"]
    second = club.state.tournaments["cup"].played[1].pairings
    assert not {frozenset(p) for p in first} & {frozenset(p) for p in second}
    end_all(club)
    assert club.state.tournaments["cup"].ended
    assert any("cup has ended" in s for s in club.subjects("Orion"))
    shown = club.run("tournament", "cup")
    assert "Orion" in shown.out
    table = club.run("tournament", "cup", "--json").json["table"]
    assert table[0]["points"] == 2
    assert sum(row["points"] for row in table) == 4
    assert not any("@" in row["name"] for row in table)


def test_a_paired_tournament_swaps_the_sides(club: ClubHome) -> None:
    entered(club, "paired", "--rounds", "1")
    offers = club.state.offers
    assert set(offers) == {"cup1ax", "cup1ay", "cup1bx", "cup1by"}
    one, other = offers["cup1ax"].held, offers["cup1ay"].held
    assert one["fox"] == other["hunter"]
    end_all(club)
    assert club.state.tournaments["cup"].ended
    table = club.run("tournament", "cup", "--json").json["table"]
    assert [row["points"] for row in table] == [1.0] * 4
    assert [row["place"] for row in table] == [1] * 4


def test_a_ladder_goes_on(club: ClubHome) -> None:
    entered(club, "ladder")
    before = [p.name for p in standing_of(club)]
    end_all(club, "hunter")
    assert len(club.state.tournaments["cup"].played) == 2
    assert [p.name for p in standing_of(club)] != before
    club.write("Wren", club.signed_wish("Wren", "JOIN cup", stamp(now())))
    club.tick()
    club.write("Wren", "", f"CONFIRM {club.code('Wren')}")
    club.tick()
    assert standing_of(club)[-1].name == address("Wren")
    assert club.run("tournament", "cup", "--end").code == 0
    assert "ended" in club.run("tournament").out


def standing_of(club: ClubHome) -> list[Place]:
    from pbem.club.state import read
    from pbem.club.tournaments import standing

    now = read(club.home, club.config)
    return standing(now, now.state.tournaments["cup"], {})


def test_an_entrant_without_a_key_gets_a_letter(club: ClubHome) -> None:
    club.run("tournament", "cup", "--system", "toy", "--chart", "none", "--dice", "seeded")
    for name in NAMES[:3]:
        club.write(name, "", "JOIN cup")
    club.tick()
    for name in NAMES[:3]:
        club.write(name, "", f"Re: CONFIRM {club.code(name)}")
    club.tick()
    assert club.run("tournament", "cup", "--begin").code == 0
    club.tick()
    byes = [pair for pair in club.state.tournaments["cup"].played[0].pairings if len(pair) == 1]
    assert len(byes) == 1
    held = club.state.offers["cup1a"].held
    for name in NAMES[:3]:
        if address(name) in held.values():
            club.write(name, club.answer(name))
    club.tick()
    assert club.register("cup1a").window == 1


def test_bad_tournaments(club: ClubHome) -> None:
    for args, code in (
        (["cup2", "--system", "toy"], 2),
        (["averylongname", "--system", "toy"], 2),
        (["cup", "--system", "chess"], 3),
        (["cup", "--begin"], 3),
        (["cup", "--system", "toy", "--schedule", "every=x"], 2),
    ):
        assert club.run("tournament", *args).code == code, args
    assert club.run("tournament", "cup", "--system", "toy").code == 0
    assert club.run("tournament", "cup", "--begin").code == 4
    assert club.run("tournament", "cup", "--system", "toy").code == 2
