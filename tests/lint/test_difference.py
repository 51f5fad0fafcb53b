"""Where two values differ."""

from __future__ import annotations

import pytest

from pbem.lint.difference import differences, first_difference

CASES: tuple[tuple[object, object, str], ...] = (
    ({"a": [1, 2]}, {"a": [1, 2]}, ""),
    ({"units": [{"place": "B1"}]}, {"units": [{"place": "C2"}]}, "$.units[0].place: 'B1' and 'C2'"),
    ({"a": 1}, {}, "$.a: 1 and nothing"),
    ({}, {"b": None}, "$.b: nothing and None"),
    ([1], [1, "x"], "$[1]: nothing and 'x'"),
    (1, True, "$: 1 and True"),
    ("ab", ["a", "b"], "$: 'ab' and ['a', 'b']"),
)


@pytest.mark.parametrize(("one", "other", "said"), CASES)
def test_the_first_difference(one: object, other: object, said: str) -> None:
    assert first_difference(one, other) == said


def test_every_difference_is_listed_and_long_values_are_cut() -> None:
    found = list(differences({"a": 1, "b": "x" * 99, "c": 0}, {"a": 2, "b": "y", "c": 0}))
    assert [line.partition(":")[0] for line in found] == ["$.a", "$.b"]
    assert len(found[1]) < 90
