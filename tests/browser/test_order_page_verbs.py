"""Every verb of every system can be ordered by clicks alone, and the referee understands it."""

from __future__ import annotations

from itertools import islice
from math import dist
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import games
from pbem.base import report_json
from pbem.bots.demo import demo
from pbem.model import System
from pbem.player.reader import read_text
from pbem.player.sign import block_of, header_of
from pbem.reports.report import decoded
from pbem.web import order_page
from tests.browser import plotting
from tests.once import played
from tests.systems import OURS

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

from tests.browser.surf import CHROMIUM
from tests.browser.writing import Player, writing

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.skipif(not CHROMIUM.exists(), reason="Debian's chromium is not installed")
Report = dict[str, Any]
MOST_REPORTS = 14
COMPOSE = """([actor, verb, typed, example]) => {
  const find = (name) => document.getElementById(name), composer = find("composer");
  const ready = () => find("add") && !find("add").disabled;
  composer.querySelector(".heading button")?.click();
  find("unit-of-" + actor).click();
  [...composer.querySelectorAll(".verbs button")].find((b) => b.textContent === verb).click();
  let steps = 0;
  const controls = () => [...composer.querySelectorAll(
    ".field > [role=group], .place > [role=group], .field > input, .place input, .field > select")];
  let typing = false;
  const lastFour = (i) => () => {
    for (const n of [-4, -3, -2, -1]) [...controls()[i].children].at(n).click();
  };
  const together = (i, which) => () => {
    for (const n of which) controls()[i].children[n].click();
  };
  const said = (text) => ` ${example.toLowerCase()} `.includes(` ${text.trim().toLowerCase()} `);
  const ways = (one, i) => {
    if (one.tagName === "DIV") {
      const each = [...one.children].map((b, n) =>
        Object.assign((it) => it.children[n].click(), { said: said(b.textContent) }));
      const named = [...each.keys()].filter((n) => each[n].said);
      const all = named.length > 1 ? [Object.assign(together(i, named), { said: true })] : [];
      return [...all, ...each, ...(each.length > 6 ? [lastFour(i)] : [])];
    }
    const values = one.tagName === "SELECT" ? [...one.options].map((o) => o.value).slice(1)
      : typing ? typed : [];
    return one.value ? []
      : values.map((value) => Object.assign((it) => set(it, value), { said: said(value) }));
  };
  const set = (it, value) => {
    it.value = value;
    it.dispatchEvent(new Event(it.tagName === "SELECT" ? "change" : "input"));
  };
  const solved = (i, end) => {
    if (ready()) return true;
    if (i >= Math.min(end, controls().length) || steps > 300) return false;
    const leave = (it) => it;
    const every = ways(controls()[i], i);
    const first = every.filter((way) => way.said);
    for (const way of [...first, leave, ...every.filter((way) => !way.said)]) {
      steps += way !== leave;
      way(controls()[i]);
      if (solved(i + 1, end)) return true;
      if (way === leave) continue;
      if (controls()[i].tagName === "DIV") way(controls()[i]);
      else set(controls()[i], "");
    }
    return false;
  };
  const upTo = (end) => ((steps = 0), solved(0, end));
  const done = upTo(99) || (typing = true, [1, 2, 99].some(upTo));
  const line = find("draft").textContent;
  if (!done) return "";
  find("add").click();
  const kept = [...document.querySelectorAll("#list code")].map((e) => e.textContent);
  find("undo").click();
  return kept.includes(line) ? line : "lost";
}"""


def reports_of(home: Path) -> list[Report]:
    """Every report of a game between bots that asks for orders."""
    paths = sorted((home / "demo" / "reports").glob("*/*/report.json"))
    found: list[Report] = [dict(decoded(path.read_bytes())) for path in paths]
    return [r for r in found if r["side"] and not r["result"]]


def offers(report: Report) -> dict[str, list[str]]:
    """Each verb of a menu with the actors that may be told it."""
    found: dict[str, list[str]] = {}
    for actor, items in report["menu"].items():
        for item in items:
            found.setdefault(item["verb"], []).append(actor)
    return found


def near(system: System, report: Report, actor: str) -> list[str]:
    """What may be typed: rows, numbers, places from near to far."""
    scene = system.chart(report)
    assert scene
    cells = scene.grid.cells
    if not cells:
        return at_sea(report, actor)
    at = next((u["place"] for u in report["units"] if u["id"] == actor), "")
    here = cells.get(at, next(iter(cells.values())))
    places = sorted(cells, key=lambda name: (dist(cells[name], here), name))
    rows = ["ahead 1", *(f"{contact['id']} 1" for contact in report["contacts"][:3])]
    return [*rows, "1", str(report["turn"] + 2), *places[1:20]]


