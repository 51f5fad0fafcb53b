"""docs/orders.md is what independent signers are written from: it must be true."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from orders.canon import canonical
from orders.fold import fold
from orders.header import FIELDS
from orders.vocabulary import alike

ROOT = Path(__file__).parents[2]
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
