"""Invalid files that a player may be shown: reports, signatures, receipts, lock notices, orders and
ledgers, each with one fault.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct, structs

from games.toy.game import SYSTEM
from pbem.base.hashing import H, canonical_json
from pbem.crypto.private_keys import SshKey
from pbem.reports.report import digest
from pbem.store.secrets import signing_key
from tests.conftest import Clock
from tests.ledgers import NO_HASH, Record, chained, line_of, read
from tests.proving import Proven
from tests.trust import games
from tests.trust.changed_reports import FOX, REPORTS, SIGNATURES
from tests.trust.corpus import Body, Change, flip, put, recommit, reports, rolled

Papers = Sequence[Path]
Shown = dict[str, tuple[Papers, str]]
TOO_FAR = (AssertionError, NameError, StopIteration)
"""Errors that may come from verify.py when a check is switched off."""


class SoundGames(Struct):
    """Two valid games, and methods that make invalid files from them."""

    fast: Proven
    """A game with a late anchor, silent sides and undos."""
    strict: Proven
    """A game of two windows; in the second, the fox does not reveal its link."""
    folder: Path
    """Where the files are written, each into a folder of its own."""
    made: int = 0
    """How many files have been made."""

    def file(self, content: bytes, name: str = "report.json", signature: bytes = b"") -> Path:
        """Write a file and, if given, its signature next to it; return the path of the file."""
        self.made += 1
        path = self.folder / str(self.made) / name
        path.parent.mkdir(parents=True)
        path.write_bytes(content)
        if signature:
            path.with_suffix(".seal").write_bytes(signature)
        return path

    def report(
        self, change: Change, side: str = "fox", window: int = 0, referee: Proven | None = None
    ) -> Path:
        """A changed report with a valid digest, without a signature.

        window: the one that it opens; by default the first with dice; referee: the fast game by
        default.
        """
        referee = referee or self.fast
        facts = referee.stated(side, window or rolled(self.fast))
        change(facts)
        facts["digest"] = digest(facts)
        return self.file(canonical_json(facts))

    def signed(self, made: Callable[[bytes, SshKey], bytes]) -> Path:
        """A valid report whose statement is followed by what `made` returns for a signature."""
        folder = self.fast.folder / "reports/fox/2"
        first, _, _ = (folder / "report.seal").read_bytes().partition(b"\n")
        rest = made(first + b"\n", signing_key(self.fast.read()))
        return self.file((folder / "report.json").read_bytes(), signature=first + b"\n" + rest)

    def ledger(self, records: Sequence[Record]) -> Path:
        """A ledger of these records with a valid hash chain."""
        return self.file(b"".join(chained(records)), "ledger.jsonl")

    def receipt(self, of: Proven, window: int, **said: Any) -> Path:
        """An unsigned receipt for the fox."""
        g0 = of.report("fox")["setup"]["digest"]
        facts = {
            "format": "pbem-receipt/1",
            "game": "g1",
            "side": "fox",
            "window": window,
            "status": "accepted",
            "code": "",
            "in_force": {"seq": 1},
            "head": NO_HASH,
            "setup": g0,
        } | said
        return self.file(canonical_json(signed_facts(facts, "receipt")), "receipt.json")

    def notice(self, **said: Any) -> Path:
        """A changed notice of the strict game's first lock."""
        first = min((self.strict.folder / "outbox").glob("fox-*-lock.eml")).read_bytes()
        from pbem.audit.open_file import attached

        facts = json.loads(attached(first)["lock.json"]) | said
        return self.file(canonical_json(signed_facts(facts, "lock-notice")), "lock.json")


def signed_facts(facts: Mapping[str, Any], tag: str) -> dict[str, Any]:
    """The object with its digest computed anew."""
    own = {k: v for k, v in facts.items() if k != "digest"}
    return own | {"digest": H(tag, canonical_json(own)).hex()}


def lines(referee: Proven) -> list[bytes]:
    """The lines of the ledger."""
    return chained(referee.records)


def relined(referee: Proven, at: int, **said: Any) -> bytes:
    """The ledger with other values in one record, whose hash fits only itself."""
    found = lines(referee)
    record = structs.replace(referee.records[at], hash="", **said)
    return b"".join([*found[:at], line_of(record), *found[at + 1 :]])


def changed_last(referee: Proven, change: Change) -> list[Record]:
    """The records, with a change in the last `closed` record."""
    from copy import deepcopy

    records = referee.records
    at = max(i for i, r in enumerate(records) if r.kind == "closed")
    body = deepcopy(records[at].body)
    change(body)
    return [*records[:at], structs.replace(records[at], body=body), *records[at + 1 :]]


