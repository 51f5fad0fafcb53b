"""Rule systems of the tests as installed packages of their own: by entry point, with templates."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem import data


def installed(name: str, folder: Path) -> Iterator[None]:
    """Make the system of `tests.NAME.game` known to this process, until the iterator goes on.

    folder: an empty one for the files by which Python knows a package.
    """
    info = folder / f"{name}-0.1.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 0.1\n")
    (info / "entry_points.txt").write_text(f"[pbem.games]\n{name} = tests.{name}.game:SYSTEM\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(folder))
        data._guest.cache_clear()
        yield
    data._guest.cache_clear()
