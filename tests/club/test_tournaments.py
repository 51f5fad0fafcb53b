"""Tournaments by mail: entry, rounds, results, tables."""

from __future__ import annotations

from pbem.base.clock import now, stamp
from pbem.club.pairing import Place
from pbem.crypto.sshsig import public_line
from pbem.player.joining import wish
from pbem.player.sign import block_of, header_of
from tests.club.club_home import ClubHome, address
from tests.conftest import Clock
from tests.referee import key_of, signed

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
    club.tick()
    assert "no more rounds" in club.run("tournament").out, "its last games are running"
    club.write("Tern", "", "JOIN cup")
    club.tick()
    assert any("there is no cup" in one for one in club.subjects("Tern"))
    rounds = len(club.state.tournaments["cup"].played)
    end_all(club)
    assert "ended" in club.run("tournament").out
    assert len(club.state.tournaments["cup"].played) == rounds
    for name in (*NAMES, "Wren"):
        assert sum("cup has ended" in one for one in club.subjects(name)) == 1, name


def test_a_tournament_that_is_ended_at_once_ends_for_all(club: ClubHome) -> None:
    entered(club, "swiss")
    end_all(club)
    assert club.run("tournament", "cup", "--end").code == 0
    end_all(club)
    assert len(club.state.tournaments["cup"].played) == 2
    assert any("cup has ended" in one for one in club.subjects("Orion"))
    assert "Place" in club.text("Orion")


def test_the_moderator_takes_an_entrant_out(club: ClubHome) -> None:
    entered(club, "swiss", "--rounds", "2")
    gone = address("Delta")
    assert club.run("tournament", "cup", "--remove", gone).code == 0
    assert club.run("tournament", "cup", "--remove", gone).code == 3
    assert club.run("tournament", "cup", "--remove", "nobody@players.example").code == 3
    end_all(club)
    assert all(gone not in pair for pair in club.state.tournaments["cup"].played[1].pairings)
    assert any("taken you out" in one for one in club.subjects("Delta"))
    club.write("Delta", "", "JOIN cup")
    club.tick()
    club.write("Delta", "", f"CONFIRM {club.code('Delta')}")
    club.tick()
    assert not club.state.tournaments["cup"].gone


def test_who_resigns_or_is_replaced_is_paired_again_only_if_he_says_so(club: ClubHome) -> None:
    entered(club, "swiss", "--rounds", "3", "--schedule", "every=3d")
    first, second = (club.state.offers[game].held for game in ("cup1a", "cup1b"))
    resigned, replaced = first["hunter"], second["fox"]
    report, player = club.report("cup1a", "hunter"), name_at(resigned)
    club.write(
        player, signed(block_of(header_of(report, report.seq + 100), "RESIGN;"), key_of(player))
    )
    (club.home / "new.pub").write_text(public_line(key_of("Wren").wire))
    other = ("--key", str(club.home / "new.pub"), "--email", address("Wren"))
    assert club.run("replace", "cup1b", "fox", *other).code == 0
    club.tick()
    cup = club.state.tournaments["cup"]
    assert sorted(cup.gone) == sorted([resigned, replaced])
    for one in cup.gone:
        assert any("you are out of cup" in s for s in club.subjects(one))
    end_all(club)
    assert not set(club.state.tournaments["cup"].played[1].pairings[0]) & set(cup.gone)
    club.write(replaced, "", "JOIN cup")
    club.tick()
    club.write(replaced, "", f"CONFIRM {club.code(replaced)}")
    club.tick()
    assert club.state.tournaments["cup"].gone == [resigned]


def test_nobody_enters_twice_from_two_addresses(club: ClubHome, clock: Clock) -> None:
    entered(club, "swiss", "--size", "5")
    clock.advance(minutes=1)
    facts = {"at": stamp(now()), "email": "o@work.example", "name": "Orion"}
    facts |= {"to": "games@club.example", "wish": "JOIN cup"}
    club.write("o@work.example", wish(facts, key_of("Orion")))
    club.tick()
    club.write("o@work.example", "", f"CONFIRM {club.code('o@work.example')}")
    club.tick()
    assert club.state.tournaments["cup"].entrants == [address(name) for name in NAMES]
    assert any("you are in cup already" in s for s in club.subjects("o@work.example"))


def test_two_entries_that_turn_out_to_be_one_person_s_are_one(club: ClubHome) -> None:
    said = ("--system", "toy", "--chart", "none", "--dice", "seeded", "--rounds", "2")
    club.run("tournament", "cup", *said)
    club.offer("toy", "g1")
    for name in ("Orion", "Ajax", "Tern", "o@work.example"):
        club.write(name, "", "JOIN cup")
        club.tick()
        club.write(name, "", f"CONFIRM {club.code(name)}")
    club.tick()
    club.join("Orion", "g1", "fox")
    club.join("Ajax", "g1", "hunter")
    club.offer("toy", "g2")
    club.write("o@work.example", "", "JOIN g2 fox")
    club.tick()
    club.write("o@work.example", club.answer("o@work.example", key_of("Orion")))
    club.join("Tern", "g2", "hunter")
    assert club.run("tournament", "cup", "--begin").code == 0
    club.tick()
    pairs = club.state.tournaments["cup"].played[0].pairings
    assert all("o@work.example" not in pair for pair in pairs)
    assert club.state.members["o@work.example"].name == club.state.members[address("Orion")].name
    assert any("somebody is in cup twice" in s for s in club.subjects("mod"))


def name_at(email: str) -> str:
    """The player with that address."""
    return next(name for name in NAMES if address(name) == email)


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
