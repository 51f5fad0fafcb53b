"""age files: read and written by the stock program, and refused when anything was altered."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.crypto import age
from pbem.crypto.private_keys import generate, load_private
from pbem.crypto.sshsig import public_line
from pbem.errors import Usage
from tests.counts import few
from tests.referee import key_of

SEED = b"fox".ljust(32, b".")
SSH = age.ssh_identity(SEED, key_of("fox").wire)
SSH_LINE = public_line(key_of("fox").wire)
SECRET = age.generate()
PLAIN = age.identity(SECRET)
SIZES = (0, 1, 100, age.CHUNK - 1, age.CHUNK, age.CHUNK + 1, 2 * age.CHUNK)

stock = pytest.mark.skipif(shutil.which("age") is None, reason="age is missing: apt install age")


def run(*args: str | Path, content: bytes = b"") -> bytes:
    said = subprocess.run([str(a) for a in args], input=content, capture_output=True, check=False)
    assert said.returncode == 0, said.stderr
    return said.stdout


@pytest.mark.parametrize("size", SIZES)
def test_what_was_encrypted_is_opened_by_each_recipient(size: int) -> None:
    text = bytes(i % 251 for i in range(size))
    to = [age.recipient(SSH_LINE), age.recipient(age.public(PLAIN))]
    encrypted = age.encrypt(text, to)
    assert age.decrypt(encrypted, [SSH]) == age.decrypt(encrypted, [PLAIN]) == text
    assert age.encrypt(text, to) != encrypted
    with pytest.raises(age.BadAge) as refused:
        age.decrypt(encrypted, [age.identity(age.generate())])
    assert refused.value.code == "not-for-you"


@stock
@pytest.mark.parametrize("size", [0, 5, age.CHUNK, age.CHUNK + 9])
def test_stock_age_opens_what_we_encrypt(size: int, tmp_path: Path) -> None:
    private, line = generate()
    (tmp_path / "key").write_bytes(private)
    (tmp_path / "key").chmod(0o600)
    (tmp_path / "age").write_text(SECRET + "\n")
    text = b"x" * size
    encrypted = age.encrypt(text, [age.recipient(line), age.recipient(age.public(PLAIN))])
    assert run("age", "-d", "-i", tmp_path / "key", content=encrypted) == text
    assert run("age", "-d", "-i", tmp_path / "age", content=encrypted) == text
    assert run("age-keygen", "-y", tmp_path / "age").decode().strip() == age.public(PLAIN)
    assert load_private(private).kind == "ssh-ed25519"


@stock
@pytest.mark.parametrize("size", [0, 5, age.CHUNK, age.CHUNK + 9])
def test_we_open_what_stock_age_encrypts(size: int) -> None:
    text = b"y" * size
    encrypted = run("age", "-r", SSH_LINE, "-r", age.public(PLAIN), content=text)
    assert age.decrypt(encrypted, [SSH]) == age.decrypt(encrypted, [PLAIN]) == text


def test_every_flipped_bit_and_every_cut_is_refused(
    sample: Callable[[Sequence[int], int], Sequence[int]],
) -> None:
    encrypted = age.encrypt(b"orders", [age.recipient(SSH_LINE)])
    for bit in sample(range(8 * len(encrypted)), 400):
        at = bit // 8
        bad = encrypted[:at] + bytes([encrypted[at] ^ (1 << bit % 8)]) + encrypted[at + 1 :]
        with pytest.raises(age.BadAge):
            age.decrypt(bad, [SSH])
    for length in sample(range(len(encrypted)), 150):
        with pytest.raises(age.BadAge):
            age.decrypt(encrypted[:length], [SSH])
    with pytest.raises(age.BadAge):
        age.decrypt(encrypted + b"x", [SSH])


def test_a_file_cut_between_two_parts_is_refused() -> None:
    encrypted = age.encrypt(bytes(2 * age.CHUNK), [age.recipient(SSH_LINE)])
    with pytest.raises(age.BadAge, match="cut short"):
        age.decrypt(encrypted[: -age.CHUNK - 16], [SSH])


@given(st.binary(max_size=200) | st.binary(max_size=200).map((age.VERSION + b"\n-> ").__add__))
@settings(max_examples=few(80))
def test_anything_else_is_refused(junk: bytes) -> None:
    with pytest.raises(age.BadAge):
        age.decrypt(junk, [SSH, PLAIN])


def test_keys_are_told_from_other_text() -> None:
    line = age.public(PLAIN)
    assert len(line) == 62
    for bad in (line[:-1], line[:-1] + "b", line.replace("age1", "aga1"), "age1", "age1qqqq"):
        with pytest.raises(Usage):
            age.recipient(bad)
    with pytest.raises(Usage):
        age.identity(line)
    with pytest.raises(ValueError, match="recipient"):
        age.encrypt(b"", [])
