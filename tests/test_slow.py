"""Which slow tests run always: who covers most new lines for its seconds, while there is room."""

from __future__ import annotations

import pytest

from tests import slow


def lines(*numbers: int) -> set[tuple[str, int]]:
    return {("a.py", number) for number in numbers}


def test_what_other_tests_cover_needs_no_slow_test(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slow, "ROOM", 5.0)
    covered = {
        "t.py::quick": lines(1, 2),
        "t.py::slow[same]": lines(1, 2),
        "t.py::slow[cheap]": lines(2, 3, 4),
        "t.py::slow[dear]": lines(3, 4, 5),
        "t.py::slow[too dear]": lines(6),
    }
    times = {
        "t.py::quick": 0.1,
        "t.py::slow[same]": 1.0,
        "t.py::slow[cheap]": 1.0,
        "t.py::slow[dear]": 3.0,
        "t.py::slow[too dear]": 9.0,
    }
    assert list(slow.needed(times, ["t.py::slow"], covered)) == [
        "t.py::slow[cheap]",
        "t.py::slow[dear]",
    ]


class Case:
    """As much of a pytest item as the choice reads."""

    def __init__(self, name: str, *marks: str) -> None:
        self.nodeid, self.marks = name, marks

    def get_closest_marker(self, name: str) -> str | None:
        return name if name in self.marks else None


def test_what_compares_with_a_recorded_file_never_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slow, "weights", lambda: {"t/a.py::recorded": 9.0, "t/a.py::other": 9.0})
    cases = [Case("t/a.py::recorded", "recorded"), *(Case(f"t/a.py::other[{i}]") for i in range(9))]
    for seed in range(20):
        waiting = {item.nodeid for item in slow.waiting(cases, seed)}  # type: ignore[arg-type]
        assert waiting and "t/a.py::recorded" not in waiting
