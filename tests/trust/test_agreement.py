"""verify.py and `pbem audit`, written independently, have the same findings for a ledger.

Every value in every record of whole games is changed, every record dropped, doubled, moved or made
the last, each time on a chain made anew, as the moderator can. Both auditors judge each. The first
record that fails must be the same, but for what verify.py says it cannot see: the rules of the
game. And whatever was changed under a report that a player holds, both find by it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

from games.toy import game as toy
from tests.conftest import Clock
from tests.ledgers import Record, typed
from tests.proving import Proven
from tests.trust.corpus import Body, Steps, checked, places, reports, rewrite, verify
from tests.trust.games import GAMES

Found = tuple[int, str]
Sample = Callable[[Sequence["Mutation"], int], Sequence["Mutation"]]
CLERICAL = {
    "arrival",
    "by",
    "clock",
    "code",
    "email",
    "files",
    "letter",
    "mailed",
    "name",
    "raw",
    "receipt",
    "sides",
    "window",
}
"""What no rule speaks of. It is bound by the heads that later reports name, and by receipts."""
NOTHING: Found = (0, "")


class Mutation(msgspec.Struct, frozen=True):
    """A ledger changed in one place. at: the record; how: the field, or what became of it."""

    at: int
    kind: str
    how: str
    records: list[Record]


def other(value: Any) -> Any:
    """Another value of the same type; less of what has parts."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, str):
        return value[:-1] + ("0" if value[-1:] != "0" else "1")
    if isinstance(value, dict):
        return dict(list(value.items())[:-1]) or {"x": "y"}
    return value[:-1] or ["x"] if isinstance(value, list) else {}


def changed(body: Body, path: Steps) -> Body:
    body = place = deepcopy(body)
    for step in path[:-1]:
        place = place[step]  # type: ignore[index]
    place[path[-1]] = other(place[path[-1]])  # type: ignore[index]
    return body


def mutations(records: list[Record]) -> Iterator[Mutation]:
    for i, record in enumerate(records):
        before, after = records[:i], records[i + 1 :]
        for path in places(record.body):
            body = changed(record.body, path)
            name = ".".join(step for step in path if isinstance(step, str))
            new = msgspec.structs.replace(record, body=body)
            yield Mutation(record.n, record.kind, name, [*before, new, *after])
        moved = {
            "dropped": after,
            "doubled": [record, record, *after],
            "last": [record],
            "moved": [*after[:1], record, *after[1:]],
        }
        for how, rest in moved.items():
            yield Mutation(record.n, record.kind, how, [*before, *rest])


def apart(audited: Found, mine: Found, change: Mutation) -> bool:
    """Whether verify.py may say less: what it would need the rules, the release or the making of
    reports for. audited, mine: the first record that fails, and how."""
    if audited[1] == "edition":
        return True  # which edition this program has; verify.py has none
    later = mine == NOTHING or mine[0] > audited[0]
    if audited[1] == "altered-record" and impossible(change):
        return later  # verify.py asks what is needed of a record, not all that it may hold
    by_rules = {
        "report": True,  # it was made anew; what it says, and the head it names, is another
        "result": change.how in ("turn", "over", "run.why", "run"),
        "header": change.how in ("final", "refused_orders"),
    }
    return by_rules.get(audited[1], False) and later


def impossible(change: Mutation) -> bool:
    """Whether the changed record holds what no record of its kind can."""
    try:
        typed(change.records[change.at - 1])
    except msgspec.ValidationError:
        return True
    return False


def silent(change: Mutation, records: Sequence[Record]) -> bool:
    """Whether nobody can tell by the ledger alone: the end may be cut off, and nothing binds what
    its last record says of mail."""
    later = any("reports" in r.body for r in records[change.at :])
    cut = change.how == "last" or (change.at == len(records) and change.how in ("dropped", "moved"))
    return cut or (not later and change.how.split(".")[0] in CLERICAL)


def audited_of(referee: Proven, held: Sequence[dict[str, Any]] = ()) -> Found:
    found = referee.audit(held).findings
    return (found[0].record, found[0].code) if found else NOTHING


def verified_of(*paths: Path) -> Found:
    found = checked(*paths)
    code, _, number = found[0].partition(" record ") if found else ("", "", "0")
    return int(number or 0), code


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Proven]:
    @cache
    def make(name: str) -> Proven:
        with pytest.MonkeyPatch.context() as patch:
            return GAMES[name](tmp_path_factory.mktemp(name) / "home", patch, Clock(patch))

    return make


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Check the dice key only once, because that takes longer than everything else."""
    right = verify.DiceKey
    known = cache(lambda game, modulus, roots: right(game, modulus, list(roots)))
    monkeypatch.setattr(verify, "DiceKey", lambda game, n, roots: known(game, n, tuple(roots)))


@pytest.fixture(params=sorted(GAMES))
def referee(
    request: pytest.FixtureRequest, made: Callable[[str], Proven], monkeypatch: pytest.MonkeyPatch
) -> Iterator[Proven]:
    if request.param == "run":
        monkeypatch.setattr(toy.Toy, "public", lambda system, event: "")
    referee = made(request.param)
    records = referee.records
    assert audited_of(referee) == verified_of(referee.folder) == NOTHING
    yield referee
    rewrite(referee, records)


@pytest.mark.some(1)
def test_both_name_the_same_record(referee: Proven, sample: Sample) -> None:
    records, split = referee.records, []
    for change in sample(list(mutations(records)), 40):
        rewrite(referee, change.records)
        audited, mine = audited_of(referee), verified_of(referee.folder)
        agree = audited[0] == mine[0] or apart(audited, mine, change)
        if not agree or (audited == NOTHING and not silent(change, records)):
            split.append((change.at, change.kind, change.how, audited, mine))
    assert not split


@pytest.mark.some(2)
def test_whatever_was_changed_both_find_by_what_one_side_holds(
    referee: Proven, sample: Sample
) -> None:
    """The newest report names the head before its own record, and its digest stands in that."""
    records, held = referee.records, reports(referee, "hunter")
    kept = [json.loads(path.read_bytes()) for path in held]
    last = max(r.n for r in records if "reports" in r.body)
    assert verified_of(referee.folder, *held) == audited_of(referee, newest(kept)) == NOTHING
    for change in sample([m for m in mutations(records) if m.at < last], 25):
        rewrite(referee, change.records)
        said = (change.at, change.kind, change.how)
        assert verified_of(referee.folder, *held) != NOTHING, said
        assert audited_of(referee, newest(kept)) != NOTHING, said


def newest(kept: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """An undone window's reports were written over; only the newest are sure to be there."""
    return kept[-1:]
