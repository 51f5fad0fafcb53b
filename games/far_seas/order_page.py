"""What the order page judges by: the open board and its rules, for templates/far_seas/checks.js."""

from __future__ import annotations

from collections.abc import Mapping

from games.far_seas import board, check, courses
from games.far_seas.board import AREAS, Area
from games.far_seas.state import GRADES
from games.far_seas.tables import rules


def public_tables(house: Mapping[str, str]) -> Mapping[str, object]:
    """Board, landings and the figures of rules.toml that judge orders; verbs by whose they are."""
    figures = rules()
    return {
        "areas": {area.id: _area(area) for area in AREAS.values()},
        "sea": board.SEA,
        "shut": {"all": [board.GERMANY], "german": [board.ENGLAND, board.MEDITERRANEAN]},
        "stations": board.STATIONS,
        "oceans": [sorted(board.ATLANTIC), sorted(board.PACIFIC)],
        "home": board.ICELAND_GAP,
        "river": {"area": board.RIVER, "ships": figures.river.ships},
        "convoy": {
            "grades": GRADES[: GRADES.index(figures.convoy.grade) + 1],
            "guns": figures.convoy.guns,
        },
        "landings": {
            name: [row.name, row.area, row.first, row.last]
            for name, row in figures.landings.items()
        },
        "moves": list(courses.MOVES),
        "german": check.GERMAN_ONLY,
        "allied": check.ALLIED_ONLY,
        "choice": check.CHOICE,
    }


def _area(area: Area) -> Mapping[str, object]:
    """One area; empty fields are left out."""
    told = {
        "name": area.name,
        "density": area.density,
        "ports": bool(area.ports),
        "ways": area.ways,
        "canal": area.canal,
        "suez": area.suez,
    }
    return {key: value for key, value in told.items() if value}
