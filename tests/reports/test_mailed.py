"""What a mail adds to its report, and that no report.json brings it."""

from __future__ import annotations

import re

from msgspec.structs import asdict

from pbem.base.hashing import canonical_json
from pbem.reports import render
from pbem.reports.mailed import Mailed
from tests.reports.test_render import sample


def test_the_chart_of_a_mail_has_words_in_its_place() -> None:
    mailed = Mailed(chart=[{"cid": "chart-15", "said": 'Chart, "Q" & more'}])
    page = render.html(sample("bismarck-british"), mailed)
    assert re.search(r'<img class="map" src="cid:chart-15"[^>]* alt="Chart, &#34;Q&#34; &amp', page)


def test_no_report_brings_what_only_a_mail_adds() -> None:
    """Whoever renders a report.json of unknown origin shows no link or picture that it names."""
    report = sample("bismarck-british")
    false = Mailed(
        tz="Europe/Berlin",
        dates="iso",
        reply="wolf@example.org",
        order_page={"file": "x.html", "url": "https://example.org"},
        chart=[{"cid": "https://example.org", "said": "a chart"}],
        earlier=[report],
        packed=True,
        red=True,
    )
    planted = report | asdict(false)
    encoded = canonical_json(planted)
    assert render.pages(planted, encoded) == render.pages(report, canonical_json(report))
    assert (render.text(planted), render.html(planted)) == (
        render.text(report),
        render.html(report),
    )
    assert render.public(planted) == render.public(report)
    assert render.own("{{ report|maybe('reply') }}", planted).strip() == ""
    assert render.html(report, false).count("example.org") > 2
