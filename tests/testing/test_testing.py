"""`pbem.testing`: what it compares differs when it should, and says where."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from random import Random

import pytest

from games.toy.game import FOX, SYSTEM, near
from pbem.admin.setup import Choices
from pbem.model import Side, View
from pbem.testing import examples, frozen
from pbem.testing.orders import RefusedError, shown, submitted
from pbem.testing.referee import Referee
from pbem.testing.standard import standard
from pbem.testing.texts import fixed, golden, masked, played
from pbem.testing.worlds import World, differences, seeded, where
from tests.systems import OURS


class Wood(World):
    """A wood in which the two stay apart."""

    system, scenario = SYSTEM, "wood"
    wrong = frozenset({"unknown-verb"})

    def hidden_orders(self, side: Side) -> str:
        """The hound stays in rows D and E."""
        steps = [zone for zone in near(self.drive.state.place["HOUND"]) if zone[0] in "DE"]
        return f"HOUND: move {self.random.choice(steps)};"


OWN = ["FOX: move A2;", "FOX: move A3;", "FOX: fly;", "@FOX: move A2;"]


def wood(name: str) -> Wood:
    options = {"play": "plotted"}
    return Wood(FOX, SYSTEM.begin("wood", {}, {}), options, Random(name), seeded())


def test_worlds_that_look_alike_do_not_differ() -> None:
    one, other = wood("one"), wood("other")
    assert differences(one, other, OWN) == []
    assert one.drive.state.place != other.drive.state.place
    assert len(one.artefacts) == len(OWN) * 7


def test_a_leak_is_named_with_its_path(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = type(SYSTEM).view

    def leaking(self: object, hide: object, side: Side) -> View:
        view = honest(SYSTEM, hide, side)  # type: ignore[arg-type]
        view.news = str(hide)
        return view

    monkeypatch.setattr(type(SYSTEM), "view", leaking)
    found = differences(wood("one"), wood("other"), OWN)
    assert any("$.news" in line for line in found), found


def test_places_in_texts() -> None:
    assert where(b"a\nb", b"a\nb") == ""
    assert where(b"a\nb", b"a\nc").startswith("line 2: ")
    assert where(b'{"a": [1]}', b'{"a": [2]}') == "$.a[0]: 1 and 2"


def test_a_game_reads_the_same_whenever_it_is_played(tmp_path: Path) -> None:
    choices = Choices(seed="a")
    sets = [{"fox": "FOX: move A2;", "hunter": "HOUND: move D5;"}]
    one, other = (played(tmp_path / name, SYSTEM, sets, choices) for name in "ab")
    assert one == other
    assert "===== receipt of hunter =====" in one
    assert masked(b"0123456789abcdef stays") == b"################ stays"


def test_golden_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = tmp_path / "kept.txt"
    monkeypatch.setenv("GOLDEN", "write")
    golden(kept, "as it was")
    monkeypatch.delenv("GOLDEN")
    golden(kept, "as it was")
    with pytest.raises(AssertionError, match="GOLDEN=write"):
        golden(kept, "as it is")


def test_what_a_player_cannot_send_is_refused_with_what_he_would_read() -> None:
    report = shown(SYSTEM, SYSTEM.begin("wood", {}, {}), FOX)
    (order,) = submitted(SYSTEM, report, "FOX: move A2;").orders
    assert order.actor == "FOX"
    with pytest.raises(RefusedError, match=r"(?s)orders:2:11: error not-now: .*hint: possible now"):
        submitted(SYSTEM, report, "FOX: move E5;")
    both = "FOX: move E5; @FOX: move A2;"
    (order,) = submitted(SYSTEM, report, both, refused=["not-now"]).orders
    assert order.standing
    with pytest.raises(RefusedError, match="nothing was refused"):
        submitted(SYSTEM, report, "FOX: move A2;", refused=["not-now"])


class Drawn(World):
    """Worlds whose hidden orders are drawn from the hound's menu."""

    system, scenario = SYSTEM, "wood"

    def apart(self, side: Side) -> list[str]:
        return [row + column for row in "DE" for column in "12345"]


def test_hidden_orders_are_drawn_from_the_menu() -> None:
    one, other = Drawn.pair(FOX, "a", play="plotted")
    assert differences(one, other, ["FOX: move A2;", "", "@FOX: move A1;"]) == []
    places = [world.drive.state.place["HOUND"] for world in (one, other)]
    assert places[0] != places[1]
    assert {place[0] for place in places} <= set("DE")


