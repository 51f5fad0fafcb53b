"""The ledger under kills, full disks, two writers and every kind of tampering."""

from __future__ import annotations

import errno
import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.base.hashing import H
from pbem.errors import Busy, Damaged, NotFound, Usage
from pbem.store.ledger import NO_HASH, START, BrokenChain, Ledger, Position
from pbem.store.records import Body, Ended, Noted, Resumed, Ruled
from tests.counts import few

AT = "2026-11-20T12:00:00Z"
BODY = Ended(result="Bismarck é", reason="5e0c", files={"a": "NMR", "b": "5e0c"})
EMPTY = Noted(sides=[])
VECTOR = (
    b'{"at":"2026-11-20T12:00:00Z","body":{"text":"laid by","window":3},"kind":"noted","n":1,'
    b'"prev":"0000000000000000000000000000000000000000000000000000000000000000",'
    b'"salt":"000102030405060708090a0b0c0d0e0f",'
    b'"hash":"73af9d159132383fbbb73b2db3341bcbc5a11f20cc3ceead9c967940a44f19a2"}\n'
)


def made(path: Path, count: int) -> Path:
    with Ledger.create(path) as ledger:
        for number in range(count):
            ledger.append(Noted(sides=[], reminder=number), AT)
    return path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "ledger.jsonl"


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return made(tmp_path_factory.mktemp("ledger") / "ledger.jsonl", 6).read_bytes()


def broken(path: Path, content: bytes) -> BrokenChain:
    path.write_bytes(content)
    with pytest.raises(BrokenChain) as error:
        Ledger.open(path, lock=False).verify()
    assert error.value.exit_code == 5
    assert f"record {error.value.n} at byte {error.value.offset}" in error.value.message
    return error.value


def test_the_vector(path: Path) -> None:
    path.write_bytes(VECTOR)
    (record,) = Ledger.open(path, lock=False).records()
    assert (record.n, record.kind, record.body) == (1, "noted", Noted(text="laid by"))
    assert record.hash == H("ledger", VECTOR[: VECTOR.index(b',"hash"')] + b"}").hex()


def test_what_is_appended_is_read_back(path: Path) -> None:
    with Ledger.create(path) as ledger:
        assert ledger.head == NO_HASH
        first = ledger.append(BODY, AT)
        second = ledger.append(Resumed(), AT)
        assert ledger.head == second.hash
    assert first.prev == NO_HASH
    assert second.prev == first.hash
    reader = Ledger.open(path, lock=False)
    assert list(reader.records()) == [first, second]
    assert list(reader.records({"resumed"})) == [second]
    assert reader.verify() == Position(2, second.hash, path.stat().st_size) == reader.position
    assert first.body == BODY


def test_each_line_is_json_that_names_its_own_hash(path: Path) -> None:
    for line in made(path, 3).read_bytes().splitlines():
        record = json.loads(line)
        digest = record.pop("hash")
        text = json.dumps(record, sort_keys=True, separators=(",", ":")).encode()
        assert H("ledger", text).hex() == digest


def test_equal_records_have_different_hashes(tmp_path: Path) -> None:
    heads = {Ledger.open(made(tmp_path / name, 1), lock=False).head for name in ("a", "b")}
    assert len(heads) == 2


def test_a_later_run_goes_on_from_the_tail(path: Path) -> None:
    made(path, 2)
    for number in range(3, 6):
        with Ledger.open(path) as ledger:
            assert ledger.append(Noted(text="x" * 70_000 * number), AT).n == number
    assert Ledger.open(path, lock=False).verify().n == 5


