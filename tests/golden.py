"""Texts that stay as they were until somebody has looked at the difference."""

from __future__ import annotations

import os
from pathlib import Path


def golden(path: Path, text: str) -> None:
    """Compare a text with a file; `GOLDEN=write` writes the file anew."""
    if os.environ.get("GOLDEN") == "write":
        path.write_text(text, "utf-8")
    assert text == path.read_text("utf-8")
