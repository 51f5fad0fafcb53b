"""A report's digest covers all of it, and its bytes are the one canonical JSON."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from pbem.hashing import canonical_json
from pbem.report import digest, seal

KEYS = st.sampled_from(["board", "contacts", "game", "news", "units", "window"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(st.dictionaries(KEYS, VALUES, min_size=1))
def test_sealing_encodes_once_what_the_digest_covers(report: dict[str, Any]) -> None:
    data = seal(report)
    assert data == canonical_json(report)
    assert report["digest"] == digest(report)
