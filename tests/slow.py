"""Slow tests take turns: a run of the whole suite has, of each package of tests, some of them.

`slow.json` has the tests that take long, by what a case of each took; only the proportions count.
It is made anew by

    .venv/bin/pytest --nightly --junitxml=all.xml && .venv/bin/python -m tests.slow all.xml
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
    known = weights()
    packages = defaultdict[str, list[pytest.Item]](list)
    for item in sorted(items, key=lambda item: item.nodeid):
        if _test(item.nodeid) in known:
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


def measured(results: Iterable[Path]) -> Mapping[str, float]:
    """The weights that files of `--junitxml` give."""
    cases = defaultdict[str, list[float]](list)
    for case in (case for path in results for case in ElementTree.parse(path).iter("testcase")):
        path = case.attrib["classname"].replace(".", "/")
        cases[_test(f"{path}.py::{case.attrib['name']}")].append(float(case.attrib["time"]))
    least = LEAST * mean(time for times in cases.values() for time in times)
    found = {test: round(mean(times), 1) for test, times in sorted(cases.items())}
    return {test: weight for test, weight in found.items() if weight >= least}


if __name__ == "__main__":
    WEIGHTS.write_text(json.dumps(measured(map(Path, sys.argv[1:])), indent=0) + "\n")
