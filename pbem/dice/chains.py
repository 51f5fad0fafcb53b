"""The player's part in provable dice: the chain of the key, and the order header fields from it.

Bytes: docs/formats.md, "Links" and "Anchors".
"""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path

from pbem.base.report_json import Anchor, Report
from pbem.crypto.sshsig import PrivateKey, key_digest, read_field
from pbem.dice import provable
from pbem.dice.sources import LINKED
from pbem.errors import Usage

NO_LINK = "none"
"""What the header field `link` says without a link."""
MOST_EPOCHS = 64
"""How many chains a key can have in one game. Looking for an anchor makes them one by one, which
takes 4 ms each."""


class DiceChains:
    """The dice chains of one private key.

    An Ed25519 key computes its tails from signatures, which are always the same, so nothing is
    stored. Signatures of other keys may differ each time; such a key draws random tails once and
    keeps them in `store` (FILE.chain). If the file is lost, `sign --reanchor` begins a new chain.
    """

    def __init__(self, key: PrivateKey, store: Path | None = None) -> None:
        self.key, self.store = key, store

    def links(
        self, game: str, side: str, epoch: int, make: bool = True, by: str = ""
    ) -> list[bytes]:
        """Return all links of an epoch, the anchor first.

        make: whether to draw a missing tail; otherwise the result is empty. by: the name of the
        moderator's key, empty for chains of release 0.1.0. Raises Usage for a key that needs a
        store and has none.
        """
        if read_field(self.key.wire)[0] == b"ssh-ed25519":
            return _chain(game, side, provable.own_tail(self.key, game, side, epoch, by))
        last = self._stored_tail(provable.chain_text(game, side, epoch, by).decode("ascii"), make)
        return _chain(game, side, last) if last else []

    def find(self, game: str, side: str, anchor: str, by: str) -> list[bytes]:
        """Return the chain with this anchor (hex), empty if the key makes none.

        It may be a chain of release 0.1.0, which does not name the moderator's key.
        """
        names = list(dict.fromkeys((by, "")))
        # Try low epochs of both names first: nearly every chain is the first or second of its key.
        for epoch in range(MOST_EPOCHS):
            for named in tuple(names):
                links = self.links(game, side, epoch, make=False, by=named)
                if not links:  # tails are drawn in order, so later epochs have none either
                    names.remove(named)
                elif links[0].hex() == anchor:
                    return links
        return []

    def _stored_tail(self, text: str, make: bool) -> bytes:
        """Return the stored tail of a chain; draw and store it if it is missing and `make` is set.

        text: the chain, as `provable.chain_text` names it. Returns b"" for a missing tail. The file
        is durable before the tail is used: a published anchor is worthless without its chain.
        """
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
    """Read the stored tails: text of the chain to tail in hex. Raises Usage for another file."""
    try:
        found = json.loads(store.read_bytes())
        if {len(bytes.fromhex(tail)) for tail in found.values()} <= {32}:
            return dict(found)
    except (ValueError, AttributeError, TypeError, RecursionError):
        pass
    raise Usage(
        f"{store} is not a file of dice chains",
        "restore it from a copy; without one, move it away and sign with --reanchor",
    )


@lru_cache(maxsize=16)
def _chain(game: str, side: str, last: bytes) -> list[bytes]:
    """The chain of a tail. Making its 4096 links takes 4 ms, so a few are kept."""
    return provable.chain(game, side, last)


def first_anchor(dice_chains: DiceChains, game: str, side: str, by: str = "") -> str:
    """Return the anchor (hex) for the answer to a joining letter: that of epoch 0."""
    return dice_chains.links(game, side, 0, by=by)[0].hex()


def header_fields(
    report: Report,
    dice_chains: DiceChains,
    renew: bool = False,
    ahead: int = 0,
    lends: bool = False,
) -> tuple[str, str]:
    """Return the fields `link` and `anchor` of the header that answers `report`.

    ahead: how many windows beyond its own the set reaches; the link is that of the last of them,
    because hashing gives the earlier ones. An officer of a role gives none: the dice of a side are
    those of its commanders. lends: whether the set gives links ahead (LINKS):
    then it has one in `strict` games too. renew: announce the anchor of the next epoch.

    The anchor is empty unless the key has none yet, or renews it. A player who lost the chain of
    the old anchor repeats the new anchor without a link until the new one counts. Raises Usage if
    the newest anchor that the report names belongs to a chain that this key does not make.
    """
    if report.dice_mode not in LINKED or report.role:
        return NO_LINK, ""
    mine = own_anchors(report, key_digest(dice_chains.key.wire))
    counts = [a.anchor for a in mine if a.since <= report.window]
    game, side, by = report.game, report.side, report.moderator.key
    lost = bool(mine) and not dice_chains.find(game, side, mine[-1].anchor, by)
    if lost and not renew:
        raise Usage(
            "the dice anchor that the report names for your key is not of a chain of this key",
            "sign with --reanchor: the next report names a new anchor, which counts from then on",
        )
    fresh = _next_anchor(dice_chains, report, mine) if renew or not mine else ""
    reach = report.window + ahead
    given = report.dice_mode == "fast" or lends
    if not counts or reach > provable.CHAIN_LENGTH or not given:
        return NO_LINK, fresh
    links = dice_chains.find(game, side, counts[-1], by)
    if not links:
        return NO_LINK, fresh or mine[-1].anchor
    return links[reach].hex(), fresh


def own_anchors(report: Report, key: str) -> list[Anchor]:
    """Return the anchors that a report names for one key, in the order in which they count."""
    return [a for a in report.anchors.get(report.side, ()) if a.key == key]


def _next_anchor(dice_chains: DiceChains, report: Report, mine: list[Anchor]) -> str:
    """Return the anchor of the first epoch that no report has named. Raises Usage without one."""
    named, by = {a.anchor for a in mine}, report.moderator.key
    for epoch in range(MOST_EPOCHS):
        anchor = dice_chains.links(report.game, report.side, epoch, by=by)[0].hex()
        if anchor not in named:
            return anchor
    raise Usage(f"this key has used all of its {MOST_EPOCHS} anchors", "enlist another key")
