"""Players come, go and move in mid-game: whoever plays gets what he needs to go on, and nobody
else gets it."""

from __future__ import annotations

from contextlib import suppress
from email import message_from_bytes, policy
from pathlib import Path

import pytest

from games.toy.game import SYSTEM
from pbem.admin.commands import hold, readdress, replace, resume, schedule
from pbem.admin.letters import invite
from pbem.admin.setup import Choices, Newcomer, create, enlist
from pbem.crypto.age import BadAge, decrypt
from pbem.crypto.sshsig import public_line
from pbem.dice.chains import DiceChains
from pbem.outbound.forward import resend
from pbem.outbound.spectators import enrol
from pbem.player.joining import answer, read_letter
from pbem.reports.key_notices import print_of
from pbem.store.game_dir import writing
from pbem.turns.schedule import read_rule
from tests.cli.commands import pbem
from tests.conftest import Clock
from tests.encryption import EncryptedReferee, age_part, identity_of
from tests.mail.office import CONFIG, Office
from tests.referee import Referee, key_of, signed

NEW = Newcomer(public_line(key_of("new").wire), "new@example.org", "New")


def reports(office: Office, who: str) -> list[str]:
    """Whom the reports that somebody got were addressed to."""
    return [
        str(m["To"])
        for m in office.sent()
        if "turn" in m["Subject"] and f"{who}@example.org" in m["To"].split(", ")
    ]


def test_who_takes_over_a_side_gets_the_open_report_and_plays_on(office: Office) -> None:
    with writing(office.home, "g1") as game:
        replace(game, "fox", NEW)
    office.one()
    assert reports(office, "new") == ["new@example.org"]
    assert not reports(office, "fox")
    assert not reports(office, "hunter")
    said = office.bodies("new").replace("\r\n", "\n")
    assert "[g1] You now play the Fox side" in office.subjects("new")
    assert "[g1] A key of the Fox side has changed" not in office.subjects("new")
    assert f"Your key is\n{print_of(NEW.key)}." in said
    assert "A key of the Fox side has changed" in office.sent("hunter")[0]["Subject"]
    (mail,) = [m for m in office.sent("new") if "turn" in m["Subject"]]
    first = message_from_bytes(
        (office.referee.folder / "outbox" / "fox-0001-report.eml").read_bytes()
    )
    assert mail.as_bytes().partition(b"\n\n")[2] == first.as_bytes().partition(b"\n\n")[2]
    assert mail["Message-ID"] != first["Message-ID"]
    lines = office.referee.suggested("fox")
    office.mail("new", signed(office.referee.block("fox", lines), key_of("new")))
    assert office.one().dealt.taken == 1
    assert office.referee.audit().whole


def test_all_that_a_reader_gets_is_one_conversation(tmp_path: Path, clock: Clock) -> None:
    """Every mail but the first of a side, or of a spectator, refers to that first one."""
    office = Office(Referee.made(tmp_path / "home", SYSTEM, Choices(seed="x", press="open")))
    referee, home = office.referee, office.home
    with writing(home, "g1") as game:
        enrol(game, "watcher@example.org")
    referee.open()
    office.mail("fox", "BEGIN PRESS TO ALL\nPeace!\nEND PRESS")
    for text in ("help", "resend", referee.block("fox", "FOX: move A2;")):
        office.mail("fox", text)
    for side in referee.register.sides:
        office.orders(side)
    assert office.one().closed == 1
    with writing(home, "g1") as game:
        replace(game, "fox", NEW)
    for words in (
        ("hold", "g1"),
        ("resume", "g1"),
        ("undo", "g1"),
        ("note", "g1", "fox", "Hello."),
        ("end", "g1", "--result", "draw", "--reason", "late"),
    ):
        assert pbem("--home", home, *words).code == 0
    kinds = set()
    for reader in ("fox", "hunter", "spectator1"):
        paths = sorted((referee.folder / "outbox").glob(f"{reader}-*.eml"))
        kinds |= {path.stem.split("-")[2] for path in paths}
        first, *later = (message_from_bytes(path.read_bytes()) for path in paths)
        assert later
        for mail in later:
            same = mail["Message-ID"] == first["Message-ID"]  # the report that was sent again
            refers = (mail["References"], mail["In-Reply-To"])
            assert refers == ((None,) * 2 if same else (first["Message-ID"],) * 2), mail["Subject"]
        assert first["References"] is None
    assert kinds == {"report", "receipt", "note", "answer", "press", "undo", "end"}


