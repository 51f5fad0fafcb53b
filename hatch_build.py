"""Build hook: every template goes into the wheel as a compiled Python module too.

Compiling takes 20 ms and more a template, which no `pbem run` should pay. A compiled template
that does not fit its source is never used (pbem/shelf.py), so an editable install is safe.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class TemplateHook(BuildHookInterface[Any]):
    """Fills templates/compiled, which git ignores and wheels carry."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile before the files are collected."""
        sys.path.insert(0, self.root)
        try:
            from pbem.render import FILTERS
            from pbem.shelf import compile_all
        finally:
            sys.path.remove(self.root)
        compile_all(Path(self.root) / "templates", FILTERS)
        build_data["artifacts"].append("templates/compiled/*.py")
