"""Many files as one: what commits issue, so that one write and one sync make it durable.

Bytes: one line of canonical JSON, `{"path": [offset, length, record], ...}`, a newline, then the
contents; offsets count from behind the newline, and equal contents are held once. A path that
several records bring has three numbers for each of them. The record's number is missing in bundles
that were made for one record each, which their names tell.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from pbem.base.hashing import canonical_json
from pbem.errors import Damaged

Files = Mapping[str, bytes]
Place = tuple[int, int, int]
Places = dict[str, list[Place]]


def pack(commits: Mapping[int, Files]) -> bytes:
    """The bundle of the files (path to content) that each record (by its number) commits."""
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
    """Where each file of the bundle at `path` begins, its length, and its record (0 for the one
    that the bundle is named by), for each record that brought it."""
    with path.open("rb") as bundle:
        head = bundle.readline()
    try:
        return _places(head)
    except (ValueError, TypeError, AttributeError, IndexError, RecursionError):
        raise Damaged(
            f"{path}: its list of files cannot be read", "restore it from a copy"
        ) from None


def unpack(bundle: bytes) -> dict[int, dict[str, bytes]]:
    """The files of a bundle by their record, the records and their paths in order."""
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
