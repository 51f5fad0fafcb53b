"""A player's side of the dice: the chain of his key, and what his order headers say of it."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path

from pbem.base.report_json import Anchor, Report
from pbem.crypto.sshsig import PrivateKey, key_digest, read_field
from pbem.dice import provable
from pbem.errors import Usage

LINKED = frozenset({"fast", "strict"})
"""The kinds of dice that links decide. In `fast` order headers carry them."""
NO_LINK = "none"
MOST_EPOCHS = 64


class Purse:
    """The chains of one private key.

    An Ed25519 key makes its tails anew each time. Others draw them once and keep them in
    `store` (FILE.chain): whoever loses it asks for a new anchor with `sign --reanchor`.
    """

    def __init__(self, key: PrivateKey, store: Path | None = None) -> None:
        self.key, self.store = key, store

    def links(
        self, game: str, side: str, epoch: int, make: bool = True, by: str = ""
    ) -> list[bytes]:
        """All links of an epoch, the anchor first; empty where the tail was never drawn and
        may not be (`make`). by: names the moderator's key, empty for chains of release 0.1.0.
        Raises Usage for a key that needs a store and has none."""
        if read_field(self.key.wire)[0] == b"ssh-ed25519":
            return _chain(game, side, provable.own_tail(self.key, game, side, epoch, by))
        last = self._kept(provable.chain_text(game, side, epoch, by).decode("ascii"), make)
        return _chain(game, side, last) if last else []

    def find(self, game: str, side: str, anchor: str, by: str) -> list[bytes]:
        """The chain of this key that has the anchor; empty where it makes none."""
        names = list(dict.fromkeys((by, "")))
        for epoch in range(MOST_EPOCHS):  # the first epochs of both names before the rarer others
            for named in tuple(names):
                links = self.links(game, side, epoch, make=False, by=named)
                if not links:  # tails are drawn in order
                    names.remove(named)
                elif links[0].hex() == anchor:
                    return links
        return []

    def _kept(self, text: str, make: bool) -> bytes:
        import os

        from pbem.base.files import write_private

        if self.store is None:
            raise Usage(
                "only an ed25519 key has a dice chain of its own",
                "keys of other types keep theirs in FILE.chain",
            )
        known = _tails(self.store) if self.store.exists() else {}
        if text not in known and make:
            known[text] = os.urandom(32).hex()
            write_private(self.store, json.dumps(known, indent=1).encode("ascii") + b"\n")
        return bytes.fromhex(known.get(text, ""))


def _tails(store: Path) -> dict[str, str]:
    """The tails that a key drew, in hex. Raises Usage for a file that holds something else."""
    try:
        found = json.loads(store.read_bytes())
        if {len(bytes.fromhex(tail)) for tail in found.values()} <= {32}:
            return dict(found)
    except (ValueError, AttributeError, TypeError, RecursionError):
        pass
    raise Usage(
        f"{store} holds no dice chains",
        "restore it from a copy; without one, move it away and sign with --reanchor",
    )


@lru_cache(maxsize=16)
def _chain(game: str, side: str, last: bytes) -> list[bytes]:
    return provable.chain(game, side, last)


def first_anchor(purse: Purse, game: str, side: str, by: str = "") -> str:
    """The anchor (hex) that a join letter carries: that of epoch 0."""
    return purse.links(game, side, 0, by=by)[0].hex()


def header_fields(
    report: Report, purse: Purse, renew: bool = False, ahead: int = 0
) -> tuple[str, str]:
    """`link` and `anchor` of the header that answers `report`; no anchor is empty.

    ahead: how many windows beyond its own the set reaches; its link is that of the last.

    A key without an anchor sends its first; renew: sends the next epoch's. Until a new anchor
    counts, whoever lost the chain of the old one repeats the new one and gives no link. Raises
    Usage when the newest anchor is of a chain this key does not make.
    """
    if report.dice_mode not in LINKED:
        return NO_LINK, ""
    mine = own_anchors(report, key_digest(purse.key.wire))
    counts = [a.anchor for a in mine if a.since <= report.window]
    game, side, by = report.game, report.side, report.moderator.key
    lost = bool(mine) and not purse.find(game, side, mine[-1].anchor, by)
    if lost and not renew:
        raise Usage(
            "the dice anchor that the report names for your key is not of a chain it can make",
            "sign with --reanchor: the next report names a new anchor, which counts from then on",
        )
    fresh = _next_anchor(purse, report, mine) if renew or not mine else ""
    reach = report.window + ahead
    if not counts or reach > provable.CHAIN_LENGTH or report.dice_mode != "fast":
        return NO_LINK, fresh
    links = purse.find(game, side, counts[-1], by)
    if not links:
        return NO_LINK, fresh or mine[-1].anchor
    return links[reach].hex(), fresh


def own_anchors(report: Report, key: str) -> list[Anchor]:
    """What the report says of one key's anchors, in the order in which they count."""
    return [a for a in report.anchors.get(report.side, ()) if a.key == key]


def _next_anchor(purse: Purse, report: Report, mine: list[Anchor]) -> str:
    """The anchor of the first epoch that no report has named."""
    named, by = {a.anchor for a in mine}, report.moderator.key
    for epoch in range(MOST_EPOCHS):
        anchor = purse.links(report.game, report.side, epoch, by=by)[0].hex()
        if anchor not in named:
            return anchor
    raise Usage("this key has had all the anchors it can have", "enlist another key")
