"""Keys that change in an encrypted game: what was encrypted before to the old one, what comes after
to the new one, and how its holder gets the report that he has to answer."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from games.toy import game as toy
from games.toy.game import SYSTEM
from pbem.admin import key_change
from pbem.admin.commands import replace
from pbem.admin.lost_keys import carry_out, lose
from pbem.admin.setup import Choices, Newcomer, create, enlist
from pbem.base.report_json import Report
from pbem.crypto import age, recovery
from pbem.crypto.age_armour import armour
from pbem.crypto.private_keys import SshKey
from pbem.crypto.sshsig import BadSignature, public_line
from pbem.dice.chains import DiceChains
from pbem.dice.provable import BadProof
from pbem.errors import Usage
from pbem.outbound.forward import resend
from pbem.store.game_dir import writing
from tests.cli.commands import pbem
from tests.conftest import Clock
from tests.encryption import EncryptedReferee, age_part, identity_of, key_of, reads
from tests.referee import Referee, signed
from tests.trust.corpus import Body, alter, checked, put
from tests.turns import test_run_on as runs

FOX, HUNTER, NEW = key_of("fox"), key_of("hunter"), key_of("new")
PAPER = recovery.words(b"p" * 32)


@pytest.fixture
def sea(tmp_path: Path, clock: Clock) -> EncryptedReferee:
    """An open encrypted game; the fox has a recovery key."""
    referee = EncryptedReferee(tmp_path / "home", SYSTEM)
    create(referee.home, SYSTEM, referee.name, Choices(seed="x", mail="sealed"))
    paper = public_line(recovery.key_of(PAPER).wire)
    with writing(referee.home, referee.name) as game:
        enlist(game, "fox", Newcomer(public_line(FOX.wire), "fox@x.org", recovery=paper))
        enlist(game, "hunter", Newcomer(public_line(HUNTER.wire), "hunter@x.org"))
    referee.open()
    return referee


def lost(
    referee: EncryptedReferee, clock: Clock, line: str = public_line(NEW.wire), own_age: str = ""
) -> None:
    """The fox's key is lost; two days later the other takes its place."""
    with writing(referee.home, referee.name) as game:
        lose(game, "fox", Newcomer(line, age=own_age))
    clock.advance(hours=48)
    with writing(referee.home, referee.name) as game:
        assert carry_out(game) == ["fox"]


def answered(referee: EncryptedReferee, key: SshKey) -> None:
    """The key's holder answers the open window from what it reads, and the game goes on."""
    report = reads(referee.newest("fox", "report"), key).facts
    block = Referee.block(referee, "fox", report["form"], report)
    (outcome,) = referee.receive(referee.encrypt("fox", signed(block, key)))
    assert outcome.good, outcome.text
    window = referee.register.window
    referee.run(force=True)
    assert reads(referee.newest("fox", "report"), key).facts["window"] == window + 1
    assert referee.audit().whole
    assert checked(referee.folder) == []


def opens(mail: bytes, key: SshKey) -> bool:
    try:
        return bool(age.decrypt(age_part(mail), [identity_of(key)]))
    except age.BadAge:
        return False


def test_a_lost_key_is_followed_by_one_that_reads_the_open_report(
    sea: EncryptedReferee, clock: Clock
) -> None:
    sea.play({"fox": "FOX: move A2;"})
    before = len(sea.outbox("fox"))
    with writing(sea.home, sea.name) as game:
        lose(game, "fox", Newcomer(public_line(NEW.wire)))
    for key, reader in ((FOX, True), (NEW, False), (HUNTER, False)):
        assert opens(sea.newest("fox", "note"), key) == reader
    assert opens(sea.newest("hunter", "note"), HUNTER)
    clock.advance(hours=48)
    with writing(sea.home, sea.name) as game:
        carry_out(game)
    for path in sea.outbox("fox")[: before + 1]:
        assert not opens(path.read_bytes(), NEW), path.name
    for path in sea.outbox("fox")[before + 1 :]:
        assert opens(path.read_bytes(), NEW), path.name
        assert not opens(path.read_bytes(), FOX), path.name
    kinds = [p.stem.rpartition("-")[2] for p in sea.outbox("fox")[before + 1 :]]
    assert kinds == ["note", "report"]
    found = reads(sea.newest("fox", "report"), NEW)
    assert found.facts == sea.stated("fox")
    assert reads(sea.newest("fox", "note"), NEW, report=found.facts)
    assert (
        found.parts["orders.txt"].replace(b"\r\n", b"\n")
        == (sea.folder / "reports/fox/2/orders.txt").read_bytes()
    )
    answered(sea, NEW)


