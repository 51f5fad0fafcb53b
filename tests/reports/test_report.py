"""A report's digest covers all of it, and its bytes are the one canonical JSON."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import load
from pbem.admin.setup import options_of
from pbem.base.hashing import canonical_json
from pbem.base.report_json import FORMAT
from pbem.base.report_menu import shortened
from pbem.base.schema import require_report
from pbem.bots.bot_orders import Match
from pbem.errors import Usage
from pbem.model import Side
from pbem.reports.report import decoded, digest, encoded

KEYS = st.sampled_from(["board", "contacts", "game", "news", "units", "window"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=8,
)
ITEMS = st.builds(
    lambda verb, values: {"verb": verb, "args": [{"name": "a", "kind": "w", "values": values}]},
    st.text(max_size=4),
    st.lists(st.text(max_size=3), max_size=2),
)
MENUS = st.lists(ITEMS, min_size=1, max_size=4).flatmap(
    lambda items: st.dictionaries(
        st.text(max_size=6), st.lists(st.sampled_from(items), max_size=4), max_size=5
    )
)


def complete(report: dict[str, Any], menu: dict[str, Any]) -> dict[str, Any]:
    """With what the short form of a menu needs: the format, and a row for each verb."""
    verbs = {item["verb"]: {"help": "h"} for items in menu.values() for item in items}
    return {**report, "format": FORMAT, "menu": menu, "verbs": verbs}


@given(st.dictionaries(KEYS, VALUES, min_size=1), MENUS)
def test_encoded_gives_the_bytes_that_the_digest_covers(
    report: dict[str, Any], menu: dict[str, Any]
) -> None:
    found, data = encoded(complete(report, menu))
    written = json.loads(data)
    assert data == canonical_json(written)
    assert found == written["digest"] == digest(written)


@given(st.dictionaries(KEYS, VALUES, min_size=1), MENUS)
def test_a_report_is_read_as_it_was_composed(report: dict[str, Any], menu: dict[str, Any]) -> None:
    whole = complete(report, menu)
    found, data = encoded(whole)
    assert decoded(data) == {**whole, "digest": found}


@given(st.dictionaries(KEYS, VALUES, min_size=1), MENUS)
def test_a_report_of_version_1_is_read_as_it_is(
    report: dict[str, Any], menu: dict[str, Any]
) -> None:
    old = {**report, "format": "pbem-report/1", "menu": menu}
    found, data = encoded(old)
    assert data == canonical_json({**old, "digest": found})
    assert decoded(data) == json.loads(data)


@given(MENUS)
def test_each_verb_is_stated_once_for_units_that_share_it(menu: dict[str, Any]) -> None:
    short = shortened(complete({}, menu))
    blocks = short.get("blocks", {})
    assert isinstance(blocks, dict)
    assert len({canonical_json(block) for block in blocks.values()}) == len(blocks)
    assert set(blocks) == set(short["menu"].values() if menu else ())  # type: ignore[attr-defined]
    for verb, told in short["verbs"].items():  # type: ignore[attr-defined]
        whole = {"verb": verb, "args": told.get("args")}
        assert not [block for block in blocks.values() if whole in block]


FIELDS = st.fixed_dictionaries(
    {"id": st.text(max_size=3), "damage": st.sampled_from([0, 1, 1.0, True, None, [], ["x"]])},
    optional={"notes": st.sampled_from([[], ["hit"]]), "type": st.sampled_from(["DD", "BB", 3])},
)


def many(units: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """A few units, or a hundred and more of the same."""
    return units * 25 if len(units) > 6 else units


@given(st.lists(FIELDS, max_size=12).map(many), st.lists(st.text(max_size=3), max_size=3))
def test_what_most_units_have_is_stated_once(units: list[dict[str, Any]], form: list[str]) -> None:
    report = {"format": FORMAT, "units": units, "suggest": form, "form": "\n".join(form)}
    found, data = encoded(report)
    short = json.loads(data)
    assert canonical_json(decoded(data)) == canonical_json({**report, "digest": found})
    usual = short.get("usual", {}).get("units", {})
    types = short.get("usual_by_type", {}).get("units", {})
    for unit, whole in zip(short["units"], units, strict=True):
        assert unit["id"] == whole["id"]
        values = {**usual, **types.get(str(whole.get("type")), {})}
        assert not [k for k in unit if k in values and repr(unit[k]) == repr(values[k])]
    texts = [repr(unit["damage"]) for unit in units]
    if any(texts.count(text) > 1 for text in texts):
        assert texts.count(repr(usual["damage"])) == max(map(texts.count, texts))


def test_what_units_of_a_type_have_in_common_is_stated_once() -> None:
    """Where it is not usual for all, and three share it, of a hundred units and more."""
    speeds = {"A": ("DD", 5), "B": ("DD", 5), "C": ("DD", 5), "D": ("BB", 3), "E": ("BB", 3)}
    more = {f"F{n}": ("FF", 4) for n in range(95)}
    units = [{"id": k, "type": t, "speed": v} for k, (t, v) in (speeds | more).items()]
    report = {"format": FORMAT, "units": units}
    short = json.loads(encoded(report)[1])
    assert short["usual"] == {"units": {"speed": 4}}
    assert short["usual_by_type"] == {"units": {"DD": {"speed": 5}}}
    assert [u["id"] for u in short["units"] if "speed" in u] == ["D", "E"]
    assert decoded(encoded(report)[1])["units"] == units
    assert "usual_by_type" not in json.loads(encoded({**report, "units": units[:-1]})[1])


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"usual_by_type": {"units": {"DD": 3}}}, "usual_by_type[...][...]: Expected `object`"),
        ({"blocks": {"b1": [{"verb": "hold", "values": [[1]]}]}}, "blocks: `hold` has other argu"),
        ({"usual": {"units": 3}}, "usual[...]: Expected `object`, got `int`"),
        ({"usual": {"units": {}}, "units": 3}, "Expected `array`, got `int`"),
        ({"menu": {"HOOD": "b9"}}, "menu.HOOD: There is no block `b9`"),
        ({"blocks": {"b1": ["fly"]}}, "blocks.b1: There is no verb `fly`"),
        ({"blocks": {"b1": [3]}}, "blocks[...][0]: Expected `str | object`, got `int`"),
        ({"menu": 3}, "menu: Expected `object`, got `int`"),
    ],
)
def test_a_damaged_menu_is_named_with_its_place(change: dict[str, Any], said: str) -> None:
    report = {
        "format": FORMAT,
        "menu": {"HOOD": "b1"},
        "blocks": {"b1": ["hold"]},
        "verbs": {"hold": {"args": []}},
    }
    with pytest.raises(Usage, match=re.escape(f"r.json: {said}")):
        require_report({**report, **change}, "r.json")


def test_a_british_report_is_half_as_long() -> None:
    """Compared with version 1, which said every order of every ship."""
    system = load("bismarck")
    match = Match(system, system.scenarios[0].name, options_of(system, {}), "1")
    report = {**match.report(Side("british")).plain, "digest": ""}
    _, short = encoded({k: v for k, v in report.items() if k != "digest"})
    _, long = encoded({**report, "format": "pbem-report/1"})
    assert len(short) < 0.5 * len(long)
