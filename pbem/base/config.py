"""HOME/pbem.toml: where mail comes from and where it goes. docs/moderator.md explains every key.

A home without this file works on files alone. The file never holds secrets: a password is read
from an environment variable or from a file that only its owner may read.
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
"""Characters of a web address that fit on a line of a report."""
Tls = Literal["implicit", "starttls", "none"]


class Secret(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where a password is read from. Exactly one of the two must be given."""

    env: str = ""
    """The name of an environment variable."""
    file: str = ""
    """The path of a file with mode 0600, relative to the home."""


class MaildirBox(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="maildir"):
    """Fetches mail from a Maildir, and marks there what was fetched as seen."""

    path: str


class ImapBox(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="imap"):
    """Fetches mail from an IMAP server, and sets the flag Seen on what was fetched."""

    host: str
    user: str
    password: Secret
    port: int = 0
    """0 is the usual port of the kind of TLS."""
    tls: Tls = "implicit"
    ca: str = ""
    """A file with the certificate of a server that no public authority has certified."""
    folder: str = "INBOX"
    timeout: float = 30.0
    """Seconds to wait for one answer of a silent server."""
    total: float = 300.0
    """Seconds to wait for the server in a whole tick."""


class FilesDelivery(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="files"):
    """Leaves mail in each game's outbox, where another program takes it from: it counts as sent."""


class MaildirDelivery(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="maildir"):
    """Delivers every mail to one Maildir, for a local program or a test."""

    path: str


class SendmailDelivery(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="sendmail"):
    """Passes each mail to the command of a local mail server, on standard input."""

    command: tuple[str, ...] = ("/usr/sbin/sendmail",)
    timeout: float = 60.0
    """Seconds for one mail."""
    total: float = 300.0
    """Seconds for all mails of a tick."""


class SmtpDelivery(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="smtp"):
    """Sends mail through an SMTP server."""

    host: str
    port: int = 0
    """0 is port 587, with `implicit` TLS 465, with `none` 25."""
    tls: Tls = "starttls"
    ca: str = ""
    """As in `ImapBox`."""
    user: str = ""
    """Empty: do not log in."""
    password: Secret = Secret()
    timeout: float = 30.0
    """As in `ImapBox`."""
    total: float = 300.0
    """As in `ImapBox`."""


class Limits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Limits on what a tick does."""

    answers: Annotated[int, msgspec.Meta(ge=0)] = 20
    """Replies a day to each side of a game, not counting receipts for new valid sets."""
    fetch: Annotated[int, msgspec.Meta(ge=1)] = 500
    """Mails fetched in one tick."""
    notify: Annotated[float, msgspec.Meta(gt=0)] = 20.0
    """Seconds that a tick gives all hooks together."""
    passed: Annotated[int, msgspec.Meta(ge=0)] = 50
    """Mails a day that are passed on to the moderator."""
    outage: Annotated[float, msgspec.Meta(gt=0)] = 12.0
    """Hours without a tick after which overdue windows wait for the moderator."""
    keep: Annotated[int, msgspec.Meta(ge=0)] = 90
    """Days for which alerts and mails that belong to no game are kept; 0: for ever."""


class Club(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A club around the games of the home (docs/club.md)."""

    name: str = "Our club"
    """What mails and pages call it."""
    site: str = ""
    """The folder of its site, relative to the home; empty: it has none."""
    url: str = ""
    """The https address at which the site is published; feeds and calendars name it."""
    names: Literal["shown", "end"] = "end"
    """Whether the site names the players of a running game, or only when it has ended."""
    hide: tuple[str, ...] = ()
    """Games that the site does not mention."""
    strangers: Annotated[int, msgspec.Meta(ge=0)] = 100
    """Answers a day to addresses that belong to no member."""
    seek: Annotated[float, msgspec.Meta(gt=0)] = 48.0
    """Hours that a standby player has to take an offered seat before the next one is asked."""


