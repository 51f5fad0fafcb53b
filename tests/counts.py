"""How many examples of a property a run tries: all under --nightly, else a part of them."""

from __future__ import annotations

import os

NIGHTLY = "PBEM_TESTS_NIGHTLY"
"""Set in the environment by `--nightly`, because properties say their counts when imported."""
PART, LEAST = 3, 8


def few(whole: int) -> int:
    """A third of so many examples, but at least eight if there are as many; all under --nightly.
    They are others in every run, except in the CI."""
    return whole if os.environ.get(NIGHTLY) else max(whole // PART, min(whole, LEAST))
