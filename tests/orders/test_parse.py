"""Tokens to orders: actors, scopes, arguments, branches, answers."""

from __future__ import annotations

import gc
from collections.abc import Mapping
from typing import Any

import pytest

from orders.canon import streams
from orders.cursor import beyond
from orders.header import show_header
from orders.model import Condition, Order, Value
from orders.model import Test as Trial
from orders.parse import Line, read_line, understand
from orders.show import show_order
from orders.vocabulary import Phrases, Vocabulary, phrases
from tests.orders.sea import GRAMMAR, NUMBERED, REPORT, VOCABULARY, block, codes, read
from tests.orders.test_header import HEADER


def only(text: str) -> Order:
    reading = read(text)
    assert not reading.diagnostics, reading.diagnostics
    (order,) = reading.orders.orders
    return order


def args(text: str) -> Mapping[str, Value]:
    return only(text).actions[0].args


@pytest.mark.parametrize(
    ("text", "actor"),
    [
        ("TF1: hold", "TF1"),
        ('"TF1": hold;', "TF1"),
        ("king george v: hold;", "KING GEORGE V"),
        ("\u201cKing George V\u201d: hold;", "KING GEORGE V"),
        ("KGV: hold;", "KING GEORGE V"),
        ("Lr Recon 2: hold;", "LR RECON 2"),
        ("London: hold;", "CA2"),
        ("Arethusa: hold", "CL1"),
        ("@TF2: hold;", "TF2"),
        ("turn 7 CL1: hold;", "CL1"),
    ],
)
def test_the_actor_is_the_longest_known_name(text: str, actor: str) -> None:
    assert only(text).actor == actor


def test_a_name_does_not_reach_back_over_its_beginning() -> None:
    names = Phrases([("Prince of Wales", "PRINCE OF WALES"), ("Wales", "WALES")])
    texts = ["PRINCE", "OF", "WALES"]
    assert names.ending(texts, 3, 0) == ("PRINCE OF WALES", 0)
    assert names.ending(texts, 3, 1) == ("WALES", 2)
    assert names.ending(texts, 3, 3) is None


def test_a_forgotten_semicolon_ends_at_the_next_actor() -> None:
    reading = read("TF1: move J15 K14\nKing George V: hold\n@TF2: hold\nturn 9 CL1: hold")
    assert not reading.diagnostics
    assert [(o.actor, o.standing, o.turn) for o in reading.orders.orders] == [
        ("TF1", False, None),
        ("KING GEORGE V", False, None),
        ("TF2", True, None),
        ("CL1", False, 9),
    ]


def test_a_scope_covers_the_actor_s_orders_up_to_the_next_actor() -> None:
    reading = read("@TF1: hold; radio silent; TF2: hold; turn 4 CL1: hold; radio on; TF1: hold")
    scopes = [(o.actor, o.standing, o.turn) for o in reading.orders.orders]
    assert scopes == [
        ("TF1", True, None),
        ("TF1", True, None),
        ("TF2", False, None),
        ("CL1", False, 4),
        ("CL1", False, 4),
        ("TF1", False, None),
    ]


