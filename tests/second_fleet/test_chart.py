"""The charts of a report: the whole map, and a chart for each zone in which something is."""

from __future__ import annotations

import re

import pytest
from msgspec import convert
from msgspec.structs import replace

from games.second_fleet import officers
from games.second_fleet.board import HEXES, ZONE_NAMES, ZONE_OF, Zone
from games.second_fleet.chart import at, caption, contact, drawn, scenes
from games.second_fleet.game import SYSTEM
from games.second_fleet.report import OwnUnit, Report
from games.second_fleet.zone_charts import cut
from pbem.bots.bot_orders import Match
from pbem.charts.chart import svg
from pbem.charts.text_metrics import measure
from pbem.model import Plain
from pbem.scene import Point

FLIGHTS = ("MissionsSent", "Flew")


@pytest.fixture(scope="module")
def reports() -> list[Plain]:
    """Both sides' reports of a game under way."""
    match = Match(SYSTEM, "lifeline", {}, "charts")
    for _ in range(9):
        match.window()
    return [match.report(side).plain for side in match.drive.sides]


def test_there_is_a_chart_for_each_zone_with_ships_or_contacts(reports: list[Plain]) -> None:
    for report in reports:
        whole, *parts = scenes(report)
        assert whole.name == "chart" and not whole.caption
        held = {u["place"] for u in report["units"] if u["kind"] != "air"}
        held |= {c["place"] for c in report["contacts"] if not c["age"]}
        zones = {ZONE_OF[place].lower() for place in held}
        assert {one.name for one in parts} == zones
        assert [one.caption for one in parts] == [
            name for zone, name in ZONE_NAMES.items() if zone.lower() in zones
        ]


def test_a_zone_shows_all_that_lies_in_it(reports: list[Plain]) -> None:
    for report in reports:
        whole, *parts = scenes(report)
        for part in parts:
            spots = {at(h) for h in HEXES if ZONE_OF[h].lower() == part.name}
            assert set(part.grid.cells.values()) >= spots
            shown = {u.id for u in part.units} | {c.id for c in part.contacts}
            there = {u.id for u in whole.units if u.at in spots}
            there |= {c.id for c in whole.contacts if c.at in spots}
            assert there and shown >= there


@pytest.mark.parametrize("zone", ZONE_NAMES)
def test_the_legend_of_a_zone_has_all_signs_and_room(zone: Zone, reports: list[Plain]) -> None:
    """As many signs as that of the overview, in words that end before the next column begins."""
    whole = drawn(convert(reports[0], Report))
    part = cut(whole, zone)
    signs = [[sign for sign, _ in key.rows] for key in whole.legend]
    assert [[sign for sign, _ in key.rows] for key in part.legend] == signs
    west, _, east, _ = part.window
    column = (east - west) * part.pitch / 4
    words = [said for key in part.legend for _, said in key.rows]
    assert max(measure(said, ("sans-400", 13)) for said in words) < column - 66


def test_who_is_named_as_damaged_is_not_counted_besides(reports: list[Plain]) -> None:
    seen = convert(reports[0], Report).contacts[0]
    said = "Strategic; 1 damaged; MTSKY damaged"
    named = replace(seen, age=0, remarks=said, hurt=1, names=("MTSKY damaged",))
    assert contact(named).note == "Strategic; MTSKY damaged"
    assert contact(replace(named, remarks="Strategic; 1 damaged", names=())).note == (
        "Strategic; 1 damaged"
    )


@pytest.mark.parametrize("zone", ZONE_NAMES)
def test_every_zone_is_drawn(zone: str, reports: list[Plain]) -> None:
    """A scene with a mistake raises an error."""
    whole = drawn(convert(reports[0], Report))
    for theme in ("light", "dark"):
        assert svg(cut(whole, zone), theme).startswith("<svg")  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def flown() -> list[list[Plain]]:
    """Both sides' reports of the first windows of a game."""
    match, found = Match(SYSTEM, "lifeline", {}, "flights"), []
    for _ in range(5):
        match.window()
        found.append([match.report(side).plain for side in match.drive.sides])
    return found


def ends(report: Plain) -> set[tuple[Point, ...]]:
    return {track.points for track in scenes(report)[0].tracks}


def test_own_flights_are_thin_routes(flown: list[list[Plain]]) -> None:
    """From the base to the zone of a mission or the target of a strike."""
    missions = strikes = 0
    for both in flown:
        for report in both:
            bases = {u["id"]: u["place"] for u in report["units"]}
            shown = ends(report)
            for event in report["events"]:
                if event["kind"] == "Flew":
                    strikes += 1
                    assert (at(event["start"]), at(event["to"])) in shown
                if event["kind"] == "MissionsSent":
                    missions += 1
                    starts = {at(bases[name]) for name in event["units"] if name in bases}
                    assert starts <= {points[0] for points in shown}
            for track in scenes(report)[0].tracks:
                assert track.owner == "own" and track.dashed and not track.bold
    assert missions > 3 and strikes > 1


def test_flights_of_the_enemy_are_not_shown(flown: list[list[Plain]]) -> None:
    """The report has no event of them, and the chart is made from the report alone. With separate
    command only the air officer hears of his side's."""
    assert set(FLIGHTS) <= set(officers.AIR)
    for nato, soviet in flown:
        assert not ends(nato) & ends(soviet)
        quiet = {**nato, "events": [e for e in nato["events"] if e["kind"] not in FLIGHTS]}
        assert not ends(quiet)


def test_the_head_of_a_zone_has_few_boxes() -> None:
    """More would cover the title of a narrow chart."""
    match = Match(SYSTEM, "banner", {}, "boxes")
    match.window()
    whole, *parts = scenes(match.report(match.drive.sides[0]).plain)
    assert len(whole.boxes) > 4
    assert parts and all(0 < len(part.boxes) <= 3 for part in parts)


@pytest.mark.parametrize("zone", ZONE_NAMES)
def test_the_scale_of_a_zone_is_in_the_picture(zone: str, reports: list[Plain]) -> None:
    """Narrow zones have room for 100 miles, not for 300."""
    picture = svg(cut(drawn(convert(reports[0], Report)), zone), "light")  # type: ignore[arg-type]
    wide = re.search(r'<svg[^>]* viewBox="0 0 ([0-9.]+) ', picture)
    foot = re.search(r'translate\(([0-9.]+) [0-9.]+\)"[^>]*><text y="6"[^>]*>CHART<', picture)
    scale = re.search(r'<text x="([0-9.]+)" y="41" text-anchor="middle">100 n mi<', picture)
    assert wide and foot and scale, picture[:200]
    assert float(foot[1]) + float(scale[1]) + measure("100 n mi", ("sans-400", 11)) < float(wide[1])


def test_groups_with_long_names_show_their_marker() -> None:
    group = OwnUnit(id="ANVIL", name="Anvil", type="task force", place="2420", kind="group")
    assert caption(group) == "ANVIL"
    assert caption(replace(group, id="FORCE2640")) == "TF"


def test_a_zone_shows_flights_that_cross_it(flown: list[list[Plain]]) -> None:
    crossed = [part for nato, _ in flown for part in scenes(nato)[1:] if part.tracks]
    assert crossed
    for part in crossed:
        assert svg(part, "light").startswith("<svg")
