"""Dice links given ahead (LINKS), without an agreement to run: what it saves, what it tells the
moderator and what it does not, and what both checkers find (docs/trust.md, "Links given ahead")."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from games.toy import game as toy
from games.toy.game import SYSTEM
from pbem.errors import Busy
from pbem.turns import links
from pbem.turns.strict_dice import owes
from tests.conftest import Clock
from tests.proving import Proven, proven
from tests.trust.corpus import alter, checked, flip, put, reports
from tests.trust.dice_games import SIDES, last, link, said

FOX, HOUND = "FOX: move B1;", "HOUND: move D5;"


@pytest.fixture
def fast(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clock: Clock) -> Proven:
    """A game in which nothing stops a run."""
    monkeypatch.setattr(toy.Toy, "public", lambda system, event: "")
    return proven(tmp_path / "home", monkeypatch)


def whole(referee: Proven) -> None:
    said(referee)
    found = [report for side in SIDES for report in reports(referee, side)]
    assert checked(referee.folder, *found) == []


def locks(referee: Proven, **lines: str) -> None:
    """These sides send orders; the window is locked and waits for links."""
    for side, text in lines.items():
        outcome = referee.sends(side, text)
        assert outcome.good, outcome.text
    with pytest.raises(Busy, match="waits for the links"):
        referee.run(force=True)


def test_a_side_that_gave_its_links_need_not_reveal_them(strict: Proven) -> None:
    locks(strict, fox=f"LINKS 3;\n{FOX}", hunter=HOUND)
    assert not owes(strict.notice("fox"))
    assert owes(strict.notice("hunter"))
    assert strict.notice("hunter")["carried"] == {"fox": 1}
    told = max((strict.folder / "outbox").glob("fox-*-lock.eml")).read_text()
    assert "your orders of window 1 gave it ahead" in " ".join(told.split())
    assert strict.reveals("hunter").good
    strict.run()
    body = last(strict)
    assert body["links"] == {side: link(strict, side, 1) for side in SIDES}
    assert (body["carried"], list(body["reveals"]), body["void"]) == ({"fox": 1}, ["hunter"], [])
    assert strict.report("fox")["units"][0]["place"] == "B1"
    for window in (2, 3):  # without any mail of the fox
        locks(strict, hunter=strict.suggested("hunter"))
        assert strict.reveals("hunter").good
        strict.run()
        assert last(strict)["links"]["fox"] == link(strict, "fox", window)
        flags = " ".join(strict.report("hunter")["flags"])
        assert "The dice link of fox was carried: it came with orders of window 1" in flags
        assert "no link of fox" not in flags
    locks(strict, fox=strict.suggested("fox"), hunter=strict.suggested("hunter"))
    assert owes(strict.notice("fox"))
    for side in SIDES:
        assert strict.reveals(side).good
    strict.run()
    whole(strict)


def test_with_all_links_given_a_strict_window_closes_with_its_lock(strict: Proven) -> None:
    assert strict.sends("fox", f"LINKS 1;\n{FOX}").good
    assert strict.sends("hunter", f"LINKS 2;\n{HOUND}").good
    strict.run()
    assert (strict.register.window, last(strict)["carried"]) == (2, {"fox": 1, "hunter": 1})
    whole(strict)


def test_one_side_that_reveals_after_the_lock_keeps_the_dice_unknown(strict: Proven) -> None:
    """The theorem: whatever the others gave ahead, until this side reveals nobody has the seed."""
    for side, text in (("fox", f"LINKS 9;\n{FOX}"), ("hunter", HOUND)):
        assert strict.sends(side, text).good
    before = links.fixed(strict.register)
    assert before.links["hunter"] == ""
    with pytest.raises(Busy):
        strict.run()
    assert links.fixed(strict.register) == before
    assert strict.reveals("hunter").good
    after = links.fixed(strict.register)
    assert after.links == {side: link(strict, side, 1) for side in SIDES}
    assert after.seed != before.seed
    strict.run()
    assert last(strict)["seed"] == after.seed


def test_a_moderator_with_all_links_foresees_the_dice_and_it_shows(strict: Proven) -> None:
    for side, text in (("fox", f"LINKS 2;\n{FOX}"), ("hunter", f"LINKS 2;\n{HOUND}")):
        assert strict.sends(side, text).good
    strict.run()
    foreseen = links.fixed(strict.register).seed  # before any orders of window 2
    for side in SIDES:
        assert strict.sends(side, strict.suggested(side)).good
    strict.run()
    assert (last(strict)["window"], last(strict)["seed"]) == (2, foreseen)
    assert last(strict)["carried"] == {"fox": 1, "hunter": 1}
    assert sum("was carried" in flag for flag in strict.report("fox")["flags"]) == 2
    whole(strict)


def test_an_anchor_cannot_be_chosen_by_links_given_ahead(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> None:
    """The moderator shows the hunter the fox's links; the hunter tries anchors until the dice suit.
    An anchor that comes then counts only behind these links."""
    strict = proven(tmp_path / "home", monkeypatch, ("fox",), dice="strict")
    assert strict.sends("fox", f"LINKS 3;\n{FOX}").good
    assert strict.sends("hunter", HOUND).good  # with its first anchor
    strict.run(force=True)
    for _ in (2, 3):
        assert last(strict)["links"]["hunter"] == ""
        assert strict.sends("hunter", strict.suggested("hunter")).good
        strict.run(force=True)
    assert [a["from"] for a in strict.report("hunter")["anchors"]["hunter"]] == [4]
    locks(strict, hunter=strict.suggested("hunter"))
    assert strict.reveals("hunter").good
    strict.run()
    assert last(strict)["links"]["hunter"]
    whole(strict)


def test_nothing_takes_links_back(strict: Proven) -> None:
    assert strict.sends("fox", f"LINKS 9;\n{FOX}").good
    assert strict.sends("fox", FOX).good
    entered = strict.receive(strict.block("fox", FOX), side="fox")
    assert entered[0].good, entered[0].text
    locks(strict, hunter=HOUND)
    assert strict.reveals("hunter").good
    assert not strict.reveals("fox").good
    strict.run()
    strict.undo()
    strict.run()
    assert last(strict)["links"]["fox"] == link(strict, "fox", 1)
    strict.undo(reopen=True)
    window = strict.register.window
    assert links.fixed(strict.register).links["fox"] == link(strict, "fox", window)
    whole(strict)


def test_links_given_ahead_agree_to_no_run(fast: Proven) -> None:
    assert fast.sends("hunter", f"RUN 3;\n{HOUND}").good
    outcome = fast.sends("fox", f"LINKS 3;\n{FOX}")
    assert "has your dice links of windows 1 to 3 from now on" in " ".join(outcome.text.split())
    fast.run()
    assert (fast.register.window, last(fast).get("run")) == (2, None)
    fast.run(force=True)  # without any mail: the dice have both links
    assert last(fast)["links"] == {side: link(fast, side, 2) for side in SIDES}
    assert last(fast)["carried"] == {"hunter": 1, "fox": 1}
    whole(fast)


def test_a_longer_run_is_not_made_shorter(fast: Proven) -> None:
    assert fast.sends("hunter", f"RUN 2;\n{HOUND}").good
    assert fast.sends("fox", f"RUN 2;\nLINKS 5;\n{FOX}").good
    fast.run()
    assert (fast.register.window, last(fast)["run"]["to"]) == (3, 2)
    assert links.fixed(fast.register).links == {"hunter": "", "fox": link(fast, "fox", 3)}
    whole(fast)


def test_a_link_must_be_of_the_window_that_the_set_reaches(strict: Proven) -> None:
    for lines, given in ((FOX, 1), (f"LINKS 2;\n{FOX}", 1), (f"LINKS 1;\n{FOX}", 2)):
        refused = strict.order("fox", lines, link=link(strict, "fox", given))
        assert refused.receipt["code"] == "bad-link"
    assert strict.order("fox", f"LINKS 2;\n{FOX}", link="none").receipt["code"] == "no-link"
    assert strict.order("fox", f"LINKS 2;\n{FOX}", link=link(strict, "fox", 2)).good


ATTACKS = {
    "a set that gave no links ahead": ("received", put("links", value=0)),
    "more links than were given": ("received", put("links", value=3)),
    "a link hidden as one that came late": ("closed", put("carried", value={})),
    "another carried link": ("closed", flip("links", "fox")),
    "a side declared void that gave its link": ("closed", put("void", value=["fox"])),
}


@pytest.mark.parametrize("attack", ATTACKS)
def test_attacks_are_found_by_both(attack: str, strict: Proven, tmp_path: Path) -> None:
    locks(strict, fox=f"LINKS 2;\n{FOX}", hunter=HOUND)
    assert strict.reveals("hunter").good
    strict.run()
    shutil.copytree(strict.home, tmp_path / "copy")
    copy = Proven(tmp_path / "copy", SYSTEM)
    kind, change = ATTACKS[attack]
    number = alter(copy, kind, 0, change)
    (found,) = copy.audit().findings
    (mine,) = checked(copy.folder)
    assert (found.record, int(mine.split()[2])) == (number, number)


@pytest.mark.parametrize("windows", [0, 5])
def test_another_run_than_the_set_agreed_to_is_found_by_both(
    windows: int, fast: Proven, tmp_path: Path
) -> None:
    """Both agree to two windows; the record of one set says that it agreed to none, or to more."""
    assert fast.sends("fox", f"RUN 2;\n{FOX}").good
    assert fast.sends("hunter", f"RUN 3;\n{HOUND}").good
    shutil.copytree(fast.home, tmp_path / "copy")
    copy = Proven(tmp_path / "copy", SYSTEM)
    number = alter(copy, "received", 0, put("ahead", value=windows))
    (found,) = copy.audit().findings
    (mine,) = checked(copy.folder)
    assert (found.record, int(mine.split()[2])) == (number, number)
