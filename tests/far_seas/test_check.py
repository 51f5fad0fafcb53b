"""What the checker says of orders, from the report and the open board alone; accents; notes."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator
from typing import Any

import pytest

from games.far_seas import setup
from games.far_seas.board import BRITISH, GERMAN
from games.far_seas.check import CHECKS
from games.far_seas.events import Sailed
from games.far_seas.game import SYSTEM
from games.far_seas.state import War
from games.far_seas.verbs import GRAMMAR
from orders.canon import streams
from orders.diagnose import Diagnostic, judge
from orders.model import Order
from orders.parse import understand
from orders.vocabulary import Vocabulary
from pbem.model import Side
from tests.far_seas.casebook import OPTIONS, read, report


def begin(name: str = "war") -> War:
    war = setup.begin(name, OPTIONS)
    war.segment = 1
    return war


def order(war: War, side: Side, text: str) -> Order:
    """One order, read without the menu's narrower view."""
    seen = report(war, side)
    every = [{"verb": v.name, "args": []} for v in GRAMMAR.verbs]
    seen["menu"] = dict.fromkeys([*seen["menu"]], every)
    (unit,) = streams(f"BEGIN ORDERS\n{text}\nEND ORDERS\n")
    reading = understand(unit, GRAMMAR, Vocabulary.of(seen, GRAMMAR))
    assert not reading.diagnostics, reading.diagnostics
    (found,) = reading.orders.orders
    return found


WRONG = [
    (GERMAN, "EMDEN: move 1;", "not-adjacent"),
    (GERMAN, "LEIPZIG: move 7;", "canal"),
    (GERMAN, "EMDEN: move 25 by canal;", "canal"),
    (GERMAN, "EMDEN: river;", "too-deep"),
    (GERMAN, "EMDEN: raid sydney;", "not-adjacent"),
    (GERMAN, "EMDEN: intern;", "no-liner"),
    (GERMAN, "PRINZ EITEL FRIEDRICH: intern;", "no-port"),
    (GERMAN, "EMDEN: return;", "no-way-home"),
    (GERMAN, "EMDEN: convoy;", "not-yours"),
    (GERMAN, "EMDEN: hold;", "not-yours"),
    (GERMAN, "EMDEN: seek any;", "not-yours"),
    (GERMAN, "EMDEN: surprise;", "missing-argument"),
    (GERMAN, "EMDEN: surprise any FOX;", "extra-words"),
    (GERMAN, "GERMAN: cruise;", "wrong-actor"),
    (GERMAN, "EMDEN: join EMDEN;", "joins-itself"),
    (BRITISH, "HAMPSHIRE: raid madras;", "not-yours"),
    (BRITISH, "HAMPSHIRE: surprise any;", "not-yours"),
    (BRITISH, "HAMPSHIRE: seek;", "missing-argument"),
    (BRITISH, "HAMPSHIRE: target;", "missing-argument"),
    (BRITISH, "HAMPSHIRE: pursue;", "missing-argument"),
    (BRITISH, "HAMPSHIRE: pursue all EMDEN;", "extra-words"),
    (BRITISH, "HAMPSHIRE: convoy;", "no-convoy-ship"),
    (BRITISH, "RAINBOW: convoy 21;", "no-merchants"),
    (BRITISH, "CONDE: move 20;", "other-ocean"),
    (BRITISH, "GOOD HOPE: cruise;", "in-box"),
    (BRITISH, "HAMPSHIRE: support tsingtao;", "no-landing-now"),
    (BRITISH, "HAMPSHIRE: support samoa;", "not-adjacent"),
]


@pytest.mark.parametrize(("side", "text", "code"), WRONG)
def test_orders_that_cannot_stand(side: Side, text: str, code: str) -> None:
    war = begin()
    problem = CHECKS.check(order(war, side, text), report(war, side))
    assert problem and problem.code == code
    assert problem.text and problem.rule


