"""The closed fold table: what mail programs do to characters, undone.

Smart quotes, dashes, spaces and zero-width marks become what the player typed; letters lose
their accents; C1 controls are read as Windows-1252. No NFKC, which would make 1,190 further
characters aliases. Whatever is not in the table stays as it is and is an error later on.
"""

from __future__ import annotations

import re
from functools import cache

_NOT_ASCII = r"[^\x00-\x7f]"

_SIGNS = {
    "'": "\u2018\u2019\u201a\u201b\u2032\u00b4\u02bc",
    '"': "\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb",
    "-": "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d",
    " ": "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u202f\u205f\u3000\u2026",
    "\n": "\u2028\u2029",
    "": "\ufeff\u200b\u200c\u200d\u2060\u00ad",
}
"""The ellipsis is a space, as the point is."""

_LETTERS = {
    "\u00df": "ss",
    "\u1e9e": "SS",
    "\u00e6": "ae",
    "\u00c6": "AE",
    "\u0153": "oe",
    "\u0152": "OE",
    "\u00f8": "o",
    "\u00d8": "O",
    "\u0111": "d",
    "\u0110": "D",
    "\u00f0": "d",
    "\u00d0": "D",
    "\u0142": "l",
    "\u0141": "L",
    "\u00fe": "th",
    "\u00de": "TH",
    "\u0127": "h",
    "\u0126": "H",
    "\u0131": "i",
}
_ACCENTS = range(0x300, 0x370)
_LATIN = (*range(0xC0, 0x250), *range(0x1E00, 0x1F00))


def fold(text: str) -> tuple[str, list[int] | None]:
    """The folded text and, for each of its characters, the offset it came from.

    Offsets are None where nothing moved: plain ASCII, which is nearly every mail.
    """
    if text.isascii():
        return text, None
    known = table()
    out: list[str] = []
    places: list[int] = []
    done = 0
    for found in re.finditer(_NOT_ASCII, text):
        at = found.start()
        new = known.get(found[0], found[0])
        out += (text[done:at], new)
        places += range(done, at)
        places += [at] * len(new)
        done = at + 1
    out.append(text[done:])
    places += range(done, len(text) + 1)
    return "".join(out), places


@cache
def table() -> dict[str, str]:
    """The whole table, built when the first character outside ASCII arrives."""
    table = {char: plain for plain, chars in _SIGNS.items() for char in chars}
    table |= {chr(mark): "" for mark in _ACCENTS}
    table |= _bare_letters()
    table |= _LETTERS
    return table | _windows(table)


def _bare_letters() -> dict[str, str]:
    """Latin letters that are an ASCII letter with accents, by canonical decomposition."""
    import unicodedata

    bare = {}
    for code in _LATIN:
        parts = unicodedata.normalize("NFD", chr(code))
        if parts[0].isascii() and parts[0].isalpha():
            bare[chr(code)] = parts[0]
    return bare


def _windows(table: dict[str, str]) -> dict[str, str]:
    """C1 controls as the Windows-1252 characters they were before a mail called them Latin-1."""
    found = {}
    for code in range(0x80, 0xA0):
        try:
            char = bytes([code]).decode("cp1252")
        except UnicodeDecodeError:
            continue
        if char in table:
            found[chr(code)] = table[char]
    return found
