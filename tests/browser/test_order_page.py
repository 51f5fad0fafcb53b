"""The order page in a real Chromium: orders by clicks and as text, and what is wrong with them."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from orders.canon import decode
from pbem.base.report_json import Report
from pbem.player.reader import read_text
from pbem.player.sign import block_of, header_of
from pbem.web import order_page
from tests.browser.seat import SIDES, Seat, accepted, private_file
from tests.conftest import Clock
from tests.referee import Referee, key_of

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

from tests.browser.surf import CHROMIUM
from tests.browser.writing import writing

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason="Debian's chromium is not installed")

EXAMPLES = Path(__file__).parents[2] / "orders" / "examples"


def test_orders_by_clicks_are_taken_by_the_referee(
    toy_seat: Seat, browser: Browser, tmp_path: Path
) -> None:
    with writing(browser, toy_seat.page, pitch=100) as player:
        assert player.lines() == ["HOUND: move D5;"]
        player.tap("E5")
        player.verb("move")
        player.tap("E4")
        assert player.find("#draft").inner_text() == "HOUND: move E4;"
        player.press("Add the order")
        player.unit("HOUND")
        player.verb("pounce")
        player.find("#arg-to").fill("d4")
        player.press("Standing")
        player.press("Only if …")
        player.find("#composer select").first.select_option("turn")
        player.find("#composer select").nth(1).select_option("over")
        player.find("#test-0").fill("3")
        player.press("Add the order")
        wanted = ["HOUND: move E4;", "@HOUND: if turn over 3 then pounce D4;"]
        assert player.lines() == wanted
        player.open_key(toy_seat.key)
        path = player.sign(tmp_path)
        player.quiet()
    assert path.name == "orders-g1-hunter-1.txt"
    assert accepted(toy_seat, path) == [line.rstrip(";") for line in wanted]


def test_a_plan_on_the_chart_of_bismarck(bismarck: Seat, browser: Browser, tmp_path: Path) -> None:
    """A stack is asked who, a force is formed with the ships that lie there, ways are tapped."""
    with writing(browser, bismarck.page) as player:
        player.tap("G15")
        player.press("HOOD")
        player.verb("form")
        assert player.find("#arg-name").input_value() == "TF1"
        player.press("PRINCE OF WALES")
        player.press("Add the order")
        player.unit("BIRMINGHAM")
        player.verb("move")
        player.tap("F15", "F16", "F15", "G15")
        player.press("Remove the last")
        player.press("Remove the last")
        player.tap("F17")
        player.press("full")
        player.press("Add the order")
        player.unit("SUFFOLK")
        player.verb("patrol")
        player.press("Standing")
        player.press("Only if …")
        player.find("#composer select").first.select_option("contact")
        player.find("#composer select").nth(2).select_option("BB")
        player.press("Another test")
        player.find("#composer .test select").nth(3).select_option("fog")
        player.find("#composer .test select").nth(4).select_option("not")
        player.find("#composer select").last.select_option("move")
        player.find("#else-path").fill("D8 E8")
        player.press("Add the order")
        player.unit("BRITISH")
        player.verb("search")
        player.tap("F14", "F12", "F14")
        player.press("Add the order")
        lines = player.lines()
        player.open_key(bismarck.key)
        path = player.sign(tmp_path)
        player.quiet()
    for wanted in (
        "HOOD: form PRINCE OF WALES as TF1;",
        "BIRMINGHAM: move F15 F16 F17 speed full;",
        "@SUFFOLK: if contact at least BB and not fog then patrol else move D8 E8;",
        "BRITISH: search F12;",
    ):
        assert wanted in lines
    assert "HOOD: hold;" not in lines
    assert accepted(bismarck, path) == [line.rstrip(";") for line in lines]


def test_wishes_for_the_mail_are_signed_with_the_orders(
    toy_seat: Seat, browser: Browser, tmp_path: Path
) -> None:
    """A form writes PREFER: what is chosen, in any order, changed and taken back."""
    with writing(browser, toy_seat.page, 390, 844, timezone_id="America/New_York") as player:
        before = player.lines()
        player.find("#wishes > summary").click()
        assert player.find("#wish-zone option").nth(1).inner_text() == "America/New York"
        player.find("#wish-dates").select_option("iso")
        player.find("#wish-remind").select_option("36h")
        player.find("#wish-mail").select_option("text")
        player.find("#wish-mail").select_option("")
        player.find("#wish-zone").select_option("america new york")
        wanted = "PREFER DATES ISO REMIND 36H ZONE AMERICA NEW YORK"
        assert player.lines() == [wanted, *before]
        assert player.find("#wish-dates").input_value() == "iso"
        player.open_key(toy_seat.key)
        path = player.sign(tmp_path)
        assert "ZONE AMERICA NEW YORK" in path.read_text().upper().replace("\n", " ")
        player.type("FINAL; prefer dates\n words; " + "\n".join(before))
        player.find("#wish-dates").select_option("")
        assert player.find("#text").input_value().split() == ["FINAL;", *" ".join(before).split()]
        assert not player.axed()
        player.quiet()
    assert accepted(toy_seat, path) == [wanted, *(line.rstrip(";") for line in before)]


def inner(path: Path) -> str:
    """The orders of an example file without the words around them."""
    found = re.search(r"(?is)begin orders\n?(.*?)\n?[> ]*end orders", decode(path.read_bytes()))
    assert found
    return found[1]


FILES = sorted(p for name in SIDES for p in EXAMPLES.glob(f"{name}/*/*.txt"))
SHOWN = """(all) => all.map((m) => [m.dataset.code, m.dataset.at, m.innerText])"""


@pytest.mark.some(1)
@pytest.mark.parametrize("name", SIDES)
def test_mistakes_have_the_codes_and_places_of_check(
    name: str, seats: Callable[[str], Seat], browser: Browser
) -> None:
    """Of one example file after the other."""
    seat = seats(name)
    with writing(browser, seat.page) as player:
        player.open_key(seat.key)
        for path in (path for path in FILES if path.parts[-3] == name):
            text = inner(path)
            wanted = mistakes(seat, text)
            player.type(text)
            shown = player.find("#faults .mistake").evaluate_all(SHOWN)
            assert [(code, at) for code, at, _ in shown] == [w[:2] for w in wanted[:30]], path
            for (_, _, said), (_, _, what, hint) in zip(shown, wanted, strict=False):
                assert what in said and hint in said
            assert player.find("#sign").is_disabled() == bool(wanted), path
        player.quiet()


def mistakes(seat: Seat, text: str) -> list[tuple[str, str, str, str]]:
    """Code, place, text and hint of what `pbem check` finds in orders."""
    block = block_of(header_of(Report.of(seat.report), 0), text)
    offset = block[: block.index(text.rstrip())].count("\n")
    reading = read_text(seat.referee.system, Report.of(seat.report), block)
    return [
        (d.code, f"{d.line - offset}:{d.column}", d.text, d.hint)
        for d in (*reading.refusals, *reading.diagnostics)
    ]


def test_the_example_files_hold_mistakes_of_both_games(seats: Callable[[str], Seat]) -> None:
    """The test above would say nothing of files without any."""
    for name in SIDES:
        seat = seats(name)
        bad = [p for p in FILES if p.parts[-3:-1] == (name, "bad")]
        blocks = [block_of(header_of(Report.of(seat.report), 0), inner(p)) for p in bad]
        readings = [
            read_text(seat.referee.system, Report.of(seat.report), block) for block in blocks
        ]
        assert all(r.diagnostics or r.refusals for r in readings)
        assert len(bad) >= 4


def test_a_mistake_is_shown_in_the_text(toy_seat: Seat, browser: Browser) -> None:
    with writing(browser, toy_seat.page, pitch=100) as player:
        player.type("HOUND: move E4;\nHOUND: mvoe E3;\n")
        assert player.codes() == ["unknown-verb"]
        assert player.find("#faults pre").inner_text() == "HOUND: mvoe E3;\n       ^~~~"
        player.press("Show the mistake in line 2")
        start, end = player.find("#text").evaluate("(t) => [t.selectionStart, t.selectionEnd]")
        assert "HOUND: move E4;\nHOUND: mvoe E3;\n"[start:end] == "mvoe"
        player.type("HOUND: move E4;\n")
        assert player.codes() == []
        player.press("Undo")
        assert player.codes() == ["unknown-verb"]
        player.press("Reset to the form")
        assert player.lines() == ["HOUND: move D5;"]
        player.quiet()


def test_orders_are_changed_and_taken_out(bismarck: Seat, browser: Browser) -> None:
    with writing(browser, bismarck.page) as player:
        player.type("HOOD: hold;\n[remark] BIRMINGHAM: move F15; range close;\nQ1: X;\n")
        assert player.codes() == ["unknown-question"]
        player.press("Remove HOOD: hold;")
        assert player.find("#text").input_value() == (
            "[remark] BIRMINGHAM: move F15; range close;\nQ1: X;\n"
        )
        player.press("Change BIRMINGHAM: range close; ")
        player.press("open")
        player.press("Change the order")
        assert "BIRMINGHAM: range open;" in player.lines()
        was = "@SUFFOLK: if contact at least BB and not fog then patrol else move D8 E8;"
        player.type(f"{was}\nHOOD: hold;\n")
        player.press(f"Change {was} ")
        assert player.find("#draft").inner_text() == was
        player.find("#else-path").fill("D8")
        player.press("any of them")
        player.press("Change the order")
        assert player.lines() == [was.replace(" and ", " or ").replace(" E8", ""), "HOOD: hold;"]
        player.type("HOOD: if night then hold also range open;\n")
        player.press("Change HOOD: if night then hold also range open; ")
        assert player.find("#draft").inner_text() == "HOOD: if night then hold also range open;"
        player.press("Remove hold")
        player.press("Change the order")
        assert player.lines() == ["HOOD: if night then range open;"]
        player.quiet()


COMBINED = [
    "HOOD: hold also range open;",
    "@HOOD: if fuel over hits then range open also hold else range close also hold;",
    "turn 9 HOOD: if contact at least BB and not fog and hits under 3 then range open else hold "
    "also range close;",
    "HOOD: if not contact at least CA or visibility is 3 then hold;",
]


def test_orders_of_several_parts_are_made_by_clicks(bismarck: Seat, browser: Browser) -> None:
    """Actions joined by `also`, an else of its own, tests of one term by another."""
    with writing(browser, bismarck.page, 390, 844) as player:
        player.unit("HOOD")
        player.verb("range")
        player.press("open")
        player.press("Also …")
        player.find("#arg-also").select_option("hold")
        player.press("Standing")
        player.press("Only if …")
        player.find("#composer .test select").first.select_option("fuel")
        player.find("#composer .test select").nth(1).select_option("over")
        player.find("#composer .test select").nth(2).select_option("hits")
        player.find("#otherwise").select_option("range")
        player.press("close", "#composer .tests")
        player.find("#more-else").click()
        player.find("#else-also").select_option("hold")
        assert player.find("#draft").inner_text() == COMBINED[1]
        player.press("Add")
        assert COMBINED[1] in player.lines()
        player.press("Undo")
        player.unit("HOOD")
        player.verb("hold")
        player.press("Also …")
        player.find("#arg-also").select_option("range")
        player.press("open")
        player.press("Add")
        assert COMBINED[0] in player.lines()
        player.quiet()


def test_whatever_can_be_written_can_be_changed_by_clicks(bismarck: Seat, browser: Browser) -> None:
    """Opened, an order stands in the buttons as it stood in the text."""
    with writing(browser, bismarck.page) as player:
        player.type("\n".join(COMBINED))
        assert player.codes() == []
        for line in player.lines():
            player.find(f'[aria-label^="Change {line}"]').click()
            assert player.find("#draft").inner_text() == line
            player.press("Cancel")
        player.quiet()


def test_questions_are_answered(clock: Clock, browser: Browser, tmp_path: Path) -> None:
    referee = Referee.toy(tmp_path / "home", play="asked")
    for _ in range(12):
        if referee.report("hunter")["questions"]:
            break
        referee.play({s: referee.suggested(s) for s in referee.register.sides})
    report = referee.report("hunter")
    (question,) = report["questions"]
    page, key = tmp_path / "order-page.html", tmp_path / "k"
    page.write_bytes(order_page.page(referee.system, Report.of(report)))
    key.write_bytes(private_file(key_of("hunter").wire, "hunter"))
    other = next(c for c in question["choices"] if c != question["default"])
    with writing(browser, page, pitch=100) as player:
        assert question["prompt"] in player.find("#questions").inner_text()
        player.press(str(other), "#questions")
        assert f"Q1: {other};" in player.find("#text").input_value()
        player.press(f"{question['default']} (default)", "#questions")
        player.press(str(other), "#questions")
        assert player.find("#text").input_value().count("Q1") == 1
        notes = player.find("#questions")
        assert "count before it" not in notes.inner_text()
        written = f"HOUND: pounce {other};\nQ1: {question['default']};\n"
        player.type(written)
        assert "The default: orders of this set that answer otherwise" in notes.inner_text()
        player.type(f"HOUND: pounce {other};\nQ1: {other};\n")
        assert "count before it" not in notes.inner_text()
        usual, changed = f"{question['default']} (default)", f"Q1: {question['default']};\n"
        for shared in (
            f"Q1: {other}; HOUND: pounce {other};",
            f"HOUND: pounce {other}; Q1: {other};",
            f"Q1:\n{other};\nHOUND: pounce {other};",
            f"Q1: {other}\nHOUND: pounce {other};",
            f"Q1: NOWHERE; HOUND: pounce {other};",
        ):
            player.type(shared)
            player.press(usual, "#questions")
            text = player.find("#text").input_value()
            assert text.split() == f"HOUND: pounce {other}; {changed}".split()
            assert player.codes() == []
        player.type(f"HOUND: pounce {other};\nQ1: {other};\n")
        player.open_key(key)
        path = player.sign(tmp_path)
        player.quiet()
    (outcome,) = referee.receive(path.read_bytes())
    assert outcome.good, outcome.text
    assert f"Q1: {other};" in outcome.text
