"""A toy game for changes of keys: the fox has a recovery key."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from games.toy.game import SYSTEM
from pbem.admin import key_change
from pbem.admin.setup import Choices, Newcomer, create, enlist
from pbem.audit.verify_report import check_report
from pbem.base.report_json import Report
from pbem.crypto import recovery
from pbem.crypto.private_keys import SshKey
from pbem.crypto.sshsig import public_line
from pbem.dice.chains import DiceChains, first_anchor
from pbem.inbound.intake import Outcome
from pbem.store.game_dir import writing
from tests.luck import dice_key
from tests.proving import Proven
from tests.referee import Referee, key_of
from tests.trust.corpus import checked, reports

NEW, OTHER, PAPER = key_of("new"), key_of("other"), recovery.words(b"p" * 32)


def papered(home: Path, patch: pytest.MonkeyPatch, dice: str) -> Proven:
    """Create and open the game; the recovery key of the fox is PAPER."""
    from pbem.dice import provable

    patch.setattr(provable, "generate_key", dice_key)
    referee = Proven(home, SYSTEM)
    create(home, SYSTEM, "g1", Choices(dice=dice))
    paper = public_line(recovery.key_of(PAPER).wire)
    with writing(home, "g1") as game:
        for side, own in (("fox", paper), ("hunter", "")):
            key = key_of(side)
            anchor = first_anchor(DiceChains(key), "g1", side)
            player = Newcomer(public_line(key.wire), f"{side}@x.org", anchor=anchor, recovery=own)
            enlist(game, side, player)
    referee.open()
    return referee


def change(
    referee: Referee, old: SshKey, new: SshKey = NEW, side: str = "fox", **said: Any
) -> Outcome:
    """Change a key as `pbem rekey` and `pbem receive` do.

    said: fields of the report from which the change is made, set to other values.
    """
    (outcome,) = referee.receive(
        key_change.change(Report.of({**referee.report(side), **said}), old, DiceChains(new))
    )
    return outcome


def whole(referee: Proven) -> None:
    """Assert that audit, verify.py and `pbem read` find nothing wrong with the game."""
    assert not referee.audit().findings
    held = [*reports(referee, "fox"), *reports(referee, "hunter")]
    assert checked(referee.folder, *held) == []
    assert checked(*held) == []
    for side, key in (("fox", NEW), ("hunter", key_of("hunter"))):
        for path in reports(referee, side):
            check_report(json.loads(path.read_bytes()), None, DiceChains(key))
