"""Mails with the troubles that real mail has: those whose orders are whole are taken, the others
refused by name, and `pbem receive` judges every one as a tick does that finds it in the mailbox."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pbem.cli import main
from pbem.inbound.arrival import Input
from pbem.inbound.attachments import is_mail, unpack
from tests.counts import few
from tests.mail.office import Office
from tests.mail.troubles import BASE64, FROM, PLAIN, REFUSED, TAKEN, Trouble, mail, packed, part
from tests.referee import Referee

Verdict = tuple[list[str], list[str]]


def verdict(referee: Referee) -> Verdict:
    """The digests of the sets that were accepted, and the codes of those refused."""
    records = referee.records
    taken = [r.body["digest"] for r in records if r.kind == "received"]
    return taken, [r.body["code"] for r in records if r.kind == "refused"]


def by_tick(office: Office, raw: bytes) -> Verdict:
    office.drop(raw)
    office.one()
    return verdict(office.referee)


def by_receive(referee: Referee, raw: bytes, folder: Path) -> Verdict:
    """What the command does with the mail as a file, in a copy of the home."""
    copy = Referee(folder / "copy", referee.system)
    shutil.copytree(referee.home, copy.home)
    (folder / "mail.eml").write_bytes(raw)
    with pytest.raises(SystemExit) as ended:
        main(["--home", str(copy.home), "receive", "g1", str(folder / "mail.eml")])
    taken, refused = verdict(copy)
    assert ended.value.code == (0 if taken else 1)
    return taken, refused


def both(office: Office, trouble: Trouble, folder: Path) -> Verdict:
    raw = trouble(office.referee.orders("fox", office.referee.suggested("fox")))
    received = by_receive(office.referee, raw, folder)
    ticked = by_tick(office, raw)
    assert received == ticked
    return ticked


@pytest.mark.parametrize("name", TAKEN)
def test_orders_come_through(name: str, office: Office, tmp_path: Path) -> None:
    taken, refused = both(office, TAKEN[name], tmp_path)
    assert (len(taken), refused) == (1, [])


@pytest.mark.parametrize("name", REFUSED)
def test_orders_that_were_hurt_are_refused_by_name(
    name: str, office: Office, tmp_path: Path
) -> None:
    code, trouble = REFUSED[name]
    assert both(office, trouble, tmp_path) == ([], [code])


# What is a mail, and what a file of orders

NAMES = st.text(
    st.characters(min_codepoint=33, max_codepoint=126, exclude_characters=":"),
    min_size=1,
    max_size=30,
)
WORDS = st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=40)


@given(st.lists(st.tuples(NAMES, WORDS), max_size=5), st.permutations(FROM))
def test_a_header_of_any_fields_begins_a_mail(
    fields: list[tuple[str, str]], known: list[str]
) -> None:
    head = [f"{name}: {value}" for name, value in fields]
    assert is_mail(mail("hello", PLAIN, first=head))
    assert is_mail(part("hello", *known, *head))


PROSE = st.lists(
    WORDS | st.builds("{}: {}".format, NAMES, WORDS) | st.sampled_from(["", "\t", " to be sure"]),
    max_size=5,
)


@given(PROSE)
@example(["Dear moderator: here it is"])
@example(["note: here it is", ""])
@example(["To: the moderator", "Subject: my orders", "", "Dear sir: herewith"])
@example(["subject: mine", " and"])
@example(["To: you", "Content-Type: multipart/mixed; boundary=b", ""])
@settings(max_examples=few(60))
def test_prose_above_a_file_of_orders_does_it_no_harm(prose: list[str]) -> None:
    """Even where it looks like a header: what is read are the same signed orders."""
    text = "BEGIN ORDERS\n FOX: MOVE A2;\nEND ORDERS\nBEGIN SEAL\n abcd\nEND SEAL\n"
    raw = "\n".join([*prose, text]).encode()
    (found,) = unpack(Input("orders.txt", raw))
    assert text.encode().strip() in found.raw


def test_a_file_with_a_signature_of_its_own_is_judged_by_its_bytes() -> None:
    raw = part("BEGIN ORDERS\nEND ORDERS\n", "Subject: mine", "To: you")
    assert unpack(Input("orders.txt", raw, b"-----BEGIN SSH SIGNATURE-----")) == [
        Input("orders.txt", raw, b"-----BEGIN SSH SIGNATURE-----")
    ]


def test_a_body_in_base64_is_read_whatever_its_first_field() -> None:
    (found,) = unpack(
        Input(
            "x",
            mail(packed("BEGIN ORDERS\nEND ORDERS\n"), PLAIN, BASE64, first=["X-Unheard-Of: 1"]),
        )
    )
    assert found.raw.startswith(b"BEGIN ORDERS")
