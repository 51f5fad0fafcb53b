"""Files that a player kept: reports and receipts in any order, and mails as they came."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from email.message import EmailMessage
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.toy.game import SYSTEM
from pbem.audit.open_file import attached
from pbem.crypto.age_armour import armour
from pbem.outbound.notices import note
from pbem.store.game_dir import writing
from tests.cli.commands import pbem
from tests.conftest import Clock
from tests.counts import few
from tests.encryption import EncryptedReferee, age_part
from tests.ledgers import chained
from tests.proving import Proven
from tests.trust import games
from tests.trust.corpus import FILE, checked, reports, verify

MAILS = ("report", "receipt", "lock")


def mails(referee: Proven, side: str = "fox") -> list[Path]:
    """The mails that a side was sent and that hold papers."""
    found = sorted((referee.folder / "outbox").glob(f"{side}-*.eml"))
    return [path for path in found if path.stem.rpartition("-")[2] in MAILS]


def program(*args: Path | str) -> tuple[int, str]:
    """`python verify.py ARGS`: exit code, and all that it said."""
    command = [sys.executable, "-I", str(FILE), *map(str, args)]
    said = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "Traceback" not in said.stderr, said.stderr
    return said.returncode, said.stdout + said.stderr


def judged(ledger: Path, papers: Sequence[Path]) -> tuple[list[str], list[str]]:
    """What the two checkers find, each in its own words."""
    audited = pbem("audit", ledger, "--held", *papers, "--json").json
    _, found = verify.check_all([str(ledger), *map(str, papers)])
    return [f"{f['code']} {f['text']}" for f in audited["findings"]], sorted(found)


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Proven:
    with pytest.MonkeyPatch.context() as patch:
        return games.strict(tmp_path_factory.mktemp("strict") / "home", patch, Clock(patch))


@pytest.fixture(scope="module")
def spoilt(strict: Proven, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Wrong ledgers, by what kept files show about them."""
    folder, lines = tmp_path_factory.mktemp("ledgers"), chained(strict.records)
    from msgspec import structs

    other = [structs.replace(r, salt="0" * 32) for r in strict.records]
    forked = chained([*strict.records[:-4], *other[-4:]])
    made = {"whole": lines, "cut": lines[:-3], "forked": forked, "other": chained(other)}
    for name, content in made.items():
        (folder / f"{name}.jsonl").write_bytes(b"".join(content))
    return {name: folder / f"{name}.jsonl" for name in made}


@pytest.mark.some(1)
@pytest.mark.parametrize("name", ["whole", "cut", "forked", "other"])
def test_the_order_of_kept_files_does_not_change_the_findings(
    name: str, strict: Proven, spoilt: dict[str, Path]
) -> None:
    held = [*mails(strict), *reports(strict, "fox"), *mails(strict, "hunter")]
    assert len(held) > 15
    want = judged(spoilt[name], held)
    assert (want == ([], [])) == (name == "whole")

    @given(st.randoms(use_true_random=False))
    @settings(max_examples=few(8), suppress_health_check=list(HealthCheck))
    def shuffled(random: Random) -> None:
        papers = random.sample(held, len(held))
        assert judged(spoilt[name], papers) == want

    shuffled()


def test_reports_in_shell_order_give_no_finding(played: Proven, tmp_path: Path) -> None:
    """`report-10.json` stands before `report-2.json`."""
    ledger, held = played.folder / "ledger.jsonl", []
    for path in reports(played, "fox"):
        held.append(tmp_path / f"report-{path.parent.name}.json")
        held[-1].write_bytes(path.read_bytes())
    backwards = sorted(held, key=lambda path: -int(path.stem[7:]))
    for papers in (sorted(held), backwards):
        said = pbem("audit", ledger, "--held", *papers)
        assert said.code == 0, said.out
        assert program(ledger, *papers)[0] == 0


# Mails


