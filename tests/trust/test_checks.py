"""The tests of verify.py are tested: each check of a ledger that it makes is switched off alone,
and an attack that was found then passes, or is found elsewhere.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest
from msgspec import structs

from pbem.ledger import Record
from tests.conftest import Clock
from tests.trust import test_key_attacks
from tests.trust.corpus import FILE, Body, put, rewrite, verify
from tests.trust.forgeries import FORGERIES
from tests.trust.games import GAMES
from tests.trust.test_agreement import mutations

NONE = -1


def walk() -> dict[int, str]:
    """The checks in the walk along a ledger: the line of each, and what it says."""
    (game,) = (n for n in ast.walk(ast.parse(FILE.read_text()))
               if isinstance(n, ast.ClassDef) and n.name == "Game")  # fmt: skip
    found = {}
    for method in game.body:
        if isinstance(method, ast.FunctionDef) and method.name != "hold":
            for node in ast.walk(method):
                if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "require":
                    found[node.lineno] = ast.unparse(node.args[2])
    return found


class Switch:
    """`require` with one check off. line: of the last that failed."""

    def __init__(self, lines: dict[int, str]) -> None:
        self.lines, self.off, self.line = sorted(lines), NONE, 0

    def __call__(self, holds: bool, code: str, text: str) -> None:
        if holds:
            return
        at = sys._getframe(1).f_lineno
        self.line = max((line for line in self.lines if line <= at), default=0)
        if self.line != self.off:
            raise verify.Bad(code, text)


def verdict(ledger: bytes) -> str:
    try:
        verify.check_ledger("ledger", ledger, [])
    except verify.Bad as bad:
        return f"{bad.code} {bad.text}"
    except AssertionError:  # what a check that is off should have kept from coming this far
        return "too far"
    return ""


@pytest.fixture(scope="module")
def ledgers(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    """Whole games with one thing changed in each."""
    found = []
    for name, make in GAMES.items():
        with pytest.MonkeyPatch.context() as patch:
            house = make(tmp_path_factory.mktemp(name) / "home", patch, Clock(patch))
        records = house.records
        changed = [m.records for m in mutations(records)]
        changed += [altered(records, *one) for one in CRAFTED.get(name, ())]
        changed += [test_key_attacks.too_early(records)] if name == "keys" else []
        for one in changed:
            rewrite(house, one)
            found.append((house.folder / "ledger.jsonl").read_bytes())
    for forge in FORGERIES.values():
        with pytest.MonkeyPatch.context() as patch:
            forged, _ = forge(tmp_path_factory.mktemp("forged") / "home", patch, Clock(patch))
        found.append((forged.folder / "ledger.jsonl").read_bytes())
    return found


def altered(
    records: list[Record], kind: str, nth: int, change: Callable[[Body], None]
) -> list[Record]:
    from copy import deepcopy

    at = [i for i, r in enumerate(records) if r.kind == kind][nth]
    body = deepcopy(records[at].body)
    change(body)
    return [*records[:at], structs.replace(records[at], body=body), *records[at + 1 :]]


CRAFTED: dict[str, list[tuple[str, int, Callable[[Body], None]]]] = {
    "keys": [(kind, nth, change) for kind, nth, change, _ in test_key_attacks.ATTACKS.values()],
    "run": [("received", 0, put("ahead", value=-9)), ("created", 0, put("system", value=None))],
}


@pytest.fixture
def switch(monkeypatch: pytest.MonkeyPatch) -> Iterator[Switch]:
    right, made = verify.DiceKey, Switch(walk())
    known: Any = cache(lambda game, n, roots: right(game, n, list(roots)))
    monkeypatch.setattr(verify, "DiceKey", lambda game, n, roots: known(game, n, tuple(roots)))
    monkeypatch.setattr(verify, "require", made)
    yield made


def test_no_check_of_a_ledger_can_be_left_out(ledgers: list[bytes], switch: Switch) -> None:
    checks = walk()
    attacks: dict[int, list[bytes]] = {}
    for ledger in ledgers:
        switch.line = 0
        if verdict(ledger) and switch.line:
            attacks.setdefault(switch.line, []).append(ledger)
    assert not [text for line, text in checks.items() if line not in attacks]
    for line, tried in attacks.items():
        switch.off = NONE
        before = [verdict(ledger) for ledger in tried[:4]]
        switch.off = line
        assert [verdict(ledger) for ledger in tried[:4]] != before, checks[line]
