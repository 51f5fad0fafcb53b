"""Games of a former edition go on after an upgrade, by the commands that people use, until a
ruling moves them to the present edition."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import games
from pbem.admin.setup import Choices, create
from pbem.engine.editions import former
from pbem.store.game_dir import reading
from tests.cli.commands import Said, pbem
from tests.conftest import Clock
from tests.trust.corpus import checked

FORMER = {
    "bismarck": ("basic-1", "british", "german"),
    "far_seas": ("cruisers-1", "german", "british"),
}
EACH = pytest.mark.parametrize("name", FORMER)


class Older:
    """A home with one game of a former edition, and the keys of its two players."""

    def __init__(self, home: Path, name: str, dice: str = "fast") -> None:
        self.home, self.name = home, name
        self.edition, *self.sides = FORMER[name]
        seed = "x" if dice == "seeded" else ""
        system = former(name, self.edition)
        assert system
        create(home, system, "g1", Choices(dice=dice, seed=seed))
        for side in self.sides:
            self.do("keygen", "-o", self.key(side))
            public = f"{self.key(side)}.pub"
            self.do("invite", "g1", side, "--email", f"{side}@example.org")
            letter = home / f"{side}-letter.txt"
            letter.write_bytes(self.said.raw)
            self.do("join", letter, "--key", self.key(side), "-o", home / f"{side}-join.txt")
            self.do("enlist", "g1", "--letter", home / f"{side}-join.txt")
            assert Path(public).exists()
        self.do("open", "g1")

    def key(self, side: str) -> Path:
        return self.home / f"{side}.key"

    def run(self, *args: str | Path, code: int = 0) -> Said:
        self.said = pbem("--home", self.home, *args)
        assert self.said.code == code, (args, self.said.err, self.said.raw[-600:])
        return self.said

    def do(self, *args: str | Path) -> Said:
        return self.run(*args)

    def report(self, side: str) -> Path:
        window = reading(self.home, "g1").register.window
        return self.home / "g1" / "reports" / side / str(window) / "report.json"

    def send(self, side: str) -> None:
        """Form, check, sign and receive, as a player and a moderator do."""
        report, orders = self.report(side), self.home / f"{side}.txt"
        self.do("form", report, "-o", orders)
        self.do("check", orders, "--report", report)
        sent = self.home / f"{side}-sent.txt"
        sent.unlink(missing_ok=True)
        self.do("sign", orders, "--key", self.key(side), "--report", report, "-o", sent)
        self.do("receive", "g1", sent)

    def turn(self, clock: Clock) -> None:
        clock.advance(minutes=5)
        for side in self.sides:
            self.send(side)
        self.do("run", "g1")

    def audit(self) -> dict[str, object]:
        found: dict[str, object] = json.loads(self.do("audit", "g1", "--json").raw)
        assert found["whole"]
        assert checked(self.home / "g1" / "ledger.jsonl") == []
        return found

    def editions(self) -> set[str]:
        return {json.loads(self.report(side).read_bytes())["edition"] for side in self.sides}

    def permit(self, code: int = 0) -> Said:
        listed = json.loads(self.do("systems", "--json").raw)
        (present,) = [s for s in listed if s["name"] == self.name]
        assert self.edition in present["editions"]
        file = self.home / "ruling.toml"
        file.write_text(
            f'text = "We go on by {present["edition"]}"\n[permit]\n'
            f'edition = "{present["edition"]}"\ndata = "{present["data"][:16]}"\n'
        )
        return self.run("rule", "g1", file, "--reason", "all agreed", code=code)


@pytest.mark.some(1)
@EACH
def test_a_game_goes_on_by_the_rules_that_it_began_with(
    name: str, tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the present rules do meanwhile."""
    played = Older(tmp_path, name)

    def changed(*given: object) -> None:
        raise AssertionError("the present rules were asked")

    present = type(games.load(name))
    for method in ("turn", "view", "truth", "check", "note", "charts", "begin", "audit", "learn"):
        monkeypatch.setattr(present, method, changed)
    played.turn(clock)
    played.turn(clock)
    assert played.editions() == {played.edition}
    assert played.audit()["windows"] == 2
    assert b"<svg" in played.do("report", "g1", played.sides[0], "--format", "svg").raw
    assert b"<svg" in played.do("chart", played.report(played.sides[1]), "--format", "svg").raw
    assert b"<html" in played.do("page", played.report(played.sides[0])).raw
    assert played.do("report", "g1", "referee").raw
    played.do("undo", "g1")
    played.do("run", "g1")
    played.do("undo", "g1", "--reopen")
    played.turn(clock)
    played.do("tick")
    assert played.audit()["windows"] == 4
    assert present.edition not in played.editions()


@pytest.mark.some(1)
@EACH
def test_a_ruling_moves_a_game_to_the_present_edition(
    name: str, tmp_path: Path, clock: Clock
) -> None:
    """Its audit plays the windows of both editions again."""
    played = Older(tmp_path, name, "seeded")
    played.turn(clock)
    played.permit()
    assert played.editions() == {games.load(name).edition}
    played.turn(clock)
    found = played.audit()
    assert found["windows"] == 2
    assert not [flag for flag in found["flags"] if "cannot" in flag]  # type: ignore[attr-defined]
    assert "closed by another edition" in _refused_undo(played)
    played.do("end", "g1", "--result", "draw", "--reason", "enough")
    played.do("publish", "g1", "-o", tmp_path / "replay.html")
    page = (tmp_path / "replay.html").read_text()
    assert page.count("<html") == 1
    assert b"whole: " in played.do("audit", tmp_path / "replay.zip").raw


def _refused_undo(played: Older) -> str:
    played.do("undo", "g1")
    played.do("run", "g1")
    played.do("undo", "g1", "--reopen")
    return played.run("undo", "g1", "--reopen", code=4).err