@pytest.mark.parametrize(
    ("body", "at"),
    [
        (EMPTY, "2026-11-20T12:00:00+00:00"),
        (EMPTY, "2026-11-20 12:00:00Z"),
        (EMPTY, ""),
        (Noted(text="\ud800"), AT),
        (Noted(reminder="1"), AT),  # type: ignore[arg-type]
        (Ruled(rule="", text="", reason="", edits=[{"far": float("inf")}]), AT),
    ],
)
def test_what_no_record_can_hold_is_refused(path: Path, body: Body, at: str) -> None:
    with Ledger.create(path) as ledger:
        ledger.append(EMPTY, AT)
        with pytest.raises(ValueError, match=r"."):
            ledger.append(body, at)
        assert ledger.append(EMPTY, AT).n == 2


def test_the_lock_keeps_a_second_writer_out_and_readers_in(path: Path) -> None:
    with Ledger.create(path) as ledger:
        record = ledger.append(EMPTY, AT)
        with pytest.raises(Busy):
            Ledger.open(path)
        assert list(Ledger.open(path, lock=False).records()) == [record]
        with pytest.raises(Busy):
            Ledger.create(path)
    with pytest.raises(Usage, match="exists"):
        Ledger.create(path)
    with Ledger.open(path) as ledger:
        assert ledger.position.n == 1
    with pytest.raises(ValueError, match="reading only"):
        Ledger.open(path, lock=False).append(EMPTY, AT)


@pytest.mark.parametrize("left", [b"", b'{"at":"2026'])
def test_a_ledger_without_a_record_is_taken_over(path: Path, left: bytes) -> None:
    path.write_bytes(left)
    with Ledger.create(path) as ledger:
        assert ledger.append(EMPTY, AT).n == 1
    assert Ledger.open(path, lock=False).verify().n == 1


def test_a_ledger_that_is_not_there(path: Path) -> None:
    for lock in (True, False):
        with pytest.raises(NotFound):
            Ledger.open(path, lock=lock)


@pytest.mark.parametrize("torn", [b"{", b'{"at":"20', b"\0\0\0", b"x" * 200_000])
@pytest.mark.parametrize("count", [0, 3])
def test_a_torn_tail_is_cut_by_the_writer_alone(path: Path, torn: bytes, count: int) -> None:
    whole = made(path, count).read_bytes()
    path.write_bytes(whole + torn)
    reader = Ledger.open(path, lock=False)
    assert reader.verify().n == reader.position.n == count
    assert path.read_bytes() == whole + torn
    with Ledger.open(path) as ledger:
        assert ledger.append(EMPTY, AT).n == count + 1
    assert path.read_bytes().startswith(whole + b'{"at"')
    assert (path.parent / "ledger.torn-1").read_bytes() == torn


def test_each_torn_tail_is_kept(path: Path) -> None:
    whole = made(path, 1).read_bytes()
    for torn in (b"{1", b"{2", b"{1"):
        path.write_bytes(whole + torn)
        Ledger.open(path).close()
    kept = sorted(path.parent.glob("ledger.torn-*"))
    assert [file.read_bytes() for file in kept] == [b"{1", b"{2"]


@given(data=st.data())
@settings(max_examples=few(150), deadline=None)
def test_any_changed_byte_is_found(
    tmp_path_factory: pytest.TempPathFactory, original: bytes, data: st.DataObject
) -> None:
    at = data.draw(st.integers(0, len(original) - 1))
    value = data.draw(st.integers(0, 255).filter(lambda v: v != original[at]))
    content = original[:at] + bytes([value]) + original[at + 1 :]
    path = tmp_path_factory.mktemp("changed") / "ledger.jsonl"
    if at == len(original) - 1:  # without its newline the last line is torn, not damaged
        path.write_bytes(content)
        assert Ledger.open(path, lock=False).verify().n == 5
        return
    error = broken(path, content)
    assert error.n == original[:at].count(b"\n") + 1
    assert error.offset == original.rfind(b"\n", 0, at) + 1


