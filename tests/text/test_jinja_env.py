"""Templates come compiled where the compiled form fits the source, else from the source."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterator
from importlib import resources
from pathlib import Path

import pytest
from jinja2 import StrictUndefined, TemplateNotFound

from pbem import data
from pbem.reports import render, wording
from pbem.text import jinja_env

SAMPLE = json.loads(
    (Path(__file__).parents[1] / "reports" / "samples" / "toy-hunter.json").read_text()
)


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A compiled copy of the templates."""
    root = tmp_path_factory.mktemp("compiled") / "cooked_templates"
    with resources.as_file(resources.files("templates")) as plain:
        shutil.copytree(plain, root, ignore=shutil.ignore_patterns("compiled", "__pycache__"))
    jinja_env.compile_all(root, render.FILTERS)
    return root


@pytest.fixture
def cooked(compiled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Such a copy, which a test may change, under a package name of its own."""
    root = shutil.copytree(compiled, tmp_path / compiled.name)
    monkeypatch.syspath_prepend(str(tmp_path))
    for module in (data, jinja_env):
        monkeypatch.setattr(module, "TEMPLATES", root.name)
    forget()
    yield root
    forget()
    for name in [n for n in sys.modules if n.startswith(root.name)]:
        del sys.modules[name]


def forget() -> None:
    """A run reads each template once."""
    for known in (
        render.templates,
        wording.macros,
        wording.setting,
        wording._templates,
        jinja_env._text,
    ):
        known.cache_clear()


def used() -> list[str]:
    return [n for n in sys.modules if n.startswith("cooked_templates.compiled.")]


def test_compiled_pages_equal_their_sources(cooked: Path) -> None:
    text, markup, said = render.text(SAMPLE), render.html(SAMPLE), SAMPLE["events"]
    words = wording.events("toy", said)
    assert len(used()) >= 7
    shutil.rmtree(cooked / "compiled")
    for name in used():
        del sys.modules[name]
    forget()
    assert (render.text(SAMPLE), render.html(SAMPLE)) == (text, markup)
    assert wording.events("toy", said) == words
    assert used() == []


def test_a_stale_compiled_page_is_not_used(cooked: Path) -> None:
    page = cooked / "base" / "report.txt.j2"
    page.write_text(page.read_text().replace("TO DECIDE", "NEWS"))
    assert "\nNEWS\n" in render.text(SAMPLE)
    assert len(used()) > 0


def test_compiling_again_leaves_nothing_old(cooked: Path) -> None:
    before = {p.name for p in (cooked / "compiled").iterdir() if p.suffix == ".py"}
    (cooked / "toy" / "questions.j2").unlink()
    names = jinja_env.compile_all(cooked, render.FILTERS)
    after = {p.name for p in (cooked / "compiled").iterdir() if p.suffix == ".py"}
    assert after < before
    assert len(after) == len(names) + 1


def test_every_template_compiles_with_strict_undefined(cooked: Path) -> None:
    environment = jinja_env.environment(render.FILTERS)
    assert environment.undefined is StrictUndefined
    for path in sorted(cooked.rglob("*.j2")):
        environment.get_template(path.relative_to(cooked).as_posix())


@pytest.mark.parametrize("name", ["../pbem/render.py", "/etc/passwd", "toy/nosuch.j2", ""])
def test_only_templates_are_found(name: str) -> None:
    with pytest.raises(TemplateNotFound):
        jinja_env.source(name)
