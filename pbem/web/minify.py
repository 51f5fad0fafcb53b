"""Smaller scripts for pages that go by mail: without comments and idle space, with short names.

It knows JavaScript without `eval` and `with`, whose own text nobody reads. A name gets a short one
where the script declares it and it nowhere stands where a property's name could: then wherever it
stands it is a variable, and whatever the scopes are, they stay as they were, because all places of
one name get one new name that occurs nowhere else. What is unsure stays as it is.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import count, pairwise, product
from string import ascii_letters
from typing import NamedTuple

_SPACE = r"(?P<space>(?:\s|//[^\n]*|/\*(?s:.*?)\*/)+)"
_WORD = r"(?P<word>[A-Za-z_$][\w$]*)"
_NUMBER = r"(?P<number>\d[\w.]*|\.\d\w*)"
_TEXT = r"(?P<text>\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*')"
_MARK = r"(?P<mark>\.\.\.|=>|\?\.(?!\d)|\+\+|--|[-+*/%&|^<>=!?]|[{}()\[\];,.:~@#])"
_TOKEN = re.compile("|".join((_SPACE, _WORD, _NUMBER, _TEXT, _MARK)))
_PATTERN = re.compile(r"/(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/\w*")
_PIECE = re.compile(r"[`}](?:[^`\\$]|\\(?s:.)|\$(?!\{))*(?:`|\$\{)")


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_DECLARING = _set("const let var")
_KEYWORDS = _DECLARING | _set("""
    async await break case catch class continue default delete do else export extends false finally
    for from function get if import in instanceof new null of return set static super switch this
    throw true try typeof undefined void while yield""")
_GLOBAL = _set("""
    Array ArrayBuffer BigInt Blob Boolean CSS DOMParser DataView Date Error File Function Infinity
    Int32Array JSON Map Math NaN Number Object Promise Proxy RangeError Reflect RegExp
    ResizeObserver SVGElement Set String Symbol TextDecoder TextEncoder TypeError URL Uint32Array
    Uint8Array WeakMap WeakSet arguments atob btoa console crypto decodeURIComponent document
    encodeURIComponent getComputedStyle globalThis history innerHeight innerWidth isNaN localStorage
    location matchMedia navigator parseFloat parseInt performance requestAnimationFrame scrollTo
    setTimeout undefined window""")
"""Names of the browser, which stay even where a script has a variable of that name as well."""
_BEFORE_BLOCK = _set(") => ; { } else try finally do") | {""}
_BEFORE_PATTERN = _set("""
    ( , ; = : [ ! & | ? { } + - * / % < > ~ ^ => return typeof case in of do else delete throw void
    new""") | {""}
_GLUED = _set(") ] } , ; : ? . ?. = => & | * % < > ^")
_METHOD = _set("{ , ; } get set static async *")


class Token(NamedTuple):
    """kind: a group of _TOKEN, `pattern` or `piece` (of a template). line: a new one begins
    before it. inside: the number of the bracket that it stands in; none is -1."""

    kind: str
    text: str
    line: bool
    inside: int


Tokens = Sequence[Token]


@lru_cache(8)
def squeezed(script: str) -> str:
    """The script with short names and little else but tokens. Raises ValueError where it is not
    understood."""
    tokens = _tokens(script)
    names = _Names(tokens).short()
    kept = [t for i, t in enumerate(tokens) if not _is_idle(tokens, i)]
    out = [_word(kept[0], names)] if kept else []
    for before, token in pairwise(kept):
        out += [_between(before, token), _word(token, names)]
    return "".join(out)


def _word(token: Token, names: Mapping[str, str]) -> str:
    return names.get(token.text, token.text)


def _is_idle(tokens: Tokens, i: int) -> bool:
    """Whether it is a semicolon that only ends the last statement of a block."""
    if tokens[i].text != ";" or i + 1 == len(tokens) or tokens[i + 1].text[0] != "}":
        return False
    before = tokens[i - 1].text
    if before != ")":
        return before not in ("else", "do", ":")
    inner = tokens[i - 2]
    opener = i - 2 if inner.text == "(" else inner.inside
    return tokens[opener - 1].text not in ("if", "for", "while", "with")


def _tokens(script: str) -> list[Token]:
    """All but spaces and comments."""
    found: list[Token] = []
    brackets = [-1]
    at, line = 0, False
    while at < len(script):
        kind, text = _read(script, at, found[-1].text if found else "",
                           brackets[-1] >= 0 and found[brackets[-1]].kind == "piece")  # fmt: skip
        at += len(text)
        if kind == "space":
            line = line or "\n" in text
            continue
        if kind in ("mark", "piece") and text[0] in ")]}":
            brackets.pop()
        found.append(Token(kind, text, line, brackets[-1]))
        if kind in ("mark", "piece") and text[-1] in "([{":
            brackets.append(len(found) - 1)
        line = False
    return found


def _read(script: str, at: int, before: str, in_template: bool) -> tuple[str, str]:
    """Kind and text of what stands there. before: the text of the last token."""
    first = script[at]
    kind, form = "", _TOKEN
    if first == "`" or (first == "}" and in_template):
        kind, form = "piece", _PIECE
    elif first == "/" and script[at + 1 : at + 2] not in ("/", "*") and before in _BEFORE_PATTERN:
        kind, form = "pattern", _PATTERN
    found = form.match(script, at)
    if not found:
        raise ValueError(f"what is this in a script: {script[at : at + 40]!r}")
    return kind or str(found.lastgroup), found[0]


def _between(before: Token, token: Token) -> str:
    """What has to stand between two tokens: a new line where it may end a statement."""
    last, first = before.text[-1], token.text[0]
    ends = before.kind != "mark" or before.text in (")", "]", "}", "++", "--")
    if token.line and ends and last != "{" and token.text not in _GLUED and first != "}":
        return "\n"
    wordy = _wordy(last) and _wordy(first)
    alike = last == first and first in "+-/"
    return " " if wordy or alike or (before.kind == "number" and first == ".") else ""


def _wordy(char: str) -> bool:
    return char.isalnum() or char in "_$"


class _Names:
    """What the words of a script are."""

    def __init__(self, tokens: Tokens) -> None:
        self.tokens = tokens
        self.closing = {t.inside: i for i, t in enumerate(tokens) if t.inside >= 0}
        """The last token inside each bracket."""

    def short(self) -> dict[str, str]:
        """A new name for each that may have one, the shortest for those that stand most often;
        and `let` for `const`, since nothing constant is assigned to."""
        words = [(i, t.text) for i, t in enumerate(self.tokens) if t.kind == "word"]
        named = {word for i, word in words if self._may_be_property(i)}
        declared = {word for i, word in words if self._is_declared(i)}
        often = Counter(word for _, word in words)
        free = (name for name in _all_names() if name not in often and name not in _KEYWORDS)
        ranked = sorted(declared - named - _KEYWORDS - _GLOBAL, key=lambda w: (-often[w], w))
        short = {word: new for word in ranked if len(word) > 2 for new in [next(free)]}
        return short if "const" in named else short | {"const": "let"}

    def _text(self, i: int) -> str:
        return self.tokens[i].text if 0 <= i < len(self.tokens) else ""

    def _may_be_property(self, i: int) -> bool:
        before, after, inside = self._text(i - 1), self._text(i + 1), self.tokens[i].inside
        if before in (".", "?.", "#"):
            return True
        if inside >= 0 and self._text(inside) != "{":
            return False
        return (after == ":" and before != "?") or (before in _METHOD and self._is_object(inside))

    def _is_object(self, bracket: int) -> bool:
        """Whether a brace may hold properties, of an object, a pattern or a class; else it is a
        block."""
        return bracket >= 0 and self._text(bracket - 1) not in _BEFORE_BLOCK

    def _is_declared(self, i: int) -> bool:
        before, after, inside = self._text(i - 1), self._text(i + 1), self.tokens[i].inside
        if before in _DECLARING or before in ("function", "class") or after == "=>":
            return True
        if before == "," and after == "=" and not self._is_object(inside):
            return True
        return before in ("(", "[", ",", "...") and inside >= 0 and self._binds(inside)

    def _binds(self, bracket: int) -> bool:
        """Whether the words of a bracket are new: of parameters, or of a pattern."""
        text, before = self._text(bracket), self._text(bracket - 1)
        if text == "(":
            named = self._text(bracket - 2) == "function"
            after = self._text(self.closing.get(bracket, bracket) + 2)
            return after == "=>" or named or before in ("function", "catch")
        outer = self.tokens[bracket].inside
        if text != "[" or before in _DECLARING:
            return text == "["
        return before in ("(", "[", ",") and outer >= 0 and self._binds(outer)


def _all_names() -> Iterator[str]:
    """a, b ... Z, aa, ab and so on."""
    for length in count(1):
        for letters in product(ascii_letters, repeat=length):
            yield "".join(letters)
