"""The player's page states the figures of the data."""

from __future__ import annotations

from pathlib import Path

import pytest

from games.baltic.tables import SETTINGS, ShipSheet, effective, sheets, telegraph, weapons

PAGE = (Path(__file__).parents[2] / "docs" / "baltic.md").read_text(encoding="utf-8")
KINDS = {"sec": "secondary", "torp": "torpedoes", "bomb": "bombs"}


@pytest.mark.parametrize("sheet", sheets().values(), ids=lambda sheet: sheet.id)
def test_ship_sheets(sheet: ShipSheet) -> None:
    mounts = [
        f"{w.id} {KINDS.get(w.kind, w.kind)} {w.fp}" + ("" if w.arc == "none" else f" {w.arc}")
        for w in weapons(sheet.id)
    ]
    many = f" x {sheet.vessels}" if sheet.vessels > 1 else ""
    trait = "" if sheet.trait == "none" else f", {sheet.trait}"
    figures = f"{sheet.aa} {sheet.cc} {sheet.ram} {sheet.jink}"
    row = f"| `{sheet.id}`{many} | {sheet.cls}{trait} | {sheet.hull}/{sheet.black} | {figures} | "
    row += f"{sheet.template or '-'} | {', '.join(mounts)} | {sheet.points} |\n"
    assert row in PAGE


@pytest.mark.parametrize(("column", "name"), [("B", "B, carriers"), ("C", "C"), ("D", "D")])
def test_telegraph(column: str, name: str) -> None:
    spans = [f"{low // 1000} to {high // 1000}" if high else "0" for low, high in telegraph(column)]
    spans += [""] * (len(SETTINGS) - len(spans))
    row = " | ".join([name, *spans]).rstrip()
    assert f"| {row} |\n" in PAGE
    assert telegraph("carrier") == telegraph("B")


@pytest.mark.parametrize("firepower", [3, 5, 7, 9, 10, 12])
def test_dice(firepower: int) -> None:
    row = " | ".join(str(dice) for dice in effective()[firepower - 1])
    assert f"| firepower {firepower} | {row} |\n" in PAGE
