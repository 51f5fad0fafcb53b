"""The second half of docs/formats.md: folder, records, positions, headers, reports, receipts."""

from __future__ import annotations

import hmac
import json
import re
from collections.abc import Iterable
from functools import partial
from hashlib import sha256
from pathlib import Path

import pytest

from games.toy.game import SYSTEM
from pbem.admin import press
from pbem.admin.commands import extend, hold, replace, resume, schedule
from pbem.admin.rulings import read_ruling, rule
from pbem.admin.setup import Choices, Newcomer, options_of
from pbem.audit.open_file import attached
from pbem.base.hashing import H, canonical_json
from pbem.crypto import age
from pbem.crypto.private_keys import from_seed
from pbem.crypto.sshsig import key_digest, public_line
from pbem.engine.drive import Drive, encode_position
from pbem.outbound.forward import resend
from pbem.outbound.notices import end, note
from pbem.store.bundle import pack
from pbem.store.game_dir import writing
from pbem.store.records import TYPES, Bounced, Looked, Sent
from tests.conftest import Clock
from tests.encryption import EncryptedReferee, age_part, identity_of
from tests.referee import Referee, key_of

PAGE = Path(__file__).parent.parent.parent / "docs" / "formats.md"
SOMETIMES = {"owed", "dates", "keys", "missed", "readers", "role", "run", "state", "taken_back"} | {
    "alone",
    "early",
    "ordered",
    "replaced",
    "idle",
    "lost",
    "suggest",
    "this_turn",
    "usual",
    "usual_by_type",
}
"""Keys of reports and receipts that stand only where they are used."""


