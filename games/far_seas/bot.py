"""Players that need no sleep."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def orders(side: str, report: Mapping[str, Any], luck: str) -> str:
    """Order text for one side, from its report (decoded report.json) alone."""
    return "\n".join(report["suggest"])
