"""What people and machines write, and what they are answered."""

from __future__ import annotations

from email.message import EmailMessage

import pytest

from games.toy.game import SYSTEM
from pbem.admin.letters import invite
from pbem.admin.setup import Choices
from pbem.base.report_json import Report
from pbem.crypto.sshsig import armour, sign
from pbem.inbound.letter import LARGEST
from pbem.store.game_dir import writing
from pbem.store.records import Noted
from tests.conftest import Clock
from tests.mail.office import CONFIG, Office
from tests.referee import Referee, key_of


@pytest.mark.parametrize(
    ("written", "subject", "said"),
    [
        ("help", "hello", "This is the referee of game g1"),
        ("HELP!", "Re: g1", "You get a receipt"),
        ("", "Status", "You have no set in force"),
        ("Status.\n-- \nthe fox", "x", "Window 1 of g1 is open"),
        ("> quoted\nhelp", "x", "the referee"),
    ],
)
def test_one_word_is_answered(office: Office, written: str, subject: str, said: str) -> None:
    office.mail("fox", written, subject)
    assert office.one().dealt.answered == 1
    assert said in office.bodies("fox")
    assert not office.sent("hunter")
    assert not office.sent("mod")


def test_help_names_press_where_there_is_press(office: Office) -> None:
    other = Referee.made(office.home, SYSTEM, Choices(seed="y", press="open"), "g2")
    other.open()
    for game in ("g1", "g2"):
        office.mail("fox", "help", game)
    office.tick()
    plain, pressed = (
        str(m.get_payload()) for m in office.sent("fox") if str(m["Subject"]).endswith("Help")
    )
    assert ("BEGIN PRESS" in plain, "BEGIN PRESS" in pressed) == (False, True)
    for text in (plain, pressed):
        assert (
            "\n  pbem sign orders.txt --key MY.key --report report.json -o signed.txt\r\n" in text
        )
        assert "RESIGN;" in text
        assert text.endswith("passed on to the moderator, a person.\r\n")


def test_status_tells_of_the_own_set_alone(office: Office) -> None:
    office.orders("fox")
    office.mail("fox", "status")
    office.mail("hunter", "status")
    office.one()
    assert "In force: your set with seq" in office.bodies("fox")
    assert "You have no set" in office.bodies("hunter")
    assert "fox" not in office.bodies("hunter").lower()


def test_resend_sends_the_same_report(office: Office) -> None:
    office.mail("fox", "resend")
    office.one()
    (mail,) = office.sent("fox")
    path = office.referee.folder / "reports" / "fox" / "1" / "report.eml"
    assert next((office.home / "out" / "new").iterdir()).read_bytes() == path.read_bytes()
    assert mail["Subject"].startswith("[g1]")


def test_unsigned_orders_are_checked_and_answered(office: Office) -> None:
    office.mail("fox", office.referee.block("fox", "FOX: move A2;\nFOX: fly E5;"))
    ticked = office.one()
    assert (ticked.dealt.taken, ticked.dealt.refused) == (0, 1)
    text = " ".join(office.bodies("fox").split())
    assert "Not in force: these orders are not signed" in text
    assert "UNDERSTOOD AS FOX: move A2" in text
    assert "fly" in text
    assert "pbem sign" in text
    assert not office.referee.register.sets


def test_the_answer_to_unsigned_orders_goes_to_their_sender_alone(office: Office) -> None:
    with writing(office.home, "g1") as game:
        from pbem.store.secrets import add_address

        add_address(game, "fox", "second@example.org", "", "")
        game.commit(Noted(sides=[]))
    office.mail("fox", office.referee.block("fox", "FOX: move A2;"))
    office.one()
    assert [m["To"] for m in office.sent()] == ["fox@example.org"]


def test_nobody_unknown_is_answered(office: Office) -> None:
    office.mail("stranger", office.referee.block("fox", "FOX: move A2;"))
    office.mail("stranger", "help")
    office.mail("stranger", "status", subject="g1")
    office.mail("stranger", "BEGIN PRESS TO ALL\nPeace!\nEND PRESS", subject="g1")
    office.one()
    assert not office.sent("stranger")
    assert not office.sent("fox")
    assert [r.kind for r in office.referee.records].count("refused") == 1
    about = ["a mail for the moderator", *["g1: a mail for the moderator"] * 2]
    assert office.subjects("mod") == about


