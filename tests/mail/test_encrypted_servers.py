"""An encrypted game through real servers, its players at their own disks with stock programs.

Nobody between moderator and player reads a word: not the mail servers, and not who has a copy of
every mailbox.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator
from email import message_from_bytes
from email.message import Message
from pathlib import Path
from typing import Any

import pytest

from pbem.dice import provable
from tests.cli.commands import Said, pbem
from tests.conftest import Clock
from tests.luck import dice_key
from tests.mail.player import PROGRAMS, Player, files_of
from tests.mail.servers import Servers, missing, until
from tests.mail.site import by_sendmail, by_smtp, configured

pytestmark = pytest.mark.skipif(bool(missing("age", "ssh-keygen")), reason=missing("age"))
HOME = "encrypted@example.org"
USERS = {"fox": "vixen", "hunter": "hound"}
PLAIN = (b"BEGIN ORDERS", b"FOX: ", b"HOUND:", b"YOUR FORCES", b'"units"')
"""Words of orders and reports, none of which may be seen on the way. They are long enough not to
occur in encrypted bytes by chance."""


def run(*args: str | Path, stdin: bytes = b"") -> bytes:
    said = subprocess.run([str(a) for a in args], input=stdin, capture_output=True, check=False)
    assert said.returncode == 0, said.stderr
    return said.stdout


def done(*args: str | Path) -> Said:
    said = pbem(*args)
    assert said.code == 0, said.out + said.err
    return said


class Sailor(Player):
    """A player of an encrypted game. kind: of his SSH key; an ECDSA key has an age key beside
    it."""

    def __init__(self, servers: Servers, user: str, folder: Path, kind: str) -> None:
        super().__init__(servers, user, folder)
        self.key, self.age = folder / "key", folder / "age.key"
        size = {"rsa": ["-b", "2048"]}.get(kind, [])
        run("ssh-keygen", "-q", "-t", kind, *size, "-N", "", "-f", self.key)
        self.opens_with = self.key
        if kind == "ecdsa":
            run("age-keygen", "-o", self.age)
            self.opens_with = self.age

    @property
    def reader(self) -> str:
        """What mail is encrypted to where his key will not do; empty where it does."""
        return run("age-keygen", "-y", self.age).decode().strip() if self.age.exists() else ""

    def reads(self, mail: Message, *more: str | Path) -> Any:
        """What `pbem read` makes of a mail, which is what the stock program finds in it."""
        path, out = self.folder / "mail.eml", self.folder / "new"
        path.write_bytes(mail.as_bytes())
        own: list[str | Path] = ["--age", self.age] if self.age.exists() else []
        read = done("read", path, "--key", self.key, *own, *more, "-o", out, "--json").json
        inner = files_of(message_from_bytes(self.decrypts(mail)))
        name = next(n for n in inner if n.endswith(".json"))
        assert json.loads(inner[name]) == json.loads((out / name).read_bytes()) == read
        return read

    def decrypts(self, mail: Message) -> bytes:
        """What `age` alone finds in a mail."""
        ((_, encrypted),) = files_of(mail).items()
        return run("age", "-d", "-i", self.opens_with, stdin=encrypted)

    def by_pbem(self) -> Path:
        """The form signed and encrypted by our command."""
        form, report, out = (
            self.folder / "new" / n for n in ("orders.txt", "report.json", "my.age")
        )
        done("check", form, "--report", report)
        done("sign", form, "--key", self.key, "--report", report, "-o", out)
        return out

    def by_stock_programs(self) -> list[Path]:
        """The form signed by `ssh-keygen`, and it and its signature encrypted by `age`."""
        form = self.folder / "new" / "orders.txt"
        to = json.loads((self.folder / "new" / "report.json").read_bytes())["moderator"]["age"]
        run("ssh-keygen", "-Y", "sign", "-f", self.key, "-n", "orders@pbem", form)
        signature, made = form.with_name("orders.txt.sig"), []
        for path in (form, signature):
            made.append(path.with_name(path.name + ".age"))
            run("age", "-r", to, "-o", made[-1], path)
        signature.unlink()
        return made


@pytest.fixture
def moderator(
    servers: Servers, tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Said]:
    """`pbem --home HOME ARGS`, which must do. Dice are provable."""
    monkeypatch.setattr(provable, "generate_key", dice_key)
    home = configured(tmp_path / "home", by_smtp(servers, "encrypted", "implicit"))
    return lambda *args: done("--home", home, *args)


@pytest.fixture
def empty(servers: Servers) -> Iterator[None]:
    """Mailboxes that the next game finds without this one's mail."""
    yield
    for user in (*USERS.values(), "encrypted"):
        for path in servers.kept(user):
            path.unlink()


