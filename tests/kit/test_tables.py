"""Tables as typed records, and the places of what is wrong in them."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from typing import Annotated, Literal

import pytest
from msgspec import Meta, Struct

from pbem.kit.tables import Sheet, TableError, one_of, pair

GRADES = ("3", "3+", "4")


class Row(Struct):
    """A ship."""

    name: str
    side: str
    type: Literal["CA", "BB", "LR recon"]
    speed: int
    guns: Annotated[int, Meta(ge=1)]
    area: str
    turn: int = 1
    search: tuple[int, int] | None = None


COLUMNS = "name | type speed guns | area@turn | search | source"
READ = {"speed": one_of(GRADES), "search": pair}
TEXT = """\
# Ships.
[war]
ships = '''
Emden       | CA 3+ 4 | 25   | 4-3 | R 1
Nürnberg II | BB 4  1 | 20@2 | -   | R 2

Geier       | CA 3  1 | -    | -   | R 3
'''
[war.figures]
name = 'X'
most = 3
"""


def sheet(old: str = "", new: str = "") -> Sheet:
    assert old in TEXT
    return Sheet("games.toy", "ships.toml", TEXT.replace(old, new, 1))


def rows(found: Sheet) -> list[Row]:
    return found.rows("war.ships", Row, COLUMNS, READ, side="german")


def test_rows_are_records() -> None:
    assert rows(sheet()) == [
        Row("Emden", "german", "CA", 1, 4, "25", 1, (4, 3)),
        Row("Nürnberg II", "german", "BB", 2, 1, "20", 2, None),
        Row("Geier", "german", "CA", 0, 1, "", 1, None),
    ]


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("CA 3+", "XX 3+", "4:15: error bad-row: war.ships: Emden: type: 'XX' is not one of CA, B"),
        ("CA 3+", "CA 9 ", "4:18: error bad-row: war.ships: Emden: speed: '9' is not one of 3, 3"),
        ("4  1 |", "4  0 |", "5:21: .*Nürnberg II: guns: '0': Expected `int` >= 1"),
        ("4  1 |", "4  x |", "5:21: .*Nürnberg II: guns: 'x': Expected `int`"),
        ("4  1 |", "4    |", "5:19: .*guns: missing"),
        ("4  1 |", "4  1 7 |", "5:23: .*'7' is too much"),
        ("20@2", "20@z", "5:28: .*turn: 'z' is not a whole number"),
        ("4-3", "4-x", "4:32: .*search: '4-x' is not two numbers"),
        ("| R 3", "", "7:.*the source is missing"),
        ("| 4-3 | R 1", "", "4:.*Emden: search: missing; columns: name"),
        ("ships = ", "shops = ", "^ships.toml: the key 'war.ships' is missing"),
    ],
)
def test_a_fault_has_its_place(
    old: str, new: str, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """File, line and column, the line itself, and a caret below the place."""
    text = TEXT.replace(old, new, 1)
    with pytest.raises(TableError, match=says) as caught:
        rows(own(text, tmp_path, monkeypatch))
    place, *shown = str(caught.value).splitlines()
    if shown:
        line, caret = shown
        assert line == text.splitlines()[int(place.split(":")[1]) - 1]
        assert caret == " " * (int(place.split(":")[2]) - 1) + "^"
    if "source" not in says:
        with pytest.raises(TableError, match=says):
            rows(Sheet("games.toy", "ships.toml", text))


COUNT = count()


def own(text: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Sheet:
    """A table of a package."""
    package = folder / f"lent{next(COUNT)}"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "ships.toml").write_text(text, "utf-8")
    monkeypatch.syspath_prepend(str(folder))
    return Sheet(package.name, "ships.toml")


def test_a_moderator_need_not_give_sources() -> None:
    assert len(rows(sheet("| R 3", ""))) == 3


def test_columns_must_fit_the_record() -> None:
    with pytest.raises(TypeError, match="Row has no field 'sped', which is a column"):
        sheet().rows("war.ships", Row, "name | type sped", side="x")
    with pytest.raises(TypeError, match=r"Row\.guns has no column and no default"):
        sheet().rows("war.ships", Row, "name | type speed _ | area", side="x")


class Figures(Struct, frozen=True):
    """Of the war."""

    name: str
    most: int
    levels: tuple[int, ...] = ()


class File(Struct, frozen=True):
    """The whole file."""

    war: War


class War(Struct, frozen=True):
    """A table."""

    figures: Figures


def test_a_table_is_a_record() -> None:
    assert sheet().record(Figures, "war.figures") == Figures("X", 3)
    assert sheet().record(File).war.figures.most == 3


@pytest.mark.parametrize("key", ["war.figures", ""])
def test_a_value_of_another_type_has_its_line(key: str) -> None:
    wrong = sheet("most = 3", "most = '3'")
    says = "^ships.toml:11:1: error bad-value: war.figures.most: Expected `int`, got `str`"
    with pytest.raises(TableError, match=says):
        wrong.record(Figures, key) if key else wrong.record(File)


def test_an_item_of_a_list_has_the_line_of_the_list() -> None:
    wrong = sheet("most = 3", "most = 3\nlevels = [1, 'x']")
    says = r"^ships.toml:12:1: error bad-value: war.figures.levels\[1\]: Expected `int`"
    with pytest.raises(TableError, match=says):
        wrong.record(Figures, "war.figures")


def test_lines() -> None:
    found = sheet().lines("war.ships", lambda line: line.split("|")[0].strip())
    assert found == ["Emden", "Nürnberg II", "Geier"]

    def name(line: str) -> str:
        if "II" in line:
            raise ValueError("no second ship")
        return line

    with pytest.raises(TableError, match=r"ships.toml:5:1: .*no second ship"):
        sheet().lines("war.ships", name)


def test_a_table_of_the_package_has_its_place_too() -> None:
    """What was read as JSON is read again as text, for its lines."""
    with pytest.raises(TableError, match=r"^areas.toml:8:1: error bad-row: areas: 1: Western"):
        Sheet("games.far_seas.data", "areas.toml").lines("areas", refused)


def refused(line: str) -> None:
    raise ValueError(line.partition("|")[2].strip())
