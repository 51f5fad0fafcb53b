"""Strict dice: the lock is published before any link is known; a silent side's orders are void."""

from __future__ import annotations

import shutil
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from games.toy.game import SYSTEM
from pbem.admin.commands import extend
from pbem.admin.setup import Choices, create, enlist_bot, open_game
from pbem.bots.bot_orders import play_bots
from pbem.cli import main
from pbem.dice import provable
from pbem.dice.chains import DiceChains
from pbem.errors import Busy, Usage
from pbem.store.game_dir import writing
from pbem.store.records import Locked
from pbem.turns.close_window import run
from pbem.turns.strict_dice import REVEAL_HOURS, message, read_notice, reveal
from tests.cli.commands import pbem
from tests.conftest import Clock
from tests.luck import dice_key
from tests.proving import Proven
from tests.referee import key_of
from tests.trust.corpus import alter, checked, flip, put, reports

LINES = {"fox": "FOX: move B1;\n@FOX: move A2;", "hunter": "HOUND: move D5;"}


def locked_in(strict: Proven) -> Locked:
    locked = strict.register.locked
    assert locked
    return locked


def lock(referee: Proven, *sides: str) -> None:
    for side in sides or ("fox", "hunter"):
        assert referee.sends(side, LINES[side]).good
    with pytest.raises(Busy, match="is locked; it waits for the links"):
        referee.run(force=True)


def whole(referee: Proven) -> None:
    result = referee.audit()
    assert not result.findings
    assert checked(referee.folder, *reports(referee, "fox"), *reports(referee, "hunter")) == []


def test_a_window_is_locked_then_revealed_then_rolled(strict: Proven) -> None:
    lock(strict)
    notices = [strict.notice(side) for side in ("fox", "hunter")]
    assert notices[0]["lock"] == notices[1]["lock"] == locked_in(strict).lock
    answer = strict.reveals("fox")
    assert answer.good
    assert "Your dice link has arrived." in answer.text
    with pytest.raises(Busy, match="waits for the links of hunter"):
        strict.run()
    assert strict.reveals("hunter").good
    strict.run()
    report = strict.report("fox")
    assert report["seed"]["links"] == {
        s: DiceChains(key_of(s)).links("g1", s, 0)[1].hex() for s in ("fox", "hunter")
    }
    assert sorted(report["seed"]["reveals"]) == ["fox", "hunter"]
    assert report["rolls"][0]["proof"]
    whole(strict)


def test_a_side_that_owes_no_link_is_not_asked_for_one(strict: Proven) -> None:
    lock(strict, "fox")
    told = {
        side: max((strict.folder / "outbox").glob(f"{side}-*-lock.eml")).read_text()
        for side in ("fox", "hunter")
    }
    assert "pbem reveal lock.json" in told["fox"]
    assert "awaited until" not in told["fox"]  # there is no deadline
    assert "pbem reveal" not in told["hunter"]
    assert "You need not send a link" in told["hunter"]


def test_headers_contain_no_link(strict: Proven) -> None:
    link = DiceChains(key_of("fox")).links("g1", "fox", 0)[1].hex()
    refused = strict.order("fox", LINES["fox"], link=link)
    assert refused.receipt["code"] == "bad-link"


def test_orders_after_the_lock_are_refused(strict: Proven) -> None:
    lock(strict, "fox")
    for side in ("fox", "hunter"):
        assert strict.sends(side, LINES[side].replace("B1", "A2")).receipt["code"] == "locked"
    assert strict.reveals("fox").good
    strict.run()
    assert strict.report("fox")["seed"]["links"]["hunter"] == ""
    whole(strict)


def test_a_side_that_reveals_nothing_is_void_and_named(strict: Proven) -> None:
    lock(strict)
    assert strict.reveals("hunter").good
    strict.run(force=True)
    for side in ("fox", "hunter"):
        flags = strict.report(side)["flags"]
        assert "The orders of fox were void: its link was not revealed." in flags
    assert strict.report("fox")["units"][0]["place"] == "A1"
    assert strict.report("hunter")["units"][0]["place"] == "D5"
    whole(strict)
    lock(strict, "hunter")
    assert strict.reveals("hunter").good
    strict.run()
    assert not [f for f in strict.report("fox")["flags"] if "void" in f]
    whole(strict)


