"""Members who change or lose their keys, or get another address, in a game: the club follows."""

from __future__ import annotations

import re

import pytest

from pbem.admin.key_change import change
from pbem.base.clock import now, stamp
from pbem.crypto.sshsig import public_line
from pbem.dice.chains import DiceChains
from pbem.player.joining import wish
from pbem.store.game_dir import reading
from pbem.store.secrets import addresses
from tests.club.club_home import TOY, ClubHome, address, plain
from tests.conftest import Clock
from tests.playing import order_file
from tests.referee import key_of

NEW = "orion@new.example"


def cup(club: ClubHome) -> str:
    """A tournament of two rounds that Orion and Ajax play; return Orion's side in its first
    game."""
    said = ("--system", "toy", "--size", "2", "--rounds", "2", "--schedule", "every=9d")
    assert club.run("tournament", "cup", *said, "--dice", "seeded", "--chart", "none").code == 0
    for name in ("Orion", "Ajax"):
        club.write(name, club.signed_wish(name, "JOIN cup", stamp(now())))
        club.tick()
        if address(name) not in club.state.tournaments["cup"].entrants:
            club.write(name, "", f"CONFIRM {club.code(name)}")
            club.tick()
    assert club.register("cup1a").window == 1
    return side_of(club, "cup1a", "Orion")


def side_of(club: ClubHome, game: str, player: str) -> str:
    held = club.state.offers[game].held
    return next(side for side, email in held.items() if email == address(player))


def public(club: ClubHome, key: str) -> str:
    """The file of a public key."""
    path = club.home / f"{key}.pub"
    path.write_text(public_line(key_of(key).wire))
    return str(path)


def lose(club: ClubHome, game: str, side: str, new: str = "new") -> None:
    assert club.run("replace", game, side, "--lost", "--key", public(club, new)).code == 0


def next_round(club: ClubHome) -> None:
    """End the first game, so that the second round begins."""
    assert club.run("end", "cup1a", "--result", "draw", "--reason", "test").code == 0
    club.tick()


def keys(club: ClubHome, game: str) -> set[str]:
    return {officer.key for officer in club.register(game).officers}


def line(key: str) -> str:
    return public_line(key_of(key).wire)


def stolen(key: str, email: str, text: str) -> str:
    """A wish that somebody signs with a key, to be answered to an address."""
    facts = {"at": stamp(now()), "email": email, "name": "", "to": "games@club.example"}
    return wish({**facts, "wish": text}, key_of(key))


def test_a_lost_key_does_not_play_the_next_round(club: ClubHome, clock: Clock) -> None:
    side = cup(club)
    lose(club, "cup1a", side)
    clock.advance(days=2, hours=1)
    club.tick()
    next_round(club)
    assert club.register("cup2a").window == 1
    assert keys(club, "cup2a") == {line("new"), line("Ajax")}
    assert club.state.members[address("Orion")].ended == [line("Orion")]


def test_who_has_found_a_lost_key_cannot_use_it_in_the_club(club: ClubHome, clock: Clock) -> None:
    """He may sign wishes with it, from its owner's address or his own, before and after."""
    side = cup(club)
    lose(club, "cup1a", side)
    club.write("Mallory", stolen("Orion", address("Orion"), "LEAVE cup"))
    club.write("Mallory", stolen("Orion", address("Mallory"), "STANDBY toy"))
    club.tick()
    assert not club.state.tournaments["cup"].gone, "only a mail from the owner confirms it"
    club.write("Mallory", "", f"CONFIRM {club.code('Mallory')}")
    club.tick()
    mallory, orion = (club.state.members[address(name)] for name in ("Mallory", "Orion"))
    assert not mallory.keys and mallory.name != orion.name
    clock.advance(days=2, hours=1)
    club.tick()
    club.write("Mallory", stolen("Orion", address("Orion"), "LEAVE"))
    club.write("Mallory", stolen("Orion", address("Mallory"), "JOIN cup"))
    club.tick()
    assert "has changed that key, or lost it" in " ".join(club.text("Mallory").split())
    assert not club.state.tournaments["cup"].gone
    club.write("Orion", stolen("new", address("Orion"), "LEAVE cup"))
    club.tick()
    assert club.state.tournaments["cup"].gone == [address("Orion")], "the new key counts at once"


def test_a_key_that_is_reported_lost_takes_no_seat(club: ClubHome, clock: Clock) -> None:
    side = cup(club)
    lose(club, "cup1a", side)
    next_round(club)
    assert club.register("cup2a").window == 0
    assert keys(club, "cup2a") == {line("Ajax")}
    club.write("Orion", club.answer("Orion", key_of("new")))
    club.tick()
    assert keys(club, "cup2a") == {line("new"), line("Ajax")}
    assert club.register("cup2a").window == 1


