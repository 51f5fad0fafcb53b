"""The charts that a mailed report shows and carries, as PNG."""

from __future__ import annotations

from binascii import b2a_base64

from pbem.base.report_json import Report
from pbem.model import ALL, System
from pbem.outbound.mime import Part
from pbem.store.game_dir import Game
from pbem.store.preferences import preferences_of

MOST_CHARTS = 2_000_000
"""Bytes that the charts of a mail take at most; one that would exceed them is left out, except the
main one. `pbem chart --which` draws it."""


def charts_of(game: Game, system: System, report: Report) -> tuple[Part, ...]:
    """Return the charts of a report as PNG: first those that the mail shows, in their small
    versions and with a Content-ID, then those that it attaches.

    The mail shows the main chart; before it a chart that leads (`Scene.leads`). Empty if the
    game was made with `new --chart none`. Pictures are cached in the game's folder, those of its
    board for all games of the home. Further charts are left out where they would make the
    mail too large.
    """
    if game.register.created.chart == "none":
        return ()
    if preferences_of(game.register, report.seat).pictures == "off":
        return ()
    from pbem.charts.description import described
    from pbem.charts.picture_cache import drawn, folders
    from pbem.charts.scenes import scenes_of

    scenes, cache = scenes_of(system, report.plain), folders(game.path())
    if not scenes:
        return ()
    main, *others = scenes
    leading = [scene for scene in others if scene.leads][:1]
    parts = []
    for scene in (*leading, main):
        named = f"-{scene.name}" if scene is not main else ""
        cid = f"chart{named}-{report.seat}-{report.window}@{report.game}.pbem.invalid"
        small = drawn(scene, "png", detail=True, cache=cache)
        said = described(scene, public=report.seat == ALL)
        parts.append(Part("image/png", small, f"chart{named}-detail.png", cid, said))
    parts.append(Part("image/png", drawn(main, "png", cache=cache), "chart.png"))
    total = sum(len(part.content) for part in parts)
    for scene in others:
        content = drawn(scene, "png", cache=cache)
        total += len(content)
        if total <= MOST_CHARTS:
            parts.append(Part("image/png", content, f"chart-{scene.name}.png"))
    return tuple(parts)


def with_pictures(game: Game, system: System, report: Report, page: bytes) -> bytes:
    """Return the HTML page of a report with its pictures in it. In its mail they are parts of
    their own (RFC 2392), which a browser that opens the page alone does not have."""
    if b'src="cid:' not in page:
        return page
    for part in charts_of(game, system, report):
        if part.cid:
            data = b2a_base64(part.content, newline=False)
            shown = b'src="data:image/png;base64,%b"' % data
            page = page.replace(f'src="cid:{part.cid}"'.encode(), shown)
    return page