def test_links_are_awaited_until_a_second_deadline(strict: Proven, clock: Clock) -> None:
    with writing(strict.home, "g1") as game:
        extend(game, "2026-11-21T12:00:00Z", "")
    lock(strict)
    assert locked_in(strict).deadline == "2026-11-22T12:00:00Z"
    strict.reveals("fox")
    clock.advance(hours=REVEAL_HOURS - 1)
    with pytest.raises(Busy, match="hunter"):
        strict.run()
    clock.advance(hours=1)
    strict.run()
    assert strict.report("fox")["seed"]["links"]["hunter"] == ""
    whole(strict)


def test_without_deadlines_the_moderator_decides(strict: Proven, clock: Clock) -> None:
    lock(strict)
    clock.advance(hours=REVEAL_HOURS * 9)
    with pytest.raises(Busy):
        strict.run()
    strict.run(force=True)
    whole(strict)


def test_bots_reveal_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clock: Clock) -> None:
    monkeypatch.setattr(provable, "generate_key", dice_key)
    referee = Proven(tmp_path, SYSTEM)
    create(tmp_path, SYSTEM, "g1", Choices(dice="strict"))
    with writing(tmp_path, "g1") as game:
        for side in game.register.sides:
            enlist_bot(game, side)
        open_game(game, SYSTEM)
        play_bots(game, SYSTEM)
        with pytest.raises(Busy):
            run(game, SYSTEM)
        play_bots(game, SYSTEM)
        run(game, SYSTEM)
    assert all(referee.report("fox")["seed"]["links"].values())
    whole(referee)


def test_the_signed_text_is_that_of_the_page() -> None:
    page = (Path(__file__).parent.parent.parent / "docs" / "formats.md").read_text()
    said = message("0" * 64, 1, "1" * 64, "2" * 64)
    assert f"digest  {sha256(said).hexdigest()}" in page


@pytest.mark.parametrize("field", ["window", "lock", "game", "side"])
def test_a_reveal_of_something_else_is_refused(field: str, strict: Proven) -> None:
    lock(strict)
    facts = dict(strict.notice("fox"))
    other: dict[str, Any] = {"window": 2, "lock": "0" * 64, "game": "g2", "side": "hunter"}
    if field in ("game", "side"):
        facts["anchors"] = {
            s: [a | {"key": mine(strict)} for a in x] for s, x in facts["anchors"].items()
        }
    facts[field] = other[field]
    try:
        text = reveal(facts, DiceChains(key_of("fox")))
    except Usage:
        return
    (outcome,) = strict.receive(text)
    assert (outcome.status, outcome.receipt["code"]) == ("refused", "bad-reveal")
    assert not strict.register.reveals


def mine(referee: Proven) -> str:
    return str(referee.notice("fox")["anchors"]["fox"][0]["key"])


@pytest.mark.parametrize("codec", ["utf-8-sig", "utf-16"])
def test_a_reveal_is_read_as_editors_save_it_and_mail_wraps_it(codec: str, strict: Proven) -> None:
    lock(strict)
    text = reveal(strict.notice("fox"), DiceChains(key_of("fox")))
    wrapped = text.replace("BEGIN REVEAL", "BEGIN\n> REVEAL")
    (outcome,) = strict.receive(wrapped.encode(codec))
    assert (outcome.status, outcome.receipt["code"]) == ("accepted", "revealed")


def test_a_reveal_that_was_changed_or_copied_is_refused(strict: Proven) -> None:
    lock(strict)
    text = reveal(strict.notice("fox"), DiceChains(key_of("fox")))
    for at in range(30, len(text), 31):
        letter = "b" if text[at] != "b" else "c"
        if text[at].isspace() or text[at].isupper():
            continue
        (outcome,) = strict.receive(text[:at] + letter + text[at + 1 :])
        assert outcome.status == "refused"
    assert strict.receive(text)[0].status == "accepted"
    assert strict.receive(text)[0].status == "known"
    with pytest.raises(Usage, match="no dice anchor"):
        reveal(strict.notice("fox"), DiceChains(key_of("hunter")))


