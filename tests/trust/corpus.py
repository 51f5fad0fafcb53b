"""Helpers for tests of verify.py: the file as a module, and functions that damage a ledger."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import msgspec

from tests.ledgers import Record, chained
from tests.proving import Proven
from tests.referee import Referee

FILE = Path(__file__).parent.parent.parent / "verify.py"
Change = Callable[[dict[str, Any]], None]
Body = dict[str, Any]
Steps = tuple[str | int, ...]


def loaded() -> Any:
    """Load verify.py, which is no part of the package, as a module."""
    spec = spec_from_file_location("verify", FILE)
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


verify: Any = loaded()


def rewrite(referee: Referee, records: Sequence[Record]) -> None:
    """Write these records as the ledger, with a valid hash chain. Who forges it leaves no files of
    records that it does not have any more."""
    (referee.folder / "ledger.jsonl").write_bytes(b"".join(chained(records)))
    for bundle in (referee.folder / "private" / "issued").glob("*"):
        if int(bundle.name) > len(records):
            bundle.unlink()


def alter(referee: Referee, kind: str, nth: int, change: Change) -> int:
    """Change the body of the nth record of a kind; return the number of this record.

    The hash chain is computed anew, so that only the content is wrong.
    """
    records = referee.records
    at = [r.n for r in records if r.kind == kind][nth]
    body = msgspec.json.decode(msgspec.json.encode(records[at - 1].body))
    change(body)
    records[at - 1] = msgspec.structs.replace(records[at - 1], body=body)
    rewrite(referee, records)
    return at


def checked(*paths: Path) -> list[str]:
    """The findings of verify.py as `CODE` or `CODE record N`."""
    _, found = verify.check_all([str(p) for p in paths])
    return [re.sub(r"^.*?: ([a-z-]+): (record \d+)?.*", r"\1 \2", f).strip() for f in found]


def reports(referee: Referee, side: str) -> list[Path]:
    """The report.json files of a side, by window."""
    folder = referee.folder / "reports" / side
    return sorted(folder.glob("*/report.json"), key=lambda p: int(p.parent.name))


def rolled(referee: Proven) -> int:
    """The first window whose report shows the fox a roll."""
    return next(w for w in range(2, 9) if referee.report("fox", w)["rolls"])


def recommit(body: Body, g0: str) -> None:
    """Compute the commitment of a record anew, after a change of what it commits to."""
    from pbem.dice.commitment import commitment

    body["commit"] = commitment(
        g0, body["opens"], body["blind"], body["position"], body.get("rolls", [])
    )


def places(value: Any, path: Steps = ()) -> Iterator[Steps]:
    """The path of every value in a body, containers included."""
    inner = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value if isinstance(value, list) else ())
    )
    for key, one in inner:
        yield from places(one, (*path, key))
    if path:
        yield path


def put(*path: str | int, value: Any) -> Change:
    """A change that sets the value at a path to another value."""

    def change(body: Body) -> None:
        place: Any = body
        for step in path[:-1]:
            place = place[step]
        assert place[path[-1]] != value
        place[path[-1]] = value

    return change


def flip(*path: str | int) -> Change:
    """A change of the last hex digit of the value at a path."""

    def change(body: Body) -> None:
        place: Any = body
        for step in path[:-1]:
            place = place[step]
        old = place[path[-1]]
        place[path[-1]] = old[:-1] + ("0" if old[-1] != "0" else "1")

    return change
