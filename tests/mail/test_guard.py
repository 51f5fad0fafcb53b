"""Hostile mail: a verdict within two seconds and 256 MiB, whatever is in it.

No test takes the time: the sandbox itself ends a child that takes too long, and says so.
"""

from __future__ import annotations

import io
import os
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.errors import Busy
from pbem.inbound.letter import (
    LARGEST,
    LONGEST_HEADER,
    MEMORY,
    MOST_BOUNCES,
    SECONDS,
    Letter,
    Unreadable,
    require_simple,
)
from pbem.inbound.mailboxes.interface import FetchFailed
from pbem.inbound.markup import text_of
from pbem.inbound.parse_mail import answer, open_letter
from pbem.inbound.pool import Readers
from pbem.inbound.sandbox import Sandbox
from tests.counts import few

Answers = Callable[[Sandbox, float], bytes]
MIXED = b"Content-Type: multipart/mixed; boundary=x\r\n\r\n"
TOP = b"From: fox@example.org\r\nSubject: x\r\n"


def nested(depth: int) -> bytes:
    parts = (
        b"Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n" % (i, i)
        for i in range(depth)
    )
    return TOP + b"".join(parts) + b"Content-Type: text/plain\r\n\r\nhi\r\n"


def zipped() -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("orders.txt", b"0" * (20 << 20))
    import base64

    body = base64.encodebytes(packed.getvalue())
    head = b'Content-Type: application/zip; name="a.txt"\r\nContent-Transfer-Encoding: base64\r\n'
    return TOP + head + b"\r\n" + body


CASES: dict[str, bytes] = {
    "nesting": nested(2000),
    "nesting below the cap": nested(8),
    "mails in mails": TOP + b"Content-Type: message/rfc822\r\n\r\n" * 3000 + b"hi",
    "header bomb": TOP + b"".join(b"X-%d: a\r\n" % i for i in range(20_000)) + b"\r\nhi",
    "folded header": TOP + b"X: a\r\n" + b" a\r\n" * 50_000 + b"\r\nhi",
    "addresses by the thousand": TOP + b"To: " + b"a@b.c, " * 20_000 + b"x@y.z\r\n\r\nhi",
    "parentheses": b"From: " + b"(" * 15_000 + b"\r\n\r\nhi",
    "encoded words": b"Subject: " + b"=?utf-8?q?a?= " * 1_100 + b"\r\nFrom: a@b.c\r\n\r\nhi",
    "parts": TOP + MIXED + b"--x\r\n\r\na\r\n" * 20_000,
    "parts by the 100,000": TOP + MIXED + b"--x\r\n\r\na\r\n" * 100_000,
    "parts below the cap": TOP + MIXED + b"--x\r\n\r\na\r\n" * 1900,
    "parameters": TOP
    + b"Content-Type: text/plain; "
    + b"; ".join(b"a*%d=b" % i for i in range(1_500))
    + b"\r\n\r\nhi",
    "unknown charset": TOP + b"Content-Type: text/plain; charset=unknown-8bit-x\r\n\r\n\xff\xfe",
    "charset of a compressor": TOP + b"Content-Type: text/plain; charset=zlib\r\n\r\nx",
    "slow charset": TOP + b"Content-Type: text/plain; charset=punycode\r\n\r\n" + b"a-" * 50_000,
    "empty charset": TOP + b'Content-Type: text/plain; charset=""\r\n\r\n\xe9',
    "lying charset": TOP + b"Content-Type: text/plain; charset=utf-16\r\n\r\nBEGIN ORDERS",
    "bad base64": TOP + b"Content-Transfer-Encoding: base64\r\n\r\n!!!=" + b"A" * 1001,
    "uuencode": TOP + b"Content-Transfer-Encoding: x-uuencode\r\n\r\nbegin 666 a\n\xff\nend",
    "zip": zipped(),
    "tnef": TOP + b"Content-Type: application/ms-tnef; name=a.dat\r\n\r\n" + b"\x78\x9f" * 9000,
    "message id": b"Message-ID: <\r\n\r\nhi",
    "long line": TOP + b"\r\n" + b"a" * 200_000,
    "tags": TOP + b"Content-Type: text/html\r\n\r\n" + b"<a " * 60_000,
    "open tags": TOP + b"Content-Type: text/html\r\n\r\n" + b"<div>" * 40_000,
    "entities": TOP + b"Content-Type: text/html\r\n\r\n" + b"&#x10FFFF;" * 20_000,
    "declaration": TOP + b"Content-Type: text/html\r\n\r\n<![CDATA[" + b"<!" * 20_000,
    "nul": TOP + b"\r\n" + b"\0" * 1000,
    "no header": b"\r\n\r\nhi",
    "nothing": b"",
    "blank": b" \r\n",
    "oversize": TOP + b"\r\n" + b"a\r\n" * 200_000,
}


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as sandbox:
        sandbox.open(TOP + b"\r\nhi")  # started
        yield sandbox


