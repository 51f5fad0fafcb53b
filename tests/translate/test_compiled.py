"""Checks translated ahead of time: as they are made anew, and never used after a source changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import copy

import msgspec
import pytest

import games
from pbem import data
from pbem.translate import compiled
from pbem.translate.compiled import Compiled, checks
from pbem.translate.program import translate
from pbem.translate.translation import Translation

SYSTEM = games.load("bismarck")
HELD = Translation("held", [{"v": 1}, {"v": 2, "by": ["ships.toml"]}])


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    for each in (compiled._checks, compiled._ready, compiled.sources):
        each.cache_clear()
    yield
    for each in (compiled._checks, compiled._ready, compiled.sources):
        each.cache_clear()


def hold(monkeypatch: pytest.MonkeyPatch, ready: Mapping[str, Compiled]) -> None:
    content = msgspec.json.encode(ready)
    monkeypatch.setattr(compiled, "read", lambda package, name: content)


def test_what_the_wheel_has_is_what_is_made_from_the_source() -> None:
    systems = [games.load(name) for name in games.SYSTEMS]
    found = msgspec.json.decode(compiled.compiled(systems), type=dict[str, Compiled])
    assert set(found) == {system.name for system in systems if system.checks}
    for name, one in found.items():
        assert one.checks == translate(games.load(name), {})


def test_it_is_used_while_the_sources_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    hold(monkeypatch, {"bismarck": Compiled(compiled.sources(SYSTEM), HELD)})
    assert checks(SYSTEM, {}) == HELD
    assert checks(SYSTEM, {"air.toml": "rest = 2"}) == HELD


def test_house_rules_that_a_check_reads_are_translated_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hold(monkeypatch, {"bismarck": Compiled(compiled.sources(SYSTEM), HELD)})
    ships = data.read("games.bismarck.data", "ships.toml").decode()
    later = ships.replace("Revenge = 'L3 17 owner'", "Revenge = 'L3 25 owner'")
    assert later != ships
    made = checks(SYSTEM, {"ships.toml": later})
    assert made.code == translate(SYSTEM, {}).code
    assert made.values != translate(SYSTEM, {}).values


@pytest.mark.parametrize("name", ["pbem.kit", "pbem.translate", "games.bismarck"])
def test_it_is_not_used_after_a_source_changed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    hold(monkeypatch, {"bismarck": Compiled(compiled.sources(SYSTEM), HELD)})
    compiled.sources.cache_clear()
    files = compiled._files
    monkeypatch.setattr(compiled, "_files", lambda one: files(one)[one == name :])
    assert checks(SYSTEM, {}) == translate(SYSTEM, {})


def test_without_a_wheel_checks_are_made_from_the_source(monkeypatch: pytest.MonkeyPatch) -> None:
    def read(package: str, name: str) -> bytes:
        raise FileNotFoundError(name)

    monkeypatch.setattr(compiled, "read", read)
    assert checks(SYSTEM, {}).code.startswith("SYSTEMS.bismarck = ")
    bare = copy(games.load("toy"))
    vars(bare)["checks"] = ""
    assert checks(bare, {}) == Translation("", [])
