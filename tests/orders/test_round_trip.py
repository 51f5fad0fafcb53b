"""Orders that are printed and read again come out the same."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET, UnsetType

from orders.canon import streams
from orders.diagnose import judge
from orders.model import Action, Condition, Order, OrderSet, Value
from orders.model import Test as Trial
from orders.parse import understand
from orders.rows import quoted, values_of
from orders.show import show, show_order
from tests.counts import few
from tests.orders.sea import GRAMMAR, REPORT, VOCABULARY, ZONES, read

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


UNIT = st.sampled_from(UNITS)
SIZE = st.sampled_from(["0", "2.5", "12", "19.9"])
LEG = st.builds("{} {}".format, st.sampled_from(["ahead", "port", '"hard port"']), SIZE)
POINT = st.builds("{} {}".format, SIZE, SIZE)
LOAD = st.builds(lambda unit, count: f"{quoted(unit)} {count}", UNIT, st.integers(1, 9999))
TASK = st.builds(
    "{} EN7 {} {} {} {}".format,
    ZONE,
    st.sampled_from(["N", "SE"]),
    st.sampled_from(["0", "22.5", "359"]),
    st.integers(0, 20),
    st.integers(0, 20),
)
ACTIONS = st.one_of(
    action(
        "move",
        path=st.lists(ZONE, min_size=1, max_size=8),
        speed_=st.sampled_from(["slow", "full", "very full"]),
        via_=ZONE,
    ),
    action("hold", turns_=st.integers(1, 9)),
    action("patrol", zones=st.lists(ZONE, min_size=1, max_size=9)),
    action("radio", state=st.sampled_from(["silent", "on"])),
    action("shadow", contact=st.just("EN7")),
    action("detach", ships=st.lists(UNIT, min_size=1, max_size=4, unique=True), as_=NAME),
    action("join", force=st.sampled_from(UNITS)),
    action("withdraw", to_=st.sampled_from(["N", "NNW", "SE"])),
    action(
        "launch",
        squadron=st.sampled_from(UNITS),
        search_=ZONE,
        range_=st.sampled_from(["0", "2.5", "12", "19.9"]),
    ),
    action("attack", kind=st.sampled_from(["BB", "CA", "any"])),
    action("base", port=ZONE),
    action("steer", legs=st.lists(LEG, min_size=1, max_size=4), speed_=st.integers(0, 40)),
    action("head", course=st.integers(0, 359), exact_=st.sampled_from(["0", "22.5", "180"])),
    action(
        "fly",
        route=st.lists(POINT, min_size=1, max_size=9),
        land_=st.sampled_from(["10 60", "33 20"]),
    ),
    action("load", first=LOAD, rest_=st.lists(LOAD, min_size=1, max_size=3)),
    action("assign", tasks=st.lists(TASK, min_size=1, max_size=2)),
)
OPS = st.sampled_from(["is", "over", "under", "at least", "at most"])
SCALE = ("DD", "CL", "CA", "BB")
TESTS = st.one_of(
    st.builds(
        Trial,
        st.just("visibility"),
        OPS,
        st.one_of(st.integers(0, 9999), st.sampled_from(["2.5", "0.125"])),
        st.booleans(),
    ),
    st.builds(
        Trial,
        st.just("contact"),
        OPS,
        st.sampled_from(SCALE),
        st.booleans(),
        st.just(False),
        st.just(SCALE),
    ),
    st.builds(
        Trial, st.just("enemy evasion"), OPS, st.just("own evasion"), st.booleans(), st.just(True)
    ),
    st.builds(
        Trial,
        st.just("weather"),
        st.just("is"),
        st.sampled_from(["fog", "clear sky"]),
        st.booleans(),
    ),
    st.builds(
        Trial, st.just("night"), st.just("is"), st.sampled_from(["YES", "NO"]), st.booleans()
    ),
)
ABOUT = st.one_of(
    st.builds(lambda op, right: Trial("range of", op, right, of="EN7"), OPS, st.integers(0, 9999)),
    st.builds(
        lambda op: Trial("range of", op, "range of", False, True, of="EN7", other="EN7"), OPS
    ),
    st.builds(lambda op: Trial("visibility", op, "range of", False, True, other="EN7"), OPS),
    st.builds(
        lambda op, rank, of: Trial("type of", op, rank, False, False, SCALE, of),
        OPS,
        st.sampled_from(SCALE),
        st.sampled_from(["EN7", *UNITS]),
    ),
    st.builds(lambda zone: Trial("fog at", "is", "YES", of=zone), ZONE),
    st.builds(lambda unit: Trial("orders of", "is", "close in", of=unit), UNIT),
)
TRIGGERS: list[str | UnsetType] = [UNSET, UNSET, "sighted", "under attack"]
ACTORS = st.sampled_from(["TF1", "TF2", "CA2", "KING GEORGE V", "LR RECON 2"])


@st.composite
def orders(draw: st.DrawFn) -> Order:
    when = None
    otherwise: tuple[Action, ...] = ()
    if draw(st.booleans()):
        tests = tuple(draw(st.lists(st.one_of(TESTS, ABOUT), min_size=1, max_size=3)))
        joiner = draw(st.sampled_from(["and", "or"])) if len(tests) > 1 else "and"
        when = Condition(tests, "or" if joiner == "or" else "and")
        otherwise = tuple(draw(st.lists(ACTIONS, max_size=2)))
    standing = draw(st.booleans())
    turn = None if standing else draw(st.one_of(st.none(), st.integers(0, 9999)))
    actions = tuple(draw(st.lists(ACTIONS, min_size=1, max_size=3)))
    trigger = draw(st.sampled_from(TRIGGERS))
    return Order(draw(ACTORS), actions, when, otherwise, standing, turn, trigger)


SETS = st.builds(
    OrderSet,
    st.lists(orders(), max_size=6).map(tuple),
    st.fixed_dictionaries(
        {},
        optional={
            "Q1": st.sampled_from(["SUFFOLK", "none"]),
            "Q2": st.sampled_from(["7", "3 CARDS"]),
        },
    ),
    st.lists(ACTORS, max_size=3, unique=True).map(tuple),
    st.fixed_dictionaries(
        {},
        optional={
            "FINAL": st.just(""),
            "ABSENT": st.just("2026-11-24"),
            "RESIGN": st.just(""),
            "CONSENT": st.just("UNDO 14"),
            "RUN": st.sampled_from(["1", "3", "99"]),
            "LINKS": st.sampled_from(["1", "3", "99"]),
            "PREFER": st.sampled_from(["MAIL TEXT", "ZONE EUROPE BERLIN DATES ISO"]),
        },
    ),
)


@settings(deadline=None, max_examples=few(200))
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
when sighted under attack range of type fog steer ahead port 45 head NW fly load Suffolk 4 assign to
"""
WORDS = st.one_of(
    st.sampled_from(VOCABULARY_OF_SOUP.split()), st.text("AZ19.-:;@,\"' \n", max_size=5)
)


@settings(deadline=None, max_examples=few(300))
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


@given(st.lists(UNIT, min_size=1, max_size=4))
def test_the_values_of_a_row_are_those_it_was_made_of(units: list[str]) -> None:
    assert values_of(" ".join(map(quoted, units))) == units


def test_show_prints_the_full_scope() -> None:
    reading = read("turn 7 CL1: patrol F17-F19 ; @TF2: if contact at least BB then withdraw NW")
    assert [show_order(o, GRAMMAR) for o in reading.orders.orders] == [
        "turn 7 CL1: patrol F17 F18 F19",
        "@TF2: if contact at least BB then withdraw NW",
    ]