def peak(sandbox: Sandbox) -> int:
    """The most memory the child ever held, in bytes; 0 where the system does not say."""
    assert sandbox._child
    try:
        with open(f"/proc/{sandbox._child.pid}/status") as status:  # noqa: PTH123
            lines = [line for line in status if line.startswith("VmHWM")]
    except OSError:
        return 0
    return int(lines[0].split()[1]) * 1024


@pytest.mark.parametrize("case", CASES)
def test_a_verdict_in_time_and_memory(case: str, sandbox: Sandbox) -> None:
    """One by the caps or by reading it, not by the child's end: that is what limits are for."""
    try:
        verdict: Letter | str = sandbox.open(CASES[case])
    except Unreadable as error:
        verdict = str(error)
    assert isinstance(verdict, Letter) or verdict not in (
        "its reader broke down",
        "its reader took too long",
    )
    if sandbox._child:
        assert peak(sandbox) < MEMORY
    assert sandbox.open(TOP + b"\r\nstill here").leaves[0].text == "still here"


@pytest.mark.skipif(not os.path.exists("/proc"), reason="needs the limits of Linux")  # noqa: PTH110
def test_the_child_is_held_to_its_limits(sandbox: Sandbox) -> None:
    """Two seconds and 256 MiB, by the system: no program may raise them again."""
    assert (SECONDS, MEMORY) == (2, 256 << 20)
    sandbox.open(TOP + b"\r\nhi")
    assert sandbox._child
    with open(f"/proc/{sandbox._child.pid}/limits") as limits:  # noqa: PTH123
        said = {line[:26].strip(): line[26:].split()[:2] for line in limits}
    assert said["Max address space"] == [str(MEMORY)] * 2
    assert said["Max file size"] == said["Max core file size"] == ["0", "0"]
    assert SECONDS < int(said["Max cpu time"][0]) <= computed(sandbox._child.pid) + SECONDS + 1


def computed(pid: int) -> float:
    """Seconds of computing that a process has used."""
    with open(f"/proc/{pid}/stat") as stat:  # noqa: PTH123
        fields = stat.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@pytest.mark.some(1)
