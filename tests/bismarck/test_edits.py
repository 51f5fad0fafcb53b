"""What a ruling may change in a game of Bismarck: the books stay whole, the fog stays."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from games.bismarck import availability
from games.bismarck.audit import audit
from games.bismarck.edits import Damage, Move, Sight
from games.bismarck.game import SYSTEM
from games.bismarck.state import BRITISH, GERMAN, War
from games.bismarck.taskforce import _make
from pbem.admin.setup import Choices
from pbem.model import Edit, Unfit
from tests.conftest import Clock
from tests.referee import Referee
from tests.ruling import edit, ruled, told


@pytest.fixture
def war() -> War:
    return availability.begin("basic", {}, {})


@pytest.fixture
def game(tmp_path: Path) -> Referee:
    referee = Referee.made(tmp_path / "home", SYSTEM, Choices(seed="x"))
    referee.open()
    return referee


def at(report: dict[str, Any], unit: str) -> str:
    return next(str(u["place"]) for u in report["units"] if u["id"] == unit)


def test_a_ship_moves_and_forgets_its_way(war: War) -> None:
    Move(unit="Suffolk", zone="G11").amend(war)
    ship = war.ships["SUFFOLK"]
    assert (ship.zone, ship.origin, ship.path, ship.plan) == ("G11", "G11", (), None)
    audit(war)


def test_a_task_force_moves_as_one(war: War) -> None:
    _make(war, BRITISH, "TF1", ["HOOD", "PRINCE OF WALES"])
    with pytest.raises(Unfit, match="sails with TF1"):
        Move(unit="HOOD", zone="G11").amend(war)
    Move(unit="tf1", zone="G11").amend(war)
    assert {war.ships[i].zone for i in ("HOOD", "PRINCE OF WALES")} == {"G11"}
    audit(war)


def test_two_task_forces_of_one_name_are_told_apart(war: War) -> None:
    _make(war, BRITISH, "TF1", ["HOOD", "PRINCE OF WALES"])
    _make(war, GERMAN, "TF1", ["BISMARCK", "PRINZ EUGEN"])
    with pytest.raises(Unfit, match="both sides"):
        Move(unit="TF1", zone="G11").amend(war)
    Move(unit="TF1", zone="G11", side="german").amend(war)
    assert war.ships["BISMARCK"].zone == "G11"
    assert war.ships["HOOD"].zone == "G15"


def test_an_aircraft_moves_in_the_air_alone(war: War) -> None:
    with pytest.raises(Unfit, match="at its base"):
        Move(unit="SCAPA1", zone="H17").amend(war)
    war.air["SCAPA1"].zone, war.air["SCAPA1"].up = war.ships["SUFFOLK"].zone, 1
    Move(unit="SCAPA1", zone="H17").amend(war)
    assert war.air["SCAPA1"].zone == "H17"


def test_damage_is_what_the_log_says_then(war: War) -> None:
    Damage(ship="Hood", bow=2, midships=1, regained=1).amend(war)
    hits = war.ships["HOOD"].hits
    assert (hits.bow, hits.midships, hits.temporary, hits.stern) == (2, 1, 1, 0)
    audit(war)


def test_the_last_midships_box_sinks_and_scores_and_back(war: War) -> None:
    whole = war.ships["HOOD"].sections.midships
    _make(war, BRITISH, "TF1", ["HOOD", "PRINCE OF WALES"])
    Damage(ship="HOOD", midships=whole).amend(war)
    assert [s.id for s in war.ships.values() if s.sunk] == ["HOOD"]
    assert war.forces[BRITISH] == {}
    assert [(s.side, s.rule) for s in war.scores] == [(GERMAN, "12.41")]
    audit(war)
    Damage(ship="HOOD", midships=whole - 1).amend(war)
    assert not any(s.sunk for s in war.ships.values())
    assert war.scores == []
    audit(war)


def test_a_contact_has_a_pseudonym_and_no_more_than_search_tells(war: War) -> None:
    Sight(side="british", ship="PRINZ EUGEN").amend(war)
    Sight(side="german", ship="SUFFOLK", zone="E9").amend(war)
    audit(war)
    (mine,) = war.known[BRITISH].contacts.values()
    assert (mine.id, mine.type, mine.zone, mine.name) == ("EN1", "CA", "F20", "")
    assert [c.zone for c in war.known[GERMAN].contacts.values()] == ["E9"]


@pytest.mark.parametrize(
    ("wrong", "key"),
    [
        (Move(unit="TIRPITZ", zone="G11"), "unit"),
        (Move(unit="HOOD", zone="Q99"), "zone"),
        (Damage(ship="HOOD", bow=99), "bow"),
        (Damage(ship="TIRPITZ"), "ship"),
        (Sight(side="british", ship="HOOD"), "side"),
        (Sight(side="french", ship="HOOD"), "side"),
        (Sight(side="german", ship="HOOD", zone="Q99"), "zone"),
    ],
)
def test_what_cannot_be_is_refused(war: War, wrong: Edit, key: str) -> None:
    with pytest.raises(Unfit) as caught:
        wrong.amend(war)
    assert caught.value.key == key


def test_a_ruled_game_goes_on_and_is_whole(game: Referee) -> None:
    game.go("british", "german")
    ruled(
        game,
        edit("move", unit="BISMARCK", zone="G18"),
        edit("sight", side="british", ship="BISMARCK"),
        edit("damage", ship="BISMARCK", bow=1),
    )
    assert at(game.report("german"), "BISMARCK") == "G18"
    (contact,) = game.report("british")["contacts"]
    assert (contact["place"], contact["type"]) == ("G18", "BB")
    game.go("british", "german")
    game.go("british", "german")
    assert game.audit().whole


def test_a_secret_ruling_leaves_the_other_side_in_the_fog(tmp_path: Path, clock: Clock) -> None:
    """Two worlds: the Bismarck is put elsewhere, told to the German; all that the British get is
    equal, then and in the window after."""
    seen = []
    for zone in ("G20", "F19"):
        referee = Referee.made(tmp_path / zone, SYSTEM, Choices(seed="x"))
        referee.open()
        ruled(referee, edit("move", unit="BISMARCK", zone=zone), to="german")
        assert at(referee.report("german"), "BISMARCK") == zone
        first = told(referee, "british")
        referee.play({"british": "", "german": ""})
        seen.append((first, told(referee, "british")))
    assert seen[0] == seen[1]
