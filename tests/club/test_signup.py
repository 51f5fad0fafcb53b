"""Sign-up by mail: offers, joining, the standby list, and what must not be possible."""

from __future__ import annotations

from datetime import timedelta
from itertools import pairwise

import pytest

from pbem.base.clock import now, stamp
from pbem.club.members import admit
from pbem.club.state import Todo, locked
from pbem.crypto.sshsig import public_line
from pbem.inbound.club_words import parsed
from pbem.player.joining import wish
from pbem.store.game_dir import reading
from pbem.store.secrets import addresses
from pbem.text.layout import WIDTH
from tests.club.club_home import ClubHome, address
from tests.conftest import Clock
from tests.referee import key_of


def people(club: ClubHome, game: str) -> dict[str, str]:
    """Side to the address of its player."""
    found = addresses(reading(club.home, game))
    return {side: some[0]["email"] for side, some in found.items() if some}


def test_a_game_fills_by_mail_and_opens_by_itself(club: ClubHome) -> None:
    club.offer("toy", "g1", "--schedule", "every=3d", "--words", "Beginners are welcome.")
    club.write("Orion", "", "games")
    club.tick()
    assert "JOIN g1 fox" in club.text("Orion")
    assert "Beginners are welcome." in club.text("Orion")
    club.join("Orion", "g1", "fox")
    assert club.register("g1").window == 0
    club.join("Ajax", "g1", "any")
    assert club.register("g1").window == 1
    assert people(club, "g1") == {"fox": address("Orion"), "hunter": address("Ajax")}
    assert club.register("g1").deadline
    sent = club.subjects("Ajax")
    assert any("you play the hunter side" in one.lower() for one in sent), sent
    assert any("window 1" in one or "orders by" in one.lower() for one in sent), sent
    assert {m.name for m in club.state.members.values()} == {"Orion", "Ajax"}
    assert club.run("audit", "g1").code == 0


def test_a_pair_of_games_swaps_the_sides(club: ClubHome) -> None:
    club.offer("toy", "duel", "--paired")
    club.join("Orion", "duel", "fox")
    assert people(club, "duelb") == {"hunter": address("Orion")}
    club.join("Ajax", "duela", "hunter")
    assert people(club, "duelb") == {"hunter": address("Orion"), "fox": address("Ajax")}
    assert club.register("duela").window == club.register("duelb").window == 1
    assert "duelb" in club.text("Ajax")


def test_of_two_who_ask_in_the_same_tick_the_first_answer_counts(club: ClubHome) -> None:
    club.offer("toy", "g1")
    for name in ("Orion", "Ajax"):
        club.write(name, "JOIN g1 fox", "hello")
    club.tick()
    club.write("Ajax", club.answer("Ajax"))
    club.write("Orion", club.answer("Orion"))
    club.tick()
    assert people(club, "g1") == {"fox": address("Ajax")}
    assert [s for s in club.subjects("Orion") if "taken" in s]
    late = club.answer("Orion")
    club.empty()
    for number in range(3):  # he is told once
        club.write("Orion", f"Again, {number}.\n{late}")
        club.tick()
    assert not club.mails("Orion")


def test_who_asked_for_any_seat_gets_a_letter_for_the_one_that_is_left(club: ClubHome) -> None:
    club.offer("toy", "g1")
    club.write("Orion", "", "JOIN g1 any")
    club.tick()
    club.join("Ajax", "g1", "fox")
    assert any("fox of g1 was taken; hunter is free" in s for s in club.subjects("Orion"))
    club.write("Orion", club.answer("Orion", of=0))
    club.tick()
    assert people(club, "g1") == {"fox": address("Ajax")}
    club.write("Orion", club.answer("Orion"))
    club.tick()
    assert people(club, "g1") == {"fox": address("Ajax"), "hunter": address("Orion")}
    assert sum("is free" in s for s in club.subjects("Orion")) == 1


