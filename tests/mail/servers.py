"""Dovecot and Postfix on loopback ports of the test's own, configured in a temporary folder.

They run as root drops them, deliver to one Maildir each user, and take mail for example.org
alone; whatever else is addressed is refused by Postfix itself, so that nothing leaves the machine.
Each has a port in the open, one that begins in the open and goes on under TLS, and one under TLS
from the start; mail under TLS is taken from whoever gives the password.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Callable
from datetime import UTC, datetime
from ipaddress import IPv4Address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

LOCAL = IPv4Address("127.0.0.1")
USERS = (
    "games",
    "encrypted",
    "hunt",
    "mod",
    "fox",
    "hunter",
    "vixen",
    "hound",
    "british",
    "german",
    "wire",
    "piped",
    "tovey",
    "spee",
    "admiralty",
)
PASSWORD = "pass word"


def missing(*programs: str) -> str:
    """Why the servers cannot run here; empty when they can."""
    path = os.environ.get("PATH", "") + ":/usr/sbin:/usr/lib/postfix/sbin"
    gone = [p for p in programs if not shutil.which(p, path=path)]
    if gone:
        return f"{', '.join(gone)} not installed"
    return "" if os.geteuid() == 0 else "mail servers are started by root alone"


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def until(true: Callable[[], object], seconds: float = 15.0) -> bool:
    """Whether a condition becomes true in time."""
    give_up = time.monotonic() + seconds
    while time.monotonic() < give_up:
        if true():
            return True
        time.sleep(0.02)
    return False


def listens(port: int) -> bool:
    with socket.socket() as one:
        one.settimeout(0.2)
        return one.connect_ex(("127.0.0.1", port)) == 0


def dovecot_version() -> tuple[int, ...]:
    """2, 3 of Debian 12, whose settings have other names from 2, 4 on."""
    said = subprocess.run(["/usr/sbin/dovecot", "--version"], capture_output=True, check=True)
    return tuple(map(int, said.stdout.decode().split()[0].split(".")[:2]))


def dovecot_23(root: Path) -> str:
    """The settings of Dovecot 2.3 that have other names in later ones."""
    return f"""
protocols = imap
ssl_cert = <{root}/cert.pem
ssl_key = <{root}/key.pem
disable_plaintext_auth = no
mail_location = maildir:{root}/mail/%n
mail_home = {root}/mail/%n
passdb {{
  driver = passwd-file
  args = username_format=%d {root}/users
}}
userdb {{
  driver = static
  args = uid=65534 gid=65534 home={root}/mail/%n
}}
"""


def dovecot_24(root: Path) -> str:
    """The same settings as Dovecot 2.4 has them."""
    return f"""
dovecot_config_version = 2.4.0
dovecot_storage_version = 2.4.0
protocols = imap
ssl_server_cert_file = {root}/cert.pem
ssl_server_key_file = {root}/key.pem
auth_allow_cleartext = yes
mail_driver = maildir
mail_path = {root}/mail/%{{user | username}}
mail_home = {root}/mail/%{{user | username}}
passdb passwd-file {{
  passwd_file_path = {root}/users
  auth_username_format = %{{user | domain}}
}}
userdb static {{
  fields {{
    uid = 65534
    gid = 65534
    home = {root}/mail/%{{user | username}}
  }}
}}
"""


class Dovecot:
    """IMAP over the Maildirs below `root`/mail, whose owner is `vmail`'s stand-in, nobody."""

    def __init__(self, root: Path) -> None:
        self.root, self.port, self.tls = root, free_port(), free_port()
        (root / "users").write_text(f"example.org:{{PLAIN}}{PASSWORD}::::::\n")
        dialect = dovecot_24 if dovecot_version() >= (2, 4) else dovecot_23
        (root / "dovecot.conf").write_text(f"""{dialect(root)}base_dir = {root}/run
state_dir = {root}/state
log_path = {root}/dovecot.log
listen = 127.0.0.1
ssl = yes
auth_mechanisms = plain login
auth_failure_delay = 0
first_valid_uid = 1
mail_uid = 65534
mail_gid = 65534
default_login_user = nobody
default_internal_user = nobody
default_internal_group = nogroup
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {self.port}
  }}
  inet_listener imaps {{
    port = {self.tls}
    ssl = yes
  }}
}}
service anvil {{
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
service auth {{
  unix_listener auth-postfix {{
    mode = 0666
  }}
}}
""")
        command = ["/usr/sbin/dovecot", "-F", "-c", str(root / "dovecot.conf")]
        with (root / "dovecot.out").open("wb") as out:
            self._running = subprocess.Popen(command, stdout=out, stderr=out)
        assert until(lambda: listens(self.port)), (root / "dovecot.out").read_text()

    def stop(self) -> None:
        self._running.terminate()
        self._running.wait(timeout=10)


