"""Press: who gets what under each policy, by mail and by the moderator, and nothing else."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from games.toy.game import SYSTEM
from pbem.admin.press import LONGEST, MOST, Message, Refused, _addressees, blocks, quoted
from pbem.admin.setup import Choices
from pbem.model import Side
from pbem.outbound.spectators import enrol
from pbem.store.game_dir import writing
from tests.cli.commands import pbem
from tests.conftest import Clock
from tests.mail.office import Office
from tests.referee import Referee

WORDS = "BEGIN PRESS TO {to}\n{text}\nEND PRESS\n"


def with_press(home: Path, policy: str) -> Office:
    """An open game of that policy, its first reports sent."""
    referee = Referee.made(home, SYSTEM, Choices(seed="x", press=policy))
    referee.open()
    office = Office(referee)
    office.tick()
    office.empty()
    return office


@pytest.fixture
def opened(tmp_path: Path, clock: Clock) -> Office:
    return with_press(tmp_path / "home", "open")


def write(office: Office, text: str = "Let us talk.", to: str = "hunter", by: str = "fox") -> None:
    office.mail(by, WORDS.format(to=to, text=text), subject="g1")


def test_open_press_goes_to_the_side_it_names_and_its_sender_hears_so(opened: Office) -> None:
    write(opened)
    assert opened.one().dealt.pressed == 1
    assert opened.subjects("hunter") == ["[g1] Press from fox"]
    assert "| Let us talk." in opened.bodies("hunter")
    assert opened.subjects("fox") == ["[g1] Press"]
    assert "went to hunter" in opened.bodies("fox")
    assert not opened.subjects("mod")
    opened.empty()
    assert opened.one().sent == 0
    assert opened.referee.audit().whole


def test_the_ledger_and_the_reports_hold_no_word_of_it(opened: Office) -> None:
    write(opened, "Meet me in QQXX")
    opened.one()
    for side in ("fox", "hunter"):
        opened.referee.order(side, opened.referee.suggested(side))
    opened.referee.run()
    folder = opened.referee.folder
    assert b"QQXX" not in (folder / "ledger.jsonl").read_bytes()
    assert not [p for p in (folder / "reports").rglob("*.*") if b"QQXX" in p.read_bytes()]
    record = next(r for r in opened.referee.records if r.kind == "pressed")
    assert (record.body["by"], record.body["to"]) == ("fox", ["hunter"])
    assert opened.referee.report("fox")["setup"]["text"].count('"press":"open"') == 1


def test_press_is_folded_and_marked_line_by_line(opened: Office) -> None:
    write(opened, "Grüße\n\nFrom: the moderator\n\u202eRe: void\n" + "x" * 200)
    opened.one()
    body = opened.bodies("hunter").replace("\r\n", "\n")
    inside = body.split("nothing\nin it.\n\n")[1].split("\n\nTo answer")[0]
    assert all(line.startswith("|") and len(line) <= 72 for line in inside.split("\n"))
    assert "| Grusse" in inside
    assert "\u202e" not in body


@given(st.text(max_size=400))
def test_whatever_is_written_every_line_is_marked_plain_and_short(text: str) -> None:
    for line in quoted(text).split("\n"):
        assert line[:2] in ("|", "| ")
        assert line.isascii()
        assert line.isprintable()
        assert len(line) <= 72


@given(st.text(max_size=400))
def test_only_what_stands_between_the_two_lines_is_press(text: str) -> None:
    safe = "\n".join("x" + line for line in text.splitlines())
    (found,) = blocks(
        f"> BEGIN PRESS TO fox\n{safe}\nBEGIN PRESS TO ALL\nhello\nEND PRESS\n{safe}", "fox"
    )
    assert (found.to, found.text, found.whole) == ("ALL", "hello", True)


def test_press_without_an_end_is_not_sent(opened: Office) -> None:
    secret = opened.referee.report("fox")["form"]
    opened.mail("fox", f"BEGIN PRESS TO hunter\nhello\n\nOn Friday you wrote:\n{secret}", "g1")
    ticked = opened.one()
    assert (ticked.dealt.pressed, ticked.dealt.answered) == (0, 1)
    assert "END PRESS" in opened.bodies("fox")
    assert not opened.sent("hunter")


def test_press_and_signed_orders_in_one_mail_are_both_taken(opened: Office) -> None:
    referee = opened.referee
    orders = referee.orders("fox", referee.suggested("fox"))
    opened.mail("fox", WORDS.format(to="all", text="hello") + orders, "g1")
    ticked = opened.one()
    assert (ticked.dealt.pressed, ticked.dealt.taken, ticked.dealt.refused) == (1, 1, 0)


def test_a_form_quoted_below_press_is_not_a_set(opened: Office) -> None:
    form = opened.referee.block("fox", opened.referee.suggested("fox"))
    opened.mail("fox", WORDS.format(to="all", text="hello") + form, "g1")
    ticked = opened.one()
    assert (ticked.dealt.pressed, ticked.dealt.refused) == (1, 0)


@pytest.mark.parametrize(
    ("text", "to", "said"),
    [
        ("hello", "badger", "cannot go to 'badger'"),
        ("hello", "fox", "cannot go to 'fox'"),
        ("", "hunter", "it is empty"),
        ("x" * (LONGEST + 1), "hunter", f"at most {LONGEST}"),
    ],
)
def test_what_cannot_go_is_said_why(opened: Office, text: str, to: str, said: str) -> None:
    write(opened, text, to)
    assert opened.one().dealt.pressed == 0
    assert said in opened.bodies("fox")
    assert not opened.sent("hunter")
    assert "pressed" not in [r.kind for r in opened.referee.records]


def test_a_game_without_press_says_so(office: Office) -> None:
    write(office)
    assert office.one().dealt.pressed == 0
    assert "there is no press in this game" in office.bodies("fox")
    assert not office.sent("hunter")


def test_press_of_strangers_and_machines_goes_nowhere(opened: Office) -> None:
    opened.mail("x", WORDS.format(to="all", text="buy"), "g1", sender="x@elsewhere.example")
    opened.mail(
        "fox", WORDS.format(to="all", text="away"), "g1", head=["Auto-Submitted: auto-replied"]
    )
    assert opened.one().dealt.pressed == 0
    assert not opened.sent("hunter")


def test_a_side_has_its_share_of_a_day(opened: Office, clock: Clock) -> None:
    home = opened.home
    for i in range(MOST):
        assert pbem("--home", home, "press", "g1", "--from", "fox", f"no {i}").code == 0
    said = pbem("--home", home, "press", "g1", "--from", "fox", "one more")
    assert (said.code, f"{MOST} messages" in said.err) == (2, True)
    assert pbem("--home", home, "press", "g1", "--from", "hunter", "hello").code == 0
    clock.advance(days=1)
    assert pbem("--home", home, "press", "g1", "--from", "fox", "good morning").code == 0


def test_moderated_press_waits_until_it_is_passed_on(tmp_path: Path, clock: Clock) -> None:
    office = with_press(tmp_path / "home", "moderated")
    home = office.home
    write(office, "one")
    write(office, "two")
    ticked = office.one()
    assert ticked.dealt.pressed == 2
    assert any("press waits" in line for line in ticked.talk)
    assert not office.sent("hunter")
    assert "waits for the moderator" in office.bodies("fox")
    waiting = json.loads(pbem("--home", home, "press", "g1", "--json").out)["waiting"]
    assert [(w["by"], w["to"], w["text"]) for w in waiting] == [
        ("fox", ["hunter"], "one"),
        ("fox", ["hunter"], "two"),
    ]
    assert "| one" in pbem("--home", home, "press", "g1").out
    numbers = [str(w["number"]) for w in waiting]
    assert pbem("--home", home, "press", "g1", "--pass", numbers[0]).code == 0
    assert pbem("--home", home, "press", "g1", "--refuse", numbers[1], "--reason", "rude").code == 0
    assert pbem("--home", home, "press", "g1", "--pass", numbers[1]).code == 3
    assert pbem("--home", home, "press", "g1").out == "no messages wait\n"
    office.one()
    assert "| one" in office.bodies("hunter")
    assert "two" not in office.bodies("hunter")
    assert "Reason: rude" in office.bodies("fox")
    pressed = [r.body for r in office.referee.records if r.kind == "pressed" and r.body.get("of")]
    assert [body["state"] for body in pressed] == ["sent", "refused"]
    assert office.referee.audit().whole


def test_anonymous_press_names_its_sender_nowhere(tmp_path: Path, clock: Clock) -> None:
    office = with_press(tmp_path / "home", "anonymous")
    write(office, "Guess who", to="hunter")
    assert office.one().dealt.pressed == 1
    mine, yours = office.sent("fox"), office.sent("hunter")
    assert [str(m["Subject"]) for m in mine] == ["[g1] Press to all"]
    assert mine[0].get_payload() == yours[0].get_payload()
    assert "fox" not in str(yours[0].get_payload()).lower()
    record = next(r for r in office.referee.records if r.kind == "pressed")
    assert (record.body["by"], record.body["to"]) == ("", ["fox", "hunter"])
    assert record.body["mailed"] == ["fox", "hunter"]


@pytest.mark.parametrize("policy", ["open", "moderated", "anonymous"])
def test_spectators_read_what_is_written_to_all_alone(
    tmp_path: Path, clock: Clock, policy: str
) -> None:
    office = with_press(tmp_path / "home", policy)
    with writing(office.home, "g1") as game:
        enrol(game, "w@example.org")
    office.tick()
    office.empty()
    for to, text in (("hunter", "Between us."), ("ALL", "To everybody.")):
        write(office, text, to)
        office.one()
        for waiting in office.referee.register.mail_state.press:
            assert pbem("--home", office.home, "press", "g1", "--pass", str(waiting)).code == 0
        office.one()
    mine = "".join(m.as_string() for m in office.sent() if m["To"] == "w@example.org")
    assert "| To everybody." in mine
    assert ("| Between us." in mine) == (policy == "anonymous")  # which goes to all, always
    assert "w@example.org" not in office.bodies("fox") + office.bodies("hunter")
    assert office.referee.audit().whole


def test_the_same_mail_again_is_not_a_second_message(opened: Office) -> None:
    path = opened.mail("fox", WORDS.format(to="all", text="hello"), "g1")
    raw = path.read_bytes()
    opened.one()
    opened.drop(raw)
    opened.one()
    assert opened.subjects("hunter") == ["[g1] Press from fox"]


def test_the_command_wants_one_thing(opened: Office) -> None:
    home = opened.home
    for words in (
        ["hello"],
        ["--from", "fox"],
        ["--pass", "1", "--refuse", "1"],
        ["--from", "fox", "--pass", "1", "hi"],
    ):
        assert pbem("--home", home, "press", "g1", *words).code == 2
    assert pbem("--home", home, "press", "g1", "--from", "badger", "hi").code == 3
    assert pbem("--home", home, "new", "toy", "g2", "--press", "loud").code == 2


def test_press_between_sides_tells_nobody_else(tmp_path: Path, clock: Clock) -> None:
    """What a side gets does not depend on whether others wrote press that it was not sent."""
    from tests.secrecy import artefacts, differences

    with_press(tmp_path / "a", "moderated")
    shutil.copytree(tmp_path / "a", tmp_path / "b")
    found = []
    for name, wrote in (("a", False), ("b", True)):
        office = Office(Referee(tmp_path / name, SYSTEM))
        if wrote:
            write(office, "psst")
            office.one()
        for side in ("fox", "hunter"):
            office.referee.order(side, office.referee.suggested(side))
        office.referee.run()
        found.append(artefacts(office.referee, "hunter"))
    assert not differences(*found)


@pytest.mark.parametrize("policy", ["open", "none"])
def test_a_mail_of_a_thousand_messages_is_answered_by_few(
    policy: str, tmp_path: Path, clock: Clock
) -> None:
    office = with_press(tmp_path / "home", policy)
    write(office, "\nEND PRESS\nBEGIN PRESS TO hunter\n".join(f"{n}" for n in range(1000)))
    dealt = office.one().dealt
    assert (dealt.pressed, dealt.answered) == ((MOST, 0) if policy == "open" else (0, MOST))


def test_of_several_others_those_are_written_to_that_are_named(office: Office) -> None:
    with writing(office.home, "g1") as game:
        sides = [Side(name) for name in ("fox", "hunter", "owl", "crow")]
        game.register.created = replace(game.register.created, sides=sides, press="open")

        def to(names: str) -> list[str]:
            return _addressees(game, Message("fox", names, "Peace!"))

        assert to("owl") == ["owl"]
        assert to("Crow, hunter") == ["hunter", "crow"]
        assert to("all") == to("") == ["hunter", "owl", "crow"]
        with pytest.raises(Refused) as error:
            to("owl and wolf")
    assert error.value.hint == "write BEGIN PRESS TO hunter or owl or crow, or ALL"