def test_several_actors_in_one_head() -> None:
    reading = read('@TF1, "King George V", Arethusa: hold;')
    assert [(o.actor, o.standing) for o in reading.orders.orders] == [
        ("TF1", True),
        ("KING GEORGE V", True),
        ("CL1", True),
    ]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("TF1: move J15 K14", {"path": ["J15", "K14"]}),
        ("TF1: move J15, K14, Scapa Flow", {"path": ["J15", "K14", "F20"]}),
        ("TF1: move to J15", {"path": ["J15"]}),
        ("TF1: proceed J15", {"path": ["J15"]}),
        (
            "TF1: move J15 via K1 speed very full",
            {"path": ["J15"], "speed": "very full", "via": "K1"},
        ),
        ("TF1: move speed full J15", {"path": ["J15"], "speed": "full"}),
        ("CL1: patrol F17-F19 G1", {"zones": ["F17", "F18", "F19", "G1"]}),
        ("TF1: base St. Nazaire", {"port": "R18"}),
        ('TF1: base "Scapa Flow"', {"port": "F20"}),
        ("TF1: detach Suffolk Norfolk as TF6", {"ships": ["SUFFOLK", "NORFOLK"], "as": "TF6"}),
        ("TF1: join lr recon 2", {"force": "LR RECON 2"}),
        ("TF1: join King George V", {"force": "KGV"}),
        ("TF1: hold for 03", {"turns": 3}),
        ("TF1: launch LR Recon 2 range 2.50", None),
        (
            "TF1: launch LR Recon 2 range 2.5 search A1",
            {"squadron": "LR RECON 2", "search": "A1", "range": "2.5"},
        ),
        ("TF1: launch LR Recon 2 range 12.0", {"squadron": "LR RECON 2", "range": "12"}),
        ("TF1: withdraw", {}),
        ("TF1: withdraw sse", {"to": "SSE"}),
        ("TF1: attack bb", {"kind": "BB"}),
    ],
)
def test_arguments(text: str, value: dict[str, Value] | None) -> None:
    if value is None:
        assert codes(text) == ["bad-number"]
        return
    assert args(text) == value


def test_arguments_keep_the_order_of_the_verb_table() -> None:
    assert list(args("TF1: move via K1 speed full J15")) == ["path", "speed", "via"]


def test_branches_and_also() -> None:
    order = only("TF1: if night then hold also radio silent else move J15 also radio on;")
    assert [a.verb for a in order.actions] == ["hold", "radio"]
    assert [a.verb for a in order.otherwise] == ["move", "radio"]
    assert order.when == Condition((Trial("night", "is", "YES"),))


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("2", 2),
        ("2.0", 2),
        ("2.", 2),
        ("02", 2),
        ("10.000", 10),
        ("0.0", 0),
        ("2.50", "2.5"),
        ("02.5", "2.5"),
        ("0.125", "0.125"),
    ],
)
def test_a_number_reads_back_as_itself_however_it_was_written(written: str, value: Value) -> None:
    order = only(f"TF1: if visibility over {written} then hold;")
    assert order.when == Condition((Trial("visibility", "over", value),))
    assert only(show_order(order, GRAMMAR) + ";") == order


def test_a_new_name_may_act_and_be_named_once_it_is_given() -> None:
    reading = read("TF6: hold; TF1: detach Suffolk as TF6; TF6: shadow EN7; TF2: join TF6;")
    assert [d.code for d in reading.diagnostics] == ["unknown-unit"]
    assert [o.actor for o in reading.orders.orders] == ["TF1", "TF6", "TF2"]
    assert reading.declared == ("TF6",)


def test_a_refused_order_gives_no_name() -> None:
    reading = read("TF1: detach Suffolk as TF6 also mvoe A1; TF6: hold;")
    assert [d.code for d in reading.diagnostics] == ["unknown-verb", "unknown-unit"]
    assert (reading.declared, reading.orders.orders) == ((), ())


def test_words_clearings_and_answers() -> None:
    reading = read(
        "FINAL; absent until 2026-11-24; consent undo 14; @TF2: none; Q1: norfolk; "
        "Q2: 3 cards; TF1: hold;"
    )
    assert not reading.diagnostics
    assert reading.orders.words == {"FINAL": "", "ABSENT": "2026-11-24", "CONSENT": "UNDO 14"}
    assert reading.orders.cleared == ("TF2",)
    assert reading.orders.answers == {"Q1": "NORFOLK", "Q2": "3 CARDS"}


def test_a_unit_named_twice_is_cleared_once() -> None:
    assert read("@TF1, TF2, TF1: none; @TF2: none;").orders.cleared == ("TF1", "TF2")


