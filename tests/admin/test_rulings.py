"""Rulings that change the truth: told, recorded, replayed, refused where the rules would break."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct, field
from msgspec.json import decode
from msgspec.structs import replace

from games.toy.game import SYSTEM, Hide, Toy
from pbem.admin.rulings import carried_over, is_consistent, read_ruling, rule
from pbem.base.report_json import Run
from pbem.errors import Busy, Misprint, Usage
from pbem.model import System
from pbem.store.game_dir import writing
from pbem.store.records import Closed, Ruled
from pbem.turns.close_window import position_of
from tests.conftest import Clock
from tests.ledgers import typed
from tests.referee import Referee
from tests.ruling import told
from tests.trust.corpus import verify

PUT = '[[edit]]\ndo = "put"\nanimal = "FOX"\nzone = "C3"\n'
CLOSED = Closed(
    window=1, turn=1, sets={}, lock="", links={}, rolls=[], opens=2, deadline="", over=None
)
SAID = 'text = "the fox is in C3"\nrule = "2.1"\n'


def ruled(referee: Referee, content: str, system: System = SYSTEM) -> Ruled:
    with writing(referee.home, referee.name) as game:
        return rule(game, system, read_ruling(content, "ruling.toml"), "a slip of mine")


def verified(referee: Referee) -> list[str]:
    """What verify.py, which knows no rules, finds in the ledger."""
    found: list[str] = verify.check_all([str(referee.folder / "ledger.jsonl")])[1]
    return found


def place(referee: Referee, side: str) -> str:
    return str(referee.report(side)["units"][0]["place"])


@pytest.mark.parametrize("dice", ["seeded", "fast", "strict"])
def test_an_edit_opens_a_window_whose_reports_show_it(tmp_path: Path, dice: str) -> None:
    referee = Referee.toy(tmp_path / "home", dice=dice)
    before = referee.report("fox")
    body = ruled(referee, SAID + PUT)
    assert (body.window, body.opens, body.timely) == (1, 2, True)
    assert place(referee, "fox") == "C3"
    told = "Ruling in window 1 (2.1): the fox is in C3 Reason: a slip of mine"
    for side in ("fox", "hunter"):
        assert told in referee.report(side)["flags"]
    (late,) = referee.receive(referee.orders("fox", "FOX: move A2;", before))
    assert late.receipt["code"] == "late"
    referee.order("fox", "FOX: move C4;")
    assert referee.audit().whole
    assert verified(referee) == []


def test_the_turn_goes_on_from_the_edited_state(referee: Referee) -> None:
    ruled(referee, SAID + PUT)
    referee.play({"fox": "FOX: move C4;", "hunter": "HOUND: move E4;"})
    assert place(referee, "fox") == "C4"
    whole = "Ruling in window 1 (2.1): the fox is in C3 Reason: a slip of mine"
    assert whole in referee.report("hunter")["flags"]  # for whoever has this report alone
    assert referee.audit().whole
    assert "record 5: a ruling changed the state: a slip of mine" in referee.audit().flags


def test_in_mid_turn_an_edit_stands_where_the_script_waits(tmp_path: Path) -> None:
    referee = Referee.toy(tmp_path / "home", play="asked")
    referee.play({"fox": "FOX: move A2;", "hunter": "HOUND: move E4;"})
    assert referee.report("hunter")["questions"]
    ruled(referee, SAID + PUT)
    assert place(referee, "fox") == "C3"
    referee.play({"fox": "", "hunter": "Q1: E3;"})
    referee.go("fox", "hunter")
    assert referee.audit().whole


def test_an_edit_that_is_told_to_one_side_shows_there_alone(tmp_path: Path, clock: Clock) -> None:
    """Two worlds in which the fox is put elsewhere: the hunter's reports are byte-equal."""
    seen = []
    for zone in ("C3", "B2"):
        referee = Referee.toy(tmp_path / zone)
        secret = SAID.replace("C3", zone) + 'to = ["fox"]\n' + PUT.replace("C3", zone)
        ruled(referee, secret)
        assert place(referee, "fox") == zone
        said = [flag for flag in referee.report("fox")["flags"] if "for your side" in flag]
        assert said == [
            f"Ruling in window 1, for your side (2.1): the fox is in {zone} Reason: a slip of mine"
        ]
        hidden = "Ruling in window 1: Only the sides that it concerns are told what it says."
        assert hidden in referee.report("hunter")["flags"]
        seen.append(told(referee, "hunter"))
        assert referee.audit().whole
    assert seen[0] == seen[1]


