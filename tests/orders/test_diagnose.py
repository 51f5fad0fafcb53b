"""Messages: their exact shape, and what judging drops."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from msgspec import Struct

from orders.canon import streams
from orders.diagnose import format, format_all, judge
from orders.model import Order
from orders.parse import understand
from orders.reading import plain
from orders.vocabulary import Vocabulary
from tests.orders.sea import GRAMMAR, REPORT, VOCABULARY, block, read


class Wrong(Struct, frozen=True):
    code: str
    text: str
    hint: str = ""
    rule: str = ""
    arg: str = ""
    item: int = 0


def messages(text: str) -> str:
    (unit,) = streams(text)
    found = judge(understand(unit, GRAMMAR, VOCABULARY), REPORT, None).diagnostics
    return format_all(found, "orders.txt")


def test_a_message_is_place_line_caret_and_hint() -> None:
    assert messages("Hello\nBEGIN ORDERS\nTF1: mvoe J15 K14;\nEND ORDERS") == (
        "orders.txt:3:6: error unknown-verb: 'mvoe' is not an order\n"
        "  TF1: mvoe J15 K14;\n"
        "       ^~~~\n"
        "  hint: did you mean 'move'?"
    )


def test_the_place_is_that_of_the_text_as_the_player_wrote_it() -> None:
    line = ">\tTF1: m\u00f6ve J15; \u201cK\u00f6ln\u201d:\u00a0hold;"
    text = f"\ufeffHi\r\n> BEGIN ORDERS\r\n{line}\r\nEND ORDERS"
    assert messages(text) == (
        "orders.txt:3:18: error unknown-unit: 'Koln' is not one of your units\n"
        '  > TF1: move J15; "Koln": hold;\n'
        "                   ^~~~~~\n"
        "  hint: your units: TF1, TF2, CL1, CA2, KING GEORGE V, LR RECON 2"
    )


def test_comments_are_never_echoed() -> None:
    shown = messages("BEGIN ORDERS\n[the secret] TF1: mvoe [plan] J15;\nEND ORDERS")
    assert "secret" not in shown
    assert "plan" not in shown
    assert ":2:19: " in shown


def test_wide_lines_are_cut_around_the_caret() -> None:
    text = "TF1: hold; " * 30 + "TF1: mvoe J15; " + "TF1: hold; " * 30
    head, line, caret, _ = format(read(text).diagnostics[0], "o").split("\n")
    assert head.startswith("o:2:336: ")
    assert len(line) <= 70
    assert line[caret.index("^") : caret.rindex("~") + 1] == "mvoe"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a\tb", "a b"),
        ("a\u00a0b", "a b"),
        ("L\u00fctjens", "Lutjens"),
        ("\u00a3", "?"),
        ("a\u00adb", "a?b"),
        ("\x07", "?"),
        ("a~ b", "a~ b"),
        ("\u2026~", " ~"),
    ],
)
def test_what_is_echoed_is_printable_ascii_of_the_same_length(text: str, said: str) -> None:
    assert plain(text) == said


def test_carets_never_leave_the_line() -> None:
    found = read('TF9\n:\nhold; TF1: move J15 speed full speed\nfull; "King\nGeorge VI": hold')
    for shown in (format(d, "o").split("\n") for d in found.diagnostics):
        assert len(shown[2]) <= max(len(shown[1]), shown[2].index("^") + 1)


def refuse(**given: Any) -> Mapping[str, Any]:
    """What judging makes of `TF1: move J15 K14 speed full` when the game says `given`."""
    reading = read("TF2: hold; TF1: move J15 K14 speed full; CL1: hold;")

    def check(order: Order, report: Mapping[str, Any]) -> Wrong | None:
        assert report is REPORT
        return Wrong(**given) if order.actor == "TF1" else None

    judged = judge(reading, REPORT, check)
    assert [o.actor for o in judged.orders.orders] == ["TF2", "CL1"]
    assert len(judged.places) == 2
    (found,) = judged.diagnostics
    line = reading.unit.text.split("\n")[1]
    said = line[found.column - 1 : found.column - 1 + found.length]
    return {"code": found.code, "said": said, "hint": found.hint, "rule": found.rule}


@pytest.mark.parametrize(
    ("arg", "item", "said"),
    [
        ("path", 1, "K14"),
        ("path", 99, "K14"),
        ("path", -3, "J15"),
        ("speed", 0, "full"),
        ("", 0, "move J15 K14 speed full"),
        ("other", 0, "move J15 K14 speed full"),
    ],
)
def test_what_the_game_refuses_is_shown_at_its_argument(arg: str, item: int, said: str) -> None:
    given = {"code": "land", "text": "it is land", "hint": "go round", "rule": "5.2"}
    found = refuse(arg=arg, item=item, **given)
    assert found == {"code": "land", "said": said, "hint": "go round", "rule": "5.2"}


def judged(text: str) -> list[tuple[str, str]]:
    reading = judge(read(text), REPORT, None)
    line = reading.unit.text.split("\n")[1]
    return [(d.code, line[d.column - 1 : d.column - 1 + d.length]) for d in reading.diagnostics]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("CA2: patrol K15 K16", []),
        ("CA2: patrol K15 K14", [("not-now", "K14")]),
        ("CA2: patrol K14-K15", [("not-now", "K14-K15")]),
        ("CA2: move J15", [("not-now", "move")]),
        ("Suffolk: hold", [("not-now", "Suffolk")]),
        ("CA2: if night then patrol K14 else hold", []),
        ("CA2: if night then hold else move J15", [("not-now", "move")]),
        ("@CA2: move J15; turn 9 CA2: move J15; @Suffolk: hold", []),
        ("TF1: detach Suffolk as TF6; TF6: move J15", []),
    ],
)
def test_the_menu_binds_orders_for_now(text: str, found: list[tuple[str, str]]) -> None:
    assert judged(text) == found


def test_an_argument_that_the_menu_leaves_out_cannot_be_given() -> None:
    """One that it has without values may be anything that the board allows."""
    cases = (((), ("not-now", "leave it out")), (({"name": "zones", "kind": "places"},), None))
    for args, wanted in cases:
        menu = {**REPORT["menu"], "CA2": [{"verb": "patrol", "args": list(args)}]}
        found = judge(read("CA2: patrol K15"), {**REPORT, "menu": menu}, None).diagnostics
        assert [(d.code, d.hint) for d in found] == ([wanted] if wanted else [])


def test_the_rule_is_named_with_the_message() -> None:
    reading = read("TF1: hold")
    shown = judge(reading, REPORT, lambda o, r: Wrong("no-fuel", "no fuel", rule="5.25"))
    assert format(shown.diagnostics[0], "o").startswith("o:2:6: error no-fuel: no fuel (5.25)\n")


def test_an_order_for_a_turn_that_is_over() -> None:
    reading = read("turn 6 TF1: hold; turn 7 TF1: hold; turn 8 TF1: hold")
    after = judge(reading, {**REPORT, "turn": 7}, None)
    assert [d.code for d in after.diagnostics] == ["past-turn"]
    assert [o.turn for o in after.orders.orders] == [7, 8]


LOST = {"PRINCE OF WALES": "was sunk in turn 4", "HOOD": "was sunk in turn 3"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Hood: move J15;", "'Hood' was sunk in turn 3"),
        ("TF1: hold; turn 7 Prince of Wales: hold;", "'Prince of Wales' was sunk in turn 4"),
        ('"Prince of Wales": hold;', "'Prince of Wales' was sunk in turn 4"),
        ("TF1: detach Prince of Wales;", "'Prince of Wales' was sunk in turn 4"),
        ("TF1: hold Hood: hold;", "'Hood' was sunk in turn 3"),
        ("Wales: hold;", "'Wales' is not one of your units"),
    ],
)
def test_an_order_for_a_unit_that_is_gone_says_what_became_of_it(text: str, said: str) -> None:
    words = Vocabulary.of({**REPORT, "lost": LOST}, GRAMMAR)
    faults = understand(block(text), GRAMMAR, words).diagnostics
    assert (faults[-1].code, faults[-1].text) == ("unknown-unit", said)


MEANT = [
    ("TF1: hold; Kng George move J15;", "unknown-verb", "'KING GEORGE V: move ...'"),
    ("Arethsa hold;", "no-actor", "'Arethusa: hold ...'"),
    ("TF1: hold then move J15;", "missing-if", "write 'also' between two orders"),
    ("TF1: move J15 then hold;", "missing-if", "write 'also' between two orders"),
    ("TF1: move J15 and hold;", "unknown-zone", "write 'also' between two orders"),
    ("TF1: if night then hold then move J15;", "extra-words", "write 'also' between"),
    ("TF1: then hold;", "missing-if", "write 'also' between two orders"),
    ("TF1: move J15 then J16;", "missing-if", "write: if ... then ... else ..."),
    ("TF1: hold x 3;", "extra-words", "put ';' between two orders"),
    ("TF1: shadow QQQ;", "unknown-contact", "known: EN"),
    ("TF1: detach QQQ;", "unknown-unit", "your units: "),
    ("TF1: detach LRRecon 2;", "unknown-unit", "did you mean 'LR RECON 2'?"),
    ('TF1: detach "Suff olk";', "unknown-unit", "did you mean 'SUFFOLK'?"),
]
"""Orders, the code of their mistake, and what the hint must contain."""


@pytest.mark.parametrize(("text", "code", "hint"), MEANT)
def test_a_hint_names_what_was_probably_meant(text: str, code: str, hint: str) -> None:
    first = read(text).diagnostics[0]
    assert first.code == code
    assert hint in first.hint
