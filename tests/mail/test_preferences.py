"""Preferences by mail: what a player may set, what the answer says, and the next mails."""

from __future__ import annotations

import re
from email.message import Message
from pathlib import Path

import pytest

from games.toy.game import SYSTEM
from pbem.admin.commands import replace, schedule
from pbem.admin.setup import Choices, Newcomer
from pbem.base.clock import zone_named
from pbem.crypto.private_keys import generate
from pbem.errors import Usage
from pbem.store.game_dir import writing
from pbem.store.preferences import Preferences, hours_of, preferences_of
from pbem.turns.schedule import read_rule
from tests.cli.commands import pbem
from tests.conftest import Clock
from tests.mail.office import CONFIG, Office
from tests.referee import Referee


def asked(office: Office, words: str, subject: str = "g1", side: str = "fox") -> str:
    """The answer to a mail of a player, who confirms what he is asked."""
    office.mail(side, words, subject)
    assert office.one().dealt.answered == 1
    put = [mail for mail in office.sent(side) if is_question(mail)]
    text = office.bodies(side)
    office.empty()
    return text + asked(office, "", f"Re: {whole(put[0])}", side) if put else text


def whole(mail: Message) -> str:
    """The subject of a mail on one line."""
    return " ".join(str(mail["Subject"]).split())


def is_question(mail: Message) -> bool:
    return "Confirm SET" in whole(mail)


def question(office: Office, words: str, side: str = "fox") -> Message:
    """The question that comes back when somebody asks for preferences without signature."""
    office.mail(side, words, "g1")
    office.one()
    (mail,) = office.sent(side)
    office.empty()
    assert is_question(mail)
    return mail


def kinds(mail: Message) -> list[str]:
    """The types of a mail's parts, each with the name of its file."""
    return [f"{p.get_content_type()} {p.get_filename() or ''}".strip() for p in mail.walk()]


def reported(office: Office, side: str = "fox") -> Message:
    """Play a window; the report that a side gets."""
    office.orders("fox")
    office.orders("hunter")
    assert office.one().closed == 1
    found = [m for m in office.sent(side) if "application/json report.json" in kinds(m)]
    office.empty()
    return found[-1]


@pytest.mark.parametrize(
    "words",
    [
        "SET mail text\nSET pictures off\nSET remind 48h\nSET dates iso",
        "set mail text, pictures off, remind=48h; dates=ISO",
        "SET mail=text pictures=off remind=48 dates=iso\n\n-- \nThe fox",
    ],
)
def test_several_are_set_at_once(words: str, office: Office) -> None:
    text = asked(office, words)
    for line in ("SET mail text ", "SET pictures off ", "SET remind 48", "SET dates iso "):
        assert line in text
    kept = preferences_of(office.referee.register, "fox")
    assert kept == Preferences(mail="text", pictures="off", remind=48, dates="iso")
    assert preferences_of(office.referee.register, "hunter") == Preferences()
    assert office.referee.audit().whole


@pytest.mark.parametrize(("words", "subject"), [("SET", "g1"), ("", "SET"), ("set?\n", "g1")])
def test_set_alone_lists_what_can_be_set(words: str, subject: str, office: Office) -> None:
    text = asked(office, words, subject)
    for line in ("SET zone UTC", "SET mail html   (html, text)", "SET remind 24h"):
        assert line in text


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("zone Moon/Base", "time zone 'Moon/Base' is unknown; write it as Europe/Berlin"),
        ("mail pigeon", "mail cannot be pigeon; it is one of html, text"),
        ("remind 999h", "remind cannot be '999h'; hours before the deadline from 1 to 240"),
        ("remind 0", "remind cannot be '0'"),
        ("colour red", "SET colour is not known; SET knows zone, mail, pictures"),
        ("page attached", "page cannot be attached here; it is one of off"),
        ("mail", "mail cannot be nothing; it is one of html, text"),
    ],
)
def test_what_is_not_possible_is_said_and_the_rest_is_set(
    words: str, said: str, office: Office
) -> None:
    text = " ".join(asked(office, f"SET {words}\nSET dates iso").split())
    assert f"Not changed: {said}" in text
    assert preferences_of(office.referee.register, "fox") == Preferences(dates="iso")


