"""Sets of roles: they change no die, and the moderator can neither drop, swap, add nor delay one
unnoticed once he knows the dice links.

An officer of a role holds what a commander holds: his receipts, his reports, and with strict dice
the notice of the lock.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from pbem.admin.setup import Choices, Newcomer, create, enlist
from pbem.audit.open_file import attached
from pbem.base.hashing import canonical_json
from pbem.crypto.sshsig import public_line
from pbem.dice.chains import DiceChains, first_anchor
from pbem.errors import Busy
from pbem.roles import role_of
from pbem.store.game_dir import writing
from tests.conftest import Clock
from tests.luck import pinned
from tests.officers import conftest
from tests.officers.game import SIDES, SYSTEM
from tests.proving import Proven
from tests.referee import key_of
from tests.secrecy import differences, opened
from tests.trust.corpus import Body, alter, checked, put, reports, rewrite, verify

AIR = "hunters.air"
ORDERS = {"hunters": "SHEFFIELD: go A2;", "raider": "PINGUIN: go A2;"}
known = conftest.known


def game(home: Path, patch: pytest.MonkeyPatch, dice: str, roll: str = "") -> Proven:
    """An open game whose air officer may write. roll: names the dice of the game."""
    pinned(patch, roll or home.name)
    referee = Proven(home, SYSTEM)
    create(home, SYSTEM, "g1", Choices(dice=dice))
    with writing(home, "g1") as made:
        for seat in (*SIDES, AIR):
            key = key_of(seat)
            anchor = first_anchor(DiceChains(key), "g1", seat)
            enlist(made, seat, Newcomer(public_line(key.wire), f"{seat}@x.org", anchor=anchor))
    referee.open()
    return referee


def closed(referee: Proven, *air: str) -> None:
    """Close a window to which the sides and the air officer wrote; all links are revealed."""
    for side in SIDES:
        assert referee.sends(side, ORDERS[side]).good
    for lines in air:
        assert referee.sends(AIR, lines).good
    if referee.register.created.dice == "strict":
        with pytest.raises(Busy):
            referee.run()
        for side in SIDES:
            assert referee.reveals(side).good
    referee.run()


@pytest.fixture(params=["fast", "strict"])
def played(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Proven]:
    """Two windows; in the first the air officer replaced his orders."""
    referee = game(tmp_path / "roles", monkeypatch, request.param)
    closed(referee, "WALRUS: go A1;", "WALRUS: go A3;")
    closed(referee, "WALRUS: go B1;")
    yield referee


def found(referee: Proven) -> tuple[str, str]:
    """What both checkers find in the ledger, without anybody's reports."""
    audited = referee.audit().findings
    said = checked(referee.folder)
    return (audited[0].code if audited else ""), (said[0].split()[0] if said else "")


def held(referee: Proven, kind: str) -> list[Path]:
    """The air officer's receipts or locks, as files."""
    kept = []
    for mail in sorted((referee.folder / "outbox").glob(f"{AIR}-*-{kind}.eml")):
        path = referee.home / f"{mail.stem}.json"
        path.write_bytes(attached(mail.read_bytes())[f"{kind}.json"])
        kept.append(path)
    return kept


def the_set(referee: Proven, nth: int = 0) -> int:
    """The number of the nth record of a set of the air officer."""
    mine = [r.n for r in referee.records if r.kind == "received" and r.body["side"] == AIR]
    return mine[nth]


def test_an_honest_game_is_sound(played: Proven) -> None:
    kept = [path for seat in (*SIDES, AIR) for path in reports(played, seat)]
    kept += held(played, "receipt") + held(played, "lock")
    assert checked(played.folder, *kept) == []
    assert not played.audit([json.loads(path.read_bytes()) for path in kept]).findings
    assert {unit["place"] for unit in played.report(AIR)["units"]} == {"B1"}


