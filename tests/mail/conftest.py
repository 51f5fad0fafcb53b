"""Fixtures for the tests of mail: an office, the clock, real and scripted mail servers."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Clock
from tests.mail.office import Office
from tests.mail.servers import PASSWORD, Servers, missing
from tests.mail.smtpd import Server, Start
from tests.reading import lasting_readers
from tests.referee import Referee

OWN_READERS = {"test_dispatch", "test_flood", "test_guard", "test_timing"}
"""The modules whose tests look at the readers themselves, or count what a tick does."""


@pytest.fixture(autouse=True)
def _readers(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Share sandboxed readers of mail, but in tests that are about them."""
    if request.path.stem not in OWN_READERS:
        lasting_readers(monkeypatch)


@pytest.fixture
def office(referee: Referee, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Office:
    """An open toy game whose first reports are sent."""
    lasting_readers(monkeypatch)
    office = Office(referee)
    office.tick()
    office.empty()
    return office


@pytest.fixture
def later(clock: Clock) -> Clock:
    """The clock of the office, which tests may advance."""
    return clock


@pytest.fixture(scope="session")
def servers() -> Iterator[Servers]:
    """Dovecot and Postfix, started once in each process; every test uses its own addresses."""
    if why := missing("dovecot", "postfix", "swaks", "s-nail", "mutt"):
        pytest.skip(why)
    root = Path(tempfile.mkdtemp(prefix="pbem-mail-"))  # short, and the servers may enter it
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TEST_PASSWORD", PASSWORD)
        try:
            running = Servers(root)
            try:
                yield running
            finally:
                running.stop()
        finally:
            shutil.rmtree(root, ignore_errors=True)


@pytest.fixture
def smtpd() -> Iterator[Start]:
    """Starts mail servers, each with its script."""
    with ExitStack() as open_ones:

        def start(**script: Any) -> Server:
            server = Server(**script)
            open_ones.callback(server.close)
            return server

        yield start
