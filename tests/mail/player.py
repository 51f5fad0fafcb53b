"""A player with a mailbox, a folder and a mail program. The player cannot read the home: everything
arrives by IMAP."""

from __future__ import annotations

import os
import smtplib
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from email import message_from_bytes
from email.message import Message
from imaplib import IMAP4
from pathlib import Path

from tests.mail.servers import PASSWORD, Servers, until

Arguments = Callable[["Player", str, str, Sequence[Path]], list[str]]


def by_swaks(me: Player, to: str, subject: str, files: Sequence[Path]) -> list[str]:
    found = [
        "swaks",
        "--server",
        f"127.0.0.1:{me.port}",
        "--from",
        me.address,
        "--to",
        to,
        "--header",
        f"Subject: {subject}",
        "--body",
        "-",
    ]
    for file in files:
        kind = "text/plain" if file.suffix in (".txt", ".sig") else "application/octet-stream"
        found += ["--attach-type", kind, "--attach-name", file.name, "--attach", f"@{file}"]
    return found


def by_s_nail(me: Player, to: str, subject: str, files: Sequence[Path]) -> list[str]:
    attached = [word for file in files for word in ("-a", str(file))]
    return [
        "s-nail",
        "-:/",
        "-Sv15-compat",
        f"-Smta=smtp://127.0.0.1:{me.port}",
        "-Ssmtp-auth=none",
        "-Shostname=example.org",
        "-r",
        me.address,
        "-s",
        subject,
        *attached,
        to,
    ]


def by_mutt(me: Player, to: str, subject: str, files: Sequence[Path]) -> list[str]:
    rc = me.folder / "muttrc"
    rc.write_text(
        f'set from="{me.address}"\nset use_envelope_from=yes\nset hostname="example.org"\n'
        f'set smtp_url="smtp://127.0.0.1:{me.port}"\nset copy=no\nset text_flowed=yes\n'
        "set ssl_starttls=no\nset ssl_force_tls=no\n"
    )
    attached = ["-a", *map(str, files)] if files else []
    return ["mutt", "-n", "-F", str(rc), "-s", subject, *attached, "--", to]


PROGRAMS: dict[str, Arguments] = {"swaks": by_swaks, "s-nail": by_s_nail, "mutt": by_mutt}


class Player:
    """A user of the mail servers. folder: where the player keeps files."""

    def __init__(self, servers: Servers, user: str, folder: Path) -> None:
        self.address, self.folder, self.port = f"{user}@example.org", folder, servers.postfix.port
        self._servers, self._seen = servers, 0
        self.mails: list[Message] = []
        folder.mkdir()

    def fetches(self) -> list[Message]:
        """Fetch the new mails of the mailbox by IMAP."""
        box = IMAP4("127.0.0.1", self._servers.dovecot.port)
        try:
            box.login(self.address, PASSWORD)
            box.select(readonly=True)
            _, found = box.uid("SEARCH", f"UID {self._seen + 1}:*")
            uids = [uid for uid in map(int, found[0].split()) if uid > self._seen]
            new = [self._fetch(box, uid) for uid in uids]
            self._seen = max([self._seen, *uids])
        finally:
            box.logout()
        self.mails += new
        return new

    @staticmethod
    def _fetch(box: IMAP4, uid: int) -> Message:
        _, (part, *_) = box.uid("FETCH", str(uid), "(BODY.PEEK[])")
        assert isinstance(part, tuple)
        return message_from_bytes(part[1])

    def waits_until(self, true: Callable[[], object]) -> None:
        """Poll the mailbox until a condition is true."""
        came = until(lambda: true() or (self.fetches() and true()))
        subjects = [str(m["Subject"]) for m in self.mails]
        assert came, f"{subjects}\n{self._servers.postfix.log()}"

    def waits_for(self, *words: str) -> Message:
        """Wait for a mail whose subject has these words; return the newest."""

        def found() -> list[Message]:
            return [m for m in self.mails if all(w in str(m["Subject"]) for w in words)]

        self.waits_until(found)
        return found()[-1]

    def sends(
        self,
        program: str,
        text: str,
        files: Sequence[Path] = (),
        subject: str = "orders",
        to: str = "games@example.org",
    ) -> None:
        """A mail by that program, which has arrived when this returns."""
        with self._arrival(to):
            done = subprocess.run(
                PROGRAMS[program](self, to, subject, files),
                input=text.encode(),
                cwd=self.folder,
                env={"PATH": os.environ["PATH"], "HOME": str(self.folder), "LC_ALL": "C.UTF-8"},
                capture_output=True,
                timeout=30,
                check=False,
            )
            log = self._servers.postfix.log().encode()
            assert done.returncode == 0, done.stdout + done.stderr + log

    def mails_out(self, text: str, to: str = "games@example.org", subject: str = "orders") -> None:
        """A plain mail by SMTP, which has arrived when this returns."""
        head = f"From: {self.address}\nTo: {to}\nSubject: {subject}\n\n"
        with self._arrival(to), smtplib.SMTP("127.0.0.1", self.port) as server:
            server.sendmail(self.address, [to], (head + text).encode("ascii"))

    @contextmanager
    def _arrival(self, to: str) -> Iterator[None]:
        """A context that ends when the mail sent inside it has arrived."""
        user = to.partition("@")[0]
        before = self._servers.holds(user)
        yield
        assert until(lambda: self._servers.holds(user) > before), self._servers.postfix.log()


def files_of(mail: Message) -> dict[str, bytes]:
    """The attachments of a mail by name."""
    found = {}
    for part in mail.walk():
        content = part.get_payload(decode=True)
        if (name := part.get_filename()) and isinstance(content, bytes):
            found[name] = content
    return found
