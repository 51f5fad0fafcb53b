"""Many files as one: what a commit issues, so that one write and one sync make it durable.

Bytes: one line of canonical JSON, `{"path": [offset, length], ...}`, a newline, then the
contents; offsets count from behind the newline, and equal contents are held once.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from pbem.hashing import canonical_json

Places = dict[str, tuple[int, int]]


def pack(files: Mapping[str, bytes]) -> bytes:
    """The bundle of `files` (path to content)."""
    known: dict[bytes, int] = {}
    places: Places = {}
    parts: list[bytes] = []
    end = 0
    for name in sorted(files):
        content = files[name]
        if content not in known:
            known[content] = end
            parts.append(content)
            end += len(content)
        places[name] = (known[content], len(content))
    return b"".join([canonical_json(places), b"\n", *parts])


def places_of(path: Path) -> Places:
    """Where each file of the bundle at `path` begins, and its length."""
    with path.open("rb") as bundle:
        return {name: (at, size) for name, (at, size) in json.loads(bundle.readline()).items()}


def unpack(bundle: bytes) -> dict[str, bytes]:
    """The files of a bundle, in order of path."""
    head, _, body = bundle.partition(b"\n")
    return {name: body[start : start + size] for name, (start, size) in json.loads(head).items()}
