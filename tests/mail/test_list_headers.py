"""The headers by which mail programs sort a game's mail and end it, and what UNSUBSCRIBE does."""

from __future__ import annotations

from email.message import Message
from urllib.parse import parse_qs, urlsplit

import pytest

from pbem.outbound.spectators import enrol
from pbem.store.game_dir import writing
from tests.mail.office import CONFIG, Office
from tests.referee import Referee

CLUB = '[club]\nname = "Club"\nsite = "www"\nurl = "https://club.example.org/"\n'


@pytest.fixture
def office(referee: Referee) -> Office:
    """A game that is watched by somebody."""
    with writing(referee.home, referee.name) as game:
        enrol(game, "w@example.org")
    office = Office(referee)
    office.one()
    office.empty()  # what was written before there was an address
    for side in ("fox", "hunter"):
        office.orders(side)
    office.one()
    return office


def link(mail: Message, header: str) -> tuple[str, dict[str, list[str]]]:
    """Address and fields of a header's mailto link."""
    found = urlsplit(str(mail[header]).strip("<>"))
    assert found.scheme == "mailto"
    return found.path, parse_qs(found.query)


def test_every_mail_of_a_game_can_be_sorted_and_ended(office: Office) -> None:
    mails = office.sent()
    kinds = {str(mail["To"]) for mail in mails}
    assert {"fox@example.org", "hunter@example.org", "w@example.org"} <= kinds
    for mail in mails:
        assert mail["List-Id"] == "g1 <g1.pbem.example.org>"
        for header, word in (("List-Help", "HELP"), ("List-Unsubscribe", "UNSUBSCRIBE")):
            assert link(mail, header) == (
                "games@example.org",
                {"subject": ["[g1]"], "body": [word]},
            )
        assert mail["List-Archive"] is None and mail["List-Unsubscribe-Post"] is None


def test_a_club_with_a_site_names_the_page_of_the_game(office: Office) -> None:
    (office.home / "pbem.toml").write_text(CONFIG + CLUB)
    office.empty()
    for side in ("fox", "hunter"):
        office.orders(side)
    office.one()
    page = "<https://club.example.org/g/g1.html>"
    assert {mail["List-Archive"] for mail in office.sent("fox")} == {page}


def test_a_spectator_ends_his_mail_by_the_button_of_his_program(office: Office) -> None:
    office.empty()
    office.mail("w", "UNSUBSCRIBE", subject="[g1]", sender="w@example.org")
    office.one()
    assert office.referee.register.spectators == []
    assert office.subjects("mod") == ["g1: spectator 1 has unsubscribed"]
    office.empty()
    for side in ("fox", "hunter"):
        office.orders(side)
    office.one()
    assert not office.sent("w")


def test_a_player_who_wants_no_more_mail_is_passed_on(office: Office) -> None:
    office.empty()
    office.mail("fox", "UNSUBSCRIBE", subject="[g1]")
    office.one()
    assert len(office.sent("mod")) == 1
    assert office.referee.register.spectators == [1]


def test_a_stranger_unsubscribes_nobody(office: Office) -> None:
    office.mail("x", "UNSUBSCRIBE", subject="[g1]", sender="x@example.org")
    office.one()
    assert office.referee.register.spectators == [1]
