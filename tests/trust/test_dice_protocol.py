"""Who could still vary something that decides a die when he can compute it: the tables of
docs/trust.md, "Who fixes what, and when", cell by cell.

Each test plays an attack with keys, orders and commands, to its end. Both checkers then look at the
game. Dice cannot be chosen where what the others give is fixed, or unknown, at the moment of the
choice; where that is not so, both checkers have to name it.
"""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from games.toy.game import SYSTEM
from pbem.admin.commands import replace
from pbem.admin.setup import Newcomer, enlist, enlist_bot, setup_text
from pbem.base.hashing import H, canonical_json, setup_digest
from pbem.base.report_json import Report
from pbem.bots.bot_orders import play_bots
from pbem.cli import main
from pbem.crypto.sshsig import public_line
from pbem.dice.chains import DiceChains, first_anchor
from pbem.reports.filters import UNBOUND
from pbem.store.game_dir import writing
from pbem.store.register import Register
from pbem.turns import links
from tests.conftest import Clock
from tests.proving import Proven, proven
from tests.referee import key_of
from tests.trust.corpus import Body, alter, checked, put, reports, verify
from tests.trust.dice_games import (
    SIDES,
    die,
    last,
    link,
    named,
    proven_unopened,
    said,
    sends,
)
from tests.trust.key_games import NEW, change


@pytest.fixture
def late(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clock: Clock) -> Proven:
    """Both sides were enlisted without anchors, which come with their first orders."""
    return proven(tmp_path / "home", monkeypatch, ())


# From `new` to the first window: the moderator makes the set-up text


def test_choosing_a_deadline_does_not_choose_the_first_dice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> None:
    """The moderator opens copies of a game with other deadlines until the dice that follow from the
    set-up alone suit. The anchors that come with the first orders then change the dice."""
    home = tmp_path / "home"
    referee = proven_unopened(home, monkeypatch)
    wanted = None
    for minute in range(60):
        trial = tmp_path / f"trial{minute}"
        shutil.copytree(home, trial)
        at = f"2026-12-01T12:{minute:02}:00Z"
        with pytest.raises(SystemExit) as stop:
            main(["--home", str(trial), "open", "g1", "--deadline", at])
        assert stop.value.code == 0
        copy = Proven(trial, SYSTEM)
        g0 = bytes.fromhex(setup_digest(copy.register.setup))
        hoped = die(g0, 1, links.seed(g0, 1, dict.fromkeys(SIDES, "")))
        if hoped == 6:
            wanted = copy
            break
    assert wanted, "none of sixty fell so"
    sends(wanted, *SIDES)
    wanted.run()
    body = last(wanted)
    assert sorted(body["firsts"]) == sorted(SIDES)
    g0 = bytes.fromhex(setup_digest(wanted.register.setup))
    assert body["seed"] != links.seed(g0, 1, dict.fromkeys(SIDES, "")).hex()
    assert referee.name == wanted.name
    said(wanted)


def test_trying_ten_thousand_set_ups_leaves_the_next_roll_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clock: Clock, nightly: bool
) -> None:
    """Everything that goes into the set-up text is varied. Among the set-ups whose dice would be a
    six without the players, the die that falls with them is as likely to be any other."""
    referee = proven_unopened(tmp_path / "home", monkeypatch)
    register = referee.register
    count = 10_000 if nightly else 500
    by = verify.digest("x").hex()[:16]
    firsts = {side: first_anchor(DiceChains(key_of(side)), "g1", side, by) for side in SIDES}
    none = dict.fromkeys(SIDES, "")
    fell: dict[str, Counter[int]] = {"hoped": Counter(), "alone": Counter(), "after": Counter()}
    for n in range(count):
        g0 = H("setup", varied(register, n).encode("ascii"))
        hoped = die(g0, 1, links.seed(g0, 1, none))
        real = die(g0, 1, links.seed(g0, 1, none, firsts))
        fell["alone"][hoped] += 1
        fell["after"][real] += 1
        if hoped == 6:
            fell["hoped"][real] += 1
    for which in ("alone", "after", "hoped"):
        assert chi_square(fell[which]) < 20.5, fell  # 5 degrees: one sound test in a thousand


