"""Texts that a test keeps: golden files, masked digests, whole games as their players read them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from unittest import mock

from pbem.admin.setup import Choices
from pbem.model import System
from pbem.testing.referee import Referee

# Begins with what all kinds have in common, so that `re` finds the places where one may begin soon.
_HEX = re.compile(
    rb"[0-9a-f]{8}(?:[0-9a-f]{8,}"
    rb"|(?<=\b[0-9a-f]{8})(?:\s+[0-9a-f]{8})+\b"
    rb"|(?<=(?:%20|%0A)[0-9a-f]{8})(?:(?:%20|%0D%0A)+[0-9a-f]{8})+)"
)
_SIGNATURE = re.compile(
    rb"(?s)-----BEGIN SSH SIGNATURE-----.*?-----END SSH SIGNATURE-----|BEGIN SEAL.*?END SEAL"
)
MOST = 1000
"""Windows after which a game counts as endless."""


def golden(path: Path, text: str) -> None:
    """Assert that a text equals a file; with `GOLDEN=write` in the environment, write the file
    first. Read the difference before you keep it."""
    if os.environ.get("GOLDEN") == "write":
        path.write_text(text, "utf-8")
    assert text == path.read_text("utf-8"), f"{path} has another text; GOLDEN=write writes it anew"


def masked(content: bytes) -> bytes:
    """Replace digests and signatures by `#` of the same length."""
    unsigned = _SIGNATURE.sub(lambda found: re.sub(rb"[A-Za-z0-9+/=]", b"#", found[0]), content)
    return _HEX.sub(lambda found: re.sub(rb"[0-9a-f]", b"#", found[0]), unsigned)


def played(
    folder: Path, system: System, sets: Sequence[Mapping[str, str]], choices: Choices
) -> str:
    """Play a whole game; return every report and receipt in the order in which they are sent.

    folder: an empty one for the game. sets: for each window the orders of the sides that write; in
    later windows nobody writes. choices: with a seed, so that the dice fall in the same way. Clock,
    keys and random bytes are fixed, and digests are masked, so that the text is the same in every
    run. Raises AssertionError if an audit finds anything, or after `MOST` windows.
    """
    said: list[str] = []
    with fixed():
        referee = Referee.made(folder, system, choices)
        referee.open()
        for number in range(MOST):
            said += _reports(referee)
            if referee.register.over:
                break
            for side, lines in (sets[number] if number < len(sets) else {}).items():
                said.append(f"===== receipt of {side} =====\n{referee.order(side, lines).text}")
            referee.run(force=True)
        assert referee.register.over, f"no end after {MOST} windows"
        found = referee.audit()
    assert found.whole, found.findings
    return masked("\n".join(said).encode()).decode()


def _reports(referee: Referee) -> Iterator[str]:
    """The newest report of each side."""
    window = referee.register.window
    for side in referee.register.sides:
        path = referee.folder / "reports" / side / str(window) / "report.txt"
        yield f"===== {side}, window {window} =====\n{path.read_text('utf-8')}"


@contextmanager
def fixed(now: str = "2026-11-20T12:00:00Z") -> Iterator[None]:
    """Stop the referee's clock, and make its random bytes the same in every run."""
    with (
        mock.patch.dict(os.environ, {"PBEM_NOW": now}),
        mock.patch.object(os, "urandom", lambda size: b"\x5a" * size),
    ):
        yield
