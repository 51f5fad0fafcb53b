"""A bundle holds files by path, equal contents once."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from pbem.bundle import pack, places_of, unpack

FILES = st.dictionaries(st.text(min_size=1, max_size=20), st.binary(max_size=60), max_size=8)


@given(FILES)
def test_what_is_packed_comes_out(files: dict[str, bytes]) -> None:
    assert unpack(pack(files)) == files
    assert list(unpack(pack(files))) == sorted(files)


def test_equal_contents_are_held_once(tmp_path: Path) -> None:
    mail = b"mail" * 1000
    bundle = pack({"reports/a.eml": mail, "outbox/a.eml": mail, "empty": b""})
    assert bundle.count(mail) == 1
    (tmp_path / "b").write_bytes(bundle)
    places = places_of(tmp_path / "b")
    assert places["reports/a.eml"] == places["outbox/a.eml"] == (0, len(mail))
    assert places["empty"][1] == 0
