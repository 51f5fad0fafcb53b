"""The canonical token stream: what mail programs do to a text changes no signed byte."""

from __future__ import annotations

import base64
import re
import textwrap
import unicodedata
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orders.canon import canonical, decode, signature_text, streams, words
from orders.fold import fold
from tests.counts import few

SIGNATURE = b"SSHSIG" + bytes(range(100))
ORDERS = """BEGIN ORDERS
game: g1  window: 12  side: british
setup: 1a2b3c4d 5e6f7081
TF-3: move H5 H14 speed 4; [close in,
  slowly]
"HMS Hood's escort": patrol A1-A9 also radio silent;
@U-556: if visibility at most 3 and contact is BB then hold else attack any;
FROM PORT: sail;
  HUD1: search T21,  T22 range 2.5;
END ORDERS
"""
MAIL = ORDERS + signature_text(SIGNATURE)
STREAM = (
    b"BEGIN ORDERS GAME : G1 WINDOW : 12 SIDE : BRITISH SETUP : 1A2B3C4D 5E6F7081 "
    b"TF - 3 : MOVE H5 H14 SPEED 4 ; "
    b'" HMS HOOD S ESCORT " : PATROL A1 - A9 ALSO RADIO SILENT ; '
    b"@ U - 556 : IF VISIBILITY AT MOST 3 AND CONTACT IS BB THEN HOLD ELSE ATTACK ANY ; "
    b"FROM PORT : SAIL ; HUD1 : SEARCH T21 , T22 RANGE 2.5 ; END ORDERS\n"
)

Mangling = Callable[[str], str]


def flowed(text: str, stuffing: str = " ") -> str:
    out = []
    for line in text.split("\n"):
        stuffed = " " + line if line.startswith((" ", ">", "From ", "FROM ")) else line
        parts = textwrap.wrap(stuffed, 66, drop_whitespace=False, break_long_words=False) or [""]
        out += [part.rstrip(" ") + stuffing for part in parts[:-1]] + [parts[-1]]
    return "\n".join(out)


def wrap(text: str, width: int) -> str:
    return "\n".join(
        "\n".join(textwrap.wrap(line, width, break_long_words=False) or [""])
        for line in text.split("\n")
    )


def quote(text: str, mark: str = "> ") -> str:
    return "\n".join(mark + line for line in text.split("\n"))


def smart(text: str) -> str:
    text = re.sub(r'(^|[\s(])"', "\\1\u201c", text)
    return text.replace('"', "\u201d").replace("'", "\u2019").replace("-", "\u2013")


MANGLINGS: dict[str, Mangling] = {
    "identity": lambda t: t,
    "CRLF": lambda t: t.replace("\n", "\r\n"),
    "CR only": lambda t: t.replace("\n", "\r"),
    "line separators": lambda t: t.replace("\n", "\u2028"),
    "trailing spaces": lambda t: t.replace("\n", "  \n"),
    "indented": lambda t: textwrap.indent(t, "    "),
    "tabs": lambda t: t.replace("  ", "\t"),
    "blank lines": lambda t: t.replace("\n", "\n\n"),
    "flowed": flowed,
    "flowed DelSp": lambda t: flowed(t, "  "),
    "hard wrap 60": lambda t: wrap(t, 60),
    "hard wrap 40": lambda t: wrap(t, 40),
    "line breaks removed": lambda t: t.replace("\n", " "),
    "smart quotes and dashes": smart,
    "em dash": lambda t: t.replace("-", "\u2014"),
    "no-break hyphen": lambda t: t.replace("-", "\u2011"),
    "NBSP": lambda t: t.replace("  ", "\u00a0 ").replace(";", "\u00a0;"),
    "narrow and wide spaces": lambda t: t.replace("  ", "\u202f\u3000"),
    "BOM": lambda t: "\ufeff" + t,
    "zero width": lambda t: t.replace("-", "-\u200b").replace("PORT", "PO\u00adRT\u2060"),
    "cp1252 read as latin-1": lambda t: smart(t).encode("cp1252").decode("latin-1"),
    "quoted": quote,
    "quoted twice, wrapped": lambda t: quote(quote(wrap(t, 50), ">")),
    "quoted with bars": lambda t: quote(t, " | > "),
    "quoted, wrap loses the mark": lambda t: wrap(quote(t), 60),
    "mbox From": lambda t: re.sub(r"(?mi)^(from )", r">\1", t),
    "dash-escape": lambda t: re.sub(r"(?m)^-", "- -", t),
    "greeting and footer": lambda t: f"Hi Mod,\n\n{t}\n-- \nSent from my phone\n____\n[list]\n",
    "mention in the greeting": lambda t: "as begin orders [says:\n" + t,
    "capitalised lines": lambda t: "\n".join(s[:1].upper() + s[1:] for s in t.split("\n")),
    "lower": str.lower,
    "upper": str.upper,
    "double space to point": lambda t: t.replace("  ", ". "),
    "NFD": lambda t: unicodedata.normalize("NFD", t),
    "break at every hyphen": lambda t: t.replace("-", "-\n"),
    "break before every hyphen": lambda t: t.replace("-", "\n-"),
    "accents": lambda t: t.replace("o", "\u00f6").replace("E", "\u00c9"),
}
EVIL: dict[str, Mangling] = {
    "digit changed": lambda t: t.replace("H14", "H15"),
    "order dropped": lambda t: t.replace("FROM PORT: sail;\n", ""),
    "word corrected": lambda t: t.replace("sail", "said"),
    "semicolon moved": lambda t: t.replace("4; [", "; 4 ["),
    "hyphen dropped": lambda t: t.replace("A1-A9", "A1 A9"),
    "split word": lambda t: t.replace("visibility", "visi bility"),
}


