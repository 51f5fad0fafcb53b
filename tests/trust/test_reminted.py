"""A second valid signature of the same orders: anybody can make one of an ECDSA signature, and the
owner of the key makes another each time he signs. Neither harms him, nor the moderator."""

from __future__ import annotations

from email.message import EmailMessage
from itertools import permutations
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from orders.canon import canonical, signature_text, streams
from pbem.admin import key_change
from pbem.admin.setup import Newcomer, enlist
from pbem.base.hashing import tlv
from pbem.base.report_json import Report
from pbem.crypto.private_keys import _ecdsa
from pbem.crypto.sshsig import armour, mpint, parse, public_line, read_field, sign
from pbem.crypto.sshsig import verify as signed_by
from pbem.dice.chains import DiceChains
from pbem.player.joining import block, read_keys
from pbem.player.sign import NAMESPACE
from pbem.store.game_dir import writing
from tests.referee import Referee, key_of
from tests.trust.corpus import checked, reports, verify

CURVES = {"256": ec.SECP256R1(), "384": ec.SECP384R1(), "521": ec.SECP521R1()}
KEYS = {name: _ecdsa(ec.derive_private_key(4711, curve)) for name, curve in CURVES.items()}
KEY = KEYS["256"]


def minted(signature: bytes) -> bytes:
    """(r, n - s) of an ECDSA signature, which needs no key."""
    parts = parse(signature)
    kind, rest = read_field(parts.signature)
    r, rest = read_field(read_field(rest)[0])
    s, _ = read_field(rest)
    order = CURVES[kind[-3:].decode()].group_order
    other = tlv(r) + tlv(mpint(order - int.from_bytes(s, "big")))
    parts.signature = tlv(kind) + tlv(other)
    return parts.blob()


@pytest.fixture
def curved(referee: Referee) -> Referee:
    """The fox has an ECDSA key, too."""
    with writing(referee.home, "g1") as game:
        enlist(game, "fox", Newcomer(public_line(KEY.wire)))
    return referee


def two(referee: Referee, lines: str = "FOX: move A2;") -> tuple[str, str]:
    """The fox's orders as he signed them, and as somebody signed them anew."""
    text = referee.block("fox", lines)
    mine = sign(canonical(text), KEY, NAMESPACE)
    return text + signature_text(mine), text + signature_text(minted(mine))


def written(folder: Path, *texts: str) -> list[Path]:
    folder.mkdir(exist_ok=True)
    paths = [folder / f"orders-{i}.txt" for i in range(len(texts))]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text)
    return paths


def whole(referee: Referee, *papers: Path) -> None:
    """Neither checker finds anything, by the papers alone and with the ledger."""
    held = reports(referee, "fox")
    assert referee.audit([referee.stated("fox", int(p.parent.name)) for p in held]).whole
    assert checked(*held, *papers) == []
    assert checked(referee.folder, *held, *papers) == []


@pytest.mark.parametrize("name", KEYS)
def test_the_second_signature_is_as_good_as_the_first(name: str) -> None:
    key, text = KEYS[name], b"FOX : MOVE B1 ;"
    mine = sign(text, key, NAMESPACE)
    other = minted(mine)
    assert other != mine
    assert verify.twin_of(mine) == other
    assert verify.twin_of(other) == mine
    for one in (mine, other):
        assert signed_by(text, one, NAMESPACE, {key.wire: "fox"}) == "fox"
        verify.verify_signature(public_line(key.wire), NAMESPACE, text, one)


def test_other_types_of_signatures_cannot_be_re_minted() -> None:
    for signature in (sign(b"x", key_of("fox"), NAMESPACE), bytes(64), b"", b"SSHSIG", bytes(300)):
        assert verify.twin_of(signature) == signature


@pytest.mark.parametrize("first", ["his own", "the other"])
def test_one_set_one_receipt_and_no_accusation(first: str, curved: Referee, tmp_path: Path) -> None:
    """The first to arrive counts; the holder of the other finds the same orders in force."""
    mine, other = two(curved)
    texts = [mine, other] if first == "his own" else [other, mine]
    outcomes = [curved.receive(text)[0] for text in texts]
    assert [o.status for o in outcomes] == ["accepted", "known"]
    assert len([r for r in curved.records if r.kind == "received"]) == 1
    assert {o.receipt["in_force"]["digest"] for o in outcomes} == {
        one.order for one in curved.register.sets.values()
    }
    curved.order("hunter", "HOUND: move E4;")
    curved.run()
    for text in texts:
        whole(curved, *written(tmp_path / "kept", text))
    whole(curved, *written(tmp_path / "kept", *texts))


