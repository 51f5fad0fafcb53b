"""Changes of the records about keys are found by both checkers, with the right code."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from games.toy.game import SYSTEM
from pbem.admin.commands import replace
from pbem.admin.lost_keys import carry_out, lose
from pbem.admin.setup import Newcomer
from pbem.crypto.sshsig import public_line
from pbem.dice.chains import DiceChains, first_anchor
from pbem.store.game_dir import writing
from tests.conftest import Clock
from tests.ledgers import Record
from tests.proving import Proven
from tests.referee import key_of
from tests.trust import games
from tests.trust.corpus import Body, alter, checked, flip, put, rewrite
from tests.trust.key_games import NEW, papered


@pytest.fixture
def fast(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clock: Clock) -> Proven:
    """An open game; the fox has a recovery key."""
    return papered(tmp_path / "home", monkeypatch, "fast")


@pytest.fixture(scope="module")
def changed(tmp_path_factory: pytest.TempPathFactory) -> Proven:
    with pytest.MonkeyPatch.context() as patch:
        referee = games.keys(tmp_path_factory.mktemp("keys") / "home", patch, Clock(patch))
        assert not referee.audit().findings
        assert checked(referee.folder) == []
        return referee


@pytest.fixture
def spoilt(changed: Proven, tmp_path: Path) -> Proven:
    shutil.copytree(changed.home, tmp_path / "copy")
    return Proven(tmp_path / "copy", SYSTEM)


ATTACKS: dict[str, tuple[str, int, Callable[[Body], None], str]] = {
    "a change nobody signed": ("replaced", 0, flip("signature"), "bad-keys"),
    "a change without the new key's": ("replaced", 0, flip("proof"), "bad-keys"),
    "another key than was signed": (
        "replaced",
        0,
        put("key", value=public_line(key_of("evil").wire)),
        "bad-keys",
    ),
    "another anchor than was signed": ("replaced", 0, flip("anchor"), "bad-keys"),
    "another officer ended": ("replaced", 0, put("side", value="hunter"), "bad-keys"),
    "a change said to be a recovery": ("replaced", 0, put("why", value="recovery"), "bad-keys"),
    "a change said to be a loss": ("replaced", 0, put("why", value="reset"), "early-key"),
    "a recovery said to be a change": ("replaced", 1, put("why", value="change"), "bad-keys"),
    "a number used twice": ("replaced", 0, put("number", value=1), "officer"),
    "a loss told too late": (
        "noted",
        0,
        put("reset", "due", value="2026-11-20T13:00:00Z"),
        "early-key",
    ),
    "a loss of nobody's key": ("noted", 0, put("reset", "ends", value=[7]), "officer"),
    "another key than was told lost": (
        "replaced",
        2,
        put("key", value=public_line(key_of("evil").wire)),
        "early-key",
    ),
    "a loss nobody told": ("replaced", 2, put("notice", value=1), "early-key"),
    "a change one side was not told of": ("replaced", 3, put("mailed", value=["fox"]), "one-sided"),
    "a replacement of nobody's key": ("replaced", 3, put("ends", value=[7]), "officer"),
    "an officer with an old key": (
        "enlisted",
        2,
        put("key", value=public_line(key_of("fox").wire)),
        "officer",
    ),
}


@pytest.mark.parametrize("attack", ATTACKS)
def test_attacks_on_keys_are_found_by_both(attack: str, spoilt: Proven) -> None:
    kind, nth, how, code = ATTACKS[attack]
    number = alter(spoilt, kind, nth, how)
    assert [(f.record, f.code) for f in spoilt.audit().findings] == [(number, code)]
    (mine,) = checked(spoilt.folder)
    assert mine in (f"{code} record {number}", f"altered-record record {number}")


def test_an_anchor_that_is_none_is_found_by_both(spoilt: Proven) -> None:
    number = alter(spoilt, "enlisted", 0, put("anchor", value="x" * 64))
    assert [(f.record, f.code) for f in spoilt.audit().findings] == [(number, "officer")]
    assert checked(spoilt.folder) == [f"not-hex record {number}"]


def too_early(records: list[Record]) -> list[Record]:
    """The lost key is said to have been replaced a second before it was due."""
    (at,) = [i for i, r in enumerate(records) if r.body.get("why") == "reset"]
    early = msgspec.structs.replace(records[at], at="2026-11-22T11:59:59Z")
    return [*records[:at], early, *records[at + 1 :]]


def test_a_lost_key_replaced_before_its_time_is_found_by_both(spoilt: Proven) -> None:
    records = spoilt.records
    (number,) = [r.n for r in records if r.body.get("why") == "reset"]
    assert spoilt.records[number - 1].at == "2026-11-22T12:00:00Z"
    rewrite(spoilt, too_early(records))
    assert [(f.record, f.code) for f in spoilt.audit().findings] == [(number, "early-key")]
    assert checked(spoilt.folder) == [f"early-key record {number}"]


def test_a_loss_carried_out_though_the_key_signed_is_found(
    fast: Proven, clock: Clock, tmp_path: Path
) -> None:
    """The moderator leaves out the set that would have stopped him: its sender has a receipt."""
    with writing(fast.home, "g1") as game:
        lose(game, "fox", Newcomer(public_line(NEW.wire)))
    receipt = fast.sends("fox", "FOX: move B1;").receipt
    clock.advance(hours=48)
    rewrite(fast, fast.records[:-1])
    with writing(fast.home, "g1") as game:
        carry_out(game, "fox")
    fast.window("hunter")
    assert fast.audit().whole
    assert [f.code for f in fast.audit([receipt]).findings] == ["dropped-record"]
    paper = tmp_path / "receipt.json"
    from pbem.base.hashing import canonical_json

    paper.write_bytes(canonical_json(receipt))
    assert checked(fast.folder, paper) == ["dropped-record"]


def test_an_anchor_ground_for_a_replacement_counts_too_late(fast: Proven) -> None:
    """Whoever knows the other links could look for a lucky chain: it counts only in windows after
    the one whose report named it, whose links nobody has opened yet."""
    fast.window("fox", "hunter")
    key = key_of("ground")
    ground = DiceChains(key)
    with writing(fast.home, "g1") as game:
        anchor = first_anchor(ground, "g1", "fox")
        replace(game, "fox", Newcomer(public_line(key.wire), anchor=anchor))
    link = ground.links("g1", "fox", 0)[2].hex()
    block = fast.block("fox", "FOX: hold;", link=link)
    from tests.referee import signed

    assert fast.receive(signed(block, key))[0].receipt["code"] == "bad-link"
    assert fast.sends("fox", fast.suggested("fox"), key).good
    fast.window("hunter")
    assert fast.report("hunter")["seed"]["links"]["fox"] == ""
    number = alter(fast, "received", -2, put("link", value=link))
    assert [f.record for f in fast.audit().findings] == [number]
    assert checked(fast.folder) == [f"bad-link record {number}"]