@pytest.mark.parametrize("name", MANGLINGS)
def test_mangled_mail_keeps_every_signed_byte(name: str) -> None:
    units = streams(MANGLINGS[name](MAIL))
    assert [(u.canonical, u.signature, u.armour, u.faults) for u in units] == [
        (STREAM, SIGNATURE, "base32", ())
    ]


@pytest.mark.parametrize("name", EVIL)
def test_changed_meaning_changes_the_stream(name: str) -> None:
    assert canonical(EVIL[name](MAIL)) != STREAM


ONCE = {
    "BOM",
    "line breaks removed",
    "cp1252 read as latin-1",
    "mention in the greeting",
    "accents",
    "double space to point",
    "CR only",
    "line separators",
    "dash-escape",
}
"""Manglings that a second program would not meet, or that Python's own wrapping spoils."""
SAFE = [name for name in MANGLINGS if name not in ONCE]


@settings(deadline=None, max_examples=few(150))
@given(st.lists(st.sampled_from(SAFE), max_size=4, unique=True))
def test_chains_of_manglings(chain: list[str]) -> None:
    text = MAIL
    for name in chain:
        text = MANGLINGS[name](text)
    unit = streams(text)[0]
    assert unit.canonical == STREAM
    assert unit.signature == SIGNATURE


def test_a_dash_escape_of_a_broken_range() -> None:
    broken = MANGLINGS["break before every hyphen"](MAIL)
    assert canonical(quote(MANGLINGS["dash-escape"](broken))) == STREAM


@pytest.mark.parametrize("width", range(24, 100, 7))
def test_any_wrap_width(width: int) -> None:
    assert canonical(wrap(MAIL, width)) == STREAM


def test_accents_and_letters_of_their_own() -> None:
    names = "K\u00f6nigsberg Stra\u00dfe Troms\u00f8 \u0141\u00f3d\u017a \u00c6gir \u00deor"
    assert canonical(f"BEGIN ORDERS {names} END ORDERS") == (
        b"BEGIN ORDERS KONIGSBERG STRASSE TROMSO LODZ AEGIR THOR END ORDERS\n"
    )


def test_points_and_apostrophes_separate_except_inside_numbers() -> None:
    text = "BEGIN ORDERS St. Nazaire 12.5. O\u2019Brien 'x' 3 .5\u2026 END ORDERS"
    assert canonical(text) == b"BEGIN ORDERS ST NAZAIRE 12.5 O BRIEN X 3 5 END ORDERS\n"
    assert words("St. Nazaire") == ("ST", "NAZAIRE")


@pytest.mark.parametrize(
    "char",
    [
        *"<>=|+*/(){}#!?%$^~\\_",
        "\u202e",
        "\u200f",
        "\u2067",
        "\u0410",
        "\x00",
        "\x07",
        "\x1c",
        "\uff21",
        "\u2460",
        "\u0660",
        "\x81",
        "\ud800",
        "\U0001f600",
    ],
)
def test_any_other_character_is_an_error_that_shows_where(char: str) -> None:
    text = f"BEGIN ORDERS\nTF1: move J15 {char} K14;\nEND ORDERS"
    (unit,) = streams(text)
    assert unit.canonical == b""
    assert [(f.code, text[f.span.start : f.span.end]) for f in unit.faults] == [
        ("stray-character", char)
    ]


