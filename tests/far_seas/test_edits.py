"""What a ruling may change in a game of Far Seas: the books stay whole, the fog stays."""

from __future__ import annotations

from pathlib import Path

import pytest

from games.far_seas import setup
from games.far_seas.audit import audit
from games.far_seas.board import BRITISH
from games.far_seas.edits import Damage, Move, Sight
from games.far_seas.game import SYSTEM
from games.far_seas.knowledge import Sighting
from games.far_seas.state import War
from pbem.admin.setup import Choices
from pbem.model import Edit, Unfit
from tests.conftest import Clock
from tests.referee import Referee
from tests.ruling import edit, ruled, told


@pytest.fixture
def war() -> War:
    return setup.begin("war", {"optional": "none", "convoy": "uk"})


def test_a_leader_takes_the_squadron_along_a_follower_leaves_it(war: War) -> None:
    war.ships["GNEISENAU"].leader = "SCHARNHORST"
    Move(ship="Scharnhorst", area="22").amend(war)
    assert war.ships["GNEISENAU"].area == "22"
    Move(ship="GNEISENAU", area="21").amend(war)
    assert (war.ships["GNEISENAU"].leader, war.ships["SCHARNHORST"].area) == ("", "22")
    audit(war)


def test_a_german_that_was_placed_counts_as_named(war: War) -> None:
    war.known.ships["EMDEN"] = Sighting("EMDEN", "25", war.turn)
    Move(ship="EMDEN", area="26").amend(war)
    assert (war.known.ships["EMDEN"].area, war.known.ships["EMDEN"].moves) == ("25", 1)
    audit(war)


def test_damage_sinks_at_capacity_and_scores(war: War) -> None:
    ship = war.ships["EMDEN"]
    Damage(ship="EMDEN", points=ship.capacity - 1).amend(war)
    assert ship.afloat
    audit(war)
    Damage(ship="EMDEN", points=ship.capacity).amend(war)
    assert ship.gone == "sunk"
    assert war.total(BRITISH) == ship.points
    assert "EMDEN" not in war.known.ships
    audit(war)


def test_the_allies_are_given_a_sighting(war: War) -> None:
    Move(ship="EMDEN", area="29").amend(war)
    Sight(ship="EMDEN").amend(war)
    assert (war.known.ships["EMDEN"].area, war.known.ships["EMDEN"].moves) == ("29", 0)
    audit(war)


@pytest.mark.parametrize(
    ("wrong", "key"),
    [
        (Move(ship="TIRPITZ", area="22"), "ship"),
        (Move(ship="EMDEN", area="99"), "area"),
        (Damage(ship="EMDEN", points=-1), "points"),
        (Sight(ship="SYDNEY"), "ship"),
    ],
)
def test_what_cannot_be_is_refused(war: War, wrong: Edit, key: str) -> None:
    with pytest.raises(Unfit) as caught:
        wrong.amend(war)
    assert caught.value.key == key


def test_what_is_gone_neither_moves_nor_is_hurt(war: War) -> None:
    war.lose("EMDEN", "interned")
    for wrong in (Move(ship="EMDEN", area="22"), Damage(ship="EMDEN", points=1)):
        with pytest.raises(Unfit, match="is interned"):
            wrong.amend(war)


def test_a_ruled_game_goes_on_and_is_whole(tmp_path: Path) -> None:
    referee = Referee.made(tmp_path / "home", SYSTEM, Choices(seed="x"))
    referee.open()
    referee.go("british", "german")
    ruled(
        referee,
        edit("move", ship="EMDEN", area="29"),
        edit("sight", ship="EMDEN"),
        edit("damage", ship="EMDEN", points=1),
    )
    (seen,) = [c for c in referee.report("british")["contacts"] if c["id"] == "EMDEN"]
    assert (seen["place"], seen["source"]) == ("29", "Ruling")
    text = (referee.folder / "reports/british/3/report.txt").read_text()
    assert "by a ruling" in " ".join(text.split())
    referee.go("british", "german")
    referee.go("british", "german")
    assert referee.audit().whole


def test_a_secret_ruling_leaves_the_allies_in_the_fog(tmp_path: Path, clock: Clock) -> None:
    """Two worlds: a raider that sailed is put elsewhere, told to the Germans alone."""
    seen = []
    for area in ("28", "29"):
        referee = Referee.made(tmp_path / area, SYSTEM, Choices(seed="x"))
        referee.open()
        ruled(referee, edit("move", ship="EMDEN", area=area), to="german")
        seen.append(told(referee, "british"))
    assert seen[0] == seen[1]
