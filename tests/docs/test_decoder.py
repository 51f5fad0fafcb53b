"""The vectors of docs/formats.md suffice for another implementation: this one is verify.py's, which
was written from the page and knows nothing of pbem, and the rest is in this file.
"""

from __future__ import annotations

import json
import re
from hashlib import sha256
from pathlib import Path

import pytest

from tests.trust.corpus import verify

PAGE = (Path(__file__).parent.parent.parent / "docs" / "formats.md").read_text()
SECTIONS = dict(re.findall(r"^## (.+?)\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL))


def vectors(section: str) -> dict[str, str]:
    """Name to value of the indented lines at a section's end; a value may go on in the next."""
    block = re.sub(r"\n {14,}", " ", SECTIONS[section])
    return dict(re.findall(r"^    ([\w' -]+?)  +(\S.*)$", block, re.MULTILINE))


def plain(text: str) -> bytes:
    """The canonical JSON of a vector's object."""
    made: bytes = verify.plain(json.loads(text))
    return made


@pytest.mark.parametrize(
    ("section", "tag"),
    [
        ("Report", "report"),
        ("Receipt", "receipt"),
        ("Encrypted mail", "note"),
        ("Joining", "letter"),
    ],
)
def test_digests_of_objects(section: str, tag: str) -> None:
    said = vectors(section)
    text = said.get("object") or said["letter"]
    assert plain(text) == text.encode()
    assert verify.digest(tag, text.encode()).hex() == said["digest"]


def test_the_digest_of_a_set() -> None:
    said = vectors("What records hold")
    assert verify.digest("canonical", said["canonical"].encode()).hex() == said["digest"]


def test_the_signature_and_its_key() -> None:
    said = vectors("Signatures")
    bare = bytes.fromhex(said["bare"].replace(" ", ""))
    line, text = said["public key"], said["message"].encode()
    assert verify.fingerprint(line) == said["fingerprint"]
    verify.verify_signature(line, said["namespace"], text, bare)
    with pytest.raises(verify.Bad, match="does not match"):
        verify.verify_signature(line, said["namespace"], text + b" ", bare)
    moderator = vectors("Order header")["moderator"].replace(" ", "")
    assert verify.key_name(line).startswith(moderator)


def test_the_record_of_a_ledger() -> None:
    text = re.search(r"^    (\{\"at\".*?\}\n)", SECTIONS["Ledger"], re.MULTILINE | re.DOTALL)
    assert text
    record = json.loads(text[1])
    said = record.pop("hash")
    line = plain(json.dumps(record))[:-1] + b',"hash":"' + said.encode() + b'"}\n'
    (found,) = verify.records(line)
    assert (found.n, found.at, found.kind) == (record["n"], record["at"], record["kind"])
    assert (found.body, found.hash) == (record["body"], said)


def test_seeded_dice() -> None:
    said = vectors("Dice")
    g0, window = bytes.fromhex(said["G0"]), verify.number(int(said["window"]))
    beta = verify.digest("seeded", said["seed text"].encode(), g0, window, said["label"].encode())
    assert beta.hex() == said["beta"]
    assert verify.faces(beta, *verify.dice_of(said["label"])) == [
        int(face) for face in said["faces"].split()
    ]


def test_the_links_of_a_chain() -> None:
    said = vectors("Provable dice")
    tail, link = bytes.fromhex(said["tail"]), bytes.fromhex(said["link 1"])
    assert verify.back("g1", "british", tail, verify.LONGEST, 1) == link
    assert verify.back("g1", "british", link, 1, 0).hex() == said["anchor"]


def test_what_is_signed_of_links_and_keys() -> None:
    text = verify.reveal_text(bytes(32), 1, "1" * 64, "2" * 64)
    assert sha256(text).hexdigest() == vectors("Locks and reveals")["digest"]
    new = verify.key_name(vectors("Signatures")["public key"])
    text = f"keys {'0' * 64} 1 british {'1' * 64} {new} - -".encode()
    assert sha256(text).hexdigest() == vectors("Keys")["text"]
