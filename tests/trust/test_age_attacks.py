"""Encrypted files attacked from outside and by their own readers: what the program `age` refuses is
refused here, and what could be opened is believed by the signature inside alone."""

from __future__ import annotations

import re
import shutil
import subprocess
from base64 import b64encode
from collections.abc import Callable, Sequence
from itertools import permutations
from pathlib import Path

import pytest

from games.toy.game import SYSTEM
from pbem.audit.open_file import attached
from pbem.crypto import age
from pbem.crypto.age import CHUNK, VERSION, BadAge, Stanza
from pbem.crypto.private_keys import _private_file
from pbem.crypto.sshsig import public_line
from pbem.dice.provable import BadProof
from pbem.errors import PbemError
from tests.conftest import Clock
from tests.encryption import EncryptedReferee, age_part, identity_of, key_of, reads
from tests.referee import Referee

FOX, HUNTER = key_of("fox"), key_of("hunter")
SECRET = age.generate()
PLAIN = age.identity(SECRET)
TO = [
    age.recipient(public_line(FOX.wire)),
    age.recipient(public_line(HUNTER.wire)),
    age.recipient(age.public(PLAIN)),
]
WHO = {"fox": identity_of(FOX), "hunter": identity_of(HUNTER), "plain": PLAIN}
TEXT = bytes(i % 251 for i in range(2 * CHUNK + 77))
FULL = CHUNK + 16
"""Bytes of a whole chunk in the file."""


class Encrypted:
    """An age file in its parts. key: of the file, which every reader knows."""

    def __init__(self, content: bytes, who: age.Identity = WHO["fox"]) -> None:
        self.stanzas, _, self.mac, payload = age._header(content)
        self.nonce, rest = payload[:16], payload[16:]
        self.chunks = [rest[i : i + FULL] for i in range(0, len(rest), FULL)]
        keys = (age._unwrap(stanza, who) for stanza in self.stanzas)
        self.key = next(key for key in keys if key)

    def head(self) -> bytes:
        lines = [VERSION]
        for stanza in self.stanzas:
            lines.append(b"-> " + " ".join(stanza.args).encode())
            lines += age._columns(stanza.body)
        return b"\n".join([*lines, b"---"])

    def whole(self, mac: bytes | None = None) -> bytes:
        """The file. mac: another than it had."""
        said = age._b64(self.mac if mac is None else mac)
        return b"".join([self.head(), b" ", said, b"\n", self.nonce, *self.chunks])

    def by_reader(self) -> bytes:
        """The file with a head that one of its readers wrote."""
        return self.whole(age._mac(self.key, self.head()))

    def chunk(self, i: int, last: bool, plain: bytes) -> bytes:
        """A chunk that one of its readers wrote."""
        from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

        cipher = ChaCha20Poly1305(age._hkdf(self.key, self.nonce, b"payload"))
        return cipher.encrypt(age._counter(i, last), plain, None)


GOOD, OTHER = (age.encrypt(TEXT, TO) for _ in range(2))
Attack = Callable[[Encrypted, Encrypted], bytes]
"""A file made of one, and of another that was encrypted to the same readers."""


def with_stanzas(change: Callable[[list[Stanza], list[Stanza]], list[Stanza]]) -> Attack:
    def attack(one: Encrypted, other: Encrypted) -> bytes:
        one.stanzas = change(one.stanzas, other.stanzas)
        return one.whole()

    return attack


def with_chunks(change: Callable[[list[bytes], list[bytes]], list[bytes]]) -> Attack:
    def attack(one: Encrypted, other: Encrypted) -> bytes:
        one.chunks = change(one.chunks, other.chunks)
        return one.whole()

    return attack


def parts(*order: int) -> Attack:
    """The chunks in that order; from 3 on those of the other file."""
    return with_chunks(lambda a, b: [[*a, *b][i] for i in order])


def with_text(change: Callable[[bytes], bytes]) -> Attack:
    def attack(one: Encrypted, other: Encrypted) -> bytes:
        made = change(one.whole())
        assert made != one.whole()
        return made

    return attack


def args(stanza: Stanza, at: int, word: str) -> Stanza:
    return Stanza((*stanza.args[:at], word, *stanza.args[at + 1 :]), stanza.body)


def for_stranger(key: bytes) -> Stanza:
    return age._wrap(key, age.recipient(public_line(key_of("stranger").wire)))


def wrapped_again(one: Encrypted, other: Encrypted) -> bytes:
    """Anybody can wrap a file key for the fox, and put the stanza in front."""
    one.stanzas = [age._wrap(bytes(16), TO[0]), *one.stanzas]
    return one.whole()


