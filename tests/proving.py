"""A toy game with provable dice. All tests of a session share one dice key."""

from __future__ import annotations

from pathlib import Path

import pytest

from games.toy.game import SYSTEM
from pbem.admin.setup import Choices, Newcomer, create, enlist
from pbem.audit.open_file import attached
from pbem.base.report_json import Report
from pbem.crypto.sshsig import PrivateKey, public_line
from pbem.dice.chains import DiceChains, first_anchor
from pbem.inbound.intake import Outcome
from pbem.model import Plain
from pbem.player.reader import read_text
from pbem.player.sign import block_of, header_of, signed
from pbem.store.game_dir import writing
from pbem.turns.strict_dice import read_notice, reveal
from tests.luck import pinned
from tests.referee import Referee, key_of


class Proven(Referee):
    """A referee of a game with provable dice; players sign their orders with links."""

    def sends(
        self,
        side: str,
        lines: str,
        key: PrivateKey | None = None,
        renew: bool = False,
        store: Path | None = None,
    ) -> Outcome:
        """Sign and receive orders, as `pbem sign` and `pbem receive` do. Arguments: as `signs`."""
        (outcome,) = self.receive(self.signs(side, lines, key, renew, store))
        return outcome

    def signs(
        self,
        side: str,
        lines: str,
        key: PrivateKey | None = None,
        renew: bool = False,
        store: Path | None = None,
    ) -> str:
        """The signed order file of a side, as `pbem sign` makes it.

        key: the side's without one; renew: announce a new anchor; store: the player's folder of
        dice chains.
        """
        report = self.report(side)
        self._seq += 1
        text = block_of(header_of(Report.of(report), 0), lines)
        orders = read_text(self.system, Report.of(report), text).orders
        dice_chains = DiceChains(key or key_of(side), store)
        seq = report["seq"] + self._seq
        return signed(self.system, Report.of(report), orders, dice_chains, seq, renew)

    def reveals(self, side: str, key: PrivateKey | None = None) -> Outcome:
        """Reveal the link for the newest lock notice, as `pbem reveal` does, and receive it."""
        (outcome,) = self.receive(reveal(self.notice(side), DiceChains(key or key_of(side))))
        return outcome

    def notice(self, side: str) -> Plain:
        """The `lock.json` of a side's newest lock notice."""
        mail = max((self.folder / "outbox").glob(f"{side}-*-lock.eml")).read_bytes()
        return read_notice(attached(mail)["lock.json"])

    def window(self, *sides: str) -> None:
        """Close a window; these sides send the orders that their forms suggest, with links."""
        for side in sides:
            outcome = self.sends(side, self.suggested(side))
            assert outcome.good, outcome.text
        self.run(force=True)


def proven(
    home: Path,
    patch: pytest.MonkeyPatch,
    anchored: tuple[str, ...] = ("fox", "hunter"),
    play: str = "plotted",
    name: str = "g1",
    dice: str = "fast",
) -> Proven:
    """Create and open a toy game with provable dice.

    anchored: the sides that are enlisted with an anchor; dice: `fast` or `strict`.
    """
    pinned(patch, home.name)
    referee = Proven(home, SYSTEM, name)
    create(home, SYSTEM, name, Choices(options={"play": play}, dice=dice))
    with writing(home, name) as game:
        for side in game.register.sides:
            key = key_of(side)
            anchor = first_anchor(DiceChains(key), name, side) if side in anchored else ""
            player = Newcomer(public_line(key.wire), f"{side}@example.org", side, anchor=anchor)
            enlist(game, side, player)
    referee.open()
    return referee