@pytest.mark.parametrize(
    "comment",
    ["[to the end]", "[begin]", "[a [b] c]", "[open", "shut]", "[END ORDERS]", "[BEGIN ORDERS]"],
)
def test_comments_that_could_hide_something_are_errors(comment: str) -> None:
    (unit,) = streams(f"BEGIN ORDERS\nTF1: hold; {comment}\nEND ORDERS")
    assert {f.code for f in unit.faults} == {"bad-comment"}
    assert unit.canonical == b""


def test_comments_leave_nothing_behind() -> None:
    plain = canonical("BEGIN ORDERS TF1: hold; END ORDERS")
    assert (
        canonical("BEGIN ORDERS [\u0410 <b> > endless] TF1:[x]hold; [y\n> z] END ORDERS") == plain
    )


def test_every_unit_with_the_signature_that_directly_follows() -> None:
    old = quote(MAIL.replace("12", "11"))
    text = f"{MAIL}\nOn Tuesday somebody wrote:\n{old}\nBEGIN ORDERS END ORDERS\nBEGIN SEAL later"
    units = streams(text)
    assert [u.signature for u in units] == [SIGNATURE, SIGNATURE, None]
    assert units[0].canonical == STREAM
    assert units[1].canonical == STREAM.replace(b"12", b"11")
    assert [f.code for f in units[2].faults] == ["damaged-signature"]


def test_a_signature_behind_other_words_is_not_the_block_s() -> None:
    (unit,) = streams(ORDERS + "yours ever\n" + signature_text(SIGNATURE))
    assert (unit.signature, unit.armour) == (None, "")


def ssh_armour(raw: bytes) -> str:
    lines = textwrap.wrap(base64.b64encode(raw).decode(), 70)
    inner = "\n".join(lines)
    return f"-----BEGIN SSH SIGNATURE-----\n{inner}\n-----END SSH SIGNATURE-----\n"


@pytest.mark.parametrize(
    "name",
    [
        "identity",
        "CRLF",
        "quoted",
        "dash-escape",
        "indented",
        "quoted with bars",
        "em dash",
        "blank lines",
        "trailing spaces",
    ],
)
def test_ssh_armour_is_read_too(name: str) -> None:
    (unit,) = streams(MANGLINGS[name](ORDERS + ssh_armour(SIGNATURE)))
    assert (unit.canonical, unit.signature, unit.armour) == (STREAM, SIGNATURE, "ssh")


@pytest.mark.parametrize(
    "signature",
    [
        "BEGIN SEAL\nEND SEAL",
        "BEGIN SEAL\nabc1\nEND SEAL",
        "BEGIN SEAL\nmfrgg\u202e\nEND SEAL",
        "-----BEGIN SSH SIGNATURE-----\n####\n-----END SSH SIGNATURE-----",
        "BEGIN SEAL mfrggzdf",
        "BEGIN SEAL\n" + "mfrggzdf " * 3000 + "\nEND SEAL",
    ],
)
def test_a_damaged_signature_is_not_reported_as_missing(signature: str) -> None:
    (unit,) = streams(f"BEGIN ORDERS TF1: hold; END ORDERS\n{signature}\n")
    assert [f.code for f in unit.faults] == ["damaged-signature"]


def test_signatures_are_short_words_in_lower_case() -> None:
    lines = signature_text(bytes(64)).splitlines()
    assert lines[0] == "BEGIN SEAL"
    assert lines[-1] == "END SEAL"
    assert all(len(line) <= 72 for line in lines)
    assert all(re.fullmatch("[a-z2-7]{1,8}", w) for line in lines[1:-1] for w in line.split())


def test_no_block_one_unfinished_block_two_blocks() -> None:
    assert streams("BEGIN the ORDERS; END ORDERS") == []
    (unit,) = streams("  begin orders TF1: hold;")
    assert [f.code for f in unit.faults] == ["no-end"]
    with pytest.raises(ValueError, match="2 found"):
        canonical(ORDERS + ORDERS)
    with pytest.raises(ValueError, match="stray-character"):
        canonical("BEGIN ORDERS < END ORDERS")


def test_token_places_are_those_of_the_text_as_written() -> None:
    line = "TF1:\u00a0m\u00f6ve \u201cPrinz Eug\u00aden\u201d \u00c6gir;"
    text = f"\ufeffHi \u2026\n> BEGIN ORDERS\n> {line}\nEND ORDERS"
    (unit,) = streams(text)
    shown = [text[t.span.start : t.span.end] for t in unit.tokens]
    assert shown[2:-2] == [
        "TF1",
        ":",
        "m\u00f6ve",
        "\u201c",
        "Prinz",
        "Eug\u00aden",
        "\u201d",
        "\u00c6gir",
        ";",
    ]


