"""Bundles: the files of one or several commits in one file, which one write and one sync store.

Bytes: one line of canonical JSON, `{"path": [offset, length, record], ...}`, a newline, then the
contents. Offsets count from the byte after the newline; equal contents are stored once. A path that
several records bring has three numbers for each of them. Bundles that belong to one record may lack
its number; the bundle's name tells it. See docs/formats.md, "Game folder".
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from pbem.base.hashing import canonical_json
from pbem.errors import Damaged

Files = Mapping[str, bytes]
"""Path in the game's folder to content."""
Place = tuple[int, int, int]
"""Offset, length, and the number of the record (0: the one that gives the bundle its name)."""
Places = dict[str, list[Place]]


def pack(commits: Mapping[int, Files]) -> bytes:
    """Make a bundle. commits: number of a record to the files that it commits."""
    known: dict[bytes, int] = {}
    places: dict[str, list[int]] = {}
    parts: list[bytes] = []
    end = 0
    for name, n, content in sorted((m, n, c) for n, fs in commits.items() for m, c in fs.items()):
        if content not in known:
            known[content] = end
            parts.append(content)
            end += len(content)
        places.setdefault(name, []).extend((known[content], len(content), n))
    return b"".join([canonical_json(places), b"\n", *parts])


def places_of(path: Path) -> Places:
    """Read the list of files of the bundle at `path`, without the contents. Raises Damaged, or
    FileNotFoundError."""
    with path.open("rb") as bundle:
        head = bundle.readline()
    try:
        return _places(head)
    except (ValueError, TypeError, AttributeError, IndexError, RecursionError):
        raise Damaged(
            f"{path}: the list of files is damaged", "restore the bundle from a copy"
        ) from None


def unpack(bundle: bytes) -> dict[int, dict[str, bytes]]:
    """Return the files of a bundle: number of the record to its files, both in order."""
    head, _, body = bundle.partition(b"\n")
    found: dict[int, dict[str, bytes]] = {}
    for name, places in _places(head).items():
        for start, size, n in places:
            found.setdefault(n, {})[name] = body[start : start + size]
    return dict(sorted(found.items()))


def _places(head: bytes) -> Places:
    return {
        name: [(at[i], at[i + 1], at[i + 2] if len(at) > 2 else 0) for i in range(0, len(at), 3)]
        for name, at in json.loads(head).items()
    }
