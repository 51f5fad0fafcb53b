"""Attempts to get other dice for a window: undo, rulings, and the lock of `strict` games.

These are the later rows of the table "Who fixes what, and when" in docs/trust.md;
`test_dice_protocol.py` has the earlier ones.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from games.toy.game import SYSTEM
from pbem.admin.rulings import read_ruling, rule
from pbem.audit.dice_checks import check_dice
from pbem.base.hashing import canonical_json, setup_digest
from pbem.dice import provable
from pbem.dice.chains import DiceChains
from pbem.dice.provable import BadProof
from pbem.dice.sources import faces
from pbem.errors import Busy, Misprint
from pbem.store.game_dir import writing
from pbem.store.holders import newest
from pbem.turns import links
from tests.conftest import Clock
from tests.luck import dice_key
from tests.proving import Proven, proven
from tests.referee import key_of
from tests.trust.corpus import alter, checked, put, reports, rewrite, verify
from tests.trust.dice_games import (
    D6,
    IDLE,
    LABEL,
    SIDES,
    SWUM,
    die,
    last,
    named,
    said,
    sends,
)
from tests.trust.games import revealed

# Undo


def test_an_undo_after_the_lock_opens_a_new_window_number(strict: Proven) -> None:
    """The moderator locks a window, collects both links, computes the dice in a copy, and undoes
    the window before. The next window has a new number and other links; both checkers note it."""
    revealed(strict)
    sends(strict, *SIDES)
    with pytest.raises(Busy):
        strict.run(force=True)
    for side in SIDES:
        assert strict.reveals(side).good
    window, told = strict.register.window, strict.notice("fox")
    known = links.fixed(strict.register)
    strict.undo()
    strict.run()
    assert strict.register.window == window + 1
    stale = strict.orders("fox", "FOX: move B1;", strict.report("fox", window))
    assert strict.receive(stale)[0].receipt["code"] == "late"
    revealed(strict)
    assert not set(last(strict)["links"].values()) & set(known.links.values())
    assert named(strict, f"window {window} re-rolled, by the moderator without the signed consent")
    paper = strict.folder / "lock.json"
    paper.write_bytes(canonical_json(told))
    assert checked(strict.folder, paper) == []


def test_a_reused_window_number_in_the_ledger_is_found(strict: Proven) -> None:
    """A moderator changes the ledger so that the window opens again under its old number."""
    revealed(strict)
    strict.undo()
    strict.run()
    number = alter(strict, "closed", -1, put("opens", value=2))
    assert [(f.record, f.code) for f in strict.audit().findings] == [(number, "result")]
    assert checked(strict.folder) == [f"window record {number}"]


@pytest.mark.parametrize("dice", ["fast", "strict"])
def test_an_honest_undo_rolls_the_same_and_nobody_is_accused(
    dice: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> None:
    referee = proven(tmp_path / "home", monkeypatch, dice=dice)
    if dice == "strict":
        revealed(referee)
    else:
        referee.window(*SIDES)
    before = last(referee)
    referee.undo()
    referee.run()
    assert {k: last(referee)[k] for k in ("rolls", "links", "seed", "lock")} == {
        k: before[k] for k in ("rolls", "links", "seed", "lock")
    }
    assert not named(referee, "re-rolled")


def test_a_strict_window_without_any_link_can_be_undone(strict: Proven) -> None:
    revealed(strict, *SIDES)
    strict.undo()
    strict.run()
    assert not named(strict, "re-rolled")


def test_no_link_is_revealed_once_the_dice_have_been_rolled(strict: Proven) -> None:
    """A side withholds its link, learns the dice from the moderator, and then tries to reveal."""
    revealed(strict, "fox")
    told = strict.notice("fox")
    strict.undo()
    from pbem.turns.strict_dice import reveal

    (outcome,) = strict.receive(reveal(told, DiceChains(key_of("fox"))))
    assert outcome.receipt["code"] == "bad-reveal"
    strict.run()
    assert last(strict)["links"]["fox"] == ""
    said(strict)


def test_a_reveal_put_in_after_the_dice_is_found(strict: Proven) -> None:
    revealed(strict)
    strict.undo()
    records = strict.records
    (reveal, *_) = [r for r in records if r.kind == "revealed" and r.body["side"] == "fox"]
    closed = next(r.n for r in records if r.kind == "closed")
    kept = [r for r in records if r is not reveal]
    rewrite(strict, kept)
    rewrite(strict, [*strict.records, reveal])
    assert closed
    assert strict.audit().findings
    assert checked(strict.folder)


def test_an_undo_of_a_window_whose_orders_were_in_is_a_re_roll(fast: Proven) -> None:
    """The number of the undone window is not used again, so that its dice differ."""
    fast.window(*SIDES)
    sends(fast, *SIDES)
    fast.undo()
    fast.run()
    assert fast.register.window == 3
    assert named(fast, "window 2 re-rolled, by the moderator without the signed consent")


def test_an_undo_with_signed_consent_is_no_re_roll(fast: Proven) -> None:
    fast.window(*SIDES)
    for side in SIDES:
        assert fast.sends(side, f"CONSENT undo 1;\n{fast.suggested(side)}").good
    fast.undo()
    fast.run()
    assert not named(fast, "re-rolled")


# Rulings


@pytest.mark.parametrize("dice", ["fast", "strict"])
def test_a_ruling_that_changes_nothing_opens_no_window(
    dice: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> None:
    referee = proven(tmp_path / "home", monkeypatch, dice=dice)
    sends(referee, *SIDES)
    if dice == "strict":
        with pytest.raises(Busy):
            referee.run(force=True)
        for side in SIDES:
            assert referee.reveals(side).good
    with (
        writing(referee.home, referee.name) as game,
        pytest.raises(Misprint, match="changes nothing"),
    ):
        rule(game, SYSTEM, read_ruling(IDLE, "ruling.toml"), "for nothing")
    assert referee.register.window == 1


def test_a_recorded_ruling_that_changes_nothing_is_found(
    fast: Proven, monkeypatch: pytest.MonkeyPatch
) -> None:
    sends(fast, *SIDES)
    with monkeypatch.context() as patch, writing(fast.home, fast.name) as game:
        patch.setattr("pbem.admin.rulings.edit_without_effect", lambda *a: None)
        rule(game, SYSTEM, read_ruling(IDLE, "ruling.toml"), "for nothing")
    (finding,) = fast.audit().findings
    assert finding.code == "ruling"
    notes, _ = verify.check_all([str(fast.folder)])  # who does not know the rules sees a re-roll
    assert any("window 1 re-rolled by the moderator" in note for note in notes)


def test_a_ruling_after_orders_came_in_is_a_re_roll(fast: Proven) -> None:
    sends(fast, *SIDES)
    with writing(fast.home, fast.name) as game:
        rule(game, SYSTEM, read_ruling(SWUM, "ruling.toml"), "rain")
    assert fast.register.window == 2
    assert named(fast, "window 1 re-rolled by the moderator without the signed consent of")


def test_a_ruling_before_any_orders_is_no_re_roll(fast: Proven) -> None:
    with writing(fast.home, fast.name) as game:
        rule(game, SYSTEM, read_ruling(SWUM, "ruling.toml"), "rain")
    assert not named(fast, "re-rolled")


def test_a_ruling_before_orders_is_a_re_roll_where_links_were_given_ahead(fast: Proven) -> None:
    assert fast.sends("fox", f"RUN 3;\n{fast.suggested('fox')}").good
    fast.window("hunter")
    with writing(fast.home, fast.name) as game:
        rule(game, SYSTEM, read_ruling(SWUM, "ruling.toml"), "rain")
    assert named(fast, "window 2 re-rolled by the moderator")


# Strict dice: the lock fixes late anchors, too


@pytest.mark.parametrize("anchored", [SIDES, ("fox",), ()])
def test_the_first_strict_window_has_a_link_of_every_side(
    anchored: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> None:
    """The lock fixes an anchor that came with orders before any link is known."""
    referee = proven(tmp_path / "home", monkeypatch, anchored, dice="strict")
    revealed(referee)
    assert all(last(referee)["links"].values())
    assert not named(referee, "could choose")
    assert checked(*reports(referee, "fox"), *reports(referee, "hunter")) == []


def test_an_anchor_that_was_not_locked_opens_no_link(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> None:
    """The moderator replaces orders that have an anchor by others: the lock then has no anchor."""
    referee = proven(tmp_path / "home", monkeypatch, ("fox",), dice="strict")
    sends(referee, *SIDES)
    assert referee.receive(referee.block("hunter", referee.suggested("hunter")), side="hunter")[
        0
    ].good
    with pytest.raises(Busy):
        referee.run(force=True)
    register = referee.register
    assert newest(register.anchors_locked(), "hunter", 1, 1) == ""
    assert referee.reveals("fox").good
    referee.run(force=True)
    assert last(referee)["links"]["hunter"] == ""
    said(referee)


# The proofs


def test_a_die_has_one_value_once_its_seed_is_fixed(fast: Proven) -> None:
    """The dice key gives exactly one proof for each text, and the label is fixed by the rules."""
    fast.window(*SIDES)
    body = last(fast)
    g0 = bytes.fromhex(setup_digest(fast.register.setup))
    seed = bytes.fromhex(body["seed"])
    assert {die(g0, 1, seed) for _ in range(5)} == {die(g0, 1, seed)}
    source = provable.Provable(dice_key(), g0, {1: seed})  # type: ignore[dict-item]
    values, proof = source.roll(1, LABEL, D6)  # type: ignore[arg-type]
    modulus = dice_key().private_numbers().public_numbers.n
    beta = provable.check_proof(modulus, provable.alpha(g0, 1, seed, LABEL), bytes.fromhex(proof))
    assert faces(beta, D6) == values
    with pytest.raises(BadProof):
        check_dice(fast.register, replace(fast.register.closed[-1], links={}, rolls=[]))