RIGHT = [
    (GERMAN, "EMDEN: move 26;"),
    (GERMAN, "EMDEN: move 25;"),
    (GERMAN, "LEIPZIG: move 7 by canal;"),
    (GERMAN, "KÖNIGSBERG: river;"),
    (GERMAN, "@EMDEN: move 1;"),
    (GERMAN, "turn 5 EMDEN: raid sydney;"),
    (GERMAN, "EMDEN: if turn over 3 then move 1;"),
    (GERMAN, "EMDEN: surprise FOX odds 0.8;"),
    (GERMAN, "EMDEN: target split;"),
    (BRITISH, "HAMPSHIRE: move 29;"),
    (BRITISH, "FOX: convoy 29;"),
    (BRITISH, "NEWCASTLE: move 24;"),
    (BRITISH, "AUSTRALIA: support samoa;"),
    (BRITISH, "BRITISH: seek EMDEN;"),
    (BRITISH, "HAMPSHIRE: pursue EMDEN;"),
    (BRITISH, "BRITISH: pursue none;"),
    (GERMAN, "EMDEN: split with LEIPZIG, DRESDEN;"),
    (GERMAN, "EMDEN: split;"),
]


@pytest.mark.parametrize(("side", "text"), RIGHT)
def test_orders_that_stand(side: Side, text: str) -> None:
    war = begin()
    assert CHECKS.check(order(war, side, text), report(war, side)) is None


def test_what_has_moved_moves_no_more() -> None:
    war = begin()
    war.ships["EMDEN"].moved = True
    problem = CHECKS.check(order(war, GERMAN, "EMDEN: cruise;"), report(war, GERMAN))
    assert problem and problem.code == "may-not-move" and "has moved" in problem.text


def test_a_raided_station_is_no_goal() -> None:
    war = begin()
    war.raided.append("Hong Kong")
    problem = CHECKS.check(order(war, GERMAN, "EMDEN: raid hong kong;"), report(war, GERMAN))
    assert problem and problem.code == "raided-before"


def test_areas_out_of_play() -> None:
    war = begin("emden")
    problem = CHECKS.check(order(war, GERMAN, "EMDEN: move 25;"), report(war, GERMAN))
    assert problem and problem.code == "not-in-play"


@pytest.mark.parametrize(
    "typed", ["Königsberg", "KONIGSBERG", "konigsberg", "KÖNIGSBERG", "Ko\u0308nigsberg"]
)
def test_names_with_and_without_accents(typed: str) -> None:
    (found,) = read(begin(), GERMAN, f"{typed}: cruise;").orders
    assert found.actor == "KONIGSBERG"


@pytest.mark.parametrize("typed", ["Kaiser Wilhelm der Große", "Kaiser Wilhelm der Grosse"])
def test_a_sharp_s_is_two(typed: str) -> None:
    (found,) = read(begin(), GERMAN, f"{typed}: cruise;").orders
    assert found.actor == "KAISER WILHELM DER GROSSE"


def test_an_enemy_is_named_with_and_without_accents() -> None:
    for typed in ("Nürnberg", "NURNBERG"):
        (found,) = read(begin(), BRITISH, f"FOX: seek {typed};").orders
        assert found.actions[0].args == {"ship": "NURNBERG"}


def test_notes_say_where_an_order_leads() -> None:
    war = begin()
    seen = report(war, GERMAN)
    assert (
        CHECKS.noted(order(war, GERMAN, "EMDEN: move 26;"), seen)
        == "to 26 South China Sea & Malacca"
    )
    assert CHECKS.noted(order(war, GERMAN, "EMDEN: cruise;"), seen) == ""
    assert CHECKS.noted(order(war, GERMAN, "@EMDEN: move 26;"), seen) == ""


