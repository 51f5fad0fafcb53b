"""Scripts of pages are made smaller by a library; what pages need of it is held here."""

from __future__ import annotations

import sys

import pytest

import games
from pbem.replay.publish import program as replay
from pbem.web import order_language, order_page
from pbem.web.minify import minified

SCRIPTS = {
    "order page": order_page.program((*order_page.ENCRYPTING, *order_page.OPENING)),
    "order language": order_language.program([games.load("bismarck")]),
    "replay": replay(),
}


@pytest.mark.parametrize("name", SCRIPTS)
def test_scripts_of_pages_become_smaller(name: str) -> None:
    assert len(minified(SCRIPTS[name])) < 0.7 * len(SCRIPTS[name])


@pytest.mark.parametrize("name", SCRIPTS)
def test_nothing_in_them_ends_a_script_element(name: str) -> None:
    """An HTML reader looks for these before any script runs (HTML, 4.12.1.3)."""
    small = minified(SCRIPTS[name]).lower()
    assert "</script" not in small
    assert "<!--" not in small


def test_text_stays_to_the_letter() -> None:
    small = minified("log('b  /* c', `a  //  ${ 1 + one }`)")
    assert "b  /* c" in small
    assert "a  //  " in small


def test_names_of_the_page_s_own_scope_stay() -> None:
    """A system's checks are written apart from the program that they are joined to."""
    assert "checkOrders" in minified("function checkOrders(long) { return long; }")


def test_what_is_not_a_script_is_an_error() -> None:
    with pytest.raises(ValueError, match="not a valid script"):
        minified('const a = "open')


def test_without_the_library_a_script_stays_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "minify", None)
    script = "const long = 1; // why"
    assert minified(script) == script
