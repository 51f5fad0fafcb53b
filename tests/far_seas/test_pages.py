"""The pages of a report: text and HTML of both sides, through a whole scenario."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest

import games
from pbem.bots.bot_orders import Match
from pbem.model import Side
from pbem.reports import render, wording
from pbem.text import layout
from tests.far_seas.ratings import roster

SIDES = ("german", "british")


def pages(scenario: str, side: str, windows: int) -> tuple[dict[str, Any], str, str]:
    """The report after so many windows, its text and its HTML."""
    match = Match(games.load("far_seas"), scenario, {}, "pages")
    for _ in range(windows):
        match.window()
    data = dict(match.report(Side(side)).plain)
    said = wording.events("far_seas", data["events"])
    data["events"] = [{**e, "text": text} for e, text in zip(data["events"], said, strict=True)]
    return data, render.text(data), unescape(render.html(data))


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize(("scenario", "windows"), [("war", 0), ("war", 5), ("emden", 3)])
def test_every_page_stands_on_72_columns_and_fits_a_mail(
    scenario: str, side: str, windows: int
) -> None:
    _, text, markup = pages(scenario, side, windows)
    assert max(map(len, text.splitlines())) <= layout.WIDTH
    assert text.isascii()
    assert len(markup.encode()) < 90_000


@pytest.mark.parametrize("side", SIDES)
def test_every_ship_of_the_report_is_on_both_pages(side: str) -> None:
    data, text, markup = pages("war", side, 4)
    flat = " ".join(text.split())
    for item in [*data["units"], *data["contacts"]]:
        assert layout.ascii_fold(item["name"]) in flat
        assert item["name"] in markup


def test_names_keep_their_accents_where_a_page_can_show_them() -> None:
    _, text, markup = pages("war", "german", 0)
    assert "Königsberg" in markup and "Konigsberg" in text
    assert "Kaiser Wilhelm der Große" in markup and "Kaiser Wilhelm der Grosse" in text


def test_the_allies_begin_with_where_the_germans_began() -> None:
    data, text, _ = pages("war", "british", 0)
    assert {c["name"] for c in data["contacts"]} <= {s.name for s in roster().values()}
    assert all(c["source"] == "set-up" for c in data["contacts"])
    assert "where it began" in " ".join(text.split())


@pytest.mark.parametrize("side", SIDES)
def test_what_a_player_needs_of_his_own_ships_is_on_both_pages(side: str) -> None:
    """Gun, speed, damage, capacity and points of each; stations with points; their neighbours at
    the beginning of the game only: the form names them later."""
    data, text, markup = pages("war", side, 4)
    flat, html = " ".join(text.split()), re.sub("<[^>]+>", " ", markup)
    html = " ".join(html.split())
    for u in data["units"]:
        figures = f"{u['type']} {u['gun']} {u['speed']} {u['damage']}/{u['capacity']} {u['points']}"
        assert f"{u['place']} {layout.ascii_fold(u['name'])} {figures}" in flat
        assert f"{u['place']} {u['name']} {figures}" in html
    assert "Kingston 2, Barbados 1, Trinidad 1 (7);" in flat
    _, first, shown = pages("war", side, 0)
    for said in ("Kingston 2, Barbados 1, Trinidad 1", "14 28 29 30 Zanzibar 2"):
        assert said in " ".join(first.split()).replace("31 East Africa 1 ", "")
        assert said in " ".join(re.sub("<[^>]+>", " ", shown).split())


def test_a_raided_station_is_marked_and_scenarios_show_their_own_areas() -> None:
    data, text, _ = pages("emden", "german", 4)
    for station in data["board"]["raided"]:
        assert f"{station} (raided)" in " ".join(text.split())
    board = text.partition("STATIONS  ")[2]
    assert "(29);" in board and "(7)" not in board
    first = pages("emden", "german", 0)[1].partition("THE BOARD")[2]
    assert "29 Bay of Bengal" in first and "7 Caribbean Sea" not in first


@pytest.mark.parametrize("side", SIDES)
def test_only_areas_in_play_are_next_to_each_other(side: str) -> None:
    """Nobody is sent where his scenario does not let him go."""
    _, text, _ = pages("konigsberg", side, 0)
    board = text.partition("THE BOARD")[2]
    assert re.search(r"^14 .* 2 +31 +Simonstown 3$", board, re.M)
    assert re.search(r"^30 .* 3 +29 31 +Aden 2", board, re.M)


def test_the_outcome_of_a_fight_counts_the_hits_of_the_round_that_sank_a_ship() -> None:
    match = Match(games.load("far_seas"), "emden", {}, "pages")
    data = dict(match.report(Side("german")).plain)
    foes = {"german": ["Emden"], "allied": ["Sydney"]}
    said = {"rule": "K2", "why": "", "area": "29"}
    hit = {"who": "Sydney", "side": "british", "damage": 2, "capacity": 6}
    sunk = {"who": "SYDNEY", "name": "Sydney", "side": "british", "points": 4, "hurt": 5}
    begun = {**said, **foes, "kind": "RoundBegun", "round": 1, "reach": "ABC", "close": False}
    events = [
        begun,
        {**said, **hit, "kind": "Damaged", "hurt": 2},
        {**said, **sunk, "kind": "ShipSunk"},
    ]
    texts = wording.events("far_seas", events)
    data["events"] = [{**e, "text": text} for e, text in zip(events, texts, strict=True)]
    assert re.search(r"Sydney +7 +sunk", render.text(data))
    assert re.search(r"Emden +none +unhurt", render.text(data))
