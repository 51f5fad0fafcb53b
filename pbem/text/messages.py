"""The texts of the referee's small mails: `templates/base/notes.toml`, filled in.

They are sentences with a few names, so they need no template and Jinja is not loaded.
"""

from __future__ import annotations

from typing import NamedTuple

from pbem.data import TEMPLATES, table
from pbem.model import Plain

FILE = "base/notes.toml"


class Note(NamedTuple):
    """The text of a mail. subject: without the name of the game, which precedes it."""

    subject: str
    text: str

    def with_part(self, name: str, **facts: object) -> Note:
        """The same mail with a `part` after its text."""
        return self._replace(text=self.text + part(name, **facts))


def worded(note: str, **facts: object) -> Note:
    """The small mail of that name. Raises KeyError for an unknown name or a missing fact."""
    words: dict[str, str] = table(TEMPLATES, FILE)[note]
    return Note(words["subject"].format(**facts), words["text"].format(**facts))


def phrase(name: str, **facts: object) -> str:
    """A line of a report, a page or another mail. Raises KeyError as `worded`."""
    return str(_of("phrases")[name]).format(**facts)


def right(name: str) -> str:
    """Why a key came after the set-up: `officer`, or the reason for a replacement. Raises
    KeyError."""
    return str(_of("rights")[name])


def part(name: str, **facts: object) -> str:
    """A text for another mail or a file. Raises KeyError as `worded`."""
    return str(_of("parts")[name]).format(**facts)


def _of(group: str) -> Plain:
    words: Plain = table(TEMPLATES, FILE)[group]
    return words