def test_a_second_answer_to_a_confirmation_is_told_that_the_first_counted(club: ClubHome) -> None:
    club.write("Orion", "", "STANDBY toy")
    club.tick()
    for _ in range(2):
        club.write("Orion", "", f"CONFIRM {club.code('Orion')}")
        club.tick()
    assert any("has counted before" in s for s in club.subjects("Orion"))
    assert not any("not known" in s for s in club.subjects("Orion"))
    assert len(club.state.standby) == 1


def test_a_seat_that_cannot_be_given_is_not_lost_in_silence(club: ClubHome) -> None:
    club.offer("toy", "g1")
    club.join("Orion", "g1", "fox")
    with locked(club.home, club.config) as held:
        key = public_line(key_of("Orion").wire)
        held.state.todo.append(Todo("seat", "g1", "hunter", address("Orion"), "x", key))
        admit(held.state, address("Orion"), "Orion", key)
        held.commit()
    said = club.tick()
    assert "his key plays fox" in said.err
    assert any("no seat in g1 after all" in s for s in club.subjects("Orion"))


def test_club_mails_are_broken_into_lines_once(club: ClubHome) -> None:
    club.offer("toy", "g1")
    club.write("Orion", "", "GAMES")
    club.write("Orion", "", "STANDBY toy fox")
    club.tick()
    for paragraph in club.text("Orion").replace("\r", "").split("\n\n"):
        lines = paragraph.strip().splitlines()
        if len(lines) > 1 and not any(line.startswith(" ") for line in lines):
            short = [a for a, b in pairwise(lines) if _fits(a, b)]
            assert not short, paragraph


def _fits(line: str, after: str) -> bool:
    """Whether the first word of the next line would have had room in this one."""
    return len(line) + 1 + len(after.split(maxsplit=1)[0]) <= WIDTH


def test_a_welcome_does_not_say_that_the_moderator_opens_the_game(club: ClubHome) -> None:
    club.offer("toy", "g1")
    club.join("Orion", "g1", "fox")
    said = club.text("Orion")
    assert "When the game opens" in said and "the moderator opens" not in said


def test_a_forger_enters_nobody(club: ClubHome) -> None:
    club.offer("toy", "g1")
    club.write("Orion", "", "JOIN g1 fox")  # by somebody else, in his name
    club.write("Orion", "", "STANDBY toy")
    club.tick()
    assert not club.register("g1").officers
    assert not club.state.standby
    club.write("Mallory", "", f"CONFIRM {club.code('Orion')}")
    club.tick()
    assert not club.state.standby
    assert not club.mails("Mallory")


def test_a_known_key_takes_a_seat_at_once(club: ClubHome, clock: Clock) -> None:
    club.offer("toy", "g1")
    club.join("Orion", "g1", "fox")
    club.join("Ajax", "g1", "hunter")
    club.offer("toy", "g2")
    club.write("Orion", club.signed_wish("Orion", "JOIN g2 hunter", stamp(now())))
    club.tick()
    assert people(club, "g2") == {"hunter": address("Orion")}
    club.offer("toy", "g3")
    copy = club.signed_wish("Orion", "JOIN g3 fox", stamp(now()))
    other = club.signed_wish("Orion", "JOIN g3 fox", stamp(now()), to="games@other.example")
    clock.advance(days=8)
    club.write("Mallory", copy)
    club.write("Mallory", other)
    club.tick()
    assert not club.register("g3").officers


def test_wishes_signed_in_the_same_second_are_told_apart(club: ClubHome) -> None:
    """By all that was signed, so that none of them counts twice however its mail looks."""
    club.offer("toy", "g1")
    club.join("Orion", "g1", "fox")
    club.join("Ajax", "g1", "hunter")
    facts = {"at": stamp(now()), "email": address("Orion"), "to": "games@club.example"}
    first, second = (
        wish({**facts, "wish": "STANDBY toy", "name": name}, key_of("Orion"))
        for name in ("Rigel", "Saiph")
    )
    names = []
    for signed in (first, second):
        club.write("Orion", signed)
        club.tick()
        names.append(club.state.members[address("Orion")].name)
    assert names == ["Rigel", "Saiph"]
    assert "it has been used already" not in club.text("Orion")
    club.write("Orion", "", "LEAVE toy")
    club.tick()
    club.write("Orion", "", f"CONFIRM {club.code('Orion')}")
    club.tick()
    quoted = "\n".join(f"> {line.lower()}" for line in first.splitlines())
    club.write("Mallory", f"Hello!\n\n{quoted}")
    club.tick()
    assert not club.state.standby
    assert club.state.members[address("Orion")].name == "Saiph"
    assert "it has been used already" in " ".join(club.text("Orion").split())


