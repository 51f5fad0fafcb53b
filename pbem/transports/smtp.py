"""Delivery to a mail server by SMTP: at least once, with identical bytes (RFC 5321)."""

from __future__ import annotations

import smtplib
import ssl

from pbem.config import SmtpDelivery
from pbem.transports import Later, Never, Once, Outgoing, Sent

PORTS = {"implicit": 465, "starttls": 587, "none": 25}


class Smtp:
    """One connection for all the mails of a tick, made when the first one leaves."""

    def __init__(self, way: SmtpDelivery, password: str, ca: str | None = None) -> None:
        self._way, self._password, self._ca = way, password, ca
        self._server: smtplib.SMTP | None = None
        self._down = ""

    def deliver(self, mail: Outgoing, once: Once) -> None:
        """Send one mail; some of several recipients may be refused, then Never names none of
        the others. Raises Later, Never."""
        try:
            refused = self._connection().sendmail(mail.sender, list(mail.to), mail.content)
        except smtplib.SMTPRecipientsRefused as error:
            raise _refusal(error.recipients) from None
        except smtplib.SMTPResponseException as error:
            self._drop()
            raise _answered(error.smtp_code, error.smtp_error) from None
        except (smtplib.SMTPException, OSError) as error:
            self._drop()
            raise Later(f"{self._way.host}: {error}") from None
        once()
        if refused:
            raise _refusal(refused)

    def finish(self, game: str, sent: Sent) -> None:
        """What was recorded was taken by the server before; nothing is left to do."""

    def close(self) -> None:
        """Say goodbye."""
        if self._server is not None:
            try:
                self._server.quit()
            except (smtplib.SMTPException, OSError):
                self._drop()

    def _connection(self) -> smtplib.SMTP:
        """The open connection. One that could not be made is not tried again this time."""
        if self._down:
            raise Later(self._down)
        if self._server is None:
            try:
                self._server = self._connect()
            except (smtplib.SMTPException, OSError) as error:
                self._down = f"{self._way.host}: {error}"
                raise Later(self._down) from None
        return self._server

    def _connect(self) -> smtplib.SMTP:
        way, port = self._way, self._way.port or PORTS[self._way.tls]
        context = ssl.create_default_context(cafile=self._ca) if way.tls != "none" else None
        if way.tls == "implicit":
            server: smtplib.SMTP = smtplib.SMTP_SSL(
                way.host, port, timeout=way.timeout, context=context
            )
        else:
            server = smtplib.SMTP(way.host, port, timeout=way.timeout)
        try:
            if way.tls == "starttls":
                server.starttls(context=context)
            if way.user:
                server.login(way.user, self._password)
        except (smtplib.SMTPException, OSError):
            server.close()
            raise
        return server

    def _drop(self) -> None:
        if self._server is not None:
            self._server.close()
            self._server = None


def _answered(code: int, text: bytes | str) -> Later | Never:
    said = text.decode("ascii", "replace") if isinstance(text, bytes) else text
    if 500 <= code < 600 and code not in (530, 534, 535, 538):  # log-in may be mended
        return Never(str(code), said)
    return Later(f"{code} {said}")


def _refusal(recipients: dict[str, tuple[int, bytes]]) -> Later | Never:
    """The gravest answer to the recipients that were refused; addresses stay out of it."""
    code, text = max(recipients.values())
    return _answered(code, text)
