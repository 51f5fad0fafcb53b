"""verify.py finds whatever a player is shown that proves nothing, by its name."""

from __future__ import annotations

from tests.trust import papers
from tests.trust.corpus import verify


def test_what_proves_nothing_is_refused(shown: papers.Shown) -> None:
    said = {name: papers.verdict(verify, files)[:1] for name, (files, _) in shown.items()}
    named = {name: [one.partition(":")[0] for one in found] for name, found in said.items()}
    assert named == {name: [code] for name, (_, code) in shown.items()}