def test_an_answer_of_a_form_is_read_as_its_argument() -> None:
    from orders.vocabulary import Vocabulary

    question = {"id": "Q1", "form": {"name": "bid", "kind": "number", "most": 6}}
    words = Vocabulary.of({"questions": [question]}, GRAMMAR)
    good = understand(block("Q1: 6"), GRAMMAR, words)
    assert good.orders.answers == {"Q1": 6}
    bad = understand(block("Q1: 7"), GRAMMAR, words)
    assert [d.code for d in bad.diagnostics] == ["bad-number"]


def test_names_that_only_the_menu_offers() -> None:
    from orders.vocabulary import Vocabulary

    ships = {"name": "force", "kind": "unit", "values": ["RODNEY"]}
    prey = {"name": "contact", "kind": "contact", "values": ["DF2"]}
    menu = {"TF1": [{"verb": "join", "args": [ships]}, {"verb": "shadow", "args": [prey]}]}
    words = Vocabulary.of({"menu": menu}, GRAMMAR)
    reading = understand(block("TF1: join Rodney; shadow DF2; join Hood"), GRAMMAR, words)
    assert [d.code for d in reading.diagnostics] == ["unknown-unit"]
    assert len(reading.orders.orders) == 2


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        ("TF1: mvoe J15", "unknown-verb", "mvoe"),
        ("TF9: hold", "unknown-unit", "TF9"),
        ("Prinz Eugn: hold", "unknown-unit", "Prinz Eugn"),
        ("turn 7 Prinz Eugn: hold", "unknown-unit", "Prinz Eugn"),
        ('"Prinz Eugn": hold', "unknown-unit", '"Prinz Eugn"'),
        ("TF1: detach Hood", "unknown-unit", "Hood"),
        ("TF1: join B1", "unknown-unit", "B1"),
        ("TF1: shadow EN8", "unknown-contact", "EN8"),
        ("TF1: move J15 K99", "unknown-zone", "K99"),
        ("TF1: move Kiel", "unknown-zone", "Kiel"),
        ("TF1: move J15 Kiel", "unknown-zone", "Kiel"),
        ("TF1: move J15-J16", "range-here", "J15-"),
        ("TF1: patrol F1-", "bad-range", "F1-"),
        ("TF1: patrol F1-G2", "bad-range", "F1-G2"),
        ("TF1: patrol F1-F20", "too-many", "F1-F20"),
        ("TF1: detach Suffolk, King George V, KGV", "named-twice", "KGV"),
        ("TF1: move J15 speed fast", "bad-word", "fast"),
        ("TF1: move J15 speed", "missing-argument", "speed"),
        ("TF1: move", "missing-argument", "move"),
        ("TF1: move speed full", "missing-argument", "full"),
        ("TF1: move J15 speed full speed slow", "extra-words", "speed slow"),
        ("TF1: radio silent now", "extra-words", "now"),
        ("TF1: hold for 10", "bad-number", "10"),
        ("TF1: hold for 12345", "bad-number", "12345"),
        ("TF1: hold for ever", "bad-number", "ever"),
        ("TF1: hold for 2.5", "bad-number", "2.5"),
        ("TF1: withdraw up", "bad-direction", "up"),
        ("TF1: detach Suffolk as B7", "bad-name", "B7"),
        ("TF1: detach Suffolk as hold", "bad-name", "hold"),
        ("TF1: detach Suffolk as 6", "bad-name", "6"),
        ("TF1: detach Suffolk as ABCDEFGHIJKLMNOPQ", "bad-name", "ABCDEFGHIJKLMNOPQ"),
        ('TF1: join "King', "open-quote", '"'),
        ("TF1: hold also", "missing-verb", "also"),
        ("TF1:", "missing-verb", "TF1:"),
        ("TF1: none", "bad-none", "none"),
        ("@TF1: none also hold", "bad-none", "none also hold"),
        ("TF1: if night then if night then hold", "nested-if", "if"),
        ("TF1: if if night then hold", "nested-if", "if"),
        ("TF1: hold also if night then hold", "missing-if", "then"),
        ("TF1: if night hold", "missing-then", "if"),
        ("TF1: hold else radio on", "missing-if", "else"),
        ("TF1: if then hold", "missing-condition", "if"),
        ("TF1: if night and then hold", "missing-condition", "and then"),
        ("TF1: if night then hold else", "missing-verb", "else"),
        ("TF1: if night and contact is BB or night then hold", "mixed-joiner", "or"),
        ("TF1: if fuel over 3 then hold", "unknown-term", "fuel"),
        ("TF1: if contact then hold", "missing-comparison", "contact"),
        ("TF1: if contact beats BB then hold", "bad-comparison", "beats"),
        ("TF1: if weather over fog then hold", "bad-comparison", "over"),
        ("TF1: if visibility is contact then hold", "bad-comparison", "contact"),
        ("TF1: if contact is then hold", "missing-value", "is"),
        ("TF1: if night is maybe then hold", "bad-value", "maybe"),
        ("X9: hold", "unknown-unit", "X9"),
        ("TF1: if contact is XX then hold", "bad-value", "XX"),
        ("TF1: if visibility is low then hold", "bad-number", "low"),
        ("@turn 3 TF1: hold", "two-scopes", "@turn 3"),
        ("turn x TF1: hold", "bad-turn", "turn x"),
        ("Q9: yes", "unknown-question", "Q9"),
        ("Q1: hood", "bad-answer", "hood"),
        ("Q1: Suffolk Norfolk", "bad-answer", "Suffolk Norfolk"),
        ("Q1: Suffolk; Norfolk", "bad-answer", "Norfolk"),
        ("@TF1: none hold", "bad-none", "none hold"),
        ("@Q1: Suffolk", "bad-answer", "@Q1"),
        ("move J15", "no-actor", "move"),
        ("TF1: hold; FINAL", "misplaced-word", "FINAL"),
        ("FINAL FINAL; ", "extra-words", "FINAL"),
        ("FINAL; FINAL;", "twice", "FINAL"),
        ("ABSENT;", "bad-date", "ABSENT"),
        ("ABSENT UNTIL 2026-02-29;", "bad-date", "ABSENT UNTIL 2026-02-29"),
        ("ABSENT UNTIL 2026-04-31;", "bad-date", "ABSENT UNTIL 2026-04-31"),
        ("ABSENT UNTIL 2026-07-32;", "bad-date", "ABSENT UNTIL 2026-07-32"),
        ("ABSENT UNTIL 2100-02-29;", "bad-date", "ABSENT UNTIL 2100-02-29"),
        ("ABSENT UNTIL tomorrow;", "bad-date", "ABSENT UNTIL tomorrow"),
        ("RUN;", "bad-run", "RUN"),
        ("RUN 0;", "bad-run", "RUN 0"),
        ("RUN 100;", "bad-run", "RUN 100"),
        ("RUN 3 turns;", "bad-run", "RUN 3 turns"),
        ("RUN 2.5;", "bad-run", "RUN 2.5"),
        ("LINKS;", "bad-links", "LINKS"),
        ("LINKS 0;", "bad-links", "LINKS 0"),
        ("LINKS 3 windows;", "bad-links", "LINKS 3 windows"),
        ("PREFER;", "bad-preference", "PREFER"),
        ("PREFER colour red;", "bad-preference", "PREFER colour red"),
        ("PREFER mail;", "bad-preference", "PREFER mail"),
        ("PREFER mail dates iso;", "bad-preference", "PREFER mail dates iso"),
        ("TF1: run 3", "misplaced-word", "run"),
        (": hold", "unknown-unit", ":"),
        ("TF1: hold; turn 4 hold", "misplaced-scope", "turn"),
    ],
)
def test_each_mistake_has_its_word_and_place(text: str, code: str, said: str | None) -> None:
    before = "" if text.startswith(EARLY) else "TF2: radio on;\nCL1: hold; "
    reading = read(before + text)
    (found,) = reading.diagnostics
    assert found.code == code
    line = reading.unit.text.split("\n")[found.line - 1]
    shown = line[found.column - 1 : found.column - 1 + found.length]
    if said is not None:
        assert shown == said
    assert found.text