def varied(register: Register, n: int) -> str:
    """A set-up text with one of its fields altered: whatever `new`, `enlist` and `open` take."""
    made: Body = json.loads(setup_text(register, f"2026-12-01T12:00:{n % 60:02}Z"))
    fields: list[Callable[[Body], None]] = [
        lambda b: b.update(referee={"table": str(n)}),
        lambda b: b.update(options={**b["options"], "play": f"plotted{n}"}),
        lambda b: b.update(release=f"0.{n}"),
        lambda b: b.update(edition=f"wood-{n}"),
        lambda b: b.update(data=H("data", str(n).encode()).hex()),
        lambda b: b.update(scenario=f"wood{n}"),
        lambda b: b["deadlines"].update(first=f"2027-01-01T00:{n // 60 % 60:02}:{n % 60:02}Z{n}"),
        lambda b: b["policies"].update(press=f"open{n}"),
        lambda b: b["moderator"].update(sign=public_line(key_of(f"m{n}").wire)),
        lambda b: b["keys"].update(hunter=[public_line(key_of(f"bot{n}").wire)]),
        lambda b: b.update(roots=[f"{n:x}"]),
        lambda b: b.update(mail=f"plain{n}"),
    ]
    fields[n % len(fields)](made)
    return canonical_json(made).decode("ascii")


def chi_square(fell: Counter[int]) -> float:
    expected = sum(fell.values()) / 6
    return sum((fell[face] - expected) ** 2 / expected for face in range(1, 7))


def test_a_side_that_gave_its_anchor_with_its_first_orders_is_named(late: Proven) -> None:
    """What only another mail, or a joining letter, prevents: it and the moderator together could
    have tried anchors once they had the others' orders."""
    late.window(*SIDES)
    for side in SIDES:
        assert named(late, f"the first dice anchor of {side} came with its orders")
        assert any("could have chosen" in flag for flag in late.report(side)["flags"])
    assert checked(*reports(late, "fox"), *reports(late, "hunter")) == []


def test_a_first_window_without_anything_of_a_side_is_named(late: Proven) -> None:
    sends(late, "fox")
    late.run(force=True)
    assert named(late, "nothing of hunter is in the first dice")
    assert UNBOUND.format(sides="hunter") in late.report("fox")["flags"]


def test_what_entered_the_first_dice_enters_all_later_ones(late: Proven) -> None:
    """Else the moderator and one side could look for a set-up text whose dice suit them in a later
    window, and then say that the other's orders never came."""
    late.window(*SIDES)
    first = last(late)["seed"]
    late.window("fox")
    report = late.report("fox")
    assert report["seed"]["root"] == first
    body, g0 = last(late), bytes.fromhex(report["setup"]["digest"])
    assert body["seed"] == links.seed(g0, 2, body["links"], {}, first).hex()
    assert body["seed"] != links.seed(g0, 2, body["links"]).hex()
    said(late)


def test_first_anchors_said_to_count_in_a_later_window_change_no_die(late: Proven) -> None:
    """Otherwise a report of any window could name an anchor that was tried out."""
    g0, root, none = b"g" * 32, "ab" * 32, dict.fromkeys(SIDES, "")
    for seed in (links.seed, verify.seed_of):
        plain = seed(g0, 2, none, {}, root)
        assert seed(g0, 2, none, {"fox": "cd" * 32}, root) == plain
        assert seed(g0, 1, none, {"fox": "cd" * 32}) != seed(g0, 1, none)


def test_another_first_seed_told_later_is_a_fork(late: Proven, tmp_path: Path) -> None:
    for _ in range(3):
        late.window(*SIDES)
    report = late.report("fox", 4)
    report["seed"]["root"] = "ab" * 32
    del report["rolls"][:]
    own = {key: value for key, value in report.items() if key != "digest"}
    report["digest"] = H("report", canonical_json(own)).hex()
    forged = tmp_path / "report.json"
    forged.write_bytes(canonical_json(report))
    assert "fork" in checked(*reports(late, "fox")[:3], forged)
    assert "cut-or-forked" in checked(late.folder, *reports(late, "fox")[:3], forged)


