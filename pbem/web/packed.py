"""What pages contain packed, data and programs, so that the mail which brings them stays small.

Both are compressed with raw DEFLATE (RFC 1951), in base64. A page has two scripts: its program,
which no browser runs where it lies, and a loader in the open that unpacks it and puts it into the
page. The page's content security policy permits these two alone, by their hashes.
"""

from __future__ import annotations

from base64 import b64encode
from functools import lru_cache

from msgspec import Struct

from pbem.web.minify import minified
from pbem.web.order_language import joined
from pbem.web.page_data import digest_of

LOADER = ("bytes", "inflate", "packed", "loader")
"""The modules of the loader, each after those that it uses."""


class Packed(Struct, frozen=True):
    """text: as the page contains it; size: in bytes when it is unpacked."""

    text: str
    size: int


class Script(Struct, frozen=True):
    """How a page runs its program. loader: JavaScript; policy: the sources of its script-src."""

    program: Packed
    loader: str
    policy: str


def pack(data: bytes) -> Packed:
    """The data as a page contains it."""
    from zlib import DEFLATED, compressobj

    packer = compressobj(9, DEFLATED, -15)
    text = b64encode(packer.compress(data) + packer.flush()).decode("ascii")
    return Packed(text, len(data))


@lru_cache(maxsize=4)
def script(modules: str) -> Script:
    """The script of a page. modules: its program, joined into one scope."""
    # in a function, where the minifier shortens all names
    program = minified(f'(() => {{\n"use strict";\n{modules}\n}})();')
    loader = minified(joined(f"order_page/js/{name}.js" for name in LOADER))
    policy = " ".join(f"'sha256-{digest_of(text)}'" for text in (loader, program))
    return Script(pack(program.encode()), loader, policy)
