"""Checks as JavaScript: the same answers in both languages, and words for what is outside the
subset."""

from __future__ import annotations

import importlib.util
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec
import pytest

import games
from orders.model import Action, Order
from pbem.translate import functions, program
from pbem.translate.__main__ import main
from pbem.translate.program import Program
from pbem.translate.translation import NotTranslatable, Translation, runtime
from tests.translate import sample

INNER = {"size": 4, "ways": ["N", "S"]}
REPORT: dict[str, Any] = {
    "zero": 0,
    "none": None,
    "empty": "",
    "list": [],
    "map": {},
    "n": 7,
    "less": -7,
    "yes": True,
    "one": 1,
    "word": "bismarck is",
    "face": "a\U0001f600b",
    "numbered": {"10": 1, "9": 2, "1": 3},
    "deep": {"a": [{"b": [1]}]},
    "many": [{"size": 1}, INNER],
    "outer": {
        "name": "o",
        "one": INNER,
        "some": [INNER],
        "by_name": {"a": INNER},
        "letters": ["x", "a"],
        "pair": [1, INNER],
    },
}
ORDER = Order("HOOD", (Action("move", {"path": ["A1", "B2"]}), Action("hold")), turn=9)
HOUSE: Mapping[str, str] = {}


def translated(module: ModuleType) -> Translation:
    """The functions `check` and `note` of a module."""
    whole = Program(module.__name__.rpartition(".")[0], HOUSE)
    names = [whole.name_of(module.check), whole.name_of(module.note)]
    return whole.translation("sample", [f"return $checks({', '.join(names)}, report);"])


def run(code: Translation, order: Order, report: Mapping[str, Any]) -> tuple[Any, str]:
    """What node answers, and what it writes to the console."""
    node = shutil.which("node")
    if not node:
        pytest.skip("node is not installed")
    case = json.dumps([code.values, msgspec.to_builtins(order), report])
    script = f"""const SYSTEMS = {{}};\n{runtime(code.code)}\n{code.code}
const [values, order, report] = {case};
const plain = (x) => x instanceof Map ? Object.fromEntries([...x].map(([k, v]) => [k, plain(v)]))
  : Array.isArray(x) ? x.map(plain) : x;
const own = SYSTEMS.sample({{ values, unknown: [] }}, report);
console.log(JSON.stringify([plain(own.check(order)), own.note(order)]));"""
    told = subprocess.run([node, "-"], input=script, text=True, check=True, capture_output=True)
    return json.loads(told.stdout), told.stderr


def test_every_trap_has_the_same_answer() -> None:
    (rows, note), errors = run(translated(sample), ORDER, REPORT)
    assert errors == ""
    wanted = json.loads(msgspec.json.encode(sample.check(ORDER, REPORT)))
    for got, right in zip(rows, wanted, strict=True):
        for i, (a, b) in enumerate(zip(got, right, strict=True)):
            assert (i, a) == (i, b)
    assert note == sample.note(ORDER, REPORT)


@pytest.mark.parametrize("name", games.SYSTEMS)
def test_the_same_code_whenever_it_is_made(name: str) -> None:
    one, two = (program.translate(games.load(name), HOUSE) for _ in range(2))
    assert one == two