@pytest.mark.parametrize("may_run", [True, False])
def test_an_order_to_run_from_a_surprise_says_that_it_does_nothing(may_run: bool) -> None:
    war = begin()
    met = {"kind": "Meets", "own": ["Emden"], "may_run": may_run}
    for of, said in ((met, not may_run), ({**met, "own": ["Leipzig"]}, False)):
        seen = {**report(war, GERMAN), "questions": [of]}
        note = CHECKS.noted(order(war, GERMAN, "EMDEN: run;"), seen)
        assert note.startswith("not from this meeting") == said


def test_nothing_but_the_report_is_asked() -> None:
    """Where the enemy lies changes no answer."""
    war = begin()
    other = copy.deepcopy(war)
    for ship in other.fleet(GERMAN):
        ship.area = "15"
    for side, text, _ in WRONG:
        if side == BRITISH:
            found = order(war, side, text)
            assert CHECKS.check(found, report(war, side)) == CHECKS.check(
                found, report(other, side)
            )


@pytest.mark.parametrize("name", [s.name for s in SYSTEM.scenarios])
@pytest.mark.parametrize("side", [GERMAN, BRITISH])
def test_the_form_is_a_valid_set_as_it_stands(name: str, side: Side) -> None:
    war = begin(name)
    seen = report(war, side)
    for one in read(war, side, "\n".join(seen["form"])).orders:
        assert CHECKS.check(one, seen) is None


def judged(seen: dict[str, Any], texts: Iterable[str]) -> Iterator[list[Diagnostic]]:
    """All that each of these mailed sets is refused for, by the sender's report."""
    words = Vocabulary.of(seen, GRAMMAR)
    for text in texts:
        (unit,) = streams(f"BEGIN ORDERS\n{text}\nEND ORDERS\n")
        reading = judge(
            understand(unit, GRAMMAR, words), seen, SYSTEM.check, SYSTEM.after, words.seen
        )
        yield list(reading.diagnostics)


def mailed(war: War, side: Side, text: str) -> list[Diagnostic]:
    """All that a mailed set is refused for."""
    (found,) = judged(report(war, side), [text])
    return found


def problems(war: War, side: Side, text: str) -> list[tuple[str, str, str]]:
    """Code, text and hint of these."""
    return [(d.code, d.text, d.hint) for d in mailed(war, side, text)]


REASONS = [
    (BRITISH, "HAMPSHIRE: convoy;", "M6", "only ships with A or B guns"),
    (BRITISH, "DUPLEIX: convoy 29;", "M6", "only ships with A or B guns"),
    (BRITISH, "HAMPSHIRE: move 14;", "M5", "is not adjacent to"),
    (BRITISH, "HAMPSHIRE: station halifax;", "M5", "is not adjacent to"),
    (BRITISH, "HAMPSHIRE: raid madras;", "M5", "is for German ships"),
    (BRITISH, "BRITISH: cruise;", "M5", "is an order for a ship"),
    (BRITISH, "HAMPSHIRE: support kamerun;", "found c", "needs ships in turns 2 to 9"),
    (GERMAN, "EMDEN: river;", "G2", "only KONIGSBERG, NURNBERG, LEIPZIG can enter"),
    (GERMAN, "LEIPZIG: river;", "M5", "is not adjacent to"),
    (GERMAN, "LEIPZIG: intern;", "found b", "only liners are interned"),
    (GERMAN, "EMDEN: return;", "G9", "the way home begins in"),
    (GERMAN, "EMDEN: raid halifax;", "M5", "is not adjacent to"),
]


@pytest.mark.parametrize(("side", "text", "rule", "why"), REASONS)
def test_what_the_menu_does_not_offer_is_refused_with_its_rule(
    side: Side, text: str, rule: str, why: str
) -> None:
    (found,) = mailed(begin(), side, text)
    assert (found.code, found.rule) == ("not-now", rule)
    assert why in found.text and found.hint


