"""Archives the present edition of a rule system, before its rules change:

python -m pbem.testing.archive games.toy.game:SYSTEM

The archive is `editions/EDITION.zip` in the system's package: its code, tables and templates under
another package name (`pbem.data`). The same sources always give the same archive.
"""

from __future__ import annotations

import ast
import io
import json
import re
import sys
import tokenize
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import NamedTuple
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from pbem import __version__, data
from pbem.errors import Usage
from pbem.model import System

LEFT_OUT = {"__pycache__", data.EDITIONS, "tests", data.COMPILED}
BEGINNING = (1980, 1, 1, 0, 0, 0)
"""The time of every file: the oldest that a zip can hold."""


class Names(NamedTuple):
    """What is renamed."""

    package: str
    """The package of the present rules: `games.toy`."""
    archived: str
    """The package in the archive: `archived_toy_1`."""
    folder: str
    """The present folder of templates: `toy`."""
    templates: str
    """That of the archive: `toy@1`."""


def archive(entry: str) -> Path:
    """Archive the present edition of a system and return the path of the archive.

    entry: module and name, as the entry point says (`strait.game:SYSTEM`). Raises Usage if the
    edition cannot be a file name, if it is archived already, or for an import that cannot be
    renamed.
    """
    module, _, own = entry.partition(":")
    package, system = module.rpartition(".")[0], getattr(import_module(module), own)
    if not package:
        raise Usage(f"{module} is not in a package", "put the rules into a package")
    home = Path(str(import_module(package).__path__[0]))
    path = home / data.EDITIONS / f"{system.edition}.zip"
    if not data.is_word(system.edition):
        raise Usage(f"{system.edition!r} cannot be archived", "editions are letters, digits, ._-")
    if path.exists():
        raise Usage(f"{path} exists", "give the changed rules a new `edition`")
    content = packed(system, package, home, entry)
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(content)
    return path


def packed(system: System, package: str, home: Path, entry: str) -> bytes:
    """The archive of a system whose package is the folder `home`."""
    archived = data.archived_name(system.name, system.edition)
    names = Names(package, archived, system.name, f"{system.name}@{system.edition}")
    files = {
        f"{archived}/{name}": renamed(name, content, names)
        for name, content in sources(system.name, home).items()
    }
    manifest = {
        "system": system.name,
        "edition": system.edition,
        "data": system.digest(),
        "entry": f"{archived}{entry.removeprefix(package)}",
        "release": __version__,
    }
    files[f"{archived}/{data.MANIFEST}"] = json.dumps(manifest, indent=1).encode() + b"\n"
    out = io.BytesIO()
    with ZipFile(out, "w", ZIP_DEFLATED, compresslevel=9) as zipped:
        for name in sorted(files):
            info = ZipInfo(name, BEGINNING)
            info.create_system, info.external_attr = 3, 0o644 << 16
            info.compress_type = ZIP_DEFLATED
            zipped.writestr(info, files[name])
    return out.getvalue()


def sources(name: str, home: Path) -> dict[str, bytes]:
    """Path inside the archived package -> content: code, tables also as JSON, templates."""
    found = {p.relative_to(home).as_posix(): p for p in _files(home)}
    own = Path(str(import_module(data.TEMPLATES).__path__[0])) / name
    if not (home / data.TEMPLATES).is_dir():
        found |= {f"{data.TEMPLATES}/{p.relative_to(own).as_posix()}": p for p in _files(own)}
    content = {path: file.read_bytes() for path, file in found.items()}
    folders = {path.rpartition("/")[0] for path in content if path.endswith(".toml")}
    for folder in folders - {""}:
        inside = {p.removeprefix(f"{folder}/"): c for p, c in content.items()}
        tables = {p: c for p, c in inside.items() if p.endswith(".toml") and "/" not in p}
        content[f"{folder}/{data.COMPILED}"] = data.compiled(tables)
    return content