def by_paper(referee: EncryptedReferee, clock: Clock) -> None:
    change = key_change.change(
        Report.of(referee.stated("fox")), recovery.key_of(PAPER), DiceChains(NEW)
    )
    assert referee.receive(referee.encrypt("fox", change))[0].good


def by_hand(referee: EncryptedReferee, clock: Clock) -> None:
    with writing(referee.home, referee.name) as game:
        replace(game, "fox", Newcomer(public_line(NEW.wire), "new@x.org"))
    assert b"To: new@x.org" in referee.newest("fox", "report")


def beside(referee: EncryptedReferee, clock: Clock) -> None:
    with writing(referee.home, referee.name) as game:
        enlist(game, "fox", Newcomer(public_line(NEW.wire), "second@x.org"))
    assert opens(referee.newest("fox", "report"), FOX)


@pytest.mark.parametrize("way", [lost, by_paper, by_hand, beside])
def test_whatever_key_comes_reads_the_open_report_and_answers_it(
    way: Callable[[EncryptedReferee, Clock], None], sea: EncryptedReferee, clock: Clock
) -> None:
    way(sea, clock)
    assert not opens(sea.outbox("fox", "report")[0].read_bytes(), NEW)
    answered(sea, NEW)
    numbers = [p.name for p in sea.outbox("fox")]
    assert numbers == sorted({*numbers})
    assert [int(n.split("-")[1]) for n in numbers] == [*range(1, len(numbers) + 1)]


def test_an_ecdsa_key_that_takes_the_place_of_a_lost_one_brings_its_age_key(
    sea: EncryptedReferee, clock: Clock
) -> None:
    """Until now its loss could not be announced at all: nothing can be encrypted to the key."""
    from cryptography.hazmat.primitives.asymmetric import ec

    from pbem.crypto.private_keys import _ecdsa

    line = public_line(_ecdsa(ec.generate_private_key(ec.SECP256R1())).wire)
    with writing(sea.home, sea.name) as game, pytest.raises(Usage, match="ecdsa-sha2-nistp256"):
        lose(game, "fox", Newcomer(line))
    own = age.identity(age.generate())
    lost(sea, clock, line, own_age=age.public(own))
    assert age.decrypt(age_part(sea.newest("fox", "report")), [own])
    assert [o.age for o in sea.register.officers if o.side == "fox"] == [age.public(own)]
    assert sea.audit().whole
    number = alter(sea, "replaced", 0, put("age", value=age.public(age.identity(age.generate()))))
    assert checked(sea.folder) == [f"early-key record {number}"]
    assert [(f.record, f.code) for f in sea.audit().findings] == [(number, "early-key")]


def test_older_reports_are_handed_on_when_the_moderator_sends_them_again(
    sea: EncryptedReferee, clock: Clock
) -> None:
    sea.play({"fox": "FOX: move A2;"}, {})
    lost(sea, clock)
    with writing(sea.home, sea.name) as game:
        resend(game, "fox", 2)
        resend(game, "hunter", 2)
    assert reads(sea.newest("fox", "report"), NEW).facts == sea.stated("fox", 2)
    assert (
        sea.newest("hunter", "report") == (sea.folder / "reports/hunter/2/report.eml").read_bytes()
    )
    assert sea.audit().whole


def test_reports_of_a_run_are_handed_on_together(
    sea: EncryptedReferee, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(toy.Toy, "public", lambda system, event: "")  # nothing stops the run
    for side, lines in (("fox", runs.FOX), ("hunter", runs.HOUND)):
        assert sea.order(side, f"RUN 3;\n{lines}").good
    sea.run()
    assert sea.register.window == 4
    lost(sea, clock)
    found = reads(sea.newest("fox", "report"), NEW)
    told = {json.loads(found.parts[f"report-{w}.json"])["digest"] for w in (2, 3)}
    note = json.loads(found.parts["note.json"])
    assert set(note["reports"]) == {found.facts["digest"], *told}
    answered(sea, NEW)


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (("ages", "fox"), ["age1elsewhere"]),
        (("moderator", "age"), "age1elsewhere"),
        (("ages",), {}),
        (("policies", "press"), "open"),
        (("policies", "nmr"), "none"),
        (("deadlines", "first"), "2026-12-01T12:00:00Z"),
        (("recovery", "fox"), [""]),
        (("mail",), "plain"),
    ],
)
def test_a_set_up_text_that_says_other_than_was_decided_is_found_by_both(
    place: tuple[str, ...], value: object, sea: EncryptedReferee
) -> None:
    """Mail encrypted to another key than a player gave would be read by another."""
    from pbem.base.hashing import canonical_json

    def other(body: Body) -> None:
        setup = json.loads(body["setup"])
        put(*place, value=value)(setup)
        body["setup"] = canonical_json(setup).decode()

    number = alter(sea, "opened", 0, other)
    assert checked(sea.folder) == [f"setup record {number}"]
    assert [(f.record, f.code) for f in sea.audit().findings] == [(number, "setup")]


