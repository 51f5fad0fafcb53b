"""Golden files: texts that may change only after somebody has looked at the difference."""

from __future__ import annotations

import os
from pathlib import Path


def golden(path: Path, text: str) -> None:
    """Assert that a text equals a file; `GOLDEN=write` writes the file first."""
    if os.environ.get("GOLDEN") == "write":
        path.write_text(text, "utf-8")
    assert text == path.read_text("utf-8")