def test_what_is_signed_counts_whoever_sends_it(office: Office) -> None:
    text = office.referee.orders("fox", office.referee.suggested("fox"))
    office.mail("stranger", text, head=["Auto-Submitted: auto-generated", "Precedence: bulk"])
    assert office.one().dealt.taken == 1
    assert "received, all understood" in office.subjects("fox")[0]


@pytest.mark.parametrize(
    "head",
    ["Auto-Submitted: auto-replied", "Return-Path: <>", "List-Id: <a.b>", "Precedence: junk"],
)
def test_machines_are_not_answered(office: Office, head: str) -> None:
    office.mail("fox", "help", head=[head])
    office.mail("fox", office.referee.block("fox", "FOX: move A2;"), head=[head])
    office.mail("fox", "I am away until Monday.", head=[head])
    ticked = office.one()
    assert ticked.mails == 3
    assert not office.sent()


def test_our_own_mail_coming_back_ends_there(office: Office) -> None:
    outbox = office.referee.folder / "outbox"
    for path in sorted(outbox.glob("*.eml")):
        office.drop(path.read_bytes())
    assert office.one().mails == 2
    for _ in range(3):
        for path in (office.home / "out" / "new").iterdir():
            office.drop(path.read_bytes())
        office.empty()
        office.one()
    assert not office.sent()


def test_known_orders_are_acknowledged_again(office: Office) -> None:
    text = office.referee.orders("fox", office.referee.suggested("fox"))
    office.mail("fox", text, head=["Received: a"])
    office.one()
    office.empty()
    office.mail("fox", text, head=["Received: b"])
    ticked = office.one()
    assert "arrived before" in office.subjects("fox")[0]
    assert ticked.dealt.refused == 0
    assert [r.kind for r in office.referee.records].count("received") == 1


def test_the_same_mail_twice_is_taken_once(office: Office) -> None:
    path = office.mail("fox", office.referee.block("fox", "FOX: move A2;"))
    raw = path.read_bytes()
    office.one()
    office.drop(raw)
    office.one()
    assert [r.kind for r in office.referee.records].count("refused") == 1
    assert len(office.sent("fox")) == 1


def test_known_sets_quoted_below_a_new_one_pass_silently(office: Office) -> None:
    """A long conversation brings every set that was ever sent."""
    old = [office.referee.orders("fox", office.referee.suggested("fox")) for _ in range(3)]
    for text in old:
        office.mail("fox", text)
        office.one()
    office.empty()
    new = office.referee.orders("fox", office.referee.suggested("fox"))
    office.mail("fox", "\n".join([new, *reversed(old), old[0]]))
    office.mail("fox", "\n".join([new, *old]), head=["Received: again"])
    assert (office.one().dealt.refused, len(office.sent("fox"))) == (0, 2)
    assert office.subjects("fox") == [
        "[g1] 1 order received, all understood",
        "[g1] These orders arrived before",
    ]


@pytest.mark.parametrize("signature", ["", "BEGIN SEAL " + "a" * 104 + " END SEAL\n"])
def test_a_mail_of_a_thousand_blocks_is_answered_by_few(signature: str, office: Office) -> None:
    """Nobody's mailbox is filled by one mail in his name; what he signed counts all the same."""
    blocks = "".join(f"BEGIN ORDERS FOX: move A{n}; END ORDERS\n{signature}" for n in range(1500))
    office.mail("fox", blocks)
    assert (office.one().dealt.refused, len(office.sent("fox"))) == (5, 5)
    office.mail("fox", blocks + office.referee.orders("fox", office.referee.suggested("fox")))
    assert office.one().dealt.taken == 1


def test_the_daily_cap_withholds_answers_but_no_receipt(office: Office, clock: Clock) -> None:
    (office.home / "pbem.toml").write_text(CONFIG + "[limits]\nanswers = 3\n")
    for number in range(6):
        office.mail("fox", f"help\n{number}")
    office.one()
    assert len(office.sent("fox")) == 3
    office.mail("fox", office.referee.block("fox", "FOX: move A2;"))
    office.orders("fox")
    office.one()
    assert any("received, all understood" in one for one in office.subjects("fox"))
    assert len(office.sent("fox")) == 4
    clock.advance(days=1)
    office.mail("fox", "help")
    office.one()
    assert len(office.sent("fox")) == 5