def test_a_forged_mail_changes_nothing(office: Office) -> None:
    """Anybody can write an address as his own; the question goes to its owner."""
    mail = question(office, "SET remind off\nSET page off")
    assert mail["To"] == "fox@example.org"
    assert "somebody used your address" in " ".join(str(mail).split())
    assert preferences_of(office.referee.register, "fox") == Preferences()
    guessed = re.sub(r"code \w+", "code 0123456789ab", whole(mail))
    office.mail("fox", "", f"Re: {guessed}")
    office.mail("hunter", "", f"Re: {whole(mail)}")
    office.mail("stranger", "", f"Re: {whole(mail)}")
    office.one()
    for side in ("fox", "hunter"):
        assert "the code was for other preferences" in " ".join(office.bodies(side).split())
        assert preferences_of(office.referee.register, side) == Preferences()


def test_an_old_answer_does_not_change_them_back(office: Office) -> None:
    first = whole(question(office, "SET mail text"))
    office.mail("fox", "", f"Re: {first}")
    office.one()
    office.empty()
    asked(office, "SET mail html")
    assert "the code was for other" in " ".join(asked(office, "", f"Re: {first}").split())
    assert preferences_of(office.referee.register, "fox").mail == "html"


def test_a_quoted_question_is_confirmed_too(office: Office) -> None:
    line = whole(question(office, "SET mail text dates iso"))
    begun, code = line[: line.index(" code")], line[line.index("code") :]
    office.mail("fox", f"Yes please.\n\n> Subject: {begun}\n> {code}\n", "AW: hello")
    office.one()
    kept = preferences_of(office.referee.register, "fox")
    assert kept == Preferences(mail="text", dates="iso")


def test_a_signed_set_prefers_without_a_question(office: Office) -> None:
    said = "PREFER dates iso; PREFER zone Europe Berlin remind 36h mail pigeon;"
    office.orders("fox", f"{said}\n{office.referee.suggested('fox')}")
    office.one()
    text = " ".join(office.bodies("fox").split())
    assert "SET dates iso" in text
    assert "SET zone Europe/Berlin" in text
    assert "Not changed: mail cannot be pigeon" in text
    assert preferences_of(office.referee.register, "fox") == Preferences(dates="iso", remind=36)
    office.empty()
    office.one()
    assert not office.sent("fox")
    assert office.referee.audit().whole


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Europe/Berlin", "Europe/Berlin"),
        ("europe berlin", "Europe/Berlin"),
        ("berlin", "Europe/Berlin"),
        ("america/new_york", "America/New_York"),
        ("UTC", "UTC"),
    ],
)
def test_a_zone_may_be_written_in_any_letters(text: str, name: str) -> None:
    assert zone_named(text) == name


@pytest.mark.parametrize("text", ["", "/", "Moon/Base", "../../etc/passwd"])
def test_a_zone_that_nobody_knows_is_refused(text: str) -> None:
    with pytest.raises(Usage, match="is unknown"):
        zone_named(text)


def test_text_alone(office: Office) -> None:
    asked(office, "SET mail text")
    assert not any("html" in kind for kind in kinds(reported(office)))
    asked(office, "SET mail html")
    assert "text/html" in kinds(reported(office))


def test_pictures(tmp_path: Path, clock: Clock) -> None:
    referee = Referee.made(tmp_path / "home", SYSTEM, Choices(seed="x", chart="png"))
    referee.open()
    office = Office(referee)
    office.tick()
    office.empty()
    asked(office, "SET pictures off")
    office.orders("fox")
    office.orders("hunter")
    office.one()
    pictures = {
        side: sum("image/png" in kind for m in office.sent(side) for kind in kinds(m))
        for side in ("fox", "hunter")
    }
    assert pictures["fox"] == 0
    assert pictures["hunter"] > 0