def unflagged(one: Encrypted, other: Encrypted) -> bytes:
    """The last chunk does not say that it is the last."""
    one.chunks[-1] = one.chunk(2, False, TEXT[2 * CHUNK :])
    return one.whole()


def flagged_early(one: Encrypted, other: Encrypted) -> bytes:
    one.chunks[1] = one.chunk(1, True, TEXT[CHUNK : 2 * CHUNK])
    return one.whole()


def empty_end(one: Encrypted, other: Encrypted) -> bytes:
    one.chunks[2:] = [one.chunk(2, False, bytes(CHUNK)), one.chunk(3, True, b"")]
    return one.whole()


def short_middle(one: Encrypted, other: Encrypted) -> bytes:
    one.chunks[1] = one.chunk(1, False, b"short")
    return one.whole()


def long_chunk(one: Encrypted, other: Encrypted) -> bytes:
    one.chunks = [one.chunk(0, True, bytes(CHUNK + 1))]
    return one.whole()


def counted_on(one: Encrypted, other: Encrypted) -> bytes:
    one.chunks[2] = one.chunk(3, True, TEXT[2 * CHUNK :])
    return one.whole()


OUTSIDE: dict[str, Attack] = {
    "a recipient taken out": with_stanzas(lambda a, b: a[:1] + a[2:]),
    "a recipient put in": with_stanzas(lambda a, b: [*a, for_stranger(bytes(16))]),
    "recipients in another order": with_stanzas(lambda a, b: a[::-1]),
    "a recipient twice": with_stanzas(lambda a, b: [a[0], *a]),
    "no recipient": with_stanzas(lambda a, b: []),
    "a stanza of another file": with_stanzas(lambda a, b: [b[0], *a[1:]]),
    "another player's stanza of another file": with_stanzas(lambda a, b: [a[0], b[1], a[2]]),
    "all stanzas of another file": with_stanzas(lambda a, b: b),
    "one more, of another file": with_stanzas(lambda a, b: [*a, b[0]]),
    "a key wrapped by anybody": wrapped_again,
    "the bodies of two stanzas exchanged": with_stanzas(
        lambda a, b: [Stanza(a[0].args, a[1].body), Stanza(a[1].args, a[0].body), a[2]]
    ),
    "another's name on a stanza": with_stanzas(
        lambda a, b: [args(a[0], 1, a[1].args[1]), args(a[1], 1, a[0].args[1]), a[2]]
    ),
    "another share": with_stanzas(
        lambda a, b: [args(x, -1, y.args[-1]) for x, y in zip(a, b, strict=True)]
    ),
    "a share of low order": with_stanzas(
        lambda a, b: [args(x, len(x.args) - 1, "A" * 43) for x in a]
    ),
    "a body cut": with_stanzas(lambda a, b: [Stanza(x.args, x.body[:-1]) for x in a]),
    "a body with more": with_stanzas(lambda a, b: [Stanza(x.args, x.body + b"x") for x in a]),
    "a word more": with_stanzas(lambda a, b: [Stanza((*x.args, "x"), x.body) for x in a]),
    "a word less": with_stanzas(lambda a, b: [Stanza(x.args[:-1], x.body) for x in a]),
    "the MAC of another file": lambda a, b: a.whole(b.mac),
    "no MAC": lambda a, b: a.whole(b""),
    "half a MAC": lambda a, b: a.whole(a.mac[:16]),
    "a MAC of zeros": lambda a, b: a.whole(bytes(32)),
    "a MAC and more": lambda a, b: a.whole(a.mac + b"x"),
    "another version": with_text(lambda t: t.replace(b"/v1", b"/v2", 1)),
    "line ends of mail": with_text(lambda t: t.replace(b"\n", b"\r\n", 9)),
    "a line before it": with_text(lambda t: b"\n" + t),
    "a mark before it": with_text(lambda t: b"\xef\xbb\xbf" + t),
    "a space behind a line": with_text(lambda t: t.replace(b"\n->", b" \n->", 1)),
    "two spaces": with_text(lambda t: t.replace(b"-> ssh", b"->  ssh", 1)),
    "an empty line": with_text(lambda t: t.replace(b"\n->", b"\n\n->", 1)),
    "base64 with its end": with_text(lambda t: re.sub(rb"(\n--- \S+)", rb"\1=", t, count=1)),
    "the payload of another file": with_chunks(lambda a, b: b),
    "the nonce of another file": lambda a, b: (
        a.whole()[: -len(b"".join(a.chunks)) - 16] + (b.nonce + b"".join(a.chunks))
    ),
    "no nonce": lambda a, b: a.whole()[: -len(b"".join(a.chunks)) - 16],
    **{f"cut behind part {n}": parts(*range(n)) for n in range(3)},
    **{f"part {n} left out": parts(*(i for i in range(3) if i != n)) for n in range(3)},
    **{f"part {n} twice": parts(*range(n + 1), *range(n, 3)) for n in range(3)},
    **{f"the parts as {order}": parts(*order) for order in list(permutations(range(3)))[1:]},
    **{f"part {n} of another file": parts(*(i + 3 * (i == n) for i in range(3))) for n in range(3)},
    "a byte behind the end": with_text(lambda t: t + b"x"),
    "a line feed behind the end": with_text(lambda t: t + b"\n"),
    "another file behind the end": lambda a, b: a.whole() + b.whole(),
    "a byte less": with_text(lambda t: t[:-1]),
    "a byte less in the middle": with_chunks(lambda a, b: [a[0][:-1], *a[1:]]),
}
"""Changes that anybody who handles the mail can make."""

