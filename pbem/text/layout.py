"""Lay out plain text in 72 columns: folding to ASCII, wrapping, tables, dates. Pure functions."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, tzinfo
from typing import Any

import msgspec

WIDTH = 72
"""Columns of a mailed text. Quoted twice with `> ` it still fits a terminal of 80 columns."""

NARROW = 12
"""Columns that the last cell of a table needs; with fewer, it wraps below the row."""

NAMED = 8
"""Names that a sentence takes; of more it says how many there are."""

DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")

# Letters and signs that Unicode decomposition (NFD) does not turn into ASCII by itself.
FOLDS = str.maketrans(
    {
        "\u2018": "'",
        "\u2019": "'",
        "\u201a": "'",
        "\u201c": '"',
        "\u201d": '"',
        "\u201e": '"',
        "\u2010": "-",
        "\u2011": "-",
        "\u2012": "-",
        "\u2013": "-",
        "\u2014": "-",
        "\u2212": "-",
        "\u2026": "...",
        "\u00a0": " ",
        "\u00b7": "-",
        "\u2022": "*",
        "\u00d7": "x",
        "\u00b0": " deg",
        "\u00df": "ss",
        "\u00e6": "ae",
        "\u00c6": "AE",
        "\u00f8": "o",
        "\u00d8": "O",
        "\u0153": "oe",
        "\u0152": "OE",
        "\u00f0": "d",
        "\u00d0": "D",
        "\u00fe": "th",
        "\u00de": "Th",
        "\u0142": "l",
        "\u0141": "L",
        "\u0131": "i",
        "\u0111": "d",
    }
)


def ascii_fold(text: str) -> str:
    """Fold a text to one line of printable ASCII: letters lose their accents, and a character
    without an equivalent becomes `?`."""
    if text.isascii() and text.isprintable():
        return text
    import unicodedata

    split = unicodedata.normalize("NFD", text.translate(FOLDS))
    kept = (c for c in split if unicodedata.category(c) not in ("Mn", "Cf"))
    return "".join(c if " " <= c <= "~" else " " if c in "\t\r\n" else "?" for c in kept)


def ascii_lines(page: str) -> str:
    """Fold a page line by line. Its data was folded before; this catches what was missed."""
    return page if page.isascii() else "\n".join(map(ascii_fold, page.split("\n")))


def printable(text: str) -> str:
    """Replace control characters and direction marks by spaces, for HTML. With direction marks, a
    name could change how the text around it reads."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else " " for c in text)