def test_the_order_page(office: Office) -> None:
    url = 'order_page = "on"\norder_page_url = "https://example.org/p.html"\n'
    (office.home / "pbem.toml").write_text(CONFIG.replace("[mailbox]", f"{url}[mailbox]", 1))
    page = "text/html order-page.html"
    assert page in kinds(reported(office))
    asked(office, "SET page linked")
    mail = reported(office)
    assert page not in kinds(mail)
    assert "https://example.org/p.html" in str(mail)
    asked(office, "SET page off")
    mail = reported(office)
    assert page not in kinds(mail)
    assert "https://example.org/p.html" not in str(mail)


def test_the_time_zone_and_dates(office: Office) -> None:
    with writing(office.home, "g1") as game:
        schedule(game, read_rule(["every=3d"]))
    text = asked(office, "SET zone Europe/Berlin\nSET dates iso")
    assert "SET zone Europe/Berlin" in text
    assert "13:00 (Berlin)" in asked(office, "status")
    office.orders("fox")
    office.one()
    assert "2026-11-23 13:00" in office.bodies("fox")
    ledger = (office.referee.folder / "ledger.jsonl").read_text()
    assert "Berlin" not in ledger  # which is published after the game


def test_reminders_come_when_a_side_wants_them(office: Office, later: Clock) -> None:
    with writing(office.home, "g1") as game:
        schedule(game, read_rule(["every=4d", "remind=24h"]))
    office.one()
    office.empty()
    asked(office, "SET remind 36h")
    asked(office, "SET remind off", side="hunter")
    later.advance(hours=96 - 37)
    assert office.one().reminded == 0
    later.advance(hours=2)
    assert office.one().reminded == 1
    assert len(office.sent("fox")) == 1
    later.advance(hours=30)
    assert office.one().reminded == 0


def test_a_new_player_begins_without(office: Office) -> None:
    asked(office, "SET mail text")
    with writing(office.home, "g1") as game:
        replace(game, "fox", Newcomer(generate()[1], "new@example.org"))
    assert preferences_of(office.referee.register, "fox") == Preferences()


def test_the_moderator_sees_them(office: Office) -> None:
    asked(office, "SET mail text\nSET zone Europe/Berlin")
    assert "prefers mail text" in pbem("--home", office.home, "status", "g1").out
    facts = pbem("--home", office.home, "status", "g1", "--json").json["sides"]["fox"]
    assert facts["preferences"] == {"mail": "text", "zone": "set"}


def test_strangers_and_programs_set_nothing(office: Office) -> None:
    office.mail("stranger", "SET mail text")
    office.mail("fox", "SET mail text", head=["Auto-Submitted: auto-replied"])
    assert office.one().dealt.answered == 0
    assert preferences_of(office.referee.register, "fox") == Preferences()


@pytest.mark.parametrize(
    ("text", "hours"),
    [("12", 12), ("12h", 12), ("off", -1), ("0", None), ("241", None), ("x", None)],
)
def test_hours(text: str, hours: int | None) -> None:
    assert hours_of(text) == hours


def test_reports_and_subjects_have_dates_as_a_player_prefers(office: Office) -> None:
    with writing(office.referee.home, "g1") as game:
        schedule(game, read_rule(["every=3d at=20:00"]))
    asked(office, "SET dates iso")
    office.empty()
    office.referee.go("fox", "hunter")
    office.one()
    assert "orders by 2026-11-23 20:00" in office.subjects("fox")[-1]
    assert "ORDERS BY  2026-11-23 20:00 (UTC)" in office.bodies("fox")
    assert "orders by Mon 23 Nov 20:00" in office.subjects("hunter")[-1]
    assert "ORDERS BY  Mon 23 Nov, 20:00 (UTC)" in office.bodies("hunter")