def test_verify_reads_reports_and_receipts_from_mails(strict: Proven, tmp_path: Path) -> None:
    kinds = {path.stem.rpartition("-")[2]: path for path in mails(strict)}
    assert sorted(kinds) == sorted(MAILS)
    say, found = verify.check_all([str(strict.folder), *map(str, mails(strict))])
    assert found == []
    assert not [line for line in say if "signature is not checked" in line]
    assert len([line for line in say if " checked" in line]) == len(mails(strict))
    for path in kinds.values():
        copy = tmp_path / path.name
        raw = path.read_bytes().replace(b"\r\n", b"\n")
        for text in (
            raw,
            raw.replace(b"\n", b"\r\n"),
            b"From mbox Fri Nov 20 12:00\n" + raw,
            b"X-Mailer: x\n folded\n" + raw,
        ):
            copy.write_bytes(text)
            code, said = program(copy, reports(strict, "fox")[0])
            assert (code, "1 finding" in said) == (0, False), said


def test_forged_files_in_a_mail_are_found(strict: Proven, tmp_path: Path) -> None:
    """The files in a mail are checked like any others."""
    (first, *_) = [p for p in mails(strict) if p.stem.endswith("receipt")]
    parts = attached(first.read_bytes())
    facts = json.loads(parts["receipt.json"])
    mail = EmailMessage()
    mail["From"], mail["Date"] = "x@example.org", "Fri, 20 Nov 2026 12:00:00 +0000"
    for name, content in (
        ("receipt.json", parts["receipt.json"].replace(b'"accepted"', b'"partly"')),
        ("receipt.seal", parts["receipt.seal"]),
    ):
        mail.add_attachment(content, "application", "octet-stream", filename=name)
    path = tmp_path / "forged.eml"
    path.write_bytes(mail.as_bytes())
    assert facts["status"] == "accepted"
    assert checked(path, strict.folder) == ["forged-receipt"]


def test_mails_forwarded_together_keep_their_papers_apart(strict: Proven, tmp_path: Path) -> None:
    outer = EmailMessage()
    outer["From"], outer["Subject"] = "fox@example.org", "Fwd: all of them"
    outer.set_content("See below.")
    from email import message_from_bytes, policy

    for path in mails(strict):
        outer.add_attachment(message_from_bytes(path.read_bytes(), policy=policy.default))
    path = tmp_path / "all.eml"
    path.write_bytes(outer.as_bytes())
    say, found = verify.check_all([str(strict.folder), str(path)])
    assert found == []
    assert len([line for line in say if " checked" in line]) == len(mails(strict))


def test_the_reports_of_a_run_in_one_mail_are_all_read(tmp_path: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        referee = games.run(tmp_path / "home", patch, Clock(patch))
    last = mails(referee)[-1]
    names = [name for name in attached(last.read_bytes()) if name.endswith(".json")]
    assert len(names) > 2
    say, found = verify.check_all([str(referee.folder), str(last)])
    assert found == []
    for name in names:
        assert any(f"({name})" in line for line in say), name


def test_a_mail_that_cannot_be_read_says_what_to_do(tmp_path: Path, clock: Clock) -> None:
    sea = EncryptedReferee.begun(tmp_path / "home", SYSTEM)
    encrypted = sea.newest("fox", "report")
    files = {
        "mail.eml": encrypted,
        "report.eml.age": age_part(encrypted),
        "pasted.txt": b"Here:\n\n" + armour(age_part(encrypted)).encode(),
    }
    for name, content in files.items():
        path = tmp_path / name
        path.write_bytes(content)
        code, said = program(path)
        assert (code, "encrypted" in said, "`pbem read`" in said) == (2, True, True), said
        said_too = pbem("audit", sea.folder / "ledger.jsonl", "--held", path)
        assert (said_too.code, "pbem read" in said_too.err) == (2, True), said_too.err


def test_a_mail_without_papers_says_so(copy: Proven) -> None:
    with writing(copy.home, "g1") as game:
        note(game, ["fox"], "The badger sleeps.\n")
    path = max((copy.folder / "outbox").glob("fox-*-note.eml"))
    code, said = program(path)
    assert (code, "without a report" in said) == (2, True), said
    said_too = pbem("audit", copy.folder / "ledger.jsonl", "--held", path)
    assert said_too.code == 2, said_too.err
