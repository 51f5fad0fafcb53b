"""A bundle holds files by path, equal contents once."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from pbem.store.bundle import pack, places_of, unpack

FILES = st.dictionaries(st.text(min_size=1, max_size=20), st.binary(max_size=60), max_size=8)


@given(FILES, FILES)
def test_what_is_packed_comes_out(files: dict[str, bytes], later: dict[str, bytes]) -> None:
    found = unpack(pack({3: files, 5: later}))
    assert found == {n: some for n, some in ((3, files), (5, later)) if some}
    assert all(list(some) == sorted(some) for some in found.values())


def test_a_bundle_of_one_record_without_its_number_is_read(tmp_path: Path) -> None:
    old = b'{"a":[0,2],"b":[2,1]}\nxyz'
    (tmp_path / "7").write_bytes(old)
    assert unpack(old) == {0: {"a": b"xy", "b": b"z"}}
    assert places_of(tmp_path / "7") == {"a": [(0, 2, 0)], "b": [(2, 1, 0)]}


def test_equal_contents_are_held_once(tmp_path: Path) -> None:
    mail = b"mail" * 1000
    bundle = pack({4: {"reports/a.eml": mail, "outbox/a.eml": mail}, 5: {"empty": b""}})
    assert bundle.count(mail) == 1
    (tmp_path / "b").write_bytes(bundle)
    places = places_of(tmp_path / "b")
    assert places["reports/a.eml"] == places["outbox/a.eml"] == [(0, len(mail), 4)]
    assert places["empty"][0][1:] == (0, 5)
