"""verify.py finds every invalid file that a player may be shown, with the right code."""

from __future__ import annotations

from tests.trust import papers
from tests.trust.corpus import verify


def test_invalid_files_are_found_with_their_code(shown: papers.Shown) -> None:
    said = {name: papers.verdict(verify, files)[:1] for name, (files, _) in shown.items()}
    named = {name: [one.partition(":")[0] for one in found] for name, found in said.items()}
    assert named == {name: [code] for name, (_, code) in shown.items()}
