"""What programs read of the site: calendars (RFC 5545), a feed (RFC 4287), the list of members."""

from __future__ import annotations

import json
from collections.abc import Sequence
from xml.sax.saxutils import escape, quoteattr

from pbem.club.facts import Facts
from pbem.club.members import names_of
from pbem.club.results import Result
from pbem.club.state import Club

ENTRIES = 40
"""Games in the feed."""
YEAR = 2026
"""In identifiers of the feed (RFC 4151), which must never change."""
LONGEST = 73
"""Bytes of a line of a calendar before it is folded."""


def calendar(club: Club, games: Sequence[Facts]) -> bytes:
    """Return the deadlines of games as a calendar."""
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//pbem//club//EN",
        "METHOD:PUBLISH",
        f"X-WR-CALNAME:{_text(club.settings.name)}",
    ]
    for one in games:
        if one.deadline and not one.held:
            lines += [
                "BEGIN:VEVENT",
                f"UID:{one.game}@{_host(club)}",
                f"DTSTAMP:{_time(one.opened)}",
                f"DTSTART:{_time(one.deadline)}",
                f"SUMMARY:{_text(f'{one.game}: orders are due')}",
                f"DESCRIPTION:{_text(f'{one.title}, {one.scenario}, turn {one.turn}')}",
                *([f"URL:{club.settings.url}g/{one.game}.html"] if club.settings.url else []),
                "TRANSP:TRANSPARENT",
                "END:VEVENT",
            ]
    lines.append("END:VCALENDAR")
    return "".join(f"{_folded(line)}\r\n" for line in lines).encode()


def _time(iso: str) -> str:
    """Return `20261125T200000Z` for an ISO time in UTC."""
    return iso.replace("-", "").replace(":", "")


def _text(text: str) -> str:
    """Escape a text of a calendar (RFC 5545, 3.3.11)."""
    for char in ("\\", ";", ","):
        text = text.replace(char, f"\\{char}")
    return text.replace("\n", "\\n")


def _folded(line: str) -> str:
    """Fold a long line (RFC 5545, 3.1), never inside a character."""
    parts, size = [""], 0
    for char in line:
        width = len(char.encode())
        if size + width > LONGEST:
            parts.append("")
            size = 0
        parts[-1] += char
        size += width
    return "\r\n ".join(parts)


def _host(club: Club) -> str:
    """Return what makes identifiers of the club unique."""
    return club.config.address.partition("@")[2] or "pbem.invalid"


def atom(club: Club, games: Sequence[Facts]) -> bytes:
    """Return the news of the games as a feed, the newest first."""
    newest = sorted(games, key=lambda f: (_changed(f), f.game), reverse=True)[:ENTRIES]
    base, host = club.settings.url, _host(club)
    head = [
        '<?xml version="1.0" encoding="utf-8"?>',
        '<feed xmlns="http://www.w3.org/2005/Atom">',
        f"<title>{escape(club.settings.name)}</title>",
        f"<id>tag:{host},{YEAR}:club</id>",
        f"<updated>{_changed(newest[0]) if newest else '1970-01-01T00:00:00Z'}</updated>",
        f"<author><name>{escape(club.settings.name)}</name></author>",
        *([f'<link rel="self" href={quoteattr(base + "feed.xml")}/>'] if base else []),
        *([f"<link href={quoteattr(base)}/>"] if base else []),
    ]
    body = [_entry(f, base, f"tag:{host},{YEAR}:{f.game}/{f.window}") for f in newest]
    return "\n".join([*head, *body, "</feed>", ""]).encode()


def _changed(one: Facts) -> str:
    """Return when a game last changed for all to see."""
    return one.result.at if one.result else one.opened


def _entry(one: Facts, base: str, name: str) -> str:
    """Return a game's entry in the feed."""
    said = one.headline or (one.why if one.result else f"turn {one.turn}")
    link = f"<link href={quoteattr(f'{base}g/{one.game}.html')}/>" if base else ""
    lines = [line for news in one.news[:1] for line in news.lines]
    text = " ".join([f"{one.title}, {one.scenario}.", *(f"{line.rstrip('.')}." for line in lines)])
    return (
        f"<entry><title>{escape(f'{one.game}: {said}')}</title><id>{escape(name)}</id>"
        f"<updated>{_changed(one)}</updated>{link}"
        f'<summary type="text">{escape(text)}</summary></entry>'
    )


def members(club: Club, results: Sequence[Result]) -> bytes:
    """Return the names of the members by the fingerprints of their keys, with which anybody can
    compute the standings again. Only keys of finished games are in it: who plays a running game
    may be hidden until its end."""
    used = {key for r in results for keys in r.players.values() for key in keys}
    names = {key: name for key, name in names_of(club.state).items() if key in used}
    return json.dumps({"keys": names}, indent=1, sort_keys=True).encode() + b"\n"
