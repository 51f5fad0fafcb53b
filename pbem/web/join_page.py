"""The joining page: one HTML file with which a player answers an invitation in a browser.

It contains the moderator's letter and nothing secret. Its scripts are those of the order page; its
content security policy permits only its own script and style, and it loads nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from pbem.web import order_page
from pbem.web.order_language import joined
from pbem.web.packed import script
from pbem.web.page_data import digest_of

FILE = "join.html"
"""The name of the attachment."""
MODULES = (
    *("bytes", "python", "fold", "canon", "sha", "ed25519", "aes", "bcrypt", "sshkey", "sshsig"),
    *("age", "unage", "letters", "dom", "role", "vault", "send", "join", "joining"),
)
"""The scripts of the page, each after those that it uses."""


def page(title: str, game: str, about: Sequence[str], letter: str, reply: str) -> bytes:
    """The page of one invitation.

    title: of the rule system and scenario. about: what the invitation says of the game, a paragraph
    each. letter: from BEGIN LETTER on. reply: the address that the answer goes to, or empty.
    """
    from markupsafe import Markup

    from pbem.reports.render import templates

    modules = joined([f"order_page/js/{name}.js" for name in MODULES])
    style = Markup(order_page.style_sheet())
    text = (
        templates()
        .get_template("order_page/join_page.html.j2")
        .render(
            title=title,
            game=game,
            about=list(about),
            letter=Markup(letter),  # words of base32: nothing to escape
            reply=reply,
            style=style,
            style_hash=digest_of(style),
            script=script(modules),
        )
    )
    return text.encode()
