"""What the pages of a mail show beside its report.json: the mail's own part, kept apart from it.

Templates read both as `report.NAME`. So a report.json must not bring such names: nobody signed a
link in it as the referee's. `shown` alone puts the two together, and takes these names from a mail.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct, structs

from pbem.model import Plain


class Mailed(Struct, frozen=True, kw_only=True):
    """What a mail adds to a report for its text and HTML. Templates do without what is empty."""

    tz: str = ""
    """The reader's time zone."""
    dates: str = ""
    """How the reader wants dates written."""
    reply: str = ""
    """The address of the button that sends orders; empty in encrypted games."""
    order_page: Mapping[str, str] = {}
    """The name of the attached `file`, and the `url` of the hosted page."""
    chart: Sequence[Mapping[str, str]] = ()
    """The pictures of the page: of each its Content-ID, `cid`, and what it shows, `said`."""
    earlier: Sequence[Plain] = ()
    """The reports before it, of the same run of agreed turns."""
    packed: bool = False
    """Whether the mail brings report.json.gz."""
    red: bool = False
    """Whether the reader's side is the red one of the chart."""


ALONE = Mailed()
"""Of a report that no mail brings."""
NAMES = Mailed.__struct_fields__


def shown(report: Plain, mailed: Mailed = ALONE) -> Plain:
    """A report as templates get it. What it says itself under the names of a mail is left out."""
    added = structs.asdict(mailed) | {"earlier": [_alone(one) for one in mailed.earlier]}
    return _alone(report) | {name: value for name, value in added.items() if value}


def _alone(report: Plain) -> dict[str, object]:
    return {name: value for name, value in report.items() if name not in NAMES}
