"""Every command that reads a file, given damaged ones: it does its work or says what is wrong with
which file, by an exit code of its own, and never takes the damage for a bug in pbem."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

from pbem.audit.open_file import attached
from pbem.crypto import age, recovery
from pbem.errors import Busy
from pbem.outbound.mime import Part, message
from tests.cli.commands import Said, pbem
from tests.conftest import Clock
from tests.mail.office import CONFIG
from tests.proving import Proven, proven
from tests.trust.damage import damaged

COUNT = 20_000
SAMPLE = 500
TABLES = Path(__file__).parents[2] / "games" / "bismarck" / "data"
NAMED = (2, 3, 5)
"""Exit codes whose message names the file."""


class Bench:
    """A folder of real files and a home with a game, of which copies are damaged."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.home = folder, folder / "home"


def made(folder: Path, patch: pytest.MonkeyPatch, strict: bool) -> Proven:
    referee = proven(folder, patch, dice="strict" if strict else "fast")
    if strict:
        for side in ("fox", "hunter"):
            referee.sends(side, referee.suggested(side))
        with pytest.raises(Busy):
            referee.run()
    else:
        referee.window("fox", "hunter")
        referee.sends("fox", referee.suggested("fox"))
    return referee


def key_files(folder: Path) -> None:
    """A key of the common kind, and one that keeps its chains in a file."""
    assert pbem("keygen", "-o", folder / "my.key").code == 0
    stored = ec.derive_private_key(4711, ec.SECP256R1()).private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.OpenSSH,
        serialization.NoEncryption(),
    )
    (folder / "ec.key").write_bytes(stored)
    (folder / "ec.key").chmod(0o600)


def signature(folder: Path) -> None:
    """The mail of a report, as if it had come encrypted to an age key."""
    secret = age.generate()
    (folder / "my.age-key").write_text(secret)
    to = age.recipient(age.public(age.identity(secret)))
    content = age.encrypt((folder / "report.eml").read_bytes(), [to])
    mail = message(
        ["a@b.example"],
        "c@d.example",
        "s",
        "<1@x>",
        "2026-11-20T12:00:00Z",
        [Part("text/plain", b"hm")],
        [Part("application/age", content, "report.eml.age")],
    )
    (folder / "encrypted.eml").write_bytes(mail)


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    folder = tmp_path_factory.mktemp("bench")
    with pytest.MonkeyPatch.context() as patch:
        Clock(patch)
        referee = made(folder / "home", patch, strict=False)
        strict = made(folder / "strict", patch, strict=True)
        key_files(folder)
        for name in ("json", "seal", "eml", "txt"):
            path = referee.folder / "reports" / "fox" / "2" / f"report.{name}"
            shutil.copy(path, folder / path.name)
        shutil.copy(folder / "report.json", folder / "bare.json")
        receipt = attached(max((referee.folder / "outbox").glob("fox-*-receipt.eml")).read_bytes())
        (folder / "receipt.json").write_bytes(receipt["receipt.json"])
        (folder / "receipt.seal").write_bytes(receipt["receipt.seal"])
        lock = max((strict.folder / "outbox").glob("fox-*-lock.eml")).read_bytes()
        (folder / "lock.eml").write_bytes(lock)
        (folder / "lock.json").write_bytes(attached(lock)["lock.json"])
        (folder / "orders.txt").write_bytes(pbem("form", folder / "report.json").raw)
        (folder / "signed.txt").write_text(referee.orders("hunter", referee.suggested("hunter")))
        said = pbem("--home", referee.home, "invite", "g1", "fox", "--email", "a@example.org")
        (folder / "letter.txt").write_bytes(said.raw)
        pbem("join", folder / "letter.txt", "--key", folder / "my.key", "-o", folder / "join.txt")
        pbem(
            "sign",
            folder / "orders.txt",
            "--key",
            folder / "ec.key",
            "--report",
            folder / "report.json",
            "-o",
            folder / "x",
        )
        signature(folder)
        words = recovery.make()
        (folder / "words.txt").write_text(words)
        shutil.copy(TABLES / "ships.toml", folder)
        (folder / "rule.toml").write_text('text = "Twigs break."\nrule = "1.1"\n')
        (folder / "dice.toml").write_text('"SEARCH/SEEN/A2/FOX/1/1D6" = [3]\n')
        (referee.home / "pbem.toml").write_text(CONFIG)
        for part in ("tmp", "new", "cur"):
            (referee.home / "in" / part).mkdir(parents=True, exist_ok=True)
        shutil.copy(referee.folder / "ledger.jsonl", folder / "g.jsonl")
    return Bench(folder)


