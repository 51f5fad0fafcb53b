"""Private key files of every kind, and what is none."""

from __future__ import annotations

from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import dsa, ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    KeySerializationEncryption,
    NoEncryption,
    PrivateFormat,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.crypto import private_keys, sshsig
from pbem.dice import provable
from pbem.errors import NotFound, Usage
from tests.counts import few

ED25519 = ed25519.Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
NISTP256 = ec.generate_private_key(ec.SECP256R1())
Made = ed25519.Ed25519PrivateKey | ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey


def pem(
    key: Made | dsa.DSAPrivateKey,
    form: PrivateFormat = PrivateFormat.OpenSSH,
    locked: KeySerializationEncryption | None = None,
) -> bytes:
    return key.private_bytes(Encoding.PEM, form, locked or NoEncryption())


@pytest.mark.parametrize("key", [ED25519, NISTP256], ids=["ed25519", "nistp256"])
@pytest.mark.parametrize("form", [PrivateFormat.OpenSSH, PrivateFormat.PKCS8])
def test_every_file_form_gives_the_same_key(key: Made, form: PrivateFormat) -> None:
    loaded = private_keys.load_private(pem(key, form))
    blob = sshsig.sign(b"m", loaded, "orders@pbem")
    assert sshsig.verify(b"m", blob, "orders@pbem", {loaded.wire: 1}) == 1
    assert loaded.kind in ("ssh-ed25519", "ecdsa-sha2-nistp256")
    assert loaded.wire == private_keys.load_private(pem(key)).wire


def test_a_passphrase_is_asked_for_and_used() -> None:
    locked = pem(ED25519, PrivateFormat.PKCS8, BestAvailableEncryption(b"secret"))
    with pytest.raises(private_keys.NeedsPassphrase, match="mine"):
        private_keys.load_private(locked, None, "mine")
    with pytest.raises(Usage, match="wrong passphrase"):
        private_keys.load_private(locked, b"wrong")
    assert (
        private_keys.load_private(locked, b"secret").wire
        == private_keys.load_private(pem(ED25519)).wire
    )


def test_a_passphrase_for_an_open_key_does_no_harm() -> None:
    for key in (ED25519, NISTP256):
        assert private_keys.load_private(pem(key, PrivateFormat.PKCS8), b"needless").wire


def test_a_locked_openssh_file_says_what_it_needs() -> None:
    pytest.importorskip("bcrypt", reason="bcrypt is missing: pip install 'cryptography[ssh]'")
    locked = pem(ED25519, PrivateFormat.OpenSSH, BestAvailableEncryption(b"secret"))
    with pytest.raises(private_keys.NeedsPassphrase):
        private_keys.load_private(locked)
    assert (
        private_keys.load_private(locked, b"secret").wire
        == private_keys.load_private(pem(ED25519)).wire
    )


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (sshsig.public_line(private_keys.load_private(pem(ED25519)).wire).encode(), "public key"),
        (b"", "not a private key"),
        (b"\xff\xfe\0", "not a private key"),
        (pem(ED25519)[:200], "not a private key"),
        (pem(rsa.generate_private_key(65537, 1024)), "1024 bits"),
        (pem(ec.generate_private_key(ec.SECP256K1()), PrivateFormat.PKCS8), "accept"),
        (pem(dsa.generate_private_key(2048), PrivateFormat.PKCS8), "type"),
    ],
)
def test_files_that_are_not_private_keys_are_refused(content: bytes, message: str) -> None:
    with pytest.raises(Usage, match=message) as error:
        private_keys.load_private(content, None, "mine")
    assert error.value.message.startswith("mine")


@given(data=st.data())
@settings(max_examples=few(60), deadline=None)
def test_a_spoilt_key_file_never_gives_another_key(data: st.DataObject) -> None:
    whole = pem(ED25519)
    at = data.draw(st.integers(0, len(whole) - 1))
    spoilt = whole[:at] + bytes([data.draw(st.integers(0, 255))]) + whole[at + 1 :]
    try:
        loaded = private_keys.load_private(spoilt)
    except Usage:
        return
    assert loaded.wire == private_keys.load_private(whole).wire


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="missing"):
        private_keys.read_private(tmp_path / "missing")


def test_a_generated_pair_is_whole_and_new() -> None:
    first, second = private_keys.generate("a b"), private_keys.generate()
    assert first[0] != second[0]
    assert first[1].endswith(" a b")
    for private, line in (first, second):
        assert private_keys.load_private(private).wire == sshsig.wire_key(line)


def test_only_ed25519_keys_have_a_chain_of_their_own() -> None:
    own = private_keys.from_seed(bytes(range(32)))
    tails = {provable.own_tail(own, "g1", "british", epoch) for epoch in (0, 0, 1)}
    assert len(tails) == 2
    with pytest.raises(ValueError, match="Ed25519"):
        provable.own_tail(private_keys.load_private(pem(NISTP256)), "g1", "british")
