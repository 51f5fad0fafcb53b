"""A mailbox whose server breaks off, lies, talks for ever or drips: every mail is taken once and
unharmed, now or later, nothing is marked that was not taken, and a tick ends."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import count
from random import Random
from time import monotonic

import pytest

from pbem.base.config import ImapBox, Secret
from pbem.base.patience import MAX_RESPONSE, Clock
from pbem.inbound.letter import LARGEST
from pbem.inbound.mailboxes.imap import Imap
from pbem.inbound.mailboxes.interface import FetchFailed
from tests.cli.commands import pbem
from tests.mail.imapd import DATE, ImapServer, Twist, as_it_is, imapd
from tests.mail.office import CONFIG, Office

MAILS = {
    4: b"From: fox@example.org\r\nSubject: g1\r\n\r\nhelp\r\n",
    5: b"From: hunter@example.org\r\nSubject: g1\r\n\r\nT9 OK done)\r\n* 9 FETCH (UID 9)\r\n",
    9: b"\r\n)\r\n",
}
WORDS = ("GREETING", "CAPABILITY", "LOGIN", "SELECT", "SEARCH", "FETCH", "STORE")
Sample = Callable[[Sequence[tuple[str, int]], int], Sequence[tuple[str, int]]]


@pytest.fixture
def server() -> Iterator[ImapServer]:
    with imapd(MAILS) as server:
        yield server


def box_of(server: ImapServer, total: float = 300.0, clock: Clock = monotonic) -> Imap:
    way = ImapBox(
        "127.0.0.1", "a", Secret(env="x"), port=server.port, tls="none", timeout=20, total=total
    )
    return Imap(way, "b", clock=clock)


def fetch(server: ImapServer, kept: dict[int, bytes], box: Imap | None = None) -> Imap:
    """What a tick does: take mails, and mark those that it took. Raises FetchFailed."""
    with box or box_of(server) as opened:
        for mail in opened.mails(500):
            assert kept.setdefault(int(mail.key), mail.raw) == mail.raw
            opened.done([mail.key])
        return opened


def finished(server: ImapServer, twist: Twist) -> str:
    """A fetch that meets trouble, and one that does not: what was said of the first. What was
    marked had been taken, and in the end all is taken as it was sent."""
    server.seen.clear()
    kept: dict[int, bytes] = {}
    said, server.twist = "", twist
    try:
        fetch(server, kept)
    except FetchFailed as error:
        said = str(error)
    assert server.seen <= kept.keys()
    server.twist = as_it_is
    fetch(server, kept)
    assert kept == MAILS
    return said


def cut(word: str, at: int) -> Twist:
    """The first answer to that command breaks off behind so many bytes."""
    first = count()
    return lambda w, said: said[:at] if w == word and not next(first) else said


def test_a_connection_that_breaks_at_any_byte_costs_a_fetch_and_nothing_else(
    server: ImapServer, sample: Sample
) -> None:
    places: list[tuple[str, int]] = []

    def note(word: str, said: bytes) -> bytes:
        if word in WORDS and word not in [w for w, _ in places]:
            places.extend((word, at) for at in range(len(said)))
        return said

    assert finished(server, note) == ""
    assert {word for word, _ in places} == set(WORDS)
    for word, at in sample(places, 60):
        assert finished(server, cut(word, at)).startswith("127.0.0.1: "), (word, at)


def lie(word: str, this: bytes, that: bytes) -> Twist:
    return lambda w, said: said.replace(this, that) if w == word else said


NIL = f"* 4 FETCH (UID 4 INTERNALDATE {DATE} RFC822.SIZE 44 BODY[]<0> NIL)\r\n".encode()
SHORT = NIL.replace(b"NIL", b"{3}\r\nhello")
TALK = (b"* OK " + b"still here " * 800 + b"\r\n") * 500


def instead(word: str, this: bytes) -> Twist:
    """The answer to that command is another; its last line, the server's, stays behind FETCH."""
    return lambda w, said: this + said.splitlines(True)[-1] if w == word else said


LIES: dict[str, tuple[Twist, str]] = {
    "a wrong tag": (instead("SEARCH", b"XXXX1 OK done\r\n"), "XXXX1"),
    "goodbye": (instead("FETCH", b"* BYE going down\r\n"), "going down"),
    "a refusal": (lie("STORE", b"OK", b"NO [SERVERBUG]"), "done"),
    "a greeting of the wrong kind": (instead("GREETING", b"220 smtp\r\n"), "220"),
    "a length too short": (lie("FETCH", b"{44}", b"{34}"), "unexpected response"),
    "a length that ends in a line": (instead("FETCH", SHORT), "goes on behind its end"),
    "a length too long": (lie("FETCH", b"{44}", b"{94}"), "EOF"),
    "a length without measure": (lie("FETCH", b"{44}", b"{%s}" % (b"9" * 30)), "no mail asked for"),
    "a length of gigabytes": (lie("FETCH", b"{44}", b"{3999999999}"), "no mail asked for"),
    "no text": (instead("FETCH", NIL), "mail 4 has no text"),
    "no date": (lie("FETCH", b"INTERNALDATE", b"NODATE"), "has no date"),
    "a date of no calendar": (lie("FETCH", b"1-Dec", b"99-Foo"), "not in"),
    "numbers that are none": (lie("SEARCH", b"4 5", b"4 x5"), "invalid literal"),
    "a line without an end": (instead("SEARCH", b"*" * 1_000_100), "more than 1000000 bytes"),
    "talk without an end": (instead("SEARCH", TALK), f"more than {MAX_RESPONSE} bytes"),
    "bytes of no alphabet": (instead("SELECT", bytes(range(256))), ""),
}


