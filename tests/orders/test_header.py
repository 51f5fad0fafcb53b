"""The header: strict, each fault with its own word."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orders.canon import streams
from orders.header import FIELDS, read_header, show_header
from orders.model import Header
from tests.counts import few

DIGEST = "1a2b3c4d" * 8
HEADER = Header(
    game="g1",
    setup=DIGEST,
    window=14,
    side="british",
    seq=1795170000,
    report=DIGEST[::-1],
    link="none",
    moderator=DIGEST,
)


def read(text: str) -> tuple[Header | None, str, list[str]]:
    """The header, the first token behind it, and the codes of what is wrong."""
    (unit,) = streams(f"BEGIN ORDERS\n{text}\nEND ORDERS")
    assert not unit.faults
    header, body, faults = read_header(unit.tokens)
    for fault in faults:
        assert fault.hint
        assert 0 <= fault.span.start < fault.span.end <= len(unit.text)
    return header, unit.tokens[body].text, [f.code for f in faults]


HEX = st.text("0123456789abcdef", min_size=64, max_size=64)


@settings(deadline=None, max_examples=few(60))
@given(
    st.builds(
        Header,
        game=st.from_regex("[a-z][a-z0-9]{0,15}", fullmatch=True),
        setup=HEX,
        window=st.integers(1, 999_999),
        side=st.from_regex("[a-z][a-z0-9]{0,9}", fullmatch=True),
        seq=st.integers(1, 10**12 - 1),
        report=HEX,
        link=st.one_of(st.just("none"), HEX),
        moderator=HEX,
        anchor=st.one_of(st.just(""), HEX),
    )
)
def test_show_and_read(header: Header) -> None:
    assert read(show_header(header) + "CA2: hold;") == (header, "CA2", [])


@pytest.mark.parametrize(
    "body",
    [
        "CA2: hold;",
        "FINAL;",
        "turn 7 CA2: hold;",
        '"DEADBEEF": x;',
        "@ACE: none;",
        "DEADBEEF: hold;",
        "BEE, ACE: hold;",
    ],
)
def test_the_header_ends_where_orders_begin(body: str) -> None:
    first = body.replace('"', '" ').replace("@", "@ ").replace(":", " ").replace(",", " ").split()
    header, token, codes = read(show_header(HEADER) + body)
    assert (header, token, codes) == (HEADER, first[0].upper().rstrip(";"), [])


def test_fields_may_stand_in_any_order() -> None:
    lines = show_header(HEADER).splitlines()
    assert read("\n".join([*reversed(lines), "CA2: hold;"]))[0] == HEADER


@pytest.mark.parametrize(("words", "fits"), [(0, False), (1, True), (8, True), (9, False)])
def test_the_word_of_the_moderator_has_one_to_eight_words(words: int, fits: bool) -> None:
    said = re.sub("moderator: .*", f"moderator: {'1a2b3c4d ' * words}", show_header(HEADER))
    header, _, codes = read(said + "CA2: hold;")
    assert (header is not None, codes) == (fits, [] if fits else ["bad-moderator"])


@pytest.mark.parametrize("field", [f for f in FIELDS if f != "anchor"])
def test_each_missing_field_has_its_word(field: str) -> None:
    text = show_header(HEADER).replace("  ", "\n")
    kept = "\n".join(line for line in text.splitlines() if not line.startswith(f"{field}:"))
    assert read(kept + "\nCA2: hold;") == (None, "CA2", [f"no-{field}"])


@pytest.mark.parametrize(
    ("old", "new", "codes"),
    [
        ("game: g1", "game: 1g", ["bad-game"]),
        ("game: g1", "game:", ["bad-game"]),
        ("game: g1", "game: g1 g2", ["bad-game"]),
        ("window: 14", "window: 0", ["bad-window"]),
        ("window: 14", "window: 014", ["bad-window"]),
        ("window: 14", "window: 14.5", ["bad-window"]),
        ("window: 14", "window: 14  window: 15", ["twice-window"]),
        ("side: british", "side: 7", ["bad-side"]),
        ("seq: 1795170000", "seq: soon", ["bad-seq"]),
        ("link: none", "link: maybe", ["bad-link"]),
        ("link: none", f"link: none anchor: {DIGEST}", ["bad-anchor"]),
        ("link: none", f"link: {DIGEST[:56]}", ["bad-link"]),
        ("setup: 1a2b3c4d", "setup: 1a2b3c4", ["bad-setup"]),
        ("report: d4c3b2a1", "report: g4c3b2a1", ["bad-report"]),
        ("moderator: 1a2b3c4d", "moderator: 1a2b3c4d 1a2b3c4d", ["bad-moderator"]),
    ],
)
def test_each_wrong_field_has_its_word(old: str, new: str, codes: list[str]) -> None:
    text = show_header(HEADER)
    assert old in text
    header, token, found = read(text.replace(old, new) + "CA2: hold;")
    assert (header, token, found) == (None, "CA2", codes)


def test_a_bare_block_misses_every_field() -> None:
    header, token, codes = read("CA2: hold;")
    assert (header, token) == (None, "CA2")
    assert codes == [f"no-{f}" for f in FIELDS if f != "anchor"]