Args = Sequence[str]
COMMANDS: Mapping[str, tuple[str, Args]] = {
    "form": ("report.json", ("form", "report.json")),
    "check a report": ("report.json", ("check", "orders.txt", "--report", "report.json")),
    "check orders": ("orders.txt", ("check", "orders.txt", "--report", "report.json")),
    "sign a report": (
        "report.json",
        ("sign", "orders.txt", "--key", "my.key", "--report", "report.json"),
    ),
    "sign orders": (
        "orders.txt",
        ("sign", "orders.txt", "--key", "my.key", "--report", "report.json", "--eml"),
    ),
    "sign with a key": (
        "my.key",
        ("sign", "orders.txt", "--key", "my.key", "--report", "report.json"),
    ),
    "sign with a chain": (
        "ec.key.chain",
        ("sign", "orders.txt", "--key", "ec.key", "--report", "report.json"),
    ),
    "read a report": ("report.json", ("read", "report.json", "--key", "my.key")),
    "read one alone": ("bare.json", ("read", "bare.json", "--key", "my.key")),
    "read a signature": ("report.seal", ("read", "report.json", "--key", "my.key")),
    "read a mail": ("report.eml", ("read", "report.eml", "--key", "my.key", "--json")),
    "read a receipt": (
        "receipt.json",
        ("read", "receipt.json", "--key", "my.key", "--report", "report.json"),
    ),
    "read by a report": (
        "report.json",
        ("read", "receipt.json", "--key", "my.key", "--report", "report.json"),
    ),
    "chart": ("report.json", ("chart", "report.json")),
    "page": ("report.json", ("page", "report.json")),
    "reveal": ("lock.json", ("reveal", "lock.json", "--key", "my.key")),
    "reveal a mail": ("lock.eml", ("reveal", "lock.eml", "--key", "my.key")),
    "join": ("letter.txt", ("join", "letter.txt", "--key", "my.key", "--no-recovery")),
    "join with a key": ("my.key", ("join", "letter.txt", "--key", "my.key", "--no-recovery")),
    "rekey": (
        "report.json",
        ("rekey", "--report", "report.json", "--new", "my.key", "--key", "ec.key"),
    ),
    "rekey by words": (
        "words.txt",
        ("rekey", "--report", "report.json", "--new", "my.key", "--recovery", "words.txt"),
    ),
    "read an encrypted mail": (
        "encrypted.eml",
        ("read", "encrypted.eml", "--key", "ec.key", "--age", "my.age-key"),
    ),
    "read with an age key": (
        "my.age-key",
        ("read", "encrypted.eml", "--key", "ec.key", "--age", "my.age-key"),
    ),
    "new with a table": (
        "ships.toml",
        ("new", "bismarck", "g2", "--dice", "hand", "--table", "ships.toml"),
    ),
    "receive orders": ("signed.txt", ("receive", "g1", "signed.txt")),
    "receive a mail": ("report.eml", ("receive", "g1", "report.eml")),
    "receive an answer": ("join.txt", ("receive", "g1", "join.txt")),
    "enlist by letter": ("join.txt", ("enlist", "g1", "--letter", "join.txt")),
    "enlist a key": (
        "my.key.pub",
        ("enlist", "g1", "fox", "--email", "a@example.org", "--key", "my.key.pub"),
    ),
    "replace by a key": (
        "my.key.pub",
        ("replace", "g1", "fox", "--email", "a@example.org", "--key", "my.key.pub"),
    ),
    "rule": ("rule.toml", ("rule", "g1", "rule.toml", "--reason", "so")),
    "dice": ("dice.toml", ("run", "g1", "--now", "--dry-run", "--dice", "dice.toml")),
    "audit a ledger": ("g.jsonl", ("audit", "g.jsonl")),
    "audit what was held": ("report.json", ("audit", "g1", "--held", "report.json")),
    "audit a receipt": ("receipt.json", ("audit", "g1", "--held", "receipt.json")),
    "audit a mail": ("report.eml", ("audit", "g1", "--held", "report.eml")),
}
"""What is damaged, and the command that reads it."""

