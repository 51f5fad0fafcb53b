"""The order language of the page says, to the last character, what Python says."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from msgspec import structs

import games
from orders.canon import decode, signature_text, streams
from orders.header import show_header
from orders.verbs import Grammar
from pbem import data
from pbem.base.report_json import Report as Answered
from pbem.crypto.private_keys import from_seed
from pbem.player.numbering import sequence
from pbem.player.sign import block_of, header_of
from pbem.reports.report import decoded
from pbem.web import order_language
from tests.browser.scribble import SIGNS, Scribbler, mangled
from tests.once import played
from tests.orders.sea import REPORT
from tests.orders.test_canon import HOSTILE, MAIL, MANGLINGS
from tests.orders.test_diagnose import LOST, MEANT
from tests.orders.test_examples import EXAMPLES, ROOT
from tests.referee import Referee, key_of, signed

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

from tests.browser.surf import CHROMIUM
from tests.browser.tongue import Sea, Tongue, speaking, units_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason="Debian's chromium is not installed")

SYSTEMS = {"sea": Sea(), **{name: games.load(name) for name in games.SYSTEMS}}
Report = Mapping[str, Any]
Sample = Callable[[Sequence[Report], int], Sequence[Report]]


@pytest.fixture(scope="module")
def tongue(browser: Browser) -> Iterator[Tongue]:
    with speaking(browser, *SYSTEMS.values()) as one:
        yield one


FREE: list[dict[str, Any]] = [
    {
        "id": "Q3",
        "choices": [],
        "form": {"name": "bid", "kind": "number", "most": 40, "decimals": 1},
    },
    {"id": "Q4", "choices": [], "form": {"name": "way", "kind": "path", "most": 3}},
    {"id": "Q5", "choices": [], "form": {"name": "who", "kind": "units", "keyword": "by"}},
]
"""Questions whose answer is free, of some form."""


def example_report(game: str) -> Report:
    if game == "sea":
        asked = [{**q, "default": "none"} for q in [*REPORT["questions"], *FREE]]
        standing = ["@TF1: hold;", "@CL1: radio silent;"]
        return {**REPORT, "system": "sea", "turn": 2, "questions": asked, "standing": standing}
    report: Report = json.loads((ROOT / "tests" / game / "example_report.json").read_text("utf-8"))
    return {**report, "system": game, "edition": SYSTEMS[game].edition}


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Sequence[Report]]:
    """Every report of a game of two bots, played once for all processes; `sea` has one."""
    made: dict[str, Sequence[Report]] = {"sea": [example_report("sea")]}

    def get(game: str) -> Sequence[Report]:
        if game not in made:
            found = sorted(played(tmp_path_factory, game, "b").rglob("report.json"))
            read = [dict(decoded(path.read_bytes())) for path in found]
            made[game] = [report for report in read if "run" not in report or report["menu"]]
        return made[game]

    return get


# The whole of it: the same problems, orders, notes and lines


@pytest.mark.parametrize("game", [game for game in SYSTEMS if (EXAMPLES / game).exists()])
def test_every_example_is_judged_alike(game: str, tongue: Tongue) -> None:
    paths = sorted((EXAMPLES / game).glob("*/*.txt"))
    texts = [decode(path.read_bytes()) for path in paths]
    assert tongue.canon(texts) == [units_of(text) for text in texts]
    codes = tongue.agrees(example_report(game), texts)
    for path, text in zip(paths, texts, strict=True):
        if path.parent.name == "bad":
            assert set(text.splitlines()[0].removeprefix("[ expect:").rstrip("] ").split()) <= set(
                codes
            )


def test_a_place_outside_the_board_is_answered_with_the_end_of_its_row(tongue: Tongue) -> None:
    """The Python translator and the page say the same, which `agrees` checks."""
    texts = [
        f"BEGIN ORDERS\nTF1: move {zone};\nEND ORDERS\n" for zone in ("E22", "E0", "Z30", "K99")
    ]
    assert {"unknown-zone"} <= set(tongue.agrees(example_report("bismarck"), texts))
    hints = [
        p["hint"]
        for one in tongue.check(example_report("bismarck"), texts)
        for p in one["problems"]
    ]
    rows = {hint for hint in hints if hint.startswith("row")}
    assert rows == {"row E begins at E1", "row E ends at E20", "row K ends at K23"}


def test_units_that_are_gone_are_named_alike(tongue: Tongue) -> None:
    report = {**example_report("sea"), "lost": LOST}
    orders = ["Hood: hold", "Prince of Wales: hold", '"Prince of Wales": hold', "TF1: detach Hood"]
    texts = [f"BEGIN ORDERS\n{order};\nEND ORDERS\n" for order in orders]
    assert {"unknown-unit"} <= set(tongue.agrees(report, texts))
    said = {p["text"] for one in tongue.check(report, texts) for p in one["problems"]}
    assert said >= {"'Hood' was sunk in turn 3", "'Prince of Wales' was sunk in turn 4"}


def test_hints_name_what_was_meant_alike(tongue: Tongue) -> None:
    orders = [text for text, _, _ in MEANT]
    tongue.agrees(example_report("sea"), [f"BEGIN ORDERS\n{text}\nEND ORDERS\n" for text in orders])
    repeated = ["search KG1 x 3", "search KG1 3", "search QQQ x 3"]
    tongue.agrees(
        example_report("atlantic_chase"),
        [f"BEGIN ORDERS\nTF1: {text};\nEND ORDERS\n" for text in repeated],
    )
    slips = ["station St. John's", "station StJohns", "move 7 via canal", "move 7 by the canal"]
    slips += ["raid Pt Stanley", "raid Port-Stanley"]
    tongue.agrees(
        {**example_report("far_seas"), "menu": offered_the_canal()},
        [f"BEGIN ORDERS\nASKOLD: {text};\nEND ORDERS\n" for text in slips],
    )
    tongue.agrees(
        example_report("far_seas"), ["BEGIN ORDERS\nASKOLD: move 7 via Suez;\nEND ORDERS\n"]
    )


def offered_the_canal() -> dict[str, Any]:
    """The menu of the example, with one ship that may go through the canal."""
    by = {"name": "by", "kind": "word", "values": ["canal"]}
    menu = example_report("far_seas")["menu"]
    return {**menu, "ASKOLD": [{"verb": "move", "rule": "M5", "args": [by]}]}


@pytest.mark.some(2)
@pytest.mark.parametrize(("game", "few"), [("sea", 40), *((name, 20) for name in games.SYSTEMS)])
def test_what_players_type_is_judged_alike(
    game: str,
    few: int,
    tongue: Tongue,
    reports: Callable[[str], Sequence[Report]],
    nightly: bool,
    run_seed: int,
    drawn: Sample,
) -> None:
    """Of texts and reports that are others in every run, so that few at a time do."""
    picked = drawn(reports(game), 5)
    codes = []
    for i, report in enumerate(picked):
        writer = Scribbler(f"{game} {i} {run_seed}", SYSTEMS[game].grammar, report)
        count = (few * 150 if nightly else few) // len(picked)
        codes += tongue.agrees(report, [writer.text() for _ in range(count)])
        if not report["menu"]:  # an officer may have nothing to order
            continue
        codes += tongue.agrees(report, [writer.calm() for _ in range(count // 2)])
        free = loosened(report, SYSTEMS[game].grammar)
        writer = Scribbler(f"{game} {i} {run_seed}", SYSTEMS[game].grammar, free)
        codes += tongue.agrees(free, [writer.calm() for _ in range(count // 2)])
    assert len(set(codes)) > 10


def loosened(report: Report, grammar: Grammar) -> Report:
    """A report whose menu lets everybody do everything, so that the game's checker decides."""
    items = [
        {"verb": v.name, "args": [{"name": a.name, "kind": a.kind} for a in v.args]}
        for v in grammar.verbs
    ]
    return {**report, "menu": dict.fromkeys(report["menu"], items)}