def enlisted(
    servers: Servers, moderator: Callable[..., Said], folder: Path, kinds: dict[str, str]
) -> dict[str, Sailor]:
    """An encrypted game whose sides have keys of these kinds, open, its first reports sent."""
    moderator("new", "toy", "g1", "--mail", "sealed")
    sailors = {s: Sailor(servers, USERS[s], folder / s, kind) for s, kind in kinds.items()}
    for side, sailor in sailors.items():
        own = ["--age", sailor.reader] if sailor.reader else []
        key = str(sailor.key.with_suffix(".pub"))
        moderator("enlist", "g1", side, "--email", sailor.address, "--key", key, *own)
    moderator("open", "g1")
    moderator("tick")
    return sailors


@pytest.mark.some(1)
@pytest.mark.usefixtures("empty")
@pytest.mark.parametrize(
    ("kinds", "stock"),
    [({"fox": "ed25519", "hunter": "rsa"}, "hunter"), ({"fox": "ecdsa", "hunter": "ed25519"}, "")],
)
def test_windows_of_an_encrypted_game(
    kinds: dict[str, str],
    stock: str,
    servers: Servers,
    moderator: Callable[..., Said],
    tmp_path: Path,
) -> None:
    """One window by each mail program: as a file, in the body, as a file again."""
    sailors = enlisted(servers, moderator, tmp_path, kinds)
    for window, program in enumerate(PROGRAMS, 1):
        for side, sailor in sailors.items():
            report = sailor.reads(sailor.waits_for(f"window {window}: encrypted report"))
            assert (report["side"], report["window"]) == (side, window)
            if side == stock:
                sailor.sends(program, "Both files.\n", sailor.by_stock_programs(), to=HOME)
            elif window == 2:
                sailor.sends(program, sailor.by_pbem().read_text(), to=HOME)
            else:
                sailor.sends(program, "Encrypted.\n", [sailor.by_pbem()], to=HOME)
        told = moderator("tick").out
        assert "2 sets in" in told and "1 window closed" in told, told
        for sailor in sailors.values():
            receipt = sailor.waits_for(f"window {window}: encrypted receipt")
            known = str(sailor.folder / "new" / "report.json")
            assert sailor.reads(receipt, "--report", known)["status"] == "accepted"
    for side, sailor in sailors.items():
        sailor.reads(sailor.waits_for("window 4: encrypted report"))
        moderator("audit", "g1", "--held", str(sailor.folder / "new" / "report.json"))
        assert len(servers.kept(USERS[side])) == 7
    assert nothing_shows(servers) == 20


def nothing_shows(servers: Servers) -> int:
    """How many mails lie in all mailboxes of the game, none of which shows what is in it."""
    count = 0
    for user in (*USERS.values(), "encrypted"):
        for path in servers.kept(user):
            mail, count = message_from_bytes(path.read_bytes()), count + 1
            bodies = [p.get_payload(decode=True) for p in mail.walk()]
            seen = [path.read_bytes(), *(b for b in bodies if isinstance(b, bytes))]
            assert not [w for w in PLAIN for one in seen if w.lower() in one.lower()]
    return count


@pytest.mark.usefixtures("empty")
def test_an_encrypted_mail_that_bounces(
    servers: Servers, moderator: Callable[..., Said], tmp_path: Path
) -> None:
    """Who is told is the moderator, and what comes back can still not be read."""
    configured(tmp_path / "home", by_sendmail(servers, "encrypted"))
    moderator("new", "toy", "g1", "--mail", "sealed")
    for side, host in (("fox", "elsewhere.example.org"), ("hunter", "example.org")):
        sailor = Sailor(servers, USERS[side], tmp_path / side, "ed25519")
        key = str(sailor.key.with_suffix(".pub"))
        moderator("enlist", "g1", side, "--email", f"{USERS[side]}@{host}", "--key", key)
    moderator("open", "g1")
    moderator("tick")
    assert until(lambda: servers.holds("encrypted")), servers.postfix.log()
    moderator("tick")
    assert "outbox/fox-0001-report.eml bounced: 5." in moderator("status", "g1").out
    assert until(lambda: nothing_shows(servers) == 2)
