"""Names of members: no two that look alike, and nothing that a page or a mail could trip over."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

LONGEST = 24
"""Characters of a name."""
LOOKS = str.maketrans(
    {
        **dict(zip("0135$|!", "oiesсіі", strict=True)),
        **dict(zip("асеорхуікмтнвгԁѕјһ", "aceopxyikmthbrdsjh", strict=True)),
        **dict(zip("αβεηικνορτυχ", "abeniknoptyx", strict=True)),
        **dict(zip("ıłøđß", "ilods", strict=True)),
    }
)
"""Digits, Cyrillic and Greek letters, and others, to the Latin letters that they look like."""


def cleaned(name: str) -> str:
    """Return a name without control characters, marks that turn the direction of writing, and
    runs of blanks; at most LONGEST characters."""
    kept = (" " if c.isspace() else c for c in unicodedata.normalize("NFC", name))
    plain = "".join(c for c in kept if unicodedata.category(c)[0] != "C")
    return " ".join(plain.split())[:LONGEST].strip()


def looks(name: str) -> str:
    """Return what a name looks like: two names that a reader could confuse give the same."""
    parts = unicodedata.normalize("NFKD", name.casefold())
    letters = "".join(c for c in parts if not unicodedata.combining(c)).translate(LOOKS)
    letters = letters.translate(LOOKS).replace("rn", "m").replace("vv", "w").replace("l", "i")
    return "".join(c for c in letters if c.isalnum())


def distinct(name: str, taken: Iterable[str], fallback: str) -> str:
    """Return the name, with a number behind it if it looks like one of `taken`.

    fallback: for somebody who gave no name.
    """
    wanted = cleaned(name) or fallback
    if not looks(wanted):
        wanted = fallback
    seen = {looks(one) for one in taken}
    found, number = wanted, 2
    while looks(found) in seen:
        found, number = f"{wanted[: LONGEST - 4]} {number}", number + 1
    return found
