"""HOME/pbem.toml: where mail comes from and where it goes. Every key is told in docs/moderator.md.

A home without the file works on files alone. Secrets never stand in it: a password is read from
an environment variable or from a file that only its owner may read.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Literal

import msgspec

from pbem.errors import Misprint, NotFound, Usage

FILE = "pbem.toml"
LONGEST_URL = 66
"""Characters of an address that a line of a report holds."""
Tls = Literal["implicit", "starttls", "none"]


class Secret(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where a password is read: the name of an environment variable, or of a file (mode 0600)."""

    env: str = ""
    file: str = ""


class MaildirBox(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="maildir"):
    """Mail waits in a Maildir; what was fetched is marked seen there."""

    path: str


class ImapBox(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="imap"):
    """Mail waits on an IMAP server; what was fetched gets the flag Seen. port 0: the usual;
    ca: a file with the certificate of a server that no public authority vouches for; timeout:
    seconds of its silence, total: seconds of waiting for it in a tick."""

    host: str
    user: str
    password: Secret
    port: int = 0
    tls: Tls = "implicit"
    ca: str = ""
    folder: str = "INBOX"
    timeout: float = 30.0
    total: float = 300.0


class FilesDelivery(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="files"):
    """Mail stays in each game's outbox; somebody else takes it from there."""


class MaildirDelivery(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="maildir"):
    """Every mail goes into one Maildir, for a local program or a test."""

    path: str


class SendmailDelivery(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="sendmail"):
    """A local mail server's own command takes the mail on standard input. timeout: seconds for a
    mail, total: for all mails of a tick."""

    command: tuple[str, ...] = ("/usr/sbin/sendmail",)
    timeout: float = 60.0
    total: float = 300.0


class SmtpDelivery(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="smtp"):
    """A mail server takes the mail. port 0: 587, with `implicit` 465, with `none` 25; timeout and
    total: as for `ImapBox`."""

    host: str
    port: int = 0
    tls: Tls = "starttls"
    ca: str = ""
    user: str = ""
    password: Secret = Secret()
    timeout: float = 30.0
    total: float = 300.0


class Limits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """answers: what a side of a game gets a day besides receipts for new valid sets; fetch: mails
    a tick; passed: mails a day that go on to the moderator; outage: hours without a tick after
    which nothing overdue runs by itself; keep: days that mails of no game and alerts are kept, 0:
    for ever."""

    answers: Annotated[int, msgspec.Meta(ge=0)] = 20
    fetch: Annotated[int, msgspec.Meta(ge=1)] = 500
    passed: Annotated[int, msgspec.Meta(ge=0)] = 50
    outage: Annotated[float, msgspec.Meta(gt=0)] = 12.0
    keep: Annotated[int, msgspec.Meta(ge=0)] = 90


