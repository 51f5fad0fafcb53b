"""Parts of a System: functions of other modules, imported when they are called."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from games import SYSTEMS, load
from pbem.kit.parts import _Part, part
from pbem.model import Side, System, View

VIEW = '''"""A part."""


def view(state, side):
    """Two parameters, as System.view has without self."""
    return f"{state} of {side}"


def truth():
    """One too few."""


watched = 3
'''


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    (tmp_path / "lent").mkdir()
    (tmp_path / "lent/__init__.py").write_text("")
    (tmp_path / "lent/view.py").write_text(VIEW)
    (tmp_path / "lent/broken.py").write_text("import no_such_module\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield tmp_path
    for name in [n for n in sys.modules if n.split(".")[0] == "lent"]:
        del sys.modules[name]


PATCHED = View(turn=1, label="", units=())


class Lent(System):
    """Whose parts are elsewhere."""


PARTS = {
    "view": ("lent.view",),
    "truth": ("lent.view",),
    "watched": ("lent.view",),
    "facts": ("lent.view", "nothing"),
    "check": ("lent.missing",),
    "note": ("lent.broken",),
}


@pytest.fixture
def system(folder: Path) -> System:
    """A new class each time: a part keeps the module that it found."""
    made: System = type("Lent", (Lent,), {name: part(*of) for name, of in PARTS.items()})()
    return made


def test_a_part_is_the_function_of_its_module_and_imported_when_called(system: System) -> None:
    assert "lent.view" not in sys.modules
    assert str(system.view("all", Side("red"))) == "all of red"
    assert "lent.view" in sys.modules


def test_the_class_has_an_ordinary_method(system: System) -> None:
    assert str(type(system).view(system, "all", Side("red"))) == "all of red"


def test_who_replaces_the_function_is_heard(
    system: System, monkeypatch: pytest.MonkeyPatch
) -> None:
    system.view("all", Side("red"))
    monkeypatch.setattr("lent.view.view", lambda state, side: PATCHED)
    assert system.view("all", Side("red")) == PATCHED


@pytest.mark.parametrize(
    ("attribute", "error", "says"),
    [
        ("check", ImportError, r"Lent.check = part\('lent.missing'\): there is no module lent.mis"),
        ("facts", ImportError, r"Lent.facts .*lent.view has no function 'nothing'; define it in"),
        ("watched", ImportError, r"Lent.watched .*no function 'watched'"),
        ("truth", TypeError, r"Lent.truth .*view.py:9: truth takes \(\), the method 1 arg"),
        ("note", ModuleNotFoundError, "no_such_module"),
    ],
)
def test_a_wrong_part_names_its_attribute(
    system: System, attribute: str, error: type[Exception], says: str
) -> None:
    with pytest.raises(error, match=says):
        getattr(system, attribute)


def test_a_part_that_no_system_has_is_an_error_of_the_class() -> None:
    with pytest.raises((TypeError, RuntimeError)) as caught:
        type("Wrong", (System,), {"veiw": part("lent.view")})
    cause = caught.value.__cause__ or caught.value
    assert "System has no method 'veiw'" in str(cause)


@pytest.mark.parametrize("name", SYSTEMS)
def test_all_parts_of_our_systems_are_there(name: str) -> None:
    system = load(name)
    for attribute, value in vars(type(system)).items():
        if isinstance(value, _Part):
            assert callable(getattr(system, attribute))


@pytest.mark.parametrize("name", ["bismarck", "far_seas"])
def test_a_game_does_not_load_its_parts(name: str) -> None:
    late = [f"games.{name}.{part}" for part in ("turn", "view", "check", "bot", "edits", "audit")]
    script = f"import sys, games.{name}.game; print([m for m in {late} if m in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