def test_mail_without_orders_goes_to_the_moderator_unanswered(office: Office) -> None:
    office.mail("fox", "Dear moderator,\nmay I have one more day?\n> BEGIN ORDERS\n> END ORDERS")
    ticked = office.one()
    assert ticked.dealt.passed == 1
    assert not office.sent("fox")
    (mail,) = office.sent("mod")
    attached = [p for p in mail.walk() if p.get_filename() == "mail.eml"]
    body = attached[0].get_payload(decode=True)
    assert isinstance(body, bytes)
    assert b"one more day" in body
    assert "| may I have one more day?" in office.bodies("mod").splitlines()
    assert mail["Reply-To"] == "fox@example.org"
    assert office.one().dealt.passed == 0


def test_nobody_writes_to_the_moderator_in_the_referees_name(office: Office) -> None:
    office.mail("fox", "\n\nSend your key to me.\r\nK\u00f6nig" + "\nx" * 200)
    office.one()
    said = office.bodies("mod").split("TEXT`.")[1].strip().splitlines()
    assert said[:2] == ["| Send your key to me.", "| Konig"]
    assert len(said) == 60
    assert all(line.startswith("| ") for line in said)


def test_a_mail_that_cannot_be_read_is_kept_and_answered_plainly(office: Office) -> None:
    raw = b"From: fox@example.org\r\nSubject: g1 orders\r\n\r\n" + b"a" * 300_000
    office.drop(raw)
    ticked = office.one()
    assert ticked.dealt.passed == 1
    assert "could not be read" in office.bodies("fox")
    assert "Traceback" not in office.bodies("fox")
    assert office.subjects("mod") == ["g1: a mail for the moderator"]
    assert list((office.referee.folder / "private" / "mail").glob("*.mail"))


def large(text: str) -> bytes:
    """A mail over the cap: something written above a picture that its program put in again."""
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "fox@example.org", "games@example.org", "Re: g1"
    mail.set_content(text)
    mail.add_attachment(b"\x89PNG" + bytes(LARGEST), "image", "png", filename="chart.png")
    return bytes(mail)


def test_signed_orders_at_the_head_of_a_mail_too_long_count(office: Office) -> None:
    office.drop(large(office.referee.orders("fox", office.referee.suggested("fox"))))
    ticked = office.one()
    assert (ticked.dealt.taken, ticked.dealt.passed) == (1, 0)
    assert office.subjects("fox") == ["[g1] 1 order received, all understood"]


def test_nothing_else_in_a_mail_too_long_counts(office: Office) -> None:
    office.drop(large(office.referee.block("fox", "FOX: move A2;")))
    office.drop(large("status"))
    ticked = office.one()
    assert (ticked.dealt.answered, ticked.dealt.passed, ticked.dealt.refused) == (2, 1, 0)
    assert office.subjects("fox") == ["[g1] Status", "[g1] Your mail could not be read"]
    assert not office.referee.register.sets


def test_a_bounce_that_brings_the_whole_report_back_is_noted(office: Office) -> None:
    name = "outbox/fox-0001-report.eml"
    first = (office.referee.folder / name).read_text()
    mark = next(li for li in first.splitlines() if li.startswith("Message-ID")).split(": ")[1]
    office.drop(bounce(mark).replace(b"\n--b--", b"\n" + b"a\n" * LARGEST + b"--b--"))
    assert office.one().dealt.bounced == 1
    assert name in office.referee.register.mail_state.bounced
    assert office.subjects() == [f"g1: {name} cannot be delivered"]


def test_mail_of_no_game_is_kept_for_the_moderator(office: Office) -> None:
    office.mail("stranger", "Buy now!")
    office.mail("stranger", "Buy more!", head=["List-Id: <x>"])
    office.tick()
    assert len(list((office.home / ".pbem" / "unread").iterdir())) == 2
    assert office.subjects("mod") == ["a mail for the moderator"]


def test_a_quoted_form_beside_a_signed_set_is_ignored(office: Office) -> None:
    block = office.referee.block("fox", "FOX: move A2;")
    quoted = "".join(f"> {line}\n" for line in block.splitlines())
    text = office.referee.orders("fox", office.referee.suggested("fox"))
    office.mail("fox", f"{text}\nOn Friday the referee wrote:\n{quoted}\n{block}")
    ticked = office.one()
    assert (ticked.dealt.taken, ticked.dealt.refused) == (1, 0)
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "fox@example.org", "games@example.org", "g1"
    mail.set_content(f"As I wrote it:\n{block}")
    signed = office.referee.orders("fox", office.referee.suggested("fox"))
    mail.add_attachment(signed.encode(), "text", "plain", filename="signed.txt")
    office.drop(bytes(mail))
    ticked = office.one()
    assert (ticked.dealt.taken, ticked.dealt.refused) == (1, 0)