class Hook(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where notifications go besides mail: a chat, a phone (docs/moderator.md, "Notifications")."""

    urls: Secret
    """Where its addresses for Apprise are read from, one a line. They contain passwords."""
    name: str = ""
    """What messages about it call it."""
    on: tuple[Literal["report", "due", "move"], ...] = ("report", "due")
    """What it tells: reports are out, a deadline is near, the side has to move."""
    games: tuple[str, ...] = ()
    """The games that it tells of; empty: all."""
    side: str = ""
    """For the players of one side: it also tells what only they may know, whether they owe orders.
    Empty: for everybody."""


class Digest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """When the moderator gets a mail with the state of all games."""

    at: str = "07:00"
    on: tuple[Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"], ...] = ()
    """The days of the week; empty: every day."""
    zone: str = "UTC"


class Config(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The whole file."""

    address: str = ""
    """The address that games write from; `{game}` in it stands for the game's name."""
    moderator: str = ""
    """The address that gets alerts, and mail without orders."""
    null_sender: bool = True
    """Whether answers leave with an empty envelope sender (RFC 3834); some providers refuse it."""
    order_page: Literal["off", "on", "url"] = "off"
    """Whether reports bring the order page: `on` as an attachment, `url` as a link."""
    order_page_url: str = ""
    """The address of the order page, for `url`."""
    mailbox: MaildirBox | ImapBox | None = None
    delivery: FilesDelivery | MaildirDelivery | SendmailDelivery | SmtpDelivery | None = None
    """None: not decided yet. Mail then waits in the outboxes for a delivery."""
    limits: Limits = Limits()
    notify: tuple[Hook, ...] = ()
    digest: Digest | None = None
    """None: the moderator gets no digest."""
    club: Club | None = None
    """None: the home has no club."""

    @property
    def sends(self) -> bool:
        """Whether ticks send mail."""
        return self.delivery is not None and not isinstance(self.delivery, FilesDelivery)


QUOTES = 'text stands in quotes: address = "games@example.org"'
_SECRET = 'write { file = "FILE" } or { env = "NAME" }, never the password itself'
EXAMPLES = {
    "order_page": 'write "on", "off" or "url"',
    "mailbox.tls": 'write "implicit", "starttls" or "none"',
    "delivery.tls": 'write "implicit", "starttls" or "none"',
    "mailbox.password": _SECRET,
    "delivery.password": _SECRET,
    "notify.urls": _SECRET.replace("password", "address"),
}
"""Hints for the keys that not every text fits."""
FORMER = {"desk": "order_page", "desk_url": "order_page_url"}
"""Keys of release 0.1.0 and the keys of today. Files with the former ones stay readable."""
TABLES: dict[str, type[msgspec.Struct]] = {
    "limits": Limits,
    "club": Club,
    "notify": Hook,
    "digest": Digest,
}
"""Tables without a `kind`, for the hints of errors."""
KINDS: dict[str, dict[str, type[msgspec.Struct]]] = {
    "mailbox": {"maildir": MaildirBox, "imap": ImapBox},
    "delivery": {
        "files": FilesDelivery,
        "maildir": MaildirDelivery,
        "sendmail": SendmailDelivery,
        "smtp": SmtpDelivery,
    },
}
"""Tables with a `kind`: what each kind holds."""


def load(home: Path) -> Config:
    """Read the configuration of a home; without a file it is the default. Raises Misprint."""
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
    """Parse the configuration in `text`.

    where: the file's name. Raises Misprint with file, line, key, the reason and what is allowed.
    """
    import tomllib

    try:
        found = tomllib.loads(text)
        config = msgspec.convert(_tagged(found), Config)
        _require_sense(config)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError, _InvalidValue) as error:
        raise _located(error, text, where) from None
    return config


class _InvalidValue(Exception):  # noqa: N818
    """A value that has the right type but cannot be used. path: its keys, joined by dots."""

    def __init__(self, path: str, message: str, hint: str) -> None:
        super().__init__(message)
        self.path, self.message, self.hint = path.split("."), message, hint


def _located(error: Exception, text: str, where: str) -> Misprint:
    """Find the place in the file that an error is about.

    The modules that find places are imported only here: a correct file never needs them.
    """
    from pbem.text.toml_input import misprint, tables, typed

    if isinstance(error, _InvalidValue):
        return misprint(text, where, error.path, "value", error.message, error.hint)
    try:
        found = tables(text, where, f"{QUOTES}; docs/moderator.md shows a whole file")
        typed(_tagged(found), Config, text, where, lambda path: f"keys here: {_keys(path, found)}")
    except Misprint as located:
        return located
    raise error


def _tagged(found: dict[str, object]) -> dict[str, object]:
    """Rename former keys, and `kind` to the `type` by which msgspec picks a struct.

    Raises _InvalidValue for an unknown kind.
    """
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
            wrong = f"{name}.kind is {kind!r}" if kind else f"{name} has no kind"
            raise _InvalidValue(f"{name}.kind", wrong, f"it is one of {', '.join(kinds)}")
        tagged[name] = {"type": kind, **{k: v for k, v in table.items() if k != "kind"}}
    return tagged


def _keys(path: Sequence[str | int], found: dict[str, object]) -> str:
    """List the keys that are allowed in the table that `path` leads to, or the values that a key of
    few can have, for a hint."""
    if example := EXAMPLES.get(".".join(key for key in path if isinstance(key, str))):
        return example
    top = str(path[0]) if path else ""
    table = found.get(top)
    fields: type[msgspec.Struct] = TABLES.get(top, Config)
    if top in KINDS and isinstance(table, dict):
        fields = KINDS[top].get(str(table.get("kind")), Config)
    if "password" in path[1:] or "urls" in path[1:]:
        fields = Secret
    kind = ["kind"] if top in KINDS and fields is not Secret else []
    return ", ".join(kind + list(fields.__struct_fields__))