@pytest.mark.parametrize("game", games.SYSTEMS)
def test_what_bots_order_is_clean_and_alike(
    game: str, tongue: Tongue, reports: Callable[[str], Sequence[Report]], sample: Sample
) -> None:
    for report in sample(reports(game), 8):
        if report["window"] and report["menu"] and not report.get("role"):  # bots command sides
            block = block_of(
                header_of(Answered.of(report), 1),
                SYSTEMS[game].bot(report["side"], report, "x"),
            )
            assert tongue.agrees(report, [block]) == []


# Canonical bytes


def test_every_mangling_gives_the_same_bytes(tongue: Tongue) -> None:
    texts = [mangle(MAIL) for mangle in MANGLINGS.values()]
    assert tongue.canon(texts) == [units_of(text) for text in texts]


def test_any_text_has_the_same_units(tongue: Tongue, nightly: bool) -> None:
    luck = Random("canon")
    texts = [
        mangled(luck.choice((MAIL, MAIL * 2, soup(luck))), luck)
        for _ in range(9000 if nightly else 250)
    ]
    for text, found in zip(texts, tongue.canon(texts), strict=True):
        assert found == units_of(text), text


def soup(luck: Random) -> str:
    """Signs and the words that matter, in any order."""
    words = [
        "BEGIN",
        "END",
        "ORDERS",
        "SEAL",
        "SSH",
        "SIGNATURE-----",
        "-----BEGIN",
        "AAAA",
        "mzxw6===",
        "U1NIU0lH",
        "> ",
        "\n> ",
        "\n| - -",
        *SIGNS,
    ]
    picked = luck.choices(words, k=luck.randint(0, 30))
    middle = "".join(word + luck.choice((" ", "", "\n")) for word in picked)
    return f"BEGIN ORDERS {middle} END ORDERS {luck.choice(('', middle))}"


