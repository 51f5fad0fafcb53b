"""Configurations of a home whose mail goes through the real servers."""

from __future__ import annotations

from pathlib import Path

from pbem.base.config import Tls
from tests.mail.servers import Servers

WORDS = """
address = "{user}@example.org"
moderator = "mod@example.org"
null_sender = true
[mailbox]
kind = "imap"
host = "127.0.0.1"
port = {imap}
tls = "{tls}"
ca = "{ca}"
user = "{user}@example.org"
password = {{ env = "TEST_PASSWORD" }}
[delivery]
"""
SMTP = """kind = "smtp"
host = "127.0.0.1"
port = {port}
tls = "{tls}"
"""
LOGIN = """ca = "{ca}"
user = "{user}@example.org"
password = {{ env = "TEST_PASSWORD" }}
"""


def by_smtp(servers: Servers, user: str = "games", tls: Tls = "none") -> str:
    """pbem.toml of a home that fetches by IMAP and sends by SMTP; under TLS with a log-in."""
    postfix, dovecot = servers.postfix, servers.dovecot
    facts = {"user": user, "tls": tls, "ca": str(servers.certificate)}
    ports = {"none": postfix.port, "starttls": postfix.starttls, "implicit": postfix.tls}
    imap = dovecot.tls if tls == "implicit" else dovecot.port
    text = WORDS.format(imap=imap, **facts) + SMTP.format(port=ports[tls], tls=tls)
    return text + (LOGIN.format(**facts) if tls != "none" else "")


def by_sendmail(servers: Servers, user: str = "games") -> str:
    """The same, but sending with the sendmail command of Postfix."""
    command = ", ".join(f'"{word}"' for word in servers.postfix.sendmail())
    words = WORDS.format(imap=servers.dovecot.port, user=user, tls="none", ca="")
    return f'{words}kind = "sendmail"\ncommand = [{command}]\n'


def by_maildir(servers: Servers, user: str = "games") -> str:
    """The same, but reading the Maildir into which Postfix delivers."""
    head, _, tail = by_sendmail(servers, user).partition("[mailbox]")
    box = f'[mailbox]\nkind = "maildir"\npath = "{servers.root}/mail/{user}"\n'
    return f"{head}{box}[delivery]{tail.partition('[delivery]')[2]}"


def configured(home: Path, text: str) -> Path:
    """Give the home this configuration."""
    home.mkdir(exist_ok=True)
    (home / "pbem.toml").write_text(text)
    return home