def _files(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.rglob("*")):
        parts = path.relative_to(folder).parts
        hidden = any(part in LEFT_OUT or part.startswith(".") for part in parts)
        if path.is_file() and not hidden and path.suffix != ".md":
            yield path


def renamed(path: str, content: bytes, names: Names) -> bytes:
    """A file with the names of the archive instead of the present ones. Raises Usage."""
    if path.endswith(".py"):
        text = _code(path, content.decode(), names)
        _require_renamed(path, text, names)
        return text.encode()
    if path.endswith(".j2"):
        quoted = re.compile(rf"""(["']){re.escape(names.folder)}/""")
        return quoted.sub(rf"\g<1>{names.templates}/", content.decode()).encode()
    return content


def _code(path: str, text: str, names: Names) -> str:
    """Python with its imports renamed, and the strings that name a module or a template."""
    lines = text.splitlines(keepends=True)
    for (row, start), (_, end), new in reversed(list(_changes(text, names))):
        line = lines[row - 1]
        lines[row - 1] = line[:start] + new + line[end:]
    return "".join(lines)


Place = tuple[int, int]


def _changes(text: str, names: Names) -> Iterator[tuple[Place, Place, str]]:
    """Begin, end and new text of everything that is renamed, in order; each is in one line."""
    parts = names.package.split(".")
    dotted = [x for part in parts for x in (part, ".")][:-1]
    tokens = [t for t in tokenize.generate_tokens(io.StringIO(text).readline) if t.string]
    for i, token in enumerate(tokens):
        if token.type == tokenize.STRING:
            new = _string(token.string, [t.string for t in tokens[max(0, i - 2) : i]], names)
            if new != token.string:
                yield token.start, token.end, new
        if token.string in ("from", "import") and token.type == tokenize.NAME:
            after = tokens[i + 1 : i + 1 + len(dotted)]
            if [t.string for t in after] == dotted and tokens[i + 1 + len(dotted)].string in (
                ".",
                "import",
            ):
                yield after[0].start, after[-1].end, names.archived


def _string(literal: str, before: list[str], names: Names) -> str:
    """A string literal: `games.toy.check:CHECKS`, `toy/names.json`, or the folder itself in
    `coast("toy")` and `system="toy"`."""
    quote, value = literal[:1], literal[1:-1]
    inside = rf"{re.escape(names.package)}((?:\.\w+)*(?::\w+)?)"
    found = re.fullmatch(inside, value)
    if found and ("." in names.package or found[1]):
        return f"{quote}{names.archived}{found[1]}{quote}"
    if value.startswith(f"{names.folder}/") and not re.search(r"\s", value):
        return f"{quote}{names.templates}{value.removeprefix(names.folder)}{quote}"
    if value == names.folder and before in (["coast", "("], ["system", "="]):
        return f"{quote}{names.templates}{quote}"
    return literal


def _require_renamed(path: str, text: str, names: Names) -> None:
    """Raise Usage if an import of the present package is left."""
    parent, _, last = names.package.rpartition(".")
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            left = any(f"{a.name}.".startswith(f"{names.package}.") for a in node.names)
            # without `as` it binds the first word, which the code below it would not find
            bare = [a.name for a in node.names if not a.asname]
            left |= any(name.startswith(f"{names.archived}.") for name in bare)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            module = f"{node.module}."
            left = module.startswith(f"{names.package}.") or (
                node.module == parent and last in [a.name for a in node.names]
            )
        else:
            continue
        if left:
            raise Usage(
                f"{path}:{node.lineno}: this import cannot be renamed",
                f"write `from {names.package}.module import name`",
            )


def main() -> None:
    """Archive what the first argument names."""
    if len(sys.argv) != 2 or ":" not in sys.argv[1]:
        sys.exit("usage: python -m pbem.testing.archive MODULE:NAME, as the entry point names them")
    try:
        print(archive(sys.argv[1]))
    except Usage as error:
        sys.exit(f"error: {error.message}\nhint: {error.hint}")


if __name__ == "__main__":
    main()