@pytest.mark.skipif(not os.path.exists("/proc"), reason="needs the limits of Linux")  # noqa: PTH110
@pytest.mark.parametrize(
    ("how", "code"),
    [
        ("memory", "bytearray(1 << 30)"),
        ("time", "[0 for _ in iter(int, 1) if 0]"),
        ("exit", "__import__('os')._exit(3)"),
        ("silence", "__import__('time').sleep(60)"),
        ("noise", "print('x' * 9000, flush=True)"),
    ],
)
def test_a_reader_that_a_mail_breaks_is_replaced(
    how: str, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = subprocess.Popen
    script = (
        "import sys; from pbem.inbound import parse_mail as opener; opener.limit_memory();\n"
        "real = opener.open_letter\n"
        "opener.open_letter = lambda raw: real(raw) if b'hello' in raw else eval(sys.argv[1])\n"
        "opener.serve(sys.stdin.buffer, sys.stdout.buffer)"
    )

    def broken(command: list[str], **more: object) -> object:
        return real([sys.executable, "-c", script, code], **more)  # type: ignore[call-overload]

    monkeypatch.setattr("pbem.inbound.sandbox.START", 8.0 if how != "silence" else 1.0)
    monkeypatch.setattr("pbem.inbound.sandbox.SECONDS", 1.0)
    monkeypatch.setattr(subprocess, "Popen", broken)
    with Sandbox() as sandbox:
        with pytest.raises(Unreadable):
            sandbox.open(TOP + b"\r\nhi")
        monkeypatch.setattr(subprocess, "Popen", real)
        monkeypatch.setattr("pbem.inbound.sandbox.START", 20.0)
        if how == "memory":
            sandbox._end()  # it lives, and would answer the same
        assert sandbox.open(TOP + b"\r\nhi").sender == "fox@example.org"


@pytest.mark.parametrize("starts", ["import nothing", "while True: input()", ""])
def test_a_reader_that_does_not_start_condemns_no_mail(
    starts: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Too little memory, half an installation: the mail stays where it is until that is mended."""
    real = subprocess.Popen

    def broken(command: list[str], **more: object) -> object:
        return real([sys.executable, "-c", starts], **more)  # type: ignore[call-overload]

    monkeypatch.setattr("pbem.inbound.sandbox.START", 1.0)
    with Sandbox() as sandbox:
        with monkeypatch.context() as patch, pytest.raises(Busy, match="reader does not start"):
            patch.setattr(subprocess, "Popen", broken)
            sandbox.open(TOP + b"\r\nhi")
        monkeypatch.undo()
        assert sandbox.open(TOP + b"\r\nhi").sender == "fox@example.org"


def test_a_mail_is_not_blamed_for_a_machine_that_stood_still(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    waits: list[float] = []

    def late(sandbox: Sandbox, give_up: float, real: Answers = Sandbox._answer) -> bytes:
        waits.append(give_up - time.monotonic())
        if len(waits) == 2:  # behind what harms nobody
            raise TimeoutError
        return real(sandbox, give_up)

    monkeypatch.setattr(Sandbox, "_answer", late)
    with Sandbox() as sandbox:
        assert sandbox.open(TOP + b"\r\nhi").sender == "fox@example.org"
    assert waits[1] <= SECONDS < waits[3]


@pytest.mark.skipif(not os.path.exists("/proc"), reason="needs the limits of Linux")  # noqa: PTH110
def test_a_machine_that_allows_less_memory_reads_mail_too() -> None:
    code = "import sys; from pbem.inbound.sandbox import Sandbox\nwith Sandbox() as sandbox: "
    code += f"print(sandbox.open({TOP!r} + b'\\r\\nhi').sender)"
    poor = f'ulimit -v {MEMORY // 2 // 1024}; exec "$@"'
    done = subprocess.run(
        ["sh", "-c", poor, "sh", sys.executable, "-c", code], capture_output=True, check=False
    )
    assert done.stdout == b"fox@example.org\n", done.stderr.decode()


def test_the_child_knows_no_password(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_IMAP_PASSWORD", "secret")
    with Sandbox() as sandbox:
        sandbox.open(TOP + b"\r\nhi")
        assert sandbox._child
        if os.path.exists("/proc"):  # noqa: PTH110
            with open(f"/proc/{sandbox._child.pid}/environ", "rb") as environ:  # noqa: PTH123
                assert b"secret" not in environ.read()


@settings(max_examples=few(150))
@given(
    head=st.lists(
        st.sampled_from(
            [
                b"From: a@b.c",
                b"Content-Type: multipart/mixed; boundary=x",
                b"Subject: =?x?q?y?=",
                b"Content-Type: text/html",
                b"Content-Type: message/rfc822",
                b"To: (((",
                b"Date:",
                b"Content-Type: multipart/report; report-type=delivery-status; boundary=x",
                b"Content-Transfer-Encoding: base64",
                b"Content-Type: text/plain; charset*0=a",
                b"Content-Disposition: attachment; filename*=utf-8''%ff",
            ]
        ),
        max_size=6,
    ),
    body=st.binary(max_size=400),
    parts=st.integers(0, 3),
)
def test_any_bytes_get_a_verdict(head: list[bytes], body: bytes, parts: int) -> None:
    raw = b"\r\n".join(head) + b"\r\n\r\n" + b"--x\r\n\r\n".join([body] * (parts + 1))
    assert answer(raw).startswith((b'{"letter"', b'{"unreadable"'))


@settings(max_examples=few(60))
@given(st.text(max_size=300))
def test_any_markup_is_text(markup: str) -> None:
    assert isinstance(text_of(markup), str)


@pytest.mark.parametrize(
    ("head", "machine"),
    [
        ("Auto-Submitted: auto-replied", "Auto-Submitted"),
        ("Auto-Submitted: no", ""),
        ("Precedence: bulk", "Precedence"),
        ("Precedence: first-class", ""),
        ("List-Id: <x.example.org>", "List-Id"),
        ("Return-Path: <>", "Return-Path: <>"),
        ("Return-Path: <fox@example.org>", ""),
        ("Message-ID: <ab12@g1.pbem.invalid>", "our own Message-ID"),
        ("X-Autoreply: yes", "X-Autoreply"),
    ],
)
def test_machines_are_known_by_their_headers(head: str, machine: str) -> None:
    assert open_letter(f"From: fox@example.org\n{head}\n\nhi".encode()).machine == machine


def field(size: int) -> bytes:
    """A header field of so many bytes on three lines, without their ends."""
    return b"X-A: " + b"a" * 95 + b"\n " + b"b" * 99 + b"\n " + b"c" * (size - 201)


@pytest.mark.parametrize("where", ["first", "last"])
def test_the_longest_field_may_have_its_limit_and_no_byte_more(where: str) -> None:
    """Continuation lines belong to their field; other fields are counted by themselves."""
    for more in (0, 1):
        long = field(LONGEST_HEADER + more)
        head = [TOP.strip(), long] if where == "last" else [long, TOP.strip()]
        raw = b"\n".join(head) + b"\n\nhi"
        if more:
            with pytest.raises(Unreadable, match=f"more than {LONGEST_HEADER} bytes"):
                require_simple(raw)
        else:
            require_simple(raw)


@pytest.mark.parametrize(
    "sender", ["MAILER-DAEMON@example.org", "postmaster@x.org", "", "no-reply@x.de"]
)
def test_machines_are_known_by_their_address(sender: str) -> None:
    assert open_letter(f"From: {sender}\nSubject: x\n\nhi".encode()).machine == "From"


@pytest.mark.parametrize(
    ("written", "address"),
    [
        ("The Fox <Fox@Example.org>", "fox@example.org"),
        ("fox@example.org (The Fox)", "fox@example.org"),
        ('"evil <a@b.c>" <fox@example.org>', "fox@example.org"),
        ("=?utf-8?q?F=C3=B6x?= <fox@example.org>", "fox@example.org"),
    ],
)
def test_the_sender_is_read(written: str, address: str) -> None:
    assert open_letter(f"From: {written}\n\nhi".encode()).sender == address


@pytest.mark.parametrize(
    "charset", ["unicode_escape", "utf-7", "rot13", "punycode", "idna", "zlib", "hex", "undefined"]
)
def test_no_charset_makes_other_words_of_a_text(charset: str) -> None:
    """Only those that mail is written in: what signs and what is read are the same letters."""
    said = "FOX: move \\x41 +AEI- A2-;"
    head = f"From: fox@example.org\nContent-Type: text/plain; charset={charset}\n\n"
    assert open_letter((head + said).encode()).leaves[0].text == said


def test_html_is_read_as_a_person_sees_it() -> None:
    markup = (
        "<head><style>x{}</style></head><p>BEGIN&nbsp;ORDERS<br>FOX: move A2;<script>x</script>"
    )
    assert text_of(markup).split() == ["BEGIN", "ORDERS", "FOX:", "move", "A2;"]


def test_one_report_says_of_few_mails_that_they_failed() -> None:
    """Each is looked for among all mails of a game, which took a tick seconds for thousands."""
    head = b"Content-Type: multipart/report; report-type=delivery-status; boundary=x\n\n"
    status = b"--x\nContent-Type: message/delivery-status\n\nAction: failed\n\n"
    ids = b"".join(b"Message-ID: <%d@g1.pbem.invalid>\n" % (n // 2) for n in range(4000))
    raw = head + status + b"--x\nContent-Type: text/rfc822-headers\n\n" + ids + b"\n--x--\n"
    bounces = open_letter(raw).bounces
    assert [one.id for one in bounces] == [f"<{n}@g1.pbem.invalid>" for n in range(MOST_BOUNCES)]


def test_the_cap_is_exact() -> None:
    """Checked in the child, and before it: no child starts for what it would not read."""
    body = b"a\n" * 200_000
    fits = (TOP + b"\r\n" + body)[:LARGEST]
    assert open_letter(fits)
    outside = Sandbox()
    for read in (open_letter, outside.open):
        with pytest.raises(Unreadable, match="at most"):
            read(fits + b"a")
    assert outside._child is None


def test_what_came_before_a_mailbox_fails_is_given_first() -> None:
    """The children read ahead, and yet no mail that was fetched waits for a better day."""

    def batches() -> Iterator[list[tuple[str, tuple[str, bytes]]]]:
        for n in range(2):
            name = f"20261120T12000{n}Z-{n}"
            yield [(f"{n}{i}", (name, b"Subject: %d%d\n\nhelp\n" % (n, i))) for i in range(10)]
        raise FetchFailed("the server went away")

    came: list[str] = []
    with Readers(2) as readers, pytest.raises(FetchFailed, match="went away"):
        for some, letters in readers.ahead(batches()):
            assert [key for key, _ in some] == [letter.subject for letter in letters]
            came += [key for key, _ in some]
    assert came == [f"{n}{i}" for n in range(2) for i in range(10)]


def test_the_next_batch_is_read_while_one_is_dealt_with() -> None:
    """When the first is given, the second has been handed to the children already."""
    asked: list[int] = []

    def batches() -> Iterator[list[tuple[int, tuple[str, bytes]]]]:
        for n in range(3):
            asked.append(n)
            yield [(n, (f"20261120T12000{n}Z-{n}", b"\nhelp\n"))]

    with Readers() as readers:
        seen = [(some[0][0], list(asked)) for some, _ in readers.ahead(batches())]
    assert seen == [(0, [0, 1]), (1, [0, 1, 2]), (2, [0, 1, 2])]
