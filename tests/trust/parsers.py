"""Every parser of input from outside, each with a valid sample."""

from __future__ import annotations

import gzip
import json
import zipfile
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout, suppress
from functools import cache
from io import BytesIO, StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec

from games.atlantic_chase.game import SYSTEM as ATLANTIC_CHASE
from games.bismarck.game import SYSTEM as BISMARCK
from games.far_seas.game import SYSTEM as FAR_SEAS
from games.toy.game import SYSTEM as TOY
from orders.canon import decode, streams
from orders.header import read_header
from pbem.admin.press import blocks
from pbem.admin.rulings import read_ruling
from pbem.audit import publication
from pbem.audit.auditor import audit
from pbem.audit.open_file import open_mail
from pbem.audit.verify_report import check_report
from pbem.base.clock import parse as parse_time
from pbem.base.clock import zone
from pbem.base.config import read as read_config
from pbem.base.hashing import canonical_json
from pbem.base.report_json import Report
from pbem.cli.common import read_report
from pbem.cli.read import opened_json
from pbem.crypto import age, recovery, sshsig, statements
from pbem.crypto.age_armour import armour, files_in
from pbem.crypto.private_keys import _ecdsa, generate, load_private
from pbem.dice import provable
from pbem.dice.chains import DiceChains
from pbem.inbound.club_words import parsed
from pbem.inbound.letter import Unreadable
from pbem.inbound.markup import text_of as text_of_page
from pbem.inbound.parse_mail import open_letter
from pbem.outbound.mime import Part, message
from pbem.player.joining import (
    answer,
    invitation,
    read_join,
    read_keys,
    read_letter,
    read_reveal,
    read_wish,
)
from pbem.player.reader import read_text
from pbem.reports.report import digest
from pbem.store.game_dir import published
from pbem.store.ledger import Ledger
from pbem.turns.close_window import load_values
from pbem.turns.schedule import read_rule
from pbem.turns.strict_dice import read_notice
from tests.encryption import identity_of
from tests.referee import key_of
from tests.trust.corpus import verify

TESTS = Path(__file__).parent.parent

FOX = key_of("fox")
WHO = [identity_of(FOX)]
LETTER = {
    "dice": "fast",
    "game": "g1",
    "moderator": sshsig.public_line(FOX.wire),
    "salt": "00" * 16,
    "scenario": "wood",
    "side": "fox",
    "system": "toy",
}
FACTS = {"format": "pbem-report/1", "window": 2, "side": "fox", "digest": "00" * 32}
Parser = Callable[[bytes], object]


def text_of(content: bytes) -> str:
    return content.decode("utf-8", "replace")


def opened(content: bytes) -> None:
    for one in files_in(content):
        if isinstance(one, bytes):
            age.decrypt(one, WHO)


def tokens(content: bytes) -> None:
    for unit in streams(decode(content)):
        read_header(unit.tokens)


def in_file(parse: Callable[[Path], object]) -> Parser:
    """A parser of bytes, from one of files."""

    def parsed(content: bytes) -> object:
        with TemporaryDirectory() as folder:
            path = Path(folder) / "file"
            path.write_bytes(content)
            return parse(path)

    return parsed


def whole_ledger(path: Path) -> None:
    with Ledger.open(path, lock=False) as ledger:
        ledger.verify()


def verified(content: bytes) -> None:
    sshsig.verify(b"x", content, "orders@pbem", {FOX.wire: None})


def mail() -> bytes:
    parts = [
        Part("application/json", canonical_json(FACTS), "report.json"),
        Part("text/plain", b"signature", "report.seal"),
    ]
    return message(
        ["a@b.example"],
        "c@d.example",
        "s",
        "<1@x>",
        "2026-11-20T12:00:00Z",
        [Part("text/plain", b"hm")],
        parts,
    )


BLOB = sshsig.sign(b"x", FOX, "orders@pbem")
ENCRYPTED = age.encrypt(b"orders", [age.recipient(sshsig.public_line(FOX.wire))])
JOIN = answer({**LETTER, "format": "pbem-letter/1"}, DiceChains(FOX), "n")
LEDGER = gzip.decompress((TESTS / "frozen/toy/seeded.jsonl.gz").read_bytes())


