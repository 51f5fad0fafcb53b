"""HOME/pbem.toml: where mail comes from and where it goes. Every key is told in docs/moderator.md.

A home without the file works on files alone. Secrets never stand in it: a password is read from
an environment variable or from a file that only its owner may read.
"""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path
from typing import Literal

import msgspec

from pbem.errors import NotFound, Usage

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
    ca: a file with the certificate of a server that no public authority vouches for."""

    host: str
    user: str
    password: Secret
    port: int = 0
    tls: Tls = "implicit"
    ca: str = ""
    folder: str = "INBOX"
    timeout: float = 30.0


class FilesDelivery(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="files"):
    """Mail stays in each game's outbox; somebody else takes it from there."""


class MaildirDelivery(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="maildir"):
    """Every mail goes into one Maildir, for a local program or a test."""

    path: str


class SendmailDelivery(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="sendmail"):
    """A local mail server's own command takes the mail on standard input."""

    command: tuple[str, ...] = ("/usr/sbin/sendmail",)
    timeout: float = 60.0


class SmtpDelivery(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="smtp"):
    """A mail server takes the mail. port 0: 587, with `implicit` 465, with `none` 25."""

    host: str
    port: int = 0
    tls: Tls = "starttls"
    ca: str = ""
    user: str = ""
    password: Secret = Secret()
    timeout: float = 30.0


class Limits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """answers: what one address gets a day besides receipts for new valid sets; fetch: mails a
    tick; outage: hours without a tick after which nothing overdue runs by itself."""

    answers: int = 20
    fetch: int = 500
    outage: float = 12.0


class Config(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The whole file. address: the games' own, `{game}` in it stands for the game's name;
    moderator: who gets alerts and mail without orders; null_sender: whether answers leave with
    an empty envelope sender (RFC 3834), which some providers refuse; desk: whether reports bring
    the order desk, `on` as an attachment, `url` as a link to desk_url."""

    address: str = ""
    moderator: str = ""
    null_sender: bool = True
    desk: Literal["off", "on", "url"] = "off"
    desk_url: str = ""
    mailbox: MaildirBox | ImapBox | None = None
    delivery: FilesDelivery | MaildirDelivery | SendmailDelivery | SmtpDelivery = FilesDelivery()
    limits: Limits = Limits()


TABLES: dict[str, type[msgspec.Struct]] = {"limits": Limits}
KINDS: dict[str, dict[str, type[msgspec.Struct]]] = {
    "mailbox": {"maildir": MaildirBox, "imap": ImapBox},
    "delivery": {
        "files": FilesDelivery, "maildir": MaildirDelivery, "sendmail": SendmailDelivery,
        "smtp": SmtpDelivery,
    },
}  # fmt: skip


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
    """The configuration in `text`. Raises Usage with file, key, why, and what would do."""
    import tomllib

    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise Usage(f"{where}: {error}", "docs/moderator.md shows a whole file") from None
    try:
        config = msgspec.convert(_tagged(found, where), Config)
    except msgspec.ValidationError as error:
        raise Usage(*_words(str(error), found, where)) from None
    _require_sense(config, where)
    return config


def _tagged(found: dict[str, object], where: str) -> dict[str, object]:
    """The file with `kind` as msgspec calls it. Raises Usage for a kind that is not there."""
    tagged = dict(found)
    for name, kinds in KINDS.items():
        table = tagged.get(name)
        if not isinstance(table, dict):
            continue
        if table.get("kind") not in kinds:
            raise Usage(
                f"{where}: {name}.kind is {table.get('kind')!r}", f"it is one of {', '.join(kinds)}"
            )
        tagged[name] = {"type": table["kind"], **{k: v for k, v in table.items() if k != "kind"}}
    return tagged


def _words(said: str, found: dict[str, object], where: str) -> tuple[str, str]:
    """A message and a hint from what msgspec says: `Expected ... - at `$.delivery.port``."""
    what, _, place = said.partition(" - at `$")
    key = place.rstrip("`").lstrip(".")
    return f"{where}: {key + ': ' if key else ''}{what}", f"keys here: {_keys(key, found)}"


def _keys(key: str, found: dict[str, object]) -> str:
    """The keys that may stand where `key` leads."""
    top = key.split(".", maxsplit=1)[0]
    table = found.get(top)
    fields: type[msgspec.Struct] = TABLES.get(top, Config)
    if top in KINDS and isinstance(table, dict):
        fields = KINDS[top].get(str(table.get("kind")), Config)
    if key.rsplit(".", maxsplit=1)[-1] == "password":
        fields = Secret
    return ", ".join(["kind"] * (top in KINDS) + list(fields.__struct_fields__))


def _require_sense(config: Config, where: str) -> None:
    """Addresses are plain ones; what sends mail needs one to send it from. Raises Usage."""
    for key in ("address", "moderator"):
        value = getattr(config, key).replace("{game}", "g1")
        if value and not is_address(value):
            raise Usage(
                f"{where}: {key} is {getattr(config, key)!r}", "a plain address: games@example.org"
            )
    _require_desk(config, where)
    sends = not isinstance(config.delivery, FilesDelivery)
    if sends and not config.address:
        raise Usage(
            f"{where}: address is missing", 'mail needs a sender: address = "games@example.org"'
        )
    if isinstance(config.delivery, SmtpDelivery) and config.delivery.user:
        _require_secret(config.delivery.password, where, "delivery.password")
    if isinstance(config.mailbox, ImapBox):
        _require_secret(config.mailbox.password, where, "mailbox.password")


def _require_desk(config: Config, where: str) -> None:
    """The desk's address goes into mails: a plain one that fits a line. Raises Usage."""
    url = config.desk_url
    plain = url.isascii() and url.isprintable() and not set(url) & set(" <>\"'\\")
    if url and not (url.startswith("https://") and plain and len(url) <= LONGEST_URL):
        raise Usage(
            f"{where}: desk_url is {url!r}",
            f"a plain https address of at most {LONGEST_URL} characters",
        )
    if config.desk == "url" and not url:
        raise Usage(
            f"{where}: desk_url is missing",
            'desk = "url" needs the address where `pbem desk -o FILE` was laid',
        )


def _require_secret(secret: Secret, where: str, key: str) -> None:
    if bool(secret.env) == bool(secret.file):
        raise Usage(
            f"{where}: {key} names no one place", 'write { env = "NAME" } or { file = "PATH" }'
        )


def is_address(text: str) -> bool:
    """Whether it is one plain address: printable ASCII, one @, nothing that a header or a
    command could take for something else."""
    user, _, host = text.partition("@")
    plain = text.isascii() and text.isprintable() and not set(text) & set(' ,;:<>()[]"\\')
    return bool(plain and user and host and "@" not in host and user[0] != "-" and len(text) <= 254)


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
