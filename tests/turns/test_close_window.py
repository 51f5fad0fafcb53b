"""Closing a window: when, with whose orders, with which dice."""

from __future__ import annotations

from pathlib import Path
from shutil import rmtree

import pytest

from games.toy.game import SYSTEM
from pbem.errors import Busy, Damaged, NotFound, Usage
from pbem.turns.close_window import due, load_values
from tests.conftest import Clock
from tests.referee import Referee, tree

LABEL = "NOISE/TWIG/-/FOX/1/1D6"


def test_a_window_closes_when_all_are_in(referee: Referee) -> None:
    assert not due(referee.read())
    with pytest.raises(Busy) as busy:
        referee.run()
    assert "fox, hunter" in busy.value.hint
    referee.order("fox", "FOX: move A2;")
    with pytest.raises(Busy) as busy:
        referee.run()
    assert "fox" not in busy.value.hint
    referee.order("hunter", "HOUND: move E4;")
    assert due(referee.read()) == "all sides are in"
    assert referee.run().missing == []


def test_a_window_closes_at_its_deadline(tmp_path: Path, clock: Clock) -> None:
    from pbem.admin.setup import Choices

    referee = Referee.made(tmp_path / "home", SYSTEM, Choices(seed="x"))
    referee.open("2026-11-21T12:00:00Z")
    assert referee.report("fox")["deadline"] == "2026-11-21T12:00:00Z"
    clock.set("2026-11-21T11:59:59Z")
    with pytest.raises(Busy):
        referee.run()
    clock.advance(seconds=1)
    done = referee.run(deadline="2026-11-22T12:00:00Z")
    assert done.missing == ["fox", "hunter"]
    assert referee.report("hunter")["deadline"] == "2026-11-22T12:00:00Z"


def test_a_dry_run_changes_nothing_and_rolls_throw_away_dice(referee: Referee) -> None:
    referee.order("fox", "FOX: move A2;")
    before = tree(referee.folder)
    rolls = [referee.run(dry=True).rolls[0].dice for _ in range(40)]
    assert tree(referee.folder) == before
    assert len(set(rolls)) > 1


def test_a_game_that_is_over_takes_no_more(referee: Referee) -> None:
    while not referee.run(force=True).over:
        pass
    assert referee.report("fox")["result"]["rule"] == "4.2"
    with pytest.raises(Busy):
        referee.run(force=True)


def test_a_game_that_is_not_open_or_open_already(tmp_path: Path, clock: Clock) -> None:
    from pbem.admin.setup import Choices

    referee = Referee.made(tmp_path / "home", SYSTEM, Choices(seed="x"))
    with pytest.raises(Busy):
        referee.run(force=True)
    referee.open()
    with pytest.raises(Busy):
        referee.open()


def test_another_edition_refuses_to_run_the_game(
    referee: Referee, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(SYSTEM), "edition", "2")
    before = tree(referee.folder)
    with pytest.raises(Usage, match="pinned to edition 1"):
        referee.run(force=True)
    assert tree(referee.folder) == before
    assert [f.code for f in referee.audit().findings] == ["edition"]


def test_a_position_that_a_power_cut_took_is_read_from_its_bundle(referee: Referee) -> None:
    position = referee.folder / "state" / f"{referee.register.position}.json"
    report = referee.folder / "reports" / "fox" / "1" / "report.json"
    referee.order("fox", "FOX: move A2;")
    position.unlink()
    report.write_bytes(b"")
    assert referee.run(force=True).window == 1
    assert referee.audit().whole


@pytest.mark.parametrize("what", ["missing", "altered"])
def test_a_damaged_position_is_damage(what: str, referee: Referee) -> None:
    path = referee.folder / "state" / f"{referee.register.position}.json"
    if what == "missing":
        path.unlink()
        rmtree(referee.folder / "private" / "issued")
    else:
        path.write_bytes(path.read_bytes().replace(b"A1", b"A2"))
    with pytest.raises(Damaged):
        referee.run(force=True)
    assert referee.audit().whole  # the ledger alone is enough to check a game


def hand(home: Path) -> Referee:
    return Referee.toy(home, dice="hand")


