"""Changes of keys: by the old key, by a recovery key, after an announced loss, by the moderator."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from games.toy.game import SYSTEM
from pbem.admin import key_change
from pbem.admin.commands import replace
from pbem.admin.lost_keys import carry_out, lose
from pbem.admin.setup import Newcomer, enlist
from pbem.audit.verify_report import check_report
from pbem.base.report_json import Report
from pbem.crypto import recovery
from pbem.crypto.sshsig import fingerprint, public_line
from pbem.dice.chains import DiceChains, first_anchor
from pbem.dice.provable import BadProof
from pbem.errors import Busy, Usage
from pbem.inbound.intake import Outcome
from pbem.reports.key_notices import DELAY
from pbem.store.game_dir import writing
from tests.cli.commands import pbem
from tests.conftest import Clock
from tests.proving import Proven
from tests.referee import Referee, key_of
from tests.trust.corpus import Body, checked, reports
from tests.trust.key_games import NEW, OTHER, PAPER, change, papered, whole

PAGE = (Path(__file__).parent.parent.parent / "docs" / "formats.md").read_text()


@pytest.fixture
def fast(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clock: Clock) -> Proven:
    """An open game; the fox has a recovery key."""
    return papered(tmp_path / "home", monkeypatch, "fast")


# Bytes


def test_the_vectors_of_the_page() -> None:
    section = PAGE.split("\n## Keys")[1].split("\n## ")[0]
    said = dict(re.findall(r"^    (\w+) {2,}(.+)$", section, re.MULTILINE))
    assert said["words"] == recovery.words(bytes(32))
    from pbem.crypto.private_keys import from_seed

    facts = {
        "setup": "0" * 64,
        "window": "1",
        "side": "british",
        "old": "1" * 64,
        "anchor": "",
        "key": public_line(from_seed(bytes(range(32))).wire),
    }
    assert said["text"] == sha256(key_change.statement(facts)).hexdigest()


def test_words_of_a_recovery_key_find_typing_mistakes() -> None:
    assert recovery.key_of(PAPER.upper().replace(" ", "\n")).wire == recovery.key_of(PAPER).wire
    assert len({recovery.make(), recovery.make()}) == 2
    for at in range(len(PAPER)):
        if PAPER[at] != " ":
            wrong = PAPER[:at] + ("a" if PAPER[at] != "a" else "b") + PAPER[at + 1 :]
            with pytest.raises(Usage, match="recovery key"):
                recovery.key_of(wrong)
    for wrong in ("", PAPER[:-1], PAPER + "a", "0" * 56, "é" * 56):
        with pytest.raises(Usage):
            recovery.key_of(wrong)


# A player changes his key


def test_a_change_is_signed_by_old_and_new_and_told_to_all(fast: Proven) -> None:
    outcome = change(fast, key_of("fox"))
    assert (outcome.good, outcome.receipt["code"]) == (True, "rekeyed")
    assert "Your key has changed." in outcome.text
    record = fast.records[-1]
    assert (record.kind, record.body["why"]) == ("replaced", "change")
    assert record.body["receipt"] == outcome.receipt["digest"]
    said = [p.read_bytes().decode() for p in (fast.folder / "outbox").glob("*-note.eml")]
    assert len(said) == 2
    assert all(fingerprint(NEW.wire) in text for text in said)
    assert not fast.sends("fox", "FOX: move B1;").good
    assert fast.sends("fox", "FOX: move B1;", NEW).good
    fast.window("hunter")
    for side in ("fox", "hunter"):
        report = fast.report(side)
        assert [k["why"] for k in report["keys"]["fox"]] == ["change"]
        assert any("signed by the key before it" in flag for flag in report["flags"])
    whole(fast)


def purse_links(referee: Proven) -> list[bytes]:
    """The chain of the new key, whose anchor came after the game was made."""
    return DiceChains(NEW).links("g1", "fox", 0, by=referee.report("fox")["moderator"]["key"])


def test_the_new_anchor_counts_from_the_window_that_was_announced(fast: Proven) -> None:
    change(fast, key_of("fox"))
    used = []
    for _ in range(3):
        assert fast.sends("fox", fast.suggested("fox"), NEW).good
        fast.window("hunter")
        used.append(fast.report("hunter")["seed"]["links"]["fox"])
    assert used == ["", *(link.hex() for link in purse_links(fast)[2:4])]
    assert [a["from"] for a in fast.report("hunter")["anchors"]["fox"]] == [1, 2]
    whole(fast)


def test_a_set_in_force_and_its_link_stay(fast: Proven) -> None:
    assert fast.sends("fox", "FOX: move B1;").good
    change(fast, key_of("fox"))
    fast.window("hunter")
    assert fast.report("fox")["seed"]["links"]["fox"]
    assert fast.report("fox")["units"][0]["place"] == "B1"
    whole(fast)


def test_a_recovery_key_names_another_key_and_stays(fast: Proven) -> None:
    paper = recovery.key_of(PAPER)
    assert change(fast, paper).good
    assert fast.records[-1].body["why"] == "recovery"
    assert change(fast, paper, OTHER).good
    assert [o.number for o in fast.register.officers if o.side == "fox"] == [3]
    assert fast.register.officers[0].recovery
    assert not change(fast, key_of("fox"), key_of("third")).good
    assert fast.sends("fox", "FOX: move B1;", OTHER).good
    fast.window("hunter")
    assert checked(fast.folder, *reports(fast, "hunter")) == []
    assert fast.audit().whole


def test_a_change_that_comes_twice_is_known(fast: Proven) -> None:
    text = key_change.change(Report.of(fast.report("fox")), key_of("fox"), DiceChains(NEW))
    (first,), (again,) = fast.receive(text), fast.receive(f"> {text}".replace("\n", "\n> "))
    assert (first.status, again.status) == ("accepted", "known")
    assert len([r for r in fast.records if r.kind == "replaced"]) == 1


REFUSED: dict[str, Callable[[Proven], Outcome]] = {
    "by a stranger": lambda h: change(h, key_of("stranger")),
    "by the other side's key": lambda h: change(h, key_of("hunter")),
    "to a key in use": lambda h: change(h, key_of("fox"), key_of("hunter")),
    "to the same key": lambda h: change(h, key_of("fox"), key_of("fox")),
    "to the recovery key": lambda h: change(h, key_of("fox"), recovery.key_of(PAPER)),
    "of another window": lambda h: change(h, key_of("fox"), window=2),
    "of another game": lambda h: change(h, key_of("fox"), game="g2"),
    "of another set-up": lambda h: change(h, key_of("fox"), setup={"digest": "0" * 64, "text": ""}),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_change_that_is_not_allowed_is_refused(case: str, fast: Proven) -> None:
    before = fast.register.officers
    outcome = REFUSED[case](fast)
    assert (outcome.status, outcome.receipt["code"]) == ("refused", "bad-keys")
    assert fast.register.officers == before


def test_an_old_change_cannot_be_replayed(fast: Proven) -> None:
    text = key_change.change(Report.of(fast.report("fox")), key_of("fox"), DiceChains(NEW))
    fast.window("fox", "hunter")
    assert fast.receive(text)[0].receipt["code"] == "bad-keys"


def test_a_former_key_is_not_accepted_again(fast: Proven) -> None:
    change(fast, key_of("fox"))
    assert change(fast, NEW, key_of("fox")).receipt["code"] == "bad-keys"
    with writing(fast.home, "g1") as game, pytest.raises(Usage, match="registered before"):
        enlist(game, "fox", Newcomer(public_line(key_of("fox").wire)))


def test_any_changed_letter_is_refused(fast: Proven) -> None:
    text = key_change.change(Report.of(fast.report("fox")), key_of("fox"), DiceChains(NEW))
    for at in range(12, len(text), 29):
        letter = "b" if text[at] != "b" else "c"
        if text[at].isspace() or text[at].isupper():
            continue
        (outcome,) = fast.receive(text[:at] + letter + text[at + 1 :])
        assert outcome.status == "refused"
    assert len(fast.register.former) == 0


@pytest.mark.parametrize(
    "other",
    [
        lambda f: {"proof": f["proof"].upper()},
        lambda f: {"proof": f["proof"][:64] + " " + f["proof"][64:]},
        lambda f: {"key": f["key"] + " comment"},
        lambda f: {"key": f["key"].replace("ssh-ed25519", "ssh-ed25518")},
        lambda f: {"window": "01"},
    ],
)
def test_a_change_has_one_form(
    other: Callable[[dict[str, str]], dict[str, str]], fast: Proven
) -> None:
    """Bytes that no signature covers must have exactly one form too."""
    from pbem.player.joining import block, read_keys

    facts, signature = read_keys(
        key_change.change(Report.of(fast.report("fox")), key_of("fox"), DiceChains(NEW)).encode()
    )
    (outcome,) = fast.receive(block("KEYS", facts | other(facts), signature))
    assert outcome.receipt["code"] == "bad-keys"


def test_a_key_signed_by_one_of_two_is_refused(fast: Proven) -> None:
    """The new key must sign too; otherwise a thief could name a key of somebody else."""
    from pbem.crypto.sshsig import bare, sign
    from pbem.player.joining import block, read_keys

    facts, signature = read_keys(
        key_change.change(Report.of(fast.report("fox")), key_of("fox"), DiceChains(NEW)).encode()
    )
    forged = bare(sign(key_change.statement(facts), key_of("fox"), key_change.NAMESPACE)).hex()
    (outcome,) = fast.receive(block("KEYS", facts | {"proof": forged}, signature))
    assert outcome.receipt["code"] == "bad-keys"


# Loss


def test_a_loss_is_told_to_all_two_days_before(fast: Proven, clock: Clock) -> None:
    with writing(fast.home, "g1") as game:
        anchor = first_anchor(DiceChains(NEW), "g1", "fox")
        lose(game, "fox", Newcomer(public_line(NEW.wire), anchor=anchor))
    mails = [p.read_text() for p in (fast.folder / "outbox").glob("*-note.eml")]
    assert len(mails) == 2
    assert not fast.sends("fox", "FOX: move B1;", NEW).good
    clock.advance(hours=47)
    with writing(fast.home, "g1") as game:
        assert carry_out(game) == []
        with pytest.raises(Busy, match="it is due"):
            carry_out(game, "fox")
    fast.window("hunter")
    assert any("is reported lost" in flag for flag in fast.report("hunter")["flags"])
    clock.advance(hours=1)
    with writing(fast.home, "g1") as game:
        assert carry_out(game, "fox") == ["fox"]
    assert fast.sends("fox", fast.suggested("fox"), NEW).good
    assert not fast.sends("fox", fast.suggested("fox")).good
    fast.window("hunter")
    assert fast.report("fox")["keys"]["fox"][0]["why"] == "reset"
    whole(fast)


def test_a_reported_loss_is_cancelled_when_the_key_signs(fast: Proven, clock: Clock) -> None:
    with writing(fast.home, "g1") as game:
        lose(game, "fox", Newcomer(public_line(NEW.wire)))
    assert fast.sends("fox", "FOX: move B1;").good
    clock.advance(hours=99)
    with writing(fast.home, "g1") as game, pytest.raises(Busy, match="no lost key of fox"):
        carry_out(game, "fox")
    fast.window("hunter")
    assert any("has signed again" in flag for flag in fast.report("hunter")["flags"])
    whole(fast)


def test_a_tick_puts_the_new_key_in_place(
    fast: Proven, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PBEM_HOME", str(fast.home))
    with writing(fast.home, "g1") as game:
        lose(game, "hunter", Newcomer(public_line(NEW.wire)))
    assert pbem("tick", "g1").code == 0
    assert not fast.register.former
    clock.advance(hours=48)
    assert pbem("tick", "g1").code == 0
    assert [o.key for o in fast.register.officers][1] == public_line(NEW.wire)


# Officers and other players


def test_one_officer_of_two_is_replaced(fast: Proven) -> None:
    with writing(fast.home, "g1") as game:
        enlist(game, "fox", Newcomer(public_line(OTHER.wire), "second@x.org"))
        replace(game, "fox", Newcomer(public_line(NEW.wire), "third@x.org"), officer=1)
    assert [o.number for o in fast.register.officers if o.side == "fox"] == [2, 3]
    book = json.loads((fast.folder / "private/addresses.json").read_bytes())["fox"]
    assert [one["email"] for one in book] == ["second@x.org", "third@x.org"]
    assert fast.sends("fox", "FOX: move B1;", OTHER).good
    assert fast.sends("fox", "FOX: move A2;", NEW).good
    assert not fast.sends("fox", "FOX: move B1;").good
    fast.window("hunter")
    assert [k["why"] for k in fast.report("hunter")["keys"]["fox"]] == ["officer", "replacement"]
    whole(fast)


def test_a_replacement_tells_that_a_key_changed_not_who_plays(fast: Proven) -> None:
    with writing(fast.home, "g1") as game:
        replace(game, "fox", Newcomer(public_line(NEW.wire), "new@secret.org", "Admiral Nobody"))
    sent = {p.name: p.read_bytes() for p in (fast.folder / "outbox").glob("*-note.eml")}
    assert len(sent) == 3
    to = sorted(re.findall(rb"^To: (.*)$", b"\n".join(sent.values()), re.MULTILINE))
    assert [t.strip() for t in to] == [b"fox@x.org", b"hunter@x.org", b"new@secret.org"]
    for name, mail in sent.items():
        assert b"Nobody" not in mail
        assert b"secret.org" not in mail or b"To: new@secret.org" in mail, name
    fast.window("hunter")
    whole(fast)


def test_a_new_officer_is_told_to_all(fast: Proven) -> None:
    with writing(fast.home, "g1") as game:
        enlist(game, "hunter", Newcomer(public_line(OTHER.wire)))
    assert len([*(fast.folder / "outbox").glob("*-note.eml")]) == 2
    fast.window("fox")
    assert fast.report("fox")["keys"]["hunter"][0]["why"] == "officer"
    whole(fast)


def test_a_link_is_opened_by_a_later_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> None:
    """verify.py and `pbem read` know later keys from the reports alone."""
    referee = papered(tmp_path / "strict", monkeypatch, "strict")
    assert change(referee, key_of("fox")).good
    for _ in range(3):
        assert referee.sends("fox", referee.suggested("fox"), NEW).good
        assert referee.sends("hunter", referee.suggested("hunter")).good
        with pytest.raises(Busy):
            referee.run(force=True)
        assert change(referee, NEW, OTHER).receipt["code"] == "bad-keys"
        for side, key in (("fox", NEW), ("hunter", key_of("hunter"))):
            if referee.register.anchor_of(side, 2 if side == "fox" else 1):
                assert referee.reveals(side, key).good
        referee.run()
    last = reports(referee, "hunter")[-1]
    assert json.loads(last.read_bytes())["seed"]["links"]["fox"]
    whole(referee)
    report = json.loads(last.read_bytes())
    report["seed"]["reveals"]["fox"] = report["seed"]["reveals"]["hunter"]
    with pytest.raises(BadProof, match="not signed with the lock"):
        check_report(redigested(report))
    path = tmp_path / "report.json"
    path.write_bytes(canonical(report))
    assert checked(*reports(referee, "hunter")[:-1], path) == ["bad-reveal"]


def test_a_link_of_a_former_key_whose_set_is_in_force_is_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> None:
    referee = papered(tmp_path / "strict", monkeypatch, "strict")
    for side in ("fox", "hunter"):
        assert referee.sends(side, referee.suggested(side)).good
    assert change(referee, key_of("fox")).good
    with pytest.raises(Busy):
        referee.run(force=True)
    for side in ("fox", "hunter"):
        assert referee.reveals(side).good
    referee.run()
    assert referee.report("fox")["seed"]["links"]["fox"]
    whole(referee)


def redigested(report: Body) -> Body:
    from pbem.reports.report import digest

    report["digest"] = digest(report)
    return report


def canonical(report: Body) -> bytes:
    from pbem.base.hashing import canonical_json

    return canonical_json(redigested(report))


# Commands


def test_the_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, clock: Clock) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PBEM_HOME", str(tmp_path))
    assert pbem("new", "toy", "g1", "--dice", "seeded").code == 0
    for name in ("a", "b", "c", "d"):
        assert pbem("keygen", "-o", f"{name}.key").code == 0
    made = pbem("keygen", "--recovery", "-o", "paper", "--json").json
    assert not Path("paper").exists()
    letter = pbem("invite", "g1", "fox", "--email", "fox@x.org").raw
    Path("letter.txt").write_bytes(letter)
    joined = pbem("join", "letter.txt", "--key", "a.key", "-o", "join.txt")
    words = re.search(r"(?:[a-z2-7]{8} ){6}[a-z2-7]{8}", joined.err)
    assert words
    assert pbem("enlist", "g1", "--letter", "join.txt").code == 0
    assert pbem("enlist", "g1", "hunter", "--key", "b.key.pub", "--recovery", "paper.pub").code == 0
    assert pbem("open", "g1").code == 0
    setup = json.loads(Referee(tmp_path, SYSTEM).register.setup)
    assert [len(lines) for lines in setup["recovery"].values()] == [1, 1]
    Path("words.txt").write_text(words[0].upper())
    report = "g1/reports/fox/1/report.json"
    assert pbem("rekey", "--report", report, "--new", "c.key").code == 2
    assert (
        pbem(
            "rekey",
            "--report",
            report,
            "--new",
            "c.key",
            "--recovery",
            "words.txt",
            "-o",
            "keys.txt",
        ).code
        == 0
    )
    assert pbem("receive", "g1", "keys.txt").code == 0
    assert pbem("receive", "g1", "keys.txt").code == 0
    report = "g1/reports/hunter/1/report.json"
    done = pbem(
        "rekey",
        "--report",
        report,
        "--new",
        "d.key",
        "--recovery",
        "-",
        stdin=made["words"].encode(),
    )
    Path("keys2.txt").write_bytes(done.raw)
    assert pbem("receive", "g1", "keys2.txt").code == 0
    lost = pbem("replace", "g1", "fox", "--lost", "--key", "b.key.pub")
    assert (lost.code, "registered before" in lost.err) == (2, True)
    assert pbem("keygen", "-o", "e.key").code == 0
    assert pbem("replace", "g1", "fox", "--lost", "--key", "e.key.pub").code == 0
    assert pbem("replace", "g1", "fox", "--lost").code == 4
    clock.advance(hours=DELAY.days * 24)
    assert pbem("replace", "g1", "fox", "--lost").code == 0
    assert pbem("replace", "g1", "fox").code == 2
    assert pbem("audit", "g1").code == 0