def test_another_officer_gets_it_and_the_first_not_again(office: Office) -> None:
    with writing(office.home, "g1") as game:
        enlist(game, "fox", NEW)
    office.one()
    assert reports(office, "new") == ["new@example.org"]
    assert not reports(office, "fox")


def test_a_report_sent_again_goes_where_its_side_is_now(office: Office) -> None:
    """The mail that first brought it names who held the side then."""
    with writing(office.home, "g1") as game:
        resend(game, "fox", 1)
    office.one()
    assert reports(office, "fox") == ["fox@example.org"]
    with writing(office.home, "g1") as game:
        replace(game, "fox", NEW)
    office.one()
    office.empty()
    with writing(office.home, "g1") as game:
        resend(game, "fox", 1)
    office.one()
    assert (reports(office, "new"), reports(office, "fox")) == (["new@example.org"], [])


def test_a_player_moves_to_another_address(office: Office) -> None:
    said = pbem(
        "--home",
        office.home,
        "replace",
        "g1",
        "fox",
        "--email",
        "den@example.org",
        "--tz",
        "Europe/Rome",
    )
    assert said.out == "mail of officer 1 of fox in g1 goes to den@example.org\n"
    office.one()
    assert reports(office, "den") == ["den@example.org"]
    assert office.subjects("den")[-1] == "[g1] Your new address"
    assert not office.sent("hunter")
    office.mail("den", office.referee.orders("fox", office.referee.suggested("fox")))
    office.one()
    receipt = next(m for m in office.sent("den") if "order received" in m["Subject"])
    assert "(Rome)" not in receipt.as_string()  # no deadline runs
    assert "Received Fri 20 Nov, 13:00." in receipt.as_string()
    assert b"den@" not in (office.referee.folder / "ledger.jsonl").read_bytes()
    assert office.referee.audit().whole


def test_a_player_reads_of_deadlines_in_his_own_time(office: Office, clock: Clock) -> None:
    with writing(office.home, "g1") as game:
        readdress(game, "fox", "fox@example.org", "Europe/Rome")
        schedule(game, read_rule(["every=2d"]))
    office.mail("fox", "status")
    office.mail("hunter", "status")
    office.one()
    clock.advance(hours=25)
    assert office.one().reminded == 2
    own, utc = "Sun 22 Nov, 13:00 (Rome)", "Sun 22 Nov, 12:00 (UTC)"
    assert office.bodies("fox").count(own) == len(["schedule", "status", "reminder"])
    assert office.bodies("hunter").count(utc) == len(["schedule", "status", "reminder"])
    assert "CET" not in office.bodies("hunter")


def test_of_several_officers_the_one_who_moves_is_named(office: Office) -> None:
    with writing(office.home, "g1") as game:
        number = enlist(game, "fox", NEW)
    office.one()
    office.empty()
    said = pbem("--home", office.home, "replace", "g1", "fox", "--email", "den@example.org")
    assert (said.code, "--officer" in said.err) == (2, True)
    with writing(office.home, "g1") as game:
        assert readdress(game, "fox", "den@example.org", officer=number) == number
    office.one()
    assert reports(office, "den") == ["den@example.org"]
    assert not reports(office, "new")
    (office.home / "g1" / "private" / "addresses.json").read_text().index("fox@example.org")


def test_in_an_encrypted_game_he_gets_it_encrypted(tmp_path: Path, clock: Clock) -> None:
    office = Office(EncryptedReferee.begun(tmp_path / "home", SYSTEM))
    office.one()
    office.empty()
    with writing(office.home, "g1") as game:
        readdress(game, "fox", "den@example.org")
    office.one()
    assert len(office.sent("den")) == len(["the note", "the report"])
    assert len(office.sent("fox")) == len(["the notice that mail goes elsewhere"])
    assert any(b"report.eml.age" in m.as_bytes() for m in office.sent("den"))


def test_a_report_encrypted_anew_shows_no_picture_that_it_has_not(
    tmp_path: Path, clock: Clock
) -> None:
    """The chart was in the first mail alone, which the new key cannot open."""
    referee = EncryptedReferee.made(tmp_path / "home", SYSTEM, Choices(seed="x", chart="png"))
    referee.open()
    page = referee.folder / "reports" / "fox" / "1" / "report.html"
    assert b'src="cid:' in page.read_bytes()
    with writing(referee.home, "g1") as game:
        replace(game, "fox", Newcomer(public_line(key_of("den").wire), "den@example.org", "Den"))
    opened = list[bytes]()
    for path in (referee.folder / "outbox").glob("fox-*"):
        with suppress(BadAge):
            opened.append(decrypt(age_part(path.read_bytes()), [identity_of(key_of("den"))]))
    mails = [message_from_bytes(mail, policy=policy.default) for mail in opened]
    pages = [
        part for mail in mails for part in mail.walk() if part.get_content_type() == "text/html"
    ]
    assert pages
    assert not any("cid:" in part.get_content() for part in pages)