def test_where_hidden_orders_may_lead_nowhere_there_are_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Drawn, "apart", lambda self, side: ["A1"])
    world, _ = Drawn.pair(FOX, "a")
    hunter = next(side for side in world.drive.sides if side != FOX)
    assert world.hidden_orders(hunter) == ""


def test_the_standard_tests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept, home = tmp_path / "kept", tmp_path / "home"
    kept.mkdir()
    lint, playthrough, frozen_game = standard(SYSTEM, kept, [{"fox": "FOX: move A2;"}])
    with pytest.raises(FileNotFoundError):
        frozen_game()
    monkeypatch.setenv("GOLDEN", "write")
    playthrough(home)
    frozen_game()
    monkeypatch.delenv("GOLDEN")
    frozen_game()
    assert sorted(path.name for path in kept.iterdir()) == ["frozen-1.jsonl.gz", "playthrough.txt"]
    (kept / "playthrough.txt").write_text("another")
    with pytest.raises(AssertionError, match="GOLDEN=write"):
        playthrough(tmp_path / "again")
    monkeypatch.setattr("pbem.testing.standard.lint", lambda system: ["a finding"])
    with pytest.raises(AssertionError, match="a finding"):
        lint()


def test_a_turn_with_refused_orders_is_not_played(tmp_path: Path) -> None:
    referee = Referee.opened(tmp_path, SYSTEM, dice="seeded")
    assert referee.refused("fox", "FOX: move E5; BEAR: move A2;") == ["not-now", "unknown-unit"]
    with pytest.raises(AssertionError, match="not-now"):
        referee.turn(fox="FOX: move E5;")
    referee.turn(fox="FOX: move A2;")
    assert referee.unit("fox", "FOX")["place"] == "A2"
    assert (referee.unit("fox", "BEAR"), referee.contacts("fox")) == ({}, [])


def test_hidden_orders_that_could_not_be_sent_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    world = wood("one")
    hunter = next(side for side in world.drive.sides if side != FOX)
    assert world.legal(hunter, ["HOUND: move A1;", "HOUND: move D5;"]) == "HOUND: move D5;"
    monkeypatch.setattr(Wood, "hidden_orders", lambda self, side: "HOUND: move A1;")
    with pytest.raises(RefusedError, match="not-now"):
        world.window("FOX: move A2;")


def test_a_frozen_game_is_whole_until_the_rules_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = tmp_path / "1.jsonl.gz"
    frozen.freeze(SYSTEM, kept)
    frozen.require_whole(SYSTEM, kept)
    assert frozen.edition_of(kept) == SYSTEM.edition
    lines = gzip.decompress(kept.read_bytes()).splitlines(keepends=True)
    kept.write_bytes(gzip.compress(b"".join([*lines[:-2], lines[-1]])))
    with pytest.raises(AssertionError, match="needs a new edition"):
        frozen.require_whole(SYSTEM, kept)


def test_examples_are_judged_by_a_report(tmp_path: Path) -> None:
    for name, text in (
        ("good/step.txt", "BEGIN ORDERS\nFOX: move A2;\nEND ORDERS\n"),
        ("good/marked.txt", "[ expect: not-now ]\nBEGIN ORDERS\nFOX: move E5;\nEND ORDERS\n"),
        ("bad/odd.txt", "[ expect: not-now ]\nBEGIN ORDERS\nBEAR: move E5;\nEND ORDERS\n"),
    ):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    with fixed():
        report = Referee.opened(tmp_path / "home", SYSTEM).report("fox")
    (tmp_path / "report.json").write_text(json.dumps(report))
    found = list(examples.wrong(SYSTEM, tmp_path / "report.json", tmp_path))
    assert found == [
        "odd.txt: expected ['not-now'], found ['unknown-unit']",
        "marked.txt: only examples in bad/ expect problems",
    ]


def test_examples_of_our_systems_are_judged_alike() -> None:
    """As by tests/orders/test_examples.py."""
    root = Path(__file__).parents[2]
    import games

    for name in OURS:
        report, folder = root / "tests" / name / "example_report.json", root / "orders" / "examples"
        assert list(examples.wrong(games.load(name), report, folder / name)) == []


def test_a_game_begins_where_a_test_says(tmp_path: Path) -> None:
    state = SYSTEM.begin("wood", {}, {})
    state.place["FOX"] = "B2"
    referee = Referee.opened(tmp_path, SYSTEM, state=state)
    state.place["FOX"] = "C3"
    (fox,) = referee.report("fox")["units"]
    assert fox["place"] == "B2"
    assert referee.audit().whole
    assert SYSTEM.begin("wood", {}, {}).place["FOX"] != "B2"
