"""An encrypted game by the commands alone, with stock programs on the players' side."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.commands import Said, pbem
from tests.conftest import Clock

pytestmark = pytest.mark.skipif(
    shutil.which("age") is None or shutil.which("ssh-keygen") is None,
    reason="age or ssh-keygen is missing: apt install age openssh-client",
)
PHRASE = "correct horse"


def run(*args: str | Path, content: bytes = b"") -> bytes:
    said = subprocess.run([str(a) for a in args], input=content, capture_output=True, check=False)
    assert said.returncode == 0, said.stderr
    return said.stdout


def done(*args: str | Path, stdin: bytes = b"") -> Said:
    said = pbem(*args, stdin=stdin)
    assert said.code == 0, said.err
    return said


@pytest.fixture
def folder(tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An encrypted game: the fox has an RSA and a locked Ed25519 key, the hunter a locked ECDSA
    one."""
    monkeypatch.chdir(tmp_path)
    run("ssh-keygen", "-q", "-t", "ed25519", "-N", PHRASE, "-f", "fox")
    run("ssh-keygen", "-q", "-t", "rsa", "-b", "2048", "-N", "", "-f", "mate")
    run("ssh-keygen", "-q", "-t", "ecdsa", "-b", "384", "-N", PHRASE, "-f", "hunter")
    Path("phrase").write_text(PHRASE + "\n")
    Path("phrase").chmod(0o600)
    monkeypatch.setenv("PBEM_HOME", "home")
    done("new", "toy", "g1", "--mail", "sealed")
    for key in ("fox", "mate"):
        done("enlist", "g1", "fox", "--email", f"{key}@example.org", "--key", f"{key}.pub")
    letter = done("invite", "g1", "hunter", "--email", "hunter@example.org").raw
    Path("letter.txt").write_bytes(letter)
    monkeypatch.setenv("PBEM_PASSPHRASE_FILE", "phrase")
    said = done("join", "letter.txt", "--key", "hunter", "-o", "join.txt")
    assert "hunter.age-key" in said.err
    done("enlist", "g1", "--letter", "join.txt")
    done("open", "g1")
    return tmp_path


def mail_of(side: str, kind: str) -> Path:
    return sorted(Path("home/g1/outbox").glob(f"{side}-*-{kind}.eml"))[-1]


def test_a_window_by_commands(folder: Path) -> None:
    for side, key in (("fox", "fox"), ("hunter", "hunter")):
        read = done("read", mail_of(side, "report"), "--key", key, "-o", f"{side}-1")
        assert "signed by the moderator" in read.err
        report = f"{side}-1/report.json"
        done("check", f"{side}-1/orders.txt", "--report", report)
        done("sign", f"{side}-1/orders.txt", "--key", key, "--report", report, "-o", f"{side}.age")
        assert Path(f"{side}.age").read_text().startswith("-----BEGIN AGE ENCRYPTED FILE-----\n")
        done("receive", "g1", f"{side}.age")
        receipt = done("read", mail_of(side, "receipt"), "--key", key, "--report", report)
        assert "received, all understood." in receipt.out
        assert "verified: a receipt, signed by the moderator" in receipt.err
    assert done("run", "g1").code == 0
    assert done("audit", "g1").code == 0
    done("read", mail_of("fox", "report"), "--key", "mate", "-o", "mate-2")
    pages = {p.name for p in Path("mate-2").iterdir()}
    assert pages == {"report.json", "report.seal", "report.txt", "report.html", "orders.txt"}
    mailed = Path("home/g1/reports/fox/2")
    for name in ("report.json", "report.seal", "report.txt", "orders.txt"):
        assert (Path("mate-2") / name).read_bytes() == (mailed / name).read_bytes(), name
    run(sys.executable, Path(__file__).parents[2] / "verify.py", "mate-2/report.json")


def test_stock_age_opens_what_is_mailed_and_encrypts_what_is_taken(
    folder: Path, clock: Clock
) -> None:
    done("read", mail_of("fox", "report"), "--key", "mate", "-o", "fox-1")
    from email import message_from_bytes

    (part,) = [
        p
        for p in message_from_bytes(mail_of("fox", "report").read_bytes()).walk()
        if p.get_filename() == "report.eml.age"
    ]
    body = part.get_payload(decode=True)
    assert isinstance(body, bytes)
    inner = message_from_bytes(run("age", "-d", "-i", "mate", content=body))
    assert str(inner["Subject"]).startswith("[g1] The game begins, turn 1")
    (hunters,) = [
        p
        for p in message_from_bytes(mail_of("hunter", "report").read_bytes()).walk()
        if p.get_filename() == "report.eml.age"
    ]
    content = hunters.get_payload(decode=True)
    assert isinstance(content, bytes)
    assert b"report.json" in run("age", "-d", "-i", "hunter.age-key", content=content)
    to = done("report", "g1", "fox", "--format", "json").json["moderator"]["age"]
    form = Path("fox-1/orders.txt").read_bytes()
    block = form[form.index(b"BEGIN ORDERS") :]
    Path("orders.txt").write_bytes(block)
    run("ssh-keygen", "-q", "-Y", "sign", "-f", "mate", "-n", "orders@pbem", "orders.txt")
    for name in ("orders.txt", "orders.txt.sig"):
        run("age", "-r", to, "-o", f"{name}.age", name)
    Path("orders.txt.age.sig").write_bytes(Path("orders.txt.sig.age").read_bytes())
    said = pbem("receive", "g1", "orders.txt.age")
    assert said.code == 0, said.out
    clock.advance(hours=1)
    own = done(
        "sign", "fox-1/orders.txt", "--key", "mate", "--report", "fox-1/report.json", "--json"
    )
    plain = own.json["orders"]
    assert pbem("receive", "g1", "-", stdin=plain.encode()).out.count("not-encrypted") == 1
    done("receive", "g1", "-", stdin=run("age", "-r", to, content=plain.encode()))
    keys = "home/g1/private/age.key"
    assert plain.encode() in run("age", "-d", "-i", keys, content=own.json["encrypted"].encode())
    assert run("age-keygen", "-y", keys).decode().split() == [to]