def exchanged(referee: Proven) -> Change:
    """A change to another position, with a commitment that fits it."""
    g0 = referee.report("fox")["setup"]["digest"]

    def change(body: Body) -> None:
        flip("position")(body)
        recommit(body, g0)

    return change


def newest(referee: Proven, side: str = "fox") -> list[Path]:
    """The newest report.json of a side."""
    return reports(referee, side)[-1:]


def untold_roll(sound: SoundGames) -> Papers:
    """A report that leaves out the rolls, and a ledger that records the digest of this report."""
    window = rolled(sound.fast)
    shown = sound.report(lambda b: b["rolls"].clear())
    said = json.loads(shown.read_bytes())["digest"]
    was = sound.fast.report("fox", window)["digest"]
    raw = (sound.fast.folder / "ledger.jsonl").read_bytes().replace(was.encode(), said.encode())
    records = read(raw)
    at = next(i for i, r in enumerate(records) if said in r.body.get("reports", {}).values())
    return sound.ledger(records[: at + 1]), shown


def swapped(body: Body) -> None:
    """Exchange the report digests of the sides."""
    body["reports"] = dict(zip(body["reports"], [*body["reports"].values()][::-1], strict=True))


def orders(sound: SoundGames) -> Path:
    """Orders that the fox signed for window 1 but that were not in force there."""
    text = sound.fast.orders("fox", "FOX: move B1;", sound.fast.report("fox", 1))
    return sound.file(text.encode(), "orders.txt")


def signed_by(sound: SoundGames) -> Papers:
    """A receipt signed with a player's key."""
    from pbem.crypto import statements

    path = sound.receipt(sound.fast, 1)
    facts = json.loads(path.read_bytes())
    path.with_suffix(".seal").write_bytes(statements.signed("receipt", facts["setup"], facts, FOX))
    return path, reports(sound.fast, "fox")[0]


def bundle(sound: SoundGames) -> Papers:
    """A zip whose directory gives the ledger a size of four gigabytes."""
    from zipfile import ZipFile

    path = sound.file(b"", "g1.zip")
    with ZipFile(path, "w") as packed:
        packed.write(sound.fast.folder / "ledger.jsonl", "g1/ledger.jsonl")
    raw = path.read_bytes()
    at = raw.index(b"PK\1\2") + 24
    path.write_bytes(raw[:at] + b"\xfe\xff\xff\xff" + raw[at + 4 :])
    return [path]


def other_root(report: Body) -> None:
    """Give a report without rolls another seed of the first window."""
    report["seed"]["root"] = "ab" * 32
    report["rolls"].clear()