class Postfix:
    """SMTP that delivers example.org into the Maildirs below `root`/mail, and nothing else. What is
    for `piped` goes there through a pipe, as programs get it that read a mail."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.port, self.starttls, self.tls = free_port(), free_port(), free_port()
        self.config = root / "postfix"
        self.config.mkdir()
        for part in ("queue", "data"):
            (root / part).mkdir()
        shutil.chown(root / "data", "postfix")
        (root / "mailboxes").write_text("".join(f"{u}@example.org {u}/\n" for u in USERS))
        (root / "transports").write_text("piped@example.org referee:\n")
        program = root / "lay.sh"
        program.write_text('#!/bin/sh\ncat >"$1/tmp/$2" && mv "$1/tmp/$2" "$1/new/"\n')
        program.chmod(0o755)
        for part in ("", "tmp", "new"):
            (root / "mail" / "piped" / part).mkdir()
            os.chown(root / "mail" / "piped" / part, 65534, 65534)
        (self.config / "main.cf").write_text(f"""
compatibility_level = 3.6
queue_directory = {root}/queue
data_directory = {root}/data
command_directory = /usr/sbin
daemon_directory = /usr/lib/postfix/sbin
maillog_file = {root}/postfix.log
maillog_file_prefixes = {root}
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
mynetworks = 127.0.0.0/8
myhostname = mail.example.org
mydestination =
relay_domains =
local_transport = error:no local users here
default_transport = error:nothing leaves this machine
relay_transport = error:nothing leaves this machine
virtual_mailbox_domains = example.org
virtual_mailbox_base = {root}/mail
virtual_mailbox_maps = texthash:{root}/mailboxes
transport_maps = texthash:{root}/transports
referee_destination_recipient_limit = 1
virtual_minimum_uid = 1
virtual_uid_maps = static:65534
virtual_gid_maps = static:65534
virtual_alias_maps =
alias_maps =
smtpd_relay_restrictions = permit_mynetworks, reject
smtpd_recipient_restrictions = permit_mynetworks, reject
smtpd_tls_cert_file = {root}/cert.pem
smtpd_tls_key_file = {root}/key.pem
smtpd_tls_auth_only = yes
smtpd_error_sleep_time = 0
smtpd_sasl_type = dovecot
smtpd_sasl_path = {root}/run/auth-postfix
biff = no
import_environment = MAIL_CONFIG MAIL_DEBUG MAIL_LOGTAG TZ LANG=C
""")
        known = "permit_sasl_authenticated,reject"
        asks = (
            f"-o smtpd_sasl_auth_enable=yes -o smtpd_relay_restrictions={known} "
            f"-o smtpd_recipient_restrictions={known}"
        )
        (self.config / "master.cf").write_text(f"""
127.0.0.1:{self.port} inet n - n - - smtpd
127.0.0.1:{self.starttls} inet n - n - - smtpd
  -o smtpd_tls_security_level=encrypt {asks}
127.0.0.1:{self.tls} inet n - n - - smtpd
  -o smtpd_tls_wrappermode=yes {asks}
tlsmgr unix - - n 1000? 1 tlsmgr
pickup unix n - n 1 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 1 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
smtp unix - - n - - smtp
error unix - - n - - error
retry unix - - n - - error
discard unix - - n - - discard
virtual unix - n n - - virtual
referee unix - n n - - pipe
  flags=FDOR user=nobody:nogroup argv={program} {root}/mail/piped ${{queue_id}}
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
""")
        self._run("start")
        assert until(lambda: listens(self.port)), self.log()

    def log(self) -> str:
        path = self.root / "postfix.log"
        return path.read_text() if path.exists() else "no log"

    def stop(self) -> None:
        self._run("stop")

    def waits(self) -> bool:
        """Whether mail is still in the queue."""
        parts = ("maildrop", "incoming", "active", "deferred")
        return any(p.is_file() for part in parts for p in (self.root / "queue" / part).rglob("*"))

    def sendmail(self) -> list[str]:
        """The sendmail command of this Postfix."""
        return ["/usr/sbin/sendmail", "-C", str(self.config)]

    def _run(self, what: str) -> None:
        command = ["/usr/sbin/postfix", "-c", str(self.config), what]
        done = subprocess.run(command, capture_output=True, timeout=30, check=False)
        assert done.returncode == 0 or what == "stop", done.stderr.decode() + self.log()


def certify(root: Path) -> None:
    """Make a self-signed certificate for 127.0.0.1: root/cert.pem and root/key.pem."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    begin = datetime(2020, 1, 1, tzinfo=UTC)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), 1, begin, begin.replace(year=2120))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(LOCAL)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    (root / "cert.pem").write_bytes(made.public_bytes(Encoding.PEM))
    (root / "key.pem").write_bytes(
        key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    )


class Servers:
    """Dovecot and Postfix, in a folder that their users may enter."""

    def __init__(self, root: Path) -> None:
        root.chmod(0o755)
        (root / "mail").mkdir()
        os.chown(root / "mail", 65534, 65534)
        certify(root)
        self.root, self.certificate = root, root / "cert.pem"
        self.dovecot = Dovecot(root)
        try:
            self.postfix = Postfix(root)
        except BaseException:
            self.dovecot.stop()
            raise

    def stop(self) -> None:
        self.postfix.stop()
        self.dovecot.stop()

    def holds(self, user: str) -> int:
        """The number of mails in a user's Maildir."""
        return len(self.kept(user))

    def kept(self, user: str) -> list[Path]:
        """The files of a user's mails."""
        found = (self.root / "mail" / user).glob("*/*")
        return [p for p in found if p.parent.name in ("new", "cur") and p.is_file()]
