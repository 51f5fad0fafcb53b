"""What modules of rule systems may not contain, and what looks like it and may stay."""

from __future__ import annotations

import ast

import pytest

from pbem.lint.unsuitable import found

WRONG = (
    ("from pbem.store import ledger", "forbidden-import", "pbem.store"),
    ("from pbem.inbound import intake", "forbidden-import", "pbem.inbound"),
    ("from pbem import store", "forbidden-import", "pbem.store"),
    ("import pbem.crypto.private_keys", "forbidden-import", "pbem.crypto.private_keys"),
    ("import pbem", "forbidden-import", "pbem"),
    ("def f():\n    from pbem.charts.chart import svg", "forbidden-import", "pbem.charts.chart"),
    ("from pathlib import Path", "forbidden-import", "pathlib"),
    ("import io", "forbidden-import", "io"),
    ("import os.path", "forbidden-import", "os.path"),
    ("import numpy as np", "forbidden-import", "numpy"),
    ("from importlib import import_module", "forbidden-import", "importlib"),
    ("__import__('os')", "forbidden-call", "__import__()"),
    ("x = hash('a')", "forbidden-call", "hash()"),
    ("datetime.now()", "forbidden-call", "now()"),
    ("for x in {1, 2}: pass", "set-order", "loop"),
    ("y = [x for x in {'a', 'b'}]", "set-order", "loop"),
    ("y = {x: 1 for x in set(z)}", "set-order", "loop"),
    ("y = [x for z in a for x in frozenset(z)]", "set-order", "loop"),
    ("f(x for x in set(a) - {b})", "set-order", "loop"),
    ("y = min((x for x in set(a)), key=f)", "set-order", "loop"),
    ("y = list({x for x in a})", "set-order", "list()"),
    ("y = tuple(set(a))", "set-order", "tuple()"),
    ("y = ', '.join({'a', 'b'})", "set-order", "joined"),
)
RIGHT = (
    "from pbem import model as m\nfrom pbem.inference.quarry import Quarry\nimport pbem.kit.grids",
    "from orders.declare import verb\nimport msgspec\nfrom strait.view import view",
    "from .os import path\nfrom . import random\nimport heapq, zlib",
    "y = any(x for x in set(a)) or all(x for x in {1, 2}) or sum(x for x in set(a))",
    "y = sorted(x for x in set(a)), set(x for x in set(a)), {x for x in set(a)}, max(set(a))",
    "y = min(x for x in set(a)), len(list(set(a))), sorted(list(set(a)))",
    "for x in sorted(set(a)): pass",
    "y = [x for x in a if x in {'a', 'b'}]",
    "z = [x for x in {'a'}]",
)


@pytest.mark.parametrize(("text", "code", "said"), WRONG, ids=lambda text: text[:30])
def test_what_rules_may_not_contain(text: str, code: str, said: str) -> None:
    (one,) = found(ast.parse(text), "strait")
    assert (one[0], one[1]) == (text.count("\n") + 1, code)
    assert said in one[2]
    assert one[3]


@pytest.mark.parametrize("text", RIGHT, ids=lambda text: text[:30])
def test_what_rules_may_contain(text: str) -> None:
    assert list(found(ast.parse(text), "strait")) == []