@pytest.mark.parametrize("kind", LIES)
def test_a_server_that_lies_is_found_out_and_nothing_is_marked(
    kind: str, server: ImapServer
) -> None:
    twist, says = LIES[kind]
    said = finished(server, twist)
    assert said.startswith("127.0.0.1: ")
    assert says in said


def test_the_text_of_another_mail_is_not_taken_for_the_one_asked_for(server: ImapServer) -> None:
    """Marked as taken, the mail asked for would be lost."""
    server.once = False

    def twist(word: str, said: bytes) -> bytes:
        return said.replace(b"UID 5", b"UID 7").replace(b"* 5", b"* 7") if word == "FETCH" else said

    assert finished(server, twist) == ""


def test_news_of_other_mails_between_the_answers_does_not_matter(server: ImapServer) -> None:
    """Another client reads, deletes and gets mail meanwhile (RFC 3501, 7)."""
    before = (
        b"* 7 FETCH (UID 5 FLAGS (\\Seen))\r\n* 3 EXPUNGE\r\n* 8 EXISTS\r\n* OK [ALERT] soon\r\n"
    )
    behind = b"* 2 FETCH (FLAGS (\\Flagged))\r\n* 1 RECENT\r\n* VANISHED 1:3\r\n"
    server.once = False

    def twist(word: str, said: bytes) -> bytes:
        if word not in ("SELECT", "SEARCH", "FETCH", "STORE"):
            return said
        *told, done = said.splitlines(keepends=True)
        return before + b"".join(told) + behind + done

    assert finished(server, twist) == ""


def test_a_mailbox_emptied_while_it_is_read_gives_what_is_left(server: ImapServer) -> None:
    kept: dict[int, bytes] = {}
    server.gone = {5, 9}
    fetch(server, kept)
    assert kept == {4: MAILS[4]}
    assert server.seen == {4}


def test_whatever_a_server_says_is_a_failure_in_words_or_nothing(
    server: ImapServer, nightly: bool
) -> None:
    """Bytes of its answers changed at random, a mail's own text left alone."""
    texts = list(MAILS.values())

    def mutated(random: Random) -> Twist:
        def twist(word: str, said: bytes) -> bytes:
            text = next((t for t in texts if t in said), b"")
            head, mid, tail = said.partition(text) if text else (said, b"", b"")
            if random.random() < 0.7:
                return said
            parts = bytearray(head if random.random() < 0.8 or not tail else tail)
            for _ in range(random.randint(1, 3)):
                parts[random.randrange(len(parts))] = random.choice(b' \r\n{}()*"0198AZ\xff\0')
            return bytes(parts) + mid + tail

        return twist

    failed = 0
    for seed in range(4000 if nightly else 150):
        failed += bool(finished(server, mutated(Random(seed))))
    assert failed > 20


IMAP = """kind = "imap"
host = "127.0.0.1"
port = {port}
tls = "none"
user = "games"
password = {{ env = "HOME" }}
timeout = 0.4
total = 0.5"""


class Ticks:
    """A clock that goes on by a second each time somebody looks."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        self.now += 1
        return self.now


def test_a_server_that_drips_is_given_up_when_its_time_is_over(server: ImapServer) -> None:
    """Every byte comes in time; only the sum is too long."""
    clock = Ticks()
    server.twist = lambda w, said: b"* OK wait\r\n" * 100_000 if w == "SEARCH" else said
    with pytest.raises(FetchFailed, match="the 40 seconds that a tick has for it are used up"):
        fetch(server, {}, box_of(server, total=40, clock=clock))
    assert clock.now < 100
    assert not server.seen


def test_a_slow_server_gives_some_mails_in_each_tick_and_all_in_the_end(
    server: ImapServer,
) -> None:
    """When half of the time is gone no further mail is asked for: what came can still be marked."""
    server.mails = {number: b"Subject: g1\r\n\r\n%d\r\n" % number for number in range(1, 13)}
    kept: dict[int, bytes] = {}
    left = []
    while len(server.seen) < 12:
        before = len(kept)
        left.append(fetch(server, kept, box_of(server, total=80, clock=Ticks())).left)
        assert len(kept) > before
    assert kept == server.mails
    assert left[0] > 0
    assert left[-1] == 0


def test_a_tick_ends_though_its_server_never_does(server: ImapServer, office: Office) -> None:
    """A byte just within each timeout: the command ends, says why, and closes no window."""
    server.drips = "SEARCH"
    text = CONFIG.replace('kind = "maildir"\npath = "in"', IMAP.format(port=server.port))
    (office.home / "pbem.toml").write_text(text)
    said = pbem("--home", office.home, "tick")
    assert said.code == 4
    assert "mail NOT fetched: 127.0.0.1: timed out: the 0.5 seconds" in said.out
    assert "no window closes: mail could not be fetched" in said.err


def test_no_mail_asked_for_is_as_long_as_what_a_server_may_say() -> None:
    assert 2 * LARGEST < MAX_RESPONSE