@pytest.mark.parametrize(
    "raw",
    [
        MAIL.encode(),
        MAIL.encode("utf-8-sig"),
        MAIL.encode("utf-16"),
        MAIL.encode("utf-16-be"),
        smart(MAIL).encode("cp1252"),
        smart(MAIL).encode(),
        MAIL.replace("\n", "\r\n").encode(),
    ],
)
def test_files_from_any_program(raw: bytes) -> None:
    if raw[:1] == b"\0":
        raw = b"\xfe\xff" + raw
    (unit,) = streams(decode(raw))
    assert (unit.canonical, unit.signature) == (STREAM, SIGNATURE)


@settings(deadline=None, max_examples=few(200))
@given(st.binary(max_size=300))
def test_any_bytes_decode_and_never_raise(raw: bytes) -> None:
    text = decode(raw)
    for unit in streams(f"BEGIN ORDERS {text} END ORDERS {text}"):
        assert bool(unit.canonical) != bool(unit.faults)


TEXTS = st.text(
    st.one_of(
        st.sampled_from('[]<>|-"\u201c\u2014\u00df\u0301:;@,. \n\rBEGINDORS\u00e9\x93\ufeff'),
        st.characters(),
    ),
    max_size=120,
)


@settings(deadline=None, max_examples=few(300))
@given(TEXTS)
def test_canonicalisation_is_idempotent(body: str) -> None:
    for unit in streams(f"BEGIN ORDERS {body} END ORDERS"):
        if not unit.faults:
            assert canonical(unit.canonical.decode("ascii")) == unit.canonical
            assert unit.canonical.isascii()


@settings(deadline=None, max_examples=few(300))
@given(TEXTS)
def test_folding_keeps_places(text: str) -> None:
    folded, places = fold(text)
    if places is None:
        assert folded == text
        return
    assert len(places) == len(folded) + 1
    assert places == sorted(places)
    assert places[-1] == len(text)
    for char, place in zip(folded, places, strict=False):
        if char.isascii() and text[place].isascii():
            assert char == text[place]


@settings(deadline=None, max_examples=few(100))
@given(st.binary(min_size=1, max_size=400))
def test_signature_and_back(raw: bytes) -> None:
    (unit,) = streams("BEGIN ORDERS END ORDERS\n" + signature_text(raw).upper())
    assert unit.signature == raw


HOSTILE = [
    "BEGIN " * 20000,
    "[" * 60000,
    "> " * 30000 + "BEGIN ORDERS",
    "BEGIN ORDERS" + " >" * 30000,
    "BEGIN ORDERS END ORDERS BEGIN SEAL " * 2000,
    "BEGIN ORDERS END ORDERS " + "-" * 60000,
    "BEGIN ORDERS END ORDERS\n-----BEGIN SSH SIGNATURE-----" + "-" * 60000 + "END",
    "BEGIN ORDERS " + "[a" * 20000 + " END ORDERS",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_texts_end_soon(text: str) -> None:
    for unit in streams(text):
        assert unit.faults or unit.canonical


@pytest.mark.parametrize(
    ("said", "stream"),
    [
        ("Cape Horn (Pacific side)", "CAPE HORN PACIFIC SIDE"),
        ("South-East Pacific (Easter I.)", "SOUTH - EAST PACIFIC EASTER I"),
        ("Chile & Peru", "CHILE AND PERU"),
        ("Chile&Peru", "CHILE AND PERU"),
        ("Cape\n(Pacific)", "CAPE PACIFIC"),
    ],
)
def test_names_are_read_as_reports_print_them(said: str, stream: str) -> None:
    assert (
        canonical(f"BEGIN ORDERS {said} END ORDERS")
        == f"BEGIN ORDERS {stream} END ORDERS\n".encode()
    )
    assert " ".join(words(said)) == stream


@pytest.mark.parametrize(
    "said", ["move J15 (J16)", "hold; (hold;)", "(hold)", "a (b", "a) b", "a ((b))"]
)
def test_other_parentheses_are_errors_that_tell_of_comments(said: str) -> None:
    (unit,) = streams(f"BEGIN ORDERS TF1: {said} END ORDERS")
    assert {(f.code, f.hint) for f in unit.faults} == {
        ("stray-character", "write comments in [brackets]")
    }


def test_marks_of_quoting_inside_a_line_are_laid_to_the_mail_program() -> None:
    """A program that fills the lines of what it quotes leaves the marks in the middle of them."""
    (unit,) = streams("> BEGIN ORDERS > game: g1 > FOX: move A2; > END ORDERS\n")
    assert {fault.code for fault in unit.faults} == {"stray-character"}
    assert all(f.hint.endswith("put it there, attach the file") for f in unit.faults)
