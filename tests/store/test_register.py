"""What the ledger says: a fold that any reader, at any time, comes to alike."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from pbem.errors import Busy
from pbem.model import Side
from pbem.store.register import Register, fold
from tests.conftest import Clock
from tests.proving import proven
from tests.referee import Referee


def played(referee: Referee) -> Referee:
    referee.go("fox", "hunter")
    referee.order("fox", referee.suggested("fox"))
    referee.receive("rubbish")
    return referee


def test_folding_record_by_record_is_folding_all(referee: Referee) -> None:
    played(referee)
    register, records = Register(), list(referee.read().ledger.records())
    for record in records:
        register.apply(record)
    assert msgspec.to_builtins(register) == msgspec.to_builtins(fold(records))


def test_a_fresh_register_shares_nothing_with_another(referee: Referee) -> None:
    fold(played(referee).read().ledger.records())
    fresh = Register()
    assert not any((fresh.sets, fresh.seen, fresh.mails, fresh.closed, fresh.officers))


def test_what_it_knows(referee: Referee) -> None:
    register = played(referee).register
    assert (register.window, register.used, register.undone) == (2, 2, 0)
    assert list(register.sets) == ["fox"]
    assert not register.all_in()
    assert register.last_seq(Side("fox")) == register.sets[Side("fox")].seq
    assert len(register.seen) == 3
    assert register.head == referee.records[-1].hash
    assert register.n == len(referee.records)


@pytest.mark.parametrize(
    ("said", "agreed"), [("UNDO 1", [1]), ("DRAW 1", []), ("UNDO SOON", []), ("WHATEVER", [])]
)
def test_only_words_of_an_undo_consent_to_one(
    referee: Referee, said: str, agreed: list[int]
) -> None:
    """`CONSENT` takes any words; others are on record and do nothing."""
    referee.go()
    orders = referee.orders("fox", f"CONSENT {said};\n{referee.suggested('fox')}")
    (outcome,) = referee.receive(orders)
    assert outcome.good, outcome.text
    register = referee.register
    assert list(register.consents) == agreed
    assert ("fox" in register.against(1)) == (not agreed)


def test_the_mails_of_a_side_are_counted_as_they_lie_in_the_outbox(referee: Referee) -> None:
    register = played(referee).register
    for side in ("fox", "hunter"):
        mails = [p for p in (referee.folder / "outbox").iterdir() if p.name.startswith(side)]
        assert len(mails) == register.mails[side]
        assert max(int(p.name.split("-")[1]) for p in mails) == len(mails)


@pytest.mark.parametrize(("protocol", "announced"), [(1, 0), (2, 1)])
def test_an_announced_anchor_counts_from_the_lock_in_games_of_the_second_protocol(
    protocol: int, announced: int, tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of release 0.1.0 name it with the next reports."""
    monkeypatch.setattr("pbem.admin.setup.PROTOCOL", protocol)
    referee = proven(tmp_path / "home", monkeypatch, dice="strict")
    before = referee.register.anchors
    assert referee.sends("fox", referee.suggested("fox"), renew=True).good
    assert referee.sends("hunter", referee.suggested("hunter")).good
    assert len(referee.register.pending) == 1
    assert len(referee.register.anchors_locked()) == len(before) + announced
    with pytest.raises(Busy):
        referee.run(force=True)
    register = referee.register
    assert register.locked and register.protocol == protocol
    assert len(register.anchors) == len(before) + announced
    assert len(register.pending) == 1 - announced
