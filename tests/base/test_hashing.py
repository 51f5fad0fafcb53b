"""One hash, one JSON text."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.base.hashing import H, canonical_json, grouped, tlv, u32
from tests.counts import few


class Ship(msgspec.Struct):
    name: str
    zones: tuple[str, ...] = ()
    flags: set[str] = set()


def test_the_hash_is_sha256_over_lengths_and_fields() -> None:
    spelled = b"\0\0\0\x0apbem1/seed\0\0\0\x02ab\0\0\0\0"
    assert H("seed", b"ab", b"") == hashlib.sha256(spelled).digest()
    assert H("x", b"a", b"bc") != H("x", b"ab", b"c")
    assert (
        H("vector", b"naval", u32(7)).hex()
        == "5ba3747cbf025353bb58a039c5a355f005210ba5b1a516d83540a81091e80292"
    )


def test_numbers_have_four_bytes() -> None:
    assert u32(65537) == b"\0\1\0\1"
    assert tlv(b"") == b"\0\0\0\0"
    for number in (-1, 1 << 32):
        with pytest.raises(OverflowError):
            u32(number)


def test_structs_and_plain_data_give_one_text() -> None:
    ship = Ship("Hood é", ("J15",), {"b", "a"})
    plain = {"zones": ["J15"], "name": "Hood é", "flags": ["a", "b"]}
    text = b'{"flags":["a","b"],"name":"Hood \\u00e9","zones":["J15"]}'
    assert canonical_json(ship) == canonical_json(plain) == text


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), object(), {"a": [float("-inf")]}])
def test_what_json_cannot_carry_is_refused(bad: object) -> None:
    with pytest.raises((TypeError, ValueError)):
        canonical_json(bad)


trees: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(tree=trees)
@settings(max_examples=few(100), deadline=None)
def test_the_text_is_a_fixpoint(tree: Any) -> None:
    text = canonical_json(tree)
    assert text.isascii()
    assert canonical_json(json.loads(text)) == text
    assert json.loads(text) == tree


@given(raw=st.binary(max_size=70))
@settings(max_examples=few(30), deadline=None)
def test_groups_of_eight_come_back(raw: bytes) -> None:
    words = grouped(raw.hex())
    assert all(len(word) == 8 for word in words.split()[:-1])
    assert words.replace(" ", "") == raw.hex()


def test_grouped_as_printed() -> None:
    assert grouped("1a2b3c4d5e6f7081aa") == "1a2b3c4d 5e6f7081 aa"