@pytest.mark.parametrize("bad", ["den", "a@b, c@d", "x@y\nBcc: z@w", "-x@y.z"])
def test_an_address_is_a_plain_one(bad: str, office: Office) -> None:
    before = (office.referee.folder / "ledger.jsonl").read_bytes()
    for words in (
        ("replace", "g1", "fox"),
        ("invite", "g1", "fox"),
        ("enlist", "g1", "fox", "--bot"),
    ):
        said = pbem("--home", office.home, *words, "--email", bad)
        assert (said.code, "plain address" in said.err) == (2, True), words
    assert (office.referee.folder / "ledger.jsonl").read_bytes() == before


def test_a_game_that_goes_on_waits_for_the_orders_of_the_new_player(
    office: Office, clock: Clock
) -> None:
    """All were in before the hold: without it the window would close under his hands."""
    from pbem.admin.commands import schedule
    from pbem.turns.schedule import read_rule

    with writing(office.home, "g1") as game:
        schedule(game, read_rule(["every=9d early=30m"]))
    for side in ("fox", "hunter"):
        office.orders(side)
    office.one()
    with writing(office.home, "g1") as game:
        hold(game, "")
        clock.advance(days=1)
        replace(game, "fox", NEW)
        resume(game)
    assert office.one().closed == 0
    clock.advance(minutes=31)
    assert office.one().closed == 0, "he was told the deadline, and has sent nothing yet"
    clock.advance(days=8)
    assert office.one().closed == 1, "at the deadline the former player's orders count"


def test_dice_that_are_rolled_by_hand_are_asked_for_once(tmp_path: Path, clock: Clock) -> None:
    from tests.referee import Referee

    office = Office(Referee.toy(tmp_path / "home", dice="hand"), CONFIG)
    office.one()
    for side in ("fox", "hunter"):
        office.orders(side)
    assert "rolled by hand" in office.one().talk[0]
    assert office.one().talk == []
    assert "g1: due; its dice are rolled by hand" in office.subjects("mod")


def test_what_was_taken_back_waits_for_the_moderator(office: Office) -> None:
    """A tick between his undo and his ruling must not run it again."""
    for side in ("fox", "hunter"):
        office.orders(side)
    assert office.one().closed == 1
    office.referee.undo()
    for _ in range(2):
        ticked = office.one()
        assert (ticked.closed, ticked.held) == (0, "window 1 was taken back; its orders are kept")
    assert [s for s in office.subjects("mod") if "taken back" in s] == [
        "g1: window 1 was taken back; its orders are kept"
    ]
    foretold = pbem("--home", office.home, "tick", "--dry-run").out
    assert "g1: on hold: window 1 was taken back" in foretold
    assert "pbem run g1" in pbem("--home", office.home, "status", "g1").out
    office.referee.run()
    assert office.referee.register.window == 3  # no number is given twice
    assert office.referee.audit().whole


def test_all_who_join_in_one_tick_are_written_to(tmp_path: Path, clock: Clock) -> None:
    """What one answer adds to the addresses stands there for the next, before it is on the disk."""
    create(tmp_path / "home", SYSTEM, "g1", Choices(seed="x"))
    office = Office(Referee(tmp_path / "home", SYSTEM))
    players = {"anna": "fox", "bert": "hunter", "cleo": "fox", "dora": "hunter"}
    for name, side in players.items():
        with writing(office.home, "g1") as game:
            text = invite(game, SYSTEM, side, f"{name}@example.org", "")
        office.mail(name, answer(read_letter(text.encode()), DiceChains(key_of(name)), name))
    assert office.one().dealt.joined == 4
    office.referee.open()
    office.one()
    told = {
        address
        for mail in office.sent()
        for address in str(mail["To"]).split(", ")
        if "turn 1" in str(mail["Subject"])
    }
    assert told == {f"{name}@example.org" for name in players}


def test_a_report_of_a_window_that_is_played_again_says_so(office: Office) -> None:
    office.referee.go("fox", "hunter")
    office.one()
    office.empty()
    office.referee.undo()
    office.referee.run()
    office.one()
    assert [s for s in office.subjects("fox") if s.startswith("[g1] Played again: ")]
