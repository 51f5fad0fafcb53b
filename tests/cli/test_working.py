"""The bar of work whose end comes nearer as results come."""

from __future__ import annotations

import io
import sys

import pytest

from pbem.cli.working import gauged


class Terminal(io.StringIO):
    """Where a bar is drawn."""

    def isatty(self) -> bool:
        return True


class Shrinking:
    """Ten things, of which it turns out that six need not be done."""

    done, most = 0, 10

    def take(self, item: int) -> None:
        self.done += 1
        if item == 2:
            self.most = 4


@pytest.mark.parametrize("error", [io.StringIO, Terminal])
def test_a_bar_ends_full_though_less_was_done_than_was_expected(
    error: type[io.StringIO], monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = error()
    monkeypatch.setattr(sys, "stderr", drawn)
    under = Shrinking()
    gauged(range(4), under, "things", under.take)
    assert under.done == 4
    lines = drawn.getvalue().splitlines()
    assert lines == [] if error is io.StringIO else "100%" in lines[-1]
