"""A report's digest covers all of it, and its bytes are the one canonical JSON."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from pbem.base.hashing import canonical_json
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
    st.lists(st.text(max_size=3) | st.integers(), max_size=2),
)
MENUS = st.lists(ITEMS, min_size=1, max_size=4).flatmap(
    lambda items: st.dictionaries(
        st.text(max_size=6), st.lists(st.sampled_from(items), max_size=4), max_size=5
    )
)


@given(st.dictionaries(KEYS, VALUES, min_size=1), MENUS)
def test_encoded_gives_the_bytes_that_the_digest_covers(
    report: dict[str, Any], menu: dict[str, Any]
) -> None:
    report["menu"] = menu
    found, data = encoded(report)
    assert data == canonical_json(report | {"digest": found})
    assert found == digest(report)


@given(st.dictionaries(KEYS, VALUES, min_size=1), MENUS)
def test_a_report_is_read_as_it_was_written(report: dict[str, Any], menu: dict[str, Any]) -> None:
    assert decoded(canonical_json(report)) == {**report, "menu": {}}
    report["menu"] = menu
    assert decoded(canonical_json(report)) == report
