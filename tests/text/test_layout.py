"""Wrapping, tables, dates and carets of the 72-column page."""

from __future__ import annotations

from html import unescape

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.text import layout
from tests.counts import few

WORDS = st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=300)


@given(WORDS, st.integers(0, 20))
@settings(max_examples=few(80), deadline=None)
def test_wrapping_loses_no_letter_and_no_order(text: str, indent: int) -> None:
    lines = layout.wrap(text, " " * indent).split("\n")
    assert all(len(line) <= 72 for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())


def test_wrapping_hangs_under_the_first_word() -> None:
    assert layout.wrap("aa bb cc", " * ", width=8) == " * aa bb\n   cc"


def test_words_too_long_are_cut() -> None:
    assert layout.wrap("x" * 20, "  ", "", 10) == "  " + "x" * 8 + "\n" + "x" * 10 + "\nxx"


@given(st.text(max_size=80))
@settings(max_examples=few(80), deadline=None)
def test_folding_gives_one_printable_line(text: str) -> None:
    folded = layout.ascii_fold(text)
    assert folded.isascii()
    assert folded.isprintable()
    assert layout.ascii_fold(folded) == folded


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Großer Kurfürst", "Grosser Kurfurst"),
        ("Ægir — “Sjø”…", 'AEgir - "Sjo"...'),
        ("BE\u200bGIN", "BEGIN"),
        ("戦", "?"),
        ("a\tb\nc", "a b c"),
    ],
)
def test_folding(text: str, folded: str) -> None:
    assert layout.ascii_fold(text) == folded


def test_items_flow_until_the_line_is_full() -> None:
    assert layout.flow(["aaa", "bbb", "ccc"], "  ", width=9) == "aaa  bbb\nccc"


def test_a_table_wraps_its_last_column() -> None:
    rows = [["TF1", "a bb ccc dddd", "below"], ["X", ""]]
    assert layout.table(rows, ["Id", "Name"], 16).split("\n") == [
        "Id   Name",
        "-" * 16,
        "TF1  a bb ccc",
        "     dddd",
        "     below",
        "X    ",
    ]


def test_a_wide_table_keeps_its_columns() -> None:
    """A last column without room comes below its row."""
    rows = [["TF1", "b" * 25, "c" * 25, "d" * 5], ["TF2", "b", "", "the last of all " * 2]]
    lines = layout.table(rows, ["Identity", "B", "C", "D"]).split("\n")
    assert lines[2] == f"TF1       {'b' * 25}  {'c' * 25}  ddddd"
    assert lines[3:] == ["TF2       b", "    the last of all the last of all"]
    assert all(len(line) <= layout.WIDTH for line in lines)


def test_two_ends_of_a_line() -> None:
    assert layout.ends("a", "b", 6) == "a    b"
    assert layout.ends("aaaa", "bbb", 6) == "aaaa\n  bbb"


@pytest.mark.parametrize(
    ("iso", "tz", "said"),
    [
        ("2026-11-27T20:00:00Z", "", "Fri 27 Nov, 20:00 (UTC)"),
        ("2026-11-27T21:00:00+01:00", "", "Fri 27 Nov, 20:00 (UTC)"),
        ("2026-11-27T20:00:00", "Europe/Berlin", "Fri 27 Nov, 21:00 (Berlin)"),
        ("2026-11-27T20:00:00Z", "Europe/London", "Fri 27 Nov, 20:00 (London)"),
        ("2026-06-30T23:30:00Z", "Asia/Tokyo", "Wed 1 Jul, 08:30 (Tokyo)"),
        ("2026-11-27T20:00:00Z", "America/Sao_Paulo", "Fri 27 Nov, 17:00 (Sao Paulo)"),
        ("2026-11-27T20:00:00Z", "Middle/Earth", "Fri 27 Nov, 20:00 (UTC)"),
        ("2026-11-27T20:00:00Z", "../etc/passwd", "Fri 27 Nov, 20:00 (UTC)"),
        ("", "Europe/Berlin", ""),
    ],
)
def test_moments_in_the_readers_zone_which_is_named_once(iso: str, tz: str, said: str) -> None:
    assert layout.when(iso, tz) == said


@given(st.text(st.sampled_from(" ab\u00e9\u00df<\n"), max_size=40), st.integers(1, 90))
def test_a_page_for_mail_has_the_same_words_in_short_ascii_lines(text: str, times: int) -> None:
    page = "".join([text, " a"] * times)
    said = layout.mailable(page)
    assert said.isascii()
    assert max(map(len, said.split("\n"))) <= 998
    assert unescape(said).split() == page.split()


def test_times_within_a_text_move_to_the_readers_zone() -> None:
    said = f"it counts on {layout.date('2026-11-07T20:00:00Z')}, unless it is withdrawn"
    assert layout.moved(said, "") == said
    assert "counts on Sat 7 Nov, 21:00 (Berlin), unless" in layout.moved(said, "Europe/Berlin")


def test_the_caret_of_a_long_line_stays_under_its_word() -> None:
    line = "a " * 50 + "mvoe" + " b" * 50
    shown, marks = layout.caret(line, 100, 4)
    assert len(shown) <= 68
    assert shown[marks.index("^") :][:4] == "mvoe"
    assert marks.strip() == "^~~~"


def test_one_of_a_thing_has_words_of_its_own() -> None:
    found = [layout.counted(number, "window", "windows") for number in (0, 1, 2)]
    assert found == ["0 windows", "1 window", "2 windows"]
    assert layout.counted(2, "closed") == "2 closed"


def test_the_caret_of_a_place_at_the_end_of_a_long_line_stays_on_it() -> None:
    shown, marks = layout.caret("a" * 99 + "Z", 99, 5)
    assert (len(shown), shown[marks.index("^")], len(marks)) == (68, "Z", 68)


def test_comments_hold_no_brackets_and_no_block_words() -> None:
    assert (
        layout.comment("[end] Begin, weekend END-ORDERS") == "(finish) start, weekend finish-ORDERS"
    )


PLAIN = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-9, 9), st.text(max_size=8)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(["a", "b", "c"]), PLAIN))
@settings(max_examples=few(200), deadline=None)
def test_fields_are_cleaned_like_the_whole(fields: dict[str, object]) -> None:
    folds = (layout.ascii_fold, layout.printable)
    assert layout.cleaned(fields, *folds) == [layout.clean(fields, fold) for fold in folds]


def test_a_field_without_anything_to_fold_stays_the_same_object() -> None:
    fields = {"plain": ["a", {"b": 'c"\\'}], "odd": ["\u00e4"]}
    (found,) = layout.cleaned(fields, layout.ascii_fold)
    assert found["plain"] is fields["plain"]
    assert found["odd"] == ["a"]