def test_kept_orders_run_again_from_the_edited_state(referee: Referee) -> None:
    first = referee.play({"fox": "FOX: move A2;", "hunter": "HOUND: move E4;"})[0]
    referee.undo()
    body = ruled(
        referee,
        'text = "the hound began in D5"\n[[edit]]\ndo = "put"\nanimal = "HOUND"\nzone = "C4"\n',
    )
    assert not body.opens
    assert not body.timely
    again = referee.run()
    assert (again.window, again.rolls) == (first.window, first.rolls)
    assert place(referee, "hunter") == "C4"  # E4 is no step from there any more
    (flag,) = [f for f in referee.report("fox")["flags"] if f.startswith("Ruling")]
    assert flag == (
        "Ruling in window 1: the hound began in D5 Reason: a slip of mine "
        "(made after orders for that window had arrived)"
    )
    assert referee.audit().whole
    referee.undo(reopen=True)
    assert referee.audit().whole
    assert verified(referee) == []


def test_an_undo_behind_a_ruling_takes_its_edits_back(referee: Referee) -> None:
    referee.go("fox", "hunter")
    ruled(referee, SAID + PUT)
    referee.go("fox", "hunter")
    referee.undo(reopen=True)
    assert place(referee, "fox") == "C3"
    referee.undo(reopen=True)
    assert place(referee, "fox") == "A1"
    (flag,) = [f for f in referee.report("fox")["flags"] if f.startswith("Ruling")]
    assert flag.endswith("(taken back with its window)")
    assert referee.audit().whole
    assert verified(referee) == []


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("text = 3", "ruling.toml:1:1: error value: text: this must be text in"),
        ("text = ' '", "ruling.toml:1:1: error value: text is empty"),
        ("text", "ruling.toml:1:5: error toml: Expected '=' after a key"),
        ('text = "x"\nruel = "3"', "ruling.toml:2:1: error value: there is no key `ruel` here"),
        ('text = "x"\nto = ["cat"]', "ruling.toml:2:1: error unknown-side: there is no side 'cat'"),
        (SAID + '[[edit]]\ndo = "fly"\n', "ruling.toml:4:1: error unknown-edit: do = 'fly' is no"),
        (SAID + "[[edit]]\n", "ruling.toml:3:1: error unknown-edit: the key `do` is missing"),
        (
            SAID + PUT + PUT.replace("FOX", "DOG"),
            "ruling.toml:9:1: error unfit: there is no animal 'DOG'",
        ),
        (SAID + PUT.replace('zone = "C3"\n', ""), "ruling.toml:3:1: error value: this lacks the"),
        (SAID + PUT.replace("C3", "Z9"), "ruling.toml:3:1: error broken: the position would"),
        (
            SAID + '[[edit]]\ndo = "set"\nfield = "heard"\nvalue = "x"\n',
            "ruling.toml:6:1: error unfit: Expected `int`, got `str`",
        ),
        (
            SAID + '[[edit]]\ndo = "set"\nfield = "place.CAT.fur"\nvalue = 1\n',
            "ruling.toml:5:1: error unfit: there is no 'CAT' there",
        ),
        (
            SAID + '[permit]\nedition = "9"\ndata = "00"\n',
            "ruling.toml:4:1: error edition: it permits another edition",
        ),
        (
            SAID + f'[permit]\nedition = "{SYSTEM.edition}"\ndata = "00"\n',
            "ruling.toml:5:1: error data: it permits other data files",
        ),
    ],
)
def test_what_is_wrong_is_shown_and_nothing_changes(
    referee: Referee, content: str, said: str
) -> None:
    before = referee.records
    with pytest.raises(Misprint) as caught:
        ruled(referee, content)
    assert caught.value.message.startswith(said)
    assert referee.records == before
    assert referee.audit().whole


def test_single_fields_can_be_set_and_removed(referee: Referee) -> None:
    ruled(referee, SAID + '[[edit]]\ndo = "set"\nfield = "turn"\nvalue = 3\n')
    assert referee.report("fox")["turn"] == 3
    with pytest.raises(Misprint, match="it cannot go on"):
        ruled(referee, SAID + '[[edit]]\ndo = "remove"\nfield = "place.HOUND"\n')
    with pytest.raises(Misprint, match="turn is a field, not an entry"):
        ruled(referee, SAID + '[[edit]]\ndo = "remove"\nfield = "turn"\n')


def test_a_ruling_of_an_early_game_changes_nothing(referee: Referee) -> None:
    early = Ruled(text="held", rule="", reason="x")
    assert is_consistent(referee.register, early)
    assert not is_consistent(referee.register, replace(early, position="00" * 32))


def test_a_game_that_runs_on_is_not_ruled_upon(tmp_path: Path) -> None:
    referee = Referee.toy(tmp_path / "home")
    with writing(referee.home, referee.name) as game:
        game.register.closed = [replace(CLOSED, opens=1, run=Run(first=1, last=2, why="on"))]
        with pytest.raises(Busy, match="in a run"):
            rule(game, SYSTEM, read_ruling(SAID + PUT, "r"), "x")