GAMES: Sequence[Args] = (
    ("status",),
    ("status", "g1", "--json"),
    ("report", "g1", "fox"),
    ("audit", "g1"),
    ("report", "g1", "fox", "--format", "html"),
    ("report", "g1", "fox", "--format", "svg"),
    ("report", "g1", "referee"),
    ("run", "g1", "--now"),
    ("run", "g1", "--now", "--dry-run"),
    ("receive", "g1", "signed.txt"),
    ("tick",),
    ("undo", "g1"),
    ("resend", "g1", "fox"),
    ("press", "g1"),
    ("spectators", "g1"),
    ("publish", "g1"),
    ("note", "g1", "hm"),
    ("end", "g1", "--result", "draw", "--reason", "so"),
    ("tick", "--dry-run"),
    ("extend", "g1", "--to", "2027-01-01T00:00:00Z"),
    ("rules", "g1"),
    ("rule", "g1", "rule.toml", "--reason", "so"),
)
"""Commands that read a game's folder, of which any file may be damaged."""


def judged(said: Said, name: str, sound: Said) -> None:
    """sound: what the command says where nothing is damaged."""
    assert said.code in range(6), said.err
    text = said.raw.decode("utf-8", "replace") + said.err
    assert "bug in pbem" not in text
    assert "Traceback" not in text
    if said.code in NAMED and said.err != sound.err:
        assert name in text, (said.code, text[:500])


def run(bench: Bench, folder: Path, args: Args, target: Path | None = None, seed: str = "") -> Said:
    """A command in a copy of the bench, of which one file, `target`, is damaged."""
    plays = any(word in args for word in ("g1", "tick", "status"))
    left_out = shutil.ignore_patterns("strict", *([] if plays else ["home"]))
    copy = shutil.copytree(bench.folder, folder, ignore=left_out)
    if target:
        path = copy / target
        mode, content = path.stat().st_mode, damaged(path.read_bytes(), seed)
        path.write_bytes(content)
        path.chmod(mode)
    words = [str(copy / a) if (copy / a).is_file() else a for a in args]
    try:
        return pbem("--home", copy / "home", *words)
    finally:
        shutil.rmtree(copy)


def seeds(nightly: bool, share: float, kinds: int) -> range:
    return range(max(1, round((COUNT if nightly else SAMPLE) * share / kinds)))


@pytest.mark.some(16)
@pytest.mark.parametrize("kind", COMMANDS)
def test_a_damaged_file_is_named(
    kind: str, bench: Bench, tmp_path: Path, nightly: bool, clock: Clock
) -> None:
    name, args = COMMANDS[kind]
    sound = run(bench, tmp_path / "copy", args)
    for n in seeds(nightly, 0.7, len(COMMANDS)):
        said = run(bench, tmp_path / "copy", args, Path(name), f"{kind} {n}")
        judged(said, name.partition(".")[0], sound)


@pytest.mark.parametrize("args", GAMES, ids=" ".join)
def test_a_damaged_game_is_named(
    args: Args, bench: Bench, tmp_path: Path, nightly: bool, clock: Clock
) -> None:
    files = sorted(p.relative_to(bench.folder) for p in bench.home.rglob("*") if p.is_file())
    sound = run(bench, tmp_path / "copy", args)
    for n in seeds(nightly, 0.3, len(GAMES)):
        target = Random(f"{args} {n}").choice(files)
        said = run(bench, tmp_path / "copy", args, target, f"{args} {n}")
        judged(said, target.name, sound)