def every_order(war: War, side: Side) -> Iterator[str]:
    """Every verb that moves a ship, for every ship, with each value that a board knows."""
    one = war.fleet(side)[0].id
    for ship in war.fleet(side):
        for verb in ("cruise", "part", "river", "intern", "return", "hold", "convoy"):
            yield f"{ship.id}: {verb};"
        yield from (f"{ship.id}: move {area};" for area in ("5", "16", "20", "29", "MED"))
        yield from (f"{ship.id}: raid {name};" for name in ("madras", "zanzibar", "fanning island"))
        yield from (f"{ship.id}: station {name};" for name in ("colombo", "halifax", "suva"))
        yield from (f"{ship.id}: support {name};" for name in ("samoa", "kamerun"))
        yield f"{ship.id}: join {one};"
        yield f"{ship.id}: convoy 29;"


@pytest.mark.parametrize("side", [GERMAN, BRITISH])
@pytest.mark.parametrize("name", ["war", "emden"])
@pytest.mark.parametrize(("segment", "named", "meeting"), [(1, 0, 0), (1, 1, 0), (2, 0, 1)])
def test_every_refusal_of_a_move_names_its_rule_and_what_to_do(
    name: str, side: Side, segment: int, named: int, meeting: int
) -> None:
    war = begin(name)
    war.segment, war.meeting = segment, bool(meeting)
    war.bound = {"EMDEN": Sailed("EMDEN", "25", "25", "cruise")} if named else {}
    war.ships["EMDEN"].moved = war.ships["FOX"].moved = True
    for ship in (war.ships["DARTMOUTH"], war.ships["SWIFTSURE"]):
        ship.duty = "convoy"
    refused = 0
    texts = list(every_order(war, side))
    for text, diagnostics in zip(texts, judged(report(war, side), texts), strict=True):
        for found in diagnostics:
            assert found.rule and found.text and found.hint, f"{text} {found}"
            refused += 1
    assert refused > 20


def test_the_reason_of_a_refusal_is_the_same_wherever_the_enemy_is() -> None:
    """Only the sender's report is read."""
    war, other = begin(), begin()
    for ship in other.fleet(GERMAN):
        ship.area = "15"
    texts = list(every_order(war, BRITISH))
    here, there = (judged(report(board, BRITISH), texts) for board in (war, other))
    for text, one, elsewhere in zip(texts, here, there, strict=True):
        assert one == elsewhere, text


def test_m5_of_two_moves_of_a_ship_the_second_is_refused_and_both_are_named() -> None:
    said = "'raid esquimalt' contradicts 'move 19', which LEIPZIG is ordered in this set already"
    (found,) = problems(begin(), GERMAN, "LEIPZIG: move 19; LEIPZIG: raid esquimalt;")
    assert found[:2] == ("contradiction", said)


@pytest.mark.parametrize(
    "text",
    [
        "LEIPZIG: move 1; LEIPZIG: move 19;",  # the first is refused by itself
        "LEIPZIG: if turn over 3 then move 19; LEIPZIG: cruise;",
        "@LEIPZIG: cruise; LEIPZIG: move 19;",
        "LEIPZIG: cruise; DRESDEN: move 8;",
        "LEIPZIG: cruise; LEIPZIG: capture none; LEIPZIG: stand;",
        "LEIPZIG: surprise FOX; LEIPZIG: surprise PEGASUS;",
    ],
)
def test_orders_that_do_not_contradict_each_other(text: str) -> None:
    assert "contradiction" not in [code for code, _, _ in problems(begin(), GERMAN, text)]


@pytest.mark.parametrize(
    "text",
    ["EMDEN: run; EMDEN: stand;", "EMDEN: cruise; EMDEN: if turn over 3 then move 26;"],
)
def test_what_could_never_be_carried_out_is_refused(text: str) -> None:
    assert [code for code, _, _ in problems(begin(), GERMAN, text)] == ["contradiction"]


def test_an_enemy_who_is_not_known_is_said_to_be_none() -> None:
    (found,) = problems(begin("konigsberg"), BRITISH, "FOX: seek EMDEN;")
    assert found == ("unknown-contact", "'EMDEN' is not one of your contacts", "one of: any, none")


