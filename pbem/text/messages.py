"""Texts of the referee's short mails, from `templates/base/notes.toml`.

They are sentences with a few names to fill in, so they need no template, and Jinja is not loaded.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from pbem.data import TEMPLATES, table
from pbem.model import Plain
from pbem.roles import role_of, side_of
from pbem.text.layout import localised

FILE = "base/notes.toml"


class Note(Struct, frozen=True):
    """The text of a mail. subject: without the game's name, which the mail puts before it."""

    subject: str
    text: str

    def with_part(self, name: str, **facts: object) -> Note:
        """Return the mail with a `part` added to its text."""
        return replace(self, text=self.text + part(name, **facts))


def subject_of(game: str, said: Note, tz: str = "", dates: str = "") -> str:
    """Return the subject of a short mail: `[hunt] Deadline moved to Fri 27 Nov 20:00`.

    game: its name; tz: the zone of the reader's times; dates: as for `pbem.text.layout.when`.
    """
    text = localised(said.subject, tz, short=True, dates=dates)
    return f"[{game}] {text[:1].upper()}{text[1:]}"


def fill_note(note: str, **facts: object) -> Note:
    """Return the mail of that name, filled in. Raises KeyError for an unknown name or a missing
    fact."""
    words: dict[str, str] = table(TEMPLATES, FILE)[note]
    facts |= _named(facts)
    return Note(words["subject"].format(**facts), words["text"].format(**facts))


def phrase(name: str, **facts: object) -> str:
    """Return a phrase for a report, a page or another mail. Raises KeyError as `fill_note`."""
    return str(_of("phrases")[name]).format(**facts, **_named(facts))


def right(name: str) -> str:
    """Return in words why a key was added after the set-up. name: `officer`, or the reason of a
    change. Raises KeyError."""
    return str(_of("rights")[name])


def part(name: str, **facts: object) -> str:
    """Return a paragraph for another mail or a file. Raises KeyError as `fill_note`."""
    return str(_of("parts")[name]).format(**facts, **_named(facts))


def name_of(seat: str) -> str:
    """The word of a side or seat as a name: `royal_navy` is Royal Navy, `nato.air` is NATO, air
    officer. Of several, parted by commas, all."""
    return ", ".join(map(_name, seat.split(", ")))


def the_side(seat: str) -> str:
    """The word of a side or seat inside a sentence, where a name such as German would read as an
    adjective: `german` is the German side, `nato.air` the NATO air officer."""
    if role := role_of(seat):
        return f"the {_name(side_of(seat))} {role.replace('_', ' ')} officer"
    return f"the {_name(seat)} side"


def the_sides(seats: Sequence[str]) -> str:
    """Several sides or seats inside a sentence: the German and British sides."""
    if len(seats) > 1 and not any(map(role_of, seats)):
        return f"the {_listed([_name(seat) for seat in seats])} sides"
    return _listed([the_side(seat) for seat in seats])


def _listed(words: Sequence[str]) -> str:
    """Words as a sentence lists them: `one, two and three`."""
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


def spelled() -> Mapping[str, str]:
    """The words in names of sides that are no words: `nato` is NATO."""
    found: Mapping[str, str] = _of("names")
    return found


def _name(seat: str) -> str:
    """One seat's name."""
    words = [spelled().get(word, word.title()) for word in side_of(seat).split("_")]
    role = role_of(seat).replace("_", " ")
    return " ".join(words) + (f", {role} officer" if role else "")


def _named(facts: Plain) -> Plain:
    """Of the facts `side`, `seat` and `sides`, which are words of commands, also the names, alone
    and for the inside of a sentence."""
    found = {word.title(): name_of(str(facts[word])) for word in ("side", "sides") if word in facts}
    for word in ("side", "seat"):
        if word in facts:
            found[f"the_{word}"] = said = the_side(str(facts[word]))
            found[f"The_{word}"] = said[0].upper() + said[1:]
    if "sides" in facts:
        found["the_sides"] = the_sides(str(facts["sides"]).split(", "))
    return found


def _of(group: str) -> Plain:
    words: Plain = table(TEMPLATES, FILE)[group]
    return words