def test_a_file_signed_with_stock_tools_and_minted_anew(curved: Referee) -> None:
    raw = curved.block("fox", "FOX: move A2;").encode()
    mine = sign(raw, KEY, NAMESPACE)
    said = [
        curved.receive(raw, "orders.txt", armour(one).encode())[0].status
        for one in (minted(mine), mine)
    ]
    assert said == ["accepted", "known"]
    curved.run(force=True)
    assert curved.audit().whole
    assert checked(curved.folder) == []


def test_orders_signed_twice_are_the_same_orders(curved: Referee, tmp_path: Path) -> None:
    """A clock that is behind gives the same number twice, an ECDSA key another signature."""
    text = curved.block("fox", "FOX: move A2;")
    once, twice = (text + signature_text(sign(canonical(text), KEY, NAMESPACE)) for _ in range(2))
    assert once != twice
    assert [curved.receive(one)[0].status for one in (once, twice)] == ["accepted", "known"]
    curved.run(force=True)
    (kept,) = written(tmp_path / "kept", twice)
    assert checked(curved.folder, *reports(curved, "fox"), kept) == []
    assert checked(*reports(curved, "fox"), kept) == ["other-orders"], "the ledger tells"


def test_replaced_orders_are_no_finding_but_omitted_ones_are(
    curved: Referee, tmp_path: Path
) -> None:
    first, second = two(curved)[0], two(curved, "FOX: move B1;")[0]
    late = two(curved, "FOX: hold;")[0]
    for text in (first, second):
        assert curved.receive(text)[0].good
    curved.run(force=True)
    held = reports(curved, "fox")
    for kept in permutations((first, second)):
        whole(curved, *written(tmp_path / "kept", *kept))
    assert checked(*held, *written(tmp_path / "kept", first, second, late)) == ["other-orders"]


def test_orders_quoted_beside_a_form_are_read(curved: Referee, tmp_path: Path) -> None:
    """A player keeps his mail, in which the form stands below what he signed."""
    mine, _ = two(curved)
    assert curved.receive(mine)[0].good
    curved.run(force=True)
    mail = EmailMessage()
    mail["From"], mail["Subject"] = "fox@example.org", "Re: g1"
    form = "".join(f"> {line}\n" for line in curved.report("fox", 1)["form"].splitlines())
    mail.set_content(f"{mine}\nYou wrote:\n\n{form}", cte="base64")
    path = tmp_path / "sent.eml"
    path.write_bytes(mail.as_bytes())
    whole(curved, path)
    path.write_bytes(mail.as_bytes().replace(b"\n", b"\r\n"))
    whole(curved, path)


def test_a_change_of_keys_whose_proof_was_minted_anew_is_the_same_change(referee: Referee) -> None:
    """No signature covers the proof, so that anybody who saw the mail can make another one."""
    text = key_change.change(Report.of(referee.stated("fox")), key_of("fox"), DiceChains(KEY))
    facts, signature = read_keys(text.encode())
    other = facts | {"proof": minted(bytes.fromhex(facts["proof"])).hex()}
    assert referee.receive(block("KEYS", other, signature))[0].status == "accepted"
    assert referee.receive(text)[0].status == "known"
    assert len([r for r in referee.records if r.kind == "replaced"]) == 1
    assert referee.audit().whole
    assert checked(referee.folder) == []


def test_other_forms_of_the_same_orders_count_once(curved: Referee) -> None:
    """As text may change on its way: with and without the minted signature, quoted, wrapped."""
    mine, other = two(curved)
    forms = [text.replace("\n", end) for text in (mine, other) for end in ("\n", "\r\n", "\n> ")]
    forms += [text.lower() for text in (mine, other)]
    said = [curved.receive(form)[0].status for form in forms]
    assert said == ["accepted", *["known"] * (len(forms) - 1)]
    (taken,) = curved.register.sets.values()
    assert taken.canonical == streams(mine)[0].canonical.decode()
