"""What the ledger says: a fold that any reader, at any time, comes to alike."""

from __future__ import annotations

import msgspec

from pbem.model import Side
from pbem.store.register import Register, fold
from tests.house import House


def played(house: House) -> House:
    house.go("fox", "hunter")
    house.order("fox", house.suggested("fox"))
    house.receive("rubbish")
    return house


def test_folding_record_by_record_is_folding_all(house: House) -> None:
    played(house)
    register = Register()
    for record in house.records:
        register.take(record)
    assert msgspec.to_builtins(register) == msgspec.to_builtins(fold(house.records))


def test_a_fresh_register_shares_nothing_with_another(house: House) -> None:
    fold(played(house).records)
    fresh = Register()
    assert not any((fresh.sets, fresh.seen, fresh.mails, fresh.closed, fresh.officers))


def test_what_it_knows(house: House) -> None:
    register = played(house).register
    assert (register.window, register.used, register.undone) == (2, 2, 0)
    assert list(register.sets) == ["fox"]
    assert not register.all_in()
    assert register.last_seq(Side("fox")) == register.sets[Side("fox")].seq
    assert len(register.seen) == 3
    assert register.head == house.records[-1].hash
    assert register.n == len(house.records)


def test_the_mails_of_a_side_are_counted_as_they_lie_in_the_outbox(house: House) -> None:
    register = played(house).register
    for side in ("fox", "hunter"):
        mails = [p for p in (house.folder / "outbox").iterdir() if p.name.startswith(side)]
        assert len(mails) == register.mails[side]
        assert max(int(p.name.split("-")[1]) for p in mails) == len(mails)
