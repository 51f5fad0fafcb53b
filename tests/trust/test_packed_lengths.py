"""The length of a packed report tells nobody what its reader does not read.

The comparisons of two worlds (tests/secrecy.py) leave the length of gzip aside, because digests of
one length do not pack to one length. Here is why that hides nothing, also in encrypted mail, of
which others see the length.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable
from random import Random

import pytest

from pbem.base.gzipped import gzipped, plain_of
from pbem.crypto.age_armour import padded
from tests.conftest import Clock
from tests.once import played
from tests.secrecy import opened, require_canonical

STEP = 4096
"""The smallest step of the padded sizes, in bytes."""
MAIL = b"""Content-Type: application/gzip
Content-Transfer-Encoding: base64

"""


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    """The packed reports of a game, as data."""
    folder = played(tmp_path_factory, "far_seas") / "demo" / "reports"
    found = [path.read_bytes() for path in sorted(folder.glob("*/*/report.json"))]
    assert len(found) > 8
    return found


def other_digests(report: bytes, random: Random) -> bytes:
    """A report of another world: every digest in it is another one."""
    return re.sub(rb"[0-9a-f]{64}", lambda _: b"%064x" % random.getrandbits(256), report)


def test_other_digests_change_the_length_by_less_than_a_step_of_padding(
    reports: list[bytes],
) -> None:
    random = Random(20)
    for report in reports:
        sizes = [len(gzipped(other_digests(report, random))) for _ in range(8)]
        assert max(sizes) - min(sizes) < STEP // 20
        # base64 in a mail has a third more
        assert len({len(padded(b"x" * (size * 4 // 3))) for size in sizes}) <= 2


def test_packed_parts_hold_their_content_and_nothing_else(reports: list[bytes]) -> None:
    for report in reports:
        assert plain_of(gzipped(report), "report") == report
        require_canonical(gzipped(report))


@pytest.mark.parametrize(
    "leak",
    [
        lambda content: gzipped(content) + b"the enemy is at F20",
        lambda content: gzip.compress(content, 1, mtime=0),
        lambda content: gzip.compress(content, 9, mtime=1_795_000_000),
    ],
)
def test_the_comparison_of_worlds_finds_what_a_packed_part_holds_beside(
    leak: Callable[[bytes], bytes], reports: list[bytes], clock: Clock
) -> None:
    from base64 import encodebytes

    opened("report.eml", MAIL + encodebytes(gzipped(reports[0])))
    with pytest.raises(AssertionError, match="packed part"):
        opened("report.eml", MAIL + encodebytes(leak(reports[0])))