TOGETHER: dict[str, tuple[Callable[[SoundGames], Papers], str]] = {
    "a report with another digest": (
        lambda d: [d.file(re.sub(rb'"news":"', b'"news":"x', newest(d.fast)[0].read_bytes()))],
        "altered-report",
    ),
    "a report in another form": (
        lambda d: [d.file(json.dumps(d.fast.stated("fox")).encode())],
        "not-canonical",
    ),
    "a paper of another program": (lambda d: [d.file(b'{"format":"pbem-report/9"}')], "format"),
    "the signature of another report": (
        lambda d: [
            d.file(
                reports(d.fast, "fox")[1].read_bytes(),
                signature=reports(d.fast, "fox")[2].with_suffix(".seal").read_bytes(),
            )
        ],
        "signature",
    ),
    "an anchor that no report here names": (
        lambda d: [next(p for p in reports(d.fast, "hunter") if int(p.parent.name) > 3)],
        "no-anchor",
    ),
    "an anchor said to count from another window": (
        lambda d: [
            d.report(put("anchors", "hunter", 0, "from", value=1), window=4),
            *reports(d.fast, "fox"),
        ],
        "early-anchor",
    ),
    "a link that nobody signed with the lock": (
        lambda d: [d.report(flip("seed", "reveals", "fox"), "hunter", 2, d.strict)],
        "bad-reveal",
    ),
    "two sides told different things": (
        lambda d: [
            d.report(flip("seed", "lock"), "hunter", 2),
            d.fast.folder / "reports/fox/2/report.json",
        ],
        "fork",
    ),
    "another seed of the first window": (
        lambda d: [d.report(other_root, "fox", 3, d.strict), *reports(d.strict, "fox")[:2]],
        "fork",
    ),
    "a lock that is not of the orders": (
        lambda d: [d.report(flip("seed", "lock"), side, 2) for side in ("hunter", "fox")],
        "lock",
    ),
    "a link that came, and did not": (
        lambda d: [d.receipt(d.strict, 2, code="revealed"), *newest(d.strict)],
        "lost-reveal",
    ),
    "orders that came, and did not": (
        lambda d: [
            d.receipt(d.fast, 1),
            d.report(put("seed", "sets", "fox", value="NMR"), window=2),
        ],
        "dropped-order",
    ),
    "two locks, by notice and report": (
        lambda d: [d.notice(lock="00" * 32), *reports(d.strict, "fox")],
        "two-locks",
    ),
    "two locks, by notice and ledger": (
        lambda d: [d.notice(lock="00" * 32), d.strict.folder],
        "two-locks",
    ),
    "a lock that the ledger lacks": (
        lambda d: [d.notice(window=9), d.strict.folder],
        "dropped-record",
    ),
    "a receipt with another digest": (
        lambda d: [d.file(canonical_json({"format": "pbem-receipt/1", "digest": "00"}))],
        "forged-receipt",
    ),
    "a receipt that another signed": (signed_by, "forged-receipt"),
    "a receipt that the ledger lacks": (
        lambda d: [d.receipt(d.fast, 1), d.fast.folder],
        "dropped-record",
    ),
    "a report of another ledger": (
        lambda d: [
            *reports(d.fast, "fox"),
            d.ledger([structs.replace(r, salt="1" * 32) for r in d.fast.records]),
        ],
        "cut-or-forked",
    ),
    "a report that the ledger lacks": (
        lambda d: [d.report(put("news", value="x")), d.fast.folder],
        "cut-or-forked",
    ),
    "a report recorded as another side's": (
        lambda d: [*reports(d.fast, "fox"), d.ledger(changed_last(d.fast, swapped))],
        "moved-record",
    ),
    "a state exchanged behind a report": (
        lambda d: [*reports(d.fast, "fox"), d.ledger(changed_last(d.fast, exchanged(d.fast)))],
        "commitment",
    ),
    "a die that fell and was not shown": (untold_roll, "altered-roll"),
    "orders without a signature": (
        lambda d: [d.file(b"BEGIN ORDERS setup: 00 FOX: hold; END ORDERS", "orders.txt")],
        "no-orders",
    ),
    "orders that were not in force": (
        lambda d: [orders(d), d.fast.folder / "reports/fox/2/report.json"],
        "other-orders",
    ),
    "a bundle that claims too much": (bundle, "cannot read"),
    "an empty ledger": (lambda d: [d.file(b"", "ledger.jsonl")], "dropped-record"),
    "a ledger of a game that never began": (lambda d: [d.ledger(d.fast.records[:2])], "not-open"),
    "a byte changed": (
        lambda d: [d.file(b"".join(lines(d.fast)).replace(b"wood", b"good", 1), "ledger.jsonl")],
        "altered-record",
    ),
    "a record of no kind": (
        lambda d: [d.ledger([*d.fast.records, structs.replace(d.fast.records[-1], kind="lost")])],
        "altered-record",
    ),
    "a record of two kinds": (
        lambda d: [
            d.ledger([*d.fast.records, structs.replace(d.fast.records[-1], kind="held locked")])
        ],
        "altered-record",
    ),
    "a record taken out": (
        lambda d: [d.file(b"".join(lines(d.fast)[:5] + lines(d.fast)[6:]), "ledger.jsonl")],
        "dropped-record",
    ),
    "a record with an older number": (
        lambda d: [d.file(relined(d.fast, 5, n=3), "ledger.jsonl")],
        "moved-record",
    ),
    "a record put in": (
        lambda d: [d.file(relined(d.fast, 5, prev="0" * 64), "ledger.jsonl")],
        "moved-record",
    ),
    "a record without its body": (
        lambda d: [d.ledger([*d.fast.records[:3], structs.replace(d.fast.records[3], body={})])],
        "altered-record",
    ),
}
"""By name: files that are checked together, and the first finding."""


def made(fast: Proven, folder: Path) -> Shown:
    """Make all invalid files of this game and of a strict game in `folder`."""
    with pytest.MonkeyPatch.context() as patch:
        strict = games.strict(folder / "strict", patch, Clock(patch))
    copy = Proven(shutil.copytree(fast.home, folder / "fast"), SYSTEM)
    return every(SoundGames(copy, strict, folder / "made"))


def every(sound: SoundGames) -> Shown:
    """Make all invalid files; return them by name, with the expected first finding."""
    found: Shown = {}
    for i, (change, code) in enumerate(REPORTS):
        found[f"report {i}"] = [sound.report(change)], code
    for name, (made, code) in SIGNATURES.items():
        found[f"signature: {name}"] = [sound.signed(made)], code
    for name, (make, code) in TOGETHER.items():
        found[name] = make(sound), code
    return found


def verdict(module: Any, files: Papers) -> list[str]:
    """The findings of verify.py (`module`) in these files, without the file names."""
    try:
        _, found = module.check_all([str(path) for path in files])
        return [finding.split(": ", 1)[1] for finding in found]
    except module.Unreadable as error:
        return [f"cannot read: {error}"]
    except TOO_FAR:
        return ["too far"]
