"""The order page as a web app: files for a folder of a web server.

Beside the page without a report lie a manifest (W3C Web Application Manifest), an icon, and a
service worker that keeps them on the device, so that the page can be installed and opens without a
network. An attachment can have none of these: a service worker needs an https address.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import sha256

from pbem.model import System
from pbem.web import order_page

PAGE, WORKER, MANIFEST, ICON = (
    order_page.FILE,
    "order-page-worker.js",
    "order-page.webmanifest",
    "order-page.svg",
)
DRAWN = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">\
<rect width="16" height="16" fill="#173f73"/>\
<path d="M3 10.500h10L11.200 12.500H5zM5.200 8h4.600v2H5.200zM7 5.500h1.200V8H7z" fill="#fff"/>\
</svg>
"""
"""The icon: a ship within the part that every shape of icon shows."""


def web_app(systems: Sequence[System]) -> dict[str, bytes]:
    """File name -> content, for one folder at an https address."""
    page = order_page.blank(systems, hosted=MANIFEST)
    rest = {MANIFEST: _manifest(), ICON: DRAWN.encode()}
    digest = sha256(b"".join((page, *rest.values()))).hexdigest()[:16]
    return {PAGE: page, WORKER: _worker(digest, [PAGE, *rest]), **rest}


def _manifest() -> bytes:
    facts = {
        "name": "pbem order page",
        "short_name": "Orders",
        "start_url": PAGE,
        "scope": "./",
        "display": "standalone",
        "background_color": "#efe9da",
        "theme_color": "#173f73",
        "icons": [
            {"src": ICON, "sizes": "any", "type": "image/svg+xml", "purpose": "any maskable"}
        ],
    }
    return json.dumps(facts, indent=1).encode() + b"\n"


def _worker(digest: str, files: Sequence[str]) -> bytes:
    """The service worker. digest: of the files, so that a browser sees when they have changed."""
    from markupsafe import Markup

    from pbem.reports.render import templates

    template = templates().get_template("order_page/worker.js.j2")
    return template.render(digest=digest, files=Markup(json.dumps(files))).encode()