def test_dropped_reordered_doubled_and_inserted_records_are_found(
    path: Path, original: bytes
) -> None:
    lines = original.splitlines(keepends=True)
    assert broken(path, b"".join(lines[1:])).n == 1
    assert broken(path, b"".join([*lines[:2], *lines[3:]])).n == 3
    assert broken(path, b"".join([lines[0], lines[2], lines[1], *lines[3:]])).n == 2
    assert broken(path, b"".join([*lines[:3], lines[2], *lines[3:]])).n == 4
    assert broken(path, b"".join([*lines[:3], b"\n", *lines[3:]])).n == 4
    other = made(path.with_name("other"), 4).read_bytes().splitlines(keepends=True)
    assert broken(path, b"".join([*lines[:3], other[3], *lines[4:]])).n == 4


def rehashed(line: bytes, old: bytes, new: bytes) -> bytes:
    assert old in line
    content = line[: line.index(b',"hash"')].replace(old, new) + b"}"
    return content[:-1] + b',"hash":"' + H("ledger", content).hex().encode() + b'"}\n'


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"n":1', b'"n":7'),
        (b'"kind":"noted"', b'"kind":"other"'),
        (b'"n":1', b'"n": 1'),
        (b'"n":1', b'"n":1,"n":1'),
        (b'"n":1', b'"more":1,"n":1'),
        (b'"n":1', b'"n":"1"'),
    ],
)
def test_a_rehashed_record_has_to_be_one_we_would_write(
    path: Path, original: bytes, old: bytes, new: bytes
) -> None:
    first = original.splitlines(keepends=True)[0]
    assert broken(path, rehashed(first, old, new)).n == 1


@pytest.mark.parametrize(
    ("old", "new", "where"),
    [
        (b'"reminder":1', b'"reminder":"1"', "body.reminder of `noted`"),
        (b'"reminder":1', b'"reset":{"side":"fox"}', "body.reset of `noted`"),
        (b'"sides":[]', b'"sides":[1]', "body.sides[0] of `noted`"),
    ],
)
def test_what_no_record_can_hold_is_named_with_its_place(
    path: Path, original: bytes, old: bytes, new: bytes, where: str
) -> None:
    lines = original.splitlines(keepends=True)
    second = next(line for line in lines if old in line)
    error = broken(path, rehashed(second.replace(b'"n":2', b'"n":1'), old, new))
    assert (error.n, where in error.why) == (1, True), error.why


@pytest.mark.parametrize("text", ["\x7f", "\x1f", "\u00e9", "\U0001f409", '"', "\\", "/", "\t"])
def test_any_text_is_written_in_the_one_form(path: Path, text: str) -> None:
    with Ledger.create(path) as ledger:
        ledger.append(Noted(text=text), AT)
    assert json.dumps(text).encode() in path.read_bytes()
    assert [r.body for r in Ledger.open(path, lock=False).records()] == [Noted(text=text)]


@pytest.mark.parametrize("raw", [b"\x7f", b"\xc3\xa9", b"\\u00E9", b"\\u0041", b"\\/"])
def test_text_in_another_form_is_refused(path: Path, raw: bytes) -> None:
    with Ledger.create(path) as ledger:
        ledger.append(Noted(text="here"), AT)
    error = broken(path, rehashed(path.read_bytes(), b"here", raw))
    assert "canonical" in error.why


def test_a_damaged_tail_stops_the_writer(path: Path, original: bytes) -> None:
    path.write_bytes(original[:-10] + bytes([original[-10] ^ 1]) + original[-9:])
    with pytest.raises(Damaged):
        Ledger.open(path)
    path.write_bytes(original + b"rubbish\n")
    with pytest.raises(Damaged):
        Ledger.open(path)


def test_reading_goes_on_from_a_remembered_place(path: Path) -> None:
    made(path, 4)
    reader = Ledger.open(path, lock=False)
    places = [position for _, position in reader.walk()]
    for place in [START, *places]:
        assert [r.n for r in reader.records(since=place)] == list(range(place.n + 1, 5))
    wrong = Position(2, places[2].hash, places[1].offset)
    with pytest.raises(BrokenChain):
        next(reader.records(since=wrong))
    cut = path.read_bytes()[: places[1].offset]
    path.write_bytes(cut)
    with pytest.raises(BrokenChain):
        next(reader.records(since=places[3]))


