"""Sign-up by mail: offers, joining, the standby list, and what must not be possible."""

from __future__ import annotations

import pytest

from pbem.base.clock import now, stamp
from pbem.inbound.club_words import parsed
from pbem.store.game_dir import reading
from pbem.store.secrets import addresses
from tests.club.house import House, address
from tests.conftest import Clock
from tests.referee import key_of


def people(house: House, game: str) -> dict[str, str]:
    """Side to the address of its player."""
    found = addresses(reading(house.home, game))
    return {side: some[0]["email"] for side, some in found.items() if some}


def test_a_game_fills_by_mail_and_opens_by_itself(house: House) -> None:
    house.offer("toy", "g1", "--schedule", "every=3d", "--words", "Beginners are welcome.")
    house.write("Orion", "", "games")
    house.tick()
    assert "JOIN g1 fox" in house.text("Orion")
    assert "Beginners are welcome." in house.text("Orion")
    house.join("Orion", "g1", "fox")
    assert house.register("g1").window == 0
    house.join("Ajax", "g1", "any")
    assert house.register("g1").window == 1
    assert people(house, "g1") == {"fox": address("Orion"), "hunter": address("Ajax")}
    assert house.register("g1").deadline
    sent = house.subjects("Ajax")
    assert any("you play hunter" in one.lower() for one in sent), sent
    assert any("window 1" in one or "orders by" in one.lower() for one in sent), sent
    assert {m.name for m in house.state.members.values()} == {"Orion", "Ajax"}
    assert house.run("audit", "g1").code == 0


def test_a_pair_of_games_swaps_the_sides(house: House) -> None:
    house.offer("toy", "duel", "--paired")
    house.join("Orion", "duel", "fox")
    assert people(house, "duelb") == {"hunter": address("Orion")}
    house.join("Ajax", "duela", "hunter")
    assert people(house, "duelb") == {"hunter": address("Orion"), "fox": address("Ajax")}
    assert house.register("duela").window == house.register("duelb").window == 1
    assert "duelb" in house.text("Ajax")


def test_of_two_who_ask_in_the_same_tick_the_first_answer_counts(house: House) -> None:
    house.offer("toy", "g1")
    for name in ("Orion", "Ajax"):
        house.write(name, "JOIN g1 fox", "hello")
    house.tick()
    house.write("Ajax", house.answer("Ajax"))
    house.write("Orion", house.answer("Orion"))
    house.tick()
    assert people(house, "g1") == {"fox": address("Ajax")}
    assert [s for s in house.subjects("Orion") if "taken" in s]
    late = house.answer("Orion")
    house.empty()
    for number in range(3):  # he is told once
        house.write("Orion", f"Again, {number}.\n{late}")
        house.tick()
    assert not house.mails("Orion")


def test_a_forger_enters_nobody(house: House) -> None:
    house.offer("toy", "g1")
    house.write("Orion", "", "JOIN g1 fox")  # by somebody else, in his name
    house.write("Orion", "", "STANDBY toy")
    house.tick()
    assert not house.register("g1").officers
    assert not house.state.standby
    house.write("Mallory", "", f"CONFIRM {house.code('Orion')}")
    house.tick()
    assert not house.state.standby
    assert not house.mails("Mallory")


def test_a_known_key_takes_a_seat_at_once(house: House, clock: Clock) -> None:
    house.offer("toy", "g1")
    house.join("Orion", "g1", "fox")
    house.join("Ajax", "g1", "hunter")
    house.offer("toy", "g2")
    house.write("Orion", house.signed_wish("Orion", "JOIN g2 hunter", stamp(now())))
    house.tick()
    assert people(house, "g2") == {"hunter": address("Orion")}
    house.offer("toy", "g3")
    copy = house.signed_wish("Orion", "JOIN g3 fox", stamp(now()))
    other = house.signed_wish("Orion", "JOIN g3 fox", stamp(now()), to="games@other.example")
    clock.advance(days=8)
    house.write("Mallory", copy)
    house.write("Mallory", other)
    house.tick()
    assert not house.register("g3").officers


def test_a_signed_wish_with_an_unknown_key_is_confirmed_first(house: House) -> None:
    house.write("Mallory", house.signed_wish("Orion", "STANDBY toy", stamp(now())))
    house.tick()
    assert not house.state.standby
    house.write("Orion", "", f"Re: CONFIRM {house.code('Orion')}")
    house.tick()
    assert [entry.email for entry in house.state.standby] == [address("Orion")]
    assert house.state.members[address("Orion")].keys
    house.write("Orion", house.signed_wish("Orion", "LEAVE toy", stamp(now())))
    house.tick()
    assert not house.state.standby


def test_a_seat_that_is_given_back_is_offered_again(house: House) -> None:
    house.offer("toy", "g1")
    house.join("Orion", "g1", "fox")
    house.write("Orion", "", "LEAVE g1")
    house.tick()
    house.write("Orion", "", f"CONFIRM {house.code('Orion')}")
    house.join("Ajax", "g1", "hunter")
    assert house.register("g1").window == 0
    house.join("Delta", "g1", "fox")
    assert house.register("g1").window == 1
    assert people(house, "g1") == {"fox": address("Delta"), "hunter": address("Ajax")}


