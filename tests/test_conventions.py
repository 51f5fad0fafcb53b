"""What code may touch, and that each game is complete; who may import whom: test_layers.py."""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from games import SYSTEMS, load
from orders.declare import check_examples

ROOT = Path(__file__).parents[1]
CODE = ("orders", "pbem", "games")
LONGEST, LONGEST_FUNCTION, MOST_COMPLEX = 500, 60, 10
ONE_FILE = ROOT / "verify.py"
"""Longer than other files on purpose: players read it whole before they run it."""


@cache
def modules() -> dict[str, Path]:
    """Dotted name to file, of all code."""
    found = {}
    for top in CODE:
        for path in sorted((ROOT / top).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def imports(path: Path, typing_too: bool = False) -> set[str]:
    """Every module that a file imports anywhere; without those under TYPE_CHECKING."""
    found: set[str] = set()
    for node in walk(tree(path), typing_too):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path}: imports are absolute"
            found.add(node.module or "")
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Call) and _name(node.func).endswith("import_module"):
            found |= {a.value for a in node.args[:1] if isinstance(a, ast.Constant)}  # type: ignore[misc]
    return found


def walk(node: ast.AST, typing_too: bool) -> Iterator[ast.AST]:
    yield node
    for child in ast.iter_child_nodes(node):
        guarded = isinstance(child, ast.If) and _name(child.test).endswith("TYPE_CHECKING")
        if typing_too or not guarded:
            yield from walk(child, typing_too)


def _name(node: ast.AST) -> str:
    """`a.b` of a name or attribute, empty for anything else."""
    if isinstance(node, ast.Attribute):
        return f"{_name(node.value)}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else ""


def within(name: str, *tops: str) -> bool:
    return any(name == top or name.startswith(f"{top}.") for top in tops)


def reaches(name: str, *tops: str) -> set[str]:
    return {i for i in imports(modules()[name]) if within(i, *tops)}


def below(top: str) -> list[str]:
    """The modules of a package; never none, so that no test below passes over nothing."""
    found = [name for name in modules() if within(name, top) and name != "games"]
    assert found, top
    return found


# Directions


def test_orders_import_neither_kernel_nor_games() -> None:
    allowed = {"msgspec", "orders", "__future__", *sys.stdlib_module_names}
    for name in below("orders"):
        assert {i.split(".")[0] for i in imports(modules()[name])} <= allowed, name
        found = reaches(name, "os", "io", "pathlib", "socket", "subprocess", "random", "time")
        assert not found, name


def test_only_commands_know_click_and_nobody_what_starts_slowly() -> None:
    kernel = [name for name in below("pbem") if not within(name, "pbem.cli")]
    assert not [n for n in kernel if reaches(n, "click", "asyncio", "dataclasses")]


RULES_API = tuple(
    f"pbem.{name}"
    for name in ("kit", "model", "table", "data", "scene", "beside_map", "inference", "roles")
)
PURE = {
    *("__future__", "bisect", "collections", "copy", "enum", "fractions", "functools", "graphlib"),
    *("hashlib", "heapq", "itertools", "json", "math", "msgspec", "operator", "re", "string"),
    *("tomllib", "typing", "zlib"),
}


def test_a_game_touches_rules_and_orders_alone() -> None:
    for name in below("games"):
        own = ".".join(name.split(".")[:2])
        for found in imports(modules()[name]):
            if found.split(".")[0] in PURE or within(found, "orders", own):
                continue
            known = found == "pbem" or within(found, *RULES_API)
            assert known, f"{name} imports {found}"


FORBIDDEN = {
    "open",
    "exec",
    "eval",
    "compile",
    "input",
    "print",
    "globals",
    "id",
    "hash",
    "__import__",
}


def test_a_game_is_pure() -> None:
    """No I/O, no clock, nothing that differs from run to run."""
    for name in below("games"):
        for node in ast.walk(tree(modules()[name])):
            if isinstance(node, ast.Call):
                assert _name(node.func) not in FORBIDDEN, f"{name}:{node.lineno}"
            if isinstance(node, ast.Global):
                pytest.fail(f"{name}:{node.lineno}: a global that changes")


def test_a_game_never_walks_a_set_unsorted() -> None:
    """The order of a set of strings differs from run to run."""
    for name in below("games"):
        for node in ast.walk(tree(modules()[name])):
            if isinstance(node, ast.For | ast.comprehension):
                over = node.iter
                call = _name(over.func) if isinstance(over, ast.Call) else ""
                loose = isinstance(over, ast.Set | ast.SetComp) or call in ("set", "frozenset")
                where = getattr(node, "lineno", over.lineno)
                assert not loose, f"{name}:{where}: sort it first"


