"""docs/formats.md says what the program does: every vector on the page is computed again."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

import pytest

from pbem.base.hashing import H, canonical_json, u32
from pbem.crypto import private_keys, sshsig
from pbem.dice import provable, sources
from pbem.model import TWO_D6, Window
from pbem.store.records import TYPES
from tests.ledgers import Record, line_of

PAGE = Path(__file__).parent.parent.parent / "docs" / "formats.md"
KEY = private_keys.from_seed(bytes(range(32)))


@pytest.fixture(scope="module")
def sections() -> dict[str, str]:
    parts = re.split(r"^## (.+)\n", PAGE.read_text(), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def value(section: str, name: str) -> str:
    found = re.search(rf"^    {name}  +(.+)$", section, re.MULTILINE)
    assert found, name
    return found[1]


def test_the_hash(sections: dict[str, str]) -> None:
    section = sections["Hash"]
    spelled = re.search(r"SHA-256\(([0-9a-f ]+)\)", section)
    assert spelled
    digest = H("vector", b"naval", u32(7))
    assert hashlib.sha256(bytes.fromhex(spelled[1])).digest() == digest
    assert digest.hex() in section


def test_canonical_json(sections: dict[str, str]) -> None:
    text = canonical_json({"zones": ["J15"], "name": "Hood é", "flags": ["a", "b"]})
    assert text.decode() in sections["Canonical JSON"]


def test_signatures(sections: dict[str, str]) -> None:
    section = sections["Signatures"]
    assert value(section, "private seed") == bytes(range(32)).hex()
    assert value(section, "public key") == sshsig.public_line(KEY.wire)
    assert value(section, "fingerprint") == sshsig.fingerprint(KEY.wire)
    message, namespace = value(section, "message"), value(section, "namespace")
    short = sshsig.bare(sshsig.sign(message.encode(), KEY, namespace)).hex()
    assert short == "".join(section[section.index("    bare") :].split()[1:3])


def test_the_codes_of_refused_signatures_are_listed(sections: dict[str, str]) -> None:
    source = Path(sshsig.__file__).read_text()
    raised = set(re.findall(r'BadSignature\(\s*"([a-z-]+)"', source))
    passed_on = {"key-form", "signature-form", "armour"}
    listed = sections["Signatures"].split("Codes of refused signatures:")[1].split("    private")[0]
    assert set(re.findall(r"`([a-z-]+)`", listed)) == raised | passed_on


def test_the_ledger(sections: dict[str, str]) -> None:
    section = sections["Ledger"]
    shown = section[section.index('    {"at"') : section.index('"}\n\n(one line') + 2]
    line = "".join(part.strip() for part in shown.splitlines())
    fields = json.loads(line)
    record = Record(**{**fields, "hash": ""})
    assert line_of(record) == line.encode() + b"\n"
    kinds = section.split("Kinds:")[1].split(".\n")[0]
    assert re.findall(r"`([a-z]+)`", kinds) == sorted(TYPES)


def test_seeded_dice(sections: dict[str, str]) -> None:
    section = sections["Dice"]
    label = value(section, "label")
    assert label == sources.label("SHADOW/HOLD/F20/SUFFOLK", 1, TWO_D6)
    g0 = bytes.fromhex(value(section, "G0"))
    window = Window(int(value(section, "window")))
    beta = H("seeded", b"demo", g0, u32(window), label.encode())
    assert value(section, "beta") == beta.hex()
    words = [H("die", beta, u32(j), u32(0))[:8].hex() for j in range(2)]
    assert value(section, "v").split() == words
    rolled, _ = sources.Seeded(value(section, "seed text"), g0).roll(window, label, TWO_D6)
    assert value(section, "faces") == " ".join(map(str, rolled))


def test_provable_dice(sections: dict[str, str]) -> None:
    section = sections["Provable dice"]
    tail = provable.own_tail(KEY, "g1", "british")
    links = provable.chain("g1", "british", tail)
    assert value(section, "tail") == tail.hex()
    assert value(section, "anchor") == links[0].hex()
    assert value(section, "link 1") == links[1].hex()
    assert len(links) == provable.CHAIN_LENGTH + 1


def test_encrypted_files_and_mail(sections: dict[str, str]) -> None:
    from pbem.crypto import age, age_armour
    from pbem.inbound import decrypt

    section = sections["Encrypted files"]
    secret = age.identity(value(section, "secret"))
    assert secret.secret == bytes(range(32))
    assert value(section, "recipient") == age.public(secret)
    sizes = re.findall(r"(\d+) bytes?: (\d+)", value(section, "padded"))
    assert [age_armour.bucket(int(n)) for n, _ in sizes] == [int(n) for _, n in sizes]
    assert len(sizes) == 3
    source = "".join(Path(str(m.__file__)).read_text() for m in (age, age_armour, decrypt))
    raised = set(re.findall(r'BadAge\(\s*"([a-z-]+)"', source))
    assert raised == set(re.findall(r"`([a-z-]+)`", section[section.index("Codes:") :]))
    note = value(sections["Encrypted mail"], "object")
    assert value(sections["Encrypted mail"], "digest") == H("note", note.encode()).hex()
