"""Signatures against the real ssh-keygen, and everything that has to be refused."""

from __future__ import annotations

import base64
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.base.hashing import tlv
from pbem.crypto import private_keys, sshsig
from pbem.crypto.sshsig import BadSignature
from tests.counts import few

NAMESPACE = "orders@pbem"
MESSAGE = b"TF1 : MOVE J15 K14 ;"
SSH_KEYGEN = shutil.which("ssh-keygen")
needs_ssh_keygen = pytest.mark.skipif(
    SSH_KEYGEN is None, reason="ssh-keygen is missing (Debian: openssh-client)"
)
TYPES = ["ed25519", "ecdsa-256", "ecdsa-384", "ecdsa-521", "rsa-2048", "rsa-3072"]
SEED = bytes(range(32))
KEY = private_keys.from_seed(SEED)
BLOB = sshsig.sign(MESSAGE, KEY, NAMESPACE)
OWN = {KEY.wire: "british"}

VECTOR_BARE = (
    "84ae642db8343db853aedccb4a402ced66c3ffc14bb528a7b496b8c0a3237dc2"
    "c336933bb1f507fdf245269bb1a71e58358c7952ffd217011296c708c29e1607"
)
VECTOR_LINE = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4"


def ssh_keygen(*arguments: object, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    assert SSH_KEYGEN is not None
    return subprocess.run(
        [SSH_KEYGEN, *map(str, arguments)], input=stdin, capture_output=True, check=False
    )


@pytest.fixture(scope="session")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A key file of each type, by the real ssh-keygen."""
    folder = tmp_path_factory.mktemp("keys")
    for name in TYPES:
        kind, _, bits = name.partition("-")
        size = ["-b", bits] if bits else []
        made = ssh_keygen("-q", "-t", kind, *size, "-N", "", "-C", "", "-f", folder / name)
        assert made.returncode == 0, made.stderr
    return {name: folder / name for name in TYPES}


def code_of(message: bytes, blob: bytes, namespace: str = NAMESPACE) -> str:
    with pytest.raises(BadSignature) as error:
        sshsig.verify(message, blob, namespace, OWN)
    assert error.value.message
    return error.value.code


@needs_ssh_keygen
@pytest.mark.parametrize("name", TYPES)
@pytest.mark.parametrize("algorithm", ["sha256", "sha512"])
def test_what_ssh_keygen_signs_we_verify(pairs: dict[str, Path], name: str, algorithm: str) -> None:
    options = ["-O", f"hashalg={algorithm}"]
    signed = ssh_keygen("-Y", "sign", *options, "-f", pairs[name], "-n", NAMESPACE, stdin=MESSAGE)
    blob = sshsig.dearmour(signed.stdout)
    wire = sshsig.wire_key(pairs[name].with_suffix(".pub").read_text())
    assert sshsig.verify(MESSAGE, blob, NAMESPACE, {wire: name}) == name
    assert sshsig.armour(blob).encode() == signed.stdout
    with pytest.raises(BadSignature) as error:
        sshsig.verify(MESSAGE + b" ", blob, NAMESPACE, {wire: name})
    assert error.value.code == "bad-signature"


@needs_ssh_keygen
@pytest.mark.parametrize("name", TYPES)
@pytest.mark.parametrize("algorithm", [b"sha256", b"sha512"])
def test_what_we_sign_ssh_keygen_verifies(
    pairs: dict[str, Path], name: str, algorithm: bytes, tmp_path: Path
) -> None:
    key = private_keys.read_private(pairs[name])
    (tmp_path / "allowed").write_text(f"me {sshsig.public_line(key.wire)}\n")
    (tmp_path / "sig").write_text(sshsig.armour(sshsig.sign(MESSAGE, key, NAMESPACE, algorithm)))
    who = ["-f", tmp_path / "allowed", "-I", "me", "-n", NAMESPACE, "-s", tmp_path / "sig"]
    checked = ssh_keygen("-Y", "verify", *who, stdin=MESSAGE)
    assert checked.returncode == 0, checked.stdout


@needs_ssh_keygen
@pytest.mark.parametrize("name", TYPES)
def test_key_lines_and_fingerprints_agree(pairs: dict[str, Path], name: str) -> None:
    public = pairs[name].with_suffix(".pub")
    wire = sshsig.wire_key(public.read_text())
    assert private_keys.read_private(pairs[name]).wire == wire
    assert sshsig.public_line(wire) == public.read_text().strip()
    assert sshsig.fingerprint(wire).encode() in ssh_keygen("-l", "-f", public).stdout.split()


@needs_ssh_keygen
def test_ssh_keygen_reads_the_pair_we_make(tmp_path: Path) -> None:
    private, line = private_keys.generate("captain")
    (tmp_path / "id").write_bytes(private)
    (tmp_path / "id").chmod(0o600)
    assert ssh_keygen("-y", "-f", tmp_path / "id").stdout.decode().strip() == line
    assert private_keys.load_private(private).wire == sshsig.wire_key(line)


@pytest.mark.parametrize("kind", ["dsa", "ed25519-sk"])
def test_other_key_types_are_refused(kind: str) -> None:
    wire = tlv(f"ssh-{kind}".encode()) + tlv(bytes(32))
    with pytest.raises(BadSignature) as error:
        sshsig.wire_key(f"ssh-{kind} {base64.b64encode(wire).decode()}")
    assert error.value.code == "key-type"
    assert "pbem keygen" in error.value.hint


def test_a_fixed_vector() -> None:
    assert sshsig.public_line(KEY.wire) == VECTOR_LINE
    assert sshsig.fingerprint(KEY.wire) == "SHA256:lbmsoA0yIEcEiVDRnMWuzm+nV+3ZEEpVIURqFoeSspg"
    assert sshsig.bare(BLOB).hex() == VECTOR_BARE
    assert BLOB.startswith(b"SSHSIG\0\0\0\1")


def test_verify_names_the_owner() -> None:
    assert sshsig.verify(MESSAGE, BLOB, NAMESPACE, OWN) == "british"
    assert sshsig.verify(MESSAGE, sshsig.bare(BLOB), NAMESPACE, OWN) == "british"
    assert sshsig.dearmour(sshsig.armour(BLOB).replace("\n", "\r\n").encode()) == BLOB


def test_a_bare_signature_finds_its_key_among_several() -> None:
    others = {private_keys.from_seed(bytes([i]) * 32).wire: str(i) for i in range(3)}
    assert sshsig.verify(MESSAGE, sshsig.bare(BLOB), NAMESPACE, others | OWN) == "british"
    with pytest.raises(BadSignature, match="none of the registered keys"):
        sshsig.verify(MESSAGE, sshsig.bare(BLOB), NAMESPACE, others)
    assert code_of(MESSAGE, sshsig.bare(BLOB), "receipt@pbem") == "bad-signature"


def test_only_ed25519_with_sha512_has_a_short_form() -> None:
    other = sshsig.sign(MESSAGE, KEY, NAMESPACE, b"sha256")
    assert sshsig.bare(other) == other


def rebuilt(**changed: bytes) -> bytes:
    parts = sshsig.parse(BLOB)
    for name, value in changed.items():
        setattr(parts, name, value)
    return parts.blob()


FIELD = sshsig.parse(BLOB).signature
RAW = FIELD[-64:]
REFUSED = {
    "not-a-signature": b"GPGSIG" + BLOB[6:],
    "version": BLOB[:9] + b"\2" + BLOB[10:],
    "trailing-bytes": BLOB + b"\0",
    "hash": rebuilt(algorithm=b"sha1"),
    "namespace": rebuilt(namespace=b"file"),
    "unknown-key": rebuilt(key=private_keys.from_seed(bytes(32)).wire),
    "reserved": BLOB.replace(
        tlv(NAMESPACE.encode()) + tlv(b""), tlv(NAMESPACE.encode()) + tlv(b"x")
    ),
    "signature-type": rebuilt(signature=tlv(b"ssh-rsa") + tlv(RAW)),
    "signature-form": rebuilt(signature=tlv(b"ssh-ed25519") + tlv(RAW[1:])),
    "truncated": BLOB[:-1],
    "oversize": BLOB + bytes(sshsig.MAX_BLOB),
    "bad-signature": rebuilt(signature=FIELD[:-1] + bytes([FIELD[-1] ^ 1])),
}


@pytest.mark.parametrize("code", REFUSED)
def test_what_is_refused_and_why(code: str) -> None:
    assert code_of(MESSAGE, REFUSED[code]) == code


def test_bytes_behind_the_inner_signature_are_refused() -> None:
    assert code_of(MESSAGE, rebuilt(signature=FIELD + b"\0")) == "trailing-bytes"


@given(bit=st.integers(0, len(BLOB) * 8 - 1))
@settings(max_examples=few(200), deadline=None)
def test_every_flipped_bit_is_refused(bit: int) -> None:
    changed = bytearray(BLOB)
    changed[bit // 8] ^= 1 << bit % 8
    assert code_of(MESSAGE, bytes(changed))


@given(length=st.integers(0, len(BLOB) - 1))
@settings(max_examples=few(60), deadline=None)
def test_every_truncation_is_refused(length: int) -> None:
    expected = {"truncated", "not-a-signature", "version"}
    got = code_of(MESSAGE, BLOB[:length])
    assert got in expected or length == sshsig.BARE


@given(noise=st.binary(max_size=300))
@settings(max_examples=few(100), deadline=None)
def test_noise_raises_nothing_else(noise: bytes) -> None:
    for blob in (noise, sshsig.MAGIC + sshsig.VERSION + noise):
        code_of(MESSAGE, blob)
    with pytest.raises(BadSignature):
        sshsig.dearmour(noise)
    with pytest.raises(BadSignature):
        sshsig.wire_key("ssh-ed25519 " + base64.b64encode(noise).decode())
    with pytest.raises(BadSignature):
        sshsig.wire_key(noise.decode("latin-1"))


@pytest.mark.parametrize(
    "text",
    [
        sshsig.armour(BLOB).replace("BEGIN", "BEGUN"),
        sshsig.armour(BLOB) * 2,
        sshsig.armour(BLOB) + "and more",
        sshsig.armour(BLOB).replace("U1NI", "U1N*"),
        sshsig.armour(BLOB).replace("=\n-", "\n-"),
    ],
)
def test_damaged_armour_is_refused(text: str) -> None:
    with pytest.raises(BadSignature) as error:
        sshsig.dearmour(text.encode())
    assert error.value.code == "armour"


def b64(wire: bytes) -> str:
    return base64.b64encode(wire).decode()


def rsa_wire(bits: int, exponent: int = 65537) -> bytes:
    modulus = (1 << bits - 1) + 1
    return tlv(b"ssh-rsa") + tlv(sshsig.mpint(exponent)) + tlv(sshsig.mpint(modulus))


P256 = b"ecdsa-sha2-nistp256"
BAD_KEYS = {
    "words": ("ssh-ed25519", "key-form"),
    "base64": ("ssh-ed25519 AAA*", "key-form"),
    "other type": (f"ssh-rsa {b64(KEY.wire)}", "key-form"),
    "short": (f"ssh-ed25519 {b64(tlv(b'ssh-ed25519') + tlv(bytes(31)))}", "key-form"),
    "long": (f"ssh-ed25519 {b64(KEY.wire + b'x')}", "trailing-bytes"),
    "rsa 1024": (f"ssh-rsa {b64(rsa_wire(1024))}", "key-size"),
    "rsa 2047": (f"ssh-rsa {b64(rsa_wire(2047))}", "key-size"),
    "rsa even": (f"ssh-rsa {b64(rsa_wire(2048, 4))}", "key-form"),
    "rsa padded": (
        "ssh-rsa " + b64(tlv(b"ssh-rsa") + tlv(b"\0\1\0\1") + tlv(b"\0" + b"\xff" * 256)),
        "key-form",
    ),
    "curve": (
        f"ecdsa-sha2-nistp256 {b64(tlv(P256) + tlv(b'nistp384') + tlv(bytes(65)))}",
        "key-form",
    ),
    "no point": (
        "ecdsa-sha2-nistp256 " + b64(tlv(P256) + tlv(b"nistp256") + tlv(b"\4" + bytes(64))),
        "key-form",
    ),
}


@pytest.mark.parametrize("name", BAD_KEYS)
def test_unsound_public_keys_are_refused(name: str) -> None:
    line, expected = BAD_KEYS[name]
    with pytest.raises(BadSignature) as error:
        sshsig.wire_key(line)
    assert error.value.code == expected


def test_ed25519_verifies_without_the_other_key_types() -> None:
    program = (
        "import sys; from pbem.crypto import sshsig, private_keys as keys; "
        "k = keys.from_seed(bytes(32));"
        "b = sshsig.sign(b'm', k, 'orders@pbem');"
        "sshsig.verify(b'm', b, 'orders@pbem', {k.wire: 1});"
        "print([m for m in sys.modules if m.endswith(('.rsa', '.ec', '.ssh', '.serialization'))])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert done.stdout.strip() == b"[]"
