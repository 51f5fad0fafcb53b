"""Symbols from files: what is allowed, what they become, and what is refused by name."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.charts import symbols
from pbem.data import files

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="-18 -8 36 16">'


def made(inside: str, head: str = HEAD) -> symbols.Symbol:
    return symbols.parsed("duck", f"{head}{inside}</svg>".encode(), "oak/symbols/duck.svg")


def test_the_charts_own_symbols_are_sound() -> None:
    found = [name.removesuffix(".svg") for name in files("base/symbols")]
    assert {"DD", "AO", "MV", "SS", "jet", "eye", "wake", "sight", "splash"} == {*found}
    for name in found:
        assert symbols.load("", name).parts
    assert files("base/no-such-folder") == []


def test_a_symbol_is_fitted_into_the_box_of_a_counter() -> None:
    tall = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 32">'
    assert made('<circle r="2"/>', tall).transform == "translate(-2.5 -8) scale(0.5)"
    assert made('<circle r="2"/>').transform == ""


def test_only_names_and_numbers_of_a_file_are_kept() -> None:
    found = made(
        "<!-- drawn by hand --><title>A &lt;duck&gt;</title>"
        '<path d=" M0 0\\n L1,1 z " fill-rule="evenodd"/>'.replace("\\n", "\n")
        + '<rect x="1" y="2" width="3" height=".5" fill-opacity=".5"/>'
        '<polygon points="0,0 1,1 0,1"/><ellipse cx="1" rx="2" ry="3"/>'
    )
    assert found.parts == (
        '<path d="M0 0 L1,1 z" fill-rule="evenodd"/>',
        '<rect x="1" y="2" width="3" height=".5" fill-opacity=".5"/>',
        '<polygon points="0,0 1,1 0,1"/>',
        '<ellipse cx="1" rx="2" ry="3"/>',
    )


REFUSED = {
    '<script>alert("1")</script>': "<script> is not allowed",
    '<g><path d="M0 0"/></g>': "<g> is not allowed",
    '<use href="#s-BB"/>': "<use> is not allowed",
    '<image href="http://example.org/x.png"/>': "<image> is not allowed",
    '<text>hello</text>': "<text> is not allowed",
    '<path d="M0 0"><animate attributeName="d"/></path>': "<path> is not allowed",
    '<path d="M0 0" onclick="alert(1)"/>': 'onclick="alert(1)" is not allowed',
    '<path d="M0 0" fill="red"/>': 'fill="red" is not allowed',
    '<path d="M0 0" style="fill:url(http://x)"/>': 'style="fill:url(http://x)" is not allowed',
    '<path d="M0 0" transform="scale(2)"/>': 'transform="scale(2)" is not allowed',
    '<path d="url(#x)"/>': 'd="url(#x)" in <path> is not of numbers alone',
    '<path d="M0 0 &quot;/&gt;&lt;script&gt;"/>': "is not of numbers alone",
    '<circle r="2px"/>': 'r="2px" in <circle> is not of numbers alone',
    "": "no SVG with at least one shape",
}  # fmt: skip


@pytest.mark.parametrize("inside", REFUSED)
def test_what_is_not_allowed_is_refused_by_name(inside: str) -> None:
    with pytest.raises(symbols.BadSymbol) as error:
        made(inside)
    assert REFUSED[inside] in error.value.message
    assert error.value.message.startswith("oak/symbols/duck.svg: ")
    assert "docs/pictures.md" in error.value.hint


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"<svg", "it is no XML"),
        (b'<!DOCTYPE svg [<!ENTITY a "aaaa">]><svg/>', "a document type"),
        (b'<?xml version="1.0"?><?xml-stylesheet href="x"?><svg/>', "an instruction"),
        ('<svg xmlns="http://www.w3.org/2000/svg"/>'.encode("utf-16"), "a document type"),
        (HEAD.encode() + b'<path d="M0 0"/>' + b" " * 9000 + b"</svg>", "more than 8192"),
        (b'<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"/></svg>', "its viewBox"),
        (
            b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 0 1"><path d="M0 0"/></svg>',
            "empty",
        ),
        (b'<html viewBox="0 0 1 1"><path d="M0 0"/></html>', "no SVG"),
    ],
)
def test_files_that_are_no_symbols_are_refused(text: bytes, said: str) -> None:
    with pytest.raises(symbols.BadSymbol) as error:
        symbols.parsed("duck", text)
    assert said in error.value.message


@given(
    st.binary(max_size=300)
    | st.text(max_size=100).map(lambda s: f"{HEAD}<path d='{s}'/></svg>".encode())
)
def test_no_bytes_raise_anything_else(text: bytes) -> None:
    try:
        found = symbols.parsed("duck", text)
    except symbols.BadSymbol:
        return
    for part in found.parts:
        assert part.count("<") == part.count(">") == 1


def test_an_unknown_symbol_lists_the_known_ones() -> None:
    with pytest.raises(symbols.BadSymbol) as error:
        symbols.load("toy", "duck")
    assert "there is no symbol 'duck'" in error.value.message
    assert "AO, BB, CA" in error.value.hint
