"""`pbem lint` and the check of a system at load know roles."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from pbem.engine.validate import mistakes
from pbem.lint.finding import Notes
from pbem.lint.windows import Watch
from pbem.model import Side
from pbem.roles import Role
from tests.officers.game import SYSTEM, Officers


def found() -> list[str]:
    """What a watched bot game finds."""
    notes = Notes()
    Watch(SYSTEM, notes).play("bay", {"play": "plotted"}, "seed")
    return [f"{one.code} {one.text}" for one in notes.findings.values()]


def test_the_game_with_roles_is_sound() -> None:
    assert not [one for one in found() if one.startswith("role")]


def test_a_role_that_sees_more_than_its_side_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def wide(self: Any, sea: Any, side: Any, role: str) -> Any:
        return self.view(sea, Side("raider"))

    monkeypatch.setattr(Officers, "role_view", wide)
    said = [one for one in found() if one.startswith("role_view-fails")]
    assert "unit PINGUIN is not in the view of hunters" in said[0]


@pytest.mark.parametrize(
    ("roles", "said"),
    [
        ({Side("nobody"): (Role("air", "Air"),)}, "names 'nobody'; the sides are hunters, raider"),
        ({Side("hunters"): (Role("air", "Air"),) * 2}, "two roles of one name"),
        ({Side("hunters"): (Role("Air", "Air"),)}, "a name has a-z, 0-9 and _"),
    ],
)
def test_roles_are_checked_when_a_system_is_loaded(
    roles: Any, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (bay,) = SYSTEM.scenarios
    monkeypatch.setattr(Officers, "scenarios", (replace(bay, roles=roles),))
    assert any(said in str(one) for one in mistakes(SYSTEM))
