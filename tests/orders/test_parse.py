"""Tokens to orders: actors, scopes, arguments, branches, answers."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orders.canon import streams
from orders.diagnose import judge
from orders.header import show_header
from orders.model import Action, Condition, Order, OrderSet, Value
from orders.model import Test as Trial
from orders.parse import understand
from orders.show import show, show_order
from orders.vocabulary import Phrases
from tests.orders.sea import GRAMMAR, REPORT, VOCABULARY, ZONES, block, codes, read
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
        ("TF1", False, None), ("KING GEORGE V", False, None), ("TF2", True, None),
        ("CL1", False, 9),
    ]  # fmt: skip


def test_a_scope_covers_the_actor_s_orders_up_to_the_next_actor() -> None:
    reading = read("@TF1: hold; radio silent; TF2: hold; turn 4 CL1: hold; radio on; TF1: hold")
    scopes = [(o.actor, o.standing, o.turn) for o in reading.orders.orders]
    assert scopes == [
        ("TF1", True, None), ("TF1", True, None), ("TF2", False, None), ("CL1", False, 4),
        ("CL1", False, 4), ("TF1", False, None),
    ]  # fmt: skip


def test_several_actors_in_one_head() -> None:
    reading = read('@TF1, "King George V", Arethusa: hold;')
    assert [(o.actor, o.standing) for o in reading.orders.orders] == [
        ("TF1", True), ("KING GEORGE V", True), ("CL1", True),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("TF1: move J15 K14", {"path": ["J15", "K14"]}),
        ("TF1: move J15, K14, Scapa Flow", {"path": ["J15", "K14", "F20"]}),
        ("TF1: move to J15", {"path": ["J15"]}),
        ("TF1: proceed J15", {"path": ["J15"]}),
        ("TF1: move J15 via K1 speed very full", {"path": ["J15"], "speed": "very full",
                                                   "via": "K1"}),
        ("TF1: move speed full J15", {"path": ["J15"], "speed": "full"}),
        ("CL1: patrol F17-F19 G1", {"zones": ["F17", "F18", "F19", "G1"]}),
        ("TF1: base St. Nazaire", {"port": "R18"}),
        ('TF1: base "Scapa Flow"', {"port": "F20"}),
        ("TF1: detach Suffolk Norfolk as TF6", {"ships": ["SUFFOLK", "NORFOLK"], "as": "TF6"}),
        ("TF1: join lr recon 2", {"force": "LR RECON 2"}),
        ("TF1: join King George V", {"force": "KGV"}),
        ("TF1: hold for 03", {"turns": 3}),
        ("TF1: launch LR Recon 2 range 2.50", None),
        ("TF1: launch LR Recon 2 range 2.5 search A1", {"squadron": "LR RECON 2",
                                                        "search": "A1", "range": "2.5"}),
        ("TF1: launch LR Recon 2 range 12.0", {"squadron": "LR RECON 2", "range": "12"}),
        ("TF1: withdraw", {}),
        ("TF1: withdraw sse", {"to": "SSE"}),
        ("TF1: attack bb", {"kind": "BB"}),
    ],
)  # fmt: skip
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
    [("2", 2), ("2.0", 2), ("2.", 2), ("02", 2), ("10.000", 10), ("0.0", 0), ("2.50", "2.5"),
     ("02.5", "2.5"), ("0.125", "0.125")],
)  # fmt: skip
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
    reading = read("FINAL; absent until 2026-11-24; consent undo 14; @TF2: none; Q1: norfolk; "
                   "Q2: 3 cards; TF1: hold;")  # fmt: skip
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
        ("TF1: if night and then hold", "missing-condition", None),
        ("TF1: if night then hold else", "missing-verb", "else"),
        ("TF1: if night and contact is BB or night then hold", "mixed-joiner", "or"),
        ("TF1: if fuel over 3 then hold", "unknown-term", "fuel"),
        ("TF1: if contact then hold", "missing-comparison", "contact"),
        ("TF1: if contact beats BB then hold", "bad-comparison", "beats"),
        ("TF1: if weather over fog then hold", "bad-comparison", "over"),
        ("TF1: if visibility is contact then hold", "bad-comparison", "contact"),
        ("TF1: if contact is then hold", "missing-value", "is"),
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
        ("ABSENT UNTIL tomorrow;", "bad-date", "ABSENT UNTIL tomorrow"),
        ("RUN;", "bad-run", "RUN"),
        ("RUN 0;", "bad-run", "RUN 0"),
        ("RUN 100;", "bad-run", "RUN 100"),
        ("RUN 3 turns;", "bad-run", "RUN 3 turns"),
        ("RUN 2.5;", "bad-run", "RUN 2.5"),
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


EARLY = ("FINAL", "ABSENT", "RUN", "move")


def test_one_bad_order_spoils_no_other() -> None:
    reading = read("TF1: mvoe J15; radio silent; TF9: hold; hold; CL1: patrol ; @@TF2: hold;\n"
                   "TF2: hold; Q1: hood; CA2: hold")  # fmt: skip
    assert [(o.actor, o.actions[0].verb) for o in reading.orders.orders] == [
        ("TF1", "radio"), ("TF2", "hold"), ("CA2", "hold"),
    ]  # fmt: skip
    assert [d.code for d in reading.diagnostics] == [
        "unknown-verb", "unknown-unit", "missing-argument", "two-scopes", "bad-answer",
    ]  # fmt: skip


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


# ------------------------------------------------------------------ parse -> show -> parse

UNITS = sorted(set(VOCABULARY.units.exact.values()))
ZONE = st.sampled_from(sorted(ZONES))
NAME = st.sampled_from(["TF6", "TF7", "NEWNAME", "X2Y2"])


def action(verb: str, **args: st.SearchStrategy[Value]) -> st.SearchStrategy[Action]:
    """Actions of `verb`; arguments written `name_` may be left out."""
    needed = {k: v for k, v in args.items() if not k.endswith("_")}
    free = {k[:-1]: v for k, v in args.items() if k.endswith("_")}
    order = [k.removesuffix("_") for k in args]
    made = st.fixed_dictionaries(needed, optional=free)
    return made.map(lambda given: Action(verb, {k: given[k] for k in order if k in given}))


ACTIONS = st.one_of(
    action("move", path=st.lists(ZONE, min_size=1, max_size=8),
           speed_=st.sampled_from(["slow", "full", "very full"]), via_=ZONE),
    action("hold", turns_=st.integers(1, 9)),
    action("patrol", zones=st.lists(ZONE, min_size=1, max_size=9)),
    action("radio", state=st.sampled_from(["silent", "on"])),
    action("shadow", contact=st.just("EN7")),
    action("detach", ships=st.lists(st.sampled_from(UNITS), min_size=1, max_size=4), as_=NAME),
    action("join", force=st.sampled_from(UNITS)),
    action("withdraw", to_=st.sampled_from(["N", "NNW", "SE"])),
    action("launch", squadron=st.sampled_from(UNITS), search_=ZONE,
           range_=st.sampled_from(["0", "2.5", "12", "19.9"])),
    action("attack", kind=st.sampled_from(["BB", "CA", "any"])),
    action("base", port=ZONE),
)  # fmt: skip
OPS = st.sampled_from(["is", "over", "under", "at least", "at most"])
SCALE = ("DD", "CL", "CA", "BB")
TESTS = st.one_of(
    st.builds(Trial, st.just("visibility"), OPS,
              st.one_of(st.integers(0, 9999), st.sampled_from(["2.5", "0.125"])), st.booleans()),
    st.builds(Trial, st.just("contact"), OPS, st.sampled_from(SCALE), st.booleans(),
              st.just(False), st.just(SCALE)),
    st.builds(Trial, st.just("enemy evasion"), OPS, st.just("own evasion"), st.booleans(),
              st.just(True)),
    st.builds(Trial, st.just("weather"), st.just("is"), st.sampled_from(["fog", "clear sky"]),
              st.booleans()),
    st.builds(Trial, st.just("night"), st.just("is"), st.sampled_from(["YES", "NO"]),
              st.booleans()),
)  # fmt: skip
ACTORS = st.sampled_from(["TF1", "TF2", "CA2", "KING GEORGE V", "LR RECON 2"])


@st.composite
def orders(draw: st.DrawFn) -> Order:
    when = None
    otherwise: tuple[Action, ...] = ()
    if draw(st.booleans()):
        tests = tuple(draw(st.lists(TESTS, min_size=1, max_size=3)))
        joiner = draw(st.sampled_from(["and", "or"])) if len(tests) > 1 else "and"
        when = Condition(tests, "or" if joiner == "or" else "and")
        otherwise = tuple(draw(st.lists(ACTIONS, max_size=2)))
    standing = draw(st.booleans())
    turn = None if standing else draw(st.one_of(st.none(), st.integers(0, 9999)))
    actions = tuple(draw(st.lists(ACTIONS, min_size=1, max_size=3)))
    return Order(draw(ACTORS), actions, when, otherwise, standing, turn)


SETS = st.builds(
    OrderSet,
    st.lists(orders(), max_size=6).map(tuple),
    st.fixed_dictionaries({}, optional={"Q1": st.sampled_from(["SUFFOLK", "none"]),
                                        "Q2": st.sampled_from(["7", "3 CARDS"])}),
    st.lists(ACTORS, max_size=3, unique=True).map(tuple),
    st.fixed_dictionaries({}, optional={"FINAL": st.just(""), "ABSENT": st.just("2026-11-24"),
                                        "RESIGN": st.just(""), "CONSENT": st.just("UNDO 14"),
                                        "RUN": st.sampled_from(["1", "3", "99"])}),
)  # fmt: skip


@settings(deadline=None, max_examples=200)
@given(SETS)
def test_show_then_parse_is_the_identity(orders: OrderSet) -> None:
    text = show(orders, GRAMMAR)
    reading = read(text)
    assert not reading.diagnostics, (text, reading.diagnostics)
    assert reading.orders == orders
    assert show(reading.orders, GRAMMAR) == text
    assert all(line.endswith(";") for line in text.splitlines())


VOCABULARY_OF_SOUP = """
TF1 TF2 : : ; ; @ , " - turn 7 if then else also and or not none move hold patrol shadow radio
silent launch detach as speed full via EN7 J15 F17 F19 K99 Suffolk King George V night contact at
least BB is over visibility 3 2.5 2.0 02.50 Q1 Q2 FINAL ABSENT UNTIL TF6 game window BEGIN
"""
WORDS = st.one_of(
    st.sampled_from(VOCABULARY_OF_SOUP.split()), st.text("AZ19.-:;@,\"' \n", max_size=5)
)


@settings(deadline=None, max_examples=300)
@given(st.lists(WORDS, max_size=40))
def test_any_words_give_orders_or_diagnostics_and_never_raise(soup: list[str]) -> None:
    (unit,) = streams(f"BEGIN ORDERS {' '.join(soup)} END ORDERS")[:1]
    reading = judge(understand(unit, GRAMMAR, VOCABULARY), REPORT, None)
    again = read(show(reading.orders, GRAMMAR))
    if not reading.declared:
        assert again.orders == reading.orders
    for found in (*reading.diagnostics, *reading.refusals):
        assert found.line >= 1
        assert 1 <= found.column <= len(unit.text) + 1
        assert found.length >= 1


def test_show_prints_the_full_scope() -> None:
    reading = read("turn 7 CL1: patrol F17-F19 ; @TF2: if contact at least BB then withdraw NW")
    assert [show_order(o, GRAMMAR) for o in reading.orders.orders] == [
        "turn 7 CL1: patrol F17 F18 F19",
        "@TF2: if contact at least BB then withdraw NW",
    ]


@pytest.mark.parametrize("verb", [v for v in GRAMMAR.verbs if v.example], ids=lambda v: v.name)
def test_examples_of_the_verb_table_parse(verb: object) -> None:
    assert not codes(getattr(verb, "example"))  # noqa: B009