@pytest.mark.parametrize("dice", ["fast", "strict"])
def test_the_set_of_a_role_changes_no_die(
    dice: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not if it comes or not, nor what it says: links are the commanders' alone."""
    rolls = []
    for name, air in (("one", ()), ("two", ("WALRUS: go A1;",)), ("three", ("WALRUS: go B2;",))):
        referee = game(tmp_path / name, monkeypatch, dice, roll="same")
        closed(referee, *air)
        last = referee.register.closed[-1]
        assert set(last.links) == set(SIDES)
        (roll,) = last.rolls
        rolls.append((roll.label, roll.dice, last.seed))
    assert rolls[0] == rolls[1] == rolls[2]


def test_a_role_gives_no_link_and_announces_no_anchor(played: Proven) -> None:
    assert not [a for a in played.register.anchors if role_of(a.side)]
    number = [r.n for r in played.records if r.kind == "enlisted"][-1]
    alter(played, "enlisted", -1, put("anchor", value="ab" * 32))
    assert number
    assert found(played) == ("officer", "officer")


# Dropped


def test_a_set_taken_out_is_found_by_what_its_officer_holds(played: Proven) -> None:
    """The whole record is gone, and the window says NMR."""
    number = the_set(played, -1)
    receipts = held(played, "receipt")
    records = [r for r in played.records if r.n != number]
    rewrite(played, [replace(r, n=i) for i, r in enumerate(records, 1)])
    assert "" not in found(played)
    said = checked(played.folder, *receipts)
    assert said


def test_a_set_recorded_and_left_out_of_its_window_is_found(played: Proven) -> None:
    alter(played, "closed", -1, put("sets", AIR, value={"order": "NMR", "record": 0}))
    assert found(played) == ("sets", "dropped-order")


def test_a_window_that_names_no_set_of_the_role_is_found(played: Proven) -> None:
    def drop(body: Body) -> None:
        del body["sets"][AIR]

    alter(played, "closed", -1, drop)
    assert found(played) == ("sets", "dropped-order")


def test_a_lost_set_is_shown_by_receipt_and_report(played: Proven) -> None:
    """Without any ledger: the officer's own report denies what his receipt says."""
    receipt = held(played, "receipt")[-1]
    report = reports(played, AIR)[-1]
    facts = json.loads(report.read_bytes())
    facts["seed"]["sets"][AIR] = "NMR"
    assert report.parent.name == "3"
    facts["digest"] = verify.digest_of("report", facts)
    lie = played.home / "report.json"
    lie.write_bytes(canonical_json(facts))
    assert "dropped-order" in checked(lie, receipt)


# Swapped


def test_an_older_set_used_instead_is_found(played: Proven) -> None:
    first = the_set(played)
    order = next(r for r in played.records if r.n == first).body["order"]
    alter(played, "closed", 0, put("sets", AIR, value={"order": order, "record": first}))
    assert found(played) == ("sets", "dropped-order")


def test_other_orders_in_its_record_are_found(played: Proven) -> None:
    def change(body: Body) -> None:
        body["canonical"] = body["canonical"].replace("GO B1", "GO C1")

    alter(played, "received", -1, change)
    assert found(played) == ("signature", "altered-order")


def test_a_set_signed_by_an_officer_of_another_seat_is_found(played: Proven) -> None:
    for side in ("hunters", "raider"):
        report = played.report(AIR, 2)
        text = played.block(AIR, "WALRUS: go C1;", report)
        assert played.receive(text, side=side)[0].receipt["code"] in ("wrong-side", "late")
    commander = next(r for r in played.records if r.kind == "received").body

    def change(body: Body) -> None:
        body.update({"side": "hunters", "officer": commander["officer"]})

    alter(played, "received", -1, change)
    assert "" not in found(played)


# Added


def test_a_set_put_in_is_found(played: Proven) -> None:
    """A copy of the officer's set of another window, recorded for this one."""
    records = played.records
    mine = next(r for r in records if r.n == the_set(played))
    body = {**mine.body, "window": 2, "seq": mine.body["seq"] + 50_000}
    at = next(i for i, r in enumerate(records) if r.kind == "closed" and r.body["window"] == 2)
    added = [*records[:at], replace(mine, body=body), *records[at:]]
    rewrite(played, [replace(r, n=i) for i, r in enumerate(added, 1)])
    assert "" not in found(played)


def test_orders_that_the_moderator_enters_for_a_role_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    referee = game(tmp_path / "roles", monkeypatch, "fast")
    for side in SIDES:
        assert referee.sends(side, referee.suggested(side).splitlines()[0]).good
    assert referee.receive(referee.block(AIR, "WALRUS: go A2;"), side=AIR)[0].good
    referee.run()
    assert any("entered by the moderator" in flag for flag in referee.audit().flags)
    said, bad = verify.check_all([str(referee.folder)])
    assert not bad
    assert any(f"orders of {AIR} entered by the moderator" in line for line in said)
    told = referee.report(AIR)["seed"]["sets"][AIR]
    assert told != "NMR"  # the officer, who sent nothing, sees that something came


# Delayed


def test_a_set_after_the_lock_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    referee = game(tmp_path / "roles", monkeypatch, "strict")
    for side in SIDES:
        assert referee.sends(side, referee.suggested(side).splitlines()[0]).good
    with pytest.raises(Busy):
        referee.run()
    assert referee.sends(AIR, "WALRUS: go A2;").receipt["code"] == "locked"
    assert referee.notice(AIR)["own"] == "NMR"


def test_the_notice_of_a_lock_tells_a_role_nothing_of_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> None:
    """In one world the commander writes, in the other he does not."""
    notices = []
    for world in ("one", "two"):
        referee = game(tmp_path / world, monkeypatch, "strict", roll="same")
        for side in SIDES if world == "one" else SIDES[1:]:
            assert referee.sends(side, ORDERS[side]).good
        assert referee.sends(AIR, "WALRUS: go A2;").good
        with pytest.raises(Busy):
            referee.run(force=True)
        (mail,) = (referee.folder / "outbox").glob(f"{AIR}-*-lock.eml")
        notices.append(opened(mail.name, mail.read_bytes()))
    assert differences(*notices) == []
    assert b"you need not" in b" ".join(notices[0].values()).lower()


def test_a_set_moved_behind_the_lock_or_the_close_is_found(played: Proven) -> None:
    records: list[Any] = played.records
    number = the_set(played, -1)
    fixes = "locked" if played.register.created.dice == "strict" else "closed"
    late = next(r for r in records if r.n == number)
    rest = [r for r in records if r.n != number]
    at = max(i for i, r in enumerate(rest) if r.kind == fixes) + 1
    moved = [*rest[:at], late, *rest[at:]]
    rewrite(played, [replace(r, n=i) for i, r in enumerate(moved, 1)])
    assert "" not in found(played)


def test_another_set_behind_the_lock_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The moderator has all links, and exchanges the role's set for its older one."""
    referee = game(tmp_path / "roles", monkeypatch, "strict")
    closed(referee, "WALRUS: go A1;", "WALRUS: go A3;")
    first = the_set(referee)
    order = next(r for r in referee.records if r.n == first).body["order"]
    locks = held(referee, "lock")
    for kind in ("locked", "closed"):
        alter(referee, kind, 0, put("sets", AIR, value={"order": order, "record": first}))
    assert found(referee) == ("sets", "dropped-order")
    assert "two-locks" not in checked(referee.folder)
    assert json.loads(locks[0].read_bytes())["own"] != order