class FullDisk:
    """`os.write` that takes half of what it is given, once, and then has no room."""

    def __init__(self) -> None:
        self.real, self.calls = os.write, 0

    def __call__(self, fd: int, content: bytes) -> int:
        self.calls += 1
        if self.calls == 1:
            return self.real(fd, bytes(content[: len(content) // 2]))
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_full_disk_records_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = made(path, 2).read_bytes()
    with Ledger.open(path) as ledger:
        with monkeypatch.context() as patch:
            patch.setattr(os, "write", FullDisk())
            with pytest.raises(Busy, match="full") as error:
                ledger.append(EMPTY, AT)
        assert error.value.exit_code == 4
        assert path.read_bytes() == whole
        assert ledger.append(EMPTY, AT).n == 3
    assert Ledger.open(path, lock=False).verify().n == 3


def test_a_ledger_that_cannot_take_back_writes_no_more(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = made(path, 2).read_bytes()

    def fails(fd: int, length: int) -> None:
        raise OSError(errno.EIO, "gone")

    with Ledger.open(path) as ledger:
        with monkeypatch.context() as patch:
            patch.setattr(os, "write", FullDisk())
            patch.setattr(os, "ftruncate", fails)
            with pytest.raises(OSError, match="gone"):
                ledger.append(EMPTY, AT)
        with pytest.raises(ValueError, match="reading only"):
            ledger.append(EMPTY, AT)
    with Ledger.open(path) as ledger:
        assert ledger.position.n == 2
    assert path.read_bytes() == whole


WRITER = """
import sys
from pathlib import Path
from pbem.errors import Busy
from pbem.store.ledger import Ledger
from pbem.store.records import Noted
path, count = Path(sys.argv[1]), int(sys.argv[2])
for _ in range(count):
    with Ledger.open(path, wait=30) as ledger:
        n = ledger.append(Noted(text="x" * 3000), "2026-11-20T12:00:00Z").n
    print(n, flush=True)
"""


def writer(path: Path, count: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path), str(count)], stdout=subprocess.PIPE
    )


def test_a_kill_at_any_moment_loses_nothing_that_was_acknowledged(path: Path) -> None:
    made(path, 1)
    acknowledged = 1
    for _ in range(8):
        process = writer(path, 100_000)
        assert process.stdout is not None
        for _ in range(random.randrange(1, 30)):
            acknowledged = int(process.stdout.readline())
        process.kill()
        rest = process.communicate()[0].split(b"\n")[:-1]
        acknowledged = int(rest[-1]) if rest else acknowledged
        assert Ledger.open(path, lock=False).verify().n in (acknowledged, acknowledged + 1)
    with Ledger.open(path) as ledger:
        ledger.append(EMPTY, AT)
    Ledger.open(path, lock=False).verify()


def test_two_overlapping_writers_take_turns(path: Path) -> None:
    made(path, 0)
    processes = [writer(path, 25) for _ in range(2)]
    numbers = [int(n) for process in processes for n in process.communicate()[0].split()]
    assert sorted(numbers) == list(range(1, 51))
    assert Ledger.open(path, lock=False).verify().n == 50


def test_opening_reads_no_more_of_a_longer_ledger(path: Path) -> None:
    """Flat cost: what an open and an append read does not grow with the ledger."""
    from pbem.store import ledger as module

    made(path, 2000)
    read = 0

    def counted(path: Path, line: bytes, before: Position) -> Any:
        nonlocal read
        read += 1
        return real(path, line, before)

    real = module._read
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_read", counted)
        with Ledger.open(path) as ledger:
            ledger.append(EMPTY, AT)
    assert read == 2