def test_orders_txt_with_its_signature_from_stock_tools(office: Office) -> None:
    block = office.referee.block("fox", office.referee.suggested("fox")).encode()
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "fox@example.org", "games@example.org", "g1"
    mail.set_content("My orders.\n")
    mail.add_attachment(block, "text", "plain", filename="orders.txt")
    signature = armour(sign(block, key_of("fox"), "orders@pbem"))
    data = signature.encode() if isinstance(signature, str) else signature
    mail.add_attachment(data, "application", "octet-stream", filename="orders.txt.sig")
    office.drop(bytes(mail))
    assert office.one().dealt.taken == 1


def test_html_alone_is_read(office: Office) -> None:
    text = office.referee.orders("fox", office.referee.suggested("fox"))
    rows = "".join(f"<div>{line or '<br>'}</div>" for line in text.splitlines())
    office.mail("fox", f"<html><body>{rows}</body></html>", head=["Content-Type: text/html"])
    assert office.one().dealt.taken == 1


def test_a_forwarded_mail_is_read(office: Office) -> None:
    inner, outer = EmailMessage(), EmailMessage()
    inner["From"] = "fox@example.org"
    inner.set_content(office.referee.orders("fox", office.referee.suggested("fox")))
    outer["From"], outer["Subject"] = "friend@example.org", "Fwd: orders"
    outer.set_content("For the fox.\n")
    outer.add_attachment(inner)
    office.drop(bytes(outer))
    assert office.one().dealt.taken == 1


def bounce(message_id: str, action: str = "failed", status: str = "5.1.1") -> bytes:
    return (
        "Return-Path: <>\nFrom: MAILER-DAEMON@example.org\nTo: games@example.org\n"
        "Subject: undelivered\n"
        "Auto-Submitted: auto-replied\nMIME-Version: 1.0\n"
        'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\n\n'
        "--b\n\nIt did not arrive.\n"
        "--b\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; example.org\n\n"
        f"Final-Recipient: rfc822; fox@example.org\nAction: {action}\nStatus: {status}\n"
        f"\n--b\nContent-Type: text/rfc822-headers\n\nSubject: x\nMessage-ID: {message_id}\n--b--\n"
    ).encode()


def test_a_bounce_is_noted_and_shown(office: Office) -> None:
    from tests.cli.commands import pbem

    first = (office.referee.folder / "outbox" / "fox-0001-report.eml").read_text()
    mark = next(li for li in first.splitlines() if li.startswith("Message-ID")).split(": ")[1]
    office.drop(bounce(mark, action="delayed", status="4.4.1"))
    assert office.one().dealt.bounced == 0
    office.drop(bounce(mark))
    office.drop(bounce("<0@g1.pbem.invalid>"))
    ticked = office.one()
    assert ticked.dealt.bounced == 1
    assert office.referee.records[-1].body == {
        "mail": "outbox/fox-0001-report.eml",
        "code": "5.1.1",
        "clock": "PBEM_NOW",
    }
    assert ticked.bounced == 1
    said = pbem("--home", office.home, "status", "g1")
    assert "outbox/fox-0001-report.eml bounced: 5.1.1" in said.out
    (told,) = office.sent()
    assert told["To"] == "mod@example.org"
    assert "The server said: 5.1.1." in office.bodies("mod")
    assert "`pbem replace g1 SIDE --email ADDR`" in office.bodies("mod")
    assert office.referee.audit().whole


def test_joining_by_mail(tmp_path: object, office: Office) -> None:
    from pbem.dice.chains import DiceChains
    from pbem.player.joining import answer, read_letter

    with writing(office.home, "g1") as game:
        text = invite(game, office.referee.system, "fox", "new@example.org", "Europe/Berlin")
    letter = read_letter(text.encode())
    office.mail("new", "Hello!\n\n" + answer(letter, DiceChains(key_of("new")), "New"))
    assert office.one().dealt.joined == 1
    assert len(office.referee.register.officers) == 3
    assert "the fox side has another key" in " ".join(office.bodies("hunter").lower().split())
    assert not office.sent("mod")


