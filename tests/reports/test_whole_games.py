"""Everything mailed in whole games of every system: 72 columns, a chart in characters, HTML that
parses, stays small and asks for nothing outside.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import html5lib
import pytest

from pbem.base.report_menu import lengthened
from tests.systems import OURS, of_each

ROWS = of_each(
    {
        "toy": 6,
        "bismarck": 26,
        "far_seas": 21,
        "atlantic_chase": 16,
        "baltic": 17,
        "second_fleet": 45,
    },
    "rows of a chart in characters",
)
MOST = 48_000


def report_of(folder: Path) -> dict[str, Any]:
    return dict(lengthened(json.loads((folder / "report.json").read_text("utf-8"))))


def drawn(text: str) -> tuple[str, str]:
    """Legend and rows of the chart in a text report."""
    _, _, after = text.partition("\nCHART   ")
    assert after
    legend, rows, *_ = after.split("\n\n")
    return legend, rows


@pytest.mark.parametrize("system", OURS)
def test_no_line_of_a_whole_game_is_longer_than_72_columns(
    system: str, mailed: Callable[[str], list[Path]]
) -> None:
    folders = mailed(system)
    assert len(folders) > 15
    assert sum((folder / "orders.txt").exists() for folder in folders) > 5
    for folder in folders:
        for name in ("report.txt", "orders.txt"):
            path = folder / name
            if name == "orders.txt" and not path.exists():
                continue  # the end, or a turn of a run
            text = path.read_text("ascii")
            assert all(len(line) <= 72 and line == line.rstrip() for line in text.split("\n"))


@pytest.mark.parametrize("system", OURS)
def test_every_text_has_its_chart(system: str, mailed: Callable[[str], list[Path]]) -> None:
    for folder in mailed(system):
        report = report_of(folder)
        legend, rows = drawn((folder / "report.txt").read_text("ascii"))
        assert CHARTED[system](report, rows), folder
        assert len(rows.split("\n")) == ROWS[system]
        assert legend


def of_toy(report: dict[str, Any], rows: str) -> bool:
    """The letter of each animal is in its zone, a `?` in each zone of the twig's row."""
    table = {
        f"{row[0]}{i}": mark
        for row in rows.split("\n")[1:]
        for i, mark in enumerate(row[1:].split(), 1)
    }
    own = {u["place"]: u["name"].removeprefix("The ")[0].upper() for u in report["units"]}
    twigs = {c["place"][-1] for c in report["contacts"]}
    wanted = {zone: own.get(zone) or ("?" if zone[0] in twigs else ".") for zone in table}
    return table == wanted and len(table) == 25


def of_bismarck(report: dict[str, Any], rows: str) -> bool:
    """As many marks of contacts as the report names."""
    return rows.split("\n") == [row.rstrip() for row in report["board"]["chart"]["rows"]]


def of_far_seas(report: dict[str, Any], rows: str) -> bool:
    """Each area once, starred where own ships are, marked for what is known of the enemy."""
    own = {u["place"] for u in report["units"]}
    fresh = {c["place"] for c in report["contacts"] if not c["age"]}
    known = {c["place"] for c in report["contacts"]}
    found = re.findall(r"(\d+)(\*?)([!?]?)", rows)
    wanted = [
        (
            str(n),
            "*" if str(n) in own else "",
            "!" if str(n) in fresh else "?" if str(n) in known else "",
        )
        for n in range(1, 33)
    ]
    return sorted(found) == sorted(wanted)


def of_atlantic_chase(report: dict[str, Any], rows: str) -> bool:
    """So many hexes are marked for either side as its Task Forces lie in."""
    pieces = [
        u for u in (*report["units"], *report["contacts"]) if "KG" in u["id"] or "TF" in u["id"]
    ]
    cells = {
        mark: {
            cell
            for u in pieces
            if (u["id"][:2] == "KG") == (mark == "x")
            for cell in (*u["piece"].get("line", ()), u["piece"].get("at", ""))
            if cell
        }
        for mark in "ox"
    }
    words = (word for row in rows.split("\n") for word in row[1:].split())
    found = Counter(word.lower().lstrip("0123456789") for word in words)
    both = len(cells["o"] & cells["x"])
    return (found["o"] + both, found["x"] + both, found["&"]) == (
        len(cells["o"]),
        len(cells["x"]),
        both,
    )


def of_baltic(report: dict[str, Any], rows: str) -> bool:
    """In the place of each vessel that is no wreck stands a mark of its side."""
    board, lines = report["board"]["chart"], rows.split("\n")
    vessels = [u for u in (*report["units"], *report["contacts"]) if u["kind"] == "vessel"]
    marks = {*board["own"], *board["foe"]}
    found = {
        lines[(47999 - u["y"]) // 3000][3 + u["x"] // 2000]
        for u in vessels
        if u["state"] != "wreck" and 0 <= u["x"] < 72000 and 0 <= u["y"] < 48000
    }
    return found <= marks and lines == [row.rstrip() for row in board["rows"]]


def of_second_fleet(report: dict[str, Any], rows: str) -> bool:
    """In the hex of each ship, submarine and contact in sight stands a mark of its side."""
    lines = [line.ljust(48) for line in rows.split("\n")]
    ours = {u["place"] for u in report["units"] if u["kind"] != "air"}
    theirs = {c["place"] for c in report["contacts"] if not c["age"]}

    def mark(hex_: str) -> str:
        return lines[int(hex_[2:]) + 1][int(hex_[:2]) + 2]

    return all(mark(h) in "osO&" for h in ours) and all(mark(h) in "xzX&" for h in theirs)


CHARTED = of_each(
    {
        "toy": of_toy,
        "bismarck": of_bismarck,
        "far_seas": of_far_seas,
        "atlantic_chase": of_atlantic_chase,
        "baltic": of_baltic,
        "second_fleet": of_second_fleet,
    },
    "charts in characters",
)


@pytest.mark.parametrize("system", OURS)
def test_html_of_a_whole_game_is_small_sound_and_asks_for_nothing(
    system: str, mailed: Callable[[str], list[Path]]
) -> None:
    folders = mailed(system)
    for folder in folders:
        page = (folder / "report.html").read_bytes()
        assert len(page) < MOST
        assert not re.search(rb"(?:src|href)\s*=\s*[\"'](?!cid:|mailto:)|url\(|@import", page)
    for folder in (folders[0], folders[len(folders) // 2], folders[-1]):
        html5lib.HTMLParser(strict=True).parse((folder / "report.html").read_text("utf-8"))
