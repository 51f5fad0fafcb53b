"""Every parser that meets bytes from outside, fed with noise and with spoiled samples: it gives a
value or one of our own errors, in a process of little memory too.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orders.canon import decode, streams
from orders.header import read_header
from pbem import age, recovery, seal, witness
from pbem.armour import armour, files_in
from pbem.chains import Purse
from pbem.cli.common import read_report
from pbem.config import read as read_config
from pbem.errors import PbemError
from pbem.hashing import canonical_json
from pbem.joining import answer, invitation, read_join, read_keys, read_letter, read_reveal
from pbem.keys import generate, load_private
from pbem.ledger import Ledger
from pbem.opening import open_mail
from pbem.post import Part, message
from pbem.rulings import read_ruling
from pbem.strict import read_notice
from tests.house import key_of
from tests.sealing import identity_of

FOX = key_of("fox")
WHO = [identity_of(FOX)]
LETTER = {"dice": "fast", "game": "g1", "moderator": seal.public_line(FOX.wire), "salt": "00" * 16,
          "scenario": "wood", "side": "fox", "system": "toy"}  # fmt: skip
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
    def parsed(content: bytes) -> None:
        with TemporaryDirectory() as folder:
            path = Path(folder) / "file"
            path.write_bytes(content)
            parse(path)

    return parsed


def whole_ledger(path: Path) -> None:
    with Ledger.open(path, lock=False) as ledger:
        ledger.verify()


def verified(content: bytes) -> None:
    seal.verify(b"x", content, "orders@pbem", {FOX.wire: None})


def mail() -> bytes:
    parts = [Part("application/json", canonical_json(FACTS), "report.json"),
             Part("text/plain", b"seal", "report.seal")]  # fmt: skip
    return message(["a@b.example"], "c@d.example", "s", "<1@x>", "2026-11-20T12:00:00Z",
                   [Part("text/plain", b"hm")], parts)  # fmt: skip


BLOB = seal.sign(b"x", FOX, "orders@pbem")
SEALED = age.encrypt(b"orders", [age.recipient(seal.public_line(FOX.wire))])
JOIN = answer({**LETTER, "format": "pbem-letter/1"}, Purse(FOX), "n")
PARSERS: dict[str, tuple[Parser, bytes]] = {
    "orders": (tokens, b"BEGIN ORDERS game: g1 window: 1 FOX: move A2; END ORDERS"),
    "signature": (verified, BLOB),
    "ssh armour": (seal.dearmour, seal.armour(BLOB).encode()),
    "public key": (lambda c: seal.wire_key(text_of(c)), seal.public_line(FOX.wire).encode()),
    "private key": (load_private, generate()[0]),
    "age": (opened, SEALED),
    "age armour": (opened, armour(SEALED).encode()),
    "age key": (lambda c: age.identities(text_of(c)), age.generate().encode()),
    "age recipient": (lambda c: age.recipient(text_of(c)), b"age1qqqq"),
    "letter": (read_letter, invitation(LETTER, FOX).encode()),
    "join": (read_join, JOIN.encode()),
    "keys": (read_keys, JOIN.replace("JOIN", "KEYS").encode()),
    "reveal": (read_reveal, JOIN.replace("JOIN", "REVEAL").encode()),
    "lock": (read_notice, b'{"format":"pbem-lock/1","digest":"00"}'),
    "report": (in_file(lambda p: read_report(str(p))), canonical_json(FACTS)),
    "mail": (lambda c: open_mail(c, "mail", lambda: WHO), mail()),
    "seal": (lambda c: witness.check(c, "report", "", FACTS, seal.public_line(FOX.wire)),
             witness.seal("report", "", FACTS, FOX)),
    "ledger": (in_file(whole_ledger), b'{"at":"2026-11-20T12:00:00Z","body":{},"kind":"noted"}\n'),
    "ruling": (lambda c: read_ruling(text_of(c), "file"), b'text = "x"\nrule = "1"'),
    "config": (lambda c: read_config(text_of(c), "file"), b'address = "a@b.example"\n'),
    "recovery words": (lambda c: recovery.key_of(text_of(c)), b"able acid age"),
}  # fmt: skip


def spoiled(sample: bytes, junk: bytes, at: int, gone: int) -> bytes:
    place = at % (len(sample) + 1)
    return sample[:place] + junk + sample[place + gone :]


@pytest.mark.parametrize("name", PARSERS)
@given(st.binary(max_size=60), st.integers(0, 10_000), st.integers(0, 40), st.booleans())
@settings(max_examples=60)
def test_a_parser_gives_a_value_or_an_error_of_ours(
    name: str, junk: bytes, at: int, gone: int, alone: bool
) -> None:
    parse, sample = PARSERS[name]
    try:
        parse(junk if alone else spoiled(sample, junk, at, gone))
    except PbemError as error:
        assert error.message


HUGE = """
import resource, sys
from tests.trust.test_fuzz import PARSERS
from pbem.errors import PbemError
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + (256 << 20),) * 2)
resource.setrlimit(resource.RLIMIT_CPU, (120, 120))
for name, (parse, sample) in PARSERS.items():
    for junk in (b"[" * 200_000, b'{"a":' * 50_000, b"BEGIN " * 40_000,
                 *(bytes([c]) * 250_000 for c in b" A\\n->9\\xff")):
        for content in (junk, sample + junk, junk + sample, sample[: len(sample) // 2] + junk):
            try:
                parse(content)
            except PbemError:
                pass
print("done")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="limits of memory are Linux's here")
def test_long_and_deep_input_needs_little_memory_and_time() -> None:
    root = Path(__file__).parents[2]
    env = {**os.environ, "PYTHONPATH": str(root)}
    said = subprocess.run([sys.executable, "-c", HUGE], capture_output=True, env=env, check=False)
    assert said.stdout == b"done\n", said.stderr[-2000:]
