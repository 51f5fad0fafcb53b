"""The modules of the order page: valid ES modules, although a page has them as one script."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

import pytest

import games
from orders.fold import table
from orders.readers import COMPASS
from orders.vocabulary import LEADING, PREFERENCES, RESERVED
from pbem.web.minify import minified
from pbem.web.order_language import MODULES, data, program

TEMPLATES = Path(__file__).parents[2] / "templates"
PATHS = sorted((TEMPLATES / "order_page" / "js").glob("*.js"))
IMPORT = re.compile(r'^import \{ ([\w, ]+) \} from "(\./)(\w+\.js)";$', re.MULTILINE)
EXPORT = re.compile(r"^export (?:async )?(?:function\*?|const|class) (\w+)", re.MULTILINE)
TOP = re.compile(r"^(?:export )?(?:async )?(?:function\*?|const|let|class) (\w+)", re.MULTILINE)
METHOD = re.compile(r"^  (?:async )?(\w+)\([^)]*\) \{", re.MULTILINE)
NEWER = re.compile(
    r"(?<!\?)\.(?:findLast(?:Index)?|toSorted|toReversed|toSpliced|with|groupBy|isWellFormed|"
    r"withResolvers|supportedValuesOf|isSubsetOf|union|intersection|difference)\("
    r"|\b(?:structuredClone|AbortSignal\.timeout)\b"
)
"""What Firefox 92 or Chrome 93 does not have, unless `?.` asks first (docs/player.md)."""
QUOTED = re.compile(r'"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'')


@cache
def source(path: Path) -> str:
    return path.read_text("utf-8")


def code(path: Path) -> str:
    """A module without imports, comments and plain strings."""
    bare = re.sub(r"^ *//.*$", "", IMPORT.sub("", source(path)), flags=re.MULTILINE)
    return QUOTED.sub('""', bare)


def imported(path: Path) -> dict[str, Path]:
    """Name to the module that it is imported from."""
    found = {}
    for names, folder, file in IMPORT.findall(source(path)):
        for name in names.split(", "):
            found[name] = (path.parent / folder / file).resolve()
    return found


@pytest.mark.parametrize("path", PATHS, ids=lambda p: str(p.relative_to(TEMPLATES)))
def test_imports_are_what_is_used_and_exported(path: Path) -> None:
    assert source(path).count("import ") - source(path).count("import {") == 0
    assert len(IMPORT.findall(source(path))) == len(re.findall(r"^import", source(path), re.M))
    names = imported(path)
    for name, target in names.items():
        assert name in EXPORT.findall(source(target)), f"{name} is not exported by {target.name}"
        assert re.search(rf"\b{name}\b", IMPORT.sub("", source(path))), (
            f"{name} is imported and not used"
        )
    own = set(TOP.findall(source(path))) | set(METHOD.findall(source(path)))
    beside = [p for p in PATHS if p.parent in (path.parent, TEMPLATES / "order_page" / "js")]
    for other in beside:
        for name in set(EXPORT.findall(source(other))) - own - set(names):
            called = re.search(rf"(?<![\w.$]){name}\(", code(path))
            shadowed = re.search(
                rf"(?:const|let|function) {name}\b|[({{,] *{name} *[,)}}=]", code(path)
            )
            assert not called or shadowed or other == path, (
                f"{name} of {other.name} is not imported"
            )


def test_no_name_stands_twice_in_the_scope_of_a_page() -> None:
    names = [n for p in PATHS if p.parent.name == "js" for n in TOP.findall(source(p))]
    assert sorted(names) == sorted(set(names))


@pytest.mark.parametrize("path", PATHS, ids=lambda p: str(p.relative_to(TEMPLATES)))
def test_no_text_spans_lines_and_none_leads_out(path: Path) -> None:
    """Comments and indentation are cut by the line; a page asks nobody."""
    for line in code(path).splitlines():
        assert line.count("`") % 2 == 0, line
    assert not re.search(
        r"https?://(?!www\.w3\.org/)|fetch\(|XMLHttp|WebSocket|\beval\(", source(path)
    )


@pytest.mark.parametrize("path", PATHS, ids=lambda p: str(p.relative_to(TEMPLATES)))
def test_nothing_is_newer_than_the_browsers_that_the_page_names(path: Path) -> None:
    assert not NEWER.findall(code(path))


def test_the_program_holds_no_import_and_every_module() -> None:
    whole = program(games.load(name) for name in games.SYSTEMS)
    assert not re.search(r"^(import|export) ", whole, re.MULTILINE)
    assert not re.search(r"^ *//", minified(whole), re.MULTILINE)
    for name in MODULES:
        for each in TOP.findall(source(TEMPLATES / "order_page" / "js" / f"{name}.js")):
            assert re.search(rf"(?:function|const|class) {each}\b", whole)


def test_words_written_twice_are_the_same() -> None:
    vocabulary, readers = (
        source(TEMPLATES / "order_page" / "js" / f"{name}.js") for name in ("vocabulary", "readers")
    )
    assert f"LEADING = {json.dumps(LEADING)};" in vocabulary
    assert f"PREFERENCES = {json.dumps(PREFERENCES)};" in vocabulary
    reserved = re.search(r"RESERVED = (\[.*\]);", vocabulary)
    assert reserved is not None
    assert set(json.loads(reserved[1])) == RESERVED
    assert f'COMPASS = "{" ".join(COMPASS)}"' in readers


def test_data_are_the_fold_table_and_the_grammars() -> None:
    systems = [games.load(name) for name in games.SYSTEMS]
    told = data(systems)
    assert {c: plain for plain, chars in told["fold"] for c in chars} == table()
    for system in systems:
        language = told["languages"][system.name]
        assert [v["name"] for v in language["verbs"]] == [v.name for v in system.grammar.verbs]
        assert set(language["places"]) == system.grammar.places
        assert set(json.loads(json.dumps(language))) == set(language)


def test_program_and_data_are_small() -> None:
    system = games.load("bismarck")
    size = len(minified(program([system])).encode()) + len(json.dumps(data([system])))
    assert size < 132_000