def test_an_undo_that_keeps_orders_needs_no_new_links(strict: Proven) -> None:
    lock(strict)
    for side in ("fox", "hunter"):
        assert strict.reveals(side).good
    strict.run()
    before = strict.report("fox", 2)
    strict.undo()
    strict.run()
    after = strict.report("fox", 2)
    assert (before["rolls"], before["seed"]) == (after["rolls"], after["seed"])
    strict.undo(reopen=True)
    lock(strict)
    for side in ("fox", "hunter"):
        assert strict.reveals(side).good
    strict.run()
    assert strict.report("fox")["seed"]["links"] != before["seed"]["links"]
    whole(strict)


ATTACKS = {
    "lock": ("locked", flip("lock")),
    "locked set": ("locked", put("sets", "fox", value={"order": "NMR", "record": 0})),
    "revealed link": ("revealed", flip("link")),
    "revealed signature": ("revealed", flip("signature")),
    "reveal of another": ("revealed", put("side", value="hunter")),
    "closed with another lock": ("closed", flip("lock")),
    "a side declared void": ("closed", put("void", value=["fox"])),
    "reveal withheld": ("closed", put("links", "fox", value="")),
}


@pytest.mark.parametrize("attack", ATTACKS)
def test_attacks_are_found_by_both(attack: str, strict: Proven, tmp_path: Path) -> None:
    lock(strict)
    for side in ("fox", "hunter"):
        assert strict.reveals(side).good
    strict.run()
    shutil.copytree(strict.home, tmp_path / "copy")
    copy = Proven(tmp_path / "copy", SYSTEM)
    kind, change = ATTACKS[attack]
    number = alter(copy, kind, 0, change)
    (found,) = copy.audit().findings
    (mine,) = checked(copy.folder)
    assert (found.record, int(mine.split()[2])) == (number, number)


def test_the_commands(
    strict: Proven,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    from pbem.crypto.private_keys import generate

    lock(strict)
    monkeypatch.setenv("PBEM_HOME", str(strict.home))
    private, _ = generate()
    (tmp_path / "a.key").write_bytes(private)
    mail = max((strict.folder / "outbox").glob("fox-*-lock.eml"))
    with pytest.raises(SystemExit) as done:
        main(["reveal", str(mail), "--key", str(tmp_path / "a.key")])
    assert done.value.code == 2
    assert "no dice anchor" in capsys.readouterr().err
    with pytest.raises(Usage, match="the notice: "):
        read_notice(b'{"format":"pbem-lock/1"}')


def test_a_tick_locks_waits_and_closes(
    strict: Proven, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PBEM_HOME", str(strict.home))

    def tick() -> None:
        with pytest.raises(SystemExit) as done:
            main(["tick", "g1"])
        said = capsys.readouterr()
        assert done.value.code == 0, said.err

    for side in ("fox", "hunter"):
        assert strict.sends(side, LINES[side]).good
    tick()
    assert (strict.register.window, bool(strict.register.locked)) == (1, True)
    tick()
    assert len([r for r in strict.records if r.kind == "locked"]) == 1
    for side in ("fox", "hunter"):
        assert strict.reveals(side).good
    tick()
    assert strict.register.window == 2
    whole(strict)


def test_all_are_told_once_whose_link_is_awaited(
    strict: Proven, monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> None:
    monkeypatch.setenv("PBEM_HOME", str(strict.home))
    with writing(strict.home, "g1") as game:
        extend(game, "2026-11-21T12:00:00Z", "")
    lock(strict)
    assert strict.reveals("hunter").good
    said = []
    for hours in (23, 1, 1):
        clock.advance(hours=hours)
        assert pbem("tick", "g1").code == 0
        said.append([r.body["awaited"] for r in strict.records if "awaited" in r.body])
    assert said == [[], [["fox"]], [["fox"]]]
    mails = [p.read_text() for p in (strict.folder / "outbox").glob("*-note.eml")]
    assert len([m for m in mails if "waits for the dice links of\nthe Fox side" in m]) == 2
    clock.advance(hours=24)
    assert pbem("tick", "g1").code == 0
    assert strict.register.window == 2
    whole(strict)