@pytest.fixture(scope="module")
def sections() -> dict[str, str]:
    parts = re.split(r"^## (.+)\n", PAGE.read_text(), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def value(section: str, name: str) -> str:
    found = re.search(rf"^    {re.escape(name)}  +(.+)$", section, re.MULTILINE)
    assert found, name
    return found[1]


def rows(section: str) -> dict[str, str]:
    """First column to second of every table row, marks of code kept."""
    cells = re.findall(r"^\| (.+?) \| (.+?) \|", section, re.MULTILINE)
    return {first: second for first, second in cells if not first.startswith("---")}


def tables(section: str) -> list[dict[str, bool]]:
    """The tables of four columns: each field, and whether it is present in every record."""
    found = []
    for table in re.findall(r"^\| field \| type .+\n\|.+\n((?:\|.+\n)+)", section, re.MULTILINE):
        cells = [re.split(r"(?<!\\)\|", line) for line in table.splitlines()]
        found.append({name: not row[4].strip() for row in cells for name in words(row[1:2])})
    return found


def words(cells: Iterable[str]) -> set[str]:
    return {word for cell in cells for word in re.findall(r"`([a-z_]+)`", cell)}


@pytest.fixture
def played(tmp_path: Path, clock: Clock) -> Referee:
    """A toy game with a record of every kind there is."""
    referee = Referee.made(tmp_path / "home", SYSTEM, Choices(seed="x", press="moderated"))
    referee.open()
    referee.order("fox", "FOX: move B1;")
    referee.order("hunter", "HOUND: move D5; HOUND: fly;")
    referee.receive("BEGIN ORDERS FOX: move B1; END ORDERS")
    referee.run(force=True)
    referee.undo(reopen=True)
    with writing(referee.home, referee.name) as game:
        note(game, ["fox"], "hurry")
        resend(game, "fox", 1)
        game.commit(Looked(window=game.register.window))
        schedule(game, None)
        extend(game, "2026-12-20T12:00:00Z", "a holiday")
        said = 'text = "the fox may swim"\nrule = "2.1"\nto = ["fox"]\n'
        move = '[[edit]]\ndo = "put"\nanimal = "FOX"\nzone = "C3"\n'
        digest = SYSTEM.digest()
        permit = f'[permit]\nedition = "{SYSTEM.edition}"\ndata = "{digest}"\n'
        rule(game, SYSTEM, read_ruling(said + move + permit, "ruling.toml"), "rain")
        hold(game, "a storm")
        resume(game)
        press.send(game, press.Message("fox", "hunter", "a word"))
        press.decide(game, game.register.n, passes=True)
        replace(game, "fox", Newcomer(public_line(key_of("vixen").wire), "vixen@example.org"))
        mail = "outbox/fox-0001-report.eml"
        game.commit(Sent(mails=[mail], by="files"))
        game.commit(Bounced(mail=mail, code="550"))
        end(game, "draw", "enough")
    return referee


def test_every_record_holds_what_the_page_says(sections: dict[str, str], played: Referee) -> None:
    common, *parts = re.split(r"^### (.+)\n", sections["What records hold"], flags=re.MULTILINE)
    kinds = dict(zip(parts[::2], map(tables, parts[1::2]), strict=True))
    (anywhere,), (opening,) = tables(common), kinds.pop("Records that open a window")
    assert kinds.keys() == {f"`{kind}`" for kind in TYPES}
    for record in played.records:
        listed = kinds[f"`{record.kind}`"][0] | (opening if "reports" in record.body else {})
        required = {name for name, always in listed.items() if always}
        assert required <= record.body.keys() <= listed.keys() | anywhere.keys(), record.kind
    assert {record.kind for record in played.records} == TYPES.keys() - {"locked", "revealed"}


def test_the_digest_of_a_set(sections: dict[str, str]) -> None:
    section = sections["What records hold"]
    canonical = value(section, "canonical").encode()
    assert value(section, "digest") == H("canonical", canonical).hex()


def test_windows_are_numbered_as_the_page_says(sections: dict[str, str], referee: Referee) -> None:
    opened = [referee.register.window]
    close, reopen = partial(referee.run, force=True), partial(referee.undo, reopen=True)
    for step in (close, close, reopen, close, referee.undo, close):
        step()
        opened.append(referee.register.window)
    listed = [cell.split(",")[0] for cell in rows(sections["Windows"]).values()]
    assert list(map(str, opened)) == listed[1:]


def test_the_folder_holds_what_the_page_says(sections: dict[str, str], played: Referee) -> None:
    listed = " ".join([*rows(sections["Game folder"]), *rows(sections["Game folder"]).values()])
    for path in played.folder.rglob("*"):
        where = path.relative_to(played.folder).parts
        if path.is_file() and where[0] != "outbox":
            name = path.name if where[0] != "state" else "HASH.json"
            known = where[0] == "private" and len(where) > 2 and f"`{where[1]}/" in listed
            assert known or name in listed, path
    kinds = {path.stem.split("-")[2] for path in (played.folder / "outbox").iterdir()}
    assert kinds == {"report", "receipt", "note", "press", "end"}


def test_a_bundle(sections: dict[str, str]) -> None:
    section = sections["Game folder"]
    files = dict(re.findall(r'([\w./]+) = "([^"]*)"', value(section, "files")))
    packed = pack({7: {name: content.encode() for name, content in files.items()}})
    assert value(section, "bundle").replace("\\n", "\n").encode() == packed


def test_what_the_mail_key_makes(sections: dict[str, str]) -> None:
    section, key = sections["Game folder"], bytes(32)
    name = hmac.new(key, b"british 1", sha256).hexdigest()[:32]
    assert value(section, "Message-ID") == f"<{name}@g1.pbem.invalid>"
    address = hmac.new(key, b"private tovey@example.org", sha256).hexdigest()
    assert value(section, "tovey@example.org") == address


def test_a_position(sections: dict[str, str]) -> None:
    section = sections["Positions"]
    drive = Drive.start(
        SYSTEM, SYSTEM.scenarios[0].sides, options_of(SYSTEM, {}), SYSTEM.begin("wood", {}, {})
    )
    data, name = encode_position(drive)
    assert value(section, "hash") == name == sha256(data).hexdigest()
    assert f'"snapshot":{value(section, "snapshot")}' in data.decode()
    assert words(rows(section)) == set(drive.position().__struct_fields__)


def test_the_moderators_key_in_a_header(sections: dict[str, str]) -> None:
    shown = value(sections["Order header"], "moderator")
    assert shown.replace(" ", "") == key_digest(from_seed(bytes(range(32))).wire)


@pytest.mark.parametrize(("name", "tag"), [("Report", "report"), ("Receipt", "receipt")])
def test_digests(sections: dict[str, str], name: str, tag: str) -> None:
    section = sections[name]
    assert value(section, "digest") == H(tag, value(section, "object").encode()).hex()


def test_every_key_of_a_report_is_on_the_page(sections: dict[str, str], played: Referee) -> None:
    listed = words(rows(sections["Report"].partition("\n### ")[0]))
    for side in ("fox", "hunter"):
        report = json.loads(played.saved(side, 2))
        assert set(report) <= listed
        assert listed - set(report) <= SOMETIMES
        bare = {key: value for key, value in report.items() if key != "digest"}
        assert report["digest"] == H("report", canonical_json(bare)).hex()


def test_every_key_of_a_receipt_is_on_the_page(sections: dict[str, str], referee: Referee) -> None:
    listed = words(rows(sections["Receipt"]))
    for lines in ("FOX: move B1;", "FOX: fly;"):
        receipt = referee.order("fox", lines).receipt
        assert set(receipt) - {"idle", "replaced"} == listed - SOMETIMES
        bare = {key: value for key, value in receipt.items() if key != "digest"}
        assert receipt["digest"] == H("receipt", canonical_json(bare)).hex()


def test_what_encrypted_games_add_is_on_the_page(
    sections: dict[str, str], tmp_path: Path, clock: Clock
) -> None:
    sea = EncryptedReferee.begun(tmp_path / "home", SYSTEM)
    listed = words(rows(sections["Report"].partition("\n### ")[0]))
    assert set(json.loads(sea.saved("fox"))) == listed - (SOMETIMES - {"readers"})
    receipt = sea.order("fox", "FOX: move B1;").receipt
    assert set(receipt) == words(rows(sections["Receipt"])) - (SOMETIMES - {"readers"})
    note_it(sea)
    said = sections["Encrypted mail"]
    told = json.loads(attached(open_for("fox", sea))["note.json"])
    assert all(f"`{key}`" in said for key in told)


def note_it(sea: EncryptedReferee) -> None:
    with writing(sea.home, sea.name) as game:
        note(game, ["fox"], "Gale warning.\n")


def open_for(side: str, sea: EncryptedReferee) -> bytes:
    return age.decrypt(age_part(sea.newest(side, "note")), [identity_of(key_of(side))])
