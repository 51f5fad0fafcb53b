"""HTML bodies as text. Layout is of no matter: orders are a stream of tokens."""

from __future__ import annotations

from html.parser import HTMLParser

BREAKS = frozenset(("br", "p", "div", "tr", "li", "blockquote", "pre", "h1", "h2", "h3", "table"))
QUOTE = "blockquote"
SILENT = frozenset(("style", "script", "title", "template"))
"""Elements whose text no reader sees. `head` is none of them: its end tag may be left out, and by
the HTML standard whatever text stands in it begins the body."""


class _Text(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[str] = []
        self.silent = ""
        self.quoted = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "body":
            self.silent = ""
        elif tag in SILENT and not self.silent:
            self.silent = tag
        self.quoted += tag == QUOTE
        if tag in BREAKS:
            self.found.append(self.newline)

    def handle_endtag(self, tag: str) -> None:
        if tag == self.silent or tag in ("body", "html"):
            self.silent = ""
        self.quoted -= tag == QUOTE and self.quoted > 0
        if tag in BREAKS:
            self.found.append(self.newline)

    def handle_data(self, data: str) -> None:
        if not self.silent:
            self.found.append(data.replace("\n", self.newline))

    @property
    def newline(self) -> str:
        return "\n> " if self.quoted else "\n"


def text_of(markup: str) -> str:
    """What a reader of the page sees, roughly, quotations marked as in plain text; never raises."""
    parser = _Text()
    try:
        parser.feed(markup)
        if not parser.rawdata.startswith("<"):  # else a tag without its end, which browsers drop
            parser.close()  # and which this would search for ends again at every `<` in it
    except (AssertionError, ValueError):
        pass  # what was read up to there
    return "".join(parser.found)