# Form


def test_files_are_short() -> None:
    folders = (ROOT / name for name in (*CODE, "tests", "templates"))
    found = [path for folder in folders for path in folder.rglob("*.py")]
    files = [path for path in found if "compiled" not in path.parts]
    assert len(files) > 400
    lines = {path: len(path.read_text("utf-8").splitlines()) for path in files}
    assert [str(path) for path, count in lines.items() if count > LONGEST] == []


def test_functions_are_short() -> None:
    every = [(path, f) for path in (*modules().values(), ONE_FILE) for f in every_function(path)]
    assert len(every) > 2000
    long = [(path, f) for path, f in every if lines_of(f) > LONGEST_FUNCTION]
    assert not [f"{path}:{f.lineno}: {f.name} has {lines_of(f)} lines" for path, f in long]


def test_few_places_have_no_type_or_no_layout() -> None:
    """`Any` is for JSON data whose shape nobody knows here, and `fmt: skip` for tables."""
    code = [path.read_text("utf-8") for path in modules().values()]
    tests = [path.read_text("utf-8") for path in (ROOT / "tests").rglob("*.py")]
    assert sum(len(re.findall(r"\bAny\b", text)) for text in code) < 150
    assert sum(len(re.findall("# fmt: (?:skip|off)", text)) for text in (*code, *tests)) < 60


def test_few_modules_belong_to_no_package() -> None:
    assert len(list((ROOT / "pbem").glob("*.py"))) <= 13


def test_the_functions_of_verify_are_simple() -> None:
    """Whoever reads the longest file has nothing complicated to understand in it."""
    found = {f.name: complexity(f) for f in every_function(ONE_FILE)}
    assert len(found) > 100
    assert not {name: paths for name, paths in found.items() if paths > MOST_COMPLEX}


