"""Keys with which anybody can sign: their owners could deny all that they signed, and others could
sign for them. They are refused wherever a key comes in, and both checkers name them."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey

from pbem.admin.commands import replace
from pbem.admin.key_change import change
from pbem.admin.letters import invite
from pbem.admin.lost_keys import lose
from pbem.admin.setup import Newcomer, enlist
from pbem.audit import verify_report
from pbem.base.hashing import canonical_json, tlv
from pbem.base.report_json import Report
from pbem.crypto import age
from pbem.crypto.private_keys import SshKey
from pbem.crypto.sshsig import ED25519, BadSignature, mpint, public_line, wire_key
from pbem.dice.chains import DiceChains
from pbem.errors import Usage
from pbem.player.joining import LETTER, block, read_join, read_letter
from pbem.reports.report import digest
from pbem.store.game_dir import writing
from pbem.store.secrets import letters
from tests.cli.commands import pbem
from tests.conftest import Clock
from tests.proving import Proven
from tests.referee import Referee, key_of
from tests.trust import games
from tests.trust.corpus import alter, checked, put, verify

P = 2**255 - 19
Y8 = 0x7A03AC9277FDC74EC6CC392CFA53202A0F67100D760B3CBA4FD84D3D706A17C7
CANONICAL = (1, P - 1, 0, 1 << 255, Y8, Y8 | 1 << 255, P - Y8, P - Y8 | 1 << 255)
OTHERWISE = (1 | 1 << 255, P - 1 | 1 << 255, P, P | 1 << 255, P + 1, P + 1 | 1 << 255)
"""The eight points of small order of edwards25519, and what else decodes to one of them."""

Point = tuple[int, int]


def added(a: Point, b: Point) -> Point:
    """The sum of two points (RFC 8032, 5.1.4, in affine numbers)."""
    d = -121665 * pow(121666, -1, P)
    both = d * a[0] * b[0] * a[1] * b[1]
    x = (a[0] * b[1] + a[1] * b[0]) * pow(1 + both, -1, P)
    y = (a[1] * b[1] + a[0] * b[0]) * pow(1 - both, -1, P)
    return x % P, y % P


def decoded(number: int) -> Point:
    """The point of an encoding, whether that is its one form or not."""
    y, sign = (number & ((1 << 255) - 1)) % P, number >> 255
    square = (y * y - 1) * pow(-121665 * pow(121666, -1, P) * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    x = x if x * x % P == square else x * pow(2, (P - 1) // 4, P) % P
    assert x * x % P == square
    return (P - x if x % 2 != sign and x else x), y


def ed25519(point: bytes) -> str:
    return public_line(tlv(ED25519) + tlv(point))


def encoded(number: int) -> bytes:
    return number.to_bytes(32, "little")


SMALL = [ed25519(encoded(n)) for n in (*CANONICAL, *OTHERWISE)]
NEUTRAL = SMALL[0]
ANYBODYS = encoded(1) + bytes(32)
"""R the neutral point, S nothing: what NEUTRAL has signed, whatever the text is."""


def of_p256(point: bytes) -> str:
    kind, curve = b"ecdsa-sha2-nistp256", b"nistp256"
    wire = tlv(kind) + tlv(curve) + tlv(point)
    return f"{kind.decode()} {b64encode(wire).decode()}"


def of_rsa(e: int, n: int) -> str:
    wire = tlv(b"ssh-rsa") + tlv(mpint(e)) + tlv(mpint(n))
    return f"ssh-rsa {b64encode(wire).decode()}"


MODULUS = rsa.generate_private_key(65537, 2048).public_key().public_numbers().n
P256 = 2**256 - 2**224 + 2**192 + 2**96 - 1
GOOD_POINT = bytes.fromhex(  # the generator (SEC 2)
    "046b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"
    "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5"
)
WEAK = {
    **{f"small order {i}": line for i, line in enumerate(SMALL)},
    "y beyond the field": ed25519(encoded(P + 3)),
    "no point": ed25519(encoded(2)),
    "ecdsa at infinity": of_p256(b"\0"),
    "ecdsa at infinity, padded": of_p256(b"\4" + bytes(64)),
    "ecdsa off its curve": of_p256(GOOD_POINT[:-1] + b"\xf6"),
    "ecdsa, a number too large": of_p256(b"\4" + (5 + P256).to_bytes(32, "big") + GOOD_POINT[33:]),
    "ecdsa, compressed": of_p256(b"\3" + GOOD_POINT[1:33]),
    "rsa that changes nothing": of_rsa(1, MODULUS),
    "rsa with an even exponent": of_rsa(2, MODULUS),
    "rsa with a long exponent": of_rsa((1 << 64) + 1, MODULUS),
    "rsa with an even modulus": of_rsa(65537, MODULUS + 1),
    "rsa too short": of_rsa(65537, MODULUS >> 1024 | 1),
}
SOUND = {
    "ed25519": public_line(key_of("fox").wire),
    "ecdsa": of_p256(GOOD_POINT),
    "rsa": of_rsa(3, MODULUS),
}


def test_the_points_of_small_order_are_these() -> None:
    """Eight times each is the neutral point; there are eight of them, in fourteen encodings."""
    points = {decoded(n) for n in (*CANONICAL, *OTHERWISE)}
    assert len(points) == 8
    for point in points:
        twice = added(point, point)
        four = added(twice, twice)
        assert added(four, four) == (0, 1)
    base = decoded(4 * pow(5, -1, P) % P)
    assert {added(base, point) for point in points}.isdisjoint(points)


def test_anybody_can_sign_with_a_weak_key() -> None:
    """This is why such keys are refused: on average eight tries give a signature, without a key."""
    for line in SMALL[:8]:
        key = Ed25519PublicKey.from_public_bytes(verify.unbase64(line.split()[1].encode())[-32:])
        fits = 0
        for i in range(64):
            try:
                key.verify(ANYBODYS, b"text %d" % i)
                fits += 1
            except InvalidSignature:
                continue
        assert fits == 64 if line == NEUTRAL else 0 < fits < 64


@pytest.mark.parametrize("name", WEAK)
def test_a_weak_key_is_refused_by_both(name: str) -> None:
    with pytest.raises(BadSignature) as refused:
        wire_key(WEAK[name])
    assert refused.value.code in ("key-form", "key-size")
    with pytest.raises(verify.Bad) as bad:
        verify.wire_of(WEAK[name])
    assert bad.value.code == "key-form"


@pytest.mark.parametrize("name", SOUND)
def test_a_valid_key_is_accepted_by_both(name: str) -> None:
    assert wire_key(SOUND[name]) == verify.wire_of(SOUND[name])


def test_a_key_of_full_order_with_a_small_part_is_accepted() -> None:
    """Its owner makes such a one on purpose, and gains nothing: a signature still takes his key,
    and both checkers hold it against the same equation."""
    base = decoded(4 * pow(5, -1, P) % P)
    x, y = added(base, decoded(Y8))
    line = ed25519(encoded(y | (x & 1) << 255))
    assert wire_key(line) == verify.wire_of(line)
    key = Ed25519PublicKey.from_public_bytes(encoded(y | (x & 1) << 255))
    for i in range(64):
        with pytest.raises(InvalidSignature):
            key.verify(ANYBODYS, b"text %d" % i)


# Where keys come in


@pytest.fixture
def begun(tmp_path: Path, clock: Clock) -> Referee:
    return Referee.toy(tmp_path / "home")


def test_no_command_enlists_a_weak_key(begun: Referee, tmp_path: Path) -> None:
    path = tmp_path / "weak.pub"
    good = tmp_path / "good.pub"
    good.write_text(public_line(key_of("new").wire))
    for line in (NEUTRAL, SMALL[3], SMALL[-1], WEAK["rsa that changes nothing"]):
        path.write_text(line + " me@example.org\n")
        home = ("--home", begun.home)
        for args in (
            ("enlist", "g1", "fox", "--email", "x@example.org", "--key", path),
            ("enlist", "g1", "fox", "--email", "x@example.org", "--key", good, "--recovery", path),
            ("replace", "g1", "fox", "--email", "x@example.org", "--key", path),
            ("replace", "g1", "fox", "--email", "x@example.org", "--key", path, "--lost"),
        ):
            said = pbem(*home, *args)
            assert said.code == 2, said.out + said.err
            assert "key" in said.err
    assert not [r for r in begun.records[3:] if r.kind in ("enlisted", "replaced", "noted")]


@pytest.mark.parametrize("line", SMALL)
def test_no_function_enlists_a_weak_key(line: str, begun: Referee) -> None:
    steps: list[Callable[[Any], object]] = [
        lambda game: enlist(game, "fox", Newcomer(line)),
        lambda game: enlist(game, "fox", Newcomer(SOUND["rsa"], recovery=line)),
        lambda game: replace(game, "fox", Newcomer(line)),
        lambda game: lose(game, "fox", Newcomer(line)),
    ]
    for step in steps:
        with writing(begun.home, "g1") as game, pytest.raises(BadSignature):
            step(game)
    assert len(begun.records) == 4


def test_letters_and_answers_by_a_weak_key_are_refused(begun: Referee, tmp_path: Path) -> None:
    """Anybody can write both: the letter in the moderator's name, the answer in a player's."""
    with writing(begun.home, "g1") as game:
        facts = read_letter(invite(game, begun.system, "fox", "x@example.org", "").encode())
        (letter,) = letters(game)
    forged = block("LETTER", {**facts, "moderator": NEUTRAL}, ANYBODYS)
    for read in (read_letter, lambda raw: wire_key(read_letter(raw)["moderator"])):
        with pytest.raises(Usage, match="small order"):
            read(forged.encode())
    path, key = tmp_path / "letter", tmp_path / "key"
    path.write_text(forged)
    assert pbem("keygen", "-o", key).code == 0
    said = pbem("join", path, "--key", key)
    assert (said.code, "small order" in said.err) == (2, True)
    join = {
        "format": "pbem-join/1",
        "game": "g1",
        "side": "fox",
        "letter": letter,
        "key": NEUTRAL,
        "anchor": "",
        "name": "x",
    }
    with pytest.raises(Usage, match="small order"):
        read_join(block("JOIN", join, ANYBODYS).encode())
    assert facts["format"] == LETTER


def test_a_change_to_a_weak_key_is_refused(begun: Referee) -> None:
    weak = SshKey(wire_line(NEUTRAL), lambda data: tlv(ED25519) + tlv(ANYBODYS))
    report = begun.report("fox")
    with pytest.raises(BadSignature, match="small order"):
        change(Report.of(report), key_of("fox"), DiceChains(weak))
    from pbem.admin import key_change
    from pbem.crypto.sshsig import bare, sign

    facts = {
        "format": "pbem-keys/1",
        "game": "g1",
        "side": "fox",
        "window": "1",
        "anchor": "",
        "setup": report["setup"]["digest"],
        "old": key_change.key_name(key_of("fox").wire),
        "key": NEUTRAL,
        "proof": ANYBODYS.hex(),
    }
    said = f"keys {facts['setup']} 1 fox {facts['old']} {key_change.key_name(weak.wire)} - -"
    mine = bare(sign(said.encode(), key_of("fox"), "keys@pbem"))
    (outcome,) = begun.receive(block("KEYS", facts, mine))
    assert outcome.receipt["code"] == "bad-keys"
    assert "small order" in outcome.receipt["reason"]


def wire_line(line: str) -> bytes:
    return bytes(verify.unbase64(line.split()[1].encode()))


# What both checkers say of a record or a report that has one


@pytest.fixture(scope="module")
def changed(tmp_path_factory: pytest.TempPathFactory) -> Proven:
    with pytest.MonkeyPatch.context() as patch:
        return games.keys(tmp_path_factory.mktemp("keys") / "home", patch, Clock(patch))


RECORDS: list[tuple[str, int, tuple[str, ...]]] = [
    ("created", 0, ("moderator",)),
    ("enlisted", 0, ("key",)),
    ("enlisted", 0, ("recovery",)),
    ("enlisted", 2, ("key",)),
    ("noted", 0, ("reset", "key")),
    *(("replaced", i, ("key",)) for i in range(4)),
]


@pytest.mark.parametrize(("kind", "nth", "where"), RECORDS)
def test_a_record_with_a_weak_key_is_found_by_both(
    kind: str, nth: int, where: tuple[str, ...], changed: Proven, tmp_path: Path
) -> None:
    import shutil

    referee = Proven(Path(shutil.copytree(changed.home, tmp_path / "copy")), changed.system)
    number = alter(referee, kind, nth, put(*where, value=SMALL[5]))
    assert [(f.record, f.code) for f in referee.audit().findings] == [(number, "key-form")]
    assert checked(referee.folder) == [f"key-form record {number}"]


@pytest.mark.parametrize("where", ["keys", "recovery", "moderator", "later"])
def test_a_report_with_a_weak_key_is_found_by_both(
    where: str, changed: Proven, tmp_path: Path
) -> None:
    report = changed.report("fox")
    setup = json.loads(report["setup"]["text"])
    if where == "later":
        put("keys", "fox", 0, "key", value=NEUTRAL)(report)
    elif where == "moderator":
        setup["moderator"]["sign"] = report["moderator"]["sign"] = NEUTRAL
    else:
        setup[where]["hunter"][0] = NEUTRAL
    from pbem.base.hashing import H

    text = canonical_json(setup)
    report["setup"] = {"text": text.decode(), "digest": H("setup", text).hex()}
    report["digest"] = digest(report)
    path = tmp_path / "report.json"
    path.write_bytes(canonical_json(report))
    assert checked(path) == ["key-form"]
    with pytest.raises(BadSignature) as refused:
        verify_report.check_report(report)
    assert refused.value.code == "key-form"


# What mail is encrypted to


def test_mail_is_encrypted_to_no_point_of_low_order() -> None:
    """A side with such an age key would stop every mail to it, and so the game."""
    for number in (0, 1, P - 1, P, P + 1):
        line = age._to_bech32("age", encoded(number))
        with pytest.raises(Usage, match="low order"):
            age.recipient(line)
        with pytest.raises(ValueError, match=r".*"):
            X25519PrivateKey.generate().exchange(X25519PublicKey.from_public_bytes(encoded(number)))
    for line in SMALL:
        with pytest.raises(Usage):
            age.recipient(line)
