"""Every parser of input from outside, fed with noise and with damaged samples: it gives a
value or one of our own errors, within five seconds of work and 256 MiB of memory for each input.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.errors import PbemError
from tests.counts import few
from tests.trust.corpus import places, verify
from tests.trust.parsers import LEDGER, PARSERS, REPORT, Parser, redigested

ZERO, plain = verify.ZERO, verify.plain

# Work that grows with the input takes half a second for 250 kB; work that grows with its square
# takes minutes. The limit lies far from both, so that a slow machine decides nothing.
SECONDS, MEMORY = 5.0, 256 << 20
linux = pytest.mark.skipif(sys.platform != "linux", reason="limits of memory are Linux's here")


class TooSlow(BaseException):
    """A parser worked for longer than its limit. No `except Exception` hides it."""


def _stop(number: int, frame: object) -> None:
    raise TooSlow


@contextmanager
def limited(seconds: float = SECONDS, memory: int = MEMORY) -> Iterator[None]:
    """Work and memory are bounded in here; work is the process's own time, so that a busy machine
    makes no parser slow. Raises TooSlow, MemoryError."""
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    before = resource.getrlimit(resource.RLIMIT_AS)
    handler = signal.signal(signal.SIGPROF, _stop)
    resource.setrlimit(resource.RLIMIT_AS, (used + memory, before[1]))
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        resource.setrlimit(resource.RLIMIT_AS, before)
        signal.signal(signal.SIGPROF, handler)


@cache
def ready(name: str) -> tuple[Parser, bytes]:
    """A parser that has read its sample: what it loads once, a map perhaps, is no work on bytes."""
    parse, sample = PARSERS[name]
    with suppress(PbemError):
        parse(sample)
    return parse, sample


def judged(parse: Parser, content: bytes) -> None:
    """A value, or an error that says something."""
    with limited():
        try:
            parse(content)
        except PbemError as error:
            assert error.message


def spoiled(sample: bytes, junk: bytes, at: int, gone: int) -> bytes:
    place = at % (len(sample) + 1)
    return sample[:place] + junk + sample[place + gone :]


@linux
@pytest.mark.parametrize("name", PARSERS)
@given(st.binary(max_size=60), st.integers(0, 100_000), st.integers(0, 40), st.booleans())
@settings(max_examples=few(40))
def test_a_parser_gives_a_value_or_an_error_of_ours(
    name: str, junk: bytes, at: int, gone: int, alone: bool
) -> None:
    parse, sample = ready(name)
    judged(parse, junk if alone else spoiled(sample, junk, at, gone))


JUNK = (
    b"[" * 200_000,
    b'{"a":' * 50_000,
    b"BEGIN " * 40_000,
    *(bytes([c]) * 250_000 for c in b" A\n->9\xff"),
)


@linux
@pytest.mark.parametrize("name", PARSERS)
def test_long_and_deep_input_needs_little_memory_and_time(
    name: str, drawn: Callable[[Sequence[bytes], int], Sequence[bytes]]
) -> None:
    parse, sample = ready(name)
    for junk in drawn(JUNK, 2):
        for content in (junk, sample + junk, junk + sample, sample[: len(sample) // 2] + junk):
            judged(parse, content)


BEGINNINGS = (
    b"BEGIN ORDERS ",
    b"BEGIN ORDERS # END ORDERS\n",
    b"END ORDERS BEGIN SEAL ",
    b"BEGIN JOIN ",
    b"BEGIN JOIN END ",
    b"BEGIN AGE ENCRYPTED FILE ",
    b"BEGIN PRESS\n",
    b"<a ",
    b"<a b='",
    b"<!--",
    b"<p\n",
    b"<![",
    b"</",
    b"[",
    b">- ",
    b";",
    b'\\";',
    b"a*0=b;",
    b"=?utf-8?q?a?= ",
)
STRANGERS = (
    "orders",
    "join",
    "age armour",
    "press",
    "page",
    "winmail.dat",
    "headers of parts",
    "letter opened",
)


@linux
@pytest.mark.parametrize("name", STRANGERS)
def test_repeated_openings_without_an_end_are_parsed_in_time(name: str) -> None:
    """Input as long as the largest mail; searching all the rest for each end would take minutes."""
    parse, _ = ready(name)
    for word in BEGINNINGS:
        judged(parse, (word * (250_000 // len(word)))[:250_000])


# Any value anywhere, under digests and hashes that fit: what a hostile moderator may write

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=9) | st.floats(-9, 9),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)


def placed(document: Any, at: int, value: object) -> Any:
    """The document with a value in one of its places."""
    document = deepcopy(document)
    paths = list(places(document))
    path = paths[at % len(paths)]
    inner = document
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = value
    return document


@linux
@given(st.integers(0, 100_000), VALUES)
@settings(max_examples=few(150))
def test_a_report_with_any_value_in_any_place(at: int, value: object) -> None:
    content = redigested(placed(json.loads(REPORT), at, value))
    for name in ("report checked", "verify.py: report"):
        judged(ready(name)[0], content)


@linux
@given(st.integers(0, 28), st.integers(0, 10_000), VALUES)
@settings(max_examples=few(100))
def test_a_ledger_with_any_value_in_any_record(record: int, at: int, value: object) -> None:
    lines, prev = [], ZERO
    for n, line in enumerate(LEDGER.splitlines(), 1):
        said = json.loads(line)
        body = placed(said["body"], at, value) if n == record else said["body"]
        content = plain(
            {k: said[k] for k in ("at", "kind", "n", "salt")} | {"body": body, "prev": prev}
        )
        prev = verify.digest("ledger", content).hex()
        lines.append(content[:-1] + b',"hash":"' + prev.encode() + b'"}\n')
    for name in ("audited ledger", "verify.py: ledger"):
        judged(ready(name)[0], b"".join(lines))


# That the limits hold


@linux
def test_a_parser_that_hangs_or_hoards_is_stopped() -> None:
    def hangs(content: bytes) -> None:
        while True:
            content += b""

    with pytest.raises(TooSlow), limited(seconds=0.05):
        hangs(b"")
    with pytest.raises(MemoryError):
        judged(lambda content: bytearray(2 * MEMORY), b"")
    with limited():
        assert len(bytearray(MEMORY // 4)) == MEMORY // 4


ATHERIS = """
import sys, atheris
with atheris.instrument_imports(include=["pbem", "orders"]):
    from tests.trust.parsers import PARSERS
    from pbem.errors import PbemError
parse, sample = PARSERS[sys.argv.pop(1)]
def one(data):
    at = int.from_bytes(data[:3], "big") % (len(sample) + 1)
    for content in (data, sample[:at] + data[3:] + sample[at + len(data) // 2:]):
        try:
            parse(content)
        except PbemError:
            pass
atheris.Setup(sys.argv, one)
atheris.Fuzz()
"""


@pytest.mark.nightly
@pytest.mark.parametrize("name", PARSERS)
def test_parsers_survive_coverage_guided_fuzzing(name: str, tmp_path: Path) -> None:
    pytest.importorskip("atheris", reason="atheris is missing: pip install atheris")
    limits = ["-atheris_runs=20000", "-rss_limit_mb=1024", "-timeout=5", "-max_total_time=10"]
    env: dict[str, Any] = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    said = subprocess.run(
        [sys.executable, "-c", ATHERIS, name, *limits],
        cwd=tmp_path,
        env=env,
        capture_output=True,
        check=False,
    )
    assert said.returncode == 0, said.stderr[-3000:]