EARLY = ("FINAL", "ABSENT", "RUN", "LINKS", "PREFER", "move")


def test_preferences_may_come_in_several_words() -> None:
    reading = read("PREFER dates iso; PREFER zone Europe Berlin remind 36h;\nTF1: hold;")
    assert not reading.diagnostics
    assert reading.orders.words == {"PREFER": "DATES ISO ZONE EUROPE BERLIN REMIND 36H"}


def test_one_bad_order_spoils_no_other() -> None:
    reading = read(
        "TF1: mvoe J15; radio silent; TF9: hold; hold; CL1: patrol ; @@TF2: hold;\n"
        "TF2: hold; Q1: hood; CA2: hold"
    )
    assert [(o.actor, o.actions[0].verb) for o in reading.orders.orders] == [
        ("TF1", "radio"),
        ("TF2", "hold"),
        ("CA2", "hold"),
    ]
    assert [d.code for d in reading.diagnostics] == [
        "unknown-verb",
        "unknown-unit",
        "missing-argument",
        "two-scopes",
        "bad-answer",
    ]


def test_hints_come_from_the_sender_s_own_words() -> None:
    found = read("TF2: shadow EN8; Norflk: hold; TF1: base Scapa Flo").diagnostics
    hints = {d.code: d.hint for d in found}
    assert hints["unknown-unit"] == "did you mean 'NORFOLK'?"
    assert hints["unknown-contact"] == "did you mean 'EN7'?"
    close, far = (read(f"Q1: {said}").diagnostics[0].hint for said in ("Sufolk", "hood"))
    assert (close, far) == ("did you mean 'SUFFOLK'?", "answers: SUFFOLK, NORFOLK, none")
    first, second = read("TF1: mvoe A1; CA2: mvoe A1").diagnostics
    assert first.hint == "did you mean 'move'?"
    assert second.hint == "orders: patrol, hold"
    much, more = read("TF1: hold fro 3; TF1: radio silent now").diagnostics
    assert much.hint == "did you mean 'for'?"
    assert more.hint == "put ';' between two orders"


