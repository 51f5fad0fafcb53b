"""An office for every test of mail."""

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


@pytest.fixture
def office(referee: Referee, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Office:
    """A toy game, open since noon, its first reports sent."""
    lasting_readers(monkeypatch)
    office = Office(referee)
    office.tick()
    office.empty()
    return office


@pytest.fixture
def later(clock: Clock) -> Clock:
    """The clock, to be moved."""
    return clock


@pytest.fixture(scope="session")
def servers() -> Iterator[Servers]:
    """Dovecot and Postfix, once for all tests of a process; each uses addresses of its own."""
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