@pytest.mark.parametrize("text", ["move 28", "cruise", "part"])
def test_a_ship_found_in_the_river_is_not_ordered_out(text: str) -> None:
    war = begin()
    war.ships["KONIGSBERG"].duty, war.ships["KONIGSBERG"].trapped = "river", True
    problem = CHECKS.check(
        order(war, GERMAN, f"KONIGSBERG: {text};"), {**report(war, GERMAN), **OFFERED}
    )
    assert problem and problem.code == "trapped"


OFFERED = {"menu": {"KONIGSBERG": [{"verb": "river", "args": []}]}}


@pytest.mark.parametrize(
    ("side", "text", "rule", "said"),
    [
        (GERMAN, "EMDEN: cruise;", "M4", "the Germans of this segment are named already"),
        (BRITISH, "FOX: cruise;", "5.3", "may move only in a turn's first segment"),
        (BRITISH, "OTRANTO: hold;", "5.3", "may move only in a turn's first segment"),
        (BRITISH, "YARMOUTH: cruise;", "M3", "has moved this turn"),
    ],
)
def test_who_may_not_move_hears_why(side: Side, text: str, rule: str, said: str) -> None:
    war = begin()
    war.segment, war.ships["FOX"].duty = 2, "convoy"
    war.bound = {"EMDEN": Sailed("EMDEN", "25", "25", "cruise")}
    war.ships["YARMOUTH"].moved = True
    problem = CHECKS.check(order(war, side, text), report(war, side))
    assert problem and problem.code == "may-not-move" and said in problem.text
    assert problem.rule == rule and problem.hint


def test_m3_while_ships_meet_nobody_moves_and_orders_wait_for_the_next_segment() -> None:
    war = begin()
    war.meeting = True
    (found,) = mailed(war, BRITISH, "YARMOUTH: cruise;")
    assert "have met" in found.text and found.hint == "order it when the next segment begins"
    assert found.rule == "M3"


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("YARMOUTH: cruise;", "order it when the next segment begins"),
        ("OTRANTO: hold;", "order it in the next turn"),  # a liner
        ("FOX: cruise;", "order it in the next turn"),  # on convoy
    ],
)
def test_5_3_who_moves_in_the_first_segment_alone_waits_for_the_next_turn_once_ships_have_met(
    text: str, hint: str
) -> None:
    war = begin()
    war.meeting, war.ships["FOX"].duty = True, "convoy"
    (found,) = mailed(war, BRITISH, text)
    assert (found.rule, found.hint) == ("M3", hint) and "have met" in found.text


def test_g2_the_owner_is_told_who_lies_in_the_river() -> None:
    war = begin()
    war.ships["KONIGSBERG"].duty, war.ships["LEIPZIG"].area = "river", "31"
    (found,) = mailed(war, GERMAN, "LEIPZIG: river;")
    assert (found.code, found.rule) == ("river-taken", "G2")
    assert "KONIGSBERG lies in the Rufiji" in found.text
    assert found.hint == "once she is out: LEIPZIG: if segment over 1 then river"
    assert not mailed(war, GERMAN, "KONIGSBERG: river;")
    assert not mailed(war, GERMAN, "EMDEN: move 26;"), "who goes elsewhere needs no room there"
    war.ships["ASTRAEA"].duty = "watch"
    assert not mailed(war, BRITISH, "PEGASUS: river;")


def test_a_note_says_for_whom_a_squadron_searches() -> None:
    war = begin()
    war.ships["MONMOUTH"].leader = "GOOD HOPE"
    noted = [
        CHECKS.noted(order(war, side, text), report(war, side))
        for side, text in (
            (GERMAN, "GNEISENAU: surprise any;"),
            (BRITISH, "MONMOUTH: seek any;"),
            (BRITISH, "GOOD HOPE: seek any;"),
            (BRITISH, "BRITISH: seek any;"),
            (BRITISH, "@MONMOUTH: seek any;"),
        )
    ]
    assert noted == [
        "for the whole squadron, if SCHARNHORST has no such order herself",
        "for the whole squadron, if GOOD HOPE has no such order herself",
        "",
        "",
        "",
    ]