def test_a_signed_wish_with_an_unknown_key_is_confirmed_first(club: ClubHome) -> None:
    club.write("Mallory", club.signed_wish("Orion", "STANDBY toy", stamp(now())))
    club.tick()
    assert not club.state.standby
    club.write("Orion", "", f"Re: CONFIRM {club.code('Orion')}")
    club.tick()
    assert [entry.email for entry in club.state.standby] == [address("Orion")]
    assert club.state.members[address("Orion")].keys
    club.write("Orion", club.signed_wish("Orion", "LEAVE toy", stamp(now())))
    club.tick()
    assert not club.state.standby


def test_a_seat_that_is_given_back_is_offered_again(club: ClubHome) -> None:
    club.offer("toy", "g1")
    club.join("Orion", "g1", "fox")
    club.write("Orion", "", "LEAVE g1")
    club.tick()
    club.write("Orion", "", f"CONFIRM {club.code('Orion')}")
    club.join("Ajax", "g1", "hunter")
    assert club.register("g1").window == 0
    club.join("Delta", "g1", "fox")
    assert club.register("g1").window == 1
    assert people(club, "g1") == {"fox": address("Delta"), "hunter": address("Ajax")}


def test_bots_take_seats_that_stay_open(club: ClubHome, clock: Clock) -> None:
    later = stamp(now())[:10].replace("-20", "-28")
    club.offer("toy", "g1", "--bots-at", later)
    club.join("Orion", "g1", "fox")
    assert club.register("g1").window == 0
    clock.set(f"{later}T12:00:00Z")
    club.tick()
    assert club.register("g1").window == 1
    assert [o.side for o in club.register("g1").officers if o.bot] == ["hunter"]


def test_seats_kept_for_somebody_are_not_listed(club: ClubHome) -> None:
    club.offer("toy", "g1", "--for", f"fox={address('Orion')}")
    club.write("Ajax", "", "JOIN g1 fox")
    club.write("Ajax", "", "GAMES")
    club.tick()
    assert not club.register("g1").officers
    assert "JOIN g1 fox" not in club.text("Ajax")
    club.join("Orion", "g1", "fox")
    assert people(club, "g1") == {"fox": address("Orion")}


def test_programs_get_no_answer(club: ClubHome) -> None:
    club.offer("toy", "g1")
    club.write("Orion", "", "JOIN g1 fox", head=["Auto-Submitted: auto-replied"])
    club.write("Ajax", "", "JOIN g1 fox", head=["Precedence: bulk"])
    club.tick()
    assert not club.mails()


@pytest.mark.parametrize(
    ("subject", "said"),
    [
        ("JOIN nowhere fox", "there is no nowhere"),
        ("JOIN g1 badger", "no seat in g1"),
        ("STANDBY chess", "there is no chess"),
        ("CONFIRM 0123456789abcdef", "this code is not known"),
    ],
)
def test_wishes_that_name_nothing(club: ClubHome, subject: str, said: str) -> None:
    club.offer("toy", "g1")
    club.write("Orion", "", subject)
    club.tick()
    assert any(said in one for one in club.subjects("Orion")), club.subjects("Orion")


@pytest.mark.parametrize(
    "line",
    ["Join us on Friday for dinner", "games are fun", "join", "standby", "GAMES now", "JOIN a b c"],
)
def test_prose_is_no_wish(line: str) -> None:
    assert parsed(line) is None