@pytest.mark.parametrize(
    ("text", "code", "hint"),
    [
        ("TF1 move J15;", "missing-colon", "write 'TF1: ...'"),
        ("Q1 Suffolk;", "missing-colon", "write 'Q1: ...'"),
        ("King George V - move J15;", "missing-colon", "write 'King George V: ...'"),
        ("CL1: hold; TF1 - move J15;", "missing-colon", "write 'TF1: ...'"),
        ("TF1 TF2: hold", "missing-colon", "write a comma between two units"),
        ("CL1: hold; TF1 TF2: hold", "missing-colon", "write a comma between two units"),
        ("CA Norfolk: hold", "extra-words", "leave it out; only a name stands"),
        ("CL1: hold; CA Norfolk: hold", "extra-words", "leave it out; only a name stands"),
        ("CL1: patrol to C8", "unknown-zone", "leave 'to' out; for example: CL1: patrol"),
        ("TF1: move C8 at speed full", "unknown-zone", "leave 'at' out; for example: TF1: move"),
        ("TF1: hold 3", "extra-words", "write 'for 3'"),
        ("TF1: move J15 via speed full", "missing-argument", "for example: TF1: move"),
        ("TF1: detach Suffolk, Norfolk, Suffolk", "named-twice", "name each unit once"),
        ("ABSENT UNTIL tomorrow", "bad-date", "write ABSENT UNTIL YYYY-MM-DD;"),
    ],
)
def test_hints_for_the_commonest_slips(text: str, code: str, hint: str) -> None:
    (found,) = read(text).diagnostics
    assert found.code == code
    assert found.hint.startswith(hint)


@pytest.mark.parametrize("joint", [",", " and", " &", ", and"])
def test_several_units_may_be_joined_by_and(joint: str) -> None:
    reading = read(f"CL1: hold; TF1{joint} TF2: hold")
    assert not reading.diagnostics
    assert [o.actor for o in reading.orders.orders] == ["CL1", "TF1", "TF2"]


