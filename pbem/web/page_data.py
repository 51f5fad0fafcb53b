"""Data inside a page: JSON that may stand in a script."""

from __future__ import annotations

from pbem.base.hashing import canonical_json
from pbem.model import Plain

Data = Plain
"""What a page holds, for its script to read."""


def encode(data: Data) -> str:
    """The data as text that stands in a page: nothing in it can end the element it is in."""
    return canonical_json(data).decode("ascii").replace("<", "\\u003c")