def test_a_key_is_changed_by_mail(office: Office) -> None:
    from pbem.admin import key_change
    from pbem.dice.chains import DiceChains

    text = key_change.change(
        Report.of(office.referee.report("fox")), key_of("fox"), DiceChains(key_of("new"))
    )
    office.mail("fox", f"My new key:\n\n{text}")
    assert office.one().dealt.keys == 1
    assert "Your key has changed." in office.bodies("fox")
    assert max(map(len, office.bodies("hunter").splitlines())) <= 72
    assert "A key of the Fox side has changed" in office.sent("hunter")[0]["Subject"]


def test_a_spooled_mail_is_taken(office: Office) -> None:
    from tests.cli.commands import pbem

    text = office.referee.orders("fox", office.referee.suggested("fox"))
    raw = f"From: fox@example.org\nSubject: x\n\n{text}".encode()
    assert pbem("--home", office.home, "spool", stdin=raw).code == 0
    assert office.one().dealt.taken == 1


def test_an_empty_spooled_mail_is_no_mail(office: Office) -> None:
    from tests.cli.commands import pbem

    said = pbem("--home", office.home, "spool", stdin=b"\n")
    assert (said.code, said.err) == (75, "error: no mail came on standard input\n")
    assert office.one().dealt.taken == 0


def test_secrets_of_the_referee_stay_in_private_folders(office: Office, referee: Referee) -> None:
    office.orders("fox")
    office.one()
    assert (referee.folder / "private").stat().st_mode & 0o077 == 0
    assert (office.home / ".pbem").stat().st_mode & 0o077 == 0
    assert b"example.org" not in (referee.folder / "ledger.jsonl").read_bytes()


def test_mail_is_kept_as_it_came(office: Office) -> None:
    """Also one that a killed tick had sorted, and that is opened again."""
    from pbem.inbound.fetch import INBOX, collect

    raws = [office.orders("fox").read_bytes(), office.mail("fox", "help").read_bytes()]
    collect(office.home, office.config)
    assert len(list(office.referee.folder.joinpath(*INBOX).iterdir())) == 2
    raws.append(office.orders("hunter").read_bytes())
    done = office.one()
    assert (done.mails, done.dealt.taken, done.dealt.answered) == (3, 2, 1)
    kept = list((office.referee.folder / "private" / "mail").iterdir())
    assert sorted(path.read_bytes() for path in kept) == sorted(raws)
    assert not list(office.referee.folder.joinpath(*INBOX).iterdir())


def test_letters_of_many_mails_are_not_all_remembered(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pbem.inbound import fetch

    monkeypatch.setattr(fetch, "KEPT", 1000)
    for _ in range(5):
        office.mail("fox", "help" + " " * 300)
    done = fetch.collect(office.home, office.config)
    assert 0 < len(done.letters["g1"]) < done.fetched == 5
    assert office.one().dealt.answered == 5


@pytest.mark.parametrize("children", [1, 2, 3])
def test_each_child_of_the_pool_reads_its_share(
    children: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Letters come back in the order of their mails, one that cannot be read among them."""
    from pbem.inbound.pool import Readers

    monkeypatch.setattr("pbem.inbound.pool.SHARE", 1000)

    def mail(n: int) -> bytes:
        body = b"a" * (LARGEST if n == 6 else n)
        return f"From: p{n}@example.org\n\n".encode() + body

    with Readers(children) as readers:
        found = readers.read([(f"20261120T1200{n:02}Z-x.eml", mail(n)) for n in range(11)])
        started = [sandbox._child is not None for sandbox in readers._sandboxes]
    assert [one.sender for one in found] == [f"p{n}@example.org" for n in range(11)]
    assert [one.arrived for one in found] == [f"2026-11-20T12:00:{n:02}Z" for n in range(11)]
    assert [bool(one.unreadable) for one in found] == [n == 6 for n in range(11)]
    assert started == [True] * children


def test_while_the_readers_start_something_else_is_done_once(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where there is no mail nothing starts, and nothing is done."""
    from pbem.inbound import fetch
    from pbem.inbound.sandbox import Sandbox

    done: list[str] = []
    monkeypatch.setattr(Sandbox, "start", lambda sandbox: done.append("start"))
    monkeypatch.setattr(fetch, "BATCH", 8)
    monkeypatch.setattr("pbem.inbound.pool.SHARE", 1)
    for count, wanted in ((0, []), (3, ["start", "else"]), (16, ["start"] * 2 + ["else"])):
        for _ in range(count):
            office.mail("fox", "help")
        fetch.collect(office.home, office.config, 2, lambda: done.append("else"))
        assert done[: len(wanted)] == wanted
        assert done.count("else") == bool(count)
        done.clear()
