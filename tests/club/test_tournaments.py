"""Tournaments by mail: entry, rounds, results, tables."""

from __future__ import annotations

from pbem.base.clock import now, stamp
from pbem.club.pairing import Place
from tests.club.house import House, address
from tests.conftest import Clock

NAMES = ("Orion", "Ajax", "Tern", "Delta")


def entered(house: House, kind: str, *more: str) -> House:
    """A tournament `cup` of the toy that four people enter with their keys."""
    said = house.run(
        "tournament", "cup", "--system", "toy", "--kind", kind, "--size", "4", "--dice", "seeded",
        "--chart", "none", *more,
    )  # fmt: skip
    assert said.code == 0, said.err
    for name in NAMES:
        house.write(name, house.signed_wish(name, "JOIN cup", stamp(now())))
    house.tick()
    for name in NAMES:
        house.write(name, "", f"CONFIRM {house.code(name)}")
    house.tick()
    return house


def end_all(house: House, winner: str = "fox") -> None:
    """End every open game for a side; tick."""
    for game in house.games():
        register = house.register(game)
        if register.window and not register.over:
            assert house.run("end", game, "--result", winner, "--reason", "test").code == 0
    house.tick()


def test_a_swiss_tournament_runs_by_itself(house: House, clock: Clock) -> None:
    entered(house, "swiss", "--rounds", "2")
    assert [g for g in house.games() if house.register(g).window] == ["cup1a", "cup1b"]
    first = house.state.tournaments["cup"].played[0].pairings
    end_all(house)
    assert [g for g in house.games() if g.startswith("cup2")] == ["cup2a", "cup2b"]
    second = house.state.tournaments["cup"].played[1].pairings
    assert not {frozenset(p) for p in first} & {frozenset(p) for p in second}
    end_all(house)
    assert house.state.tournaments["cup"].ended
    assert any("cup has ended" in s for s in house.subjects("Orion"))
    shown = house.run("tournament", "cup")
    assert "Orion" in shown.out
    table = house.run("tournament", "cup", "--json").json["table"]
    assert table[0]["points"] == 2
    assert sum(row["points"] for row in table) == 4
    assert not any("@" in row["name"] for row in table)


def test_a_paired_tournament_swaps_the_sides(house: House) -> None:
    entered(house, "paired", "--rounds", "1")
    offers = house.state.offers
    assert set(offers) == {"cup1ax", "cup1ay", "cup1bx", "cup1by"}
    one, other = offers["cup1ax"].held, offers["cup1ay"].held
    assert one["fox"] == other["hunter"]
    end_all(house)
    assert house.state.tournaments["cup"].ended
    table = house.run("tournament", "cup", "--json").json["table"]
    assert [row["points"] for row in table] == [1.0] * 4
    assert [row["place"] for row in table] == [1] * 4


def test_a_ladder_goes_on(house: House) -> None:
    entered(house, "ladder")
    before = [p.name for p in standing_of(house)]
    end_all(house, "hunter")
    assert len(house.state.tournaments["cup"].played) == 2
    assert [p.name for p in standing_of(house)] != before
    house.write("Wren", house.signed_wish("Wren", "JOIN cup", stamp(now())))
    house.tick()
    house.write("Wren", "", f"CONFIRM {house.code('Wren')}")
    house.tick()
    assert standing_of(house)[-1].name == address("Wren")
    assert house.run("tournament", "cup", "--end").code == 0
    assert "ended" in house.run("tournament").out


def standing_of(house: House) -> list[Place]:
    from pbem.club.state import read
    from pbem.club.tournaments import standing

    club = read(house.home, house.config)
    return standing(club, club.state.tournaments["cup"], {})


def test_an_entrant_without_a_key_gets_a_letter(house: House) -> None:
    house.run("tournament", "cup", "--system", "toy", "--chart", "none", "--dice", "seeded")
    for name in NAMES[:3]:
        house.write(name, "", "JOIN cup")
    house.tick()
    for name in NAMES[:3]:
        house.write(name, "", f"Re: CONFIRM {house.code(name)}")
    house.tick()
    assert house.run("tournament", "cup", "--begin").code == 0
    house.tick()
    byes = [pair for pair in house.state.tournaments["cup"].played[0].pairings if len(pair) == 1]
    assert len(byes) == 1
    held = house.state.offers["cup1a"].held
    for name in NAMES[:3]:
        if address(name) in held.values():
            house.write(name, house.answer(name))
    house.tick()
    assert house.register("cup1a").window == 1


def test_bad_tournaments(house: House) -> None:
    for args, code in (
        (["cup2", "--system", "toy"], 2),
        (["averylongname", "--system", "toy"], 2),
        (["cup", "--system", "chess"], 3),
        (["cup", "--begin"], 3),
        (["cup", "--system", "toy", "--schedule", "every=x"], 2),
    ):
        assert house.run("tournament", *args).code == code, args
    assert house.run("tournament", "cup", "--system", "toy").code == 0
    assert house.run("tournament", "cup", "--begin").code == 4
    assert house.run("tournament", "cup", "--system", "toy").code == 2
