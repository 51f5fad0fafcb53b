"""docs/orders.md is what independent signers are written from: it must be true."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import games
from orders.canon import canonical, streams
from orders.diagnose import format_all
from orders.fold import fold
from orders.header import FIELDS
from orders.model import OrderSet
from orders.parse import understand
from orders.vocabulary import Vocabulary, alike

ROOT = Path(__file__).parents[2]
FENCED = re.compile(r"^```(?:text)?\n((?:.*\n)*?)```$", re.M)
INLINE = re.compile(r"`((?:turn [0-9]+ |@)?[A-Z0-9, ]{2,}: [^`]+;)`")
PAGE = (ROOT / "docs" / "orders.md").read_text("utf-8")
RAISERS = {"Mistake", "Fault"}


def test_the_vector() -> None:
    text = re.search(r'^    text +"(.*)"$', PAGE, re.M)
    stream = re.search(r"^    canonical +(.*)\\n$", PAGE, re.M)
    assert text
    assert stream
    written = text[1].replace("\\r\\n", "\r\n")
    assert canonical(written) == stream[1].encode() + b"\n"


def test_the_fold_table() -> None:
    for plain, codes in re.findall(
        r"^\| (nothing|space|line break|`.`) \| ([0-9A-F -]+)", PAGE, re.M
    ):
        becomes = {"nothing": "", "space": " ", "line break": "\n"}.get(plain, plain.strip("`"))
        for entry in codes.split():
            first, _, last = entry.partition("-")
            for code in range(int(first, 16), int(last or first, 16) + 1):
                assert fold(chr(code))[0] == becomes, hex(code)


def test_every_code_is_in_the_table() -> None:
    raised: set[str] = set()
    for path in (ROOT / "orders").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                first = node.args[0] if node.args else None
                if node.func.id in RAISERS and isinstance(first, ast.Constant):
                    raised.add(str(first.value))
    assert len(raised) > 30
    listed = set(re.findall(r"`([a-z-]+)`", PAGE))
    assert raised <= listed, raised - listed


def test_every_header_field_is_in_the_table() -> None:
    for field in FIELDS:
        assert f"| `{field}` |" in PAGE


def test_names_that_fold_alike_are_found() -> None:
    assert alike(["Kongo", "K\u014dng\u014d", "Hiei", "Hiei"]) == [("Kongo", "K\u014dng\u014d")]
    assert alike(["O'Brien", "O Brien"]) == [("O'Brien", "O Brien")]


def examples(page: str) -> list[str]:
    """The orders that a page shows, as blocks."""
    text = (ROOT / "docs" / page).read_text("utf-8")
    blocks = [block for block in FENCED.findall(text) if ": move" in block]
    return [*blocks, *INLINE.findall(text)]


@pytest.mark.parametrize("page", ["orders.md", "player.md"])
def test_what_a_player_reads_first_checks_clean(page: str) -> None:
    """In Bismarck, of which these pages use the words."""
    grammar = games.load("bismarck").grammar
    units = ["TF1", "TF2", "SUFFOLK", "NORFOLK", "KING GEORGE V", "BRITISH"]
    offered = [{"verb": verb.name, "args": []} for verb in grammar.verbs]
    report = {
        "turn": 14,
        "units": [{"id": unit} for unit in units],
        "contacts": [{"id": "EN7"}],
        "questions": [{"id": "Q1", "choices": ["SUFFOLK"]}],
        "menu": dict.fromkeys(units, offered),
    }
    vocabulary = Vocabulary.of(report, grammar)
    shown = examples(page)
    assert len(shown) >= 2
    for example in shown:
        orders = example[example.find("FINAL;") :] if "BEGIN ORDERS" in example else example
        (unit,) = streams(f"BEGIN ORDERS\n{orders.removesuffix('END ORDERS')}\nEND ORDERS")
        reading = understand(unit, grammar, vocabulary)
        assert not format_all(reading.diagnostics, page)
        assert reading.orders != OrderSet()
