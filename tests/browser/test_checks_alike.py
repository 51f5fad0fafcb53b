"""Checks of orders as the page runs them: the same answers as Python's on the boundaries of rules,
and mutants of the translation give others."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

import games
from pbem.reports.report import decoded
from pbem.translate.program import translate
from pbem.translate.translation import runtime
from pbem.web import order_page
from tests.once import played
from tests.translate import boundaries
from tests.translate.cases import Case, cases, judged, mutants

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

from tests.browser.surf import CHROMIUM
from tests.browser.tongue import Tongue, speaking

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason="Debian's chromium is not installed")

CHECKED = [name for name in games.names() if games.load(name).checks]
Cases = Callable[[str], Sequence[Case]]
RUN = """([name, values, program]) => {
  const systems = {}, failed = [];
  console.error = (no) => failed.push(String(no));
  if (program) new Function("SYSTEMS", program)(systems);
  for (const { report, orders, said } of cases) {
    const own = (program ? systems : orderPage.SYSTEMS)[name]({ values, unknown: [] }, report);
    for (const [i, order] of orders.entries()) {
      const left = own.after(order) && own.plain(own.after(order));
      const after = left && { units: left.units, menu: left.menu };
      const got = [own.check(order), own.note(order), after, own.beside(order, orders.slice(0, i))];
      const same = JSON.stringify(got) === JSON.stringify(said[i]);
      if (!same || failed.length) return [order, got, said[i], ...failed];
    }
  }
  return null;
}"""
STEP = """let $steps = 0;
function $step() { if ($steps++ > 1e7) throw Error("a loop without end"); }
"""
SURE = 0.85
"""The part of all mutants that must be found. The others change nothing: defaults that no report
leaves open, branches that lead to the same answer."""


@pytest.fixture(scope="module")
def tongue(browser: Browser) -> Iterator[Tongue]:
    with speaking(browser, *map(games.load, CHECKED)) as one:
        yield one


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Sequence[dict[str, Any]]]:
    """Every report of a game that two bots played."""

    @cache
    def get(name: str) -> Sequence[dict[str, Any]]:
        paths = sorted(played(tmp_path_factory, name, "b").rglob("report.json"))
        return [dict(decoded(path.read_bytes())) for path in paths]

    return get


def special(name: str, count: int, seed: str) -> list[Case]:
    """Cases that only this system has."""
    if name != "bismarck":
        return []
    system = games.load(name)
    return [judged(system, *case) for case in boundaries.bismarck(Random(seed), count)]


def give(tongue: Tongue, found: Sequence[Case]) -> None:
    """Give the page cases, with the fields of reports that pages contain."""
    rows = [
        {**case._asdict(), "report": {k: v for k, v in case.report.items() if k in order_page.KEPT}}
        for case in found
    ]
    tongue.page.evaluate("(text) => { window.cases = JSON.parse(text); }", json.dumps(rows))


@pytest.mark.some(1)
@pytest.mark.parametrize("name", CHECKED)
def test_the_page_judges_boundary_cases_as_python_does(
    name: str,
    tongue: Tongue,
    reports: Callable[[str], Sequence[dict[str, Any]]],
    nightly: bool,
    run_seed: int,
) -> None:
    """Others in every run."""
    made = translate(games.load(name), {})
    count = 20_000 if nightly else 600
    found = cases(games.load(name), reports(name), made, count, str(run_seed))
    found += special(name, count // 10, str(run_seed))
    assert sum(len(case.orders) for case in found) > count // 2
    give(tongue, found)
    assert tongue.page.evaluate(RUN, [name, made.values, ""]) is None


@pytest.mark.nightly
@pytest.mark.parametrize("name", CHECKED)
def test_mutants_of_the_checks_are_found(
    name: str, tongue: Tongue, reports: Callable[[str], Sequence[dict[str, Any]]]
) -> None:
    made = translate(games.load(name), {})
    found = cases(games.load(name), reports(name), made, 6_000, "mutants")
    found += special(name, 600, "mutants")
    give(tongue, found)

    def differs(code: str) -> bool:
        code = code.replace("while (", "while ($step(), ")
        program = f"{STEP}{runtime(made.code)}\n{code}"
        return tongue.page.evaluate(RUN, [name, made.values, program]) is not None

    assert not differs(made.code)
    every = list(mutants(made.code))
    left = [mutant.line for mutant in every if not differs(mutant.code)]
    assert len(left) <= (1 - SURE) * len(every), "\n".join(left)