def test_a_key_that_signs_was_not_lost(club: ClubHome, clock: Clock) -> None:
    side = cup(club)
    lose(club, "cup1a", side)
    club.tick()
    report = club.report("cup1a", side)
    club.write("Orion", order_file(TOY, report, key_of("Orion"), "luck", report.seq + 100))
    club.tick()
    next_round(club)
    assert keys(club, "cup2a") == {line("Orion"), line("Ajax")}


def test_a_changed_key_plays_the_next_round(club: ClubHome) -> None:
    side = cup(club)
    text = change(club.report("cup1a", side), key_of("Orion"), DiceChains(key_of("new")))
    club.write("Orion", text, "cup1a")
    club.tick()
    club.write("Orion", stolen("Orion", address("Orion"), "STANDBY toy"))
    next_round(club)
    assert not club.state.standby
    assert keys(club, "cup2a") == {line("new"), line("Ajax")}


def test_a_key_that_is_replaced_at_the_same_address_is_the_same_player_s(club: ClubHome) -> None:
    side = cup(club)
    said = ("--key", public(club, "new"), "--email", address("Orion"))
    assert club.run("replace", "cup1a", side, *said).code == 0
    next_round(club)
    assert not club.state.tournaments["cup"].gone
    assert keys(club, "cup2a") == {line("new"), line("Ajax")}


def test_a_lost_key_leaves_games_that_have_not_opened(club: ClubHome, clock: Clock) -> None:
    side = cup(club)
    club.offer("toy", "g1")
    club.write("Orion", club.signed_wish("Orion", "JOIN g1 fox", stamp(now())))
    club.tick()
    assert keys(club, "g1") == {line("Orion")}
    lose(club, "cup1a", side)
    club.tick()
    club.write("Ajax", club.signed_wish("Ajax", "JOIN g1 hunter", stamp(now())))
    club.tick()
    assert club.register("g1").window == 0, "it waits until it is known whether the key is lost"
    clock.advance(days=2, hours=1)
    club.tick()
    club.tick()
    assert keys(club, "g1") == {line("new"), line("Ajax")}
    assert club.register("g1").window == 1


def test_a_finished_game_serves_between_two_rounds(club: ClubHome, clock: Clock) -> None:
    club.offer("toy", "g1")
    club.join("Orion", "g1", "fox")
    club.join("Ajax", "g1", "hunter")
    assert club.run("end", "g1", "--result", "draw", "--reason", "test").code == 0
    club.tick()
    assert club.run("replace", "g1", "fox", "--email", NEW).code == 0
    lose(club, "g1", "fox")
    club.tick()
    member = club.state.members[NEW]
    assert (member.name, member.keys, member.ended) == ("Orion", [], [line("Orion")])
    club.write(NEW, stolen("Orion", NEW, "STANDBY toy"))
    club.tick()
    assert not club.state.standby and "CONFIRM" not in club.text(NEW)


def test_the_moderator_learns_where_a_lost_key_still_signs(club: ClubHome, clock: Clock) -> None:
    club.offer("toy", "g1", "--schedule", "every=9d")
    club.join("Orion", "g1", "fox")
    club.join("Ajax", "g1", "hunter")
    side = cup(club)
    lose(club, "cup1a", side)
    clock.advance(days=2, hours=1)
    club.tick()
    club.tick()
    assert sum("lost key still signs" in s for s in club.subjects("mod")) == 1
    assert "pbem replace g1 fox --officer 1 --lost --key FILE.pub" in club.text("mod")


def test_the_command_for_a_lost_key_names_the_officer_of_several(
    club: ClubHome, clock: Clock
) -> None:
    """As it is mailed the command does what is needed: of two officers it would ask which."""
    club.offer("toy", "g1", "--schedule", "every=9d")
    club.join("Orion", "g1", "fox")
    club.join("Ajax", "g1", "hunter")
    second = ("--key", public(club, "Delta"), "--email", address("Delta"))
    assert club.run("enlist", "g1", "fox", *second).code == 0
    lose(club, "cup1a", cup(club))
    clock.advance(days=2, hours=1)
    club.tick()
    club.tick()
    (line_,) = re.findall(r"^ +pbem (replace g1 .*)$", club.text("mod"), re.MULTILINE)
    words = line_.replace("FILE.pub", public(club, "newer")).split()
    assert club.run(*words).code == 0
    (loss,) = club.register("g1").resets.values()
    assert (loss.side, loss.ends) == ("fox", [1])