def test_a_unit_with_faults_or_without_header_is_refused() -> None:
    (stray,) = read("TF1: hold < 3").refusals
    assert stray.code == "stray-character"
    assert len(read("TF1: hold").refusals) == 8
    (unit,) = streams(f"BEGIN ORDERS\n{show_header(HEADER)}TF1: hold;\nEND ORDERS")
    reading = understand(unit, GRAMMAR, VOCABULARY)
    assert (reading.header, reading.refusals) == (HEADER, ())
    assert unit.tokens[reading.body].text == "TF1"


def test_a_hopeless_text_is_not_listed_to_its_end() -> None:
    reading = read("TF1: mvoe;" * 5000)
    assert len(reading.diagnostics) == 100
    assert not reading.orders.orders


@pytest.mark.parametrize("verb", [v for v in GRAMMAR.verbs if v.example], ids=lambda v: v.name)
def test_examples_of_the_verb_table_parse(verb: object) -> None:
    assert not codes(getattr(verb, "example"))  # noqa: B009


def by_itself(text: str, words: Vocabulary = VOCABULARY) -> Line | None:
    return read_line(text, words.language, words.actors, words.units, words.contacts)


@pytest.mark.parametrize(
    "text", ["TF1: hold; [as before]", "@TF2: patrol K15;", "King George V: hold; CL1: hold"]
)
def test_a_line_by_itself_reads_as_in_a_set(text: str) -> None:
    read_alone = by_itself(text)
    assert read_alone is not None
    assert read_alone.orders == read(text).orders.orders


@pytest.mark.parametrize(
    "text",
    [
        "TF1: dance;",
        "TF9: hold;",
        "TF1: hold; TF9: hold;",
        "TF1: hold; [as",
        "TF1: hold; #",
        "hold;",
    ],
)
def test_a_line_with_a_mistake_is_none(text: str) -> None:
    assert by_itself(text) is None


def without(field: str, id: str) -> dict[str, Any]:
    return {**REPORT, field: [one for one in REPORT[field] if one["id"] != id]}


def test_a_line_is_read_anew_for_other_names_and_another_grammar() -> None:
    text = "TF1: join Suffolk;"
    assert by_itself(text) is not None
    assert by_itself(text, Vocabulary.of(without("units", "SUFFOLK"), GRAMMAR)) is None
    assert by_itself(text, Vocabulary.of(REPORT, NUMBERED)) is None
    once, again = (Vocabulary.of(dict(REPORT), GRAMMAR) for _ in range(2))
    assert by_itself(text, once) is by_itself(text, again)


def test_equal_names_are_indexed_once_and_the_caches_are_bounded() -> None:
    reports = (REPORT, dict(REPORT), without("contacts", "EN7"))
    once, again, other = (Vocabulary.of(report, GRAMMAR) for report in reports)
    assert once.actors is again.actors is other.actors
    assert once.contacts is again.contacts is not other.contacts
    assert (phrases.cache_info().maxsize, read_line.cache_info().maxsize) == (64, 1024)


def garbage_of_mistakes() -> int:
    """Objects in cycles after twenty order sets with mistakes."""
    gc.collect()
    for _ in range(20):
        assert codes("TF1: dance;\nTF9: hold;") == ["unknown-verb", "unknown-unit"]
    return gc.collect()


def test_mistakes_leave_no_garbage() -> None:
    gc.disable()
    try:
        # The least of some: what other threads of the process leave meanwhile counts too,
        # and garbage of mistakes is there every time.
        assert min(garbage_of_mistakes() for _ in range(5)) < 100
    finally:
        gc.enable()


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ("E22", "row E ends at E3"),
        ("E1", "row E begins at E2"),
        ("E3", ""),
        ("Q7", ""),
        ("1203", ""),
        ("KIEL", ""),
    ],
)
def test_the_end_of_a_row_is_named(place: str, said: str) -> None:
    assert beyond(place, ["E2", "E3", "EE9", "F30", "1204", "KIEL"]) == said
