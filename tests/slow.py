"""Slow tests take turns: a run of the whole suite has, of each package of tests, some of them.

`slow.json` has the tests that take long, by what a case of each took; only the proportions count.
`needed.json` has cases of them that run always, as nothing else in a run covers some lines: those
that cover most of these for the seconds that they take. Tests marked `recorded` run always too.
Both lists are made anew by

    .venv/bin/pytest --nightly --junitxml=all.xml --cov=pbem --cov=orders --cov=games \
        --cov-context=test --cov-report= && .venv/bin/python -m tests.slow all.xml .coverage
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from statistics import mean
from xml.etree import ElementTree

import pytest

WEIGHTS = Path(__file__).with_suffix(".json")
NEEDED = WEIGHTS.with_name("needed.json")
ROOM = 60.0
"""Seconds that needed cases may take together."""
SHARE = 1 / 7
"""Of the time of a package's slow tests, the part that a run takes."""
LEAST = 1
"""A test is slow if a case of it takes so many times the mean of all cases."""


def weights() -> Mapping[str, float]:
    """Slow test -> what a case takes. The names are those of pytest, without a case."""
    found: dict[str, float] = json.loads(WEIGHTS.read_text())
    return found


def waiting(items: Sequence[pytest.Item], seed: int) -> Iterator[pytest.Item]:
    """The slow tests that are not in this run. The seed draws an order, in which those of a
    package are taken while there is room; one that is larger than the room that is left, as likely
    as the part of it that fits."""
    known, needed = weights(), set(json.loads(NEEDED.read_text()))
    packages = defaultdict[str, list[pytest.Item]](list)
    for item in sorted(items, key=lambda item: item.nodeid):
        wanted = item.nodeid in needed or item.get_closest_marker("recorded")
        if _test(item.nodeid) in known and not wanted:
            packages[item.nodeid.partition("::")[0].rpartition("/")[0]].append(item)
    for package, slow in packages.items():
        draws = Random(f"{seed} {package}")
        draws.shuffle(slow)
        room = SHARE * sum(known[_test(item.nodeid)] for item in slow)
        for item in slow:
            takes = known[_test(item.nodeid)]
            if draws.random() * takes >= room:
                yield item
            else:
                room -= takes


def _test(name: str) -> str:
    """A case's test: `tests/test_a.py::test_b` of `tests/test_a.py::test_b[1]`."""
    return name.partition("[")[0]


def taken(results: Path) -> Mapping[str, float]:
    """Case -> seconds that it took, of a file of `--junitxml`."""
    return {
        f"{case.attrib['classname'].replace('.', '/')}.py::{case.attrib['name']}": float(
            case.attrib["time"]
        )
        for case in ElementTree.parse(results).iter("testcase")
    }


def measured(times: Mapping[str, float]) -> Mapping[str, float]:
    """The weights of slow tests."""
    cases = defaultdict[str, list[float]](list)
    for name, time in times.items():
        cases[_test(name)].append(time)
    least = LEAST * mean(times.values())
    found = {test: round(mean(took), 1) for test, took in sorted(cases.items())}
    return {test: weight for test, weight in found.items() if weight >= least}


def covered(data: Path) -> Mapping[str, set[tuple[str, int]]]:
    """Case -> the lines that it ran, of a file of `--cov-context=test`."""
    from coverage import CoverageData

    read = CoverageData(str(data))
    read.read()
    found = defaultdict[str, set[tuple[str, int]]](set)
    for file in read.measured_files():
        for line, contexts in read.contexts_by_lineno(file).items():
            for context in contexts:
                found[context.rpartition("|")[0]].add((file, line))
    return found


def needed(
    times: Mapping[str, float], known: Iterable[str], lines: Mapping[str, set[tuple[str, int]]]
) -> Iterator[str]:
    """Cases of slow tests that run always: time and again the one that covers most new lines for
    its seconds, while there is room."""
    slow, room = set(known), ROOM
    always = (found for name, found in lines.items() if _test(name) not in slow)
    have = set[tuple[str, int]]().union(*always)
    left = {name: found - have for name, found in lines.items() if _test(name) in slow}
    while left := {name: found for name, found in left.items() if found and times[name] <= room}:
        best = max(left, key=lambda name: (len(left[name]) / (times[name] + 0.3), name))
        room -= times[best]
        new = left.pop(best)
        left = {name: found - new for name, found in left.items()}
        yield best


if __name__ == "__main__":
    took = taken(Path(sys.argv[1]))
    found = measured(took)
    WEIGHTS.write_text(json.dumps(found, indent=0) + "\n")
    kept = sorted(needed(took, found, covered(Path(sys.argv[2]))))
    NEEDED.write_text(json.dumps(kept, indent=0) + "\n")