READERS: dict[str, Attack] = {
    "no last part": unflagged,
    "a last part in the middle": flagged_early,
    "an empty part at the end": empty_end,
    "a short part in the middle": short_middle,
    "a part that is too long": long_chunk,
    "a part with another number": counted_on,
}
"""Changes of the content that only a reader of the file can make."""


def opened(content: bytes, who: Sequence[age.Identity] = ()) -> bytes | None:
    """The content that each reader decrypts, None if the file is refused."""
    found = []
    for one in [[i] for i in who or WHO.values()]:
        try:
            found.append(age.decrypt(content, one))
        except BadAge:
            continue
    assert len({*found}) <= 1
    return found[0] if found else None


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The readers' key files, for the program `age`."""
    folder = tmp_path_factory.mktemp("keys")
    for name, key in (("fox", FOX), ("hunter", HUNTER)):
        path = folder / name
        path.write_bytes(_private_file(key.wire, name.encode().ljust(32, b"."), b"1234", ""))
        path.chmod(0o600)
    (folder / "plain").write_text(SECRET + "\n")
    return [folder / name for name in WHO]


def by_stock(content: bytes, keys: list[Path]) -> bytes | None:
    """The content that the program `age` decrypts for any of the readers."""
    for key in keys:
        said = subprocess.run(
            ["age", "-d", "-i", str(key)], input=content, capture_output=True, check=False
        )
        if said.returncode == 0:
            return said.stdout
    return None


stock = pytest.mark.skipif(shutil.which("age") is None, reason="age is missing: apt install age")


def attacked(name: str) -> bytes:
    attack = {**OUTSIDE, **READERS}[name]
    made = attack(Encrypted(GOOD), Encrypted(OTHER))
    assert made != GOOD
    return made


def test_the_parts_make_the_file_again() -> None:
    assert Encrypted(GOOD).whole() == Encrypted(GOOD).by_reader() == GOOD
    assert opened(GOOD) == TEXT


@pytest.mark.parametrize("name", [*OUTSIDE, *READERS])
def test_a_changed_file_cannot_be_decrypted(name: str) -> None:
    assert opened(attacked(name)) is None


@stock
@pytest.mark.parametrize("name", [*OUTSIDE, *READERS])
def test_the_age_program_refuses_the_same_files(name: str, keys: list[Path]) -> None:
    assert by_stock(attacked(name), keys) is None


@stock
def test_what_age_refuses_is_refused(
    keys: list[Path], sample: Callable[[Sequence[int], int], Sequence[int]]
) -> None:
    """Each bit of the head, and of the ends of the parts; a change that both let be is none."""
    content = age.encrypt(b"orders", TO)
    assert by_stock(content, keys) == b"orders"
    for bit in sample(range(8 * len(content)), 60):
        at = bit // 8
        bad = content[:at] + bytes([content[at] ^ (1 << bit % 8)]) + content[at + 1 :]
        mine = opened(bad)
        assert mine is None or mine == by_stock(bad, keys)


def test_a_file_cut_anywhere_is_refused(
    sample: Callable[[Sequence[int], int], Sequence[int]],
) -> None:
    """At every place around the ends of parts, and at others."""
    start = len(GOOD) - len(b"".join(Encrypted(GOOD).chunks))
    ends = [start + n * FULL + k for n in range(3) for k in range(-17, 18)]
    for length in [*ends, *sample(range(len(GOOD)), 40)]:
        assert opened(GOOD[:length], [WHO["fox"]]) is None


def test_a_reader_can_let_others_read_and_nothing_more() -> None:
    """A reader knows the file key and can add recipients: the signed object names its readers."""
    file = Encrypted(GOOD)
    file.stanzas = [*file.stanzas, for_stranger(file.key)]
    assert opened(file.by_reader()) == opened(file.by_reader(), [identity_of(key_of("stranger"))])


# In a game


