"""The tests of the auditors are tested: each of their checks is switched off alone, and an attack
that was found then passes, or is found elsewhere.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from copy import deepcopy
from functools import cache
from typing import Any

import pytest
from msgspec import structs

from pbem.ledger import Record
from tests.conftest import Clock
from tests.trust import papers, test_key_attacks
from tests.trust.corpus import FILE, Body, flip, put, rewrite
from tests.trust.forgeries import FORGERIES
from tests.trust.games import GAMES
from tests.trust.switches import Switch, wired
from tests.trust.test_agreement import mutations

Attack = Callable[[Any], list[str]]
"""What an auditor, given as a module, says of something that is wrong."""


@pytest.fixture(scope="module")
def ledgers(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    """Whole games with one thing changed in each."""
    found = []
    for name, make in GAMES.items():
        with pytest.MonkeyPatch.context() as patch:
            house = make(tmp_path_factory.mktemp(name) / "home", patch, Clock(patch))
        records = house.records
        changed = [m.records for m in {(m.kind, m.how): m for m in mutations(records)}.values()]
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
    at = [i for i, r in enumerate(records) if r.kind == kind][nth]
    body = deepcopy(records[at].body)
    change(body)
    return [*records[:at], structs.replace(records[at], body=body), *records[at + 1 :]]


CRAFTED: dict[str, list[tuple[str, int, Callable[[Body], None]]]] = {
    "keys": [(kind, nth, change) for kind, nth, change, _ in test_key_attacks.ATTACKS.values()],
    "fast": [("undone", 0, flip("position"))],
    "run": [("received", 0, put("ahead", value=-9)), ("created", 0, put("system", value=None))],
}


def of_ledger(content: bytes) -> Attack:
    def verdict(module: Any) -> list[str]:
        try:
            module.check_ledger("ledger", content, [])
        except module.Bad as bad:
            return [f"{bad.code} {bad.text}"]
        except papers.TOO_FAR:
            return ["too far"]
        return []

    return verdict


def of_papers(files: papers.Papers) -> Attack:
    return lambda module: papers.verdict(module, files)


def unverifiable(files: papers.Papers) -> Attack:
    """The same where `cryptography` is not there."""

    def verdict(module: Any) -> list[str]:
        with pytest.MonkeyPatch.context() as patch:
            patch.setitem(sys.modules, "cryptography.exceptions", None)
            return papers.verdict(module, files)

    return verdict


SIGNED = ("an anchor that no report here names", "a link that nobody signed with the lock")
"""Papers with a seal that is good, and with reveals."""


def quick(module: Any, switch: Switch) -> None:
    """A dice key that was checked once stands: it takes longer than all the rest. One that stands
    because its check is off stands so long alone."""
    right = module.DiceKey

    @cache
    def known(off: str, game: str, n: str, roots: tuple[str, ...]) -> Any:
        return right(game, n, list(roots))

    def key(game: str, n: str, roots: list[str]) -> Any:
        off = switch.off if "dice-key" in switch.checks.get(switch.off, "") else ""
        return known(off, game, n, tuple(roots))

    module.DiceKey = key


def missed(module: Any, switch: Switch, attacks: Sequence[Attack]) -> list[str]:
    """The checks that no attack needs: with such a one off, all is found as with it."""
    by: dict[str, list[tuple[Attack, list[str]]]] = {}
    for attack in attacks:
        switch.fired.clear()
        before = attack(module)
        for where in {*switch.fired}:
            by.setdefault(where, []).append((attack, before))
    found = []
    for where, said in switch.checks.items():
        switch.off = where
        tried = by.get(where, [])[:4]
        if all(attack(module) == before for attack, before in tried):
            found.append(f"{where} {said}")
    return found


def test_no_check_of_verify_can_be_left_out(ledgers: list[bytes], shown: papers.Shown) -> None:
    switch = Switch()
    module = wired(FILE, "verify_wired", switch)
    quick(module, switch)
    attacks = [of_ledger(ledger) for ledger in ledgers]
    attacks += [of_papers(files) for files, _ in shown.values()]
    attacks += [unverifiable(shown[name][0]) for name in SIGNED]
    assert len(switch.checks) > 100
    assert missed(module, switch, attacks) == []