def wrap(text: str, indent: str = "", hang: str | None = None, width: int = WIDTH) -> str:
    """Fill `text` into lines of at most `width` columns.

    indent: begins the first line; hang: begins the others (default: as many spaces as `indent` is
    long). A word that is too long for a line is cut. An indent of more than half a line is treated
    as text.
    """
    if len(indent) > width // 2:
        text, indent, hang = f"{indent} {text}", "", "    "
    pad = " " * len(indent) if hang is None else hang[: width // 2]
    rest, lead, lines = " ".join(text.split()), indent, []
    while len(lead) + len(rest) > width:
        room = width - len(lead)
        space = rest.rfind(" ", 0, room + 1)
        cut = space if space > 0 else rest.rfind("|", 0, room) + 1 or room
        lines.append(lead + rest[:cut])
        rest, lead = rest[cut:].lstrip(" "), pad
    return "\n".join([*lines, lead + rest])


def flow(items: Sequence[str], gap: str = "   ", indent: str = "", width: int = WIDTH) -> str:
    """Put items side by side, `gap` between them; an item that does not fit begins a new line.

    After an item that wraps, the next item begins a new line too.
    """
    lines: list[str] = []
    full = True
    for item in items:
        if not full and len(lines[-1]) + len(gap) + len(item) <= width:
            lines[-1] += gap + item
            continue
        wrapped = wrap(item, indent, indent + "  ", width).split("\n")
        lines += wrapped
        full = len(wrapped) > 1
    return "\n".join(lines)


def table(rows: Sequence[Sequence[str]], head: Sequence[str], width: int = WIDTH) -> str:
    """Lay out a table with a line under its head. The last column wraps; empty columns are left
    out.

    A row may be longer than the head: its further cells are put below, under the last column.
    """
    count = len(head)
    kept = [i for i in range(count) if i == 0 or any(row[i] for row in rows)]
    cells = [[row[i] for i in kept] for row in rows]
    last = len(kept) - 1
    room = [
        min(max(len(head[i]), *(len(r[at]) for r in cells)), 25) for at, i in enumerate(kept[:last])
    ]
    heads = [head[i] for i in kept]
    lines = [*_row(heads, room, width), "-" * width] if any(heads) else []
    for row, whole in zip(cells, rows, strict=True):
        lines += _row(row, room, width)
        lines += [
            _last(" " * sum(n + 2 for n in room), more, width) for more in whole[count:] if more
        ]
    return "\n".join(lines)


def _row(cells: Sequence[str], room: Sequence[int], width: int) -> list[str]:
    """A row of a table; cells too long for their column go on in further lines. room: the width of
    each column but the last."""
    parts = [_folded(c, n) for c, n in zip(cells, room, strict=False)]
    lines = [_last(_line([p[0] for p in parts], room), cells[-1], width)]
    if (more := max(map(len, parts), default=1)) == 1:
        return lines
    lines = lines[0].split("\n")
    for at in range(1, more):
        lead = _line([p[at] if at < len(p) else "" for p in parts], room)
        if at < len(lines):
            lines[at] = lead + lines[at][len(lead) :]
        else:
            lines.append(lead.rstrip())
    return lines


def _folded(cell: str, room: int) -> list[str]:
    """A cell as lines of at most `room` characters; longer words are cut."""
    return [line[:room] for line in wrap(cell, width=room).split("\n")] if cell else [""]


def _last(lead: str, cell: str, width: int) -> str:
    """Wrap the last cell of a row into the columns that `lead` leaves; below the row if those are
    too few."""
    if len(lead) + len(cell) <= width:
        return lead + cell
    if width - len(lead) < NARROW:
        below = len(lead) > width // 2
        return f"{lead.rstrip()}\n{wrap(cell, '    ')}" if below else wrap(cell, lead, width=width)
    first, *more = wrap(cell, width=width - len(lead)).split("\n")
    return "\n".join([lead + first, *(" " * len(lead) + line for line in more)])


def _line(cells: Sequence[str], room: Sequence[int]) -> str:
    """Pad cells to their columns. room: the width of each column."""
    return "".join(f"{c:<{n}}  " for c, n in zip(cells, room, strict=False))


def ends(left: str, right: str, width: int = WIDTH) -> str:
    """Put `left` and `right` at the two ends of a line, or on two lines if they do not fit."""
    gap = width - len(left) - len(right)
    if gap >= 2:
        return left + " " * gap + right
    return f"{wrap(left, width=width)}\n{wrap(right, '  ', width=width)}"


def counted(number: int, one: str, several: str = "") -> str:
    """Return a number with its words: `1 window closed`, `2 windows closed`.

    several: the words for any number but 1; empty if they are the same.
    """
    return f"{number} {one if number == 1 else several or one}"


def hexes(digest: str, size: int = 8) -> str:
    """Split a digest into groups, because mail programs break long words."""
    return " ".join(digest[i : i + size] for i in range(0, len(digest), size))


def moment(iso: str) -> datetime:
    """Parse an ISO 8601 time; without an offset it is UTC. Raises ValueError."""
    when = datetime.fromisoformat(iso)
    return when.replace(tzinfo=UTC) if when.tzinfo is None else when


def first_named(names: Sequence[str]) -> str:
    """Names in a sentence: `HOOD, NORFOLK`; of many how many there are, and the first of them."""
    if len(names) <= NAMED:
        return ", ".join(names)
    return f"{len(names)} units: {', '.join(names[:NAMED])} and {len(names) - NAMED} more"


def date(iso: str, tz: str = "", dates: str = "") -> str:
    """Format a time as `Thu 27 Nov 2025 20:00 UTC`, or in the zone `tz`. Empty stays empty.

    The names of days and months do not depend on the locale. dates: `iso` for `2025-11-27 20:00
    UTC`.
    """
    if not iso:
        return ""
    when = moment(iso).astimezone(zone(tz))
    return f"{when:%Y-%m-%d %H:%M} {_zone_name(when)}" if dates == "iso" else dated(when)


def dated(when: datetime) -> str:
    """Format a time as `date` does, in the zone that it has."""
    return (
        f"{DAYS[when.weekday()]} {when.day} {MONTHS[when.month - 1]} {when.year}"
        f" {when.hour:02}:{when.minute:02} {_zone_name(when)}"
    )


def _zone_name(when: datetime) -> str:
    """Return the name of a time's zone, such as `CET`, or `UTC+03` where it has none."""
    name = when.tzname() or "UTC"
    return name if name[0].isalpha() else f"UTC{name}"


def when(iso: str, tz: str = "", dates: str = "") -> str:
    """Format a time in the reader's zone, which is named: `Thu 27 Nov, 20:00 (London)`.

    Without a zone it is UTC. Empty stays empty. There is no year: mails are of the next weeks.
    dates: `iso` for `2025-11-27 20:00 (London)`.
    """
    return f"{day_of(iso, tz, dates=dates)} ({place(tz)})" if iso else ""


def day_of(iso: str, tz: str = "", comma: str = ",", dates: str = "") -> str:
    """Format a time in the reader's zone without its name: `Thu 27 Nov, 20:00`. Empty stays
    empty. dates: as for `when`."""
    if not iso:
        return ""
    at = moment(iso).astimezone(zone(tz))
    if dates == "iso":
        return f"{at:%Y-%m-%d %H:%M}"
    return f"{DAYS[at.weekday()]} {at.day} {MONTHS[at.month - 1]}{comma} {at:%H:%M}"


def marked(iso: str) -> str:
    """Return a time as a note to several readers keeps it until `localised` puts it into the zone
    of each. Empty stays empty."""
    return f"<{iso}>" if iso else ""


def localised(text: str, tz: str, short: bool = False, dates: str = "") -> str:
    """Return a text with the times of `marked` as `when` gives them in the zone `tz`.

    short: for a subject: without the zone, if it is the reader's own. dates: as for `when`.
    """
    if not short:
        return _MARKED.sub(lambda found: when(found[1], tz, dates), text)
    zone_ = "" if tz else " UTC"
    return _MARKED.sub(lambda found: day_of(found[1], tz, "", dates) + zone_, text)


_MARKED = re.compile(r"<(\d{4}-\d\d-\d\dT[0-9:.]+(?:Z|[+-]\d\d:\d\d))>")


def moved(text: str, tz: str, dates: str = "") -> str:
    """Return a text with the times of `date` in UTC as `when` gives them in the zone `tz`."""
    return _DATED.sub(lambda found: when(_stamp(found), tz, dates), text) if tz or dates else text


_DATED = re.compile(rf"(?:{'|'.join(DAYS)}) (\d+) ({'|'.join(MONTHS)}) (\d{{4}}) (\d\d:\d\d) UTC\b")


def _stamp(found: re.Match[str]) -> str:
    day, month, year, clock = found.groups()
    return f"{year}-{MONTHS.index(month) + 1:02}-{int(day):02}T{clock}:00Z"


def place(tz: str) -> str:
    """Return the name of a time zone as a reader says it: `London`, `Buenos Aires`, else `UTC`."""
    return "UTC" if zone(tz) is UTC else ascii_fold(tz.rpartition("/")[2].replace("_", " "))


def zone(tz: str) -> tzinfo:
    """Return the time zone of that name. An unknown name gives UTC, because every mail of orders
    must get its receipt."""
    if tz in ("", "UTC", "Etc/UTC"):
        return UTC
    from zoneinfo import ZoneInfo

    try:
        return ZoneInfo(tz)
    except (KeyError, ValueError, OSError):
        return UTC


def until(start: str, finish: str) -> str:
    """Return the time between two moments in its two largest units: `in 2 days 23 hours`."""
    minutes = int((moment(finish) - moment(start)).total_seconds()) // 60
    if minutes <= 0:
        return "now"
    days, rest = divmod(minutes, 1440)
    sizes = ((days, "day"), (rest // 60, "hour"), (rest % 60, "minute"))
    units = [f"{n} {unit}{'s' if n != 1 else ''}" for n, unit in sizes if n]
    return "in " + " ".join(units[:2])


def tidy(text: str, width: int = WIDTH, hang: str = "    ") -> str:
    """Finish a page: no trailing spaces, no two empty lines in a row, no line over `width`.

    hang: begins the rest of a line that was too long.
    """
    lines: list[str] = []
    for raw in text.split("\n"):
        line = raw.rstrip()
        if len(line) > width:
            lines += wrap(line, line[: len(line) - len(line.lstrip())], hang, width).split("\n")
        elif line or (lines and lines[-1]):
            lines.append(line)
    return "\n".join(lines).strip("\n") + "\n"


_LONG = re.compile(r"(?m)^.{801,}$")


def mailable(page: str) -> str:
    """An HTML page in ASCII whose lines are short enough for mail: other letters as references, and
    new lines for spaces of long lines, which a page shows alike outside of `<pre>`."""
    plain = page.encode("ascii", "xmlcharrefreplace").decode("ascii")
    return _LONG.sub(lambda found: _broken(found[0]), plain)


def _broken(line: str) -> str:
    """A line as several of at most 800 characters, where it has spaces."""
    lines, room = [""], 800
    for word in line.split(" "):
        if lines[-1] and len(lines[-1]) + len(word) >= room:
            lines.append(word)
        else:
            lines[-1] += f" {word}" if lines[-1] else word
    return "\n".join(lines)


_WORDS = re.compile(r"(?<![A-Za-z0-9])(BEGIN|END)(?![A-Za-z0-9])", re.IGNORECASE | re.ASCII)
_SAFE = {"begin": "start", "end": "finish"}


def comment(text: str) -> str:
    """Make a text safe inside `[ ]` of an order file: without brackets, and without the words BEGIN
    and END, which mark the parts of the file."""
    flat = ascii_fold(text).translate({91: "(", 93: ")"})
    return _WORDS.sub(lambda m: _SAFE[m[0].lower()], flat)


def caret(line: str, start: int, length: int, room: int = WIDTH - 4) -> tuple[str, str]:
    """Return a line of the sender's text, and marks to put under it, both at most `room` long.

    start, length: the place in the line, from 0. A long line is cut to the part around the place.
    """
    skip = max(0, min(start - room // 2, len(line) - room)) if len(line) > room else 0
    shown = ascii_fold(line[skip : skip + room].replace("\t", " "))[:room]
    at = max(0, min(start - skip, room - 1))
    return shown, " " * at + "^" + "~" * max(0, min(length, room - at) - 1)


def is_plain(encoded: bytes, breaks: int) -> bool:
    """Whether every string of this JSON is printable ASCII, except for exactly `breaks`
    line breaks. Then `clean` would change nothing else, and the caller can skip it."""
    printable = encoded.isascii() and b"\x7f" not in encoded
    escapes = _ESCAPE.findall(encoded) if printable else [b""]
    return _HARMLESS.issuperset(escapes) and escapes.count(b"\\n") == breaks


_ESCAPE = re.compile(rb"\\.")
_HARMLESS = frozenset({b"\\n", b'\\"', b"\\\\"})


def cleaned(fields: Mapping[str, Any], *folds: Callable[[str], str]) -> list[dict[str, Any]]:
    """`clean` by each fold for an object of many fields, most of which contain nothing to fold:
    these stay the same objects, as a glance at their JSON costs less than a look at every string.

    Raises TypeError as `clean` does, but only for those fields.
    """
    odd = [key for key, value in fields.items() if not is_plain(msgspec.json.encode(value), 0)]
    return [{**fields, **{key: clean(fields[key], fold) for key in odd}} for fold in folds]


def clean(value: Any, fold: Callable[[str], str]) -> Any:
    """Copy plain JSON data and apply `fold` to every string and key. Folds leave printable ASCII
    unchanged, so it is not passed to them.

    Raises TypeError for anything but dict, list, tuple, str, int, float, bool and None, so that no
    template ever receives bytes, or an object that leads back to the truth.
    """
    kind = type(value)
    if kind is str:
        return value if value.isascii() and value.isprintable() else fold(value)
    if kind is dict:
        return {clean(k, fold): clean(v, fold) for k, v in value.items()}
    if kind is list or kind is tuple:
        return [clean(v, fold) for v in value]
    if value is None or kind in _NUMBERS:
        return value
    raise TypeError(f"a report may hold plain data only, not {kind.__name__}")


_NUMBERS = (int, float, bool)


def within(name: str) -> str:
    """Return a side's name inside a sentence: `the fox`, not `The fox`."""
    return f"the {name[4:]}" if name.startswith("The ") else name