@pytest.fixture
def sea(tmp_path: Path, clock: Clock) -> EncryptedReferee:
    return EncryptedReferee.begun(tmp_path / "home", SYSTEM)


def mailed(mail: bytes, content: bytes) -> bytes:
    """A mail with another file in the place of its own."""
    from email import message_from_bytes, policy

    found = message_from_bytes(mail, policy=policy.compat32)
    for part in found.walk():
        if str(part.get_filename()).endswith(".age"):
            part.set_payload(b64encode(content).decode())
            del part["Content-Transfer-Encoding"]
            part["Content-Transfer-Encoding"] = "base64"
    return found.as_bytes()


def test_a_recipient_added_by_a_reader_is_told_that_it_is_not_for_him(
    sea: EncryptedReferee,
) -> None:
    mail = sea.newest("fox", "report")
    file = Encrypted(age_part(mail), WHO["fox"])
    file.stanzas = [*file.stanzas, age._wrap(file.key, TO[1])]
    for reader, good in ((FOX, True), (HUNTER, False)):
        again = mailed(mail, file.by_reader())
        if good:
            assert reads(again, reader).facts["side"] == "fox"
            continue
        with pytest.raises(BadProof) as refused:
            reads(again, reader)
        assert refused.value.code == "forwarded"


def test_another_players_stanza_or_file_in_a_mail_is_refused(sea: EncryptedReferee) -> None:
    mine, theirs = (sea.newest(side, "report") for side in ("fox", "hunter"))
    fox, hunter = Encrypted(age_part(mine)), Encrypted(age_part(theirs), WHO["hunter"])
    fox.stanzas = [*fox.stanzas, *hunter.stanzas]
    for reader in (FOX, HUNTER):
        with pytest.raises(BadAge) as refused:
            reads(mailed(mine, fox.whole()), reader)
        assert refused.value.code == "age-mac"
    with pytest.raises(BadAge) as refused:
        reads(mailed(mine, age_part(theirs)), FOX)
    assert refused.value.code == "not-for-you"


def test_readers_that_are_not_those_signed_are_refused(sea: EncryptedReferee) -> None:
    """Somebody who opened it adds a reader to the object, and encrypts it to him."""
    inner = age.decrypt(age_part(sea.newest("fox", "report")), [WHO["fox"]])
    report = attached(inner)["report.json"]
    from pbem.crypto.sshsig import key_digest

    own, other = key_digest(FOX.wire).encode(), key_digest(HUNTER.wire).encode()
    assert report.count(b'"readers":["' + own) == 1
    for words in (b'"readers":["' + other, b'"readers":["' + other + b'","' + own):
        forged = report.replace(b'"readers":["' + own, words)
        swapped = inner.replace(report, forged)
        swapped = (
            swapped
            if swapped != inner
            else inner.replace(b64encode(report)[:60], b64encode(forged)[:60])
        )
        with pytest.raises(PbemError):
            reads(age.encrypt(swapped, TO[1:2]), HUNTER)


def test_a_mail_of_an_older_window_sent_as_a_newer_one(sea: EncryptedReferee) -> None:
    """Nobody signs the headers of a mail. The report has its window, and orders by it are late."""
    old, report = sea.newest("fox", "report"), sea.report("fox")
    orders = sea.orders("fox", "FOX: move A2;")
    sea.play({"fox": "FOX: move B1;", "hunter": "HOUND: move E4;"})
    again = old.replace(b"window 1", b"window 2")
    assert again != old
    read = reads(again, FOX).facts
    assert (read["window"], read["digest"]) == (1, report["digest"])
    for text in (orders, sea.orders("fox", "FOX: move A2;", read)):
        (outcome,) = sea.receive(text)
        assert outcome.receipt["code"] == "late"
    before = sea.register.sets
    assert sea.receive(sea.orders("fox", "FOX: move A1;"))[0].good
    assert sea.register.sets != before


def test_encrypted_orders_of_one_game_sent_to_another_or_twice(
    sea: EncryptedReferee, tmp_path: Path
) -> None:
    """Copied as they are, and opened by one moderator and encrypted again for the other."""
    other = EncryptedReferee.begun(tmp_path / "other", SYSTEM)
    inner = Referee.orders(sea, "fox", "FOX: move A2;")
    text = sea.encrypt("fox", inner)
    codes = [other.receive(one)[0].receipt["code"] for one in (text, other.encrypt("fox", inner))]
    assert codes == ["not-for-you", "wrong-setup"]
    assert [sea.receive(one)[0].status for one in (text, text, sea.encrypt("fox", inner))] == [
        "accepted",
        "known",
        "known",
    ]
    assert len([r for r in sea.records if r.kind == "received"]) == 1