def test_first_anchors_left_out_or_put_in_are_found(late: Proven) -> None:
    late.window(*SIDES)

    def without(body: Body) -> None:
        del body["firsts"]["fox"]

    number = alter(late, "closed", 0, without)
    assert [(f.record, f.code) for f in late.audit().findings] == [(number, "swapped-link")]
    assert checked(late.folder) == [f"swapped-link record {number}"]


def test_a_seed_that_is_not_that_of_the_links_is_found(fast: Proven) -> None:
    fast.window(*SIDES)
    number = alter(fast, "closed", 0, put("seed", value="cd" * 32))
    assert [(f.record, f.code) for f in fast.audit().findings] == [(number, "swapped-link")]
    assert checked(fast.folder) == [f"swapped-link record {number}"]


def test_another_game_of_the_same_name_has_other_links(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> None:
    """Otherwise the moderator would know all links of a second game `g1` with the same players."""
    seen = []
    for home in ("one", "two"):
        referee = proven(tmp_path / home, monkeypatch, ())
        referee.window(*SIDES)
        referee.window(*SIDES)
        seen.append(set(last(referee)["links"].values()))
    assert not seen[0] & seen[1]


# A window is open: what was given stays, whatever the moderator enters or changes


def test_orders_entered_for_a_side_take_no_link_away(fast: Proven) -> None:
    """Otherwise a moderator who has both links could choose dice with or without the fox's."""
    sends(fast, *SIDES)
    assert fast.receive(fast.block("fox", fast.suggested("fox")), side="fox")[0].good
    fast.run(force=True)
    assert last(fast)["links"] == {side: link(fast, side, 1) for side in SIDES}
    assert named(fast, "entered by the moderator")


def test_orders_entered_for_a_side_take_no_carried_link_away(fast: Proven) -> None:
    assert fast.sends("fox", f"RUN 3;\n{fast.suggested('fox')}").good
    fast.window("hunter")
    assert fast.receive(fast.block("fox", fast.suggested("fox")), side="fox")[0].good
    fast.window("hunter")
    assert last(fast)["links"]["fox"] == link(fast, "fox", 2)
    assert last(fast)["carried"] == {"fox": 1}
    said(fast)


def test_orders_entered_for_a_side_take_no_first_anchor_away(late: Proven) -> None:
    sends(late, *SIDES)
    assert late.receive(late.block("fox", late.suggested("fox")), side="fox")[0].good
    late.run(force=True)
    assert sorted(last(late)["firsts"]) == sorted(SIDES)
    said(late)


@pytest.mark.parametrize("anchored", [SIDES, ()])
def test_a_replacement_takes_nothing_away(
    anchored: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> None:
    """The moderator replaces a player by a friend once he has seen the dice; the friend files
    without a link, as a key without an anchor has to."""
    referee = proven(tmp_path / "home", monkeypatch, anchored)
    sends(referee, *SIDES)
    before = links.fixed(referee.register)
    with writing(referee.home, referee.name) as game:
        replace(game, "fox", Newcomer(public_line(NEW.wire)))
    assert referee.sends("fox", referee.suggested("fox"), NEW).good
    assert links.fixed(referee.register).links == before.links
    referee.run(force=True)
    assert last(referee)["links"] == before.links
    assert last(referee).get("firsts", {}).get("hunter") == before.firsts.get("hunter")
    assert named(referee, "the moderator replaced a key of fox")


def test_a_change_of_keys_takes_nothing_away(fast: Proven) -> None:
    sends(fast, *SIDES)
    assert change(fast, key_of("fox")).good
    assert fast.sends("fox", fast.suggested("fox"), NEW).good
    fast.run(force=True)
    assert last(fast)["links"] == {side: link(fast, side, 1) for side in SIDES}
    said(fast)


def test_a_replacement_behind_the_first_window_brings_no_first_anchor(fast: Proven) -> None:
    """Otherwise the replacement of a player could try anchors, in any window."""
    fast.window(*SIDES)
    sends(fast, "hunter")
    with writing(fast.home, fast.name) as game:
        replace(game, "fox", Newcomer(public_line(NEW.wire)))
    assert fast.sends("fox", fast.suggested("fox"), NEW).good
    fast.run(force=True)
    assert "firsts" not in last(fast)
    assert last(fast)["links"]["fox"] == ""
    assert any("no link of fox" in flag for flag in fast.report("hunter")["flags"])
    said(fast)


def test_of_two_officers_the_newest_counts_in_whatever_order_they_are_recorded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> None:
    """The moderator has both sets and may record them in any order: the numbers that the players
    signed decide, so that he cannot choose between their links."""
    seen = []
    for order in ((0, 1), (1, 0)):
        referee = proven(tmp_path / str(order[0]), monkeypatch)
        other = key_of("second")
        anchor = first_anchor(DiceChains(other), "g1", "fox")
        with writing(referee.home, referee.name) as game:
            enlist(game, "fox", Newcomer(public_line(other.wire), anchor=anchor))
        referee.window(*SIDES)
        report = referee.report("fox")
        files = [
            signed_by(referee, key, report["seq"] + 10 + n)
            for n, key in enumerate((key_of("fox"), other))
        ]
        for n in order:
            referee.receive(files[n])
        referee.window("hunter")
        seen.append(last(referee)["links"]["fox"])
        said(referee)
    assert seen[0] == seen[1] == DiceChains(key_of("second")).links("g1", "fox", 0)[2].hex()


def signed_by(referee: Proven, key: object, seq: int) -> str:
    """A signed file with its link, not received."""
    from pbem.player.reader import read_text
    from pbem.player.sign import block_of, header_of, signed

    report = Report.of(referee.report("fox"))
    text = block_of(header_of(report, 0), referee.suggested("fox"))
    orders = read_text(referee.system, report, text).orders
    return signed(referee.system, report, orders, DiceChains(key), seq)  # type: ignore[arg-type]


def test_an_officer_s_link_stays_when_his_fellow_files_without_one(fast: Proven) -> None:
    other = key_of("second")
    with writing(fast.home, fast.name) as game:
        enlist(game, "fox", Newcomer(public_line(other.wire)))
    sends(fast, *SIDES)
    assert fast.sends("fox", fast.suggested("fox"), other).good
    fast.run(force=True)
    assert last(fast)["links"]["fox"] == link(fast, "fox", 1)
    said(fast)


def test_a_bot_that_is_kept_from_filing_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> None:
    """The moderator holds its key: he can leave its link out, once he has the other's. Every
    report says so."""
    referee = proven_unopened(tmp_path / "home", monkeypatch, "fox")
    with writing(referee.home, referee.name) as game:
        enlist_bot(game, "hunter")
    referee.open()
    for filed in (True, False):
        sends(referee, "fox")
        if filed:
            with writing(referee.home, referee.name) as game:
                assert play_bots(game, SYSTEM) == ["hunter"]
        referee.run(force=True)
        assert bool(last(referee)["links"]["hunter"]) == filed
        told = any("no link of hunter" in flag for flag in referee.report("fox")["flags"])
        assert told != filed
    said(referee)


# Late anchors, and links that were given ahead


def test_a_new_anchor_counts_behind_all_links_that_others_gave_ahead(fast: Proven) -> None:
    """The hunter's links to window 4 are known when the fox names a new anchor: one that counted
    sooner could be looked for with them."""
    assert fast.sends("hunter", f"RUN 4;\n{fast.suggested('hunter')}").good
    assert fast.sends("fox", fast.suggested("fox"), renew=True).good
    fast.run(force=True)
    (_, new) = fast.report("hunter")["anchors"]["fox"]
    assert new["from"] == 5
    fast.window("fox")
    assert last(fast)["links"]["fox"] == link(fast, "fox", 2)
    said(fast)


def test_a_new_anchor_said_to_count_sooner_is_found(fast: Proven) -> None:
    assert fast.sends("hunter", f"RUN 4;\n{fast.suggested('hunter')}").good
    assert fast.sends("fox", fast.suggested("fox"), renew=True).good
    fast.run(force=True)
    ground = DiceChains(key_of("fox")).links(
        "g1", "fox", 0, by=fast.report("fox")["moderator"]["key"]
    )
    block = fast.block("fox", fast.suggested("fox"), link=ground[2].hex())
    from tests.referee import signed

    (outcome,) = fast.receive(signed(block, key_of("fox")))
    assert outcome.receipt["code"] == "bad-link"
