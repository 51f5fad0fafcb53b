"""Convert HTML bodies to text.

Layout does not matter, since orders are a stream of tokens; only line breaks and quotations do.
"""

from __future__ import annotations

from html.parser import HTMLParser

BREAKS = frozenset(("br", "p", "div", "tr", "li", "blockquote", "pre", "h1", "h2", "h3", "table"))
"""Elements that begin a new line."""
CELLS = frozenset(("td", "th"))
"""Elements that stand beside each other: their words are not one."""
QUOTE = "blockquote"
SILENT = frozenset(("style", "script", "title", "template"))
"""Elements whose text is not displayed. `head` is not among them: its end tag may be missing, and
by the HTML standard text inside it begins the body."""


class _Text(HTMLParser):
    """Collects the displayed text in `found`. An unclosed silent element ends with the body."""

    RCDATA_CONTENT_ELEMENTS = ()  # type: ignore[misc]  # read by name, so that it can be another
    """A title is an element like others. By the standard, and from Python 3.14 on, one without its
    end goes on to the end of the page, with all orders in it."""

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
        elif tag in CELLS:
            self.found.append(" ")

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
    """Return roughly the displayed text, with quoted lines marked by `>`. Never raises."""
    parser = _Text()
    try:
        parser.feed(markup)
        # A rest that begins with `<` is a tag without an end. Browsers drop it, and `close` would
        # search it for an end once for every `<` in it, which takes quadratic time.
        if not parser.rawdata.startswith("<"):
            parser.close()
    except (AssertionError, ValueError):
        pass  # the text up to the fault is kept
    return "".join(parser.found)