def every_function(path: Path) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Methods and inner functions, too."""
    kinds = ast.FunctionDef | ast.AsyncFunctionDef
    return [node for node in ast.walk(tree(path)) if isinstance(node, kinds)]


def lines_of(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    return (node.end_lineno or 0) - node.lineno + 1


def complexity(node: ast.AST) -> int:
    """McCabe's number: one, and one for each place where the path divides; `and`, `or` and the
    parts of comprehensions are such places."""
    paths = 1
    for one in ast.walk(node):
        if isinstance(one, ast.If | ast.IfExp | ast.For | ast.While | ast.ExceptHandler):
            paths += 1
        elif isinstance(one, ast.comprehension):
            paths += 1 + len(one.ifs)
        elif isinstance(one, ast.BoolOp):
            paths += len(one.values) - 1
    return paths


TEXT = {".py", ".md", ".toml", ".j2", ".txt", ".json", ".yml", ".cfg", ".sh"}
PLACES = re.compile(r"(?<![\w.])/(?:home|root|work|Users|tmp/(?:venv|brief|snap))/[\w.]")


def test_no_path_of_a_machine() -> None:
    found = []
    for path in sorted(ROOT.rglob("*")):
        parts = path.relative_to(ROOT).parts
        if parts[0].startswith(".") and parts[0] not in (".ci", ".github"):
            continue
        if path.suffix in TEXT and path.is_file() and path != Path(__file__):
            text = path.read_text("utf-8", "replace")
            found += [f"{path.relative_to(ROOT)}: {m[0]}" for m in PLACES.finditer(text)]
    assert not found


WORD = re.compile(r"[A-Za-z_]\w*")
FOREIGN = {"click.Group", "HTMLParser", "Storage", "BaseLoader"}
"""Classes of libraries, which call what is overridden."""


def test_what_is_defined_is_used() -> None:
    """Functions, classes, constants and public methods that only tests use are none of ours; what
    the kit and `pbem.testing` offer is for games of other authors, too."""
    files = [*modules().values(), *ROOT.glob("templates/**/*.j2"), ROOT / "templates/__init__.py"]
    words = Counter(word for path in files for word in WORD.findall(path.read_text("utf-8")))
    ours = {n: path for n, path in modules().items() if not within(n, "pbem.kit", "pbem.testing")}
    made = [(module, name) for module, path in ours.items() for name in defined(path)]
    assert len(made) > 1000
    assert not [f"{module}.{name}" for module, name in made if words[name] == 1]


def defined(path: Path) -> Iterator[str]:
    """Names of a module that something should use."""
    for node in tree(path).body:
        if isinstance(node, ast.Assign):
            yield from (t.id for t in node.targets if isinstance(t, ast.Name))
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield node.target.id
    for one in functions(path):
        if not registered(one):
            yield one.name
        if isinstance(one, ast.ClassDef) and not {_name(b) for b in one.bases} & FOREIGN:
            methods = (n for n in one.body if isinstance(n, ast.FunctionDef))
            yield from (n.name for n in methods if not n.name.startswith("_"))


def registered(one: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> bool:
    """Does a decorator put it into a table: `@verb(...)`, `@TERMS.number`?"""
    tables = (ast.unparse(d).partition("(")[0].partition(".")[0] for d in one.decorator_list)
    return any(table == "verb" or table.isupper() for table in tables)


# Every game is complete


DUE: set[tuple[str, str]] = set()
"""Games, and what of them is still to come."""


def complete(game: str, what: str, found: bool) -> None:
    """Assert that a game has something, or has not yet what is due."""
    assert found != ((game, what) in DUE), f"{what} of {game}"


def test_every_game_is_on_the_one_list() -> None:
    """Ours are in `games.SYSTEMS` alone: entry points are for other packages."""
    assert sorted(SYSTEMS) == sorted(path.parent.name for path in ROOT.glob("games/*/game.py"))
    assert "pbem.games" not in (ROOT / "pyproject.toml").read_text("utf-8")


@pytest.mark.parametrize("game", SYSTEMS)
def test_a_game_is_named_as_its_folder(game: str) -> None:
    system = load(game)
    assert system.name == game
    assert system.scenarios
    assert all(len(s.sides) >= 2 for s in system.scenarios)
    assert all(v.help and v.example and v.rule for v in system.grammar.verbs)
    check_examples(system.grammar)


@pytest.mark.parametrize("game", SYSTEMS)
@pytest.mark.parametrize("file", ["test_playthrough.py", "test_secrecy.py"])
def test_a_game_has_a_playthrough_and_a_secrecy_test(game: str, file: str) -> None:
    path = ROOT / "tests" / game / file
    there = path.exists() and any(n.name.startswith("test_") for n in functions(path))
    complete(game, file, there)


@pytest.mark.parametrize("game", SYSTEMS)
@pytest.mark.parametrize("kind", ["good", "bad"])
def test_a_game_has_examples(game: str, kind: str) -> None:
    found = list((ROOT / "orders" / "examples" / game / kind).glob("*.txt"))
    complete(game, "examples", bool(found))


CLAUSE = re.compile(r"^\| *(?P<number>\d[^|]*?) *\|(?P<rest>.*)\|$", re.MULTILINE)
TICKED = re.compile(r"`([A-Za-z_][\w.]*)`")


@pytest.mark.parametrize("game", SYSTEMS)
def test_clauses_name_functions_and_tests_that_exist(game: str) -> None:
    """RULES.md: `| 3.1 | (what it says) | functions | tests or case "its name" |`."""
    clauses = list(CLAUSE.finditer((ROOT / "games" / game / "RULES.md").read_text("utf-8")))
    assert clauses
    code, tests = names(ROOT / "games" / game), names(ROOT / "tests" / game)
    wrong = []
    for clause in clauses:
        *_, function, test = clause["rest"].split("|")
        wrong += [f"{clause['number']}: {n}" for n in TICKED.findall(function) if n not in code]
        wrong += [f"{clause['number']}: {n}" for n in TICKED.findall(test) if n not in tests]
        if not TICKED.findall(function) or not (TICKED.findall(test) or 'case "' in test):
            wrong.append(f"{clause['number']}: no function or no test")
    assert not wrong or (game, "clauses") in DUE, wrong
    complete(game, "clauses", not wrong)


def names(folder: Path) -> set[str]:
    """Files, functions, classes, methods (`Class.method`) and constants below a folder, also
    with the file's name before them, or its way from the folder."""
    found: set[str] = set()
    for path in folder.rglob("*.py"):
        own = {node.name for node in functions(path)}
        for node in tree(path).body:
            targets = node.targets if isinstance(node, ast.Assign) else []
            targets = [node.target] if isinstance(node, ast.AnnAssign) else targets
            own |= {t.id for t in targets if isinstance(t, ast.Name)}
            if isinstance(node, ast.ClassDef):
                methods = (
                    n for n in node.body if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)
                )
                own |= {f"{node.name}.{n.name}" for n in methods}
        dotted = ".".join(path.relative_to(folder).with_suffix("").parts)
        found |= {path.stem, dotted, *own}
        found |= {f"{file}.{name}" for file in (path.stem, dotted) for name in own}
    return found


def functions(path: Path) -> list[ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef]:
    kinds = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
    return [node for node in tree(path).body if isinstance(node, kinds)]
