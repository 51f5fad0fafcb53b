"""What a player may be shown that proves nothing: reports, signatures, receipts, notices, orders
and ledgers, each spoilt in one way by whoever made it.
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
"""What comes where a check that is off should have kept something from coming."""


class Workspace(Struct):
    """Two sound games, and a folder for what is made of them. fast: with a late anchor, a silent
    side, undos; strict: two windows, the fox's second link kept back."""

    fast: Proven
    strict: Proven
    folder: Path
    made: int = 0

    def file(self, content: bytes, name: str = "report.json", signature: bytes = b"") -> Path:
        """A file of its own, and perhaps its signature beside it."""
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
        """A report of the fast game (or another) changed, its digest made anew, without a
        signature.
        window: the one it opens; the first with dice without."""
        referee = referee or self.fast
        facts = referee.report(side, window or rolled(self.fast))
        change(facts)
        facts["digest"] = digest(facts)
        return self.file(canonical_json(facts))

    def signed(self, made: Callable[[bytes, SshKey], bytes]) -> Path:
        """A good report, and behind the statement of its signature what `made` makes of it."""
        folder = self.fast.folder / "reports/fox/2"
        first, _, _ = (folder / "report.seal").read_bytes().partition(b"\n")
        rest = made(first + b"\n", signing_key(self.fast.read()))
        return self.file((folder / "report.json").read_bytes(), signature=first + b"\n" + rest)

    def ledger(self, records: Sequence[Record]) -> Path:
        """A ledger of these records on a sound chain."""
        return self.file(b"".join(chained(records)), "ledger.jsonl")

    def receipt(self, of: Proven, window: int, **said: Any) -> Path:
        """A receipt of the fox that nobody signed."""
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
        """A notice of the strict game's first lock, changed."""
        first = min((self.strict.folder / "outbox").glob("fox-*-lock.eml")).read_bytes()
        from pbem.audit.open_file import attached

        facts = json.loads(attached(first)["lock.json"]) | said
        return self.file(canonical_json(signed_facts(facts, "lock-notice")), "lock.json")


def signed_facts(facts: Mapping[str, Any], tag: str) -> dict[str, Any]:
    """An object with its digest made anew."""
    own = {k: v for k, v in facts.items() if k != "digest"}
    return own | {"digest": H(tag, canonical_json(own)).hex()}


def lines(referee: Proven) -> list[bytes]:
    return chained(referee.records)


def relined(referee: Proven, at: int, **said: Any) -> bytes:
    """The chain, one line of it by itself saying something else of its place."""
    found = lines(referee)
    record = structs.replace(referee.records[at], hash="", **said)
    return b"".join([*found[:at], line_of(record), *found[at + 1 :]])


def changed_last(referee: Proven, change: Change) -> list[Record]:
    """The records, the last closing changed."""
    from copy import deepcopy

    records = referee.records
    at = max(i for i, r in enumerate(records) if r.kind == "closed")
    body = deepcopy(records[at].body)
    change(body)
    return [*records[:at], structs.replace(records[at], body=body), *records[at + 1 :]]


def exchanged(referee: Proven) -> Change:
    """Another state behind the last reports, and a commitment that fits it."""
    g0 = referee.report("fox")["setup"]["digest"]

    def change(body: Body) -> None:
        flip("position")(body)
        recommit(body, g0)

    return change


def newest(referee: Proven, side: str = "fox") -> list[Path]:
    return reports(referee, side)[-1:]


def untold_roll(workspace: Workspace) -> Papers:
    """The moderator shows the fox fewer dice than fell, and records the digest of that."""
    window = rolled(workspace.fast)
    shown = workspace.report(lambda b: b["rolls"].clear())
    said = json.loads(shown.read_bytes())["digest"]
    was = workspace.fast.report("fox", window)["digest"]
    raw = (workspace.fast.folder / "ledger.jsonl").read_bytes().replace(was.encode(), said.encode())
    records = read(raw)
    at = next(i for i, r in enumerate(records) if said in r.body.get("reports", {}).values())
    return workspace.ledger(records[: at + 1]), shown


def swapped(body: Body) -> None:
    body["reports"] = dict(zip(body["reports"], [*body["reports"].values()][::-1], strict=True))


def orders(workspace: Workspace) -> Path:
    """Orders that the fox signed for window 1, and that were not in force there."""
    text = workspace.fast.orders("fox", "FOX: move B1;", workspace.fast.report("fox", 1))
    return workspace.file(text.encode(), "orders.txt")


def signed_by(workspace: Workspace) -> Papers:
    """A receipt with the signature of somebody who is not the moderator."""
    from pbem.crypto import statements

    path = workspace.receipt(workspace.fast, 1)
    facts = json.loads(path.read_bytes())
    path.with_suffix(".seal").write_bytes(statements.signed("receipt", facts["setup"], facts, FOX))
    return path, reports(workspace.fast, "fox")[0]


def bundle(workspace: Workspace) -> Papers:
    """A zip that says of its ledger that it holds four gigabytes."""
    from zipfile import ZipFile

    path = workspace.file(b"", "g1.zip")
    with ZipFile(path, "w") as packed:
        packed.write(workspace.fast.folder / "ledger.jsonl", "g1/ledger.jsonl")
    raw = path.read_bytes()
    at = raw.index(b"PK\1\2") + 24
    path.write_bytes(raw[:at] + b"\xfe\xff\xff\xff" + raw[at + 4 :])
    return [path]


def other_root(report: Body) -> None:
    """Later dice said to follow from another first window, in a report that shows none of them."""
    report["seed"]["root"] = "ab" * 32
    report["rolls"].clear()


TOGETHER: dict[str, tuple[Callable[[Workspace], Papers], str]] = {
    "a report with another digest": (
        lambda d: [d.file(re.sub(rb'"news":"', b'"news":"x', newest(d.fast)[0].read_bytes()))],
        "altered-report",
    ),
    "a report in another form": (
        lambda d: [d.file(json.dumps(d.fast.report("fox")).encode())],
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
"""Papers that a player is shown together, and the first thing that is found in them."""


def made(fast: Proven, folder: Path) -> Shown:
    """All papers of this game and of a strict one, made in that folder."""
    with pytest.MonkeyPatch.context() as patch:
        strict = games.strict(folder / "strict", patch, Clock(patch))
    copy = Proven(shutil.copytree(fast.home, folder / "fast"), SYSTEM)
    return every(Workspace(copy, strict, folder / "made"))


def every(workspace: Workspace) -> Shown:
    """All of them made, by name, with what must be found first."""
    found: Shown = {}
    for i, (change, code) in enumerate(REPORTS):
        found[f"report {i}"] = [workspace.report(change)], code
    for name, (made, code) in SIGNATURES.items():
        found[f"signature: {name}"] = [workspace.signed(made)], code
    for name, (make, code) in TOGETHER.items():
        found[name] = make(workspace), code
    return found


def verdict(module: Any, files: Papers) -> list[str]:
    """What verify.py (`module`) finds in these files, in its words."""
    try:
        _, found = module.check_all([str(path) for path in files])
        return [finding.split(": ", 1)[1] for finding in found]
    except module.Unreadable as error:
        return [f"cannot read: {error}"]
    except TOO_FAR:
        return ["too far"]