@pytest.mark.parametrize(
    ("name", "side", "text", "hint"),
    [
        ("war", BRITISH, "CONDE: move 20;", "open to it: 4, 6, 8, 9"),  # 5.5 French, Atlantic
        ("war", BRITISH, "SUFFOLK: move 5;", "adjacent: 4, 6, 8, 9, 20"),
        ("emden", GERMAN, "EMDEN: move 25;", "open to it: 26, 28"),
        ("emden", BRITISH, "DUPLEIX: move 25;", "open to it: 24, 28, 29"),
    ],
)
def test_m5_who_may_not_go_there_reads_where_she_may(
    name: str, side: Side, text: str, hint: str
) -> None:
    """Every area that is adjacent, in play and of her ocean, and no other."""
    assert [found.hint for found in mailed(begin(name), side, text)] == [hint]


@pytest.mark.parametrize(
    ("side", "text", "hint"),
    [
        (
            GERMAN,
            "PRINZ EITEL FRIEDRICH: intern;",
            "neutral ports are in 5, 6, 7, 9, 11, 19, 20, 24",
        ),
        (BRITISH, "RAINBOW: convoy 21;", "merchants sail in 20, 7, 19"),
        (BRITISH, "GOOD HOPE: cruise;", "open to it: 1, 2, 3"),
        (GERMAN, "LEIPZIG: move 7;", "LEIPZIG: move 7 by canal"),
        (GERMAN, "EMDEN: return;", "go to area 2 first"),
    ],
)
def test_a_refusal_names_the_areas_where_the_order_would_stand(
    side: Side, text: str, hint: str
) -> None:
    """M5, M6, G1, G9, found b: all of them and no other."""
    assert [found.hint for found in mailed(begin(), side, text)] == [hint]


def test_g1_a_station_beyond_the_canal_is_not_raided_undeclared() -> None:
    (found,) = mailed(begin(), GERMAN, "LEIPZIG: raid kingston;")
    assert (found.rule, found.hint) == ("G1", "LEIPZIG: move 7 by canal")


@pytest.mark.parametrize(
    ("side", "text", "hint"),
    [
        (GERMAN, "LEIPZIG: move 7 via canal;", "write 'by canal'"),
        (GERMAN, "LEIPZIG: move 7 through the Panama Canal;", "write 'by canal'"),
        (GERMAN, "LEIPZIG: move 7 via Panama;", "write 'by canal'"),
        (
            BRITISH,
            "CHATHAM: move 30 via Suez;",
            "leave it out: 'by canal' is not possible now",
        ),
        (GERMAN, "LEIPZIG: move 21 capture none;", "put ';' between two orders"),
        (GERMAN, "KARLSRUHE: raid St. John's;", "did you mean 'st johns'?"),
        (GERMAN, 'KARLSRUHE: raid "St. John’s";', "did you mean 'st johns'?"),
        (BRITISH, "ESSEX: station StJohns;", "did you mean 'st johns'?"),
        (BRITISH, "ESSEX: station St-Johns;", "did you mean 'st johns'?"),
        (BRITISH, "ESSEX: station Saint Johns;", "did you mean 'st johns'?"),
        (GERMAN, "KARLSRUHE: raid Port-Stanley;", "did you mean 'port stanley'?"),
        (GERMAN, "KARLSRUHE: raid Pt. Stanley;", "did you mean 'port stanley'?"),
        (GERMAN, "KARLSRUHE: raid Hongkong;", "did you mean 'hong kong'?"),
    ],
)
def test_a_slip_of_the_pen_is_answered_with_what_to_write(side: Side, text: str, hint: str) -> None:
    """M5, G1: of the canal and of names as the board prints them."""
    assert [found.hint for found in mailed(begin(), side, text)] == [hint]
