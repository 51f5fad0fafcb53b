"""Data inside an HTML page: JSON in a script element."""

from __future__ import annotations

from pbem.base.hashing import canonical_json
from pbem.model import Plain

Data = Plain
"""JSON data for the page's script."""


def encode(data: Data) -> str:
    """The data as JSON that is safe inside a script element: `<` is escaped, so that no string can
    end the element."""
    return canonical_json(data).decode("ascii").replace("<", "\\u003c")