class Config(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The whole file. address: the games' own, `{game}` in it stands for the game's name;
    moderator: who gets alerts and mail without orders; null_sender: whether answers leave with
    an empty envelope sender (RFC 3834), which some providers refuse; order_page: whether reports
    bring the order page, `on` as an attachment, `url` as a link to order_page_url."""

    address: str = ""
    moderator: str = ""
    null_sender: bool = True
    order_page: Literal["off", "on", "url"] = "off"
    order_page_url: str = ""
    mailbox: MaildirBox | ImapBox | None = None
    delivery: FilesDelivery | MaildirDelivery | SendmailDelivery | SmtpDelivery = FilesDelivery()
    limits: Limits = Limits()


FORMER = {"desk": "order_page", "desk_url": "order_page_url"}
"""Keys of release 0.1.0, which its files go on using."""
TABLES: dict[str, type[msgspec.Struct]] = {"limits": Limits}
KINDS: dict[str, dict[str, type[msgspec.Struct]]] = {
    "mailbox": {"maildir": MaildirBox, "imap": ImapBox},
    "delivery": {
        "files": FilesDelivery,
        "maildir": MaildirDelivery,
        "sendmail": SendmailDelivery,
        "smtp": SmtpDelivery,
    },
}


def load(home: Path) -> Config:
    """The configuration of a home; without a file, the default. Raises Usage."""
    path = home / FILE
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return Config()
    return _read(content, str(path))


@lru_cache(maxsize=4)
def _read(content: bytes, where: str) -> Config:
    return read(content.decode("utf-8-sig", "replace"), where)


def read(text: str, where: str) -> Config:
    """The configuration in `text`. Raises Misprint: file, line, key, why, and what would do."""
    import tomllib

    try:
        found = tomllib.loads(text)
        config = msgspec.convert(_tagged(found), Config)
        _require_sense(config)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError, _Wrong) as error:
        raise _shown(error, text, where) from None
    return config


class _Wrong(Exception):  # noqa: N818
    """A value that makes no sense. path: the keys that lead to it."""

    def __init__(self, path: str, said: str, hint: str) -> None:
        super().__init__(said)
        self.path, self.said, self.hint = path.split("."), said, hint


def _shown(error: Exception, text: str, where: str) -> Misprint:
    """The error with the place that it is about."""
    from pbem.text.toml_input import misprint, tables, typed

    if isinstance(error, _Wrong):
        return misprint(text, where, error.path, "value", error.said, error.hint)
    try:
        found = tables(text, where, "docs/moderator.md shows a whole file")
        typed(_tagged(found), Config, text, where, lambda path: f"keys here: {_keys(path, found)}")
    except Misprint as shown:
        return shown
    raise error


def _tagged(found: dict[str, object]) -> dict[str, object]:
    """The file with `kind` as msgspec calls it."""
    tagged = {
        FORMER.get(key, key) if FORMER.get(key) not in found else key: value
        for key, value in found.items()
    }
    for name, kinds in KINDS.items():
        table = tagged.get(name)
        if not isinstance(table, dict):
            continue
        kind = table.get("kind")
        if kind not in kinds:
            said = f"{name}.kind is {kind!r}" if kind else f"{name} has no kind"
            raise _Wrong(f"{name}.kind", said, f"it is one of {', '.join(kinds)}")
        tagged[name] = {"type": kind, **{k: v for k, v in table.items() if k != "kind"}}
    return tagged


def _keys(path: Sequence[str | int], found: dict[str, object]) -> str:
    """The keys that may stand where `path` leads."""
    top = str(path[0]) if path else ""
    table = found.get(top)
    fields: type[msgspec.Struct] = TABLES.get(top, Config)
    if top in KINDS and isinstance(table, dict):
        fields = KINDS[top].get(str(table.get("kind")), Config)
    if "password" in path[1:]:
        fields = Secret
    return ", ".join(["kind"] * (top in KINDS) + list(fields.__struct_fields__))


def _require_sense(config: Config) -> None:
    """Addresses are plain ones; what sends mail needs one to send it from. Raises _Wrong."""
    for key in ("address", "moderator"):
        value = getattr(config, key).replace("{game}", "g1")
        if value and not is_address(value):
            said = f"{key} is {getattr(config, key)!r}"
            raise _Wrong(key, said, "a plain address: games@example.org")
    _require_page_url(config)
    sends = not isinstance(config.delivery, FilesDelivery)
    if sends and not config.address:
        hint = 'mail needs a sender: address = "games@example.org"'
        raise _Wrong("delivery", "address is missing", hint)
    if isinstance(config.delivery, SmtpDelivery) and config.delivery.user:
        _require_secret(config.delivery.password, "delivery.password")
    if isinstance(config.mailbox, ImapBox):
        _require_secret(config.mailbox.password, "mailbox.password")


def _require_page_url(config: Config) -> None:
    """The order page's address goes into mails: a plain one that fits a line. Raises _Wrong."""
    url = config.order_page_url
    plain = url.isascii() and url.isprintable() and not set(url) & set(" <>\"'\\")
    if url and not (url.startswith("https://") and plain and len(url) <= LONGEST_URL):
        hint = f"a plain https address of at most {LONGEST_URL} characters"
        raise _Wrong("order_page_url", f"order_page_url is {url!r}", hint)
    if config.order_page == "url" and not url:
        hint = 'order_page = "url" needs the address of the page that `pbem page -o FILE` wrote'
        raise _Wrong("order_page", "order_page_url is missing", hint)


def _require_secret(secret: Secret, key: str) -> None:
    if bool(secret.env) == bool(secret.file):
        hint = 'write { env = "NAME" } or { file = "PATH" }'
        raise _Wrong(key, f"{key} names no one place", hint)


def is_address(text: str) -> bool:
    """Whether it is one plain address: printable ASCII, one @, nothing that a header or a
    command could take for something else."""
    user, _, host = text.partition("@")
    plain = text.isascii() and text.isprintable() and not set(text) & set(' ,;:<>()[]"\\')
    return bool(plain and user and host and "@" not in host and user[0] != "-" and len(text) <= 254)


def require_address(text: str) -> None:
    """Raise Usage unless mail can be sent there."""
    if not is_address(text):
        raise Usage(f"{text!r} is no plain address", "give it as in player@example.org")


def secret(home: Path, source: Secret) -> str:
    """The password itself. Raises NotFound, Usage when others may read its file."""
    if source.env:
        if source.env not in os.environ:
            raise NotFound(f"the environment variable {source.env} is not set", f"see {FILE}")
        return os.environ[source.env]
    path = home / source.file
    try:
        mode = path.stat().st_mode
        text = path.read_text("utf-8")
    except OSError as error:
        raise NotFound(f"{path}: {error.strerror}", f"{FILE} names it as the password") from None
    if os.name == "posix" and mode & 0o077:
        raise Usage(f"{path} may be read by others", f"chmod 600 {path}")
    return text.strip("\r\n")


def address_of(config: Config, game: str) -> str:
    """The address that a game writes from; without one, an address that can get no mail."""
    return config.address.replace("{game}", game) if config.address else f"{game}@pbem.invalid"