def at_sea(report: Report, actor: str) -> list[str]:
    """Lengths of a move, points around the unit from near to far, half degrees."""
    unit = next((u for u in report["units"] if u["id"] == actor), {"x": 0, "y": 0})
    east, north = (max(0, unit[axis]) / 1000 for axis in "xy")
    points = [
        f"{east + far * dx:g} {north + far * dy:g}"
        for far in (0, 5, 12)
        for dx, dy in ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1))
        if 0 <= east + far * dx <= 72 and 0 <= north + far * dy <= 48
    ]
    return ["1", *(f"ahead {n}" for n in (3, 6, 9, 12)), *dict.fromkeys(points)]


def compose(player: Player, system: System, report: Report, verb: str, actor: str) -> str:
    """An order of this verb made by clicks; empty where none is legal for that actor. What the
    report's example says is tried first."""
    example = report["verbs"][verb]["example"].partition(":")[2].rstrip(";")
    words = example.removeprefix(f" {verb}").split()
    typed = [*words, *near(system, report, actor)]
    said = " ".join(words).replace(",", "")
    line: str = player.page.evaluate(COMPOSE, [actor, verb, typed, said])
    return line


FURTHER = {"atlantic_chase": ("denmark_strait", {"advanced": "on"})}
"""Scenario and options of a second game, for the verbs that the first never offers."""
CAMPAIGN = 10
"""Windows of Red Banner with every optional rule after which each of its verbs was offered."""


@pytest.mark.long
@pytest.mark.some(1)
@pytest.mark.parametrize("name", OURS)
def test_every_verb_is_ordered_by_clicks(
    name: str, browser: Browser, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    system = games.load(name)
    if name == "baltic":  # its verbs are spread over scenarios; no single game offers most of them
        reports = [dict(report.plain) for report in plotting.every_verb(tmp_path)]
    else:
        reports = reports_of(played(tmp_path_factory, name))
    if name in FURTHER:
        reports += reports_of(played(tmp_path_factory, name, "a", *FURTHER[name]))
    if name == "second_fleet":
        reports += reports_of(begun_campaign(system, tmp_path))
    left = {verb.name for verb in system.grammar.verbs}
    for likely in (True, False):  # composing what is not legal takes long: every way is tried
        untried = list(reports)
        for _ in range(min(MOST_REPORTS, len(untried))):
            report = max(untried, key=lambda r: len(left & set(actors_of(r, likely))))
            untried.remove(report)
            if wanted := {v: a for v, a in actors_of(report, likely).items() if v in left}:
                left -= ordered(browser, system, report, wanted, tmp_path / "order-page.html")
    assert left == set()


def begun_campaign(system: System, home: Path) -> Path:
    """The home of a game of Red Banner that is not over: the whole would take minutes."""
    optional = {one.name: "yes" for one in system.options if one.values == ("no", "yes")}
    options = {"windows": "turn", **optional}
    list(islice(demo(home, system, "verbs", scenario="banner", options=options), CAMPAIGN))
    return home


def actors_of(report: Report, likely: bool) -> dict[str, list[str]]:
    """Each verb of a menu with actors that may be told it. likely: only if the report has an
    example of it, which is legal, and only its actor."""
    if not likely:
        return {verb: actors[:4] for verb, actors in offers(report).items()}
    examples = {verb: told["example"] for verb, told in report["verbs"].items()}
    actors = {verb: line.partition(":")[0].lstrip("@") for verb, line in examples.items() if line}
    return {v: [actors[v]] for v, all_of in offers(report).items() if actors.get(v) in all_of}


def ordered(
    browser: Browser, system: System, report: Report, wanted: dict[str, list[str]], page: Path
) -> set[str]:
    """Those of the wanted verbs that can be ordered by clicks on the page of this report; the
    referee understands each order."""
    found = set[str]()
    typed = report_json.Report.of(report)
    page.write_bytes(order_page.page(system, typed))
    with writing(browser, page) as player:
        for verb, actors in wanted.items():
            lines = (compose(player, system, report, verb, actor) for actor in actors)
            if line := next(filter(None, lines), ""):
                reading = read_text(system, typed, block_of(header_of(typed, report["seq"]), line))
                assert not (*reading.refusals, *reading.diagnostics), line
                (order,) = reading.orders.orders
                assert order.actions[0].verb == verb
                found.add(verb)
        player.quiet()
    return found
