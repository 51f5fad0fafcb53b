"""What a receipt says first, and how the window that it is for closes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pbem.reports import filters, render

SAMPLE = Path(__file__).parent / "samples" / "receipt-partly.json"


@pytest.mark.parametrize(
    ("orders", "problems", "said"),
    [
        (["A: move B1;", "A: hold;"], 0, "2 orders received, all understood."),
        (["A: hold;"], 1, "2 orders: 1 counts, 1 does not."),
        (["A: hold;", "B: hold;", "FINAL;"], 2, "4 orders: 2 count, 2 do not."),
        ([], 1, "1 order: it does not count."),
        (["FINAL;"], 3, "3 orders: none counts."),
        (["FINAL;", "RUN 2;"], 0, "Received: FINAL, RUN 2; no orders for units."),
        ([], 0, "0 orders received, all understood."),
    ],
)
def test_a_receipt_says_first_what_counts(orders: list[str], problems: int, said: str) -> None:
    understood = [{"order": one} for one in orders]
    receipt = {"code": "", "status": "partly", "understood": understood}
    assert filters.receipt_lead({**receipt, "problems": [{}] * problems}) == said


@pytest.mark.parametrize(
    ("receipt", "said"),
    [
        ({}, ""),
        ({"early": 30}, "The window closes 30 minutes after the last orders that it waits for."),
        ({"early": 0}, "The window closes as soon as all orders are in that it waits for."),
        (
            {"early": 1, "alone": True},
            "The window closes about 1 minute after this set: it waits for you.",
        ),
        (
            {"early": 0, "alone": True},
            "The window closes as soon as this set is in: it waits for you.",
        ),
        ({"early": 30, "alone": True, "status": "partly"}, ""),
    ],
)
def test_a_receipt_says_how_a_window_closes_sooner(receipt: dict[str, object], said: str) -> None:
    assert filters.sooner({"status": "accepted", **receipt}) == said


def test_of_many_units_without_orders_a_receipt_says_how_many_and_what_they_do() -> None:
    names = [f"Ship {i}" for i in range(1, 30)]
    said = json.loads(SAMPLE.read_text()) | {"without_orders": names, "idle": "Such ships stay."}
    eight = "29 units: " + ", ".join(names[:8]) + " and 21 more."
    text = render.receipt(said)
    assert f"WITHOUT ORDERS {eight} Such ships stay." in " ".join(text.split())
    page = render.receipt_page(said)
    assert f"<b>No order:</b> {eight} Such ships stay." in page
    assert ", ".join(names) in page  # folded
    few = render.receipt_page(said | {"without_orders": names[:8]})
    assert f"<b>No order:</b> {', '.join(names[:8])}. Such ships stay." in few
