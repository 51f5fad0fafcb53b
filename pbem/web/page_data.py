"""What an HTML page states of itself: data as JSON in a script element, digests for its policy."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256

from pbem.base.hashing import canonical_json
from pbem.model import Plain

Data = Plain
"""JSON data for the page's script."""


def encode(data: Data) -> str:
    """The data as JSON that is safe inside a script element: `<` is escaped, so that no string can
    end the element."""
    return canonical_json(data).decode("ascii").replace("<", "\\u003c")


def digest_of(text: str) -> str:
    """SHA-256 of a script or style in base64, as a content security policy states it (CSP 3)."""
    return b64encode(sha256(text.encode()).digest()).decode("ascii")