def test_a_flood_of_strangers_is_bounded_and_delays_no_game(club: ClubHome, nightly: bool) -> None:
    """The limit of a tick is 500 mails; a flood of wishes does not count towards it."""
    club.offer("toy", "g1")
    flood = 10_000 if nightly else 600
    for number in range(flood):
        club.write(f"bot{number}", "", "JOIN g1 fox")
    club.write("Orion", "STATUS", "g1")
    said = club.tick()
    assert said.json["left"] == 0
    assert len([m for m in club.mails() if "players.example" in str(m["To"])]) == 100
    assert len(list((club.home / ".pbem" / "unread").glob("*.eml"))) == flood - 100
    assert sum("too many wishes" in s for s in club.subjects("mod")) == 1
    assert club.state.answers[""] == 100


def test_one_address_gets_few_answers_a_day(club: ClubHome, clock: Clock) -> None:
    club.offer("toy", "g1")
    for _ in range(20):
        club.write("Orion", "", "GAMES")
    club.tick()
    assert len(club.mails("Orion")) == 5
    clock.advance(days=1)
    club.write("Orion", "", "GAMES")
    club.tick()
    assert len(club.mails("Orion")) == 6


def test_names_that_look_alike_are_told_apart(club: ClubHome) -> None:
    club.offer("toy", "g1")
    club.join("Orion", "g1", "fox")
    club.write("other@players.example", "", "JOIN g1 hunter")
    club.tick()
    from pbem.dice.chains import DiceChains
    from pbem.player.joining import answer, read_letter
    from tests.club.club_home import plain

    facts = read_letter(plain(club.mails("other@players.example")[-1]).encode())
    club.write("other@players.example", answer(facts, DiceChains(key_of("other")), "0rі0n"))
    club.tick()
    assert {m.name for m in club.state.members.values()} == {"Orion", "0rі0n 2"}


def test_a_home_without_the_order_page_is_warned_where_people_are_asked_to_join(
    club: ClubHome,
) -> None:
    said = 'write order_page = "on" into pbem.toml'
    assert said in club.offer("toy", "g1").err
    assert said in club.run("tournament", "cup", "--system", "toy").err
    assert said in club.run("invite", "g1", "fox", "--email", "o@players.example").err
    settings = club.home / "pbem.toml"
    settings.write_text('order_page = "on"\n' + settings.read_text())
    assert said not in club.offer("toy", "g2").err
    assert said not in club.run("invite", "g2", "fox", "--email", "o@players.example").err


def test_json_of_the_commands(club: ClubHome) -> None:
    made = club.offer("toy", "g1", "--json").json
    assert made["g1"]["seats"] == ["fox", "hunter"]
    assert club.run("offer", "--json").json["g1"]["free"] == ["fox", "hunter"]
    assert club.run("standings", "--json").json == {"games": 0, "tables": []}
    assert club.run("tournament", "--json").json == {}
    key = str(club.home / "my.key")
    assert club.run("keygen", "-o", key).code == 0
    to = ("--email", "orion@players.example", "--to", "games@club.example")
    wish = club.run("wish", "JOIN", "g1", "fox", "--key", key, *to, "--json").json["wish"]
    assert "BEGIN WISH" in wish
    assert club.run("offer", "--withdraw", "g1", "--json").json == {"withdrawn": "g1"}
    assert club.run("offer", "--withdraw", "g1").code == 3
    assert club.run("wish", "hello", "--key", key, *to).code == 2


@pytest.mark.parametrize("at", ["0001-01-01T00:00:00+05:00", "9999-12-31T23:59:59-05:00", "never"])
def test_a_wish_signed_at_no_time_keeps_no_other_waiting(at: str, club: ClubHome) -> None:
    club.write("Mallory", club.signed_wish("Mallory", "STANDBY toy", at))
    club.write("Orion", "", "games")
    club.tick()
    assert "it has no date" in " ".join(club.text("Mallory").split())
    assert club.subjects("Orion")


def test_a_wish_signed_by_a_fast_clock_is_not_called_old(club: ClubHome) -> None:
    ahead = stamp(now() + timedelta(days=30))
    club.write("Orion", club.signed_wish("Orion", "STANDBY toy", ahead))
    club.tick()
    said = " ".join(club.text("Orion").split())
    assert "more than a week in the future" in said
    assert "more than a week ago" not in said
