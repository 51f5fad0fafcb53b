"""What IMAP and SMTP share: which certificates to trust, and connection errors in words."""

from __future__ import annotations

import ssl

from pbem.base.config import Tls


def context_of(tls: Tls, ca: str | None) -> ssl.SSLContext | None:
    """Make the TLS context of a connection, None for a connection without TLS.

    ca: a file of certificates to trust; None: those of the public authorities. Raises OSError
    with the name of that file.
    """
    if tls == "none":
        return None
    try:
        return ssl.create_default_context(cafile=ca)
    except ssl.SSLError:
        raise OSError(f"{ca} does not contain a certificate") from None
    except OSError as error:
        raise OSError(f"{ca}: {error.strerror}") from None


def in_words(error: Exception) -> str:
    """Describe an error on one line, with the remedy if it is known."""
    if isinstance(error, ssl.SSLCertVerificationError):
        why = error.verify_message or "unknown"
        return f'its certificate is not trusted ({why}); pbem.toml names one by ca = "FILE"'
    if isinstance(error, UnicodeEncodeError) and error.encoding == "ascii":
        return "its user, password or folder has characters beyond ASCII, which cannot be sent"
    return " ".join(str(error).split())[:200] or type(error).__name__