def test_bots_take_seats_that_stay_open(house: House, clock: Clock) -> None:
    later = stamp(now())[:10].replace("-20", "-28")
    house.offer("toy", "g1", "--bots-at", later)
    house.join("Orion", "g1", "fox")
    assert house.register("g1").window == 0
    clock.set(f"{later}T12:00:00Z")
    house.tick()
    assert house.register("g1").window == 1
    assert [o.side for o in house.register("g1").officers if o.bot] == ["hunter"]


def test_seats_kept_for_somebody_are_not_listed(house: House) -> None:
    house.offer("toy", "g1", "--for", f"fox={address('Orion')}")
    house.write("Ajax", "", "JOIN g1 fox")
    house.write("Ajax", "", "GAMES")
    house.tick()
    assert not house.register("g1").officers
    assert "JOIN g1 fox" not in house.text("Ajax")
    house.join("Orion", "g1", "fox")
    assert people(house, "g1") == {"fox": address("Orion")}


def test_programs_get_no_answer(house: House) -> None:
    house.offer("toy", "g1")
    house.write("Orion", "", "JOIN g1 fox", head=["Auto-Submitted: auto-replied"])
    house.write("Ajax", "", "JOIN g1 fox", head=["Precedence: bulk"])
    house.tick()
    assert not house.mails()


@pytest.mark.parametrize(
    ("subject", "said"),
    [
        ("JOIN nowhere fox", "there is no nowhere"),
        ("JOIN g1 badger", "no seat in g1"),
        ("STANDBY chess", "there is no chess"),
        ("CONFIRM 0123456789abcdef", "this code is not known"),
    ],
)
def test_wishes_that_name_nothing(house: House, subject: str, said: str) -> None:
    house.offer("toy", "g1")
    house.write("Orion", "", subject)
    house.tick()
    assert any(said in one for one in house.subjects("Orion")), house.subjects("Orion")


@pytest.mark.parametrize(
    "line",
    ["Join us on Friday for dinner", "games are fun", "join", "standby", "GAMES now", "JOIN a b c"],
)
def test_prose_is_no_wish(line: str) -> None:
    assert parsed(line) is None


def test_a_flood_of_strangers_is_bounded_and_delays_no_game(house: House, nightly: bool) -> None:
    """The limit of a tick is 500 mails; a flood of wishes does not count towards it."""
    house.offer("toy", "g1")
    flood = 10_000 if nightly else 600
    for number in range(flood):
        house.write(f"bot{number}", "", "JOIN g1 fox")
    house.write("Orion", "STATUS", "g1")
    said = house.tick()
    assert said.json["left"] == 0
    assert len([m for m in house.mails() if "players.example" in str(m["To"])]) == 100
    assert len(list((house.home / ".pbem" / "unread").glob("*.eml"))) == flood - 100
    assert sum("too many wishes" in s for s in house.subjects("mod")) == 1
    assert house.state.answers[""] == 100


def test_one_address_gets_few_answers_a_day(house: House, clock: Clock) -> None:
    house.offer("toy", "g1")
    for _ in range(20):
        house.write("Orion", "", "GAMES")
    house.tick()
    assert len(house.mails("Orion")) == 5
    clock.advance(days=1)
    house.write("Orion", "", "GAMES")
    house.tick()
    assert len(house.mails("Orion")) == 6


def test_names_that_look_alike_are_told_apart(house: House) -> None:
    house.offer("toy", "g1")
    house.join("Orion", "g1", "fox")
    house.write("other@players.example", "", "JOIN g1 hunter")
    house.tick()
    from pbem.dice.chains import DiceChains
    from pbem.player.joining import answer, read_letter
    from tests.club.house import plain

    facts = read_letter(plain(house.mails("other@players.example")[-1]).encode())
    house.write("other@players.example", answer(facts, DiceChains(key_of("other")), "0rі0n"))
    house.tick()
    assert {m.name for m in house.state.members.values()} == {"Orion", "0rі0n 2"}


def test_json_of_the_commands(house: House) -> None:
    made = house.offer("toy", "g1", "--json").json
    assert made["g1"]["seats"] == ["fox", "hunter"]
    assert house.run("offer", "--json").json["g1"]["free"] == ["fox", "hunter"]
    assert house.run("standings", "--json").json == {"games": 0, "tables": []}
    assert house.run("tournament", "--json").json == {}
    key = str(house.home / "my.key")
    assert house.run("keygen", "-o", key).code == 0
    to = ("--email", "orion@players.example", "--to", "games@club.example")
    wish = house.run("wish", "JOIN", "g1", "fox", "--key", key, *to, "--json").json["wish"]
    assert "BEGIN WISH" in wish
    assert house.run("offer", "--withdraw", "g1", "--json").json == {"withdrawn": "g1"}
    assert house.run("offer", "--withdraw", "g1").code == 3
    assert house.run("wish", "hello", "--key", key, *to).code == 2
