"""Work in units, on one core or on several, with the results kept in a file if that is wished.

A kept file has one line of JSON for each finished unit, after a line that names the work. A run
that was killed goes on from it; a last line that the kill cut short counts as unfinished. A file of
other work is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import msgspec

from pbem.errors import Usage

Counts = dict[str, int]
"""What a unit gives: how often each result came."""
Work = Callable[[str], Counts]
"""Does the unit of that key."""


def carried_out(
    keys: Sequence[str], work: Work, jobs: int, keep: Path | None = None, name: str = ""
) -> Iterator[tuple[str, Counts]]:
    """The key of every unit with what it gives, each once, in any order.

    work: must be picklable if `jobs` is above 1. keep: the file for the results; name: of the work,
    its code and seed included. Raises Usage if the file is of other work.
    """
    if keep is None:
        yield from _worked(keys, work, jobs)
        return
    kept = read_kept(keep, name)
    yield from ((key, kept[key]) for key in keys if key in kept)
    rest = [key for key in keys if key not in kept]
    with keep.open("a", encoding="utf-8") as out:
        for key, counts in _worked(rest, work, jobs):
            out.write(msgspec.json.encode([key, counts]).decode() + "\n")
            out.flush()
            yield key, counts


def read_kept(keep: Path, name: str) -> Mapping[str, Counts]:
    """What a file keeps; it is begun if it does not exist, and cut behind its last whole line.

    Raises Usage if it was kept by other work.
    """
    data = keep.read_bytes() if keep.exists() else b""
    first, *lines = data[: data.rfind(b"\n") + 1].splitlines() or [b""]
    if first and first != _head(name):
        raise Usage(
            f"{keep} keeps the results of other work",
            "name another file; results of another game, seed or release cannot be added",
        )
    keep.write_bytes(b"\n".join([_head(name), *lines, b""]))
    return dict(msgspec.json.decode(line, type=tuple[str, Counts]) for line in lines)


def _head(name: str) -> bytes:
    return msgspec.json.encode({"pbem-work": name})


def _worked(keys: Sequence[str], work: Work, jobs: int) -> Iterator[tuple[str, Counts]]:
    if jobs == 1 or len(keys) < 2:
        yield from ((key, work(key)) for key in keys)
        return
    with ProcessPoolExecutor(jobs) as pool:
        yield from zip(keys, pool.map(work, keys), strict=True)
