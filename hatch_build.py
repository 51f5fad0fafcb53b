"""Build hook: puts every template into the wheel as a Python module too, every table as JSON, and
the checks of orders as JavaScript; also those of archived editions. And a man page of each command.

Compiling a template takes 20 ms and more, parsing the TOML of a game 5 ms, translating its checks
100 ms; `pbem run` should not pay for this. A compiled file that does not match its source is never
used (pbem/text/jinja_env.py, pbem/data.py, pbem/translate/compiled.py), so an editable install is
safe. Checks that the order page cannot run stop the build.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompileHook(BuildHookInterface[Any]):
    """Writes templates/compiled (templates, and checks of orders for the order page),
    compiled.json of templates and games/*/data, and build/man, which git ignores and wheels
    contain."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, before hatch collects the files."""
        # the build runs apart from any installation: import our own code from the source tree
        sys.path.insert(0, self.root)
        try:
            import games
            from pbem.cli import manual
            from pbem.data import COMPILED, TEMPLATES, compiled, editions
            from pbem.engine.editions import former
            from pbem.reports.render import FILTERS
            from pbem.text.jinja_env import compile_all
            from pbem.translate.compiled import FILE
            from pbem.translate.compiled import compiled as compiled_checks
        finally:
            sys.path.remove(self.root)
        root = Path(self.root)
        older = [s for name in games.SYSTEMS for e in editions(name) if (s := former(name, e))]
        compile_all(root / TEMPLATES, FILTERS, [system.templates for system in older])
        systems = [*map(games.load, games.SYSTEMS), *older]
        (root / TEMPLATES / FILE).write_bytes(compiled_checks(systems))
        for folder in [root / TEMPLATES, *root.glob("games/*/data")]:
            found = [*folder.glob("*.toml"), *folder.glob("base/*.toml")]
            tables = {p.relative_to(folder).as_posix(): p.read_bytes() for p in found}
            (folder / COMPILED).write_bytes(compiled(tables))
        for page in manual.write(root / "build" / "man"):
            build_data["shared_data"][str(page)] = f"share/man/man1/{page.name}"
        build_data["artifacts"] += [
            "templates/compiled/*.py",
            f"{TEMPLATES}/{FILE}",
            f"{TEMPLATES}/{COMPILED}",
            f"games/*/data/{COMPILED}",
        ]
