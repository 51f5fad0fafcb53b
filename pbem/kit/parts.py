"""Methods of a `System` that live in modules of their own, imported when they are first called."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from types import ModuleType


def part(module: str, name: str = "") -> Any:  # the method's type, which its class knows
    """A method of a System that is a function of another module: `view = part("yours.view")`.

    The function has the method's name, or `name`, and the method's parameters without `self`. Its
    module is imported when the method is first used, so that a command loads only what it needs.

    Raises TypeError when the class is made, if System has no such method. Raises ImportError or
    TypeError at first use, naming the attribute, if module or function is missing, or if the
    function does not take the method's parameters.
    """
    return _Part(module, name)


class _Part:
    """The descriptor behind `part`."""

    def __init__(self, module: str, name: str) -> None:
        self._path, self._name = module, name
        self._title = self._path
        self._module: ModuleType | None = None
        self._count = 0

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = self._name or name
        self._title = f"{owner.__name__}.{name} = part({self._path!r})"
        method = next((vars(c)[name] for c in owner.__mro__[1:] if name in vars(c)), None)
        if not callable(method):
            raise TypeError(f"{self._title}: pbem.model.System has no method {name!r}")
        self._count = method.__code__.co_argcount - 1

    def __get__(self, instance: object, owner: type) -> Any:
        # looked up each time, so that whoever replaces the module's function is heard
        function = getattr(self._module or self._load(), self._name)
        return function if instance is not None else lambda system, *given: function(*given)

    def _load(self) -> ModuleType:
        """Import the module and look at the function."""
        try:
            module = import_module(self._path)
        except ModuleNotFoundError as missing:
            if not missing.name or not f"{self._path}.".startswith(f"{missing.name}."):
                raise  # the module is there, and imports one that is not
            raise ImportError(f"{self._title}: there is no module {missing.name}") from None
        function = getattr(module, self._name, None)
        if not callable(function):
            hint = f"define it in {module.__file__}, or name another: part(module, name)"
            text = f"{self._title}: {self._path} has no function {self._name!r}; {hint}"
            raise ImportError(text)
        if (code := getattr(function, "__code__", None)) and not _takes(function, self._count):
            where = f"{code.co_filename}:{code.co_firstlineno}"
            own = ", ".join(code.co_varnames[: code.co_argcount])
            text = f"takes ({own}), the method {self._count} arguments without self"
            raise TypeError(f"{self._title}: {where}: {self._name} {text}")
        self._module = module
        return module


def _takes(function: Any, count: int) -> bool:  # any function; mypy knows no __code__ of Callable
    """Can it be called with `count` positional arguments, beside those that it is bound to?"""
    code = function.__code__
    count += hasattr(function, "__self__")
    least = code.co_argcount - len(function.__defaults__ or ())
    return bool(least <= count <= code.co_argcount or (code.co_flags & 4 and least <= count))
