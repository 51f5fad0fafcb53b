"""Making a game: what new, enlist and open decide, and the set-up text that every order signs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from games.toy.game import SYSTEM
from pbem.admin.setup import Choices, Newcomer, create, enlist, options_of, scenario_of
from pbem.base.hashing import H, canonical_json
from pbem.crypto.private_keys import generate
from pbem.errors import Busy, NotFound, Usage
from pbem.store.game_dir import games, reading, writing
from pbem.store.records import Noted
from pbem.store.secrets import addresses
from tests.conftest import Clock
from tests.ledgers import read_file
from tests.referee import Referee, key_of, tree


def test_a_new_game_has_its_folder_and_its_first_record(tmp_path: Path, clock: Clock) -> None:
    create(tmp_path, SYSTEM, "g1", Choices(seed="x", options={"play": "asked"}))
    (record,) = read_file(tmp_path / "g1" / "ledger.jsonl")
    assert record.kind == "created"
    assert {k: record.body[k] for k in ("system", "scenario", "dice", "seed", "options")} == {
        "system": "toy",
        "scenario": "wood",
        "dice": "seeded",
        "seed": "x",
        "options": {"play": "asked"},
    }
    assert {p.name for p in (tmp_path / "g1").iterdir()} == {
        "ledger.jsonl",
        "outbox",
        "private",
        "reports",
        "state",
    }
    assert games(tmp_path) == ["g1"]


@pytest.mark.parametrize("name", ["", "G1", "1g", "g-1", "../g", "a" * 17, "gé", "g 1", "g/1"])
def test_names_of_games_are_plain(name: str, tmp_path: Path) -> None:
    with pytest.raises(Usage):
        create(tmp_path, SYSTEM, name, Choices())
    assert list(tmp_path.iterdir()) == []


def test_a_name_is_used_once(tmp_path: Path, clock: Clock) -> None:
    create(tmp_path, SYSTEM, "g1", Choices())
    before = tree(tmp_path)
    with pytest.raises(Usage):
        create(tmp_path, SYSTEM, "g1", Choices())
    assert {k: v for k, v in tree(tmp_path).items() if k in before} == before


@pytest.mark.parametrize("left", [b"", b'{"at":"20'])
def test_a_game_whose_making_was_killed_is_made_again(
    left: bytes, tmp_path: Path, clock: Clock
) -> None:
    (tmp_path / "g1" / "private").mkdir(parents=True)
    (tmp_path / "g1" / "ledger.jsonl").write_bytes(left)
    with pytest.raises(NotFound):
        reading(tmp_path, "g1")
    with pytest.raises(NotFound), writing(tmp_path, "g1"):
        pass
    create(tmp_path, SYSTEM, "g1", Choices())
    assert reading(tmp_path, "g1").register.n == 1


def test_unknown_choices_are_refused_and_make_nothing(tmp_path: Path) -> None:
    for bad in (
        Choices(scenario="sea"),
        Choices(options={"fog": "on"}),
        Choices(options={"play": "live"}),
        Choices(dice="loaded"),
        Choices(mail="pigeon"),
    ):
        with pytest.raises(Usage):
            create(tmp_path, SYSTEM, "g1", bad)
    assert games(tmp_path) == []


def test_options_have_defaults() -> None:
    assert options_of(SYSTEM, {}) == {"play": "plotted"}
    assert scenario_of(SYSTEM, "").name == "wood"


def test_officers_are_counted_by_side(tmp_path: Path, clock: Clock) -> None:
    referee = Referee.made(tmp_path, SYSTEM, Choices(seed="x"))
    assert referee.enlist("fox", key_of("second")) == 2
    assert [(o.side, o.number) for o in referee.register.officers] == [
        ("fox", 1),
        ("hunter", 1),
        ("fox", 2),
    ]
    assert [a["email"] for a in addresses(referee.read())["fox"]] == ["fox@example.org"] * 2


def test_a_key_serves_one_officer(tmp_path: Path, clock: Clock) -> None:
    referee = Referee.made(tmp_path, SYSTEM, Choices())
    before = tree(referee.folder)
    with pytest.raises(Usage, match="registered already"):
        referee.enlist("hunter", key_of("fox"))
    with pytest.raises(NotFound), writing(referee.home, "g1") as game:
        enlist(game, "bear", Newcomer(generate()[1]))
    assert tree(referee.folder) == before


def test_every_officer_may_order_and_gets_the_mail(tmp_path: Path, clock: Clock) -> None:
    referee = Referee.made(tmp_path, SYSTEM, Choices(seed="x"))
    referee.enlist("fox", key_of("second"))
    referee.open()
    from tests.referee import signed

    (outcome,) = referee.receive(signed(referee.block("fox", "FOX: move A2;"), key_of("second")))
    assert outcome.status == "accepted"
    assert referee.records[-1].body["officer"] == 2
    mail = (referee.folder / "outbox" / "fox-0001-report.eml").read_text("latin-1")
    assert mail.count("fox@example.org") == 2


def test_a_game_opens_when_every_side_has_an_officer(tmp_path: Path, clock: Clock) -> None:
    create(tmp_path, SYSTEM, "g1", Choices())
    referee = Referee(tmp_path, SYSTEM)
    with pytest.raises(Usage, match="fox, hunter"):
        referee.open()
    for side in ("fox", "hunter"):
        referee.enlist(side, key_of(side))
    referee.open()
    with pytest.raises(Busy):
        referee.open()


def test_the_set_up_text_holds_every_decision(referee: Referee) -> None:
    register = referee.register
    text = json.loads(register.setup)
    assert canonical_json(text).decode() == register.setup
    assert text["keys"] == {
        side: [o.key for o in register.officers if o.side == side] for side in ("fox", "hunter")
    }
    for field in ("system", "edition", "data", "scenario", "options", "sides", "dice", "mail"):
        assert text[field] == getattr(register.created, field)
    digest = H("setup", register.setup.encode()).hex()
    for side in ("fox", "hunter"):
        assert referee.report(side)["setup"] == {"digest": digest, "text": register.setup}


def test_no_address_is_in_what_may_be_published(referee: Referee) -> None:
    referee.go("fox")
    assert b"example.org" not in (referee.folder / "ledger.jsonl").read_bytes()
    assert "example.org" not in referee.register.setup


def test_the_first_reports_of_all_sides_leave_together(referee: Referee) -> None:
    names = sorted(p.name for p in (referee.folder / "outbox").iterdir())
    assert names == ["fox-0001-report.eml", "hunter-0001-report.eml"]
    for side in ("fox", "hunter"):
        mail = (referee.folder / "outbox" / f"{side}-0001-report.eml").read_bytes()
        assert (referee.folder / "reports" / side / "1" / "report.eml").read_bytes() == mail


def test_an_address_that_changes_is_read_as_it_will_be(referee: Referee) -> None:
    """Addresses are read once a command: `keep` is what changes them."""
    from pbem.store.game_dir import writing
    from pbem.store.secrets import addresses, set_address

    with writing(referee.home, "g1") as game:
        assert addresses(game)["fox"][0]["email"] == "fox@example.org"
        set_address(game, "fox", "den@example.org", "", "")
        assert addresses(game)["fox"][0]["email"] == "den@example.org"
        game.commit(Noted(sides=[]))
        assert addresses(game)["fox"][0]["email"] == "den@example.org"
    with writing(referee.home, "g1") as game:
        assert addresses(game)["fox"][0]["email"] == "den@example.org"