def test_a_locked_key_wants_its_passphrase(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    report = mail_of("fox", "report")
    monkeypatch.delenv("PBEM_PASSPHRASE_FILE")
    said = pbem("read", report, "--key", "fox")
    assert said.code == 2
    assert "PBEM_PASSPHRASE_FILE=FILE" in said.err
    for name, content, mode, words in (
        ("wrong", "horse\n", 0o600, "wrong passphrase"),
        ("open", PHRASE, 0o644, "may be read by others"),
        ("nowhere", "", 0, "there is no file"),
    ):
        if mode:
            Path(name).write_text(content)
            Path(name).chmod(mode)
        monkeypatch.setenv("PBEM_PASSPHRASE_FILE", name)
        said = pbem("read", report, "--key", "fox")
        assert said.code in (2, 3)
        assert words in said.err
    monkeypatch.setenv("PBEM_PASSPHRASE_FILE", "phrase")
    assert done("read", report, "--key", "fox").out.startswith("=====")


def test_an_ecdsa_key_needs_its_age_key(folder: Path) -> None:
    report = mail_of("hunter", "report")
    Path("hunter.age-key").rename("elsewhere")
    said = pbem("read", report, "--key", "hunter")
    assert said.code == 2
    assert "there is no hunter.age-key next to it" in said.err
    assert done("read", report, "--key", "hunter", "--age", "elsewhere").code == 0
    assert pbem("read", report, "--key", "hunter", "--age", "nowhere").code == 3
    assert pbem("read", report, "--key", "hunter", "--age", "hunter.pub").code == 2
    assert pbem("read", report, "--key", "mate").code == 1


def test_renew_age_tells_players_the_new_key(folder: Path) -> None:
    assert pbem("renew-age", "g1").code == 2
    public = done("renew-age", "g1", "--yes", "--json").json["age"]
    done("read", mail_of("fox", "report"), "--key", "mate", "-o", "fox-1")
    told = done("read", mail_of("fox", "note"), "--key", "mate", "--report", "fox-1/report.json")
    assert public in told.out
    done(
        "sign",
        "fox-1/orders.txt",
        "--key",
        "mate",
        "--report",
        "fox-1/report.json",
        "--eml",
        "--age",
        public,
        "-o",
        "orders.eml",
    )
    done("receive", "g1", "orders.eml")
    done("new", "toy", "g2")
    assert pbem("renew-age", "g2", "--yes").code == 4


def test_a_strict_game_is_encrypted_too(
    tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PBEM_HOME", "home")
    done("new", "toy", "g1", "--mail", "sealed", "--dice", "strict")
    done("keygen", "-o", "fox.key")
    letter = done("invite", "g1", "fox", "--email", "fox@example.org").raw
    Path("letter.txt").write_bytes(letter)
    done("join", "letter.txt", "--key", "fox.key", "-o", "join.txt")
    done("enlist", "g1", "fox", "--letter", "join.txt")
    done("enlist", "g1", "hunter", "--bot")
    done("open", "g1")
    done("read", mail_of("fox", "report"), "--key", "fox.key", "-o", "fox-1")
    done("sign", "fox-1/orders.txt", "--key", "fox.key", "--report", "fox-1/report.json", "-o", "a")
    done("receive", "g1", "a")
    done("tick", "g1")
    lock = mail_of("fox", "lock")
    done("read", lock, "--key", "fox.key", "--report", "fox-1/report.json", "-o", "lock")
    done("reveal", lock, "--key", "fox.key", "-o", "link.txt")
    done("reveal", "lock/lock.json", "--key", "fox.key", "-o", "again.txt")
    assert Path("link.txt").read_text() == Path("again.txt").read_text()
    done("receive", "g1", "link.txt")
    done("tick", "g1")
    assert done("status", "g1", "--json").json["window"] == 2
    assert done("audit", "g1").code == 0