def test_hostile_texts_have_the_same_units(tongue: Tongue) -> None:
    assert tongue.canon(HOSTILE) == [units_of(text) for text in HOSTILE]


def test_every_character_folds_alike(tongue: Tongue) -> None:
    codes = [*range(0x3000), *range(0xF000, 0x10000), 0x1F600, 0x10FFFF]
    codes = [c for c in codes if not 0xD800 <= c < 0xE000]
    runs = ["".join(map(chr, codes[i : i + 40])) for i in range(0, len(codes), 40)]
    texts = [f"BEGIN ORDERS A{run}B END ORDERS" for run in runs]
    assert tongue.canon(texts) == [units_of(text) for text in texts]


def test_files_from_any_program(tongue: Tongue) -> None:
    smart = MANGLINGS["smart quotes and dashes"](MAIL)
    raws = [
        MAIL.encode(),
        MAIL.encode("utf-8-sig"),
        MAIL.encode("utf-16"),
        smart.encode("cp1252"),
        b"\xfe\xff" + MAIL.encode("utf-16-be"),
        b"",
        b"\xff",
        b"caf\xe9 \x93",
    ]
    script = "(raws) => raws.map((raw) => orderPage.decode(Uint8Array.from(raw)))"
    found = tongue.page.evaluate(script, [list(raw) for raw in raws])
    assert found == [decode(raw) for raw in raws]


# What the page writes