def test_a_missing_label_is_named_and_nothing_changes(tmp_path: Path, clock: Clock) -> None:
    referee = hand(tmp_path / "home")
    before = tree(referee.folder)
    bad: list[dict[str, list[int]] | None] = [None, {}, {"OTHER": [3]}]
    bad += [{LABEL: [7]}, {LABEL: [3, 3]}, {LABEL: []}]
    for values in bad:
        with pytest.raises(Usage, match=LABEL):
            referee.run(force=True, values=values)
    assert tree(referee.folder) == before
    assert referee.run(force=True, values={LABEL: [6]}).rolls[0].dice == (6,)
    assert referee.audit().whole


def test_dice_are_not_typed_for_other_games(referee: Referee) -> None:
    with pytest.raises(Usage, match="--dice"):
        referee.run(force=True, values={LABEL: [6]})


@pytest.mark.parametrize("text", ["no toml", '"A" = 3', '"A" = "x"', '"A" = [1.5]', "[A]\nb = 1"])
def test_a_file_of_dice_has_a_list_of_numbers_a_line(text: str, tmp_path: Path) -> None:
    path = tmp_path / "dice.toml"
    path.write_text(text)
    with pytest.raises(Usage):
        load_values(str(path))


def test_a_file_of_dice_that_is_not_there_is_said_so(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none.toml"):
        with pytest.raises(NotFound, match="there is no file"):
            load_values(str(path))


def test_a_file_of_dice_is_read(tmp_path: Path) -> None:
    path = tmp_path / "dice.toml"
    path.write_bytes(b"\xef\xbb\xbf" + f'"{LABEL}" = [3]\r\n'.encode())
    assert load_values(str(path)) == {LABEL: [3]}
    path.write_text(f'"{LABEL}" = [4]\n')
    assert load_values(str(path)) == {LABEL: [4]}


def test_a_silent_side_follows_its_standing_orders(referee: Referee) -> None:
    referee.play({"fox": "@FOX: move A2;"}, {})
    assert referee.report("fox", 2)["units"][0]["place"] == "A2"
    assert referee.report("fox", 2)["standing"] == ["@FOX: move A2;"]
    referee.play({"fox": "@FOX: none;"})
    assert referee.report("fox")["standing"] == []


def test_the_form_suggests_nothing_that_would_count_before_an_order_in_force(
    referee: Referee,
) -> None:
    assert referee.suggested("fox") == "FOX: move A2;"
    referee.play({"fox": "FOX: move A2;\nturn 3 FOX: move A2;"})
    assert referee.suggested("fox") == "FOX: move A1;"
    referee.go("fox")
    assert referee.report("fox")["standing"] == ["turn 3 FOX: move A2;"]
    assert referee.suggested("fox") == "[ FOX has orders in force ]"
    referee.go("fox")
    assert referee.report("fox")["units"][0]["place"] == "A2"
    assert referee.suggested("fox") == "FOX: move A1;"


def test_orders_are_executed_as_they_were_signed(referee: Referee) -> None:
    """Only the canonical bytes of the ledger count, not the mail beside it."""
    referee.order("fox", "FOX: move A2;")
    for path in (referee.folder / "private" / "mail").iterdir():
        path.unlink()
    referee.run(force=True)
    assert referee.report("fox")["units"][0]["place"] == "A2"


def test_a_report_says_what_its_side_ordered_and_nobody_elses(referee: Referee) -> None:
    assert "ordered" not in referee.report("fox")
    referee.play({"fox": "FOX: move B1; turn 3 FOX: move B2;", "hunter": ""})
    assert referee.report("fox")["ordered"] == ["FOX: move B1;"]
    assert "ordered" not in referee.report("hunter")


def test_the_red_side_is_red_on_its_page(referee: Referee) -> None:
    """As on the charts, whoever looks: the second of two sides, where the system names none."""
    red = {
        side: "b.id,th.id,.sub .id{color:#b3261e}"
        in (referee.folder / "reports" / side / "1" / "report.html").read_text()
        for side in ("fox", "hunter")
    }
    assert red == {"fox": False, "hunter": True}
