"""pbem.toml: strict, and its messages say where, what and why."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.base.config import (
    Config,
    ImapBox,
    MaildirBox,
    Secret,
    SmtpDelivery,
    address_of,
    is_address,
    load,
    read,
    secret,
)
from pbem.errors import Misprint, NotFound, PbemError, Usage
from tests.counts import few

IMAP = """
address = "games+{game}@example.org"
[mailbox]
kind = "imap"
host = "imap.example.org"
user = "games"
password = { env = "IMAP_PASSWORD" }
[delivery]
kind = "smtp"
host = "smtp.example.org"
user = "games"
password = { file = "smtp.password" }
[limits]
answers = 5
"""


def test_a_home_without_the_file_works_on_files(tmp_path: Path) -> None:
    assert load(tmp_path) == Config()
    assert address_of(Config(), "g1") == "g1@pbem.invalid"


def test_a_whole_file() -> None:
    config = read(IMAP, "pbem.toml")
    assert config.mailbox == ImapBox("imap.example.org", "games", Secret(env="IMAP_PASSWORD"))
    assert isinstance(config.delivery, SmtpDelivery)
    assert (config.delivery.tls, config.limits.answers) == ("starttls", 5)
    assert address_of(config, "g7") == "games+g7@example.org"


@pytest.mark.parametrize(
    ("text", "said", "hint"),
    [
        ("adress = 'a@b.org'", "1:1: error value: there is no key `adress`", "address, moderator"),
        ("\n address = 7", "2:2: error value: address: this must be text", "address, moderator"),
        ("address = 'a b@c'", "1:1: error value: address is 'a b@c'", "plain address"),
        ("[mailbox]\nkind = 'pop3'", "2:1: error value: mailbox.kind is 'pop3'", "maildir, imap"),
        ("[mailbox]\npath = 'x'", "1:1: error value: mailbox has no kind", "maildir, imap"),
        (
            "[mailbox]\nkind = 'maildir'",
            "1:1: error value: this lacks the key `path`",
            "kind, path",
        ),
        (
            "[mailbox]\nkind='maildir'\npath='x'\nhost='y'",
            "4:1: error value: there is no key `host`",
            "kind, path",
        ),
        (
            "[delivery]\nkind='maildir'\npath='x'",
            "1:1: error value: address is missing",
            "needs a sender",
        ),
        (IMAP.replace("{ env", "{ evn"), "7:14: error value: there is no key `evn`", "env, file"),
        (
            IMAP.replace('{ env = "IMAP_PASSWORD" }', "{}"),
            "7:1: error value: mailbox.password",
            "env",
        ),
        (
            IMAP.replace('kind = "smtp"', 'kind = "smtp"\ntls = "ssl"'),
            "10:1: error value: delivery.tls: this cannot be 'ssl'",
            '"implicit", "starttls"',
        ),
        (
            IMAP.replace("answers = 5", "answers = 'x'"),
            "14:1: error value: limits.answers",
            "answers, fetch",
        ),
        (
            IMAP.replace("answers = 5", "fetch = 0"),
            "14:1: error value: limits.fetch: this must be a whole number from 1",
            "answers, fetch",
        ),
        ("address = ", "1:11: error toml: Invalid value", "docs/moderator.md"),
        ("address = a@b.org", "1:11: error toml: Invalid value", "text stands in quotes"),
        (
            "address = \u201ca@b.org\u201d",
            "1:11: error toml: the quotes of this line are curly",
            '"',
        ),
        ("order_page = true", "1:1: error value: order_page: this must be text", '"on", "off"'),
        ("order_page = 'yes'", "1:1: error value: order_page: this cannot be 'yes'", '"on", "off"'),
        (
            IMAP.replace('{ env = "IMAP_PASSWORD" }', "'secret'"),
            "7:1: error value: mailbox.password: this must be a table in {braces}, not text",
            'write { file = "FILE" }',
        ),
        (
            IMAP.replace('kind = "smtp"', 'kind = "smtp"\nport = "25"'),
            "10:1: error value: delivery.port: this must be a whole number, not text",
            "host, port",
        ),
        ("password = 'x'", "1:1: error value: there is no key `password`", "address"),
    ],
)
def test_what_is_wrong_is_named(text: str, said: str, hint: str) -> None:
    with pytest.raises(Misprint) as error:
        read(text, "pbem.toml")
    assert error.value.message.startswith(f"pbem.toml:{said}")
    assert hint in error.value.hint


def test_secrets_come_from_the_environment_or_a_file_nobody_else_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("IMAP_PASSWORD", "one")
    assert secret(tmp_path, Secret(env="IMAP_PASSWORD")) == "one"
    with pytest.raises(NotFound, match="NOT_SET"):
        secret(tmp_path, Secret(env="NOT_SET"))
    with pytest.raises(NotFound):
        secret(tmp_path, Secret(file="smtp.password"))
    path = tmp_path / "smtp.password"
    path.write_text("two\n")
    path.chmod(0o600)
    assert secret(tmp_path, Secret(file="smtp.password")) == "two"
    if os.name == "posix":
        path.chmod(0o640)
        with pytest.raises(Usage, match="read by others"):
            secret(tmp_path, Secret(file="smtp.password"))
    path.write_bytes(b"schl\xfcssel\n")
    with pytest.raises(Usage, match="not text in UTF-8"):
        secret(tmp_path, Secret(file="smtp.password"))


@pytest.mark.parametrize(
    "bad",
    [
        "",
        "a",
        "a@",
        "@b",
        "a@b@c",
        "-f@b.org",
        "a b@c.org",
        "a\n@b.org",
        "a@b.org,c@d.org",
        "ä@b.org",
        "<a@b.org>",
    ],
)
def test_addresses_that_a_command_or_header_could_misread(bad: str) -> None:
    assert not is_address(bad)
    assert is_address("a.b+c@d-e.org")


@settings(max_examples=few(30))
@given(text=st.text(max_size=60))
def test_no_file_is_a_fault(text: str) -> None:
    try:
        read(text, "pbem.toml")
    except PbemError:
        return


def test_a_maildir_is_found_from_the_home() -> None:
    config = read("[mailbox]\nkind = 'maildir'\npath = 'in'", "x")
    assert config.mailbox == MaildirBox("in")
