"""Jinja environments whose templates are compiled modules of the wheel, or else sources.

Compiling a template takes 20 ms and more, so `hatch_build.py` runs `compile_all` when a wheel is
made. A compiled template is found by a digest of its name and source, so a stale one is never used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, MutableMapping
from functools import cache
from hashlib import sha256
from importlib import import_module
from typing import TYPE_CHECKING, Any

import jinja2
from jinja2 import BaseLoader, Environment, StrictUndefined, Template, TemplateNotFound
from jinja2.environment import Environment as Bare
from jinja2.runtime import Context, Macro

from pbem.data import TEMPLATES, files, template

if TYPE_CHECKING:
    from pathlib import Path

FORMAT = f"1 {getattr(jinja2, '__version__', '')[:3]}"
OPTIONS: dict[str, Any] = {
    "undefined": StrictUndefined,
    "autoescape": lambda name: name is None or name.endswith((".html.j2", ".svg.j2")),
    "trim_blocks": True,
    "lstrip_blocks": True,
    "keep_trailing_newline": False,
    "auto_reload": False,
    "cache_size": 400,
}


class MacroContext(Context):
    """A context that calls macros directly. Nearly all calls in our templates are macros, and
    Jinja's own `call` first tests for everything else that they could be."""

    def call(self, obj: Callable[..., object], /, *args: object, **kwargs: object) -> object:
        """Return the result of a call in a template."""
        if type(obj) is not Macro:
            return super().call(obj, *args, **kwargs)
        kwargs.pop("_loop_vars", None)
        kwargs.pop("_block_vars", None)
        return obj(self.eval_ctx, *args, **kwargs)


class Templates(Environment):
    """Jinja in which `a.b` means the key `b` of a dictionary, never a method such as `dict.items`:
    a report may have a key `items`."""

    context_class = MacroContext

    def getattr(self, obj: object, attribute: str) -> object:
        """Return the key of a dictionary; for other objects do what Jinja does."""
        if type(obj) is dict:
            try:
                return obj[attribute]
            except KeyError:
                return self.undefined(obj=obj, name=attribute)
        return super().getattr(obj, attribute)


class PackageLoader(BaseLoader):
    """Loads templates: the compiled form if it fits the source, else the source."""

    def get_source(
        self, environment: Bare, template: str
    ) -> tuple[str, str | None, Callable[[], bool] | None]:
        """Return the source of a template. Raises TemplateNotFound."""
        return source(template), None, None

    def load(
        self,
        environment: Bare,
        name: str,
        globals: MutableMapping[str, object] | None = None,
    ) -> Template:
        """Load a compiled template, or compile it now. Raises TemplateNotFound."""
        text = source(name)
        try:
            module = import_module(f"{TEMPLATES}.compiled.{key(name, text)}")
        except ImportError:
            return super().load(environment, name, globals)
        return Template.from_module_dict(environment, vars(module), globals or {})


def source(name: str) -> str:
    """Return the source of a template, such as `toy/events.j2`.

    Raises TemplateNotFound, also for a name that leads out of the folder of templates.
    """
    text = _text(name)
    if text is None:
        raise TemplateNotFound(name)
    return text


@cache
def _text(name: str) -> str | None:
    """Read a template once; None if there is none. Pages ask for optional parts every time."""
    try:
        return template(name).decode()
    except OSError:
        return None


def key(name: str, text: str) -> str:
    """Return the module name of a compiled template. It changes with name, source and Jinja."""
    return "t" + sha256(f"{FORMAT}\n{name}\n{text}".encode()).hexdigest()[:24]


def environment(filters: Mapping[str, Callable[..., object]]) -> Environment:
    """Return the environment for our own templates, with the given filters."""
    templates = Templates(loader=PackageLoader(), **OPTIONS)
    templates.filters.update(filters)
    return templates


def sandbox(filters: Mapping[str, Callable[..., object]], markup: bool) -> Environment:
    """Return an environment for templates that a moderator supplied.

    It is sandboxed: no attribute leads from the data to anything else. markup: whether to escape
    for HTML.
    """
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    class Sandbox(Templates, ImmutableSandboxedEnvironment):
        pass

    options = OPTIONS | {"autoescape": markup, "loader": PackageLoader()}
    box = Sandbox(**options)
    box.filters.update(filters)
    return box


def compile_all(
    root: Path, filters: Mapping[str, Callable[..., object]], folders: Iterable[str] = ()
) -> list[str]:
    """Compile every template under `root` into root/compiled, and delete what was there.

    folders: further ones, of archived editions (`toy@1`). Returns the names of the templates.
    Raises TemplateSyntaxError.
    """
    target = root / "compiled"
    target.mkdir(exist_ok=True)
    for old in target.glob("*.py"):
        old.unlink()
    (target / "__init__.py").write_text('"""Compiled templates, made by hatch_build.py."""\n')
    templates = environment(filters)
    names = sorted(p.relative_to(root).as_posix() for p in root.rglob("*.j2"))
    names += [f"{f}/{n}" for f in folders for n in files(f) if n.endswith(".j2")]
    for name in names:
        text = template(name).decode() if "@" in name else (root / name).read_bytes().decode()
        code = templates.compile(text, name, name, raw=True, defer_init=True)
        page = f"# {name}\n# mypy: ignore-errors\n{code}\n"
        (target / f"{key(name, text)}.py").write_text(page, "utf-8")
    return names
