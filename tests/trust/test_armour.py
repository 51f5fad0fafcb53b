"""Age files as text: changes made by mail programs do no harm, or the file is refused."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.crypto import age
from pbem.crypto.age_armour import BEGIN, FINISH, armour, bucket, files_in, is_encrypted, padded
from tests.counts import few
from tests.orders.test_canon import EVIL, MANGLINGS, SAFE

SECRET = age.generate()
WHO = age.identity(SECRET)
TO = [age.recipient(age.public(WHO))]
TEXT = padded(b"BEGIN ORDERS\nTF1: move J15;\nEND ORDERS\n")
ENCRYPTED = age.encrypt(TEXT, TO)
ARMOUR = armour(ENCRYPTED)
HURTS = {"lower", "upper", "capitalised lines", "accents"}
"""Manglings that change base64 itself. Of these an age file can only be refused."""

stock = pytest.mark.skipif(shutil.which("age") is None, reason="age is missing: apt install age")


def opened(text: str) -> bytes:
    """The one file in a text. Raises BadAge."""
    (one,) = files_in(text.encode("utf-8", "replace"))
    if isinstance(one, age.BadAge):
        raise one
    return age.decrypt(one, [WHO])


@pytest.mark.parametrize("name", [n for n in MANGLINGS if n not in HURTS])
def test_manglings_of_mail_do_not_change_the_file(name: str) -> None:
    assert opened(MANGLINGS[name](ARMOUR)) == TEXT


@pytest.mark.parametrize("name", sorted(HURTS))
def test_what_changes_the_base64_is_refused(name: str) -> None:
    """With accents the marks are not found, and the text is not an order file either."""
    mangled = MANGLINGS[name](ARMOUR)
    assert is_encrypted(mangled.encode()) == (name != "accents")
    with pytest.raises(ValueError if name == "accents" else age.BadAge):
        opened(mangled)


@given(st.lists(st.sampled_from([n for n in SAFE if n not in HURTS]), max_size=4, unique=True))
@settings(max_examples=few(60))
def test_chains_of_manglings_do_no_harm_or_are_refused(chain: list[str]) -> None:
    text = ARMOUR
    for name in chain:
        text = MANGLINGS[name](text)
    assert opened(text) == TEXT


@given(st.lists(st.sampled_from([*MANGLINGS, *EVIL]), max_size=4))
@settings(max_examples=few(60))
def test_whatever_happens_to_it_nothing_else_is_read(chain: list[str]) -> None:
    text = ARMOUR
    for name in chain:
        with suppress(UnicodeEncodeError):  # what cannot be written as cp1252 is not misread so
            text = {**MANGLINGS, **EVIL}[name](text)
    for one in files_in(text.encode("utf-8", "replace")):
        try:
            assert not isinstance(one, bytes) or age.decrypt(one, [WHO]) == TEXT
        except age.BadAge:
            continue


def test_every_changed_character_is_refused_or_changes_nothing(
    sample: Callable[[Sequence[int], int], Sequence[int]],
) -> None:
    """Dots, quotes and dashes may come at an edge; what is read is what was encrypted."""
    refused = 0
    for at in sample(range(len(ARMOUR)), 300):
        for new in ("A", "\x00", "é", "-", ">"):
            if ARMOUR[at] == new:
                continue
            found = files_in((ARMOUR[:at] + new + ARMOUR[at + 1 :]).encode())
            for one in found:
                try:
                    assert isinstance(one, bytes)
                    assert age.decrypt(one, [WHO]) == TEXT
                except (age.BadAge, AssertionError):
                    assert isinstance(one, age.BadAge) or age_refuses(one)
                    refused += 1
    assert refused > 900


def age_refuses(content: bytes) -> bool:
    try:
        age.decrypt(content, [WHO])
    except age.BadAge:
        return True
    return False


def test_a_text_cut_anywhere_is_refused(
    sample: Callable[[Sequence[int], int], Sequence[int]],
) -> None:
    whole = ARMOUR.rindex(FINISH) + len("-----END AGE ENCRYPTED FILE")
    for length in sample(range(len(BEGIN), whole), 200):
        (one,) = files_in(ARMOUR[:length].encode())
        assert isinstance(one, age.BadAge)
        assert one.code == "age-armour"


def test_several_files_in_one_text_are_all_found() -> None:
    other = armour(age.encrypt(b"old", TO))
    quoted = "\n".join("> " + line for line in other.splitlines())
    found = files_in(f"Here they are:\n{ARMOUR}\n\nYou wrote:\n{quoted}\n".encode())
    assert [age.decrypt(f, [WHO]) for f in found if isinstance(f, bytes)] == [TEXT, b"old"]
    torn = files_in((ARMOUR[:400] + "\n" + other).encode())
    assert [isinstance(f, age.BadAge) for f in torn] == [True, False]


def test_what_is_not_encrypted_is_left_alone() -> None:
    for content in (b"", b"BEGIN ORDERS", b"age", b"begin age encrypted", b"\xff\xfe\x00"):
        assert not is_encrypted(content)
        assert files_in(content) == []
    assert files_in(ENCRYPTED) == [ENCRYPTED]
    assert is_encrypted(ARMOUR.encode("utf-16"))
    (one,) = files_in(ARMOUR.encode("utf-16"))
    assert one == ENCRYPTED


@given(st.binary(max_size=400) | st.text(max_size=400).map(str.encode))
@settings(max_examples=few(200))
def test_any_bytes_are_read_without_a_crash(junk: bytes) -> None:
    for content in (junk, BEGIN.encode() + junk, BEGIN.encode() + junk + FINISH.encode()):
        for one in files_in(content):
            if isinstance(one, bytes):
                with pytest.raises(age.BadAge):
                    age.decrypt(one, [WHO])


def test_long_runs_of_one_character_take_no_time() -> None:
    """Patterns that backtrack would take minutes for these."""
    for run in (" ", "\n", ">", "=", "=\n", "-", "BEGIN ", "A", "\u00a0"):
        content = (BEGIN + run * (200_000 // len(run)) + "x" + FINISH).encode()
        assert all(isinstance(one, age.BadAge) for one in files_in(content))


def test_sizes_come_in_few_steps() -> None:
    sizes = sorted({bucket(n) for n in range(1, 200_000, 97)})
    assert sizes == [1024 * k for k in (8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256)]
    for n in (0, 1, 8192, 8193, 12288, 12289, 100_000):
        assert len(padded(b"x" * n)) == bucket(n) >= n
    assert bucket(100_000) < 1.5 * 100_000


@stock
def test_the_stock_program_reads_ours_and_we_read_its(tmp_path: Path) -> None:
    (tmp_path / "key").write_text(SECRET + "\n")
    said = subprocess.run(
        ["age", "-d", "-i", str(tmp_path / "key")],
        input=ARMOUR.encode(),
        capture_output=True,
        check=True,
    )
    assert said.stdout == TEXT
    made = subprocess.run(
        ["age", "-a", "-r", age.public(WHO)], input=TEXT, capture_output=True, check=True
    )
    assert opened(made.stdout.decode()) == TEXT
