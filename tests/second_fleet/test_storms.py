"""6.2/5-6 The weather lies open: what a storm forbids in this window is refused as it comes in, and
what it would forbid if it stayed has a note."""

from __future__ import annotations

from typing import Any

import pytest

from games.second_fleet.game import SYSTEM
from pbem.base.report_json import Report
from pbem.model import Side
from pbem.testing.orders import RefusedError, shown, submitted
from tests.second_fleet.casebook import position

NATO = Side("nato")
FLEET: dict[str, Any] = {
    "options": {"level": "advanced", "logistics": "yes", "mines": "yes"},
    "groups": {"ANVIL": "2931 INVCL YORK SHFLD BOXER"},
    "ships": {
        "RSVLT": "2718",
        "WLMET": "2718",
        "HAWES": "2718",
        "KNOX": "2718",
        "SVTPL": "3224 S",
        "INPDN": "2931",
    },
    "air": {
        "USF15A": "1831",
        "USP3A": "1831",
        "USF14A": "RSVLT",
        "USE2A": "RSVLT",
        "USA6A": "RSVLT",
        "UKNIMA": "3733",
        "UKBUCA": "3733",
        "UKBUCB": "3733",
        "UKTORA": "3733",
        "UKTORB": "3733",
        "UKPHNA": "3833",
    },
}


def seen(turn: int, *zones: str) -> Report:
    """NATO's report with a storm over these zones; turn 1 is a morning, 2 an afternoon."""
    changed: dict[str, Any] = {"weather.sky": "storm", "weather.zones": [*zones]}
    changed["vessels.HAWES.stores.rows.fuel"] = 0
    war = position({"turn": turn, **FLEET, "set": changed})
    if turn == 1:
        war.stage = "strategic"
    return shown(SYSTEM, war, NATO)


def note(report: Report, order: str) -> str:
    """What the receipt says of an order that is taken."""
    return SYSTEM.note(submitted(SYSTEM, report, f"{order};").orders[0], report.plain)


FORBIDDEN = [
    (2, "IC", "USF15A: cap", "nobody is on patrol in a storm (6.2/5)"),
    (2, "NS", "USF14A: cap", "nobody is on patrol in a storm (6.2/5)"),
    (2, "BI", "UKBUCA: strike ssm EN1", "there is a storm over 3733 (6.2/5)"),
    (2, "NS", "UKBUCA: strike ssm 3224", "there is a storm over 3224 (6.2/5)"),
    (2, "BI", "UKBUCA: transfer 1831", "nobody takes off from 3733 in a storm (6.2/6)"),
    (2, "BI", "USF14A: transfer 2931", "nobody lands on a carrier in a storm (6.2/5)"),
    (2, "NS", "WLMET: replenish HAWES with fuel 2", "nobody replenishes in 2718 in this"),
    (1, "IC", "USP3A: recon ns", "nobody takes off from 1831 in a storm (6.2/6)"),
    (1, "NS", "USE2A: recon ns", "nobody takes off from RSVLT in a storm (6.2/5)"),
    (1, "NS", "UKBUCA: recon ns", "there is a storm over the Norwegian Sea (6.2/5)"),
    (1, "NS", "USF15A: intercept ns", "there is a storm over the Norwegian Sea (6.2/5)"),
    (1, "NS", "UKNIMA: coordinate ns", "there is a storm over the Norwegian Sea (6.2/5)"),
    (1, "NS", "UKNIMA: mine 3413", "there is a storm over the Norwegian Sea (6.2/5)"),
]


@pytest.mark.parametrize(("turn", "zone", "order", "reason"), FORBIDDEN)
def test_what_a_storm_forbids_now_is_refused(turn: int, zone: str, order: str, reason: str) -> None:
    with pytest.raises(RefusedError) as said:
        submitted(SYSTEM, seen(turn, zone), f"{order};")
    assert f"error storm: {reason}" in str(said.value)


DOUBTFUL = [
    (2, "IC", "@USF15A: cap", "nobody is on patrol in a storm (6.2/5)"),
    (2, "IC", "turn 3 USF15A: cap", "nobody is on patrol in a storm (6.2/5)"),
    (1, "NS", "turn 1 USF14A: cap", "nobody is on patrol in a storm (6.2/5)"),
    (2, "IC", "USF15A: if part is pm then cap", "nobody is on patrol in a storm (6.2/5)"),
    (2, "NS", "UKBUCA: strike ssm EN1", "there is a storm over 3224 (6.2/5)"),
    (2, "NS", "USA6A: strike bomb EN1", "there is a storm over 2718 (6.2/5)"),
    (1, "IC", "@USP3A: recon ns", "nobody takes off from 1831 in a storm (6.2/6)"),
    (2, "NS", "turn 4 UKNIMA: coordinate ns", "there is a storm over the Norwegian Sea"),
]


@pytest.mark.parametrize(("turn", "zone", "order", "said"), DOUBTFUL)
def test_what_it_forbids_if_it_stays_has_a_note(
    turn: int, zone: str, order: str, said: str
) -> None:
    assert note(seen(turn, zone), order).startswith(f"as things stand, {said}")


ELSEWHERE = [
    (2, "NS", "USF15A: cap"),
    (2, "IC", "@USF14A: cap"),
    (1, "NS", "UKNIMA: recon ns"),
    (1, "NS", "turn 4 UKNIMA: recon ns"),
    (2, "IC", "WLMET: replenish HAWES with fuel 2"),
]


@pytest.mark.parametrize(("turn", "zone", "order"), ELSEWHERE)
def test_storms_elsewhere_and_those_who_look_into_them_are_no_matter(
    turn: int, zone: str, order: str
) -> None:
    assert note(seen(turn, zone), order) == ""


@pytest.mark.parametrize("turn", [1, 2])
def test_the_form_has_no_order_that_a_storm_forbids(turn: int) -> None:
    report = seen(turn, "IC")
    lines = SYSTEM.view(position({"turn": turn, **FLEET}), NATO).form
    assert any("USP3A" in line or "USF15A" in line for line in lines)
    assert not any("USP3A" in line or "USF15A" in line for line in report.form)