REPORTS = {
    "toy": "reports/samples/toy-hunter.json",
    "far_seas": "far_seas/example_report.json",
    "bismarck": "reports/samples/bismarck-british.json",
    "atlantic_chase": "atlantic_chase/example_report.json",
    "baltic": "baltic/example_report.json",
    "second_fleet": "second_fleet/example_report.json",
}


def bundle() -> bytes:
    content = BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("g1/ledger.jsonl", LEDGER)
    return content.getvalue()


def report_of(system: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((TESTS / REPORTS[system]).read_bytes())
    return found


def redigested(report: dict[str, Any]) -> bytes:
    return canonical_json(report | {"digest": digest(report)})


def read_json(content: bytes) -> dict[str, Any]:
    """Parse a report as `read_report` does."""
    return in_file(lambda path: read_report(str(path)))(content)  # type: ignore[return-value]


@cache
def judge(name: str) -> Callable[[str], object]:
    system = {s.name: s for s in (TOY, BISMARCK, FAR_SEAS, ATLANTIC_CHASE)}[name]
    report = report_of(name)
    return lambda text: read_text(system, Report.of(report), f"BEGIN ORDERS\n{text}\nEND ORDERS\n")


def ordered(name: str, content: bytes) -> None:
    """Parse and check orders as the referee does."""
    judge(name)(text_of(content))


def lines_of(name: str) -> bytes:
    """The orders that a report's form suggests."""
    return "\n".join(report_of(name)["suggest"]).encode()


def kept_chains(path: Path) -> None:
    """Read the stored dice chains of a key that is not Ed25519."""
    DiceChains(STORED, path).links("g1", "fox", 0, make=False)


def letter_of(content: bytes) -> None:
    with suppress(Unreadable):
        open_letter(content)


def audited(path: Path) -> None:
    audit(published(path), TOY)


def audited_bundle(path: Path) -> None:
    bundle = publication.read(path)
    path.write_bytes(bundle.parts[publication.LEDGER])
    game = published(path)
    audit(game, TOY)
    publication.check(bundle, list(game.ledger.records()))


def verified_file(path: Path) -> None:
    """Assert that verify.py ends with one of its exit codes."""
    with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
        assert verify.main([str(path)]) in (0, 1, 2)


def verified_signature(path: Path) -> None:
    path.rename(path.with_suffix(".seal"))
    path.with_suffix(".json").write_bytes(REPORT)
    verified_file(path.with_suffix(".json"))


def proved(content: bytes) -> None:
    provable.check_proof((1 << 3071) + 1, b"text", content)


HEAD = b"From: a@b.example\nContent-Type: "
WINMAIL = HEAD + b"application/ms-tnef; name=winmail.dat\n\n"
MIXED = HEAD + b"multipart/mixed; boundary=x\n\n"


def in_parts(content: bytes) -> None:
    """Parse a mail of many parts that have `content` in their header."""
    piece = content.replace(b"\n", b" ")[:16_000]
    letter_of(MIXED + 15 * (b'--x\nContent-Type: text/plain; name="%s\n\nhm\n' % piece))


REPORT, BUNDLE = redigested(report_of("toy")), bundle()
RECEIPT = (TESTS / "reports/samples/receipt-partly.json").read_bytes()
STORED = _ecdsa(ec.derive_private_key(4711, ec.SECP256R1()))
BOUNCE = (TESTS / "mail/bounce.eml").read_bytes()
PARSERS: dict[str, tuple[Parser, bytes]] = {
    "orders": (tokens, b"BEGIN ORDERS game: g1 window: 1 FOX: move A2; END ORDERS"),
    "signature": (verified, BLOB),
    "ssh armour": (sshsig.dearmour, sshsig.armour(BLOB).encode()),
    "public key": (lambda c: sshsig.wire_key(text_of(c)), sshsig.public_line(FOX.wire).encode()),
    "private key": (load_private, generate()[0]),
    "age": (opened, ENCRYPTED),
    "age armour": (opened, armour(ENCRYPTED).encode()),
    "age key": (lambda c: age.identities(text_of(c)), age.generate().encode()),
    "age recipient": (lambda c: age.recipient(text_of(c)), b"age1qqqq"),
    "letter": (read_letter, invitation(LETTER, FOX).encode()),
    "join": (read_join, JOIN.encode()),
    "keys": (read_keys, JOIN.replace("JOIN", "KEYS").encode()),
    "wish": (read_wish, JOIN.replace("JOIN", "WISH").encode()),
    "wish in words": (lambda c: parsed(text_of(c)), b"JOIN g1 fox"),
    "reveal": (read_reveal, JOIN.replace("JOIN", "REVEAL").encode()),
    "lock": (read_notice, b'{"format":"pbem-lock/1","digest":"00"}'),
    "report": (in_file(lambda p: read_report(str(p))), canonical_json(FACTS)),
    "mail": (lambda c: open_mail(c, "mail", lambda: WHO), mail()),
    "statement": (
        lambda c: statements.check(c, "report", "", FACTS, sshsig.public_line(FOX.wire)),
        statements.signed("report", "", FACTS, FOX),
    ),
    "ledger": (in_file(whole_ledger), b'{"at":"2026-11-20T12:00:00Z","body":{},"kind":"noted"}\n'),
    "ruling": (lambda c: read_ruling(text_of(c), "file"), b'text = "x"\nrule = "1"'),
    "config": (lambda c: read_config(text_of(c), "file"), b'address = "a@b.example"\n'),
    "dice file": (in_file(lambda p: load_values(str(p))), b'"A/B/C/D/1/1D6" = [3]\n'),
    "dice chains": (in_file(kept_chains), b'{"g1 fox 0": "00"}'),
    "schedule": (lambda c: read_rule([text_of(c)]), b"every=3d at=20:00 zone=Europe/Berlin"),
    "time": (lambda c: parse_time(text_of(c)), b"2026-11-20T12:00:00+01:00"),
    "time zone": (lambda c: zone(text_of(c)), b"Europe/Berlin"),
    "press": (lambda c: blocks(text_of(c), "fox"), b"BEGIN PRESS TO hunter\nhm\nEND PRESS\n"),
    "letter opened": (letter_of, mail()),
    "bounce": (letter_of, BOUNCE),
    "page": (lambda c: text_of_page(text_of(c)), b"<html><head><title>x</title><p>FOX: hold;"),
    "winmail.dat": (lambda c: letter_of(WINMAIL + c), b"\x78\x9f BEGIN ORDERS FOX END ORDERS"),
    "headers of parts": (in_parts, b"a.txt; charset=utf-8"),
    "proof": (proved, b"\x01" * 384),
    "orders of the toy": (lambda c: ordered("toy", c), b"FOX: move A2; @FOX: hold;"),
    "orders of Bismarck": (lambda c: ordered("bismarck", c), lines_of("bismarck")),
    "orders of Far Seas": (lambda c: ordered("far_seas", c), lines_of("far_seas")),
    "orders of Atlantic Chase": (
        lambda c: ordered("atlantic_chase", c),
        lines_of("atlantic_chase"),
    ),
    "report checked": (lambda c: check_report(opened_json(c, "file")), REPORT),
    "audited ledger": (in_file(audited), LEDGER),
    "audited bundle": (in_file(audited_bundle), BUNDLE),
    "verify.py: ledger": (in_file(verified_file), LEDGER),
    "verify.py: bundle": (in_file(verified_file), BUNDLE),
    "verify.py: report": (in_file(verified_file), REPORT),
    "verify.py: receipt": (in_file(verified_file), RECEIPT),
    "verify.py: orders": (in_file(verified_file), b"BEGIN ORDERS game: g1 setup: 00 END ORDERS"),
    "verify.py: statement": (
        in_file(verified_signature),
        statements.signed("report", "", FACTS, FOX),
    ),
    "recovery words": (lambda c: recovery.key_of(text_of(c)), b"able acid age"),
}


def spoiled(sample: bytes, junk: bytes, at: int, gone: int) -> bytes:
    """The sample with `gone` bytes at `at` replaced by `junk`."""
    place = at % (len(sample) + 1)
    return sample[:place] + junk + sample[place + gone :]
