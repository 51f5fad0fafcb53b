"""Tables decoded ahead of time: the same as their TOML, and never used where the TOML changed."""

from __future__ import annotations

import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from tomllib import loads

import pytest

from games.bismarck.data import FILES
from pbem import data

PACKAGE = "games.bismarck.data"
TOML = b'answer = 42\nrows = ["a 1", "b 2"]\n[deep.er]\nhalf = 0.5\nyes = true\n'


@pytest.fixture(autouse=True)
def forgotten() -> None:
    data.table.cache_clear()
    data._compiled.cache_clear()


@pytest.fixture
def shelf(monkeypatch: pytest.MonkeyPatch) -> Callable[[dict[str, bytes]], None]:
    """A package of these files."""

    def hold(files: dict[str, bytes]) -> None:
        def read(package: str, name: str) -> bytes:
            if name not in files:
                raise FileNotFoundError(f"{package}: {name}")
            return files[name]

        monkeypatch.setattr(data, "read", read)

    return hold


@pytest.mark.parametrize("name", FILES)
def test_a_compiled_table_says_what_its_toml_says(name: str) -> None:
    text = data.read(PACKAGE, name)
    held = json.loads(data.compiled({name: text}))[name]
    assert held == {"sha256": sha256(text).hexdigest(), "table": loads(text.decode())}


def test_a_table_comes_from_its_compiled_form(
    shelf: Callable[[dict[str, bytes]], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    shelf({"a.toml": TOML, data.COMPILED: data.compiled({"a.toml": TOML})})
    monkeypatch.setattr("tomllib.loads", None)
    assert data.table("x", "a.toml")["deep"] == {"er": {"half": 0.5, "yes": True}}


def test_a_compiled_form_of_other_bytes_is_not_used(
    shelf: Callable[[dict[str, bytes]], None],
) -> None:
    stale = data.compiled({"a.toml": TOML})
    shelf({"a.toml": TOML.replace(b"42", b"43"), data.COMPILED: stale})
    assert data.table("x", "a.toml")["answer"] == 43


def test_without_a_compiled_form_the_toml_is_read(
    shelf: Callable[[dict[str, bytes]], None],
) -> None:
    shelf({"a.toml": TOML})
    assert data.table("x", "a.toml")["answer"] == 42


def test_what_json_cannot_hold_is_not_compiled() -> None:
    with pytest.raises(ValueError, match=r"a\.toml"):
        data.compiled({"a.toml": b"day = 1941-05-22\n"})


def test_every_table_of_the_tree_can_be_compiled() -> None:
    folders = Path(__file__).parents[1].glob("games/*/data")
    for folder in folders:
        tables = {p.name: p.read_bytes() for p in folder.glob("*.toml")}
        assert json.loads(data.compiled(tables)).keys() == tables.keys()