def _require_sense(config: Config) -> None:
    """Check what the types cannot: addresses, and settings that depend on each other.

    Raises _InvalidValue.
    """
    for key in ("address", "moderator"):
        value = getattr(config, key).replace("{game}", "g1")
        if value and not is_address(value):
            wrong = f"{key} is {getattr(config, key)!r}"
            raise _InvalidValue(key, wrong, "a plain address: games@example.org")
    _require_page_url(config)
    _require_club(config)
    _require_hooks(config)
    if config.sends and not config.address:
        hint = 'mail needs a sender: address = "games@example.org"'
        raise _InvalidValue("delivery", "address is missing", hint)
    if isinstance(config.delivery, SmtpDelivery) and config.delivery.user:
        _require_secret(config.delivery.password, "delivery.password")
    if isinstance(config.mailbox, ImapBox):
        _require_secret(config.mailbox.password, "mailbox.password")


def _require_page_url(config: Config) -> None:
    """Check the order page's address, which must stand whole on one line of a mail.

    Raises _InvalidValue.
    """
    url = config.order_page_url
    plain = url.isascii() and url.isprintable() and not set(url) & set(" <>\"'\\")
    if url and not (url.startswith("https://") and plain and len(url) <= LONGEST_URL):
        hint = f"a plain https address of at most {LONGEST_URL} characters"
        raise _InvalidValue("order_page_url", f"order_page_url is {url!r}", hint)
    if config.order_page == "url" and not url:
        hint = 'order_page = "url" needs the address of the page that `pbem page -o FILE` wrote'
        raise _InvalidValue("order_page", "order_page_url is missing", hint)


def _require_club(config: Config) -> None:
    """Check the club's name and address, which pages and headers of mails contain. Raises
    _InvalidValue."""
    if (club := config.club) is None:
        return
    if not (0 < len(club.name) <= 60 and club.name.isprintable()):
        raise _InvalidValue("club.name", f"club.name is {club.name!r}", "up to 60 characters")
    plain = club.url.isascii() and club.url.isprintable() and not set(club.url) & set(" <>\"'\\")
    if club.url and not (plain and club.url.startswith("https://") and club.url.endswith("/")):
        hint = "a plain https address that ends in /"
        raise _InvalidValue("club.url", f"club.url is {club.url!r}", hint)


def _require_hooks(config: Config) -> None:
    """Check the hooks and the time of the digest. Raises _InvalidValue."""
    for hook in config.notify:
        _require_secret(hook.urls, "notify.urls")
        if "move" in hook.on and not hook.side:
            hint = 'name the side whose players it is for: side = "german"'
            raise _InvalidValue("notify.on", "a hook without a side tells nobody to move", hint)
    if config.digest:
        _require_moment(config.digest)


def _require_moment(digest: Digest) -> None:
    """Check time and zone of the digest. Raises _InvalidValue."""
    from datetime import time

    from pbem.base.clock import zone

    try:
        time.fromisoformat(digest.at if len(digest.at) == 5 else "")
    except ValueError:
        hint = 'a time of day: at = "07:00"'
        raise _InvalidValue("digest.at", f"digest.at is {digest.at!r}", hint) from None
    try:
        zone(digest.zone)
    except Usage as error:
        raise _InvalidValue("digest.zone", error.message, error.hint) from None


def _require_secret(secret: Secret, key: str) -> None:
    if bool(secret.env) == bool(secret.file):
        hint = 'write { env = "NAME" } or { file = "PATH" }'
        raise _InvalidValue(key, f"{key} must name exactly one place", hint)


def is_address(text: str) -> bool:
    """Whether `text` is one plain address: printable ASCII, one @, at most 254 characters.

    The characters that separate addresses in a header are refused, and so is a leading `-`, which
    the sendmail command would read as an option.
    """
    user, _, host = text.partition("@")
    plain = text.isascii() and text.isprintable() and not set(text) & set(' ,;:<>()[]"\\')
    return bool(plain and user and host and "@" not in host and user[0] != "-" and len(text) <= 254)


def require_address(text: str) -> None:
    """Raise Usage unless mail can be sent there."""
    if not is_address(text):
        raise Usage(f"{text!r} is not a plain address", "write it as player@example.org")


def secret(home: Path, source: Secret) -> str:
    """Read a password. Raises NotFound, or Usage if others may read its file or it is no text."""
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
    except UnicodeDecodeError:
        raise Usage(f"{path} is not text in UTF-8", "write the password into it again") from None
    if os.name == "posix" and mode & 0o077:
        raise Usage(f"{path} may be read by others", f"chmod 600 {path}")
    return text.strip("\r\n")


def address_of(config: Config, game: str) -> str:
    """The address that a game writes from; `.invalid` (RFC 2606) if none is configured."""
    return config.address.replace("{game}", game) if config.address else f"{game}@pbem.invalid"
