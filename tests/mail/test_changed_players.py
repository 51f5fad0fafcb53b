"""What who held a side, and who holds it now, is told when its player or address changes."""

from __future__ import annotations

from email import message_from_bytes

import pytest

from pbem.admin.commands import extend, hold, readdress, replace, resume, schedule
from pbem.admin.setup import Newcomer
from pbem.crypto.sshsig import public_line
from pbem.outbound.forward import resend
from pbem.reports.key_notices import print_of
from pbem.store.game_dir import writing
from pbem.turns.schedule import read_rule
from tests.conftest import Clock
from tests.mail.office import Office
from tests.referee import Referee, key_of

NEW = public_line(key_of("new").wire)


@pytest.fixture
def office(referee: Referee) -> Office:
    with writing(referee.home, "g1") as game:
        schedule(game, read_rule(["every=1d"]))
    office = Office(referee)
    office.one()
    office.empty()
    return office


def test_the_old_address_hears_that_mail_goes_elsewhere(office: Office) -> None:
    """Somebody else asked the moderator in the player's name."""
    with writing(office.home, "g1") as game:
        readdress(game, "fox", "evil@example.org")
    office.one()
    assert office.subjects("fox") == ["[g1] Your mail goes to another address"]
    assert "tell the moderator at once" in office.bodies("fox")
    assert "evil" not in office.bodies("fox")
    assert len(office.sent("evil")) == 2
    assert not office.sent("hunter")
    assert office.referee.audit().whole


def test_a_player_who_keeps_his_address_hears_nothing_of_another(office: Office) -> None:
    with writing(office.home, "g1") as game:
        readdress(game, "fox", "fox@example.org", "Europe/Berlin")
    office.one()
    assert "[g1] Your mail goes to another address" not in office.subjects("fox")


def test_who_is_replaced_reads_that_his_key_plays_no_more(office: Office) -> None:
    with writing(office.home, "g1") as game:
        replace(game, "fox", Newcomer(NEW, "new@example.org"))
    office.one()
    (mail,) = office.sent("fox")
    assert mail["Subject"] == "[g1] A key of the Fox side has changed"
    ended = print_of(public_line(key_of("fox").wire))
    assert f"What ends:\n  {ended}\n" in office.bodies("fox").replace("\r", "")
    assert "plays the Fox side no more" in office.bodies("fox")
    assert ended not in office.bodies("hunter")
    assert "no more" not in office.bodies("hunter")


def test_a_new_player_is_told_the_present_deadline_in_his_zone(
    office: Office, clock: Clock
) -> None:
    with writing(office.home, "g1") as game:
        hold(game, "nobody plays")
    clock.advance(days=3)
    with writing(office.home, "g1") as game:
        resume(game, "2026-11-28T12:00:00Z")
        replace(game, "fox", Newcomer(NEW, "new@example.org", tz="Asia/Tokyo"))
    office.one()
    (own,) = [mail for mail in office.sent("new") if "You now play" in str(mail["Subject"])]
    body = own.get_payload(decode=True)
    assert isinstance(body, bytes)
    assert "The open window closes Sat 28 Nov, 21:00 (Tokyo)" in body.decode()


def test_a_report_sent_again_says_a_deadline_that_has_moved(office: Office, clock: Clock) -> None:
    office.referee.run(force=True)
    office.mail("fox", "RESEND")
    office.one()
    assert "The deadline has moved" not in office.bodies("fox")
    with writing(office.home, "g1") as game:
        extend(game, "2026-11-28T12:00:00Z", "a holiday")
    office.one()
    office.empty()
    office.mail("fox", "RESEND\nplease")
    office.one()
    assert "The deadline has moved" in office.bodies("fox")
    assert "28 Nov" in " ".join(office.subjects("fox"))
    assert len(office.sent("fox")) == 2


def test_the_subject_of_a_report_sent_again_names_the_present_deadline(
    office: Office, clock: Clock
) -> None:
    """What is signed and recorded stays; only the subject says what holds now."""
    office.referee.run(force=True)
    first = message_from_bytes((office.referee.folder / "outbox/fox-0001-report.eml").read_bytes())
    (newest,) = office.referee.folder.glob("reports/fox/2/report.eml")
    mailed = message_from_bytes(newest.read_bytes())
    with writing(office.home, "g1") as game:
        extend(game, "2026-11-28T12:00:00Z", "a holiday")
    office.one()
    office.empty()
    office.mail("fox", "RESEND")
    office.one()
    (again,) = [mail for mail in office.sent("fox") if "closes" not in str(mail["Subject"])]
    assert str(mailed["Subject"]).endswith("; orders by Sat 21 Nov 12:00 UTC")
    news = str(mailed["Subject"]).rpartition("; ")[0]
    assert str(again["Subject"]) == f"{news}; orders by Sat 28 Nov 12:00 UTC"
    assert again["Message-ID"] != mailed["Message-ID"]  # else mail programs drop one of the two
    assert again["References"] == first["Message-ID"]
    parts = [part.get_payload(decode=True) for part in again.walk()]
    assert parts == [part.get_payload(decode=True) for part in mailed.walk()]
    with writing(office.home, "g1") as game:
        hold(game, "nobody plays")
        name = resend(game, "fox", 2)
        held = message_from_bytes((office.referee.folder / name).read_bytes())
        assert str(held["Subject"]) == f"{news}; on hold"
        resend(game, "fox", 1)  # of a closed window nothing is wanted any more
    (old,) = office.referee.folder.glob("outbox/fox-0001-report.eml")
    sent = sorted(office.referee.folder.glob("outbox/fox-*-report.eml"))[-1]
    assert sent.read_bytes() == old.read_bytes()
    assert office.referee.audit().whole


def test_a_new_player_gets_the_report_with_the_present_deadline(
    office: Office, clock: Clock
) -> None:
    with writing(office.home, "g1") as game:
        extend(game, "2026-11-28T12:00:00Z", "a holiday")
        replace(game, "fox", Newcomer(NEW, "new@example.org", tz="Asia/Tokyo"))
    office.one()
    (report,) = [m for m in office.sent("new") if m.get_content_subtype() == "mixed"]
    assert str(report["Subject"]).endswith("; orders by Sat 28 Nov 21:00")