def test_the_ruling_that_the_guide_shows_does_what_it_says(referee: Referee) -> None:
    guide = (Path(__file__).parents[2] / "docs" / "moderator.md").read_text()
    shown = guide.split("### Rulings")[1].split("```toml\n")[1].split("```")[0]
    ruled(referee, shown)
    assert (place(referee, "hunter"), referee.report("fox")["turn"]) == ("D4", 2)
    assert any("Twigs snap on 1 to 4" in f for f in referee.report("hunter")["flags"])
    assert not any("Twigs snap" in f for f in referee.report("fox")["flags"])


class Wary(Hide):
    """The state of another edition: it knows a field more."""

    frost: int = 0


class Second(Toy):
    """Another edition, by whose rules the fox is heard on a 6 as well."""

    edition = "2"
    state = Wary


PERMIT = SAID + f'[permit]\nedition = "2"\ndata = "{SYSTEM.digest()[:16]}"\n'


def test_another_edition_goes_on_once_a_ruling_permits_it(referee: Referee) -> None:
    referee.go("fox", "hunter")
    first, referee.system = referee.system, Second()
    referee.order("fox", "FOX: move A2;")
    with pytest.raises(Usage, match="pinned to edition 1"):
        referee.run(force=True)
    with pytest.raises(Usage, match="pinned to edition 1"):
        referee.undo()
    body = ruled(referee, PERMIT, referee.system)
    assert (body.window, body.opens) == (2, 3)
    assert referee.report("fox")["edition"] == "2"
    referee.go("fox", "hunter")
    with pytest.raises(Usage, match="pinned to edition 2"):
        ruled(referee, SAID + PUT, first)
    for system in (first, referee.system):
        referee.system = system
        audited = referee.audit()
        assert audited.whole
        assert any("can play those windows again, this one cannot" in f for f in audited.flags)
    assert verified(referee) == []
    referee.undo()
    with pytest.raises(Busy, match="closed by another edition"):
        referee.run()
        referee.undo()
        referee.undo()


class Told(Struct):
    """The state of another edition: one field more, one with another name, one less."""

    turn: int
    place: dict[str, str]
    row: str = field(name="trail", default="")
    frost: int = 0


class Third(System):
    """Another edition, whose state has other fields."""

    edition, state = "3", Told


def test_another_edition_reads_what_the_position_says(referee: Referee) -> None:
    """New fields get their defaults, renamed ones keep their old name in files."""
    ruled(referee, SAID + '[[edit]]\ndo = "set"\nfield = "trail"\nvalue = "B"\n')
    game = referee.read()
    position = position_of(game, game.register.position)
    before = json.loads(bytes(position.live))
    read = decode(bytes(carried_over(Third(), position).live), type=Told)
    assert (read.turn, read.place, read.row, read.frost) == (1, before["place"], "B", 0)
    kept = json.loads(bytes(carried_over(Third(), position).live))
    assert kept.keys() == {*before, "frost"} - {"heard"}


def test_an_edition_that_nobody_permitted_finds_so(referee: Referee) -> None:
    referee.go("fox", "hunter")
    referee.system = Second()
    (finding,) = referee.audit().findings
    assert finding.code == "edition"


@pytest.mark.parametrize("forged", [{"timely": False}, {"opens": 9}, {"window": 4}, {"edits": []}])
def test_an_audit_finds_a_ruling_that_was_altered(referee: Referee, forged: dict[str, Any]) -> None:
    """What the record says is checked against the records before it and played again."""
    ruled(referee, SAID + PUT)
    audited = Referee(referee.home, SYSTEM)
    record = audited.records[-1]
    from pbem.audit.auditor import Auditor
    from pbem.audit.findings import Audited, Wrong
    from pbem.audit.rerun import Rerun

    auditor = Auditor(audited.read().ledger, Rerun(SYSTEM, Audited()))
    for one in audited.records[:-1]:
        auditor.check(typed(one))
    with pytest.raises(Wrong):
        auditor.check(typed(replace(record, body={**record.body, **forged})))


LATE = "(made after orders for that window had arrived)"


@pytest.mark.parametrize("edit", ["", PUT])
def test_no_side_learns_from_a_ruling_that_another_has_sent_orders(
    edit: str, tmp_path: Path
) -> None:
    """Two worlds in which the hunter has sent orders, or not: the fox reads the same until the
    window has closed. Then all are told that the ruling came after orders."""
    told_by_then = []
    for sent in (False, True):
        referee = Referee.toy(tmp_path / str(sent))
        if sent:
            referee.order("hunter", "HOUND: move E4;")
        ruled(referee, f"{SAID}to = []\n{edit}")
        reports = [
            referee.report("fox", window)["flags"] for window in (1, 2) if edit or window < 2
        ]
        folder = referee.folder / "outbox"
        notes = [path.read_text() for path in sorted(folder.glob("fox-*-note.eml"))]
        told_by_then.append((reports, [note.partition("\n\n")[2] for note in notes]))
        referee.go("fox", "hunter")
        for side in ("fox", "hunter"):
            assert any(LATE in flag for flag in referee.report(side)["flags"]) == sent
        assert referee.audit().whole
    assert told_by_then[0] == told_by_then[1]