def test_a_new_address_gets_the_next_round(club: ClubHome) -> None:
    side = cup(club)
    club.write("Orion", "", "STANDBY toy")
    club.tick()
    club.write("Orion", "", f"CONFIRM {club.code('Orion')}")
    club.tick()
    assert club.run("replace", "cup1a", side, "--email", NEW).code == 0
    club.tick()
    club.empty()
    next_round(club)
    assert not club.mails("Orion")
    assert any(s.startswith("[cup2a]") for s in club.subjects(NEW))
    cup_ = club.state.tournaments["cup"]
    assert NEW in cup_.entrants and all(NEW in r.pairings[0] for r in cup_.played)
    assert [one.email for one in club.state.standby] == [NEW]
    assert address("Orion") not in club.state.members
    table = club.run("tournament", "cup", "--json").json["table"]
    assert {row["name"] for row in table} == {"Orion", "Ajax"}


def test_an_address_that_is_somebody_else_s_now_takes_no_seat(club: ClubHome) -> None:
    """A letter was on its way to the former address: its answer does not count any more."""
    club.offer("toy", "g1", "--schedule", "every=9d")
    club.join("Orion", "g1", "fox")
    club.join("Ajax", "g1", "hunter")
    club.offer("toy", "g2", "--for", f"fox={address('Orion')}")
    club.write("Orion", "", "JOIN g2 fox")
    club.tick()
    late = club.answer("Orion", key_of("Mallory"))
    assert club.run("replace", "g1", "fox", "--email", NEW).code == 0
    club.tick()
    club.write("Orion", late)
    club.tick()
    assert not club.register("g2").officers
    club.write(NEW, club.answer(NEW, key_of("Orion")))
    club.tick()
    assert addresses(reading(club.home, "g2"))["fox"][0]["email"] == NEW


def test_games_that_have_not_opened_get_the_new_address_and_others_are_named(
    club: ClubHome,
) -> None:
    for game in ("g1", "g2"):
        club.offer("toy", game, "--schedule", "every=9d")
        club.join("Orion", game, "fox")
        club.join("Ajax", game, "hunter")
    club.offer("toy", "g3")
    club.join("Orion", "g3", "fox")
    assert club.run("replace", "g1", "fox", "--email", NEW).code == 0
    club.tick()
    assert addresses(reading(club.home, "g3"))["fox"][0]["email"] == NEW
    assert "pbem replace g2 fox --email orion@new.example" in club.text("mod")
    for _ in range(2):
        club.tick()
    assert sum("a new address" in s for s in club.subjects("mod")) == 1
    club.empty()
    club.join("Ajax", "g3", "hunter")
    assert club.register("g3").window == 1
    assert club.mails(NEW) and not club.mails("Orion")


def test_an_address_that_has_entered_too_is_not_paired_twice(club: ClubHome) -> None:
    side = cup(club)
    assert club.run("replace", "cup1a", side, "--email", address("Ajax")).code == 0
    club.tick()
    assert club.state.tournaments["cup"].gone == [address("Orion")]
    assert any("in cup twice" in s for s in club.subjects("mod"))


@pytest.mark.parametrize("name", ["--name", "wish"])
def test_a_member_without_a_name_can_choose_one_later(club: ClubHome, name: str) -> None:
    """A default name that a seat hands on is not a chosen one."""
    said = ("--system", "toy", "--size", "2", "--rounds", "1", "--dice", "seeded")
    assert club.run("tournament", "cup", *said, "--chart", "none").code == 0
    for player in ("Orion", "Ajax"):
        club.write(player, stolen(player, address(player), "JOIN cup"))
        club.tick()
        club.write(player, "", f"CONFIRM {club.code(player)}")
    club.tick()
    orion = club.state.members[address("Orion")]
    assert (orion.name, orion.named) == ("Member 1", False)
    if name == "wish":
        club.write("Orion", club.signed_wish("Orion", "STANDBY toy", stamp(now())))
        club.tick()
    else:
        club.offer("toy", "g1")
        club.join("Orion", "g1", "fox")
        club.join("Wren", "g1", "hunter")
    assert club.state.members[address("Orion")].name == "Orion"


def test_a_signed_wish_changes_a_name_and_nobody_takes_another_s(club: ClubHome) -> None:
    cup(club)
    facts = {"at": stamp(now()), "to": "games@club.example", "wish": "STANDBY toy"}
    for player, called in (("Orion", "Sirius"), ("Ajax", "S1rius")):
        one = wish({**facts, "email": address(player), "name": called}, key_of(player))
        club.write(player, one)
    club.write(
        "Mallory", wish({**facts, "email": address("Orion"), "name": "X"}, key_of("Mallory"))
    )
    club.tick()
    assert {m.name for m in club.state.members.values()} == {"Sirius", "S1rius 2"}


def test_letters_say_how_to_choose_a_name(club: ClubHome) -> None:
    (club.home / "pbem.toml").write_text(
        (club.home / "pbem.toml").read_text() + 'site = "../public"\n'
    )
    club.offer("toy", "g1")
    club.write("Orion", "", "JOIN g1 fox")
    club.tick()
    assert "--name" in plain(club.mails("Orion")[-1])