# What hands nothing on


def forged(inner: bytes, note: dict[str, Any], key: SshKey, g0: str) -> bytes:
    """The mail inside with another note, encrypted by that key."""
    from pbem.audit.open_file import attached
    from pbem.base.hashing import H, canonical_json
    from pbem.crypto import statements
    from pbem.outbound.mime import Part, message

    facts = {k: v for k, v in note.items() if k != "digest"}
    facts["digest"] = H("note", canonical_json(facts)).hex()
    parts = attached(inner) | {
        "note.json": canonical_json(facts),
        "note.seal": statements.signed("note", g0, facts, key),
    }
    return message(
        [],
        "a@b.example",
        "s",
        "<1@x>",
        "2026-11-20T12:00:00Z",
        [Part("text/plain", b"hm")],
        [Part("application/json", c, n) for n, c in parts.items()],
    )


def test_a_note_that_the_moderator_did_not_sign_hands_nothing_on(
    sea: EncryptedReferee, clock: Clock
) -> None:
    """The enemy opens what was sent to him and passes it off as handed on."""
    inner = age.decrypt(age_part(sea.newest("hunter", "report")), [identity_of(HUNTER)])
    report = sea.stated("hunter")
    from pbem.crypto.sshsig import key_digest

    note = {
        "format": "pbem-note/1",
        "game": "g1",
        "side": "hunter",
        "window": 1,
        "subject": "s",
        "setup": report["setup"]["digest"],
        "text": "t",
        "readers": [key_digest(FOX.wire)],
        "reports": [report["digest"]],
    }
    to = [age.recipient(public_line(FOX.wire))]
    g0 = report["setup"]["digest"]
    mail = armour(age.encrypt(forged(inner, note, HUNTER, g0), to)).encode()
    with pytest.raises(BadSignature) as refused:
        reads(mail, FOX)
    assert refused.value.code == "unknown-key"
    with pytest.raises(BadProof) as passed:
        reads(armour(age.encrypt(inner, to)).encode(), FOX)
    assert passed.value.code == "forwarded"


def test_a_note_for_another_key_or_report_hands_nothing_on(
    sea: EncryptedReferee, clock: Clock
) -> None:
    lost(sea, clock)
    inner = age.decrypt(age_part(sea.newest("fox", "report")), [identity_of(NEW)])
    third = [age.recipient(public_line(HUNTER.wire))]
    with pytest.raises(BadProof) as refused:
        reads(armour(age.encrypt(inner, third)).encode(), HUNTER)
    assert refused.value.code == "forwarded"
    from pbem.audit.open_file import attached
    from pbem.store.secrets import signing_key

    note = json.loads(attached(inner)["note.json"]) | {"reports": ["0" * 64]}
    g0 = sea.stated("fox")["setup"]["digest"]
    other = forged(inner, note, signing_key(sea.read()), g0)
    to = [age.recipient(public_line(NEW.wire))]
    with pytest.raises(BadProof) as refused:
        reads(armour(age.encrypt(other, to)).encode(), NEW)
    assert refused.value.code == "forwarded"


# Commands


def test_a_player_who_lost_his_key_goes_on_by_the_commands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PBEM_HOME", str(tmp_path))
    assert pbem("new", "toy", "g1", "--mail", "sealed", "--seed", "x").code == 0
    for name in ("a", "b", "c"):
        assert pbem("keygen", "-o", f"{name}.key").code == 0
    for side, name in (("fox", "a"), ("hunter", "b")):
        assert pbem("enlist", "g1", side, "--key", f"{name}.key.pub").code == 0
    assert pbem("open", "g1").code == 0
    assert pbem("replace", "g1", "fox", "--lost", "--key", "c.key.pub").code == 0
    clock.advance(hours=48)
    assert pbem("tick", "g1").code == 0
    (mail,) = Path("g1/outbox").glob("fox-0004-report.eml")
    read = pbem("read", str(mail), "--key", "c.key", "-o", "mine")
    assert (read.code, "signed by the moderator" in read.err) == (0, True), read.err
    assert pbem("read", str(mail), "--key", "a.key").code == 1
    signed = pbem(
        "sign",
        "mine/orders.txt",
        "--key",
        "c.key",
        "--report",
        "mine/report.json",
        "-o",
        "orders.age",
    )
    assert signed.code == 0, signed.err
    assert pbem("receive", "g1", "orders.age").code == 0