def test_the_command_prints_the_code_or_the_lines_outside(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(sys, "argv", ["translate", "games.far_seas.check:CHECKS"])
    main()
    code = program.translate(games.load("far_seas"), HOUSE).code
    assert capsys.readouterr().out == code.replace("SYSTEMS.far_seas", "SYSTEMS.SYSTEM")
    text = "from games.toy.game import SYSTEM, Move\nfrom pbem.kit.checks import Checks, Seen\n"
    text += "CHECKS = Checks(SYSTEM.grammar, Seen)\n@CHECKS.on(Move)\ndef move(seen, order):\n"
    monkeypatch.setattr(sys, "argv", ["translate", "sample.check:CHECKS"])
    with written(f"{text}    return 1 / 2\n", tmp_path), pytest.raises(SystemExit) as caught:
        main()
    assert "check.py:6:8: Div is outside the subset" in str(caught.value)
    monkeypatch.setattr(sys, "argv", ["translate", "far_seas"])
    with pytest.raises(SystemExit, match="usage: "):
        main()


OUTSIDE = {
    "return 1 / 2": "Div is outside the subset|// gives whole numbers",
    "return 0.5": "0.5 is no value of a check|count in whole numbers",
    "return 2 ** 60": "Pow is outside the subset",
    "return 9007199254740992": "is too large|2**53 - 1",
    "import random\n    return random.random()": "`import` is outside the subset|top of the file",
    "return open('x')": "open is not available in a check",
    "return f'{report:>3}'": "a format after ! or :|format the text before",
    "return '%s' % order.actor": "text made with %|use an f-string",
    "return order.unknown": "no class of the checks has a field 'unknown'",
    "return order.actor.swapcase()": "no class of the checks has a method 'swapcase'",
    "return re.match('a', 'b')": "re.match is not available in a check",
    "for x in []:\n        pass\n    else:\n        return 1": "a loop with else",
    "try:\n        return 1\n    except KeyError:\n        return 2": "an exception of Python is",
    "with report:\n        return 1": "`with` is outside the subset|opens nothing",
    "return read('games', 'x')": "read is not available in a check|without parameters",
    "return [1, 2, 3][::2]": "a slice with a step",
    "order.args = 1": "a field changes after __init__",
    "a = b = 1\n    return a": "one value for two names",
    "return nothing": "nothing is not defined",
    "return order is report": "`is` with anything but None|use ==",
    "match order:\n        case [a, b]:\n            return a": "a pattern that takes things apart",
    "def inner():\n        return 1\n    return inner()": "a function inside a function",
    "return Plain()": "neither a Struct nor an exception",
    "return changed()": "is not at the top level",
    "return LAMBDA()": "not at the top level",
    "return FLOATS": "a number with decimals",
    "return Seen(order).of": "the method 'of' is passed on|a function that calls it",
}
HEAD = """import re
from typing import Any
from msgspec import Struct
from pbem.data import read


class Plain:
    pass


class Seen(Struct):
    order: Any

    def of(self):
        return self.order


def decorator(function):
    def inside():
        return function()
    return inside


@decorator
def changed():
    return {1: Plain()}


LAMBDA = lambda: Plain()
FLOATS = {"a": 0.5}


"""


@contextmanager
def written(text: str, tmp_path: Path) -> Iterator[ModuleType]:
    """A module `sample.check` of this text."""
    path = tmp_path / "check.py"
    path.write_text(text, "utf-8")
    spec = importlib.util.spec_from_file_location("sample.check", path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["sample.check"] = module
    program._file.cache_clear()
    try:
        spec.loader.exec_module(module)
        yield module
    finally:
        del sys.modules["sample.check"]
        program._file.cache_clear()


@pytest.mark.parametrize("line", OUTSIDE)
def test_what_is_outside_is_told_with_its_place(line: str, tmp_path: Path) -> None:
    check = f"def check(order, report):\n    {line}\n\n\n"
    text = f"{HEAD}{check}def note(order, report):\n    return ''\n"
    with written(text, tmp_path) as module, pytest.raises(NotTranslatable) as caught:
        translated(module)
    told = str(caught.value)
    assert told.count("\n") >= 2
    assert "check.py:" in told
    for part in OUTSIDE[line].split("|"):
        assert part in told


LARGE = """def check(order, report):
    n: int = int(report["n"])
    return LINE


def note(order, report):
    return "note"
"""


@pytest.mark.parametrize("line", ["n * n", "n + n", "n + 2", "-2 - n", "(n - 1) * 2"])
def test_numbers_that_javascript_would_round_stop_the_check(line: str, tmp_path: Path) -> None:
    """The page reports it to the console and leaves the order to the referee."""
    with written(LARGE.replace("LINE", line), tmp_path) as module:
        made = translated(module)
    for n, fits in ((2**53 - 1, False), (3, True)):
        answers, errors = run(made, ORDER, {"n": n})
        assert answers == [eval(line, {"n": n}) if fits else None, "note"]
        assert ("is no whole number below 2 ** 53" in errors) is not fits


def test_a_function_that_the_translator_does_not_understand_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*given: object) -> list[str]:
        raise KeyError("oops")

    monkeypatch.setattr(functions, "function", broken)
    with pytest.raises(NotTranslatable, match=r"check cannot be translated: KeyError\('oops'\)"):
        translated(sample)