def test_header_block_and_signature_are_those_of_sign(
    tongue: Tongue, reports: Callable[[str], Sequence[Report]]
) -> None:
    report, link = reports("toy")[3], "0123abcd" * 8
    lines = "FOX: move B1;\n"
    for seq, told, anchor in ((1, "none", ""), (10**11, link, link[::-1])):
        header = header_of(Answered.of(report), seq, told, anchor)
        script = "([r, l, f]) => [orderPage.headerText(r, f), orderPage.block(r, l, f)]"
        fields = {"seq": seq, "link": told, "anchor": anchor}
        written = tongue.page.evaluate(script, [report, lines, fields])
        assert written == [show_header(header), block_of(header, lines)]
    for size in (1, 2, 3, 4, 5, 64, 83, 400):
        raw = bytes(range(7, 7 + size % 200)) * (1 + size // 200)
        written = tongue.page.evaluate("(raw) => orderPage.signatureText(raw)", list(raw))
        assert written == signature_text(raw)


def test_the_number_of_a_set_is_that_of_sign(
    tongue: Tongue, reports: Callable[[str], Sequence[Report]]
) -> None:
    report = {**reports("toy")[3], "seq": 1_795_170_000}
    clocks = [report["seq"] + n for n in (-86_401, -1, 0, 1, 7_776_000, 7_776_001)]
    clocks += [-90_001, -1, 0, 9, 10**10, 10**11]
    script = "([r, c]) => c.map((n) => orderPage.sequence(r, n))"
    found = tongue.page.evaluate(script, [report, clocks])
    assert found == [sequence(Answered.of(report), datetime.fromtimestamp(n, UTC)) for n in clocks]


HEADERS: dict[str, dict[str, Any]] = {
    "": {},
    "wrong-game": {"game": "g2"},
    "wrong-setup": {"setup": "0" * 64},
    "wrong-side": {"side": "hunter"},
    "wrong-moderator": {"moderator": "0" * 16},
    "wrong-window": {"window": 9},
    "late": {"window": 2},
    "old-window": {"window": 1},
    "wrong-report": {"report": "0" * 64},
    "bad-link": {"link": "x"},
}


@pytest.mark.parametrize("code", HEADERS)
def test_a_wrong_header_gets_the_code_and_reason_of_intake(
    code: str, tongue: Tongue, referee: Referee
) -> None:
    referee.play({}, {})
    report, key = referee.report("fox"), key_of("fox")
    lines = f"FOX: move {report['menu']['FOX'][0]['args'][0]['values'][0]};"
    header = structs.replace(header_of(Answered.of(report), report["seq"] + 1), **HEADERS[code])
    block = block_of(header, lines)
    (outcome,) = referee.receive(signed(block, key))
    script = "([d, r, t]) => orderPage.speaker(d, r).gate(t)"
    found = tongue.page.evaluate(script, [tongue.data, report, block])
    assert [p["code"] for p in found[:1]] == [code][: bool(code)]
    assert outcome.good != bool(code)
    assert outcome.receipt.get("code") == code
    if code and code != "wrong-side":  # the page knows the report's side, not the key's
        assert found[0]["text"] == outcome.receipt["reason"]


def test_bare_lines_are_placed_where_they_stand(tongue: Tongue) -> None:
    report = example_report("toy")
    ((actor, (item, *_)),) = report["menu"].items()
    good = f"{actor}: move {item['args'][0]['values'][0]}"
    lines = f"\U0001f600 is no order\n{actor}: mvoe B1;\n{good};"
    script = "([d, r, l]) => orderPage.speaker(d, r).checkLines(l)"
    found = tongue.page.evaluate(script, [tongue.data, report, lines])
    assert [(p["code"], p["line"], p["start"]) for p in found["problems"]] == [
        ("stray-character", 1, 0)
    ]
    clean = lines.partition("\n")[2]
    found = tongue.page.evaluate(script, [tongue.data, report, clean])
    (problem,) = found["problems"]
    assert (problem["code"], problem["line"], clean[problem["start"] : problem["end"]]) == (
        "unknown-verb",
        1,
        "mvoe",
    )
    assert [(o["text"], o["line"]) for o in found["orders"]] == [(good, 2)]


OFFERED = """([d, report]) => {
  const spoken = orderPage.speaker(d, report), found = [];
  for (const actor of Object.keys(spoken.menu)) for (const verb of spoken.verbs(actor)) {
    const args = {};
    for (const arg of verb.args) {
      const value = [...arg.values, ...arg.choices][0];
      if (value) args[arg.name] = ["units", "path", "places"].includes(arg.kind) ? [value] : value;
    }
    const line = `${actor}: ${spoken.showAction({ verb: verb.verb, args })};`;
    const { orders, problems } = spoken.checkLines(line);
    found.push([actor, verb, line, args, orders[0]?.order.actions[0].args, problems[0]?.code]);
  }
  return found;
}"""


@pytest.mark.some(1)
@pytest.mark.parametrize("game", games.SYSTEMS)
def test_every_offered_verb_can_be_composed(
    game: str, tongue: Tongue, reports: Callable[[str], Sequence[Report]]
) -> None:
    """What buttons are made of: the menu's verbs and values, with what the verb table says."""
    report = max(reports(game), key=lambda one: sum(map(len, one["menu"].values())))
    grammar = SYSTEMS[game].grammar
    found = tongue.page.evaluate(OFFERED, [tongue.data, report])
    menu = report["menu"]
    assert [(actor, verb["verb"]) for actor, verb, *_ in found] == [
        (actor, item["verb"]) for actor, items in menu.items() for item in items
    ]
    composed = 0
    for _, verb, line, args, got, code in found:
        table = grammar.verb(verb["verb"])
        said = (verb["help"], verb["rule"], verb["example"])
        assert said == (table.help, table.rule, table.example)
        assert code or got == args, line
        assert code != "unknown-verb", line
        composed += not code
    assert composed >= len(found) // 3


def test_tables_of_the_moderator_count_where_they_are_known(
    tongue: Tongue, reports: Callable[[str], Sequence[Report]]
) -> None:
    """Note 13, with an entry that the moderator put off."""
    british = next(r for r in reports("bismarck") if r["side"] == "british" and r["turn"] == 4)
    ships = data.read("games.bismarck.data", "ships.toml").decode()
    referee = {"ships.toml": ships.replace("Revenge = 'L3 17 owner'", "Revenge = 'L3 25 owner'")}
    setup = json.loads(british["setup"]["text"]) | {"house": referee}
    report = {**british, "setup": {**british["setup"], "text": json.dumps(setup)}}
    texts = [f"BEGIN ORDERS BRITISH: enter REVENGE turn {n}; END ORDERS" for n in (3, 18, 25)]
    assert tongue.agrees(report, texts).count("bad-turn") == 1  # turn 3 is no number of a turn
    assert tongue.agrees(british, texts).count("bad-turn") == 0
    script = "([d, r, texts]) => texts.map((t) => orderPage.speaker(d, r).check(t).problems)"
    found = tongue.page.evaluate(script, [tongue.data, report, texts])
    codes = [[p["code"] for p in each if not p["code"].startswith("no-")] for each in found]
    assert codes == [["bad-number"], [], []]


# What it is made of


@pytest.mark.some(3)
@pytest.mark.parametrize("game", SYSTEMS)
def test_shapes_and_ranges_made_from_the_places_are_the_grammars(game: str, tongue: Tongue) -> None:
    """The page derives from the list of places what a grammar says by functions."""
    grammar = SYSTEMS[game].grammar
    letters, digits = "ABQZ09", "0159"
    tokens = [
        a + b + c + d
        for a in letters
        for b in ("", *letters)
        for c in ("", *digits, "Z")
        for d in ("", *digits)
    ]
    zones = sorted(grammar.places)[::3]
    script = """([d, name, tokens, zones]) => {
      const language = orderPage.languageOf(d.languages[name]);
      return [tokens.filter((t) => orderPage.placeShaped(language, t)),
        zones.map((a) => zones.map((b) => orderPage.zonesBetween(language, a, b)))];
    }"""
    shaped, ranges = tongue.page.evaluate(script, [tongue.data, game, tokens, zones])
    assert shaped == [t for t in tokens if grammar.place(t)]
    if any(arg.kind == "places" for verb in grammar.verbs for arg in verb.args):
        wanted = [[grammar.between(a, b) for b in zones] for a in zones]
        assert ranges == [[list(w) if w else None for w in row] for row in wanted]


def test_a_system_without_a_checker_of_its_own_is_judged_by_its_menu(tongue: Tongue) -> None:
    assert not SYSTEMS["sea"].checks
    text = "BEGIN ORDERS CA2: hold; CA2: patrol F19; CA2: dance; END ORDERS"
    assert {"not-now", "unknown-verb"} <= set(tongue.agrees(example_report("sea"), [text]))


def test_checks_of_another_edition_are_left_to_the_referee(tongue: Tongue) -> None:
    """A page for any game has those of one edition, and a former edition has others."""
    texts = [decode(p.read_bytes()) for p in sorted((EXAMPLES / "bismarck").glob("bad/*.txt"))]
    report = example_report("bismarck")
    own, other = (
        [p["code"] for found in tongue.check(r, texts) for p in found["problems"]]
        for r in (report, {**report, "edition": "basic-0"})
    )
    assert 0 < len(other) < len(own)


SLOW = "a board with a leak"  # shows in few texts: it takes half a minute to find
PLANTS = {
    "a menu that binds no values": ("order.when ? null : valueFault", "true ? null : valueFault"),
    SLOW: ("!board$closed(to, side)", "true"),
    "fuel that costs nothing": ("return (zones >= 2) ? 1 : 0;", "return 0;"),
    "a caret one off": ("column: begin - start + 1", "column: begin - start"),
}


@pytest.mark.some(1)
@pytest.mark.parametrize(
    "plant", [pytest.param(p, marks=[pytest.mark.nightly] * (p == SLOW)) for p in PLANTS]
)
def test_a_planted_difference_is_found(
    plant: str,
    browser: Browser,
    reports: Callable[[str], Sequence[Report]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole = order_language.program([SYSTEMS["bismarck"]])
    good, bad = PLANTS[plant]
    assert good in whole
    monkeypatch.setattr(order_language, "program", lambda systems: whole.replace(good, bad))
    with speaking(browser, SYSTEMS["bismarck"]) as wrong, pytest.raises(AssertionError):
        for i, report in enumerate(reports("bismarck")[::4]):
            writer = Scribbler(f"plant {i}", SYSTEMS["bismarck"].grammar, report)
            wrong.agrees(report, [writer.calm() for _ in range(100)])


def test_signed_files_are_read_back(tongue: Tongue) -> None:
    """A file as `pbem sign` writes it: its bytes and its signature."""
    key = from_seed(b"k" * 32)
    text = MAIL[: MAIL.index("BEGIN SEAL")] + signature_text(key.sign(streams(MAIL)[0].canonical))
    assert tongue.canon([text]) == [units_of(text)]
