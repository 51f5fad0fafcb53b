"""Make slow fixtures once for each module."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TypeVar

import pytest

from tests.conftest import Clock

Made = TypeVar("Made")


def once(
    folders: pytest.TempPathFactory, make: Callable[[Path, str], Made]
) -> Callable[[str], Made]:
    """`make` in a folder of its own under a clock that stands, the first time a name is asked
    for."""

    @cache
    def get(name: str) -> Made:
        with pytest.MonkeyPatch.context() as patch:
            Clock(patch)
            return make(folders.mktemp(name), name)

    return get
